"""The Stress Level between results (I59 to I61)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, Strictness
from chronicle.core.field_types import TEXT
from chronicle.core.fix import (
    BLANK,
    ReplaceWord,
    SetKey,
    drop_entry,
    make_fix,
    set_key,
    write_word,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import Decider
from chronicle.core.names import fold
from chronicle.core.play_field_types import CHANGE
from chronicle.core.sentences import Sentence
from chronicle.core.telling import TextRole
from chronicle.games.isolation.people import GM
from chronicle.games.isolation.phases import WHILE_RUNNING
from chronicle.games.isolation.state import LEVELS, StressChange, signed
from chronicle.games.isolation.table import Table, change_stress, known_before_gap

RULES = """
# Stress
I59 Stress at the start [checked; V47]
  The GM sets the Stress Level to 1, 2 or 3 at the start.
I60 Stress rises [checked; V48]
  An event raises Stress by one to three points. The log names the event.
I61 Stress falls [checked]
  Time or relief lowers Stress by one to three points.
I62 Stress and results [checked; V49]
  A Basic Success lowers Stress by one, a Complete Success by two. A Basic Failure raises it by one, a Complete Failure
  by two. Partial results do not change it.
I63 Stress 0 [checked; V50]
  At Stress 0 no roll is needed. All characters agree or refuse as they like, and most actions are a Basic Success.
  Chronicle points out dice that are rolled at 0.
"""

READINGS = """
IA18 stress_bounds: Can Stress fall below 0, or rise without limit?
  - zero: never below 0; no upper limit
  - open: it can fall below 0, which brings no dice
  because 0 is the lowest level that the text describes (I61, I62, I63)
"""

TERMS = """\
Stress [I59]: The tension that all characters share. Events raise and lower it, and it counts in the rolls.
"""

ACTORS: Mapping[str, Decider] = {"gm": GM}
MOST_AT_ONCE = 3
"""I60, I61: how far one event moves the Stress Level at most."""
AT_START = range(1, 4)
"""I59: the levels at which a scenario may start."""
_RESULT = ("result", "the result", "the roll", "success", "failure", "a success", "a failure")
"""Words for a result that do not say which level it has."""


class Stress(Action):
    """The GM raises or lowers the Stress Level because of an event."""

    verb = "stress"
    synonyms = ("tension", "panic")
    decides = Decides("gm", "I60")
    moment = WHILE_RUNNING
    offered = Offered("I60", "an event raises or lowers Stress", is_rare=True)
    example = "stress: up 2\n  for: something walks on the roof"
    change = main(CHANGE, "up or down by 1 to 3; a plain number states the level")
    for_ = option(
        TEXT, "the event, the relief, or the time that passed", text_role=TextRole.SENTENCE
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        number = len(play.steps)
        if play.state.stress < MOST_AT_ONCE:
            yield {"stress": f"up {1 + number % 2}", "for": f"something moves outside ({number})"}
        for points in range(1, min(MOST_AT_ONCE, play.state.stress) + 1):
            yield {"stress": f"down {points}", "for": f"the wind turns ({number})"}
        yield {"stress": "up 1", "for": f"a door bangs ({number})"}

    def sentence(self, play: Table) -> Sentence:
        points = self.points(play)
        if points is None:
            return (f"Stress is {self.change.new_value}.",)
        return (f"Stress {'rises' if points > 0 else 'falls'} by {abs(points)}.",)

    def points(self, play: Table) -> int | None:
        """The change of Stress in points; None if it states the level."""
        if self.change.difference is not None:
            return self.change.difference
        return None if self.for_ is None else (self.change.new_value or 0) - play.state.stress

    def stated(self, play: Table) -> int | None:
        """The figure that it states, if it differs from the figure that is due."""
        level, pending = self.change.new_value or 0, play.state.conflict
        due = play.state.stress
        if pending is not None and pending.level is not None and not pending.has_effect:
            # Wounds come first, but a keeper may note the new Stress before them.
            due = max(0, due + pending.stress_change)
        is_stated = self.points(play) is None and level not in (play.state.stress, due)
        return level if is_stated else None

    def rule(self, play: Table) -> str:
        """I60 where Stress rises, I61 where it falls."""
        return "I60" if (self.points(play) or 0) >= 0 else "I61"

    # Guards of an event or a relief.

    @guard("I60", at="main")
    def within_three_points(self, play: Table) -> Violation | None:
        points = self.points(play)
        if points is None or 1 <= abs(points) <= MOST_AT_ONCE:
            return None
        if self.change.difference is None and self._is_counted_anew(play):
            return None
        return Violation(
            f"one event moves Stress by one to three points, not by {abs(points)}",
            rule=self.rule(play),
            help="write one entry for each event" if abs(points) > MOST_AT_ONCE else (),
            after=["stress:"],
            doubts=["stress:"],
        )

    @question("I60")
    def has_a_reason(self, play: Table) -> Violation | None:
        if self.points(play) is None or self.for_ is not None:
            return None
        message = "Stress moves, and the record does not say why"
        return Violation(message, rule=self.rule(play), fix=set_key("for"))

    @guard("I62", at="for")
    def not_for_a_result(self, play: Table) -> Violation | None:
        """Chronicle changes Stress after a result; a second entry would count it twice."""
        conflict, reason = play.state.last, fold(self.for_ or "")
        if conflict is None or self.points(play) is None:
            return None
        words = reason.removeprefix("the ").removeprefix("a ")
        if words not in LEVELS and reason not in _RESULT:
            return None
        if not conflict.stress_change:
            message = f"a {conflict.level} does not change Stress"
        else:
            moved = signed(conflict.stress_change)
            message = f"the {conflict.level} has moved Stress by {moved} already"
        return Violation(
            message,
            facts=[play.because(conflict.result_step, str(conflict.level))],
            fix=drop_entry(),
            doubts=["stress:"],
        )

    @question("I60", at="for")
    def one_event_once(self, play: Table) -> Violation | None:
        """The same event in the same words, since the last proposal, in the same scene. Time can pass again (I61)."""
        earlier = self._same_event(play)
        if earlier is None:
            return None
        return Violation(
            f"'{self.for_}' has moved Stress before",
            facts=[play.because(earlier.step, f"{earlier.level} since here")],
            rule=self.rule(play),
            fix=drop_entry(when="if it is the same event"),
        )

    def _same_event(self, play: Table) -> StressChange | None:
        reason = fold(self.for_ or "")
        conflicts = play.state.conflicts
        last_proposal = conflicts[-1].step if conflicts else 0
        points, scene = self.points(play) or 0, play.timeline.current
        here = (play.step.session, scene.number if scene is not None else None)
        for change in play.state.stress_history if reason and points > 0 else ():
            former = play.steps[change.step - 1] if change.step else play.step
            is_event = change.kind == "event" and change.step > last_proposal
            is_here = (former.session, former.scene) == here
            if is_event and is_here and fold(change.why) == reason:
                return change
        return None

    # Guards of a figure.

    @guard("I59", at="main")
    def starts_at_one_to_three(self, play: Table) -> str | None:
        level = self.stated(play)
        if level is None or play.state.stress_history or play.given or level in AT_START:
            return None
        return f"the Stress Level starts at 1, 2 or 3, not at {level}"

    @guard("I61", DiagnosticKind.UNREADABLE, at="main")
    def is_a_level(self, play: Table) -> Violation | None:
        level = self.stated(play)
        if level is None or level >= 0:
            return None
        return Violation(f"there is no Stress Level {level}", fix=write_word(f"down {-level}"))

    @guard("I60", DiagnosticKind.BOOKKEEPING, at="main")
    def agrees(self, play: Table) -> Violation | None:
        level, history = self.stated(play), play.state.stress_history
        if level is None or level < 0 or not history or self._is_counted_anew(play):
            return None
        last, stress = history[-1], play.state.stress
        happened = f"{'up' if level > stress else 'down'} {abs(level - stress)}"
        return Violation(
            f"Stress is {stress}, not {level}: {last.why}",
            rule="I62" if last.kind == "result" else "",
            kind=DiagnosticKind.ILLEGAL if last.kind == "result" else None,
            facts=[play.because(last.step, f"{last.level} since here")],
            fix=[
                write_word(stress),
                make_fix(
                    ReplaceWord(happened),
                    SetKey("for", BLANK),
                    when="if something happened",
                    is_open=True,
                ),
            ],
            after=["stress:"],
            doubts=["stress:"],
        )

    def _is_counted_anew(self, play: Table) -> bool:
        """Whether the stated level counts because a gap may have changed the level. No player made a mistake then."""
        return known_before_gap(play, ["stress:"]) is not None

    def apply(self, play: Table) -> None:
        state, points = play.state, self.points(play)
        if points is None:
            self._settle(play)
            return
        rule, why = self.rule(play), str(self.for_ or "")
        kind = "event" if rule == "I60" else "relief"
        moved = change_stress(play, points, rule, kind, why or "unsaid")
        if self.change.difference is None:
            play.count("stress:")
        reason = f": {why}" if why else ""
        play.event(f"Stress {signed(moved)}, now {state.stress}{reason}", rule, "stress")

    def _settle(self, play: Table) -> None:
        """Take over a stated figure, if no other figure contradicts it."""
        level, history = self.stated(play), play.state.stress_history
        if level is None:
            play.event(f"Stress is {self.change.new_value}, as computed", kind="agrees")
            if (self.change.new_value or 0) == play.state.stress:
                play.count("stress:")
        elif level < 0:
            return
        elif not history:
            change_stress(play, level - play.state.stress, "I59", "start", "the start")
        elif self._is_counted_anew(play):
            former = f"was {play.state.stress}, and not all is recorded"
            change_stress(play, level - play.state.stress, "I60", "stated", "as stated")
            play.count("stress:")
            play.event(f"Stress is counted anew: {level} ({former})", kind="adjusted")
        elif play.campaign.strictness is Strictness.RELAXED:
            change_stress(play, level - play.state.stress, "I60", "stated", "as stated")
            play.settle("stress:")
