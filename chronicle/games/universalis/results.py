"""The outcomes of Universalis: Complications won, eliminations and returns, wounds, Traits, Control."""

from __future__ import annotations

import re
from typing import Final

from chronicle.core.outcomes import (
    Outcome,
    OutcomeKind,
    Quoted,
    Results,
    SentencePart,
    Telling,
    continue_after_colon,
    is_or_are,
    join_names,
    quoted,
    verb_form,
)
from chronicle.core.record import Event, Step
from chronicle.core.source import ScalarNode
from chronicle.core.telling import sentences

_WINS = re.compile(r"(?P<who>.+) wins: \d")
_COUNT: Final = re.compile(r" \((?:twice|\w+ times)\)\Z")
"""The number of copies behind a Trait."""
_GAINED = re.compile(r" gained (?P<what>.+?)(?:, free)?\Z", re.S)
_LOST = re.compile(r" lost (?P<what>.+)\Z", re.S)
_HEALED = re.compile(r" recovered from (?P<what>.+)\Z", re.S)
_HANDS = re.compile(r"(?P<now>.+) Controls .+, until now (?P<before>.+) did\Z")


def _named(table: Telling, step: Step, event: Event) -> None:
    """Remember what something is called from now on."""
    named = table.record.names.all.get(event.subject)
    for between in (", from now on ", " turned out to be "):
        _, match, name = event.text.partition(between)
        if match:
            table.names[event.subject] = name
    name = event.text.removesuffix(" created")
    if named is not None and name in (named.name, *named.aliases):
        table.names[event.subject] = name


def _is_person(table: Telling, id: str) -> bool:
    named = table.record.names.all.get(id)
    return named is not None and named.kind == "character"


def _partaking(table: Telling, words: tuple[ScalarNode, ...]) -> list[str]:
    match = (table.name_of(str(word)) for word in words)
    return [first.id for first in match if first.kind == "sheet"]


def _wins(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _WINS.match(event.text)
    begun = table.last("complication", step.scene)
    if match is None or step.contest is None:
        return None
    winner = match["who"]
    losers = [first.player or first.name for first in step.contest.sides if not first.won]
    first, opponent = [winner], [name for name in losers if name != winner][:1]
    if begun is not None:
        source = _partaking(table, getattr(begun[0].action, "source_", ()))
        target = _partaking(table, getattr(begun[0].action, "target", ()))
        if source and target and {begun[0].player} != set(losers) | {winner}:
            # The Originator of the Complication plays its source.
            won = begun[0].player == winner
            if won or begun[0].player in losers:
                first, opponent = (source, target) if won else (target, source)
    if {*first, *opponent} <= {winner, *losers}:
        sides = step.contest.sides
        own = [side.name for side in sides if side.won]
        others = [side.name for side in sides if not side.won]
        # Players stand for their sides only where these have no names.
        if own and others and all(table.name_of(n).kind == "sheet" for n in (*own, *others)):
            first, opponent = own, others
    winners = [table.name_of(name) for name in first]
    against = (
        (" against ", *join_names([table.name_of(name) for name in opponent])) if opponent else ()
    )
    return table.outcome(
        OutcomeKind.WON,
        step,
        (*first, *opponent),
        *join_names(winners),
        f" {verb_form(winners, 'wins', 'win')} ",
        Quoted(step.contest.title),
        *against,
        ".",
    )


def _contest_before(table: Telling, step: Step) -> tuple[SentencePart, ...]:
    """The Complication whose outcome contains an entry."""
    inside = table.record.step(step.parent) if step.parent else None
    won = table.last("bonus", step.scene)
    if inside is None or inside.action.verb != "outcome" or won is None or not won[0].contest:
        return ()
    return ("In the outcome of ", Quoted(won[0].contest.title))


def _eliminated(table: Telling, step: Step, event: Event) -> Outcome | None:
    person = table.name_of(event.subject)
    fate = getattr(step.action, "fate", None)
    words = str(fate or next(iter(sentences(str(step.action.text or ""))), ""))
    scene = table.scene(step)
    how: tuple[SentencePart, ...]
    if words:
        how = (quoted(words),)
    elif contest := _contest_before(table, step):
        how = (*contest, ".")
    else:
        how = ("In ", Quoted(scene), ".") if scene else ("Out of the story.",)
    return table.outcome(
        OutcomeKind.GONE,
        step,
        (event.subject,),
        person,
        f" {is_or_are(person)} gone: ",
        *continue_after_colon(how),
        clauses=how,
    )


def _returned(table: Telling, step: Step, event: Event) -> Outcome | None:
    because = getattr(step.action, "because", None)
    reason = (": ", quoted(str(because))) if because else (".",)
    person = table.name_of(event.subject)
    return table.outcome(
        OutcomeKind.RETURNED, step, (event.subject,), person, f" {is_or_are(person)} back", *reason
    )


def _without_count(words: str) -> Quoted:
    """A Trait as a sentence quotes it: ``very cold``, of ``very cold (twice)``."""
    return Quoted(_COUNT.sub("", words))


def _wound(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _GAINED.search(event.text)
    if match is None:
        return None
    person, words = table.name_of(event.subject), _without_count(match["what"])
    return table.outcome(
        OutcomeKind.HURT,
        step,
        (event.subject,),
        person,
        f" {is_or_are(person)} hurt: ",
        words,
        ".",
        clauses=("Hurt: ", words),
    )


def _heals(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _HEALED.search(event.text)
    if match is None:
        return None
    person = table.name_of(event.subject)
    return table.outcome(
        OutcomeKind.WELL,
        step,
        (event.subject,),
        person,
        f" {is_or_are(person)} well again: ",
        Quoted(match["what"]),
        " is mended.",
    )


def _trait(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _trait_changed(table, step, event, OutcomeKind.GAINED, _GAINED, "gains", "gain")


def _removed(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _trait_changed(table, step, event, OutcomeKind.LOST, _LOST, "loses", "lose")


def _trait_changed(
    table: Telling,
    step: Step,
    event: Event,
    kind: OutcomeKind,
    pattern: re.Pattern[str],
    singular: str,
    plural: str,
) -> Outcome | None:
    """A person has a Trait from now on, or has it no longer."""
    match = pattern.search(event.text)
    if match is None or not _is_person(table, event.subject):
        return None
    person = table.name_of(event.subject)
    verb = verb_form([person], singular, plural)
    what = _without_count(match["what"])
    return table.outcome(kind, step, (event.subject,), person, f" {verb} ", what, ".")


def _hands(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _HANDS.match(event.text)
    if match is None:
        return None
    person = table.name_of(event.subject)
    holder, previous = table.name_of(match["now"]), table.name_of(match["before"])
    how: tuple[SentencePart, ...] = ("Now with ", holder, ", before with ", previous, ".")
    return table.outcome(
        OutcomeKind.HANDS,
        step,
        (event.subject,),
        person,
        ": ",
        *continue_after_colon(how),
        clauses=how,
    )


def _owns(table: Telling, step: Step, event: Event) -> Outcome | None:
    owner = table.name_of(event.text.partition(" owns ")[0])
    possession = table.name_of(event.subject)
    if owner.kind == "code":
        return None
    return table.outcome(
        OutcomeKind.HANDS,
        step,
        (owner.id, event.subject),
        owner,
        f" now {verb_form([owner], 'has', 'have')} ",
        possession,
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
    },
    possibly_creating_verbs=("introduce", "create"),
)
