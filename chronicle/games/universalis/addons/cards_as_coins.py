"""UA.14: everybody's Coins are a face-down pile of cards, and the same cards are the dice."""

from __future__ import annotations

from types import MappingProxyType

from chronicle.games.universalis.addons.card_decks import CardTable


class CardsAsCoins(CardTable):
    """The Bank is a deck."""

    variant = "UA.14a"
    summary = (
        "Each player has a deck of 40 cards as a Bank. Coins are cards drawn from it, face down and "
        "unseen; they are spent from the top. In a Complication they are the dice: Ace to 5 succeed."
    )
    changes = ("U1.2", "U3.14", "U6.5", "U6.11", "U6.15", "U6.20", "U6.34")
    excludes = MappingProxyType(
        {
            "six-sided dice": "cards take the place of dice",
            "cards instead of dice": "cards are Coins in one way or the other",
        }
    )
    usual_spent = MappingProxyType({"jack": "right", "queen": "left", "king": "across"})
    usual_turned = MappingProxyType({"jack": "cancels", "queen": "coin", "king": "success"})
    rule_text = """
        UA.14 Cards as Coins [checked]
          Without face cards half the cards of a deck are Successes. Bought dice are cards from the top of the
          Wealth pile, drawn Traits cards from the Bank of the drawing player, all face down until the roll.
          Players may not look at cards or choose them. When a deck is used up its discards are shuffled; until
          then no card comes twice. Cards taken out of a Pool are its last cards; after a tie every card is
          replaced from its deck, and Edge cards are dealt from the player's own.
        UA.14a Face Cards with a Meaning [computed]
          The face cards stay in and mean something. When spent: a Jack has the neighbour to the right pay, a Queen
          the neighbour to the left, a King the player across (a player without Coins pays nothing); the card is
          laid off and another drawn. In a Pool: a Jack cancels a Success, a King is one more for winning, a Queen
          is worth a Coin. A group may settle other meanings.
        """
