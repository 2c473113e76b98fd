"""What a rule of the table's own may compute."""

from __future__ import annotations

from typing import Final

from chronicle.core.house_rules import WHO, Name, Point, balance_of
from chronicle.games.playset_zero.state import MARK

_MARKS: Final = {
    "who": WHO,
    "marks": Name("the marks that character has", balance_of("marks", MARK)),
}
FEATURE: Final = Point("new feature price", "the marks that a new Feature costs", ("Z35",), _MARKS)
FLAW: Final = Point("turn flaw price", "the marks that it costs to turn the flaw", ("Z36",), _MARKS)
WHITE_DICE: Final = Point(
    "white dice",
    "the white dice of a roll, before anything is added",
    ("Z16",),
    {"who": WHO},
    most=40,
)
LEAST: Final = Point(
    "hit",
    "the least that a die shows to be a hit",
    ("Z24",),
    {
        "who": WHO,
        "dice": Name(
            "how many dice are rolled", lambda play, who, pool: sum(pool.counts().values())
        ),
    },
    least=1,
    most=11,
)
POINTS: Final = (FEATURE, FLAW, WHITE_DICE, LEAST)
