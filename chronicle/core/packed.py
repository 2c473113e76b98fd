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
from copy import copy
from functools import cache
from itertools import repeat
from operator import attrgetter, methodcaller
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from chronicle.core.slotted import fields, is_slotted
from chronicle.core.twins import FIXED, NoTwin, back, twin

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


class Change(Protocol):
    """What becomes of everything at once that is kept outside of pickles: all of it has other numbers, or
    stands in other lines."""

    kinds: ClassVar[frozenset[type]]
    """Of what kinds of things it makes others."""

    def of(self, one: Any) -> Any:
        """A thing of these kinds, as it is now."""


class Outside:
    """What a pickle keeps by reference. What has become of it is only worked out when somebody asks."""

    __slots__ = ("_changes", "_kinds", "_objects", "_packed")

    def __init__(self, objects: Iterable[Any]) -> None:
        self._objects = tuple(objects)
        self._changes: tuple[Change, ...] = ()
        self._kinds = frozenset(map(type, self._objects))
        self._packed = (
            tuple(one for one in self._objects if type(one) is Packed)
            if Packed in self._kinds
            else ()
        )

    @property
    def objects(self) -> tuple[Any, ...]:
        """All that is kept, as it is now."""
        self._work_out()
        return self._objects

    def _work_out(self) -> None:
        if self._changes:
            kinds = frozenset[type]().union(*(one.kinds for one in self._changes))
            self._objects = tuple(
                self._now(one) if type(one) in kinds else one for one in self._objects
            )
            self._changes = ()

    def settle(self) -> None:
        """Work out all of it, when nobody waits: what is worked out late would come to be ever more."""
        self._work_out()
        for one in self._packed:
            one.settle()

    def _now(self, one: Any) -> Any:
        for change in self._changes:
            if type(one) in change.kinds:
                one = change.of(one)
        return one

    def after(self, change: Change) -> Outside:
        """The same, as it is after a change: itself, if nothing is another by it."""
        for one in self._packed:
            one.become(change)
        if self._kinds.isdisjoint(change.kinds):
            return self
        made = copy(self)
        made._changes = (*self._changes, change)
        return made


class Packed(Generic[T]):
    """Something as it was when it was packed, whatever has become of it.

    At first it is a twin (:mod:`chronicle.core.twins`), which is made fast and shares with others what is the
    same; it becomes a pickle, which is small and can be held against others, when somebody has time or has to.
    """

    __slots__ = ("_last", "_looked", "_outside", "_packed", "_seen")

    def __init__(self, thing: T, *, last: bool = False, before: Packed[T] | None = None) -> None:
        """``last``: nobody changes it any more, so that it serves as its own twin. ``before``: the same as
        it was earlier; what has not changed since is shared with it."""
        self._packed = b""
        self._outside = Outside(())
        self._seen: T | None = thing
        self._last: Change | None = None
        self._looked = last
        """Whether somebody looks at it, and may do so again."""
        if not last:
            try:
                self._seen = twin(thing, before._seen if before is not None else None)
            except NoTwin:
                self._pack()
                self._seen = None

    def _pack(self) -> None:
        """Have it as a pickle as well."""
        if not self._packed:
            writer = Writer()
            self._packed = writer.pack(self._seen)
            self._outside = Outside(writer.objects)

    def again(self) -> T:
        """It once more: a copy of its own."""
        if self._seen is not None:
            copy: T = twin(self._seen)
            return copy
        objects = self._outside.objects
        made: T = Reader(self._packed, lambda what, at: objects[at]).load()
        return made

    def instead(self, thing: T, now: Packed[T]) -> T:
        """It once more, in the place of something of which ``now`` was just made, and with which nobody
        goes on: what is the same in both is not made again."""
        if self._seen is None or now._seen is None:
            return self.again()
        made: T = back(self._seen, thing, now._seen)
        return made

    def look(self) -> T:
        """It once more, the same for all: to be looked at only."""
        if self._seen is None:
            self._seen = self.again()
        self._looked = True
        return self._seen

    def become(self, change: Change) -> None:
        """Let what is kept by reference be what it has become. Many keep the same: it becomes so once."""
        if change is self._last:
            return
        self._last = change
        self._pack()
        now = self._outside.after(change)
        if now is not self._outside:
            self._outside, self._seen = now, None

    def settle(self) -> None:
        """Pack it, and work out what has become of it, when nobody waits."""
        self._pack()
        if not self._looked:
            self._seen = None
        self._outside.settle()

    def like(self, other: Packed[T], alike: Callable[[Any, Any], bool]) -> bool:
        """Whether both hold the same; ``alike`` says it of what is kept by reference."""
        self._pack()
        other._pack()
        mine, others = self._outside.objects, other._outside.objects
        return (
            self._packed == other._packed
            and len(mine) == len(others)
            and all(map(alike, mine, others))
        )


CONSTANT = (*FIXED, Packed)
"""What is never changed once it is there."""
