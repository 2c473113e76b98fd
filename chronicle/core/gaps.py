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

EVERYTHING: Final = "everything"
UNCERTAIN_STATE: Final[Mapping[str, str]] = {
    "turns": "whose turn it is",
    "pools": "dice that lie ready, and whose they are",
    "purses": "what everybody has to spend",
    "tracks": "figures of people and of the story",
    "cast": "who is there, and who Controls whom",
    EVERYTHING: "all of that, and whatever else was due",
}
"""The kinds of state that a gap may make uncertain."""


SOMEBODY: Final = "somebody"
"""The actor of an entry whose actor is not recorded, and the account that pays for it until a later count
shows the payer."""


def by_somebody(text: str) -> str:
    """Insert *somebody* into a sentence where the name is missing because the actor is not recorded."""
    text = f"{SOMEBODY}{text}" if text.startswith(" ") else text
    text = f"{text}{SOMEBODY}" if text.endswith(" ") else text
    return text.replace(" 's ", f" {SOMEBODY}'s ")


def note_births(born: dict[str, int], ids: Reversible[str], step: int) -> None:
    """Note the entry that made the newest of some subjects: those that have not been noted."""
    for id in reversed(ids):
        if id in born:
            break
        born[id] = step


class Counts(Protocol):
    """The state of play, or a record: its ledger, its gaps, its counted figures."""

    @property
    def ledger(self) -> Ledger:
        """The balances."""

    @property
    def gaps(self) -> RecordGaps:
        """The gaps."""

    @property
    def counted(self) -> dict[str, int]:
        """Figures that the players counted, each with the last entry where it was unknown."""


def is_bound(table: Counts, account: str, unit: str) -> bool:
    """Whether the balance of an account is only an upper bound: an unknown player paid, and this purse was
    not counted since. After a gap, or an unknown gain, it is no bound either: the purse may hold more."""
    paid = table.gaps.figures.get(f"{SOMEBODY}:{unit}", 0)
    counted = table.counted.get(account, 0)
    return (
        table.ledger.balance(SOMEBODY, unit) < 0 < table.ledger.balance(account, unit)
        and paid > counted
        and max(table.gaps.latest("purses"), table.gaps.figures.get(account, 0)) <= counted
        and bool(owner_of(account))
    )


def bounds(table: Counts) -> frozenset[tuple[str, str]]:
    """All accounts, with units, whose balance is only an upper bound."""
    return frozenset(
        (account, unit)
        for account, unit, _ in table.ledger.balances()
        if is_bound(table, account, unit)
    )


def holding(table: Counts, account: str, unit: str) -> str:
    """The balance of an account in words: ``at most 12`` for an upper bound."""
    return at_most(table.ledger.balance(account, unit), is_bound(table, account, unit))


def at_most(amount: int | str, bound: bool) -> str:
    """An amount in words; ``at most`` if it is an upper bound."""
    return f"at most {amount}" if bound else str(amount)


@dataclass(slots=True, eq=False)
class RecordGap:
    """A gap: the entry that reports it, the uncertain state, the verbs and ids that end it (empty: it ends
    at once), the entry that ended it, a diagnostic caused by it, and whether only the outcome of the entry
    is missing."""

    step: int
    concerns: frozenset[str]
    until: frozenset[str] = frozenset()
    ended: int = 0
    diagnostic: Diagnostic | None = None
    outcome: bool = False

    @property
    def open(self) -> bool:
        """Whether it has not ended."""
        return bool(self.until) and not self.ended


@dataclass(slots=True, eq=False)
class RecordGaps:
    """All gaps of a record so far."""

    recorded: list[RecordGap] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    """Single figures that are partly unknown, each with the entry since when."""

    def last_concerning(self, state: str, current: int) -> RecordGap | None:
        """The last gap that concerns a kind of state (``turns``); ``current`` is the number of the current entry."""
        best: RecordGap | None = None
        for gap in self.recorded:
            fits = EVERYTHING in gap.concerns or state in gap.concerns
            if fits and (best is None or self.reach(gap, current) >= self.reach(best, current)):
                best = gap
        return best

    @staticmethod
    def reach(gap: RecordGap, current: int) -> int:
        """State from before this entry is uncertain because of the gap."""
        return current + 1 if gap.open else gap.ended or gap.step

    def latest(self, state: str = EVERYTHING) -> int:
        """The entry that reports the latest gap about something; 0 if there is none."""
        steps = (
            gap.step for gap in self.recorded if not gap.concerns.isdisjoint({EVERYTHING, state})
        )
        return max(steps, default=0)

    def uncertain_since(self) -> int:
        """The last entry where something is unknown because of a gap that has ended; 0 if everything is
        known."""
        ends = (gap.ended or gap.step for gap in self.recorded if not gap.open)
        return max((*ends, *self.figures.values()), default=0)

    def is_missing_before(self, current: int) -> bool:
        """Whether something is missing right before the current entry, apart from gaps that this entry ends."""
        return any(
            EVERYTHING in gap.concerns
            and gap.ended != current
            and self.reach(gap, current) >= current - 1
            for gap in self.recorded
        )

    def open(
        self,
        step: int,
        concerns: Sequence[str] = (),
        until: Sequence[str] = (),
        *,
        outcome: bool = False,
    ) -> None:
        """Start a gap; by default it concerns everything and ends immediately."""
        gap = RecordGap(
            step, frozenset(concerns or (EVERYTHING,)), frozenset(until), outcome=outcome
        )
        self.recorded.append(gap)

    def close_outcomes(self, steps: Collection[int]) -> None:
        """The outcomes of these entries are known now; their other gaps stay."""
        self.recorded[:] = [gap for gap in self.recorded if not (gap.outcome and gap.step in steps)]

    def end_waiting(self, step: int, words: tuple[str, str]) -> None:
        """End the gaps that wait for this entry, given by its verb and its id."""
        for gap in self.recorded:
            if gap.open and not gap.until.isdisjoint(words) and gap.step < step:
                gap.ended = step
