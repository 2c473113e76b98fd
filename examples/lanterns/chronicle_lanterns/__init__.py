"""Lanterns: a made-up game of six rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from chronicle import api

OIL, LANTERN = "measure of oil", "lantern"

RULES = """
L1 Three oil each [computed]
  Every player begins with three measures of oil.
L2 Lighting a lantern [checked]
  It costs one oil, and the lantern gets a name.
L3 Round the table [checked]
  Nobody lights two lanterns one after the other.
L4 The storm [computed]
  One die is rolled. On 1 or 2 the lantern that was lit last goes out.
L5 Sharing [checked]
  One oil may be given to a player who has none.
L6 The end [computed]
  When nobody has oil, the night is over.
"""
RULINGS = """
LA1 storm_none: No lantern burns when the storm comes. What then?
  - nothing: nothing happens
  - oil: the player who rolled loses one oil
  because the storm has nothing to put out (L4)
"""


@dataclass
class State:
    """The lanterns that burn, by id, and the player who lit the last one."""

    lit: list[str] = field(default_factory=list)
    last: str = ""


Table = api.GameContext[State]


class Light(api.Action):
    """Light a lantern."""

    verb = "light"
    example = "light: The ford\n  by: Ana"
    offered = api.Offered("L2", "light a lantern", (1, OIL))
    lantern = api.main(api.new_name(LANTERN, "L2"), "the name of the lantern")
    by = api.required(api.in_role("player", api.NAME), "the player who lights it")

    def sentence(self, play: Table) -> api.Sentence:
        return (*api.said("{} lights ", play.step.player), f"{self.lantern}.")

    @api.guard("L2", help="another player may share:  share: and the name")
    def has_oil(self, play: Table) -> str | None:
        player = play.step.player
        return None if play.figure("oil", player).at_least(1) else f"{player} has no oil left"

    @api.guard("L3", at="by", help="another player lights the next one")
    def goes_round(self, play: Table) -> str | None:
        player = play.step.player
        return f"{player} lit the last lantern" if player == play.state.last else None

    def apply(self, play: Table) -> None:
        player, name = play.step.player, str(self.lantern)
        play.spend(f"oil:{player}", "night", 1, OIL, "L2", "a lantern")
        lantern = play.names.mint(name, LANTERN)
        play.names.add(lantern, LANTERN, name)
        play.state.lit.append(lantern)
        play.state.last = player
        play.event(f"{name} burns", "L2", "burns", lantern)


class Storm(api.Action):
    """The storm comes: roll one die."""

    verb = "storm"
    example = "storm: 2\n  by: Bo"
    offered = api.Offered("L4", "roll for the storm")
    die: api.Faces = api.main(api.faces(api.D6), "what the die shows")
    by = api.required(api.in_role("player", api.NAME), "the player who rolls")

    def sentence(self, play: Table) -> api.Sentence:
        return (*api.said("{} rolls ", play.step.player), f"{self.die[0]} for the storm.")

    def apply(self, play: Table) -> None:
        if not play.state.lit and play.ruling("storm_none") == "oil":
            play.spend(f"oil:{play.step.player}", "night", 1, OIL, "L4", "the storm")
        elif play.state.lit and self.die.numbers[0] <= 2:
            lantern = play.state.lit.pop()
            play.event(f"{play.names.all[lantern].name} goes out", "L4", "goes out", lantern)


class Share(api.Action):
    """Give one oil to a player who has none."""

    verb = "share"
    example = "share: Bo\n  by: Ana"
    offered = api.Offered("L5", "share oil", (1, OIL))
    to = api.main(api.in_role("player", api.NAME), "the player who gets it")
    by = api.required(api.in_role("player", api.NAME), "the player who gives it")

    def sentence(self, play: Table) -> api.Sentence:
        other = play.look_up_player(self.to)
        return api.said("{} shares oil with {}.", play.step.player, other)

    @api.guard("L5")
    def helps_somebody_without(self, play: Table) -> Iterator[str]:
        giver, other = play.step.player, play.look_up_player(self.to)
        if not play.figure("oil", giver).at_least(1):
            yield f"{giver} has no oil left"
        if play.figure("oil", other).at_least(1):
            yield f"{other} has oil left"

    def apply(self, play: Table) -> None:
        giver, other = play.step.player, play.look_up_player(self.to)
        play.spend(f"oil:{giver}", f"oil:{other}", 1, OIL, "L5", "shared")


class Lanterns(api.Game[State]):
    """The rules of Lanterns."""

    api_version = 1
    name = "lanterns"
    title = "Lanterns"
    summary = "Players keep lanterns alight through one stormy night."
    verbs = (Light, Storm, Share)
    rules = api.read_rules(RULES)
    rulings = api.read_rulings(RULINGS)
    law = api.Law(
        roles={"player": api.Role("a player", kinds=(api.PLAYER,), resolves_to=api.PLAYER)}
    )
    accounts = {"oil": "Oil", "night": "The night"}
    supplies = frozenset({"night"})
    measures = {"oil": api.account_measure("oil left", (api.PLAYER,), "oil", OIL)}

    def start(self, play: api.GameContext[State]) -> State:
        for player in play.seats:
            play.move("night", f"oil:{player}", 3, OIL, "L1", "at the start")
        return State()

    def over(self, play: api.GameContext[State]) -> bool:
        return not any(play.balance(f"oil:{player}", OIL) for player in play.seats)

    def situation(self, play: api.GameContext[State]) -> str:
        now = api.plural(len(play.state.lit), "lantern burns", "lanterns burn")
        return f"The night is over: {now}." if self.over(play) else f"{now}."

    def panel(self, play: api.GameContext[State]) -> tuple[api.Block, ...]:
        oil = tuple((player, play.balance(f"oil:{player}", OIL), 3) for player in play.seats)
        return (api.Stones(oil, "Oil"),)

    def fill(self, view: api.CampaignView) -> None:
        for named in view.record.names.all.values():
            if named.kind == LANTERN:
                sheet = api.Sheet(named.id, named.name, "lantern", "Lanterns", shape="thing")
                sheet.gone = named.id not in view.record.state.lit
                sheet.blocks.append(api.appearances(view.record, named.id))
                view.sheets.append(sheet)
