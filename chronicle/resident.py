"""A campaign that stays in memory: it takes changed texts, saved or not, and answers from them.

Everything it says is what a cold check would say of the same texts. It keeps each file as it was read, and a few
snapshots of the replay (:mod:`chronicle.core.snapshots`). After a change it replays from the last snapshot above it.

Plain data goes in (paths, texts, lines) and comes out (mappings of strings and numbers that
``json.dumps`` takes); :attr:`Resident.record` is there for whoever draws pages. Nothing is written, and
nothing is kept on the disk. It runs on one thread, without C parsers as well.

    resident = Resident(Path("sessions/our-campaign"))
    resident.findings()                             # as ``chronicle check --format json`` has them
    resident.change({"03.yaml": text})              # as an editor has it, not saved
    resident.findings()
    resident.moment("03.yaml", 17)                  # the table after the entry on line 17
    resident.what_if("03.yaml", 17, "- tell: ...")  # what an entry would do there
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from chronicle.campaigns import Rulebooks, relaxed_gc
from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Session
from chronicle.core.common import PlayStarts
from chronicle.core.diagnostic import Diagnostic, detach, reported
from chronicle.core.moment import moment
from chronicle.core.names import Overheard
from chronicle.core.play import Play
from chronicle.core.record import Record, Step
from chronicle.core.replay import Replay, play_on
from chronicle.core.snapshots import Snapshot
from chronicle.core.source import Entries, Place, same
from chronicle.core.strikes import Strikes
from chronicle.games import rulebook
from chronicle.transcript.folder import CampaignUnreadable, read_campaign, read_entries
from chronicle.transcript.kept import EntryCache, Kept
from chronicle.transcript.published import needed
from chronicle.transcript.render import as_data

MOST_SNAPSHOTS = 8


class Resident:
    """One campaign, held in memory.

    ``folder`` is the campaign's folder. Paths in findings are relative to ``root`` (the current
    folder, by default). ``shown``: its Record shows what struck entries had done at the table; the
    findings are the same either way. ``listening``: the names of its Record are
    :class:`~chronicle.core.names.Overheard`, and know who is meant by every word. ``panels``: its
    :attr:`replay` keeps how things stood in the course of it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        root: Path | None = None,
        shown: bool = False,
        listening: bool = False,
        panels: bool = False,
    ) -> None:
        self.shown = shown
        self.listening = listening
        self.panels = panels
        self.folder = Path(folder)
        self._root = root or Path.cwd()
        self._kept = Kept(remember=True)
        self._changed = True
        self._campaign: Campaign | None = None
        self._refused: list[Diagnostic] = []
        self._record: Record | None = None
        self._replay: Replay[Any] | None = None
        self._snapshots: list[Snapshot] = []
        """The first one first."""
        self._strikes = Strikes()
        self._entries: dict[int, int] = {}
        """The numbers of the entries of the log, by their identities."""
        self._looked: dict[int, Entries] = {}
        """The entries that were found to keep nothing back."""

    # -- what changes ------------------------------------------------------------------------------

    def change(self, texts: Mapping[str | Path, str | bytes | None]) -> None:
        """Take other texts for some files: ``{file: text}``, relative to the campaign's folder or not.

        They count instead of what the disk says until :meth:`revert`. None: the file is gone.
        """
        for file, text in texts.items():
            self._kept.texts[self._file(file)] = _bytes(text)
        self._changed = True

    def revert(self, *files: str | Path) -> None:
        """Go by the disk again: for these files, or for all."""
        for file in files or [*self._kept.texts]:
            self._kept.texts.pop(self._file(file), None)
        self.reload()

    def reload(self) -> None:
        """Look at the disk again: something may have been saved."""
        self._kept.forget()
        self._changed = True

    # -- what is so --------------------------------------------------------------------------------

    @property
    def campaign(self) -> Campaign | None:
        """The campaign as it reads now; None where not even its game can be made out."""
        record = self.record
        return None if record is None else record.campaign

    @property
    def record(self) -> Record | None:
        """The Record of it, good until something changes; None where there is no campaign."""
        self._answer()
        return self._record

    @property
    def keeps_back(self) -> bool:
        """Whether it holds anything that readers may not see as it stands."""
        campaign = self.campaign
        return campaign is not None and needed(campaign, rulebook(campaign.game), self._looked)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All findings in file order, those folded under others among them."""
        self._answer()
        return self._refused if self._record is None else self._record.diagnostics

    @property
    def replay(self) -> Replay[Any] | None:
        """The replay that the Record was made by, after the end of the last evening: to be looked at
        only. None where there is no campaign."""
        return None if self.record is None else self._replay

    def findings(self) -> list[dict[str, Any]]:
        """The findings as ``check --format json`` has them; what follows from others lies in these."""
        found = self.diagnostics
        with relaxed_gc():
            return [as_data(one) for one in reported(found)]

    def moment(self, file: str | Path, line: int) -> dict[str, Any] | None:
        """The table right after the entry on a line, or the last one above it in this file.

        What :func:`chronicle.core.moment.moment` says: ``step`` (its number, 0 above the first),
        ``situation`` (one sentence), ``due`` (what is owed), ``next`` (what may come). None where
        nothing is played: in another file, or in a campaign that cannot be read.
        """
        with self.at(file, line) as replay:
            return None if replay is None else moment(replay.play)

    def what_if(self, file: str | Path, line: int, entry: str) -> dict[str, Any] | None:
        """What an entry would do after the one on a line, with nothing written: what
        :meth:`moment` says of the table after it, ``did`` (in sentences) and ``findings`` (their lines
        counted within ``entry``). None where nothing is played."""
        with self.at(file, line) as replay:
            if replay is None:
                return None
            done, wrong = self.attempt(replay, entry)
            return moment(replay.play) | {
                "did": [event.text for step in done for event in step.events],
                "findings": [as_data(one) for one in wrong],
            }

    def attempt(self, replay: Replay[Any], entry: str) -> tuple[list[Step], list[Diagnostic]]:
        """Play an entry, or a list of them, on a copy of the play that :meth:`at` gave: the steps that
        this made, and what is wrong with it (lines counted within ``entry``)."""
        play = replay.play
        first, found = len(play.steps), len(play.diagnostics)
        actions, read = read_entries(
            entry, play.campaign, Rulebooks(), replay.sessions[-1].session.number
        )
        for action in actions:
            replay.do(action)
        now = replay.play
        # If the entry has retracted another, play went back and came here again.
        again = (one for one in now.diagnostics if one.step > first)
        new = play.diagnostics[found:] if now is play else again
        return now.steps[first:], reported([*read, *new])

    def ending(self, replay: Replay[Any], entry: str) -> list[Diagnostic]:
        """All findings there would be with an entry below all others, played on the copy of the play that
        :meth:`at` gave for the last of them; they are good until that is over."""
        self.attempt(replay, entry)
        replay.close()
        return replay.finish().diagnostics

    @contextmanager
    def trial(self, texts: Mapping[str | Path, str | bytes | None]) -> Iterator[list[Diagnostic]]:
        """All findings there would be with other texts for some files, in file order; they are good, and
        hang on one another, until the ``with`` is over. Nothing changes by it."""
        self._answer()
        kept = self._kept.aside({self._file(file): _bytes(text) for file, text in texts.items()})
        with relaxed_gc():
            try:
                campaign = read_campaign(self.folder, Rulebooks(), root=self._root, kept=kept)
            except CampaignUnreadable as error:
                yield error.diagnostics
                return
            limit = 0
            if self._campaign is not None:
                limit = self._limit(parting(self._campaign, campaign))
            # A snapshot right there may be of the next session already.
            start = self._before(limit - 1)
            replay = self._starting(campaign, start)
            known = _identities(replay)
            try:
                for _, action in play_on(replay, replay.entries):
                    replay.do(action)
                yield replay.finish().diagnostics
            finally:
                _detach_new(replay, known)
                if self._replay is not None:
                    for step in self._replay.play.steps:
                        step.action.step = step.index

    @contextmanager
    def at(self, file: str | Path, line: int) -> Iterator[Replay[Any] | None]:
        """The play right after the entry on a line, or the last one above it in this file; None where
        there is none. It is a copy, to look at and to try things on, until the ``with`` is over."""
        record = self.record
        place = None if record is None else self._place(record.campaign, file, line)
        if record is None or place is None:
            yield None
            return
        with self._lent(self._standing(place)) as replay:
            yield replay

    @contextmanager
    def after(self, step: int) -> Iterator[Play[Any]]:
        """The table right after the entry with this number (0: above the first), the evening over if it
        was the last one of it. It is a copy, until the ``with`` is over.

        Raises:
            ValueError: where there is no such entry.
        """
        record = self.record
        if record is None or not 0 <= step <= len(record.steps):
            raise ValueError(f"there is no entry {step}")
        entries = sum(one.parent is None for one in record.steps[:step])
        ends = [*accumulate(len(session.actions) for session in record.campaign.sessions)]
        evening = bisect_left(ends, entries)
        there = (
            self._standing(_Standing(evening, entries)) if step else self._starting(record.campaign)
        )
        with self._lent(there) as replay:
            if step and ends[evening] == entries:
                replay.close()
            yield replay.play

    # -- inside ------------------------------------------------------------------------------------

    def entry_cache(self, file: Path) -> EntryCache | None:
        """The entries of a file that were parsed last."""
        return self._kept.entry_cache(self._file(file))

    def file(self, place: Place) -> Path:
        """The file that a finding is about."""
        return self._kept.real(self._root / place.path)

    @contextmanager
    def _lent(self, replay: Replay[Any]) -> Iterator[Replay[Any]]:
        """A replay to try things on for a while: what was found meanwhile hangs on nothing afterwards."""
        known = _identities(replay)
        try:
            yield replay
        finally:
            _detach_new(replay, known)

    def _file(self, file: str | Path) -> Path:
        path = Path(file)
        return self._kept.real(path if path.is_absolute() else self.folder / path)

    def _answer(self) -> None:
        """Make the Record true again."""
        if not self._changed:
            return
        self._changed = False
        with relaxed_gc():
            before = self._campaign
            try:
                campaign = read_campaign(self.folder, Rulebooks(), root=self._root, kept=self._kept)
            except CampaignUnreadable as error:
                # What was played before is kept: most often, somebody is typing.
                self._refused = [one for one in error.diagnostics if one.severity]
                self._record = None
                return
            alike = 0 if before is None else parting(before, campaign)
            limit = self._limit(alike)
            begun = _sessions_begun(campaign, limit)
            self._snapshots = [
                one
                for one in self._snapshots
                if one.entry < limit or (one.entry == limit and one.sessions == begun)
            ]
            self._campaign = campaign
            actions = (action for session in campaign.sessions for action in session.actions)
            self._entries = {id(action): number for number, action in enumerate(actions)}
            self._record = self._play(max(alike, 0))

    def _limit(self, alike: int) -> int:
        """From which entry on to replay, where the first ``alike`` entries are the same: an entry that was
        retracted by one that is no more stands again."""
        numbers = self._entries
        gone = [one for one in self._strikes if numbers[id(one.by_entry)] >= alike]
        return min([alike, *(numbers[id(one.entry)] for one in gone)])

    def _play(self, changed: int) -> Record:
        """Replay to the end from the last snapshot that still holds.

        Args:
            changed: the number of the first entry that is new.
        """
        campaign, before = self._campaign, self._replay
        assert campaign is not None
        self._record = None
        start = self._before(len(self._entries))
        if before is not None:
            detach(before.play.diagnostics[0 if start is None else start.diagnostics :])
        anchors = None if before is None else before.play.anchors
        self._replay = replay = self._starting(campaign, start, anchors)
        begin = replay.entries
        wanted = self._wanted(changed)
        for number, action in play_on(replay, begin):
            if number in wanted and number > begin:
                self._snapshots.append(Snapshot(replay))
            replay.do(action)
        self._strikes = replay.strikes
        self._thin(wanted)
        record = replay.finish()
        if isinstance(record.names, Overheard):
            # Whoever looks a word up from now on does not say it in the log.
            record.names.stand("")
        return record

    def _wanted(self, changed: int) -> list[int]:
        """Before which entries to keep snapshots, the most useful first: before the last entry and the one that
        changed, then at the starts of sessions, ever fewer with their distance from the change."""
        assert self._campaign is not None
        sizes = [len(session.actions) for session in self._campaign.sessions]
        starts = [0, *accumulate(sizes)]
        here = next((at for at, end in enumerate(starts[1:]) if changed < end), len(sizes) - 1)
        total = starts[-1]
        wanted = [total - 1, changed, starts[max(len(sizes) - 1, 0)]]
        distance = 0
        while distance <= here:
            wanted.append(starts[here - distance])
            distance = 2 * distance + 1
        usable = [at for at in wanted if 0 < at < total and not self._amid(at)]
        return [*dict.fromkeys(usable)][: MOST_SNAPSHOTS - 1]

    def _thin(self, wanted: Sequence[int]) -> None:
        """Keep no more snapshots than allowed, those that are wanted first."""
        ranks = {entry: rank for rank, entry in enumerate(wanted)}
        kept = [one for one in self._snapshots if not self._amid(one.entry)]
        kept.sort(key=lambda one: ranks.get(one.entry, len(ranks)))
        self._snapshots = sorted(kept[: MOST_SNAPSHOTS - 1], key=lambda one: one.entry)

    def _before(self, entry: int) -> Snapshot | None:
        """The last snapshot at or above an entry, and not between a retracted entry and the one that retracts it:
        there the state depends on what comes below."""
        for snapshot in reversed(self._snapshots):
            if snapshot.entry <= entry and not self._amid(snapshot.entry):
                return snapshot
        return None

    def _amid(self, entry: int) -> bool:
        return any(
            self._entries.get(id(one.entry), entry)
            < entry
            <= self._entries.get(id(one.by_entry), 0)
            for one in self._strikes
        )

    def _starting(
        self,
        campaign: Campaign,
        start: Snapshot | None = None,
        anchors: Anchors | None = None,
    ) -> Replay[Any]:
        """A replay that stands at a snapshot, or before the first entry."""
        above = [one for one in self._snapshots if start is not None and one.entry <= start.entry]
        names = Overheard(campaign.renamed) if self.listening else None
        return Replay(
            campaign,
            rulebook(campaign.game),
            names,
            shown=self.shown,
            panels=self.panels,
            start=start,
            anchors=anchors,
            snapshots=above,
        )

    def _place(self, campaign: Campaign, file: str | Path, line: int) -> _Standing | None:
        """Where somebody means to stand."""
        shown = self._file(file)
        real: dict[str, bool] = {}

        def here(path: str) -> bool:
            if path not in real:
                real[path] = self._kept.real(self._root / path) == shown
            return real[path]

        first = 0
        for at, session in enumerate(campaign.sessions):
            # What stands in files of its own is played at the top of the first evening.
            among = session.actions if not at or here(session.path) else ()
            lines = [
                (number, action.whole.line)
                for number, action in enumerate(among, first)
                if here(action.path)
            ]
            if lines or here(session.path):
                above = [number for number, start in lines if start <= line]
                if above:
                    return _Standing(at, above[-1] + 1)
                return _Standing(at, lines[0][0] if lines else first + len(session.actions))
            first += len(session.actions)
        return None

    def _standing(self, place: _Standing) -> Replay[Any]:
        """A replay of its own that stands somewhere. What is retracted further down still stands then."""
        campaign = self._campaign
        assert campaign is not None
        start = self._before(place.entry)
        if start is not None and start.sessions > place.session + 1:
            start = self._before(place.entry - 1)
        replay = self._starting(campaign, start)
        known = _identities(replay)
        for number, action in play_on(replay, replay.entries, place.session):
            if number == place.entry:
                break
            replay.do(action)
        _detach_new(replay, known)
        return replay


def _identities(replay: Replay[Any]) -> set[int]:
    """The identities of the diagnostics that a replay has found so far."""
    return {id(one) for one in replay.play.diagnostics}


def _detach_new(replay: Replay[Any], known: set[int]) -> None:
    """Take the diagnostics that are not known off their causes, which other replays share."""
    detach([one for one in replay.play.diagnostics if id(one) not in known])


def _bytes(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


class _Standing(NamedTuple):
    """A place in the log: in which evening, and before which entry (both counted from 0)."""

    session: int
    entry: int


def parting(before: Campaign, now: Campaign) -> int:
    """How many entries at the start of two readings of a campaign are the same, and nothing that they
    depend on is another; -1 if what stands above all entries is."""
    if not (
        before.game == now.game
        and before.path == now.path
        and same(before.settings.source, now.settings.source)
        and (before.journal, before.art, before.notes) == (now.journal, now.art, now.notes)
        and len(before.sessions) == len(now.sessions)
        and all(map(_same_evening, before.sessions, now.sessions))
    ):
        return -1
    alike = 0
    lost, now_lost = _left_out(before), _left_out(now)
    for one, other in zip(before.sessions, now.sessions, strict=True):
        left_out = _first_other(lost.get(one.path, ()), now_lost.get(one.path, ()))
        if one is other and left_out is None:
            alike += len(one.actions)
            continue
        for action, again in zip(one.actions, other.actions, strict=False):
            if action is not again or (left_out is not None and action.key.line > left_out):
                return alike
            alike += 1
        if left_out is not None:
            # With the evening goes what was left out at its end.
            return alike - 1
        if len(one.actions) != len(other.actions):
            return alike
    return alike


def _sessions_begun(campaign: Campaign, entry: int) -> int:
    """How many sessions have begun right before an entry, given by its number."""
    for begun, session in enumerate(campaign.sessions, 1):
        entry -= len(session.actions)
        if entry < 0:
            return begun
    return len(campaign.sessions)


def _same_evening(one: Session, other: Session) -> bool:
    """Whether two readings of a session say the same above its entries."""
    return one is other or (
        one.path == other.path
        and same(one.header.source, other.header.source)
        and _preparing(one) == _preparing(other)
    )


def _preparing(session: Session) -> bool:
    return any(isinstance(action, PlayStarts) for action in session.actions)


def _left_out(campaign: Campaign) -> dict[str, list[Diagnostic]]:
    """What could not be read, by file."""
    found: dict[str, list[Diagnostic]] = {}
    for one in campaign.diagnostics:
        if one.dropped:
            found.setdefault(one.place.path, []).append(one)
    return found


def _first_other(before: Sequence[Diagnostic], now: Sequence[Diagnostic]) -> int | None:
    """The first line on which something else was left out than is now."""
    both = {id(one) for one in before} & {id(one) for one in now}
    return min((one.place.line for one in (*before, *now) if id(one) not in both), default=None)
