"""The sheet of a character, a Component or a player's figure (``sheet.html``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign_view import Block, Facts, Prose, Ref, Section, Sheet, Slips
from chronicle.site import pictures
from chronicle.site.bonds import Tie, ties_of
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.life import FATES, Life, life_data, life_of
from chronicle.site.lives import LifeSentence, draw_line, source_of_sentences
from chronicle.site.page_builder import PageSpec, neighbours
from chronicle.site.pages.relations import ties_data
from chronicle.site.prose import plain

BLOCKS_OF_WORDS = (Prose, Section, Facts)
"""Blocks of a game that describe a person in words."""
MAX_TIES = 24
"""How many ties a sheet shows; the map has them all."""


class SheetHead(NamedTuple):
    """The text under a name, from the end of one session to the end of another (0: it is the latest)."""

    first_session: int
    last_session: int
    introduction: LifeSentence | None
    ending: LifeSentence | None


class SheetContent(NamedTuple):
    """What a sheet shows."""

    id: str
    name: str
    kind: str
    status: str
    tagline: str
    aliases: tuple[str, ...]
    former: tuple[str, ...]
    life: Life
    portrait: tuple[Block, ...]
    """What was told of them when they were made."""
    words: tuple[Block, ...]
    """What else the game tells of them in words."""
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
    heads: tuple[SheetHead, ...]


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page a sheet."""
    ties = ties_of(campaign_site.bonds.latest)
    neighbours_by_registry: dict[str, Iterator[tuple[Ref | None, Ref | None]]] = {}
    for registry in campaign_site.view.registries:
        members = [sheet for sheet in campaign_site.view.sheets if sheet.registry == registry.title]
        links = [Ref("sheet", sheet.id, sheet.name) for sheet in members]
        neighbours_by_registry[registry.title] = neighbours(links)
    for sheet in campaign_site.view.sheets:
        works = campaign_site.works.works_about("sheet", sheet.id)
        heads = _sheet_heads(campaign_site, sheet)
        folded_names = {name.casefold() for name in sheet.names}
        ties_of_sheet = ties.get(sheet.id, ())
        blocks = [*sheet.blocks, *sheet.aside]
        words = tuple(block for block in sheet.blocks if isinstance(block, BLOCKS_OF_WORDS))
        portrait = tuple(block for block in words if _is_prose(block))
        card = SheetContent(
            sheet.id,
            sheet.name,
            sheet.kind,
            sheet.status,
            _own_tagline(sheet),
            sheet.aliases,
            sheet.former_names,
            life_of(campaign_site, sheet, ties_of_sheet, _prose_of(portrait)),
            portrait,
            tuple(block for block in words if block not in portrait),
            tuple(block for block in blocks if isinstance(block, Slips)),
            tuple(block for block in blocks if not isinstance(block, Slips) and block not in words),
            _scene_count_and_first(campaign_site, sheet),
            campaign_site.pictures.plates_of(works),
            tuple(
                (note.title, note.body)
                for note in campaign_site.record.campaign.notes
                if any(name.casefold() in folded_names for name in note.subjects)
            ),
            tuple(work.ref for work in works if work.art is None),
            tuple(ties_of_sheet[:MAX_TIES]),
            campaign_site.emblem(sheet.id),
            heads,
        )
        crumbs = campaign_site.sheet_crumbs(sheet)
        last_head = heads[-1]
        page, previous_and_next = (
            campaign_site.sheet_page(sheet),
            next(neighbours_by_registry[sheet.registry]),
        )
        introduction = (
            last_head.introduction.plain()
            if last_head.introduction is not None
            else plain(_own_tagline(sheet))
        )
        sheet_label = ", ".join(filter(None, (sheet.name, sheet.role or sheet.kind)))
        description = f"{sheet_label}, in {campaign_site.view.title}. {introduction}"
        yield PageSpec(
            page,
            sheet.name,
            card,
            _template_values,
            crumbs,
            previous_and_next=previous_and_next,
            description=description,
            spoiler_rule="rows",
        )


def _is_prose(block: Block) -> bool:
    """Whether a block is nothing but running text."""
    return isinstance(block, Prose) or (
        isinstance(block, Section) and all(isinstance(part, Prose) for part in block.blocks)
    )


def _prose_of(blocks: Iterable[Block]) -> str:
    """The text of blocks of running text."""
    return " ".join(
        block.markdown if isinstance(block, Prose) else _prose_of(block.blocks)
        for block in blocks
        if isinstance(block, Prose | Section)
    )


def _own_tagline(sheet: Sheet) -> str:
    """The words under a name, without the name where they only repeat it."""
    name, _, rest = sheet.tagline.partition(": ")
    return rest if name.casefold() == sheet.name.casefold() else sheet.tagline


def _sheet_heads(campaign_site: CampaignSite, sheet: Sheet) -> tuple[SheetHead, ...]:
    """The texts about a person over the course of the story: a reader who stops earlier sees the text of that
    session."""
    heads: list[SheetHead] = []
    lives, is_person = campaign_site.lives, sheet.shape == "person" and not sheet.is_never_seen
    has_fate = any(outcome.kind in FATES for outcome in lives.life(sheet.id))
    may_end = is_person or has_fate or bool(lives.keepers.endings(sheet.id))
    for session in campaign_site.view.sessions:
        session_end = campaign_site.view.session_ends.get(session.number)
        state = session_end.subjects.get(sheet.id) if session_end is not None else None
        gone = state.gone if state is not None else False
        introduction = lives.introduction(sheet.id, session.number)
        ending = lives.ending(sheet, gone, session.number) if may_end else None
        if not heads or (heads[-1].introduction, heads[-1].ending) != (introduction, ending):
            heads[-1:] = [
                earlier_head._replace(last_session=session.number) for earlier_head in heads[-1:]
            ]
            heads.append(SheetHead(session.number, 0, introduction, ending))
    return tuple(heads) or (SheetHead(0, 0, None, None),)


def _scene_count_and_first(campaign_site: CampaignSite, sheet: Sheet) -> tuple[int, Ref | None]:
    scenes = [scene for scene in campaign_site.record.timeline.scenes if sheet.id in scene.cast]
    shown = [scene for scene in scenes if campaign_site.first_step_of_scene(scene.number)]
    first = Ref("scene", str(shown[0].number), shown[0].label) if shown else None
    return len(shown), first


def _template_values(renderer: Renderer, card: SheetContent) -> dict[str, Any]:
    return {
        "sheet": card,
        "emblem": renderer.draw_emblem(card.emblem, "ch-emblem--large", fine=True),
        "heads": [
            {
                "since": head.first_session,
                "until": head.last_session,
                "about": draw_line(renderer, head.introduction, card.name),
                "end": draw_line(renderer, head.ending, card.name),
                "end_head": head.ending.head if head.ending is not None else "",
                "whose": source_of_sentences((head.introduction, head.ending)),
            }
            for head in card.heads
        ],
        "life": life_data(renderer, card.life, card.name),
        "portrait": card.portrait,
        "words": card.words,
        "slips": card.slips,
        "figures": card.figures,
        "scene_count": card.scenes[0],
        "first_scene": renderer.text(card.scenes[1]) if card.scenes[1] is not None else "",
        "status": renderer.text(card.status),
        "tagline": renderer.text(card.tagline),
        "aliases": ", ".join(card.aliases),
        "former": ", ".join(card.former),
        "portraits": [pictures.draw_plate(renderer, plate) for plate in card.portraits],
        "ties": ties_data(renderer, card.ties),
        "map_url": renderer.address(Ref("path", "relations", "")) if card.ties else "",
        "journal": [(ref.label, renderer.address(ref)) for ref in card.journal],
        "notes": [(title, renderer.prose(body)) for title, body in card.notes],
    }
