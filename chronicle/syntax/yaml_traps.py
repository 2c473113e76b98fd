"""Traps of YAML for people who write sentences: text that YAML accepts with another meaning is detected and
reported. Text that YAML refuses is handled in :mod:`chronicle.syntax.yaml_errors`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.fix import Fix, ReplaceText, make_fix
from chronicle.core.kinds import LONG_DASHES
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, place_of
from chronicle.syntax.problems import Problems, problem

BREAK: Final = re.compile("\r\n|\r|\n")
"""Line breaks of YAML 1.2."""

MERGE: Final = re.compile(r"(?m)^(?:<{7} .*|={7}\r?$|>{7} .*|\|{7} .*)")
"""The markers that a version control system leaves after a merge conflict."""

CUT: Final = r"(?<=[^\s#]) #(?=[^\s#>])"
"""A comment in the sense of YAML that was most likely meant as text."""
_QUESTION_MARK = r"\?(?!\S)(?<![^\s\[{,-]\?)"
"""A question mark that YAML reads as the sign of a key."""


class EmptyKey(NamedTuple):
    """A key of a mapping in braces whose value is empty."""

    inside: MappingNode
    key: ScalarNode


def quoted(text: str) -> str:
    """The text in quotes, so that YAML reads it unchanged."""
    if not text.isprintable():
        return '"' + "".join(map(_escaped, text)) + '"'
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def _escaped(letter: str) -> str:
    """A letter inside double quotes, on one line."""
    if letter.isprintable():
        return f"\\{letter}" if letter in '"\\' else letter
    short_escape = {"\n": "\\n", "\t": "\\t"}.get(letter)
    return short_escape or (
        f"\\u{ord(letter):04x}" if letter <= "\uffff" else f"\\U{ord(letter):08x}"
    )


def value_text(source: str) -> str:
    """The value at the start of a part of a line, without a comment after it."""
    return re.split(r"(?<!\s)\s+#\s", source, maxsplit=1)[0].strip()


def second_document(path: str, line: int) -> Diagnostic:
    """The problem of a line ``---`` in the middle of a file."""
    return problem(
        "T4",
        "a line --- starts a second document here; what follows is not read",
        Place(path, line, 1, line, 4),
        "a file is one session",
        fixes=[
            make_fix(ReplaceText("", Place(path, line, 1, line + 1, 1))),
            make_fix(ReplaceText("# ---")),
        ],
    )


def dash_missing(path: str, key: ScalarNode) -> Diagnostic:
    """The problem of an entry of the log that is a key of the file: the dash is missing, or is a longer
    dash."""
    verb = key.lstrip(LONG_DASHES).strip()
    message = (
        f"'{key}' seems to start an entry, but the dash is missing"
        if verb == key
        else f"an entry starts with a hyphen; '{key[:1]}' is a dash"
    )
    return problem(
        "T18",
        message,
        place_of(key, path),
        fixes=[make_fix(ReplaceText(f"- {verb}:", with_colon(place_of(key, path))), safe=True)],
    )


def with_colon(key: Place) -> Place:
    """The place of a key together with its colon."""
    return key._replace(end_column=key.end_column + 1)


class _Location(NamedTuple):
    """A scalar with its container, so that it can be replaced; ``key`` is None for a key."""

    word: ScalarNode
    inside: SequenceNode | MappingNode | None
    key: ScalarNode | int | None


def _words(tree: Value) -> Iterator[_Location]:
    if isinstance(tree, ScalarNode):
        yield _Location(tree, None, None)
    stack = [tree]
    visited: set[int] = set()
    while stack:
        container = stack.pop()
        if isinstance(container, ScalarNode) or id(container) in visited:
            continue
        visited.add(id(container))
        members: list[tuple[ScalarNode | int, Value]]
        if isinstance(container, SequenceNode):
            members = list(enumerate(container))
        else:
            members = list(container.items())
            for member_key in container:
                yield _Location(member_key, container, None)
        for key_or_index, value in members:
            if isinstance(value, ScalarNode):
                yield _Location(value, container, key_or_index)
            else:
                stack.append(value)


def find_traps(
    tree: Value, text: str, first: int, lines: list[str], path: str, empty_keys: list[EmptyKey]
) -> list[Diagnostic]:
    """The problems in ``text`` that YAML accepts silently. ``text`` starts in line ``first``; ``lines`` are
    those of the whole file."""
    problems = Problems()
    hits: dict[tuple[int, int], str] = {}
    if " #" in text and re.compile(CUT).search(text):
        last = first + text.count("\n")
        for number, line in enumerate(lines[first - 1 : last], first):
            for comment in re.compile(CUT).finditer(line):
                hits[number, comment.start() + 1] = line
    if hits:
        problems.extend(_cut_comments(tree, hits, path))
    if hits or ("?" in text and re.search(_QUESTION_MARK, text)):
        problems.extend(_question_keys(tree, lines, path))
    problems.extend(_lost_lines(tree, lines, path, text))
    problems.extend(_commas(empty_keys, lines, path))
    return problems


def _cut_comments(tree: Value, hits: dict[tuple[int, int], str], path: str) -> Iterator[Diagnostic]:
    for word, inside, key in _words(tree):
        line = hits.get((word.end_line, word.end_column))
        if line is None or word.style or not any(c.isalpha() for c in word):
            continue
        remainder = line[word.end_column :]
        lost = re.split(r"[\],}]|\s{2,}", remainder, maxsplit=1)[0].strip()
        is_number = remainder[1:2].isdigit()
        if is_number:
            # From here on the text is whole, so that the cut causes no further problems.
            whole_word = word.like(f"{word} {lost}")
            match inside, key:
                case SequenceNode(), int():
                    inside[key] = whole_word
                case MappingNode(), ScalarNode():
                    inside[key] = whole_word
        place = Place(
            path, word.end_line, word.end_column + 1, word.end_line, word.end_column + 1 + len(lost)
        )
        place_of_text = Place(path, word.line, word.column, place.end_line, place.end_column)
        yield problem(
            "T12",
            f"'{lost}' is read as a comment: only '{_short(word)}' is left",
            place,
            fixes=[
                make_fix(
                    ReplaceText(quoted(f"{word} {lost}"), place_of_text),
                    when="if it belongs to the text",
                ),
                make_fix(ReplaceText(f"# {lost.lstrip('#')}"), when="if it is a comment"),
            ],
            finding=Finding.UNREADABLE if is_number else Finding.SUSPICIOUS,
        )


def _question_keys(tree: Value, lines: list[str], path: str) -> Iterator[Diagnostic]:
    stack: list[Value] = [tree]
    while stack:
        container = stack.pop()
        if isinstance(container, SequenceNode):
            stack.extend(container)
        elif isinstance(container, MappingNode):
            for key, value in container.items():
                text_before = (
                    lines[key.line - 1][: key.column - 1] if key.line <= len(lines) else ""
                )
                if re.search(r"(?:^|[\s\[{,-])\?\s+$", text_before):
                    column = text_before.rindex("?") + 1
                    yield problem(
                        "T16",
                        "a bare ? starts a complex key in YAML",
                        Place(path, key.line, column, key.line, column + 1),
                        fixes=[
                            make_fix(
                                ReplaceText(
                                    quoted(f"? {key}"),
                                    Place(path, key.line, column, key.end_line, key.end_column),
                                )
                            )
                        ],
                    )
                stack.append(value)


def _lost_lines(tree: Value, lines: list[str], path: str, text: str) -> Iterator[Diagnostic]:
    """``by:Ana`` on its own line below a value counts as a continuation of that value."""
    if not re.search(r"(?m)^[ ]+[a-z][a-z ]{0,20}:[^\s/:]", text):
        return
    for word, _, _ in _words(tree):
        if word.style or word.end_line <= word.line:
            continue
        for number in range(word.line, word.end_line):
            match = re.match(r"[ ]+([a-z][a-z ]{0,20}):([^\s/:].*)", lines[number])
            if match is not None:
                column = match.start(1) + 1
                yield problem(
                    "T17",
                    f"a space is missing after '{match[1]}:', so the line counts as more of the text above",
                    Place(path, number + 1, column, number + 1, column + len(match[1]) + 1),
                    f"write  {match[1]}: {match[2].strip()}  at the depth of the entry's other keys",
                    finding=Finding.SUSPICIOUS,
                )


def _commas(empty_keys: list[EmptyKey], lines: list[str], path: str) -> Iterator[Diagnostic]:
    reported: set[int] = set()
    orders: dict[int, tuple[list[ScalarNode], dict[int, int]]] = {}
    for inside, key in empty_keys:
        text_after = lines[key.end_line - 1][key.end_column - 1 :] if key.end_line else ""
        if text_after.lstrip().startswith(":"):
            continue
        if id(inside) not in orders:
            keys = list(inside)
            orders[id(inside)] = (
                keys,
                {id(member): position for position, member in enumerate(keys)},
            )
        keys, order = orders[id(inside)]
        index = order.get(id(key), 0)
        glued = re.match(r"([^:]+):(\S.*)$", key) if not key.style else None
        if glued is not None and "//" not in key:
            yield problem(
                "T17",
                f"a space is missing after '{glued[1]}:', so the whole is read as one key",
                place_of(key, path),
                fixes=[make_fix(ReplaceText(f"{glued[1]}: {glued[2]}"))],
            )
            continue
        if index == 0:
            without_colon = [member for member in keys if not _has_colon(member, lines)]
            if len(keys) > 1 and len(without_colon) == len(keys):
                reported.add(id(inside))
                yield problem(
                    "T13",
                    "braces hold pairs; here are names alone",
                    place_of(inside, path),
                    "a list has brackets",
                    fixes=[make_fix(ReplaceText(f"[{', '.join(keys)}]"))],
                )
            continue
        if id(inside) in reported:
            continue
        previous = keys[index - 1]
        value = inside[previous]
        # A sentence that is cut by several commas is one mistake.
        parts = [key]
        for next_key in keys[index + 1 :]:
            if inside[next_key] == "" and not _has_colon(next_key, lines):
                parts.append(next_key)
            else:
                break
        reported.add(id(inside))
        if isinstance(value, ScalarNode) and value:
            sentence = ", ".join([value, *parts])
            last = parts[-1]
            whole_place = Place(path, value.line, value.column, last.end_line, last.end_column)
            # From here on the text is whole, so that the comma causes no further problems.
            inside[previous] = value.like(sentence)
            for part in parts:
                del inside[part]
            yield problem(
                "T13",
                f"the comma ends the text: '{_short(key)}' is read as a key of its own",
                place_of(key, path),
                fixes=[
                    make_fix(
                        ReplaceText(quoted(sentence), whole_place), when="if this is one text"
                    ),
                    make_fix(
                        ReplaceText(f"[{sentence}]", whole_place), when="if these are several"
                    ),
                ],
            )
        else:
            yield problem(
                "T13",
                f"'{_short(key)}' stands in braces without a value",
                place_of(key, path),
                f"write  {key}: ...  or take it out",
            )


def _has_colon(key: ScalarNode, lines: list[str]) -> bool:
    return lines[key.end_line - 1][key.end_column - 1 :].lstrip().startswith(":")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 40 else flat[:37] + "..."


def quote_value_at(place: Place, source: str) -> list[Fix]:
    """The fix that quotes the value that starts at a place; ``source`` is its line from there."""
    text = value_text(source)
    value_place = place._replace(end_column=place.column + len(text))
    return [make_fix(ReplaceText(quoted(text), value_place), when="if it belongs to the text")]
