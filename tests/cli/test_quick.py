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
    seen = loaded("check", "sessions/the-boathouse")
    assert "chronicle.games.positive" in seen
    heavy = {"click", "mkdocs", "jinja2", "ruamel.yaml", "json", "difflib", "hashlib", "random",
             "shutil", "chronicle.core.campaign_view",
             "chronicle.site", "chronicle.publish", "chronicle.export",
             "chronicle.syntax.render", "chronicle.games.isolation",
             "chronicle.games.positive.view"}  # fmt: skip
    assert sorted(heavy & seen) == []


def test_a_clean_check_of_a_large_game_loads_no_pages_either() -> None:
    seen = loaded("check", "sessions/the-lantern-coast")
    heavy = {"click", "mkdocs", "jinja2", "ruamel.yaml", "json", "difflib", "random",
             "chronicle.core.campaign_view", "chronicle.site", "chronicle.games.universalis.view",
             "chronicle.games.universalis.proposals", "chronicle.games.universalis.rules"}  # fmt: skip
    assert sorted(heavy & seen) == []
    rooms = {name for name in seen if name.startswith("chronicle.games.universalis.addons.")}
    assert {name.rpartition(".")[2] for name in rooms} == {"adopting", "base", "catalogue"}


def test_the_version_loads_nothing_at_all() -> None:
    seen = loaded("--version")
    assert not {"click", "yaml", "chronicle.cli.app", "chronicle.cli.out"} & seen


def test_help_loads_no_command() -> None:
    seen = loaded("--help")
    assert "chronicle.cli.app" in seen
    assert not {"mkdocs", "yaml", "chronicle.campaigns", "chronicle.games.positive"} & seen


def test_the_quick_way_and_the_long_way_agree(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    (folder / "01.yaml").write_text("session: 1\nlog:\n- host: Nobody\n")
    said = [
        subprocess.run(
            [sys.executable, "-m", "chronicle", "check", *options, str(folder)],
            capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for options in ((), ("--format", "text"))
    ]  # fmt: skip
    assert said[0].stdout == said[1].stdout != ""
    assert said[0].returncode == said[1].returncode == 1


def test_watch_acts_again_when_a_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "01.yaml"
    file.write_text("a")
    seen: list[str] = []

    def act() -> None:
        seen.append(file.read_text())
        if len(seen) == 3:
            raise KeyboardInterrupt
        file.write_text(f"{len(seen)} and more")

    watch([tmp_path], act, pause=0.01)
    assert seen == ["a", "1 and more", "2 and more"]
