"""The contents of the cards on names, as of the entry that shows the name.

The page loads this file when a reader first points at a name. Without scripts, the name is a plain link
to the sheet.
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
    evenings = [
        session for session in volume.book.sessions if session.number in volume.book.session_ends
    ]
    states_by_session = [(session.number, _evening(volume, session)) for session in evenings]
    data = {
        "steps": steps,
        "sessions": [
            [session.number, session.steps[0].number, session.steps[-1].number]
            for session in volume.book.sessions
            if session.steps
        ],
        "sheets": {
            volume.studio.address.between(
                volume.path(" index"), volume.path(volume.sheet_page(sheet))
            ): _card(volume, sheet, states_by_session)
            for sheet in volume.book.sheets
        },
    }
    # Loaded as a script, so that it can be had from a disk.
    yield SiteFile(volume.path(FILE), data=script("chronicleCards", data))


Cards = dict[str, list[Any]]
"""The contents of cards at the end of a session, by the ids of sheets."""


def _evening(volume: Volume, session: SessionView) -> Cards:
    """The contents of all cards at the end of a session."""
    states = volume.book.session_ends[session.number].subjects
    return {
        id: _state_data(
            state.role, state.last_holder, volume.colour(state.last_holder), state.gone, state.slips
        )
        for id, state in states.items()
    }


def _card(
    volume: Volume, sheet: Sheet, states_by_session: Sequence[tuple[int, Cards]]
) -> dict[str, Any]:
    quotes = [[step, str(inline(shortened(text, 170)))] for step, text in _course(volume, sheet)]
    emblem = volume.emblem(sheet.id)._replace(ticks=0, gone=False)
    return {
        "n": typeset(sheet.name),
        "e": str(draw(emblem)),
        "f": volume.met.get(sheet.id, 0),
        "s": {
            number: states[sheet.id] for number, states in states_by_session if sheet.id in states
        },
        "q": quotes,
        "h": [[step, typeset(name), volume.colour(name)] for step, name in sheet.held],
    }


def _course(volume: Volume, sheet: Sheet) -> list[tuple[int, str]]:
    """Statements about a person in the order of the story, each with its first entry: who they are, and the
    outcomes of their life."""
    first = {
        session.number: session.steps[0].number for session in volume.book.sessions if session.steps
    }
    statements = [
        (first.get(session, 1), words.text)
        for session, words in volume.lives.keepers.descriptions.get(sheet.id, ())
    ]
    introduction = volume.lives.introduction(sheet.id) if not statements else None
    if introduction is not None and introduction.steps:
        statements.append((introduction.steps[0], introduction.plain()))
    statements += [
        (outcome.step_number, plain_text(outcome.sentence))
        for outcome in volume.lives.life(sheet.id)
    ]
    return sorted(statements, key=lambda statement: statement[0])


@lru_cache(maxsize=1 << 14)
def _state_data(
    role: str, hands: str, colour: int, gone: bool, slips: tuple[Slip, ...]
) -> list[Any]:
    """A person's state in short form: most did not change since the session before."""
    shown = [slip for slip in slips if slip.state not in ("name", "role")][-MOST_SLIPS:]
    return [
        typeset(role),
        typeset(hands),
        colour,
        int(gone),
        [[typeset(slip.text), slip.count, slip.state, slip.step] for slip in shown],
    ]
