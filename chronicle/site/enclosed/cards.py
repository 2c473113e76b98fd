"""The contents of the cards on names, as of the entry that shows the name.

The page loads this file when a reader first points at a name. Without scripts, the name is a plain link
to the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from chronicle.core.campaign_view import SessionView, Sheet, Slip
from chronicle.core.figures import with_times
from chronicle.core.outcomes import plain_text
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.emblems import draw_emblem
from chronicle.site.files import SiteFile
from chronicle.site.links import shortened
from chronicle.site.prose import inline, typeset
from chronicle.site.shards import script_with_call

CARDS_FILE = "cards.js"
MAX_SLIPS = 10
"""How many words a card shows."""


def card_files(campaign_site: CampaignSite) -> Iterator[SiteFile]:
    """The file of all cards."""
    if not campaign_site.view.sheets:
        return
    anchors = [
        anchor if not step.hidden else ""
        for step, anchor in zip(
            campaign_site.record.steps, campaign_site.entry_anchors, strict=True
        )
    ]
    sessions = [
        session
        for session in campaign_site.view.sessions
        if session.number in campaign_site.view.session_ends
    ]
    cards_after_sessions = [
        (session.number, _cards_after_session(campaign_site, session)) for session in sessions
    ]
    all_cards = {
        "steps": anchors,
        "sessions": [
            [
                session.number,
                session.steps[0].number,
                session.steps[-1].number,
                _path_in_story(campaign_site, _reading_page_path(campaign_site, session.number)),
            ]
            for session in campaign_site.view.sessions
            if session.steps
        ],
        "sheets": {
            _path_in_story(campaign_site, campaign_site.sheet_page_path(sheet)): _card_data(
                campaign_site, sheet, cards_after_sessions
            )
            for sheet in campaign_site.view.sheets
        },
    }
    # Loaded as a script, so that it can be had from a disk.
    yield SiteFile(
        campaign_site.path_on_site(CARDS_FILE),
        contents=script_with_call("chronicleCards", all_cards),
    )


def _path_in_story(campaign_site: CampaignSite, page_path: str) -> str:
    """The address of a page, from the folder of its story."""
    return campaign_site.site_context.url_builder.between(
        campaign_site.path_on_site(" index"), campaign_site.path_on_site(page_path)
    )


def _reading_page_path(campaign_site: CampaignSite, session_number: int) -> str:
    """The page on which a session is read: its chapter, or where nothing of it is told, how it was played."""
    if session_number in campaign_site.chapters_by_session:
        return campaign_site.chapter_page_path(session_number)
    return f"sessions/{session_number}"


CardsBySheet = dict[str, list[Any]]
"""The contents of cards at the end of a session, by the ids of sheets."""


def _cards_after_session(campaign_site: CampaignSite, session: SessionView) -> CardsBySheet:
    """The contents of all cards at the end of a session."""
    state_by_sheet = campaign_site.view.session_ends[session.number].subjects
    return {
        sheet_id: _state_data(
            subject_state.role,
            subject_state.last_holder,
            campaign_site.seat_number(subject_state.last_holder),
            subject_state.gone,
            subject_state.slips,
        )
        for sheet_id, subject_state in state_by_sheet.items()
    }


def _card_data(
    campaign_site: CampaignSite,
    sheet: Sheet,
    cards_after_sessions: Sequence[tuple[int, CardsBySheet]],
) -> dict[str, Any]:
    quotes = [
        [step_number, str(inline(shortened(statement, 170)))]
        for step_number, statement in _life_statements(campaign_site, sheet)
    ]
    emblem = campaign_site.emblem(sheet.id)._replace(tick_count=0, is_gone=False)
    return {
        "n": typeset(sheet.name),
        "e": str(draw_emblem(emblem)),
        "f": campaign_site.first_step_by_subject.get(sheet.id, 0),
        "s": {
            session_number: cards_by_sheet[sheet.id]
            for session_number, cards_by_sheet in cards_after_sessions
            if sheet.id in cards_by_sheet
        },
        "q": quotes,
        "h": [
            [step_number, typeset(holder), campaign_site.seat_number(holder)]
            for step_number, holder in sheet.holders
        ],
    }


def _life_statements(campaign_site: CampaignSite, sheet: Sheet) -> list[tuple[int, str]]:
    """Statements about a person in the order of the story, each with its first entry: who they are, and the
    outcomes of their life."""
    first_step_by_session = {
        session.number: session.steps[0].number
        for session in campaign_site.view.sessions
        if session.steps
    }
    statements = [
        (first_step_by_session.get(session_number, 1), description.text)
        for session_number, description in campaign_site.lives.cited_texts.descriptions.get(
            sheet.id, ()
        )
    ]
    introduction = campaign_site.lives.introduction(sheet.id) if not statements else None
    if introduction is not None and introduction.step_numbers:
        statements.append((introduction.step_numbers[0], introduction.as_plain_text()))
    statements += [
        (outcome.step_number, plain_text(outcome.sentence))
        for outcome in campaign_site.lives.outcomes_of_life(sheet.id)
    ]
    return sorted(statements, key=lambda statement: statement[0])


@lru_cache(maxsize=1 << 14)
def _state_data(
    role: str, holder: str, seat_number: int, is_gone: bool, slips: tuple[Slip, ...]
) -> list[Any]:
    """A person's state in short form: most did not change since the session before."""
    shown_slips = [slip for slip in slips if slip.state not in ("name", "role")][-MAX_SLIPS:]
    return [
        typeset(role),
        typeset(holder),
        seat_number,
        int(is_gone),
        [
            [typeset(with_times(slip.text, slip.count)), slip.state, slip.step]
            for slip in shown_slips
        ],
    ]
