"""The question about the place in a line where somebody types: one full sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from chronicle.core.declare import Action, Field
from chronicle.core.game_info import GameInfo
from chronicle.core.sentences import with_capital
from chronicle.words import MESSAGES, word

_OUTER_KEY: Final = re.compile(r"\{[^{}]*: (?=[{\[])")
_BRACKETS: Final = re.compile(r"[{}\[\]]")


def question_about(
    game: GameInfo,
    action_class: type[Action],
    field: Field,
    name_path: Sequence[str],
    part_field: Field | None,
) -> str:
    """The question about a field of a verb.

    Args:
        game: The game, whose own questions come first.
        action_class: The verb of the line.
        field: The field that is typed.
        name_path: The names in the value that lead to the place.
        part_field: The declared part of the value at the place, if it has one.

    Returns:
        A sentence. Without a question of the game, the name of the field with its description.
    """
    if part_field is not None:
        return _question_from_doc(name_path[-1], part_field.doc)
    is_main = field is action_class.main
    last_name = name_path[-1] if name_path else ""
    question_key = (action_class.verb if is_main else f"{action_class.verb} {field.name}") + (
        ":" if name_path else ""
    )
    if len(name_path) > 1 and f"{question_key}:" in game.questions:
        # A key inside the value of a name.
        question_key += ":"
    if question_key in game.questions:
        return game.questions[question_key].replace("{of}", last_name)
    shared_key = (
        question_key.replace(" ", "_").replace(":", "_of") if is_main else f"every_{field.name}"
    )
    if f"server.ask_{shared_key}" in MESSAGES:
        return word(f"server.ask_{shared_key}", of=last_name)
    return _question_from_doc(last_name or field.name, field.doc)


def _question_from_doc(field_name: str, doc: str) -> str:
    """A field without a question: its name, and the first part of its description."""
    description = _BRACKETS.sub("", _OUTER_KEY.sub("", doc)).split(";")[0].strip(" .")
    return f"{with_capital(field_name)}? {with_capital(description)}."
