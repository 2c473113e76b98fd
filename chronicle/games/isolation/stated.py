"""A result as stated: checked where dice fell, and the only word where none did (I46 to I54, I63)."""

from __future__ import annotations

from chronicle.core.diagnostic import plural
from chronicle.core.fix import add_entry, write_word
from chronicle.core.house_rules import answer
from chronicle.games.isolation.actions import Result
from chronicle.games.isolation.computed import STRESS
from chronicle.games.isolation.dice import GREEN, RED, Throw
from chronicle.games.isolation.effects import done, form_unlabelled, move_stress, plan, take_effect
from chronicle.games.isolation.state import Conflict, Level, PairKey, Scope, Side, signed
from chronicle.games.isolation.table import Table, at_hand, pair_of


def result(play: Table, action: Result) -> None:
    """I49, I63: the result as stated; checked where dice fell, the only word where none did."""
    conflict = at_hand(play)
    level = Level(action.level)
    play.step.headline = str(level)
    if conflict is None:
        _of_nobodys(play, action, level)
        return
    conflict.touch(play.step.index)
    play.record_outcomes(conflict.steps)
    if conflict.level is None:
        _without_dice(play, action, conflict, level)
        return
    doubts = (
        f"conflict:{conflict.number}",
        *(f"dice:{conflict.number}:{who}" for who in conflict.hands),
    )
    fact = (play.because(conflict.result_step, f"{conflict.pool} against {conflict.versus}"),)
    if action.pool is not None and action.pool != conflict.pool:
        _wrong_pool(play, conflict, action.pool, doubts)
        play.taint(f"result:{conflict.number}")
    if action.versus is not None and action.versus != conflict.versus:
        play.illegal(
            "I44",
            f"{conflict.against or 'the GM'} has {plural(conflict.versus, 'red odd')}, "
            f"not {action.versus}",
            at="versus",
            facts=fact,
            fix=write_word(conflict.versus),
            help="odd faces count; even ones take nothing away"
            if not conflict.against
            else "odd red faces count, less green evens of modifiers",
            after=(f"threat:{conflict.number}",),
        )
        play.taint(f"result:{conflict.number}")
    play.require(
        level is conflict.level,
        "I49",
        f"{conflict.pool} - {conflict.versus} = {signed(conflict.difference)} is a {conflict.level}, "
        f"not a {level}",
        at="main",
        facts=fact,
        after=(f"result:{conflict.number}", *doubts),
    )
    _stated_links(play, action, conflict)


def _of_nobodys(play: Table, action: Result, level: Level) -> None:
    """A result of a proposal that the record does not have: Stress moves as it says, and the links that
    it names are formed; nobody knows which others."""
    lost = play.gaps.latest()
    if not play.require(
        bool(lost), "I49", "nothing was proposed that could have a result", since=0
    ):
        return
    play.unknown(
        "I49",
        "the record does not say who proposed this; the stated result stands",
        facts=(play.because(lost, "the record does not say all here"),),
    )
    play.event(f"{level}, as it is recorded", "I49", "level")
    for pair, tally in (action.links or {}).items():
        key = pair_of(play, pair)
        if key is not None and tally.balance:
            form_unlabelled(
                play, key, tally.balance, str(level), "I52" if tally.balance > 0 else "I53"
            )
    move_stress(play, answer(play, STRESS, -level.weight), str(level))


def _without_dice(play: Table, action: Result, conflict: Conflict, level: Level) -> None:
    state = play.state
    rolled = conflict.rolled_step != 0
    if conflict.unrecorded:
        pass
    elif state.stress <= 0 and not rolled:
        play.suspect(
            level is not Level.BASIC_SUCCESS,
            "I63",
            f"without dice most actions are a Basic Success, not a {level}",
            at="main",
        )
    elif play.gap >= conflict.step:
        conflict.unrecorded = True
        play.unknown(
            "I44",
            "the record does not say how this was rolled; the stated result stands",
            facts=(play.because(play.gaps.latest(), "a gap in the record"),),
        )
    else:
        play.illegal(
            "I44" if rolled else "I63",
            f"the GM has not rolled against {conflict.active}"
            if rolled
            else f"no dice were rolled, and Stress is {state.stress}; only at 0 is that allowed",
            facts=(play.because(conflict.step, "proposed here"),),
            fix=add_entry("difficulty: average\nroll: unrecorded"),
            after=("stress:",),
        )
    conflict.level = level
    conflict.dice = False
    conflict.result_step = play.step.index
    for hand in conflict.hands.values():
        if not hand.late:
            hand.final = hand.stance
    how = "as it is recorded" if conflict.unrecorded else "without dice"
    play.event(f"{level}, {how}", "I49" if conflict.unrecorded else "I63", "level")
    plan(play, conflict)
    _stated_links(play, action, conflict)
    take_effect(play, conflict)
    done(play, conflict)


def _wrong_pool(play: Table, conflict: Conflict, stated: int, doubts: tuple[str, ...]) -> None:
    """Name the slip behind a wrong pool, where exactly one explains it."""
    evens, cancelled = conflict.evens, conflict.cancelled
    active = (conflict.hands[conflict.active].throw or Throw()).of(RED).counted(RED)
    slips: list[tuple[int, str, str]] = []
    if evens < cancelled:
        slips.append((evens - cancelled, "I46", "the pool never falls below 0"))
    if conflict.scope is Scope.ALONE:
        said = "going it alone, the Active's own red odds cancel green evens"
        slips.append((max(0, evens - (cancelled - active)), "I73", said))
    else:
        said = "red odds of the Active play no part in the second reading"
        slips.append((max(0, evens - cancelled - active), "I48", said))
    for hand in conflict.hands.values():
        greens = (hand.throw or Throw()).of(GREEN).counted(GREEN)
        if not greens or hand.who == conflict.active:
            continue
        pooled = max(0, evens + greens - cancelled)
        if hand.final is Side.NEUTRAL:
            slips.append((pooled, "I47", f"{hand.who} is Neutral and contributes nothing"))
        elif hand.final is Side.HOSTILE:
            said = f"green dice of {hand.who}, who is Hostile, do not count"
            slips.append((pooled, "I46", said))
    found = [(rule, said) for figure, rule, said in slips if figure == stated]
    rule, said = (
        found[0]
        if len({r for r, _ in found}) == 1
        else ("I45", "green evens of the Active and the Cooperative, less red odds of the Hostile")
    )
    play.illegal(
        rule,
        f"the pool is {evens} - {cancelled} = {conflict.pool}, not {stated}: {said}",
        at="pool",
        facts=(play.because(conflict.result_step, "rolled here"),),
        after=doubts,
        fix=write_word(conflict.pool),
    )


def _stated_links(play: Table, action: Result, conflict: Conflict) -> None:
    """I52 to I54: the unlabelled links as the table drew them."""
    state = play.state
    for pair, tally in (action.links or {}).items():
        key = pair_of(play, pair)
        if key is None:
            continue
        due = conflict.formed.get(key, 0)
        if tally.green and tally.red:
            play.illegal(
                "I54",
                f"{state.name_of(key)}: opposite links cancel; never both colours at once",
                at=pair.one,
            )
        elif tally.balance != due:
            rule = "I52" if (tally.balance or due) > 0 else "I53"
            play.illegal(
                rule,
                f"{state.name_of(key)} form {_words(due)}, not {_words(tally.balance)}: "
                + _why_links(conflict, key),
                at=pair.one,
                facts=(play.because(conflict.result_step, str(conflict.level)),),
                after=(f"result:{conflict.number}", f"conflict:{conflict.number}"),
            )


def _words(balance: int) -> str:
    if not balance:
        return "no unlabelled link"
    colour = "green" if balance > 0 else "red"
    return plural(abs(balance), f"unlabelled {colour} link")


def _why_links(conflict: Conflict, pair: PairKey) -> str:
    level = conflict.level
    if conflict.active not in pair:
        return "links are formed with the Active only"
    other = pair[0] if pair[1] == conflict.active else pair[1]
    hand = conflict.hands.get(other)
    if hand is None:
        return f"{other} took no part"
    side = hand.final or hand.stance
    if level is not None and not level.weight:
        return f"a {level} forms none"
    return f"{other} is {side}, and it was a {level}"
