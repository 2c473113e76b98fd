"""An edit of several files: all of it or nothing, whatever happens, and whenever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chronicle.core import edits, files
from chronicle.core.edits import (
    edit,
    finish_interrupted_edit,
    is_interrupted,
    pending_contents,
    read_as_finished,
)
from chronicle.core.files import EDIT_FOLDER, ContentChange, EditConflict, read_if_exists
from tests.core.faults import Killed, counted, failing, faulty, killing

pytestmark = pytest.mark.platform

OLD = {"a": b"a\r\nold", "b": b"b old", "gone": b"goes away"}
NEW = {"a": b"a\r\nnew", "b": b"b new", "sub/deeper/c": b"c new"}
CHANGES = {"a", "b", "sub/deeper/c", "gone"}


def held(folder: Path) -> dict[str, bytes]:
    """Every file, hidden ones too."""
    paths = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in paths}


def clean(folder: Path) -> bool:
    """Whether nothing is left behind, not even an empty folder."""
    return not (folder / EDIT_FOLDER).exists() and (
        (folder / "sub").exists() == (folder / "sub" / "deeper" / "c").exists()
    )


@pytest.fixture(params=["exchanging", "replacing"])
def home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files, on systems that can exchange two files and on those that cannot."""
    if request.param == "replacing":
        monkeypatch.setattr(files, "_exchange_files", lambda *_: False)
    return fresh(tmp_path / "home")


def fresh(home: Path) -> Path:
    home.mkdir(exist_ok=True)
    for name, data in OLD.items():
        (home / name).write_bytes(data)
    return home


def change(home: Path) -> None:
    names = sorted(CHANGES)
    edit(home, [ContentChange(home / name, OLD.get(name), NEW.get(name)) for name in names])


def restored(home: Path) -> Path:
    """The folder as it was at first."""
    for name in CHANGES:
        (home / name).unlink(missing_ok=True)
    for folder in ("sub/deeper", "sub"):
        if (home / folder).is_dir():
            (home / folder).rmdir()
    return fresh(home)


def test_an_edit_is_done(home: Path) -> None:
    change(home)
    assert held(home) == NEW
    assert clean(home)
    assert finish_interrupted_edit(home) is None
    assert pending_contents(home) == {}


def test_killed_at_every_step_it_is_finished_or_taken_back(home: Path) -> None:
    total = counted(lambda: change(home))
    assert total > 50
    ends = set()
    for at in range(1, total + 1):
        restored(home)
        with faulty(killing(at)), pytest.raises(Killed):
            change(home)
        contents = {**{k: v for k, v in held(home).items() if not k.startswith(EDIT_FOLDER)}}
        overlaid = {
            f.relative_to(home).as_posix(): data for f, data in pending_contents(home).items()
        }
        read_as = {name: data for name, data in (contents | overlaid).items() if data is not None}
        assert read_as in (OLD, NEW), at
        assert is_interrupted(home) == bool(
            {"journal", "journal.back"} & {f.name for f in home.glob(f"{EDIT_FOLDER}/*")}
        )
        message = finish_interrupted_edit(home)
        assert held(home) in (OLD, NEW), at
        assert clean(home), at
        if overlaid:
            assert read_as == held(home)
            assert message is not None
            assert "is finished now" in message
        ends.add(held(home) == NEW)
    assert ends == {True, False}


def test_killed_while_it_is_finished_it_is_finished_again(home: Path) -> None:
    """And killed while it is taken back, it is taken back."""
    with faulty(lambda number, name: None) as steps:
        change(home)
    middle = steps.count // 2
    for at in range(1, 200):
        restored(home)
        with faulty(killing(middle)), pytest.raises(Killed):
            change(home)
        try:
            with faulty(killing(at)) as second:
                finish_interrupted_edit(home)
        except Killed:
            finish_interrupted_edit(home)
        assert held(home) in (OLD, NEW), at
        assert clean(home)
        if at > second.count:
            return
    raise AssertionError


def test_killed_while_it_is_taken_back(home: Path) -> None:
    total = counted(lambda: change(home))

    def fails_then_dies(first: int, later: int) -> Callable[[int, str], None]:
        def fault(number: int, name: str) -> None:
            if number == first:
                raise OSError(28, "No space left on device")
            if number == first + later:
                raise Killed

        return fault

    for first in range(total // 2, total, 3):
        for later in range(1, 40, 2):
            restored(home)
            with faulty(fails_then_dies(first, later)), pytest.raises((OSError, Killed)):
                change(home)
                raise Killed
            finish_interrupted_edit(home)
            assert held(home) in (OLD, NEW), (first, later)
            assert clean(home)


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), PermissionError(13, "no"), KeyboardInterrupt]
)
def test_what_fails_at_any_step_is_taken_back_at_once(
    error: type[BaseException] | OSError, home: Path
) -> None:
    total = counted(lambda: change(home))
    for at in range(1, total + 1):
        restored(home)
        done = False
        with faulty(failing(at, error)):
            try:
                change(home)
                done = True
            except (OSError, KeyboardInterrupt):
                pass
        # Only what tidies up may fail without a word, and is done the next time.
        finish_interrupted_edit(home)
        assert held(home) == (NEW if done else held(home)), at
        assert held(home) in (OLD, NEW), at
        assert clean(home), at


def test_a_full_disk_stays_full(home: Path) -> None:
    """Nothing can be written any more from some step on; what was written can still be moved."""
    total = counted(lambda: change(home))
    for at in range(1, total + 1):
        restored(home)

        def full(number: int, name: str, at: int = at) -> None:
            if number >= at and name in ("before open", "before write", "before mkdir"):
                raise OSError(28, "No space left on device")

        done = False
        with faulty(full):
            try:
                change(home)
                done = True
            except OSError as error:
                assert error.errno == 28
                assert error.filename is not None
                assert EDIT_FOLDER not in str(error.filename)
        assert held(home) == (NEW if done else OLD), at
        assert clean(home), at


def saving(file: Path, at: int) -> Callable[[int, str], None]:
    """An editor saves at a step, as most do: a whole new file takes the place of the old one."""

    def fault(number: int, name: str) -> None:
        if number == at:
            new_file = file.with_name("editor")
            new_file.write_bytes(file.read_bytes() + b"\nmy line")
            REPLACE(new_file, file)

    return fault


REPLACE = os.replace


@pytest.mark.skipif(
    not sys.platform.startswith(("linux", "darwin")),
    reason="elsewhere there is a moment between the look and the replacement",
)
@pytest.mark.parametrize("name", ["a", "b"])
def test_what_an_editor_saves_at_any_step_is_never_lost(name: str, tmp_path: Path) -> None:
    home = fresh(tmp_path)
    total = counted(lambda: change(home))
    refused = 0
    for at in range(1, total + 1):
        restored(home)
        with faulty(saving(home / name, at)):
            try:
                change(home)
            except EditConflict as error:
                assert "changed meanwhile" in str(error)
                refused += 1
        finish_interrupted_edit(home)
        files_now = held(home)
        assert files_now[name].endswith(b"\nmy line"), at
        other_files = {key: data for key, data in files_now.items() if key != name}
        assert other_files in (
            {key: data for key, data in OLD.items() if key != name},
            {key: data for key, data in NEW.items() if key != name},
        ), at
        assert clean(home)
    assert refused > 10


def test_killed_and_then_edited(home: Path) -> None:
    """Whatever somebody writes into the files of an interrupted edit is there afterwards."""
    total = counted(lambda: change(home))
    for at in range(1, total + 1):
        for name in ("a", "b"):
            restored(home)
            with faulty(killing(at)), pytest.raises(Killed):
                change(home)
            with (home / name).open("ab") as file:
                file.write(b"\nmy line")
            edited = (home / name).read_bytes()
            finish_interrupted_edit(home)
            files_now = held(home)
            assert files_now[name] == edited, (at, name)
            # The others go the way that this file had gone.
            side = NEW if edited.startswith(NEW[name]) else OLD
            second = "b" if name == "a" else "a"
            assert files_now[second] == side[second], (at, name)
            assert clean(home)


def test_a_second_edit_finds_the_first_unfinished(home: Path) -> None:
    total = counted(lambda: change(home))
    for at in range(1, total, 5):
        restored(home)
        with faulty(killing(at)), pytest.raises(Killed):
            change(home)
        contents_before = read_as_finished(home / "b")
        edit(home, [ContentChange(home / "b", contents_before, b"b newer")])
        assert (home / "b").read_bytes() == b"b newer"
        assert (home / "a").read_bytes() in (OLD["a"], NEW["a"])
        assert clean(home)


def test_two_at_once(home: Path) -> None:
    """Many threads each add a line, again when they were refused: no line is lost."""
    log = home / "a"

    def add(number: int) -> None:
        while True:
            text_before = read_if_exists(log)
            assert text_before is not None
            try:
                edit(home, [ContentChange(log, text_before, text_before + b"\nline %d" % number)])
                return
            except EditConflict:
                time.sleep(0.001)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = log.read_bytes().split(b"\n")
    assert sorted(lines[2:]) == sorted(b"line %d" % number for number in range(12))
    assert clean(home)


def test_a_command_that_is_at_work_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = fresh(tmp_path)
    monkeypatch.setattr(edits, "LOCK_TIMEOUT", 0.1)
    with edits.working_folder(home):
        assert not is_interrupted(home)
        with pytest.raises(EditConflict, match="another command is changing these files"):
            change(home)
        assert held(home) == {**OLD, f"{EDIT_FOLDER}/lock": b""}
    change(home)
    assert held(home) == NEW


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_process_that_is_killed(tmp_path: Path) -> None:
    """Killed by the system, not by a pretence; the lock goes with the process."""
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from chronicle.core import edits\nfrom chronicle.core.files import ContentChange\n"
        "home = Path(sys.argv[1])\nreal = edits.replace_unchanged\n"
        "def dies(source, target, *more):\n"
        "    if target.name == 'b':\n        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    real(source, target, *more)\n"
        "edits.replace_unchanged = dies\n"
        "edits.edit(home, [ContentChange(home / n, (home / n).read_bytes(), b'new') for n in 'ab'])"
    )
    home = fresh(tmp_path)
    done = subprocess.run([sys.executable, "-c", code, str(home)], capture_output=True)
    assert done.returncode == -9
    assert (home / "a").read_bytes() == b"new"
    assert (home / "b").read_bytes() == OLD["b"]
    assert is_interrupted(home)
    message = finish_interrupted_edit(home)
    assert message is not None
    assert "is finished now" in message
    assert held(home) == {"a": b"new", "b": b"new", "gone": OLD["gone"]}


# -- what others may have put there ----------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/outside", "link/outside", "C:/outside", "..\\outside", "", "."]
)
def test_a_forged_journal_reaches_nothing_outside(name: str, tmp_path: Path) -> None:
    home = fresh(tmp_path / "home")
    (tmp_path / "outside").write_bytes(b"old")
    if sys.platform != "win32":
        (home / "link").symlink_to(tmp_path, target_is_directory=True)
    work = home / EDIT_FOLDER
    work.mkdir()
    digest = files.digest(b"old"), files.digest(b"new")
    journal_files: list[dict[str, object]] = [
        {"name": name, "before": digest[0], "after": digest[1], "folders": []}
    ]
    (work / "journal").write_text(json.dumps({"chronicle-edit": 1, "files": journal_files}))
    (work / "0.old").write_bytes(b"old")
    (work / "0.new").write_bytes(b"new")
    assert pending_contents(home) == {}
    with pytest.raises(EditConflict, match="not as Chronicle left it"):
        finish_interrupted_edit(home)
    with pytest.raises(EditConflict, match="not as Chronicle left it"):
        change(home)
    assert (tmp_path / "outside").read_bytes() == b"old"


@pytest.mark.parametrize("data", [b"", b"nonsense", b"[]", b"{}", b"[" * 100_000, b"\xff"])
def test_a_journal_that_is_none(data: bytes, tmp_path: Path) -> None:
    home = fresh(tmp_path)
    (home / EDIT_FOLDER).mkdir()
    (home / EDIT_FOLDER / "journal").write_bytes(data)
    assert pending_contents(home) == {}
    with pytest.raises(EditConflict, match="not as Chronicle left it"):
        change(home)
    assert {name: data for name, data in held(home).items() if name in OLD} == OLD


def test_another_command_deletes_its_folder_while_this_one_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = fresh(tmp_path)
    mkdir = Path.mkdir
    folders_in_the_way = [home / EDIT_FOLDER]

    def make(folder: Path, *args: Any, **keywords: Any) -> None:
        if folder in folders_in_the_way:
            # It is there now, and gone when somebody looks at it.
            folders_in_the_way.remove(folder)
            raise FileExistsError(folder)
        mkdir(folder, *args, **keywords)

    monkeypatch.setattr(Path, "mkdir", make)
    change(home)
    assert folders_in_the_way == []
    assert clean(home)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_in_place_of_the_folder_or_of_a_text(tmp_path: Path) -> None:
    home = fresh(tmp_path / "home")
    (tmp_path / "elsewhere").mkdir()
    (home / EDIT_FOLDER).symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(EditConflict, match="no folder of Chronicle's"):
        change(home)
    assert pending_contents(home) == {}
    assert list((tmp_path / "elsewhere").iterdir()) == []
    (home / EDIT_FOLDER).unlink()
    (tmp_path / "secret").write_bytes(b"secret")
    (home / EDIT_FOLDER).mkdir()
    (home / EDIT_FOLDER / "0.new").symlink_to(tmp_path / "secret")
    journal_file: dict[str, object] = {
        "name": "a",
        "before": files.digest(OLD["a"]),
        "after": files.digest(b"secret"),
        "folders": [],
    }
    (home / EDIT_FOLDER / "journal").write_text(json.dumps({"files": [journal_file]}))
    assert pending_contents(home) == {}
    (home / "out").symlink_to(tmp_path / "secret")
    (home / EDIT_FOLDER / "journal").unlink()
    with pytest.raises(EditConflict, match="behind a link"):
        edit(home, [ContentChange(home / "out", b"secret", b"x")])
    assert (tmp_path / "secret").read_bytes() == b"secret"


@contextmanager
def unprivileged() -> Iterator[None]:
    """As somebody whom the system holds to permissions, whoever runs the tests."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="folders are protected otherwise there")
def test_a_folder_that_may_not_be_written_to() -> None:
    # Below pytest's own folders nobody else may look.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        home = fresh(Path(folder) / "home")
        home.chmod(0o555)
        try:
            with unprivileged(), pytest.raises(PermissionError, match=r"'.*home/a'"):
                change(home)
        finally:
            home.chmod(0o755)
        assert held(home) == OLD
