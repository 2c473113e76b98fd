"""Everything that Positive has to remember: who is who, where play is, and what dice and tokens show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from chronicle.core.declare import Refusal
from chronicle.core.game_context import GameContext
from chronicle.core.law import Phase
from chronicle.core.names import PLAYER
from chronicle.core.ranges import UNKNOWN, CannotTell, Range, Unknown
from chronicle.core.source import ScalarNode
from chronicle.games.positive.dice import ToldOdds

CHARACTER = "character"
"""The kind of name that characters have."""
MEANS_CHARACTER = (CHARACTER, PLAYER)
"""A player's name means that player's character."""

STEP = "step"
DIE = "commitment die"
BOX = "box"
"""Where dice come from and go to."""
START_LINE = "start"
"""The account that tokens step from; ``track:Marit`` is Marit's distance from Start."""

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

Someone = str | Unknown
"""A character, or a person whom the record does not name."""


class Stage(Enum):
    """Where a conflict is."""

    CALLED = "called"
    MATCHED = "matched"
    ROLLED = "rolled"
    BACKED_DOWN = "backed down"


@dataclass(slots=True, eq=False)
class Conflict:
    """One conflict: two principals, two versions, who backs whom, how it went.

    ``backers`` maps a player to the principal (a character) whose side the die backs. ``steps``
    are the entries that belong to it.
    """

    number: int
    scene: int
    caller: Someone
    challenged: Someone
    version: str
    counter: str = ""
    stage: Stage = Stage.CALLED
    backers: dict[str, str] = field(default_factory=dict)
    joined: dict[str, Someone] = field(default_factory=dict)
    """Third players whose conflict dice are on a side (only if the table plays it so, PA17)."""
    ties: int = 0
    winner: str = ""
    moved: dict[str, int] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    odds: ToldOdds | None = None
    steps: list[int] = field(default_factory=list)

    @property
    def principals(self) -> tuple[Someone, Someone]:
        """Caller first."""
        return (self.caller, self.challenged)

    @property
    def loser(self) -> str:
        """The principal who lost; empty before the result."""
        loser = self.challenged if self.winner == self.caller else self.caller
        return loser if self.winner and isinstance(loser, str) else ""

    @property
    def called(self) -> int:
        """The entry that called it."""
        return self.steps[0]

    @property
    def latest(self) -> int:
        """The last entry that belongs to it."""
        return self.steps[-1]

    def own_side(self, player: str, character: str) -> str:
        """The principal on whose side a player's conflict die lies; empty if it does not."""
        side = character if character in self.principals else self.joined.get(player, "")
        return side if isinstance(side, str) else ""

    def side(self, principal: Someone) -> list[str]:
        """The players who back a principal, in the order of their dice."""
        return [player for player, side in self.backers.items() if side == principal]


class Opener(NamedTuple):
    """Who has the right to open the next scene (empty: anybody), why, and the entry that gave it. ``winner`` may not:
    the winner of a conflict whose loser gave up the right (PA27)."""

    who: str = ""
    why: str = ""
    step: int = 0
    winner: str = ""


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
    opener: Opener = field(default_factory=Opener)
    cast: list[str] = field(default_factory=list)
    """Characters in the open scene."""
    in_scene: bool = False
    all_scene: bool = False
    first_scene: bool = False
    scene_step: int = 0
    somebody_opened: bool = False
    """Whether the record does not say who opened the scene, and so is in it."""
    conflict: Conflict | None = None
    """The conflict of the open scene, resolved or not."""
    conflicts: list[Conflict] = field(default_factory=list)
    apologies: list[ApologyRecord] = field(default_factory=list)
    owed: list[str] = field(default_factory=list)
    """Characters whose arrival on an end square asks for a scene with everybody."""
    owed_step: int = 0
    ejected: list[str] = field(default_factory=list)
    ejected_step: int = 0
    told: dict[str, str] = field(default_factory=dict)
    """Player to their account of the ejection."""
    told_by_somebody: int = 0
    """How many accounts of it have no recorded author."""
    over: bool = False
    """Whether nothing more is played: the table said so, or a token left the track at the upper end (PA4)."""
    ended_step: int = 0
    """The entry that said so."""

    def player(self, character: Someone) -> str:
        """The player of a character; empty if there is none."""
        return next((player for player, own in self.characters.items() if own == character), "")

    def everybody(self) -> list[str]:
        """All characters, in seating order of their players."""
        return list(self.characters.values())

    def running(self) -> Conflict | None:
        """The conflict that waits for an answer or a roll, if there is one."""
        conflict = self.conflict
        if conflict is not None and conflict.stage in (Stage.CALLED, Stage.MATCHED):
            return conflict
        return None


Table = GameContext[State]

# --- phases ---------------------------------------------------------------------------------------

SETUP, BETWEEN, OPEN = "setup", "between", "open"
CALLED, MATCHED, GIVEN_WAY, DECIDED = "called", "matched", "given way", "decided"
CLOSING, OUT, OVER = "closing", "out", "over"
IN_A_SCENE = (OPEN, CALLED, MATCHED, GIVEN_WAY, DECIDED)
IN_PLAY = (SETUP, BETWEEN, *IN_A_SCENE)

_STAGES = {
    Stage.CALLED: CALLED,
    Stage.MATCHED: MATCHED,
    Stage.ROLLED: DECIDED,
    Stage.BACKED_DOWN: GIVEN_WAY,
}
_ENDED = Refusal(
    "P25",
    "the game ended when {ejected} moved beyond Expelled; there is nothing further",
    "ejection: how it happens, told by everybody else",
)
PHASES: Mapping[str, Phase] = {
    SETUP: Phase("no scene has been opened yet"),
    BETWEEN: Phase("no scene is open", fact="the last scene closed here"),
    OPEN: Phase("a scene is open", fact="opened here"),
    CALLED: Phase("a call waits for its answer", fact="called here"),
    MATCHED: Phase(
        "both conflict dice are on the table",
        lambda play: play.state.conflict.called if play.state.conflict is not None else 0,
        "called here",
    ),
    GIVEN_WAY: Phase("somebody has backed down", fact="backed down here"),
    DECIDED: Phase("the dice have fallen", fact="rolled here"),
    CLOSING: Phase(
        "the last scene is still open",
        lambda play: play.state.ejected_step,
        "the roll that ended it",
        _ENDED,
    ),
    OUT: Phase(
        "somebody is thrown out",
        lambda play: play.state.ejected_step,
        "the roll that ended it",
        _ENDED,
    ),
    OVER: Phase(
        "the game is over",
        lambda play: play.state.ejected_step,
        "the roll that ended it",
        Refusal("P25", "the game is over; nothing more is played"),
    ),
}


def phase(play: Table) -> str:
    """Where play is."""
    state = play.state
    if state.over or state.ejected:
        return CLOSING if state.in_scene else OVER if state.over else OUT
    if state.conflict is not None:
        return _STAGES[state.conflict.stage]
    if state.in_scene:
        return OPEN
    return BETWEEN if state.scenes else SETUP


# --- questions ------------------------------------------------------------------------------------


def find_character(play: Table, word: ScalarNode) -> str:
    """The character a name means (a player's name means that player's); empty if that is not known."""
    named = play.look_up(word, MEANS_CHARACTER)
    if named is None:
        return ""
    return play.state.characters.get(named.id, "") if named.kind == PLAYER else named.id


def find_someone(play: Table, word: ScalarNode) -> Someone:
    """The character that a name means, or an unknown person."""
    return find_character(play, word) or UNKNOWN


def known_acting(play: Table) -> Someone:
    """The character of the actor; unknown without a character.

    Raises:
        CannotTell: if the actor is not recorded.
    """
    if play.is_actor_unrecorded:
        raise CannotTell
    return acting(play)


def nobody_acts(play: Table) -> bool:
    """Whether the entry says of no player or character that they act. A name that leads nowhere is reported by
    itself."""
    by_a_name = play.step.action.by is not None and not play.is_actor_unrecorded
    return not play.step.player and not by_a_name


def acting(play: Table) -> Someone:
    """The character of the actor, or an unknown person."""
    return play.state.characters.get(play.step.player, "") or UNKNOWN


def dice_of(play: Table, player: str) -> Range:
    """The commitment dice that a player has left, by the record."""
    return play.figure("dice", player)


def square_of(play: Table, character: str) -> Range:
    """The distance of a character from Start, negative towards Expelled, as the record gives it."""
    return play.figure("track", character)


def position(play: Table, character: str) -> int:
    """The computed distance from Start, without regard to gaps in the record."""
    return play.balance(f"track:{character}", STEP)


def end_squares(play: Table) -> tuple[int, int]:
    """The two end squares, as distances from Start."""
    low = EXPELLED - (1 if play.ruling("expulsion_square") == "two" else 0)
    return low, INCLUSION
