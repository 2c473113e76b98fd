"""The list of all sessions: what each is about, and the ways into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Ref
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.dates import long_date
from chronicle.site.draw import Renderer
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.prose import prose
from chronicle.words import word

INDEX = "sessions/index"


class Evening(NamedTuple):
    """A session as lists show it."""

    number: int
    title: str
    date: str
    summary: str
    minutes: int
    told: bool
    """Whether it has a story."""
    present: tuple[str, ...]
    entries: int


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Sessions", word("site.sessions"), INDEX, str(len(campaign_site.book.sessions)))


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All sessions, one below the other."""
    yield PageSpec(
        INDEX, word("site.sessions"), tuple(evenings(campaign_site)), _fill, tells="itself"
    )


def evenings(campaign_site: CampaignSite) -> Iterator[Evening]:
    """Every session as lists show it."""
    for session in campaign_site.book.sessions:
        chapter = campaign_site.chapters.get(session.number)
        yield Evening(
            session.number,
            session.title,
            long_date(session.date),
            session.summary,
            chapter.minutes if chapter is not None else 0,
            chapter is not None,
            tuple(session.present),
            sum(1 for step in session.steps if not step.hidden),
        )


def drawn(renderer: Renderer, evening: Evening) -> dict[str, Any]:
    """A session as the macro ``evening`` takes it."""
    number = str(evening.number)
    return {
        **evening._asdict(),
        "summary": prose(evening.summary) if evening.summary else "",
        "url": renderer.address(Ref("session", number, "")),
        "steps": renderer.address(Ref("path", f"sessions/{number}-steps", "")),
        "story": renderer.address(Ref("chapter", number, "")) if evening.told else "",
        "present": [renderer.player(name) for name in evening.present],
    }


def _fill(renderer: Renderer, shown: tuple[Evening, ...]) -> dict[str, Any]:
    return {"sessions": [drawn(renderer, evening) for evening in shown]}
