"""A campaign as guests see it: what readers of its site would, and nothing that is still secret."""

from __future__ import annotations

from pathlib import Path

from chronicle.campaigns import for_readers, load, run
from chronicle.export.log import logs, texts


def lent(folder: Path) -> dict[str, str]:
    """The files of a campaign without what is held back, by their names."""
    record = run(for_readers(load(folder, root=folder)), shown=False)
    return {name: text for name, _, text in logs(record)} | dict(texts(record))
