"""The outcomes of Playset Zero: goals reached and missed, dangers that came true, Features gained."""

from __future__ import annotations

import re

from chronicle.core.outcomes import Kind, Outcome, Quoted, Results, Telling, main_words, quoted
from chronicle.core.record import Event, Step

_FEATURE = re.compile(r" has a new Feature: (?P<new>.+?)(?: in place of '(?P<old>.+)')?\Z")
_FLAW = re.compile(r"'s flaw '(?P<old>.+)' becomes '(?P<new>.+)'\Z")


def _goal(table: Telling, step: Step, reached: bool) -> Outcome | None:
    match = table.last("goal", step.scene)
    if match is None:
        return None
    first, event = match
    words = main_words(first.action)
    if not words.strip() or not event.subject:
        return None
    verb = " reaches the goal " if reached else " does not reach the goal "
    return table.outcome(
        Kind.WON,
        step,
        (event.subject,),
        table.name_of(event.subject),
        verb,
        Quoted(words),
        ".",
        earlier=(first.index,),
    )


def _reached(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _goal(table, step, reached=True)


def _missed(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _goal(table, step, reached=False)


def _finds_out(table: Telling, step: Step, event: Event) -> Outcome | None:
    words = event.text.partition(" finds out: ")[2]
    if not words:
        return None
    return table.outcome(
        Kind.LEARNT,
        step,
        (event.subject,),
        table.name_of(event.subject),
        " finds out: ",
        quoted(words),
    )


def _feature(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _FEATURE.search(event.text)
    if match is None:
        return None
    old = (", in place of ", Quoted(match["old"])) if match["old"] else ()
    person = table.name_of(event.subject)
    return table.outcome(
        Kind.GAINED, step, (event.subject,), person, " gains ", Quoted(match["new"]), *old, "."
    )


def _flaw(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _FLAW.search(event.text)
    if match is None:
        return None
    person = table.name_of(event.subject)
    return table.outcome(
        Kind.GAINED,
        step,
        (event.subject,),
        person,
        " loses ",
        Quoted(match["old"]),
        " and gains ",
        Quoted(match["new"]),
        ".",
    )


RESULTS = Results(
    {
        "reached": _reached,
        "missed": _missed,
        "discovers": _finds_out,
        "buys": _feature,
        "turns": _flaw,
    },
    makes=("character",),
)
