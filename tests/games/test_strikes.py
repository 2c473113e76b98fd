"""Entry, strike, the same entry again equals entry: in every game, wherever play may be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.play import read_entry
from chronicle.core.campaign import Session
from chronicle.core.common import Aside
from chronicle.core.declare import Action
from chronicle.core.play import Play
from chronicle.core.replay import Replay
from chronicle.games import GAMES, rulebook
from tests.games.test_battery import _fresh, _openings
from tests.table import RandomTable

ENTRIES = 30


def _striking(rules: Any) -> Any:
    """The rules of a game, in which a remark strikes the entry before it."""

    def strike(play: Play[Any], action: Aside) -> None:
        last = [step for step in play.steps[:-1] if step.parent is None]
        play.strike(last[-1].index, "the table", "T65")

    handler: Callable[[type[Action]], Any] = rules.handler
    rules.handler = lambda kind: strike if kind is Aside else handler(kind)
    return rules


def _stands(replay: Replay[Any]) -> tuple[Any, ...]:
    """Where play stands, as far as numbers of steps do not tell."""
    play = replay.play
    scenes = [(one.title, one.open, one.place, one.cast) for one in play.timeline.scenes]
    options = sorted((one.verb, one.by) for one in play.rulebook.options(play))
    return (
        play.rulebook.situation(play),
        {account for account in play.ledger.balances() if account[2]},
        scenes,
        options,
        [one.message for one in play.diagnostics],
        sorted(play.ids),
        play.present,
    )


@pytest.mark.parametrize("game", GAMES)
def test_entry_strike_and_the_same_again_equals_entry(game: str, tmp_path: Path) -> None:
    for seed, opening in enumerate(_openings(game)[:2]):
        campaign = _fresh(game, tmp_path / f"{seed}")
        table = RandomTable(campaign, rulebook(game), seed, opening)
        for _ in range(ENTRIES):
            if not table.step():
                break
        struck = Replay(campaign, _striking(type(table.rules)()))
        plain = Replay(campaign, table.rules)
        for replay in (struck, plain):
            first = campaign.sessions[0]
            given = [read_entry(line, table.decoder) for line in opening]
            replay.open(Session(first.header, given, first.path))
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
