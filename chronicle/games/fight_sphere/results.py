"""The outcomes of Fight Sphere: who won, who fell, who died, who was harmed, who survives."""

from __future__ import annotations

import re

from chronicle.core.outcomes import (
    Kind,
    Outcome,
    Part,
    Results,
    Said,
    Telling,
    listing,
    lowered,
    said,
)
from chronicle.core.record import Event, Step

_OVER = re.compile(r"(?P<one>.+) over (?P<other>.+): (?P<by>\d+ Victor\w+)\Z")
_TRADE = re.compile(r" trades for (?P<what>a .+?): (?P<words>.+)\Z", re.S)


def _beaten_by(table: Telling, step: Step, who: str) -> tuple[Part, ...]:
    """``, beaten by A and B``, if the throw of a step says so."""
    name = table.who(who).label
    outcome = step.contest.outcome if step.contest is not None else ()
    pairs = [found for one in outcome if (found := _OVER.match(one))]
    winners = [table.who(found["one"]) for found in pairs if found["other"] == name]
    return ("beaten by ", *listing(winners)) if winners else ()


def _compared(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _OVER.match(event.text)
    if found is None:
        return None
    one, other = table.who(found["one"]), table.who(found["other"])
    by = found["by"].lower()
    return table.made(Kind.WON, step, (one.id, other.id), one, " beats ", other, f", {by}.")


def _in_scene(verb: str, table: Telling, step: Step, event: Event) -> Outcome | None:
    title = table.scene(step)
    if not title:
        return None
    return table.made(
        Kind.WON,
        step,
        (event.subject,),
        table.who(event.subject),
        f" {verb} in ",
        Said(title),
        ".",
    )


def _success(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _in_scene("succeeds", table, step, event)


def _failure(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _in_scene("fails", table, step, event)


def _falls(table: Telling, step: Step, event: Event) -> Outcome | None:
    who = table.who(event.subject)
    beaten = _beaten_by(table, step, event.subject)
    if event.text.endswith(" is dead"):
        how: tuple[Part, ...] = (*(("Killed, ", *beaten) if beaten else ("Killed in play",)), ".")
        return table.made(
            Kind.DIED, step, (event.subject,), who, " is dead: ", *lowered(how), how=how
        )
    rest = (", ", *beaten) if beaten else ()
    return table.made(
        Kind.LOST,
        step,
        (event.subject,),
        who,
        " is knocked out of the Episode",
        *rest,
        ".",
    )


def _back(table: Telling, step: Step, event: Event) -> Outcome | None:
    if " comes back " not in event.text:
        return None
    who = table.who(event.subject)
    return table.made(Kind.TOLD, step, (event.subject,), who, " comes back into the Sphere.")


def _gone(table: Telling, step: Step, event: Event) -> Outcome | None:
    who = table.who(event.subject)
    outcome = step.contest.outcome if step.contest is not None else ()
    found = next((pair for one in outcome if (pair := _OVER.match(one))), None)
    how: tuple[Part, ...] = ("Lost with a Relationship that was staked.",)
    if found is not None:
        how = (
            "Lost when ",
            table.who(found["one"]),
            " beat ",
            table.who(found["other"]),
            ".",
        )
    return table.made(Kind.GONE, step, (event.subject,), who, " is gone: ", *lowered(how), how=how)


def _last_standing(table: Telling, step: Step, event: Event) -> Outcome | None:
    who = table.who(event.subject)
    rest = event.text.partition(" is the last one standing")[2]
    return table.made(Kind.WON, step, (event.subject,), who, f" is the last one standing{rest}.")


def _survives(table: Telling, step: Step, event: Event) -> Outcome | None:
    return table.made(
        Kind.WON, step, (event.subject,), table.who(event.subject), " is the survivor."
    )


def _harm(table: Telling, step: Step, event: Event) -> Outcome | None:
    words = event.text.partition(": ")[2]
    who = table.who(event.subject)
    return table.made(Kind.LOST, step, (event.subject,), who, " is harmed: ", said(words))


def _betrays(table: Telling, step: Step, event: Event) -> Outcome | None:
    betrayed = table.who(step.headline.partition(" betrays ")[2])
    who = table.who(event.subject)
    if not betrayed.label:
        return None
    return table.made(Kind.WON, step, (who.id, betrayed.id), who, " betrays ", betrayed, ".")


def _trades(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _TRADE.search(event.text)
    if found is None:
        return None
    return table.made(
        Kind.GAINED,
        step,
        (event.subject,),
        table.who(event.subject),
        f" gains {found['what']}: ",
        said(found["words"]),
    )


RESULTS = Results(
    {
        "compared": _compared,
        "success": _success,
        "failure": _failure,
        "falls": _falls,
        "returns": _back,
        "leaves/roll": _gone,
        "stands": _last_standing,
        "survives": _survives,
        "harm": _harm,
        "betrays": _betrays,
        "trades": _trades,
    },
    makes=("gladiator", "inhabitant"),
)
