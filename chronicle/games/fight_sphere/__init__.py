"""Fight Sphere: Gladiators taken from their lives, Layer by Layer towards the Core.

Chapters hold their verbs with guards and effects: ``gladiators``, ``layers``, ``truces``, ``scenes``, ``encounters``,
``build`` (stakes), ``roll``, ``declarations`` (judges, leaving, betraying), ``rewards``, ``cut_scenes`` and ``closing``
(points, falls, ends). ``benefits`` holds what rewards and cut-scenes bring. ``conflict`` and ``clash`` judge and apply
the two kinds of rolls, ``losses`` what losing an Encounter costs, and ``throw`` reads the dice. ``actions`` holds the
kinds of values; ``state``, ``table`` (names and turns), ``bonds``, ``falls``, ``scene_close``, ``needs``, ``phases``
and ``law`` serve all; ``consistency`` checks what the table states by itself; ``rules`` and ``rulings`` are the book;
``view`` and ``pages`` are what a reader is shown; ``offers`` completes keys. This file ties them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from chronicle.core.answers import Obligation, Offer, Pad, Standing, Thrown
from chronicle.core.declare import Action
from chronicle.core.game import Game, GameInModules, verbs_of
from chronicle.core.game_context import GameContext
from chronicle.core.names import Named
from chronicle.core.shared_verbs import Gap, PlayStarts, Tell
from chronicle.core.stated_figures import Correct, Snapshot
from chronicle.games.fight_sphere import (
    actions,
    build,
    closing,
    consistency,
    cut_scenes,
    declarations,
    encounters,
    gladiators,
    layers,
    rewards,
    roll,
    scenes,
    truces,
)
from chronicle.games.fight_sphere.build import GM_SIDE, SECOND_ROLL, SPHERE, UNNAMED
from chronicle.games.fight_sphere.computed import POINTS
from chronicle.games.fight_sphere.law import LAW
from chronicle.games.fight_sphere.measures import MEASURES
from chronicle.games.fight_sphere.needs import BACKS, FALLEN
from chronicle.games.fight_sphere.questions import QUESTIONS
from chronicle.games.fight_sphere.rulings import RULINGS
from chronicle.games.fight_sphere.state import GLADIATOR, State
from chronicle.games.fight_sphere.table import is_turn_known, on_turn, pass_turn

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView


class FightSphere(GameInModules[State]):
    """The rules of Fight Sphere."""

    name = "fight-sphere"
    title = "Fight Sphere"
    least_players = 2
    summary = (
        "People wake up in a hollow world of scrap, with a weapon beside them and the names of "
        "the others in the palm of a hand. They fight their way to the Core. Their ties to the "
        "people who live there give them dice, and can be lost."
    )
    settings = actions.FightSphereSettings
    stretch_verbs = ("scene", "encounter", "layer")
    verbs = verbs_of(
        gladiators,
        layers,
        truces,
        scenes,
        encounters,
        build,
        roll,
        declarations,
        rewards,
        cut_scenes,
        closing,
    )
    rulings = RULINGS
    points = POINTS
    law = LAW
    buttons = (
        {
            "gladiator": "Gladiator",
            "inhabitant": "Inhabitant",
            "world": "World",
            "choose": "Choose",
            "layer": "Layer",
            "tell": "Tell",
            "say": "Say",
            "trade": "Trade",
        },
        {
            "scene": "Scene",
            "encounter": "Encounter",
            "roll": "Roll dice",
            "reward": "Reward",
            "fall": "Fall",
            "end scene": "End scene",
            "tell": "Tell",
            "say": "Say",
            "back": "Back",
            "stake": "Stake",
            "truce": "Truce",
            "cut scene": "Cut scene",
            "trade": "Trade",
        },
    )
    questions = QUESTIONS
    accounts: ClassVar[Mapping[str, str]] = {
        "pool": "Conflict Pools",
        "gamble": "Dice gambled at the moment",
        "judgment": "Judgment Pools",
        "wager": "Judgment dice on a side at the moment",
        "relationship": "Values of Relationships",
        "box": "The box of dice and points",
    }
    supplies = frozenset({"box"})
    measures = MEASURES

    def start(self, play: GameContext[State]) -> State:
        """An empty state. The GM has the name GM in rolls, too."""
        if play.runner and play.runner.casefold() != "gm":
            play.names.alias(play.runner, "GM")
        return State()

    def player_of(self, play: GameContext[State], named: Named) -> str:
        """The player who speaks for a character: players for those they play, the GM for everybody else."""
        if named.kind != GLADIATOR:
            return play.runner
        g = play.state.gladiators[named.id]
        return play.runner if g.npc and play.runner else g.player

    def before(self, play: GameContext[State], action: Action) -> None:
        """Check who tells a story; forget doubts at the start of a Layer."""
        if isinstance(action, Tell):
            consistency.hold_narration(play)
        elif isinstance(action, layers.StartLayer):
            # Doubts about rolls of the last Layer end with it.
            rests = (f"bars:{id}" for id in play.state.gladiators)
            play.settle("layer", "bonds", "turn", *rests)
        elif isinstance(action, encounters.Meet):
            play.settle("gambles")
        if isinstance(action, scenes.Framed):
            # Problems of the last Scene explain nothing in the next.
            ids = [*play.state.gladiators]
            play.settle(SECOND_ROLL, *(f"{BACKS}{player}" for player in play.seats))
            play.settle(*(f"{doubt}{id}" for id in ids for doubt in (FALLEN, UNNAMED)))

    def after(self, play: GameContext[State], action: Action) -> None:
        """Forget the turn across a gap; check the state that the table has set."""
        if isinstance(action, PlayStarts):
            consistency.check_stated(play, first_step=0)
        elif isinstance(action, Correct | Snapshot) and not play.given:
            if isinstance(action, Snapshot):
                consistency.settle_snapshot(play)
            consistency.check_stated(play, first_step=play.step.number)
            consistency.check_judges(play, first_step=play.step.number)
        if isinstance(action, Gap) and action.touches("turns"):
            play.state.turn = ""

    def skip(self, play: GameContext[State], player: str) -> bool:
        """F20: the turn of a player who is away passes on. Where a gap hides whose turn it is, the log says it so."""
        if play.state.turn != player and is_turn_known(play):
            return False
        pass_turn(play, player)
        return True

    def over(self, play: GameContext[State]) -> bool:
        return play.state.over

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """The entry for what fell: the GM rolls for the Sphere."""
        named = [die._replace(who=GM_SIDE) if die.who == SPHERE else die for die in dice]
        return Game.thrown(self, verb, named, within)

    def due(self, play: GameContext[State]) -> list[Obligation]:
        """Rolls to build, dice, points of the losers."""
        return roll.due(play)

    def odds(self, play: GameContext[State], due: Sequence[Obligation]) -> list[str]:
        """How likely it is who shows more ones."""
        return roll.odds(play, due)

    def pad(self, play: GameContext[State], due: Obligation) -> Pad | None:
        """Six-sided dice, of which only ones count."""
        return roll.pad(play, due)

    def offers(self, play: GameContext[State], verb: str, by: str) -> Iterator[Offer]:
        """Values that fit the keys of a verb now."""
        from chronicle.games.fight_sphere.offers import offers

        return offers(play, verb, by)

    def standing(self, play: GameContext[State]) -> Standing:
        """The state of play in parts, with the verbs that it waits for."""
        from chronicle.games.fight_sphere.situation import asks

        return super().standing(play)._replace(asks=asks(play))

    def situation(self, play: GameContext[State]) -> str:
        """Where play is."""
        from chronicle.games.fight_sphere.situation import situation

        return situation(play)

    def panel(self, play: GameContext[State]) -> tuple[Block, ...]:
        """Pools, Relationships, whose turn it is."""
        from chronicle.games.fight_sphere.view import panel

        return tuple(panel(play.state, play.ledger, play.rulings, on_turn(play)))

    def fill(self, view: CampaignView) -> None:
        """The game's own pages."""
        from chronicle.games.fight_sphere.pages import pages

        super().fill(view)
        view.pages = pages(view.record)


RULEBOOK = FightSphere
