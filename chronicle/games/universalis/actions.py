"""What entries of Universalis have in common: field types, phases of play, a new Component, what a Gimmick sets.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple

from chronicle.core.declare import (
    Action,
    Moment,
    Part,
    PartOf,
    Refusal,
    option,
)
from chronicle.core.diagnostic import DiagnosticKind, did_you_mean, nearest_words
from chronicle.core.field_types import (
    COUNTED,
    MANY_COUNTED,
    NAME,
    NAMES,
    UNRECORDED,
    WHOLE,
    YES_NO,
    Context,
    Counted,
    EitherOf,
    FieldType,
    MapOf,
    MapOr,
    NameItem,
    OneOrMany,
    OrUnrecorded,
    choice,
    in_role,
    is_unrecorded,
    label,
    whole,
)
from chronicle.core.fix import InsertEntry, make_fix, replace_with
from chronicle.core.guards import Violation, guard
from chronicle.core.house_rules import FORMULAS
from chronicle.core.misread import Misread, shown
from chronicle.core.names import fold
from chronicle.core.schemas import Schema
from chronicle.core.schemas import merge_schemas as merged
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.core.telling import Slip
from chronicle.games.universalis.playing_cards import Card, read_card
from chronicle.games.universalis.points import Table

COUNT = whole(0)
AMOUNT: FieldType[int | None] = OrUnrecorded(whole(1))
"""How many; unrecorded where nobody wrote it down."""
COUNT_OR_PLAYERS = "a number or a list of names"
_VOTERS = in_role("votes", NAMES)
THUMBS = EitherOf(COUNT, _VOTERS, words=COUNT_OR_PLAYERS)
THUMBS_OR_UNRECORDED = EitherOf(
    COUNT, choice(UNRECORDED), _VOTERS, words=f"{COUNT_OR_PLAYERS}, or unrecorded"
)
STATED = in_role("stated", NAME)
PARTAKING = in_role("takes part", NAMES)
ONE_ALTERED = in_role("altered", NAME)
NAMED = in_role("named", NAME)
AGREEING = in_role("consents", NAMES)
GETS_COINS = in_role("gets Coins", NAME)
ALTERED = in_role("altered", NAMES)
ALL_NAMED = in_role("named", NAMES)
CONSENT = EitherOf(COUNT, AGREEING, words=COUNT_OR_PLAYERS)
AGREED = option(AGREEING, "players who agree that what is theirs alone is brought in", default=())
COUNT_OF = MapOf(STATED, COUNT)
ID = label(NAME)
"""The id of an entry, or the title of a scene: no player's name."""
FADE = "fade to black"
"""How a scene ends, where nothing more is said."""

PREPARING, START, BETWEEN, TURN, SCENE, OUTCOME = (
    "preparing",
    "start",
    "between",
    "turn",
    "scene",
    "outcome",
)
"""Phases of play; the law of the game says what they are, and speaks for all verbs that are not allowed in it."""
_HELD = Refusal("U3.1")


def during(*phases: str, **instead: Refusal) -> Moment:
    """A moment in which a verb is allowed; ``instead`` of what a phase says to all verbs, by its name."""
    return Moment(phases, _HELD, instead)


def on_a_turn(rule: str, *phases: str, doubts: tuple[str, ...] = ()) -> Moment:
    """Verbs that need a turn but no Component in the scene. Between scenes no player has a turn."""
    refusal = Refusal(
        rule,
        "'{verb}' belongs to a player's own turn, and between scenes no player has a turn",
        fixes=(make_fix(InsertEntry("{bid}"), is_open=True),),
        after=("scene",),
        doubts=doubts,
    )
    return during(*phases, START, TURN, SCENE, OUTCOME, between=refusal)


IN_SCENE = during(SCENE, OUTCOME)
IN_SCENE_ONLY = during(SCENE)
BUILDS = during(PREPARING, SCENE, OUTCOME)
"""What Components are made of, in preparation as well."""
ON_A_TURN = on_a_turn("U3.57", PREPARING)
NOT_PREPARING = during(START, BETWEEN, TURN, SCENE, OUTCOME)
OUTSIDE_OUTCOMES = during(PREPARING, START, BETWEEN, TURN, SCENE)
ON_DICE = during(START, BETWEEN, TURN, SCENE)
"""Verbs about Complications: whether one is open is said by what it does."""
_NO_TURNS = Refusal(
    "U3.1",
    "there are no turns between scenes",
    fixes=(make_fix(InsertEntry("{bid}"), is_open=True),),
)
NO_TURN = Refusal(
    "U3.17",
    "there is no turn to Interrupt between scenes",
    fixes=(make_fix(InsertEntry("{bid}"), is_open=True),),
)
TURNS = Moment((SCENE, TURN), _HELD, {START: _NO_TURNS, BETWEEN: _NO_TURNS}, void=True)


class Marked(Counted):
    """A Trait with a permanent name of its own."""

    id: ScalarNode


class _Trait(FieldType[Counted]):
    """A Trait, with how many copies of it."""

    words = COUNTED.words + ", or {trait, id}"

    def read(self, value: Value, context: Context) -> Counted:
        if not isinstance(value, MappingNode):
            return COUNTED.read(value, context)
        if {*value} != {"trait", "id"}:
            raise Misread(
                f", not {shown(value)}",
                value,
                "to give a Trait a permanent name, write  {trait: sure-footed x2, id: ines-feet}",
                expected=self.words,
            )
        counted = Marked(*COUNTED.read(value[ScalarNode("trait")], context))
        counted.id = NAME.read(value[ScalarNode("id")], context)
        return counted

    def schema(self) -> Schema:
        return merged(
            COUNTED.schema(),
            {
                "type": "object",
                "properties": {"trait": COUNTED.schema(), "id": NAME.schema()},
                "additionalProperties": False,
                "required": ["trait", "id"],
            },
        )

    def has_names(self) -> bool:
        return True

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return COUNTED.names_in(value)


TRAIT: FieldType[Counted] = _Trait()
TRAITS = OneOrMany(TRAIT, "a Trait or a list of them, x2 for two of one, {trait, id} to name one")


class NewComponent(Part):
    """A Component with its first Traits, as ``introduce`` and ``create`` take it."""

    exclusive_keys = ("character", "place", "prop", "master", "new", "existing")

    character = option(
        label(COUNTED), "a character, by its Role: what it is or does (ferry pilot), not its name"
    )
    place = option(label(COUNTED), "a place, by its Role: what it is (salt mill), not its name")
    prop = option(
        label(COUNTED),
        "a prop, by its Role: what it is (brass key); anything that is neither a character nor a place",
    )
    master = option(label(COUNTED), "a Master, by its Role: the template of a whole class")
    traits = option(
        label(TRAITS),
        "further Traits, x2 for two of one; ... where not all are written",
        default=(),
    )
    name = option(label(NAME), "its proper name, bought as a Trait")
    as_ = option(label(NAME), "what the table calls it, free of charge")
    group = option(label(TRAITS), "Group Traits: a number or unit", default=())
    wounds = option(label(TRAITS), "Wound Traits", default=())
    sub = option(
        in_role("master", NAMES),
        "the Master (or Masters) whose class it belongs to; its Role comes from there, so this "
        "can be the first key: {sub: nephew, as: the Nephews, group: Nephews x3}",
        default=(),
    )
    role = option(label(MANY_COUNTED), "its Role, where the first key does not say it", default=())
    new = option(label(COUNTED), "a place, by its Role (after 'at:' and 'location:')")
    existing = option(NAMED, "the name of something that exists already")
    kind = option(choice("character", "place", "prop"), "what a Sub or Master is, if no character")
    owner = option(ONE_ALTERED, "whose linked possession it is (one more Coin for the tie)")
    count = option(whole(1, 99), "how many alike: General 1, General 2 ...", default=1)
    open = option(YES_NO, "yes, if another player may word the Role later", default=False)
    contents = option(
        ONE_ALTERED, "what place it belongs to, as that place's possession", key="part of"
    )

    @property
    def roles(self) -> list[Counted]:
        """Its Role, as the first key says it with any further details."""
        first = (self.character, self.place, self.prop, self.master, self.new)
        return [role for role in (*first, *self.role) if role is not None]

    def slips(self) -> Iterable[Slip]:
        """Its name, its Role and its first Traits."""
        for name in (self.existing, self.name or self.as_):
            if name is not None:
                yield Slip(name, state="name")
        yield from (Slip(role.name, role.count, "role") for role in self.roles)
        yield from (Slip(master, state="inherited") for master in self.sub)
        for trait in (*self.traits, *self.group):
            yield Slip(trait.name, trait.count)
        yield from (Slip(wound.name, wound.count, "wound") for wound in self.wounds)
        if self.owner is not None:
            yield Slip(f"owned by {self.owner}", state="inherited")

    def called(self) -> tuple[str, str]:
        """What it is called, and the details shown with it: its Role; failing that, whose it is, or
        its Traits."""
        roles = [role.name for role in self.roles]
        names = [name for name in (self.existing, self.name or self.as_) if name is not None]
        name, *other_words = *names, *roles, *self.sub, ""
        new = (word for word in other_words if word and word.casefold() not in name.casefold())
        addition = "".join(f", {word}" for word in new)
        if not addition and self.owner is not None:
            addition = f" of {self.owner}"
        traits = ", ".join(trait.name for trait in self.traits if trait.name != "...")
        return name, addition or (f": {traits}" if traits else "")


COMPONENT: FieldType[ScalarNode | NewComponent] = MapOr(
    PartOf(NewComponent), NAMED, words="a name, or {character: Role, name: ...}"
)
COMPONENTS = OneOrMany(COMPONENT)


def slips_of(items: Iterable[ScalarNode | NewComponent]) -> Iterable[Slip]:
    """The words on the slips of Components, in the order of the log."""
    for item in items:
        if isinstance(item, NewComponent):
            yield from item.slips()
        else:
            yield Slip(item, state="name")


def called(
    items: tuple[ScalarNode | NewComponent, ...], bare: Callable[[Iterable[str]], str]
) -> str:
    """What the players see of the Components that come into the story. Some are only named: ``bare`` makes a lead-in
    of their names."""
    named = [item.called() if isinstance(item, NewComponent) else (item, "") for item in items]
    names = [name for name, addition in named if not addition]
    described = [name + addition for name, addition in named if addition]
    return ". ".join([bare(names), *described] if names else described)


class _Cards(FieldType[tuple[Card, ...]]):
    words = "cards, as 5h, 10s, Kd, A"

    def read(self, value: Value, context: Context) -> tuple[Card, ...]:
        texts = (
            list(value) if isinstance(value, SequenceNode) else str(value).replace(",", " ").split()
        )
        cards = []
        for text in texts:
            card = read_card(str(text)) if isinstance(text, str) else None
            if card is None:
                raise Misread(f"{shown(value)} are no cards", value, f"write {self.words}")
            cards.append(card)
        return tuple(cards)

    def schema(self) -> Schema:
        return {"type": ["string", "integer", "array"], "items": {"type": ["string", "integer"]}}


CARDS: FieldType[tuple[Card, ...]] = _Cards()


class Bid(NamedTuple):
    """A bid, complete or partly known: this many Coins, or at least as many."""

    coins: int
    open: bool = False

    def __str__(self) -> str:
        return (
            f"{self.coins}+" if self.open and self.coins else "?" if self.open else f"{self.coins}"
        )


class _Bid(FieldType[Bid]):
    words = "Coins, '9+' for nine or more, or unrecorded"

    def read(self, value: Value, context: Context) -> Bid:
        if is_unrecorded(value):
            return Bid(0, open=True)
        if isinstance(value, ScalarNode) and value.strip().endswith("+"):
            return Bid(COUNT.read(value.like(value.strip()[:-1].strip()), context), open=True)
        return Bid(WHOLE.read(value, context))

    def schema(self) -> Schema:
        return {"type": ["integer", "string"], "pattern": r"^([0-9]+\+|unrecorded)$"}


BID: FieldType[Bid] = _Bid()


class Entry(Action):
    """What every verb of this game may say besides: what was paid, from which purse, with which cards."""

    in_exchange: ClassVar[bool] = False
    """Whether a speaker may buy it in a Dialog exchange (S29)."""
    keeps_outcome: ClassVar[bool] = False
    """Whether it is allowed between a roll and the rest of its outcome."""

    coins = option(
        WHOLE, "what the table paid; you need not write this, Chronicle checks it", computed=True
    )
    purse = option(
        label(NAME),
        "which purse pays first, if not the usual one: wealth, bid, or one of an add-on",
    )
    cards = option(CARDS, "the cards that paid, where Coins are cards", default=())

    @guard("T20", DiagnosticKind.UNREADABLE, at="purse")
    def names_a_purse(self, play: Table) -> Violation | None:
        """It is the Wealth, the bid on the table, or what an add-on in force has opened."""
        word = self.purse
        if word is None or play.given:
            return None
        names = play.state.points.named_purses(play, play.step.player)
        if fold(word) in names:
            return None
        likely = replace_with(nearest_words(word, list(names)), is_told=True)
        return Violation(
            f"there is no purse '{word}'{did_you_mean(word, list(names))}",
            fix=(*likely, *replace_with(names)),
            help="others belong to add-ons that are not in force",
        )

    @guard("U2.12")
    def is_not_forbidden(self, play: Table) -> Violation | None:
        """A Gimmick may forbid a verb."""
        if play.given:
            return None
        id = play.state.points.forbidden(play, self.verb, play.step.player)
        tenet = play.state.tenets.get(id)
        facts = [] if tenet is None else [play.because(tenet.step, tenet.text)]
        message = f"'{self.verb}' is forbidden by the Gimmick {id}"
        return Violation(message, facts=facts, rule="U2.12") if id else None


# --- preparation and Tenets -------------------------------------------------------------------------


class Sets(Part):
    """What a Rules Gimmick changes in figures. Everything else it says is words for the table."""

    start_coins = option(COUNT, "Coins that each player starts with, from now on")
    refreshment = option(COUNT, "Coins for each player after a scene")
    refreshment_of = option(MapOf(GETS_COINS, COUNT), "{player: Coins} where they differ")
    refreshment_per_player = option(COUNT, "Coins after a scene for every player at the table")
    price = option(MapOf(label(NAME), COUNT), "{verb: Coins}: another price for something")
    forbid = option(label(NAMES), "verbs that may not be used", default=())
    loans = option(YES_NO, "yes, if players may lend Coins", default=False)
    gifts = option(YES_NO, "yes, if players may give Coins away", default=False)
    factor = option(whole(1, 9), "how many times a loan is paid back", default=2)
    uses = option(ALL_NAMED, "Components whose Traits are used up, one copy a use", default=())
    trait_price = option(MapOf(NAMED, label(NAME)), "{Component: share of the price}, as 1/3")
    name_die = option(
        ALL_NAMED, "Components that are no characters but whose name gives a die", default=()
    )
    time_jumps = option(YES_NO, "yes, if time may jump within a scene", default=False)
    computes = option(
        FORMULAS, "{what: formula}: what it computes instead of the rules of the book"
    )


# --- Coins between players ---------------------------------------------------------------------------


TRAITS_BY_NAME = MapOf(ONE_ALTERED, label(TRAITS), "{Component: Trait or [Traits]}")
