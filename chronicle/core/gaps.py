"""Gaps in a record: what they make uncertain, from when to when.

State from before a gap may have changed in it, and entries within an open gap may depend on unrecorded
events. So every question has a date: state from entry 12 is unknown if a gap about it comes later, until the
players state it again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Reversible, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from chronicle.core.ledger import owner_of

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic
    from chronicle.core.ledger import Ledger
    from chronicle.core.timeline import StepNumber

EVERYTHING: Final = "everything"
UNCERTAIN_STATES: Final[Mapping[str, str]] = {
    "turns": "whose turn it is",
    "pools": "dice that lie ready, and whose they are",
    "purses": "what everybody has to spend",
    "tracks": "figures of people and of the story",
    "cast": "who is there, and who plays whom",
    EVERYTHING: "all of that, and whatever else was due",
}
"""The kinds of state that a gap may make uncertain."""


SOMEBODY: Final = "somebody"
"""The actor of an entry whose actor is not recorded, and the account that pays for it until a later count
shows the payer."""


def insert_somebody(text: str) -> str:
    """Insert *somebody* into a sentence where the name is missing because the actor is not recorded."""
    text = f"{SOMEBODY}{text}" if text.startswith(" ") else text
    text = f"{text}{SOMEBODY}" if text.endswith(" ") else text
    return text.replace(" 's ", f" {SOMEBODY}'s ")


def note_births(
    birth_step_numbers: dict[str, int], subject_ids: Reversible[str], step_number: int
) -> None:
    """Note the entry that made the newest of some subjects: those that have not been noted."""
    for subject_id in reversed(subject_ids):
        if subject_id in birth_step_numbers:
            break
        birth_step_numbers[subject_id] = step_number


class CountedState(Protocol):
    """The state of play, or a record: its ledger, its gaps, its counted figures."""

    @property
    def ledger(self) -> Ledger:
        """The balances."""

    @property
    def gaps(self) -> RecordGaps:
        """The gaps."""

    @property
    def unknown_until(self) -> dict[str, int]:
        """Figures that the players counted, each with the last entry where it was unknown."""


def is_upper_bound(state: CountedState, account: str, unit: str) -> bool:
    """Whether the balance of an account is only an upper bound: an unknown player paid, and this purse was
    not counted since. After a gap, or an unknown gain, it is no bound either: the purse may hold more."""
    unknown_payment_step_number = state.gaps.unknown_since.get(f"{SOMEBODY}:{unit}", 0)
    last_unknown_step_number = state.unknown_until.get(account, 0)
    return (
        state.ledger.balance(SOMEBODY, unit) < 0 < state.ledger.balance(account, unit)
        and unknown_payment_step_number > last_unknown_step_number
        and max(state.gaps.latest_step_number("purses"), state.gaps.unknown_since.get(account, 0))
        <= last_unknown_step_number
        and bool(owner_of(account))
    )


def upper_bounds(state: CountedState) -> frozenset[tuple[str, str]]:
    """All accounts, with units, whose balance is only an upper bound."""
    return frozenset(
        (account, unit)
        for account, unit, _ in state.ledger.balances()
        if is_upper_bound(state, account, unit)
    )


def balance_in_words(state: CountedState, account: str, unit: str) -> str:
    """The balance of an account in words: ``at most 12`` for an upper bound."""
    return at_most(state.ledger.balance(account, unit), is_upper_bound(state, account, unit))


def held_in_words(state: CountedState, account: str, unit: str) -> str:
    """The balance of a player's account in words, as :func:`balance_in_words`; ``not known`` if a gap or an
    unrecorded change came after the last count."""
    gaps = state.gaps
    unrecorded_changes = gaps.unrecorded_changes.get(account, {})
    last_count_step_number = max(gaps.count_step_numbers.get(account, ()), default=0)
    unknown_change_step_numbers = [
        number for number, can_only_lower in unrecorded_changes.items() if not can_only_lower
    ]
    if (
        max([gaps.latest_step_number("purses"), *unknown_change_step_numbers])
        > last_count_step_number
    ):
        return "not known"
    is_upper_limit = max(unrecorded_changes, default=0) > last_count_step_number or is_upper_bound(
        state, account, unit
    )
    return at_most(state.ledger.balance(account, unit), is_upper_limit)


def at_most(amount: int | str, is_upper_limit: bool) -> str:
    """An amount in words; ``at most`` if it is an upper bound."""
    return f"at most {amount}" if is_upper_limit else str(amount)


@dataclass(slots=True, eq=False)
class RecordGap:
    """A gap: the entry that reports it, the uncertain state, the verbs and ids that end it (empty: it ends
    at once), the entry that ended it, a diagnostic caused by it, and whether only the outcome of the entry
    is missing."""

    step_number: int
    concerns: frozenset[str]
    ending_words: frozenset[str] = frozenset()
    ending_step_number: int = 0
    diagnostic: Diagnostic | None = None
    is_only_outcome_missing: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return bool(self.ending_words) and not self.ending_step_number

    def is_about(self, state_kind: str) -> bool:
        """Whether it makes a kind of state (``purses``) uncertain."""
        return not self.concerns.isdisjoint({EVERYTHING, state_kind})


@dataclass(slots=True, eq=False)
class RecordGaps:
    """All gaps of a record so far."""

    all_gaps: list[RecordGap] = field(default_factory=list)
    unknown_since: dict[str, StepNumber] = field(default_factory=dict)
    """Single figures that are partly unknown, each with the entry since when."""
    unrecorded_changes: dict[str, dict[StepNumber, bool]] = field(default_factory=dict)
    """Single figures, each with all entries that changed it by an unrecorded amount, and whether each can only
    have lowered it."""
    count_step_numbers: dict[str, list[StepNumber]] = field(default_factory=dict)
    """Single figures, each with the entries where the players counted it."""

    def last_gap_about(self, state_kind: str, current_step_number: int) -> RecordGap | None:
        """The last gap that concerns a kind of state (``turns``), as seen from the current entry."""
        latest_gap: RecordGap | None = None
        for gap in self.all_gaps:
            if gap.is_about(state_kind) and (
                latest_gap is None
                or self.last_uncertain_step_number(gap, current_step_number)
                >= self.last_uncertain_step_number(latest_gap, current_step_number)
            ):
                latest_gap = gap
        return latest_gap

    @staticmethod
    def last_uncertain_step_number(gap: RecordGap, current_step_number: int) -> int:
        """State from before this entry is uncertain because of the gap."""
        return current_step_number + 1 if gap.is_open else gap.ending_step_number or gap.step_number

    def latest_step_number(self, state_kind: str = EVERYTHING) -> int:
        """The entry that reports the latest gap about something; 0 if there is none."""
        step_numbers = (gap.step_number for gap in self.all_gaps if gap.is_about(state_kind))
        return max(step_numbers, default=0)

    def last_unknown_step_number(self) -> int:
        """The last entry where something is unknown because of a gap that has ended; 0 if everything is
        known."""
        gap_end_step_numbers = (
            gap.ending_step_number or gap.step_number for gap in self.all_gaps if not gap.is_open
        )
        return max((*gap_end_step_numbers, *self.unknown_since.values()), default=0)

    def has_gap_before(self, current_step_number: int) -> bool:
        """Whether something is missing right before the current entry, apart from gaps that this entry ends."""
        return any(
            EVERYTHING in gap.concerns
            and gap.ending_step_number != current_step_number
            and self.last_uncertain_step_number(gap, current_step_number) >= current_step_number - 1
            for gap in self.all_gaps
        )

    def add(
        self,
        step_number: int,
        concerns: Sequence[str] = (),
        ending_words: Sequence[str] = (),
        *,
        is_only_outcome_missing: bool = False,
    ) -> None:
        """Start a gap; by default it concerns everything and ends immediately."""
        gap = RecordGap(
            step_number,
            frozenset(concerns or (EVERYTHING,)),
            frozenset(ending_words),
            is_only_outcome_missing=is_only_outcome_missing,
        )
        self.all_gaps.append(gap)

    def remove_outcome_gaps(self, step_numbers: Collection[int]) -> None:
        """The outcomes of these entries are known now; their other gaps stay."""
        self.all_gaps[:] = [
            gap
            for gap in self.all_gaps
            if not (gap.is_only_outcome_missing and gap.step_number in step_numbers)
        ]

    def end_gaps_waiting_for(self, step_number: int, verb_and_id: tuple[str, str]) -> None:
        """End the gaps that wait for this entry, given by its verb and its id."""
        for gap in self.all_gaps:
            if (
                gap.is_open
                and not gap.ending_words.isdisjoint(verb_and_id)
                and gap.step_number < step_number
            ):
                gap.ending_step_number = step_number
