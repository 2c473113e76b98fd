"""Positive (+): secrets and gossip at a party, for four or five players.

The smallest of the games, and the one to read first when you want to add another. Each file is a chapter of the rule
book, in its order: the rules, the readings of what they leave open, then the verbs, each with its keys, who may do
it and when, its guards under their rules, and its effect.

- ``state``: what is remembered, the phases of play, and the questions that everybody asks;
- ``setup``, ``scenes`` with ``in_scene``, ``conflict`` with ``roll``, ``ending``: the chapters;
- ``dice``: what Fudge dice are worth, and how likely that is; ``view``: what a reader is shown; ``fresh``: a new
  campaign.

This file ties them together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from chronicle.core.answers import Move, Obligation, Pad, Standing, one_of
from chronicle.core.declare import Action
from chronicle.core.diagnostic import listed
from chronicle.core.dice import FUDGE
from chronicle.core.game import GameInChapters, account_measure, flag_measure, verbs_of
from chronicle.core.game_context import Measure
from chronicle.core.law import Law
from chronicle.core.names import PLAYER, Named
from chronicle.core.shared_verbs import Gap, PlayStarts, Say, Tell
from chronicle.games.positive import conflict, ending, in_scene, roll, scenes, setup
from chronicle.games.positive.questions import QUESTIONS
from chronicle.games.positive.state import (
    CHARACTER,
    DECIDED,
    DIE,
    GIVEN_WAY,
    OPEN,
    PHASES,
    STEP,
    Opener,
    Stage,
    State,
    Table,
    phase,
)


def _terms(play: Table) -> Mapping[str, str]:
    """The terms for messages."""
    fight = play.state.conflict
    return {
        "caller": str(fight.caller) if fight is not None else "nobody",
        "challenged": str(fight.challenged) if fight is not None else "nobody",
        "ejected": listed(play.state.ejected),
    }


CHAPTERS = (setup, scenes, in_scene, conflict, roll, ending)


class Positive(GameInChapters[State]):
    """The rules of Positive."""

    name = "positive"
    title = "Positive (+)"
    least_players = 4
    most_players = 5
    summary = (
        "Friends are at a party, and there is a test result. The host does not know that "
        "everybody is talking. You tell what you like until it goes too far for somebody. Then "
        "Fudge dice decide whose story is true, and who still belongs."
    )
    stretch_verbs = ("scene",)
    chapters = CHAPTERS
    verbs = verbs_of(*CHAPTERS)
    points = (setup.POOL, roll.DICE, roll.UP, roll.DOWN, roll.PLUS)
    law = Law(
        PHASES,
        phase,
        {name: role for chapter in CHAPTERS for name, role in chapter.ROLES.items()},
        {name: actor for chapter in CHAPTERS for name, actor in chapter.ACTORS.items()},
        lambda play, player: play.state.characters.get(player, ""),
        _terms,
    )
    buttons = (
        {
            "cast": "Cast",
            "host": "Host",
            "accuser": "Accuser",
            "scene": "Scene",
            "tell": "Tell",
            "say": "Say",
        },
        {
            "scene": "Scene",
            "tell": "Tell",
            "say": "Say",
            "call": "Call",
            "match": "Match",
            "back": "Back",
            "roll": "Roll dice",
            "end scene": "End scene",
            "back down": "Back down",
            "apology": "Apology",
            "ejection": "Ejection",
            "barge in": "Barge in",
            "end game": "End game",
        },
    )
    questions = QUESTIONS
    requests = ("barge in", "call")
    accounts: ClassVar[Mapping[str, str]] = {
        "dice": "Commitment dice in hand",
        "track": "Steps from Start",
        "box": "The box of dice",
        "start": "The start line",
    }
    supplies = frozenset({"box", "start"})
    measures: ClassVar[Mapping[str, Measure]] = {
        "track": account_measure(
            "steps from Start, negative towards Expelled", (CHARACTER,), "track", STEP
        )._replace(
            # A wrong token answers to the last step it took, or to standing on Start.
            rule=lambda play, id: play.ledger.last_rule(STEP, f"track:{id}") or "P5",
            limits=ending.squares,
            apply_consequences=ending.set_there,
            sentence="{of}'s track is {value}",
        ),
        "dice": account_measure("commitment dice left", ("player",), "dice", DIE)._replace(
            limits=setup.dice_limits
        ),
        "in scene": flag_measure(
            "whether a character is in the open scene",
            (CHARACTER,),
            lambda play, id: id in play.state.cast,
            scenes.put_in_scene,
        )._replace(sentence="{of} is {not}in the scene"),
        "opener": Measure(
            "the character who may open the next scene",
            (),
            lambda play, _: play.state.opener.who or None,
            scenes.set_opener,
            state_kind="turns",
            names=(CHARACTER, PLAYER),
        ),
    }

    def start(self, play: Table) -> State:
        """Dice are handed out, and tokens begin on Start."""
        setup.begin(play)
        return State()

    def player_of(self, play: Table, named: Named) -> str:
        """Who plays a character."""
        return play.state.player(named.id)

    def on_unrecorded_actor(self, play: Table, action: Action) -> None:
        """The actor is not recorded: only state that this entry can change becomes unknown."""
        if not play.is_actor_unrecorded:
            super().on_unrecorded_actor(play, action)
        elif isinstance(action, in_scene.Apology):
            play.unrecorded(*(f"dice:{player}" for player in play.seats))
        elif isinstance(action, scenes.OpenScene):
            play.gaps.add(play.step.number, ("cast",), ("scene", "snapshot"))
        elif isinstance(action, ending.Ejection):
            play.state.told_by_somebody += 1

    def before(self, play: Table, action: Action) -> None:
        """Stories wait while a call is unanswered."""
        if isinstance(action, Tell | Say):
            in_scene.hold_narration(play)
        if isinstance(action, Tell) and not play.step.player and play.state.cast:
            play.step.player = play.state.player(play.state.cast[0])

    def after(self, play: Table, action: Action) -> None:
        """Before the first scene a character is a name. After a gap, or at the beginning of a log in mid-play, the next
        opener is unknown."""
        in_scene.keep_to_names(play, action)
        if isinstance(action, Gap) and action.touches("turns"):
            play.state.opener = Opener()
        elif isinstance(action, PlayStarts):
            play.state.scenes = max(play.state.scenes, 1)

    def skip(self, play: Table, player: str) -> bool:
        """P11: the opener of the next scene is away, so any player may open it. P26: a player with nothing to
        tell passes."""
        state = play.state
        own = state.characters.get(player, "")
        if state.ejected and own not in ("", *state.ejected):
            if player in state.told:
                return False
            state.told[player] = ""
            return True
        if state.in_scene or not own or own != state.opener.who:
            return False
        scenes.give_up_right(play, own)
        return True

    def over(self, play: Table) -> bool:
        """P25: whether a character is thrown out."""
        return bool(play.state.ejected)

    def due(self, play: Table) -> list[Obligation]:
        """An answer, or the dice of both sides."""
        return roll.due(play)

    def odds(self, play: Table, due: Sequence[Obligation]) -> list[str]:
        """The chances of both sides."""
        sides = [first for first in due if first.kind == "fudge"]
        if len(sides) != 2:
            return []
        first, second = sides
        return [str(roll.told_odds(play, first.who, first.amount, second.who, second.amount))]

    def pad(self, play: Table, due: Obligation) -> Pad | None:
        """Fudge dice: plus, blank, minus."""
        return Pad(FUDGE.faces) if due.kind == "fudge" else None

    def options(self, play: Table) -> list[Move]:
        """The possible next entries; in a scene players tell freely (P10)."""
        options = super().options(play)
        state = play.state
        if phase(play) in (OPEN, GIVEN_WAY, DECIDED):
            teller = state.player(state.cast[0]) if state.cast else ""
            words = one_of(("They were seen together", "It was the summer before", "It rained"))
            options.insert(0, Move.plain("tell", teller, "tell anything at all", "P10", words))
        return options

    def situation(self, play: Table) -> str:
        """The state of play in a sentence."""
        state = play.state
        fight = state.conflict
        if state.ejected:
            out = listed(state.ejected)
            return f"The game is over: {out} is out."
        if fight is not None and fight.stage is Stage.CALLED:
            return f"{fight.caller} has called a conflict; {fight.challenged} must answer."
        if fight is not None and fight.stage is Stage.MATCHED:
            return (
                f"{fight.caller} and {fight.challenged} are about to roll; others may back a side."
            )
        if state.in_scene:
            return f"Scene {state.scenes} is open, with {', '.join(state.cast)}."
        if not state.scenes:
            steps = (
                ("the cast", all(name in state.characters for name in play.seats)),
                ("the host", state.host),
                ("the accuser", state.accuser),
            )
            missing = [step for step, known in steps if not known]
            return f"Setup: {listed(missing or ['the first scene'])}."
        character = state.opener.who or "anybody"
        return f"Between scenes; {character} opens the next one."

    def standing(self, play: Table) -> Standing:
        """The state of play in parts."""
        state, fight = play.state, play.state.conflict
        standing = super().standing(play)
        if fight is not None and fight.stage is Stage.CALLED:
            character = str(fight.challenged)
            details = f"{fight.caller} has called a conflict."
            return standing._replace(
                headline=f"{character} must answer",
                more=details,
                turn=state.player(fight.challenged),
            )
        if fight is None and not state.in_scene and state.scenes and not state.ejected:
            character = state.opener.who or "Anybody"
            return standing._replace(
                headline=f"{character} opens the next scene",
                more="",
                crumbs=("Between scenes",),
                turn=state.player(state.opener.who) if state.opener.who else "",
            )
        if state.in_scene and (fight is None or fight.stage is not Stage.MATCHED):
            details = f"In it are {', '.join(state.cast)}."
            return standing._replace(headline="The characters in the scene speak", more=details)
        return standing


RULEBOOK = Positive
