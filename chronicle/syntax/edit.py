"""Edits of the entries of a log: one entry changes, and the rest of the file stays byte for byte.

An option, a text or an entry on lines of its own is spliced in, because that keeps even the odd layout of
the entry. Other changes inside an entry go through ruamel.yaml, which keeps its comments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value, scalars
from chronicle.syntax.reader import read_text
from chronicle.syntax.reading_cache import EntryCache
from chronicle.syntax.slug import slug_of
from chronicle.syntax.text_edit import (
    EditRefused,
    MoreThanOneLine,
    Splice,
    apply_splices,
    check_comments,
    confirm_edit,
    end_last_line,
    entries_in,
    last_line_of_value,
    last_scalar_line,
    line_starts_of,
    option_splice,
    replace_rows,
    split_rows,
    tree_of,
    value_start_in,
)

# -- find entries ----------------------------------------------------------------------------------


def _log_node(tree: MappingNode, path: str) -> SequenceNode:
    log = tree.get(ScalarNode("log"))
    if isinstance(log, ScalarNode) and not log:
        return SequenceNode()
    if not isinstance(log, SequenceNode):
        raise EditRefused(f"{path} has no list 'log'")
    return log


def entry_at(
    text: str, path: str, line_number: int, cache: EntryCache | None = None
) -> tuple[int, int, int] | None:
    """Find the entry of the log on a line, or else the last one above it.

    Returns:
        Its index, its first and its last line. None above the first entry.

    Raises:
        EditRefused: if the file holds no log.
    """
    log = _log_node(tree_of(text, path, cache), path)
    indices_above = [index for index, item in enumerate(log) if item.line <= line_number]
    return (
        (indices_above[-1], log[indices_above[-1]].line, end_of(log[indices_above[-1]]))
        if indices_above
        else None
    )


def end_of(item: Value) -> int:
    """The last line of an entry."""
    return last_line_of_value(item, item.line)


def nested_entry(entry_node: Value, line: int) -> Value:
    """The entry inside an entry that begins on a line; the entry itself if none does."""
    matching_entries = (
        nested_node
        for nested_node in entries_in(entry_node)
        if nested_node.line == line != entry_node.line
    )
    return next(matching_entries, entry_node)


def entry_on_own_lines(text: str, entry_node: Value, line: int) -> Value:
    """The entry inside an entry that begins on a line, if it has lines of its own; else the whole entry."""
    nested_node = nested_entry(entry_node, line)
    text_before_entry = (
        text.split("\n")[line - 1][: nested_node.column - 1].strip()
        if nested_node is not entry_node
        else ""
    )
    return nested_node if text_before_entry == "-" else entry_node


def entry_text(text: str, path: str, index: int, line: int = 0) -> str:
    """The YAML of an entry, without its dash and its indentation.

    Args:
        text: The text of the file.
        path: Its name.
        index: The index of the entry in the log.
        line: The first line of an entry inside it, if that is meant and has lines of its own.

    Raises:
        EditRefused: if the file holds no log.
    """
    item = entry_on_own_lines(text, _log_node(tree_of(text, path), path)[index], line)
    rows = [line for line, _ in split_rows(text)][item.line - 1 : end_of(item)]
    indent = item.column - 1
    return "\n".join(row[indent:] if row[:indent].strip(" -") == "" else row for row in rows)


def value_at(value: Any, route: Sequence[int | str]) -> Any:
    """Follow indices and keys into a value."""
    for key_or_index in route:
        value = value[key_or_index]
    return value


def _children(value: Value) -> list[tuple[int | str, Value]]:
    if isinstance(value, SequenceNode):
        return list(enumerate(value))
    if isinstance(value, MappingNode):
        return [(str(key), item) for key, item in value.items()]
    return []


def _route_to(value: Value, target: Value) -> list[int | str] | None:
    """The indices and keys that lead from a value to a value inside it."""
    if value is target:
        return []
    for key_or_index, item in _children(value):
        route = _route_to(item, target)
        if route is not None:
            return [key_or_index, *route]
    return None


def find_route(value: Value, line: int, column: int) -> tuple[list[int | str], bool] | None:
    """Find the value or the key that begins at a place inside a value.

    Returns:
        The indices and keys that lead there, and whether the last key itself begins there. None if
        nothing does.
    """
    if isinstance(value, MappingNode):
        for key in value:
            if (key.line, key.column) == (line, column):
                return [str(key)], True
    for key_or_index, item in _children(value):
        route = find_route(item, line, column)
        if route is not None:
            return [key_or_index, *route[0]], route[1]
    return ([], False) if (value.line, value.column) == (line, column) else None


# -- whole entries ---------------------------------------------------------------------------------


def insert_entry(
    text: str,
    path: str,
    entry: str,
    index: int | None = None,
    cache: EntryCache | None = None,
) -> str:
    """Insert an entry into the log.

    Args:
        text: The text of the session.
        path: Its name.
        entry: The entry as YAML without its dash.
        index: The index of the entry that it precedes; None: at the end.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if the entry cannot be read, or something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path, cache)
    key = tree.key("log")
    if key is None:
        raise EditRefused(f"{path} has no list 'log'")
    new_node = _read_entry(entry, path)
    if isinstance(tree[key], ScalarNode) and not tree[key]:
        new_text = replace_rows(text, key.line, key.line, _entry_rows(entry, 0))
        tree[key] = SequenceNode([new_node])
        return confirm_edit(tree, new_text, path, cache)
    log = _log_node(tree, path)
    if text[value_start_in(text, log)] == "[":
        new_text = _insert_in_brackets(text, path, log, new_node, index)
    else:
        line = _line_to_insert_at(text, tree, log, index)
        new_text = replace_rows(text, line, line, _entry_rows(entry, log.column - 1))
    log.insert(len(log) if index is None else index, new_node)
    return confirm_edit(tree, new_text, path, cache)


def _read_entry(entry: str, path: str) -> MappingNode:
    """An entry as it will be read. A text at its end gets its last line break."""
    parsed = read_text(end_last_line(entry), path)
    if not isinstance(parsed.tree, MappingNode) or any(
        error.severity > 2 for error in parsed.problems
    ):
        raise EditRefused("the new entry cannot be read")
    return parsed.tree


def _entry_rows(entry: str, indent: int) -> list[str]:
    """The rows of an entry with its dash."""
    indentation = " " * indent
    first_row, *more_rows = entry.rstrip("\n").split("\n")
    return [
        f"{indentation}- {first_row}",
        *(f"{indentation}  {row}" if row else row for row in more_rows),
    ]


def _line_to_insert_at(text: str, tree: MappingNode, log: SequenceNode, index: int | None) -> int:
    """The number of lines above a new entry of a log in block style."""
    if index is not None and index < len(log):
        return log[index].line - 1
    lines = [line for line, _ in split_rows(text)]
    last_line_number = max(
        [log.end_line, *(word.end_line for word in scalars(log))], default=log.line
    )
    while last_line_number > 0 and (
        last_line_number > len(lines) or not lines[last_line_number - 1].strip()
    ):
        last_line_number -= 1
    return min([last_line_number, *(key.line - 1 for key in tree if key.line > log.line)])


def _insert_in_brackets(
    text: str, path: str, log: SequenceNode, new_node: MappingNode, index: int | None
) -> str:
    """Insert an entry into a log in flow style."""
    from chronicle.syntax.reshape import CannotReshape, find_indents, reshape, ruamel_data

    def insert(log_data: Any) -> None:
        entry_data = ruamel_data(new_node)
        entry_data.fa.set_flow_style()
        log_data["log"].insert(len(log_data["log"]) if index is None else index, entry_data)

    try:
        new_text = reshape(text, find_indents(log), insert)
    except CannotReshape:
        raise EditRefused(f"{path} cannot be rewritten without harm") from None
    check_comments(text, new_text, path)
    return new_text


def replace_entry(
    text: str,
    path: str,
    index: int,
    entry: str | None,
    line: int = 0,
    cache: EntryCache | None = None,
) -> str:
    """Replace or remove an entry of the log.

    Args:
        text: The text of the session.
        path: Its name.
        index: The index of the entry.
        entry: The new entry as YAML without its dash; None to remove the old one.
        line: The first line of an entry inside it, if that is meant and has lines of its own.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if the entry cannot be read, or something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path, cache)
    log = _log_node(tree, path)
    if text[value_start_in(text, log)] == "[":
        raise EditRefused(f"{path}: this log stands in brackets; change it by hand")
    old_node = entry_on_own_lines(text, log[index], line)
    route = _route_to(log, old_node) or [index]
    siblings = value_at(log, route[:-1])
    if entry is None:
        if len(siblings) == 1:
            raise EditRefused(
                f"{path}: this is the only entry of the session; write another one first"
            )
        rows = []
        del siblings[route[-1]]
    else:
        rows = _entry_rows(entry, siblings.column - 1)
        siblings[route[-1]] = _read_entry(entry, path)
    return confirm_edit(
        tree, replace_rows(text, old_node.line - 1, end_of(old_node), rows), path, cache
    )


def drop_entry(text: str, path: str, index: int, line: int, cache: EntryCache | None = None) -> str:
    """Remove the entry of an index, or the nested entry that begins on a line.

    Raises:
        EditRefused: if something else would change.
    """
    entry_node = _log_node(tree_of(text, path, cache), path)[index]
    route = _route_to(entry_node, nested_entry(entry_node, line))
    if not route:
        return replace_entry(text, path, index, None, cache=cache)
    *outer_route, last_key_or_index = route
    return change_entry(
        text, path, index, lambda entry: value_at(entry, outer_route).pop(last_key_or_index)
    )


# -- inside an entry -------------------------------------------------------------------------------


def change_entry(text: str, path: str, index: int, change_data: Callable[[Any], None]) -> str:
    """Change an entry of the log through ruamel.yaml.

    Args:
        text: The text of the session.
        path: Its name.
        index: The index of the entry.
        change_data: Changes the entry, a mapping of texts, lists and mappings. It is called twice: for the tree
            and for the text.

    Raises:
        EditRefused: if something else would change, or a comment would be lost.
    """
    text = end_last_line(text)
    tree = tree_of(text, path)
    log = _log_node(tree, path)
    new_text = _round_trip(text, path, log, index, change_data)
    change_data(log[index])
    return confirm_edit(tree, new_text, path)


def _round_trip(
    text: str, path: str, log: SequenceNode, index: int, change_data: Callable[[Any], None]
) -> str:
    from chronicle.syntax.reshape import CannotReshape, find_indents, reshape

    line_starts = line_starts_of(text)
    entry_node = log[index]
    start = line_starts[entry_node.line - 1]
    last_line = last_scalar_line(entry_node, entry_node.line)
    if text[start:].lstrip(" -").startswith(("{", "[")):
        last_line = entry_node.end_line
    end = line_starts[last_line] if last_line < len(line_starts) else len(text)
    try:
        new_entry_text = reshape(
            text[start:end], find_indents(log), lambda log_data: change_data(log_data[0])
        )
    except CannotReshape:
        raise EditRefused(
            f"{path}:{entry_node.line}: this entry cannot be rewritten without harm"
        ) from None
    check_comments(text[start:end], new_entry_text, path, entry_node.line)
    return text[:start] + new_entry_text + text[end:]


def set_option(text: str, path: str, entry: MappingNode, option: str, value: str) -> str:
    """Set option ``option`` of an entry, as it was read from this text.

    Raises:
        EditRefused: if the text has changed since, or something else would change.
    """
    tree = tree_of(text, path)
    current_entry = _find_same_entry(tree, entry)
    if current_entry is None or current_entry != entry:
        raise EditRefused(f"{path}:{entry.line}: the file has changed since it was read")
    if text != end_last_line(text):
        text = end_last_line(text)
        tree = tree_of(text, path)
        current_entry = _find_same_entry(tree, entry)
        assert current_entry is not None
    try:
        if "\n" in value:
            raise MoreThanOneLine(f"{path}:{entry.line}: '{option}' gets more than one line")
        new_text = apply_splices(
            text, [option_splice(text, line_starts_of(text), path, current_entry, option, value)]
        )
    except MoreThanOneLine:
        new_text = _set_through_ruamel(text, path, tree, current_entry, option, value)
    current_entry[current_entry.key(option) or ScalarNode(option)] = ScalarNode(value)
    return confirm_edit(tree, new_text, path)


def _find_same_entry(tree: MappingNode, entry: MappingNode) -> MappingNode | None:
    """The entry of a tree that begins where another reading of it does."""
    position = entry.line, entry.column
    return next(
        (
            candidate
            for candidate in entries_in(tree)
            if (candidate.line, candidate.column) == position
        ),
        None,
    )


def _set_through_ruamel(
    text: str, path: str, tree: MappingNode, entry: MappingNode, name: str, value: str
) -> str:
    from chronicle.syntax.reshape import block_scalar

    log = _log_node(tree, path)
    routes = ((index, _route_to(item, entry)) for index, item in enumerate(log))
    index, route = next(((index, route) for index, route in routes if route is not None), (-1, []))
    if index < 0:
        raise EditRefused(f"{path}:{entry.line}: this entry is not in the log")

    def set_in_entry(outer_entry: Any) -> None:
        value_at(outer_entry, route)[name] = block_scalar(value)

    return _round_trip(text, path, log, index, set_in_entry)


def drop_option(text: str, path: str, index: int, option: str) -> str:
    """Remove option ``option`` of the entry of an index.

    Raises:
        EditRefused: if there is none, or something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path)
    entry_node = _log_node(tree, path)[index]
    key = entry_node.key(option) if isinstance(entry_node, MappingNode) else None
    if not isinstance(entry_node, MappingNode) or key is None or key == next(iter(entry_node)):
        raise EditRefused(f"{path}:{entry_node.line}: there is no option '{option}' here")
    if text[value_start_in(text, entry_node)] == "{":
        return change_entry(text, path, index, lambda entry: entry.pop(option))
    new_text = replace_rows(text, key.line - 1, last_line_of_value(entry_node[key], key.line), [])
    del entry_node[key]
    return confirm_edit(tree, new_text, path)


def set_text(
    text: str,
    path: str,
    index: int,
    story: str,
    line: int = 0,
    cache: EntryCache | None = None,
) -> str:
    """Set the story (``text:``) of an entry.

    Args:
        text: The text of the session.
        path: Its name.
        index: The index of the entry.
        story: The story; empty to remove it.
        line: The first line of an entry inside it, if that is meant.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path, cache)
    entry_node = nested_entry(_log_node(tree, path)[index], line)
    if not isinstance(entry_node, MappingNode):
        raise EditRefused(f"{path}:{entry_node.line}: this is no entry")
    if text[value_start_in(text, entry_node)] == "{":
        raise EditRefused(
            f"{path}:{entry_node.line}: this entry stands in braces; change it by hand"
        )
    story = story.rstrip()
    indentation = " " * (entry_node.column - 1)
    indicator = "|2" if story[:1].isspace() else "|"
    rows = [f"{indentation}text: {indicator}"]
    rows += [f"{indentation}  {row}" if row.strip() else "" for row in story.split("\n")]
    key = entry_node.key("text")
    first_row = end_of(entry_node) if key is None else key.line - 1
    end_row = first_row if key is None else last_scalar_line(entry_node[key], key.line)
    new_text = replace_rows(text, first_row, end_row, rows if story else [])
    if key is not None:
        del entry_node[key]
    if story:
        entry_node[ScalarNode("text")] = ScalarNode(story + "\n")
    return confirm_edit(tree, new_text, path, cache)


# -- ids -------------------------------------------------------------------------------------------


def entries_without_id(text: str, path: str) -> list[int]:
    """The indices of the entries that :func:`add_ids` would name."""
    log = _log_node(tree_of(text, path), path)
    return [
        index
        for index, item in enumerate(log)
        if isinstance(item, MappingNode) and item and ScalarNode("id") not in item
    ]


def add_ids(
    text: str,
    path: str,
    used_elsewhere: frozenset[str] = frozenset(),
    verbs_without_words: frozenset[str] = frozenset(("secret",)),
    indices_to_name: frozenset[int] | None = None,
) -> str:
    """Give every entry of the log without an ``id`` a permanent, readable one.

    Args:
        text: The text of the session.
        path: Its name.
        used_elsewhere: Ids that the campaign uses elsewhere.
        verbs_without_words: Verbs whose ids do not say what the entry is about, because everybody sees ids.
        indices_to_name: The indices of the entries to name; None: all.
    """
    original_text, text = text, end_last_line(text)
    tree = tree_of(text, path)
    log = _log_node(tree, path)
    used_ids = {*used_elsewhere}
    for entry in entries_in(tree):
        existing_id = entry.get(ScalarNode("id"))
        if isinstance(existing_id, ScalarNode):
            used_ids.add(str(existing_id))
    line_starts = line_starts_of(text)
    splices: list[Splice] = []
    named_entries: list[tuple[MappingNode, str]] = []
    count_by_stem: dict[str, int] = {}
    for index, entry_node in enumerate(log):
        if (
            not isinstance(entry_node, MappingNode)
            or not entry_node
            or ScalarNode("id") in entry_node
        ):
            continue
        if indices_to_name is not None and index not in indices_to_name:
            continue
        verb, value = next(iter(entry_node.items()))
        words_for_id = (
            f"{verb} {value}"
            if isinstance(value, ScalarNode) and verbs_without_words.isdisjoint(entry_node)
            else verb
        )
        id_stem = "-".join(slug_of(words_for_id).split("-")[:5])
        new_id, count = id_stem, count_by_stem.get(id_stem, 1)
        while new_id in used_ids:
            count += 1
            new_id = f"{id_stem}-{count}"
        # Ids with lower numbers are taken for good, so the next entry starts from here.
        count_by_stem[id_stem] = count
        used_ids.add(new_id)
        named_entries.append((entry_node, new_id))
        splices.append(option_splice(text, line_starts, path, entry_node, "id", new_id))
    if not named_entries:
        return original_text
    for entry_node, new_id in named_entries:
        entry_node[ScalarNode("id")] = ScalarNode(new_id)
    return confirm_edit(tree, apply_splices(text, splices), path)
