"""Installs game plug-ins for a test, without pip: files and metadata in a folder that goes on ``sys.path``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from chronicle import games
from chronicle.game_files import metadata
from chronicle.testkit import GameUnderTest
from tests.conftest import ROOT

LANTERNS = ROOT / "examples" / "lanterns"
"""The package of a small game outside of ``chronicle/``."""

FERRYMEN = ROOT / "tests" / "fixtures" / "ferrymen"
"""The package of a small game with turns, as a newcomer writes it."""
Change = Callable[..., GameUnderTest]


def forget() -> None:
    """Let no later test find the modules of the game."""
    for name in [name for name in sys.modules if name.startswith("chronicle_ferrymen")]:
        del sys.modules[name]
    games.forget_plugins()


def install(package: Path, target: Path) -> None:
    """Install the package of a folder with a ``pyproject.toml`` into a folder for ``sys.path``."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    values = project["entry-points"]["chronicle.games"]
    for value in values.values():
        name = value.partition(":")[0].partition(".")[0]
        shutil.copytree(package / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    write_metadata(target, project["name"], project["version"], values)


def write_metadata(target: Path, package: str, version: str, games: dict[str, str]) -> None:
    """Let Python know of a package with these games: names, and ``module:Class``."""
    for path, data in metadata(package, version, games).items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)


def chronicle(
    target: Path, *words: str, cwd: Path, code: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command where the packages of a folder are installed; it has to end with an exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "chronicle", *words],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": f"{target}{os.pathsep}{ROOT}", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done
