"""The page "Adding a game" is done step by step: each of its blocks is written or run, in the order of the page."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from chronicle.game_files import metadata
from tests.conftest import ROOT
from tests.plugins.installing import LANTERNS, chronicle

pytestmark = pytest.mark.integration

PAGE = ROOT / "docs" / "adding-a-game.md"
BLOCK = re.compile(
    r"^```(?P<kind>\w+)(?: title=\"(?P<title>[^\"]*)\")?\n(?P<text>.*?)^```$", re.M | re.S
)
BELOW = " (below)"
"""What stands after the name of a file whose end a block is added to."""
BY_HAND = ["pip install --editable ."]
"""What the test does otherwise: it needs a network."""


class Block(NamedTuple):
    """A code block of the page."""

    kind: str
    title: str
    text: str


def blocks() -> list[Block]:
    """The code blocks of the page, in order."""
    text = PAGE.read_text(encoding="utf-8")
    all_blocks = [
        Block(match["kind"], match["title"] or "", match["text"]) for match in BLOCK.finditer(text)
    ]
    assert len(all_blocks) == text.count("\n```") // 2
    return all_blocks


def run(block: Block, target: Path, folder: Path) -> Path:
    """Run the commands of a console block, and look for the lines below each; return the folder that it ends in."""
    for part in block.text.split("$ ")[1:]:
        command, _, shown = part.strip("\n").partition("\n")
        program, *words = command.split()
        if program == "cd":
            folder /= words[0]
            continue
        assert program == "chronicle"
        code = int("failed" in shown)
        output = chronicle(target, *words, cwd=folder, code=code).stdout
        for line in shown.splitlines():
            assert line in output, f"{command} does not print  {line}\n{output}"
    return folder


def test_every_step_of_the_page_works(tmp_path: Path) -> None:
    folder, target = tmp_path, tmp_path / "site-packages"
    target.mkdir()
    for block in blocks():
        if block.kind == "console":
            folder = run(block, target, folder)
        elif block.title.endswith(BELOW):
            file = folder / block.title.removesuffix(BELOW)
            file.write_text(file.read_text(encoding="utf-8") + block.text, encoding="utf-8")
        elif block.title:
            assert (folder / block.title).is_file(), f"{block.title} is no file of the package"
            (folder / block.title).write_text(block.text, encoding="utf-8")
        else:
            assert block.text.splitlines() == BY_HAND
            shutil.copytree(folder / "chronicle_lanterns", target / "chronicle_lanterns")
            games = {"lanterns": "chronicle_lanterns:Lanterns"}
            for path, data in metadata("chronicle-lanterns", "0.1", games).items():
                (target / path).parent.mkdir(exist_ok=True)
                (target / path).write_bytes(data)
    # The page and the example have built the same game.
    cases = str(LANTERNS / "chronicle_lanterns" / "cases")
    chronicle(target, "game", "check", "lanterns", "--cases", cases, cwd=tmp_path)
