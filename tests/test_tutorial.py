"""The tutorial is followed: its logs are right, and its mistake has the message that the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.cli import main
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
TRIED = re.findall(r"^``` \{ \.yaml \.ch-try[^}]*\}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
SETTINGS, FIRST, MISTAKE, ALLOWED, DICE, ASSERT, CORRECT = TRIED


def test_each_step_gives_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "our-table", "--game", "positive"]) == 0
    monkeypatch.chdir("our-table")
    log = Path("sessions/our-table/01.yaml")
    assert SETTINGS.splitlines()[2] in Path("sessions/our-table/campaign.yaml").read_text("utf-8")
    before_scene = FIRST[: FIRST.index("- scene:")]
    for text, code in (
        (FIRST, 0),
        (before_scene + MISTAKE, 1),
        (before_scene + ALLOWED, 0),
        (FIRST + DICE + ASSERT, 0),
        (FIRST + DICE + CORRECT, 0),
    ):
        log.write_text(text, encoding="utf-8")
        capsys.readouterr()
        assert main(["check"]) == code
        printed = capsys.readouterr().out
        if code:
            (shown,) = re.findall(r"^```\n(error.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
            assert printed.startswith(shown)
        else:
            assert printed == ""
