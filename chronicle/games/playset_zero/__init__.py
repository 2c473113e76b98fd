"""Playset Zero: a scenario, two characters, and dice that buy one thing each.

Each file is a chapter of the rule book, in its order: the rules, the readings of open points, then the
verbs, each with its keys, who may do it and when, its guards under their rules, and its effect.

- ``state``: what is remembered; ``table``: where play is, who is meant, and which optional rules are in force;
- ``making``, ``scenes``, ``calling``, ``dice``, ``hits``, ``roll``, ``marks``, ``magic``, ``helping``: the chapters.
  ``dice`` and ``hits`` have no verbs of their own: they hold the guards that the verbs of a roll share.
  ``purchases`` says which die pays for what;
- ``chances``: how likely hits are; ``view`` with ``cards`` and ``charts``: what a reader is shown; ``fresh``: a new
  campaign.

This file ties them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from chronicle.core.answers import Move, Obligation, Offer, Pad, Standing, Thrown
from chronicle.core.declare import Action
from chronicle.core.diagnostic import listed
from chronicle.core.game import GameInChapters, account_measure, verbs_of
from chronicle.core.game_context import Measure
from chronicle.core.law import Law
from chronicle.core.names import PLAYER, Named
from chronicle.core.shared_verbs import PlayStarts
from chronicle.games.playset_zero import (
    calling,
    dice,
    helping,
    hits,
    magic,
    making,
    marks,
    roll,
    scenes,
)
from chronicle.games.playset_zero.questions import QUESTIONS
from chronicle.games.playset_zero.state import ADVANTAGE, CHARACTER, MARK, Stage, State
from chronicle.games.playset_zero.table import (
    OPTION_OF_VERB,
    PHASES,
    Playset,
    Table,
    called,
    find_character,
    in_force,
    only_one,
    phase,
)

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView
    from chronicle.core.diagnostic import Diagnostic


def _terms(play: Table) -> Mapping[str, str]:
    """The terms for messages."""
    action = play.current.action if play.current is not None else None
    terms = dict.fromkeys(("asked", "roller", "involved"), "somebody")
    if isinstance(action, calling.Conflict):
        terms["asked"] = called(find_character(play, action.asks), str(action.asks))
    elif isinstance(action, calling.Goal):
        terms["roller"] = called(action.character(play), action.player(play))
        terms["involved"] = calling.involved_names(play)
    return terms


def _embodied(play: Table, player: str) -> str:
    character = only_one(play, play.names.all[player].name)
    return character.id if character is not None else ""


CHAPTERS = (making, scenes, calling, dice, hits, roll, marks, magic, helping)
WITH_VERBS = (making, scenes, calling, roll, marks, magic, helping)


class PlaysetZero(GameInChapters[State]):
    """The rules of Playset Zero."""

    name = "playset-zero"
    title = "Playset Zero"
    least_players = 2
    most_players = 2
    summary = (
        "A GM, two players, and a situation that is about to go wrong. For each roll you name a "
        "goal and two dangers. Each die of five or more buys one of them, and what you do not buy "
        "goes wrong. Trouble leaves marks, and marks change people."
    )
    settings = Playset
    chapters = CHAPTERS
    verbs = verbs_of(*WITH_VERBS)
    points = (marks.FEATURE, marks.FLAW, dice.WHITE_DICE, dice.LEAST)
    law = Law(
        PHASES,
        phase,
        {name: role for chapter in WITH_VERBS for name, role in chapter.ROLES.items()},
        {name: actor for chapter in WITH_VERBS for name, actor in chapter.ACTORS.items()},
        _embodied,
        _terms,
    )
    buttons = (
        {
            "scenario": "Scenario",
            "character": "Character",
            "magic": "Magic",
            "discover": "Discover",
            "scene": "Scene",
            "tell": "Tell",
            "say": "Say",
        },
        {
            "scene": "Scene",
            "goal": "Goal",
            "danger": "Danger",
            "roll": "Roll dice",
            "spend": "Spend",
            "outcome": "Outcome",
            "say": "Say",
            "tell": "Tell",
            "mark": "Mark",
            "offer": "Offer",
            "help": "Help",
            "hinder": "Hinder",
            "end scene": "End scene",
        },
    )
    questions = QUESTIONS
    requests = ("help", "hinder")
    accounts: ClassVar[Mapping[str, str]] = {
        "marks": "Marks on the sheet",
        "trouble": "Trouble that earned them",
        "rolls": "Spent on rolls",
        "features": "Spent on Features",
        "advantages": "Established advantages",
        "hits": "Hits that established them",
    }
    supplies = frozenset({"trouble", "rolls", "features", "hits"})
    measures: ClassVar[Mapping[str, Measure]] = {
        "marks": account_measure("earned advantage dice left", (CHARACTER,), "marks", MARK),
        "advantages": account_measure(
            "established advantages not erased yet", (CHARACTER,), "advantages", ADVANTAGE
        )._replace(write=marks.set_advantages),
        "hits": Measure(
            "hits of the last roll",
            (),
            roll.hits_of_last_roll,
            roll.set_hits,
            lambda play, id: "Z24",
            roll.hits_limits,
            state_kind="pools",
        ),
    }

    def why_not_played(self, play: Table, verb: str) -> str:
        """The optional rule of a verb that is not in force."""
        option = OPTION_OF_VERB.get(verb, "")
        return "" if not option or in_force(play, option) else f"only with the option {option}"

    def start(self, play: Table) -> State:
        """The state before the first entry; the number of players is checked."""
        making.begin(play)
        return State()

    def player_of(self, play: Table, named: Named) -> str:
        """The player of a character."""
        return "" if named.kind == PLAYER else play.state.characters[named.id].owner

    def left_out(self, play: Table, diagnostic: Diagnostic) -> None:
        """An unreadable entry makes the state that it may have changed doubtful."""
        roll.doubt_what_follows(play, diagnostic)

    def before(self, play: Table, action: Action) -> None:
        """The doubt about a roll ends where the next one begins."""
        roll.end_doubt(play, action)

    def after(self, play: Table, action: Action) -> None:
        """A log that begins in mid-play has its start behind it."""
        if isinstance(action, PlayStarts):
            play.state.has_begun = True

    def fill(self, view: CampaignView) -> None:
        """The pages of the game."""
        self.submodule("view").fill(view, self.rulings)

    def over(self, play: Table) -> bool:
        """Whether the table has ended the scenario."""
        return bool(play.state.over)

    def due(self, play: Table) -> list[Obligation]:
        """The open obligations: a goal, dangers, dice, or hits to spend."""
        return roll.due(play)

    def odds(self, play: Table, due: Sequence[Obligation]) -> list[str]:
        """The chances of the next dice."""
        return roll.odds(play, due)

    def pad(self, play: Table, due: Obligation) -> Pad | None:
        """Dice by their colour: five or more is a hit."""
        return roll.pad(play, due)

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """Faces by die."""
        return {verb: roll.faces_thrown(dice)}

    def options(self, play: Table) -> list[Move]:
        """The possible next entries, with prices in marks."""
        return [marks.priced(play, option) for option in super().options(play)]

    def offers(self, play: Table, verb: str, by: str) -> Iterable[Offer]:
        """The purchases of a hit, and the dangers of a roll."""
        return roll.offers(play, verb)

    def standing(self, play: Table) -> Standing:
        """The state of play in parts, with the player on turn, although marks and offers are allowed at any time."""
        state = play.state
        without = self._without_character(play)
        if not state.scenario:
            turn = play.runner
        elif without:
            turn = without[0] if len(without) == 1 else ""
        else:
            turn = roll.whose_turn(play)
        return super().standing(play)._replace(turn=turn)

    def _without_character(self, play: Table) -> list[str]:
        """Before the first roll: the players who have no character yet."""
        return [] if play.state.rolls else making.without_character(play)

    def situation(self, play: Table) -> str:
        """The state of play in a sentence."""
        state = play.state
        running = state.running()
        if state.over:
            return "The scenario is over."
        if not state.scenario:
            return f"Before play: {play.runner} brings the scenario."
        if without := self._without_character(play):
            makes = "makes" if len(without) == 1 else "make"
            return f"Before play: {listed(without)} {makes} a character."
        if state.call is not None:
            character = state.characters[state.call.asks]
            return f"{character.owner} is asked to roll for {character.name}: {state.call.words}"
        if running is not None and running.stage is Stage.GOAL:
            waiting, unspent = running.waiting(), running.unspent()
            if len(running.dangers) < calling.dangers_due(play, running)[0]:
                return f"{running.name} has a goal; the others name dangers."
            if waiting is not None:
                return f"{waiting.name} rolls first, then {running.name}."
            if unspent is not None:
                return f"{unspent.name} says where the two dice go, then {running.name} rolls."
            return f"{running.name} is about to roll: {running.goal}"
        if running is not None:
            return f"{running.name} has rolled and says what the hits buy."
        scene = play.timeline.current
        if scene is None:
            return "Between scenes; play goes on until a conflict comes up."
        return f"In scene {scene.number}, {scene.title}; play goes on until a conflict comes up."


RULEBOOK = PlaysetZero
