"""A campaign as guests see it: what readers of its site would, and nothing that is still secret."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from chronicle.campaigns import for_readers, load, run
from chronicle.export.log import logs, texts

BLANK: Final = '<svg xmlns="http://www.w3.org/2000/svg"/>'
"""The stand-in for a picture: guests learn that there is one, and read its caption."""


def lent(folder: Path) -> dict[str, str]:
    """The files of a campaign by their names, without anything that is hidden from readers.

    Raises:
        Refused: if the folder holds no campaign that can be read.
    """
    record = run(for_readers(load(folder, root=folder)), shown=False)
    pictures = {str(art.file.with_suffix(".svg")): BLANK for art in record.campaign.art}
    return {name: text for name, _, text in logs(record)} | dict(texts(record)) | pictures
