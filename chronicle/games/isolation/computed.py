"""The extension points of house rules."""

from __future__ import annotations

from typing import Final

from chronicle.core.formula import TEXT, YES_NO
from chronicle.core.house_rules import ExtensionPoint, FormulaName

_NAMES: Final = {
    "living": FormulaName(
        "Living Characters still in the scenario", lambda play, *_: len(play.state.playing())
    ),
    "stress": FormulaName("the Stress Level", lambda play, *_: play.state.stress),
}
THREAT: Final = ExtensionPoint(
    "threat dice",
    "the red dice that the GM rolls for the threat",
    ("I44",),
    {
        **_NAMES,
        "difficulty": FormulaName("the dice of the Difficulty", lambda play, rating: rating),
    },
    most=99,
)
WOUNDS: Final = ExtensionPoint(
    "wounds",
    "the wounds of a failed physical proposal, before the limit of what characters can take",
    ("I65", "I66"),
    {
        **_NAMES,
        "against": FormulaName("successes of the threat", lambda play, conflict: conflict.versus),
        "successes": FormulaName("successes of the group", lambda play, conflict: conflict.pool),
    },
    most=99,
)
STRESS: Final = ExtensionPoint(
    "stress change", "by how much a result moves Stress", ("I62",), _NAMES, least=-20, most=20
)
COUNTS: Final = ExtensionPoint(
    "counts",
    "whether a die counts: an even green, an odd red",
    ("I39", "I45"),
    {
        **_NAMES,
        "face": FormulaName("what the die shows", lambda play, face, colour: face),
        "colour": FormulaName("green or red", lambda play, face, colour: str(colour), TEXT),
    },
    value_type=YES_NO,
)
POINTS: Final = (THREAT, WOUNDS, STRESS, COUNTS)
