"""What a card beside a name says, as things stood where the name is read.

It is a file that is loaded when somebody first rests on a name; without scripts the name is a link to the
whole sheet, as ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from chronicle.core.book import SessionView, Sheet, Slip
from chronicle.core.outcomes import plain_text
from chronicle.site.emblems import draw
from chronicle.site.files import SiteFile
from chronicle.site.links import shortened
from chronicle.site.prose import inline, typeset
from chronicle.site.shards import script
from chronicle.site.volume import Volume

FILE = "cards.js"
MOST_SLIPS = 10
"""How many words a card shows."""


def files(volume: Volume) -> Iterator[SiteFile]:
    """The file of all cards."""
    if not volume.book.sheets:
        return
    steps = [
        anchor if not step.hidden else ""
        for step, anchor in zip(volume.record.steps, volume.anchors, strict=True)
    ]
    evenings = [one for one in volume.book.sessions if one.number in volume.book.session_ends]
    then = [(one.number, _evening(volume, one)) for one in evenings]
    data = {
        "steps": steps,
        "sessions": [
            [one.number, one.steps[0].number, one.steps[-1].number]
            for one in volume.book.sessions
            if one.steps
        ],
        "sheets": {
            volume.studio.address.between(
                volume.path(" index"), volume.path(volume.sheet_page(sheet))
            ): _card(volume, sheet, then)
            for sheet in volume.book.sheets
        },
    }
    # Loaded as a script, so that it can be had from a disk.
    yield SiteFile(volume.path(FILE), data=script("chronicleCards", data))


Cards = dict[str, list[Any]]
"""What the cards say of how things stood, by the ids of sheets."""


def _evening(volume: Volume, session: SessionView) -> Cards:
    """How things stood at the end of an evening."""
    standing = volume.book.session_ends[session.number].subjects
    return {
        id: _stands(
            then.role, then.last_holder, volume.colour(then.last_holder), then.gone, then.slips
        )
        for id, then in standing.items()
    }


def _card(volume: Volume, sheet: Sheet, then: Sequence[tuple[int, Cards]]) -> dict[str, Any]:
    quotes = [[step, str(inline(shortened(text, 170)))] for step, text in _course(volume, sheet)]
    emblem = volume.emblem(sheet.id)._replace(ticks=0, gone=False)
    return {
        "n": typeset(sheet.name),
        "e": str(draw(emblem)),
        "f": volume.met.get(sheet.id, 0),
        "s": {number: of[sheet.id] for number, of in then if sheet.id in of},
        "q": quotes,
        "h": [[step, typeset(name), volume.colour(name)] for step, name in sheet.held],
    }


def _course(volume: Volume, sheet: Sheet) -> list[tuple[int, str]]:
    """What can be said of somebody as a story goes, each sentence from an entry on: who they are, and the
    outcomes of their life."""
    first = {one.number: one.steps[0].number for one in volume.book.sessions if one.steps}
    told = [
        (first.get(session, 1), words.text)
        for session, words in volume.lives.keepers.descriptions.get(sheet.id, ())
    ]
    about = volume.lives.about(sheet.id) if not told else None
    if about is not None and about.steps:
        told.append((about.steps[0], about.plain()))
    told += [(one.step_number, plain_text(one.sentence)) for one in volume.lives.life(sheet.id)]
    return sorted(told, key=lambda one: one[0])


@lru_cache(maxsize=1 << 14)
def _stands(role: str, hands: str, colour: int, gone: bool, slips: tuple[Slip, ...]) -> list[Any]:
    """How somebody stands: most do as they did after the evening before."""
    shown = [slip for slip in slips if slip.state not in ("name", "role")][-MOST_SLIPS:]
    return [
        typeset(role),
        typeset(hands),
        colour,
        int(gone),
        [[typeset(one.text), one.count, one.state, one.step] for one in shown],
    ]
