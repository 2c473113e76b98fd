"""Where two ways of play meet again: what comes after a changed entry is kept, not played again, where the
table is as it was before the change and nobody looked up at what changed.

That the table is the same is told by checkpoints (:mod:`chronicle.core.checkpoint`): two that came from the
same one are the same to the last byte if they hold the same. Steps and findings are no part of them, so
those that were played again are held against those that they replace, one by one. What differs among
them may only be what no later entry has looked at (:mod:`chronicle.core.steps`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, takewhile
from typing import Any

from chronicle.core.checkpoint import Checkpoint, checkpoint, purses
from chronicle.core.diagnostic import Diagnostic, detach
from chronicle.core.earlier import may_mean
from chronicle.core.names import Far, Overheard
from chronicle.core.numbers import Number, Renumbered
from chronicle.core.packed import Packed, is_small
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.core.source import Entries, Items, Place, Word, same

_SAID = (
    *("session", "player", "speaker", "scene", "parent", "headline", "fiction", "talk"),
    *("contest", "ladder", "weighing", "posting_range", "hidden", "unnamed", "struck", "undone"),
    "bounds",
    *("events", "throws", "links"),
)
"""What makes a step, besides its entry and what is wrong with it."""


def rejoin(
    replay: Replay[Any], later: Replay[Any], start: Checkpoint, mark: Checkpoint
) -> Renumbered | None:
    """Let ``replay``, which has come from ``start`` to where ``mark`` was kept, go on from there as
    ``later`` went on, to its end: how steps are numbered now; None if it has to be played. ``later`` is of
    no use any more then.

    The entries after ``mark`` have to be the same in both. Nothing may be struck across it.
    """
    play = replay.play
    more = len(play.steps) - mark.steps
    if (
        purses(play) != mark.purses
        # The state of play after each entry, as pages show it, is not numbered anew.
        or (more and replay.panels is not None)
    ):
        return None
    meeting = _Meeting(replay, later, start, mark)
    alike = meeting.same_findings()
    if not alike and meeting.hanging():
        return None
    now = checkpoint(replay, mark.entry, small=is_small(mark.packed))
    if not _same_table(now, mark, meeting.renumbered) or not meeting.unseen():
        return None
    if not alike and max(now.blamed | mark.blamed, default=-1) >= start.findings:
        return None
    meeting.keep(later, now)
    replay.rejoin(later, len(replay.play.steps.reached) - mark.entry)
    return meeting.renumbered


def beyond(
    replay: Replay[Any], later: Replay[Any], start: Checkpoint, mark: Checkpoint
) -> list[Diagnostic] | None:
    """What ``later`` has found since ``mark`` was kept, where ``replay``, which has come from ``start`` to
    there, would find the same from here on; None if it has to be played. Both are left as they are; how much
    was found on the way here may be another."""
    if purses(replay.play) != mark.purses:
        return None
    meeting = _Meeting(replay, later, start, mark)
    if meeting.hanging():
        return None
    now = checkpoint(replay, mark.entry, small=is_small(mark.packed))
    # Of an entry that was left out it is all the same here where it stands.
    same = _same_table(now, mark, meeting.renumbered, moved=True) and meeting.unseen()
    return later.play.diagnostics[mark.findings :] if same else None


def _same_table(
    now: Checkpoint, then: Checkpoint, renumbered: Renumbered, *, moved: bool = False
) -> bool:
    def alike(one: Any, other: Any) -> bool:
        """Whether two things that never change say the same, in the same places."""
        if type(other) is Number:
            return type(one) is Number and one == renumbered.step(other)
        if one is other or type(one) is type(other) is Far:
            return True
        if isinstance(one, Word | Items | Entries):
            return same(one, other)
        if isinstance(one, Packed):
            return isinstance(other, Packed) and one.like(other, alike)
        if isinstance(one, Diagnostic):
            return moved and isinstance(other, Diagnostic) and one.told == other.told
        return isinstance(one, Place) and type(other) is Place and one == other

    return (
        now.packed == then.packed
        and len(now.objects) == len(then.objects)
        and all(map(alike, now.objects, then.objects))
    )


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
            if start.steps < since <= mark.steps and step.index <= start.steps
        }
        self.again = sorted(between | {*range(start.steps + 1, mark.steps + 1)})
        """The numbers of the steps that were made or changed on the way to the meeting, as they were."""
        above, pairs = start.steps, {}
        old = [self.was.steps.known(at).action for at in range(above + 1, mark.steps + 1)]
        new = [
            self.play.steps.known(at).action for at in range(above + 1, len(self.play.steps) + 1)
        ]
        more = len(new) - len(old)
        same = [*takewhile(lambda at: old[at] is new[at], range(min(len(old), len(new))))]
        top = len(same)
        rest = zip(reversed(old[top:]), reversed(new[top:]), strict=False)
        below = len(old) - sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], rest))
        for at in range(len(old)):
            if at < top or not more:
                pairs[above + at + 1] = above + at + 1
            elif at >= below:
                pairs[above + at + 1] = above + at + 1 + more
        self.renumbered = Renumbered(above, mark.steps, more, pairs)
        self.added = range(above + top + 1, above + below + more + 1) if more else range(0)
        """The numbers of steps that nothing had the place of before."""
        self.old = self.was.diagnostics[start.findings : mark.findings]
        self.new = self.play.diagnostics[start.findings :]

    def _before(self, index: int) -> Step:
        return self.then.get(index) or self.was.steps.known(index)

    def hanging(self) -> bool:
        """Whether what was found further down follows from what was found on the way, or is no longer found
        where the log is read: without that, it may be told by itself, or not at all."""
        read = {id(one) for one in self.play.campaign.diagnostics}
        gone = {id(one) for one in self.was.campaign.diagnostics} - read
        on_the_way = {*map(id, self.old), *gone}
        found = self.was.diagnostics[self.mark.findings :]
        return any(id(one.cause) in on_the_way for one in found)

    def same_findings(self) -> bool:
        """Whether the same was found on both ways."""
        if len(self.old) != len(self.new):
            return False
        at = {id(one): number for number, one in enumerate(self.old)}
        now_at = {id(one): number for number, one in enumerate(self.new)}
        for one, other in zip(self.old, self.new, strict=True):
            cause, now = at.get(id(one.cause)), now_at.get(id(other.cause))
            weight = self.renumbered.step(one.step), *_weight(one)
            if weight != (other.step, *_weight(other)) or cause != now:
                return False
            if cause is None and one.cause is not other.cause:
                return False
        return True

    def unseen(self) -> bool:
        """Whether no later entry can tell the two apart by their steps."""
        known = self.play.steps.known
        changed: list[int] = []
        moved: list[int] = []
        versions = [known(index) for index in self.added]
        for index in self.again:
            step, now_index = self._before(index), self.renumbered.step(index)
            if now_index:
                now_step = known(now_index)
                action, now_action = step.action, now_step.action
                if action is not now_action:
                    if action.id != now_action.id:
                        return False
                    if action.place() != now_action.place():
                        moved.append(index)
                else:
                    if now_index != index:
                        step = step.twin()
                        step.renumber(self.renumbered)
                    if all(getattr(step, name) == getattr(now_step, name) for name in _SAID):
                        continue
                versions.append(now_step)
            else:
                moved.append(index)
            versions.append(step)
            changed.append(index)
        if self.added:
            # Who read the step above may have read on.
            changed.append(self.added.start - 1)
        if not changed:
            return True
        steps, mark = self.was.steps, self.mark
        seen = steps.seen(changed, mark.steps, mark.entry) or changed[-1] == mark.steps
        if seen or steps.told(moved, mark.steps) or not mark.named.isdisjoint(changed):
            return False
        return not any(
            may_mean(sought.words, step)
            for sought in steps.sought
            if sought.by >= mark.steps
            for step in versions
        )

    def keep(self, later: Replay[Any], now: Checkpoint) -> None:
        """Put what was played again in the place of what it replaces."""
        play, was, mark, start = self.play, self.was, self.mark, self.start
        number = self.renumbered.step
        end = (
            checkpoint(later, len(was.steps.reached), small=False) if self.renumbered.more else None
        )
        replaced: dict[int, Step] = {}
        again = play.steps.cut(now.steps, now.entry)
        final = {index: was.steps.known(index) for index in self.then}
        for index in filter(number, self.again):
            step = again.known(number(index))
            if index in self.then:
                replaced[id(self.then[index])] = step
                if final[index].diagnostics or step.diagnostics:
                    final[index].diagnostics[:] = step.diagnostics
                again[number(index) - 1] = final[index]
            elif index <= start.steps:
                was.steps[index - 1] = step
        tail = [one for one in was.changed if one[0] > mark.steps]
        was.steps[start.steps : mark.steps] = again[start.steps :]
        for step in was.steps[start.steps :]:
            # Play may have come here in several pieces.
            step.anchors = was.anchors
        if end is not None:
            below = [step for _, step in tail if id(step) not in replaced]
            self._renumber(later, [*was.steps[now.steps :], *final.values(), *below])
        was.changed = [
            *(one for one in play.changed if one[0] <= now.steps),
            *((number(since), replaced.get(id(step), step)) for since, step in tail),
        ]
        was.steps.rejoin(again, mark.steps, mark.entry, self.renumbered)
        if isinstance(play.names, Overheard) and isinstance(was.names, Overheard):
            was.names.heard.rejoin(play.names.heard, mark.far)
        was.ledger.postings[: len(play.ledger.postings)] = play.ledger.postings
        self._findings()
        was.campaign = play.campaign
        was.anchors.afresh(was.steps)
        if end is not None:
            end = end.renumbered(self.renumbered, 0, mark.far, now.far)
            there = end.instead(was.campaign, later)
            there.play.since = number(was.since)
            later.play, later.sessions = there.play, there.sessions

    def _renumber(self, later: Replay[Any], steps: Iterable[Step]) -> None:
        """Let what comes below be called, and call others, by the numbers that steps have now."""
        renumbered, was = self.renumbered, self.was
        strikes = [one for one in later.strikes if one.by_entry.step > self.mark.steps]
        struck = (step for strike in strikes for step in strike.steps.values())
        for step in {id(one): one for one in chain(steps, struck)}.values():
            step.renumber(renumbered)
        for strike in strikes:
            strike.moved = tuple(map(renumbered.of, strike.moved))
        postings = was.ledger.postings
        at = len(self.play.ledger.postings)
        postings[at:] = map(renumbered.of, postings[at:])
        found = [
            *was.diagnostics[self.mark.findings :],
            *(one for s in strikes for one in s.verdict),
        ]
        for finding in {id(one): one for one in found}.values():
            finding.step = renumbered.step(finding.step)
            finding.facts = tuple(
                fact._replace(step=renumbered.step(fact.step)) for fact in finding.facts
            )

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
        *(one.code, one.game, one.finding, one.severity),
        *(one.dropped, one.excused, one.guessed),
    )
