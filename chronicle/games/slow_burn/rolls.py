"""Rolling the scene and resolving it (tracks 12 and 13), in Segments and mini segments alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, Fact, listed, plural
from chronicle.core.dice import D12, Faces, ShownDie
from chronicle.core.field_types import WHOLE, YES_NO, EitherOf
from chronicle.core.figures import comparison_in_words
from chronicle.core.fix import add_entry, drop_key, replace_with, set_key, set_pair, write_word
from chronicle.core.game_context import only_for_readers
from chronicle.core.guards import Violation, guard, report_violation
from chronicle.core.house_rules import answer
from chronicle.core.names import fold
from chronicle.core.ranges import Range, exactly
from chronicle.core.record import Contest, Side, Throw
from chronicle.core.sentences import Sentence
from chronicle.core.source import Place, ScalarNode
from chronicle.games.slow_burn import interference
from chronicle.games.slow_burn.checks import holders, least_pool
from chronicle.games.slow_burn.framing import (
    NO_SCENE,
    Draft,
    clear,
    frame,
    frame_in_mini,
    frame_lost,
    is_first,
    job_scene,
    mini_scene,
)
from chronicle.games.slow_burn.keys import CHECKED, DICE, FRAMED, SUCCESSES, THROWN, VERDICT
from chronicle.games.slow_burn.minis import after_roll, end_of_mini
from chronicle.games.slow_burn.people import (
    each,
    is_pool,
    look_up,
    of_others,
    outside_mini,
    resource_name,
)
from chronicle.games.slow_burn.segments import (
    abandon,
    before_segment,
    begin_next_segment,
    begins_segment,
    close_segment,
    is_scene_open,
    leave_mini,
    most_at_start,
    with_everybody,
)
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    FLOW,
    JOB_DIE,
    LAST_SEGMENT,
    MINI_OPPOSITION,
    OPPOSITION,
    OPPOSITION_DIE,
    OPPOSITION_TARGET,
    POOL,
    PUSH_SCENE,
    PUSHING,
    USED,
    Kind,
    Phase,
    SceneRecord,
    Spy,
    Table,
    Verdict,
    base_target,
    doubt_pool,
    drifting,
    entry_before_gap,
    is_behind,
    is_checked,
    is_cut,
    number_unsure_since,
    opposition,
    reduction_of,
    target_of,
    target_range,
)
from chronicle.games.slow_burn.tally import (
    OPPOSED,
    Bounds,
    Stated,
    Tally,
    missing_sides,
    strangers,
    tally,
    thrown,
    told_odds,
)

_IN_STORY = {
    Verdict.FAVOURABLE: "it goes their way",
    Verdict.UNFAVOURABLE: "it goes against them",
    Verdict.STAND_OFF: "a stand-off",
}
"""How the story says what a roll came to."""


class Roll(Action):
    """Roll the scene's dice: each spy's Job dice, and all Opposition dice that are left."""

    verb = "roll"
    synonyms = ("throw", "opposition")
    already_shown_kinds = frozenset({"result"})
    decides = Decides("everybody")
    moment = Moment(
        (*FRAMED, *CHECKED, Phase.MINI_SCENE, PUSH_SCENE),
        Refusal(
            "S12.1",
            "dice are rolled, but no scene has been framed for them",
            fixes=(add_entry("scene: ..."),),
            after=(FLOW,),
        ),
    )
    offered = Offered("S12.1", "roll the dice of the scene")
    example = "roll: {Heron: [5, 2, 9], Opposition: [3, 12, 5, 8]}"
    dice = main(THROWN, "{spy: faces, Opposition: faces}; unrecorded, for one or for all")
    need = option(
        EitherOf(WHOLE, DICE, words="a number, or {spy: number}"),
        "the target number; you need not write this, Chronicle checks it",
        computed=True,
    )
    successes = option(
        SUCCESSES,
        "{spy: successes, Opposition: successes}; you need not write this, Chronicle checks it",
        computed=True,
    )
    verdict = option(
        VERDICT, "how the scene (or the mini segment) came out; checked", computed=True
    )
    discard = option(
        WHOLE,
        "Opposition dice discarded; you need not write this, Chronicle checks it",
        computed=True,
    )
    opposition = option(
        WHOLE,
        "Opposition dice on the table; you need not write this, Chronicle checks it",
        computed=True,
    )
    break_off = option(YES_NO, "yes, if the mini segment is broken off here")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        random, due = Random(len(play.steps)), [*dice_due(play)]
        for _ in range(4):
            yield {"roll": {side: random.choices(D12.faces, k=dice) for side, dice in due}}

    def is_unframed(self, play: Table) -> bool:
        """Whether the log has no scene for these dice."""
        return play.state.phase not in (*FRAMED, *CHECKED, Phase.MINI_SCENE)

    def draft(self, play: Table) -> Draft | None:
        """The scene that is rolled for; a bare one, if the log has none."""
        state, scene = play.state, play.state.scene
        if self.is_unframed(play):
            if state.mini is not None:
                return mini_scene(play, state.mini, NO_SCENE, bare=True)
            return job_scene(play, NO_SCENE, bare=True)
        return None if scene is None else _draft_at_hand(play, scene)

    def stated(self, draft: Draft) -> Stated:
        """What the entry, and those before it in the same roll, say besides the faces."""
        verdict = Verdict(self.verdict) if self.verdict is not None else None
        hits = {**draft.scene.told_hits, **(self.successes or {})} or None
        return Stated(self.need, hits, verdict, self.discard, self.opposition)

    def all_dice(self, draft: Draft) -> str | Mapping[ScalarNode, Faces | None]:
        """The dice of the entry, and of those before it in the same roll."""
        if isinstance(self.dice, str):
            return self.dice
        return {**draft.scene.rolled, **self.dice}

    def is_part(self, play: Table) -> bool:
        """Whether other dice of the roll are still missing: each side can roll in an entry of its own."""
        draft = self.draft(play)
        ends = self.counts_dice() or self.verdict is not None or self.break_off
        if draft is None or ends or draft.scene.bare:
            return False
        dice = self.all_dice(draft)
        if isinstance(dice, str) or not draft.scene.use_known:
            return False
        return any(True for _ in missing_sides(play, draft, dice))

    def counts_dice(self) -> bool:
        """Whether the entry says how many Opposition dice go, or are left."""
        return self.discard is not None or self.opposition is not None

    def tally(self, play: Table) -> Tally | None:
        """What the roll comes to, before any effect."""
        draft = self.draft(play)
        if draft is None:
            return None
        return tally(play, draft, self.all_dice(draft), self.stated(draft))

    def sentence(self, play: Table) -> Sentence:
        if self.break_off:
            return ("The dice, and the mini segment is broken off.",)
        return ("The dice.",)

    @guard("S8.3", at="roll")
    def segment_can_begin(self, play: Table) -> Iterator[Violation]:
        if self.is_unframed(play) and play.state.mini is None and begins_segment(play):
            for violation in before_segment(play):
                yield violation._replace(at=violation.at or self.place())

    @guard("S14.8", at="main")
    def interference_is_settled(self, play: Table) -> Iterator[Violation]:
        yield from interference.left_open(play)

    @guard("S11.1")
    def agency_dice_come_first(self, play: Table) -> Violation | None:
        state, scene = play.state, play.state.scene
        if state.phase is not Phase.FRAMED or scene is None or scene.bare or is_cut(play, scene):
            return None
        held, pool = holders(play, scene), play.balance(POOL, AGENCY_DIE)
        names = [f"{id} ({dice})" for id, dice in (*held.items(), ("the Agency", pool)) if dice]
        if not names:
            return None
        is_unsure = (
            state.hole
            or state.pool_unsure
            or (not pool and all(state.cast[id].unsure for id in held))
        )
        return Violation(
            f"the dice are rolled without an interference check, though {listed(names)} "
            f"hold{'s' if len(names) == 1 else ''} Agency dice",
            fix=add_entry("check: ..."),
            facts=[play.because(scene.step, "the scene was framed here")],
            after=[FLOW],
            doubts=() if is_unsure else drifting(play),
            kind=DiagnosticKind.UNKNOWN if is_unsure else DiagnosticKind.ILLEGAL,
        )

    def rolled_before(self, play: Table) -> list[Spy | None]:
        """The sides whose dice earlier entries of the same roll have told; None for the Opposition."""
        draft = self.draft(play)
        earlier = draft.scene.rolled if draft is not None else {}
        return [side.spy for side in thrown(play, earlier)]

    @guard("S12.2")
    def each_side_rolls_once(self, play: Table) -> Iterator[Violation]:
        sides, draft = self.rolled_before(play), self.draft(play)
        earlier = draft.scene.rolled if draft is not None else {}
        for word, spy, _ in thrown(play, self.dice):
            if spy in sides:
                yield Violation(
                    f"{spy.id if spy is not None else 'the Opposition'} has rolled in this scene",
                    word,
                    help="leave these dice out",
                    after=[*(f"name:{fold(name)}" for name in strangers(play, earlier)), FLOW],
                    rule="S12.2" if spy is not None else "S12.3",
                )

    @guard("S12.2")
    def everybody_rolls_their_own(self, play: Table) -> Iterator[Violation]:
        words = self.dice if isinstance(self.dice, Mapping) else ()
        yield from of_others(play, self, words, OPPOSED, ("S12.2", "S12.3"))

    @guard("S12.3")
    def opposition_rolls_once(self, play: Table) -> Iterator[Violation]:
        pooled = [side for side in thrown(play, self.dice) if side.spy is None]
        for side in pooled[1:]:
            message = "the Opposition's dice are rolled twice in this scene"
            yield Violation(message, side.word)

    @guard("S12.2")
    def job_dice_are_rolled(self, play: Table) -> Iterator[Violation]:
        result, before = self.tally(play), self.rolled_before(play)
        for word, spy, faces in thrown(play, self.dice) if result is not None else ():
            assert result is not None
            if spy is not None and faces is not None and spy not in before:
                violation = _other_job_dice(play, result, spy, word, len(faces))
                if violation is not None:
                    yield violation

    @guard("S9.4", DiagnosticKind.UNKNOWN, at="main")
    def resources_are_known(self, play: Table) -> Violation | None:
        result = self.tally(play)
        if result is None or result.draft.scene.use_known or not result.faces:
            return None
        if result.draft.has_hole or result.draft.scene.bare:
            return None
        return Violation(
            "the log does not say which resources went into this scene",
            help="use: {spy: [resources]}",
            after=[FLOW],
        )

    @guard("S12.2", at="main")
    def nobody_is_left_out(self, play: Table) -> Iterator[Violation]:
        result = self.tally(play)
        if result is None or result.is_unrecorded or self.is_part(play):
            return
        for id, dice in result.dice.items():
            if dice and id not in result.faces:
                yield _not_rolled(play, result.draft.scene, id, dice)

    @guard("S12.3")
    def whole_opposition_rolls(self, play: Table) -> Violation | None:
        result = self.tally(play)
        if result is None:
            return None
        due = result.draft.opposition
        told = any(side.spy is None for side in thrown(play, self.dice))
        told = told and None not in self.rolled_before(play)
        if result.opposed is not None:
            is_other = told and len(result.opposed) != due
            return _other_opposition(play, result, self) if is_other else None
        if not due or result.is_unrecorded or result.draft.has_hole or self.is_part(play):
            return None
        missing = _not_rolled(play, result.draft.scene, OPPOSED, due)
        return missing._replace(at="main", fix=set_pair("roll", OPPOSED))

    @guard("S10.3")
    def further_resources_brought_dice(self, play: Table) -> Iterator[Violation]:
        """Below a gap, the dice of a spy who uses all show how many resources these are."""
        result, check = self.tally(play), play.state.check
        scene = result.draft.scene if result is not None else None
        if result is None or scene is None or check is None or check.unknown:
            return
        if result.draft.mini is not None or scene.check != check.step or is_cut(play, scene):
            return
        least = least_pool(play, scene)
        for word, spy, faces in thrown(play, self.dice):
            if spy is None or faces is None or spy.id not in scene.open_all:
                continue
            least += max(0, len(faces) - 1)
            if least > len(check.pool):
                dice = plural(len(check.pool), "die", "dice")
                yield Violation(
                    f"{spy.id} rolls {plural(len(faces), 'Job die', 'Job dice')}, and every resource after "
                    f"the first brings an Agency die: it holds at least {least}, and {dice} "
                    f"{'was' if len(check.pool) == 1 else 'were'} rolled in the check",
                    word,
                    facts=[play.because(check.step, "the check")],
                    doubts=["agency:"],
                )

    @guard("S12.4", at="need")
    def target_number(self, play: Table) -> Iterator[Violation]:
        result = self.tally(play) if self.need is not None else None
        if result is None or self.need is None:
            return
        if isinstance(self.need, int):
            yield from _other_need(play, result, self.need)
            return
        scene = result.draft.scene
        for spy, word, stated in each(play, self.need):
            target = target_of(play, spy.id, scene)
            if target_range(play, spy.id, scene).may_be(max(0, stated)):
                continue
            reduction = reduction_of(play, spy.id, scene) if scene.kind is Kind.JOB else 0
            base = base_target(play, scene)
            ignored = play.state.open_ignored(spy.id)
            yield Violation(
                f"{spy.id}'s target number is {target}, not {stated}"
                + (f": {base}, less {reduction} for the Agency ignored" if reduction else ""),
                word,
                facts=[play.because(item.step, "ignored since here") for item in ignored],
                after=[FLOW],
                doubts=["opposition:"],
                rule="S14.7b" if reduction else _target_rule(scene),
            )

    @guard("S12.6")
    def successes_are_counted(self, play: Table) -> Iterator[Violation]:
        result = self.tally(play) if self.successes else None
        for word, stated in (self.successes or {}).items() if result is not None else ():
            assert result is not None
            spy = None if is_pool(play, word, OPPOSED) else look_up(play, word)
            if spy is not None:
                violation = _other_hits(result, spy, word, stated)
            elif is_pool(play, word, OPPOSED):
                violation = _other_against(result, word, stated)
            else:
                continue
            if violation is not None:
                yield violation

    @guard("S13.5")
    def no_more_go_than_can(self, play: Table) -> Violation | None:
        """Without recorded faces, or targets, no more dice go than the spies can have successes."""
        result = self.tally(play) if self.counts_dice() else None
        gone = result.stated.gone(result.on_table) if result is not None else None
        if result is None or result.bounds is None or gone is None:
            return None
        most = result.bounds.most
        at_most = min(most, result.on_table)
        if 0 <= gone <= at_most:
            return None
        if gone < 0 and self.discard is None:
            return Violation(
                f"{plural(result.on_table - gone, 'Opposition die', 'Opposition dice')} cannot be left of "
                f"{result.on_table}",
                "opposition",
                after=["opposition:", FLOW],
                doubts=["opposition:"],
            )
        return Violation(
            f"{plural(gone, 'Opposition die', 'Opposition dice')} discarded; the spies can have "
            f"{plural(most, 'success', 'successes')}, and at most {at_most} "
            f"{'goes' if at_most == 1 else 'go'}",
            "discard" if self.discard is not None else "opposition",
            after=["opposition:", FLOW],
            doubts=["opposition:"],
        )

    @guard("S13.1", at="verdict")
    def verdict_follows(self, play: Table) -> Violation | None:
        result = self.tally(play) if self.verdict is not None else None
        if result is None or result.draft.mini is not None:
            return None
        stated, came_out, draft = result.stated.verdict, result.came_out, result.draft
        may_be_mini = draft.has_hole and not is_checked(play, draft.scene)
        if stated is None or stated is came_out or may_be_mini:
            return None
        rule = "S13.2" if stated is Verdict.UNFAVOURABLE else "S13.1"
        if came_out is Verdict.UNKNOWN or not result.is_exact:
            return _impossible_verdict(play, result, stated, rule)
        spy_hits, against = result.spy_hits, result.against
        tie = spy_hits == against
        return Violation(
            f"{spy_hits} to {against} is a tie, and counts as {came_out} here, not as {stated}"
            if tie
            else f"{spy_hits} to {against} is {came_out} for the spies, not {stated}",
            help="the ruling  scene_tie  says what a tie counts as" if tie else (),
            after=["opposition:", FLOW],
            doubts=["opposition:"],
            rule=rule,
            kind=DiagnosticKind.SUSPICIOUS if tie else DiagnosticKind.ILLEGAL,
        )

    @guard("S13.5")
    def successes_go(self, play: Table) -> Iterator[Violation]:
        result = self.tally(play) if self.counts_dice() else None
        if result is None or result.lacks_hits or not result.is_exact:
            return
        due, on_table, discard, dice_left = (
            result.due,
            result.on_table,
            self.discard,
            self.opposition,
        )
        dice = plural(on_table, "Opposition die", "Opposition dice")
        go = f"{due} of {dice} {'goes' if due == 1 else 'go'}"
        if discard is not None and dice_left is not None and discard != due:
            yield Violation(
                f"{go}, not {discard}", "discard", write_word(due), after=["opposition:", FLOW]
            )
        if discard is not None and dice_left is None:
            dice_left = on_table - discard
        if dice_left is not None and dice_left != on_table - due:
            yield Violation(
                f"{plural(result.spy_hits, 'success', 'successes')} of the spies: {go}, "
                f"{on_table - due} left"
                + (f", not {dice_left}" if discard is None else f"; not {discard} gone"),
                "discard" if discard is not None else "opposition",
                help="whatever the verdict, and never below zero",
                after=["opposition:", FLOW],
                doubts=["opposition:"],
            )

    @guard("S15.10b", at="verdict")
    def mini_ends(self, play: Table) -> Iterator[Violation]:
        says_end = self.break_off or self.verdict is not None
        result = self.tally(play) if says_end else None
        if result is None:
            return
        draft, gone = result.draft, result.gone
        if draft.mini is None and self.break_off and not draft.has_hole:
            yield Violation(
                "only a mini segment can be broken off; this is a scene of the Job",
                "break off",
                drop_key("break off"),
            )
        if draft.mini is not None and gone is not None:
            dice_left, verdict = result.on_table - gone, result.stated.verdict
            yield from end_of_mini(play, draft, dice_left, verdict, break_off=bool(self.break_off))

    def apply(self, play: Table) -> None:
        is_part = self.is_part(play)
        interference.close_choices(play)
        self._frame(play)
        draft = self.draft(play)
        if draft is None:
            return
        self._note_throws(play)
        if is_part and isinstance(self.dice, Mapping):
            draft.scene.rolled = {**draft.scene.rolled, **self.dice}
            draft.scene.told_hits = {**draft.scene.told_hits, **(self.successes or {})}
            if draft.mini is None:
                play.state.phase = Phase.READY
            play.event("Others have still to roll", "S12.1", "rolls")
            return
        result = tally(play, draft, self.all_dice(draft), self.stated(draft), answer)
        resolve(play, result, break_off=bool(self.break_off))

    def _note_throws(self, play: Table) -> None:
        """The faces that fell in this entry, each with the player who threw them."""
        has_pool = False
        for _, spy, faces in thrown(play, self.dice):
            if faces is not None and not (spy is None and has_pool):
                player = spy.player if spy is not None else play.runner
                play.step.throws.append(Throw("d12", tuple(faces), player))
            has_pool = has_pool or spy is None

    def _frame(self, play: Table) -> None:
        """A bare scene for dice that have none in the log."""
        if not self.is_unframed(play):
            return
        if play.state.mini is None:
            begin_next_segment(play)
        draft = self.draft(play)
        if draft is None:
            return
        headline = play.step.headline
        if draft.mini is None:
            frame(play, None, draft)
        else:
            frame_in_mini(play, None, draft)
        play.step.headline = headline


# --- breaches -------------------------------------------------------------------------------------


def _draft_at_hand(play: Table, scene: SceneRecord) -> Draft:
    """The scene at hand, with what a roll for it rests on."""
    state = play.state
    pushes = state.segment.pushes if state.segment is not None else {}
    mini = state.mini if scene.kind is not Kind.JOB else None
    return Draft(scene, mini, pushes, opposition(play), has_hole=state.hole)


def close_in_mini(play: Table, roll: Roll) -> None:
    """S12.3: with dice of others alone the mini segment is closed, and its roll in parts ends without its own dice."""
    scene = play.state.scene
    if scene is None or scene.kind is Kind.JOB or not scene.rolled:
        return
    spies = {side.spy.id for side in thrown(play, roll.dice) if side.spy is not None}
    if spies and not spies & {*scene.used}:
        close_roll(play)


def find_scene(play: Table, roll: Roll) -> None:
    """Below a gap, dice are those of the scene that was open above it, or of the scene that this one interrupts
    (S15.11), where their numbers fit; else all of that ended in the gap."""
    state, scene = play.state, play.state.scene
    if scene is None or not is_scene_open(play) or not is_cut(play, scene):
        return
    is_mini = state.phase is Phase.MINI_SCENE
    if _fits(play, scene, MINI_OPPOSITION if is_mini else OPPOSITION, roll):
        return
    waiting, check = state.interrupted, state.check
    if is_mini and waiting is not None and _fits(play, waiting, OPPOSITION, roll):
        state.scene, state.phase = None, Phase.READY
        leave_mini(play)
        state.scene, state.check, state.interrupted = waiting, check, None
    else:
        abandon(play)
        if check is not None and not is_behind(play, check):
            frame_lost(play)


def _fits(play: Table, scene: SceneRecord, account: str, roll: Roll) -> bool:
    """Whether as many dice are rolled as each side has in a scene."""
    for _, spy, faces in thrown(play, roll.dice):
        if spy is None:
            due = play.balance(account, OPPOSITION_DIE)
        elif spy.id in scene.used:
            due = play.balance(f"job dice:{spy.id}", JOB_DIE) + interference.dice_back(play, spy.id)
        else:
            return False
        if faces is not None and len(faces) != due:
            return False
    return True


def dice_due(play: Table) -> Iterator[tuple[str, int]]:
    """S12.2, S12.3: the dice of each side that have not been rolled in this scene."""
    scene = play.state.scene
    if scene is not None:
        draft = _draft_at_hand(play, scene)
        sides = missing_sides(play, draft, scene.rolled)
        yield from ((side, dice) for side, dice in sides if dice)


def _not_rolled(play: Table, scene: SceneRecord, side: str, dice: int) -> Violation:
    """S12.2, S12.3: that a side's dice are not rolled."""
    if side == OPPOSED:
        message = f"{plural(dice, 'Opposition die', 'Opposition dice')} left, and none is rolled"
        return Violation(message, after=[FLOW], rule="S12.3")
    return Violation(
        f"{side} has {plural(dice, 'Job die', 'Job dice')} in this scene and rolls none",
        facts=[play.because(scene.step, "the scene")],
        after=[f"job dice:{side}", FLOW],
        rule="S12.2",
    )


def _other_job_dice(
    play: Table, result: Tally, spy: Spy, word: ScalarNode, rolled: int
) -> Violation | None:
    """S12.2: that a spy rolls another number of dice than there are Job dice."""
    draft, check = result.draft, play.state.check
    scene, dice = draft.scene, result.dice.get(spy.id, 0)
    is_away = interference.stays_away(play) and check is not None and spy.id in check.implicated
    if spy.id in scene.distracted and not is_away:
        return (
            None
            if draft.has_hole and is_cut(play, scene)
            else Violation(
                f"{spy.id} is implicated, and the resources are distracted: no Job dice in this scene",
                word,
                facts=[play.because(check.step, "the check")] if check is not None else [],
                help="leave these dice out; the scene goes on without them",
                after=["interference:", USED, FLOW],
                rule="S14.6",
            )
        )
    if draft.mini is None and spy.id in draft.pushes and not dice:
        return Violation(
            f"{spy.id} pushes for freedom and gives no Job dice before Segment {scene.segment} ends",
            word,
            facts=[play.because(draft.pushes[spy.id], "declared here")],
            help=f"take {spy.id} out of this entry",
            after=[PUSHING, FLOW],
            rule="S16.3b",
        )
    if spy.id not in scene.used:
        outside = outside_mini(play, draft.mini, spy, word)
        if outside is not None:
            return outside
    is_open = draft.has_hole and is_cut(play, scene)
    if rolled == dice or is_open or not scene.is_use_known(spy.id):
        return None
    lost = [
        play.because(item.step, f"{resource_name(spy, id)} is lost until the Agency is answered")
        for item in play.state.open_ignored(spy.id)
        for id in item.resources
    ]
    return Violation(
        f"{spy.id} has {plural(dice, 'Job die', 'Job dice')} "
        f"from {plural(len(scene.used.get(spy.id, ())), 'resource')} and rolls {rolled}",
        word,
        facts=[play.because(scene.step, "the scene"), *lost],
        help=f"write {plural(dice, 'number')} for {spy.id}"
        + (", or add the other resource to  use:  of the scene" if rolled > dice else ""),
        after=[f"job dice:{spy.id}", USED],
        rule="S9.5a" if rolled > dice else "S12.2",
    )


def _other_opposition(play: Table, result: Tally, action: Roll) -> Violation | None:
    """S12.3: that another number of Opposition dice is rolled than are left."""
    draft, due, rolled = result.draft, result.draft.opposition, result.on_table
    possible = play.state.possible_left if draft.mini is None else None
    first = is_first(play, draft)
    counts_absent = draft.mini is None and first and rolled == with_everybody(play)
    if counts_absent:
        return None
    mini = draft.mini
    is_new = mini is not None and not mini.is_open and mini.step > play.state.hole_step
    if (result.is_unsure or draft.has_hole) and not is_new:
        return _impossible_opposition(play, result, action.place("roll", OPPOSED))
    rule = "S12.3"
    if draft.mini is not None and first:
        rule = "S17.3" if draft.mini.kind is Kind.PUSH else "S15.3"
    elif first and rolled > due:
        rule = "S8.2"
    return Violation(
        f"{plural(due, 'Opposition die is', 'Opposition dice are')} left, "
        f"and {rolled} {'is' if rolled == 1 else 'are'} rolled",
        action.place("roll", OPPOSED),
        facts=_opposition_facts(play, draft),
        help=f"roll {plural(due, 'die', 'dice')}, as many as are left",
        since=entry_before_gap(play)
        if not first and possible is not None and not possible.is_known and possible.may_be(rolled)
        else None,
        after=["opposition:", PUSHING, FLOW],
        doubts=["opposition:"],
        rule=rule,
    )


def _impossible_opposition(play: Table, result: Tally, place: Place) -> Violation | None:
    """S8.2, S12.3: that more or fewer Opposition dice are rolled than can be left, where a gap or dice without a
    record leave their number open."""
    draft, rolled, most = result.draft, result.on_table, most_at_start(play)
    are_rolled = f"{plural(rolled, 'die', 'dice')} {'is' if rolled == 1 else 'are'} rolled"
    possible = play.state.possible_left
    may_be_mini = draft.has_hole and not is_checked(play, draft.scene)
    if possible is None or draft.mini is not None or may_be_mini:
        possible = Range(0, most)
    if possible.may_be(rolled):
        return None
    if possible == Range(0, most):
        return Violation(
            f"a Segment has at most {plural(most, 'Opposition die', 'Opposition dice')}, and {are_rolled}",
            place,
            help=f"roll {plural(most, 'die', 'dice')} at most",
            doubts=["opposition:"],
            is_certain=True,
            rule="S8.2",
        )
    if possible.is_known:
        dice = plural(possible.lowest or 0, "Opposition die is", "Opposition dice are") + " left"
    else:
        dice = f"{possible} Opposition dice can be left"
    return Violation(
        f"{dice}, and {are_rolled}",
        place,
        facts=_opposition_facts(play, draft)[-1:],
        help=f"roll as many as are left: {possible}",
        doubts=["opposition:"],
        is_certain=True,
        rule="S12.3",
    )


def _note_possible(play: Table, result: Tally, earlier: Range | None) -> None:
    """S13.5: how many Opposition dice of the Job can be left after a roll that the record does not tell whole;
    ``earlier``: how many could be left before it."""
    state, draft, scene = play.state, result.draft, result.draft.scene
    most = most_at_start(play)
    if draft.has_hole and not is_checked(play, scene):
        # Possibly a scene of a mini segment, which leaves the dice of the Job alone.
        state.possible_left = Range(0, earlier.highest) if earlier is not None else None
        return
    if result.opposed is not None or not (result.is_unsure or draft.has_hole):
        earlier = exactly(result.on_table)
    elif earlier is None:
        earlier = Range(0, most)
    stated = result.stated.gone(result.on_table)
    ranges = [result.hits_of(id) for id in result.hits]
    hidden = sum(dice for id, dice in result.dice.items() if id not in result.hits)
    is_open = not scene.use_known or result.has_strangers
    if is_open or (draft.has_hole and is_cut(play, scene)):
        hidden = most if result.lacks_hits else 0
    least = sum(hits.lowest or 0 for hits in ranges) if stated is None else stated
    highest = sum(hits.highest or 0 for hits in ranges) + hidden if stated is None else stated
    left = Range(max(0, (earlier.lowest or 0) - highest), max(0, (earlier.highest or most) - least))
    # With none left the Segment is over, and the next one may have begun.
    scene.goes_on = bool(left.lowest)
    result.may_be_over = not scene.goes_on and scene.left > 0
    state.possible_left = left if scene.goes_on else Range(0, most)


def _opposition_facts(play: Table, draft: Draft) -> list[Fact]:
    segment, mini = play.state.segment, draft.mini
    if mini is not None:
        return [play.because(mini.step, f"it began with {mini.start}")]
    if segment is None or begins_segment(play):
        return []
    earlier = [
        scene
        for scene in play.state.scenes
        if scene.number in segment.scenes and scene is not draft.scene and scene.resolved
    ]
    return [
        play.because(segment.step, f"the Segment began with {segment.start}"),
        *(play.because(scene.resolved, f"{scene.left} left") for scene in earlier[-1:]),
    ]


def _target_rule(scene: SceneRecord) -> str:
    return {Kind.JOB: "S12.4", Kind.PUSH: "S17.8", Kind.INTERFERENCE: "S15.9"}[scene.kind]


def _other_need(play: Table, result: Tally, need: int) -> Iterator[Violation]:
    """S12.4, S14.7b, S15.9, S17.8: a stated number that is no target number of this roll. Below 0 is as
    good as 0: nothing succeeds."""
    scene, segment = result.draft.scene, play.state.segment
    targets = {id: target_of(play, id, scene) for id in result.faces}
    own = {*targets.values()} or {base_target(play, scene)}
    aims = [target_range(play, id, scene) for id in targets]
    is_open = result.draft.has_hole or number_unsure_since(play) is not None
    if not aims and is_open:
        aims = [Range(0, LAST_SEGMENT + 1)]
    low = max(0, need)
    if low == base_target(play, scene) or (aims and all(aim.may_be(low) for aim in aims)):
        return
    is_job = scene.kind is Kind.JOB
    reduced = is_job and any(reduction_of(play, id, scene) for id in targets)
    yield Violation(
        f"the target number is {listed(sorted(own), 'or')}, not {need}",
        fix=replace_with(map(str, sorted(own))),
        facts=[play.because(segment.step, f"Segment {scene.segment}")]
        if segment and is_job
        else [],
        after=[FLOW],
        doubts=["opposition:"],
        rule="S14.7b" if reduced and len(own) == 1 else _target_rule(scene),
    )


def _other_against(result: Tally, word: ScalarNode, stated: int) -> Violation | None:
    """S12.5, S12.6: that another number of successes of the Opposition is stated than the dice show."""
    draft, opposed, against = result.draft, result.opposed, result.counted_against
    if opposed is None:
        dice = draft.opposition
        if 0 <= stated <= dice or result.is_unsure or draft.has_hole:
            return None
        return Violation(
            f"the Opposition rolls {plural(dice, 'die', 'dice')}, and has {stated} successes", word
        )
    if stated == against:
        return None
    by_segment = sum(1 for face in opposed.numbers if face <= draft.scene.segment + 1)
    return Violation(
        f"the Opposition has {plural(against, 'success', 'successes')} (5 or less), not {stated}",
        word,
        write_word(against),
        rule="S12.5" if stated == by_segment and draft.mini is None else "S12.6",
    )


def _other_hits(result: Tally, spy: Spy, word: ScalarNode, stated: int) -> Violation | None:
    """S12.6: that another number of successes of a spy is stated than the dice show, or can show."""
    scene, counted = result.draft.scene, result.counted.get(spy.id)
    if counted is not None:
        shown = result.range_of(spy.id)
        if shown.may_be(stated):
            return None
        return Violation(
            f"{spy.id} has {plural(counted, 'success', 'successes')}, not {stated}"
            if shown.is_known
            else f"{spy.id} has {shown} successes, not {stated}",
            word,
            write_word(counted) if shown.is_known else (),
            after=[FLOW],
        )
    dice = result.dice.get(spy.id, 0)
    if 0 <= stated <= dice or result.draft.has_hole or scene.bare:
        return None
    if not scene.is_use_known(spy.id):
        return None
    return Violation(
        f"{spy.id} rolls {plural(dice, 'Job die', 'Job dice') if dice else 'no Job dice'} in this scene, "
        f"and has {stated} successes",
        word,
    )


def _impossible_verdict(play: Table, result: Tally, stated: Verdict, rule: str) -> Violation | None:
    """S13.1, S13.2: that the scene cannot have come out as stated, with any faces of the missing dice."""
    if result.bounds is None or result.draft.has_hole:
        return None
    bounds = result.bounds.within(result.stated.gone(result.on_table), result.on_table)
    if stated in bounds.verdicts(play.rulings["scene_tie"]):
        return None
    spy_hits, against = _between(bounds)
    return Violation(
        f"the spies have {spy_hits} and the Opposition has {against}, so the scene cannot be {stated}",
        fix=drop_key("verdict"),
        after=["opposition:", FLOW],
        doubts=["opposition:"],
        rule=rule,
    )


def _between(bounds: Bounds) -> Iterator[str]:
    """The successes of the spies, and those of the Opposition."""
    for least, most in (bounds[:2], bounds[2:]):
        successes = plural(most, "success", "successes")
        yield successes if least == most else f"{least} to {most} successes"


def _is_left_open(play: Table, result: Tally) -> bool:
    """Whether a gap leaves open how many Opposition dice are left after a roll."""
    if result.stated.gone(result.on_table) is not None or result.is_exact:
        return False
    if result.may_be_over:
        return True
    may_be_mini = result.draft.has_hole and not is_checked(play, result.draft.scene)
    return may_be_mini or number_unsure_since(play) is not None


# --- effects --------------------------------------------------------------------------------------


def resolve(play: Table, result: Tally, *, break_off: bool = False) -> None:
    """Resolve the scene of a roll (track 13); its last entry may break the mini segment off."""
    draft = result.draft
    scene, mini = draft.scene, draft.mini
    scene.resolved = play.step.number
    account = OPPOSITION if mini is None else MINI_OPPOSITION
    if result.opposed is not None:
        play.state.opposition_unsure = False
        if result.on_table != draft.opposition:
            play.adjust(account, str(result.on_table), OPPOSITION_DIE, "S12.3")
    verdict = result.stated.verdict
    scene.targets, scene.successes, scene.opposed = (
        result.targets,
        result.spy_hits,
        result.against,
    )
    scene.before, scene.verdict = result.on_table, result.came_out
    if mini is None and verdict is not None:
        scene.verdict = verdict
    _show(play, result)
    is_told = result.came_out is not Verdict.UNKNOWN
    rules = {Verdict.FAVOURABLE: "S13.1", Verdict.UNFAVOURABLE: "S13.2"}
    play.event(
        f"{scene.successes} to {scene.opposed}: {scene.verdict} for the spies"
        if is_told
        else f"The dice were not written down; the scene came out {scene.verdict}",
        rules.get(scene.verdict, "SA2"),
        "result",
    )
    earlier = play.state.possible_left
    scene.left = result.on_table - _discard(play, result, account)
    if mini is None:
        _note_possible(play, result, earlier)
        if not scene.goes_on and (draft.has_hole or not result.is_exact):
            # The Segment may be over, or it was a scene of a mini segment, which brings no Agency dice.
            doubt_pool(play)
    if mini is None and _is_left_open(play, result):
        play.state.opposition_unsure = True
        doubt_pool(play)
        play.unrecorded("segment:", "opposition:", "agency:")
    clear(play, scene, "S13.4", "rolled")
    if mini is not None:
        after_roll(play, draft, scene.left, verdict, break_off=break_off)
        return
    _go_on(play, result.spy_hits - result.on_table)


def close_roll(play: Table) -> None:
    """S12.2, S12.3: report the dice of the scene at hand that the log leaves out, and resolve it without them."""
    scene = play.state.scene
    if scene is None or not scene.rolled or scene.resolved:
        return
    draft = _draft_at_hand(play, scene)
    for side, dice in [*missing_sides(play, draft, scene.rolled)]:
        if side == OPPOSED and draft.has_hole:
            continue
        violation = _not_rolled(play, scene, side, dice)
        if draft.mini is not None:
            # Its end is unknown: what follows is possibly a scene of the Job.
            violation = violation._replace(doubts=[FLOW])
        report_violation(play, violation._replace(fix=add_entry(f"roll: {{{side}: ...}}")))
    stated = Stated(successes=scene.told_hits or None)
    resolve(play, tally(play, draft, scene.rolled, stated, answer))


def _discard(play: Table, result: Tally, account: str) -> int:
    """S13.5: as many Opposition dice as the spies have successes, with any verdict. A mini segment that is won
    has none left."""
    gone = result.gone
    if gone is None:
        play.untold(
            "S13.5",
            "with dice that were not written down, nobody knows how many Opposition dice are left",
            fix=(set_key("discard"), set_key("opposition")),
        )
        return 0
    play.move(account, BOX, gone, OPPOSITION_DIE, "S13.5", "successes of the spies")
    play.event(
        f"{plural(gone, 'Opposition die', 'Opposition dice')} discarded, {result.on_table - gone} left",
        "S13.5",
        "discards",
    )
    return gone


@only_for_readers
def _show(play: Table, result: Tally) -> None:
    """The card of the roll, with its odds."""
    scene, targets = result.draft.scene, result.targets

    def side(
        name: str, player: str, kind: str, rolled: Faces, target: int, used: Iterable[str] = ()
    ) -> Side:
        dice = tuple(ShownDie(face, int(face) <= target, "d12", kind) for face in rolled)
        words = f"{sum(die.hit for die in dice)} at {target} or less"
        wins = Verdict.FAVOURABLE if kind == "job" else Verdict.UNFAVOURABLE
        return Side(name, player, dice, tuple(used), words, scene.verdict is wins)

    sides: list[Side] = []
    for id, rolled in result.faces.items():
        spy = play.state.cast[id]
        used = (resource_name(spy, item) for item in scene.used.get(id, ()))
        sides.append(side(id, spy.player, "job", rolled, targets[id], used))
    opposed = result.opposed
    if opposed is not None:
        sides.append(side(OPPOSED, play.runner, "opposition", opposed, OPPOSITION_TARGET))
    odds = ""
    all_shown = all(id in result.faces or not dice for id, dice in result.dice.items())
    if opposed is not None and result.faces and all_shown:
        pairs = ((len(rolled), targets[id]) for id, rolled in result.faces.items())
        odds = told_odds(play, pairs, len(opposed))
    play.step.contest = Contest(
        scene.title,
        tuple(sides),
        score=f"{scene.successes} : {scene.opposed}",
        unit="successes",
        outcome=(str(scene.verdict),),
        odds=odds,
        rule="S12.6",
        verdict=f"{comparison_in_words(scene.successes, scene.opposed)}: {_IN_STORY[scene.verdict]}"
        if scene.verdict in _IN_STORY
        else "",
    )


def _go_on(play: Table, surplus: int) -> None:
    """S13.6, S13.7: another scene, or the end of the Segment."""
    state = play.state
    state.interrupted = None
    if opposition(play) > 0 or state.opposition_unsure:
        state.phase = Phase.NEXT
        return
    state.carried = max(0, surplus)
    close_segment(play)
