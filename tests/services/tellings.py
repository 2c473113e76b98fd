"""Evenings as a table told them, each with the entries that keep it: typed by the docs alone at first, and as
they stand in the log.

A telling begins with the settings of its campaign and a line ``log:``. Then the story, line by line; below
what was told stand its entries: ``-`` as it stands in the log, ``~`` above it as it was typed first,
where that was complained of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from chronicle.core.source import MappingNode
from chronicle.services.writing import as_list_item
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_text import plain_data

EVENINGS = Path(__file__).parent / "evenings"
GAMES = ("universalis", "isolation", "slow-burn", "fight-sphere", "fight-sphere-2", "isolation-2")


class ToldEntry(NamedTuple):
    """An entry of a telling: as YAML, without its dash, and what was typed first, if that was wrong."""

    entry: str
    first: str = ""


class Telling(NamedTuple):
    """One evening: the settings, and what is kept of it."""

    settings: str
    story: str
    kept: tuple[ToldEntry, ...]

    def write(self, home: Path) -> list[dict[str, Any]]:
        """Write its campaign, with the whole log: what was typed of each entry at first, where that was
        wrong; else nothing."""
        self.found(home)
        with (home / "01.yaml").open("a", encoding="utf-8") as log:
            log.writelines(f"{as_list_item(told_entry.entry)}\n" for told_entry in self.kept)
        return [as_read(told_entry.first) for told_entry in self.kept]

    def found(self, folder: Path) -> None:
        """Begin its campaign, with an empty log."""
        folder.mkdir(parents=True)
        (folder / "campaign.yaml").write_text(self.settings, encoding="utf-8")
        (folder / "01.yaml").write_text("session: 1\nlog:\n", encoding="utf-8")


def telling(game: str) -> Telling:
    """The evening of a game."""
    text = (EVENINGS / f"{game}.txt").read_text(encoding="utf-8")
    settings, _, log_text = text.partition("\nlog:\n")
    story: list[str] = []
    told_entries: list[ToldEntry] = []
    first = ""
    for mark, entry in _entries(log_text, story):
        if mark == "~":
            first = entry
        else:
            told_entries.append(ToldEntry(entry, first))
            first = ""
    return Telling(f"{settings}\n", "\n".join(story), tuple(told_entries))


def as_read(entry: str) -> dict[str, Any]:
    """An entry as plain data; of none, nothing."""
    tree = read_text(f"{entry}\n", "").tree if entry else None
    return plain_data(tree) if isinstance(tree, MappingNode) else {}


def _entries(log_text: str, story: list[str]) -> Iterator[tuple[str, str]]:
    """The entries of a telling with their marks; what is told goes into ``story``."""
    rows: list[str] = []
    for row in [*log_text.splitlines(), ""]:
        if row.startswith("  ") and rows:
            rows.append(row[2:])
            continue
        if rows:
            yield rows[0][0], "\n".join([rows[0][2:], *rows[1:]])
            rows = []
        if re.match(r"[-~] ", row):
            rows = [row]
        elif row:
            story.append(row)
