"""What the answers of :mod:`points` are made of, and the price list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from chronicle.core.diagnostic import plural
from chronicle.core.fix import Fix

PRICES: Mapping[str, int] = {
    "tenet": 1,
    "gimmick": 1,
    "end gimmick": 1,
    "fade": 1,
    "interrupt": 1,
    "take over": 1,
    "dialog": 1,
    "location": 1,
    "past": 1,
    "future": 1,
    "back in time": 1,
    "first date": 1,
    "time": 1,
    "introduce": 1,
    "create": 1,
    "exit": 1,
    "absent": 1,
    "event": 1,
    "fact": 1,
    "trait": 1,
    "remove": 1,
    "restore": 1,
    "separate": 1,
    "buy": 1,
    "role": 1,
    "originate": 0,
}
"""What the core rules ask for one of each (the future: per player paid)."""


CARD = "card"
"""What a Pool holds where cards take the place of dice."""


class DieRule(NamedTuple):
    """The dice or cards in use: the name of the die, its highest face, what a Success is in words, the rule that
    says so, how many of how many faces are one (None: not a matter of chance), and what is wrong with a
    higher face."""

    name: str
    sides: int
    words: str
    rule: str
    chance: tuple[int, int] | None = (1, 2)
    instead: str = ""

    def counted(self, number: int) -> str:
        """A number of them, in words."""
        return plural(number, CARD) if self.name == CARD else plural(number, "die", "dice")


class Answer(NamedTuple):
    """A yes or no with its reason: by which rule, why, and what to do instead."""

    yes: bool
    rule: str
    words: str = ""
    help: str = ""
    fixes: tuple[Fix, ...] = ()


Sides = tuple[list[str], list[str]]
"""Players of the Complication's Pools, and of the Target Pools."""


class Singly(NamedTuple):
    """The rule by which Target Pools roll one after the other (empty: all roll together), whether those
    that wait may still grow, and how their order is fixed (empty: the players choose)."""

    rule: str
    grow: bool = False
    order: str = ""


TOGETHER = "standard pool"
"""The method by which all Pools of a side count together, which is the core rule."""


class PoolMethodName(NamedTuple):
    """A way in which several Pools meet: its name and the rule that describes it."""

    name: str
    rule: str


class Verdict(NamedTuple):
    """How a throw was decided: players who won (none: a tie), and to whom the Edge goes if tied."""

    winners: tuple[str, ...]
    edge_to: tuple[str, ...]
    scores: tuple[int, int]
    sums: tuple[int, int]


class Bar(NamedTuple):
    """The obstacle to an act: the rule, what is wrong, what to write instead, the step
    that ``since`` speaks of, and the id of the Component it is about."""

    rule: str
    message: str
    step: int = 0
    since: str = ""
    help: str | tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    subject: str = ""
