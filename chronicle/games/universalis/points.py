"""Rule points: every question that an optional rule may answer differently.

Handlers never write a price or a permission down; they ask ``play.state.points``. Each question is here once,
with the answer of chapters 1 to 6 in the last sentence and the body. A layer sits on top of another, answers
some questions differently and passes the rest on: a campaign's add-ons (:class:`AddOn`) and the Gimmicks
adopted in play (:mod:`gimmicks`) are layers; putting one on or taking one off in mid-play is all that adopting
or dropping it means. The types of answers are in
:mod:`answers`.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Part
from chronicle.core.figures import compare_numbers
from chronicle.core.game import Handler
from chronicle.core.game_context import GameContext, Measure
from chronicle.core.names import Names
from chronicle.core.rules import Rule, Ruling, read_rules, read_rulings
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.answers import (
    PRICES,
    Answer,
    Bar,
    DieRule,
    PoolMethodName,
    Sides,
    Singly,
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
    Standing,
    Trait,
)

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.campaign import Session
    from chronicle.core.campaign_view import Block, CampaignView
    from chronicle.core.guards import Violation
    from chronicle.core.record import Record


class State(Standing):
    """A game of Universalis at one moment: the present state, and the rules in force."""

    def __init__(self, points: RulePoints) -> None:
        super().__init__()
        self.points = points
        self.add_ons: list[AddOn] = []
        """The layers of ``points`` that are add-ons of the book, in the order of their adoption."""


Table = GameContext[State]
"""The table as the handlers of this game know it."""


class RulePoints:
    """Every question, with the answer of the core rules. A layer passes on what it does not answer."""

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
        """What one of ``what`` costs, in Coins (a word of its price list). The price list."""
        return PRICES[what]

    def traits_price(self, play: Table, component: Component | None, copies: int) -> int:
        """The price of a number of Trait copies in one purchase. One Coin a copy (U4.3)."""
        return copies * play.state.points.price(play, "trait", component=component)

    def forbidden(self, play: Table, verb: str, player: str) -> str:
        """The id of what forbids a verb; empty where it may be used. Nothing is forbidden as such."""
        return ""

    def starting_coins(self, play: Table, player: str) -> int:
        """Coins at the start (U1.3)."""
        raise NotImplementedError

    def refreshment(self, play: Table, player: str) -> int:
        """Coins after a full scene (U3.14)."""
        raise NotImplementedError

    def coins_before_bids(self, play: Table, player: str) -> int | None:
        """Coins that a player takes (or loses) when preparation ends; None: nothing is said of it. Nothing."""
        return None

    def tenets_a_turn(self, play: Table) -> int:
        """How many Tenets one turn allows (U2.4). One."""
        return 1

    def purses(self, play: Table, player: str, sort: str, due: Charge | None = None) -> list[str]:
        """The accounts a player pays from, in order. ``sort`` is ``scene``, ``turn``, ``challenge``
        or ``wealth``; ``due`` says what for. Within an outcome, Bonus Coins; else the bid on
        the table and the Wealth (S7, S8)."""
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

    def bars_purse(self, play: Table, player: str, purse: str) -> Bar | None:
        """What to say when an entry names a purse (``bid``) that does not pay for it. Naming one of
        those that the core rules know changes the order only."""
        return None

    def named_purses(self, play: Table, player: str) -> dict[str, str]:
        """What a player may write after ``purse:``, in small letters, and the account that it
        means. The Wealth, and the bid on the table."""
        return {"wealth": f"wealth:{player}", "bid": f"bid:{player}"}

    def payers(self, play: Table, player: str, amount: int) -> list[tuple[str, int]]:
        """Who pays a price that a player owes, and how much of it (U1.2). The player."""
        return [(player, amount)]

    def take_over_price(self, play: Table, player: str, component: Component) -> int:
        """What Control of a Component costs (U3.29). As on the price list."""
        return play.state.points.price(play, "take over", player, component)

    def priced_by(self, play: Table, what: str, component: Component | None) -> str:
        """The id of what sets the price of ``what``; empty: the rule that asks it. The rule that
        asks it."""
        return ""

    def keeper(self, play: Table, component: Component, player: str) -> str:
        """Who Controls a Component when a player brings it in or takes hold of it; empty: the log does not say
        who. The player who introduces it or takes it over (U3.24, U3.29)."""
        return player

    def bars_control(self, play: Table, player: str, component: Component) -> Bar | None:
        """What keeps a player from taking Control of a Component (U3.29). Nothing: any player may
        take over (U3.29)."""
        return None

    def bars_change(self, play: Table, player: str, component: Component, what: str) -> Bar | None:
        """What keeps a player from altering a Component, Controlled or not (U3.26, U5.4). ``what``
        says it: ``adds a Trait to``. Nothing but what Control asks (U3.26)."""
        return None

    def bars_entry(
        self, play: Table, player: str, component: Component, agreed: Collection[str]
    ) -> Bar | None:
        """What keeps a player from bringing a Component in (U5.2), when ``agreed`` say that it may.
        Nothing: any player can introduce an available Component (U5.2)."""
        return None

    def first_traits(self, play: Table) -> int:
        """The number of Traits with which something new may come now. As many as its player pays for (U4.5)."""
        return sys.maxsize

    def entered_scene(self, play: Table, scene: SceneState, component: Component) -> SceneState:
        """Which scene a Component comes into when it is introduced into ``scene``. The one at hand."""
        return scene

    def bars_voice(self, play: Table, player: str, component: Component) -> Bar | None:
        """What keeps a player from speaking for a Component (U3.33). Nothing but what Control asks
        (U3.33)."""
        return None

    def weight(self, play: Table, component: Component, trait: Trait) -> int:
        """What the standing copies of a Trait add to Importance (U4.35). One a copy; free
        corollaries as the campaign reads them (S40), or what it cost (S42)."""
        if not trait.copies:
            return 0
        if trait.free and play.rulings["corollaries"] == "not counted":
            return 0
        if play.rulings["importance"] == "coins" and not trait.free:
            total = trait.copies + trait.removed
            return trait.paid * trait.copies // total if total else 0
        return trait.copies

    def elimination_price(self, play: Table, component: Component) -> int:
        """What putting a Component out of the story costs (U4.36). Its Importance; of a Master without
        that of its Subs, who are gone by then (S49)."""
        each = play.state.points.toughness(play, component)
        price = component.total
        if component.master and play.rulings["master elimination"] == "subs first":
            subs = [play.state.components[id] for id in component.subs]
            price -= sum(sub.total for sub in subs if not sub.eliminated)
        return price * each

    def toughness(self, play: Table, component: Component) -> int:
        """How many Coins a point of Importance costs when a Component is Eliminated. One
        (U4.36)."""
        return 1

    def return_price(self, play: Table, component: Component) -> int:
        """What bringing it back costs (U4.40). Its present Importance."""
        return component.total

    def name_gives_die(self, play: Table, component: Component) -> str | None:
        """Whether a proper name gives a die (U4.12): None if not, else what grants it ("" : the
        rule). A Character's does."""
        return "" if component.kind == CHARACTER else None

    def unseen(self, play: Table, component: Component, word: ScalarNode) -> Bar | None:
        """What to say when a Trait is drawn that the sheet does not show; None: the usual words.
        The usual words."""
        return None

    def dice_of_draw(self, play: Table, component: Component, trait: Trait) -> int:
        """Dice that a single copy of a Trait gives when drawn (U6.11). One."""
        return 1

    def only_added(self, play: Table) -> str:
        """The id of what forbids taking dice from a Pool; empty: players can take them (U6.11). Nothing
        does."""
        return ""

    def die(self, play: Table) -> DieRule:
        """The kind of dice in the Pools (U6.5). Ten-sided ones."""
        return DieRule("d10", 10, "1 to 5 is a Success", "U6.20")

    def throw(self, play: Table, pools: Sequence[Pool], rng: Random) -> dict[str, list[str]]:
        """Faces that these Pools may show, at random: for random play and examples. Any face of the
        dice at this table."""
        sides = play.state.points.die(play).sides
        return {
            pool.player: [str(rng.randint(1, sides)) for _ in range(pool.dice + pool.edge)]
            for pool in pools
        }

    def success(self, play: Table, face: int) -> bool:
        """Whether a face is a Success (U6.20). 1 to 5."""
        return face <= 5

    def score(self, play: Table, faces: Sequence[int]) -> int:
        """The value of a Pool's faces when sides are compared (U6.21). Its Successes."""
        return sum(1 for face in faces if play.state.points.success(play, face))

    def winner_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """Bonus Coins of a winning Pool, whose last ``edges`` faces are Edge Dice (U6.26). The
        Successes added up, and Edge Dice that were none (U6.27)."""
        if edges and play.ruling("edge face") == "not added":
            edges = 0
        first_edge = len(faces) - edges
        success = play.state.points.success
        return sum(f for place, f in enumerate(faces) if success(play, f) or place >= first_edge)

    def loser_coins(self, play: Table, faces: Sequence[int], edges: int) -> int:
        """Bonus Coins of a losing Pool (U6.25). One a die, and the faces of Edge Dice (S67)."""
        if not edges or play.ruling("edge face") == "not added":
            return len(faces)
        shown = faces[len(faces) - edges :]
        if play.ruling("losing edge") == "failures":
            success = play.state.points.success
            return len(faces) + sum(face for face in shown if not success(play, face))
        return len(faces) + sum(shown)

    def verdict(self, play: Table, complication: Complication, roll: RollRound) -> Verdict:
        """Who wins a throw, or who has the Edge (U6.21 to U6.24): the pool method in force. Two
        sides; Target Pools count together (U6.19)."""
        originators, targets = play.state.points.counted(play, complication, roll)
        scores = (
            sum(roll.successes.get(p, 0) for p in originators),
            sum(roll.successes.get(p, 0) for p in targets),
        )
        sums = (
            sum(roll.sums.get(p, 0) for p in originators),
            sum(roll.sums.get(p, 0) for p in targets),
        )
        ahead = compare_numbers(*scores)
        if ahead:
            winners = complication.side("complication" if ahead > 0 else "target")
            return Verdict(tuple(pool.player for pool in winners), (), scores, sums)
        edge: list[str] = []
        if sums[0] >= sums[1]:
            edge.append(self._edge_pool(play, complication, roll, originators))
        if sums[1] >= sums[0]:
            edge.append(self._edge_pool(play, complication, roll, targets))
        return Verdict((), tuple(p for p in edge if p), scores, sums)

    def pool_method(self, play: Table, complication: Complication) -> PoolMethodName:
        """How several Pools of a side meet the other side (U6.19). Together, which needs no name."""
        return PoolMethodName("", "")

    def counted(self, play: Table, complication: Complication, roll: RollRound) -> Sides:
        """Whose Successes are compared: of the Complication's Pools, of the Target Pools (U6.19).
        All Pools of a side together."""
        return (
            [pool.player for pool in complication.side("complication")],
            [pool.player for pool in complication.side("target")],
        )

    def allocator(self, play: Table, complication: Complication) -> str:
        """Who allocates the Successes of a side to the Pools of the other; empty: nobody does.
        Nobody."""
        return ""

    def meets_singly(self, play: Table, complication: Complication) -> Singly:
        """Whether each Target Pool meets a Complication in a roll of its own (U6.18). All together."""
        return Singly("")

    def outlasts_scene(self, play: Table, complication: Complication) -> str:
        """The rule by which an open Complication waits when its scene ends; empty if it is dropped
        (U6.9). None."""
        return ""

    def may_buy_dice(self, play: Table, complication: Complication) -> bool:
        """Whether Bonus Coins of one Complication buy dice in another that is still open (U6.33).
        No."""
        return False

    def narration_order(self, play: Table, complication: Complication) -> tuple[str, ...]:
        """In which order the players tell the outcome (U6.28). Winners by most Coins, then losers
        by most Coins; equal ones clockwise from the Originator."""
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
        """The id of what allows players to ``lend`` or ``give`` Coins; empty: nothing does (U2.14).
        Nothing does."""
        return ""

    def loan_factor(self, play: Table) -> int:
        """How many times a loan is paid back. One: as much as was lent."""
        return 1

    def time_may_jump(self, play: Table) -> str:
        """The id of what lets time jump within a scene; empty: nothing does (U5.15). Nothing does."""
        return ""

    def used_up(self, play: Table, component: Component) -> str:
        """The id of what lets a Component's Traits be used up; empty: nothing does. Nothing does."""
        return ""

    def support(self, play: Table, coins: int, facts: int) -> int:
        """The value of Coins in a Challenge when ``facts`` Facts support them (U3.51).
        Doubled once, however many Facts there are (S33)."""
        if not facts:
            return coins
        return coins * 2**facts if play.ruling("doubling") == "each" else coins * 2

    def facts_behind(
        self, play: Table, record: ChallengeRecord, side: str
    ) -> tuple[tuple[str, str], ...]:
        """What counts as a Fact behind a side of a Challenge without being invoked: each with the
        rule that says so (U3.51). Nothing does."""
        return ()

    def bid_comes_back(self, play: Table, record: ChallengeRecord, player: str) -> Answer:
        """Whether a player who bid in a Challenge gets the Coins back (U3.48). No."""
        return Answer(False, "U3.48", "all Coins bid go to the Bank")

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """What keeps copies of a Trait from being bought (U4.3). Nothing: players can buy any Trait, any number
        of times (U4.3, U4.6)."""
        return None

    def bars_loss(self, play: Table, component: Component, trait: Trait) -> Bar | None:
        """What keeps a Trait from being crossed off (U4.43). Nothing: any Trait may go (U4.43)."""
        return None

    def bars_regain(
        self, play: Table, component: Component, trait: Trait, copies: int
    ) -> Bar | None:
        """What keeps crossed-off copies of a Trait from being restored (U4.48). Nothing: crossed-off Traits can
        be restored (U4.48)."""
        return None

    def bars_challenge(self, play: Table, step: int) -> Bar | None:
        """What keeps an entry from being Challenged (U3.40). Nothing: all words and acts of a player can be
        Challenged (U3.40)."""
        return None

    def standing_facts(self, play: Table, of: int) -> list[tuple[str, str]]:
        """Facts that support a side in the Challenge of the entry ``of`` without being named:
        (player, Fact). None: the player who wants a Fact to count names it (U3.51)."""
        return []

    def bars_fact(
        self, play: Table, fact: ScalarNode, side: str, of: int, is_found: bool
    ) -> Bar | None:
        """What keeps a Fact from standing behind a side in the Challenge of the entry ``of``
        (U3.51). ``is_found`` says whether a player paid for it. It must be known."""
        if is_found:
            return None
        return Bar(
            "U3.51",
            f"'{fact}' is no Fact: no player paid for it",
            help="name a Fact by its id or words, or a Trait as 'Component: Trait'",
        )

    def fine_voters(self, play: Table, accuser: str, accused: str) -> set[str]:
        """Who votes on a Fine (U3.56). Everybody but the accused (S37)."""
        voters = set(play.present)
        match play.rulings["fine voters"]:
            case "everybody":
                return voters
            case "neither":
                return voters - {accuser, accused}
        return voters - {accused}

    def needs_bid(self, play: Table) -> bool:
        """Whether a scene must be won by a bid (U3.2). Yes."""
        return True

    def shortage(self, play: Table, account: str) -> tuple[str, str]:
        """The rule that a payment beyond a purse breaks, and the name of one Coin of it (U1.2).
        No player pays Coins that do not exist."""
        return "U1.2", "Bonus Coin" if account.startswith("bonus:") else "Coin"

    def may_prepare(self, play: Table, verb: str) -> bool:
        """Whether a verb for scenes is allowed in preparation. No."""
        return False

    def builds_in_turns(self, play: Table) -> bool:
        """Whether a Component made in preparation grows by one Trait a turn (S13). Yes."""
        return True

    def jump_price(self, play: Table) -> int | None:
        """What a jump ahead costs the framer now; None: as the campaign reads U5.12. As the
        campaign reads it."""
        return None

    def wealth_rule(self, play: Table, player: str) -> str:
        """The rule that a wrongly stated Wealth breaks (U1.2). That purses are kept."""
        return "U1.2"

    def elsewhere(self, play: Table, word: ScalarNode) -> Component | None:
        """What to go on with where a name means nothing here, but something where the story is not;
        it has been reported then. The story is in one place."""
        return None

    def framer_without_bid(self, play: Table) -> str:
        """Who frames when no bid is on record and the log does not say. The next player clockwise."""
        state = play.state
        return play.left_of(state.last_framer or state.starter or play.seats[-1])

    def leave_open(self, play: Table) -> bool:
        """Put the running scene aside so that another can run; False: only one is open (U3.1). No."""
        return False

    def turn_goes_on(self, play: Table) -> bool:
        """Whether a turn outlives its scene, so that scenes are framed within it. No."""
        return False

    def closing_rule(self, play: Table) -> str:
        """The rule that says who ends a scene, and when (U3.11). Its framer, on their own turn."""
        return "U3.11"

    def between_scenes(self, play: Table) -> str:
        """What comes next when no scene is open, in one sentence. A bid."""
        return "Between scenes: everybody bids for the next scene."

    def _edge_pool(
        self, play: Table, complication: Complication, roll: RollRound, pools: Sequence[str]
    ) -> str:
        """The Pool of a side with the most Successes, then closest to the Originator's left (U6.24)."""
        if not pools:
            return ""
        most = max(roll.successes.get(p, 0) for p in pools)
        tied = [p for p in pools if roll.successes.get(p, 0) == most]
        return tied[0] if len(tied) == 1 else play.left_of(complication.originator, tied)


_QUESTIONS = frozenset(
    name
    for name, value in vars(RulePoints).items()
    if isinstance(value, FunctionType)
    and not name.startswith("_")
    and name not in ("link", "answers")
)


class CoreRules(RulePoints):
    """The lowest layer: the core rules, with the figures that the campaign chose."""

    def __init__(self, start: Mapping[str, int], start_default: int, refreshment: int) -> None:
        super().__init__(None)
        self._start = dict(start)
        self._start_default = start_default
        self._refreshment = refreshment

    def starting_coins(self, play: Table, player: str) -> int:
        """As the campaign says; 25 is suggested."""
        return self._start.get(player, self._start_default)

    def refreshment(self, play: Table, player: str) -> int:
        """As the campaign says; 5 is suggested. One printing goes by how many play."""
        if play.rulings["refreshment by players"] == "yes":
            play.ruling("refreshment by players")
            players = len(play.seats)
            return 12 if players <= 3 else 8 if players == 4 else 6
        return self._refreshment


CHAPTER = "Add-ons"
"""The chapter of the add-ons among the numbered rules."""


def evened(text: str) -> str:
    """Text without the indentation of its class."""
    lines = text.split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines).strip()


class NoParameters(Part):
    """An add-on in which there is nothing for the group to set."""


class AddOn(RulePoints):
    """One optional rule of the book, in force from its adoption until it is dropped.

    ``id`` is the id of the Gimmick that adopted it, or its key where ``campaign.yaml`` did.
    """

    code: ClassVar[str] = ""
    """Its id among the rules, that of the first of its own: ``UA.23``."""
    key: ClassVar[str] = ""
    """What a log calls it: the name of its module, ``durable``, where it says nothing else."""
    title: ClassVar[str] = ""
    """What the book calls it, where that is not the title of its rule."""
    summary: ClassVar[str] = ""
    """What it changes, in a sentence or two of our own."""
    changes: ClassVar[tuple[str, ...]] = ()
    """Ids of the core rules that it bends."""
    parameters: ClassVar[type[Part]] = NoParameters
    """What the group may set: what ``chosen``, which holds what it did set, is declared as."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Keys of the add-ons that must be in force for this add-on to make sense."""
    excludes: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys of add-ons that contradict it, each with the reason. Told from one side, it holds for both."""
    idle_with: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys of add-ons beside which it has no effect, each with the reason: a warning."""
    rule_text: ClassVar[str] = ""
    """Its rule and those of its variants, as :func:`~chronicle.core.rules.read_rules` reads them."""
    ruling_text: ClassVar[str] = ""
    """Its silent points, as :func:`~chronicle.core.rules.read_rulings` reads them."""
    rules: ClassVar[tuple[Rule, ...]] = ()
    rulings: ClassVar[tuple[Ruling, ...]] = ()
    verbs: ClassVar[Mapping[type[Action], Handler]] = MappingProxyType({})
    """Entries that exist only where it is in force. Entries that are no acts of play, and are allowed anywhere,
    are no ``AddOnEntry``."""
    measures: ClassVar[Mapping[str, Measure]] = MappingProxyType({})
    """Figures of its own that a log may assert."""
    bundle: ClassVar[str] = ""
    """Add-ons of one bundle that are adopted in one entry cost 1 Coin together."""
    chosen: Part

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declared = vars(cls).get("__annotations__", {}).get("chosen")
        if declared is not None:
            cls.parameters = vars(sys.modules[cls.__module__])[declared]
        if "rule_text" in vars(cls):
            cls.rules = read_rules(evened(cls.rule_text), lambda id: CHAPTER)
            cls.code, cls.title = cls.rules[0].id, vars(cls).get("title", cls.rules[0].title)
            module = cls.__module__.rpartition(".")[2]
            cls.key = vars(cls).get("key", module.replace("_", " "))
        if "ruling_text" in vars(cls):
            cls.rulings = read_rulings(evened(cls.ruling_text))

    def __init__(self, id: str, chosen: Part, inner: RulePoints) -> None:
        super().__init__(inner)
        self.id = id
        self.chosen = chosen

    # -- moments, in the order in which a session brings them ---------------------------------------

    def adopted(self, play: Table) -> None:
        """It has just been put in force; the state is still as before."""

    def dropped(self, play: Table) -> None:
        """It is in force no longer."""

    def session_opened(self, play: Table, session: Session) -> None:
        """A session begins."""

    def next_session_begun(self, play: Table) -> None:
        """A further session is at hand: payments or beginnings between two of them. It is noted with the
        last entry of the previous session."""

    def all_passed(self, play: Table) -> bool:
        """Everybody has passed in preparation: whether something else comes before the first bid."""
        return False

    def prepared(self, play: Table) -> None:
        """Preparation is over, and there are no bids yet."""

    def before_entry(self, play: Table, action: Action) -> None:
        """An entry is about to be handled, and the core rules have had their say."""

    def after_entry(self, play: Table, action: Action) -> None:
        """An entry has been handled and its bill paid."""

    def scene_opened(self, play: Table, scene: SceneState) -> None:
        """A scene (or a Mini Scene: ``scene.mini``) has begun, with the Components of its frame."""

    def framed(self, play: Table, scene: SceneState) -> None:
        """The framing of a scene is over: play begins."""

    def scene_ended(self, play: Table, scene: SceneState) -> None:
        """A scene (or a Mini Scene) is over; the Refreshment after it has not been paid yet."""

    def created(self, play: Table, component: Component) -> None:
        """A Component exists, with its first Traits."""

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Copies of a Trait were written on a sheet."""

    def trait_restored(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Crossed-off copies of a Trait are restored."""

    def role_worded(self, play: Table, component: Component, role: Trait) -> None:
        """A Role that was left open has its words: they count as written now."""
        self.trait_added(play, component, role, role.copies)

    def entered(self, play: Table, scene: SceneState, component: Component) -> None:
        """A Component has come into a scene."""

    def complication_opened(self, play: Table, complication: Complication) -> None:
        """A Complication was Originated."""

    def claimed(self, play: Table, player: str, component: Component) -> None:
        """A Character has become a player's own for good (UA.18)."""

    def bars_rolling(self, play: Table, complication: Complication) -> Iterable[Violation]:
        """What keeps the dice of a Complication (or of one of its parts) from falling now."""
        return ()

    def fell(self, play: Table, complication: Complication, thrown: RollRound) -> None:
        """The dice lie open, and nothing is decided yet."""

    def session_closed(self, play: Table, session: Session) -> None:
        """The log of a session is over."""

    @classmethod
    def finished(cls, play: Table) -> None:
        """Nothing more is played: what it has put aside can go where readers look. A dropped add-on is asked as
        well."""

    @classmethod
    def other_names(cls, play: Table) -> Iterable[Names]:
        """The names of parts of the story that are not being told now."""
        return ()

    # -- for readers and random play -------------------------------------------------------

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """What may come next: without what it rules out, with what it adds."""
        return [*options, *self.adds(play, options)]

    def adds(self, play: Table, options: list[Move]) -> Iterable[Move]:
        """What may come next besides what is found already."""
        return ()

    def offer(self, verb: str, by: str, hint: str, value: Any, /, **keys: Any) -> Move:
        """Something that may come next by its rule, as :meth:`Move.plain` takes it."""
        return Move.plain(verb, by, hint, self.code, value, **keys)

    def rules_out(self, play: Table, option: Move) -> bool:
        """Whether it rules out a possible next move, from any source."""
        return False

    def panel(self, play: Table) -> tuple[Block, ...]:
        """What it adds to the state of play."""
        return ()

    @classmethod
    def shown_record(cls, record: Record) -> Record:
        """The record that sheets are made of, where that tells less than the whole."""
        return record

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """What it adds to the pages of a campaign that used it at any time."""
