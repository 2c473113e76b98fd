"""What every registered game is put through, for nothing: random play, resumption, mutation."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Finding, Severity
from chronicle.core.replay import Replay
from chronicle.core.snapshots import Snapshot
from chronicle.games import GAMES, rulebook
from tests.golden import ROOT
from tests.legal import openings
from tests.table import RandomTable, record_text, settings_of, write_campaign

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
    files = rulebook(game).new_campaign()
    return load(write_campaign(folder, files["campaign.yaml"], [[]]))


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_random_play(game: str, tmp_path: Path) -> None:
    """Every legal move is legal, ledgers balance, what is written and read again comes to the same,
    and between them the seeds reach every verb of the game."""
    rules = rulebook(game)
    begun = openings(game)
    seen: set[str] = set()
    for seed in SEEDS:
        campaign = _fresh(game, tmp_path / f"{seed}")
        opening = begun[seed % len(begun)]
        table = RandomTable(campaign, rules, seed, opening)
        for _ in range(STEPS):
            if not table.step():
                break
        play = table.replay.play
        bad = [
            (d.code, d.message, table.lines[d.step - 1] if d.step else "")
            for d in play.diagnostics
            if d.finding in (Finding.UNREADABLE, Finding.ILLEGAL, Finding.BOOKKEEPING)
        ]
        assert not bad, (seed, bad[0], table.lines[-4:])
        assert all(total == 0 for total in play.ledger.totals().values())
        seen |= table.seen
        table.replay.close()
        first = record_text(table.replay.finish())
        again = load(
            write_campaign(tmp_path / f"{seed}-again", settings_of(campaign), [table.lines])
        )
        assert not again.diagnostics
        assert record_text(run(again)) == first
    expected = {
        verb.verb
        for verb in (rules.by_verb[name] for name in rules.own_verbs)
        if not (verb.departure or verb.optional)
    }
    assert expected <= seen, f"never possible: {sorted(expected - seen)}"


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_a_resumed_game_goes_on_identically(folder: Path) -> None:
    campaign = load(folder)
    rules = rulebook(campaign.game)
    whole = record_text(run(load(folder)))
    total = sum(len(session.actions) for session in campaign.sessions)
    for stop in {total // 3, 2 * total // 3}:
        replay: Replay[object] = Replay(campaign, rules)
        done = 0
        for session in campaign.sessions:
            replay.open(session)
            for action in session.actions:
                if done == stop:
                    replay = Replay(campaign, rules, start=Snapshot(replay))
                replay.do(action)
                done += 1
            replay.close()
        assert record_text(replay.finish()) == whole


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_examples_are_clean(folder: Path) -> None:
    record = run(load(folder))
    found = [
        (str(d.place), d.code, d.message) for d in record.diagnostics if d.severity > Severity.NOTE
    ]
    if str(record.campaign.strictness) != "relaxed":
        assert not found
    assert not [d for d in record.diagnostics if d.severity is Severity.ERROR]


@pytest.mark.parametrize("folder", CAREFUL, ids=lambda folder: folder.name)
def test_examples_tell_a_story(folder: Path) -> None:
    record = run(load(folder))
    steps = [step for step in record.steps if step.action.verb != "aside"]
    told = sum(1 for step in steps if step.fiction)
    assert told * 2 >= len(steps), f"{told} of {len(steps)} entries tell something"


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_any_damage_is_survived(folder: Path, tmp_path: Path) -> None:
    """Entries dropped, doubled and swapped at random: no exception, and the sums still hold."""
    random = Random(7)
    for _ in range(12):
        campaign = load(folder)
        for session in campaign.sessions:
            actions = session.actions
            for _ in range(max(1, len(actions) // 12)):
                at = random.randrange(len(actions))
                match random.randrange(3):
                    case 0 if len(actions) > 2:
                        del actions[at]
                    case 1:
                        actions.insert(random.randrange(len(actions)), actions[at])
                    case _:
                        other = random.randrange(len(actions))
                        actions[at], actions[other] = actions[other], actions[at]
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
