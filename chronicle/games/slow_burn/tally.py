"""What a roll comes to: dice, targets, successes and the verdict, before any effect (tracks 12 and 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from chronicle.core.dice import D12, Faces
from chronicle.core.house_rules import expected
from chronicle.core.odds import hits_distribution, hits_of_all, percent, verdict_odds
from chronicle.core.ranges import Range, exactly
from chronicle.core.source import ScalarNode
from chronicle.games.slow_burn import interference
from chronicle.games.slow_burn.framing import Draft, verdict_of
from chronicle.games.slow_burn.people import each, is_pool, look_up
from chronicle.games.slow_burn.segments import begins_afresh
from chronicle.games.slow_burn.state import (
    JOB_DIE,
    OPPOSITION_TARGET,
    Spy,
    Table,
    Verdict,
    base_target,
    is_reduction_unsure,
    target_of,
    target_range,
)
from chronicle.games.slow_burn.verdicts import verdict

OPPOSED = "Opposition"
"""What a log calls the Opposition's dice."""


class Bounds(NamedTuple):
    """The fewest and the most successes that the spies, and the Opposition, can have rolled."""

    least: int
    most: int
    least_against: int
    most_against: int

    def within(self, gone: int | None, on_table: int) -> Bounds:
        """The same where ``gone`` of the Opposition dice were discarded: as many as the spies have successes,
        unless all of them went."""
        if gone is None:
            return self
        least = max(self.least, gone)
        return self._replace(least=least, most=self.most if gone >= on_table else max(least, gone))

    def verdicts(self, tie: str) -> set[Verdict]:
        """How the scene can have come out; ``tie`` is the reading of SA2."""
        return {
            verdict(spy_hits, against, tie)
            for spy_hits in range(self.least, self.most + 1)
            for against in range(self.least_against, self.most_against + 1)
        }


@cache
def scene_odds(
    job_dice: tuple[tuple[int, int], ...], opposed: int, tie: str
) -> dict[Verdict, Fraction]:
    """Chance of each verdict on a scene: ``job_dice`` are (dice, target number) pairs, ``tie`` the reading of SA2."""
    spies = hits_of_all((dice, chance_of(target)) for dice, target in job_dice)
    against = hits_distribution(opposed, chance_of(OPPOSITION_TARGET))
    return verdict_odds(
        (spies, against), lambda spy_hits, opposition_hits: verdict(spy_hits, opposition_hits, tie)
    )


def chance_of(target: int) -> Fraction:
    """The chance that a twelve-sided die shows the target number or less."""
    return Fraction(max(0, min(D12.sides, target)), D12.sides)


def told_odds(play: Table, job_dice: Iterable[tuple[int, int]], opposed: int) -> str:
    """How likely the scene goes the spies' way; what they throw as for :func:`scene_odds`."""
    odds = scene_odds(tuple(sorted(job_dice)), opposed, play.rulings["scene_tie"])
    winning = f"chance to win {percent(odds.get(Verdict.FAVOURABLE, Fraction(0)))}"
    if Verdict.STAND_OFF not in odds:
        return winning
    return f"{winning}, stand-off {percent(odds[Verdict.STAND_OFF])}"


# --- the roll of a scene --------------------------------------------------------------------------


class Thrown(NamedTuple):
    """The dice of one side as an entry has them; the Opposition's are nobody's."""

    word: ScalarNode
    spy: Spy | None
    faces: Faces | None
    """None: not written down."""


class Stated(NamedTuple):
    """What an entry says of a roll besides the faces."""

    need: int | Mapping[ScalarNode, int] | None = None
    successes: Mapping[ScalarNode, int] | None = None
    verdict: Verdict | None = None
    discard: int | None = None
    opposition: int | None = None

    def gone(self, on_table: int) -> int | None:
        """How many Opposition dice were discarded, as the entry has it."""
        if self.discard is not None:
            return self.discard
        return None if self.opposition is None else on_table - self.opposition


@dataclass(slots=True, eq=False)
class Tally:
    """What a roll comes to, before any effect. What the entry states counts, because the log wins."""

    draft: Draft
    stated: Stated
    is_unsure: bool = False
    """Whether the record leaves open how many Opposition dice are left."""
    dice: dict[str, int] = field(default_factory=dict)
    """The Job dice of each spy who has put something into the scene."""
    faces: dict[str, Faces] = field(default_factory=dict)
    opposed: Faces | None = None
    is_unrecorded: bool = False
    """Whether faces of some dice were not written down."""
    has_strangers: bool = False
    """Whether somebody rolls whom the record does not know."""
    lacks_hits: bool = False
    """Whether nobody knows how many successes the spies have."""
    on_table: int = 0
    """The Opposition dice before the roll, as they are rolled."""
    targets: dict[str, int] = field(default_factory=dict)
    aims: dict[str, Range] = field(default_factory=dict)
    """The target numbers that are possible; a gap can leave several."""
    counted: dict[str, int] = field(default_factory=dict)
    """The successes of the faces of each spy."""
    counted_against: int = 0
    hits: dict[str, int] = field(default_factory=dict)
    """The same as the entry states them."""
    against: int = 0
    is_against_shown: bool = False
    """Whether faces or the entry show the Opposition's successes."""
    came_out: Verdict = Verdict.UNKNOWN
    """How the scene came out by these successes."""
    bounds: Bounds | None = None
    may_be_over: bool = False
    """Whether a gap leaves open if the Segment is over after the roll."""

    def range_of(self, spy: str) -> Range:
        """The successes that the faces of a spy can be."""
        faces, aim = self.faces[spy].numbers, self.aims[spy]
        lowest, highest = aim.lowest or 0, aim.highest or 0
        return Range(
            sum(1 for face in faces if face <= lowest), sum(1 for face in faces if face <= highest)
        )

    def hits_of(self, spy: str) -> Range:
        """The successes that a spy can have: as the entry states them, else as the faces can be read."""
        hits = self.hits[spy]
        return self.range_of(spy) if hits == self.counted.get(spy) else exactly(max(0, hits))

    @property
    def is_exact(self) -> bool:
        """Whether the faces on record have only one reading."""
        return all(self.hits_of(id).is_known for id in self.hits)

    @property
    def spy_hits(self) -> int:
        """The successes of all spies."""
        return sum(self.hits.values())

    @property
    def due(self) -> int:
        """S13.5: how many Opposition dice go."""
        return max(0, min(self.spy_hits, self.on_table))

    @property
    def gone(self) -> int | None:
        """How many go, as the entry has it; None if nobody knows."""
        stated = self.stated.gone(self.on_table)
        if self.stated.opposition is not None:
            stated = self.on_table - self.stated.opposition
        if stated is not None:
            return max(0, min(self.on_table, stated))
        if not self.lacks_hits:
            return self.due
        won = self.draft.mini is not None and self.stated.verdict is Verdict.FAVOURABLE
        return self.on_table if won else None


def missing_sides(
    play: Table, draft: Draft, dice: Mapping[ScalarNode, Faces | None]
) -> Iterator[tuple[str, int]]:
    """S12.2, S12.3: the sides whose dice are not told yet, with these dice."""
    sides = [side.spy for side in thrown(play, dice)]
    for id in draft.scene.used:
        due = play.balance(f"job dice:{id}", JOB_DIE) + interference.dice_back(play, id)
        if due and play.state.cast[id] not in sides:
            yield id, due
    if (draft.opposition or draft.has_hole) and None not in sides:
        yield OPPOSED, draft.opposition


def thrown(play: Table, dice: str | Mapping[ScalarNode, Faces | None]) -> Iterator[Thrown]:
    """The dice of an entry, side by side; unknown names are left out."""
    for word, faces in dice.items() if isinstance(dice, Mapping) else ():
        pooled = is_pool(play, word, OPPOSED)
        spy = None if pooled else look_up(play, word)
        if pooled or spy is not None:
            yield Thrown(word, spy, None if faces is None else Faces(faces))


def strangers(play: Table, dice: str | Mapping[ScalarNode, Faces | None]) -> Iterator[ScalarNode]:
    """The names in an entry of dice that mean nobody on record."""
    for word in dice if isinstance(dice, Mapping) else ():
        if not is_pool(play, word, OPPOSED) and look_up(play, word) is None:
            yield word


def tally(
    play: Table,
    draft: Draft,
    dice: str | Mapping[ScalarNode, Faces | None],
    stated: Stated,
    work_out: Callable[..., Any] = expected,
) -> Tally:
    """What a roll comes to. ``work_out`` asks the rules of the table for target numbers."""
    state, scene = play.state, draft.scene
    result = Tally(draft, stated)
    is_fresh = draft.mini is None and begins_afresh(play)
    result.is_unsure = state.opposition_unsure and not is_fresh
    result.is_unrecorded = isinstance(dice, str)
    result.dice = {
        id: play.balance(f"job dice:{id}", JOB_DIE) + interference.dice_back(play, id)
        for id in scene.used
    }
    result.has_strangers = any(True for _ in strangers(play, dice))
    result.is_unrecorded = result.is_unrecorded or result.has_strangers
    pooled = False
    for _, spy, faces in thrown(play, dice):
        if faces is None:
            result.is_unrecorded = result.is_unrecorded or spy is not None or not pooled
        elif spy is not None:
            result.faces[spy.id] = faces
        elif not pooled:
            result.opposed = faces
        pooled = pooled or spy is None
    result.on_table = draft.opposition if result.opposed is None else len(result.opposed)
    _aim(play, result, work_out)
    _count(play, result)
    _limit(play, result)
    return result


def _aim(play: Table, result: Tally, work_out: Callable[..., Any]) -> None:
    """S12.4, S14.7b, S15.9, S17.8: what the Job dice need."""
    draft, need = result.draft, result.stated.need
    result.targets = {id: target_of(play, id, draft.scene, work_out) for id in result.faces}
    result.aims = {id: target_range(play, id, draft.scene) for id in result.faces}
    if isinstance(need, int):
        if not needs(play, result, need):
            result.targets = dict.fromkeys(result.targets, need)
        for id, target in result.targets.items():
            is_open = is_reduction_unsure(play, id)
            result.aims[id] = Range(0, target) if is_open else exactly(target)
        return
    for spy, _, stated in each(play, need):
        if spy.id in result.targets:
            result.targets[spy.id] = stated
            result.aims[spy.id] = exactly(stated)


def needs(play: Table, result: Tally, need: int) -> bool:
    """Whether one number can be said to be what the dice of a roll need."""
    targets = {*result.targets.values()}
    return need == base_target(play, result.draft.scene) or targets == {need}


def _count(play: Table, result: Tally) -> None:
    """S12.6: the successes of both sides, and how the scene came out by them."""
    targets = result.targets
    result.counted = {
        id: sum(1 for face in faces.numbers if face <= targets[id])
        for id, faces in result.faces.items()
    }
    opposed = (result.opposed or Faces()).numbers
    result.counted_against = sum(1 for face in opposed if face <= OPPOSITION_TARGET)
    result.hits, result.against = {**result.counted}, result.counted_against
    result.is_against_shown = result.opposed is not None
    for word, stated in (result.stated.successes or {}).items():
        if is_pool(play, word, OPPOSED):
            result.against, result.is_against_shown = stated, True
            continue
        spy = look_up(play, word)
        if spy is not None:
            result.hits[spy.id] = stated
    # Stated figures count where the dice were not written down; so do the dice of one side.
    known = all(id in result.hits or not dice for id, dice in result.dice.items())
    known = known and (result.draft.scene.use_known or not result.draft.has_hole)
    result.lacks_hits = result.is_unrecorded and (result.has_strangers or not known)
    if result.lacks_hits or (result.is_unrecorded and not result.is_against_shown):
        return
    result.came_out = verdict_of(play, result.spy_hits, result.against)


def _limit(play: Table, result: Tally) -> None:
    """What both sides can have rolled where faces were not written down; nothing where the dice themselves are not
    known, or everything is."""
    draft = result.draft
    is_unsure = result.is_unsure and result.opposed is None
    hidden_spies = [id for id, dice in result.dice.items() if dice and id not in result.hits]
    if not draft.scene.use_known or is_unsure or draft.scene.bare or result.has_strangers:
        return
    if not all(draft.scene.is_use_known(id) for id in hidden_spies):
        return
    hidden = sum(result.dice[id] for id in hidden_spies)
    if result.is_against_shown and not hidden and result.is_exact:
        return
    ranges = [result.hits_of(id) for id in result.hits]
    against = result.against
    result.bounds = Bounds(
        sum(hits.lowest or 0 for hits in ranges),
        sum(hits.highest or 0 for hits in ranges) + hidden,
        against if result.is_against_shown else 0,
        against if result.is_against_shown else draft.opposition,
    )
