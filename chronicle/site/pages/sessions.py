"""The list of all sessions: what each is about, and the ways into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign_view import Ref
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.dates import long_date
from chronicle.site.draw import Renderer
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.prose import prose
from chronicle.words import word

INDEX = "sessions/index"


class SessionSummary(NamedTuple):
    """A session as lists show it."""

    number: int
    title: str
    date: str
    summary: str
    minutes: int
    has_story: bool
    """Whether it has a story."""
    present: tuple[str, ...]
    entries: int


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Sessions", word("site.sessions"), INDEX, str(len(campaign_site.view.sessions)))


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All sessions, one below the other."""
    yield PageSpec(
        INDEX,
        word("site.sessions"),
        tuple(session_summaries(campaign_site)),
        _template_values,
        spoiler_rule="itself",
    )


def session_summaries(campaign_site: CampaignSite) -> Iterator[SessionSummary]:
    """Every session as lists show it."""
    for session in campaign_site.view.sessions:
        chapter = campaign_site.chapters_by_session.get(session.number)
        yield SessionSummary(
            session.number,
            session.title,
            long_date(session.date),
            session.summary,
            chapter.reading_minutes if chapter is not None else 0,
            chapter is not None,
            tuple(session.present),
            sum(1 for step in session.steps if not step.hidden),
        )


def session_data(renderer: Renderer, session_summary: SessionSummary) -> dict[str, Any]:
    """A session as the macro ``session`` takes it."""
    number_text = str(session_summary.number)
    return {
        **session_summary._asdict(),
        "summary": prose(session_summary.summary) if session_summary.summary else "",
        "url": renderer.address(Ref("session", number_text, "")),
        "steps": renderer.address(Ref("path", f"sessions/{number_text}-steps", "")),
        "story": renderer.address(Ref("chapter", number_text, ""))
        if session_summary.has_story
        else "",
        "present": [renderer.player(player) for player in session_summary.present],
    }


def _template_values(renderer: Renderer, sessions: tuple[SessionSummary, ...]) -> dict[str, Any]:
    return {"sessions": [session_data(renderer, session_summary) for session_summary in sessions]}
