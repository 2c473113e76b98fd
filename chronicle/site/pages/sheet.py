"""The sheet of a character, a Component or a player's figure (``sheet.html``)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from chronicle.core.campaign_view import Block, Facts, Prose, Ref, Section, Sheet, Slips
from chronicle.site import pictures
from chronicle.site.bonds import Tie, ties_of
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.life import FATE_OUTCOME_KINDS, Life, is_said_in, life_data, life_of
from chronicle.site.lives import LifeSentence, draw_life_sentence, sources_of_sentences
from chronicle.site.page_builder import PageSpec, previous_and_next_refs
from chronicle.site.pages.relations import ties_data
from chronicle.site.prose import markdown_to_text
from chronicle.site.told import told_sentence

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


class SceneCount(NamedTuple):
    """In how many scenes they were and in which first, from the end of one session to the end of another (0: it is the
    latest)."""

    first_session: int
    last_session: int
    number: int
    first_scene: Ref


class SheetContent(NamedTuple):
    """What a sheet shows."""

    id: str
    name: str
    kind: str
    status: str
    tagline: str
    aliases: tuple[str, ...]
    former_names: tuple[str, ...]
    life: Life
    portrait_blocks: tuple[Block, ...]
    """The text of the entry that made them."""
    word_blocks: tuple[Block, ...]
    """What else the game tells of them in words."""
    slip_blocks: tuple[Block, ...]
    figure_blocks: tuple[Block, ...]
    """What the game counts of them."""
    scene_counts: tuple[SceneCount, ...]
    portrait_plates: tuple[pictures.Plate, ...]
    note_titles_and_texts: tuple[tuple[str, str], ...]
    journal_refs: tuple[Ref, ...]
    ties: tuple[Tie, ...]
    emblem: Emblem
    sheet_heads: tuple[SheetHead, ...]


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page a sheet."""
    ties_by_sheet = ties_of(campaign_site.bonds.latest_bonds)
    neighbours_by_registry: dict[str, Iterator[tuple[Ref | None, Ref | None]]] = {}
    for registry in campaign_site.view.registries:
        sheets_of_registry = [
            sheet for sheet in campaign_site.view.sheets if sheet.registry == registry.title
        ]
        sheet_refs = [Ref("sheet", sheet.id, sheet.name) for sheet in sheets_of_registry]
        neighbours_by_registry[registry.title] = previous_and_next_refs(sheet_refs)
    for sheet in campaign_site.view.sheets:
        works = campaign_site.works.works_about("sheet", sheet.id)
        sheet_heads = _sheet_heads(campaign_site, sheet)
        folded_names = {name.casefold() for name in sheet.names}
        ties_of_sheet = ties_by_sheet.get(sheet.id, ())
        all_blocks = [*sheet.blocks, *sheet.aside]
        word_blocks = tuple(block for block in sheet.blocks if isinstance(block, BLOCKS_OF_WORDS))
        portrait_blocks = tuple(block for block in word_blocks if _is_prose(block))
        portrait_text = _prose_of(portrait_blocks)
        introductions_text = min(
            (
                head.introduction.as_plain_text() if head.introduction else ""
                for head in sheet_heads
            ),
            key=len,
        )
        sheet_content = SheetContent(
            sheet.id,
            sheet.name,
            sheet.kind,
            sheet.status,
            _own_tagline(sheet),
            tuple(alias for alias in sheet.aliases if not is_said_in(alias, introductions_text)),
            sheet.former_names,
            life_of(campaign_site, sheet, ties_of_sheet, portrait_text),
            portrait_blocks,
            tuple(block for block in word_blocks if block not in portrait_blocks),
            tuple(
                slips
                for block in all_blocks
                if isinstance(block, Slips)
                and (slips := _without_own_name(block, folded_names)).items
            ),
            tuple(
                block
                for block in all_blocks
                if not isinstance(block, Slips) and block not in word_blocks
            ),
            _scene_counts(campaign_site, sheet),
            campaign_site.pictures.plates_of(works),
            tuple(
                (note.title, note.body)
                for note in campaign_site.record.campaign.notes
                if any(subject_name.casefold() in folded_names for subject_name in note.subjects)
            ),
            tuple(work.ref for work in works if work.artwork is None),
            tuple(ties_of_sheet[:MAX_TIES]),
            campaign_site.emblem(sheet.id),
            _without_told_introductions(campaign_site, sheet_heads, portrait_text),
        )
        crumbs = campaign_site.sheet_crumbs(sheet)
        last_head = sheet_heads[-1]
        page_path, previous_and_next = (
            campaign_site.sheet_page_path(sheet),
            next(neighbours_by_registry[sheet.registry]),
        )
        introduction = (
            last_head.introduction.as_plain_text()
            if last_head.introduction is not None
            else markdown_to_text(_own_tagline(sheet))
        )
        sheet_label = ", ".join(filter(None, (sheet.name, sheet.role or sheet.kind)))
        description = f"{sheet_label}, in {campaign_site.view.title}. {introduction}"
        yield PageSpec(
            page_path,
            sheet.name,
            sheet_content,
            _template_values,
            crumbs,
            previous_and_next=previous_and_next,
            description=description,
            spoiler_rule="rows",
        )


def _is_prose(block: Block) -> bool:
    """Whether a block is nothing but running text."""
    return isinstance(block, Prose) or (
        isinstance(block, Section)
        and all(isinstance(inner_block, Prose) for inner_block in block.blocks)
    )


def _without_own_name(block: Slips, folded_names: Container[str]) -> Slips:
    """Words on slips without a name that stands above them anyway."""
    slips = tuple(slip for slip in block.items if slip.text.casefold() not in folded_names)
    return replace(block, items=slips)


def _prose_of(blocks: Iterable[Block]) -> str:
    """The text of blocks of running text."""
    return " ".join(
        block.markdown if isinstance(block, Prose) else _prose_of(block.blocks)
        for block in blocks
        if isinstance(block, Prose | Section)
    )


def _own_tagline(sheet: Sheet) -> str:
    """The words under a name, without the name where they only repeat it."""
    tagline_name, _, words_after_name = sheet.tagline.partition(": ")
    return words_after_name if tagline_name.casefold() == sheet.name.casefold() else sheet.tagline


def _sheet_heads(campaign_site: CampaignSite, sheet: Sheet) -> tuple[SheetHead, ...]:
    """The texts about a person over the course of the story: a reader who stops earlier sees the text of that
    session."""
    sheet_heads: list[SheetHead] = []
    lives, is_person = campaign_site.lives, sheet.shape == "person" and not sheet.is_never_seen
    has_fate = any(
        outcome.kind in FATE_OUTCOME_KINDS for outcome in lives.outcomes_of_life(sheet.id)
    )
    may_end = is_person or has_fate or bool(lives.cited_texts.endings(sheet.id))
    for session in campaign_site.view.sessions:
        session_end = campaign_site.view.session_ends.get(session.number)
        subject_state = session_end.subjects.get(sheet.id) if session_end is not None else None
        is_gone = subject_state.gone if subject_state is not None else False
        introduction = lives.introduction(sheet.id, session.number)
        ending = lives.ending(sheet, is_gone, session.number) if may_end else None
        if not sheet_heads or (sheet_heads[-1].introduction, sheet_heads[-1].ending) != (
            introduction,
            ending,
        ):
            sheet_heads[-1:] = [
                earlier_head._replace(last_session=session.number)
                for earlier_head in sheet_heads[-1:]
            ]
            sheet_heads.append(SheetHead(session.number, 0, introduction, ending))
    return tuple(sheet_heads) or (SheetHead(0, 0, None, None),)


def _without_told_introductions(
    campaign_site: CampaignSite, sheet_heads: tuple[SheetHead, ...], portrait_text: str
) -> tuple[SheetHead, ...]:
    """The heads without their introductions, if these rest on no more than the portrait below, which says it again."""
    portrait_text = " ".join(portrait_text.split())
    introductions = [head.introduction for head in sheet_heads if head.introduction is not None]
    for introduction in introductions:
        told_sentences = [
            told_sentence(campaign_site.teller, campaign_site.record.step(step_number))
            for step_number in introduction.step_numbers
        ]
        if not any(told_sentences) or not all(text in portrait_text for text in told_sentences):
            return sheet_heads
    return tuple(sheet_head._replace(introduction=None) for sheet_head in sheet_heads)


def _scene_counts(campaign_site: CampaignSite, sheet: Sheet) -> tuple[SceneCount, ...]:
    """The number of scenes as it grew: a reader who stops earlier sees the number of that session."""
    scenes = [scene for scene in campaign_site.record.timeline.scenes if sheet.id in scene.cast]
    shown_scenes = [scene for scene in scenes if campaign_site.first_step_of_scene(scene.number)]
    scene_counts: list[SceneCount] = []
    for session_number in sorted({scene.session for scene in shown_scenes}):
        read_scenes = [scene for scene in shown_scenes if scene.session <= session_number]
        first_scene = Ref("scene", str(read_scenes[0].number), read_scenes[0].label)
        if scene_counts:
            scene_counts[-1] = scene_counts[-1]._replace(last_session=session_number)
        scene_counts.append(SceneCount(session_number, 0, len(read_scenes), first_scene))
    return tuple(scene_counts)


def _template_values(renderer: Renderer, sheet_content: SheetContent) -> dict[str, Any]:
    scene_counts = [
        {
            "since": scene_count.first_session,
            "until": scene_count.last_session,
            "count": scene_count.number,
            "first": renderer.text(scene_count.first_scene),
        }
        for scene_count in sheet_content.scene_counts
    ]
    return {
        "sheet": sheet_content,
        "emblem": renderer.draw_emblem(
            sheet_content.emblem, "ch-emblem--large", has_fine_lines=True
        ),
        "heads": [
            {
                "since": sheet_head.first_session,
                "until": sheet_head.last_session,
                "about": draw_life_sentence(renderer, sheet_head.introduction, sheet_content.name),
                "end": draw_life_sentence(renderer, sheet_head.ending, sheet_content.name),
                "end_head": sheet_head.ending.ending_heading
                if sheet_head.ending is not None
                else "",
                "whose": sources_of_sentences((sheet_head.introduction, sheet_head.ending)),
            }
            for sheet_head in sheet_content.sheet_heads
        ],
        "life": life_data(renderer, sheet_content.life, sheet_content.name),
        "portrait": sheet_content.portrait_blocks,
        "words": sheet_content.word_blocks,
        "slips": sheet_content.slip_blocks,
        "figures": sheet_content.figure_blocks,
        "scene_counts": scene_counts,
        "scene_count": scene_counts[-1]["count"] if scene_counts else 0,
        "first_scene": scene_counts[-1]["first"] if scene_counts else "",
        "status": renderer.text(sheet_content.status),
        "tagline": renderer.text(sheet_content.tagline),
        "aliases": ", ".join(sheet_content.aliases),
        "former": ", ".join(sheet_content.former_names),
        "portraits": [
            pictures.draw_plate(renderer, plate) for plate in sheet_content.portrait_plates
        ],
        "ties": ties_data(renderer, sheet_content.ties, sheet_content.name),
        "map_url": renderer.address(Ref("path", "relations", "")) if sheet_content.ties else "",
        "journal": [(ref.label, renderer.address(ref)) for ref in sheet_content.journal_refs],
        "notes": [
            (note_title, renderer.prose(note_text))
            for note_title, note_text in sheet_content.note_titles_and_texts
        ],
    }
