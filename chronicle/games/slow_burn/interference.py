"""The Agency interferes: who is implicated, and what ignoring it costs (track 14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.dice import Faces, ShownDie
from chronicle.core.fix import BLANK, Fix, add_entry, drop_key, set_key
from chronicle.core.house_rules import answer
from chronicle.core.record import Side, SideBySide, Throw
from chronicle.core.source import Place, ScalarNode
from chronicle.games.slow_burn import scenes
from chronicle.games.slow_burn.actions import Answer, Ignore, RollImplication
from chronicle.games.slow_burn.computed import PERSISTENT
from chronicle.games.slow_burn.people import (
    character,
    characters,
    each,
    gain_dice,
    owner_of_resource,
    resource,
    resource_name,
)
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    CONTACT,
    FLOW,
    JOB_DIE,
    OPPOSITION_TARGET,
    POOL,
    RESOURCE,
    Check,
    Ignored,
    Kind,
    Phase,
    Spy,
    Table,
    in_play,
    persistent_of,
)

IGNORED_DICE = 2


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


def roll_implication(play: Table, action: RollImplication) -> None:
    """S14.5: one die each; five or less implicates."""
    check = play.state.check
    before = len(check.implicated) if check is not None else 0
    play.step.headline = "Who is implicated?"
    rolls = action.rolls
    if isinstance(rolls, str | Mapping):
        take_rolls(play, rolls)
    else:
        for word in rolls:
            _named(play, word)
    if check is not None and (found := check.implicated[before:]):
        play.step.headline = f"{listed(found)} {'is' if len(found) == 1 else 'are'} implicated"
    take_targets(play, action.target)
    settle(play)


def _named(play: Table, word: ScalarNode) -> None:
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


def take_rolls(play: Table, rolls: str | Mapping[ScalarNode, Faces | None]) -> None:
    """Implication rolls, judged one by one; what nobody wrote down is in doubt."""
    check = play.state.check
    if isinstance(rolls, str):
        _lose(play, check, check.waiting if check is not None else (), play.step.action.place())
        return
    for word, faces in rolls.items():
        spy = character(play, word)
        if spy is None:
            continue
        at = place_of_word(play.step.action, word)
        if faces is not None:
            play.step.throws.append(Throw("d12", tuple(faces), spy.player))
        if check is None or not (check.triggered or check.unknown):
            _no_interference(play, spy, at)
            continue
        check.touched = True
        if spy.id in check.automatic and spy.id not in check.waiting:
            play.illegal(
                "S14.4" if check.by_pool else "S14.2a",
                f"{spy.id} is implicated by the own dice and rolls nothing",
                at=at,
                facts=(play.because(check.step, "the check"),),
                after=(FLOW,),
            )
            continue
        away = spy.player not in play.present and spy.id not in check.rolls
        unsure = check.unknown or spy.id in check.lost
        if spy.id not in check.waiting and not unsure and not away:
            if spy.id in check.rolls:
                play.illegal("S14.5", f"{spy.id} has rolled {check.rolls[spy.id]} already", at=at)
                continue
            _outside(play, check, spy, at)
        if faces is None:
            _lose(play, check, (spy.id,), at)
            continue
        if spy.id in check.waiting:
            check.waiting.remove(spy.id)
        check.lost = [id for id in check.lost if id != spy.id]
        face = check.rolls[spy.id] = int(faces[0])
        if face <= OPPOSITION_TARGET:
            implicate(play, check, spy, "S14.5")
        else:
            play.event(
                f"{spy.id} rolls {face} and stays out of it", "S14.5", "not implicated", spy.id
            )
    if check is not None and check.rolls:
        _show_rolls(play, check)


def _lose(play: Table, check: Check | None, spies: Iterable[str], at: Place) -> None:
    """Nobody wrote down what these rolled: whether they are implicated is shown by what they do."""
    lost = tuple(spies)
    if check is None or not lost:
        return
    check.touched = True
    check.lost += lost
    check.waiting = [id for id in check.waiting if id not in lost]
    play.unknown("S14.5", f"the record does not say what {listed(lost)} rolled", at=at)
    play.taint("interference:", *(f"job dice:{id}" for id in lost))


def _show_rolls(play: Table, check: Check) -> None:
    shown = play.step.contest
    if shown is not None:
        # Rolled in one breath with the check: its card says what came of it.
        told = tuple(
            f"{id} rolls {face} and is {'implicated' if face <= OPPOSITION_TARGET else 'not implicated'}"
            for id, face in check.rolls.items()
        )
        play.step.contest = shown._replace(outcome=(*shown.outcome, *told))
        return
    play.step.contest = SideBySide(
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
    play.illegal(
        "S14.2a" if own_only else "S14.5",
        f"only {listed(check.own)} {'is' if len(check.own) == 1 else 'are'} implicated: the Agency came "
        f"through {'their' if len(check.own) > 1 else 'the'} own dice; {spy.id} has no part in it"
        if own_only
        else f"{spy.id} is out of this interference's reach",
        at=at,
        facts=(play.because(check.step, "the check"),),
        after=("interference:", FLOW),
    )
    play.taint("interference:", "agency:")


def _no_interference(play: Table, spy: Spy, at: Place) -> None:
    state = play.state
    check = state.check
    if state.hole:
        return
    play.illegal(
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
        play.illegal(
            "S14.5",
            f"{spy.id} rolled {check.rolls[spy.id]} and is not implicated; that takes 5 or less",
            at=at,
            facts=(play.because(check.step, "the check"),),
            after=(FLOW,),
        )
    elif spy.id in check.lost:
        return
    elif check.unknown and spy.id not in check.faces:
        # The dice that nobody wrote down may have done it.
        check.waiting = [id for id in check.waiting if id != spy.id]
    elif spy.id in check.waiting:
        play.illegal(
            "S14.5",
            f"{spy.id} rolls one die first: only 5 or less is implicated",
            at=at,
            facts=(play.because(check.step, "the check"),),
            fix=add_entry(f"implicate: {{{spy.id}: ...}}"),
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


def take_targets(play: Table, target: object) -> None:
    """SA11: which resource the interference is after."""
    check = play.state.check
    if target is None or check is None:
        return
    if not (check.triggered or check.unknown or check.implicated or play.state.hole):
        play.illegal(
            "S14.7a",
            "a resource is targeted, but the Agency does not interfere",
            at="target",
            facts=(play.because(check.step, "the check"),),
            fix=drop_key("target"),
        )
        return
    if isinstance(target, Mapping):
        for spy, _, names in each(play, target):
            for name in names:
                _target(play, check, spy, resource(play, spy, name), name)
        return
    for name in target if isinstance(target, tuple) else ():
        implicated = [play.state.cast[id] for id in check.implicated]
        owner = next((spy for spy in implicated if resource(play, spy, name)), None)
        owner = owner or owner_of_resource(play, name)
        if owner is None:
            play.unreadable(
                "T50",
                f"no resource '{name}'",
                at=name,
                help="name a speciality or a contact",
                name=name,
            )
            owned = [id for spy in implicated for id in spy.resources()]
            meant = play.resolve_misspelt(name, (RESOURCE, CONTACT), owned)
            owner = owner_of_resource(play, name) if meant is not None else None
            if owner is None:
                continue
        _target(play, check, owner, resource(play, owner, name), name)


def _target(play: Table, check: Check, spy: Spy, id: str, name: ScalarNode) -> None:
    scene = play.state.interrupted or play.state.scene
    assigned = scene.distracted_used.get(spy.id) or scene.used.get(spy.id, []) if scene else []
    play.require(
        bool(id),
        "S9.4",
        f"{spy.id} has no resource '{name}'",
        at=name,
        finding=Finding.UNREADABLE,
        name=name,
    )
    play.require(
        not id or not assigned or id in assigned,
        "S14.7a",
        f"{name} was not put into this scene by {spy.id}; the target is one of "
        f"{listed(resource_name(spy, one) for one in assigned)}",
        at=name,
        facts=(play.because(scene.step, "the scene"),) if scene else (),
    )
    if id:
        check.targets.setdefault(spy.id, []).append(id)
        play.event(
            f"The interference is after {spy.id}'s {resource_name(spy, id)}",
            "S14.7a",
            "targeted",
            spy.id,
        )


def ignore(play: Table, action: Ignore) -> None:
    """S14.7a to S14.7c: the resource, the target number, two dice."""
    spies = characters(play, action.spies)
    play.step.headline = f"{listed(spy.id for spy in spies)} will not be ordered about"
    at = action.place("main")
    for spy in spies:
        check = drawn_in(play, spy, at)
        if check is None:
            continue
        _in_order(play, check, spy, at)
        if spy is spies[0] and action.target is not None:
            known = {id: len(named) for id, named in check.targets.items()}
            take_targets(play, action.target)
            _own_target(play, check, spies, known)
        _ignore(play, check, spy)
    settle(play)


def _own_target(play: Table, check: Check, spies: list[Spy], known: Mapping[str, int]) -> None:
    """S14.7a: what ignoring costs is one's own. The targets of others may be named beside it."""
    of = [id for id, named in check.targets.items() if len(named) > known.get(id, 0)]
    play.require(
        not of or any(spy.id in of for spy in spies),
        "S14.7a",
        f"what is named is {listed(of)}'s; {listed(spy.id for spy in spies)} "
        f"{'loses a resource' if len(spies) == 1 else 'lose resources'} of their own",
        at="target",
    )


def _in_order(play: Table, check: Check, spy: Spy, at: Place) -> None:
    """SA44: choices are declared openly, in seating order."""
    if play.ruling("choice_order") != "seating" or spy.player not in play.seats:
        return
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


def _ignore(play: Table, check: Check, spy: Spy) -> None:
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
            at="target",
        )
    else:
        lost = tuple(assigned[:1]) if len(assigned) == 1 else ()
        if not lost:
            play.unknown(
                "S14.7a",
                f"the log does not say which of {spy.id}'s resources the Agency is after",
                fix=set_key("target"),
            )
    dice = answer(play, PERSISTENT, IGNORED_DICE, spy.id)
    one = Ignored(
        spy.id,
        lost,
        scene.number if scene else 0,
        scene.segment if scene else 0,
        scene.episode if scene else 0,
        play.step.index,
        dice=dice,
    )
    state.ignored.append(one)
    state.ignoring.append(one)
    if play.ruling("ignore_counts_from") == "this-scene":
        one.count = 1
    for id in lost:
        play.event(
            f"{spy.id} loses {resource_name(spy, id)} until the Agency is answered",
            "S14.7a",
            "loses",
            spy.id,
        )
    gain_dice(play, spy, dice, "S14.7c", "the Agency was ignored")
    gained = "two" if dice == IGNORED_DICE else str(dice)
    play.event(f"{spy.id} gains {gained} persistent Agency dice", "S14.7c", "gains dice", spy.id)
    if spy.id in check.deferred:
        check.deferred.remove(spy.id)
        gain_dice(play, spy, -persistent_of(play, spy.id), "S2.7b", "they brought the Agency in")


def _first_choice(play: Table, check: Check, spy: Spy, choice: str) -> bool:
    if spy.id in check.choices:
        return play.illegal(
            "S14.8",
            f"{spy.id} has {check.choices[spy.id]} this interference already",
            facts=(play.because(check.chosen[spy.id], "here"),),
            after=(FLOW,),
        )
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
    state = play.state
    check = state.check
    if check is None or state.phase is not Phase.TRIGGERED or state.mini is not None:
        return
    if check.waiting or (check.choosing and not check.implicated):
        return
    if any(id not in check.choices for id in check.lost):
        # Whether they are in it too, their choice shows, or the roll of the others.
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
        scenes.end_unrolled(play, "SA14", "ignored, and the scene is over")
        return
    state.phase = Phase.READY


def _stayed_away(play: Table, check: Check) -> None:
    """The table went on without the Agency: then the dice that would have brought it in stay, and so
    do the resources it would have distracted."""
    for posting in list(play.ledger.postings):
        if posting.step == check.step and posting.rule in ("S2.7b", "S9.6", "S14.6", "SA42"):
            play.reverse(posting, "the Agency did not interfere after all")
    scene = play.state.interrupted or play.state.scene
    if scene is not None:
        scene.distracted = [id for id in scene.distracted if id not in check.implicated]
    check.implicated, check.waiting = [], []


def _ignored_or_answered(spies: Sequence[str]) -> tuple[Fix, Fix]:
    """The fixes for an interference that nobody has dealt with: the first of some spies ignores or answers it."""
    spy = spies[0] if spies else BLANK
    return (
        add_entry(f"ignore: {spy}", when="if it was ignored"),
        add_entry(f"answer: {spy}", when="if it was answered"),
    )


def unfinished(play: Table, at: Place) -> None:
    """Dice are about to be rolled: what the interference still asks for is reported, once."""
    state = play.state
    check = state.check
    if check is None or not check.triggered or state.hole:
        return
    fact: tuple[Fact, ...] = (play.because(check.step, "the check"),)
    if not check.touched and not check.token:
        play.illegal(
            "S11.2",
            f"an Agency die showed 1 or 2 ({check.how()}), but the Agency does not interfere",
            at=at,
            facts=fact,
            fix=_ignored_or_answered(check.implicated),
            help="everybody implicated ignores or answers it before the roll",
            after=(FLOW,),
        )
        play.taint("interference:")
        _stayed_away(play, check)
        return
    open_choices = check.undecided()
    if open_choices:
        play.illegal(
            "S14.8",
            f"{listed(open_choices)} {'is' if len(open_choices) == 1 else 'are'} implicated and "
            "neither ignores nor answers it",
            at=at,
            facts=fact,
            fix=_ignored_or_answered(open_choices),
            after=(FLOW,),
        )
        play.taint("interference:", "agency:", *(f"persistent:{id}" for id in open_choices))
    elif check.waiting:
        play.unknown(
            "S14.5",
            f"the log does not say whether {listed(check.waiting)} "
            f"{'is' if len(check.waiting) == 1 else 'are'} implicated",
            at=at,
            facts=fact,
            fix=add_entry(f"implicate: {{{check.waiting[0]}: ...}}"),
            after=(FLOW,),
        )
    check.waiting = []
