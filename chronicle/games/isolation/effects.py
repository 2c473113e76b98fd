"""The effects of a result: unlabelled links with the Active, then Stress (I52 to I54, I62)."""

from __future__ import annotations

from chronicle.core.house_rules import answer
from chronicle.games.isolation.computed import STRESS
from chronicle.games.isolation.state import Conflict, Hand, PairKey, Scope, Side, Stage, signed
from chronicle.games.isolation.table import Table, change_loose, change_stress, hand_on, pair_keys

RULES = """
# Changes of the map
I52 Links from success [checked; V36 V38]
  A Basic Success forms one unlabelled green link between the Active and each Cooperative or Neutral Passive. A Complete
  Success forms two.
I53 Links from failure [checked; V37]
  A Basic Failure forms one unlabelled red link between the Active and each Neutral or Hostile Passive. A Complete
  Failure forms two.
I54 Opposite links cancel [checked; V39]
  New unlabelled links first cancel those of the other colour. So a pair has unlabelled links of one colour at most, and
  Chronicle shows them as one signed number.
"""

READINGS = """
IA13 defaulted_count: Do characters who are Neutral by default count as Neutral Passives for links and wounds?
  - links: for links yes; wounds can hit them if they were near
  - no: neither: they were never asked
  because otherwise the mechanics are the same (I52, I53, I67, I71)
IA31 unlabelled_expire: Do unlabelled links end with the session?
  - no: no
  - yes: yes, all of them
  because there is no such rule; the text calls links temporary that have no label (I54)
IA32 auto_success_effects: Does an automatic Basic Success at Stress 0 form links and move Stress?
  - none: no
  - as_rolled: yes, like a result of dice
  because no dice resolved a conflict (I52, I62, I63)
IA33 effect_order: In which order do the effects of a result come?
  - wounds_first: wounds and deaths, links among the living, Stress
  - links_first: links, Stress, then wounds and deaths
  because the order only matters for links with the dead (I52, I62, I65)
IA39 direct_links: Do unlabelled links form with a defender?
  - none: no
  - hostile: red links after a failure, as with a Hostile
  because the defender is treated as absent (I52, I53, I75)
IA45 chosen_hostile: A Passive chose to be Hostile although the dice allowed more. Do red links form after a failure?
  - yes: yes: the stance counts
  because links follow the stance (I53)
IA46 solo_links: Do links form after an Active went it alone?
  - hostile: red links after a failure, with those who turned Hostile
  - none: no
  because no character was persuaded, but a Hostile took part (I53, I74)
IA47 effect_stance: A character who was Neutral by default turned Hostile. Which stance counts for links and wounds?
  - final: the final stance
  - first: the first stance: Neutral
  because effects follow the result (I52, I67, I72)
"""


def figures_of(play: Table, conflict: Conflict) -> list[str]:
    """The figures that a result of a conflict can change, if the record does not have it."""
    pairs = [
        play.state.name_of(play.state.pair(conflict.active, id))
        for id in conflict.hands
        if id != conflict.active
    ]
    links = [f"{kind}:{pair}" for pair in pairs for kind in ("unlabelled", "green", "red")]
    harm = [f"health:{id}" for id in conflict.hands] if conflict.physical else []
    return ["stress:", *links, *harm]


def done(play: Table, conflict: Conflict) -> None:
    """The conflict is over; play returns to the decision stage (I21)."""
    conflict.stage = Stage.DONE
    if play.state.conflict is conflict:
        play.state.conflict = None


def after_harm(play: Table, conflict: Conflict) -> None:
    """Wounds and deaths are settled: the rest of the effects follows."""
    if not conflict.has_effect:
        take_effect(play, conflict)
    done(play, conflict)


def take_effect_of_harm(play: Table, conflict: Conflict) -> None:
    """The effects of a result before the log has its wounds or the last links of the dead. Figures that the players
    count from here on have these effects in them. A gap may hide the rest."""
    if conflict.stage in (Stage.RESULT, Stage.DEATHS) and not conflict.has_effect:
        take_effect(play, conflict)


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
        if hand.character == conflict.active or not weight:
            continue
        if forms_links(play, conflict, hand, weight):
            pair = play.state.pair(conflict.active, hand.character)
            conflict.formed[pair] = conflict.formed.get(pair, 0) + weight
    if conflict.against and weight < 0 and play.ruling("direct_links") == "hostile":
        pair = play.state.pair(conflict.active, conflict.against)
        conflict.formed[pair] = weight


def forms_links(play: Table, conflict: Conflict, hand: Hand, weight: int) -> bool:
    """Whether a result forms links between the Active and a character (I52, I53)."""
    side = hand.final or hand.stance or Side.NEUTRAL
    if hand.late and play.ruling("effect_stance") == "first":
        side = Side.NEUTRAL
    if conflict.scope is Scope.ALONE:
        # No character was persuaded, but a Hostile took part.
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
    conflict.has_effect = True
    hand_on(play, doubtful, ["stress:"])
    for hand in conflict.hands.values():
        if hand.character != conflict.active:
            hand_on(play, doubtful, pair_keys(state.pair(conflict.active, hand.character)))
    for pair, by in conflict.formed.items():
        if not all(state.people[character].alive for character in pair):
            continue
        form_unlabelled(play, pair, by, f"{level}, conflict {conflict.number}", rule)
    conflict.stress_change = move_stress(play, conflict.stress_change, f"{level}: {conflict.words}")


def form_unlabelled(play: Table, pair: PairKey, by: int, why: str, rule: str) -> None:
    """Form unlabelled links of a pair because of a result (I52 to I54)."""
    former = play.state.unlabelled(pair).balance
    current = change_loose(play, pair, by, rule, why)
    play.event(
        f"{play.state.name_of(pair)}: unlabelled {signed(former)} -> {signed(current.balance)}",
        "I54" if former * by < 0 else rule,
        "unlabelled",
    )


def move_stress(play: Table, by: int, why: str) -> int:
    """I62: move Stress because of a result. Returns the change."""
    if not by:
        return 0
    moved = change_stress(play, by, "I62", "result", why)
    play.event(f"Stress {signed(moved)}, now {play.state.stress}", "I62", "stress")
    return moved
