"""UA.45: the next session goes on where the last one stopped."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle.core.campaign import Session
from chronicle.core.declare import Action, Part, option
from chronicle.core.field_types import whole
from chronicle.core.stated_figures import Assert
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.state import SceneState

INTERSESSION = "intersession"
"""The bundle of add-ons about what happens between two sessions."""


class Price(Part):
    """What the group may set."""

    jump = option(whole(0), "Coins for a jump ahead between two sessions", default=1)


@dataclass(slots=True, eq=False)
class SessionProgress:
    """How far the running session has come: whether anything was played, whether it has had a scene."""

    number: int = 0
    first: bool = True
    played: bool = False
    framed: bool = False


class StandardIntersession(AddOn):
    """Nothing changes between two sessions."""

    summary = (
        "The next session goes on as if there had been no break: same Coins, open scenes open, and "
        "its first scene follows the last one unless a player pays for the time."
    )
    changes = ("U5.12", "U1.3")
    chosen: Price
    bundle = INTERSESSION
    rule_text = """
        UA.45 Standard intersession rules [checked; V150]
          Coins are what they were, open scenes stay open, and the first scene of the session is at the same time as
          the last one or right after it; a jump ahead costs a Coin. Players can adopt the set for free before play,
          or for 1 Coin altogether.
        """

    def session_opened(self, play: Table, session: Session) -> None:
        """A new session."""
        progress = memory(play, SessionProgress)
        progress.first = not progress.number
        progress.number = session.number
        progress.played = progress.framed = False

    def after_entry(self, play: Table, action: Action) -> None:
        """An entry that is not just a statement counts as play."""
        if not isinstance(action, Assert):
            memory(play, SessionProgress).played = True

    def scene_opened(self, play: Table, scene: SceneState) -> None:
        """The session has had a scene."""
        progress = memory(play, SessionProgress)
        if not progress.first and not progress.framed and not scene.mini:
            play.event("the session goes on where the last one stopped", "UA.45", "evening")
        progress.framed = True

    def jump_price(self, play: Table) -> int | None:
        """Between two sessions time has to be paid for."""
        progress = memory(play, SessionProgress)
        if not progress.first and not progress.framed:
            return self.chosen.jump
        return self.inner.jump_price(play)

    def wealth_rule(self, play: Table, player: str) -> str:
        """A purse that has changed over night breaks this rule."""
        progress = memory(play, SessionProgress)
        if not progress.first and not progress.played:
            return "UA.45"
        return self.inner.wealth_rule(play, player)
