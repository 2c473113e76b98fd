"""The page of dice: luck where they were rolled, and a plain word where they were written."""

import shutil
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load
from tests.golden import ROOT
from tests.site.made import made

SNOWSHED = ROOT / "sessions" / "snowshed-nine"
TESTS_OF_LUCK = ("Chi-squared", "Luck, player by player", "to say anything about luck")


def page_of_dice(tmp_path: Path, dice: str) -> str:
    folder = tmp_path / (dice or "unsaid")
    shutil.copytree(SNOWSHED, folder)
    settings = (folder / "campaign.yaml").read_text(encoding="utf-8")
    assert settings.count("dice: written\n") == 1
    line = f"dice: {dice}\n" if dice else ""
    (folder / "campaign.yaml").write_text(
        settings.replace("dice: written\n", line), encoding="utf-8"
    )
    return made(folder).html("contests")


def test_written_dice_are_said_to_be_and_not_tested_for_luck(tmp_path: Path) -> None:
    page = page_of_dice(tmp_path, "written")
    assert "written for the story, not rolled" in page
    assert not [words for words in TESTS_OF_LUCK if words in page]
    # Every throw is listed all the same.
    assert "Everybody digs" in page


@pytest.mark.parametrize("dice", ["rolled", ""])
def test_rolled_dice_are_tested_for_luck(tmp_path: Path, dice: str) -> None:
    page = page_of_dice(tmp_path, dice)
    assert "not rolled" not in page
    assert [words for words in TESTS_OF_LUCK if words in page]
    assert "Everybody digs" in page


def test_all_play_examples_say_that_their_dice_are_written() -> None:
    folders = find_campaigns(ROOT / "sessions")
    assert folders
    assert [folder.name for folder in folders if not load(folder).has_written_dice] == []
