"""UA.37: the Originator spreads the Complication's Successes over the Target Pools."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chronicle.core.answers import Move
from chronicle.core.declare import Part, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import choice
from chronicle.games.universalis.addons.pool_methods import PoolMethod
from chronicle.games.universalis.answers import Verdict
from chronicle.games.universalis.playing_cards import number_of
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.rolls import RollDice
from chronicle.games.universalis.state import Complication, Pool, RollRound

if TYPE_CHECKING:
    from random import Random


class SplitSettings(Part):
    """What the group sets for split allocation."""

    allocates = option(
        choice("originator", "target"),
        "whose Successes are allocated: the Complication's over several Targets, or those of one "
        "Target over several opponents",
        default="originator",
    )


class SplitAllocation(PoolMethod):
    """One throw, and a share of it for each opponent."""

    summary = (
        "All Pools roll together. The Originator allocates the Complication's Successes to the Target "
        "Pools at will; each Target Pool wins or loses against its share. A table may turn it round: "
        "one Target allocates to several opponents."
    )
    changes = ("U6.19", "U6.21", "U6.25", "U6.26")
    rule_text = """
        UA.37 Split Allocation [checked; V147]
          The player whose side is spread writes with the roll how many Successes meet each opposing Pool: no more
          than were rolled. A Pool with as many Successes as its share is tied: the Edge goes by the sums of both,
          and all is rolled and allocated again.
        """
    ruling_text = """
        S91 allocated side: The allocated side wins against some and loses against others. What are its own Coins?
          - totals: those of a winner if all its Successes are more than those of all opposing Pools together (then
            by the sums), else those of a loser
          because the book says nothing; totals keep the Coins sane (UA.37)
        """
    chosen: SplitSettings

    def allocator(self, play: Table, complication: Complication) -> str:
        """The Originator, or the only Target Player."""
        if not _spread(complication, str(self.chosen.allocates)):
            return ""
        if self.chosen.allocates == "target":
            return complication.side("target")[0].player
        return complication.originator

    def verdict(self, play: Table, complication: Complication, roll: RollRound) -> Verdict:
        """Each opposing Pool against its share."""
        sides = _spread(complication, str(self.chosen.allocates))
        if not sides:
            return self.inner.verdict(play, complication, roll)
        return decide(play, complication, roll, self.allocator(play, complication), *sides)

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """A roll comes with its shares."""
        complication = play.state.current_complication()
        if complication is None:
            return options
        return with_shares(play, complication, options)


def _spread(
    complication: Complication, allocates: str
) -> tuple[list[Pool], list[Pool]] | tuple[()]:
    """The Pools whose Successes are allocated, and those that they are allocated to; empty where there is
    nothing to choose."""
    allocating, opposing = complication.side("complication"), complication.side("target")
    if allocates == "target":
        allocating, opposing = opposing, allocating
        if len(allocating) != 1:
            return ()
    return (allocating, opposing) if len(opposing) > 1 else ()


def decide(
    play: Table,
    complication: Complication,
    roll: RollRound,
    allocator: str,
    spread: list[Pool],
    met: list[Pool],
) -> Verdict:
    """Hold what was allocated, and compare every Pool with its share."""
    action = play.step.action
    allocators = [pool.player for pool in spread]
    opponents = [pool.player for pool in met]
    scores = (
        sum(roll.successes.get(player, 0) for player in allocators),
        sum(roll.successes.get(player, 0) for player in opponents),
    )
    sums = (
        sum(roll.sums.get(player, 0) for player in allocators),
        sum(roll.sums.get(player, 0) for player in opponents),
    )
    shares = dict(roll.shares or {})
    place = action.place("shares") if roll.shares is not None else action.place()
    play.require(
        not play.step.player or action.by is None or play.step.player == allocator,
        "UA.37",
        f"{play.step.player} allocates the Successes, and that is {allocator}'s to do",
        at=action.place("by") if action.by is not None else place,
    )
    strangers = [player for player in shares if player not in opponents]
    play.require(
        not strangers,
        "UA.37",
        f"Successes are allocated to {listed(strangers)}, and the opposing Pools are {listed(opponents)}'s",
        at=place,
    )
    allocated = sum(shares.values())
    play.require(
        allocated <= scores[0],
        "UA.37",
        f"{plural(allocated, 'Success', 'Successes')} allocated, and {scores[0]} rolled",
        at=place,
        help="allocate no more than fell",
    )
    roll.shares = {player: shares.get(player, 0) for player in opponents}
    play.event(
        f"{allocator} allocates "
        + listed(f"{share} against {player}" for player, share in roll.shares.items()),
        "UA.37",
        "allocates",
    )
    tied = [p for p in opponents if roll.successes.get(p, 0) == roll.shares[p]]
    if tied:
        edge = [p for p in tied if roll.sums.get(p, 0) >= sums[0]]
        if any(roll.sums.get(p, 0) <= sums[0] for p in tied):
            edge.append(allocators[0])
        order = [player for player in complication.pools if player in edge]
        return Verdict((), tuple(order), scores, sums)
    winners = [p for p in opponents if roll.successes.get(p, 0) > roll.shares[p]]
    play.ruling("allocated side")
    if (scores[0], sums[0]) > (scores[1], sums[1]):
        winners += allocators
    if not winners:
        winners = allocators  # more was allocated than fell, and everybody lost against it
    return Verdict(tuple(p for p in complication.pools if p in winners), (), scores, sums)


def with_shares(play: Table, complication: Complication, options: list[Move]) -> list[Move]:
    """The possible rolls of a Complication, each with its Successes allocated at random."""
    allocator = play.state.points.allocator(play, complication)
    if not allocator:
        return options
    side = complication.pools[allocator].side
    allocators = {pool.player for pool in complication.side(side)}
    opponents = [
        p.player for p in complication.pools.values() if p.side and p.player not in allocators
    ]

    def shared(option: Move) -> Callable[[Random], dict[str, Any]]:
        def entry(rng: Random) -> dict[str, Any]:
            written = option.make_entry(rng)
            success = play.state.points.success
            faces = [number_of(str(f)) for p in allocators for f in written["roll"].get(p, ())]
            count = sum(1 for face in faces if success(play, face))
            shares = dict.fromkeys(opponents, 0)
            for _ in range(count):
                shares[rng.choice(opponents)] += 1
            return {**written, "shares": shares}

        return entry

    return [o._replace(make_entry=shared(o)) if o.verb == RollDice.verb else o for o in options]
