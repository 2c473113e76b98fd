"""Legal moves that are derived from verbs and their law."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load
from chronicle.core.declare import Action, Offered, main, required
from chronicle.core.dice import D6
from chronicle.core.field_types import NAME, TEXT, MapOf, in_role
from chronicle.core.game_context import GameContext
from chronicle.core.law import Law, Role
from chronicle.core.moves import SAMPLE_PHRASES, legal_moves, usual_candidates
from chronicle.core.names import PLAYER
from chronicle.core.play_field_types import faces
from chronicle.core.replay import Replay, entries_from
from chronicle.games import rulebook

LAW = Law(roles={"player": Role("a player", kinds=(PLAYER,), resolves_to=PLAYER)})


class Whisper(Action):
    """Whisper something."""

    verb = "whisper"
    offered = Offered("P1", "whisper")
    words = main(TEXT, "the words")


class Shout(Action):
    """Shout something."""

    verb = "shout"
    offered = Offered("P1", "shout", weight=1)
    words = main(TEXT, "the words")


class Toast(Action):
    """Say something to somebody."""

    verb = "toast"
    words = main(MapOf(in_role("player", NAME), TEXT), "words to players")


class Wager(Action):
    """A key whose role does not make it a name."""

    verb = "wager"
    offered = Offered("P1", "wager")
    dice = main(in_role("player", faces(D6)), "the faces")
    words = required(TEXT, "the words")


@pytest.fixture
def play(tmp_path: Path) -> GameContext[Any]:
    """A table before its first entry."""
    (tmp_path / "campaign.yaml").write_text(
        "game: positive\ntitle: x\nplayers: [Ana, Bo, Cy, Dee]\n"
    )
    (tmp_path / "01.yaml").write_text("session: 1\nlog:\n- tell: They sit down\n")
    replay: Replay[Any] = Replay(load(tmp_path), rulebook("positive"))
    for _, action in entries_from(replay):
        replay.do(action)
    return replay.play


def test_a_verb_of_a_higher_weight_is_proposed_first(play: GameContext[Any]) -> None:
    assert [move.verb for move in legal_moves(play, LAW, (Whisper, Shout))] == ["shout", "whisper"]
    assert [move.verb for move in legal_moves(play, LAW, (Whisper, Toast))] == ["whisper"]


def test_a_text_within_a_mapping_is_guessed(play: GameContext[Any]) -> None:
    first = next(usual_candidates(play, LAW, Toast))
    assert first == {"toast": {"Ana": SAMPLE_PHRASES[0]}}


def test_a_guess_that_its_key_cannot_read_is_no_move(play: GameContext[Any]) -> None:
    assert legal_moves(play, LAW, (Wager,)) == []
