"""What whole evenings come to, held in a few letters (``tests/evenings.py``)."""

from __future__ import annotations

import pytest

from chronicle.games import GAMES
from tests.conftest import SOAK
from tests.evenings import SEEDS, SOME, in_letters, kept_in


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_evenings_come_to_the_same(game: str) -> None:
    held = kept_in(game).read_text("utf-8").splitlines()
    played = in_letters(game, SEEDS if SOAK else SOME)
    other = [line for line in played.splitlines() if line not in held]
    assert not other, (
        f"'{other[0].partition(' ')[2]}' comes to something else: python -m tests.evenings {game} shows it, "
        "here and in a checkout of before; if it is meant, python -m tests.golden evenings"
    )
