"""UA.19: a purse of a player character's own, for its Traits and for dice where it is involved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chronicle.core.declare import Part, option
from chronicle.core.diagnostic import plural
from chronicle.core.field_types import NAME, EitherOf, MapOf, whole
from chronicle.core.fix import add_entry, drop_key
from chronicle.core.game import account_measure
from chronicle.core.names import PLAYER, Named
from chronicle.games.universalis.addons.base import AddOn, Table, memory, remembered
from chronicle.games.universalis.addons.player_characters import (
    Claims,
    acting_character,
    add_to_page,
    add_to_sheet,
    character_of,
    claims_of,
    somebodys,
)
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.state import BANK, COIN, Charge, Component

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView, Item
    from chronicle.core.record import Record


class EndowmentSettings(Part):
    """What the group sets about Endowments."""

    coins = option(
        EitherOf(whole(0), MapOf(NAME, whole(0)), words="a number, or {player: Coins}"),
        "how large an Endowment is",
        default=25,
    )


def account_of(player: str) -> str:
    """The account of a player character's Endowment."""
    return f"endowment:{player}"


class Endowment(AddOn):
    """The Endowment of a player character."""

    title = "Endowment of Player Characters"
    summary = (
        "A player character comes with 25 Coins in a purse of their own, for its Traits and for dice in "
        "Complications that it is in. Spent Coins are gone."
    )
    changes = ("U4.3", "U6.15")
    chosen: EndowmentSettings
    needs = ("player characters",)
    rule_text = """
        UA.19 Endowment [checked; V138]
          A player who buys a player character gets 25 Coins (or the number set by the group) in a separate purse.
          They pay for Traits of that Character and for dice in Complications that involve it, and for nothing
          else; no Refreshment fills the purse again. It pays first for what it can pay for, except while Bonus
          Coins are spent; 'purse:' says otherwise.
        """
    measures = {  # noqa: RUF012
        "endowment": account_measure(
            "Coins in the Endowment of a player's character", (PLAYER,), "endowment", COIN
        )._replace(rule=lambda play, id: "UA.19", sentence="{of} has {amount} of Endowment")
    }

    def adopted(self, play: Table) -> None:
        """Players who already have a character get the Endowment now."""
        for claim in claims_of(memory(play, Claims)):
            self._endow(play, claim.player)

    def claimed(self, play: Table, player: str, component: Component) -> None:
        """The purse is filled, once."""
        self._endow(play, player)
        play.step.event(
            f"{player} gets an Endowment of {plural(play.balance(account_of(player), COIN), 'Coin')} for "
            f"{component.name}",
            "UA.19",
            "endowment",
            component.id,
        )

    def _endow(self, play: Table, player: str) -> None:
        coins = self.chosen.coins
        if isinstance(coins, dict):
            each = {
                match.id: amount
                for word, amount in coins.items()
                if isinstance(match := play.names.find(word, (PLAYER,)), Named)
            }
            coins = each.get(player, 25)
        play.move(BANK, account_of(player), coins, COIN, "UA.19", "the Endowment")

    def purses(self, play: Table, player: str, sort: str, due: Charge | None = None) -> list[str]:
        """The Endowment first, for what it may pay; within an outcome after the Bonus Coins."""
        accounts = self.inner.purses(play, player, sort, due)
        if due is None:
            return accounts
        own = character_of(play, player)
        if own is None:
            maybe = (play.state.components[claim.component] for claim in somebodys(play))
            if any(self._pays_for(play, component, due) for component in maybe):
                # The character is possibly theirs; then another purse paid.
                play.unrecorded(f"wealth:{player}")
            return accounts
        if not self._pays_for(play, own, due):
            return accounts
        if play.state.purses:
            return [*accounts, account_of(player)]
        return [account_of(player), *accounts]

    def _pays_for(self, play: Table, component: Component, due: Charge) -> bool:
        if due.what == "trait":
            return due.component == component.id
        complication = play.state.current_complication()
        return (
            due.what == "buy"
            and due.sort != "challenge"
            and complication is not None
            and component.id in complication.committed
        )

    def named_purses(self, play: Table, player: str) -> dict[str, str]:
        """The Endowment, too."""
        return {**self.inner.named_purses(play, player), "endowment": account_of(player)}

    def bars_purse(self, play: Table, player: str, purse: str) -> Bar | None:
        """It pays for two purposes only."""
        if purse != "endowment":
            return self.inner.bars_purse(play, player, purse)
        component = acting_character(play)
        if component is None and (play.gap or somebodys(play)):
            return None
        if component is None:
            return Bar(
                "UA.19",
                f"{player} has no player character, so no Endowment",
                fixes=(add_entry(f"player character: ...\nby: {player}"),),
            )
        return Bar(
            "UA.19",
            f"{player}'s Endowment pays for Traits of {component.name} and for dice in Complications "
            f"that {component.name} is in, and for nothing else",
            fixes=(drop_key("purse"),),
            help="it is paid from Wealth",
        )

    def panel(self, play: Table) -> tuple[Block, ...]:
        """What each Endowment holds."""
        from chronicle.core.campaign_view import Stat, Stats

        owners = [claim.player for claim in claims_of(memory(play, Claims))]
        stats = [Stat(str(play.balance(account_of(p), COIN)), p, p) for p in owners]
        return (Stats(tuple(stats), "Endowments"),) if stats else ()

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The remaining Coins, on the character's sheet, and how they were spent."""
        from chronicle.core.campaign_view import Listing, Stat, Stats, Steps
        from chronicle.core.make_view import curves_of, ticks_of_sessions

        record = view.record
        stats: list[Stat] = []
        for claim in claims_of(remembered(record.state, Claims)):
            coins_left = record.ledger.balance(account_of(claim.player), COIN)
            add_to_sheet(view, claim.component, ("Endowment", f"{plural(coins_left, 'Coin')} left"))
            stats.append(Stat(str(coins_left), claim.player, claim.player))
            moved = tuple(_moves(record, account_of(claim.player)))
            add_to_page(view, claim.component, Listing(moved, "The Endowment, entry by entry"))
        if stats:
            view.state.append(Stats(tuple(stats), "Endowments"))
        series = curves_of(record, "endowment", COIN)
        if series:
            view.curves.append(
                Steps("Endowments", series, ticks_of_sessions(record), y_title="Coins")
            )


def _moves(record: Record, account: str) -> Iterator[Item]:
    """Every entry that changed an Endowment, with what it then held."""
    from chronicle.core.campaign_view import Item

    change: dict[int, int] = {}
    for posting in record.ledger.postings:
        if account in (posting.source, posting.target):
            coins = posting.amount if posting.target == account else -posting.amount
            change[posting.step_number] = change.get(posting.step_number, 0) + coins
    held = 0
    for index, coins in change.items():
        held += coins
        step = record.step(index)
        if coins and not step.hidden:
            sign = "+" if coins > 0 else "\N{MINUS SIGN}"
            yield Item(step.headline, f"{sign}{plural(abs(coins), 'Coin')}, holds {held}", index)
