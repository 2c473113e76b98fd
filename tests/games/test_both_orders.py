"""Two entries that pay for different things, in either order, come to the same sums and the same figures."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.replay import Replay
from chronicle.core.snapshots import Snapshot
from chronicle.games import GAMES, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.testkit.random_play import RandomTable, entry_text, read_entry
from tests.games.test_battery import _fresh
from tests.legal import openings

SEEDS, STEPS = 3, 40


def _figures(replay: Replay[Any]) -> dict[str, Any]:
    """Every sum and every figure, by names: ids tell in which order things came."""
    play = replay.play
    figures: dict[str, Any] = {f"{a} {u}": n for a, u, n in play.ledger.balances() if n}
    for name, measure in play.rulebook.by_measure.items():
        owners = {
            id: entity.name for id, entity in play.names.all.items() if entity.kind in measure.kinds
        }
        figures |= {f"{name} of {owner}": measure.read(play, id) for id, owner in owners.items()}
        if not measure.kinds:
            figures[name] = measure.read(play, "")
    return figures


def _played(table: RandomTable, snapshot: Snapshot, actions: list[Action]) -> Replay[Any] | None:
    """The table after some entries; nothing if something is said about one of them."""
    replay: Replay[Any] = Replay(table.campaign, table.rules, start_snapshot=snapshot)
    for action in actions:
        step = replay.do(action)
        if any(diagnostic.kind is not DiagnosticKind.UNKNOWN for diagnostic in step.diagnostics):
            return None
    return replay


def _pays(replay: Replay[Any]) -> bool:
    """Whether the last entry moved something."""
    play = replay.play
    return bool(play.ledger.postings) and play.ledger.postings[-1].step_number == play.step.number


def _bought(table: RandomTable, snapshot: Snapshot) -> list[str]:
    """What may come next, costs something, and is as it should be. What frames a scene is left out: it decides where
    the other entry belongs."""
    purchases, scene_count = [], len(table.replay.play.timeline.scenes)
    for option in table.options():
        entry = option.make_entry(table.random)
        line = entry_text({**entry, "by": entry.get("by", option.by)} if option.by else entry)
        replay = _played(table, snapshot, [read_entry(line, table.decoder)])
        if replay is not None and _pays(replay) and len(replay.play.timeline.scenes) == scene_count:
            purchases.append(line)
    return purchases


def _by(line: str, decoder: Decoder) -> str:
    return str(read_entry(line, decoder).by)


@pytest.mark.integration
def test_what_one_buys_in_either_order_comes_to_the_same(tmp_path: Path) -> None:
    tried: Counter[str] = Counter()
    for game, seed in product(GAMES, range(SEEDS)):
        opening = openings(game)[seed % len(openings(game))]
        table = RandomTable(_fresh(game, tmp_path / f"{game}{seed}"), rulebook(game), seed, opening)
        for number in range(STEPS):
            if not table.step():
                break
            if number % 4:
                continue
            snapshot = Snapshot(table.replay)
            for pair in combinations(_bought(table, snapshot)[:6], 2):
                if len({_by(line, table.decoder) for line in pair}) > 1:
                    continue
                both = [
                    _played(table, snapshot, [read_entry(line, table.decoder) for line in order])
                    for order in (pair, pair[::-1])
                ]
                if both[0] is not None and both[1] is not None:
                    assert _figures(both[0]) == _figures(both[1]), pair
                    tried[game] += 1
    assert len(tried) > 2 and tried.total() > 20
