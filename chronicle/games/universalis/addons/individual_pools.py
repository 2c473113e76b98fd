"""UA.38: a Complication Pool of its own against each Target."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from chronicle.core.answers import Move
from chronicle.core.diagnostic import listed
from chronicle.core.names import Named
from chronicle.games.universalis.addons.independent_target_pools import OrderSettings
from chronicle.games.universalis.addons.pool_methods import PoolMethod
from chronicle.games.universalis.addons.split_allocation import decide, with_shares
from chronicle.games.universalis.answers import Verdict
from chronicle.games.universalis.complications import Complicate
from chronicle.games.universalis.divisions import copy_of, divide
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import MOST_DICE_FIRST, Complication, Pool, RollRound


class _Group(NamedTuple):
    sources: list[str]
    players: list[str]
    targets: list[str]


class IndividualPools(PoolMethod):
    """Every hero has a villain of their own."""

    summary = (
        "Each Target meets a Complication Pool of its own, built and rolled apart from the others. "
        "Targets that face the same opponent share its Pool, whose Successes are then allocated."
    )
    changes = ("U6.5", "U6.19", "U6.33")
    rule_text = """
        UA.38 Individual Pools [checked]
          The Complication is divided before it has any dice: each Target faces a Pool of its own. 'complication:
          {ogre: Ida, wolf: [Bo, Kit]}' says who faces whom; Bo and Kit then share one opponent, whose Successes the
          Originator allocates (UA.37). Order as in UA.36, and Bonus Coins of one roll may buy dice for another.
        """
    chosen: OrderSettings

    def begin(self, play: Table, complication: Complication) -> None:
        """The Complication is divided as soon as it begins."""
        groups = self._facing(play, complication)
        if len(groups) < 2:
            return
        laid = [
            entry
            for pool in complication.side("complication")
            for entry in pool.entries
            # The first dice of an Obstacle count against the first player.
            if entry.dice and entry.step != complication.step
        ]
        if not play.require(
            not laid,
            self.code,
            f"dice lie in {complication.originator}'s Pool already, so it is unclear whom they face",
            facts=[play.because(laid[0].step, "laid here")] if laid else (),
            help="choose individual pools before dice are laid into the Complication's Pool",
        ):
            return
        count = Counter(player for group in groups for player in group.players)
        parts: list[tuple[str, list[Pool], list[str], list[str]]] = []
        placed: set[str] = set()
        for sources, players, targets in groups:
            pools = []
            for player in (complication.originator, *players):
                pool = complication.pools[player]
                pool_copy = copy_of(pool, [] if player in placed else pool.entries)
                placed.add(player)
                pools.append(pool_copy)
            opponents = listed(players)
            if any(count[player] > 1 for player in players):
                opponents = f"{listed(play.state.components[id].name for id in sources)} against {opponents}"
            else:
                opponents = f"against {opponents}"
            parts.append((f"{complication.title}, {opponents}", pools, sources, targets))
        divide(
            play,
            complication,
            self.code,
            parts,
            grow=True,
            separate_use=True,
            order=MOST_DICE_FIRST if self.chosen.order == MOST_DICE_FIRST else "",
        )

    def _facing(self, play: Table, complication: Complication) -> list[_Group]:
        """Sources, with the players and Targets that face them; players without sources of their own face all
        of them. A player whose Targets face different sources meets each of them."""
        scene = play.state.scenes[complication.scene]
        players = [pool.player for pool in complication.side("target")]
        action = play.steps[complication.step - 1].action
        groups: list[_Group] = []
        if (
            isinstance(action, Complicate)
            and isinstance(action.what, dict)
            and len(action.what) > 1
        ):
            for source, names in action.what.items():
                matches = [play.names.find(name) for name in (source, *names)]
                first, *targets = [match.id for match in matches if isinstance(match, Named)] or [
                    ""
                ]
                same_group = next(
                    (group for group in groups if set(group.targets) == set(targets)), None
                )
                holders = {scene.control.get(id) for id in targets}
                facing = [player for player in players if player in holders]
                if same_group is not None:
                    # They gang up on the same Targets.
                    same_group.sources.append(first)
                elif facing:
                    groups.append(_Group([first], facing, targets))
        grouped_players = {player for group in groups for player in group.players}
        for player in players:
            if player not in grouped_players:
                own_targets = [id for id in complication.targets if scene.control.get(id) == player]
                groups.append(_Group(list(complication.sources), [player], own_targets))
        return groups

    def _shared(self, complication: Complication) -> bool:
        return complication.divided_by == self.code and len(complication.side("target")) > 1

    def allocator(self, play: Table, complication: Complication) -> str:
        """The Originator, where Targets share an opponent."""
        if self._shared(complication):
            return complication.originator
        return self.inner.allocator(play, complication)

    def verdict(self, play: Table, complication: Complication, roll: RollRound) -> Verdict:
        """Targets that share an opponent meet their share of its Successes (UA.37)."""
        if not self._shared(complication):
            return self.inner.verdict(play, complication, roll)
        return decide(
            play,
            complication,
            roll,
            complication.originator,
            complication.side("complication"),
            complication.side("target"),
        )

    def may_buy_dice(self, play: Table, complication: Complication) -> bool:
        """In the rolls that wait."""
        return complication.divided_by == self.code

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """A roll against a shared opponent comes with its shares."""
        complication = play.state.current_complication()
        return options if complication is None else with_shares(play, complication, options)
