"""The fonts of the look. Each script (Latin, Greek ...) is a file of its own, and a text brings those that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from chronicle.site.files import SiteFile

ASSETS: Final = Path(__file__).parent / "assets"
FONT_STYLESHEET: Final = "fonts.css"
_FONT_RULE: Final = re.compile(r"@font-face \{.*?\n\}", re.DOTALL)
_FONT_FILE: Final = re.compile(r'url\("(fonts/[\w.-]+)"\)')
_CHARACTER_RANGE: Final = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


FontRulesAndFiles = tuple[tuple[str, ...], tuple[str, ...]]
"""The rules of some fonts, and their files among the assets."""


def all_fonts() -> FontRulesAndFiles:
    """Return all fonts."""
    return _rules_with_files(
        _FONT_RULE.findall((ASSETS / FONT_STYLESHEET).read_text(encoding="utf-8"))
    )


@lru_cache(maxsize=8)
def fonts_for(letters: frozenset[str]) -> FontRulesAndFiles:
    """Return the fonts that a text of these letters needs."""
    code_points = [*map(ord, letters)]
    needed_rules: list[str] = []
    for font_rule in all_fonts()[0]:
        code_point_ranges = [
            (int(first_hex, 16), int(last_hex or first_hex, 16))
            for first_hex, last_hex in _CHARACTER_RANGE.findall(font_rule)
        ]
        # The first script has spaces and punctuation, which ask for no other.
        if any(
            first_hex <= code_point <= last_hex
            for code_point in code_points
            for first_hex, last_hex in code_point_ranges
            if code_point > 127 or first_hex == 0
        ):
            needed_rules.append(font_rule)
    return _rules_with_files(needed_rules)


def _rules_with_files(font_rules: Iterable[str]) -> FontRulesAndFiles:
    font_rules = tuple(font_rules)
    return font_rules, tuple(
        dict.fromkeys(
            font_path for font_rule in font_rules for font_path in _FONT_FILE.findall(font_rule)
        )
    )


def letters_of(site_files: Iterable[SiteFile]) -> frozenset[str]:
    """Return the letters of the pages of a site, and of what its scripts show."""
    letters: set[str] = set()
    for site_file in site_files:
        for page_text in (
            site_file.html,
            site_file.markdown,
            site_file.html_above,
            site_file.html_below,
        ):
            letters.update(page_text)
        if site_file.contents is not None and site_file.path.endswith((".html", ".js")):
            letters.update(site_file.contents.decode("utf-8", "replace"))
    return frozenset(letters)
