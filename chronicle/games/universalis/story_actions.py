"""What players of Universalis can write in a log, second half: Components, narration, Complications."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from chronicle.core.declare import BLOCK, Decides, Refusal, main, option, required
from chronicle.core.diagnostic import listed
from chronicle.core.dice import D10, Faces
from chronicle.core.figures import is_figure
from chronicle.core.fix import write_instead
from chronicle.core.kinds import (
    COUNTED,
    NAME,
    NAMES,
    TEXT,
    UNRECORDED,
    WHOLE,
    Context,
    Counted,
    EitherOf,
    Kind,
    MapOf,
    MapOr,
    Misread,
    OneOrMany,
    OrUnrecorded,
    choice,
    in_role,
    label,
)
from chronicle.core.play_kinds import faces as faces_of
from chronicle.core.schemas import Schema
from chronicle.core.source import ScalarNode, SequenceNode, Value
from chronicle.core.telling import Piece, Slip, TextRole, enter_lead_in, pieces
from chronicle.games.universalis.actions import (
    AGREED,
    ALTERED,
    AMOUNT,
    BUILDS,
    COMPONENTS,
    COUNT,
    COUNT_OF,
    ID,
    IN_SCENE,
    IN_SCENE_ONLY,
    NAMED,
    NOT_PREPARING,
    ON_DICE,
    ONE_ALTERED,
    OUTCOME,
    PARTAKING,
    SCENE,
    STATED,
    TRAITS_BY_NAME,
    Entry,
    NewComponent,
    called,
    during,
    slips_of,
)
from chronicle.games.universalis.playing_cards import read_card

POOL = in_role("has a Pool", NAME)
D10_DIE = D10._replace(rule="U6.5")


class _Shown(Kind[Faces]):
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


SHOWN: Kind[Faces] = _Shown()


def dealt(traits: dict[ScalarNode, tuple[Counted, ...]], state: str = "") -> Iterable[Slip]:
    """Traits on slips, each after whose they are."""
    for owner, counted in traits.items():
        yield Slip(owner, state="name")
        yield from (Slip(trait.name, trait.count, state) for trait in counted)


ROLLED: Kind[str | dict[ScalarNode, Faces | None]] = MapOr(
    MapOf(in_role("has a Pool", NAME), OrUnrecorded(SHOWN), "{player: [faces]}"),
    choice(UNRECORDED),
    words="{player: [faces]}, or unrecorded",
)

# --- Components (chapter 4) -------------------------------------------------------------------------


class Introduce(Entry):
    """Bring Components into the scene, 1 Coin each, existing or new. You Control what you introduce."""

    verb = "introduce"
    synonyms = ("character", "prop", "component", "npc", "person", "bring in")
    already_shown_kinds = frozenset({"creates", "enters", "owns"})
    decides = Decides("turn", "U3.57", action_phrase="introduces something")
    moment = during(
        SCENE,
        OUTCOME,
        preparing=Refusal(
            "U3.1",
            "Components cannot be introduced before the first scene",
            fixes=(write_instead("create: ..."),),
            help="in preparation a Component is only created",
        ),
    )
    example = "introduce: {character: lamplighter, name: Ines Vale, traits: [sure-footed x2]}"
    what = main(
        COMPONENTS, "names, or new Components as {character: Role, name: ..., traits: [...]}"
    )
    agreed_by = AGREED

    def caption(self) -> str:
        new = any(isinstance(item, NewComponent) for item in self.what)
        return "New" if new else "Enter"

    def lead_in(self) -> str:
        return called(self.what, enter_lead_in)

    def slips(self) -> Iterable[Slip]:
        return slips_of(self.what)


class Create(Entry):
    """Create a Component without bringing it into the scene. 1 Coin for its Role, 1 per further Trait."""

    verb = "create"
    synonyms = ("make", "new")
    heading = "New"
    already_shown_kinds = frozenset({"creates", "owns"})
    decides = Decides("turn", "U3.57", action_phrase="creates something")
    moment = BUILDS
    in_exchange = True
    example = "create: {prop: tide clock, traits: [always right]}"
    what = main(COMPONENTS, "new Components as {prop: Role, traits: [...]}")

    def lead_in(self) -> str:
        return called(self.what, lambda names: f"New to the story, {listed(names)}")

    def slips(self) -> Iterable[Slip]:
        return slips_of(self.what)


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


class Possess(Entry):
    """Make a Component the linked possession of another: one Coin, a Trait at both ends. Something new
    is created or introduced with its 'owner' instead."""

    verb = "possess"
    synonyms = ("own", "belong", "belongs", "possession")
    heading = "Possession"
    already_shown_kinds = frozenset({"owns"})
    decides = Decides("turn", "U3.57", action_phrase="buys a possession")
    moment = BUILDS
    in_exchange = True
    example = "possess: {Kerr: brass sextant}"
    items = main(MapOf(ONE_ALTERED, in_role("possession", NAMES)), "{owner: possession}")

    def lead_in(self) -> str:
        return ". ".join(f"{owner} has {listed(items)}" for owner, items in self.items.items())

    def slips(self) -> Iterable[Slip]:
        for owner, items in self.items.items():
            yield Slip(owner, state="name")
            yield from map(Slip, items)


class Separate(Entry):
    """Part a linked possession from its owner, for 1 Coin."""

    verb = "separate"
    synonyms = ("part",)
    decides = Decides("turn", "U3.57", action_phrase="separates a possession")
    moment = IN_SCENE
    example = "separate: brass sextant"
    items = main(in_role("possession", NAMES), "the possession")
    because = option(TEXT, "what justifies it", text_role=TextRole.SENTENCE)


class MakeMaster(Entry):
    """Mark a Component as a Master, the template of a class, for 1 Coin."""

    verb = "master"
    decides = Decides("turn", "U3.57", action_phrase="makes a Master")
    moment = BUILDS
    example = "master: harbour guard"
    what = main(ALTERED, "the Component")


class MakeSub(Entry):
    """Make a Component a Sub of a Master, for 1 Coin: it may use all the Master's Traits."""

    verb = "sub"
    decides = Decides("turn", "U3.57", action_phrase="makes a Sub")
    moment = BUILDS
    example = "sub: {Oda Brandt: harbour guard}"
    subs = main(MapOf(ONE_ALTERED, in_role("master", NAMES)), "{Component: Master}")


class Negate(Entry):
    """Give a Sub a Trait that takes one of its Master's Traits away from it."""

    verb = "negate"
    already_shown_kinds = frozenset({"gains trait"})
    decides = Decides("turn", "U3.57", action_phrase="adds a Trait")
    moment = BUILDS
    example = "negate: {Oda Brandt: blindly loyal}\n  as: asks questions"
    traits = main(MapOf(ONE_ALTERED, label(NAME)), "{Sub: the Master's Trait}")
    as_ = option(label(NAME), "the words of the new Trait")

    def lead_in(self) -> str:
        return f"{', '.join(self.traits)}: {self.as_}" if self.as_ is not None else ""

    def slips(self) -> Iterable[Slip]:
        for sub, trait in self.traits.items():
            yield Slip(sub, state="name")
            if self.as_ is not None:
                yield Slip(self.as_)
            yield Slip(trait, state="negated")


class Inherit(OnSlips):
    """Keep Traits of a class or a group as one's own on leaving it, 1 Coin a copy."""

    verb = "inherit"
    heading = "Kept"
    written = "inherited"
    decides = Decides("turn", "U3.57", action_phrase="keeps Traits")
    moment = BUILDS
    example = "inherit: {Oda Brandt: knows every lock}\n  from: harbour guard"
    traits = main(TRAITS_BY_NAME, "{Component: Trait or [Traits] that it keeps}")
    from_ = required(NAMED, "the Master or the group that it leaves")


# --- narration (chapter 5) ----------------------------------------------------------------------------


# --- Complications (chapter 6) -----------------------------------------------------------------------


class Complicate(Entry):
    """Originate a Complication: your Component does something to one that another player Controls."""

    verb = "complication"
    synonyms = ("conflict", "attack", "fight")
    decides = Decides("turn", "U6.1", action_phrase="Originates a Complication")
    moment = IN_SCENE_ONLY
    example = "complication: The ringer drags Ines under\n  source: drowned bell-ringer\n  target: Ines Vale"
    what = main(
        EitherOf(
            TEXT,
            MapOf(in_role("takes part", NAME), PARTAKING),
            words="a title, or {source: targets}",
        ),
        "a title, or {source: targets}",
    )
    source_ = option(PARTAKING, "what it comes from", default=())
    target = option(PARTAKING, "whom it is after", default=())
    pools = option(
        choice("sides", "everybody"), "everybody: each player has a Pool and declares a side"
    )

    def told(self) -> Iterable[Piece]:
        return pieces(TextRole.SENTENCE, self.what) if isinstance(self.what, ScalarNode) else ()


class PlaceObstacle(Entry):
    """Make another player's Event difficult by buying dice against it. Out of turn it includes the
    Interrupt."""

    verb = "obstacle"
    synonyms = ("difficulty", "hinder")
    decides = Decides("by")
    moment = IN_SCENE_ONLY
    example = "obstacle: The ladder is rotten\n  by: Dov\n  dice: 3\n  target: Ines Vale"
    what = main(TEXT, "the obstacle (it justifies the dice)", text_role=TextRole.SENTENCE)
    dice = required(OrUnrecorded(COUNT), "dice bought, 1 Coin each")
    target = option(PARTAKING, "whom it stops", default=())
    of = option(ID, "the Event, by its id or words of it; without it, the last one")


class ComplicationEntry(Entry):
    """What an entry about a Complication may say besides: which one, where several are open."""

    in_ = option(ID, "which Complication, where several are open: its title or id")


class DrawTraits(ComplicationEntry):
    """Draw upon Traits of Components in the scene: a die each, free. The Pool is their side's, of a
    bystander your own, unless 'to:' names another; 'from:' takes dice away."""

    verb = "draw"
    synonyms = ("draw upon",)
    already_shown_kinds = frozenset({"dice"})
    decides = Decides("turn", "U6.11", action_phrase="draws Traits")
    moment = ON_DICE
    example = "draw: {Ines Vale: [name, sure-footed x2]}"
    traits = main(
        MapOf(in_role("drawn upon", NAME), label(OneOrMany(COUNTED))),
        "{Component: [Traits]}; name, role, all, -Trait; {scene: Fact}, also a Component's, {world: Fact}",
    )
    to = option(POOL, "whose Pool they are added to")
    from_ = option(POOL, "whose Pool they are taken from")
    for_ = option(TEXT, "how they apply", text_role=TextRole.SENTENCE)
    dice = option(WHOLE, "how many dice it came to; checked", computed=True)

    def slips(self) -> Iterable[Slip]:
        return dealt(self.traits)


class BuyDice(ComplicationEntry):
    """Buy dice, 1 Coin each, for any Pool, or take them from any Pool with 'from:'. Say what they are."""

    verb = "buy"
    synonyms = ("buy dice", "more dice")
    decides = Decides("turn", "U6.15", action_phrase="buys dice")
    moment = ON_DICE
    example = "buy: 2\n  for: the ladder is rotten"
    dice = main(AMOUNT, "how many")
    to = option(POOL, "whose Pool they are added to; default: your own")
    from_ = option(POOL, "whose Pool they are taken from")
    for_ = option(TEXT, "what the dice stand for", text_role=TextRole.SENTENCE)
    against = option(
        in_role("has a Pool", NAMES),
        "the Target Players whom alone they meet, where each rolls alone",
        default=(),
    )


class Declare(ComplicationEntry):
    """With a Pool for everybody: declare the side of your Pool before the roll."""

    verb = "declare"
    decides = Decides("each named")
    moment = NOT_PREPARING
    example = "declare: {Cleo: Ana}"
    sides = main(
        MapOf(in_role("declares", NAME), POOL), "{player: the Originator or a Target Player}"
    )


class CallClosing(ComplicationEntry):
    """Call for the dice. If all others agree, they are rolled. 'roll' alone implies that they agreed."""

    verb = "close"
    synonyms = ("pool",)
    decides = Decides("turn", "U6.17", action_phrase="calls for the dice")
    moment = ON_DICE
    example = "close: agreed"
    how = main(choice("agreed", "refused"), "agreed, or refused", default="agreed")
    refused_by = option(in_role("refuses", NAMES), "who still wants to add dice", default=())


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


class TellOutcome(ComplicationEntry):
    """Narrate the outcome with the Bonus Coins, winner first. Each player's entries are paid from their
    own Bonus Coins; the rest is kept."""

    verb = "outcome"
    synonyms = ("result", "bonus")
    by_dice = True
    decides = Decides("each named")
    moment = ON_DICE
    keeps_outcome = True
    example = (
        "outcome:\n    Dov:\n    - event: The lamp goes out under water\n    - cancel: {Ana: 2}"
    )
    tellers = main(
        MapOf(in_role("tells", NAME), BLOCK), "{player: [entries]}, in the order of narration"
    )


class CancelCoins(Entry):
    """Give up Bonus Coins of your own to void as many of an opponent's. Winner only, inside an outcome."""

    verb = "cancel"
    synonyms = ("void",)
    decides = Decides("teller")
    moment = NOT_PREPARING
    keeps_outcome = True
    example = "cancel: {Ana: 2}"
    coins_of = main(MapOf(POOL, AMOUNT), "{opponent: Coins}")


class KeepCoins(Entry):
    """What you keep of your Bonus Coins. Computed; write it only to have it checked."""

    verb = "keep"
    synonyms = ("save",)
    decides = Decides("teller")
    moment = NOT_PREPARING
    keeps_outcome = True
    example = "keep: 8"
    amount = main(OrUnrecorded(COUNT), "Coins")


class Abandon(ComplicationEntry):
    """All agree to drop the open Complication: no roll, no Coins."""

    verb = "abandon"
    synonyms = ("drop",)
    decides = Decides("table")
    moment = NOT_PREPARING
    example = "abandon: the storm has moved the story on"
    why = main(TEXT, "why", default=None)
