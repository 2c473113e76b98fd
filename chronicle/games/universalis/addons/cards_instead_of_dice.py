"""UA.44: Coins are a hand of cards to choose from; drawn Traits are dealt from a deck of their own."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Decides, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, MapOf, choice, in_role
from chronicle.core.fix import drop_key
from chronicle.core.source import Place
from chronicle.games.universalis.actions import CARDS
from chronicle.games.universalis.addons.base import AddOnEntry, Table, in_force, memory
from chronicle.games.universalis.addons.card_decks import TRAITS, Cards, CardTable, Deck, FaceCards
from chronicle.games.universalis.playing_cards import Card
from chronicle.games.universalis.pools import BuyDice
from chronicle.games.universalis.state import COIN, Phase, Stage
from chronicle.games.universalis.table import names_players

if TYPE_CHECKING:
    from random import Random


class HandSettings(FaceCards):
    """What the group sets for cards instead of dice."""

    wealth = option(
        choice("hand", "stack"),
        "stack: cards are spent from the top of a face-down stack",
        default="hand",
    )
    kept = option(
        choice("shuffled", "fresh"),
        "with a stack, what becomes of kept Bonus Coins: the cards of the Pool are shuffled in, or fresh "
        "ones are drawn",
        default="shuffled",
    )


class ShowHand(AddOnEntry):
    """Write down the cards that players hold, so that a reader may see what they had to choose from."""

    verb = "hand"
    decides = Decides("table")
    example = "hand: {Dov: [2h, 9s, K]}"
    cards_of = main(MapOf(in_role("shows", NAME), CARDS), "{player: cards}")


def show_hand(play: Table, action: ShowHand) -> None:
    """A hand has as many cards as its player has Coins, and none that was turned already."""
    add_on = in_force(play, CardsInsteadOfDice)
    names: list[str] = []
    for word, player, shown in names_players(play, action.cards_of):
        if add_on is not None:
            add_on.show(play, player, shown, action.place("main", str(word)))
            names.append(player)
    play.step.player = names[0] if len(names) == 1 else ""
    play.step.headline = f"{listed(names)} {'show' if len(names) > 1 else 'shows'} a hand"


class CardsInsteadOfDice(CardTable):
    """A hand to manage."""

    variant = "UA.44"
    summary = (
        "Each player holds Coins as a hand of cards from a deck of their own and spends which they like; in a "
        "Complication they lie face down and Ace to 5 succeed. A drawn Trait is dealt from a deck of "
        "its own."
    )
    changes = ("U1.2", "U3.14", "U6.5", "U6.11", "U6.15", "U6.20")
    excludes = MappingProxyType({"six-sided dice": "cards take the place of dice"})
    usually_kept = True
    held = "hand"
    rule_text = """
        UA.44 Cards instead of Dice [checked]
          A Coin is a card of one's choice, laid open on the player's discards; Coins come in as cards from their own
          deck. Bought dice are cards from the hand, drawn Traits and Edge cards the top cards of the deck of
          Traits, face down until the roll. A full deck has five Successes in thirteen; a group may take the face
          cards out or give them a meaning. Each deck has its discards and is shuffled only when it is used up.
        UA.44a A Stack instead of a Hand [checked]
          Wealth is a face-down stack, spent from the top and refilled from below: players do not look into it.
          Kept Bonus Coins are shuffled in with the cards of the Pool, or replaced by fresh ones.
        """
    verbs = {ShowHand: show_hand}  # noqa: RUF012
    chosen: HandSettings

    @property
    def at_random(self) -> bool:
        """From a stack only."""
        return self.chosen.wealth == "stack"

    def deals_from(self, player: str) -> str:
        """The deck of Traits."""
        return TRAITS

    def back_to_wealth(self, kept_coins: int, played: int) -> int:
        """In a stack, as many as there are."""
        shuffled = self.chosen.wealth == "stack" and self.chosen.kept == "shuffled"
        return min(kept_coins, played) if shuffled else 0

    def laid_open(self, play: Table, action: BuyDice) -> None:
        """Players should not see them yet, but the log is sometimes written later."""
        play.suspect(
            True,
            self.code,
            f"{play.step.player} shows the cards that go into a Pool; they lie face down until the roll",
            at="cards",
            fix=drop_key("cards"),
            help="the roll shows them",
        )

    def played(self, play: Table, deck: Deck, card: Card) -> None:
        """Out of the hand, where the log has shown it."""
        super().played(play, deck, card)
        if deck.hand is None:
            return
        matching_cards = [
            held for held in deck.hand if held.rank == card.rank and card.suit in ("", held.suit)
        ]
        if play.require(
            bool(matching_cards)
            or any(held.rank == card.rank and not held.suit for held in deck.hand),
            self.code,
            f"{deck.owner} pays with {card}, which is not in the hand: "
            f"{listed(str(held) for held in deck.hand)}",
            at="cards",
        ):
            deck.hand.remove(matching_cards[0] if matching_cards else Card(card.rank))

    def show(self, play: Table, player: str, shown: tuple[Card, ...], where: Place) -> None:
        """Hold what a hand is said to be."""
        if not play.require(
            self.chosen.wealth == "hand",
            "UA.44a",
            f"{player} looks into the stack, and its cards are unknown before they are spent",
            at=where,
        ):
            return
        deck = memory(play, Cards).decks[player]
        held = play.balance(f"wealth:{player}", COIN) + play.balance(f"bid:{player}", COIN)
        wealth = f"wealth:{player}"
        if held != len(shown) and not play.assign_unknown_payment(wealth, COIN, held - len(shown)):
            play.report(
                DiagnosticKind.BOOKKEEPING,
                self.code,
                f"{player} has {plural(held, 'Coin')}, so {plural(held, 'card')} in hand, not {len(shown)}",
                at=where,
                since=play.unknown_until.get(wealth, 0),
                state_kind="purses",
            )
        gone = {card for card, _ in deck.turned if card.suit}
        twice = [card for card in shown if card.suit and (card in gone or shown.count(card) > 1)]
        play.require(
            not twice,
            self.code,
            f"{player} cannot hold {listed(dict.fromkeys(map(str, twice)))}: each card is in "
            f"{deck.name} once, and the discards are not shuffled before it is used up",
            at=where,
        )
        deck.hand = list(shown)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Hands that are possible."""
        state = play.state
        deck = memory(play, Cards).decks.get(state.turn)
        if deck is None or deck.hand is not None or self.chosen.wealth != "hand":
            return
        held = play.balance(f"wealth:{deck.owner}", COIN) + play.balance(f"bid:{deck.owner}", COIN)
        free = self.possible(play, deck.owner, [])
        rolled = any(state.complications[n - 1].stage is Stage.ROLLED for n in state.running)
        if state.phase is not Phase.SCENE or rolled or not 0 < held <= len(free):
            return

        def hand(rng: Random) -> dict[str, list[str]]:
            return {deck.owner: [str(card) for card in rng.sample(free, held)]}

        yield self.offer("hand", deck.owner, "show a hand", hand)
