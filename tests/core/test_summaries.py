"""Sentence, changes and outcomes of every entry, given in one place and the same to every reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.declare import Action
from chronicle.core.game import results_of
from chronicle.core.ledger import ADJUSTMENT
from chronicle.core.outcomes import outcomes_of, plain_text
from chronicle.core.record import Record, sentence_of
from chronicle.core.sentences import plain
from chronicle.services.log import _AccountMovements
from chronicle.services.spans import NameMarker
from tests.conftest import ROOT

EXAMPLES = sorted(path.parent.name for path in (ROOT / "sessions").glob("*/campaign.yaml"))


def record_of(name: str) -> Record:
    """The record of a play example."""
    return run(load(ROOT / "sessions" / name))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_reader_is_told_the_same_changes(name: str) -> None:
    record = record_of(name)
    movements = _AccountMovements(record, NameMarker(record.names, lambda named: ""))
    for step in record.steps:
        changes = record.changes(step)
        assert movements.changes(step) == changes
        assert all(change.before != change.after for change in changes)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_changed_balance_without_owner_is_one_that_players_count(name: str) -> None:
    record = record_of(name)
    changes = [
        change for step in record.steps for change in record.changes(step) if not change.owner_id
    ]
    assert not {change.name for change in changes} & {*record.rulebook.supplies, ADJUSTMENT}
    # An account that only ever pays has been forgotten among the supplies.
    assert all(change.after >= 0 for change in changes if isinstance(change.after, int))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_entry_has_a_sentence(name: str) -> None:
    record = record_of(name)
    assert all(plain(sentence_of(step)).strip() for step in record.steps)


@pytest.mark.parametrize("name", EXAMPLES)
def test_outcomes_of_some_entries_are_those_among_all(name: str) -> None:
    record = record_of(name)
    results = results_of(record)
    every = outcomes_of(record, results)
    middle = len(record.steps) // 2
    halves = outcomes_of(record, results, 1, middle), outcomes_of(record, results, middle + 1)
    assert (*halves[0], *halves[1]) == every


def test_the_verbs_of_positive_give_their_outcomes() -> None:
    record = record_of("the-boathouse")
    assert not results_of(record).builders
    sentences = {
        record.step(outcome.step_number).action.verb: plain_text(outcome.sentence)
        for outcome in outcomes_of(record, results_of(record))
    }
    assert {"roll", "back down", "apology"} <= set(sentences)
    for verb in sentences:
        assert record.rulebook.by_verb[verb].outcomes is not Action.outcomes


def test_explain_and_the_log_of_the_desk_give_all_three(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from chronicle.cli import main
    from chronicle.services.log import log_data
    from chronicle.services.open_campaigns import OpenCampaign

    monkeypatch.setenv("COLUMNS", "100")
    record = record_of("the-boathouse")
    outcome = next(
        outcome
        for outcome in outcomes_of(record, results_of(record))
        if record.step(outcome.step_number).action.verb == "roll"
    )
    step = record.step(outcome.step_number)
    place = step.action.place()
    main(["explain", f"{place.path}:{place.line}"])
    words = " ".join(capsys.readouterr().out.split())
    for text in (plain(sentence_of(step)), plain_text(outcome.sentence)):
        assert " ".join(text.split()) in words
    change = record.changes(step)[0]
    assert f"{change.before} -> {change.after}" in words

    opened = OpenCampaign("x", Path(record.campaign.path).parent, lambda *_: None)
    entry = log_data(opened, step.number, step.number)["entries"][0]

    def text_of(spans: list[object]) -> str:
        return "".join(span if isinstance(span, str) else span["t"] for span in spans)  # type: ignore[index]

    assert text_of(entry["sentence"]) == plain(sentence_of(step))
    assert [text_of(item["text"]) for item in entry["outcomes"]] == [plain_text(outcome.sentence)]
    assert (entry["changes"][0]["before"], entry["changes"][0]["after"]) == (
        change.before,
        change.after,
    )
