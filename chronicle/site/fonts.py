"""The fonts of the look. Each script (Latin, Greek ...) is a file of its own, and a text brings those that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from chronicle.site.files import SiteFile

ASSETS: Final = Path(__file__).parent / "assets"
SHEET: Final = "fonts.css"
_FACE: Final = re.compile(r"@font-face \{.*?\n\}", re.DOTALL)
_FILE: Final = re.compile(r'url\("(fonts/[\w.-]+)"\)')
_RANGE: Final = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


Fonts = tuple[tuple[str, ...], tuple[str, ...]]
"""The rules of some fonts, and their files among the assets."""


def every_font() -> Fonts:
    """Return all fonts."""
    return _with_files(_FACE.findall((ASSETS / SHEET).read_text(encoding="utf-8")))


@lru_cache(maxsize=8)
def fonts_for(letters: frozenset[str]) -> Fonts:
    """Return the fonts that a text of these letters needs."""
    numbers = [*map(ord, letters)]
    needed: list[str] = []
    for rule in every_font()[0]:
        spans = [(int(a, 16), int(b or a, 16)) for a, b in _RANGE.findall(rule)]
        # The first script has spaces and punctuation, which ask for no other.
        if any(
            a <= code_point <= b
            for code_point in numbers
            for a, b in spans
            if code_point > 127 or a == 0
        ):
            needed.append(rule)
    return _with_files(needed)


def _with_files(rules: Iterable[str]) -> Fonts:
    rules = tuple(rules)
    return rules, tuple(dict.fromkeys(file for rule in rules for file in _FILE.findall(rule)))


def letters_of(files: Iterable[SiteFile]) -> frozenset[str]:
    """Return the letters of the pages of a site, and of what its scripts show."""
    letters: set[str] = set()
    for file in files:
        for text in (file.html, file.markdown, file.above, file.below):
            letters.update(text)
        if file.data is not None and file.path.endswith((".html", ".js")):
            letters.update(file.data.decode("utf-8", "replace"))
    return frozenset(letters)
