"""UA.1: Coins between preparation and the first scene."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle.core.declare import Part, option
from chronicle.core.field_types import choice, whole
from chronicle.games.universalis.addons.base import AddOn, Table, memory, remembered
from chronicle.games.universalis.coins import income
from chronicle.games.universalis.refreshment import bidders, refresh
from chronicle.games.universalis.state import BANK, COIN


class Terms(Part):
    """What the group may set."""

    form = option(
        choice("refreshment", "reset"),
        "refreshment (everybody takes Coins) or reset (everybody is set to a level)",
        default="refreshment",
    )
    amount = option(whole(0), "Coins each, if not the usual Refreshment")
    level = option(whole(0), "the level of a reset, if not the Coins of the start")


@dataclass(slots=True, eq=False)
class Paid:
    """Whether it has been paid: it comes once in a game."""

    step: int = 0


class FirstRefreshment(AddOn):
    """A Refreshment, or a reset, before the first bid."""

    summary = (
        "Between preparation and the first bid everybody takes a Refreshment; or, as a reset, goes "
        "back to the Coins of the start, so that nothing is saved by proposing little."
    )
    changes = ("U2.15", "U3.14")
    chosen: Terms
    rule_text = """
        UA.1 Refreshment before the first scene [checked]
          Once preparation is over, and before anybody bids, everybody takes Coins once; never in a later session.
        UA.1a Reset before the first scene [computed]
          Instead, every purse is set to the level of the start: Coins not spent in preparation gained nothing.
        """

    def coins_before_bids(self, play: Table, player: str) -> int | None:
        """Once in a game."""
        points = play.state.points
        if remembered(play.state, Paid).step or play.given or play.state.scenes:
            return None
        if self.chosen.form == "reset":
            level = self.chosen.level
            level = points.starting_coins(play, player) if level is None else level
            return level - play.balance(f"wealth:{player}", COIN)
        amount = self.chosen.amount
        return points.refreshment(play, player) if amount is None else amount

    def prepared(self, play: Table) -> None:
        """Pay it, once."""
        state = play.state
        changes = {player: self.coins_before_bids(play, player) for player in bidders(play)}
        if None in changes.values():
            return
        memory(play, Paid).step = play.step.number
        if self.chosen.form == "reset":
            for player, change in changes.items():
                state.refreshed[player] = change or 0
                account, why = f"wealth:{player}", "reset before the first scene"
                play.move(BANK, account, change or 0, COIN, "UA.1a", why)
            state.refreshed_step = play.step.number
            play.event("every purse is set to the level of the start", "UA.1a", "refreshment")
            return
        if self.chosen.amount is None:
            refresh(play, "UA.1")
            return
        state.refreshed_step, state.refreshment_open = play.step.number, True
        state.refreshed_rule = "UA.1"
        for player in bidders(play):
            state.refreshed[player] = self.chosen.amount
            income(play, BANK, player, self.chosen.amount, "UA.1", "Refreshment")
        play.event(f"Refreshment: {self.chosen.amount} for each player", "UA.1", "refreshment")
