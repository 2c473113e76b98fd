"""The questions of the desk, by verb or by verb and key; with a colon, about the name given before (``{of}``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUESTIONS: Final[Mapping[str, str]] = {
    "cast": "Who plays whom?",
    "cast:": "Whom does {of} play?",
    "host": "Who is the host?",
    "accuser": "Who accuses?",
    "scene": "Where and when is the scene?",
    "end scene": "How does the scene end?",
    "barge in": "Who barges in?",
    "apology": "What is said?",
    "call": "What happened instead?",
    "call against": "Whose statement is disputed?",
    "back down": "Who backs down?",
    "match": "What is the other version?",
    "back": "Who backs whom?",
    "back:": "Whom does {of} back?",
    "roll": "Who rolled what?",
    "roll:": "What did {of} roll?",
    "ejection": "How does it happen?",
    "end game": "What are the last words?",
    "gain": "Who gains dice?",
    "gain:": "How many dice does {of} gain?",
    "lose": "Who loses dice?",
    "lose:": "How many dice does {of} lose?",
}
