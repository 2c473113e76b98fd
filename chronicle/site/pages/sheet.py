"""The sheet of a character, a Component or a player's figure (``sheet.html``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Block, Facts, Prose, Ref, Section, Sheet, Slips
from chronicle.site import pictures
from chronicle.site.bonds import Tie, ties_of
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.life import Life, draw_life, life_of
from chronicle.site.lives import Line, draw_line, whose
from chronicle.site.page_builder import PageSpec, neighbours
from chronicle.site.pages.relations import drawn_ties
from chronicle.site.prose import plain

WORDS = (Prose, Section, Facts)
"""Blocks of a game that describe a person in words."""
NEIGHBOURS = 24
"""How many ties a sheet shows; the map has them all."""


class Head(NamedTuple):
    """The text under a name, from the end of one session to the end of another (0: it is the latest)."""

    first_session: int
    until: int
    introduction: Line | None
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


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page a sheet."""
    ties = ties_of(campaign_site.bonds.latest)
    turns: dict[str, Iterator[tuple[Ref | None, Ref | None]]] = {}
    for registry in campaign_site.book.registries:
        members = [sheet for sheet in campaign_site.book.sheets if sheet.registry == registry.title]
        links = [Ref("sheet", sheet.id, sheet.name) for sheet in members]
        turns[registry.title] = neighbours(links)
    for sheet in campaign_site.book.sheets:
        works = campaign_site.works.works_about("sheet", sheet.id)
        heads = _heads(campaign_site, sheet)
        folded = {name.casefold() for name in sheet.names}
        ties_of_sheet = ties.get(sheet.id, ())
        blocks = [*sheet.blocks, *sheet.aside]
        words = tuple(block for block in sheet.blocks if isinstance(block, WORDS))
        card = Card(
            sheet.id,
            sheet.name,
            sheet.kind,
            sheet.status,
            sheet.tagline,
            sheet.aliases,
            sheet.former_names,
            life_of(campaign_site, sheet, ties_of_sheet),
            words,
            tuple(block for block in blocks if isinstance(block, Slips)),
            tuple(b for b in blocks if not isinstance(b, Slips) and b not in words),
            _scenes(campaign_site, sheet),
            campaign_site.pictures.plates_of(works),
            tuple(
                (note.title, note.body)
                for note in campaign_site.record.campaign.notes
                if any(name.casefold() in folded for name in note.subjects)
            ),
            tuple(work.ref for work in works if work.art is None),
            tuple(ties_of_sheet[:NEIGHBOURS]),
            campaign_site.emblem(sheet.id),
            heads,
        )
        crumbs = campaign_site.sheet_crumbs(sheet)
        last = heads[-1]
        page, turn = campaign_site.sheet_page(sheet), next(turns[sheet.registry])
        introduction = (
            last.introduction.plain() if last.introduction is not None else plain(sheet.tagline)
        )
        sheet_label = ", ".join(filter(None, (sheet.name, sheet.role or sheet.kind)))
        description = f"{sheet_label}, in {campaign_site.book.title}. {introduction}"
        yield PageSpec(
            page,
            sheet.name,
            card,
            _fill,
            crumbs,
            turn=turn,
            about=description,
            tells="rows",
        )


def _heads(campaign_site: CampaignSite, sheet: Sheet) -> tuple[Head, ...]:
    """The texts about a person over the course of the story: a reader who stops earlier sees the text of that
    session."""
    heads: list[Head] = []
    lives, person = campaign_site.lives, sheet.shape == "person" and not sheet.is_never_seen
    for session in campaign_site.book.sessions:
        evening = campaign_site.book.session_ends.get(session.number)
        state = evening.subjects.get(sheet.id) if evening is not None else None
        gone = state.gone if state is not None else False
        introduction = lives.introduction(sheet.id, session.number)
        end = lives.ending(sheet, gone, session.number) if person else None
        if not heads or (heads[-1].introduction, heads[-1].end) != (introduction, end):
            heads[-1:] = [
                earlier_head._replace(until=session.number) for earlier_head in heads[-1:]
            ]
            heads.append(Head(session.number, 0, introduction, end))
    return tuple(heads) or (Head(0, 0, None, None),)


def _scenes(campaign_site: CampaignSite, sheet: Sheet) -> tuple[int, Ref | None]:
    scenes = [scene for scene in campaign_site.record.timeline.scenes if sheet.id in scene.cast]
    shown = [scene for scene in scenes if campaign_site.opens(scene.number)]
    first = Ref("scene", str(shown[0].number), shown[0].label) if shown else None
    return len(shown), first


def _fill(renderer: Renderer, card: Card) -> dict[str, Any]:
    return {
        "sheet": card,
        "emblem": renderer.draw(card.emblem, "ch-emblem--large", fine=True),
        "heads": [
            {
                "since": head.first_session,
                "until": head.until,
                "about": draw_line(renderer, head.introduction, card.name),
                "end": draw_line(renderer, head.end, card.name),
                "end_head": head.end.head if head.end is not None else "",
                "whose": whose((head.introduction, head.end)),
            }
            for head in card.heads
        ],
        "life": draw_life(renderer, card.life, card.name),
        "words": card.words,
        "slips": card.slips,
        "figures": card.figures,
        "scene_count": card.scenes[0],
        "first_scene": renderer.text(card.scenes[1]) if card.scenes[1] is not None else "",
        "status": renderer.text(card.status),
        "tagline": renderer.text(card.tagline),
        "aliases": ", ".join(card.aliases),
        "former": ", ".join(card.former),
        "portraits": [pictures.draw(renderer, plate) for plate in card.portraits],
        "ties": drawn_ties(renderer, card.ties),
        "map_url": renderer.address(Ref("path", "relations", "")) if card.ties else "",
        "journal": [(ref.label, renderer.address(ref)) for ref in card.journal],
        "notes": [(title, renderer.prose(body)) for title, body in card.notes],
    }
