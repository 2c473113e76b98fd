"""Pseudonyms: replace the names of players in published texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value

_NON_WORD: Final = r"[\W_]+"
_JOINING_CHARACTERS: Final = "-_/."
_DIACRITIC_PATTERN: Final = r"[\u0300-\u036f]"
"""A combining diacritic: together with the letter before it, it makes another letter."""
_INVISIBLE_PATTERN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Characters that are not displayed (Default_Ignorable_Code_Point in Unicode). A name may contain them."""
_GENITIVE_LANGUAGES: Final = frozenset(("da", "de", "nb", "nl", "nn", "no", "sv"))
"""Languages that form the genitive by adding an s without an apostrophe."""


class FoundName(NamedTuple):
    """A private name in a text: its offsets in the text, and the name that readers see."""

    start: int
    end: int
    public_name: str


class Pseudonyms:
    """The names of players as readers see them.

    ``shown`` maps every spelling of a private name to its public name. Whole words are replaced, in every
    letter case and equivalent Unicode form (``WEISS`` for ``Weiß``), also as parts of ids and file names
    (``ana-bid-3``). ``reserved_words`` are words with a meaning of their own in a log (verbs, options, choices): such
    a word alone is not replaced."""

    def __init__(
        self,
        public_names: Mapping[str, str] | None = None,
        reserved_words: Iterable[str] = (),
        language: str = "en",
    ) -> None:
        self._reserved, self._language = frozenset(reserved_words), language
        self._public_name_by_name = dict(public_names or {})
        self._public_name_by_comparable = {
            comparable(private_name): public_name
            for private_name, public_name in self._public_name_by_name.items()
        }
        name_patterns = (
            r"\s+".join(map(re.escape, private_name.split(" ")))
            for private_name in self._public_name_by_comparable
            if private_name
        )
        any_name_pattern = "|".join(sorted(name_patterns, key=len, reverse=True))
        genitive_ending = (
            "s?" if language.partition("-")[0].casefold() in _GENITIVE_LANGUAGES else ""
        )
        word_start, word_end = (
            rf"(?<![^\W_])(?<!{_DIACRITIC_PATTERN})",
            rf"(?![^\W_])(?!{_DIACRITIC_PATTERN})",
        )
        self._whole_name_pattern = (
            re.compile(f"{word_start}({any_name_pattern})({genitive_ending}){word_end}")
            if any_name_pattern
            else None
        )

    def with_further_names(self, public_names: Mapping[str, str]) -> Pseudonyms:
        """A copy that also replaces the names in ``public_names``; replacements that exist already take precedence."""
        return (
            Pseudonyms(
                {**public_names, **self._public_name_by_name}, self._reserved, self._language
            )
            if public_names
            else self
        )

    def __bool__(self) -> bool:
        return self._whole_name_pattern is not None

    def names_in(self, text: str) -> Iterator[FoundName]:
        """The private names in a text, from left to right."""
        if self._whole_name_pattern is None:
            return
        folded_text = _fold_for_comparison(text)
        if self._whole_name_pattern.search(folded_text) is None:
            return
        source_offsets = _source_offsets(text)
        previous_match_end = 0
        for match in self._whole_name_pattern.finditer(folded_text):
            start, name_end, match_end = (
                source_offsets[folded_offset]
                for folded_offset in (match.start(), match.end(1), match.end())
            )
            matches_whole_characters = all(
                not folded_offset
                or source_offsets[folded_offset] != source_offsets[folded_offset - 1]
                for folded_offset in (match.start(), match.end())
            )
            if matches_whole_characters and start >= previous_match_end:
                public_name = self._public_name_by_comparable[comparable(text[start:name_end])]
                yield FoundName(start, name_end, public_name)
                previous_match_end = match_end

    def replace_in_text(self, text: str) -> str:
        """The text with public names."""
        text_parts: list[str] = []
        copied_end = 0
        for found_name in self.names_in(text):
            text_parts += [text[copied_end : found_name.start], self._replacement(text, found_name)]
            copied_end = found_name.end
        return "".join([*text_parts, text[copied_end:]]) if text_parts else text

    def replace_in_scalar(self, scalar: ScalarNode) -> ScalarNode:
        """A scalar of a log with public names."""
        if self._whole_name_pattern is None or (
            scalar in self._reserved and scalar not in self._public_name_by_name
        ):
            return scalar
        replaced_text = self.replace_in_text(scalar)
        return scalar if replaced_text == scalar else scalar.like(replaced_text)

    def replace_in_value(self, value: Value) -> Value:
        """A value of a log, keys included, with public names."""
        return copy_with_words(value, self.replace_in_scalar)

    def _replacement(self, text: str, found_name: FoundName) -> str:
        """The replacement for a name in a text."""
        start, end, public_name = found_name
        private_name = text[start:end]
        text_before, text_after = text[max(start - 2, 0) : start], text[end : end + 2]
        if (
            len(text_before) == 2
            and text_before[1] in _JOINING_CHARACTERS
            and text_before[0].isalnum()
        ) or (
            len(text_after) == 2
            and text_after[0] in _JOINING_CHARACTERS
            and text_after[1].isalnum()
        ):
            public_name = re.sub(_NON_WORD, "-", public_name)
        if private_name not in self._public_name_by_name:
            public_name = (
                public_name.lower()
                if private_name.islower()
                else public_name.upper()
                if private_name.isupper()
                else public_name
            )
        return public_name


def comparable(name: str) -> str:
    """The form in which names are compared: Unicode's compatibility case folding, regardless of letter case,
    composition, width and white space; a Turkish i equals any other i."""
    return " ".join(_fold_for_comparison(name).split())


def _fold_for_comparison(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed_text = unicodedata.normalize("NFKD", _INVISIBLE_PATTERN.sub("", text))
    folded_text = unicodedata.normalize("NFKD", decomposed_text.casefold())
    return folded_text.replace("i\u0307", "i").replace("\u0131", "i")


def _source_offsets(text: str) -> Sequence[int]:
    """For every character of the folded text, and for its end, the offset in the text it comes from. A
    letter and its diacritics share one offset."""
    if text.isascii():
        return range(len(text) + 1)
    source_offsets: list[int] = []
    letter_start = 0
    for offset in range(1, len(text) + 1):
        is_joined = offset < len(text) and (
            unicodedata.combining(text[offset]) or _INVISIBLE_PATTERN.match(text[offset])
        )
        if not is_joined:
            source_offsets += [letter_start] * len(_fold_for_comparison(text[letter_start:offset]))
            letter_start = offset
    return [*source_offsets, len(text)]


def copy_with_words(value: Value, reword: Callable[[ScalarNode], ScalarNode]) -> Value:
    """A copy of a value with every scalar, keys included, replaced by ``reword(scalar)``."""
    if isinstance(value, ScalarNode):
        return reword(value)
    copied_value: SequenceNode | MappingNode
    if isinstance(value, SequenceNode):
        copied_value = SequenceNode(copy_with_words(inner_value, reword) for inner_value in value)
    else:
        copied_value = MappingNode(
            (reword(key), copy_with_words(inner_value, reword))
            for key, inner_value in value.items()
        )
    return set_place(copied_value, value)


def set_place(container: SequenceNode | MappingNode, original: Value) -> SequenceNode | MappingNode:
    """Give a list or a mapping the position of another value."""
    container.line, container.column = original.line, original.column
    container.end_line, container.end_column = original.end_line, original.end_column
    return container
