"""Each rule that a log can break has three cases: one that keeps it, one that breaks it, and one that breaks it at a
second verb. Where there is no second verb, ``one_verb.txt`` in the folder of the game gives the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.core.rules import RuleClass
from chronicle.games import GAMES, rulebook
from tests.games.three_cases import proofs_of, reasons_in

FOLDER = Path(__file__).parent
PROVED = [game for game in GAMES if (FOLDER / game.replace("-", "_") / "one_verb.txt").is_file()]


@pytest.mark.integration
@pytest.mark.parametrize("game", PROVED)
def test_each_rule_is_kept_and_broken_at_each_door(game: str) -> None:
    reasons = reasons_in(FOLDER / game.replace("-", "_") / "one_verb.txt")
    proofs = proofs_of(game)
    missing: list[str] = []
    for rule in rulebook(game).registry().rules:
        if rule.kind is RuleClass.RECORDED:
            continue
        proof = proofs[rule.id]
        if rule.kind is RuleClass.COMPUTED and not proof.verbs:
            continue  # no log contradicts it
        if not proof.kept:
            missing.append(f"{rule.id}: no case keeps it (name one '{rule.id} ...')")
        if rule.kind is RuleClass.CHECKED and not proof.verbs:
            missing.append(f"{rule.id}: no case breaks it")
        if len(proof.verbs) < 2 and rule.id not in reasons:
            missing.append(f"{rule.id}: broken at {sorted(proof.verbs)} only, without a reason")
        if len(proof.verbs) > 1 and rule.id in reasons:
            missing.append(f"{rule.id}: broken at {sorted(proof.verbs)}; one_verb.txt lists it")
    assert not missing, "\n".join(missing)
