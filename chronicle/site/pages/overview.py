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
MANY = 7
"""With more sessions, the front shows the people only as the first and the last session leave them."""
OPEN = 3
"""How many open questions it shows."""


class JournalText(NamedTuple):
    """A text of the journal: its title, its writer."""

    ref: Ref
    by: Inline
    since: int
    """The session after which it was written."""


class Met(NamedTuple):
    """The people as they stand after some sessions."""

    since: int
    """The session from which they stand so."""
    until: int
    """The session from which they no longer do; 0: they still do."""
    figures: tuple[cast.Figure, ...]
    """Those that the front introduces."""
    total: int


class Front(NamedTuple):
    """What the front of a campaign shows."""

    game: str
    over: bool
    minutes: int
    cover: tuple[str, str]
    casts: tuple[Met, ...]
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
    open_ends = tuple(loose_ends.ends(campaign_site))
    dates = [session.date for session in book.sessions if session.date]
    front = Front(
        record.rulebook.title,
        record.is_over,
        campaign_site.minutes,
        campaign_site.cover,
        tuple(_casts(campaign_site)),
        str(record.campaign.settings.summary or ""),
        "" if record.is_over else book.situation,
        (dates[0], dates[-1]) if dates else ("", ""),
        book.players(),
        tuple(sessions.evenings(campaign_site)),
        changes.last_night(campaign_site),
        open_ends[:OPEN],
        len(open_ends),
        tuple(
            JournalText(
                Ref("journal", text.slug, text.title),
                campaign_site.works.by_line(text),
                text.session or (book.sessions[-1].number if book.sessions else 0),
            )
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


def _casts(campaign_site: CampaignSite) -> Iterator[Met]:
    """The people as they stand after each session, where they stand otherwise than before; of a long story after
    the first and the last."""
    evenings = tuple(campaign_site.book.session_ends)
    if not campaign_site.book.sheets or not evenings:
        return
    numbers = evenings if len(evenings) <= MANY else (evenings[0], evenings[-1])
    met: Met | None = None
    for number in numbers:
        last = number == evenings[-1]
        people = tuple(cast.figures_of(cast.cast_of(campaign_site, number, last, evenings)))
        if met is not None and (met.figures, met.total) != (people[:MET], len(people)):
            yield met._replace(until=number)
            met = None
        met = met or Met(number, 0, people[:MET], len(people))
    if met is not None:
        yield met


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
        "casts": [
            {
                "since": met.since,
                "until": met.until,
                "figures": [cast.drawn(renderer, figure) for figure in met.figures],
                "more": met.total - len(met.figures),
                "count": met.total,
            }
            for met in front.casts
        ],
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
                "since": text.since,
            }
            for text in front.journal
        ],
        "journal_from": min((text.since for text in front.journal), default=0),
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
