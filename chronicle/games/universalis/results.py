"""The outcomes of Universalis: Complications won, eliminations and returns, wounds, Traits, Control."""

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
    does,
    listing,
    lowered,
    said,
)
from chronicle.core.record import Event, Step
from chronicle.core.source import Word

_WINS = re.compile(r"(?P<who>.+) wins: \d")
_GAINED = re.compile(r" gained (?P<what>.+?)(?:, free)?\Z", re.S)
_LOST = re.compile(r" lost (?P<what>.+)\Z", re.S)
_HEALED = re.compile(r" recovered from (?P<what>.+)\Z", re.S)
_HANDS = re.compile(r"(?P<now>.+) Controls .+, until now (?P<before>.+) did\Z")


def _named(table: Telling, step: Step, event: Event) -> None:
    """Remember what something is called from now on."""
    named = table.record.names.all.get(event.subject)
    for between in (", from now on ", " turned out to be "):
        _, found, name = event.text.partition(between)
        if found:
            table.names[event.subject] = name
    name = event.text.removesuffix(" created")
    if named is not None and name in (named.name, *named.aliases):
        table.names[event.subject] = name


def _is_person(table: Telling, id: str) -> bool:
    named = table.record.names.all.get(id)
    return named is not None and named.kind == "character"


def _partaking(table: Telling, words: tuple[Word, ...]) -> list[str]:
    found = (table.who(str(word)) for word in words)
    return [one.id for one in found if one.kind == "sheet"]


def _wins(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _WINS.match(event.text)
    begun = table.last("complication", step.scene)
    if found is None or step.contest is None:
        return None
    winner = found["who"]
    losers = [one.player or one.name for one in step.contest.sides if not one.won]
    one, other = [winner], [name for name in losers if name != winner][:1]
    if begun is not None:
        source = _partaking(table, getattr(begun[0].action, "source_", ()))
        target = _partaking(table, getattr(begun[0].action, "target", ()))
        if source and target and {begun[0].player} != set(losers) | {winner}:
            # Whoever has Originated the Complication plays what it comes from.
            won = begun[0].player == winner
            if won or begun[0].player in losers:
                one, other = (source, target) if won else (target, source)
    winners = [table.who(name) for name in one]
    against = (" against ", *listing([table.who(name) for name in other])) if other else ()
    return table.made(
        Kind.WON,
        step,
        (*one, *other),
        *listing(winners),
        f" {does(winners, 'wins', 'win')} ",
        Said(step.contest.title),
        *against,
        ".",
    )


def _contest_before(table: Telling, step: Step) -> tuple[Part, ...]:
    """The Complication in whose outcome an entry stands."""
    inside = table.record.step(step.parent) if step.parent else None
    won = table.last("bonus", step.scene)
    if inside is None or inside.action.verb != "outcome" or won is None or not won[0].contest:
        return ()
    return ("In the outcome of ", Said(won[0].contest.title))


def _eliminated(table: Telling, step: Step, event: Event) -> Outcome | None:
    who = table.who(event.subject)
    fate = getattr(step.action, "fate", None)
    how: tuple[Part, ...]
    if fate:
        how = (said(str(fate)),)
    else:
        contest = _contest_before(table, step)
        by = (table.who(step.player),) if step.player else ("The table",)
        how = (*contest, ", ended by ", *by, ".") if contest else ("Ended by ", *by, ".")
    return table.made(
        Kind.GONE, step, (event.subject,), who, f" {be(who)} gone: ", *lowered(how), how=how
    )


def _returned(table: Telling, step: Step, event: Event) -> Outcome | None:
    because = getattr(step.action, "because", None)
    reason = (": ", said(str(because))) if because else (".",)
    who = table.who(event.subject)
    return table.made(Kind.BACK, step, (event.subject,), who, f" {be(who)} back", *reason)


def _wound(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _GAINED.search(event.text)
    if found is None:
        return None
    who, words = table.who(event.subject), Said(found["what"])
    return table.made(
        Kind.HURT,
        step,
        (event.subject,),
        who,
        f" {be(who)} hurt: ",
        words,
        ".",
        how=("Hurt: ", words),
    )


def _heals(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _HEALED.search(event.text)
    if found is None:
        return None
    who = table.who(event.subject)
    return table.made(
        Kind.WELL,
        step,
        (event.subject,),
        who,
        f" {be(who)} well again: ",
        Said(found["what"]),
        " is mended.",
    )


def _trait(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _GAINED.search(event.text)
    if found is None or not _is_person(table, event.subject):
        return None
    who = table.who(event.subject)
    verb = does([who], "gains", "gain")
    return table.made(
        Kind.GAINED, step, (event.subject,), who, f" {verb} ", Said(found["what"]), "."
    )


def _removed(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _LOST.search(event.text)
    if found is None or not _is_person(table, event.subject):
        return None
    who = table.who(event.subject)
    verb = does([who], "loses", "lose")
    return table.made(Kind.LOST, step, (event.subject,), who, f" {verb} ", Said(found["what"]), ".")


def _hands(table: Telling, step: Step, event: Event) -> Outcome | None:
    found = _HANDS.match(event.text)
    if found is None:
        return None
    who = table.who(event.subject)
    now, before = table.who(found["now"]), table.who(found["before"])
    how: tuple[Part, ...] = ("Now with ", now, ", before with ", before, ".")
    return table.made(Kind.HANDS, step, (event.subject,), who, ": ", *lowered(how), how=how)


def _owns(table: Telling, step: Step, event: Event) -> Outcome | None:
    owner = table.who(event.text.partition(" owns ")[0])
    thing = table.who(event.subject)
    if owner.kind == "code":
        return None
    return table.made(
        Kind.HANDS,
        step,
        (owner.id, event.subject),
        owner,
        f" now {does([owner], 'has', 'have')} ",
        thing,
        ".",
    )


RESULTS = Results(
    {
        "creates": _named,
        "named": _named,
        "role": _named,
        "bonus/roll": _wins,
        "eliminated": _eliminated,
        "returned": _returned,
        "gains trait/wound": _wound,
        "gains trait/trait": _trait,
        "gains trait/tie": _trait,
        "loses trait/remove": _removed,
        "heals": _heals,
        "control/take over": _hands,
        "owns/possess": _owns,
    }
)
