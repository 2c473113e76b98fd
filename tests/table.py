"""Play examples, replayed to a certain entry."""

from __future__ import annotations

from typing import Any

from chronicle.core.campaign import Campaign
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.replay import Replay
from chronicle.games import rulebook


def table_after(campaign: Campaign, step: int) -> GameContext[Any]:
    """The table right after an entry (0: before the first one), played from the beginning to there."""
    run = Replay(campaign, rulebook(campaign.game))
    for session in campaign.sessions:
        if len(run.play.steps) >= step:
            break
        run.open(session)
        for action in session.actions:
            if len(run.play.steps) >= step:
                return run.play
            run.do(action)
        run.close()
    return run.play


def option_counts(campaign: Campaign, rules: Game[Any]) -> list[int]:
    """How many things may come next after every entry."""
    run: Replay[Any] = Replay(campaign, rules)
    counts: list[int] = []
    for session in campaign.sessions:
        run.open(session)
        for action in session.actions:
            run.do(action)
            while len(counts) < len(run.play.steps):
                counts.append(len(rules.options(run.play)))
        run.close()
    return counts
