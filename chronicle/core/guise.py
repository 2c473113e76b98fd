"""Under which names players are published, and how every text reads then."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from chronicle.core.names import fold
from chronicle.core.source import Entries, Items, Value, Word

_NO_WORD: Final = r"[\W_]+"
_JOINED: Final = "-_/."
_GENITIVE: Final = frozenset(("da", "de", "nb", "nl", "nn", "no", "sv"))
"""Languages that put an s right behind a name for *of*."""


class Guise:
    """What players are called for readers.

    ``shown`` gives, for every spelling of a name that readers may not see, the name they see instead.
    Whole words are replaced, whatever their letter case; inside an id or the name of a file
    (``ana-bid-3``) as a part of it. ``known`` are words with a meaning of their own in a log (verbs,
    options, choices): where one stands alone it stays.
    """

    def __init__(
        self,
        shown: Mapping[str, str] | None = None,
        known: Iterable[str] = (),
        language: str = "en",
    ) -> None:
        self._known, self._language = frozenset(known), language
        self._exact = dict(shown or {})
        self._shown = {fold(name): new for name, new in self._exact.items()}
        forms = {
            unicodedata.normalize(form, name) for name in self._exact for form in ("NFC", "NFD")
        }
        spelt = (r"\s+".join(map(re.escape, name.split())) for name in forms)
        every = "|".join(sorted(spelt, key=len, reverse=True))
        more = "s?" if language.partition("-")[0].casefold() in _GENITIVE else ""
        self._pattern = (
            re.compile(rf"(?<![^\W_])({every})({more})(?![^\W_])", re.IGNORECASE) if every else None
        )

    def and_also(self, shown: Mapping[str, str]) -> Guise:
        """One that gives other words in place of these besides."""
        return Guise({**shown, **self._exact}, self._known, self._language) if shown else self

    def __bool__(self) -> bool:
        return self._pattern is not None

    def text(self, text: str) -> str:
        """A text as readers see it."""
        return self._pattern.sub(self._put, text) if self._pattern is not None else text

    def word(self, word: Word) -> Word:
        """A scalar of a log as readers see it."""
        if self._pattern is None or (word in self._known and word not in self._exact):
            return word
        text = self.text(word)
        return word if text == word else word.like(text)

    def value(self, value: Value) -> Value:
        """A value of a log, its keys included, as readers see it."""
        return copied(value, self.word)

    def _put(self, found: re.Match[str]) -> str:
        name, end = found[1], found[2]
        # Letters that match each other need not fold alike (the dotless i).
        new = self._shown.get(fold(name)) or next(
            new for old, new in self._exact.items() if len(old) == len(name)
        )
        text, start, stop = found.string, found.start(), found.end()
        before, after = text[max(start - 2, 0) : start], text[stop : stop + 2]
        if (len(before) == 2 and before[1] in _JOINED and before[0].isalnum()) or (
            len(after) == 2 and after[0] in _JOINED and after[1].isalnum()
        ):
            new = re.sub(_NO_WORD, "-", new)
        if name not in self._exact:
            new = new.lower() if name.islower() else new.upper() if name.isupper() else new
        return new + end


def copied(value: Value, word: Callable[[Word], Word]) -> Value:
    """A copy of a value in which every scalar, keys included, is what ``word`` makes of it."""
    if isinstance(value, Word):
        return word(value)
    made: Items | Entries
    if isinstance(value, Items):
        made = Items(copied(item, word) for item in value)
    else:
        made = Entries((word(key), copied(item, word)) for key, item in value.items())
    return placed(made, value)


def placed(made: Items | Entries, like: Value) -> Items | Entries:
    """A list or a mapping that stands where another value does."""
    made.line, made.column = like.line, like.column
    made.end_line, made.end_column = like.end_line, like.end_column
    return made
