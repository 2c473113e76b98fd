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
MAX_SESSIONS_WITH_CAST = 7
"""With more sessions, the front shows the people only as the first and the last session leave them, and tells only
of the last session."""
MAX_OPEN_ENDS = 3
"""How many open questions it shows."""


class JournalText(NamedTuple):
    """A text of the journal: its title, its writer."""

    ref: Ref
    byline: Inline
    after_session: int
    """The session after which it was written."""


class CastAfterSession(NamedTuple):
    """The people as they stand after some sessions."""

    from_session: int
    """The session from which they stand so."""
    until_session: int
    """The session from which they no longer do; 0: they still do."""
    members: tuple[cast.CastMember, ...]
    """Those that the front introduces."""
    member_count: int


class FrontPage(NamedTuple):
    """What the front of a campaign shows."""

    game_title: str
    is_over: bool
    reading_minutes: int
    cover_and_alt: tuple[str, str]
    casts: tuple[CastAfterSession, ...]
    summary: str
    situation: str
    first_and_last_date: tuple[str, str]
    players: tuple[str, ...]
    session_summaries: tuple[sessions.SessionSummary, ...]
    session_recaps: tuple[changes.SessionRecap, ...]
    """The account of each session that a reader may have read last."""
    open_ends: tuple[loose_ends.LooseEnd, ...]
    open_end_count: int
    journal_texts: tuple[JournalText, ...]
    entry_count: int
    error_count: int
    warning_count: int


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec | SiteFile]:
    """The front page, and a cover if the story has no picture."""
    if campaign_site.cover_and_alt[0] == COVER_FILE:
        yield SiteFile(
            campaign_site.path_on_site(COVER_FILE), contents=draw_cover(campaign_site.story_emblem)
        )
    view, record = campaign_site.view, campaign_site.record
    problem_counts = count_severities(record.diagnostics)
    open_ends = tuple(loose_ends.open_ends_of(campaign_site))
    session_dates = [session.date for session in view.sessions if session.date]
    front_page = FrontPage(
        record.rulebook.title,
        record.is_over,
        campaign_site.reading_minutes,
        campaign_site.cover_and_alt,
        tuple(_casts_by_session(campaign_site)),
        str(record.campaign.settings.summary or ""),
        "" if record.is_over else view.situation,
        (session_dates[0], session_dates[-1]) if session_dates else ("", ""),
        view.players(),
        tuple(sessions.session_summaries(campaign_site)),
        changes.recaps_of_sessions(campaign_site, MAX_SESSIONS_WITH_CAST),
        open_ends[:MAX_OPEN_ENDS],
        len(open_ends),
        tuple(
            JournalText(
                Ref("journal", journal_text.slug, journal_text.title),
                campaign_site.works.byline(journal_text),
                journal_text.session or (view.sessions[-1].number if view.sessions else 0),
            )
            for journal_text in record.campaign.journal
        ),
        len(record.steps),
        problem_counts[Severity.ERROR],
        problem_counts[Severity.WARNING],
    )
    yield PageSpec(
        "index",
        view.title,
        front_page,
        _template_values,
        None,
        source_path=record.campaign.path,
        spoiler_rule="itself",
    )


def _casts_by_session(campaign_site: CampaignSite) -> Iterator[CastAfterSession]:
    """The people as they stand after each session, where they stand otherwise than before; of a long story after
    the first and the last."""
    session_numbers = tuple(campaign_site.view.session_ends)
    if not campaign_site.view.sheets or not session_numbers:
        return
    shown_sessions = (
        session_numbers
        if len(session_numbers) <= MAX_SESSIONS_WITH_CAST
        else (session_numbers[0], session_numbers[-1])
    )
    cast_after_session: CastAfterSession | None = None
    for session_number in shown_sessions:
        is_last = session_number == session_numbers[-1]
        people = tuple(
            cast.all_members(cast.cast_of(campaign_site, session_number, is_last, session_numbers))
        )
        if cast_after_session is not None and (
            cast_after_session.members,
            cast_after_session.member_count,
        ) != (people[:MAX_PEOPLE], len(people)):
            yield cast_after_session._replace(until_session=session_number)
            cast_after_session = None
        cast_after_session = cast_after_session or CastAfterSession(
            session_number, 0, people[:MAX_PEOPLE], len(people)
        )
    if cast_after_session is not None:
        yield cast_after_session


def _session_recap_data(
    renderer: Renderer, session_recap: changes.SessionRecap, front_page: FrontPage
) -> dict[str, Any]:
    """What happened in a session, for whoever has read so far."""
    session_number, last_number = (
        session_recap.session_number,
        front_page.session_recaps[-1].session_number,
    )
    session_summary = next(
        shown_summary
        for shown_summary in front_page.session_summaries
        if shown_summary.number == session_number
    )
    return changes.session_recap_data(renderer, session_recap) | {
        "is_last": session_number == last_number,
        "until": session_number + 1,
        "date": day_and_month(front_page.first_and_last_date[1])
        if session_number == last_number
        else session_summary.date,
        "whose": changes.sources_of_recaps([session_recap]),
    }


def _template_values(renderer: Renderer, front_page: FrontPage) -> dict[str, Any]:
    def page_url(page_path: str) -> str:
        return renderer.address(Ref("path", page_path, ""))

    first_session = next(
        (
            session_summary
            for session_summary in front_page.session_summaries
            if session_summary.entries
        ),
        None,
    )
    return {
        "game": front_page.game_title,
        "over": front_page.is_over,
        "minutes": front_page.reading_minutes,
        "cover": page_url(front_page.cover_and_alt[0]),
        "alt": front_page.cover_and_alt[1],
        "casts": [
            {
                "since": cast_after_session.from_session,
                "until": cast_after_session.until_session,
                "figures": [
                    cast.cast_member_data(renderer, member) for member in cast_after_session.members
                ],
                "more": cast_after_session.member_count - len(cast_after_session.members),
                "count": cast_after_session.member_count,
            }
            for cast_after_session in front_page.casts
        ],
        "cast_url": page_url("cast/index"),
        "since_url": page_url("changes/index") if len(front_page.session_summaries) > 1 else "",
        "summary": prose(front_page.summary) if front_page.summary else "",
        "played": date_span(*front_page.first_and_last_date),
        "sessions": [
            sessions.session_data(renderer, session_summary)
            for session_summary in front_page.session_summaries
        ],
        "stops": [
            ("", word("site.not_yet")),
            *(
                (
                    str(session_summary.number),
                    word("site.until_session", number=session_summary.number),
                )
                for session_summary in front_page.session_summaries[:-1]
            ),
            ("end", word("site.to_the_end")),
        ],
        "nights": [
            _session_recap_data(renderer, session_recap, front_page)
            for session_recap in front_page.session_recaps
        ],
        "open": [
            loose_ends.loose_end_data(renderer, loose_end) for loose_end in front_page.open_ends
        ],
        "all_open": front_page.open_end_count,
        "open_url": page_url(loose_ends.PAGE_PATH),
        "journal": [
            {
                "title": journal_text.ref.label,
                "url": renderer.address(journal_text.ref),
                "by": renderer.text(journal_text.byline),
                "since": journal_text.after_session,
            }
            for journal_text in front_page.journal_texts
        ],
        "journal_from": min(
            (journal_text.after_session for journal_text in front_page.journal_texts), default=0
        ),
        "players": [renderer.player(player) for player in front_page.players],
        "situation": renderer.text(front_page.situation) if front_page.situation else "",
        "steps": front_page.entry_count,
        "errors": front_page.error_count,
        "warnings": front_page.warning_count,
        "check_url": page_url("check"),
        "story_url": page_url("story"),
        "first_session": page_url(reader.steps_page_path_of(first_session.number))
        if first_session
        else "",
    }
