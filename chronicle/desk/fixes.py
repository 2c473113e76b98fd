"""Ways to mend a finding, each proved: the log is played on with it, and what is left is counted.

They are taken from what the finding says (a misspelt word, an entry that its help gives, a figure that was
computed), from what may come right above the entry (a forgotten ``end turn:``), and from who else may
have acted. None is offered that makes another mistake; nothing is written here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from chronicle.core.declare import TEXT, Action, bare
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.play import ONE_OF
from chronicle.core.record import Step
from chronicle.core.refused import Refused
from chronicle.core.source import Place
from chronicle.desk.findings import COUNTED, keyed
from chronicle.desk.merge import hunks
from chronicle.desk.misspelt import proposed
from chronicle.desk.room import Opened, Unanswerable
from chronicle.desk.spans import Spans
from chronicle.desk.table import beginning
from chronicle.desk.typed import Misspoken, entry_in, entry_text
from chronicle.resident import Resident
from chronicle.transcript.edit import (
    drop_option,
    entry_at,
    insert_entry,
    replace_words,
    set_option,
)
from chronicle.transcript.render import heads

T = TypeVar("T")
_Same = tuple[str, str, str]

MOST_TRIED = 40
"""How many ways are tried for one finding."""
FAR = 60
"""How many entries further up something forgotten is looked for, and for how many seconds."""
PATIENCE = 3.0

MOST_OFFERED = 24
"""How many places are offered at most where something was forgotten further up."""

LAST = 900

_ENTRY = re.compile(r"(?:^|\s|write )- ([a-z][^\n]*?)(?=  |$)")
_PART = re.compile(
    r"(?:^|[\s(])([a-z]+(?: [a-z]+)*?): ?(?! )([^\n]*?)(?=  |$|, or | first\b| comes first| or by)"
)
_ONE_TEXT = re.compile(r"one text: +\{[^{}]*?: (['\"])(.*)\1\}$")
_WITHOUT = re.compile(r"leave '([a-z ]+)' out")
_COMPUTED = re.compile(r"computed: (-?\d+)$")
_GUESS = re.compile(r"\.\.\.|\bwhy\b|\bthe reason\b|\bits? \w+$")


def asked_for(helps: Iterable[str]) -> Iterator[str]:
    """The keys that the help of a finding asks for."""
    for help in helps:
        yield from (part[1] for part in _PART.finditer(help))


class Proposal(NamedTuple):
    """A way to mend something: what a reader is told, and the text that a file would have."""

    title: Spans
    text: str
    rank: int = 0
    """What is told before what, where both settle it: what the finding says itself, what was forgotten,
    who else it was, and last that something is missing."""
    file: str = ""
    """The file it is about, where that is another one than that of the finding."""
    forgotten: str = ""
    """What a table writes without a word, and has forgotten."""


class Fix(NamedTuple):
    """A way that was proved: ``left`` is what is found afterwards, by severity."""

    title: Spans
    file: str
    before: str
    text: str
    left: dict[str, int]
    rank: int
    forgotten: str
    sure: bool = True
    """Whether it may be preferred: of several places only somebody who was there can say which it was."""

    def plain(self, preferred: bool) -> dict[str, Any]:
        """As plain data."""
        worst = next((f"{n} {name}" + "s" * (n != 1) for name, n in self.left.items() if n), "0")
        return {
            "title": self.title,
            "effect": f"settles it, {worst} left",
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
        self.tried: set[str] = {text}
        self.made: list[Fix] = []
        record = self.resident.record
        steps = record.steps if record is not None else []
        self.used = Counter(step.action.verb for step in steps)

    def run(self) -> list[Fix]:
        for one in self.found:
            for proposal in self._proposals(one):
                if len(self.tried) > MOST_TRIED:
                    break
                self._try(proposal)
        for one in self.found[:1]:
            if one.finding is not Finding.UNREADABLE:
                self._forgotten(one)
        order = sorted(range(len(self.made)), key=lambda at: (*_weight(self.made[at]), at))
        places = Counter(one.forgotten for one in self.made if one.forgotten)
        made = (self.made[at] for at in order)
        return [one._replace(sure=places[one.forgotten] < 2) for one in made]

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
        with self.resident.trial({self.opened.folder / file: proposal.text}) as found:
            now = Counter(map(_same, found))
            told = Counter(one.severity for one in heads(found))
            more = proposal.text.count("\n") - before.count("\n")
            fresh = [one for one in found if _same(one) in now - self.before]
            proved = not fresh or self._reworded(fresh, now, file, more)
        gone = all(now[key] <= self.before[key] - count for key, count in self.wanted.items())
        if proved := gone and proved:
            left = {name: told[severity] for severity, name in COUNTED}
            self.made.append(
                Fix(proposal.title, file, before, proposal.text, left, *proposal[2::2])
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
        yield from self._words(one)
        yield from self._whole_text(one)
        if one.finding is Finding.UNREADABLE and self.made:
            # What cannot be read becomes readable by another word, and by nothing that stands above it.
            return
        at = _safely(entry_at, self.text, self.file, one.place.line)
        if at is None:
            return
        index, line, _ = at
        action = self._action(line)
        if action is None:
            return
        yield from self._from_help(one, index, action)
        yield from self._right_above(index, line)
        if self._about_turns(one):
            yield from self._somebody_else(one, action)

    def _words(self, one: Diagnostic) -> Iterator[Proposal]:
        """Another word where the finding points: the one meant, or the figure that was computed."""
        for word in proposed(one):
            yield from self._replaced(one.place, word, ["Write ", _code(word)])
        for said in (one.label, *one.help):
            if said.startswith(ONE_OF):
                for name in said.removeprefix(ONE_OF).split(", "):
                    yield from self._replaced(one.place, name, ["Write ", _code(name)])
            computed = _COMPUTED.search(said)
            if computed is not None:
                title: Spans = ["Write ", _code(computed[1]), ", as computed"]
                yield from self._replaced(one.place, computed[1], title)

    def _whole_text(self, one: Diagnostic) -> Iterator[Proposal]:
        """A text that a comma cut in two, in quotation marks (T13)."""
        for said in one.help if one.place.path == self.file else ():
            cut = _ONE_TEXT.match(said)
            if cut is None:
                continue
            lines = self.text.splitlines(keepends=True)
            sentence = cut[2].replace("''", "'") if cut[1] == "'" else cut[2]
            parts = r"\s*,\s*".join(map(re.escape, sentence.split(", ")))
            there = re.compile(rf"(?<=: ){parts}(?=\s*[,}}])")
            line = lines[one.place.line - 1]
            found = [match for match in there.finditer(line) if match.end() >= one.place.column]
            if found:
                whole = f"{cut[1]}{cut[2]}{cut[1]}"
                lines[one.place.line - 1] = (
                    line[: found[0].start()] + whole + line[found[0].end() :]
                )
                yield Proposal(["Write ", _code(whole), ", one text"], "".join(lines))

    def _replaced(self, place: Place, word: str, title: Spans) -> Iterator[Proposal]:
        if place.path == self.file:
            changed = _safely(
                replace_words, self.text, self.file, {(place.line, place.column): word}
            )
            if changed is not None:
                yield Proposal(title, changed)

    def _from_help(self, one: Diagnostic, index: int, action: Action) -> Iterator[Proposal]:
        verbs = self._verbs()
        for line in one.help:
            without = _WITHOUT.search(line)
            if without is not None:
                changed = _safely(drop_option, self.text, self.file, index, without[1])
                if changed is not None:
                    yield Proposal(["Leave out ", _code(f"{without[1]}:")], changed)
            for entry in _ENTRY.finditer(line):
                yield from self._above(index, re.sub(r"\s+/\s+", "\n", entry[1].strip()))
            for part in _PART.finditer(line):
                name, value = part[1].strip(), part[2].strip().rstrip(".,;")
                if _GUESS.search(value):
                    continue
                if name in action.fields:
                    # What somebody has to say nobody can say for them.
                    if bare(action.fields[name].kind) is not TEXT:
                        yield from self._with(action, name, value)
                elif name in verbs:
                    yield from self._above(index, f"{name}: {value}".strip())

    def _with(self, action: Action, key: str, value: str) -> Iterator[Proposal]:
        """An entry with a key more; of several that the help names, with each."""
        for one in dict.fromkeys((value, *value.split(" or "))) if value else ():
            changed = _safely(set_option, self.text, self.file, action.source, key, one)
            if changed is not None:
                yield Proposal(["Add ", _code(f"{key}: {one}")], changed)

    def _above(self, index: int, entry: str) -> Iterator[Proposal]:
        if "..." in entry:
            return
        changed = _safely(insert_entry, self.text, self.file, entry, index)
        if changed is not None:
            first = entry.split("\n")[0]
            verb = first.partition(":")[0]
            # What a table writes all the time is what it forgets.
            rank = LAST if verb == "gap" else 100 - min(self.used[verb], 90)
            title: Spans = ["Insert ", _code(first), " above"]
            yield Proposal(title, changed, rank, forgotten=entry if entry == f"{verb}:" else "")

    def _right_above(self, index: int, line: int) -> Iterator[Proposal]:
        """What may come before the entry, and needs no words of anybody's."""
        for entry in ready_at(self.resident, self.opened.folder / self.file, line - 1):
            yield from self._above(index, entry)

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
        at = _safely(entry_at, text, file, line)
        for _ in range(times if at else 0):
            text = _safely(insert_entry, text, file, entry, at[0]) or "" if at and text else ""
        if at and text:
            many = f" {times} times" if times > 1 else ""
            where = f" above line {line}" + (f" of {file}" if file != self.file else "")
            title: Spans = ["Insert ", _code(entry), f"{many}{where}"]
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

    def _somebody_else(self, one: Diagnostic, action: Action) -> Iterator[Proposal]:
        """Somebody else may have done it."""
        for player in self._present():
            changed = _safely(set_option, self.text, self.file, action.source, "by", player)
            if changed is not None:
                yield Proposal(["It was ", {"t": player, "player": player}], changed, 150)

    # -- what stands there -------------------------------------------------------------------------

    def _present(self) -> tuple[str, ...]:
        record = self.resident.record
        return tuple(record.sessions[-1].present) if record is not None else ()

    def _verbs(self) -> Any:
        record = self.resident.record
        return record.rulebook.by_verb if record is not None else {}

    def _action(self, line: int) -> Action | None:
        record = self.resident.record
        for step in record.steps if record is not None else []:
            action = step.action
            if action.path == self.file and action.whole.line == line and step.parent is None:
                return action
        return None


def ready_at(resident: Resident, file: str | Path, line: int) -> list[str]:
    """The entries that may come after a line as they are, and need no words of anybody's."""
    found: list[str] = []
    with resident.at(file, line) as replay:
        if replay is None:
            return found
        for option in replay.rulebook.options(replay.play):
            said, ready = beginning(replay, option)
            if ready:
                try:
                    entry = entry_text(entry_in(said, replay.rulebook.by_verb))
                except Misspoken:
                    continue
                if entry not in found:
                    found.append(entry)
    return found


def _weight(one: Fix) -> tuple[int, ...]:
    return (one.rank >= LAST, *one.left.values(), one.rank)


def _same(one: Diagnostic) -> _Same:
    """What is the same finding wherever its line has moved."""
    return one.code, one.place.path, one.message


def _code(text: str) -> dict[str, Any]:
    return {"t": text, "code": True}


def _safely(edit: Callable[..., T], *given: Any) -> T | None:
    """What an edit gives; None where it cannot be made."""
    try:
        return edit(*given)
    except Refused:
        return None


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
    return [one for one in (*unread, *told) if one.severity and one.cause is None]


def _within(place: Place, file: str, line: int, steps: list[Step]) -> bool:
    last = max((step.action.whole.end_line for step in steps), default=line)
    return place.path == file and line <= place.line <= last
