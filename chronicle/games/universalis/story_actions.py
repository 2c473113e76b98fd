"""What players of Universalis can write in a log, second half: Components, narration, Complications."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.dice import D10, Faces
from chronicle.core.field_types import (
    NAME,
    NAMES,
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
from chronicle.core.guards import Violation, guard
from chronicle.core.misread import Misread
from chronicle.core.play_field_types import faces as faces_of
from chronicle.core.schemas import Schema
from chronicle.core.source import ScalarNode, SequenceNode, Value
from chronicle.core.telling import Slip
from chronicle.games.universalis.actions import (
    COUNT_OF,
    ON_DICE,
    STATED,
    Entry,
)
from chronicle.games.universalis.divisions import ComplicationEntry, complication_of
from chronicle.games.universalis.moves import (
    MOST,
    by_chance,
    dice_in_play,
)
from chronicle.games.universalis.playing_cards import read_card
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Complication, Stage

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

# --- Components (chapter 4) -------------------------------------------------------------------------


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


# --- narration (chapter 5) ----------------------------------------------------------------------------


# --- Complications (chapter 6) -----------------------------------------------------------------------


class RollDice(ComplicationEntry):
    """Roll the Pools of a Complication, as the dice fell; Edge Dice come last (or under 'edge:')."""

    verb = "roll"
    synonyms = ("throw", "dice", "call dice", "call roll", "call")
    already_shown_kinds = frozenset({"bonus"})
    before_result = True
    decides = Decides("everybody")
    moment = ON_DICE
    example = "roll: {Dov: [1, 4, 5, 10], Ana: [2, 7, 8]}"
    faces = main(
        ROLLED,
        "{player: [faces]}, 0 for 10; cards as 5h, K, in the order they were laid; "
        "unrecorded, for one of them or for all",
    )
    edge = option(
        MapOf(POOL, OrUnrecorded(SHOWN)),
        "{player: faces of the Edge Dice}, if not among the others",
    )
    winner = option(
        STATED,
        "who won, or tie; checked, and taken as said where faces are unrecorded",
        computed=True,
    )
    successes = option(COUNT_OF, "{player: Successes}; checked, as winner is", computed=True)
    bonus = option(COUNT_OF, "{player: Bonus Coins}; checked, as winner is", computed=True)
    edge_to = option(
        in_role("stated", NAMES),
        "who got the Edge; checked, as winner is",
        default=(),
        computed=True,
    )
    shares = option(
        COUNT_OF, "{player: Successes allocated against that Pool}, by split allocation"
    )
    offered = Offered("U6.18", "roll the dice")

    def meant(self, play: Table) -> Complication | None:
        """The Complication whose dice fall, or the part of it whose Pools the roll names."""
        shown = self.faces if isinstance(self.faces, dict) else {}
        return complication_of(play, self, filter(None, map(play.look_up_player, shown)))

    @guard("U6.18")
    def waits_for_no_other(self, play: Table) -> Iterator[Violation]:
        """An add-on may say that another Complication is rolled first."""
        complication = self.meant(play)
        if complication is not None and complication.stage is not Stage.ROLLED:
            for add_on in play.state.add_ons:
                yield from add_on.bars_rolling(play, complication)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        """Dice as they may fall."""
        complication, points = play.state.current_complication(), play.state.points
        if (
            play.state.current_scene is None
            or complication is None
            or complication.stage not in (Stage.OPEN, Stage.CLOSED, Stage.TIED)
            or (complication.stage is Stage.OPEN and dice_in_play(play) is None)
            or complication.refused
            or not all(pool.side for pool in complication.pools.values())
        ):
            return
        pools = [*complication.pools.values()]
        if points.meets_singly(play, complication).rule:
            targets = complication.side("target")
            if not targets:
                return
            biggest = max(targets, key=lambda pool: pool.dice)
            pools = [*complication.side("complication"), biggest]
        rng = by_chance(play)
        yield from ({"roll": points.throw(play, pools, rng)} for _ in range(MOST))
