"""The outcomes of Fight Sphere: who won, who fell, who died, who was harmed, who survives."""

from __future__ import annotations

import re

from chronicle.core.outcomes import (
    Outcome,
    OutcomeKind,
    Quoted,
    Results,
    SentencePart,
    Telling,
    continue_after_colon,
    join_names,
    quoted,
)
from chronicle.core.record import Event, Step

_OVER = re.compile(r"(?P<one>.+) over (?P<other>.+): (?P<by>\d+ Victor\w+)\Z")
_TRADE = re.compile(r" trades for (?P<what>a .+?): (?P<words>.+)\Z", re.S)


def _beaten_by(table: Telling, step: Step, person: str) -> tuple[SentencePart, ...]:
    """``, beaten by A and B``, if the throw of a step says so."""
    name = table.name_of(person).label
    outcome = step.contest.outcome if step.contest is not None else ()
    pairs = [match for first in outcome if (match := _OVER.match(first))]
    winners = [table.name_of(match["one"]) for match in pairs if match["other"] == name]
    return ("beaten by ", *join_names(winners)) if winners else ()


def _compared(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _OVER.match(event.text)
    if match is None:
        return None
    first, opponent = table.name_of(match["one"]), table.name_of(match["other"])
    by = match["by"].lower()
    return table.outcome(
        OutcomeKind.WON, step, (first.id, opponent.id), first, " beats ", opponent, f", {by}."
    )


def _in_scene(verb: str, table: Telling, step: Step, event: Event) -> Outcome | None:
    title = table.scene(step)
    if not title:
        return None
    return table.outcome(
        OutcomeKind.WON,
        step,
        (event.subject,),
        table.name_of(event.subject),
        f" {verb} in ",
        Quoted(title),
        ".",
    )


def _success(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _in_scene("succeeds", table, step, event)


def _failure(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _in_scene("fails", table, step, event)


def _falls(table: Telling, step: Step, event: Event) -> Outcome | None:
    person = table.name_of(event.subject)
    beaten = _beaten_by(table, step, event.subject)
    if event.text.endswith(" is dead"):
        how: tuple[SentencePart, ...] = (
            *(("Killed, ", *beaten) if beaten else ("Killed in play",)),
            ".",
        )
        return table.outcome(
            OutcomeKind.DIED,
            step,
            (event.subject,),
            person,
            " is dead: ",
            *continue_after_colon(how),
            clauses=how,
        )
    ending = (", ", *beaten) if beaten else ()
    return table.outcome(
        OutcomeKind.LOST,
        step,
        (event.subject,),
        person,
        " is knocked out of the Episode",
        *ending,
        ".",
    )


def _back(table: Telling, step: Step, event: Event) -> Outcome | None:
    if " comes back " not in event.text:
        return None
    person = table.name_of(event.subject)
    return table.outcome(
        OutcomeKind.LEARNT, step, (event.subject,), person, " comes back into the Sphere."
    )


def _gone(table: Telling, step: Step, event: Event) -> Outcome | None:
    person = table.name_of(event.subject)
    outcome = step.contest.outcome if step.contest is not None else ()
    match = next((pair for first in outcome if (pair := _OVER.match(first))), None)
    how: tuple[SentencePart, ...] = ("Lost with a Relationship that was staked.",)
    if match is not None:
        how = (
            "Lost when ",
            table.name_of(match["one"]),
            " beat ",
            table.name_of(match["other"]),
            ".",
        )
    return table.outcome(
        OutcomeKind.GONE,
        step,
        (event.subject,),
        person,
        " is gone: ",
        *continue_after_colon(how),
        clauses=how,
    )


def _last_standing(table: Telling, step: Step, event: Event) -> Outcome | None:
    person = table.name_of(event.subject)
    ending = event.text.partition(" is the last one standing")[2]
    return table.outcome(
        OutcomeKind.WON, step, (event.subject,), person, f" is the last one standing{ending}."
    )


def _survives(table: Telling, step: Step, event: Event) -> Outcome | None:
    return table.outcome(
        OutcomeKind.WON, step, (event.subject,), table.name_of(event.subject), " is the survivor."
    )


def _harm(table: Telling, step: Step, event: Event) -> Outcome | None:
    words = event.text.partition(": ")[2]
    person = table.name_of(event.subject)
    return table.outcome(
        OutcomeKind.LOST, step, (event.subject,), person, " is harmed: ", quoted(words)
    )


def _betrays(table: Telling, step: Step, event: Event) -> Outcome | None:
    betrayed = table.name_of(step.headline.rstrip(".").partition(" betrays ")[2])
    person = table.name_of(event.subject)
    if not betrayed.label:
        return None
    return table.outcome(
        OutcomeKind.WON, step, (person.id, betrayed.id), person, " betrays ", betrayed, "."
    )


def _trades(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _TRADE.search(event.text)
    if match is None:
        return None
    return table.outcome(
        OutcomeKind.GAINED,
        step,
        (event.subject,),
        table.name_of(event.subject),
        f" gains {match['what']}: ",
        quoted(match["words"]),
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
    creating_verbs=("gladiator", "inhabitant"),
)
