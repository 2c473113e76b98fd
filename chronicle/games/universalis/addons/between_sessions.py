"""UA.50: Components made between two sessions, presented at the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Decides, Part, PartOf, main, option
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import whole
from chronicle.core.fix import add_entry
from chronicle.games.universalis import preparation
from chronicle.games.universalis.actions import NewComponent
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, memory
from chronicle.games.universalis.addons.standard_intersession import INTERSESSION
from chronicle.games.universalis.components import make
from chronicle.games.universalis.state import BANK, COIN, Charge

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.campaign import Session


class Purse(Part):
    """What the group may set."""

    coins = option(whole(1), "Coins that each player has for it between two sessions", default=5)


@dataclass(slots=True, eq=False)
class Presenting:
    """Whether a preparation for it is due, whether an entry presents something just now, and in which
    turn something was presented last."""

    sessions: int = 0
    running: bool = False
    is_paying: bool = False
    turn: int = 0
    step: int = 0


class Present(AddOnEntry):
    """Present a Component that you have made since the last session. It is paid from the Coins for
    that; one a turn, in the preparation of the new session."""

    verb = "present"
    decides = Decides("turn", "UA.50", action_phrase="presents a Component")
    example = "present: {place: lighthouse, traits: [dark for years]}"
    what = main(PartOf(NewComponent), "the Component, with its first Traits")


def present(play: Table, action: Present) -> None:
    """One Component, from the purse between the sessions."""
    presenting = memory(play, Presenting)
    step = play.step
    allowed = play.require(
        (preparation.preparing(play) and presenting.running) or play.given,
        "UA.50",
        "Components made between two sessions are presented in the preparation of the next",
        fix=add_entry("create: ..."),
        help="create it now for Coins of your own",
    )
    if presenting.turn == play.state.turn_number and presenting.step and not play.given:
        play.illegal(
            "UA.50",
            f"{step.player} presents a second Component in the same turn",
            facts=[play.because(presenting.step, "presented here")],
            help="let the others have their turns first",
        )
    elif preparation.preparing(play) and not play.given:
        preparation.count_tenet(play)
    presenting.turn, presenting.step = play.state.turn_number, step.number
    presenting.is_paying = allowed
    components = make(play, action.what)
    step.headline = f"{listed(c.name for c in components)}, made since the last session"


class BetweenSessions(AddOn):
    """Work done at home."""

    summary = (
        "Each player has a few Coins to make Components with between two sessions; they are presented "
        "one a turn before play goes on, and what is not used is lost."
    )
    changes = ("U2.3", "U3.1")
    chosen: Purse
    bundle = INTERSESSION
    rule_text = """
        UA.50 Create Components between sessions [checked]
          A purse of its own pays for what is made between two sessions. It is presented in a preparation at the
          beginning of the next one, one Component a turn, and can be Challenged there; only then does it exist.
          The rest of the purse goes to the Bank.
        """
    verbs = {Present: present}  # noqa: RUF012

    def adopted(self, play: Table) -> None:
        """The session in which it is adopted has begun."""
        if play.steps:
            memory(play, Presenting).sessions = 1

    def session_opened(self, play: Table, session: Session) -> None:
        """A further session."""
        presenting = memory(play, Presenting)
        presenting.running = presenting.sessions > 0 and not play.given
        presenting.sessions += 1

    def next_session_begun(self, play: Table) -> None:
        """Fill the purses and begin a preparation."""
        if not memory(play, Presenting).running:
            return
        for player in play.present:
            play.move(
                BANK, f"between:{player}", self.chosen.coins, COIN, "UA.50", "for work at home"
            )
        if not preparation.preparing(play):
            preparation.prepare_again(play)
        play.event("what was made since the last session is presented", "UA.50", "preparation")

    def prepared(self, play: Table) -> None:
        """What is left is lost."""
        presenting = memory(play, Presenting)
        if not presenting.running:
            return
        presenting.running = False
        for player in play.seats:
            unused = play.balance(f"between:{player}", COIN)
            play.move(f"between:{player}", BANK, unused, COIN, "UA.50", "not used, lost")

    def builds_in_turns(self, play: Table) -> bool:
        """What is presented comes whole."""
        return not memory(play, Presenting).is_paying and self.inner.builds_in_turns(play)

    def purses(self, play: Table, player: str, sort: str, due: Charge | None = None) -> list[str]:
        """Its own purse pays for what is presented."""
        presenting = memory(play, Presenting)
        if presenting.is_paying and presenting.step == play.step.number:
            return [f"between:{player}"]
        presenting.is_paying = False
        return self.inner.purses(play, player, sort, due)

    def shortage(self, play: Table, account: str) -> tuple[str, str]:
        """Of its own purse."""
        if account.startswith("between:"):
            return "UA.50", "Coin for work at home"
        return self.inner.shortage(play, account)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """While there are Coins for it."""
        presenting = memory(play, Presenting)
        if not preparation.preparing(play) or not presenting.running:
            return
        player = preparation.due_player(play) or play.seats[0]
        if play.balance(f"between:{player}", COIN) < 2:
            return

        def place(rng: Random) -> dict[str, object]:
            role = rng.choice(("lighthouse", "old road", "chapel"))
            return {"place": role, "traits": [rng.choice(("dark", "burnt"))]}

        yield self.offer("present", player, "present what you have made", place)
