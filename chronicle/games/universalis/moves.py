"""Who may act now, and on what: where the verbs begin when they say which entries are worth trying (``candidates``).
Whether such an entry is legal, the law and the guards decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from chronicle.games.universalis.coins import can_pay
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    COIN,
    PLACE,
    Complication,
    Component,
    Phase,
    SceneState,
    Sort,
    Stage,
    Trait,
)
from chronicle.games.universalis.table import lost_turn

if TYPE_CHECKING:
    from random import Random

EVENTS = ("The lights go out", "Somebody laughs", "The door gives", "It begins to rain")
"""What an Event may say, or another entry that takes any words."""
ROLES = ("ferryman", "scholar", "thief", "miller", "judge", "child", "captain", "widow")
"""What the Role of a new Character may say."""
PLACES = ("mill", "quay", "attic", "chapel", "market", "marsh")
"""What the Role of a new place may say."""
PROPS = ("lamp", "ledger", "key", "violin", "boat", "letter")
"""What the Role of a new prop may say."""
MOST = 12
"""The largest number of Components that are tried for an entry."""


NO_SCENE = SceneState(0, "", "", 0)
"""Where no scene is open."""


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


def dice_in_play(play: Table) -> Complication | None:
    """The Complication whose Pools are growing, in a scene that goes on."""
    return play.state.current_complication() if open_scene(play) is not None else None


def by_chance(play: Table) -> Random:
    """A random source for a move, the same whenever it is asked for at one moment."""
    from random import Random

    return Random(len(play.steps))


def any_of(words: Sequence[str], play: Table) -> str:
    """One of some words for something new, another one after each entry, with the number of the entry."""
    number = len(play.steps) + 1
    return f"{words[number % len(words)]} {number}"


def places(play: Table) -> Iterator[dict[str, str] | str]:
    """Where a scene may be: a new place, then those that exist."""
    yield {"new": any_of(PLACES, play)}
    usable = (c for c in elsewhere(play, NO_SCENE) if c.kind == PLACE and not c.eliminated)
    yield from (place.name for place in islice(usable, 3))


def untold(play: Table) -> Iterator[tuple[str, int, str]]:
    """Who has not told yet what comes of a roll, in order, each with the Bonus Coins and, for a winner, a loser whose
    Coins can be voided."""
    complication = play.state.current_complication()
    if complication is None or complication.stage is not Stage.ROLLED or play.state.purses:
        return
    tellers = complication.order[complication.last_teller + 1 :]
    losers = [player for player in tellers if player not in complication.winners]
    rich = next((player for player in losers if play.balance(f"bonus:{player}", COIN)), "")
    for player in tellers:
        coins = max(0, play.balance(f"bonus:{player}", COIN))
        yield player, coins, rich if player in complication.winners else ""


def drawable(play: Table, scene: SceneState) -> Iterator[tuple[Component, Trait]]:
    """The Traits in the scene that have a die left for the Complication. In a divided one, the player who is named
    says which part gets it."""
    state, complication = play.state, play.state.current_complication()
    if complication is None:
        return
    parts = [
        part
        for part in state.complications
        if part is complication
        or (part.part_of == complication.part_of != 0 and part.stage is Stage.OPEN)
    ]
    everybody = play.rulings["drawable"] != "involved"
    for component in _present(play, scene):
        for trait in component.traits.values():
            key = f"{component.id}/{trait.key}"
            if (
                (everybody or component.id in complication.committed)
                and trait.copies
                and trait.sort in (Sort.PLAIN, Sort.WOUND, Sort.GROUP, Sort.ROLE)
                and all(part.used.get(key, 0) < trait.copies for part in parts)
            ):
                yield component, trait


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


def classes(play: Table) -> Iterator[Component]:
    """The Masters in play, those that were made last first."""
    return first(
        component
        for component in reversed(play.state.components.values())
        if component.master and not (component.eliminated or component.struck)
    )


def elsewhere(play: Table, scene: SceneState) -> Iterator[Component]:
    """Components that are not in the scene and could be, those that were made last first."""
    return first(
        component
        for component in reversed(play.state.components.values())
        if component.id not in scene.present
        and not (component.master or component.owner or component.placeholder)
        and not (component.struck or component.turnings)
    )
