"""UA.5: more than one Tenet a turn, if they belong to one idea."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle.core.declare import Action, Part, option
from chronicle.core.field_types import whole
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.preparation import ProposeTenet

UNLIMITED = 1_000


class Cap(Part):
    """What the group may set."""

    most = option(whole(2), "how many Tenets one turn may hold; without it, any number")


@dataclass(slots=True, eq=False)
class Idea:
    """What the Tenets of the running turn are about, and where that was said."""

    turn: int = 0
    about: str = ""
    step: int = 0


class SeveralTenets(AddOn):
    """Several Tenets for one idea."""

    summary = "One turn may hold several Tenets, 1 Coin each, as long as they belong to one idea."
    changes = ("U2.3", "U2.4")
    chosen: Cap
    rule_text = """
        UA.5 Multiple Tenets [checked]
          A turn may hold several Tenets, 1 Coin each: a Component with all its Traits, say. What belongs to another
          idea waits for another turn.
        """

    def tenets_a_turn(self, play: Table) -> int:
        """As many as the group allows."""
        return self.chosen.most or UNLIMITED

    def after_entry(self, play: Table, action: Action) -> None:
        """Two parts of the story in one turn are hardly one idea."""
        if not isinstance(action, ProposeTenet) or action.about is None or play.given:
            return
        idea = memory(play, Idea)
        part = str(action.about)
        play.suspect(
            idea.turn == play.state.turn_number and idea.about != part,
            "UA.5",
            f"{play.step.player} proposes a Tenet about the {part} in the turn of one about the "
            f"{idea.about}; several Tenets of a turn belong to one idea",
            at="about",
            facts=[play.because(idea.step, "proposed here")],
            help="keep it for the next turn",
        )
        idea.turn, idea.about, idea.step = play.state.turn_number, part, play.step.number
