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
    for who in round_.leaving:
        round_.builds[who].disengage = True
    rolled = Rolled()
    if action.all_shown:
        rolled = read_roll(play, action, round_)
        if not _everybody_rolls(play, action, round_, rolled):
            return
        for who in round_.members:
            own = rolled.faces[who]
            round_.faces[who] = tuple(own)
            round_.ones[who] = count_ones(play, own) + judged_ones(play, round_, rolled, who)
        counted = {who: count_ones(play, rolled.faces[who]) for who in round_.members}
        stated_ones(play, action, rolled, counted)
    elif not _known(play, action, round_):
        return
    round_.stage, round_.result_step = Stage.ROLLED, play.step.index
    round_.compared = [
        Compared(one, other, victories(round_.ones[one], round_.ones[other]))
        for one, other in _compared_pairs(round_)
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
    for who in round_.members:
        state.gladiators[who].conflicts += 1
    _show(play, round_, rolled)
    throws(play, rolled)
    encounter = state.encounter_with(round_)
    _losses(play, round_)
    _away(play, action, round_, encounter)
    _falls(play, round_)
    _points(play, round_)
    settle_wagers(play, round_, lambda backed: _succeeded(play, round_, backed))
    for episode in state.layers[-1].episodes:
        if any(who in episode.cast for who in round_.members):
            settle_episode(play, episode)
    pass_turn(play, round_.player)


def _known(play: Table, action: Roll, round_: Round) -> bool:
    """Dice that nobody wrote down: the ones may still be known."""
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
            "ones", f"{{{', '.join(f'{play.names.all[who].name}: ...' for who in round_.members)}}}"
        ),
    )
    play.taint("rounds:")
    round_.stage, round_.result_step = Stage.ROLLED, play.step.index
    round_.ones = {}
    for who in round_.members:
        gamble_back(play, round_.builds[who], "F51")
        play.state.gladiators[who].conflicts += 1
    wagers_back(play, round_)
    play.state.conflict_count += 1
    pass_turn(play, round_.player)
    return False


def _impossible_claims(
    play: Table, action: Roll, round_: Round, possible: Mapping[str, Range]
) -> None:
    """F50, F57: Victories and escapes beside faces that are not written down are such as the dice allow."""
    for both, stated in (action.pairs or {}).items():
        one, other = find_gladiator(play, both.one), find_gladiator(play, both.other)
        if one is None or other is None or not {one.id, other.id} <= {*possible}:
            continue
        victories = _possible_victories(possible[one.id], possible[other.id])
        play.require(
            victories.may_be(abs(stated)),
            "F50",
            f"{one.name} and {other.name} have {victories} Victories with these dice, "
            f"not {abs(stated)}",
            at=both.one,
        )
    for word in action.disengaged or ():
        gladiator = find_gladiator(play, word)
        if gladiator is None or gladiator.id not in possible:
            continue
        others = [
            possible[id]
            for pair_ in _compared_pairs(round_)
            if gladiator.id in pair_
            for id in pair_
            if id != gladiator.id
        ]
        most = possible[gladiator.id].highest
        can_win = all(most is None or most > (other.lowest or 0) for other in others)
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


def _possible_victories(one: Range, other: Range) -> Range:
    """The range of the difference of two numbers of ones."""
    least = max(
        0,
        (one.lowest or 0) - other.highest if other.highest is not None else 0,
        (other.lowest or 0) - one.highest if one.highest is not None else 0,
    )
    if one.highest is None or other.highest is None:
        return Range(least)
    return Range(least, max(one.highest - (other.lowest or 0), other.highest - (one.lowest or 0)))


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
    whole = True
    for who in round_.members:
        g = state.gladiators[who]
        own = rolled.faces.get(who)
        if own is None:
            play.illegal(
                "F55",
                f"no dice for {g.name}; every Gladiator of the Encounter rolls",
                at="main",
                facts=(play.because(round_.step, "framed here"),),
                fix=set_pair("roll", g.name),
            )
            play.taint("no roll")
            whole = False
            continue
        build = round_.builds[who]
        at = place_of_word(action, rolled.words[who])
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
            # What was paid for the dice may be another number as well.
            play.taint(f"pool:{g.id}")
    for who in rolled.faces:
        if who not in round_.members:
            name = state.gladiators[who].name
            play.illegal(
                "F47",
                f"{name} is not in this Encounter",
                at=rolled.words[who],
                fix=make_fix(
                    AddItem("joins", name, play.place_of_entry(round_.step)), when="if they joined"
                ),
                help="or leave out who is not in it",
            )
    return whole


def _stated_pairs(play: Table, action: Roll, round_: Round) -> None:
    if action.pairs is None:
        return
    told: dict[Pair, int] = {}
    for both, stated in action.pairs.items():
        one, other = gladiator(play, both.one), gladiator(play, both.other)
        if one is None or other is None:
            continue
        key = pair(one.id, other.id)
        told[key] = stated
        found = next((c for c in round_.compared if pair(c.one, c.other) == key), None)
        if key in round_.truces:
            play.illegal(
                "F61",
                f"{one.name} and {other.name} have a truce; they do not compare their rolls",
                at=both.one,
                fix=drop_item(f"{one.name} & {other.name}"),
                help="a truce is betrayed before the roll:  betray: the partner",
            )
        elif found is None:
            play.illegal(
                "F55",
                f"{one.name} and {other.name} are no pair of this roll",
                at=both.one,
                facts=(play.because(round_.step, "framed here"),),
            )
        elif not play.require(
            abs(stated) == abs(found.victories),
            "F50",
            f"{one.name} and {other.name}: {plural(abs(found.victories), 'Victory', 'Victories')}, "
            f"not {abs(stated)}",
            at=both.one,
            label=f"{round_.ones[found.one]} : {round_.ones[found.other]}",
            after=(f"round:{round_.number}:{round_.scene}",),
        ):
            # The log wins: these are the Victories that were paid for.
            doubt(play, round_.members)
            play.taint(f"round:{round_.number}:{round_.scene}")
            won = found.victories > 0 or (not found.victories and found.one == one.id)
            found.victories = abs(stated) if won else -abs(stated)
    missing = [c for c in round_.compared if c.victories and pair(c.one, c.other) not in told]
    names = {who: play.names.all[who].name for who in round_.members}
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
    """How likely it is who shows the most ones, with so many ``dice`` each; empty if nobody is compared."""
    names = {who: play.state.gladiators[who].name for who in round_.members}
    one_in = chance_of_one(play)
    pairs = _compared_pairs(round_)
    if not pairs:
        return ""
    if len(round_.members) == 2:
        one, other = round_.members
        odds = pair_odds(dice[one], dice[other], one_in)
        win = sum((chance for won, chance in odds.items() if won > 0), Fraction(0))
        return f"{names[one]} {percent(win)}, tie {percent(odds[0])}"
    chances = []
    for who in round_.members:
        others = [next(o for o in both if o != who) for both in pairs if who in both]
        chance = beats_all(dice[who], tuple(sorted(dice[o] for o in others)), one_in)
        chances.append(f"{names[who]} {percent(chance)}")
    return f"more ones than all opponents: {', '.join(chances)}"


def _show(play: Table, round_: Round, rolled: Rolled) -> None:
    state = play.state
    names = {who: state.gladiators[who].name for who in round_.members}
    round_.odds = told_odds(
        play,
        round_,
        {who: round_.builds[who].dice + wagered(round_, who) for who in round_.members},
    )
    outcome = [
        f"{names[c.winner]} over {names[c.loser]}: {plural(abs(c.victories), 'Victory', 'Victories')}"
        if c.victories
        else f"{names[c.one]} and {names[c.other]}: a tie"
        for c in round_.compared
    ]
    outcome += [
        f"{names[one]} and {names[other]}: a truce"
        for one, other in round_.truces
        if one in names and other in names
    ]
    best = max(round_.ones.values(), default=0)
    overcome = [f"{names[c.winner]} over {names[c.loser]}" for c in round_.compared if c.victories]
    play.step.contest = Contest(
        title=f"Encounter: {listed(names.values())}",
        sides=tuple(
            side(
                play,
                names[who],
                play.runner if state.gladiators[who].npc else state.gladiators[who].player,
                round_.faces.get(who, ()),
                judged_faces(round_, rolled, who),
                round_.builds[who],
                round_.ones[who],
                round_.ones[who] == best and round_.won_against_all(who),
            )
            for who in round_.members
        ),
        score=" : ".join(str(round_.ones[who]) for who in round_.members),
        unit="ones",
        outcome=tuple(outcome),
        odds=f"before the roll: {round_.odds}" if round_.odds else "",
        rule="F50",
        verdict=f"{compared(*(round_.ones[who] for who in round_.members))}: "
        + (listed(overcome) or "a tie"),
    )
    for line in outcome:
        play.event(line, "F50", "compared")


# --- what losing costs ------------------------------------------------------------------------------


def _losses(play: Table, round_: Round) -> None:
    """F51: the gamble once, and the Victories of every pair lost."""
    spared = play.ruling("disengage_harm") == "no"
    for who in round_.members:
        build = round_.builds[who]
        lost = [c for c in round_.compared if c.loser == who]
        if spared:
            lost = [c for c in lost if not round_.builds[c.winner].disengage]
        on_table = play.balance(f"gamble:{who}", DIE)
        if not lost:
            gamble_back(play, build, "F51")
            _refund(play, round_, build)
            continue
        victories = sum(abs(c.victories) for c in lost)
        play.move(f"gamble:{who}", BOX, on_table, DIE, "F51", "gamble lost")
        extra = 0
        if play.ruling("gamble_multi") == "per-pair":
            extra = build.gamble * (len(lost) - 1)
            play.move(f"pool:{who}", BOX, extra, DIE, "FA7", "gamble lost once more a pair")
        play.move(f"pool:{who}", BOX, victories, DIE, "F51", f"{victories} Victories of others")
        round_.losses[who] = (on_table + extra, victories)
        name = play.state.gladiators[who].name
        play.event(
            f"{name} loses the gamble of {on_table + extra} and {victories} more: "
            f"the pool is {pool(play, who)}",
            "F51",
            "loses",
            who,
        )


def _refund(play: Table, round_: Round, build: Build) -> None:
    won = any(c.winner == build.who for c in round_.compared)
    if won and build.paid and play.ruling("winner_costs") == "purchase-back":
        why = "purchase dice back to the winner"
        play.move(BOX, f"pool:{build.who}", len(build.paid), DIE, "FA16", why)


def _falls(play: Table, round_: Round) -> None:
    """F52: below zero, not at zero."""
    for who in round_.members:
        if pool(play, who) < 0:
            round_.fallen.append(who)
            fell(play, play.state.gladiators[who])


def _points(play: Table, round_: Round) -> None:
    """F53: as many points off the Relationships used. With one of them there is nothing to choose."""
    if play.ruling("encounter_rewards") == "ordinary":
        for who in round_.losses:
            bar(play, play.state.gladiators[who], round_.builds[who].used())
    paid_only = play.ruling("free_shared_loss") == "paid-only"
    for who, (_, lost) in round_.losses.items():
        g = play.state.gladiators[who]
        build = round_.builds[who]
        used = list(build.paid) if paid_only else build.used()
        worth = {npc: value(play, who, npc) for npc in used if npc in g.bonds}
        if not worth:
            continue
        points = lost
        if play.ruling("excess_points") == "capped":
            points = min(points, sum(max(0, dice) + 1 for dice in worth.values()))
        round_.dues[who] = Due(who, points, worth, step=play.step.index)
    # All have lost at once: what one loser settles changes nothing of what another one owes.
    for who, due in round_.dues.items():
        g, used, points = play.state.gladiators[who], due.used, due.points
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
                f"{g.name} has to take {plural(points, 'point')} off {names}", "F53", "owes", who
            )


def _away(play: Table, action: Roll, round_: Round, encounter: Encounter) -> None:
    """F57: away is who declared it and won against everyone."""
    state = play.state
    away = [
        who
        for who in round_.members
        if round_.builds[who].disengage and round_.won_against_all(who)
    ]
    if action.disengaged is not None:
        told = [g for word in action.disengaged if (g := gladiator(play, word)) is not None]
        for g in told:
            play.require(
                g.id in away,
                "F57",
                f"{g.name} did not win against everyone and stays in the Encounter"
                if g.id in round_.builds and round_.builds[g.id].disengage
                else f"{g.name} did not declare to disengage",
                at="disengaged",
                fix=drop_item(g.name),
                help="a tie is not enough, and neither is beating only some",
            )
        for who in away:
            play.require(
                who in [g.id for g in told],
                "F57",
                f"{state.gladiators[who].name} won against everyone and has disengaged",
                at="disengaged",
            )
        away = [g.id for g in told if g.id in encounter.members]
    for who in away:
        round_.away.append(who)
        encounter.left.append((who, play.step.index))
        encounter.opponents_left[who] = [w for w in round_.members if w != who]
        play.event(f"{state.gladiators[who].name} disengages", "F57", "disengages", who)
        if who in encounter.members:
            leave_encounter(play, encounter, who)
    for who in round_.members:
        if round_.builds[who].disengage and who not in away:
            play.event(f"{state.gladiators[who].name} does not get away", "F57", "stays", who)


def _succeeded(play: Table, round_: Round, who: str) -> bool:
    """FA39: whether a side of an Encounter that judges backed has succeeded."""
    if play.ruling("judge_success") == "beats-all":
        return round_.won_against_all(who)
    mine = [c for c in round_.compared if who in (c.one, c.other)]
    return any(c.winner == who for c in mine) and not any(c.loser == who for c in mine)
