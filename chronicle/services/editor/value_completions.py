"""Completions of the value of a key, as it is typed in YAML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from chronicle.core.replay import Replay
from chronicle.services.editor.completion import Completion
from chronicle.services.editor.due_dice import (
    dice_due,
    faces_for_extra_dice,
    with_face_placeholders,
)
from chronicle.services.editor.verb_docs import describe_key
from chronicle.services.line_completion import Completer
from chronicle.services.snippets import CARET_MARK, FACE_MARK, snippets
from chronicle.syntax.kinds import holds_entries
from chronicle.syntax.one_line import (
    LineError,
    close_brackets,
    find_verb,
    read_line,
    split_line,
)
from chronicle.syntax.yaml_text import write_entry, write_flow
from chronicle.words import word

MOST_TRIED_CHOICES: Final = 8
"""How many names are tried before they are offered."""


def value_completions(
    replay: Replay[Any],
    row_before: str,
    typed_text: str,
    *,
    needs_braces: bool = True,
    with_snippets: bool = True,
) -> Iterator[Completion]:
    """Completions of a value that is typed in YAML, after ``row_before`` on the same line. ``needs_braces``:
    a name with a value needs braces. ``with_snippets``: snippets for it are offered."""
    line_text = row_before + typed_text
    is_in_brackets = close_brackets(typed_text) != typed_text
    completer = Completer(replay)
    choices = completer.find_choices(line_text, len(line_text))["choices"]
    typed_value = (typed_text if row_before else typed_text.partition(":")[2]).strip()
    new_item_keys = (
        _new_item_keys(completer, line_text)
        if needs_braces and (typed_value or "[")[-1] in "[,"
        else {}
    )
    labels_with_value = {choice["label"] for choice in choices if choice["line"].endswith(": ")}
    if not labels_with_value:
        # A choice that is complete begins no new item.
        new_item_keys = {
            key: new_item_keys[key]
            for key in new_item_keys.keys() - {choice["label"] for choice in choices}
        }
    field_documentation = _key_documentation(completer, line_text)
    due_face_texts = [*_due_faces_at(completer, line_text)]
    for face_text in due_face_texts:
        extra_dice_note = faces_for_extra_dice(replay, find_verb(line_text, completer.game.by_verb))
        note_with_documentation = "\n\n".join(
            part for part in (extra_dice_note, field_documentation) if part
        )
        yield Completion(
            face_text.replace(FACE_MARK, "_"),
            f"{face_text}{CARET_MARK}",
            0,
            "value",
            word("server.dice_due"),
            note_with_documentation,
        )
    for rank, choice in enumerate(
        [*choices, *(new_item_keys[key] for key in new_item_keys if key not in labels_with_value)]
    ):
        choice_kind, choice_line, label = choice["kind"], choice["line"], choice["label"]
        if (
            choice_kind in ("verb", "key")
            or (choice_kind == "next" and not is_in_brackets)
            or choice["chosen"]
        ):
            continue
        shared_length = _shared_length(line_text, choice_line)
        overwritten_length = len(line_text) - shared_length
        if overwritten_length > len(typed_text):
            continue
        inserted_text = choice_line[shared_length:]
        # An editor compares what is typed with the label, so that it takes the place of all of it.
        overlap_length = next((length for length in range(min(len(typed_text), len(label)), overwritten_length, -1)
                      if label.casefold().startswith(typed_text[-length:].casefold())), overwritten_length)  # fmt: skip
        inserted_text, overwritten_length = (
            typed_text[len(typed_text) - overlap_length : len(typed_text) - overwritten_length]
            + inserted_text,
            overlap_length,
        )
        ends_in_colon = typed_text.rstrip().endswith(":")
        if inserted_text.endswith(": ") and (needs_braces or ends_in_colon):
            # Between braces a comma would end the sentence.
            quoted_caret = f'"{CARET_MARK}"' if completer.takes_only_own_words(choice_line) else ""
            if holds_entries(completer.field_at(line_text)):
                inserted_text = (
                    f"{inserted_text}[{{{CARET_MARK}}}]"
                    if is_in_brackets
                    else f"\n    {inserted_text.rstrip()}\n    - {CARET_MARK}"
                )
            elif completer.ends_in_speech(choice_line):
                # The speaker comes before the words, on a line of each speech.
                inserted_text = (
                    f"|\n    {inserted_text}{CARET_MARK}"
                    if len(typed_value) <= overwritten_length
                    else f"{inserted_text}{CARET_MARK}"
                )
            elif (
                not is_in_brackets or label in new_item_keys or ends_in_colon
            ) and choice_kind != "next":
                inserted_text = f"{{{inserted_text}{quoted_caret or CARET_MARK}}}"
            else:
                inserted_text += quoted_caret
        can_be_tried = (
            rank < MOST_TRIED_CHOICES and not choice["why"] and choice_kind in ("name", "value")
        )
        # A name that needs more names can only be checked with them.
        can_be_tried = can_be_tried and not any(
            slot.is_for_name for slot in completer.slots_at(choice_line)
        )
        tried_entry = (
            _line_as_yaml(replay, completer.complete_line(choice_line)) if can_be_tried else ""
        )
        yield Completion(
            label,
            inserted_text,
            overwritten_length,
            choice_kind if choice_kind == "value" else "name",
            choice["note"],
            "\n\n".join(part for part in (choice["hint"], field_documentation) if part),
            choice["why"],
            tried_entry,
            match_quality=choice["met"],
        )
    for snippet in () if due_face_texts or not with_snippets else snippets(completer, line_text):
        completion = Completion(
            "",
            f"{snippet}{CARET_MARK}",
            0,
            "shape",
            word("server.in_this_shape"),
            field_documentation,
        )
        yield completion._replace(label=completion.text_around_caret[0])


def _key_documentation(completer: Completer, line_text: str) -> str:
    """What there is to say of the key that a line ends in."""
    parsed_line, field = (
        split_line(line_text, completer.game.by_verb),
        completer.field_at(line_text),
    )
    return (
        describe_key(parsed_line.verb, field)
        if parsed_line is not None and field is not None
        else ""
    )


def _due_faces_at(completer: Completer, line_text: str) -> Iterator[str]:
    """Places for the faces of the dice that are due: those of the person before the caret or, in a brace, of all."""
    game, parsed_line = completer.game, split_line(line_text, completer.game.by_verb)
    verb, is_in_brace = find_verb(line_text, game.by_verb), line_text.rstrip().endswith("{")
    if (
        not line_text.rstrip().endswith(("{", ":"))
        or parsed_line is None
        or parsed_line.typed_fields[-1].key != verb
    ):
        return
    open_slots = [slot for slot in completer.slots_at(line_text) if not slot.typed_text.strip()]
    for name_path in dict.fromkeys(
        slot.key_path for slot in open_slots if slot.key_path or is_in_brace
    ):
        for (due_verb, outer_verb), due_throws in dice_due(completer.replay, verb).items():
            dice_value: Any = (
                game.thrown(due_verb, due_throws, outer_verb).get(verb)
                if due_verb == verb
                else None
            )
            for name in name_path:
                pairs = dice_value.items() if isinstance(dice_value, dict) else ()
                dice_value = next(
                    (
                        inner_value
                        for key, inner_value in pairs
                        if completer.candidates.is_same_path((key,), (name,))
                    ),
                    None,
                )
            if dice_value is not None:
                face_text = (
                    write_flow(dice_value)[is_in_brace:-1]
                    if is_in_brace
                    else write_flow(dice_value)
                )
                yield with_face_placeholders(face_text)


def _line_as_yaml(replay: Replay[Any], line: str) -> str:
    """A line of the desk in YAML; empty where it is no entry."""
    try:
        return write_entry(read_line(line, replay.rulebook.by_verb))
    except LineError:
        return ""


def _new_item_keys(completer: Completer, line_text: str) -> dict[str, dict[str, Any]]:
    """Keys that may begin a new item between braces, where names are allowed, too."""
    choices = completer.find_choices(f"{line_text}{{", len(line_text) + 1)["choices"]
    return {
        choice["label"]: choice | {"line": line_text + choice["line"][len(line_text) + 1 :]}
        for choice in choices
        if choice["line"].endswith(": ")
    }


def _shared_length(first_text: str, second_text: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(first_text, second_text, strict=False))
    return next(
        (index for index, (a, b) in pairs if a != b), min(len(first_text), len(second_text))
    )
