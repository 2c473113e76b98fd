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
    record: Record,
    figure_key: str,
    birth_step_number: int = 0,
    count_step_numbers: Iterable[int] = (),
) -> tuple[Doubt, ...]:
    """The parts of a record in which a figure is not known, in order and without overlap.

    A gap about the figure, or an unrecorded change of it, starts one; the next count by the players ends it. A
    snapshot reaches back to the entry of play before it: what led to its figures is not on record.

    Args:
        record: the replayed campaign.
        figure_key: its key (``wealth:Ana``).
        birth_step_number: the entry that made its owner; a gap before that cannot touch it.
        count_step_numbers: further entries that set it, beside the counts of the players.
    """
    state_kind = record.rulebook.state_of(figure_key)
    if not state_kind:
        return ()
    gaps = record.gaps
    is_upper_bound_by_start = {
        changing_step_number - 1: can_only_lower
        for changing_step_number, can_only_lower in gaps.unrecorded_changes.get(
            figure_key, {}
        ).items()
    }
    is_upper_bound_by_start |= {
        gap.step_number - 1: False for gap in gaps.all_gaps if gap.is_about(state_kind)
    }
    all_count_step_numbers = sorted(
        {*gaps.count_step_numbers.get(figure_key, ()), *count_step_numbers}
    )
    last_play_step_number = 0
    for step in record.steps:
        if step.action.verb == "snapshot" and step.number in all_count_step_numbers:
            is_upper_bound_by_start[last_play_step_number] = False
        if not step.action.about_table or step.action.verb == "snapshot":
            last_play_step_number = step.number
    unmerged_doubts = [
        Doubt(
            start_step_number,
            next(
                (
                    count_step_number
                    for count_step_number in all_count_step_numbers
                    if count_step_number > start_step_number
                ),
                0,
            ),
            is_only_upper_bound,
        )
        for start_step_number, is_only_upper_bound in is_upper_bound_by_start.items()
        if start_step_number >= birth_step_number
    ]
    return (*_merge_overlapping([*unmerged_doubts, *_upper_bound_doubts(record, figure_key)]),)


def doubt_after(doubts: tuple[Doubt, ...], step_number: float) -> Doubt | None:
    """The doubt about a figure after an entry; None if it is known."""
    return next((doubt for doubt in doubts if doubt.covers(step_number)), None)


def _upper_bound_doubts(record: Record, figure_key: str) -> list[Doubt]:
    """Where the balance of an account is only an upper bound."""
    doubts: list[Doubt] = []
    start_step_number: int | None = None
    for step in record.steps:
        is_only_upper_bound = any(account == figure_key for account, _ in step.upper_bound_accounts)
        if is_only_upper_bound and start_step_number is None:
            start_step_number = step.number - 1
        elif start_step_number is not None and not is_only_upper_bound:
            doubts.append(Doubt(start_step_number, step.number, True))
            start_step_number = None
    return doubts if start_step_number is None else [*doubts, Doubt(start_step_number, 0, True)]


def _merge_overlapping(doubts: list[Doubt]) -> list[Doubt]:
    """Doubts in order, with those that overlap made one. A bound ends where more becomes unknown."""
    merged_doubts: list[Doubt] = []
    for doubt in sorted(doubts):
        last_doubt = merged_doubts[-1] if merged_doubts else None
        if last_doubt is None or (last_doubt.end and last_doubt.end <= doubt.start):
            merged_doubts.append(doubt)
            continue
        merged_end = max(last_doubt.end, doubt.end) if last_doubt.end and doubt.end else 0
        if last_doubt.is_bound and not doubt.is_bound and last_doubt.start < doubt.start:
            merged_doubts[-1] = last_doubt._replace(end=doubt.start + 1)
            merged_doubts.append(Doubt(doubt.start, merged_end))
        else:
            merged_doubts[-1] = Doubt(
                last_doubt.start, merged_end, last_doubt.is_bound and doubt.is_bound
            )
    return merged_doubts
