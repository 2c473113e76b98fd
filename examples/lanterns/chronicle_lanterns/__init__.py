"""Lanterns: a made-up game of six rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from chronicle import api

OIL, LANTERN = "oil", "lantern"

RULES = """
# Play
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


class Light(api.Action):
    """Light a lantern."""

    verb = "light"
    example = "light: The ford\n  by: Ana"
    lantern = api.main(api.label(api.NAME), "the name of the lantern")


class Storm(api.Action):
    """The storm comes: roll one die."""

    verb = "storm"
    example = "storm: 2\n  by: Bo"
    die: api.Faces = api.main(api.faces(api.D6), "what the die shows")


class Share(api.Action):
    """Give one oil to a player who has none."""

    verb = "share"
    example = "share: Bo\n  by: Ana"
    to = api.main(api.NAME, "the player who gets it")


def actor(game: api.GameContext[State], rule: str) -> str:
    """The player who acts; an entry has to say it, since anybody may."""
    game.require(bool(game.step.player), rule, "nobody is named", help="write  by:  and a player")
    return game.step.player


def light(game: api.GameContext[State], action: Light) -> None:
    """L2 and L3: a player pays one oil for a lantern, and never lights two in a row."""
    if not (player := actor(game, "L2")):
        return
    game.require(player != game.state.last, "L3", f"{player} lit the last lantern", at="by")
    game.pay(f"oil:{player}", "night", 1, OIL, "L2", "a lantern")
    lantern = game.names.mint(str(action.lantern), LANTERN)
    game.names.add(lantern, LANTERN, str(action.lantern))
    game.state.lit.append(lantern)
    game.state.last = player
    game.event(f"{action.lantern} burns", "L2", "burns", lantern)


def storm(game: api.GameContext[State], action: Storm) -> None:
    """L4: the storm puts out the lantern that was lit last."""
    if not game.state.lit:
        if game.ruling("storm_none") == "oil" and (player := actor(game, "LA1")):
            game.pay(f"oil:{player}", "night", 1, OIL, "LA1", "the storm")
    elif action.die.numbers[0] <= 2:
        lantern = game.state.lit.pop()
        game.event(f"{game.names.all[lantern].name} goes out", "L4", "goes out", lantern)


def share(game: api.GameContext[State], action: Share) -> None:
    """L5: a player gives one oil to a player who has none."""
    player, to = actor(game, "L5"), game.player(action.to)
    if player and to:
        game.require(not game.balance(f"oil:{to}", OIL), "L5", f"{to} has oil left", at="main")
        game.pay(f"oil:{player}", f"oil:{to}", 1, OIL, "L5", "shared")


class Lanterns(api.Game[State]):
    """The rules of Lanterns."""

    api_version = 1
    name = "lanterns"
    title = "Lanterns"
    summary = "Players keep lanterns alight through one stormy night."
    handlers = {Light: light, Storm: storm, Share: share}
    rules = api.read_rules(RULES)
    rulings = api.read_rulings(RULINGS)
    accounts = {"oil": "Oil", "night": "The night"}
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

    def options(self, play: api.GameContext[State]) -> list[api.Move]:
        oil = {player: play.balance(f"oil:{player}", OIL) for player in play.seats}
        moves = []
        for player in [player for player in play.present if oil[player] and not self.over(play)]:
            if player != play.state.last:
                moves.append(api.Move.plain("light", player, "light a lantern", "L2", "Lantern"))
            moves.append(api.Move.plain("storm", player, "roll", "L4", api.one_of(api.D6.faces)))
            for poor in [other for other in play.present if not oil[other]]:
                moves.append(api.Move.plain("share", player, f"give oil to {poor}", "L5", poor))
        return moves

    def panel(self, play: api.GameContext[State]) -> tuple[api.Block, ...]:
        oil = tuple((player, play.balance(f"oil:{player}", OIL), 3) for player in play.seats)
        lit = [api.Slip(play.names.all[lantern].name) for lantern in play.state.lit]
        return api.Stones(oil, "Oil"), api.Slips(tuple(lit), "Lanterns")

    def fill(self, book: api.Book) -> None:
        for named in book.record.names.all.values():
            if named.kind == LANTERN:
                sheet = api.Sheet(named.id, named.name, "lantern", "Lanterns", shape="thing")
                sheet.gone = named.id not in book.record.state.lit
                sheet.blocks.append(api.appearances(book.record, named.id))
                book.sheets.append(sheet)
