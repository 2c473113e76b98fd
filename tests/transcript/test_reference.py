"""The reference shows only what holds."""

import re

import pytest

from chronicle.core.declare import Action
from chronicle.core.dice import D6, D10, FUDGE, read_faces
from chronicle.core.source import Entries, Items, Word
from chronicle.desk.shapes import shapes
from chronicle.games import GAMES, rulebook
from chronicle.transcript.decode import Decoder
from chronicle.transcript.problems import Problems
from chronicle.transcript.reader import read_text
from chronicle.transcript.reference import (
    DICE,
    SPECIMEN,
    TRAPS,
    Trap,
    game_reference,
    shared_reference,
)

HEAD = "session: 1\nlog:\n- "


def value(text: str) -> Word | Items | Entries:
    tree = read_text(f"a: {text}\n", "x").tree
    assert isinstance(tree, Entries)
    return tree[Word("a")]


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.wrong)
def test_every_trap_of_the_table_bites_and_its_answer_does_not(trap: Trap) -> None:
    assert [one.code for one in read_text(f"{HEAD}{trap.wrong}\n", "x").problems] == [trap.code]
    assert read_text(f"{HEAD}{trap.right}\n", "x").problems == []


def test_the_table_of_dice_holds() -> None:
    read = [
        " ".join(read_faces(value(typed), die))
        for (_, typed, _), die in zip(DICE, [D6, D10, D6, D6, FUDGE, FUDGE], strict=True)
    ]
    assert read == ["5", "4 10 2", "4 2 2", "1 6 6 2 6 4", "+ o -", "-"]


def test_the_specimen_is_read_without_a_word() -> None:
    parsed = read_text(SPECIMEN, "x")
    assert parsed.problems == []
    assert isinstance(parsed.tree, Entries)
    log = parsed.tree[Word("log")]
    assert isinstance(log, Items)
    for game in GAMES:
        found = Problems()
        actions = Decoder(rulebook(game).by_verb).entries(log, "x", 3, found)
        assert found == []
        assert len(actions) == len(log)


def test_the_shared_page_names_every_key_and_id() -> None:
    page = shared_reference(shapes)
    for name in Action.fields:
        assert f"| `{name}` |" in page
    assert "{#t11}" in page
    assert "#### tell" in page
    whole(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_is_whole(game: str) -> None:
    rules = rulebook(game)
    page = game_reference(rules, shapes)
    for verb in rules.by_verb.values():
        assert f"\n### {verb.verb}\n" in page
        for field in verb.fields.values():
            assert field.name in Action.fields or f"| `{field.name}` |" in page
    for name in rules.by_measure:
        assert f"| `{name}` |" in page
    for name in rules.own_verbs:
        anchor = re.search(rf"\[`{re.escape(name)}`\]\(#([\w-]+)\)", page)
        assert anchor is not None
        assert anchor[1] == name.replace(" ", "-")
    whole(page)


@pytest.mark.parametrize("game", GAMES)
def test_what_stands_in_braces_and_the_keys_of_all_verbs_are_told_once(game: str) -> None:
    page = game_reference(rulebook(game), shapes)
    tables = re.findall(r"(?m)^In braces after .*:\n\n((?:\|.*\n)+)", page)
    assert sorted(tables) == sorted(set(tables))
    assert tables or game not in ("fight-sphere", "universalis")
    of_all = page.split("\n## Its verbs\n")[1].split("\n### ")[0]
    for verb in rulebook(game).by_verb.values():
        for part in re.findall(r"stands what \[`[^`]+`\]\((#[\w-]+)\)", page):
            assert f"\n### {part[1:].replace('-', ' ')}\n" in page
        told = page.split(f"\n### {verb.verb}\n")[1].split("\n### ")[0]
        for name in verb.fields:
            key = f"| `{name}` |"
            assert name in Action.fields or (key in told) != (key in of_all and key not in told)


def whole(page: str) -> None:
    """Tables have as many cells in each row, fences close, nothing in braces is taken for an order."""
    assert page.count("```") % 2 == 0
    cells = 0
    inside = False
    for line in page.split("\n"):
        inside ^= line.startswith("```")
        if inside or not line.startswith("|"):
            cells = 0
            if not line.startswith("#"):
                assert inside or not re.search(r"[^`]\}$", line), line
            continue
        count = len(re.findall(r"(?<!\\)\|", line))
        assert cells in (0, count), line
        cells = count
        assert not re.search(r"[^`]\} \|", line), line
