"""The steps of a play, and how far up each entry has looked among them.

What comes after a changed entry need not be played again where the table is as it was and nobody looked
at what changed (:mod:`chronicle.core.rejoin`); so it is known who looked at what.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from chronicle.core.flat import Flat
from chronicle.core.numbers import Renumbered
from chronicle.core.record import Step
from chronicle.core.source import Place
from chronicle.core.tuples import NamedTuple

NOWHERE = sys.maxsize


class Looked(NamedTuple):
    """The entry at step ``by`` looked at an earlier one."""

    by: int
    at: int


class Sought(NamedTuple):
    """Words by which the entry at step ``by`` looked for an earlier one."""

    by: int
    words: str


class Texts:
    """What steps are about, by the words of it, as far down as they were read."""

    __slots__ = ("_at", "_whole", "asked", "told")

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Know of none: the steps are others from somewhere on."""
        self.asked = 0
        self.told: list[str] = []
        self._at: dict[str, list[int]] = {}
        self._whole: dict[str, list[int]] = {}

    def add(self, index: int, words: Sequence[str]) -> None:
        """Know of the next step what it is about."""
        text = f" {' '.join(words)} "
        self.told.append(text)
        self._whole.setdefault(text, []).append(index)
        for one in {*words}:
            self._at.setdefault(one, []).append(index)

    def saying(self, words: Sequence[str], most: int) -> list[int]:
        """The first steps that say just these words, else those that have them in this order."""
        text = f" {' '.join(words)} "
        rarest = min((self._at.get(one, []) for one in words), key=len, default=[])
        exactly = self._whole.get(text, []) if words else []
        return exactly[:most] or [*islice((at for at in rarest if text in self.told[at - 1]), most)]


class Steps(Flat[Step]):
    """A list of steps, numbered from 1 by their ``index``, that knows which were read."""

    __slots__ = ("done", "looked", "lowest", "pointed", "reached", "sought", "texts")

    def __init__(self) -> None:
        super().__init__()
        self.done = False
        """Whether the play is over: who reads them now counts no more."""
        self.lowest = NOWHERE
        """The number of the step down from which all were read since the last entry was over."""
        self.reached: Flat[int] = Flat()
        """The same for every entry of the log that is over, and for what comes when all of it is."""
        self.looked: Flat[Looked] = Flat()
        """Which single ones were read."""
        self.pointed: Flat[Looked] = Flat()
        """Of which ones it was told only where they stand."""
        self.sought: list[Sought] = []
        """What was looked for among the words of all of them."""
        self.texts = Texts()
        """For whoever looks for words in many."""

    def end(self) -> None:
        """All of the log is over."""
        self.reached.append(self.lowest)
        self.lowest = NOWHERE
        self.done = True

    def cut(self, steps: int, entries: int) -> Steps:
        """The first of them, as long as these entries of the log had been played."""
        made = Steps()
        made.extend(list.__getitem__(self, slice(steps)))
        made.reached += self.reached[:entries]
        made.looked += self.looked[: bisect_right(self.looked, steps, key=_by)]
        made.pointed += self.pointed[: bisect_right(self.pointed, steps, key=_by)]
        made.sought = self.sought[: bisect_right(self.sought, steps, key=_by)]
        return made

    def rejoin(self, known: Steps, steps: int, entries: int, renumbered: Renumbered) -> None:
        """Know of ``known`` what was read down to so many steps and entries."""
        if renumbered.more:
            step = renumbered.step
            self.reached[:] = [at if at == NOWHERE else step(at) for at in self.reached]
            for looks in (self.looked, self.pointed):
                looks[:] = [Looked(step(by), step(at)) for by, at in looks]
            self.sought[:] = [Sought(step(by), words) for by, words in self.sought]
            steps = step(steps)
        self.texts.begin()
        self.reached[:entries] = known.reached
        self.looked[: bisect_left(self.looked, steps, key=_by)] = known.looked
        self.pointed[: bisect_left(self.pointed, steps, key=_by)] = known.pointed
        self.sought[: bisect_left(self.sought, steps, key=_by)] = known.sought

    def seen(self, which: Collection[int], steps: int, entries: int) -> bool:
        """Whether some of them, given by their numbers, were read from so many steps and entries on."""
        # What is read between two entries is read by the last one.
        return min(self.reached[entries:], default=NOWHERE) <= max(which) or _among(
            self.looked, which, steps
        )

    def told(self, which: Collection[int], steps: int) -> bool:
        """Whether it was told from so many steps on where some of them stand."""
        return _among(self.pointed, which, steps)

    def known(self, index: int) -> Step:
        """A step by its number, for whoever is no entry of the log."""
        return super().__getitem__(index - 1)

    def place(self, index: int) -> Place:
        """Where the entry of a step stands, by its number; nothing else is read of it."""
        if not self.done:
            self.pointed.append(Looked(len(self), index))
        return self.known(index).action.place()

    def above(self) -> Iterator[Step]:
        """The steps above the last one, upwards from there."""
        for at in range(len(self) - 2, -1, -1):
            self.lowest = min(self.lowest, at + 1)
            yield super().__getitem__(at)

    def search(self, *words: str, since: int = 1) -> Iterator[Step]:
        """The steps above the last one, down from one, for somebody who looks for words in their texts.
        Whoever finds one and takes more of it than that has to read it."""
        self.sought += (Sought(len(self), one) for one in words)
        return map(partial(list.__getitem__, self), range(since - 1, len(self) - 1))

    if not TYPE_CHECKING:

        def __getitem__(self, at):
            if self.done:
                pass
            elif isinstance(at, slice):
                self.lowest = min(self.lowest, at.indices(len(self))[0] + 1)
            else:
                count = len(self)
                number = at + 1 if at >= 0 else count + at + 1
                if number < count:
                    self.looked.append(Looked(count, number))
            return list.__getitem__(self, at)

        def __iter__(self):
            self.lowest = 1
            return list.__iter__(self)

        def __reversed__(self):
            self.lowest = 1
            return list.__reversed__(self)


def _among(looks: Sequence[Looked], which: Collection[int], steps: int) -> bool:
    since = bisect_left(looks, steps, key=_by)
    return any(one.at in which for one in islice(looks, since, None))


def _by(one: Looked | Sought) -> int:
    return one.by
