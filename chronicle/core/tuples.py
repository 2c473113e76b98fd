"""``NamedTuple`` as :mod:`typing` has it, made in a quarter of the time.

Every class of it in :mod:`typing` compiles each of its annotations, only to see that they are types, and what
makes one of it is compiled for each as well, though for all of one length it differs in names alone. That is what
type checkers are for; a command that starts ninety such classes waits for it.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    _ITS_OWN: Final = frozenset({"__annotations__", "__classcell__"})
    _SHARED: Final = ("_make", "_asdict", "__getnewargs__")
    """What does not know the names of its parts but by the class."""

    @cache
    def _of_length(length: int) -> type:
        """One such class of so many parts, to make others of."""
        return namedtuple(f"Of{length}", [f"part{at}" for at in range(length)])

    def _replaced(self, /, **changes):
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {[*changes]!r}")
        return made

    def _shown(self) -> str:
        return f"{type(self).__name__}({self._form.format(*self)})"

    class _Making(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            annotations = body.get("__annotations__", {})
            fields = tuple(annotations)
            defaults = {field: body.pop(field) for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"a part of {name} without a default follows one that has one")
            like = _of_length(len(fields))
            parts, new = vars(like), like.__new__
            code = new.__code__.replace(
                co_varnames=("_cls", *fields),
                co_name="__new__",
                co_qualname=f"{name}.__new__",
            )
            made = {
                **{shared: parts[shared] for shared in _SHARED},
                **{field: parts[part] for field, part in zip(fields, like._fields, strict=True)},
                "__doc__": f"{name}({', '.join(fields)})",
                "__slots__": (),
                "_fields": fields,
                "_field_defaults": defaults,
                "__match_args__": fields,
                "__new__": FunctionType(code, new.__globals__, "__new__", (*defaults.values(),)),
                "_replace": _replaced,
                "_form": ", ".join(f"{field}={{!r}}" for field in fields),
                "__repr__": _shown,
                "__annotations__": annotations,
            }
            made |= {key: value for key, value in body.items() if key not in _ITS_OWN}
            return type(name, (tuple,), made)

    class NamedTuple(metaclass=_Making):
        """A tuple whose parts have names: ``class Point(NamedTuple): x: int; y: int = 0``."""
