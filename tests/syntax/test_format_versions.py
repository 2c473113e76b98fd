"""The version of the format: older spellings are rewritten, and what is newer than we know is not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load
from chronicle.core.campaign import LOG_FORMAT_VERSION
from chronicle.core.game import Game
from chronicle.games import rulebook
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.format_versions import REWRITINGS, Rewriting, migrate_text, set_format_version
from chronicle.syntax.text_edit import EditRefused, tree_of
from tests.cli.test_cli import Chronicle
from tests.cli.test_cli import chronicle as chronicle

SETTINGS = """\
# ours
game: positive
title: The mill
players: [Ana, Bao, Cleo, Dov]   # clockwise
"""
OLD = """\
session: 1
log:
- tell: It rains   # a lot
  coins: 3  # so Ana said
  text: |
    coins: 5
- {tell: Wind, coins: 2, note: loud}
- {coins: 0, tell: Wind}
- {tell: Wind, note: "a
    b", coins: 4}
"""
NEW = """\
session: 1
log:
- tell: It rains   # a lot
  # coins: 3  # so Ana said
  text: |
    coins: 5
# coins: 2
- {tell: Wind, note: loud}
# coins: 0
- {tell: Wind}
# coins: 4
- {tell: Wind, note: "a
    b"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign from before versions were counted."""
    new_folder = tmp_path / "the-mill"
    new_folder.mkdir()
    (new_folder / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
    (new_folder / "01.yaml").write_text(OLD, encoding="utf-8")
    return new_folder


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")}


def test_a_price_of_what_has_none_becomes_a_comment_and_nothing_else_changes() -> None:
    rules = rulebook("positive")
    assert migrate_text(OLD, "01.yaml", rules, 0) == NEW
    assert migrate_text(NEW, "01.yaml", rules, 0) == NEW
    assert migrate_text(OLD, "01.yaml", rules, LOG_FORMAT_VERSION) == OLD
    crlf = OLD.replace("\n", "\r\n")
    assert migrate_text(crlf, "01.yaml", rules, 0) == NEW.replace("\n", "\r\n")


def test_what_has_a_price_keeps_it_also_inside_of_others() -> None:
    log = """\
session: 1
log:
- event: A bell
  coins: 1
- outcome:
    Ana:
    - event: The door
      coins: 1
    - tell: It creaks
      coins: 1
"""
    text_after = migrate_text(log, "01.yaml", rulebook("universalis"), 0)
    assert text_after == log.replace("creaks\n      coins", "creaks\n      # coins")


@pytest.mark.parametrize("settings", [SETTINGS, "{game: positive, title: T, players: [A, B]}\n"])
def test_settings_say_in_which_version_they_are(settings: str) -> None:
    once = set_format_version(settings, "campaign.yaml", 3)
    assert {**tree_of(settings, "c")} == {
        k: v for k, v in tree_of(once, "c").items() if k != "format"
    }
    assert "format: 3" in once
    assert set_format_version(once, "campaign.yaml", 4) == once.replace("format: 3", "format: 4")


def test_steps_follow_each_other_from_the_version_that_a_text_has() -> None:
    def rewriting_of(word: str, new_word: str) -> Rewriting:
        def rewrite(text: str, path: str, rules: Game[object]) -> str:
            return replace_words(text, path, {(3, 9): new_word}) if f": {word} " in text else text

        return Rewriting(int(new_word[-1]), new_word, rewrite)

    log = "session: 1\nlog:\n- tell: v0  # why\n"
    steps = [rewriting_of("v0", "v1"), rewriting_of("v1", "v2"), rewriting_of("v2", "v3")]
    rules = rulebook("positive")
    assert migrate_text(log, "01.yaml", rules, 0, steps) == log.replace("v0", "v3")
    assert migrate_text(log.replace("v0", "v1"), "01.yaml", rules, 1, steps) == log.replace(
        "v0", "v3"
    )
    assert migrate_text(log, "01.yaml", rules, 1, steps) == log


def test_a_rewriting_that_loses_a_comment_is_refused() -> None:
    lossy = Rewriting(1, "lossy", lambda text, path, rules: text.replace("  # why", ""))
    with pytest.raises(EditRefused, match="comment"):
        migrate_text("session: 1\nlog:\n- tell: x  # why\n", "1", rulebook("positive"), 0, [lossy])


def test_versions_count_up_to_the_one_that_is_written() -> None:
    assert [rewriting.version for rewriting in REWRITINGS] == [*range(1, LOG_FORMAT_VERSION + 1)]
    assert all(rewriting.description for rewriting in REWRITINGS)


def test_migrate_shows_then_writes_everything_once(folder: Path, chronicle: Chronicle) -> None:
    files_before = files(folder)
    shown = chronicle("migrate", folder, "--diff")
    assert shown.code == 0
    assert "+  # coins: 3  # so Ana said" in shown.out
    assert f"+format: {LOG_FORMAT_VERSION}" in shown.out
    assert files(folder) == files_before
    done = chronicle("migrate", folder)
    assert done.code == 0
    assert "+  # coins: 3" in done.out
    assert files(folder) == {
        "campaign.yaml": SETTINGS.replace("game:", f"format: {LOG_FORMAT_VERSION}\ngame:"),
        "01.yaml": NEW,
    }
    assert chronicle("check", folder).code == 0
    second_run = chronicle("migrate", folder)
    assert second_run.code == 0
    assert "up to date" in second_run.out


def test_nothing_is_written_where_one_file_cannot_be(folder: Path, chronicle: Chronicle) -> None:
    (folder / "02.yaml").write_text("session: 2\nlog:\n- tell: x\n  coins: [3]\n", "utf-8")
    files_before = files(folder)
    run = chronicle("migrate", folder)
    assert run.code == 2
    assert "02.yaml:4" in run.err
    assert files(folder) == files_before


def test_the_finding_about_such_a_price_leads_to_migrate(folder: Path) -> None:
    diagnostics = load(folder).diagnostics
    assert {diagnostic.code for diagnostic in diagnostics} == {"T22"}
    assert all("chronicle migrate" in diagnostic.help[0] for diagnostic in diagnostics)


def test_what_is_newer_than_we_know_is_one_finding(folder: Path, chronicle: Chronicle) -> None:
    file = folder / "campaign.yaml"
    file.write_text(
        f"{SETTINGS}format: {LOG_FORMAT_VERSION + 1}\nunheard of: [1]\n", encoding="utf-8"
    )
    with pytest.raises(CampaignUnreadable) as refused:
        load(folder)
    assert [diagnostic.code for diagnostic in refused.value.diagnostics] == ["T87"]
    run = chronicle("check", folder)
    assert run.code == 1
    assert run.out.count("error[") == 1
    assert f"version {LOG_FORMAT_VERSION}" in run.out
    assert chronicle("migrate", folder).code == 2
