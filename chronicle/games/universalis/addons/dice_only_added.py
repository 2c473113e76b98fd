"""UA.33: no die is ever taken from a Pool; it goes to an opposing Pool instead."""

from __future__ import annotations

from chronicle.core.declare import Action
from chronicle.core.diagnostic import plural
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.drawing import DrawTraits


class DiceOnlyAdded(AddOn):
    """Pools that never shrink."""

    summary = (
        "No die is taken from a Pool: a Trait that would cost its owner a die gives one to an "
        "opposing Pool instead, so that no player comes to the roll with empty hands."
    )
    changes = ("U6.11", "U6.15")
    rule_text = """
        UA.33 Dice Are Only Added [checked; V146 X34]
          Dice are laid into Pools and never taken out again. A reason to take a die away (a cowardly
          hero, a leaking boat) justifies one more in an opposing Pool: draw it with 'to:' an opponent, where the
          core rules would have 'from:'.
        """

    def only_added(self, play: Table) -> str:
        """This add-on forbids it."""
        return self.code

    def after_entry(self, play: Table, action: Action) -> None:
        """Tell of dice that a Component gives to those against it."""
        complication = play.state.current_complication()
        scene = play.state.current_scene
        if not isinstance(action, DrawTraits) or complication is None or scene is None:
            return
        for pool in complication.pools.values():
            for entry in pool.entries:
                own = complication.pools.get(scene.control.get(entry.component, ""))
                if entry.step != play.step.number or own is None or own.side == pool.side:
                    continue
                name = play.state.components[entry.component].name
                play.event(
                    f"{entry.cause} of {name} gives {plural(entry.dice, 'die', 'dice')} to "
                    f"{pool.player}; none is taken from {own.player}",
                    self.code,
                    "dice",
                    entry.component,
                )
