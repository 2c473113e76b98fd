"""The branches of a story (UA.9): what each has to itself, and which of them is being told.

Which scenes a branch tells is the timeline's business. What the Components are on each branch is kept
here: :class:`State` holds the Components of the current branch; the other branches wait in their :class:`Branch`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from chronicle.core.names import Names
from chronicle.core.snapshots import Frozen
from chronicle.games.universalis.addons.base import OfComponents, Table, memory
from chronicle.games.universalis.state import PROP, Component, Fact, SceneState


@dataclass(slots=True, eq=False)
class Story:
    """What a branch has to itself; the names are those of fields of :class:`State`. Of ``memory`` it is
    what add-ons remember about Components; sets wait as tuples, which take a sixth of the room."""

    components: dict[str, Component]
    facts: dict[str, Fact]
    groups: dict[str, list[str]]
    used_names: tuple[str, ...]
    labels: tuple[str, ...]
    reduced: list[str]
    memory: dict[type, object]


Telling = tuple[Story, Names]
"""What a branch has to itself, and what its names mean."""


@dataclass(slots=True, eq=False)
class Beginning:
    """How a scene began: the story, its names and who was there when its framing was over."""

    frozen_story: Frozen[Telling]
    present: tuple[str, ...]
    location: str
    absent: dict[str, int]
    time: str
    step: int


@dataclass(slots=True, eq=False)
class Branch:
    """One way the story went: since which scene (``first``, instead of ``mirrored``; 0 for the branch
    that the game began on), who split it off and keeps its records, and for how many Coins.

    ``frozen_story`` is its story, up to now, and its names; None while it is being told.
    """

    label: str
    mirrored: int = 0
    first: int = 0
    keeper: str = ""
    coins: int = 0
    step: int = 0
    frozen_story: Frozen[Telling] | None = None


@dataclass(slots=True, eq=False)
class Memory:
    """All branches by label, the oldest first, and how each scene began, by its number (None while it is
    being framed)."""

    branches: dict[str, Branch] = field(default_factory=dict)
    beginnings: dict[int, Beginning | None] = field(default_factory=dict)
    over: bool = False


# --- what belongs to one branch ------------------------------------------------------------------------


def telling(play: Table) -> Telling:
    """The current branch; the very objects."""
    story = Story(**{part.name: getattr(play.state, part.name) for part in fields(Story)})
    story.used_names, story.labels = (*story.used_names,), (*story.labels,)
    story.memory = {
        k: memory_part for k, memory_part in story.memory.items() if issubclass(k, OfComponents)
    }
    names = Names()
    names.copy_from(play.names)
    return story, names


def known_branches(play: Table) -> Memory:
    """All branches, with the current branch even if the add-on was never in force."""
    branch_memory = memory(play, Memory)
    branch_memory.branches.setdefault(play.state.branch, Branch(play.state.branch))
    return branch_memory


def put_aside(play: Table, branch_memory: Memory) -> None:
    """The current branch waits from now on, in its present state."""
    branch_memory.branches[play.state.branch].frozen_story = Frozen(telling(play))


def tell(play: Table, branch: Branch, frozen_story: Frozen[Telling]) -> None:
    """Continue with this branch in the state in which it was left. Components that exist on other branches only
    count as never created meanwhile."""
    state = play.state
    story, names = frozen_story.thaw()
    elsewhere = {
        id: Component(id, PROP, c.name, c.step, c.scene, c.creator, struck=True)
        for id, c in state.components.items()
        if id not in story.components
    }
    shared = {
        k: memory_part for k, memory_part in state.memory.items() if not issubclass(k, OfComponents)
    }
    for part in fields(Story):
        setattr(state, part.name, getattr(story, part.name))
    state.used_names, state.labels = {*story.used_names}, {*story.labels}
    state.components = {**story.components, **elsewhere}
    state.memory = {**shared, **story.memory}
    state.branch = branch.label
    play.names.copy_from(names)
    branch.frozen_story = None


def noted(play: Table, scene: SceneState) -> Beginning:
    """How a scene begins: later changes do not affect it."""
    return Beginning(
        Frozen(telling(play)),
        tuple(scene.present),
        scene.location,
        dict(scene.absent),
        play.timeline.get(scene.number).time,
        play.step.number,
    )


def forks_to(play: Table, number: int) -> list[Branch]:
    """The forks between the first scene of the game and this scene, in order.

    A fork lies right before the scene that was mirrored there; of two forks before one scene, the later
    is the nearer one.
    """
    branches = list(memory(play, Memory).branches.values())
    forks: list[Branch] = []
    latest = len(branches) - 1
    while number:
        line = play.timeline.get(number).branch
        for order, branch in reversed([*enumerate(branches)]):
            at = branch.mirrored
            if not at or play.timeline.get(at).branch != line:
                continue
            if order <= latest if at == number else _is_earlier(play, at, number):
                forks.append(branch)
        latest = next((n for n, candidate in enumerate(branches) if candidate.label == line), 0)
        number = branches[latest].mirrored
    return forks[::-1]


def _is_earlier(play: Table, first: int, second: int) -> bool:
    """Whether a scene of a line comes before another scene of the same line."""
    return first < second and not play.timeline.is_before(second, first)


def may_be_mirrored(play: Table) -> list[int]:
    """The scene that has just ended; for a mirror scene, also its original."""
    first = {
        branch.first: branch.mirrored
        for branch in memory(play, Memory).branches.values()
        if branch.first
    }
    ended = [(s.ended, s.number) for s in play.state.scenes.values() if s.ended and not s.mini]
    numbers = [max(ended, default=(0, 0))[1]]
    while numbers[-1] in first:
        numbers.append(first[numbers[-1]])
    return [number for number in numbers if number]
