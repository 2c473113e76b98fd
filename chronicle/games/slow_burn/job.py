"""Episodes, Segments, scenes and what is staked in them (tracks 7 to 9, 16 and 18)."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.declare import Counted, place_of_word
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.source import Place, Word
from chronicle.core.timeline import Scene
from chronicle.games.slow_burn.actions import (
    Answer,
    DeclarePush,
    EndJob,
    EndScene,
    IntroduceJob,
    OpenScene,
    OpenSegment,
    PlayPush,
    StartEpisode,
    UseResources,
)
from chronicle.games.slow_burn.casting import check_setup
from chronicle.games.slow_burn.people import (
    acts_for,
    character,
    characters,
    gain_dice,
    guess_resource,
    owner_of_resource,
    resource,
    resource_name,
)
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
    MINI_SCENES,
    OPPOSITION,
    OPPOSITION_DIE,
    POOL,
    PUSHING,
    ROAD,
    SCENE_TOKEN,
    SPACE,
    Episode,
    Kind,
    Phase,
    Push,
    SceneRecord,
    Segment,
    Spy,
    Table,
    Verdict,
    held_pool,
    in_play,
    opposition,
    path_of,
)

Framing = OpenScene | Answer | PlayPush
TOKENS = 2


# --- episodes -------------------------------------------------------------------------------------


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
        _forgotten_push(play, at)
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
    missing = TOKENS - play.balance(HANDLER_TOKENS, FLEUR)
    play.move(BOX, HANDLER_TOKENS, missing, FLEUR, "S1.6", "two before the Handler")


def introduce_job(play: Table, action: IntroduceJob) -> None:
    """S7.3: by the Handler, in the first scene of Segment 1."""
    state = play.state
    play.step.headline = "The Job"
    if state.episode is None or state.episode.over:
        begin_episode(play)
    episode = state.episode
    if episode is None:  # pragma: no cover - begin_episode has just made one
        return
    segment = state.segment
    play.require(
        not episode.job,
        "S7.1",
        "this episode has its Job already; an episode has one",
        facts=(play.because(episode.job_step, "introduced here"),) if episode.job_step else (),
        help="episode: a title  begins the next one",
    )
    play.require(
        play.step.player == play.runner or not play.step.player,
        "S7.3",
        f"{play.step.player} introduces the Job; that is the Handler's part",
        at=action.place("by"),
    )
    early = segment is None or (segment.number == 1 and len(segment.scenes) <= 1)
    play.require(
        early or state.hole,
        "S7.3",
        "the Job is introduced in the first scene of Segment 1"
        + (f", not in Segment {segment.number}" if segment and segment.number > 1 else ""),
        at=action.place(),
        facts=(play.because(segment.step, f"Segment {segment.number} began here"),)
        if segment
        else (),
        after=(FLOW,),
    )
    episode.job, episode.client = str(action.what), str(action.client or "")
    episode.job_step = play.step.index
    told = f"{episode.client}: {episode.job}" if episode.client else episode.job
    play.event(told, "S7.3", "job")


# --- Segments -------------------------------------------------------------------------------------


def counted_players(play: Table) -> int:
    """S8.2: how many players the Opposition dice are counted by."""
    state = play.state
    mode = play.ruling("nonspy_character")
    if play.ruling("players_now") == "episode-start" and state.episode and state.episode.segments:
        return state.episode.segments[0].players
    people = {spy.player or spy.id for spy in in_play(play) if spy.is_spy or mode != "not-counted"}
    count = len(people) or len([p for p in play.seats if p in play.present])
    return count + (1 if play.ruling("opposition_players") == "yes" else 0)


def open_segment(play: Table, action: OpenSegment) -> None:
    """S7.5, S8.2: the Segments in their order, each with fresh Opposition dice."""
    state = play.state
    at = action.place("main")
    number = action.number
    _close_before_segment(play, number, at)
    expected = _next_number(play)
    if number is not None and (number != expected or number > LAST_SEGMENT):
        if not state.hole and not play.given:
            play.require(
                False,
                "S7.5",
                f"Segment {number} begins; Segment {expected} is next"
                if 1 <= number <= LAST_SEGMENT
                else f"a Job has seven Segments; there is no Segment {number}",
                at=at,
                facts=(play.because(state.segment.step, "the last one began here"),)
                if state.segment
                else (),
                help=f"write  segment: {expected}",
                after=(FLOW,),
            )
        expected = number
    segment = begin_segment(play, expected)
    play.settle(FLOW)
    play.step.headline = f"Segment {segment.number}"
    if action.opposition is not None:
        _stated_start(play, action, segment)


def _stated_start(play: Table, action: OpenSegment, segment: Segment) -> None:
    stated = action.opposition
    if stated is None or stated == segment.start:
        return
    if not play.given and not play.state.hole:
        with_handler = stated == 2 * (segment.players + 1)
        play.report(
            Finding.SUSPICIOUS if with_handler else Finding.ILLEGAL,
            "S8.2",
            f"Segment {segment.number} starts with {plural(segment.start, 'Opposition die', 'Opposition dice')}"
            f" (twice {plural(segment.players, 'player')}), not {stated}",
            at=action.place("opposition"),
            help="counting the Handler as a player is the ruling  opposition_players: yes"
            if with_handler
            else "nothing is carried over from the Segment before",
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
            _forgotten_push(play, at)
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
            play.require(
                False,
                "S8.3",
                f"Segment {state.segment.number if state.segment else 1} is not over: "
                f"{plural(left, 'Opposition die', 'Opposition dice')} left",
                at=at,
                facts=(play.because(state.segment.step, "it began here"),) if state.segment else (),
                after=("opposition:", FLOW),
                help="play on, or say with  gap:  what was not written down",
            )
    if state.phase is not Phase.SEGMENT_OVER:
        abandon(play)
        close_segment(play)


def abandon(play: Table) -> None:
    """Whatever was going on is over, because the log goes on elsewhere."""
    state = play.state
    for spy in list(state.cast.values()):
        play.move(
            f"job dice:{spy.id}", BOX, play.balance(f"job dice:{spy.id}", JOB_DIE), JOB_DIE, "S13.4"
        )
    if state.mini is not None:
        state.mini.over = state.mini.over or play.step.index
    play.move(
        MINI_OPPOSITION,
        BOX,
        play.balance(MINI_OPPOSITION, OPPOSITION_DIE),
        OPPOSITION_DIE,
        "S15.10b",
    )
    play.move(LAID, BOX, play.balance(LAID, SCENE_TOKEN), SCENE_TOKEN, "S15.5")
    state.mini = state.scene = state.interrupted = state.check = None


def _forgotten_push(play: Table, at: Place) -> None:
    state = play.state
    pushing = state.pushing()
    segment = state.segment
    play.require(
        False,
        "S16.5",
        f"{listed(pushing)} declared a push; it is played at the end of Segment "
        f"{segment.number if segment else 1}, before anything else",
        at=at,
        facts=[
            play.because(step, f"{spy} declared it here") for spy, step in segment.pushes.items()
        ]
        if segment
        else (),
        help="play push:  comes first",
        after=(FLOW,),
    )
    for push in state.pushes:
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
    players = counted_players(play)
    start = 2 * players
    play.move(
        OPPOSITION,
        BOX,
        play.balance(OPPOSITION, OPPOSITION_DIE),
        OPPOSITION_DIE,
        "S8.2",
        "left over",
    )
    carried = min(state.carried, start) if play.ruling("carry_over") == "yes" else 0
    state.carried = 0
    play.move(
        BOX,
        OPPOSITION,
        start - carried,
        OPPOSITION_DIE,
        "S8.2",
        f"twice {plural(players, 'player')}",
    )
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
        play.move(
            f"agency:{spy.id}",
            BOX,
            held_pool(play, spy.id),
            AGENCY_DIE,
            "S9.6",
            "the Segment is over",
        )


def close_segment(play: Table) -> None:
    """S8.3, S13.7: the Opposition is gone. What comes next depends on pushes and the number."""
    state = play.state
    segment = state.segment
    if segment is None:
        return
    segment.over = segment.over or play.step.index
    state.last_pool = play.balance(POOL, AGENCY_DIE)
    _stale_dice(play)
    waiting = [spy for spy in segment.pushes if _undone(play, spy)]
    if waiting:
        state.phase = Phase.PUSH_DUE
        play.event(f"The Segment is over; {listed(waiting)} may push now", "S16.5", "push due")
    elif segment.number >= LAST_SEGMENT:
        state.phase = Phase.JOB_OVER
        play.event("Segment 7 is over: the Job is done", "S13.7", "job over")
    else:
        state.phase = Phase.SEGMENT_OVER
        play.event(f"Segment {segment.number} is over", "S13.7", "segment over")


def _undone(play: Table, spy: str) -> bool:
    segment = play.state.segment
    episode = play.state.episode
    return any(
        push.spy == spy
        and not push.result
        and segment is not None
        and push.segment == segment.number
        and episode is not None
        and push.episode == episode.number
        for push in play.state.pushes
    )


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
            _forgotten_push(play, at)
            close_segment(play)
            ensure_segment(play, at)
        case Phase.JOB_OVER:
            finish_job(play)
            begin_episode(play)
            begin_segment(play, 1)
        case _:
            return


def declare_push(play: Table, action: DeclarePush) -> None:
    """S16.1, S16.3a, S16.4: at the beginning of a Segment; somebody stays on the Job."""
    state = play.state
    spies = characters(play, action.spies)
    acts_for(play, spies)
    play.step.headline = f"{listed(spy.id for spy in spies)} will push for freedom"
    at = action.place("main")
    if state.phase is not Phase.OPENING:
        running = state.segment
        if running is not None and not running.over and running.scenes and not state.hole:
            first = state.scenes[running.scenes[0] - 1]
            play.require(
                False,
                "S16.3a",
                f"a push is declared at the beginning of a Segment; scene "
                f"{first.number} of Segment {running.number} has begun",
                at=at,
                facts=(play.because(first.step, "its first scene"),),
                help="declare it when the next Segment begins",
                after=(FLOW,),
            )
        else:
            ensure_segment(play, at)
    elif state.segment is None:
        begin_segment(play, 1)
    segment, episode = state.segment, state.episode
    if segment is None or episode is None:
        return
    for spy in spies:
        _may_push(play, spy, at, segment)
        segment.pushes[spy.id] = play.step.index
        state.pushes.append(Push(spy.id, episode.number, segment.number, play.step.index))
        play.event(f"{spy.id} is off the Job until the Segment ends", "S16.3b", "declares", spy.id)
    _somebody_stays(play, at, segment)
    if any(found.code in ("S16.1", "S16.3a", "S16.4") for found in play.step.diagnostics):
        play.taint(PUSHING)


def _may_push(play: Table, spy: Spy, at: Place, segment: Segment) -> None:
    state = play.state
    play.require(
        spy.is_spy,
        "S19.5b",
        f"{spy.id} is no spy and has no Path to Freedom to push along",
        at=at,
        facts=(play.because(spy.step, "developed from a contact here"),),
    )
    play.require(
        not spy.free,
        "S19.1",
        f"{spy.id} is off the blacklist",
        at=at,
        facts=(play.because(spy.free, "since here"),) if spy.free else (),
    )
    episode = state.episode
    before = [
        push
        for push in state.pushes
        if push.spy == spy.id and episode and push.episode == episode.number
    ]
    if before and play.ruling("push_limit") == "once":
        play.suspect(
            True,
            "S16.1",
            f"{spy.id} has pushed in this episode; once is all",
            at=at,
            facts=(play.because(before[0].declared, "the first push was declared here"),),
        )
    if segment.number == LAST_SEGMENT and play.ruling("push_in_last") == "not-allowed":
        play.require(False, "S16.5", "at this table nobody pushes in Segment 7", at=at)


def _somebody_stays(play: Table, at: Place, segment: Segment) -> None:
    active = in_play(play)
    spies = [spy for spy in active if spy.is_spy]
    if not spies or any(spy.id not in segment.pushes for spy in spies):
        return
    if len(spies) < len(active):
        return
    if len(spies) == 1 and play.ruling("last_spy_push") == "allowed":
        play.suspect(
            True,
            "S16.4",
            f"{spies[0].id} pushes, and there is no other spy to stay on the Job",
            at=at,
        )
        return
    play.require(
        False,
        "S16.4",
        "every spy pushes; at least one has to stay on the Job",
        at=at,
        facts=[play.because(step, f"{id} declared it here") for id, step in segment.pushes.items()],
        help="somebody pushes in a later Segment",
    )


# --- scenes ---------------------------------------------------------------------------------------


def close_timeline(play: Table) -> None:
    """A scene is over for the reader when something else begins."""
    for scene in play.timeline.scenes:
        if scene.open:
            scene.last_step = max(scene.first_step, play.step.index - 1)


def open_scene(play: Table, action: OpenScene) -> None:
    """S9.1 to S9.6: monologue, place, resources. Also the next scene of a mini segment."""
    from chronicle.games.slow_burn import minis

    state = play.state
    at = action.place()
    if _fourth(play, action):
        return
    if state.phase is Phase.PUSH_DUE and _only_pushers(play, action):
        minis.begin_push(play, [])
    if state.mini is not None:
        if state.phase is Phase.MINI_SCENE:
            _unresolved(play, at)
        minis.open_mini_scene(play, action, action.title)
        return
    if state.phase in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED):
        _unresolved(play, at)
    ensure_segment(play, at)
    frame(play, action, action.title, Kind.JOB)


def _fourth(play: Table, action: OpenScene) -> bool:
    """S15.5, S17.5: a fourth scene token, when the mini segment has just had its third scene."""
    state = play.state
    if action.scene_token is None or state.mini is not None or not state.minis:
        return False
    mini = state.minis[-1]
    rule = "S17.5" if mini.kind is Kind.PUSH else "S15.5"
    if action.scene_token <= MINI_SCENES:
        return False
    play.require(
        False,
        rule,
        f"a mini segment has at most {MINI_SCENES} scenes; this is number {action.scene_token}",
        at=action.place("scene token"),
        facts=[play.because(state.scenes[number - 1].step, "a scene") for number in mini.scenes],
        help="it came out less than favourably; go back to the Job",
    )
    from chronicle.games.slow_burn import minis

    minis.reopen(play, mini)
    minis.open_mini_scene(play, action, action.title)
    return True


def _only_pushers(play: Table, action: OpenScene) -> bool:
    """Whether a scene after the Segment's end can be the push that is due."""
    pushing = set(play.state.pushing())
    for word in action.use or {}:
        spy = play.names.find(word)
        id = getattr(spy, "id", "")
        if id in play.seats:
            mine = play.state.of_player(id)
            id = mine.id if mine else id
        if id not in pushing:
            return False
    return True


def _unresolved(play: Table, at: Place) -> None:
    """A new scene begins although the last one has not been rolled."""
    state = play.state
    scene = state.interrupted or state.scene
    if scene is None or state.hole:
        return
    interrupted = scene.kind is Kind.JOB and state.check is not None and bool(state.check.mini)
    play.require(
        False,
        "S15.11" if interrupted else "S12.1",
        f"'{scene.title}' was interrupted and has not been resolved"
        if interrupted
        else f"'{scene.title}' has not been resolved: nobody has rolled for it",
        at=at,
        facts=(play.because(scene.step, "it was framed here"),),
        help="roll: {...}  resolves it; a  gap:  says that it was not written down",
        after=(FLOW,),
    )
    play.state.opposition_unsure = True
    _drop_job_dice(play, scene)
    state.interrupted = None
    state.check = None


def _drop_job_dice(play: Table, scene: SceneRecord) -> None:
    for spy in scene.used:
        account = f"job dice:{spy}"
        play.move(
            account, BOX, play.balance(account, JOB_DIE), JOB_DIE, "S13.4", "the scene is over"
        )


def frame(
    play: Table,
    action: Framing,
    title: str,
    kind: Kind,
    parent: int | None = None,
    *,
    bare: bool = False,
) -> SceneRecord:
    """Open a scene: for the timeline, for the state, with what the entry says about it."""
    state = play.state
    segment, episode = state.segment, state.episode
    if parent is None:
        close_timeline(play)
    number = len(play.timeline.scenes) + 1
    mini = state.mini
    scene = SceneRecord(
        number=len(state.scenes) + 1,
        kind=kind,
        episode=episode.number if episode else 1,
        segment=segment.number if segment else 1,
        title=title,
        step=play.step.index,
        mini=mini.number if mini else 0,
        mini_scene=len(mini.scenes) + 1 if mini else 0,
        before=opposition(play),
        bare=bare,
    )
    state.scenes.append(scene)
    state.scene = scene
    shown = play.timeline.open(
        Scene(
            number,
            title,
            play.step.session,
            play.step.index,
            time=str(action.time or ""),
            place=title,
            kind=str(kind),
            parent=parent,
        )
    )
    play.step.scene = number
    _monologue(play, action, scene)
    shown.opener = scene.speakers[0] if scene.speakers else ""
    shown.marks["segment"] = f"Segment {scene.segment}"
    if action.by is None and scene.speakers:
        play.step.player = scene.speakers[0]
    if kind is Kind.JOB:
        state.phase = Phase.FRAMED
        state.check = None
        if segment is not None:
            segment.scenes.append(scene.number)
        _count_ignored(play)
        _stated_opposition(play, action)
        play.suspect(
            action.scene_token is not None,
            "S15.5",
            "scene tokens are laid down in mini segments only",
            at=action.place("scene token"),
        )
    play.suspect(
        bool(action.outside_town),
        "S5.1",
        f"'{title}' is outside the city, where a manhunt waits for every spy",
        at=action.place("outside town"),
    )
    play.step.headline = title
    play.event(f"{_kind_words(scene)}: {title}", "S9.3", "scene")
    if action.use is not None:
        assign(play, action.use, scene)
    other_help(play, action, scene)
    _stated_dice(play, action, scene)
    shown.cast = list(scene.used) or (list(mini.spies) if mini else [])
    return scene


def _kind_words(scene: SceneRecord) -> str:
    match scene.kind:
        case Kind.JOB:
            return f"A scene of Segment {scene.segment}"
        case Kind.INTERFERENCE:
            return f"Scene {scene.mini_scene} of the Interference Segment"
        case Kind.PUSH:
            return f"Scene {scene.mini_scene} of the push for freedom"


def _monologue(play: Table, action: Framing, scene: SceneRecord) -> None:
    """S9.2 and S15.6: who speaks first."""
    words = action.voice_over
    at = action.place("voice over")
    first_of_interference = scene.kind is Kind.INTERFERENCE and scene.mini_scene == 1
    if words is None:
        if first_of_interference:
            scene.speakers = [play.runner]
        elif not scene.bare:
            play.report(
                Finding.UNKNOWN,
                "S9.2",
                f"the log does not say who speaks the monologue of '{scene.title}'",
                help="voice over: a player",
            )
        return
    if [word.strip().casefold() for word in words] in (["nobody"], ["none"], ["no"], [""]):
        play.require(
            False,
            "S9.2",
            f"'{scene.title}' opens without a Voice Over Monologue",
            at=at,
            help="voice over: the player who speaks it",
        )
        return
    scene.speakers = [name for word in words if (name := play.player(word))]
    if first_of_interference:
        play.require(
            scene.speakers[:1] == [play.runner] or not scene.speakers,
            "S15.6",
            f"{listed(scene.speakers)} speaks first in an Interference Segment; "
            f"its first monologue is the Handler's",
            at=at,
            help=f"voice over: {play.runner}",
        )
    else:
        play.suspect(
            play.runner in scene.speakers,
            "S9.2",
            f"{play.runner} speaks the monologue; the players choose one of themselves",
            at=at,
        )
    if scene.speakers:
        play.event(
            f"{listed(scene.speakers)} {'speaks' if len(scene.speakers) == 1 else 'speak'} the monologue",
            "S9.2",
            "monologue",
        )


def _count_ignored(play: Table) -> None:
    """S14.7b: one scene more in which an interference is ignored."""
    state = play.state
    each = play.ruling("ignore_dice").endswith("each-scene") if state.ignored else False
    for one in state.ignored:
        if one.closed or (one.answered and play.ruling("penalty_ends") == "decision"):
            continue
        one.count += 1
        play.event(
            f"{one.spy} ignores the Agency: the target number is {one.count} lower",
            "S14.7b",
            "reduction",
            one.spy,
        )
        if each and one.count > 1:
            one.dice += 2
            gain_dice(play, state.cast[one.spy], 2, "S14.7c", "ignored in another scene")


def _stated_opposition(play: Table, action: Framing) -> None:
    if action.opposition is None:
        return
    here = opposition(play)
    if play.state.hole or play.state.opposition_unsure or play.given:
        play.adjust(OPPOSITION, str(action.opposition), OPPOSITION_DIE, "S8.2")
        return
    if action.opposition != here:
        play.report(
            Finding.BOOKKEEPING,
            "S8.2" if play.state.segment and len(play.state.segment.scenes) == 1 else "S13.5",
            f"{plural(here, 'Opposition die', 'Opposition dice')} on the table, not {action.opposition}",
            at=action.place("opposition"),
            after=("opposition:", FLOW),
        )
        play.taint("opposition:")


# --- resources ------------------------------------------------------------------------------------


def use_resources(play: Table, action: UseResources) -> None:
    """S9.4: further resources, before the dice."""
    state = play.state
    play.step.headline = "Resources"
    scene = state.scene
    if scene is None or state.phase not in (Phase.FRAMED, Phase.MINI_SCENE):
        play.require(
            False,
            "S9.4",
            "resources are assigned while a scene is being framed, before any dice",
            at=action.place(),
            help="scene: a place  comes first",
        )
        return
    assign(play, action.resources, scene)
    acts_for(play, [state.cast[id] for id in scene.used])
    shown = play.timeline.current
    if shown is not None:
        shown.cast = list(dict.fromkeys([*shown.cast, *scene.used]))


def assign(play: Table, use: Mapping[Word, tuple[Counted, ...]], scene: SceneRecord) -> None:
    """Resources become Job dice; each but the first of a spy brings the Agency a die (S9.5)."""
    scene.use_known = True
    for word, items in use.items():
        spy = character(play, word)
        if spy is None or not _may_be_used(play, spy, word, scene):
            continue
        if any(item.name.strip().casefold() == "none" for item in items):
            continue
        chosen = _chosen(play, spy, items, scene)
        staked = scene.used.setdefault(spy.id, [])
        before = len(staked)
        staked.extend(chosen)
        play.move(BOX, f"job dice:{spy.id}", len(chosen), JOB_DIE, "S9.5a", "one for each resource")
        if chosen:
            names = listed(resource_name(spy, id) for id in chosen)
            play.event(
                f"{spy.id} uses {names}: {plural(len(chosen), 'Job die', 'Job dice')}",
                "S9.5a",
                "uses",
                spy.id,
            )
        if scene.kind is Kind.JOB:
            _earn(play, scene, spy, max(0, len(staked) - 1) - max(0, before - 1))


def _earn(play: Table, scene: SceneRecord, spy: Spy, dice: int) -> None:
    if dice <= 0:
        return
    scene.earned[spy.id] = scene.earned.get(spy.id, 0) + dice
    holder = POOL if play.ruling("agency_holder") == "handler" else f"agency:{spy.id}"
    play.move(BOX, holder, dice, AGENCY_DIE, "S9.5b", f"{spy.id}'s further resources")
    play.event(
        f"{spy.id}'s further resources bring the Agency {plural(dice, 'die', 'dice')}",
        "S9.5b",
        "earns",
        spy.id,
    )


def _may_be_used(play: Table, spy: Spy, word: Word, scene: SceneRecord) -> bool:
    """Whether a character may take part in this scene at all; reported if not, and played."""
    state = play.state
    at = place_of_word(play.step.action, word)
    if not spy.introduced and not state.hole and not play.given:
        play.require(
            False,
            "S6.1",
            f"{spy.id} has not been introduced yet",
            at=at,
            facts=(play.because(spy.step, f"{spy.id} was made here"),),
            help=f"introduce: {spy.id}  comes first",
        )
        spy.introduced = play.step.index
        spy.placed = play.step.index
        if spy.is_spy:
            play.move(ROAD, f"path:{spy.id}", 1, SPACE, "S4.4", "in play")
    if spy.free:
        play.require(
            False,
            "S19.1",
            f"{spy.id} is off the blacklist and has left the life of a spy",
            at=at,
            facts=(play.because(spy.free, "since here"),),
        )
    if scene.kind is Kind.JOB:
        segment = state.segment
        if segment is not None and spy.id in segment.pushes:
            play.require(
                False,
                "S16.3b",
                f"{spy.id} pushes for freedom; the resources are off the Job until Segment "
                f"{segment.number} ends",
                at=at,
                facts=(play.because(segment.pushes[spy.id], "declared here"),),
                after=(
                    PUSHING,
                    FLOW,
                ),
            )
        return True
    mini = state.mini
    if mini is not None and spy.id not in mini.spies:
        push = mini.kind is Kind.PUSH
        play.require(
            False,
            "S17.6" if push else "S15.7",
            f"{spy.id} {'does not push' if push else 'is not implicated'} and cannot be used here",
            at=at,
            facts=(play.because(mini.step, f"it is about {listed(mini.spies)}"),),
            after=(
                PUSHING,
                FLOW,
            ),
        )
    return True


def _chosen(play: Table, spy: Spy, items: tuple[Counted, ...], scene: SceneRecord) -> list[str]:
    """The ids of the resources named, each judged (S9.4)."""
    chosen: list[str] = []
    staked = list(scene.used.get(spy.id, ()))
    for item in items:
        at = place_of_word(play.step.action, item.name)
        if item.name.strip().casefold() in ("all", "everything"):
            free = [id for id in spy.resources() if _lost(play, spy, id, scene) is None]
            chosen.extend(id for id in free if id not in staked and id not in chosen)
            continue
        id = resource(play, spy, item.name)
        if not id:
            id = _foreign(play, spy, item.name, at)
            if not id:
                continue
        lost = _lost(play, spy, id, scene)
        if lost is not None:
            play.require(
                False,
                "S14.7a",
                f"{resource_name(spy, id)} is lost to {spy.id} until the interference is answered",
                at=at,
                facts=(play.because(lost, "ignored here"),),
                help=f"answer: {spy.id}  comes first",
                after=(FLOW,),
            )
        _once(play, spy, id, at, chosen + staked, item.count, scene)
        chosen.extend([id] * max(1, item.count))
    return chosen


def _once(
    play: Table, spy: Spy, id: str, at: Place, staked: list[str], count: int, scene: SceneRecord
) -> None:
    play.require(
        id not in staked and count == 1,
        "S9.4",
        f"{resource_name(spy, id)} is assigned twice in this scene",
        at=at,
        facts=(play.because(scene.step, "the scene was framed here"),),
    )
    if scene.kind is Kind.JOB and play.ruling("resource_reuse") == "once-a-segment":
        segment = play.state.segment
        for number in segment.scenes if segment else ():
            other = play.state.scenes[number - 1]
            play.require(
                other is scene or id not in other.used.get(spy.id, ()),
                "S9.4",
                f"{resource_name(spy, id)} has been used in this Segment",
                at=at,
                facts=(play.because(other.step, "here"),),
            )


def _lost(play: Table, spy: Spy, id: str, scene: SceneRecord) -> int | None:
    """The entry that cost the spy this resource, if it cannot be used in this scene."""
    one = play.state.lost(spy.id).get(id)
    if one is None:
        return None
    if one.answered and play.ruling("penalty_ends") == "decision":
        return None
    if scene.kind is not Kind.JOB:
        if play.ruling("lost_in_mini") == "available":
            return None
        if one.answered and scene.kind is Kind.INTERFERENCE:
            return None
    return one.step


def _foreign(play: Table, spy: Spy, word: Word, at: Place) -> str:
    """A resource that is not the spy's: somebody else's is used all the same, a slip is not."""
    owner = owner_of_resource(play, word)
    if owner is not None:
        play.require(
            False,
            "S9.4",
            f"{word} is {owner.id}'s; {spy.id} can use only {listed(spy.resources().values())}",
            at=at,
            help=f"use: {{{owner.id}: {word}}}",
        )
        return str(word)
    if play.state.hole or not spy.contacts:
        # The sheet is not wholly on record: the name is taken as it stands.
        return str(word)
    play.report(
        Finding.UNREADABLE,
        "S9.4",
        f"{spy.id} has no resource '{word}'{guess_resource(spy, word)}",
        at=at,
        help=f"{spy.id} has {listed(spy.resources().values())}",
    )
    return str(word)


def other_help(play: Table, action: Framing, scene: SceneRecord) -> None:
    """SA45: gear, favours and the like are no resources, unless the table says so."""
    for word, things in (action.because or {}).items():
        spy = character(play, word)
        if spy is None:
            continue
        for thing in things:
            play.require(
                play.ruling("other_resources") == "yes",
                "S9.4",
                f"{thing} is no resource; only {spy.id}'s speciality and contacts are",
                at=place_of_word(action, thing),
                help="the ruling  other_resources: yes  allows it",
            )
        staked = scene.used.setdefault(spy.id, [])
        before = len(staked)
        staked.extend(str(thing) for thing in things)
        scene.use_known = True
        play.move(BOX, f"job dice:{spy.id}", len(things), JOB_DIE, "S9.5a", "other help")
        if scene.kind is Kind.JOB:
            _earn(play, scene, spy, max(0, len(staked) - 1) - max(0, before - 1))


def _stated_dice(play: Table, action: Framing, scene: SceneRecord) -> None:
    """Whatever the entry says about dice gained is checked (S9.5a, S9.5b, S15.8, S17.7)."""
    for word, stated in (action.job_dice or {}).items():
        spy = character(play, word)
        if spy is None:
            continue
        dice = len(scene.used.get(spy.id, ()))
        if not play.require(
            stated == dice or not scene.use_known,
            "S9.5a",
            f"{plural(dice, 'resource')} of {spy.id} in this scene: "
            f"{plural(dice, 'Job die', 'Job dice')}, not {stated}",
            at=place_of_word(action, word),
        ):
            play.adjust(f"job dice:{spy.id}", str(max(0, stated)), JOB_DIE, "S9.5a")
            play.taint(f"job dice:{spy.id}")
    for word, stated in (action.agency_dice or {}).items():
        spy = character(play, word)
        if spy is None:
            continue
        at = place_of_word(action, word)
        if scene.kind is not Kind.JOB:
            play.require(
                stated <= 0,
                "S17.7" if scene.kind is Kind.PUSH else "S15.8",
                "no Agency dice are earned in a mini segment; all resources are free",
                at=at,
            )
            continue
        dice = scene.earned.get(spy.id, 0)
        if not play.require(
            stated == dice or not scene.use_known,
            "S9.5b",
            f"{plural(len(scene.used.get(spy.id, ())), 'resource')} of {spy.id} in this scene: "
            f"{plural(dice, 'Agency die', 'Agency dice')} earned, not {stated}",
            at=at,
            help="every resource after the first earns one",
        ):
            play.move(BOX, POOL, stated - dice, AGENCY_DIE, "S9.5b", "as the table had it")
            play.taint("agency:")


def end_scene(play: Table, action: EndScene) -> None:
    """S13.3: the scene's end, told from the dice."""
    state = play.state
    play.step.headline = "The scene ends"
    scene = state.scene
    if action.words:
        play.step.fiction = f"{action.words}\n\n{play.step.fiction}".strip()
    play.require(
        state.phase not in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED, Phase.MINI_SCENE)
        or state.hole
        or scene is None,
        "S12.1",
        "the scene ends, but nobody has rolled for it",
        facts=(play.because(scene.step, "it was framed here"),) if scene else (),
        help="roll: {...}  comes first",
    )
    play.event("The end of the scene is told", "S13.3", "scene over")


# --- the end of the Job ---------------------------------------------------------------------------


def end_job(play: Table, action: EndJob) -> None:
    """S18.1, S18.2, S16.2: the Job's end; missed pushes are paid for."""
    state = play.state
    play.step.headline = "The Job is done"
    if action.words:
        play.step.fiction = f"{action.words}\n\n{play.step.fiction}".strip()
    episode = state.episode
    if episode is None:
        play.require(
            False,
            "S18.1",
            "no Job is being played",
            help="segment: 1  begins one",
            at=action.place(),
        )
        return
    if episode.over and not episode.closing:
        pass
    elif episode.over:
        play.require(
            False,
            "S18.1",
            "this Job is done already",
            facts=(play.because(episode.over, "here"),),
        )
        return
    elif state.phase is Phase.PUSH_DUE:
        _forgotten_push(play, action.place())
    elif state.phase is not Phase.JOB_OVER and not state.hole and not play.given:
        play.require(
            False,
            "S13.7",
            f"the Job ends in Segment {state.segment.number if state.segment else 1}; it takes "
            f"{LAST_SEGMENT}, each until its Opposition dice are gone",
            at=action.place(),
            facts=(play.because(state.segment.step, "that Segment began here"),)
            if state.segment
            else (),
            after=("opposition:", FLOW),
        )
    play.suspect(
        bool(action.lost),
        "S18.1",
        "the rules know no lost Job: after Segment 7 it counts as pulled off",
        at=action.place("lost"),
    )
    close_timeline(play)
    finish_job(play)
    episode.closing = play.step.index
    _stated_missed(play, action, episode)


def _stated_missed(play: Table, action: EndJob, episode: Episode) -> None:
    if action.missed is None:
        return
    if [word.strip().casefold() for word in action.missed] in (["nobody"], ["none"], ["no"]):
        stated: list[Spy] = []
    else:
        stated = characters(play, action.missed)
    at = action.place("missed")
    for spy in stated:
        if not spy.is_spy:
            play.require(
                False,
                "S19.5b",
                f"{spy.id} is no spy and need not push for freedom",
                at=at,
                facts=(play.because(spy.step, "developed from a contact here"),),
            )
        elif not episode.partial:
            push = next(
                (p for p in play.state.pushes if p.spy == spy.id and p.episode == episode.number),
                None,
            )
            play.require(
                spy.id in episode.missed,
                "S16.2",
                f"{spy.id} pushed in this episode and pays nothing, whatever came of it",
                at=at,
                facts=(play.because(push.declared, "declared here"),) if push else (),
                after=(
                    PUSHING,
                    FLOW,
                ),
            )
    if not episode.partial:
        ids = [spy.id for spy in stated]
        for id in episode.missed:
            play.require(
                id in ids,
                "S16.2",
                f"{id} has not pushed in this episode: one space back, one persistent Agency die more",
                at=at,
                facts=(play.because(episode.step, "the episode began here"),),
                help=f"missed: {id}",
                after=(
                    PUSHING,
                    FLOW,
                ),
            )


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
    play.move(
        OPPOSITION,
        BOX,
        play.balance(OPPOSITION, OPPOSITION_DIE),
        OPPOSITION_DIE,
        "S18.1",
        "the end",
    )
    episode.over = play.step.index
    state.phase = Phase.BETWEEN
    if not episode.job and not episode.partial:
        play.report(
            Finding.UNKNOWN,
            "S7.3",
            "the log does not say what the Job was",
            help="job: the problem  in the first scene of Segment 1",
        )
    spies = [spy for spy in state.active() if spy.is_spy]
    if episode.partial or state.hole:
        _unknown_pushes(play, episode, spies)
    else:
        for spy in spies:
            _missed_push(play, episode, spy)
    episode.spies = [spy.id for spy in spies]
    episode.path = {spy.id: path_of(play, spy.id) for spy in state.cast.values() if spy.is_spy}
    play.event("The Job is done", "S18.1", "job done")


def _unknown_pushes(play: Table, episode: Episode, spies: list[Spy]) -> None:
    silent = [
        spy.id
        for spy in spies
        if not any(p.spy == spy.id and p.episode == episode.number for p in play.state.pushes)
    ]
    if silent:
        play.report(
            Finding.UNKNOWN,
            "S16.2",
            f"the record of this episode has a hole; whether {listed(silent)} pushed is not known",
            help="correct: last  /  to: {path: {...}, persistent: {...}}  says what is true",
        )


def _missed_push(play: Table, episode: Episode, spy: Spy) -> None:
    pushes = [p for p in play.state.pushes if p.spy == spy.id and p.episode == episode.number]
    lost_counts = play.ruling("failed_push_means") == "push-lost-too"
    done = [p for p in pushes if not lost_counts or p.result == "won"]
    if done:
        return
    episode.missed.append(spy.id)
    spy.path_rule = "S16.2"
    spy.placed = play.step.index
    on_first = path_of(play, spy.id) <= 1
    if on_first:
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


def stand_off_verdict(play: Table) -> Verdict:
    """What a tie counts as at this table (SA2)."""
    match play.ruling("scene_tie"):
        case "spies-fail":
            return Verdict.UNFAVOURABLE
        case "spies-succeed":
            return Verdict.FAVOURABLE
        case _:
            return Verdict.STAND_OFF
