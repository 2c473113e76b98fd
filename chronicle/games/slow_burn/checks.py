"""The interference check and the Handler's token (tracks 10 and 11)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from chronicle.core.diagnostic import plural
from chronicle.core.dice import D12, Faces, ShownDie
from chronicle.core.fix import RemoveItem, add_entry, choose_reading, drop_key, make_fix, set_pair
from chronicle.core.odds import hits_distribution, percent, verdict_odds
from chronicle.core.record import Side, SideBySide, Throw
from chronicle.core.source import Place, ScalarNode
from chronicle.games.slow_burn.actions import RollCheck, SpendToken
from chronicle.games.slow_burn.interference import implicate_first, settle, take_rolls, take_targets
from chronicle.games.slow_burn.people import character, characters, gain_dice, is_pool
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    FLEUR,
    FLOW,
    HANDLER_TOKENS,
    INTERFERES,
    POOL,
    Check,
    Kind,
    Phase,
    SceneRecord,
    Spy,
    Table,
    held_pool,
    in_play,
    persistent_of,
)
from chronicle.games.slow_burn.verdicts import interferes

LOW = Fraction(INTERFERES, D12.sides)
"""The chance that one Agency die shows 1 or 2."""


def chance_of_interference(dice: int) -> Fraction:
    """The chance that so many Agency dice bring the Agency in."""
    odds = verdict_odds((hits_distribution(dice, LOW),), interferes)
    return odds.get(True, Fraction(0))


def low_dice(faces: Iterable[int]) -> int:
    """How many Agency dice show 1 or 2."""
    return sum(1 for face in faces if face <= INTERFERES)


def told_odds(dice: int) -> str:
    """How likely so many Agency dice bring the Agency in."""
    return f"{percent(chance_of_interference(dice))} that the Agency interferes"


def holders(play: Table, scene: SceneRecord) -> dict[str, int]:
    """Who has to roll how many own Agency dice in this scene's check (S10.2)."""
    own_scenes = play.ruling("persistent_always") == "own-scenes"
    return {
        spy.id: dice
        for spy in in_play(play)
        if (spy.id in scene.used or not own_scenes)
        and (dice := persistent_of(play, spy.id) + held_pool(play, spy.id))
    }


def roll_check(play: Table, action: RollCheck) -> None:
    """S11.1, S11.2: every Agency die is rolled before any other; 1 or 2 brings the Agency in."""
    state = play.state
    play.step.headline = "Interference check"
    scene = state.scene
    if scene is None or scene.resolved or scene.kind is not Kind.JOB:
        return
    check = Check(play.step.index, scene.number, scene.episode, scene.segment)
    state.check = check
    state.checks.append(check)
    scene.check = play.step.index
    _read(play, action, check, scene)
    _consequences(play, action, check)
    if action.implicate:
        take_rolls(play, action.implicate)
    take_targets(play, action.target)
    settle(play)


def _read(play: Table, action: RollCheck, check: Check, scene: SceneRecord) -> None:
    """Faces against dice held; what the table rolled is what happened."""
    expected = holders(play, scene)
    sides: list[Side] = []
    thrown = action.dice
    pooled = False
    if isinstance(thrown, str):
        check.unknown, thrown = True, None
        for id in expected:
            play.state.cast[id].unsure = True
        play.state.pool_unsure = True
        expected.clear()
    for word, rolled in (thrown or {}).items():
        if is_pool(play, word, "Agency"):
            if not play.require(
                not pooled, "S10.3", "the Agency's dice are rolled twice in this check", at=word
            ):
                continue
            pooled = True
            if rolled is None:
                check.unknown = play.state.pool_unsure = True
                continue
            _pool(play, check, word, Faces(rolled))
            sides.append(_side("Agency", play.runner, check.pool, ("the Handler's dice",)))
            continue
        spy = character(play, word)
        if spy is None:
            continue
        if rolled is None:
            # Whether they brought the Agency in, and left play, nobody knows.
            check.unknown = spy.unsure = True
            expected.pop(spy.id, None)
            continue
        faces = Faces(rolled)
        due = expected.pop(spy.id, 0)
        if not due and spy.player not in play.present:
            # Nobody has to roll for somebody who is away, but a table may.
            due = persistent_of(play, spy.id) + held_pool(play, spy.id)
        _own(play, check, spy, word, faces, due)
        sides.append(_side(spy.id, spy.player, faces.numbers, ("persistent dice",)))
    for id, dice in expected.items():
        _left_out(play, play.state.cast[id], dice)
    pool = play.balance(POOL, AGENCY_DIE)
    if pool and not (check.pool or check.unknown or play.state.pool_unsure or play.state.hole):
        play.illegal(
            "S10.3",
            f"the Agency holds {plural(pool, 'die', 'dice')} in this Segment, and none is rolled",
            at="main",
            fix=set_pair("check", "Agency"),
            after=("agency:", FLOW),
        )
    total = len(check.pool) + sum(len(faces) for faces in check.faces.values())
    check.chance = percent(chance_of_interference(total))
    for side in sides:
        play.step.throws.append(Throw("d12", tuple(die.face for die in side.dice), side.player))
    play.step.contest = SideBySide(
        "Interference check",
        tuple(sides),
        unit="1 or 2 brings the Agency in",
        odds=told_odds(total),
        rule="S11.2",
        verdict="the dice bring the Agency in" if any(side.won for side in sides) else "",
    )


def _side(name: str, player: str, faces: Iterable[int], sources: tuple[str, ...]) -> Side:
    dice = tuple(ShownDie(str(face), face <= INTERFERES, "d12", "agency") for face in faces)
    hit = interferes(sum(die.hit for die in dice))
    return Side(name, player, dice, sources, "interferes" if hit else "quiet", hit)


def _own(
    play: Table, check: Check, spy: Spy, word: ScalarNode, faces: Faces, expected: int
) -> None:
    key = f"persistent:{spy.id}"
    rolled = len(faces)
    check.faces[spy.id] = faces.numbers
    if rolled == expected:
        spy.unsure = False
        play.settle(key)
    elif spy.unsure or play.state.hole:
        play.unknown(
            "S10.2",
            f"{spy.id} rolls {plural(rolled, 'persistent die', 'persistent dice')}; "
            f"before the hole in the record it was {expected}",
            at=word,
            after=(key, FLOW),
        )
        play.adjust(key, str(rolled), AGENCY_DIE, "S10.2")
        spy.unsure = False
    else:
        # Dice as they were before the rule that had the last word: then it is that rule they forgot.
        forgot = spy.dice_rule in ("S2.7b", "S14.7c", "S16.2") and rolled == spy.dice_before
        code = spy.dice_rule if forgot else "S10.2"
        last = _last_dice_entry(play, spy)
        play.illegal(
            code,
            f"{spy.id} has {plural(expected, 'persistent Agency die', 'persistent Agency dice')} "
            f"and rolls {rolled}",
            at=word,
            facts=play.facts(last, "changed last here"),
            after=(key, FLOW),
            help="all of them are rolled in every scene of the Job",
        )
        play.taint(key)
        if rolled > expected or code == "S14.7c":
            held = held_pool(play, spy.id)
            play.adjust(key, str(max(0, rolled - held)), AGENCY_DIE, code)
    if interferes(low_dice(faces.numbers)):
        check.own.append(spy.id)


def _last_dice_entry(play: Table, spy: Spy) -> int:
    last = play.ledger.last(AGENCY_DIE, f"persistent:{spy.id}")
    return last.step if last is not None else 0


def _pool(play: Table, check: Check, word: ScalarNode, faces: Faces) -> None:
    """S10.3: the Handler rolls every Agency die that this Segment has brought."""
    state = play.state
    expected = play.balance(POOL, AGENCY_DIE)
    rolled = len(faces)
    check.pool = faces.numbers
    scene = state.scene
    unsure = state.pool_unsure or state.hole or (scene is not None and not scene.use_known)
    if rolled != expected and unsure:
        if not state.pool_unsure:
            play.unknown(
                "S9.4",
                "the log does not say which resources went into this scene",
                help="use: {spy: [resources]}",
                after=(FLOW,),
            )
        play.adjust(POOL, str(rolled), AGENCY_DIE, "S10.3")
        state.pool_unsure = False
    elif rolled != expected:
        segment = state.segment
        stale = rolled - expected == state.last_pool > 0
        facts = [play.because(segment.step, "this Segment began here")] if segment else []
        play.illegal(
            "S9.6" if stale else "S10.3",
            f"the Agency holds {plural(expected, 'die', 'dice')} in this Segment, not {rolled}"
            + (f"; the {state.last_pool} of the Segment before are gone with it" if stale else ""),
            at=word,
            facts=facts,
            after=("agency:", FLOW),
        )
        play.taint("agency:", "opposition:")
        if rolled > expected:
            play.adjust(POOL, str(rolled), AGENCY_DIE, "S10.3")
    check.by_pool |= interferes(low_dice(check.pool))


def _left_out(play: Table, spy: Spy, dice: int) -> None:
    if spy.unsure or play.state.hole:
        return
    last = _last_dice_entry(play, spy)
    forgot = spy.dice_rule in ("S14.7c", "S16.2") and spy.dice_before == 0
    play.illegal(
        spy.dice_rule if forgot else "S10.2",
        f"{spy.id} has {plural(dice, 'persistent Agency die', 'persistent Agency dice')}, "
        f"and {'it is' if dice == 1 else 'they are'} not rolled",
        at="main",
        facts=play.facts(last, "on the sheet since here"),
        fix=set_pair("check", spy.id),
        after=(f"persistent:{spy.id}", FLOW),
    )


def _consequences(play: Table, action: RollCheck, check: Check) -> None:
    """S2.7b, S9.6: dice that brought the Agency in leave play. Then it is asked who is implicated."""
    state = play.state
    keepers = [spy.id for spy in characters(play, action.keep)]
    for id in keepers:
        play.require(
            id in check.own or check.unknown,
            "S2.7b",
            f"{id}'s persistent dice have not brought the Agency in; they stay without a word",
            at="keep",
            fix=make_fix(RemoveItem(id, key="keep")),
        )
    for id in check.own:
        _own_dice_leave(play, check, state.cast[id], id in keepers)
    if check.by_pool:
        leaving = {
            "whole-pool": play.balance(POOL, AGENCY_DIE),
            "successes": sum(1 for face in check.pool if face <= INTERFERES),
            "stay": 0,
        }[play.ruling("handler_dice_leave")]
        play.move(POOL, BOX, leaving, AGENCY_DIE, "S9.6", "they brought the Agency in")
    if not check.triggered:
        state.phase = Phase.READY
        if not check.unknown:
            play.event("The Agency keeps quiet", "S11.5", "quiet")
        return
    play.event(f"The Agency interferes, through {check.how()}", "S11.2", "interferes")
    implicate_first(play, check)


def _own_dice_leave(play: Table, check: Check, spy: Spy, keep: bool) -> None:
    faces = check.faces[spy.id]
    persistent = persistent_of(play, spy.id)
    held = held_pool(play, spy.id)
    if held and any(face <= INTERFERES for face in faces[persistent:]):
        play.move(f"agency:{spy.id}", BOX, held, AGENCY_DIE, "S9.6", "they brought the Agency in")
    if not any(face <= INTERFERES for face in faces[:persistent]):
        return
    if keep:
        play.require(
            play.ruling("persistent_leave") == "may-be-kept",
            "S2.7b",
            f"{spy.id} keeps persistent dice that brought the Agency in; they leave play",
            at="keep",
            fix=(drop_key("keep"), choose_reading("persistent_leave", "may-be-kept")),
        )
        check.kept.append(spy.id)
        return
    if play.ruling("ignore_order") == "gain-first":
        check.deferred.append(spy.id)
        return
    gain_dice(play, spy, -persistent, "S2.7b", "they brought the Agency in")
    play.event(f"{spy.id}'s persistent Agency dice leave play", "S2.7b", "dice leave", spy.id)


def spend_token(play: Table, action: SpendToken) -> None:
    """S11.3: if no die did, a Fleur-de-Lis token brings the Agency in."""
    play.step.headline = "A Fleur-de-Lis token"
    at = action.place()
    play.step.tell(action.words or None)
    scene = play.state.scene
    if scene is None or scene.kind is not Kind.JOB:
        return
    play.pay(
        HANDLER_TOKENS,
        "spent tokens",
        1,
        FLEUR,
        "S11.3",
        "to bring the Agency in",
        message="the Handler has no Fleur-de-Lis token left",
        at=at,
    )
    check = _check_for_token(play, scene, at)
    play.suspect(
        check.triggered and play.ruling("token_redundant") == "suspect",
        "S11.3",
        "a token is spent although dice have brought the Agency in already",
        at=at,
        facts=(play.because(check.step, "the check"),),
    )
    late, check.token = check.triggered, play.step.index
    if late:
        play.taint("agency:")
    else:
        implicate_first(play, check)
    play.event(
        f"The Handler spends a token; {play.balance(HANDLER_TOKENS, FLEUR)} left",
        "S11.3",
        "token spent",
    )
    if action.implicate:
        take_rolls(play, action.implicate)
    take_targets(play, action.target)
    settle(play)


def _check_for_token(play: Table, scene: SceneRecord, at: Place) -> Check:
    state = play.state
    if state.check is not None:
        return state.check
    rolls = holders(play, scene)
    dice = sum(rolls.values()) + play.balance(POOL, AGENCY_DIE)
    play.require(
        not dice or state.hole or state.pool_unsure,
        "S11.1",
        f"{plural(dice, 'Agency die has', 'Agency dice have')} not been rolled; "
        "the token comes after the dice",
        at=at,
        fix=add_entry("check: ..."),
    )
    check = Check(play.step.index, scene.number, scene.episode, scene.segment)
    check.chance = percent(chance_of_interference(0))
    scene.check = play.step.index
    state.check = check
    state.checks.append(check)
    return check
