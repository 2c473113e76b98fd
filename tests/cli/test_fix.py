"""``check --fix``: what is evident is mended and proved, what is not is left alone."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.diagnostic import Diagnostic
from chronicle.services.misspelt import correct_misspelt
from chronicle.workspace import Workspace
from tests.cli.test_cli import Chronicle
from tests.cli.test_cli import chronicle as chronicle
from tests.conftest import ROOT
from tests.games.test_battery import VERB

EXAMPLES = find_campaigns(ROOT / "sessions")


def _misspelt(folder: Path, to: Path) -> tuple[Path, str]:
    """A copy of a campaign with two letters of one verb in the wrong order: the file, and its text
    before."""
    copy = Path(shutil.copytree(folder, to / "copy"))
    file = sorted(path for path in copy.glob("*.yaml") if path.name != "campaign.yaml")[0]
    text = file.read_text(encoding="utf-8")
    entry = VERB.search(text, text.index("\nlog:"))
    assert entry is not None
    verb = entry["verb"]
    broken = text[: entry.start("verb")] + verb[0] + verb[2] + verb[1] + verb[3:]
    file.write_text(broken + text[entry.end("verb") :], encoding="utf-8")
    return file, text


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_a_misspelt_verb_is_mended_to_the_letter(
    folder: Path, tmp_path: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, text = _misspelt(folder, tmp_path)
    monkeypatch.chdir(tmp_path)
    lines_before = chronicle("check", "copy").out.splitlines()
    assert lines_before[-2].startswith(
        "1 misspelt word: 'chronicle check --fix' shows and writes '"
    )
    completed = chronicle("check", "copy", "--fix")
    assert file.read_text(encoding="utf-8") == text
    assert completed.code == 0
    assert f"wrote copy/{file.name}" in completed.out
    rows = [row for row in completed.out.splitlines() if row.startswith(("+", "-"))]
    shown = [row for row in rows if not row.startswith(("+++", "---"))]
    assert [row[0] for row in shown] == ["-", "+"], "the change was shown before it was written"
    second_run = chronicle("check", "copy", "--fix")
    assert "wrote" not in second_run.out


@pytest.mark.parametrize("verb", ["aside: hello\n  by: Marex", "scene: unrecorded\n  with: 3"])
def test_nothing_is_promised_that_is_not_written(
    verb: str, tmp_path: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: positive\ntitle: T\nplayers: [Marek, Maren, Ines, Bo]\n", "utf-8"
    )
    (tmp_path / "01.yaml").write_text(f"session: 1\nlog:\n- {verb}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert "check --fix" not in chronicle("check").out


def test_of_two_ways_one_is_chosen_or_none(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: positive\ntitle: T\nplayers: [Marek, Maren, Ines, Bo]\n", "utf-8"
    )
    text = "session: 1\npresent: [Marex, Ines, Bo]\nlog:\n- aside: hello\n"
    file = (tmp_path / "01.yaml").resolve()
    file.write_text(text, "utf-8")
    questions: list[list[str]] = []

    def choose(_: Diagnostic, words: Sequence[str]) -> str:
        questions.append([*words])
        return ""

    texts = {file: text}
    done, open_problems = correct_misspelt(
        Workspace(tmp_path), texts, lambda _diagnostic: True, choose
    )
    assert (done, len(open_problems), len(questions)) == ([], 1, 1)
    assert sorted(questions[0]) == ["Marek", "Maren"]
    assert texts == {file: text}
    done, open_problems = correct_misspelt(
        Workspace(tmp_path), texts, lambda _diagnostic: True, lambda _, words: "Maren"
    )
    assert ([correction.word for correction in done], open_problems) == (["Maren"], [])
    assert texts[file] == text.replace("Marex", "Maren")
    file.write_text(texts[file], "utf-8")
    assert not [
        diagnostic for diagnostic in run(load(tmp_path)).diagnostics if diagnostic.code == "T50"
    ]


def test_what_would_be_wrong_in_another_way_is_left(tmp_path: Path) -> None:
    """A word that would be right as a word, and wrong as what it does, proves nothing."""
    (tmp_path / "campaign.yaml").write_text(
        "game: positive\ntitle: T\nplayers: [Marek, Ines, Bo, Kit]\n", "utf-8"
    )
    text = "session: 1\nlog:\n- cast: {Marek: Petra, Marec: Sunny, Ines: Gus, Bo: Jonas}\n"
    file = (tmp_path / "01.yaml").resolve()
    file.write_text(text, "utf-8")
    texts = {file: text}
    correct_misspelt(Workspace(tmp_path), texts, lambda _diagnostic: True, lambda _, words: "")
    diagnostics = run(load(tmp_path)).diagnostics
    assert diagnostics
    assert texts[file] == text


def test_a_day_of_another_year_is_the_day_that_was_meant(
    tmp_path: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "tests/fixtures/slips/year-of-last-spring", tmp_path / "copy")
    monkeypatch.chdir(tmp_path)
    chronicle("check", "copy", "--fix")
    assert "date: 2026-11-21\n" in (tmp_path / "copy/02.yaml").read_text("utf-8")


FIRST = """log:
- cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny}
- host: Marit
- accuser: Jonas
- scene: The hall
  with: Petra
"""
SECOND = """log:
- call: They never met
  by: Petra
  against: Jonas
"""


@pytest.mark.parametrize("days", ([], ["2026-11-07", "2026-11-14"]), ids=["named", "dated"])
def test_two_sessions_with_each_others_number_are_given_their_own(
    days: list[str], tmp_path: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    heads = [f"date: {day}\n" for day in days] or ["", ""]
    settings = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
    (tmp_path / "campaign.yaml").write_text(settings, "utf-8")
    for number, head, log in zip((2, 1), heads, (FIRST, SECOND), strict=True):
        (tmp_path / f"0{3 - number}.yaml").write_text(f"session: {number}\n{head}{log}", "utf-8")
    assert "T42" in chronicle("check", ".").out
    chronicle("check", ".", "--fix")
    assert (tmp_path / "01.yaml").read_text("utf-8").startswith("session: 1\n")
    assert (tmp_path / "02.yaml").read_text("utf-8").startswith("session: 2\n")
    assert not [diagnostic for diagnostic in run(load(tmp_path)).diagnostics if diagnostic.severity]


def test_two_sessions_that_play_well_in_either_order_are_left(
    tmp_path: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the names of the files are wrong or the numbers, nobody can tell from play."""
    monkeypatch.chdir(tmp_path)
    settings = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
    (tmp_path / "campaign.yaml").write_text(settings, "utf-8")
    for number in (1, 2):
        text = f"session: {number}\nlog:\n- aside: We met\n"
        (tmp_path / f"0{3 - number}.yaml").write_text(text, "utf-8")
    chronicle("check", ".", "--fix")
    assert (tmp_path / "01.yaml").read_text("utf-8").startswith("session: 2\n")
