"""Rolling the scene and resolving it (tracks 12 and 13), in Segments and mini segments alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.dice import D12, Faces, ShownDie
from chronicle.core.figures import compared
from chronicle.core.fix import add_entry, drop_key, replace_with, set_key, set_pair, write_word
from chronicle.core.odds import hits_distribution, hits_of_all, percent, verdict_odds
from chronicle.core.play import drawn
from chronicle.core.record import Contest, Side, Throw
from chronicle.core.source import ScalarNode
from chronicle.games.slow_burn import checks, interference, minis, scenes, segments
from chronicle.games.slow_burn.actions import OpenScene, Roll
from chronicle.games.slow_burn.people import character, each, in_mini, is_pool, resource_name
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    FLOW,
    JOB_DIE,
    MINI_OPPOSITION,
    MINI_TARGET,
    OPPOSITION,
    OPPOSITION_DIE,
    OPPOSITION_TARGET,
    POOL,
    PUSHING,
    Kind,
    Phase,
    SceneRecord,
    Spy,
    Table,
    Verdict,
    drift,
    opposition,
    reduction_of,
    target_of,
)
from chronicle.games.slow_burn.verdicts import verdict

NO_SCENE = "A scene without a name"
WON = Verdict.FAVOURABLE


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
    favourable = f"favourable {percent(odds.get(Verdict.FAVOURABLE, Fraction(0)))}"
    if Verdict.STAND_OFF not in odds:
        return favourable
    return f"{favourable}, stand-off {percent(odds[Verdict.STAND_OFF])}"


def roll(play: Table, action: Roll) -> None:
    """S12.1 to S13.7: count, compare, discard; then the next scene, or the Segment is over."""
    play.step.headline = "The dice"
    scene = _ready(play, action)
    if scene is None:
        return
    mini = scene.kind is not Kind.JOB
    account = MINI_OPPOSITION if mini else OPPOSITION
    scene.resolved = play.step.index
    on_table = play.balance(account, OPPOSITION_DIE)
    faces, opposed, unknown = _faces(play, action, scene)
    if opposed is not None:
        on_table = _opposition_rolled(play, action, scene, account, len(opposed))
    elif on_table and not unknown and not play.state.hole:
        play.illegal(
            "S12.3",
            f"{plural(on_table, 'Opposition die', 'Opposition dice')} left, and none is rolled",
            at="main",
            fix=set_pair("roll", "Opposition"),
            after=(FLOW,),
        )
    targets = _targets(play, action, scene, faces)
    hits = {id: sum(1 for face in f.numbers if face <= targets[id]) for id, f in faces.items()}
    against = sum(1 for face in (opposed or Faces()).numbers if face <= OPPOSITION_TARGET)
    spy_hits, against = _stated_successes(play, action, hits, against, opposed, scene)
    scene.targets, scene.successes, scene.opposed, scene.before = (
        targets,
        spy_hits,
        against,
        on_table,
    )
    # Stated figures count where the dice were not written down; so do the dice of one side.
    no_hits = unknown and not all(
        id in hits or not play.balance(f"job dice:{id}", JOB_DIE) for id in scene.used
    )
    is_stated = any(is_pool(play, word, "Opposition") for word in action.successes or ())
    unknown = no_hits or (unknown and opposed is None and not is_stated)
    came_out = Verdict.UNKNOWN if unknown else scenes.verdict_of(play, spy_hits, against)
    stated = Verdict(action.verdict) if action.verdict is not None else None
    bounds = _bounds(play, action, scene, hits, against, opposed is not None or is_stated)
    if bounds is not None:
        _stated_gone(play, action, on_table, bounds.most)
        if not mini and came_out is Verdict.UNKNOWN and stated is not None:
            _possible_verdict(
                play, action, stated, bounds.within(_gone(action, on_table), on_table)
            )
    if not mini:
        came_out = _stated_verdict(play, came_out, stated, spy_hits, against)
    scene.verdict = came_out
    _contest(play, scene, faces, opposed, came_out)
    rules = {Verdict.FAVOURABLE: "S13.1", Verdict.UNFAVOURABLE: "S13.2"}
    play.event(_result(scene, unknown), rules.get(came_out, "SA2"), "result")
    gone = _discard(play, action, account, on_table, spy_hits, no_hits, won=mini and stated is WON)
    scene.left = on_table - gone
    scenes.clear(play, scene, "S13.4", "rolled")
    if mini:
        minis.after_roll(play, stated, action.place("verdict"), bool(action.break_off))
        return
    play.require(
        not action.break_off,
        "S15.10b",
        "only a mini segment can be broken off; this is a scene of the Job",
        at="break off",
        fix=drop_key("break off"),
    )
    _go_on(play, spy_hits - on_table)


def _ready(play: Table, action: Roll) -> SceneRecord | None:
    """The scene that is rolled for; what should have come before is reported here."""
    state = play.state
    if state.phase not in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED, Phase.MINI_SCENE):
        _unframed(play, action)
    match state.phase:
        case Phase.TRIGGERED:
            interference.unfinished(play, action.place("main"))
        case Phase.FRAMED:
            _check_skipped(play)
        case Phase.MINI_SCENE:
            # A log can say who ignores the Agency below the first scene of those who answer it.
            mini = state.mini
            if mini and mini.kind is Kind.INTERFERENCE and len(mini.scenes) == 1 and not mini.late:
                interference.unfinished(play, action.place("main"))
        case _:
            pass
    return state.scene


def _unframed(play: Table, action: Roll) -> None:
    silent = OpenScene()
    silent.source, silent.key, silent.path = action.source, action.key, action.path
    silent.session, silent.step = action.session, action.step
    silent.voice_over = None
    if play.state.mini is not None:
        minis.open_mini_scene(play, silent, ScalarNode(NO_SCENE), bare=True)
    else:
        segments.ensure_segment(play, action.place())
        scenes.frame(play, silent, NO_SCENE, Kind.JOB, bare=True)
    play.step.headline = "The dice"


def _check_skipped(play: Table) -> None:
    state = play.state
    scene = state.scene
    if scene is None or scene.bare:
        return
    held = checks.holders(play, scene)
    pool = play.balance(POOL, AGENCY_DIE)
    if not held and not pool:
        return
    name = [f"{id} ({dice})" for id, dice in (*held.items(), ("the Agency", pool)) if dice]
    play.report(
        Finding.UNKNOWN if state.hole or state.pool_unsure else Finding.ILLEGAL,
        "S11.1",
        f"the dice are rolled without an interference check, though {listed(name)} "
        f"hold{'s' if len(name) == 1 else ''} Agency dice",
        facts=(play.because(scene.step, "the scene was framed here"),),
        fix=add_entry("check: ..."),
        after=(FLOW,),
    )
    if play.step.diagnostics[-1].finding is Finding.ILLEGAL:
        drift(play)


def _faces(
    play: Table, action: Roll, scene: SceneRecord
) -> tuple[dict[str, Faces], Faces | None, bool]:
    """Everybody's faces, the Opposition's, and whether any were not recorded."""
    opposed: Faces | None = None
    faces_of_spies: dict[str, Faces] = {}
    unknown = isinstance(action.dice, str)
    pooled = False
    for word, rolled in () if isinstance(action.dice, str) else action.dice.items():
        if is_pool(play, word, "Opposition"):
            if pooled:
                play.illegal(
                    "S12.3", "the Opposition's dice are rolled twice in this scene", at=word
                )
                continue
            pooled = True
            if rolled is None:
                unknown = True
            else:
                opposed = Faces(rolled)
                play.step.throws.append(Throw("d12", tuple(rolled), play.runner))
            continue
        spy = character(play, word)
        if spy is None:
            continue
        if rolled is None:
            unknown = True
            continue
        faces = Faces(rolled)
        faces_of_spies[spy.id] = faces
        play.step.throws.append(Throw("d12", tuple(rolled), spy.player))
        _spy_rolls(play, scene, spy, word, len(faces))
    if not scene.use_known and faces_of_spies and not play.state.hole and not scene.bare:
        play.unknown(
            "S9.4",
            "the log does not say which resources went into this scene",
            at="main",
            help="use: {spy: [resources]}",
            after=(FLOW,),
        )
    for id in scene.used:
        dice = play.balance(f"job dice:{id}", JOB_DIE)
        if dice and id not in faces_of_spies and not unknown:
            play.illegal(
                "S12.2",
                f"{id} has {plural(dice, 'Job die', 'Job dice')} in this scene and rolls none",
                at="main",
                facts=(play.because(scene.step, "the scene"),),
                after=(f"job dice:{id}", FLOW),
            )
    return faces_of_spies, opposed, unknown


def _lost_to(play: Table, spy: Spy) -> list[Fact]:
    """What ``all`` does not reach: resources that an ignored interference has taken (S14.7a)."""
    return [
        play.because(item.step, f"{resource_name(spy, id)} is lost until the Agency is answered")
        for item in play.state.open_ignored(spy.id)
        for id in item.resources
    ]


def _spy_rolls(play: Table, scene: SceneRecord, spy: Spy, word: ScalarNode, rolled: int) -> None:
    """S12.2: as many faces as Job dice."""
    state = play.state
    dice = play.balance(f"job dice:{spy.id}", JOB_DIE)
    if spy.id in scene.distracted:
        check = state.check
        play.require(
            state.hole,
            "S14.6",
            f"{spy.id} is implicated, and the resources are distracted: no Job dice in this scene",
            at=word,
            facts=(play.because(check.step, "the check"),) if check is not None else (),
            after=("interference:", FLOW),
        )
        return
    segment = state.segment
    if scene.kind is Kind.JOB and segment is not None and spy.id in segment.pushes and not dice:
        play.illegal(
            "S16.3b",
            f"{spy.id} pushes for freedom and gives no Job dice before Segment {segment.number} ends",
            at=word,
            facts=(play.because(segment.pushes[spy.id], "declared here"),),
            after=(PUSHING, FLOW),
        )
        return
    if spy.id not in scene.used and not in_mini(play, spy, word):
        return
    if rolled == dice or not scene.use_known or state.hole:
        return
    play.illegal(
        "S9.5a" if rolled > dice else "S12.2",
        f"{spy.id} has {plural(dice, 'Job die', 'Job dice')} "
        f"from {plural(len(scene.used.get(spy.id, ())), 'resource')} and rolls {rolled}",
        at=word,
        facts=(play.because(scene.step, "the scene"), *_lost_to(play, spy)),
        after=(f"job dice:{spy.id}",),
    )


def _opposition_rolled(
    play: Table, action: Roll, scene: SceneRecord, account: str, rolled: int
) -> int:
    """S12.3: all that are left. The number rolled counts as the number left."""
    state = play.state
    expected = play.balance(account, OPPOSITION_DIE)
    if rolled == expected:
        state.opposition_unsure = False
        return expected
    segment = state.segment
    counts_absent = (
        state.mini is None
        and segment is not None
        and len(segment.scenes) == 1
        and rolled == segments.with_everybody(play)
    )
    if not (state.opposition_unsure or state.hole or counts_absent):
        play.illegal(
            _opposition_rule(play, rolled, expected),
            f"{plural(expected, 'Opposition die is', 'Opposition dice are')} left, "
            f"and {rolled} {'is' if rolled == 1 else 'are'} rolled",
            at=action.place("roll", "Opposition"),
            facts=_opposition_facts(play, scene),
            after=("opposition:", PUSHING, FLOW),
        )
        play.taint("opposition:")
    state.opposition_unsure = False
    play.adjust(account, str(rolled), OPPOSITION_DIE, "S12.3")
    return rolled


def _opposition_rule(play: Table, rolled: int, expected: int) -> str:
    segment, mini = play.state.segment, play.state.mini
    if mini is not None and len(mini.scenes) == 1:
        return "S17.3" if mini.kind is Kind.PUSH else "S15.3"
    if mini is None and segment is not None and len(segment.scenes) == 1 and rolled > expected:
        return "S8.2"
    return "S12.3"


def _opposition_facts(play: Table, scene: SceneRecord) -> list[Fact]:
    segment, mini = play.state.segment, play.state.mini
    if mini is not None:
        return [play.because(mini.step, f"it began with {mini.start}")]
    facts = (
        [play.because(segment.step, f"the Segment began with {segment.start}")] if segment else []
    )
    earlier = [
        s
        for s in play.state.scenes
        if segment is not None and s.number in segment.scenes and s is not scene and s.resolved
    ]
    return [*facts, *(play.because(item.resolved, f"{item.left} left") for item in earlier[-1:])]


def _targets(
    play: Table, action: Roll, scene: SceneRecord, faces: Mapping[str, Faces]
) -> dict[str, int]:
    """S12.4, S14.7b, S15.9, S17.8: what the Job dice need; a stated number is checked."""
    state = play.state
    targets = {id: target_of(play, id) for id in faces}
    need = action.need
    if need is None:
        return targets
    mini = state.mini
    base = MINI_TARGET if mini is not None else scene.segment + 1
    rule = "S12.4" if mini is None else "S17.8" if mini.kind is Kind.PUSH else "S15.9"
    if isinstance(need, int):
        own = set(targets.values()) or {base}
        if need != base and own != {need}:
            reduced = next((id for id in targets if reduction_of(play, id)), "")
            play.illegal(
                "S14.7b" if reduced and len(own) == 1 and mini is None else rule,
                f"the target number is {listed(sorted(own), 'or')}, not {need}",
                at="need",
                facts=(play.because(state.segment.step, f"Segment {scene.segment}"),)
                if state.segment and mini is None
                else (),
                after=(FLOW,),
                fix=replace_with(map(str, sorted(own))),
            )
            play.taint("opposition:")
            return dict.fromkeys(targets, need)
        return targets
    for spy, word, stated in each(play, need):
        right = targets.get(spy.id, target_of(play, spy.id))
        reduction = reduction_of(play, spy.id) if mini is None else 0
        if not play.require(
            stated == right,
            "S14.7b" if reduction else rule,
            f"{spy.id}'s target number is {right}, not {stated}"
            + (f": {base}, less {reduction} for the Agency ignored" if reduction else ""),
            at=word,
            facts=[
                play.because(item.step, "ignored since here") for item in state.open_ignored(spy.id)
            ],
            after=(FLOW,),
        ):
            play.taint("opposition:")
            targets[spy.id] = stated
    return targets


def _stated_successes(
    play: Table,
    action: Roll,
    hits: dict[str, int],
    against: int,
    opposed: Faces | None,
    scene: SceneRecord,
) -> tuple[int, int]:
    """S12.6: stated counts are checked, and taken as what the table went by."""
    for word, stated in (action.successes or {}).items():
        if is_pool(play, word, "Opposition"):
            if opposed is None:
                dice = opposition(play)
                play.require(
                    0 <= stated <= dice or play.state.opposition_unsure or play.state.hole,
                    "S12.6",
                    f"the Opposition rolls {plural(dice, 'die', 'dice')}, and has {stated} successes",
                    at=word,
                )
                against = stated
                continue
            by_segment = sum(1 for face in opposed.numbers if face <= scene.segment + 1)
            wrong_target = stated == by_segment and scene.kind is Kind.JOB
            if not play.require(
                stated == against,
                "S12.5" if wrong_target else "S12.6",
                f"the Opposition has {plural(against, 'success', 'successes')} (5 or less), not {stated}",
                at=word,
                fix=write_word(against),
            ):
                against = stated
            continue
        spy = character(play, word)
        if spy is None:
            continue
        counted = hits.get(spy.id)
        if counted is None:
            _can_have(play, scene, spy, word, stated)
        else:
            play.require(
                stated == counted,
                "S12.6",
                f"{spy.id} has {plural(counted, 'success', 'successes')}, not {stated}",
                at=word,
                after=(FLOW,),
                fix=write_word(counted),
            )
        hits[spy.id] = stated
    return sum(hits.values()), against


def _can_have(play: Table, scene: SceneRecord, spy: Spy, word: ScalarNode, stated: int) -> None:
    """S12.6: without recorded faces, no spy has more successes than Job dice."""
    dice = play.balance(f"job dice:{spy.id}", JOB_DIE)
    play.require(
        0 <= stated <= dice or not scene.use_known or play.state.hole or scene.bare,
        "S12.6",
        f"{spy.id} rolls {plural(dice, 'Job die', 'Job dice') if dice else 'no Job dice'} in this scene, "
        f"and has {stated} successes",
        at=word,
    )


def _bounds(
    play: Table,
    action: Roll,
    scene: SceneRecord,
    hits: Mapping[str, int],
    against: int,
    shown: bool,
) -> Bounds | None:
    """What both sides can have rolled where faces were not written down; None where the dice themselves are not
    known, or everything is."""
    state = play.state
    if not scene.use_known or state.hole or state.opposition_unsure or scene.bare:
        return None
    hidden = {id: play.balance(f"job dice:{id}", JOB_DIE) for id in scene.used if id not in hits}
    if shown and not any(hidden.values()):
        return None
    known_hits = sum(max(0, count) for count in hits.values())
    most = opposition(play)
    return Bounds(
        known_hits,
        known_hits + sum(hidden.values()),
        against if shown else 0,
        against if shown else most,
    )


def _gone(action: Roll, on_table: int) -> int | None:
    """How many Opposition dice were discarded, as the entry has it."""
    if action.discard is not None:
        return action.discard
    return None if action.opposition is None else on_table - action.opposition


def _stated_gone(play: Table, action: Roll, on_table: int, most: int) -> None:
    """S13.5: without recorded faces, no more dice go than the spies can have successes."""
    gone = _gone(action, on_table)
    at_most = min(most, on_table)
    if gone is not None and not 0 <= gone <= at_most:
        play.illegal(
            "S13.5",
            f"{plural(gone, 'Opposition die', 'Opposition dice')} discarded; the spies can have "
            f"{plural(most, 'success', 'successes')}, and at most {at_most} "
            f"{'goes' if at_most == 1 else 'go'}",
            at="discard" if action.discard is not None else "opposition",
            after=("opposition:", FLOW),
        )
        play.taint("opposition:")


def _possible_verdict(play: Table, action: Roll, stated: Verdict, bounds: Bounds) -> None:
    """S13.1, S13.2: the scene can have come out as stated, whatever the missing dice showed."""
    if stated in bounds.verdicts(play.rulings["scene_tie"]):
        return
    spy_hits = _between(bounds.least, bounds.most)
    against = _between(bounds.least_against, bounds.most_against)
    play.illegal(
        "S13.2" if stated is Verdict.UNFAVOURABLE else "S13.1",
        f"the spies have {spy_hits} and the Opposition has {against}, so the scene cannot be {stated}",
        at="verdict",
        after=("opposition:", FLOW),
        fix=drop_key("verdict"),
    )
    play.taint("opposition:")


def _between(least: int, most: int) -> str:
    return plural(most, "success", "successes") if least == most else f"{least} to {most} successes"


def _stated_verdict(
    play: Table, verdict: Verdict, stated: Verdict | None, spy_hits: int, against: int
) -> Verdict:
    if stated is None or stated is verdict:
        return verdict
    if verdict is Verdict.UNKNOWN:
        return stated
    tie = spy_hits == against
    play.report(
        Finding.SUSPICIOUS if tie else Finding.ILLEGAL,
        "S13.2" if stated is Verdict.UNFAVOURABLE else "S13.1",
        f"{spy_hits} to {against} is "
        + (
            f"a tie, and counts as {verdict} here, not as {stated}"
            if tie
            else f"{verdict} for the spies, not {stated}"
        ),
        at="verdict",
        after=("opposition:", FLOW),
        help=("the ruling  scene_tie  says what a tie counts as",) if tie else (),
    )
    play.taint("opposition:")
    return stated


def _result(scene: SceneRecord, unknown: bool) -> str:
    if unknown:
        return f"The dice were not written down; the scene came out {scene.verdict}"
    return f"{scene.successes} to {scene.opposed}: {scene.verdict} for the spies"


def _discard(
    play: Table,
    action: Roll,
    account: str,
    on_table: int,
    spy_hits: int,
    unknown: bool,
    *,
    won: bool,
) -> int:
    """S13.5: as many Opposition dice as the spies have successes, whatever the verdict. A mini segment that is ``won``
    has none left."""
    right = max(0, min(spy_hits, on_table))
    gone = right
    stated = action.discard
    dice_left = action.opposition
    if unknown and stated is None and dice_left is None and won:
        gone = on_table
    elif unknown and stated is None and dice_left is None:
        play.untold(
            "S13.5",
            "with dice that were not written down, nobody knows how many Opposition dice are left",
            fix=(set_key("discard"), set_key("opposition")),
        )
        return 0
    if stated is not None and dice_left is not None and not unknown:
        play.require(
            stated == right,
            "S13.5",
            f"{right} of {plural(on_table, 'Opposition die', 'Opposition dice')} "
            f"{'goes' if right == 1 else 'go'}, not {stated}",
            at="discard",
            after=("opposition:", FLOW),
            fix=write_word(right),
        )
    if stated is not None and dice_left is None:
        dice_left = on_table - stated
    if dice_left is not None:
        at = action.place("discard" if stated is not None else "opposition")
        if not unknown and not play.require(
            dice_left == on_table - right,
            "S13.5",
            f"{plural(spy_hits, 'success', 'successes')} of the spies: "
            f"{right} of {plural(on_table, 'Opposition die', 'Opposition dice')} "
            f"{'goes' if right == 1 else 'go'}, {on_table - right} left"
            + (f", not {dice_left}" if stated is None else f"; not {stated} gone"),
            at=at,
            help="whatever the verdict, and never below zero",
            after=("opposition:", FLOW),
        ):
            play.taint("opposition:")
        gone = max(0, min(on_table, on_table - dice_left))
    play.move(account, BOX, gone, OPPOSITION_DIE, "S13.5", "successes of the spies")
    play.event(
        f"{plural(gone, 'Opposition die', 'Opposition dice')} discarded, {on_table - gone} left",
        "S13.5",
        "discards",
    )
    return gone


@drawn
def _contest(
    play: Table,
    scene: SceneRecord,
    faces: Mapping[str, Faces],
    opposed: Faces | None,
    verdict: Verdict,
) -> None:
    def side(
        name: str, player: str, kind: str, rolled: Faces, target: int, used: Iterable[str] = ()
    ) -> Side:
        dice = tuple(ShownDie(face, int(face) <= target, "d12", kind) for face in rolled)
        words = f"{sum(die.hit for die in dice)} at {target} or less"
        wins = Verdict.FAVOURABLE if kind == "job" else Verdict.UNFAVOURABLE
        return Side(name, player, dice, tuple(used), words, verdict is wins)

    sides: list[Side] = []
    for id, rolled in faces.items():
        spy = play.state.cast[id]
        used = (resource_name(spy, item) for item in scene.used.get(id, ()))
        sides.append(side(id, spy.player, "job", rolled, scene.targets[id], used))
    if opposed is not None:
        sides.append(side("Opposition", play.runner, "opposition", opposed, OPPOSITION_TARGET))
    odds = ""
    all_shown = all(id in faces or not play.balance(f"job dice:{id}", JOB_DIE) for id in scene.used)
    if opposed is not None and faces and all_shown:
        pairs = ((len(rolled), scene.targets[id]) for id, rolled in faces.items())
        odds = told_odds(play, pairs, len(opposed))
    play.step.contest = Contest(
        scene.title,
        tuple(sides),
        score=f"{scene.successes} : {scene.opposed}",
        unit="successes",
        outcome=(str(verdict),),
        odds=odds,
        rule="S12.6",
        verdict=f"{compared(scene.successes, scene.opposed)}: {_IN_STORY[verdict]}"
        if verdict in _IN_STORY
        else "",
    )


_IN_STORY = {
    Verdict.FAVOURABLE: "it goes their way",
    Verdict.UNFAVOURABLE: "it goes against them",
    Verdict.STAND_OFF: "a stand-off",
}
"""How the story says what a roll came to."""


def _go_on(play: Table, surplus: int) -> None:
    """S13.6, S13.7: another scene, or the end of the Segment."""
    state = play.state
    state.interrupted = None
    if opposition(play) > 0 or state.opposition_unsure:
        state.phase = Phase.NEXT
        return
    state.carried = max(0, surplus)
    segments.close_segment(play)
