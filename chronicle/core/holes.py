"""Holes in a record: what they make uncertain, since when, and what ends them.

Whatever was established before a hole may have changed in it, and what happens in an open one may rest on
what nobody wrote down. So every question is asked with its date: what was so at entry 12 is unknown if a
hole about such things lies after it, until the table counts or says it anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from chronicle.core.ledger import owner_of

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic
    from chronicle.core.ledger import Ledger

EVERYTHING: Final = "everything"
ABOUT: Final[Mapping[str, str]] = {
    "turns": "whose turn it is",
    "pools": "dice that lie ready, and whose they are",
    "purses": "what everybody has to spend",
    "tracks": "figures of people and of the story",
    "cast": "who is there, and who Controls whom",
    EVERYTHING: "all of that, and whatever else was due",
}
"""What a hole may make uncertain."""


SOMEBODY: Final = "somebody"
"""Whose act an entry is of which nobody wrote down whose: who speaks in it, and the account that paid for
it until a count tells whose purse it was."""


def by_somebody(text: str) -> str:
    """A sentence in which a name is missing, since nobody wrote down whose it was, told of somebody."""
    text = f"{SOMEBODY}{text}" if text.startswith(" ") else text
    text = f"{text}{SOMEBODY}" if text.endswith(" ") else text
    return text.replace(" 's ", f" {SOMEBODY}'s ")


class Counts(Protocol):
    """A table, or the record of one: what it holds, what it does not say, what was counted when."""

    @property
    def ledger(self) -> Ledger:
        """What every account holds."""

    @property
    def holes(self) -> Holes:
        """What the record does not say."""

    @property
    def counted(self) -> dict[str, int]:
        """Figures that were counted, to the last entry for which they had not been known."""


def is_bound(table: Counts, account: str, unit: str) -> bool:
    """Whether an account may hold less than was computed: somebody paid, nobody knows who, and it is a
    purse of somebody's that was not counted since."""
    paid = table.holes.figures.get(f"{SOMEBODY}:{unit}", 0)
    return (
        table.ledger.balance(SOMEBODY, unit) < 0 < table.ledger.balance(account, unit)
        and paid > table.counted.get(account, 0)
        and bool(owner_of(account))
    )


def bounds(table: Counts) -> frozenset[tuple[str, str]]:
    """All accounts, with their units, that may hold less than was computed."""
    return frozenset(
        (account, unit)
        for account, unit, _ in table.ledger.balances()
        if is_bound(table, account, unit)
    )


def holding(table: Counts, account: str, unit: str) -> str:
    """What an account holds, in words: ``at most 12`` where it may be less."""
    return at_most(table.ledger.balance(account, unit), is_bound(table, account, unit))


def at_most(amount: int | str, bound: bool) -> str:
    """An amount in words, ``bound`` if there may be less."""
    return f"at most {amount}" if bound else str(amount)


@dataclass(slots=True, eq=False)
class Hole:
    """One hole: the entry that tells of it, what it makes uncertain, the verbs and ids that end it (none:
    it is no longer than that entry), the entry that did, what was found because of it, and whether it is
    only how something went that nobody wrote down."""

    step: int
    about: frozenset[str]
    until: frozenset[str] = frozenset()
    ended: int = 0
    told: Diagnostic | None = None
    outcome: bool = False

    @property
    def open(self) -> bool:
        """Whether it goes on."""
        return bool(self.until) and not self.ended


@dataclass(slots=True, eq=False)
class Holes:
    """All holes of a record so far."""

    found: list[Hole] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    """Single figures of which the record does not say all, to the entry since which it does not."""

    def last(self, about: str, now: int) -> Hole | None:
        """The last hole about something; ``now`` is the entry at work."""
        best: Hole | None = None
        for hole in self.found:
            fits = EVERYTHING in hole.about or about in hole.about
            if fits and (best is None or self.reach(hole, now) >= self.reach(best, now)):
                best = hole
        return best

    @staticmethod
    def reach(hole: Hole, now: int) -> int:
        """Everything established before this entry is uncertain for the hole."""
        return now + 1 if hole.open else hole.ended or hole.step

    def latest(self, about: str = EVERYTHING) -> int:
        """The entry that tells of the latest hole about something; 0 if there is none."""
        steps = (hole.step for hole in self.found if not hole.about.isdisjoint({EVERYTHING, about}))
        return max(steps, default=0)

    def since(self) -> int:
        """The last entry for which something is unknown that is no longer going on; 0 if all is known."""
        over = (hole.ended or hole.step for hole in self.found if not hole.open)
        return max((*over, *self.figures.values()), default=0)

    def before(self, now: int) -> bool:
        """Whether right before the entry at work something is missing, other than what it ends itself."""
        return any(
            EVERYTHING in hole.about and hole.ended != now and self.reach(hole, now) >= now - 1
            for hole in self.found
        )

    def open(
        self,
        step: int,
        about: Sequence[str] = (),
        until: Sequence[str] = (),
        *,
        outcome: bool = False,
    ) -> None:
        """A hole begins; about everything, and over at once, if nothing else is said."""
        here = Hole(step, frozenset(about or (EVERYTHING,)), frozenset(until), outcome=outcome)
        self.found.append(here)

    def close_outcomes(self, steps: Collection[int]) -> None:
        """How it went at these entries is known now; what else they do not say stays unknown."""
        self.found[:] = [one for one in self.found if not (one.outcome and one.step in steps)]

    def meet(self, step: int, words: tuple[str, str]) -> None:
        """An entry, by its verb and its id, may end the holes that wait for it."""
        for hole in self.found:
            if hole.open and not hole.until.isdisjoint(words) and hole.step < step:
                hole.ended = step
