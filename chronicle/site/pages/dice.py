"""The dice of a campaign: luck, and every throw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from chronicle.core.book import Block, Item, Listing, Note, Ref, Section
from chronicle.core.diagnostic import plural
from chronicle.core.record import Step
from chronicle.site.links import shortened
from chronicle.site.luck import luck
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume

THROWS = 300
"""How many throws are listed, of the latest."""


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
    thrown = [step for step in volume.record.visible() if step.contest is not None]
    if len(thrown) > THROWS:
        yield Note(f"The last {THROWS} of {len(thrown)} throws:")
    evenings: dict[int, list[Item]] = {}
    for step in thrown[-THROWS:]:
        evenings.setdefault(step.session, []).extend(_throws(step))
    for number, items in evenings.items():
        title = f"{number}. {volume.evening(number).title}"
        yield Section(title, (Listing(tuple(items)),), gist=plural(len(items), "throw"))


def _throws(step: Step) -> Iterator[Item]:
    """A throw in one line: what it was about, what it came to, and how likely that was."""
    if step.contest is not None:
        title = shortened(step.contest.title) or f"entry {step.index}"
        words = [word for word in (step.contest.score, str(step.contest.odds)) if word]
        yield Item(Ref("step", str(step.index), title), "; ".join(words))
