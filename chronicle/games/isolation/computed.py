"""What a rule of the table's own may compute."""

from __future__ import annotations

from typing import Final

from chronicle.core.formula import TEXT, YES_NO
from chronicle.core.house_rules import Name, Point

_NOW: Final = {
    "living": Name(
        "Living Characters still in the scenario", lambda play, *_: len(play.state.playing())
    ),
    "stress": Name("the Stress Level", lambda play, *_: play.state.stress),
}
THREAT: Final = Point(
    "threat dice",
    "the red dice that the GM rolls for the threat",
    ("I44",),
    {**_NOW, "difficulty": Name("the dice of the Difficulty", lambda play, rating: rating)},
    most=99,
)
WOUNDS: Final = Point(
    "wounds",
    "the wounds that a failed physical proposal asks for, as far as anybody can take them",
    ("I65", "I66"),
    {
        **_NOW,
        "against": Name("successes of the threat", lambda play, conflict: conflict.versus),
        "successes": Name("successes of the group", lambda play, conflict: conflict.pool),
    },
    most=99,
)
STRESS: Final = Point(
    "stress change", "by how much a result moves Stress", ("I62",), _NOW, least=-20, most=20
)
COUNTS: Final = Point(
    "counts",
    "whether a die counts: an even green, an odd red",
    ("I39", "I45"),
    {
        **_NOW,
        "face": Name("what the die shows", lambda play, face, colour: face),
        "colour": Name("green or red", lambda play, face, colour: str(colour), TEXT),
    },
    sort=YES_NO,
)
POINTS: Final = (THREAT, WOUNDS, STRESS, COUNTS)
