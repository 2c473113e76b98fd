"""The version of the log format, and the migration of older logs.

``format:`` in ``campaign.yaml`` has the version of a campaign; without it, the campaign is older than the
first version. When a spelling is given up, ``FORMAT`` increases, and a :class:`Rewriting` here replaces the
old spelling by the new one. Everything else stays, comments too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import FORMAT
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import MappingNode, ScalarNode
from chronicle.syntax.text_edit import (
    EditRefused,
    Splice,
    checked,
    comments_in,
    entries_in,
    newline_of,
    spliced,
    starts_of,
    tree_of,
)

Rewrite = Callable[[str, str, Rulebook[Any]], str]
"""Rewrites the text of a session, given its path and its game, in the current format."""


class Rewriting(NamedTuple):
    """The change of a version of the format, and the rewriting of older texts. A text in the new format does
    not change."""

    version: int
    description: str
    rewrite: Rewrite


def migrated(
    text: str,
    path: str,
    rules: Rulebook[Any],
    from_version: int,
    steps: Sequence[Rewriting] | None = None,
) -> str:
    """Migrate a session from version ``from_version`` to the current format.

    Raises:
        EditRefused: if it cannot be read, or something would be lost.
    """
    new_text = text
    for step in REWRITINGS if steps is None else steps:
        if step.version > from_version:
            new_text = step.rewrite(new_text, path, rules)
    remaining = comments_in(new_text, path)
    for comment in comments_in(text, path):
        # A comment after text that became a comment is part of that comment now.
        matching = next(
            (candidate for candidate in remaining if comment.strip() in candidate), None
        )
        if matching is None:
            raise EditRefused(f"{path} was left alone: a comment would be lost")
        remaining.remove(matching)
    return new_text


def numbered(text: str, path: str, version: int = FORMAT) -> str:
    """Add the version of the format to settings, or update it."""
    tree = tree_of(text, path)
    key = tree.key("format")
    starts = starts_of(text)
    if key is not None:
        old_version = tree[key]
        if (
            not isinstance(old_version, ScalarNode)
            or old_version.line != key.line
            or not old_version
        ):
            raise EditRefused(f"{path}:{key.line}: 'format' holds no number")
        start = starts[old_version.line - 1]
        splice = Splice(
            start + old_version.column - 1, start + old_version.end_column - 1, str(version)
        )
    else:
        first = next(iter(tree))
        if text[starts[tree.line - 1] + tree.column - 1] == "{":
            insert_at = starts[tree.line - 1] + tree.column
            splice = Splice(insert_at, insert_at, f"format: {version}, ")
        else:
            insert_at = starts[first.line - 1] + first.column - 1
            splice = Splice(insert_at, insert_at, f"format: {version}{newline_of(text)}")

    tree[ScalarNode("format")] = ScalarNode(str(version))
    return checked(tree, spliced(text, [splice]), path)


# -- what changed ----------------------------------------------------------------------------------


def _without_prices(text: str, path: str, rules: Rulebook[Any]) -> str:
    """Turn ``coins:`` beside something without a price into a comment."""
    tree = tree_of(text, path)
    starts = starts_of(text)
    splices: list[Splice] = []
    removals: list[tuple[MappingNode, ScalarNode]] = []
    for entry in entries_in(tree):
        verb = next((rules.by_verb[key] for key in entry if key in rules.by_verb), None)
        key = entry.key("coins")
        if verb is None or key is None or "coins" in verb.fields or len(entry) == 1:
            continue
        value = entry[key]
        if not isinstance(value, ScalarNode) or value.end_line != key.line:
            raise EditRefused(f"{path}:{key.line}: 'coins' holds more than a number; take it out")
        removals.append((entry, key))
        splices += _commented(text, starts, entry, key, value)

    for entry, key in removals:
        del entry[key]
    return checked(tree, spliced(text, splices), path) if removals else text


def _commented(
    text: str, starts: list[int], entry: MappingNode, key: ScalarNode, value: ScalarNode
) -> Iterator[Splice]:
    """Turn an option into a comment: in its place, or above an entry in braces."""
    start = starts[key.line - 1] + key.column - 1
    end = starts[value.end_line - 1] + value.end_column - 1
    entry_start = starts[entry.line - 1] + entry.column - 1
    if text[entry_start : entry_start + 1] != "{":
        yield Splice(start, start, "# ")
        return
    option_text, row = text[start:end], starts[entry.line - 1]
    text_before = text[entry_start:start].rstrip()
    if text_before.endswith(","):
        yield Splice(entry_start + len(text_before) - 1, end, "")
    else:
        text_after = text[end:]
        yield Splice(start, end + len(text_after) - len(text_after.lstrip(", ")), "")
    indent = text[row:].removesuffix(text[row:].lstrip(" "))
    yield Splice(row, row, f"{indent}# {option_text}{newline_of(text)}")


REWRITINGS: Final = (
    Rewriting(
        1,
        "coins: stands beside what has a price, and nowhere else",
        _without_prices,
    ),
)
"""The changes of each version, the oldest first."""
