"""Open duties at the table: bids, sides, the dice of every Pool, Coins of an outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from chronicle.core.answers import Obligation, Pad, Thrown
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


def due(play: Table) -> list[Obligation]:
    """What is owed now."""
    state = play.state
    if play.given or state.phase is Phase.PREPARATION:
        return []
    if state.scene is None:
        if state.bid_winner or state.points.turn_goes_on(play):
            return []
        return [Obligation(player, "a bid", "bid", "U3.2") for player in bidders(play)]
    dues: list[Obligation] = []
    for number in reversed(state.running):
        complication = state.complications[number - 1]
        if complication.stage is Stage.ROLLED:
            dues += _outcome(play, complication)
        else:
            dues += _dice(play, complication)
    return dues


def _outcome(play: Table, complication: Complication) -> Iterator[Obligation]:
    tellers = complication.order[: complication.last_teller + 1]
    for player in complication.order:
        count = play.balance(f"bonus:{player}", COIN)
        if count and player not in tellers:
            words = _noun(count, "Bonus Coin", "Bonus Coins")
            yield Obligation(player, words, "outcome", "U6.28", count, COIN)


def _dice(play: Table, complication: Complication) -> Iterator[Obligation]:
    die, title = play.state.points.die(play), complication.title
    singular, plural_form = ("card", "cards") if die.name == CARD else ("die", "dice")
    for pool in complication.pools.values():
        if not pool.side:
            yield Obligation(pool.player, "a side", "declare", "U6.7")
        if pool.dice:
            words, count = _noun(pool.dice, singular, plural_form), pool.dice
            sources = tuple(_sources(play, pool))
            yield Obligation(pool.player, words, "roll", "U6.18", count, die.name, sources, title)
        if pool.edge:
            words = _noun(pool.edge, "Edge Die", "Edge Dice")
            yield Obligation(pool.player, words, "roll", "U6.22", pool.edge, "edge", (), title)


def _sources(play: Table, pool: Pool) -> Iterator[tuple[str, int]]:
    for entry in pool.entries:
        name = play.state.components[entry.component].name if entry.component else ""
        yield f"{name}: {entry.cause}" if name not in ("", entry.cause) else entry.cause, entry.dice


def _noun(count: int, singular: str, plural_form: str) -> str:
    return plural(count, singular, plural_form).partition(" ")[2]


def odds(play: Table, due: Sequence[Obligation]) -> list[str]:
    """How likely it is who wins each Complication whose dice are due."""
    falls = {due_roll.within for due_roll in due if due_roll.verb == "roll"}
    state = play.state
    running = (state.complications[number - 1] for number in reversed(state.running))
    return [
        words
        for complication in running
        if complication.title in falls and (words := told_odds(play, complication))
    ]


def pad(play: Table, due: Obligation) -> Pad | None:
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
    for throw in sorted(dice, key=lambda throw: throw.kind == "edge"):
        faces.setdefault(throw.who, []).extend(throw.faces)
    order = dict.fromkeys(throw.who for throw in dice)
    entry: dict[str, Any] = {verb: {player: faces_as_typed(faces[player]) for player in order}}
    return entry | {"in": within} if within else entry
