"""The questions of the desk, by verb or by verb and key; with a colon, about the name given before (``{of}``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUESTIONS: Final[Mapping[str, str]] = {
    "scenario": "Which small, cut-off place is it?",
    "character": "What is the character called?",
    "green": "Which two are linked?",
    "green:": "What do {of} like in each other?",
    "red": "Which two are linked?",
    "red:": "What stands between {of}?",
    "map": "Is the map done?",
    "erase": "Whose link is erased?",
    "erase:": "Which link of {of} is erased?",
    "scene": "What is the scene called?",
    "end scene": "How does the scene end?",
    "out": "Who leaves?",
    "end scenario": "What are the last words?",
    "propose": "What is proposed?",
    "propose ask": "Who is asked?",
    "propose against": "Against whom?",
    "withdraw": "What is said?",
    "roll": "Who rolled what?",
    "roll:": "What did {of} roll?",
    "difficulty": "How hard is it?",
    "stance": "Who takes which stance?",
    "stance:": "Which stance does {of} take?",
    "motive": "Who has a motive?",
    "motive:": "Why and how does {of} act?",
    "result": "How well does it go?",
    "wounds": "Who is wounded?",
    "wounds:": "By how many levels is {of} wounded?",
    "death": "Who died?",
    "pair rolls": "Which two roll?",
    "pair rolls:": "What did {of} roll, and choose?",
    "recover": "Who recovers?",
    "recover:": "Which level does {of} recover?",
    "stress": "How does the Stress change?",
    "stress for": "Why does it change?",
}
