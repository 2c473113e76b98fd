"""What a fresh project gives to GitHub, to GitLab and to pre-commit, run in a scratch repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import yaml

from chronicle.cli import main
from tests.conftest import ROOT
from tests.needs import program


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    home = tmp_path / "ours"
    assert main(["new", str(home), "--game", "positive"]) == 0
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run([program("git"), *words], cwd=home, check=True)
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "chronicle").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m chronicle "$@"\n')
    (bin / "chronicle").chmod(0o755)
    return home


def run(line: str, home: Path) -> subprocess.CompletedProcess[str]:
    path = f"{home.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        ["sh", "-c", line], cwd=home, env=environment, capture_output=True, text=True, timeout=300
    )


def wrong(home: Path) -> None:
    log = home / "sessions" / home.name / "01.yaml"
    log.write_text(log.read_text(encoding="utf-8") + "-   evnt:   x\n", encoding="utf-8")


def shared(line: str, share: int, of: int) -> str:
    """A line of a workflow as it runs in one job of a matrix."""
    for name, value in (("matrix.share", share), ("strategy.job-total", of)):
        line = line.replace(f"${{{{ {name} }}}}", str(value))
    assert "${{" not in line
    return line


def shell_lines(job: Any) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_workflow_for_github_checks_and_builds(repository: Path) -> None:
    text = (repository / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    jobs = workflow["jobs"]
    # YAML 1.1 reads the word on as yes.
    assert "pull_request" in workflow[True] and jobs["publish"]["needs"] == "check"
    assert "pull_request" in jobs["publish"]["if"]
    install, check = shell_lines(jobs["check"])
    assert install == "pip install -r requirements.txt"
    assert jobs["check"]["strategy"]["matrix"] == {"share": [1]}
    alone = shared(check, 1, 1)
    assert run(alone, repository).returncode == 0
    (build,) = shell_lines(jobs["publish"])[1:]
    done = run(build, repository)
    assert done.returncode == 0, done.stderr
    (artifact,) = [
        step["with"]["path"] for step in jobs["publish"]["steps"] if "path" in step.get("with", {})
    ]
    assert (repository / artifact / "index.html").is_file()
    assert not run("git status --porcelain -- site", repository).stdout, "what is built is ignored"
    wrong(repository)
    done = run(alone, repository)
    assert done.returncode == 1 and re.search(r"^::error file=sessions/", done.stdout, re.MULTILINE)


def test_the_template_for_gitlab_checks_and_builds(repository: Path) -> None:
    pipeline = yaml.safe_load((repository / ".gitlab-ci.yml").read_text(encoding="utf-8"))
    assert pipeline["before_script"] == ["pip install -r requirements.txt"]
    assert pipeline["pages"]["needs"] == ["check"]
    for line in (*pipeline["check"]["script"], *pipeline["pages"]["script"]):
        done = run(line, repository)
        assert done.returncode == 0, (line, done.stderr)
    (public,) = pipeline["pages"]["artifacts"]["paths"]
    assert (repository / public / "index.html").is_file()
    wrong(repository)
    assert [run(line, repository).returncode for line in pipeline["check"]["script"]] == [1]


def test_jobs_of_a_matrix_share_the_campaigns(repository: Path) -> None:
    campaign_folder = repository / "sessions" / repository.name
    for n in range(3):
        copytree(campaign_folder, repository / "sessions" / f"more-{n}")
    wrong(repository)
    github = yaml.safe_load((repository / ".github/workflows/publish.yml").read_text("utf-8"))
    gitlab = yaml.safe_load((repository / ".gitlab-ci.yml").read_text("utf-8"))
    check = shell_lines(github["jobs"]["check"])[1]
    (line,) = gitlab["check"]["script"]
    codes = [run(shared(check, n, 3), repository).returncode for n in (1, 2, 3)]
    assert sorted(codes) == [0, 0, 1]
    counted = "CI_NODE_INDEX={} CI_NODE_TOTAL=3; export CI_NODE_INDEX CI_NODE_TOTAL; {}"
    assert [run(counted.format(n, line), repository).returncode for n in (1, 2, 3)] == codes


def test_the_hooks_of_pre_commit_hold_and_tidy(repository: Path) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    by_id = {hook["id"]: hook for hook in hooks}
    assert set(by_id) == {"chronicle-check", "chronicle-fmt"}
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= set(hook) and hook["language"] == "python"
        assert not hook["pass_filenames"] and hook["require_serial"]
        assert re.search(hook["files"], "sessions/ours/01.yaml")
        assert not re.search(hook["files"], "docs/picture.png")
        assert run(hook["entry"], repository).returncode == 0, hook
    assert "rev: <until the first release" in (ROOT / "docs" / "editors.md").read_text("utf-8")
    log = repository / "sessions" / "ours" / "01.yaml"
    text_before = log.read_text(encoding="utf-8")
    wrong(repository)
    assert run(by_id["chronicle-check"]["entry"], repository).returncode == 1
    run(by_id["chronicle-fmt"]["entry"], repository)
    assert log.read_text(encoding="utf-8") == f"{text_before}- evnt: x\n", (
        "a hook that changes files stops"
    )
