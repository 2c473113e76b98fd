"""Rolls with an incomplete record: stated figures count, and what follows from it is computed.

Sometimes the faces are unknown and the winner is known, one Pool shown and the other not. Nothing is guessed: what
neither the faces nor the keeper tell stays unknown, and a player who spends such Coins has had them.
"""

from __future__ import annotations

from collections.abc import Callable

from chronicle.core.diagnostic import listed
from chronicle.core.fix import set_key
from chronicle.core.names import PLAYER, Named
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.answers import CARD, Verdict
from chronicle.games.universalis.complications import TARGET
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Complication, Pool, RollRound, Stage
from chronicle.games.universalis.told_rolls import ToldRoll

TIE = "tie"


def pools_named(play: Table, action: ToldRoll) -> list[str]:
    """The players with dice in a roll, as named there."""
    shown = action.faces if isinstance(action.faces, dict) else {}
    words = [*shown, *(action.successes or {}), *(action.bonus or {}), *action.edge_to]
    if action.winner is not None and action.winner.casefold() != TIE:
        words.append(action.winner)
    matches = (play.names.find(word, (PLAYER,)) for word in words)
    return list(dict.fromkeys(match.id for match in matches if isinstance(match, Named)))


def known_by_roll(play: Table, action: ToldRoll, complication: Complication) -> None:
    """The owner of a Pool is not recorded: it is theirs whom the roll names besides, where there is no
    doubt which one is meant."""
    pools = complication.pools
    new = [player for player in pools_named(play, action) if player not in pools]
    sides = {pool.side for player, pool in pools.items() if player}
    if (
        not new
        or ("" in pools and len(new) != (1 if sides else 2))
        or ("" not in pools and TARGET in sides)
    ):
        return
    if "" in pools:
        first = pools.pop("")
        first.player = new[0]
        complication.pools = pools = {new[0]: first, **pools}
        if sides:
            complication.originator = new[0]
        new = new[1:]
    pools.update((player, Pool(player, TARGET)) for player in new)
    for word, faces in action.faces.items() if isinstance(action.faces, dict) else ():
        pool = pools.get(play.player(word))
        if pool is not None and not pool.entries and faces is not None:
            # What they drew is not on record either.
            pool.dice = len(faces)


def hidden_pools(
    action: ToldRoll, complication: Complication, find: Callable[[ScalarNode], str]
) -> tuple[str, ...]:
    """Whose faces the record does not have, though it says that they fell."""
    if not isinstance(action.faces, dict):
        return tuple(complication.pools)
    shown = (*action.faces.items(), *(action.edge or {}).items())
    players = {find(word) for word, faces in shown if faces is None}
    return tuple(player for player in complication.pools if player in players)


def stated_verdict(
    play: Table, action: ToldRoll, complication: Complication, thrown: RollRound
) -> Verdict | None:
    """Decide a roll with unknown faces: by all counted Successes, else by the winner that the record names.
    None where it says neither."""
    for word, count in (action.successes or {}).items():
        player = play.player(word)
        if player in thrown.hidden:
            thrown.successes[player] = count
    points = play.state.points
    if all(player in thrown.successes for player in complication.pools):
        verdict = points.verdict(play, complication, thrown)
        # Without all faces the Successes cannot be added up: the Edge is whose the record says.
        return verdict if verdict.winners else _tied(play, action, complication, verdict.scores)
    if action.winner is None:
        return None
    if action.winner.casefold() == TIE:
        return _tied(play, action, complication, (0, 0))
    winner = complication.pools.get(play.player(action.winner))
    if winner is None:
        return None
    return Verdict(
        tuple(pool.player for pool in complication.side(winner.side)), (), (0, 0), (0, 0)
    )


def _tied(
    play: Table, action: ToldRoll, complication: Complication, scores: tuple[int, int]
) -> Verdict:
    named = tuple(dict.fromkeys(filter(None, map(play.player, action.edge_to))))
    without = [player for player in named if player not in complication.pools]
    play.require(
        not without,
        "U6.22",
        f"{listed(without)} {'has' if len(without) == 1 else 'have'} no Pool in this Complication, so no Edge Die",
        at="edge to",
    )
    return Verdict((), tuple(name for name in named if name not in without), scores, (0, 0))


def coins_of(
    play: Table, complication: Complication, pool: Pool, thrown: RollRound, *, won: bool
) -> int | None:
    """The Bonus Coins of a Pool by its faces; without them a loser has one a die, and the Coins of a winner, or
    of a player with Edge Dice, are unknown."""
    points = play.state.points
    shown, edges = thrown.faces[pool.player], thrown.edges[pool.player]
    if pool.player not in thrown.hidden:
        return (points.winner_coins if won else points.loser_coins)(play, shown, edges)
    holed = play.gap_since("pools") > complication.step
    if (
        won
        or holed
        or not pool.dice
        or pool.edge
        or pool.edge_open
        or pool.dice_open
        or points.die(play).name == CARD
    ):
        return None
    return points.loser_coins(play, (0,) * pool.dice, 0)


def nobody_knows(play: Table, complication: Complication, code: str, subject: str) -> None:
    """Neither who won is recorded nor what follows from it."""
    complication.stage = Stage.ROLLED
    complication.order = tuple(complication.pools)
    lose_count(play, complication)
    play.unknown(
        code,
        f"{subject} not recorded, so who won and with how many Coins is not known",
        fix=(set_key("winner"), set_key("bonus", "{...: ...}")),
    )
    # It may have been a tie, and the dice fall again.
    play.taint(f"roll:{complication.number}")
    play.event(f"{subject} not recorded", "U6.20")


def lose_count(play: Table, complication: Complication, *, without_roll: bool = True) -> None:
    """The Coins of all players after it are unknown."""
    for pool in complication.pools.values():
        pool.unknown = pool.unknown or without_roll
        if pool.unknown:
            play.unrecorded(f"wealth:{pool.player}", f"bonus:{pool.player}")


def tell_unknown(play: Table, complication: Complication) -> None:
    """The players with an unknown number of Bonus Coins."""
    unknown = [pool.player for pool in complication.pools.values() if pool.unknown]
    lose_count(play, complication, without_roll=False)
    if unknown:
        play.unknown(
            "U6.21",
            f"with how many Bonus Coins {listed(unknown)} came out of it is not recorded",
            fix=set_key("bonus", f"{{{unknown[0]}: ...}}"),
        )


def edge_unknown(complication: Complication) -> None:
    """A tie without a recorded Edge: the next roll shows it."""
    for pool in complication.pools.values():
        pool.edge_open = True
