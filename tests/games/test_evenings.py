"""What whole evenings come to, held in a few letters (``tests/evenings.py``)."""

from __future__ import annotations

import pytest

from chronicle.games import GAMES
from tests.evenings import in_letters, kept_in


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_evenings_come_to_the_same(game: str) -> None:
    held = kept_in(game).read_text("utf-8").splitlines()
    other = [line for line in in_letters(game).splitlines() if line not in held]
    assert not other, (
        f"'{other[0].partition(' ')[2]}' comes to something else: python -m tests.evenings {game} shows it, "
        "here and in a checkout of before; if it is meant, python -m tests.golden evenings"
    )
