"""The results of a conflict, as sentences for recaps and pages about people: each verb says which of them
it brings about (``outcomes``)."""

from __future__ import annotations

from chronicle.core.outcomes import (
    Outcome,
    OutcomeKind,
    Quoted,
    SentencePart,
    Telling,
    quoted,
    verb_form,
)
from chronicle.core.record import Event, Step
from chronicle.core.source import ScalarNode


def claim_of(telling: Telling, step: Step, person: str) -> Quoted | None:
    """The version of a character in the conflict at hand: the call, or the match."""
    for kind in ("matches", "calls"):
        match = telling.last(kind, step.scene)
        if match is not None and match[1].subject == person:
            words = str(getattr(match[0].action, "version", "") or "")
            return quoted(words) if words.strip() else None
    return None


def rivals_of(telling: Telling, step: Step) -> tuple[str, ...]:
    """Who called the conflict at hand, and against whom."""
    match = telling.last("calls", step.scene)
    if match is None:
        return ()
    against = getattr(match[0].action, "against", None)
    return (match[1].subject, telling.name_of(str(against)).id) if against is not None else ()


def believed(telling: Telling, step: Step, event: Event) -> Outcome:
    """The winner of a roll is believed (P20)."""
    winner = telling.name_of(event.subject)
    losers = [first for first in rivals_of(telling, step) if first != event.subject]
    claim = claim_of(telling, step, event.subject)
    against = (", against ", telling.name_of(losers[0])) if losers else ()
    words = (": ", claim) if claim is not None else (".",)
    of = (event.subject, *losers)
    return telling.outcome(
        OutcomeKind.WON,
        step,
        of,
        winner,
        f" {verb_form([winner], 'is', 'are')} believed",
        *against,
        *words,
    )


def backed_down(telling: Telling, step: Step, event: Event) -> Outcome:
    """Somebody backs down (P16)."""
    rivals = [first for first in rivals_of(telling, step) if first != event.subject]
    previous = (" before ", telling.name_of(rivals[0])) if rivals else ()
    of = (event.subject, *rivals)
    return telling.outcome(
        OutcomeKind.WON, step, of, telling.name_of(event.subject), " backs down", *previous, "."
    )


def owned_up(telling: Telling, step: Step, event: Event) -> Outcome:
    """A character owns up, and is believed or not (P14)."""
    doubting: tuple[ScalarNode, ...] = getattr(step.action, "doubted_by", ())
    person = telling.name_of(event.subject)
    if not doubting:
        return telling.outcome(
            OutcomeKind.APOLOGY, step, (event.subject,), person, " owns up, and nobody doubts it."
        )
    names = ", ".join(map(str, doubting))
    verb = "doubts" if len(doubting) == 1 else "doubt"
    return telling.outcome(
        OutcomeKind.APOLOGY, step, (event.subject,), person, f" owns up, and {names} {verb} it."
    )


def expelled(telling: Telling, step: Step, event: Event) -> Outcome:
    """A token moves beyond the last square (P25)."""
    gone = next((first for first in rivals_of(telling, step) if f"{first} moves" in event.text), "")
    person = telling.name_of(event.text.partition(" moves beyond")[0] or gone)
    won = telling.last("wins", step.scene)
    if won is None:
        how: tuple[SentencePart, ...] = ("Put out: beyond Expelled.",)
    else:
        claim = claim_of(telling, step, won[1].subject)
        words = (": ", claim) if claim is not None else (".",)
        how = ("Expelled when ", telling.name_of(won[1].subject), " was believed", *words)
    return telling.outcome(
        OutcomeKind.GONE,
        step,
        (person.id,),
        person,
        " is gone: expelled, beyond the last square.",
        clauses=how,
    )
