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


def reading_minutes_of(word_count: int) -> int:
    """The minutes that it takes to read a number of words."""
    return -(-word_count // WORDS_PER_MINUTE)


PAID, OBJECTED, DICE = "paid", "objected", "dice"
"""The kinds of marks in the margin: it was paid for, somebody objected, dice decided."""
MARK_KINDS = (PAID, OBJECTED, DICE)


class Mark(NamedTuple):
    """A mark in the margin, and the entry it leads to."""

    mark_kind: str
    step_number: int


class ToldEntry(NamedTuple):
    """What one entry of the log tells within a paragraph."""

    step_number: int
    anchor: str
    marks: tuple[Mark, ...]
    text_pieces: tuple[Piece, ...]

    @property
    def letter_count(self) -> int:
        """How long it is."""
        return sum(len(text_piece.text) for text_piece in self.text_pieces)


class Paragraph(NamedTuple):
    """Entries that run on in one paragraph."""

    told_entries: tuple[ToldEntry, ...]
    is_large: bool = False


class Speech(NamedTuple):
    """Lines of dialogue."""

    told_entry: ToldEntry


class Verdict(NamedTuple):
    """What the dice decided, in one line."""

    step_number: int
    verdict_text: str
    is_unrecorded: bool = False
    """Whether the log leaves out the faces of the dice."""


class GapPassage(NamedTuple):
    """Where the record is silent: what the keepers say of it, or nothing."""

    step_number: int
    gap_text: str


class SceneMember(NamedTuple):
    """Somebody in a scene."""

    ref: Ref
    emblem: Emblem


class Remark(NamedTuple):
    """The talk at the table beside an entry, as Markdown."""

    step_number: int
    talk_texts: tuple[str, ...]


Passage = Paragraph | Speech | Verdict | GapPassage | SnapshotPage | Plate


@dataclass(frozen=True, slots=True)
class ChapterSection:
    """The part of a scene that one chapter tells. Without a ``scene``, the part before the first scene."""

    scene_number: int
    title: str
    place: str
    time_text: str
    is_nested: bool
    """Whether this scene is inside another scene."""
    is_continuation: bool
    """Whether it goes on from further up."""
    cast: tuple[SceneMember, ...]
    passages: tuple[Passage, ...]
    remarks: tuple[Remark, ...]
    speakers: tuple[str, ...]
    """The players who are heard, or spoken of, in what was said at the table."""
    first_step_number: int
    """The first step of it that is shown."""

    @property
    def section_anchor(self) -> str:
        """Its address on the page."""
        if not self.scene_number:
            return "before"
        return f"scene-{self.scene_number}" + (
            f"-from-{self.first_step_number}" if self.is_continuation else ""
        )

    @property
    def remark_count(self) -> int:
        """How many remarks were made at the table."""
        return sum(len(remark.talk_texts) for remark in self.remarks)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one evening told."""

    session_number: int
    title: str
    date: str
    summary: str
    sections: tuple[ChapterSection, ...]
    closing: str
    """The last words of the evening."""
    paid_units: tuple[str, ...]
    """What was paid with."""
    word_count: int = field(init=False, compare=False)
    """How many words it has."""

    def __post_init__(self) -> None:
        word_count = sum(
            len(_WORD.findall(text_piece.text))
            for told_entry in self.told_entries()
            for text_piece in told_entry.text_pieces
        )
        object.__setattr__(self, "word_count", word_count)

    def told_entries(self) -> Iterator[ToldEntry]:
        """What its entries tell, in order."""
        for section in self.sections:
            for passage in section.passages:
                if isinstance(passage, Paragraph):
                    yield from passage.told_entries
                elif isinstance(passage, Speech):
                    yield passage.told_entry

    @property
    def reading_minutes(self) -> int:
        """How long it takes to read."""
        return reading_minutes_of(self.word_count)

    @property
    def scene_count(self) -> int:
        """How many scenes it has."""
        return len({section.scene_number for section in self.sections if section.scene_number})

    @property
    def remark_count(self) -> int:
        """How many remarks were made at the table."""
        return sum(section.remark_count for section in self.sections)

    @property
    def mark_kinds(self) -> tuple[str, ...]:
        """The kinds of marks that it has."""
        present_kinds = {
            mark.mark_kind for told_entry in self.told_entries() for mark in told_entry.marks
        }
        if any(
            isinstance(passage, Verdict)
            for section in self.sections
            for passage in section.passages
        ):
            present_kinds.add(DICE)
        return tuple(mark_kind for mark_kind in MARK_KINDS if mark_kind in present_kinds)


def talk_remarks(teller: Teller, step: Step) -> Iterator[str]:
    """The talk at the table beside an entry, remark by remark (Markdown)."""
    yield from (
        text_piece.text for text_piece in teller.pieces_of(step) if text_piece.role is TextRole.TALK
    )
    if isinstance(step.action, EndSession):
        return
    if isinstance(step.action, Aside) and not isinstance(step.action.talk, str):
        for talk_line in step.action.talk:
            yield f"**{talk_line.speaker}:** {talk_line.words}"
        if step.action.note is not None:
            yield str(step.action.note)
    elif step.talk:
        yield step.talk


def people_in_scene(
    view: CampaignView, scene: Scene, find_emblem: Callable[[str], Emblem]
) -> Iterator[SceneMember]:
    """The people in a scene, without objects and places."""
    for sheet_id in scene.cast:
        sheet = view.sheet(sheet_id)
        if sheet is not None and sheet.shape == "person":
            yield SceneMember(Ref("sheet", sheet.id, sheet.name), find_emblem(sheet.id))


@dataclass
class _OpenSection:
    """A section that is being written."""

    scene: Scene | None
    is_continuation: bool
    first_step_number: int
    passages: list[Passage] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


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
        self._waiting_lead_ins: list[str] = []
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
                is_continuation = self._composer.first_step_of(scene.number) != step.number
                section = _OpenSection(scene, is_continuation, step.number)
                sections.append(section)
            talk_texts = tuple(talk_remarks(self._composer.teller, step))
            if talk_texts and not isinstance(step.action, Gap):
                section.remarks.append(Remark(step.number, talk_texts))
            if not step.retracted_by:
                self._add_step(section, step)
        self._close_section(sections[-1])
        session = self._session
        closing_text = next(
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
                if section.passages or section.remarks
            ),
            closing_text,
            tuple(self._paid_units),
        )

    def _finish_section(self, open_section: _OpenSection) -> ChapterSection:
        scene, view = open_section.scene, self._composer.view
        talk_text = " ".join(
            remark_text for remark in open_section.remarks for remark_text in remark.talk_texts
        )
        speakers = [player_name for player_name in view.players() if player_name in talk_text]
        time_text = ""
        if scene is not None:
            branch = self._record.timeline.branch_of(scene)
            time_text = " · ".join(time_part for time_part in (scene.when, branch) if time_part)
        return ChapterSection(
            scene.number if scene is not None else 0,
            scene.label if scene is not None else "",
            scene.place if scene is not None else "",
            time_text,
            scene is not None and scene.parent is not None,
            open_section.is_continuation,
            tuple(people_in_scene(view, scene, self._composer.find_emblem))
            if scene is not None
            else (),
            (
                *open_section.passages,
                *self._take_plates(
                    "scene", scene.number if scene and not open_section.is_continuation else 0
                ),
            ),
            tuple(open_section.remarks),
            tuple(speakers),
            open_section.first_step_number,
        )

    # -- telling -----------------------------------------------------------------------------------

    def _add_step(self, section: _OpenSection, step: Step) -> None:
        action = step.action
        text_pieces = [
            text_piece
            for text_piece in self._composer.teller.pieces_of(step)
            if text_piece.role is not TextRole.TALK
        ]
        verdict_text = step.contest.verdict if step.contest is not None else ""
        if isinstance(action, Gap):
            self._write_lead_ins(section)
            section.passages.append(GapPassage(step.number, str(action.missing or "")))
        elif isinstance(action, Snapshot) and step.number > 1:
            self._write_lead_ins(section)
            section.passages.append(GapPassage(step.number, ""))
        if verdict_text and not action.before_result:
            self._add_verdict(section, step, verdict_text)
        if action.objects:
            self._waiting_marks.append(Mark(OBJECTED, step.number))
        if text_pieces:
            self._add_text_pieces(section, step, text_pieces)
        if isinstance(action, Snapshot):
            cards_page = snapshot_page(self._composer.view, step)
            if cards_page.cards:
                self._write_lead_ins(section)
                section.passages.append(cards_page)
        if verdict_text and action.before_result:
            self._add_verdict(section, step, verdict_text)
        section.passages += self._take_plates("step", step.number)

    def _take_plates(self, subject_kind: str, subject_number: int) -> Iterator[Plate]:
        for plate in self._composer.find_plates(subject_kind, str(subject_number)):
            if plate.path_on_site not in self._shown_plates:
                self._shown_plates.add(plate.path_on_site)
                yield plate

    def _add_verdict(self, section: _OpenSection, step: Step, verdict_text: str) -> None:
        self._write_lead_ins(section)
        has_unrecorded_dice = step.contest is not None and step.contest.is_unrecorded
        section.passages.append(Verdict(step.number, verdict_text, has_unrecorded_dice))

    def _add_text_pieces(self, section: _OpenSection, step: Step, text_pieces: list[Piece]) -> None:
        own_marks = self._own_marks(step)
        lead_ins = [text_piece for text_piece in text_pieces if text_piece.role is TextRole.LEAD]
        if len(lead_ins) == len(text_pieces):
            for lead_in in lead_ins:
                self._add_lead_in(lead_in.text)
            self._waiting_marks += own_marks
            return
        if step.action.large and not self._has_large_text:
            text_pieces = self._add_large_text(section, step, text_pieces, own_marks)
            own_marks = ()
        running_pieces: list[Piece] = []
        for text_piece in text_pieces:
            if text_piece.role is TextRole.SPOKEN:
                if running_pieces:
                    self._add_text(section, step, running_pieces, own_marks)
                    running_pieces, own_marks = [], ()
                self._add_speech(section, step, text_piece, own_marks)
                own_marks = ()
            else:
                running_pieces.append(text_piece)
        if running_pieces:
            self._add_text(section, step, running_pieces, own_marks)

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

    def _add_lead_in(self, lead_text: str) -> None:
        """Keep a lead-in until there is something to lead to; what it says again is left out."""
        last_lead = self._waiting_lead_ins[-1] if self._waiting_lead_ins else ""
        if last_lead and lead_text.casefold().startswith(last_lead.casefold()):
            self._waiting_lead_ins[-1] = lead_text
        elif not last_lead.casefold().startswith(lead_text.casefold()) or not last_lead:
            self._waiting_lead_ins.append(lead_text)

    def _take_marks(self, own_marks: Iterable[Mark]) -> tuple[Mark, ...]:
        """All marks that wait, each kind once, and then those of the entry itself."""
        marks_by_kind: dict[str, Mark] = {}
        for mark in (*own_marks, *self._waiting_marks):
            marks_by_kind.setdefault(mark.mark_kind, mark)
        self._waiting_marks.clear()
        return tuple(
            marks_by_kind[mark_kind] for mark_kind in MARK_KINDS if mark_kind in marks_by_kind
        )

    def _add_text(
        self, section: _OpenSection, step: Step, told_pieces: list[Piece], own_marks: Iterable[Mark]
    ) -> None:
        has_waiting_leads = bool(self._waiting_lead_ins)
        text_pieces: list[Piece] = []
        for text_piece in told_pieces:
            if text_piece.role is TextRole.LEAD:
                self._add_lead_in(text_piece.text)
                continue
            text_pieces += [Piece(TextRole.LEAD, lead_in) for lead_in in self._waiting_lead_ins]
            self._waiting_lead_ins.clear()
            text_pieces.append(text_piece)
        if not text_pieces:
            self._waiting_marks += own_marks
            return
        text_pieces[:0] = [Piece(TextRole.LEAD, lead_in) for lead_in in self._waiting_lead_ins]
        self._waiting_lead_ins.clear()
        begins_with_lead = text_pieces[0].role is TextRole.LEAD
        told_entry = ToldEntry(
            step.number, self._first_anchor(step), self._take_marks(own_marks), tuple(text_pieces)
        )
        last_passage = section.passages[-1] if section.passages else None
        if (
            begins_with_lead
            and not has_waiting_leads
            and not step.action.objects
            and isinstance(last_passage, Paragraph)
            and not last_passage.is_large
            and sum(entry_before.letter_count for entry_before in last_passage.told_entries)
            + told_entry.letter_count
            < MAX_PARAGRAPH_LETTERS
            and "\n\n" not in last_passage.told_entries[-1].text_pieces[-1].text
        ):
            section.passages[-1] = Paragraph((*last_passage.told_entries, told_entry))
        else:
            section.passages.append(Paragraph((told_entry,)))

    def _add_speech(
        self, section: _OpenSection, step: Step, text_piece: Piece, own_marks: Iterable[Mark]
    ) -> None:
        last_passage = section.passages[-1] if section.passages else None
        if (
            isinstance(last_passage, Speech)
            and last_passage.told_entry.step_number == step.number
            and not self._waiting_lead_ins
        ):
            text_pieces = (*last_passage.told_entry.text_pieces, text_piece)
            section.passages[-1] = Speech(last_passage.told_entry._replace(text_pieces=text_pieces))
            return
        self._write_lead_ins(section)
        section.passages.append(
            Speech(
                ToldEntry(
                    step.number,
                    self._first_anchor(step),
                    self._take_marks(own_marks),
                    (text_piece,),
                )
            )
        )

    def _add_large_text(
        self, section: _OpenSection, step: Step, text_pieces: list[Piece], own_marks: Iterable[Mark]
    ) -> list[Piece]:
        """Set the sentence of an entry large; gives the rest of what it tells."""
        self._has_large_text = True
        large_text_index = next(
            (
                text_index
                for text_index, text_piece in enumerate(text_pieces)
                if text_piece.role in (TextRole.SENTENCE, TextRole.PROSE)
            ),
            None,
        )
        if large_text_index is None:
            return text_pieces
        self._write_lead_ins(section)
        told_entry = ToldEntry(
            step.number,
            self._first_anchor(step),
            self._take_marks(own_marks),
            (text_pieces[large_text_index],),
        )
        section.passages.append(Paragraph((told_entry,), is_large=True))
        return [*text_pieces[:large_text_index], *text_pieces[large_text_index + 1 :]]

    def _write_lead_ins(self, section: _OpenSection) -> None:
        """Write lead-ins that no text follows."""
        if not self._waiting_lead_ins:
            return
        lead_ins = tuple(Piece(TextRole.LEAD, lead_in) for lead_in in self._waiting_lead_ins)
        self._waiting_lead_ins.clear()
        told_entry = ToldEntry(section.first_step_number, "", self._take_marks(()), lead_ins)
        section.passages.append(Paragraph((told_entry,)))

    def _close_section(self, section: _OpenSection) -> None:
        if section.scene is not None and section.passages:
            self._write_lead_ins(section)
        self._waiting_lead_ins.clear()
        self._waiting_marks.clear()

    def _first_anchor(self, step: Step) -> str:
        """The anchor of an entry, at its first text only."""
        if step.number in self._anchored_steps:
            return ""
        self._anchored_steps.add(step.number)
        return step.anchor
