"""What a card beside a name says, as things stood where the name is read.

It is a file that is loaded when somebody first rests on a name; without scripts the name is a link to the
whole sheet, as ever.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from chronicle.core.book import Sheet, Standing
from chronicle.site.emblems import draw
from chronicle.site.files import SiteFile
from chronicle.site.links import shortened
from chronicle.site.prose import inline, typeset
from chronicle.site.volume import Volume

FILE = "cards.js"
MOST_SLIPS = 10
"""How many words a card shows."""


def files(volume: Volume) -> Iterator[SiteFile]:
    """The file of all cards."""
    if not volume.book.sheets:
        return
    steps = [step.anchor if not step.hidden else "" for step in volume.record.steps]
    data = {
        "steps": steps,
        "sessions": [
            [one.number, one.steps[0].index, one.steps[-1].index]
            for one in volume.book.sessions
            if one.steps
        ],
        "sheets": {
            volume.studio.address.between(
                volume.path(" index"), volume.path(volume.sheet_page(sheet))
            ): _card(volume, sheet)
            for sheet in volume.book.sheets
        },
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    # Loaded as a script, so that it can be had from a disk.
    yield SiteFile(volume.path(FILE), data=f"chronicleCards({text});\n".encode())


def _card(volume: Volume, sheet: Sheet) -> dict[str, Any]:
    quotes = [
        [quote.step, str(inline(shortened(quote.text, 170)))]
        for quote in volume.quotes.course(sheet.id)
    ]
    emblem = volume.emblem(sheet.id)._replace(ticks=0, gone=False)
    return {
        "n": typeset(sheet.name),
        "e": str(draw(emblem)),
        "f": volume.met.get(sheet.id, 0),
        "s": {
            number: _standing(volume, evening.standing[sheet.id])
            for number, evening in volume.book.evenings.items()
            if sheet.id in evening.standing
        },
        "q": quotes,
        "h": [[step, typeset(name), volume.colour(name)] for step, name in sheet.held],
    }


def _standing(volume: Volume, then: Standing) -> list[Any]:
    slips = [slip for slip in then.slips if slip.state not in ("name", "role")][-MOST_SLIPS:]
    return [
        typeset(then.role),
        typeset(then.hands),
        volume.colour(then.hands),
        int(then.gone),
        [[typeset(one.text), one.count, one.state, one.step] for one in slips],
    ]
