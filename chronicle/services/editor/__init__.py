"""What an editor asks while somebody types: who is meant here, what stands where, what fits, what to change.

Lines and columns count from 1, columns in characters; an end column is exclusive. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chronicle.campaigns import find_campaigns
from chronicle.campaigns import relaxed_gc as relaxed_gc
from chronicle.syntax.find import SETTINGS_FILE


def campaign_around(file: Path) -> Path | None:
    """The folder of the campaign that a file belongs to; None for files elsewhere."""
    for folder in file.parents[:2]:
        if (folder / SETTINGS_FILE).is_file():
            return folder.resolve()
    return None


def campaigns_below(folder: Path) -> Iterator[Path]:
    """The folders of the campaigns at or below a folder."""
    return (campaign.resolve() for campaign in find_campaigns(folder))
