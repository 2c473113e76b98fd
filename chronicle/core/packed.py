"""A value as it is now, kept small, to be made again as often as somebody wants.

It is a pickle. What never changes once it is there (entries, words, places, postings) is kept by reference.
"""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Generic, TypeVar

from chronicle.core.declare import Action, Part
from chronicle.core.game import Game
from chronicle.core.ledger import Posting
from chronicle.core.source import Entries, Items, Place, Word

T = TypeVar("T")

Way = Callable[[Any], tuple[Any, ...]]
"""How a thing is made again, as ``__reduce__`` says it."""


def kept(*what: Any) -> Any:
    """Stands in a pickle for something kept outside of it."""
    raise pickle.UnpicklingError("what is packed is read by what packed it alone")


class Writer(pickle.Pickler):
    """Writes a pickle, and gathers what stays outside of it in ``objects``."""

    def __init__(self) -> None:
        self._out = io.BytesIO()
        super().__init__(self._out, protocol=5)
        self.objects: list[Any] = []
        self._ways: dict[type, Way | None] = {}

    def pack(self, thing: Any, *, small: bool = True) -> bytes:
        """The pickle of a thing; nothing else can be packed after it. What is soon let go need not be
        ``small``: to make it so takes a third of the time."""
        self.dump(thing)
        # It knows all that it has written, and itself.
        self.clear_memo()
        self._ways.clear()
        made = self._out.getvalue()
        return zlib.compress(made, 1) if small else made

    def reducer_override(self, thing: Any) -> Any:
        kind = type(thing)
        if kind not in self._ways:
            self._ways[kind] = self.way(kind)
        way = self._ways[kind]
        return NotImplemented if way is None else way(thing)

    def way(self, kind: type) -> Way | None:
        """How things of a kind are made again; None: as they say themselves."""
        return self.constant if issubclass(kind, _CONSTANT) else None

    def constant(self, thing: Any) -> tuple[Any, ...]:
        """Keep a thing as it is."""
        self.objects.append(thing)
        return kept, ("constant", len(self.objects) - 1)


class Reader(pickle.Unpickler):
    """Reads what a :class:`Writer` has packed; ``fetch`` gives what was kept outside."""

    def __init__(self, packed: bytes, fetch: Callable[..., Any]) -> None:
        small = not packed.startswith(pickle.PROTO)
        super().__init__(io.BytesIO(zlib.decompress(packed) if small else packed))
        self._fetch = fetch

    def find_class(self, module: str, name: str) -> Any:
        return self._fetch if name == kept.__name__ else super().find_class(module, name)


class Packed(Generic[T]):
    """Something as it was when it was packed, whatever has become of it."""

    __slots__ = ("_objects", "_packed", "_seen")

    def __init__(self, thing: T) -> None:
        writer = Writer()
        self._packed = writer.pack(thing)
        self._objects = tuple(writer.objects)
        self._seen: T | None = None

    def again(self) -> T:
        """It once more: a copy of its own."""
        made: T = Reader(self._packed, lambda what, at: self._objects[at]).load()
        return made

    def look(self) -> T:
        """It once more, the same for all: to be looked at only."""
        if self._seen is None:
            self._seen = self.again()
        return self._seen

    def move(self, kept: Callable[[Iterable[Any]], Iterable[Any]]) -> None:
        """Let what is kept by reference be what it has become."""
        self._objects, self._seen = tuple(kept(self._objects)), None

    def like(self, other: Packed[T], alike: Callable[[Any, Any], bool]) -> bool:
        """Whether both hold the same; ``alike`` says it of what is kept by reference."""
        return (
            self._packed == other._packed
            and len(self._objects) == len(other._objects)
            and all(map(alike, self._objects, other._objects))
        )


_CONSTANT = (Action, Part, Game, Word, Entries, Items, Place, Posting, Enum, Packed)
"""What is never changed once it is there."""
