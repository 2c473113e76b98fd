"""What a result moves: unlabelled links with the Active, then Stress (I52 to I54, I62)."""

from __future__ import annotations

from chronicle.core.house_rules import answer
from chronicle.games.isolation.computed import STRESS
from chronicle.games.isolation.state import Conflict, Hand, PairKey, Scope, Side, Stage, signed
from chronicle.games.isolation.table import Table, change_loose, change_stress, hand_on, pair_keys


def done(play: Table, conflict: Conflict) -> None:
    """The conflict is through; play returns to the decision stage (I21)."""
    conflict.stage = Stage.DONE
    if play.state.conflict is conflict:
        play.state.conflict = None


def after_harm(play: Table, conflict: Conflict) -> None:
    """Wounds and deaths are settled: the rest of the effects follows."""
    if play.ruling("effect_order") == "wounds_first":
        take_effect(play, conflict)
    done(play, conflict)


def plan(play: Table, conflict: Conflict) -> None:
    """I52, I53: which unlabelled links a result forms, and how far Stress moves (I62)."""
    level = conflict.level
    conflict.formed = {}
    if level is None:
        return
    if not (conflict.dice or conflict.unrecorded) and play.ruling("auto_success_effects") == "none":
        conflict.stress_change = 0
        return
    weight = level.weight
    conflict.stress_change = answer(play, STRESS, -weight, conflict)
    for hand in conflict.hands.values():
        if hand.who == conflict.active or not weight:
            continue
        if _forms(play, conflict, hand, weight):
            pair = play.state.pair(conflict.active, hand.who)
            conflict.formed[pair] = conflict.formed.get(pair, 0) + weight
    if conflict.against and weight < 0 and play.ruling("direct_links") == "hostile":
        pair = play.state.pair(conflict.active, conflict.against)
        conflict.formed[pair] = weight


def _forms(play: Table, conflict: Conflict, hand: Hand, weight: int) -> bool:
    side = hand.final or hand.stance or Side.NEUTRAL
    if hand.late and play.ruling("effect_stance") == "first":
        side = Side.NEUTRAL
    if conflict.scope is Scope.ALONE:
        # Nobody was persuaded, but a Hostile took part.
        return (
            weight < 0
            and side is Side.HOSTILE
            and hand.late
            and play.ruling("solo_links") == "hostile"
        )
    if hand.defaulted and not hand.late and play.ruling("defaulted_count") == "no":
        return False
    if weight > 0:
        return side in (Side.COOPERATIVE, Side.NEUTRAL)
    return side in (Side.NEUTRAL, Side.HOSTILE)


def take_effect(play: Table, conflict: Conflict) -> None:
    """I52 to I54 and I62: links between the Active and the others who live, then Stress."""
    state = play.state
    level = conflict.level
    if level is None:
        return
    rule = "I52" if level.weight > 0 else "I53"
    doubtful = f"conflict:{conflict.number}"
    hand_on(play, doubtful, ["stress:"])
    for hand in conflict.hands.values():
        if hand.who != conflict.active:
            hand_on(play, doubtful, pair_keys(state.pair(conflict.active, hand.who)))
    for pair, by in conflict.formed.items():
        if not all(state.people[character].alive for character in pair):
            continue
        form_unlabelled(play, pair, by, f"{level}, conflict {conflict.number}", rule)
    conflict.stress_change = move_stress(play, conflict.stress_change, f"{level}: {conflict.words}")


def form_unlabelled(play: Table, pair: PairKey, by: int, why: str, rule: str) -> None:
    """Unlabelled links of a pair, as a result brings them (I52 to I54)."""
    former = play.state.unlabelled(pair).balance
    current = change_loose(play, pair, by, rule, why)
    play.event(
        f"{play.state.name_of(pair)}: unlabelled {signed(former)} -> {signed(current.balance)}",
        "I54" if former * by < 0 else rule,
        "unlabelled",
    )


def move_stress(play: Table, by: int, why: str) -> int:
    """Stress moves as a result says (I62). Returns how far it did."""
    if not by:
        return 0
    moved = change_stress(play, by, "I62", "result", why)
    play.event(f"Stress {signed(moved)}, now {play.state.stress}", "I62", "stress")
    return moved
