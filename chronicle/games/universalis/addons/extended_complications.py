"""UA.43: a Complication is fought out in stages, each rolled and told for itself."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.answers import Move
from chronicle.core.declare import Decides, Part, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, ListOf, MapOf, in_role, whole
from chronicle.core.fix import write_word
from chronicle.games.universalis import divisions
from chronicle.games.universalis.actions import COUNT, NOT_PREPARING
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, in_force
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.state import COIN, Complication, Stage


class ExtendedSettings(Part):
    """What the group sets for extended Complications."""

    price = option(COUNT, "Coins for extending one", default=1)


class Extend(AddOnEntry, divisions.ComplicationEntry):
    """Divide the Pools of the open Complication into stages, before the dice fall: the smallest stage is
    rolled and told first. Any player may; the player who pays chooses the number of stages."""

    verb = "extend"
    decides = Decides("by")
    moment = NOT_PREPARING
    example = "extend: 3\n  by: Dov"
    stages = main(whole(2, 20), "how many stages")
    pools = option(
        MapOf(in_role("has a Pool", NAME), ListOf(COUNT)),
        "{player: [dice of each stage, smallest first]}; checked",
        computed=True,
    )


def extend(play: Table, action: Extend) -> None:
    """The dice of each side are divided as evenly as possible."""
    add_on = in_force(play, ExtendedComplications)
    charge(play, "gimmick", "UA.43", "the stages", amount=add_on.chosen.price if add_on else 0)
    stages = action.stages
    play.step.headline = f"{stages} stages"
    complication = divisions.complication_of(play, action)
    if complication is None:
        rolled = [divided.rounds[-1].step for divided in play.state.complications if divided.rounds]
        play.require(
            play.gap > 0,
            "UA.43",
            "no Complication is open that could be extended",
            facts=[play.because(rolled[-1], "the last one was rolled here")] if rolled else (),
            help="extend it when its dice are laid and have not fallen yet",
            since=0,
        )
        return
    stages_of_it = (
        divisions.parts_of(play, complication.part_of) if complication.divided_by == "UA.43" else []
    )
    fallen = [divided.rounds[0].step for divided in (complication, *stages_of_it) if divided.rounds]
    if fallen or complication.stage not in (Stage.OPEN, Stage.CLOSED):
        play.illegal(
            "UA.43",
            f"'{complication.title}' has been rolled; it is extended before the dice fall"
            if complication.rounds or not fallen
            else "a stage has been rolled; a Complication is extended before any die falls",
            facts=[play.because(fallen[0], "rolled here")] if fallen else (),
        )
        return
    most = max(
        (sum(pool.dice for pool in side) for side in divisions.sides_of(complication)), default=0
    )
    if not play.require(
        stages <= most,
        "UA.43",
        f"the larger side has {plural(most, 'die', 'dice')}, too few for {stages} stages",
        at="main",
        fix=write_word(most) if most > 1 else (),
        help=() if most > 1 else "lay more dice first",
    ):
        return
    stated = _stated(play, action, complication)
    complication.steps.append(play.step.number)
    complication.closed_step = complication.closed_step or play.step.number
    divisions.divide_evenly(play, complication, stages, "UA.43", stated)
    play.event(f"'{complication.title}' is fought out in {stages} stages", "UA.43", "extends")


def _stated(play: Table, action: Extend, complication: Complication) -> dict[str, list[int]]:
    """How many dice of each player are in each stage, where the table has said so and a side comes out
    even."""
    stages = action.stages
    computed = divisions.stage_sizes(complication, stages)
    stated: dict[str, tuple[str, list[int]]] = {}
    for word, counts in (action.pools or {}).items():
        player = play.player(word)
        if player in complication.pools:
            stated[player] = (str(word), list(counts))
    accepted: dict[str, list[int]] = {}
    for side in divisions.sides_of(complication):
        side_counts = {pool.player: stated[pool.player] for pool in side if pool.player in stated}
        if not side_counts:
            continue
        dice = sum(pool.dice for pool in side)
        right = divisions.even(dice, stages)
        whole_pools = all(
            len(side_counts[pool.player][1]) == stages
            and sum(side_counts[pool.player][1]) == pool.dice
            for pool in side
            if pool.player in side_counts
        )
        lists = [
            side_counts[p.player][1] if p.player in side_counts else computed[p.player]
            for p in side
        ]
        sums = [sum(row[at] for row in lists if at < len(row)) for at in range(stages)]
        shown = side_counts[next(iter(side_counts))][1] if len(side) == 1 else sums
        if play.require(
            whole_pools and sums == right,
            "UA.43",
            f"the smallest stage comes first: {', '.join(map(str, right))}"
            if whole_pools and sorted(sums) == right
            else f"{plural(dice, 'die', 'dice')} in {stages} stages are "
            f"{', '.join(map(str, right))}, not {', '.join(map(str, shown))}"
            if len(side) == 1 or whole_pools
            else "these are not all dice of "
            + listed(
                p.player
                for p in side
                if p.player in side_counts and sum(side_counts[p.player][1]) != p.dice
            ),
            at=action.place("pools", side_counts[next(iter(side_counts))][0]),
        ):
            accepted.update((player, counts) for player, (_, counts) in side_counts.items())
    return accepted


class ExtendedComplications(AddOn):
    """Back and forth, blow by blow."""

    summary = (
        "Once the Pools are built a player may pay to divide them into stages. Each stage is rolled and "
        "told for itself, so that the advantage can pass to and fro."
    )
    changes = ("U6.17", "U6.18", "U6.21", "U6.22", "U6.28")
    rule_text = """
        UA.43 Extended Complications [checked]
          The dice of each side are divided as evenly as possible into as many stages as the payer says; the
          smallest stage of each side is rolled first. Each has its own winner, Edge Dice and Bonus Coins.
        """
    ruling_text = """
        S87 price of extending: What does it cost to extend a Complication?
          - one: 1 Coin, as for any Gimmick; a group may set another price
          because the book speaks of the paying player and names no price (UA.43)
        """
    verbs = {Extend: extend}  # noqa: RUF012
    chosen: ExtendedSettings

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Players can extend a Complication with enough dice."""
        complication: Complication | None = play.state.current_complication()
        player = play.state.turn
        price = self.chosen.price
        if (
            complication is None
            or complication.stage is not Stage.OPEN
            or complication.part_of
            or max(pool.dice for pool in complication.pools.values()) < 2
            or not all(pool.side for pool in complication.pools.values())
            or not any(option.verb == "roll" for option in options)
            or play.balance(f"wealth:{player}", COIN) < price
        ):
            return
        yield self.offer("extend", player, "fight it out in stages", 2)
