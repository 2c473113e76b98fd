"""Helpers that all pages share: links, names, words."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.campaign_view import Inline, Ref, comma_separated, step_ref
from chronicle.core.record import Record
from chronicle.games.slow_burn.state import Spy, State


def spies_of(state: State) -> list[Spy]:
    """The sheets of spies, without developed contacts."""
    return [spy for spy in state.cast.values() if spy.is_spy]


def sheet_link(spy: Spy) -> Ref:
    """A link to a sheet."""
    return Ref("sheet", spy.id, spy.id)


def sheet_links(state: State, ids: Iterable[str]) -> Inline:
    """Links to several sheets."""
    return (
        comma_separated(sheet_link(state.cast[id]) if id in state.cast else id for id in ids)
        or "nobody"
    )


def entry_link(step: int, label: str = "") -> Inline:
    """A link to an entry of the log."""
    return step_ref(step, label) if step else "not recorded"


def scene_link(record: Record, number: int) -> Inline:
    """A link to a scene."""
    if not 0 < number <= len(record.timeline.scenes):
        return ""
    return Ref("scene", str(number), record.timeline.get(number).title)


def called(spy: Spy, id: str) -> str:
    """What people call a resource."""
    return spy.resources().get(id, id)


def reduction_shown(state: State, spy: Spy) -> int:
    """By how much a target number is lower."""
    return sum(entry.count for entry in state.open_ignored(spy.id))


def first_words(text: str) -> str:
    """The beginning of a story."""
    line = " ".join(text.split())
    return line if len(line) <= 220 else line[:217].rsplit(" ", 1)[0] + " ..."
