"""The settings of Fight Sphere, and the kinds of values that its keys take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chronicle.core.campaign import SEAT, Settings
from chronicle.core.declare import (
    Part,
    PartOf,
    option,
    required,
)
from chronicle.core.dice import D6, Faces
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    WHOLE,
    YES_NO,
    Context,
    FieldType,
    MapOf,
    NameList,
    OneOrMany,
    OrUnrecorded,
    in_role,
    is_unrecorded,
)
from chronicle.core.misread import Misread, shown
from chronicle.core.play_field_types import CHANGE, faces
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, Value

CONTINUED = "continued"
CORE = "core"


class FightSphereSettings(Settings):
    """``campaign.yaml`` of a game of Fight Sphere."""

    facilitator = "gm"

    gm = required(SEAT, "who runs the Sphere and its inhabitants")
    gladiators = option(WHOLE, "how many Gladiators each player makes, at least two", default=2)


class Stake(Part):
    """What one Gladiator builds a roll from."""

    gamble = option(
        OrUnrecorded(WHOLE),
        "dice of the Conflict Pool added to the roll; lost on failure",
        default=0,
    )
    use = option(NAMES, "related inhabitants brought in, one pool die each", default=())
    background = option(
        OneOrMany(TEXT), "the detail of the back story that matters here: one die", default=()
    )
    disengage = option(YES_NO, "yes, if this is an attempt to leave the Encounter", default=False)
    free = option(
        NAMES,
        "shared inhabitants that another Gladiator pays for; computed in Encounters",
        default=(),
    )
    because = option(TEXT, "how the inhabitants come into it, even as enemies")
    weapon = option(TEXT, "the weapon; it brings no die (F8)")
    pays = option(
        WHOLE,
        "pool dice paid for inhabitants; you need not write this, Chronicle checks it",
        computed=True,
    )
    dice = option(
        WHOLE,
        "how many dice that makes; you need not write this, Chronicle checks it",
        computed=True,
    )


class _Stakes(FieldType[dict[ScalarNode, Stake]]):
    """A single stake, or several by Gladiator. The empty name means the Gladiator of the actor."""

    words = "a stake ({gamble: 2, use: Mina}), or a mapping from a Gladiator to a stake"

    def __init__(self) -> None:
        self.one = PartOf(Stake)
        self.many = MapOf(in_role("builds", NAME), self.one)
        self.kinds = (self.one, self.many)

    def read(self, value: Value, context: Context) -> dict[ScalarNode, Stake]:
        if not isinstance(value, MappingNode):
            raise Misread(f", not {shown(value)}", value, expected=self.words)
        if not value or any(key in Stake.fields for key in value):
            return {ScalarNode(""): self.one.read(value, context)}
        return self.many.read(value, context)

    def name_lists(self, value: Any) -> Sequence[NameList]:
        return self.many.name_lists(value) if value and "" not in value else ()

    def schema(self) -> Schema:
        return {"type": "object"}


class _Bonds(FieldType[dict[ScalarNode, int | None]]):
    """Inhabitants, each with the value the Relationship then has, if the keeper wrote it down."""

    words = "an inhabitant, several, or {inhabitant: value}"

    def __init__(self) -> None:
        self.valued = MapOf(NAME, WHOLE)
        self.kinds = (NAMES, self.valued)

    def read(self, value: Value, context: Context) -> dict[ScalarNode, int | None]:
        if isinstance(value, MappingNode):
            return {**self.valued.read(value, context)}
        return dict.fromkeys(NAMES.read(value, context))

    def schema(self) -> Schema:
        return {"type": ["string", "array", "object"]}


class _Throw(FieldType[dict[ScalarNode, Faces | None]]):
    """Faces by owner; None for faces that are not written down."""

    words = "a mapping from a Gladiator, judge or the GM to faces, or 'unrecorded'"

    def __init__(self) -> None:
        self.faces = MapOf(in_role("rolls", NAME), OrUnrecorded(faces(D6)), self.words)

    def read(self, value: Value, context: Context) -> dict[ScalarNode, Faces | None]:
        if is_unrecorded(value):
            return {}
        return self.faces.read(value, context)

    def name_lists(self, value: Any) -> Sequence[NameList]:
        return self.faces.name_lists(value)

    def schema(self) -> Schema:
        return {"type": ["object", "string"], "additionalProperties": faces(D6).schema()}


THROW: FieldType[dict[ScalarNode, Faces | None]] = _Throw()
STAKES: FieldType[dict[ScalarNode, Stake]] = _Stakes()


BONDS: FieldType[dict[ScalarNode, int | None]] = _Bonds()
NUMBERS: FieldType[dict[ScalarNode, int]] = MapOf(in_role("counted", NAME), WHOLE)
WORDS: FieldType[dict[ScalarNode, ScalarNode]] = MapOf(in_role("told of", NAME), TEXT)


class Benefit(Part):
    """What a success brings a Gladiator, or a cut-scene an NPC Gladiator: one of the three."""

    pool = option(CHANGE, "'up 1': one more die in the Conflict Pool")
    relationship = option(
        BONDS,
        "a new Relationship with an inhabitant of the Scene; {Father Wick: 2} states its value, checked",
    )
    raise_ = option(BONDS, "one more point in an existing Relationship")


BENEFIT = PartOf(Benefit)
