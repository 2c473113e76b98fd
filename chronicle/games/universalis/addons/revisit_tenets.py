"""UA.47: every further session begins with a look at the Tenets."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle.core.campaign import Session
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.addons.standard_intersession import INTERSESSION
from chronicle.games.universalis.preparation import prepare_again
from chronicle.games.universalis.scenes import close_scene


@dataclass(slots=True, eq=False)
class Revisit:
    """Whether a round of preparation is due with the next entry."""

    sessions: int = 0
    due: bool = False


class RevisitTenets(AddOn):
    """Preparation again."""

    summary = (
        "Every further session begins with a new preparation, in which Tenets are proposed and "
        "changed; then a new scene is bid for."
    )
    changes = ("U2.1", "U3.11")
    bundle = INTERSESSION
    rule_text = """
        UA.47 Revisit Tenets [computed]
          Before the first scene of a further session the Tenets are gone through again, turn by turn; content
          players pass. Play goes on with a new scene: one that was left open is over, as any scene that has ended.
        """

    def adopted(self, play: Table) -> None:
        """The session in which it is adopted has begun."""
        if play.steps:
            memory(play, Revisit).sessions = 1

    def session_opened(self, play: Table, session: Session) -> None:
        """A further session."""
        revisit = memory(play, Revisit)
        revisit.due = revisit.sessions > 0 and not play.given
        revisit.sessions += 1

    def next_session_begun(self, play: Table) -> None:
        """With the first entry of the session preparation begins."""
        revisit = memory(play, Revisit)
        if revisit.due:
            revisit.due = False
            if play.state.scene is not None:
                close_scene(play, refreshes=True)
            prepare_again(play)
            play.event("the Tenets are gone through again", "UA.47", "preparation")
