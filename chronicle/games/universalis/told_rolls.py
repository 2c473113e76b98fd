"""Chapter 6: the keys in which a log tells a roll."""

from __future__ import annotations

from chronicle.core.declare import main, option
from chronicle.core.field_types import NAMES, MapOf, OrUnrecorded, in_role
from chronicle.games.universalis.actions import COUNT_OF, STATED
from chronicle.games.universalis.divisions import ComplicationEntry
from chronicle.games.universalis.story_actions import POOL, ROLLED, SHOWN


class ToldRoll(ComplicationEntry):
    """Dice as they fell, and what the log says that they came to."""

    faces = main(
        ROLLED,
        "{player: [faces]}, 0 for 10; cards as 5h, K, in the order they were laid; "
        "unrecorded, for one of them or for all",
    )
    edge = option(
        MapOf(POOL, OrUnrecorded(SHOWN)),
        "{player: faces of the Edge Dice}, if not among the others",
    )
    winner = option(
        STATED,
        "who won, or tie; checked, and taken as said where faces are unrecorded",
        computed=True,
    )
    successes = option(COUNT_OF, "{player: Successes}; checked, as winner is", computed=True)
    bonus = option(COUNT_OF, "{player: Bonus Coins}; checked, as winner is", computed=True)
    edge_to = option(
        in_role("stated", NAMES),
        "who got the Edge; checked, as winner is",
        default=(),
        computed=True,
    )
