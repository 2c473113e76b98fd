"""A session entry by entry: the text column, the notes beside it, and the thin separating lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chronicle.core.book import Block, SessionView
from chronicle.core.diagnostic import listed
from chronicle.core.gaps import SOMEBODY, UNCERTAIN_STATES
from chronicle.core.names import Named
from chronicle.core.record import Contest, Event, Ladder, Step, Weighing
from chronicle.core.shared_verbs import Gap
from chronicle.core.stated_figures import Snapshot
from chronicle.core.telling import Piece, TextRole
from chronicle.core.timeline import Scene
from chronicle.site import margin
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.card_page import CardPage, card_page
from chronicle.site.chapters import Member, members
from chronicle.site.findings import ShownProblem
from chronicle.site.margin import Place
from chronicle.site.notes import Note, Notes, Spent
from chronicle.site.pictures import Plate
from chronicle.site.works import Work
from chronicle.words import word

LONG = 280
"""Notes of more letters that find no room in the margin are folded."""
QUIET = 24
"""How high a hairline is, in pixels."""
PLATE_HEIGHT = 320
"""How high a picture between the entries is, in pixels."""


class Bar(NamedTuple):
    """An entry in the picture of the evening."""

    player: str
    kind: str
    """``throw``, ``quiet`` (without an actor, or only a new turn) or empty."""


class Opening(NamedTuple):
    """The head of a scene: above its first entry, or above the entry that continues it."""

    number: int
    title: str
    place: str
    time: str
    first: bool
    entries: tuple[int, int]
    marks: tuple[tuple[str, str], ...]
    ladder: Ladder | None
    bid: Note | None
    works: tuple[Work, ...]
    cast: tuple[Member, ...] = ()
    """The people in it, if its head has no bid."""


class Turn(NamedTuple):
    """Another person acts from here on. ``ended`` is the entry that ended the last turn."""

    player: str
    speaker: str
    ended: Note | None


class Beat(NamedTuple):
    """An entry with words of its own, and the notes beside it."""

    step: int
    anchor: str
    former: str
    player: str
    pieces: tuple[Piece, ...]
    speakers: tuple[str, ...]
    """Whose the speakers of its lines are."""
    talk: tuple[str, ...]
    struck: bool
    indent: bool
    large: bool
    beside: tuple[Note, ...]
    below: tuple[Note, ...]
    plates: tuple[Plate, ...]


class Hole(NamedTuple):
    """A place where the record is silent, or has only a snapshot."""

    step: int
    anchor: str
    former: str
    title: str
    words: str
    """What the keepers say of it (Markdown)."""
    unknown: str
    page: CardPage | None = None
    """What a snapshot found otherwise than the record said."""


class Run(NamedTuple):
    """Entries without words, in one line."""

    notes: tuple[Note, ...]
    words: str


class Throw(NamedTuple):
    """Dice that fell, what they led to, and what was bought with it."""

    step: int
    contest: Contest
    spent: tuple[Spent, ...]
    led: tuple[Event, ...]
    """What else it led to."""
    anchors: tuple[str, ...] = ()
    """The addresses of entries that it tells of and nothing else does, its own first."""


class Dispute(NamedTuple):
    """An objection, weighed."""

    step: int
    weighing: Weighing


class Hidden(NamedTuple):
    """An entry that is kept secret: that it is there, and nothing else."""

    step: int
    anchor: str
    former: str


class Findings(NamedTuple):
    """What the check has to say of an entry."""

    step: int
    problems: tuple[ShownProblem, ...]


class Purse(NamedTuple):
    """How a purse changed over a scene."""

    name: str
    player: str
    start: int
    before: int
    """The amount in it before everybody received something at the end."""
    end: int
    began: int | str
    """Its amount at the start, in words, as it can be unknown."""
    held: int | str
    """Its amount at the end, in words."""
    is_known: bool
    """Whether the amount at the end is known, or at least an upper bound of it."""


class Close(NamedTuple):
    """The end of a scene: the purses, and how everything stood."""

    scene: int
    title: str
    purses: tuple[Purse, ...]
    what: str
    stood: tuple[Block, ...]


Row = Opening | Turn | Beat | Hole | Run | Throw | Dispute | Hidden | Findings | Close


def bars(campaign_site: CampaignSite, session: SessionView) -> tuple[Bar, ...]:
    """The picture of an evening: a bar an entry."""
    return tuple(_bars(session))


def _bars(session: SessionView) -> Iterator[Bar]:
    for step in session.steps:
        contest = None if step.hidden else step.contest
        quiet = step.hidden or step.action.quiet or not step.player or step.retracted_by
        kind = "throw" if contest is not None else "quiet" if quiet else ""
        player = "" if step.hidden else step.player
        if contest is not None and not player:
            # Dice that everybody rolls belong to the people who received them.
            player = next((side.player for side in contest.sides if side.won), "")
        yield Bar(player, kind)


def rows(campaign_site: CampaignSite, session: SessionView) -> list[Row]:
    """Everything that the page of an evening shows, from the top."""
    return _Evening(campaign_site, session).rows()


class _Evening:
    def __init__(self, campaign_site: CampaignSite, session: SessionView) -> None:
        self._campaign_site = campaign_site
        self._record = campaign_site.record
        self._session = session
        self._notes = Notes(campaign_site)
        self._rows: list[Row] = []
        self._group: list[tuple[Beat | Turn | Run, list[Note], list[Note], int]] = []
        """The rows between two rows of full page width: (row, notes that waited for it, its own notes,
        further pixels)."""
        self._waiting: list[Note] = []
        self._quiet: list[Note] = []
        self._turn = ""
        self._bid: tuple[Ladder, Note] | None = None
        self._card: set[str] = set()
        """What the card of the last throw says, line by line."""
        self._ahead: dict[int, str] = {}
        """What the card of the next throw is called, by entry."""
        title = ""
        for step in reversed(session.steps):
            if step.contest is not None and not step.hidden:
                title = step.contest.title
            self._ahead[step.number] = title
        self._anchors = {step.anchor for step in session.steps}

    def rows(self) -> list[Row]:
        scene: int | None = None
        steps = self._session.steps
        for place, step in enumerate(steps):
            if step.hidden:
                self._wide(Hidden(step.number, step.anchor, self._former(step)))
                continue
            if step.scene is not None and step.scene != scene:
                scene = step.scene
                self._open(step, place)
            self._entry(step)
            for ended in self._ended(step):
                self._wide(self._close(ended))
        self._settle()
        return self._rows

    # -- entries -----------------------------------------------------------------------------------

    def _entry(self, step: Step) -> None:
        if isinstance(step.action, Gap):
            self._wide(self._gap(step, step.action))
            self._say_findings(step)
            return
        all_pieces = [
            piece
            for piece in self._campaign_site.teller.pieces_of(step)
            if piece.role is not TextRole.LEAD
        ]
        talk = tuple(self._campaign_site.remarks(step))
        pieces = tuple(piece for piece in all_pieces if piece.role is not TextRole.TALK)
        plates = self._campaign_site.plates("step", str(step.number))
        if isinstance(step.action, Snapshot):
            self._wide(self._snapshot(step, bare=not (pieces or talk or plates)))
        if step.ladder is not None and not pieces:
            self._bid = step.ladder, self._note(step, anchored=not talk)
            if talk:
                self._beat(step, pieces, talk, plates, [])
            self._say_findings(step)
            return
        if pieces or talk or plates:
            if not pieces or any(piece.role is not TextRole.SPOKEN for piece in pieces):
                self._turn_to(step)
            own_note = self._note(step)
            # The card of a throw and the page of a snapshot show their effects.
            is_said = step.contest is not None or isinstance(step.action, Snapshot)
            notes = [own_note] if self._says_more(own_note) and not is_said else []
            self._beat(step, pieces, talk, plates, notes)
        elif step.contest is None and not isinstance(step.action, Snapshot):
            note = self._note(step, anchored=True)
            if self._on_card(note, step):
                pass
            elif step.action.quiet:
                self._quiet.append(note)
            else:
                self._turn_to(step)
                self._waiting.append(note)
        self._say_findings(step)
        if step.weighing is not None:
            self._wide(Dispute(step.number, step.weighing))
        if step.contest is not None:
            self._throw(step, step.contest, bare=not (pieces or talk or plates))

    def _gap(self, step: Step, action: Gap) -> Hole:
        uncertain = listed([UNCERTAIN_STATES[state] for state in action.uncertain])
        unknown = word("site.hole_unknown", what=uncertain) if uncertain else word("site.hole_all")
        title = word("site.silence")
        return Hole(step.number, step.anchor, self._former(step), title, step.talk, unknown)

    def _snapshot(self, step: Step, *, bare: bool) -> Hole:
        page = card_page(self._campaign_site.book, step)
        anchors = (step.anchor, self._former(step)) if bare else ("", "")
        return Hole(step.number, *anchors, "", "", word("site.hole_snapshot"), page)

    def _throw(self, step: Step, contest: Contest, *, bare: bool) -> None:
        effects = self._notes.led(step, contest)
        anchors = (step.anchor, self._former(step)) if bare else ()
        if bare:
            self._turn_to(step)
        spent = tuple(self._notes.spent(step))
        self._wide(Throw(step.number, contest, spent, tuple(effects), tuple(filter(None, anchors))))
        self._card = {
            words.casefold() for words in (*contest.outcome, *(event.text for event in effects))
        }

    def _on_card(self, note: Note, step: Step) -> bool:
        """Whether the card of a throw right before it says all that an entry has to say."""
        last = self._rows[-1] if self._rows and not self._group and not self._waiting else None
        if not isinstance(last, Throw) or step.diagnostics:
            return False
        if not step.action.by_dice and self._says_more(note._replace(rules=())):
            return False
        anchors = tuple(filter(None, (note.anchor, note.former)))
        self._rows[-1] = last._replace(anchors=(*last.anchors, *anchors))
        return True

    def _beat(
        self,
        step: Step,
        pieces: tuple[Piece, ...],
        talk: tuple[str, ...],
        plates: tuple[Plate, ...],
        notes: list[Note],
    ) -> None:
        beat = Beat(
            step.number,
            step.anchor,
            self._former(step),
            step.player,
            pieces,
            tuple(
                self._player_of(piece.speaker) for piece in pieces if piece.role is TextRole.SPOKEN
            ),
            talk,
            bool(step.retracted_by),
            step.parent is not None,
            step.action.large,
            (),
            (),
            plates,
        )
        further = (QUIET if talk else 0) + PLATE_HEIGHT * len(plates)
        self._group.append((beat, self._waiting, notes, further))
        self._waiting = []

    def _turn_to(self, step: Step) -> None:
        """Write a turn row, if another person acts than before."""
        actor = step.player or (word("site.somebody") if step.speaker == SOMEBODY else "")
        turns = bool(actor) and actor != self._turn
        ended = None
        if turns and self._waiting:
            # What waited for words that did not come belongs to the turn before.
            self._group.append((Run((), ""), self._waiting, [], 0))
            self._waiting = []
        if turns and len(self._quiet) == 1 and self._quiet[0].player == self._turn:
            ended = self._quiet.pop()
        if self._quiet:
            self._group.append((Run(tuple(self._quiet), _joined(self._quiet)), [], [], QUIET))
            self._quiet = []
        if turns:
            self._turn = actor
            speaker = step.speaker if step.player and step.speaker != step.player else ""
            self._group.append((Turn(actor, speaker, ended), [], [], QUIET))

    def _player_of(self, speaker: str) -> str:
        match = self._record.names.find(speaker)
        return self._campaign_site.player_of(match.id) if isinstance(match, Named) else ""

    def _says_more(self, note: Note) -> bool:
        """Whether a note has to say more than the words beside it."""
        content = note.slips or note.events or note.costs or note.moves or note.rules or note.links
        return bool(content or note.works)

    def _former(self, step: Step) -> str:
        former = step.former_anchor if step.former_anchor not in self._anchors else ""
        self._anchors.add(former)
        return former

    def _say_findings(self, step: Step) -> None:
        shown = self._campaign_site.redactor.shown
        problems = tuple(
            shown(diagnostic) for diagnostic in step.diagnostics if diagnostic.is_reported
        )
        if problems:
            self._wide(Findings(step.number, problems))

    def _note(self, step: Step, *, anchored: bool = False) -> Note:
        ahead = self._ahead[step.number]
        if not anchored:
            note = self._notes.of(step, card=self._card, ahead=ahead)
            if step.scene is None or self._campaign_site.opens(step.scene) != step.number:
                return note
            # The head of a scene already lists the people present at its start.
            events = [event for event in note.events if event.rule or event.kind != "enters"]
            return note._replace(events=tuple(events))
        return self._notes.of(step, step.anchor, self._former(step), self._card, ahead)

    # -- scenes ------------------------------------------------------------------------------------

    def _open(self, step: Step, place: int) -> None:
        """The head of a scene, with the bid for it beside it."""
        scene = self._record.timeline.get(step.scene or 0)
        first = self._campaign_site.opens(scene.number) == step.number
        step_numbers = [
            step.number for step in self._session.steps[place:] if step.scene == scene.number
        ]
        ladder, bid = self._bid if self._bid is not None and first else (None, None)
        if ladder is not None:
            self._bid = None
        cast = members(self._campaign_site.book, scene, self._campaign_site.emblem)
        self._wide(
            Opening(
                scene.number,
                scene.label,
                scene.place,
                scene.when,
                first,
                (step_numbers[0], step_numbers[-1]),
                () if ladder is not None else tuple(scene.marks.items()),
                ladder,
                bid,
                tuple(self._campaign_site.works.works_about("scene", str(scene.number)))
                if first
                else (),
                tuple(cast) if first and ladder is None else (),
            )
        )
        self._turn = ""

    def _ended(self, step: Step) -> Iterator[Scene]:
        """The scenes that an entry ends."""
        for scene in self._campaign_site.ending.get(step.number, ()):
            if self._campaign_site.opens(scene.number):
                yield scene

    def _close(self, scene: Scene) -> Close:
        tally = self._campaign_site.tally
        purses: tuple[Purse, ...] = ()
        if scene.parent is None and scene.last_step is not None:
            first, last = self._campaign_site.opens(scene.number), scene.last_step
            purses = tuple(
                Purse(
                    self._campaign_site.name(owner),
                    self._campaign_site.player_of(owner),
                    *figures,
                    tally.in_words(first - 1, account, figures[0]),
                    tally.in_words(last, account, figures[2]),
                    tally.is_known(last, account),
                )
                for owner, figures in tally.over(first, last)
                for account in (f"{tally.purse}:{owner}",)
            )
        panels = self._campaign_site.book.scene_panels.get(scene.number, ())
        if all(purse.start == purse.before == purse.end for purse in purses):
            purses = ()
        purse_name = self._campaign_site.book.accounts.get(tally.purse, tally.purse)
        return Close(scene.number, scene.label, purses, purse_name, panels)

    # -- layout ------------------------------------------------------------------------------------

    def _wide(self, row: Row) -> None:
        """A row as wide as the page: what came before it is settled."""
        self._settle()
        self._rows.append(row)

    def _settle(self) -> None:
        """Put every note where there is room for it."""
        texts: list[margin.Text] = []
        last_row: object = None
        for row, waiting, own_notes, further in self._group:
            letters = [note.letters for note in own_notes], [note.letters for note in waiting]
            paragraphs = _paragraphs(row) if isinstance(row, Beat) else ()
            text = margin.Text(paragraphs, further, *letters, isinstance(last_row, Beat))
            if isinstance(row, Run) and waiting:
                text.place = Place.PREVIOUS_TEXT if text.after_text else Place.COLUMN
            texts.append(text)
            last_row = row
        margin.fit(texts)
        for (row, waiting, own_notes, _), text in zip(self._group, texts, strict=True):
            column_notes: tuple[Note, ...] = tuple(waiting) if text.place is Place.NEXT_TEXT else ()
            if waiting and text.place is Place.COLUMN:
                self._rows.append(Run(tuple(waiting), _joined(waiting)))
            elif waiting and text.place is Place.PREVIOUS_TEXT:
                last = self._rows[-1]
                assert isinstance(last, Beat)
                self._rows[-1] = last._replace(beside=(*last.beside, *waiting))
            if isinstance(row, Beat) and text.in_margin:
                row = row._replace(beside=(*column_notes, *own_notes))
            elif isinstance(row, Beat):
                row = row._replace(beside=column_notes, below=tuple(own_notes))
            if not isinstance(row, Run) or row.notes:
                self._rows.append(row)
            if isinstance(row, Beat) and sum(note.letters for note in row.below) > LONG:
                self._rows[-1] = row._replace(below=())
                self._rows.append(Run(row.below, _joined(list(row.below))))
        self._group = []
        if self._waiting:
            self._rows.append(Run(tuple(self._waiting), _joined(self._waiting)))
            self._waiting = []
        if self._quiet:
            self._rows.append(Run(tuple(self._quiet), _joined(self._quiet)))
            self._quiet = []


def _paragraphs(beat: Beat) -> list[int]:
    """How many letters the paragraphs of a beat have."""
    lengths: list[int] = []
    run = 0
    for piece in beat.pieces:
        if piece.role is TextRole.SPOKEN:
            if run:
                lengths.append(run)
            lengths.append(len(piece.text) + 14)
            run = 0
        else:
            for part, text in enumerate(piece.text.split("\n\n")):
                if part:
                    lengths.append(run)
                    run = 0
                run += len(text) + 1
    return [*lengths, run] if run else lengths


def _joined(notes: list[Note]) -> str:
    """Several entries in one line."""
    texts: list[str] = []
    for note in notes:
        words = note.events[0].text if note.events else ""
        same_kind = [event for event in note.events if event.kind == note.events[0].kind != ""]
        if len(same_kind) > 1 and len(notes) == 1:
            words = word("site.words_and_more", words=words, count=len(same_kind) - 1)
        slips = ", ".join(slip.text for slip in note.slips)
        text = f"{note.title}: {slips}" if slips else words or note.title
        if text and text not in texts:
            texts.append(text)
    line = "; ".join(texts)
    return line if len(line) <= LINE else f"{line[: LINE - 3].rsplit(' ', 1)[0]} …"


LINE = 110
"""How many letters a line has that stands for several entries."""
