"""What a table takes back never happened: which entries are struck, and by which.

A Challenge, a Judgment, an ``undo`` strikes an entry that has been played already. Play then goes on as
if that entry had not been there: the log is replayed without it. It keeps its place among the steps, so
that a reader sees what was said and taken back, but does nothing: no Coin moves, no turn ends, no die
falls. Taking every change back by its inverse would be faster, and forgets what nobody thought of.

What is found between the struck entry and the one that strikes it is told only if it was wrong at the
table, with the struck entry still standing, and is still wrong without it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Part


class Strike(NamedTuple):
    """One entry struck by another. Either may be nested in an entry of the log."""

    struck: Action
    by: Action
    entry: Action
    """The entry of the log that the struck one is, or lies in."""
    by_entry: Action


class Strikes:
    """What is known about the strikes of a log before it is replayed (again).

    Entries go by their identity: a log that was read again shares those that did not change.
    """

    def __init__(self, known: Iterable[Strike] = (), asked: Iterable[Action] = ()) -> None:
        self._known: dict[int, Strike] = {}
        self._by: dict[int, Action] = {}
        self._entries: set[int] = set()
        for one in known:
            self.add(one)
        self._asked = {id(one): one for one in asked}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Strikes) and self._told() == other._told()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Strikes, ([*self._known.values()], [*self._asked.values()])

    def __bool__(self) -> bool:
        return bool(self._known)

    def __iter__(self) -> Iterator[Strike]:
        return iter(self._known.values())

    def __contains__(self, action: Action) -> bool:
        return id(action) in self._known

    def _told(self) -> tuple[set[tuple[int, int]], set[int]]:
        return {(struck, id(one.by)) for struck, one in self._known.items()}, {*self._asked}

    def add(self, strike: Strike) -> None:
        """An entry is struck by another."""
        if id(strike.struck) in self._known:
            return
        self._known[id(strike.struck)] = strike
        self._by.setdefault(id(strike.by), strike.struck)
        self._entries |= {id(strike.entry), id(strike.by_entry)}

    def involve(self, entry: Action) -> bool:
        """Whether something in an entry of the log is struck, or strikes."""
        return id(entry) in self._entries

    def ask(self, struck: Action) -> None:
        """What an entry did at the table has to be known in the next replay."""
        self._asked[id(struck)] = struck

    def asked(self, struck: Action) -> bool:
        """Whether what an entry did has to be known."""
        return id(struck) in self._asked

    def target(self, by: Action) -> Action | None:
        """The entry that another is known to strike (the first, if it strikes several)."""
        return self._by.get(id(by))

    def entry(self, struck: Action) -> Action:
        """The entry of the log that a struck one is, or lies in."""
        return self._known[id(struck)].entry

    def asking(self) -> Strikes:
        """Nothing struck yet, and the same asked."""
        return Strikes((), self._asked.values())

    def without(self, *struck: Action) -> Strikes:
        """The same, with some entries standing; nothing is asked."""
        standing = {id(one) for one in struck}
        return Strikes(one for key, one in self._known.items() if key not in standing)

    def among(self, entries: Container[int]) -> Strikes:
        """What of it is about entries of a log that are still there (by their identities)."""
        kept = [one for one in self if id(one.entry) in entries and id(one.by_entry) in entries]
        struck = {id(one.struck) for one in kept}
        return Strikes(kept, (one for key, one in self._asked.items() if key in struck))

    def differing(self, other: Strikes) -> list[Action]:
        """The entries of the log of which the two say different things."""
        one, two = self._told(), other._told()
        about = {struck for struck, _ in one[0] ^ two[0]} | (one[1] ^ two[1])
        return [strike.entry for strike in (*self, *other) if id(strike.struck) in about]


def inside(action: Action) -> Iterator[Action]:
    """The entries inside an entry, in the order in which they are written."""
    todo: list[Any] = _values(action)
    while todo:
        value = todo.pop()
        if isinstance(value, Action):
            yield value
        elif isinstance(value, Part):
            todo += _values(value)
        elif isinstance(value, dict):
            todo += reversed([*value.values()])
        elif isinstance(value, list | tuple):
            todo += reversed(value)


def _values(one: Action | Part) -> list[Any]:
    return [value for name, value in reversed(vars(one).items()) if name != "source"]
