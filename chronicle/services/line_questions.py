"""The question about the place in a line where somebody types: one full sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from chronicle.core.declare import Action, Field
from chronicle.core.game import Game
from chronicle.words import MESSAGES, word

_OUTER_KEY: Final = re.compile(r"\{[^{}]*: (?=[{\[])")
_BRACKETS: Final = re.compile(r"[{}\[\]]")


def question(
    game: Game, verb: type[Action], field: Field, path: Sequence[str], part: Field | None
) -> str:
    """The question about a field of a verb.

    Args:
        game: The game, whose own questions come first.
        verb: The verb of the line.
        field: The field that is typed.
        path: The names in the value that lead to the place.
        part: The declared part of the value at the place, if it has one.

    Returns:
        A sentence. Without a question of the game, the name of the field with its description.
    """
    if part is not None:
        return _described(path[-1], part.doc)
    is_main = field is verb.main
    of = path[-1] if path else ""
    key = (verb.verb if is_main else f"{verb.verb} {field.name}") + (":" if path else "")
    if len(path) > 1 and f"{key}:" in game.questions:
        # What stands within the value of a name.
        key += ":"
    if key in game.questions:
        return game.questions[key].replace("{of}", of)
    shared_key = key.replace(" ", "_").replace(":", "_of") if is_main else f"every_{field.name}"
    if f"server.ask_{shared_key}" in MESSAGES:
        return word(f"server.ask_{shared_key}", of=of)
    return _described(of or field.name, field.doc)


def _described(name: str, doc: str) -> str:
    """A field without a question: its name, and the first part of its description."""
    words = _BRACKETS.sub("", _OUTER_KEY.sub("", doc)).split(";")[0].strip(" .")
    return f"{name[:1].upper()}{name[1:]}? {words[:1].upper()}{words[1:]}."
