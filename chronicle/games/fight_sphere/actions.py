"""What players of Fight Sphere can write in a log: one class a verb.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign import SEAT, Settings
from chronicle.core.declare import (
    Action,
    Decides,
    Part,
    PartOf,
    main,
    option,
    required,
)
from chronicle.core.dice import D6, Faces
from chronicle.core.kinds import (
    NAME,
    NAMES,
    TEXT,
    WHOLE,
    YES_NO,
    Context,
    Kind,
    MapOf,
    Misread,
    OneOrMany,
    OrUnrecorded,
    choice,
    in_role,
    shown,
    unrecorded,
)
from chronicle.core.play_kinds import CHANGE, PAIR, faces
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, Value
from chronicle.core.telling import Piece, TextRole, pieces
from chronicle.games.fight_sphere.phases import WHILE_PLAYED

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
        WHOLE, "dice of the Conflict Pool added to the roll; lost on failure", default=0
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
    pays = option(WHOLE, "pool dice paid for inhabitants; checked, never needed", checked=True)
    dice = option(WHOLE, "how many dice that makes; checked, never needed", checked=True)


class _Stakes(Kind[dict[ScalarNode, Stake]]):
    """A single stake, or several by Gladiator. The empty name means the Gladiator of the actor."""

    words = "a stake ({gamble: 2, use: Mina}), or a mapping from a Gladiator to a stake"

    def __init__(self) -> None:
        self.one = PartOf(Stake)
        self.many = MapOf(NAME, self.one)
        self.kinds = (self.one, self.many)

    def read(self, value: Value, context: Context) -> dict[ScalarNode, Stake]:
        if not isinstance(value, MappingNode):
            raise Misread(f", found {shown(value)}", value, expected=self.words)
        if not value or any(key in Stake.fields for key in value):
            return {ScalarNode(""): self.one.read(value, context)}
        return self.many.read(value, context)

    def schema(self) -> Schema:
        return {"type": "object"}


class _Bonds(Kind[dict[ScalarNode, int | None]]):
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


class _Throw(Kind[dict[ScalarNode, Faces | None]]):
    """Faces by owner; None for faces that are not written down."""

    words = "a mapping from a Gladiator, judge or the GM to faces, or 'unrecorded'"

    def __init__(self) -> None:
        self.faces = MapOf(NAME, OrUnrecorded(faces(D6)), self.words)

    def read(self, value: Value, context: Context) -> dict[ScalarNode, Faces | None]:
        if unrecorded(value):
            return {}
        return self.faces.read(value, context)

    def schema(self) -> Schema:
        return {"type": ["object", "string"], "additionalProperties": faces(D6).schema()}


THROW: Kind[dict[ScalarNode, Faces | None]] = _Throw()
STAKES: Kind[dict[ScalarNode, Stake]] = _Stakes()


class Staked(Action):
    """What every verb under which a roll is built tells of it: how inhabitants come into it."""

    stake: dict[ScalarNode, Stake] | None

    def told(self) -> Iterator[Piece]:
        yield from super().told()
        for stake in (self.stake or {}).values():
            yield from pieces(TextRole.SENTENCE, stake.because)


BONDS: Kind[dict[ScalarNode, int | None]] = _Bonds()
NUMBERS: Kind[dict[ScalarNode, int]] = MapOf(in_role("counted", NAME), WHOLE)
WORDS: Kind[dict[ScalarNode, ScalarNode]] = MapOf(in_role("told of", NAME), TEXT)


class Benefit(Part):
    """What a success brings a Gladiator, or a cut-scene an NPC Gladiator: one of the three."""

    pool = option(CHANGE, "'up 1': one more die in the Conflict Pool")
    relationship = option(
        BONDS,
        "a new Relationship with an inhabitant of the Scene; {Father Wick: 2} states its value, checked",
    )
    raise_ = option(BONDS, "one more point in an existing Relationship")


BENEFIT = PartOf(Benefit)


class OpenScene(Staked):
    """Frame your Gladiator into a Scene. It holds one Conflict and ends when that is resolved."""

    verb = "scene"
    decides = Decides("turn")
    moment = WHILE_PLAYED
    example = (
        "scene: The winch slips\n  npcs: [Mother Cable]\n"
        "  stake: {gamble: 2, background: crane driver}"
    )
    title = main(TEXT, "what it is about, as a title")
    at = option(TEXT, "the place, in any words; the Episode is known without it", is_place=True)
    time = option(TEXT, "a label for the time")
    npcs = option(in_role("there", NAMES), "the inhabitants who are there", default=())
    with_ = option(
        in_role("guest", NAMES), "Gladiators under a truce who share the Scene", default=()
    )
    told_by = option(
        in_role("frames", NAME), "who framed it, if not the player: the GM, or a player who judges"
    )
    asked = option(YES_NO, "no, if the player did not ask for it", default=True)
    disguise = option(choice("fails", "works"), "whether a Gladiator's disguise held (F46)")
    stake = option(STAKES, "what the roll is built from")


class Meet(Staked):
    """Frame your Gladiator into a Scene with other Gladiators: start an Encounter, or go on with it."""

    verb = "encounter"
    also = ("fight", "meet", "clash", "duel")
    decides = Decides("turn")
    moment = WHILE_PLAYED
    example = "encounter: [Tam, Osei]\n  stake: {Ruiz: {gamble: 2, use: Mina}, Tam: {gamble: 1}}"
    others = main(in_role("met", NAMES), "the Gladiators met, or 'continued'")
    at = option(TEXT, "the place, in any words; the Episode is known without it", is_place=True)
    time = option(TEXT, "a label for the time")
    npcs = option(in_role("there", NAMES), "the inhabitants who are there", default=())
    joins = option(
        in_role("met", NAMES),
        "further Gladiators who come into an Encounter that goes on",
        default=(),
    )
    told_by = option(in_role("frames", NAME), "who framed it, if not the player")
    disguise = option(choice("fails", "works"), "whether a Gladiator's disguise held (F46)")
    bonus = option(
        NUMBERS, "{Gladiator: dice} of the first meeting; checked, never needed", checked=True
    )
    stake = option(STAKES, "the stakes in the order they were built, the Initiative first")


class BuildRoll(Staked):
    """Build a roll: gamble, bring inhabitants in, lean on the back story."""

    verb = "stake"
    also = ("gamble", "build", "bet")
    decides = Decides("scene")
    example = "stake: {gamble: 2, use: Mina, background: night nurse}"
    stake = main(STAKES, "a stake, or {Gladiator: stake} in the order they were built")


class Roll(Action):
    """Roll the Conflict that was built. Only ones count."""

    verb = "roll"
    also = ("dice", "throw")
    slipped = frozenset({"success", "failure"})
    decides = Decides("scene")
    example = "roll: {Halina: [1, 4, 1], GM: [1, 2, 3, 3, 6]}"
    dice = main(
        THROW,
        "{who: faces}: Gladiators, the GM (as GM or by name) in ordinary Conflicts, players who judge; or "
        "'unrecorded', with what is known under result or ones",
    )
    ones = option(
        MapOf(in_role("rolls", NAME), WHOLE), "{who: ones}; checked, never needed", checked=True
    )
    result = option(
        choice("success", "failure", "tie"), "of an ordinary Conflict; checked", checked=True
    )
    pairs = option(
        MapOf(in_role("counted", PAIR), WHOLE),
        "{One & Other: Victories} of an Encounter; checked",
        checked=True,
    )
    disengaged = option(in_role("counted", NAMES), "who got away; checked", checked=True)

    @property
    def all_shown(self) -> bool:
        """Whether all dice that fell are written down."""
        return bool(self.dice) and None not in self.dice.values()
