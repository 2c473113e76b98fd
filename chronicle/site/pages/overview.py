"""The front of a campaign (``overview.html``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign_view import Inline, Ref
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.site.campaign_site import COVER_FILE, CampaignSite
from chronicle.site.covers import draw_cover
from chronicle.site.dates import date_span, day_and_month
from chronicle.site.draw import Renderer
from chronicle.site.files import SiteFile
from chronicle.site.page_builder import PageSpec
from chronicle.site.pages import cast, changes, loose_ends, reader, sessions
from chronicle.site.prose import prose
from chronicle.words import word

MAX_PEOPLE = 5
"""How many of the cast the front introduces."""
MAX_CASTS = 7
"""With more sessions, the front shows the people only as the first and the last session leave them."""
MAX_OPEN = 3
"""How many open questions it shows."""


class JournalText(NamedTuple):
    """A text of the journal: its title, its writer."""

    ref: Ref
    by: Inline
    since: int
    """The session after which it was written."""


class CastAfterSession(NamedTuple):
    """The people as they stand after some sessions."""

    since: int
    """The session from which they stand so."""
    until: int
    """The session from which they no longer do; 0: they still do."""
    figures: tuple[cast.CastMember, ...]
    """Those that the front introduces."""
    total: int


class FrontPage(NamedTuple):
    """What the front of a campaign shows."""

    game: str
    is_over: bool
    minutes: int
    cover: tuple[str, str]
    casts: tuple[CastAfterSession, ...]
    summary: str
    situation: str
    dates: tuple[str, str]
    players: tuple[str, ...]
    session_summaries: tuple[sessions.SessionSummary, ...]
    last_account: changes.SessionAccount | None
    """The account of the last session."""
    open_ends: tuple[loose_ends.LooseEnd, ...]
    open_count: int
    journal: tuple[JournalText, ...]
    entry_count: int
    errors: int
    warnings: int


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec | SiteFile]:
    """The front page, and a cover if the story has no picture."""
    if campaign_site.cover[0] == COVER_FILE:
        yield SiteFile(campaign_site.path(COVER_FILE), data=draw_cover(campaign_site.seal))
    view, record = campaign_site.view, campaign_site.record
    counts = count_severities(record.diagnostics)
    open_ends = tuple(loose_ends.open_ends_of(campaign_site))
    dates = [session.date for session in view.sessions if session.date]
    front = FrontPage(
        record.rulebook.title,
        record.is_over,
        campaign_site.minutes,
        campaign_site.cover,
        tuple(_casts(campaign_site)),
        str(record.campaign.settings.summary or ""),
        "" if record.is_over else view.situation,
        (dates[0], dates[-1]) if dates else ("", ""),
        view.players(),
        tuple(sessions.session_summaries(campaign_site)),
        changes.last_account(campaign_site),
        open_ends[:MAX_OPEN],
        len(open_ends),
        tuple(
            JournalText(
                Ref("journal", text.slug, text.title),
                campaign_site.works.by_line(text),
                text.session or (view.sessions[-1].number if view.sessions else 0),
            )
            for text in record.campaign.journal
        ),
        len(record.steps),
        counts[Severity.ERROR],
        counts[Severity.WARNING],
    )
    yield PageSpec(
        "index",
        view.title,
        front,
        _template_values,
        None,
        source=record.campaign.path,
        spoiler_rule="itself",
    )


def _casts(campaign_site: CampaignSite) -> Iterator[CastAfterSession]:
    """The people as they stand after each session, where they stand otherwise than before; of a long story after
    the first and the last."""
    session_numbers = tuple(campaign_site.view.session_ends)
    if not campaign_site.view.sheets or not session_numbers:
        return
    numbers = (
        session_numbers
        if len(session_numbers) <= MAX_CASTS
        else (session_numbers[0], session_numbers[-1])
    )
    shown: CastAfterSession | None = None
    for number in numbers:
        is_last = number == session_numbers[-1]
        people = tuple(
            cast.all_members(cast.cast_of(campaign_site, number, is_last, session_numbers))
        )
        if shown is not None and (shown.figures, shown.total) != (people[:MAX_PEOPLE], len(people)):
            yield shown._replace(until=number)
            shown = None
        shown = shown or CastAfterSession(number, 0, people[:MAX_PEOPLE], len(people))
    if shown is not None:
        yield shown


def _template_values(renderer: Renderer, front: FrontPage) -> dict[str, Any]:
    def page(name: str) -> str:
        return renderer.address(Ref("path", name, ""))

    latest = front.session_summaries[-1] if front.session_summaries else None
    first_played = next((session for session in front.session_summaries if session.entries), None)
    return {
        "game": front.game,
        "over": front.is_over,
        "minutes": front.minutes,
        "cover": page(front.cover[0]),
        "alt": front.cover[1],
        "casts": [
            {
                "since": shown.since,
                "until": shown.until,
                "figures": [cast.cast_member_data(renderer, figure) for figure in shown.figures],
                "more": shown.total - len(shown.figures),
                "count": shown.total,
            }
            for shown in front.casts
        ],
        "cast_url": page("cast/index"),
        "since_url": page("changes/index") if len(front.session_summaries) > 1 else "",
        "summary": prose(front.summary) if front.summary else "",
        "played": date_span(*front.dates),
        "sessions": [
            sessions.session_data(renderer, session) for session in front.session_summaries
        ],
        "stops": [
            ("", word("site.not_yet")),
            *(
                (str(session.number), word("site.until_session", number=session.number))
                for session in front.session_summaries[:-1]
            ),
            ("end", word("site.to_the_end")),
        ],
        "night": changes.account_data(renderer, front.last_account)
        if front.last_account is not None
        else None,
        "night_date": day_and_month(front.dates[1]),
        "night_since": word("site.since_session", number=latest.number - 1)
        if latest is not None and len(front.session_summaries) > 1
        else "",
        "whose": changes.source_of_accounts([front.last_account])
        if front.last_account is not None
        else "",
        "open": [loose_ends.loose_end_data(renderer, end) for end in front.open_ends],
        "all_open": front.open_count,
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
        "steps": front.entry_count,
        "errors": front.errors,
        "warnings": front.warnings,
        "check_url": page("check"),
        "story_url": page("story"),
        "first_session": page(reader.page_of(first_played.number)) if first_played else "",
    }
