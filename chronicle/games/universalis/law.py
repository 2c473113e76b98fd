"""The law of Universalis: who may be named where (see ``chronicle.core.law``).

Turns, Control and prices depend on the rule points, which add-ons answer: they stay with the chapters.
Here stands what holds for everybody who is named as a player, and for lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from chronicle.core.law import AT_TABLE, Law, Role
from chronicle.core.names import PLAYER
from chronicle.games.universalis.state import COMPONENT_KINDS

ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "has a turn": Role("a player", "end a turn", (AT_TABLE,), of=PLAYER, twice=""),
        "consents": Role("a player", "agree", (AT_TABLE,), of=PLAYER),
        "refuses": Role("a player", "refuse", (AT_TABLE,), of=PLAYER),
        "interrupts": Role("a player", "Interrupt", (AT_TABLE,), of=PLAYER),
        "challenges": Role("a player", "Challenge", (AT_TABLE,), of=PLAYER),
        "concedes": Role("one of the two players of a Challenge", "", (AT_TABLE,), of=PLAYER),
        "gets Coins": Role("a player", "get Coins", (), of=PLAYER),
        # Each chapter has its own word for whoever votes twice, or for both sides.
        "votes": Role("a player at the table", "vote", (), of=PLAYER, twice=""),
        "is accused": Role("a player", "pay a Fine", (), of=PLAYER),
        "takes part": Role("a Component in the scene", "", (), COMPONENT_KINDS),
    }
)

LAW = Law(roles=ROLES)
