"""``NamedTuple`` as :mod:`typing` has it, made in less than half the time.

Every class of it in :mod:`typing` compiles each of its annotations, only to see that they are types. That is
what type checkers are for; a command that starts eighty such classes waits for it.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    _ITS_OWN: Final = frozenset({"__module__", "__qualname__", "__annotations__", "__classcell__"})

    class _Making(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made.__annotations__ = fields
            for key, value in body.items():
                if key not in _ITS_OWN and key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Making):
        """A tuple whose parts have names: ``class Point(NamedTuple): x: int; y: int = 0``."""
