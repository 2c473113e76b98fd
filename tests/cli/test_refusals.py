"""What stands in the way is said in one line; what a log holds steers no terminal."""

from __future__ import annotations

import builtins
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chronicle.cli import main
from chronicle.cli.app import COMMAND_GROUPS
from chronicle.core.control_characters import printable_text, safe
from chronicle.core.errors import Refused
from chronicle.syntax.text_edit import EditRefused

STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202etxt\u2066\x1b[31m\r"
QUOTED = "".join(f"\\u{ord(c):04x}" for c in EVIL)
SETTINGS = f'game: positive\ntitle: "Evil {QUOTED}"\nplayers: [Ana, Bo, Cy, "Dee{QUOTED}"]\n'
LOG = f"""session: 1
title: "An evening {QUOTED}"
log:
- cast: {{Ana: "Marit{QUOTED}", Bo: Jonas, Cy: Petra, "Dee{QUOTED}": Sunny}}
- host: Jonas
- scene: "The kitchen {QUOTED}"
  with: [Jonas]
  id: here
- tell: "Words {QUOTED}"
  note: "{QUOTED}"
- "tel{QUOTED}": what
- roll: {{Nobody: "{QUOTED}"}}
"""
COMMANDS = (
    *(("check",), ("check", "--format", "json"), ("check", "--format", "github")),
    *(("check", "--format", "sarif"), ("state",), ("state", "--at", f"x{EVIL}"), ("stats",)),
    *(("corpus",), ("corpus", "--format", "json")),
    *(("excerpt", "01.yaml:1-9"), ("excerpt", f"no{EVIL}:1"), ("migrate",), ("migrate", "--diff")),
    *(("find", "Words", "--in"), ("find", f"Wor{EVIL}", "--in"), ("show", "Marit", "--in")),
    *(
        ("show", f"No{EVIL}", "--in"),
        ("annotate", "--diff"),
        ("ids", "--diff"),
        ("ids",),
        ("annotate",),
    ),
    *(
        ("rename", "Jonas", f"Jo{EVIL}", "--in"),
        ("explain", "here", "--in"),
        ("explain", f"P1{EVIL}"),
    ),
    *(
        ("fmt", "--check", "--diff"),
        ("export", "--format", "csv"),
        ("export", "--format", "json"),
        ("render", "--out", "out"),
        ("book", "--out", "out.epub"),
        ("pin",),
        ("pin", "--compare"),
        ("import", "01.yaml", "--out", "taken.yaml", "--in"),
        ("import", f"no{EVIL}", "--in"),
    ),
    *(
        ("diff", "01.yaml"),
        (f"no{EVIL}",),
        ("seal", "--verify", f"a{EVIL}"),
        ("unname", "Ana", "--as", f"Ki{EVIL}", "--in"),
        ("check", f"no{EVIL}"),
    ),
)


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign that tries to take over the terminal with all it has, entered."""
    folder = tmp_path / f"evil{EVIL}".replace("\r", "")
    folder.mkdir()
    (folder / "campaign.yaml").write_text(SETTINGS, "utf-8")
    (folder / "01.yaml").write_text(LOG, "utf-8")
    (folder / f"02{EVIL}.yaml").write_text(f"session: 2\nlog:\n- teel: {EVIL}\n", "utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: ascii(" ".join(command)[:30]))
@pytest.mark.parametrize("colour", [False, True])
def test_nothing_printed_steers_a_terminal(
    command: tuple[str, ...],
    colour: bool,
    campaign: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("chronicle.cli.out.on_terminal", lambda stream=None: colour)
    monkeypatch.delenv("NO_COLOR", raising=False)
    path = () if command[0] in ("seal", "explain") and "--in" not in command else (str(campaign),)
    if command[0] == "seal":
        path = (str(campaign / "01.yaml"),)
    code = main([*command, *path])
    captured = capsys.readouterr()
    assert code in (0, 1, 2)
    assert "a fault in Chronicle" not in captured.err
    for text in (captured.out, captured.err):
        text = (
            re.sub(r"\x1b\[(?:[0-4]|3[1-6])(?:;(?:[0-4]|3[1-6]))*m", "", text) if colour else text
        )
        assert not STEERS.search(text), ascii(STEERS.findall(text))


def test_every_command_is_tried() -> None:
    commands = {name for group in COMMAND_GROUPS.values() for name in group}
    # These ask nothing of a log: they print what is ours, or hand everything to MkDocs.
    assert commands - {command[0] for command in COMMANDS} == {
        *("new", "build", "serve", "schema", "reference", "game"),
        # These speak with a page or an editor, or are tried with parcels of their own.
        *("desk", "lsp", "receive"),
    }


def test_only_our_own_colours_pass() -> None:
    assert (
        printable_text("\x1b[31;1mx\x1b[0m\x1b[2J\n\ty", keep_colours=True)
        == "\x1b[31;1mx\x1b[0m\ufffd[2J\n\ty"
    )
    assert printable_text("\x1b[31mx\x1b[5m", keep_colours=False) == "\ufffdx\ufffd[5m"
    assert safe("a\tb\nc\x9b\u202d", keep_lines=True) == "a b\nc\ufffd\ufffd"


# -- one clear line, and 2 -------------------------------------------------------------------------


@pytest.fixture
def unreadable(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Nobody may look into files whose name ends so; root may look anywhere, so the system is told."""

    def deny(ending: str) -> None:
        for where, name in ((builtins, "open"), (os, "open")):
            real = getattr(where, name)

            def refuse(
                file: object, *arguments: object, real: object = real, **named: object
            ) -> object:
                if isinstance(file, str | Path) and str(file).endswith(ending):
                    raise PermissionError(13, "Permission denied", str(file))
                assert callable(real)
                return real(file, *arguments, **named)

            monkeypatch.setattr(where, name, refuse)

    yield deny


@pytest.mark.parametrize(
    "error",
    [
        PermissionError(13, "Permission denied", "/there/01.yaml"),
        IsADirectoryError(21, "Is a directory", "x"),
        OSError(40, "Too many levels of symbolic links", "loop"),
        EditRefused("01.yaml was left alone: the edit would have changed something else"),
        Refused("that is not done"),
        MemoryError(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("command", ["check", "state", "ids", "annotate", "stats"])
def test_whatever_refuses_is_no_fault_of_ours(
    error: Exception,
    command: str,
    campaign: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> object:
        raise error

    monkeypatch.setattr("chronicle.core.replay.Replay.finish", refuse)
    assert main([command, "."]) == 2
    error_output = capsys.readouterr().err
    assert error_output.startswith("chronicle: ") and error_output.count("\n") <= 2
    assert "fault" not in error_output and "Traceback" not in error_output


def test_a_log_that_nobody_may_read_is_a_finding_or_a_refusal(
    campaign: Path, capsys: pytest.CaptureFixture[str], unreadable: Callable[[str], None]
) -> None:
    unreadable("01.yaml")
    for command in (
        ("check",),
        ("state",),
        ("ids",),
        ("annotate",),
        ("stats",),
        ("find", "x", "--in"),
    ):
        assert main([*command, str(campaign)]) in (0, 1, 2)
        captured = capsys.readouterr()
        assert "fault in Chronicle" not in captured.err, command


EDITING = (
    ("check",),
    ("fmt",),
    ("migrate", "--yes"),
    ("ids",),
    ("annotate",),
    ("rename", "Nim", "Nom", "--in"),
    ("unname", "Ana", "--in"),
    ("pin",),
    ("pin", "--compare"),
    ("diff", "."),
    ("export", "--format", "csv"),
    ("excerpt", "01.yaml:1-3", "--in"),
)


@pytest.mark.parametrize("command", EDITING, ids=" ".join)
def test_no_command_reads_what_is_too_large(
    command: tuple[str, ...], campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("02.yaml", "art/a.yaml", "journal/a.md", "characters/a.yaml", "chronicle.pin"):
        file = campaign / name
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as stream:
            stream.truncate(20 * 1024**3)
    real, read = Path.read_bytes, []

    def bounded(file: Path) -> bytes:
        if file.stat().st_size < 100 * 1024**2:
            return real(file)
        read.append(file)
        return b""

    monkeypatch.setattr(Path, "read_bytes", bounded)
    assert main([*command, str(campaign)]) in (0, 1, 2)
    assert read == []


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("command", EDITING, ids=" ".join)
def test_a_link_to_itself_ends_no_command(
    command: tuple[str, ...], campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("02.yaml", "art/a.yaml", "art/a.png", "journal/a.md", "chronicle.pin"):
        (campaign / name).parent.mkdir(exist_ok=True)
        (campaign / name).symlink_to(Path(name).name)
    assert main([*command, str(campaign)]) in (0, 1, 2)
    assert "fault in Chronicle" not in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_verifying_what_never_ends_ends(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: A\nplayers: [A, B, C, D]\n")
    (tmp_path / "01.yaml").write_text("session: 1\nlog:\n- gap:\n")
    opening = Path("/dev/zero")
    if kind == "pipe":
        opening = tmp_path / "pipe"
        os.mkfifo(opening)
    assert main(["seal", str(tmp_path / "01.yaml"), "--verify", str(opening)]) == 2
    assert "this is no ordinary file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ("new", "~/there", "--game", "positive"),
        ("export", "--format", "csv", "--out", "~/there"),
        ("import", "told.md", "--out", "~/there"),
    ],
    ids=lambda command: command[0],
)
def test_a_tilde_is_the_home_folder(
    command: tuple[str, ...], campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.chdir(campaign)
    Path("told.md").write_text("# One evening\n\nIt rained.\n", encoding="utf-8")
    main([*command])
    assert not Path("~").exists()
    assert (home / "there").exists()
