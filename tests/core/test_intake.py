"""Files that people name: whatever lies there, reading it ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chronicle.campaigns import load
from chronicle.core.intake import MOST_BYTES, read_file
from chronicle.core.pictures import MOST as MOST_PICTURE
from chronicle.publish import fingerprint


def sparse(file: Path, size: int) -> Path:
    """A file that claims to hold much, and takes no room."""
    with file.open("wb") as stream:
        stream.truncate(size)
    return file


def test_what_fits_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"x" * 1000)
    assert read_file(file, 1000) == b"x" * 1000
    with pytest.raises(OSError, match="larger than"):
        read_file(file, 999)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_and_a_device_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for file in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="no ordinary file"):
            read_file(file)
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path)


def test_a_huge_file_is_never_read(tmp_path: Path) -> None:
    """20 GB of nothing in every place of a campaign: told, and left alone."""
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: A\nplayers: [A, B, C, D]\n")
    for folder in ("art", "journal", "notes", "characters"):
        (tmp_path / folder).mkdir()
    for name in ("01.yaml", "art/a.png", "art/a.yaml", "journal/a.md", "notes/a.md", "film.mp4"):
        sparse(tmp_path / name, 20 * 1024**3)
    campaign = load(tmp_path)
    told = {Path(one.place.path).name: one.message for one in campaign.diagnostics}
    assert "larger than 16 MB" in told["01.yaml"]
    assert "is no picture" in told["a.png"]
    assert "larger than 1 MB" in told["a.md"]
    assert campaign.art
    first = fingerprint(tmp_path)
    sparse(tmp_path / "film.mp4", 21 * 1024**3)
    assert fingerprint(tmp_path) != first
    assert MOST_BYTES < MOST_PICTURE
