"""The answers of a game about possible entries, obligations and the state of play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from random import Random

V = TypeVar("V")

DiceKind = str
"""The colour or the die of a throw, as ``kind`` of an :class:`Obligation`."""
KeyPath = tuple[str, ...]
"""The verb or key, and the names under it, that lead to a value."""


class Offer(NamedTuple):
    """A value that fits a key now: ``("draw", "Patience", "tarred twice")`` is a Trait under the name of its
    Component, under the verb. ``note`` describes its effect in a few words. ``why`` is the reason if it is
    not allowed but likely to be searched."""

    path: KeyPath
    note: str = ""
    why: str = ""
    needs_value: bool = False
    """Whether it is a key that needs a value of its own: ``{character: Ines}``."""


class Move(NamedTuple):
    """A possible next action: for ``explain``, completion and random play.

    ``make_entry`` makes a concrete, legal entry (a mapping as typed) with a seeded random source; its first key
    is the verb. ``price`` is the cost for the actor, with its unit (None: it depends on the entry, or does
    not matter). Actions that are ``is_rare`` end something, so random play seldom uses them."""

    verb: str
    by: str
    hint: str
    rule: str
    make_entry: Callable[[Random], dict[str, Any]]
    price: tuple[int, str] | None = None
    is_rare: bool = False
    already_happened: bool = False
    """Whether it only states something that has happened by itself: it is allowed, but not offered."""
    agreed_words: str = ""
    """The words that were agreed on already; the players wait for them."""

    @classmethod
    def plain(
        cls, verb: str, by: str, hint: str, rule: str, value: Any, /, **further_keys: Any
    ) -> Move:
        """An option whose entry has the verb, its value, and further keys that are not None (``for_`` is
        ``for``). A value that varies is a function of the random source."""
        further_values_by_key = {
            key.rstrip("_").replace("_", " "): value_or_function
            for key, value_or_function in further_keys.items()
        }
        values_by_key = {verb: value, **further_values_by_key}

        def make_entry(rng: Random) -> dict[str, Any]:
            values_or_none_by_key = {
                key: value_or_function(rng) if callable(value_or_function) else value_or_function
                for key, value_or_function in values_by_key.items()
            }
            return {
                key: value_or_function
                for key, value_or_function in values_or_none_by_key.items()
                if value_or_function is not None or key == verb
            }

        return cls(verb, by, hint, rule, make_entry)


def one_of(values: Sequence[V]) -> Callable[[Random], V]:
    """One of these values, chosen by the random source: for :meth:`Move.plain`."""
    return lambda rng: rng.choice(values)


class Obligation(NamedTuple):
    """An open obligation, with the figures that the game will check.

    ``who`` is a character or a player (empty: the group), ``what`` describes it (``green dice``, ``an
    answer``). If it is counted, there are ``amount`` of a ``kind``: the colour or the die of a throw, or a
    unit of the ledger. ``sources`` say where they come from. ``verb`` settles it, ``rule`` asks for it."""

    who: str
    what: str
    verb: str
    rule: str
    amount: int = 0
    kind: str = ""
    sources: tuple[tuple[str, int], ...] = ()
    within: str = ""
    """The title of the contest, if several are possible."""

    def __str__(self) -> str:
        amount_and_noun = f"{self.amount} {self.what}" if self.amount else self.what
        obligation_text = f"{self.who}: {amount_and_noun}" if self.who else amount_and_noun
        return obligation_text + (f" ({self.why()})" if self.sources else "")

    def why(self) -> str:
        """The sources in words: ``links with Ruth 5, Stress 1``."""
        return ", ".join(f"{label} {count}" for label, count in self.sources)


class Standing(NamedTuple):
    """The position in play, for a page with one large line: what play waits for, further details, the
    surrounding parts from the outside in (a scene, a contest, its stage), the player on turn, and the verbs that play
    waits for, if the headline does not name them."""

    headline: str
    more: str = ""
    crumbs: tuple[str, ...] = ()
    turn: str = ""
    asks: tuple[str, ...] = ()


class Pad(NamedTuple):
    """The possible results of an obligation, for tapping in dice or cards. ``hits`` are the faces that count
    (empty if that depends on more than the face), ``chains`` those that earn another throw, ``colour`` is a
    word of the game, ``deed`` the action (rolls, plays, bids)."""

    faces: tuple[str, ...]
    hits: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    colour: str = ""
    deed: str = "rolls"


class Thrown(NamedTuple):
    """The results for one kind of obligation, in order; ``extra`` are earned ones."""

    who: str
    kind: DiceKind
    faces: tuple[str, ...]
    extra: tuple[str, ...] = ()


class Limits(NamedTuple):
    """The lowest and the highest possible value of a figure (None: no limit), and the rule for them (empty:
    the rule that last changed the figure)."""

    least: int | None = None
    most: int | None = None
    rule: str = ""

    def allows(self, number: int) -> bool:
        """Whether the figure can be this number."""
        is_too_low = self.least is not None and number < self.least
        return not is_too_low and (self.most is None or number <= self.most)
