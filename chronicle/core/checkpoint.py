"""A replay that can stand anywhere: what play was like before an entry, kept small, to go back to.

A checkpoint is the table as a pickle. What never changes once it is made (entries, words, places,
settings, rule books, findings, postings) is kept by reference; what only grows (steps, findings, the
ledger) is kept by its length and cut back. Steps that later entries have changed are taken from before
that (:meth:`chronicle.core.play.Play.reopen`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from operator import is_
from time import monotonic, process_time
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Session
from chronicle.core.diagnostic import Diagnostic, detach
from chronicle.core.ledger import Ledger, Posting
from chronicle.core.moved import Moved
from chronicle.core.names import Far, Heard, Overheard
from chronicle.core.numbers import Renumbered, number
from chronicle.core.packed import Outside, Reader, Way, Writer, kept
from chronicle.core.play import Play
from chronicle.core.record import SessionRecord, Step
from chronicle.core.steps import Steps
from chronicle.core.timeline import Timeline

_SERIAL = count(1)
_APART = frozenset({"steps", "anchors", "diagnostics", "campaign", "foreseen", "changed"})
"""What a table has that is not part of its pickle."""


class Resumable(Protocol):
    """A replay as far as a checkpoint needs to know it."""

    play: Play[Any]
    sessions: list[SessionRecord]
    apart: ClassVar[frozenset[str]]
    """What it has besides that is not part of its pickle."""

    def resume(self, base: Any) -> None:
        """Go on from here, on the same way as ``base``."""


R = TypeVar("R", bound=Resumable)


def _part_of(one: Any, apart: frozenset[str]) -> tuple[Any, ...]:
    """How a thing is made again without some of what it has."""
    make, how, state = one.__reduce_ex__(4)[:3]
    had, in_slots = state if type(state) is tuple else (state, {})
    parts = {**(had or {}), **in_slots}
    return make, how, (None, {name: parts[name] for name in parts if name not in apart})


class _Writer(Writer):
    def __init__(self, replay: Resumable) -> None:
        super().__init__()
        play = replay.play
        self.sessions = {id(one): at for at, one in enumerate(play.campaign.sessions)}
        self.findings = {id(one): at for at, one in enumerate(play.diagnostics)}
        self.named: set[int] = set()
        """The numbers of the steps that it names."""
        self.blamed: set[int] = set()
        """The findings that it names, in the order in which they were found."""

    def way(self, kind: type) -> Way | None:
        if issubclass(kind, Step):
            return self._step
        if issubclass(kind, Diagnostic):
            return self._finding
        if issubclass(kind, Session):
            return self._session
        if issubclass(kind, Campaign):
            return lambda one: (kept, ("campaign", 0))
        if issubclass(kind, Anchors):
            return lambda one: (kept, ("anchors", 0))
        if issubclass(kind, Ledger):
            return lambda one: (
                kept,
                (
                    "ledger",
                    len(one.postings),
                    {(account, unit): n for account, unit, n in one.balances()},
                ),
            )
        if issubclass(kind, Heard):
            return self._heard
        if issubclass(kind, Timeline):
            return lambda one: (*one.__reduce_ex__(4)[:2], {**vars(one), "_earlier": {}})
        if issubclass(kind, Play):
            return partial(_part_of, apart=_APART)
        apart = getattr(kind, "apart", None)
        if isinstance(apart, frozenset):
            return partial(_part_of, apart=apart)
        return super().way(kind)

    def _step(self, step: Step) -> tuple[Any, ...]:
        self.named.add(step.index)
        # The number is kept outside of the pickle, like all numbers of steps.
        return kept, ("step", step.index)

    def _heard(self, heard: Heard) -> tuple[Any, ...]:
        self.objects.append(heard.far())
        return kept, ("heard", len(self.objects) - 1)

    def _session(self, session: Session) -> tuple[Any, ...]:
        at = self.sessions.get(id(session))
        return self.constant(session) if at is None else (kept, ("session", at))

    def _finding(self, finding: Diagnostic) -> tuple[Any, ...]:
        at = self.findings.get(id(finding))
        if at is not None:
            self.blamed.add(at)
        # What was found while reading is kept with the file it was found in.
        return self.constant(finding) if at is None else (kept, ("finding", at))


class _Heard:
    """As much more was heard as ``now`` is than ``old``."""

    kinds: ClassVar[frozenset[type]] = frozenset({Far})

    def __init__(self, old: Far, now: Far) -> None:
        self._old, self._now = old, now

    def of(self, far: Far) -> Far:
        """How much was heard, as it is now."""
        return far.further(self._old, self._now)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Checkpoint:
    """The table right before an entry. ``entry`` counts the entries of the log above it, nested ones
    left out; ``steps`` counts them all."""

    entry: int
    evenings: int
    """How many have begun: an entry may be the first of one, or the last one more of the one before."""
    steps: int
    findings: int
    packed: bytes
    outside: Outside
    named: frozenset[int]
    """The numbers of the steps that the table knows."""
    blamed: frozenset[int]
    """The findings that the table knows, by how many were found before."""
    purses: int
    """A figure that tells two states of the ledger apart, most of the time."""
    serial: int
    after: int
    """The serial number of the one from which play had come here (0: none). What comes from there once
    more, and the same way, is the same to the last byte."""

    def on(self, campaign: Campaign, base: R, *, apart: bool) -> R:
        """A replay that stands here and goes on as ``campaign`` says.

        ``base`` is a replay that has come further on the same way. With ``apart`` it is left alone;
        else it is of no use any more: what it has found is no longer so.
        """
        return self.begin(self.stand(campaign, base, apart=apart), campaign, base, apart=apart)

    def begin(self, replay: R, campaign: Campaign, base: R, *, apart: bool) -> R:
        """One that stands here goes on, as :meth:`on` has it."""
        replay.play.campaign = campaign
        if not apart:
            detach(base.play.diagnostics[self.findings :])
        replay.resume(base)
        return replay

    def stand(self, campaign: Campaign, base: R, *, apart: bool) -> R:
        """A replay that stands here, and does not know yet how ``base`` had come here."""
        steps = base.play.steps.cut(self.steps, self.entry)
        findings = base.play.diagnostics[: self.findings]
        changed, postings = base.play.changed, base.play.ledger.postings
        for since, was in reversed(changed):
            if since > self.steps >= was.index:
                steps[was.index - 1] = was
        anchors = base.play.anchors
        if apart:
            anchors = anchors.apart(steps)
        else:
            anchors.afresh(steps)

        replay: R = self._read(campaign, base, steps, findings, anchors, postings, apart=apart)
        replay.play.changed = [one for one in changed if one[0] <= self.steps]
        return replay

    def instead(self, campaign: Campaign, base: R) -> R:
        """The replay that this was kept of a moment ago, with what it has and knows by reference as that
        is now."""
        play = base.play
        parts = play.steps, play.diagnostics, play.anchors, play.ledger.postings
        replay: R = self._read(campaign, base, *parts, apart=False)
        replay.play.changed = play.changed
        return replay

    def _read(
        self,
        campaign: Campaign,
        base: R,
        steps: Steps,
        findings: list[Diagnostic],
        anchors: Anchors,
        postings: list[Posting],
        *,
        apart: bool,
    ) -> R:
        objects = self.objects

        def fetch(what: str, at: int, more: Any = None) -> Any:
            match what:
                case "step":
                    return steps.known(at)
                case "finding":
                    return findings[at]
                case "constant":
                    return objects[at]
                case "session":
                    return campaign.sessions[at]
                case "ledger":
                    return Ledger(postings[:at], more)
                case "heard":
                    names = base.play.names
                    assert isinstance(names, Overheard)
                    return names.heard.until(objects[at], apart=apart)
                case "anchors":
                    return anchors
                case _:
                    return campaign

        replay: R = Reader(self.packed, fetch).load()
        play = replay.play
        play.steps, play.anchors, play.diagnostics = steps, anchors, findings
        play.campaign = campaign
        return replay

    def renumbered(
        self, renumbered: Renumbered, entries: int, old: Far, now: Far, found: int = 0
    ) -> Checkpoint:
        """The same, so many more entries further down, where more was heard and so many more were ``found``
        above it."""
        return replace(
            self,
            entry=self.entry + entries,
            steps=self.steps + renumbered.more,
            findings=self.findings + found,
            outside=self.outside.after(renumbered).after(_Heard(old, now)),
            named=frozenset(map(renumbered.step, self.named)),
        )

    def moved(self, moved: Moved) -> Checkpoint:
        """The same, where entries stand in other lines."""
        outside = self.outside.after(moved)
        return self if outside is self.outside else replace(self, outside=outside)

    @property
    def objects(self) -> tuple[Any, ...]:
        """What the table knows by reference, as it is now."""
        return self.outside.objects

    @property
    def far(self) -> Far:
        """How much had been heard, by names that listen."""
        return next((one for one in self.objects if type(one) is Far), Far({}, {}))


class Ahead(Generic[R]):
    """Replays that stand at checkpoints already: made when nobody waited, for who comes next."""

    def __init__(self) -> None:
        self._standing: list[tuple[Checkpoint, R]] = []
        self.takes = 0.0
        """How many seconds of processor time it took to bring the last one there."""

    def stand(
        self, marks: Sequence[Checkpoint], campaign: Campaign, base: R, until: float | None = None
    ) -> bool:
        """Let one stand at each of these checkpoints, two where one is told twice, and nowhere else. False if
        that takes longer than ``until``, as the clock of :func:`time.monotonic` has it, and more is to do."""
        had, self._standing = self._standing, []
        lacking: list[Checkpoint] = []
        for mark in marks:
            stands = next((one for one in had if _same(one[0], mark)), None)
            if stands is None:
                lacking.append(mark)
            else:
                had.remove(stands)
                self._standing.append(stands)
        for mark in lacking:
            if until is not None and monotonic() > until:
                return False
            begun = process_time()
            self._standing.append((mark, mark.stand(campaign, base, apart=True)))
            self.takes = process_time() - begun
        return True

    def keep(self, marks: Collection[Checkpoint]) -> None:
        """Above these checkpoints nothing is another than it was; it is above all others."""
        serials = {one.serial for one in marks}
        self._standing = [one for one in self._standing if one[0].serial in serials]

    def move(self, moved: Moved) -> None:
        """Know where words were heard that stand in other lines now."""
        for _, replay in self._standing:
            if isinstance(replay.play.names, Overheard):
                replay.play.names.heard.move(moved)

    def on(self, mark: Checkpoint, campaign: Campaign, base: R, *, apart: bool) -> R:
        """What :meth:`Checkpoint.on` gives, at once where one stands there."""
        stands = next((one for one in self._standing if _same(one[0], mark)), None)
        if stands is None:
            return mark.on(campaign, base, apart=apart)
        self._standing.remove(stands)
        return mark.begin(stands[1], campaign, base, apart=apart)


def _same(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether two are one, and all that it keeps stands in the lines it stood in."""
    return one.serial == other.serial and (
        one.outside is other.outside or all(map(is_, one.objects, other.objects))
    )


def purses(play: Play[Any]) -> int:
    """What :attr:`Checkpoint.purses` is now."""
    return hash((len(play.ledger.postings), frozenset(play.ledger.balances())))


def checkpoint(
    replay: Resumable, entry: int, after: Checkpoint | None = None, *, small: bool = True
) -> Checkpoint:
    """What a replay is like that stands right before an entry; ``after``: where it has come from.
    ``small``: for what is kept long (:meth:`chronicle.core.packed.Writer.pack`)."""
    play = replay.play
    # From now on, nothing above is changed any more.
    play.since = number(len(play.steps) + 1)
    writer = _Writer(replay)
    packed = writer.pack(replay, small=small)
    return Checkpoint(
        entry,
        len(replay.sessions),
        len(play.steps),
        len(play.diagnostics),
        packed,
        Outside(writer.objects),
        frozenset(writer.named),
        frozenset(writer.blamed),
        purses(play),
        next(_SERIAL),
        0 if after is None else after.serial,
    )
