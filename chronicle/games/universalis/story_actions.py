"""What entries about Traits and dice have in common: Traits on slips, faces of dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from chronicle.core.dice import D10, Faces
from chronicle.core.field_types import (
    NAME,
    UNRECORDED,
    Context,
    Counted,
    FieldType,
    MapOf,
    MapOr,
    OrUnrecorded,
    choice,
    in_role,
)
from chronicle.core.figures import is_figure
from chronicle.core.misread import Misread
from chronicle.core.play_field_types import faces as faces_of
from chronicle.core.schemas import Schema
from chronicle.core.source import ScalarNode, SequenceNode, Value
from chronicle.core.telling import Slip
from chronicle.games.universalis.actions import (
    Entry,
)
from chronicle.games.universalis.playing_cards import read_card

POOL = in_role("has a Pool", NAME)
D10_DIE = D10._replace(rule="U6.5")


class _Shown(FieldType[Faces]):
    """Faces of dice; where a word is a card (``5h``, ``K``) all of them are cards."""

    words = "faces as they fell, or cards as they were turned"
    dice = faces_of(D10_DIE)

    def read(self, value: Value, context: Context) -> Faces:
        words = list(value) if isinstance(value, SequenceNode) else str(value).split()
        texts = [str(word).strip() for word in words if isinstance(word, ScalarNode | str)]
        if len(texts) < len(words) or all(map(is_figure, texts)):
            return self.dice.read(value, context)
        cards = [read_card(text) for text in texts]
        if not any(cards):
            return self.dice.read(value, context)
        for text, card in zip(texts, cards, strict=True):
            if card is None:
                raise Misread(
                    f"'{text}' is no card", value, "write cards as 5h, 10s, Kd, A", D10_DIE.rule
                )
        return Faces(str(card) for card in cards)

    def schema(self) -> Schema:
        return self.dice.schema()


SHOWN: FieldType[Faces] = _Shown()


def dealt(traits: dict[ScalarNode, tuple[Counted, ...]], state: str = "") -> Iterable[Slip]:
    """Traits on slips, each after whose they are."""
    for owner, counted in traits.items():
        yield Slip(owner, state="name")
        yield from (Slip(trait.name, trait.count, state) for trait in counted)


ROLLED: FieldType[str | dict[ScalarNode, Faces | None]] = MapOr(
    MapOf(in_role("has a Pool", NAME), OrUnrecorded(SHOWN), "{player: [faces]}"),
    choice(UNRECORDED),
    words="{player: [faces]}, or unrecorded",
)


class OnSlips(Entry):
    """Traits that go onto a Component, or off it, on slips."""

    already_shown_kinds = frozenset({"gains trait"})
    written: ClassVar[str] = ""
    """What the slips of the Traits look like."""
    traits: dict[ScalarNode, tuple[Counted, ...]]

    def lead_in(self) -> str:
        return ". ".join(
            f"{owner}: {', '.join(trait.name for trait in counted)}"
            for owner, counted in self.traits.items()
        )

    def slips(self) -> Iterable[Slip]:
        return dealt(self.traits, self.written)
