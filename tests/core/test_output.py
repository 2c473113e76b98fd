"""What is written goes where it was sent, and touches nothing that somebody else put there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from chronicle.core.edits import finish_interrupted_edit
from chronicle.core.files import EDIT_FOLDER, digest
from chronicle.core.output import (
    MARKER_FILE_NAME,
    OutputRefused,
    check_fillable,
    fill_folder,
    listed_files,
    mark_all_files,
)
from tests.core.faults import Killed, counted, faulty, killing

pytestmark = pytest.mark.platform

FIRST = {"index.html": b"one", "a/b/page.html": b"two", "gone/x.html": b"three"}
SECOND = {"index.html": b"ONE", "a/b/page.html": b"two", "new/y.html": b"four"}

links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


def held(folder: Path) -> dict[str, bytes]:
    paths = (file for file in folder.rglob("*") if file.is_file())
    named = {file.relative_to(folder).as_posix(): file.read_bytes() for file in paths}
    return {name: data for name, data in named.items() if name != MARKER_FILE_NAME}


def test_a_folder_is_filled_again(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    done = fill_folder(out, FIRST)
    assert held(out) == FIRST
    assert {file.name for file in done.written} == {"index.html", "page.html", "x.html"}
    (out / ".nojekyll").write_bytes(b"")
    (out / "mine.txt").write_bytes(b"mine")
    done = fill_folder(out, SECOND)
    assert held(out) == {**SECOND, ".nojekyll": b"", "mine.txt": b"mine"}
    assert [file.name for file in done.written] == ["index.html", "y.html"]
    assert [file.name for file in done.removed] == ["x.html"]
    assert not (out / "gone").exists()
    assert not (out / EDIT_FOLDER).exists()


def test_what_somebody_changed_is_kept(tmp_path: Path) -> None:
    fill_folder(tmp_path / "out", FIRST)
    changed = tmp_path / "out" / "index.html"
    changed.write_bytes(b"mine")
    (tmp_path / "out" / "gone" / "x.html").write_bytes(b"mine as well")
    files_before = held(tmp_path / "out")
    with pytest.raises(OutputRefused, match=r"'.*index.html' is there already"):
        fill_folder(tmp_path / "out", SECOND)
    assert held(tmp_path / "out") == files_before
    changed.unlink()
    fill_folder(tmp_path / "out", SECOND)
    assert held(tmp_path / "out") == {**SECOND, "gone/x.html": b"mine as well"}


@pytest.mark.parametrize("marker", [None, b"", b"nonsense\n", b"\xff", b"sum  ../../x\n"])
def test_a_folder_of_others_is_refused(marker: bytes | None, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(b"mine")
    if marker is not None:
        (tmp_path / MARKER_FILE_NAME).write_bytes(marker)
    with pytest.raises(OutputRefused, match="did not put there"):
        fill_folder(tmp_path, SECOND)
    assert held(tmp_path) == {"index.html": b"mine"}
    assert not (tmp_path / EDIT_FOLDER).exists()


def test_neither_a_file_nor_the_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(OutputRefused, match="is no folder"):
        check_fillable(tmp_path / "file")
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr(Path, "home", lambda: home)
    with pytest.raises(OutputRefused, match="your own folder"):
        fill_folder(home, FIRST)
    assert held(home) == {}


@pytest.mark.parametrize(
    "name", ["../outside", "/outside", "a/../../outside", "C:/outside", "..\\outside"]
)
def test_a_forged_marker_reaches_nothing_outside(name: str, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"old")
    out = tmp_path / "out"
    fill_folder(out, FIRST)
    with (out / MARKER_FILE_NAME).open("a", encoding="utf-8") as file:
        file.write(f"{digest(b'old')}  {name}\n")
        file.write(f"{digest(b'old')}  {(tmp_path / 'outside').as_posix()}\n")
    assert set(listed_files(out)) == set(FIRST)
    fill_folder(out, SECOND)
    assert (tmp_path / "outside").read_bytes() == b"old"


@links
def test_no_link_is_followed(tmp_path: Path) -> None:
    """Not the marker, not a file, not a folder on the way to one."""
    their_folder = tmp_path / "theirs"
    fill_folder(their_folder, FIRST)
    files_before = held(their_folder)
    out = tmp_path / "out"
    out.mkdir()
    (out / MARKER_FILE_NAME).symlink_to(their_folder / MARKER_FILE_NAME)
    assert listed_files(out) == {}
    fill_folder(out, {"x": b"x"})
    assert not (out / MARKER_FILE_NAME).is_symlink()
    assert set(listed_files(their_folder)) == set(FIRST)
    for name, target in (("index.html", their_folder / "index.html"), ("a", their_folder / "a")):
        output = tmp_path / f"other-{name}"
        fill_folder(output, {"x": b"x"})
        (output / name).symlink_to(target)
        with (output / MARKER_FILE_NAME).open("a", encoding="utf-8") as file:
            file.writelines(f"{digest(data)}  {key}\n" for key, data in FIRST.items())
        with pytest.raises(OutputRefused, match="behind a link"):
            fill_folder(output, SECOND)
    dangling = tmp_path / "dangling"
    fill_folder(dangling, {"x": b"x"})
    (dangling / "index.html").symlink_to(tmp_path / "nowhere")
    with pytest.raises(OutputRefused, match="behind a link"):
        fill_folder(dangling, SECOND)
    assert held(their_folder) == files_before
    assert not (tmp_path / "nowhere").exists()


def test_killed_at_every_step_it_can_be_filled_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill_folder(out, FIRST)
    total = counted(lambda: fill_folder(out, SECOND))
    for at in range(1, total + 1):
        fill_folder(out, FIRST)
        with faulty(killing(at)), pytest.raises(Killed):
            fill_folder(out, SECOND)
        files_seen = {name: data for name, data in held(out).items() if EDIT_FOLDER not in name}
        for name, data in files_seen.items():
            assert data in (FIRST.get(name), SECOND.get(name)), at
        if at % 2:
            finish_interrupted_edit(out)
        fill_folder(out, SECOND)
        assert held(out) == SECOND, at
        assert not (out / EDIT_FOLDER).exists()


def test_a_full_disk_leaves_all_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill_folder(out, FIRST)
    total = counted(lambda: fill_folder(out, SECOND))
    for at in range(1, total + 1):
        fill_folder(out, FIRST)

        def full(number: int, name: str, at: int = at) -> None:
            if number >= at and name in ("before open", "before write", "before mkdir"):
                raise OSError(28, "No space left on device")

        try:
            with faulty(full):
                fill_folder(out, SECOND)
        except OSError as error:
            assert error.errno == 28
            assert EDIT_FOLDER not in str(error.filename)
        assert not (out / EDIT_FOLDER).exists()
        fill_folder(out, SECOND)
        assert held(out) == SECOND


def test_what_another_program_built_can_be_marked(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(b"x")
    mark_all_files(tmp_path)
    assert set(listed_files(tmp_path)) == {"index.html"}
    fill_folder(tmp_path, SECOND)
    assert held(tmp_path) == SECOND
