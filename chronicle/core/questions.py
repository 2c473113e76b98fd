"""Open questions of a log, and the entries that answered them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from chronicle.core.timeline import StepNumber


class Question(NamedTuple):
    """A question in the log, at a step. ``subjects`` has the ids of its subjects; ``left_open_by`` is the step that
    left the question open, if another step did."""

    words: str
    step_number: int
    subjects: tuple[str, ...] = ()
    left_open_by: StepNumber = 0


@dataclass(slots=True, eq=False)
class Questions:
    """Every question of a log, and the answers."""

    questions: list[Question] = field(default_factory=list)
    answer_by_step: dict[int, int] = field(default_factory=dict)
    """Steps that left a question open, each with the step that answered it."""

    def unanswered(self) -> list[Question]:
        """The questions without an answer."""
        return [
            question
            for question in self.questions
            if not self.answering_step(question.step_number)
            and not self.answering_step(question.left_open_by)
        ]

    def as_of(self, step_number: int) -> Questions:
        """The state of the questions after a step."""
        return Questions(
            [question for question in self.questions if question.step_number <= step_number],
            {
                question_step: answer_step
                for question_step, answer_step in self.answer_by_step.items()
                if answer_step <= step_number
            },
        )

    def answering_step(self, step_number: int) -> int:
        """The step that answered the question left by a step; 0 if none did."""
        return self.answer_by_step.get(step_number, 0)

    def question_left_by(self, step_number: int) -> Question | None:
        """The question that a step left open, in words."""
        return next(
            (question for question in self.questions if question.left_open_by == step_number), None
        )
