"""The shells complete what a campaign knows: run for real, each in its own way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.needs import program

BASH = """
eval "$(_CHRONICLE_COMPLETE=bash_source chronicle)"
COMP_WORDS=(chronicle {words}) COMP_CWORD={last}
_chronicle_completion chronicle 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
autoload -Uz compinit && compinit -D -u
eval "$(_CHRONICLE_COMPLETE=zsh_source chronicle)"
compadd() {{ print -l -- ${{(P)@[-1]}} }}
_describe() {{ print -l -- ${{(P)3}} }}
_path_files() {{ print -- files }}
words=(chronicle {words}) CURRENT={current}
_chronicle_completion
"""
FISH = """
_CHRONICLE_COMPLETE=fish_source chronicle | source
complete -C 'chronicle {words}'
"""
SHELLS = {"bash": (BASH, "--norc"), "zsh": (ZSH, "-f"), "fish": (FISH, "--no-config")}
"""What each shell runs, and with which option it reads no settings."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("table")
    for name in ("the-lantern-coast", "the-boathouse"):
        shutil.copytree(ROOT / "sessions" / name, home / name)
    (home / "bin").mkdir()
    program = home / "bin" / "chronicle"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m chronicle "$@"\n')
    program.chmod(0o755)
    return home


def completed(shell: str, words: str, table: Path) -> list[str]:
    """What a shell offers for the last of some words."""
    last = len(words.split(" "))
    script, plain = SHELLS[shell]
    environment = {
        **os.environ,
        "PATH": f"{table / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(table),
    }
    done = subprocess.run(
        [program(shell), plain, "-c", script.format(words=words, last=last, current=last + 1)],
        cwd=table, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    return done.stdout.splitlines()


@pytest.mark.parametrize("shell", SHELLS)
def test_campaigns_names_and_rules_are_completed(shell: str, table: Path) -> None:
    shown = completed(shell, "check the-l", table)
    assert any("the-lantern-coast" in line for line in shown), shown
    assert not any("the-boathouse" in line for line in shown)
    shown = completed(shell, "show --in the-lantern-coast Hes", table)
    assert any("Hester" in line and "Teague" in line for line in shown), shown
    shown = completed(shell, "explain --in the-lantern-coast U6.1", table)
    assert any(line.startswith("U6.11") for line in shown), shown
    assert any(line.startswith("check") for line in completed(shell, "che", table))


def test_a_name_of_two_words_is_one_for_bash(table: Path) -> None:
    assert completed("bash", "rename --in the-lantern-coast Hes", table) == ["Hester\\ Teague"]
    assert "Marit" in completed("bash", "unname --in the-lantern-coast Mar", table)


def test_what_cannot_be_read_completes_nothing_and_says_nothing(table: Path) -> None:
    broken = table / "broken"
    broken.mkdir()
    (broken / "campaign.yaml").write_text("game: [\n")
    assert completed("bash", "show --in broken He", table) in ([], [""])
