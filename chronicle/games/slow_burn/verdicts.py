"""The results of rolls, for the rules and for the odds (S11.2, S12.6)."""

from __future__ import annotations

from chronicle.games.slow_burn.state import Verdict


def verdict(spies: int, opposition: int, tie: str) -> Verdict:
    """S13.1, S13.2: how a scene ends with the successes of both sides.

    ``tie`` is the reading of SA2 at this table.
    """
    if spies == opposition:
        return _TIES.get(tie, Verdict.STAND_OFF)
    return Verdict.FAVOURABLE if spies > opposition else Verdict.UNFAVOURABLE


def interferes(low: int) -> bool:
    """S11.2: whether the Agency interferes with a number of Agency dice at 1 or 2."""
    return low > 0


_TIES = {"spies-fail": Verdict.UNFAVOURABLE, "spies-succeed": Verdict.FAVOURABLE}
