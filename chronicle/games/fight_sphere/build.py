"""Building a roll: gambles, inhabitants, the back story (F25 to F28, F36, F43, F48, F49)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action, Decides, Offered, main, place_of_word
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
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
from chronicle.core.guards import Violation, away_violation, guard
from chronicle.core.law import Role
from chronicle.core.ledger import UNEXPLAINED
from chronicle.core.reporter import NOBODY_ACTS
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import MappingNode, Place, ScalarNode, place_of
from chronicle.core.telling import Piece, TextRole, pieces
from chronicle.games.fight_sphere.actions import STAKES, Stake
from chronicle.games.fight_sphere.bonds import (
    barred_for,
    bonds_unknown_since,
    doubted_bond,
    find_out,
    is_rest_known,
    is_value_known,
    untold_bond,
)
from chronicle.games.fight_sphere.falls import facts_of_fall
from chronicle.games.fight_sphere.needs import FALLEN, GLADIATORS
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    INHABITANT,
    LONE,
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
    find_gladiator,
    find_inhabitant,
    inhabitant,
    is_gladiator,
    order_from,
    scene_known_from,
    value,
)

ROLES: Mapping[str, Role] = {"builds": Role("a Gladiator", "", (), GLADIATORS)}
GM_SIDE: Final = "GM"
SPHERE: Final = "The Sphere"
"""The GM's side of a Conflict, as its card calls it."""
NO_DETAIL: Final = ("yes", "true", "no", "false", "1", "2")
UNNAMED: Final = "unnamed:"
"""The doubt about the dice of a Gladiator who is left out of an Encounter that goes on."""
SECOND_ROLL: Final = "second roll:"
"""The doubt about a roll that a Scene has no room for, since a stake was reported for it."""
MOST_GAMBLED: Final = 4
"""The largest gamble that is proposed."""


# --- the draft of a round, and its stakes -----------------------------------------------------------


class Draft(NamedTuple):
    """What rolls can be built for once an entry has begun what it begins, in no state yet.

    Attributes:
        conflicts: the ordinary Conflicts of the Scene.
        round_: the round of the Encounter.
        guests: the ids of the Gladiators who share the Scene.
        bonuses: the dice that first meetings bring, by Gladiator.
        begins: whether the entry closes the Scene at hand, so that dice of its gambles are in the pools again.
    """

    conflicts: Sequence[Conflict] = ()
    round_: Round | None = None
    guests: Sequence[str] = ()
    bonuses: Mapping[str, int] = {}
    begins: bool = False

    def contest_of(self, play: Table, gladiator: Gladiator) -> Conflict | Round | None:
        """The Conflict that a Gladiator is in. For a guest of the Scene without one, it is a draft of their own
        Conflict that such a Gladiator faces (F59)."""
        if self.round_ is not None and gladiator.id in self.round_.members:
            return self.round_
        own = [conflict for conflict in self.conflicts if conflict.who == gladiator.id]
        if not own and gladiator.id in self.guests and self.conflicts:
            scene = self.conflicts[0].scene
            return draft_conflict(play, gladiator, scene, gladiator.player, guest=True)
        return own[-1] if own else None


def draft_at_hand(play: Table) -> Draft:
    """What rolls can be built for now."""
    state = play.state
    return Draft(state.open_conflicts, state.open_round, state.scene_guests)


class Built(NamedTuple):
    """One stake of an entry.

    Attributes:
        word: the name of the Gladiator as typed; empty where the entry names none.
        at: its place.
        stake: the stake as typed.
        gladiator: whose roll it builds.
        contest: the Conflict of the Gladiator.
        earlier: the rolls of an Encounter that are built before it.
        build: the roll that it builds, in no state yet; None where it builds none.
        pool: the dice of the Conflict Pool before it.
    """

    word: ScalarNode
    at: Place
    stake: Stake
    gladiator: Gladiator | None
    contest: Conflict | Round | None
    earlier: Mapping[str, Build]
    build: Build | None
    pool: int


class Staked(Action):
    """What every verb says under which rolls are built: stakes, and how inhabitants come into them."""

    stake: dict[ScalarNode, Stake] | None

    def told(self) -> Iterator[Piece]:
        yield from super().told()
        for stake in (self.stake or {}).values():
            yield from pieces(TextRole.SENTENCE, stake.because)

    def builder(self, play: Table) -> Gladiator | None:
        """Whose roll a stake without a name builds."""
        return acting(play, self)

    def unnamed(self, play: Table, ids: Sequence[str]) -> Sequence[str]:
        """Who of some Gladiators of an Encounter does not stand in the entry that goes on with it by names."""
        return ()

    def refused(self, play: Table) -> Sequence[Gladiator]:
        """The Gladiators of whom it is reported already that they cannot be met here."""
        return ()

    def draft(self, play: Table) -> Draft | None:
        """What rolls can be built for under this entry; None if nothing can."""
        raise NotImplementedError

    def built(self, play: Table) -> list[Built]:
        """Its stakes in the order they were built."""
        draft = self.draft(play)
        return [*self._built_in(play, draft)] if draft is not None else []

    def _built_in(self, play: Table, draft: Draft) -> Iterator[Built]:
        builds = dict(draft.round_.builds) if draft.round_ is not None else {}
        builds |= {first.who: first.build for first in draft.conflicts if first.built}
        for word, stake in (self.stake or {}).items():
            gladiator = find_gladiator(play, word) if word else self.builder(play)
            at = place_of_word(self, word) if word else self.place("stake")
            contest = draft.contest_of(play, gladiator) if gladiator is not None else None
            earlier, build, pool = dict(builds), None, 0
            can_build = contest is not None and contest.stage is Stage.BUILDING
            if gladiator is not None and contest is not None and can_build:
                pool = _pool_before(play, gladiator, draft)
                if gladiator.id not in builds:
                    is_round = isinstance(contest, Round)
                    build = draft_build(play, gladiator, stake, pool, is_round=is_round)
                    builds[gladiator.id] = build
            yield Built(word, at, stake, gladiator, contest, earlier, build, pool)

    def stake_violations(self, play: Table) -> Iterator[Violation]:
        """The problems with its stakes."""
        for built in self.built(play):
            yield from _place_violations(play, self, built)
            yield from _order_violations(play, self, built)
            yield from build_violations(play, self, built)
            yield from _further_violations(play, self, built)

    def apply_stakes(self, play: Table, stakes: Sequence[Built]) -> None:
        """Build the rolls."""
        for built in stakes:
            apply_stake(play, built)

    def drafted(self, play: Table, draft: Draft) -> list[Built]:
        """Its stakes in a draft, for the effect: with what is in doubt about them."""
        stakes = [*self._built_in(play, draft)]
        for built in stakes:
            if (build := built.build) is not None:
                build.doubtful = is_doubtful(play, self, built, build)
        return stakes


def _pool_before(play: Table, gladiator: Gladiator, draft: Draft) -> int:
    gambled = play.balance(f"gamble:{gladiator.id}", DIE) if draft.begins else 0
    bonus = draft.bonuses.get(gladiator.id, 0)
    return play.balance(f"pool:{gladiator.id}", DIE) + gambled + bonus


def is_gm(play: Table, word: ScalarNode) -> bool:
    """Whether a name means the side of the GM: ``GM``, or the name of the GM."""
    return word.casefold() == GM_SIDE.casefold() or word == play.runner


def related(play: Table, gladiator: Gladiator, word: ScalarNode) -> str:
    """The id of the inhabitant whom a purchase means, if the Gladiator is related to one; else empty."""
    npc = find_inhabitant(play, word)
    if is_gladiator(play, word) is not None or (npc is not None and npc.gone):
        return ""
    if npc is not None and npc.id in gladiator.bonds:
        return npc.id
    own = [bond.npc for bond in gladiator.living()]
    likely = play.names.likely_subject(word, (INHABITANT,), own)
    return likely.id if likely is not None else ""


def draft_build(
    play: Table, gladiator: Gladiator, stake: Stake, pool: int, *, is_round: bool
) -> Build:
    """A roll as a stake builds it."""
    build = Build(gladiator.id, play.step.number, base=free_dice(play))
    build.disengage = stake.disengage
    details = details_of(stake)
    if details:
        build.background = details[0]
        build.extra += len(details) - 1
    for word in stake.use:
        id = related(play, gladiator, word) or untold_bond(play, gladiator, word)
        if id and id not in build.paid:
            bond = gladiator.bonds.get(id)
            build.paid[id] = bond_dice(play, gladiator, bond) if bond is not None else 0
    build.unnamed = sum(1 for word in stake.use if play.is_unrecorded_name(word))
    build.gamble, build.is_gamble_untold = max(0, stake.gamble or 0), stake.gamble is None
    build.borrowed = max(0, build.gamble - max(0, pool - build.price))
    for word in stake.free if is_round else ():
        id = related(play, gladiator, word)
        if id and id not in build.paid and id not in build.claimed:
            build.claimed.append(id)
    build.stated = stake.dice if is_round else None
    return build


def details_of(stake: Stake) -> list[str]:
    """The details of the back story that a stake names."""
    return [str(word).strip() for word in stake.background if word.strip()]


def free_dice(play: Table) -> int:
    """FA11: the dice that a roll has without paying."""
    return 1 if play.rulings["min_die"] == "free" else 0


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
        play.step.number,
        episode.title if episode is not None else "",
        layer.number if layer is not None else 1,
        state.tv,
        framer,
        Build(g.id, base=free_dice(play)),
        play.step.number,
        guest=guest,
    )


def begin_conflict(play: Table, conflict: Conflict) -> Conflict:
    """An ordinary Conflict is part of the open Scene from now on."""
    play.ruling("min_die")
    conflict.number = len(play.state.conflicts) + 1
    play.state.conflicts.append(conflict)
    play.state.open_conflicts.append(conflict)
    return conflict


def contest_of(play: Table, gladiator: Gladiator) -> Conflict | Round | None:
    """The Conflict a Gladiator is in at the moment. A guest of the Scene faces one of their own (F59)."""
    contest = draft_at_hand(play).contest_of(play, gladiator)
    if isinstance(contest, Conflict) and contest not in play.state.open_conflicts:
        return begin_conflict(play, contest)
    return contest


# --- what is wrong with a stake ---------------------------------------------------------------------


def _place_violations(play: Table, action: Staked, built: Built) -> Iterator[Violation]:
    """F21, F22, F27: a stake belongs to a Conflict that waits for its dice, and to one that is not built yet."""
    gladiator, contest, at = built.gladiator, built.contest, built.at
    if gladiator is None:
        if not built.word:
            yield Violation(
                "whose roll is this?",
                at,
                set_key("by"),
                since=play.before_gap("turns", scene_known_from(play)),
                state_kind="turns",
                rule="F21",
            )
    elif contest is None:
        draft = action.draft(play)
        met = draft.round_ if draft is not None else None
        names = listed(play.state.gladiators[id].name for id in met.members) if met else ""
        yield Violation(
            f"{gladiator.name} is not in this Encounter of {names}"
            if met
            else f"{gladiator.name} is in no Conflict that could be built",
            at,
            make_fix(AddItem("joins", gladiator.name, play.place_of_entry(met.step)), safe=True)
            if met
            else (add_entry("scene: ..."), add_entry("encounter: ...")),
            since=play.before_gap("turns", _met_since(play, met)),
            state_kind="turns",
            after=[LONE],
            rule="F22",
        )
    elif contest.stage is Stage.ROLLED and isinstance(contest, Conflict) and contest.built:
        yield Violation(
            "this Scene has had its Conflict; the next roll needs a Scene of its own",
            at,
            (add_entry("scene: ..."), add_entry("encounter: ...")),
            facts=[play.because(contest.result_step, "rolled here")],
            doubts=[SECOND_ROLL],
            rule="F22",
        )
    elif contest.stage is Stage.ROLLED:
        yield Violation(
            "the dice have fallen; nothing can be added to this roll",
            at,
            facts=[play.because(contest.result_step, "rolled here")],
        )
    elif built.build is None:
        yield Violation(
            f"{gladiator.name} has built this roll already",
            at,
            facts=play.facts(built.earlier[gladiator.id].step, "built here"),
        )


def _met_since(play: Table, met: Round | None) -> int:
    """The entry that made so who is in a Conflict: the Scene, or the Encounter whose next Scene an entry frames."""
    return scene_known_from(play) if met is None else met.rests_on


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


def _order_violations(play: Table, action: Staked, built: Built) -> Iterator[Violation]:
    """F48, F49: the Initiative builds first, the others in turn."""
    gladiator, round_ = built.gladiator, built.contest
    if gladiator is None or built.build is None or not isinstance(round_, Round):
        return
    order = build_order(play, round_)
    missing = [id for id in order[: order.index(gladiator.id)] if id not in built.earlier]
    names = {id: play.state.gladiators[id].name for id in order}
    if round_.initiative in missing:
        yield Violation(
            f"{gladiator.name} builds before {names[round_.initiative]}, who has the Initiative",
            built.at,
            _ordered(play, action, list(names.values()), [names[round_.initiative]]),
            facts=[play.because(round_.step, "framed here")],
            since=play.before_gap("turns", _initiative_known_from(play, gladiator, round_)),
            state_kind="turns",
            after=["build order", "rounds:"],
            doubts=["build order"],
            rule="F48",
        )
        return
    if missing and play.ruling("npc_order") == "any":
        missing = [id for id in missing if not play.state.gladiators[id].npc]
        missing = missing if not gladiator.npc else []
    if missing:
        unbuilt, unnamed = [names[id] for id in missing], action.unnamed(play, missing)
        is_forgotten = len(unnamed) == len(missing)
        too = f"{listed(unbuilt)} {'is' if len(unbuilt) == 1 else 'are'} in this Encounter, too"
        yield Violation(
            f"{too}; {gladiator.name} builds after that"
            if is_forgotten
            else f"{gladiator.name} builds before {listed(unbuilt)}",
            built.at,
            _ordered(play, action, list(names.values()), unbuilt),
            "the Initiative first, then turn order",
            after=["build order"],
            doubts=["build order", *(f"{UNNAMED}{id}" for id in unnamed)],
            rule="F49",
        )


def _initiative_known_from(play: Table, first: Gladiator, round_: Round) -> int:
    """The entry from which it is known that a Gladiator who builds first does not have the Initiative. A gap in this
    Layer can hide that the GM resumed the Encounter of an NPC Gladiator (F39)."""
    return min(round_.rests_on, play.state.layer_step) if first.npc else round_.rests_on


def _ordered(play: Table, action: Staked, order: list[str], missing: list[str]) -> Fix:
    """The fix that puts the stakes of an entry into their order, or adds those that come first above it."""
    named = [find_gladiator(play, word) for word in action.stake or {} if word]
    if {*missing} & {gladiator.name for gladiator in named if gladiator is not None}:
        return make_fix(OrderPairs("stake", tuple(order)), safe=True)
    return add_entry(f"stake: {{{', '.join(f'{name}: {{gamble: ...}}' for name in missing)}}}")


def build_violations(play: Table, action: Staked, built: Built) -> Iterator[Violation]:
    """The problems of a roll as it was built. The last breach of a rule puts the pool in doubt."""
    all_violations = [*_found_in(play, action, built)]
    breaches = [
        item
        for item in all_violations
        if item.kind is not DiagnosticKind.SUSPICIOUS and item.rule != NOBODY_ACTS
    ]
    for violation in all_violations:
        if breaches and violation is breaches[-1] and built.gladiator is not None:
            doubts = [f"pool:{built.gladiator.id}"]
            if any(item.rule == "F49" for item in breaches) and isinstance(built.contest, Round):
                # Perhaps the Initiative gambled more.
                doubts += ["gambles", f"pool:{built.contest.initiative}"]
            violation = violation._replace(doubts=[*violation.doubts, *doubts])
        yield violation


def is_doubtful(play: Table, action: Staked, built: Built, build: Build) -> bool:
    """Whether its dice are reported once, so that what the dice show is not reported again."""
    breaches = [*_found_in(play, action, built), *_stated_dice(play, built)]
    is_reported = any(item.kind is not DiagnosticKind.SUSPICIOUS for item in breaches)
    return is_reported or not are_dice_known(play, build)


def are_dice_known(play: Table, build: Build) -> bool:
    """Whether the log gives the values of all Relationships in a roll."""
    gladiator = play.state.gladiators[build.who]
    return not build.is_untold and all(
        id in gladiator.bonds and is_value_known(play, gladiator, id) for id in build.used()
    )


def _found_in(play: Table, action: Staked, built: Built) -> Iterator[Violation]:
    gladiator, build = built.gladiator, built.build
    if gladiator is None or build is None:
        return
    if gladiator.fate in (Fate.OUT, Fate.DEAD):
        if gladiator in action.refused(play):
            return
        yield Violation(
            f"{gladiator.name} is {gladiator.fate} and rolls no dice",
            built.at,
            facts=facts_of_fall(play, gladiator),
            since=play.before_gap("", gladiator.fate_known_from),
            after=[f"{FALLEN}{gladiator.id}"],
            doubts=[f"{FALLEN}{gladiator.id}"],
            rule="F52",
        )
        return
    yield from _background_violations(play, action, gladiator, built)
    yield from _purchase_violations(play, action, gladiator, built)
    yield from _gamble_violations(play, action, gladiator, built)
    yield from _price_violations(play, action, gladiator, build, built)
    for word in built.stake.free:
        yield from _free_violations(play, action, gladiator, built, word)


def _where(action: Staked, built: Built, key: str) -> Place:
    """The place of a key of a stake."""
    source = built.stake.source
    if isinstance(source, MappingNode) and ScalarNode(key) in source:
        return place_of(source[ScalarNode(key)], action.path)
    return built.at


def _background_violations(
    play: Table, action: Staked, gladiator: Gladiator, built: Built
) -> Iterator[Violation]:
    details, at = details_of(built.stake), _where(action, built, "background")
    if len(details) > 1:
        message = f"{gladiator.name} takes {len(details)} dice for the back story; it is a single bonus die"
        yield Violation(message, at, rule="F3")
    if built.stake.background and not details:
        yield Violation(
            f"no detail of {gladiator.name}'s back story is named",
            at,
            help="background: the detail that matters here, or leave  background:  out",
            rule="F3",
        )
    if details and details[0].casefold() in NO_DETAIL:
        yield Violation(
            f"no detail of {gladiator.name}'s back story is named",
            at,
            help="background: the detail that matters here",
            rule="F3",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    if details and isinstance(built.contest, Round) and play.ruling("background_encounter") == "no":
        message = "at this table the back story brings no die in Encounters"
        yield Violation(message, at, rule="FA30", kind=DiagnosticKind.SUSPICIOUS)
    if built.stake.weapon is not None:
        yield Violation(
            f"{gladiator.name} adds a die for a weapon; weapons have no effect on dice",
            _where(action, built, "weapon"),
            rule="F8",
        )


def _purchase_violations(
    play: Table, action: Staked, gladiator: Gladiator, built: Built
) -> Iterator[Violation]:
    if len(built.stake.use) > 1 and play.ruling("purchases") == "one":
        yield Violation(
            "at this table a roll takes one purchase",
            _where(action, built, "use"),
            rule="FA38",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    if built.stake.use and built.stake.because is not None and not built.stake.because.strip():
        yield Violation(
            f"nothing is told of how {listed(built.stake.use)} {_come(built)} into it",
            _where(action, built, "because"),
            help="because: how they come into it, even as enemies",
            rule="F28",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    paid: set[str] = set()
    for word in built.stake.use:
        at, id = place_of_word(action, word), related(play, gladiator, word)
        if play.is_unrecorded_name(word):
            message = "the record does not say which inhabitant it was"
            yield Violation(message, at, rule=NOBODY_ACTS, kind=DiagnosticKind.UNKNOWN)
            continue
        yield from _unrelated(play, gladiator, word, at)
        if not id:
            continue
        if id in paid:
            yield Violation(
                f"{word} is brought in twice",
                at,
                drop_item(str(word)),
                "one pool die for each inhabitant, each once",
                rule="F28",
            )
            continue
        paid.add(id)
        bond, name = gladiator.bonds[id], play.names.all[id].name
        rests = [*_rests(play, gladiator, bond, at)]
        yield from rests
        if bond_dice(play, gladiator, bond) == 0 and is_value_known(play, gladiator, id):
            yield Violation(
                f"{name} brings {gladiator.name} no die: the Relationship is at 0",
                at,
                rule="F28",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        payer = next(
            (
                who
                for who, first in built.earlier.items()
                if who != gladiator.id and id in first.paid
            ),
            "",
        )
        if (
            payer
            and isinstance(built.contest, Round)
            and not rests
            and play.ruling("double_purchase") == "useless"
        ):
            yield Violation(
                f"{play.names.all[payer].name} has paid for {name}; {gladiator.name} has the modifier "
                "without paying",
                at,
                drop_item(str(word)),
                rule="FA36",
                kind=DiagnosticKind.SUSPICIOUS,
            )


def _come(built: Built) -> str:
    return "comes" if len(built.stake.use) == 1 else "come"


def _unrelated(
    play: Table, gladiator: Gladiator, word: ScalarNode, at: Place
) -> Iterator[Violation]:
    """F28, F40, F54: that a purchase means nobody whom the Gladiator has a Relationship with."""
    second, npc = is_gladiator(play, word), find_inhabitant(play, word)
    if second is not None:
        message = f"{second.name} is a Gladiator; Relationships are with inhabitants"
        yield Violation(message, at, rule="F40")
    elif npc is not None and npc.gone:
        facts = [play.because(npc.gone, "lost here")]
        yield Violation(f"{npc.name} is gone for good, for everybody", at, facts=facts, rule="F54")
    elif npc is None or npc.id not in gladiator.bonds:
        have = [play.names.all[bond.npc].name for bond in gladiator.living()]
        stranger = Violation(
            f"{gladiator.name} has no Relationship with {word}{play.names.suggest(word, have)}",
            at,
            (*play.names.spelling_fixes(word, have), *replace_with(have, old=str(word))),
            () if have else f"{gladiator.name} is related to nobody",
            after=["dropped:reward"],
            rule="F28",
            name=word,
        )
        yield doubted_bond(play, gladiator, stranger)


def _rests(play: Table, gladiator: Gladiator, bond: Bond, at: Place) -> Iterator[Violation]:
    """F36: that an inhabitant rests after a failure."""
    remaining = barred_for(play, gladiator, bond)
    if remaining:
        name = play.names.all[bond.npc].name
        yield Violation(
            f"{name} is barred as {gladiator.name}'s modifier for "
            f"{plural(remaining, 'more Conflict', 'more Conflicts')}",
            at,
            drop_item(name),
            "the inhabitant can be in the Scene all the same, under  npcs:",
            facts=play.facts(bond.barred_step, "used in the failure here"),
            after=[f"bars:{gladiator.id}"],
            rule="F36",
            kind=DiagnosticKind.ILLEGAL
            if is_rest_known(play, gladiator, bond)
            else DiagnosticKind.UNKNOWN,
        )


def _gamble_violations(
    play: Table, action: Staked, gladiator: Gladiator, built: Built
) -> Iterator[Violation]:
    round_, gamble, at = built.contest, built.stake.gamble, _where(action, built, "gamble")
    if gamble is None:
        yield Violation(
            f"the record does not say how many dice {gladiator.name} gambled",
            at,
            rule="F27",
            kind=DiagnosticKind.UNKNOWN,
        )
        return
    if gamble < 0:
        message = f"{gladiator.name} gambles {gamble}; a gamble is none or more"
        yield Violation(message, at, rule="F27")
    if not isinstance(round_, Round) or gladiator.id == round_.initiative:
        return
    first = built.earlier.get(round_.initiative)
    if first is not None and not first.is_gamble_untold and gamble > first.gamble:
        yield Violation(
            f"{gladiator.name} gambles {gamble}; the Initiative gambled {first.gamble}, and nobody may "
            "gamble more",
            at,
            write_word(first.gamble),
            "inhabitants come in without limit",
            facts=[play.because(first.step, "the limit was set here")],
            after=["gambles"],
            rule="F49",
        )


def _price_violations(
    play: Table, action: Staked, gladiator: Gladiator, build: Build, built: Built
) -> Iterator[Violation]:
    """F27, F28: one pool die for each inhabitant, and as many to gamble as are left."""
    stake, key = built.stake, f"pool:{gladiator.id}"
    if stake.pays is not None and stake.pays != len(stake.use):
        yield Violation(
            f"{gladiator.name} pays {plural(stake.pays, 'die', 'dice')} for "
            f"{plural(len(stake.use), 'inhabitant')}; it is one pool die each",
            _where(action, built, "pays"),
            rule="F28",
        )
    price, have = build.price, built.pool
    lacking = Violation(
        "", after=[key], doubts=[key], since=play.unknown_until.get(key, 0), state_kind="purses"
    )
    for number, id in enumerate(build.paid):
        if have - number < 1:
            # Somebody of a gap comes into the story by the effect of this entry.
            name = play.names.all[id].name if id in play.names.all else id
            yield lacking._replace(
                message=f"{gladiator.name} has no die left to bring in {name}: the pool was {have}",
                at=_where(action, built, "use"),
                rule="F28",
            )
    remaining = max(0, have - price)
    if build.gamble > remaining:
        went = f" (it was {have}, and {price} went for inhabitants)" if price else ""
        yield lacking._replace(
            message=f"{gladiator.name} gambles {build.gamble} of a pool of {remaining}{went}",
            at=_where(action, built, "gamble"),
            rule="F27",
        )


def _free_violations(
    play: Table, action: Staked, gladiator: Gladiator, built: Built, word: ScalarNode
) -> Iterator[Violation]:
    """F43: inhabitants come in without paying in Encounters, where another Gladiator pays."""
    at, build = place_of_word(action, word), built.build
    if not isinstance(built.contest, Round):
        yield Violation(
            f"{gladiator.name} takes {word} without paying; that is for Encounters, where another "
            "Gladiator pays",
            at,
            make_fix(SetPair("", "use", str(word)), RemoveItem(str(word)), safe=True, is_told=True),
            f"write  use: {word}  in place of  free: {word}",
            rule="F43",
        )
        return
    yield from _unrelated(play, gladiator, word, at)
    id = related(play, gladiator, word)
    words = [each for each in built.stake.free if id and related(play, gladiator, each) == id]
    if not id or build is None:
        return
    if id in build.paid or words[0] is not word:
        yield Violation(
            f"{word} is brought in twice",
            at,
            drop_item(str(word)),
            "each inhabitant comes in once",
            rule="F28",
        )
        return
    yield from _rests(play, gladiator, gladiator.bonds[id], at)


def _stated_dice(play: Table, built: Built) -> Iterator[Violation]:
    """The number of dice of an ordinary Conflict differs from the number that the keeper wrote down."""
    gladiator, build, stated = built.gladiator, built.build, built.stake.dice
    if gladiator is None or build is None or stated is None or isinstance(built.contest, Round):
        return
    yield from dice_violations(gladiator, replace(build, stated=stated), built.at)


def _further_violations(play: Table, action: Staked, built: Built) -> Iterator[Violation]:
    """The number of dice, and who leaves an Encounter by a stake (F57)."""
    for violation in _stated_dice(play, built):
        yield violation._replace(at=_where(action, built, "dice"))
    gladiator, contest = built.gladiator, built.contest
    if gladiator is None or built.build is None or not built.build.disengage:
        return
    if not isinstance(contest, Round):
        message = f"{gladiator.name} is in no Encounter to disengage from"
        yield Violation(message, built.at, rule="F57")
        return
    owner = "" if gladiator.npc or gladiator.player == play.step.player else gladiator.player
    away = away_violation(play, owner, _where(action, built, "disengage"))
    if away is not None:
        yield away
    for rule, message_ in (
        ("FA12", npc_leaves(play, gladiator)),
        ("FA14", initiative_leaves(play, contest, gladiator)),
    ):
        if message_ is not None:
            yield Violation(message_, built.at, rule=rule, kind=DiagnosticKind.SUSPICIOUS)


def dice_violations(gladiator: Gladiator, build: Build, at: Place) -> Iterator[Violation]:
    """The number of dice the keeper wrote down, against the builder's arithmetic."""
    if build.stated is not None and not build.is_untold and build.stated != build.dice:
        yield Violation(
            f"{gladiator.name}'s roll has {plural(build.dice, 'die', 'dice')}, not {build.stated}",
            at,
            write_word(build.dice),
            place_label=" + ".join(build.sources()),
            rule=dice_rule(build),
        )


# --- the effect of a stake --------------------------------------------------------------------------


def place_build(built: Built) -> None:
    """A roll is built in its Conflict, without its costs."""
    if built.gladiator is None or built.build is None:
        return
    if isinstance(built.contest, Round):
        built.contest.builds[built.gladiator.id] = built.build
    elif built.contest is not None:
        built.contest.build, built.contest.built = built.build, True


def apply_stake(play: Table, built: Built) -> None:
    """A roll is built, and its costs are paid."""
    gladiator, contest, build = built.gladiator, built.contest, built.build
    if gladiator is not None and contest is None and play.gap_since("turns"):
        play.unrecorded(f"pool:{gladiator.id}")
    if gladiator is None or contest is None or build is None:
        return
    play.ruling("min_die")
    for word in (*built.stake.use, *built.stake.free):
        npc, id = find_inhabitant(play, word), related(play, gladiator, word)
        if not id and word in built.stake.use and untold_bond(play, gladiator, word):
            find_out(play, gladiator, inhabitant(play, word))
        elif npc is not None and id == npc.id:
            npc.last_step = play.step.number
        elif id:
            own = [bond.npc for bond in gladiator.living()]
            play.resolve_misspelt(word, (INHABITANT,), own)
    if build.paid:
        play.ruling("rating_shift")
    if build.is_gamble_untold:
        play.unrecorded(f"pool:{gladiator.id}", can_only_lower=True)
    if build.unnamed:
        ids = (bond_id(gladiator.id, bond.npc) for bond in gladiator.living())
        play.unrecorded(*(f"barred:{id}" for id in ids))
    pay_build(play, build)
    if isinstance(contest, Conflict) and contest not in play.state.open_conflicts:
        begin_conflict(play, contest)
    place_build(built)


def pay_build(play: Table, build: Build) -> None:
    """F27, F28: a die for each inhabitant is gone, and the gamble lies on the table."""
    account = f"pool:{build.who}"
    for id in build.paid:
        play.spend(account, BOX, 1, DIE, "F28", f"brings in {play.names.all[id].name}")
    play.spend(account, BOX, build.unnamed, DIE, "F28", "brings in somebody")
    play.spend(account, f"gamble:{build.who}", build.gamble, DIE, "F27", "gambled")


def gamble_back(play: Table, build: Build, rule: str) -> None:
    """A gamble that was not lost is in the pool again, but for dice that were never there."""
    table, account = f"gamble:{build.who}", f"pool:{build.who}"
    on_table = play.balance(table, DIE)
    borrowed = min(build.borrowed, on_table)
    play.move(table, account, on_table - borrowed, DIE, rule, "gamble kept")
    play.move(table, UNEXPLAINED, borrowed, DIE, rule, "never there")


def bond_dice(play: Table, g: Gladiator, bond: Bond) -> int:
    """How many dice a Relationship brings (FA2)."""
    worth = value(play, g.id, bond.npc)
    if play.rulings["rating_shift"] == "on-use" and g.drive is not None:
        worth += 1 if g.drive is Drive.DEATH_WISH else -1
    return max(0, worth)


def shared(play: Table, round_: Round, id: str) -> dict[str, int]:
    """F43, F36: the inhabitants whom others have paid for, and the dice they bring this Gladiator:
    none while they rest, unless the log took them all the same."""
    g = play.state.gladiators[id]
    own = round_.builds.get(id)
    own_side = own.paid if own is not None else {}
    claimed = own.claimed if own is not None else []
    payers = round_.paid_by_others(id)
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


def has_unknown_modifiers(play: Table, round_: Round, id: str) -> bool:
    """F43: whether a gap hides what the inhabitants bring a Gladiator for whom others have paid."""
    g = play.state.gladiators[id]
    for npc in round_.paid_by_others(id):
        if npc in round_.builds[id].paid:
            continue
        bond = g.bonds.get(npc)
        if bond is None and bonds_unknown_since(play, g):
            return True
        is_kept = bond is not None and not bond.gone
        if bond is not None and is_kept and not is_rest_known(play, g, bond):
            return True
        if is_kept and not is_value_known(play, g, npc):
            return True
    return False


def resting_here(play: Table, round_: Round, g: Gladiator) -> list[Bond]:
    """F36: whom others have paid for, and who is barred as this Gladiator's modifier."""
    own = round_.builds[g.id]
    payers = dict.fromkeys(round_.paid_by_others(g.id))
    bonds = [g.bond(npc) for npc in payers if npc not in own.used()]
    return [bond for bond in bonds if bond is not None and barred_for(play, g, bond)]


def dice_doubts(g: Gladiator, build: Build) -> tuple[str, ...]:
    """Earlier findings that a wrong number of dice may merely follow from."""
    used = [f"relationship:{bond_id(g.id, npc)}" for npc in build.used()]
    return (f"pool:{g.id}", f"bars:{g.id}", *used, "dropped:stake", "no scene")


def as_many_faces(build: Build) -> str:
    """What to do about a wrong number of faces, in words."""
    return f"write {plural(build.dice, 'face')}, or put the stake of this roll right"


def dice_rule(build: Build) -> str:
    """The rule that a wrong number of dice breaks."""
    if build.paid:
        return "F28"
    if build.free:
        return "F43"
    return "F3" if build.background and not build.gamble else "F27"


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


# --- a stake on a line of its own -------------------------------------------------------------------


class BuildRoll(Staked):
    """Build a roll: gamble, bring inhabitants in, lean on the back story."""

    verb = "stake"
    synonyms = ("gamble", "build", "bet")
    decides = Decides("scene")
    offered = Offered("F27", "build a roll")
    example = "stake: {gamble: 2, use: Mina, background: night nurse}"
    stake = main(STAKES, "a stake, or {Gladiator: stake} in the order they were built")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for id, most in waiting_to_build(play):
            gladiator = play.state.gladiators[id]
            for stake in possible_stakes(play, gladiator, most):
                yield {
                    "stake": {gladiator.name: stake},
                    "by": play.runner if gladiator.npc else gladiator.player,
                }

    def sentence(self, play: Table) -> Sentence:
        builders = [built.gladiator.id for built in self.built(play) if built.gladiator is not None]
        return said("{} build their rolls." if len(builders) > 1 else "{} builds a roll.", builders)

    def draft(self, play: Table) -> Draft | None:
        return draft_at_hand(play)

    @guard("F27", at="by")
    def players_build_their_own(self, play: Table) -> Violation | None:
        player = play.step.player
        named = [find_gladiator(play, word) for word in self.stake if word]
        builders = [gladiator for gladiator in named if gladiator is not None]
        owners = [play.runner if first.npc else first.player for first in builders]
        if self.by is None or not player or play.given or not builders or player in owners:
            return None
        return Violation(
            f"{player} builds the roll of {listed(gladiator.name for gladiator in builders)}; "
            f"{listed(dict.fromkeys(owners), 'or')} decides",
            fix=[set_key("by", owner) for owner in dict.fromkeys(owners)],
        )

    @guard("F27")
    def rolls_can_be_built(self, play: Table) -> Iterator[Violation]:
        yield from self.stake_violations(play)

    def apply(self, play: Table) -> None:
        self.apply_stakes(play, self.drafted(play, draft_at_hand(play)))


def waiting_to_build(play: Table) -> list[tuple[str, int | None]]:
    """Who builds next, with the limit of the gamble."""
    state, round_ = play.state, play.state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        waiting = [id for id in build_order(play, round_) if id not in round_.builds]
        return [(id, round_.limit) for id in waiting]
    unbuilt = [first.who for first in state.open_conflicts if not first.built]
    return [(id, None) for id in (*unbuilt, *state.guests_without_conflict())]


def possible_stakes(
    play: Table, gladiator: Gladiator, most: int | None
) -> Iterator[Mapping[str, Any]]:
    """Some stakes that a Gladiator can build a roll from."""
    have = play.balance(f"pool:{gladiator.id}", DIE)
    names = [play.names.all[bond.npc].name for bond in gladiator.living()]
    limit = min(have, MOST_GAMBLED if most is None else most)
    for number in range(limit, -1, -1):
        yield {"gamble": number, "background": "a detail"} if number % 2 else {"gamble": number}
        for name in names:
            yield {"gamble": min(number, have - 1), "use": [name]}
    yield {"gamble": 0, "use": names}
