"""The story, a chapter for each session (``story.html``): the book opens at the first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign_view import Ref
from chronicle.core.figures import number_in_words
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.chapters import DICE, OBJECTED, Chapter
from chronicle.site.dates import date_span, day_and_month, long_date
from chronicle.site.draw import Renderer
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.passages import sections_data
from chronicle.site.prose import inline, markdown_to_text, prose
from chronicle.words import word

TITLE = word("site.the_story")
WHOLE_STORY_PAGE = "story/all"
"""The page with all chapters."""


class StoryHead(NamedTuple):
    """What the book says of itself before its first chapter."""

    summary: str
    game_title: str
    reading_minutes: int
    first_and_last_date: tuple[str, str]
    is_over: bool
    """Whether the story is told."""
    book_file_names: tuple[str, ...]
    """The same as files to take along."""
    players: tuple[str, ...]


class ContentsLine(NamedTuple):
    """A chapter in the contents."""

    number: int
    title: str
    summary: str
    date: str
    minutes: int
    scenes: int


class StoryPage(NamedTuple):
    """What a page of the story shows."""

    story_head: StoryHead | None
    contents_lines: tuple[ContentsLine, ...]
    chapter: Chapter | None
    chapter_ordinal: int
    is_over: bool
    """Whether the story is told."""
    all_chapters: tuple[Chapter, ...] = ()
    """All chapters, on the page that has them all."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Story", TITLE, "story")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page a chapter, and of several chapters one page with all of them, to print."""
    chapters = list(campaign_site.chapters_by_session.values())
    contents_lines = tuple(
        ContentsLine(
            chapter.session_number,
            chapter.title,
            chapter.summary,
            chapter.date,
            chapter.reading_minutes,
            chapter.scene_count,
        )
        for chapter in chapters
    )
    settings, game_title = (
        campaign_site.record.campaign.settings,
        campaign_site.record.rulebook.title,
    )
    session_dates = [session.date for session in campaign_site.view.sessions if session.date]
    story_head = StoryHead(
        str(settings.summary or ""),
        game_title,
        campaign_site.reading_minutes,
        (session_dates[0], session_dates[-1]) if session_dates else ("", ""),
        campaign_site.record.is_over,
        tuple(file_name for file_name, _, _ in campaign_site.downloads.books),
        tuple(campaign_site.view.players()),
    )
    meta = {"voice": "story"}
    if not chapters:
        empty_page = StoryPage(story_head, (), None, 0, story_head.is_over)
        yield PageSpec("story", TITLE, empty_page, _template_values, meta=meta)
    for ordinal, chapter in enumerate(chapters, 1):
        head_of_page = story_head if ordinal == 1 else None
        story_page = StoryPage(head_of_page, contents_lines, chapter, ordinal, story_head.is_over)
        page_title = TITLE if ordinal == 1 else chapter.title
        crumbs = () if ordinal == 1 else ((TITLE, "story"),)
        chapter_path = campaign_site.chapter_page_path(chapter.session_number)
        chapter_summary = (
            campaign_site.description if ordinal == 1 else markdown_to_text(chapter.summary)
        )
        description = word(
            "site.chapter_about",
            title=chapter.title,
            count=chapter.reading_minutes,
            summary=chapter_summary,
        )
        yield PageSpec(
            chapter_path,
            page_title,
            story_page,
            _template_values,
            crumbs,
            description=description,
            meta=meta,
            last_session=chapter.session_number,
        )

    if len(chapters) > 1:
        story_page = StoryPage(
            story_head, contents_lines, None, 0, story_head.is_over, tuple(chapters)
        )
        page_title, crumbs = word("site.whole_story"), ((TITLE, "story"),)
        last_session = chapters[-1].session_number
        unsearched_meta: dict[str, Any] = {**meta, "search": {"exclude": True}}
        yield PageSpec(
            WHOLE_STORY_PAGE,
            page_title,
            story_page,
            _template_values,
            crumbs,
            meta=unsearched_meta,
            last_session=last_session,
        )


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, story_page: StoryPage) -> dict[str, Any]:
    chapter = story_page.chapter
    return {
        "head": _head_data(renderer, story_page) if story_page.story_head is not None else None,
        "contents": [
            _line_data(renderer, contents_line, ordinal)
            for ordinal, contents_line in enumerate(story_page.contents_lines, 1)
        ],
        "chapter": _chapter_data(renderer, story_page, chapter) if chapter is not None else None,
        "whole": [
            _chapter_data(
                renderer, story_page._replace(chapter_ordinal=ordinal), whole_story_chapter
            )
            for ordinal, whole_story_chapter in enumerate(story_page.all_chapters, 1)
        ],
        "whole_url": renderer.address(Ref("path", WHOLE_STORY_PAGE, ""))
        if chapter is not None and len(story_page.contents_lines) > 1
        else "",
    }


def _head_data(renderer: Renderer, story_page: StoryPage) -> dict[str, Any]:
    story_head = story_page.story_head
    assert story_head is not None
    return {
        "summary": prose(story_head.summary) if story_head.summary else "",
        "game": story_head.game_title,
        "minutes": story_head.reading_minutes,
        "played": date_span(*story_head.first_and_last_date),
        "over": story_head.is_over,
        "players": [renderer.player(player_name) for player_name in story_head.players],
        "books": [
            {
                "kind": file_name.rpartition(".")[2].upper(),
                "url": renderer.address(Ref("path", f"files/{file_name}", "")),
            }
            for file_name in story_head.book_file_names
        ],
    }


def _line_data(renderer: Renderer, contents_line: ContentsLine, ordinal: int) -> dict[str, Any]:
    return {
        **contents_line._asdict(),
        "ordinal": number_in_words(ordinal),
        "summary": prose(contents_line.summary) if contents_line.summary else "",
        "date": long_date(contents_line.date),
        "url": renderer.address(Ref("chapter", str(contents_line.number), contents_line.title)),
    }


def _chapter_data(renderer: Renderer, story_page: StoryPage, chapter: Chapter) -> dict[str, Any]:
    next_lines = story_page.contents_lines[
        story_page.chapter_ordinal : story_page.chapter_ordinal + 1
    ]
    lines_before = (
        story_page.contents_lines[story_page.chapter_ordinal - 2 : story_page.chapter_ordinal - 1]
        if story_page.chapter_ordinal > 1
        else ()
    )
    return {
        "ordinal": number_in_words(story_page.chapter_ordinal),
        "number": chapter.session_number,
        "title": chapter.title,
        "date": day_and_month(chapter.date),
        "summary": prose(chapter.summary) if chapter.summary else "",
        "sections": sections_data(renderer, chapter),
        "closing": inline(chapter.closing),
        "marks": [
            {"kind": mark_kind, "words": _meaning_of_mark(mark_kind, chapter.paid_units)}
            for mark_kind in chapter.mark_kinds
        ],
        "before": _line_data(renderer, lines_before[0], story_page.chapter_ordinal - 1)
        if lines_before
        else None,
        "next": _line_data(renderer, next_lines[0], story_page.chapter_ordinal + 1)
        if next_lines
        else None,
        "played_url": renderer.address(Ref("session", str(chapter.session_number), "")),
        "minutes": chapter.reading_minutes,
        "last": ""
        if next_lines
        else word("site.the_end" if story_page.is_over else "site.to_be_continued"),
    }


def _meaning_of_mark(mark_kind: str, units: tuple[str, ...]) -> str:
    """What a mark says, in words."""
    if mark_kind == OBJECTED:
        return word("site.mark_objected")
    if mark_kind == DICE:
        return word("site.mark_dice")
    if len(units) != 1:
        return word("site.something_paid")
    message_key = "site.unit_paid_an" if units[0][:1].casefold() in "aeio" else "site.unit_paid_a"
    return word(message_key, unit=units[0])
