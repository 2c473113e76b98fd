"""Files that people name: whatever lies there, reading it ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chronicle.campaigns import load
from chronicle.core import diagnostic, figures, names, odds
from chronicle.core.file_reading import MOST_BYTES, read_file
from chronicle.core.pictures import MAX_PICTURE_BYTES as MOST_PICTURE
from chronicle.publish import fingerprint
from chronicle.syntax import bundle, campaign_files, decode, page_files, reader, settings_file
from tests.conftest import ROOT


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
    for inner in ("art", "journal", "notes", "characters"):
        (tmp_path / inner).mkdir()
    for name in ("01.yaml", "art/a.png", "art/a.yaml", "journal/a.md", "notes/a.md", "film.mp4"):
        sparse(tmp_path / name, 20 * 1024**3)
    campaign = load(tmp_path)
    messages = {Path(problem.place.path).name: problem.message for problem in campaign.diagnostics}
    assert "larger than 16 MB" in messages["01.yaml"]
    assert "is no picture" in messages["a.png"]
    assert "larger than 1 MB" in messages["a.md"]
    assert campaign.art
    first = fingerprint(tmp_path)
    sparse(tmp_path / "film.mp4", 21 * 1024**3)
    assert fingerprint(tmp_path) != first
    assert MOST_BYTES < MOST_PICTURE


def test_the_bounds_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "promises.md").read_text("utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")]
    stated = [row[1] for row in rows if len(row) > 2 and row[1][0].isdigit()]
    assert stated == [
        f"{MOST_BYTES // 1024**2} MB",
        f"{reader.MOST_SCALAR // 1024} kB",
        f"{page_files.MOST_PAGE_BYTES // 1024**2} MB",
        f"{MOST_PICTURE // 1024**2} MB",
        f"{campaign_files.MOST_FILES:,}",
        f"{bundle.MOST_PACKED_BYTES // 1024**2} MB, {bundle.MOST_UNPACKED_BYTES // 1024**2} MB",
        f"{bundle.MOST_CAMPAIGNS}",
        f"{reader.MOST_DEPTH} deep",
        f"{reader.MOST_ALIASED:,}",
        f"{decode.MOST_ENTRIES:,}",
        f"{settings_file.MAX_PLAYERS}",
        f"{figures.MAX_NAME_LETTERS:,}",
        f"{figures.MOST_DIGITS}",
        f"{names.MOST_GUESSES}",
        f"{diagnostic.LONGEST_COMPARED_WORD}",
        f"{odds.MOST_DICE}",
    ]


def test_what_is_too_much_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One finding that says what to do, and what is within the bounds is read."""
    monkeypatch.setattr(decode, "MOST_ENTRIES", 3)
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: A\nplayers: [A, B, C, D]\n")
    log = f"- gap:\n- gap:\n- tell: x\n  by: {'y' * 1001}\n- tell: z\n"
    (tmp_path / "01.yaml").write_text(f"session: 1\nlog:\n{log}")
    campaign = load(tmp_path)
    assert len(campaign.sessions[0].actions) == 3
    assert {problem.code: problem.help[0] for problem in campaign.diagnostics} == {
        "T5": "split the log into several sessions",
        "T20": "give it a short name, and tell the rest under  text:",
    }
    monkeypatch.undo()
    many_rules = ", ".join(f"P{n}" for n in range(101))
    (tmp_path / "campaign.yaml").write_text(f"game: positive\ntitle: A\nplayers: [{many_rules}]\n")
    for settings, code in ((f"[{many_rules}]", "T5"), ("[]", "T23")):
        (tmp_path / "campaign.yaml").write_text(f"game: positive\ntitle: A\nplayers: {settings}\n")
        with pytest.raises(campaign_files.CampaignUnreadable) as refused:
            load(tmp_path)
        assert [problem.code for problem in refused.value.diagnostics] == [code]
