"""Cards: a short form of the sheet of a person or object."""

from __future__ import annotations

from typing import Any

from chronicle.core.campaign_view import Bars, Facts, Note, Rings, Slips, Stats, Stones
from chronicle.core.names import fold
from chronicle.services import block_data
from chronicle.services.editor.index import index_of
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable

CARD_BLOCKS = (Bars, Facts, Note, Rings, Slips, Stats, Stones)
"""The kinds of blocks that fit on a card."""


def card_of(opened: OpenCampaign, name_or_id: str) -> dict[str, Any]:
    """The card of a subject, given by name or id, in its present state."""
    folded_name = fold(name_or_id)
    for sheet in index_of(opened).sheets():
        if name_or_id == sheet.id or folded_name in map(fold, sheet.names):
            card_blocks = [
                block for block in (*sheet.blocks, *sheet.aside) if isinstance(block, CARD_BLOCKS)
            ]
            return {
                "name": sheet.name,
                "kind": sheet.kind,
                "status": sheet.status,
                "tagline": sheet.tagline,
                "player": sheet.player,
                "blocks": block_data.blocks_data(card_blocks, opened.name_marker()),
            }
    record = opened.workspace.record
    subject = record.names.all.get(name_or_id) if record is not None else None
    if subject is None:
        raise Unanswerable(f"nothing is called '{name_or_id}'")
    owner, _, possession = name_or_id.rpartition(": ")
    if owner and possession:
        # A possession is shown on the sheet of its owner.
        return card_of(opened, owner)
    short_card = {
        "name": subject.name,
        "kind": subject.kind,
        "status": "",
        "tagline": "",
        "player": "",
    }
    return short_card | {"blocks": []}
