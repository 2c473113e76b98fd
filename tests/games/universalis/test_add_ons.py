"""What every add-on is put through, for nothing: it must matter, hold alone, and hold in company."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from chronicle.campaigns import load, run
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Finding, Severity
from chronicle.core.record import Record
from chronicle.core.rules import Rule
from chronicle.games import rulebook
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.addons.catalogue import BY_KEY, CATALOGUE
from tests.table import RandomTable, record_text, write_campaign

SPECIMENS = Path(__file__).parents[3] / "chronicle/games/universalis/addons/specimens"
STEPS = 80
RULES = rulebook("universalis")
each_add_on = pytest.mark.parametrize("add_on", CATALOGUE, ids=lambda one: one.code)


def specimen(add_on: type[AddOn]) -> Path:
    """The folder of an add-on's specimen."""
    return SPECIMENS / add_on.key.replace(" ", "-")


def without(campaign: Campaign, key: str) -> Campaign:
    """The same campaign, with an add-on (and what needs it) never adopted."""
    gone = {key, *(one.key for one in CATALOGUE if key in one.needs)}
    settings = campaign.settings
    chosen = getattr(settings, "add_ons", ())
    settings.add_ons = tuple(c for c in chosen if c.word.casefold() not in gone)  # type: ignore[attr-defined]
    return campaign


def outcome(record: Record) -> str:
    """What a record comes to: all that happened, without the findings."""
    lines = record_text(record).splitlines()
    return "\n".join(line for line in lines if not line.startswith("    !"))


@each_add_on
def test_a_specimen_is_clean(add_on: type[AddOn]) -> None:
    record = run(load(specimen(add_on)))
    assert not [
        (str(d.place), d.code, d.message) for d in record.diagnostics if d.severity > Severity.NOTE
    ]
    assert add_on.key in {adoption.key for adoption in record.state.adoptions}


@each_add_on
def test_it_matters(add_on: type[AddOn]) -> None:
    """The same transcript, with and without it, ends differently."""
    folder = specimen(add_on)
    lacking = run(without(load(folder), add_on.key))
    differs = outcome(run(load(folder))) != outcome(lacking)
    assert differs or any(d.severity is Severity.ERROR for d in lacking.diagnostics)


@each_add_on
def test_it_explains_itself(add_on: type[AddOn]) -> None:
    registry = RULES.registry()
    own = registry.get(add_on.code)
    assert isinstance(own, Rule)
    assert add_on.title and add_on.summary.endswith(".")
    assert add_on.changes or own.text
    assert all(registry.get(code) is not None for code in add_on.changes)
    for key in (*add_on.needs, *add_on.excludes, *add_on.idle_with):
        assert key in BY_KEY
    assert all(verb.optional for verb in add_on.verbs)


def random_play(settings: str, seed: int, folder: Path, steps: int) -> set[str]:
    """Play at random; every legal move must be legal. Returns the verbs that were possible."""
    campaign = load(write_campaign(folder, settings, [[]]))
    assert not campaign.diagnostics, [d.message for d in campaign.diagnostics]
    table = RandomTable(campaign, RULES, seed, folder)
    for _ in range(steps):
        if not table.step():
            break
    play = table.replay.play
    wrong = [
        (d.code, d.message, table.lines[d.step - 1] if d.step else "")
        for d in play.diagnostics
        if d.finding in (Finding.UNREADABLE, Finding.ILLEGAL, Finding.BOOKKEEPING)
    ]
    assert not wrong, (seed, wrong[0], table.lines[-5:])
    assert all(total == 0 for total in play.ledger.totals().values())
    table.replay.close()
    table.replay.finish()
    return table.seen


@each_add_on
def test_random_play(add_on: type[AddOn], tmp_path: Path) -> None:
    settings = (specimen(add_on) / "campaign.yaml").read_text("utf-8")
    seen: set[str] = set()
    for seed in range(3):
        seen |= random_play(settings, seed, tmp_path / str(seed), STEPS)
    assert {verb.verb for verb in add_on.verbs} <= seen


def _adopted_alone(add_on: type[AddOn]) -> str:
    lines = (specimen(add_on) / "campaign.yaml").read_text("utf-8").splitlines()
    found = next(line for line in lines if line.startswith("add ons:"))
    return found.removeprefix("add ons:").strip()


PAIRS = [
    (one, other)
    for one, other in combinations(CATALOGUE, 2)
    if other.key not in one.excludes
    and one.key not in other.excludes
    and not {*one.needs, *other.needs}
]
SAMPLE = Random(11).sample(PAIRS, min(24, len(PAIRS)))


@pytest.mark.parametrize("pair", SAMPLE, ids=lambda pair: "+".join(one.code for one in pair))
def test_random_play_in_pairs(pair: tuple[type[AddOn], type[AddOn]], tmp_path: Path) -> None:
    settings = (
        "game: universalis\ntitle: two at once\nplayers: [Ana, Bao, Cleo]\n"
        f"add ons: [{', '.join(_adopted_alone(one).strip('[]') for one in pair)}]\n"
    )
    random_play(settings, 5, tmp_path, STEPS)
