"""Reporting: what a handler, a guard or the engine says is wrong with an entry, and what it is folded under.

:class:`Reporter` holds what a report depends on: the entries replayed so far, the gaps of the record, what earlier
problems made doubtful, and the rules that the table has set aside.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TypedDict, Unpack

from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action, place_of_word
from chronicle.core.diagnostic import (
    Diagnostic,
    Fact,
    Finding,
    ask_whether,
    nearest_words,
    severity_of,
)
from chronicle.core.fix import Fix, located, mark_gap, replace_with
from chronicle.core.game import Game, Readings
from chronicle.core.gaps import SOMEBODY, RecordGap, RecordGaps, by_somebody
from chronicle.core.house_rules import House
from chronicle.core.ledger import owner_of
from chronicle.core.names import fold
from chronicle.core.record import Step
from chronicle.core.rules import comparable_id
from chronicle.core.source import Place, ScalarNode, place_of

_DEPENDS_ON_RECORD = frozenset({Finding.ILLEGAL, Finding.BOOKKEEPING, Finding.SUSPICIOUS})
"""Kinds of problems that are certain only if the record is complete."""

_OF_THE_OWNER = frozenset({"tracks", "pools"})
"""Kinds of state that begin with their owner: a gap before that cannot touch them. The control of a new person
depends on whose turn it is, so this kind is not included."""
_ONCE = r"(?:event|fact|fate|dialog|house-rule)-(\d{1,9})(?:-\d+)?"
NOBODY_ACTS = "T56"
"""The rule for an entry whose actor is missing."""


def once_numbered(word: str) -> int:
    """The step number in an id of the old form (``event-12``); 0 for other ids."""
    match = re.fullmatch(_ONCE, word)
    if match is None:
        return 0
    return int(match[1])


def _name_keys(name: str) -> list[str]:
    """The keys of doubts about a name: the whole name, its halves and its words."""
    parts = (name, *name.split("&"), *name.split()) if name else ()
    return [f"name:{fold(part)}" for part in parts]


def _is_form(code: str) -> bool:
    return code.startswith("T") and code[1:].isdigit()


class Refused(Exception):
    """A problem with an entry that is only tried (:attr:`Play.trying`): the rule and the message."""


class ReportOptions(TypedDict, total=False):
    """The optional arguments of :meth:`Play.report`."""

    at: Place | str | None
    label: str
    help: str | Sequence[str]
    fix: Fix | Sequence[Fix]
    facts: Sequence[Fact]
    after: Iterable[str]
    name: str
    since: int | None
    about: str
    lasting: bool
    subject: str


class Reporter:
    """What a report of a problem depends on, and how it is made. :class:`chronicle.core.play.Play` adds what a
    game reads and changes."""

    __slots__ = (
        "_allowed",
        "always",
        "born",
        "campaign",
        "counted",
        "current",
        "diagnostics",
        "doubt",
        "gaps",
        "house",
        "house_rules",
        "lost",
        "lost_at",
        "misnamed",
        "rulebook",
        "rulings",
        "step",
        "steps",
        "tainted",
        "trying",
    )

    def __init__(self, campaign: Campaign, rulebook: Game) -> None:
        self.campaign = campaign
        self.rulebook = rulebook
        self.rulings = Readings(rulebook)
        self.steps: list[Step] = []
        self.diagnostics: list[Diagnostic] = []
        self.house_rules: dict[str, tuple[str, ...]] = {}
        """Ids that ``under:`` may cite, each with the rule ids it touches (empty: any)."""
        self.house = House()
        """The same rules with their formulas and effects."""
        self.always: dict[str, str] = {}
        """For each rule id (normalised), the house rule that always excuses it."""
        self.gaps = RecordGaps()
        """The gaps in the record."""
        self.counted: dict[str, int] = {}
        """Figures that the players counted (``wealth:Ana``), each with the last entry for which it had been
        unknown, not with the counting entry: so that a repeated count changes nothing."""
        self.born: dict[str, int] = {}
        """For each id of a name, the entry that made its subject; 0 for those made before the first entry and
        by a ``snapshot:``, which does not tell everything about them."""
        self.tainted: dict[str, Diagnostic] = {}
        self.current: Step | None = None
        """The current entry; None before the first one."""
        self.step: Step
        """The same for handlers, which run only with a current entry (:meth:`work_on`)."""
        self._allowed: tuple[Action | None, dict[str, str]] = (None, {})
        """Cache: the ids that an entry allows by itself (normalised), with the reasons."""
        self.misnamed: Diagnostic | None = None
        """The last problem with an unknown name: the rest of its entry may look wrong because of it."""
        self.lost: list[Diagnostic] = []
        """The problems of unreadable entries so far."""
        self.doubt: Diagnostic | None = None
        """The unreadable entry that makes the whole present state uncertain; problems are folded under it. A
        game sets and clears it in ``before``."""
        self.lost_at: int = 0
        """The entry before which the last unreadable one was."""
        self.trying = False
        """Whether an entry is only tried: the first problem raises :class:`Refused`, and nothing is
        recorded."""

    def work_on(self, step: Step | None) -> Step | None:
        """Make another entry the current one. Returns the previous one."""
        previous, self.current = self.current, step
        if step is not None:
            self.step = step
        return previous

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
        finding: Finding = Finding.ILLEGAL,
        **options: Unpack[ReportOptions],
    ) -> bool:
        """Check a rule: report ``message`` under ``code`` unless ``condition`` holds. Returns the condition;
        the handler continues in both cases. If a figure in ``after`` is doubtful because of an earlier
        problem, the report is folded under that. Other options as in :meth:`report`."""
        if not condition:
            self.report(finding, code, message, **options)
        return condition

    def illegal(self, code: str, message: str, **options: Unpack[ReportOptions]) -> bool:
        """Report a violation of a rule. Returns False."""
        return self.require(False, code, message, **options)

    def unreadable(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that a part of the entry cannot be understood."""
        return self.report(Finding.UNREADABLE, code, message, **options)

    def unknown(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that the record does not say something."""
        return self.report(Finding.UNKNOWN, code, message, **options)

    def suspect(
        self, condition: bool, code: str, message: str, **options: Unpack[ReportOptions]
    ) -> bool:
        """Report something unusual that is not forbidden, if ``condition`` holds."""
        if condition:
            self.report(Finding.SUSPICIOUS, code, message, **options)
        return condition

    def report(
        self,
        finding: Finding,
        code: str,
        message: str,
        *,
        at: Place | str | None = None,
        label: str = "",
        help: str | Sequence[str] = (),
        fix: Fix | Sequence[Fix] = (),
        facts: Sequence[Fact] = (),
        after: Iterable[str] = (),
        name: str = "",
        since: int | None = None,
        about: str = "",
        lasting: bool = False,
        subject: str = "",
    ) -> Diagnostic:
        """Report a problem with the current entry (or with the campaign, outside of entries).

        Args:
            finding: the kind of problem.
            code: the rule.
            message: the message.
            at: a place, a word, or the key of a value in the entry; by default the verb.
            label: a few words beside the place.
            help: help in words, for what no fix can do.
            fix: ways to solve it; edits without a place are made in this entry, those of words at ``at``.
            facts: related locations.
            after: doubts that it may follow from.
            name: an unknown name; its consequences are folded under this problem.
            since: the entry that caused the condition (by default the last one of ``facts``).
            about: the kind of state it depends on: after a gap about that the condition is unknown.
            lasting: whether a gap cannot have changed the condition.
            subject: the id of the person or object it is about, for a check that reports once for each.

        Raises:
            Refused: while an entry is only tried.
        """
        if self.trying:
            raise Refused(code, message)
        step = self.current
        if isinstance(at, str):
            action = self.step.action
            at = place_of_word(action, at) if isinstance(at, ScalarNode) else action.place(at)
        place = at or (step.action.place() if step is not None else self.campaign.place())
        excused = self._excuse(code, finding) if step is not None else ""
        gap = None
        # Where the actor is not known, the game has put an empty name into its words.
        message = by_somebody(message)
        if excused:
            finding = Finding.EXCUSED
        elif finding is Finding.UNREADABLE and (self.is_actor_unrecorded or code == NOBODY_ACTS):
            # Who it was is just what the record does not say.
            open_gap = self.gaps.last_concerning("", len(self.steps))
            gap = open_gap if open_gap is not None and open_gap.open else None
            finding = Finding.UNKNOWN if self.is_actor_unrecorded else finding
        elif self.gaps.recorded and not lasting and finding in _DEPENDS_ON_RECORD:
            gap = self._gap_after(code, since, facts, about)
        if gap is not None:
            finding = Finding.UNKNOWN
            if all(fact.step != gap.step for fact in facts):
                facts = (*facts, self.because(gap.step, "the record does not say all here"))
        elif since is not None and not lasting and not excused:
            gap_fix = mark_gap()
            fix = (*((fix,) if isinstance(fix, Fix) else fix), gap_fix)
        game = "" if _is_form(code) else self.rulebook.name
        diagnostic = Diagnostic(
            code=code,
            finding=finding,
            severity=severity_of(finding, self.campaign.strictness),
            message=message,
            place=place,
            game=game,
            label=label,
            facts=tuple(facts),
            free_help=(help,) if isinstance(help, str) else tuple(help),
            fixes=located(
                (fix,) if isinstance(fix, Fix) else fix,
                place,
                step.action.whole if step is not None else place,
            ),
            excused=excused,
            step=step.index if step is not None else 0,
            subject=subject,
        )
        cause = self._cause_of(diagnostic, (*after, *_name_keys(name)))
        if gap is not None and cause is None:
            cause, gap.diagnostic = gap.diagnostic, gap.diagnostic or diagnostic
        is_unknown = cause is not None and cause.finding is Finding.UNKNOWN
        if cause is not None and is_unknown and finding is not Finding.UNREADABLE:
            # What the record does not say may well make this right.
            diagnostic.finding, diagnostic.severity = cause.finding, cause.severity
        if cause is not None and cause.severity >= diagnostic.severity:
            diagnostic.cause = cause
            cause.dependents.append(diagnostic)
        self.diagnostics.append(diagnostic)
        if step is not None:
            step.diagnostics.append(diagnostic)
        if name:
            self.misnamed = diagnostic
            self.tainted.setdefault(f"name:{fold(name)}", diagnostic)
        return diagnostic

    def _cause_of(self, diagnostic: Diagnostic, keys: Iterable[str]) -> Diagnostic | None:
        """The cause of a problem: an earlier one that made its subject doubtful."""
        for key in keys:
            cause = self.tainted.get(key)
            if cause is not None and cause is not diagnostic:
                return cause.cause or cause
        step = self.current
        if step is not None and step.action.problem is not None:
            return step.action.problem
        miss = self.misnamed if diagnostic.finding is not Finding.UNREADABLE else None
        if miss is not None and miss.step == diagnostic.step:
            return miss.cause or miss
        return self.doubt

    def _gap_after(
        self, code: str, cause: int | None, facts: Sequence[Fact], state: str
    ) -> RecordGap | None:
        """The gap that makes the condition of a problem unknown."""
        steps = [fact.step for fact in facts if fact.step]
        rests_on = cause if cause is not None else max(steps, default=None)
        gap = self.gaps.last_concerning(state, len(self.steps))
        if gap is None:
            return None
        if rests_on is None:
            # A problem with the form of an entry, or with the entry alone, does not depend on gaps.
            return gap if gap.open and not _is_form(code) else None
        return gap if self.gaps.reach(gap, len(self.steps)) > rests_on else None

    @property
    def gap(self) -> int:
        """The last entry where a gap about everything makes state uncertain; 0 without a gap."""
        return self.gap_since("") if self.gaps.recorded else 0

    def gap_since(self, state: str) -> int:
        """The last entry where a gap about this kind of state, or about everything, makes it uncertain; 0
        without a gap."""
        gap = self.gaps.last_concerning(state, len(self.steps)) if self.gaps.recorded else None
        return self.gaps.reach(gap, len(self.steps)) if gap is not None else 0

    def uncertain_since(self, figure: str, state: str) -> int:
        """The entry since which a figure (``wealth:Ana``) is uncertain; 0 if it is known: everything
        happened later, or the players have counted it since."""
        entry = max(self.gap_since(state), self.gaps.figures.get(figure, 0))
        return entry if entry > self.known_from(figure, state) else 0

    def known_from(self, figure: str, state: str) -> int:
        """The entry from which the log gives all of a figure: the last one for which it had been unknown when
        the players counted it, or the one that made its owner; 0 if it gives all from the start."""
        born = self.born.get(owner_of(figure), 0) if state in _OF_THE_OWNER else 0
        return max(self.counted.get(figure, 0), born)

    def why_uncertain(self, figure: str, state: str) -> tuple[str, int]:
        """Why a figure is uncertain, with ``{place}`` for the place of an entry, and that entry."""
        gap = self.gaps.last_concerning(state, len(self.steps))
        changed = self.gaps.figures.get(figure, 0)
        if gap is None or self.gaps.reach(gap, len(self.steps)) < changed:
            return "the entry at {place} changed it, and the log does not say by how much", changed
        if gap.outcome:
            return "the log does not say how the entry at {place} went", gap.step
        if gap.open:
            return "the gap at {place} has not ended yet", gap.step
        return "a gap at {place} lies between", gap.step

    def unrecorded(self, *figures: str) -> None:
        """Some figures changed in the current entry by unrecorded amounts: they are unknown until they are
        counted."""
        self.gaps.figures.update(dict.fromkeys(figures, self.step.index))

    def count(self, figure: str) -> None:
        """The players count a figure: earlier uncertainty about it ends."""
        entry = max(self.lost_at, self.gaps.uncertain_since())
        if entry > self.counted.get(figure, 0):
            self.counted[figure] = entry
        self.settle(figure)

    def taint(self, *keys: str) -> None:
        """Make figures doubtful because of the last problem of this entry, or of all before the first."""
        problems = self.diagnostics if self.current is None else self.current.diagnostics
        if problems:
            for key in keys:
                self.tainted.setdefault(key, problems[-1])

    def settle(self, *keys: str) -> None:
        """End the doubt about figures that were counted."""
        for key in keys:
            self.tainted.pop(key, None)

    def because(self, step: int, text: str) -> Fact:
        """A related location: an earlier entry."""
        return Fact(text, self.steps[step - 1].action.place(), step) if step else Fact(text)

    def place_of_entry(self, step: int) -> Place | None:
        """The place of an earlier entry; None for entry 0."""
        return self.steps[step - 1].action.whole if step else None

    def facts(self, step: int, text: str) -> list[Fact]:
        """The same as a list; empty for entry 0."""
        return [self.because(step, text)] if step else []

    def _blame_lost(self, word: str) -> None:
        """Attribute an unknown name to the unreadable entry that would have introduced it."""
        folded = fold(word)
        for finding in reversed(self.lost):
            if any(folded in fold(text) for text in finding.dropped[1:]):
                self.tainted.setdefault(f"name:{folded}", finding)
                return

    def _excuse(self, code: str, finding: Finding) -> str:
        action = self.step.action
        if action.allow:
            if self._allowed[0] is not action:
                reasons = {
                    comparable_id(id.rpartition(":")[2]): str(reason_given)
                    for id, reason_given in action.allow.items()
                }
                self._allowed = action, reasons
            reason = self._allowed[1].get(comparable_id(code))
            if reason is not None:
                return reason or "allowed"
        if finding not in _DEPENDS_ON_RECORD:
            return ""
        if self.always and (always := self.always.get(comparable_id(code))):
            return f"under {always}"
        if action.under:
            for word in action.under:
                touched = self.house_rules.get(self.cited(word))
                if touched is not None and (
                    not touched
                    or any(
                        comparable_id(code) == comparable_id(touched_rule)
                        for touched_rule in touched
                    )
                ):
                    return f"under {word}"
        return ""

    def cited(self, word: str) -> str:
        """The id of the house rule that a word of the log means; else the word itself."""
        if word not in self.house_rules and (number := once_numbered(word)):
            rules = self.house.rules.values()
            return next((rule.id for rule in rules if rule.step == number), str(word))
        return str(word)

    def miss(self) -> None:
        """State that depends on the current entry is unknown in this scene, unless it is ``told`` later."""
        self.gaps.open(self.step.index, (), ("scene", "snapshot"), outcome=True)

    def record_outcomes(self, steps: Collection[int]) -> None:
        """Take the missing outcomes of these entries as known from now on."""
        self.gaps.close_outcomes(steps)

    def _hold_always(self, id: ScalarNode, touches: Sequence[ScalarNode]) -> None:
        self.always.update((comparable_id(code), str(id)) for code in touches)
        if not touches:
            self.report(
                Finding.UNREADABLE,
                "T52",
                f"the house rule '{id}' holds always and names no rule that it touches",
                at=Place(self.campaign.path, id.line, id.column, id.end_line, id.end_column),
                help="write the ids of the rules it bends:  touches: [U3.14]",
            )

    def _take_rulings(self) -> None:
        chosen = self.campaign.settings.rulings or {}
        if not chosen:
            return
        points = self.rulebook.registry().rulings
        for word, value in chosen.items():
            point = next(
                (p for p in points if word == p.key or comparable_id(word) == comparable_id(p.id)),
                None,
            )
            word_place = Place(
                self.campaign.path, word.line, word.column, word.end_line, word.end_column
            )
            if point is None:
                similar = nearest_words(word, [p.key for p in points if p.key])
                self.report(
                    Finding.UNREADABLE,
                    "T51",
                    f"no ruling '{word}' in this game{ask_whether(word, similar)}",
                    at=word_place,
                    fix=replace_with(similar, is_told=True),
                )
            elif str(value) not in point.readings:
                similar = nearest_words(value, list(point.readings))
                place = place_of(value, self.campaign.path)
                self.report(
                    Finding.UNREADABLE,
                    "T51",
                    f"ruling '{word}' has no reading '{value}'{ask_whether(value, similar)}",
                    at=word_place,
                    fix=replace_with(similar or point.readings, place, is_told=bool(similar)),
                    help="possible readings: " + ", ".join(point.readings) if similar else (),
                )
            else:
                self.rulings.choose(point.key, str(value))
