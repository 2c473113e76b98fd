"""UA.49: Coins between two sessions."""

from __future__ import annotations

from dataclasses import dataclass, field

from chronicle.core.campaign import Session
from chronicle.core.declare import Part, option
from chronicle.core.field_types import choice, whole
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.addons.standard_intersession import INTERSESSION
from chronicle.games.universalis.coins import income
from chronicle.games.universalis.refreshment import bidders
from chronicle.games.universalis.state import BANK, COIN


class Scheme(Part):
    """What the group may set."""

    form = option(
        choice("refreshment", "reset"),
        "refreshment (the end of a session counts as the end of a scene) or reset (everybody begins "
        "the session at a level)",
        default="refreshment",
    )
    amount = option(whole(0), "Coins each, if not the usual Refreshment")
    level = option(whole(0), "the level of a reset, if not the Coins of the start")


@dataclass(slots=True, eq=False)
class LastEvening:
    """Who was at the table when the last session ended; empty before the first has."""

    present: list[str] = field(default_factory=list)


class CoinOptions(AddOn):
    """A Refreshment, or a reset, between two sessions."""

    summary = (
        "Between two sessions everybody who played takes another Refreshment, or every purse is set "
        "to one level."
    )
    changes = ("U3.14", "UA.45")
    chosen: Scheme
    bundle = INTERSESSION
    rule_text = """
        UA.49 Coin options [computed]
          The end of a session may count as the end of a scene: players who were there take a Refreshment. Or every
          session begins with the same Coins for everybody, so that saving them gains nothing.
        """

    def session_closed(self, play: Table, session: Session) -> None:
        """Remember who was there."""
        memory(play, LastEvening).present = list(play.present)

    def next_session_begun(self, play: Table) -> None:
        """Pay, or set the purses."""
        last = memory(play, LastEvening)
        if not last.present or play.given:
            return
        state = play.state
        if self.chosen.form == "reset":
            for player in bidders(play):
                level = self.chosen.level
                if level is None:
                    level = state.points.starting_coins(play, player)
                account = f"wealth:{player}"
                change = level - play.balance(account, COIN)
                play.move(BANK, account, change, COIN, "UA.49", "reset between sessions")
            play.event("every purse is set to the agreed level", "UA.49", "refreshment")
            return
        for player in last.present:
            amount = self.chosen.amount
            if amount is None:
                amount = state.points.refreshment(play, player)
            income(play, BANK, player, amount, "UA.49", "Refreshment between sessions")
        play.event("a Refreshment for players at the last session", "UA.49", "refreshment")
