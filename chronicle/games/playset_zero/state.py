"""Everything that Playset Zero has to remember: characters, rolls, and who helped whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from chronicle.core.names import PLAYER
from chronicle.core.record import Source

CHARACTER = "character"
"""The kind of name that characters have."""

MEANS_CHARACTER = (CHARACTER, PLAYER)
"""Kinds of names that mean a character: its own, or that of its player."""

MARK = "mark"
ADVANTAGE = "advantage"
"""Units of the ledger: earned advantage dice, and established advantages."""

KINDS = ("drive", "trait", "background", "skill", "possession")
"""The five categories of Features (Z7)."""

FEATURES = 4
LEAST_KINDS = 3
HIT = 5
CHALLENGE_HIT = 6
NEW_FEATURE_PRICE = 2
TURN_FLAW_PRICE = 5
MAGIC_USES = 3

SIDES = {"d6": 6, "d8": 8, "d10": 10, "adv": 6}
COLOURS = {"d6": "white", "d8": "green", "d10": "yellow", "adv": "red"}


WITHOUT_WORDS = "a danger without words"
"""The name of a danger without words in the log."""


@dataclass(slots=True, eq=False)
class MagicNote:
    """The uses of a magical Feature, and its limitation (Z37, Z38)."""

    step: int
    uses: tuple[str, ...]
    limitation: str
    refused_by: tuple[str, ...] = ()
    used: dict[str, int] = field(default_factory=dict)
    """Use to how often."""


@dataclass(slots=True, eq=False)
class Feature:
    """One helpful entry of a character. ``gone`` is the step that replaced it."""

    text: str
    kind: str
    step: int
    main: bool = False
    magic: MagicNote | None = None
    gone: int = 0
    replaced_by: str = ""
    origin: str = "made"
    """``made`` at the start, ``bought`` for two marks, ``turned`` from the flaw."""
    gives_die: bool = True


@dataclass(slots=True, eq=False)
class MarkEntry:
    """One line of the marks ledger: earned (positive) or spent (negative), and why. ``act`` is the words alone of the
    act that earned it."""

    step: int
    change: int
    why: str
    feature: str = ""
    offered: bool = False
    act: str = ""


@dataclass(slots=True, eq=False)
class Advantage:
    """An established advantage: written down for a hit, erased when it comes into play."""

    text: str
    owner: str
    step: int
    roll: int
    used: int = 0
    used_for: str = ""


@dataclass(slots=True, eq=False)
class Character:
    """A character sheet."""

    id: str
    name: str
    owner: str
    step: int
    npc: bool = False
    concept: str = ""
    fits: str = ""
    hint: str = ""
    flaw: str = ""
    flaw_gone: int = 0
    features: list[Feature] = field(default_factory=list)
    marks: list[MarkEntry] = field(default_factory=list)
    advantages: list[Advantage] = field(default_factory=list)

    def present(self) -> list[Feature]:
        """The Features it has now."""
        return [feature for feature in self.features if not feature.gone]

    def held(self) -> list[Advantage]:
        """The advantages not erased yet."""
        return [advantage for advantage in self.advantages if not advantage.used]


class Payment(NamedTuple):
    """The die that bought something: in words (``d10 9``, ``a hit``), whose it was, and its face (0: not known)."""

    die: str
    by: str
    face: int = 0

    def __str__(self) -> str:
        kind, _, face = self.die.partition(" ")
        if not face:
            return self.die
        names = {"adv": "a red", "d6": "a white", "d8": "the d8's", "d10": "the d10's"}
        return f"{names.get(kind, kind)} {face}"


@dataclass(slots=True, eq=False)
class Item:
    """A question of a roll: a goal to reach, or a danger to avoid. A hit answers it.

    ``bars`` maps the number of a hinderer's effort to the die that must be beaten.
    """

    goal: bool
    text: str
    author: str
    step: int
    bars: dict[int, int] = field(default_factory=dict)
    paid: Payment | None = None
    well: bool | None = None
    """Whether it is reached, or avoided; None while it is open."""


def buys(face: int, need: int) -> bool:
    """Whether a die that shows ``face`` buys what takes ``need``: a hit, a goal, a danger avoided (Z24, Z39, Z43)."""
    return face >= need


@dataclass(slots=True, eq=False)
class Rolled:
    """One die on the table. ``use`` is what it was spent on, if anything."""

    die: str
    face: int
    use: str = ""
    least: int = HIT

    @property
    def hit(self) -> bool:
        """Whether it shows 5 or more (Z24), or what a rule of the table asks."""
        return buys(self.face, self.least)

    def __str__(self) -> str:
        return f"{self.die} {self.face}"


class Showing(NamedTuple):
    """A die of a throw, and the faces that it can have shown, from the lowest to the highest (a recorded one: one)."""

    die: str
    lowest: int
    highest: int


class Want(NamedTuple):
    """The die that a purchase takes: its kind (empty: any), and the lowest and the highest face that will do."""

    die: str
    lowest: int
    highest: int

    def is_met_by(self, showing: Showing) -> bool:
        """Whether a die can have paid for it."""
        if self.die not in ("", showing.die):
            return False
        return self.lowest <= showing.highest and showing.lowest <= self.highest


@dataclass(slots=True, eq=False)
class Pool:
    """The dice that a roll has a right to, and why (Z16 to Z22)."""

    base: int
    hit: int = HIT
    """The least face that is a hit, as it was when the dice fell."""
    d8: str = ""
    d10: str = ""
    reds: list[str] = field(default_factory=list)
    spare: int = 0
    """How many circumstances add no red die of their own (ZA30)."""
    case: str = ""
    """The strong case for more than one Feature."""
    doubtful: bool = False
    """Whether a Feature was not understood, so that the due dice are unknown."""
    payers: list[str] = field(default_factory=list)
    """Whose marks were spent on dice."""

    @property
    def white(self) -> int:
        """White dice left after Feature dice took the place of others."""
        return max(0, self.base - bool(self.d8) - bool(self.d10))

    def counts(self) -> dict[str, int]:
        """How many of each die are due."""
        return {
            "d6": self.white,
            "d8": int(bool(self.d8)),
            "d10": int(bool(self.d10)),
            "adv": len(self.reds),
        }

    def as_written(self) -> str:
        """The due dice as a log writes them, without their faces: ``{d10: ..., d6: [..., ...]}``."""
        counts = self.counts()
        faces = {
            die: "..." if counts[die] == 1 else f"[{', '.join(['...'] * counts[die])}]"
            for die in ("d10", "d8", "d6", "adv")
            if counts[die]
        }
        return "{" + ", ".join(f"{die}: {shown}" for die, shown in faces.items()) + "}"

    def showings(self, dice: Sequence[Rolled], *, unrecorded: bool) -> list[Showing]:
        """What each die can have shown, with those that are due and not among the recorded ``dice``."""
        # A die with an impossible face may have shown its highest.
        shown = [Showing(die.die, min(die.face, SIDES[die.die]), die.face) for die in dice]
        hidden = Counter(self.counts()) if unrecorded else Counter[str]()
        hidden.subtract(die.die for die in dice)
        return [*shown, *(Showing(die, 1, SIDES[die]) for die in hidden.elements())]

    def words(self) -> tuple[str, ...]:
        """Where each die came from."""
        dice = [("d10", self.d10), ("d8", self.d8), *(("red", reason) for reason in self.reds)]
        return tuple(Source(f"{die}: {reason}", die, reason) for die, reason in dice if reason)


@dataclass(slots=True, eq=False)
class EffortRecord:
    """A helper's or hinderer's roll: two dice, one aim, one own danger."""

    number: int
    step: int
    hinders: bool
    player: str
    character: str
    name: str
    how: str
    aims: tuple[int, ...]
    """Indices into the items of the roll."""
    danger: Item | None
    pool: Pool
    dice: list[Rolled] = field(default_factory=list)
    rolled: int = 0
    spent: int = 0
    unrecorded: bool = False
    hits_said: int | None = None
    """How many dice hit, where the faces are not recorded and the keeper says so."""
    wants: list[Want] = field(default_factory=list)
    """What was bought with dice whose faces are not recorded."""
    effect: str = ""

    @property
    def rule(self) -> str:
        """The rule for it."""
        return "Z42" if self.hinders else "Z41"

    @property
    def does(self) -> str:
        """What the person does: ``helps`` or ``hinders``."""
        return "hinders" if self.hinders else "helps"


class Stage(Enum):
    """Where a roll is."""

    GOAL = "goal"
    ROLLED = "rolled"
    SETTLED = "settled"
    DROPPED = "dropped"


@dataclass(slots=True, eq=False)
class RollRecord:
    """One roll from the goal to what came of it."""

    number: int
    step: int
    player: str
    character: str
    name: str
    asked_by: str
    pool: Pool
    goals: list[Item]
    dangers: list[Item] = field(default_factory=list)
    challenge: bool = False
    grade: str = ""
    efforts: list[EffortRecord] = field(default_factory=list)
    dice: list[Rolled] = field(default_factory=list)
    unrecorded: bool = False
    hits_said: int | None = None
    """How many dice hit, where the faces are not recorded and the keeper says so."""
    wants: list[Want] = field(default_factory=list)
    """What was bought with dice whose faces are not recorded."""
    stage: Stage = Stage.GOAL
    rolled: int = 0
    settled: int = 0
    gained: list[Advantage] = field(default_factory=list)
    odds: str = ""
    outcome_told: str = ""
    scene: int = 0

    @property
    def items(self) -> list[Item]:
        """Goals first, then dangers: the questions of this roll."""
        return [*self.goals, *self.dangers]

    @property
    def goal(self) -> str:
        """The goal in words."""
        return " / ".join(item.text for item in self.goals)

    @property
    def hits(self) -> int:
        """How many dice of the main roll hit."""
        return sum(1 for die in self.dice if die.hit)

    @property
    def brought(self) -> int | None:
        """How many dice hit; None if that is not known."""
        return self.hits_said if self.unrecorded else self.hits

    @property
    def showings(self) -> list[Showing]:
        """What each of its dice can have shown."""
        return self.pool.showings(self.dice, unrecorded=self.unrecorded)

    def waiting(self) -> EffortRecord | None:
        """The first helper or hinderer whose dice have not been rolled."""
        return next((e for e in self.efforts if not e.rolled), None)

    def unspent(self) -> EffortRecord | None:
        """The last helper or hinderer who has rolled and not said where the dice go."""
        return next((e for e in reversed(self.efforts) if e.rolled and not e.spent), None)


@dataclass(slots=True, eq=False)
class Call:
    """A conflict that waits for a goal."""

    step: int
    words: str
    by: str
    asks: str
    involved: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Discovery:
    """Something of the scenario that became known."""

    step: int
    text: str
    finder: str


@dataclass(slots=True, eq=False)
class State:
    """A game of Playset Zero at one moment. Marks and advantages are counted in the ledger."""

    scenario: str = ""
    scenario_step: int = 0
    sides: dict[str, str] = field(default_factory=dict)
    hints: list[str] = field(default_factory=list)
    discoveries: list[Discovery] = field(default_factory=list)
    characters: dict[str, Character] = field(default_factory=dict)
    call: Call | None = None
    rolls: list[RollRecord] = field(default_factory=list)
    offers_refused: list[MarkEntry] = field(default_factory=list)
    refusers: list[str] = field(default_factory=list)
    """The character who declined each refused offer."""
    departed: list[str] = field(default_factory=list)
    """Characters who have left the open scene."""
    has_begun: bool = False
    """Whether play has begun: the first conflict, goal or dice were there."""
    over: int = 0
    doubtful_rolls: int = 0
    """How many rolls there must be before the next goal is certain again after such an entry."""

    def of(self, player: str) -> list[Character]:
        """The characters somebody plays."""
        return [c for c in self.characters.values() if c.owner == player]

    def roll(self) -> RollRecord | None:
        """The roll at hand, or the last one."""
        return self.rolls[-1] if self.rolls else None

    def running(self) -> RollRecord | None:
        """The roll that is not settled yet, if there is one."""
        roll = self.roll()
        return roll if roll is not None and roll.stage in (Stage.GOAL, Stage.ROLLED) else None

    def efforts(self) -> Iterator[tuple[RollRecord, EffortRecord]]:
        """All help and hindrance so far."""
        for roll in self.rolls:
            for effort in roll.efforts:
                yield roll, effort

    def misfortunes(self) -> Iterator[tuple[RollRecord, EffortRecord | None, Item]]:
        """All dangers that came true, in order: the roll, whose effort's own danger (or None)."""
        for roll in self.rolls:
            for effort in roll.efforts:
                if effort.danger is not None and effort.danger.well is False:
                    yield roll, effort, effort.danger
            for item in roll.dangers:
                if item.well is False:
                    yield roll, None, item
