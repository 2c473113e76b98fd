"""What is open: questions that a log asks, and the entries by which they were answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Question(NamedTuple):
    """A question that somebody asked in the log, at a step. ``about`` are the ids of those whom it is
    about, ``of`` is the step that left it open, if another did."""

    words: str
    step: int
    about: tuple[str, ...] = ()
    of: int = 0


@dataclass(slots=True, eq=False)
class Questions:
    """Every question of a log, and what answered what."""

    asked: list[Question] = field(default_factory=list)
    answered: dict[int, int] = field(default_factory=dict)
    """Steps that left something open, each with the step that closed it."""

    def unanswered(self) -> list[Question]:
        """The questions that nothing has answered."""
        return [one for one in self.asked if not self.closed(one.step) and not self.closed(one.of)]

    def at(self, step: int) -> Questions:
        """The questions as they stood after a step."""
        return Questions(
            [one for one in self.asked if one.step <= step],
            {left: by for left, by in self.answered.items() if by <= step},
        )

    def closed(self, step: int) -> int:
        """The step that answered what another left open; 0 if none did."""
        return self.answered.get(step, 0)

    def named(self, step: int) -> Question | None:
        """The question that puts into words what a step left open."""
        return next((one for one in self.asked if one.of == step), None)
