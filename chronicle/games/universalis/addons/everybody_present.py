"""UA.46: no further session unless everybody is there."""

from __future__ import annotations

from dataclasses import dataclass, field

from chronicle.core.campaign import Session
from chronicle.core.diagnostic import listed
from chronicle.core.source import Place
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.addons.standard_intersession import INTERSESSION


@dataclass(slots=True, eq=False)
class Founders:
    """Who was there at the first session."""

    names: list[str] = field(default_factory=list)


class EverybodyPresent(AddOn):
    """Only together."""

    summary = "A further session is played only if everybody who was at the first one is there."
    changes = ("U1.7",)
    bundle = INTERSESSION
    rule_text = """
        UA.46 Players present limit [checked]
          Players at the first session have to be at every further session.
        """

    def adopted(self, play: Table) -> None:
        """Adopted in mid-play, it means those who have played from the beginning."""
        steps = play.steps
        if steps and steps[0].session == play.step.session:
            memory(play, Founders).names = list(play.present)

    def session_opened(self, play: Table, session: Session) -> None:
        """Count heads."""
        founders = memory(play, Founders)
        if not founders.names:
            founders.names = list(play.present)
            return
        missing = [name for name in founders.names if name not in play.present]
        play.require(
            not missing,
            "UA.46",
            f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} not there, and the group "
            "plays only with everybody of the first session",
            at=Place(session.path, 1, 1, 1, 1),
            help="play another session, or end the Gimmick first",
        )
