"""The sheet of a character, a Component or a player's figure (``sheet.html``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Block, Listing, Ref, Sheet
from chronicle.core.make_book import APPEARS, appearances
from chronicle.site import pictures
from chronicle.site.bonds import Tie, ties_of
from chronicle.site.draw import Pen
from chronicle.site.emblems import Emblem
from chronicle.site.lives import Line, draw_headed, draw_line, whose
from chronicle.site.pages.relations import drawn_tie
from chronicle.site.pages.thread import threads
from chronicle.site.press import Draft, neighbours
from chronicle.site.prose import plain
from chronicle.site.volume import Volume

NEIGHBOURS = 24
"""How many ties a sheet shows; the map has them all."""


class Head(NamedTuple):
    """What stands under a name, from the end of one session to that of another (0: it is the latest)."""

    since: int
    until: int
    about: Line | None
    end: Line | None


class Card(NamedTuple):
    """What a sheet shows."""

    id: str
    name: str
    kind: str
    status: str
    tagline: str
    aliases: tuple[str, ...]
    former: tuple[str, ...]
    blocks: tuple[Block, ...]
    aside: tuple[Block, ...]
    beside: tuple[Block, ...]
    portraits: tuple[pictures.Plate, ...]
    notes: tuple[tuple[str, str], ...]
    journal: tuple[Ref, ...]
    ties: tuple[Tie, ...]
    emblem: Emblem
    heads: tuple[Head, ...]
    thread: int
    """How many outcomes their life has, on a page of its own; 0: there is none."""


def pages(volume: Volume) -> Iterator[Draft]:
    """A page a sheet."""
    ties, told = ties_of(volume.bonds.now), threads(volume)
    turns: dict[str, Iterator[tuple[Ref | None, Ref | None]]] = {}
    for registry in volume.book.registries:
        members = [sheet for sheet in volume.book.sheets if sheet.registry == registry.title]
        links = [Ref("sheet", sheet.id, sheet.name) for sheet in members]
        turns[registry.title] = neighbours(links)
    for sheet in volume.book.sheets:
        works = volume.works.about("sheet", sheet.id)
        heads = _heads(volume, sheet)
        folded = {name.casefold() for name in sheet.names}
        card = Card(
            sheet.id,
            sheet.name,
            sheet.kind,
            sheet.status,
            sheet.tagline,
            sheet.aliases,
            sheet.former,
            tuple(sheet.blocks),
            tuple(sheet.aside),
            tuple(_beside(volume, sheet)),
            volume.pictures.beside(works),
            tuple(
                (note.title, note.body)
                for note in volume.record.campaign.notes
                if any(name.casefold() in folded for name in note.about)
            ),
            tuple(work.ref for work in works if work.art is None),
            tuple(ties.get(sheet.id, ())[:NEIGHBOURS]),
            volume.emblem(sheet.id),
            heads,
            len(told.get(sheet.id, ())),
        )
        crumbs = ((sheet.registry, f"{volume.registry_folder(sheet.registry)}/index"),)
        last = heads[-1]
        page, turn = volume.sheet_page(sheet), next(turns[sheet.registry])
        said = last.about.plain() if last.about is not None else plain(sheet.tagline)
        what = ", ".join(filter(None, (sheet.name, sheet.role or sheet.kind)))
        about = f"{what}, in {volume.book.title}. {said}"
        yield Draft(
            page,
            sheet.name,
            card,
            _fill,
            crumbs,
            turn=turn,
            about=about,
            tells="rows",
        )


def _heads(volume: Volume, sheet: Sheet) -> tuple[Head, ...]:
    """What was to be said of somebody as the story went: readers who stop earlier see what was so by then."""
    found: list[Head] = []
    lives, person = volume.lives, sheet.shape == "person" and not sheet.spirit
    for session in volume.book.sessions:
        evening = volume.book.evenings.get(session.number)
        then = evening.subjects.get(sheet.id) if evening is not None else None
        gone = then.gone if then is not None else False
        about = lives.about(sheet.id, session.number)
        end = lives.ending(sheet, gone, session.number) if person else None
        if not found or (found[-1].about, found[-1].end) != (about, end):
            found[-1:] = [one._replace(until=session.number) for one in found[-1:]]
            found.append(Head(session.number, 0, about, end))
    return tuple(found) or (Head(0, 0, None, None),)


def _beside(volume: Volume, sheet: Sheet) -> Iterator[Block]:
    """What every sheet has at its side, unless the game has put it there: appearances."""
    have = [*sheet.blocks, *sheet.aside]
    if not any(isinstance(b, Listing) and b.title == APPEARS for b in have):
        seen = appearances(volume.record, sheet.id)
        if seen.items:
            yield seen


def _fill(pen: Pen, card: Card) -> dict[str, Any]:
    return {
        "sheet": card,
        "emblem": pen.draw(card.emblem, "ch-emblem--large", fine=True),
        "heads": [
            {
                "since": one.since,
                "until": one.until,
                "about": draw_line(pen, one.about, card.name),
                "end": draw_headed(pen, one.end, card.name),
                "whose": whose((one.about, one.end)),
            }
            for one in card.heads
        ],
        "thread": card.thread,
        "thread_url": pen.address(Ref("thread", card.id, "")) if card.thread else "",
        "status": pen.text(card.status),
        "tagline": pen.text(card.tagline),
        "aliases": ", ".join(card.aliases),
        "former": ", ".join(card.former),
        "portraits": [pictures.draw(pen, plate) for plate in card.portraits],
        "beside": card.beside,
        "ties": [drawn_tie(pen, tie) for tie in card.ties],
        "map_url": pen.address(Ref("path", "relations", "")) if card.ties else "",
        "journal": [(ref.label, pen.address(ref)) for ref in card.journal],
        "notes": [(title, pen.prose(body)) for title, body in card.notes],
    }
