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

_PLAIN: Final = re.compile(r"[\w+.(](?:[^\s#:]| (?=[^\s#]))*")
_PLAIN_IN_FLOW: Final = re.compile(r"[\w+.(](?:[^\s#:{}\[\],'\"]| (?=[^\s#]))*")
_BLOCK: Final = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff].*\Z", re.S)
_ODD: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]|[^\S\n]\n|\n[^\S\n]+\Z")
_LINE: Final = 96


def logs(record: Record) -> Iterator[tuple[str, str, str]]:
    """The settings and every session: (file name, description, text)."""
    writer = _Writer(record)
    settings = record.campaign.settings
    yield "campaign.yaml", "The settings of the campaign", writer.head(settings)
    uses: dict[str, int] = {}
    for session in record.sessions:
        name = f"{session.session.number:02}"
        uses[name] = uses.get(name, 0) + 1
        suffix = f"-{uses[name]}" if uses[name] > 1 else ""
        text = writer.session(record, session)
        yield f"{name}{suffix}.yaml", f"The log of session {session.session.number}", text


def lines_of_entries(record: Record, session_index: int, text: str) -> dict[int, int]:
    """The line of each shown entry in the exported text of a session, by step number. A nested entry gets the line
    of its parent."""
    session = record.sessions[session_index]
    steps = record.steps[session.first_step - 1 : session.last_step]
    rows = text.split("\n")
    log = rows.index("log:")
    # Below the head, an entry begins each line that is not indented.
    starts = (number for number, row in enumerate(rows[log + 1 :], log + 2) if row[:1] == "-")
    lines: dict[int, int] = {}
    for step in steps:
        if step.parent in lines:
            lines[step.number] = lines[step.parent]
        elif step.parent is None and not step.hidden:
            lines[step.number] = next(starts)
    return lines


def texts(record: Record) -> Iterator[tuple[str, str]]:
    """The other texts of a campaign: journal, notes and captions of pictures, each as (file name, text)."""
    campaign = record.campaign
    for entry in campaign.journal:
        head = _head(entry, "title", "author", "voice", "session", "about", "date")
        yield f"journal/{PurePosixPath(entry.path).name}", f"---\n{head}---\n{entry.body}"
    for note in campaign.notes:
        head = _head(note, "title", "about", "session")
        yield f"notes/{PurePosixPath(note.path).name}", f"---\n{head}---\n{note.body}"
    for art in campaign.art:
        head = _head(art, "title", "alt", "artist", "licence", "about", "session")
        yield f"{art.file.with_suffix('')}.yaml", head


def _head(text: object, *keys: str) -> str:
    """The head of a text: those of the keys that have a value."""
    lines: list[str] = []
    for key in keys:
        value = getattr(text, "subjects" if key == "about" else key)
        if isinstance(value, tuple):
            text_of_value = (
                f"[{', '.join(_scalar(item, flow=True) for item in value)}]" if value else ""
            )
        else:
            text_of_value = "" if value in (None, "") else _scalar(str(value))
        if text_of_value:
            lines.append(f"{key}: {text_of_value}\n")
    return "".join(lines)


class _Writer:
    """Writes values as YAML, leaving out mappings that may not be shown."""

    def __init__(self, record: Record) -> None:
        self._shown = {id(step.action.source) for step in record.steps if not step.hidden}
        self._hidden = {id(step.action.source) for step in record.steps if step.hidden}
        # An unreadable entry with a verb that can hide entries is hidden, to be safe.
        self.risky = {"secret", *(step.action.verb for step in record.steps if step.hidden)}

    def head(self, part: Part) -> str:
        """The declared keys of a header or of the settings."""
        if not isinstance(part.source, MappingNode):
            return ""
        known = {key: value for key, value in part.source.items() if key in part.fields}
        return "".join(f"{line}\n" for line in self._pairs(known, ""))

    def session(self, record: Record, session: SessionRecord) -> str:
        """One session: its header and the entries that may be shown."""
        lines = ["log:"]
        for index in range(session.first_step, session.last_step + 1):
            step = record.step(index)
            if step.parent is None and not step.hidden:
                lines.extend(self._item(step.action.source, ""))
        return f"{self.head(session.session.header)}\n" + "\n".join(lines) + "\n"

    def _is_shown(self, value: Value) -> bool:
        if not isinstance(value, MappingNode):
            return True
        if id(value) in self._hidden:
            return False
        return id(value) in self._shown or self.risky.isdisjoint(value)

    def _pairs(self, mapping: Mapping[ScalarNode, Value], indent: str) -> Iterator[str]:
        for key, value in mapping.items():
            if not self._is_shown(value):
                continue
            name = f"{indent}{_scalar(key)}:"
            if isinstance(value, ScalarNode):
                yield from _text(name, value, indent)
                continue
            flow = self._flow(value)
            if flow is not None and len(name) + 1 + len(flow) <= _LINE:
                yield f"{name} {flow}"
            elif isinstance(value, SequenceNode):
                yield name
                yield from self._list(value, indent)
            else:
                yield name
                yield from self._pairs(value, f"{indent}  ")

    def _list(self, items: SequenceNode, indent: str) -> Iterator[str]:
        for item in items:
            if self._is_shown(item):
                yield from self._item(item, indent)

    def _item(self, value: Value, indent: str) -> Iterator[str]:
        if isinstance(value, ScalarNode):
            yield from _text(f"{indent}-", value, indent)
            return
        inner = f"{indent}  "
        lines = list(
            self._list(value, inner)
            if isinstance(value, SequenceNode)
            else self._pairs(value, inner)
        )
        if not lines:
            yield f"{indent}- {'[]' if isinstance(value, SequenceNode) else '{}'}"
            return
        yield f"{indent}- {lines[0][len(inner) :]}"
        yield from lines[1:]

    def _flow(self, value: Value) -> str | None:
        """A value on one line; None if it needs several."""
        if isinstance(value, ScalarNode):
            return (
                None
                if "\n" in value or (not value and not value.style)
                else _scalar(value, flow=True)
            )
        if isinstance(value, SequenceNode):
            parts = [self._flow(item) for item in value if self._is_shown(item)]
            return None if None in parts else f"[{', '.join(map(str, parts))}]"
        pairs: list[str] = []
        for key, item in value.items():
            if not self._is_shown(item):
                continue
            part = self._flow(item)
            if part is None:
                return None
            pairs.append(f"{_scalar(key, flow=True)}: {part}")
        return f"{{{', '.join(pairs)}}}"


def _text(name: str, word: ScalarNode, indent: str) -> Iterator[str]:
    """``name: text`` on one line, or as a block of lines."""
    if not word and not word.style:
        yield name
    elif "\n" not in word or not _BLOCK.match(word) or _ODD.search(word):
        yield f"{name} {_scalar(word)}"
    else:
        body = word.rstrip("\n")
        ends = len(word) - len(body)
        yield f"{name} |{'-' if ends == 0 else '' if ends == 1 else '+'}"
        for line in [*body.split("\n"), *[""] * (ends - 1)]:
            yield f"{indent}  {line}" if line else ""


def _scalar(word: str, *, flow: bool = False) -> str:
    if (_PLAIN_IN_FLOW if flow else _PLAIN).fullmatch(word):
        return word
    if _ODD.search(word) or "\n" in word:
        # JSON and YAML share their escapes, but not surrogate pairs: characters beyond U+FFFF stay unescaped.
        quoted = json.dumps(word, ensure_ascii=False)
        return _ODD.sub(lambda odd: "".join(_escape(c) for c in odd.group()), quoted)
    return "'" + word.replace("'", "''") + "'"


def _escape(character: str) -> str:
    return character if character == " " else f"\\u{ord(character):04x}"
