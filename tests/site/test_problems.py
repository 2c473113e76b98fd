"""Problems in a log: every part of Chronicle counts them alike, and whoever builds or serves a site sees errors."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from mkdocs.exceptions import Abort

from chronicle.campaigns import find_campaigns, load, open_view
from chronicle.cli.app import chronicle
from chronicle.core.corpus import campaign_figures
from chronicle.core.edits import edit
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.workspace import Workspace
from tests.golden import BROKEN, ROOT
from tests.sample import some
from tests.site.project import build, listening, make_project

SEVERITIES = ("error", "warning", "note")
BROKEN_CAMPAIGNS = find_campaigns(BROKEN)


def counts_in(text: str) -> dict[str, int]:
    """The counts that a sentence says."""
    return {name: int(count) for count, name in re.findall(r"(\d+) (error|warning|note)s?\b", text)}


def of(counts: dict[str, int], *names: str) -> dict[str, int]:
    """Some of the counts, without those that are zero."""
    return {name: counts[name] for name in names if counts.get(name)}


def checked(folder: Path, *options: str) -> str:
    """What ``chronicle check`` prints."""
    done = CliRunner().invoke(chronicle, ["check", str(folder), *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done.stdout


def badge(page: Path) -> dict[str, int]:
    """What the badge of a page says that the check found."""
    match = re.search(r'<p class="ch-check [^>]*>.*?</p>', page.read_text(encoding="utf-8"), re.S)
    assert match is not None, page
    return counts_in(re.sub(r"<[^>]*>", "", match[0]))


@pytest.mark.integration
@pytest.mark.parametrize("folder", some(BROKEN_CAMPAIGNS, 2), ids=lambda folder: folder.name)
def test_problems_are_counted_alike_everywhere(folder: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", folder, reference=False, desk=False)
    home = project / "sessions" / folder.name
    listed = json.loads(checked(home, "--format", "json"))["diagnostics"]
    counts = {
        name: count
        for name in SEVERITIES
        if (count := sum(problem["severity"] == name for problem in listed))
    }
    assert counts["error"]
    # The command line.
    assert counts_in(checked(home).splitlines()[-1].partition(" in ")[0]) == counts
    assert counts_in(checked(home, "--all").splitlines()[-1].partition(" in ")[0]) == counts
    annotations = re.findall(
        r"^::(error|warning|notice) ", checked(home, "--format", "github"), re.M
    )
    assert len(annotations) == sum(counts.values())
    state = CliRunner().invoke(chronicle, ["state", str(home)]).stdout
    assert counts_in(state[state.index("The log has") :]) == of(counts, "error")
    assert len(Workspace(home).findings()) == sum(counts.values())
    # The desk.
    desk = Desk(CampaignRoom(home.parent, edit))
    answer = desk.ask({"id": 1, "ask": "findings", "campaign": folder.name})["answer"]
    opened = desk.ask({"id": 2, "ask": "open", "campaign": folder.name})["answer"]
    assert of(answer["counts"], *SEVERITIES) == of(opened["summary"], *SEVERITIES) == counts
    # Figures, the log of a build, and pages.
    view = open_view(load(home, root=project))
    assert campaign_figures(view).counts_of("sizes").get(("errors",), 0) == counts["error"]
    site, logged = build(project)
    (summary,) = (
        line for line in logged if line.startswith(f"chronicle: sessions/{folder.name}: ")
    )
    assert counts_in(summary.partition(" in ")[0]) == counts
    pages = site / folder.name
    assert badge(pages / "check.html") == of(counts, "error", "warning")
    foot = re.search(
        r'class="ch-foot__home"><span>([^<]*)\. ', (pages / "index.html").read_text("utf-8")
    )
    assert foot is not None and counts_in(foot[1]) == of(counts, "error", "warning")
    heads = re.findall(r"<h2[^>]*>([^<]*)", (pages / "check.html").read_text(encoding="utf-8"))
    assert counts_in(" ".join(heads)) == counts
    sessions = [path for path in (pages / "sessions").glob("*.html") if path.stem.isdigit()]
    in_sessions = [badge(page) for page in sessions]
    at_entries = sum(badge.get("error", 0) for badge in in_sessions)
    record = view.record
    own = [
        diagnostic
        for diagnostic in record.diagnostics
        if diagnostic.step_number and diagnostic.is_reported
    ]
    assert at_entries == sum(str(problem.severity) == "error" for problem in own)


def test_some_of_them_have_problems_that_follow_from_others() -> None:
    assert any(
        diagnostic.dependents
        for folder in BROKEN_CAMPAIGNS
        for diagnostic in Workspace(folder).diagnostics
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a campaign that is clean and one that has errors."""
    clean = ROOT / "sessions" / "the-boathouse"
    return make_project(
        tmp_path / "project", clean, BROKEN / "positive", reference=False, desk=False
    )


@pytest.mark.integration
def test_a_build_tells_errors_and_goes_on(project: Path) -> None:
    site, (report,) = build(project)
    first, *errors, last = report.splitlines()
    assert first.startswith("chronicle: sessions/positive: ")
    assert len(errors) == 3
    for error in errors:
        assert re.match(r"  sessions/positive/[^:]+\.yaml:\d+:\d+: error\[\w+\]: ", error)
    summary, _, command = last.partition("show all:  ")
    assert int(summary.split()[0]) == counts_in(first)["error"] - 3
    assert checked(Path(command.split()[-1])) == checked(project / "sessions" / "positive")
    assert (site / "positive" / "check.html").is_file()


@pytest.mark.integration
def test_a_strict_build_fails_on_errors(project: Path) -> None:
    with pytest.raises(Abort), listening() as heard:
        build(project, strict=True)
    assert re.fullmatch(r"chronicle: \d+ errors in the logs of 1 campaign", heard[-1])
    shutil.rmtree(project / "sessions" / "positive")
    _, logged = build(project, strict=True)
    assert logged == []


@pytest.mark.integration
@pytest.mark.parametrize(
    "command",
    some(
        [
            ["-m", "mkdocs", "build"],
            ["-m", "chronicle", "build"],
            ["-m", "chronicle", "build", "--each"],
        ],
        1,
    ),
    ids=" ".join,
)
def test_every_command_that_builds_tells_errors(project: Path, command: list[str]) -> None:
    for strict in (True, False):
        done = subprocess.run(
            [sys.executable, *command, *(["--strict"] if strict else [])],
            cwd=project,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
            capture_output=True,
            encoding="utf-8",
        )
        assert bool(done.returncode) is strict, done.stderr
        assert re.search(r"sessions/positive: \d+ errors", done.stderr), done.stderr
        assert "chronicle check sessions/positive" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.integration
def test_whoever_serves_is_told_of_errors_of_each_change(project: Path, tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = project / "sessions" / "the-boathouse" / "02.yaml"
    with heard.open("w", encoding="utf-8") as stream:
        serving = subprocess.Popen(
            [sys.executable, "-m", "chronicle", "serve", "--port", str(port)],
            cwd=project,
            stdout=stream,
            stderr=stream,
        )

    def answers() -> bool:
        with suppress(OSError):
            return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/").status)
        return False

    def until(true: Callable[[], bool]) -> bool:
        for _ in range(600):
            if true():
                return True
            assert serving.poll() is None, heard.read_text(encoding="utf-8")
            time.sleep(0.1)
        return False

    def was_told(words: str) -> bool:
        return until(lambda: words in heard.read_text(encoding="utf-8"))

    try:
        assert was_told("sessions/positive: "), heard.read_text(encoding="utf-8")
        assert until(answers)
        assert "sessions/the-boathouse: " not in heard.read_text(encoding="utf-8")
        with log.open("a", encoding="utf-8") as session:
            session.write("- scene: {}\n- tel: It rains.\n")
        assert was_told("sessions/the-boathouse: "), heard.read_text(encoding="utf-8")
        # What stands as it did is not told again.
        assert heard.read_text(encoding="utf-8").count("sessions/positive: ") == 1
    finally:
        serving.kill()
        serving.wait()
