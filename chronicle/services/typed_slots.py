"""Slots at the end of a typed line: what is typed in them, and whether they are complete."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from chronicle.core.declare import Field, PartOf
from chronicle.core.field_types import TEXT, FieldType, MapOf, alternatives, roleless
from chronicle.services.candidates import takes_speech
from chronicle.services.choices import NO_MATCH, Candidate, match_quality
from chronicle.syntax.line_slots import Slot
from chronicle.syntax.one_line import ParsedLine, find_verb


def slot_in_formula(slot: Slot) -> Slot:
    """The slot of the last word of a formula; the slot itself if it holds none."""
    if slot.kind is None or roleless(slot.kind) is not TEXT or slot.is_for_name:
        return slot
    last_word = re.search(r"(?<!\w)\w*\Z", slot.typed_text)
    assert last_word is not None
    return slot._replace(typed_text=last_word.group(), start=slot.start + last_word.start())


def slot_of_last_speech(slot: Slot) -> Slot:
    """The slot of the last line of speech; the slot itself if it holds no speech."""
    if not takes_speech(slot):
        return slot
    speech_start = slot.typed_text.rfind("\n") + 1
    return slot._replace(typed_text=slot.typed_text[speech_start:], start=slot.start + speech_start)


def declared_part(field_type: FieldType[Any], part_name: str) -> Field | None:
    """The declared field with a name in a mapping of a kind."""
    fields_of_parts = (
        alternative_type.part.fields
        for alternative_type in map(roleless, alternatives(field_type))
        if isinstance(alternative_type, PartOf)
    )
    return next((fields[part_name] for fields in fields_of_parts if part_name in fields), None)


def accepts_name_alone(
    field_type: FieldType[Any] | None, candidates: Sequence[Candidate] = ()
) -> bool:
    """Whether a kind accepts a name alone; without a kind, whether a candidate is one."""
    if field_type is None:
        return any(not candidate.suffix for candidate in candidates)
    field_types = map(roleless, alternatives(field_type))
    return any(
        alternative_type.has_names() and not isinstance(alternative_type, (MapOf, PartOf))
        for alternative_type in field_types
    )


def is_verb_complete(text_before_caret: str, parsed_line: ParsedLine) -> bool:
    """Whether the verb is typed to its end."""
    verb = parsed_line.verb.verb
    dash_length = len(text_before_caret) - len(text_before_caret.lstrip("- "))
    text_after_verb = text_before_caret[dash_length + len(verb) :]
    return bool(text_after_verb) and not (
        text_after_verb.strip() and find_verb(text_before_caret, {verb: parsed_line.verb}) == ""
    )


def matches(candidate: Candidate, typed_text: str) -> bool:
    """Whether a candidate matches typed text."""
    return match_quality(candidate, typed_text) < NO_MATCH


def may_end(typed_value: str, offers: list[tuple[Slot, list[Candidate]]]) -> bool:
    """Whether a value may end here: no candidate matches it, or one matches it exactly."""
    takes_names = any(not slot.is_for_name and accepts_name_alone(slot.kind) for slot, _ in offers)
    if typed_value.rstrip().endswith((",", ":", "[", "{")):
        return False
    typed_words_with_candidates = [
        (slot.typed_text.strip().strip("\"'").casefold(), candidates) for slot, candidates in offers
    ]
    if all(
        folded_word and not any(matches(candidate, folded_word) for candidate in candidates)
        for folded_word, candidates in typed_words_with_candidates
    ):
        return True
    return any(
        folded_word in (candidate.label.casefold(), candidate.insert.casefold())
        and not (candidate.suffix and not takes_names)
        for folded_word, candidates in typed_words_with_candidates
        for candidate in candidates
    )
