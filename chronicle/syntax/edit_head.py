"""Edits of the head of a session and of the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value, is_empty
from chronicle.syntax.text_edit import (
    EditRefused,
    Splice,
    apply_splices,
    check_comments,
    confirm_edit,
    end_last_line,
    last_line_of_value,
    last_scalar_line,
    line_starts_of,
    newline_of,
    option_splice,
    replace_rows,
    split_rows,
    tree_of,
    value_start_in,
)
from chronicle.syntax.yaml_text import plain_data, write_flow, write_scalar

HEAD_KEYS: Final = (
    *("session", "title", "date", "present", "absent", "summary"),
    *("recap", "about", "end", "gone"),
)
"""The order of the keys in the head of a session."""


def add_pair_to_mapping(
    settings_text: str, path: str, mapping_name: str, key: str, value: str | MappingNode
) -> str:
    """Add a pair to the end of the mapping ``mapping_name`` of the settings, in place of any with the same key.

    Raises:
        EditRefused: if something else would change.
    """
    settings_text = end_last_line(settings_text)
    tree = tree_of(settings_text, path)
    mapping_key = tree.key(mapping_name)
    old_mapping = tree[mapping_key] if mapping_key is not None else None
    pair_text = f"{write_scalar(key, in_flow=True)}: {_as_flow_text(value)}"
    if mapping_key is None:
        line_break = newline_of(settings_text)
        new_settings_text = f"{settings_text}{mapping_name}:{line_break}  {pair_text}{line_break}"
    elif old_mapping is not None and is_empty(old_mapping):
        new_settings_text = replace_rows(
            settings_text, mapping_key.line, mapping_key.line, [f"  {pair_text}"]
        )
    elif not isinstance(old_mapping, MappingNode):
        raise EditRefused(f"{path}:{mapping_key.line}: '{mapping_name}' is no mapping")
    elif settings_text[value_start_in(settings_text, old_mapping)] == "{":
        if ScalarNode(key) in old_mapping:
            raise EditRefused(
                f"{path}:{mapping_key.line}: take '{key}' out of '{mapping_name}' first"
            )
        brace_position = (
            line_starts_of(settings_text)[old_mapping.end_line - 1] + old_mapping.end_column - 2
        )
        text_before_brace = settings_text[:brace_position].rstrip()
        separator = "" if text_before_brace.endswith(("{", ",")) else ","
        new_settings_text = (
            f"{text_before_brace}{separator} {pair_text}{settings_text[brace_position:]}"
        )
    else:
        last_line_number = last_scalar_line(old_mapping, old_mapping.line)
        new_settings_text = replace_rows(
            settings_text,
            last_line_number,
            last_line_number,
            [f"{' ' * (old_mapping.column - 1)}{pair_text}"],
        )
        old_key = old_mapping.key(key)
        new_settings_text = (
            replace_rows(new_settings_text, old_key.line - 1, old_key.line, [])
            if old_key is not None
            else new_settings_text
        )

    new_mapping = old_mapping if isinstance(old_mapping, MappingNode) else MappingNode()
    new_mapping.pop(ScalarNode(key), None)
    new_mapping[ScalarNode(key)] = ScalarNode(value) if isinstance(value, str) else value
    tree[mapping_key if mapping_key is not None else ScalarNode(mapping_name)] = new_mapping
    return confirm_edit(tree, new_settings_text, path)


def set_head(
    session_text: str,
    path: str,
    key: str,
    new_value: str | Sequence[str] | Mapping[str, str] | None,
) -> str:
    """Set a key of the head of a session.

    Args:
        session_text: The text of the session.
        path: Its name.
        key: The key.
        new_value: Its value; None to remove the key. A mapping, or a text that ends with a line break, gets
            lines of its own.

    Raises:
        EditRefused: if something else would change, or a comment would be lost.
    """
    session_text = end_last_line(session_text)
    tree = tree_of(session_text, path)
    old_key = tree.key(key)
    new_node = _value_node(new_value)
    if new_node is None and old_key is None:
        return session_text
    if session_text[value_start_in(session_text, tree)] == "{":
        raise EditRefused(f"{path}: this session stands in braces; change it by hand")
    key_rows = [] if new_node is None else _head_rows(key, new_node)
    if old_key is None:
        keys_above = [
            head_key for head_key in tree if str(head_key) in HEAD_KEYS[: HEAD_KEYS.index(key)]
        ]
        end_line = max(
            (last_line_of_value(tree[head_key], head_key.line) for head_key in keys_above),
            default=0,
        )
        new_text = replace_rows(session_text, end_line, end_line, key_rows)
    else:
        old_node = tree[old_key]
        end_line = last_line_of_value(old_node, old_key.line)
        if new_node is not None and len(key_rows) == 1 and end_line == old_key.line and old_node:
            # A comment behind the value stays.
            old_row = [line for line, _ in split_rows(session_text)][old_key.line - 1]
            key_rows = [
                f"{old_row[: old_node.column - 1]}{_as_flow_text(new_node)}{old_row[old_node.end_column - 1 :]}"
            ]
        new_text = replace_rows(session_text, old_key.line - 1, end_line, key_rows)
    check_comments(session_text, new_text, path, old_key.line if old_key is not None else 1)

    if old_key is not None:
        del tree[old_key]
    if new_node is not None:
        tree[ScalarNode(key)] = new_node
    return confirm_edit(tree, new_text, path)


def _value_node(value: str | Sequence[str] | Mapping[str, str] | None) -> Value | None:
    if value is None:
        return None
    if isinstance(value, str):
        return ScalarNode(value)
    if isinstance(value, Mapping):
        return MappingNode(
            (ScalarNode(key), ScalarNode(inner_text)) for key, inner_text in value.items()
        )
    return SequenceNode(map(ScalarNode, value))


def _head_rows(key: str, value: Value) -> list[str]:
    if isinstance(value, MappingNode):
        return [
            f"{key}:",
            *(
                f"  {_as_flow_text(key_node)}: {_as_flow_text(inner_value)}"
                for key_node, inner_value in value.items()
            ),
        ]
    if isinstance(value, ScalarNode) and value.endswith("\n"):
        value_lines = value.removesuffix("\n").split("\n")
        return [
            f"{key}: |",
            *(f"  {value_line}" if value_line else "" for value_line in value_lines),
        ]
    return [f"{key}: {_as_flow_text(value)}"]


def _as_flow_text(value: str | Value) -> str:
    return (
        write_scalar(value, in_flow=True)
        if isinstance(value, str)
        else write_flow(plain_data(value))
    )


def publish_as(
    settings_text: str, path: str, player_list_keys: Iterable[str], player_name: str, pseudonym: str
) -> str:
    """Let the settings publish a player under another name.

    Args:
        settings_text: The text of the settings.
        path: Their name.
        player_list_keys: The keys that hold players.
        player_name: The name of the player in the settings.
        pseudonym: The name to publish.

    Raises:
        EditRefused: if the player is not found there, or something else would change.
    """
    settings_text = end_last_line(settings_text)
    tree = tree_of(settings_text, path)
    for key in map(ScalarNode, player_list_keys):
        players_node = tree.get(key, SequenceNode())
        player_seats = (
            players_node if isinstance(players_node, SequenceNode) else SequenceNode([players_node])
        )
        for index, seat in enumerate(player_seats):
            if isinstance(seat, MappingNode) and seat.get(ScalarNode("name")) == player_name:
                splice = option_splice(
                    settings_text,
                    line_starts_of(settings_text),
                    path,
                    seat,
                    "publish as",
                    pseudonym,
                )
                seat_with_pseudonym = MappingNode(
                    {**seat, ScalarNode("publish as"): ScalarNode(pseudonym)}
                )
            elif (
                isinstance(seat, ScalarNode) and seat == player_name and seat.line == seat.end_line
            ):
                start_position = value_start_in(settings_text, seat)
                end_position = start_position + seat.end_column - seat.column
                pair_text = f"publish as: {write_scalar(pseudonym, in_flow=True)}"
                splice = Splice(
                    start_position,
                    end_position,
                    f"{{name: {settings_text[start_position:end_position]}, {pair_text}}}",
                )
                seat_with_pseudonym = MappingNode(
                    {ScalarNode("name"): seat, ScalarNode("publish as"): ScalarNode(pseudonym)}
                )
            else:
                continue
            if isinstance(players_node, SequenceNode):
                players_node[index] = seat_with_pseudonym
            else:
                tree[key] = seat_with_pseudonym
            return confirm_edit(tree, apply_splices(settings_text, [splice]), path)
    raise EditRefused(
        f"{path}: '{player_name}' does not stand alone in the list of players; "
        "write it in brackets, players: [Ana, Bo]"
    )
