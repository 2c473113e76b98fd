"""File names that every system allows: Windows forbids characters and whole names; macOS ignores letter case
and stores accents in its own way."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MAX_NAME_BYTES: Final = 100
"""Maximum length of a file name in bytes of UTF-8, which some systems count."""
_FORBIDDEN_CHARACTERS: Final = re.compile(
    r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+'
)
_RESERVED_STEM: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d) *", re.IGNORECASE
)
"""Windows devices. No file may have such a name, with any ending."""


def portable_name(file_name: str) -> str:
    """A name for one file or folder that every system allows, as similar as possible. An allowed name does
    not change."""
    file_name = (
        _FORBIDDEN_CHARACTERS.sub("-", unicodedata.normalize("NFC", file_name)).strip().rstrip(". ")
    )
    stem, dot, ending = file_name.partition(".")
    # Windows reads a superscript 1 as a 1.
    if _RESERVED_STEM.fullmatch(unicodedata.normalize("NFKC", stem)):
        file_name = f"{stem.rstrip()}-{dot}{ending}"
    return (
        _shorten_name(file_name)
        if len(file_name.encode()) > MAX_NAME_BYTES
        else file_name or "unnamed"
    )


def _shorten_name(file_name: str) -> str:
    """Shorten a long name: its beginning, a digest that makes it unique, and its ending."""
    import hashlib

    stem, dot, ending = file_name.rpartition(".")
    if not stem or not 1 <= len(ending.encode()) <= 10:
        stem, dot, ending = file_name, "", ""
    suffix = f"-{hashlib.sha256(file_name.encode()).hexdigest()[:8]}{dot}{ending}"
    stem_byte_count = MAX_NAME_BYTES - len(suffix.encode())
    return stem.encode()[:stem_byte_count].decode(errors="ignore") + suffix
