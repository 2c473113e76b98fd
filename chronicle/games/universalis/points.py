"""Rule points: every question to which an optional rule may give another answer.

Handlers never write a price or a permission down; they ask ``play.state.points``. :class:`CoreRules`
gives the answers of chapters 1 to 6. A layer (:class:`RulePoints` itself, or an add-on's subclass)
sits on top of another, answers some questions differently and passes the rest on. A campaign's
add-ons and the Gimmicks adopted in play are layers; putting one on or taking one off in mid-play
is all that adopting or dropping it means.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from chronicle.core.diagnostic import plural
from chronicle.core.names import fold
from chronicle.core.replay import Play
from chronicle.core.source import Word
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
    State,
    Trait,
)

if TYPE_CHECKING:
    from random import Random

    from chronicle.games.universalis.actions import Sets

Table = Play[State]
"""The table as the handlers of this game know it."""

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


CARD = "card"
"""What a Pool holds where cards take the place of dice."""


class DieRule(NamedTuple):
    """What is rolled: the name of the die, its highest face, what a Success is in words, the rule that
    says so, how many of how many faces are one (None: not a matter of chance), and what is wrong with a
    higher face."""

    name: str
    sides: int
    words: str
    rule: str
    chance: tuple[int, int] | None = (1, 2)
    instead: str = ""

    def counted(self, number: int) -> str:
        """So many of them, in words."""
        return plural(number, CARD) if self.name == CARD else plural(number, "die", "dice")


class Answer(NamedTuple):
    """A yes or no with its reason: by which rule, why, and what to do instead."""

    yes: bool
    rule: str
    words: str = ""
    help: str = ""


class Singly(NamedTuple):
    """The rule by which Target Pools roll one after the other (empty: all roll at once), whether those
    that wait may still grow, and how their order is fixed (empty: the players choose)."""

    rule: str
    grow: bool = False
    order: str = ""


TOGETHER = "standard pool"
"""The method by which all Pools of a side count together, which is the core rule."""


class PoolMethodName(NamedTuple):
    """A way in which several Pools meet: its name and the rule that describes it."""

    name: str
    rule: str


class Verdict(NamedTuple):
    """How a throw was decided: players who won (none: a tie), and to whom the Edge goes if tied."""

    winners: tuple[str, ...]
    edge_to: tuple[str, ...]
    scores: tuple[int, int]
    sums: tuple[int, int]


class Bar(NamedTuple):
    """What stands in the way of an act: the rule, what is wrong, what to write instead, and the step
    that ``since`` speaks of."""

    rule: str
    message: str
    help: str | tuple[str, ...] = ()
    step: int = 0
    since: str = ""


class RulePoints:
    """A layer that passes every question on to the layer below it."""

    id = ""
    """The Gimmick or add-on that put the layer on; empty for the core."""

    def __init__(self, inner: RulePoints | None = None) -> None:
        self.below = inner
        self._passed_on = tuple(name for name in _QUESTIONS if not self.answers(name))
        self.link()

    def link(self) -> None:
        """Let every question that this layer passes on go straight to the layer that answers it. To be
        called whenever the layer below has changed, the lowest first."""
        if self.below is None:
            return
        passed = self.below.__dict__
        own = self.__dict__
        for name in self._passed_on:
            own[name] = passed[name] if name in passed else getattr(self.below, name)

    def answers(self, name: str) -> bool:
        """Whether this layer has an answer of its own to a question."""
        return getattr(type(self), name) is not getattr(RulePoints, name)

    def __getstate__(self) -> dict[str, object]:
        return {key: value for key, value in self.__dict__.items() if key not in _QUESTIONS}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.link()

    @property
    def inner(self) -> RulePoints:
        """The layer below. Only the core has none, and it never asks."""
        if self.below is None:
            raise LookupError("the core rules have no layer below them")
        return self.below

    def price(
        self, play: Table, what: str, player: str = "", component: Component | None = None
    ) -> int:
        """What one of ``what`` costs, in Coins (a key of :data:`PRICES`)."""
        return self.inner.price(play, what, player, component)

    def traits_price(self, play: Table, component: Component | None, copies: int) -> int:
        """What so many Trait copies of one purchase cost together."""
        return self.inner.traits_price(play, component, copies)

    def forbidden(self, play: Table, verb: str, player: str) -> str:
        """The id of what forbids a verb; empty where it may be used."""
        return self.inner.forbidden(play, verb, player)

    def starting_coins(self, play: Table, player: str) -> int:
        """Coins at the start (U1.3)."""
        return self.inner.starting_coins(play, player)

    def refreshment(self, play: Table, player: str) -> int:
        """Coins after a full scene (U3.14)."""
        return self.inner.refreshment(play, player)

    def tenets_a_turn(self, play: Table) -> int:
        """How many Tenets one turn allows (U2.4)."""
        return self.inner.tenets_a_turn(play)

    def purses(self, play: Table, player: str, sort: str, due: Charge | None = None) -> list[str]:
        """The accounts a player pays from, in order. ``sort`` is ``scene``, ``turn``, ``challenge`` or
        ``wealth``; ``due`` says what for."""
        return self.inner.purses(play, player, sort, due)

    def bars_purse(self, play: Table, player: str, purse: str) -> Bar | None:
        """What to say when an entry names a purse (``bid``) that does not pay for it."""
        return self.inner.bars_purse(play, player, purse)

    def named_purses(self, play: Table, player: str) -> dict[str, str]:
        """What a player may write after ``purse:``, in small letters, and the account that it means."""
        return self.inner.named_purses(play, player)

    def payers(self, play: Table, player: str, amount: int) -> list[tuple[str, int]]:
        """Who pays a price that a player owes, and how much of it (U1.2)."""
        return self.inner.payers(play, player, amount)

    def take_over_price(self, play: Table, player: str, component: Component) -> int:
        """What Control of a Component costs (U3.29)."""
        return self.inner.take_over_price(play, player, component)

    def priced_by(self, play: Table, what: str, component: Component | None) -> str:
        """The id of what sets the price of ``what``; empty: the rule that asks it."""
        return self.inner.priced_by(play, what, component)

    def keeper(self, play: Table, component: Component) -> str:
        """Who Controls a Component whoever brings it in or takes hold of it; empty: that player."""
        return self.inner.keeper(play, component)

    def bars_control(self, play: Table, player: str, component: Component) -> Bar | None:
        """What keeps a player from taking Control of a Component (U3.29)."""
        return self.inner.bars_control(play, player, component)

    def bars_change(self, play: Table, player: str, component: Component, what: str) -> Bar | None:
        """What keeps a player from altering a Component, Controlled or not (U3.26, U5.4). ``what``
        says it: ``adds a Trait to``."""
        return self.inner.bars_change(play, player, component, what)

    def bars_entry(
        self, play: Table, player: str, component: Component, agreed: Collection[str]
    ) -> Bar | None:
        """What keeps a player from bringing a Component in (U5.2), when ``agreed`` say that it may."""
        return self.inner.bars_entry(play, player, component, agreed)

    def entered_scene(self, play: Table, here: SceneState, component: Component) -> SceneState:
        """Which scene a Component comes into when it is introduced ``here``."""
        return self.inner.entered_scene(play, here, component)

    def bars_voice(self, play: Table, player: str, component: Component) -> Bar | None:
        """What keeps a player from speaking for a Component (U3.33)."""
        return self.inner.bars_voice(play, player, component)

    def weight(self, play: Table, component: Component, trait: Trait) -> int:
        """What the standing copies of a Trait add to Importance (U4.35)."""
        return self.inner.weight(play, component, trait)

    def elimination_price(self, play: Table, component: Component) -> int:
        """What putting a Component out of the story costs (U4.36)."""
        return self.inner.elimination_price(play, component)

    def toughness(self, play: Table, component: Component) -> int:
        """How many Coins a point of Importance costs when a Component is to be Eliminated."""
        return self.inner.toughness(play, component)

    def return_price(self, play: Table, component: Component) -> int:
        """What bringing it back costs (U4.40)."""
        return self.inner.return_price(play, component)

    def name_gives_die(self, play: Table, component: Component) -> str | None:
        """Whether a proper name gives a die (U4.12): None if not, else what grants it ("" : the rule)."""
        return self.inner.name_gives_die(play, component)

    def unseen(self, play: Table, component: Component, word: Word) -> Bar | None:
        """What to say when a Trait is drawn that the sheet does not show; None: the usual words."""
        return self.inner.unseen(play, component, word)

    def dice_of_draw(self, play: Table, component: Component, trait: Trait) -> int:
        """Dice that one copy of a Trait gives when drawn (U6.11)."""
        return self.inner.dice_of_draw(play, component, trait)

    def only_added(self, play: Table) -> str:
        """The id of what forbids taking dice from a Pool; empty: they may be taken (U6.11)."""
        return self.inner.only_added(play)

    def die(self, play: Table) -> DieRule:
        """The kind of dice in the Pools (U6.5)."""
        return self.inner.die(play)

    def throw(self, play: Table, pools: Sequence[Pool], rng: Random) -> dict[str, list[str]]:
        """Faces that these Pools may show, at random: for random play and examples."""
        return self.inner.throw(play, pools, rng)

    def success(self, face: int) -> bool:
        """Whether a face is a Success (U6.20)."""
        return self.inner.success(face)

    def score(self, play: Table, faces: Sequence[int]) -> int:
        """What a Pool's faces come to when sides are compared (U6.21)."""
        return self.inner.score(play, faces)

    def winner_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """Bonus Coins of a winning Pool, whose last ``edges`` faces are Edge Dice (U6.26)."""
        return self.inner.winner_coins(play, faces, edges)

    def loser_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """Bonus Coins of a losing Pool (U6.25)."""
        return self.inner.loser_coins(play, faces, edges)

    def verdict(self, play: Table, complication: Complication, roll: RollRound) -> Verdict:
        """Who wins a throw, or who has the Edge (U6.21 to U6.24): the pool method in force."""
        return self.inner.verdict(play, complication, roll)

    def pool_method(self, play: Table, complication: Complication) -> PoolMethodName:
        """How several Pools of a side meet the other side (U6.19)."""
        return self.inner.pool_method(play, complication)

    def counted(
        self, play: Table, complication: Complication, roll: RollRound
    ) -> tuple[list[str], list[str]]:
        """Whose Successes are compared: of the Complication's Pools, of the Target Pools (U6.19)."""
        return self.inner.counted(play, complication, roll)

    def allocator(self, play: Table, complication: Complication) -> str:
        """Who allocates the Successes of a side to the Pools of the other; empty: nobody does."""
        return self.inner.allocator(play, complication)

    def meets_singly(self, play: Table, complication: Complication) -> Singly:
        """Whether each Target Pool meets a Complication in a roll of its own (U6.18)."""
        return self.inner.meets_singly(play, complication)

    def outlasts_scene(self, play: Table, complication: Complication) -> str:
        """The rule by which an open Complication waits when its scene ends; empty if it is dropped
        (U6.9)."""
        return self.inner.outlasts_scene(play, complication)

    def may_buy_dice(self, play: Table, complication: Complication) -> bool:
        """Whether Bonus Coins of one Complication buy dice in another that is still open (U6.33)."""
        return self.inner.may_buy_dice(play, complication)

    def narration_order(self, play: Table, complication: Complication) -> tuple[str, ...]:
        """In which order the players tell the outcome (U6.28)."""
        return self.inner.narration_order(play, complication)

    def may_transfer(self, play: Table, kind: str) -> str:
        """The id of what allows players to ``lend`` or ``give`` Coins; empty: nothing does (U2.14)."""
        return self.inner.may_transfer(play, kind)

    def loan_factor(self, play: Table) -> int:
        """How many times a loan is paid back."""
        return self.inner.loan_factor(play)

    def time_may_jump(self, play: Table) -> str:
        """The id of what lets time jump within a scene; empty: nothing does (U5.15)."""
        return self.inner.time_may_jump(play)

    def used_up(self, play: Table, component: Component) -> str:
        """The id of what lets a Component's Traits be used up; empty: nothing does."""
        return self.inner.used_up(play, component)

    def support(self, play: Table, coins: int, facts: int) -> int:
        """What Coins count for in a Challenge when ``facts`` Facts stand behind them (U3.51)."""
        return self.inner.support(play, coins, facts)

    def facts_behind(
        self, play: Table, record: ChallengeRecord, side: str
    ) -> tuple[tuple[str, str], ...]:
        """What counts as a Fact behind a side of a Challenge without being invoked: each with the rule
        that says so (U3.51)."""
        return self.inner.facts_behind(play, record, side)

    def bid_comes_back(self, play: Table, record: ChallengeRecord, player: str) -> Answer:
        """Whether a player who bid in a Challenge gets the Coins back (U3.48)."""
        return self.inner.bid_comes_back(play, record, player)

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """What keeps copies of a Trait from being bought (U4.3)."""
        return self.inner.bars_trait(play, component, text, sort, copies)

    def bars_loss(self, play: Table, component: Component, trait: Trait) -> Bar | None:
        """What keeps a Trait from being crossed off (U4.43)."""
        return self.inner.bars_loss(play, component, trait)

    def bars_challenge(self, play: Table, step: int) -> Bar | None:
        """What keeps an entry from being Challenged (U3.40)."""
        return self.inner.bars_challenge(play, step)

    def standing_facts(self, play: Table, of: int) -> list[tuple[str, str]]:
        """Facts that stand behind a side in the Challenge of the entry ``of`` without being named:
        (player, Fact)."""
        return self.inner.standing_facts(play, of)

    def bars_fact(self, play: Table, fact: Word, side: str, of: int, known: bool) -> Bar | None:
        """What keeps a Fact from standing behind a side in the Challenge of the entry ``of`` (U3.51).
        ``known`` says whether somebody paid for it."""
        return self.inner.bars_fact(play, fact, side, of, known)

    def fine_voters(self, play: Table, accuser: str, accused: str) -> set[str]:
        """Who votes on a Fine (U3.56)."""
        return self.inner.fine_voters(play, accuser, accused)

    def needs_bid(self, play: Table) -> bool:
        """Whether a scene must be won by a bid (U3.2)."""
        return self.inner.needs_bid(play)

    def shortage(self, play: Table, account: str) -> tuple[str, str]:
        """The rule that a payment beyond a purse breaks, and the name of one Coin of it (U1.2)."""
        return self.inner.shortage(play, account)

    def may_prepare(self, play: Table, verb: str) -> bool:
        """Whether a verb that belongs into scenes may be used in preparation."""
        return self.inner.may_prepare(play, verb)

    def builds_in_turns(self, play: Table) -> bool:
        """Whether a Component made in preparation grows by one Trait a turn (S13)."""
        return self.inner.builds_in_turns(play)

    def jump_price(self, play: Table) -> int | None:
        """What a jump ahead costs the framer now; None: as the campaign reads U5.12."""
        return self.inner.jump_price(play)

    def wealth_rule(self, play: Table, player: str) -> str:
        """The rule that a wrongly stated Wealth breaks (U1.2)."""
        return self.inner.wealth_rule(play, player)

    def elsewhere(self, play: Table, word: Word) -> Component | None:
        """What to go on with where a name means nothing here, but something where the story is not;
        it has been reported then."""
        return self.inner.elsewhere(play, word)

    def framer_without_bid(self, play: Table) -> str:
        """Who frames when no bid is on record and the log does not say."""
        return self.inner.framer_without_bid(play)

    def leave_open(self, play: Table) -> bool:
        """Put the running scene aside so that another can run; False: only one is open (U3.1)."""
        return self.inner.leave_open(play)

    def turn_goes_on(self, play: Table) -> bool:
        """Whether a turn outlives its scene, so that scenes are framed within it."""
        return self.inner.turn_goes_on(play)

    def closing_rule(self, play: Table) -> str:
        """The rule that says who ends a scene, and when (U3.11)."""
        return self.inner.closing_rule(play)

    def between_scenes(self, play: Table) -> str:
        """What is to come when no scene is at hand, in one sentence."""
        return self.inner.between_scenes(play)


_QUESTIONS = frozenset(
    name
    for name, value in vars(RulePoints).items()
    if isinstance(value, FunctionType)
    and not name.startswith("_")
    and name not in ("link", "answers")
)


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


class GimmickRules(RulePoints):
    """A Rules Gimmick of the table's own, as far as it can be said in figures."""

    def __init__(self, id: str, sets: Sets, inner: RulePoints) -> None:
        self.id = id
        self._price = {str(k): v for k, v in (sets.price or {}).items()}
        self._forbid = {str(verb) for verb in sets.forbid}
        self._refreshment = sets.refreshment
        self._per_head = sets.refreshment_per_player
        self._refreshment_of = {fold(k): v for k, v in (sets.refreshment_of or {}).items()}
        self._start = sets.start_coins
        self._loans, self._gifts, self._factor = sets.loans, sets.gifts, sets.factor
        self._uses = {fold(n) for n in sets.uses}
        self._share = {fold(k): _share_of(str(v)) for k, v in (sets.trait_price or {}).items()}
        self._name_die = {fold(n) for n in sets.name_die}
        self._jumps = sets.time_jumps
        super().__init__(inner)

    def answers(self, name: str) -> bool:
        """Only what it sets in figures."""
        match name:
            case "price":
                return bool(self._price)
            case "forbidden":
                return bool(self._forbid)
            case "traits_price":
                return bool(self._share)
            case "used_up":
                return bool(self._uses)
            case "name_gives_die":
                return bool(self._name_die)
        return super().answers(name)

    def price(
        self, play: Table, what: str, player: str = "", component: Component | None = None
    ) -> int:
        """The Gimmick's price, if it names one."""
        found = self._price.get(what)
        if found is not None:
            return found
        return self.inner.price(play, what, player, component)

    def traits_price(self, play: Table, component: Component | None, copies: int) -> int:
        """A share of the price, rounded up as the campaign reads it (S3)."""
        full = self.inner.traits_price(play, component, copies)
        share = None
        if component is not None:
            share = next((s for name, s in self._share.items() if _means(name, component)), None)
        if share is None or not copies:
            return full
        top, bottom = share
        if play.ruling("fractions") == "each":
            return -((-full * top) // (bottom * copies)) * copies
        return -((-full * top) // bottom)

    def forbidden(self, play: Table, verb: str, player: str) -> str:
        """What it forbids."""
        return self.id if verb in self._forbid else self.inner.forbidden(play, verb, player)

    def starting_coins(self, play: Table, player: str) -> int:
        """Another start."""
        return self._start if self._start is not None else self.inner.starting_coins(play, player)

    def refreshment(self, play: Table, player: str) -> int:
        """Another Refreshment: for one player, by heads, or for all."""
        if fold(player) in self._refreshment_of:
            return self._refreshment_of[fold(player)]
        if self._per_head is not None:
            return self._per_head * len(play.present)
        if self._refreshment is not None:
            return self._refreshment
        return self.inner.refreshment(play, player)

    def name_gives_die(self, play: Table, component: Component) -> str | None:
        """Also for what it lists (UG.4)."""
        if any(_means(name, component) for name in self._name_die):
            return self.id
        return self.inner.name_gives_die(play, component)

    def may_transfer(self, play: Table, kind: str) -> str:
        """Loans or gifts, if it allows them (UG.2)."""
        if (kind == "lend" and self._loans) or (kind == "give" and self._gifts):
            return self.id
        return self.inner.may_transfer(play, kind)

    def loan_factor(self, play: Table) -> int:
        """How much comes back."""
        return self._factor if self._loans else self.inner.loan_factor(play)

    def time_may_jump(self, play: Table) -> str:
        """Rifts in time (UG.6)."""
        return self.id if self._jumps else self.inner.time_may_jump(play)

    def used_up(self, play: Table, component: Component) -> str:
        """Limited uses (UG.1)."""
        if any(_means(name, component) for name in self._uses):
            return self.id
        return self.inner.used_up(play, component)


def _means(name: str, component: Component) -> bool:
    """Whether a folded name in a Gimmick means a Component; it may be created later."""
    return name == fold(component.name) or name in component.traits


def _share_of(text: str) -> tuple[int, int]:
    """``1/3`` as (1, 3); what is no fraction counts as the whole price."""
    top, _, bottom = text.partition("/")
    if top.strip().isdigit() and (not bottom or bottom.strip().isdigit()) and bottom.strip() != "0":
        return int(top), int(bottom or 1)
    return 1, 1


def is_share(text: str) -> bool:
    """Whether a text is a share of a price: ``1/3``, ``2``."""
    top, slash, bottom = text.partition("/")
    return top.strip().isdigit() and (not slash or (bottom.strip().isdigit() and int(bottom) > 0))
