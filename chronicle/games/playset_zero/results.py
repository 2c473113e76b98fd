"""The outcomes of Playset Zero: goals reached and missed, dangers that came true, Features gained."""

from __future__ import annotations

import re

from chronicle.core.outcomes import Kind, Outcome, Results, Said, Telling, main_words, said
from chronicle.core.record import Event, Step

_FEATURE = re.compile(r" has a new Feature: (?P<new>.+?)(?: in place of '(?P<old>.+)')?\Z")
_FLAW = re.compile(r"'s flaw '(?P<old>.+)' becomes '(?P<new>.+)'\Z")


def _goal(table: Telling, step: Step, reached: bool) -> Outcome | None:
    found = table.last("goal", step.scene)
    if found is None:
        return None
    first, event = found
    words = main_words(first.action)
    if not words.strip() or not event.subject:
        return None
    verb = " reaches the goal " if reached else " does not reach the goal "
    return table.made(
        Kind.WON,
        step,
        (event.subject,),
        table.who(event.subject),
        verb,
        Said(words),
        ".",
        more=(first.index,),
    )


def _reached(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _goal(table, step, reached=True)


def _missed(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _goal(table, step, reached=False)


def _finds_out(table: Telling, step: Step, event: Event) -> Outcome | None:
    words = event.text.partition(" finds out: ")[2]
    if not words:
        return None
    return table.made(
        Kind.TOLD,
        step,
        (event.subject,),
        table.who(event.subject),
        " finds out: ",
        said(words),
    )


def _feature(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _FEATURE.search(event.text)
    if found is None:
        return None
    old = (", in place of ", Said(found["old"])) if found["old"] else ()
    who = table.who(event.subject)
    return table.made(
        Kind.GAINED, step, (event.subject,), who, " gains ", Said(found["new"]), *old, "."
    )


def _flaw(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _FLAW.search(event.text)
    if found is None:
        return None
    who = table.who(event.subject)
    return table.made(
        Kind.GAINED,
        step,
        (event.subject,),
        who,
        " loses ",
        Said(found["old"]),
        " and gains ",
        Said(found["new"]),
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
