"""The outcomes of Positive: who is believed, who backs down, who owns up, who is put out."""

from __future__ import annotations

from chronicle.core.outcomes import Kind, Outcome, Part, Results, Said, Telling, does, said
from chronicle.core.record import Event, Step
from chronicle.core.source import Word


def _claim(table: Telling, step: Step, who: str) -> Said | None:
    """The version that somebody stood by in the conflict at hand: their call, or their match."""
    for kind in ("matches", "calls"):
        found = table.last(kind, step.scene)
        if found is not None and found[1].subject == who:
            words = str(getattr(found[0].action, "version", "") or "")
            return said(words) if words.strip() else None
    return None


def _rivals(table: Telling, step: Step) -> tuple[str, ...]:
    """Who called the conflict at hand, and against whom."""
    found = table.last("calls", step.scene)
    if found is None:
        return ()
    against = getattr(found[0].action, "against", None)
    return (found[1].subject, table.who(str(against)).id) if against is not None else ()


def _wins(table: Telling, step: Step, event: Event) -> Outcome | None:
    winner = table.who(event.subject)
    losers = [one for one in _rivals(table, step) if one != event.subject]
    claim = _claim(table, step, event.subject)
    against = (", against ", table.who(losers[0])) if losers else ()
    words = (": ", claim) if claim is not None else (".",)
    of = (event.subject, *losers)
    return table.made(
        Kind.WON, step, of, winner, f" {does([winner], 'is', 'are')} believed", *against, *words
    )


def _backs_down(table: Telling, step: Step, event: Event) -> Outcome | None:
    rivals = [one for one in _rivals(table, step) if one != event.subject]
    before = (" before ", table.who(rivals[0])) if rivals else ()
    of = (event.subject, *rivals)
    return table.made(Kind.WON, step, of, table.who(event.subject), " backs down", *before, ".")


def _apology(table: Telling, step: Step, event: Event) -> Outcome | None:
    doubting: tuple[Word, ...] = getattr(step.action, "doubted_by", ())
    who = table.who(event.subject)
    if not doubting:
        return table.made(
            Kind.APOLOGY, step, (event.subject,), who, " owns up, and nobody doubts it."
        )
    names = ", ".join(map(str, doubting))
    verb = "doubts" if len(doubting) == 1 else "doubt"
    return table.made(
        Kind.APOLOGY, step, (event.subject,), who, f" owns up, and {names} {verb} it."
    )


def _ejected(table: Telling, step: Step, event: Event) -> Outcome | None:
    gone = next((one for one in _rivals(table, step) if f"{one} moves" in event.text), "")
    who = table.who(event.text.partition(" moves beyond")[0] or gone)
    won = table.last("wins", step.scene)
    if won is None:
        how: tuple[Part, ...] = ("Put out: beyond Expelled.",)
    else:
        claim = _claim(table, step, won[1].subject)
        words = (": ", claim) if claim is not None else (".",)
        how = ("Expelled when ", table.who(won[1].subject), " was believed", *words)
    return table.made(
        Kind.GONE,
        step,
        (who.id,),
        who,
        " is gone: expelled, beyond the last square.",
        how=how,
    )


RESULTS = Results(
    {"wins": _wins, "backs down": _backs_down, "apology": _apology, "ejected": _ejected}
)
