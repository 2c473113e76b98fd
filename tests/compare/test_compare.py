"""``python -m tests.compare`` finds a changed rule and a changed page, and nothing where nothing changed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.compare.__main__ import main
from tests.conftest import ROOT
from tests.sample import some

PROGRAM = ("chronicle", "templates", "tests", "benchmarks", "sessions", "pyproject.toml")

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout."""
    copy = tmp_path_factory.mktemp("unchanged")
    for name in PROGRAM:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "node_modules")
            shutil.copytree(ROOT / name, copy / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, copy)
    return copy


def changed(copy: Path, to: Path, file: str, old: str, new: str) -> Path:
    """A copy of a checkout in which one line is another."""
    shutil.copytree(copy, to)
    text = (to / file).read_text("utf-8")
    assert text.count(old) == 1
    (to / file).write_text(text.replace(old, new), "utf-8")
    return to


def compared(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, str]:
    """The exit code and the output of a comparison with a checkout."""
    monkeypatch.setattr(sys, "argv", ["compare", str(tree), "--jobs", "1", *options])
    code = main()
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    some([("--only", "cases", "--name=-01-"), ("--only", "random", "--only", "mutated")]),
    ids=["cases", "random and mutated"],
)
def test_nothing_differs_where_nothing_changed(
    options: tuple[str, ...],
    unchanged: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = ("--game", "positive", "--count", "2")
    code, text = compared(unchanged, monkeypatch, capsys, *options, *few)
    assert code == 0, text
    counts = [line for line in text.splitlines() if " compared, " in line]
    assert len(counts) == options.count("--only"), text
    assert all(line.endswith(" compared, 0 differ") for line in counts), text


def test_a_changed_rule_is_found(
    unchanged: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = "chronicle/games/positive/conflict.py"
    rule = (
        "elif sum(side.count for side in sides) > 1 or player in laid:",
        "elif sum(side.count for side in sides) > 2 or player in laid:",
    )
    tree = changed(unchanged, tmp_path / "other", file, *rule)
    options = ("--only", "cases", "--game", "positive", "--name", "p18")
    code, text = compared(tree, monkeypatch, capsys, *options)
    assert code == 1
    assert "check.diagnostics[]: " in text
    assert "lays down more than one commitment die" in text
    assert "before: (absent)" in text
    code, text = compared(
        tree, monkeypatch, capsys, *options, "--leave-out", "check", "--leave-out", "record",
        "--leave-out", "state", "--leave-out", "pages",
    )  # fmt: skip
    assert (code, " 0 differ" in text) == (0, True)


@pytest.mark.slow
def test_a_changed_page_is_found_line_by_line(
    unchanged: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = "chronicle/games/positive/view.py"
    words = ("Where everybody stood, and after", "Where somebody stood, and after")
    tree = changed(unchanged, tmp_path / "other", file, *words)
    options = ("--only", "examples", "--game", "positive")
    code, text = compared(tree, monkeypatch, capsys, *options)
    assert code == 1
    assert "pages[]" in text
    assert "Where somebody stood, and after which conflict." in text
    assert "Where everybody stood, and after which conflict." in text
    assert "check." not in text
    assert "record." not in text


def test_what_is_no_revision_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["compare", "no-such-revision"])
    with pytest.raises(SystemExit) as error:
        main()
    assert error.value.code == 2
    assert "'no-such-revision' is neither a revision that Git knows" in capsys.readouterr().err
