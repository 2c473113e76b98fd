"""Chapter 6, Complications: how they begin, how they are closed or dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option, required
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    EitherOf,
    MapOf,
    OrUnrecorded,
    choice,
    in_role,
)
from chronicle.core.fix import SetKey, add_entry, set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Piece, TextRole, pieces
from chronicle.games.universalis import coins, divisions, facts, presence, table
from chronicle.games.universalis.actions import (
    COUNT,
    ID,
    IN_SCENE_ONLY,
    NOT_PREPARING,
    ON_DICE,
    PARTAKING,
    Entry,
)
from chronicle.games.universalis.divisions import ComplicationEntry, complication_of
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.moves import (
    acting,
    controlled,
    dice_in_play,
    of_others,
    open_scene,
)
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
from chronicle.games.universalis.story_actions import POOL

ORIGIN = "complication"


TARGET = "target"


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
    offered = Offered("U6.1", "Originate a Complication")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for scene, player, by in acting(play) if len(play.state.running) < 2 else ():
            foreign = [*of_others(play, scene, player)]
            one_each = {scene.control[component.id]: component.name for component in foreign}
            targets = [[*one_each.values()], *([component.name] for component in foreign)]
            is_paid = play.rulings["originating price"] == "one"
            if foreign and (not is_paid or coins.can_pay(play, player, "event")):
                for source, target in product(controlled(play, scene, player), targets):
                    entry = {"complication": {source.name: target}}
                    yield {**entry, **by}
                    yield {**entry, "pools": "everybody", **by}

    def told(self) -> Iterable[Piece]:
        return pieces(TextRole.SENTENCE, self.what) if isinstance(self.what, ScalarNode) else ()

    def sides(self) -> tuple[list[ScalarNode], list[ScalarNode]]:
        """The words for what it comes from, and for whom it is after."""
        said = self.what if isinstance(self.what, dict) else {}
        targets = [name for names in said.values() for name in names]
        return [*self.source_, *said], [*self.target, *targets]

    @guard("U5.3")
    def takes_place_here(self, play: Table) -> Iterator[Violation]:
        for words in self.sides():
            for scene, word, component in table.known_in_scene(play, words):
                if not play.given:
                    yield from presence.bars_absence(play, scene, component, word)

    @guard("U3.26")
    def uses_what_is_own(self, play: Table) -> Iterator[Violation]:
        player = play.step.player
        for scene, _, component in table.known_in_scene(play, self.sides()[0]):
            holder = presence.holder_of(play, scene, component)
            if holder and player and holder != player:
                yield Violation(
                    f"{player} uses {component.name}, whom {holder} Controls",
                    fix=table.take_over_first(play, component),
                    after=(f"turn:{player}",),
                )

    @guard("U6.1")
    def may_begin(self, play: Table) -> Iterator[Violation]:
        words = self.sides()[1]
        targets = [component for _, component in table.known(play, words)]
        yield from bars_complication(play, play.step.player, targets, is_named=bool(words))

    def apply(self, play: Table) -> None:
        """By interaction: something is done to a Component that another player Controls (U3.38, U6.1)."""
        scene = play.state.current_scene
        if scene is None:
            return
        sources, targets = ([c for _, c in table.find_each(play, words)] for words in self.sides())
        for component in (*sources, *targets):
            presence.is_here(play, scene, component)
        title = self.what if isinstance(self.what, ScalarNode) else ""
        open_complication(
            play,
            title or f"{listed(c.name for c in sources)} against {listed(c.name for c in targets)}",
            "interaction",
            play.step.player,
            sources,
            targets,
            everybody=self.pools == "everybody",
            asked=True,
        )


def bars_complication(
    play: Table, originator: str, targets: Sequence[Component], *, is_named: bool
) -> Iterator[Violation]:
    """What keeps a player from Originating a Complication against these; ``is_named``: it names a Target."""
    scene = play.state.current_scene
    if scene is None:
        return
    if scene.framing and not play.given:
        yield Violation(
            f"'{scene.title}' is still being framed; there is no Complication before the first Event",
            facts=[play.because(scene.step, "framing began here")],
            rule="U6.1",
        )
    if scene.mini and play.ruling("mini complication") == "forbidden":
        yield Violation("a Complication within a Mini Scene", rule="U3.21")
    if play.given:
        return
    if not is_named:
        yield Violation(
            "a Complication without a target", fix=set_key("target"), after=("event",), rule="U6.3"
        )
    is_holed = presence.holed(play, scene)
    holders = [scene.control.get(c.id, "" if is_holed else originator) for c in targets]
    if originator and targets and {*holders} == {originator}:
        yield Violation(
            f"{originator} Controls {listed(c.name for c in targets)}: no player opposes, so there is no Complication",
            fix=add_entry(f"take over: {targets[0].name}\nby: ..."),
            help="or tell it as Events",
            rule="U6.4",
        )


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
    asked: bool = False,
) -> Complication | None:
    """Open a Complication: the Originator's Pool, a Pool for each Target Player (U6.2 to U6.5).
    ``asked``: guards of the entry have asked whether it may begin."""
    state = play.state
    scene = state.current_scene
    if scene is None:
        return None
    step = play.step
    if not asked:
        is_named = bool(targets or target_player)
        report_all(play, bars_complication(play, originator, targets, is_named=is_named))
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
    offered = Offered("U3.39", "put dice against the last Event")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        scene = open_scene(play)
        last = (
            facts.last_event(scene) if scene is not None and len(play.state.running) < 2 else None
        )
        if last is None or last.performers:
            return
        least = 3 if play.rulings["obstacle price"] == "event" else 2
        for player in play.present:
            is_other = player not in (last.player, play.state.turn)
            if is_other and coins.spendable(play, player, "turn") >= least:
                yield {"obstacle": "The ice is thin", "dice": 1, "of": last.id, "by": player}

    def _meant(
        self, play: Table, event: Fact | None = None
    ) -> tuple[SceneState | None, Fact | None, list[Component]]:
        """The scene, the Event that is made difficult, and whom it stops: those named, or those that perform it."""
        scene = play.state.current_scene
        if scene is None:
            return scene, None, []
        if event is None:
            event = (
                facts.last_event(scene) if self.of is None else facts.event_named(scene, self.of)
            )
        performers = event.performers if event is not None and not self.target else ()
        here = [play.state.components[id] for id in performers if id in scene.present]
        return scene, event, [*(c for _, c in table.known(play, self.target)), *here]

    @guard("U3.39")
    def follows_an_event_of_another(self, play: Table) -> Violation | None:
        scene, event, _ = self._meant(play)
        player = play.step.player
        if event is not None and event.player == player:
            return Violation(
                f"the Event is {player}'s own; an Obstacle makes another player's Event difficult",
                self.of,
                facts=[play.because(event.step, "the Event")],
                rule="U7.14",
            )
        if scene is None or event is not None or self.of is not None or play.gap > scene.step:
            return None
        help = "an Obstacle follows another player's Event"
        return Violation("there is no Event to make difficult", help=help, since=scene.step)

    @guard("U3.9")
    def nobody_is_framing(self, play: Table) -> Violation | None:
        scene = play.state.current_scene
        if scene is None or not scene.framing:
            return None
        return Violation(
            f"{scene.framer} is framing '{scene.title}' and cannot be Interrupted",
            facts=[play.because(scene.step, "framing began here")],
        )

    @guard("U6.1")
    def may_begin(self, play: Table) -> Iterator[Violation]:
        _, event, targets = self._meant(play)
        is_named = bool(self.target or self.of is not None or event is not None)
        yield from bars_complication(play, play.step.player, targets, is_named=is_named)

    @guard("U6.1", at="dice", help="buy dice against the Event", fix=SetKey("dice", "2"))
    def buys_a_die(self, play: Table) -> str | None:
        return "an Obstacle begins with at least one bought die" if self.dice == 0 else None

    def apply(self, play: Table) -> None:
        """Dice against another player's Event (U3.39); out of turn it is an Interrupt as well (S25)."""
        state = play.state
        scene, event, targets = self._meant(play)
        if scene is None:
            return
        player = play.step.player
        if self.of is not None:
            event = facts.event_meant(play, scene, self.of, "U3.39", applies=True)
            play.taint(*(() if event is not None else ("event",)))
            targets = self._meant(play, event)[2]
        interrupts = play.ruling("obstacle interrupt") == "yes" and not play.given
        if interrupts and player != state.turn and state.turn_sure:
            coins.charge(play, "interrupt", "U3.17", "an Interrupt")
            interrupted = state.turn
            state.dialog = None
            table.begin_turn(play, player, "interrupts")
            state.interrupted = interrupted
        targets = [component for _, component in table.find_each(play, self.target)] or targets
        complication = open_complication(
            play,
            str(self.what),
            "obstacle",
            player,
            [],
            targets,
            event=event.step if event is not None else 0,
            target_player=event.player if event is not None and not targets else "",
            asked=True,
        )
        if complication is None:
            return
        # Where every Target meets a Pool of its own (UA.38), they lie against the first one.
        complication = divisions.first_part(play, complication)
        pool = complication.pools[player]
        if self.dice is None:
            pool.dice_open = True
            coins.unknown_amount(play, player)
            return
        if self.dice:
            step = play.step.number
            entry = DiceEntry(self.dice, str(self.what), player, step, coins=self.dice)
            lay_dice(play, complication, pool, entry)
            coins.charge(play, "buy", "U6.15", "dice bought", times=self.dice)
        if play.ruling("obstacle price") == "event":
            coins.charge(play, "event", "U6.1", "the Obstacle itself", sort="turn")


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
        self, play: Table, *, silently: bool = False
    ) -> Iterator[tuple[Complication, str, str, str, ScalarNode]]:
        """The Complication, who joins whom, on which side, and the word for whom."""
        complication = complication_of(play, self)
        pools = complication.pools.values() if complication is not None else ()
        sides = {pool.player: pool.side for pool in pools}
        for _, player, word in table.names_players(play, self.sides, silently=silently):
            ally = play.look_up_player(word) if silently else play.player(word)
            if complication is not None and ally:
                sides[player] = sides.get(ally, "")
                yield complication, player, ally, sides[player], word

    @guard("U6.7")
    def comes_before_the_roll(self, play: Table) -> Violation | None:
        complication = complication_of(play, self)
        if complication is None or complication.stage in (Stage.OPEN, Stage.CLOSED):
            return None
        rolled = play.facts(complication.rolled, "rolled here")
        return Violation("sides are declared before the roll", facts=rolled)

    @guard("U6.7")
    def joins_a_side(self, play: Table) -> Iterator[Violation]:
        for _, _, ally, side, word in self.joined(play, silently=True):
            if not side:
                yield Violation(f"{ally} has declared no side either", word)

    def apply(self, play: Table) -> None:
        """With a Pool for everybody: each player declares a side (U6.7)."""
        for complication, player, ally, side, _ in self.joined(play):
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
