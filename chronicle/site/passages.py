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
from chronicle.site.card_page import CardPage, draw_page
from chronicle.site.chapters import (
    DICE,
    Chapter,
    Entry,
    Paragraph,
    Passage,
    Section,
    Silence,
    Speech,
    Verdict,
)
from chronicle.site.draw import Renderer
from chronicle.site.pictures import Plate
from chronicle.site.prose import inline, prose
from chronicle.words import word

_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def sections(renderer: Renderer, chapter: Chapter) -> list[dict[str, Any]]:
    """The scenes of a chapter, as templates want them."""
    drawn_sections = [
        _section_data(renderer, section, number)
        for section, number in zip(chapter.sections, _scene_numbers(chapter.sections), strict=True)
    ]
    _mark_first_letter(drawn_sections)
    return drawn_sections


def _mark_first_letter(sections: list[dict[str, Any]]) -> None:
    """Let the first paragraph of a chapter begin with a large letter, if it begins with one at all."""
    body = next(
        (section["body"] for section in sections if section["body"] and section["number"]), None
    )
    if body and body[0]["kind"] == "paragraph":
        first_block = body[0]["blocks"][0]
        text = Markup(first_block.html).striptags()
        lead_index = str(first_block.html).find("ch-lead")
        if first_block.plain and lead_index < 0 and text[:1].isalpha():
            body[0]["blocks"][0] = first_block._replace(first=True)


def _scene_numbers(sections: tuple[Section, ...]) -> Iterator[str]:
    """Roman numbers of the scenes; scenes within others have none."""
    count = 0
    for section in sections:
        if not section.scene or section.aside or section.continues:
            yield ""
        else:
            count += 1
            yield roman(count)


def roman(number: int) -> str:
    """``4`` as ``IV``; a large number unchanged."""
    if not 0 < number < 40:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        while number >= value:
            text += letters
            number -= value
    return text


def _section_data(renderer: Renderer, section: Section, number: str) -> dict[str, Any]:
    linked: set[str] = set()
    return {
        "anchor": section.anchor,
        "number": number,
        "title": inline(section.title),
        "when": inline(", ".join(part for part in (section.place, section.time) if part)),
        "aside": section.aside,
        "again": section.continues,
        "cast": [
            {"name": ref.label, "url": renderer.address(ref), "emblem": emblems.draw_emblem(emblem)}
            for ref, emblem in section.cast
        ],
        "body": [_passage_data(renderer, passage, linked) for passage in section.body],
        "remarks": section.remarks,
        "speakers": [renderer.player(name) for name in section.speakers],
        "talk": [
            {
                "step": remark.step,
                "url": renderer.address(Ref("step", str(remark.step), "")),
                "texts": [renderer.prose(text) for text in remark.texts],
            }
            for remark in section.talk
        ],
    }


def _passage_data(renderer: Renderer, passage: Passage, linked: set[str]) -> dict[str, Any]:
    match passage:
        case Verdict():
            url = renderer.address(Ref("step", str(passage.step), ""))
            marks = [{"kind": DICE, "step": passage.step, "url": url}]
            words = inline(passage.words)
            note = word("site.dice_not_on_record") if passage.unrecorded else ""
            return {"kind": "verdict", "words": words, "url": url, "marks": marks, "note": note}
        case Silence():
            url = renderer.address(Ref("step", str(passage.step), ""))
            return {"kind": "silence", "words": inline(passage.words), "url": url}
        case CardPage():
            url = renderer.address(Ref("step", str(passage.step), ""))
            return {"kind": "cards", "page": draw_page(renderer, passage), "url": url}
        case Plate():
            return {"kind": "plate", "plate": pictures.draw_plate(renderer, passage)}
        case Speech():
            lines = [
                {
                    "who": renderer.names.shown(piece.speaker),
                    "words": _link_names(renderer, inline(sentence(piece.text)), linked),
                }
                for piece in passage.entry.pieces
            ]
            return {"kind": "speech", **_entry_data(renderer, passage.entry), "lines": lines}
        case Paragraph():
            kind = "large" if passage.large else "paragraph"
            return {"kind": kind, "blocks": list(_paragraphs_of_passage(renderer, passage, linked))}


def _entry_data(renderer: Renderer, entry: Entry) -> dict[str, Any]:
    return {
        "anchor": entry.anchor,
        "marks": [
            {**mark._asdict(), "url": renderer.address(Ref("step", str(mark.step), ""))}
            for mark in entry.marks
        ],
    }


def _link_names(renderer: Renderer, markup: Markup, linked: set[str]) -> Markup:
    return renderer.names.link(str(markup), linked=linked, proper=True)


class TextBlock(NamedTuple):
    """A paragraph, or what else Markdown makes of a part of a text."""

    html: Markup
    plain: bool
    first: bool = False
    """Whether its first letter can be large."""


def _paragraphs_of_passage(
    renderer: Renderer, passage: Paragraph, linked: set[str]
) -> Iterator[TextBlock]:
    """The paragraphs of a passage: what its entries tell runs on, but for a text that has more than
    one paragraph."""
    running_text: list[Markup] = []
    for entry in passage.entries:
        entry_data = _entry_data(renderer, entry)
        opening, closing = (
            renderer.macro("story", edge, **entry_data) for edge in ("opening", "closing")
        )
        blocks = [
            block
            for piece in entry.pieces
            for block in enumerate(_blocks_of_piece(renderer, piece, linked))
        ]
        for index, (part_index, block) in enumerate(blocks):
            html = block.html
            if not index:
                html = opening + html
            if index == len(blocks) - 1:
                html = html + closing if block.plain else _with_closing(html, closing)
            if running_text and (part_index or not block.plain):
                yield TextBlock(Markup(" ").join(running_text), True)
                running_text = []
            if block.plain:
                running_text.append(html)
            else:
                yield TextBlock(html, False)
    if running_text:
        yield TextBlock(Markup(" ").join(running_text), True)


def _with_closing(html: Markup, closing: Markup) -> Markup:
    """A block with the marks of an entry at the end of its last paragraph, if it has one."""
    head, tag, tail = html.rpartition("</p>")
    return Markup(head) + closing + Markup(tag + tail) if tag else html + closing


def _blocks_of_piece(renderer: Renderer, piece: Piece, linked: set[str]) -> Iterator[TextBlock]:
    if piece.role is TextRole.LEAD:
        lead = _link_names(renderer, inline(piece.text.rstrip(".")), linked)
        yield TextBlock(
            Markup('<span class="ch-lead ch-lead--record">{}.</span>').format(lead), True
        )
    elif piece.role is TextRole.SENTENCE:
        yield TextBlock(_link_names(renderer, inline(sentence(piece.text)), linked), True)
    else:
        for part in paragraphs(piece.text):
            markup = _link_names(renderer, prose(part), linked)
            plain = (
                markup.startswith("<p>") and markup.endswith("</p>") and markup.count("<p>") == 1
            )
            yield TextBlock(markup[3:-4] if plain else markup, plain)
