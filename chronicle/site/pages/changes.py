"""Catch up (``changes.html``): what happened since a session of the reader's choice, in the keepers' words or
in outcomes from the record; the changed people; the open questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import (
    MOST_SESSION_ENDS,
    Ref,
    SessionView,
    Sheet,
    Slip,
    SubjectState,
)
from chronicle.core.keepers import CitedText
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.outcomes import Outcome, OutcomeKind, plain_text
from chronicle.core.sentences import with_capital
from chronicle.site import pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.chapters import reading_minutes_of
from chronicle.site.dates import date_span
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.lives import (
    LifeSentence,
    draw_cited_text,
    draw_headed_sentence,
    draw_outcome,
    sources_of_sentences,
)
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.pages import loose_ends, reader
from chronicle.site.pages.cast import members_without_sheet
from chronicle.site.pages.loose_ends import LooseEnd, loose_end_data, open_ends_of
from chronicle.words import word

INDEX = "changes/index"
TITLE = word("site.catch_up")
MAX_CHANGED_PEOPLE, MAX_SLIPS, MAX_OPEN_ENDS_SHOWN = 12, 6, 24
"""The most people, words of each, and open questions on the page."""
MAX_CHIPS = 4
"""How many words that a card gained, and how many that it lost, stand beside its person."""
MAX_START_CHOICES = 12
"""How many evenings can be chosen right away, beside the first."""
SESSIONS_PER_LIMIT, MAX_OUTCOMES_OF_SCENE = 8, 5
"""The number of latest sessions with the same number of outcomes, and the most outcomes for each scene."""
OUTCOME_LIMITS = (12, 6, 3, 1)
"""The most outcomes for a session: for the last AT_LENGTH sessions, for AT_LENGTH before them, and so on."""
MAX_OUTCOMES_OF_PERSON = 2
"""The most outcomes under a name."""


class SceneOutcomes(NamedTuple):
    """The outcomes of one scene."""

    scene_ref: Ref | None
    time_text: str
    outcomes: tuple[Outcome, ...]


class SessionRecap(NamedTuple):
    """The account of one session."""

    session_number: int
    title: str
    summary: str
    cited_texts: tuple[CitedText, ...]
    """What happened, in the keepers' words."""
    scene_outcomes: tuple[SceneOutcomes, ...]
    """Else the outcomes, scene by scene."""


class PersonChange(NamedTuple):
    """Whom it changed, and how."""

    ref: Ref
    heading: str
    """What the page calls them."""
    emblem: Emblem
    sentences: tuple[LifeSentence, ...]
    """What happened to them."""
    gained_slips: tuple[Slip, ...]
    """The words that their card gained, and below those that it lost."""
    lost_slips: tuple[Slip, ...]
    state_changes: tuple[str, ...]
    weights: tuple[int, int] | None
    """How much they counted for, and do."""

    @property
    def has_news(self) -> bool:
        """Whether there is something to tell of them, apart from the words on their card."""
        return bool(self.sentences or self.state_changes or self.weights)


class PlayerBalances(NamedTuple):
    """A player's balances: unit, and the two amounts in words."""

    player: str
    changed_balances: tuple[tuple[str, int | str, int | str], ...]


class Recap(NamedTuple):
    """What the page shows."""

    first_session: int
    """The first evening it tells."""
    last_session: int
    """The last one."""
    end_choices: tuple[tuple[int, str], ...]
    """The sessions at which it can end, each with the page for it."""
    title: str
    only_session_title: str
    """What the only session is called, if it is one."""
    session_dates: tuple[str, ...]
    reading_minutes: int
    """How many minutes it takes to read; 0: no fewer than the story itself."""
    story_reading_minutes: int
    """How many minutes it takes to read the story itself."""
    start_choices: tuple[tuple[int, str, str], ...]
    """The sessions with which it can begin: (number, words, page)."""
    session_recaps: tuple[SessionRecap, ...]
    plate: pictures.Plate | None
    changed_people: tuple[PersonChange, ...]
    unchanged_count: int
    """How many are as they were."""
    slip_changes: tuple[PersonChange, ...]
    """The changes of people whose cards gained or lost words."""
    open_ends: tuple[LooseEnd, ...]
    other_open_count: int
    """How much besides is open, and older."""
    has_open_page: bool
    """Whether there is a page of all that is open."""
    player_balances: tuple[PlayerBalances, ...]
    has_chips: bool
    """Whether people have the words beside them that their cards gained and lost; from the beginning on, those
    would be whole cards."""

    def shows_card_beside_person(self, slip_change: PersonChange) -> bool:
        """Whether the page shows all that a card gained and lost beside its person."""
        has_few_slips = max(len(slip_change.gained_slips), len(slip_change.lost_slips)) <= MAX_CHIPS
        return (
            self.has_chips
            and has_few_slips
            and any(slip_change.ref == change.ref for change in self.changed_people)
        )


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation. With one session there is nothing to catch up with."""
    if len(campaign_site.view.sessions) > 1:
        yield NavPage("Catch up", TITLE, INDEX)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page for each pair of the last session read and the session to read up to; the page since the last
    session comes first."""
    sessions = campaign_site.view.sessions
    if len(sessions) < 2:
        return
    recap_writer = _RecapWriter(campaign_site)
    end_index = len(sessions) - 1
    for start_index in range(len(sessions)):
        recap_title = since_title(sessions, start_index)
        for early_end_index in range(
            max(start_index, len(sessions) - MOST_SESSION_ENDS)
            if recap_writer.can_end_early(start_index)
            else end_index,
            end_index,
        ):
            link_title = word(
                "site.since_to", since=recap_title, number=sessions[early_end_index].number
            )
            yield _page_spec(
                recap_writer.path_of_recap(start_index, early_end_index),
                link_title,
                recap_writer.make_recap(start_index, early_end_index),
            )
        recap = recap_writer.make_recap(start_index, end_index)
        if start_index == end_index:
            yield PageSpec(INDEX, TITLE, recap, _template_values, last_session=recap.last_session)
        yield _page_spec(recap_writer.path_of_recap(start_index, end_index), recap_title, recap)


def recaps_of_sessions(campaign_site: CampaignSite, max_sessions: int) -> tuple[SessionRecap, ...]:
    """The account of each session; of more than so many sessions, that of the last."""
    session_count = len(campaign_site.view.sessions)
    writer = _RecapWriter(campaign_site)
    return tuple(
        writer.make_recap(session_index, session_index).session_recaps[0]
        for session_index in range(
            0 if session_count <= max_sessions else session_count - 1, session_count
        )
    )


def since_title(sessions: Sequence[SessionView], start_index: int) -> str:
    """The question that a page answers: ``Since session 2``."""
    if not start_index:
        return word("site.since_the_beginning")
    return word("site.since_session", number=sessions[start_index - 1].number)


def _page_spec(page_path: str, recap_title: str, recap: Recap) -> PageSpec:
    meta = {"search": {"exclude": True}}
    crumbs = ((TITLE, INDEX),)
    return PageSpec(
        page_path,
        recap_title,
        recap,
        _template_values,
        crumbs,
        last_session=recap.last_session,
        meta=meta,
    )


class _RecapWriter:
    """Tells what happened since an evening."""

    def __init__(self, campaign_site: CampaignSite) -> None:
        self._campaign_site = campaign_site
        self._has_open_page = loose_ends.has_page(campaign_site)
        self._outcomes_by_session: dict[int, list[Outcome]] = {}
        for outcome in campaign_site.lives.outcomes:
            self._outcomes_by_session.setdefault(outcome.session, []).append(outcome)
        self._amounts_by_session = _held_amounts_by_session(campaign_site)
        self._open_ends_by_session: dict[int, tuple[tuple[LooseEnd, ...], int]] = {}
        # Every page tells the evenings of the pages after it again.
        self._cached_session_recaps: dict[tuple[int, int], tuple[SessionRecap, int]] = {}
        self._plates_by_session = {
            session_number: [
                passage
                for section in chapter.sections
                for passage in section.passages
                if isinstance(passage, pictures.Plate)
            ]
            for session_number, chapter in campaign_site.chapters_by_session.items()
        }

    def can_end_early(self, start_index: int) -> bool:
        """Whether an account that starts at a session, given by its place among them, can end before the last
        session."""
        return start_index >= len(self._campaign_site.view.sessions) - MOST_SESSION_ENDS

    def path_of_recap(self, start_index: int, end_index: int) -> str:
        """The page that tells from one evening to another, by their places among them."""
        sessions = self._campaign_site.view.sessions
        path_to_last_session = f"changes/since-{sessions[start_index].number}"
        return (
            path_to_last_session
            if end_index == len(sessions) - 1
            else f"{path_to_last_session}-to-{sessions[end_index].number}"
        )

    def make_recap(self, start_index: int, end_index: int) -> Recap:
        """What happened from one evening to another, by their places among them."""
        campaign_site = self._campaign_site
        sessions = campaign_site.view.sessions
        sessions_told, last_session = sessions[start_index : end_index + 1], sessions[end_index]
        session_recaps, word_counts = zip(
            *(
                self._recap_and_word_count(
                    session, len(sessions_told), end_index + 1 - session_index
                )
                for session_index, session in enumerate(sessions_told, start_index)
            ),
            strict=True,
        )
        changed_people, unchanged_count = self._changed_people(
            sessions[start_index - 1].number if start_index else 0, last_session.number
        )
        plates = [
            plate
            for session in sessions_told
            for plate in self._plates_by_session.get(session.number, ())
        ]
        people_with_news = [change for change in changed_people if change.has_news][
            :MAX_CHANGED_PEOPLE
        ]
        sentence_texts = (
            life_sentence.as_plain_text()
            for change in people_with_news
            for life_sentence in change.sentences
        )
        chapters = [
            campaign_site.chapters_by_session[session.number]
            for session in sessions_told
            if session.number in campaign_site.chapters_by_session
        ]
        word_count = sum(word_counts) + sum(
            len(life_sentence.split()) for life_sentence in sentence_texts
        )
        return Recap(
            sessions_told[0].number,
            last_session.number,
            tuple(self._end_choices(start_index)),
            since_title(sessions, start_index),
            last_session.title if len(sessions_told) == 1 else "",
            tuple(session.date for session in sessions_told if session.date),
            reading_minutes_of(word_count)
            if not chapters or word_count < sum(chapter.word_count for chapter in chapters)
            else 0,
            sum(chapter.reading_minutes for chapter in chapters),
            tuple(self._start_choices(end_index)),
            session_recaps,
            plates[-1] if plates else None,
            tuple(people_with_news),
            unchanged_count,
            tuple(change for change in changed_people if change.gained_slips or change.lost_slips),
            *self._open_ends(last_session.number),
            self._has_open_page,
            self._player_balances(
                sessions[start_index - 1].number if start_index else 0, last_session.number
            ),
            start_index > 0,
        )

    def _start_choices(self, end_index: int) -> Iterator[tuple[int, str, str]]:
        """The possible starts, each up to the same end if the end is not before the start."""
        sessions = self._campaign_site.view.sessions
        last_index = len(sessions) - 1
        for start_index, session in enumerate(sessions):
            if start_index == 0 or start_index >= len(sessions) - MAX_START_CHOICES:
                start_title = since_title(sessions, start_index)
                link_end_index = (
                    end_index
                    if start_index <= end_index and self.can_end_early(start_index)
                    else last_index
                )
                yield session.number, start_title, self.path_of_recap(start_index, link_end_index)

    def _end_choices(self, start_index: int) -> Iterator[tuple[int, str]]:
        """The possible ends."""
        sessions = self._campaign_site.view.sessions
        if self.can_end_early(start_index):
            for end_index in range(start_index, len(sessions)):
                yield sessions[end_index].number, self.path_of_recap(start_index, end_index)

    def _open_ends(self, session_number: int) -> tuple[tuple[LooseEnd, ...], int]:
        """The open questions at the end of a session: the latest ones, and the number of the others, as a
        link leads to all of them."""
        if session_number not in self._open_ends_by_session:
            is_last_session = session_number == self._campaign_site.view.sessions[-1].number
            open_ends = tuple(
                open_ends_of(self._campaign_site, 0 if is_last_session else session_number)
            )
            latest_indexes = sorted(
                range(len(open_ends)),
                key=lambda open_end_index: open_ends[open_end_index].step_number,
            )[-MAX_OPEN_ENDS_SHOWN:]
            self._open_ends_by_session[session_number] = (
                tuple(open_ends[open_end_index] for open_end_index in sorted(latest_indexes)),
                len(open_ends) - len(latest_indexes),
            )
        return self._open_ends_by_session[session_number]

    def _recap_and_word_count(
        self, session: SessionView, session_count: int, sessions_back: int
    ) -> tuple[SessionRecap, int]:
        """The account of a session, and its number of words: short if there are many sessions and this is an
        early one."""
        max_outcomes = (
            OUTCOME_LIMITS[min((sessions_back - 1) // SESSIONS_PER_LIMIT, len(OUTCOME_LIMITS) - 1)]
            if session_count > 1
            else OUTCOME_LIMITS[0] + 4
        )
        recap_and_count = self._cached_session_recaps.get((session.number, max_outcomes))
        if recap_and_count is None:
            cited_texts = self._campaign_site.lives.cited_texts.recaps.get(session.number, ())
            outcomes = (
                []
                if cited_texts
                else _weightiest_outcomes(
                    self._outcomes_by_session.get(session.number, []), max_outcomes
                )
            )
            scene_outcomes = outcomes_by_scene(self._campaign_site, outcomes)
            told_texts = [cited_text.text for cited_text in cited_texts] or [
                plain_text(outcome.sentence) for outcome in outcomes
            ]
            # Where there is a recap, the page does not show the summary.
            texts_shown = told_texts if cited_texts else [session.summary, *told_texts]
            word_count = sum(len(shown_text.split()) for shown_text in texts_shown)
            session_recap = SessionRecap(
                session.number, session.title, session.summary, cited_texts, scene_outcomes
            )
            recap_and_count = self._cached_session_recaps[session.number, max_outcomes] = (
                session_recap,
                word_count,
            )
        return recap_and_count

    def _changed_people(
        self, from_session: int, last_session: int
    ) -> tuple[tuple[PersonChange, ...], int]:
        """Whom the evenings after one changed, and how many others there are."""
        campaign_site = self._campaign_site
        session_ends = campaign_site.view.session_ends
        if from_session and from_session not in session_ends:
            return (), 0
        old_states = session_ends[from_session].subjects if from_session else {}
        new_states = session_ends[last_session].subjects
        person_changes: list[PersonChange] = []
        unchanged_count = 0
        for sheet in campaign_site.cast:
            new_state, old_state = new_states.get(sheet.id), old_states.get(sheet.id)
            if new_state is None:
                continue
            change = self._change_of_person(sheet, old_state, new_state, from_session, last_session)
            if change is None:
                unchanged_count += 1
            else:
                person_changes.append(change)
        return (
            *person_changes,
            *self._changes_without_sheet(from_session, last_session),
        ), unchanged_count

    def _change_of_person(
        self,
        sheet: Sheet,
        old_state: SubjectState | None,
        new_state: SubjectState,
        from_session: int,
        last_session: int,
    ) -> PersonChange | None:
        campaign_site = self._campaign_site
        old_and_new_weight = (
            campaign_site.weight_of(sheet, old_state, from_session) if old_state is not None else 0,
            campaign_site.weight_of(sheet, new_state, last_session),
        )
        if (
            from_session
            and old_state == new_state
            and old_and_new_weight[0] == old_and_new_weight[1]
        ):
            return None
        old_slip_by_text_and_state = (
            {(slip.text, slip.state): slip for slip in old_state.slips}
            if old_state is not None
            else {}
        )
        gained_slips = tuple(
            slip
            for slip in new_state.slips
            if (slip.text, slip.state) not in old_slip_by_text_and_state
            and slip.state not in ("removed", "name", "role")
        )
        # A word that was lost and bought again still holds.
        held_texts = {slip.text for slip in new_state.slips if slip.state != "removed"}
        lost_slips = tuple(
            slip
            for slip in new_state.slips
            if slip.state == "removed"
            and slip.text not in held_texts
            and (slip.text, "removed") not in old_slip_by_text_and_state
        )
        state_changes: list[str] = []
        if old_state is None and from_session:
            state_changes.append(word("site.new_in_story"))
        elif old_state is not None and new_state.name != old_state.name:
            state_changes.append(word("site.name_until_then", name=old_state.name))
        elif old_state is not None and new_state.role != old_state.role and new_state.role:
            state_changes.append(word("site.role_now", role=new_state.role))
        sentences = self._sentences_about(sheet, old_state, new_state, from_session, last_session)
        if not (gained_slips or lost_slips or state_changes or sentences) and from_session:
            return None
        shows_weight = (
            bool(sheet.weight)
            and old_state is not None
            and old_and_new_weight[0] != old_and_new_weight[1]
        )
        return PersonChange(
            Ref("sheet", sheet.id, new_state.name),
            with_capital(new_state.name),
            campaign_site.emblem_at(sheet, new_state, last_session),
            sentences,
            gained_slips[-MAX_SLIPS:],
            lost_slips[-MAX_SLIPS:],
            tuple(state_changes),
            old_and_new_weight if shows_weight else None,
        )

    def _sentences_about(
        self,
        sheet: Sheet,
        old_state: SubjectState | None,
        new_state: SubjectState,
        from_session: int,
        last_session: int,
    ) -> tuple[LifeSentence, ...]:
        """The lines about a person from the sessions after another: the keepers' sentence, the departure, or
        the weightiest outcomes."""
        lives = self._campaign_site.lives
        cited_text = self._cited_text(sheet.id, from_session, last_session)
        if cited_text is not None:
            is_gone = new_state.gone or lives.is_gone(sheet.id, last_session)
            ending = lives.ending(sheet, is_gone, last_session) if is_gone else None
            ending_heading = (
                ending.ending_heading
                if ending is not None and (old_state is None or not old_state.gone)
                else ""
            )
            return (
                LifeSentence(
                    cited_text, step_numbers=cited_text.step_numbers, ending_heading=ending_heading
                ),
            )
        if new_state.gone and (old_state is None or not old_state.gone):
            ending = lives.ending(sheet, is_gone=True, through_session=last_session)
            return (ending,) if ending is not None else ()
        outcomes = lives.outcomes_of_life(sheet.id, from_session, last_session)
        # The cards show gained and lost Traits, and a new holder is no news about the person.
        outcomes_told_here = [outcome for outcome in outcomes if outcome.kind >= OutcomeKind.LEARNT]
        best_outcomes = sorted(
            outcomes_told_here, key=lambda outcome: (outcome.kind, outcome.step_number)
        )[-MAX_OUTCOMES_OF_PERSON:]
        return tuple(
            LifeSentence(parts=outcome.sentence, step_numbers=outcome.step_numbers)
            for outcome in sorted(
                best_outcomes, key=lambda outcome_of_best: outcome_of_best.step_number
            )
        )

    def _cited_text(self, person_id: str, from_session: int, last_session: int) -> CitedText | None:
        """The keepers' latest sentence about a person between two sessions: how they ended up, or else who
        they are."""
        cited_texts = self._campaign_site.lives.cited_texts
        for numbered_texts in (
            cited_texts.endings(person_id),
            cited_texts.descriptions.get(person_id, ()),
        ):
            texts_between = [
                numbered_text
                for session_number, numbered_text in numbered_texts
                if from_session < session_number <= last_session
            ]
            if texts_between:
                return texts_between[-1]
        return None

    def _changes_without_sheet(
        self, from_session: int, last_session: int
    ) -> Iterator[PersonChange]:
        """The people whom the log only tells of, if the keepers told of them in the sessions after one."""
        lives = self._campaign_site.lives
        for member in members_without_sheet(self._campaign_site, last_session):
            cited_text = self._cited_text(member.ref.id, from_session, last_session)
            if cited_text is not None:
                ending_heading = (
                    word("site.gone") if lives.is_gone(member.ref.id, last_session) else ""
                )
                life_sentence = LifeSentence(
                    cited_text, step_numbers=cited_text.step_numbers, ending_heading=ending_heading
                )
                yield PersonChange(
                    member.ref, member.heading, member.emblem, (life_sentence,), (), (), (), None
                )

    def _player_balances(self, from_session: int, last_session: int) -> tuple[PlayerBalances, ...]:
        """What the players had after an evening, and have."""
        nothing_held = HeldAmounts(0, {})
        old_amounts, new_amounts = (
            self._amounts_by_session.get(from_session, nothing_held),
            self._amounts_by_session[last_session],
        )
        balance_history, name_by_account_kind = (
            self._campaign_site.balance_history,
            self._campaign_site.view.accounts,
        )
        player_balances: list[PlayerBalances] = []
        for player in self._campaign_site.view.players():
            accounts = {
                account
                for account in (*old_amounts.amount_by_account, *new_amounts.amount_by_account)
                if owner_of(account) == player
            }
            changed_balances: list[tuple[str, int | str, int | str]] = []
            for account in sorted(accounts):
                old_amount, new_amount = (
                    old_amounts.amount_by_account.get(account, 0),
                    new_amounts.amount_by_account.get(account, 0),
                )
                old_text = balance_history.balance_in_words(
                    old_amounts.step_number, account, old_amount
                )
                new_text = balance_history.balance_in_words(
                    new_amounts.step_number, account, new_amount
                )
                if old_text == new_text:
                    continue
                account_kind = name_by_account_kind.get(kind_of(account), kind_of(account))
                changed_balances.append((account_kind, old_text, new_text))
            if changed_balances:
                player_balances.append(PlayerBalances(player, tuple(changed_balances)))
        return tuple(player_balances)


def _weightiest_outcomes(outcomes: Sequence[Outcome], max_outcomes: int) -> list[Outcome]:
    """The outcomes of a session that there is room for, in order: of each scene the weightiest few."""
    outcomes_by_scene_number: dict[int | None, list[Outcome]] = {}
    for outcome in outcomes:
        outcomes_by_scene_number.setdefault(outcome.scene, []).append(outcome)
    max_outcomes_of_scene = max(
        1, min(MAX_OUTCOMES_OF_SCENE, max_outcomes // max(len(outcomes_by_scene_number), 1))
    )
    kept_object_ids: set[int] = set()
    for scene_outcomes in outcomes_by_scene_number.values():
        # Of two that weigh the same, the later one says better how it ended.
        ranked_outcomes = sorted(
            enumerate(scene_outcomes),
            key=lambda index_and_outcome: (index_and_outcome[1].kind, index_and_outcome[0]),
            reverse=True,
        )
        weighty_outcomes = [
            outcome for _, outcome in ranked_outcomes if outcome.kind >= OutcomeKind.LEARNT
        ] or [outcome for _, outcome in ranked_outcomes[:1]]
        kept_object_ids.update(id(outcome) for outcome in weighty_outcomes[:max_outcomes_of_scene])
    return [outcome for outcome in outcomes if id(outcome) in kept_object_ids]


class HeldAmounts(NamedTuple):
    """What the players held after an entry, by account."""

    step_number: int
    amount_by_account: dict[str, int]


def _held_amounts_by_session(campaign_site: CampaignSite) -> dict[int, HeldAmounts]:
    """What the players held after each evening. Evening 0: to begin with."""
    sessions = campaign_site.view.sessions
    end_step_numbers = (
        0,
        *(session.steps[-1].number if session.steps else 0 for session in sessions),
    )
    amounts_by_session: dict[int, HeldAmounts] = {}
    session_numbers = (0, *(session.number for session in sessions))
    for session_number, end_step_number, balances in zip(
        session_numbers,
        end_step_numbers,
        campaign_site.balance_history.player_balances_after(end_step_numbers),
        strict=True,
    ):
        held_amounts = amounts_by_session[session_number] = HeldAmounts(end_step_number, {})
        for (account, _), amount in balances.items():
            held_amounts.amount_by_account[account] = (
                held_amounts.amount_by_account.get(account, 0) + amount
            )
    return amounts_by_session


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, recap: Recap) -> dict[str, Any]:
    return {
        "recap": {
            "since": recap.first_session,
            "last": recap.last_session,
            "named": recap.only_session_title,
            "minutes": recap.reading_minutes,
            "whole": recap.story_reading_minutes,
        },
        "heading": recap.title,
        "evenings": len(recap.session_recaps),
        "played": date_span(recap.session_dates[0], recap.session_dates[-1])
        if recap.session_dates
        else "",
        "pills": [
            {
                "title": start_title,
                "url": renderer.address(Ref("path", page_path, "")),
                "here": session_number == recap.first_session,
                "number": session_number,
            }
            for session_number, start_title, page_path in recap.start_choices
        ],
        "untils": [
            {
                "url": renderer.address(Ref("path", page_path, "")),
                "here": session_number == recap.last_session,
                "number": session_number,
            }
            for session_number, page_path in recap.end_choices
        ],
        "nights": [session_recap_data(renderer, account) for account in recap.session_recaps],
        "whose": sources_of_recaps(recap.session_recaps),
        "whose_people": sources_of_sentences(
            sentence for change in recap.changed_people for sentence in change.sentences
        ),
        "plate": pictures.draw_plate(renderer, recap.plate) if recap.plate is not None else "",
        "changed": [
            _change_data(renderer, change, shows_chips=recap.has_chips)
            for change in recap.changed_people
        ],
        "same": recap.unchanged_count,
        "cards": [
            _card_data(renderer, change)
            for change in recap.slip_changes
            if not recap.shows_card_beside_person(change)
        ],
        "open": [loose_end_data(renderer, open_end) for open_end in recap.open_ends],
        "more_open": recap.other_open_count,
        "all_open": renderer.address(Ref("path", loose_ends.PAGE_PATH, ""))
        if recap.has_open_page
        else "",
        "purses": [
            {
                "player": renderer.player(player_balances.player),
                "colour": renderer.seat_of(player_balances.player),
                "amounts": player_balances.changed_balances,
            }
            for player_balances in recap.player_balances
        ],
        "home": renderer.address(Ref("path", "index", "")),
        "read": renderer.address(Ref("chapter", str(recap.first_session), "")),
        "follow": renderer.address(Ref("path", reader.steps_page_path_of(recap.first_session), "")),
    }


def sources_of_recaps(session_recaps: Iterable[SessionRecap]) -> str:
    """Whose words tell some sessions."""
    sources = {
        "keepers" if session_recap.cited_texts else "record"
        for session_recap in session_recaps
        if session_recap.cited_texts or session_recap.scene_outcomes
    }
    return "both" if len(sources) > 1 else next(iter(sources), "")


def session_recap_data(renderer: Renderer, session_recap: SessionRecap) -> dict[str, Any]:
    """A session as templates take it."""
    linked_names: set[str] = set()
    return {
        "recap": Markup("").join(
            draw_cited_text(renderer, cited_text, linked_names, as_block=True)
            for cited_text in session_recap.cited_texts
        ),
        "number": session_recap.session_number,
        "title": session_recap.title,
        "url": renderer.address(Ref("session", str(session_recap.session_number), "")),
        "summary": renderer.prose(session_recap.summary) if session_recap.summary else "",
        "stretches": [
            _scene_outcomes_data(renderer, scene_outcomes)
            for scene_outcomes in session_recap.scene_outcomes
        ],
    }


def _change_data(renderer: Renderer, change: PersonChange, *, shows_chips: bool) -> dict[str, Any]:
    gained_slips = [
        slip._replace(state=slip.state or "gained") for slip in change.gained_slips if shows_chips
    ]
    return {
        "came": [renderer.slip(slip) for slip in gained_slips[:MAX_CHIPS]],
        "went": [renderer.slip(slip) for slip in change.lost_slips[:MAX_CHIPS] if shows_chips],
        "name": change.heading,
        "url": renderer.address(change.ref),
        "emblem": renderer.draw_emblem(change.emblem),
        "lines": [
            draw_headed_sentence(renderer, sentence, change.ref.label)
            for sentence in change.sentences
        ],
        "words": change.state_changes,
        "weights": change.weights,
    }


def _card_data(renderer: Renderer, change: PersonChange) -> dict[str, Any]:
    """A card as the template wants it: the words that it gained, and those that it lost."""
    return {
        "name": change.heading,
        "url": renderer.address(change.ref),
        "came": [renderer.slip(slip) for slip in change.gained_slips],
        "went": [renderer.slip(slip._replace(state="")) for slip in change.lost_slips],
    }


def outcomes_by_scene(
    campaign_site: CampaignSite, outcomes: Iterable[Outcome]
) -> tuple[SceneOutcomes, ...]:
    """Outcomes, scene by scene."""
    outcomes_of_scenes: list[SceneOutcomes] = []
    for scene_number, scene_outcomes in groupby(outcomes, key=lambda outcome: outcome.scene):
        scene = campaign_site.record.timeline.get(scene_number) if scene_number else None
        scene_ref = Ref("scene", str(scene_number), scene.label) if scene is not None else None
        outcomes_of_scenes.append(
            SceneOutcomes(scene_ref, scene.when if scene is not None else "", tuple(scene_outcomes))
        )
    return tuple(outcomes_of_scenes)


def _scene_outcomes_data(renderer: Renderer, scene_outcomes: SceneOutcomes) -> dict[str, Any]:
    """A stretch as templates take it."""
    linked_names: set[str] = set()
    return {
        "scene": renderer.text(scene_outcomes.scene_ref)
        if scene_outcomes.scene_ref is not None
        else "",
        "when": scene_outcomes.time_text,
        "session": scene_outcomes.outcomes[0].session,
        "text": Markup(" ").join(
            draw_outcome(renderer, outcome, linked_names) for outcome in scene_outcomes.outcomes
        ),
    }
