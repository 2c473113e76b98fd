"""``by: unrecorded`` on any entry: what hangs on who it was is unknown, nobody is wrong for it, and no sentence
lacks a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.game_context import NARRATION_VERBS
from chronicle.games import GAMES, rulebook
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.syntax.edit import set_option
from tests.conftest import ROOT, SOAK
from tests.sample import some

TRIED = 16
NAMELESS = re.compile(r"^ | 's ")


def _shortest(game: str) -> Path:
    campaigns = [load(folder) for folder in find_campaigns(ROOT / "sessions")]
    return Path(
        min(
            (campaign for campaign in campaigns if campaign.game == game),
            key=lambda campaign: sum(len(session.actions) for session in campaign.sessions),
        ).folder
    )


def _accuses(diagnostic: Diagnostic) -> tuple[str, str] | None:
    silent = diagnostic.cause is not None or diagnostic.kind in (
        DiagnosticKind.UNKNOWN,
        DiagnosticKind.EXCUSED,
    )
    return None if silent or not diagnostic.severity else (diagnostic.code, diagnostic.message)


@pytest.mark.integration
@pytest.mark.parametrize("game", some(GAMES, 3))
def test_nobody_is_wrong_because_nobody_wrote_down_who_it_was(game: str) -> None:
    opened = OpenCampaign("", _shortest(game), lambda home, changes: None)
    record = opened.workspace.record
    assert record is not None
    accused_before = Counter(map(_accuses, opened.workspace.diagnostics))
    own = rulebook(game).own_verbs
    acts = [
        step.number
        for step in record.steps
        if step.parent is None
        and step.action.verb in own
        and step.action.verb not in NARRATION_VERBS
    ]
    for index in acts[:: max(1, len(acts) // TRIED)]:
        record_before = opened.workspace.record
        assert record_before is not None
        action = record_before.step(index).action
        text = opened.text(action.path)
        changed = set_option(text, action.path, action.source, "by", "unrecorded")
        with opened.with_texts({action.path: changed}):
            newly_accused = Counter(map(_accuses, opened.workspace.diagnostics)) - accused_before
            assert not [accusation for accusation in newly_accused if accusation], (
                action.place(),
                newly_accused,
            )
            record_now = opened.workspace.record
            assert record_now is not None
            for step in record_now.steps:
                sentences = [step.headline, *(event.text for event in step.events)]
                assert not any(map(NAMELESS.search, sentences)), sentences


THROWING = "roll", "check", "implicate", "pair rolls"
FACES = r"\[[^]\[]*\]|\{[^{}]*\}|[^][{},\n]*?"
SIDE = re.compile(rf"(?<=[{{, ])(?=(?:green|red|edge|d\d+|adv|[A-Z][\w &]*): ({FACES})[,}}\n])")
"""What one side of a throw shows, or one colour of it."""


def _lost(text: str) -> Iterator[tuple[int, str]]:
    """A log with one throw, or one side of it, that nobody wrote down; each with its line."""
    for throw in re.finditer(rf"(?m)^ *(?:- )?({'|'.join(THROWING)}):", text):
        inset = throw.start(1) - throw.start()
        below = re.compile(rf"[^\n]*\n(?: {{{inset + 1},}}\S[^\n]*\n)*").match(text, throw.end())
        assert below is not None
        if below[0].strip() == "unrecorded":
            continue
        line = text.count("\n", 0, throw.start()) + 1
        yield line, f"{text[: throw.end()]} unrecorded\n{text[below.end() :]}"
        for side in SIDE.finditer(text, throw.end(), below.end()):
            yield line, f"{text[: side.start(1)]}unrecorded{text[side.end(1) :]}"


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("folder", find_campaigns(ROOT / "sessions"), ids=lambda path: path.name)
@pytest.mark.longer
def test_nobody_is_wrong_for_a_roll_of_which_nobody_knows_how_it_went(folder: Path) -> None:
    """Each roll of each play example in turn, whole and side by side."""
    accused_before, every = _accused(folder, {}), 1 if SOAK else 3
    for file in sorted(folder.glob("[0-9]*.yaml")):
        for line, lost in [*_lost(file.read_text(encoding="utf-8"))][::every]:
            assert not _accused(folder, {file: lost.encode()}) - accused_before, (file.name, line)


def _accused(folder: Path, instead: dict[Path, bytes]) -> Counter[tuple[str, str]]:
    record = run(load(folder, content_by_file=instead))
    return Counter(
        accusation for accusation in map(_accuses, record.diagnostics) if accusation is not None
    )
