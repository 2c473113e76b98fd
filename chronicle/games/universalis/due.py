"""What is owed at the table: bids, sides, the dice of every Pool, Coins of an outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from chronicle.core.answers import Due, Pad, Thrown
from chronicle.core.diagnostic import plural
from chronicle.core.dice import faces_as_typed
from chronicle.games.universalis.answers import CARD
from chronicle.games.universalis.playing_cards import RANKS
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.refreshment import bidders
from chronicle.games.universalis.state import COIN, Complication, Phase, Pool, Stage
from chronicle.games.universalis.view import told_odds

MOST_TAPPED: Final = 40
"""The highest bid that has a key of its own; a higher one is typed."""


def due(play: Table) -> list[Due]:
    """What is owed now."""
    state = play.state
    if play.given or state.phase is Phase.PREPARATION:
        return []
    if state.scene is None:
        if state.bid_winner or state.points.turn_goes_on(play):
            return []
        return [Due(player, "a bid", "bid", "U3.2") for player in bidders(play)]
    found: list[Due] = []
    for number in reversed(state.running):
        complication = state.complications[number - 1]
        if complication.stage is Stage.ROLLED:
            found += _outcome(play, complication)
        else:
            found += _dice(play, complication)
    return found


def _outcome(play: Table, complication: Complication) -> Iterator[Due]:
    told = complication.order[: complication.last_teller + 1]
    for player in complication.order:
        count = play.balance(f"bonus:{player}", COIN)
        if count and player not in told:
            words = _noun(count, "Bonus Coin", "Bonus Coins")
            yield Due(player, words, "outcome", "U6.28", count, COIN)


def _dice(play: Table, complication: Complication) -> Iterator[Due]:
    die, title = play.state.points.die(play), complication.title
    one, many = ("card", "cards") if die.name == CARD else ("die", "dice")
    for pool in complication.pools.values():
        if not pool.side:
            yield Due(pool.player, "a side", "declare", "U6.7")
        if pool.dice:
            words, count = _noun(pool.dice, one, many), pool.dice
            sources = tuple(_sources(play, pool))
            yield Due(pool.player, words, "roll", "U6.18", count, die.name, sources, title)
        if pool.edge:
            words = _noun(pool.edge, "Edge Die", "Edge Dice")
            yield Due(pool.player, words, "roll", "U6.22", pool.edge, "edge", (), title)


def _sources(play: Table, pool: Pool) -> Iterator[tuple[str, int]]:
    for one in pool.entries:
        name = play.state.components[one.component].name if one.component else ""
        yield f"{name}: {one.cause}" if name not in ("", one.cause) else one.cause, one.dice


def _noun(count: int, one: str, many: str) -> str:
    return plural(count, one, many).partition(" ")[2]


def odds(play: Table, due: Sequence[Due]) -> list[str]:
    """How likely it is who wins each Complication whose dice are due."""
    falls = {one.within for one in due if one.verb == "roll"}
    state = play.state
    running = (state.complications[number - 1] for number in reversed(state.running))
    return [told for one in running if one.title in falls and (told := told_odds(play, one))]


def pad(play: Table, due: Due) -> Pad | None:
    """The dice of the Pools, or the cards that take their place; for a bid, the Coins there are."""
    points = play.state.points
    if due.verb == "bid":
        most = min(max(play.balance(f"wealth:{due.who}", COIN), 0), MOST_TAPPED)
        return Pad(tuple(map(str, range(most + 1))), deed="bids")
    die = points.die(play)
    if due.kind not in (die.name, "edge"):
        return None
    faces = RANKS[: die.sides] if die.name == CARD else tuple(map(str, range(1, die.sides + 1)))
    hits = tuple(face for number, face in enumerate(faces, 1) if points.success(play, number))
    deed = "plays" if die.name == CARD else "rolls"
    return Pad(faces, hits, colour="edge" if due.kind == "edge" else "", deed=deed)


def thrown(verb: str, dice: Sequence[Thrown], within: str) -> dict[str, Any]:
    """Faces by player, Edge Dice last."""
    faces: dict[str, list[str]] = {}
    for one in sorted(dice, key=lambda one: one.kind == "edge"):
        faces.setdefault(one.who, []).extend(one.faces)
    order = dict.fromkeys(one.who for one in dice)
    made: dict[str, Any] = {verb: {who: faces_as_typed(faces[who]) for who in order}}
    return made | {"in": within} if within else made
