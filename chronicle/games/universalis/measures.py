"""Figures that a log may assert and set, and where play is in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chronicle.core.answers import Standing
from chronicle.core.diagnostic import listed, plural
from chronicle.core.game import NOT_BELOW_ZERO, account_measure
from chronicle.core.game_context import GameContext, Measure
from chronicle.core.names import PLAYER
from chronicle.games.universalis import standing
from chronicle.games.universalis.answers import CARD
from chronicle.games.universalis.points import State
from chronicle.games.universalis.preparation import due_player
from chronicle.games.universalis.state import COIN, COMPONENT_KINDS, Phase, Stage
from chronicle.games.universalis.table import lost_turn
from chronicle.games.universalis.traits import importance_of


def importance(play: GameContext[State], id: str) -> int | None:
    """A Component's Importance; None where not all of its Traits are written down."""
    return importance_of(play.state, play.state.components[id])


def dice(play: GameContext[State], id: str) -> int | None:
    """The dice in a player's Pool of the running Complication."""
    for number in reversed(play.state.running):
        pool = play.state.complications[number - 1].pools.get(id)
        if pool is not None:
            return None if pool.dice_open else pool.dice + pool.edge
    return None


def controls(play: GameContext[State], id: str) -> str | None:
    """Who Controls a Component in the scene at hand."""
    scene = play.state.current_scene
    return scene.control.get(id, "nobody") or None if scene is not None else None


def control_rule(play: GameContext[State], id: str) -> str:
    """The rule behind the present Control."""
    component = play.state.components[id]
    how = component.control[-1][3] if component.control else ""
    if how.startswith("with "):
        return "U4.23"
    return {"takes over": "U3.29", "takes the scene up": "U3.25"}.get(how, "U3.24")


def owed(play: GameContext[State], id: str) -> int | None:
    """What a player still owes."""
    if any(debt.is_open for debt in play.state.debts if debt.debtor == id):
        return None
    return sum(debt.owed for debt in play.state.debts if debt.debtor == id)


def turn(play: GameContext[State], id: str) -> str | None:
    """Whose turn it is."""
    return None if lost_turn(play) else play.state.turn


def wealth_rule(play: GameContext[State], id: str) -> str:
    """A wrong purse answers to the rule that purses are kept (U1.2), or to one of an add-on."""
    return play.state.points.wealth_rule(play, id)


def situation(play: GameContext[State]) -> str:
    """Where play is, in one sentence."""
    state = play.state
    if state.phase is Phase.PREPARATION:
        return (
            f"Preparation: {plural(len(state.tenets), 'Tenet')} so far; {state.turn or 'somebody'} begins."
            if (not state.begun)
            else f"Preparation: {plural(len(state.tenets), 'Tenet')} so far; {state.turn} acted last."
        )
    scene = state.scene
    if scene is None:
        if state.bid_winner:
            return f"{state.bid_winner} has won the bid and frames the next scene."
        return state.points.between_scenes(play)
    where = f'scene {scene.number}, "{scene.title}"'
    if state.mini is not None:
        where = f'the Mini Scene "{state.mini.title}" within {where}'
    complication = state.current_complication()
    unsure = lost_turn(play)
    whose = "Nobody knows whose turn it is" if unsure else f"It is {state.turn}'s turn"
    if complication is not None:
        held = "cards" if state.points.die(play).name == CARD else "dice"
        pools = listed(f"{p.player} {p.dice + p.edge}" for p in complication.pools.values())
        state_words = {
            Stage.TIED: "is tied and rolled again",
            Stage.CLOSED: "is about to be rolled",
            Stage.ROLLED: "is rolled; its outcome is narrated",
        }.get(complication.stage, "grows")
        return f'{whose} in {where}; "{complication.title}" {state_words} ({held}: {pools}).'
    if unsure:
        return f"{whose} in {where}."
    verb = (
        "frames"
        if state.current_scene is not None and state.current_scene.framing
        else "is on turn in"
    )
    bid_left = play.balance(f"bid:{scene.framer}", COIN) if scene.framer else 0
    bid_sentence = f" {scene.framer} has {bid_left} of the bid left." if bid_left else ""
    return f"{state.turn} {verb} {where}.{bid_sentence}"


def standing_of(play: GameContext[State]) -> Standing:
    """Where play is, in parts."""
    state = play.state
    scene = state.scene
    if state.phase is Phase.PREPARATION:
        tenet_count = plural(len(state.tenets), "Tenet")
        proposer = due_player(play)
        headline = f"{proposer or 'Somebody'} may propose a Tenet or pass"
        return Standing(headline, f"{tenet_count} so far.", ("Preparation",), proposer)
    if scene is None:
        if state.bid_winner:
            winner = state.bid_winner
            return Standing(f"{winner} frames the next scene", "", ("Between scenes",), winner)
        sentence = state.points.between_scenes(play).rstrip(".")
        headline = sentence.partition(": ")[2] or sentence
        return Standing(f"{headline[:1].upper()}{headline[1:]}", "", ("Between scenes",))
    crumbs = [play.timeline.get(scene.number).numbered_label]
    if state.mini is not None:
        crumbs.append(f"Mini Scene, {state.mini.title}")
    turn = "" if lost_turn(play) else state.turn
    headline = f"It is {turn}'s turn" if turn else "Nobody knows whose turn it is"
    complication = state.current_complication()
    if complication is not None:
        pools = [*complication.pools]
        against = f": {pools[0]} against {listed(pools[1:])}" if len(pools) > 1 else ""
        stage = {
            Stage.TIED: "Tied",
            Stage.CLOSED: "The dice are called for",
            Stage.ROLLED: "The outcome is told",
        }.get(complication.stage, "Pools grow")
        return Standing(
            headline, f"{complication.title}{against}.", (*crumbs, "Complication", stage), turn
        )
    bid_left = play.balance(f"bid:{scene.framer}", COIN) if scene.framer else 0
    detail = f"{scene.framer} has {bid_left} of the bid left." if bid_left else ""
    if state.current_scene is not None and state.current_scene.framing:
        detail = (
            detail
            if state.current_scene.located
            else f"{detail} The scene has no place yet.".strip()
        )
        return Standing(
            f"{turn or 'Somebody'} frames the scene", detail, (*crumbs, "Framing"), turn
        )
    return Standing(headline, detail, tuple(crumbs), turn)


def _count(
    doc: str,
    read: Callable[[GameContext[State], str], int | None],
    write: Callable[[GameContext[State], str, str], bool | None],
    code: str,
    subject: str = "tracks",
    kinds: tuple[str, ...] = (PLAYER,),
) -> Measure:
    """A counted figure, never below zero."""
    rule, limits = (lambda play, id: code), (lambda play, id: NOT_BELOW_ZERO)
    return Measure(doc, kinds, read, write, rule, limits, state_kind=subject)


MEASURES: Mapping[str, Measure] = {
    "wealth": account_measure("Coins in the purse", (PLAYER,), "wealth", COIN)._replace(
        rule=wealth_rule
    ),
    "table": account_measure(
        "Coins of the bid still on the table",
        (PLAYER,),
        "bid",
        COIN,
        sentence="{of} has {amount} on the table",
    ),
    "coins left": Measure(
        "Coins in the purse and on the table, as people count",
        (PLAYER,),
        standing.coins_left,
        standing.set_coins_left,
        wealth_rule,
        lambda play, id: NOT_BELOW_ZERO,
        state_kind="purses",
        account="wealth",
        unit=COIN,
        sentence="{of} has {amount} left",
    ),
    "importance": _count(
        "Importance", importance, standing.set_importance, "U4.35", kinds=COMPONENT_KINDS
    ),
    "dice": _count("dice in a player's Pool", dice, standing.set_dice, "U6.20", "pools"),
    "control": Measure(
        "who Controls a Component",
        COMPONENT_KINDS,
        controls,
        standing.set_control,
        control_rule,
        words=(standing.NOBODY,),
        state_kind="cast",
        names=(PLAYER,),
    ),
    "spent": _count(
        "Coins spent in the running scene", standing.spent, standing.set_spent, "U1.2", "purses"
    ),
    "bonus": account_measure(
        "Bonus Coins not yet told", (PLAYER,), "bonus", COIN, sentence="{of} has {amount} of Bonus"
    ),
    "owed": _count("Coins owed from loans", owed, standing.set_owed, "UG.2", "purses"),
    "turn": Measure(
        "whose turn it is",
        (),
        turn,
        standing.set_turn,
        lambda play, id: "U3.15",
        state_kind="turns",
        names=(PLAYER,),
    ),
}
