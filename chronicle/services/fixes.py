"""Offer fixes for a problem, each proved: the log is replayed with it, and the problems left are counted.

They come from the problem itself and from entries that are possible right above it (a forgotten ``end turn:``).
If nothing else solves it, small changes of the entry are tried. A fix that makes another problem is not
offered. Nothing
is written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Severity, count_severities
from chronicle.core.fix import (
    Fix,
    InsertEntry,
    ReplaceWord,
    SetKey,
    locate_fixes,
    make_fix,
    mark_gap,
)
from chronicle.core.gaps import EVERYTHING, UNCERTAIN_STATES
from chronicle.core.replay import Replay
from chronicle.core.source import place_of
from chronicle.services.apply import apply_fix
from chronicle.services.diagnostic_data import PROBLEMS, SEVERITY_NAMES, diagnostics_by_key
from chronicle.services.game_state import line_for_move
from chronicle.services.merge import differences, merge_texts
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable
from chronicle.services.proposals import (
    COSTLY,
    DECISION,
    HOLE,
    SHAPE,
    Proposal,
    Proposals,
    WrittenEntry,
    code,
    safely,
)
from chronicle.services.spans import Spans
from chronicle.services.trial import Trial, key_of, try_texts
from chronicle.services.writing import WrittenChange
from chronicle.syntax.edit import entry_at, entry_text, insert_entry
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.one_line import LineError, read_line
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word
from chronicle.workspace import Workspace

MOST_TRIED_FIXES = 40
"""How many fixes are tried for one problem."""
MOST_ENTRIES_ABOVE = 60
"""How many entries above the problem a forgotten entry is looked for."""
PATIENCE = 1.5
"""For how many seconds fixes are tried, and then a forgotten entry is looked for if none solves the problem."""
SHORT_PATIENCE = 0.4
"""For how many seconds other places of a forgotten entry are looked for if a fix solves the problem."""
MOST_OFFERED = 24
"""How many places are offered at most where an entry was forgotten."""


UNCERTAIN_IN_SHORT: Final = {**UNCERTAIN_STATES, EVERYTHING: word("server.gap_everything")}
"""The kinds of state that a gap makes uncertain, as its effect names them."""


class ProvedFix(NamedTuple):
    """A fix that solves its problem and makes no other.

    Attributes:
        title: what it does.
        file: the file that it changes.
        before: the text of that file.
        text: its text with the fix.
        left: how many problems the campaign has then, by severity.
        rank: which fix is offered before which.
        forgotten: the entry that it inserts, if that has nothing but a verb.
        among: its group; if several of a group solve the problem, none of them is preferred.
        gap: for a gap, the kind of state that it makes uncertain.
        hidden: for a gap, how many other problems it hides.
        is_sure: whether it is preferred without asking.
        is_worse: whether there are more errors and warnings then than before.
    """

    title: Spans
    file: str
    before: str
    text: str
    left: dict[str, int]
    rank: int
    forgotten: str
    among: str
    gap: str = ""
    hidden: int = 0
    is_sure: bool = True
    is_worse: bool = False

    def plain(self, is_preferred: bool) -> dict[str, Any]:
        """The fix as plain data."""
        return {
            "title": self.title,
            "effect": self._effect(),
            "edits": [
                {"file": self.file, "line": start, "end_line": end, "old": old, "new": new}
                for start, end, old, new in differences(self.before, self.text)
            ],
            "left": self.left,
            "worse": self.is_worse,
            "preferred": is_preferred,
        }

    def _effect(self) -> str:
        """What is left of the problems: errors and warnings, as the desk counts them. A gap solves nothing."""
        if self.gap:
            checked = word("server.gap_leaves", what=UNCERTAIN_IN_SHORT[self.gap])
            hides = word("server.gap_hides", count=self.hidden) if self.hidden else ""
            return " ".join(filter(None, (checked, hides)))
        problem_count = _problem_count(self.left)
        effect = "server.leaves_problems" if problem_count else "server.leaves_no_problems"
        if self.is_worse:
            effect = "server.leaves_more_problems"
        told = word(effect, count=problem_count)
        return f"{word('server.leaves_unknown')} {told}" if self.rank >= HOLE else told


def prove_fixes(
    opened: OpenCampaign, file: str, text: str, problems: list[Diagnostic]
) -> list[ProvedFix]:
    """Find the fixes that solve some problems of one entry.

    Args:
        opened: the campaign.
        file: the file with the entry.
        text: the text of the file, as the workspace reads it.
        problems: the problems.

    Returns:
        The fixes, the best first.
    """
    return _Search(opened, file, text, problems).run()


def prove_undoing(
    opened: OpenCampaign, problem: Diagnostic, changes: Iterable[WrittenChange]
) -> list[ProvedFix]:
    """The fix that undoes one of the user's last changes of an entry, if the problem came with it. Entries that were
    only added are left out: deleting them is offered elsewhere."""
    for change in changes:
        for file, (old_text, new_text) in change.texts_before_after.items():
            text = safely(opened.text, file)
            if text is None or not old_text or new_text is None:
                continue
            undone = merge_texts(new_text, old_text, text)
            edits = differences(old_text, new_text)
            only_adds = all(not old and new.startswith("- ") for _, _, old, new in edits)
            if undone is None or only_adds:
                continue
            trial = try_texts(opened.workspace, {opened.folder / file: undone})
            if trial.solves([problem]) and not trial.new_problems:
                title: Spans = [word("server.undo_own_change", change=change.summary)]
                left = _counts_by_severity(trial.diagnostics)
                return [ProvedFix(title, file, text, undone, left, 0, "", DECISION, is_sure=False)]
    return []


def _counts_by_severity(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How many problems there are, by the name of their severity."""
    counts = count_severities(diagnostics)
    return {name: counts[severity] for severity, name in SEVERITY_NAMES}


def _problem_count(counts: Mapping[str, int]) -> int:
    """How many errors and warnings there are, as the desk counts them."""
    return sum(counts[name] for name in PROBLEMS)


class _Search:
    """The search for fixes of some problems of one entry."""

    def __init__(
        self, opened: OpenCampaign, file: str, text: str, problems: list[Diagnostic]
    ) -> None:
        self.opened, self.workspace = opened, opened.workspace
        self.file, self.text, self.problems = file, text, problems
        self.all_problems = tuple(self.workspace.diagnostics)
        self.problem_count = _problem_count(_counts_by_severity(self.all_problems))
        self.keys = set(map(key_of, self.all_problems))
        self.accused = {
            key_of(problem)
            for problem in self.all_problems
            if problem.kind is not DiagnosticKind.UNKNOWN
        }
        self.tried: set[str] = {text}
        self.proved: list[ProvedFix] = []
        record = self.workspace.record
        steps = record.steps if record is not None else []
        verbs = Counter(step.action.verb for step in steps)
        settings = text if file == SETTINGS_FILE else opened.text(SETTINGS_FILE)
        self.proposals = Proposals(file, text, settings, self._verbs(), lambda verb: verbs[verb])

    def run(self) -> list[ProvedFix]:
        """The fixes that are proved, the best first."""
        until = monotonic() + PATIENCE
        for problem in self.problems:
            for proposal in self._proposals(problem):
                if len(self.tried) > MOST_TRIED_FIXES or monotonic() > until:
                    break
                self._try(proposal)
        for problem in self.problems[:1]:
            if problem.kind is not DiagnosticKind.UNREADABLE:
                self._try_forgotten(problem)
        groups = Counter(
            group for fix in self.proved for group in (fix.forgotten, fix.among) if group
        )
        return [
            fix._replace(
                is_sure=fix.rank < HOLE
                and fix.among != DECISION
                and max(groups[fix.forgotten], groups[fix.among]) < 2
            )
            for fix in sorted(self.proved, key=_sort_key)
        ]

    def _try_forgotten(self, problem: Diagnostic) -> None:
        """Try an entry that was forgotten, once or (if that solves nothing) several times in a row."""
        until = monotonic() + (SHORT_PATIENCE if self.proved else PATIENCE)
        proved = 0
        for times in range(1, 1 + max(1, len(self._present()))):
            sure_verbs = {inserted_verb(fix) for fix in problem.fixes if fix.safe}
            for proposal in self._forgotten_above(problem, times):
                if proposal.forgotten.partition(":")[0] in sure_verbs:
                    continue
                proved += self._try(proposal)
                if monotonic() > until or proved == MOST_OFFERED:
                    return
            if any(fix.forgotten for fix in self.proved):
                return

    def _try(self, proposal: Proposal) -> bool:
        """Keep a proposal if it solves the problems and makes no other; return whether it does."""
        if proposal.text in self.tried or (proposal.gap and self._has_gap()):
            return False
        self.tried.add(proposal.text)
        file = proposal.file or self.file
        text = self.text if file == self.file else self.opened.text(file)
        changed_texts = {self.opened.folder / file: proposal.text}
        most_reworded = len(self.all_problems) - len(self.problems)

        def fails(trial: Trial) -> bool:
            fresh = self._fresh(proposal, trial)
            return not trial.solves(self.problems) or len(fresh) > most_reworded

        trial = try_texts(self.workspace, changed_texts, self._counts, fails)
        fresh = self._fresh(proposal, trial)
        new_lines = proposal.text.count("\n") - text.count("\n")
        is_proved = trial.solves(self.problems) and (
            not fresh or self._only_reworded(fresh, trial, file, new_lines)
        )
        if is_proved:
            left = _counts_by_severity(trial.diagnostics)
            self.proved.append(
                ProvedFix(
                    proposal.title,
                    file,
                    text,
                    proposal.text,
                    left,
                    proposal.rank,
                    proposal.forgotten,
                    proposal.among,
                    proposal.gap,
                    self._hidden(trial) if proposal.gap else 0,
                    is_worse=_problem_count(left) > self.problem_count,
                )
            )
        return is_proved

    @staticmethod
    def _fresh(proposal: Proposal, trial: Trial) -> list[Diagnostic]:
        """The new problems that speak against a proposal."""
        if proposal.among == SHAPE:
            # A text that could not be read meets the rules for the first time; it only has to be readable.
            return [
                problem
                for problem in trial.new_problems
                if problem.kind is DiagnosticKind.UNREADABLE
            ]
        if proposal.rank >= HOLE:
            # A gap makes other figures unknown.
            return [
                problem
                for problem in trial.new_problems
                if problem.kind is not DiagnosticKind.UNKNOWN
            ]
        return trial.new_problems

    def _has_gap(self) -> bool:
        return any(fix.gap for fix in self.proved)

    def _hidden(self, trial: Trial) -> int:
        """How many other errors and warnings are not reported any more."""
        solved = set(map(key_of, self.problems))
        left = Counter(key_of(problem) for problem in trial.diagnostics if problem.is_reported)
        others = Counter(
            key_of(problem)
            for problem in self.all_problems
            if problem.is_reported
            and problem.severity >= Severity.WARNING
            and key_of(problem) not in solved
            and problem.kind is not DiagnosticKind.UNKNOWN
        )
        return (others - left).total()

    def _counts(self, problem: Diagnostic) -> bool:
        """Whether a problem counts: one that has become unknown by a gap is solved."""
        return problem.kind is not DiagnosticKind.UNKNOWN or key_of(problem) not in self.accused

    def _only_reworded(
        self, fresh: list[Diagnostic], trial: Trial, file: str, new_lines: int
    ) -> bool:
        """Whether each new problem was there before, under the same rule at the same entry, and only the
        names differ: below a forgotten turn all names change. A figure that does not agree never counts.

        Args:
            fresh: the new problems.
            trial: the problems with the fix.
            file: the file that the fix changes.
            new_lines: how many lines that file gains.
        """
        solved = set(map(key_of, self.problems))
        gone_counts = Counter(
            (problem.code, problem.place.path, problem.place.line)
            for problem in self.all_problems
            if not trial.after[key_of(problem)] and key_of(problem) not in solved
        )
        for problem in fresh:
            line, path = problem.place.line, problem.place.path
            lines = (line, line - new_lines) if path == file else (line,)
            possible_keys = [(problem.code, path, old_line) for old_line in lines]
            gone_key = next(
                (gone_key for gone_key in possible_keys if gone_counts[gone_key] > 0), None
            )
            if gone_key is None or problem.kind is DiagnosticKind.BOOKKEEPING:
                return False
            gone_counts[gone_key] -= 1
        return True

    # -- where proposals come from -----------------------------------------------------------------

    def _proposals(self, problem: Diagnostic) -> Iterator[Proposal]:
        """The proposals for a problem, the likeliest first."""
        proposals = self.proposals
        is_unread = problem.kind is DiagnosticKind.UNREADABLE
        # A text that cannot be read becomes readable by another word, and by no entry above it.
        if is_unread:
            yield from proposals.of_fixes(problem.fixes)
            if self.proved:
                return
        position = safely(entry_at, self.text, self.file, problem.place.line)
        entry = proposals.entry(position[0]) if position is not None else None
        if position is None or entry is None:
            yield from proposals.of_fixes(problem.fixes)
            return
        index, line, _ = position
        missing = proposals.missing_keys(problem, entry) if is_unread else ()
        with self.workspace.at(self.opened.folder / self.file, line - 1) as replay:
            fixes = [*problem.fixes, *missing]
            if not is_unread:
                known_verbs = set(map(inserted_verb, problem.fixes))
                fixes += [
                    proposals.above(entry, text)
                    for text in ready_entries(replay)
                    if text.partition(":")[0] not in known_verbs
                ]
            applied = [*proposals.of_fixes(fixes, entry, replay, state_kind=problem.state_kind)]
        if not is_unread:
            yield from self._other_amounts(problem, entry, line)
            yield from self._other_players(problem, entry, line)
        # A table most often forgets what it writes most often.
        yield from sorted(applied, key=lambda proposal: proposal.rank)
        # A gap leaves the entry as wrong as it was.
        if all(fix.rank >= HOLE for fix in self.proved):
            yield from self._general(problem, entry, index)

    def _other_players(
        self, problem: Diagnostic, entry: WrittenEntry, line: int
    ) -> Iterator[Proposal]:
        """The same entry, written for another player: likely if it is only wrong who did it."""
        with self.workspace.at(self.opened.folder / self.file, line - 1) as replay:
            turn = replay.rulebook.standing(replay.play).turn if replay else ""
        fixes = [*self.proposals.other_players(problem, entry, self._present())]
        if not fixes and turn and self._actor(problem) not in ("", turn):
            # The entry names no player, only a character.
            fixes = [make_fix(SetKey("by", turn, place_of(entry.source, self.file)))]
        for fix in fixes:
            edit = fix.edits[0]
            player = edit.value if isinstance(edit, SetKey) else str(edit[0])
            if self._is_right_here(fix, problem, line):
                rank = 105 - (player == turn)
                for proposal in self.proposals.of_fixes([fix], rank=rank, among=DECISION):
                    yield proposal._replace(title=[word("server.write_it_for"), " ", player])

    def _actor(self, problem: Diagnostic) -> str:
        """The player who acts in the entry of a problem; empty if nobody does."""
        record = self.workspace.record
        return record.step(problem.step_number).player if record and problem.step_number else ""

    def _other_amounts(
        self, problem: Diagnostic, entry: WrittenEntry, line: int
    ) -> Iterator[Proposal]:
        """The same entry with the highest amount that is possible, if the problem is about an amount."""
        found = self.proposals.amount(problem, entry)
        if found is None:
            return
        place, written = found

        def fix_for(amount: int) -> Fix:
            return make_fix(ReplaceWord(str(amount), place))

        def is_right(amount: int) -> bool:
            return self._is_right_here(fix_for(amount), problem, line)

        # Possible amounts go from the least one up to the highest one.
        least = next((amount for amount in (0, 1) if amount < written and is_right(amount)), None)
        if least is None:
            return
        highest, impossible = least, written
        while impossible - highest > 1:
            middle = (highest + impossible) // 2
            if is_right(middle):
                highest = middle
            else:
                impossible = middle
        yield from self.proposals.of_fixes([fix_for(highest)], rank=15, among=DECISION)

    def _is_right_here(self, fix: Fix, problem: Diagnostic, line: int) -> bool:
        """Whether the changed entry itself is right at its place. This is cheaper than a trial, which replays what
        comes below as well."""
        applied = apply_fix(fix, self.proposals.text_of, self.proposals.verbs, self.file)
        position = safely(entry_at, applied.text, self.file, line) if applied is not None else None
        if applied is None or position is None:
            return False
        written = "- " + entry_text(applied.text, self.file, position[0]).replace("\n", "\n  ")
        with self.workspace.at(self.opened.folder / self.file, line - 1) as replay:
            if replay is None:
                return False
            return all(
                found.severity < problem.severity
                for found in self.workspace.attempt(replay, written + "\n")[1]
            )

    def _general(self, problem: Diagnostic, entry: WrittenEntry, index: int) -> Iterator[Proposal]:
        """The proposals for any problem that nothing else solves."""
        proposals = self.proposals
        place = place_of(entry.source, self.file)
        is_unread = problem.kind is DiagnosticKind.UNREADABLE
        if not is_unread:
            players = [make_fix(SetKey("by", player, place)) for player in self._present()]
            yield from proposals.of_fixes(players, rank=150, among=DECISION)
        yield from proposals.of_fixes(proposals.other_words(problem, entry), among=DECISION)
        smaller_fixes = proposals.without_part(problem, entry, index)
        yield from proposals.of_fixes(smaller_fixes, rank=120, among=DECISION)
        yield from proposals.of_fixes(proposals.moves(entry))
        if problem.game and not is_unread:
            # An entry that the log lacks may make it right.
            gap = locate_fixes([mark_gap()], place, place)
            yield from proposals.of_fixes(gap, state_kind=problem.state_kind)

    def _forgotten_above(self, problem: Diagnostic, times: int) -> Iterator[Proposal]:
        """The proposals that insert, some ``times`` in a row, an entry above that the table often writes and
        that has only its verb."""
        record = self.workspace.record
        if record is None or not problem.step_number:
            return
        steps = [step for step in record.steps if step.parent is None]
        bare = Counter(
            step.action.verb
            for step in steps
            if not any(step.action.source.values()) and step.action.verb != "gap"
        )
        right_above = (fix.forgotten[:-1] for fix in self.proved if fix.forgotten)
        verbs = dict.fromkeys([*right_above, *(verb for verb, _ in bare.most_common(3))])
        last = next((at for at, step in enumerate(steps) if step.number >= problem.step_number), 0)
        for index in range(last, max(-1, last - MOST_ENTRIES_ABOVE // times), -1):
            actions = [step.action for step in steps[index : last + 1]]
            for verb in verbs:
                if self._is_promising(f"- {verb}:\n" * times, actions, problem):
                    yield from self._insertion_proposals(actions[0], f"{verb}:", times)

    def _insertion_proposals(self, action: Action, entry: str, times: int) -> Iterator[Proposal]:
        """The proposal that inserts an entry above another, some ``times`` in a row."""
        file, line = action.path, action.whole_place.line
        text = self.text if file == self.file else self.opened.text(file)
        position = safely(entry_at, text, file, line)
        if position is None:
            return
        for _ in range(times):
            text = safely(insert_entry, text, file, entry, position[0]) or ""
            if not text:
                return
        repeated = f" {times} times" if times > 1 else ""
        where = f" above line {line}" + (f" of {file}" if file != self.file else "")
        title: Spans = ["Insert ", code(entry), f"{repeated}{where}"]
        yield Proposal(title, text, 120, file, entry)

    def _is_promising(self, entries: str, actions: list[Action], problem: Diagnostic) -> bool:
        """Whether some entries are possible above the first of the actions, and the actions down to the problem
        are right then. This is cheaper than a trial, which replays what comes below as well."""
        first = actions[0]
        with self.workspace.at(
            self.opened.folder / first.path, first.whole_place.line - 1
        ) as replay:
            if replay is None or self.workspace.attempt(replay, entries)[1]:
                return False
            diagnostics = replay.play.diagnostics
            for action in actions:
                if action.session != replay.sessions[-1].session.number:
                    break  # the next session is for the trial
                old_count = len(diagnostics)
                replay.do(action)
                keys = map(key_of, diagnostics[old_count:])
                if any(key == key_of(problem) or key not in self.keys for key in keys):
                    return False
            return True

    def _present(self) -> tuple[str, ...]:
        """The players who are at the table at the end."""
        record = self.workspace.record
        return tuple(record.sessions[-1].present) if record is not None else ()

    def _verbs(self) -> Any:
        """The verbs of the game."""
        record = self.workspace.record
        return record.rulebook.by_verb if record is not None else {}


def inserted_verb(fix: Fix) -> str:
    """The verb of the entry that a fix inserts; empty if it inserts none."""
    match fix.edits:
        case (InsertEntry(text), *_):
            return text.partition(":")[0]
    return ""


def ready_entries(replay: Replay[Any] | None) -> list[str]:
    """The complete entries that are possible at a moment, without words of a player."""
    if replay is None:
        return []
    entries: dict[str, None] = {}
    for option in replay.rulebook.options(replay.play):
        line, is_ready = line_for_move(replay, option)
        if is_ready:
            try:
                entries[write_entry(read_line(line, replay.rulebook.by_verb))] = None
            except LineError:
                continue
    return [*entries]


def _sort_key(fix: ProvedFix) -> tuple[int, ...]:
    """The order of fixes: those that leave nothing unknown, then fewest problems, no costs, lowest rank."""
    *worst, notes = fix.left.values()
    return (fix.rank >= HOLE, *worst, COSTLY <= fix.rank < HOLE, notes, fix.rank)


def find_problem(opened: OpenCampaign, key: str) -> tuple[str, Diagnostic]:
    """Find the problem with a key, and its file.

    Raises:
        Unanswerable: if there is none any more.
    """
    problem = diagnostics_by_key(opened).get(key)
    if problem is None:
        raise Unanswerable("this finding is gone", "look at the findings again")
    return problem.place.path, problem


def problems_of_entry(workspace: Workspace, file: str, line: int) -> list[Diagnostic]:
    """The reported problems of the entry on a line."""
    record = workspace.record
    if record is None:
        return workspace.diagnostics
    steps = [
        step
        for step in record.steps
        if step.action.path == file and step.action.whole_place.line == line
    ]
    last = max((step.action.whole_place.end_line for step in steps), default=line)
    unread = [
        problem
        for problem in record.diagnostics
        if not problem.step_number
        and problem.place.path == file
        and line <= problem.place.line <= last
    ]
    played = [problem for step in steps for problem in step.diagnostics]
    return [problem for problem in (*unread, *played) if problem.is_reported]
