"""From the bytes of a file to characters that a parser may see."""

from __future__ import annotations

import re
from typing import Final

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.fix import ReplaceText, make_fix
from chronicle.core.source import Place, whole_file
from chronicle.transcript import traps
from chronicle.transcript.problems import Problems, problem

CONTROL: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]"
)
"""What no text may hold: invisible control characters, and what is no character."""


def decoded(data: bytes, path: str) -> tuple[str | None, list[Diagnostic]]:
    """The text of a file's bytes (None if nobody can tell), and what is wrong with its encoding."""
    where = whole_file(path)
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        message = "this file is UTF-32"
        return data.decode("utf-32", "replace"), [problem("T1", message, where, "save it as UTF-8")]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), []
        except UnicodeDecodeError:
            message = "this file says it is UTF-16, but it is not"
            return None, [problem("T1", message, where, "save it as UTF-8")]
    if data.count(b"\x00") * 3 > len(data):
        message = "this file looks like UTF-16 without a mark"
        ends = "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"
        return data.decode(ends, "replace"), [problem("T1", message, where, "save it as UTF-8")]
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        bad = error.object[error.start]
        before = bytes(error.object[: error.start]).decode("utf-8", "replace")
        above = traps.BREAK.split(before)
        line, column = len(above), len(above[-1]) + 1
        guess = bytes([bad]).decode("cp1252", "replace")
        return data.decode("cp1252", "replace"), [
            problem(
                "T1",
                f"this file is not UTF-8: byte {bad:#04x} here (perhaps '{guess}')",
                Place(path, line, column, line, column + 1),
                "save the file as UTF-8; in most editors: Save with Encoding",
            )
        ]


def cleaned(text: str, path: str, found: Problems) -> str:
    """A text without what no parser should see: control characters, byte order marks in the middle of it, and
    the marks of a merge. What was there is told."""
    hits = [] if text.isprintable() else list(CONTROL.finditer(text))
    if hits:
        above = traps.BREAK.split(text[: hits[0].start()])
        line, column = len(above), len(above[-1]) + 1
        code = ord(hits[0].group())
        name = "a NUL character" if code == 0 else f"an invisible control character (U+{code:04X})"
        more = f", and {len(hits) - 1} more in this file" if len(hits) > 1 else ""
        found.tell(
            "T2",
            f"{name} stands here{more}",
            Place(path, line, column, line, column + 1),
            "delete it; it often comes along when text is pasted",
            fixes=[make_fix(ReplaceText(""), is_told=True)] if len(hits) == 1 else (),
        )
        text = CONTROL.sub("\ufffd", text)
    mark = text.find("\ufeff")
    if mark >= 0:
        above = traps.BREAK.split(text[:mark])
        line, column = len(above), len(above[-1]) + 1
        found.tell(
            "T2",
            "an invisible byte order mark (U+FEFF) stands here",
            Place(path, line, column, line, column + 1),
            "delete it; it comes along when files are joined",
            fixes=[make_fix(ReplaceText(""), is_told=True)],
        )
        text = re.sub("(?<![^\\s])\ufeff", " ", text).replace("\ufeff", "\ufffd")
    if "<<<<<<<" in text and traps.MERGE.search(text):
        text = _unmerged(text, path, found)
    return text


def _unmerged(text: str, path: str, found: Problems) -> str:
    """The text without the marks of a merge that nobody finished: both versions are read."""
    hits = list(traps.MERGE.finditer(text))
    line = text.count("\n", 0, hits[0].start()) + 1
    found.tell(
        "T10",
        "two versions of this file were merged and the marks were left in it",
        Place(path, line, 1, line, 8),
        "keep the version that is right, and delete the lines <<<<<<<, ======= and >>>>>>>",
    )
    return traps.MERGE.sub("", text)
