"""Sessions and settings as YAML again, without anything unrevealed.

The copies are written from the entries that may be shown, never from the files. Unreadable entries, hidden entries
and comments are left out, because they could reveal a secret. Every text is written as it was typed (``-0``,
``007``, ``no``), in quotes where YAML needs them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from chronicle.core.declare import Part
from chronicle.core.record import Record, SessionRecord
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value

_PLAIN_TEXT: Final = re.compile(r"[\w+.(](?:[^\s#:]| (?=[^\s#]))*")
_PLAIN_TEXT_IN_FLOW: Final = re.compile(r"[\w+.(](?:[^\s#:{}\[\],'\"]| (?=[^\s#]))*")
_BLOCK_TEXT: Final = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff].*\Z", re.S)
_UNSAFE_CHARACTER: Final = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]|[^\S\n]\n|\n[^\S\n]+\Z"
)
_MAX_LINE_WIDTH: Final = 96


def logs(record: Record) -> Iterator[tuple[str, str, str]]:
    """The settings and every session: (file name, description, text)."""
    writer = _Writer(record)
    settings = record.campaign.settings
    yield "campaign.yaml", "The settings of the campaign", writer.declared_keys_text(settings)
    use_count_by_stem: dict[str, int] = {}
    for session in record.sessions:
        file_stem = f"{session.session.number:02}"
        use_count_by_stem[file_stem] = use_count_by_stem.get(file_stem, 0) + 1
        suffix = f"-{use_count_by_stem[file_stem]}" if use_count_by_stem[file_stem] > 1 else ""
        session_text = writer.session_log_text(record, session)
        yield (
            f"{file_stem}{suffix}.yaml",
            f"The log of session {session.session.number}",
            session_text,
        )


def entry_lines_by_step(record: Record, session_index: int, session_text: str) -> dict[int, int]:
    """The line of each shown entry in the exported text of a session, by step number. A nested entry gets the line
    of its parent."""
    session = record.sessions[session_index]
    steps = record.steps[session.first_step - 1 : session.last_step]
    text_lines = session_text.split("\n")
    log_line_index = text_lines.index("log:")
    # Below the head, an entry begins each line that is not indented.
    entry_line_numbers = (
        line_number
        for line_number, line in enumerate(text_lines[log_line_index + 1 :], log_line_index + 2)
        if line[:1] == "-"
    )
    line_by_step_number: dict[int, int] = {}
    for step in steps:
        if step.parent in line_by_step_number:
            line_by_step_number[step.number] = line_by_step_number[step.parent]
        elif step.parent is None and not step.hidden:
            line_by_step_number[step.number] = next(entry_line_numbers)
    return line_by_step_number


def texts_outside_logs(record: Record) -> Iterator[tuple[str, str]]:
    """The other texts of a campaign: journal, notes and captions of pictures, each as (file name, text)."""
    campaign = record.campaign
    for entry in campaign.journal:
        text_metadata = _text_metadata(
            entry, "title", "author", "voice", "session", "about", "date"
        )
        yield f"journal/{PurePosixPath(entry.path).name}", f"---\n{text_metadata}---\n{entry.body}"
    for note in campaign.notes:
        text_metadata = _text_metadata(note, "title", "about", "session")
        yield f"notes/{PurePosixPath(note.path).name}", f"---\n{text_metadata}---\n{note.body}"
    for picture in campaign.art:
        text_metadata = _text_metadata(
            picture, "title", "alt", "artist", "licence", "about", "session"
        )
        yield f"{picture.file.with_suffix('')}.yaml", text_metadata


def _text_metadata(text_or_picture: object, *keys: str) -> str:
    """The head of a text: those of the keys that have a value."""
    metadata_lines: list[str] = []
    for key in keys:
        field_value = getattr(text_or_picture, "subjects" if key == "about" else key)
        if isinstance(field_value, tuple):
            value_text = (
                f"[{', '.join(_scalar_text(item, in_flow=True) for item in field_value)}]"
                if field_value
                else ""
            )
        else:
            value_text = "" if field_value in (None, "") else _scalar_text(str(field_value))
        if value_text:
            metadata_lines.append(f"{key}: {value_text}\n")
    return "".join(metadata_lines)


class _Writer:
    """Writes values as YAML, leaving out mappings that may not be shown."""

    def __init__(self, record: Record) -> None:
        self._shown_source_ids = {
            id(step.action.source) for step in record.steps if not step.hidden
        }
        self._hidden_source_ids = {id(step.action.source) for step in record.steps if step.hidden}
        # An unreadable entry with a verb that can hide entries is hidden, to be safe.
        self._hiding_verbs = {"secret", *(step.action.verb for step in record.steps if step.hidden)}

    def declared_keys_text(self, part: Part) -> str:
        """The declared keys of a header or of the settings."""
        if not isinstance(part.source, MappingNode):
            return ""
        declared_values = {key: value for key, value in part.source.items() if key in part.fields}
        return "".join(f"{line}\n" for line in self._pair_lines(declared_values, ""))

    def session_log_text(self, record: Record, session: SessionRecord) -> str:
        """One session: its header and the entries that may be shown."""
        log_lines = ["log:"]
        for step_number in range(session.first_step, session.last_step + 1):
            step = record.step(step_number)
            if step.parent is None and not step.hidden:
                log_lines.extend(self._item_lines(step.action.source, ""))
        return f"{self.declared_keys_text(session.session.header)}\n" + "\n".join(log_lines) + "\n"

    def _is_shown(self, value: Value) -> bool:
        if not isinstance(value, MappingNode):
            return True
        if id(value) in self._hidden_source_ids:
            return False
        return id(value) in self._shown_source_ids or self._hiding_verbs.isdisjoint(value)

    def _pair_lines(self, mapping: Mapping[ScalarNode, Value], indent: str) -> Iterator[str]:
        for key, value in mapping.items():
            if not self._is_shown(value):
                continue
            key_text = f"{indent}{_scalar_text(key)}:"
            if isinstance(value, ScalarNode):
                yield from _scalar_lines(key_text, value, indent)
                continue
            one_line_text = self._flow_text(value)
            if (
                one_line_text is not None
                and len(key_text) + 1 + len(one_line_text) <= _MAX_LINE_WIDTH
            ):
                yield f"{key_text} {one_line_text}"
            elif isinstance(value, SequenceNode):
                yield key_text
                yield from self._list_lines(value, indent)
            else:
                yield key_text
                yield from self._pair_lines(value, f"{indent}  ")

    def _list_lines(self, sequence: SequenceNode, indent: str) -> Iterator[str]:
        for item_node in sequence:
            if self._is_shown(item_node):
                yield from self._item_lines(item_node, indent)

    def _item_lines(self, value: Value, indent: str) -> Iterator[str]:
        if isinstance(value, ScalarNode):
            yield from _scalar_lines(f"{indent}-", value, indent)
            return
        inner_indent = f"{indent}  "
        item_lines = list(
            self._list_lines(value, inner_indent)
            if isinstance(value, SequenceNode)
            else self._pair_lines(value, inner_indent)
        )
        if not item_lines:
            yield f"{indent}- {'[]' if isinstance(value, SequenceNode) else '{}'}"
            return
        yield f"{indent}- {item_lines[0][len(inner_indent) :]}"
        yield from item_lines[1:]

    def _flow_text(self, value: Value) -> str | None:
        """A value on one line; None if it needs several."""
        if isinstance(value, ScalarNode):
            return (
                None
                if "\n" in value or (not value and not value.style)
                else _scalar_text(value, in_flow=True)
            )
        if isinstance(value, SequenceNode):
            item_texts = [
                self._flow_text(inner_value) for inner_value in value if self._is_shown(inner_value)
            ]
            return None if None in item_texts else f"[{', '.join(map(str, item_texts))}]"
        pair_texts: list[str] = []
        for key, inner_value in value.items():
            if not self._is_shown(inner_value):
                continue
            item_text = self._flow_text(inner_value)
            if item_text is None:
                return None
            pair_texts.append(f"{_scalar_text(key, in_flow=True)}: {item_text}")
        return f"{{{', '.join(pair_texts)}}}"


def _scalar_lines(key_text: str, scalar: ScalarNode, indent: str) -> Iterator[str]:
    """``name: text`` on one line, or as a block of lines."""
    if not scalar and not scalar.style:
        yield key_text
    elif "\n" not in scalar or not _BLOCK_TEXT.match(scalar) or _UNSAFE_CHARACTER.search(scalar):
        yield f"{key_text} {_scalar_text(scalar)}"
    else:
        unbroken_text = scalar.rstrip("\n")
        trailing_break_count = len(scalar) - len(unbroken_text)
        yield f"{key_text} |{'-' if trailing_break_count == 0 else '' if trailing_break_count == 1 else '+'}"
        for line in [*unbroken_text.split("\n"), *[""] * (trailing_break_count - 1)]:
            yield f"{indent}  {line}" if line else ""


def _scalar_text(text: str, *, in_flow: bool = False) -> str:
    if (_PLAIN_TEXT_IN_FLOW if in_flow else _PLAIN_TEXT).fullmatch(text):
        return text
    if _UNSAFE_CHARACTER.search(text) or "\n" in text:
        # JSON and YAML share their escapes, but not surrogate pairs: characters beyond U+FFFF stay unescaped.
        quoted_text = json.dumps(text, ensure_ascii=False)
        return _UNSAFE_CHARACTER.sub(
            lambda unsafe_match: "".join(_escape(character) for character in unsafe_match.group()),
            quoted_text,
        )
    return "'" + text.replace("'", "''") + "'"


def _escape(character: str) -> str:
    return character if character == " " else f"\\u{ord(character):04x}"
