"""Compare values with the types that Chronicle declares for them, so that a wrong one is named where it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from inspect import isclass
from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Final,
    ForwardRef,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from chronicle.core import campaign_view, outcomes
from chronicle.core.campaign_view import Block, Inline
from chronicle.core.declare import Action
from chronicle.core.diagnostic import either
from chronicle.core.record import Record, Step

_CORE: Final = "chronicle.core."
_NOT_ENTERED: Final = (Record, Step, Action)
"""Types whose attributes Chronicle sets itself."""
_LATER: Final = {**vars(campaign_view), **vars(outcomes)}
"""Names that modules of the core import for their types alone."""
_LONGEST: Final = 60
"""The most characters of a value in a message."""
_WORDS: Final[Mapping[object, str]] = {
    str: "a text", int: "a whole number", float: "a number", bool: "True or False", NoneType: "None",
}  # fmt: skip


class Mismatch(NamedTuple):
    """A value that is of another type than it should be: ``panel[0].rows[1]``, the value, its type."""

    path: str
    value: object
    type: Any

    def __str__(self) -> str:
        return f"{self.path} is {shown(self.value)}; write {in_words(self.type)}"


def shown(value: object) -> str:
    """A value in a few words."""
    if isinstance(value, str):
        return f"the text '{value}'"
    words = repr(value)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."


def in_words(hint: Any) -> str:
    """A type in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _WORDS:
        return _WORDS[hint]
    if hint == Block:
        return "a block, such as api.Table(...)"
    if hint == Inline:
        return "a text, a number, or an api.Ref"
    if origin is Literal:
        return either([f"'{word}'" for word in arguments])
    if origin in (Union, UnionType):
        return either([in_words(part) for part in arguments])
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"({', '.join(map(in_words, arguments))})"
    if origin is not None and issubclass(origin, Mapping):
        return f"a mapping of {in_words(arguments[0])} to {in_words(arguments[1])}"
    if origin in (tuple, list, set, frozenset, Sequence):
        name = "tuple" if origin is Sequence else origin.__name__
        return f"a {name}, each part {in_words(arguments[0])}"
    name = getattr(hint, "__name__", str(hint))
    if isclass(hint) and issubclass(hint, Enum):
        return f"a member of api.{name}, such as api.{name}.{next(iter(hint)).name}"
    is_of_chronicle = getattr(hint, "__module__", "").startswith(_CORE)
    return f"api.{name}(...)" if is_of_chronicle else name


def mismatches(value: object, hint: Any, path: str) -> Iterator[Mismatch]:
    """Where a value is not of a type; nothing where the type cannot be compared at runtime. A list may stand for a
    tuple of any length, and the other way round."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is ClassVar:
        yield from mismatches(value, arguments[0], path)
    elif origin in (Union, UnionType):
        yield from _of_no_alternative(value, hint, path)
    elif origin is Literal:
        if value not in arguments:
            yield Mismatch(path, value, hint)
    elif origin is tuple and arguments[-1] is not Ellipsis:
        if not isinstance(value, tuple | list) or len(value) != len(arguments):
            yield Mismatch(path, value, hint)
        else:
            for number, (item, kind) in enumerate(zip(value, arguments, strict=True)):
                yield from mismatches(item, kind, f"{path}[{number}]")
    elif origin in (tuple, list, Sequence):
        if not isinstance(value, tuple | list) or hasattr(value, "_fields"):
            yield Mismatch(path, value, hint)
        else:
            for number, item in enumerate(value):
                yield from mismatches(item, arguments[0], f"{path}[{number}]")
    elif origin in (set, frozenset):
        if not isinstance(value, set | frozenset):
            yield Mismatch(path, value, hint)
    elif origin is Callable:
        if not callable(value):
            yield Mismatch(path, value, hint)
    elif isclass(origin) and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            yield Mismatch(path, value, hint)
        else:
            for key, item in value.items():
                yield from mismatches(key, arguments[0], f"{path}: the key {key!r}")
                yield from mismatches(item, arguments[1], f"{path}[{key!r}]")
    elif isclass(hint) and origin is None:
        yield from _of_no_class(value, hint, path)


def _of_no_alternative(value: object, hint: Any, path: str) -> Iterator[Mismatch]:
    inside: list[Mismatch] = []
    for alternative in get_args(hint):
        found = [*mismatches(value, alternative, path)]
        if not found:
            return
        if found[0].path != path:
            # The value is of that class: what is wrong inside it says more.
            inside = inside or found
    yield from inside or [Mismatch(path, value, hint)]


def _of_no_class(value: object, cls: type, path: str) -> Iterator[Mismatch]:
    if cls is float:
        cls_or_classes: Any = (int, float)
    elif getattr(cls, "_is_protocol", False) or cls is object:
        return
    else:
        cls_or_classes = cls
    if not isinstance(value, cls_or_classes):
        yield Mismatch(path, value, cls)
        return
    kind: Any = type(value)
    if kind.__module__.startswith(_CORE) and not isinstance(value, _NOT_ENTERED):
        for name, hint in attribute_types(kind).items():
            yield from mismatches(getattr(value, name), hint, f"{path}.{name}")


def attribute_types(cls: type) -> Mapping[str, Any]:
    """The attributes of a dataclass or a named tuple of Chronicle, each with its type."""
    names: Sequence[str] = getattr(cls, "_fields", ())
    if is_dataclass(cls):
        names = [field.name for field in fields(cls)]
    types = declared_types(cls)
    return {name: types[name] for name in names if name in types}


@cache
def declared_types(cls: Any) -> Mapping[str, Any]:
    """The attributes that classes of Chronicle declare with a type, the class itself and those it inherits from."""
    types: dict[str, Any] = {}
    for owner in cls.__mro__:
        if owner.__module__.startswith(_CORE):
            for name, annotation in vars(owner).get("__annotations__", {}).items():
                hint = evaluated(annotation, owner.__module__)
                if not isinstance(hint, TypeVar) and hint is not None:
                    types.setdefault(name, hint)
    return types


def result_type(owner: type, method: str) -> Any:
    """The type that a method of a class of Chronicle returns; None if it is not known."""
    function = getattr(vars(owner).get(method), "fget", None) or vars(owner).get(method)
    annotation = getattr(function, "__annotations__", {}).get("return")
    return evaluated(annotation, owner.__module__)


def evaluated(annotation: object, module: str) -> Any:
    """The type that an annotation stands for; None if it is not known."""
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, {**_LATER, **vars(sys.modules[module])})
    except (NameError, TypeError):
        return None
