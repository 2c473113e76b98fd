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
    NestedEntry,
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
    earlier_entries: tuple[NestedEntry, ...]
    """The entries in it before the typed entry."""
    teller: str
    entry_start: int
    """The offset of the typed entry in the line."""


def find_unfinished(
    line_to_caret: str, verbs: Mapping[str, type[Action]]
) -> UnfinishedNestedEntry | None:
    """Find the nested entry that a line ends in; None if there is none, or the replay has not reached it."""
    parsed_line = split_line(line_to_caret, verbs)
    if (
        parsed_line is None
        or len(parsed_line.parts) > 1
        or not holds_entries(parsed_line.verb.main)
    ):
        return None
    (typed_field,) = parsed_line.parts
    *earlier_entries, last_entry = split_entries(typed_field.text, verbs)
    unfinished = UnfinishedNestedEntry(
        parsed_line.verb,
        tuple(earlier_entries),
        last_entry.teller,
        typed_field.start + last_entry.start,
    )
    return unfinished if last_entry.teller else None


def choices(
    workspace: Workspace,
    replay: Replay[Any],
    unfinished: UnfinishedNestedEntry,
    line: str,
    caret: int,
) -> dict[str, Any]:
    """The choices for a caret in a nested entry (that :func:`find_unfinished` found up to it), in the form of
    :meth:`chronicle.services.line_completion.Completer.choices`. The replay goes on."""
    line_to_caret, text_after_caret = line[:caret], line[caret:]
    line_before, typed_entry = (
        line_to_caret[: unfinished.entry_start],
        line_to_caret[unfinished.entry_start :],
    )
    verb_text = f"{unfinished.action_class.verb} "
    teller_choices = Completer(replay).choices(verb_text, len(verb_text))["choices"]
    answer = _choices_inside(workspace, replay, unfinished, typed_entry)
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


def _choices_inside(
    workspace: Workspace, replay: Replay[Any], unfinished: UnfinishedNestedEntry, typed: str
) -> dict[str, Any]:
    """The choices after the entries before, found by playing the outcome with an aside in their place."""
    answer: dict[str, Any] = {}
    real_perform = replay.play.perform

    def perform_and_look(action: Action) -> Step:
        if isinstance(action, Aside) and _is_probe(action):
            answer.update(Completer(replay, unfinished.teller).choices(typed, len(typed)))
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
        answer.update(Completer(replay, unfinished.teller).choices(typed, len(typed)))
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
    outer_steps = {step.number for step in recent_steps if isinstance(step.action, outer_class)}
    inside_counts = Counter(step.action.verb for step in recent_steps if step.parent in outer_steps)
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
    typed_field = parsed_line.parts[0] if parsed_line is not None else None
    field = (
        parsed_line.field(typed_field.key)
        if parsed_line is not None and typed_field is not None
        else None
    )
    if typed_field is None or field is None:
        return []
    if holds_entries(field):
        separator, parts = f" {SLASH} ", split_entries(typed_field.text, verbs)
    else:
        separator, listed_items = ", ", split_items(field.kind, typed_field.text)
        item_indents = [len(item.text) - len(item.text.lstrip()) for item in listed_items]
        parts = [
            NestedEntry("", item.text.strip(), item.start + indent)
            for item, indent in zip(listed_items, item_indents, strict=True)
            if any(other_part.keys for other_part in listed_items)
        ]
    parts = [part for part in parts if part.text]
    text_after = line_text[typed_field.start + len(typed_field.text) :]
    parts_data: list[dict[str, Any]] = []
    for index, part in enumerate(parts if len(parts) > 1 else ()):
        remaining_parts = [*parts[:index], *parts[index + 1 :]]
        part_texts = (
            other_part.text
            if other_part.teller == teller
            else f"{other_part.teller}: {other_part.text}"
            for other_part, teller in zip(
                remaining_parts,
                ["", *(other_part.teller for other_part in remaining_parts)],
                strict=False,
            )
        )
        part_start = typed_field.start + part.start
        has_same_teller = index > 0 and part.teller == parts[index - 1].teller
        parts_data.append(
            {
                "who": "" if has_same_teller else part.teller,
                "text": part.text,
                "start": part_start,
                "end": part_start + len(part.text),
                "without": f"{line_text[: typed_field.start]}{separator.join(part_texts)}{text_after}",
            }
        )
    return parts_data
