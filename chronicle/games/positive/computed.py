"""What a rule of the table's own may compute."""

from __future__ import annotations

from typing import Final

from chronicle.core.formula import TEXT, YES_NO
from chronicle.core.house import WHO, Name, Point, balance_of
from chronicle.games.positive.state import STEP

_SQUARE: Final = {
    "who": WHO,
    "square": Name(
        "how far that character stands from Start, below 0 towards Expelled",
        balance_of("track", STEP),
    ),
}
POOL: Final = Point(
    "commitment pool",
    "the commitment dice that a player starts with",
    ("P3",),
    {"who": WHO},
    most=20,
)
DICE: Final = Point(
    "dice of a side",
    "how many dice the side of a principal rolls in a conflict",
    ("P19",),
    {
        **_SQUARE,
        "backers": Name(
            "how many back that side", lambda play, who, conflict: len(conflict.side(who))
        ),
    },
    least=1,
    most=40,
)
UP: Final = Point("steps up", "how far a winner's token moves", ("P21",), _SQUARE, most=10)
DOWN: Final = Point("steps down", "how far a loser's token moves", ("P22",), _SQUARE, most=10)
PLUS: Final = Point(
    "plus",
    "whether a die counts as a plus for the side of a principal",
    ("P20",),
    {
        **_SQUARE,
        "face": Name("what the die shows: '+', 'o' or '-'", lambda play, who, face: face, TEXT),
    },
    sort=YES_NO,
)
POINTS: Final = (POOL, DICE, UP, DOWN, PLUS)
