"""Edits of the head of a session and of the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value, is_empty
from chronicle.syntax.text_edit import (
    EditRefused,
    Splice,
    check_comments,
    checked,
    end_last_line,
    last_of,
    last_word,
    newline_of,
    option_splice,
    replace_rows,
    spliced,
    split_rows,
    start_of,
    starts_of,
    tree_of,
)
from chronicle.syntax.yaml_text import plain_data, write_flow, write_scalar

HEAD: Final = (
    *("session", "title", "date", "present", "absent", "summary"),
    *("recap", "about", "end", "gone"),
)
"""The order of the keys in the head of a session."""


def add_pair(text: str, path: str, name: str, key: str, value: str | MappingNode) -> str:
    """Add a pair to the end of the mapping ``name`` of the settings, in place of any with the same key.

    Raises:
        EditRefused: if something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path)
    name_key = tree.key(name)
    inner = tree[name_key] if name_key is not None else None
    pair = f"{write_scalar(key, flow=True)}: {_flow(value)}"
    if name_key is None:
        newline = newline_of(text)
        new_text = f"{text}{name}:{newline}  {pair}{newline}"
    elif inner is not None and is_empty(inner):
        new_text = replace_rows(text, name_key.line, name_key.line, [f"  {pair}"])
    elif not isinstance(inner, MappingNode):
        raise EditRefused(f"{path}:{name_key.line}: '{name}' is no mapping")
    elif text[start_of(text, inner)] == "{":
        if ScalarNode(key) in inner:
            raise EditRefused(f"{path}:{name_key.line}: take '{key}' out of '{name}' first")
        end = starts_of(text)[inner.end_line - 1] + inner.end_column - 2
        head = text[:end].rstrip()
        comma = "" if head.endswith(("{", ",")) else ","
        new_text = f"{head}{comma} {pair}{text[end:]}"
    else:
        last = last_word(inner, inner.line)
        new_text = replace_rows(text, last, last, [f"{' ' * (inner.column - 1)}{pair}"])
        old = inner.key(key)
        new_text = (
            replace_rows(new_text, old.line - 1, old.line, []) if old is not None else new_text
        )

    pairs = inner if isinstance(inner, MappingNode) else MappingNode()
    pairs.pop(ScalarNode(key), None)
    pairs[ScalarNode(key)] = ScalarNode(value) if isinstance(value, str) else value
    tree[name_key if name_key is not None else ScalarNode(name)] = pairs
    return checked(tree, new_text, path)


def set_head(
    text: str, path: str, key: str, value: str | Sequence[str] | Mapping[str, str] | None
) -> str:
    """Set a key of the head of a session.

    Args:
        text: The text of the session.
        path: Its name.
        key: The key.
        value: Its value; None to remove the key. A mapping, or a text that ends with a line break, gets
            lines of its own.

    Raises:
        EditRefused: if something else would change, or a comment would be lost.
    """
    text = end_last_line(text)
    tree = tree_of(text, path)
    old_key = tree.key(key)
    new = _value(value)
    if new is None and old_key is None:
        return text
    if text[start_of(text, tree)] == "{":
        raise EditRefused(f"{path}: this session stands in braces; change it by hand")
    rows = [] if new is None else _head_rows(key, new)
    if old_key is None:
        above = [each for each in tree if str(each) in HEAD[: HEAD.index(key)]]
        end = max((last_of(tree[each], each.line) for each in above), default=0)
        new_text = replace_rows(text, end, end, rows)
    else:
        old = tree[old_key]
        end = last_of(old, old_key.line)
        if new is not None and len(rows) == 1 and end == old_key.line and old:
            # A comment behind the value stays.
            row = [line for line, _ in split_rows(text)][old_key.line - 1]
            rows = [f"{row[: old.column - 1]}{_flow(new)}{row[old.end_column - 1 :]}"]
        new_text = replace_rows(text, old_key.line - 1, end, rows)
    check_comments(text, new_text, path, old_key.line if old_key is not None else 1)

    if old_key is not None:
        del tree[old_key]
    if new is not None:
        tree[ScalarNode(key)] = new
    return checked(tree, new_text, path)


def _value(value: str | Sequence[str] | Mapping[str, str] | None) -> Value | None:
    if value is None:
        return None
    if isinstance(value, str):
        return ScalarNode(value)
    if isinstance(value, Mapping):
        return MappingNode((ScalarNode(name), ScalarNode(item)) for name, item in value.items())
    return SequenceNode(map(ScalarNode, value))


def _head_rows(key: str, value: Value) -> list[str]:
    if isinstance(value, MappingNode):
        return [f"{key}:", *(f"  {_flow(name)}: {_flow(item)}" for name, item in value.items())]
    if isinstance(value, ScalarNode) and value.endswith("\n"):
        lines = value.removesuffix("\n").split("\n")
        return [f"{key}: |", *(f"  {line}" if line else "" for line in lines)]
    return [f"{key}: {_flow(value)}"]


def _flow(value: str | Value) -> str:
    return (
        write_scalar(value, flow=True) if isinstance(value, str) else write_flow(plain_data(value))
    )


def publish_as(text: str, path: str, keys: Iterable[str], player: str, name: str) -> str:
    """Let the settings publish a player under another name.

    Args:
        text: The text of the settings.
        path: Their name.
        keys: The keys that hold players.
        player: The name of the player in the settings.
        name: The name to publish.

    Raises:
        EditRefused: if the player is not found there, or something else would change.
    """
    text = end_last_line(text)
    tree = tree_of(text, path)
    for key in map(ScalarNode, keys):
        value = tree.get(key, SequenceNode())
        seats = value if isinstance(value, SequenceNode) else SequenceNode([value])
        for index, seat in enumerate(seats):
            if isinstance(seat, MappingNode) and seat.get(ScalarNode("name")) == player:
                splice = option_splice(text, starts_of(text), path, seat, "publish as", name)
                new_seat = MappingNode({**seat, ScalarNode("publish as"): ScalarNode(name)})
            elif isinstance(seat, ScalarNode) and seat == player and seat.line == seat.end_line:
                start = start_of(text, seat)
                end = start + seat.end_column - seat.column
                pair = f"publish as: {write_scalar(name, flow=True)}"
                splice = Splice(start, end, f"{{name: {text[start:end]}, {pair}}}")
                new_seat = MappingNode(
                    {ScalarNode("name"): seat, ScalarNode("publish as"): ScalarNode(name)}
                )
            else:
                continue
            if isinstance(value, SequenceNode):
                value[index] = new_seat
            else:
                tree[key] = new_seat
            return checked(tree, spliced(text, [splice]), path)
    raise EditRefused(
        f"{path}: '{player}' does not stand alone in the list of players; "
        "write it in brackets, players: [Ana, Bo]"
    )
