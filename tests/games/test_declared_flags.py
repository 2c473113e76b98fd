"""What programs know of a key is declared beside its words, and both say the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chronicle.core.declare import Field
from chronicle.core.shared_verbs import Arrive, Leave, Skip
from chronicle.games import GAMES, rulebook

COMPUTED = ("you need not write this, Chronicle checks it", "; checked")
"""How the words of a key say that Chronicle computes its value."""


def fields(game: str) -> Iterator[Field]:
    for verb in rulebook(game).by_verb.values():
        yield from (
            candidate for candidate in (verb.main, *verb.fields.values()) if candidate is not None
        )


@pytest.mark.parametrize("game", GAMES)
def test_a_key_that_is_checked_says_so(game: str) -> None:
    assert any(field.computed for field in fields(game))
    assert [
        field.doc
        for field in fields(game)
        if field.computed != any(words in field.doc for words in COMPUTED)
    ] == []


@pytest.mark.parametrize("game", GAMES)
def test_words_that_stand_for_names_are_told(game: str) -> None:
    for field in fields(game):
        assert [word for word in field.words if f"'{word}'" not in field.doc] == []


def test_the_words_of_a_key_do_not_decide_what_it_is() -> None:
    field = next(candidate for candidate in fields(next(iter(GAMES))) if candidate.computed)
    assert field._replace(doc="reworded").computed
    assert not Field(
        "x", "x", field.kind, "a figure; you need not write this", False, None
    ).computed


def test_keys_that_name_players_are_declared() -> None:
    mains = [verb.main for verb in (Arrive, Leave, Skip)]
    assert all(main is not None and main.names_players for main in mains)
