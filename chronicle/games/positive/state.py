"""Everything that Positive has to remember, and the questions that handlers ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

CHARACTER = "character"
"""The kind of name that characters have."""

STEP = "step"
DIE = "commitment die"
BOX = "box"
"""Where dice come from and go to."""
START_LINE = "start"
"""Where tokens step from; ``track:Marit`` is how far Marit stands from Start."""

EXPELLED = -4
INCLUSION = 5
FULL_POOL = 3


def square_name(index: int) -> str:
    """``Start``, ``Expelled``, ``Inclusion``, ``beyond Expelled`` or a signed number."""
    match index:
        case 0:
            return "Start"
        case _ if index == EXPELLED:
            return "Expelled"
        case _ if index < EXPELLED:
            return "beyond Expelled"
        case _ if index == INCLUSION:
            return "Inclusion"
    return f"{index:+d}"


SQUARES = tuple(map(square_name, range(EXPELLED, INCLUSION + 1)))
"""The track (P4): three plain squares below Start, four above. It is not symmetric."""


class Stage(Enum):
    """Where a conflict is."""

    CALLED = "called"
    MATCHED = "matched"
    ROLLED = "rolled"
    BACKED_DOWN = "backed down"


class ToldOdds(NamedTuple):
    """How likely the caller wins: as text ``Marit 62.5 %, tie 12.5 %``, worked out when somebody reads it.

    Each side has a name, a number of dice and the faces that are a plus; ``tie`` is the reading of PA1.
    """

    caller: str
    dice: int
    plus: str
    challenged: str
    others: int
    against: str
    tie: str
    lead: str = ""

    def __str__(self) -> str:
        from fractions import Fraction

        from chronicle.core.odds import percent
        from chronicle.games.positive.odds import odds

        chances = odds(self.dice, self.others, self.plus, self.against, self.tie)
        named = {1: self.caller, 0: "tie", -1: self.challenged}
        shown = (1, 0) if 0 in chances else (1, -1)
        told = (f"{named[one]} {percent(chances.get(one, Fraction(0)))}" for one in shown)
        return self.lead + ", ".join(told)

    def __repr__(self) -> str:
        return repr(str(self))


@dataclass(slots=True, eq=False)
class Conflict:
    """One conflict: two principals, two versions, who backs whom, how it went.

    ``backers`` maps a player to the principal (a character) whose side the die lies on. ``steps``
    are the entries that belong to it.
    """

    number: int
    scene: int
    caller: str
    challenged: str
    version: str
    counter: str = ""
    stage: Stage = Stage.CALLED
    backers: dict[str, str] = field(default_factory=dict)
    joined: dict[str, str] = field(default_factory=dict)
    """Third players whose conflict dice lie on a side (only if the table plays it so, PA17)."""
    ties: int = 0
    winner: str = ""
    moved: dict[str, int] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    odds: ToldOdds | None = None
    steps: list[int] = field(default_factory=list)

    @property
    def principals(self) -> tuple[str, str]:
        """Caller first."""
        return (self.caller, self.challenged)

    @property
    def loser(self) -> str:
        """The principal who lost; empty while nobody has."""
        if not self.winner:
            return ""
        return self.challenged if self.winner == self.caller else self.caller

    def other(self, principal: str) -> str:
        """The principal on the other side."""
        return self.challenged if principal == self.caller else self.caller

    def side(self, principal: str) -> list[str]:
        """The players who back a principal, in the order of their dice."""
        return [player for player, side in self.backers.items() if side == principal]


@dataclass(slots=True, eq=False)
class ApologyRecord:
    """An apology, what the group thought of it, and whether a die came back."""

    step: int
    character: str
    words: str
    doubted_by: tuple[str, ...]
    regained: bool


@dataclass(slots=True, eq=False)
class State:
    """A game of Positive at one moment. Tokens and dice themselves are in the ledger."""

    characters: dict[str, str] = field(default_factory=dict)
    """Player to character."""
    host: str = ""
    accuser: str = ""
    symptoms: bool | None = None
    host_step: int = 0
    scenes: int = 0
    opener: str = ""
    """The character who may open the next scene."""
    opener_why: str = ""
    opener_step: int = 0
    cast: list[str] = field(default_factory=list)
    """Characters in the open scene."""
    barged: list[str] = field(default_factory=list)
    in_scene: bool = False
    all_scene: bool = False
    first_scene: bool = False
    scene_step: int = 0
    conflict: Conflict | None = None
    """The conflict of the open scene, resolved or not."""
    conflicts: list[Conflict] = field(default_factory=list)
    apologies: list[ApologyRecord] = field(default_factory=list)
    owed: list[str] = field(default_factory=list)
    """Characters whose arrival on an end square asks for a scene with everybody."""
    owed_step: int = 0
    all_scenes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Scene number to the arrivals that caused it."""
    ejected: list[str] = field(default_factory=list)
    ejected_step: int = 0
    told: dict[str, str] = field(default_factory=dict)
    """Player to their account of the ejection."""
    over: bool = False

    def player(self, character: str) -> str:
        """Who plays a character; empty if nobody does."""
        for player, own in self.characters.items():
            if own == character:
                return player
        return ""

    def everybody(self) -> list[str]:
        """All characters, in seating order of their players."""
        return list(self.characters.values())

    def running(self) -> Conflict | None:
        """The conflict that waits for an answer or a roll, if there is one."""
        conflict = self.conflict
        if conflict is not None and conflict.stage in (Stage.CALLED, Stage.MATCHED):
            return conflict
        return None
