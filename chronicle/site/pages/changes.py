"""Catch up (``changes.html``): what happened since any session that can be chosen, in the keepers' words or in
outcomes from the record; to whom; what is left open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import (
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
from chronicle.site.chapters import minutes_of
from chronicle.site.dates import long_date
from chronicle.site.draw import Pen
from chronicle.site.emblems import Emblem
from chronicle.site.lives import Line, draw_headed, draw_outcome, draw_words, whose
from chronicle.site.navigation import NavPage
from chronicle.site.pages.cast import called, told_of
from chronicle.site.pages.loose_ends import End, drawn, ends
from chronicle.site.press import Draft
from chronicle.site.volume import Volume
from chronicle.words import word

INDEX = "changes/index"
TITLE = word("site.catch_up")
MOST_CHANGED, MOST_SLIPS, MOST_OPEN = 12, 6, 24
"""How many people, words of each, and things that are open are shown."""
MOST_PILLS = 12
"""How many evenings can be chosen right away, beside the first."""
AT_LENGTH, A_SCENE = 8, 5
"""Of how many sessions as many outcomes are told of each, and of each scene at most."""
FEW = (12, 6, 3, 1)
"""How many outcomes a session gets: of so many the last AT_LENGTH, half as many ..."""
MOST_OF_SOMEBODY = 2
"""How many outcomes are told under a name."""


class Stretch(NamedTuple):
    """The outcomes of one scene."""

    scene: Ref | None
    when: str
    outcomes: tuple[Outcome, ...]


class Night(NamedTuple):
    """What is told of one evening."""

    number: int
    title: str
    summary: str
    recap: tuple[KeepersText, ...]
    """What happened, in the keepers' words."""
    stretches: tuple[Stretch, ...]
    """Else the outcomes, scene by scene."""


class Change(NamedTuple):
    """Whom it changed, and how."""

    ref: Ref
    called: str
    """What the page calls them."""
    emblem: Emblem
    lines: tuple[Line, ...]
    """What happened to them."""
    came: tuple[Slip, ...]
    """The words that their card gained, and below those that it lost."""
    went: tuple[Slip, ...]
    words: tuple[str, ...]
    weights: tuple[int, int] | None
    """How much they counted for, and do."""

    @property
    def told(self) -> bool:
        """Whether there is something to tell of them, apart from the words on their card."""
        return bool(self.lines or self.words or self.weights)


class Purse(NamedTuple):
    """What a player had, and has: what it is, the two figures in words, and the difference (0: not known)."""

    player: str
    amounts: tuple[tuple[str, int | str, int | str, int], ...]


class Recap(NamedTuple):
    """What the page shows."""

    since: int
    """The first evening it tells."""
    last: int
    """The last one."""
    untils: tuple[tuple[int, str], ...]
    """The evenings with which it may end, each with the page that does."""
    title: str
    named: str
    """What the only session is called, if it is one."""
    dates: tuple[str, ...]
    minutes: int
    whole: int
    """How many minutes it takes to read the story itself."""
    pills: tuple[tuple[int, str, str], ...]
    """The evenings with which it may begin: (number, words, page)."""
    nights: tuple[Night, ...]
    plate: pictures.Plate | None
    changed: tuple[Change, ...]
    same: int
    """How many are as they were."""
    cards: tuple[Change, ...]
    """The cards that gained or lost words."""
    open: tuple[End, ...]
    more_open: int
    """How much besides is open, and older."""
    purses: tuple[Purse, ...]


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Catch up", TITLE, INDEX)


def pages(volume: Volume) -> Iterator[Draft]:
    """A page for each evening that one may have seen last, and for each that one may want to read up to; the
    first of all is since the last one."""
    sessions = volume.book.sessions
    if not sessions:
        return
    teller = _Teller(volume)
    end = len(sessions) - 1
    for at in range(len(sessions)):
        title = since(sessions, at)
        for until in range(
            max(at, len(sessions) - MOST_SESSION_ENDS) if teller.ends(at) else end, end
        ):
            told = word("site.since_to", since=title, number=sessions[until].number)
            yield _draft(teller.page(at, until), told, teller.recap(at, until))
        recap = teller.recap(at, end)
        if at == end:
            yield Draft(INDEX, TITLE, recap, _fill, through=recap.last)
        yield _draft(teller.page(at, end), title, recap)


def last_night(volume: Volume) -> Night | None:
    """What is told of the last session."""
    sessions = volume.book.sessions
    return (
        _Teller(volume).recap(len(sessions) - 1, len(sessions) - 1).nights[0] if sessions else None
    )


def since(sessions: Sequence[SessionView], at: int) -> str:
    """The question that a page answers: ``Since session 2``."""
    if not at:
        return word("site.since_the_beginning")
    return word("site.since_session", number=sessions[at - 1].number)


def _draft(page: str, title: str, recap: Recap) -> Draft:
    meta = {"search": {"exclude": True}}
    crumbs = ((TITLE, INDEX),)
    return Draft(page, title, recap, _fill, crumbs, through=recap.last, meta=meta)


class _Teller:
    """Tells what happened since an evening."""

    def __init__(self, volume: Volume) -> None:
        self._volume = volume
        self._settled: dict[int, list[Outcome]] = {}
        for one in volume.lives.outcomes:
            self._settled.setdefault(one.session, []).append(one)
        self._held = _purses(volume)
        self._open: dict[int, tuple[tuple[End, ...], int]] = {}
        # Every page tells the evenings of the pages after it again.
        self._nights: dict[tuple[int, int], tuple[Night, int]] = {}
        self._plates = {
            number: [
                block
                for section in chapter.sections
                for block in section.body
                if isinstance(block, pictures.Plate)
            ]
            for number, chapter in volume.chapters.items()
        }

    def ends(self, at: int) -> bool:
        """Whether what is told from an evening on, by its place among them, may end before the last one."""
        return at >= len(self._volume.book.sessions) - MOST_SESSION_ENDS

    def page(self, at: int, until: int) -> str:
        """The page that tells from one evening to another, by their places among them."""
        sessions = self._volume.book.sessions
        since = f"changes/since-{sessions[at].number}"
        return since if until == len(sessions) - 1 else f"{since}-to-{sessions[until].number}"

    def recap(self, at: int, until: int) -> Recap:
        """What happened from one evening to another, by their places among them."""
        volume = self._volume
        sessions = volume.book.sessions
        told, last = sessions[at : until + 1], sessions[until]
        nights, words = zip(
            *(
                self._night(session, len(told), until + 1 - place)
                for place, session in enumerate(told, at)
            ),
            strict=True,
        )
        changed, same = self._changed(sessions[at - 1].number if at else 0, last.number)
        plates = [plate for session in told for plate in self._plates.get(session.number, ())]
        people = [one for one in changed if one.told][:MOST_CHANGED]
        lines = (line.plain() for one in people for line in one.lines)
        read = sum(words) + sum(len(line.split()) for line in lines)
        return Recap(
            told[0].number,
            last.number,
            tuple(self._untils(at)),
            since(sessions, at),
            last.title if len(told) == 1 else "",
            tuple(session.date for session in told if session.date),
            minutes_of(read),
            minutes_of(
                sum(
                    volume.chapters[one.number].words
                    for one in told
                    if one.number in volume.chapters
                )
            ),
            tuple(self._pills(until)),
            nights,
            plates[-1] if plates else None,
            tuple(people),
            same,
            tuple(one for one in changed if one.came or one.went),
            *self._left(last.number),
            self._balances(sessions[at - 1].number if at else 0, last.number),
        )

    def _pills(self, until: int) -> Iterator[tuple[int, str, str]]:
        """Since when it can be told: up to the same end where that comes after it."""
        sessions = self._volume.book.sessions
        last = len(sessions) - 1
        for at, session in enumerate(sessions):
            if at == 0 or at >= len(sessions) - MOST_PILLS:
                before = since(sessions, at)
                end = until if at <= until and self.ends(at) else last
                yield session.number, before, self.page(at, end)

    def _untils(self, at: int) -> Iterator[tuple[int, str]]:
        """Up to which evenings it can be told."""
        sessions = self._volume.book.sessions
        if self.ends(at):
            for until in range(at, len(sessions)):
                yield sessions[until].number, self.page(at, until)

    def _left(self, number: int) -> tuple[tuple[End, ...], int]:
        """What was open at the end of an evening: of much, what came last, and how much there is besides, for
        the page of all of it is one tap away."""
        if number not in self._open:
            last = number == self._volume.book.sessions[-1].number
            left = tuple(ends(self._volume, 0 if last else number))
            latest = sorted(range(len(left)), key=lambda at: left[at].step)[-MOST_OPEN:]
            self._open[number] = tuple(left[at] for at in sorted(latest)), len(left) - len(latest)
        return self._open[number]

    def _night(self, session: SessionView, count: int, back: int) -> tuple[Night, int]:
        """A session, and how many words are told of it: briefly, if many are told and it is one of the
        earlier ones."""
        most = FEW[min((back - 1) // AT_LENGTH, len(FEW) - 1)] if count > 1 else FEW[0] + 4
        told = self._nights.get((session.number, most))
        if told is None:
            recap = self._volume.lives.keepers.recaps.get(session.number, ())
            chosen = [] if recap else _chosen(self._settled.get(session.number, []), most)
            stretches = stretches_of(self._volume, chosen)
            texts = [one.text for one in recap] or [plain_text(one.sentence) for one in chosen]
            # Where there is a recap, the page does not show the summary.
            shown = texts if recap else [session.summary, *texts]
            words = sum(len(text.split()) for text in shown)
            night = Night(session.number, session.title, session.summary, recap, stretches)
            told = self._nights[session.number, most] = night, words
        return told

    def _changed(self, before: int, last: int) -> tuple[tuple[Change, ...], int]:
        """Whom the evenings after one changed, and how many others there are."""
        volume = self._volume
        evenings = volume.book.session_ends
        if before and before not in evenings:
            return (), 0
        then = evenings[before].subjects if before else {}
        now = evenings[last].subjects
        found: list[Change] = []
        same = 0
        for sheet in volume.cast:
            new, old = now.get(sheet.id), then.get(sheet.id)
            if new is None:
                continue
            change = self._change(sheet, old, new, before, last)
            if change is None:
                same += 1
            else:
                found.append(change)
        return (*found, *self._told_of(before, last)), same

    def _change(
        self,
        sheet: Sheet,
        old: SubjectState | None,
        new: SubjectState,
        before: int,
        last: int,
    ) -> Change | None:
        volume = self._volume
        weights = (
            volume.weight(sheet, old, before) if old is not None else 0,
            volume.weight(sheet, new, last),
        )
        if before and old == new and weights[0] == weights[1]:
            return None
        had = {(one.text, one.state): one for one in old.slips} if old is not None else {}
        came = tuple(
            one
            for one in new.slips
            if (one.text, one.state) not in had and one.state not in ("removed", "name", "role")
        )
        # A word that was lost and bought again still holds.
        holds = {one.text for one in new.slips if one.state != "removed"}
        went = tuple(
            one
            for one in new.slips
            if one.state == "removed" and one.text not in holds and (one.text, "removed") not in had
        )
        words: list[str] = []
        if old is None and before:
            words.append(word("site.new_in_story"))
        elif old is not None and new.name != old.name:
            words.append(word("site.name_until_then", name=old.name))
        elif old is not None and new.role != old.role and new.role:
            words.append(word("site.role_now", role=new.role))
        lines = self._lines(sheet, old, new, before, last)
        if not (came or went or words or lines) and before:
            return None
        counted = bool(sheet.weight) and old is not None and weights[0] != weights[1]
        return Change(
            Ref("sheet", sheet.id, new.name),
            called(sheet, new),
            volume.emblem_at(sheet, new, last),
            lines,
            came[-MOST_SLIPS:],
            went[-MOST_SLIPS:],
            tuple(words),
            weights if counted else None,
        )

    def _lines(
        self, sheet: Sheet, old: SubjectState | None, new: SubjectState, before: int, last: int
    ) -> tuple[Line, ...]:
        """What the sessions after one brought somebody: the keepers' sentence, how they went, or the
        weightiest outcomes."""
        lives = self._volume.lives
        told = self._told(sheet.id, before, last)
        if told is not None:
            gone = new.gone or lives.gone(sheet.id, last)
            ending = lives.ending(sheet, gone, last) if gone else None
            head = ending.head if ending is not None and (old is None or not old.gone) else ""
            return (Line(told, steps=told.steps, head=head),)
        if new.gone and (old is None or not old.gone):
            ending = lives.ending(sheet, gone=True, through=last)
            return (ending,) if ending is not None else ()
        mine = lives.life(sheet.id, before, last)
        # Words gained and lost stand with the cards, and who holds the figure is no news of theirs.
        told_here = [one for one in mine if one.kind >= OutcomeKind.LEARNT]
        best = sorted(told_here, key=lambda one: (one.kind, one.step_number))[-MOST_OF_SOMEBODY:]
        return tuple(
            Line(parts=one.sentence, steps=one.steps)
            for one in sorted(best, key=lambda one: one.step_number)
        )

    def _told(self, id: str, before: int, last: int) -> KeepersText | None:
        """The keepers' latest sentence about somebody, of the sessions after one and up to another: how
        they ended up, or else who they are."""
        keepers = self._volume.lives.keepers
        for written in (keepers.endings(id), keepers.descriptions.get(id, ())):
            words = [one for number, one in written if before < number <= last]
            if words:
                return words[-1]
        return None

    def _told_of(self, before: int, last: int) -> Iterator[Change]:
        """The people whom the log only tells of, if the keepers told of them in the sessions after one."""
        lives = self._volume.lives
        for figure in told_of(self._volume, last):
            told = self._told(figure.ref.id, before, last)
            if told is not None:
                head = word("site.gone") if lives.gone(figure.ref.id, last) else ""
                line = Line(told, steps=told.steps, head=head)
                yield Change(figure.ref, figure.called, figure.emblem, (line,), (), (), (), None)

    def _balances(self, before: int, last: int) -> tuple[Purse, ...]:
        """What the players had after an evening, and have."""
        nothing = Purses(0, {})
        then, now = self._held.get(before, nothing), self._held[last]
        tally, kinds = self._volume.tally, self._volume.book.accounts
        found: list[Purse] = []
        for player in self._volume.book.players():
            accounts = {one for one in (*then.held, *now.held) if owner_of(one) == player}
            amounts = tuple(
                (
                    kinds.get(kind_of(account), kind_of(account)),
                    tally.in_words(then.step, account, old),
                    tally.in_words(now.step, account, new),
                    new - old if known else 0,
                )
                for account in sorted(accounts)
                for old, new in ((then.held.get(account, 0), now.held.get(account, 0)),)
                for known in (
                    tally.is_exact(then.step, account) and tally.is_exact(now.step, account),
                )
                if old != new or not known
            )
            if amounts:
                found.append(Purse(player, amounts))
        return tuple(found)


def _chosen(outcomes: Sequence[Outcome], most: int) -> list[Outcome]:
    """The outcomes of a session that there is room for, in order: of each scene the weightiest few."""
    scenes: dict[int | None, list[Outcome]] = {}
    for one in outcomes:
        scenes.setdefault(one.scene, []).append(one)
    room = max(1, min(A_SCENE, most // max(len(scenes), 1)))
    kept: set[int] = set()
    for some in scenes.values():
        # Of two that weigh the same, the later one says better how it ended.
        ranked = sorted(enumerate(some), key=lambda one: (one[1].kind, one[0]), reverse=True)
        weighty = [one for _, one in ranked if one.kind >= OutcomeKind.LEARNT] or [
            one for _, one in ranked[:1]
        ]
        kept.update(id(one) for one in weighty[:room])
    return [one for one in outcomes if id(one) in kept]


class Purses(NamedTuple):
    """What the players held after an entry, by account."""

    step: int
    held: dict[str, int]


def _purses(volume: Volume) -> dict[int, Purses]:
    """What the players held after each evening. Evening 0: to begin with."""
    sessions = volume.book.sessions
    ends = (0, *(one.steps[-1].number if one.steps else 0 for one in sessions))
    found: dict[int, Purses] = {}
    numbers = (0, *(one.number for one in sessions))
    for number, step, held in zip(numbers, ends, volume.tally.held(ends), strict=True):
        now = found[number] = Purses(step, {})
        for (account, _), amount in held.items():
            now.held[account] = now.held.get(account, 0) + amount
    return found


# -- drawing ---------------------------------------------------------------------------------------


def _fill(pen: Pen, recap: Recap) -> dict[str, Any]:
    return {
        "recap": recap,
        "heading": recap.title,
        "evenings": len(recap.nights),
        "dates": [long_date(day) for day in recap.dates],
        "pills": [
            {
                "title": title,
                "url": pen.address(Ref("path", page, "")),
                "here": number == recap.since,
                "number": number,
            }
            for number, title, page in recap.pills
        ],
        "untils": [
            {
                "url": pen.address(Ref("path", page, "")),
                "here": number == recap.last,
                "number": number,
            }
            for number, page in recap.untils
        ],
        "nights": [draw_night(pen, night) for night in recap.nights],
        "whose": whose_nights(recap.nights),
        "whose_people": whose(line for one in recap.changed for line in one.lines),
        "plate": pictures.draw(pen, recap.plate) if recap.plate is not None else "",
        "changed": [_drawn(pen, one) for one in recap.changed],
        "same": recap.same,
        "cards": [_card(pen, one) for one in recap.cards],
        "open": [drawn(pen, one) for one in recap.open],
        "more_open": recap.more_open,
        "all_open": pen.address(Ref("path", "loose-ends", "")),
        "purses": [
            {
                "player": pen.player(one.player),
                "colour": pen.colour(one.player),
                "amounts": one.amounts,
            }
            for one in recap.purses
        ],
        "home": pen.address(Ref("path", "index", "")),
        "read": pen.address(Ref("chapter", str(recap.since), "")),
        "follow": pen.address(Ref("session", str(recap.since), "")),
    }


def whose_nights(nights: Iterable[Night]) -> str:
    """Whose words tell some sessions."""
    by = {"keepers" if one.recap else "record" for one in nights if one.recap or one.stretches}
    return "both" if len(by) > 1 else next(iter(by), "")


def draw_night(pen: Pen, night: Night) -> dict[str, Any]:
    """A session as templates take it."""
    seen: set[str] = set()
    return {
        "recap": Markup("").join(draw_words(pen, one, seen, block=True) for one in night.recap),
        "number": night.number,
        "title": night.title,
        "url": pen.address(Ref("session", str(night.number), "")),
        "summary": pen.prose(night.summary) if night.summary else "",
        "stretches": [_draw_stretch(pen, one) for one in night.stretches],
    }


def _drawn(pen: Pen, change: Change) -> dict[str, Any]:
    return {
        "name": change.called,
        "url": pen.address(change.ref),
        "emblem": pen.draw(change.emblem),
        "lines": [draw_headed(pen, one, change.ref.label) for one in change.lines],
        "words": change.words,
        "weights": change.weights,
    }


def _card(pen: Pen, change: Change) -> dict[str, Any]:
    """A card as the template wants it: the words that it gained, and those that it lost."""
    return {
        "name": change.called,
        "url": pen.address(change.ref),
        "came": [pen.slip(one) for one in change.came],
        "went": [pen.slip(one._replace(state="")) for one in change.went],
    }


def stretches_of(volume: Volume, outcomes: Iterable[Outcome]) -> tuple[Stretch, ...]:
    """Outcomes, scene by scene."""
    found: list[Stretch] = []
    for number, some in groupby(outcomes, key=lambda one: one.scene):
        scene = volume.record.timeline.get(number) if number else None
        link = Ref("scene", str(number), scene.label) if scene is not None else None
        found.append(Stretch(link, scene.when if scene is not None else "", tuple(some)))
    return tuple(found)


def _draw_stretch(pen: Pen, stretch: Stretch) -> dict[str, Any]:
    """A stretch as templates take it."""
    seen: set[str] = set()
    return {
        "scene": pen.text(stretch.scene) if stretch.scene is not None else "",
        "when": stretch.when,
        "session": stretch.outcomes[0].session,
        "text": Markup(" ").join(draw_outcome(pen, one, seen) for one in stretch.outcomes),
    }
