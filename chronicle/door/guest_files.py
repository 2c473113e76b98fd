"""A campaign as guests see it: the same as readers of its site, without secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from chronicle.campaigns import for_readers, load, run
from chronicle.export.log import logs, texts_outside_logs

BLANK_PICTURE: Final = '<svg xmlns="http://www.w3.org/2000/svg"/>'
"""The placeholder of a picture: guests see its place and its caption."""


def files_for_guests(folder: Path) -> dict[str, str]:
    """The files of a campaign by name, without anything that is hidden from readers.

    Raises:
        Refused: if the folder contains no readable campaign.
    """
    record = run(for_readers(load(folder, root=folder)), shown=False)
    placeholder_by_file = {
        str(artwork.file.with_suffix(".svg")): BLANK_PICTURE for artwork in record.campaign.art
    }
    return (
        {name: text for name, _, text in logs(record)}
        | dict(texts_outside_logs(record))
        | placeholder_by_file
    )
