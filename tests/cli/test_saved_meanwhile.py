"""Somebody saves a file between the moment a command reads it and the moment the command writes it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.files import EDIT_FOLDER
from chronicle.syntax.bundle import collect_files, pack_bundle
from tests.cli.test_cli import Chronicle, contents
from tests.cli.test_cli import chronicle as chronicle
from tests.cli.test_interrupted import codes, put
from tests.cli.test_interrupted import lamps as lamps

pytestmark = [pytest.mark.integration]

LINE = b"- aside: |\n    Leo: Saved meanwhile.\n"
COMMENT = b"# Saved meanwhile.\n"
MOST_MOMENTS = 6
"""At how many of the moments in which a command opens a file somebody saves."""


def append(file: Path) -> None:
    file.write_bytes(file.read_bytes() + LINE)


def move_down(file: Path) -> None:
    file.write_bytes(COMMENT + file.read_bytes())


def misspelt(lamps: Path) -> None:
    log = lamps / "01.yaml"
    log.write_bytes(log.read_bytes().replace(b"- tell: Noor", b"- tel: Noor"))


def annotated(lamps: Path) -> None:
    log = lamps / "01.yaml"
    log.write_bytes(log.read_bytes().replace(b"- host: Iris\n", b"- host: Iris  #> welcome\n"))


def old(lamps: Path) -> None:
    log = lamps / "01.yaml"
    log.write_bytes(log.read_bytes().replace(b"since school\n", b"since school\n  coins: 3\n"))


def parcel(lamps: Path) -> None:
    """What another keeper has: the same log with one entry more, in the middle."""
    files = collect_files(lamps)
    files["01.yaml"] = files["01.yaml"].replace(
        b"- match: They", b"- aside: |\n    Sam: From elsewhere.\n- match: They"
    )
    (lamps.parent / "came.zip").write_bytes(pack_bundle({"lamps": files}))


def exported(lamps: Path) -> None:
    (lamps.parent / "x.csv").write_bytes(b"old\n")


def pinned(lamps: Path) -> None:
    (lamps / "chronicle.pin").write_bytes(b"{}\n")


def thread(lamps: Path) -> None:
    (lamps.parent / "talk.txt").write_text("Ana: Hello there.\nBo: Hello.\n", encoding="utf-8")


def sprawling(lamps: Path) -> None:
    log = lamps / "01.yaml"
    log.write_bytes(log.read_bytes().replace(b"{Ana: Leo,", b"{ Ana:   Leo,"))


def nothing(lamps: Path) -> None:
    """The campaign as it is."""


COMMANDS = [
    (("ids", "lamps"), "lamps/01.yaml", nothing),
    (("annotate", "lamps"), "lamps/01.yaml", nothing),
    (("annotate", "lamps", "--strip"), "lamps/01.yaml", annotated),
    (("fmt", "lamps"), "lamps/01.yaml", sprawling),
    (("rename", "Iris", "Irma Vale", "--in", "lamps"), "lamps/01.yaml", nothing),
    (("rename", "Iris", "Irma Vale", "--in", "lamps"), "lamps/campaign.yaml", nothing),
    (("unname", "Ana", "--as", "Kim", "--in", "lamps"), "lamps/campaign.yaml", nothing),
    (("migrate", "lamps", "--yes"), "lamps/01.yaml", old),
    (("migrate", "lamps", "--yes"), "lamps/campaign.yaml", old),
    (("check", "--fix", "lamps"), "lamps/01.yaml", misspelt),
    (("pin", "lamps"), "lamps/chronicle.pin", pinned),
    (("seal", "lamps/03.yaml", "--slot", "bid", "--by", "Ana"), "lamps/03.yaml", nothing),
    (("receive", "came.zip"), "lamps/01.yaml", parcel),
    (("receive", "came.zip", "--take", "theirs"), "lamps/01.yaml", parcel),
    (("import", "talk.txt", "lamps"), "lamps/04.yaml", thread),
    (("diff", "lamps/02.yaml", "lamps/03.yaml", "--merge", "d.yaml"), "lamps/02.yaml", nothing),
    (("diff", "lamps/02.yaml", "lamps/03.yaml", "--merge", "d.yaml"), "d.yaml", nothing),
    (
        ("export", "lamps", "--format", "csv", "--out", "x.csv", "--replace"),
        "x.csv",
        exported,
    ),
]


class Opening:
    """Counts how often a command opens something in a folder, and saves right before one of these times;
    of a file that is there already, the times count after which the command has opened that."""

    def __init__(self, file: Path, folder: Path, moment: int, save: Callable[[], None]) -> None:
        self.file, self.folder, self.moment, self.save = file, folder, moment, save
        self.count = 0
        self.began = not file.exists()
        self.busy = False

    def around(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Any, *arguments: Any, **keywords: Any) -> Any:
            if self.busy or not isinstance(path, (str, Path)):
                return real(path, *arguments, **keywords)
            self.busy = True
            try:
                if Path(path).resolve().is_relative_to(self.folder):
                    self.count += self.began
                    if self.began and self.count == self.moment:
                        self.save()
                    self.began = self.began or Path(path).resolve() == self.file
            finally:
                self.busy = False
            return real(path, *arguments, **keywords)

        return opened


@contextmanager
def watched(file: Path, folder: Path, moment: int, save: Callable[[], None]) -> Iterator[Opening]:
    """Save a file while a command runs."""
    opening = Opening(file, folder, moment, save)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "open", opening.around(os.open))
        patched.setattr(io, "open", opening.around(io.open))
        yield opening


@pytest.mark.parametrize(
    ("command", "name", "prepare", "saves"),
    [
        pytest.param(
            *command, saves, id=f"{command[0][0]}-{Path(command[1]).name}-{saves.__name__}"
        )
        for command in COMMANDS
        for saves in (append, move_down)
        # An entry is no setting.
        if saves is move_down or not command[1].endswith("campaign.yaml")
    ],
)
def test_what_is_saved_while_a_command_runs_is_kept(
    command: tuple[str, ...],
    name: str,
    prepare: Callable[[Path], None],
    saves: Callable[[Path], None],
    lamps: Path,
    chronicle: Chronicle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All of the command is done, or it is refused and nothing of it; the saved line is there either way."""
    file = lamps.parent / name

    def begin() -> None:
        for path in [lamps / "bid.opening", *lamps.parent.glob("*.*")]:
            if path.is_file():
                path.unlink()
        put(lamps)
        prepare(lamps)
        monkeypatch.setattr("sys.stdin", io.StringIO("nine"))

    def save() -> None:
        if not file.exists():
            file.write_bytes(b"session: 4\nlog:\n")
        saves(file)

    begin()
    with watched(file, lamps.parent, 0, save) as opening:
        assert chronicle(*command).code in (0, 1)
    done = contents(lamps.parent)
    total = opening.count
    assert total
    moments = sorted({*range(1, total + 1, max(1, total // MOST_MOMENTS)), total})
    for moment in moments:
        begin()
        files_before = contents(lamps.parent)
        with watched(file, lamps.parent, moment, save) as opening:
            run = chronicle(*command)
        if opening.count < moment:
            continue
        files_now = contents(lamps.parent)
        assert "fault in Chronicle" not in run.err, (moment, run.err)
        assert b"Saved meanwhile" in files_now[name], (moment, run)
        assert files_now[name].count(b"Saved meanwhile") == 1
        assert not (lamps / EDIT_FOLDER).exists()
        if "nothing was written" in run.err or "is there already" in run.err:
            assert {key: data for key, data in files_now.items() if key != name} == {
                key: data for key, data in files_before.items() if key != name
            }, moment
        elif name.startswith("lamps/0") and command[0] != "check":
            assert codes(lamps) == [], (moment, run)
    assert done != files_before
