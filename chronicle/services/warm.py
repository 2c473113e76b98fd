"""Everything that a desk will want, wanted once, so that a memory can be kept in which it is there."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Final

from chronicle.games import rulebooks
from chronicle.services.device import MemoryDesk

REQUESTS_AT_OPENING: Final = (
    {"ask": "open"},
    {"ask": "table"},
    {"ask": "log"},
    {"ask": "findings"},
    {"ask": "fit", "said": ""},
)
REPETITIONS: Final = 3
"""How often each evening is played: Python knows by then how its own code is mostly used."""


def warm_up(scratch_folder: Path) -> None:
    """Import the desk, every game and all of its optional rules, and play each game's first evening as a user
    does who opens a campaign; ``scratch_folder`` is a folder in which nothing is left of it."""
    memory_desk = MemoryDesk(scratch_folder)
    for game in rulebooks():
        for action_class in game.by_verb.values():
            game.plan_and_handler_by_verb[action_class]
        files = {file: text.encode() for file, text in game.new_campaign().items()}
        for _ in range(REPETITIONS):
            memory_desk.hold(game.name, files)
            for request in REQUESTS_AT_OPENING:
                answer = json.loads(memory_desk.ask(json.dumps({**request, "campaign": game.name})))
                assert "answer" in answer, answer
            memory_desk.hold(game.name, {})
    gc.collect()
    # The garbage collector need not look at these objects.
    gc.freeze()
