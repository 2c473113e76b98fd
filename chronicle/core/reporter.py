"""Reporting: what a handler, a guard or the engine says is wrong with an entry, and what it is folded under.

:class:`Reporter` holds what a report depends on: the entries replayed so far, the gaps of the record, what earlier
problems made doubtful, and the rules that the table has set aside.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TypedDict, Unpack

from chronicle.core.campaign import Campaign, HouseRule
from chronicle.core.declare import Action, place_of_word
from chronicle.core.diagnostic import (
    Diagnostic,
    DiagnosticKind,
    Fact,
    ask_whether,
    nearest_words,
    severity_of,
)
from chronicle.core.fix import BLANK, Fix, locate_fixes, mark_gap, replace_with
from chronicle.core.game_info import GameInfo, Readings
from chronicle.core.gaps import SOMEBODY, RecordGap, RecordGaps, insert_somebody
from chronicle.core.house_rules import HouseRules
from chronicle.core.ledger import owner_of
from chronicle.core.names import fold
from chronicle.core.record import Step
from chronicle.core.rules import comparable_id
from chronicle.core.source import Place, ScalarNode, place_of
from chronicle.core.timeline import StepNumber

_RECORD_DEPENDENT_KINDS = frozenset(
    {DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING, DiagnosticKind.SUSPICIOUS}
)
"""Kinds of problems that are certain only if the record is complete."""

_OWNED_STATE_KINDS = frozenset({"tracks", "pools"})
"""Kinds of state that begin with their owner: a gap before that cannot touch them. The control of a new person
depends on whose turn it is, so this kind is not included."""
_OLD_ID_PATTERN = r"(?:event|fact|fate|dialog|house-rule)-(\d{1,9})(?:-\d+)?"
NOBODY_ACTS = "T56"
"""The rule for an entry whose actor is missing."""


def number_in_old_id(entry_id: str) -> int:
    """The step number in an id of the old form (``event-12``); 0 for other ids."""
    match = re.fullmatch(_OLD_ID_PATTERN, entry_id)
    if match is None:
        return 0
    return int(match[1])


def _name_doubt_keys(typed_name: str) -> list[str]:
    """The keys of doubts about a name: the whole name, its halves and its words."""
    name_parts = (typed_name, *typed_name.split("&"), *typed_name.split()) if typed_name else ()
    return [f"name:{fold(name_part)}" for name_part in name_parts]


def _is_form_rule(code: str) -> bool:
    return code.startswith("T") and code[1:].isdigit()


class TrialRefused(Exception):
    """A problem with an entry that is only tried (:attr:`GameContext.trying`): the rule and the message."""


class ReportOptions(TypedDict, total=False):
    """The optional arguments of :meth:`GameContext.report`."""

    at: Place | str | None
    place_label: str
    help: str | Sequence[str]
    fix: Fix | Sequence[Fix]
    facts: Sequence[Fact]
    after: Iterable[str]
    name: str
    since: StepNumber | None
    state_kind: str
    is_certain: bool
    subject: str


class Reporter:
    """What a report of a problem depends on, and how it is made. :class:`chronicle.core.game_context.GameContext` adds
    what a game reads and changes."""

    __slots__ = (
        "_allowance_reasons",
        "adopted_rules",
        "always_excused_by",
        "birth_step_numbers",
        "campaign",
        "current",
        "diagnostics",
        "doubt",
        "gaps",
        "is_testing_move",
        "last_name_problem",
        "last_unreadable_step_number",
        "phase",
        "phase_start_number",
        "rulebook",
        "rulings",
        "step",
        "steps",
        "tainted",
        "touched_by_rule",
        "unknown_until",
        "unreadable_problems",
    )

    def __init__(self, campaign: Campaign, game: GameInfo) -> None:
        self.campaign = campaign
        self.rulebook = game
        self.rulings = Readings(game)
        self.steps: list[Step] = []
        self.diagnostics: list[Diagnostic] = []
        self.touched_by_rule: dict[str, tuple[str, ...]] = {}
        """Ids that ``under:`` may cite, each with the rule ids it touches (empty: any)."""
        self.adopted_rules = HouseRules()
        """The same rules with their formulas and effects."""
        self.always_excused_by: dict[str, str] = {}
        """For each rule id (normalised), the house rule that always excuses it."""
        self.gaps = RecordGaps()
        """The gaps in the record."""
        self.phase = ""
        """The phase of play after the last entry, as the law of the game names it."""
        self.phase_start_number = 0
        """The entry that started it; 0 if play began with it."""
        self.unknown_until: dict[str, StepNumber] = {}
        """Figures that the players counted (``wealth:Ana``), each with the last entry for which it had been
        unknown, not with the counting entry: so that a repeated count changes nothing."""
        self.birth_step_numbers: dict[str, int] = {}
        """For each id of a name, the entry that made its subject; 0 for those made before the first entry and
        by a ``snapshot:``, which does not tell everything about them."""
        self.tainted: dict[str, Diagnostic] = {}
        self.current: Step | None = None
        """The current entry; None before the first one."""
        self.step: Step
        """The same for handlers, which run only with a current entry (:meth:`work_on`)."""
        self._allowance_reasons: tuple[Action | None, dict[str, str]] = (None, {})
        """Cache: the ids that an entry allows by itself (normalised), with the reasons."""
        self.last_name_problem: Diagnostic | None = None
        """The last problem with an unknown name: the rest of its entry may look wrong because of it."""
        self.unreadable_problems: list[Diagnostic] = []
        """The problems of unreadable entries so far."""
        self.doubt: Diagnostic | None = None
        """The unreadable entry that makes the whole present state uncertain; problems are folded under it. A
        game sets and clears it in ``before``."""
        self.last_unreadable_step_number: int = 0
        """The entry before which the last unreadable one was."""
        self.is_testing_move = False
        """Whether an entry is only tried: the first problem raises :class:`TrialRefused`, and nothing is
        recorded."""

    def work_on(self, step: Step | None) -> Step | None:
        """Make another entry the current one. Returns the previous one."""
        previous_step, self.current = self.current, step
        if step is not None:
            self.step = step
        return previous_step

    @property
    def is_actor_unrecorded(self) -> bool:
        """Whether the actor of the current entry is not recorded."""
        step = self.current
        return step is not None and step.speaker == SOMEBODY and not step.player

    def require(
        self,
        condition: bool,
        code: str,
        message: str,
        *,
        kind: DiagnosticKind = DiagnosticKind.ILLEGAL,
        **options: Unpack[ReportOptions],
    ) -> bool:
        """Check a rule: report ``message`` under ``code`` unless ``condition`` holds. Returns the condition;
        the handler continues in both cases. If a figure in ``after`` is doubtful because of an earlier
        problem, the report is folded under that. Other options as in :meth:`report`."""
        if not condition:
            self.report(kind, code, message, **options)
        return condition

    def illegal(self, code: str, message: str, **options: Unpack[ReportOptions]) -> bool:
        """Report a violation of a rule. Returns False."""
        return self.require(False, code, message, **options)

    def unreadable(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that a part of the entry cannot be understood."""
        return self.report(DiagnosticKind.UNREADABLE, code, message, **options)

    def unknown(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that the record does not say something."""
        return self.report(DiagnosticKind.UNKNOWN, code, message, **options)

    def suspect(
        self, condition: bool, code: str, message: str, **options: Unpack[ReportOptions]
    ) -> bool:
        """Report something unusual that is not forbidden, if ``condition`` holds."""
        if condition:
            self.report(DiagnosticKind.SUSPICIOUS, code, message, **options)
        return condition

    def report(
        self,
        kind: DiagnosticKind,
        code: str,
        message: str,
        *,
        at: Place | str | None = None,
        place_label: str = "",
        help: str | Sequence[str] = (),
        fix: Fix | Sequence[Fix] = (),
        facts: Sequence[Fact] = (),
        after: Iterable[str] = (),
        name: str = "",
        since: StepNumber | None = None,
        state_kind: str = "",
        is_certain: bool = False,
        subject: str = "",
    ) -> Diagnostic:
        """Report a problem with the current entry (or with the campaign, outside of entries).

        Args:
            kind: the kind of problem.
            code: the rule.
            message: the message.
            at: a place, a word, or the key of a value in the entry; by default the verb.
            place_label: a few words beside the place.
            help: help in words, for what no fix can do.
            fix: ways to solve it; edits without a place are made in this entry, those of words at ``at``.
            facts: related locations.
            after: doubts that it may follow from.
            name: an unknown name; its consequences are folded under this problem.
            since: the entry that caused the condition (by default the last one of ``facts``; without facts the
                entry that began the phase of play).
            state_kind: the kind of state it depends on: after a gap about that the condition is unknown.
            is_certain: whether a gap cannot have changed the condition.
            subject: the id of the person or object it is about, for a check that reports once for each.

        Raises:
            Refused: while an entry is only tried.
        """
        if self.is_testing_move:
            raise TrialRefused(code, message)
        step = self.current
        if isinstance(at, str):
            action = self.step.action
            at = place_of_word(action, at) if isinstance(at, ScalarNode) else action.place(at)
        place = at or (step.action.place() if step is not None else self.campaign.settings_place())
        excuse = self._excuse(code, kind) if step is not None else ""
        gap, is_unreadable = None, kind is DiagnosticKind.UNREADABLE
        # Where the actor is not known, the game has put an empty name into its words.
        message = insert_somebody(message)
        if excuse:
            kind = DiagnosticKind.EXCUSED
        elif is_unreadable and (self.is_actor_unrecorded or code == NOBODY_ACTS):
            # Who it was is just what the record does not say.
            open_gap = self.gaps.last_gap_about("", len(self.steps))
            gap = open_gap if open_gap is not None and open_gap.is_open else None
            kind = DiagnosticKind.UNKNOWN if self.is_actor_unrecorded else kind
        elif (
            self.gaps.all_gaps
            and not is_certain
            and (kind in _RECORD_DEPENDENT_KINDS or (is_unreadable and since is not None))
        ):
            # What a name means may have come into the story in a gap.
            gap = self._gap_after(code, since, facts, state_kind)
        if gap is not None:
            kind = DiagnosticKind.UNKNOWN
            if all(fact.step_number != gap.step_number for fact in facts):
                facts = (*facts, self.because(gap.step_number, "the record does not say all here"))
        elif since is not None and not is_certain and not excuse and not is_unreadable:
            gap_fix = mark_gap()
            fix = (*((fix,) if isinstance(fix, Fix) else fix), gap_fix)
        game_name = "" if _is_form_rule(code) else self.rulebook.name
        diagnostic = Diagnostic(
            code=code,
            kind=kind,
            severity=severity_of(kind, self.campaign.strictness),
            message=message,
            place=place,
            game=game_name,
            place_label=place_label,
            facts=tuple(facts),
            free_help=(help,) if isinstance(help, str) else tuple(help),
            declared_fixes=locate_fixes(
                (fix,) if isinstance(fix, Fix) else fix,
                place,
                step.action.whole_place if step is not None else place,
            ),
            excuse=excuse,
            step_number=step.number if step is not None else 0,
            subject=subject,
            state_kind=state_kind,
        )
        cause = self._cause_of(diagnostic, (*after, *_name_doubt_keys(name)))
        if gap is not None and cause is None:
            cause, gap.diagnostic = gap.diagnostic, gap.diagnostic or diagnostic
        is_unknown = cause is not None and cause.kind is DiagnosticKind.UNKNOWN
        if cause is not None and is_unknown and kind is not DiagnosticKind.UNREADABLE:
            # What the record does not say may well make this right.
            diagnostic.kind, diagnostic.severity = cause.kind, cause.severity
        if cause is not None and cause.severity >= diagnostic.severity:
            diagnostic.cause = cause
            cause.dependents.append(diagnostic)
        self.diagnostics.append(diagnostic)
        if step is not None:
            step.diagnostics.append(diagnostic)
        if name:
            self.last_name_problem = diagnostic
            self.tainted.setdefault(f"name:{fold(name)}", diagnostic)
        return diagnostic

    def _cause_of(self, diagnostic: Diagnostic, doubt_keys: Iterable[str]) -> Diagnostic | None:
        """The cause of a problem: an earlier one that made its subject doubtful."""
        for doubt_key in doubt_keys:
            cause = self.tainted.get(doubt_key)
            if cause is not None and cause is not diagnostic:
                return cause.cause or cause
        step = self.current
        if step is not None and step.action.problem is not None:
            return step.action.problem
        name_problem = (
            self.last_name_problem if diagnostic.kind is not DiagnosticKind.UNREADABLE else None
        )
        if name_problem is not None and name_problem.step_number == diagnostic.step_number:
            return name_problem.cause or name_problem
        return self.doubt

    def _gap_after(
        self, code: str, cause_step_number: int | None, facts: Sequence[Fact], state_kind: str
    ) -> RecordGap | None:
        """The gap that makes the condition of a problem unknown."""
        fact_step_numbers = [fact.step_number for fact in facts if fact.step_number]
        basis_step_number = (
            cause_step_number
            if cause_step_number is not None
            else max(fact_step_numbers, default=None)
        )
        gap = self.gaps.last_gap_about(state_kind, len(self.steps))
        if gap is None:
            return None
        if basis_step_number is None:
            if _is_form_rule(code):
                return None
            # A rule about an entry rests at least on the phase that it is made in.
            basis_step_number = self.phase_start_number
        return (
            gap
            if self.gaps.last_uncertain_step_number(gap, len(self.steps)) > basis_step_number
            else None
        )

    @property
    def gap(self) -> int:
        """The last entry where a gap about everything makes state uncertain; 0 without a gap."""
        return self.gap_since("") if self.gaps.all_gaps else 0

    def gap_since(self, state: str) -> int:
        """The last entry where a gap about this kind of state, or about everything, makes it uncertain; 0
        without a gap."""
        gap = self.gaps.last_gap_about(state, len(self.steps)) if self.gaps.all_gaps else None
        return self.gaps.last_uncertain_step_number(gap, len(self.steps)) if gap is not None else 0

    def before_gap(self, state: str, step_number: int) -> int | None:
        """An entry from which something is known, if a gap after it may have changed that; else None.

        Args:
            state: the kind of state that the gap would have to be about; empty: everything.
            step_number: the number of the entry.
        """
        return step_number if self.gap_since(state) > step_number else None

    def uncertain_since(self, figure: str, state: str) -> int:
        """The entry since which a figure (``wealth:Ana``) is uncertain; 0 if it is known: everything
        happened later, or the players have counted it since."""
        last_uncertain_step_number = max(
            self.gap_since(state), self.gaps.unknown_since.get(figure, 0)
        )
        return (
            last_uncertain_step_number
            if last_uncertain_step_number > self.known_from(figure, state)
            else 0
        )

    def known_from(self, figure: str, state: str) -> int:
        """The entry from which the log gives all of a figure: the last one for which it had been unknown when
        the players counted it, or the one that made its owner; 0 if it gives all from the start."""
        birth_step_number = (
            self.birth_step_numbers.get(owner_of(figure), 0) if state in _OWNED_STATE_KINDS else 0
        )
        return max(self.unknown_until.get(figure, 0), birth_step_number)

    def why_uncertain(self, figure: str, state: str) -> tuple[str, int]:
        """Why a figure is uncertain, with ``{place}`` for the place of an entry, and that entry."""
        gap = self.gaps.last_gap_about(state, len(self.steps))
        change_step_number = self.gaps.unknown_since.get(figure, 0)
        if (
            gap is None
            or self.gaps.last_uncertain_step_number(gap, len(self.steps)) < change_step_number
        ):
            return (
                "the entry at {place} changed it, and the log does not say by how much",
                change_step_number,
            )
        if gap.is_only_outcome_missing:
            return "the log does not say how the entry at {place} went", gap.step_number
        if gap.is_open:
            return "the gap at {place} has not ended yet", gap.step_number
        return "a gap at {place} lies between", gap.step_number

    def unrecorded(self, *figures: str, can_only_lower: bool = False) -> None:
        """Some figures changed in the current entry by unrecorded amounts: they are unknown until they are
        counted. Each is its name with the id of its owner (``wealth:Ana``), or its name alone if it has no owners.
        ``can_only_lower``: they can only have become less, so the computed value is an upper bound."""
        for figure_key in map(self.rulebook.figure_key, figures):
            self.gaps.unknown_since[figure_key] = self.step.number
            can_only_lower_by_step = self.gaps.unrecorded_changes.setdefault(figure_key, {})
            can_only_lower_by_step[self.step.number] = (
                can_only_lower and can_only_lower_by_step.get(self.step.number, True)
            )

    def count(self, figure_key: str) -> None:
        """The players count a figure, given by its key (``wealth:Ana``): earlier uncertainty about it ends."""
        last_uncertain_step_number = max(
            self.last_unreadable_step_number, self.gaps.last_unknown_step_number()
        )
        if last_uncertain_step_number > self.unknown_until.get(figure_key, 0):
            self.unknown_until[figure_key] = last_uncertain_step_number
        self.gaps.count_step_numbers.setdefault(figure_key, []).append(self.step.number)
        self.settle(figure_key)

    def taint(self, *doubt_keys: str) -> None:
        """Make figures doubtful because of the last problem of this entry, or of all before the first."""
        entry_problems = self.diagnostics if self.current is None else self.current.diagnostics
        if entry_problems:
            for doubt_key in doubt_keys:
                self.tainted.setdefault(doubt_key, entry_problems[-1])

    def settle(self, *doubt_keys: str) -> None:
        """End the doubt about figures that were counted."""
        for doubt_key in doubt_keys:
            self.tainted.pop(doubt_key, None)

    def because(self, step_number: int, text: str) -> Fact:
        """A related location: an earlier entry, or this one."""
        if not step_number:
            return Fact(text)
        action = (
            self.step.action
            if step_number == self.step.number
            else self.steps[step_number - 1].action
        )
        return Fact(text, action.place(), step_number)

    def place_of_entry(self, step_number: int) -> Place | None:
        """The place of an earlier entry, or of this one; None for entry 0."""
        if not step_number:
            return None
        return (
            self.step if step_number == self.step.number else self.steps[step_number - 1]
        ).action.whole_place

    def facts(self, step_number: int, text: str) -> list[Fact]:
        """The same as a list; empty for entry 0."""
        return [self.because(step_number, text)] if step_number else []

    def _blame_on_unreadable_entry(self, unknown_name: str) -> None:
        """Attribute an unknown name to the unreadable entry that would have introduced it."""
        folded_name = fold(unknown_name)
        for diagnostic in reversed(self.unreadable_problems):
            if any(folded_name in fold(text) for text in diagnostic.dropped_words[1:]):
                self.tainted.setdefault(f"name:{folded_name}", diagnostic)
                return

    def _excuse(self, code: str, kind: DiagnosticKind) -> str:
        action = self.step.action
        if action.allow:
            if self._allowance_reasons[0] is not action:
                reason_by_rule_id = {
                    comparable_id(rule_id.rpartition(":")[2]): str(reason_given)
                    for rule_id, reason_given in action.allow.items()
                }
                self._allowance_reasons = action, reason_by_rule_id
            reason = self._allowance_reasons[1].get(comparable_id(code))
            if reason is not None:
                return reason or "allowed"
        if kind not in _RECORD_DEPENDENT_KINDS:
            return ""
        if self.always_excused_by and (
            house_rule_id := self.always_excused_by.get(comparable_id(code))
        ):
            return f"under {house_rule_id}"
        if action.under:
            for cited_word in action.under:
                touched_rules = self.touched_by_rule.get(self.cited(cited_word))
                if touched_rules is not None and (
                    not touched_rules
                    or any(
                        comparable_id(code) == comparable_id(touched_rule)
                        for touched_rule in touched_rules
                    )
                ):
                    return f"under {cited_word}"
        return ""

    def cited(self, cited_word: str) -> str:
        """The id of the house rule that a word of the log means; else the word itself."""
        if cited_word not in self.touched_by_rule and (number := number_in_old_id(cited_word)):
            rules = self.adopted_rules.rules.values()
            return next(
                (rule.id for rule in rules if rule.adopting_step_number == number), str(cited_word)
            )
        return str(cited_word)

    def mark_outcome_unknown(self) -> None:
        """State that depends on the current entry is unknown in this scene, unless it is ``told`` later."""
        self.gaps.add(self.step.number, (), ("scene", "snapshot"), is_only_outcome_missing=True)

    def record_outcomes(self, step_numbers: Collection[int]) -> None:
        """Take the missing outcomes of these entries as known from now on."""
        self.gaps.remove_outcome_gaps(step_numbers)

    def _check_house_rule(self, house_rule_id: ScalarNode, house_rule: HouseRule) -> None:
        """Check the ids that a house rule of the campaign touches. If it holds always, it excuses breaches of them."""
        self.report_unknown_touches(house_rule_id, house_rule.touches, self.campaign.path)
        if not house_rule.always:
            return
        self.always_excused_by.update(
            (comparable_id(code), str(house_rule_id)) for code in house_rule.touches
        )
        if not house_rule.touches and not house_rule.computes:
            example_id = next((rule.id for rule in self.rulebook.registry().rules), BLANK)
            self.report(
                DiagnosticKind.UNREADABLE,
                "T52",
                f"the house rule '{house_rule_id}' holds always and names no rule that it touches",
                at=Place(
                    self.campaign.path,
                    house_rule_id.line,
                    house_rule_id.column,
                    house_rule_id.end_line,
                    house_rule_id.end_column,
                ),
                help=f"write the ids of the rules it bends:  touches: [{example_id}]",
            )

    def report_unknown_touches(
        self, house_rule_id: str, touches: Iterable[ScalarNode], path: str
    ) -> None:
        """Report ids that a house rule touches and that no rule of this game has (T52).

        Args:
            house_rule_id: the id of the house rule.
            touches: the ids as typed.
            path: the file that they are in.
        """
        registry = self.rulebook.registry()
        for rule_id in touches:
            is_known = registry.get(rule_id) is not None or registry.parts(rule_id)
            if not is_known and not _is_form_rule(rule_id.strip().upper()):
                example_id = next((rule.id for rule in registry.rules), BLANK)
                self.report(
                    DiagnosticKind.UNREADABLE,
                    "T52",
                    f"the house rule '{house_rule_id}' touches {rule_id}, which is no rule of this game",
                    at=place_of(rule_id, path),
                    help=f"write the id of a rule as the rule pages have it, for example {example_id}",
                )

    def _choose_readings(self) -> None:
        chosen_readings = self.campaign.settings.rulings or {}
        if not chosen_readings:
            return
        known_rulings = self.rulebook.registry().rulings
        for ruling_name, reading in chosen_readings.items():
            ruling = next(
                (
                    known_ruling
                    for known_ruling in known_rulings
                    if ruling_name == known_ruling.key
                    or comparable_id(ruling_name) == comparable_id(known_ruling.id)
                ),
                None,
            )
            name_place = Place(
                self.campaign.path,
                ruling_name.line,
                ruling_name.column,
                ruling_name.end_line,
                ruling_name.end_column,
            )
            if ruling is None:
                similar_keys = nearest_words(
                    ruling_name,
                    [known_ruling.key for known_ruling in known_rulings if known_ruling.key],
                )
                self.report(
                    DiagnosticKind.UNREADABLE,
                    "T51",
                    f"no ruling '{ruling_name}' in this game{ask_whether(ruling_name, similar_keys)}",
                    at=name_place,
                    fix=replace_with(similar_keys, is_told=True),
                )
            elif str(reading) not in ruling.readings:
                similar_readings = nearest_words(reading, list(ruling.readings))
                reading_place = place_of(reading, self.campaign.path)
                self.report(
                    DiagnosticKind.UNREADABLE,
                    "T51",
                    f"ruling '{ruling_name}' has no reading '{reading}'{ask_whether(reading, similar_readings)}",
                    at=name_place,
                    fix=replace_with(
                        similar_readings or ruling.readings,
                        reading_place,
                        is_told=bool(similar_readings),
                    ),
                    help="possible readings: " + ", ".join(ruling.readings)
                    if similar_readings
                    else (),
                )
            else:
                self.rulings.choose(ruling.key, str(reading))
