"""The outcomes of Isolation: how proposals went, wounds and recovery, deaths and who was blamed."""

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
    is_or_are,
    main_value_words,
)
from chronicle.core.record import Event, Step

_LEVEL = re.compile(r"[A-Z]\w+ (?:Success|Failure)")
_STATE = re.compile(r" (?:is|are) (?P<state>.+?) \(was ")
_BLAME = re.compile(r"(?P<who>.+) is to blame for the wound of (?P<whom>.+)")


def _proposal(table: Telling, scene: int | None) -> tuple[Step, str, Quoted] | None:
    """The last proposal of a scene: its entry, who made it, its words."""
    match = table.last("proposes", scene)
    if match is None:
        return None
    step, event = match
    words = main_value_words(step.action)
    return (step, event.subject, Quoted(words)) if words.strip() else None


def _level(table: Telling, step: Step, event: Event) -> Outcome | None:
    level = _LEVEL.search(event.text)
    proposal = _proposal(table, step.scene)
    if level is None or proposal is None:
        return None
    first, proposer, words = proposal
    return table.outcome(
        OutcomeKind.WON,
        step,
        (proposer,),
        table.name_of(proposer),
        "’s proposal ",
        words,
        f": {level[0].lower()}.",
        earlier_numbers=(first.number,),
    )


def _where(table: Telling, step: Step) -> tuple[SentencePart, ...]:
    title = table.scene(step)
    return (" in ", Quoted(title)) if title else ()


def _wounded(table: Telling, step: Step, event: Event) -> Outcome | None:
    state = _STATE.search(event.text)
    if state is None or state["state"] in ("dead", "healthy"):
        return None
    person = table.name_of(event.subject)
    where = _where(table, step)
    word = state["state"]
    return table.outcome(
        OutcomeKind.HURT,
        step,
        (event.subject,),
        person,
        f" {is_or_are(person)} {word}",
        *where,
        ".",
        clauses=(f"{word[:1].upper()}{word[1:]}", *where),
    )


def _recovers(table: Telling, step: Step, event: Event) -> Outcome | None:
    person = table.name_of(event.subject)
    return table.outcome(
        OutcomeKind.WELL, step, (event.subject,), person, f" {is_or_are(person)} well again."
    )


def _death(table: Telling, step: Step, event: Event) -> Outcome | None:
    person = table.name_of(event.subject)
    where = _where(table, step)
    how: tuple[SentencePart, ...] = ("Wounded to death", *where)
    proposal = _proposal(table, step.scene)
    level = table.last("level", step.scene)
    earlier: tuple[int, ...] = ()
    if proposal is not None and level is not None and "Failure" in level[1].text:
        how = (*how, ", after ", proposal[2], " had failed")
        earlier = (level[0].number,)
    blamed = next(
        (
            match["who"]
            for first in step.events
            if first.kind == "blamed" and first.subject == event.subject
            if (match := _BLAME.match(first.text))
        ),
        "",
    )
    if blamed:
        how = (*how, "; ", table.name_of(blamed), " was given the blame")
    return table.outcome(
        OutcomeKind.DIED,
        step,
        (event.subject,),
        person,
        f" {is_or_are(person)} dead: ",
        *continue_after_colon(how),
        ".",
        clauses=(*how, "."),
        earlier_numbers=earlier,
    )


RESULTS = Results(
    {"level": _level, "wounded": _wounded, "recovers": _recovers, "death": _death},
    creating_verbs=("character",),
    tracks_health=True,
)
