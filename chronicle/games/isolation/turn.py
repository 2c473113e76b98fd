"""The state of play in words, and the next steps of the procedure."""

from __future__ import annotations

from chronicle.core.answers import Standing
from chronicle.core.diagnostic import listed, plural
from chronicle.core.game_context import GameContext
from chronicle.games.isolation.state import Conflict, Scope, Stage, State


def situation(play: GameContext[State]) -> str:
    """The state of play in one sentence."""
    state = play.state
    if state.over:
        remaining = state.playing()
        are = "are" if len(remaining) > 1 else "is"
        return f"The scenario is over; {listed(remaining) or 'nobody'} {are} left."
    conflict = state.conflict
    if conflict is not None:
        return _in_conflict(conflict)
    if state.ending:
        return "The session ends: each pair may roll its links once."
    if not state.scenario_step:
        return "Setup: name the place, the threat and the Stress Level."
    if not state.map_step:
        if len(state.people) < 2:
            return "Setup: name the characters."
        drawn, detail = _map(state)
        return f"Setup: the relationship map ({drawn}). {detail}"
    calm = "; no dice are needed" if state.stress <= 0 else ""
    return f"The decision stage: any character can propose. Stress {state.stress}{calm}."


def _map(state: State) -> tuple[str, str]:
    """The progress of the first map, and its missing links."""
    bare = [state.name_of(pair) for pair in state.pairs() if not state.labelled(pair)]
    few = f"None yet between {listed(bare, 'or')}. " if bare and state.links else ""
    return (
        f"{plural(len(state.links), 'link')} so far",
        f"{few}Close it now, or go on: the first proposal closes it too.",
    )


def standing(play: GameContext[State]) -> Standing:
    """The state of play in parts."""
    state, scene = play.state, play.timeline.current
    crumbs = (scene.numbered_label,) if scene is not None else ()
    conflict = state.conflict
    if conflict is None or state.over:
        if state.scenario_step and not (state.map_step or state.over or len(state.people) < 2):
            drawn, detail = _map(state)
            asks = ("green", "red", "map")
            return Standing(
                f"The relationship map ({drawn})", detail, (*crumbs, "Setup"), asks=asks
            )
        head, _, detail = situation(play).partition(": " if not crumbs else "; ")
        if not state.over and state.map_step and not state.ending:
            calm = "No dice are needed." if state.stress <= 0 else ""
            return Standing("Any character can propose", calm, (*crumbs, "The decision stage"))
        detail = detail.rstrip(".")
        detail = f"{detail[:1].upper()}{detail[1:]}" if detail else ""
        if not crumbs and detail and not state.over:
            return Standing(detail, "", (head,), asks=() if state.scenario_step else ("scenario",))
        return Standing(head.rstrip("."), f"{detail}." if detail else "", crumbs)
    active, waiting = conflict.active, waiting_for(conflict)
    stage = "The first throws" if not conflict.rolled_step else "The threat"
    headline, detail = _in_conflict(conflict).rstrip("."), ""
    if conflict.stage not in (Stage.RESULT, Stage.DEATHS):
        for kind, names in waiting.items():
            match kind:
                case "roll":
                    headline = f"{active} has proposed; {len(names)} must roll"
                    detail = f"{listed(names)}."
                    break
                case "stance":
                    headline, detail = "Choose stances (dice are rolled)", f"{listed(names)}."
                    stage = "Stances"
                    break
    else:
        stage = "The result"
    return Standing(headline, detail, (*crumbs, "Proposal", stage))


def _in_conflict(conflict: Conflict) -> str:
    active = conflict.active
    if conflict.stage is Stage.RESULT:
        return f"{conflict.level}: {plural(conflict.wounds_due, 'wound')} must be shared out."
    if conflict.stage is Stage.DEATHS:
        return f"{listed(conflict.deaths)} died: the last green links must be placed."
    waiting = waiting_for(conflict)
    if "difficulty" in waiting:
        return f"{active}'s proposal: the GM sets the Difficulty."
    for kind, names in waiting.items():
        match kind:
            case "roll":
                return f"{active} has proposed: {listed(names)} must roll."
            case "stance":
                return f"Dice are rolled: {listed(names)} must choose a stance."
            case "late roll":
                return f"{listed(names)} turned Hostile and must roll red dice."
    if conflict.against:
        return f"The stances are known: {conflict.against} rolls in defence."
    can_turn = any(hand.defaulted for hand in conflict.passives())
    late = "; characters who default to Neutral can still turn Hostile" if can_turn else ""
    return f"The stances are known: the GM rolls{late}."


def waiting_for(conflict: Conflict) -> dict[str, list[str]]:
    """The missing steps before the threat can roll, in the order of the procedure."""
    waiting: dict[str, list[str]] = {}
    alone = conflict.scope is Scope.ALONE
    rated = conflict.rating is not None or not conflict.needs_rating
    active = conflict.hands[conflict.active]
    if alone and not rated:
        return {"difficulty": ["GM"]}
    unrolled = [
        hand.character
        for hand in (active, *conflict.passives())
        if hand.throw is None and (hand is active or hand.has_dice)
    ]
    if unrolled and conflict.rolled_step == 0:
        return {"roll": unrolled}
    stances = [hand.character for hand in conflict.passives() if hand.stance is None]
    if stances:
        return {"stance": stances}
    if not rated:
        waiting["difficulty"] = ["GM"]
    late = [h.character for h in conflict.hands.values() if h.late and h.throw is None and h.red]
    if late:
        waiting["late roll"] = late
    return waiting
