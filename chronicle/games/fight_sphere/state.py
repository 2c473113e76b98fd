"""Everything that Fight Sphere has to remember, and the questions that handlers ask of it.

Dice of Conflict and Judgment Pools and the values of Relationships are in the ledger; the rest is here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations

from chronicle.core.diagnostic import listed
from chronicle.core.game_info import Readings
from chronicle.core.ledger import Ledger
from chronicle.core.record import Source
from chronicle.core.word_enum import WordEnum
from chronicle.games.fight_sphere.verdicts import wins_all

GLADIATOR = "gladiator"
INHABITANT = "inhabitant"
RELATIONSHIP = "relationship"

DIE = "die"
POINT = "point"
LONE = "lone:"
"""The doubt about who is in an Encounter that is stated with one Gladiator alone."""
BOX = "box"
"""Where dice and points come from and go to."""

START_POOL = 5
SURFACE_TV = 5

Pair = tuple[str, str]


def pair(first: str, second: str) -> Pair:
    """Two names in an order that does not depend on who came first."""
    return (first, second) if first <= second else (second, first)


def threshold(layer: int) -> int:
    """F23: five on the surface, one more with every Layer."""
    return layer + SURFACE_TV - 1


class Drive(WordEnum):
    """What drives a Gladiator (F4)."""

    DEATH_WISH = "Death wish"
    REASON = "Reason to Live"

    @property
    def other(self) -> Drive:
        """The drive that it can be traded for."""
        return Drive.REASON if self is Drive.DEATH_WISH else Drive.DEATH_WISH

    @property
    def start_value(self) -> int:
        """What a new Relationship is worth (F32)."""
        return 2 if self is Drive.DEATH_WISH else 0


class Fate(WordEnum):
    """Where a Gladiator stands."""

    STANDING = "standing"
    OUT = "knocked out"
    LAST = "last one standing"
    DEAD = "dead"


@dataclass(slots=True, eq=False)
class Bond:
    """A Relationship: one Gladiator, one inhabitant. Its value is in the ledger.

    After a failed Conflict it is barred for ``barred_value`` Conflicts; ``barred_own`` and
    ``barred_all`` are how many Conflicts the Gladiator, or everybody, had had by then.
    """

    npc: str
    step: int
    barred_value: int = 0
    barred_own: int = 0
    barred_all: int = 0
    barred_step: int = 0
    gone: int = 0
    """The step at which it was lost; 0 while it lasts."""
    is_untold: bool = False
    """Whether it was made where the log says nothing, so that its value is unknown until it is counted."""


@dataclass(slots=True, eq=False)
class Gladiator:
    """One of the few who are marked."""

    id: str
    name: str
    player: str
    npc: bool
    drive: Drive | None
    driven_by: str
    weapon: str
    looks: str
    story: str
    step: int
    fate: Fate = Fate.STANDING
    fate_step: int = 0
    fate_known_from: int = 0
    """The entry from which the fate is known: that of ``fate_step``; 0 if it follows from figures that a gap hides."""
    traded: int = 0
    conflicts: int = 0
    owed_tv: bool = False
    """An NPC Gladiator who stood last and has not been cast since (FA24)."""
    has_untold_truce: bool = False
    """Whether the table says that it has a truce, and the log does not say with whom."""
    bonds: dict[str, Bond] = field(default_factory=dict)
    """Inhabitant to Relationship, lost ones included."""

    def living(self) -> list[Bond]:
        """The Relationships that have not been lost."""
        return [bond for bond in self.bonds.values() if not bond.gone]

    def bond(self, npc: str) -> Bond | None:
        """The Relationship with an inhabitant, if it lasts."""
        relationship = self.bonds.get(npc)
        return relationship if relationship is not None and not relationship.gone else None


@dataclass(slots=True, eq=False)
class Inhabitant:
    """An inhabitant of the Sphere, who is not marked."""

    id: str
    name: str
    step: int
    community: str = ""
    origin: str = ""
    last_step: int = 0
    gone: int = 0
    fate: str = ""
    harms: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Episode:
    """An adventure of a set of Gladiators on one Layer."""

    title: str
    layer: int
    step: int
    cast: list[str]
    met: list[Pair] = field(default_factory=list)
    over: int = 0
    """The step at which it ended; 0 while it runs."""
    last: list[str] = field(default_factory=list)
    needs_survivors: bool = False
    has_told_survivors: bool = False
    """Whether the GM has named the NPC Gladiators who live on."""


@dataclass(slots=True, eq=False)
class Layer:
    """One level of the Sphere."""

    number: int
    tv: int
    step: int
    core: bool = False
    known_from: int = 0
    """The entry from which its number and its Threshold Value are known."""
    episodes: list[Episode] = field(default_factory=list)

    @property
    def name(self) -> str:
        """``Layer 2``, ``the Core``."""
        return "the Core" if self.core else f"Layer {self.number}"

    def episode_of(self, gladiator: str) -> Episode | None:
        """The Episode a Gladiator is cast in."""
        return next((e for e in self.episodes if gladiator in e.cast), None)


@dataclass(slots=True, eq=False)
class Build:
    """A roll as it was built: gamble, inhabitants paid for, a detail of the back story."""

    who: str
    step: int = 0
    gamble: int = 0
    paid: dict[str, int] = field(default_factory=dict)
    """Inhabitant to the dice it brings."""
    free: dict[str, int] = field(default_factory=dict)
    is_gamble_untold: bool = False
    """Whether the log does not say how many dice were gambled."""
    unnamed: int = 0
    """Inhabitants paid for whom the log does not name."""
    borrowed: int = 0
    """Gambled dice that the pool did not hold."""
    background: str = ""
    disengage: bool = False
    claimed: list[str] = field(default_factory=list)
    """Inhabitants the keeper wrote down as free."""
    stated: int | None = None
    """How many dice the keeper wrote down."""
    doubtful: bool = False
    """Its dice were reported once; what the dice show is not reported again."""
    extra: int = 0
    base: int = 0

    def parts(self) -> list[tuple[str, int]]:
        """Where its dice come from, one at least (F25)."""
        sources = [
            ("free", self.base),
            (f"back story: {self.background}", int(bool(self.background))),
            ("gambled", self.gamble),
            *((f"{npc} (paid 1)", dice) for npc, dice in self.paid.items()),
            *((f"{npc} (shared)", dice) for npc, dice in self.free.items()),
            ("further", self.extra),
        ]
        sources = [part for part in sources if part[1]]
        return sources if sum(dice for _, dice in sources) > 0 else [("at least", 1)]

    @property
    def dice(self) -> int:
        """How many dice it makes."""
        return sum(dice for _, dice in self.parts())

    @property
    def is_untold(self) -> bool:
        """Whether the log does not say all that it is built from."""
        return self.is_gamble_untold or self.unnamed > 0

    @property
    def price(self) -> int:
        """The pool dice paid for inhabitants."""
        return len(self.paid) + self.unnamed

    def used(self) -> list[str]:
        """The inhabitants in it, paid for or free."""
        return [*self.paid, *(npc for npc in self.free if npc not in self.paid)]

    def sources(self) -> tuple[str, ...]:
        """Where each die comes from, in words, with the builder's arithmetic."""
        return tuple(
            Source(f"{dice} {label}", word=label, dice=dice) for label, dice in self.parts()
        )


@dataclass(slots=True, eq=False)
class Wager:
    """Dice of a Judgment Pool on a side."""

    player: str
    side: str
    dice: int
    step: int
    lost: bool | None = None


class Stage(Enum):
    """Where a Conflict is."""

    BUILDING = "building"
    ROLLED = "rolled"


@dataclass(slots=True, eq=False)
class Conflict:
    """One ordinary Conflict: a Gladiator against the Threshold Value."""

    number: int
    who: str
    player: str
    scene: int
    step: int
    episode: str
    layer: int
    tv: int
    framer: str
    build: Build
    rests_on: int = 0
    """The entry that makes so whose it is: that of its Scene, or an earlier one if the turn order alone says so."""
    stage: Stage = Stage.BUILDING
    guest: bool = False
    named: bool = True
    """Whether the log says whose Scene it is; otherwise the turn order does."""
    built: bool = False
    wagers: list[Wager] = field(default_factory=list)
    faces: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ones: tuple[int, int] = (0, 0)
    has_ones: bool = False
    """Whether both numbers of ones are known."""
    success: bool | None = None
    result_step: int = 0
    reward: str = ""
    reward_step: int = 0
    losses: str = ""
    harm_due: list[str] = field(default_factory=list)
    answer: str = ""
    """What the GM did about a failure: a cut-scene or a resumption."""
    answer_step: int = 0
    odds: str = ""

    @property
    def is_tie(self) -> bool:
        """Whether both sides have the same number of ones; False if it is not known."""
        return self.has_ones and self.ones[0] == self.ones[1]


@dataclass(slots=True, eq=False)
class Compared:
    """One pair of an Encounter's roll."""

    one: str
    other: str
    victories: int
    """Of ``one`` over ``other``; negative the other way round."""

    @property
    def winner(self) -> str:
        """Empty for a tie."""
        return "" if not self.victories else self.one if self.victories > 0 else self.other

    @property
    def loser(self) -> str:
        """Empty for a tie."""
        return "" if not self.victories else self.other if self.victories > 0 else self.one


@dataclass(slots=True, eq=False)
class Due:
    """Points that a loser has to take off the Relationships used."""

    who: str
    points: int
    worth: dict[str, int]
    """Inhabitant to what the Relationship was worth when the dice fell."""
    settled: dict[str, int] = field(default_factory=dict)
    forced: bool = False
    step: int = 0
    is_certain: bool = True
    """Whether no gap can hide a truce that makes it fewer points."""

    @property
    def used(self) -> list[str]:
        """The inhabitants who may pay."""
        return list(self.worth)


@dataclass(slots=True, eq=False)
class Round:
    """One Scene of an Encounter: one roll of everybody in it."""

    number: int
    scene: int
    step: int
    initiative: str
    player: str
    members: list[str]
    rests_on: int = 0
    """The entry that makes so who is in it: that of its Scene, or the one that began the Encounter."""
    stage: Stage = Stage.BUILDING
    builds: dict[str, Build] = field(default_factory=dict)
    bonuses: dict[str, int] = field(default_factory=dict)
    leaving: list[str] = field(default_factory=list)
    """Who declared to disengage before building."""
    betrayals: list[tuple[str, str, int]] = field(default_factory=list)
    """(traitor, partner, dice)"""
    truces: list[Pair] = field(default_factory=list)
    """Pairs that are not compared in this roll."""
    wagers: list[Wager] = field(default_factory=list)
    faces: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ones: dict[str, int] = field(default_factory=dict)
    compared: list[Compared] = field(default_factory=list)
    losses: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Loser to (gamble lost, further dice lost)."""
    dues: dict[str, Due] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    fallen: list[str] = field(default_factory=list)
    away: list[str] = field(default_factory=list)
    result_step: int = 0
    rewarded: list[str] = field(default_factory=list)
    answered: bool = False
    odds: str = ""

    @property
    def limit(self) -> int | None:
        """What the Initiative gambled; None while that is not set."""
        first = self.builds.get(self.initiative)
        return None if first is None or first.is_gamble_untold else first.gamble

    def pairs(self) -> list[Pair]:
        """Every possible pair, in the order of the members."""
        return list(combinations(self.members, 2))

    def paid_by_others(self, id: str) -> list[str]:
        """F43: the inhabitants that other Gladiators have paid for, once for each payer."""
        return [npc for build in self.builds.values() if build.who != id for npc in build.paid]

    def won_against_all(self, id: str) -> bool:
        """Whether a Gladiator won every pair it was compared in."""
        own = (c for c in self.compared if id in (c.one, c.other))
        return wins_all(c.victories if c.one == id else -c.victories for c in own)


@dataclass(slots=True, eq=False)
class Encounter:
    """A continuing clash of Gladiators."""

    number: int
    episode: str
    layer: int
    step: int
    members: list[str]
    """Who is in it now."""
    left: list[tuple[str, int]] = field(default_factory=list)
    """(who disengaged, at which step)"""
    opponents_left: dict[str, list[str]] = field(default_factory=dict)
    """Whom a Gladiator left behind by disengaging."""
    met: list[Pair] = field(default_factory=list)
    bonus_given: dict[str, int] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    over: int = 0

    @property
    def known_from(self) -> int:
        """The entry from which it is known who is in it."""
        return min((round_.rests_on for round_ in self.rounds), default=self.step)


@dataclass(slots=True, eq=False)
class Truce:
    """A truce of two Gladiators."""

    pair: Pair
    step: int
    episode: str
    ended: int = 0
    how: str = ""


@dataclass(slots=True, eq=False)
class CutScene:
    """A cut-scene with an NPC Gladiator."""

    step: int
    gladiator: str
    gain: str
    after: str


@dataclass(slots=True, eq=False)
class JudgmentPool:
    """Dice of a player whose Gladiator cannot take part."""

    player: str
    gladiator: str
    size: int
    step: int
    layer: str
    closed: int = 0


@dataclass(slots=True, eq=False)
class State:
    """A game of Fight Sphere at one moment."""

    world: str = ""
    gladiators: dict[str, Gladiator] = field(default_factory=dict)
    inhabitants: dict[str, Inhabitant] = field(default_factory=dict)
    layers: list[Layer] = field(default_factory=list)
    turn: str = ""
    """The player whose turn it is; empty while anybody may begin."""
    turn_step: int = 0
    """The entry that made it so; an earlier one where a gap hides whose turn was over."""
    turn_after: str = ""
    """Whose turn was over when that player's turn came."""
    skipped: list[str] = field(default_factory=list)
    """Players whose turn another player took; they may catch up without another word."""
    catching_up: bool = False
    """Whether the Scene at hand is such a turn: the order then goes on where it was."""
    conflict_count: int = 0
    scene_npcs: list[str] = field(default_factory=list)
    scene_has_unnamed: bool = False
    """Whether the log says that inhabitants were in the Scene at hand whom it does not name."""
    scene_guests: list[str] = field(default_factory=list)
    scene_step: int = 0
    scene_nobodys: bool = False
    """Whether it is not on record whose Scene is at hand, until the dice tell it."""
    scene_closed: bool = False
    """Whether the Scene at hand has been told to its end; its benefits can be written down below."""
    open_conflicts: list[Conflict] = field(default_factory=list)
    """The ordinary Conflicts of the open Scene."""
    open_round: Round | None = None
    conflicts: list[Conflict] = field(default_factory=list)
    encounters: list[Encounter] = field(default_factory=list)
    truces: list[Truce] = field(default_factory=list)
    cut_scenes: list[CutScene] = field(default_factory=list)
    judgments: list[JudgmentPool] = field(default_factory=list)
    resumptions: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    """Gladiator to (NPC Gladiator with the Initiative, Encounter, step) for its next turn."""
    falls: dict[str, str] = field(default_factory=dict)
    """How each Gladiator fell last, in the words of the table."""
    falls_told: dict[str, int] = field(default_factory=dict)
    """Gladiator to the entry of the last fall that an entry told."""
    epilogue: str = ""
    over: bool = False

    @property
    def open_contests(self) -> list[Conflict | Round]:
        """What the Scene at hand is about: its ordinary Conflicts, or its round of an Encounter."""
        return [*self.open_conflicts, *([self.open_round] if self.open_round is not None else ())]

    # -- who -----------------------------------------------------------------------------------

    def of_player(self, player: str) -> list[Gladiator]:
        """All Gladiators a player made."""
        return [g for g in self.gladiators.values() if g.player == player]

    def played_by(self, player: str) -> Gladiator | None:
        """The Gladiator a player plays."""
        return next((g for g in self.of_player(player) if not g.npc), None)

    def played(self) -> list[Gladiator]:
        """All Gladiators who are played, in the order they were made."""
        return [g for g in self.gladiators.values() if not g.npc]

    def npc_gladiators(self) -> list[Gladiator]:
        """The NPC Gladiators who are alive."""
        return [g for g in self.gladiators.values() if g.npc and g.fate is not Fate.DEAD]

    # -- where ---------------------------------------------------------------------------------

    @property
    def layer(self) -> Layer | None:
        """The Layer that is played."""
        return self.layers[-1] if self.layers else None

    @property
    def layer_step(self) -> int:
        """The entry that began the Layer; 0 before the first."""
        return self.layers[-1].step if self.layers else 0

    def layer_now(self) -> list[Episode]:
        """The Episodes of the Layer that is played."""
        return self.layers[-1].episodes if self.layers else []

    @property
    def tv(self) -> int:
        """The Threshold Value now."""
        return self.layers[-1].tv if self.layers else threshold(1)

    @property
    def tv_known_from(self) -> int:
        """The entry from which the Threshold Value now is known; a gap after it may hide another Layer."""
        return self.layers[-1].known_from if self.layers else 0

    @property
    def in_core(self) -> bool:
        """Whether this is the last Episode."""
        return bool(self.layers) and self.layers[-1].core

    def episode_of(self, gladiator: str) -> Episode | None:
        """The Episode of this Layer a Gladiator is cast in."""
        return self.layers[-1].episode_of(gladiator) if self.layers else None

    def standing(self, episode: Episode) -> list[str]:
        """Who has not fallen in an Episode."""
        return [g for g in episode.cast if self.gladiators[g].fate in (Fate.STANDING, Fate.LAST)]

    def active(self, player: str) -> bool:
        """Whether a player's Gladiator takes part at the moment."""
        own = self.played_by(player)
        if own is None or own.fate is not Fate.STANDING:
            return False
        episode = self.episode_of(own.id)
        return episode is not None and not episode.over

    def layer_done(self) -> bool:
        """Whether every Episode of the Layer is over."""
        return bool(self.layers) and all(e.over for e in self.layers[-1].episodes)

    # -- bonds of steel and otherwise --------------------------------------------------------------

    def encounter_with(self, round_: Round) -> Encounter:
        """The Encounter a round belongs to."""
        return next(e for e in reversed(self.encounters) if round_ in e.rounds)

    def is_fall_told(self, gladiator: Gladiator) -> bool:
        """Whether the last fall of a Gladiator has been told."""
        return self.falls_told.get(gladiator.id) == gladiator.fate_step

    def encounter_of(self, gladiator: str) -> Encounter | None:
        """The latest open Encounter a Gladiator is in."""
        return next(iter(self.encounters_of(gladiator)), None)

    def encounters_of(self, gladiator: str) -> list[Encounter]:
        """All open Encounters a Gladiator is in, the latest first."""
        return [e for e in reversed(self.encounters) if not e.over and gladiator in e.members]

    def opponents(self, encounter: Encounter, gladiator: str) -> str:
        """Whom a Gladiator meets in an Encounter, by name."""
        return listed(self.gladiators[id].name for id in encounter.members if id != gladiator)

    def bound_with(self, gladiator: str) -> str:
        """Whom a Gladiator meets in each open Encounter, the latest first; empty if there is none."""
        met = [self.opponents(encounter, gladiator) for encounter in self.encounters_of(gladiator)]
        return " or with ".join(met)

    def at_peace(self, encounter: Encounter) -> bool:
        """Whether all who are in an Encounter have truces with each other: then it binds no player."""
        return all(self.truce(*both) is not None for both in combinations(encounter.members, 2))

    def truce(self, first: str, second: str) -> Truce | None:
        """The truce of two Gladiators that holds now."""
        target = pair(first, second)
        return next((t for t in self.truces if t.pair == target and not t.ended), None)

    def judgment(self, player: str) -> JudgmentPool | None:
        """The open Judgment Pool of a player."""
        return next((j for j in self.judgments if j.player == player and not j.closed), None)

    def guests_without_conflict(self) -> list[str]:
        """F59: the guests of the Scene at hand who have not begun a Conflict of their own."""
        in_conflict = {conflict.who for conflict in self.open_conflicts}
        guests = self.scene_guests if self.open_conflicts else []
        return [id for id in guests if id not in in_conflict]

    def sharers(self, npc: str) -> list[Gladiator]:
        """The Gladiators with a Relationship to an inhabitant."""
        return [g for g in self.gladiators.values() if g.bond(npc) is not None]


# --- the ledger's accounts --------------------------------------------------------------------------


def pool_of(ledger: Ledger, gladiator: str) -> int:
    """Conflict Pool of a Gladiator; dice that are gambled at the moment are still in it."""
    return ledger.balance(f"pool:{gladiator}", DIE) + ledger.balance(f"gamble:{gladiator}", DIE)


def judgment_of(ledger: Ledger, player: str) -> int:
    """Dice in a Judgment Pool; dice that are gambled at the moment are still in it."""
    return ledger.balance(f"judgment:{player}", DIE) + ledger.balance(f"wager:{player}", DIE)


def bond_id(gladiator: str, npc: str) -> str:
    """The name of a Relationship: ``Halina & Mina``."""
    return f"{gladiator} & {npc}"


def value_of(ledger: Ledger, gladiator: str, npc: str) -> int:
    """The value of a Relationship, as logged."""
    return ledger.balance(f"relationship:{bond_id(gladiator, npc)}", POINT)


def resting(state: State, ledger: Ledger, rulings: Readings, g: Gladiator, bond: Bond) -> int:
    """F36, FA20, FA21: for how many more Conflicts a Relationship is no modifier."""
    if not bond.barred_step:
        return 0
    if rulings["cooldown_counts"] == "all":
        passed = state.conflict_count - bond.barred_all
    else:
        passed = g.conflicts - bond.barred_own
    is_complete = bond.barred_value
    if rulings["cooldown_value"] == "current":
        is_complete = value_of(ledger, g.id, bond.npc)
    return max(0, is_complete - passed)
