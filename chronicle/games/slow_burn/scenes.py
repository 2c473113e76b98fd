"""Opening a scene, putting more resources into it, and telling how it ends (tracks 9 and 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import TEXT
from chronicle.core.fix import add_entry
from chronicle.core.guards import Violation, guard, question
from chronicle.core.sentences import Sentence
from chronicle.core.telling import TextRole
from chronicle.games.slow_burn.framing import (
    Draft,
    Framing,
    book,
    clear,
    frame,
    frame_in_mini,
    job_scene,
    mini_scene,
    open_draft,
    possible_scenes,
    take_dice,
    take_resources,
    usable,
)
from chronicle.games.slow_burn.keys import CHECKED, FRAMED, USE, instead
from chronicle.games.slow_burn.minis import begin_push, push_due, reopen
from chronicle.games.slow_burn.people import ids_of, look_up
from chronicle.games.slow_burn.segments import (
    abandon,
    before_segment,
    begin_next_segment,
    begins_segment,
)
from chronicle.games.slow_burn.state import (
    FLOW,
    MINI_SCENES,
    PUSH_SCENE,
    USED,
    Kind,
    Mini,
    Phase,
    SceneRecord,
    State,
    Table,
    Verdict,
    drifting,
)


class _Opening(Action):
    """The steps that have to come before a scene."""

    def fourth(self, play: Table) -> Mini | None:
        """The mini segment that goes on beyond its third scene; None for any other scene."""
        raise NotImplementedError

    def push(self, play: Table) -> Mini | None:
        """The push that begins with this scene, if it can be the push that is due."""
        raise NotImplementedError

    def number(self, play: Table) -> int:
        """The number of the scene in its mini segment, as the entry has it."""
        raise NotImplementedError

    def passed_over(self, play: Table) -> SceneRecord | None:
        """The scene before, if nobody has rolled for it."""
        state = play.state
        waits = state.phase in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED, Phase.MINI_SCENE)
        if not waits or state.hole or self.fourth(play) is not None:
            return None
        if state.phase is Phase.MINI_SCENE and self.is_of(play, state.mini):
            return state.scene
        return state.interrupted or state.scene

    def is_of(self, play: Table, mini: Mini | None) -> bool:
        """Whether only spies of a mini segment are used in this scene."""
        raise NotImplementedError

    def begins_segment(self, play: Table) -> bool:
        """Whether a Segment of the Job begins with this scene."""
        is_mini = play.state.mini or self.fourth(play) or self.push(play)
        return not is_mini and begins_segment(play)

    @guard("S15.5", at="scene token")
    def three_at_most(self, play: Table) -> Violation | None:
        mini = self.fourth(play)
        if mini is None:
            return None
        scenes = [play.state.scenes[number - 1].step for number in mini.scenes]
        return Violation(
            f"a mini segment has at most {MINI_SCENES} scenes; this is number {self.number(play)}",
            facts=[play.because(step, "a scene") for step in scenes],
            help="leave this scene and its dice out: the third came out less than favourably, and the Job goes on",
            rule="S17.5" if mini.kind is Kind.PUSH else "S15.5",
        )

    @guard("S12.1", at="main")
    def last_scene_is_rolled(self, play: Table) -> Violation | None:
        state, scene = play.state, self.passed_over(play)
        if scene is None:
            return None
        interrupted = scene.kind is Kind.JOB and state.check is not None and bool(state.check.mini)
        if scene.kind is not Kind.JOB:
            return Violation(
                f"'{scene.title}' has not been resolved: nobody has rolled for it",
                self.place(),
                add_entry("roll: ..."),
                facts=[play.because(scene.step, "it was framed here")],
                after=[FLOW],
            )
        return Violation(
            f"'{scene.title}' was interrupted and has not been resolved"
            if interrupted
            else f"'{scene.title}' has not been resolved: nobody has rolled for it",
            self.place(),
            add_entry("roll: ..."),
            facts=[play.because(scene.step, "it was framed here")],
            after=[FLOW],
            doubts=drifting(play),
            rule="S15.11" if interrupted else "S12.1",
        )

    @guard("S8.3")
    def segment_can_begin(self, play: Table) -> Iterator[Violation]:
        if self.begins_segment(play):
            yield from before_segment(play)


class OpenScene(Framing, _Opening):
    """Frame a scene: who speaks the monologue, where it is, which resources go into it."""

    verb = "scene"
    synonyms = ("monologue", "frame")
    decides = Decides("speaker")
    offered = Offered("S9.2", "frame a scene: monologue, place, resources")
    example = "scene: A rooftop bar, noon\n  voice over: Ada\n  use: {Wren: forgery, Heron: all}"
    title = main(TEXT, "the place, as a title", is_place=True)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        yield from possible_scenes(play, cls().draft(play))

    def fourth(self, play: Table) -> Mini | None:
        """The mini segment that goes on beyond its third scene; None for any other scene (S15.5, S17.5)."""
        state, token = play.state, self.scene_token
        if state.mini is not None or not state.minis:
            return None
        mini = state.minis[-1]
        if token is None and self._goes_on(play, mini):
            return mini
        return None if token is None or token <= MINI_SCENES else mini

    def _goes_on(self, play: Table, mini: Mini) -> bool:
        """Whether an Interference Segment goes on that was lost in its third scene: the scene that it interrupted still
        waits, and only its spies are used."""
        state, scene, check = play.state, play.state.scene, play.state.check
        if state.phase is not Phase.READY or state.hole or check is None or scene is None:
            return False
        is_lost = check.mini == mini.number and mini.verdict is Verdict.UNFAVOURABLE
        return is_lost and len(mini.scenes) >= MINI_SCENES and self.is_of(play, mini)

    def is_of(self, play: Table, mini: Mini | None) -> bool:
        """Whether only spies of a mini segment are used in this scene."""
        spies = ids_of(play, self.use or ())
        return mini is not None and bool(spies) and {*spies} <= {*mini.spies}

    def leaves_mini(self, play: Table) -> Mini | None:
        """The Interference Segment that the log leaves with dice on the table: only others are used in this scene."""
        state, mini = play.state, play.state.mini
        if mini is None or mini.is_open or state.hole or state.phase is not Phase.MINI:
            return None
        if mini.kind is not Kind.INTERFERENCE or not mini.scenes:
            return None
        spies = ids_of(play, self.use or ())
        return mini if spies and not {*spies} & {*mini.spies} else None

    @guard("S15.10b")
    def mini_is_over(self, play: Table) -> Violation | None:
        mini = self.leaves_mini(play)
        if mini is None:
            return None
        left = plural(mini.left, "Opposition die", "Opposition dice")
        waiting = play.state.interrupted
        scene = f", and '{waiting.title}' waits for its dice" if waiting is not None else ""
        return Violation(
            f"the Interference Segment has {left} left after scene {len(mini.scenes)}{scene}",
            self.place(),
            facts=[play.because(mini.step, "it began here")],
            help="log the rest of it above this entry; only the end of its dice or scene 3 ends it",
            after=[FLOW],
            doubts=drifting(play),
        )

    def number(self, play: Table) -> int:
        """The number of the scene in its mini segment, as the entry has it."""
        mini = self.fourth(play)
        return self.scene_token or (len(mini.scenes) + 1 if mini is not None else 0)

    def push(self, play: Table) -> Mini | None:
        """The push that begins with this scene, if it can be the push that is due."""
        if play.state.phase is not Phase.PUSH_DUE or self.fourth(play) is not None:
            return None
        pushing = play.state.pushing()
        for word in self.use or ():
            spy = look_up(play, word)
            if spy is None or spy.id not in pushing:
                return None
        return push_due(play, [])

    def draft(self, play: Table) -> Draft:
        mini = self.fourth(play) or self.push(play) or play.state.mini
        mini = None if self.leaves_mini(play) is not None else mini
        title = str(self.title)
        draft = mini_scene(play, mini, title) if mini is not None else job_scene(play, title)
        draft.is_known = draft.is_known and self.passed_over(play) is None
        return draft

    def sentence(self, play: Table) -> Sentence:
        return (f"{self.title}.",)

    def apply(self, play: Table) -> None:
        state = play.state
        play.step.headline = str(self.title)
        scene, fourth, push = self.passed_over(play), self.fourth(play), self.push(play)
        if self.leaves_mini(play) is not None:
            abandon(play)
            state.opposition_unsure, state.possible_left, state.phase = True, None, Phase.NEXT
        elif scene is not None and scene.kind is not Kind.JOB:
            clear(play, scene, "S13.4", "the scene is over")
        elif scene is not None:
            state.opposition_unsure, state.possible_left = True, None
            clear(play, scene, "S13.4", "the scene is over")
            state.interrupted = state.check = None
        if fourth is not None:
            reopen(play, fourth)
        elif push is not None:
            begin_push(play, push)
        if state.mini is None:
            begin_next_segment(play)
            frame(play, self, job_scene(play, str(self.title)))
            return
        draft = mini_scene(play, state.mini, str(self.title))
        take_dice(play, draft, self.opposition)
        frame_in_mini(play, self, draft)


class UseResources(Action):
    """Assign resources to the scene that is open, where its first line did not."""

    verb = "use"
    synonyms = ("assign", "resource", "resources")
    decides = Decides("player", "S9.4")
    moment = Moment(
        (*FRAMED, Phase.MINI_SCENE, PUSH_SCENE),
        Refusal(
            "S9.4",
            "resources are assigned while a scene is being framed, before any dice",
            fixes=(add_entry("scene: ..."),),
        ),
        instead(
            (
                CHECKED,
                Refusal(
                    "S9.4",
                    "resources are assigned while a scene is being framed, before any dice",
                    help="move it above the check, or leave it out with its dice",
                    doubts=(USED,),
                ),
            )
        ),
        void=True,
    )
    offered = Offered("S9.4", "put a resource into the scene")
    example = "use: {Magpie: [demolitions, Tia Rosa]}"
    resources = main(USE, "{spy: resources}")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        draft = open_draft(play)
        if draft is None or draft.scene.checked:
            return
        for spy, names in usable(play, draft):
            yield from ({"use": {spy.id: name}} for name in names)

    def staked(self, play: Table) -> Draft | None:
        """The scene at hand with these resources."""
        draft = open_draft(play)
        if draft is not None:
            take_resources(play, draft, self.resources)
        return draft

    def sentence(self, play: Table) -> Sentence:
        return ("Resources.",)

    @guard("S9.4")
    def resources_can_be_used(self, play: Table) -> Iterator[Violation]:
        draft = self.staked(play)
        yield from draft.wrong_use if draft is not None else ()

    def apply(self, play: Table) -> None:
        draft, scene = self.staked(play), play.state.scene
        if draft is None or scene is None:
            return
        scene.use_known = True
        scene.used, scene.earned = draft.scene.used, draft.scene.earned
        scene.open_all = draft.scene.open_all
        book(play, draft)
        shown = play.timeline.current
        if shown is not None:
            shown.cast = [*dict.fromkeys([*shown.cast, *scene.used])]


class EndScene(Action):
    """Narrate how the scene ends. Not needed: the roll says it, and the next scene closes it."""

    verb = "end scene"
    synonyms = ("close",)
    decides = Decides("table")
    offered = Offered("S13.3", "tell how the scene ends")
    example = "end scene: The crane swings back over an empty quay"
    words = main(TEXT, "how it ended", default=None, text_role=TextRole.SENTENCE)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        verbs = (step.action.verb for step in reversed(play.steps))
        if next((verb for verb in verbs if verb in ("roll", "scene", cls.verb)), "") == "roll":
            yield {"end scene": "The lights go out, one by one"}

    def sentence(self, play: Table) -> Sentence:
        return ("The scene ends.",)

    @guard("S12.1")
    def scene_is_rolled(self, play: Table) -> Violation | None:
        state, mini = play.state, play.state.mini
        waits = state.phase in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED, Phase.MINI_SCENE)
        scene = state.scene if waits else None
        if state.phase is Phase.MINI and mini is not None and not mini.scenes:
            scene = state.interrupted
        if state.hole or scene is None or _untold(state) is not None:
            return None
        return Violation(
            "the scene ends, but nobody has rolled for it",
            fix=add_entry("roll: ..."),
            facts=[play.because(scene.step, "it was framed here")],
        )

    @question("S12.1")
    def scene_was_played(self, play: Table) -> Violation | None:
        state, segment, episode = play.state, play.state.segment, play.state.episode
        if state.hole or play.given:
            return None
        last = state.scenes[-1].resolved if state.scenes else 0
        if state.phase is Phase.OPENING and segment is not None:
            if last > segment.step:
                return None
            return Violation(
                f"a scene ends, but none has been played in Segment {segment.number} yet",
                fix=add_entry("scene: ..."),
                facts=[play.because(segment.step, "the Segment began here")],
            )
        if state.phase is Phase.BETWEEN and episode is not None:
            facts = [play.because(episode.over, "it ended here")]
            return Violation("a scene ends, but the Job is done", facts=facts)
        if state.phase in (Phase.SETUP, Phase.BETWEEN) or segment is None:
            message = "a scene ends, but none has been played"
            return Violation(message, fix=add_entry("scene: ..."), since=0)
        return None

    def apply(self, play: Table) -> None:
        play.step.tell(self.words or None)
        over = _untold(play.state)
        if over is not None:
            over.told = play.step.number
            play.event("The end of the interference is told", "S15.11", "scene over")
            return
        play.event("The end of the scene is told", "S13.3", "scene over")


def _untold(state: State) -> Mini | None:
    """S15.11: an Interference Segment whose dice have fallen, before the interrupted scene goes on."""
    mini, waiting = (state.minis[-1] if state.minis else None), state.scene
    if mini is None or mini.kind is not Kind.INTERFERENCE or not mini.over or mini.told:
        return None
    if waiting is None or waiting.resolved or waiting.step >= mini.over:
        return None
    return mini


def hold_narration(play: Table) -> None:
    """SA48: who tells in a mini segment, where the table leaves that to those who have a part in it."""
    mini, player = play.state.mini, play.step.player
    if mini is None or play.step.action.by is None or player not in play.seats:
        return
    own = [spy.id for spy in play.state.cast.values() if spy.player == player]
    play.suspect(
        play.ruling("outside_tell") == "taking-part" and not any(id in mini.spies for id in own),
        "SA48",
        f"{player} tells, and has no spy in this mini segment",
        at="by",
        facts=(play.because(mini.step, f"it is about {listed(mini.spies) or 'nobody'}"),),
    )
