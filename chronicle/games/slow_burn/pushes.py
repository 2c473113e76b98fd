"""Declaring a push for freedom at the beginning of a Segment (track 16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.field_types import NAMES, in_role
from chronicle.core.guards import Violation, guard, question
from chronicle.core.ranges import UNKNOWN
from chronicle.core.sentences import Sentence, said
from chronicle.games.slow_burn.casting import without_spy
from chronicle.games.slow_burn.people import characters, ids_of
from chronicle.games.slow_burn.segments import before_segment, begin_next_segment, next_number
from chronicle.games.slow_burn.state import (
    FLOW,
    LAST_SEGMENT,
    PUSHING,
    Phase,
    Push,
    Table,
    in_play,
)


class DeclarePush(Action):
    """Declare at the beginning of a Segment that spies push for freedom at its end."""

    verb = "push"
    synonyms = ("freedom", "declare")
    decides = Decides("player", "S16.3a")
    moment = Moment(
        (
            Phase.SETUP,
            Phase.BETWEEN,
            Phase.OPENING,
            Phase.SEGMENT_OVER,
            Phase.PUSH_DUE,
            Phase.JOB_OVER,
        ),
        Refusal(
            "S16.3a",
            "a push is declared at the beginning of a Segment; Segment {segment} has gone on to "
            "its scenes",
            help="declare it when the next Segment begins",
            after=(FLOW,),
        ),
    )
    offered = Offered("S16.3a", "declare a push for freedom")
    example = "push: Wren"
    spies = main(in_role("pushes", NAMES), "the spies who push")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        declared = () if cls().opens_segment(play) else play.state.pushing()
        yield from ({"push": spy.id} for spy in in_play(play) if spy.id not in declared)

    def sentence(self, play: Table) -> Sentence:
        return said("{} will push for freedom.", ids_of(play, self.spies) or UNKNOWN)

    def opens_segment(self, play: Table) -> bool:
        """Whether a Segment begins with this entry."""
        return play.state.phase is not Phase.OPENING or play.state.segment is None

    def declared(self, play: Table) -> dict[str, int]:
        """Who pushes in this Segment once it is declared, with the entries."""
        segment = play.state.segment
        earlier = segment.pushes if segment is not None and not self.opens_segment(play) else {}
        return {**earlier, **dict.fromkeys(ids_of(play, self.spies), play.step.number)}

    @guard("S8.3", at="main")
    def segment_can_begin(self, play: Table) -> Iterator[Violation]:
        yield from before_segment(play)

    @question("S16.1", at="main")
    def once_an_episode(self, play: Table) -> Iterator[Violation]:
        episode = play.state.episode
        if episode is None or episode.over or play.state.phase is Phase.JOB_OVER:
            return
        for id in ids_of(play, self.spies):
            earlier = [push for push in play.state.recent_pushes() if push.spy == id]
            if earlier and play.ruling("push_limit") == "once":
                facts = [play.because(earlier[0].declared, "the first push was declared here")]
                yield Violation(f"{id} has pushed in this episode; once is all", facts=facts)

    @guard("S16.5", at="main")
    def not_in_the_last(self, play: Table) -> str | None:
        segment = play.state.segment
        over = play.state.phase in (Phase.BETWEEN, Phase.JOB_OVER)
        number = 1 if over or segment is None else segment.number
        if self.opens_segment(play) and not over:
            number = next_number(play)
        if number != LAST_SEGMENT or play.ruling("push_in_last") != "not-allowed":
            return None
        return "at this table nobody pushes in Segment 7"

    @guard("S16.4", at="main")
    def somebody_stays(self, play: Table) -> Violation | None:
        active = in_play(play)
        spies = [spy for spy in active if spy.is_spy]
        declared = self.declared(play)
        if not spies or any(spy.id not in declared for spy in spies) or len(spies) < len(active):
            return None
        if len(spies) == 1 and play.ruling("last_spy_push") == "allowed":
            return Violation(
                f"{spies[0].id} pushes, and there is no other spy to stay on the Job",
                since=0 if without_spy(play) else None,
                kind=DiagnosticKind.SUSPICIOUS,
            )
        return Violation(
            "every spy pushes; at least one has to stay on the Job",
            facts=[play.because(step, f"{id} declared it here") for id, step in declared.items()],
            since=0 if without_spy(play) else None,
            help="somebody pushes in a later Segment",
        )

    def apply(self, play: Table) -> None:
        state = play.state
        spies = characters(play, self.spies)
        if self.opens_segment(play):
            begin_next_segment(play)
        segment, episode = state.segment, state.episode
        if segment is None or episode is None:
            return
        for spy in spies:
            segment.pushes[spy.id] = play.step.number
            state.pushes.append(Push(spy.id, episode.number, segment.number, play.step.number))
            play.event(
                f"{spy.id} is off the Job until the Segment ends", "S16.3b", "declares", spy.id
            )
        if any(problem.code in ("S16.1", "S16.3a", "S16.4") for problem in play.step.diagnostics):
            play.taint(PUSHING)
