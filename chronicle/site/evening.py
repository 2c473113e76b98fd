"""A session entry by entry: the text column, the notes beside it, and the thin separating lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chronicle.core.campaign_view import Block, SessionView
from chronicle.core.diagnostic import listed
from chronicle.core.gaps import SOMEBODY, UNCERTAIN_STATES
from chronicle.core.names import Named
from chronicle.core.record import BidRanking, Contest, Event, Step, Weighing
from chronicle.core.sentences import with_capital
from chronicle.core.shared_verbs import Gap
from chronicle.core.stated_figures import Snapshot
from chronicle.core.telling import Piece, TextRole
from chronicle.core.timeline import Scene
from chronicle.site import margin
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.card_page import SnapshotPage, snapshot_page
from chronicle.site.chapters import SceneMember, people_in_scene
from chronicle.site.findings import ShownProblem
from chronicle.site.margin import NotePlace
from chronicle.site.notes import DiceWinnings, MarginNote, MarginNotes
from chronicle.site.pictures import Plate
from chronicle.site.works import Work
from chronicle.words import word

FOLD_FROM_LETTERS = 280
"""Notes of more letters that find no room in the margin are folded."""
HAIRLINE_HEIGHT = 24
"""How high a hairline is, in pixels."""
PLATE_HEIGHT = 320
"""How high a picture between the entries is, in pixels."""


class EntryBar(NamedTuple):
    """An entry in the picture of the evening."""

    player: str
    bar_kind: str
    """``throw``, ``quiet`` (without an actor, or only a new turn) or empty."""


class SceneHead(NamedTuple):
    """The head of a scene: above its first entry, or above the entry that continues it."""

    scene_number: int
    title: str
    place: str
    time_text: str
    is_first: bool
    first_and_last_step: tuple[int, int]
    labelled_marks: tuple[tuple[str, str], ...]
    bid_ranking: BidRanking | None
    bid_note: MarginNote | None
    works: tuple[Work, ...]
    cast: tuple[SceneMember, ...] = ()
    """The people in it, if its head has no bid."""


class Turn(NamedTuple):
    """Another person acts from here on. ``last_turn_note`` is that of the entry that ended the last turn."""

    player: str
    speaker: str
    last_turn_note: MarginNote | None


class TextEntry(NamedTuple):
    """An entry with words of its own, and the notes beside it."""

    step_number: int
    anchor: str
    former_anchor: str
    player: str
    text_pieces: tuple[Piece, ...]
    speakers: tuple[str, ...]
    """Whose the speakers of its lines are."""
    talk_texts: tuple[str, ...]
    is_retracted: bool
    is_nested: bool
    is_large: bool
    margin_notes: tuple[MarginNote, ...]
    notes_below: tuple[MarginNote, ...]
    plates: tuple[Plate, ...]


class RecordGap(NamedTuple):
    """A place where the record is silent, or has only a snapshot."""

    step_number: int
    anchor: str
    former_anchor: str
    title: str
    gap_text: str
    """What the keepers say of it (Markdown)."""
    unknown_text: str
    cards_page: SnapshotPage | None = None
    """What a snapshot found otherwise than the record said."""


class WordlessEntries(NamedTuple):
    """Entries without words, in one line."""

    margin_notes: tuple[MarginNote, ...]
    summary_line: str


class Throw(NamedTuple):
    """Dice that fell, what they led to, and what was bought with it."""

    step_number: int
    contest: Contest
    winnings: tuple[DiceWinnings, ...]
    effects: tuple[Event, ...]
    """What else it led to."""
    anchors: tuple[str, ...] = ()
    """The addresses of entries that it tells of and nothing else does, its own first."""


class Dispute(NamedTuple):
    """An objection, weighed."""

    step_number: int
    weighing: Weighing


class HiddenEntry(NamedTuple):
    """An entry that is kept secret: that it is there, and nothing else."""

    step_number: int
    anchor: str
    former_anchor: str


class EntryProblems(NamedTuple):
    """What the check has to say of an entry."""

    step_number: int
    problems: tuple[ShownProblem, ...]


class PurseChange(NamedTuple):
    """How a purse changed over a scene."""

    owner_name: str
    player: str
    start_amount: int
    amount_before_income: int
    """The amount in it before everybody received something at the end."""
    end_amount: int
    start_in_words: int | str
    """Its amount at the start, in words, as it can be unknown."""
    end_in_words: int | str
    """Its amount at the end, in words."""
    is_known: bool
    """Whether the amount at the end is known, or at least an upper bound of it."""


class SceneEnd(NamedTuple):
    """The end of a scene: the purses, and how everything stood."""

    scene_number: int
    title: str
    purses: tuple[PurseChange, ...]
    purse_name: str
    end_blocks: tuple[Block, ...]


SessionRow = (
    SceneHead
    | Turn
    | TextEntry
    | RecordGap
    | WordlessEntries
    | Throw
    | Dispute
    | HiddenEntry
    | EntryProblems
    | SceneEnd
)


def entry_bars(campaign_site: CampaignSite, session: SessionView) -> tuple[EntryBar, ...]:
    """The picture of an evening: a bar an entry."""
    return tuple(_bars_of_steps(session))


def _bars_of_steps(session: SessionView) -> Iterator[EntryBar]:
    for step in session.steps:
        contest = None if step.hidden else step.contest
        is_quiet = step.hidden or step.action.quiet or not step.player or step.retracted_by
        bar_kind = "throw" if contest is not None else "quiet" if is_quiet else ""
        player = "" if step.hidden else step.player
        if contest is not None and not player:
            # Dice that everybody rolls belong to the people who received them.
            player = next((side.player for side in contest.sides if side.won), "")
        yield EntryBar(player, bar_kind)


def session_rows(campaign_site: CampaignSite, session: SessionView) -> list[SessionRow]:
    """Everything that the page of an evening shows, from the top."""
    return _SessionRows(campaign_site, session).compose_rows()


class _SessionRows:
    def __init__(self, campaign_site: CampaignSite, session: SessionView) -> None:
        self._campaign_site = campaign_site
        self._record = campaign_site.record
        self._session = session
        self._margin_notes = MarginNotes(campaign_site)
        self._finished_rows: list[SessionRow] = []
        self._pending_rows: list[
            tuple[TextEntry | Turn | WordlessEntries, list[MarginNote], list[MarginNote], int]
        ] = []
        """The rows between two rows of full page width: (row, notes that waited for it, its own notes,
        further pixels)."""
        self._waiting_notes: list[MarginNote] = []
        self._quiet_notes: list[MarginNote] = []
        self._acting_player = ""
        self._bid_for_next_scene: tuple[BidRanking, MarginNote] | None = None
        self._card_texts: set[str] = set()
        """What the card of the last throw says, line by line."""
        self._next_throw_titles: dict[int, str] = {}
        """What the card of the next throw is called, by entry."""
        next_throw_title = ""
        for step in reversed(session.steps):
            if step.contest is not None and not step.hidden:
                next_throw_title = step.contest.title
            self._next_throw_titles[step.number] = next_throw_title
        self._used_anchors = {step.anchor for step in session.steps}

    def compose_rows(self) -> list[SessionRow]:
        scene_number: int | None = None
        steps = self._session.steps
        for step_index, step in enumerate(steps):
            if step.hidden:
                self._add_wide_row(
                    HiddenEntry(step.number, step.anchor, self._take_former_anchor(step))
                )
                continue
            if step.scene is not None and step.scene != scene_number:
                scene_number = step.scene
                self._open_scene(step, step_index)
            self._add_entry(step)
            for ended_scene in self._scenes_ended_by(step):
                self._add_wide_row(self._scene_end(ended_scene))
        self._place_notes()
        return self._finished_rows

    # -- entries -----------------------------------------------------------------------------------

    def _add_entry(self, step: Step) -> None:
        if isinstance(step.action, Gap):
            self._add_wide_row(self._gap_row(step, step.action))
            self._add_problems(step)
            return
        all_pieces = [
            text_piece
            for text_piece in self._campaign_site.teller.pieces_of(step)
            if text_piece.role is not TextRole.LEAD
        ]
        talk_texts = tuple(self._campaign_site.remarks(step))
        text_pieces = tuple(
            text_piece for text_piece in all_pieces if text_piece.role is not TextRole.TALK
        )
        plates = self._campaign_site.plates_about("step", str(step.number))
        if isinstance(step.action, Snapshot):
            self._add_wide_row(
                self._snapshot_row(step, takes_anchor=not (text_pieces or talk_texts or plates))
            )
        if step.bid_ranking is not None and not text_pieces:
            self._bid_for_next_scene = (
                step.bid_ranking,
                self._note_of_step(step, with_anchor=not talk_texts),
            )
            if talk_texts:
                self._add_text_entry(step, text_pieces, talk_texts, plates, [])
            self._add_problems(step)
            return
        if text_pieces or talk_texts or plates:
            if not text_pieces or any(
                text_piece.role is not TextRole.SPOKEN for text_piece in text_pieces
            ):
                self._begin_turn_if_new(step)
            own_note = self._note_of_step(step)
            # The card of a throw and the page of a snapshot show their effects.
            has_card = step.contest is not None or isinstance(step.action, Snapshot)
            own_notes = [own_note] if self._has_more_to_say(own_note) and not has_card else []
            self._add_text_entry(step, text_pieces, talk_texts, plates, own_notes)
        elif step.contest is None and not isinstance(step.action, Snapshot):
            margin_note = self._note_of_step(step, with_anchor=True)
            if self._is_on_card(margin_note, step):
                pass
            elif step.action.quiet:
                self._quiet_notes.append(margin_note)
            else:
                self._begin_turn_if_new(step)
                self._waiting_notes.append(margin_note)
        self._add_problems(step)
        if step.weighing is not None:
            self._add_wide_row(Dispute(step.number, step.weighing))
        if step.contest is not None:
            self._add_throw(
                step, step.contest, takes_anchor=not (text_pieces or talk_texts or plates)
            )

    def _gap_row(self, step: Step, action: Gap) -> RecordGap:
        uncertain_states = listed(
            [UNCERTAIN_STATES[uncertain_state] for uncertain_state in action.uncertain]
        )
        unknown_text = (
            word("site.hole_unknown", what=uncertain_states)
            if uncertain_states
            else word("site.hole_all")
        )
        gap_title = word("site.silence")
        return RecordGap(
            step.number,
            step.anchor,
            self._take_former_anchor(step),
            gap_title,
            step.talk,
            unknown_text,
        )

    def _snapshot_row(self, step: Step, *, takes_anchor: bool) -> RecordGap:
        cards_page = snapshot_page(self._campaign_site.view, step)
        anchors = (step.anchor, self._take_former_anchor(step)) if takes_anchor else ("", "")
        return RecordGap(step.number, *anchors, "", "", word("site.hole_snapshot"), cards_page)

    def _add_throw(self, step: Step, contest: Contest, *, takes_anchor: bool) -> None:
        effects = self._margin_notes.effects_of_throw(step, contest)
        anchors = (step.anchor, self._take_former_anchor(step)) if takes_anchor else ()
        if takes_anchor:
            self._begin_turn_if_new(step)
        winnings = tuple(self._margin_notes.winnings_of_throw(step))
        self._add_wide_row(
            Throw(step.number, contest, winnings, tuple(effects), tuple(filter(None, anchors)))
        )
        self._card_texts = {
            card_text.casefold()
            for card_text in (*contest.outcome, *(event.text for event in effects))
        }

    def _is_on_card(self, margin_note: MarginNote, step: Step) -> bool:
        """Whether the card of a throw right before it says all that an entry has to say."""
        last_row = (
            self._finished_rows[-1]
            if self._finished_rows and not self._pending_rows and not self._waiting_notes
            else None
        )
        if not isinstance(last_row, Throw) or step.diagnostics:
            return False
        if not step.action.by_dice and self._has_more_to_say(
            margin_note._replace(further_rule_ids=())
        ):
            return False
        anchors = tuple(filter(None, (margin_note.anchor, margin_note.former_anchor)))
        self._finished_rows[-1] = last_row._replace(anchors=(*last_row.anchors, *anchors))
        return True

    def _add_text_entry(
        self,
        step: Step,
        text_pieces: tuple[Piece, ...],
        talk_texts: tuple[str, ...],
        plates: tuple[Plate, ...],
        own_notes: list[MarginNote],
    ) -> None:
        text_entry = TextEntry(
            step.number,
            step.anchor,
            self._take_former_anchor(step),
            step.player,
            text_pieces,
            tuple(
                self._player_of(text_piece.speaker)
                for text_piece in text_pieces
                if text_piece.role is TextRole.SPOKEN
            ),
            talk_texts,
            bool(step.retracted_by),
            step.parent is not None,
            step.action.large,
            (),
            (),
            plates,
        )
        extra_height = (HAIRLINE_HEIGHT if talk_texts else 0) + PLATE_HEIGHT * len(plates)
        self._pending_rows.append((text_entry, self._waiting_notes, own_notes, extra_height))
        self._waiting_notes = []

    def _begin_turn_if_new(self, step: Step) -> None:
        """Write a turn row, if another person acts than before."""
        actor = step.player or (word("site.somebody") if step.speaker == SOMEBODY else "")
        is_new_turn = bool(actor) and actor != self._acting_player
        last_turn_note = None
        if is_new_turn and self._waiting_notes:
            # What waited for words that did not come belongs to the turn before.
            self._pending_rows.append((WordlessEntries((), ""), self._waiting_notes, [], 0))
            self._waiting_notes = []
        if (
            is_new_turn
            and len(self._quiet_notes) == 1
            and self._quiet_notes[0].player == self._acting_player
        ):
            last_turn_note = self._quiet_notes.pop()
        if self._quiet_notes:
            self._pending_rows.append(
                (
                    WordlessEntries(tuple(self._quiet_notes), _summary_line(self._quiet_notes)),
                    [],
                    [],
                    HAIRLINE_HEIGHT,
                )
            )
            self._quiet_notes = []
        if is_new_turn:
            self._acting_player = actor
            speaker = step.speaker if step.player and step.speaker != step.player else ""
            self._pending_rows.append(
                (Turn(actor, speaker, last_turn_note), [], [], HAIRLINE_HEIGHT)
            )

    def _player_of(self, speaker: str) -> str:
        named_subject = self._record.names.find(speaker)
        return (
            self._campaign_site.player_of(named_subject.id)
            if isinstance(named_subject, Named)
            else ""
        )

    def _has_more_to_say(self, margin_note: MarginNote) -> bool:
        """Whether a note has to say more than the words beside it."""
        text_content = (
            margin_note.slips
            or margin_note.events
            or margin_note.costs
            or margin_note.movements
            or margin_note.further_rule_ids
            or margin_note.worded_links
        )
        return bool(text_content or margin_note.works)

    def _take_former_anchor(self, step: Step) -> str:
        former_anchor = step.former_anchor if step.former_anchor not in self._used_anchors else ""
        self._used_anchors.add(former_anchor)
        return former_anchor

    def _add_problems(self, step: Step) -> None:
        show_problem = self._campaign_site.problem_quoter.shown_problem
        problems = tuple(
            show_problem(diagnostic) for diagnostic in step.diagnostics if diagnostic.is_reported
        )
        if problems:
            self._add_wide_row(EntryProblems(step.number, problems))

    def _note_of_step(self, step: Step, *, with_anchor: bool = False) -> MarginNote:
        next_throw_title = self._next_throw_titles[step.number]
        if not with_anchor:
            margin_note = self._margin_notes.margin_note_of_step(
                step, card_texts=self._card_texts, next_throw_title=next_throw_title
            )
            if (
                step.scene is None
                or self._campaign_site.first_step_of_scene(step.scene) != step.number
            ):
                return margin_note
            # The head of a scene already lists the people present at its start.
            events = [event for event in margin_note.events if event.rule or event.kind != "enters"]
            return margin_note._replace(events=tuple(events))
        return self._margin_notes.margin_note_of_step(
            step, step.anchor, self._take_former_anchor(step), self._card_texts, next_throw_title
        )

    # -- scenes ------------------------------------------------------------------------------------

    def _open_scene(self, step: Step, step_index: int) -> None:
        """The head of a scene, with the bid for it beside it."""
        scene = self._record.timeline.get(step.scene or 0)
        is_first = self._campaign_site.first_step_of_scene(scene.number) == step.number
        step_numbers = [
            step.number for step in self._session.steps[step_index:] if step.scene == scene.number
        ]
        bid_ranking, bid_note = (
            self._bid_for_next_scene
            if self._bid_for_next_scene is not None and is_first
            else (None, None)
        )
        if bid_ranking is not None:
            self._bid_for_next_scene = None
        cast = people_in_scene(self._campaign_site.view, scene, self._campaign_site.emblem)
        self._add_wide_row(
            SceneHead(
                scene.number,
                scene.label,
                scene.place,
                scene.when,
                is_first,
                (step_numbers[0], step_numbers[-1]),
                () if bid_ranking is not None else tuple(scene.marks.items()),
                bid_ranking,
                bid_note,
                tuple(self._campaign_site.works.works_about("scene", str(scene.number)))
                if is_first
                else (),
                tuple(cast) if is_first and bid_ranking is None else (),
            )
        )
        self._acting_player = ""

    def _scenes_ended_by(self, step: Step) -> Iterator[Scene]:
        """The scenes that an entry ends."""
        for scene in self._campaign_site.scenes_by_last_step.get(step.number, ()):
            if self._campaign_site.first_step_of_scene(scene.number):
                yield scene

    def _scene_end(self, scene: Scene) -> SceneEnd:
        balance_history = self._campaign_site.balance_history
        purses: tuple[PurseChange, ...] = ()
        if scene.parent is None and scene.last_step is not None:
            first_step, last_step = (
                self._campaign_site.first_step_of_scene(scene.number),
                scene.last_step,
            )
            purses = tuple(
                PurseChange(
                    self._campaign_site.name(owner),
                    self._campaign_site.player_of(owner),
                    *amounts,
                    balance_history.balance_in_words(first_step - 1, account, amounts[0]),
                    balance_history.balance_in_words(last_step, account, amounts[2]),
                    balance_history.is_known(last_step, account),
                )
                for owner, amounts in balance_history.purse_changes(first_step, last_step)
                for account in (f"{balance_history.usual_purse}:{owner}",)
            )
        panels = self._campaign_site.view.scene_panels.get(scene.number, ())
        if all(
            purse.start_amount == purse.amount_before_income == purse.end_amount for purse in purses
        ):
            purses = ()
        purse_name = self._campaign_site.view.accounts.get(
            balance_history.usual_purse, balance_history.usual_purse
        )
        return SceneEnd(scene.number, scene.label, purses, purse_name, panels)

    # -- layout ------------------------------------------------------------------------------------

    def _add_wide_row(self, row: SessionRow) -> None:
        """A row as wide as the page: what came before it is settled."""
        self._place_notes()
        self._finished_rows.append(row)

    def _place_notes(self) -> None:
        """Put every note where there is room for it."""
        column_rows: list[margin.ColumnRow] = []
        last_row: object = None
        for row, waiting_notes, own_notes, extra_height in self._pending_rows:
            note_lengths = (
                [margin_note.letter_count for margin_note in own_notes],
                [margin_note.letter_count for margin_note in waiting_notes],
            )
            paragraph_lengths = _paragraph_lengths(row) if isinstance(row, TextEntry) else ()
            column_row = margin.ColumnRow(
                paragraph_lengths, extra_height, *note_lengths, isinstance(last_row, TextEntry)
            )
            if isinstance(row, WordlessEntries) and waiting_notes:
                column_row.waiting_notes_place = (
                    NotePlace.PREVIOUS_TEXT if column_row.is_after_text else NotePlace.COLUMN
                )
            column_rows.append(column_row)
            last_row = row
        margin.place_notes(column_rows)
        for (row, waiting_notes, own_notes, _), column_row in zip(
            self._pending_rows, column_rows, strict=True
        ):
            column_notes: tuple[MarginNote, ...] = (
                tuple(waiting_notes)
                if column_row.waiting_notes_place is NotePlace.NEXT_TEXT
                else ()
            )
            if waiting_notes and column_row.waiting_notes_place is NotePlace.COLUMN:
                self._append_wordless_entries(waiting_notes)
            elif waiting_notes and column_row.waiting_notes_place is NotePlace.PREVIOUS_TEXT:
                last_text_entry = self._finished_rows[-1]
                assert isinstance(last_text_entry, TextEntry)
                self._finished_rows[-1] = last_text_entry._replace(
                    margin_notes=(*last_text_entry.margin_notes, *waiting_notes)
                )
            if isinstance(row, TextEntry) and column_row.has_notes_in_margin:
                row = row._replace(margin_notes=(*column_notes, *own_notes))
            elif isinstance(row, TextEntry):
                row = row._replace(margin_notes=column_notes, notes_below=tuple(own_notes))
            if not isinstance(row, WordlessEntries) or row.margin_notes:
                self._finished_rows.append(row)
            if (
                isinstance(row, TextEntry)
                and sum(margin_note.letter_count for margin_note in row.notes_below)
                > FOLD_FROM_LETTERS
            ):
                self._finished_rows[-1] = row._replace(notes_below=())
                self._append_wordless_entries(row.notes_below)
        self._pending_rows = []
        if self._waiting_notes:
            self._append_wordless_entries(self._waiting_notes)
            self._waiting_notes = []
        if self._quiet_notes:
            self._append_wordless_entries(self._quiet_notes)
            self._quiet_notes = []

    def _append_wordless_entries(self, margin_notes: Sequence[MarginNote]) -> None:
        """Entries without words in one line, which does not begin with the name that stands right above it."""
        summary_line = _summary_line(margin_notes)
        last_row = self._finished_rows[-1] if self._finished_rows else None
        if isinstance(last_row, Turn) and summary_line.startswith(f"{last_row.player} "):
            summary_line = with_capital(summary_line.removeprefix(f"{last_row.player} "))
        self._finished_rows.append(WordlessEntries(tuple(margin_notes), summary_line))


def _paragraph_lengths(text_entry: TextEntry) -> list[int]:
    """How many letters the paragraphs of a beat have."""
    letter_counts: list[int] = []
    letter_count = 0
    for text_piece in text_entry.text_pieces:
        if text_piece.role is TextRole.SPOKEN:
            if letter_count:
                letter_counts.append(letter_count)
            letter_counts.append(len(text_piece.text) + 14)
            letter_count = 0
        else:
            for paragraph_index, paragraph_text in enumerate(text_piece.text.split("\n\n")):
                if paragraph_index:
                    letter_counts.append(letter_count)
                    letter_count = 0
                letter_count += len(paragraph_text) + 1
    return [*letter_counts, letter_count] if letter_count else letter_counts


def _summary_line(margin_notes: Sequence[MarginNote]) -> str:
    """Several entries in one line."""
    note_texts: list[str] = []
    for margin_note in margin_notes:
        event_text = margin_note.events[0].text if margin_note.events else ""
        events_of_kind = [
            event for event in margin_note.events if event.kind == margin_note.events[0].kind != ""
        ]
        if len(events_of_kind) > 1 and len(margin_notes) == 1:
            event_text = word(
                "site.words_and_more", words=event_text, count=len(events_of_kind) - 1
            )
        slips_text = ", ".join(slip.text for slip in margin_note.slips)
        note_text = (
            f"{margin_note.title}: {slips_text}" if slips_text else event_text or margin_note.title
        )
        if note_text and note_text not in note_texts:
            note_texts.append(note_text)
    summary_text = "; ".join(note_texts)
    return (
        summary_text
        if len(summary_text) <= MAX_SUMMARY_LETTERS
        else f"{summary_text[: MAX_SUMMARY_LETTERS - 3].rsplit(' ', 1)[0]} …"
    )


MAX_SUMMARY_LETTERS = 110
"""How many letters a line has that stands for several entries."""
