"""The end of a Job, as the log tells it (track 18)."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.field_types import NAMES, TEXT, YES_NO, in_role
from chronicle.core.fix import AddItem, add_entry, make_fix
from chronicle.core.guards import Violation, guard, question
from chronicle.core.sentences import Sentence
from chronicle.core.telling import TextRole
from chronicle.games.slow_burn.keys import instead
from chronicle.games.slow_burn.people import ids_of, no_names
from chronicle.games.slow_burn.segments import (
    close_timeline,
    finish_job,
    forget_push,
    forgotten_push,
    missing_pushes,
)
from chronicle.games.slow_burn.state import FLOW, PUSHING, Episode, Phase, Table


class EndJob(Action):
    """The Job is done: tell its end. A spy who has not pushed in this episode pays for it."""

    verb = "end job"
    synonyms = ("finish job",)
    decides = Decides("table")
    moment = Moment(
        (Phase.BETWEEN, Phase.PUSH_DUE, Phase.JOB_OVER),
        Refusal(
            "S13.7",
            "the Job ends in Segment {segment}; it takes 7, each until its Opposition dice are gone",
            after=("opposition:", FLOW),
            any_gap=True,
        ),
        instead(
            (
                (Phase.SETUP,),
                Refusal("S18.1", "no Job is being played", fixes=(add_entry("segment: 1"),)),
            )
        ),
    )
    offered = Offered("S18.2", "tell how the Job ends; a spy who has not pushed pays")
    example = "end job: The boy is on the Azores ferry with his grandmother"
    words = main(TEXT, "how it ended", default=None, text_role=TextRole.SENTENCE)
    missed = option(
        in_role("missed", NAMES),
        "spies who pay for not pushing; checked, 'nobody' for none",
        computed=True,
        words=("nobody",),
    )
    lost = option(YES_NO, "yes, if the Job failed (the rules know no lost Job)")

    def sentence(self, play: Table) -> Sentence:
        return ("The Job is done.",)

    def ending(self, play: Table) -> Episode | None:
        """The episode whose Job ends; None if it had its end before."""
        episode = play.state.episode
        return None if episode is None or (episode.over and episode.closing) else episode

    @guard("S18.1")
    def told_once(self, play: Table) -> Violation | None:
        episode = play.state.episode
        if episode is None or self.ending(play) is not None:
            return None
        return Violation("this Job is done already", facts=[play.because(episode.over, "here")])

    @guard("S16.5")
    def push_is_played(self, play: Table) -> Iterator[Violation]:
        episode = self.ending(play)
        if episode is not None and not episode.over and play.state.phase is Phase.PUSH_DUE:
            yield forgotten_push(play)

    @question("S18.1", at="lost")
    def no_job_is_lost(self, play: Table) -> str | None:
        if not self.lost or self.ending(play) is None:
            return None
        return "the rules know no lost Job: after Segment 7 it counts as pulled off"

    def stated(self, play: Table) -> list[str]:
        """The spies who have not pushed, as it states them."""
        return [] if self.missed is None or no_names(self.missed) else ids_of(play, self.missed)

    @guard("S16.2", at="missed")
    def those_who_missed(self, play: Table) -> Iterator[Violation]:
        state, episode = play.state, self.ending(play)
        if self.missed is None or episode is None or (episode.over and episode.partial):
            return
        stated = self.stated(play)
        missing = (
            episode.missed if episode.over else [spy.id for spy in missing_pushes(play, stated)]
        )
        for id in stated:
            if state.cast[id].is_spy and id not in missing:
                push = next((push for push in state.recent_pushes() if push.spy == id), None)
                yield Violation(
                    f"{id} pushed in this episode and pays nothing, whatever came of it",
                    facts=[play.because(push.declared, "declared here")] if push else [],
                    after=[PUSHING, FLOW],
                )
        for id in missing:
            if id not in stated:
                yield Violation(
                    f"{id} has not pushed in this episode: one space back, one persistent Agency die more",
                    facts=[play.because(episode.step, "the episode began here")],
                    fix=make_fix(AddItem("missed", id), safe=True),
                    after=[PUSHING, FLOW],
                )

    def apply(self, play: Table) -> None:
        play.step.tell(self.words or None)
        episode = self.ending(play)
        if episode is None:
            return
        if not episode.over and play.state.phase is Phase.PUSH_DUE:
            forget_push(play)
        close_timeline(play)
        finish_job(play, None if self.missed is None else self.stated(play))
        play.state.adrift = False
        episode.closing = play.step.number
