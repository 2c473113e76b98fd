"""Somebody or something on a card: the sheet that readers see, in short."""

from __future__ import annotations

from typing import Any

from chronicle.core.book import Bars, Facts, Note, Rings, Slips, Stats, Stones
from chronicle.core.names import fold
from chronicle.desk import plain
from chronicle.desk.editor.index import index
from chronicle.desk.room import Opened, Unanswerable

SHORT = (Bars, Facts, Note, Rings, Slips, Stats, Stones)
"""The blocks of a sheet that have room on a card."""


def card(opened: Opened, name: str) -> dict[str, Any]:
    """The card of whoever or whatever has a name or an id, as things stand now."""
    wanted = fold(name)
    for sheet in index(opened).sheets():
        if name == sheet.id or wanted in map(fold, sheet.names):
            blocks = [one for one in (*sheet.blocks, *sheet.aside) if isinstance(one, SHORT)]
            return {
                "name": sheet.name,
                "kind": sheet.kind,
                "status": sheet.status,
                "tagline": sheet.tagline,
                "player": sheet.player,
                "blocks": plain.blocks(blocks, opened.speller()),
            }
    record = opened.resident.record
    named = record.names.all.get(name) if record is not None else None
    if named is None:
        raise Unanswerable(f"nothing is called '{name}'")
    owner, _, own = name.rpartition(": ")
    if owner and own:
        # What somebody has stands on their sheet.
        return card(opened, owner)
    made = {"name": named.name, "kind": named.kind, "status": "", "tagline": "", "player": ""}
    return made | {"blocks": []}
