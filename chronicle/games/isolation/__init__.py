"""Isolation: a small group, cut off, under pressure; links of liking and hate decide who helps.

In reading order: ``actions`` (what a log can say), ``state`` (what is remembered), ``dice`` and
``counting`` (open-ended dice), ``table`` (links, Stress and health in the ledger), ``sheets`` and
``linkmap`` (setup), ``persuasion``, ``modifiers`` and ``stances`` (the first reading),
``resolution``, ``stated`` and ``effects`` (the second reading and what it moves), ``harm`` and
``deaths`` (wounds, deaths, recovery), ``evenings`` (pair rolls), ``lost`` (what an unreadable entry
leaves uncertain), ``pressure`` (Stress), ``figures``
(assertions), ``turn`` and ``options`` (where play is, what may come next), ``rulings`` and
``rules`` (why), ``view``, ``mapview`` and ``cards`` (what a reader is shown).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from chronicle.core.answers import Due, Option, Standing
from chronicle.core.campaign import SEAT, Session, Settings
from chronicle.core.declare import Action, option
from chronicle.core.diagnostic import Finding
from chronicle.core.kinds import choice
from chronicle.core.names import Named
from chronicle.core.play import Play
from chronicle.core.rulebook import InRooms, verbs_of
from chronicle.core.shared_verbs import EndSession, Gap, PlayStarts, Tell
from chronicle.core.stated_figures import Snapshot
from chronicle.games.isolation import (
    deaths,
    evenings,
    harm,
    linkmap,
    lost,
    pressure,
    proposals,
    rolls,
    scenes,
    setup,
    stances,
    stated,
)
from chronicle.games.isolation.computed import POINTS
from chronicle.games.isolation.figures import MEASURES
from chronicle.games.isolation.law import LAW
from chronicle.games.isolation.rulings import RULINGS
from chronicle.games.isolation.state import Stage, State, Tally
from chronicle.games.isolation.table import set_loose
from chronicle.games.isolation.turn import situation, standing

if TYPE_CHECKING:
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


class Isolation(InRooms[State]):
    """The rules of Isolation."""

    name = "isolation"
    title = "Isolation"
    summary = (
        "A handful of people, a place they cannot leave, and something that keeps them there. Red "
        "and green links say what stands between each two of them; one roll decides who helps, and "
        "then, read again, how it ends."
    )
    settings = IsolationSettings
    verbs = verbs_of(
        setup, linkmap, scenes, proposals, rolls, stances, stated, harm, deaths, evenings, pressure
    )
    rulings = RULINGS
    points = POINTS
    measures = MEASURES
    law = LAW
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

    def start(self, play: Play[State]) -> State:
        """An empty table."""
        return State()

    def open_session(self, play: Play[State], session: Session) -> None:
        """Pairs that rolled between the sessions have done so; play begins again."""
        state = play.state
        state.session = session.number
        state.ending = 0
        if play.ruling("unlabelled_expire") == "yes" and state.conflicts:
            for pair in list(state.loose):
                set_loose(play, pair, Tally(0, 0), "I54", "the session is over")

    def close_session(self, play: Play[State], session: Session) -> None:
        """Recovery belongs between sessions."""
        if play.state.conflicts and play.state.conflict is None:
            deaths.heal(play)

    def player_of(self, play: Play[State], named: Named) -> str:
        """Who plays a character."""
        person = play.state.people.get(named.id)
        return person.player if person is not None else play.runner

    def left_out(self, play: Play[State], finding: Diagnostic) -> None:
        """What an entry left out makes uncertain."""
        lost.left_out(play, finding)

    def before(self, play: Play[State], action: Action) -> None:
        """The procedure: wounds before anything else."""
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
            # A new scene closes the one before, which the entry is no part of.
            scene.last_step = play.step.index - 1
        elif scene is not None and isinstance(action, proposals.Propose) and action.by is not None:
            who = play.names.find(action.by, ("character",))
            if isinstance(who, Named) and who.id not in scene.cast:
                scene.cast.append(who.id)

    def after(self, play: Play[State], action: Action) -> None:
        """A log that begins in mid-play has its map; an evening that ends heals what is healed."""
        state = play.state
        conflict = state.conflicts[-1] if state.conflicts else None
        if (
            conflict is not None
            and play.step.index in conflict.steps
            and any(d.finding is Finding.ILLEGAL for d in play.step.diagnostics)
        ):
            play.taint(f"conflict:{conflict.number}")
        if isinstance(action, Snapshot) and not play.given:
            scenes.note_deaths(play)
        if isinstance(action, PlayStarts | Snapshot):
            state.map_step = state.map_step or play.step.index
            state.given = True
        elif isinstance(action, EndSession) and state.conflict is None and state.conflicts:
            deaths.heal(play)
        elif isinstance(action, Gap) and state.conflict is not None:
            play.event("what follows from the last proposal may be missing", kind="gap")

    def options(self, play: Play[State]) -> list[Option]:
        """What may come next: what the law derives, then what the table may do at any time."""
        derived = {verb.verb for verb in self.verbs if verb.offered is not None}
        return sorted(super().options(play), key=lambda option: option.verb not in derived)

    def over(self, play: Play[State]) -> bool:
        return bool(play.state.over)

    def besides(self, verb: str, path: tuple[str, ...]) -> Mapping[str, str]:
        """How Goals stand to each other, with their links."""
        from chronicle.games.isolation.offers import besides

        return besides(verb, path)

    def may_fall(self, play: Play[State]) -> list[Due]:
        """What each pair throws at the end of a session."""
        from chronicle.games.isolation.due import may_fall

        return may_fall(play)

    def situation(self, play: Play[State]) -> str:
        """Where play is."""
        return situation(play)

    def standing(self, play: Play[State]) -> Standing:
        """Where play is, in parts."""
        return standing(play)


RULEBOOK = Isolation
