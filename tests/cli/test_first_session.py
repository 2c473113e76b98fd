"""What the files of a new campaign tell their reader to type works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from chronicle.cli import main
from chronicle.games import game_names

READ_ONLY = {"explain", "state", "check"}
"""The commands that this test runs: they write nothing, and end by themselves."""


@pytest.mark.parametrize("game", game_names())
def test_each_command_in_the_files_of_a_new_campaign_works(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "ours"
    assert main(["new", str(home), "--game", game]) == 0
    monkeypatch.chdir(home)
    run = set()
    for file in [home / "README.md", *(home / "sessions").rglob("*.yaml")]:
        for command in re.findall(
            r"(?:^ {4}|  )chronicle ((?:\w|[ .:/-](?! )|-)+\S)",
            file.read_text("utf-8"),
            re.MULTILINE,
        ):
            words = shlex.split(command)
            if words[0] in READ_ONLY and "--watch" not in words:
                run.add(words[0])
                assert main(words) == 0, f"{file.name}: chronicle {command}"
    assert {"explain", "state"} <= run
