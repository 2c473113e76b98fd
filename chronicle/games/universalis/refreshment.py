"""Chapter 3, Refreshment: the Coins that everybody at the table takes after a scene."""

from __future__ import annotations

from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.fix import set_key, set_pair
from chronicle.games.universalis import coins, table
from chronicle.games.universalis.actions import Refresh
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import preparation_over
from chronicle.games.universalis.state import BANK, COIN


def bidders(play: Table) -> list[str]:
    """Who bids and is refreshed: the players at the table (S77)."""
    everybody = (
        play.ruling("absent players") == "all" if len(play.present) < len(play.seats) else False
    )
    return list(play.seats) if everybody else [p for p in play.seats if p in play.present]


def first_refreshment(play: Table) -> None:
    """Some tables take Coins before the first scene (S10)."""
    state = play.state
    if state.ended_step or state.scenes or state.bids or play.given or state.refreshed_step:
        return
    if play.rulings["first refreshment"] == "yes":
        refresh(play, "U2.15")


def refresh(play: Table, rule: str = "U3.14") -> None:
    """The Bank pays everybody at the table (U3.14)."""
    state = play.state
    state.refreshed = {}
    state.refreshed_step = play.step.number
    state.refreshment_open = True
    state.refreshed_rule = rule
    for player in bidders(play):
        amount = state.points.refreshment(play, player)
        state.refreshed[player] = amount
        if amount:
            coins.income(play, BANK, player, amount, rule, "Refreshment")
    if state.refreshed:
        amounts = set(state.refreshed.values())
        amount_words = str(amounts.pop()) if len(amounts) == 1 else "the agreed number of Coins"
        play.event(f"Refreshment: {amount_words} for each player", rule, "refreshment")


def not_due(play: Table) -> tuple[str, str]:
    """Why there is no Refreshment now, and the rule that says so; two empty texts: somebody does."""
    state = play.state
    if state.scene is None and state.refreshment_open:
        return "", ""
    if state.scene is None and not state.ended_step and not state.refreshed_step:
        return "U2.15", "there is no Refreshment before the first scene"
    if state.mini_step and state.mini_step == len(play.steps) - 1 and state.scene is not None:
        return "U3.23", "there is no Refreshment after a Mini Scene"
    if state.scene is not None:
        return "U3.14", "Refreshment comes when a scene has ended, not within it"
    return state.refreshed_rule or "U3.14", "this Refreshment was paid already"


def stated_refreshment(play: Table, action: Refresh) -> None:
    """A Refreshment that the table wrote down: one must be due, and of this size."""
    state = play.state
    play.step.headline = "Refreshment"
    if isinstance(action.amount, str):
        coins.unknown_amount(play, *bidders(play))
        return
    if isinstance(action.amount, dict):
        stated = {player: coins for _, player, coins in table.names_players(play, action.amount)}
    else:
        stated = dict.fromkeys(bidders(play), action.amount)
    if play.given:
        return
    if getattr(play.campaign.settings, "preparation", "played") == "skipped":
        preparation_over(play)
    if state.scene is None and state.refreshment_open:
        state.refreshment_open = False
        wrong = {p: a for p, a in stated.items() if state.refreshed.get(p, 0) != a}
        left_out = [p for p, a in state.refreshed.items() if a and p not in stated]
        all_of_them = stated | {p: state.refreshed[p] for p in left_out}
        play.require(
            not left_out,
            state.refreshed_rule or "U3.14",
            f"{listed(left_out)} {'takes' if len(left_out) < 2 else 'take'} Coins as well: "
            "everybody at the table does",
            at="main",
            fix=set_key(
                "refreshment", f"{{{', '.join(f'{p}: {a}' for p, a in all_of_them.items())}}}"
            ),
            kind=DiagnosticKind.BOOKKEEPING,
        )
        if wrong:
            wrong_player, amount = next(iter(wrong.items()))
            play.report(
                DiagnosticKind.BOOKKEEPING,
                "U3.14",
                f"{wrong_player} takes {state.refreshed.get(wrong_player, 0)} after a scene, not {amount}",
                at="main",
                fix=set_pair("refreshment", wrong_player, state.refreshed.get(wrong_player, 0)),
            )
            coins.doubt_purses(play, wrong)
            for player, amount in wrong.items():
                change = amount - state.refreshed.get(player, 0)
                play.move(BANK, f"wealth:{player}", change, COIN, "U3.14", "as the table took it")
        return
    code, words = not_due(play)
    paid = state.refreshed_step or state.ended_step
    facts = play.facts(paid, "paid here")
    play.illegal(code, words, facts=facts if code not in ("U2.15", "U3.23") else [])
    for player, amount in stated.items():
        play.move(BANK, f"wealth:{player}", amount, COIN, code, "as the table took it")
