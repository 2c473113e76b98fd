"""Game plug-ins are found by their entry points; one that cannot be used is reported and stops no other game."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import games
from chronicle.core.game_info import GameUnavailable
from tests.plugins.installing import LANTERNS, chronicle, install, write_metadata

GOOD_MODULE = """
from chronicle import api


class Good(api.Game[None]):
    {line}
    name = "good"
    title = "Good"
    summary = "A game without verbs."
"""


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for packages, on ``sys.path``."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    games.forget_plugins()
    modules_before = {*sys.modules}
    yield folder
    for name in {*sys.modules} - modules_before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
    games.forget_plugins()


def write_module(
    target: Path, module: str, text: str, package: str = "", game: str = "good"
) -> None:
    """Install a package of one module, ``module``, with one game, the class ``Good``."""
    (target / f"{module}.py").write_text(text, encoding="utf-8")
    write_metadata(target, package or f"chronicle-{module}", "1.0", {game: f"{module}:Good"})


def test_a_game_of_an_installed_package_is_found(target: Path) -> None:
    assert not games.is_game("lanterns")
    install(LANTERNS, target)
    games.forget_plugins()
    assert games.is_game("lanterns")
    assert games.game_names() == tuple(sorted([*games.GAMES, "lanterns"]))
    assert games.rulebook("lanterns").title == "Lanterns"
    assert [rules.name for rules in games.rulebooks()] == [*games.game_names()]


def test_a_game_of_this_folder_is_found_without_looking_for_packages(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise AssertionError("packages are looked for")

    monkeypatch.setattr(games, "find_plugins", refuse)
    for name in games.GAMES:
        assert games.is_game(name)
        games.rulebook(name)
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("import numpie", "cannot be loaded: ModuleNotFoundError: No module named 'numpie'"),
        ("class Bad: pass", "cannot be loaded: AttributeError"),
        ("import sys; sys.exit(3)", "cannot be loaded: SystemExit: 3"),
        ("def f(:", "cannot be loaded: SyntaxError"),
        ("class Good: pass", "broken:Good is no subclass of chronicle.api.Game"),
        (GOOD_MODULE.format(line="api_version = 99"), "is written for version 99 of the game API"),
        (
            GOOD_MODULE.format(line="").replace('"good"', '"other"'),
            "its class calls the game 'other'",
        ),
    ],
)
def test_a_broken_plugin_is_reported_once_and_the_others_work(
    target: Path, caplog: pytest.LogCaptureFixture, text: str, output: str
) -> None:
    write_module(target, "broken", text)
    install(LANTERNS, target)
    games.forget_plugins()
    for _ in range(2):
        working = [rules.name for rules in games.rulebooks()]
        assert working == [name for name in games.game_names() if name != "good"]
    (line,) = [record.getMessage() for record in caplog.records]
    assert output in line
    assert "the game 'good' of the package chronicle-broken 1.0" in line
    with pytest.raises(GameUnavailable, match=r"chronicle-broken 1\.0") as raised:
        games.rulebook("good")
    if "no subclass" not in output:
        assert raised.value.help


def test_two_packages_with_one_name_of_a_game_are_reported(
    target: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_module(target, "one", GOOD_MODULE.format(line=""))
    write_module(target, "two", GOOD_MODULE.format(line=""))
    games.forget_plugins()
    assert "good" not in [rules.name for rules in games.rulebooks()]
    (line,) = [record.getMessage() for record in caplog.records]
    assert "2 packages bring a game named 'good': chronicle-one 1.0, chronicle-two 1.0" in line
    with pytest.raises(GameUnavailable) as raised:
        games.rulebook("good")
    assert raised.value.help == ("pip uninstall chronicle-one", "pip uninstall chronicle-two")


def test_a_package_cannot_take_the_place_of_a_game_of_chronicle(
    target: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_module(target, "mine", GOOD_MODULE.format(line=""), game="positive")
    games.forget_plugins()
    assert games.rulebook("positive").title == "Positive (+)"
    caplog.set_level(logging.WARNING)
    assert [rules.name for rules in games.rulebooks()] == [*games.GAMES]
    (line,) = [record.getMessage() for record in caplog.records]
    assert "chronicle-mine 1.0 brings a game named 'positive'" in line
    assert "pip uninstall chronicle-mine" in line


def test_a_name_that_could_be_a_path_is_refused(
    target: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_module(target, "mine", GOOD_MODULE.format(line=""), game="../x")
    games.forget_plugins()
    assert [rules.name for rules in games.rulebooks()] == [*games.GAMES]
    assert "the name of a game is lower-case letters" in caplog.records[0].getMessage()


def test_a_game_that_is_not_installed_is_named_with_the_way_to_get_it(
    target: Path, tmp_path: Path
) -> None:
    settings = "game: lanterns\ntitle: T\nplayers: [Ana]\n"
    (tmp_path / "campaign.yaml").write_text(settings, encoding="utf-8")
    done = chronicle(target, "check", cwd=tmp_path, code=1)
    assert "error[T40]: no game 'lanterns'" in done.stdout
    assert "pip install -r requirements.txt" in done.stdout


def test_a_campaign_of_a_broken_plugin_gets_one_message(target: Path, tmp_path: Path) -> None:
    write_module(target, "broken", "import numpie")
    campaign = tmp_path / "table"
    campaign.mkdir()
    (campaign / "campaign.yaml").write_text("game: good\ntitle: T\nplayers: [Ana]\n", "utf-8")
    output = chronicle(target, "check", "table", cwd=tmp_path, code=1).stdout
    assert (
        "error[T40]: the game 'good' of the package chronicle-broken 1.0 cannot be loaded" in output
    )
    assert "No module named 'numpie'" in output
    assert "campaign.yaml:1" in output
    assert output.count("numpie") == 1
    done = chronicle(target, "explain", "positive", cwd=tmp_path)
    assert "Positive (+)" in done.stdout
    done = chronicle(target, "new", "x", "--game", "good", cwd=tmp_path, code=2)
    assert "chronicle: the game 'good' of the package chronicle-broken 1.0" in done.stderr
    done = chronicle(target, "explain", "no such words", cwd=target, code=2)
    assert done.stderr.count("numpie") == 1
