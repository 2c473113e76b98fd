"""Numbers of steps, told apart from all other numbers: where an entry is put in or taken out, what stands
below is numbered anew, not played again (:mod:`chronicle.core.rejoin`).

Whoever keeps the number of a step keeps the very number; what is worked out of one is a plain number, and
play does not go on across it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from chronicle.core.ledger import Posting


class Number(int):
    """The number of a step. There is only one of each (:func:`number`)."""

    __slots__ = ()


class _Numbers(list[Number]):
    """All that were asked for, and those below them."""

    def of(self, plain: int) -> Number:
        """The number of a step, from one that may be told apart from no other number."""
        while len(self) <= plain:
            self.append(Number(len(self)))
        return self[plain]


number = _Numbers().of


class Renumbered:
    """The numbers of steps after a change: down to ``above`` they are what they were, below ``below``
    ``more`` than that, and in between as ``pairs`` says."""

    kinds: ClassVar[frozenset[type]] = frozenset({Number, Posting})

    def __init__(self, above: int, below: int, more: int, pairs: Mapping[int, int]) -> None:
        self.above, self.below, self.more, self.pairs = above, below, more, pairs

    def step(self, old: int) -> Number:
        """The number of a step now; 0 if it is gone."""
        if old <= self.above:
            return number(old)
        return number(old + self.more if old > self.below else self.pairs.get(old, 0))

    def of(self, one: Any) -> Any:
        """A number of a step, or a posting that has one, as it is now."""
        return self.step(one) if type(one) is Number else one._replace(step=self.step(one.step))
