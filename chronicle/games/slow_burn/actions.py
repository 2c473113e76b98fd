"""What players of Slow Burn can write in a log: one class a verb.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys. ``opposition``
means the same everywhere: the Opposition dice on the table once the entry is done.
"""

from __future__ import annotations

from chronicle.core.campaign import SEAT, Settings
from chronicle.core.declare import Action, Decides, Moment, Refusal, main, option
from chronicle.core.dice import D12, Faces
from chronicle.core.fix import add_entry
from chronicle.core.kinds import (
    COUNTED,
    NAME,
    NAMES,
    TEXT,
    UNRECORDED,
    WHOLE,
    YES_NO,
    Counted,
    EitherOf,
    Kind,
    MapOf,
    MapOr,
    OneOrMany,
    OrUnrecorded,
    choice,
    in_role,
    label,
)
from chronicle.core.play_kinds import faces
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.slow_burn.state import FLOW, PUSH, PUSH_SCENE, Phase

TWELVE = D12._replace(rule="S1.5")
"""A d12; a face that no die has breaks the rule about the gear."""

RESOURCES: Kind[tuple[Counted, ...]] = OneOrMany(COUNTED, "a resource or a list of them, or 'all'")
USE: Kind[dict[ScalarNode, tuple[Counted, ...]]] = MapOf(
    in_role("used", NAME), label(RESOURCES), "{spy: resource}, {spy: [resources]} or {spy: all}"
)
COUNTED_OF = in_role("counted", NAME)
COUNTED_OF_ALL = in_role("counted", NAMES)
DICE: Kind[dict[ScalarNode, int]] = MapOf(COUNTED_OF, WHOLE, "{spy: number of dice}")
ROLLED: Kind[Faces | None] = OrUnrecorded(faces(TWELVE))
THROWN: Kind[str | dict[ScalarNode, Faces | None]] = MapOr(
    MapOf(in_role("rolls", NAME), ROLLED), choice(UNRECORDED), words="{who: faces} or unrecorded"
)
IMPLICATION: Kind[dict[ScalarNode, Faces | None]] = MapOf(in_role("implicated", NAME), ROLLED)
IMPLICATIONS: Kind[str | dict[ScalarNode, Faces | None]] = MapOr(
    IMPLICATION, choice(UNRECORDED), words="{spy: face} or unrecorded"
)
TARGETS = MapOr(
    MapOf(in_role("implicated", NAME), label(NAMES)),
    label(NAMES),
    words="a resource, a list of them, or {spy: resource}",
)
VERDICT = choice("favourable", "unfavourable", "stand-off")

FRAMED, CHECKED = (Phase.FRAMED,), (Phase.READY, Phase.TRIGGERED)
ROLLED_FOR = (Phase.NEXT, Phase.SEGMENT_OVER, Phase.PUSH_DUE, Phase.JOB_OVER)
ANSWERING, PUSHING = (Phase.MINI, Phase.MINI_SCENE), (PUSH, PUSH_SCENE)


def instead(*pairs: tuple[tuple[str, ...], Refusal]) -> dict[str, Refusal]:
    """The refusals of some phases, each for all phases beside it."""
    return {phase: refusal for phases, refusal in pairs for phase in phases}


class CampaignSettings(Settings):
    """``campaign.yaml`` of a series of Slow Burn."""

    facilitator = "handler"

    handler = option(SEAT, "who plays the Opposition and the Agency")
    series = option(
        choice("ongoing", "until free"),
        "ongoing: the player of a freed spy makes a new spy; until free: the series ends with the last spy",
        default="ongoing",
    )


class _Framing(Action):
    """What opening a scene can say besides its place."""

    voice_over = option(
        in_role("speaks first", NAMES),
        "who speaks the monologue; 'nobody' if there was none",
        words=("nobody",),
    )
    use = option(USE, "resources assigned to the scene, each worth a Job die")
    because = option(
        MapOf(in_role("used", NAME), label(NAMES)),
        "help that is no resource of the rules (a ruling allows it): {spy: what}",
    )
    job_dice = option(DICE, "Job dice from resources; checked, never needed", checked=True)
    agency_dice = option(
        DICE, "Agency dice earned by further resources; checked, never needed", checked=True
    )
    scene_token = option(
        WHOLE, "which scene token was laid down in a mini segment; checked", checked=True
    )
    opposition = option(WHOLE, "Opposition dice on the table; checked, never needed", checked=True)
    time = option(TEXT, "when it happens, in your words")
    outside_town = option(YES_NO, "yes, if it plays outside the city")

    @property
    def frames(self) -> bool:
        """Whether the entry says something of a scene; Opposition dice alone do not count."""
        dice = (self.use, self.because, self.job_dice, self.agency_dice, self.scene_token)
        return any(
            one is not None for one in (*dice, self.voice_over, self.time, self.outside_town)
        )


class OpenScene(_Framing):
    """Frame a scene: who speaks the monologue, where it is, which resources go into it."""

    verb = "scene"
    also = ("monologue", "frame")
    decides = Decides("speaker")
    example = "scene: A rooftop bar, noon\n  voice over: Ada\n  use: {Wren: forgery, Heron: all}"
    title = main(TEXT, "the place, as a title", is_place=True)


class UseResources(Action):
    """Assign resources to the scene that is open, where its first line did not."""

    verb = "use"
    also = ("assign", "resource", "resources")
    decides = Decides("player", "S9.4")
    moment = Moment(
        (*FRAMED, Phase.MINI_SCENE, PUSH_SCENE),
        Refusal(
            "S9.4",
            "resources are assigned while a scene is being framed, before any dice",
            fixes=(add_entry("scene: ..."),),
        ),
        void=True,
    )
    example = "use: {Magpie: [demolitions, Tia Rosa]}"
    resources = main(USE, "{spy: resources}")


class Answer(_Framing):
    """Respond to an interference, now or later: an Interference Segment begins.

    The same entry can frame its first scene. The Handler speaks the first monologue.
    """

    verb = "answer"
    also = ("respond",)
    decides = Decides("player", "S14.8")
    example = "answer: Magpie\n  scene: Tia Rosa's kitchen\n  use: {Magpie: all}"
    spies = main(in_role("chooses", NAMES), "the spies who respond")
    scene = option(TEXT, "the place of the first scene", is_place=True)
    target = option(TARGETS, "the resource that the interference targets")


class PlayPush(_Framing):
    """Play the declared push at the end of the Segment. The same entry can frame its first scene."""

    verb = "play push"
    decides = Decides("pushing")
    example = "play push:\n  scene: The archive of the blue ministry\n  use: {Wren: all}"
    spies = main(
        in_role("chooses", NAMES), "the spies who push, if it is to be checked", default=()
    )
    scene = option(TEXT, "the place of the first scene", is_place=True)


class Roll(Action):
    """Roll the scene's dice: each spy's Job dice, and all Opposition dice that are left."""

    verb = "roll"
    also = ("throw", "opposition")
    slipped = frozenset({"result"})
    decides = Decides("everybody")
    moment = Moment(
        (*FRAMED, *CHECKED, Phase.MINI_SCENE, PUSH_SCENE),
        Refusal(
            "S12.1",
            "dice are rolled, but no scene has been framed for them",
            fixes=(add_entry("scene: ..."),),
            after=(FLOW,),
        ),
    )
    example = "roll: {Heron: [5, 2, 9], Opposition: [3, 12, 5, 8]}"
    dice = main(THROWN, "{spy: faces, Opposition: faces}; unrecorded, for one or for all")
    need = option(
        EitherOf(WHOLE, DICE, words="a number, or {spy: number}"),
        "the target number; checked, never needed",
        checked=True,
    )
    successes = option(
        DICE, "{spy: successes, Opposition: successes}; checked, never needed", checked=True
    )
    verdict = option(VERDICT, "how the scene (or the mini segment) came out; checked", checked=True)
    discard = option(WHOLE, "Opposition dice discarded; checked, never needed", checked=True)
    opposition = option(WHOLE, "Opposition dice on the table; checked, never needed", checked=True)
    break_off = option(YES_NO, "yes, if the mini segment is broken off here")


class EndScene(Action):
    """Narrate how the scene ends. Not needed: the roll says it, and the next scene closes it."""

    verb = "end scene"
    also = ("close",)
    decides = Decides("table")
    example = "end scene: The crane swings back over an empty quay"
    words = main(TEXT, "how it ended", default=None, told=TextRole.SENTENCE)
