"""Conditions for being named somewhere that several chapters share."""

from __future__ import annotations

from typing import Final

from chronicle.core.law import Need
from chronicle.core.names import PLAYER
from chronicle.games.fight_sphere.state import GLADIATOR, Fate
from chronicle.games.fight_sphere.table import Table

GLADIATORS: Final = (GLADIATOR, PLAYER)
"""The kinds of names that mean a Gladiator. A player's name means the Gladiator that the player plays."""


FALLEN: Final = "fallen:"
"""The doubt about a Gladiator who is named although fallen, once that is reported."""


BACKS: Final = "backs:"
"""The doubt about the dice of a player who backs a side and cannot, once that is reported."""


def is_not(fate: Fate, rule: str) -> Need:
    """The condition that a Gladiator has not met a fate."""
    article = "the " if fate is Fate.LAST else ""
    return Need(
        f"not {fate}",
        rule,
        lambda play, id: play.state.gladiators[id].fate is not fate,
        f"{{who}} is {article}{fate} and cannot {{doing}}",
        since=lambda play, id: play.state.gladiators[id].fate_known_from,
        fact="decided here" if fate is Fate.LAST else "{who} fell here",
        is_certain=fate is Fate.DEAD,
    )


def is_standing(rule: str, dead: str = "") -> tuple[Need, ...]:
    """The conditions that a Gladiator has neither fallen nor won an Episode. ``dead`` is the rule for dead ones."""
    return is_not(Fate.DEAD, dead or rule), is_not(Fate.OUT, rule), is_not(Fate.LAST, rule)


def is_npc(rule: str) -> Need:
    """The condition that the GM runs a Gladiator."""
    return Need(
        "an NPC Gladiator",
        rule,
        lambda play, id: play.state.gladiators[id].npc,
        "{who} is no NPC Gladiator",
        is_certain=True,
    )


NOT_GONE: Final = Need(
    "not lost",
    "F54",
    lambda play, id: not play.state.inhabitants[id].gone,
    "{who} is gone for good and cannot be in a Scene",
    since=lambda play, id: play.state.inhabitants[id].gone,
    fact="lost here",
    is_certain=True,
)


def _player_of(play: Table, id: str) -> str:
    gladiator = play.state.gladiators.get(id)
    return gladiator.player if gladiator is not None else id


JUDGES: Final = Need(
    "with a Judgment Pool",
    "F67",
    lambda play, id: play.state.judgment(_player_of(play, id)) is not None,
    "{who} has no Judgment Pool",
    "only a player whose Gladiator cannot take part judges",
)
IN_ENCOUNTER: Final = Need(
    "in the Encounter",
    "F57",
    lambda play, id: play.state.open_round is None or id in play.state.open_round.members,
    "{who} is in no Encounter at the moment",
)
