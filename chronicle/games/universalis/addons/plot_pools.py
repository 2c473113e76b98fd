"""UA.31: Coins of the Bank that lie ready for a plot, a few to be spent on it in each scene."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Decides, Part, main, option
from chronicle.core.diagnostic import plural
from chronicle.core.field_types import NAME, MapOf, label, whole
from chronicle.core.fix import drop_key, set_key
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import actions
from chronicle.games.universalis.addons.base import (
    AddOn,
    AddOnEntry,
    add_page,
    in_force,
    memory,
    remembered,
)
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.disputes import RaiseChallenge
from chronicle.games.universalis.fines import LevyFine
from chronicle.games.universalis.flow import BreakIn
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.preparation import ProposeTenet, count_tenet
from chronicle.games.universalis.scenes import EndScene
from chronicle.games.universalis.state import BANK, COIN
from chronicle.games.universalis.table import unsure_turn

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView

LEAST, MOST = 10, 50
NO_PLOT = (RaiseChallenge, LevyFine, BreakIn)
"""Entries that take no plot anywhere."""


def _serves_no_plot(action: Action) -> bool:
    """Whether an entry is about the table or the telling, and develops no plot."""
    if isinstance(action, ProposeTenet):
        return str(action.kind) == "social"
    if isinstance(action, EndScene):
        return action.fades
    return isinstance(action, NO_PLOT)


class OpenPlotPool(AddOnEntry):
    """Give a plot a pool of Coins from the Bank, or give its pool another rate. It is a Rules Gimmick:
    1 Coin, one Tenet a turn. Entries that develop the plot say 'purse:' and its name."""

    verb = "plot pool"
    decides = Decides("turn", "UA.31", action_phrase="opens a Plot Pool")
    example = "plot pool: The missing heir\n  size: 20"
    name = main(label(NAME), "what the plot is called")
    size = option(whole(0), "Coins that the Bank lays into it, 10 to 50")
    rate = option(whole(1), "Coins that it can pay in a scene")


class Pools(Part):
    """The pools that there are from the start."""

    pools = option(MapOf(NAME, whole(0)), "{plot: Coins from the Bank, 10 to 50}")
    rate = option(
        whole(1),
        "Coins that a pool can pay in a scene, by default",
        default=2,
    )


@dataclass(slots=True, eq=False)
class PlotPool:
    """The pool of one plot."""

    name: str
    size: int
    rate: int
    step: int
    uses: list[tuple[int, int, str, int]] = field(default_factory=list)
    """(step, scene, player, Coins) each time it paid."""

    @property
    def account(self) -> str:
        """Where its Coins lie."""
        return f"plot:{self.name}"

    def spent(self, scene: int, player: str = "") -> int:
        """Coins spent from it in a scene, by one player or by all."""
        return sum(
            coins for _, s, p, coins in self.uses if s == scene and (not player or p == player)
        )


@dataclass(slots=True, eq=False)
class PlotPoolMemory:
    """All pools, by their folded names."""

    pools: dict[str, PlotPool] = field(default_factory=dict)


def open_pool(play: Table, action: OpenPlotPool) -> None:
    """A new pool, or another rate for one that exists."""
    add_on = in_force(play, PlotPools)
    if add_on is None:
        return
    count_tenet(play)
    charge(play, "gimmick", "UA.31", "a Plot Pool")
    old = memory(play, PlotPoolMemory).pools.get(fold(action.name))
    play.step.headline = f"A Plot Pool: {action.name}"
    if old is None:
        if play.require(
            action.size is not None,
            "UA.31",
            f"there is no Plot Pool '{action.name}' yet, and nothing says how many Coins it gets",
            at=action.name,
            fix=set_key("size", LEAST, when=f"if it is {LEAST} (it may be up to {MOST})"),
        ):
            rate = action.rate if action.rate is not None else add_on.chosen.rate
            add_on.endow(play, action.name, action.size or 0, rate)
        return
    play.require(
        action.size is None,
        "UA.31",
        f"the Plot Pool '{old.name}' exists already, and Coins cannot be added to it",
        at="size",
        facts=[play.because(old.step, "opened here")],
        fix=drop_key("size", when="if its rate changes"),
        help="or give the other plot a name of its own",
    )
    if action.rate is not None:
        old.rate = action.rate
        play.event(f"{old.name}: {plural(old.rate, 'Coin')} a scene from now on", "UA.31", "rate")


class PlotPools(AddOn):
    """Shared purses, one for each plot."""

    summary = (
        "The Bank gives a plot 10 to 50 Coins of its own; on their own turn a player may spend a few "
        "of them in each scene to develop that plot."
    )
    changes = ("U1.4", "U3.58", "U3.59")
    chosen: Pools
    rule_text = """
        UA.31 Plot Pools [checked; V145]
          A plot or subplot gets 10 to 50 Coins from the Bank. On their own turn a player may pay with them for what
          develops its action or backstory: the entry says 'purse:' and the plot's name. Not more than 2 Coins leave
          a pool in a scene; the group may set another rate, to push a plot or to stretch it. A further pool, or
          another rate, is a Gimmick.
        """
    ruling_text = """
        S86 plot pool rate: The Coins that may leave a Plot Pool in a scene: in all, or by each player?
          - pool: in all, for all players together
          - player: by each player
          because the rate is about how fast the pool drains, so it counts what leaves it (UA.31)
        """
    verbs = {OpenPlotPool: open_pool}  # noqa: RUF012

    def adopted(self, play: Table) -> None:
        """The pools that the group begins with."""
        for name, size in (self.chosen.pools or {}).items():
            self.endow(play, name, size, self.chosen.rate)

    def endow(self, play: Table, name: ScalarNode, size: int, rate: int) -> None:
        """The Bank lays Coins into a new pool."""
        play.require(
            LEAST <= size <= MOST,
            self.code,
            f"the Plot Pool '{name}' gets {plural(size, 'Coin')}; it takes {LEAST} to {MOST}",
            at=name if play.current is not None else None,
            help=f"write a number from {LEAST} to {MOST}, by how much the plot matters",
        )
        pools = memory(play, PlotPoolMemory).pools
        if fold(name) in pools:
            return
        step = play.current.number if play.current is not None else 0
        pool = pools[fold(name)] = PlotPool(str(name), size, rate, step)
        play.move(BANK, pool.account, size, COIN, self.code, "a Plot Pool")
        if step:
            play.event(
                f"{pool.name} gets a pool of {plural(size, 'Coin')}, {rate} a scene",
                self.code,
                "plot pool",
            )

    def named_purses(self, play: Table, player: str) -> dict[str, str]:
        """Every plot is a purse."""
        pools = memory(play, PlotPoolMemory).pools
        return {
            **self.inner.named_purses(play, player),
            **{key: pool.account for key, pool in pools.items()},
        }

    def before_entry(self, play: Table, action: Action) -> None:
        """A pool pays on a player's own turn, and for the story only."""
        state = play.state
        pool = _named(play, action)
        if pool is None or play.given or not isinstance(action, actions.Entry):
            return
        where = action.place("purse")
        player = play.step.player
        sure = not unsure_turn(play) and state.scene is not None
        play.require(
            not player or player == state.turn or not sure,
            self.code,
            f"{player} spends Coins of '{pool.name}' on {state.turn}'s turn",
            at=where,
            facts=play.facts(state.turn_step, f"{state.turn}'s turn began here"),
            fix=drop_key("purse"),
            help=f"Plot Pools pay on a player's own turn only; {player} pays from the Wealth",
        )
        play.require(
            not _serves_no_plot(action),
            self.code,
            f"'{action.verb}' does nothing for the plot '{pool.name}'",
            at=where,
            fix=drop_key("purse"),
            help="its Coins pay for action and backstory",
        )

    def after_entry(self, play: Table, action: Action) -> None:
        """Count what a pool has paid; it must not pay too much in a scene, nor more than it holds."""
        pool = _named(play, action)
        if pool is None or play.given or _serves_no_plot(action):
            return
        paid = play.ledger.postings[play.state.bill_from :]
        coins = sum(p.amount for p in paid if p.source == pool.account)
        from_wealth = sum(p.amount for p in paid if p.source.startswith(("wealth:", "bid:")))
        where = action.place("purse")
        play.require(
            not from_wealth or not play.state.current_scene,
            self.code,
            f"'{pool.name}' holds {plural(coins, 'Coin')}, and this costs {coins + from_wealth}",
            at=where,
            help="spend what it holds on an entry of its own",
        )
        scene = play.state.scene
        if not coins or scene is None:
            return
        player = play.step.player
        each = play.ruling("plot pool rate") == "player"
        spent_before = pool.spent(scene.number, player if each else "")
        last = next((s for s, n, _, _ in reversed(pool.uses) if n == scene.number), 0)
        whose = f"{player} spends" if each else "all players together spend"
        play.require(
            spent_before + coins <= pool.rate,
            self.code,
            f"{whose} {plural(spent_before + coins, 'Coin')} of '{pool.name}' in this scene, "
            f"and the rate is {pool.rate}",
            at=where,
            facts=play.facts(last, "spent before"),
            help="pay the rest from the Wealth, or wait for the next scene",
        )
        pool.uses.append((play.step.number, scene.number, player, coins))
        coins_left = play.balance(pool.account, COIN)
        play.event(
            f"{plural(coins, 'Coin')} of '{pool.name}'; {coins_left} left", self.code, "plot pool"
        )

    def dropped(self, play: Table) -> None:
        """The rest of the pools goes back to the Bank."""
        pools = memory(play, PlotPoolMemory).pools
        for pool in pools.values():
            coins_left = play.balance(pool.account, COIN)
            if coins_left:
                play.move(
                    pool.account, BANK, coins_left, COIN, self.code, "the Plot Pools are closed"
                )
        pools.clear()

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Players open a pool when a Gimmick can be proposed, and spend it when they narrate Events."""
        for gimmick in [o for o in options if o.verb == "gimmick"]:
            number = len(memory(play, PlotPoolMemory).pools) + 1
            hint, name = "give a plot a pool", f"Plot {number}"
            yield self.offer(
                "plot pool", gimmick.by, hint, name, size=lambda rng: rng.randint(LEAST, 20)
            )
        scene = play.state.scene
        event_option = next(
            (o for o in options if o.verb == "event" and o.by == play.state.turn), None
        )
        if (
            scene is None
            or event_option is None
            or play.state.points.price(play, "event", event_option.by) != 1
        ):
            return
        for pool in memory(play, PlotPoolMemory).pools.values():
            if pool.spent(scene.number) < pool.rate and play.balance(pool.account, COIN):
                hint = f"pay from {pool.name}"
                yield self.offer(
                    "event", event_option.by, hint, "The plot thickens", purse=pool.name
                )

    def panel(self, play: Table) -> tuple[Block, ...]:
        """What lies in each pool."""
        from chronicle.core.campaign_view import Stones

        pools = memory(play, PlotPoolMemory).pools.values()
        rows = tuple((p.name, play.balance(p.account, COIN), p.size) for p in pools)
        return (Stones(rows, "Plot Pools"),) if rows else ()

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """A page of pools, and a loose end for each that is not used up."""
        from chronicle.core.campaign_view import Item, Steps, Stones, heads, step_ref
        from chronicle.core.campaign_view import Table as Grid
        from chronicle.core.make_view import curves_of
        from chronicle.games.universalis.sheets import scene_ref

        record = view.record
        state: State = record.state
        pools = remembered(state, PlotPoolMemory).pools.values()
        if not pools:
            return
        coins_left = {pool.name: record.ledger.balance(pool.account, COIN) for pool in pools}
        blocks: list[Block] = [
            Stones(tuple((p.name, coins_left[p.name], p.size) for p in pools), "Coins left")
        ]
        uses = [(pool, *use) for pool in pools for use in pool.uses]
        if uses:
            rows = tuple(
                (
                    pool.name,
                    scene_ref(record, scene),
                    player,
                    coins,
                    step_ref(step, record.step(step).headline or "here"),
                )
                for pool, step, scene, player, coins in sorted(uses, key=lambda use: use[1])
            )
            columns = heads("Plot | Scene | Player | Coins # | For")
            blocks.append(Grid(columns, rows, "What they paid"))
            blocks.append(Steps("Over time", curves_of(record, "plot", COIN), y_title="Coins"))
        intro = "Coins that the Bank gave to plots."
        add_page(view, "plot-pools", "Plot Pools", blocks, intro)
        view.loose_ends += [
            Item(f"the plot '{p.name}' has {plural(coins_left[p.name], 'Coin')} left", step=p.step)
            for p in pools
            if coins_left[p.name]
        ]


def _named(play: Table, action: Action) -> PlotPool | None:
    """The pool that an entry pays from, if it names one."""
    if not isinstance(action, actions.Entry) or action.purse is None:
        return None
    return memory(play, PlotPoolMemory).pools.get(fold(action.purse))
