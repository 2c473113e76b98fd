"""Luck, told honestly: how often each face fell, against how often fair dice would show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import erf, erfc

from chronicle.core.campaign_view import Bars, Block, Column, Inline, Section, Table
from chronicle.core.dice import Die
from chronicle.words import word

FACE_SIGNS = {"o": word("site.die_blank"), "-": "−"}
"""Faces with a different form on the page than in the log."""
FACE_VALUES = {"+": 1.0, "o": 0.0, "-": -1.0}
"""What faces without a number are worth."""
MIN_DICE_FOR_LUCK = 8
"""How many dice a player has to have thrown for their luck to be spoken of."""


def luck_blocks(
    name: str, die: Die, rolled: dict[tuple[str, str], Counter[str]]
) -> Iterator[Block]:
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
            players.setdefault(player or word("site.table_as_author"), Counter()).update(faces)
    count = sum(total.values())
    if not count:
        return
    rows: list[tuple[Inline, ...]] = [
        (player, sum(faces.values()), *(faces[face] for face in die.faces))
        for player, faces in players.items()
    ]
    rows.append((word("site.all_players"), count, *(total[face] for face in die.faces)))
    columns = (
        Column(word("site.who")),
        Column(word("site.dice"), True),
        *(Column(FACE_SIGNS.get(face, face), True) for face in die.faces),
    )
    yield Section(
        "",
        (
            Bars(
                word("site.one_die", die=f"d{die.sides}")
                if count == 1
                else word("site.dice_rolled", count=count, die=die.name),
                tuple((FACE_SIGNS.get(face, face), total[face], "") for face in die.faces),
                fair=count / die.sides,
                note=chi_squared_verdict(total, die, count),
            ),
            *_luck_of_players(die, players),
        ),
        abreast=True,
    )
    table_of_players = Table(columns, tuple(rows))
    yield Section(word("site.who_rolled_faces", die=die.name), (table_of_players,), folded=True)


def _luck_of_players(die: Die, players: dict[str, Counter[str]]) -> Iterator[Block]:
    """How high every player threw, of a hundred who throw as many fair dice."""
    values = {face: FACE_VALUES[face] if face in FACE_VALUES else float(face) for face in die.faces}
    mean = sum(values.values()) / die.sides
    standard_deviation = (sum((value - mean) ** 2 for value in values.values()) / die.sides) ** 0.5
    bars: list[tuple[str, int, str]] = []
    for player, faces in players.items():
        count = faces.total()
        if count >= MIN_DICE_FOR_LUCK:
            average = sum(values[face] * frequency for face, frequency in faces.items()) / count
            deviation = erf((average - mean) / standard_deviation * (count / 2) ** 0.5)
            bars.append((player, min(99, max(1, round(50 * (1 + deviation)))), player))
    if len(bars) > 1:
        yield Bars(
            word("site.luck_by_player", die=die.name),
            tuple(bars),
            100,
            base=50,
            note=word("site.luck_note"),
        )


def chi_squared_verdict(total: Counter[str], die: Die, count: int) -> str:
    """A chi-squared comparison with fair dice in plain words; silent where there are too few dice."""
    expected = Fraction(count, die.sides)
    if expected < 5:
        return word("site.luck_too_few", count=count, least=5 * die.sides)
    chi_squared = float(sum((total[face] - expected) ** 2 / expected for face in die.faces))
    degrees = die.sides - 1
    # Wilson and Hilferty: the cube root of a chi-squared value over its degrees is nearly normal.
    z = ((chi_squared / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)) ** 0.5
    is_rare = z > 1.64
    words = word("site.luck_rare", count=f"{_once_in(z):,}") if is_rare else word("site.luck_fair")
    return word("site.luck_chi", value=f"{chi_squared:.1f}", degrees=degrees, verdict=words)


def _once_in(z: float) -> int:
    """In how many records a normal variable exceeds ``z`` once, rounded to one digit, at most a million."""
    chance = max(0.5 * erfc(z / 2**0.5), 1e-6)
    records = round(1 / chance)
    return round(records, 1 - len(str(records)))
