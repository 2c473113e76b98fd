"""Ways to mend a finding, each proved: the log is played on with it, and what is left is counted.

They are taken from what the finding says (a misspelt word, an entry that its help gives, a figure that was
computed), from what may come right above the entry (a forgotten ``end turn:``), and from who else may
have acted. None is offered that makes another mistake; nothing is written here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Finding, count_severities
from chronicle.core.fix import MISSING
from chronicle.core.record import Step
from chronicle.core.source import Place
from chronicle.desk.advice import (
    COSTLY,
    DECISION,
    HOLE,
    SHAPE,
    Advice,
    Proposal,
    Written,
    code,
    safely,
)
from chronicle.desk.findings import COUNTED, keyed
from chronicle.desk.merge import hunks
from chronicle.desk.room import Opened, Unanswerable
from chronicle.desk.spans import Spans
from chronicle.desk.table import beginning
from chronicle.resident import Resident
from chronicle.transcript.edit import entry_at, insert_entry, set_option
from chronicle.transcript.find import SETTINGS_FILE
from chronicle.transcript.one_line import LineError, read_line
from chronicle.transcript.yaml_text import write_entry
from chronicle.words import word

_Same = tuple[str, str, str]

MOST_TRIED = 40
"""How many ways are tried for one finding."""
FAR = 60
"""How many entries further up something forgotten is looked for."""
PATIENCE = 3.0
"""For how many seconds ways are tried, and something forgotten is looked for."""

MOST_OFFERED = 24
"""How many places are offered at most where something was forgotten further up."""


class Fix(NamedTuple):
    """A way that was proved: ``left`` is what is found afterwards, by severity."""

    title: Spans
    file: str
    before: str
    text: str
    left: dict[str, int]
    rank: int
    forgotten: str
    among: str
    sure: bool = True
    """Whether it may be preferred: of several places only somebody who was there can say which it was."""

    def plain(self, preferred: bool) -> dict[str, Any]:
        """As plain data."""
        problems = sum(self.left.values())
        effect = "server.leaves_problems" if problems else "server.leaves_no_problems"
        return {
            "title": self.title,
            "effect": word(effect, count=problems),
            "edits": [
                {"file": self.file, "line": start, "end_line": end, "old": old, "new": new}
                for start, end, old, new in hunks(self.before, self.text)
            ],
            "left": self.left,
            "preferred": preferred,
        }


def fixes(opened: Opened, file: str, text: str, found: list[Diagnostic]) -> list[Fix]:
    """The ways to mend findings about one entry, the best first. ``text`` is what its file holds, as the
    resident reads it."""
    return _Trial(opened, file, text, found).run()


class _Trial:
    def __init__(self, opened: Opened, file: str, text: str, found: list[Diagnostic]) -> None:
        self.opened, self.resident = opened, opened.resident
        self.file, self.text, self.found = file, text, found
        self.told = tuple(self.resident.diagnostics)
        self.before = Counter(map(_same, self.told))
        self.wanted = Counter(map(_same, found))
        self.accused = {_same(one) for one in self.told if one.finding is not Finding.UNKNOWN}
        self.tried: set[str] = {text}
        self.made: list[Fix] = []
        record = self.resident.record
        steps = record.steps if record is not None else []
        used = Counter(step.action.verb for step in steps)
        settings = text if file == SETTINGS_FILE else opened.text(SETTINGS_FILE)
        self.advice = Advice(file, text, settings, self._verbs(), lambda verb: used[verb])

    def run(self) -> list[Fix]:
        until = monotonic() + PATIENCE
        for one in self.found:
            for proposal in self._proposals(one):
                if len(self.tried) > MOST_TRIED or monotonic() > until:
                    break
                self._try(proposal)
        for one in self.found[:1]:
            if one.finding is not Finding.UNREADABLE:
                self._forgotten(one)
        order = sorted(range(len(self.made)), key=lambda at: (*_weight(self.made[at]), at))
        several = Counter(kind for one in self.made for kind in (one.forgotten, one.among) if kind)
        made = (self.made[at] for at in order)
        return [
            one._replace(
                sure=one.rank < HOLE
                and one.among != DECISION
                and max(several[one.forgotten], several[one.among]) < 2
            )
            for one in made
        ]

    def _forgotten(self, one: Diagnostic) -> None:
        """What was forgotten, once, or (where that mends nothing) several times in a row."""
        until = monotonic() + PATIENCE
        proved = 0
        for times in range(1, 1 + max(1, len(self._present()))):
            for proposal in self._further_up(one, times):
                # Which of several it was, only somebody who was there can say.
                proved += self._try(proposal)
                if monotonic() > until or proved == MOST_OFFERED:
                    return
            if any(way.forgotten for way in self.made):
                return

    def _try(self, proposal: Proposal) -> bool:
        """Keep a way if it settles what was found and nothing new is found with it."""
        if proposal.text in self.tried:
            return False
        self.tried.add(proposal.text)
        file = proposal.file or self.file
        before = self.text if file == self.file else self.opened.text(file)
        with self.resident.trial({self.opened.folder / file: proposal.text}) as all_found:
            told = count_severities(all_found)
            # Of what a hole makes unknown nobody is accused any more.
            found = [
                one
                for one in all_found
                if one.finding is not Finding.UNKNOWN or _same(one) not in self.accused
            ]
            now = Counter(map(_same, found))
            more = proposal.text.count("\n") - before.count("\n")
            fresh = [one for one in found if _same(one) in now - self.before]
            if proposal.among == SHAPE:
                # What could not be read is held to the rules with it; it only has to be readable.
                fresh = [one for one in fresh if one.finding is Finding.UNREADABLE]
            if proposal.rank >= HOLE:
                # Whoever says that something is unknown hears what is unknown with it.
                fresh = [one for one in fresh if one.finding is not Finding.UNKNOWN]
            proved = not fresh or self._reworded(fresh, now, file, more)
        gone = all(now[key] <= self.before[key] - count for key, count in self.wanted.items())
        if proved := gone and proved:
            left = {name: told[severity] for severity, name in COUNTED}
            self.made.append(
                Fix(
                    proposal.title,
                    file,
                    before,
                    proposal.text,
                    left,
                    proposal.rank,
                    proposal.forgotten,
                    proposal.among,
                )
            )
        return proved

    def _reworded(
        self, fresh: Iterable[Diagnostic], now: Counter[_Same], file: str, more: int
    ) -> bool:
        """Whether what is told with a repair was told before of the same entries under the same rules, only
        of somebody else: below a forgotten turn every name is another. A count that does not agree is no
        such thing. So many more lines has a file now."""
        gone = Counter(
            (one.code, one.place.path, one.place.line)
            for one in self.told
            if not now[_same(one)] and not self.wanted[_same(one)]
        )
        for one in fresh:
            line = one.place.line
            # What is tried beside what stands may be told of the lines where it stands.
            lines = (line, line - more) if one.place.path == file else (line,)
            there = [(one.code, one.place.path, at) for at in lines]
            was = next((key for key in there if gone[key] > 0), None)
            if was is None or one.finding is Finding.BOOKKEEPING:
                return False
            gone[was] -= 1
        return True

    # -- where ways come from ----------------------------------------------------------------------

    def _proposals(self, one: Diagnostic) -> Iterator[Proposal]:
        advice = self.advice
        # What cannot be read becomes readable by another word, and by nothing that stands above it.
        for ways in (
            advice.from_fixes,
            advice.words,
            advice.as_it_should_be,
            advice.instead,
            advice.decided,
        ):
            yield from ways(one)
            if one.finding is Finding.UNREADABLE and self.made:
                return
        at = safely(entry_at, self.text, self.file, one.place.line)
        if at is None:
            return
        index, line, _ = at
        action = advice.entry(index)
        if action is None:
            return
        unread = one.finding is Finding.UNREADABLE
        with self.resident.at(self.opened.folder / self.file, line - 1) as replay:
            told = [*advice.from_fixes(one, action, replay)]
            told += advice.from_help(one, index, action, replay)
            told += advice.lacking(index, action, replay) if unread else ()
        yield from told
        yield from self._right_above(index, line) if not unread else ()
        yield from self._somebody_else(one, action)
        if not self.made:
            yield from advice.others(one, action)
            yield from advice.pieces(one, index, action)
            yield from advice.moved(one, index)
        if not self.made and one.game and not unread:
            # Whatever comes first may have been played, and nobody wrote it down.
            yield from advice.above(index, MISSING, among=DECISION)

    def _right_above(self, index: int, line: int) -> Iterator[Proposal]:
        """What may come before the entry, and needs no words of anybody's."""
        for entry, costly in ready_at(self.resident, self.opened.folder / self.file, line - 1):
            yield from self.advice.above(index, entry, costly=costly)

    def _further_up(self, one: Diagnostic, times: int) -> Iterator[Proposal]:
        """What a table writes all the time without a word, forgotten somewhere above."""
        record = self.resident.record
        if record is None or not one.step:
            return
        entries = [step for step in record.steps if step.parent is None]
        bare = Counter(
            step.action.verb
            for step in entries
            if not any(step.action.source.values()) and step.action.verb != "gap"
        )
        right_above = (way.forgotten[:-1] for way in self.made if way.forgotten)
        often = dict.fromkeys([*right_above, *(verb for verb, _ in bare.most_common(3))])
        last = next((at for at, step in enumerate(entries) if step.index >= one.step), 0)
        for index in range(last, max(-1, last - FAR // times), -1):
            action = entries[index].action
            for verb in often:
                played = [step.action for step in entries[index : last + 1]]
                if self._promising(f"- {verb}:\n" * times, played, one):
                    yield from self._inserted(action, f"{verb}:", times)

    def _inserted(self, action: Action, entry: str, times: int) -> Iterator[Proposal]:
        """An entry above another one, so many times in a row."""
        file, line = action.path, action.whole.line
        text = self.text if file == self.file else self.opened.text(file)
        at = safely(entry_at, text, file, line)
        for _ in range(times if at else 0):
            text = safely(insert_entry, text, file, entry, at[0]) or "" if at and text else ""
        if at and text:
            many = f" {times} times" if times > 1 else ""
            where = f" above line {line}" + (f" of {file}" if file != self.file else "")
            title: Spans = ["Insert ", code(entry), f"{many}{where}"]
            yield Proposal(title, text, 120, file, entry)

    def _promising(self, entries: str, actions: list[Action], one: Diagnostic) -> bool:
        """Whether something above the first of the actions is in order there, and what was found down to
        one finding is not found with it. Nothing is said of what comes below."""
        first = actions[0]
        with self.resident.at(self.opened.folder / first.path, first.whole.line - 1) as replay:
            if replay is None or self.resident.attempt(replay, entries)[1]:
                return False
            told = replay.play.diagnostics
            known = len(told)
            for action in actions:
                if action.session != replay.sessions[-1].session.number:
                    break  # of the next evening the whole log has to tell
                replay.do(action)
                found = [_same(new) for new in told[known:]]
                known = len(told)
                if any(new == _same(one) or new not in self.before for new in found):
                    return False
            return True

    def _about_turns(self, one: Diagnostic) -> bool:
        said = " ".join((one.message, *one.help))
        return one.finding is not Finding.UNREADABLE and ("turn" in said or "by:" in said)

    def _somebody_else(self, one: Diagnostic, action: Written) -> Iterator[Proposal]:
        """Somebody else may have done it, who was there: anybody where turns are spoken of, else those
        whom the finding names."""
        turns = self._about_turns(one)
        said = " ".join((one.message, *one.help))
        for player in self._present() if one.finding is not Finding.UNREADABLE else ():
            if turns or re.search(rf"(?<!\w){re.escape(player)}(?!\w)", said):
                changed = safely(set_option, self.text, self.file, action.source, "by", player)
                if changed is not None:
                    title: Spans = ["It was ", {"t": player, "player": player}]
                    yield Proposal(title, changed, 150, among="" if turns else DECISION)

    # -- what stands there -------------------------------------------------------------------------

    def _present(self) -> tuple[str, ...]:
        record = self.resident.record
        return tuple(record.sessions[-1].present) if record is not None else ()

    def _verbs(self) -> Any:
        record = self.resident.record
        return record.rulebook.by_verb if record is not None else {}


def ready_at(resident: Resident, file: str | Path, line: int) -> list[tuple[str, bool]]:
    """The entries that may come after a line as they are, and need no words of anybody's; and whether
    somebody pays for them."""
    found: dict[str, bool] = {}
    with resident.at(file, line) as replay:
        if replay is None:
            return []
        for option in replay.rulebook.options(replay.play):
            said, ready = beginning(replay, option)
            if ready:
                try:
                    entry = write_entry(read_line(said, replay.rulebook.by_verb))
                except LineError:
                    continue
                found.setdefault(entry, bool(option.price and option.price[0]))
    return [*found.items()]


def _weight(one: Fix) -> tuple[int, ...]:
    """What is offered first: what says most, leaves least, costs nobody anything, and leaves what was done to
    those who did it."""
    *worst, notes = one.left.values()
    return (one.rank >= HOLE, *worst, COSTLY <= one.rank < HOLE, notes, one.rank)


def _same(one: Diagnostic) -> _Same:
    """What is the same finding wherever its line has moved."""
    return one.code, one.place.path, one.message


def about(opened: Opened, key: str) -> tuple[str, Diagnostic]:
    """The finding of a key, and its file."""
    found = keyed(opened).get(key)
    if found is None:
        raise Unanswerable("this finding is gone", "look at the findings again")
    return found.place.path, found


def of_step(resident: Resident, file: str, line: int) -> list[Diagnostic]:
    """What is found about the entry on a line."""
    record = resident.record
    if record is None:
        return resident.diagnostics
    mine: list[Step] = [
        step for step in record.steps if step.action.path == file and step.action.whole.line == line
    ]
    told = [one for step in mine for one in step.diagnostics]
    unread = [
        one for one in record.diagnostics if not one.step and _within(one.place, file, line, mine)
    ]
    return [one for one in (*unread, *told) if one.is_reported]


def _within(place: Place, file: str, line: int, steps: list[Step]) -> bool:
    last = max((step.action.whole.end_line for step in steps), default=line)
    return place.path == file and line <= place.line <= last
