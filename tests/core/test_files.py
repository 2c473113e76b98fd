"""One file: written whole, replaced only while it holds what was read."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chronicle.core import files
from chronicle.core.edits import write_bytes
from chronicle.core.files import EditConflict, move_into_place

pytestmark = pytest.mark.platform


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a"
    write_bytes(file, "one\r\ntwo é\rthree\n".encode())
    assert file.read_bytes() == "one\r\ntwo é\rthree\n".encode()
    write_bytes(file, b"three", file.read_bytes())
    assert file.read_bytes() == b"three"
    assert [f.name for f in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions there")
def test_permissions_stay(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("x")
    file.chmod(0o640)
    write_bytes(file, b"y", b"x")
    assert file.stat().st_mode & 0o777 == 0o640
    mask = os.umask(0)
    os.umask(mask)
    write_bytes(tmp_path / "b", b"z")
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_bytes(tmp_path / "link", b"y", b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "y"


def test_what_is_there_is_not_overwritten_unread(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"mine")
    with pytest.raises(EditConflict, match="is there already"):
        write_bytes(file, b"new")
    with pytest.raises(EditConflict, match="changed meanwhile"):
        write_bytes(file, b"new", b"old")
    file.unlink()
    with pytest.raises(EditConflict, match="is gone"):
        write_bytes(file, b"new", b"old")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError, match="x"):
        write_bytes(tmp_path / "no" / "x", b"new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("exchanging", [True, False])
def test_without_an_exchange_it_works_as_well(
    exchanging: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not exchanging:
        monkeypatch.setattr(files, "_exchange_files", lambda *_: False)
    (tmp_path / "a").write_bytes(b"old")
    write_bytes(tmp_path / "a", b"new", b"old")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert [f.name for f in tmp_path.iterdir()] == ["a"]


def test_a_disk_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", unknown)
    write_bytes(tmp_path / "a", b"x")
    assert (tmp_path / "a").read_bytes() == b"x"
    with pytest.raises(EditConflict):
        write_bytes(tmp_path / "a", b"y")


class InUse(PermissionError):
    """What Windows says of a file that somebody has open."""

    winerror = 32


@pytest.mark.parametrize("busy", [3, 99])
def test_a_file_that_is_open_is_waited_for(
    busy: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Windows has it: a while later it works, or the old text stands unharmed."""
    tries = 0
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        nonlocal tries
        if Path(target).name == "a":
            tries += 1
            if tries <= busy:
                raise InUse(13, "The process cannot access the file")
        real(source, target)

    monkeypatch.setattr(files, "_exchange_files", lambda *_: False)
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    (tmp_path / "a").write_bytes(b"old")
    if busy == 3:
        write_bytes(tmp_path / "a", b"new", b"old")
        assert (tmp_path / "a").read_bytes() == b"new"
    else:
        with pytest.raises(PermissionError, match=r"'.*a'"):
            write_bytes(tmp_path / "a", b"new", b"old")
        assert (tmp_path / "a").read_bytes() == b"old"
        assert tries < 10
    assert [f.name for f in tmp_path.iterdir()] == ["a"]


def test_other_refusals_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: float) -> None:
        raise AssertionError

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(time, "sleep", never)
    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(PermissionError):
        move_into_place(tmp_path / "a", tmp_path / "b")


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes there")
def test_no_half_file_is_left_where_there_is_no_room(tmp_path: Path) -> None:
    code = (
        "import resource, sys\nfrom pathlib import Path\n"
        "from chronicle.core.edits import write_bytes\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n    write_bytes(Path(sys.argv[1]), b'x' * 100_000, b'old')\n"
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
