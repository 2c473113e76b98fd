"""The README keeps its word: its pictures and links are there, its commands work, its problem is the program's."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from chronicle.cli import main
from chronicle.cli.app import COMMAND_GROUPS
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
LARGEST = 150 * 1024
"""How many bytes a picture may have."""


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in a language."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for named, text in fenced if named == language]


def test_every_link_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(links) > 8
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_pictures_are_there_for_light_and_dark_and_are_small() -> None:
    light = re.findall(r'<img src="([^"]+)" alt="[^"]{40,}"', README)
    dark = re.findall(r'prefers-color-scheme: dark\)" srcset="([^"]+)"', README)
    assert [Path(file).name for file in light] == ["page-light.png", "desk-light.png"]
    assert [Path(file).name for file in dark] == ["page-dark.png", "desk-dark.png"]
    for file in [*light, *dark]:
        data = (ROOT / file).read_bytes()
        assert data.startswith(b"\x89PNG"), file
        assert len(data) <= LARGEST, file


def test_the_commands_exist() -> None:
    known_commands = {name for group in COMMAND_GROUPS.values() for name in group}
    named = re.findall(
        r"chronicle ([a-z]+)\b", "".join([*blocks("sh"), *re.findall("`[^`\n]+`", README)])
    )
    assert {"new", "check", "serve", "desk", "explain"} <= {*named} <= known_commands
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"\bmake ([a-z]+)", "".join(blocks("sh")))
    assert targets == ["site", "test"]
    assert all(f"\n{target}: " in makefile for target in targets)


def test_the_first_campaign_begins_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"(?m)^chronicle (new .*)", "".join(blocks("sh")))
    assert [main(line.split()) for line in lines] == [0]
    monkeypatch.chdir(tmp_path / "our-table")
    capsys.readouterr()
    assert main(["check"]) == 0
    assert main(["explain", "slow-burn"]) == 0
    assert "Slow Burn" in capsys.readouterr().out


def test_the_first_campaign_begins_in_a_copy_of_chronicle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = tmp_path / "chronicle"
    shutil.copytree(ROOT / "sessions" / "the-boathouse", clone / "sessions" / "the-boathouse")
    shutil.copy(ROOT / "mkdocs.yml", clone)
    monkeypatch.chdir(clone)
    for line in blocks("sh")[1].splitlines():
        command, *words = line.partition("#")[0].split() or [""]
        if command == "cd":
            monkeypatch.chdir(*words)
        if command == "chronicle":
            assert main(words) == 0
    capsys.readouterr()
    assert main(["check"]) == 0
    assert [folder.name for folder in Path("sessions").iterdir()] == ["our-table"]


def test_the_problem_is_the_programs_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "sessions" / "the-boathouse", tmp_path / "sessions" / "the-boathouse")
    log = tmp_path / "sessions" / "the-boathouse" / "01.yaml"
    roll = "- roll: {Iben: o+-, Tomas: o-}\n"
    assert roll + "  winner: Tomas\n" in blocks("yaml")[0]
    text = log.read_text("utf-8")
    assert text.count(roll) == 1
    log.write_text(text.replace(roll, roll + "  winner: Tomas\n"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 1
    shown, printed = blocks("")[0], capsys.readouterr().out
    assert shown.startswith("error[P20]")
    # The play example may grow: the number of the line is any.
    assert re.sub(r"\d+", "N", shown) in re.sub(r"\d+", "N", printed)


def test_the_lines_of_the_log_are_those_of_the_play_example() -> None:
    log = (ROOT / "sessions" / "the-boathouse" / "01.yaml").read_text("utf-8")
    lines = blocks("yaml")[0].splitlines()
    assert [line for line in lines if line not in log and "winner" not in line] == []
