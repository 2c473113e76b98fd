"""Scenes and the end. The text has no rule for either; scenes give the story its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.field_types import NAME, NAMES, TEXT, in_role
from chronicle.core.fix import add_entry
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import AT_TABLE, Decider, Need, Role
from chronicle.core.names import PLAYER
from chronicle.core.references import place_scene
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.core.timeline import Frame, Scene
from chronicle.games.playset_zero.hits import EndsRoll, end_roll
from chronicle.games.playset_zero.state import MEANS_CHARACTER, Character
from chronicle.games.playset_zero.table import Table, find_character

READINGS = """
ZA27 the_end: When is the game over, and can characters die?
  - narration: no rule says; it is told
  because the author says that rules about scenarios are missing (Z2)
ZA31 who_tells: Who opens and closes scenes, brings characters in and out, and tells how a roll came out?
  - table: anybody at the table
  - gm: the GM; a player brings in and takes out their own character alone
  because the text has no rule for scenes, and does not say who tells what came of the dice (Z12, Z30)
"""

FRAMES = {"flashback": Frame.PAST, "flash-forward": Frame.FUTURE}

# --- who is there ---------------------------------------------------------------------------------


def is_there(play: Table, id: str) -> bool:
    """Whether a character is in the open scene."""
    scene = play.timeline.current
    return scene is not None and id in scene.cast and id not in play.state.departed


def _opened(play: Table, id: str) -> int:
    scene = play.timeline.current
    return scene.first_step if scene is not None else 0


IN_SCENE = Need(
    "in the scene",
    "T55",
    is_there,
    "{who} is not in this scene",
    since=_opened,
    fact="the scene opened here",
    # Without a scene there is nothing to leave; a guard reports that.
    applies=lambda play, id: play.timeline.current is not None,
    kind=DiagnosticKind.BOOKKEEPING,
)

ROLES: Mapping[str, Role] = {
    "there": Role("a character", "be in the scene", (), MEANS_CHARACTER),
    "leaves": Role("a character who is in the scene", "leave", (IN_SCENE,), MEANS_CHARACTER),
    "frames": Role("a player", "frame a scene", (AT_TABLE,), resolves_to=PLAYER),
}


def _tells(play: Table, action: Action) -> Sequence[str]:
    """ZA31: the GM, if the table says so."""
    return (play.runner,) if play.ruling("who_tells") == "gm" else ()


def _brings(play: Table, action: Action) -> Sequence[str]:
    """ZA31: the player of all characters named, or the GM, if the table says so."""
    if not isinstance(action, Enter | Exit) or play.ruling("who_tells") != "gm":
        return ()
    owners = {character.owner for character in characters_named(play, action.people)}
    return list(dict.fromkeys([*(owners if len(owners) == 1 else ()), play.runner]))


ACTORS: Mapping[str, Decider] = {
    "teller": Decider(
        "anybody, as the text does not say who (ZA31); without by the GM",
        _tells,
        "{by} does this; by this table's ruling {due} does",
        default=lambda play, action: (play.runner,),
    ),
    "player of each": Decider(
        "anybody, as the text does not say who (ZA31)",
        _brings,
        "{by} moves a character of another; by this table's ruling {due} does",
        acts_by_default=False,
    ),
}


def characters_named(play: Table, words: tuple[ScalarNode, ...]) -> list[Character]:
    """The characters that these names mean. Unknown names are left out."""
    characters = [find_character(play, word) for word in words]
    return [character for character in characters if character is not None]


def no_scene(play: Table) -> Violation | None:
    """That no scene is open."""
    if play.timeline.current is not None:
        return None
    closed = max((scene.last_step or 0 for scene in play.timeline.scenes), default=0)
    return Violation(
        "no scene is open", after=("dropped:scene",), fix=add_entry("scene: ..."), since=closed
    )


# --- a scene opens --------------------------------------------------------------------------------


class OpenScene(EndsRoll):
    """Open a scene. It only gives the story its order: rolls may happen anywhere."""

    verb = "scene"
    synonyms = ("location", "place")
    decides = Decides("teller", "ZA31", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z12", "open a scene")
    example = "scene: The pier, an hour before the tide\n  with: [Oriel, Pell]"
    title = main(TEXT, "where and when, as a title")
    with_ = option(in_role("there", NAMES), "the characters in it", default=())
    told_by = option(in_role("frames", NAME), "the player who frames it, if it is not the GM")
    time = option(TEXT, "flashback, flash-forward, or a date in your words")
    at = option(TEXT, "the place, if the title does not say", is_place=True)
    before = option(TEXT, "the title of a scene that comes later in the story")
    after = option(TEXT, "the title of a scene that comes earlier in the story")
    during = option(TEXT, "the title of a scene that happens at the same time")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if not _is_time_for_a_scene(play):
            return
        title = f"Somewhere else, {len(play.steps) + 1}"
        names = [character.name for character in play.state.characters.values()]
        yield {"scene": title}
        if len(names) > 1:
            yield {"scene": title, "with": names}
        yield from ({"scene": title, "with": name} for name in names)

    def framer(self, play: Table) -> str:
        """The player who frames it."""
        told_by = play.look_up_player(self.told_by) if self.told_by is not None else ""
        return told_by or play.step.player

    @question("ZA31", at="told by")
    def framed_by_the_gm(self, play: Table) -> str | None:
        player = play.look_up_player(self.told_by) if self.told_by is not None else ""
        if player in ("", play.runner) or play.ruling("who_tells") != "gm":
            return None
        return f"{player} frames this scene; by this table's ruling {play.runner} does"

    def sentence(self, play: Table) -> Sentence:
        cast = [character.id for character in characters_named(play, self.with_)]
        if not cast:
            return said("{} opens a scene.", self.framer(play))
        return said("{} opens a scene with {}.", self.framer(play), cast)

    def apply(self, play: Table) -> None:
        end_roll(play)
        running = play.timeline.current
        if running is not None:
            running.last_step = play.step.number - 1
        play.step.player = self.framer(play)
        scene = self._place_in_story(play)
        play.state.departed.clear()
        for character in characters_named(play, self.with_):
            bring_in(play, scene, character)

    def _place_in_story(self, play: Table) -> Scene:
        """A flashback or a flash-forward has its own place in the story."""
        words = str(self.time or "")
        frame = FRAMES.get(words.casefold(), Frame.NOW)
        anchors = {"before": self.before, "after": self.after, "during": self.during}
        scene = play.open_scene(
            Scene(
                str(self.title),
                frame=frame,
                time=words,
                place=str(self.at or ""),
                opener=play.step.player,
            ),
            anchored=frame is not Frame.NOW and any(anchors.values()),
        )
        place_scene(play, scene, anchors)
        return scene


def _is_time_for_a_scene(play: Table) -> bool:
    """Whether a new scene is proposed: play has begun and is not over, and no character has been asked to roll. At
    other times it is allowed, too, but unlikely."""
    state = play.state
    has_begun = state.scenario and (state.rolls or all(map(state.of, play.seats)))
    return bool(has_begun) and not state.over and state.call is None


# --- in and out -----------------------------------------------------------------------------------


class Enter(Action):
    """Somebody comes into the scene."""

    verb = "enter"
    synonyms = ("join", "come in")
    lead_in_template = "Enter {people}"
    decides = Decides("player of each", "ZA31", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z12", "come into the scene")
    example = "enter: Pell"
    people = main(in_role("there", NAMES), "the characters who come in")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        characters = play.state.characters.values()
        yield from (
            {"enter": character.name}
            for character in characters
            if not is_there(play, character.id)
        )

    def sentence(self, play: Table) -> Sentence:
        several = characters_named(play, self.people)
        return said(
            "{} come into the scene." if len(several) > 1 else "{} comes into the scene.",
            [character.id for character in several] or "",
        )

    @guard("T55", DiagnosticKind.BOOKKEEPING)
    def scene_is_open(self, play: Table) -> Violation | None:
        return no_scene(play)

    def apply(self, play: Table) -> None:
        scene = play.timeline.current
        if scene is None:
            return
        for character in characters_named(play, self.people):
            bring_in(play, scene, character)


class Exit(Action):
    """A character leaves the scene. It goes on, and it still lists them as having been there."""

    verb = "exit"
    synonyms = ("go out",)
    lead_in_template = "Exit {people}"
    decides = Decides("player of each", "ZA31", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z12", "leave the scene")
    example = "exit: Pell"
    people = main(in_role("leaves", NAMES), "the characters who leave")

    def sentence(self, play: Table) -> Sentence:
        several = characters_named(play, self.people)
        return said(
            "{} leave the scene." if len(several) > 1 else "{} leaves the scene.",
            [character.id for character in several] or "",
        )

    @guard("T55", DiagnosticKind.BOOKKEEPING)
    def scene_is_open(self, play: Table) -> Violation | None:
        return no_scene(play)

    def apply(self, play: Table) -> None:
        for character in (
            characters_named(play, self.people) if play.timeline.current is not None else ()
        ):
            if is_there(play, character.id):
                play.step.note_change("in scene", character.id, "yes", "no")
            play.state.departed.append(character.id)
            play.event(f"{character.name} leaves the scene", "", "leaves scene", character.id)


def bring_in(play: Table, scene: Scene, character: Character) -> None:
    """A character is in the open scene from now on."""
    if not is_there(play, character.id):
        play.step.note_change("in scene", character.id, "no", "yes")
    if character.id not in scene.cast:
        scene.cast.append(character.id)
    if character.id in play.state.departed:
        play.state.departed.remove(character.id)
    play.event(f"{character.name} is in the scene", "", "enters", character.id)


# --- the end --------------------------------------------------------------------------------------


class EndScene(EndsRoll):
    """Close the scene."""

    verb = "end scene"
    synonyms = ("close",)
    decides = Decides("teller", "ZA31", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z12", "close the scene")
    example = "end scene: The tide has the last word"
    words = main(TEXT, "how it ends", default=None, text_role=TextRole.SENTENCE)

    def sentence(self, play: Table) -> Sentence:
        return ("The scene closes.",)

    @guard("T55", DiagnosticKind.BOOKKEEPING)
    def scene_is_open(self, play: Table) -> Violation | None:
        return no_scene(play)

    def apply(self, play: Table) -> None:
        end_roll(play)
        play.step.tell(self.words)
        scene = play.timeline.current
        if scene is None:
            return
        scene.last_step = play.step.number
        scene.closing = str(self.words or "")
        play.step.scene = scene.number


class EndScenario(EndsRoll):
    """The scenario is over. No rule says when: the table does."""

    verb = "end scenario"
    synonyms = ("end game",)
    decides = Decides("table")
    offered = Offered("Z2", "end the scenario", is_rare=True)
    example = "end scenario: The harbour is quiet"
    words = main(TEXT, "last words", default=None, text_role=TextRole.SENTENCE)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        if state.has_begun and not state.over and state.call is None:
            yield {"end scenario": "Dawn"}

    def sentence(self, play: Table) -> Sentence:
        return ("The scenario is over.",)

    def apply(self, play: Table) -> None:
        end_roll(play)
        play.step.tell(self.words)
        scene = play.timeline.current
        if scene is not None:
            scene.last_step = play.step.number
        play.state.over = play.step.number
        play.event("The scenario is over", "Z2", "over")
