"""The description of a game, independent of play: its names, words and rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from chronicle.core.declare import Action
from chronicle.core.diagnostic import ask_whether, nearest_words
from chronicle.core.errors import Refused
from chronicle.core.rules import Erratum, OptionalRule, Registry

API_VERSION: Final = 1
"""The version of the game API (:mod:`chronicle.api`). It grows when a game has to be changed to go on working."""


class GameUnavailable(Refused):
    """The package of a game cannot be used. The message names the package and the cause, ``help`` the remedy."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class GameInfo:
    """A game as a record refers to it. Its rulebook defines how it is played."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """Two or three sentences for a reader who does not know the game."""
    least_players: ClassVar[int] = 1
    """How many players the game needs, without the facilitator."""
    most_players: ClassVar[int] = 0
    """The most players that the book allows, without the facilitator; 0 if it sets no limit."""
    stretch_verbs: ClassVar[tuple[str, ...]] = ()
    """Verbs that start a new stretch of play (a new scene), the smallest stretch first. If a game names any,
    an entry that could not be read makes the following state doubtful until the next such stretch has ended;
    problems found meanwhile are folded under it. If the unreadable entry would itself have started a
    stretch, the doubt ends when a stretch at least as large starts."""
    accounts: ClassVar[Mapping[str, str]] = {}
    """Kinds of accounts in plain words (``wealth`` to ``Coins in the purse``), the usual purse first."""
    supplies: ClassVar[frozenset[str]] = frozenset()
    """Kinds of accounts that units only come from or go to (a bank, a box of dice, spent tokens). Nobody counts
    them, so they are left out of the changes of an entry."""
    buttons: ClassVar[tuple[Mapping[str, str], ...]] = ()
    """The action buttons of the desk: for each phase of play at most 13 verbs with their labels, the most frequent
    verbs first. A phone shows the first seven."""
    questions: ClassVar[Mapping[str, str]] = {}
    """The questions of the desk: of a verb (``draw``), of one of its keys (``draw to``), and with a colon
    (``draw:``) of the person or thing named before it, which is ``{of}`` in the question. Two colons
    (``draw::``) stand for what is said of a name within that, if the question is another one there."""
    requests: ClassVar[tuple[str, ...]] = ()
    """The verbs of actions that a player may ask for out of turn. The page of a guest offers them."""
    by_verb: Mapping[str, type[Action]]
    """Every verb of the game, including the verbs of all games."""
    defaults: Mapping[str, str]
    """The default reading of every ruling, by its key."""

    def figure_key(self, figure: str) -> str:
        """The key of a figure in counts, doubts and gaps (:func:`chronicle.core.figure_names.figure_key`)."""
        raise NotImplementedError

    def state_of(self, figure: str) -> str:
        """The kind of state (``purses``) that a figure belongs to, by its key; empty if nobody counts it."""
        raise NotImplementedError

    def registry(self) -> Registry:
        """All rules and rulings of the game. Imported on demand: checking never needs the texts."""
        raise NotImplementedError

    def errata(self) -> tuple[Erratum, ...]:
        """Places where replaying the book's own text or examples gives another result."""
        return ()

    def optional_rules(self) -> tuple[OptionalRule, ...]:
        """Optional rules that a group may adopt. Imported on demand."""
        return ()


class Readings(dict[str, str]):
    """The reading in force of every ruling, by its key: the campaign's choice, else the default. ``chosen_keys``
    has the keys that the campaign chose."""

    def __init__(self, game: GameInfo) -> None:
        super().__init__()
        self.chosen_keys: list[str] = []
        self._game = game

    def choose(self, key: str, reading: str) -> None:
        """Choose the reading of a ruling."""
        self[key] = reading
        self.chosen_keys.append(key)

    def __missing__(self, key: str) -> str:
        if key not in self._game.defaults:
            raise LookupError(
                f"no ruling '{key}'{ask_whether(key, nearest_words(key, [*self._game.defaults]))}"
            )
        return self._game.defaults[key]
