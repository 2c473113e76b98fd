"""Chapter 6, Pools: dice that entries lay into them or take out, and bought dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import (
    NAMES,
    TEXT,
    in_role,
)
from chronicle.core.fix import (
    add_entry,
    drop_key,
    replace_with,
    set_key,
)
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.universalis import coins, table
from chronicle.games.universalis.actions import AMOUNT, ON_DICE
from chronicle.games.universalis.divisions import ComplicationEntry, complication_of, laid_into
from chronicle.games.universalis.moves import acting, dice_in_play
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    Complication,
    Component,
    DiceEntry,
    Pool,
    Stage,
    Trait,
)
from chronicle.games.universalis.story_actions import POOL

Find = Callable[[Table, Iterable[ScalarNode]], Iterator[tuple[ScalarNode, Component]]]
"""Looks Components up by their names: ``known`` or ``find_each`` of :mod:`table`."""


class Laid(NamedTuple):
    """Dice that an entry lays into a Pool, or takes from it: a Trait of a Component, a Fact, or bought dice."""

    dice: int
    cause: str
    drawn: int = 1
    """How many copies it draws."""
    key: str = ""
    """What holds that each copy is drawn once (U6.14)."""
    word: ScalarNode = ScalarNode("")
    component: Component | None = None
    trait: Trait | None = None
    wanted: int = 1
    copies: int = 1
    """How many copies there are to draw."""
    used: int = 0
    """How many of them this Complication has had before."""
    before: int = 0
    """How many of them the same entry draws before."""


class LaysDice(ComplicationEntry):
    """An entry that lays dice into Pools, or takes them out."""

    lays_dice = True
    rule: ClassVar[str]
    deed: ClassVar[str]
    to: ScalarNode | None
    from_: ScalarNode | None

    def meant(self, play: Table) -> Complication | None:
        """The Complication that dice are for: the named Complication, or the Complication of their Pool."""
        word = self.pool_word
        players = [play.look_up_player(word)] if word is not None else []
        return complication_of(play, self, players, self.ids(play))

    def ids(self, play: Table) -> list[str]:
        """The ids of the Components that it draws upon."""
        return []

    def laid(self, play: Table, complication: Complication, find: Find) -> Iterator[Laid]:
        """The dice that it lays, or takes."""
        raise NotImplementedError

    @property
    def pool_word(self) -> ScalarNode | None:
        """The name of the player whose Pool it is about."""
        return self.from_ if self.from_ is not None else self.to

    def owner(self, play: Table, complication: Complication, component: Component | None) -> str:
        """Whose Pool the dice go to or come from; empty where that is not clear."""
        if self.pool_word is not None:
            return play.look_up_player(self.pool_word)
        return side_of(play, complication, component, play.step.player)

    def reading(self, play: Table) -> Iterator[tuple[Complication, Laid, str]]:
        """The dice that it lays or takes, each with whose Pool it is, for guards; nothing is reported."""
        complication = self.meant(play)
        if complication is not None:
            for laid in self.laid(play, complication, table.known):
                if laid.drawn or not laid.before:
                    yield complication, laid, self.owner(play, complication, laid.component)

    @guard("U6.11")
    def needs_a_complication(self, play: Table) -> Violation | None:
        state = play.state
        is_missing = play.gap > state.ended_step and play.gap > 0 and state.current_scene is None
        if is_missing or self.meant(play) is not None:
            return None
        fix = add_entry("complication: ...")
        return Violation(
            f"{self.deed}, and no Complication is open", fix=fix, since=0, rule=self.rule
        )

    @guard("U6.17")
    def comes_before_the_roll(self, play: Table) -> Violation | None:
        complication = self.meant(play)
        is_closed = complication is not None and complication.stage in (
            Stage.CLOSED,
            Stage.TIED,
            Stage.ROLLED,
        )
        if complication is None or not is_closed or play.state.purses:
            return None
        closed_step = complication.closed_step or complication.step
        return Violation(
            f"{self.deed} after the dice were called for",
            facts=[play.because(closed_step, "closed here")],
        )

    @guard("U6.5")
    def says_whose_pool(self, play: Table) -> Violation | None:
        for complication, _, player in self.reading(play):
            if player and (player in complication.pools or complication.everybody):
                continue
            if player:
                fix = replace_with(complication.pools)
                message = f"{player} has no Pool in this Complication"
                return Violation(message, self.pool_word, fix)
            if self.pool_word is None:
                return Violation(
                    "it is not clear whose Pool these dice go to",
                    fix=[
                        set_key("to", player, when=f"if they go to {player}'s Pool")
                        for player in complication.pools
                    ],
                    doubts=[f"pool:{complication.number}:{name}" for name in complication.pools],
                )
            return None
        return None

    @guard("UA.33", at="from")
    def only_adds_dice(self, play: Table) -> Iterator[Violation]:
        """An add-on may forbid taking dice from a Pool."""
        rule = play.state.points.only_added(play) if self.from_ is not None else ""
        for complication, laid, player in self.reading(play) if rule else ():
            pool = complication.pools.get(player)
            others = against(complication, pool) if pool is not None else []
            if pool is not None:
                yield Violation(
                    f"{play.step.player} takes {plural(laid.dice, 'die', 'dice')} from {player}'s Pool, "
                    "and at this table dice are only added",
                    help="lay them into an opposing Pool instead:  to: "
                    + (" or ".join(p.player for p in others) or "another player"),
                    rule=rule,
                )

    @guard("U6.15", at="from")
    def takes_what_there_is(self, play: Table) -> Iterator[Violation]:
        left: dict[str, int] = {}
        for complication, laid, player in self.reading(play) if self.from_ is not None else ():
            pool = complication.pools.get(player)
            if pool is None:
                continue
            dice = left.setdefault(player, pool.dice)
            if dice < laid.dice:
                yield Violation(
                    f"{player}'s Pool holds {plural(dice, 'die', 'dice')}, so {laid.dice} cannot be taken"
                )
            left[player] = max(0, dice - laid.dice)

    def pool(
        self, play: Table, complication: Complication, component: Component | None
    ) -> Pool | None:
        """The Pool that the dice go to or come from."""
        if self.pool_word is not None and not play.player(self.pool_word):
            return None
        player = self.owner(play, complication, component)
        if player and complication.everybody:
            complication.pools.setdefault(player, Pool(player, ""))
        return complication.pools.get(player) if player else None

    def meets(
        self, play: Table, complication: Complication, pool: Pool, against: tuple[str, ...] = ()
    ) -> list[tuple[Complication, Pool]]:
        """The Pools that the dice of an entry go to: what it names, or all that wait for them."""
        if self.in_ is not None:
            return [(complication, pool)]
        return laid_into(play, complication, pool, against)

    def lay(
        self,
        play: Table,
        complication: Complication,
        pool: Pool,
        laid: Laid,
        coins: int = 0,
        against: tuple[str, ...] = (),
    ) -> None:
        """Add dice to a Pool, or remove them where the entry takes them ``from`` it, and why."""
        step, component = play.step, laid.component
        entry = DiceEntry(
            laid.dice if self.from_ is None else -min(laid.dice, pool.dice),
            laid.cause,
            step.player,
            step.number,
            component.id if component is not None else "",
            laid.key if component is not None else "",
            coins,
            against,
        )
        for number, (met, met_pool) in enumerate(self.meets(play, complication, pool, against)):
            fits = entry if entry.dice >= -met_pool.dice else replace(entry, dice=-met_pool.dice)
            lay_dice(play, met, met_pool, fits, announced=not number)


def side_of(
    play: Table, complication: Complication, component: Component | None, player: str
) -> str:
    """Whose Pool dice for a Component go to, where ``player`` draws; empty where that is not clear."""
    state = play.state
    scene = state.current_scene
    if component is not None and not (complication.everybody and player not in complication.pools):
        id = component.id
        if id in complication.sources:
            return complication.originator
        holder = scene.control.get(id, "") if scene is not None else ""
        if id in complication.targets and holder in complication.pools:
            return holder
        if id in complication.sides:
            return complication.sides[id]
        if component.owner and component.owner in complication.committed:
            return side_of(play, complication, state.components[component.owner], player)
        # A bystander serves the player who draws upon it, or else its Controller.
        if player not in complication.pools and holder in complication.pools:
            return holder
    if player in complication.pools or complication.everybody:
        return player
    return ""


def against(complication: Complication, pool: Pool) -> list[Pool]:
    """The Pools that oppose one; as long as its player has not declared a side, all others."""
    return [p for p in complication.pools.values() if p is not pool and p.side != pool.side]


def lay_dice(
    play: Table, complication: Complication, pool: Pool, entry: DiceEntry, *, announced: bool = True
) -> None:
    """Lay dice into a Pool, or take them out; ``announced`` notes an event."""
    play.step.note_change("Pool", pool.player, pool.dice, pool.dice + entry.dice, "die")
    pool.dice += entry.dice
    pool.entries.append(entry)
    if entry.dice and announced:
        dice_words = play.state.points.die(play).counted(abs(entry.dice))
        direction = "to" if entry.dice > 0 else "from"
        rule = "U6.15" if entry.coins else "U6.11"
        play.event(
            f"{dice_words} {direction} {pool.player}'s Pool ({pool.dice})",
            rule,
            "dice",
            entry.component,
        )


class BuyDice(LaysDice):
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
    rule, deed = "U6.15", "dice are bought"
    offered = Offered("U6.15", "buy a die for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        complication = dice_in_play(play)
        if complication is None:
            return
        for _, _, by in acting(play, "buy"):
            for player in complication.pools:
                yield {"buy": 1, "to": player, "for": "a good moment", **by}

    def laid(self, play: Table, complication: Complication, find: Find) -> Iterator[Laid]:
        yield Laid(self.dice or 0, str(self.for_ or self.text or "no reason given"))

    @guard("U6.16", DiagnosticKind.UNKNOWN)
    def says_what_the_dice_are(self, play: Table) -> Violation | None:
        if self.for_ is not None or self.text is not None or self.meant(play) is None:
            return None
        message = "the record does not say what the bought dice stand for"
        return Violation(message, fix=set_key("for"))

    @guard("UA.36", at="against", help="or choose independent Target Pools before the roll")
    def meets_some_only_where_each_rolls_alone(self, play: Table) -> Violation | None:
        complication = self.meant(play) if self.against else None
        if complication is None or play.state.points.meets_singly(play, complication).rule:
            return None
        message = "all Target Pools meet this Complication together, so its dice meet them all"
        return Violation(message, fix=drop_key("against"))

    def apply(self, play: Table) -> None:
        """Dice for Coins, each with its reason (U6.15, U6.16)."""
        complication, step = self.meant(play), play.step
        if complication is None:
            coins.charge(play, "buy", "U6.15", "dice bought", times=self.dice or 0)
            return
        complication.steps.append(step.number)
        pool = self.pool(play, complication, None)
        for laid in self.laid(play, complication, table.known):
            if self.dice is None:
                step.headline = f"Dice: {laid.cause}"
                coins.unknown_amount(play, step.player)
                if pool is not None:
                    pool.dice_open = True
                return
            coins.charge(play, "buy", "U6.15", "dice bought", times=self.dice)
            step.headline = f"{play.state.points.die(play).counted(self.dice)}: {laid.cause}"
            if pool is not None:
                only = tuple(filter(None, map(play.player, self.against)))
                self.lay(play, complication, pool, laid, self.dice, only)
