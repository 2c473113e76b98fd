"""Positive (+): secrets and gossip at a party, for four or five players.

The smallest of the games, and the one to read first when you want to add another. In reading order:

- ``actions``: what a log can say; ``state``: what is remembered; ``table``: questions of the handlers;
- ``setup``, ``scenes``, ``conflict``, ``ending``: what each verb does;
- ``rulings`` and ``rules``: why; ``options``: what may come next; ``view``: what a reader is shown.

This file ties them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chronicle.core.common import Gap, PlayStarts, Tell
from chronicle.core.declare import Action
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import Measure, Play, Standing
from chronicle.core.rulebook import InRooms, account_measure, by_name, flag_measure
from chronicle.games.positive import actions, conflict, ending, ends, scenes, setup
from chronicle.games.positive.computed import POINTS
from chronicle.games.positive.law import LAW
from chronicle.games.positive.rulings import RULINGS
from chronicle.games.positive.state import CHARACTER, DIE, STEP, Stage, State


class Positive(InRooms[State]):
    """The rules of Positive."""

    name = "positive"
    title = "Positive (+)"
    summary = (
        "A party among friends, a test result, and a host who does not know that everybody is talking "
        "about them. Players tell whatever they like until it goes too far for somebody; then Fudge "
        "dice decide whose version is true, and who still belongs."
    )
    afresh = ("scene",)
    handlers = by_name(actions, setup, scenes, conflict, ending)
    rulings = RULINGS
    points = POINTS
    law = LAW
    accounts: ClassVar[Mapping[str, str]] = {
        "dice": "Commitment dice in hand",
        "track": "Steps from Start",
        "box": "The box of dice",
        "start": "The start line",
    }
    measures: ClassVar[Mapping[str, Measure]] = {
        "track": account_measure(
            "steps from Start, negative towards Expelled", (CHARACTER,), "track", STEP
        )._replace(
            # A wrong token answers to the last step it took, or to standing on Start.
            rule=lambda play, id: (
                last.rule if (last := play.ledger.last(STEP, f"track:{id}")) else "P5"
            ),
            limits=ends.squares,
            crossed=ends.set_there,
        ),
        "dice": account_measure("commitment dice left", ("player",), "dice", DIE)._replace(
            limits=ends.pool
        ),
        "in scene": flag_measure(
            "whether a character is in the open scene",
            (CHARACTER,),
            lambda play, id: id in play.state.cast,
            scenes.put_in_scene,
        ),
        "opener": Measure(
            "the character who may open the next scene",
            (),
            lambda play, _: play.state.opener or None,
            scenes.set_opener,
            about="turns",
            names=(CHARACTER, PLAYER),
        ),
    }

    def start(self, play: Play[State]) -> State:
        """Dice are handed out, tokens stand on Start."""
        setup.begin(play)
        return State()

    def player_of(self, play: Play[State], named: Named) -> str:
        """Who plays a character."""
        return play.state.player(named.id)

    def before(self, play: Play[State], action: Action) -> None:
        """Stories wait while a call is unanswered."""
        if isinstance(action, Tell):
            scenes.narrate(play)
            if not play.step.player and play.state.cast:
                play.step.player = play.state.player(play.state.cast[0])

    def after(self, play: Play[State], action: Action) -> None:
        """Across a gap, or where a log begins in mid-play, nobody knows whose scene is next."""
        if isinstance(action, Gap) and action.touches("turns"):
            play.state.opener, play.state.opener_why = "", ""
        elif isinstance(action, PlayStarts):
            play.state.scenes = max(play.state.scenes, 1)

    def skip(self, play: Play[State], player: str) -> bool:
        """P11: whoever should open the next scene is away, so anybody may. P26: in the end whoever has
        nothing to tell passes."""
        state = play.state
        if state.ejected and state.characters.get(player, "") not in ("", *state.ejected):
            if player in state.told:
                return False
            state.told[player] = ""
            return True
        if state.in_scene or state.characters.get(player) != state.opener:
            return False
        state.opener = state.opener_why = ""
        return True

    def over(self, play: Play[State]) -> bool:
        return bool(play.state.ejected)

    def situation(self, play: Play[State]) -> str:
        """Where play is."""
        state = play.state
        fight = state.conflict
        if state.ejected:
            out = " and ".join(state.ejected)
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
            return "Setup: the cast, the host and the accuser."
        who = state.opener or "anybody"
        return f"Between scenes; {who} opens the next one."

    def standing(self, play: Play[State]) -> Standing:
        """Where play is, in parts."""
        state, fight = play.state, play.state.conflict
        found = super().standing(play)
        if fight is not None and fight.stage is Stage.CALLED:
            who = fight.challenged
            more = f"{fight.caller} has called a conflict."
            return found._replace(headline=f"{who} must answer", more=more, turn=state.player(who))
        if fight is None and not state.in_scene and state.scenes and not state.ejected:
            who = state.opener or "Anybody"
            return found._replace(
                headline=f"{who} opens the next scene",
                more="",
                crumbs=("Between scenes",),
                turn=state.player(state.opener) if state.opener else "",
            )
        if state.in_scene and (fight is None or fight.stage is not Stage.MATCHED):
            more = f"In it are {', '.join(state.cast)}."
            return found._replace(headline="Whoever is in the scene speaks", more=more)
        return found


RULEBOOK = Positive
