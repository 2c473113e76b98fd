"""Open-ended dice: how a throw is typed, and which faces count.

Only even faces of green dice and odd faces of red dice count. A player can roll another die for a green 6, and
must do so for a red 1. Extra dice chain in the same way, and follow the first throw in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.dice import D6, Die, Faces, ShownDie
from chronicle.core.field_types import UNRECORDED, Context, FieldType, NameItem, is_unrecorded
from chronicle.core.misread import Misread, shown
from chronicle.core.play_field_types import faces_or_nearest
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.core.word_enum import WordEnum

_EVENS: Final = frozenset({2, 4, 6})
_ODDS: Final = frozenset({1, 3, 5})


class Colour(WordEnum):
    """The two inks of the relationship map, and of the dice."""

    GREEN = "green"
    RED = "red"

    @property
    def counts(self) -> frozenset[int]:
        """The faces that count by the book: even greens, odd reds."""
        return _EVENS if self is Colour.GREEN else _ODDS

    @property
    def chain(self) -> int:
        """The face that earns another die."""
        return 6 if self is Colour.GREEN else 1


GREEN, RED = Colour.GREEN, Colour.RED

GREEN_DIE: Die = D6._replace(chains=("6",))
RED_DIE: Die = D6._replace(chains=("1",))


class Rolled(NamedTuple):
    """Faces of one colour in the order they fell. ``first`` is the size of the first throw, where
    the writer set it apart by a space (``624136 52``), else None.
    """

    faces: tuple[int, ...] = ()
    first: int | None = None
    groups: tuple[int, ...] = ()
    """The sizes of groups of dice, if the writer put spaces between some."""
    counts: frozenset[int] | None = None
    """Which faces counted as these dice fell; None: those of the book."""
    hidden: bool = False
    """Whether the faces are unrecorded."""

    def unearned(self, base: int, colour: Colour) -> bool:
        """Whether a die after the first throw of ``base`` dice was earned by nothing before it, where
        the writer set the first throw apart."""
        ends = [sum(self.groups[: count + 1]) for count in range(len(self.groups))]
        if base not in ends:
            return False
        open_chains = self.faces[:base].count(colour.chain)
        for face in self.faces[base:]:
            open_chains -= 1
            if open_chains < 0:
                return True
            open_chains += face == colour.chain
        return False

    def counted(self, colour: Colour) -> int:
        """How many faces count: even greens or odd reds."""
        counts = self.counted_faces(colour)
        return sum(1 for face in self.faces if face in counts)

    def counted_faces(self, colour: Colour) -> frozenset[int]:
        """Which faces count."""
        return colour.counts if self.counts is None else self.counts

    def chains(self, colour: Colour) -> int:
        """How many faces earned another die."""
        return self.faces.count(colour.chain)

    def __str__(self) -> str:
        return UNRECORDED if self.hidden else " ".join(map(str, self.faces)) or "no dice"


class Throw(NamedTuple):
    """The throw of one person: greens and reds. None for a colour that is not in the log."""

    green: Rolled | None = None
    red: Rolled | None = None
    hidden: bool = False
    """Whether not all faces are recorded."""

    def written(self, colour: Colour) -> Rolled | None:
        """The faces of one colour; None if none were written."""
        return self.green if colour is GREEN else self.red

    def of(self, colour: Colour) -> Rolled:
        """The faces of one colour, none if none were written."""
        return self.written(colour) or Rolled()


class RolledKind(FieldType[Rolled]):
    """Faces of open-ended d6: a list, or run together with a space before the extra dice."""

    words = "faces of d6, as they fell, or unrecorded"

    def read(self, value: Value, context: Context) -> Rolled:
        """The faces; an empty list is a throw of no dice."""
        if is_unrecorded(value):
            return Rolled(hidden=True)
        if isinstance(value, SequenceNode) and not value:
            return Rolled()
        if isinstance(value, ScalarNode) and value.strip() in ("-", "none"):
            return Rolled()
        faces = faces_or_nearest(value, D6, context)
        first: int | None = None
        sizes: tuple[int, ...] = ()
        if isinstance(value, ScalarNode):
            groups = value.split()
            # '4 3 6' is three dice with spaces between them; '624136 52' has a space before the extra dice.
            if len(groups) > 1 and (len(groups) == 2 or len(groups[0]) > 1):
                first = len(groups[0])
                sizes = tuple(map(len, groups))
        return Rolled(Faces(faces).numbers, first, sizes)

    def schema(self) -> Schema:
        """Text, a number or a list, as the faces grammar allows."""
        return {"type": ["string", "integer", "array"], "items": {"type": ["string", "integer"]}}


ROLLED: FieldType[Rolled] = RolledKind()

THREAT = "GM"
"""The dice of the threat, which belong to no character."""
THREAT_WORDS = (THREAT.casefold(), "threat")
"""The words of a log for the threat."""


class ThrowsKind(FieldType[dict[ScalarNode, Throw]]):
    """Throws by person: ``{Ruth: {green: 4361, red: 53}, GM: 5331}``. Faces without a person are
    the GM's, faces without a colour are red (the GM and late Hostiles roll nothing else).
    """

    words = (
        "faces by person and colour, {Ruth: {green: 4361, red: 53}}, or the GM's faces; unrecorded"
    )

    def read(self, value: Value, context: Context) -> dict[ScalarNode, Throw]:
        """Person to throw."""
        if isinstance(value, MappingNode):
            return {key: self._throw(item, context) for key, item in value.items()}
        word = ScalarNode(THREAT, value.line, value.column, value.end_line, value.end_column)
        if is_unrecorded(value):
            return {word: Throw(hidden=True)}
        return {word: Throw(red=ROLLED.read(value, context))}

    def _throw(self, value: Value, context: Context) -> Throw:
        if is_unrecorded(value):
            return Throw(hidden=True)
        if not isinstance(value, MappingNode):
            return Throw(red=ROLLED.read(value, context))
        by_colour: dict[str, Rolled] = {}
        for key, item in value.items():
            if key not in ("green", "red"):
                raise Misread(f"dice are green or red, not {shown(key)}", key)
            by_colour[str(key)] = ROLLED.read(item, context)
        hidden = any(rolled.hidden for rolled in by_colour.values())
        return Throw(by_colour.get("green"), by_colour.get("red"), hidden)

    def has_names(self) -> bool:
        """The rollers are named."""
        return True

    def names_in(self, value: Any) -> Iterable[NameItem]:
        """The characters who roll. The dice of the GM belong to no character."""
        return [(word,) for word in value if word != THREAT] if isinstance(value, dict) else ()

    def schema(self) -> Schema:
        """A mapping by person, or bare faces."""
        throw = {
            "type": ["object", "string", "integer", "array"],
            "properties": {"green": ROLLED.schema(), "red": ROLLED.schema()},
            "additionalProperties": False,
        }
        return {"type": ["object", "string", "integer", "array"], "additionalProperties": throw}


THROWS: FieldType[dict[ScalarNode, Throw]] = ThrowsKind()


def shown_dice(throw: Throw, base: Mapping[Colour, int], *colours: Colour) -> tuple[ShownDie, ...]:
    """The dice of a throw for a card: which counted, and which came from a chain. Colours that are
    not named are shown as void: they were rolled but play no part in this reading.
    """
    dice: list[ShownDie] = []
    for colour in (GREEN, RED):
        rolled = throw.of(colour)
        start = base.get(colour, len(rolled.faces))
        counts, ink, used = rolled.counted_faces(colour), colour.value, colour in colours
        dice.extend(
            ShownDie(
                str(face),
                hit=used and face in counts,
                colour=ink,
                extra=index >= start,
                void=not used,
            )
            for index, face in enumerate(rolled.faces)
        )
    return tuple(dice)
