"""Between building and rolling: judges take sides, Gladiators leave or betray (F57, F62, F67)."""

from __future__ import annotations

from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import set_key, write_instead, write_word
from chronicle.core.names import PLAYER
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.actions import Back, Betray, Disengage
from chronicle.games.fight_sphere.build import GM_SIDE, contest_of, may_disengage
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    GLADIATOR,
    Conflict,
    Gladiator,
    Round,
    Stage,
    Wager,
    pair,
)
from chronicle.games.fight_sphere.table import Table, acting, end_truce, gladiator, unsure


def back(play: Table, action: Back) -> None:
    """F67: dice of a Judgment Pool on a side of any Conflict."""
    play.step.headline = "Judges take sides"
    for word, sides in action.sides.items():
        found = play.find(word, (PLAYER, GLADIATOR), "player")
        if found is None:
            continue
        who = found.id if found.kind == PLAYER else play.state.gladiators[found.id].player
        if play.state.judgment(who) is None:
            continue
        for side_word, dice in sides.items():
            _wager(play, who, side_word, dice)


def _wager(play: Table, who: str, side_word: ScalarNode, dice: int) -> None:
    state = play.state
    contest: Conflict | Round | None
    if side_word.casefold() == "gm" or side_word == play.runner:
        side = GM_SIDE
        contest = next(reversed(state.open_conflicts), None)
        if contest is None and state.open_round is not None:
            play.illegal("F67", "an Encounter has no GM's side; back a Gladiator", at=side_word)
            return
    else:
        g = gladiator(play, side_word)
        if g is None:
            return
        side, contest = g.id, contest_of(play, g)
    if contest is None or not play.require(
        contest.stage is Stage.BUILDING,
        "F67",
        "the dice have fallen; nobody can back a side any more",
        at=side_word,
    ):
        if contest is None:
            play.illegal("F67", f"{side_word} is in no Conflict", at=side_word, after=("no scene",))
        return
    play.require(
        dice > 0, "F67", f"{who} backs {side_word} with {plural(dice, 'die', 'dice')}", at=side_word
    )
    if isinstance(contest, Round) and contest.limit is not None:
        play.suspect(
            dice > contest.limit and play.ruling("judge_limits") == "initiative",
            "FA25",
            f"{who} backs with {dice}; at this table judges keep to the Initiative's {contest.limit}",
            at=side_word,
        )
    if dice <= 0:
        return
    have = play.balance(f"judgment:{who}", DIE)
    play.pay(
        f"judgment:{who}",
        f"wager:{who}",
        dice,
        DIE,
        "F67",
        f"on {side_word}'s side",
        message=f"{who}'s Judgment Pool holds {have}, not {dice}",
        at=side_word,
    )
    contest.wagers.append(Wager(who, side, dice, play.step.index))
    play.event(f"{who} backs {side_word} with {plural(dice, 'die', 'dice')}", "F67", "backs", who)


def disengage(play: Table, action: Disengage) -> None:
    """F57: declared after the gamble limit is set and before the dice fall."""
    g = gladiator(play, action.gladiator)
    if g is None:
        return
    play.step.headline = f"{g.name} tries to disengage"
    round_ = play.state.open_round
    at = action.place("main")
    if round_ is None or g.id not in round_.members or round_.stage is Stage.ROLLED:
        return
    play.require(
        round_.limit is not None,
        "F57",
        f"{g.name} declares before the gamble limit is set",
        at=at,
        help=f"{play.names.all[round_.initiative].name} has the Initiative and builds first",
    )
    may_disengage(play, round_, g, at)
    if g.id in round_.builds:
        round_.builds[g.id].disengage = True
    else:
        round_.leaving.append(g.id)
    play.event(f"{g.name} tries to get away", "F57", "declares", g.id)


def betray(play: Table, action: Betray) -> None:
    """F62: after all have built and before the roll; the traitor's pool gains the Threshold Value."""
    state = play.state
    traitor = acting(play, action)
    partner = gladiator(play, action.partner)
    if partner is None:
        return
    if traitor is None or traitor.id == partner.id:
        play.illegal("F62", "who betrays whom?", fix=set_key("by"))
        return
    play.step.headline = f"{traitor.name} betrays {partner.name}"
    truce = state.truce(traitor.id, partner.id)
    round_ = state.open_round
    both = round_ is not None and any(
        (t, p) == (partner.id, traitor.id) for t, p, _ in round_.betrayals
    )
    if both and play.ruling("double_betrayal") == "first":
        play.suspect(
            True, "FA11", f"{partner.name} betrayed first; at this table only the first one gains"
        )
        return
    if truce is None and not both:
        play.report(
            unsure(play, partner.step),
            "F62",
            f"{traitor.name} and {partner.name} have no truce to betray",
            after=("cast", "dropped:truce"),
        )
        return
    play.suspect(
        traitor.npc and play.ruling("npc_options") == "no",
        "FA12",
        f"{traitor.name} is an NPC Gladiator; at this table only players betray",
    )
    if round_ is None or not {traitor.id, partner.id} <= set(round_.members):
        play.illegal(
            "F62",
            f"{traitor.name} and {partner.name} are in no Encounter together; a truce is betrayed "
            "in one",
            fix=write_instead(f"end truce: [{traitor.name}, {partner.name}]"),
        )
        return
    late = round_.stage is Stage.ROLLED
    unbuilt = [play.names.all[w].name for w in round_.members if w not in round_.builds]
    if late:
        play.illegal(
            "F62",
            "the dice have fallen; betrayal is declared after all have built and before the roll",
            facts=(play.because(round_.result_step, "rolled here"),),
        )
    else:
        play.require(
            not unbuilt,
            "F62",
            f"{listed(unbuilt)} {'has' if len(unbuilt) == 1 else 'have'} not built yet; "
            "betrayal comes after all have",
            help="write  betray:  below the last stake",
        )
    _treason(play, action, round_, traitor, partner, late)
    if truce is not None:
        end_truce(play, truce, f"{traitor.name} betrayed {partner.name}")


def _treason(
    play: Table, action: Betray, round_: Round, traitor: Gladiator, partner: Gladiator, late: bool
) -> None:
    tv = play.state.tv
    gain = tv
    for word, dice in (action.bonus or {}).items():
        whose = gladiator(play, word)
        if whose is None or not play.require(
            whose.id == traitor.id,
            "F62",
            f"{whose.name} gains nothing; {traitor.name} is the traitor",
            at=action.place_of_key("bonus", str(word)),
        ):
            continue
        if not play.require(
            dice == tv,
            "F62",
            f"betrayal brings {plural(tv, 'die', 'dice')}, the Threshold Value, not {dice}",
            at=action.place_of_key("bonus", str(word)),
            fix=write_word(tv),
        ):
            gain = dice
            play.taint(f"pool:{traitor.id}")
    play.move(BOX, f"pool:{traitor.id}", gain, DIE, "F62", f"betrayed {partner.name}")
    round_.betrayals.append((traitor.id, partner.id, gain))
    play.event(
        f"{traitor.name} gains {plural(gain, 'die', 'dice')} for the betrayal",
        "F62",
        "betrays",
        traitor.id,
    )
    if late:
        return
    if play.ruling("betrayal_dice") == "yes" and traitor.id in round_.builds:
        round_.builds[traitor.id].extra += gain
    both = pair(traitor.id, partner.id)
    if play.ruling("betrayal_compare") == "yes" and both in round_.truces:
        round_.truces.remove(both)
