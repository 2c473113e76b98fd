"""Formulas: what they give, how a bad one is told, and that a hostile one ends."""

from __future__ import annotations

import sys
from time import process_time

import pytest

from chronicle.core.formula import (
    LARGEST_NUMBER,
    NUMBER,
    TEXT,
    YES_NO,
    Answer,
    FormulaSyntaxError,
    NoAnswer,
    evaluate_formula,
)
from chronicle.core.formula_text import parse_formula

NEWER = sys.version_info >= (3, 14)
"""Whether Python itself points at the ``else`` that nothing follows."""
VALUES: dict[str, Answer] = {"players": 4, "wealth": 17, "who": "Ana", "calm": True}
SORTS = {"players": NUMBER, "wealth": NUMBER, "who": TEXT, "calm": YES_NO}


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("12 if players <= 3 else 8 if players == 4 else 6", 8),
        ("max(1, wealth // 5) - 1", 2),
        ("min(players, 3, wealth)", 3),
        ("abs(3 - wealth) % 5", 4),
        ("-players + 10", 6),
        ("8 if who == 'ana' else 5", 8),
        ("3 if 2 < players < 5 and not (wealth > 20 or calm == no) else 0", 3),
        ("  players\n  + 1 ", 5),
    ],
)
def test_what_a_formula_gives(text: str, gives: int) -> None:
    assert evaluate_formula(parse_formula(text, SORTS, NUMBER), VALUES.__getitem__) == gives


@pytest.mark.parametrize(
    ("text", "said", "stretch"),
    [
        ("12 if plyers < 3 else 8", "no name 'plyers' here; did you mean 'players'?", "plyers"),
        ("8 + wealth ** 2", "there are no powers", "wealth ** 2"),
        ("wealth / 2", "a share has to be a whole number", "wealth / 2"),
        ("1.5", "only whole numbers", "1.5"),
        ("players + who", "this gives a word, and a number is asked for", "who"),
        ("'é' == who", "this gives yes or no, and a number is asked for", "'é' == who"),
        ("8 if who == 'é' else open('x')", "'open' is nothing that can be called", "open('x')"),
        ("who.upper", "this has no place in a formula", "who.upper"),
        ("[1 for a in 'x']", "this has no place in a formula", "[1 for a in 'x']"),
        ("12 if players <= 3 else", "this is no formula: ", "e" if NEWER else "1"),
        ("players if who < 'b' else 2", "a word is not compared with a word like this", "'b'"),
        ("max()", "max takes other numbers than these", "max()"),
    ],
)
def test_a_bad_formula_is_told_where_it_is_bad(text: str, said: str, stretch: str) -> None:
    with pytest.raises(FormulaSyntaxError) as wrong:
        parse_formula(text, SORTS, NUMBER)
    assert said in wrong.value.message
    assert text[wrong.value.start : wrong.value.end] == stretch


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9",
        "9" * 399,
        "(" * 199 + "1" + ")" * 199,
        "-" * 399 + "1",
        "not " * 99 + "calm",
        "+".join(["1"] * 199),
        "9" * 100_000,
        "(lambda: 1)()",
        "__import__('os').system('true')",
        "'a' * 999999999",
        "1\x00",
        "\ud800",
        "max(*[1])",
        "players if (players := 3) else 2",
        "f'{players}'",
        "1 if yes else 2 #",
    ],
)
def test_a_hostile_formula_is_refused_at_once_or_gives_a_bounded_number(text: str) -> None:
    started = process_time()
    try:
        value = evaluate_formula(parse_formula(text, SORTS, NUMBER), VALUES.__getitem__)
    except (FormulaSyntaxError, NoAnswer):
        pass
    else:
        assert -LARGEST_NUMBER <= int(value) <= LARGEST_NUMBER
    assert process_time() - started < 1


def test_numbers_stay_small_however_they_are_multiplied() -> None:
    with pytest.raises(NoAnswer, match="too large"):
        evaluate_formula(
            parse_formula("*".join(["999999999"] * 40), SORTS, NUMBER), VALUES.__getitem__
        )
    with pytest.raises(NoAnswer, match="divides by 0"):
        evaluate_formula(parse_formula("1 // (players - 4)", SORTS, NUMBER), VALUES.__getitem__)
