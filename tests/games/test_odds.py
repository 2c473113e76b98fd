"""Published odds against the rule that judges: dice fall in every way, and each game's own verdict is counted.

For every roll that a case of a game comes to, with its readings and rules of the table, all that its dice can show
(of many dice: a sample) goes through the game's handlers. How often each verdict came out has to be what the odds
had said, on the desk before the roll and on the card after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from benchmarks.play import read_entry
from chronicle.campaigns import load
from chronicle.core.diagnostic import Finding
from chronicle.core.play import Due, Pad, Play, Thrown
from chronicle.core.replay import Replay, play_on
from chronicle.games import GAMES, rulebook
from chronicle.games.playset_zero.spending import need_of
from chronicle.transcript.decode import Decoder
from tests.cases import Case, read_cases, write_case
from tests.conftest import SOAK
from tests.games.test_proof import cases_of, folder_of
from tests.table import entry_text

MOST_WAYS = 500
"""More ways than these in which dice can fall are sampled."""
SAMPLES = 160
LONGEST_CHAIN = 3
"""Dice that earn another one are followed so far; what is beyond is the margin."""
WRONG = (Finding.UNREADABLE, Finding.ILLEGAL, Finding.BOOKKEEPING)
_CHANCE = re.compile(r"(?P<chance>\d+\.\d) %")


class Fall(NamedTuple):
    """One way in which a die of its own falls: its faces with those it earned, and how likely that is."""

    faces: tuple[str, ...]
    chance: float


# --- verdicts ---------------------------------------------------------------------------------------
# What each game says of a roll that has been judged, by the words that its odds use for it.

Judge = Callable[[Replay[Any]], Mapping[str, float]]


def _positive(replay: Replay[Any]) -> Mapping[str, bool]:
    play = replay.play
    fight = play.state.conflicts[-1]
    return {who: fight.winner == who for who in fight.principals} | {"tie": not fight.winner}


def _fight_sphere(replay: Replay[Any]) -> Mapping[str, bool]:
    play = replay.play
    state = play.state
    step = play.steps[-1].index
    rounds = [one for fight in state.encounters for one in fight.rounds if one.result_step == step]
    if not rounds:
        conflict = next(one for one in reversed(state.conflicts) if step in _rolled_at(one, play))
        return {"success": conflict.success is True, "tie": conflict.success is None}
    names = {who: state.gladiators[who].name for who in rounds[-1].members}
    won = {name: rounds[-1].won_against_all(who) for who, name in names.items()}
    return won | {"tie": not any(won.values())}


def _rolled_at(conflict: Any, play: Play[Any]) -> tuple[int, ...]:
    tied = play.steps[-1].contest is not None and conflict.stage.name == "BUILDING"
    return (conflict.result_step, play.steps[-1].index if tied else 0)


def _slow_burn(replay: Replay[Any]) -> Mapping[str, bool]:
    play = replay.play
    check = play.state.checks[-1] if play.state.checks else None
    step = play.steps[-1]
    if check is not None and check.step == step.index:
        return {"that the Agency interferes": check.triggered}
    scene = next(one for one in play.state.scenes if one.resolved == step.index)
    verdict = str(scene.verdict)
    return {"favourable": verdict == "favourable", "stand-off": verdict == "stand-off"}


def _universalis(replay: Replay[Any]) -> Mapping[str, bool]:
    play = replay.play
    step = play.steps[-1].index
    one = next(c for c in play.state.complications if c.rounds and c.rounds[-1].step == step)
    won = {f"{player} wins": player in one.winners for player in one.pools}
    return won | {"tie": not one.winners}


def _isolation(replay: Replay[Any]) -> Mapping[str, float]:
    play = replay.play
    conflict = play.state.conflicts[-1]
    if conflict.level is not None:
        return {"Partial Success or better": not conflict.level.failure}
    if not conflict.asked:
        return _alone(replay)
    return {
        f"{hand.who} {side}": str(hand.best) == side
        for hand in conflict.passives()
        for side in ("cooperative", "neutral", "hostile")
    }


def _playset_zero(replay: Replay[Any]) -> Mapping[str, bool]:
    step = replay.play.steps[-1].index
    roll = next(one for one in reversed(replay.play.state.rolls))
    for effort in roll.efforts:
        if effort.rolled == step:
            return {f"{effort.name}: at least one hit": any(die.hit for die in effort.dice)}
    return {
        "at least one hit": roll.hits > 0,
        "questions": _bought(replay, goals_only=False),
        "goal": _bought(replay, goals_only=True),
    }


def _bought(replay: Replay[Any], *, goals_only: bool) -> bool:
    """Whether the best dice on the table buy all that waits, or the hardest of the goals, by the handlers."""
    play = replay.play
    roll = play.state.rolls[-1]
    waiting = [item for item in roll.items if not item.paid]
    if roll.hits < (1 if goals_only else len(waiting)) or not roll.hits:
        return False
    waiting.sort(key=lambda item: need_of(play, roll, item))
    if goals_only:
        waiting = [item for item in waiting if item.goal][-1:]
    dice = sorted(roll.dice, key=lambda die: die.face)[max(0, len(roll.dice) - len(waiting)) :]
    if len(dice) < len(waiting):
        return False
    bought: dict[str, Any] = {}
    for item, die in zip(waiting, dice, strict=True):
        key = "goal" if item.goal else item.text
        bought.setdefault(key, []).append(f"{die.die} {die.face}")
    other = fork(replay)
    entry = {"spend": bought}
    other.do(read_entry(entry_text(entry), Decoder(play.rulebook.by_verb)))
    if any(one.finding in WRONG for one in other.play.steps[-1].diagnostics):
        return False
    wells = [item.well for item in other.play.state.rolls[-1].items if not goals_only or item.goal]
    return any(wells) if goals_only else all(wells)


def _alone(replay: Replay[Any]) -> Mapping[str, float]:
    """Who goes it alone rolls before the GM does: one throw of the GM's dice at random stands for all."""
    play = replay.play
    due = [one for one in play.rulebook.due(play) if one.verb == "roll"]
    pads = [play.rulebook.pad(play, one) for one in due]
    rng = Random(str(play.steps[-1].contest))
    ways = tuple(
        rng.choices(each, [fall.chance for fall in each])[0]
        for one, pad in zip(due, pads, strict=True)
        if pad is not None
        for each in [falls(pad)] * one.amount
    )
    entry = play.rulebook.thrown("roll", thrown(due, ways))
    replay.do(read_entry(entry_text(entry), Decoder(play.rulebook.by_verb)))
    level = play.state.conflicts[-1].level
    return {"Partial Success or better": not level.failure} if level is not None else {}


JUDGES: dict[str, Judge] = {
    "positive": _positive,
    "playset-zero": _playset_zero,
    "fight-sphere": _fight_sphere,
    "slow-burn": _slow_burn,
    "universalis": _universalis,
    "isolation": _isolation,
}


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


def thrown(due: list[Due], ways: tuple[Fall, ...]) -> list[Thrown]:
    """What fell, by what was due: the dice of one after those of another."""
    rest = iter(ways)
    made: list[Thrown] = []
    for one in due:
        mine = [next(rest).faces for _ in range(one.amount)]
        extra = tuple(face for faces in mine for face in faces[1:])
        made.append(Thrown(one.who, one.kind, tuple(faces[0] for faces in mine), extra))
    return made


def fork(replay: Replay[Any]) -> Replay[Any]:
    """A copy that goes its own way; what no entry changes is shared."""
    play = replay.play
    shared = [play.campaign, replay.rulebook, *play.steps, *(step.action for step in play.steps)]
    return deepcopy(replay, {id(one): one for one in shared})


# --- rolls ------------------------------------------------------------------------------------------


class Roll(NamedTuple):
    """A roll that is due in a case, with the odds told before it."""

    case: Case
    replay: Replay[Any]
    due: list[Due]
    told: list[str]


def rolls(game: str, folder: Path) -> Iterator[Roll]:
    """The rolls that the cases of a game come to, each with other odds; without ``make soak`` those of
    ``odds.case``."""
    seen: set[tuple[str, ...]] = set()
    cases = cases_of(game) if SOAK else read_cases(folder_of(game) / "odds.case")
    for number, case in enumerate(cases):
        campaign = load(write_case(case, folder / str(number)))
        replay: Replay[Any] = Replay(campaign, rulebook(game))
        for _, _action in play_on(replay):
            play = replay.play
            owed = play.rulebook.due(play)
            due = [
                one
                for one in owed
                if one.amount and (game != "playset-zero" or one.who == owed[0].who)
            ]
            told = play.rulebook.odds(play, owed) if due else []
            readings = sorted(f"{key} {value}" for key, value in play.rulings.items())
            known = (*told, *readings)
            if told and known not in seen and not any(step.diagnostics for step in play.steps):
                seen.add(known)
                yield Roll(case, replay, due, told)
            replay.do(_action)


def test_every_game_is_held() -> None:
    assert set(JUDGES) == set(GAMES)


@pytest.mark.soak
@pytest.mark.parametrize("game", JUDGES)
def test_odds_are_how_often_the_rules_decide_so(game: str, tmp_path: Path) -> None:
    assert sum(hold(roll, JUDGES[game]) for roll in rolls(game, tmp_path)) >= 3


def hold(roll: Roll, judge: Judge) -> bool:
    """Hold the odds of a roll against its verdicts. Whether its dice could be thrown."""
    replay, due, told = roll.replay, roll.due, roll.told
    play = replay.play
    rules, verb = play.rulebook, due[0].verb
    pads = [rules.pad(play, one) for one in due]
    within = {one.within for one in due}
    if len(within) > 1 or any(pad is None for pad in pads) or {one.verb for one in due} != {verb}:
        return False
    # What a die buys depends on more than whether it is a hit.
    each_face = rules.name == "playset-zero"
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
        if any(one.finding in WRONG for one in step.diagnostics):
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
