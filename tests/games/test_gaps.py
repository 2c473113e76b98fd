"""A gap makes unknown only what it can touch: how many stated figures are compared below one (:mod:`tests.gaps`)."""

from __future__ import annotations

import pytest

from chronicle.games import GAMES
from tests.gaps import LEAST_COMPARED, ONLY_OF, measure_games


@pytest.mark.slow
def test_enough_figures_are_compared_below_a_gap() -> None:
    measured = measure_games()
    assert [*measured] == sorted(GAMES)
    for game, least in LEAST_COMPARED.items():
        stated = sum(log.stated for log in measured[game])
        missing = sum(len(log.not_compared) for log in measured[game])
        assert 100 * (stated - missing) >= least * stated, game
    reasons: dict[str, set[str]] = {}
    for game, logs in measured.items():
        for log in logs:
            for figure in log.not_compared:
                reasons.setdefault(figure.reason_unknown, set()).add(game)
    assert reasons.keys() == {
        "a gap at {place} lies between",
        "the gap at {place} has not ended yet",
        "the entry at {place} changed it, and the log does not say by how much",
        *ONLY_OF,
    }
    for reason, games in ONLY_OF.items():
        assert reasons[reason] == games, reason
