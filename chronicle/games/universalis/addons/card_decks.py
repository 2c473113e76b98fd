"""What the two add-ons with cards share (UA.14, UA.44): decks, and where their cards are.

The order of a deck is unknown, so cards are counted: how many can still be drawn, how many are held,
how many are in Pools or on the discards. Those that were turned are remembered until the deck is used up and
shuffled again; none of them can be turned a second time before that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from chronicle.core.campaign import Session
from chronicle.core.declare import Action, Part, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import MapOf, choice
from chronicle.core.fix import drop_key
from chronicle.core.shared_verbs import Gap
from chronicle.games.universalis.actions import Entry
from chronicle.games.universalis.addons.base import AddOn, Table, add_page, memory, remembered
from chronicle.games.universalis.answers import CARD, DieRule
from chronicle.games.universalis.divisions import dice_of
from chronicle.games.universalis.drawing import DrawTraits
from chronicle.games.universalis.playing_cards import RANKS, Card, deck_of, read_card
from chronicle.games.universalis.pools import BuyDice
from chronicle.games.universalis.state import BANK, COIN, Complication, Pool, RollRound, Stage

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.campaign_view import Block, CampaignView

TRAITS = "Traits"
"""The name of the deck from which drawn Traits are dealt (UA.44)."""


@dataclass(slots=True, eq=False)
class Deck:
    """A deck: cards that can be drawn, cards held or laid, cards on its discards, and which of those
    were turned (each with the step that turned it)."""

    owner: str
    size: int
    stock: int
    discards: int = 0
    turned: list[tuple[Card, int]] = field(default_factory=list)
    shuffles: list[int] = field(default_factory=list)
    short: bool = False
    hand: list[Card] | None = None
    """The cards in hand, where the log has shown all of them and none has come or gone unseen."""

    @property
    def out(self) -> int:
        """Cards held or laid."""
        return self.size - self.stock - self.discards

    @property
    def name(self) -> str:
        """In a sentence."""
        return "the deck of Traits" if self.owner == TRAITS else f"{self.owner}'s deck"


class Laid(NamedTuple):
    """One card of a Pool, face down: from which deck, and whether it was played from what is held."""

    deck: str
    played: bool


@dataclass(slots=True, eq=False)
class Cards:
    """All decks, and the cards in the Pools of running Complications."""

    decks: dict[str, Deck] = field(default_factory=dict)
    laid: dict[tuple[int, str], list[Laid]] = field(default_factory=dict)
    kept_coins: Counter[str] = field(default_factory=Counter)
    """Bonus Coins kept of an outcome that is still being told."""
    followed: int = 0
    """Postings that were followed so far."""


_FACE_CARDS = {"jack": 11, "queen": 12, "king": 13}
_FACE_CARD = choice(*_FACE_CARDS)
_SPENT = choice("right", "left", "across", "nothing")
_TURNED = choice("cancels", "success", "coin", "nothing")


class FaceCards(Part):
    """What the group makes of Jack, Queen and King."""

    face_cards = option(choice("removed", "kept"), "whether they stay in the decks")
    when_spent = option(
        MapOf(_FACE_CARD, _SPENT),
        "{jack: who pays instead}: the neighbour to the right or left, or the player across",
    )
    when_turned = option(
        MapOf(_FACE_CARD, _TURNED),
        "{jack: what it does in a Pool}: it cancels a Success, is one (for winning only), or is worth a "
        "Coin",
    )


_TURNED_WORDS: Mapping[str, str] = {
    "cancels": "in a Pool: cancels a Success",
    "success": "in a Pool: one more Success, for winning only",
    "coin": "in a Pool: worth a Coin",
}


@dataclass(slots=True, eq=False)
class Bill:
    """How many of the cards that an entry shows have paid so far."""

    step: int = 0
    paid: int = 0


class CardTable(AddOn):
    """Cards for Coins and dice."""

    chosen: FaceCards
    usually_kept: ClassVar[bool] = False
    """Whether face cards stay in the decks where the group says nothing."""
    usual_spent: ClassVar[Mapping[str, str]] = MappingProxyType({})
    usual_turned: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What face cards do where they are kept and the group says nothing."""

    @property
    def face_cards(self) -> bool:
        """Whether Jack, Queen and King are in the decks."""
        stated = self.chosen.face_cards
        return self.usually_kept if stated is None else stated == "kept"

    def _turned(self, faces: Iterable[int], effect: str) -> int:
        """How many of these faces do this in a Pool."""
        stated = self.chosen.when_turned
        meaning = self.usual_turned if stated is None else {str(k): v for k, v in stated.items()}
        ranks = {_FACE_CARDS[card] for card, does in meaning.items() if does == effect}
        return sum(face in ranks for face in faces)

    def _pays(self, play: Table, player: str, card: Card) -> str:
        """Who pays when a player spends this card."""
        stated = self.chosen.when_spent
        meaning = self.usual_spent if stated is None else {str(k): v for k, v in stated.items()}
        does = next((d for c, d in meaning.items() if _FACE_CARDS[c] == card.number), "nothing")
        seats = [seat for seat in play.seats if seat in play.present]
        if player not in seats or does == "nothing":
            return player
        step = {"left": 1, "right": -1, "across": len(seats) // 2}[does]
        neighbour = seats[(seats.index(player) + step) % len(seats)]
        return neighbour if play.balance(f"wealth:{neighbour}", COIN) else player

    def payers(self, play: Table, player: str, amount: int) -> list[tuple[str, int]]:
        """Each card shown pays a Coin, or has a neighbour pay it."""
        shown = getattr(play.step.action, "cards", ())
        if not shown or not self.face_cards:
            return self.inner.payers(play, player, amount)
        bill = memory(play, Bill)
        if bill.step != play.step.number:
            bill.step, bill.paid = play.step.number, 0
        due: Counter[str] = Counter()
        for place in range(bill.paid, bill.paid + amount):
            card = shown[place] if place < len(shown) else None
            due[self._pays(play, player, card) if card is not None else player] += 1
        bill.paid += amount
        for payer in due:
            if payer != player:
                play.event(f"{payer} pays for {player}: a face card", self.variant, "pays")
        return list(due.items())

    variant: ClassVar[str] = ""
    """The rule about face cards with a meaning."""

    # -- what a variant answers -------------------------------------------------------------------------

    def deals_from(self, player: str) -> str:
        """The deck from which a drawn Trait (or an Edge) is dealt to a player."""
        return player

    def back_to_wealth(self, kept_coins: int, played: int) -> int:
        """How many of a player's own cards in a Pool become Wealth for this number of kept Bonus Coins."""
        return 0

    # -- dice are cards -----------------------------------------------------------------------------------

    def die(self, play: Table) -> DieRule:
        """Cards."""
        words = "Ace to 5 is a Success"
        if not self.face_cards:
            chance = (1, 2) if self.at_random else None
            gone = "the face cards were taken out of the decks"
            return DieRule(CARD, 10, words, self.code, chance, gone)
        ranks = 5 + self._turned(_FACE_CARDS.values(), "success")
        cancels = self._turned(_FACE_CARDS.values(), "cancels")
        chance = (ranks, 13) if self.at_random and not cancels else None
        return DieRule(CARD, 13, words, self.code, chance)

    @property
    def at_random(self) -> bool:
        """Whether players cannot choose which cards go into a Pool."""
        return True

    def success(self, play: Table, face: int) -> bool:
        """Ace to 5."""
        return 1 <= face <= 5

    def winner_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """A face card has no number; it may be worth a Coin."""
        numbers = [0 if face > 10 else face for face in faces]
        return self.inner.winner_coins(play, numbers, edges) + self._turned(faces, "coin")

    def loser_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """A face card has no number; it may be worth a Coin."""
        numbers = [0 if face > 10 else face for face in faces]
        return self.inner.loser_coins(play, numbers, edges) + self._turned(faces, "coin")

    def score(self, play: Table, faces: Sequence[int]) -> int:
        """A face card counts as a Success or cancels a Success; Coins do not change by that."""
        card_bonus = self._turned(faces, "success") - self._turned(faces, "cancels")
        return max(0, self.inner.score(play, faces) + card_bonus)

    # -- moments ----------------------------------------------------------------------------------------------

    def adopted(self, play: Table) -> None:
        """Everybody gets a deck; what they hold already is dealt from it."""
        cards = memory(play, Cards)
        size = len(deck_of(face_cards=self.face_cards))
        for player in play.seats:
            deck = cards.decks[player] = Deck(player, size, size)
            held = play.balance(f"wealth:{player}", COIN) + play.balance(f"bid:{player}", COIN)
            self._draw(play, deck, held)
        if self.deals_from("") == TRAITS:
            cards.decks[TRAITS] = Deck(TRAITS, size, size)
        cards.followed = len(play.ledger.postings)

    def after_entry(self, play: Table, action: Action) -> None:
        """Follow what the entry paid, brought in and laid."""
        if isinstance(action, Gap) and action.touches("pools"):
            for deck in memory(play, Cards).decks.values():
                deck.turned.clear()
                deck.hand = None
        spent = self._follow(play)
        if isinstance(action, Entry) and action.cards:
            self._shown_to_pay(play, action, spent)
        else:
            for player, coins in spent.items():
                if coins:
                    memory(play, Cards).decks[player].hand = None

    def session_closed(self, play: Table, session: Session) -> None:
        """What the end of a session paid out."""
        self._follow(play)

    def _follow(self, play: Table) -> Counter[str]:
        """Cards go where the Coins of new postings went. Returns what each player paid to the Bank."""
        cards = memory(play, Cards)
        spent: Counter[str] = Counter()
        drawn: Counter[str] = Counter()
        postings = play.ledger.postings
        for posting in postings[cards.followed :]:
            giver, taker = _holder(cards, posting.source), _holder(cards, posting.target)
            if posting.unit != COIN or giver == taker:
                continue
            if giver:
                cards.decks[giver].discards += posting.amount
                if posting.target == BANK:
                    spent[giver] += posting.amount
            if taker and posting.source.startswith("bonus:"):
                cards.kept_coins[taker] += posting.amount
            elif taker:
                drawn[taker] += posting.amount
        cards.followed = len(postings)
        telling = any(
            play.state.complications[number - 1].stage is Stage.ROLLED
            for number in play.state.running
        )
        kept_coins: Counter[str] = Counter() if telling else cards.kept_coins
        self._follow_pools(play, Counter(spent), kept_coins)
        for player, count in (drawn + kept_coins).items():
            self._draw(play, cards.decks[player], count)
        kept_coins.clear()
        return spent

    def _follow_pools(self, play: Table, spent: Counter[str], kept_coins: Counter[str]) -> None:
        """Cards laid into Pools, cards of Pools that are over. What of ``kept_coins`` is taken from the Pools
        itself is not drawn any more."""
        cards = memory(play, Cards)
        state = play.state
        laid_now: dict[tuple[int, str], list[Laid]] = {}
        for number in state.running:
            complication = state.complications[number - 1]
            for player, pool in complication.pools.items():
                laid_now[number, player] = self.laid(pool)
        loose: Counter[Laid] = Counter()
        for key, laid_before in cards.laid.items():
            if laid_before == laid_now.get(key):
                continue
            gone = Counter(laid_before) - Counter(laid_now.get(key, ()))
            if key not in laid_now and state.complications[key[0] - 1].stage is Stage.RESOLVED:
                player = key[1]
                own = Laid(player, True)
                returned = min(self.back_to_wealth(kept_coins[player], gone[own]), gone[own])
                if returned:
                    kept_coins[player] -= returned
                    gone[own] -= returned
                    deck = cards.decks[player]
                    # The table does not see which of them went back, so any card can turn up again.
                    shown = {thrown.step for thrown in state.complications[key[0] - 1].rounds}
                    deck.turned = [
                        turned_card for turned_card in deck.turned if turned_card[1] not in shown
                    ]
            loose += gone
        for key, laid_after in laid_now.items():
            if laid_after == cards.laid.get(key):
                continue
            for laid_card, count in (
                Counter(laid_after) - Counter(cards.laid.get(key, ()))
            ).items():
                passed = min(count, loose[laid_card])
                loose[laid_card] -= passed
                deck = cards.decks[laid_card.deck]
                played = min(count - passed, spent[laid_card.deck]) if laid_card.played else 0
                spent[laid_card.deck] -= played
                deck.discards -= played
                self._draw(play, deck, count - passed - played, laid=True)
        for laid_card, count in loose.items():
            cards.decks[laid_card.deck].discards += count
        cards.laid = laid_now

    def laid(self, pool: Pool) -> list[Laid]:
        """The cards of a Pool in the order in which they were laid, Edge cards last."""
        laid_cards = [
            Laid(die.player or pool.player, True)
            if die.coins
            else Laid(self.deals_from(die.player or pool.player), False)
            for die in dice_of(pool)
        ]
        return [*laid_cards, *[Laid(self.deals_from(pool.player), False)] * pool.edge]

    def _draw(self, play: Table, deck: Deck, count: int, *, laid: bool = False) -> None:
        if count <= 0:
            return
        if not laid:
            deck.hand = None
        if count > deck.stock and deck.discards:
            count -= deck.stock
            deck.stock, deck.discards = deck.discards, 0
            deck.turned.clear()
            if play.current is not None:
                deck.shuffles.append(play.step.number)
                play.event(
                    f"{deck.name} is used up; its discards are shuffled", self.code, "shuffles"
                )
        if count > deck.stock and not deck.short:
            deck.short = True
            if play.current is not None:
                play.suspect(
                    True,
                    self.code,
                    f"{deck.name} has {plural(deck.stock, 'card')} left, and {count} are drawn",
                    help="Coins beyond the cards of a deck are counted, and their cards are not",
                )
        deck.stock = max(0, deck.stock - count)

    # -- cards that are turned -----------------------------------------------------------------------------

    def fell(self, play: Table, complication: Complication, thrown: RollRound) -> None:
        """Every card must be one that its deck can still hold."""
        earlier = complication.rounds[:-1]
        for player, texts in thrown.shown.items():
            laid = self.laid(complication.pools[player])
            # After a tie every card is replaced by the next of the deck that it came from.
            for laid_card in laid[: len(earlier[-1].faces.get(player, ())) if earlier else 0]:
                deck = memory(play, Cards).decks[laid_card.deck]
                deck.discards += 1
                self._draw(play, deck, 1, laid=True)
            if len(laid) != len(texts):
                continue
            for laid_card, text in zip(laid, texts, strict=True):
                card = read_card(text)
                if card is not None:
                    self.turn(play, memory(play, Cards).decks[laid_card.deck], card, player)

    def turn(self, play: Table, deck: Deck, card: Card, player: str) -> None:
        """A card is turned: not one that was turned before, unless the deck was shuffled since, or more
        was drawn than it has (then the remaining cards are unknown)."""
        same_card = [step for turned_card, step in deck.turned if card.suit and turned_card == card]
        rank = [step for turned_card, step in deck.turned if turned_card.rank == card.rank]
        play.require(
            deck.short or (not same_card and len(rank) < 4),
            self.code,
            f"{player} turns {card} of {deck.name}, "
            + (
                "which was turned before"
                if same_card
                else f"whose four cards of rank {card.rank} were"
            ),
            facts=[play.because((same_card or rank)[-1], "turned here")] if rank else (),
            help=f"{deck.name} has {plural(deck.stock, 'card')} left to draw, and its discards are "
            "shuffled only when it is used up",
        )
        deck.turned.append((card, play.step.number))

    def _shown_to_pay(self, play: Table, action: Entry, spent: Counter[str]) -> None:
        """The cards that an entry says were played for its Coins."""
        cards = memory(play, Cards)
        player = play.step.player
        place = action.place("cards")
        if isinstance(action, DrawTraits):
            play.illegal(
                self.code,
                "a drawn Trait is dealt from "
                f"{'the deck of Traits' if self.deals_from('') == TRAITS else 'the Bank'}, "
                "face down; no card is played for it",
                at=place,
                fix=drop_key("cards"),
                help="the roll shows them all",
            )
            return
        if isinstance(action, BuyDice):
            self.laid_open(play, action)
            return
        total = sum(spent.values())
        deck = cards.decks.get(player)
        if deck is None:
            return
        if total != len(action.cards):
            play.report(
                DiagnosticKind.BOOKKEEPING,
                self.code,
                f"{plural(total, 'Coin')} from the {self.held} are {plural(total, 'card')}, "
                f"not {len(action.cards)}",
                at=place,
                fix=drop_key("cards"),
                help="or write one card for each Coin",
            )
        for card in action.cards:
            if card.number > self.die(play).sides:
                play.illegal(
                    self.code, f"{player} pays with {card}, and {self.die(play).instead}", at=place
                )
                continue
            self.turn(play, deck, card, player)
            self.played(play, deck, card)

    held = "Wealth"
    """What players call their cards."""

    def laid_open(self, play: Table, action: BuyDice) -> None:
        """Cards for a Pool are shown before the roll."""
        play.illegal(
            self.code,
            f"{play.step.player} shows the cards that go into a Pool; they lie face down until the roll",
            at="cards",
            fix=drop_key("cards"),
            help="the roll shows them",
        )

    def played(self, play: Table, deck: Deck, card: Card) -> None:
        """A card was shown to pay. One that has a neighbour pay is laid off, and another is drawn."""
        if self._pays(play, deck.owner, card) != deck.owner:
            deck.discards += 1
            self._draw(play, deck, 1)

    # -- random play and readers --------------------------------------------------------------------------

    def throw(self, play: Table, pools: Sequence[Pool], rng: Random) -> dict[str, list[str]]:
        """Cards that the decks can still hold; after a tie the decks can be shuffled before all cards are drawn."""
        running = [play.state.complications[number - 1] for number in play.state.running]
        redrawn = {
            pool.player: len(complication.rounds[-1].faces.get(pool.player, ()))
            for complication in running
            for pool in pools
            if complication.rounds and pool in complication.pools.values()
        }
        drawn: Counter[str] = Counter()
        turned_cards: dict[str, list[Card]] = {}
        thrown: dict[str, list[str]] = {}
        for pool in pools:
            thrown[pool.player] = []
            laid = self.laid(pool)
            drawn.update(laid_card.deck for laid_card in laid[: redrawn.get(pool.player, 0)])
            for laid_card in laid:
                shuffled = drawn[laid_card.deck] > memory(play, Cards).decks[laid_card.deck].stock
                card = rng.choice(
                    self.possible(
                        play,
                        laid_card.deck,
                        turned_cards.get(laid_card.deck, []),
                        shuffled=shuffled,
                    )
                )
                turned_cards.setdefault(laid_card.deck, []).append(card)
                thrown[pool.player].append(str(card))
        return thrown

    def possible(
        self, play: Table, deck: str, turned_cards: Iterable[Card], *, shuffled: bool = False
    ) -> list[Card]:
        """The cards that may still be turned in a deck, or in one that is ``shuffled`` first."""
        deck_memory = memory(play, Cards).decks[deck]
        every = deck_of(face_cards=self.face_cards)
        if deck_memory.short:
            return every
        gone = set(turned_cards) | (set() if shuffled else {card for card, _ in deck_memory.turned})
        return [card for card in every if card not in gone]

    def panel(self, play: Table) -> tuple[Block, ...]:
        """Where the cards of every deck are, and hands that were shown."""
        return self.blocks(memory(play, Cards))

    def blocks(self, cards: Cards) -> tuple[Block, ...]:
        """The decks, and what face cards mean at this table."""
        from chronicle.core.campaign_view import Facts, Inline

        rows: list[tuple[str, Inline]] = []
        for name, number in _FACE_CARDS.items() if self.face_cards else ():
            does = next((w for w in _TURNED_WORDS if self._turned([number], w)), "")
            words = [_TURNED_WORDS[does]] if does else []
            pays = self.spent_words(name)
            words += [pays] if pays else []
            if words:
                rows.append((name.capitalize(), "; ".join(words)))
        decks = table_of_decks(cards)
        return (*decks, Facts(tuple(rows), "Face cards")) if rows else decks

    def spent_words(self, card: str) -> str:
        """What a face card does when it is spent, in words."""
        stated = self.chosen.when_spent
        meaning = self.usual_spent if stated is None else {str(k): v for k, v in stated.items()}
        match meaning.get(card):
            case "right" | "left" as side:
                return f"spent: the neighbour to the {side} pays"
            case "across":
                return "spent: the player across pays"
        return ""

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The decks have a page."""
        from chronicle.core.campaign_view import Bars, Item, Listing

        record = view.record
        cards = remembered(record.state, Cards)
        if not cards.decks or any(page.slug == "cards" for page in view.pages):
            return
        shuffles = sorted(
            (step, deck.name) for deck in cards.decks.values() for step in deck.shuffles
        )
        shown = Counter(
            face
            for step in record.visible_steps()
            for throw in step.throws
            if throw.die == CARD
            for face in throw.faces
        )
        layer = next((add_on for add_on in record.state.add_ons if isinstance(add_on, cls)), None)
        blocks = list(layer.blocks(cards) if layer is not None else table_of_decks(cards))
        if layer is not None:
            view.state += blocks
        if shown:
            turned = tuple((rank, shown[rank], "") for rank in RANKS if shown[rank])
            blocks.append(Bars("Cards turned in Pools", turned))
        if shuffles:
            items = (Item(f"{name} is used up and shuffled", step=step) for step, name in shuffles)
            blocks.append(Listing(tuple(items), "Shuffled anew"))
        intro = "Where the cards of every deck are, after the last entry."
        add_page(view, "cards", "Cards", blocks, intro)


def _holder(cards: Cards, account: str) -> str:
    """The player who holds the Coins of an account as cards; Bonus Coins are no cards yet."""
    kind, _, owner = account.partition(":")
    return owner if kind != "bonus" and owner in cards.decks else ""


def table_of_decks(cards: Cards) -> tuple[Block, ...]:
    """One row for each deck, and the hands that are known."""
    from chronicle.core.campaign_view import Slip, Slips, heads
    from chronicle.core.campaign_view import Table as TableBlock

    pools = Counter(laid_card.deck for laid in cards.laid.values() for laid_card in laid)
    rows = tuple(
        (
            deck.owner,
            deck.stock,
            deck.out - pools[deck.owner],
            pools[deck.owner],
            deck.discards,
            listed(str(card) for card, _ in deck.turned[-6:]) or "-",
        )
        for deck in cards.decks.values()
    )
    blocks: list[Block] = [
        TableBlock(
            heads("Deck | To draw # | Held # | In Pools # | Discards # | Turned last"),
            rows,
            "Decks",
        )
    ]
    blocks += [
        Slips(tuple(Slip(str(card)) for card in deck.hand), f"{deck.owner}'s hand")
        for deck in cards.decks.values()
        if deck.hand
    ]
    return tuple(blocks)
