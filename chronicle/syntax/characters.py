"""Decode the bytes of a file into characters that a parser accepts."""

from __future__ import annotations

import re
from typing import Final

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.fix import ReplaceText, make_fix
from chronicle.core.source import Place, whole_file
from chronicle.syntax import yaml_traps
from chronicle.syntax.problems import Problems, problem

CONTROL_CHARACTER: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]"
)
"""Characters that no text may contain: invisible control characters and non-characters."""


def decode_bytes(content: bytes, path: str) -> tuple[str | None, list[Diagnostic]]:
    """Decode a file: the text (None if the encoding is unknown), and the problems of its encoding."""
    place = whole_file(path)
    if content.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        message = "this file is UTF-32"
        return content.decode("utf-32", "replace"), [
            problem("T1", message, place, "save it as UTF-8")
        ]
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return content.decode("utf-16"), []
        except UnicodeDecodeError:
            message = "this file says it is UTF-16, but it is not"
            return None, [problem("T1", message, place, "save it as UTF-8")]
    if content.count(b"\x00") * 3 > len(content):
        message = "this file looks like UTF-16 without a mark"
        encoding = "utf-16-le" if content[1::2].count(0) > content[::2].count(0) else "utf-16-be"
        return content.decode(encoding, "replace"), [
            problem("T1", message, place, "save it as UTF-8")
        ]
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        invalid_byte = error.object[error.start]
        text_before = bytes(error.object[: error.start]).decode("utf-8", "replace")
        lines_above = yaml_traps.LINE_BREAK.split(text_before)
        line, column = len(lines_above), len(lines_above[-1]) + 1
        guessed_character = bytes([invalid_byte]).decode("cp1252", "replace")
        return content.decode("cp1252", "replace"), [
            problem(
                "T1",
                f"this file is not UTF-8: byte {invalid_byte:#04x} here (perhaps '{guessed_character}')",
                Place(path, line, column, line, column + 1),
                "save the file as UTF-8; in most editors: Save with Encoding",
            )
        ]


def clean_text(text: str, path: str, problems: Problems) -> str:
    """Remove characters that no parser should see: control characters, byte order marks inside the text, and
    merge conflict markers. Each kind is reported."""
    control_matches = [] if text.isprintable() else list(CONTROL_CHARACTER.finditer(text))
    if control_matches:
        lines_above = yaml_traps.LINE_BREAK.split(text[: control_matches[0].start()])
        line, column = len(lines_above), len(lines_above[-1]) + 1
        code_point = ord(control_matches[0].group())
        character_name = (
            "a NUL character"
            if code_point == 0
            else f"an invisible control character (U+{code_point:04X})"
        )
        count_text = (
            f", and {len(control_matches) - 1} more in this file"
            if len(control_matches) > 1
            else ""
        )
        problems.tell(
            "T2",
            f"{character_name} stands here{count_text}",
            Place(path, line, column, line, column + 1),
            "delete it; it often comes along when text is pasted",
            fixes=[make_fix(ReplaceText(""), is_told=True)] if len(control_matches) == 1 else (),
        )
        text = CONTROL_CHARACTER.sub("\ufffd", text)
    byte_order_mark_index = text.find("\ufeff")
    if byte_order_mark_index >= 0:
        lines_above = yaml_traps.LINE_BREAK.split(text[:byte_order_mark_index])
        line, column = len(lines_above), len(lines_above[-1]) + 1
        problems.tell(
            "T2",
            "an invisible byte order mark (U+FEFF) stands here",
            Place(path, line, column, line, column + 1),
            "delete it; it comes along when files are joined",
            fixes=[make_fix(ReplaceText(""), is_told=True)],
        )
        text = re.sub("(?<![^\\s])\ufeff", " ", text).replace("\ufeff", "\ufffd")
    if "<<<<<<<" in text and yaml_traps.MERGE_MARKER.search(text):
        text = _remove_merge_markers(text, path, problems)
    return text


def _remove_merge_markers(text: str, path: str, problems: Problems) -> str:
    """Remove the markers of an unfinished merge; both versions are read."""
    marker_matches = list(yaml_traps.MERGE_MARKER.finditer(text))
    line = text.count("\n", 0, marker_matches[0].start()) + 1
    problems.tell(
        "T10",
        "two versions of this file were merged and the marks were left in it",
        Place(path, line, 1, line, 8),
        "keep the version that is right, and delete the lines <<<<<<<, ======= and >>>>>>>",
    )
    return yaml_traps.MERGE_MARKER.sub("", text)
