"""What a game says of itself before anything is played: its names, its words, its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chronicle.core.declare import Action
from chronicle.core.rules import Erratum, OptionalRule, Registry


class Game:
    """A game as a record names it. How it is played stands in its rulebook."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """Two or three sentences for somebody who has never heard of the game."""
    afresh: ClassVar[tuple[str, ...]] = ()
    """Verbs with which play starts afresh (a new scene), the smallest stretch of play first. Where a
    game names any, an entry that could not be read puts all in doubt until the next of them is over:
    what is found meanwhile is folded under it. An entry that would itself have opened such a stretch
    does so until one at least as large is opened."""
    accounts: ClassVar[Mapping[str, str]] = {}
    """Kinds of accounts in plain words (``wealth`` to ``Coins in the purse``), the usual purse first."""
    by_verb: Mapping[str, type[Action]]
    """Every verb of the game, those of all games among them."""
    defaults: Mapping[str, str]
    """The reading of every silent point by its key, where a campaign chooses none."""

    def registry(self) -> Registry:
        """All rules and rulings of the game. Imported on demand: checking never needs the prose."""
        raise NotImplementedError

    def errata(self) -> tuple[Erratum, ...]:
        """Where replaying the book's own text or examples gives another result."""
        return ()

    def optional_rules(self) -> tuple[OptionalRule, ...]:
        """What a group may adopt beyond the rules that always hold. Imported on demand."""
        return ()


class Readings(dict[str, str]):
    """The reading in force of every silent point, by its key: what the campaign chose, else the
    default. ``chosen`` are the keys for which it chose one."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.chosen: list[str] = []
        self._game = game

    def choose(self, key: str, reading: str) -> None:
        """Let a point be read so."""
        self[key] = reading
        self.chosen.append(key)

    def __missing__(self, key: str) -> str:
        return self._game.defaults[key]
