"""Tries the choices for a line, and says which of them would be wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, Protocol

from chronicle.services.choices import EXACT_MATCH, rank_choices
from chronicle.services.line_parts import without_last_key
from chronicle.services.position import Position
from chronicle.syntax.one_line import ParsedLine, close_brackets

Answer = dict[str, Any]

MOST_TRIED_NAMES: Final = 8
"""How many names are tried in a line before they are offered."""


class _TriedLine(Protocol):
    """A line of which others are tried in its place."""

    position: Position
    line: str

    @property
    def parsed_line(self) -> ParsedLine | None: ...

    def find_errors(self, line: str, lowest_severity: str = "error") -> dict[str, str]: ...

    def find_faults(self, line: str) -> set[str]: ...

    def is_whole(self, line: str) -> bool: ...


def _problems_in_every_line(problems_by_line: Sequence[Collection[str]]) -> set[str]:
    """The problems that each of some tried lines has; none without a line."""
    return set.intersection(*map(set, problems_by_line)) if problems_by_line else set()


class ChoiceTrials:
    """Tries the choices for a line, and bars those that would be wrong.

    Args:
        tried_line: The line, which tries others in its place.
        answer: The choices, which are changed.
    """

    def __init__(self, tried_line: _TriedLine, answer: Answer) -> None:
        self.line, self.parsed_line = tried_line.line, tried_line.parsed_line
        self.position = tried_line.position
        self.find_errors, self.find_faults = tried_line.find_errors, tried_line.find_faults
        self.is_whole = tried_line.is_whole
        self.answer = answer

    def bar_typed_word(self, typed_word: str, other_line: str) -> None:
        """Add the word that ends the line as a choice that is barred, if another word would be right."""
        # A number may get more digits, and the line lacks the same either way.
        line_with_more_digits = f"{self.line}0" if typed_word.isdigit() else self.line
        errors, errors_with_other, errors_with_more_digits = (
            self.find_errors(close_brackets(tried_line))
            for tried_line in (self.line, other_line, line_with_more_digits)
        )
        error_key = next(
            (
                key
                for key in errors
                if key in errors_with_more_digits and key not in errors_with_other
            ),
            "",
        )
        if error_key and not any(choice["kind"] == "new" for choice in self.answer["choices"]):
            barred_choice = {
                "line": self.line,
                "caret": len(self.line),
                "label": typed_word,
                "note": "",
            }
            barred_choice |= {
                "hint": "",
                "kind": "value",
                "eligible": False,
                "why": errors[error_key],
            }
            barred_choice |= {"chosen": False, "met": EXACT_MATCH}
            self.answer["choices"].insert(0, barred_choice)

    def bar_actors(self) -> None:
        """Bar actors who may not do what the line does, although another one may."""
        actor_choices = [choice for choice in self.answer["choices"] if choice["kind"] == "name"][
            :MOST_TRIED_NAMES
        ]
        problems_by_actor = [
            self.find_faults(close_brackets(choice["line"])) for choice in actor_choices
        ]
        shared_problems = _problems_in_every_line(problems_by_actor)
        if any(problems <= shared_problems for problems in problems_by_actor):
            for choice, problems in zip(actor_choices, problems_by_actor, strict=True):
                if own_problems := sorted(problems - shared_problems):
                    choice.update(eligible=False, why=own_problems[0])
        rank_choices(self.answer, self.line)

    def put_legal_first(self, text_before_caret: str) -> None:
        """Put the names and words with which the line breaks a rule behind those with which it breaks none."""
        choices = [
            choice
            for choice in self.answer["choices"]
            if choice["kind"] in ("name", "value") and choice["eligible"] and not choice["chosen"]
        ][:MOST_TRIED_NAMES]
        problems_by_choice: list[set[str]] = []
        for choice in choices:
            problems = self.find_faults(close_brackets(choice["line"]))
            if not (problems or problems_by_choice or self.position.is_end):
                # In the middle of a log a trial takes longer: a first choice that is right is enough.
                return
            problems_by_choice.append(problems)
        shared_problems = _problems_in_every_line(problems_by_choice)
        wrong_lines = {
            choice["line"]
            for choice, problems in zip(choices, problems_by_choice, strict=True)
            if problems - shared_problems
        }
        if 0 < len(wrong_lines) < len(choices):
            rank_choices(self.answer, text_before_caret, wrong_lines)

    def bar_names(self, text_before_caret: str, actor: str, barred_names: set[str]) -> None:
        """Bar the actor of the line, and the names that cannot follow the others in it (``barred_names``), if
        they would be wrong there."""
        name_choices = [
            choice
            for choice in self.answer["choices"]
            if choice["kind"] in ("name", "next") and choice["eligible"] and not choice["chosen"]
        ]
        suspect_choices = [
            choice
            for choice in name_choices
            if choice["label"] in barred_names
            or (actor and actor in (choice["label"], choice["note"]))
        ]
        allowed_choice = next(
            (choice for choice in name_choices if choice not in suspect_choices), None
        )
        if (
            allowed_choice is None
            or self.answer["key"] == "by"
            or allowed_choice["line"].endswith(": ")
        ):
            return
        ignored_errors = self.find_errors(
            close_brackets(allowed_choice["line"]), lowest_severity="warning"
        )
        for choice in suspect_choices[:MOST_TRIED_NAMES]:
            errors = self.find_errors(close_brackets(choice["line"]), lowest_severity="warning")
            error_key = next((key for key in errors if key not in ignored_errors), "")
            if error_key:
                messages = (
                    message for message in errors.values() if message not in ignored_errors.values()
                )
                choice.update(eligible=False, why=next(messages, errors[error_key]))
        rank_choices(self.answer, text_before_caret)

    def bar_unsure_names(self, unsure_names: set[str]) -> None:
        """Bar the ``unsure_names`` names that would be wrong: the problem names them, or it is a problem neither of
        all of them nor of the line without them."""
        name_choices = [
            choice
            for choice in self.answer["choices"]
            if choice["kind"] in ("name", "next")
            and choice["eligible"]
            and choice["label"] in unsure_names
        ][:MOST_TRIED_NAMES]
        if not name_choices:
            return
        lowest_severity = (
            "warning" if self.parsed_line and self.parsed_line.verb.about_table else "error"
        )
        errors_by_choice = [
            self.find_errors(close_brackets(choice["line"]), lowest_severity)
            for choice in name_choices
        ]
        shorter_line = without_last_key(self.line)
        closed_line = close_brackets(shorter_line)
        if shorter_line != self.line and self.is_whole(closed_line):
            ignored_errors = {*self.find_errors(closed_line)}
        else:
            ignored_errors = _problems_in_every_line(errors_by_choice)
        for choice, errors in zip(name_choices, errors_by_choice, strict=True):
            own_error_keys = (
                key for key in errors if key not in ignored_errors or choice["label"] in errors[key]
            )
            error_key = next(own_error_keys, "")
            if error_key:
                choice.update(eligible=False, why=errors[error_key])
        rank_choices(self.answer, self.line)
