"""Chapter 3, Refreshment: the Coins that everybody at the table takes after a scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import UNRECORDED, EitherOf, choice
from chronicle.core.fix import set_key, set_pair
from chronicle.core.guards import Violation, guard
from chronicle.games.universalis import coins, table
from chronicle.games.universalis.actions import COUNT, COUNT_OF, OUTSIDE_OUTCOMES, Entry
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import preparation_over, preparing
from chronicle.games.universalis.state import BANK, COIN


def bidders(play: Table) -> list[str]:
    """Who bids and is refreshed: the players at the table (S77)."""
    everybody = (
        play.ruling("absent players") == "all" if len(play.present) < len(play.seats) else False
    )
    return list(play.seats) if everybody else [p for p in play.seats if p in play.present]


def first_refreshment(play: Table) -> None:
    """Some tables take Coins before the first scene (S10)."""
    if _is_first_due(play):
        refresh(play, "U2.15")


def _is_first_due(play: Table) -> bool:
    state = play.state
    if state.ended_step or state.scenes or state.bids or play.given or state.refreshed_step:
        return False
    return bool(play.rulings["first refreshment"] == "yes")


def wealth_before_bid(play: Table, player: str) -> int:
    """The Coins that a player may bid: with those of a Refreshment that comes right before the bid."""
    coins_now = play.balance(f"wealth:{player}", COIN)
    scene, early = play.state.scene, play.state.points.coins_before_bids(play, player)
    if preparing(play) and early is not None:
        return coins_now + early
    is_refreshed = _is_first_due(play) if scene is None else play.gap <= scene.step
    return coins_now + (play.state.points.refreshment(play, player) if is_refreshed else 0)


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


class Refresh(Entry):
    """The Coins that everybody takes after a scene. Computed; write it only to have it checked."""

    verb = "refreshment"
    synonyms = ("income",)
    decides = Decides("table")
    moment = OUTSIDE_OUTCOMES
    example = "refreshment: 5"
    amount = main(
        EitherOf(
            COUNT,
            COUNT_OF,
            choice(UNRECORDED),
            words="a number, or {player: Coins}, or unrecorded",
        ),
        "Coins for each player",
    )
    offered = Offered("U3.14", "state what everybody took", already_happened=True)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        if state.scene is None and state.refreshment_open and state.refreshed:
            yield {"refreshment": dict(state.refreshed)}

    def stated(self, play: Table, *, silently: bool = False) -> dict[str, int]:
        """The Coins of each player, as the log has them."""
        if isinstance(self.amount, str):
            return {}
        if isinstance(self.amount, dict):
            named = table.names_players(play, self.amount, silently=silently)
            return {player: coins for _, player, coins in named}
        return dict.fromkeys(bidders(play), self.amount)

    @guard("U3.14")
    def is_due(self, play: Table) -> Violation | None:
        rule, words = not_due(play)
        if not words or play.given or isinstance(self.amount, str):
            return None
        paid = play.state.refreshed_step or play.state.ended_step
        facts = [] if rule in ("U2.15", "U3.23") else play.facts(paid, "paid here")
        return Violation(words, facts=facts, rule=rule)

    @guard("U3.14", DiagnosticKind.BOOKKEEPING, at="main")
    def is_what_each_takes(self, play: Table) -> Iterator[Violation]:
        stated, taken = self.stated(play, silently=True), play.state.refreshed
        if play.given or not_due(play)[1] or isinstance(self.amount, str):
            return
        left_out = [p for p, a in taken.items() if a and p not in stated]
        if left_out:
            everybody = stated | {player: taken[player] for player in left_out}
            yield Violation(
                f"{listed(left_out)} {'takes' if len(left_out) < 2 else 'take'} Coins as well: "
                "everybody at the table does",
                fix=set_key(
                    "refreshment", f"{{{', '.join(f'{p}: {a}' for p, a in everybody.items())}}}"
                ),
                rule=play.state.refreshed_rule,
            )
        wrong = [player for player, amount in stated.items() if taken.get(player, 0) != amount]
        for player in wrong[:1]:
            due = taken.get(player, 0)
            yield Violation(
                f"{player} takes {due} after a scene, not {stated[player]}",
                fix=set_pair("refreshment", player, due),
                doubts=coins.purses_of(wrong),
            )

    def apply(self, play: Table) -> None:
        """A Refreshment that the table wrote down: one must be due, and of this size."""
        state = play.state
        play.step.headline = "Refreshment"
        if isinstance(self.amount, str):
            coins.unknown_amount(play, *bidders(play))
            return
        stated = self.stated(play)
        if play.given:
            return
        if getattr(play.campaign.settings, "preparation", "played") == "skipped":
            preparation_over(play)
        rule, words = not_due(play)
        taken = {} if words else state.refreshed
        state.refreshment_open = state.refreshment_open and bool(words)
        for player, amount in stated.items():
            change = amount - taken.get(player, 0)
            play.move(
                BANK, f"wealth:{player}", change, COIN, rule or "U3.14", "as the table took it"
            )
