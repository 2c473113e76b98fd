"""The table as the handlers see it: who is meant, who acts, how many dice, which square."""

from __future__ import annotations

from chronicle.core.names import PLAYER
from chronicle.core.play import Play
from chronicle.core.source import Word
from chronicle.games.positive.state import CHARACTER, DIE, EXPELLED, INCLUSION, STEP, State

Table = Play[State]


def character(play: Table, word: Word) -> str:
    """The character a name means (a player's name means that player's character); empty, and
    reported, when there is none."""
    found = play.find(word, (CHARACTER, PLAYER), "character")
    if found is None:
        return ""
    return play.state.characters.get(found.id, "") if found.kind == PLAYER else found.id


def player(play: Table, word: Word) -> str:
    """The player a name means, directly or by the character played."""
    return play.player(word)


def dice_of(play: Table, who: str) -> int:
    """Commitment dice that a player has left."""
    return play.balance(f"dice:{who}", DIE)


def ends(play: Table) -> tuple[int, int]:
    """The two end squares, as distances from Start."""
    low = EXPELLED - (1 if play.ruling("expulsion_square") == "two" else 0)
    return low, INCLUSION


def track(who: str) -> str:
    """The figure that says where a character stands."""
    return f"track:{who}"


def position(play: Table, who: str) -> int:
    """How far a character stands from Start; negative towards Expelled."""
    return play.balance(track(who), STEP)


def own(play: Table) -> str:
    """The character of whoever acts."""
    return play.state.characters.get(play.step.player, "")
