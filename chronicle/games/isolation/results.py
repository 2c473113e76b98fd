"""The outcomes of Isolation: how proposals went, wounds and recovery, deaths and who was blamed."""

from __future__ import annotations

import re

from chronicle.core.outcomes import (
    Kind,
    Outcome,
    Part,
    Results,
    Said,
    Telling,
    be,
    lowered,
    main_words,
)
from chronicle.core.record import Event, Step

_LEVEL = re.compile(r"[A-Z]\w+ (?:Success|Failure)")
_STATE = re.compile(r" (?:is|are) (?P<state>.+?) \(was ")
_BLAME = re.compile(r"(?P<who>.+) is to blame for the wound of (?P<whom>.+)")


def _proposal(table: Telling, scene: int | None) -> tuple[Step, str, Said] | None:
    """The last proposal of a scene: its entry, who made it, its words."""
    found = table.last("proposes", scene)
    if found is None:
        return None
    step, event = found
    words = main_words(step.action)
    return (step, event.subject, Said(words)) if words.strip() else None


def _level(table: Telling, step: Step, event: Event) -> Outcome | None:
    level = _LEVEL.search(event.text)
    proposal = _proposal(table, step.scene)
    if level is None or proposal is None:
        return None
    first, proposer, words = proposal
    return table.made(
        Kind.WON,
        step,
        (proposer,),
        table.who(proposer),
        "’s proposal ",
        words,
        f": {level[0].lower()}.",
        more=(first.index,),
    )


def _where(table: Telling, step: Step) -> tuple[Part, ...]:
    title = table.scene(step)
    return (" in ", Said(title)) if title else ()


def _wounded(table: Telling, step: Step, event: Event) -> Outcome | None:
    state = _STATE.search(event.text)
    if state is None or state["state"] in ("dead", "healthy"):
        return None
    who = table.who(event.subject)
    where = _where(table, step)
    word = state["state"]
    return table.made(
        Kind.HURT,
        step,
        (event.subject,),
        who,
        f" {be(who)} {word}",
        *where,
        ".",
        how=(f"{word[:1].upper()}{word[1:]}", *where),
    )


def _recovers(table: Telling, step: Step, event: Event) -> Outcome | None:
    who = table.who(event.subject)
    return table.made(Kind.WELL, step, (event.subject,), who, f" {be(who)} well again.")


def _death(table: Telling, step: Step, event: Event) -> Outcome | None:
    who = table.who(event.subject)
    where = _where(table, step)
    how: tuple[Part, ...] = ("Wounded to death", *where)
    proposal = _proposal(table, step.scene)
    level = table.last("level", step.scene)
    more: tuple[int, ...] = ()
    if proposal is not None and level is not None and "Failure" in level[1].text:
        how = (*how, ", after ", proposal[2], " had failed")
        more = (level[0].index,)
    blamed = next(
        (
            found["who"]
            for one in step.events
            if one.kind == "blamed" and one.subject == event.subject
            if (found := _BLAME.match(one.text))
        ),
        "",
    )
    if blamed:
        how = (*how, "; ", table.who(blamed), " was given the blame")
    return table.made(
        Kind.DIED,
        step,
        (event.subject,),
        who,
        f" {be(who)} dead: ",
        *lowered(how),
        ".",
        how=(*how, "."),
        more=more,
    )


RESULTS = Results(
    {"level": _level, "wounded": _wounded, "recovers": _recovers, "death": _death},
    makes=("character",),
    health=True,
)
