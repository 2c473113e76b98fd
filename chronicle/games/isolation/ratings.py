"""How a Difficulty, unlabelled links and reasons are written."""

from __future__ import annotations

from typing import Any

from chronicle.core.diagnostic import ask_whether, nearest_words
from chronicle.core.field_types import (
    MANY_COUNTED,
    WHOLE,
    Context,
    Counted,
    FieldType,
    MapOf,
    label,
)
from chronicle.core.figures import is_figure
from chronicle.core.misread import Misread, shown
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.games.isolation.state import DIFFICULTIES, Rating, Tally


class _RatingKind(FieldType[Rating]):
    words = "a difficulty, easy to impossible, or its number of dice"
    example = "hard"
    choices = tuple(DIFFICULTIES)

    def read(self, value: Value, context: Context) -> Rating:
        if not isinstance(value, ScalarNode) or not value.strip():
            raise Misread(f", not {shown(value)}", value, expected=self.words)
        text = " ".join(value.split()).casefold()
        if is_figure(text) and len(text) < 4:
            return Rating("", int(text))
        head, _, tail = text.rpartition(" ")
        if head in DIFFICULTIES and is_figure(tail) and len(tail) < 4:
            return Rating(head, int(tail))
        if text in DIFFICULTIES:
            return Rating(text, DIFFICULTIES[text])
        similar = nearest_words(text, list(DIFFICULTIES))
        message = f", not {shown(value)}{ask_whether(text, similar)}"
        raise Misread(message, value, replacements=similar, is_told=True, expected=self.words)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"]}


class _TallyKind(FieldType[Tally]):
    words = "unlabelled links, +2 for two green, -1 for one red, or '1 green'"
    example = "+1"

    def read(self, value: Value, context: Context) -> Tally:
        if isinstance(value, ScalarNode):
            parts = value.replace(",", " ").split()
            if len(parts) == 1:
                number = WHOLE.read(value, context)
                return Tally(max(0, number), max(0, -number))
            counts = {"green": 0, "red": 0}
            if parts and len(parts) % 2 == 0:
                for count, colour in zip(parts[::2], parts[1::2], strict=True):
                    if not is_figure(count) or len(count) > 3 or colour not in counts:
                        break
                    counts[colour] += int(count)
                else:
                    return Tally(counts["green"], counts["red"])
        raise Misread(f", not {shown(value)}", value, expected=self.words)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"]}


RATING: FieldType[Rating] = _RatingKind()
TALLY: FieldType[Tally] = _TallyKind()


class MapToReasons(MapOf[Any, tuple[Counted, ...]]):
    """A mapping to labels or to reasons, which says whose is missing.

    Args:
        key: the kind of what a reason belongs to.
        missing: the message if there is none; ``{}`` is what it belongs to.
    """

    def __init__(self, key: FieldType[Any], missing: str) -> None:
        super().__init__(key, label(MANY_COUNTED))
        self.missing = missing

    def read(self, value: Value, context: Context) -> dict[Any, tuple[Counted, ...]]:
        """The reasons of each key."""
        for key, item in value.items() if isinstance(value, MappingNode) else ():
            for word in item if isinstance(item, SequenceNode) else (item,):
                if isinstance(word, ScalarNode) and not word.strip():
                    raise Misread(self.missing.format(key), word)
        return super().read(value, context)
