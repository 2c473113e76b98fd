"""UA.25: more Coins after a scene in which the main Character was."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle.core.declare import Action, Part, option, required
from chronicle.core.field_types import NAMES, whole
from chronicle.core.names import Named
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.state import COMPONENT_KINDS, SceneState


class Boost(Part):
    """What the group may set."""

    characters = required(NAMES, "the main Character (and the main antagonist, if it counts)")
    coins = option(whole(0), "Coins for each player after such a scene", default=7)


@dataclass(slots=True, eq=False)
class SeenCharacter:
    """Which of them was in the scene that has just ended."""

    name: str = ""


class RefreshmentBoost(AddOn):
    """The protagonist pays."""

    summary = (
        "After a scene in which the main Character was introduced everybody takes 7 Coins instead of "
        "the usual Refreshment."
    )
    changes = ("U3.14",)
    chosen: Boost
    rule_text = """
        UA.25 Protagonist Refreshment boost [computed]
          The Refreshment is 7 (or what the group set) after every scene that the main Character, or the main
          antagonist if the group says so, was in.
        """

    def scene_ended(self, play: Table, scene: SceneState) -> None:
        """Look who was there."""
        if scene.mini:
            return
        cast = set(play.timeline.get(scene.number).cast)
        for word in self.chosen.characters:
            match = play.names.find(word, COMPONENT_KINDS)
            if isinstance(match, Named) and match.id in cast:
                memory(play, SeenCharacter).name = match.name
                play.event(f"{match.name} was in the scene", "UA.25", "boost")
                return

    def after_entry(self, play: Table, action: Action) -> None:
        """It holds for the Refreshment of that scene alone."""
        memory(play, SeenCharacter).name = ""

    def refreshment(self, play: Table, player: str) -> int:
        """The boosted number, if it is due."""
        if memory(play, SeenCharacter).name:
            return self.chosen.coins
        return self.inner.refreshment(play, player)
