"""What every registered game is put through, for nothing: random play, resumption, mutation."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Severity
from chronicle.games import GAMES, rulebook
from chronicle.testkit.battery import (
    Check,
    GameUnderTest,
    check_first_campaign,
    check_random_play,
    check_verbs,
    damage,
    resumed_text,
)
from chronicle.testkit.records import record_text
from tests.golden import ROOT
from tests.legal import openings

SEEDS = range(8)
STEPS = 250
EXAMPLES = find_campaigns(ROOT / "sessions")
CAREFUL = [f for f in EXAMPLES if str(load(f).strictness) != "relaxed"]
"""Examples that were not logged sparsely on purpose."""
VERB = re.compile(
    r"^- \{?(?P<verb>tell|scene|event|character|cast|roll|tenet|spy|gladiator|snapshot)\b", re.M
)
"""An entry whose verb is long enough to be misspelt."""


def _fresh(game: str, folder: Path) -> Campaign:
    """A campaign of a game with nothing in its log yet."""
    return GameUnderTest(rulebook(game)).empty_campaign(folder)


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_random_play(game: str, tmp_path: Path) -> None:
    """Every legal move is legal, ledgers balance, what is written and read again comes to the same,
    and between them the seeds reach every verb of the game."""
    tested = GameUnderTest(rulebook(game), openings=openings(game), seeds=len(SEEDS), steps=STEPS)
    assert not [*check_random_play(tested, tmp_path)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("check", [check_verbs, check_first_campaign])
def test_what_people_read_first(game: str, check: Check, tmp_path: Path) -> None:
    assert not [*check(GameUnderTest(rulebook(game)), tmp_path)]


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_a_resumed_game_goes_on_identically(folder: Path) -> None:
    campaign = load(folder)
    rules = rulebook(campaign.game)
    full_record = record_text(run(load(folder)))
    total = sum(len(session.actions) for session in campaign.sessions)
    for stop in {total // 3, 2 * total // 3}:
        assert resumed_text(campaign, rules, stop) == full_record


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_examples_are_clean(folder: Path) -> None:
    record = run(load(folder))
    problems = [
        (str(d.place), d.code, d.message) for d in record.diagnostics if d.severity > Severity.NOTE
    ]
    if str(record.campaign.strictness) != "relaxed":
        assert not problems
    assert not [d for d in record.diagnostics if d.severity is Severity.ERROR]


@pytest.mark.parametrize("folder", CAREFUL, ids=lambda folder: folder.name)
def test_examples_tell_a_story(folder: Path) -> None:
    record = run(load(folder))
    steps = [step for step in record.steps if step.action.verb != "aside"]
    fiction_count = sum(1 for step in steps if step.fiction)
    assert fiction_count * 2 >= len(steps), (
        f"{fiction_count} of {len(steps)} entries tell something"
    )


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_any_damage_is_survived(folder: Path, tmp_path: Path) -> None:
    """Entries dropped, doubled and swapped at random: no exception, and the sums still hold."""
    random = Random(7)
    for _ in range(12):
        campaign = load(folder)
        damage(campaign, random)
        record = run(campaign)
        assert all(total == 0 for total in record.ledger.totals().values())


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_a_misspelt_verb_is_told_once(folder: Path, tmp_path: Path) -> None:
    """One letter wrong in one verb: one message about it, whatever follows from it is another matter."""
    source = sorted(path for path in folder.glob("*.yaml") if path.name != "campaign.yaml")[0]
    text = source.read_text(encoding="utf-8")
    entry = VERB.search(text, text.index("\nlog:"))
    assert entry is not None
    verb = entry["verb"]
    wrong = verb[:1] + verb[2] + verb[1] + verb[3:]
    broken = text[: entry.start("verb")] + wrong + text[entry.end("verb") :]
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "campaign.yaml").write_text((folder / "campaign.yaml").read_text("utf-8"), "utf-8")
    (copy / source.name).write_text(broken, encoding="utf-8")
    campaign = load(copy)
    assert len(campaign.diagnostics) == 1
    assert f"did you mean '{verb}'" in campaign.diagnostics[0].message
