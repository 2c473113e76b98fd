"""Draws the scenes of a chapter, for a page of the site and for the book alike.

The macros of the renderer decide how an entry begins and ends, and how a picture looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Ref
from chronicle.core.telling import Piece, TextRole, paragraphs, sentence
from chronicle.site import emblems, pictures
from chronicle.site.card_page import SnapshotPage, snapshot_page_data
from chronicle.site.chapters import (
    DICE,
    Chapter,
    ChapterSection,
    GapPassage,
    Paragraph,
    Passage,
    Speech,
    ToldEntry,
    Verdict,
)
from chronicle.site.draw import Renderer
from chronicle.site.pictures import Plate
from chronicle.site.prose import inline, prose
from chronicle.words import word

_ROMAN_DIGITS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def sections_data(renderer: Renderer, chapter: Chapter) -> list[dict[str, Any]]:
    """The scenes of a chapter, as templates want them."""
    drawn_sections = [
        _section_data(renderer, section, numeral)
        for section, numeral in zip(
            chapter.sections, _scene_numerals(chapter.sections), strict=True
        )
    ]
    _mark_first_letter(drawn_sections)
    return drawn_sections


def _mark_first_letter(drawn_sections: list[dict[str, Any]]) -> None:
    """Let the first paragraph of a chapter begin with a large letter, if it begins with one at all."""
    first_section_body = next(
        (
            drawn_section["body"]
            for drawn_section in drawn_sections
            if drawn_section["body"] and drawn_section["number"]
        ),
        None,
    )
    if first_section_body and first_section_body[0]["kind"] == "paragraph":
        first_block = first_section_body[0]["blocks"][0]
        first_text = Markup(first_block.html).striptags()
        lead_index = str(first_block.html).find("ch-lead")
        if first_block.plain and lead_index < 0 and first_text[:1].isalpha():
            first_section_body[0]["blocks"][0] = first_block._replace(first=True)


def _scene_numerals(sections: tuple[ChapterSection, ...]) -> Iterator[str]:
    """Roman numbers of the scenes; scenes within others have none."""
    scene_count = 0
    for section in sections:
        if not section.scene_number or section.is_nested or section.is_continuation:
            yield ""
        else:
            scene_count += 1
            yield roman_numeral(scene_count)


def roman_numeral(decimal_number: int) -> str:
    """``4`` as ``IV``; a large number unchanged."""
    if not 0 < decimal_number < 40:
        return str(decimal_number)
    numeral = ""
    for digit_value, digit in _ROMAN_DIGITS:
        while decimal_number >= digit_value:
            numeral += digit
            decimal_number -= digit_value
    return numeral


def _section_data(
    renderer: Renderer, section: ChapterSection, scene_numeral: str
) -> dict[str, Any]:
    linked_names: set[str] = set()
    return {
        "anchor": section.section_anchor,
        "number": scene_numeral,
        "title": inline(section.title),
        "when": inline(
            ", ".join(scene_fact for scene_fact in (section.place, section.time_text) if scene_fact)
        ),
        "aside": section.is_nested,
        "again": section.is_continuation,
        "cast": [
            {"name": ref.label, "url": renderer.address(ref), "emblem": emblems.draw_emblem(emblem)}
            for ref, emblem in section.cast
        ],
        "body": [_passage_data(renderer, passage, linked_names) for passage in section.passages],
        "remarks": section.remark_count,
        "speakers": [renderer.player(player_name) for player_name in section.speakers],
        "talk": [
            {
                "step": remark.step_number,
                "url": renderer.address(Ref("step", str(remark.step_number), "")),
                "texts": [renderer.prose(talk_text) for talk_text in remark.talk_texts],
            }
            for remark in section.remarks
        ],
    }


def _passage_data(renderer: Renderer, passage: Passage, linked_names: set[str]) -> dict[str, Any]:
    match passage:
        case Verdict():
            url = renderer.address(Ref("step", str(passage.step_number), ""))
            marks_data = [{"kind": DICE, "step": passage.step_number, "url": url}]
            verdict_html = inline(passage.verdict_text)
            dice_note = word("site.dice_not_on_record") if passage.is_unrecorded else ""
            return {
                "kind": "verdict",
                "words": verdict_html,
                "url": url,
                "marks": marks_data,
                "note": dice_note,
            }
        case GapPassage():
            url = renderer.address(Ref("step", str(passage.step_number), ""))
            return {"kind": "silence", "words": inline(passage.gap_text), "url": url}
        case SnapshotPage():
            url = renderer.address(Ref("step", str(passage.step_number), ""))
            return {"kind": "cards", "page": snapshot_page_data(renderer, passage), "url": url}
        case Plate():
            return {"kind": "plate", "plate": pictures.draw_plate(renderer, passage)}
        case Speech():
            speech_lines = [
                {
                    "who": renderer.name_linker.shown_name(text_piece.speaker),
                    "words": _link_names(renderer, inline(sentence(text_piece.text)), linked_names),
                }
                for text_piece in passage.told_entry.text_pieces
            ]
            return {
                "kind": "speech",
                **_entry_data(renderer, passage.told_entry),
                "lines": speech_lines,
            }
        case Paragraph():
            passage_kind = "large" if passage.is_large else "paragraph"
            return {
                "kind": passage_kind,
                "blocks": list(_paragraphs_of_passage(renderer, passage, linked_names)),
            }


def _entry_data(renderer: Renderer, told_entry: ToldEntry) -> dict[str, Any]:
    return {
        "anchor": told_entry.anchor,
        "marks": [
            {
                "kind": mark.mark_kind,
                "step": mark.step_number,
                "url": renderer.address(Ref("step", str(mark.step_number), "")),
            }
            for mark in told_entry.marks
        ],
    }


def _link_names(renderer: Renderer, markup: Markup, linked_names: set[str]) -> Markup:
    return renderer.name_linker.link(str(markup), linked_tags=linked_names, only_capitalised=True)


class TextBlock(NamedTuple):
    """A paragraph, or what else Markdown makes of a part of a text."""

    html: Markup
    plain: bool
    first: bool = False
    """Whether its first letter can be large."""


def _paragraphs_of_passage(
    renderer: Renderer, passage: Paragraph, linked_names: set[str]
) -> Iterator[TextBlock]:
    """The paragraphs of a passage: what its entries tell runs on, but for a text that has more than
    one paragraph."""
    running_text: list[Markup] = []
    for told_entry in passage.told_entries:
        entry_data = _entry_data(renderer, told_entry)
        opening_html, closing_html = (
            renderer.macro("story", macro_name, **entry_data)
            for macro_name in ("opening", "closing")
        )
        indexed_blocks = [
            block
            for text_piece in told_entry.text_pieces
            for block in enumerate(_blocks_of_text(renderer, text_piece, linked_names))
        ]
        for block_index, (part_index, block) in enumerate(indexed_blocks):
            block_html = block.html
            if not block_index:
                block_html = opening_html + block_html
            if block_index == len(indexed_blocks) - 1:
                block_html = (
                    block_html + closing_html
                    if block.plain
                    else _with_closing(block_html, closing_html)
                )
            if running_text and (part_index or not block.plain):
                yield TextBlock(Markup(" ").join(running_text), True)
                running_text = []
            if block.plain:
                running_text.append(block_html)
            else:
                yield TextBlock(block_html, False)
    if running_text:
        yield TextBlock(Markup(" ").join(running_text), True)


def _with_closing(block_html: Markup, closing_html: Markup) -> Markup:
    """A block with the marks of an entry at the end of its last paragraph, if it has one."""
    html_before, end_tag, html_after = block_html.rpartition("</p>")
    return (
        Markup(html_before) + closing_html + Markup(end_tag + html_after)
        if end_tag
        else block_html + closing_html
    )


def _blocks_of_text(
    renderer: Renderer, text_piece: Piece, linked_names: set[str]
) -> Iterator[TextBlock]:
    if text_piece.role is TextRole.LEAD:
        lead_html = _link_names(renderer, inline(text_piece.text.rstrip(".")), linked_names)
        yield TextBlock(
            Markup('<span class="ch-lead ch-lead--record">{}.</span>').format(lead_html),
            True,
        )
    elif text_piece.role is TextRole.SENTENCE:
        yield TextBlock(
            _link_names(renderer, inline(sentence(text_piece.text)), linked_names), True
        )
    else:
        for paragraph in paragraphs(text_piece.text):
            paragraph_html = _link_names(renderer, prose(paragraph), linked_names)
            is_plain = (
                paragraph_html.startswith("<p>")
                and paragraph_html.endswith("</p>")
                and paragraph_html.count("<p>") == 1
            )
            yield TextBlock(paragraph_html[3:-4] if is_plain else paragraph_html, is_plain)
