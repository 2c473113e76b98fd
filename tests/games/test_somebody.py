"""``by: unrecorded`` on any entry: what hangs on who it was is unknown, nobody is wrong for it, and no sentence
lacks a name."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.diagnostic import Diagnostic, Finding, Severity
from chronicle.core.play import NARRATION
from chronicle.desk.room import Opened
from chronicle.games import GAMES, rulebook
from chronicle.transcript.edit import set_option
from tests.conftest import ROOT

TRIED = 16
NAMELESS = re.compile(r"^ | 's ")


def _shortest(game: str) -> Path:
    campaigns = [load(folder) for folder in find_campaigns(ROOT / "sessions")]
    return Path(
        min(
            (one for one in campaigns if one.game == game),
            key=lambda one: sum(len(session.actions) for session in one.sessions),
        ).folder
    )


def _accuses(found: Diagnostic) -> tuple[str, str] | None:
    silent = found.cause is not None or found.finding in (Finding.UNKNOWN, Finding.EXCUSED)
    return None if silent or not found.severity else (found.code, found.message)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_wrong_because_nobody_wrote_down_who_it_was(game: str) -> None:
    opened = Opened("", _shortest(game), lambda home, changes: None)
    record = opened.resident.record
    assert record is not None
    known = Counter(map(_accuses, opened.resident.diagnostics))
    own = rulebook(game).own_verbs
    acts = [
        step.index
        for step in record.steps
        if step.parent is None and step.action.verb in own and step.action.verb not in NARRATION
    ]
    for index in acts[:: max(1, len(acts) // TRIED)]:
        whole = opened.resident.record
        assert whole is not None
        action = whole.step(index).action
        text = opened.text(action.path)
        changed = set_option(text, action.path, action.source, "by", "unrecorded")
        with opened.holding({action.path: changed}):
            told = Counter(map(_accuses, opened.resident.diagnostics)) - known
            assert not [one for one in told if one], (action.place(), told)
            now = opened.resident.record
            assert now is not None
            for step in now.steps:
                said = [step.headline, *(event.text for event in step.events)]
                assert not any(map(NAMELESS.search, said)), said


@pytest.mark.parametrize(
    ("name", "number"), [("the-boathouse", 0), ("six-names", 0), ("the-dry-book", 2)]
)
def test_nobody_is_wrong_for_a_roll_of_which_nobody_knows_how_it_went(
    name: str, number: int
) -> None:
    folder = ROOT / "sessions" / name
    file = folder / "01.yaml"
    text = file.read_text(encoding="utf-8")
    throw = [*re.finditer(r"(?m)^- roll: .+$", text)][number]
    lost = text[: throw.start()] + "- roll: unrecorded" + text[throw.end() :]

    def wrong(text: str) -> set[tuple[str, str]]:
        record = run(load(folder, instead={file: text.encode()}))
        return {
            (one.code, one.message)
            for one in record.diagnostics
            if one.severity >= Severity.WARNING
            and one.cause is None
            and one.finding is not Finding.UNKNOWN
        }

    assert wrong(lost) == wrong(text)
