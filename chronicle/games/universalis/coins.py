"""Coins: prices are put on the bill of an entry, and the bill is paid from the purses that the rules name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.fix import SetKey, drop_key, make_fix
from chronicle.core.gaps import SOMEBODY
from chronicle.core.ledger import UNEXPLAINED
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.answers import CARD
from chronicle.games.universalis.gates import nothing_bars
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    Charge,
    Component,
)

ELSEWHERE: Final = frozenset(
    ("buy", "eliminate", "end gimmick", "gimmick", "interrupt", "protect", "take over", "tenet")
)
"""What of a turn's prices builds no scene (S8); most others do."""


def charge(
    play: Table,
    item: str,
    rule: str,
    why: str = "",
    times: int = 1,
    *,
    component: Component | None = None,
    sort: str = "",
    amount: int | None = None,
    player: str = "",
    target: str = BANK,
) -> None:
    """Put a price on the bill of the entry at work; :func:`settle` pays it when the handler is done.
    ``sort`` says what the Coins are spent on where that is not what the price is mostly for."""
    if play.given:
        return
    state = play.state
    payer = player or play.step.player
    rule = state.points.priced_by(play, item, component) or rule
    if amount is None:
        amount = times * state.points.price(play, item, payer, component)
    if amount > 0:
        on = component.id if component is not None else ""
        sort = sort or sort_of(item)
        state.charges.append(Charge(payer, amount, rule, why, sort, target, item, on))


def charge_traits(
    play: Table, component: Component, copies: int, rule: str = "U4.3", sort: str = ""
) -> None:
    """Put a number of copies of its Traits on the bill, as one purchase."""
    amount = play.state.points.traits_price(play, component, copies)
    why = f"Traits of {component.name}"
    charge(play, "trait", rule, why, component=component, sort=sort, amount=amount)


def settle(play: Table, action: Action) -> None:
    """Pay the bill of an entry. What the table says it paid is checked, and then it is what was paid. Only the effect
    of the entry makes the bill, so no guard can ask."""
    state = play.state
    charges = state.charges
    stated = getattr(action, "coins", None)
    if stated is not None and not play.given and state.settled_step != play.step.number:
        state.settled_step = play.step.number
        _check_stated(play, stated, charges)
    if getattr(action, "cards", ()):
        play.require(
            state.points.die(play).name == CARD,
            "UA.14",
            "cards pay nothing at a table of Coins and dice",
            at="cards",
            fix=drop_key("cards"),
            help="or adopt one of the add-ons with cards",
        )
    if not charges:
        return
    state.charges = []
    scene = state.current_scene
    for due in charges:
        if not due.player and play.is_actor_unrecorded:
            # No player's purse: players not counted since then possibly have less.
            play.move(SOMEBODY, due.target, due.amount, COIN, due.rule, due.why)
            play.unrecorded(f"{SOMEBODY}:{COIN}")
            continue
        for payer, amount in state.points.payers(play, due.player, due.amount):
            _pay_out(play, payer, amount, due, action)
        if scene is not None:
            scene.spent[due.player] = scene.spent.get(due.player, 0) + due.amount
            scene.cost += due.amount
            if scene.framing:
                scene.framing_cost += due.amount


def can_pay(play: Table, player: str, item: str, times: int = 1) -> bool:
    """Whether a player's Coins are enough for an item of the price list, as :func:`charge` would ask for it."""
    return can_spend(
        play, player, times * play.state.points.price(play, item, player), sort_of(item)
    )


def can_spend(play: Table, player: str, amount: int, sort: str) -> bool:
    """Whether a player has so many Coins for what they are spent on (S8)."""
    return amount <= spendable(play, player, sort)


def spendable(play: Table, player: str, sort: str) -> int:
    """The Coins that a player has for what builds the ``scene``, or for anything on a ``turn`` (S8)."""
    purses = play.state.points.purses(play, player, sort)
    return sum(max(0, play.balance(purse, COIN)) for purse in purses)


def sort_of(item: str) -> str:
    """What the Coins for an item of the price list are spent on (S8)."""
    return "turn" if item in ELSEWHERE else "scene"


def _check_stated(play: Table, stated: int, charges: list[Charge]) -> None:
    total = sum(due.amount for due in charges)
    if stated == total:
        return
    code = charges[0].rule if charges else "U1.6"
    if stated < 0:
        play.unreadable("U1.2", f"{stated} is no number of Coins", at="coins")
        return
    # A cited Gimmick may ask another price.
    play.report(
        DiagnosticKind.BOOKKEEPING,
        code,
        f"this costs {plural(total, 'Coin')}, not {stated}",
        at="coins",
        place_label=f"computed: {total}",
        fix=(
            drop_key("coins"),
            make_fix(
                SetKey("allow", f"{{{code}: ...}}"), when="if the table accepts it", is_open=True
            ),
        ),
        help="or cite the Gimmick that changes the price:  under: ID",
    )
    # The log wins: the table paid what it says it paid.
    doubt_purses(play, {due.player for due in charges} or {play.step.player})
    difference = stated - total
    if difference > 0:
        payer = charges[0].player if charges else play.step.player
        charges.append(Charge(payer, difference, code, "as the table paid", "turn"))
    for due in charges:
        if difference >= 0:
            break
        cut = min(due.amount, -difference)
        due.amount -= cut
        difference += cut


def _pay_out(play: Table, player: str, amount: int, due: Charge, action: Action) -> None:
    """Pay from a player's purses, in the order that the rules (or the entry) say."""
    if amount <= 0 or not player:
        return  # without a name, the record does not say who pays
    target, rule, why = due.target, due.rule, due.why
    accounts = play.state.points.purses(play, player, due.sort, due)
    word = getattr(action, "purse", None)
    if word is not None:
        accounts = _from_purse(play, action, player, word, due.sort, accounts)
    for account in accounts[:-1]:
        part = min(max(play.balance(account, COIN), 0), amount)
        if part:
            play.move(account, target, part, COIN, rule, why)
            amount -= part
    if not amount:
        return
    last = accounts[-1]
    has = play.balance(last, COIN)
    if has < amount and _unrecorded(play):
        play.move(BANK, last, amount - has, COIN, "U6.25", "the roll is not recorded")
        has = amount
    if has >= amount:
        play.move(last, target, amount, COIN, rule, why)
        return
    code, coin = play.state.points.shortage(play, last)
    purse = coin if has == 1 else coin.replace("Coin", "Coins", 1)
    play.pay(
        last,
        target,
        amount,
        COIN,
        rule,
        why,
        code=code,
        message=f"{player} has {has} {purse} left and pays {amount}",
        help="check the Coins:  - assert: {wealth: {" + player + ": ...}}",
    )


def _from_purse(
    play: Table, action: Action, player: str, word: ScalarNode, sort: str, accounts: list[str]
) -> list[str]:
    """A player's accounts in the order in which they pay where the entry names a purse."""
    points = play.state.points
    named = points.named_purses(play, player).get(fold(word), "")
    if named in accounts:
        return sorted(accounts, key=lambda account: account != named)
    if named:
        bar = points.bars_purse(play, player, fold(word))
        if bar is not None:
            nothing_bars(play, bar, action.place("purse"))
        elif sort != "challenge" and not named.startswith(("wealth:", "bid:")):
            return [named, *accounts]
    return accounts


def _unrecorded(play: Table) -> bool:
    purses = play.state.purses
    if not purses:
        return False
    pool = play.state.complications[purses[-1].complication - 1].pools.get(purses[-1].player)
    return pool is not None and pool.unknown


def doubt_purses(play: Table, players: Iterable[str]) -> None:
    """Put the Coins of some players in doubt because of the last finding of this entry."""
    play.taint(*purses_of(players))


def purses_of(players: Iterable[str]) -> list[str]:
    """The names of the purses of some players, as doubts."""
    return [f"{purse}:{player}" for player in players for purse in ("wealth", "bonus")]


def unknown_amount(play: Table, *players: str) -> None:
    """An unrecorded number of Coins leaves or reaches these purses: only a count tells what they hold."""
    for player in filter(None, players):
        play.unrecorded(f"wealth:{player}", f"bid:{player}", f"bonus:{player}")


def income(play: Table, source: str, player: str, amount: int, rule: str, why: str) -> None:
    """Coins for a player's Wealth. A debtor immediately pays back a loan from them (UG.2)."""
    play.move(source, f"wealth:{player}", amount, COIN, rule, why)
    for debt in play.state.debts:
        if debt.debtor == player and debt.is_open and amount > 0:
            unknown_amount(play, player, debt.lender)
        if debt.debtor == player and debt.owed and amount > 0:
            repaid = min(debt.owed, amount)
            lender = f"wealth:{debt.lender}" if debt.lender else UNEXPLAINED
            play.move(f"wealth:{player}", lender, repaid, COIN, "UG.2", "loan paid back")
            debt.owed -= repaid
            debt.paid_step = play.step.number if play.current is not None else 0
            amount -= repaid
            play.event(
                f"{player} pays {plural(repaid, 'Coin')} back to {debt.lender or 'somebody'}",
                "UG.2",
                "repays",
            )
