"""The interference check, and what the Agency does when it comes in (tracks 10, 11 and 14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.dice import Faces, ShownDie, percent
from chronicle.core.record import Contest, Side, Throw
from chronicle.core.source import Place, Word
from chronicle.games.slow_burn.actions import (
    UNRECORDED,
    Answer,
    Ignore,
    RollCheck,
    RollImplication,
    SpendToken,
)
from chronicle.games.slow_burn.people import (
    acts_for,
    character,
    characters,
    gain_dice,
    is_pool,
    owner_of_resource,
    resource,
    resource_name,
)
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    FLEUR,
    FLOW,
    HANDLER_TOKENS,
    INTERFERES,
    JOB_DIE,
    OPPOSITION_TARGET,
    POOL,
    Check,
    Ignored,
    Kind,
    Phase,
    SceneRecord,
    Spy,
    Table,
    held_pool,
    in_play,
    persistent_of,
)

MISS = Fraction(5, 6)
"""Chance that one Agency die shows 3 or more."""
IGNORED_DICE = 2


def chance_of_interference(dice: int) -> Fraction:
    """The chance that at least one of so many Agency dice shows 1 or 2."""
    return 1 - MISS**dice


def can_be_implicated(play: Table) -> list[Spy]:
    """The spies in play whom an interference can reach."""
    found = [
        spy
        for spy in in_play(play)
        if spy.is_spy or play.ruling("nonspy_character") == "player-with-die"
    ]
    if play.ruling("push_implicated") == "no":
        pushing = play.state.pushing()
        found = [spy for spy in found if spy.id not in pushing]
    return found


def holders(play: Table, scene: SceneRecord) -> dict[str, int]:
    """Who has to roll how many own Agency dice in this scene's check (S10.2)."""
    own_scenes = play.ruling("persistent_always") == "own-scenes"
    found: dict[str, int] = {}
    for spy in in_play(play):
        if own_scenes and spy.id not in scene.used:
            continue
        dice = persistent_of(play, spy.id) + held_pool(play, spy.id)
        if dice:
            found[spy.id] = dice
    return found


# --- the check ------------------------------------------------------------------------------------


def roll_check(play: Table, action: RollCheck) -> None:
    """S11.1, S11.2: every Agency die is rolled before any other; 1 or 2 brings the Agency in."""
    state = play.state
    play.step.headline = "Interference check"
    if state.mini is not None:
        push = state.mini.kind is Kind.PUSH
        play.require(
            False,
            "S17.7" if push else "S15.8",
            "no Agency dice are rolled in a mini segment",
            at=action.place(),
            facts=(play.because(state.mini.step, "it began here"),),
        )
        return
    scene = state.scene
    if (scene is None or state.phase is not Phase.FRAMED) and _late(play, action, scene):
        return
    if scene is None:
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


def _late(play: Table, action: RollCheck, scene: SceneRecord | None) -> bool:
    """A check where none is due. True if there is nothing to check it against."""
    state = play.state
    if state.hole and scene is None:
        return True
    if scene is not None and scene.resolved:
        if not scene.check_skipped and not state.hole:
            play.require(
                False,
                "S11.1",
                f"'{scene.title}' has been rolled for; the check comes before any Job die",
                at=action.place(),
                facts=(play.because(scene.resolved, "rolled here"),),
                after=(FLOW,),
            )
        return True
    if scene is None:
        play.require(
            False,
            "S11.1",
            "no scene has been framed that could be checked",
            at=action.place(),
            help="scene: a place  comes first",
            after=(FLOW,),
        )
        return True
    play.require(
        False,
        "S11.1",
        "this scene has been checked already",
        at=action.place(),
        facts=(play.because(scene.check, "here"),) if scene.check else (),
        after=(FLOW,),
    )
    return True


def _read(play: Table, action: RollCheck, check: Check, scene: SceneRecord) -> None:
    """Faces against dice held; what the table rolled is what happened."""
    state = play.state
    expected = holders(play, scene)
    sides: list[Side] = []
    for word, rolled in (action.dice or {}).items():
        if is_pool(play, word, "Agency"):
            if rolled == UNRECORDED:
                check.unknown = True
                continue
            _pool(play, check, word, Faces(rolled))
            sides.append(_side("Agency", play.runner, check.pool, ("the Handler's dice",)))
            continue
        spy = character(play, word)
        if spy is None:
            continue
        if rolled == UNRECORDED:
            check.unknown = True
            expected.pop(spy.id, None)
            continue
        faces = Faces(rolled)
        _own(play, check, spy, word, faces, expected.pop(spy.id, 0))
        sides.append(_side(spy.id, spy.player, faces.numbers, ("persistent dice",)))
    for id, dice in expected.items():
        _left_out(play, action, state.cast[id], dice)
    pool = play.balance(POOL, AGENCY_DIE)
    if pool and not check.pool and not check.unknown:
        _pool_left_out(play, action, pool)
    total = len(check.pool) + sum(len(faces) for faces in check.faces.values())
    check.chance = percent(chance_of_interference(total))
    for side in sides:
        play.step.throws.append(Throw("d12", tuple(die.face for die in side.dice), side.player))
    play.step.contest = Contest(
        "Interference check",
        tuple(sides),
        unit="1 or 2 brings the Agency in",
        odds=f"{check.chance} that the Agency interferes",
        rule="S11.2",
    )


def _side(name: str, player: str, faces: Iterable[int], sources: tuple[str, ...]) -> Side:
    dice = tuple(ShownDie(str(face), face <= INTERFERES, "d12", "agency") for face in faces)
    hit = any(die.hit for die in dice)
    return Side(name, player, dice, sources, "interferes" if hit else "quiet", hit)


def _own(play: Table, check: Check, spy: Spy, word: Word, faces: Faces, expected: int) -> None:
    at = place_of_word(play.step.action, word)
    key = f"persistent:{spy.id}"
    rolled = len(faces)
    check.faces[spy.id] = faces.numbers
    if rolled == expected:
        spy.unsure = False
    elif spy.unsure or play.state.hole:
        play.report(
            Finding.UNKNOWN,
            "S10.2",
            f"{spy.id} rolls {plural(rolled, 'persistent die', 'persistent dice')}; "
            f"before the hole in the record it was {expected}",
            at=at,
            after=(
                key,
                FLOW,
            ),
        )
        play.adjust(key, str(rolled), AGENCY_DIE, "S10.2")
        spy.unsure = False
    else:
        # Dice as they were before the rule that had the last word: then it is that rule they forgot.
        forgot = spy.dice_rule in ("S2.7b", "S14.7c", "S16.2") and rolled == spy.dice_before
        code = spy.dice_rule if forgot else "S10.2"
        last = _last_dice_entry(play, spy)
        play.require(
            False,
            code,
            f"{spy.id} has {plural(expected, 'persistent Agency die', 'persistent Agency dice')} "
            f"and rolls {rolled}",
            at=at,
            facts=(play.because(last, "changed last here"),) if last else (),
            after=(key, FLOW),
            help="all of them are rolled in every scene of the Job",
        )
        play.taint(key)
        if rolled > expected or code == "S14.7c":
            held = held_pool(play, spy.id)
            play.adjust(key, str(max(0, rolled - held)), AGENCY_DIE, code)
    _trigger_own(play, check, spy, faces.numbers)


def _last_dice_entry(play: Table, spy: Spy) -> int:
    for posting in reversed(play.ledger.postings):
        if posting.unit == AGENCY_DIE and f"persistent:{spy.id}" in (
            posting.source,
            posting.target,
        ):
            return posting.step
    return 0


def _trigger_own(play: Table, check: Check, spy: Spy, faces: tuple[int, ...]) -> None:
    if not any(face <= INTERFERES for face in faces):
        return
    check.own.append(spy.id)


def _pool(play: Table, check: Check, word: Word, faces: Faces) -> None:
    """S10.3: the Handler rolls every Agency die that this Segment has brought."""
    state = play.state
    at = place_of_word(play.step.action, word)
    expected = play.balance(POOL, AGENCY_DIE)
    rolled = len(faces)
    check.pool = faces.numbers
    scene = state.scene
    unsure = state.pool_unsure or state.hole or (scene is not None and not scene.use_known)
    if rolled != expected and unsure:
        if not state.pool_unsure:
            play.report(
                Finding.UNKNOWN,
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
        play.require(
            False,
            "S9.6" if stale else "S10.3",
            f"the Agency holds {plural(expected, 'die', 'dice')} in this Segment, not {rolled}"
            + (f"; the {state.last_pool} of the Segment before are gone with it" if stale else ""),
            at=at,
            facts=facts,
            after=("agency:", FLOW),
        )
        play.taint("agency:")
        if rolled > expected:
            play.adjust(POOL, str(rolled), AGENCY_DIE, "S10.3")
    if any(face <= INTERFERES for face in check.pool):
        check.by_pool = True


def _left_out(play: Table, action: RollCheck, spy: Spy, dice: int) -> None:
    if spy.unsure or play.state.hole:
        return
    last = _last_dice_entry(play, spy)
    forgot = spy.dice_rule in ("S14.7c", "S16.2") and spy.dice_before == 0
    play.require(
        False,
        spy.dice_rule if forgot else "S10.2",
        f"{spy.id} has {plural(dice, 'persistent Agency die', 'persistent Agency dice')}, "
        f"and {'it is' if dice == 1 else 'they are'} not rolled",
        at=action.place("main"),
        facts=(play.because(last, "on the sheet since here"),) if last else (),
        help=f"check: {{{spy.id}: the faces, ...}}",
        after=(f"persistent:{spy.id}", FLOW),
    )


def _pool_left_out(play: Table, action: RollCheck, pool: int) -> None:
    if play.state.pool_unsure or play.state.hole:
        return
    play.require(
        False,
        "S10.3",
        f"the Agency holds {plural(pool, 'die', 'dice')} in this Segment, and none is rolled",
        at=action.place("main"),
        help="check: {..., Agency: the faces}",
        after=("agency:", FLOW),
    )


def _consequences(play: Table, action: RollCheck, check: Check) -> None:
    """S2.7b, S9.6: dice that brought the Agency in leave play. Then it is asked who is implicated."""
    state = play.state
    keepers = [spy.id for spy in characters(play, action.keep)]
    for id in check.own:
        _own_dice_leave(play, action, check, state.cast[id], id in keepers)
    if check.by_pool:
        reading = play.ruling("handler_dice_leave")
        leaving = {
            "whole-pool": play.balance(POOL, AGENCY_DIE),
            "successes": sum(1 for face in check.pool if face <= INTERFERES),
            "stay": 0,
        }[reading]
        play.move(POOL, BOX, leaving, AGENCY_DIE, "S9.6", "they brought the Agency in")
    if not check.triggered:
        state.phase = Phase.READY
        if not check.unknown:
            play.event("The Agency keeps quiet", "S11.5", "quiet")
        return
    play.event(f"The Agency interferes, through {check.how()}", "S11.2", "interferes")
    implicate_first(play, check)


def _own_dice_leave(play: Table, action: RollCheck, check: Check, spy: Spy, keep: bool) -> None:
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
            at=action.place("keep"),
            help="the ruling  persistent_leave: may-be-kept  allows it",
        )
        check.kept.append(spy.id)
        return
    if play.ruling("ignore_order") == "gain-first":
        check.deferred.append(spy.id)
        return
    gain_dice(play, spy, -persistent, "S2.7b", "they brought the Agency in")
    play.event(f"{spy.id}'s persistent Agency dice leave play", "S2.7b", "dice leave", spy.id)


def implicate_first(play: Table, check: Check) -> None:
    """S14.2a to S14.5: who is implicated without a roll, and who has to roll."""
    state = play.state
    state.phase = Phase.TRIGGERED
    reach = [spy.id for spy in can_be_implicated(play)]
    check.automatic = [id for id in check.own if id in reach]
    others = [id for id in reach if id not in check.automatic and id not in check.rolls]
    if check.by_pool:
        if check.automatic and play.ruling("others_roll_on_both") == "no":
            others = []
    elif check.own and not check.token:
        if play.ruling("others_roll_on_own") == "no":
            others = []
    elif play.ruling("token_implicates") == "handler-chooses":
        others = []
        check.choosing = True
    check.waiting = others
    for id in check.automatic:
        rule = "S14.4" if check.by_pool else "S14.2a"
        implicate(play, check, state.cast[id], rule)


def implicate(play: Table, check: Check, spy: Spy, rule: str) -> None:
    """A spy is implicated; the resources put into this scene are distracted (S14.6)."""
    if spy.id in check.implicated:
        return
    check.implicated.append(spy.id)
    play.event(f"{spy.id} is implicated", rule, "implicated", spy.id)
    scene = play.state.interrupted or play.state.scene
    if scene is None or scene.kind is not Kind.JOB:
        return
    dice = play.balance(f"job dice:{spy.id}", JOB_DIE)
    scene.distracted.append(spy.id)
    scene.distracted_used[spy.id] = list(scene.used.get(spy.id, ()))
    if dice:
        play.move(f"job dice:{spy.id}", BOX, dice, JOB_DIE, "S14.6", "distracted")
        play.event(
            f"{spy.id}'s resources are distracted: {plural(dice, 'Job die', 'Job dice')} gone",
            "S14.6",
            "distracted",
            spy.id,
        )
    earned = scene.earned.get(spy.id, 0)
    if earned and play.ruling("refund") == "yes":
        play.move(
            POOL, BOX, min(earned, play.balance(POOL, AGENCY_DIE)), AGENCY_DIE, "SA42", "refunded"
        )


# --- the Handler's token --------------------------------------------------------------------------


def spend_token(play: Table, action: SpendToken) -> None:
    """S11.3: if no die did, a Fleur-de-Lis token brings the Agency in."""
    state = play.state
    play.step.headline = "A Fleur-de-Lis token"
    at = action.place()
    if action.words:
        play.step.fiction = f"{action.words}\n\n{play.step.fiction}".strip()
    play.require(
        not play.step.player or play.step.player == play.runner,
        "S3.1",
        f"{play.step.player} spends a token; only the Handler's tokens bring the Agency in",
        at=action.place("by"),
    )
    if state.phase is Phase.SETUP and not state.hole:
        play.require(False, "S3.4", "the Handler's tokens are for the Job; it has not begun", at=at)
        return
    if state.mini is not None:
        push = state.mini.kind is Kind.PUSH
        play.require(
            False,
            "S17.4" if push else "S15.4",
            "no token is spent in a mini segment; it has no interference check",
            at=at,
            facts=(play.because(state.mini.step, "it began here"),),
        )
        return
    scene = state.scene
    if scene is None or state.phase not in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED):
        play.require(
            state.hole,
            "S11.3",
            "a token is spent in a scene's interference check",
            at=at,
            help="scene: a place  comes first",
            after=(FLOW,),
        )
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
    if check.triggered:
        check.token = play.step.index
    else:
        check.token = play.step.index
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
        help="check: {...}  comes first",
    )
    check = Check(play.step.index, scene.number, scene.episode, scene.segment)
    check.chance = percent(chance_of_interference(0))
    scene.check = play.step.index
    state.check = check
    state.checks.append(check)
    return check


# --- implication ----------------------------------------------------------------------------------


def roll_implication(play: Table, action: RollImplication) -> None:
    """S14.5: one die each; five or less implicates."""
    play.step.headline = "Who is implicated?"
    rolls = action.rolls
    if isinstance(rolls, Mapping):
        take_rolls(play, rolls)
    else:
        for word in rolls:
            _named(play, word)
    take_targets(play, action.target)
    settle(play)


def _named(play: Table, word: Word) -> None:
    """A spy named without a roll: the Handler's choice, where the table leaves it to the Handler."""
    check = play.state.check
    spy = character(play, word)
    if spy is None:
        return
    at = place_of_word(play.step.action, word)
    if check is None or not (check.triggered or check.unknown):
        _no_interference(play, spy, at)
        return
    picks = (
        not check.implicated
        and not check.waiting
        and play.ruling("none_implicated") == "handler-picks"
    )
    if not check.choosing and not picks:
        _must_be_implicated(play, check, spy, at)
    check.touched = True
    implicate(play, check, spy, "SA8" if check.choosing else "SA9")


def take_rolls(play: Table, rolls: Mapping[Word, Faces]) -> None:
    """Implication rolls, judged one by one."""
    check = play.state.check
    for word, faces in rolls.items():
        spy = character(play, word)
        if spy is None:
            continue
        at = place_of_word(play.step.action, word)
        face = int(faces[0])
        play.step.throws.append(Throw("d12", tuple(faces), spy.player))
        if check is None or not (check.triggered or check.unknown):
            _no_interference(play, spy, at)
            continue
        check.touched = True
        if spy.id in check.automatic and spy.id not in check.waiting:
            play.require(
                False,
                "S14.4" if check.by_pool else "S14.2a",
                f"{spy.id} is implicated by the own dice and rolls nothing",
                at=at,
                facts=(play.because(check.step, "the check"),),
                after=(FLOW,),
            )
            continue
        if spy.id not in check.waiting and not check.unknown:
            if spy.id in check.rolls:
                play.require(
                    False, "S14.5", f"{spy.id} has rolled {check.rolls[spy.id]} already", at=at
                )
                continue
            _outside(play, check, spy, at)
        if spy.id in check.waiting:
            check.waiting.remove(spy.id)
        check.rolls[spy.id] = face
        if face <= OPPOSITION_TARGET:
            implicate(play, check, spy, "S14.5")
        else:
            play.event(
                f"{spy.id} rolls {face} and stays out of it", "S14.5", "not implicated", spy.id
            )
    if check is not None and rolls:
        _show_rolls(play, check)


def _show_rolls(play: Table, check: Check) -> None:
    if play.step.contest is not None:
        return
    play.step.contest = Contest(
        "Who is implicated?",
        tuple(
            Side(
                id,
                play.state.cast[id].player,
                (ShownDie(str(face), face <= OPPOSITION_TARGET, "d12", "agency"),),
                (),
                "implicated" if face <= OPPOSITION_TARGET else "not implicated",
                face > OPPOSITION_TARGET,
            )
            for id, face in check.rolls.items()
        ),
        unit="5 or less is implicated",
        rule="S14.5",
    )


def _outside(play: Table, check: Check, spy: Spy, at: Place) -> None:
    """A roll (or a choice) of somebody whom this interference does not reach."""
    own_only = bool(check.own) and not check.by_pool and not check.token
    play.require(
        False,
        "S14.2a" if own_only else "S14.5",
        f"only {listed(check.own)} {'is' if len(check.own) == 1 else 'are'} implicated: the Agency came "
        f"through {'their' if len(check.own) > 1 else 'the'} own dice; {spy.id} has no part in it"
        if own_only
        else f"{spy.id} is out of this interference's reach",
        at=at,
        facts=(play.because(check.step, "the check"),),
        after=(FLOW,),
    )


def _no_interference(play: Table, spy: Spy, at: Place) -> None:
    state = play.state
    check = state.check
    if state.hole:
        return
    play.require(
        False,
        "S11.2",
        f"{spy.id} is drawn into an interference, but the Agency has not come in: no Agency die "
        "showed 1 or 2, and no token was spent"
        if check is not None
        else f"{spy.id} is drawn into an interference, but none has been triggered",
        at=at,
        facts=(play.because(check.step, "the check"),) if check is not None else (),
        after=("interference:", FLOW),
    )
    play.taint("interference:")


def _must_be_implicated(play: Table, check: Check, spy: Spy, at: Place) -> None:
    """A choice by somebody who is not implicated is reported, and played as if they were."""
    if spy.id in check.implicated:
        return
    if spy.id in check.rolls:
        play.require(
            False,
            "S14.5",
            f"{spy.id} rolled {check.rolls[spy.id]} and is not implicated; that takes 5 or less",
            at=at,
            facts=(play.because(check.step, "the check"),),
            after=(FLOW,),
        )
    elif spy.id in check.waiting:
        play.require(
            False,
            "S14.5",
            f"{spy.id} rolls one die first: only 5 or less is implicated",
            at=at,
            facts=(play.because(check.step, "the check"),),
            help=f"implicate: {{{spy.id}: the face}}",
            after=(FLOW,),
        )
        check.waiting.remove(spy.id)
    elif not check.unknown:
        _outside(play, check, spy, at)


def drawn_in(play: Table, spy: Spy, at: Place) -> Check | None:
    """The interference a spy is choosing about; whatever is wrong with that is reported."""
    check = play.state.check
    if check is None or not (check.triggered or check.unknown):
        _no_interference(play, spy, at)
        scene = play.state.scene
        if check is None:
            if scene is None or scene.resolved:
                return None
            check = Check(play.step.index, scene.number, scene.episode, scene.segment)
            play.state.check = check
            play.state.checks.append(check)
        check.unknown = True
        play.state.phase = Phase.TRIGGERED
    _must_be_implicated(play, check, spy, at)
    implicate(play, check, spy, "S14.1")
    check.touched = True
    return check


# --- the target, and ignoring ---------------------------------------------------------------------


def take_targets(play: Table, target: object) -> None:
    """SA11: which resource the interference is after."""
    check = play.state.check
    if target is None or check is None:
        return
    action = play.step.action
    if isinstance(target, Mapping):
        for word, names in target.items():
            spy = character(play, word)
            if spy is not None:
                for name in names:
                    id = resource(play, spy, name)
                    _target(play, check, spy, id, name)
        return
    for name in target if isinstance(target, tuple) else ():
        implicated = [play.state.cast[id] for id in check.implicated]
        owner = next((spy for spy in implicated if resource(play, spy, name)), None)
        owner = owner or owner_of_resource(play, name)
        if owner is None:
            play.report(
                Finding.UNREADABLE,
                "T50",
                f"no resource '{name}'",
                at=place_of_word(action, name),
                help="name a speciality or a contact",
            )
            continue
        _target(play, check, owner, resource(play, owner, name), name)


def _target(play: Table, check: Check, spy: Spy, id: str, name: Word) -> None:
    at = place_of_word(play.step.action, name)
    scene = play.state.interrupted or play.state.scene
    assigned = scene.distracted_used.get(spy.id) or scene.used.get(spy.id, []) if scene else []
    play.require(
        bool(id),
        "S9.4",
        f"{spy.id} has no resource '{name}'",
        at=at,
        finding=Finding.UNREADABLE,
    )
    play.require(
        not id or not assigned or id in assigned,
        "S14.7a",
        f"{name} was not put into this scene by {spy.id}; the target is one of "
        f"{listed(resource_name(spy, one) for one in assigned)}",
        at=at,
        facts=(play.because(scene.step, "the scene"),) if scene else (),
    )
    if id:
        check.targets.setdefault(spy.id, []).append(id)


def ignore(play: Table, action: Ignore) -> None:
    """S14.7a to S14.7c: the resource, the target number, two dice."""
    spies = characters(play, action.spies)
    acts_for(play, spies)
    play.step.headline = f"{listed(spy.id for spy in spies)} will not be ordered about"
    at = action.place("main")
    for spy in spies:
        check = drawn_in(play, spy, at)
        if check is None:
            continue
        _in_order(play, check, spy, at)
        take_targets(play, action.target if spy is spies[0] else None)
        _ignore(play, action, check, spy)
    settle(play)


def _in_order(play: Table, check: Check, spy: Spy, at: Place) -> None:
    """SA44: choices are declared openly, in seating order."""
    if play.ruling("choice_order") != "seating" or spy.player not in play.seats:
        return
    if play.step.action.key in ("ignore", "answer") and check.choices:
        seat = play.seats.index(spy.player)
        for id in check.choices:
            other = play.state.cast[id]
            if other.player in play.seats and play.seats.index(other.player) > seat:
                play.suspect(
                    play.steps[check.chosen[id] - 1] is not play.step,
                    "S14.8",
                    f"{spy.id} chooses after {id}; choices are declared in seating order",
                    at=at,
                    facts=(play.because(check.chosen[id], f"{id} chose here"),),
                )
                return


def _ignore(play: Table, action: Ignore, check: Check, spy: Spy) -> None:
    state = play.state
    if not _first_choice(play, check, spy, "ignored"):
        return
    scene = state.interrupted or state.scene
    assigned = scene.distracted_used.get(spy.id, []) if scene else []
    named = check.targets.get(spy.id, [])
    if play.ruling("target_resource") == "all-distracted":
        lost = tuple(dict.fromkeys(assigned or named))
    elif named:
        lost = (named[0],)
        play.require(
            len(named) == 1,
            "S14.7a",
            f"{plural(len(named), 'resource')} of {spy.id} are targeted; an interference has one target",
            at=action.place("target"),
        )
    else:
        lost = tuple(assigned[:1]) if len(assigned) == 1 else ()
        if not lost:
            play.report(
                Finding.UNKNOWN,
                "S14.7a",
                f"the log does not say which of {spy.id}'s resources the Agency is after",
                help="target: the resource",
            )
    one = Ignored(
        spy.id,
        lost,
        scene.number if scene else 0,
        scene.segment if scene else 0,
        scene.episode if scene else 0,
        play.step.index,
        dice=IGNORED_DICE,
    )
    state.ignored.append(one)
    if play.ruling("ignore_counts_from") == "this-scene":
        one.count = 1
    for id in lost:
        play.event(
            f"{spy.id} loses {resource_name(spy, id)} until the Agency is answered",
            "S14.7a",
            "loses",
            spy.id,
        )
    gain_dice(play, spy, IGNORED_DICE, "S14.7c", "the Agency was ignored")
    play.event(f"{spy.id} gains two persistent Agency dice", "S14.7c", "gains dice", spy.id)
    if spy.id in check.deferred:
        check.deferred.remove(spy.id)
        gain_dice(play, spy, -persistent_of(play, spy.id), "S2.7b", "they brought the Agency in")


def _first_choice(play: Table, check: Check, spy: Spy, choice: str) -> bool:
    if spy.id in check.choices:
        play.require(
            False,
            "S14.8",
            f"{spy.id} has {check.choices[spy.id]} this interference already",
            facts=(play.because(check.chosen[spy.id], "here"),),
            after=(FLOW,),
        )
        return False
    check.choices[spy.id] = choice
    check.chosen[spy.id] = play.step.index
    return True


def answer_now(play: Table, action: Answer, check: Check, spy: Spy) -> bool:
    """S14.8: an implicated spy responds. False if that spy had chosen before."""
    _in_order(play, check, spy, action.place("main"))
    if not _first_choice(play, check, spy, "answered"):
        return False
    if spy.id in check.deferred:
        check.deferred.remove(spy.id)
        gain_dice(play, spy, -persistent_of(play, spy.id), "S2.7b", "they brought the Agency in")
    play.event(f"{spy.id} responds to the Agency", "S14.8", "answers", spy.id)
    return True


def settle(play: Table) -> None:
    """Is everything about the interference decided? Then the scene goes on."""
    from chronicle.games.slow_burn import rolls

    state = play.state
    check = state.check
    if check is None or state.phase is not Phase.TRIGGERED or state.mini is not None:
        return
    if check.waiting or (check.choosing and not check.implicated):
        return
    if not check.implicated:
        if check.unknown and not check.triggered:
            return
        if play.ruling("none_implicated") == "handler-picks":
            return
        check.note = "nobody was implicated"
        check.touched = True
        state.phase = Phase.READY
        play.event("Nobody is implicated; the interference fizzles", "SA9", "fizzles")
        return
    if check.undecided() or "answered" in check.choices.values():
        return
    check.note = "ignored"
    if play.ruling("after_ignore") == "scene-ends":
        rolls.end_unrolled(play, "SA14", "ignored, and the scene is over")
        return
    state.phase = Phase.READY


def unfinished(play: Table, at: Place) -> None:
    """Dice are about to be rolled: what the interference still asks for is reported, once."""
    state = play.state
    check = state.check
    if check is None or not check.triggered or state.hole:
        return
    fact: tuple[Fact, ...] = (play.because(check.step, "the check"),)
    if not check.touched and not check.token:
        play.require(
            False,
            "S11.2",
            f"an Agency die showed 1 or 2 ({check.how()}), but the Agency does not interfere",
            at=at,
            facts=fact,
            help="ignore: or  answer:  by everybody implicated comes before the roll",
            after=(FLOW,),
        )
        play.taint("interference:")
        return
    open_choices = check.undecided()
    if open_choices:
        play.require(
            False,
            "S14.8",
            f"{listed(open_choices)} {'is' if len(open_choices) == 1 else 'are'} implicated and "
            "neither ignores nor answers it",
            at=at,
            facts=fact,
            help=f"ignore: {open_choices[0]}   or   answer: {open_choices[0]}",
            after=(FLOW,),
        )
    elif check.waiting:
        play.report(
            Finding.UNKNOWN,
            "S14.5",
            f"the log does not say whether {listed(check.waiting)} "
            f"{'is' if len(check.waiting) == 1 else 'are'} implicated",
            at=at,
            facts=fact,
            help=f"implicate: {{{check.waiting[0]}: the face}}",
            after=(FLOW,),
        )
    check.waiting = []
