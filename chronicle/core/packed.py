"""A value as it is now, kept small, to be made again as often as somebody wants.

It is a pickle. What never changes once it is there (entries, words, places, postings) is kept by reference.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import zlib
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from itertools import repeat
from operator import attrgetter, methodcaller
from typing import Any, Generic, TypeVar

from chronicle.core.declare import Action, Part
from chronicle.core.game import Game
from chronicle.core.ledger import Posting
from chronicle.core.numbers import Number, Renumbered
from chronicle.core.slotted import fields, is_slotted
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
        # Asked once for each kind of thing: to be asked for each thing takes as long as all the rest.
        self.dispatch_table = _Ways(self.way)

    def pack(self, thing: Any, *, small: bool = True) -> bytes:
        """The pickle of a thing; nothing else can be packed after it. What is soon let go need not be
        ``small``: to make it so takes a third of the time."""
        self.dump(thing)
        # It knows all that it has written, and itself.
        self.clear_memo()
        del self.dispatch_table
        made = self._out.getvalue()
        return zlib.compress(made, 1) if small else made

    def way(self, kind: type) -> Way | None:
        """How things of a kind are made again; None: as they say themselves."""
        return self.constant if issubclass(kind, CONSTANT) else _plainly(kind)  # type: ignore[arg-type]

    def constant(self, thing: Any) -> tuple[Any, ...]:
        """Keep a thing as it is."""
        self.objects.append(thing)
        return kept, ("constant", len(self.objects) - 1)


class _Ways(dict[type, Way]):
    """The ways of all kinds of things, found as they are met."""

    def __init__(self, way: Callable[[type], Way | None]) -> None:
        super().__init__()
        self._way = way

    def __missing__(self, kind: type) -> Way:
        if issubclass(kind, type):
            # A class is packed by its name, whatever its own class is.
            raise KeyError(kind)
        way = self[kind] = self._way(kind) or _AS_IT_SAYS
        return way


_AS_IT_SAYS: Way = methodcaller("__reduce_ex__", 5)


_NEW: Any = vars(copyreg)["__newobj__"]


@cache
def _plainly(kind: type[Any]) -> Way | None:
    """A shorter way for classes that are nothing but their fields: the values alone, in order."""
    if not is_slotted(kind):
        return None
    names = tuple(fields(kind))
    said = ("__reduce_ex__", "__reduce__", "__getstate__")
    if (
        len(names) < 2
        or kind.__dictoffset__
        or hasattr(kind, "__setstate__")
        or any(getattr(kind, one) is not getattr(object, one) for one in said)
        or not all(one is object or is_slotted(one) for one in kind.__mro__)
    ):
        return None
    values = attrgetter(*names)

    def way(one: Any) -> tuple[Any, ...]:
        try:
            return _NEW, (kind,), (names, values(one)), None, None, _fill
        except AttributeError:
            # A field that is filled when it is first asked for.
            return _AS_IT_SAYS(one)

    return way


def _fill(one: Any, named: tuple[tuple[str, ...], tuple[Any, ...]]) -> None:
    # As fast as a loop gets.
    deque(map(setattr, repeat(one), *named), 0)


def is_small(packed: bytes) -> bool:
    """Whether something was packed to be kept long."""
    return not packed.startswith(pickle.PROTO)


class Reader(pickle.Unpickler):
    """Reads what a :class:`Writer` has packed; ``fetch`` gives what was kept outside."""

    def __init__(self, packed: bytes, fetch: Callable[..., Any]) -> None:
        super().__init__(io.BytesIO(zlib.decompress(packed) if is_small(packed) else packed))
        self._fetch = fetch

    def find_class(self, module: str, name: str) -> Any:
        return self._fetch if name == kept.__name__ else super().find_class(module, name)


class Packed(Generic[T]):
    """Something as it was when it was packed, whatever has become of it."""

    __slots__ = ("_objects", "_packed", "_seen")

    def __init__(self, thing: T, *, last: bool = False) -> None:
        """``last``: nobody changes it any more, so that it is packed only if somebody wants another."""
        self._packed = b""
        self._objects: tuple[Any, ...] = ()
        self._seen: T | None = thing if last else None
        if not last:
            self._pack(thing)

    def _pack(self, thing: T) -> None:
        writer = Writer()
        self._packed = writer.pack(thing)
        self._objects = tuple(writer.objects)

    def again(self) -> T:
        """It once more: a copy of its own."""
        if not self._packed and self._seen is not None:
            self._pack(self._seen)
        made: T = Reader(self._packed, lambda what, at: self._objects[at]).load()
        return made

    def look(self) -> T:
        """It once more, the same for all: to be looked at only."""
        if self._seen is None:
            self._seen = self.again()
        return self._seen

    def move(self, kept: Callable[[Iterable[Any]], Iterable[Any]]) -> None:
        """Let what is kept by reference be what it has become."""
        objects = tuple(kept(self._objects))
        if any(one is not other for one, other in zip(objects, self._objects, strict=True)):
            self._objects, self._seen = objects, None

    def renumber(self, renumbered: Renumbered) -> None:
        """Let steps be called by the numbers they have now."""
        if not self._packed and self._seen is not None:
            self._pack(self._seen)
        self._objects, self._seen = tuple(map(renumbered.of, self._objects)), None

    def like(self, other: Packed[T], alike: Callable[[Any, Any], bool]) -> bool:
        """Whether both hold the same; ``alike`` says it of what is kept by reference."""
        return (
            self._packed == other._packed
            and len(self._objects) == len(other._objects)
            and all(map(alike, self._objects, other._objects))
        )


CONSTANT = (
    *(Action, Part, Game, Word, Entries, Items, Place, Posting, Enum, Packed),
    Number,
)
"""What is never changed once it is there."""
