"""Legal moves that a game lists by itself (``options.py``), beside those that its law gives: what the law allows and
replays without a problem has to be offered, or stands in ``not_offered.txt`` with its reason. Verbs whose moves are
derived already (``offered``) are left out, so this holds for a game in any state of its move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.game import Game
from chronicle.core.law import Law
from chronicle.core.moves import lawful_entries
from chronicle.games import rulebook
from chronicle.syntax.decode import Decoder
from chronicle.testkit.random_play import entry_text, read_entry
from tests.games.test_law import LAWFUL, Situation, _stands

NOT_OFFERED = Path(__file__).parent / "not_offered.txt"
MOMENTS = 40
"""How many moments of random play are looked at in each game."""
TRIES = 3
"""How many entries of a verb are replayed at each of them."""
LEGAL = frozenset({DiagnosticKind.EXCUSED})


def listed(game: str) -> dict[str, str]:
    """The verbs of a game that need not be offered wherever they are legal, each with the reason."""
    lines = NOT_OFFERED.read_text("utf-8").splitlines()
    rows = (line.split(" | ") for line in lines if line and not line.startswith("#"))
    return {verb: reason for name, verb, reason in rows if name == game}


def legal_entries(situation: Situation, verb: type[Action], law: Law) -> Iterator[tuple[str, str]]:
    """Entries of a verb that are legal at a moment, as text, each with the player who acts."""
    replay = situation.replay()
    decoder = Decoder(replay.rulebook.by_verb)
    for typed, actor in islice(lawful_entries(replay.play, law, verb), TRIES):
        step = situation.replay().do(read_entry(entry_text(dict(typed)), decoder))
        if all(diagnostic.kind in LEGAL for diagnostic in step.diagnostics):
            yield str(typed), actor


@pytest.mark.parametrize("game", LAWFUL)
@pytest.mark.slow
def test_what_the_law_allows_is_offered(
    game: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stands = _stands(game, tmp_path_factory.getbasetemp() / f"derived-{game}")
    rules: Game[Any] = rulebook(game)
    law = rules.law
    assert law is not None
    by_hand = [rules.by_verb[name] for name in rules.own_verbs]
    by_hand = [verb for verb in by_hand if verb.offered is None]
    reasons = listed(game)
    missing: dict[str, str] = {}
    for situation in stands[:: max(1, len(stands) // MOMENTS)]:
        play = situation.replay().play
        if play.given or play.doubt is not None:
            continue
        options = rules.options(play)
        # A move of nobody in particular is open to everybody. Where the law names nobody who acts, it is
        # enough to offer the verb to somebody.
        open_to_all = {option.verb for option in options if not option.by}
        offered = {(option.verb, option.by) for option in options}
        offered |= {(option.verb, "") for option in options}
        for verb in by_hand:
            if verb.verb in missing:
                continue
            for typed, actor in legal_entries(situation, verb, law):
                if (verb.verb, actor) not in offered and verb.verb not in open_to_all:
                    missing[verb.verb] = f"{typed} by {actor or 'anybody'}, {situation.phase}"
    unlisted = {verb: where for verb, where in missing.items() if verb not in reasons}
    assert not unlisted, "offer them, or give the reason in not_offered.txt"


def test_the_list_gives_a_known_reason_for_verbs_of_the_games() -> None:
    """A verb whose moves are derived since may stay in the list until the game has moved."""
    text = NOT_OFFERED.read_text("utf-8")
    reasons = set(re.findall(r"^# `(.+?)`", text, re.MULTILINE))
    for game in LAWFUL:
        for verb, reason in listed(game).items():
            assert verb in rulebook(game).by_verb, (game, verb)
            assert reason in reasons, (game, verb)
