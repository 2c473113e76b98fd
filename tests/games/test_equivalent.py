"""``tests/equivalent.txt`` names operators as they stand in the code today."""

from __future__ import annotations

import re

from chronicle.games import GAMES
from tests.operators import equivalent, folder_of, sites


def test_each_operator_of_the_list_exists() -> None:
    """A renamed variable would make an operator that comes to the same look like a missing case."""
    names = {
        site.name
        for game in GAMES
        for file in folder_of(game).rglob("*.py")
        for site in sites(game, file, file.read_text("utf-8"))
    }
    stale = [
        name
        for name in equivalent()
        if not (
            any(re.search(name[1:], other) for other in names)
            if name.startswith("~")
            else name in names
        )
    ]
    assert not stale
