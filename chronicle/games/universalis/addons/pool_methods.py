"""What the pool methods have in common (UA.35 to UA.40): they hold for one Complication at a time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.answers import PoolMethodName
from chronicle.games.universalis.points import RulePoints, Table
from chronicle.games.universalis.state import Complication, RollRound

KEYS = (
    "standard pool",
    "independent target pools",
    "split allocation",
    "individual pools",
    "all or none",
    "best effort",
)
"""What logs call the methods."""


def exclusive_reasons(key: str) -> Mapping[str, str]:
    """Why a method as the table's habit contradicts every other method."""
    reason = "the Pools of a Complication meet by one method"
    return MappingProxyType({other_key: reason for other_key in KEYS if other_key != key})


class PoolMethod(AddOn):
    """How the Pools meet where a side has several. Adopted without changes, it is the table's habit; for
    one Complication it is chosen with 'pool method:' (UA.34)."""

    changes: ClassVar[tuple[str, ...]] = ("U6.19",)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.excludes = exclusive_reasons(cls.key)

    def pool_method(self, play: Table, complication: Complication) -> PoolMethodName:
        """Its own name."""
        return PoolMethodName(self.title.casefold(), self.code)

    def complication_opened(self, play: Table, complication: Complication) -> None:
        """As the table's habit it holds from the beginning."""
        self.begin(play, complication)

    def begin(self, play: Table, complication: Complication) -> None:
        """It holds for this Complication from now on."""


def core_rules(layer: RulePoints) -> RulePoints:
    """The answers of the core rules, without any layer."""
    while layer.below is not None:
        layer = layer.below
    return layer


def least_or_most(
    play: Table, complication: Complication, roll: RollRound, pools: list[str], *, most: bool
) -> list[str]:
    """The single Pool with the best (or worst) result: Successes, then their sum, then clockwise from the
    Originator (S92)."""
    if len(pools) < 2:
        return pools

    def result(player: str) -> tuple[int, int]:
        return roll.successes.get(player, 0), roll.sums.get(player, 0)

    best = max(map(result, pools)) if most else min(map(result, pools))
    tied = [player for player in pools if result(player) == best]
    if len(tied) > 1:
        play.ruling("tied target pools")
    return [tied[0] if len(tied) == 1 else play.left_of(complication.originator, tied)]
