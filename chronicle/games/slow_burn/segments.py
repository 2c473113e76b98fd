"""Episodes and Segments: how they begin, how they end, and what is owed then (tracks 7, 8, 16 and 18)."""

from __future__ import annotations

from chronicle.core.diagnostic import Diagnostic, Finding, listed, plural
from chronicle.core.fix import add_entry, choose_reading, drop_entry, mark_gap, set_key
from chronicle.core.house_rules import answer
from chronicle.core.source import Place
from chronicle.games.slow_burn import computed
from chronicle.games.slow_burn.actions import IntroduceJob, OpenSegment, StartEpisode
from chronicle.games.slow_burn.casting import check_seats, check_setup, without_spy
from chronicle.games.slow_burn.people import gain_dice
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    FLEUR,
    FLOW,
    HANDLER_TOKENS,
    JOB_DIE,
    LAID,
    LAST_SEGMENT,
    MINI_OPPOSITION,
    OPPOSITION,
    OPPOSITION_DIE,
    POOL,
    PUSHING,
    ROAD,
    SCENE_TOKEN,
    SPACE,
    Episode,
    Phase,
    Segment,
    Spy,
    Table,
    in_play,
    path_of,
)

TOKENS = 2


def starts_once(play: Table) -> None:
    """S1.9: a log begins once. What stands above another beginning is given, and not checked."""
    state = play.state
    began, first = state.started, state.episodes[0].step if state.episodes else 0
    if first and (not play.given or play.steps[first - 1].session < play.step.session):
        began = began or first
    play.suspect(
        bool(began),
        "S1.9",
        "play has started before, and what stands above this is given and not checked",
        facts=play.facts(began, "it started here"),
        fix=drop_entry(),
    )


def start_episode(play: Table, action: StartEpisode) -> None:
    """S7.1: one Job is one episode."""
    _close_running_job(play, action.place())
    begin_episode(play, str(action.title or ""))
    play.step.headline = f"Episode {len(play.state.episodes)}" + (
        f": {action.title}" if action.title else ""
    )


def _close_running_job(play: Table, at: Place) -> None:
    state = play.state
    episode = state.episode
    if episode is None or episode.over:
        return
    if state.phase is Phase.PUSH_DUE:
        forgotten_push(play, at)
    elif state.phase is not Phase.JOB_OVER:
        play.require(
            state.hole or play.given,
            "S13.7",
            f"a new episode begins, but the Job of episode {episode.number} is in Segment "
            f"{state.segment.number if state.segment else 1} of {LAST_SEGMENT}",
            at=at,
            facts=(play.because(episode.step, "that episode began here"),),
            after=(FLOW,),
        )
    finish_job(play)


def begin_episode(play: Table, title: str = "") -> Episode:
    """A new episode: the Handler's tokens are whole again, by default."""
    state = play.state
    check_setup(play)
    episode = Episode(len(state.episodes) + 1, play.step.index, title, partial=play.given)
    state.episodes.append(episode)
    state.phase = Phase.OPENING
    reading = play.ruling("handler_tokens")
    if reading == "per-job" or len(state.episodes) == 1:
        refill_tokens(play)
    state.last_pool = 0
    play.event(f"Episode {episode.number} begins", "S7.1", "episode")
    return episode


def refill_tokens(play: Table) -> None:
    """S1.6, S3.4: two Fleur-de-Lis tokens lie before the Handler."""
    missing = answer(play, computed.TOKENS, TOKENS) - play.balance(HANDLER_TOKENS, FLEUR)
    play.move(BOX, HANDLER_TOKENS, missing, FLEUR, "S1.6", "two before the Handler")


def introduce_job(play: Table, action: IntroduceJob) -> None:
    """S7.3: by the Handler, in the first scene of Segment 1."""
    state = play.state
    play.step.headline = "The Job"
    episode = state.episode
    if episode is None or episode.over:
        episode = begin_episode(play)
    segment = state.segment
    play.require(
        not episode.job,
        "S7.1",
        "this episode has its Job already; an episode has one",
        facts=play.facts(episode.job_step, "introduced here"),
        help="episode: a title  begins the next one",
    )
    early = segment is None or (segment.number == 1 and len(segment.scenes) <= 1)
    play.require(
        early or state.hole,
        "S7.3",
        "the Job is introduced in the first scene of Segment 1"
        + (f", not in Segment {segment.number}" if segment and segment.number > 1 else ""),
        facts=(play.because(segment.step, f"Segment {segment.number} began here"),)
        if segment
        else (),
        after=(FLOW,),
    )
    episode.job, episode.client = str(action.what), str(action.client or "")
    episode.job_step = play.step.index
    told = f"{episode.client}: {episode.job}" if episode.client else episode.job
    play.event(told, "S7.3", "job")


def counted_players(play: Table) -> int:
    """S8.2: how many players the Opposition dice are counted by."""
    state = play.state
    mode = play.ruling("nonspy_character")
    if play.ruling("players_now") == "episode-start" and state.episode and state.episode.segments:
        return state.episode.segments[0].players
    people = {spy.player or spy.id for spy in in_play(play) if spy.is_spy or mode != "not-counted"}
    people.update(without_spy(play))
    count = len(people) or len([p for p in play.seats if p in play.present])
    return count + (1 if play.ruling("opposition_players") == "yes" else 0)


def with_everybody(play: Table) -> int:
    """The Opposition dice if those who are away are counted as well, which the text leaves open."""
    people = {spy.player for spy in play.state.active()}
    more = 1 if play.ruling("opposition_players") == "yes" else 0
    return 2 * (len(people) + more)


def open_segment(play: Table, action: OpenSegment) -> None:
    """S7.5, S8.2: the Segments in their order, each with fresh Opposition dice."""
    state = play.state
    at = action.place("main")
    number = action.number
    _close_before_segment(play, number, at)
    expected = _next_number(play)
    slip: Diagnostic | None = None
    if number is not None and (number != expected or number > LAST_SEGMENT):
        if not state.hole and not play.given:
            slip = play.report(
                Finding.ILLEGAL,
                "S7.5",
                f"Segment {number} begins; Segment {expected} is next"
                if 1 <= number <= LAST_SEGMENT
                else f"a Job has seven Segments; there is no Segment {number}",
                at=at,
                facts=(play.because(state.segment.step, "the last one began here"),)
                if state.segment
                else (),
                fix=set_key("segment", expected) if expected <= LAST_SEGMENT else (),
                after=(FLOW,),
            )
        # Alone it is a slip of the pen; after a mistake the log knows better where play stands.
        if slip is None or slip.cause is not None or slip.excused or expected > LAST_SEGMENT:
            expected = number
    segment = begin_segment(play, expected)
    play.settle(FLOW)
    if slip is not None:
        play.taint(FLOW)
    play.step.headline = f"Segment {segment.number}"
    if action.opposition is not None:
        _stated_start(play, action, segment)


def _stated_start(play: Table, action: OpenSegment, segment: Segment) -> None:
    stated = action.opposition
    if stated is None or stated == segment.start:
        return
    if not play.given and not play.state.hole and stated != with_everybody(play):
        with_handler = stated == 2 * (segment.players + 1)
        play.report(
            Finding.SUSPICIOUS if with_handler else Finding.ILLEGAL,
            "S8.2",
            f"Segment {segment.number} starts with {plural(segment.start, 'Opposition die', 'Opposition dice')}"
            f" (twice {plural(segment.players, 'player')}), not {stated}",
            at="opposition",
            fix=choose_reading("opposition_players", "yes") if with_handler else (),
            help=() if with_handler else "nothing is carried over from the Segment before",
        )
        play.taint("opposition:")
    play.adjust(OPPOSITION, str(max(0, stated)), OPPOSITION_DIE, "S8.2")
    segment.start = max(0, stated)


def _close_before_segment(play: Table, number: int | None, at: Place) -> None:
    """What has to be over before the next Segment may begin."""
    state = play.state
    episode = state.episode
    if play.given:
        if episode is None or episode.over:
            begin_episode(play)
        return
    match state.phase:
        case Phase.SETUP | Phase.BETWEEN:
            if state.hole and episode is not None and not episode.over:
                return
            begin_episode(play)
            return
        case Phase.OPENING if state.segment is None:
            return
        case Phase.PUSH_DUE:
            forgotten_push(play, at)
        case Phase.JOB_OVER if number is not None and number > LAST_SEGMENT:
            return
        case Phase.JOB_OVER:
            finish_job(play)
            begin_episode(play)
            return
        case Phase.SEGMENT_OVER:
            pass
        case _ if not state.hole:
            left = play.balance(OPPOSITION, OPPOSITION_DIE)
            play.illegal(
                "S8.3",
                f"Segment {state.segment.number if state.segment else 1} is not over: "
                f"{plural(left, 'Opposition die', 'Opposition dice')} left",
                at=at,
                facts=(play.because(state.segment.step, "it began here"),) if state.segment else (),
                after=("opposition:", FLOW),
                fix=mark_gap(),
                help="or play on",
            )
    if state.phase is not Phase.SEGMENT_OVER:
        abandon(play)
        close_segment(play)


def abandon(play: Table) -> None:
    """Whatever was going on is over, because the log goes on elsewhere."""
    state = play.state
    for spy in list(state.cast.values()):
        play.empty(f"job dice:{spy.id}", BOX, JOB_DIE, "S13.4")
    if state.mini is not None:
        state.mini.over = state.mini.over or play.step.index
    play.empty(MINI_OPPOSITION, BOX, OPPOSITION_DIE, "S15.10b")
    play.empty(LAID, BOX, SCENE_TOKEN, "S15.5")
    state.mini = state.scene = state.interrupted = state.check = None


def forgotten_push(play: Table, at: Place) -> None:
    """S16.5: a declared push has not been played, and the log goes on."""
    state = play.state
    pushing = state.pushing()
    segment = state.segment
    play.illegal(
        "S16.5",
        f"{listed(pushing)} declared a push; it is played at the end of Segment "
        f"{segment.number if segment else 1}, before anything else",
        at=at,
        facts=[
            play.because(step, f"{spy} declared it here") for spy, step in segment.pushes.items()
        ]
        if segment
        else (),
        fix=add_entry("play push:"),
        after=(FLOW,),
    )
    for push in state.recent_pushes():
        if not push.result and push.spy in pushing:
            push.result = "forgotten"


def _next_number(play: Table) -> int:
    segment = play.state.segment
    return segment.number + 1 if segment else 1


def begin_segment(play: Table, number: int) -> Segment:
    """S8.2: fresh Opposition dice, two for each player."""
    state = play.state
    episode = state.episode or begin_episode(play)
    close_timeline(play)
    _stale_dice(play)
    check_seats(play)
    players = counted_players(play)
    start = 2 * players
    play.empty(OPPOSITION, BOX, OPPOSITION_DIE, "S8.2", "left over")
    carried = min(state.carried, start) if play.ruling("carry_over") == "yes" else 0
    state.carried = 0
    why = f"twice {plural(players, 'player')}"
    play.move(BOX, OPPOSITION, start - carried, OPPOSITION_DIE, "S8.2", why)
    segment = Segment(number, play.step.index, players, start - carried, partial=state.hole)
    episode.partial = episode.partial or state.hole
    episode.segments.append(segment)
    session = play.step.session
    if session not in episode.sessions:
        episode.sessions.append(session)
    state.phase = Phase.OPENING
    state.scene = state.check = None
    state.hole = state.opposition_unsure = state.pool_unsure = False
    play.settle("opposition:", "agency:", PUSHING)
    play.event(
        f"Segment {number} begins with {plural(segment.start, 'Opposition die', 'Opposition dice')}; "
        f"Job dice need {number + 1} or less",
        "S8.2",
        "segment",
    )
    return segment


def _stale_dice(play: Table) -> None:
    """S9.6: no Segment Agency die outlives its Segment."""
    state = play.state
    left = play.balance(POOL, AGENCY_DIE)
    if left:
        state.last_pool = left
        play.move(POOL, BOX, left, AGENCY_DIE, "S9.6", "the Segment is over")
    for spy in state.cast.values():
        play.empty(f"agency:{spy.id}", BOX, AGENCY_DIE, "S9.6", "the Segment is over")


def close_segment(play: Table) -> None:
    """S8.3, S13.7: the Opposition is gone. What comes next depends on pushes and the number."""
    state = play.state
    segment = state.segment
    if segment is None:
        return
    segment.over = segment.over or play.step.index
    state.last_pool = play.balance(POOL, AGENCY_DIE)
    _stale_dice(play)
    undone = {
        push.spy
        for push in state.recent_pushes()
        if push.segment == segment.number and not push.result
    }
    waiting = [spy for spy in segment.pushes if spy in undone]
    if waiting:
        state.phase = Phase.PUSH_DUE
        play.event(f"The Segment is over; {listed(waiting)} may push now", "S16.5", "push due")
    elif segment.number >= LAST_SEGMENT:
        state.phase = Phase.JOB_OVER
        play.event("Segment 7 is over: the Job is done", "S13.7", "job over")
    else:
        state.phase = Phase.SEGMENT_OVER
        play.event(f"Segment {segment.number} is over", "S13.7", "segment over")


def ensure_segment(play: Table, at: Place) -> None:
    """Segments begin by themselves when an entry needs one (S8.3)."""
    state = play.state
    match state.phase:
        case Phase.SETUP | Phase.BETWEEN:
            episode = state.episode
            if episode is None or episode.over:
                begin_episode(play)
            begin_segment(play, _next_number(play))
        case Phase.OPENING if state.segment is None:
            begin_segment(play, 1)
        case Phase.SEGMENT_OVER:
            begin_segment(play, _next_number(play))
        case Phase.PUSH_DUE:
            forgotten_push(play, at)
            close_segment(play)
            ensure_segment(play, at)
        case Phase.JOB_OVER:
            finish_job(play)
            begin_episode(play)
            begin_segment(play, 1)
        case _:
            return


def close_timeline(play: Table, keep: int = 0) -> None:
    """A scene is over for the reader when something else begins; scene ``keep`` goes on."""
    scene = play.timeline.current
    while scene is not None and scene.number != keep:
        scene.last_step = max(scene.first_step, play.step.index - 1)
        scene = play.timeline.current


def finish_job(play: Table) -> None:
    """S16.2: at the end of the episode every spy has pushed, or pays."""
    state = play.state
    episode = state.episode
    if episode is None or episode.over:
        return
    abandon(play)
    if state.segment is not None and not state.segment.over:
        state.segment.over = play.step.index
        _stale_dice(play)
    play.empty(OPPOSITION, BOX, OPPOSITION_DIE, "S18.1", "the end")
    episode.over = play.step.index
    state.phase = Phase.BETWEEN
    if not episode.job and not episode.partial:
        play.unknown(
            "S7.3",
            "the log does not say what the Job was",
            help="job: the problem  in the first scene of Segment 1",
        )
    spies = [spy for spy in state.active() if spy.is_spy]
    if episode.partial or state.hole:
        _unknown_pushes(play, spies)
    else:
        for spy in spies:
            _missed_push(play, episode, spy)
    episode.spies = [spy.id for spy in spies]
    episode.path = {spy.id: path_of(play, spy.id) for spy in state.cast.values() if spy.is_spy}
    play.event("The Job is done", "S18.1", "job done")


def _unknown_pushes(play: Table, spies: list[Spy]) -> None:
    pushed = {push.spy for push in play.state.recent_pushes()}
    silent = [spy.id for spy in spies if spy.id not in pushed]
    if silent:
        play.unknown(
            "S16.2",
            f"the record of this episode has a hole; whether {listed(silent)} pushed is not known",
            help="correct: last  /  to: {path: {...}, persistent: {...}}  says what is true",
        )


def _missed_push(play: Table, episode: Episode, spy: Spy) -> None:
    lost_counts = play.ruling("failed_push_means") == "push-lost-too"
    pushes = [push for push in play.state.recent_pushes() if push.spy == spy.id]
    if any(push.result == "won" or not lost_counts for push in pushes):
        return
    episode.missed.append(spy.id)
    spy.path_rule = "S16.2"
    spy.placed = play.step.index
    if path_of(play, spy.id) <= 1:
        if play.ruling("path_floor") == "nothing-happens":
            play.event(f"{spy.id} has not pushed and stays on space 1", "S16.2", "missed", spy.id)
            return
        play.event(f"{spy.id} has not pushed and stays on space 1", "SA31", "missed", spy.id)
    else:
        play.move(f"path:{spy.id}", ROAD, 1, SPACE, "S16.2", "no push in this episode")
        play.event(
            f"{spy.id} has not pushed: back to space {path_of(play, spy.id)}",
            "S16.2",
            "missed",
            spy.id,
        )
    gain_dice(play, spy, 1, "S16.2", "no push in this episode")
