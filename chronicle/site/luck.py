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
    die_name: str, die: Die, faces_by_die_and_player: dict[tuple[str, str], Counter[str]]
) -> Iterator[Block]:
    """What one kind of die did over a campaign.

    Args:
        die_name: the die as throws call it.
        die: its faces.
        faces_by_die_and_player: faces by (kind of die, player).
    """
    face_counts: Counter[str] = Counter()
    faces_by_player: dict[str, Counter[str]] = {}
    for (rolled_die, player), rolled_faces in faces_by_die_and_player.items():
        if rolled_die == die_name:
            face_counts.update(rolled_faces)
            faces_by_player.setdefault(player or word("site.table_as_author"), Counter()).update(
                rolled_faces
            )
    dice_count = sum(face_counts.values())
    if not dice_count:
        return
    table_rows: list[tuple[Inline, ...]] = [
        (player, sum(rolled_faces.values()), *(rolled_faces[face] for face in die.faces))
        for player, rolled_faces in faces_by_player.items()
    ]
    table_rows.append(
        (word("site.all_players"), dice_count, *(face_counts[face] for face in die.faces))
    )
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
                if dice_count == 1
                else word("site.dice_rolled", count=dice_count, die=die.name),
                tuple((FACE_SIGNS.get(face, face), face_counts[face], "") for face in die.faces),
                fair=dice_count / die.sides,
                note=chi_squared_verdict(face_counts, die, dice_count),
            ),
            *_luck_of_players(die, faces_by_player),
        ),
        abreast=True,
    )
    table_of_players = Table(columns, tuple(table_rows))
    yield Section(word("site.who_rolled_faces", die=die.name), (table_of_players,), folded=True)


def _luck_of_players(die: Die, faces_by_player: dict[str, Counter[str]]) -> Iterator[Block]:
    """How high every player threw, of a hundred who throw as many fair dice."""
    value_by_face = {
        face: FACE_VALUES[face] if face in FACE_VALUES else float(face) for face in die.faces
    }
    mean = sum(value_by_face.values()) / die.sides
    standard_deviation = (
        sum((value - mean) ** 2 for value in value_by_face.values()) / die.sides
    ) ** 0.5
    bar_rows: list[tuple[str, int, str]] = []
    for player, rolled_faces in faces_by_player.items():
        dice_count = rolled_faces.total()
        if dice_count >= MIN_DICE_FOR_LUCK:
            average = (
                sum(value_by_face[face] * face_count for face, face_count in rolled_faces.items())
                / dice_count
            )
            deviation = erf((average - mean) / standard_deviation * (dice_count / 2) ** 0.5)
            bar_rows.append((player, min(99, max(1, round(50 * (1 + deviation)))), player))
    if len(bar_rows) > 1:
        yield Bars(
            word("site.luck_by_player", die=die.name),
            tuple(bar_rows),
            100,
            base=50,
            note=word("site.luck_note"),
        )


def chi_squared_verdict(face_counts: Counter[str], die: Die, dice_count: int) -> str:
    """A chi-squared comparison with fair dice in plain words; silent where there are too few dice."""
    expected_count = Fraction(dice_count, die.sides)
    if expected_count < 5:
        return word("site.luck_too_few", count=dice_count, least=5 * die.sides)
    chi_squared = float(
        sum((face_counts[face] - expected_count) ** 2 / expected_count for face in die.faces)
    )
    degrees_of_freedom = die.sides - 1
    # Wilson and Hilferty: the cube root of a chi-squared value over its degrees is nearly normal.
    z_score = (
        (chi_squared / degrees_of_freedom) ** (1 / 3) - (1 - 2 / (9 * degrees_of_freedom))
    ) / (2 / (9 * degrees_of_freedom)) ** 0.5
    is_rare = z_score > 1.64
    verdict_text = (
        word("site.luck_rare", count=f"{_once_in(z_score):,}")
        if is_rare
        else word("site.luck_fair")
    )
    return word(
        "site.luck_chi",
        value=f"{chi_squared:.1f}",
        degrees=degrees_of_freedom,
        verdict=verdict_text,
    )


def _once_in(z_score: float) -> int:
    """In how many records a normal variable exceeds ``z_score`` once, rounded to one digit, at most a million."""
    exceeding_chance = max(0.5 * erfc(z_score / 2**0.5), 1e-6)
    record_count = round(1 / exceeding_chance)
    return round(record_count, 1 - len(str(record_count)))
