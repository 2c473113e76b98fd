"""What the text of a typed line says by itself, without its effect: the words to mark, its last key, and what is
wrong however it goes on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from chronicle.core.field_types import TEXT, roleless
from chronicle.services.entry_effects import KEY_OR_VALUE_END, UNFINISHED_CODES
from chronicle.syntax.kinds import holds_entries
from chronicle.syntax.one_line import ParsedLine, TypedField

Answer = dict[str, Any]

_WORD_IN_VALUE: Final = re.compile(r"[^,:{}\[\]\s](?:[^,:{}\[\]]*[^,:{}\[\]\s])?")
"""A name or a word in the value of a key."""


def token_ranges(parsed_line: ParsedLine | None) -> list[list[int]]:
    """The start and the end of each name and word in a line that answers a question; free text has none."""
    if parsed_line is None or holds_entries(parsed_line.verb.main):
        return []
    return [
        [typed_field.start + word_match.start(), typed_field.start + word_match.end()]
        for typed_field in parsed_line.typed_fields
        for field in [parsed_line.field(typed_field.key)]
        if field is not None and roleless(field.kind) is not TEXT and not field.text_role
        for word_match in _WORD_IN_VALUE.finditer(typed_field.text)
    ]


def without_last_key(line: str) -> str:
    """A line without its last key and the typed part of its value."""
    text_before_colon, colon, text_after_colon = line.rpartition(":")
    key = KEY_OR_VALUE_END.split(text_before_colon)[-1]
    if not colon or not key or KEY_OR_VALUE_END.search(text_after_colon):
        return line
    return text_before_colon[: len(text_before_colon) - len(key)].rstrip(" ,")


def find_wrong_part(
    lacking_parts: Iterable[Answer], earlier_fields: Sequence[TypedField]
) -> Answer | None:
    """What is wrong in a line however it goes on, such as a face that no die has, or the value of a key that is
    typed ``earlier_fields``; None where the line is only unfinished."""
    message_starts = tuple(f"'{field.key}' takes " for field in earlier_fields)
    for lacking_part in lacking_parts:
        is_surely_wrong = lacking_part.get("code") not in UNFINISHED_CODES or lacking_part[
            "message"
        ].startswith(message_starts)
        if lacking_part.get("severity") == "error" and is_surely_wrong:
            return lacking_part
    return None
