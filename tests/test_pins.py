"""Pins: what a version made of a campaign is kept, and told once where another one reads it differently."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from chronicle import __version__
from chronicle.campaigns import find_campaigns, load
from chronicle.core.pin_file import PIN_FILE, pinned_version
from chronicle.pins import (
    changelog_line_by_rule,
    changes_since_pin,
    compare_with_pin,
    pin_data_of,
    pin_file_of,
)
from tests.cli.test_cli import Chronicle
from tests.cli.test_cli import chronicle as chronicle
from tests.conftest import ROOT

Pin = dict[str, Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign that is pinned with this version."""
    copied = tmp_path / "the-boathouse"
    shutil.copytree(ROOT / "sessions" / "the-boathouse", copied)
    file, data = pin_file_of(load(copied))
    file.write_bytes(data)
    return copied


def older(folder: Path) -> Pin:
    """The pin as an older version might have written it: a figure, a finding and a scene otherwise."""
    pin: Pin = json.loads((folder / PIN_FILE).read_text(encoding="utf-8"))
    pin["chronicle"] = "0.0.1"
    first = pin["sessions"][0]
    first["findings"].append([9, "P18"])
    dice = first["scenes"][0]["figures"]["dice"]
    dice["Ana"] = str(int(dice["Ana"]) + 1)
    (folder / PIN_FILE).write_text(json.dumps(pin), encoding="utf-8")
    return pin


def test_what_was_pinned_reads_the_same(folder: Path, chronicle: Chronicle) -> None:
    assert compare_with_pin(load(folder)) == (__version__, [], "")
    assert changes_since_pin(load(folder)) is None
    output = chronicle("pin", folder)
    assert output.code == 0
    assert output.out.startswith("unchanged: ")
    assert chronicle("pin", "--compare", folder).code == 0


def test_a_pin_holds_figures_at_the_end_of_every_scene(folder: Path) -> None:
    sessions = pin_data_of(load(folder))["sessions"]
    assert sum(len(session["scenes"]) for session in sessions) >= 5
    assert all(
        {"dice", "track"} <= end["figures"].keys()
        for session in sessions
        for end in session["scenes"]
    )


def test_an_upgrade_is_told_in_one_finding(folder: Path, chronicle: Chronicle) -> None:
    older(folder)
    changes = changes_since_pin(load(folder))
    assert changes is not None
    assert changes.code == "T86"
    assert "2 things of this campaign read differently since Chronicle 0.0.1" in changes.message
    checked = chronicle("check", folder, "--format", "json")
    assert checked.out.count('"T86"') == 1
    output = chronicle("pin", "--compare", folder)
    assert output.code == 1
    assert "01.yaml:9:1: problem P18: reported, now not reported" in output.out
    assert "Ana's dice" in output.out
    chronicle("pin", folder)
    assert changes_since_pin(load(folder)) is None


def test_the_changelog_explains_a_difference(folder: Path) -> None:
    older(folder)
    version, changes, _ = compare_with_pin(load(folder))
    newer = "- P18: nobody backs\n  twice.\n\n#### Slow Burn\n\n- P181: else."
    log = f"# Changes\n\n## 0.0.2\n\n{newer}\n\n## 0.0.1\n\n- P18 dice.\n"
    assert changelog_line_by_rule(changes, version, log) == {"P18": "P18: nobody backs twice."}


def test_a_text_that_was_changed_is_not_compared(folder: Path) -> None:
    older(folder)
    second = folder / "02.yaml"
    second.write_text(second.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    _, changes, changed = compare_with_pin(load(folder))
    assert (len(changes), changed) == (2, "02.yaml")
    settings = folder / "campaign.yaml"
    settings.write_text(settings.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert compare_with_pin(load(folder))[1:] == ([], "campaign.yaml")


@pytest.mark.parametrize(
    "text", ["", "{}", "[" * 5000, '{"pin": 1, "sessions": [1]}', '{"pin": 99}']
)
def test_a_pin_that_is_none_is_said_so(folder: Path, text: str, chronicle: Chronicle) -> None:
    (folder / PIN_FILE).write_text(text, encoding="utf-8")
    assert pinned_version(folder) == "?"
    changes = changes_since_pin(load(folder))
    assert changes is not None and changes.code == "T86"
    assert chronicle("pin", "--compare", folder).code == 2
    assert chronicle("pin", folder).code == 0
    assert pinned_version(folder) == __version__


def test_a_pin_says_nothing_that_readers_may_not_see(folder: Path) -> None:
    settings = folder / "campaign.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("[Ana,", "[{name: Ana, publish as: Zora},"), encoding="utf-8")
    log = folder / "01.yaml"
    log_text = "log:\n- secret: Eli is gone by morning\n  id: gone-by-morning\n"
    log.write_text(log.read_text(encoding="utf-8").replace("log:\n", log_text, 1), encoding="utf-8")
    pin = pin_file_of(load(folder))[1].decode()
    assert "Zora" in pin
    assert "Ana" not in pin
    assert "morning" not in pin


@pytest.mark.parametrize("folder", find_campaigns(ROOT / "sessions"), ids=lambda path: path.name)
def test_every_game_has_figures_to_pin(folder: Path) -> None:
    pin = pin_data_of(load(folder))
    ends = [end["figures"] for session in pin["sessions"] for end in session["scenes"]]
    assert all(session["scenes"] for session in pin["sessions"]), "an evening without figures"
    assert all(len(figures) > 1 for figures in ends)
