"""The version of the log format, and the migration of older logs.

``format:`` in ``campaign.yaml`` has the version of a campaign; without it, the campaign is older than the
first version. When a spelling is given up, ``LOG_FORMAT_VERSION`` increases, and a :class:`Rewriting` here replaces the
old spelling by the new one. Everything else stays, comments too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import LOG_FORMAT_VERSION
from chronicle.core.game import Game
from chronicle.core.source import MappingNode, ScalarNode
from chronicle.syntax.text_edit import (
    EditRefused,
    Splice,
    apply_splices,
    comments_in,
    confirm_edit,
    entries_in,
    line_starts_of,
    newline_of,
    tree_of,
)

RewriteText = Callable[[str, str, Game[Any]], str]
"""Rewrites the text of a session, given its path and its game, in the current format."""


class Rewriting(NamedTuple):
    """The change of a version of the format, and the rewriting of older texts. A text in the new format does
    not change."""

    version: int
    description: str
    rewrite: RewriteText


def migrate_text(
    session_text: str,
    path: str,
    game: Game[Any],
    old_version: int,
    rewritings: Sequence[Rewriting] | None = None,
) -> str:
    """Migrate a session from version ``old_version`` to the current format.

    Raises:
        EditRefused: if it cannot be read, or something would be lost.
    """
    new_text = session_text
    for rewriting in REWRITINGS if rewritings is None else rewritings:
        if rewriting.version > old_version:
            new_text = rewriting.rewrite(new_text, path, game)
    remaining_comments = comments_in(new_text, path)
    for comment in comments_in(session_text, path):
        # A comment after text that became a comment is part of that comment now.
        matching_comment = next(
            (
                remaining_comment
                for remaining_comment in remaining_comments
                if comment.strip() in remaining_comment
            ),
            None,
        )
        if matching_comment is None:
            raise EditRefused(f"{path} was left alone: a comment would be lost")
        remaining_comments.remove(matching_comment)
    return new_text


def set_format_version(settings_text: str, path: str, version: int = LOG_FORMAT_VERSION) -> str:
    """Add the version of the format to settings, or update it."""
    settings_tree = tree_of(settings_text, path)
    format_key = settings_tree.key("format")
    line_starts = line_starts_of(settings_text)
    if format_key is not None:
        old_version = settings_tree[format_key]
        if (
            not isinstance(old_version, ScalarNode)
            or old_version.line != format_key.line
            or not old_version
        ):
            raise EditRefused(f"{path}:{format_key.line}: 'format' holds no number")
        line_start = line_starts[old_version.line - 1]
        splice = Splice(
            line_start + old_version.column - 1,
            line_start + old_version.end_column - 1,
            str(version),
        )
    else:
        first_key = next(iter(settings_tree))
        if settings_text[line_starts[settings_tree.line - 1] + settings_tree.column - 1] == "{":
            insert_position = line_starts[settings_tree.line - 1] + settings_tree.column
            splice = Splice(insert_position, insert_position, f"format: {version}, ")
        else:
            insert_position = line_starts[first_key.line - 1] + first_key.column - 1
            splice = Splice(
                insert_position, insert_position, f"format: {version}{newline_of(settings_text)}"
            )

    settings_tree[ScalarNode("format")] = ScalarNode(str(version))
    return confirm_edit(settings_tree, apply_splices(settings_text, [splice]), path)


# -- what changed ----------------------------------------------------------------------------------


def _comment_out_unpriced_coins(session_text: str, path: str, game: Game[Any]) -> str:
    """Turn ``coins:`` beside something without a price into a comment."""
    session_tree = tree_of(session_text, path)
    line_starts = line_starts_of(session_text)
    splices: list[Splice] = []
    coins_to_remove: list[tuple[MappingNode, ScalarNode]] = []
    for entry in entries_in(session_tree):
        action_class = next((game.by_verb[key] for key in entry if key in game.by_verb), None)
        coins_key = entry.key("coins")
        if (
            action_class is None
            or coins_key is None
            or "coins" in action_class.fields
            or len(entry) == 1
        ):
            continue
        value = entry[coins_key]
        if not isinstance(value, ScalarNode) or value.end_line != coins_key.line:
            raise EditRefused(
                f"{path}:{coins_key.line}: 'coins' holds more than a number; take it out"
            )
        coins_to_remove.append((entry, coins_key))
        splices += _splices_to_comment_out(session_text, line_starts, entry, coins_key, value)

    for entry, coins_key in coins_to_remove:
        del entry[coins_key]
    return (
        confirm_edit(session_tree, apply_splices(session_text, splices), path)
        if coins_to_remove
        else session_text
    )


def _splices_to_comment_out(
    session_text: str,
    line_starts: list[int],
    entry: MappingNode,
    option_key: ScalarNode,
    option_value: ScalarNode,
) -> Iterator[Splice]:
    """Turn an option into a comment: in its place, or above an entry in braces."""
    option_start = line_starts[option_key.line - 1] + option_key.column - 1
    option_end = line_starts[option_value.end_line - 1] + option_value.end_column - 1
    entry_start = line_starts[entry.line - 1] + entry.column - 1
    if session_text[entry_start : entry_start + 1] != "{":
        yield Splice(option_start, option_start, "# ")
        return
    option_text, entry_line_start = (
        session_text[option_start:option_end],
        line_starts[entry.line - 1],
    )
    text_before = session_text[entry_start:option_start].rstrip()
    if text_before.endswith(","):
        yield Splice(entry_start + len(text_before) - 1, option_end, "")
    else:
        text_after = session_text[option_end:]
        yield Splice(option_start, option_end + len(text_after) - len(text_after.lstrip(", ")), "")
    indent = session_text[entry_line_start:].removesuffix(
        session_text[entry_line_start:].lstrip(" ")
    )
    yield Splice(
        entry_line_start, entry_line_start, f"{indent}# {option_text}{newline_of(session_text)}"
    )


REWRITINGS: Final = (
    Rewriting(
        1,
        "coins: stands beside what has a price, and nowhere else",
        _comment_out_unpriced_coins,
    ),
)
"""The changes of each version, the oldest first."""
