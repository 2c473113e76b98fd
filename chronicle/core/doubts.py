"""The parts of a record in which a figure is not known: for curves, and for balances beside the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chronicle.core.record import Record


class Doubt(NamedTuple):
    """A part of the record in which a figure is not known.

    Attributes:
        start: the last entry after which it was known.
        end: the entry from which it is known again, or from which another doubt holds; 0 if there is none.
        is_bound: whether the computed value is at least an upper bound.
    """

    start: int
    end: int = 0
    is_bound: bool = False

    def covers(self, step_number: float) -> bool:
        """Whether the figure is not known after an entry."""
        return self.start < step_number and (not self.end or step_number < self.end)


def doubts_of(
    record: Record, figure: str, born: int = 0, counted: Iterable[int] = ()
) -> tuple[Doubt, ...]:
    """The parts of a record in which a figure is not known, in order and without overlap.

    A gap about the figure, or an unrecorded change of it, starts one; the next count by the players ends it. A
    snapshot reaches back to the entry of play before it: what led to its figures is not on record.

    Args:
        record: the replayed campaign.
        figure: its key (``wealth:Ana``).
        born: the entry that made its owner; a gap before that cannot touch it.
        counted: further entries that set it, beside the counts of the players.
    """
    state = record.rulebook.state_of(figure)
    if not state:
        return ()
    gaps = record.gaps
    starts = {n - 1: only_less for n, only_less in gaps.unrecorded_changes.get(figure, {}).items()}
    starts |= {gap.step_number - 1: False for gap in gaps.all_gaps if gap.is_about(state)}
    counts = sorted({*gaps.counts.get(figure, ()), *counted})
    last_entry_of_play = 0
    for step in record.steps:
        if step.action.verb == "snapshot" and step.number in counts:
            starts[last_entry_of_play] = False
        if not step.action.about_table or step.action.verb == "snapshot":
            last_entry_of_play = step.number
    unknown = [
        Doubt(start, next((count for count in counts if count > start), 0), is_bound)
        for start, is_bound in starts.items()
        if start >= born
    ]
    return (*_joined([*unknown, *_bounds(record, figure)]),)


def doubt_after(doubts: tuple[Doubt, ...], step_number: float) -> Doubt | None:
    """The doubt about a figure after an entry; None if it is known."""
    return next((doubt for doubt in doubts if doubt.covers(step_number)), None)


def _bounds(record: Record, figure: str) -> list[Doubt]:
    """Where the balance of an account is only an upper bound."""
    doubts: list[Doubt] = []
    start: int | None = None
    for step in record.steps:
        is_bound = any(account == figure for account, _ in step.upper_bound_accounts)
        if is_bound and start is None:
            start = step.number - 1
        elif start is not None and not is_bound:
            doubts.append(Doubt(start, step.number, True))
            start = None
    return doubts if start is None else [*doubts, Doubt(start, 0, True)]


def _joined(doubts: list[Doubt]) -> list[Doubt]:
    """Doubts in order, with those that overlap made one. A bound ends where more becomes unknown."""
    joined: list[Doubt] = []
    for doubt in sorted(doubts):
        last = joined[-1] if joined else None
        if last is None or (last.end and last.end <= doubt.start):
            joined.append(doubt)
            continue
        end = max(last.end, doubt.end) if last.end and doubt.end else 0
        if last.is_bound and not doubt.is_bound and last.start < doubt.start:
            joined[-1] = last._replace(end=doubt.start + 1)
            joined.append(Doubt(doubt.start, end))
        else:
            joined[-1] = Doubt(last.start, end, last.is_bound and doubt.is_bound)
    return joined
