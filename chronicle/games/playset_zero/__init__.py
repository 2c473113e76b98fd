"""Playset Zero: a scenario, two characters, and dice that buy one thing each.

Three chapters hold their verbs, with guards and effects: ``making`` (before play), ``marks`` (advantage
dice) and ``scenes``. The verbs of a roll are in ``actions``; their effects are in ``dangers``, ``pools``
(which dice), ``helping``, ``rolls``, ``spending`` and ``outcomes``, and ``options`` lists what may come
next of them. ``state``, ``table`` and ``law`` serve both; ``rules`` and ``rulings`` are the book; ``view``,
``cards`` and ``charts`` are what a reader is shown. This file ties them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from chronicle.core.answers import Option, Standing
from chronicle.core.declare import Action
from chronicle.core.names import Named
from chronicle.core.play import Play
from chronicle.core.rulebook import InRooms, by_name, verbs_of
from chronicle.core.shared_verbs import PlayStarts
from chronicle.games.playset_zero import (
    actions,
    dangers,
    helping,
    lost,
    making,
    marks,
    outcomes,
    rolls,
    scenes,
)
from chronicle.games.playset_zero.computed import POINTS
from chronicle.games.playset_zero.law import LAW
from chronicle.games.playset_zero.measures import MEASURES
from chronicle.games.playset_zero.rulings import RULINGS
from chronicle.games.playset_zero.state import CHARACTER, Stage, State

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic


class PlaysetZero(InRooms[State]):
    """The rules of Playset Zero."""

    name = "playset-zero"
    title = "Playset Zero"
    summary = (
        "A GM, two players and a situation that is about to go wrong. Every roll states a goal and two "
        "dangers; each die of five or more buys exactly one of them, and what nobody pays for goes "
        "wrong. Trouble earns marks, and marks change who a character is."
    )
    settings = actions.Playset
    verbs = verbs_of(making, marks, scenes)
    handlers = by_name(actions, rolls, dangers, helping, outcomes)
    rulings = RULINGS
    points = POINTS
    law = LAW
    accounts: ClassVar[Mapping[str, str]] = {
        "marks": "Marks on the sheet",
        "trouble": "Trouble that earned them",
        "rolls": "Spent on rolls",
        "features": "Spent on Features",
        "advantages": "Established advantages",
        "hits": "Hits that established them",
    }
    measures = MEASURES

    def start(self, play: Play[State]) -> State:
        """An empty table; its size is looked at."""
        making.begin(play)
        return State()

    def player_of(self, play: Play[State], named: Named) -> str:
        """Who plays a character."""
        return play.state.characters[named.id].owner if named.kind == CHARACTER else ""

    def left_out(self, play: Play[State], finding: Diagnostic) -> None:
        """What an entry left out makes uncertain."""
        lost.left_out(play, finding)

    def before(self, play: Play[State], action: Action) -> None:
        """The doubt about a roll ends where the next one begins."""
        lost.end_doubt(play, action)

    def after(self, play: Play[State], action: Action) -> None:
        """A log that begins in mid-play has its start behind it."""
        if isinstance(action, PlayStarts):
            play.state.checked_start = True

    def options(self, play: Play[State]) -> list[Option]:
        """What may come next, with prices in marks."""
        return [marks.priced(play, option) for option in super().options(play)]

    def over(self, play: Play[State]) -> bool:
        return bool(play.state.over)

    def standing(self, play: Play[State]) -> Standing:
        """Where play is, and whose turn: marks, offers and characters may come at any time, and do not hide it."""
        state = play.state
        if not state.scenario:
            actors = {play.runner}
        elif without := self._without_character(play):
            actors = {*without}
        elif state.call is not None or state.running() is not None:
            actors = {option.by for option in self.room("options").options(play)}
        else:
            actors = set()
        turn = actors.pop() if len(actors) == 1 else ""
        return super().standing(play)._replace(turn=turn)

    def _without_character(self, play: Play[State]) -> list[str]:
        """Before the first roll: the players who have no character yet."""
        return [] if play.state.rolls else [name for name in play.seats if not play.state.of(name)]

    def situation(self, play: Play[State]) -> str:
        """Where play is."""
        state = play.state
        roll = state.running()
        if state.over:
            return "The scenario is over."
        if not state.scenario:
            return f"Before play: {play.runner} brings the scenario."
        if without := self._without_character(play):
            makes = "makes" if len(without) == 1 else "make"
            return f"Before play: {' and '.join(without)} {makes} a character."
        if state.call is not None:
            who = state.characters[state.call.asks]
            return f"{who.owner} is asked to roll for {who.name}: {state.call.what}"
        if roll is not None and roll.stage is Stage.GOAL:
            waiting = roll.waiting()
            least, _ = dangers.dangers_due(play, roll)
            if len(roll.dangers) < least:
                return f"{roll.name} has a goal; the others name dangers."
            if waiting is not None:
                return f"{waiting.name} rolls first, then {roll.name}."
            unspent = roll.unspent()
            if unspent is not None:
                return f"{unspent.name} says where the two dice go, then {roll.name} rolls."
            return f"{roll.name} is about to roll: {roll.goal}"
        if roll is not None:
            return f"{roll.name} has rolled and says what the hits buy."
        scene = play.timeline.current
        if scene is None:
            return "Between scenes; play goes on until a conflict comes up."
        return f"In scene {scene.number}, {scene.title}; play goes on until a conflict comes up."


RULEBOOK = PlaysetZero
