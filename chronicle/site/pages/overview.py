"""The front of a campaign (``overview.html``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Inline, Ref
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.site.campaign_site import COVER, CampaignSite
from chronicle.site.covers import cover
from chronicle.site.dates import day_and_month, long_date
from chronicle.site.draw import Renderer
from chronicle.site.files import SiteFile
from chronicle.site.page_builder import PageSpec
from chronicle.site.pages import cast, changes, loose_ends, sessions
from chronicle.site.pages.story import span
from chronicle.site.prose import prose
from chronicle.words import word

MET = 5
"""How many of the cast the front introduces."""
OPEN = 3
"""How many open questions it shows."""


class JournalText(NamedTuple):
    """A text of the journal: its title, its writer."""

    ref: Ref
    by: Inline


class Front(NamedTuple):
    """What the front of a campaign shows."""

    game: str
    over: bool
    minutes: int
    cover: tuple[str, str]
    people: tuple[cast.Figure, ...]
    all_people: int
    summary: str
    situation: str
    dates: tuple[str, str]
    players: tuple[str, ...]
    evenings: tuple[sessions.Evening, ...]
    night: changes.Night | None
    """The account of the last session."""
    open: tuple[loose_ends.End, ...]
    all_open: int
    journal: tuple[JournalText, ...]
    steps: int
    errors: int
    warnings: int


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec | SiteFile]:
    """The front page, and a cover if the story has no picture."""
    if campaign_site.cover[0] == COVER:
        yield SiteFile(campaign_site.path(COVER), data=cover(campaign_site.seal))
    book, record = campaign_site.book, campaign_site.record
    counts = count_severities(record.diagnostics)
    people = _people(campaign_site)
    open_ends = tuple(loose_ends.ends(campaign_site))
    dates = [session.date for session in book.sessions if session.date]
    front = Front(
        record.rulebook.title,
        record.is_over,
        campaign_site.minutes,
        campaign_site.cover,
        people[:MET],
        len(people),
        str(record.campaign.settings.summary or ""),
        "" if record.is_over else book.situation,
        (dates[0], dates[-1]) if dates else ("", ""),
        book.players(),
        tuple(sessions.evenings(campaign_site)),
        changes.last_night(campaign_site),
        open_ends[:OPEN],
        len(open_ends),
        tuple(
            JournalText(Ref("journal", text.slug, text.title), campaign_site.works.by_line(text))
            for text in record.campaign.journal
        ),
        len(record.steps),
        counts[Severity.ERROR],
        counts[Severity.WARNING],
    )
    yield PageSpec(
        "index",
        book.title,
        front,
        _fill,
        None,
        source=record.campaign.path,
        tells="itself",
    )


def _people(campaign_site: CampaignSite) -> tuple[cast.Figure, ...]:
    """Everybody as the story leaves them, in the order of the cast."""
    evenings = tuple(campaign_site.book.session_ends)
    if not campaign_site.book.sheets or not evenings:
        return ()
    return tuple(cast.figures_of(cast.cast_of(campaign_site, evenings[-1], True, evenings)))


def _fill(renderer: Renderer, front: Front) -> dict[str, Any]:
    def page(name: str) -> str:
        return renderer.address(Ref("path", name, ""))

    first, last = (long_date(day) for day in front.dates)
    latest = front.evenings[-1] if front.evenings else None
    return {
        "game": front.game,
        "over": front.over,
        "minutes": front.minutes,
        "cover": page(front.cover[0]),
        "alt": front.cover[1],
        "cast": [cast.drawn(renderer, figure) for figure in front.people],
        "more_people": front.all_people - len(front.people),
        "all_people": front.all_people,
        "cast_url": page("cast/index"),
        "since_url": page("changes/index") if len(front.evenings) > 1 else "",
        "summary": prose(front.summary) if front.summary else "",
        "played": span(first, last),
        "sessions": [sessions.drawn(renderer, evening) for evening in front.evenings],
        "stops": [
            ("", word("site.not_yet")),
            *(
                (str(evening.number), word("site.until_session", number=evening.number))
                for evening in front.evenings[:-1]
            ),
            ("end", word("site.to_the_end")),
        ],
        "night": changes.draw_night(renderer, front.night) if front.night is not None else None,
        "night_date": day_and_month(front.dates[1]),
        "night_since": word("site.since_session", number=latest.number - 1)
        if latest is not None and len(front.evenings) > 1
        else "",
        "whose": changes.whose_nights([front.night]) if front.night is not None else "",
        "open": [loose_ends.drawn(renderer, end) for end in front.open],
        "all_open": front.all_open,
        "open_url": page(loose_ends.PAGE),
        "journal": [
            {
                "title": text.ref.label,
                "url": renderer.address(text.ref),
                "by": renderer.text(text.by),
            }
            for text in front.journal
        ],
        "players": [renderer.player(name) for name in front.players],
        "situation": renderer.text(front.situation) if front.situation else "",
        "steps": front.steps,
        "errors": front.errors,
        "warnings": front.warnings,
        "check_url": page("check"),
        "story_url": page("story"),
        "first_session": renderer.address(Ref("session", str(front.evenings[0].number), ""))
        if front.evenings
        else "",
    }
