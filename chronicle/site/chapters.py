"""The story of a session as a chapter: its scenes with their texts, in the order of the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from chronicle.core.campaign_view import CampaignView, Ref, SessionView
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.record import Step
from chronicle.core.shared_verbs import Aside, EndSession, Gap
from chronicle.core.stated_figures import Snapshot
from chronicle.core.teller import Teller
from chronicle.core.telling import Piece, TextRole
from chronicle.core.timeline import Scene
from chronicle.site.card_page import SnapshotPage, snapshot_page
from chronicle.site.emblems import Emblem
from chronicle.site.pictures import Plate

WORDS_PER_MINUTE = 220
"""The number of words that a reader reads in a minute."""
MAX_PARAGRAPH_LETTERS = 420
"""A paragraph with this many letters takes no further entry."""
_WORD = re.compile(r"\w+")


def minutes_of(word_count: int) -> int:
    """The minutes that it takes to read a number of words."""
    return -(-word_count // WORDS_PER_MINUTE)


PAID, OBJECTED, DICE = "paid", "objected", "dice"
"""The kinds of marks in the margin: it was paid for, somebody objected, dice decided."""
MARK_KINDS = (PAID, OBJECTED, DICE)


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
    def letter_count(self) -> int:
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
    """Whether the log leaves out the faces of the dice."""


class GapPassage(NamedTuple):
    """Where the record is silent: what the keepers say of it, or nothing."""

    step: int
    words: str


class SceneMember(NamedTuple):
    """Somebody in a scene."""

    ref: Ref
    emblem: Emblem


class Remark(NamedTuple):
    """The talk at the table beside an entry, as Markdown."""

    step: int
    talk_texts: tuple[str, ...]


Passage = Paragraph | Speech | Verdict | GapPassage | SnapshotPage | Plate


@dataclass(frozen=True, slots=True)
class ChapterSection:
    """The part of a scene that one chapter tells. Without a ``scene``, the part before the first scene."""

    scene: int
    title: str
    place: str
    time_text: str
    aside: bool
    """Whether this scene is inside another scene."""
    continues: bool
    """Whether it goes on from further up."""
    cast: tuple[SceneMember, ...]
    body: tuple[Passage, ...]
    talk: tuple[Remark, ...]
    speakers: tuple[str, ...]
    """The players who are heard, or spoken of, in what was said at the table."""
    first_step: int
    """The first step of it that is shown."""

    @property
    def anchor(self) -> str:
        """Its address on the page."""
        if not self.scene:
            return "before"
        return f"scene-{self.scene}" + (f"-from-{self.first_step}" if self.continues else "")

    @property
    def remark_count(self) -> int:
        """How many remarks were made at the table."""
        return sum(len(remark.talk_texts) for remark in self.talk)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one evening told."""

    number: int
    title: str
    date: str
    summary: str
    sections: tuple[ChapterSection, ...]
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
        return sum(section.remark_count for section in self.sections)

    @property
    def marks(self) -> tuple[str, ...]:
        """The kinds of marks that it has."""
        kinds = {mark.kind for entry in self.entries() for mark in entry.marks}
        if any(isinstance(block, Verdict) for section in self.sections for block in section.body):
            kinds.add(DICE)
        return tuple(kind for kind in MARK_KINDS if kind in kinds)


def talk_remarks(teller: Teller, step: Step) -> Iterator[str]:
    """The talk at the table beside an entry, remark by remark (Markdown)."""
    yield from (piece.text for piece in teller.pieces_of(step) if piece.role is TextRole.TALK)
    if isinstance(step.action, EndSession):
        return
    if isinstance(step.action, Aside) and not isinstance(step.action.talk, str):
        for line in step.action.talk:
            yield f"**{line.speaker}:** {line.words}"
        if step.action.note is not None:
            yield str(step.action.note)
    elif step.talk:
        yield step.talk


def people_in_scene(
    view: CampaignView, scene: Scene, find_emblem: Callable[[str], Emblem]
) -> Iterator[SceneMember]:
    """The people in a scene, without objects and places."""
    for id in scene.cast:
        sheet = view.sheet(id)
        if sheet is not None and sheet.shape == "person":
            yield SceneMember(Ref("sheet", sheet.id, sheet.name), find_emblem(sheet.id))


@dataclass
class _OpenSection:
    """A section that is being written."""

    scene: Scene | None
    continues: bool
    first_step: int
    body: list[Passage] = field(default_factory=list)
    talk: list[Remark] = field(default_factory=list)


class ChapterComposer:
    """Writes the chapters of a book.

    Args:
        view: the campaign.
        teller: gives the texts of each entry.
        first_step_of: gives the step with which a scene begins, among those shown.
        find_plates: gives the pictures about a scene or an entry.
        find_emblem: gives the emblem of a sheet.
    """

    def __init__(
        self,
        view: CampaignView,
        teller: Teller,
        first_step_of: Callable[[int], int],
        find_plates: Callable[[str, str], tuple[Plate, ...]],
        find_emblem: Callable[[str], Emblem],
    ) -> None:
        self.view = view
        self.teller = teller
        self.first_step_of = first_step_of
        self.find_plates = find_plates
        self.find_emblem = find_emblem

    def compose_chapter(self, session: SessionView) -> Chapter:
        """The chapter of an evening."""
        return _SessionComposer(self, session).compose()


class _SessionComposer:
    """Writes the chapter of one evening."""

    def __init__(self, composer: ChapterComposer, session: SessionView) -> None:
        self._composer = composer
        self._record = composer.view.record
        self._session = session
        self._anchored_steps: set[int] = set()
        self._waiting_leads: list[str] = []
        """Lead-ins that wait for something to lead to."""
        self._waiting_marks: list[Mark] = []
        """The marks of what waits, and of what was objected to."""
        self._paid_units: dict[str, None] = {}
        self._has_large_text = False
        self._shown_plates: set[str] = set()
        """The pictures already in the chapter. Each appears once, if possible beside its entry."""
        self._players = set(composer.view.players())

    def compose(self) -> Chapter:
        sections = [_OpenSection(None, False, 0)]
        for step in self._session.steps:
            if step.hidden:
                continue
            section = sections[-1]
            if step.scene is not None and (
                section.scene is None or step.scene != section.scene.number
            ):
                self._close_section(section)
                scene = self._record.timeline.get(step.scene)
                continues = self._composer.first_step_of(scene.number) != step.number
                section = _OpenSection(scene, continues, step.number)
                sections.append(section)
            talk_texts = tuple(talk_remarks(self._composer.teller, step))
            if talk_texts and not isinstance(step.action, Gap):
                section.talk.append(Remark(step.number, talk_texts))
            if not step.retracted_by:
                self._add_step(section, step)
        self._close_section(sections[-1])
        session = self._session
        closing = next(
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
            tuple(
                self._finish_section(section)
                for section in sections
                if section.body or section.talk
            ),
            closing,
            tuple(self._paid_units),
        )

    def _finish_section(self, open_section: _OpenSection) -> ChapterSection:
        scene, view = open_section.scene, self._composer.view
        talk_text = " ".join(text for remark in open_section.talk for text in remark.talk_texts)
        speakers = [name for name in view.players() if name in talk_text]
        time_text = ""
        if scene is not None:
            branch = self._record.timeline.branch_of(scene)
            time_text = " · ".join(part for part in (scene.when, branch) if part)
        return ChapterSection(
            scene.number if scene is not None else 0,
            scene.label if scene is not None else "",
            scene.place if scene is not None else "",
            time_text,
            scene is not None and scene.parent is not None,
            open_section.continues,
            tuple(people_in_scene(view, scene, self._composer.find_emblem))
            if scene is not None
            else (),
            (
                *open_section.body,
                *self._take_plates(
                    "scene", scene.number if scene and not open_section.continues else 0
                ),
            ),
            tuple(open_section.talk),
            tuple(speakers),
            open_section.first_step,
        )

    # -- telling -----------------------------------------------------------------------------------

    def _add_step(self, section: _OpenSection, step: Step) -> None:
        action = step.action
        pieces = [
            piece
            for piece in self._composer.teller.pieces_of(step)
            if piece.role is not TextRole.TALK
        ]
        verdict_text = step.contest.verdict if step.contest is not None else ""
        if isinstance(action, Gap):
            self._write_leads(section)
            section.body.append(GapPassage(step.number, str(action.missing or "")))
        elif isinstance(action, Snapshot) and step.number > 1:
            self._write_leads(section)
            section.body.append(GapPassage(step.number, ""))
        if verdict_text and not action.before_result:
            self._add_verdict(section, step, verdict_text)
        if action.objects:
            self._waiting_marks.append(Mark(OBJECTED, step.number))
        if pieces:
            self._add_pieces(section, step, pieces)
        if isinstance(action, Snapshot):
            changed_cards = snapshot_page(self._composer.view, step)
            if changed_cards.cards:
                self._write_leads(section)
                section.body.append(changed_cards)
        if verdict_text and action.before_result:
            self._add_verdict(section, step, verdict_text)
        section.body += self._take_plates("step", step.number)

    def _take_plates(self, subject_kind: str, number: int) -> Iterator[Plate]:
        for plate in self._composer.find_plates(subject_kind, str(number)):
            if plate.file not in self._shown_plates:
                self._shown_plates.add(plate.file)
                yield plate

    def _add_verdict(self, section: _OpenSection, step: Step, verdict_text: str) -> None:
        self._write_leads(section)
        has_unrecorded_dice = step.contest is not None and step.contest.is_unrecorded
        section.body.append(Verdict(step.number, verdict_text, has_unrecorded_dice))

    def _add_pieces(self, section: _OpenSection, step: Step, pieces: list[Piece]) -> None:
        own_marks = self._own_marks(step)
        leads = [piece for piece in pieces if piece.role is TextRole.LEAD]
        if len(leads) == len(pieces):
            for lead in leads:
                self._add_lead(lead.text)
            self._waiting_marks += own_marks
            return
        if step.action.large and not self._has_large_text:
            pieces = self._set_large(section, step, pieces, own_marks)
            own_marks = ()
        text_pieces: list[Piece] = []
        for piece in pieces:
            if piece.role is TextRole.SPOKEN:
                if text_pieces:
                    self._add_text(section, step, text_pieces, own_marks)
                    text_pieces, own_marks = [], ()
                self._add_speech(section, step, piece, own_marks)
                own_marks = ()
            else:
                text_pieces.append(piece)
        if text_pieces:
            self._add_text(section, step, text_pieces, own_marks)

    def _own_marks(self, step: Step) -> tuple[Mark, ...]:
        parent_step = self._record.step(step.parent) if step.parent is not None else None
        if step.action.by_dice or (parent_step is not None and parent_step.action.by_dice):
            return (Mark(DICE, step.number),)
        paid_units = [
            posting.unit
            for posting in self._record.postings(step)
            if owner_of(posting.source) in self._players
            and owner_of(posting.target) not in self._players
            # A shut envelope that its player opens is no price.
            and kind_of(posting.source) != posting.unit
        ]
        self._paid_units.update(dict.fromkeys(paid_units))
        return (Mark(PAID, step.number),) if paid_units else ()

    def _add_lead(self, lead_text: str) -> None:
        """Keep a lead-in until there is something to lead to; what it says again is left out."""
        last_lead = self._waiting_leads[-1] if self._waiting_leads else ""
        if last_lead and lead_text.casefold().startswith(last_lead.casefold()):
            self._waiting_leads[-1] = lead_text
        elif not last_lead.casefold().startswith(lead_text.casefold()) or not last_lead:
            self._waiting_leads.append(lead_text)

    def _take_marks(self, own_marks: Iterable[Mark]) -> tuple[Mark, ...]:
        """All marks that wait, each kind once, and then those of the entry itself."""
        marks_by_kind: dict[str, Mark] = {}
        for mark in (*own_marks, *self._waiting_marks):
            marks_by_kind.setdefault(mark.kind, mark)
        self._waiting_marks.clear()
        return tuple(marks_by_kind[kind] for kind in MARK_KINDS if kind in marks_by_kind)

    def _add_text(
        self, section: _OpenSection, step: Step, told_pieces: list[Piece], own_marks: Iterable[Mark]
    ) -> None:
        has_waiting_leads = bool(self._waiting_leads)
        pieces: list[Piece] = []
        for piece in told_pieces:
            if piece.role is TextRole.LEAD:
                self._add_lead(piece.text)
                continue
            pieces += [Piece(TextRole.LEAD, lead) for lead in self._waiting_leads]
            self._waiting_leads.clear()
            pieces.append(piece)
        if not pieces:
            self._waiting_marks += own_marks
            return
        pieces[:0] = [Piece(TextRole.LEAD, lead) for lead in self._waiting_leads]
        self._waiting_leads.clear()
        begins_with_lead = pieces[0].role is TextRole.LEAD
        entry = Entry(
            step.number, self._first_anchor(step), self._take_marks(own_marks), tuple(pieces)
        )
        last_passage = section.body[-1] if section.body else None
        if (
            begins_with_lead
            and not has_waiting_leads
            and not step.action.objects
            and isinstance(last_passage, Paragraph)
            and not last_passage.large
            and sum(entry_before.letter_count for entry_before in last_passage.entries)
            + entry.letter_count
            < MAX_PARAGRAPH_LETTERS
            and "\n\n" not in last_passage.entries[-1].pieces[-1].text
        ):
            section.body[-1] = Paragraph((*last_passage.entries, entry))
        else:
            section.body.append(Paragraph((entry,)))

    def _add_speech(
        self, section: _OpenSection, step: Step, piece: Piece, own_marks: Iterable[Mark]
    ) -> None:
        last_passage = section.body[-1] if section.body else None
        if (
            isinstance(last_passage, Speech)
            and last_passage.entry.step == step.number
            and not self._waiting_leads
        ):
            pieces = (*last_passage.entry.pieces, piece)
            section.body[-1] = Speech(last_passage.entry._replace(pieces=pieces))
            return
        self._write_leads(section)
        section.body.append(
            Speech(
                Entry(step.number, self._first_anchor(step), self._take_marks(own_marks), (piece,))
            )
        )

    def _set_large(
        self, section: _OpenSection, step: Step, pieces: list[Piece], own_marks: Iterable[Mark]
    ) -> list[Piece]:
        """Set the sentence of an entry large; gives the rest of what it tells."""
        self._has_large_text = True
        chosen_index = next(
            (
                index
                for index, piece in enumerate(pieces)
                if piece.role in (TextRole.SENTENCE, TextRole.PROSE)
            ),
            None,
        )
        if chosen_index is None:
            return pieces
        self._write_leads(section)
        entry = Entry(
            step.number,
            self._first_anchor(step),
            self._take_marks(own_marks),
            (pieces[chosen_index],),
        )
        section.body.append(Paragraph((entry,), large=True))
        return [*pieces[:chosen_index], *pieces[chosen_index + 1 :]]

    def _write_leads(self, section: _OpenSection) -> None:
        """Write lead-ins that no text follows."""
        if not self._waiting_leads:
            return
        leads = tuple(Piece(TextRole.LEAD, lead) for lead in self._waiting_leads)
        self._waiting_leads.clear()
        entry = Entry(section.first_step, "", self._take_marks(()), leads)
        section.body.append(Paragraph((entry,)))

    def _close_section(self, section: _OpenSection) -> None:
        if section.scene is not None and section.body:
            self._write_leads(section)
        self._waiting_leads.clear()
        self._waiting_marks.clear()

    def _first_anchor(self, step: Step) -> str:
        """The anchor of an entry, at its first text only."""
        if step.number in self._anchored_steps:
            return ""
        self._anchored_steps.add(step.number)
        return step.anchor
