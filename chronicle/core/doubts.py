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
    record: Record, figure: str, birth_step_number: int = 0, count_step_numbers: Iterable[int] = ()
) -> tuple[Doubt, ...]:
    """The parts of a record in which a figure is not known, in order and without overlap.

    A gap about the figure, or an unrecorded change of it, starts one; the next count by the players ends it. A
    snapshot reaches back to the entry of play before it: what led to its figures is not on record.

    Args:
        record: the replayed campaign.
        figure: its key (``wealth:Ana``).
        birth_step_number: the entry that made its owner; a gap before that cannot touch it.
        count_step_numbers: further entries that set it, beside the counts of the players.
    """
    state = record.rulebook.state_of(figure)
    if not state:
        return ()
    gaps = record.gaps
    is_bound_by_start = {
        changing_step_number - 1: can_only_lower
        for changing_step_number, can_only_lower in gaps.unrecorded_changes.get(figure, {}).items()
    }
    is_bound_by_start |= {
        gap.step_number - 1: False for gap in gaps.all_gaps if gap.is_about(state)
    }
    all_count_numbers = sorted({*gaps.counts.get(figure, ()), *count_step_numbers})
    last_entry_of_play = 0
    for step in record.steps:
        if step.action.verb == "snapshot" and step.number in all_count_numbers:
            is_bound_by_start[last_entry_of_play] = False
        if not step.action.about_table or step.action.verb == "snapshot":
            last_entry_of_play = step.number
    unknown_stretches = [
        Doubt(start, next((count for count in all_count_numbers if count > start), 0), is_bound)
        for start, is_bound in is_bound_by_start.items()
        if start >= birth_step_number
    ]
    return (*_merge_overlapping([*unknown_stretches, *_upper_bound_doubts(record, figure)]),)


def doubt_after(doubts: tuple[Doubt, ...], step_number: float) -> Doubt | None:
    """The doubt about a figure after an entry; None if it is known."""
    return next((doubt for doubt in doubts if doubt.covers(step_number)), None)


def _upper_bound_doubts(record: Record, figure: str) -> list[Doubt]:
    """Where the balance of an account is only an upper bound."""
    doubts: list[Doubt] = []
    start_number: int | None = None
    for step in record.steps:
        is_bound = any(account == figure for account, _ in step.upper_bound_accounts)
        if is_bound and start_number is None:
            start_number = step.number - 1
        elif start_number is not None and not is_bound:
            doubts.append(Doubt(start_number, step.number, True))
            start_number = None
    return doubts if start_number is None else [*doubts, Doubt(start_number, 0, True)]


def _merge_overlapping(doubts: list[Doubt]) -> list[Doubt]:
    """Doubts in order, with those that overlap made one. A bound ends where more becomes unknown."""
    merged: list[Doubt] = []
    for doubt in sorted(doubts):
        last_doubt = merged[-1] if merged else None
        if last_doubt is None or (last_doubt.end and last_doubt.end <= doubt.start):
            merged.append(doubt)
            continue
        end = max(last_doubt.end, doubt.end) if last_doubt.end and doubt.end else 0
        if last_doubt.is_bound and not doubt.is_bound and last_doubt.start < doubt.start:
            merged[-1] = last_doubt._replace(end=doubt.start + 1)
            merged.append(Doubt(doubt.start, end))
        else:
            merged[-1] = Doubt(last_doubt.start, end, last_doubt.is_bound and doubt.is_bound)
    return merged
