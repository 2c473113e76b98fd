"""What every gate of an effect uses: guards are asked first, then reported in one way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from chronicle.core.guards import Violation, check_guards, report_violation
from chronicle.core.source import Place, ScalarNode
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.points import Table


def nothing_bars(play: Table, bar: Bar | None, where: Place | ScalarNode | None = None) -> bool:
    """Report the obstacle to an act, if there is one."""
    return report_all(play, violations_of(play, bar, where))


def report_all(play: Table, violations: Iterable[Violation]) -> bool:
    """Report what guards have found, for an entry without guards of its own. Whether they found nothing."""
    found = [*violations]
    for violation in found:
        report_violation(play, violation)
    return not found


def violations_of(
    play: Table, bar: Bar | None, where: Place | ScalarNode | None = None
) -> Iterator[Violation]:
    """The obstacle to an act, if there is one, as a guard gives it."""
    if bar is not None and not play.given:
        yield Violation(
            bar.message,
            where,
            bar.fixes,
            bar.help,
            facts=play.facts(bar.step, bar.since),
            rule=bar.rule,
            subject=bar.subject,
        )


def carry_out(play: Table, action: Any) -> None:
    """Handle an entry of a verb that has guards. Its effect looks up names, as an unknown one stands for a new
    Component (U4.2), and says the headline."""
    check_guards(play, action)
    action.apply(play)
