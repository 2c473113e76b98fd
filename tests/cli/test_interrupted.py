"""Commands that are killed, run twice at once, or find a full disk: a campaign is old or new, never half."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.cli import main
from chronicle.core.edits import is_interrupted
from chronicle.core.files import EDIT_FOLDER
from tests.cli.test_cli import Chronicle, contents
from tests.cli.test_cli import chronicle as chronicle
from tests.core.faults import Killed, counted, failing, faulty, killing

pytestmark = [pytest.mark.integration, pytest.mark.platform]

FILES = {
    "campaign.yaml": "game: positive\ntitle: Lamps\nplayers: [Ana, Bo, Cy, Dee]\n",
    "01.yaml": (
        "session: 1\npresent: [Ana, Bo, Cy, Dee]\nlog:\n"
        "- cast: {Ana: Iris, Bo: Leo, Cy: Noor, Dee: Sam}\n- host: Iris\n"
        "- accuser: Leo\n  symptoms: no\n- scene: The landing\n  with: Noor\n"
        "- tell: Noor has known Iris since school\n- call: They only met last year\n"
        "  by: Noor\n  against: Leo\n- match: They shared a desk\n"
        "- back: {Ana: Leo, Dee: Noor}\n- roll: {Leo: +o, Noor: o-}\n"
        "- end scene: Noor laughs\n- end session:\n"
    ),
    "02.yaml": (
        "session: 2\r\npresent: [Ana, Bo, Cy, Dee]\r\nlog:\r\n- aside: |\r\n    Iris: Again.\r\n"
    ),
    "03.yaml": ("session: 3\npresent: [Ana, Bo, Cy, Dee]\nlog:\n- aside: |\n    Leo: And again.\n"),
    "journal/one.md": "---\nabout: Iris\n---\nWords.\n",
}


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small campaign of three evenings, entered."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "lamps"
    put(folder)
    return folder


def put(folder: Path) -> None:
    """The campaign as it was at first."""
    for name in [name for name in contents(folder) if name not in FILES]:
        (folder / name).unlink()
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


RENAME = ("rename", "Iris", "Irma Vale", "--in", "lamps")
COMMANDS = [
    pytest.param(RENAME, id="rename"),
    pytest.param(("ids", "lamps"), id="ids"),
    pytest.param(("annotate", "lamps"), id="annotate"),
    pytest.param(("diff", "lamps/02.yaml", "lamps/03.yaml", "--merge", "d.yaml"), id="merge"),
    pytest.param(
        ("export", "lamps", "--format", "csv", "--out", "x.csv"),
        id="export",
    ),
]


def do(*arguments: str) -> int:
    return main([*arguments])


def killed(arguments: tuple[str, ...], at: int) -> None:
    """Run a command that is killed at a step. What catches all else, catches no dead process."""
    with faulty(killing(at)) as steps, pytest.raises(Killed):
        do(*arguments)
        assert not steps.dead
        raise Killed


def codes(folder: Path) -> list[str]:
    return sorted(diagnostic.code for diagnostic in run(load(folder)).diagnostics)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.slow
def test_a_command_killed_at_every_step(
    command: tuple[str, ...], lamps: Path, chronicle: Chronicle
) -> None:
    """Nothing is half: the campaign is read whole at once, and the same command can be run again."""
    files_before = contents(lamps.parent)
    fine = codes(lamps)
    total = counted(lambda: do(*command))
    files_after = contents(lamps.parent)
    assert files_after != files_before
    ended = [codes(lamps), fine]
    chronicle("check", lamps)
    for at in range(1, total + 1):
        clear(lamps)
        killed(command, at)
        assert codes(lamps) in ended, at
        completed = chronicle(*command)
        assert "fault in Chronicle" not in completed.err
        assert codes(lamps) in ended, at
        assert contents(lamps.parent) == files_after, (at, completed.err)
    clear(lamps)


def clear(lamps: Path) -> None:
    put(lamps)
    for name in ("d.yaml", "x.csv"):
        (lamps.parent / name).unlink(missing_ok=True)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt])
def test_a_command_that_fails_at_any_step(
    error: type[BaseException] | OSError,
    command: tuple[str, ...],
    lamps: Path,
    chronicle: Chronicle,
) -> None:
    files_before = contents(lamps.parent)
    total = counted(lambda: do(*command))
    files_after = contents(lamps.parent)
    for at in range(1, total + 1, 2):
        clear(lamps)
        with faulty(failing(at, error)):
            completed = chronicle(*command)
        assert "fault in Chronicle" not in completed.err
        files_left = contents(lamps.parent)
        tidy = {name: data for name, data in files_left.items() if EDIT_FOLDER not in name}
        assert tidy in (files_before, files_after), at
        if completed.code == 2:
            assert tidy == files_before, at
        if completed.code in (2, 130):
            assert "Stopped." in completed.err or "cannot write" in completed.err


def test_what_was_interrupted_is_said_once(lamps: Path, chronicle: Chronicle) -> None:
    total = counted(lambda: chronicle(*RENAME))
    for at in range(total // 2, total):
        put(lamps)
        killed(RENAME, at)
        if is_interrupted(lamps):
            break
    half = contents(lamps)
    completed = chronicle("check", lamps)
    assert (completed.code, completed.out) == (0, "")
    assert completed.err.count("was interrupted") == 1
    assert contents(lamps) == half
    completed = chronicle("ids", lamps)
    assert completed.code == 0
    assert completed.err.count("was interrupted, and is finished now") == 1
    assert not (lamps / EDIT_FOLDER).exists()
    assert "Irma Vale" in (lamps / "01.yaml").read_text(encoding="utf-8")
    assert "interrupted" not in chronicle("check", lamps).err


@pytest.mark.parametrize("command", [COMMANDS[0], COMMANDS[1], COMMANDS[2]])
@pytest.mark.parametrize("name", ["01.yaml", "02.yaml"])
def test_a_line_saved_while_a_command_runs_is_not_lost(
    name: str,
    command: tuple[str, ...],
    lamps: Path,
    chronicle: Chronicle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Saved right after the campaign was read, when there is most to think about."""
    from chronicle.syntax import folder as reading

    line = b"- aside: |\n    Leo: Mine.\n"
    real = reading.read_campaign
    saved = False

    def slow(*arguments: object, **keywords: object) -> object:
        nonlocal saved
        campaign = real(*arguments, **keywords)  # type: ignore[arg-type]
        if not saved:
            saved = True
            with (lamps / name).open("ab") as file:
                file.write(line)
        return campaign

    monkeypatch.setattr("chronicle.campaigns.read_campaign", slow)
    files_before = {key: data for key, data in contents(lamps).items() if key != name}
    completed = chronicle(*command)
    assert saved
    assert (lamps / name).read_bytes().endswith(line)
    if completed.code:
        assert "nothing was" in completed.err
        files_now = {key: data for key, data in contents(lamps).items() if key != name}
        assert files_now == files_before


def test_a_seal_killed_at_every_step(
    lamps: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never a seal without its opening; nor an opening without its seal, once all is settled."""
    import io

    command = ("seal", "lamps/03.yaml", "--slot", "ana-bid", "--by", "Ana", "--kind", "bid")

    def act() -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("nine"))
        return do(*command)

    total = counted(act)
    for at in range(1, total + 1):
        put(lamps)
        with faulty(killing(at)) as steps, pytest.raises(Killed):
            act()
            assert not steps.dead
            raise Killed
        assert chronicle("ids", lamps, "--diff").code == 0
        is_kept = (lamps / "ana-bid.opening").exists()
        sealed = b"sealed: sha256:" in (lamps / "03.yaml").read_bytes()
        assert is_kept == sealed, at
        if is_kept and sys.platform != "win32":
            assert (lamps / "ana-bid.opening").stat().st_mode & 0o077 == 0
        assert not (lamps / EDIT_FOLDER).exists()


def test_a_new_project_killed_at_every_step(
    tmp_path: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    monkeypatch.chdir(tmp_path)
    total = counted(lambda: do("new", "whole", "--game", "positive"))
    complete_files = contents(tmp_path / "whole")
    for at in range(1, total + 1, 3):
        with faulty(killing(at)), pytest.raises(Killed):
            do("new", "ours", "--game", "positive")
            raise Killed
        chronicle("new", "ours", "--game", "positive")
        assert set(contents(tmp_path / "ours")) == {
            name.replace("whole", "ours") for name in complete_files
        }, at
        shutil.rmtree(tmp_path / "ours")


# -- where it goes ---------------------------------------------------------------------------------


def test_a_home_folder_is_never_filled(
    lamps: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = lamps.parent / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for command in (("export", "lamps", "--all"), ("render", "lamps", "--out")):
        completed = chronicle(*command, "~")
        assert completed.code == 2
        assert "is your own folder" in completed.err
        assert contents(home) == {}
        assert chronicle(*command, "~/out").code == 0
        assert (home / "out").is_dir()
        assert not Path("~").exists()
        for file in sorted((home / "out").rglob("*"), reverse=True):
            file.rmdir() if file.is_dir() else file.unlink()
        completed = chronicle(*command, "~nobody-of-that-name/out")
        assert completed.code == 2
        assert "~nobody-of-that-name" in completed.err


def test_one_file_is_not_overwritten_without_being_asked(lamps: Path, chronicle: Chronicle) -> None:
    export = ("export", "lamps", "--format", "csv", "--out", "x.csv")
    Path("x.csv").write_bytes(b"mine")
    completed = chronicle(*export)
    assert completed.code == 2
    assert "--replace" in completed.err
    assert Path("x.csv").read_bytes() == b"mine"
    assert chronicle(*export, "--replace").code == 0
    assert Path("x.csv").read_bytes().startswith(b"session,")
    Path("folder").mkdir()
    assert chronicle(*export[:-1], "folder", "--replace").code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_an_export_follows_no_link(lamps: Path, chronicle: Chronicle) -> None:
    their_folder = Path("theirs")
    chronicle("export", "lamps", "--all", their_folder)
    files_before = contents(their_folder)
    Path("out").mkdir()
    for name in (".chronicle-output", "record.json"):
        (Path("out") / name).symlink_to((their_folder / name).resolve())
    completed = chronicle("export", "lamps", "--all", "out")
    assert completed.code == 2
    assert contents(their_folder) == files_before
