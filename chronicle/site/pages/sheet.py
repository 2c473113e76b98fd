"""The sheet of a character, a Component or a player's figure (``sheet.html``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Block, Facts, Prose, Ref, Section, Sheet, Slips
from chronicle.site import pictures
from chronicle.site.bonds import Tie, ties_of
from chronicle.site.draw import Pen
from chronicle.site.emblems import Emblem
from chronicle.site.life import Life, draw_life, life_of
from chronicle.site.lives import Line, draw_line, whose
from chronicle.site.pages.relations import drawn_tie
from chronicle.site.press import Draft, neighbours
from chronicle.site.prose import plain
from chronicle.site.volume import Volume

WORDS = (Prose, Section, Facts)
"""Blocks of a game that tell of somebody in words."""
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
    life: Life
    words: tuple[Block, ...]
    """What the game tells of them in words."""
    slips: tuple[Block, ...]
    figures: tuple[Block, ...]
    """What the game counts of them."""
    scenes: tuple[int, Ref | None]
    """In how many scenes they were, and the first."""
    portraits: tuple[pictures.Plate, ...]
    notes: tuple[tuple[str, str], ...]
    journal: tuple[Ref, ...]
    ties: tuple[Tie, ...]
    emblem: Emblem
    heads: tuple[Head, ...]


def pages(volume: Volume) -> Iterator[Draft]:
    """A page a sheet."""
    ties = ties_of(volume.bonds.now)
    turns: dict[str, Iterator[tuple[Ref | None, Ref | None]]] = {}
    for registry in volume.book.registries:
        members = [sheet for sheet in volume.book.sheets if sheet.registry == registry.title]
        links = [Ref("sheet", sheet.id, sheet.name) for sheet in members]
        turns[registry.title] = neighbours(links)
    for sheet in volume.book.sheets:
        works = volume.works.about("sheet", sheet.id)
        heads = _heads(volume, sheet)
        folded = {name.casefold() for name in sheet.names}
        own = ties.get(sheet.id, ())
        blocks = [*sheet.blocks, *sheet.aside]
        words = tuple(block for block in sheet.blocks if isinstance(block, WORDS))
        card = Card(
            sheet.id,
            sheet.name,
            sheet.kind,
            sheet.status,
            sheet.tagline,
            sheet.aliases,
            sheet.former,
            life_of(volume, sheet, own),
            words,
            tuple(block for block in blocks if isinstance(block, Slips)),
            tuple(b for b in blocks if not isinstance(b, Slips) and b not in words),
            _scenes(volume, sheet),
            volume.pictures.beside(works),
            tuple(
                (note.title, note.body)
                for note in volume.record.campaign.notes
                if any(name.casefold() in folded for name in note.subjects)
            ),
            tuple(work.ref for work in works if work.art is None),
            tuple(own[:NEIGHBOURS]),
            volume.emblem(sheet.id),
            heads,
        )
        crumbs = volume.sheet_crumbs(sheet)
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
        evening = volume.book.session_ends.get(session.number)
        then = evening.subjects.get(sheet.id) if evening is not None else None
        gone = then.gone if then is not None else False
        about = lives.about(sheet.id, session.number)
        end = lives.ending(sheet, gone, session.number) if person else None
        if not found or (found[-1].about, found[-1].end) != (about, end):
            found[-1:] = [one._replace(until=session.number) for one in found[-1:]]
            found.append(Head(session.number, 0, about, end))
    return tuple(found) or (Head(0, 0, None, None),)


def _scenes(volume: Volume, sheet: Sheet) -> tuple[int, Ref | None]:
    seen = [scene for scene in volume.record.timeline.scenes if sheet.id in scene.cast]
    shown = [scene for scene in seen if volume.opens(scene.number)]
    first = Ref("scene", str(shown[0].number), shown[0].label) if shown else None
    return len(shown), first


def _fill(pen: Pen, card: Card) -> dict[str, Any]:
    return {
        "sheet": card,
        "emblem": pen.draw(card.emblem, "ch-emblem--large", fine=True),
        "heads": [
            {
                "since": one.since,
                "until": one.until,
                "about": draw_line(pen, one.about, card.name),
                "end": draw_line(pen, one.end, card.name),
                "end_head": one.end.head if one.end is not None else "",
                "whose": whose((one.about, one.end)),
            }
            for one in card.heads
        ],
        "life": draw_life(pen, card.life, card.name),
        "words": card.words,
        "slips": card.slips,
        "figures": card.figures,
        "scene_count": card.scenes[0],
        "first_scene": pen.text(card.scenes[1]) if card.scenes[1] is not None else "",
        "status": pen.text(card.status),
        "tagline": pen.text(card.tagline),
        "aliases": ", ".join(card.aliases),
        "former": ", ".join(card.former),
        "portraits": [pictures.draw(pen, plate) for plate in card.portraits],
        "ties": [drawn_tie(pen, tie) for tie in card.ties],
        "map_url": pen.address(Ref("path", "relations", "")) if card.ties else "",
        "journal": [(ref.label, pen.address(ref)) for ref in card.journal],
        "notes": [(title, pen.prose(body)) for title, body in card.notes],
    }
