"""How near a word is to the description of a verb, by the stems of their words."""

from __future__ import annotations

import re
from typing import Final

from chronicle.core.declare import Action

SMALL_WORDS: Final = frozenset({"a", "an", "for", "of", "the", "their", "to"})
"""Words that do not distinguish verbs."""


def first_sentence(action_class: type[Action]) -> str:
    """The first sentence of a verb's description."""
    return re.split(r"(?<=[.!?]) ", " ".join((action_class.__doc__ or "").split()), maxsplit=1)[0]


def shared_stem_score(word: str, action_class: type[Action]) -> int:
    """The number of stems that a word or two shares with a verb; those in its names count twice."""
    word_stems = _stems(word) - SMALL_WORDS
    name_stems = _stems(" ".join((action_class.verb, *action_class.synonyms)))
    return 2 * len(word_stems & name_stems) + len(word_stems & _stems(first_sentence(action_class)))


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"\w+", text.casefold()) if len(word) > 2}


def _stem(word: str) -> str:
    """A word without English endings of verbs and plurals."""
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) > 2:
            return word.removesuffix(suffix)
    return word
