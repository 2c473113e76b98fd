"""Entries inside an outcome: what fits while the outcome lasts, and what a line holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import Aside
from chronicle.services.choices import PREFIX_MATCH, sort_key
from chronicle.services.line_completion import Completer
from chronicle.services.usage import RECENT_STEP_COUNT
from chronicle.services.writing import as_list_item
from chronicle.syntax.kinds import holds_entries
from chronicle.syntax.one_line import (
    SLASH,
    LineError,
    LinePart,
    read_line,
    split_entries,
    split_items,
    split_line,
)
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word
from chronicle.workspace import Workspace

PROBE: Final = "\ue0d2"
"""The text of a placeholder entry: Chronicle looks for completions at its place."""


class UnfinishedNestedEntry(NamedTuple):
    """A line up to the caret, in an entry that holds others."""

    action_class: type[Action]
    earlier_entries: tuple[LinePart, ...]
    """The entries in it before the typed entry."""
    teller: str
    entry_start: int
    """The offset of the typed entry in the line."""


def find_unfinished_nested_entry(
    line_to_caret: str, verbs: Mapping[str, type[Action]]
) -> UnfinishedNestedEntry | None:
    """Find the nested entry that a line ends in; None if there is none, or the replay has not reached it."""
    parsed_line = split_line(line_to_caret, verbs)
    if (
        parsed_line is None
        or len(parsed_line.typed_fields) > 1
        or not holds_entries(parsed_line.verb.main)
    ):
        return None
    (typed_field,) = parsed_line.typed_fields
    *earlier_entries, last_entry = split_entries(typed_field.text, verbs)
    unfinished = UnfinishedNestedEntry(
        parsed_line.verb,
        tuple(earlier_entries),
        last_entry.teller,
        typed_field.start + last_entry.start,
    )
    return unfinished if last_entry.teller else None


def nested_choices(
    workspace: Workspace,
    replay: Replay[Any],
    unfinished: UnfinishedNestedEntry,
    line: str,
    caret: int,
) -> dict[str, Any]:
    """The choices for a caret in a nested entry (that :func:`find_unfinished_nested_entry` found up to it), in the
    form of :meth:`chronicle.services.line_completion.Completer.find_choices`. The replay goes on."""
    line_to_caret, text_after_caret = line[:caret], line[caret:]
    line_before, typed_entry = (
        line_to_caret[: unfinished.entry_start],
        line_to_caret[unfinished.entry_start :],
    )
    verb_text = f"{unfinished.action_class.verb} "
    teller_choices = Completer(replay).find_choices(verb_text, len(verb_text))["choices"]
    answer = _choices_in_nested_entry(workspace, replay, unfinished, typed_entry)
    for choice in answer["choices"]:
        choice.update(
            line=f"{line_before}{choice['line']}{text_after_caret}",
            caret=choice["caret"] + len(line_before),
        )
    if _has_value(typed_entry, replay.rulebook.by_verb):
        tellers_so_far = {entry.teller for entry in unfinished.earlier_entries} | {
            unfinished.teller
        }
        other_tellers = [
            choice["line"].removeprefix(verb_text)
            for choice in teller_choices
            if choice["eligible"] and choice["label"] not in tellers_so_far
        ]
        next_entry_start = f"{line_to_caret.rstrip()} {SLASH} "
        answer["choices"][:0] = [
            {
                "line": next_entry_start + teller + text_after_caret,
                "caret": len(next_entry_start + teller),
            }
            | {"label": teller or word("server.and_then"), "note": "", "hint": "", "kind": "next"}
            | {"eligible": True, "why": "", "chosen": False, "met": PREFIX_MATCH}
            for teller in ("", *other_tellers)
        ]
    return answer


def _has_value(typed_entry: str, verbs: Mapping[str, type[Action]]) -> bool:
    try:
        return any(value != "" for value in read_line(typed_entry, verbs).values())
    except LineError:
        return False


def _choices_in_nested_entry(
    workspace: Workspace, replay: Replay[Any], unfinished: UnfinishedNestedEntry, typed_entry: str
) -> dict[str, Any]:
    """The choices after the entries before, found by playing the outcome with an aside in their place."""
    answer: dict[str, Any] = {}
    real_perform = replay.play.perform

    def perform_and_look(action: Action) -> Step:
        if isinstance(action, Aside) and _is_probe(action):
            answer.update(
                Completer(replay, unfinished.teller).find_choices(typed_entry, len(typed_entry))
            )
        return real_perform(action)

    entries_by_teller: dict[str, list[dict[str, Any]]] = {}
    verbs = replay.rulebook.by_verb
    try:
        for earlier_entry in unfinished.earlier_entries:
            if earlier_entry.text:
                entries_by_teller.setdefault(earlier_entry.teller, []).append(
                    read_line(earlier_entry.text, verbs)
                )
    except LineError:
        pass  # The line itself reports this error.
    entries_by_teller.setdefault(unfinished.teller, []).append({"aside": PROBE})
    replay.play.perform = perform_and_look
    workspace.attempt(
        replay, as_list_item(write_entry({unfinished.action_class.verb: entries_by_teller}))
    )
    if not answer:
        answer.update(
            Completer(replay, unfinished.teller).find_choices(typed_entry, len(typed_entry))
        )
    answer["choices"] = [
        choice for choice in answer["choices"] if choice["label"] != unfinished.action_class.verb
    ]
    if all(choice["kind"] == "verb" for choice in answer["choices"]):
        _sort_verbs(answer["choices"], replay, unfinished.action_class)
    return answer


def _sort_verbs(
    verb_choices: list[dict[str, Any]], replay: Replay[Any], outer_class: type[Action]
) -> None:
    """Sort verbs by how often they lately stood inside such an entry, then anywhere."""
    recent_steps = [
        step
        for step in replay.play.steps[-RECENT_STEP_COUNT:]
        if not (isinstance(step.action, Aside) and _is_probe(step.action))
    ]
    outer_step_numbers = {
        step.number for step in recent_steps if isinstance(step.action, outer_class)
    }
    inside_counts = Counter(
        step.action.verb for step in recent_steps if step.parent in outer_step_numbers
    )
    recent_counts = Counter(step.action.verb for step in recent_steps if step.scene)
    own_verbs = replay.rulebook.own_verbs
    verb_choices.sort(
        key=lambda choice: (
            *sort_key(choice),
            -inside_counts[choice["label"]],
            choice["label"] not in own_verbs,
            -recent_counts[choice["label"]],
        )
    )


def _is_probe(action: Aside) -> bool:
    return str(action.source.get("aside", "")) == PROBE  # type: ignore[call-overload]


def list_parts(line_text: str, verbs: Mapping[str, type[Action]]) -> list[dict[str, Any]]:
    """List the entries, or the items with keys, that a line holds.

    Returns:
        For each its ``text``, its ``start`` and ``end`` in the line, ``who`` tells it if that is not who
        told the one before, and the line ``without`` it. Empty if there are not at least two.
    """
    parsed_line = split_line(line_text, verbs)
    typed_field = parsed_line.typed_fields[0] if parsed_line is not None else None
    field = (
        parsed_line.field(typed_field.key)
        if parsed_line is not None and typed_field is not None
        else None
    )
    if typed_field is None or field is None:
        return []
    if holds_entries(field):
        separator, line_parts = f" {SLASH} ", split_entries(typed_field.text, verbs)
    else:
        separator, listed_items = ", ", split_items(field.kind, typed_field.text)
        item_indents = [
            len(listed_item.text) - len(listed_item.text.lstrip()) for listed_item in listed_items
        ]
        line_parts = [
            LinePart("", listed_item.text.strip(), listed_item.start + indent)
            for listed_item, indent in zip(listed_items, item_indents, strict=True)
            if any(other_item.keys for other_item in listed_items)
        ]
    line_parts = [line_part for line_part in line_parts if line_part.text]
    text_after = line_text[typed_field.start + len(typed_field.text) :]
    line_parts_data: list[dict[str, Any]] = []
    for part_index, line_part in enumerate(line_parts if len(line_parts) > 1 else ()):
        remaining_parts = [*line_parts[:part_index], *line_parts[part_index + 1 :]]
        part_texts = (
            other_line_part.text
            if other_line_part.teller == teller
            else f"{other_line_part.teller}: {other_line_part.text}"
            for other_line_part, teller in zip(
                remaining_parts,
                ["", *(other_line_part.teller for other_line_part in remaining_parts)],
                strict=False,
            )
        )
        part_start = typed_field.start + line_part.start
        has_same_teller = part_index > 0 and line_part.teller == line_parts[part_index - 1].teller
        line_parts_data.append(
            {
                "who": "" if has_same_teller else line_part.teller,
                "text": line_part.text,
                "start": part_start,
                "end": part_start + len(line_part.text),
                "without": f"{line_text[: typed_field.start]}{separator.join(part_texts)}{text_after}",
            }
        )
    return line_parts_data
