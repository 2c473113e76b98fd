"""Put two logs of one session together: the entries of both, with remarks where they contradict."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.syntax.compare import Comparison, Entry, Log, Pair
from chronicle.syntax.reader import read_text
from chronicle.syntax.text_edit import EditRefused, last_scalar_line
from chronicle.syntax.yaml_traps import LINE_BREAK


def merge_logs(comparison: Comparison, first_text: str, second_text: str) -> str:
    """The text of the first log, with entries that only the second has at their places, and remarks above
    entries that contradict or cannot be read. ``first_text`` and ``second_text`` are the two texts.

    Raises:
        EditRefused: if a log cannot be split into entries, or an entry does not start on its own line.
    """
    first_rows, second_rows = LINE_BREAK.split(first_text), LINE_BREAK.split(second_text)
    first_nodes_by_line, second_nodes_by_line = (
        _entry_node_by_line(first_text, comparison.first),
        _entry_node_by_line(second_text, comparison.second),
    )
    first_entry_node = next(iter(first_nodes_by_line.values()), None)
    if first_entry_node is None:
        raise EditRefused(
            f"{comparison.first.path} has no entry; take {comparison.second.path} as it is"
        )
    dash_column = _dash_column(first_rows, first_entry_node)
    rows_to_add_below: dict[int, list[str]] = {}
    rows_to_add_above: dict[int, list[str]] = {}
    expected_entry_nodes: list[Value] = []
    last_line_number = 0
    for pair in comparison.pairs:
        if pair.first is not None:
            entry_node = first_nodes_by_line[pair.first.line]
            expected_entry_nodes.append(entry_node)
            last_line_number = last_scalar_line(entry_node, entry_node.line)
            remark_rows = (
                [f"# cannot be read: {pair.first.unreadable_reason}"]
                if pair.first.unreadable_reason
                else []
            )
            if pair.second is not None and pair.kind != "same":
                remark_rows += _remark_rows(
                    pair, pair.second, second_rows, second_nodes_by_line[pair.second.line]
                )
            if remark_rows:
                rows_to_add_above[entry_node.line] = [
                    f"{' ' * dash_column}{row}" for row in remark_rows
                ]
        elif pair.second is not None:
            entry_node = second_nodes_by_line[pair.second.line]
            expected_entry_nodes.append(entry_node)
            added_rows = _reindent_entry(
                second_rows, entry_node, last_scalar_line(entry_node, entry_node.line), dash_column
            )
            if pair.second.unreadable_reason:
                origin_comment = f"# from {pair.second.place}, where it cannot be read: {pair.second.unreadable_reason}"
                added_rows.insert(0, f"{' ' * dash_column}{origin_comment}")
            rows_to_add_below.setdefault(last_line_number or first_entry_node.line - 1, []).extend(
                added_rows
            )
    merged_rows: list[str] = []
    for line_number, row in enumerate(first_rows, 1):
        merged_rows += rows_to_add_above.get(line_number, [])
        merged_rows.append(row)
        merged_rows += rows_to_add_below.get(line_number, [])
    line_break = "\r\n" if "\r\n" in first_text else "\n"
    merged_text = line_break.join(merged_rows)
    merged_text = merged_text if merged_text.endswith("\n") else merged_text + line_break
    if log_entry_nodes(merged_text, comparison.first.path) != expected_entry_nodes:
        raise EditRefused(
            f"{comparison.first.path} and {comparison.second.path} cannot be put together"
        )
    return merged_text


def _remark_rows(pair: Pair, entry: Entry, log_rows: Sequence[str], entry_node: Value) -> list[str]:
    """The remark above an entry that is different in the other log."""
    if pair.kind == "moved":
        return [f"# {entry.place} has this at another place"]
    if pair.kind not in ("conflict", "unreadable"):
        return []
    remark_head = f"# {entry.place} says" + (
        f" (and cannot be read: {entry.unreadable_reason})" if entry.unreadable_reason else ""
    )
    entry_rows = _reindent_entry(
        log_rows, entry_node, last_scalar_line(entry_node, entry_node.line), 0
    )
    return [f"{remark_head}:", *(f"#   {row}".rstrip() for row in entry_rows)]


def _entry_node_by_line(log_text: str, log: Log) -> dict[int, Value]:
    """The entries of a log by the line they are compared under. For an unreadable entry that is the line of the
    problem, possibly further down.

    Raises:
        EditRefused: if the entries cannot be told apart.
    """
    entry_nodes = log_entry_nodes(log_text, log.path)
    start_lines = [entry_node.line for entry_node in entry_nodes]
    node_by_line: dict[int, Value] = {}
    for entry in log.entries:
        node_index = bisect_right(start_lines, entry.line) - 1
        if node_index >= 0 and entry.line <= last_scalar_line(
            entry_nodes[node_index], entry_nodes[node_index].line
        ):
            node_by_line[entry.line] = entry_nodes[node_index]
    if (
        len(set(start_lines)) != len(log.entries)
        or [entry_node.line for entry_node in node_by_line.values()] != start_lines
    ):
        for entry in log.entries:
            if entry.unreadable_reason:
                raise EditRefused(f"{entry.place}: {entry.unreadable_reason}; fix that first")
        raise EditRefused(f"{log.path}: each entry has to start on a line of its own")
    return node_by_line


def log_entry_nodes(log_text: str, path: str) -> list[Value]:
    """The entries of a log as nodes, in the order of the file."""
    tree = read_text(log_text, path).tree
    log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    return list(log_node) if isinstance(log_node, SequenceNode) else []


def _dash_column(log_rows: Sequence[str], entry_node: Value) -> int:
    """The indentation of the dash of an entry."""
    dash_row = log_rows[entry_node.line - 1]
    if not dash_row.lstrip(" ").startswith("- "):
        raise EditRefused(
            f"line {entry_node.line}: each entry has to start with a dash on its own line"
        )
    return len(dash_row) - len(dash_row.lstrip(" "))


def _reindent_entry(
    log_rows: Sequence[str], entry_node: Value, last_line_number: int, new_indent: int
) -> list[str]:
    """The lines of an entry, indented like another log."""
    old_indent = _dash_column(log_rows, entry_node)
    entry_rows = log_rows[entry_node.line - 1 : last_line_number]
    return [f"{' ' * new_indent}{row[old_indent:]}" if row.strip() else row for row in entry_rows]
