"""Who may act now, and on what: where the verbs begin when they say which entries are worth trying (``candidates``).
Whether such an entry is legal, the law and the guards decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from chronicle.games.universalis.coins import can_pay
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Component, Phase, SceneState, Stage
from chronicle.games.universalis.table import lost_turn

EVENTS = ("The lights go out", "Somebody laughs", "The door gives", "It begins to rain")
"""What an Event may say, or another entry that takes any words."""
MOST = 12
"""The largest number of Components that are tried for an entry."""


def open_scene(play: Table, *, framing: bool = False) -> SceneState | None:
    """The scene, where players may go on with its story. While dice wait to be thrown or told, entries about them come
    first; while the scene is framed, those that complete it (``framing``)."""
    state = play.state
    scene, complication = state.current_scene, state.current_complication()
    if scene is None or (scene.framing and not framing) or state.phase is Phase.PREPARATION:
        return None
    return scene if complication is None or complication.stage is Stage.OPEN else None


def acting(
    play: Table, item: str = "", *, framing: bool = False
) -> Iterator[tuple[SceneState, str, Mapping[str, str]]]:
    """Who may act in the scene: the scene, the player, and the key that names the player where that is not clear by
    itself. Without the Coins for an ``item`` of the price list, no player does."""
    state, scene = play.state, open_scene(play, framing=framing)
    if scene is None:
        return
    is_lost = lost_turn(play)
    for player in play.present if is_lost else (state.turn,):
        if not item or can_pay(play, player, item):
            yield scene, player, {"by": player} if is_lost or state.dialog is not None else {}


def first(components: Iterable[Component], count: int = MOST) -> Iterator[Component]:
    """The first of some Components."""
    return islice(components, count)


def controlled(play: Table, scene: SceneState, player: str) -> Iterator[Component]:
    """The Components of the scene that a player Controls, those that came last first."""
    return first(c for c in _present(play, scene) if scene.control.get(c.id) == player)


def of_others(play: Table, scene: SceneState, player: str) -> Iterator[Component]:
    """The Components of the scene that other players Control, those that came last first."""
    return first(c for c in _present(play, scene) if scene.control.get(c.id) not in (player, None))


def _present(play: Table, scene: SceneState) -> Iterator[Component]:
    components = (play.state.components[id] for id in reversed(scene.present))
    return (component for component in components if not component.struck)


def elsewhere(play: Table, scene: SceneState) -> Iterator[Component]:
    """Components that are not in the scene and could be, those that were made last first."""
    return first(
        component
        for component in reversed(play.state.components.values())
        if component.id not in scene.present
        and not (component.master or component.owner or component.placeholder)
        and not (component.struck or component.turnings)
    )
