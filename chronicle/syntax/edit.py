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
    log_node = tree.get(ScalarNode("log"))
    if isinstance(log_node, ScalarNode) and not log_node:
        return SequenceNode()
    if not isinstance(log_node, SequenceNode):
        raise EditRefused(f"{path} has no list 'log'")
    return log_node


def entry_at(
    session_text: str, path: str, line_number: int, cache: EntryCache | None = None
) -> tuple[int, int, int] | None:
    """Find the entry of the log on a line, or else the last one above it.

    Returns:
        Its index, its first and its last line. None above the first entry.

    Raises:
        EditRefused: if the file holds no log.
    """
    log_node = _log_node(tree_of(session_text, path, cache), path)
    indexes_above = [
        index for index, entry_node in enumerate(log_node) if entry_node.line <= line_number
    ]
    return (
        (
            indexes_above[-1],
            log_node[indexes_above[-1]].line,
            last_line_of_entry(log_node[indexes_above[-1]]),
        )
        if indexes_above
        else None
    )


def last_line_of_entry(entry_node: Value) -> int:
    """The last line of an entry."""
    return last_line_of_value(entry_node, entry_node.line)


def nested_entry(entry_node: Value, line_number: int) -> Value:
    """The entry inside an entry that begins on a line; the entry itself if none does."""
    matching_entries = (
        nested_node
        for nested_node in entries_in(entry_node)
        if nested_node.line == line_number != entry_node.line
    )
    return next(matching_entries, entry_node)


def find_entry_with_own_lines(session_text: str, entry_node: Value, line_number: int) -> Value:
    """The entry inside an entry that begins on a line, if it has lines of its own; else the whole entry."""
    nested_node = nested_entry(entry_node, line_number)
    text_before_entry = (
        session_text.split("\n")[line_number - 1][: nested_node.column - 1].strip()
        if nested_node is not entry_node
        else ""
    )
    return nested_node if text_before_entry == "-" else entry_node


def entry_text(session_text: str, path: str, entry_index: int, line_number: int = 0) -> str:
    """The YAML of an entry, without its dash and its indentation.

    Args:
        session_text: The text of the file.
        path: Its name.
        entry_index: The index of the entry in the log.
        line_number: The first line of an entry inside it, if that is meant and has lines of its own.

    Raises:
        EditRefused: if the file holds no log.
    """
    entry_node = find_entry_with_own_lines(
        session_text, _log_node(tree_of(session_text, path), path)[entry_index], line_number
    )
    entry_rows = [row for row, _ in split_rows(session_text)][
        entry_node.line - 1 : last_line_of_entry(entry_node)
    ]
    entry_indent = entry_node.column - 1
    return "\n".join(
        row[entry_indent:] if row[:entry_indent].strip(" -") == "" else row for row in entry_rows
    )


def value_at(value: Any, key_path: Sequence[int | str]) -> Any:
    """Follow indices and keys into a value."""
    for key_or_index in key_path:
        value = value[key_or_index]
    return value


def _child_nodes(node: Value) -> list[tuple[int | str, Value]]:
    if isinstance(node, SequenceNode):
        return list(enumerate(node))
    if isinstance(node, MappingNode):
        return [(str(key), child_node) for key, child_node in node.items()]
    return []


def _route_to(node: Value, target_node: Value) -> list[int | str] | None:
    """The indices and keys that lead from a value to a value inside it."""
    if node is target_node:
        return []
    for key_or_index, child_node in _child_nodes(node):
        route = _route_to(child_node, target_node)
        if route is not None:
            return [key_or_index, *route]
    return None


def find_route(node: Value, line_number: int, column: int) -> tuple[list[int | str], bool] | None:
    """Find the value or the key that begins at a place inside a value.

    Returns:
        The indices and keys that lead there, and whether the last key itself begins there. None if
        nothing does.
    """
    if isinstance(node, MappingNode):
        for key in node:
            if (key.line, key.column) == (line_number, column):
                return [str(key)], True
    for key_or_index, child_node in _child_nodes(node):
        route_and_is_key = find_route(child_node, line_number, column)
        if route_and_is_key is not None:
            return [key_or_index, *route_and_is_key[0]], route_and_is_key[1]
    return ([], False) if (node.line, node.column) == (line_number, column) else None


# -- whole entries ---------------------------------------------------------------------------------


def insert_entry(
    session_text: str,
    path: str,
    entry_yaml: str,
    entry_index: int | None = None,
    cache: EntryCache | None = None,
) -> str:
    """Insert an entry into the log.

    Args:
        session_text: The text of the session.
        path: Its name.
        entry_yaml: The entry as YAML without its dash.
        entry_index: The index of the entry that it precedes; None: at the end.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if the entry cannot be read, or something else would change.
    """
    session_text = end_last_line(session_text)
    tree = tree_of(session_text, path, cache)
    key = tree.key("log")
    if key is None:
        raise EditRefused(f"{path} has no list 'log'")
    new_node = _read_entry(entry_yaml, path)
    if isinstance(tree[key], ScalarNode) and not tree[key]:
        new_text = replace_rows(session_text, key.line, key.line, _entry_rows(entry_yaml, 0))
        tree[key] = SequenceNode([new_node])
        return confirm_edit(tree, new_text, path, cache)
    log_node = _log_node(tree, path)
    if session_text[value_start_in(session_text, log_node)] == "[":
        new_text = _insert_in_brackets(session_text, path, log_node, new_node, entry_index)
    else:
        insert_after_line = _line_to_insert_at(session_text, tree, log_node, entry_index)
        new_text = replace_rows(
            session_text,
            insert_after_line,
            insert_after_line,
            _entry_rows(entry_yaml, log_node.column - 1),
        )
    log_node.insert(len(log_node) if entry_index is None else entry_index, new_node)
    return confirm_edit(tree, new_text, path, cache)


def _read_entry(entry_yaml: str, path: str) -> MappingNode:
    """An entry as it will be read. A text at its end gets its last line break."""
    parsed = read_text(end_last_line(entry_yaml), path)
    if not isinstance(parsed.tree, MappingNode) or any(
        error.severity > 2 for error in parsed.problems
    ):
        raise EditRefused("the new entry cannot be read")
    return parsed.tree


def _entry_rows(entry_yaml: str, indent: int) -> list[str]:
    """The rows of an entry with its dash."""
    indentation = " " * indent
    first_row, *more_rows = entry_yaml.rstrip("\n").split("\n")
    return [
        f"{indentation}- {first_row}",
        *(f"{indentation}  {row}" if row else row for row in more_rows),
    ]


def _line_to_insert_at(
    session_text: str, tree: MappingNode, log_node: SequenceNode, entry_index: int | None
) -> int:
    """The number of lines above a new entry of a log in block style."""
    if entry_index is not None and entry_index < len(log_node):
        return log_node[entry_index].line - 1
    lines = [line for line, _ in split_rows(session_text)]
    last_line_number = max(
        [log_node.end_line, *(scalar.end_line for scalar in scalars(log_node))],
        default=log_node.line,
    )
    while last_line_number > 0 and (
        last_line_number > len(lines) or not lines[last_line_number - 1].strip()
    ):
        last_line_number -= 1
    return min([last_line_number, *(key.line - 1 for key in tree if key.line > log_node.line)])


def _insert_in_brackets(
    session_text: str,
    path: str,
    log_node: SequenceNode,
    new_node: MappingNode,
    entry_index: int | None,
) -> str:
    """Insert an entry into a log in flow style."""
    from chronicle.syntax.reshape import CannotReshape, find_indents, reshape, ruamel_data

    def insert_into_log(log_data: Any) -> None:
        entry_data = ruamel_data(new_node)
        entry_data.fa.set_flow_style()
        log_data["log"].insert(
            len(log_data["log"]) if entry_index is None else entry_index, entry_data
        )

    try:
        new_text = reshape(session_text, find_indents(log_node), insert_into_log)
    except CannotReshape:
        raise EditRefused(f"{path} cannot be rewritten without harm") from None
    check_comments(session_text, new_text, path)
    return new_text


def replace_entry(
    session_text: str,
    path: str,
    entry_index: int,
    entry_yaml: str | None,
    line_number: int = 0,
    cache: EntryCache | None = None,
) -> str:
    """Replace or remove an entry of the log.

    Args:
        session_text: The text of the session.
        path: Its name.
        entry_index: The index of the entry.
        entry_yaml: The new entry as YAML without its dash; None to remove the old one.
        line_number: The first line of an entry inside it, if that is meant and has lines of its own.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if the entry cannot be read, or something else would change.
    """
    session_text = end_last_line(session_text)
    tree = tree_of(session_text, path, cache)
    log_node = _log_node(tree, path)
    if session_text[value_start_in(session_text, log_node)] == "[":
        raise EditRefused(f"{path}: this log stands in brackets; change it by hand")
    old_node = find_entry_with_own_lines(session_text, log_node[entry_index], line_number)
    route = _route_to(log_node, old_node) or [entry_index]
    siblings = value_at(log_node, route[:-1])
    if entry_yaml is None:
        if len(siblings) == 1:
            raise EditRefused(
                f"{path}: this is the only entry of the session; write another one first"
            )
        entry_rows = []
        del siblings[route[-1]]
    else:
        entry_rows = _entry_rows(entry_yaml, siblings.column - 1)
        siblings[route[-1]] = _read_entry(entry_yaml, path)
    return confirm_edit(
        tree,
        replace_rows(session_text, old_node.line - 1, last_line_of_entry(old_node), entry_rows),
        path,
        cache,
    )


def drop_entry(
    session_text: str,
    path: str,
    entry_index: int,
    line_number: int,
    cache: EntryCache | None = None,
) -> str:
    """Remove the entry of an index, or the nested entry that begins on a line.

    Raises:
        EditRefused: if something else would change.
    """
    entry_node = _log_node(tree_of(session_text, path, cache), path)[entry_index]
    key_path = _route_to(entry_node, nested_entry(entry_node, line_number))
    if not key_path:
        return replace_entry(session_text, path, entry_index, None, cache=cache)
    *outer_route, last_key_or_index = key_path
    return change_entry(
        session_text,
        path,
        entry_index,
        lambda entry: value_at(entry, outer_route).pop(last_key_or_index),
    )


# -- inside an entry -------------------------------------------------------------------------------


def change_entry(
    session_text: str, path: str, entry_index: int, change_data: Callable[[Any], None]
) -> str:
    """Change an entry of the log through ruamel.yaml.

    Args:
        session_text: The text of the session.
        path: Its name.
        entry_index: The index of the entry.
        change_data: Changes the entry, a mapping of texts, lists and mappings. It is called twice: for the tree
            and for the text.

    Raises:
        EditRefused: if something else would change, or a comment would be lost.
    """
    session_text = end_last_line(session_text)
    tree = tree_of(session_text, path)
    log_node = _log_node(tree, path)
    new_text = _round_trip(session_text, path, log_node, entry_index, change_data)
    change_data(log_node[entry_index])
    return confirm_edit(tree, new_text, path)


def _round_trip(
    session_text: str,
    path: str,
    log_node: SequenceNode,
    entry_index: int,
    change_data: Callable[[Any], None],
) -> str:
    from chronicle.syntax.reshape import CannotReshape, find_indents, reshape

    line_starts = line_starts_of(session_text)
    entry_node = log_node[entry_index]
    start_position = line_starts[entry_node.line - 1]
    last_line_number = last_scalar_line(entry_node, entry_node.line)
    if session_text[start_position:].lstrip(" -").startswith(("{", "[")):
        last_line_number = entry_node.end_line
    end_position = (
        line_starts[last_line_number] if last_line_number < len(line_starts) else len(session_text)
    )
    try:
        new_entry_text = reshape(
            session_text[start_position:end_position],
            find_indents(log_node),
            lambda log_data: change_data(log_data[0]),
        )
    except CannotReshape:
        raise EditRefused(
            f"{path}:{entry_node.line}: this entry cannot be rewritten without harm"
        ) from None
    check_comments(session_text[start_position:end_position], new_entry_text, path, entry_node.line)
    return session_text[:start_position] + new_entry_text + session_text[end_position:]


def set_option(
    session_text: str, path: str, entry: MappingNode, option: str, value_text: str
) -> str:
    """Set option ``option`` of an entry, as it was read from this text.

    Raises:
        EditRefused: if the text has changed since, or something else would change.
    """
    tree = tree_of(session_text, path)
    current_entry = _find_same_entry(tree, entry)
    if current_entry is None or current_entry != entry:
        raise EditRefused(f"{path}:{entry.line}: the file has changed since it was read")
    if session_text != end_last_line(session_text):
        session_text = end_last_line(session_text)
        tree = tree_of(session_text, path)
        current_entry = _find_same_entry(tree, entry)
        assert current_entry is not None
    try:
        if "\n" in value_text:
            raise MoreThanOneLine(f"{path}:{entry.line}: '{option}' gets more than one line")
        new_text = apply_splices(
            session_text,
            [
                option_splice(
                    session_text,
                    line_starts_of(session_text),
                    path,
                    current_entry,
                    option,
                    value_text,
                )
            ],
        )
    except MoreThanOneLine:
        new_text = _set_through_ruamel(session_text, path, tree, current_entry, option, value_text)
    current_entry[current_entry.key(option) or ScalarNode(option)] = ScalarNode(value_text)
    return confirm_edit(tree, new_text, path)


def _find_same_entry(tree: MappingNode, entry: MappingNode) -> MappingNode | None:
    """The entry of a tree that begins where another reading of it does."""
    position = entry.line, entry.column
    return next(
        (
            possible_entry
            for possible_entry in entries_in(tree)
            if (possible_entry.line, possible_entry.column) == position
        ),
        None,
    )


def _set_through_ruamel(
    session_text: str, path: str, tree: MappingNode, entry: MappingNode, key: str, value_text: str
) -> str:
    from chronicle.syntax.reshape import block_scalar

    log_node = _log_node(tree, path)
    routes_in_entries = (
        (entry_index, _route_to(entry_node, entry))
        for entry_index, entry_node in enumerate(log_node)
    )
    entry_index, route = next(
        ((entry_index, route) for entry_index, route in routes_in_entries if route is not None),
        (-1, []),
    )
    if entry_index < 0:
        raise EditRefused(f"{path}:{entry.line}: this entry is not in the log")

    def set_in_entry(outer_entry: Any) -> None:
        value_at(outer_entry, route)[key] = block_scalar(value_text)

    return _round_trip(session_text, path, log_node, entry_index, set_in_entry)


def drop_option(session_text: str, path: str, entry_index: int, key_name: str) -> str:
    """Remove option ``option`` of the entry of an index.

    Raises:
        EditRefused: if there is none, or something else would change.
    """
    session_text = end_last_line(session_text)
    tree = tree_of(session_text, path)
    entry_node = _log_node(tree, path)[entry_index]
    key = entry_node.key(key_name) if isinstance(entry_node, MappingNode) else None
    if not isinstance(entry_node, MappingNode) or key is None or key == next(iter(entry_node)):
        raise EditRefused(f"{path}:{entry_node.line}: there is no option '{key_name}' here")
    if session_text[value_start_in(session_text, entry_node)] == "{":
        return change_entry(session_text, path, entry_index, lambda entry: entry.pop(key_name))
    new_text = replace_rows(
        session_text, key.line - 1, last_line_of_value(entry_node[key], key.line), []
    )
    del entry_node[key]
    return confirm_edit(tree, new_text, path)


def set_text(
    session_text: str,
    path: str,
    entry_index: int,
    new_story: str,
    line_number: int = 0,
    cache: EntryCache | None = None,
) -> str:
    """Set the story (``text:``) of an entry.

    Args:
        session_text: The text of the session.
        path: Its name.
        entry_index: The index of the entry.
        new_story: The story; empty to remove it.
        line_number: The first line of an entry inside it, if that is meant.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if something else would change.
    """
    session_text = end_last_line(session_text)
    tree = tree_of(session_text, path, cache)
    entry_node = nested_entry(_log_node(tree, path)[entry_index], line_number)
    if not isinstance(entry_node, MappingNode):
        raise EditRefused(f"{path}:{entry_node.line}: this is no entry")
    if session_text[value_start_in(session_text, entry_node)] == "{":
        raise EditRefused(
            f"{path}:{entry_node.line}: this entry stands in braces; change it by hand"
        )
    new_story = new_story.rstrip()
    indentation = " " * (entry_node.column - 1)
    block_indicator = "|2" if new_story[:1].isspace() else "|"
    text_rows = [f"{indentation}text: {block_indicator}"]
    text_rows += [f"{indentation}  {row}" if row.strip() else "" for row in new_story.split("\n")]
    key = entry_node.key("text")
    first_row = last_line_of_entry(entry_node) if key is None else key.line - 1
    end_row = first_row if key is None else last_scalar_line(entry_node[key], key.line)
    new_text = replace_rows(session_text, first_row, end_row, text_rows if new_story else [])
    if key is not None:
        del entry_node[key]
    if new_story:
        entry_node[ScalarNode("text")] = ScalarNode(new_story + "\n")
    return confirm_edit(tree, new_text, path, cache)


# -- ids -------------------------------------------------------------------------------------------


def entries_without_id(session_text: str, path: str) -> list[int]:
    """The indices of the entries that :func:`add_ids` would name."""
    log_node = _log_node(tree_of(session_text, path), path)
    return [
        index
        for index, entry_node in enumerate(log_node)
        if isinstance(entry_node, MappingNode) and entry_node and ScalarNode("id") not in entry_node
    ]


def add_ids(
    session_text: str,
    path: str,
    ids_used_elsewhere: frozenset[str] = frozenset(),
    hiding_verbs: frozenset[str] = frozenset(("secret",)),
    indices_needing_id: frozenset[int] | None = None,
) -> str:
    """Give every entry of the log without an ``id`` a permanent, readable one.

    Args:
        session_text: The text of the session.
        path: Its name.
        ids_used_elsewhere: Ids that the campaign uses elsewhere.
        hiding_verbs: Verbs whose ids do not say what the entry is about, because everybody sees ids.
        indices_needing_id: The indices of the entries that get an id; None: all.
    """
    original_text, session_text = session_text, end_last_line(session_text)
    tree = tree_of(session_text, path)
    log_node = _log_node(tree, path)
    used_ids = {*ids_used_elsewhere}
    for entry in entries_in(tree):
        existing_id = entry.get(ScalarNode("id"))
        if isinstance(existing_id, ScalarNode):
            used_ids.add(str(existing_id))
    line_starts = line_starts_of(session_text)
    splices: list[Splice] = []
    entries_with_new_id: list[tuple[MappingNode, str]] = []
    count_by_stem: dict[str, int] = {}
    for index, entry_node in enumerate(log_node):
        if (
            not isinstance(entry_node, MappingNode)
            or not entry_node
            or ScalarNode("id") in entry_node
        ):
            continue
        if indices_needing_id is not None and index not in indices_needing_id:
            continue
        verb, value = next(iter(entry_node.items()))
        words_for_id = (
            f"{verb} {value}"
            if isinstance(value, ScalarNode) and hiding_verbs.isdisjoint(entry_node)
            else verb
        )
        id_stem = "-".join(slug_of(words_for_id).split("-")[:5])
        new_id, use_count = id_stem, count_by_stem.get(id_stem, 1)
        while new_id in used_ids:
            use_count += 1
            new_id = f"{id_stem}-{use_count}"
        # Ids with lower numbers are taken for good, so the next entry starts from here.
        count_by_stem[id_stem] = use_count
        used_ids.add(new_id)
        entries_with_new_id.append((entry_node, new_id))
        splices.append(option_splice(session_text, line_starts, path, entry_node, "id", new_id))
    if not entries_with_new_id:
        return original_text
    for entry_node, new_id in entries_with_new_id:
        entry_node[ScalarNode("id")] = ScalarNode(new_id)
    return confirm_edit(tree, apply_splices(session_text, splices), path)
