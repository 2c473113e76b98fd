"""UA.38: a Complication Pool of its own against each Target."""

from __future__ import annotations

from chronicle.core.names import Named
from chronicle.core.rulebook import Option
from chronicle.core.rules import CHECKED, Rule
from chronicle.games.universalis.addons.base import CHAPTER
from chronicle.games.universalis.addons.independent_target_pools import OrderSettings
from chronicle.games.universalis.addons.pool_methods import PoolMethod, others
from chronicle.games.universalis.addons.split_allocation import decide, with_shares
from chronicle.games.universalis.divisions import copy_of, divide
from chronicle.games.universalis.points import Table, Verdict
from chronicle.games.universalis.state import MOST_DICE_FIRST, Complication, Pool, RollRound
from chronicle.games.universalis.story_actions import Complicate
from chronicle.games.universalis.table import note


class IndividualPools(PoolMethod):
    """Every hero has an own villain."""

    code = "UA.38"
    key = "individual pools"
    title = "Individual Pools"
    summary = (
        "Each Target meets a Complication Pool of its own, built and rolled apart from the others. "
        "Targets that one opponent faces share its Pool, whose Successes are then allocated."
    )
    changes = ("U6.5", "U6.19", "U6.33")
    parameters = OrderSettings
    excludes = others(key)
    rules = (
        Rule(
            "UA.38",
            "Individual Pools",
            CHECKED,
            "The Complication is parted before any die lies in it: against each Target Pool an own Pool. "
            "'complication: {ogre: Ida, wolf: [Bo, Kit]}' says who faces whom; Bo and Kit then share "
            "one opponent, whose Successes the Originator allocates (UA.37). Order as in UA.36, and "
            "Bonus Coins of one roll may buy dice for another.",
            chapter=CHAPTER,
        ),
    )
    chosen: OrderSettings

    def begin(self, play: Table, complication: Complication) -> None:
        """The Complication is parted at once."""
        if len(complication.side("target")) < 2:
            return
        laid = [e for p in complication.side("complication") for e in p.entries if e.dice]
        if not play.require(
            not laid,
            self.code,
            f"dice lie in {complication.originator}'s Pool already, and nobody can say whom they face",
            facts=[play.because(laid[0].step, "laid here")] if laid else (),
            help="choose individual pools before dice are laid into the Complication's Pool",
        ):
            return
        parts = []
        for sources, players in self._facing(play, complication):
            pools = [Pool(complication.originator, "complication")]
            pools += [
                copy_of(play, complication.pools[p], complication.pools[p].entries) for p in players
            ]
            here = play.state.scenes[complication.scene]
            theirs = [id for id in complication.targets if here.control.get(id) in players]
            title = f"{complication.title}, against {' and '.join(players)}"
            parts.append((title, pools, sources, theirs))
        divide(
            play,
            complication,
            self.code,
            parts,
            grow=True,
            order=MOST_DICE_FIRST if self.chosen.order == MOST_DICE_FIRST else "",
        )
        note(play, "divided", complication.number)

    def _facing(self, play: Table, complication: Complication) -> list[tuple[list[str], list[str]]]:
        """Sources with the players whose Targets they face; those that nobody is said to face alone meet
        all sources."""
        here = play.state.scenes[complication.scene]
        players = [pool.player for pool in complication.side("target")]
        action = play.steps[complication.step - 1].action
        groups: list[tuple[list[str], list[str]]] = []
        taken: set[str] = set()
        if (
            isinstance(action, Complicate)
            and isinstance(action.what, dict)
            and len(action.what) > 1
        ):
            for source, names in action.what.items():
                found = [play.names.find(name) for name in (source, *names)]
                ids = [one.id for one in found if isinstance(one, Named)]
                holders = {here.control.get(id) for id in ids[1:]}
                facing = [p for p in players if p in holders and p not in taken]
                if facing:
                    groups.append((ids[:1], facing))
                    taken.update(facing)
        groups += [(list(complication.sources), [p]) for p in players if p not in taken]
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

    def options(self, play: Table, found: list[Option]) -> list[Option]:
        """A roll against a shared opponent comes with its shares."""
        complication = play.state.current_complication()
        return found if complication is None else with_shares(play, complication, found)
