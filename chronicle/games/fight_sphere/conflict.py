"""The roll of an ordinary Conflict, and the way to the right roll (F22 to F25, F34 to F36)."""

from __future__ import annotations

from fractions import Fraction

from chronicle.core.diagnostic import listed, plural
from chronicle.core.figures import compared
from chronicle.core.fix import add_entry, choose_reading, drop_item, set_key, set_pair
from chronicle.core.odds import percent
from chronicle.core.ranges import Range
from chronicle.core.record import Contest
from chronicle.core.timeline import Scene
from chronicle.games.fight_sphere.actions import Meet, OpenScene, Roll
from chronicle.games.fight_sphere.build import (
    GM_SIDE,
    SPHERE,
    check_dice,
    dice_doubts,
    dice_rule,
    gamble_back,
    new_conflict,
)
from chronicle.games.fight_sphere.clash import roll_round
from chronicle.games.fight_sphere.encounters import meet_as
from chronicle.games.fight_sphere.odds import ordinary_odds
from chronicle.games.fight_sphere.scenes import frame
from chronicle.games.fight_sphere.state import BOX, DIE, Build, Conflict, Gladiator, Stage
from chronicle.games.fight_sphere.table import (
    Table,
    bar,
    check_turn,
    close_scene,
    is_gladiator,
    pass_turn,
    wagers_back,
)
from chronicle.games.fight_sphere.throw import (
    Rolled,
    chance_of_one,
    check_possible_ones,
    count_ones,
    judged_faces,
    judged_ones,
    possible_ones,
    read_roll,
    settle_wagers,
    side,
    stated_ones,
    throws,
    wagered,
)
from chronicle.games.fight_sphere.verdicts import succeeds

HOW = "stake: {gamble: 2, use: an inhabitant, background: a detail}"


def roll(play: Table, action: Roll) -> None:
    """Roll the dice of the Conflict that is built."""
    state = play.state
    play.step.headline = "The dice fall"
    if state.scene_nobodys:
        _known_by_dice(play, action)
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        roll_round(play, action, round_)
        return
    conflict = _which(play, action) or _without_scene(play, action)
    if conflict is not None:
        _roll_ordinary(play, action, conflict)
        return
    done = next(reversed(state.open_conflicts), None) or round_
    if done is not None:
        play.illegal(
            "F22",
            "this Scene has had its Conflict; the next roll needs a Scene of its own",
            facts=(play.because(done.result_step, "rolled here"),),
            fix=(add_entry("scene: ..."), add_entry("encounter: ...")),
        )
        return
    play.illegal(
        "F22",
        "there is no Conflict to roll for",
        fix=(add_entry("scene: ..."), add_entry("encounter: ...")),
        after=("no scene", "dropped:scene", "dropped:encounter"),
        since=0,
    )


def _which(play: Table, action: Roll) -> Conflict | None:
    """The Conflict that is rolled: that of a Gladiator named, else the next that waits."""
    state = play.state
    named = [g for word in action.dice if (g := is_gladiator(play, word)) is not None]
    waiting = [c for c in state.open_conflicts if c.stage is Stage.BUILDING]
    for g in named:
        for conflict in waiting:
            if conflict.who == g.id:
                return conflict
    for g in named:
        own = [c for c in state.open_conflicts if c.who == g.id]
        if g.id in state.scene_guests and not own:
            return new_conflict(play, g, state.open_conflicts[0].scene, g.player, guest=True)
    return waiting[0] if waiting else None


def _whose_roll(play: Table, action: Roll, conflict: Conflict) -> None:
    """F20: the log did not say whose Scene it was, and the dice are another player's."""
    named = [g for word in action.dice if (g := is_gladiator(play, word)) is not None]
    if conflict.named or len(named) != 1 or named[0].id == conflict.who or named[0].npc:
        return
    g, old = named[0], play.state.gladiators[conflict.who]
    if g.id in play.state.scene_guests or not play.state.active(g.player):
        return
    check_turn(play, g.player)
    built = conflict.build
    play.move(f"gamble:{old.id}", f"pool:{old.id}", built.gamble, DIE, "F20", "another's turn")
    play.move(BOX, f"pool:{old.id}", len(built.paid), DIE, "F20", "another's turn")
    own = Build(g.id, built.step, base=built.base, background=built.background, doubtful=True)
    own.paid = {npc: dice for npc, dice in built.paid.items() if g.bond(npc) is not None}
    play.move(f"pool:{g.id}", BOX, len(own.paid), DIE, "F28", "brings somebody in")
    own.gamble = min(built.gamble, max(0, play.balance(f"pool:{g.id}", DIE)))
    play.move(f"pool:{g.id}", f"gamble:{g.id}", own.gamble, DIE, "F27", "gambled")
    conflict.who, conflict.player, conflict.build = g.id, g.player, own
    play.taint(f"pool:{g.id}", f"pool:{old.id}")
    play.timeline.get(conflict.scene).cast.insert(0, g.id)


def _known_by_dice(play: Table, action: Roll) -> None:
    """Where the log does not say who framed the Scene, it belongs to the Gladiator whose dice fall with the
    GM's, or with those of the Gladiators met."""
    framed = play.steps[play.state.scene_step - 1].action
    met = framed.others if isinstance(framed, Meet) else ()
    rivals = [item.id for word in met if (item := is_gladiator(play, word)) is not None]
    named = [g for word in action.dice if (g := is_gladiator(play, word)) is not None]
    first = [g for g in named if g.id not in rivals and not g.npc]
    if len(first) != 1:
        return
    play.step.player = first[0].player
    if isinstance(framed, Meet):
        meet_as(play, framed, first[0])
    elif isinstance(framed, OpenScene):
        frame(play, framed)


def _without_scene(play: Table, action: Roll) -> Conflict | None:
    """F22: a Conflict for a roll against the GM without a Scene, so that play goes on."""
    state = play.state
    named = [g for word in action.dice if (g := is_gladiator(play, word)) is not None]
    done = state.open_round or next(reversed(state.open_conflicts), None)
    gm = any(word.casefold() == "gm" or word == play.runner for word in action.dice)
    if len(named) != 1 or not gm or named[0].npc or not state.active(named[0].player):
        return None
    g = named[0]
    if isinstance(done, Conflict) and done.who == g.id:
        return None
    close_scene(play)
    play.illegal(
        "F22",
        f"{g.name} rolls, but no Scene was framed",
        fix=add_entry(f"scene: {g.name}"),
        after=("no scene", "dropped:scene"),
        since=0,
    )
    scene = play.open_scene(Scene("A Scene that is missing", cast=[g.id]))
    state.scene_step = play.step.index
    conflict = new_conflict(play, g, scene.number, g.player)
    conflict.build.doubtful = True
    play.taint(f"pool:{g.id}", f"conflict:{conflict.number}")
    return conflict


def told_odds(play: Table, conflict: Conflict) -> str:
    """How likely an ordinary Conflict is won."""
    own = conflict.build.dice + wagered(conflict, conflict.who)
    opposing = conflict.tv + wagered(conflict, GM_SIDE)
    odds = ordinary_odds(own, opposing, play.rulings["ordinary_tie"], chance_of_one(play))
    success = f"success {percent(odds.get(True, Fraction(0)))}"
    return f"{success}, tie {percent(odds[None])}" if None in odds else success


def _roll_ordinary(play: Table, action: Roll, conflict: Conflict) -> None:
    _whose_roll(play, action, conflict)
    g = play.state.gladiators[conflict.who]
    build = conflict.build
    if not action.all_shown:
        _unrecorded(play, action, g, conflict)
        return
    rolled = read_roll(play, action, conflict)
    _only_one(play, g, rolled)
    _own_dice(play, action, g, conflict, rolled)
    _gm_dice(play, conflict, rolled)
    own = rolled.faces.get(g.id)
    if own is None or rolled.gm is None:
        return
    own_side = count_ones(play, own) + judged_ones(play, conflict, rolled, g.id)
    opposing = count_ones(play, rolled.gm) + judged_ones(play, conflict, rolled, GM_SIDE)
    counted = {g.id: count_ones(play, own), GM_SIDE: count_ones(play, rolled.gm)}
    stated_ones(play, action, rolled, counted)
    conflict.faces = {g.id: tuple(own), GM_SIDE: tuple(rolled.gm)}
    conflict.ones, conflict.has_ones = (own_side, opposing), True
    conflict.odds = told_odds(play, conflict)
    success = _result(play, action, g, own_side, opposing)
    throws(play, rolled)
    came_to = {True: "success", False: "failure", None: "a tie, rolled again"}[success]
    play.step.contest = Contest(
        title=f"{g.name} against the Threshold Value",
        sides=(
            side(
                play,
                g.name,
                g.player,
                own,
                judged_faces(conflict, rolled, g.id),
                build,
                own_side,
                success is True,
            ),
            side(
                play,
                SPHERE,
                play.runner,
                rolled.gm,
                judged_faces(conflict, rolled, GM_SIDE),
                None,
                opposing,
                success is False,
                (f"Threshold Value {conflict.tv}",),
            ),
        ),
        score=f"{own_side} : {opposing}",
        unit="ones",
        outcome=(came_to,),
        odds=f"before the roll: {conflict.odds}",
        rule="F24",
        verdict=f"{compared(own_side, opposing)}: {came_to}",
    )
    if success is None:
        play.event(f"{own_side} : {opposing}, a tie: rolled again", "FA1", "tie")
        return
    _settled(play, g, conflict, success, f"{own_side} : {opposing} ones")


def _settled(play: Table, g: Gladiator, conflict: Conflict, success: bool, score: str) -> None:
    """The Conflict is decided: what it brings, what judges lose, whose turn is next."""
    conflict.stage, conflict.success = Stage.ROLLED, success
    conflict.result_step = play.step.index
    play.event(
        f"{score}: {g.name} {'succeeds' if success else 'fails'}",
        "F24",
        "success" if success else "failure",
        g.id,
    )
    _counted(play, g, conflict)
    _outcome(play, g, conflict, success)
    settle_wagers(play, conflict, lambda backed: success if backed == g.id else not success)


def _counted(play: Table, g: Gladiator, conflict: Conflict) -> None:
    play.state.conflict_count += 1
    g.conflicts += 1
    if not conflict.guest:
        pass_turn(play, g.player)


def _unrecorded(play: Table, action: Roll, g: Gladiator, conflict: Conflict) -> None:
    """Read a roll whose dice are not written down, if the result or the ones are known."""
    own_dice = None if conflict.build.doubtful else conflict.build.dice
    dice = {g.id: own_dice, GM_SIDE: conflict.tv}
    check_possible_ones(play, action, conflict, dice)
    ones = possible_ones(play, action, conflict, dice)
    own, opposing = ones[g.id], ones[GM_SIDE]
    success: bool | None
    if own.is_known and opposing.is_known:
        conflict.ones, conflict.has_ones = (own.number, opposing.number), True
        success = _result(play, action, g, *conflict.ones)
    else:
        success = _possible_result(play, action, g, own, opposing)
    if success is not None:
        _settled(play, g, conflict, success, "The dice were not written down")
        return
    play.untold(
        "F24",
        f"the record does not say how {g.name}'s roll went",
        fix=(set_key("result", "success"), set_key("result", "failure")),
    )
    conflict.stage, conflict.result_step = Stage.ROLLED, play.step.index
    gamble_back(play, conflict.build, "F35")
    wagers_back(play, conflict)
    _counted(play, g, conflict)


def _possible_result(
    play: Table, action: Roll, g: Gladiator, own: Range, opposing: Range
) -> bool | None:
    """F24, FA1: the result that the log states beside faces that are not written down, or the only possible one.
    None if it is not known."""
    tie = play.ruling("ordinary_tie")
    possible = {
        "success": _exceeds(own, opposing),
        "failure": _exceeds(opposing, own),
        "tie": not (_is_above(own, opposing) or _is_above(opposing, own)),
    }
    results = {word: succeeds(*sample, tie) for word, sample in _SAMPLES.items()}
    if action.result is None:
        outcomes = {results[word] for word, is_possible in possible.items() if is_possible}
        return outcomes.pop() if len(outcomes) == 1 else None
    result = results[action.result]
    play.require(
        any(is_possible and results[word] == result for word, is_possible in possible.items())
        if action.result != "tie"
        else possible["tie"],
        "F24",
        f"{_in_ones(own)} against {_in_ones(opposing)} cannot be a {action.result} for {g.name}; "
        "more ones succeed",
        at="result",
    )
    return result


_SAMPLES = {"success": (1, 0), "failure": (0, 1), "tie": (0, 0)}
"""Numbers of ones of both sides that give each result."""


def _exceeds(first: Range, second: Range) -> bool:
    """Whether the first number can be greater."""
    return first.highest is None or second.lowest is None or first.highest > second.lowest


def _is_above(first: Range, second: Range) -> bool:
    """Whether the first number is greater in any case."""
    return first.lowest is not None and second.highest is not None and first.lowest > second.highest


def _in_ones(ones: Range) -> str:
    """A number of ones in words."""
    return f"{ones} {'one' if ones.is_known and ones.number == 1 else 'ones'}"


def _only_one(play: Table, g: Gladiator, rolled: Rolled) -> None:
    for id in rolled.faces:
        if id == g.id:
            continue
        second = play.state.gladiators[id]
        play.illegal(
            "F59" if id in play.state.scene_guests else "F60",
            f"{second.name} rolls in {g.name}'s Conflict; each Gladiator faces an own one",
            at=rolled.words[id],
            fix=drop_item(str(rolled.words[id])),
            help=f"{second.name} rolls in an entry of its own",
        )


def _own_dice(play: Table, action: Roll, g: Gladiator, conflict: Conflict, rolled: Rolled) -> None:
    own = rolled.faces.get(g.id)
    build = conflict.build
    if own is None:
        play.illegal("F25", f"no dice for {g.name}", at="main", fix=set_pair("roll", g.name))
        play.taint(f"conflict:{conflict.number}")
        return
    check_dice(play, g, build, action.place("main"))
    if not own:
        play.illegal(
            "F25", f"{g.name} rolls no die at all; one is the least", at=rolled.words[g.id]
        )
    elif not build.doubtful and not play.require(
        len(own) == build.dice,
        dice_rule(build),
        f"{g.name} rolls {plural(build.dice, 'die', 'dice')}, not {len(own)}",
        at=rolled.words[g.id],
        label=" + ".join(build.sources()),
        help=() if conflict.built else HOW,
        after=dice_doubts(g, build),
    ):
        # Perhaps another number of dice was paid, too.
        play.taint(f"pool:{g.id}")


def _gm_dice(play: Table, conflict: Conflict, rolled: Rolled) -> None:
    if rolled.gm is None:
        play.illegal(
            "F23",
            f"no dice of the GM, who rolls {plural(conflict.tv, 'die', 'dice')} here",
            at="main",
            fix=set_pair("roll", GM_SIDE),
        )
        play.taint(f"conflict:{conflict.number}")
        return
    play.require(
        len(rolled.gm) == conflict.tv,
        "F23",
        f"the GM rolls {plural(conflict.tv, 'die', 'dice')} on this Layer, not {len(rolled.gm)}",
        at=rolled.words[GM_SIDE],
        label=f"Threshold Value {conflict.tv}",
        after=("layer",),
    )


def _result(play: Table, action: Roll, g: Gladiator, own: int, opposing: int) -> bool | None:
    """F24, FA1: more ones succeed. None is a tie that is rolled again."""
    if own == opposing:
        play.ruling("ordinary_tie")
    due = succeeds(own, opposing, play.rulings["ordinary_tie"])
    if action.result is None:
        return due
    stated = {"success": True, "failure": False, "tie": None}[action.result]
    if stated == due or (action.result == "tie" and own == opposing):
        return due
    if own == opposing:
        play.suspect(
            True,
            "FA1",
            f"{own} : {opposing} is a tie, which is "
            f"{'rolled again' if due is None else 'a success' if due else 'a failure'} at this table",
            at="result",
            fix=choose_reading("ordinary_tie", "success"),
            help="success means more ones",
        )
    else:
        play.illegal(
            "F24",
            f"{own} : {opposing} is a {'success' if due else 'failure'} for {g.name}; "
            "more ones succeed",
            at="result",
        )
    return stated


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
