"""Scenes, in the order they were played and in the order they happened.

Story order is a partial order: a scene stands before, after or during another, or only in the past
or the future of the running story. It is sorted topologically; where nothing decides, the distant
past comes first, the main line next, the future last, and the order of play breaks ties.

A story may fork: a branch leaves the line right before a scene and tells it another way. What lies
before the fork belongs to both; what comes after it belongs to one.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from chronicle.core.worded import Worded


class Frame(Worded):
    """Where a scene stands against the running story."""

    NOW = "now"
    PAST = "past"
    FUTURE = "future"
    MEANWHILE = "meanwhile"
    OUTSIDE = "outside"
    """Not in story time at all (preparation, an epilogue told from nowhere)."""


@dataclass(slots=True, eq=False)
class Scene:
    """One scene as played. ``number`` counts scenes in order of play from 1 and is its id; it, the session
    and the first step are known once the scene is opened.

    ``cast`` holds ids of those who are (or were) in it, in order of entry; ``marks`` what a game
    wants shown beside it (``bids``, ``opened by the loser``), label to plain text.
    """

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
    _known: set[str] = field(default_factory=set)

    def enters(self, id: str) -> None:
        """Somebody is in it, who may have been before."""
        if len(self._known) != len(self.cast):
            self._known = set(self.cast)
        if id not in self._known:
            self._known.add(id)
            self.cast.append(id)

    @property
    def open(self) -> bool:
        """Whether the scene is still running."""
        return self.last_step is None

    @property
    def label(self) -> str:
        """Its title, or else its number."""
        return self.title or f"Scene {self.number}"

    @property
    def when(self) -> str:
        """When it plays in the story: in the table's words, or else only whether it is now."""
        return self.time or ("" if self.frame is Frame.NOW else str(self.frame))


class Timeline:
    """All scenes of a campaign and what is known about their order in the story."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        self._after: dict[int, set[int]] = {}
        self._moment: dict[int, int] = {}
        self._front: dict[str, int] = {}
        self._forks: dict[str, int] = {}
        """Branches that left another, each with the scene right before which it did."""
        self._running: list[Scene] = []
        """Scenes that may still be open, the last opened one last. What is over stays over."""
        self._earlier: dict[int, int] = {}
        """For a moment, a bit for each that is before it: what was found out so far, emptied when
        something that stood already is put elsewhere."""

    def open(self, scene: Scene, *, anchored: bool = False) -> Scene:
        """Add a scene. A scene of the main line follows the last one of its branch, unless it is
        ``anchored`` by explicit relations instead."""
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
        """Forget the scene opened last: it was never played."""
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
        """A scene is not over after all: it goes on."""
        scene = self.get(number)
        scene.last_step = None
        if scene not in self._running:
            self._running.append(scene)

    def fork(self, scene: Scene, of: int) -> Scene:
        """Add a scene that tells scene ``of`` another way: the first of its branch, which leaves the
        branch of that scene right before it."""
        self._forks[scene.branch] = of
        self.open(scene, anchored=True)
        self._after[scene.number] = set(self._after[self._moment[of]])
        self._front[scene.branch] = scene.number
        return scene

    def rename(self, branch: str, name: str) -> None:
        """Another name for a branch."""
        for scene in self.scenes:
            if scene.branch == branch:
                scene.branch = name
        for known in (self._front, self._forks):
            if branch in known:
                known[name] = known.pop(branch)

    def branch_of(self, scene: Scene) -> str:
        """The branch that a scene stands on, where there are several; empty in a story without forks."""
        return scene.branch if self._forks else ""

    def tells(self, branch: str, number: int) -> bool:
        """Whether a scene belongs to the story as a branch tells it: one of its own, or one of the
        line it left, played before the scene at which it left and not happening after that."""
        scene = self.get(number)
        while scene.branch != branch:
            at = self._forks.get(branch)
            if at is None or scene.number >= at or self.before(at, scene.number):
                return False
            branch = self.get(at).branch
        return True

    def get(self, number: int) -> Scene:
        """The scene with this number."""
        return self.scenes[number - 1]

    @property
    def current(self) -> Scene | None:
        """The scene that is running: the last opened one that is not over."""
        running = self._running
        while running:
            if running[-1].last_step is None:
                return running[-1]
            running.pop()
        return None

    def resume(self, scene: Scene) -> None:
        """Go on with a scene that is still open and over which another one was opened."""
        if scene.open:
            self._running = [one for one in self._running if one is not scene] + [scene]

    def put_after(self, later: int, earlier: int) -> bool:
        """State that ``earlier`` happened before ``later``. False if the record says otherwise."""
        if self.before(later, earlier) or self._moment[later] == self._moment[earlier]:
            return False
        self._after[self._moment[later]].add(self._moment[earlier])
        self._earlier.clear()
        return True

    def put_during(self, one: int, other: int) -> bool:
        """State that two scenes happen at the same time. False if one is already before the other."""
        if self.before(one, other) or self.before(other, one):
            return False
        self._join(one, other)
        return True

    def put(self, one: int, relation: str, other: int) -> bool:
        """State that scene ``one`` happened ``before``, ``after`` or ``during`` another. False if the
        record says otherwise."""
        match relation:
            case "before":
                return self.put_after(other, one)
            case "after":
                return self.put_after(one, other)
            case _:
                return self.put_during(one, other)

    def same_time(self, one: int, other: int) -> bool:
        """Whether the record says that two scenes happen at the same time."""
        return one != other and self._moment[one] == self._moment[other]

    def before(self, one: int, other: int) -> bool:
        """Whether the record says that scene ``one`` happened before scene ``other``."""
        return bool(self._past(self._moment[other]) >> self._moment[one] & 1)

    def _past(self, moment: int) -> int:
        known = self._earlier
        entered: set[int] = set()
        todo = [moment]
        while todo:
            now = todo[-1]
            if now in known:
                todo.pop()
                continue
            entered.add(now)
            earlier = {self._moment[number] for number in self._after[now]}
            unknown = [one for one in earlier if one not in known and one not in entered]
            if unknown:
                todo += unknown
                continue
            bits = 0
            for one in earlier:
                bits |= known.get(one, 0) | 1 << one
            known[now] = bits
            todo.pop()
        return known[moment]

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
            for other in earlier:
                unlocks.setdefault(other, []).append(moment)

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

    def _join(self, one: int, other: int) -> None:
        kept, gone = self._moment[other], self._moment[one]
        if kept == gone:
            return
        for number, moment in self._moment.items():
            if moment == gone:
                self._moment[number] = kept
        self._after[kept] |= self._after[gone]
        self._after[gone] = set()
        self._earlier.clear()
