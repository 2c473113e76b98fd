"""The version of the format, and what brings an older log up to it.

``format:`` in ``campaign.yaml`` says in which version a campaign is written; without it, it is from before
versions were counted. When a spelling goes out of use, ``FORMAT`` counts up, and a :class:`Rewriting` here
puts the new one where the old one stood. Whatever else the files hold stays, comments too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import FORMAT
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import Entries, Items, Value, Word
from chronicle.transcript.edit import (
    EditRefused,
    Splice,
    checked,
    comments_in,
    newline_of,
    spliced,
    starts_of,
    tree_of,
)

Rewrite = Callable[[str, str, Rulebook[Any]], str]
"""The text of a session, its path and the game that is played, to the text as it is written now."""


class Rewriting(NamedTuple):
    """What changed with a version of the format, and how older texts are rewritten. Texts that are written
    so already stay as they are."""

    version: int
    told: str
    rewrite: Rewrite


def migrated(
    text: str, path: str, rules: Rulebook[Any], since: int, steps: Sequence[Rewriting] | None = None
) -> str:
    """A session that was written in version ``since`` as it is written now.

    Raises:
        EditRefused: when it cannot be read, or something would be lost.
    """
    after = text
    for step in REWRITINGS if steps is None else steps:
        if step.version > since:
            after = step.rewrite(after, path, rules)
    left = comments_in(after, path)
    for comment in comments_in(text, path):
        # Behind what has become a comment it stands within that.
        kept = next((one for one in left if comment.strip() in one), None)
        if kept is None:
            raise EditRefused(f"{path} was left alone: a comment would be lost")
        left.remove(kept)
    return after


def numbered(text: str, path: str, version: int = FORMAT) -> str:
    """Settings that say in which version of the format their campaign is written."""
    tree = tree_of(text, path)
    key = tree.key("format")
    starts = starts_of(text)
    if key is not None:
        old = tree[key]
        if not isinstance(old, Word) or old.line != key.line or not old:
            raise EditRefused(f"{path}:{key.line}: 'format' holds no number")
        start = starts[old.line - 1]
        splice = Splice(start + old.column - 1, start + old.end_column - 1, str(version))
    else:
        first = next(iter(tree))
        if text[starts[tree.line - 1] + tree.column - 1] == "{":
            at = starts[tree.line - 1] + tree.column
            splice = Splice(at, at, f"format: {version}, ")
        else:
            at = starts[first.line - 1] + first.column - 1
            splice = Splice(at, at, f"format: {version}{newline_of(text)}")

    def wanted(settings: Entries) -> None:
        settings[Word("format")] = Word(str(version))

    return checked(tree, spliced(text, [splice]), path, wanted)


# -- what changed ----------------------------------------------------------------------------------


def _without_prices(text: str, path: str, rules: Rulebook[Any]) -> str:
    """``coins:`` beside what has no price: a comment says what was stated there."""
    tree = tree_of(text, path)
    starts = starts_of(text)
    splices: list[Splice] = []
    found: list[tuple[Entries, Word]] = []
    for entry in _entries(tree):
        verb = next((rules.by_verb[key] for key in entry if key in rules.by_verb), None)
        key = entry.key("coins")
        if verb is None or key is None or "coins" in verb.fields or len(entry) == 1:
            continue
        value = entry[key]
        if not isinstance(value, Word) or value.end_line != key.line:
            raise EditRefused(f"{path}:{key.line}: 'coins' holds more than a number; take it out")
        found.append((entry, key))
        splices += _commented(text, starts, entry, key, value)

    def wanted(_: Entries) -> None:
        for entry, key in found:
            del entry[key]

    return checked(tree, spliced(text, splices), path, wanted) if found else text


def _commented(
    text: str, starts: list[int], entry: Entries, key: Word, value: Word
) -> Iterator[Splice]:
    """How an option becomes a comment: where it stands, or above an entry in braces."""
    at = starts[key.line - 1] + key.column - 1
    end = starts[value.end_line - 1] + value.end_column - 1
    opens = starts[entry.line - 1] + entry.column - 1
    if text[opens : opens + 1] != "{":
        yield Splice(at, at, "# ")
        return
    said, row = text[at:end], starts[entry.line - 1]
    before = text[opens:at].rstrip()
    if before.endswith(","):
        yield Splice(opens + len(before) - 1, end, "")
    else:
        rest = text[end:]
        yield Splice(at, end + len(rest) - len(rest.lstrip(", ")), "")
    indent = text[row:].removesuffix(text[row:].lstrip(" "))
    yield Splice(row, row, f"{indent}# {said}{newline_of(text)}")


def _entries(value: Value) -> Iterator[Entries]:
    """Every mapping of a file that may be an entry, however deep."""
    if isinstance(value, Items):
        for item in value:
            if isinstance(item, Entries):
                yield item
            yield from _entries(item)
    elif isinstance(value, Entries):
        for item in value.values():
            yield from _entries(item)


REWRITINGS: Final = (
    Rewriting(
        1,
        "coins: stands beside what has a price, and nowhere else",
        _without_prices,
    ),
)
"""What changed with each version, the oldest first."""
