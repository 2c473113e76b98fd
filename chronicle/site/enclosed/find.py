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
from chronicle.core.record import AGREES_EVENT_KIND, Step
from chronicle.core.telling import with_full_stop
from chronicle.site.campaign_site import GLOSSARY_PAGE, CampaignSite
from chronicle.site.files import SiteFile
from chronicle.site.links import Slugs
from chronicle.site.navigation import NavPage
from chronicle.site.prose import markdown_to_text, typeset
from chronicle.site.search import MAX_SECTION_CHARACTERS, SEARCH_FILE, SearchDocument, search_script
from chronicle.words import word

MAX_ENTRY_CHARACTERS: Final = 600
"""How many characters of an entry can be found."""
_TABLE_RULE: Final = re.compile(r"\||-{3,}")
SEARCH_WORDS_BY_PAGE: Final = {
    "changes/index": word("site.search_changes"),
    "contests": word("site.search_contests"),
    "downloads": word("site.search_downloads"),
    "ledger": word("site.search_ledger"),
    "loose-ends": word("site.search_left_open"),
    "relations": word("site.search_map"),
    "timeline": word("site.search_timeline"),
}
"""Further words that pages are found by."""
LOST_STATE: Final = "removed"
"""The state of a Trait that its owner has lost."""
UNSEARCHED_STATES: Final = (LOST_STATE, "name", "role")
"""States of Traits that are not searched as texts; each text of a person already has the name and the role
beside it."""


def search_files(campaign_site: CampaignSite, nav_pages: Sequence[NavPage]) -> Iterator[SiteFile]:
    """The file that a campaign is searched by."""
    view = campaign_site.view
    cast_ids = {sheet.id for sheet in campaign_site.cast}
    other_sheets = [sheet for sheet in view.sheets if sheet.id not in cast_ids]
    documents_by_kind = {
        "stories": [
            SearchDocument(
                markdown_to_text(view.title),
                campaign_site.description,
                _url_of(campaign_site, Ref("path", "index", "")),
            )
        ],
        "people": [
            *_people_summary_document(campaign_site),
            *_sheet_documents(campaign_site, campaign_site.cast),
            *_people_without_sheets(campaign_site),
        ],
        "things": [*_sheet_documents(campaign_site, other_sheets)],
        "outcomes": [*_outcome_documents(campaign_site)],
        "sessions": [*_session_documents(campaign_site)],
        "scenes": [
            SearchDocument(typeset(scene.label), markdown_to_text(scene.when), url, scene.session)
            for scene in campaign_site.record.timeline.scenes
            if (url := _url_of(campaign_site, Ref("scene", str(scene.number), "")))
        ],
        "entries": [
            document
            for session in view.sessions
            for document in _entry_documents(campaign_site, session)
        ],
        "journal": [*_journal_documents(campaign_site), *_note_documents(campaign_site)],
        "pages": [
            *(
                SearchDocument(
                    typeset(nav_page.title),
                    "",
                    _url_of(campaign_site, Ref("path", nav_page.page_path, "")),
                    extra_words=SEARCH_WORDS_BY_PAGE.get(nav_page.page_path, ""),
                )
                for nav_page in nav_pages
            ),
            *(
                SearchDocument(
                    typeset(page.title), "", _url_of(campaign_site, Ref("page", page.slug, ""))
                )
                for page in campaign_site.contest_lists
            ),
            *_player_documents(campaign_site),
        ],
    }
    search_data = search_script(
        f"{campaign_site.folder}/",
        {kind: [*dict.fromkeys(documents)] for kind, documents in documents_by_kind.items()},
        title=markdown_to_text(view.title),
        about=campaign_site.description,
        game=campaign_site.record.rulebook.name,
        words=_url_of(campaign_site, Ref("path", GLOSSARY_PAGE, "")),
    )
    yield SiteFile(campaign_site.path_on_site(SEARCH_FILE), contents=search_data)


def _url_of(campaign_site: CampaignSite, ref: Ref) -> str:
    return campaign_site.url(" index", ref)


def _last_session(campaign_site: CampaignSite) -> int:
    """The number of the last session; texts of no session count as told then."""
    return max((session.number for session in campaign_site.view.sessions), default=0)


# -- people ----------------------------------------------------------------------------------------


def _sheet_documents(
    campaign_site: CampaignSite, sheets: Iterable[Sheet]
) -> Iterator[SearchDocument]:
    """The sentences and Traits of each person or object, with the sessions in which they are true."""
    last_session = _last_session(campaign_site)
    for sheet in sheets:
        url = _url_of(campaign_site, Ref("sheet", sheet.id, ""))
        first_step = campaign_site.first_step_by_subject.get(sheet.id, 0)
        first_session = campaign_site.record.step(first_step).session if first_step else 0
        sheet_name = typeset(sheet.name)
        role_by_session = _role_by_session(campaign_site, sheet)
        yield SearchDocument(
            sheet_name,
            "",
            url,
            first_session,
            0,
            role_by_session.get(first_session, "" if role_by_session else typeset(sheet.kind)),
        )
        if sheet.names[1:]:
            yield SearchDocument(
                sheet_name,
                markdown_to_text(" · ".join(sheet.names[1:])),
                url,
                last_session,
                0,
                role_by_session.get(last_session, ""),
            )
        for statement, first_true_session, end_session in (
            *_cited_statements(campaign_site, sheet.id),
            *_trait_statements(campaign_site, sheet),
        ):
            role = role_by_session.get(first_true_session, "")
            if statement != role:
                yield SearchDocument(
                    sheet_name,
                    statement,
                    url,
                    max(first_true_session, first_session),
                    end_session,
                    role,
                )
        is_gone = sheet.gone or campaign_site.lives.is_gone(sheet.id)
        ending = campaign_site.lives.ending(sheet, is_gone) if sheet.shape == "person" else None
        if ending is not None:
            role = role_by_session.get(last_session, "")
            # "How did the Guest end?" finds how somebody is gone, too.
            status = sheet.status if is_gone else ""
            search_words = " ".join(
                dict.fromkeys((ending.ending_heading, word("site.in_the_end"), status))
            ).strip()
            yield SearchDocument(
                sheet_name,
                ending.as_plain_text(),
                url,
                max(last_session, first_session),
                0,
                role,
                search_words,
            )


def _people_summary_document(campaign_site: CampaignSite) -> Iterator[SearchDocument]:
    """Who is there in the end and who is gone, with a link to the page of all people."""
    names_by_gone: dict[bool, list[str]] = {False: [], True: []}
    for sheet in campaign_site.cast:
        names_by_gone[sheet.gone or campaign_site.lives.is_gone(sheet.id)].append(
            typeset(sheet.name)
        )
    headings_and_names = (
        (word("site.in_story"), names_by_gone[False]),
        (word("site.gone_and_how"), names_by_gone[True]),
    )
    people_text = " ".join(
        f"{heading}: {', '.join(names)}." for heading, names in headings_and_names if names
    )
    if people_text:
        cast_url = _url_of(campaign_site, Ref("path", "cast/index", ""))
        yield SearchDocument(
            word("site.the_people"),
            people_text,
            cast_url,
            _last_session(campaign_site),
            extra_words=word("site.search_people"),
        )


def _people_without_sheets(campaign_site: CampaignSite) -> Iterator[SearchDocument]:
    """What the keepers tell of people whom the rules do not know."""
    cast_url = _url_of(campaign_site, Ref("path", "cast/index", ""))
    for person_id, subject in campaign_site.lives.cited_texts.told_of.items():
        endings = campaign_site.lives.cited_texts.endings(person_id)[-1:]
        ending_statements = (
            (markdown_to_text(cited_text.text), session_number, 0)
            for session_number, cited_text in endings
        )
        for statement, session_number, end_session in (
            *_cited_statements(campaign_site, person_id),
            *ending_statements,
        ):
            yield SearchDocument(
                typeset(subject.name), statement, cast_url, session_number, end_session
            )


Statement = tuple[str, int, int]
"""A text, the session that tells it, and the session from which it no longer holds (0: it still does)."""


def _role_by_session(campaign_site: CampaignSite, sheet: Sheet) -> dict[int, str]:
    """The role of a person at the end of each session."""
    sessions_and_states = (
        (session_number, session_end.subjects.get(sheet.id))
        for session_number, session_end in campaign_site.view.session_ends.items()
    )
    return {
        session_number: typeset(subject_state.role or sheet.kind)
        for session_number, subject_state in sessions_and_states
        if subject_state
    }


def _cited_statements(campaign_site: CampaignSite, person_id: str) -> Iterator[Statement]:
    """What the keepers tell of a person; where they tell nothing, what the record says first."""
    cited_texts = campaign_site.lives.cited_texts
    cited_sentences = [*cited_texts.descriptions.get(person_id, ())]
    endings = cited_texts.endings(person_id)
    for shown_texts, all_texts in (
        (cited_sentences, cited_sentences),
        (endings[:-1], endings),
    ):
        end_sessions = [session_number for session_number, _ in all_texts[1:]] + [0]
        for (session_number, cited_text), end_session in zip(
            shown_texts, end_sessions, strict=False
        ):
            yield markdown_to_text(cited_text.text), session_number, end_session
    introduction = campaign_site.lives.introduction(person_id) if not cited_sentences else None
    if introduction is not None and introduction.step_numbers:
        yield (
            introduction.as_plain_text(),
            campaign_site.record.step(introduction.step_numbers[0]).session,
            0,
        )


def _trait_statements(campaign_site: CampaignSite, sheet: Sheet) -> Iterator[Statement]:
    """A person's names and Traits, from the session that tells each to the session that ends it."""
    session_ends = campaign_site.view.session_ends
    sessions = [*session_ends]
    first_session_by_trait: dict[str, int] = {}
    end_session_by_trait: dict[str, int] = {}
    for session_number in sessions:
        subject_state = session_ends[session_number].subjects.get(sheet.id)
        state_by_trait: dict[str, str] = {}
        if (
            subject_state is not None
            and not subject_state.gone
            and not campaign_site.lives.is_gone(sheet.id, session_number)
        ):
            state_by_trait = {slip.text: slip.state for slip in subject_state.slips}
        for trait, trait_state in state_by_trait.items():
            if trait_state not in UNSEARCHED_STATES:
                first_session_by_trait.setdefault(trait, session_number)
                end_session_by_trait.pop(trait, None)
        for trait in first_session_by_trait:
            if state_by_trait.get(trait, LOST_STATE) == LOST_STATE:
                end_session_by_trait.setdefault(trait, session_number)
    for trait, first_session in first_session_by_trait.items():
        yield markdown_to_text(trait), first_session, end_session_by_trait.get(trait, 0)


def _player_documents(campaign_site: CampaignSite) -> Iterator[SearchDocument]:
    """The players, each with the balances that they have at the end."""
    view, balance_history, last_step = (
        campaign_site.view,
        campaign_site.balance_history,
        len(campaign_site.record.steps),
    )
    balance_texts_by_player: dict[str, list[str]] = {}
    for account, unit, amount in campaign_site.record.ledger.balances():
        if kind_of(account) == balance_history.usual_purse:
            balance = balance_history.balance_in_words(last_step, account, amount)
            balance_text = f"{unit_name(unit, 2)}: {balance}"
            balance_texts_by_player.setdefault(owner_of(account), []).append(balance_text)
    for player in view.players():
        url = _url_of(campaign_site, Ref("player", player, ""))
        yield SearchDocument(
            typeset(player),
            "; ".join(balance_texts_by_player.get(player, ())),
            url,
            _last_session(campaign_site),
        )


# -- what happened ---------------------------------------------------------------------------------


def _outcome_documents(campaign_site: CampaignSite) -> Iterator[SearchDocument]:
    for outcome in campaign_site.lives.outcomes:
        if not campaign_site.record.step(outcome.step_number).hidden:
            url = _url_of(campaign_site, Ref("step", str(outcome.step_number), ""))
            yield SearchDocument("", plain_text(outcome.sentence), url, outcome.session)


def _session_documents(campaign_site: CampaignSite) -> Iterator[SearchDocument]:
    """The title and the recap of each session."""
    recaps, last_session = campaign_site.lives.cited_texts.recaps, _last_session(campaign_site)
    for session in campaign_site.view.sessions:
        recap_text = " ".join(
            markdown_to_text(cited_text.text) for cited_text in recaps.get(session.number, ())
        )
        session_label = word("site.session_number", number=session.number)
        url = _url_of(campaign_site, Ref("session", str(session.number), ""))
        title_note = session_label if session.title else ""
        extra_words = word("site.search_last_session") if session.number == last_session else ""
        yield SearchDocument(
            typeset(session.title) or session_label,
            recap_text,
            url,
            session.number,
            0,
            title_note,
            extra_words,
        )


def _entry_documents(campaign_site: CampaignSite, session: SessionView) -> Iterator[SearchDocument]:
    """The entries of a session, with their numbers."""
    session_url = _url_of(campaign_site, Ref("session", str(session.number), ""))
    for step in session.steps:
        entry_text = "" if step.hidden else _entry_text(campaign_site, step)
        if entry_text:
            # The table cites its agreements by their ids.
            entry_id = (
                str(step.action.id or "") if step.action.beside() and not step.hides_subject else ""
            )
            url = f"{session_url}#{step.anchor}"
            yield SearchDocument(
                "", entry_text, url, step.session, 0, str(step.number), extra_words=entry_id
            )


def _entry_text(campaign_site: CampaignSite, step: Step) -> str:
    """The words of an entry that its page shows: what it tells, what it does, and what was said about it."""
    told_texts = [text_piece.text for text_piece in campaign_site.teller.pieces_of(step)]
    # An agreement of the table has its words in the sentence of its effect alone.
    effect_texts = [event.text for event in step.events if event.kind != AGREES_EVENT_KIND]
    remarks = [*campaign_site.remarks(step)]
    all_texts = [
        step.fiction,
        *told_texts,
        *(effect_texts if step.action.beside() else ()),
        step.headline,
        *remarks,
    ]
    kept_texts: list[str] = []
    for unmarked_text in map(markdown_to_text, all_texts):
        if unmarked_text and not any(
            _letters_only(unmarked_text) in _letters_only(kept_text) for kept_text in kept_texts
        ):
            kept_texts.append(unmarked_text)
    return " ".join([*map(with_full_stop, kept_texts[:-1]), *kept_texts[-1:]])[
        :MAX_ENTRY_CHARACTERS
    ]


def _letters_only(text: str) -> str:
    """The letters of a text, to find it within another one."""
    return "".join(filter(str.isalnum, text.casefold()))


# -- beside the log --------------------------------------------------------------------------------


def _journal_documents(campaign_site: CampaignSite) -> Iterator[SearchDocument]:
    last_session = _last_session(campaign_site)
    for journal_entry in campaign_site.record.campaign.journal:
        url = _url_of(campaign_site, Ref("journal", journal_entry.slug, ""))
        yield SearchDocument(
            markdown_to_text(journal_entry.title),
            _without_tables(journal_entry.body),
            url,
            last_session,
        )


def _without_tables(markdown: str) -> str:
    """The text of a piece, without the lines that draw its tables."""
    return " ".join(_TABLE_RULE.sub(" ", markdown_to_text(markdown)).split())[
        :MAX_SECTION_CHARACTERS
    ]


def _note_documents(campaign_site: CampaignSite) -> Iterator[SearchDocument]:
    last_session, slugs = _last_session(campaign_site), Slugs(("index",))
    for note in campaign_site.record.campaign.notes:
        url = _url_of(
            campaign_site, Ref("path", f"notes/{slugs.slug_of(note.path, note.slug)}", "")
        )
        yield SearchDocument(
            markdown_to_text(note.title), _without_tables(note.body), url, last_session
        )
