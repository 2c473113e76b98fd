"""Put two logs of one session together: the entries of both, with remarks where they contradict."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.syntax.compare import Comparison, Entry, Log, Pair
from chronicle.syntax.reader import read_text
from chronicle.syntax.text_edit import EditRefused, last_word
from chronicle.syntax.yaml_traps import BREAK


def merge_logs(comparison: Comparison, first_text: str, second_text: str) -> str:
    """The text of the first log, with entries that only the second has at their places, and remarks above
    entries that contradict or cannot be read. ``first_text`` and ``second_text`` are the two texts.

    Raises:
        EditRefused: if a log cannot be split into entries, or an entry does not start on its own line.
    """
    rows, other_rows = BREAK.split(first_text), BREAK.split(second_text)
    own_entries, other_entries = (
        _entries_by_line(first_text, comparison.one),
        _entries_by_line(second_text, comparison.other),
    )
    first = next(iter(own_entries.values()), None)
    if first is None:
        raise EditRefused(
            f"{comparison.one.path} has no entry; take {comparison.other.path} as it is"
        )
    column = _dash(rows, first)
    added_below: dict[int, list[str]] = {}
    added_above: dict[int, list[str]] = {}
    expected: list[Value] = []
    last_line = 0
    for pair in comparison.pairs:
        if pair.one is not None:
            value = own_entries[pair.one.line]
            expected.append(value)
            last_line = last_word(value, value.line)
            remark = [f"# cannot be read: {pair.one.why}"] if pair.one.why else []
            if pair.other is not None and pair.kind != "same":
                remark += _remark(pair, pair.other, other_rows, other_entries[pair.other.line])
            if remark:
                added_above[value.line] = [f"{' ' * column}{row}" for row in remark]
        elif pair.other is not None:
            value = other_entries[pair.other.line]
            expected.append(value)
            lines = _reindented(other_rows, value, last_word(value, value.line), column)
            if pair.other.why:
                comment = f"# from {pair.other.place}, where it cannot be read: {pair.other.why}"
                lines.insert(0, f"{' ' * column}{comment}")
            added_below.setdefault(last_line or first.line - 1, []).extend(lines)
    merged_rows: list[str] = []
    for number, row in enumerate(rows, 1):
        merged_rows += added_above.get(number, [])
        merged_rows.append(row)
        merged_rows += added_below.get(number, [])
    newline = "\r\n" if "\r\n" in first_text else "\n"
    draft = newline.join(merged_rows)
    draft = draft if draft.endswith("\n") else draft + newline
    if log_entries(draft, comparison.one.path) != expected:
        raise EditRefused(
            f"{comparison.one.path} and {comparison.other.path} cannot be put together"
        )
    return draft


def _remark(pair: Pair, entry: Entry, rows: Sequence[str], value: Value) -> list[str]:
    """The remark above an entry that is different in the other log."""
    if pair.kind == "moved":
        return [f"# {entry.place} has this at another place"]
    if pair.kind not in ("conflict", "unreadable"):
        return []
    head = f"# {entry.place} says" + (f" (and cannot be read: {entry.why})" if entry.why else "")
    lines = _reindented(rows, value, last_word(value, value.line), 0)
    return [f"{head}:", *(f"#   {row}".rstrip() for row in lines)]


def _entries_by_line(text: str, log: Log) -> dict[int, Value]:
    """The entries of a log by the line they are compared under. For an unreadable entry that is the line of the
    problem, possibly further down.

    Raises:
        EditRefused: if the entries cannot be told apart.
    """
    tree = log_entries(text, log.path)
    starts = [value.line for value in tree]
    entries_by_line: dict[int, Value] = {}
    for entry in log.entries:
        index = bisect_right(starts, entry.line) - 1
        if index >= 0 and entry.line <= last_word(tree[index], tree[index].line):
            entries_by_line[entry.line] = tree[index]
    if (
        len(set(starts)) != len(log.entries)
        or [value.line for value in entries_by_line.values()] != starts
    ):
        for entry in log.entries:
            if entry.why:
                raise EditRefused(f"{entry.place}: {entry.why}; fix that first")
        raise EditRefused(f"{log.path}: each entry has to start on a line of its own")
    return entries_by_line


def log_entries(text: str, path: str) -> list[Value]:
    """The entries of a log as nodes, in the order of the file."""
    tree = read_text(text, path).tree
    log = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    return list(log) if isinstance(log, SequenceNode) else []


def _dash(rows: Sequence[str], entry: Value) -> int:
    """The indentation of the dash of an entry."""
    row = rows[entry.line - 1]
    if not row.lstrip(" ").startswith("- "):
        raise EditRefused(f"line {entry.line}: each entry has to start with a dash on its own line")
    return len(row) - len(row.lstrip(" "))


def _reindented(rows: Sequence[str], entry: Value, last: int, column: int) -> list[str]:
    """The lines of an entry, indented like another log."""
    indent = _dash(rows, entry)
    lines = rows[entry.line - 1 : last]
    return [f"{' ' * column}{row[indent:]}" if row.strip() else row for row in lines]
