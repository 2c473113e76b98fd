"""The answers of the core rules, chapters 1 to 6, to the questions of :mod:`points`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from chronicle.core.source import Word
from chronicle.games.universalis.points import (
    Answer,
    Bar,
    DieRule,
    PoolMethodName,
    RulePoints,
    Singly,
    Table,
    Verdict,
)
from chronicle.games.universalis.state import (
    CHARACTER,
    ChallengeRecord,
    Charge,
    Complication,
    Component,
    Pool,
    RollRound,
    SceneState,
    Sort,
    Trait,
)

if TYPE_CHECKING:
    from random import Random

PRICES: Mapping[str, int] = MappingProxyType(
    {
        "tenet": 1,
        "gimmick": 1,
        "end gimmick": 1,
        "fade": 1,
        "interrupt": 1,
        "take over": 1,
        "dialog": 1,
        "location": 1,
        "past": 1,
        "future": 1,
        "back in time": 1,
        "first date": 1,
        "time": 1,
        "introduce": 1,
        "create": 1,
        "exit": 1,
        "absent": 1,
        "event": 1,
        "fact": 1,
        "trait": 1,
        "remove": 1,
        "restore": 1,
        "separate": 1,
        "buy": 1,
        "role": 1,
        "originate": 0,
    }
)
"""What the core rules ask for one of each (the future: per player paid)."""


class CoreRules(RulePoints):
    """The answers of the core rules, with the readings that the campaign chose."""

    def __init__(self, start: Mapping[str, int], start_default: int, refreshment: int) -> None:
        super().__init__(None)
        self._start = dict(start)
        self._start_default = start_default
        self._refreshment = refreshment

    def price(
        self, play: Table, what: str, player: str = "", component: Component | None = None
    ) -> int:
        """The price list."""
        return PRICES[what]

    def traits_price(self, play: Table, component: Component | None, copies: int) -> int:
        """One Coin a copy (U4.3)."""
        return copies * play.state.points.price(play, "trait", component=component)

    def forbidden(self, play: Table, verb: str, player: str) -> str:
        """Nothing is forbidden as such."""
        return ""

    def starting_coins(self, play: Table, player: str) -> int:
        """As the campaign says; 25 is suggested."""
        return self._start.get(player, self._start_default)

    def refreshment(self, play: Table, player: str) -> int:
        """As the campaign says; 5 is suggested."""
        return self._refreshment

    def tenets_a_turn(self, play: Table) -> int:
        """One."""
        return 1

    def purses(self, play: Table, player: str, sort: str, due: Charge | None = None) -> list[str]:
        """While an outcome is told, Bonus Coins; else the bid on the table and the Wealth (S7, S8)."""
        state = play.state
        wealth = f"wealth:{player}"
        if sort == "wealth" or (
            sort == "challenge" and play.rulings["challenge purse"] == "wealth"
        ):
            return [wealth]
        if state.purses and state.purses[-1].player == player:
            if play.rulings["outcome purse"] == "both":
                return [state.purses[-1].account, wealth]
            return [state.purses[-1].account]
        scene = state.scene
        if scene is None or scene.framer != player or not scene.open:
            return [wealth]
        if sort != "scene" and play.rulings["bid pays"] == "scene":
            return [wealth]
        bid = f"bid:{player}"
        return [bid, wealth] if play.rulings["purse"] == "bid" else [wealth, bid]

    def named_purses(self, play: Table, player: str) -> dict[str, str]:
        """The Wealth, and the bid on the table."""
        return {"wealth": f"wealth:{player}", "bid": f"bid:{player}"}

    def bars_purse(self, play: Table, player: str, purse: str) -> Bar | None:
        """Naming one of those that the core rules know changes the order only."""
        return None

    def payers(self, play: Table, player: str, amount: int) -> list[tuple[str, int]]:
        """The player."""
        return [(player, amount)]

    def take_over_price(self, play: Table, player: str, component: Component) -> int:
        """As on the price list."""
        return play.state.points.price(play, "take over", player, component)

    def priced_by(self, play: Table, what: str, component: Component | None) -> str:
        """The rule that asks it."""
        return ""

    def keeper(self, play: Table, component: Component) -> str:
        """Whoever introduces it or takes it over (U3.24, U3.29)."""
        return ""

    def bars_control(self, play: Table, player: str, component: Component) -> Bar | None:
        """Nothing: any player may take over (U3.29)."""
        return None

    def bars_change(self, play: Table, player: str, component: Component, what: str) -> Bar | None:
        """Nothing but what Control asks (U3.26)."""
        return None

    def bars_entry(
        self, play: Table, player: str, component: Component, agreed: Collection[str]
    ) -> Bar | None:
        """Nothing: what is available may be introduced by anybody (U5.2)."""
        return None

    def entered_scene(self, play: Table, here: SceneState, component: Component) -> SceneState:
        """The one at hand."""
        return here

    def bars_voice(self, play: Table, player: str, component: Component) -> Bar | None:
        """Nothing but what Control asks (U3.33)."""
        return None

    def weight(self, play: Table, component: Component, trait: Trait) -> int:
        """One a copy; free corollaries as the campaign reads them (S40), or what it cost (S42)."""
        if not trait.copies:
            return 0
        if trait.free and play.rulings["corollaries"] == "not counted":
            return 0
        if play.rulings["importance"] == "coins" and not trait.free:
            total = trait.copies + trait.removed
            return trait.paid * trait.copies // total if total else 0
        return trait.copies

    def elimination_price(self, play: Table, component: Component) -> int:
        """Its Importance; of a Master only its own Traits, once its Subs are gone (S49)."""
        each = play.state.points.toughness(play, component)
        if component.master and play.rulings["master elimination"] == "subs first":
            return component.own * each
        return component.total * each

    def toughness(self, play: Table, component: Component) -> int:
        """One (U4.36)."""
        return 1

    def return_price(self, play: Table, component: Component) -> int:
        """Its Importance as it is now."""
        return component.total

    def name_gives_die(self, play: Table, component: Component) -> str | None:
        """A Character's does."""
        return "" if component.kind == CHARACTER else None

    def unseen(self, play: Table, component: Component, word: Word) -> Bar | None:
        """The usual words."""
        return None

    def dice_of_draw(self, play: Table, component: Component, trait: Trait) -> int:
        """One."""
        return 1

    def only_added(self, play: Table) -> str:
        """Nothing does."""
        return ""

    def die(self, play: Table) -> DieRule:
        """Ten-sided ones."""
        return DieRule("d10", 10, "1 to 5 is a Success", "U6.20")

    def throw(self, play: Table, pools: Sequence[Pool], rng: Random) -> dict[str, list[str]]:
        """Any face of the dice at this table."""
        sides = play.state.points.die(play).sides
        return {
            pool.player: [str(rng.randint(1, sides)) for _ in range(pool.dice + pool.edge)]
            for pool in pools
        }

    def success(self, face: int) -> bool:
        """1 to 5."""
        return face <= 5

    def score(self, play: Table, faces: Sequence[int]) -> int:
        """Its Successes."""
        return sum(1 for face in faces if play.state.points.success(face))

    def winner_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """The Successes added up, and Edge Dice that were none (U6.27)."""
        first_edge = len(faces) - edges
        success = play.state.points.success
        return sum(f for place, f in enumerate(faces) if success(f) or place >= first_edge)

    def loser_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """One a die, and the faces of Edge Dice (S67)."""
        if not edges:
            return len(faces)
        shown = faces[len(faces) - edges :]
        if play.ruling("losing edge") == "failures":
            success = play.state.points.success
            return len(faces) + sum(face for face in shown if not success(face))
        return len(faces) + sum(shown)

    def verdict(self, play: Table, complication: Complication, roll: RollRound) -> Verdict:
        """Two sides; Target Pools count together (U6.19)."""
        one, other = play.state.points.counted(play, complication, roll)
        scores = (
            sum(roll.successes.get(p, 0) for p in one),
            sum(roll.successes.get(p, 0) for p in other),
        )
        sums = (sum(roll.sums.get(p, 0) for p in one), sum(roll.sums.get(p, 0) for p in other))
        if scores[0] != scores[1]:
            winners = complication.side("complication" if scores[0] > scores[1] else "target")
            return Verdict(tuple(pool.player for pool in winners), (), scores, sums)
        edge: list[str] = []
        if sums[0] >= sums[1]:
            edge.append(self._edge_pool(play, complication, roll, one))
        if sums[1] >= sums[0]:
            edge.append(self._edge_pool(play, complication, roll, other))
        return Verdict((), tuple(p for p in edge if p), scores, sums)

    def pool_method(self, play: Table, complication: Complication) -> PoolMethodName:
        """Together, which needs no name."""
        return PoolMethodName("", "")

    def counted(
        self, play: Table, complication: Complication, roll: RollRound
    ) -> tuple[list[str], list[str]]:
        """All Pools of a side together."""
        return (
            [pool.player for pool in complication.side("complication")],
            [pool.player for pool in complication.side("target")],
        )

    def allocator(self, play: Table, complication: Complication) -> str:
        """Nobody."""
        return ""

    def meets_singly(self, play: Table, complication: Complication) -> Singly:
        """All at once."""
        return Singly("")

    def outlasts_scene(self, play: Table, complication: Complication) -> str:
        """None."""
        return ""

    def may_buy_dice(self, play: Table, complication: Complication) -> bool:
        """No."""
        return False

    def _edge_pool(
        self, play: Table, complication: Complication, roll: RollRound, pools: Sequence[str]
    ) -> str:
        """The Pool of a side with the most Successes, then closest to the Originator's left (U6.24)."""
        if not pools:
            return ""
        most = max(roll.successes.get(p, 0) for p in pools)
        tied = [p for p in pools if roll.successes.get(p, 0) == most]
        return tied[0] if len(tied) == 1 else play.left_of(complication.originator, tied)

    def narration_order(self, play: Table, complication: Complication) -> tuple[str, ...]:
        """Winners by most Coins, then losers by most Coins; equal ones clockwise from the Originator."""
        seats = play.seats
        start = seats.index(complication.originator) if complication.originator in seats else 0

        def key(player: str) -> tuple[int, int, int]:
            seat = seats.index(player) if player in seats else 0
            return (
                0 if player in complication.winners else 1,
                -complication.pools[player].coins,
                (seat - start) % max(len(seats), 1),
            )

        return tuple(sorted(complication.pools, key=key))

    def may_transfer(self, play: Table, kind: str) -> str:
        """Nothing does."""
        return ""

    def loan_factor(self, play: Table) -> int:
        """One: as much as was lent."""
        return 1

    def time_may_jump(self, play: Table) -> str:
        """Nothing does."""
        return ""

    def used_up(self, play: Table, component: Component) -> str:
        """Nothing does."""
        return ""

    def support(self, play: Table, coins: int, facts: int) -> int:
        """Doubled once, however many Facts there are (S33)."""
        if not facts:
            return coins
        return coins * 2**facts if play.ruling("doubling") == "each" else coins * 2

    def facts_behind(
        self, play: Table, record: ChallengeRecord, side: str
    ) -> tuple[tuple[str, str], ...]:
        """Nothing does."""
        return ()

    def bid_comes_back(self, play: Table, record: ChallengeRecord, player: str) -> Answer:
        """No."""
        return Answer(False, "U3.48", "all Coins bid go to the Bank")

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """Nothing: any Trait may be bought, and any number of times (U4.3, U4.6)."""
        return None

    def bars_loss(self, play: Table, component: Component, trait: Trait) -> Bar | None:
        """Nothing: any Trait may go (U4.43)."""
        return None

    def bars_challenge(self, play: Table, step: int) -> Bar | None:
        """Nothing: whatever a player says or does may be Challenged (U3.40)."""
        return None

    def standing_facts(self, play: Table, of: int) -> list[tuple[str, str]]:
        """None: a Fact is named by whoever wants it to count (U3.51)."""
        return []

    def bars_fact(self, play: Table, fact: Word, side: str, of: int, known: bool) -> Bar | None:
        """It must be known."""
        if known:
            return None
        return Bar(
            "U3.51",
            f"'{fact}' is no Fact: nobody paid for it",
            "name a Fact by its id or words, or a Trait as 'Component: Trait'",
        )

    def fine_voters(self, play: Table, accuser: str, accused: str) -> set[str]:
        """Everybody but the accused (S37)."""
        voters = set(play.present)
        match play.rulings["fine voters"]:
            case "everybody":
                return voters
            case "neither":
                return voters - {accuser, accused}
        return voters - {accused}

    def needs_bid(self, play: Table) -> bool:
        """Yes."""
        return True

    def shortage(self, play: Table, account: str) -> tuple[str, str]:
        """Nobody pays what is not there."""
        return "U1.2", "Bonus Coin" if account.startswith("bonus:") else "Coin"

    def may_prepare(self, play: Table, verb: str) -> bool:
        """No."""
        return False

    def builds_in_turns(self, play: Table) -> bool:
        """Yes."""
        return True

    def jump_price(self, play: Table) -> int | None:
        """As the campaign reads it."""
        return None

    def wealth_rule(self, play: Table, player: str) -> str:
        """That purses are kept."""
        return "U1.2"

    def elsewhere(self, play: Table, word: Word) -> Component | None:
        """The story is in one place."""
        return None

    def framer_without_bid(self, play: Table) -> str:
        """The next player clockwise."""
        state = play.state
        return play.left_of(state.last_framer or state.starter or play.seats[-1])

    def leave_open(self, play: Table) -> bool:
        """No."""
        return False

    def turn_goes_on(self, play: Table) -> bool:
        """No."""
        return False

    def closing_rule(self, play: Table) -> str:
        """Its framer, on an own turn."""
        return "U3.11"

    def between_scenes(self, play: Table) -> str:
        """A bid."""
        return "Between scenes: everybody bids for the next one."
