"""The interference check and the Handler's token (tracks 10 and 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.dice import D12, Faces, ShownDie
from chronicle.core.field_types import TEXT
from chronicle.core.fix import (
    RemoveItem,
    add_entry,
    choose_reading,
    drop_entry,
    drop_key,
    make_fix,
    mark_gap,
    set_pair,
)
from chronicle.core.guards import Violation, guard, question, report_violation
from chronicle.core.odds import hits_distribution, percent, verdict_odds
from chronicle.core.record import Side, SideBySide, Throw
from chronicle.core.sentences import Sentence
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.slow_burn.interference import (
    draft_of,
    find_reach,
    implicate_first,
    note_targets,
    settle,
    take_rolls,
    try_rolls,
    try_targets,
)
from chronicle.games.slow_burn.keys import (
    ANSWERING,
    CHECKED,
    COUNTED_OF_ALL,
    FRAMED,
    IMPLICATIONS,
    PUSHING,
    ROLLED_FOR,
    TARGETS,
    THROWN,
    instead,
)
from chronicle.games.slow_burn.people import (
    characters,
    gain_dice,
    ids_of,
    is_pool,
    look_up,
    of_others,
)
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    FLEUR,
    FLOW,
    HANDLER_TOKENS,
    INTERFERES,
    POOL,
    Check,
    Kind,
    Phase,
    SceneRecord,
    Spy,
    Table,
    held_pool,
    in_play,
    is_cut,
    persistent_of,
)
from chronicle.games.slow_burn.verdicts import interferes

AGENCY = "Agency"
"""What a log calls the Handler's Agency dice."""
LOW = Fraction(INTERFERES, D12.sides)
"""The chance that one Agency die shows 1 or 2."""


class Thrown(NamedTuple):
    """Persistent Agency dice as an entry has them: whose, the word, the faces (None: not written down), and how many
    are due."""

    spy: Spy
    word: ScalarNode
    faces: Faces | None
    due: int


def chance_of_interference(dice: int) -> Fraction:
    """The chance that a number of Agency dice brings the Agency in."""
    odds = verdict_odds((hits_distribution(dice, LOW),), interferes)
    return odds.get(True, Fraction(0))


def low_dice(faces: Iterable[int]) -> int:
    """How many Agency dice show 1 or 2."""
    return sum(1 for face in faces if face <= INTERFERES)


def told_odds(dice: int) -> str:
    """How likely a number of Agency dice brings the Agency in."""
    return f"{percent(chance_of_interference(dice))} that the Agency interferes"


def holders(play: Table, scene: SceneRecord) -> dict[str, int]:
    """Who has to roll how many own Agency dice in this scene's check (S10.2)."""
    own_scenes = play.ruling("persistent_always") == "own-scenes"
    return {
        spy.id: dice
        for spy in in_play(play)
        if (spy.id in scene.used or not own_scenes)
        and (dice := persistent_of(play, spy.id) + held_pool(play, spy.id))
    }


class RollCheck(Action):
    """Roll all Agency dice before any other: each spy's persistent ones, and the Handler's.

    The same entry can say more: implication rolls and the resource that is targeted.
    """

    verb = "check"
    synonyms = ("agency", "dice", "interference")
    already_shown_kinds = frozenset({"quiet"})
    decides = Decides("everybody")
    moment = Moment(
        FRAMED,
        Refusal(
            "S11.1",
            "no scene has been framed that could be checked",
            fixes=(add_entry("scene: ..."),),
            after=(FLOW,),
        ),
        instead(
            (CHECKED, Refusal("S11.1", "this scene has been checked already", after=(FLOW,))),
            (
                ROLLED_FOR,
                Refusal(
                    "S11.1",
                    "{unchecked}",
                    after=(FLOW,),
                ),
            ),
            (
                ANSWERING,
                Refusal(
                    "S15.8", "no Agency dice are rolled in a mini segment", fixes=(drop_entry(),)
                ),
            ),
            (
                PUSHING,
                Refusal(
                    "S17.7", "no Agency dice are rolled in a mini segment", fixes=(drop_entry(),)
                ),
            ),
        ),
        void=True,
    )
    offered = Offered("S11.1", "roll all Agency dice")
    example = "check: {Wren: 9, Magpie: [5, 11], Agency: [4, 8, 11]}"
    dice = main(THROWN, "{spy: faces, Agency: faces}; unrecorded, for one or for all", default=None)
    implicate = option(IMPLICATIONS, "implication rolls: {spy: face}; unrecorded")
    target = option(TARGETS, "the resource that the interference targets")
    keep = option(
        COUNTED_OF_ALL,
        "spies who keep the persistent dice that triggered (a ruling)",
        default=(),
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        random, due = Random(len(play.steps)), [*agency_dice_due(play)]
        for _ in range(4):
            yield {"check": {side: random.choices(D12.faces, k=dice) for side, dice in due}}

    def scene(self, play: Table) -> SceneRecord | None:
        """The scene of the Job that is checked, if it can be."""
        scene = play.state.scene
        if scene is None or scene.resolved or scene.kind is not Kind.JOB:
            return None
        return scene

    def all_dice(self, play: Table) -> Mapping[ScalarNode, Faces | None]:
        """The dice of the entry, and of those before it in the same check."""
        scene = self.scene(play)
        earlier = scene.checked if scene is not None else {}
        return {**earlier, **self.dice} if isinstance(self.dice, Mapping) else earlier

    def is_part(self, play: Table) -> bool:
        """Whether other dice of the check are still missing: each can be rolled in an entry of its own."""
        ends = self.implicate is not None or self.target is not None or bool(self.keep)
        if ends or not isinstance(self.dice, Mapping) or not self.dice:
            return False
        return any(True for _ in self.untold(play))

    def untold(self, play: Table) -> Iterator[tuple[str, int]]:
        """The sides whose dice the log has not given, each with the number on record."""
        scene, draft = self.scene(play), self.draft(play)
        if scene is None or draft is None or isinstance(self.dice, str):
            return
        rolled = {thrown.spy.id for thrown in self.thrown(play)}
        unsure = [spy for spy in in_play(play) if spy.unsure]
        due = {**{spy.id: 0 for spy in unsure}, **holders(play, scene)}
        yield from ((id, dice) for id, dice in due.items() if id not in rolled)
        pool = play.balance(POOL, AGENCY_DIE)
        if (pool or play.state.pool_unsure) and not (draft.pool or draft.unknown):
            yield AGENCY, pool

    def missing(self, play: Table) -> Iterator[tuple[str, int]]:
        """S10.2, S10.3: the sides that surely hold dice and have not rolled them."""
        scene = self.scene(play)
        for side, dice in self.untold(play):
            if side != AGENCY:
                if not play.state.cast[side].unsure:
                    yield side, dice
            elif not play.state.pool_unsure:
                yield side, dice
            elif scene is not None and (least := least_pool(play, scene)):
                yield side, least

    def thrown(self, play: Table) -> Iterator[Thrown]:
        """The persistent dice of each spy, as written down, beside those that are due."""
        scene = self.scene(play)
        due = holders(play, scene) if scene is not None else {}
        for word, faces in self.all_dice(play).items():
            spy = None if is_pool(play, word, AGENCY) else look_up(play, word)
            if spy is None:
                continue
            count = due.pop(spy.id, 0)
            if not count and spy.player not in play.present:
                # A table can roll for a player who is away.
                count = persistent_of(play, spy.id) + held_pool(play, spy.id)
            yield Thrown(spy, word, None if faces is None else Faces(faces), count)

    def pool(self, play: Table) -> list[tuple[ScalarNode, Faces | None]]:
        """The Handler's dice, by each name under which they are written down."""
        rolled = self.all_dice(play).items()
        pooled = [(word, faces) for word, faces in rolled if is_pool(play, word, AGENCY)]
        return [(word, None if faces is None else Faces(faces)) for word, faces in pooled]

    def draft(self, play: Table) -> Check | None:
        """The check that this entry makes, before its effects."""
        scene = self.scene(play)
        if scene is None:
            return None
        # Told in parts, it is that of its last part, with any entry that closes it.
        told_at = scene.checked_at if scene.checked and not self.dice else play.step.number
        check = Check(told_at, scene.number, scene.episode, scene.segment, play.step.number)
        # Other dice of a scene that was framed above a gap may have been told in it.
        check.unknown = isinstance(self.dice, str) or is_cut(play, scene)
        for thrown in self.thrown(play):
            if thrown.faces is None:
                check.unknown = True
                continue
            check.faces[thrown.spy.id] = thrown.faces.numbers
            if interferes(low_dice(thrown.faces.numbers)):
                check.own.append(thrown.spy.id)
        for _, faces in self.pool(play)[:1]:
            if faces is None:
                check.unknown = True
            else:
                check.pool = faces.numbers
                check.by_pool = interferes(low_dice(check.pool))
        return check

    def draft_after_rolls(self, play: Table) -> tuple[Check | None, list[Violation]]:
        """The same once it is known whom the Agency has; and what is wrong with the rolls for that."""
        check = self.draft(play)
        if check is not None and check.triggered:
            find_reach(play, check)
            check.implicated = [*check.automatic]
        wrong = try_rolls(play, check, self.implicate or None) if check is not None else ()
        return check, [*wrong]

    def sentence(self, play: Table) -> Sentence:
        return ("Interference check.",)

    @guard("S10.3")
    def pool_is_rolled_once(self, play: Table) -> Iterator[Violation]:
        for word, _ in self.pool(play)[1:] if self.scene(play) is not None else ():
            yield Violation("the Agency's dice are rolled twice in this check", word)

    @guard("S10.2")
    def all_own_dice_are_rolled(self, play: Table) -> Iterator[Violation]:
        if self.scene(play) is None:
            return
        for thrown in self.thrown(play):
            is_here = isinstance(self.dice, Mapping) and thrown.word in self.dice
            if is_here and thrown.faces is not None and len(thrown.faces) != thrown.due:
                yield _other_number(play, thrown)

    @guard("S10.2")
    def everybody_rolls_their_own(self, play: Table) -> Iterator[Violation]:
        words = self.dice if isinstance(self.dice, Mapping) else ()
        yield from of_others(play, self, words, AGENCY, ("S10.2", "S10.3"))

    @guard("S10.2", at="main")
    def nobody_is_left_out(self, play: Table) -> Iterator[Violation]:
        for side, dice in self.missing(play) if not self.is_part(play) else ():
            if side != AGENCY:
                yield _not_rolled(play, side, dice)._replace(fix=set_pair("check", side))

    @guard("S10.2")
    def each_rolls_once(self, play: Table) -> Iterator[Violation]:
        scene = self.scene(play)
        earlier = scene.checked if scene is not None else {}
        before = [look_up(play, word) for word in earlier if not is_pool(play, word, AGENCY)]
        for word in self.dice if isinstance(self.dice, Mapping) else ():
            is_agency = is_pool(play, word, AGENCY)
            spy = None if is_agency else look_up(play, word)
            if is_agency and any(is_pool(play, one, AGENCY) for one in earlier):
                message, rule = "the Agency has rolled in this check", "S10.3"
            elif spy is not None and spy in before:
                message, rule = f"{spy.id} has rolled in this check", "S10.2"
            else:
                continue
            yield Violation(message, word, help="leave these dice out", rule=rule)

    @guard("S10.3")
    def whole_pool_is_rolled(self, play: Table) -> Iterator[Violation]:
        scene = self.scene(play)
        draft = self.draft(play)
        if scene is None or draft is None:
            return
        expected = play.balance(POOL, AGENCY_DIE)
        for word, faces in self.pool(play)[:1]:
            if faces is not None and len(faces) != expected:
                yield from _other_pool(play, scene, word, len(faces))
        missing = dict(self.missing(play)) if not self.is_part(play) else {}
        if AGENCY in missing:
            yield _not_rolled(play, AGENCY, missing[AGENCY])._replace(
                at="main", fix=set_pair("check", AGENCY)
            )

    @guard("S2.7b", at="keep")
    def dice_that_succeeded_leave(self, play: Table) -> Iterator[Violation]:
        draft = self.draft(play)
        for id in ids_of(play, self.keep) if draft is not None else ():
            assert draft is not None
            if id not in draft.own:
                if not draft.unknown:
                    yield Violation(
                        f"{id}'s persistent dice have not brought the Agency in; they stay without a word",
                        fix=make_fix(RemoveItem(id, key="keep")),
                    )
            elif play.ruling("persistent_leave") != "may-be-kept":
                yield Violation(
                    f"{id} keeps persistent dice that brought the Agency in; they leave play",
                    fix=[drop_key("keep"), choose_reading("persistent_leave", "may-be-kept")],
                )

    @guard("S14.5")
    def implication_rolls_are_due(self, play: Table) -> Iterator[Violation]:
        yield from self.draft_after_rolls(play)[1]

    @guard("S14.7a")
    def target_is_at_stake(self, play: Table) -> Iterator[Violation]:
        yield from try_targets(play, self.draft_after_rolls(play)[0], self.target)

    def apply(self, play: Table) -> None:
        scene = self.scene(play)
        if scene is None:
            return
        self.note_throws(play)
        if self.is_part(play):
            scene.checked, scene.checked_at = {**self.all_dice(play)}, play.step.number
            play.event("Others have still to roll", "S11.1", "rolls")
            return
        self.finish(play, scene)

    def note_throws(self, play: Table) -> None:
        """The faces that fell in this entry, each with the player who threw them."""
        has_pool = False
        for word, faces in self.dice.items() if isinstance(self.dice, Mapping) else ():
            is_agency = is_pool(play, word, AGENCY)
            spy = None if is_agency else look_up(play, word)
            if faces is not None and (spy is not None or (is_agency and not has_pool)):
                player = play.runner if spy is None else spy.player
                throw = Throw("d12", tuple(map(str, Faces(faces).numbers)), player)
                play.step.throws.append(throw)
            has_pool = has_pool or is_agency

    def finish(self, play: Table, scene: SceneRecord) -> None:
        """Resolve the check, once the log has all its dice."""
        state, check = play.state, self.draft(play)
        if check is None:
            return
        state.check = check
        state.checks.append(check)
        scene.check = check.step
        self.count_dice(play, scene)
        self.show(play, check)
        _consequences(play, check, [spy.id for spy in characters(play, self.keep)])
        if self.implicate:
            take_rolls(play, self.implicate)
        note_targets(play, self.target)
        settle(play)
        scene.checked = {}

    def count_dice(self, play: Table, scene: SceneRecord) -> None:
        """What the table rolled is what it had."""
        state = play.state
        if isinstance(self.dice, str):
            for id in holders(play, scene):
                state.cast[id].unsure = True
            _forget_pool(play)
        for thrown in [*self.thrown(play)]:
            if thrown.faces is None:
                # It is unknown whether they brought the Agency in, and left play.
                thrown.spy.unsure = True
            else:
                _count_own(play, thrown)
        for _, faces in self.pool(play)[:1]:
            if faces is None:
                _forget_pool(play)
                continue
            expected, rolled = play.balance(POOL, AGENCY_DIE), len(faces)
            unsure = state.pool_unsure or is_cut(play, scene) or not scene.use_known
            if rolled != expected and (unsure or rolled > expected):
                play.adjust(POOL, str(rolled), AGENCY_DIE, "S10.3")
            if unsure:
                state.pool_unsure = False

    def show(self, play: Table, check: Check) -> None:
        """The card of the check, with its odds."""
        sides: list[Side] = []
        for word in self.all_dice(play):
            spy = None if is_pool(play, word, AGENCY) else look_up(play, word)
            if spy is not None and spy.id in check.faces:
                faces = check.faces[spy.id]
                sides.append(_side(spy.id, spy.player, faces, ("persistent dice",)))
            elif spy is None and check.pool and not any(side.name == AGENCY for side in sides):
                sides.append(_side(AGENCY, play.runner, check.pool, ("the Handler's dice",)))
        total = len(check.pool) + sum(len(faces) for faces in check.faces.values())
        check.chance = percent(chance_of_interference(total))
        play.step.contest = SideBySide(
            "Interference check",
            tuple(sides),
            unit="1 or 2 brings the Agency in",
            odds=told_odds(total),
            rule="S11.2",
            verdict="the dice bring the Agency in" if any(side.won for side in sides) else "",
        )


def least_pool(play: Table, scene: SceneRecord) -> int:
    """S9.5b, S9.6: how many Agency dice of this Segment the record proves where a gap hides the others: those that
    scenes of the Job below it have brought, since they brought the Agency in last."""
    state, dice = play.state, 0
    segment = state.segment
    if segment is None or play.ruling("refund") == "yes":
        return 0
    leaving = {check.scene for check in state.checks if check.by_pool or check.unknown}
    for number in reversed(segment.scenes):
        earlier = state.scenes[number - 1]
        is_over = is_cut(play, earlier) or number in leaving or not earlier.goes_on
        if earlier is not scene and is_over:
            break
        open_ones = (id for id in earlier.earned if not earlier.is_use_known(id))
        dice += sum(earlier.earned.values()) - sum(earlier.earned[id] for id in open_ones)
    return 0 if is_cut(play, scene) else dice


def agency_dice_due(play: Table) -> Iterator[tuple[str, int]]:
    """S10.2, S10.3: the Agency dice of each side that have not been rolled in the check of this scene."""
    check = RollCheck()
    check.dice = {}
    yield from ((side, dice) for side, dice in check.untold(play) if dice)


def close_check(play: Table) -> None:
    """S10.2, S10.3: report the Agency dice that the log leaves out, and resolve the check without them."""
    scene = play.state.scene
    if scene is None or not scene.checked or scene.resolved:
        return
    check = RollCheck()
    check.dice = {}
    for side, dice in [*check.missing(play)]:
        violation = _not_rolled(play, side, dice)
        report_violation(play, violation._replace(fix=add_entry(f"check: {{{side}: ...}}")))
    check.finish(play, scene)


def _not_rolled(play: Table, side: str, dice: int) -> Violation:
    """S10.2, S10.3: that Agency dice are not rolled."""
    if side == AGENCY:
        return Violation(
            f"the Agency holds {plural(dice, 'die', 'dice')} in this Segment, and none is rolled",
            after=["agency:", FLOW],
            rule="S10.3",
        )
    spy = play.state.cast[side]
    forgot = spy.dice_rule in ("S14.7c", "S16.2") and spy.dice_before == 0
    return Violation(
        f"{side} has {plural(dice, 'persistent Agency die', 'persistent Agency dice')}, "
        f"and {'it is' if dice == 1 else 'they are'} not rolled",
        facts=play.facts(_last_dice_entry(play, spy), "on the sheet since here"),
        after=[f"persistent:{side}", FLOW],
        rule=spy.dice_rule if forgot else "S10.2",
    )


def _other_number(play: Table, thrown: Thrown) -> Violation:
    """S10.2: that a spy rolls another number of persistent dice than there are."""
    spy, rolled, due = thrown.spy, len(thrown.faces or ()), thrown.due
    key = f"persistent:{spy.id}"
    if spy.unsure:
        return Violation(
            f"{spy.id} rolls {plural(rolled, 'persistent die', 'persistent dice')}; "
            f"before the hole in the record it was {due}",
            thrown.word,
            after=[key, FLOW],
            kind=DiagnosticKind.UNKNOWN,
        )
    return Violation(
        f"{spy.id} has {plural(due, 'persistent Agency die', 'persistent Agency dice')} "
        f"and rolls {rolled}",
        thrown.word,
        facts=play.facts(_last_dice_entry(play, spy), "changed last here"),
        after=[key, FLOW],
        help="all of them are rolled in every scene of the Job",
        doubts=[key],
        rule=_forgotten_rule(spy, rolled),
    )


def _forgotten_rule(spy: Spy, rolled: int) -> str:
    """The rule that had the last word about a spy's dice, if they are as they were before; else S10.2."""
    forgot = spy.dice_rule in ("S2.7b", "S14.7c", "S16.2") and rolled == spy.dice_before
    return spy.dice_rule if forgot else "S10.2"


def _forget_pool(play: Table) -> None:
    """Nobody knows whether the Handler's dice brought the Agency in, and left: there are at most as many as before."""
    state = play.state
    if play.balance(POOL, AGENCY_DIE) and not state.pool_unsure:
        state.pool_unsure = state.pool_capped = True


def _count_own(play: Table, thrown: Thrown) -> None:
    spy, rolled = thrown.spy, len(thrown.faces or ())
    key = f"persistent:{spy.id}"
    if rolled == thrown.due:
        spy.unsure = False
        play.settle(key)
    elif spy.unsure:
        play.adjust(key, str(rolled), AGENCY_DIE, "S10.2")
        spy.unsure = False
    else:
        rule = _forgotten_rule(spy, rolled)
        if rolled > thrown.due or rule == "S14.7c":
            held = held_pool(play, spy.id)
            play.adjust(key, str(max(0, rolled - held)), AGENCY_DIE, rule)


def _last_dice_entry(play: Table, spy: Spy) -> int:
    last = play.ledger.last(AGENCY_DIE, f"persistent:{spy.id}")
    return last.step_number if last is not None else 0


def _other_pool(
    play: Table, scene: SceneRecord, word: ScalarNode, rolled: int
) -> Iterator[Violation]:
    """S10.3: that the Handler rolls another number of dice than this Segment has brought."""
    state, segment = play.state, play.state.segment
    expected = play.balance(POOL, AGENCY_DIE)
    if state.pool_unsure:
        if state.pool_capped and scene.use_known and rolled > expected:
            yield Violation(
                f"the Agency holds at most {plural(expected, 'die', 'dice')} in this Segment, not {rolled}",
                word,
                facts=[play.because(scene.step, "this scene was framed here")],
                doubts=["agency:"],
                is_certain=True,
                rule="S10.3",
            )
        least = least_pool(play, scene)
        if rolled < least:
            yield Violation(
                f"the Agency holds at least {plural(least, 'die', 'dice')} in this Segment, not {rolled}",
                word,
                facts=[play.because(scene.step, "this scene was framed here")],
                doubts=["agency:"],
                rule="S10.3",
            )
        return
    if is_cut(play, scene) or not scene.use_known:
        yield Violation(
            "the log does not say which resources went into this scene",
            help="use: {spy: [resources]}",
            after=[FLOW],
            rule="S9.4",
            kind=DiagnosticKind.UNKNOWN,
        )
        return
    stale = rolled - expected == state.last_pool > 0
    yield Violation(
        f"the Agency holds {plural(expected, 'die', 'dice')} in this Segment, not {rolled}"
        + (f"; the {state.last_pool} of the Segment before are gone with it" if stale else ""),
        word,
        facts=[play.because(segment.step, "this Segment began here")] if segment else [],
        since=scene.step if state.hole else None,
        help=f"write {plural(expected, 'number')} for the Agency"
        if expected
        else "leave the Agency out",
        after=["agency:", FLOW],
        doubts=["agency:", "opposition:"],
        rule="S9.6" if stale else "S10.3",
    )


def _consequences(play: Table, check: Check, keepers: Sequence[str]) -> None:
    """S2.7b, S9.6: dice that brought the Agency in leave play. Then it is asked who is implicated."""
    state = play.state
    for id in check.own:
        _own_dice_leave(play, check, state.cast[id], id in keepers)
    if check.by_pool:
        leaving = {
            "whole-pool": play.balance(POOL, AGENCY_DIE),
            "successes": sum(1 for face in check.pool if face <= INTERFERES),
            "stay": 0,
        }[play.ruling("handler_dice_leave")]
        play.move(POOL, BOX, leaving, AGENCY_DIE, "S9.6", "they brought the Agency in")
    if not check.triggered:
        state.phase = Phase.READY
        if not check.unknown:
            play.event("The Agency keeps quiet", "S11.5", "quiet")
        return
    play.event(f"The Agency interferes, through {check.how()}", "S11.2", "interferes")
    implicate_first(play, check)


def _own_dice_leave(play: Table, check: Check, spy: Spy, keep: bool) -> None:
    faces = check.faces[spy.id]
    persistent = persistent_of(play, spy.id)
    held = held_pool(play, spy.id)
    if held and any(face <= INTERFERES for face in faces[persistent:]):
        play.move(f"agency:{spy.id}", BOX, held, AGENCY_DIE, "S9.6", "they brought the Agency in")
    if not any(face <= INTERFERES for face in faces[:persistent]):
        return
    if keep:
        check.kept.append(spy.id)
        return
    if play.ruling("ignore_order") == "gain-first":
        check.deferred.append(spy.id)
        return
    gain_dice(play, spy, -persistent, "S2.7b", "they brought the Agency in")
    play.event(f"{spy.id}'s persistent Agency dice leave play", "S2.7b", "dice leave", spy.id)


# --- a token --------------------------------------------------------------------------------------


class SpendToken(Action):
    """The Handler spends a Fleur-de-Lis token: the Agency interferes although no die said so."""

    verb = "spend token"
    synonyms = ("interfere", "token", "spend")
    decides = Decides("handler", "S3.1")
    moment = Moment(
        (*FRAMED, *CHECKED),
        Refusal(
            "S11.3",
            "a token is spent in a scene's interference check",
            fixes=(add_entry("scene: ..."),),
            after=(FLOW,),
        ),
        instead(
            (
                (Phase.SETUP,),
                Refusal("S3.4", "the Handler's tokens are for the Job; it has not begun"),
            ),
            (
                ANSWERING,
                Refusal(
                    "S15.4",
                    "no token is spent in a mini segment; it has no interference check",
                    fixes=(drop_entry(),),
                ),
            ),
            (
                PUSHING,
                Refusal(
                    "S17.4",
                    "no token is spent in a mini segment; it has no interference check",
                    fixes=(drop_entry(),),
                ),
            ),
        ),
        void=True,
    )
    offered = Offered("S11.3", "spend a Fleur-de-Lis token", price=(1, FLEUR))
    example = "spend token:\n  implicate: {Ada: 12, Ben: 5}"
    words = main(TEXT, "what it looks like in the story", default=None, text_role=TextRole.SENTENCE)
    implicate = option(IMPLICATIONS, "implication rolls: {spy: face}; unrecorded")
    target = option(TARGETS, "the resource that the interference targets")

    def scene(self, play: Table) -> SceneRecord | None:
        """The scene of the Job in which it is spent."""
        scene = play.state.scene
        return scene if scene is not None and scene.kind is Kind.JOB else None

    def draft(self, play: Table) -> Check | None:
        """The check once the token is spent, before its effects."""
        scene = self.scene(play)
        if scene is None:
            return None
        check = draft_of(play.state.check)
        if check is None:
            check = Check(play.step.number, scene.number, scene.episode, scene.segment)
        late, check.token = check.triggered, play.step.number
        if not late:
            find_reach(play, check)
            check.implicated += [id for id in check.automatic if id not in check.implicated]
        return check

    def draft_after_rolls(self, play: Table) -> tuple[Check | None, list[Violation]]:
        """The same once it is known whom the Agency has; and what is wrong with the rolls for that."""
        check = self.draft(play)
        rolls, earlier = self.implicate or None, play.state.check
        if isinstance(rolls, Mapping) and earlier is not None and earlier.triggered:
            # What is wrong is the token, not that they roll again for it.
            spies = {word: look_up(play, word) for word in rolls}
            rolls = {
                word: faces
                for word, faces in rolls.items()
                if (spy := spies[word]) is None or spy.id not in earlier.rolls
            }
        wrong = try_rolls(play, check, rolls) if check is not None else ()
        return check, [*wrong]

    def sentence(self, play: Table) -> Sentence:
        return ("A Fleur-de-Lis token.",)

    @guard("S11.3")
    def token_is_left(self, play: Table) -> Violation | None:
        if self.scene(play) is None or play.balance(HANDLER_TOKENS, FLEUR) >= 1:
            return None
        return Violation(
            "the Handler has no Fleur-de-Lis token left",
            fix=mark_gap(),
            state_kind="purses",
            after=[HANDLER_TOKENS],
        )

    @guard("S11.3")
    def no_job_dice_are_rolled(self, play: Table) -> Violation | None:
        scene = self.scene(play)
        if scene is None or not scene.rolled or scene.resolved:
            return None
        return Violation(
            "a token is spent in the interference check, before any Job or Opposition die is rolled",
            facts=[play.because(scene.step, "the scene was framed here")],
            help="move it above the roll",
        )

    @guard("S11.1")
    def dice_come_first(self, play: Table) -> Violation | None:
        state, scene = play.state, self.scene(play)
        if scene is None or state.check is not None or state.hole or state.pool_unsure:
            return None
        dice = sum(holders(play, scene).values()) + play.balance(POOL, AGENCY_DIE)
        if not dice:
            return None
        return Violation(
            f"{plural(dice, 'Agency die has', 'Agency dice have')} not been rolled; "
            "the token comes after the dice",
            fix=add_entry("check: ..."),
        )

    @question("S11.3")
    def no_die_did(self, play: Table) -> Violation | None:
        check = play.state.check
        if self.scene(play) is None or check is None or not check.triggered:
            return None
        if play.ruling("token_redundant") != "suspect":
            return None
        return Violation(
            "a token is spent although dice have brought the Agency in already"
            if check.own or check.by_pool
            else "a second token is spent in this scene; the first has brought the Agency in already",
            facts=[play.because(check.step, "the check")],
        )

    @guard("S14.5")
    def implication_rolls_are_due(self, play: Table) -> Iterator[Violation]:
        yield from self.draft_after_rolls(play)[1]

    @guard("S14.7a")
    def target_is_at_stake(self, play: Table) -> Iterator[Violation]:
        yield from try_targets(play, self.draft_after_rolls(play)[0], self.target)

    def apply(self, play: Table) -> None:
        state, scene = play.state, self.scene(play)
        play.step.tell(self.words or None)
        if scene is None:
            return
        play.spend(HANDLER_TOKENS, "spent tokens", 1, FLEUR, "S11.3", "to bring the Agency in")
        check = state.check
        if check is None:
            check = Check(
                play.step.number, scene.number, scene.episode, scene.segment, play.step.number
            )
            check.chance = percent(chance_of_interference(0))
            scene.check = play.step.number
            state.check = check
            state.checks.append(check)
        late, check.token = check.triggered, play.step.number
        if late:
            play.taint("agency:")
        else:
            implicate_first(play, check)
        tokens_left = play.balance(HANDLER_TOKENS, FLEUR)
        play.event(f"The Handler spends a token; {tokens_left} left", "S11.3", "token spent")
        if self.implicate:
            take_rolls(play, self.implicate)
        note_targets(play, self.target)
        settle(play)


def _side(name: str, player: str, faces: Iterable[int], sources: tuple[str, ...]) -> Side:
    dice = tuple(ShownDie(str(face), face <= INTERFERES, "d12", "agency") for face in faces)
    hit = interferes(sum(die.hit for die in dice))
    return Side(name, player, dice, sources, "interferes" if hit else "quiet", hit)
