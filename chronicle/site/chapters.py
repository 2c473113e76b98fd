"""The story of an evening as a chapter: its scenes, and in them what was told, in the order in which the
table told it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from chronicle.core.book import Book, Ref, SessionView
from chronicle.core.ledger import owner_of
from chronicle.core.record import Step
from chronicle.core.shared_verbs import Aside, EndSession, Gap
from chronicle.core.stated_figures import Snapshot
from chronicle.core.teller import Teller
from chronicle.core.telling import Piece, TextRole
from chronicle.core.timeline import Scene
from chronicle.site.card_page import CardPage, card_page
from chronicle.site.emblems import Emblem
from chronicle.site.pictures import Plate

PACE = 220
"""How many words somebody reads in a minute."""
RUN_IN = 420
"""A paragraph of so many letters is long enough: nothing more is run into it."""
_WORD = re.compile(r"\w+")


def minutes_of(words: int) -> int:
    """How many minutes so many words take."""
    return -(-words // PACE)


PAID, OBJECTED, DICE = "paid", "objected", "dice"
"""What a mark in the margin says: something was paid for it, somebody objected, dice decided."""
KINDS = (PAID, OBJECTED, DICE)


class Mark(NamedTuple):
    """A mark in the margin, and the entry it leads to."""

    kind: str
    step: int


class Entry(NamedTuple):
    """What one entry of the log tells within a paragraph."""

    step: int
    anchor: str
    marks: tuple[Mark, ...]
    pieces: tuple[Piece, ...]

    @property
    def letters(self) -> int:
        """How long it is."""
        return sum(len(piece.text) for piece in self.pieces)


class Paragraph(NamedTuple):
    """Entries that run on in one paragraph."""

    entries: tuple[Entry, ...]
    large: bool = False


class Speech(NamedTuple):
    """Lines of dialogue."""

    entry: Entry


class Verdict(NamedTuple):
    """What the dice decided, in one line."""

    step: int
    words: str
    unrecorded: bool = False
    """Whether nobody wrote down what they showed."""


class Silence(NamedTuple):
    """Where the record is silent: what the keepers say of it, or nothing."""

    step: int
    words: str


class Member(NamedTuple):
    """Somebody in a scene."""

    ref: Ref
    emblem: Emblem


class Remark(NamedTuple):
    """What was said at the table beside an entry, as Markdown."""

    step: int
    texts: tuple[str, ...]


Passage = Paragraph | Speech | Verdict | Silence | CardPage | Plate


@dataclass(frozen=True, slots=True)
class Section:
    """A scene, as far as one chapter tells it. Without a ``scene`` it is what came before the first."""

    scene: int
    title: str
    place: str
    time: str
    aside: bool
    """Whether it is told within another one."""
    again: bool
    """Whether it goes on from further up."""
    cast: tuple[Member, ...]
    body: tuple[Passage, ...]
    talk: tuple[Remark, ...]
    speakers: tuple[str, ...]
    """The players who are heard, or spoken of, in what was said at the table."""
    first: int
    """The first step of it that is shown."""

    @property
    def anchor(self) -> str:
        """Its address on the page."""
        if not self.scene:
            return "before"
        return f"scene-{self.scene}" + (f"-from-{self.first}" if self.again else "")

    @property
    def remarks(self) -> int:
        """How many remarks were made at the table."""
        return sum(len(remark.texts) for remark in self.talk)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one evening told."""

    number: int
    title: str
    date: str
    summary: str
    sections: tuple[Section, ...]
    closing: str
    """The last words of the evening."""
    units: tuple[str, ...]
    """What was paid with."""
    words: int = field(init=False, compare=False)
    """How many words it has."""

    def __post_init__(self) -> None:
        count = sum(
            len(_WORD.findall(piece.text)) for entry in self.entries() for piece in entry.pieces
        )
        object.__setattr__(self, "words", count)

    def entries(self) -> Iterator[Entry]:
        """What its entries tell, in order."""
        for section in self.sections:
            for block in section.body:
                if isinstance(block, Paragraph):
                    yield from block.entries
                elif isinstance(block, Speech):
                    yield block.entry

    @property
    def minutes(self) -> int:
        """How long it takes to read."""
        return minutes_of(self.words)

    @property
    def scenes(self) -> int:
        """How many scenes it has."""
        return len({section.scene for section in self.sections if section.scene})

    @property
    def remarks(self) -> int:
        """How many remarks were made at the table."""
        return sum(section.remarks for section in self.sections)

    @property
    def marks(self) -> tuple[str, ...]:
        """The kinds of marks that it has."""
        found = {mark.kind for entry in self.entries() for mark in entry.marks}
        if any(isinstance(block, Verdict) for one in self.sections for block in one.body):
            found.add(DICE)
        return tuple(kind for kind in KINDS if kind in found)


def at_table(teller: Teller, step: Step) -> Iterator[str]:
    """What was said at the table beside an entry, remark by remark (Markdown)."""
    yield from (piece.text for piece in teller.pieces_of(step) if piece.told is TextRole.TALK)
    if isinstance(step.action, EndSession):
        return
    if isinstance(step.action, Aside) and not isinstance(step.action.talk, str):
        for line in step.action.talk:
            yield f"**{line.speaker}:** {line.words}"
        if step.action.note is not None:
            yield str(step.action.note)
    elif step.talk:
        yield step.talk


def members(book: Book, scene: Scene, emblem: Callable[[str], Emblem]) -> Iterator[Member]:
    """Who is in a scene: people, and no things and places."""
    for id in scene.cast:
        sheet = book.sheet(id)
        if sheet is not None and sheet.shape == "person":
            yield Member(Ref("sheet", sheet.id, sheet.name), emblem(sheet.id))


@dataclass
class _Open:
    """A section that is being written."""

    scene: Scene | None
    again: bool
    first: int
    body: list[Passage] = field(default_factory=list)
    talk: list[Remark] = field(default_factory=list)


class Composer:
    """Writes the chapters of a book.

    Args:
        book: what happened.
        teller: says what each entry tells.
        opens: gives the step that a scene begins with, as far as it is shown.
        plates: gives the pictures about a scene or an entry.
        emblem: gives the emblem of a sheet.
    """

    def __init__(
        self,
        book: Book,
        teller: Teller,
        opens: Callable[[int], int],
        plates: Callable[[str, str], tuple[Plate, ...]],
        emblem: Callable[[str], Emblem],
    ) -> None:
        self.book = book
        self.teller = teller
        self.opens = opens
        self.plates = plates
        self.emblem = emblem

    def chapter(self, session: SessionView) -> Chapter:
        """The chapter of an evening."""
        return _Evening(self, session).compose()


class _Evening:
    """Writes the chapter of one evening."""

    def __init__(self, composer: Composer, session: SessionView) -> None:
        self._composer = composer
        self._record = composer.book.record
        self._session = session
        self._seen: set[int] = set()
        self._leads: list[str] = []
        """Lead-ins that wait for something to lead to."""
        self._marks: list[Mark] = []
        """The marks of what waits, and of what was objected to."""
        self._units: dict[str, None] = {}
        self._large = False
        self._hung: set[str] = set()
        """The pictures that stand in it: each once, beside an entry rather than at the end of a scene."""
        self._players = set(composer.book.players())

    def compose(self) -> Chapter:
        done = [_Open(None, False, 0)]
        for step in self._session.steps:
            if step.hidden:
                continue
            here = done[-1]
            if step.scene is not None and (here.scene is None or step.scene != here.scene.number):
                self._settle(here)
                scene = self._record.timeline.get(step.scene)
                again = self._composer.opens(scene.number) != step.number
                here = _Open(scene, again, step.number)
                done.append(here)
            texts = tuple(at_table(self._composer.teller, step))
            if texts and not isinstance(step.action, Gap):
                here.talk.append(Remark(step.number, texts))
            if not step.retracted_by:
                self._tell(here, step)
        self._settle(done[-1])
        session = self._session
        words = next(
            (
                str(step.action.words)
                for step in reversed(session.steps)
                if isinstance(step.action, EndSession) and step.action.words and not step.hidden
            ),
            "",
        )
        return Chapter(
            session.number,
            session.title,
            session.date,
            session.summary,
            tuple(self._section(one) for one in done if one.body or one.talk),
            words,
            tuple(self._units),
        )

    def _section(self, made: _Open) -> Section:
        scene, book = made.scene, self._composer.book
        said = " ".join(text for remark in made.talk for text in remark.texts)
        speakers = [name for name in book.players() if name in said]
        when = ""
        if scene is not None:
            branch = self._record.timeline.branch_of(scene)
            when = " · ".join(part for part in (scene.when, branch) if part)
        return Section(
            scene.number if scene is not None else 0,
            scene.label if scene is not None else "",
            scene.place if scene is not None else "",
            when,
            scene is not None and scene.parent is not None,
            made.again,
            tuple(members(book, scene, self._composer.emblem)) if scene is not None else (),
            (*made.body, *self._hang("scene", scene.number if scene and not made.again else 0)),
            tuple(made.talk),
            tuple(speakers),
            made.first,
        )

    # -- telling -----------------------------------------------------------------------------------

    def _tell(self, here: _Open, step: Step) -> None:
        action = step.action
        told = [
            one for one in self._composer.teller.pieces_of(step) if one.told is not TextRole.TALK
        ]
        verdict = step.contest.verdict if step.contest is not None else ""
        if isinstance(action, Gap):
            self._flush(here)
            here.body.append(Silence(step.number, str(action.missing or "")))
        elif isinstance(action, Snapshot) and step.number > 1:
            self._flush(here)
            here.body.append(Silence(step.number, ""))
        if verdict and not action.before_result:
            self._rule_off(here, step, verdict)
        if action.objects:
            self._marks.append(Mark(OBJECTED, step.number))
        if told:
            self._place(here, step, told)
        if isinstance(action, Snapshot):
            page = card_page(self._composer.book, step)
            if page.cards:
                self._flush(here)
                here.body.append(page)
        if verdict and action.before_result:
            self._rule_off(here, step, verdict)
        here.body += self._hang("step", step.number)

    def _hang(self, kind: str, number: int) -> Iterator[Plate]:
        for plate in self._composer.plates(kind, str(number)):
            if plate.file not in self._hung:
                self._hung.add(plate.file)
                yield plate

    def _rule_off(self, here: _Open, step: Step, verdict: str) -> None:
        self._flush(here)
        unrecorded = step.contest is not None and step.contest.unrecorded
        here.body.append(Verdict(step.number, verdict, unrecorded))

    def _place(self, here: _Open, step: Step, told: list[Piece]) -> None:
        own = self._own_marks(step)
        leads = [one for one in told if one.told is TextRole.LEAD]
        if len(leads) == len(told):
            for lead in leads:
                self._lead(lead.text)
            self._marks += own
            return
        if step.action.large and not self._large:
            told = self._set_large(here, step, told, own)
            own = ()
        text: list[Piece] = []
        for piece in told:
            if piece.told is TextRole.SPOKEN:
                if text:
                    self._run(here, step, text, own)
                    text, own = [], ()
                self._say(here, step, piece, own)
                own = ()
            else:
                text.append(piece)
        if text:
            self._run(here, step, text, own)

    def _own_marks(self, step: Step) -> tuple[Mark, ...]:
        parent = self._record.step(step.parent) if step.parent is not None else None
        if step.action.by_dice or (parent is not None and parent.action.by_dice):
            return (Mark(DICE, step.number),)
        paid = [
            posting.unit
            for posting in self._record.postings(step)
            if owner_of(posting.source) in self._players
            and owner_of(posting.target) not in self._players
        ]
        self._units.update(dict.fromkeys(paid))
        return (Mark(PAID, step.number),) if paid else ()

    def _lead(self, text: str) -> None:
        """Keep a lead-in until there is something to lead to; what it says again is left out."""
        last = self._leads[-1] if self._leads else ""
        if last and text.casefold().startswith(last.casefold()):
            self._leads[-1] = text
        elif not last.casefold().startswith(text.casefold()) or not last:
            self._leads.append(text)

    def _take(self, own: Iterable[Mark]) -> tuple[Mark, ...]:
        """All marks that wait, each kind once, and then those of the entry itself."""
        kinds: dict[str, Mark] = {}
        for mark in (*own, *self._marks):
            kinds.setdefault(mark.kind, mark)
        self._marks.clear()
        return tuple(kinds[kind] for kind in KINDS if kind in kinds)

    def _run(self, here: _Open, step: Step, told: list[Piece], own: Iterable[Mark]) -> None:
        waited = bool(self._leads)
        pieces: list[Piece] = []
        for piece in told:
            if piece.told is TextRole.LEAD:
                self._lead(piece.text)
                continue
            pieces += [Piece(TextRole.LEAD, lead) for lead in self._leads]
            self._leads.clear()
            pieces.append(piece)
        if not pieces:
            self._marks += own
            return
        pieces[:0] = [Piece(TextRole.LEAD, lead) for lead in self._leads]
        self._leads.clear()
        leads = pieces[0].told is TextRole.LEAD
        entry = Entry(step.number, self._anchor(step), self._take(own), tuple(pieces))
        last = here.body[-1] if here.body else None
        if (
            leads
            and not waited
            and not step.action.objects
            and isinstance(last, Paragraph)
            and not last.large
            and sum(one.letters for one in last.entries) + entry.letters < RUN_IN
            and "\n\n" not in last.entries[-1].pieces[-1].text
        ):
            here.body[-1] = Paragraph((*last.entries, entry))
        else:
            here.body.append(Paragraph((entry,)))

    def _say(self, here: _Open, step: Step, piece: Piece, own: Iterable[Mark]) -> None:
        last = here.body[-1] if here.body else None
        if isinstance(last, Speech) and last.entry.step == step.number and not self._leads:
            pieces = (*last.entry.pieces, piece)
            here.body[-1] = Speech(last.entry._replace(pieces=pieces))
            return
        self._flush(here)
        here.body.append(Speech(Entry(step.number, self._anchor(step), self._take(own), (piece,))))

    def _set_large(
        self, here: _Open, step: Step, told: list[Piece], own: Iterable[Mark]
    ) -> list[Piece]:
        """Set the sentence of an entry large; gives the rest of what it tells."""
        self._large = True
        chosen = next(
            (n for n, one in enumerate(told) if one.told in (TextRole.SENTENCE, TextRole.PROSE)),
            None,
        )
        if chosen is None:
            return told
        self._flush(here)
        entry = Entry(step.number, self._anchor(step), self._take(own), (told[chosen],))
        here.body.append(Paragraph((entry,), large=True))
        return [*told[:chosen], *told[chosen + 1 :]]

    def _flush(self, here: _Open) -> None:
        """Let lead-ins stand that lead to nothing."""
        if not self._leads:
            return
        leads = tuple(Piece(TextRole.LEAD, lead) for lead in self._leads)
        self._leads.clear()
        entry = Entry(here.first, "", self._take(()), leads)
        here.body.append(Paragraph((entry,)))

    def _settle(self, here: _Open) -> None:
        if here.scene is not None and here.body:
            self._flush(here)
        self._leads.clear()
        self._marks.clear()

    def _anchor(self, step: Step) -> str:
        """The anchor of an entry, where it is told first."""
        if step.number in self._seen:
            return ""
        self._seen.add(step.number)
        return step.anchor
