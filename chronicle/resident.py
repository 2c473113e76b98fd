"""A campaign that stays in memory: it takes changed texts, saved or not, and answers at once.

Everything it says is what a cold check would say of the same texts. What it keeps:

- each file as it was read, so that only what changed is read again;
- checkpoints of the play, so that only what comes after a change is played again.

Plain data goes in (paths, texts, lines) and comes out (mappings of strings and numbers that
``json.dumps`` takes); :attr:`Resident.record` is there for whoever draws pages. Nothing is written, and
nothing is kept on the disk. It runs on one thread, without C parsers as well.

    resident = Resident(Path("sessions/our-campaign"))
    resident.findings()                             # as ``chronicle check --format json`` has them
    resident.change({"03.yaml": text})              # as an editor has it, not saved
    resident.findings()
    resident.moment("03.yaml", 17)                  # the table after the entry on line 17
    resident.what_if("03.yaml", 17, "- tell: ...")  # what an entry would do there
    resident.settle()                               # when nobody waits: get ready for the next change
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from sys import maxsize
from time import monotonic
from typing import Any, NamedTuple

from chronicle.campaigns import Rulebooks, relaxed_gc, usual_gc
from chronicle.core.campaign import Campaign, Session
from chronicle.core.checkpoint import Ahead, Checkpoint, checkpoint
from chronicle.core.common import PlayStarts
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, detach
from chronicle.core.moment import moment
from chronicle.core.names import Overheard
from chronicle.core.play import Play
from chronicle.core.record import Record, Step
from chronicle.core.rejoin import beyond, rejoin
from chronicle.core.replay import Replay, play_on
from chronicle.core.source import Entries, Place, same
from chronicle.core.strikes import Strikes
from chronicle.games import rulebook
from chronicle.transcript.folder import CampaignUnreadable, read_campaign, read_entries
from chronicle.transcript.kept import Kept
from chronicle.transcript.published import needed
from chronicle.transcript.render import as_data, heads

FEWEST_BETWEEN = 64
"""Entries between two checkpoints, at least: so many are played again faster than one is kept."""
MOST_CHECKPOINTS = 16
MOST_DONE = 2
"""How many plays that somebody has looked at are held, until there is time to take them apart."""
NEAR = 4
"""How many entries above and below a change the nearest checkpoints are kept, for what is typed next to
it."""


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
        self._marks: list[Checkpoint] = []
        self._strikes = Strikes()
        self._entries: dict[int, int] = {}
        """The entries of the log by their identities, with their numbers."""
        self._looked: dict[int, Entries] = {}
        """The entries that were found to keep nothing back."""
        self._focus = 0
        """The entry at which the last change began."""
        self._walk: _Walk | None = None
        self._ahead: Ahead[Replay[Any]] = Ahead()
        self._done: list[Replay[Any]] = []
        """Plays that somebody has looked at, to be taken apart when there is time."""

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
            return [as_data(one) for one in found if one.cause is None and one.severity]

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
        return play.steps[first:], heads([*read, *play.diagnostics[found:]])

    def ending(self, replay: Replay[Any], entry: str) -> list[Diagnostic]:
        """All findings there would be with an entry below all others, played on the copy of the play that
        :meth:`at` gave for the last of them; they are good until that is over."""
        self.attempt(replay, entry)
        replay.close()
        return replay.finish().diagnostics

    @contextmanager
    def trial(self, texts: Mapping[str | Path, str | bytes | None]) -> Iterator[list[Diagnostic]]:
        """All findings there would be with other texts for some files, in file order; they are good, and
        hang on one another, until the ``with`` is over. Nothing changes by it. What is said of entries
        that say the same in other lines is said of the lines they stand in now."""
        self._answer()
        kept = self._kept.aside({self._file(file): _bytes(text) for file, text in texts.items()})
        with relaxed_gc(until_usual=True):
            try:
                campaign = read_campaign(self.folder, Rulebooks(), root=self._root, kept=kept)
            except CampaignUnreadable as error:
                yield error.diagnostics
                return
            limit, meeting = 0, _NOWHERE
            if self._campaign is not None:
                alike = parting(self._campaign, campaign)
                limit = self._limit(alike)
                meeting = _meeting(self._campaign, campaign)
            later = self._replay
            # A checkpoint right there may stand in the next evening already.
            starts = (one for one in self._marks if one.entry < limit)
            below = (one for one in self._marks if one.entry > limit)
            met = self._met(starts, below, meeting) if later is not None else None
            if met is not None and later is not None:
                replay = self._ahead.on(met.start, campaign, later, apart=True)
            else:
                replay = self._from(limit - 1, apart=True, campaign=campaign)
            first, begin = len(replay.play.diagnostics), self._first(replay)
            try:
                for number, action in play_on(replay, begin):
                    if met is not None and number == met.mark.entry + meeting.more:
                        assert later is not None
                        found = beyond(replay, later, *met)
                        if found is not None:
                            yield replay.found(found)
                            return
                    replay.do(action)
                yield replay.finish().diagnostics
            finally:
                detach(replay.play.diagnostics[first:])
                self._over(replay)
                if later is not None:
                    for step in later.play.steps[begin:]:
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
            self._standing(_Standing(evening, entries)) if step else self._fresh(record.campaign)
        )
        with self._lent(there) as replay:
            if step and ends[evening] == entries:
                replay.close()
            yield replay.play

    # -- getting ready -----------------------------------------------------------------------------

    @property
    def brought(self) -> float:
        """How many seconds of processor time it takes to bring a copy of the play where it is wanted, if
        none stands there already."""
        return self._ahead.takes

    def settle(self, seconds: float | None = None) -> bool:
        """Use time that nobody waits for: keep checkpoints near the last change and all along the
        log. False if there is more to do (``seconds`` were over)."""
        record = self.record
        self._done.clear()
        usual_gc()
        if record is None:
            return True
        until = None if seconds is None else monotonic() + seconds
        walk = self._walk or _Walk(self._wanted())
        with relaxed_gc():
            done = self._go_on(walk, until)
            self._walk = None if done else walk
            for mark in self._marks if done else ():
                if until is not None and monotonic() > until:
                    return False
                mark.outside.settle()
            if done and self._replay is not None:
                likely = self._likely()
                done = self._ahead.stand(likely, record.campaign, self._replay, until)
        return done

    # -- inside ------------------------------------------------------------------------------------

    def file(self, place: Place) -> Path:
        """The file that a finding is about."""
        return self._kept.real(self._root / place.path)

    @contextmanager
    def _lent(self, replay: Replay[Any]) -> Iterator[Replay[Any]]:
        """A replay to try things on for a while: what was found meanwhile hangs on nothing afterwards."""
        first = len(replay.play.diagnostics)
        try:
            yield replay
        finally:
            detach(replay.play.diagnostics[first:])
            self._over(replay)

    def _over(self, replay: Replay[Any]) -> None:
        """Nobody looks at a play any more. To take it apart takes as long as to answer: that is done when
        nobody waits."""
        replay.let_go()
        self._done.append(replay)
        del self._done[:-MOST_DONE]

    def _file(self, file: str | Path) -> Path:
        path = Path(file)
        return self._kept.real(path if path.is_absolute() else self.folder / path)

    def _answer(self) -> None:
        """Make the Record true again."""
        if not self._changed:
            return
        self._changed = False
        self._walk = None
        with relaxed_gc(until_usual=True):
            before = self._campaign
            try:
                campaign = read_campaign(self.folder, Rulebooks(), root=self._root, kept=self._kept)
                self._move()
            except CampaignUnreadable as error:
                # What was played before is kept: most often, somebody is typing.
                self._refused = [one for one in error.diagnostics if one.severity]
                self._record = None
                return
            alike = 0 if before is None else parting(before, campaign)
            numbers = self._entries
            limit = self._limit(alike)
            for action in _since(before, alike) if before is not None else ():
                del numbers[id(action)]
            for number, action in enumerate(_since(campaign, alike), max(alike, 0)):
                numbers[id(action)] = number
            meeting = _NOWHERE if before is None else _meeting(before, campaign)
            self._campaign, self._focus = campaign, max(alike, 0)
            ahead = [one for one in self._marks if one.entry > limit]
            begun = _begun(campaign, limit)
            self._marks = [
                one
                for one in self._marks
                if one.entry < limit or (one.entry == limit and one.evenings == begun)
            ]
            self._ahead.keep(self._marks)
            self._record = self._play(limit, ahead, meeting)

    def _limit(self, alike: int) -> int:
        """From which entry on to play, where so many are the same: what was struck by an entry that is no
        more stands again."""
        numbers = self._entries
        gone = [one for one in self._strikes if numbers[id(one.by_entry)] >= alike]
        return min([alike, *(numbers[id(one.entry)] for one in gone)])

    def _move(self) -> None:
        """Know where entries stand now that stand in other lines."""
        for moved in self._kept.moved:
            if self._replay is not None:
                self._replay.move(moved)
            self._ahead.move(moved)
            self._marks = [mark.moved(moved) for mark in self._marks]
        self._kept.moved.clear()

    def _play(self, limit: int, ahead: Sequence[Checkpoint], meeting: _Meeting) -> Record:
        """Play from an entry on, until the table is again what it was: that may be from ``meeting`` on.
        ``ahead`` are checkpoints of what was played before."""
        later, met = self._replay, self._met(self._marks, ahead, meeting, meeting.more)
        opened = later is None
        self._record = None
        if met is None or later is None or self._campaign is None:
            self._replay = replay = self._from(limit)
            if later is not None:
                later.let_go()
                later = None
        else:
            self._replay = replay = self._ahead.on(met.start, self._campaign, later, apart=True)
        begin = self._first(replay)
        keep = self._kept_ahead(begin, limit, opened=opened)
        for number, action in play_on(replay, begin):
            if number in keep:
                self._marks.append(checkpoint(replay, number))
            if met is not None and later is not None and number == met.mark.entry + meeting.more:
                old, far = met.mark.entry, met.mark.far
                names = replay.play.names
                now = names.heard.far() if isinstance(names, Overheard) else far
                above = met.start.findings
                found = len(replay.play.diagnostics) - met.mark.findings
                renumbered = rejoin(replay, later, met.start, met.mark)
                if renumbered is not None:
                    self._marks += [
                        one.renumbered(renumbered, meeting.more, far, now, found)
                        for one in ahead
                        # What they know of what was found is counted from the start of the log.
                        if one.entry >= old and not (found and max(one.blamed, default=-1) >= above)
                    ]
                    self._strikes = replay.strikes
                    return replay.record()
                detach(later.play.diagnostics[met.start.findings :])
                later.let_go()
                met = later = None
            replay.do(action)
        self._strikes = replay.strikes
        record = replay.finish()
        if isinstance(record.names, Overheard):
            # Whoever looks a word up from now on does not say it in the log.
            record.names.stand("")
        return record

    def _kept_ahead(self, begin: int, limit: int, *, opened: bool) -> set[int]:
        """Before which entries to keep a checkpoint on the way, before there is time to settle: whoever
        opens a campaign mostly goes on at its end, or mends something of its last evening; and whoever
        changes something goes on there."""
        assert self._campaign is not None
        total, evenings = len(self._entries), self._campaign.sessions
        wanted = {limit}
        if opened:
            wanted = {total - NEAR, total - len(evenings[-1].actions) if evenings else 0}
        return {one for one in wanted if one - begin > NEAR and not self._amid(one)}

    def _met(
        self,
        starts: Iterable[Checkpoint],
        ahead: Iterable[Checkpoint],
        meeting: _Meeting,
        more: int = 0,
    ) -> _Met | None:
        """Where the table may be again what it was, the nearest such place: one ``ahead``, ``more`` entries
        further down by now, that play can come to from one of the ``starts``."""
        mark = next(
            (
                one
                for one in ahead
                if one.entry > meeting.entry and not self._amid(one.entry + more)
            ),
            None,
        )
        for start in starts if mark is not None else ():
            if mark is not None and start.serial == mark.after and not self._amid(start.entry):
                return _Met(start, mark)
        return None

    def _wanted(self) -> list[int]:
        """The entries before which checkpoints are missing."""
        assert self._campaign is not None
        total = sum(len(session.actions) for session in self._campaign.sessions)
        step = max(FEWEST_BETWEEN, total // MOST_CHECKPOINTS)
        wanted = {*range(step, total, step)}
        wanted |= {0, max(0, self._focus - NEAR), max(0, total - NEAR)}
        wanted |= {one for one in self._below() if one < total}
        have = {one.entry for one in self._marks}
        # Those that were near something else are of no more use.
        needed = {one.after for one in self._marks if one.entry in wanted}
        self._marks = [one for one in self._marks if one.entry in wanted or one.serial in needed]
        return sorted(one for one in wanted - have if not self._amid(one))

    def _below(self) -> tuple[int, int]:
        """The entries below the last change at which the table is most likely to be again what it was:
        right below it, or once the file is over whose lines have moved."""
        assert self._campaign is not None
        over = 0
        for session in self._campaign.sessions:
            over += len(session.actions)
            if over > self._focus:
                break
        return self._focus + 1 + NEAR, over + 1

    def _likely(self) -> list[Checkpoint]:
        """The checkpoints from which play most likely goes on next: for what is changed where the last
        change was, for whoever looks at the table after that, and for who tries something else instead."""
        met = self._met(self._marks, self._marks, _Meeting(self._focus))
        after = self._before(self._focus)
        # A checkpoint right there may stand in the next evening already.
        instead = self._before(max(self._focus - 1, 0))
        return [one for one in (met.start if met else after, after, instead) if one is not None]

    def _before(self, entry: int) -> Checkpoint | None:
        """The last checkpoint at or above an entry, and not between a struck entry and what strikes
        it: what that takes to be judged lies above."""
        for mark in reversed(self._marks):
            if mark.entry <= entry and not self._amid(mark.entry):
                return mark
        return None

    def _amid(self, entry: int) -> bool:
        return any(
            self._entries.get(id(one.entry), entry)
            < entry
            <= self._entries.get(id(one.by_entry), 0)
            for one in self._strikes
        )

    def _from(
        self, entry: int, *, apart: bool = False, campaign: Campaign | None = None
    ) -> Replay[Any]:
        """A replay that stands at an entry, or at a checkpoint above it; a copy, if ``apart``.
        ``campaign``: another reading of it, the same down to there."""
        campaign, base = campaign or self._campaign, self._replay
        assert campaign is not None
        mark = self._before(entry)
        if mark is not None and base is not None:
            return self._ahead.on(mark, campaign, base, apart=apart)
        if base is not None and not apart:
            detach(base.play.diagnostics)
        return self._fresh(campaign)

    def _fresh(self, campaign: Campaign) -> Replay[Any]:
        """A replay that stands above everything."""
        names = Overheard(campaign.renamed) if self.listening else None
        rules = rulebook(campaign.game)
        return Replay(campaign, rules, names, shown=self.shown, panels=self.panels)

    @staticmethod
    def _first(replay: Replay[Any]) -> int:
        """The number of the entry that a replay goes on with."""
        return len(replay.play.steps.reached)

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
        """A replay of its own that stands somewhere. What is struck further down still stands then."""
        # A checkpoint right there may stand in the next evening already.
        replay = self._from(max(place.entry - 1, 0), apart=True)
        found = len(replay.play.diagnostics)
        for number, action in play_on(replay, self._first(replay), place.session):
            if number == place.entry:
                break
            replay.do(action)
        detach(replay.play.diagnostics[found:])
        return replay

    def _go_on(self, walk: _Walk, until: float | None) -> bool:
        """Walk along the log, keeping checkpoints where they are wanted."""
        while walk.wanted:
            if walk.replay is None:
                # Each comes from the one above it: what is played once more from there is the same to
                # the last byte, as long as it is the same.
                above = self._above(walk.wanted[0])
                walk.start = self._before(above)
                walk.replay = self._from(above, apart=True)
                walk.replay.knowing(self._strikes)
                walk.rest = play_on(walk.replay, self._first(walk.replay))
            if not self._to_the_next(walk, walk.replay, until):
                return False
            walk.wanted.pop(0)
            walk.replay.let_go()
            walk.replay, walk.rest = None, iter(())
        return True

    def _above(self, entry: int) -> int:
        """Below which entry nobody may have gone who comes to another: what is typed next between
        checkpoints near a change is between one and those that came from it."""
        near = entry <= self._focus + 1 + NEAR or entry in self._below()
        return min(entry, self._focus) if near else entry

    def _near(self, entry: int) -> bool:
        """Whether the checkpoint before an entry is the one that is most likely needed next."""
        return abs(entry - self._focus) <= NEAR + 1 or entry in self._below()

    def _to_the_next(self, walk: _Walk, replay: Replay[Any], until: float | None) -> bool:
        found = len(replay.play.diagnostics)
        try:
            for number, action in walk.rest:
                if number == walk.wanted[0]:
                    small = not self._near(number)
                    mark = checkpoint(replay, number, walk.start, small=small)
                    at = bisect_right(self._marks, number, key=lambda one: one.entry)
                    self._marks.insert(at, mark)
                    return True
                replay.do(action)
                if until is not None and number % 16 == 0 and monotonic() > until:
                    return False
        finally:
            detach(replay.play.diagnostics[found:])
        return True


def _bytes(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


class _Standing(NamedTuple):
    """A place in the log: in which evening, and before which entry (both counted from 0)."""

    session: int
    entry: int


class _Meeting(NamedTuple):
    """From which entry on, by its number before, a campaign is what it was, and how many ``more`` entries
    now lie above it."""

    entry: int
    more: int = 0


_NOWHERE = _Meeting(maxsize)


class _Met(NamedTuple):
    """A checkpoint from which to play, and one below at which the table may be again what it was."""

    start: Checkpoint
    mark: Checkpoint


class _Walk:
    """A replay on its way along the log, from a checkpoint (or the start) to the ones that are wanted."""

    def __init__(self, wanted: list[int]) -> None:
        self.wanted = wanted
        self.replay: Replay[Any] | None = None
        self.rest: Iterator[tuple[int, Action]] = iter(())
        self.start: Checkpoint | None = None
        """Where it has come from."""


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


def _meeting(before: Campaign, now: Campaign) -> _Meeting:
    """Where two readings of a campaign are the same again."""
    number = sum(len(session.actions) for session in before.sessions)
    more = sum(len(session.actions) for session in now.sessions) - number
    for one, other in zip(reversed(before.sessions), reversed(now.sessions), strict=False):
        if one is other:
            number -= len(other.actions)
            continue
        for action, again in zip(reversed(one.actions), reversed(other.actions), strict=False):
            if action is not again:
                break
            number -= 1
        # Whatever else has changed lies above.
        break
    return _Meeting(number, more)


def _since(campaign: Campaign, entry: int) -> Iterator[Action]:
    """The entries of a campaign from one on, given by its number."""
    for session in campaign.sessions:
        yield from session.actions[max(entry, 0) :]
        entry -= len(session.actions)


def _begun(campaign: Campaign, entry: int) -> int:
    """How many evenings have begun right before an entry, given by its number."""
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
