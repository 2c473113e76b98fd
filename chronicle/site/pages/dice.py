"""The dice of a campaign: luck, and every throw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from chronicle.core.book import Block, Column, Note, Ref, Table
from chronicle.site.links import shortened
from chronicle.site.luck import luck
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume

THROWS = 300
"""How many throws are listed."""


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    if volume.throws_dice:
        yield Door("Record", "Dice", "dice")


def pages(volume: Volume) -> Iterator[Draft]:
    """The dice, where there are any."""
    if volume.throws_dice:
        yield blocks_page("dice", "Dice", _blocks(volume))


def _blocks(volume: Volume) -> Iterator[Block]:
    rolled: dict[tuple[str, str], Counter[str]] = {}
    for step in volume.record.visible():
        for throw in step.throws:
            rolled.setdefault((throw.die, throw.player), Counter()).update(throw.faces)
    if not rolled:
        yield Note("No dice have been rolled yet.")
        return
    for name, die in volume.book.dice.items():
        yield from luck(name, die, rolled)
    visible = volume.record.visible()
    contests = [(step, step.contest) for step in visible if step.contest is not None][-THROWS:]
    odds = any(contest.odds for _, contest in contests)
    yield Table(
        (Column("Throw"), Column("Result"), *([Column("Odds")] if odds else [])),
        tuple(
            (
                Ref("step", str(step.index), shortened(contest.title) or f"entry {step.index}"),
                contest.score,
                *([str(contest.odds)] if odds else []),
            )
            for step, contest in contests
        ),
        "Throws",
        f"the last {THROWS}" if len(contests) == THROWS else "",
    )
