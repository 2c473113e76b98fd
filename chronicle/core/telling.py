"""The story that an entry tells, apart from its effects.

A verb declares which of its values are sentences (``text_role=`` in :mod:`chronicle.core.declare`). Other values
that belong to the story (a new Trait, a name) become a short lead-in. Texts are not rewritten: a sentence
only gets its capital and its full stop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, Final, NamedTuple

from chronicle.core.diagnostic import listed


class TextRole(Enum):
    """How a text is told."""

    SENTENCE = "a sentence of the story"
    SPOKEN = "what somebody says"
    PROSE = "the story in paragraphs (Markdown)"
    LEAD = "a lead-in: words that are no sentence"
    TALK = "talk about the table (Markdown)"


class Piece(NamedTuple):
    """A text of an entry, and its role in the story."""

    role: TextRole
    text: str
    speaker: str = ""


class Slip(NamedTuple):
    """A word on a slip of paper: a Trait, a Feature, a descriptor. ``state`` is ``""``, ``name``, ``role``,
    ``removed``, ``wound``, ``flaw``, ``inherited``, ``negated`` or a word of the game."""

    text: str
    count: int = 1  # type: ignore[assignment]  # tuples have a count() that nobody needs here
    state: str = ""
    step: int = 0
    player: str = ""
    of: str = ""
    """The id of the person or object it names, if it is a name."""


_WORD_PATTERN: Final = r"\w+"
_PARAGRAPH_BREAK: Final = r"\n[ \t]*\n"
_ABBREVIATIONS: Final = (
    "Mr",
    "Mrs",
    "Ms",
    "Mx",
    "Dr",
    "St",
    "Prof",
    "Capt",
    "Sgt",
    "Col",
    "Gen",
    "Rev",
)
"""Abbreviations whose full stop does not end a sentence."""
_NO_ABBREVIATION_BEFORE: Final = "".join(rf"(?<!\b{word}\.)" for word in _ABBREVIATIONS)
_SENTENCE_END: Final = rf"""(?<=[.!?…]){_NO_ABBREVIATION_BEFORE}(["'”’)\]*_]*)\s+"""
ENTER: Final = "Enter "
"""The first word of the lead-in for people who enter a scene."""
MIN_WORD_LENGTH = 4
"""Shorter words say little about the subject of a sentence."""
STEM_LENGTH = 5
MIN_SHARED_STEMS = 0.8
"""Two texts say the same if this share of the words of one is in the other."""


def enter_lead_in(names: Iterable[str]) -> str:
    """The lead-in for people who enter a scene."""
    return ENTER + listed(names)


def introduction_lead_in(name: str, character_role: str | None) -> str:
    """The lead-in for a new person, with the role, if given."""
    return f"This is {name}" if character_role is None else f"{name}, {character_role}"


def person_slips(name: str, character_role: str | None) -> Iterator[Slip]:
    """The slips of a new person, with the role, if given."""
    yield Slip(name, state="name")
    if character_role is not None:
        yield Slip(character_role, state="role")


def pieces(
    role: TextRole, told_value: Any, speaker: str = "", lead_in_template: str = "{who}"
) -> Iterator[Piece]:
    """The texts of a typed value: a text, a list, {name: words}, or lines of speech.

    Args:
        role: their role in the story.
        told_value: the value.
        speaker: the speaker, if the value names none.
        lead_in_template: the lead-in for words about a person.
    """
    if told_value is None:
        return
    if isinstance(told_value, dict):
        for person_or_speaker, spoken_words in told_value.items():
            if role is TextRole.SPOKEN:
                yield from pieces(role, spoken_words, str(person_or_speaker))
            else:
                yield Piece(TextRole.LEAD, lead_in_template.format(who=person_or_speaker))
                yield from pieces(role, spoken_words)
    elif isinstance(told_value, str):
        if told_value.strip():
            yield Piece(role, told_value.strip(), speaker)
    elif hasattr(told_value, "speaker"):
        yield Piece(role, str(told_value.words).strip(), str(told_value.speaker))
    else:
        for nested_value in told_value:
            yield from pieces(role, nested_value, speaker)


def sentence(raw_text: str) -> str:
    """A text as a sentence: on one line, with a capital and a full stop where they are missing."""
    one_line_text = " ".join(raw_text.split())
    if not one_line_text:
        return one_line_text
    if one_line_text[0].islower():
        one_line_text = one_line_text[0].upper() + one_line_text[1:]
    return with_full_stop(one_line_text)


def with_full_stop(text: str) -> str:
    """A text with a full stop, if it ends with a letter or a digit."""
    # Scripts without letter case have full stops of their own.
    unmarked_text = text.rstrip("*_`~\"'”’)")
    if unmarked_text and (
        unmarked_text[-1].isdigit() or unmarked_text[-1].islower() or unmarked_text[-1].isupper()
    ):
        text += "."
    return text


def stems(text: str) -> list[str]:
    """The meaningful words of a text, cut so that endings do not matter."""
    return [
        word[:STEM_LENGTH]
        for word in re.findall(_WORD_PATTERN, text.casefold())
        if len(word) >= MIN_WORD_LENGTH
    ]


def repeats_words(earlier_text: str, later_text: str) -> bool:
    """Whether a text begins by saying the same as ``earlier_text``."""
    expected_words = re.findall(_WORD_PATTERN, earlier_text.casefold())
    opening_words = re.findall(_WORD_PATTERN, later_text.casefold())[: len(expected_words) * 2 + 8]
    if opening_words[: len(expected_words)] == expected_words:
        return True
    word_stems = stems(earlier_text)
    opening_stems = set(stems(" ".join(opening_words)))
    return len(word_stems) > 1 and sum(
        stem in opening_stems for stem in word_stems
    ) >= MIN_SHARED_STEMS * len(word_stems)


def without_repeated_sentence(text: str, earlier_text: str) -> str:
    """A text without its first sentence if that only repeats words of ``earlier_text``."""
    sentence_end_match = re.search(_SENTENCE_END, text)
    if sentence_end_match is None:
        return text
    first_sentence_words = re.findall(_WORD_PATTERN, text[: sentence_end_match.start()].casefold())
    earlier_words = set(re.findall(_WORD_PATTERN, earlier_text.casefold()))
    return (
        text[sentence_end_match.end() :]
        if len(first_sentence_words) > 2 and earlier_words.issuperset(first_sentence_words)
        else text
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text, each with its closing marks."""
    texts_and_marks = re.split(_SENTENCE_END, " ".join(text.split()))
    return [
        whole_sentence
        for index in range(0, len(texts_and_marks), 2)
        if (whole_sentence := "".join(texts_and_marks[index : index + 2])).strip()
    ]


def paragraphs(markdown: str) -> list[str]:
    """The paragraphs of a text."""
    return [
        paragraph.strip() for paragraph in re.split(_PARAGRAPH_BREAK, markdown) if paragraph.strip()
    ]
