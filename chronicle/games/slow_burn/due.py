"""The open obligations: Agency dice, choices of the implicated, Job and Opposition dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.core.answers import Obligation, Pad
from chronicle.core.diagnostic import plural
from chronicle.core.dice import D12
from chronicle.games.slow_burn import checks, rolls, tally
from chronicle.games.slow_burn.interference import may_name
from chronicle.games.slow_burn.people import resource_name
from chronicle.games.slow_burn.state import (
    INTERFERES,
    OPPOSITION_TARGET,
    Check,
    Kind,
    Phase,
    SceneRecord,
    Table,
    held_pool,
    persistent_of,
    target_of,
)

KINDS = ("agency", "job", "opposition")


def due(play: Table) -> list[Obligation]:
    """What is owed now."""
    state = play.state
    if state.phase is Phase.PUSH_DUE and state.segment is not None:
        return [
            Obligation(spy, "the push declared", "play push", "S17.3")
            for spy in state.segment.pushes
        ]
    check, scene = state.check, state.scene
    if state.phase in (Phase.TRIGGERED, Phase.MINI) and check is not None:
        entries = _implicated(play, check)
        if entries or state.phase is Phase.MINI:
            return entries
    if scene is None:
        return []
    if state.phase is Phase.FRAMED:
        return [*_agency(play)] or [*_job(play, scene)]
    if state.phase in (Phase.READY, Phase.TRIGGERED, Phase.MINI_SCENE):
        return [*_job(play, scene)]
    return []


def _implicated(play: Table, check: Check) -> list[Obligation]:
    entries = [
        Obligation(spy, "d12, to see whether the Agency has them", "implicate", "S14.5", 1, "d12")
        for spy in check.waiting
    ]
    choices = [
        Obligation(spy, "to ignore or answer", "answer", "S14.8") for spy in check.undecided()
    ]
    if entries or choices:
        return entries or choices
    if not check.implicated and may_name(play, check):
        rule = "SA8" if check.choosing else "SA9"
        return [Obligation(play.runner, "whom the Agency has", "implicate", rule)]
    return []


def _agency(play: Table) -> Iterator[Obligation]:
    for side, dice in checks.agency_dice_due(play):
        if side == checks.AGENCY:
            yield _dice(side, "Agency", "check", "S10.3", ("this Segment", dice))
        else:
            parts = (("persistent", persistent_of(play, side)), ("held", held_pool(play, side)))
            yield _dice(side, "Agency", "check", "S10.2", *parts)


def _job(play: Table, scene: SceneRecord) -> Iterator[Obligation]:
    for side, dice in rolls.dice_due(play):
        if side == tally.OPPOSED:
            where = "this Segment" if scene.kind is Kind.JOB else "this mini segment"
            yield _dice(side, "Opposition", "roll", "S12.3", (where, dice))
            continue
        names = [resource_name(play.state.cast[side], id) for id in scene.used[side]]
        # Each brings one die; where some were added or lost, they count together.
        each = [(name, 1) for name in names]
        parts = each if len(each) == dice else [(", ".join(names) or "as logged", dice)]
        yield _dice(side, "Job", "roll", "S12.2", *parts)


def _dice(who: str, kind: str, verb: str, rule: str, *parts: tuple[str, int]) -> Obligation:
    sources = tuple(part for part in parts if part[1])
    count = sum(dice for _, dice in sources)
    words = plural(count, f"{kind} die", f"{kind} dice").partition(" ")[2]
    return Obligation(who, words, verb, rule, count, kind.casefold(), sources)


def odds(play: Table, due: Sequence[Obligation]) -> list[str]:
    """How likely the Agency interferes, or the spies prevail."""
    dice = {kind: sum(entry.amount for entry in due if entry.kind == kind) for kind in KINDS}
    if dice["agency"]:
        return [checks.told_odds(dice["agency"])]
    if not dice["job"] or not dice["opposition"]:
        return []
    pairs = ((entry.amount, target_of(play, entry.who)) for entry in due if entry.kind == "job")
    return [tally.told_odds(play, pairs, dice["opposition"])]


def pad(play: Table, due: Obligation) -> Pad | None:
    """Twelve-sided dice: the lower, the better for the side that throws them."""
    match due.kind:
        case "job":
            target = target_of(play, due.who)
        case "agency":
            target = INTERFERES
        case "opposition" | "d12":
            target = OPPOSITION_TARGET
        case _:
            return None
    return Pad(D12.faces, tuple(f for f in D12.faces if int(f) <= target), colour=due.kind)
