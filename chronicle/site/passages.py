"""Draws the scenes of a chapter, for a page of the site and for the book alike.

The macros of the renderer decide how an entry begins and ends, and how a picture looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref
from chronicle.core.telling import Piece, TextRole, paragraphs, sentence
from chronicle.site import emblems, pictures
from chronicle.site.card_page import CardPage, drawn_page
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
        _section(renderer, section, number)
        for section, number in zip(chapter.sections, _numbers(chapter.sections), strict=True)
    ]
    _open(drawn_sections)
    return drawn_sections


def _open(sections: list[dict[str, Any]]) -> None:
    """Let the first paragraph of a chapter begin with a large letter, if it begins with one at all."""
    body = next(
        (section["body"] for section in sections if section["body"] and section["number"]), None
    )
    if body and body[0]["kind"] == "paragraph":
        first = body[0]["blocks"][0]
        text = Markup(first.html).striptags()
        lead = str(first.html).find("ch-lead")
        if first.plain and lead < 0 and text[:1].isalpha():
            body[0]["blocks"][0] = first._replace(first=True)


def _numbers(sections: tuple[Section, ...]) -> Iterator[str]:
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


def _section(renderer: Renderer, section: Section, number: str) -> dict[str, Any]:
    linked: set[str] = set()
    return {
        "anchor": section.anchor,
        "number": number,
        "title": inline(section.title),
        "when": inline(", ".join(part for part in (section.place, section.time) if part)),
        "aside": section.aside,
        "again": section.continues,
        "cast": [
            {"name": ref.label, "url": renderer.address(ref), "emblem": emblems.draw(emblem)}
            for ref, emblem in section.cast
        ],
        "body": [_passage(renderer, passage, linked) for passage in section.body],
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


def _passage(renderer: Renderer, passage: Passage, linked: set[str]) -> dict[str, Any]:
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
            return {"kind": "cards", "page": drawn_page(renderer, passage), "url": url}
        case Plate():
            return {"kind": "plate", "plate": pictures.draw(renderer, passage)}
        case Speech():
            lines = [
                {
                    "who": renderer.names.shown(piece.speaker),
                    "words": _linked(renderer, inline(sentence(piece.text)), linked),
                }
                for piece in passage.entry.pieces
            ]
            return {"kind": "speech", **_entry(renderer, passage.entry), "lines": lines}
        case Paragraph():
            kind = "large" if passage.large else "paragraph"
            return {"kind": kind, "blocks": list(_run_on(renderer, passage, linked))}


def _entry(renderer: Renderer, entry: Entry) -> dict[str, Any]:
    return {
        "anchor": entry.anchor,
        "marks": [
            {**mark._asdict(), "url": renderer.address(Ref("step", str(mark.step), ""))}
            for mark in entry.marks
        ],
    }


def _linked(renderer: Renderer, markup: Markup, linked: set[str]) -> Markup:
    return renderer.names.link(str(markup), linked=linked, proper=True)


class Block(NamedTuple):
    """A paragraph, or what else Markdown makes of a part of a text."""

    html: Markup
    plain: bool
    first: bool = False
    """Whether its first letter can be large."""


def _run_on(renderer: Renderer, passage: Paragraph, linked: set[str]) -> Iterator[Block]:
    """The paragraphs of a passage: what its entries tell runs on, but for a text that has more than
    one paragraph."""
    line: list[Markup] = []
    for entry in passage.entries:
        drawn = _entry(renderer, entry)
        opening, closing = (
            renderer.macro("story", edge, **drawn) for edge in ("opening", "closing")
        )
        blocks = [
            block for piece in entry.pieces for block in enumerate(_piece(renderer, piece, linked))
        ]
        for place, (part, block) in enumerate(blocks):
            html = block.html
            if not place:
                html = opening + html
            if place == len(blocks) - 1:
                html = html + closing if block.plain else _closed(html, closing)
            if line and (part or not block.plain):
                yield Block(Markup(" ").join(line), True)
                line = []
            if block.plain:
                line.append(html)
            else:
                yield Block(html, False)
    if line:
        yield Block(Markup(" ").join(line), True)


def _closed(html: Markup, closing: Markup) -> Markup:
    """A block with the marks of an entry at the end of its last paragraph, if it has one."""
    head, tag, tail = html.rpartition("</p>")
    return Markup(head) + closing + Markup(tag + tail) if tag else html + closing


def _piece(renderer: Renderer, piece: Piece, linked: set[str]) -> Iterator[Block]:
    if piece.role is TextRole.LEAD:
        lead = _linked(renderer, inline(piece.text.rstrip(".")), linked)
        yield Block(Markup('<span class="ch-lead">{}.</span>').format(lead), True)
    elif piece.role is TextRole.SENTENCE:
        yield Block(_linked(renderer, inline(sentence(piece.text)), linked), True)
    else:
        for part in paragraphs(piece.text):
            markup = _linked(renderer, prose(part), linked)
            plain = (
                markup.startswith("<p>") and markup.endswith("</p>") and markup.count("<p>") == 1
            )
            yield Block(markup[3:-4] if plain else markup, plain)
