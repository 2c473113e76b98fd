"""Writing: all of the new text, or all of the old."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chronicle.core.files import write_all, write_bytes, write_text


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a"
    write_text(file, "one\r\ntwo é\n")
    assert file.read_bytes() == "one\r\ntwo é\n".encode()
    write_bytes(file, b"three")
    assert file.read_bytes() == b"three"
    assert [f.name for f in tmp_path.iterdir()] == ["a"]


def test_permissions_stay(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("x")
    file.chmod(0o640)
    write_text(file, "y")
    assert file.stat().st_mode & 0o777 == 0o640
    mask = os.umask(0)
    os.umask(mask)
    write_text(tmp_path / "b", "z")
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "y")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "y"


def test_several_files_change_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {tmp_path / name: name.encode() for name in "abc"}
    write_all(files)
    assert [file.read_bytes() for file in files] == [b"a", b"b", b"c"]
    with pytest.raises(OSError):
        write_all({tmp_path / "a": b"new", tmp_path / "no" / "such": b"x"})
    moves = Path.replace
    count = 0

    def fails_at_the_third(self: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count == 3:
            raise OSError(28, "No space left on device")
        return moves(self, target)

    monkeypatch.setattr(Path, "replace", fails_at_the_third)
    fresh = dict.fromkeys([*files, tmp_path / "d"], b"new")
    with pytest.raises(OSError, match="No space"):
        write_all(fresh)
    assert {f.name: f.read_bytes() for f in tmp_path.iterdir()} == {"a": b"a", "b": b"b", "c": b"c"}


def test_a_new_file_goes_again_when_the_next_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = Path.replace

    def fails_at_b(self: Path, target: Path) -> Path:
        if target.name == "b":
            raise OSError(28, "No space left on device")
        return moves(self, target)

    monkeypatch.setattr(Path, "replace", fails_at_b)
    with pytest.raises(OSError, match="No space"):
        write_all({tmp_path / "a": b"x", tmp_path / "b": b"y"})
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_old_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_text(file, "new")
    assert file.read_text() == "old"
    assert [f.name for f in tmp_path.iterdir()] == ["a"]
    monkeypatch.undo()
    with pytest.raises(OSError):
        write_text(tmp_path / "no" / "such", "x")


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes there")
def test_no_half_file_is_left_where_there_is_no_room(tmp_path: Path) -> None:
    code = (
        "import resource, sys\nfrom pathlib import Path\n"
        "from chronicle.core.files import write_bytes\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n    write_bytes(Path(sys.argv[1]), b'x' * 100_000)\n"
        "except OSError as error:\n    print(error.strerror)"
    )
    (tmp_path / "a").write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a")], capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout == "File too large\n"
    assert [f.name for f in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"
