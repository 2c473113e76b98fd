"""Where two ways of play meet again: what comes after a changed entry is kept, not played again, where the
table is as it was before the change and nobody looked up at what changed.

That the table is the same is told by checkpoints (:mod:`chronicle.core.checkpoint`): two that came from the
same one are the same to the last byte if they hold the same. Steps and findings are no part of them, so
those that were played again are held against those that they replace, one by one. What differs among
them may only be what no later entry has looked at (:mod:`chronicle.core.steps`).
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from chronicle.core.checkpoint import Checkpoint, checkpoint, purses
from chronicle.core.diagnostic import Diagnostic, detach
from chronicle.core.earlier import may_mean
from chronicle.core.names import Overheard
from chronicle.core.packed import Packed
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.core.source import Entries, Items, Place, Word, same

_SAID = (
    *("session", "player", "speaker", "scene", "parent", "headline", "fiction", "talk"),
    *("contest", "ladder", "weighing", "posting_range", "hidden", "unnamed", "struck", "undone"),
    *("events", "throws", "links"),
)
"""What makes a step, besides its entry and what is wrong with it."""


def rejoin(replay: Replay[Any], later: Replay[Any], start: Checkpoint, mark: Checkpoint) -> bool:
    """Let ``replay``, which has come from ``start`` to where ``mark`` was kept, go on from there as
    ``later`` went on, to its end; False if it has to be played. ``later`` is of no use any more then.

    The entries after ``mark`` have to be the same in both, and as many above it. Nothing may be struck
    across it.
    """
    play = replay.play
    if (
        len(play.steps) != mark.steps
        or len(play.diagnostics) != mark.findings
        or purses(play) != mark.purses
        or not _same_table(checkpoint(replay, mark.entry), mark)
    ):
        return False
    meeting = _Meeting(replay, later, start, mark)
    if not meeting.unseen():
        return False
    meeting.keep()
    replay.rejoin(later)
    return True


def _same_table(now: Checkpoint, then: Checkpoint) -> bool:
    return (
        now.packed == then.packed
        and now.named == then.named
        and len(now.objects) == len(then.objects)
        and all(map(_alike, now.objects, then.objects))
    )


def _alike(one: Any, other: Any) -> bool:
    """Whether two things that never change say the same, in the same places."""
    if one is other:
        return True
    if isinstance(one, Word | Items | Entries):
        return same(one, other)
    if isinstance(one, Packed):
        return isinstance(other, Packed) and one.like(other, _alike)
    return isinstance(one, Place) and type(other) is Place and one == other


class _Meeting:
    """Two replays where they meet: what was played again on the one, and what it replaces."""

    def __init__(
        self, replay: Replay[Any], later: Replay[Any], start: Checkpoint, mark: Checkpoint
    ) -> None:
        self.play, self.was = replay.play, later.play
        self.start, self.mark = start, mark
        self.then = {
            step.index: step
            for since, step in reversed(self.was.changed)
            if since > mark.steps >= step.index
        }
        """Steps as they were at the meeting that were changed further down, by number."""
        between = {
            step.index
            for since, step in chain(self.play.changed, self.was.changed)
            if start.steps < since <= mark.steps
        }
        self.again = sorted(between | {*range(start.steps + 1, mark.steps + 1)})
        """The numbers of the steps that were made or changed on the way to the meeting."""
        self.old = self.was.diagnostics[start.findings : mark.findings]
        self.new = self.play.diagnostics[start.findings : mark.findings]

    def _before(self, index: int) -> Step:
        return self.then.get(index) or self.was.steps.known(index)

    def unseen(self) -> bool:
        """Whether no later entry can tell the two apart."""
        at = {id(one): number for number, one in enumerate(self.old)}
        now_at = {id(one): number for number, one in enumerate(self.new)}
        for one, other in zip(self.old, self.new, strict=True):
            cause, now = at.get(id(one.cause)), now_at.get(id(other.cause))
            if _weight(one) != _weight(other) or cause != now:
                return False
            if cause is None and one.cause is not other.cause:
                return False
        changed: list[int] = []
        moved: list[int] = []
        for index in self.again:
            step, now_step = self._before(index), self.play.steps.known(index)
            action, now_action = step.action, now_step.action
            if action is not now_action:
                if action.id != now_action.id:
                    return False
                if action.place() != now_action.place():
                    moved.append(index)
            elif all(getattr(step, name) == getattr(now_step, name) for name in _SAID):
                continue
            changed.append(index)
        if not changed:
            return True
        steps, mark = self.was.steps, self.mark
        seen = steps.seen(changed, mark.steps, mark.entry) or changed[-1] == mark.steps
        if seen or steps.told(moved, mark.steps) or not mark.named.isdisjoint(changed):
            return False
        versions = [
            one for index in changed for one in (self._before(index), self.play.steps.known(index))
        ]
        return not any(
            may_mean(sought.words, step)
            for sought in steps.sought
            if sought.by >= mark.steps
            for step in versions
        )

    def keep(self) -> None:
        """Put what was played again in the place of what it replaces."""
        play, was, mark = self.play, self.was, self.mark
        replaced: dict[int, Step] = {}
        for index in self.again:
            step = play.steps.known(index)
            step.anchors = was.anchors
            if index in self.then:
                replaced[id(self.then[index])] = step
                final = was.steps.known(index)
                if final.diagnostics or step.diagnostics:
                    final.diagnostics[:] = step.diagnostics
            else:
                was.steps[index - 1] = step
        tail = [one for one in was.changed if one[0] > mark.steps]
        was.changed = [
            *(one for one in play.changed if one[0] <= mark.steps),
            *((since, replaced.get(id(step), step)) for since, step in tail),
        ]
        known = play.steps.cut(mark.steps, mark.entry)
        was.steps.rejoin(known, mark.steps, mark.entry)
        if isinstance(play.names, Overheard) and isinstance(was.names, Overheard):
            was.names.heard.rejoin(play.names.heard)
        was.ledger.postings[: len(play.ledger.postings)] = play.ledger.postings
        self._findings()
        was.campaign = play.campaign
        was.anchors.afresh(was.steps)

    def _findings(self) -> None:
        was, start, mark = self.was, self.start, self.mark
        at = {id(one): number for number, one in enumerate(self.old)}
        hung = [
            (one, self.new[at[id(one.cause)]])
            for one in was.diagnostics[mark.findings :]
            if id(one.cause) in at
        ]
        detach(self.old)
        for one, cause in hung:
            one.cause = cause
            cause.dependents.append(one)
        was.diagnostics[start.findings : mark.findings] = self.new
        causes = {id(one.cause): one.cause for one in self.new if one.cause is not None}
        order = {id(one): number for number, one in enumerate(was.diagnostics)} if causes else {}
        for cause in causes.values():
            cause.dependents.sort(key=lambda one: order.get(id(one), -1))


def _weight(one: Diagnostic) -> tuple[Any, ...]:
    """What counts for whatever follows from a finding."""
    return (
        *(one.code, one.game, one.finding, one.severity, one.step),
        *(one.dropped, one.excused, one.guessed),
    )
