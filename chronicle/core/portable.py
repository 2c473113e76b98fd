"""Names of files that every system can hold: Windows forbids letters and whole names, macOS tells no
letter case apart and stores accents its own way."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MOST_LETTERS: Final = 100
"""How long the name of one file becomes, in bytes of UTF-8: some systems count these."""
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+')
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d) *", re.IGNORECASE)
"""Devices of Windows. A file may not be called like one, whatever ending it has."""


def portable(name: str) -> str:
    """A name for one file or folder, as much like the given one as every system allows. A name that is
    good already stays as it is."""
    name = _FORBIDDEN.sub("-", unicodedata.normalize("NFC", name)).strip().rstrip(". ")
    stem, dot, ending = name.partition(".")
    # Windows reads a small raised 1 as a 1.
    if _RESERVED.fullmatch(unicodedata.normalize("NFKC", stem)):
        name = f"{stem.rstrip()}-{dot}{ending}"
    return _cut(name) if len(name.encode()) > MOST_LETTERS else name or "unnamed"


def _cut(name: str) -> str:
    """The beginning of a long name, with what tells it from others that begin alike, and its ending."""
    import hashlib

    stem, dot, ending = name.rpartition(".")
    if not stem or not 1 <= len(ending.encode()) <= 10:
        stem, dot, ending = name, "", ""
    tail = f"-{hashlib.sha256(name.encode()).hexdigest()[:8]}{dot}{ending}"
    room = MOST_LETTERS - len(tail.encode())
    return stem.encode()[:room].decode(errors="ignore") + tail
