"""Classes that are nothing but their annotated names, made without waiting.

:mod:`dataclasses` has the same, and takes its time for it: it brings in :mod:`inspect` and the parser of
Python, compiles several functions a class, and asks for the signature of what it has made. What starts anew
after every line of a log, and has a hundred such classes, would wait for it longer than for the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar, cast, dataclass_transform

_C = TypeVar("_C")
_T = TypeVar("_T")
_IN_PLACE_OF_SLOTS: Final = ("__dict__", "__weakref__")


class _Filled:
    """With what a slot is filled where nothing is given."""

    __slots__ = ("asked", "factory")

    def __init__(self, factory: Callable[[], Any] | None, asked: bool) -> None:
        self.factory = factory
        self.asked = asked


def field(*, default_factory: Callable[[], _T] | None = None, init: bool = True) -> _T:
    """A slot that is filled with what ``default_factory`` makes; without ``init`` nothing else can be
    given, and without a factory it stays empty until the class fills it."""
    if init and default_factory is None:
        raise TypeError("what a slot is filled with where nothing is given has to be said")
    return cast("_T", _Filled(default_factory, init))


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def slotted(cls: type[_C]) -> type[_C]:
    """The class with its annotated names as slots, and an ``__init__`` that fills them.

    Two of a kind are equal where they are the same. Every annotated name is a field: ``ClassVar`` is not
    looked for, and ``super()`` without arguments does not work in it.
    """
    names: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        names |= vars(base).get("__filled__", {})
    body = {name: value for name, value in vars(cls).items() if name not in _IN_PLACE_OF_SLOTS}
    own = {name: body.pop(name, ...) for name in body.get("__annotations__", ())}
    body["__slots__"] = tuple(name for name in own if name not in names)
    body["__filled__"] = names = names | own

    def first(self: _C, *given: Any, **named: Any) -> None:
        # Compiled when one is made: of many classes none is, in a whole log.
        made.__init__ = init = _init(names)  # type: ignore[method-assign]
        init(self, *given, **named)

    body["__init__"] = first
    made: type[_C] = cast("Any", type(cls))(cls.__name__, cls.__bases__, body)
    return made


def _init(names: dict[str, Any]) -> Any:
    """What fills the slots with what is given, or with what is there by default."""
    takes, does = ["self"], ["pass"]
    known: dict[str, Any] = {"made__": object()}
    for name, value in names.items():
        if value is ...:
            takes.append(name)
            does.append(f"self.{name} = {name}")
        elif not isinstance(value, _Filled):
            known[f"{name}__"] = value
            takes.append(f"{name}={name}__")
            does.append(f"self.{name} = {name}")
        elif value.factory is not None:
            known[f"{name}__"] = value.factory
            if value.asked:
                takes.append(f"{name}=made__")
                does.append(f"self.{name} = {name}__() if {name} is made__ else {name}")
            else:
                does.append(f"self.{name} = {name}__()")
    exec(f"def __init__({', '.join(takes)}):\n " + "\n ".join(does), known)
    return known["__init__"]


def is_slotted(kind: type[Any]) -> bool:
    """Whether a class was made by :func:`slotted`, or of one that was."""
    return hasattr(kind, "__filled__")


def fields(one: Any) -> Iterable[str]:
    """The names of what something slotted (or its class) is made of, in order."""
    names: dict[str, Any] = one.__filled__
    return names


def replace(one: _T, **changes: Any) -> _T:
    """Something slotted once more, with some of what it is made of changed."""
    names: dict[str, Any] = cast("Any", one).__filled__
    kept = {
        name: getattr(one, name)
        for name, value in names.items()
        if not isinstance(value, _Filled) or value.asked
    }
    return type(one)(**kept | changes)
