"""What the keys of several verbs hold, the phases in which verbs are refused, and the settings of a campaign."""

from __future__ import annotations

from chronicle.core.campaign import SEAT, Settings
from chronicle.core.declare import Refusal, option
from chronicle.core.dice import D12, Faces
from chronicle.core.field_types import (
    COUNTED,
    NAME,
    NAMES,
    UNRECORDED,
    WHOLE,
    Counted,
    FieldType,
    MapOf,
    MapOr,
    OneOrMany,
    OrUnrecorded,
    choice,
    in_role,
    label,
)
from chronicle.core.play_field_types import faces
from chronicle.core.source import ScalarNode
from chronicle.games.slow_burn.state import PUSH, PUSH_SCENE, Phase

TWELVE = D12._replace(rule="S1.5")
"""A d12; a face that no die has breaks the rule about the gear."""

RESOURCES: FieldType[tuple[Counted, ...]] = OneOrMany(
    COUNTED, "a resource or a list of them, or 'all'"
)
USE: FieldType[dict[ScalarNode, tuple[Counted, ...]]] = MapOf(
    in_role("used", NAME), label(RESOURCES), "{spy: resource}, {spy: [resources]} or {spy: all}"
)
COUNTED_OF = in_role("counted", NAME)
COUNTED_OF_ALL = in_role("counted", NAMES)
DICE: FieldType[dict[ScalarNode, int]] = MapOf(COUNTED_OF, WHOLE, "{spy: number of dice}")
SUCCESSES: FieldType[dict[ScalarNode, int]] = MapOf(
    in_role("rolls", NAME), WHOLE, "{spy: successes, Opposition: successes}"
)
ROLLED: FieldType[Faces | None] = OrUnrecorded(faces(TWELVE))
THROWN: FieldType[str | dict[ScalarNode, Faces | None]] = MapOr(
    MapOf(in_role("rolls", NAME), ROLLED), choice(UNRECORDED), words="{who: faces} or unrecorded"
)
IMPLICATION: FieldType[dict[ScalarNode, Faces | None]] = MapOf(in_role("implicated", NAME), ROLLED)
IMPLICATIONS: FieldType[str | dict[ScalarNode, Faces | None]] = MapOr(
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
        "ongoing: go on with new spies; until free: the series ends when all spies are free",
        default="ongoing",
    )
