"""The outcomes of Slow Burn: how scenes went, who was implicated, who came nearer to freedom."""

from __future__ import annotations

from chronicle.core.outcomes import Outcome, OutcomeKind, Quoted, Results, Telling, join_names
from chronicle.core.record import Event, Step

_WORDS = {
    "favourable": ("does well", "do well", "well"),
    "unfavourable": ("does badly", "do badly", "badly"),
    "stand-off": ("comes to a stand-off", "come to a stand-off", "a stand-off"),
}
"""What the verdict of a scene means, of one spy, of several, and in brief."""


def _result(table: Telling, step: Step, event: Event) -> Outcome | None:
    contest = step.contest
    if contest is None or not contest.title:
        return None
    spies = [
        first.name
        for first in contest.sides
        if first.player and table.name_of(first.name).kind != "code"
    ]
    words = next((forms for verdict, forms in _WORDS.items() if verdict in contest.outcome), None)
    if not spies or words is None:
        return None
    over = ", and the Job is done" if any(e.kind == "job over" for e in step.events) else ""
    return table.outcome(
        OutcomeKind.WON,
        step,
        spies,
        *join_names([table.name_of(first) for first in spies]),
        f" {words[len(spies) > 1]}",
        " in ",
        Quoted(contest.title),
        f"{over}.",
        brief=f"{words[2]}{over}",
    )


def _implicated(table: Telling, step: Step, event: Event) -> Outcome | None:
    return table.outcome(
        OutcomeKind.LEARNT,
        step,
        (event.subject,),
        table.name_of(event.subject),
        " is implicated.",
        brief="implicated",
    )


def _answers(table: Telling, step: Step, event: Event) -> Outcome | None:
    return table.outcome(
        OutcomeKind.LEARNT,
        step,
        (event.subject,),
        table.name_of(event.subject),
        " answers the Agency.",
        brief="answers the Agency",
    )


def _ahead(table: Telling, step: Step, event: Event) -> Outcome | None:
    where = event.text.partition(" steps ahead to ")[2]
    return table.outcome(
        OutcomeKind.WON,
        step,
        (event.subject,),
        table.name_of(event.subject),
        f" steps ahead to {where} of the Path to Freedom.",
    )


def _no_progress(table: Telling, step: Step, event: Event) -> Outcome | None:
    return table.outcome(
        OutcomeKind.WON,
        step,
        (event.subject,),
        table.name_of(event.subject),
        " makes no progress on the Path to Freedom.",
    )


RESULTS = Results(
    {
        "result": _result,
        "implicated": _implicated,
        "answers": _answers,
        "push won": _ahead,
        "push lost": _no_progress,
    },
    creating_verbs=("spy",),
    possibly_creating_verbs=("introduce",),
)
