"""The one cache of builds: what was made, by the content of what it was made from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
Name = tuple[Hashable, ...]
"""The kind of a thing that is made, and which one of its kind it is."""


class BuildCache:
    """Keeps what builds make, each thing with its inputs. It is made again only where its inputs differ.

    Inputs are any values that can be compared. They are kept whole and not as hashes: a comparison ends at the
    first difference, and at once where both are the same object.
    """

    def __init__(self) -> None:
        self._entries: dict[Name, tuple[object, Any]] = {}

    def find(self, name: Name, inputs: object) -> Any:
        """Return what was made under a name of the same inputs; None if they were others."""
        entry = self._entries.get(name)
        return entry[1] if entry is not None and entry[0] == inputs else None

    def last(self, name: Name) -> Any:
        """Return what was made last under a name, of any inputs; None if nothing was."""
        entry = self._entries.get(name)
        return None if entry is None else entry[1]

    def keep(self, name: Name, inputs: object, value: T) -> T:
        """Keep a value in place of what was made under this name before, and return it."""
        self._entries[name] = inputs, value
        return value

    def make(self, name: Name, inputs: object, make: Callable[[], T]) -> T:
        """Return what was made of the same inputs, or make it now."""
        found: T | None = self.find(name, inputs)
        return self.keep(name, inputs, make()) if found is None else found

    def forget(self, *, but: str = "") -> None:
        """Forget everything, ``but`` one kind of things."""
        self._entries = {name: entry for name, entry in self._entries.items() if name[0] == but}
