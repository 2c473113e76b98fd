"""The roll of an Encounter: every pair is compared, losers pay with dice and with Relationships
(F24, F43, F50 to F57, F61)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import listed, plural
from chronicle.core.figures import compared
from chronicle.core.fix import AddItem, drop_item, make_fix, set_key, set_pair
from chronicle.core.odds import percent
from chronicle.core.ranges import Range
from chronicle.core.record import Contest
from chronicle.games.fight_sphere.actions import Roll
from chronicle.games.fight_sphere.build import (
    GM_SIDE,
    check_dice,
    dice_doubts,
    dice_rule,
    gamble_back,
    resting_here,
    share,
)
from chronicle.games.fight_sphere.odds import beats_all, pair_odds
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    Build,
    Compared,
    Due,
    Encounter,
    Pair,
    Round,
    Stage,
    pair,
)
from chronicle.games.fight_sphere.table import (
    Table,
    bar,
    doubt,
    fell,
    find_gladiator,
    gladiator,
    leave_encounter,
    pass_turn,
    pool,
    settle_episode,
    settle_points,
    unsure,
    value,
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
from chronicle.games.fight_sphere.verdicts import victories


def roll_round(play: Table, action: Roll, round_: Round) -> None:
    """F50, F55: no Threshold Value; more ones win a pair, the difference are Victories."""
    state = play.state
    share(play, round_)
    for id in round_.leaving:
        round_.builds[id].disengage = True
    rolled = Rolled()
    if action.all_shown:
        rolled = read_roll(play, action, round_)
        if not _everybody_rolls(play, action, round_, rolled):
            return
        for id in round_.members:
            own = rolled.faces[id]
            round_.faces[id] = tuple(own)
            round_.ones[id] = count_ones(play, own) + judged_ones(play, round_, rolled, id)
        counted = {id: count_ones(play, rolled.faces[id]) for id in round_.members}
        stated_ones(play, action, rolled, counted)
    elif not _known(play, action, round_):
        return
    round_.stage, round_.result_step = Stage.ROLLED, play.step.index
    round_.compared = [
        Compared(first, second, victories(round_.ones[first], round_.ones[second]))
        for first, second in _compared_pairs(round_)
    ]
    play.require(
        bool(round_.compared),
        "F59",
        "nobody is compared: these two have a truce, and no Conflict between them",
        at="main",
        help="betray: the partner  or  end truce: [one, other]  before it comes to blows",
    )
    _stated_pairs(play, action, round_)
    state.conflict_count += 1
    for id in round_.members:
        state.gladiators[id].conflicts += 1
    _show(play, round_, rolled)
    throws(play, rolled)
    encounter = state.encounter_with(round_)
    _losses(play, round_)
    _away(play, action, round_, encounter)
    _falls(play, round_)
    _points(play, round_)
    settle_wagers(play, round_, lambda backed: _succeeded(play, round_, backed))
    for episode in state.layers[-1].episodes:
        if any(id in episode.cast for id in round_.members):
            settle_episode(play, episode)
    pass_turn(play, round_.player)


def _known(play: Table, action: Roll, round_: Round) -> bool:
    """Read a roll whose dice are not written down, if the ones are known."""
    builds = round_.builds
    dice = {id: None if builds[id].doubtful else builds[id].dice for id in round_.members}
    check_possible_ones(play, action, round_, dice)
    possible = possible_ones(play, action, round_, dice)
    round_.ones = {id: ones.number for id, ones in possible.items() if ones.is_known}
    if len(round_.ones) == len(round_.members):
        return True
    _impossible_claims(play, action, round_, possible)
    play.untold(
        "F50",
        "the record does not say how this roll went",
        fix=set_key(
            "ones",
            f"{{{', '.join(f'{play.names.all[gladiator_id].name}: ...' for gladiator_id in round_.members)}}}",
        ),
    )
    play.taint("rounds:")
    round_.stage, round_.result_step = Stage.ROLLED, play.step.index
    round_.ones = {}
    for gladiator_id in round_.members:
        gamble_back(play, round_.builds[gladiator_id], "F51")
        play.state.gladiators[gladiator_id].conflicts += 1
    wagers_back(play, round_)
    play.state.conflict_count += 1
    pass_turn(play, round_.player)
    return False


def _impossible_claims(
    play: Table, action: Roll, round_: Round, possible: Mapping[str, Range]
) -> None:
    """F50, F57: Victories and escapes beside faces that are not written down are such as the dice allow."""
    for both, stated in (action.pairs or {}).items():
        first, second = find_gladiator(play, both.one), find_gladiator(play, both.other)
        if first is None or second is None or not {first.id, second.id} <= {*possible}:
            continue
        victories = _possible_victories(possible[first.id], possible[second.id])
        play.require(
            victories.may_be(abs(stated)),
            "F50",
            f"{first.name} and {second.name} have {victories} Victories with these dice, "
            f"not {abs(stated)}",
            at=both.one,
        )
    for word in action.disengaged or ():
        gladiator = find_gladiator(play, word)
        if gladiator is None or gladiator.id not in possible:
            continue
        rivals = [
            possible[id]
            for pair_ in _compared_pairs(round_)
            if gladiator.id in pair_
            for id in pair_
            if id != gladiator.id
        ]
        most = possible[gladiator.id].highest
        can_win = all(most is None or most > (second.lowest or 0) for second in rivals)
        has_declared = round_.builds[gladiator.id].disengage
        play.require(
            has_declared and can_win,
            "F57",
            f"{gladiator.name} did not declare to disengage"
            if not has_declared
            else f"{gladiator.name} cannot have won against everyone with these dice",
            at="disengaged",
            fix=drop_item(gladiator.name),
        )


def _possible_victories(first: Range, second: Range) -> Range:
    """The range of the difference of two numbers of ones."""
    least = max(
        0,
        (first.lowest or 0) - second.highest if second.highest is not None else 0,
        (second.lowest or 0) - first.highest if first.highest is not None else 0,
    )
    if first.highest is None or second.highest is None:
        return Range(least)
    return Range(
        least, max(first.highest - (second.lowest or 0), second.highest - (first.lowest or 0))
    )


def _everybody_rolls(play: Table, action: Roll, round_: Round, rolled: Rolled) -> bool:
    state = play.state
    if rolled.gm is not None:
        play.illegal(
            "F50",
            f"the GM rolls {plural(len(rolled.gm), 'die', 'dice')}; the Threshold Value plays no part "
            "in Encounters",
            at=rolled.words[GM_SIDE],
            fix=drop_item(GM_SIDE),
            help="NPC Gladiators roll under their own names",
        )
    is_complete = True
    for id in round_.members:
        g = state.gladiators[id]
        own = rolled.faces.get(id)
        if own is None:
            play.illegal(
                "F55",
                f"no dice for {g.name}; every Gladiator of the Encounter rolls",
                at="main",
                facts=(play.because(round_.step, "framed here"),),
                fix=set_pair("roll", g.name),
            )
            play.taint("no roll")
            is_complete = False
            continue
        build = round_.builds[id]
        at = place_of_word(action, rolled.words[id])
        check_dice(play, g, build, at)
        resting = resting_here(play, round_, g)
        if not own:
            play.illegal("F25", f"{g.name} rolls no die at all; one is the least", at=at)
        elif not build.doubtful and not play.require(
            len(own) == build.dice,
            "F36" if resting and len(own) > build.dice else dice_rule(build),
            f"{g.name} rolls {plural(build.dice, 'die', 'dice')}, not {len(own)}",
            at=at,
            label=" + ".join(build.sources()),
            facts=[
                play.because(
                    bond.barred_step,
                    f"{play.names.all[bond.npc].name} is barred as {g.name}'s modifier since here",
                )
                for bond in resting
            ],
            after=dice_doubts(g, build),
            finding=unsure(play, max((bond.barred_step for bond in resting), default=play.gap)),
        ):
            # Perhaps another number of dice was paid, too.
            play.taint(f"pool:{g.id}")
    for id in rolled.faces:
        if id not in round_.members:
            name = state.gladiators[id].name
            play.illegal(
                "F47",
                f"{name} is not in this Encounter",
                at=rolled.words[id],
                fix=make_fix(
                    AddItem("joins", name, play.place_of_entry(round_.step)), when="if they joined"
                ),
                help="or leave out who is not in it",
            )
    return is_complete


def _stated_pairs(play: Table, action: Roll, round_: Round) -> None:
    if action.pairs is None:
        return
    words: dict[Pair, int] = {}
    for both, stated in action.pairs.items():
        first, second = gladiator(play, both.one), gladiator(play, both.other)
        if first is None or second is None:
            continue
        key = pair(first.id, second.id)
        words[key] = stated
        comparison = next((c for c in round_.compared if pair(c.one, c.other) == key), None)
        if key in round_.truces:
            play.illegal(
                "F61",
                f"{first.name} and {second.name} have a truce; they do not compare their rolls",
                at=both.one,
                fix=drop_item(f"{first.name} & {second.name}"),
                help="a truce is betrayed before the roll:  betray: the partner",
            )
        elif comparison is None:
            play.illegal(
                "F55",
                f"{first.name} and {second.name} are no pair of this roll",
                at=both.one,
                facts=(play.because(round_.step, "framed here"),),
            )
        elif not play.require(
            abs(stated) == abs(comparison.victories),
            "F50",
            f"{first.name} and {second.name}: {plural(abs(comparison.victories), 'Victory', 'Victories')}, "
            f"not {abs(stated)}",
            at=both.one,
            label=f"{round_.ones[comparison.one]} : {round_.ones[comparison.other]}",
            after=(f"round:{round_.number}:{round_.scene}",),
        ):
            # The log wins: these are the Victories that were paid for.
            doubt(play, round_.members)
            play.taint(f"round:{round_.number}:{round_.scene}")
            won = comparison.victories > 0 or (
                not comparison.victories and comparison.one == first.id
            )
            comparison.victories = abs(stated) if won else -abs(stated)
    missing = [c for c in round_.compared if c.victories and pair(c.one, c.other) not in words]
    names = {id: play.names.all[id].name for id in round_.members}
    play.require(
        not missing,
        "F55",
        f"{listed(f'{names[c.one]} and {names[c.other]}' for c in missing)} "
        f"{'is' if len(missing) == 1 else 'are'} not compared; every possible pair is",
        at="pairs",
    )


def _compared_pairs(round_: Round) -> list[Pair]:
    """The pairs that compare their rolls: those without a truce."""
    return [both for both in round_.pairs() if pair(*both) not in round_.truces]


def told_odds(play: Table, round_: Round, dice: Mapping[str, int]) -> str:
    """The chance of each Gladiator to show the most ones with these ``dice``; empty without a comparison."""
    names = {id: play.state.gladiators[id].name for id in round_.members}
    one_in = chance_of_one(play)
    pairs = _compared_pairs(round_)
    if not pairs:
        return ""
    if len(round_.members) == 2:
        first, second = round_.members
        odds = pair_odds(dice[first], dice[second], one_in)
        win = sum((chance for won, chance in odds.items() if won > 0), Fraction(0))
        return f"{names[first]} {percent(win)}, tie {percent(odds[0])}"
    chances = []
    for id in round_.members:
        rivals = [next(o for o in both if o != id) for both in pairs if id in both]
        chance = beats_all(dice[id], tuple(sorted(dice[o] for o in rivals)), one_in)
        chances.append(f"{names[id]} {percent(chance)}")
    return f"more ones than all opponents: {', '.join(chances)}"


def _show(play: Table, round_: Round, rolled: Rolled) -> None:
    state = play.state
    names = {id: state.gladiators[id].name for id in round_.members}
    round_.odds = told_odds(
        play,
        round_,
        {id: round_.builds[id].dice + wagered(round_, id) for id in round_.members},
    )
    outcome = [
        f"{names[c.winner]} over {names[c.loser]}: {plural(abs(c.victories), 'Victory', 'Victories')}"
        if c.victories
        else f"{names[c.one]} and {names[c.other]}: a tie"
        for c in round_.compared
    ]
    outcome += [
        f"{names[first]} and {names[second]}: a truce"
        for first, second in round_.truces
        if first in names and second in names
    ]
    best = max(round_.ones.values(), default=0)
    overcome = [f"{names[c.winner]} over {names[c.loser]}" for c in round_.compared if c.victories]
    play.step.contest = Contest(
        title=f"Encounter: {listed(names.values())}",
        sides=tuple(
            side(
                play,
                names[id],
                play.runner if state.gladiators[id].npc else state.gladiators[id].player,
                round_.faces.get(id, ()),
                judged_faces(round_, rolled, id),
                round_.builds[id],
                round_.ones[id],
                round_.ones[id] == best and round_.won_against_all(id),
            )
            for id in round_.members
        ),
        score=" : ".join(str(round_.ones[id]) for id in round_.members),
        unit="ones",
        outcome=tuple(outcome),
        odds=f"before the roll: {round_.odds}" if round_.odds else "",
        rule="F50",
        verdict=f"{compared(*(round_.ones[id] for id in round_.members))}: "
        + (listed(overcome) or "a tie"),
    )
    for line in outcome:
        play.event(line, "F50", "compared")


# --- what losing costs ------------------------------------------------------------------------------


def _losses(play: Table, round_: Round) -> None:
    """F51: the gamble once, and the Victories of every pair lost."""
    spared = play.ruling("disengage_harm") == "no"
    for id in round_.members:
        build = round_.builds[id]
        lost = [c for c in round_.compared if c.loser == id]
        if spared:
            lost = [c for c in lost if not round_.builds[c.winner].disengage]
        on_table = play.balance(f"gamble:{id}", DIE)
        if not lost:
            gamble_back(play, build, "F51")
            _refund(play, round_, build)
            continue
        victories = sum(abs(c.victories) for c in lost)
        play.move(f"gamble:{id}", BOX, on_table, DIE, "F51", "gamble lost")
        extra = 0
        if play.ruling("gamble_multi") == "per-pair":
            extra = build.gamble * (len(lost) - 1)
            play.move(f"pool:{id}", BOX, extra, DIE, "FA7", "gamble lost once more a pair")
        play.move(f"pool:{id}", BOX, victories, DIE, "F51", f"{victories} Victories of others")
        round_.losses[id] = (on_table + extra, victories)
        name = play.state.gladiators[id].name
        play.event(
            f"{name} loses the gamble of {on_table + extra} and {victories} more: "
            f"the pool is {pool(play, id)}",
            "F51",
            "loses",
            id,
        )


def _refund(play: Table, round_: Round, build: Build) -> None:
    won = any(c.winner == build.who for c in round_.compared)
    if won and build.paid and play.ruling("winner_costs") == "purchase-back":
        why = "purchase dice back to the winner"
        play.move(BOX, f"pool:{build.who}", len(build.paid), DIE, "FA16", why)


def _falls(play: Table, round_: Round) -> None:
    """F52: below zero, not at zero."""
    for id in round_.members:
        if pool(play, id) < 0:
            round_.fallen.append(id)
            fell(play, play.state.gladiators[id])


def _points(play: Table, round_: Round) -> None:
    """F53: as many points off the Relationships used. With one of them there is nothing to choose."""
    if play.ruling("encounter_rewards") == "ordinary":
        for id in round_.losses:
            bar(play, play.state.gladiators[id], round_.builds[id].used())
    paid_only = play.ruling("free_shared_loss") == "paid-only"
    for id, (_, lost) in round_.losses.items():
        g = play.state.gladiators[id]
        build = round_.builds[id]
        used = list(build.paid) if paid_only else build.used()
        worth = {npc: value(play, id, npc) for npc in used if npc in g.bonds}
        if not worth:
            continue
        points = lost
        if play.ruling("excess_points") == "capped":
            points = min(points, sum(max(0, dice) + 1 for dice in worth.values()))
        round_.dues[id] = Due(id, points, worth, step=play.step.index)
    # All lose together: the points of one loser do not change those of the others.
    for id, due in round_.dues.items():
        g, used, points = play.state.gladiators[id], due.used, due.points
        if len(used) == 1:
            due.forced = True
            settle_points(play, g, due, {used[0]: points}, round_)
            play.event(
                f"{g.name}'s Relationship with {play.names.all[used[0]].name} loses "
                f"{plural(points, 'point')}",
                "F53",
                "shrinks",
                used[0],
            )
        else:
            names = listed(play.names.all[npc].name for npc in used)
            play.event(
                f"{g.name} has to take {plural(points, 'point')} off {names}", "F53", "owes", id
            )


def _away(play: Table, action: Roll, round_: Round, encounter: Encounter) -> None:
    """F57: away is who declared it and won against everyone."""
    state = play.state
    leavers = [
        id for id in round_.members if round_.builds[id].disengage and round_.won_against_all(id)
    ]
    if action.disengaged is not None:
        stated = [g for word in action.disengaged if (g := gladiator(play, word)) is not None]
        for g in stated:
            play.require(
                g.id in leavers,
                "F57",
                f"{g.name} did not win against everyone and stays in the Encounter"
                if g.id in round_.builds and round_.builds[g.id].disengage
                else f"{g.name} did not declare to disengage",
                at="disengaged",
                fix=drop_item(g.name),
                help="a tie is not enough, and neither is beating only some",
            )
        for id in leavers:
            play.require(
                id in [g.id for g in stated],
                "F57",
                f"{state.gladiators[id].name} won against everyone and has disengaged",
                at="disengaged",
            )
        leavers = [g.id for g in stated if g.id in encounter.members]
    for id in leavers:
        round_.away.append(id)
        encounter.left.append((id, play.step.index))
        encounter.opponents_left[id] = [w for w in round_.members if w != id]
        play.event(f"{state.gladiators[id].name} disengages", "F57", "disengages", id)
        if id in encounter.members:
            leave_encounter(play, encounter, id)
    for id in round_.members:
        if round_.builds[id].disengage and id not in leavers:
            play.event(f"{state.gladiators[id].name} does not get away", "F57", "stays", id)


def _succeeded(play: Table, round_: Round, id: str) -> bool:
    """FA39: whether a side of an Encounter that judges backed has succeeded."""
    if play.ruling("judge_success") == "beats-all":
        return round_.won_against_all(id)
    own = [c for c in round_.compared if id in (c.one, c.other)]
    return any(c.winner == id for c in own) and not any(c.loser == id for c in own)
