"""The outcomes of Positive: who is believed, who backs down, who owns up, who is put out."""

from __future__ import annotations

from chronicle.core.outcomes import Kind, Outcome, Part, Quoted, Results, Telling, does, quoted
from chronicle.core.record import Event, Step
from chronicle.core.source import Word


def _claim(table: Telling, step: Step, person: str) -> Quoted | None:
    """The version that somebody stood by in the conflict at hand: their call, or their match."""
    for kind in ("matches", "calls"):
        match = table.last(kind, step.scene)
        if match is not None and match[1].subject == person:
            words = str(getattr(match[0].action, "version", "") or "")
            return quoted(words) if words.strip() else None
    return None


def _rivals(table: Telling, step: Step) -> tuple[str, ...]:
    """Who called the conflict at hand, and against whom."""
    match = table.last("calls", step.scene)
    if match is None:
        return ()
    against = getattr(match[0].action, "against", None)
    return (match[1].subject, table.name_of(str(against)).id) if against is not None else ()


def _wins(table: Telling, step: Step, event: Event) -> Outcome | None:
    winner = table.name_of(event.subject)
    losers = [first for first in _rivals(table, step) if first != event.subject]
    claim = _claim(table, step, event.subject)
    against = (", against ", table.name_of(losers[0])) if losers else ()
    words = (": ", claim) if claim is not None else (".",)
    of = (event.subject, *losers)
    return table.outcome(
        Kind.WON, step, of, winner, f" {does([winner], 'is', 'are')} believed", *against, *words
    )


def _backs_down(table: Telling, step: Step, event: Event) -> Outcome | None:
    rivals = [first for first in _rivals(table, step) if first != event.subject]
    previous = (" before ", table.name_of(rivals[0])) if rivals else ()
    of = (event.subject, *rivals)
    return table.outcome(
        Kind.WON, step, of, table.name_of(event.subject), " backs down", *previous, "."
    )


def _apology(table: Telling, step: Step, event: Event) -> Outcome | None:
    doubting: tuple[Word, ...] = getattr(step.action, "doubted_by", ())
    person = table.name_of(event.subject)
    if not doubting:
        return table.outcome(
            Kind.APOLOGY, step, (event.subject,), person, " owns up, and nobody doubts it."
        )
    names = ", ".join(map(str, doubting))
    verb = "doubts" if len(doubting) == 1 else "doubt"
    return table.outcome(
        Kind.APOLOGY, step, (event.subject,), person, f" owns up, and {names} {verb} it."
    )


def _ejected(table: Telling, step: Step, event: Event) -> Outcome | None:
    gone = next((first for first in _rivals(table, step) if f"{first} moves" in event.text), "")
    person = table.name_of(event.text.partition(" moves beyond")[0] or gone)
    won = table.last("wins", step.scene)
    if won is None:
        how: tuple[Part, ...] = ("Put out: beyond Expelled.",)
    else:
        claim = _claim(table, step, won[1].subject)
        words = (": ", claim) if claim is not None else (".",)
        how = ("Expelled when ", table.name_of(won[1].subject), " was believed", *words)
    return table.outcome(
        Kind.GONE,
        step,
        (person.id,),
        person,
        " is gone: expelled, beyond the last square.",
        how=how,
    )


RESULTS = Results(
    {"wins": _wins, "backs down": _backs_down, "apology": _apology, "ejected": _ejected}
)
