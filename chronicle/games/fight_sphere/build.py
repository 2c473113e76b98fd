"""Building a roll: gambles, inhabitants, the back story (F25 to F28, F36, F43, F48, F49)."""

from __future__ import annotations

from collections.abc import Callable

from chronicle.core.declare import Action, place_of_word
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import (
    AddItem,
    Fix,
    OrderPairs,
    RemoveItem,
    SetPair,
    add_entry,
    drop_item,
    make_fix,
    replace_with,
    set_key,
    write_word,
)
from chronicle.core.ledger import UNEXPLAINED
from chronicle.core.names import Named
from chronicle.core.source import MappingNode, Place, ScalarNode, place_of
from chronicle.games.fight_sphere.actions import BuildRoll, Stake
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    GLADIATOR,
    INHABITANT,
    Bond,
    Build,
    Conflict,
    Drive,
    Fate,
    Gladiator,
    Round,
    Stage,
    bond_id,
)
from chronicle.games.fight_sphere.table import (
    Table,
    acting,
    barred_for,
    facts_of_fall,
    find_gladiator,
    gladiator,
    order_from,
    unsure,
    value,
)

Where = Callable[[str], Place]

GM_SIDE = "GM"
SPHERE = "The Sphere"
"""The GM's side of a Conflict, as its card calls it."""
NO_DETAIL = ("yes", "true", "no", "false", "1", "2")


def build_roll(play: Table, action: BuildRoll) -> None:
    """A stake on a line of its own: it belongs to the Conflict at hand."""
    _whose_stakes(play, action)
    stakes(play, action, action.stake)
    play.step.headline = "Builds a roll"


def _whose_stakes(play: Table, action: BuildRoll) -> None:
    """F27: players build the rolls of their own Gladiators, the GM those of NPC Gladiators."""
    player = play.step.player
    if action.by is None or not player or play.given:
        return
    named = [find_gladiator(play, word) for word in action.stake if word]
    built = [gladiator for gladiator in named if gladiator is not None]
    owners = [play.runner if gladiator.npc else gladiator.player for gladiator in built]
    play.require(
        not built or player in owners,
        "F27",
        f"{player} builds the roll of {listed(gladiator.name for gladiator in built)}; "
        f"{listed(dict.fromkeys(owners), 'or')} decides",
        at="by",
        fix=[set_key("by", owner) for owner in dict.fromkeys(owners)],
    )


def stakes(play: Table, action: Action, built: dict[ScalarNode, Stake]) -> None:
    """Stakes in the order they were built."""
    for word, first in built.items():
        g = gladiator(play, word) if word else acting(play, action)
        at = place_of_word(action, word) if word else action.place("stake")
        if g is None:
            if not word:
                play.illegal("F21", "whose roll is this?", at=at, fix=set_key("by"))
            continue
        contest = contest_of(play, g)
        if contest is None:
            met = play.state.open_round
            gladiator_id = (
                listed(play.state.gladiators[id].name for id in met.members) if met else ""
            )
            play.illegal(
                "F22",
                f"{g.name} is not in this Encounter of {gladiator_id}"
                if met
                else f"{g.name} is in no Conflict that could be built",
                at=at,
                fix=make_fix(AddItem("joins", g.name, play.place_of_entry(met.step)), safe=True)
                if met
                else (add_entry("scene: ..."), add_entry("encounter: ...")),
            )
            continue
        if contest.stage is Stage.ROLLED:
            play.illegal(
                "F27",
                "the dice have fallen; nothing can be added to this roll",
                at=at,
                facts=(play.because(contest.result_step, "rolled here"),),
            )
            continue
        if isinstance(contest, Round):
            if g.id in contest.builds:
                _built_before(play, g, contest.builds[g.id], at)
                continue
            _in_order(play, contest, g, at)
            contest.builds[g.id] = _build(play, g, first, contest, at)
            if first.disengage:
                may_disengage(play, contest, g, at)
        else:
            if contest.built:
                _built_before(play, g, contest.build, at)
                continue
            contest.build = _build(play, g, first, contest, at)
            contest.built = True
            play.require(
                not first.disengage, "F57", f"{g.name} is in no Encounter to disengage from", at=at
            )


def existing_contest(play: Table, g: Gladiator) -> Conflict | Round | None:
    """The Conflict a Gladiator is in at the moment. For a guest of the Scene without one, it is a draft of the own
    Conflict that such a Gladiator faces (F59)."""
    state = play.state
    if state.open_round is not None and g.id in state.open_round.members:
        return state.open_round
    conflict = next((c for c in reversed(state.open_conflicts) if c.who == g.id), None)
    if conflict is None and g.id in state.scene_guests and state.open_conflicts:
        return draft_conflict(play, g, state.open_conflicts[0].scene, g.player, guest=True)
    return conflict


def contest_of(play: Table, g: Gladiator) -> Conflict | Round | None:
    """The Conflict a Gladiator is in at the moment. A guest of the Scene faces an own one (F59)."""
    contest = existing_contest(play, g)
    if isinstance(contest, Conflict) and contest not in play.state.open_conflicts:
        return begin_conflict(play, contest)
    return contest


def new_conflict(
    play: Table, g: Gladiator, scene: int, framer: str, *, guest: bool = False
) -> Conflict:
    """An ordinary Conflict of this Scene."""
    return begin_conflict(play, draft_conflict(play, g, scene, framer, guest=guest))


def begin_conflict(play: Table, conflict: Conflict) -> Conflict:
    """An ordinary Conflict is part of the open Scene from now on."""
    play.state.conflicts.append(conflict)
    play.state.open_conflicts.append(conflict)
    return conflict


def draft_conflict(
    play: Table, g: Gladiator, scene: int, framer: str, *, guest: bool = False
) -> Conflict:
    """An ordinary Conflict of this Scene, in no state yet."""
    state = play.state
    episode = state.episode_of(g.id)
    layer = state.layer
    return Conflict(
        len(state.conflicts) + 1,
        g.id,
        g.player,
        scene,
        play.step.index,
        episode.title if episode is not None else "",
        layer.number if layer is not None else 1,
        state.tv,
        framer,
        Build(g.id, base=1 if play.ruling("min_die") == "free" else 0),
        guest=guest,
    )


def _built_before(play: Table, g: Gladiator, build: Build, at: Place) -> None:
    play.illegal(
        "F27",
        f"{g.name} has built this roll already",
        at=at,
        facts=play.facts(build.step, "built here"),
    )


def build_order(play: Table, round_: Round) -> list[str]:
    """F48, F49, FA13: the Initiative, then the players in turn order, then NPC Gladiators as cast."""
    state = play.state
    first = state.gladiators[round_.initiative]
    start = round_.player if first.npc else first.player
    seats = order_from(play, start)
    if first.npc:
        seats = [start, *(seat for seat in seats if seat != start)]
    played = [
        g.id
        for seat in seats
        if (g := state.played_by(seat)) is not None
        and g.id in round_.members
        and g.id != round_.initiative
    ]
    episode = state.episode_of(round_.initiative)
    cast = episode.cast if episode is not None else list(state.gladiators)
    npcs = [
        id
        for id in (*cast, *round_.members)
        if id in round_.members and state.gladiators[id].npc and id != round_.initiative
    ]
    # Gladiators of unknown players build last.
    return list(dict.fromkeys((round_.initiative, *played, *npcs, *round_.members)))


def _in_order(play: Table, round_: Round, g: Gladiator, at: Place) -> None:
    order = build_order(play, round_)
    earlier = [id for id in order[: order.index(g.id)] if id not in round_.builds]
    if not earlier:
        return
    names = {id: play.state.gladiators[id].name for id in order}
    if round_.initiative in earlier:
        play.illegal(
            "F48",
            f"{g.name} builds before {names[round_.initiative]}, who has the Initiative",
            at=at,
            facts=(play.because(round_.step, "framed here"),),
            fix=_ordered(play, list(names.values()), [names[round_.initiative]]),
            after=("build order", "rounds:"),
        )
        play.taint("build order")
        return
    if play.ruling("npc_order") == "any":
        earlier = [id for id in earlier if not play.state.gladiators[id].npc]
        if g.npc or not earlier:
            return
    play.illegal(
        "F49",
        f"{g.name} builds before {listed(names[id] for id in earlier)}",
        at=at,
        fix=_ordered(play, list(names.values()), [names[id] for id in earlier]),
        help="the Initiative first, then turn order",
        after=("build order",),
    )
    play.taint("build order")


def _ordered(play: Table, order: list[str], missing: list[str]) -> Fix:
    """The fix that puts the stakes of an entry into their order, or adds those that come first above it."""
    stakes = getattr(play.step.action, "stake", None) or {}
    named = [find_gladiator(play, word) for word in stakes if word]
    if {*missing} & {gladiator.name for gladiator in named if gladiator is not None}:
        return make_fix(OrderPairs("stake", tuple(order)), safe=True)
    return add_entry(f"stake: {{{', '.join(f'{name}: {{gamble: ...}}' for name in missing)}}}")


def _build(play: Table, g: Gladiator, item: Stake, contest: Conflict | Round, at: Place) -> Build:
    """Build one roll and pay its costs."""
    path = play.step.action.path
    in_round = isinstance(contest, Round)

    def where(key: str) -> Place:
        source = item.source
        if isinstance(source, MappingNode) and ScalarNode(key) in source:
            return place_of(source[ScalarNode(key)], path)
        return at

    earlier = len(play.step.diagnostics)
    build = Build(g.id, play.step.index, base=1 if play.ruling("min_die") == "free" else 0)
    build.disengage = item.disengage
    if g.fate in (Fate.OUT, Fate.DEAD):
        play.illegal(
            "F52", f"{g.name} is {g.fate} and rolls no dice", at=at, facts=facts_of_fall(play, g)
        )
    _background(play, g, item, build, in_round, where("background"))
    play.require(
        item.weapon is None,
        "F8",
        f"{g.name} adds a die for a weapon; weapons have no effect on dice",
        at=where("weapon"),
    )
    _purchases(play, g, item, build, contest, where("use"))
    gamble = item.gamble
    if not play.require(
        gamble >= 0,
        "F27",
        f"{g.name} gambles {gamble}; a gamble is none or more",
        at=where("gamble"),
    ):
        gamble = 0
    if isinstance(contest, Round) and g.id != contest.initiative and contest.limit is not None:
        play.require(
            gamble <= contest.limit,
            "F49",
            f"{g.name} gambles {gamble}; the Initiative gambled {contest.limit}, and nobody may "
            "gamble more",
            at=where("gamble"),
            facts=(
                play.because(contest.builds[contest.initiative].step, "the limit was set here"),
            ),
            fix=write_word(contest.limit),
            help="inhabitants come in without limit",
            after=("gambles",),
        )
    _pay(play, g, item, build, gamble, where)
    if item.free:
        _claimed_free(play, g, item, build, in_round)
    problems = play.step.diagnostics[earlier:]
    if any(d.finding is not Finding.SUSPICIOUS for d in problems):
        build.doubtful = True
        play.taint(f"pool:{g.id}")
        if any(d.code == "F49" for d in problems):
            # Perhaps the Initiative gambled more.
            first = contest.initiative if isinstance(contest, Round) else g.id
            play.taint("gambles", f"pool:{first}")
    if item.dice is not None:
        build.stated = item.dice
        if not in_round:
            check_dice(play, g, build, where("dice"))
    return build


def _background(
    play: Table, g: Gladiator, first: Stake, build: Build, in_round: bool, at: Place
) -> None:
    details = [str(word).strip() for word in first.background if word.strip()]
    if not details:
        return
    play.require(
        len(details) == 1,
        "F3",
        f"{g.name} takes {len(details)} dice for the back story; it is a single bonus die",
        at=at,
    )
    play.suspect(
        details[0].casefold() in NO_DETAIL,
        "F3",
        f"no detail of {g.name}'s back story is named",
        at=at,
        help="background: the detail that matters here",
    )
    play.suspect(
        in_round and play.ruling("background_encounter") == "no",
        "FA30",
        "at this table the back story brings no die in Encounters",
        at=at,
    )
    build.background = details[0]
    build.extra += len(details) - 1


def _purchases(
    play: Table, g: Gladiator, first: Stake, build: Build, contest: Conflict | Round, at: Place
) -> None:
    if len(first.use) > 1 and play.ruling("purchases") == "one":
        play.suspect(True, "FA38", "at this table a roll takes one purchase", at=at)
    for word in first.use:
        place = place_of_word(play.step.action, word)
        npc = _related(play, g, word, place)
        if npc is None:
            continue
        if not play.require(
            npc not in build.paid,
            "F28",
            f"{word} is brought in twice",
            at=place,
            fix=drop_item(str(word)),
            help="one pool die for each inhabitant, each once",
        ):
            continue
        bond = g.bonds[npc]
        rested = _rested(play, g, bond, place)
        play.ruling("rating_shift")
        dice = bond_dice(play, g, bond)
        play.suspect(
            dice == 0,
            "F28",
            f"{play.names.all[npc].name} brings {g.name} no die: the Relationship is at 0",
            at=place,
        )
        if isinstance(contest, Round) and play.ruling("double_purchase") == "useless":
            payer = next(
                (b.who for b in contest.builds.values() if b.who != g.id and npc in b.paid), ""
            )
            play.suspect(
                bool(payer) and rested,
                "FA36",
                f"{play.names.all[payer].name if payer else ''} has paid for "
                f"{play.names.all[npc].name}; {g.name} has the modifier without paying",
                at=place,
                fix=drop_item(str(word)),
            )
        build.paid[npc] = dice


def _rested(play: Table, g: Gladiator, bond: Bond, at: Place) -> bool:
    """F36: check that an inhabitant does not rest after a failure."""
    remaining = barred_for(play, g, bond)
    return play.require(
        remaining == 0,
        "F36",
        f"{play.names.all[bond.npc].name} is barred as {g.name}'s modifier for "
        f"{plural(remaining, 'more Conflict', 'more Conflicts')}",
        at=at,
        facts=play.facts(bond.barred_step, "used in the failure here"),
        fix=drop_item(play.names.all[bond.npc].name),
        help="the inhabitant can be in the Scene all the same, under  npcs:",
        after=(f"bars:{g.id}",),
        finding=unsure(play, bond.barred_step),
    )


def bond_dice(play: Table, g: Gladiator, bond: Bond) -> int:
    """How many dice a Relationship brings (FA2)."""
    worth = value(play, g.id, bond.npc)
    if play.rulings["rating_shift"] == "on-use" and g.drive is not None:
        worth += 1 if g.drive is Drive.DEATH_WISH else -1
    return max(0, worth)


def _related(play: Table, g: Gladiator, word: ScalarNode, at: Place) -> str | None:
    """The inhabitant a purchase means, if the Gladiator is related to one."""
    second = play.names.find(word, (GLADIATOR,))
    if isinstance(second, Named):
        play.illegal(
            "F40", f"{second.name} is a Gladiator; Relationships are with inhabitants", at=at
        )
        return None
    named = play.names.find(word, (INHABITANT,))
    if isinstance(named, Named):
        npc = play.state.inhabitants[named.id]
        bond = g.bonds.get(npc.id)
        if npc.gone:
            play.illegal(
                "F54",
                f"{npc.name} is gone for good, for everybody",
                at=at,
                facts=(play.because(npc.gone, "lost here"),),
            )
            return None
        if bond is not None:
            npc.last_step = play.step.index
            return npc.id
    have = [play.names.all[b.npc].name for b in g.living()]
    play.report(
        unsure(play, g.step),
        "F28",
        f"{g.name} has no Relationship with {word}{play.names.suggest(word, have)}",
        at=at,
        fix=(*play.names.spellings(word, have), *replace_with(have, old=str(word))),
        help=() if have else f"{g.name} is related to nobody",
        after=("dropped:reward",),
        name=word,
    )
    intended = play.resolve_misspelt(word, (INHABITANT,), [bond.npc for bond in g.living()])
    return intended.id if intended is not None else None


def _pay(play: Table, g: Gladiator, first: Stake, build: Build, gamble: int, where: Where) -> None:
    account = f"pool:{g.id}"
    have = play.balance(account, DIE)
    price = len(build.paid)
    if first.pays is not None:
        play.require(
            first.pays == len(first.use),
            "F28",
            f"{g.name} pays {plural(first.pays, 'die', 'dice')} for "
            f"{plural(len(first.use), 'inhabitant')}; it is one pool die each",
            at=where("pays"),
        )
    for npc in build.paid:
        play.pay(
            account,
            BOX,
            1,
            DIE,
            "F28",
            f"brings in {play.names.all[npc].name}",
            message=f"{g.name} has no die left to bring in {play.names.all[npc].name}: "
            f"the pool was {have}",
            at=where("use"),
        )
    remaining = max(0, have - price)
    play.pay(
        account,
        f"gamble:{g.id}",
        gamble,
        DIE,
        "F27",
        "gambled",
        message=f"{g.name} gambles {gamble} of a pool of {remaining}"
        + (f" (it was {have}, and {price} went for inhabitants)" if price else ""),
        at=where("gamble"),
    )
    build.gamble = gamble
    build.borrowed = max(0, gamble - remaining)


def gamble_back(play: Table, build: Build, rule: str) -> None:
    """A gamble that was not lost is in the pool again, but for dice that were never there."""
    table, account = f"gamble:{build.who}", f"pool:{build.who}"
    on_table = play.balance(table, DIE)
    borrowed = min(build.borrowed, on_table)
    play.move(table, account, on_table - borrowed, DIE, rule, "gamble kept")
    play.move(table, UNEXPLAINED, borrowed, DIE, rule, "never there")


def _claimed_free(play: Table, g: Gladiator, first: Stake, build: Build, in_round: bool) -> None:
    for word in first.free:
        place = place_of_word(play.step.action, word)
        if not in_round:
            play.illegal(
                "F43",
                f"{g.name} takes {word} without paying; that is for Encounters, where another "
                "Gladiator pays",
                at=place,
                fix=make_fix(SetPair("", "use", str(word)), RemoveItem(str(word)), safe=True),
            )
            continue
        npc = _related(play, g, word, place)
        if npc is None or not play.require(
            npc not in build.paid and npc not in build.claimed,
            "F28",
            f"{word} is brought in twice",
            at=place,
            fix=drop_item(str(word)),
            help="each inhabitant comes in once",
        ):
            continue
        _rested(play, g, g.bonds[npc], place)
        build.claimed.append(npc)


def shared(play: Table, round_: Round, id: str) -> dict[str, int]:
    """F43, F36: the inhabitants whom others have paid for, and the dice they bring this Gladiator:
    none while they rest, unless the log took them all the same."""
    g = play.state.gladiators[id]
    own = round_.builds.get(id)
    own_side = own.paid if own is not None else {}
    claimed = own.claimed if own is not None else []
    payers = [npc for b in round_.builds.values() if b.who != id for npc in b.paid]
    free = {
        npc: bond_dice(play, g, bond)
        for npc in dict.fromkeys(payers)
        if npc not in own_side
        and (bond := g.bond(npc)) is not None
        and (npc in claimed or not barred_for(play, g, bond))
    }
    if play.rulings["double_purchase"] == "doubles":
        free |= {npc: dice * payers.count(npc) for npc, dice in own_side.items() if npc in payers}
    return free


def resting_here(play: Table, round_: Round, g: Gladiator) -> list[Bond]:
    """F36: whom others have paid for, and who is barred as this Gladiator's modifier."""
    own = round_.builds[g.id]
    paid = dict.fromkeys(npc for b in round_.builds.values() if b.who != g.id for npc in b.paid)
    bonds = [g.bond(npc) for npc in paid if npc not in own.used()]
    return [bond for bond in bonds if bond is not None and barred_for(play, g, bond)]


def share(play: Table, round_: Round) -> None:
    """F43: one purchase brings in the same inhabitant for every Gladiator related to it."""
    for id in round_.members:
        build = round_.builds.setdefault(id, Build(id))
        build.free = shared(play, round_, id)
        for npc in build.claimed:
            play.require(
                npc in build.free,
                "F43",
                f"nobody has paid for {play.names.all[npc].name}, so "
                f"{play.state.gladiators[id].name} has no modifier",
                help="one Gladiator pays:  use: the inhabitant",
            )
        for npc, dice in build.free.items():
            play.event(
                f"{play.names.all[npc].name} comes in for {play.state.gladiators[id].name}, too: "
                f"{plural(dice, 'die', 'dice')} without paying",
                "F43",
                "shared",
                npc,
            )


def dice_doubts(g: Gladiator, build: Build) -> tuple[str, ...]:
    """Earlier findings that a wrong number of dice may merely follow from."""
    used = [f"relationship:{bond_id(g.id, npc)}" for npc in build.used()]
    return (f"pool:{g.id}", f"bars:{g.id}", *used, "dropped:stake", "no scene")


def dice_rule(build: Build) -> str:
    """The rule that a wrong number of dice breaks."""
    if build.paid:
        return "F28"
    if build.free:
        return "F43"
    return "F3" if build.background and not build.gamble else "F27"


def check_dice(play: Table, g: Gladiator, build: Build, at: Place) -> None:
    """The number of dice the keeper wrote down, against the builder's arithmetic."""
    stated, build.stated = build.stated, None
    if stated is None:
        return
    if not play.require(
        stated == build.dice,
        dice_rule(build),
        f"{g.name}'s roll has {plural(build.dice, 'die', 'dice')}, not {stated}",
        at=at,
        label=" + ".join(build.sources()),
        fix=write_word(build.dice),
    ):
        build.doubtful = True


# --- leaving and betraying --------------------------------------------------------------------------


def npc_leaves(play: Table, g: Gladiator) -> str | None:
    """FA12: that an NPC Gladiator disengages where only players do."""
    if not g.npc or play.ruling("npc_options") != "no":
        return None
    return f"{g.name} is an NPC Gladiator; at this table only players disengage"


def initiative_leaves(play: Table, round_: Round, g: Gladiator) -> str | None:
    """FA14: that the Gladiator with the Initiative disengages where only the others do."""
    if g.id != round_.initiative or play.ruling("initiative_disengage") != "no":
        return None
    return f"{g.name} has the Initiative; at this table the Initiative does not disengage"


def may_disengage(play: Table, round_: Round, g: Gladiator, at: Place) -> None:
    """FA12, FA14: report questions about leaving. For entries without guards."""
    for rule, message in (
        ("FA12", npc_leaves(play, g)),
        ("FA14", initiative_leaves(play, round_, g)),
    ):
        if message is not None:
            play.suspect(True, rule, message, at=at)
