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


def decode_bytes(file_bytes: bytes, path: str) -> tuple[str | None, list[Diagnostic]]:
    """Decode a file: the text (None if the encoding is unknown), and the problems of its encoding."""
    place = whole_file(path)
    if file_bytes.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        message = "this file is UTF-32"
        return file_bytes.decode("utf-32", "replace"), [
            problem("T1", message, place, "save it as UTF-8")
        ]
    if file_bytes.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return file_bytes.decode("utf-16"), []
        except UnicodeDecodeError:
            message = "this file says it is UTF-16, but it is not"
            return None, [problem("T1", message, place, "save it as UTF-8")]
    if file_bytes.count(b"\x00") * 3 > len(file_bytes):
        message = "this file looks like UTF-16 without a mark"
        encoding = (
            "utf-16-le" if file_bytes[1::2].count(0) > file_bytes[::2].count(0) else "utf-16-be"
        )
        return file_bytes.decode(encoding, "replace"), [
            problem("T1", message, place, "save it as UTF-8")
        ]
    try:
        return file_bytes.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        invalid_byte = error.object[error.start]
        text_before = bytes(error.object[: error.start]).decode("utf-8", "replace")
        lines_above = yaml_traps.LINE_BREAK.split(text_before)
        line_number, column = len(lines_above), len(lines_above[-1]) + 1
        guessed_character = bytes([invalid_byte]).decode("cp1252", "replace")
        return file_bytes.decode("cp1252", "replace"), [
            problem(
                "T1",
                f"this file is not UTF-8: byte {invalid_byte:#04x} here (perhaps '{guessed_character}')",
                Place(path, line_number, column, line_number, column + 1),
                "save the file as UTF-8; in most editors: Save with Encoding",
            )
        ]


def clean_text(file_text: str, path: str, problems: Problems) -> str:
    """Remove characters that no parser should see: control characters, byte order marks inside the text, and
    merge conflict markers. Each kind is reported."""
    control_matches = [] if file_text.isprintable() else list(CONTROL_CHARACTER.finditer(file_text))
    if control_matches:
        lines_above = yaml_traps.LINE_BREAK.split(file_text[: control_matches[0].start()])
        line_number, column = len(lines_above), len(lines_above[-1]) + 1
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
            Place(path, line_number, column, line_number, column + 1),
            "delete it; it often comes along when text is pasted",
            fixes=[make_fix(ReplaceText(""), is_told=True)] if len(control_matches) == 1 else (),
        )
        file_text = CONTROL_CHARACTER.sub("\ufffd", file_text)
    byte_order_mark_index = file_text.find("\ufeff")
    if byte_order_mark_index >= 0:
        lines_above = yaml_traps.LINE_BREAK.split(file_text[:byte_order_mark_index])
        line_number, column = len(lines_above), len(lines_above[-1]) + 1
        problems.tell(
            "T2",
            "an invisible byte order mark (U+FEFF) stands here",
            Place(path, line_number, column, line_number, column + 1),
            "delete it; it comes along when files are joined",
            fixes=[make_fix(ReplaceText(""), is_told=True)],
        )
        file_text = re.sub("(?<![^\\s])\ufeff", " ", file_text).replace("\ufeff", "\ufffd")
    if "<<<<<<<" in file_text and yaml_traps.MERGE_MARKER.search(file_text):
        file_text = _remove_merge_markers(file_text, path, problems)
    return file_text


def _remove_merge_markers(file_text: str, path: str, problems: Problems) -> str:
    """Remove the markers of an unfinished merge; both versions are read."""
    marker_matches = list(yaml_traps.MERGE_MARKER.finditer(file_text))
    line_number = file_text.count("\n", 0, marker_matches[0].start()) + 1
    problems.tell(
        "T10",
        "two versions of this file were merged and the marks were left in it",
        Place(path, line_number, 1, line_number, 8),
        "keep the version that is right, and delete the lines <<<<<<<, ======= and >>>>>>>",
    )
    return yaml_traps.MERGE_MARKER.sub("", file_text)
