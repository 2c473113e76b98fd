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


def promised(told: str) -> Iterator[tuple[str, float]]:
    """Verdict and chance of each figure of some odds: ``Marit 62.5 %, tie 12.5 %``, ``30.6 % that ...``."""
    for line in told.split("; "):
        line = line.removeprefix("more ones than all opponents: ")
        who = ""
        for part in line.split(", "):
            chance = _CHANCE.search(part)
            assert chance is not None, told
            before, after = part[: chance.start()].strip(), part[chance.end() :].strip()
            if before and after:
                who = before  # 'Ben 20.0 % cooperative, 30.0 % neutral'
            words = f"{before or who} {after}".strip() if after else before
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
        alike = pad.hits and not each_face
        key = (str(face in pad.hits), str(face in pad.chains)) if alike else (face, "")
        groups.setdefault(key, []).append(face)
    rng = Random(" ".join(pad.faces))
    found: list[Fall] = []

    def follow(faces: tuple[str, ...], chance: float) -> None:
        for group in groups.values():
            share = chance * len(group) / len(pad.faces)
            face = rng.choice(group)
            if face not in pad.chains:
                found.append(Fall((*faces, face), share))
            elif len(faces) + 1 < LONGEST_CHAIN:
                follow((*faces, face), share)

    follow((), 1.0)
    return found


def all_falls(dice: list[list[Fall]]) -> Iterator[tuple[tuple[Fall, ...], float]]:
    """Every way in which dice fall with its chance; a sample of many, all as likely."""
    if prod(map(len, dice)) <= MOST_WAYS:
        for ways in product(*dice):
            yield ways, prod(one.chance for one in ways)
        return
    rng = Random(len(dice))
    for _ in range(SAMPLES):
        ways = tuple(rng.choices(each, [one.chance for one in each])[0] for each in dice)
        yield ways, 1 / SAMPLES


def thrown(due: list[Obligation], ways: tuple[Fall, ...]) -> list[Thrown]:
    """What fell, by what was due: the dice of one after those of another."""
    rest = iter(ways)
    made: list[Thrown] = []
    for one in due:
        mine = [next(rest).faces for _ in range(one.amount)]
        extra = tuple(face for faces in mine for face in faces[1:])
        made.append(Thrown(one.who, one.kind, tuple(faces[0] for faces in mine), extra))
    return made


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
    seen: set[tuple[str, ...]] = set()
    cases = cases_of(game) if SOAK else read_cases(folder_of(game) / "odds.case")
    for number, case in enumerate(cases):
        campaign = load(write_case(case, folder / str(number)))
        replay: Replay[Any] = Replay(campaign, rulebook(game))
        for _, _action in entries_from(replay):
            play = replay.play
            owed = play.rulebook.due(play)
            due = [
                one
                for one in owed
                if one.amount
                and (not module_of(game).ONE_AFTER_THE_OTHER or one.who == owed[0].who)
            ]
            told = play.rulebook.odds(play, owed) if due else []
            readings = sorted(f"{key} {value}" for key, value in play.rulings.items())
            known = (*told, *readings)
            if told and known not in seen and not any(step.diagnostics for step in play.steps):
                seen.add(known)
                yield Roll(case, replay, due, told)
            replay.do(_action)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_odds_are_how_often_the_rules_decide_so(game: str, tmp_path: Path) -> None:
    assert sum(hold(roll, module_of(game)) for roll in rolls(game, tmp_path)) >= 3


def hold(roll: Roll, verdicts: Any) -> bool:
    """Hold the odds of a roll against its verdicts. Whether its dice could be thrown."""
    replay, due, told = roll.replay, roll.due, roll.told
    play = replay.play
    rules, verb = play.rulebook, due[0].verb
    pads = [rules.pad(play, one) for one in due]
    within = {one.within for one in due}
    if len(within) > 1 or any(pad is None for pad in pads) or {one.verb for one in due} != {verb}:
        return False
    # What a die buys depends on more than whether it is a hit.
    each_face: bool = verdicts.EACH_FACE
    judge: Judge = verdicts.judge
    dice = [
        falls(pad, each_face=each_face)
        for one, pad in zip(due, pads, strict=True)
        if pad
        for _ in range(one.amount)
    ]
    decoder = Decoder(rules.by_verb)
    chances: dict[str, float] = {}
    whole = 0.0
    for ways, chance in all_falls(dice):
        entry = rules.thrown(verb, thrown(due, ways), within.pop() if len(within) > 1 else "")
        other = fork(replay)
        other.do(read_entry(entry_text(entry), decoder))
        step = other.play.steps[-1]
        if any(diagnostic.kind in WRONG for diagnostic in step.diagnostics):
            return False  # something else has to come before these dice
        card = str(step.contest.odds) if step.contest is not None else ""
        assert all(line in card for line in told), (roll.case.id, told, card)
        whole += chance
        for words, came_true in judge(other).items():
            chances[words] = chances.get(words, 0.0) + chance * came_true
    margin = 0.0006 + max(0.0, 1 - whole) if prod(map(len, dice)) <= MOST_WAYS else 0.17
    if not chances:
        return False  # it is decided by a later entry
    for line in told:
        for words, said in promised(line):
            assert words in chances, (roll.case.id, words, sorted(chances))
            assert abs(said / 100 - chances[words]) <= margin, (
                roll.case.id,
                line,
                words,
                said,
                chances[words],
            )
    return True
