"""Scenes in the order of play and in the order of the story.

The order of the story is partial: a scene is before, after or during another, or only in the past or the
future of the running story. It is sorted topologically; undecided scenes are ordered: past, main line,
future, then by the order of play.

A story may fork: a branch leaves the line right before a scene and tells it another way. Scenes before the
fork belong to both branches; later ones to one."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from chronicle.core.word_enum import WordEnum

SceneNumber = int
"""Counts the scenes in order of play, from 1."""
StepNumber = int
"""Counts the entries of a campaign, with nested ones, from 1; 0: none."""


class Frame(WordEnum):
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
    first_step: StepNumber = 0
    frame: Frame = Frame.NOW
    time: str = ""
    place: str = ""
    opener: str = ""
    kind: str = "scene"
    parent: SceneNumber | None = None
    branch: str = ""
    cast: list[str] = field(default_factory=list)
    last_step: StepNumber | None = None
    closing: str = ""
    continues: SceneNumber | None = None
    marks: dict[str, str] = field(default_factory=dict)

    _cast_ids: set[str] = field(default_factory=set)

    def enters(self, person_id: str) -> None:
        """Add a person to the cast, unless already in it."""
        if len(self._cast_ids) != len(self.cast):
            self._cast_ids = set(self.cast)
        if person_id not in self._cast_ids:
            self._cast_ids.add(person_id)
            self.cast.append(person_id)

    @property
    def is_open(self) -> bool:
        """Whether the scene is still running."""
        return self.last_step is None

    @property
    def numbered_label(self) -> str:
        """``Scene 7, The Patience puts out``."""
        number_label = f"{self.kind.capitalize()} {self.number}"
        return (
            f"{number_label}, {self.title}"
            if self.title and self.title != number_label
            else number_label
        )

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
        self._predecessors: dict[int, set[int]] = {}
        self._moment_of_scene: dict[int, int] = {}
        self._last_scene_by_branch: dict[str, int] = {}
        self._fork_scene_by_branch: dict[str, int] = {}
        """Branches that left another, each with the scene before which it did."""
        self._running_scenes: list[Scene] = []
        """Scenes that may still be open, in the order they were opened."""
        self._earlier_bits_cache: dict[int, int] = {}
        """Cache: for each moment, a bit set of the earlier moments. Emptied when a known scene gets another
        place."""

    def open(self, scene: Scene, *, anchored: bool = False) -> Scene:
        """Add a scene. A scene of the main line follows the last one of its branch, unless explicit
        relations make it ``anchored``."""
        self.scenes.append(scene)
        self._running_scenes.append(scene)
        self._predecessors[scene.number] = set()
        self._moment_of_scene[scene.number] = scene.number
        last_scene_number = self._last_scene_by_branch.get(scene.branch)
        if not anchored and last_scene_number is not None:
            if scene.frame is Frame.NOW:
                self._predecessors[scene.number].add(last_scene_number)
            elif scene.frame is Frame.PAST:
                self._predecessors[self._moment_of_scene[last_scene_number]].add(scene.number)
                self._earlier_bits_cache.clear()
            elif scene.frame is Frame.FUTURE:
                self._predecessors[scene.number].add(last_scene_number)
            elif scene.frame is Frame.MEANWHILE:
                self._merge_moments(scene.number, last_scene_number)
        if scene.frame is Frame.NOW:
            self._last_scene_by_branch[scene.branch] = scene.number
        return scene

    def remove_last_scene(self) -> None:
        """Remove the scene that was opened last."""
        scene = self.scenes.pop()
        if scene in self._running_scenes:
            self._running_scenes.remove(scene)
        del self._predecessors[scene.number], self._moment_of_scene[scene.number]
        for predecessors in self._predecessors.values():
            predecessors.discard(scene.number)
        self._earlier_bits_cache.clear()
        if self._last_scene_by_branch.get(scene.branch) == scene.number:
            main_line_scenes = [
                remaining_scene
                for remaining_scene in self.scenes
                if remaining_scene.branch == scene.branch and remaining_scene.frame is Frame.NOW
            ]
            del self._last_scene_by_branch[scene.branch]
            if main_line_scenes:
                self._last_scene_by_branch[scene.branch] = main_line_scenes[-1].number
        if not any(remaining_scene.branch == scene.branch for remaining_scene in self.scenes):
            self._fork_scene_by_branch.pop(scene.branch, None)

    def copy(self) -> Timeline:
        """A timeline of the same scenes, to which others can be added without a change here."""
        timeline = Timeline()
        for name, value in vars(self).items():
            setattr(timeline, name, value.copy())
        timeline._predecessors = {
            moment: {*earlier} for moment, earlier in self._predecessors.items()
        }
        return timeline

    def reopen(self, scene_number: int) -> None:
        """Continue a scene that was closed."""
        scene = self.get(scene_number)
        scene.last_step = None
        if scene not in self._running_scenes:
            self._running_scenes.append(scene)

    def fork(self, scene: Scene, original_scene_number: int) -> Scene:
        """Add a scene that tells scene ``original_scene_number`` another way: the first of a new branch that leaves
        right before it."""
        self._fork_scene_by_branch[scene.branch] = original_scene_number
        self.open(scene, anchored=True)
        self._predecessors[scene.number] = set(
            self._predecessors[self._moment_of_scene[original_scene_number]]
        )
        self._last_scene_by_branch[scene.branch] = scene.number
        return scene

    def rename_branch(self, old_branch: str, new_branch: str) -> None:
        """Rename a branch."""
        for scene in self.scenes:
            if scene.branch == old_branch:
                scene.branch = new_branch
        for scene_number_by_branch in (self._last_scene_by_branch, self._fork_scene_by_branch):
            if old_branch in scene_number_by_branch:
                scene_number_by_branch[new_branch] = scene_number_by_branch.pop(old_branch)

    def branch_of(self, scene: Scene) -> str:
        """The branch of a scene; empty in a story without forks."""
        return scene.branch if self._fork_scene_by_branch else ""

    def includes_scene(self, branch: str, scene_number: int) -> bool:
        """Whether a branch includes a scene: one of its own, or one of the line it left, played before the
        fork and not happening after it."""
        scene = self.get(scene_number)
        while scene.branch != branch:
            fork_scene_number = self._fork_scene_by_branch.get(branch)
            if (
                fork_scene_number is None
                or scene.number >= fork_scene_number
                or self.is_before(fork_scene_number, scene.number)
            ):
                return False
            branch = self.get(fork_scene_number).branch
        return True

    def get(self, scene_number: int) -> Scene:
        """The scene with this number."""
        return self.scenes[scene_number - 1]

    @property
    def current(self) -> Scene | None:
        """The running scene: the last opened one that is not closed."""
        running_scenes = self._running_scenes
        while running_scenes:
            if running_scenes[-1].last_step is None:
                return running_scenes[-1]
            running_scenes.pop()
        return None

    def resume(self, scene: Scene) -> None:
        """Return to an open scene after another scene was opened."""
        if scene.is_open:
            self._running_scenes = [
                open_scene for open_scene in self._running_scenes if open_scene is not scene
            ] + [scene]

    def put_scene_after(self, later_scene_number: int, earlier_scene_number: int) -> bool:
        """State that ``earlier_scene_number`` happened before ``later_scene_number``. False if the record contradicts
        it."""
        if (
            self.is_before(later_scene_number, earlier_scene_number)
            or self._moment_of_scene[later_scene_number]
            == self._moment_of_scene[earlier_scene_number]
        ):
            return False
        self._predecessors[self._moment_of_scene[later_scene_number]].add(
            self._moment_of_scene[earlier_scene_number]
        )
        self._earlier_bits_cache.clear()
        return True

    def put_scenes_at_same_time(self, scene_number: int, other_scene_number: int) -> bool:
        """State that two scenes happen at the same time. False if one is already before the other."""
        if self.is_before(scene_number, other_scene_number) or self.is_before(
            other_scene_number, scene_number
        ):
            return False
        self._merge_moments(scene_number, other_scene_number)
        return True

    def relate_scenes(self, scene_number: int, relation: str, other_scene_number: int) -> bool:
        """State that ``scene_number`` happened ``before``, ``after`` or ``during`` another. False if the record
        contradicts it."""
        match relation:
            case "before":
                return self.put_scene_after(other_scene_number, scene_number)
            case "after":
                return self.put_scene_after(scene_number, other_scene_number)
            case _:
                return self.put_scenes_at_same_time(scene_number, other_scene_number)

    def are_simultaneous(self, scene_number: int, other_scene_number: int) -> bool:
        """Whether the record says that two scenes happen at the same time."""
        return (
            scene_number != other_scene_number
            and self._moment_of_scene[scene_number] == self._moment_of_scene[other_scene_number]
        )

    def is_before(self, scene_number: int, other_scene_number: int) -> bool:
        """Whether the record says that ``scene_number`` happened before ``other_scene_number``."""
        return bool(
            self._earlier_moment_bits(self._moment_of_scene[other_scene_number])
            >> self._moment_of_scene[scene_number]
            & 1
        )

    def _earlier_moment_bits(self, moment: int) -> int:
        bits_by_moment = self._earlier_bits_cache
        visited_moments: set[int] = set()
        moments_left = [moment]
        while moments_left:
            current_moment = moments_left[-1]
            if current_moment in bits_by_moment:
                moments_left.pop()
                continue
            visited_moments.add(current_moment)
            earlier_moments = {
                self._moment_of_scene[scene_number]
                for scene_number in self._predecessors[current_moment]
            }
            uncached_moments = [
                predecessor
                for predecessor in earlier_moments
                if predecessor not in bits_by_moment and predecessor not in visited_moments
            ]
            if uncached_moments:
                moments_left += uncached_moments
                continue
            moment_bits = 0
            for predecessor in earlier_moments:
                moment_bits |= bits_by_moment.get(predecessor, 0) | 1 << predecessor
            bits_by_moment[current_moment] = moment_bits
            moments_left.pop()
        return bits_by_moment[moment]

    def story_order(self) -> list[Scene]:
        """All scenes as they happened; ``Frame.OUTSIDE`` ones are left out."""
        rank_by_frame = {
            Frame.PAST: 0,
            Frame.NOW: 1,
            Frame.MEANWHILE: 1,
            Frame.FUTURE: 2,
            Frame.OUTSIDE: 3,
        }
        scenes_by_moment: dict[int, list[Scene]] = {}
        for scene in self.scenes:
            scenes_by_moment.setdefault(self._moment_of_scene[scene.number], []).append(scene)
        predecessor_count_by_moment: dict[int, int] = {}
        successors_by_moment: dict[int, list[int]] = {}
        for moment in scenes_by_moment:
            earlier_moments = {
                self._moment_of_scene[scene_number] for scene_number in self._predecessors[moment]
            } - {moment}
            predecessor_count_by_moment[moment] = len(earlier_moments)
            for predecessor in earlier_moments:
                successors_by_moment.setdefault(predecessor, []).append(moment)

        def sort_key(moment: int) -> tuple[int, int]:
            first_scene = scenes_by_moment[moment][0]
            return (rank_by_frame[first_scene.frame], first_scene.number)

        ready_moments = [
            (*sort_key(moment), moment)
            for moment, predecessor_count in predecessor_count_by_moment.items()
            if predecessor_count == 0
        ]
        heapq.heapify(ready_moments)
        ordered_scenes: list[Scene] = []
        while ready_moments:
            *_, moment = heapq.heappop(ready_moments)
            ordered_scenes.extend(
                scene for scene in scenes_by_moment[moment] if scene.frame is not Frame.OUTSIDE
            )
            for successor in successors_by_moment.get(moment, ()):
                predecessor_count_by_moment[successor] -= 1
                if predecessor_count_by_moment[successor] == 0:
                    heapq.heappush(ready_moments, (*sort_key(successor), successor))
        return ordered_scenes

    def _merge_moments(self, scene_number: int, target_scene_number: int) -> None:
        kept_moment, dropped_moment = (
            self._moment_of_scene[target_scene_number],
            self._moment_of_scene[scene_number],
        )
        if kept_moment == dropped_moment:
            return
        for moved_scene_number, current_moment in self._moment_of_scene.items():
            if current_moment == dropped_moment:
                self._moment_of_scene[moved_scene_number] = kept_moment
        self._predecessors[kept_moment] |= self._predecessors[dropped_moment]
        self._predecessors[dropped_moment] = set()
        self._earlier_bits_cache.clear()
