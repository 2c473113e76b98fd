"""Replace single scalars of a file: names, numbers, sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value, same_ends, scalars
from chronicle.syntax.reader import read_text
from chronicle.syntax.text_edit import EditRefused, Splice, spliced, split_rows, starts_of
from chronicle.syntax.yaml_text import write_scalar
from chronicle.syntax.yaml_traps import quoted


def replace_words(text: str, path: str, changes: Mapping[tuple[int, int], str]) -> str:
    """Replace some of the scalars of a text.

    Args:
        text: The text of the file.
        path: Its name.
        changes: The new text for the line and column of a scalar.

    Raises:
        EditRefused: if there is no scalar at a place, or something else would change.
    """
    if not changes:
        return text
    parsed = read_text(text, path)
    error = next((problem for problem in parsed.problems if problem.severity > 2), None)
    if error is not None:
        raise EditRefused(f"{error.place}: {error.message}; fix that first")
    tree = parsed.tree if parsed.tree is not None else SequenceNode()
    words = {(word.line, word.column): word for word in scalars(tree)}
    starts = starts_of(text)
    splices: list[Splice] = []
    for place, new in changes.items():
        word = words.get(place)
        if word is None:
            raise EditRefused(f"{path}:{place[0]}: the file has changed since it was read")
        splices.append(_word_splice(text, starts, path, word, new))
    new_text = spliced(text, splices)
    expected = _change_words(tree, changes, path)
    result = read_text(new_text, path)
    if result.tree != expected or any(problem.severity > 2 for problem in result.problems):
        raise EditRefused(f"{path} was left alone: the edit would have changed something else")
    return new_text


def _change_words(value: Value, changes: Mapping[tuple[int, int], str], path: str) -> Value:
    if isinstance(value, ScalarNode):
        return ScalarNode(changes.get((value.line, value.column), value))
    if isinstance(value, SequenceNode):
        return SequenceNode(_change_words(item, changes, path) for item in value)
    mapping = MappingNode()
    for key, item in value.items():
        name = ScalarNode(changes.get((key.line, key.column), key))
        if name in mapping:
            raise EditRefused(
                f"{path}:{key.line}: '{name}' would stand here twice; fix this entry first"
            )
        mapping[name] = _change_words(item, changes, path)
    return mapping


def _word_splice(text: str, starts: list[int], path: str, word: ScalarNode, new: str) -> Splice:
    """How a scalar gets another text, quoted as before if possible."""
    start = starts[word.line - 1] + word.column - 1
    end = starts[word.end_line - 1] + word.end_column - 1
    raw = text[start:end]
    if word.style == "|":
        return Splice(start, end, _block_text(raw, path, word, new))
    if word.line != word.end_line and not word.style and "\n" not in word and "\n" not in new:
        return Splice(start, end, _wrapped_text(raw, new))
    if word.line != word.end_line or word.style == ">" or "\n" in new:
        raise EditRefused(
            f"{path}:{word.line}: this text runs over several lines; change it by hand"
        )
    if word.style == "'":
        return Splice(start, end, "'" + new.replace("'", "''") + "'")
    if word.style == '"':
        plain = '"' not in new and "\\" not in new
        return Splice(start, end, f'"{new}"' if plain else quoted(new))
    return Splice(start, end, new if _stays_plain(word, new) else quoted(new))


def _wrapped_text(raw: str, new: str) -> str:
    """An unquoted text over several lines with other words, broken at the same words. A text with more or
    fewer words gets one line."""
    parts = re.split(r"(\s+)", raw)
    words = new.split(" ")
    if len(words) != len(parts[::2]):
        return write_scalar(new, flow=True)
    parts[::2] = words
    return "".join(parts)


def _stays_plain(old: str, new: str) -> bool:
    """Whether a text needs no quotes in place of a text without quotes."""
    if write_scalar(new, flow=True) == new:
        return True
    ahead, behind = same_ends(old, new)
    changed = new[ahead : len(new) - behind]
    starts_with_letter = re.match(r"\w", new) is not None
    return bool(re.fullmatch(r"[\w .+-]*", changed)) and starts_with_letter and new == new.strip()


def _block_text(raw: str, path: str, word: ScalarNode, new: str) -> str:
    """A block text with some of its lines replaced."""
    old_lines, new_lines = word.split("\n"), new.split("\n")
    rows, ends = map(list, zip(*split_rows(raw), strict=True))
    for number, (old, line) in enumerate(zip(old_lines, new_lines, strict=False), 1):
        if old == line:
            continue
        fits = len(old_lines) == len(new_lines) and number < len(rows)
        if not fits or not rows[number].endswith(old):
            raise EditRefused(f"{path}:{word.line + number}: change this line by hand")
        rows[number] = rows[number][: len(rows[number]) - len(old)] + line
    return "".join(row + end for row, end in zip(rows, ends, strict=True))
