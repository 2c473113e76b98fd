"""Something that fits where somebody is typing, as editors take it."""

from __future__ import annotations

from typing import Final, NamedTuple

from chronicle.desk.fit import BEGUN, ranked
from chronicle.desk.snippets import CARET, FACE, STOP

_PLAIN: Final = str.maketrans({FACE: "_", **dict.fromkeys(STOP)})


class Fits(NamedTuple):
    """Something that fits. ``insert`` takes the place of the last ``over`` characters before the caret, as it
    is: its further rows have their indentation. ``CARET`` is where the caret is afterwards. ``why`` it may
    not stand there now; empty where it may."""

    label: str
    insert: str
    over: int
    kind: str
    note: str = ""
    told: str = ""
    why: str = ""
    line: str = ""
    """The entry as it would stand with a name that ends a value, in YAML; else empty. What else it needs
    is filled in."""
    also: tuple[str, ...] = ()
    """Other words by which it is found."""
    met: int = BEGUN
    """How well what is typed meets it (:func:`chronicle.desk.fit.met`)."""

    @property
    def plain(self) -> tuple[str, str]:
        """What is inserted before and behind the caret where nobody goes from stop to stop: the words
        themselves, ``_`` for a die."""
        head, _, tail = self.insert.translate(_PLAIN).partition(CARET)
        return head, tail

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """What comes first, as at the desk."""
        return ranked({"met": self.met, "eligible": not self.why})
