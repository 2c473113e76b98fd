"""The roll of an Encounter: every pair is compared, losers pay with dice and with Relationships
(F24, F43, F50 to F57, F61)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.figures import comparison_in_words
from chronicle.core.fix import AddItem, drop_item, make_fix, set_key, set_pair
from chronicle.core.guards import Violation
from chronicle.core.names import PLAYER
from chronicle.core.odds import percent
from chronicle.core.ranges import Range
from chronicle.core.record import Contest
from chronicle.games.fight_sphere.bonds import doubts_of_roll, is_rest_known
from chronicle.games.fight_sphere.build import (
    GM_SIDE,
    UNNAMED,
    as_many_faces,
    dice_doubts,
    dice_rule,
    dice_violations,
    gamble_back,
    has_unknown_modifiers,
    resting_here,
    shared,
)
from chronicle.games.fight_sphere.falls import (
    LEAST_STANDING,
    may_have_truce,
    settle_episode,
)
from chronicle.games.fight_sphere.losses import (
    has_succeeded,
    leave_losses_open,
    let_go,
    owe_points,
    take_falls,
    take_losses,
    who_gets_away,
)
from chronicle.games.fight_sphere.needs import BACKS, FALLEN
from chronicle.games.fight_sphere.odds import beats_all, pair_odds
from chronicle.games.fight_sphere.scene_close import wagers_back
from chronicle.games.fight_sphere.state import (
    GLADIATOR,
    LONE,
    Build,
    Compared,
    Gladiator,
    Pair,
    Round,
    Stage,
    pair,
)
from chronicle.games.fight_sphere.table import (
    Table,
    find_gladiator,
    find_gladiators,
    pass_turn,
)
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
    settle_wagers,
    side,
    stated_ones_violations,
    stray_ones,
    throws,
    wagered,
)
from chronicle.games.fight_sphere.verdicts import victories


def shared_round(play: Table, round_: Round) -> Round:
    """F43: a round as its dice fall, in no state yet: one purchase brings in the same inhabitant for every
    Gladiator related to it."""
    builds = {id: replace(round_.builds.get(id) or Build(id)) for id in round_.members}
    draft = replace(round_, builds=builds)
    for id, build in builds.items():
        build.free = shared(play, draft, id)
        build.disengage = build.disengage or id in round_.leaving
        build.doubtful = build.doubtful or has_unknown_modifiers(play, draft, id)
    return draft


class Fall(NamedTuple):
    """What the dice of an Encounter came to.

    Attributes:
        rolled: the throw; empty where it is not all written down.
        possible: the ones that each Gladiator can have, with those of judges.
        by_dice: the round with its ones and the Victories by the dice; without ones where only Victories are told,
            and without both where neither is known.
        round_: the same with the Victories as the log has them.
    """

    rolled: Rolled
    possible: Mapping[str, Range]
    by_dice: Round
    round_: Round

    @property
    def is_known(self) -> bool:
        """Whether it is known who won against whom, and by how much."""
        return bool(self.round_.ones) or bool(self.round_.compared)

    @property
    def has_ones(self) -> bool:
        """Whether the ones of all sides are known."""
        return len(self.round_.ones) == len(self.round_.members)


def fall_of(play: Table, action: Thrown, draft: Round) -> Fall | None:
    """What the dice came to; None if a side is missing in a roll that is written down."""
    rolled, possible = Rolled(), dict[str, Range]()
    if action.all_shown:
        rolled = read_roll(play, action, draft)
        if any(id not in rolled.faces for id in draft.members):
            return None
        ones = {
            id: count_ones(play, (*rolled.faces[id], *judged_faces(draft, rolled, id)))
            for id in draft.members
        }
        stray = stray_ones(play, action, draft, rolled)
        if stray:
            possible = {id: Range(least, least + stray) for id, least in ones.items()}
            return Fall(Rolled(), possible, draft, draft)
    else:
        possible = possible_ones(play, action, draft, _dice(draft))
        ones = {id: each.number for id, each in possible.items() if each.is_known}
        if len(ones) < len(draft.members):
            told = _told_victories(play, action, draft, possible)
            if told is None:
                return Fall(rolled, possible, draft, draft)
            by_pairs = replace(draft, compared=[Compared(*both, won) for both, won in told.items()])
            return Fall(rolled, possible, by_pairs, by_pairs)
    comparisons = [
        Compared(first, second, victories(ones[first], ones[second]))
        for first, second in _compared_pairs(draft)
    ]
    by_dice = replace(draft, ones=ones, compared=comparisons)
    return Fall(rolled, possible, by_dice, _as_told(play, action, by_dice))


def _dice(draft: Round) -> dict[str, int | None]:
    """Each Gladiator's own dice; None where their number is in doubt."""
    return {id: None if build.doubtful else build.dice for id, build in draft.builds.items()}


def stated_pairs(play: Table, action: Thrown) -> Iterator[tuple[Gladiator, Gladiator, int, str]]:
    """The Victories that the log states: both Gladiators, the number, the first name as typed."""
    for both, stated in (action.pairs or {}).items():
        first, second = find_gladiator(play, both.first), find_gladiator(play, both.second)
        if first is not None and second is not None:
            yield first, second, stated, both.first


def _told_victories(
    play: Table, action: Thrown, draft: Round, possible: Mapping[str, Range]
) -> dict[Pair, int] | None:
    """The Victories of each pair, where faces are not written down and the log states those of enough pairs: all others
    follow from them. None if they do not tell all, or cannot be. Where they contradict each other, those of all pairs
    have to be stated, and are taken as they are."""
    ahead = _stated_leads(play, action, draft, possible)
    relative = _relative_ones(draft, ahead, possible) if ahead is not None else {}
    pairs = _compared_pairs(draft)
    if ahead is None:
        return None
    if relative is None:
        is_all_told = all(second in ahead[first] for first, second in pairs)
        return {both: ahead[both[0]][both[1]] for both in pairs} if is_all_told else None
    if len(relative) < len(draft.members):
        return None
    return {both: relative[both[0]] - relative[both[1]] for both in pairs}


def _stated_leads(
    play: Table, action: Thrown, draft: Round, possible: Mapping[str, Range]
) -> dict[str, dict[str, int]] | None:
    """By how many ones each Gladiator is ahead of others, as the log states it. None if one of the numbers cannot be.
    The first of a stated pair has won, unless only the other can have."""
    ahead: dict[str, dict[str, int]] = {id: {} for id in draft.members}
    for first, second, stated, _ in stated_pairs(play, action):
        if first.id in ahead and second.id in ahead:
            one, other = possible[first.id], possible[second.id]
            if not _possible_victories(one, other).may_be(abs(stated)):
                return None
            by = stated if _can_differ(one, other, stated) else -stated
            ahead[first.id][second.id], ahead[second.id][first.id] = by, -by
    return ahead


def _relative_ones(
    draft: Round, ahead: Mapping[str, Mapping[str, int]], possible: Mapping[str, Range]
) -> dict[str, int] | None:
    """The ones of each Gladiator as far as stated leads tell them, counted from those of the first. None if the leads
    contradict each other, or no dice give all of them."""
    of_first: dict[str, int] = {}
    seen: set[str] = set()
    for first in draft.members:
        if first in seen:
            continue
        relative, walk = {first: 0}, [first]
        for id in walk:
            for rival, by in ahead[id].items():
                if relative.setdefault(rival, relative[id] - by) != relative[id] - by:
                    return None
                if rival not in walk:
                    walk.append(rival)
        least = max((possible[id].lowest or 0) - by for id, by in relative.items())
        highest = [(possible[id].highest, by) for id, by in relative.items()]
        if not all(most is None or most - by >= least for most, by in highest):
            return None
        of_first = of_first or relative
        seen |= relative.keys()
    return of_first


def _can_differ(first: Range, second: Range, by: int) -> bool:
    """Whether the first of two numbers can be greater than the second by so much."""
    most = None if first.highest is None else first.highest - by
    least = (first.lowest or 0) - by
    is_below = second.highest is not None and second.highest < least
    return not is_below and (most is None or most >= (second.lowest or 0))


def _as_told(play: Table, action: Thrown, by_dice: Round) -> Round:
    """The round with the Victories that the log states: these were paid for."""
    comparisons = [replace(each) for each in by_dice.compared]
    for first, second, stated, _ in stated_pairs(play, action):
        key = pair(first.id, second.id)
        for each in comparisons:
            if pair(each.one, each.other) != key or abs(stated) == abs(each.victories):
                continue
            has_won = each.victories > 0 or (not each.victories and each.one == first.id)
            each.victories = abs(stated) if has_won else -abs(stated)
    return replace(by_dice, compared=comparisons)


# --- what is wrong with a roll ----------------------------------------------------------------------


def round_violations(play: Table, action: Thrown, draft: Round) -> Iterator[Violation]:
    """The problems of the dice of an Encounter, and of their stated result."""
    yield from _claim_violations(play, draft)
    if action.all_shown:
        rolled = read_roll(play, action, draft)
        yield from judge_violations(play, action, draft, rolled)
        yield from _dice_violations(play, action, draft, rolled)
    else:
        yield from possible_ones_violations(play, action, draft, _dice(draft))
    fall = fall_of(play, action, draft)
    if fall is None:
        return
    if not fall.has_ones:
        yield from _impossible_victories(play, action, fall)
    if not fall.is_known:
        yield from _impossible_escapes(play, action, fall)
        return
    own = {id: faces for id, faces in fall.rolled.faces.items() if id in draft.members}
    yield from stated_ones_violations(play, action, own)
    if not fall.round_.compared and len(draft.members) > 1:
        yield Violation(
            "nobody is compared: these two have a truce, and no Conflict between them",
            "main",
            help="betray: the partner  or  end truce: [one, other]  before it comes to blows",
            since=play.before_gap("", _made(play, fall.round_.truces)),
            rule="F59",
        )
    yield from _pair_violations(play, action, fall.by_dice)
    yield from _escape_violations(play, action, fall.round_)


def _made(play: Table, pairs: Sequence[Pair]) -> int:
    """The entry that made the oldest of some truces; 0 if they are over."""
    return min((held.step for both in pairs if (held := play.state.truce(*both))), default=0)


def _claim_violations(play: Table, draft: Round) -> Iterator[Violation]:
    """F43: an inhabitant is taken, and no player has paid for it."""
    for id, build in draft.builds.items():
        for npc in build.claimed:
            if npc not in build.free:
                yield Violation(
                    f"nobody has paid for {play.names.all[npc].name}, so "
                    f"{play.state.gladiators[id].name} has no modifier",
                    help="one Gladiator pays:  use: the inhabitant",
                    rule="F43",
                )


def _dice_violations(
    play: Table, action: Thrown, draft: Round, rolled: Rolled
) -> Iterator[Violation]:
    """F50, F55, F47: everybody in the Encounter rolls, and nobody else."""
    state = play.state
    if rolled.gm is not None:
        yield Violation(
            f"the GM rolls {plural(len(rolled.gm), 'die', 'dice')}; the Threshold Value plays no part "
            "in Encounters",
            rolled.words[GM_SIDE],
            drop_item(GM_SIDE),
            "NPC Gladiators roll under their own names",
            rule="F50",
        )
    for id in draft.members:
        yield from _own_dice(play, action, draft, state.gladiators[id], rolled)
    for id in rolled.faces:
        if id not in draft.members:
            name = state.gladiators[id].name
            joins = AddItem("joins", name, play.place_of_entry(draft.step))
            yield Violation(
                f"{name} is not in this Encounter",
                rolled.words[id],
                make_fix(joins, when="if they joined"),
                "or leave out who is not in it",
                after=[LONE, f"{BACKS}{state.gladiators[id].player}"],
                rule="F47",
            )


def _own_dice(
    play: Table, action: Thrown, draft: Round, gladiator: Gladiator, rolled: Rolled
) -> Iterator[Violation]:
    """F25 to F28, F36, F55: the dice of a Gladiator, as many as were built."""
    own, build, name = rolled.faces.get(gladiator.id), draft.builds[gladiator.id], gladiator.name
    if own is None:
        yield Violation(
            f"no dice for {name}; every Gladiator of the Encounter rolls",
            "main",
            set_pair(action.verb, name),
            facts=[play.because(draft.step, "framed here")],
            after=[f"{UNNAMED}{gladiator.id}", f"{FALLEN}{gladiator.id}"],
            doubts=["no roll"],
            rule="F55",
        )
        return
    at = place_of_word(action, rolled.words[gladiator.id])
    stated = [*dice_violations(gladiator, build, at)]
    yield from stated
    if not own:
        yield Violation(f"{name} rolls no die at all; one is the least", at, rule="F25")
    elif not build.doubtful and not stated and len(own) != build.dice:
        resting = resting_here(play, draft, gladiator)
        yield Violation(
            f"{name} rolls {plural(build.dice, 'die', 'dice')}, not {len(own)}",
            at,
            help=as_many_faces(build),
            place_label=" + ".join(build.sources()),
            facts=[
                play.because(
                    bond.barred_step,
                    f"{play.names.all[bond.npc].name} is barred as {name}'s modifier since here",
                )
                for bond in resting
            ],
            after=dice_doubts(gladiator, build),
            # Perhaps another number of dice was paid, too.
            doubts=[f"pool:{gladiator.id}"],
            rule="F36" if resting and len(own) > build.dice else dice_rule(build),
            kind=DiagnosticKind.ILLEGAL
            if all(is_rest_known(play, gladiator, bond) for bond in resting)
            else DiagnosticKind.UNKNOWN,
        )


def _impossible_victories(play: Table, action: Thrown, fall: Fall) -> Iterator[Violation]:
    """F50: Victories beside faces that are not written down are such as the dice allow."""
    possible = fall.possible
    for first, second, stated, word in stated_pairs(play, action):
        if not {first.id, second.id} <= {*possible}:
            continue
        victories = _possible_victories(possible[first.id], possible[second.id])
        if not victories.may_be(abs(stated)):
            yield Violation(
                f"{first.name} and {second.name} have {victories} Victories with these dice, "
                f"not {abs(stated)}",
                word,
                rule="F50",
            )
    ahead = _stated_leads(play, action, fall.round_, possible)
    if ahead is not None and _relative_ones(fall.round_, ahead, possible) is None:
        yield Violation(
            "these Victories contradict each other: no dice give all of them",
            "pairs",
            doubts=doubts_of_roll(play, fall.round_.members),
            rule="F50",
        )


def _impossible_escapes(play: Table, action: Thrown, fall: Fall) -> Iterator[Violation]:
    """F57: escapes beside faces that are not written down are such as the dice allow."""
    possible = fall.possible
    for gladiator in find_gladiators(play, action.disengaged or ()):
        if gladiator.id not in possible:
            continue
        rivals = [
            possible[id]
            for both in _compared_pairs(fall.round_)
            if gladiator.id in both
            for id in both
            if id != gladiator.id
        ]
        most = possible[gladiator.id].highest
        can_win = all(most is None or most > (rival.lowest or 0) for rival in rivals)
        has_declared = fall.round_.builds[gladiator.id].disengage
        if not has_declared or not can_win:
            yield Violation(
                f"{gladiator.name} did not declare to disengage"
                if not has_declared
                else f"{gladiator.name} cannot have won against everyone with these dice",
                "disengaged",
                drop_item(gladiator.name),
                rule="F57",
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


def _pair_violations(play: Table, action: Thrown, by_dice: Round) -> Iterator[Violation]:
    """F50, F55, F61: the Victories that the log states, for every pair that is compared."""
    if action.pairs is None:
        return
    words: set[Pair] = set()
    round_key = f"round:{by_dice.number}:{by_dice.scene}"
    for first, second, stated, word in stated_pairs(play, action):
        key = pair(first.id, second.id)
        words.add(key)
        names = f"{first.name} and {second.name}"
        compared_pairs = [each for each in by_dice.compared if pair(each.one, each.other) == key]
        if key in by_dice.truces:
            yield Violation(
                f"{names} have a truce; they do not compare their rolls",
                word,
                drop_item(f"{first.name} & {second.name}"),
                "a truce is betrayed before the roll:  betray: the partner",
                since=play.before_gap("", _made(play, [key])),
                rule="F61",
            )
        elif not compared_pairs:
            yield Violation(
                f"{names} are no pair of this roll",
                word,
                facts=[play.because(by_dice.step, "framed here")],
                rule="F55",
            )
        elif abs(stated) != abs(compared_pairs[0].victories):
            due = plural(abs(compared_pairs[0].victories), "Victory", "Victories")
            yield Violation(
                f"{names}: {due}, not {abs(stated)}",
                word,
                place_label=f"{by_dice.ones[compared_pairs[0].one]} : {by_dice.ones[compared_pairs[0].other]}",
                after=[round_key],
                doubts=[*doubts_of_roll(play, by_dice.members), round_key],
                rule="F50",
            )
    told = _as_told(play, action, by_dice)
    words |= {*untold_truces(play, action, by_dice)}
    missing = [c for c in told.compared if c.victories and pair(c.one, c.other) not in words]
    if missing:
        named = play.names.all
        pairs = listed(f"{named[each.one].name} and {named[each.other].name}" for each in missing)
        are = "is" if len(missing) == 1 else "are"
        message = f"{pairs} {are} not compared; every possible pair is"
        yield Violation(message, "pairs", rule="F55")


def _escape_violations(play: Table, action: Thrown, round_: Round) -> Iterator[Violation]:
    """F57: away is who declared it and won against everyone."""
    if action.disengaged is None:
        return
    stated, leavers = find_gladiators(play, action.disengaged), who_gets_away(round_)
    for gladiator in stated:
        if gladiator.id in leavers:
            continue
        build = round_.builds.get(gladiator.id)
        yield Violation(
            f"{gladiator.name} did not win against everyone and stays in the Encounter"
            if build is not None and build.disengage
            else f"{gladiator.name} did not declare to disengage",
            "disengaged",
            drop_item(gladiator.name),
            "a tie is not enough, and neither is beating only some",
            rule="F57",
        )
    for id in leavers:
        gladiator = play.state.gladiators[id]
        if gladiator not in stated:
            message = f"{gladiator.name} won against everyone and has disengaged"
            yield Violation(message, "disengaged", rule="F57")


def _compared_pairs(round_: Round) -> list[Pair]:
    """The pairs that compare their rolls: those without a truce."""
    return [both for both in round_.pairs() if pair(*both) not in round_.truces]


def untold_truces(play: Table, action: Thrown, round_: Round) -> list[Pair]:
    """The pairs of a roll that may have a truce which a gap hides. Of only two Gladiators nobody would roll then, and a
    pair whose Victories the log states is compared."""
    if len(round_.members) < LEAST_STANDING:
        return []
    stated = {pair(first.id, second.id) for first, second, *_ in stated_pairs(play, action)}
    betrayed = {pair(traitor, partner) for traitor, partner, _ in round_.betrayals}
    pairs = {pair(*both) for both in _compared_pairs(round_)} - stated - betrayed
    return [both for both in sorted(pairs) if may_have_truce(play, *both)]


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
    """The card of a roll, for readers; without ones only what it came to."""
    state = play.state
    names = {id: state.gladiators[id].name for id in round_.members}
    outcome = _outcome(round_, names)
    for line in outcome:
        play.event(line, "F50", "compared")
    if len(round_.ones) < len(round_.members):
        return
    round_.odds = told_odds(
        play,
        round_,
        {id: round_.builds[id].dice + wagered(round_, id) for id in round_.members},
    )
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
        verdict=f"{comparison_in_words(*(round_.ones[id] for id in round_.members))}: "
        + (listed(overcome) or "a tie"),
    )


def _outcome(round_: Round, names: Mapping[str, str]) -> list[str]:
    """What a roll came to, a line for each pair."""
    lines = [
        f"{names[c.winner]} over {names[c.loser]}: {plural(abs(c.victories), 'Victory', 'Victories')}"
        if c.victories
        else f"{names[c.one]} and {names[c.other]}: a tie"
        for c in round_.compared
    ]
    truces = [both for both in round_.truces if {*both} <= {*names}]
    return [*lines, *(f"{names[first]} and {names[second]}: a truce" for first, second in truces)]


# --- the effect of a roll ---------------------------------------------------------------------------


def roll_round(play: Table, action: Thrown, round_: Round) -> None:
    """F50, F55: no Threshold Value; more ones win a pair, the difference are Victories."""
    state, draft = play.state, shared_round(play, round_)
    round_.builds = draft.builds
    for build in draft.builds.values():
        for npc, dice in build.free.items():
            play.event(
                f"{play.names.all[npc].name} comes in for {state.gladiators[build.who].name}, too: "
                f"{plural(dice, 'die', 'dice')} without paying",
                "F43",
                "shared",
                npc,
            )
    fall = fall_of(play, action, draft)
    if fall is None:
        return
    round_.stage, round_.result_step = Stage.ROLLED, play.step.number
    state.conflict_count += 1
    for id in round_.members:
        state.gladiators[id].conflicts += 1
    if not fall.is_known:
        _leave_open(play, action, round_)
        return
    round_.ones, round_.compared = fall.round_.ones, fall.round_.compared
    for id, faces in fall.rolled.faces.items():
        if id in round_.members:
            round_.faces[id] = tuple(faces)
    _show(play, round_, fall.rolled)
    throws(play, fall.rolled)
    encounter = state.encounter_with(round_)
    spared = {*untold_truces(play, action, round_)}
    doubtful = [c.loser for c in round_.compared if c.loser and pair(c.one, c.other) in spared]
    is_met_unknown = any(play.look_up(word, (GLADIATOR, PLAYER)) is None for word in action.dice)
    if is_met_unknown and play.gap_since("cast"):
        # A Gladiator hidden by a gap rolls here, too.
        doubtful = list(round_.members)
    take_losses(play, round_)
    leave_losses_open(play, round_, doubtful)
    let_go(play, action, round_, encounter)
    take_falls(play, round_)
    owe_points(play, round_, doubtful)
    settle_wagers(play, round_, lambda backed: has_succeeded(play, round_, backed))
    for episode in state.layers[-1].episodes:
        if any(id in episode.cast for id in round_.members):
            settle_episode(play, episode)
    pass_turn(play, round_.player, round_.rests_on)


def _leave_open(play: Table, action: Thrown, round_: Round) -> None:
    """Neither dice nor ones: what follows is not known."""
    names = [play.names.all[id].name for id in round_.members]
    play.untold(
        "F50",
        "the record does not say how this roll went",
        fix=set_key("ones", f"{{{', '.join(f'{name}: ...' for name in names)}}}"),
    )
    play.taint("rounds:")
    for id in round_.members:
        gamble_back(play, round_.builds[id], "F51")
    if action.disengaged is not None:
        let_go(play, action, round_, play.state.encounter_with(round_))
    wagers_back(play, round_)
    pass_turn(play, round_.player, round_.rests_on)
