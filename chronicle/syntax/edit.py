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
    check_comments,
    checked,
    end_last_line,
    entries_in,
    last_of,
    last_word,
    option_splice,
    replace_rows,
    spliced,
    split_rows,
    start_of,
    starts_of,
    tree_of,
)

# -- find entries ----------------------------------------------------------------------------------


def _log(tree: MappingNode, path: str) -> SequenceNode:
    log = tree.get(ScalarNode("log"))
    if isinstance(log, ScalarNode) and not log:
        return SequenceNode()
    if not isinstance(log, SequenceNode):
        raise EditRefused(f"{path} has no list 'log'")
    return log


def entry_at(
    text: str, path: str, line: int, cache: EntryCache | None = None
) -> tuple[int, int, int] | None:
    """Find the entry of the log on a line, or else the last one above it.

    Returns:
        Its index, its first and its last line. None above the first entry.

    Raises:
        EditRefused: if the file holds no log.
    """
    log = _log(tree_of(text, path, cache), path)
    above = [index for index, item in enumerate(log) if item.line <= line]
    return (above[-1], log[above[-1]].line, end_of(log[above[-1]])) if above else None


def end_of(item: Value) -> int:
    """The last line of an entry."""
    return last_of(item, item.line)


def nested_entry(item: Value, line: int) -> Value:
    """The entry inside an entry that begins on a line; the entry itself if none does."""
    inner = (entry for entry in entries_in(item) if entry.line == line != item.line)
    return next(inner, item)


def entry_on_own_lines(text: str, item: Value, line: int) -> Value:
    """The entry inside an entry that begins on a line, if it has lines of its own; else the whole entry."""
    inner = nested_entry(item, line)
    dash = text.split("\n")[line - 1][: inner.column - 1].strip() if inner is not item else ""
    return inner if dash == "-" else item


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
    item = entry_on_own_lines(text, _log(tree_of(text, path), path)[index], line)
    rows = [line for line, _ in split_rows(text)][item.line - 1 : end_of(item)]
    indent = item.column - 1
    return "\n".join(row[indent:] if row[:indent].strip(" -") == "" else row for row in rows)


def inside(value: Any, route: Sequence[int | str]) -> Any:
    """Follow indices and keys into a value."""
    for step in route:
        value = value[step]
    return value


def _steps(value: Value) -> list[tuple[int | str, Value]]:
    if isinstance(value, SequenceNode):
        return list(enumerate(value))
    if isinstance(value, MappingNode):
        return [(str(key), item) for key, item in value.items()]
    return []


def _route(value: Value, target: Value) -> list[int | str] | None:
    """The indices and keys that lead from a value to a value inside it."""
    if value is target:
        return []
    for step, item in _steps(value):
        route = _route(item, target)
        if route is not None:
            return [step, *route]
    return None


def path_to(value: Value, line: int, column: int) -> tuple[list[int | str], bool] | None:
    """Find the value or the key that begins at a place inside a value.

    Returns:
        The indices and keys that lead there, and whether the last key itself begins there. None if
        nothing does.
    """
    if isinstance(value, MappingNode):
        for key in value:
            if (key.line, key.column) == (line, column):
                return [str(key)], True
    for step, item in _steps(value):
        route = path_to(item, line, column)
        if route is not None:
            return [step, *route[0]], route[1]
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
    new = _read_entry(entry, path)
    if isinstance(tree[key], ScalarNode) and not tree[key]:
        new_text = replace_rows(text, key.line, key.line, _entry_rows(entry, 0))
        tree[key] = SequenceNode([new])
        return checked(tree, new_text, path, cache)
    log = _log(tree, path)
    if text[start_of(text, log)] == "[":
        new_text = _insert_in_brackets(text, path, log, new, index)
    else:
        line = _line_to_insert_at(text, tree, log, index)
        new_text = replace_rows(text, line, line, _entry_rows(entry, log.column - 1))
    log.insert(len(log) if index is None else index, new)
    return checked(tree, new_text, path, cache)


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
    lead = " " * indent
    first, *more_rows = entry.rstrip("\n").split("\n")
    return [f"{lead}- {first}", *(f"{lead}  {row}" if row else row for row in more_rows)]


def _line_to_insert_at(text: str, tree: MappingNode, log: SequenceNode, index: int | None) -> int:
    """The number of lines above a new entry of a log in block style."""
    if index is not None and index < len(log):
        return log[index].line - 1
    lines = [line for line, _ in split_rows(text)]
    end = max([log.end_line, *(word.end_line for word in scalars(log))], default=log.line)
    while end > 0 and (end > len(lines) or not lines[end - 1].strip()):
        end -= 1
    return min([end, *(key.line - 1 for key in tree if key.line > log.line)])


def _insert_in_brackets(
    text: str, path: str, log: SequenceNode, new: MappingNode, index: int | None
) -> str:
    """Insert an entry into a log in flow style."""
    from chronicle.syntax.reshape import Unshaped, indents_of, plain, reshaped

    def insert(data: Any) -> None:
        entry = plain(new)
        entry.fa.set_flow_style()
        data["log"].insert(len(data["log"]) if index is None else index, entry)

    try:
        new_text = reshaped(text, indents_of(log), insert)
    except Unshaped:
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
    log = _log(tree, path)
    if text[start_of(text, log)] == "[":
        raise EditRefused(f"{path}: this log stands in brackets; change it by hand")
    item = entry_on_own_lines(text, log[index], line)
    route = _route(log, item) or [index]
    siblings = inside(log, route[:-1])
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
    return checked(tree, replace_rows(text, item.line - 1, end_of(item), rows), path, cache)


def drop_entry(text: str, path: str, index: int, line: int, cache: EntryCache | None = None) -> str:
    """Remove the entry of an index, or the nested entry that begins on a line.

    Raises:
        EditRefused: if something else would change.
    """
    item = _log(tree_of(text, path, cache), path)[index]
    route = _route(item, nested_entry(item, line))
    if not route:
        return replace_entry(text, path, index, None, cache=cache)
    *outer, last = route
    return rework(text, path, index, lambda entry: inside(entry, outer).pop(last))


# -- inside an entry -------------------------------------------------------------------------------


def rework(text: str, path: str, index: int, change: Callable[[Any], None]) -> str:
    """Change an entry of the log through ruamel.yaml.

    Args:
        text: The text of the session.
        path: Its name.
        index: The index of the entry.
        change: Changes the entry, a mapping of texts, lists and mappings. It is called twice: for the tree
            and for the text.

    Raises:
        EditRefused: if something else would change, or a comment would be lost.
    """
    text = end_last_line(text)
    tree = tree_of(text, path)
    log = _log(tree, path)
    new_text = _round_trip(text, path, log, index, change)
    change(log[index])
    return checked(tree, new_text, path)


def _round_trip(
    text: str, path: str, log: SequenceNode, index: int, change: Callable[[Any], None]
) -> str:
    from chronicle.syntax.reshape import Unshaped, indents_of, reshaped

    starts = starts_of(text)
    item = log[index]
    start = starts[item.line - 1]
    last = last_word(item, item.line)
    if text[start:].lstrip(" -").startswith(("{", "[")):
        last = item.end_line
    end = starts[last] if last < len(starts) else len(text)
    try:
        piece = reshaped(text[start:end], indents_of(log), lambda data: change(data[0]))
    except Unshaped:
        raise EditRefused(
            f"{path}:{item.line}: this entry cannot be rewritten without harm"
        ) from None
    check_comments(text[start:end], piece, path, item.line)
    return text[:start] + piece + text[end:]


def set_option(text: str, path: str, entry: MappingNode, name: str, value: str) -> str:
    """Set option ``name`` of an entry, as it was read from this text.

    Raises:
        EditRefused: if the text has changed since, or something else would change.
    """
    tree = tree_of(text, path)
    target = _same_entry(tree, entry)
    if target is None or target != entry:
        raise EditRefused(f"{path}:{entry.line}: the file has changed since it was read")
    if text != end_last_line(text):
        text = end_last_line(text)
        tree = tree_of(text, path)
        target = _same_entry(tree, entry)
        assert target is not None
    try:
        if "\n" in value:
            raise MoreThanOneLine(f"{path}:{entry.line}: '{name}' gets more than one line")
        new_text = spliced(text, [option_splice(text, starts_of(text), path, target, name, value)])
    except MoreThanOneLine:
        new_text = _set_through_ruamel(text, path, tree, target, name, value)
    target[target.key(name) or ScalarNode(name)] = ScalarNode(value)
    return checked(tree, new_text, path)


def _same_entry(tree: MappingNode, entry: MappingNode) -> MappingNode | None:
    """The entry of a tree that begins where another reading of it does."""
    place = entry.line, entry.column
    return next((each for each in entries_in(tree) if (each.line, each.column) == place), None)


def _set_through_ruamel(
    text: str, path: str, tree: MappingNode, entry: MappingNode, name: str, value: str
) -> str:
    from chronicle.syntax.reshape import literal

    log = _log(tree, path)
    routes = ((index, _route(item, entry)) for index, item in enumerate(log))
    index, route = next(((index, route) for index, route in routes if route is not None), (-1, []))
    if index < 0:
        raise EditRefused(f"{path}:{entry.line}: this entry is not in the log")

    def change(outer: Any) -> None:
        inside(outer, route)[name] = literal(value)

    return _round_trip(text, path, log, index, change)


def drop_option(text: str, path: str, index: int, name: str) -> str:
    """Remove option ``name`` of the entry of an index.

    Raises:
        EditRefused: if there is none, or something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path)
    item = _log(tree, path)[index]
    key = item.key(name) if isinstance(item, MappingNode) else None
    if not isinstance(item, MappingNode) or key is None or key == next(iter(item)):
        raise EditRefused(f"{path}:{item.line}: there is no option '{name}' here")
    if text[start_of(text, item)] == "{":
        return rework(text, path, index, lambda entry: entry.pop(name))
    new_text = replace_rows(text, key.line - 1, last_of(item[key], key.line), [])
    del item[key]
    return checked(tree, new_text, path)


def set_text(
    text: str,
    path: str,
    index: int,
    words: str,
    line: int = 0,
    cache: EntryCache | None = None,
) -> str:
    """Set the story (``text:``) of an entry.

    Args:
        text: The text of the session.
        path: Its name.
        index: The index of the entry.
        words: The story; empty to remove it.
        line: The first line of an entry inside it, if that is meant.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path, cache)
    item = nested_entry(_log(tree, path)[index], line)
    if not isinstance(item, MappingNode):
        raise EditRefused(f"{path}:{item.line}: this is no entry")
    if text[start_of(text, item)] == "{":
        raise EditRefused(f"{path}:{item.line}: this entry stands in braces; change it by hand")
    words = words.rstrip()
    indent = " " * (item.column - 1)
    indicator = "|2" if words[:1].isspace() else "|"
    rows = [f"{indent}text: {indicator}"]
    rows += [f"{indent}  {row}" if row.strip() else "" for row in words.split("\n")]
    key = item.key("text")
    first = end_of(item) if key is None else key.line - 1
    end = first if key is None else last_word(item[key], key.line)
    new_text = replace_rows(text, first, end, rows if words else [])
    if key is not None:
        del item[key]
    if words:
        item[ScalarNode("text")] = ScalarNode(words + "\n")
    return checked(tree, new_text, path, cache)


# -- ids -------------------------------------------------------------------------------------------


def unnamed(text: str, path: str) -> list[int]:
    """The indices of the entries that :func:`add_ids` would name."""
    log = _log(tree_of(text, path), path)
    return [
        index
        for index, item in enumerate(log)
        if isinstance(item, MappingNode) and item and ScalarNode("id") not in item
    ]


def add_ids(
    text: str,
    path: str,
    used_elsewhere: frozenset[str] = frozenset(),
    quiet: frozenset[str] = frozenset(("secret",)),
    only: frozenset[int] | None = None,
) -> str:
    """Give every entry of the log without an ``id`` a permanent, readable one.

    Args:
        text: The text of the session.
        path: Its name.
        used_elsewhere: Ids that the campaign uses elsewhere.
        quiet: Verbs whose ids do not say what the entry is about, because everybody sees ids.
        only: The indices of the entries to name; None: all.
    """
    original, text = text, end_last_line(text)
    tree = tree_of(text, path)
    log = _log(tree, path)
    used = {*used_elsewhere}
    for entry in entries_in(tree):
        own = entry.get(ScalarNode("id"))
        if isinstance(own, ScalarNode):
            used.add(str(own))
    starts = starts_of(text)
    splices: list[Splice] = []
    named: list[tuple[MappingNode, str]] = []
    counts: dict[str, int] = {}
    for index, item in enumerate(log):
        if not isinstance(item, MappingNode) or not item or ScalarNode("id") in item:
            continue
        if only is not None and index not in only:
            continue
        verb, value = next(iter(item.items()))
        words = (
            f"{verb} {value}" if isinstance(value, ScalarNode) and quiet.isdisjoint(item) else verb
        )
        stem = "-".join(slug_of(words).split("-")[:5])
        name, count = stem, counts.get(stem, 1)
        while name in used:
            count += 1
            name = f"{stem}-{count}"
        # Ids with lower numbers are taken for good, so the next entry starts from here.
        counts[stem] = count
        used.add(name)
        named.append((item, name))
        splices.append(option_splice(text, starts, path, item, "id", name))
    if not named:
        return original
    for item, name in named:
        item[ScalarNode("id")] = ScalarNode(name)
    return checked(tree, spliced(text, splices), path)
