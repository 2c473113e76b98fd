"""What readers can find in a campaign: people, outcomes, recaps, scenes, entries, texts beside the log, and pages.

Each text says which session tells it, so that the search leaves out what a reader has not read yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from chronicle.core.campaign_view import Ref, SessionView, Sheet
from chronicle.core.diagnostic import unit_name
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.outcomes import plain_text
from chronicle.core.record import Step
from chronicle.core.telling import with_full_stop
from chronicle.site.campaign_site import GLOSSARY_PAGE, CampaignSite
from chronicle.site.files import SiteFile
from chronicle.site.links import Slugs
from chronicle.site.navigation import NavPage
from chronicle.site.prose import plain, typeset
from chronicle.site.search import MAX_SECTION_CHARACTERS, SEARCH_FILE, Row, write_file
from chronicle.words import word

MAX_ENTRY_CHARACTERS: Final = 600
"""How many characters of an entry can be found."""
_TABLE_LINE: Final = re.compile(r"\||-{3,}")
MORE_WORDS: Final = {
    "changes/index": word("site.search_changes"),
    "contests": word("site.search_contests"),
    "downloads": word("site.search_downloads"),
    "ledger": word("site.search_ledger"),
    "loose-ends": word("site.search_left_open"),
    "relations": word("site.search_map"),
    "timeline": word("site.search_timeline"),
}
"""Further words that pages are found by."""
AGREES: Final = "agrees"
"""The kind of effect that only says that a stated figure is right."""
LOST_STATE: Final = "removed"
"""The state of a Trait that its owner has lost."""
NOT_SEARCHED: Final = (LOST_STATE, "name", "role")
"""States of Traits that are not searched as texts; each text of a person already has the name and the role
beside it."""


def files(campaign_site: CampaignSite, nav_pages: Sequence[NavPage]) -> Iterator[SiteFile]:
    """The file that a campaign is searched by."""
    view = campaign_site.view
    people = {sheet.id for sheet in campaign_site.cast}
    other_sheets = [sheet for sheet in view.sheets if sheet.id not in people]
    rows = {
        "stories": [
            Row(
                plain(view.title),
                campaign_site.description,
                _url(campaign_site, Ref("path", "index", "")),
            )
        ],
        "people": [
            *_people_row(campaign_site),
            *_sheet_rows(campaign_site, campaign_site.cast),
            *_people_without_sheets(campaign_site),
        ],
        "things": [*_sheet_rows(campaign_site, other_sheets)],
        "outcomes": [*_outcome_rows(campaign_site)],
        "sessions": [*_session_rows(campaign_site)],
        "scenes": [
            Row(typeset(scene.label), plain(scene.when), url, scene.session)
            for scene in campaign_site.record.timeline.scenes
            if (url := _url(campaign_site, Ref("scene", str(scene.number), "")))
        ],
        "entries": [
            row for session in view.sessions for row in _entry_rows(campaign_site, session)
        ],
        "journal": [*_journal_rows(campaign_site), *_note_rows(campaign_site)],
        "pages": [
            *(
                Row(
                    typeset(nav_page.title),
                    "",
                    _url(campaign_site, Ref("path", nav_page.page, "")),
                    also=MORE_WORDS.get(nav_page.page, ""),
                )
                for nav_page in nav_pages
            ),
            *(
                Row(typeset(page.title), "", _url(campaign_site, Ref("page", page.slug, "")))
                for page in campaign_site.contest_lists
            ),
            *_player_rows(campaign_site),
        ],
    }
    data = write_file(
        f"{campaign_site.folder}/",
        {kind: [*dict.fromkeys(kind_rows)] for kind, kind_rows in rows.items()},
        title=plain(view.title),
        about=campaign_site.description,
        game=campaign_site.record.rulebook.name,
        words=_url(campaign_site, Ref("path", GLOSSARY_PAGE, "")),
    )
    yield SiteFile(campaign_site.path(SEARCH_FILE), data=data)


def _url(campaign_site: CampaignSite, ref: Ref) -> str:
    return campaign_site.url(" index", ref)


def _last_session(campaign_site: CampaignSite) -> int:
    """The number of the last session; texts of no session count as told then."""
    return max((session.number for session in campaign_site.view.sessions), default=0)


# -- people ----------------------------------------------------------------------------------------


def _sheet_rows(campaign_site: CampaignSite, sheets: Iterable[Sheet]) -> Iterator[Row]:
    """The sentences and Traits of each person or object, with the sessions in which they are true."""
    last_session = _last_session(campaign_site)
    for sheet in sheets:
        url = _url(campaign_site, Ref("sheet", sheet.id, ""))
        first_step = campaign_site.first_appearances.get(sheet.id, 0)
        first_session = campaign_site.record.step(first_step).session if first_step else 0
        name = typeset(sheet.name)
        roles = _roles(campaign_site, sheet)
        yield Row(
            name,
            "",
            url,
            first_session,
            0,
            roles.get(first_session, "" if roles else typeset(sheet.kind)),
        )
        if sheet.names[1:]:
            yield Row(
                name,
                plain(" · ".join(sheet.names[1:])),
                url,
                last_session,
                0,
                roles.get(last_session, ""),
            )
        for text, session, end_session in (
            *_sentences(campaign_site, sheet.id),
            *_traits(campaign_site, sheet),
        ):
            role = roles.get(session, "")
            if text != role:
                yield Row(name, text, url, max(session, first_session), end_session, role)
        gone = sheet.gone or campaign_site.lives.gone(sheet.id)
        ending = campaign_site.lives.ending(sheet, gone) if sheet.shape == "person" else None
        if ending is not None:
            role = roles.get(last_session, "")
            # "How did the Guest end?" finds how somebody is gone, too.
            status = sheet.status if gone else ""
            also = " ".join(dict.fromkeys((ending.head, word("site.in_the_end"), status))).strip()
            yield Row(name, ending.plain(), url, max(last_session, first_session), 0, role, also)


def _people_row(campaign_site: CampaignSite) -> Iterator[Row]:
    """Who is there in the end and who is gone, with a link to the page of all people."""
    names: dict[bool, list[str]] = {False: [], True: []}
    for sheet in campaign_site.cast:
        names[sheet.gone or campaign_site.lives.gone(sheet.id)].append(typeset(sheet.name))
    groups = ((word("site.in_story"), names[False]), (word("site.gone_and_how"), names[True]))
    text = " ".join(f"{title}: {', '.join(group)}." for title, group in groups if group)
    if text:
        url = _url(campaign_site, Ref("path", "cast/index", ""))
        yield Row(
            word("site.the_people"),
            text,
            url,
            _last_session(campaign_site),
            also=word("site.search_people"),
        )


def _people_without_sheets(campaign_site: CampaignSite) -> Iterator[Row]:
    """What the keepers tell of people whom the rules do not know."""
    cast_url = _url(campaign_site, Ref("path", "cast/index", ""))
    for id, subject in campaign_site.lives.keepers.told_of.items():
        endings = campaign_site.lives.keepers.endings(id)[-1:]
        last_words = ((plain(words.text), session, 0) for session, words in endings)
        for text, session, end_session in (*_sentences(campaign_site, id), *last_words):
            yield Row(typeset(subject.name), text, cast_url, session, end_session)


Statement = tuple[str, int, int]
"""A text, the session that tells it, and the session from which it no longer holds (0: it still does)."""


def _roles(campaign_site: CampaignSite, sheet: Sheet) -> dict[int, str]:
    """The role of a person at the end of each session."""
    states = (
        (number, view.subjects.get(sheet.id))
        for number, view in campaign_site.view.session_ends.items()
    )
    return {number: typeset(state.role or sheet.kind) for number, state in states if state}


def _sentences(campaign_site: CampaignSite, id: str) -> Iterator[Statement]:
    """What the keepers tell of a person; where they tell nothing, what the record says first."""
    keepers = campaign_site.lives.keepers
    keepers_sentences = [*keepers.descriptions.get(id, ())]
    endings = keepers.endings(id)
    for sentences, later_sentences in (
        (keepers_sentences, keepers_sentences),
        (endings[:-1], endings),
    ):
        end_sessions = [session for session, _ in later_sentences[1:]] + [0]
        for (session, words), end_session in zip(sentences, end_sessions, strict=False):
            yield plain(words.text), session, end_session
    introduction = campaign_site.lives.introduction(id) if not keepers_sentences else None
    if introduction is not None and introduction.steps:
        yield introduction.plain(), campaign_site.record.step(introduction.steps[0]).session, 0


def _traits(campaign_site: CampaignSite, sheet: Sheet) -> Iterator[Statement]:
    """A person's names and Traits, from the session that tells each to the session that ends it."""
    session_ends = campaign_site.view.session_ends
    sessions = [*session_ends]
    first_sessions: dict[str, int] = {}
    end_sessions: dict[str, int] = {}
    for number in sessions:
        subject_state = session_ends[number].subjects.get(sheet.id)
        states: dict[str, str] = {}
        if (
            subject_state is not None
            and not subject_state.gone
            and not campaign_site.lives.gone(sheet.id, number)
        ):
            states = {slip.text: slip.state for slip in subject_state.slips}
        for text, state in states.items():
            if state not in NOT_SEARCHED:
                first_sessions.setdefault(text, number)
                end_sessions.pop(text, None)
        for text in first_sessions:
            if states.get(text, LOST_STATE) == LOST_STATE:
                end_sessions.setdefault(text, number)
    for text, session in first_sessions.items():
        yield plain(text), session, end_sessions.get(text, 0)


def _player_rows(campaign_site: CampaignSite) -> Iterator[Row]:
    """The players, each with the balances that they have at the end."""
    view, tally, last_step = (
        campaign_site.view,
        campaign_site.tally,
        len(campaign_site.record.steps),
    )
    balances: dict[str, list[str]] = {}
    for account, unit, amount in campaign_site.record.ledger.balances():
        if kind_of(account) == tally.purse:
            balance = tally.in_words(last_step, account, amount)
            words = f"{unit_name(unit, 2)}: {balance}"
            balances.setdefault(owner_of(account), []).append(words)
    for player in view.players():
        url = _url(campaign_site, Ref("player", player, ""))
        yield Row(
            typeset(player), "; ".join(balances.get(player, ())), url, _last_session(campaign_site)
        )


# -- what happened ---------------------------------------------------------------------------------


def _outcome_rows(campaign_site: CampaignSite) -> Iterator[Row]:
    for outcome in campaign_site.lives.outcomes:
        if not campaign_site.record.step(outcome.step_number).hidden:
            url = _url(campaign_site, Ref("step", str(outcome.step_number), ""))
            yield Row("", plain_text(outcome.sentence), url, outcome.session)


def _session_rows(campaign_site: CampaignSite) -> Iterator[Row]:
    """The title and the recap of each session."""
    recaps, last_session = campaign_site.lives.keepers.recaps, _last_session(campaign_site)
    for session in campaign_site.view.sessions:
        text = " ".join(plain(words.text) for words in recaps.get(session.number, ()))
        label = word("site.session_number", number=session.number)
        url = _url(campaign_site, Ref("session", str(session.number), ""))
        note = label if session.title else ""
        more_words = word("site.search_last_session") if session.number == last_session else ""
        yield Row(typeset(session.title) or label, text, url, session.number, 0, note, more_words)


def _entry_rows(campaign_site: CampaignSite, session: SessionView) -> Iterator[Row]:
    """The entries of a session, with their numbers."""
    page = _url(campaign_site, Ref("session", str(session.number), ""))
    for step in session.steps:
        text = "" if step.hidden else _words_of_entry(campaign_site, step)
        if text:
            # The table cites its agreements by their ids.
            id = (
                str(step.action.id or "") if step.action.beside() and not step.hides_subject else ""
            )
            url = f"{page}#{step.anchor}"
            yield Row("", text, url, step.session, 0, str(step.number), also=id)


def _words_of_entry(campaign_site: CampaignSite, step: Step) -> str:
    """The words of an entry that its page shows: what it tells, what it does, and what was said about it."""
    told = [piece.text for piece in campaign_site.teller.pieces_of(step)]
    # An agreement of the table has its words in the sentence of its effect alone.
    effects = [event.text for event in step.events if event.kind != AGREES]
    remarks = [*campaign_site.remarks(step)]
    parts = [
        step.fiction,
        *told,
        *(effects if step.action.beside() else ()),
        step.headline,
        *remarks,
    ]
    words: list[str] = []
    for part in map(plain, parts):
        if part and not any(_letters(part) in _letters(earlier) for earlier in words):
            words.append(part)
    return " ".join([*map(with_full_stop, words[:-1]), *words[-1:]])[:MAX_ENTRY_CHARACTERS]


def _letters(text: str) -> str:
    """The letters of a text, to find it within another one."""
    return "".join(filter(str.isalnum, text.casefold()))


# -- beside the log --------------------------------------------------------------------------------


def _journal_rows(campaign_site: CampaignSite) -> Iterator[Row]:
    last_session = _last_session(campaign_site)
    for entry in campaign_site.record.campaign.journal:
        url = _url(campaign_site, Ref("journal", entry.slug, ""))
        yield Row(plain(entry.title), _without_tables(entry.body), url, last_session)


def _without_tables(text: str) -> str:
    """The text of a piece, without the lines that draw its tables."""
    return " ".join(_TABLE_LINE.sub(" ", plain(text)).split())[:MAX_SECTION_CHARACTERS]


def _note_rows(campaign_site: CampaignSite) -> Iterator[Row]:
    last_session, slugs = _last_session(campaign_site), Slugs(("index",))
    for note in campaign_site.record.campaign.notes:
        url = _url(campaign_site, Ref("path", f"notes/{slugs.of(note.path, note.slug)}", ""))
        yield Row(plain(note.title), _without_tables(note.body), url, last_session)
