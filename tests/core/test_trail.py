"""A table that was changed back is what it was, whatever was done at it."""

from __future__ import annotations

import pickletools
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.core.checkpoint import Checkpoint, checkpoint
from chronicle.core.declare import Action
from chronicle.core.replay import Replay, play_on
from chronicle.games import rulebook
from tests.golden import ROOT
from tests.table import record_text

EXAMPLES = find_campaigns(ROOT / "sessions")
BACK = 20
"""How often play goes back in each example."""
FAR = 6
"""How many entries further at most."""


def like(kept: Checkpoint) -> tuple[Any, ...]:
    """What a checkpoint holds, to compare: sets tell their members in any order."""
    letters = sorted(
        repr(argument) for _, argument, _ in pickletools.genops(kept.packed) if argument is not None
    )
    return (
        *(kept.entry, kept.evenings, kept.steps, kept.findings, kept.named, kept.purses),
        *(len(kept.packed), letters, [id(one) for one in kept.objects if type(one) is not tuple]),
    )


def seen(replay: Replay[Any]) -> tuple[Any, ...]:
    """What a table has besides."""
    play = replay.play
    steps = [
        (id(one), one.headline, one.struck, len(one.events), len(one.diagnostics), one.links[:])
        for one in list.copy(play.steps)
    ]
    found = [(id(one), one.severity, len(one.dependents)) for one in play.diagnostics]
    return steps, found, list(play.ledger.postings), list(play.steps.reached), len(play.changed)


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_a_table_that_was_changed_back_is_what_it_was(folder: Path) -> None:
    campaign = load(folder)
    rules = rulebook(campaign.game)
    straight = Replay(campaign, rules)
    for _, action in play_on(straight):
        straight.do(action)
    striking = {id(one.by_entry) for one in straight.strikes}
    often = max(1, sum(len(one.actions) for one in campaign.sessions) // BACK)
    replay = Replay(campaign, rules)
    draw = Random(folder.name)
    for session in campaign.sessions:
        replay.open(session)
        for at, action in enumerate(session.actions):
            coming = session.actions[at : at + draw.randint(1, FAR)]
            if at % often == 0 and striking.isdisjoint(map(id, coming)):
                _there_and_back(replay, coming)
            replay.do(action)
        replay.close()
    assert record_text(replay.finish()) == record_text(straight.finish())


def _there_and_back(replay: Replay[Any], coming: list[Action]) -> None:
    before = like(checkpoint(replay, 0, small=False)), seen(replay)
    key = id(coming[0])
    known = key in replay._marks
    if not known:
        replay._until[key] = replay._until.get(key, 0)
    for action in coming:
        replay.do(action)
    while next(reversed(replay._marks)) != key:
        replay._marks.popitem()[1].trail.back()
    mark = replay._marks.pop(key)
    mark.trail.back()
    replay._stand_at(mark)
    assert (like(checkpoint(replay, 0, small=False)), seen(replay)) == before
