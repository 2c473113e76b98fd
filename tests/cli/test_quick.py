"""Checking after every save: what is not loaded, and what a watcher sees."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from chronicle.cli.out import watch
from tests.conftest import ROOT


def loaded(*arguments: str) -> set[str]:
    """The modules that a run has imported by its end."""
    code = (
        "import sys\nfrom chronicle.cli import main\n"
        f"main({list(arguments)!r})\nprint(*sys.modules, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return set(done.stdout.split())


def test_a_clean_check_loads_little() -> None:
    modules = loaded("check", "sessions/the-boathouse")
    assert "chronicle.games.positive" in modules
    heavy = {"click", "mkdocs", "jinja2", "ruamel.yaml", "json", "difflib", "hashlib", "random",
             "shutil", "chronicle.core.campaign_view",
             "chronicle.site", "chronicle.publish", "chronicle.export",
             "chronicle.syntax.render", "chronicle.games.isolation",
             "chronicle.games.positive.view"}  # fmt: skip
    assert sorted(heavy & modules) == []


def test_a_clean_check_of_a_large_game_loads_no_pages_either() -> None:
    modules = loaded("check", "sessions/the-lantern-coast")
    heavy = {"click", "mkdocs", "jinja2", "ruamel.yaml", "json", "difflib", "random",
             "chronicle.core.campaign_view", "chronicle.site", "chronicle.games.universalis.view",
             "chronicle.games.universalis.proposals", "chronicle.games.universalis.rules"}  # fmt: skip
    assert sorted(heavy & modules) == []
    rooms = {name for name in modules if name.startswith("chronicle.games.universalis.addons.")}
    assert {name.rpartition(".")[2] for name in rooms} == {"adopting", "base", "catalogue"}


def test_the_version_loads_nothing_at_all() -> None:
    modules = loaded("--version")
    assert not {"click", "yaml", "chronicle.cli.app", "chronicle.cli.out"} & modules


def test_help_loads_no_command() -> None:
    modules = loaded("--help")
    assert "chronicle.cli.app" in modules
    assert not {"mkdocs", "yaml", "chronicle.campaigns", "chronicle.games.positive"} & modules


def test_the_quick_way_and_the_long_way_agree(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    (folder / "01.yaml").write_text("session: 1\nlog:\n- host: Nobody\n")
    outputs = [
        subprocess.run(
            [sys.executable, "-m", "chronicle", "check", *options, str(folder)],
            capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for options in ((), ("--format", "text"))
    ]  # fmt: skip
    assert outputs[0].stdout == outputs[1].stdout != ""
    assert outputs[0].returncode == outputs[1].returncode == 1


def test_watch_acts_again_when_a_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "01.yaml"
    file.write_text("a")
    calls: list[str] = []

    def act() -> None:
        calls.append(file.read_text())
        if len(calls) == 3:
            raise KeyboardInterrupt
        file.write_text(f"{len(calls)} and more")

    watch([tmp_path], act, pause_seconds=0.01)
    assert calls == ["a", "1 and more", "2 and more"]
