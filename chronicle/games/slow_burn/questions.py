"""The questions of the desk, by verb or by verb and key; with a colon, about the name given before (``{of}``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUESTIONS: Final[Mapping[str, str]] = {
    "spy": "What is the spy called?",
    "spy speciality": "What is the speciality of the spy?",
    "contacts": "Whose contacts are they?",
    "contacts:": "Which contacts does {of} have?",
    "contacts::": "What is the speciality of {of}?",
    "connections": "Which spies are connected?",
    "connections:": "How are the two spies connected?",
    "city": "Which city is it?",
    "arbitrate": "What was decided?",
    "envelope": "What does the token say?",
    "deal": "Who got an envelope?",
    "introduce": "Which spies are introduced?",
    "introduce:": "What does the token of {of} say?",
    "episode": "What is the episode called?",
    "job": "What is the problem?",
    "segment": "Which of the seven Segments?",
    "push": "Who pushes?",
    "scene": "Where is the scene?",
    "use": "Who uses something?",
    "use:": "Which resources does {of} use?",
    "end scene": "How does the scene end?",
    "check": "Who rolled what?",
    "check:": "What was rolled for {of}?",
    "spend token": "What does it look like in the story?",
    "implicate": "Who is implicated?",
    "implicate:": "What did {of} roll?",
    "ignore": "Who ignores it?",
    "answer": "Who responds?",
    "play push": "Who pushes?",
    "roll": "Who rolled what?",
    "roll:": "What was rolled for {of}?",
    "end job": "How does the job end?",
    "free": "Who is free?",
    "character": "What is the contact called?",
}
