"""The state of a scenario of Isolation, and the questions that guards and effects ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import NamedTuple

from chronicle.core.field_types import UNRECORDED
from chronicle.core.source import Place
from chronicle.core.word_enum import WordEnum
from chronicle.games.isolation.dice import GREEN, RED, Colour, Throw

CHARACTER = "character"
"""The kind of name that characters with full statistics have."""
OUTSIDER = "outsider"
"""The kind of name of everybody else: no figures, no links, no dice."""
PAIR = "pair"
"""The kind of name that two characters have together: 'Ruth & Basil'."""

LINK = "link"
STRESS = "stress"
WOUND = "wound"

DIFFICULTIES = {
    "easy": 1,
    "average": 2,
    "hard": 3,
    "really hard": 4,
    "extremely hard": 5,
    "impossible": 6,
}
WORDS_OF_DIFFICULTY = {dice: word for word, dice in DIFFICULTIES.items()}


def signed(number: int) -> str:
    """``+2``, ``-1``, ``0``."""
    return f"{number:+d}" if number else "0"


class Rating(NamedTuple):
    """A difficulty as typed: the word (empty if only a number is typed) and the dice."""

    word: str
    dice: int


class Tally(NamedTuple):
    """Unlabelled links as written."""

    green: int
    red: int

    @property
    def balance(self) -> int:
        """Greens less reds."""
        return self.green - self.red

    def __str__(self) -> str:
        parts = [
            f"{count} {colour}" for count, colour in ((self.green, GREEN), (self.red, RED)) if count
        ]
        return " ".join(parts) or "none"


class Level(Enum):
    """The six degrees of success, best first."""

    COMPLETE_SUCCESS = "complete success"
    BASIC_SUCCESS = "basic success"
    PARTIAL_SUCCESS = "partial success"
    PARTIAL_FAILURE = "partial failure"
    BASIC_FAILURE = "basic failure"
    COMPLETE_FAILURE = "complete failure"

    def __str__(self) -> str:
        return self.value.title()

    @property
    def failure(self) -> bool:
        """Whether red odds won."""
        return self in (Level.PARTIAL_FAILURE, Level.BASIC_FAILURE, Level.COMPLETE_FAILURE)

    @property
    def weight(self) -> int:
        """The change of links and Stress: +2 to -2, and 0 for partial results."""
        return {
            Level.COMPLETE_SUCCESS: 2,
            Level.BASIC_SUCCESS: 1,
            Level.BASIC_FAILURE: -1,
            Level.COMPLETE_FAILURE: -2,
        }.get(self, 0)


LEVELS = tuple(level.value for level in Level)


def level_of(difference: int) -> Level:
    """The level for green evens less red odds (I49)."""
    if difference >= 4:
        return Level.COMPLETE_SUCCESS
    if difference >= 2:
        return Level.BASIC_SUCCESS
    if difference >= 0:
        return Level.PARTIAL_SUCCESS
    if difference == -1:
        return Level.PARTIAL_FAILURE
    if difference >= -3:
        return Level.BASIC_FAILURE
    return Level.COMPLETE_FAILURE


class Health(IntEnum):
    """The ladder of health, downwards."""

    HEALTHY = 0
    INJURED = 1
    DYING = 2
    DEAD = 3

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def label(self) -> str:
        """The word on a wound link."""
        return self.name.capitalize()


class Side(WordEnum):
    """The stance of a character towards a proposal."""

    COOPERATIVE = "cooperative"
    NEUTRAL = "neutral"
    HOSTILE = "hostile"


RANK = {Side.HOSTILE: 0, Side.NEUTRAL: 1, Side.COOPERATIVE: 2}
"""Better stances rank higher: a character may always choose a lower one."""


class Topic(WordEnum):
    """The subject of a labelled link."""

    DESCRIPTOR = "descriptor"
    BIAS = "bias"
    GOAL = "goal"
    EVENT = "event"
    WOUND = "wound"


class Scope(WordEnum):
    """Whom a proposal tries to persuade."""

    ALL = "all"
    SUBSET = "subset"
    ALONE = "alone"


class Stage(Enum):
    """The stage of a conflict."""

    PROPOSED = "proposed"
    """Rolls, stances, Difficulty and the threat's dice are still due."""
    RESULT = "result"
    """The level is known; wounds are due."""
    DEATHS = "deaths"
    """A character died; green links are spread."""
    DONE = "done"


PairKey = tuple[str, str]
"""Two ids of characters, in the order of the cast."""


@dataclass(slots=True, eq=False)
class Link:
    """A labelled link. ``owner`` is whose bias or whose wound it is; ``until`` is the entry that
    took it off the map, 0 while it is there.
    """

    pair: PairKey
    colour: Colour
    label: str
    topic: Topic
    since: int
    place: Place
    owner: str = ""
    level: Health = Health.HEALTHY
    behind: str = ""
    until: int = 0


class LooseChange(NamedTuple):
    """The unlabelled links of a pair after an entry, and why they changed."""

    step: int
    pair: PairKey
    green: int
    red: int
    why: str


@dataclass(slots=True, eq=False)
class Person:
    """A character with full statistics."""

    id: str
    player: str
    npc: bool
    step: int
    profession: str = ""
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    bias: str = ""
    goal: str = ""
    bias_place: Place | None = None
    health: Health = Health.HEALTHY
    out: int = 0
    died: int = 0
    buried: int = 0
    """The entry `death:` that told of the death, 0 before."""
    late: bool = False
    mapped: int = 0
    """The entry that finished the map around them, 0 before."""
    history: list[tuple[int, Health, str]] = field(default_factory=list)

    @property
    def alive(self) -> bool:
        """Whether the character lives."""
        return self.health is not Health.DEAD

    @property
    def playing(self) -> bool:
        """Whether the character is alive and still in the scenario."""
        return self.alive and not self.out

    @property
    def descriptors(self) -> tuple[str, ...]:
        """Everything that a descriptor link may name: both kinds and the Profession."""
        return (*self.plus, *self.minus, *((self.profession,) if self.profession else ()))


@dataclass(slots=True, eq=False)
class Modifier:
    """A die for a reason, before the roll."""

    colour: Colour
    dice: int
    why: str
    rule: str


class Source(NamedTuple):
    """Base dice of one colour, and where they come from."""

    colour: Colour
    dice: int
    why: str

    def __str__(self) -> str:
        return f"{self.dice} {self.colour}: {self.why}"


@dataclass(slots=True, eq=False)
class Hand:
    """One character's part in a conflict: base dice by source, faces, stances."""

    character: str
    green: int = 0
    red: int = 0
    sources: list[Source] = field(default_factory=list)
    throw: Throw | None = None
    step: int = 0
    odds: int = 0
    evens: int = 0
    net: int | None = None
    exempt: bool = False
    """No red link with the Active: free to cooperate."""
    best: Side = Side.HOSTILE
    stance: Side | None = None
    stance_step: int = 0
    final: Side | None = None
    """The stance that counts in the second reading and for what follows."""
    early: bool = False
    defaulted: bool = False
    late: bool = False
    """Turned Hostile at the start of the second reading."""
    stated: Mapping[str, int] = field(default_factory=dict)
    """Figures of the first reading as the log states them, where the faces leave them open: odds, evens, net."""
    chances: Mapping[Side, float] | None = None
    """How likely each stance was to be the best one allowed, before the dice fell."""

    @property
    def has_dice(self) -> bool:
        """Whether the character rolls base dice."""
        return bool(self.green or self.red)

    @property
    def is_known(self) -> bool:
        """Whether all dice of the hand are on record, or it has none to roll."""
        if self.throw is None:
            return not self.has_dice
        return not self.throw.hidden

    def has_figure(self, key: str) -> bool:
        """Whether the record has a figure of the first reading: by faces, or as stated."""
        return self.is_known or key in self.stated

    def base(self, colour: Colour) -> int:
        """How many dice of a colour the character rolls before chains."""
        return self.green if colour is GREEN else self.red


@dataclass(slots=True, eq=False)
class Conflict:
    """A proposal, its rolls and its effects."""

    number: int
    session: int
    step: int
    active: str
    words: str
    scope: Scope
    physical: bool | None
    scene: int | None = None
    against: str = ""
    asked: tuple[str, ...] = ()
    defaulted: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """The characters who were asked, and left or died before they took a stance."""
    modifiers: dict[str, list[Modifier]] = field(default_factory=dict)
    hands: dict[str, Hand] = field(default_factory=dict)
    """The Active first, then those asked, then late Hostiles."""
    stage: Stage = Stage.PROPOSED
    needs_rating: bool = True
    """Whether the GM names a Difficulty (against a character: at most for green dice, alone)."""
    rolled_step: int = 0
    stress: int = 0
    rating: Rating | None = None
    rating_step: int = 0
    living: int = 0
    threat: Throw | None = None
    threat_base: tuple[int, int] = (0, 0)
    threat_formula: str = ""
    threat_chance: float | None = None
    evens: int = 0
    """Greens of the cooperating side that show an even face."""
    cancelled: int = 0
    pool: int = 0
    versus: int = 0
    level: Level | None = None
    result_step: int = 0
    dice: bool = True
    unrecorded: bool = False
    """Dice fell, but a gap in the record swallowed them."""
    lacks_names: bool = False
    """Whether one of its entries names a character whom the record does not have."""
    has_effect: bool = False
    """Whether its links and its change of Stress are on the map already."""
    has_pool: bool = True
    """Whether the record says how many green evens were left."""
    has_versus: bool = True
    """Whether the record says how many red odds were against them."""
    wounds_due: int = 0
    wounds_most: int = 0
    """The highest possible number of wounds."""
    wounds: dict[str, int] = field(default_factory=dict)
    wounds_step: int = 0
    blame: dict[str, tuple[str, ...]] = field(default_factory=dict)
    deaths: list[str] = field(default_factory=list)
    formed: dict[PairKey, int] = field(default_factory=dict)
    stress_change: int = 0
    motives: dict[str, str] = field(default_factory=dict)
    withdrawn: bool = False
    steps: list[int] = field(default_factory=list)

    @property
    def difference(self) -> int:
        """Green evens less red odds."""
        return self.pool - self.versus

    def touch(self, step: int) -> None:
        """Note an entry that belongs to it."""
        if step not in self.steps:
            self.steps.append(step)

    def take_out(self, id: str) -> None:
        """Take a character who has left, or died, out of a conflict without a result. Stances that are taken stay."""
        hand = self.hands.get(id)
        is_open = self.level is None and id != self.active
        if (
            hand is not None
            and is_open
            and (hand.stance is None or hand.defaulted)
            and not hand.late
        ):
            del self.hands[id]
            self.gone = (*self.gone, id) if id in self.asked else self.gone
            self.asked = tuple(name for name in self.asked if name != id)
            self.defaulted = tuple(name for name in self.defaulted if name != id)

    def passives(self) -> Iterator[Hand]:
        """The hands of all who were asked."""
        return (self.hands[id] for id in self.asked if id in self.hands)

    def by_stance(self, side: Side) -> list[str]:
        """The characters with this final stance."""
        return [
            hand.character
            for hand in self.hands.values()
            if hand.character != self.active and (hand.final or hand.stance) is side
        ]


@dataclass(slots=True, eq=False)
class Spread:
    """The green links of a dead character, on their way to the others."""

    character: str
    step: int
    greens: int
    pairs: tuple[PairKey, ...]
    each: int
    rest: int
    given: dict[PairKey, int] = field(default_factory=dict)
    settled: bool = False
    erased_red: int = 0
    before: dict[PairKey, int] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class StressChange:
    """One step of the Stress Level."""

    step: int
    level: int
    kind: str
    why: str


def pair_winner(evens: int, odds: int) -> Colour | None:
    """I55: the colour that wins the roll of a pair; None for a tie."""
    if evens == odds:
        return None
    return GREEN if evens > odds else RED


@dataclass(slots=True, eq=False)
class PairRolled:
    """One pair's roll at the end of a session."""

    pair: PairKey
    session: int
    step: int
    base: tuple[int, int]
    throw: Throw
    evens: int
    odds: int
    choice: str = ""
    label: str = ""
    behind: str = ""
    chances: Mapping[Colour | None, float] | None = None
    """How likely each colour was to win before the dice fell."""

    @property
    def unrecorded(self) -> bool:
        """Whether not all faces are recorded."""
        return self.throw.hidden

    @property
    def counted(self) -> str:
        """Green evens to red odds, in words."""
        return UNRECORDED if self.unrecorded else f"{self.evens} : {self.odds}"

    @property
    def winner(self) -> Colour | None:
        """The colour with more counted faces; None for a tie, and if not all faces are recorded."""
        return None if self.unrecorded else pair_winner(self.evens, self.odds)


@dataclass(slots=True, eq=False)
class Recovery:
    """A level healed between sessions."""

    character: str
    session: int
    step: int
    level: Health


@dataclass(slots=True, eq=False)
class State:
    """A scenario of Isolation at one moment. Links, Stress and wounds are in the ledger as well."""

    place: str = ""
    threat: str = ""
    overlap: str = ""
    scenario_step: int = 0
    people: dict[str, Person] = field(default_factory=dict)
    outsiders: dict[str, int] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    by_pair: dict[PairKey, list[Link]] = field(default_factory=dict)
    """The labelled links that are on the map now."""
    loose: dict[PairKey, Tally] = field(default_factory=dict)
    loose_history: list[LooseChange] = field(default_factory=list)
    map_step: int = 0
    """The entry that finished the map, 0 before."""
    given: bool = False
    """Whether the log begins in mid-play."""
    stress: int = 0
    stress_history: list[StressChange] = field(default_factory=list)
    conflict: Conflict | None = None
    """The conflict at hand, until its effects are through."""
    conflicts: list[Conflict] = field(default_factory=list)
    spreads: list[Spread] = field(default_factory=list)
    pair_rolls: list[PairRolled] = field(default_factory=list)
    rolled: dict[PairKey, int] = field(default_factory=dict)
    """Pairs that have rolled since the last proposal, with the entry."""
    rolled_for: dict[PairKey, int] = field(default_factory=dict)
    """The last session that a pair has rolled for."""
    ending: int = 0
    """The entry that opened the pair rolls of this session, 0 before."""
    injured_step: int = 0
    recoveries: list[Recovery] = field(default_factory=list)
    scene_cast: tuple[str, ...] = ()
    """The characters in the open scene; empty for everybody."""
    scenes: int = 0
    over: int = 0
    session: int = 0

    # -- questions -----------------------------------------------------------------------------

    def pair(self, first: str, second: str) -> PairKey:
        """Two characters as a pair, in the order of the cast."""
        order = list(self.people)
        are_known = first in self.people and second in self.people
        if are_known and order.index(first) > order.index(second):
            return (second, first)
        return (first, second)

    def pairs(self, characters: Iterable[str] | None = None) -> list[PairKey]:
        """All pairs among some characters (all of the cast by default)."""
        names = [id for id in self.people if characters is None or id in set(characters)]
        return [(a, b) for index, a in enumerate(names) for b in names[index + 1 :]]

    def labelled(self, pair: PairKey, colour: Colour | None = None) -> list[Link]:
        """The labelled links of a pair that are on the map now."""
        return [
            link for link in self.by_pair.get(pair, ()) if colour is None or link.colour is colour
        ]

    def unlabelled(self, pair: PairKey) -> Tally:
        """The unlabelled links of a pair; opposite ones cancel, so one of the two is 0."""
        return self.loose.get(pair, Tally(0, 0))

    def playing(self) -> list[str]:
        """Everybody alive and still in the scenario."""
        return [person.id for person in self.people.values() if person.playing]

    def name_of(self, pair: PairKey) -> str:
        """``Ruth & Basil``."""
        return f"{pair[0]} & {pair[1]}"

    def wound_links(self, id: str, level: Health) -> list[Link]:
        """The wound links of one level that a character still has."""
        return [
            link
            for links in self.by_pair.values()
            for link in links
            if link.topic is Topic.WOUND and link.owner == id and link.level is level
        ]

    def link_map(self, step: int) -> dict[PairKey, tuple[list[Link], Tally]]:
        """The map as it was right after an entry: labelled links and unlabelled ones per pair."""
        links: dict[PairKey, tuple[list[Link], Tally]] = {}
        for link in self.links:
            if link.since <= step and (not link.until or link.until > step):
                links.setdefault(link.pair, ([], Tally(0, 0)))[0].append(link)
        for change in self.loose_history:
            if change.step <= step:
                labelled, _ = links.setdefault(change.pair, ([], Tally(0, 0)))
                links[change.pair] = (labelled, Tally(change.green, change.red))
        return {pair: value for pair, value in links.items() if value[0] or any(value[1])}

    @property
    def last(self) -> Conflict | None:
        """The last conflict that came to a result."""
        return next((c for c in reversed(self.conflicts) if c.level is not None), None)
