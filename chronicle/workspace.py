"""A campaign in memory (a workspace): it takes changed texts, saved or not, and answers questions about them.

Its answers equal those of a fresh check of the same texts. It keeps each file as read, and a few snapshots of the
replay (:mod:`chronicle.core.snapshots`). After a change it replays from the latest valid snapshot before it.

Plain data goes in (paths, texts, lines) and comes out (mappings for ``json.dumps``); :attr:`Workspace.record` is
for code that renders pages. Nothing is written to the disk. It runs on one thread, also without C parsers.

    workspace = Workspace(Path("sessions/our-campaign"))
    workspace.findings()                             # as ``chronicle check --format json`` has them
    workspace.change({"03.yaml": text})              # as an editor has it, not saved
    workspace.findings()
    workspace.moment("03.yaml", 17)                  # the table after the entry on line 17
    workspace.what_if("03.yaml", 17, "- tell: ...")  # what an entry would do there
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from chronicle.campaigns import Games, relaxed_gc
from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Session
from chronicle.core.diagnostic import Diagnostic, detach_diagnostics, reported_diagnostics
from chronicle.core.game_context import GameContext
from chronicle.core.names import RecordingNames
from chronicle.core.record import Record, Step, sentence_of
from chronicle.core.replay import Replay, entries_from
from chronicle.core.retractions import Retractions
from chronicle.core.sentences import plain
from chronicle.core.shared_verbs import PlayStarts
from chronicle.core.snapshots import Snapshot
from chronicle.core.source import MappingNode, Place, are_same_nodes
from chronicle.core.state_data import state_of_play
from chronicle.games import rulebook
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.folder import read_campaign, read_entries
from chronicle.syntax.reading_cache import EntryCache, ReadingCache
from chronicle.syntax.redaction import needs_redaction
from chronicle.syntax.render import diagnostic_as_data

MAX_SNAPSHOTS = 5
"""How many snapshots an open campaign keeps between two changes."""
WAYPOINT_INTERVAL = 12
"""How many entries are between two waypoints."""
MAX_WAYPOINTS = 3
"""How many waypoints are kept beside them: those of the last replays to a position."""


class Workspace:
    """One campaign in memory.

    Args:
        folder: the campaign's folder.
        root: paths in diagnostics are relative to this folder; the current folder by default.
        shows_retracted: whether the Record shows the effects of retracted entries; the diagnostics do not depend on
            it.
        records_names: whether the names of the Record are :class:`~chronicle.core.names.RecordingNames`, which know
            the subject of every word.
        keeps_panels: whether :attr:`replay` keeps the state of play after each scene and entry.
    """

    def __init__(
        self,
        folder: Path,
        *,
        root: Path | None = None,
        shows_retracted: bool = False,
        records_names: bool = False,
        keeps_panels: bool = False,
    ) -> None:
        self.shows_retracted = shows_retracted
        self.records_names = records_names
        self.keeps_panels = keeps_panels
        self.folder = Path(folder)
        self._root = root or Path.cwd()
        self._reading_cache = ReadingCache(remember_results=True)
        self._has_changed = True
        self._campaign: Campaign | None = None
        self._diagnostics_of_unreadable: list[Diagnostic] = []
        self._record: Record | None = None
        self._replay: Replay[Any] | None = None
        self._snapshots: list[Snapshot] = []
        """In the order of the log."""
        self._waypoints: list[Snapshot] = []
        """Snapshots above the last positions that were asked for: the next one is most often near. Only separate
        replays start there; the diagnostics in them are not those of the Record."""
        self._retractions = Retractions()
        self._entry_numbers: dict[int, int] = {}
        """The numbers of the entries of the log, by identity."""
        self._clear_entries: dict[int, MappingNode] = {}
        """Entries that were checked and hide nothing."""

    # -- what changes ------------------------------------------------------------------------------

    def change(self, texts: Mapping[str | Path, str | bytes | None]) -> None:
        """Replace the texts of some files: ``{file: text}``, relative to the campaign's folder or absolute.

        They count instead of the disk until :meth:`revert`. None means the file is deleted."""
        for file, text in texts.items():
            self._reading_cache.contents[self._real_path(file)] = _as_bytes(text)
        self._has_changed = True

    def revert(self, *files: str | Path) -> None:
        """Use the contents on the disk again, for these files or for all."""
        for file in files or [*self._reading_cache.contents]:
            self._reading_cache.contents.pop(self._real_path(file), None)
        self.reload()

    def reload(self) -> None:
        """Read the disk again: files may have been saved."""
        self._reading_cache.forget_disk()
        self._has_changed = True

    # -- what is so --------------------------------------------------------------------------------

    @property
    def campaign(self) -> Campaign | None:
        """The campaign as it reads now; None if its game is unknown."""
        record = self.record
        return None if record is None else record.campaign

    @property
    def record(self) -> Record | None:
        """The Record, valid until something changes; None without a readable campaign."""
        self._update()
        return self._record

    @property
    def has_hidden_entries(self) -> bool:
        """Whether it contains anything that readers must not see."""
        campaign = self.campaign
        return campaign is not None and needs_redaction(
            campaign, rulebook(campaign.game), self._clear_entries
        )

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics in file order, including dependents of others."""
        self._update()
        return self._diagnostics_of_unreadable if self._record is None else self._record.diagnostics

    @property
    def replay(self) -> Replay[Any] | None:
        """The replay that made the Record, after the last session. Only for reading. None without a readable
        campaign."""
        return None if self.record is None else self._replay

    def findings(self) -> list[dict[str, Any]]:
        """The diagnostics as in ``check --format json``; dependents are nested."""
        diagnostics = self.diagnostics
        with relaxed_gc():
            return [
                diagnostic_as_data(diagnostic) for diagnostic in reported_diagnostics(diagnostics)
            ]

    def moment(self, file: str | Path, line: int) -> dict[str, Any] | None:
        """The state of play after the entry on a line, or after the last one above it in this file.

        Returns:
            The data of :func:`chronicle.core.state_data.state_of_play`; None for a file without entries or an
                unreadable campaign.
        """
        with self.at(file, line) as replay:
            return None if replay is None else state_of_play(replay.play)

    def what_if(self, file: str | Path, line: int, entry: str) -> dict[str, Any] | None:
        """The effects of an entry inserted after the entry on a line; nothing is written.

        Returns:
            The data of :meth:`state_of_play` after the entry, with ``did`` (its events), ``sentences``, ``changes``
                (figures before and after) and ``findings`` (with lines within ``entry``); None if there is
                no state of play.
        """
        with self.at(file, line) as replay:
            if replay is None:
                return None
            new_steps, problems = self.attempt(replay, entry)
            return state_of_play(replay.play) | {
                "did": [event.text for step in new_steps for event in step.events],
                "sentences": [plain(sentence_of(step)) for step in new_steps],
                "changes": [
                    change.to_data() for step in new_steps for change in replay.play.changes(step)
                ],
                "findings": [diagnostic_as_data(problem) for problem in problems],
            }

    def attempt(self, replay: Replay[Any], entry: str) -> tuple[list[Step], list[Diagnostic]]:
        """Replay an entry, or a list of them, on a copy that :meth:`at` gave. Returns the new steps, and the
        problems (with lines within ``entry``)."""
        play = replay.play
        step_count, diagnostic_count = len(play.steps), len(play.diagnostics)
        actions, form_problems = read_entries(
            entry, play.campaign, Games(), replay.sessions[-1].session.number
        )
        for action in actions:
            replay.do(action)
        play_after = replay.play
        # If the entry retracted another, the replay returned to a snapshot and replayed the entry again.
        replayed_problems = (
            problem for problem in play_after.diagnostics if problem.step_number > step_count
        )
        new_problems = (
            play.diagnostics[diagnostic_count:] if play_after is play else replayed_problems
        )
        return play_after.steps[step_count:], reported_diagnostics([*form_problems, *new_problems])

    def diagnostics_with_last_entry(self, replay: Replay[Any], entry: str) -> list[Diagnostic]:
        """All diagnostics with a further entry at the end, replayed on the copy that :meth:`at` gave for the
        last entry; valid only as long as that copy."""
        self.attempt(replay, entry)
        replay.close()
        return replay.finish().diagnostics

    @contextmanager
    def trial(
        self,
        texts: Mapping[str | Path, str | bytes | None],
        is_enough: Callable[[list[Diagnostic]], bool] | None = None,
    ) -> Iterator[list[Diagnostic]]:
        """All diagnostics with other texts for some files, in file order. They are valid until the ``with``
        ends. Nothing changes.

        Args:
            texts: the other texts by file.
            is_enough: whether these diagnostics, those of the first entries, are all that the caller needs: then
                the entries below are not replayed. It is asked where no later entry can retract what was replayed.
        """
        self._update()
        trial_cache = self._reading_cache.with_contents(
            {self._real_path(file): _as_bytes(text) for file, text in texts.items()}
        )
        with relaxed_gc():
            try:
                campaign = read_campaign(
                    self.folder, Games(), project_folder=self._root, cache=trial_cache
                )
            except CampaignUnreadable as error:
                yield error.diagnostics
                return
            replay_start = 0
            if self._campaign is not None:
                replay_start = self._first_entry_to_replay(
                    count_unchanged_entries(self._campaign, campaign)
                )
            # A snapshot exactly there may already belong to the next session.
            snapshot = self._nearest_snapshot(replay_start - 1)
            replay = self._start_replay(campaign, snapshot)
            ids_before = _diagnostic_ids_of(replay)
            last_retraction = _last_retraction_by_entry(replay) if is_enough is not None else {}
            retractions_ahead: set[int] = set()
            diagnostic_count = -1
            try:
                for _, action in entries_from(replay, replay.entry_count):
                    replay.do(action)
                    if id(action) in last_retraction:
                        retractions_ahead.add(last_retraction[id(action)])
                    retractions_ahead.discard(id(action))
                    if (
                        retractions_ahead
                        or is_enough is None
                        or len(replay.play.diagnostics) == diagnostic_count
                    ):
                        continue
                    diagnostic_count = len(replay.play.diagnostics)
                    # Without those that an allowance excuses.
                    diagnostics = replay.all_diagnostics()
                    if is_enough(diagnostics):
                        yield diagnostics
                        return
                yield replay.finish().diagnostics
            finally:
                _detach_new_diagnostics(replay, ids_before)
                if self._replay is not None:
                    for step in self._replay.play.steps:
                        step.action.step_number = step.number

    @contextmanager
    def at(self, file: str | Path, line: int) -> Iterator[Replay[Any] | None]:
        """A copy of the replay after the entry on a line, or after the last entry above it in this file. None
        if there is none. You can change the copy; it is valid until the ``with`` ends."""
        record = self.record
        position = None if record is None else self._position_of(record.campaign, file, line)
        if record is None or position is None:
            yield None
            return
        with self._lend(self._replay_at(position)) as replay:
            yield replay

    @contextmanager
    def after(self, step_number: int) -> Iterator[GameContext[Any]]:
        """The game context after the entry with this number (0: before the first); the session is closed if
        it was its last entry. It is a copy, valid until the ``with`` ends.

        Raises:
            ValueError: if there is no such entry.
        """
        record = self.record
        if record is None or not 0 <= step_number <= len(record.steps):
            raise ValueError(f"there is no entry {step_number}")
        entry_count = sum(step.parent is None for step in record.steps[:step_number])
        entry_counts = [*accumulate(len(session.actions) for session in record.campaign.sessions)]
        session_index = bisect_left(entry_counts, entry_count)
        separate_replay = (
            self._replay_at(_Position(session_index, entry_count))
            if step_number
            else self._start_replay(record.campaign)
        )
        with self._lend(separate_replay) as replay:
            if step_number and entry_counts[session_index] == entry_count:
                replay.close()
            yield replay.play

    # -- inside ------------------------------------------------------------------------------------

    def entry_cache(self, file: Path) -> EntryCache | None:
        """The cache of parsed entries of a file."""
        return self._reading_cache.entry_cache(self._real_path(file))

    def file(self, place: Place) -> Path:
        """The file that a diagnostic is about."""
        return self._reading_cache.real_path(self._root / place.path)

    @contextmanager
    def _lend(self, replay: Replay[Any]) -> Iterator[Replay[Any]]:
        """Lend a replay for experiments; afterwards, its new diagnostics are detached from others."""
        ids_before = _diagnostic_ids_of(replay)
        try:
            yield replay
        finally:
            _detach_new_diagnostics(replay, ids_before)

    def _real_path(self, path_in_campaign: str | Path) -> Path:
        path = Path(path_in_campaign)
        return self._reading_cache.real_path(path if path.is_absolute() else self.folder / path)

    def _update(self) -> None:
        """Update the Record after a change."""
        if not self._has_changed:
            return
        self._has_changed = False
        with relaxed_gc():
            previous_campaign = self._campaign
            try:
                campaign = read_campaign(
                    self.folder, Games(), project_folder=self._root, cache=self._reading_cache
                )
            except CampaignUnreadable as error:
                # Keep the previous state: most often, a user is typing.
                self._diagnostics_of_unreadable = [
                    problem for problem in error.diagnostics if problem.severity
                ]
                self._record = None
                return
            unchanged_count = (
                0
                if previous_campaign is None
                else count_unchanged_entries(previous_campaign, campaign)
            )
            replay_start = self._first_entry_to_replay(unchanged_count)
            sessions_begun = _count_sessions_begun(campaign, replay_start)
            self._snapshots = [
                snapshot
                for snapshot in self._snapshots
                if snapshot.entry_count < replay_start
                or (
                    snapshot.entry_count == replay_start
                    and snapshot.session_count == sessions_begun
                )
            ]
            self._waypoints = []
            self._campaign = campaign
            actions = (action for session in campaign.sessions for action in session.actions)
            self._entry_numbers = {id(action): number for number, action in enumerate(actions)}
            self._record = self._replay_to_end(max(unchanged_count, 0))

    def _first_entry_to_replay(self, unchanged_count: int) -> int:
        """The entry to replay from, if the first ``unchanged_count`` entries are the same: if a retracting entry
        was removed, that includes the entry it had retracted."""
        entry_numbers = self._entry_numbers
        retracted_entries = [
            retraction.retracted_entry
            for retraction in self._retractions
            if entry_numbers[id(retraction.retracting_entry)] >= unchanged_count
        ]
        return min([unchanged_count, *(entry_numbers[id(entry)] for entry in retracted_entries)])

    def _replay_to_end(self, first_changed_entry: int) -> Record:
        """Replay to the end from the latest valid snapshot.

        Args:
            first_changed_entry: number of the first new entry.
        """
        campaign, previous_replay = self._campaign, self._replay
        assert campaign is not None
        self._record = None
        snapshot = self._latest_snapshot(len(self._entry_numbers))
        if previous_replay is not None:
            detach_diagnostics(
                previous_replay.play.diagnostics[
                    0 if snapshot is None else snapshot.diagnostic_count :
                ]
            )
        anchors = None if previous_replay is None else previous_replay.play.anchors
        self._replay = replay = self._start_replay(campaign, snapshot, anchors)
        first_entry = replay.entry_count
        entries_worth_keeping = self._entries_to_keep_snapshots_before(first_changed_entry)
        for number, action in entries_from(replay, first_entry):
            if number in entries_worth_keeping and number > first_entry:
                self._snapshots.append(Snapshot(replay))
            replay.do(action)
        self._retractions = replay.retractions
        self._drop_least_useful_snapshots(entries_worth_keeping)
        record = replay.finish()
        if isinstance(record.names, RecordingNames):
            # Later look-ups are not part of the log.
            record.names.set_position("")
        return record

    def _entries_to_keep_snapshots_before(self, first_changed_entry: int) -> list[int]:
        """The entries before which snapshots are kept, the most useful first: the last entry, the changed
        one, then starts of sessions, ever fewer with their distance from the change."""
        assert self._campaign is not None
        session_sizes = [len(session.actions) for session in self._campaign.sessions]
        first_entries = [0, *accumulate(session_sizes)]
        changed_session = next(
            (index for index, end in enumerate(first_entries[1:]) if first_changed_entry < end),
            len(session_sizes) - 1,
        )
        entry_count = first_entries[-1]
        candidates = [
            entry_count - 1,
            first_changed_entry,
            first_entries[max(len(session_sizes) - 1, 0)],
        ]
        distance = 0
        while distance <= changed_session:
            candidates.append(first_entries[changed_session - distance])
            distance = 2 * distance + 1
        usable_entries = [
            entry
            for entry in candidates
            if 0 < entry < entry_count and not self._is_inside_retraction(entry)
        ]
        return [*dict.fromkeys(usable_entries)][:MAX_SNAPSHOTS]

    def _drop_least_useful_snapshots(self, entries_worth_keeping: Sequence[int]) -> None:
        """Drop snapshots above the limit, the least useful first."""
        rank_by_entry = {entry: rank for rank, entry in enumerate(entries_worth_keeping)}
        valid_snapshots = [
            snapshot
            for snapshot in self._snapshots
            if not self._is_inside_retraction(snapshot.entry_count)
        ]
        valid_snapshots.sort(
            key=lambda snapshot: rank_by_entry.get(snapshot.entry_count, len(rank_by_entry))
        )
        self._snapshots = sorted(
            valid_snapshots[:MAX_SNAPSHOTS], key=lambda snapshot: snapshot.entry_count
        )

    def _latest_snapshot(self, entry_index: int) -> Snapshot | None:
        """The latest snapshot at or before an entry that is not between a retracted entry and its
        retraction: there the state depends on later entries."""
        return self._latest_of(self._snapshots, entry_index)

    def _nearest_snapshot(self, entry_index: int) -> Snapshot | None:
        """The same for a separate replay, which may start at a waypoint as well."""
        snapshots = sorted(
            (*self._snapshots, *self._waypoints), key=lambda snapshot: snapshot.entry_count
        )
        return self._latest_of(snapshots, entry_index)

    def _latest_of(self, snapshots: Sequence[Snapshot], entry_index: int) -> Snapshot | None:
        for snapshot in reversed(snapshots):
            if snapshot.entry_count <= entry_index and not self._is_inside_retraction(
                snapshot.entry_count
            ):
                return snapshot
        return None

    def _is_inside_retraction(self, entry_index: int) -> bool:
        return any(
            self._entry_numbers.get(id(retraction.retracted_entry), entry_index)
            < entry_index
            <= self._entry_numbers.get(id(retraction.retracting_entry), 0)
            for retraction in self._retractions
        )

    def _start_replay(
        self,
        campaign: Campaign,
        start_snapshot: Snapshot | None = None,
        anchors: Anchors | None = None,
    ) -> Replay[Any]:
        """A replay at a snapshot, or at the start."""
        earlier_snapshots = [
            snapshot
            for snapshot in self._snapshots
            if start_snapshot is not None and snapshot.entry_count <= start_snapshot.entry_count
        ]
        names = RecordingNames(campaign.renamings) if self.records_names else None
        return Replay(
            campaign,
            rulebook(campaign.game),
            names,
            shows_retracted=self.shows_retracted,
            keeps_panels=self.keeps_panels,
            start_snapshot=start_snapshot,
            anchors=anchors,
            snapshots=earlier_snapshots,
        )

    def _position_of(self, campaign: Campaign, file: str | Path, line: int) -> _Position | None:
        """The position in the log that a line of a file means."""
        real_file = self._real_path(file)
        is_file_by_path: dict[str, bool] = {}

        def is_this_file(path: str) -> bool:
            if path not in is_file_by_path:
                is_file_by_path[path] = (
                    self._reading_cache.real_path(self._root / path) == real_file
                )
            return is_file_by_path[path]

        first_entry = 0
        for index, session in enumerate(campaign.sessions):
            # Entries in files of their own are replayed at the beginning of the first session.
            actions = session.actions if not index or is_this_file(session.path) else ()
            entry_numbers_and_lines = [
                (number, action.whole_place.line)
                for number, action in enumerate(actions, first_entry)
                if is_this_file(action.path)
            ]
            if entry_numbers_and_lines or is_this_file(session.path):
                entries_above = [
                    number for number, start_line in entry_numbers_and_lines if start_line <= line
                ]
                if entries_above:
                    return _Position(index, entries_above[-1] + 1)
                return _Position(
                    index,
                    entry_numbers_and_lines[0][0]
                    if entry_numbers_and_lines
                    else first_entry + len(session.actions),
                )
            first_entry += len(session.actions)
        return None

    def _replay_at(self, position: _Position) -> Replay[Any]:
        """A separate replay up to a position. Entries that are retracted later still count there."""
        campaign = self._campaign
        assert campaign is not None
        start_snapshot = self._nearest_snapshot(position.entry_index)
        if start_snapshot is not None and start_snapshot.session_count > position.session_index + 1:
            start_snapshot = self._nearest_snapshot(position.entry_index - 1)
        replay = self._start_replay(campaign, start_snapshot)
        ids_before = _diagnostic_ids_of(replay)
        first_entry, last_entry = replay.entry_count, position.entry_index
        waypoints = range(last_entry - WAYPOINT_INTERVAL, first_entry, -WAYPOINT_INTERVAL)[
            :MAX_WAYPOINTS
        ]
        for number, action in entries_from(replay, first_entry, position.session_index):
            if number == last_entry:
                break
            if number in waypoints:
                self._waypoints = [*self._waypoints, Snapshot(replay)][-MAX_WAYPOINTS:]
            replay.do(action)
        _detach_new_diagnostics(replay, ids_before)
        return replay


def _last_retraction_by_entry(replay: Replay[Any]) -> dict[int, int]:
    """For each entry that later ones may retract, the last of these, both by identity."""
    actions = [action for session in replay.campaign.sessions for action in session.actions]
    return {
        id(entry): id(retracting) for entry, retracting in replay.rulebook.may_be_struck(actions)
    }


def _diagnostic_ids_of(replay: Replay[Any]) -> set[int]:
    """The identities of the diagnostics of a replay so far."""
    return {id(diagnostic) for diagnostic in replay.play.diagnostics}


def _detach_new_diagnostics(replay: Replay[Any], ids_before: set[int]) -> None:
    """Detach new diagnostics from their causes, which other replays share."""
    detach_diagnostics(
        [diagnostic for diagnostic in replay.play.diagnostics if id(diagnostic) not in ids_before]
    )


def _as_bytes(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


class _Position(NamedTuple):
    """A position in the log: its session, and the entry it is before (both counted from 0)."""

    session_index: int
    entry_index: int


def count_unchanged_entries(previous_campaign: Campaign, current_campaign: Campaign) -> int:
    """The number of entries at the start of two readings of a campaign that are unchanged with all they
    depend on; -1 if the settings or other files differ."""
    if not (
        previous_campaign.game == current_campaign.game
        and previous_campaign.path == current_campaign.path
        and are_same_nodes(previous_campaign.settings.source, current_campaign.settings.source)
        and (previous_campaign.journal, previous_campaign.art, previous_campaign.notes)
        == (current_campaign.journal, current_campaign.art, current_campaign.notes)
        and len(previous_campaign.sessions) == len(current_campaign.sessions)
        and all(map(_have_same_head, previous_campaign.sessions, current_campaign.sessions))
    ):
        return -1
    count = 0
    previous_unreadable, current_unreadable = (
        _unreadable_by_file(previous_campaign),
        _unreadable_by_file(current_campaign),
    )
    for session, current_session in zip(
        previous_campaign.sessions, current_campaign.sessions, strict=True
    ):
        first_different_line = _first_difference(
            previous_unreadable.get(session.path, ()), current_unreadable.get(session.path, ())
        )
        if session is current_session and first_different_line is None:
            count += len(session.actions)
            continue
        for action, current_action in zip(session.actions, current_session.actions, strict=False):
            if action is not current_action or (
                first_different_line is not None and action.key.line > first_different_line
            ):
                return count
            count += 1
        if first_different_line is not None:
            # An entry that is missing at the end of the session changes the state at its end.
            return count - 1
        if len(session.actions) != len(current_session.actions):
            return count
    return count


def _count_sessions_begun(campaign: Campaign, entry_index: int) -> int:
    """The number of sessions that have begun before an entry."""
    for session_number, session in enumerate(campaign.sessions, 1):
        entry_index -= len(session.actions)
        if entry_index < 0:
            return session_number
    return len(campaign.sessions)


def _have_same_head(previous_session: Session, current_session: Session) -> bool:
    """Whether two readings of a session have the same head."""
    return previous_session is current_session or (
        previous_session.path == current_session.path
        and are_same_nodes(previous_session.header.source, current_session.header.source)
        and _has_preparation(previous_session) == _has_preparation(current_session)
    )


def _has_preparation(session: Session) -> bool:
    return any(isinstance(action, PlayStarts) for action in session.actions)


def _unreadable_by_file(campaign: Campaign) -> dict[str, list[Diagnostic]]:
    """The unreadable entries, by file."""
    unreadable_by_file: dict[str, list[Diagnostic]] = {}
    for problem in campaign.diagnostics:
        if problem.dropped_words:
            unreadable_by_file.setdefault(problem.place.path, []).append(problem)
    return unreadable_by_file


def _first_difference(
    previous_diagnostics: Sequence[Diagnostic], current_diagnostics: Sequence[Diagnostic]
) -> int | None:
    """The first line with an unreadable entry that is only in one of two readings."""
    shared_ids = {id(problem) for problem in previous_diagnostics} & {
        id(problem) for problem in current_diagnostics
    }
    return min(
        (
            problem.place.line
            for problem in (*previous_diagnostics, *current_diagnostics)
            if id(problem) not in shared_ids
        ),
        default=None,
    )
