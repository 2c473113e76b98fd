"""What every gate of an effect uses: guards are asked first, then reported in one way."""

from __future__ import annotations

from chronicle.core.source import Place, ScalarNode
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.points import Table


def nothing_bars(play: Table, bar: Bar | None, where: Place | ScalarNode | None = None) -> bool:
    """Report the obstacle to an act, if there is one."""
    if bar is None or play.given:
        return True
    return play.illegal(
        bar.rule,
        bar.message,
        at=where,
        facts=play.facts(bar.step, bar.since),
        fix=bar.fixes,
        help=bar.help,
        subject=bar.subject,
    )
