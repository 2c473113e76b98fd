"""The two mini segments: answering the Agency, and pushing for freedom (tracks 15 and 17)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAMES, TEXT, in_role
from chronicle.core.fix import set_key, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.ranges import UNKNOWN
from chronicle.core.sentences import Sentence, said
from chronicle.games.slow_burn import interference, people, segments
from chronicle.games.slow_burn.framing import (
    Draft,
    Framing,
    end_unrolled,
    frame_in_mini,
    mini_scene,
    possible_scenes,
    take_dice,
)
from chronicle.games.slow_burn.keys import TARGETS
from chronicle.games.slow_burn.people import ids_of, look_up
from chronicle.games.slow_burn.retirement import set_free
from chronicle.games.slow_burn.state import (
    BOX,
    FLOW,
    JOB_DIE,
    LAID,
    LAST_SPACE,
    MINI_OPPOSITION,
    MINI_SCENES,
    OPPOSITION,
    OPPOSITION_DIE,
    PUSHING,
    ROAD,
    SCENE_TOKEN,
    SPACE,
    Check,
    Ignored,
    Kind,
    Mini,
    Phase,
    Spy,
    Table,
    Verdict,
    drifting,
    entry_before_gap,
    in_play,
    is_behind,
    is_cut,
    is_reduction_unsure,
    path_of,
    persistent_of,
)

FREE_TO_ANSWER = (
    Phase.OPENING,
    Phase.NEXT,
    Phase.SEGMENT_OVER,
    Phase.BETWEEN,
    Phase.SETUP,
    Phase.JOB_OVER,
)


def draft_mini(play: Table, kind: Kind, spies: Iterable[str]) -> Mini:
    """A mini segment that begins with this entry, before any effect."""
    state = play.state
    segment, episode = state.segment, state.episode
    spies = [*spies]
    return Mini(
        len(state.minis) + 1,
        kind,
        episode.number if episode else 1,
        segment.number if segment else 1,
        play.step.number,
        spies,
        start=len(spies),
        left=len(spies),
    )


def push_due(play: Table, named: list[str]) -> Mini:
    """The push segment of those who are named, else of those who declared a push and have not played it."""
    mini = draft_mini(play, Kind.PUSH, named or play.state.unplayed())
    mini.is_open = play.state.hole and not named
    mini.responders = [*mini.spies]
    return mini


# --- answering the Agency -------------------------------------------------------------------------


class Answer(Framing):
    """Respond to an interference, now or later: an Interference Segment begins.

    The same entry can frame its first scene. The Handler speaks the first monologue.
    """

    verb = "answer"
    synonyms = ("respond",)
    decides = Decides("player", "S14.8")
    offered = Offered("S14.8", "respond to the Agency: an Interference Segment")
    example = "answer: Magpie\n  scene: Tia Rosa's kitchen\n  use: {Magpie: all}"
    spies = main(in_role("chooses", NAMES), "the spies who respond")
    scene = option(TEXT, "the place of the first scene", is_place=True)
    target = option(TARGETS, "the resource that the interference targets")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        late = [spy.id for spy in in_play(play) if play.state.open_ignored(spy.id)]
        for id in dict.fromkeys((*interference.next_to_choose(play), *late)):
            yield {"answer": id}
            yield {"answer": id, "scene": "A back room", "use": {id: "all"}}

    def opens_scene(self) -> bool:
        return self.scene is not None or self.frames

    def late(self, play: Table) -> list[tuple[Spy, Ignored]]:
        """The spies who answer an interference that they had ignored, each with that."""
        check = play.state.check
        late: list[tuple[Spy, Ignored]] = []
        for id in ids_of(play, self.spies):
            ignored = play.state.open_ignored(id)
            chooses = check is not None and id in check.implicated and id not in check.choices
            spy = play.state.cast[id]
            if ignored and not chooses:
                late.append((spy, self.meant(play, spy, ignored) or ignored[0]))
            elif not ignored and self.ignored_in_gap(play, spy):
                late.append((spy, Ignored(id, (), 0, 0, 0, entry_before_gap(play))))
        return late

    def ignored_in_gap(self, play: Table, spy: Spy) -> bool:
        """Whether a spy can only answer an interference that came, and was ignored, in a gap."""
        state = play.state
        if not is_reduction_unsure(play, spy.id):
            return False
        if play.ruling("late_response_when") == "next-interference":
            check = state.check
            is_meant = check is None or spy.id in (*check.implicated, *check.waiting)
            return state.phase is Phase.TRIGGERED and not is_meant
        can_be_new = is_behind(play, state.check) or (
            state.scene is not None and not state.scene.resolved
        )
        return not can_be_new and state.phase in FREE_TO_ANSWER

    def meant(self, play: Table, spy: Spy, ignored: list[Ignored]) -> Ignored | None:
        """The ignored interference whose target is named."""
        for word in self.target if isinstance(self.target, tuple) else ():
            id = people.resource(play, spy, word)
            for item in ignored:
                if id in item.resources:
                    return item
        return None

    def tried(self, play: Table) -> tuple[list[Spy], Check | None, list[Violation]]:
        """The spies who respond now, with the draft of the check; and what is wrong with that."""
        late = [spy for spy, _ in self.late(play)]
        draft, wrong = interference.draft_of(play.state.check), []
        responders: list[Spy] = []
        for word in self.spies:
            spy = look_up(play, word)
            if spy is None or spy in late or spy in responders:
                continue
            draft, broken = interference.try_to_draw_in(play, draft, spy, word)
            wrong += [violation._replace(at="main") for violation in broken]
            if draft is None:
                continue
            disorder = interference.out_of_order(play, draft, spy)
            chosen = interference.has_chosen(play, draft, spy)
            wrong += [disorder._replace(at="main")] if disorder is not None else []
            wrong += [chosen] if chosen is not None else []
            if chosen is None:
                responders.append(spy)
        return responders, draft, wrong

    def mini(self, play: Table) -> Mini | None:
        """The Interference Segment once these have responded; None if nobody does."""
        responders, check, _ = self.tried(play)
        late, mini = self.late(play), play.state.mini
        if mini is not None:
            mini = replace(mini, spies=[*mini.spies], responders=[*mini.responders])
        if responders and check is not None:
            mini = mini or draft_mini(play, Kind.INTERFERENCE, ())
            mini.spies = [*dict.fromkeys([*mini.spies, *check.implicated])]
            mini.is_open = check.unknown
            mini.responders += [spy.id for spy in responders]
            all_count = play.ruling("interference_opposition") == "all-implicated"
            mini.start = mini.left = len(check.implicated if all_count else mini.responders)
        for spy, _ in late:
            if mini is None:
                mini = draft_mini(play, Kind.INTERFERENCE, [])
                mini.late = True
            if spy.id not in mini.spies:
                mini.spies.append(spy.id)
            mini.responders.append(spy.id)
        if late and mini is not None and mini.late:
            mini.start = mini.left = len(mini.responders)
        return mini

    def draft(self, play: Table) -> Draft | None:
        mini = self.mini(play)
        if mini is None:
            return None
        draft = mini_scene(play, mini, self.scene if self.scene is not None else "The Agency")
        draft.answered = [ignored for _, ignored in self.late(play)]
        if self.needs_segment(play) and segments.begins_afresh(play):
            draft.is_known, draft.has_hole = True, False
        return draft

    def sentence(self, play: Table) -> Sentence:
        ids = ids_of(play, self.spies)
        return said(f"{{}} {'answer' if len(ids) > 1 else 'answers'} the Agency.", ids or UNKNOWN)

    @guard("S14.7a", at="target")
    def target_was_lost(self, play: Table) -> Iterator[Violation]:
        for spy, _ in self.late(play) if isinstance(self.target, tuple) else ():
            if is_reduction_unsure(play, spy.id):
                continue
            ignored = play.state.open_ignored(spy.id)
            lost = [people.resource_name(spy, id) for item in ignored for id in item.resources]
            if lost and self.meant(play, spy, ignored) is None:
                assert isinstance(self.target, tuple)
                yield Violation(
                    f"{listed(map(str, self.target))} is not what {spy.id} lost to the Agency; that is "
                    f"{listed(lost, 'or')}",
                    fix=[set_key("target", name) for name in lost],
                )

    @guard("SA21", at="main")
    def late_answer_has_its_moment(self, play: Table) -> Violation | None:
        state, late = play.state, [spy.id for spy, _ in self.late(play)]
        if not late or state.hole:
            return None
        if play.ruling("late_response_when") == "next-interference":
            if state.phase is Phase.TRIGGERED:
                return None
            return Violation(
                f"{listed(late)} may answer when the Agency interferes again, not before",
                after=[FLOW],
            )
        if state.phase in FREE_TO_ANSWER:
            return None
        return Violation(
            f"{listed(late)} may answer before a scene of the Job is framed, not in the middle of one",
            facts=[play.because(state.scene.step, "framed here")] if state.scene else [],
            help="write it above the scene",
            after=[FLOW],
        )

    @guard("S8.3", at="main")
    def segment_can_begin(self, play: Table) -> Iterator[Violation]:
        if self.needs_segment(play):
            yield from segments.before_segment(play)

    def needs_segment(self, play: Table) -> bool:
        """Whether a Segment has to be open for this answer."""
        return bool(self.late(play)) and play.ruling("late_response_when") != "next-interference"

    @guard("S14.5")
    def they_are_implicated(self, play: Table) -> Iterator[Violation]:
        yield from self.tried(play)[2]

    @guard("S14.7a")
    def target_is_at_stake(self, play: Table) -> Iterator[Violation]:
        responders, check, _ = self.tried(play)
        if responders:
            yield from interference.try_targets(play, check, self.target)

    def apply(self, play: Table) -> None:
        late = self.late(play)
        if self.needs_segment(play):
            segments.begin_next_segment(play)
        late_spies = [spy for spy, _ in late]
        responders = [
            spy
            for spy in people.characters(play, self.spies)
            if spy not in late_spies and interference.respond(play, spy)
        ]
        if responders:
            _begin_now(play, responders)
        if late:
            _begin_late(play, late)
        if responders:
            interference.note_targets(play, self.target)
        mini = play.state.mini
        if mini is None:
            return
        draft = mini_scene(play, mini, self.scene if self.scene is not None else "The Agency")
        take_dice(play, draft, self.opposition)
        if self.opens_scene():
            frame_in_mini(play, self, draft)


def _begin_now(play: Table, spies: list[Spy]) -> None:
    state = play.state
    check = state.check
    if check is None:
        return
    mini = state.mini
    if mini is None:
        mini = _begin(play, draft_mini(play, Kind.INTERFERENCE, check.implicated))
        state.interrupted = state.scene
        mini.check = check.step
        check.mini = mini.number
    mini.spies = [*dict.fromkeys([*mini.spies, *check.implicated])]
    mini.is_open = check.unknown
    mini.responders.extend(spy.id for spy in spies)
    reading = play.ruling("interference_opposition")
    count = len(check.implicated) if reading == "all-implicated" else len(mini.responders)
    _set_start(play, mini, count, "S15.3")


def _begin_late(play: Table, late: list[tuple[Spy, Ignored]]) -> None:
    state = play.state
    mini = state.mini
    if mini is None:
        mini = _begin(play, draft_mini(play, Kind.INTERFERENCE, [spy.id for spy, _ in late]))
        mini.late = True
        if state.scene is not None and not state.scene.resolved:
            state.interrupted = state.scene
    for spy, ignored in late:
        if spy.id not in mini.spies:
            mini.spies.append(spy.id)
        mini.responders.append(spy.id)
        if ignored not in state.ignoring:
            state.ignored.append(ignored)
            state.ignoring.append(ignored)
            spy.unsure = spy.unsure or play.ruling("ignore_dice").startswith("leave")
        ignored.answered = play.step.number
        if play.ruling("penalty_ends") == "decision":
            _penalty_over(play, ignored)
        if play.ruling("ignore_dice").startswith("leave"):
            gone = min(ignored.dice, persistent_of(play, spy.id))
            people.gain_dice(play, spy, -gone, "SA19", "the Agency was answered")
        play.event(f"{spy.id} responds to the Agency after all", "S14.8", "answers", spy.id)
    if mini.late:
        _set_start(play, mini, len(mini.responders), "S15.3")


def _penalty_over(play: Table, ignored: Ignored) -> None:
    ignored.closed = play.step.number
    play.state.ignoring.remove(ignored)
    play.event(
        f"{ignored.spy} has the resource back, and the target number is whole again",
        "S14.7a",
        "penalty over",
        ignored.spy,
    )


def _begin(play: Table, mini: Mini) -> Mini:
    state, kind = play.state, mini.kind
    state.minis.append(mini)
    state.mini = mini
    state.phase = Phase.MINI
    play.event(
        "An Interference Segment begins"
        if kind is Kind.INTERFERENCE
        else f"The push for freedom of {listed(mini.spies) or 'nobody'} begins",
        "S15.1" if kind is Kind.INTERFERENCE else "S17.1",
        "mini",
    )
    return mini


def _set_start(play: Table, mini: Mini, count: int, rule: str) -> None:
    play.move(
        BOX,
        MINI_OPPOSITION,
        count - play.balance(MINI_OPPOSITION, OPPOSITION_DIE),
        OPPOSITION_DIE,
        rule,
        f"one for each of {plural(count, 'spy', 'spies')}",
    )
    mini.start = mini.left = count


# --- pushing for freedom --------------------------------------------------------------------------


class PlayPush(Framing):
    """Play the declared push at the end of the Segment. The same entry can frame its first scene."""

    verb = "play push"
    decides = Decides("pushing")
    offered = Offered("S17.3", "play the declared push for freedom")
    example = "play push:\n  scene: The archive of the blue ministry\n  use: {Wren: all}"
    spies = main(
        in_role("chooses", NAMES), "the spies who push, if it is to be checked", default=()
    )
    scene = option(TEXT, "the place of the first scene", is_place=True)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        due = play.state.unplayed()
        if due:
            yield {"play push": due}
            draft = mini_scene(play, push_due(play, due), "")
            yield from ({"play push": due, **scene} for scene in possible_scenes(play, draft))

    def opens_scene(self) -> bool:
        return self.scene is not None or self.frames

    def mini(self, play: Table) -> Mini:
        """The push segment that begins."""
        return push_due(play, ids_of(play, self.spies))

    def draft(self, play: Table) -> Draft:
        return mini_scene(
            play, self.mini(play), self.scene if self.scene is not None else "The push"
        )

    def sentence(self, play: Table) -> Sentence:
        ids = self.mini(play).spies
        verb = "push" if len(ids) > 1 else "pushes"
        return said(f"{{}} {verb} for freedom.", ids) if ids else ("Nobody pushes for freedom.",)

    def comes_early(self, play: Table) -> bool:
        """Whether the Segment in which the push was declared has dice left."""
        state, segment = play.state, play.state.segment
        if state.phase is Phase.PUSH_DUE or state.hole or play.given or segment is None:
            return False
        return bool(segment.pushes) and not segment.over

    @guard("S16.5", at="main")
    def segment_is_over(self, play: Table) -> Violation | None:
        segment = play.state.segment
        if segment is None or not self.comes_early(play):
            return None
        return Violation(
            f"the push is played at the end of Segment {segment.number}, "
            "when its Opposition dice are gone",
            self.place(),
            facts=[
                play.because(step, f"{id} declared it here") for id, step in segment.pushes.items()
            ],
            after=["opposition:", FLOW],
            doubts=drifting(play),
        )

    @guard("S16.3a", at="main")
    def push_is_declared(self, play: Table) -> Violation | None:
        state, segment = play.state, play.state.segment
        if state.phase is Phase.PUSH_DUE or state.hole or play.given or self.comes_early(play):
            return None
        return Violation(
            "nobody has declared a push in this Segment",
            self.place(),
            facts=[play.because(segment.step, "the Segment began here")] if segment else [],
            help="push: a spy  stands at the beginning of the Segment",
            after=[FLOW],
            doubts=[PUSHING],
        )

    @guard("S17.6")
    def those_who_declared(self, play: Table) -> Iterator[Violation]:
        state, segment, declared = play.state, play.state.segment, play.state.pushing()
        if state.hole or play.given or not declared:
            return
        for id in ids_of(play, self.spies):
            if id not in declared:
                yield Violation(
                    f"{id} has not declared a push in this Segment",
                    facts=[play.because(segment.step, "the Segment began here")] if segment else [],
                    after=[FLOW],
                )

    def apply(self, play: Table) -> None:
        mini = self.mini(play)
        if self.comes_early(play):
            # The log wins: for the table the Segment is over.
            segments.abandon(play)
            play.adjust(OPPOSITION, "0", OPPOSITION_DIE, "S16.5")
            segments.close_segment(play)
        begin_push(play, mini)
        draft = mini_scene(play, mini, self.scene if self.scene is not None else "The push")
        take_dice(play, draft, self.opposition)
        if self.opens_scene():
            frame_in_mini(play, self, draft)


def begin_push(play: Table, mini: Mini) -> None:
    """Begin the push segment of a draft."""
    _begin(play, mini)
    for push in play.state.recent_pushes():
        if push.spy in mini.spies and not push.result and not push.mini:
            push.mini = mini.number
    _set_start(play, mini, len(mini.spies), "S17.3")


# --- scenes of a mini segment ---------------------------------------------------------------------


def reopen(play: Table, mini: Mini) -> None:
    """A mini segment goes on although it has had its three scenes; the table played it."""
    state = play.state
    if state.scene is not None and not state.scene.resolved:
        state.interrupted = state.scene
    state.mini = mini
    state.phase = Phase.MINI
    mini.over = 0
    mini.verdict = Verdict.UNKNOWN
    play.move(BOX, MINI_OPPOSITION, mini.left, OPPOSITION_DIE, "S15.5", "it goes on")
    for push in state.recent_pushes():
        if push.mini == mini.number:
            push.result = ""


def end_of_mini(
    play: Table, draft: Draft, dice_left: int, stated: Verdict | None, *, break_off: bool
) -> Iterator[Violation]:
    """S15.10, S17.9, S17.10: what is wrong with the end of a mini segment after a roll."""
    mini, number = draft.mini, draft.scene.mini_scene
    if mini is None:
        return
    won, lost = ("S17.9", "S17.10") if mini.kind is Kind.PUSH else ("S15.10a", "S15.10b")
    left = plural(dice_left, "Opposition die", "Opposition dice")
    if break_off and dice_left and number < MINI_SCENES and play.ruling("mini_abort") != "yes":
        yield Violation(
            f"it is broken off after scene {number} with {left} left; only their end or scene "
            f"{MINI_SCENES} ends it",
            "break off",
            rule=lost,
        )
    if stated is None or mini.is_open:
        return
    if not _ends(draft, dice_left, break_off=break_off):
        yield Violation(
            f"{left} left after scene {number}: it is not decided yet",
            after=["opposition:"],
            doubts=[FLOW],
            rule=lost,
        )
        return
    verdict = Verdict.UNFAVOURABLE if dice_left else Verdict.FAVOURABLE
    if stated is not verdict:
        dice = plural(dice_left, "Opposition die is", "Opposition dice are")
        yield Violation(
            f"{dice if dice_left else 'no Opposition die is'} left: it came out {verdict}, not {stated}",
            fix=write_word(verdict),
            facts=[play.because(mini.step, "it began here")],
            rule=lost if dice_left else won,
        )


def _ends(draft: Draft, dice_left: int, *, break_off: bool) -> bool:
    """Whether a mini segment ends with a roll."""
    return dice_left == 0 or draft.scene.mini_scene >= MINI_SCENES or break_off


def after_roll(
    play: Table, draft: Draft, dice_left: int, stated: Verdict | None, *, break_off: bool
) -> None:
    """S15.10, S17.9, S17.10: whether the mini segment is over, and how it went."""
    state, mini = play.state, play.state.mini
    if mini is None:
        return
    mini.left = dice_left
    if not _ends(draft, dice_left, break_off=break_off):
        if is_cut(play, draft.scene):
            # A gap in this scene can hold more of the mini segment, and its end.
            segments.abandon(play)
            return
        state.phase = Phase.MINI
        state.scene = None
        return
    over(play, mini, stated or (Verdict.UNFAVOURABLE if dice_left else Verdict.FAVOURABLE))


def over(play: Table, mini: Mini, verdict: Verdict) -> None:
    """A mini segment came out one way or the other (S15.10, S17.9, S17.10)."""
    mini.verdict = verdict
    mini.over = play.step.number
    rule = "S15.11" if mini.kind is Kind.INTERFERENCE else "S17.11"
    play.empty(MINI_OPPOSITION, BOX, OPPOSITION_DIE, rule)
    play.empty(LAID, BOX, SCENE_TOKEN, rule, "picked up again")
    play.state.mini = None
    if mini.kind is Kind.PUSH:
        _push_over(play, mini, verdict)
    else:
        _interference_over(play, mini, verdict)


def _interference_over(play: Table, mini: Mini, verdict: Verdict) -> None:

    state = play.state
    won = verdict is Verdict.FAVOURABLE
    play.event(
        "The Agency has been dealt with" if won else "It went less than favourably",
        "S15.10a" if won else "S15.10b",
        "mini over",
    )
    if play.ruling("penalty_ends") == "favourable":
        for ignored in list(state.ignoring):
            if ignored.answered and ignored.spy in mini.responders:
                if won:
                    _penalty_over(play, ignored)
                else:
                    ignored.answered = 0
    scene = state.interrupted
    state.interrupted = None
    if scene is None:
        segment = state.segment
        state.scene = None
        state.phase = Phase.NEXT if segment is not None and segment.scenes else Phase.OPENING
        return
    state.scene = scene
    if won and play.ruling("distracted_return") == "yes":
        for id in mini.responders:
            used = scene.distracted_used.get(id, [])
            if id in scene.distracted:
                scene.distracted.remove(id)
                play.move(
                    BOX, f"job dice:{id}", len(used), JOB_DIE, "SA12", "back from the distraction"
                )
    check = next((c for c in reversed(state.checks) if c.step == scene.check), None)
    if mini.late and check is not None and check.triggered and check.undecided():
        state.phase = Phase.TRIGGERED
        return
    if mini.late and not scene.check and not scene.resolved:
        # It came in the middle of a scene that has not been checked.
        state.phase = Phase.FRAMED
        return
    state.phase = Phase.READY
    if play.ruling("resume_at") == "track-13":
        end_unrolled(play, "SA13", "resolved without a roll after the interruption")


def _push_over(play: Table, mini: Mini, verdict: Verdict) -> None:
    state = play.state
    won = verdict is Verdict.FAVOURABLE
    for push in state.recent_pushes():
        if push.mini == mini.number:
            push.result = "won" if won else "lost"
    for id in mini.spies:
        spy = state.cast[id]
        if not spy.is_spy:
            continue
        spy.placed = play.step.number
        spy.path_rule = "S17.9" if won else "S17.10"
        if not won:
            play.event(f"{id} makes no progress", "S17.10", "push lost", id)
            continue
        final_on_ten = play.ruling("final_push") == "on-10"
        if path_of(play, id) >= LAST_SPACE:
            if final_on_ten:
                set_free(play, spy, "S17.12")
            continue
        play.move(ROAD, f"path:{id}", 1, SPACE, "S17.9", "a push that was won")
        play.event(f"{id} steps ahead to space {path_of(play, id)}", "S17.9", "push won", id)
        if path_of(play, id) >= LAST_SPACE and not final_on_ten:
            set_free(play, spy, "S17.12")
    state.scene = None
    segment = state.segment
    if segment is not None and not segment.over and not state.hole:
        # The push came too early; the Segment goes on.
        state.phase = Phase.NEXT if segment.scenes else Phase.OPENING
        return
    segments.close_segment(play)
