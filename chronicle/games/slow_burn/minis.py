"""The two mini segments: answering the Agency, and pushing for freedom (tracks 15 and 17)."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import drop_key, write_word
from chronicle.core.source import Place, ScalarNode
from chronicle.games.slow_burn import interference, people, scenes, segments
from chronicle.games.slow_burn.actions import Answer, OpenScene, PlayPush
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
    Ignored,
    Kind,
    Mini,
    Phase,
    Spy,
    Table,
    Verdict,
    drift,
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


def answer(play: Table, action: Answer) -> None:
    """S14.8, S15.1 to S15.3: a spy who responds, now or late, opens an Interference Segment."""
    state = play.state
    spies = people.characters(play, action.spies)
    play.step.headline = f"{listed(spy.id for spy in spies)} answers the Agency"
    at = action.place("main")
    check = state.check
    responding: list[Spy] = []
    late: list[tuple[Spy, Ignored]] = []
    for spy in spies:
        open_ones = state.open_ignored(spy.id)
        implicated = check is not None and spy.id in check.implicated
        if open_ones and not (implicated and check is not None and spy.id not in check.choices):
            late.append((spy, _which(play, action, spy, open_ones)))
        else:
            responding.append(spy)
    if late:
        _late_moment(play, [spy for spy, _ in late], at)
    responders = [spy for spy in responding if _responds(play, spy, at)]
    if responders:
        _begin_now(play, responders)
    if late:
        _begin_late(play, late)
    if responders:
        interference.take_targets(play, action.target)
    mini = state.mini
    if mini is None:
        return
    _stated_start(play, action.opposition, action.place("opposition"), mini)
    _first_scene(play, action, "The Agency")


def _responds(play: Table, spy: Spy, at: Place) -> bool:
    check = interference.drawn_in(play, spy, at)
    return check is not None and interference.answer_now(play, check, spy, at)


def _which(play: Table, action: Answer, spy: Spy, open_ones: list[Ignored]) -> Ignored:
    """The ignored interference that is answered: by its target, else the oldest."""
    if isinstance(action.target, tuple):
        for word in action.target:
            id = people.resource(play, spy, word)
            for ignored in open_ones:
                if id in ignored.resources:
                    return ignored
        lost = [people.resource_name(spy, id) for ignored in open_ones for id in ignored.resources]
        play.require(
            not lost,
            "S14.7a",
            f"{listed(map(str, action.target))} is not what {spy.id} lost to the Agency; that is "
            f"{listed(lost, 'or')}",
            at="target",
        )
    return open_ones[0]


def _late_moment(play: Table, spies: list[Spy], at: Place) -> None:
    state = play.state
    names = listed(spy.id for spy in spies)
    if play.ruling("late_response_when") == "next-interference":
        play.require(
            state.phase is Phase.TRIGGERED or state.hole,
            "SA21",
            f"{names} may answer when the Agency interferes again, not before",
            at=at,
            after=(FLOW,),
        )
        return
    if state.phase not in FREE_TO_ANSWER:
        play.require(
            state.hole,
            "SA21",
            f"{names} may answer before a scene of the Job is framed, not in the middle of one",
            at=at,
            facts=(play.because(state.scene.step, "framed here"),) if state.scene else (),
            after=(FLOW,),
        )
    segments.ensure_segment(play, at)


def _begin_now(play: Table, spies: list[Spy]) -> None:
    state = play.state
    check = state.check
    if check is None:
        return
    mini = state.mini
    if mini is None:
        mini = _begin(play, Kind.INTERFERENCE, check.implicated)
        state.interrupted = state.scene
        mini.check = check.step
        check.mini = mini.number
    mini.responders.extend(spy.id for spy in spies)
    reading = play.ruling("interference_opposition")
    count = len(check.implicated) if reading == "all-implicated" else len(mini.responders)
    _set_start(play, mini, count, "S15.3")


def _begin_late(play: Table, late: list[tuple[Spy, Ignored]]) -> None:
    state = play.state
    mini = state.mini
    if mini is None:
        mini = _begin(play, Kind.INTERFERENCE, [spy.id for spy, _ in late])
        mini.late = True
        if state.scene is not None and not state.scene.resolved:
            state.interrupted = state.scene
    for spy, ignored in late:
        if spy.id not in mini.spies:
            mini.spies.append(spy.id)
        mini.responders.append(spy.id)
        ignored.answered = play.step.index
        if play.ruling("penalty_ends") == "decision":
            _penalty_over(play, ignored)
        if play.ruling("ignore_dice").startswith("leave"):
            gone = min(ignored.dice, persistent_of(play, spy.id))
            people.gain_dice(play, spy, -gone, "SA19", "the Agency was answered")
        play.event(f"{spy.id} responds to the Agency after all", "S14.8", "answers", spy.id)
    if mini.late:
        _set_start(play, mini, len(mini.responders), "S15.3")


def _penalty_over(play: Table, ignored: Ignored) -> None:
    ignored.closed = play.step.index
    play.state.ignoring.remove(ignored)
    play.event(
        f"{ignored.spy} has the resource back, and the target number is whole again",
        "S14.7a",
        "penalty over",
        ignored.spy,
    )


def _begin(play: Table, kind: Kind, spies: Iterable[str]) -> Mini:
    state = play.state
    segment, episode = state.segment, state.episode
    mini = Mini(
        len(state.minis) + 1,
        kind,
        episode.number if episode else 1,
        segment.number if segment else 1,
        play.step.index,
        list(spies),
    )
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


def _stated_start(play: Table, stated: int | None, at: Place, mini: Mini) -> None:
    if stated is None:
        return
    if play.state.hole or play.state.opposition_unsure:
        play.adjust(MINI_OPPOSITION, str(max(0, stated)), OPPOSITION_DIE, "S13.5")
        play.state.opposition_unsure = False
        return
    if mini.scenes:
        dice_left = play.balance(MINI_OPPOSITION, OPPOSITION_DIE)
        if not play.require(
            stated == dice_left,
            "S13.5",
            f"{plural(dice_left, 'Opposition die', 'Opposition dice')} on the table, not {stated}",
            at=at,
            facts=(play.because(mini.step, f"it began with {mini.start}"),),
            after=("opposition:", FLOW),
            finding=Finding.BOOKKEEPING,
            fix=write_word(dice_left),
        ):
            play.taint("opposition:")
        return
    push = mini.kind is Kind.PUSH
    if not play.require(
        stated == mini.start,
        "S17.3" if push else "S15.3",
        f"it starts with {plural(mini.start, 'Opposition die', 'Opposition dice')}, one for each spy "
        f"{'taking part' if push else 'implicated'}, not {stated}",
        at=at,
        facts=(play.because(mini.step, f"it is about {listed(mini.spies) or 'nobody'}"),),
        fix=drop_key("opposition"),
        after=(PUSHING,),
    ):
        play.adjust(MINI_OPPOSITION, str(max(0, stated)), OPPOSITION_DIE, "S15.3")
        mini.start = max(0, stated)
        play.taint("opposition:")


def play_push(play: Table, action: PlayPush) -> None:
    """S16.5, S17.1 to S17.3: at the end of the Segment in which it was declared."""
    play.step.headline = "A push for freedom"
    at = action.place()
    named = people.characters(play, action.spies)
    if play.state.phase is not Phase.PUSH_DUE:
        _wrong_moment(play, at)
    mini = begin_push(play, named)
    play.step.headline = f"{listed(mini.spies) or 'nobody'} pushes for freedom"
    _stated_start(play, action.opposition, action.place("opposition"), mini)
    _first_scene(play, action, "The push")


def _wrong_moment(play: Table, at: Place) -> None:
    state = play.state
    segment = state.segment
    pushing = state.pushing()
    if state.hole or play.given:
        return
    if segment is not None and pushing and not segment.over:
        play.illegal(
            "S16.5",
            f"the push is played at the end of Segment {segment.number}, "
            "when its Opposition dice are gone",
            at=at,
            facts=[
                play.because(step, f"{spy} declared it here")
                for spy, step in segment.pushes.items()
            ],
            after=("opposition:", FLOW),
        )
        # The log wins: for the table the Segment is over.
        drift(play)
        segments.abandon(play)
        play.adjust(OPPOSITION, "0", OPPOSITION_DIE, "S16.5")
        segments.close_segment(play)
        return
    play.illegal(
        "S16.3a",
        "nobody has declared a push in this Segment",
        at=at,
        facts=(play.because(segment.step, "the Segment began here"),) if segment else (),
        help="push: a spy  stands at the beginning of the Segment",
        after=(FLOW,),
    )


def begin_push(play: Table, named: list[Spy]) -> Mini:
    """The push segment of those who declared (or of those named)."""
    state = play.state
    declared = state.pushing()
    for spy in named:
        play.require(
            spy.id in declared or state.hole or play.given or not declared,
            "S17.6",
            f"{spy.id} has not declared a push in this Segment",
            facts=(play.because(state.segment.step, "the Segment began here"),)
            if state.segment
            else (),
            after=(FLOW,),
        )
    spies = [spy.id for spy in named] or state.unplayed()
    mini = _begin(play, Kind.PUSH, spies)
    mini.responders = list(spies)
    for push in state.recent_pushes():
        if push.spy in spies and not push.result and not push.mini:
            push.mini = mini.number
    _set_start(play, mini, len(spies), "S17.3")
    return mini


# --- scenes of a mini segment ---------------------------------------------------------------------


def _first_scene(play: Table, action: Answer | PlayPush, title: str) -> None:
    """The first scene of a mini segment, if its entry says anything about one."""
    if action.scene is not None or action.frames:
        open_mini_scene(
            play, action, action.scene if action.scene is not None else ScalarNode(title)
        )


def open_mini_scene(
    play: Table, action: OpenScene | Answer | PlayPush, title: ScalarNode, *, bare: bool = False
) -> None:
    """S15.4 to S15.8, S17.4 to S17.7: a scene token, a monologue, all resources free."""
    state = play.state
    mini = state.mini
    if mini is None:
        return
    parent = None
    if state.interrupted is not None:
        parent = state.interrupted.number
        segments.close_timeline(play, keep=parent)
    headline = play.step.headline
    if isinstance(action, OpenScene):
        _stated_start(play, action.opposition, action.place("opposition"), mini)
    scene = scenes.frame(play, action, str(title), mini.kind, parent, bare=bare)
    if not isinstance(action, OpenScene):
        play.step.headline = headline
    mini.scenes.append(scene.number)
    number = len(mini.scenes)
    rule = "S17.5" if mini.kind is Kind.PUSH else "S15.5"
    play.move(BOX, LAID, 1, SCENE_TOKEN, rule, f"scene {number}")
    if action.scene_token is not None:
        play.require(
            action.scene_token == number,
            rule,
            f"this is scene {number} of the mini segment; token {action.scene_token} is laid down",
            at="scene token",
            finding=Finding.BOOKKEEPING,
        )
    state.phase = Phase.MINI_SCENE
    if play.ruling("ignore_in_mini") == "yes":
        for ignored in state.ignoring:
            if not ignored.answered:
                ignored.count += 1


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


def after_roll(play: Table, stated: Verdict | None, at: Place, break_off: bool) -> None:
    """S15.10, S17.9, S17.10: whether the mini segment is over, and how it went."""
    state = play.state
    mini = state.mini
    if mini is None:
        return
    push = mini.kind is Kind.PUSH
    dice_left = play.balance(MINI_OPPOSITION, OPPOSITION_DIE)
    mini.left = dice_left
    won, lost = ("S17.9", "S17.10") if push else ("S15.10a", "S15.10b")
    if break_off and dice_left and len(mini.scenes) < MINI_SCENES:
        play.require(
            play.ruling("mini_abort") == "yes",
            lost,
            f"it is broken off after scene {len(mini.scenes)} with "
            f"{plural(dice_left, 'Opposition die', 'Opposition dice')} left; only their end or scene "
            f"{MINI_SCENES} ends it",
            at=at,
        )
    ended = dice_left == 0 or len(mini.scenes) >= MINI_SCENES or break_off
    if not ended:
        state.phase = Phase.MINI
        state.scene = None
        play.require(
            stated is None,
            lost,
            f"{plural(dice_left, 'Opposition die', 'Opposition dice')} left after scene "
            f"{len(mini.scenes)}: it is not decided yet",
            at=at,
            after=("opposition:",),
        )
        return
    verdict = Verdict.FAVOURABLE if dice_left == 0 else Verdict.UNFAVOURABLE
    if stated is not None and stated is not verdict:
        dice = plural(dice_left, "Opposition die is", "Opposition dice are")
        play.illegal(
            lost if dice_left else won,
            f"{dice if dice_left else 'no Opposition die is'} left: it came out {verdict}, not {stated}",
            at=at,
            facts=(play.because(mini.step, "it began here"),),
            fix=write_word(verdict),
        )
        verdict = stated
    over(play, mini, verdict)


def over(play: Table, mini: Mini, verdict: Verdict) -> None:
    """A mini segment came out one way or the other (S15.10, S17.9, S17.10)."""
    mini.verdict = verdict
    mini.over = play.step.index
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
    state.phase = Phase.READY
    if play.ruling("resume_at") == "track-13":
        scenes.end_unrolled(play, "SA13", "resolved without a roll after the interruption")


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
        spy.placed = play.step.index
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
    if segment is not None and not segment.over:
        # The push came too early; the Segment goes on.
        state.phase = Phase.NEXT if segment.scenes else Phase.OPENING
        return
    segments.close_segment(play)
