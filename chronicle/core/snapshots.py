"""Snapshots: the state of a replay before an entry, to continue from later.

A snapshot is a pickle of the state of the game. Objects that never change after they are made (entries, nodes of
the log, diagnostics, Steps, postings) are not copied: the pickle names them by their index in a list. The lists
that only grow (Steps, diagnostics, postings) are copied as lists.

A Step may still change after a snapshot was taken, when a later entry adds something to it. Then
:meth:`chronicle.core.game_context.GameContext.reopen` puts a copy in its place, so the snapshot keeps the Step as it
was.
"""

from __future__ import annotations

import io
import pickle
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Session
from chronicle.core.declare import Action, Part
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.game_info import GameInfo
from chronicle.core.ledger import Posting
from chronicle.core.names import LookupLog, RecordingNames
from chronicle.core.record import SessionRecord, Step
from chronicle.core.retractions import RetractionRecord
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, SessionEnd
    from chronicle.core.game_context import GameContext
    from chronicle.core.retractions import Retractions

T = TypeVar("T")


class Frozen(Generic[T]):
    """An immutable copy of a value; :meth:`thaw` gives a new, independent copy each time."""

    __slots__ = ("_pickle", "_references", "_view")

    def __init__(self, value: T) -> None:
        pickle_buffer = io.BytesIO()
        pickler = _SharingPickler(pickle_buffer)
        pickler.dump(value)
        self._pickle = pickle_buffer.getvalue()
        self._references = pickler.references
        self._view: T | None = None

    def thaw(self) -> T:
        """A copy of the value as it was; objects that never change are shared with the original."""
        value: T = _SharingUnpickler(io.BytesIO(self._pickle), self._references).load()
        return value

    def view(self) -> T:
        """A copy of the value as it was, the same one each time: only to read."""
        if self._view is None:
            self._view = self.thaw()
        return self._view


SHARED_CLASSES = (
    *(Action, Part, GameInfo, ScalarNode, MappingNode, SequenceNode, Place, Posting, Enum),
    *(Step, Diagnostic, Session, Campaign, LookupLog, Frozen),
)
"""Classes whose objects a snapshot shares instead of copying."""


def _reference(reference_number: int) -> object:
    """Replaces a shared object in a pickle; :class:`_SharingUnpickler` puts the object in its place."""
    raise pickle.UnpicklingError("only a snapshot can read its own pickle")


class _SharingPickler(pickle.Pickler):
    """Writes a pickle in which objects of the classes ``SHARED_CLASSES`` are numbers."""

    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__(buffer, protocol=5)
        self.references: list[object] = []

    def reducer_override(self, value: object) -> Any:
        """How an object is written. The pickler asks this for everything but plain numbers, texts and
        collections, and once for each object."""
        if not isinstance(value, SHARED_CLASSES):
            return NotImplemented
        self.references.append(value)
        return _reference, (len(self.references) - 1,)


class _SharingUnpickler(pickle.Unpickler):
    """Reads what :class:`_SharingPickler` wrote."""

    def __init__(self, buffer: io.BytesIO, references: list[object]) -> None:
        super().__init__(buffer)
        self._references = references

    def find_class(self, module: str, name: str) -> Any:
        """The class or function with this name; for :func:`_reference` the look-up of a shared object."""
        if name == _reference.__name__:
            return self._references.__getitem__
        return super().find_class(module, name)


class Resumable(Protocol):
    """The parts of a replay that a snapshot needs."""

    play: GameContext[Any]
    sessions: list[SessionRecord]
    history: list[Session | Action]
    scene_panels: dict[int, tuple[Block, ...]] | None
    session_ends: dict[int, SessionEnd] | None
    entry_panels: dict[int, tuple[Block, ...]]
    retractions: Retractions
    left_out_count: int
    replayed_count: int

    @property
    def entry_count(self) -> int:
        """How many entries of the log were replayed."""


class Snapshot:
    """A replay as it was before an entry.

    Attributes:
        entry_count: how many entries of the log had been replayed (nested ones not counted).
        session_count: how many sessions had been opened.
    """

    def __init__(self, replay: Resumable) -> None:
        play = replay.play
        self.entry_count = replay.entry_count
        self.session_count = len(replay.sessions)
        self.history = [*replay.history]
        self.replayed_count = replay.replayed_count
        retracted_ids = {id(retraction.retracted) for retraction in play.retractions_so_far}
        self.retractions: list[RetractionRecord] = [
            retraction_record
            for retraction_record in replay.retractions
            if id(retraction_record.retraction.retracted) in retracted_ids
        ]
        self.scene_panels = None if replay.scene_panels is None else {**replay.scene_panels}
        self.session_ends = None if replay.session_ends is None else {**replay.session_ends}
        self.entry_panels = {**replay.entry_panels}
        # From here on, a Step that changes is replaced by a copy.
        play.first_unshared_step_number = len(play.steps) + 1
        self._steps = [*play.steps]
        self._diagnostics = [*play.diagnostics]
        self._postings = [*play.ledger.postings]
        self._lookups = (
            play.names.lookups.copy() if isinstance(play.names, RecordingNames) else None
        )
        self._state = Frozen((play, replay.sessions, replay.left_out_count))

    @property
    def diagnostic_count(self) -> int:
        """How many diagnostics the replay had found."""
        return len(self._diagnostics)

    def restore(
        self, campaign: Campaign, anchors: Anchors | None = None
    ) -> tuple[GameContext[Any], list[SessionRecord], int]:
        """The state to continue from.

        Args:
            campaign: the campaign that is replayed; it is possibly a newer one, with the same entries above
            this place.
            anchors: the anchors of the replay that ends here, if another takes its place.

        Returns:
            The game context, the sessions opened, and how many unreadable entries the game knows of.
        """
        play, sessions, left_out_count = self._state.thaw()
        play.campaign, play.word_index = campaign, None
        play.steps, play.diagnostics = [*self._steps], [*self._diagnostics]
        play.ledger.postings = [*self._postings]
        if anchors is None:
            play.anchors = Anchors(play.steps, campaign.renamings)
        else:
            anchors.use_steps(play.steps)
            play.anchors = anchors
        if self._lookups is not None and isinstance(play.names, RecordingNames):
            play.names.lookups = self._lookups.copy()
        return play, sessions, left_out_count
