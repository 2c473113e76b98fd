"""What a table takes back never happened: which entries are struck, and by which.

A Challenge, a Judgment, an ``undo`` strikes an entry that has been played already. Play then goes on as
if that entry had not been there: it goes back to where it stood before, and comes again without it. The
entry keeps its place among the steps, so that a reader sees what was said and taken back, but does
nothing: no Coin moves, no turn ends, no die falls. Taking every change back by its inverse forgets what
nobody thought of.

What is found between the struck entry and the one that strikes it is told only if it was wrong at the
table, with the struck entry still standing, and is still wrong without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Part
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.ledger import Posting
from chronicle.core.record import Step


class Struck(NamedTuple):
    """What was said when an entry was struck: which one by which, who or what did it by which rule.

    ``weighed``: what was done to strike it depended on what it had done. ``decided`` is what the game
    has to know of how it was decided, when that is done again without the struck entry.
    """

    struck: Action
    by: Action
    who: str
    rule: str
    weighed: bool = False
    decided: Any = None


@dataclass(slots=True, eq=False)
class Strike:
    """One entry struck by another, either of which may be nested in an entry of the log (``entry``,
    ``by_entry``), and how things were at the table, where both stood."""

    said: Struck
    entry: Action
    by_entry: Action
    wrong: frozenset[tuple[int, str]]
    """What was wrong from the struck entry on: the identity of an entry, and a rule."""
    verdict: tuple[Diagnostic, ...]
    """What was found about the one that struck it."""
    moved: tuple[Posting, ...]
    """What the struck entry, and all in it, had moved."""
    steps: dict[int, Step]
    """What they had done, by their identities."""
    heard: tuple[tuple[int, int, str, str], ...] = ()
    """Who was meant by the words of it (see :class:`~chronicle.core.names.Heard`)."""


class Strikes:
    """The strikes of a log, as far as they are known. Entries go by their identity: a log that was read
    again shares those that did not change."""

    def __init__(self, known: Iterable[Strike] = ()) -> None:
        self.known: dict[int, Strike] = {}
        """Each by the identity of what it strikes."""
        self._by: dict[int, list[Strike]] = {}
        self._at: dict[int, list[Strike]] = {}
        for one in known:
            self.add(one)

    def __iter__(self) -> Iterator[Strike]:
        return iter(self.known.values())

    def __contains__(self, action: Action) -> bool:
        return id(action) in self.known

    def add(self, strike: Strike) -> None:
        """An entry is struck by another."""
        self.known[id(strike.said.struck)] = strike
        self._by.setdefault(id(strike.said.by), []).append(strike)
        self._at.setdefault(id(strike.by_entry), []).append(strike)

    def of(self, struck: Action) -> Strike | None:
        """How an entry is known to be struck."""
        return self.known.get(id(struck))

    def by(self, action: Action) -> Strike | None:
        """What an entry is known to strike (first, if that is several)."""
        return next(iter(self._by.get(id(action), ())), None)

    def at(self, entry: Action) -> list[Strike]:
        """What an entry of the log, or something in it, is known to strike."""
        return self._at.get(id(entry), [])


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
