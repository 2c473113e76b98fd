"""UA.43: a Complication is fought out in stages, each rolled and told for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronicle.core.declare import NAME, ListOf, MapOf, Part, main, option, whole
from chronicle.core.diagnostic import plural
from chronicle.core.rulebook import Option
from chronicle.core.rules import CHECKED, Rule, Ruling
from chronicle.games.universalis.actions import COUNT
from chronicle.games.universalis.addons.base import CHAPTER, AddOn, AddOnEntry, in_force
from chronicle.games.universalis.divisions import complication_of, divide_evenly, sizes
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import COIN, Complication, Stage
from chronicle.games.universalis.story_actions import ComplicationEntry
from chronicle.games.universalis.table import charge

if TYPE_CHECKING:
    from random import Random


class ExtendedSettings(Part):
    """What the group sets for extended Complications."""

    price = option(COUNT, "Coins for extending one", default=1)


class Extend(AddOnEntry, ComplicationEntry):
    """Divide the Pools of the open Complication into stages, before the dice fall: the smallest stage is
    rolled and told first. Any player may; whoever pays chooses how many stages."""

    verb = "extend"
    acts = "any player, before the roll: name the player with by"
    example = "extend: 3\n  by: Dov"
    stages = main(whole(2, 20), "how many stages")
    pools = option(
        MapOf(NAME, ListOf(COUNT)), "{player: [dice of each stage, smallest first]}; checked"
    )


def extend(play: Table, action: Extend) -> None:
    """Every Pool is divided as evenly as possible."""
    add_on = in_force(play, ExtendedComplications)
    charge(play, "gimmick", "UA.43", "the stages", amount=add_on.chosen.price if add_on else 0)
    stages = action.stages
    play.step.headline = f"{stages} stages"
    complication = complication_of(play, action)
    if complication is None:
        rolled = [one.rounds[-1].step for one in play.state.complications if one.rounds]
        play.require(
            play.gap > 0,
            "UA.43",
            "no Complication is open that could be extended",
            facts=[play.because(rolled[-1], "the last one was rolled here")] if rolled else (),
            help="extend it when its dice are laid and have not fallen yet",
        )
        return
    if complication.rounds or complication.stage not in (Stage.OPEN, Stage.CLOSED):
        play.require(
            False,
            "UA.43",
            f"'{complication.title}' has been rolled; it is extended before the dice fall",
            facts=[play.because(complication.rounds[0].step, "rolled here")]
            if complication.rounds
            else (),
        )
        return
    most = max((pool.dice for pool in complication.pools.values()), default=0)
    if not play.require(
        stages <= most,
        "UA.43",
        f"the largest Pool has {plural(most, 'die', 'dice')}, too few for {stages} stages",
        at=action.place("main"),
        help=f"at most {most} stages" if most > 1 else "lay more dice first",
    ):
        return
    for word, stated in (action.pools or {}).items():
        player = play.player(word)
        pool = complication.pools.get(player)
        if pool is None:
            continue
        even = sizes(pool.dice, stages)
        uneven = sorted(stated) != even
        play.require(
            list(stated) == even,
            "UA.43",
            f"{plural(pool.dice, 'die', 'dice')} in {stages} stages are "
            f"{', '.join(map(str, even))}, not {', '.join(map(str, stated))}"
            if uneven
            else f"the smallest stage comes first: {', '.join(map(str, even))}",
            at=action.place("pools", str(word)),
        )
    complication.steps.append(play.step.index)
    complication.closed_step = complication.closed_step or play.step.index
    divide_evenly(play, complication, stages, "UA.43")
    play.event(f"'{complication.title}' is fought out in {stages} stages", "UA.43", "extends")


class ExtendedComplications(AddOn):
    """Back and forth, blow by blow."""

    code = "UA.43"
    key = "extended complications"
    title = "Extended Complications"
    summary = (
        "Once the Pools are built a player may pay to divide them into stages. Each stage is rolled and "
        "told for itself, so that the advantage can pass to and fro."
    )
    changes = ("U6.17", "U6.18", "U6.21", "U6.22", "U6.28")
    parameters = ExtendedSettings
    rules = (
        Rule(
            "UA.43",
            "Extended Complications",
            CHECKED,
            "Every Pool is divided as evenly as possible into as many stages as the payer says; the "
            "smallest stage of each side is rolled first. Each has its own winner, Edge Dice and Bonus "
            "Coins.",
            chapter=CHAPTER,
        ),
    )
    rulings = (
        Ruling(
            "S87",
            "price of extending",
            "What does it cost to extend a Complication?",
            {"one": "1 Coin, as for any Gimmick; a group may set another price"},
            "the book speaks of whoever pays and names no price",
            ("UA.43",),
        ),
    )
    verbs = {Extend: extend}  # noqa: RUF012
    chosen: ExtendedSettings

    def options(self, play: Table, found: list[Option]) -> list[Option]:
        """A Complication with enough dice may be extended."""
        complication: Complication | None = play.state.current_complication()
        player = play.state.turn
        price = self.chosen.price
        if (
            complication is None
            or complication.stage is not Stage.OPEN
            or complication.part_of
            or max(pool.dice for pool in complication.pools.values()) < 2
            or not all(pool.side for pool in complication.pools.values())
            or not any(option.verb == "roll" for option in found)
            or play.balance(f"wealth:{player}", COIN) < price
        ):
            return found

        def entry(rng: Random) -> dict[str, object]:
            return {"extend": 2}

        return [*found, Option("extend", player, "fight it out in stages", "UA.43", entry)]
