"""Entry, strike, the same entry again equals entry: in every game, wherever play may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.campaign import Campaign, Header, Session
from chronicle.core.declare import Action
from chronicle.core.game_context import GameContext
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import Aside
from chronicle.games import GAMES, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.testkit.random_play import RandomTable, read_entry
from chronicle.testkit.records import record_text
from tests.conftest import ROOT
from tests.games.test_battery import _fresh
from tests.legal import openings

ENTRIES = 30


def _striking(rules: Any) -> Any:
    """The rules of a game, in which a remark strikes the entry before it."""

    def strike(play: GameContext[Any], action: Aside) -> None:
        last = [step for step in play.steps[:-1] if step.parent is None]
        play.strike(last[-1].number, "the table", "T65")

    rules.plan_and_handler_by_verb[Aside] = rules.plan_and_handler_by_verb[Aside][0], strike
    return rules


def _stands(replay: Replay[Any]) -> tuple[Any, ...]:
    """Where play stands, as far as numbers of steps do not tell."""
    play = replay.play
    scenes = [
        (scene.title, scene.is_open, scene.place, scene.cast) for scene in play.timeline.scenes
    ]
    options = sorted((option.verb, option.by) for option in play.rulebook.options(play))
    return (
        play.rulebook.situation(play),
        {account for account in play.ledger.balances() if account[2]},
        scenes,
        options,
        [diagnostic.message for diagnostic in play.diagnostics],
        sorted(play.step_number_by_id),
        play.present,
    )


@pytest.mark.parametrize("game", GAMES)
def test_entry_strike_and_the_same_again_equals_entry(game: str, tmp_path: Path) -> None:
    for seed, opening in enumerate(openings(game)[:2]):
        campaign = _fresh(game, tmp_path / f"{seed}")
        table = RandomTable(campaign, rulebook(game), seed, opening)
        for _ in range(ENTRIES):
            if not table.step():
                break
        struck = Replay(campaign, _striking(type(table.rules)()))
        plain = Replay(campaign, table.rules)
        for replay in (struck, plain):
            first = campaign.sessions[0]
            opening_actions = [read_entry(line, table.decoder) for line in opening]
            replay.open(Session(first.header, opening_actions, first.path))
        remark = read_entry("- aside: never mind", table.decoder)
        for at, line in enumerate(table.lines):
            # Ids that count steps would tell the two apart: only the last entry is struck.
            actions = [read_entry(line, table.decoder) for _ in range(3)]
            plain.do(actions[0])
            struck.do(actions[1])
            if at == len(table.lines) - 1:
                struck.do(remark)
                struck.do(actions[2])
        assert _stands(struck) == _stands(plain), (seed, table.lines[-1])
        assert all(total == 0 for total in struck.play.ledger.totals().values())


class _Recalling:
    """The rules of a game, in which a remark strikes an entry by its number: ``strike 7``."""

    def __init__(self, rules: Any, foreseen: bool) -> None:
        self.rules = rules
        rules.plan_and_handler_by_verb[Aside] = (
            rules.plan_and_handler_by_verb[Aside][0],
            self.strike,
        )
        if foreseen:
            rules.may_be_struck = self.pairs

    @staticmethod
    def number(action: Action) -> int:
        word = str(action.talk) if isinstance(action, Aside) else ""
        return int(word.removeprefix("strike ")) if word.startswith("strike ") else -1

    def strike(self, play: GameContext[Any], action: Aside) -> None:
        number = self.number(action)
        if number >= 0:
            entries = [step for step in play.steps if step.parent is None]
            play.strike(entries[number].number, "the table", "T65")

    def pairs(self, entries: Sequence[Action]) -> Iterator[tuple[Action, Action]]:
        for entry in entries:
            if self.number(entry) >= 0:
                yield entries[self.number(entry)], entry


def _log(lines: list[str], strikes: dict[int, int], *, without: bool) -> list[str]:
    """Entries, in which the one at a place strikes another one; or remarks instead of both."""
    log_lines = list(lines)
    for by, struck in strikes.items():
        log_lines[by] = "- aside: never mind" if without else f"- aside: strike {struck}"
        if without:
            log_lines[struck] = "- aside: nothing of that kind"
    return log_lines


def _played(campaign: Campaign, rules: Any, decoder: Any, log_lines: list[str]) -> Replay[Any]:
    first = campaign.sessions[0]
    session = Session(first.header, [read_entry(line, decoder) for line in log_lines], first.path)
    replay: Replay[Any] = Replay(campaign, rules)
    replay.open(session)
    for action in session.actions:
        replay.do(action)
    return replay


@pytest.mark.parametrize("game", GAMES)
def test_what_is_struck_never_was_in_whatever_order(game: str, tmp_path: Path) -> None:
    for seed, opening in enumerate(openings(game)[:3]):
        random = Random(f"{game} {seed}")
        campaign = _fresh(game, tmp_path / f"{seed}")
        table = RandomTable(campaign, rulebook(game), seed, opening)
        for _ in range(ENTRIES):
            if not table.step():
                break
        places = range(len(opening), len(table.lines))
        if len(places) < 8:
            continue
        chosen = random.sample(places, 6)
        # One strike within another, across another, far and near.
        pairs = zip(sorted(chosen[:3]), sorted(chosen[3:]), strict=True)
        strikes = {max(pair): min(pair) for pair in pairs}
        plain = _Recalling(type(table.rules)(), foreseen=False).rules
        without = _played(campaign, plain, table.decoder, _log(table.lines, strikes, without=True))
        texts = []
        for foreseen in (False, True):
            rules = _Recalling(type(table.rules)(), foreseen).rules
            log_lines = _log(table.lines, strikes, without=False)
            struck = _played(campaign, rules, table.decoder, log_lines)
            nested = any(step.parent is not None for step in struck.play.steps)
            if not nested:
                assert _stands(struck)[:4] == _stands(without)[:4], (seed, strikes)
            assert all(total == 0 for total in struck.play.ledger.totals().values())
            entries = [step for step in struck.play.steps if step.parent is None]
            numbers = {step.number: at for at, step in enumerate(entries)}
            done = {
                numbers[step.retracted_by]: at
                for at, step in enumerate(entries)
                if step.retracted_by
            }
            assert done == strikes
            texts.append(record_text(struck.finish()))
        assert texts[0] == texts[1], (seed, strikes)


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_may_begin_by_striking_what_ended_the_last(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    begin = Replay._go_to_start

    def noted(replay: Replay[Any], *names: Any, **options: Any) -> None:
        if hasattr(replay, "sessions"):
            started.append(len(replay.sessions))
        begin(replay, *names, **options)

    monkeypatch.setattr(Replay, "_go_to_start", noted)
    opening = openings(game)[0]
    fresh = _fresh(game, tmp_path / "0")
    table = RandomTable(fresh, rulebook(game), 1, opening)
    for _ in range(ENTRIES):
        if not table.step():
            break
    half = (len(opening) + len(table.lines)) // 2
    log_lines = _log(table.lines, {half: half - 1}, without=False)
    texts = []
    for foreseen in (False, True):
        recalling = _Recalling(type(table.rules)(), foreseen=False)
        if foreseen:
            recalling.rules.may_be_struck = lambda entries, of=recalling.number: (
                pair for pair in pairwise(entries) if of(pair[1]) >= 0
            )
        first, second = Header(), Header()
        first.session, second.session = 1, 2
        actions = [read_entry(line, table.decoder) for line in log_lines]
        evenings = [
            Session(first, actions[:half], "0001.yaml"),
            Session(second, actions[half:], "0002.yaml"),
        ]
        replay: Replay[Any] = Replay(replace(fresh, sessions=evenings), recalling.rules)
        replay.replay_to_end()
        record = replay.finish()
        assert [session.session for session in record.sessions] == evenings
        assert [step.retracted_by for step in record.steps if step.retracted_by]
        assert all(total == 0 for total in record.ledger.totals().values())
        texts.append(record_text(record))
    assert texts[0] == texts[1]
    assert started == [2], "a snapshot is there for what is foreseen"


@pytest.mark.parametrize("game", GAMES)
def test_steps_above_change_by_being_replaced(game: str, tmp_path: Path) -> None:
    """Whoever goes back has them as they were."""
    for seed, opening in enumerate(openings(game)[:2]):
        campaign = _fresh(game, tmp_path / f"{seed}")
        table = RandomTable(campaign, rulebook(game), seed, opening)
        recorded: list[tuple[Step, str]] = []
        for _ in range(ENTRIES):
            done = len(table.replay.play.steps)
            if not table.step():
                break
            if len(table.replay.play.steps) > done:
                for step, text_then in recorded[:done]:
                    assert _step_text(step) == text_then, (seed, step.number, table.lines[-1])
                recorded = [(step, _step_text(step)) for step in table.replay.play.steps]


def _step_text(step: Step) -> str:
    return repr([getattr(step, part.name) for part in fields(step) if part.name != "anchors"])


def test_a_log_with_strikes_is_replayed_from_the_session_of_the_struck_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = 0
    do = Replay._play

    def counted(replay: Replay[Any], action: Action) -> Any:
        nonlocal played
        played += 1
        return do(replay, action)

    monkeypatch.setattr(Replay, "_play", counted)
    struck = 0
    for folder in find_campaigns(ROOT / "sessions"):
        campaign = load(folder)
        played = 0
        struck += sum(bool(step.retracted_by) for step in run(campaign, shown=False).steps)
        assert played < 3 * sum(len(session.actions) for session in campaign.sessions)
    assert struck


def test_a_retracting_entry_is_judged_as_the_table_saw_it(tmp_path: Path) -> None:
    """What was wrong with it stays wrong, also where nothing is wrong without the retracted entry."""
    game = next(iter(GAMES))
    recalling = _Recalling(rulebook(game), foreseen=True)

    def strike_under_a_rule(play: GameContext[Any], action: Aside) -> None:
        if recalling.number(action) >= 0 and play.touched_by_rule:
            play.illegal("T65", "a rule of the house forbids it")
        recalling.strike(play, action)

    recalling.rules.plan_and_handler_by_verb[Aside] = (
        recalling.rules.plan_and_handler_by_verb[Aside][0],
        strike_under_a_rule,
    )
    campaign = _fresh(game, tmp_path)
    for number in (0, 1):
        log_lines = ["- tell: It rains"] * 2
        log_lines[number] = "- house rule: Nothing is struck\n  id: no-strikes"
        log_lines.append(f"- aside: strike {number}")
        replay = _played(campaign, recalling.rules, Decoder(recalling.rules.by_verb), log_lines)
        judge = replay.play.steps[2]
        assert replay.play.steps[number].retracted_by == judge.number
        assert [problem.code for problem in judge.diagnostics] == ["T65"], number
        assert replay.play.diagnostics == judge.diagnostics


def test_so_much_may_be_struck_that_no_more_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chronicle.core.replay.MOST_REPLAYS_PER_ENTRY", 0.1)
    game = next(iter(GAMES))
    rules = _Recalling(rulebook(game), foreseen=True).rules
    campaign = _fresh(game, tmp_path)
    log_lines = ["- tell: It rains"] * 60 + [f"- aside: strike {n}" for n in range(60)]
    replay = _played(campaign, rules, Decoder(rules.by_verb), log_lines)
    diagnostics = [diagnostic for diagnostic in replay.play.diagnostics if diagnostic.code == "T5"]
    assert 0 < len(diagnostics) < 60
    assert all(step.retracted_by for step in replay.play.steps[:60])
