"""What the front door of an archive loads when it is asked, in pieces: the campaigns to filter them, and the words
they are found by. Each piece is a script, so that it can be had from any static host and from a disk.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from chronicle.site.cards import Card
from chronicle.site.front import SHARD

FULL: Final = 96 * 1024
"""From how many letters on a piece of the words is divided by the next letter."""
DEEP: Final = 8
"""How many letters a piece goes by at most."""
LONG: Final = 40
"""Longer words are cut: nobody types them."""
HELD: Final = 1_000_000
"""How many words of campaigns are kept in memory before they go to the disk."""
WORD: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{2,}"
)
"""A word; where none are written apart, each letter is one."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def script(call: str, *given: Any) -> bytes:
    """A script that hands something to a function of the page."""
    told = ",".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in given)
    # Two letters that end a line in older browsers, and what could end a script that stands on a page.
    for letter in ("\u2028", "\u2029"):
        told = told.replace(letter, f"\\u{ord(letter):04x}")
    return f"{call}({told});\n".replace("</", "<\\/").encode("utf-8", "replace")


def handed(data: bytes) -> Any:
    """What :func:`script` handed over last.

    Raises:
        ValueError: when it is no such script.
    """
    text = data.decode("utf-8")
    start = text.index("(")
    given = json.loads(f"[{text[start + 1 : text.rindex(')')]}]")
    return given[-1]


def cards(every: Sequence[Card]) -> Iterator[tuple[str, bytes]]:
    """The campaigns in the order of their lists, as a form filters them: name of a file, and what is in it."""
    for start in range(0, len(every), SHARD):
        rows = [_row(card) for card in every[start : start + SHARD]]
        number = start // SHARD
        yield f"cards/{number}.js", script("chronicleCards", number, rows)


def _row(card: Card) -> list[Any]:
    return [
        card.folder,
        card.title,
        card.game,
        list(card.players),
        card.minutes,
        card.sessions,
        list(card.dates[:1]) + list(card.dates[-1:] if len(card.dates) > 1 else ()),
        int(card.over),
        " ".join(card.used),
        list(card.adopted),
        card.summary,
        sorted({day[:4] for day in card.dates}),
        card.cover.removeprefix(f"{card.folder}/"),
    ]


def words_of(text: str) -> Iterator[str]:
    """The words of a text as they are looked for: small letters without accents."""
    plain = unicodedata.normalize("NFKD", text).lower()
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    for word in WORD.findall(plain):
        yield word[:LONG]


def counted(texts: Iterable[str]) -> Counter[str]:
    """Count how often each word stands in some texts."""
    found: Counter[str] = Counter()
    for text in texts:
        found.update(words_of(str(text)))
    return found


class Words:
    """An index of the words of all campaigns. What it has been told lies on the disk, by the first letters of
    the words, so that memory does not grow with the campaigns.

    Args:
        scratch: an empty folder.
    """

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._told: dict[str, str] = {}
        """Of each word the first campaign it is in, how often, and the way from there to the next ones."""
        self._last: dict[str, int] = {}
        """The last campaign that each word is in."""
        self._held = 0

    def add(self, number: int, found: Mapping[str, int]) -> None:
        """Take in the words of a campaign. Campaigns come in the order of their numbers."""
        told, last = self._told, self._last
        for word, times in found.items():
            often = f".{_short(times)}" if times != 1 else ""
            if word in told:
                told[word] += f" {_short(number - last[word])}{often}"
            else:
                told[word] = f"{number}\t{often}"
            last[word] = number
        self._held += len(found)
        if self._held > HELD:
            self._settle()

    def _settle(self) -> None:
        by_start: dict[str, list[str]] = {}
        for word, told in self._told.items():
            by_start.setdefault(word[:2], []).append(f"{word}\t{told}\t{self._last[word]}\n")
        for start, lines in by_start.items():
            with (self._scratch / name_of(start)).open("a", encoding="utf-8", newline="\n") as file:
                file.writelines(lines)
        self._told.clear()
        self._last.clear()
        self._held = 0

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The pieces, and the list of them: name of a file, and what is in it."""
        self._settle()
        starts: list[str] = []
        by_name = sorted(file.name for file in self._scratch.iterdir())
        for _, alike in groupby(by_name, key=lambda name: name.partition("-")[0]):
            files = [self._scratch / name for name in alike]
            # What begins with one letter is one piece, where that is not too large.
            together = sum(file.stat().st_size for file in files) <= FULL
            for part in [files] if together else [[file] for file in files]:
                found = _read(part)
                start = next(iter(found))[: 1 if together else 2]
                for piece, told in divided(start, found):
                    starts.append(piece)
                    yield f"words/{name_of(piece)}.js", script("chronicleWords", piece, told)
        yield "words/index.js", script("chronicleShards", sorted(starts))


def _read(files: Iterable[Path]) -> dict[str, str]:
    """Words in order, each with the campaigns it is in: the way from one number to the next, and how often."""
    found: dict[str, list[str]] = {}
    last: dict[str, int] = {}
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                word, first, more, end = line.rstrip("\n").split("\t")
                gap = _short(int(first) - last.get(word, 0))
                last[word] = int(end)
                found.setdefault(word, []).append(f"{gap}{more}")
    return {word: " ".join(found[word]) for word in sorted(found)}


def divided(start: str, found: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Words that begin alike, in pieces that are not too large; a piece goes by the letters its words begin
    with."""
    if len(start) >= DEEP or sum(len(word) + len(told) for word, told in found.items()) <= FULL:
        yield start, found
        return
    parts: dict[str, dict[str, str]] = {}
    for word, told in found.items():
        parts.setdefault(word[: len(start) + 1], {})[word] = told
    for piece, inner in parts.items():
        if piece == start:
            yield piece, inner
        else:
            yield from divided(piece, inner)


def name_of(start: str) -> str:
    """The name of a file for words that begin with these letters, on every system."""
    return "-".join(f"{ord(letter):x}" for letter in start)


@lru_cache(4096)
def _short(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
