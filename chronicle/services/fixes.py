"""Offer fixes for a problem, each proved: the log is replayed with it, and the problems left are counted.

They come from the problem itself and from entries that are possible right above it (a forgotten ``end turn:``).
If nothing else solves it, small changes of the entry are tried. A fix that makes another problem is not
offered. Nothing
is written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from time import process_time
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
from chronicle.services.diagnostic_data import (
    PROBLEM_SEVERITIES,
    SEVERITY_NAMES,
    diagnostics_by_key,
)
from chronicle.services.game_state import line_for_move
from chronicle.services.merge import differences, merge_texts
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable
from chronicle.services.proposals import (
    COSTLY_RANK,
    DECISION_GROUP,
    SHAPE_GROUP,
    UNRECORDED_RANK,
    Proposal,
    ProposalBuilder,
    WrittenEntry,
    call_unless_refused,
    code_span,
)
from chronicle.services.spans import Spans
from chronicle.services.trial import Trial, key_of_problem, try_texts
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
"""For how many seconds of the processor fixes are tried, and then a forgotten entry is looked for if none solves the
problem. Other programs that keep the machine busy cost nothing of it."""
SHORT_PATIENCE = 0.4
"""The same for other places of a forgotten entry, if a fix solves the problem."""
MOST_OFFERED_PLACES = 24
"""How many places are offered at most where an entry was forgotten."""


UNCERTAIN_IN_SHORT: Final = {**UNCERTAIN_STATES, EVERYTHING: word("server.gap_everything")}
"""The kinds of state that a gap makes uncertain, as its effect names them."""


class ProvedFix(NamedTuple):
    """A fix that solves its problem and makes no other.

    Attributes:
        title: what it does.
        file: the file that it changes.
        old_text: the text of that file.
        new_text: its text with the fix.
        remaining_counts: how many problems the campaign has then, by severity.
        rank: which fix is offered before which.
        forgotten_entry: the entry that it inserts, if that has nothing but a verb.
        group: its group; if several of a group solve the problem, none of them is preferred.
        gap_state_kind: for a gap, the kind of state that it makes uncertain.
        newly_hidden_count: for a gap, how many other problems it hides.
        is_sure: whether it is preferred without asking.
        is_worse: whether there are more errors and warnings then than before.
    """

    title: Spans
    file: str
    old_text: str
    new_text: str
    remaining_counts: dict[str, int]
    rank: int
    forgotten_entry: str
    group: str
    gap_state_kind: str = ""
    newly_hidden_count: int = 0
    is_sure: bool = True
    is_worse: bool = False

    def as_data(self, is_preferred: bool) -> dict[str, Any]:
        """The fix as plain data."""
        return {
            "title": self.title,
            "effect": self._effect_in_words(),
            "edits": [
                {"file": self.file, "line": start, "end_line": end, "old": old, "new": new}
                for start, end, old, new in differences(self.old_text, self.new_text)
            ],
            "left": self.remaining_counts,
            "worse": self.is_worse,
            "preferred": is_preferred,
        }

    def _effect_in_words(self) -> str:
        """What is left of the problems: errors and warnings, as the desk counts them. A gap solves nothing."""
        if self.gap_state_kind:
            gap_effect = word("server.gap_leaves", what=UNCERTAIN_IN_SHORT[self.gap_state_kind])
            hidden_problems_text = (
                word("server.gap_hides", count=self.newly_hidden_count)
                if self.newly_hidden_count
                else ""
            )
            return " ".join(filter(None, (gap_effect, hidden_problems_text)))
        problem_count = _problem_count(self.remaining_counts)
        message_key = "server.leaves_problems" if problem_count else "server.leaves_no_problems"
        if self.is_worse:
            message_key = "server.leaves_more_problems"
        problems_left = word(message_key, count=problem_count)
        return (
            f"{word('server.leaves_unknown')} {problems_left}"
            if self.rank >= UNRECORDED_RANK
            else problems_left
        )


def prove_fixes(
    opened: OpenCampaign, file: str, file_text: str, problems: list[Diagnostic]
) -> list[ProvedFix]:
    """Find the fixes that solve some problems of one entry.

    Args:
        opened: the campaign.
        file: the file with the entry.
        file_text: the text of the file, as the workspace reads it.
        problems: the problems.

    Returns:
        The fixes, the best first.
    """
    return _FixSearch(opened, file, file_text, problems).run()


def prove_undoing(
    opened: OpenCampaign, problem: Diagnostic, changes: Iterable[WrittenChange]
) -> list[ProvedFix]:
    """The fix that undoes one of the user's last changes of an entry, if the problem came with it. Entries that were
    only added are left out: deleting them is offered elsewhere."""
    for change in changes:
        for file, (old_text, new_text) in change.texts_before_after.items():
            file_text = call_unless_refused(opened.text, file)
            if file_text is None or not old_text or new_text is None:
                continue
            text_without_change = merge_texts(new_text, old_text, file_text)
            changed_lines = differences(old_text, new_text)
            only_adds = all(
                not old_lines and new_lines.startswith("- ")
                for _, _, old_lines, new_lines in changed_lines
            )
            if text_without_change is None or only_adds:
                continue
            trial = try_texts(opened.workspace, {opened.folder / file: text_without_change})
            if trial.solves([problem]) and not trial.new_problems:
                title: Spans = [word("server.undo_own_change", change=change.summary)]
                remaining_counts = _counts_by_severity(trial.diagnostics)
                return [
                    ProvedFix(
                        title,
                        file,
                        file_text,
                        text_without_change,
                        remaining_counts,
                        0,
                        "",
                        DECISION_GROUP,
                        is_sure=False,
                    )
                ]
    return []


def _counts_by_severity(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How many problems there are, by the name of their severity."""
    counts = count_severities(diagnostics)
    return {severity_name: counts[severity] for severity, severity_name in SEVERITY_NAMES}


def _problem_count(counts: Mapping[str, int]) -> int:
    """How many errors and warnings there are, as the desk counts them."""
    return sum(counts[severity_name] for severity_name in PROBLEM_SEVERITIES)


class _FixSearch:
    """The search for fixes of some problems of one entry."""

    def __init__(
        self, opened: OpenCampaign, file: str, file_text: str, problems: list[Diagnostic]
    ) -> None:
        self.opened, self.workspace = opened, opened.workspace
        self.file, self.file_text, self.problems = file, file_text, problems
        self.all_problems = tuple(self.workspace.diagnostics)
        self.problem_count = _problem_count(_counts_by_severity(self.all_problems))
        self.known_keys = set(map(key_of_problem, self.all_problems))
        self.accused_keys = {
            key_of_problem(problem)
            for problem in self.all_problems
            if problem.kind is not DiagnosticKind.UNKNOWN
        }
        self.tried_texts: set[str] = {file_text}
        self.proved_fixes: list[ProvedFix] = []
        record = self.workspace.record
        all_steps = record.steps if record is not None else []
        verb_counts = Counter(step.action.verb for step in all_steps)
        settings_text = file_text if file == SETTINGS_FILE else opened.text(SETTINGS_FILE)
        self.proposals = ProposalBuilder(
            file, file_text, settings_text, self._action_classes(), lambda verb: verb_counts[verb]
        )

    def run(self) -> list[ProvedFix]:
        """The fixes that are proved, the best first."""
        deadline = process_time() + PATIENCE
        for problem in self.problems:
            for proposal in self._find_proposals(problem):
                if len(self.tried_texts) > MOST_TRIED_FIXES or process_time() > deadline:
                    break
                self._keep_if_proved(proposal)
        for problem in self.problems[:1]:
            if problem.kind is not DiagnosticKind.UNREADABLE:
                self._try_forgotten_entries(problem)
        group_counts = Counter(
            group
            for fix in self.proved_fixes
            for group in (fix.forgotten_entry, fix.group)
            if group
        )
        return [
            fix._replace(
                is_sure=fix.rank < UNRECORDED_RANK
                and fix.group != DECISION_GROUP
                and max(group_counts[fix.forgotten_entry], group_counts[fix.group]) < 2
            )
            for fix in sorted(self.proved_fixes, key=_sort_key)
        ]

    def _try_forgotten_entries(self, problem: Diagnostic) -> None:
        """Try an entry that was forgotten, once or (if that solves nothing) several times in a row."""
        deadline = process_time() + (SHORT_PATIENCE if self.proved_fixes else PATIENCE)
        latest_time = process_time() + PATIENCE
        proved_count = 0
        for repetitions in range(1, 1 + max(1, len(self._players_present()))):
            sure_verbs = {inserted_verb(fix) for fix in problem.fixes if fix.safe}
            for proposal in self._forgotten_entry_proposals(problem, repetitions, latest_time):
                if proposal.forgotten_entry.partition(":")[0] in sure_verbs:
                    continue
                proved_count += self._keep_if_proved(proposal)
                if process_time() > deadline or proved_count == MOST_OFFERED_PLACES:
                    return
            if any(fix.forgotten_entry for fix in self.proved_fixes):
                return

    def _keep_if_proved(self, proposal: Proposal) -> bool:
        """Keep a proposal if it solves the problems and makes no other; return whether it does."""
        if proposal.new_text in self.tried_texts or (
            proposal.gap_state_kind and self._has_gap_fix()
        ):
            return False
        self.tried_texts.add(proposal.new_text)
        file = proposal.file or self.file
        old_text = self.file_text if file == self.file else self.opened.text(file)
        changed_texts = {self.opened.folder / file: proposal.new_text}
        max_reworded_count = len(self.all_problems) - len(self.problems)

        def fails(trial: Trial) -> bool:
            new_problems = self._counted_new_problems(proposal, trial)
            return not trial.solves(self.problems) or len(new_problems) > max_reworded_count

        trial = try_texts(self.workspace, changed_texts, self._is_counted, fails)
        new_problems = self._counted_new_problems(proposal, trial)
        added_line_count = proposal.new_text.count("\n") - old_text.count("\n")
        is_proved = trial.solves(self.problems) and (
            not new_problems or self._are_only_reworded(new_problems, trial, file, added_line_count)
        )
        if is_proved:
            remaining_counts = _counts_by_severity(trial.diagnostics)
            self.proved_fixes.append(
                ProvedFix(
                    proposal.title,
                    file,
                    old_text,
                    proposal.new_text,
                    remaining_counts,
                    proposal.rank,
                    proposal.forgotten_entry,
                    proposal.group,
                    proposal.gap_state_kind,
                    self._count_newly_hidden(trial) if proposal.gap_state_kind else 0,
                    is_worse=_problem_count(remaining_counts) > self.problem_count,
                )
            )
        return is_proved

    @staticmethod
    def _counted_new_problems(proposal: Proposal, trial: Trial) -> list[Diagnostic]:
        """The new problems that speak against a proposal."""
        if proposal.group == SHAPE_GROUP:
            # A text that could not be read meets the rules for the first time; it only has to be readable.
            return [
                problem
                for problem in trial.new_problems
                if problem.kind is DiagnosticKind.UNREADABLE
            ]
        if proposal.rank >= UNRECORDED_RANK:
            # A gap makes other figures unknown.
            return [
                problem
                for problem in trial.new_problems
                if problem.kind is not DiagnosticKind.UNKNOWN
            ]
        return trial.new_problems

    def _has_gap_fix(self) -> bool:
        return any(fix.gap_state_kind for fix in self.proved_fixes)

    def _count_newly_hidden(self, trial: Trial) -> int:
        """How many other errors and warnings are not reported any more."""
        solved_keys = set(map(key_of_problem, self.problems))
        remaining_counts = Counter(
            key_of_problem(problem) for problem in trial.diagnostics if problem.is_reported
        )
        other_counts = Counter(
            key_of_problem(problem)
            for problem in self.all_problems
            if problem.is_reported
            and problem.severity >= Severity.WARNING
            and key_of_problem(problem) not in solved_keys
            and problem.kind is not DiagnosticKind.UNKNOWN
        )
        return (other_counts - remaining_counts).total()

    def _is_counted(self, problem: Diagnostic) -> bool:
        """Whether a problem counts: one that has become unknown by a gap is solved."""
        return (
            problem.kind is not DiagnosticKind.UNKNOWN
            or key_of_problem(problem) not in self.accused_keys
        )

    def _are_only_reworded(
        self, new_problems: list[Diagnostic], trial: Trial, file: str, added_line_count: int
    ) -> bool:
        """Whether each new problem was there before, under the same rule at the same entry, and only the
        names differ: below a forgotten turn all names change. A figure that does not agree never counts.

        Args:
            new_problems: the new problems.
            trial: the problems with the fix.
            file: the file that the fix changes.
            added_line_count: how many lines that file gains.
        """
        solved_keys = set(map(key_of_problem, self.problems))
        solved_counts = Counter(
            (problem.code, problem.place.path, problem.place.line)
            for problem in self.all_problems
            if not trial.new_counts[key_of_problem(problem)]
            and key_of_problem(problem) not in solved_keys
        )
        for problem in new_problems:
            line, path = problem.place.line, problem.place.path
            possible_lines = (line, line - added_line_count) if path == file else (line,)
            possible_keys = [(problem.code, path, old_line) for old_line in possible_lines]
            solved_key = next(
                (solved_key for solved_key in possible_keys if solved_counts[solved_key] > 0), None
            )
            if solved_key is None or problem.kind is DiagnosticKind.BOOKKEEPING:
                return False
            solved_counts[solved_key] -= 1
        return True

    # -- where proposals come from -----------------------------------------------------------------

    def _find_proposals(self, problem: Diagnostic) -> Iterator[Proposal]:
        """The proposals for a problem, the likeliest first."""
        builder = self.proposals
        is_unread = problem.kind is DiagnosticKind.UNREADABLE
        # A text that cannot be read becomes readable by another word, and by no entry above it.
        if is_unread:
            yield from builder.apply_fixes(problem.fixes)
            if any(fix.rank < UNRECORDED_RANK for fix in self.proved_fixes):
                return
        position = call_unless_refused(entry_at, self.file_text, self.file, problem.place.line)
        entry = builder.entry(position[0]) if position is not None else None
        if position is None or entry is None:
            yield from builder.apply_fixes(problem.fixes)
            return
        entry_index, entry_line, _ = position
        missing_key_fixes = builder.fixes_adding_missing_keys(problem, entry) if is_unread else ()
        with self.workspace.at(self.opened.folder / self.file, entry_line - 1) as replay:
            fixes = [*problem.fixes, *missing_key_fixes]
            if not is_unread:
                known_verbs = set(map(inserted_verb, problem.fixes))
                fixes += [
                    builder.insertion_above(entry, ready_entry)
                    for ready_entry in ready_entries(replay)
                    if ready_entry.partition(":")[0] not in known_verbs
                ]
            entry_proposals = [
                *builder.apply_fixes(fixes, entry, replay, state_kind=problem.state_kind)
            ]
        if not is_unread:
            yield from self._other_amount_proposals(problem, entry, entry_line)
            yield from self._other_player_proposals(problem, entry, entry_line)
        # A table most often forgets what it writes most often.
        yield from sorted(entry_proposals, key=lambda proposal: proposal.rank)
        # A gap leaves the entry as wrong as it was.
        if all(fix.rank >= UNRECORDED_RANK for fix in self.proved_fixes):
            yield from self._general_proposals(problem, entry, entry_index)

    def _other_player_proposals(
        self, problem: Diagnostic, entry: WrittenEntry, entry_line: int
    ) -> Iterator[Proposal]:
        """The same entry, written for another player: likely if it is only wrong who did it."""
        with self.workspace.at(self.opened.folder / self.file, entry_line - 1) as replay:
            player_on_turn = replay.rulebook.standing(replay.play).turn if replay else ""
        fixes = [*self.proposals.fixes_for_other_players(problem, entry, self._players_present())]
        if (
            not fixes
            and player_on_turn
            and self._actor_of_entry(problem) not in ("", player_on_turn)
        ):
            # The entry names no player, only a character.
            fixes = [make_fix(SetKey("by", player_on_turn, place_of(entry.source, self.file)))]
        for fix in fixes:
            edit = fix.edits[0]
            player = edit.value if isinstance(edit, SetKey) else str(edit[0])
            if self._is_right_here(fix, problem, entry_line):
                rank = 105 - (player == player_on_turn)
                for proposal in self.proposals.apply_fixes([fix], rank=rank, group=DECISION_GROUP):
                    yield proposal._replace(title=[word("server.write_it_for"), " ", player])

    def _actor_of_entry(self, problem: Diagnostic) -> str:
        """The player who acts in the entry of a problem; empty if nobody does."""
        record = self.workspace.record
        return record.step(problem.step_number).player if record and problem.step_number else ""

    def _other_amount_proposals(
        self, problem: Diagnostic, entry: WrittenEntry, entry_line: int
    ) -> Iterator[Proposal]:
        """The same entry with the highest amount that is possible, if the problem is about an amount."""
        located_amount = self.proposals.find_amount(problem, entry)
        if located_amount is None:
            return
        amount_place, written_amount = located_amount

        def fix_for(amount: int) -> Fix:
            return make_fix(ReplaceWord(str(amount), amount_place))

        def is_right(amount: int) -> bool:
            return self._is_right_here(fix_for(amount), problem, entry_line)

        # Possible amounts go from the least one up to the highest one.
        lowest_amount = next(
            (amount for amount in (0, 1) if amount < written_amount and is_right(amount)), None
        )
        if lowest_amount is None:
            return
        highest_right_amount, lowest_wrong_amount = lowest_amount, written_amount
        while lowest_wrong_amount - highest_right_amount > 1:
            middle_amount = (highest_right_amount + lowest_wrong_amount) // 2
            if is_right(middle_amount):
                highest_right_amount = middle_amount
            else:
                lowest_wrong_amount = middle_amount
        yield from self.proposals.apply_fixes(
            [fix_for(highest_right_amount)], rank=15, group=DECISION_GROUP
        )

    def _is_right_here(self, fix: Fix, problem: Diagnostic, entry_line: int) -> bool:
        """Whether the changed entry itself is right at its place. This is cheaper than a trial, which replays what
        comes below as well."""
        changed_file = apply_fix(fix, self.proposals.text_of, self.proposals.verbs, self.file)
        position = (
            call_unless_refused(entry_at, changed_file.text, self.file, entry_line)
            if changed_file is not None
            else None
        )
        if changed_file is None or position is None:
            return False
        entry_item = "- " + entry_text(changed_file.text, self.file, position[0]).replace(
            "\n", "\n  "
        )
        with self.workspace.at(self.opened.folder / self.file, entry_line - 1) as replay:
            if replay is None:
                return False
            return all(
                new_problem.severity < problem.severity
                for new_problem in self.workspace.attempt(replay, entry_item + "\n")[1]
            )

    def _general_proposals(
        self, problem: Diagnostic, entry: WrittenEntry, entry_index: int
    ) -> Iterator[Proposal]:
        """The proposals for any problem that nothing else solves."""
        builder = self.proposals
        entry_place = place_of(entry.source, self.file)
        is_unread = problem.kind is DiagnosticKind.UNREADABLE
        if not is_unread:
            player_fixes = [
                make_fix(SetKey("by", player, entry_place)) for player in self._players_present()
            ]
            yield from builder.apply_fixes(player_fixes, rank=150, group=DECISION_GROUP)
        yield from builder.apply_fixes(
            builder.fixes_with_other_words(problem, entry), group=DECISION_GROUP
        )
        if self.workspace.replay is not None:
            name_fixes = builder.fixes_with_other_names(problem, self.workspace.replay.play.names)
            yield from builder.apply_fixes(name_fixes, rank=120, group=DECISION_GROUP)
        smaller_fixes = builder.fixes_without_part(problem, entry, entry_index)
        yield from builder.apply_fixes(smaller_fixes, rank=120, group=DECISION_GROUP)
        yield from builder.apply_fixes(builder.moving_fixes(entry))
        if problem.game and not is_unread:
            # An entry that the log lacks may make it right.
            gap_fixes = locate_fixes([mark_gap()], entry_place, entry_place)
            yield from builder.apply_fixes(gap_fixes, state_kind=problem.state_kind)

    def _forgotten_entry_proposals(
        self, problem: Diagnostic, repetitions: int, latest_time: float
    ) -> Iterator[Proposal]:
        """The proposals that insert, some ``repetitions`` in a row, an entry above that the table often writes and
        that has only its verb. None is looked for after ``latest_time``."""
        record = self.workspace.record
        if record is None or not problem.step_number:
            return
        steps = [step for step in record.steps if step.parent is None]
        bare_verb_counts = Counter(
            step.action.verb
            for step in steps
            if not any(step.action.source.values()) and step.action.verb != "gap"
        )
        proved_verbs = (
            fix.forgotten_entry[:-1] for fix in self.proved_fixes if fix.forgotten_entry
        )
        likely_verbs = dict.fromkeys(
            [*proved_verbs, *(verb for verb, _ in bare_verb_counts.most_common(3))]
        )
        last_index = next(
            (index for index, step in enumerate(steps) if step.number >= problem.step_number), 0
        )
        for first_index in range(
            last_index, max(-1, last_index - MOST_ENTRIES_ABOVE // repetitions), -1
        ):
            actions = [step.action for step in steps[first_index : last_index + 1]]
            for verb in likely_verbs:
                # Most places yield nothing: looking at them takes its time as well.
                if process_time() > latest_time:
                    return
                if self._is_promising(f"- {verb}:\n" * repetitions, actions, problem):
                    yield from self._insertion_proposals(actions[0], f"{verb}:", repetitions)

    def _insertion_proposals(
        self, action: Action, entry: str, repetitions: int
    ) -> Iterator[Proposal]:
        """The proposal that inserts an entry above another, some ``repetitions`` in a row."""
        file, line = action.path, action.whole_place.line
        file_text = self.file_text if file == self.file else self.opened.text(file)
        position = call_unless_refused(entry_at, file_text, file, line)
        if position is None:
            return
        for _ in range(repetitions):
            file_text = call_unless_refused(insert_entry, file_text, file, entry, position[0]) or ""
            if not file_text:
                return
        repetition_text = f" {repetitions} times" if repetitions > 1 else ""
        place_text = f" above line {line}" + (f" of {file}" if file != self.file else "")
        title: Spans = ["Insert ", code_span(entry), f"{repetition_text}{place_text}"]
        yield Proposal(title, file_text, 120, file, entry)

    def _is_promising(
        self, inserted_entries: str, actions: list[Action], problem: Diagnostic
    ) -> bool:
        """Whether some entries are possible above the first of the actions, and the actions down to the problem
        are right then. This is cheaper than a trial, which replays what comes below as well."""
        first_action = actions[0]
        with self.workspace.at(
            self.opened.folder / first_action.path, first_action.whole_place.line - 1
        ) as replay:
            if replay is None or self.workspace.attempt(replay, inserted_entries)[1]:
                return False
            replay_problems = replay.play.diagnostics
            for action in actions:
                if action.session != replay.sessions[-1].session.number:
                    break  # the next session is for the trial
                old_problem_count = len(replay_problems)
                replay.do(action)
                keys = map(key_of_problem, replay_problems[old_problem_count:])
                if any(
                    key == key_of_problem(problem) or key not in self.known_keys for key in keys
                ):
                    return False
            return True

    def _players_present(self) -> tuple[str, ...]:
        """The players who are at the table at the end."""
        record = self.workspace.record
        return tuple(record.sessions[-1].present) if record is not None else ()

    def _action_classes(self) -> Any:
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
    for move in replay.rulebook.options(replay.play):
        line, is_ready = line_for_move(replay, move)
        if is_ready:
            try:
                entries[write_entry(read_line(line, replay.rulebook.by_verb))] = None
            except LineError:
                continue
    return [*entries]


def _sort_key(fix: ProvedFix) -> tuple[int, ...]:
    """The order of fixes: those that leave nothing unknown, then fewest problems, no costs, lowest rank."""
    *problem_counts, note_count = fix.remaining_counts.values()
    return (
        fix.rank >= UNRECORDED_RANK,
        *problem_counts,
        COSTLY_RANK <= fix.rank < UNRECORDED_RANK,
        note_count,
        fix.rank,
    )


def find_problem(opened: OpenCampaign, problem_key: str) -> tuple[str, Diagnostic]:
    """Find the problem with a key, and its file.

    Raises:
        Unanswerable: if there is none any more.
    """
    problem = diagnostics_by_key(opened).get(problem_key)
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
    last_line = max((step.action.whole_place.end_line for step in steps), default=line)
    unread_problems = [
        problem
        for problem in record.diagnostics
        if not problem.step_number
        and problem.place.path == file
        and line <= problem.place.line <= last_line
    ]
    step_problems = [problem for step in steps for problem in step.diagnostics]
    return [problem for problem in (*unread_problems, *step_problems) if problem.is_reported]
