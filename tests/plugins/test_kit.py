"""``chronicle game``: the package that it starts passes, and the test kit finds what is wrong with a game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from chronicle import games
from chronicle.cli.game_project import game_package_files
from chronicle.testkit import CHECKS, game_under_test, run_check
from chronicle.testkit.cases import read_cases, write_case
from tests.conftest import ROOT
from tests.plugins.installing import LANTERNS, chronicle, write_metadata
from tests.plugins.test_api import foreign

PLAY = "chronicle_lanterns/__init__.py"
EFFECT = """    def apply(self, play: Table) -> None:
        if self.by == "Bo":
            play.illegal("L5", "this is wrong")
        self.go_on(play)

    def go_on(self, play"""
"""A problem that no guard foresees."""
GUARD = """play.state.lit.append("x")
        return f"{player} lit"""
"""A guard that changes the state."""
HIDING = """class Share(api.Action):
    @classmethod
    def candidates(cls, play: Table) -> list[dict[str, str]]:
        return []

"""
"""A verb whose candidates are wrong."""
CASES = "chronicle_lanterns/cases/lanterns.case"


@pytest.fixture
def nothing(tmp_path: Path) -> Path:
    """A folder without packages."""
    folder = tmp_path / "none"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", ["lamps", "our-long-night2"])
def test_a_new_package_passes_every_check(name: str, nothing: Path, tmp_path: Path) -> None:
    assert f"cd {name}" in chronicle(nothing, "game", "new", name, cwd=tmp_path).stdout
    package = tmp_path / name
    output = chronicle(nothing, "game", "check", cwd=package).stdout
    assert f"All {len(CHECKS)} checks passed." in output
    assert "R1    checked  R1 a token goes into the hand" in output
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."]
    done = subprocess.run(
        words,
        cwd=package,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert f"{len(CHECKS)} passed" in done.stdout, done.stdout
    # Nothing that is there is overwritten, and no second game has the name.
    output = chronicle(nothing, "game", "new", name, cwd=tmp_path, code=2).stderr
    assert "is there already, and nothing is overwritten" in output


def test_a_new_package_imports_the_api_alone() -> None:
    sources = [text for file, text in game_package_files("lamps").items() if file.endswith(".py")]
    assert len(sources) == 3
    assert [name for source in sources for name in foreign(source)] == []


def test_a_new_package_is_typed(tmp_path: Path) -> None:
    for file, text in game_package_files("lamps").items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "chronicle_lamps"],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["Lamps", "my_game", "../x", "-", "positive"])
def test_a_name_that_no_game_can_have_is_refused(name: str, nothing: Path, tmp_path: Path) -> None:
    done = chronicle(nothing, "game", "new", "--", name, cwd=tmp_path, code=2)
    assert f"'{name}'" in done.stderr
    assert [*tmp_path.iterdir()] == [nothing]


@pytest.mark.parametrize(
    ("check", "file", "old", "new", "output"),
    [
        ("rules", PLAY, "L5 Sharing", "L4 Sharing", "two rules have the id L4"),
        ("proof", CASES, "#! L3 Ana lit the last lantern", "", "no case breaks L3"),
        ("proof", CASES, "storm_none: oil", "", "no case plays the reading 'oil' of LA1"),
        (
            "cases",
            CASES,
            "assert: {oil: {Ana: 2}}",
            "assert: {oil: {Ana: 1}}",
            "not expected: lanterns.case:",
        ),
        ("cases", CASES, "L3 Ana lit", "L3 Bo lit", "not found: L3 'Bo lit the last lantern'"),
        (
            "asking",
            PLAY,
            "oil = tuple(",
            "play.state.last = 'Bo'\n        oil = tuple(",
            "record differs",
        ),
        ("verbs", PLAY, '"storm: 2\\n', '"sturm: 2\\n', "the example of 'storm'"),
        ("first campaign", "chronicle_lanterns/first/01.yaml", "by: Bo", "by: Ana", "L3 Ana lit"),
        (
            "random play",
            PLAY,
            'play.figure("oil", other)',
            "api.exactly(1)",
            "'share' was never offered",
        ),
        ("random play", PLAY, "    def apply(self, play", EFFECT, "L5 this is wrong"),
        (
            "resuming",
            PLAY,
            "class State:",
            "class State:\n    __getstate__ = lambda self: {}\n",
            "",
        ),
        ("guards", PLAY, 'return f"{player} lit', GUARD, "goes_round of 'light' changes"),
        ("moves", CASES, "- share: Bo\n  by: Ana\n", "", "no case plays 'share'"),
        ("moves", PLAY, "class Share(api.Action):", HIDING, "'share' is legal and not offered"),
        ("offered moves", PLAY, "    def apply(self, play", EFFECT, "L5 this is wrong"),
        (
            "sentences",
            PLAY,
            'with {}.", play.step.player',
            "with {}.\", 'Zoe'",
            "marks 'Zoe', who is unknown",
        ),
        (
            "keys",
            PLAY,
            'f"{self.die[0]} for the storm."',
            '"for the storm."',
            "storm: storm is silent: with another value",
        ),
        (
            "new names",
            PLAY,
            'api.new_name(LANTERN, "L2")',
            "api.label(api.NAME)",
            "'light' gives the same name twice",
        ),
        ("limits", PLAY, 'spend(f"oil:{play.step', 'move(f"oil:{play.step', "beyond its limit"),
        ("damage", PLAY, "play.state.lit.pop()", "play.state.lit[7]", "IndexError"),
    ],
)
def test_the_kit_finds_a_fault(
    check: str, file: str, old: str, new: str, output: str, tmp_path: Path
) -> None:
    """Each check finds a fault of its own; the same check finds nothing in the game as it is."""
    package = tmp_path / "lanterns"
    shutil.copytree(LANTERNS, package, ignore=shutil.ignore_patterns("__pycache__"))
    text = (package / file).read_text(encoding="utf-8")
    assert old in text
    (package / file).write_text(text.replace(old, new), encoding="utf-8")
    modules_before, paths = {*sys.modules}, [*sys.path]
    try:
        problems = run_check(check, game_under_test(package))
        assert problems
        assert output in "\n".join(problems)
    finally:
        sys.path[:] = paths
        for name in {*sys.modules} - modules_before:
            if name.startswith("chronicle_lanterns"):
                del sys.modules[name]
        games.forget_plugins()


def test_a_failed_check_is_shown_and_ends_with_1(nothing: Path, tmp_path: Path) -> None:
    package = tmp_path / "lanterns"
    shutil.copytree(LANTERNS, package, ignore=shutil.ignore_patterns("__pycache__"))
    text = (package / CASES).read_text(encoding="utf-8")
    (package / CASES).write_text(text.replace("L3 Ana lit", "L3 Bo lit"), encoding="utf-8")
    output = chronicle(nothing, "game", "check", "lanterns", cwd=tmp_path, code=1).stdout
    assert "  failed  cases\n" in output
    assert "1 check failed." in output


@pytest.mark.slow
def test_a_game_of_the_tree_is_tested_the_same_way(nothing: Path, tmp_path: Path) -> None:
    cases = str(ROOT / "tests" / "games" / "positive" / "cases")
    words = ("game", "check", "positive", "--cases", cases, "--seeds", "5")
    output = chronicle(nothing, *words, cwd=tmp_path).stdout
    assert f"All {len(CHECKS)} checks passed." in output


@pytest.mark.parametrize(
    ("text", "output"),
    [
        (None, "there is no pyproject.toml"),
        ("[project", "TOMLDecodeError"),
        ("[project]\nname = 'x'\n", "KeyError: 'entry-points'"),
        ("project = 3\n", "TypeError"),
    ],
)
def test_a_folder_without_a_game_is_refused(
    text: str | None, output: str, nothing: Path, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert output in chronicle(nothing, "game", "check", cwd=tmp_path, code=2).stderr
    assert (
        "no game 'nope'" in chronicle(nothing, "game", "check", "nope", cwd=nothing, code=2).stderr
    )


def test_the_place_of_an_import_error_is_shown(nothing: Path, tmp_path: Path) -> None:
    (nothing / "broken.py").write_text("import os\nimport numpie\n", encoding="utf-8")
    write_metadata(nothing, "chronicle-broken", "1.0", {"broken": "broken:Game"})
    output = chronicle_with_traceback(nothing, tmp_path)
    assert 'broken.py", line 2' in output
    assert "ModuleNotFoundError: No module named 'numpie'" in output
    assert "importlib" not in output


def chronicle_with_traceback(target: Path, cwd: Path) -> str:
    """What ``game check broken`` says on standard error."""
    done = chronicle(target, "game", "check", "broken", cwd=cwd, code=2)
    return done.stderr


def test_a_problem_of_a_case_has_its_line_in_the_case_file(tmp_path: Path) -> None:
    file = tmp_path / "cases" / "night.case"
    file.parent.mkdir()
    file.write_text(
        "game: lanterns\nplayers: [Ana]\n## (setup)\n- light: a\n\n## L1 one\n## with: {format: 1}\n- light: b\n---\n"
        "present: [Ana]\n- light: c\n",
        encoding="utf-8",
    )
    (case,) = read_cases(file)
    folder = write_case(case, tmp_path / "campaign")
    lines = file.read_text(encoding="utf-8").splitlines()
    for session in (1, 2):
        written = (folder / f"0{session}.yaml").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(written, 1):
            if line.strip() and not line.startswith(("session:", "log:")):
                _, _, place = case.place(session, number).partition(":")
                assert lines[int(place) - 1] == line
    assert case.place(1, 1) == "night.case:6"
