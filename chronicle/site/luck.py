"""Luck, told honestly: how often each face fell, against how often fair dice would show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import erf

from chronicle.core.book import Bars, Block, Column, Inline, Section, Table
from chronicle.core.dice import Die

SHOWN = {"o": "blank", "-": "−"}
"""Faces that are told in other words than they are written."""
WORTH = {"+": 1.0, "o": 0.0, "-": -1.0}
"""What faces without a number are worth."""
ENOUGH = 8
"""How many dice a player has to have thrown for their luck to be spoken of."""


def luck(name: str, die: Die, rolled: dict[tuple[str, str], Counter[str]]) -> Iterator[Block]:
    """What one kind of die did over a campaign.

    Args:
        name: the die as throws call it.
        die: its faces.
        rolled: faces by (kind of die, player).
    """
    total: Counter[str] = Counter()
    players: dict[str, Counter[str]] = {}
    for (kind, player), faces in rolled.items():
        if kind == name:
            total.update(faces)
            players.setdefault(player or "the table", Counter()).update(faces)
    count = sum(total.values())
    if not count:
        return
    rows: list[tuple[Inline, ...]] = [
        (who, sum(faces.values()), *(faces[face] for face in die.faces))
        for who, faces in players.items()
    ]
    rows.append(("all", count, *(total[face] for face in die.faces)))
    columns = (
        Column("Who"),
        Column("Dice", True),
        *(Column(SHOWN.get(face, face), True) for face in die.faces),
    )
    yield Section(
        "",
        (
            Bars(
                f"All {count} throws of {die.name}",
                tuple((SHOWN.get(face, face), total[face], "") for face in die.faces),
                fair=count / die.sides,
                note=verdict(total, die, count),
            ),
            *_each(die, players),
        ),
        abreast=True,
    )
    each = Table(columns, tuple(rows))
    yield Section(f"Who threw which faces of {die.name}", (each,), folded=True)


def _each(die: Die, players: dict[str, Counter[str]]) -> Iterator[Block]:
    """How high every player threw, of a hundred who throw as many fair dice."""
    worth = {face: WORTH[face] if face in WORTH else float(face) for face in die.faces}
    mean = sum(worth.values()) / die.sides
    spread = (sum((one - mean) ** 2 for one in worth.values()) / die.sides) ** 0.5
    bars: list[tuple[str, int, str]] = []
    for who, faces in players.items():
        count = faces.total()
        if count >= ENOUGH:
            average = sum(worth[face] * often for face, often in faces.items()) / count
            above = erf((average - mean) / spread * (count / 2) ** 0.5)
            bars.append((who, min(99, max(1, round(50 * (1 + above)))), who))
    if len(bars) > 1:
        yield Bars(
            f"Luck, player by player: {die.name}",
            tuple(bars),
            100,
            base=50,
            note="Of a hundred people who throw as many fair dice, so many throw lower on average. At 50 the "
            "dice were neither high nor low; below 5 or above 95 is rare.",
        )


def verdict(total: Counter[str], die: Die, count: int) -> str:
    """A chi-squared comparison with fair dice in plain words; silent where there are too few dice."""
    expected = Fraction(count, die.sides)
    if expected < 5:
        return (
            f"{count} dice are too few to say anything about luck: a fair test needs at least "
            f"{5 * die.sides}."
        )
    chi = float(sum((total[face] - expected) ** 2 / expected for face in die.faces))
    degrees = die.sides - 1
    # Wilson and Hilferty: the cube root of a chi-squared value over its degrees is nearly normal.
    z = ((chi / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)) ** 0.5
    if z > 2.33:
        verdict = "Fair dice would be this uneven in fewer than one record in a hundred."
    elif z > 1.64:
        verdict = "Fair dice are this uneven in fewer than one record in twenty."
    else:
        verdict = "That is what fair dice do."
    return f"Chi-squared {chi:.1f} on {degrees} degrees of freedom. {verdict}"
