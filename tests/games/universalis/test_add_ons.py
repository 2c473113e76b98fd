"""What every add-on is put through, for nothing: it must matter, hold alone, and hold in company."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from chronicle.campaigns import load, run
from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind, Severity
from chronicle.core.record import Record
from chronicle.core.rules import Rule
from chronicle.core.stated_figures import Assert
from chronicle.games import rulebook
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.addons.catalogue import ADD_ONS, Words, all_add_ons
from chronicle.testkit.cases import write_case
from chronicle.testkit.random_play import RandomTable, write_campaign
from chronicle.testkit.records import record_text
from tests.games.test_proof import cases_of

SPECIMENS = Path(__file__).parents[3] / "chronicle/games/universalis/addons/specimens"
STEPS = 80
RULES = rulebook("universalis")
CATALOGUE = all_add_ons()
each_add_on = pytest.mark.parametrize("add_on", CATALOGUE, ids=lambda add_on: add_on.code)


def specimen(add_on: type[AddOn]) -> Path:
    """The folder of an add-on's specimen."""
    return SPECIMENS / add_on.key.replace(" ", "-")


def without(campaign: Campaign, key: str) -> Campaign:
    """The same campaign, with an add-on (and what needs it) never adopted."""
    gone = {key, *(add_on.key for add_on in CATALOGUE if key in add_on.needs)}
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
def test_the_catalogue_knows_its_words(add_on: type[AddOn]) -> None:
    """What is imported on demand is found by these words alone."""
    verbs = tuple(verb.verb for verb in add_on.verbs)
    rulings = tuple(ruling.key for ruling in add_on.rulings)
    assert ADD_ONS[add_on.key] == Words(verbs, tuple(add_on.measures), rulings)


def test_the_catalogue_is_in_order() -> None:
    def number(add_on: type[AddOn]) -> tuple[int, str]:
        digits = add_on.code.removeprefix("UA.").rstrip("abcdefg")
        return int(digits), add_on.code

    assert list(CATALOGUE) == sorted(CATALOGUE, key=number)


@each_add_on
def test_it_matters(add_on: type[AddOn], tmp_path: Path) -> None:
    """The same transcript, with and without it, ends differently: in what happened, or (of an add-on
    that only forbids) in what is found."""
    folder = specimen(add_on)
    lacking = run(without(load(folder), add_on.key))
    if outcome(run(load(folder))) != outcome(lacking):
        return
    if any(d.severity is Severity.ERROR for d in lacking.diagnostics):
        return
    assert any(
        codes(run(load(case)), add_on) and not codes(run(without(load(case), add_on.key)), add_on)
        for case in broken(add_on, tmp_path)
    )


def codes(record: Record, add_on: type[AddOn]) -> list[str]:
    """Findings under the rules of an add-on."""
    own = {rule.id for rule in add_on.rules}
    return [d.code for d in record.diagnostics if d.code in own]


def broken(add_on: type[AddOn], folder: Path) -> Iterator[Path]:
    """The cases in which a rule of an add-on is broken while it is in force from the start."""
    own = {rule.id for rule in add_on.rules}
    for number, case in enumerate(cases_of("universalis")):
        expected_codes = {code for expected in case.expected.values() for code, _ in expected}
        if own & expected_codes and "add ons:" in case.settings:
            yield write_case(case, folder / str(number))


@each_add_on
def test_it_explains_itself(add_on: type[AddOn]) -> None:
    registry = RULES.registry()
    own = registry.get(add_on.code)
    assert isinstance(own, Rule)
    assert add_on.title and add_on.summary.endswith(".")
    assert add_on.changes or own.text
    assert all(registry.get(code) is not None for code in add_on.changes)
    for key in (*add_on.needs, *add_on.excludes, *add_on.idle_with):
        assert key in ADD_ONS
    assert all(verb.optional for verb in add_on.verbs)


def random_play(
    settings: str, heads: list[str], seed: int, folder: Path, final_actions: Sequence[Action] = ()
) -> set[str]:
    """Play some evenings at random, on from where some entries led; every legal move must be legal.
    Returns the verbs that were possible."""
    write_campaign(folder, settings, [])
    for number, head in enumerate(heads, 1):
        (folder / f"{number:02}.yaml").write_text(f"{head}log: []\n", "utf-8")
    campaign = load(folder)
    assert not campaign.diagnostics, [d.message for d in campaign.diagnostics]
    table = RandomTable(campaign, RULES, seed)
    for action in final_actions:
        if isinstance(action, Assert):
            continue
        table.replay.do(action)
        table.lines.append(action.verb)
    for number, session in enumerate(campaign.sessions):
        if number:
            table.replay.close()
            table.replay.open(session)
        for _ in range(STEPS // len(heads)):
            if not table.step():
                break
    play = table.replay.play
    wrong = [
        (d.code, d.message, str(d.place))
        for d in play.diagnostics
        if d.kind in (DiagnosticKind.UNREADABLE, DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING)
    ]
    assert not wrong, (seed, wrong[0], table.lines[-5:])
    assert all(total == 0 for total in play.ledger.totals().values())
    table.replay.close()
    table.replay.finish()
    return table.seen


def heads_of(add_on: type[AddOn]) -> list[str]:
    """The heads of a specimen's sessions, as text; two plain ones where it has only one."""
    files = sorted(specimen(add_on).glob("[0-9]*.yaml"))
    heads = [file.read_text("utf-8").partition("log:")[0] for file in files]
    return heads if len(heads) > 1 else [*heads, "session: 2\n"]


@each_add_on
@pytest.mark.slow
def test_random_play(add_on: type[AddOn], tmp_path: Path) -> None:
    settings = (specimen(add_on) / "campaign.yaml").read_text("utf-8")
    verbs_played: set[str] = set()
    for seed in range(4):
        verbs_played |= random_play(settings, heads_of(add_on), seed, tmp_path / str(seed))
    played = load(specimen(add_on)).sessions[0].actions
    verbs_played |= random_play(settings, heads_of(add_on), 4, tmp_path / "4", played)
    assert {verb.verb for verb in add_on.verbs} <= verbs_played


def _adopted_alone(add_on: type[AddOn]) -> str:
    lines = (specimen(add_on) / "campaign.yaml").read_text("utf-8").splitlines()
    adoption = next(line for line in lines if line.startswith("add ons:"))
    return adoption.removeprefix("add ons:").strip()


PAIRS = [
    (first, second)
    for first, second in combinations(CATALOGUE, 2)
    if second.key not in first.excludes
    and first.key not in second.excludes
    and not {*first.needs, *second.needs}
]
SAMPLE = Random(11).sample(PAIRS, min(24, len(PAIRS)))


@pytest.mark.parametrize("pair", SAMPLE, ids=lambda pair: "+".join(add_on.code for add_on in pair))
def test_random_play_in_pairs(pair: tuple[type[AddOn], type[AddOn]], tmp_path: Path) -> None:
    settings = (
        "game: universalis\ntitle: two at once\nplayers: [Ana, Bao, Cleo]\n"
        f"add ons: [{', '.join(_adopted_alone(add_on).strip('[]') for add_on in pair)}]\n"
    )
    random_play(settings, ["session: 1\n", "session: 2\n"], 5, tmp_path)
