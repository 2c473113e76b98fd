"""Episodes and Segments: how they begin, how they end, and what is owed then (tracks 7, 8, 16 and 18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, TEXT, WHOLE, label
from chronicle.core.fix import add_entry, choose_reading, mark_gap, set_key
from chronicle.core.guards import Violation, guard, report_violation
from chronicle.core.house_rules import answer
from chronicle.core.sentences import Sentence
from chronicle.core.telling import TextRole
from chronicle.games.slow_burn import computed
from chronicle.games.slow_burn.casting import before_first_job, unseated, without_spies, without_spy
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
    is_checked,
    is_cut,
    number_unsure_since,
    path_of,
)

TOKENS = 2
SCENE_OPEN = (Phase.FRAMED, Phase.READY, Phase.TRIGGERED, Phase.MINI_SCENE)
"""The phases in which a scene has been framed and waits for its dice."""
BEYOND = ("scene", "segment", "push", "play push", "episode", "end job")
"""Verbs that belong to no scene that has been framed."""


def begin_episode(play: Table, title: str = "") -> Episode:
    """A new episode: the Handler's tokens are whole again, by default."""
    state = play.state
    state.setup_checked = True
    episode = Episode(len(state.episodes) + 1, play.step.number, title, partial=play.given)
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


def counted_players(play: Table, *, of_new_episode: bool = False) -> int:
    """S8.2: how many players the Opposition dice are counted by."""
    state = play.state
    mode = play.ruling("nonspy_character")
    earlier = state.episode.segments if state.episode and not of_new_episode else []
    if play.ruling("players_now") == "episode-start" and earlier:
        return earlier[0].players
    people = {spy.player or spy.id for spy in in_play(play) if spy.is_spy or mode != "not-counted"}
    people.update(without_spy(play))
    count = len(people) or len([p for p in play.seats if p in play.present])
    return count + (1 if play.ruling("opposition_players") == "yes" else 0)


def begins_segment(play: Table) -> bool:
    """Whether an entry that needs a Segment begins one."""
    state = play.state
    if state.phase is Phase.OPENING:
        return state.segment is None
    return state.phase in (
        Phase.SETUP,
        Phase.BETWEEN,
        Phase.SEGMENT_OVER,
        Phase.PUSH_DUE,
        Phase.JOB_OVER,
    )


def begins_afresh(play: Table) -> bool:
    """Whether such a Segment begins with all its Opposition dice: no gap can hold its first scenes."""
    return begins_segment(play) and not play.state.adrift


def begins_episode(play: Table) -> bool:
    """Whether an entry that needs a Segment begins an episode."""
    state, segment = play.state, play.state.segment
    if state.phase in (Phase.SETUP, Phase.BETWEEN):
        return state.episode is None or bool(state.episode.over)
    if state.phase is Phase.PUSH_DUE:
        return segment is not None and segment.number >= LAST_SEGMENT
    return state.phase is Phase.JOB_OVER


def dice_at_start(play: Table, *, of_new_episode: bool = False) -> tuple[int, int]:
    """S8.2: the players that the Opposition dice of a Segment that begins now are counted by, and these dice."""
    players = counted_players(play, of_new_episode=of_new_episode)
    start = 2 * players
    carried = min(play.state.carried, start) if play.ruling("carry_over") == "yes" else 0
    return players, start - carried


def most_at_start(play: Table) -> int:
    """S8.2: the most Opposition dice that a Segment can have, whoever is in play."""
    segment, everybody = (
        play.state.segment,
        len(play.seats) + (1 if play.ruling("opposition_players") == "yes" else 0),
    )
    return max(2 * everybody, with_everybody(play), segment.start if segment is not None else 0)


def with_everybody(play: Table) -> int:
    """The Opposition dice if those who are away are counted as well, which the text leaves open."""
    people = {spy.player for spy in play.state.active()}
    handler_counts = 1 if play.ruling("opposition_players") == "yes" else 0
    return 2 * (len(people) + handler_counts)


def abandon(play: Table) -> None:
    """End the scene and the mini segment, because the log goes on elsewhere."""
    state = play.state
    for spy in list(state.cast.values()):
        play.empty(f"job dice:{spy.id}", BOX, JOB_DIE, "S13.4")
    leave_mini(play)
    state.scene = state.interrupted = state.check = None
    if state.phase in SCENE_OPEN:
        segment = state.segment
        state.phase = Phase.SEGMENT_OVER if segment is not None and segment.over else Phase.NEXT


def leave_mini(play: Table) -> None:
    """End the mini segment, with any result."""
    state = play.state
    if state.mini is not None:
        state.mini.over = state.mini.over or play.step.number
    play.empty(MINI_OPPOSITION, BOX, OPPOSITION_DIE, "S15.10b")
    play.empty(LAID, BOX, SCENE_TOKEN, "S15.5")
    state.mini = None


def is_scene_open(play: Table) -> bool:
    """Whether a scene has been framed and not been resolved."""
    scene = play.state.scene
    return play.state.phase in SCENE_OPEN and scene is not None and not scene.resolved


def let_go(play: Table, verb: str) -> None:
    """A scene that was open above a gap goes on below it. With an entry that is none of this scene, it ended there."""
    state, scene = play.state, play.state.scene
    if scene is None or not is_scene_open(play) or not is_cut(play, scene):
        return
    is_mini = state.phase is Phase.MINI_SCENE
    is_late = verb in ("use", "check") and state.phase is not Phase.FRAMED
    if (
        verb in BEYOND
        or (is_late and not (is_mini and verb == "use"))
        or (is_mini and verb in ("answer", "spend token"))
    ):
        abandon(play)


# --- what the log leaves behind when it goes on ---------------------------------------------------


def forgotten_push(play: Table) -> Violation:
    """S16.5: that a declared push has not been played, and the log goes on."""
    segment = play.state.segment
    unplayed = play.state.unplayed()
    pushes = {id: step for id, step in segment.pushes.items() if id in unplayed} if segment else {}
    return Violation(
        f"{listed(pushes)} declared a push; it is played at the end of Segment "
        f"{segment.number if segment else 1}, before anything else",
        facts=[play.because(step, f"{spy} declared it here") for spy, step in pushes.items()],
        fix=add_entry("play push:"),
        after=[FLOW],
        rule="S16.5",
    )


def forget_push(play: Table) -> None:
    """S16.5: a push that was declared is not played any more."""
    pushing = play.state.pushing()
    for push in play.state.recent_pushes():
        if not push.result and push.spy in pushing:
            push.result = "forgotten"


def unfinished_job(play: Table, *, tells_missed: bool = False) -> Iterator[Violation]:
    """The gaps in the record of a Job that ends now; ``tells_missed``: the entry says who has not pushed."""
    state, episode = play.state, play.state.episode
    if episode is None or episode.over:
        return
    if not episode.job and not episode.partial:
        yield Violation(
            "the log does not say what the Job was",
            help="job: the problem  in the first scene of Segment 1",
            rule="S7.3",
            kind=DiagnosticKind.UNKNOWN,
        )
    pushed = {push.spy for push in state.recent_pushes()}
    silent = [spy.id for spy in state.active() if spy.is_spy and spy.id not in pushed]
    if silent and (episode.partial or state.hole) and not tells_missed:
        yield Violation(
            f"the record of this episode has a hole; whether {listed(silent)} pushed is not known",
            help="end job:  /  missed: [...]  says who has not, and  missed: nobody  that all have",
            rule="S16.2",
            kind=DiagnosticKind.UNKNOWN,
        )


def missing_pushes(play: Table, stated: Sequence[str] = ()) -> list[Spy]:
    """S16.2: the spies who pay for not pushing if the episode ends now. Where a gap may hold their pushes, these
    are the ``stated`` ones."""
    state, episode = play.state, play.state.episode
    if episode is None:
        return []
    is_unsure = episode.partial or state.hole
    lost_counts = play.ruling("failed_push_means") == "push-lost-too"
    done = {push.spy for push in state.recent_pushes() if push.result == "won" or not lost_counts}
    return [
        spy
        for spy in state.active()
        if spy.is_spy and spy.id not in done and (spy.id in stated or not is_unsure)
    ]


def finish_job(play: Table, stated: Sequence[str] | None = None) -> None:
    """S16.2: at the end of the episode every spy has pushed, or pays. What the record of the Job lacks is reported;
    ``stated`` are the spies who have not pushed, where the entry says that."""
    state = play.state
    episode = state.episode
    if episode is None or episode.over:
        return
    for violation in unfinished_job(play, tells_missed=stated is not None):
        report_violation(play, violation)
    missing = missing_pushes(play, stated or ())
    abandon(play)
    if state.segment is not None and not state.segment.over:
        state.segment.over = play.step.number
        _stale_dice(play)
    play.empty(OPPOSITION, BOX, OPPOSITION_DIE, "S18.1", "the end")
    episode.over = play.step.number
    state.phase = Phase.BETWEEN
    for spy in missing:
        _pay_for_no_push(play, episode, spy)
    episode.spies = [spy.id for spy in state.active() if spy.is_spy]
    episode.path = {spy.id: path_of(play, spy.id) for spy in state.cast.values() if spy.is_spy}
    play.event("The Job is done", "S18.1", "job done")


def _pay_for_no_push(play: Table, episode: Episode, spy: Spy) -> None:
    episode.missed.append(spy.id)
    spy.path_rule = "S16.2"
    spy.placed = play.step.number
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


def before_segment(play: Table) -> Iterator[Violation]:
    """The breaches where an entry needs a Segment, and the next Segment begins by itself."""
    state = play.state
    match state.phase:
        case Phase.SETUP | Phase.BETWEEN:
            if state.episode is None or state.episode.over:
                yield from before_first_job(play)
        case Phase.PUSH_DUE:
            yield forgotten_push(play)
        case Phase.SEGMENT_OVER | Phase.JOB_OVER:
            pass
        case Phase.OPENING if state.segment is None:
            pass
        case _:
            return
    yield from without_spies(play)


def begin_next_segment(play: Table) -> None:
    """S8.3: Segments begin by themselves when an entry needs one."""
    state = play.state
    match state.phase:
        case Phase.SETUP | Phase.BETWEEN:
            if state.episode is None or state.episode.over:
                begin_episode(play)
            begin_segment(play, next_number(play))
        case Phase.OPENING if state.segment is None:
            begin_segment(play, 1)
        case Phase.SEGMENT_OVER:
            begin_segment(play, next_number(play))
        case Phase.PUSH_DUE:
            forget_push(play)
            close_segment(play)
            begin_next_segment(play)
        case Phase.JOB_OVER:
            finish_job(play)
            begin_episode(play)
            begin_segment(play, 1)
        case _:
            return


# --- episodes, the Job, Segments ------------------------------------------------------------------


class StartEpisode(Action):
    """Begin a new episode. Not needed: the first Segment after a finished Job begins one too."""

    verb = "episode"
    decides = Decides("table")
    offered = Offered("S7.1", "begin an episode")
    example = "episode: The lighthouse keeper's daughter"
    title = main(TEXT, "the episode's title", default=None)

    def lead_in(self) -> str:
        return f"The episode called {self.title}" if self.title else ""

    def sentence(self, play: Table) -> Sentence:
        title = f": {self.title}" if self.title else ""
        return (f"Episode {len(play.state.episodes) + 1}{title}.",)

    def names_open(self, play: Table) -> bool:
        """Whether it is the heading of an episode that the entries above have begun, before its first scene."""
        episode = play.state.episode
        if episode is None or episode.over or episode.is_told or play.given or play.state.hole:
            return False
        return not any(segment.is_told or segment.scenes for segment in episode.segments)

    @guard("S13.7")
    def job_is_done(self, play: Table) -> Iterator[Violation]:
        state, episode = play.state, play.state.episode
        if episode is None or episode.over or self.names_open(play):
            return
        if state.phase is Phase.PUSH_DUE:
            yield forgotten_push(play)
        elif state.phase is not Phase.JOB_OVER and not state.hole and not play.given:
            yield Violation(
                f"a new episode begins, but the Job of episode {episode.number} is in Segment "
                f"{state.segment.number if state.segment else 1} of {LAST_SEGMENT}",
                facts=[play.because(episode.step, "that episode began here")],
                fix=mark_gap(),
                help="log the Segments that are missing above this entry",
                after=[FLOW],
            )

    @guard("S1.8")
    def tracks_before_are_done(self, play: Table) -> Iterator[Violation]:
        yield from before_first_job(play)

    def apply(self, play: Table) -> None:
        state, episode = play.state, play.state.episode
        if episode is not None and self.names_open(play):
            episode.title, episode.is_told = str(self.title or ""), True
            return
        if state.phase is Phase.PUSH_DUE:
            forget_push(play)
        finish_job(play)
        begin_episode(play, str(self.title or "")).is_told = True
        state.adrift, state.numbered = False, play.step.number


class IntroduceJob(Action):
    """The Handler introduces the Job, in the first scene of Segment 1."""

    verb = "job"
    synonyms = ("mission",)
    decides = Decides("handler", "S7.3")
    offered = Offered("S7.3", "introduce the Job", tries=("client",))
    example = "job: Dona Celeste wants her grandson back\n  client: Dona Celeste"
    words = main(TEXT, "the problem", text_role=TextRole.SENTENCE)
    client = option(label(NAME), "who asks for help")

    def sentence(self, play: Table) -> Sentence:
        return ("The Job.",)

    @guard("S1.8")
    def tracks_before_are_done(self, play: Table) -> Iterator[Violation]:
        if play.state.episode is None or play.state.episode.over:
            yield from before_first_job(play)

    @guard("S7.1", help="leave it out; above the next episode's Job stands  episode: a title")
    def one_job_an_episode(self, play: Table) -> Violation | None:
        episode = play.state.episode
        if episode is None or episode.over or not episode.job:
            return None
        facts = play.facts(episode.job_step, "introduced here")
        return Violation("this episode has its Job already; an episode has one", facts=facts)

    @guard("S7.3")
    def first_scene(self, play: Table) -> Violation | None:
        state, segment = play.state, play.state.segment
        episode = state.episode
        if state.hole or segment is None or (episode is not None and (episode.over or episode.job)):
            return None
        if segment.number == 1 and len(segment.scenes) <= 1:
            return None
        where = f", not in Segment {segment.number}" if segment.number > 1 else ""
        return Violation(
            f"the Job is introduced in the first scene of Segment 1{where}",
            facts=[play.because(segment.step, f"Segment {segment.number} began here")],
            since=number_unsure_since(play),
            after=[FLOW],
        )

    def apply(self, play: Table) -> None:
        episode = play.state.episode
        if episode is None or episode.over:
            episode = begin_episode(play)
            play.state.numbered = play.step.number
        episode.job, episode.client = str(self.words), str(self.client or "")
        episode.job_step = play.step.number
        message = f"{episode.client}: {episode.job}" if episode.client else episode.job
        play.event(message, "S7.3", "job")


class OpenSegment(Action):
    """Begin a Segment. Not needed: the first entry after the last one's end begins the next."""

    verb = "segment"
    synonyms = ("turn",)
    decides = Decides("table")
    offered = Offered("S8.2", "begin the next Segment")
    example = "segment: 4"
    number = main(WHOLE, "which of the seven", default=None)
    opposition = option(
        WHOLE,
        "Opposition dice on the table; you need not write this, Chronicle checks it",
        computed=True,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        yield {"segment": cls().expected(play)}

    def sentence(self, play: Table) -> Sentence:
        return (f"Segment {self.counted(play, self.expected(play))}.",)

    def names_open(self, play: Table) -> Segment | None:
        """The Segment that the entries above have begun, if this is its heading: no scene of it is framed yet."""
        segment = play.state.segment
        if segment is None or segment.is_told or segment.scenes or play.given:
            return None
        is_open = play.state.phase is Phase.OPENING and self.number in (None, segment.number)
        return segment if is_open else None

    def counted(self, play: Table, expected: int) -> int:
        """The number that the Segment gets, where ``expected`` is next."""
        slip = self.slip(play)
        # Alone it is a slip of the pen; after a mistake the log knows the number better.
        is_slip = (
            slip is not None
            and slip.cause is None
            and not slip.excuse
            and slip.kind is not DiagnosticKind.UNKNOWN
        )
        if self.number is None or (is_slip and expected <= LAST_SEGMENT):
            return expected
        return self.number

    def slip(self, play: Table) -> Diagnostic | None:
        """The report that this is not the next Segment."""
        return next((problem for problem in play.step.diagnostics if problem.code == "S7.5"), None)

    def expected(self, play: Table) -> int:
        """The number of the Segment that is next."""
        state, named = play.state, self.names_open(play)
        if named is not None:
            return named.number
        begins = state.phase in (Phase.SETUP, Phase.BETWEEN, Phase.JOB_OVER)
        over = state.episode is None or state.episode.over
        if play.given:
            return 1 if over else next_number(play)
        if state.phase is Phase.JOB_OVER and self.number is not None and self.number > LAST_SEGMENT:
            return next_number(play)
        if begins and not (state.hole and not over):
            return 1
        return next_number(play)

    @guard("S8.3", at="main")
    def earlier_ones_are_over(self, play: Table) -> Iterator[Violation]:
        state, segment = play.state, play.state.segment
        if play.given or self.names_open(play) is not None:
            return
        match state.phase:
            case Phase.SETUP | Phase.BETWEEN:
                if not (state.hole and state.episode is not None and not state.episode.over):
                    yield from before_first_job(play)
            case Phase.PUSH_DUE:
                yield forgotten_push(play)
            case Phase.SEGMENT_OVER | Phase.JOB_OVER:
                pass
            case Phase.OPENING if segment is None:
                pass
            case _ if not state.hole:
                dice_left = play.balance(OPPOSITION, OPPOSITION_DIE)
                yield Violation(
                    f"a new Segment begins too early: Segment {segment.number if segment else 1} has "
                    f"{plural(dice_left, 'Opposition die', 'Opposition dice')} left",
                    facts=[play.because(segment.step, "it began here")] if segment else [],
                    after=["opposition:", FLOW],
                    fix=mark_gap(),
                    help="log the scenes that are missing above this entry",
                )

    @guard("S7.5", at="main")
    def next_in_order(self, play: Table) -> Violation | None:
        number, expected = self.number, self.expected(play)
        if number is None or play.state.hole or play.given:
            return None
        if number == expected and number <= LAST_SEGMENT:
            return None
        segment = play.state.segment if expected > 1 else None
        return Violation(
            f"Segment {number} begins; Segment {expected} is next"
            if 1 <= number <= LAST_SEGMENT
            else f"a Job has seven Segments; there is no Segment {number}",
            facts=[play.because(segment.step, "the last one began here")] if segment else [],
            fix=set_key("segment", expected) if expected <= LAST_SEGMENT else (),
            since=number_unsure_since(play),
            after=[FLOW],
        )

    @guard("S1.8")
    def everybody_has_a_spy(self, play: Table) -> Iterator[Violation]:
        yield from without_spies(play)

    def apply(self, play: Table) -> None:
        named, slip = self.names_open(play), self.slip(play)
        if named is not None:
            segment = named
            if self.number is not None:
                play.state.numbered = play.step.number
                _is_whole(play)
        else:
            self.close_earlier(play)
            number = self.counted(play, next_number(play))
            segment = begin_segment(play, number, is_told=self.number is not None)
        segment.is_told = True
        play.settle(FLOW)
        if slip is not None and slip.kind is not DiagnosticKind.UNKNOWN:
            play.taint(FLOW)
        if self.opposition is not None and self.opposition != segment.start:
            _take_start(play, self.opposition, segment)

    def close_earlier(self, play: Table) -> None:
        """End the Segment that was played before."""
        state, episode = play.state, play.state.episode
        if play.given:
            if episode is None or episode.over:
                begin_episode(play)
            return
        match state.phase:
            case Phase.SETUP | Phase.BETWEEN:
                if not (state.hole and episode is not None and not episode.over):
                    begin_episode(play)
            case Phase.OPENING if state.segment is None:
                pass
            case Phase.JOB_OVER if self.number is not None and self.number > LAST_SEGMENT:
                pass
            case Phase.JOB_OVER:
                finish_job(play)
                begin_episode(play)
            case Phase.SEGMENT_OVER:
                pass
            case _:
                if state.phase is Phase.PUSH_DUE:
                    forget_push(play)
                abandon(play)
                close_segment(play)


def _take_start(play: Table, stated: int, segment: Segment) -> None:
    """S8.2: the Opposition dice at the start of a Segment, as the table counted them. They depend on who is in play
    once it has begun, so they are compared here."""
    if not play.given and not play.state.hole and stated != with_everybody(play):
        with_handler = stated == 2 * (segment.players + 1)
        play.report(
            DiagnosticKind.SUSPICIOUS if with_handler else DiagnosticKind.ILLEGAL,
            "S8.2",
            f"Segment {segment.number} starts with "
            f"{plural(segment.start, 'Opposition die', 'Opposition dice')}"
            f" (twice {plural(segment.players, 'player')}), not {stated}",
            at="opposition",
            is_certain=stated > most_at_start(play),
            fix=choose_reading("opposition_players", "yes") if with_handler else (),
            help=() if with_handler else "nothing is carried over from the Segment before",
        )
        play.taint("opposition:")
    play.adjust(OPPOSITION, str(max(0, stated)), OPPOSITION_DIE, "S8.2")
    segment.start = max(0, stated)


def next_number(play: Table) -> int:
    """The number of the Segment after the last one of this episode."""
    segment = play.state.segment
    return segment.number + 1 if segment else 1


def begin_segment(play: Table, number: int, *, is_told: bool = False) -> Segment:
    """S8.2: fresh Opposition dice, two for each player. Where the log does not tell that a Segment begins, a gap
    may hold its first scenes."""
    state = play.state
    is_fresh = is_told or not state.adrift
    if is_told or number_unsure_since(play) is None:
        state.numbered = play.step.number
    episode = state.episode or begin_episode(play)
    close_timeline(play)
    _stale_dice(play)
    state.spyless += unseated(play)
    players, start = dice_at_start(play)
    play.empty(OPPOSITION, BOX, OPPOSITION_DIE, "S8.2", "left over")
    state.carried, state.possible_left = 0, None
    why = f"twice {plural(players, 'player')}"
    play.move(BOX, OPPOSITION, start, OPPOSITION_DIE, "S8.2", why)
    segment = Segment(number, play.step.number, players, start, partial=state.hole)
    episode.partial = episode.partial or state.hole
    episode.segments.append(segment)
    session = play.step.session
    if session not in episode.sessions:
        episode.sessions.append(session)
    state.phase = Phase.OPENING
    state.scene = state.check = None
    state.adrift = False
    if is_fresh:
        _is_whole(play)
    for key in ("opposition:", "agency:", PUSHING):
        problem = play.tainted.get(key)
        if problem is not None and problem.step_number < play.step.number:
            play.settle(key)
    play.event(
        f"Segment {number} begins with {plural(segment.start, 'Opposition die', 'Opposition dice')}; "
        f"Job dice need {number + 1} or less",
        "S8.2",
        "segment",
    )
    return segment


def _is_whole(play: Table) -> None:
    """A Segment begins here with all its dice: no gap holds scenes of it."""
    state = play.state
    state.hole = state.opposition_unsure = state.pool_unsure = False
    state.possible_left = None


def _stale_dice(play: Table) -> None:
    """S9.6: no Segment Agency die outlives its Segment."""
    state = play.state
    dice_left = play.balance(POOL, AGENCY_DIE)
    if dice_left:
        state.last_pool = dice_left
        play.move(POOL, BOX, dice_left, AGENCY_DIE, "S9.6", "the Segment is over")
    for spy in state.cast.values():
        play.empty(f"agency:{spy.id}", BOX, AGENCY_DIE, "S9.6", "the Segment is over")


def close_segment(play: Table) -> None:
    """S8.3, S13.7: the Opposition is gone. Pushes and the number decide about the next phase."""
    state = play.state
    segment = state.segment
    if segment is None:
        return
    segment.over = segment.over or play.step.number
    # Only scenes of the Job are checked; below a gap, any other is possibly that of a mini segment.
    state.adrift = state.hole and not (state.scene is not None and is_checked(play, state.scene))
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


def close_timeline(play: Table, keep: int = 0) -> None:
    """A scene is over for the reader when something else begins; scene ``keep`` goes on."""
    scene = play.timeline.current
    while scene is not None and scene.number != keep:
        scene.last_step = max(scene.first_step, play.step.number - 1)
        scene = play.timeline.current
