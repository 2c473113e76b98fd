"""Isolation: a small group, cut off, under pressure; links of liking and hate decide who helps.

A chapter of the rule book is a module: its rules, the readings of open points, its verbs with their guards and
effects. In the order of play:

- ``setup`` and ``linkmap``: the scenario, the characters, the relationship map;
- ``proposals`` with ``modifiers``, ``rolls`` with ``counting``, ``stances``: a proposal and the first reading;
- ``resolution``, ``stated``, ``effects``: the second reading, its result and the effects of it;
- ``harm`` and ``deaths``, ``evenings``, ``pressure``, ``scenes``: wounds, the end of a session, Stress, scenes.

The others help them:

- ``state``, ``table``, ``people``, ``phases``: the state of play, its links and figures, its names, its phases;
- ``dice``, ``counted``, ``base_dice``, ``bounds``, ``verdicts``, ``persuasion``, ``odds``: dice;
- ``figures``, ``computed``, ``ratings``: stated figures, house rules, kinds of values;
- ``turn``, ``due``, ``offers``, ``lost``: the state of play in words, open obligations, values that fit a key, doubt
  after an unreadable entry;
- ``view``, ``mapview``, ``cards``, ``results``, ``fresh``: pages, outcomes, a new campaign.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from chronicle.core.answers import Move, Obligation, Offer, Pad, Standing, Thrown
from chronicle.core.campaign import SEAT, Session, Settings
from chronicle.core.declare import Action, option
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.field_types import choice
from chronicle.core.game import GameInChapters, verbs_of
from chronicle.core.game_context import GameContext
from chronicle.core.law import TABLE, Law
from chronicle.core.names import Named
from chronicle.core.shared_verbs import EndSession, Gap, PlayStarts, Tell
from chronicle.core.stated_figures import Snapshot
from chronicle.games.isolation import (
    counting,
    deaths,
    due,
    effects,
    evenings,
    harm,
    linkmap,
    lost,
    modifiers,
    offers,
    pressure,
    proposals,
    resolution,
    rolls,
    scenes,
    setup,
    stances,
    stated,
)
from chronicle.games.isolation.computed import POINTS
from chronicle.games.isolation.figures import MEASURES
from chronicle.games.isolation.phases import DECISION, ENDING, PHASES, UNDECIDED_DOUBTED, phase
from chronicle.games.isolation.questions import QUESTIONS
from chronicle.games.isolation.state import Stage, State, Tally
from chronicle.games.isolation.table import embodied, set_loose
from chronicle.games.isolation.turn import situation, standing

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView
    from chronicle.core.diagnostic import Diagnostic


class IsolationSettings(Settings):
    """``campaign.yaml`` of Isolation."""

    facilitator = "gm"

    gm = option(SEAT, "who runs the threat, the difficulties and the Stress Level")
    map_built_by = option(
        choice("anybody", "gm"),
        "who draws the first links: anybody, or the gm only",
        default="anybody",
    )
    shared_bias = option(
        choice("may", "always", "never"),
        "whether a bias in common draws two green links",
        default="may",
    )
    sheet = option(
        choice("recommended", "free"), "the size of character sheets", default="recommended"
    )


CHAPTERS = (
    setup,
    linkmap,
    scenes,
    proposals,
    modifiers,
    counting,
    rolls,
    stances,
    resolution,
    stated,
    effects,
    harm,
    deaths,
    evenings,
    pressure,
)


def _terms(play: GameContext[State]) -> Mapping[str, str]:
    """The terms for messages."""
    conflict = play.state.conflict
    return {"active": conflict.active if conflict is not None else "nobody"}


class Isolation(GameInChapters[State]):
    """The rules of Isolation."""

    name = "isolation"
    title = "Isolation"
    least_players = 3
    summary = (
        "A few people are in a place that they cannot leave. Green links between them say why "
        "they like each other, and red links why they do not. One roll decides who helps; the "
        "same dice, read once more, decide how it ends."
    )
    settings = IsolationSettings
    chapters = CHAPTERS
    verbs = verbs_of(*CHAPTERS)
    points = POINTS
    measures = MEASURES
    law = Law(
        PHASES,
        phase,
        {name: role for part in CHAPTERS for name, role in getattr(part, "ROLES", {}).items()},
        {
            "table": TABLE,
            **{
                name: actor
                for part in CHAPTERS
                for name, actor in getattr(part, "ACTORS", {}).items()
            },
        },
        embodied,
        _terms,
    )
    buttons = (
        {
            "scenario": "Scenario",
            "character": "Character",
            "green": "Green link",
            "red": "Red link",
            "map": "Close the map",
            "tell": "Tell",
            "say": "Say",
            "scene": "Scene",
            "erase": "Erase a link",
            "propose": "Propose",
        },
        {
            "propose": "Propose",
            "roll": "Roll dice",
            "stance": "Stances",
            "difficulty": "Difficulty",
            "result": "Result",
            "say": "Say",
            "tell": "Tell",
            "stress": "Stress",
            "motive": "Motive",
            "wounds": "Wounds",
            "scene": "Scene",
            "end scene": "End scene",
            "pair rolls": "Pair rolls",
        },
    )
    questions = QUESTIONS
    accounts: ClassVar[Mapping[str, str]] = {
        "box": "The box of links",
        "green": "Labelled green links",
        "red": "Labelled red links",
        "unlabelled green": "Unlabelled green links",
        "unlabelled red": "Unlabelled red links",
        "stress": "The Stress Level",
        "wounds": "Levels of health lost",
        "threat": "The threat",
    }
    supplies = frozenset({"box", "threat"})

    def start(self, play: GameContext[State]) -> State:
        """An empty table."""
        return State()

    def open_session(self, play: GameContext[State], session: Session) -> None:
        """Begin a session: pairs that rolled between the sessions have done so."""
        state = play.state
        state.session = session.number
        state.ending = 0
        if play.ruling("unlabelled_expire") == "yes" and state.conflicts:
            for pair in list(state.loose):
                set_loose(play, pair, Tally(0, 0), "I54", "the session is over")

    def close_session(self, play: GameContext[State], session: Session) -> None:
        """Recovery belongs between sessions."""
        if play.state.conflict is None:
            deaths.heal(play)

    def player_of(self, play: GameContext[State], named: Named) -> str:
        """Who plays a character."""
        person = play.state.people.get(named.id)
        return person.player if person is not None else play.runner

    def left_out(self, play: GameContext[State], diagnostic: Diagnostic) -> None:
        """Mark figures as doubtful after an unreadable entry."""
        lost.left_out(play, diagnostic)

    def before(self, play: GameContext[State], action: Action) -> None:
        """Wounds come before the end of a session, and scenes get their cast."""
        lost.end_doubt(play, action)
        if isinstance(action, Tell):
            scenes.hold_telling(play)
        conflict = play.state.conflict
        if (
            conflict is not None
            and conflict.stage in (Stage.RESULT, Stage.DEATHS)
            and isinstance(action, EndSession)
        ):
            harm.report_unsettled(play, conflict)
        scene = play.timeline.current
        if scene is not None and isinstance(action, scenes.OpenScene):
            # A new scene closes the last scene, and the entry does not belong to that.
            scene.last_step = play.step.number - 1
        elif scene is not None and isinstance(action, proposals.Propose) and action.by is not None:
            proposer = play.names.find(action.by, ("character",))
            if isinstance(proposer, Named) and proposer.id not in scene.cast:
                scene.cast.append(proposer.id)

    def after(self, play: GameContext[State], action: Action) -> None:
        """A log that begins in mid-play has its map. The end of a session heals characters without wound links."""
        state = play.state
        conflict = state.conflicts[-1] if state.conflicts else None
        if (
            conflict is not None
            and play.step.number in conflict.steps
            and any(d.kind is DiagnosticKind.ILLEGAL for d in play.step.diagnostics)
        ):
            play.taint(f"conflict:{conflict.number}")
        self._note_unknown_names(play, action)
        if isinstance(action, Snapshot) and not play.given:
            scenes.note_deaths(play)
            deaths.draw_told_wounds(play, (action,))
        elif isinstance(action, PlayStarts):
            above = (step.action for step in play.steps)
            deaths.draw_told_wounds(play, (one for one in above if isinstance(one, Snapshot)))
        if isinstance(action, PlayStarts | Snapshot):
            state.map_step = state.map_step or play.step.number
            state.given = True
        elif isinstance(action, EndSession) and state.conflict is None:
            deaths.heal(play)
        elif isinstance(action, Gap) and state.conflict is not None:
            play.event("the record may lack effects of the last proposal", kind="gap")
            if any(
                gap.step_number == play.step.number and gap.is_about("tracks")
                for gap in play.gaps.all_gaps
            ):
                effects.take_effect_of_harm(play, state.conflict)

    def _note_unknown_names(self, play: GameContext[State], action: Action) -> None:
        """A character whom a gap hides may have a part in the open conflict."""
        conflict, problem = play.state.conflict, play.last_name_problem
        if (
            conflict is not None
            and isinstance(action, proposals.Propose | rolls.Roll | stances.Stance)
            and problem is not None
            and problem.step_number == play.step.number
            and problem.kind is DiagnosticKind.UNKNOWN
        ):
            conflict.lacks_names = True
            for key in (f"conflict:{conflict.number}", UNDECIDED_DOUBTED):
                play.tainted.setdefault(key, problem)

    def options(self, play: GameContext[State]) -> list[Move]:
        """The possible next entries, and the end of the session."""
        options = super().options(play)
        if phase(play) in (DECISION, ENDING):
            hint = "the session ends; before that, each pair can roll its links once"
            options.append(Move.plain(EndSession.verb, "", hint, "I55", "Good night"))
        return options

    def offers(self, play: GameContext[State], verb: str, by: str) -> Iterable[Offer]:
        """The values that fit the keys of a verb."""
        return offers.offers(play, verb)

    def due(self, play: GameContext[State]) -> list[Obligation]:
        """The open obligations."""
        return due.due(play)

    def may_fall(self, play: GameContext[State]) -> list[Obligation]:
        """The dice that each pair can roll at the end of a session."""
        return due.may_fall(play)

    def odds(self, play: GameContext[State], due_now: Sequence[Obligation]) -> list[str]:
        """The chances of the stances, or of a success."""
        return due.odds(play, due_now)

    def pad(self, play: GameContext[State], owed: Obligation) -> Pad | None:
        """Open-ended dice of two colours."""
        return due.pad(play, owed)

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """Faces by character and colour."""
        return due.thrown(verb, dice)

    def fill(self, view: CampaignView) -> None:
        """The pages of the game."""
        self.submodule("view").fill(view, self.rulings)

    def over(self, play: GameContext[State]) -> bool:
        return bool(play.state.over)

    def besides(self, verb: str, path: tuple[str, ...]) -> Mapping[str, str]:
        """How Goals relate, with their links."""
        return offers.besides(verb, path)

    def situation(self, play: GameContext[State]) -> str:
        """The state of play in a sentence."""
        return situation(play)

    def standing(self, play: GameContext[State]) -> Standing:
        """The state of play in parts."""
        return standing(play)


RULEBOOK = Isolation
