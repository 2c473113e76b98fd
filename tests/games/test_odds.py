"""Published odds against the rule that judges: dice fall in every way, and each game's own verdict is counted.

For every roll that a case of a game comes to, with its readings and rules of the table, all that its dice can show
(of many dice: a sample) goes through the game's handlers. How often each verdict came out has to be what the odds
had said, on the desk before the roll and on the card after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from chronicle.campaigns import load
from chronicle.core.answers import Obligation, Pad, Thrown
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.replay import Replay, entries_from
from chronicle.core.snapshots import Snapshot
from chronicle.games import GAMES, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.testkit.cases import Case, read_cases, write_case
from chronicle.testkit.random_play import entry_text, read_entry
from tests.conftest import SOAK
from tests.games.test_proof import cases_of, folder_of

MOST_WAYS = 500
"""More ways than these in which dice can fall are sampled."""
SAMPLES = 160
LONGEST_CHAIN = 3
"""Dice that earn another one are followed so far; what is beyond is the margin."""
WRONG = (DiagnosticKind.UNREADABLE, DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING)
_CHANCE = re.compile(r"(?P<chance>\d+\.\d) %")


class Fall(NamedTuple):
    """One way in which a die of its own falls: its faces with those it earned, and how likely that is."""

    faces: tuple[str, ...]
    chance: float


# --- verdicts ---------------------------------------------------------------------------------------

Judge = Callable[[Replay[Any]], Mapping[str, float]]
"""What a game says of a roll that has been judged, by the words that its odds use for it."""


def module_of(game: str) -> Any:
    """What tells the verdicts of a game: ``judge``, and how its dice have to fall for it."""
    return import_module(f"tests.games.{game.replace('-', '_')}.verdicts")


def promised(text: str) -> Iterator[tuple[str, float]]:
    """Verdict and chance of each figure of some odds: ``Marit 62.5 %, tie 12.5 %``, ``30.6 % that ...``."""
    for line in text.split("; "):
        line = line.removeprefix("more ones than all opponents: ")
        subject = ""
        for part in line.split(", "):
            chance = _CHANCE.search(part)
            assert chance is not None, text
            words_before, words_after = part[: chance.start()].strip(), part[chance.end() :].strip()
            if words_before and words_after:
                subject = words_before  # 'Ben 20.0 % cooperative, 30.0 % neutral'
            words = (
                f"{words_before or subject} {words_after}".strip() if words_after else words_before
            )
            words = words.partition(" if nobody")[0].partition(" before ")[0]
            for short in ("the question", "questions", "the goal"):
                if words.endswith(short):
                    words = short.removeprefix("the ") + "s" * (short == "the question")
            yield words.rstrip(":"), float(chance["chance"])


# --- dice -------------------------------------------------------------------------------------------


def falls(pad: Pad, *, each_face: bool = False) -> list[Fall]:
    """All ways in which one die falls. Faces that count alike are one way, shown by any of them, unless each
    face is a way of its own."""
    groups: dict[tuple[str, str], list[str]] = {}
    for face in pad.faces:
        counts_alike = pad.hits and not each_face
        key = (str(face in pad.hits), str(face in pad.chains)) if counts_alike else (face, "")
        groups.setdefault(key, []).append(face)
    rng = Random(" ".join(pad.faces))
    single_falls: list[Fall] = []

    def follow(faces: tuple[str, ...], chance: float) -> None:
        for group in groups.values():
            share = chance * len(group) / len(pad.faces)
            face = rng.choice(group)
            if face not in pad.chains:
                single_falls.append(Fall((*faces, face), share))
            elif len(faces) + 1 < LONGEST_CHAIN:
                follow((*faces, face), share)

    follow((), 1.0)
    return single_falls


def all_falls(dice: list[list[Fall]]) -> Iterator[tuple[tuple[Fall, ...], float]]:
    """Every way in which dice fall with its chance; a sample of many, all as likely."""
    if prod(map(len, dice)) <= MOST_WAYS:
        for combination in product(*dice):
            yield combination, prod(fall.chance for fall in combination)
        return
    rng = Random(len(dice))
    for _ in range(SAMPLES):
        combination = tuple(rng.choices(each, [fall.chance for fall in each])[0] for each in dice)
        yield combination, 1 / SAMPLES


def thrown(due: list[Obligation], combination: tuple[Fall, ...]) -> list[Thrown]:
    """What fell, by what was due: the dice of one after those of another."""
    remaining = iter(combination)
    throws: list[Thrown] = []
    for obligation in due:
        own_faces = [next(remaining).faces for _ in range(obligation.amount)]
        extra = tuple(face for faces in own_faces for face in faces[1:])
        throws.append(
            Thrown(obligation.who, obligation.kind, tuple(faces[0] for faces in own_faces), extra)
        )
    return throws


def fork(replay: Replay[Any]) -> Replay[Any]:
    """A copy that goes its own way."""
    return Replay(replay.campaign, replay.rulebook, start_snapshot=Snapshot(replay))


# --- rolls ------------------------------------------------------------------------------------------


class Roll(NamedTuple):
    """A roll that is due in a case, with the odds told before it."""

    case: Case
    replay: Replay[Any]
    due: list[Obligation]
    told: list[str]


def rolls(game: str, folder: Path) -> Iterator[Roll]:
    """The rolls that the cases of a game come to, each with other odds; without ``make soak`` those of
    ``odds.case``."""
    checked: set[tuple[str, ...]] = set()
    cases = cases_of(game) if SOAK else read_cases(folder_of(game) / "odds.case")
    for number, case in enumerate(cases):
        campaign = load(write_case(case, folder / str(number)))
        replay: Replay[Any] = Replay(campaign, rulebook(game))
        for _, _action in entries_from(replay):
            play = replay.play
            owed = play.rulebook.due(play)
            due = [
                obligation
                for obligation in owed
                if obligation.amount
                and (not module_of(game).ONE_AFTER_THE_OTHER or obligation.who == owed[0].who)
            ]
            odds = play.rulebook.odds(play, owed) if due else []
            readings = sorted(f"{key} {value}" for key, value in play.rulings.items())
            identity = (*odds, *readings)
            if (
                odds
                and identity not in checked
                and not any(step.diagnostics for step in play.steps)
            ):
                checked.add(identity)
                yield Roll(case, replay, due, odds)
            replay.do(_action)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_odds_are_how_often_the_rules_decide_so(game: str, tmp_path: Path) -> None:
    assert sum(hold(roll, module_of(game)) for roll in rolls(game, tmp_path)) >= 3


def hold(roll: Roll, verdicts: Any) -> bool:
    """Hold the odds of a roll against its verdicts. Whether its dice could be thrown."""
    replay, due, odds = roll.replay, roll.due, roll.told
    play = replay.play
    rules, verb = play.rulebook, due[0].verb
    pads = [rules.pad(play, obligation) for obligation in due]
    within = {obligation.within for obligation in due}
    if (
        len(within) > 1
        or any(pad is None for pad in pads)
        or {obligation.verb for obligation in due} != {verb}
    ):
        return False
    # What a die buys depends on more than whether it is a hit.
    each_face: bool = verdicts.EACH_FACE
    judge: Judge = verdicts.judge
    dice = [
        falls(pad, each_face=each_face)
        for obligation, pad in zip(due, pads, strict=True)
        if pad
        for _ in range(obligation.amount)
    ]
    decoder = Decoder(rules.by_verb)
    chances: dict[str, float] = {}
    total = 0.0
    for combination, chance in all_falls(dice):
        entry = rules.thrown(
            verb, thrown(due, combination), within.pop() if len(within) > 1 else ""
        )
        forked = fork(replay)
        forked.do(read_entry(entry_text(entry), decoder))
        step = forked.play.steps[-1]
        if any(diagnostic.kind in WRONG for diagnostic in step.diagnostics):
            return False  # something else has to come before these dice
        card = str(step.contest.odds) if step.contest is not None else ""
        assert all(line in card for line in odds), (roll.case.id, odds, card)
        total += chance
        for words, came_true in judge(forked).items():
            chances[words] = chances.get(words, 0.0) + chance * came_true
    margin = 0.0006 + max(0.0, 1 - total) if prod(map(len, dice)) <= MOST_WAYS else 0.17
    if not chances:
        return False  # it is decided by a later entry
    for line in odds:
        for words, chance_promised in promised(line):
            assert words in chances, (roll.case.id, words, sorted(chances))
            assert abs(chance_promised / 100 - chances[words]) <= margin, (
                roll.case.id,
                line,
                words,
                chance_promised,
                chances[words],
            )
    return True
