"""The long example campaign of Universalis uses every core verb, tells at least every second entry, and is clean."""

from __future__ import annotations

from pathlib import Path

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import Strictness
from chronicle.games import rulebook

ROOT = Path(__file__).parents[3]
PACKAGE = "chronicle.games.universalis."


def test_the_long_example() -> None:
    record = run(load(ROOT / "sessions" / "the-lantern-coast"))
    assert record.campaign.strictness is Strictness.METICULOUS
    assert not record.diagnostics
    assert len({step.session for step in record.steps}) >= 3
    assert len(record.steps) >= 300
    modules = {verb.verb: verb.__module__ for verb in rulebook("universalis").handlers}
    verbs = {
        verb
        for verb, module in modules.items()
        if module.startswith(PACKAGE) and ".addons." not in module
    }
    assert len(verbs) > 40
    assert not verbs - {step.action.verb for step in record.steps}
    text_count = sum(step.action.text is not None for step in record.steps)
    assert 2 * text_count >= len(record.steps)
