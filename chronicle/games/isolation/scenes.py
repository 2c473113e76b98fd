"""Scenes, leaving, and the end. The text has no rule for scenes; they give the story its order (I42, I79)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAMES, TEXT, in_role
from chronicle.core.fix import add_entry, drop_key
from chronicle.core.law import Role
from chronicle.core.sentences import Sentence, said
from chronicle.core.telling import TextRole
from chronicle.core.timeline import Scene
from chronicle.games.isolation.harm import WaitsForWounds
from chronicle.games.isolation.people import (
    ALIVE,
    IN_SCENARIO,
    find_character,
    is_or_are,
    playing_role,
)
from chronicle.games.isolation.phases import (
    ALWAYS,
    DEATHS,
    DECISION,
    ENDING,
    MIDWAY,
    NOT_DECIDED,
    SETUP,
    START,
    UNDECIDED_DOUBTED,
    WHILE_RUNNING,
    WOUNDS,
)
from chronicle.games.isolation.state import CHARACTER, OUTSIDER
from chronicle.games.isolation.table import Table

ROLES: Mapping[str, Role] = {
    "there": Role(
        "a character who is in the scene",
        "be in a scene",
        (ALIVE, IN_SCENARIO),
        (CHARACTER, OUTSIDER),
        groups=("everybody", "all"),
    ),
    "leaves": playing_role("a character who leaves", "leave"),
}


class OpenScene(Action):
    """Open a scene: where, when, who is there. Isolation has no rules for scenes; they help readers."""

    verb = "scene"
    synonyms = ("location", "place")
    decides = Decides("table")
    moment = ALWAYS
    offered = Offered("", "open a scene", weight=-1)
    example = "scene: The lamp room\n  with: [Ruth, Basil]\n  time: towards morning"
    title = main(TEXT, "a title")
    with_ = option(
        in_role("there", NAMES),
        "who is there, or 'everybody', as without it",
        default=(),
        words=("everybody",),
    )
    at = option(TEXT, "the place, if the title does not say", is_place=True)
    time = option(TEXT, "when, in your words")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if play.state.conflict is None:
            yield {"scene": f"Scene {play.state.scenes + 1}", "time": "later"}

    def sentence(self, play: Table) -> Sentence:
        cast = self.cast(play)
        if not cast:
            return (f"A scene opens: {self.title}.",)
        return (*said("A scene opens with {}: ", cast), f"{self.title}.")

    def cast(self, play: Table) -> list[str]:
        """The characters who are there; none means everybody."""
        return [id for word in self.with_ if (id := find_character(play, word))]

    def apply(self, play: Table) -> None:
        state, cast = play.state, self.cast(play)
        state.scenes += 1
        state.scene_cast = tuple(cast)
        scene = Scene(
            str(self.title),
            time=str(self.time or ""),
            place=str(self.at or ""),
            opener=play.step.player,
            cast=cast or state.playing(),
        )
        play.open_scene(scene)


class EndScene(Action):
    """Close the scene."""

    verb = "end scene"
    synonyms = ("close",)
    decides = Decides("table")
    moment = ALWAYS
    offered = Offered("", "close the scene", weight=-1)
    example = "end scene: The lamp goes on turning"
    words = main(TEXT, "how it ends", default=None, text_role=TextRole.SENTENCE)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        yield {"end scene": "So be it"}

    def sentence(self, play: Table) -> Sentence:
        return ("The scene ends.",)

    def apply(self, play: Table) -> None:
        scene = play.timeline.current
        play.state.scene_cast = ()
        if scene is not None:
            scene.last_step = play.step.number
            scene.closing = str(self.words or "")
        play.step.tell(self.words or None)


class Out(WaitsForWounds):
    """A character leaves the scenario alive."""

    verb = "out"
    lead_in_template = "{who} out of it"
    synonyms = ("exit", "escape")
    decides = Decides("table")
    moment = WHILE_RUNNING
    offered = Offered("I42", "a character leaves the scenario alive", is_rare=True, weight=-1)
    example = "out: Dagny"
    who = main(in_role("leaves", NAMES), "the characters who leave")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        yield from ({"out": id} for id in play.state.playing())

    def sentence(self, play: Table) -> Sentence:
        characters = [id for word in self.who if (id := find_character(play, word))]
        verb = "leave" if len(characters) > 1 else "leaves"
        return said(f"{{}} {verb} the scenario.", characters or "Somebody")

    def apply(self, play: Table) -> None:
        self.settle_harm(play)
        for word in self.who:
            person = play.state.people.get(find_character(play, word))
            if person is not None and person.playing:
                person.out = play.step.number
                if play.state.conflict is not None:
                    play.state.conflict.take_out(person.id)
                play.event(f"{person.id} is out of the scenario", "I42", "leaves", person.id)
        left_in = len(play.state.playing())
        play.event(plural(left_in, "character is", "characters are") + " left in it", "I42")


class EndScenario(WaitsForWounds):
    """The scenario is over: the characters are out, or no character is left."""

    verb = "end scenario"
    synonyms = ("end game", "over")
    decides = Decides("table")
    moment = Moment(
        (SETUP, START, MIDWAY, DECISION, WOUNDS, DEATHS, ENDING),
        Refusal(
            "I20",
            NOT_DECIDED + "a spoken proposal is final",
            after=(UNDECIDED_DOUBTED,),
            help="decide it with dice first",
        ),
        void=True,
    )
    offered = Offered("I79", "the scenario is over", is_rare=True, weight=-1)
    example = "end scenario: The helicopter lands"
    words = main(TEXT, "last words", default=None, text_role=TextRole.SENTENCE)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if play.state.map_step or not play.state.people:
            yield {"end scenario": "It is over"}

    def sentence(self, play: Table) -> Sentence:
        return ("The scenario ends.",)

    def apply(self, play: Table) -> None:
        self.settle_harm(play)
        people = play.state.people.values()
        play.state.over = play.step.number
        play.step.tell(self.words or None)
        alive = [person.id for person in people if person.alive]
        dead = [person.id for person in people if not person.alive]
        buried = f"; dead: {listed(dead)}" if dead else ""
        play.event(f"Alive: {listed(alive) or 'nobody'}{buried}", kind="ends")


# --- telling --------------------------------------------------------------------------------------


def hold_telling(play: Table) -> None:
    """IA49: who tells what happens, if the table reads that only players with a character in the scenario do."""
    player = play.step.player
    own = [person for person in play.state.people.values() if person.player == player]
    is_gone = bool(own) and player != play.runner and not any(person.playing for person in own)
    ids = [person.id for person in own]
    play.suspect(
        is_gone and play.step.action.by is not None and play.ruling("teller") == "living",
        "IA49",
        f"{player} tells this, and {listed(ids)} {is_or_are(ids)} no longer in it",
        at="by",
        fix=drop_key("by", when="if somebody else told it"),
    )


def note_deaths(play: Table) -> None:
    """I64: deaths that only a snapshot tells."""
    for person in play.state.people.values():
        play.suspect(
            person.died == play.step.number,
            "I64",
            f"{person.id} is dead by this snapshot, and no entry tells of the death",
            fix=add_entry(f"death: {person.id}"),
            since=play.before_gap("tracks", person.step),
            state_kind="tracks",
        )
