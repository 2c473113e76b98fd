"""Scenes in the order of play and in the order of the story.

The order of the story is partial: a scene is before, after or during another, or only in the past or the
future of the running story. It is sorted topologically; undecided scenes are ordered: past, main line,
future, then by the order of play.

A story may fork: a branch leaves the line right before a scene and tells it another way. Scenes before the
fork belong to both branches; later ones to one."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from chronicle.core.word_enum import Worded


class Frame(Worded):
    """The time of a scene relative to the running story."""

    NOW = "now"
    PAST = "past"
    FUTURE = "future"
    MEANWHILE = "meanwhile"
    OUTSIDE = "outside"
    """Not in story time at all (preparation, an epilogue told from outside)."""


@dataclass(slots=True, eq=False)
class Scene:
    """A scene as played. ``number`` counts scenes in order of play from 1 and is its id. Number, session and
    first step are known once the scene is opened.

    ``cast`` holds the ids of people who are or were in it, in order of entry; ``marks`` are details that a
    game shows next to it (``bids``, ``opened by the loser``), label to plain text."""

    title: str
    number: int = 0
    session: int = 0
    first_step: int = 0
    frame: Frame = Frame.NOW
    time: str = ""
    place: str = ""
    opener: str = ""
    kind: str = "scene"
    parent: int | None = None
    branch: str = ""
    cast: list[str] = field(default_factory=list)
    last_step: int | None = None
    closing: str = ""
    continues: int | None = None
    marks: dict[str, str] = field(default_factory=dict)

    _cast_ids: set[str] = field(default_factory=set)

    def enters(self, id: str) -> None:
        """Add a person to the cast, unless already in it."""
        if len(self._cast_ids) != len(self.cast):
            self._cast_ids = set(self.cast)
        if id not in self._cast_ids:
            self._cast_ids.add(id)
            self.cast.append(id)

    @property
    def open(self) -> bool:
        """Whether the scene is still running."""
        return self.last_step is None

    @property
    def numbered_label(self) -> str:
        """``Scene 7, The Patience puts out``."""
        head = f"{self.kind.capitalize()} {self.number}"
        return f"{head}, {self.title}" if self.title and self.title != head else head

    @property
    def label(self) -> str:
        """Its title, or else its number."""
        return self.title or f"Scene {self.number}"

    @property
    def when(self) -> str:
        """Its time in the story in the players' words, or else its frame."""
        return self.time or ("" if self.frame is Frame.NOW else str(self.frame))


class Timeline:
    """All scenes of a campaign and the known order in the story."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        self._after: dict[int, set[int]] = {}
        self._moment: dict[int, int] = {}
        self._front: dict[str, int] = {}
        self._forks: dict[str, int] = {}
        """Branches that left another, each with the scene before which it did."""
        self._running: list[Scene] = []
        """Scenes that may still be open, in the order they were opened."""
        self._earlier: dict[int, int] = {}
        """Cache: for each moment, a bit set of the earlier moments. Emptied when a known scene gets another
        place."""

    def open(self, scene: Scene, *, anchored: bool = False) -> Scene:
        """Add a scene. A scene of the main line follows the last one of its branch, unless explicit
        relations make it ``anchored``."""
        self.scenes.append(scene)
        self._running.append(scene)
        self._after[scene.number] = set()
        self._moment[scene.number] = scene.number
        front = self._front.get(scene.branch)
        if not anchored and front is not None:
            if scene.frame is Frame.NOW:
                self._after[scene.number].add(front)
            elif scene.frame is Frame.PAST:
                self._after[self._moment[front]].add(scene.number)
                self._earlier.clear()
            elif scene.frame is Frame.FUTURE:
                self._after[scene.number].add(front)
            elif scene.frame is Frame.MEANWHILE:
                self._join(scene.number, front)
        if scene.frame is Frame.NOW:
            self._front[scene.branch] = scene.number
        return scene

    def take_back(self) -> None:
        """Remove the scene that was opened last."""
        scene = self.scenes.pop()
        if scene in self._running:
            self._running.remove(scene)
        del self._after[scene.number], self._moment[scene.number]
        for earlier in self._after.values():
            earlier.discard(scene.number)
        self._earlier.clear()
        if self._front.get(scene.branch) == scene.number:
            line = [s for s in self.scenes if s.branch == scene.branch and s.frame is Frame.NOW]
            del self._front[scene.branch]
            if line:
                self._front[scene.branch] = line[-1].number
        if not any(s.branch == scene.branch for s in self.scenes):
            self._forks.pop(scene.branch, None)

    def reopen(self, number: int) -> None:
        """Continue a scene that was closed."""
        scene = self.get(number)
        scene.last_step = None
        if scene not in self._running:
            self._running.append(scene)

    def fork(self, scene: Scene, original: int) -> Scene:
        """Add a scene that tells scene ``original`` another way: the first of a new branch that leaves right
        before it."""
        self._forks[scene.branch] = original
        self.open(scene, anchored=True)
        self._after[scene.number] = set(self._after[self._moment[original]])
        self._front[scene.branch] = scene.number
        return scene

    def rename(self, branch: str, name: str) -> None:
        """Rename a branch."""
        for scene in self.scenes:
            if scene.branch == branch:
                scene.branch = name
        for by_branch in (self._front, self._forks):
            if branch in by_branch:
                by_branch[name] = by_branch.pop(branch)

    def branch_of(self, scene: Scene) -> str:
        """The branch of a scene; empty in a story without forks."""
        return scene.branch if self._forks else ""

    def tells(self, branch: str, number: int) -> bool:
        """Whether a branch includes a scene: one of its own, or one of the line it left, played before the
        fork and not happening after it."""
        scene = self.get(number)
        while scene.branch != branch:
            fork = self._forks.get(branch)
            if fork is None or scene.number >= fork or self.is_before(fork, scene.number):
                return False
            branch = self.get(fork).branch
        return True

    def get(self, number: int) -> Scene:
        """The scene with this number."""
        return self.scenes[number - 1]

    @property
    def current(self) -> Scene | None:
        """The running scene: the last opened one that is not closed."""
        running = self._running
        while running:
            if running[-1].last_step is None:
                return running[-1]
            running.pop()
        return None

    def resume(self, scene: Scene) -> None:
        """Return to an open scene after another scene was opened."""
        if scene.open:
            self._running = [
                open_scene for open_scene in self._running if open_scene is not scene
            ] + [scene]

    def put_after(self, later: int, earlier: int) -> bool:
        """State that ``earlier`` happened before ``later``. False if the record contradicts it."""
        if self.is_before(later, earlier) or self._moment[later] == self._moment[earlier]:
            return False
        self._after[self._moment[later]].add(self._moment[earlier])
        self._earlier.clear()
        return True

    def put_during(self, first: int, second: int) -> bool:
        """State that two scenes happen at the same time. False if one is already before the other."""
        if self.is_before(first, second) or self.is_before(second, first):
            return False
        self._join(first, second)
        return True

    def relate(self, scene: int, relation: str, relative_to: int) -> bool:
        """State that ``scene`` happened ``before``, ``after`` or ``during`` another. False if the record
        contradicts it."""
        match relation:
            case "before":
                return self.put_after(relative_to, scene)
            case "after":
                return self.put_after(scene, relative_to)
            case _:
                return self.put_during(scene, relative_to)

    def same_time(self, first: int, second: int) -> bool:
        """Whether the record says that two scenes happen at the same time."""
        return first != second and self._moment[first] == self._moment[second]

    def is_before(self, first: int, second: int) -> bool:
        """Whether the record says that scene ``first`` happened before scene ``second``."""
        return bool(self._earlier_moments(self._moment[second]) >> self._moment[first] & 1)

    def _earlier_moments(self, moment: int) -> int:
        cache = self._earlier
        visited: set[int] = set()
        todo = [moment]
        while todo:
            current = todo[-1]
            if current in cache:
                todo.pop()
                continue
            visited.add(current)
            earlier = {self._moment[number] for number in self._after[current]}
            unknown = [
                predecessor
                for predecessor in earlier
                if predecessor not in cache and predecessor not in visited
            ]
            if unknown:
                todo += unknown
                continue
            bits = 0
            for predecessor in earlier:
                bits |= cache.get(predecessor, 0) | 1 << predecessor
            cache[current] = bits
            todo.pop()
        return cache[moment]

    def story_order(self) -> list[Scene]:
        """All scenes as they happened; ``Frame.OUTSIDE`` ones are left out."""
        rank = {Frame.PAST: 0, Frame.NOW: 1, Frame.MEANWHILE: 1, Frame.FUTURE: 2, Frame.OUTSIDE: 3}
        members: dict[int, list[Scene]] = {}
        for scene in self.scenes:
            members.setdefault(self._moment[scene.number], []).append(scene)
        waiting: dict[int, int] = {}
        unlocks: dict[int, list[int]] = {}
        for moment in members:
            earlier = {self._moment[number] for number in self._after[moment]} - {moment}
            waiting[moment] = len(earlier)
            for predecessor in earlier:
                unlocks.setdefault(predecessor, []).append(moment)

        def key(moment: int) -> tuple[int, int]:
            first = members[moment][0]
            return (rank[first.frame], first.number)

        ready = [(*key(moment), moment) for moment, count in waiting.items() if count == 0]
        heapq.heapify(ready)
        ordered: list[Scene] = []
        while ready:
            *_, moment = heapq.heappop(ready)
            ordered.extend(s for s in members[moment] if s.frame is not Frame.OUTSIDE)
            for later in unlocks.get(moment, ()):
                waiting[later] -= 1
                if waiting[later] == 0:
                    heapq.heappush(ready, (*key(later), later))
        return ordered

    def _join(self, scene: int, target: int) -> None:
        merged, dropped = self._moment[target], self._moment[scene]
        if merged == dropped:
            return
        for number, moment in self._moment.items():
            if moment == dropped:
                self._moment[number] = merged
        self._after[merged] |= self._after[dropped]
        self._after[dropped] = set()
        self._earlier.clear()
