"""Retractions: entries that never happened because a later entry removed them.

A Challenge, a Judgment or ``undo`` retracts an entry that was replayed already. Replay then returns to a
state before that entry and continues without it. The entry keeps its place among the Steps, so that a reader
sees it, but has no effect: no Coin moves, no turn ends, no die falls. Undoing each change by its inverse
would miss indirect effects.

A problem between the retracted entry and the retracting one is reported only if it occurs in both replays:
with the retracted entry, and without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Part
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.ledger import Posting
from chronicle.core.record import Step


class Retraction(NamedTuple):
    """A retraction: the retracted entry, the retracting one, the responsible person or rule.

    ``decision`` is the game's record of the decision, for the replay without the retracted entry."""

    retracted: Action
    retracting: Action
    responsible: str
    rule: str
    decision: Any = None


@dataclass(slots=True, eq=False)
class RetractionRecord:
    """A retraction with the state before it. Both entries are possibly nested in an entry of the log
    (``retracted_entry``, ``retracting_entry``)."""

    retraction: Retraction
    retracted_entry: Action
    retracting_entry: Action
    problem_keys: frozenset[tuple[int, str]]
    """The problems from the retracted entry on: identity of an entry, and rule."""
    retracting_entry_problems: tuple[Diagnostic, ...]
    """The problems of the retracting entry."""
    postings: tuple[Posting, ...]
    """The postings of the retracted entry and its nested entries."""
    step_by_entry: dict[int, Step]
    """Their Steps, by the identities of the entries."""
    name_lookups: tuple[tuple[int, int, str, str], ...] = ()
    """The subjects of its words (see :class:`~chronicle.core.names.LookupLog`)."""


class Retractions:
    """The known retractions of a log. Entries are compared by identity: unchanged entries of a log are the same
    objects after it was changed."""

    def __init__(self, records: Iterable[RetractionRecord] = ()) -> None:
        self.record_by_retracted_entry: dict[int, RetractionRecord] = {}
        """Each by the identity of the retracted entry."""
        self._records_by_retracting_entry: dict[int, list[RetractionRecord]] = {}
        self._records_by_top_level_entry: dict[int, list[RetractionRecord]] = {}
        for record in records:
            self.add_record(record)

    def __iter__(self) -> Iterator[RetractionRecord]:
        return iter(self.record_by_retracted_entry.values())

    def __contains__(self, action: Action) -> bool:
        return id(action) in self.record_by_retracted_entry

    def add_record(self, record: RetractionRecord) -> None:
        """Add a retraction."""
        self.record_by_retracted_entry[id(record.retraction.retracted)] = record
        self._records_by_retracting_entry.setdefault(id(record.retraction.retracting), []).append(
            record
        )
        self._records_by_top_level_entry.setdefault(id(record.retracting_entry), []).append(record)

    def record_of(self, retracted_entry: Action) -> RetractionRecord | None:
        """The known retraction of an entry, or None."""
        return self.record_by_retracted_entry.get(id(retracted_entry))

    def first_record_by(self, action: Action) -> RetractionRecord | None:
        """The first known retraction by an entry, or None."""
        return next(iter(self._records_by_retracting_entry.get(id(action), ())), None)

    def records_at(self, entry: Action) -> list[RetractionRecord]:
        """The known retractions by an entry of the log, or by its nested entries."""
        return self._records_by_top_level_entry.get(id(entry), [])


def nested_entries(action: Action) -> Iterator[Action]:
    """The entries nested in an entry, in the order they are written."""
    pending_values: list[Any] = _attribute_values(action)
    while pending_values:
        value = pending_values.pop()
        if isinstance(value, Action):
            yield value
        elif isinstance(value, Part):
            pending_values += _attribute_values(value)
        elif isinstance(value, dict):
            pending_values += reversed([*value.values()])
        elif isinstance(value, list | tuple):
            pending_values += reversed(value)


def _attribute_values(entry_or_part: Action | Part) -> list[Any]:
    return [
        value for attribute, value in reversed(vars(entry_or_part).items()) if attribute != "source"
    ]


def copy_effects(step: Step, original_step: Step, postings: Sequence[Posting]) -> None:
    """Copy the effects of a retracted step, as it was before the retraction, into the step that replaces it."""
    step.headline, step.fiction, step.talk = (
        original_step.headline,
        original_step.fiction,
        original_step.talk,
    )
    step.player, step.speaker, step.contest = (
        original_step.player,
        original_step.speaker,
        original_step.contest,
    )
    step.bid_ranking, step.weighing = original_step.bid_ranking, original_step.weighing
    step.throws[:] = original_step.throws
    step.events[:0] = [event for event in original_step.events if event.kind != "undone"]
    step.retracted_postings = tuple(postings)
