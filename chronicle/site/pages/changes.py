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
from chronicle.core.keepers import KeepersText
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.outcomes import Outcome, OutcomeKind, plain_text
from chronicle.site import pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.chapters import minutes_of
from chronicle.site.dates import date_span
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.lives import (
    LifeSentence,
    draw_keepers_text,
    draw_outcome,
    draw_with_head,
    source_of_sentences,
)
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.pages import loose_ends, reader
from chronicle.site.pages.cast import capitalised, members_without_sheet
from chronicle.site.pages.loose_ends import LooseEnd, loose_end_data, open_ends_of
from chronicle.words import word

INDEX = "changes/index"
TITLE = word("site.catch_up")
MAX_CHANGED, MAX_SLIPS, MAX_OPEN = 12, 6, 24
"""The most people, words of each, and open questions on the page."""
MAX_CHIPS = 4
"""How many words that a card gained, and how many that it lost, stand beside its person."""
MAX_STARTS = 12
"""How many evenings can be chosen right away, beside the first."""
SESSIONS_PER_LIMIT, MAX_OUTCOMES_OF_SCENE = 8, 5
"""The number of latest sessions with the same number of outcomes, and the most outcomes for each scene."""
OUTCOME_LIMITS = (12, 6, 3, 1)
"""The most outcomes for a session: for the last AT_LENGTH sessions, for AT_LENGTH before them, and so on."""
MAX_OUTCOMES_OF_PERSON = 2
"""The most outcomes under a name."""


class SceneOutcomes(NamedTuple):
    """The outcomes of one scene."""

    scene: Ref | None
    when: str
    outcomes: tuple[Outcome, ...]


class SessionAccount(NamedTuple):
    """The account of one session."""

    number: int
    title: str
    summary: str
    recap: tuple[KeepersText, ...]
    """What happened, in the keepers' words."""
    scene_outcomes: tuple[SceneOutcomes, ...]
    """Else the outcomes, scene by scene."""


class Change(NamedTuple):
    """Whom it changed, and how."""

    ref: Ref
    heading: str
    """What the page calls them."""
    emblem: Emblem
    lines: tuple[LifeSentence, ...]
    """What happened to them."""
    gained_slips: tuple[Slip, ...]
    """The words that their card gained, and below those that it lost."""
    lost_slips: tuple[Slip, ...]
    words: tuple[str, ...]
    weights: tuple[int, int] | None
    """How much they counted for, and do."""

    @property
    def has_news(self) -> bool:
        """Whether there is something to tell of them, apart from the words on their card."""
        return bool(self.lines or self.words or self.weights)


class PlayerBalances(NamedTuple):
    """A player's balances: unit, and the two amounts in words."""

    player: str
    amounts: tuple[tuple[str, int | str, int | str], ...]


class Recap(NamedTuple):
    """What the page shows."""

    first_session: int
    """The first evening it tells."""
    last_session: int
    """The last one."""
    end_choices: tuple[tuple[int, str], ...]
    """The sessions at which it can end, each with the page for it."""
    title: str
    only_title: str
    """What the only session is called, if it is one."""
    dates: tuple[str, ...]
    minutes: int
    """How many minutes it takes to read; 0: no fewer than the story itself."""
    story_minutes: int
    """How many minutes it takes to read the story itself."""
    start_choices: tuple[tuple[int, str, str], ...]
    """The sessions with which it can begin: (number, words, page)."""
    accounts: tuple[SessionAccount, ...]
    plate: pictures.Plate | None
    changed: tuple[Change, ...]
    unchanged: int
    """How many are as they were."""
    cards: tuple[Change, ...]
    """The cards that gained or lost words."""
    open_ends: tuple[LooseEnd, ...]
    more_open: int
    """How much besides is open, and older."""
    has_open_page: bool
    """Whether there is a page of all that is open."""
    purses: tuple[PlayerBalances, ...]
    has_chips: bool
    """Whether people have the words beside them that their cards gained and lost; from the beginning on, those
    would be whole cards."""

    def shows(self, card: Change) -> bool:
        """Whether the page shows all that a card gained and lost beside its person."""
        fits = max(len(card.gained_slips), len(card.lost_slips)) <= MAX_CHIPS
        return self.has_chips and fits and any(card.ref == change.ref for change in self.changed)


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
    teller = _RecapWriter(campaign_site)
    end = len(sessions) - 1
    for start in range(len(sessions)):
        title = since_title(sessions, start)
        for until in range(
            max(start, len(sessions) - MOST_SESSION_ENDS) if teller.can_end_early(start) else end,
            end,
        ):
            link_title = word("site.since_to", since=title, number=sessions[until].number)
            yield _page_spec(teller.page(start, until), link_title, teller.recap(start, until))
        recap = teller.recap(start, end)
        if start == end:
            yield PageSpec(INDEX, TITLE, recap, _template_values, last_session=recap.last_session)
        yield _page_spec(teller.page(start, end), title, recap)


def last_account(campaign_site: CampaignSite) -> SessionAccount | None:
    """The account of the last session."""
    sessions = campaign_site.view.sessions
    return (
        _RecapWriter(campaign_site).recap(len(sessions) - 1, len(sessions) - 1).accounts[0]
        if sessions
        else None
    )


def since_title(sessions: Sequence[SessionView], start: int) -> str:
    """The question that a page answers: ``Since session 2``."""
    if not start:
        return word("site.since_the_beginning")
    return word("site.since_session", number=sessions[start - 1].number)


def _page_spec(page: str, title: str, recap: Recap) -> PageSpec:
    meta = {"search": {"exclude": True}}
    crumbs = ((TITLE, INDEX),)
    return PageSpec(
        page, title, recap, _template_values, crumbs, last_session=recap.last_session, meta=meta
    )


class _RecapWriter:
    """Tells what happened since an evening."""

    def __init__(self, campaign_site: CampaignSite) -> None:
        self._campaign_site = campaign_site
        self._has_open_page = loose_ends.has_page(campaign_site)
        self._outcomes_by_session: dict[int, list[Outcome]] = {}
        for outcome in campaign_site.lives.outcomes:
            self._outcomes_by_session.setdefault(outcome.session, []).append(outcome)
        self._amounts_by_session = _purses(campaign_site)
        self._open_ends_by_session: dict[int, tuple[tuple[LooseEnd, ...], int]] = {}
        # Every page tells the evenings of the pages after it again.
        self._cached_accounts: dict[tuple[int, int], tuple[SessionAccount, int]] = {}
        self._plates_by_session = {
            number: [
                block
                for section in chapter.sections
                for block in section.body
                if isinstance(block, pictures.Plate)
            ]
            for number, chapter in campaign_site.chapters.items()
        }

    def can_end_early(self, start: int) -> bool:
        """Whether an account that starts at a session, given by its place among them, can end before the last
        session."""
        return start >= len(self._campaign_site.view.sessions) - MOST_SESSION_ENDS

    def page(self, start: int, end: int) -> str:
        """The page that tells from one evening to another, by their places among them."""
        sessions = self._campaign_site.view.sessions
        first_page = f"changes/since-{sessions[start].number}"
        return first_page if end == len(sessions) - 1 else f"{first_page}-to-{sessions[end].number}"

    def recap(self, start: int, end: int) -> Recap:
        """What happened from one evening to another, by their places among them."""
        campaign_site = self._campaign_site
        sessions = campaign_site.view.sessions
        sessions_told, last = sessions[start : end + 1], sessions[end]
        accounts, word_counts = zip(
            *(
                self._account(session, len(sessions_told), end + 1 - index)
                for index, session in enumerate(sessions_told, start)
            ),
            strict=True,
        )
        changed, unchanged_count = self._changed(
            sessions[start - 1].number if start else 0, last.number
        )
        plates = [
            plate
            for session in sessions_told
            for plate in self._plates_by_session.get(session.number, ())
        ]
        people = [change for change in changed if change.has_news][:MAX_CHANGED]
        lines = (line.plain() for change in people for line in change.lines)
        chapters = [
            campaign_site.chapters[session.number]
            for session in sessions_told
            if session.number in campaign_site.chapters
        ]
        word_count = sum(word_counts) + sum(len(line.split()) for line in lines)
        return Recap(
            sessions_told[0].number,
            last.number,
            tuple(self._end_choices(start)),
            since_title(sessions, start),
            last.title if len(sessions_told) == 1 else "",
            tuple(session.date for session in sessions_told if session.date),
            minutes_of(word_count)
            if not chapters or word_count < sum(chapter.words for chapter in chapters)
            else 0,
            sum(chapter.minutes for chapter in chapters),
            tuple(self._start_choices(end)),
            accounts,
            plates[-1] if plates else None,
            tuple(people),
            unchanged_count,
            tuple(change for change in changed if change.gained_slips or change.lost_slips),
            *self._open_ends(last.number),
            self._has_open_page,
            self._balances(sessions[start - 1].number if start else 0, last.number),
            start > 0,
        )

    def _start_choices(self, end: int) -> Iterator[tuple[int, str, str]]:
        """The possible starts, each up to the same end if the end is not before the start."""
        sessions = self._campaign_site.view.sessions
        last = len(sessions) - 1
        for start, session in enumerate(sessions):
            if start == 0 or start >= len(sessions) - MAX_STARTS:
                pill_title = since_title(sessions, start)
                link_end = end if start <= end and self.can_end_early(start) else last
                yield session.number, pill_title, self.page(start, link_end)

    def _end_choices(self, start: int) -> Iterator[tuple[int, str]]:
        """The possible ends."""
        sessions = self._campaign_site.view.sessions
        if self.can_end_early(start):
            for end in range(start, len(sessions)):
                yield sessions[end].number, self.page(start, end)

    def _open_ends(self, number: int) -> tuple[tuple[LooseEnd, ...], int]:
        """The open questions at the end of a session: the latest ones, and the number of the others, as a
        link leads to all of them."""
        if number not in self._open_ends_by_session:
            last = number == self._campaign_site.view.sessions[-1].number
            open_ends = tuple(open_ends_of(self._campaign_site, 0 if last else number))
            latest = sorted(range(len(open_ends)), key=lambda index: open_ends[index].step)[
                -MAX_OPEN:
            ]
            self._open_ends_by_session[number] = (
                tuple(open_ends[index] for index in sorted(latest)),
                len(open_ends) - len(latest),
            )
        return self._open_ends_by_session[number]

    def _account(
        self, session: SessionView, count: int, sessions_back: int
    ) -> tuple[SessionAccount, int]:
        """The account of a session, and its number of words: short if there are many sessions and this is an
        early one."""
        limit = (
            OUTCOME_LIMITS[min((sessions_back - 1) // SESSIONS_PER_LIMIT, len(OUTCOME_LIMITS) - 1)]
            if count > 1
            else OUTCOME_LIMITS[0] + 4
        )
        cached = self._cached_accounts.get((session.number, limit))
        if cached is None:
            recap = self._campaign_site.lives.keepers.recaps.get(session.number, ())
            outcomes = (
                []
                if recap
                else _weightiest(self._outcomes_by_session.get(session.number, []), limit)
            )
            scene_outcomes = outcomes_by_scene(self._campaign_site, outcomes)
            texts = [sentence.text for sentence in recap] or [
                plain_text(outcome.sentence) for outcome in outcomes
            ]
            # Where there is a recap, the page does not show the summary.
            texts_shown = texts if recap else [session.summary, *texts]
            words = sum(len(text.split()) for text in texts_shown)
            account = SessionAccount(
                session.number, session.title, session.summary, recap, scene_outcomes
            )
            cached = self._cached_accounts[session.number, limit] = account, words
        return cached

    def _changed(self, from_session: int, last: int) -> tuple[tuple[Change, ...], int]:
        """Whom the evenings after one changed, and how many others there are."""
        campaign_site = self._campaign_site
        session_ends = campaign_site.view.session_ends
        if from_session and from_session not in session_ends:
            return (), 0
        old_states = session_ends[from_session].subjects if from_session else {}
        new_states = session_ends[last].subjects
        changes: list[Change] = []
        unchanged_count = 0
        for sheet in campaign_site.cast:
            new, old = new_states.get(sheet.id), old_states.get(sheet.id)
            if new is None:
                continue
            change = self._change(sheet, old, new, from_session, last)
            if change is None:
                unchanged_count += 1
            else:
                changes.append(change)
        return (*changes, *self._changes_without_sheet(from_session, last)), unchanged_count

    def _change(
        self,
        sheet: Sheet,
        old: SubjectState | None,
        new: SubjectState,
        from_session: int,
        last: int,
    ) -> Change | None:
        campaign_site = self._campaign_site
        weights = (
            campaign_site.weight(sheet, old, from_session) if old is not None else 0,
            campaign_site.weight(sheet, new, last),
        )
        if from_session and old == new and weights[0] == weights[1]:
            return None
        old_slips = {(slip.text, slip.state): slip for slip in old.slips} if old is not None else {}
        gained_slips = tuple(
            slip
            for slip in new.slips
            if (slip.text, slip.state) not in old_slips
            and slip.state not in ("removed", "name", "role")
        )
        # A word that was lost and bought again still holds.
        held_texts = {slip.text for slip in new.slips if slip.state != "removed"}
        lost_slips = tuple(
            slip
            for slip in new.slips
            if slip.state == "removed"
            and slip.text not in held_texts
            and (slip.text, "removed") not in old_slips
        )
        words: list[str] = []
        if old is None and from_session:
            words.append(word("site.new_in_story"))
        elif old is not None and new.name != old.name:
            words.append(word("site.name_until_then", name=old.name))
        elif old is not None and new.role != old.role and new.role:
            words.append(word("site.role_now", role=new.role))
        lines = self._lines(sheet, old, new, from_session, last)
        if not (gained_slips or lost_slips or words or lines) and from_session:
            return None
        shows_weight = bool(sheet.weight) and old is not None and weights[0] != weights[1]
        return Change(
            Ref("sheet", sheet.id, new.name),
            capitalised(new.name),
            campaign_site.emblem_at(sheet, new, last),
            lines,
            gained_slips[-MAX_SLIPS:],
            lost_slips[-MAX_SLIPS:],
            tuple(words),
            weights if shows_weight else None,
        )

    def _lines(
        self,
        sheet: Sheet,
        old: SubjectState | None,
        new: SubjectState,
        from_session: int,
        last: int,
    ) -> tuple[LifeSentence, ...]:
        """The lines about a person from the sessions after another: the keepers' sentence, the departure, or
        the weightiest outcomes."""
        lives = self._campaign_site.lives
        keepers_text = self._keepers_text(sheet.id, from_session, last)
        if keepers_text is not None:
            gone = new.gone or lives.gone(sheet.id, last)
            ending = lives.ending(sheet, gone, last) if gone else None
            head = ending.head if ending is not None and (old is None or not old.gone) else ""
            return (LifeSentence(keepers_text, steps=keepers_text.step_numbers, head=head),)
        if new.gone and (old is None or not old.gone):
            ending = lives.ending(sheet, gone=True, through=last)
            return (ending,) if ending is not None else ()
        outcomes = lives.life(sheet.id, from_session, last)
        # The cards show gained and lost Traits, and a new holder is no news about the person.
        told_here = [outcome for outcome in outcomes if outcome.kind >= OutcomeKind.LEARNT]
        best = sorted(told_here, key=lambda outcome: (outcome.kind, outcome.step_number))[
            -MAX_OUTCOMES_OF_PERSON:
        ]
        return tuple(
            LifeSentence(parts=outcome.sentence, steps=outcome.step_numbers)
            for outcome in sorted(best, key=lambda outcome_of_best: outcome_of_best.step_number)
        )

    def _keepers_text(self, id: str, from_session: int, last: int) -> KeepersText | None:
        """The keepers' latest sentence about a person between two sessions: how they ended up, or else who
        they are."""
        keepers = self._campaign_site.lives.keepers
        for written in (keepers.endings(id), keepers.descriptions.get(id, ())):
            words = [text for number, text in written if from_session < number <= last]
            if words:
                return words[-1]
        return None

    def _changes_without_sheet(self, from_session: int, last: int) -> Iterator[Change]:
        """The people whom the log only tells of, if the keepers told of them in the sessions after one."""
        lives = self._campaign_site.lives
        for figure in members_without_sheet(self._campaign_site, last):
            keepers_text = self._keepers_text(figure.ref.id, from_session, last)
            if keepers_text is not None:
                head = word("site.gone") if lives.gone(figure.ref.id, last) else ""
                line = LifeSentence(keepers_text, steps=keepers_text.step_numbers, head=head)
                yield Change(figure.ref, figure.heading, figure.emblem, (line,), (), (), (), None)

    def _balances(self, from_session: int, last: int) -> tuple[PlayerBalances, ...]:
        """What the players had after an evening, and have."""
        nothing = HeldAmounts(0, {})
        old_purses, new_purses = (
            self._amounts_by_session.get(from_session, nothing),
            self._amounts_by_session[last],
        )
        tally, kinds = self._campaign_site.tally, self._campaign_site.view.accounts
        purses: list[PlayerBalances] = []
        for player in self._campaign_site.view.players():
            accounts = {
                account
                for account in (*old_purses.held, *new_purses.held)
                if owner_of(account) == player
            }
            amounts: list[tuple[str, int | str, int | str]] = []
            for account in sorted(accounts):
                old, new = old_purses.held.get(account, 0), new_purses.held.get(account, 0)
                old_words = tally.in_words(old_purses.step, account, old)
                new_words = tally.in_words(new_purses.step, account, new)
                if old_words == new_words:
                    continue
                name = kinds.get(kind_of(account), kind_of(account))
                amounts.append((name, old_words, new_words))
            if amounts:
                purses.append(PlayerBalances(player, tuple(amounts)))
        return tuple(purses)


def _weightiest(outcomes: Sequence[Outcome], session_limit: int) -> list[Outcome]:
    """The outcomes of a session that there is room for, in order: of each scene the weightiest few."""
    scenes: dict[int | None, list[Outcome]] = {}
    for outcome in outcomes:
        scenes.setdefault(outcome.scene, []).append(outcome)
    limit_of_scene = max(1, min(MAX_OUTCOMES_OF_SCENE, session_limit // max(len(scenes), 1)))
    kept_ids: set[int] = set()
    for scene_outcomes in scenes.values():
        # Of two that weigh the same, the later one says better how it ended.
        ranked = sorted(
            enumerate(scene_outcomes), key=lambda pair: (pair[1].kind, pair[0]), reverse=True
        )
        weighty = [outcome for _, outcome in ranked if outcome.kind >= OutcomeKind.LEARNT] or [
            outcome for _, outcome in ranked[:1]
        ]
        kept_ids.update(id(outcome) for outcome in weighty[:limit_of_scene])
    return [outcome for outcome in outcomes if id(outcome) in kept_ids]


class HeldAmounts(NamedTuple):
    """What the players held after an entry, by account."""

    step: int
    held: dict[str, int]


def _purses(campaign_site: CampaignSite) -> dict[int, HeldAmounts]:
    """What the players held after each evening. Evening 0: to begin with."""
    sessions = campaign_site.view.sessions
    ends = (0, *(session.steps[-1].number if session.steps else 0 for session in sessions))
    purses_by_session: dict[int, HeldAmounts] = {}
    numbers = (0, *(session.number for session in sessions))
    for number, step, held in zip(
        numbers, ends, campaign_site.tally.player_balances_after(ends), strict=True
    ):
        purses = purses_by_session[number] = HeldAmounts(step, {})
        for (account, _), amount in held.items():
            purses.held[account] = purses.held.get(account, 0) + amount
    return purses_by_session


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, recap: Recap) -> dict[str, Any]:
    return {
        "recap": {
            "since": recap.first_session,
            "last": recap.last_session,
            "named": recap.only_title,
            "minutes": recap.minutes,
            "whole": recap.story_minutes,
        },
        "heading": recap.title,
        "evenings": len(recap.accounts),
        "played": date_span(recap.dates[0], recap.dates[-1]) if recap.dates else "",
        "pills": [
            {
                "title": title,
                "url": renderer.address(Ref("path", page, "")),
                "here": number == recap.first_session,
                "number": number,
            }
            for number, title, page in recap.start_choices
        ],
        "untils": [
            {
                "url": renderer.address(Ref("path", page, "")),
                "here": number == recap.last_session,
                "number": number,
            }
            for number, page in recap.end_choices
        ],
        "nights": [account_data(renderer, night) for night in recap.accounts],
        "whose": source_of_accounts(recap.accounts),
        "whose_people": source_of_sentences(
            line for change in recap.changed for line in change.lines
        ),
        "plate": pictures.draw_plate(renderer, recap.plate) if recap.plate is not None else "",
        "changed": [
            _change_data(renderer, change, chips=recap.has_chips) for change in recap.changed
        ],
        "same": recap.unchanged,
        "cards": [
            _card_data(renderer, change) for change in recap.cards if not recap.shows(change)
        ],
        "open": [loose_end_data(renderer, end) for end in recap.open_ends],
        "more_open": recap.more_open,
        "all_open": renderer.address(Ref("path", loose_ends.PAGE, ""))
        if recap.has_open_page
        else "",
        "purses": [
            {
                "player": renderer.player(purse.player),
                "colour": renderer.colour(purse.player),
                "amounts": purse.amounts,
            }
            for purse in recap.purses
        ],
        "home": renderer.address(Ref("path", "index", "")),
        "read": renderer.address(Ref("chapter", str(recap.first_session), "")),
        "follow": renderer.address(Ref("path", reader.page_of(recap.first_session), "")),
    }


def source_of_accounts(accounts: Iterable[SessionAccount]) -> str:
    """Whose words tell some sessions."""
    sources = {
        "keepers" if account.recap else "record"
        for account in accounts
        if account.recap or account.scene_outcomes
    }
    return "both" if len(sources) > 1 else next(iter(sources), "")


def account_data(renderer: Renderer, account: SessionAccount) -> dict[str, Any]:
    """A session as templates take it."""
    linked: set[str] = set()
    return {
        "recap": Markup("").join(
            draw_keepers_text(renderer, text, linked, block=True) for text in account.recap
        ),
        "number": account.number,
        "title": account.title,
        "url": renderer.address(Ref("session", str(account.number), "")),
        "summary": renderer.prose(account.summary) if account.summary else "",
        "stretches": [
            _scene_outcomes_data(renderer, outcomes) for outcomes in account.scene_outcomes
        ],
    }


def _change_data(renderer: Renderer, change: Change, *, chips: bool) -> dict[str, Any]:
    gained_slips = [
        slip._replace(state=slip.state or "gained") for slip in change.gained_slips if chips
    ]
    return {
        "came": [renderer.slip(slip) for slip in gained_slips[:MAX_CHIPS]],
        "went": [renderer.slip(slip) for slip in change.lost_slips[:MAX_CHIPS] if chips],
        "name": change.heading,
        "url": renderer.address(change.ref),
        "emblem": renderer.draw_emblem(change.emblem),
        "lines": [draw_with_head(renderer, line, change.ref.label) for line in change.lines],
        "words": change.words,
        "weights": change.weights,
    }


def _card_data(renderer: Renderer, change: Change) -> dict[str, Any]:
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
    groups: list[SceneOutcomes] = []
    for number, scene_outcomes in groupby(outcomes, key=lambda outcome: outcome.scene):
        scene = campaign_site.record.timeline.get(number) if number else None
        link = Ref("scene", str(number), scene.label) if scene is not None else None
        groups.append(
            SceneOutcomes(link, scene.when if scene is not None else "", tuple(scene_outcomes))
        )
    return tuple(groups)


def _scene_outcomes_data(renderer: Renderer, scene_outcomes: SceneOutcomes) -> dict[str, Any]:
    """A stretch as templates take it."""
    linked: set[str] = set()
    return {
        "scene": renderer.text(scene_outcomes.scene) if scene_outcomes.scene is not None else "",
        "when": scene_outcomes.when,
        "session": scene_outcomes.outcomes[0].session,
        "text": Markup(" ").join(
            draw_outcome(renderer, outcome, linked) for outcome in scene_outcomes.outcomes
        ),
    }
