"""Chapter 6, Complications: how they begin, how they are closed or dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import NAME, NAMES, TEXT, MapOf, choice, in_role
from chronicle.core.fix import add_entry, set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.names import Named
from chronicle.core.references import Condition
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, divisions, facts, presence, table
from chronicle.games.universalis.actions import NOT_PREPARING, ON_DICE
from chronicle.games.universalis.divisions import ComplicationEntry, complication_of
from chronicle.games.universalis.moves import acting, dice_in_play
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.pools import lay_dice
from chronicle.games.universalis.preparation import retire_scope
from chronicle.games.universalis.state import (
    Complication,
    Component,
    DiceEntry,
    Fact,
    Pool,
    SceneState,
    Stage,
)
from chronicle.games.universalis.story_actions import POOL, Complicate, PlaceObstacle

ORIGIN = "complication"


TARGET = "target"


def complicate(play: Table, action: Complicate) -> None:
    """By interaction: something is done to a Component that another player Controls (U3.38, U6.1)."""
    scene = play.state.current_scene
    if scene is None:
        return
    source_words, target_words = list(action.source_), list(action.target)
    title = ""
    if isinstance(action.what, dict):
        for word, names in action.what.items():
            source_words.append(word)
            target_words.extend(names)
    else:
        title = str(action.what)
    sources = [c for word in source_words for c in table.find_all(play, word)]
    targets = [c for word in target_words for c in table.find_all(play, word)]
    for component, word in (*_pairs(play, source_words), *_pairs(play, target_words)):
        if not presence.is_here(play, scene, component):
            play.require(
                component.placeholder or play.given,
                "U5.3",
                f"{component.name} is not in the scene",
                at=word,
                fix=add_entry(f"introduce: {component.name}"),
            )
    player = play.step.player
    for component in sources:
        holder = presence.holder_of(play, scene, component)
        if holder and player and holder != player:
            play.illegal(
                "U3.26",
                f"{player} uses {component.name}, whom {holder} Controls",
                after=(f"turn:{player}",),
                fix=table.take_over_first(play, component),
            )
    title = title or f"{listed(c.name for c in sources)} against {listed(c.name for c in targets)}"
    everybody = action.pools == "everybody"
    open_complication(play, title, "interaction", player, sources, targets, everybody=everybody)


def _pairs(play: Table, words: Iterable[ScalarNode]) -> list[tuple[Component, ScalarNode]]:
    state = play.state
    pairs = []
    for word in words:
        match = play.names.find(word, ("character", "place", "prop"))
        if isinstance(match, Named) and match.id in state.components:
            pairs.append((state.components[match.id], word))
    return pairs


def open_complication(
    play: Table,
    title: str,
    kind: str,
    originator: str,
    sources: list[Component],
    targets: list[Component],
    *,
    event: int = 0,
    target_player: str = "",
    everybody: bool = False,
) -> Complication | None:
    """Open a Complication: the Originator's Pool, a Pool for each Target Player (U6.2 to U6.5)."""
    state = play.state
    scene = state.current_scene
    if scene is None:
        return None
    step = play.step
    if scene.framing and not play.given:
        play.illegal(
            "U6.1",
            f"'{scene.title}' is still being framed; there is no Complication before the first Event",
            facts=[play.because(scene.step, "framing began here")],
        )
    if scene.mini and play.ruling("mini complication") == "forbidden":
        play.illegal("U3.21", "a Complication within a Mini Scene")
    complication = Complication(
        len(state.complications) + 1,
        title,
        kind,
        scene.number,
        step.number,
        originator,
        [c.id for c in sources],
        [c.id for c in targets],
        event=event,
    )
    complication.everybody = everybody
    somebodys = any(scene.control.get(c.id) == "" for c in targets)
    if (not originator or somebodys) and not play.given:
        # Whose dice against whose is not known: nor is what hangs on that, until the next scene.
        play.gaps.add(step.number, (), ("scene", "mirror", "snapshot"))
    complication.pools[originator] = Pool(originator, ORIGIN)
    holders = [scene.control.get(c.id, "") for c in targets]
    if target_player:
        holders.append(target_player)
    for holder in holders:
        if holder and holder != originator and holder not in complication.pools:
            complication.pools[holder] = Pool(holder, TARGET)
    unknown = somebodys or ("" in holders and presence.holed(play, scene))
    play.require(
        len(complication.pools) > 1 or play.given or not targets or unknown,
        "U6.4",
        f"{originator} Controls {listed(c.name for c in targets)}: no player opposes, so there is no Complication",
        fix=add_entry(f"take over: {targets[0].name}\nby: ...") if targets else (),
        help="or tell it as Events",
    )
    play.require(
        bool(targets) or bool(target_player) or play.given,
        "U6.3",
        "a Complication without a target",
        fix=set_key("target"),
        after=("event",),
    )
    play.settle("event")
    for component in (*sources, *targets):
        complication.committed[component.id] = step.number
    state.complications.append(complication)
    state.running.append(complication.number)
    scene.complications.append(complication.number)
    complication.steps.append(step.number)
    if play.rulings["originating price"] == "one" and kind == "interaction":
        coins.charge(play, "event", "U6.1", "the attempt", sort="turn")
    state.dialog = None
    opponents = [p for p in complication.pools if p != originator]
    step.headline = title
    play.event(
        f"{originator} Originates a Complication"
        + (f" against {listed(opponents)}" if opponents else ""),
        "U6.1",
        "complication",
    )
    for add_on in state.add_ons:
        add_on.complication_opened(play, complication)
    return complication


def obstacle(play: Table, action: PlaceObstacle) -> None:
    """Dice against another player's Event (U3.39); out of turn it is an Interrupt as well (S25)."""
    state = play.state
    scene = play.state.current_scene
    if scene is None:
        return
    player = play.step.player
    fact = _event_of(play, action, scene)
    off_turn = player != state.turn and state.turn_sure
    by_interrupt = play.ruling("obstacle interrupt") == "yes"
    if scene.framing:
        play.illegal(
            "U3.9",
            f"{scene.framer} is framing '{scene.title}' and cannot be Interrupted",
            facts=[play.because(scene.step, "framing began here")],
        )
    if off_turn and by_interrupt and not play.given:
        coins.charge(play, "interrupt", "U3.17", "an Interrupt")
        interrupted = state.turn
        state.dialog = None
        table.begin_turn(play, player, "interrupts")
        state.interrupted = interrupted
    targets = [c for word in action.target for c in table.find_all(play, word)]
    if not targets and fact is not None:
        targets = [state.components[id] for id in fact.performers if id in scene.present]
    complication = open_complication(
        play,
        str(action.what),
        "obstacle",
        player,
        [],
        targets,
        event=fact.step if fact is not None else 0,
        target_player=fact.player if fact is not None and not targets else "",
    )
    if complication is None:
        return
    if action.dice is None:
        complication = divisions.first_part(play, complication)
        complication.pools[player].dice_open = True
        coins.unknown_amount(play, player)
        return
    play.require(
        action.dice > 0,
        "U6.1",
        "an Obstacle begins with at least one bought die",
        at="dice",
        fix=set_key("dice", 2),
        help="buy dice against the Event",
    )
    if action.dice > 0:
        # Where every Target meets a Pool of its own (UA.38), they lie against the first one.
        complication = divisions.first_part(play, complication)
        lay_dice(
            play,
            complication,
            complication.pools[player],
            DiceEntry(action.dice, str(action.what), player, play.step.number, coins=action.dice),
        )
        coins.charge(play, "buy", "U6.15", "dice bought", times=action.dice)
    if play.ruling("obstacle price") == "event":
        coins.charge(play, "event", "U6.1", "the Obstacle itself", sort="turn")


def _event_of(play: Table, action: PlaceObstacle, scene: SceneState) -> Fact | None:
    player = play.step.player
    foreign = Condition[Fact](
        lambda fact: fact.player != player,
        "U7.14",
        f"the Event is {player}'s own; an Obstacle makes another player's Event difficult",
    )
    if action.of is not None:
        event = facts.event_meant(play, scene, action.of, "U3.39", foreign, applies=True)
        if event is None:
            play.taint("event")
        return event
    fact = facts.last_event(scene)
    play.require(
        fact is not None or play.gap > scene.step,
        "U3.39",
        "there is no Event to make difficult",
        help="an Obstacle follows another player's Event",
        since=scene.step,
    )
    if fact is not None and not foreign.holds(fact):
        play.illegal(foreign.rule, foreign.message, facts=[play.because(fact.step, "the Event")])
    return fact


class AboutOpenOne(ComplicationEntry):
    """An entry that is nothing without an open Complication."""

    @guard("U6.9")
    def is_about_an_open_one(self, play: Table) -> Violation | None:
        if complication_of(play, self) is not None or play.gap:
            return None
        rule = self.offered.rule if self.offered is not None else ""
        return Violation("no Complication is open", since=0, rule=rule)


class Declare(AboutOpenOne):
    """With a Pool for everybody: declare the side of your Pool before the roll."""

    verb = "declare"
    decides = Decides("each named")
    moment = NOT_PREPARING
    example = "declare: {Cleo: Ana}"
    sides = main(
        MapOf(in_role("declares", NAME), POOL), "{player: the Originator or a Target Player}"
    )
    offered = Offered("U6.7", "declare the side of a Pool")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        complication = dice_in_play(play)
        if complication is None or not complication.everybody:
            return
        pools = complication.pools.values()
        declared = [pool.player for pool in pools if pool.side]
        for player in [pool.player for pool in pools if not pool.side]:
            yield from ({"declare": {player: side}} for side in declared)
        if len(declared) == len(pools):
            originator = complication.originator
            yield {"declare": {originator: originator}}

    def joined(
        self, play: Table, find: Callable[[ScalarNode], str]
    ) -> Iterator[tuple[Complication, str, str, str, ScalarNode]]:
        """The Complication, who joins whom, on which side, and the word for whom."""
        complication = complication_of(play, self)
        pools = complication.pools.values() if complication is not None else ()
        sides = {pool.player: pool.side for pool in pools}
        for word, ally_word in self.sides.items():
            player, ally = find(word), find(ally_word)
            if complication is not None and player and ally:
                sides[player] = sides.get(ally, "")
                yield complication, player, ally, sides[player], ally_word

    @guard("U6.7")
    def comes_before_the_roll(self, play: Table) -> Violation | None:
        complication = complication_of(play, self)
        if complication is None or complication.stage in (Stage.OPEN, Stage.CLOSED):
            return None
        rolled = play.facts(complication.rolled, "rolled here")
        return Violation("sides are declared before the roll", facts=rolled)

    @guard("U6.7")
    def joins_a_side(self, play: Table) -> Iterator[Violation]:
        for _, _, ally, side, word in self.joined(play, play.look_up_player):
            if not side:
                yield Violation(f"{ally} has declared no side either", word)

    def apply(self, play: Table) -> None:
        """With a Pool for everybody: each player declares a side (U6.7)."""
        for complication, player, ally, side, _ in self.joined(play, play.player):
            complication.pools.setdefault(player, Pool(player, side)).side = side
            root = complication.part_of
            for part in divisions.parts_of(play, root) if root else ():
                # In all stages of one that is fought out in stages.
                if player in part.pools:
                    part.pools[player].side = part.pools[player].side or side
            play.event(f"{player}'s Pool counts with {ally}'s", "U6.7", "declares")
        play.step.headline = "Sides are declared"


class CallClosing(AboutOpenOne):
    """Call for the dice. If all others agree, they are rolled. 'roll' alone implies that they agreed."""

    verb = "close"
    synonyms = ("pool",)
    decides = Decides("turn", "U6.17", action_phrase="calls for the dice")
    moment = ON_DICE
    example = "close: agreed"
    how = main(choice("agreed", "refused"), "agreed, or refused", default="agreed")
    refused_by = option(in_role("refuses", NAMES), "who still wants to add dice", default=())
    offered = Offered("U6.17", "call for the dice")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, _, by in acting(play) if dice_in_play(play) is not None else ():
            yield {"close": "agreed", **by}

    def apply(self, play: Table) -> None:
        """Call for the dice; all others must agree (U6.17)."""
        complication = complication_of(play, self)
        step = play.step
        if complication is None:
            return
        complication.steps.append(step.number)
        refused = table.players_in(play, self.refused_by)
        if refused or self.how == "refused":
            for player in refused or [""]:
                complication.refused[player] = step.number
            step.headline = f"{listed(refused) or 'Somebody'} wants more dice"
            play.event(f"{step.headline}; the Complication stays open", "U6.17", "stays open")
            return
        complication.refused.clear()
        complication.stage = Stage.CLOSED
        complication.closed_step = step.number
        step.headline = "All agree to roll"
        play.event("all agree: the Complication is closed", "U6.17", "closed")


class Abandon(AboutOpenOne):
    """All agree to drop the open Complication: no roll, no Coins."""

    verb = "abandon"
    synonyms = ("drop",)
    decides = Decides("table")
    moment = NOT_PREPARING
    example = "abandon: the storm has moved the story on"
    why = main(TEXT, "why", default=None)
    offered = Offered("U6.9", "all agree to drop it")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if dice_in_play(play) is not None:
            yield {"abandon": "the story has moved on"}

    def apply(self, play: Table) -> None:
        """All agree to drop it: no roll, no Coins (U6.9, S23)."""
        complication = complication_of(play, self)
        if complication is None:
            return
        complication.stage = Stage.ABANDONED
        play.state.running.remove(complication.number)
        complication.steps.append(play.step.number)
        play.step.headline = f"{complication.title} is dropped"
        play.event("dropped by agreement: no roll, no Coins", "U6.9", "abandoned")
        if not divisions.unfinished(play, complication):
            retire_scope(play, "complication", divisions.root_number(play, complication))
