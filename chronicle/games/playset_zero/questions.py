"""The questions of the desk, by verb or by verb and key; with a colon, about the name given before (``{of}``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUESTIONS: Final[Mapping[str, str]] = {
    "scenario": "What is the bad situation?",
    "discover": "What is discovered?",
    "character": "What is the character called?",
    "character concept": "What is the basic idea of the character?",
    "character features": "Which four Features does the character have?",
    "character main": "Which of the four is the Main Feature?",
    "character hint": "What hints at the Main Feature?",
    "character flaw": "What is the flaw of the character?",
    "scene": "Where and when is the scene?",
    "enter": "Who comes in?",
    "exit": "Who leaves?",
    "end scene": "How does the scene end?",
    "end scenario": "What are the last words?",
    "conflict": "What is uncertain?",
    "conflict asks": "Who is asked to roll?",
    "goal": "What does the character try to achieve?",
    "danger": "What is the danger?",
    "danger:": "Which danger does {of} name?",
    "roll": "What did the dice show?",
    "roll:": "What did {of} show?",
    "spend": "What do the dice pay for?",
    "spend:": "Which die pays for {of}?",
    "outcome": "How did it go?",
    "mark": "What was stupid, desperate or irrational?",
    "offer": "What would the character do?",
    "offer to": "Who would do it?",
    "new feature": "What is the new Feature?",
    "turn flaw": "Which positive Feature takes its place?",
    "magic": "Which Feature is it?",
    "help": "What is helped?",
    "hinder": "What is hindered?",
}
