"""The questions of the desk, by verb or by verb and key; with a colon, about the name given before (``{of}``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUESTIONS: Final[Mapping[str, str]] = {
    "world": "What was it like there?",
    "gladiator": "What is the Gladiator called?",
    "choose": "Which Gladiator is played?",
    "inhabitant": "What is the inhabitant called?",
    "trade": "Whose drive changes?",
    "trade because": "What led to it in play?",
    "layer": "Which Layer is it, by its number?",
    "layer episodes": "Which Episodes are there, and who is in them?",
    "truce": "Which two Gladiators make a truce?",
    "end truce": "Which two Gladiators end their truce?",
    "scene": "What is the scene about?",
    "encounter": "Who is met?",
    "stake": "Who stakes what?",
    "stake:": "What does {of} stake?",
    "roll": "Who rolled what?",
    "roll:": "What did {of} roll?",
    "back": "Who backs whom?",
    "back:": "Whom does {of} back, with how many dice?",
    "disengage": "Who tries to leave?",
    "betray": "Who is betrayed?",
    "reward": "What is the reward?",
    "cut scene": "Which Gladiator is shown?",
    "resume": "Which Gladiator comes back?",
    "lose": "Whose Relationships lose points?",
    "lose:": "Which Relationships of {of} lose points?",
    "fall": "Who falls?",
    "survivors": "Who lives on?",
    "end scene": "How does the scene end?",
    "epilogue": "How does it all end?",
}
