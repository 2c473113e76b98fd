"""The story, a chapter an evening (``story.html``): the first stands where the book opens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref
from chronicle.core.diagnostic import plural
from chronicle.core.figures import in_words
from chronicle.core.telling import Piece, Told, paragraphs, sentence
from chronicle.site import emblems, pictures
from chronicle.site.chapters import (
    DICE,
    OBJECTED,
    PAID,
    Chapter,
    Entry,
    Paragraph,
    Section,
    Speech,
    Verdict,
)
from chronicle.site.draw import Pen
from chronicle.site.pages.session import day_and_month, long_date
from chronicle.site.pictures import Plate
from chronicle.site.press import Draft
from chronicle.site.prose import inline, plain, prose
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume

TITLE = "The story"
_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Head(NamedTuple):
    """What the book says of itself before its first chapter."""

    summary: str
    game: str
    minutes: int
    played: tuple[str, str]
    over: bool
    """Whether the story is told."""


class Line(NamedTuple):
    """A chapter in the contents."""

    number: int
    title: str
    summary: str
    date: str
    minutes: int
    scenes: int


class Page(NamedTuple):
    """What a page of the story shows."""

    head: Head | None
    contents: tuple[Line, ...]
    chapter: Chapter | None
    ordinal: int
    talk: bool
    """Whether the table's talk has a page."""
    over: bool
    """Whether the story is told."""


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("Read", "The story", "story")


def pages(volume: Volume) -> Iterator[Draft]:
    """A page a chapter."""
    chapters = list(volume.chapters.values())
    contents = tuple(
        Line(one.number, one.title, one.summary, one.date, one.minutes, one.scenes)
        for one in chapters
    )
    settings, game = volume.record.campaign.settings, volume.record.rulebook.title
    dates = [one.date for one in volume.book.sessions if one.date]
    head = Head(
        str(settings.summary or ""),
        game,
        sum(one.minutes for one in chapters),
        (dates[0], dates[-1]) if dates else ("", ""),
        volume.record.over,
    )
    meta = {"voice": "story"}
    if not chapters:
        nothing = Page(head, (), None, 0, False, head.over)
        yield Draft("story", TITLE, "story.html", nothing, _fill, meta=meta)
    for ordinal, one in enumerate(chapters, 1):
        front = head if ordinal == 1 else None
        page = Page(front, contents, one, ordinal, volume.talks, head.over)
        title = TITLE if ordinal == 1 else one.title
        crumbs = () if ordinal == 1 else ((TITLE, "story"),)
        where = volume.chapter_page(one.number)
        told = volume.about if ordinal == 1 else plain(one.summary)
        about = f"{one.title}, {plural(one.minutes, 'minute')} to read. {told}"
        yield Draft(where, title, "story.html", page, _fill, crumbs, about=about, meta=meta)


# -- drawing ---------------------------------------------------------------------------------------


def _fill(pen: Pen, page: Page) -> dict[str, Any]:
    chapter = page.chapter
    return {
        "head": _head(pen, page) if page.head is not None else None,
        "contents": [_line(pen, line, n) for n, line in enumerate(page.contents, 1)],
        "chapter": _chapter(pen, page, chapter) if chapter is not None else None,
    }


def _head(pen: Pen, page: Page) -> dict[str, Any]:
    head = page.head
    assert head is not None
    first, last = (long_date(day) for day in head.played)
    return {
        "summary": prose(head.summary) if head.summary else "",
        "game": head.game,
        "minutes": head.minutes,
        "played": _span(first, last),
        "over": head.over,
    }


def _span(first: str, last: str) -> str:
    """``11 April to 9 May 2026``."""
    if first == last:
        return first
    same_year = first[-5:] == last[-5:]
    return f"{first[:-5] if same_year else first} to {last}"


def _line(pen: Pen, line: Line, ordinal: int) -> dict[str, Any]:
    return {
        **line._asdict(),
        "ordinal": in_words(ordinal),
        "summary": prose(line.summary) if line.summary else "",
        "date": long_date(line.date),
        "url": pen.address(Ref("chapter", str(line.number), line.title)),
    }


def _chapter(pen: Pen, page: Page, chapter: Chapter) -> dict[str, Any]:
    following = page.contents[page.ordinal : page.ordinal + 1]
    talk = pen.address(Ref("path", "table-talk", "")) if page.talk else ""
    sections = [
        _section(pen, section, number, f"{talk}#{chapter.number}-" if talk else "")
        for section, number in zip(chapter.sections, _numbers(chapter.sections), strict=True)
    ]
    _open(sections)
    return {
        "ordinal": in_words(page.ordinal),
        "number": chapter.number,
        "title": chapter.title,
        "date": day_and_month(chapter.date),
        "summary": prose(chapter.summary) if chapter.summary else "",
        "sections": sections,
        "closing": inline(chapter.closing),
        "marks": [{"kind": kind, "words": _meaning(kind, chapter.units)} for kind in chapter.marks],
        "next": _line(pen, following[0], page.ordinal + 1) if following else None,
        "played_url": pen.address(Ref("session", str(chapter.number), "")),
        "talk_url": f"{talk}#session-{chapter.number}" if talk else "",
        "remarks": chapter.remarks,
        "minutes": chapter.minutes,
        "last": "" if following else "The end" if page.over else "To be continued",
    }


def _open(sections: list[dict[str, Any]]) -> None:
    """Let the first paragraph of a chapter begin with a large letter, if it begins with one at all."""
    body = next((one["body"] for one in sections if one["body"] and one["number"]), None)
    if body and body[0]["kind"] == "paragraph":
        first = body[0]["blocks"][0]
        text = Markup(first.html).striptags()
        lead = str(first.html).find("ch-lead")
        if first.plain and lead < 0 and text[:1].isalpha():
            body[0]["blocks"][0] = first._replace(first=True)


def _meaning(kind: str, units: tuple[str, ...]) -> str:
    """What a mark says, in words."""
    unit = units[0] if len(units) == 1 else "something"
    article = "" if unit == "something" else "an " if unit[:1].casefold() in "aeio" else "a "
    return {
        PAID: f"{article}{unit} was paid for it",
        OBJECTED: "somebody objected",
        DICE: "the dice decided",
    }[kind]


def _numbers(sections: tuple[Section, ...]) -> Iterator[str]:
    """Roman numbers of the scenes; scenes within others have none."""
    count = 0
    for section in sections:
        if not section.scene or section.aside or section.again:
            yield ""
        else:
            count += 1
            yield roman(count)


def roman(number: int) -> str:
    """``4`` as ``IV``; what is large stays as it is."""
    if not 0 < number < 40:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        while number >= value:
            text += letters
            number -= value
    return text


def _section(pen: Pen, section: Section, number: str, talk: str) -> dict[str, Any]:
    seen: set[str] = set()
    return {
        "anchor": section.anchor,
        "number": number,
        "title": inline(section.title),
        "when": inline(", ".join(part for part in (section.place, section.time) if part)),
        "aside": section.aside,
        "again": section.again,
        "cast": [
            {"name": ref.label, "url": pen.address(ref), "emblem": emblems.draw(emblem)}
            for ref, emblem in section.cast
        ],
        "body": [_passage(pen, passage, seen) for passage in section.body],
        "remarks": section.remarks,
        "speakers": [pen.player(name) for name in section.speakers],
        "talk_url": f"{talk}{section.anchor}" if talk else "",
    }


def _passage(
    pen: Pen, passage: Paragraph | Speech | Verdict | Plate, seen: set[str]
) -> dict[str, Any]:
    match passage:
        case Verdict():
            url = pen.address(Ref("step", str(passage.step), ""))
            return {"kind": "verdict", "words": inline(passage.words), "url": url}
        case Plate():
            return {"kind": "plate", "plate": pictures.draw(pen, passage)}
        case Speech():
            lines = [
                {"who": piece.who, "words": _linked(pen, inline(sentence(piece.text)), seen)}
                for piece in passage.entry.pieces
            ]
            return {"kind": "speech", **_entry(pen, passage.entry), "lines": lines}
        case Paragraph():
            kind = "large" if passage.large else "paragraph"
            return {"kind": kind, "blocks": list(_run_on(pen, passage, seen))}


def _entry(pen: Pen, entry: Entry) -> dict[str, Any]:
    return {
        "anchor": entry.anchor,
        "marks": [
            {"kind": mark.kind, "url": pen.address(Ref("step", str(mark.step), ""))}
            for mark in entry.marks
        ],
    }


def _linked(pen: Pen, markup: Markup, seen: set[str]) -> Markup:
    return pen.names.link(str(markup), seen=seen, proper=True)


class Block(NamedTuple):
    """A paragraph, or what else Markdown makes of a part of a text."""

    html: Markup
    plain: bool
    first: bool = False
    """Whether its first letter may be set large."""


def _run_on(pen: Pen, passage: Paragraph, seen: set[str]) -> Iterator[Block]:
    """The paragraphs of a passage: what its entries tell runs on, but for a text that has more than
    one paragraph."""
    line: list[Markup] = []
    for entry in passage.entries:
        told = Markup("")
        opening = pen.macro("story", "opening", **_entry(pen, entry))
        for piece in entry.pieces:
            for part, block in enumerate(_piece(pen, piece, seen)):
                if part or not block.plain:
                    if told or line:
                        yield Block(Markup(" ").join([*line, opening + told]), True)
                        told, line, opening = Markup(""), [], Markup("")
                    if not block.plain:
                        yield Block(opening + block.html, False)
                        opening = Markup("")
                        continue
                told = told + Markup(" ") + block.html if told else block.html
        if told:
            line.append(opening + told)
    if line:
        yield Block(Markup(" ").join(line), True)


def _piece(pen: Pen, piece: Piece, seen: set[str]) -> Iterator[Block]:
    if piece.told is Told.LEAD:
        lead = _linked(pen, inline(piece.text.rstrip(".")), seen)
        yield Block(Markup('<span class="ch-lead">{}.</span>').format(lead), True)
    elif piece.told is Told.SENTENCE:
        yield Block(_linked(pen, inline(sentence(piece.text)), seen), True)
    else:
        for part in paragraphs(piece.text):
            markup = _linked(pen, prose(part), seen)
            plain = (
                markup.startswith("<p>") and markup.endswith("</p>") and markup.count("<p>") == 1
            )
            yield Block(markup[3:-4] if plain else markup, plain)
