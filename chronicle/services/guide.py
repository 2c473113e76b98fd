"""A guided first session: the user types the entries of a game's example, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from chronicle.core.names import Named
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, place_of
from chronicle.games import game_names, is_game, rulebook
from chronicle.services import writing
from chronicle.services.new_campaign import FIRST_SESSION
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable
from chronicle.services.position import Position
from chronicle.services.spans import Span, Spans, phrase
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.one_line import LineError, read_line, write_line
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_text import Data, plain_data, write_entry, write_flow

_COMMAND_REMARK: Final = re.compile(r"\s*What comes next\?  chronicle .*$")
"""The part of a remark about the terminal, which a page leaves out."""
_TITLE_PATTERN: Final = re.compile(r"^title: (.*)$", re.MULTILINE)
_LOG_START: Final = "log:\n"


class ExampleEntry(NamedTuple):
    """One entry of the example: the remark about it, the entry as data, its story."""

    remark: str
    entry_data: Mapping[str, Data]
    story: str

    @property
    def verb(self) -> str:
        """The verb of the entry."""
        return next(iter(self.entry_data))


def files_before_first_entry(game: str) -> tuple[str, dict[str, str]]:
    """The title and the files of the example before its first entry.

    Raises:
        Unanswerable: if there is no such game.
    """
    settings_text, session_text = _example_texts(game)
    title_match = _TITLE_PATTERN.search(settings_text)
    assert title_match is not None, game
    session_head = session_text[: session_text.index(_LOG_START) + len(_LOG_START)]
    return title_match[1].strip(), {SETTINGS_FILE: settings_text, FIRST_SESSION: session_head}


def example_entries(game: str) -> list[ExampleEntry]:
    """The entries of the example, in order."""
    _, session_text = _example_texts(game)
    tree = read_text(session_text, FIRST_SESSION).tree
    assert isinstance(tree, MappingNode), game
    log_node = tree[ScalarNode("log")]
    assert isinstance(log_node, SequenceNode), game
    session_rows = session_text.split("\n")
    entries = []
    for item in log_node:
        entry_data = plain_data(item)
        assert isinstance(entry_data, dict), game
        story = entry_data.pop("text", "")
        entries.append(
            ExampleEntry(
                _remark_above(session_rows, place_of(item, FIRST_SESSION).line), entry_data, story
            )
        )
    return entries


def count_done_entries(record: Record, entries: list[ExampleEntry]) -> int:
    """The number of steps that a log has completed. Only the verbs are compared."""
    done_count = 0
    for step in record.steps:
        if step.parent is None and done_count < len(entries):
            done_count += step.action.verb == entries[done_count].verb
    return done_count


def example_entry_data(example_entry: ExampleEntry, verbs: Mapping[str, Any]) -> dict[str, Any]:
    """A step as data: its one-line form, if there is one, and the whole entry."""
    return {
        "about": example_entry.remark,
        "line": write_line(example_entry.entry_data, verbs),
        "entry": write_entry(example_entry.entry_data),
        "text": example_entry.story,
    }


def guide_progress(opened: OpenCampaign, typed_line: str, actor: str) -> dict[str, Any]:
    """How far a guided session is, and its next step; with the differences of a typed line from that step."""
    record = opened.workspace.record
    if record is None:
        raise opened.unreadable()
    entries = example_entries(record.campaign.game)
    done_count = count_done_entries(record, entries)
    answer: dict[str, Any] = {
        "done": done_count,
        "of": len(entries),
        "step": None,
        "told": [],
        "differs": [],
    }
    if done_count == len(entries):
        return answer
    with Position(opened).replay() as replay:
        verbs = replay.rulebook.by_verb
        answer["step"] = example_entry_data(entries[done_count], verbs)
        if typed_line:
            with suppress(LineError):
                entry_data = read_line(typed_line, verbs)
                answer["differs"] = differences_in_words(
                    replay, entries[done_count], entry_data, actor
                )
        entry_item = writing.as_list_item(write_entry(entries[done_count].entry_data))
        new_steps, _ = opened.workspace.attempt(replay, entry_item)
        mark_names = opened.name_marker_at(replay)
        headline = new_steps[0].headline if new_steps else ""
        answer["player"] = new_steps[0].player if new_steps else ""
        answer["told"] = mark_names(
            headline or write_flow(entries[done_count].entry_data[entries[done_count].verb])
        )
    return answer


def differences_in_words(
    replay: Replay[Any],
    example_entry: ExampleEntry,
    tried_data: Mapping[str, Data],
    default_actor: str,
) -> list[Spans]:
    """The differences between an entry and the step it is meant for, in words; empty if they agree.
    ``default_actor`` is the actor if the entry names none."""
    verb = next(iter(tried_data))
    if verb != example_entry.verb:
        return [
            phrase(
                "server.guide_other_verb",
                verb=_code_span(example_entry.verb),
                tried=_code_span(verb),
            )
        ]
    differences: list[Spans] = []
    for key, wanted_value in example_entry.entry_data.items():
        if key in tried_data and _are_values_same(replay, tried_data[key], wanted_value):
            continue
        if (
            key == "by"
            and key not in tried_data
            and _are_values_same(replay, default_actor, wanted_value)
        ):
            continue
        if key not in tried_data:
            pair_span = _code_span(f"{key}: {write_flow(wanted_value)}")
            differences.append(phrase("server.guide_missing", pair=pair_span))
        else:
            wanted_text, tried_text = write_flow(wanted_value), write_flow(tried_data[key])
            runs_into_text = tried_text.casefold().startswith(f"{wanted_text.casefold()} ")
            message_key = "server.guide_comma" if runs_into_text else "server.guide_differs"
            spans = {
                "key": _code_span(key),
                "value": _code_span(wanted_text),
                "tried": _code_span(tried_text),
            }
            differences.append(phrase(message_key, **spans))
    for key in tried_data:
        if key not in example_entry.entry_data and key not in ("by", "text"):
            pair_span = _code_span(f"{key}: {write_flow(tried_data[key])}")
            differences.append(phrase("server.guide_extra", pair=pair_span))
    return differences


def _code_span(code_text: str) -> Span:
    return {"t": code_text, "code": True}


def _are_values_same(replay: Replay[Any], first_value: Data, second_value: Data) -> bool:
    """Whether two values mean the same: long or short form, a list of one or a single value."""
    if isinstance(first_value, Mapping) and isinstance(second_value, Mapping):
        return len(first_value) == len(second_value) and all(
            any(
                _are_values_same(replay, key, other_key)
                and _are_values_same(replay, value, other_value)
                for other_key, other_value in second_value.items()
            )
            for key, value in first_value.items()
        )
    if isinstance(first_value, list) or isinstance(second_value, list):
        first_items, second_items = (
            [*_items_of_value(first_value)],
            [*_items_of_value(second_value)],
        )
        return len(first_items) == len(second_items) and all(
            map(_are_values_same, [replay] * len(first_items), first_items, second_items)
        )
    return _comparable_text(replay, first_value) == _comparable_text(replay, second_value)


def _items_of_value(value: Data) -> Iterator[Data]:
    yield from value if isinstance(value, list) else [value]


def _comparable_text(replay: Replay[Any], value: Data) -> str:
    subject = replay.play.names.find(str(value)) if value else None
    return (
        subject.id
        if isinstance(subject, Named)
        else " ".join(str(value).casefold().split()).strip(" .")
    )


def _example_texts(game: str) -> tuple[str, str]:
    if not is_game(game):
        raise Unanswerable(f"there is no game '{game}'", f"games: {', '.join(game_names())}")
    files = rulebook(game).new_campaign()
    return files[SETTINGS_FILE], files[FIRST_SESSION]


def _remark_above(rows: list[str], entry_line: int) -> str:
    """The remark above an entry. A remark behind a value is about that value, not about the entry."""
    first_remark_line = entry_line - 1
    while first_remark_line > 0 and rows[first_remark_line - 1].startswith("#"):
        first_remark_line -= 1
    remark = " ".join(
        row.removeprefix("#").strip() for row in rows[first_remark_line : entry_line - 1]
    )
    return _COMMAND_REMARK.sub("", remark)
