"""The roll of an ordinary Conflict (F22 to F25, F34 to F36)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.figures import comparison_in_words
from chronicle.core.fix import choose_reading, drop_item, set_key, set_pair
from chronicle.core.guards import Violation
from chronicle.core.odds import percent
from chronicle.core.ranges import Range, exactly
from chronicle.core.record import Contest
from chronicle.games.fight_sphere.bonds import bar
from chronicle.games.fight_sphere.build import (
    GM_SIDE,
    SPHERE,
    as_many_faces,
    dice_doubts,
    dice_rule,
    gamble_back,
)
from chronicle.games.fight_sphere.needs import BACKS
from chronicle.games.fight_sphere.odds import ordinary_odds
from chronicle.games.fight_sphere.scene_close import wagers_back
from chronicle.games.fight_sphere.state import BOX, DIE, Conflict, Gladiator, Stage
from chronicle.games.fight_sphere.table import Table, pass_turn
from chronicle.games.fight_sphere.throw import (
    Rolled,
    Thrown,
    chance_of_one,
    count_ones,
    judge_violations,
    judged_faces,
    possible_ones,
    possible_ones_violations,
    read_roll,
    settle_sides,
    side,
    stated_ones_violations,
    stray_ones,
    throws,
    wagered,
)
from chronicle.games.fight_sphere.verdicts import succeeds

HOW = "stake: {gamble: 2, use: an inhabitant, background: a detail}"


class Fall(NamedTuple):
    """What the dice of an ordinary Conflict came to.

    Attributes:
        rolled: the throw; empty where it is not all written down.
        own: the ones of the Gladiator, with those of judges.
        opposing: the ones of the GM, with those of judges.
    """

    rolled: Rolled
    own: Range
    opposing: Range

    @property
    def is_known(self) -> bool:
        """Whether the ones of both sides are known."""
        return self.own.is_known and self.opposing.is_known


def fall_of(play: Table, action: Thrown, conflict: Conflict) -> Fall | None:
    """What the dice came to; None if a side is missing in a roll that is written down."""
    if not action.all_shown:
        ones = possible_ones(play, action, conflict, _dice(conflict))
        return Fall(Rolled(), ones[conflict.who], ones[GM_SIDE])
    rolled = read_roll(play, action, conflict)
    faces, opposing = rolled.faces.get(conflict.who), rolled.gm
    if faces is None or opposing is None:
        return None
    stray = stray_ones(play, action, conflict, rolled)
    counted = [
        count_ones(play, (*own, *judged_faces(conflict, rolled, side)))
        for own, side in ((faces, conflict.who), (opposing, GM_SIDE))
    ]
    if stray:
        return Fall(Rolled(), *(Range(least, least + stray) for least in counted))
    return Fall(rolled, exactly(counted[0]), exactly(counted[1]))


def _dice(conflict: Conflict) -> dict[str, int | None]:
    """Each side's own dice; None where their number is in doubt."""
    own = None if conflict.build.doubtful else conflict.build.dice
    return {conflict.who: own, GM_SIDE: conflict.tv}


def told_odds(play: Table, conflict: Conflict) -> str:
    """How likely an ordinary Conflict is won."""
    own = conflict.build.dice + wagered(conflict, conflict.who)
    opposing = conflict.tv + wagered(conflict, GM_SIDE)
    odds = ordinary_odds(own, opposing, play.rulings["ordinary_tie"], chance_of_one(play))
    success = f"success {percent(odds.get(True, Fraction(0)))}"
    return f"{success}, tie {percent(odds[None])}" if None in odds else success


# --- what is wrong with a roll ----------------------------------------------------------------------


def conflict_violations(play: Table, action: Thrown, conflict: Conflict) -> Iterator[Violation]:
    """The problems of the dice of an ordinary Conflict, and of their stated result."""
    gladiator = play.state.gladiators[conflict.who]
    if action.all_shown:
        rolled = read_roll(play, action, conflict)
        yield from judge_violations(play, action, conflict, rolled)
        yield from _others_dice(play, conflict, gladiator, rolled)
        yield from _own_dice(action, conflict, gladiator, rolled)
        yield from _gm_dice(play, action, conflict, rolled)
    else:
        yield from possible_ones_violations(play, action, conflict, _dice(conflict))
    fall = fall_of(play, action, conflict)
    if fall is None:
        return
    if fall.rolled.gm is not None:
        sides = {conflict.who: fall.rolled.faces[conflict.who], GM_SIDE: fall.rolled.gm}
        yield from stated_ones_violations(play, action, sides)
    yield from _result_violations(play, action, gladiator, fall)


def _others_dice(
    play: Table, conflict: Conflict, gladiator: Gladiator, rolled: Rolled
) -> Iterator[Violation]:
    """F59, F60: each Gladiator faces a Conflict of their own."""
    for id in rolled.faces:
        if id == gladiator.id:
            continue
        name = play.state.gladiators[id].name
        yield Violation(
            f"{name} rolls in {gladiator.name}'s Conflict; each Gladiator faces one of their own",
            rolled.words[id],
            drop_item(str(rolled.words[id])),
            f"{name} rolls in an entry of its own",
            after=[f"{BACKS}{play.state.gladiators[id].player}"],
            rule="F59" if id in play.state.scene_guests else "F60",
        )


def _own_dice(
    action: Thrown, conflict: Conflict, gladiator: Gladiator, rolled: Rolled
) -> Iterator[Violation]:
    """F25 to F28: the dice of the Gladiator, as many as were built."""
    own, build, name = rolled.faces.get(gladiator.id), conflict.build, gladiator.name
    if own is None:
        yield Violation(
            f"no dice for {name}",
            "main",
            set_pair(action.verb, name),
            doubts=[f"conflict:{conflict.number}"],
            rule="F25",
        )
    elif not own:
        message = f"{name} rolls no die at all; one is the least"
        yield Violation(message, rolled.words[gladiator.id], rule="F25")
    elif not build.doubtful and len(own) != build.dice:
        yield Violation(
            f"{name} rolls {plural(build.dice, 'die', 'dice')}, not {len(own)}",
            rolled.words[gladiator.id],
            help=as_many_faces(build) if conflict.built else HOW,
            place_label=" + ".join(build.sources()),
            after=dice_doubts(gladiator, build),
            # Perhaps another number of dice was paid, too.
            doubts=[f"pool:{gladiator.id}"],
            rule=dice_rule(build),
        )


def _gm_dice(
    play: Table, action: Thrown, conflict: Conflict, rolled: Rolled
) -> Iterator[Violation]:
    """F23: the GM rolls the Threshold Value."""
    dice = plural(conflict.tv, "die", "dice")
    if rolled.gm is None:
        yield Violation(
            f"no dice of the GM, who rolls {dice} here",
            "main",
            set_pair(action.verb, GM_SIDE),
            doubts=[f"conflict:{conflict.number}"],
            rule="F23",
        )
    elif len(rolled.gm) != conflict.tv:
        yield Violation(
            f"the GM rolls {dice} on this Layer, not {len(rolled.gm)}",
            rolled.words[GM_SIDE],
            place_label=f"Threshold Value {conflict.tv}",
            since=play.before_gap("", play.state.tv_known_from),
            after=["layer"],
            rule="F23",
        )


def _result_violations(
    play: Table, action: Thrown, gladiator: Gladiator, fall: Fall
) -> Iterator[Violation]:
    """F24, FA1: more ones succeed."""
    if action.result is None:
        return
    tie = play.rulings["ordinary_tie"]
    stated = _SAMPLES[action.result]
    if not fall.is_known:
        if action.result in possible_results(fall) or (
            action.result != "tie"
            and succeeds(*stated, tie)
            in {succeeds(*_SAMPLES[word], tie) for word in possible_results(fall)}
        ):
            return
        yield Violation(
            f"{_in_ones(fall.own)} against {_in_ones(fall.opposing)} cannot be a {action.result} for "
            f"{gladiator.name}; more ones succeed",
            "result",
            rule="F24",
        )
        return
    own, opposing = fall.own.number, fall.opposing.number
    due, score = succeeds(own, opposing, tie), f"{own} : {opposing}"
    is_tie = own == opposing
    if {"success": True, "failure": False, "tie": None}[action.result] == due or (
        is_tie and action.result == "tie"
    ):
        return
    if is_tie:
        play.ruling("ordinary_tie")
        comes_to = "rolled again" if due is None else "a success" if due else "a failure"
        yield Violation(
            f"{score} is a tie, which is {comes_to} at this table",
            "result",
            choose_reading("ordinary_tie", "success"),
            "success means more ones",
            rule="FA1",
            kind=DiagnosticKind.SUSPICIOUS,
        )
        return
    result = "success" if due else "failure"
    message = f"{score} is a {result} for {gladiator.name}; more ones succeed"
    yield Violation(message, "result", rule="F24")


_SAMPLES = {"success": (1, 0), "failure": (0, 1), "tie": (0, 0)}
"""Numbers of ones of both sides that give each result."""


def _in_ones(ones: Range) -> str:
    """A number of ones in words."""
    return f"{ones} {'one' if ones.is_known and ones.number == 1 else 'ones'}"


def possible_results(fall: Fall) -> list[str]:
    """The results that the dice allow where they are not all written down."""
    own, opposing = fall.own, fall.opposing
    possible = {
        "success": own.may_exceed(opposing),
        "failure": opposing.may_exceed(own),
        "tie": own.overlaps(opposing),
    }
    return [word for word, is_possible in possible.items() if is_possible]


# --- the effect of a roll ---------------------------------------------------------------------------


def roll_conflict(play: Table, action: Thrown, conflict: Conflict) -> None:
    """F24: the dice of an ordinary Conflict fall."""
    gladiator, fall = play.state.gladiators[conflict.who], fall_of(play, action, conflict)
    if fall is None:
        return
    success = _success(play, action, fall)
    if fall.is_known:
        conflict.ones, conflict.has_ones = (fall.own.number, fall.opposing.number), True
    if fall.rolled.gm is None:
        if success is None:
            _leave_open(play, gladiator, conflict)
        else:
            settle_conflict(play, gladiator, conflict, success, "The dice were not written down")
        return
    conflict.faces = {
        gladiator.id: tuple(fall.rolled.faces[gladiator.id]),
        GM_SIDE: tuple(fall.rolled.gm),
    }
    conflict.odds = told_odds(play, conflict)
    throws(play, fall.rolled)
    _show(play, gladiator, conflict, fall.rolled, success)
    if success is None:
        own, opposing = conflict.ones
        play.event(f"{own} : {opposing}, a tie: rolled again", "FA1", "tie")
        return
    own, opposing = conflict.ones
    settle_conflict(play, gladiator, conflict, success, f"{own} : {opposing} ones")


def _success(play: Table, action: Thrown, fall: Fall) -> bool | None:
    """F24, FA1: whether a Conflict succeeds, as the log has it, else by the dice. None for a tie that is rolled
    again, and where nobody can say."""
    tie = play.rulings["ordinary_tie"]
    if fall.is_known:
        own, opposing = fall.own.number, fall.opposing.number
        if own == opposing:
            play.ruling("ordinary_tie")
        if action.result is None or (action.result == "tie" and own == opposing):
            return succeeds(own, opposing, tie)
        return {"success": True, "failure": False, "tie": None}[action.result]
    play.ruling("ordinary_tie")
    words = possible_results(fall) if action.result is None else [action.result]
    results = {succeeds(*_SAMPLES[word], tie) for word in words}
    return results.pop() if len(results) == 1 else None


def _show(
    play: Table, gladiator: Gladiator, conflict: Conflict, rolled: Rolled, success: bool | None
) -> None:
    """The card of a roll, for readers."""
    own, opposing = conflict.ones
    came_to = {True: "success", False: "failure", None: "a tie, rolled again"}[success]
    play.step.contest = Contest(
        title=f"{gladiator.name} against the Threshold Value",
        sides=(
            side(
                play,
                gladiator.name,
                gladiator.player,
                rolled.faces[gladiator.id],
                judged_faces(conflict, rolled, gladiator.id),
                conflict.build,
                own,
                success is True,
            ),
            side(
                play,
                SPHERE,
                play.runner,
                rolled.gm or (),
                judged_faces(conflict, rolled, GM_SIDE),
                None,
                opposing,
                success is False,
                (f"Threshold Value {conflict.tv}",),
            ),
        ),
        score=f"{own} : {opposing}",
        unit="ones",
        outcome=(came_to,),
        odds=f"before the roll: {conflict.odds}",
        rule="F24",
        verdict=f"{comparison_in_words(own, opposing)}: {came_to}",
    )


def settle_conflict(
    play: Table, gladiator: Gladiator, conflict: Conflict, success: bool, score: str
) -> None:
    """The Conflict is decided: what it brings, what judges lose, whose turn is next."""
    conflict.stage, conflict.success = Stage.ROLLED, success
    conflict.result_step = play.step.number
    play.event(
        f"{score}: {gladiator.name} {'succeeds' if success else 'fails'}",
        "F24",
        "success" if success else "failure",
        gladiator.id,
    )
    _counted(play, gladiator, conflict)
    _outcome(play, gladiator, conflict, success)
    settle_sides(play, conflict, success=success)


def _counted(play: Table, g: Gladiator, conflict: Conflict) -> None:
    play.state.conflict_count += 1
    g.conflicts += 1
    is_framed = conflict.step < play.step.number
    if not conflict.guest:
        # In a Scene of which nothing else is on record, the Gladiator may have been a guest.
        pass_turn(play, g.player, None if is_framed else conflict.rests_on)
    if is_framed:
        conflict.rests_on = conflict.step


def _leave_open(play: Table, gladiator: Gladiator, conflict: Conflict) -> None:
    """Neither dice nor a result: what follows is not known until an entry shows it."""
    play.untold(
        "F24",
        f"the record does not say how {gladiator.name}'s roll went",
        fix=(set_key("result", "success"), set_key("result", "failure")),
    )
    conflict.stage, conflict.result_step = Stage.ROLLED, play.step.number
    gamble_back(play, conflict.build, "F35")
    wagers_back(play, conflict)
    _counted(play, gladiator, conflict)


def _outcome(play: Table, g: Gladiator, conflict: Conflict, success: bool) -> None:
    """F34 to F36: the gamble is kept or lost, and what was used in vain rests."""
    build = conflict.build
    if success:
        gamble_back(play, build, "F35")
        return
    lost = play.balance(f"gamble:{g.id}", DIE)
    play.move(f"gamble:{g.id}", BOX, lost, DIE, "F35", "gamble lost")
    used = build.used()
    bar(play, g, used)
    conflict.harm_due = used
    parts = [plural(lost, "die", "dice")] if lost else []
    parts += [f"{play.names.all[npc].name} barred" for npc in used if g.bonds[npc].barred_value > 0]
    conflict.losses = listed(parts) or "nothing"
    if lost:
        play.event(
            f"{g.name} loses the gamble of {plural(lost, 'die', 'dice')}", "F35", "loses", g.id
        )
