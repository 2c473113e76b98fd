"""What entries do that are tried: their rows, their problems, and what they lack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Severity
from chronicle.core.errors import Refused
from chronicle.core.fix import ReplaceText
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.services import writing
from chronicle.services.entry_rows import entry_row
from chronicle.services.game_state import state_of_play
from chronicle.services.hints import hints_of
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.spans import NameMarker
from chronicle.syntax.one_line import (
    LineError,
    read_line,
    split_line,
)
from chronicle.syntax.render import diagnostic_as_data
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word

Answer = dict[str, Any]

UNFINISHED_CODES: Final = frozenset({"T20", "T22", "T23", "T31"})
"""The codes of problems of an entry that is not typed to its end."""
KEY_OR_VALUE_END: Final = re.compile(r"[,:{}\[\]]")
"""The characters that end a key or a value in a line."""

_BRACES: Final = re.compile(r"[{}]")
"""The marks of a mapping in a file; nobody types them at the desk."""


def message_of_lacking_value(line: str, by_verb: Mapping[str, type[Action]]) -> str:
    """The message that a line ends before a value; empty if it does not."""
    parsed_line = split_line(line, by_verb)
    if parsed_line is None:
        return ""
    last_field = parsed_line.typed_fields[-1]
    last_text = last_field.text.rstrip()
    key_name = KEY_OR_VALUE_END.split(last_text[:-1])[-1].strip() if last_text.endswith(":") else ""
    if key_name:
        return word("server.needs_a_value", field=key_name.strip(" \"'"))
    return "" if last_field.text.strip() else word("server.needs_a_value", field=last_field.key)


def try_entries(opened: OpenCampaign, replay: Replay[Any], entries: list[str]) -> Answer:
    """What entries do at the position of a replay, which goes on with them."""
    entry_items = "\n".join(map(writing.as_list_item, entries))
    steps, problems = opened.workspace.attempt(replay, entry_items)
    mark_names = opened.name_marker_at(replay)
    return {
        "yaml": entry_items,
        "player": steps[-1].player if steps else "",
        "rows": _row_data(replay, steps, mark_names),
        "findings": [_problem_data(problem, replay) for problem in problems],
        "after": state_of_play(replay, mark_names, panel=False),
    }


def effect_of_line(
    opened: OpenCampaign, replay: Replay[Any], line: str, story: str, actor: str = ""
) -> tuple[Answer, Sequence[Step]]:
    """What a line does, or what it lacks to be an entry.

    Args:
        opened: The campaign.
        replay: Where the entry would come. It goes on with the entry.
        story: The story beside the line.
        actor: The actor, to be added to the entry.

    Returns:
        The effect as plain data, and the steps. ``unsaid`` of the first lacking part is short, if
        the line only ends too early: then it is ``bare``, and says less than the question.
    """
    effect: Answer = {"yaml": "", "complete": False, "findings": [], "rows": [], "lacks": []}
    by_verb = replay.rulebook.by_verb
    try:
        entry_data = read_line(line, by_verb)
    except LineError as error:
        lacking_value_message, hints = message_of_lacking_value(line, by_verb), [*error.help]
        lacking_part: Answer = {"message": str(error), "hints": hints, "help": hints}
        lacking_part |= {"unsaid": lacking_value_message, "bare": bool(lacking_value_message)}
        return effect | {"lacks": [lacking_part] if line.strip() else []}, ()
    entry = write_entry({**entry_data, "by": actor} if actor else entry_data)
    if story.strip():
        with suppress(Refused):
            entry = writing.with_text(entry, story)
    entry_item = writing.as_list_item(entry)
    steps, problems = opened.workspace.attempt(replay, entry_item)
    mark_names = opened.name_marker_at(replay)
    unread_problems = [
        problem
        for problem in problems
        if problem.kind is DiagnosticKind.UNREADABLE and problem.code in UNFINISHED_CODES
    ]
    lacking_parts = [
        _problem_data(problem, replay) for problem in unread_problems or ([] if steps else problems)
    ]
    has_error = any(problem.severity is Severity.ERROR for problem in problems)
    # A file may contain an empty key. In a line it has just been started.
    lacking_parts += [
        {"message": word("server.needs_a_value", field=key), "hints": [], "help": []}
        for key in (() if lacking_parts else _keys_without_value(entry_data))
        if key != next(iter(entry_data)) and not (has_error and key in entry_data)
    ]
    if lacking_parts:
        problems = []
        for lacking_part in lacking_parts:
            lacking_part["message"] = _BRACES.sub("", lacking_part["message"])
        lacking_value_message = message_of_lacking_value(line, by_verb)
        lacking_parts[0] |= {"unsaid": lacking_value_message, "bare": bool(lacking_value_message)}
    effect |= {
        "yaml": entry_item,
        "complete": bool(steps) and not lacking_parts,
        "lacks": lacking_parts,
        "rows": _row_data(replay, steps, mark_names),
        "findings": [_problem_data(problem, replay) for problem in problems],
    }
    return effect, steps


def _row_data(replay: Replay[Any], steps: Sequence[Step], mark_names: NameMarker) -> list[Answer]:
    """Tried entries as rows of the log."""
    play = replay.play
    accounts = replay.rulebook.accounts
    return [
        {"player": step.player, "nested": step.parent is not None, "fiction": step.fiction}
        | entry_row(step, play.changes(step), play.names, accounts, mark_names)
        for step in steps
        if not step.hidden
    ]


def _keys_without_value(entry_data: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a mapping, and of mappings in it, that have no value."""
    for key, value in entry_data.items():
        if value == "":
            yield key
        for nested_value in value if isinstance(value, list) else [value]:
            if isinstance(nested_value, Mapping):
                yield from _keys_without_value(nested_value)


def _problem_data(problem: Diagnostic, replay: Replay[Any]) -> Answer:
    """A diagnostic as plain data. ``hints`` is its help without YAML, ``pairs`` what was meant."""
    hints, first_fixes = hints_of(problem, replay.rulebook.by_verb), problem.fixes[:1]
    replacement_texts = [
        edit.text for fix in first_fixes for edit in fix.edits if isinstance(edit, ReplaceText)
    ]
    pair_text = next((text[1:-1] for text in replacement_texts if text.startswith("{")), "")
    return diagnostic_as_data(problem) | {"hints": hints, "pairs": pair_text}
