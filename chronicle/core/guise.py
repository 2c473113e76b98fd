"""Under which names players are published, and how every text reads then."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from chronicle.core.source import Entries, Items, Value, Word

_NO_WORD: Final = r"[\W_]+"
_JOINED: Final = "-_/."
_MARK: Final = r"[\u0300-\u036f]"
"""A diacritic that stands apart from its letter: the letter with it is another letter."""
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Characters that nobody sees (Default_Ignorable_Code_Point in Unicode), wherever they stand in a name."""
_GENITIVE: Final = frozenset(("da", "de", "nb", "nl", "nn", "no", "sv"))
"""Languages that put an s right behind a name for *of*."""


class Guise:
    """What players are called for readers.

    ``shown`` gives, for every spelling of a name that readers may not see, the name they see instead.
    Whole words are replaced in every letter case and every Unicode form that reads the same (``WEISS`` for
    ``Weiß``); inside an id or the name of a file (``ana-bid-3``) as a part of it. ``known`` are words with
    a meaning of their own in a log (verbs, options, choices): where one stands alone it stays.
    """

    def __init__(
        self,
        shown: Mapping[str, str] | None = None,
        known: Iterable[str] = (),
        language: str = "en",
    ) -> None:
        self._known, self._language = frozenset(known), language
        self._exact = dict(shown or {})
        self._shown = {comparable(name): new for name, new in self._exact.items()}
        spelt = (r"\s+".join(map(re.escape, name.split(" "))) for name in self._shown if name)
        every = "|".join(sorted(spelt, key=len, reverse=True))
        more = "s?" if language.partition("-")[0].casefold() in _GENITIVE else ""
        before, after = rf"(?<![^\W_])(?<!{_MARK})", rf"(?![^\W_])(?!{_MARK})"
        self._pattern = re.compile(f"{before}({every})({more}){after}") if every else None

    def and_also(self, shown: Mapping[str, str]) -> Guise:
        """One that gives other words in place of these besides."""
        return Guise({**shown, **self._exact}, self._known, self._language) if shown else self

    def __bool__(self) -> bool:
        return self._pattern is not None

    def text(self, text: str) -> str:
        """A text as readers see it."""
        if self._pattern is None:
            return text
        folded = _folded(text)
        if self._pattern.search(folded) is None:
            return text
        places = _places(text)
        parts: list[str] = []
        done = 0
        for found in self._pattern.finditer(folded):
            start, middle, stop = (places[at] for at in (found.start(), found.end(1), found.end()))
            whole = all(
                not at or places[at] != places[at - 1] for at in (found.start(), found.end())
            )
            if whole and start >= done:
                parts += [text[done:start], self._instead(text, start, middle), text[middle:stop]]
                done = stop
        return "".join([*parts, text[done:]])

    def word(self, word: Word) -> Word:
        """A scalar of a log as readers see it."""
        if self._pattern is None or (word in self._known and word not in self._exact):
            return word
        text = self.text(word)
        return word if text == word else word.like(text)

    def value(self, value: Value) -> Value:
        """A value of a log, its keys included, as readers see it."""
        return copied(value, self.word)

    def _instead(self, text: str, start: int, stop: int) -> str:
        """What readers see in place of a name that stands in a text."""
        name = text[start:stop]
        new = self._shown[comparable(name)]
        before, after = text[max(start - 2, 0) : start], text[stop : stop + 2]
        if (len(before) == 2 and before[1] in _JOINED and before[0].isalnum()) or (
            len(after) == 2 and after[0] in _JOINED and after[1].isalnum()
        ):
            new = re.sub(_NO_WORD, "-", new)
        if name not in self._exact:
            new = new.lower() if name.islower() else new.upper() if name.isupper() else new
        return new


def comparable(name: str) -> str:
    """A name in the form in which names are compared: letter case, composition, width and white space
    aside, by Unicode's compatibility case folding; with a Turkish i like any other i."""
    return " ".join(_folded(name).split())


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", _UNSEEN.sub("", text))
    folded = unicodedata.normalize("NFKD", decomposed.casefold())
    return folded.replace("i\u0307", "i").replace("\u0131", "i")


def _places(text: str) -> Sequence[int]:
    """For every character of the folded text, and for its end, the place in the text that it comes from:
    where the letter begins with which its diacritics go."""
    if text.isascii():
        return range(len(text) + 1)
    places: list[int] = []
    start = 0
    for at in range(1, len(text) + 1):
        goes_on = at < len(text) and (unicodedata.combining(text[at]) or _UNSEEN.match(text[at]))
        if not goes_on:
            places += [start] * len(_folded(text[start:at]))
            start = at
    return [*places, len(text)]


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
