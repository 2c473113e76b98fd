"""What every game says is due, against what its rules take: with no game known by name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.core.answers import Obligation
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.dice import ShownDie
from chronicle.core.game_context import GameContext
from chronicle.core.record import Side, Step
from chronicle.core.replay import Replay, entries_from
from chronicle.games import GAMES, rulebook
from chronicle.testkit.random_play import RandomTable
from tests.games.test_battery import SEEDS, STEPS, _fresh
from tests.golden import ROOT
from tests.legal import openings

EXAMPLES = find_campaigns(ROOT / "sessions")
WRONG = (
    DiagnosticKind.UNREADABLE,
    DiagnosticKind.ILLEGAL,
    DiagnosticKind.BOOKKEEPING,
    DiagnosticKind.UNKNOWN,
)


def _kind(die: ShownDie) -> str:
    return die.colour or die.die or "card"


def _rolled(sides: tuple[Side, ...]) -> Counter[tuple[str, str]]:
    """How many dice of which kind each side of a throw shows, those that others earned left out."""
    first = {_kind(die) for side in sides for die in side.dice if not die.extra}
    return Counter(
        (name, _kind(die))
        for side in sides
        for name in {side.name, side.player}
        for die in side.dice
        if not die.extra or _kind(die) not in first
    )


def _dice_due(due: list[Obligation], verb: str, title: str) -> dict[tuple[str, str], int]:
    """How many dice of which kind an entry has to show of whom. Two contests of one title, which only
    play at random brings about, cannot be told apart and are left out."""
    amounts: dict[tuple[str, str], list[int]] = {}
    for obligation in due:
        if obligation.verb == verb and obligation.amount and obligation.within in ("", title):
            amounts.setdefault((obligation.who, obligation.kind), []).append(obligation.amount)
    return {key: counts[0] for key, counts in amounts.items() if len(counts) == 1}


def _hold(due_before: list[Obligation], play: GameContext[Any], step: Step) -> int:
    """Hold a throw against what was due before it. How many sides of it were held."""
    for obligation in due_before:
        assert obligation.verb in play.rulebook.by_verb, obligation
        assert play.rulebook.registry().get(obligation.rule) is not None, obligation
        assert (
            not obligation.sources
            or sum(dice for _, dice in obligation.sources) == obligation.amount
        ), obligation
    wrong = [diagnostic for diagnostic in step.diagnostics if diagnostic.kind in WRONG]
    if step.contest is None or wrong or step.retracted_by or step.hidden:
        return 0
    dice_due = _dice_due(due_before, step.action.verb, step.contest.title)
    rolled = _rolled(step.contest.sides)
    held = 0
    for key, count in dice_due.items():
        if key in rolled:
            assert rolled[key] == count, (key, count, due_before, step.contest)
            held += 1
    if held and not any(event.kind == "tie" for event in step.events):
        still = [
            obligation
            for obligation in play.rulebook.due(play)
            if obligation in due_before
            and obligation.verb == step.action.verb
            and obligation.within in ("", step.contest.title)
            and (obligation.who, obligation.kind) in dice_due.keys() & rolled.keys()
        ]
        assert not still, (still, step.action.place())
    return held


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_what_is_due_is_what_random_play_rolls(game: str, tmp_path: Path) -> None:
    rules = rulebook(game)
    begun = openings(game)
    held = counted = 0
    for seed in SEEDS:
        campaign = _fresh(game, tmp_path / f"{seed}")
        table = RandomTable(campaign, rules, seed, begun[seed % len(begun)])
        play = table.replay.play
        for _ in range(STEPS):
            due_before = rules.due(play)
            if not table.step():
                break
            held += _hold(due_before, play, play.steps[-1])
            counted += any(obligation.amount for obligation in due_before)
    assert held > 20 or not counted


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_what_is_due_is_what_an_example_rolls(folder: Path) -> None:
    campaign = load(folder)
    rules = rulebook(campaign.game)
    replay: Replay[Any] = Replay(campaign, rules)
    play, held, throws = replay.play, 0, 0
    for _, action in entries_from(replay, 0):
        due_before = rules.due(play)
        replay.do(action)
        step = play.steps[-1]
        held += _hold(due_before, play, step)
        throws += step.contest is not None and not step.diagnostics
    assert held >= throws


INSTEAD = {
    "answer": ("ignore",),  # the other of the two that somebody implicated may choose
    "bid": ("mirror",),  # a scene that nobody bids for
    "match": ("back down",),  # the other answer
    # What may still come before dice that are due, and makes them others: they fall after it.
    "roll": ("challenge", "spend token", "stance"),
}
"""By the verb that settles what is due: what else may come instead of it, or before it."""
OUTCOME = "outcome"
"""What nobody says of Bonus Coins is that they are kept, as the rules have it: nothing is missing then."""


def _settled(due_before: list[Obligation], due_after: list[Obligation]) -> list[Obligation]:
    """What was due and is no longer, however many it was of."""
    still = {
        (obligation.who, obligation.verb, obligation.kind, obligation.within)
        for obligation in due_after
    }
    return [
        obligation
        for obligation in due_before
        if (obligation.who, obligation.verb, obligation.kind, obligation.within) not in still
    ]


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_what_is_due_may_come_and_is_lacking_without_it(folder: Path) -> None:
    """Something that settles what is due is among what may come next; an evening that goes on without it goes on
    by what may come instead, or is told so."""
    rules = rulebook(load(folder).game)
    replay: Replay[Any] = Replay(load(folder), rules)
    play = replay.play
    settles: dict[tuple[str, str], int] = {}
    for number, action in entries_from(replay):
        due_before, step = rules.due(play), len(play.steps)
        may_come = {option.verb for option in rules.options(play)} if due_before else set()
        replay.do(action)
        play = replay.play
        gone, diagnostics = _settled(due_before, rules.due(play)), play.steps[step].diagnostics
        # Of several things that are due one after the other, the first may come.
        assert not due_before or any(obligation.verb in may_come for obligation in due_before), (
            due_before,
            action.place(),
        )
        for obligation in gone:
            if obligation.verb == action.verb:
                settles.setdefault((obligation.verb, obligation.rule), number)
            elif obligation.verb != OUTCOME and not diagnostics:
                assert action.verb in INSTEAD.get(obligation.verb, ()), (
                    str(obligation),
                    action.place(),
                )
    problems_with = Counter(
        (diagnostic.code, diagnostic.message) for diagnostic in replay.finish().diagnostics
    )
    for (verb, rule), number in settles.items():
        without: Replay[Any] = Replay(load(folder), rules)
        for at, action in entries_from(without):
            if at != number:
                without.do(action)
        problems_without = Counter(
            (diagnostic.code, diagnostic.message) for diagnostic in without.finish().diagnostics
        )
        assert verb == OUTCOME or problems_without - problems_with, (verb, rule, number)
