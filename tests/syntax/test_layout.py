"""One layout: what a file says stays what it was, a second time changes nothing, comments stay."""

from __future__ import annotations

import os
import re
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle.campaigns import find_campaigns, load
from chronicle.cli import main
from chronicle.core.source import MappingNode
from chronicle.games import GAMES, rulebook
from chronicle.syntax import layout
from chronicle.syntax.layout import MAX_LINE_WIDTH, format_layout
from chronicle.syntax.reader import read_text
from chronicle.syntax.text_edit import EditRefused, comments_in, tree_of
from tests.conftest import ROOT
from tests.core.test_growth import lines
from tests.fuzz.corpus import corpus
from tests.fuzz.mutants import Mutator

EXAMPLES = find_campaigns(ROOT / "sessions")
VERBS = frozenset({"tell", "event", "buy", "draw", "roll", "fact", "outcome"})


def log(text: str) -> str:
    return f"session: 1\nlog:\n{dedent(text)}"


@pytest.mark.parametrize(
    ("typed", "laid"),
    [
        ("-   tell:   It rains\n", "- tell: It rains\n"),
        ("  - tell: It rains\n    by: Ana\n", "- tell: It rains\n  by: Ana\n"),
        ("- by: Ana\n  tell: It rains\n", "- tell: It rains\n  by: Ana\n"),
        (
            "- buy: 1\n  note: dear\n  text: |\n    She pays.\n  to: Bo\n  by: Ana\n",
            "- buy: 1\n  by: Ana\n  to: Bo\n  text: |\n    She pays.\n  note: dear\n",
        ),
        ("- roll: { Ana:  [3,8],Bo: [ 7 ] }\n", "- roll: {Ana: [3, 8], Bo: [7]}\n"),
        ("- roll:\n      Ana: [3]\n      Bo: [7]\n", "- roll:\n    Ana: [3]\n    Bo: [7]\n"),
        ("- tell: 'It rains'\n", '- tell: "It rains"\n'),
        ("- tell: '\"Halt\", she says'\n", "- tell: '\"Halt\", she says'\n"),
        ('- tell: "one\\ntwo\\n"\n', "- tell: |\n    one\n    two\n"),
        ("- tell: a\n\n\n\n- tell: b   \n\n\n", "- tell: a\n\n- tell: b\n"),
        ("\n\n- tell: a\n", "- tell: a\n"),
        ("    # night\n- tell: a  # why\n", "# night\n- tell: a  # why\n"),
        ("- tell: a\n  # his dice\n  by: Bo\n", "- tell: a\n  # his dice\n  by: Bo\n"),
        ("- outcome:\n    Ana:\n        - fact: x\n", "- outcome:\n    Ana:\n    - fact: x\n"),
    ],
)  # fmt: skip
def test_the_layout(typed: str, laid: str) -> None:
    assert format_layout(log(typed), "01.yaml", VERBS) == log(laid)


def test_long_lines_are_folded_and_brackets_become_lines() -> None:
    words = " ".join(["rain"] * 60)
    formatted = format_layout(
        log(f"- tell: {words}\n- roll: {{{', '.join(f'p{n}: {n}' for n in range(40))}}}\n"),
        "",
        VERBS,
    )
    assert max(map(len, formatted.splitlines())) <= MAX_LINE_WIDTH
    assert "- tell: >-\n    rain rain" in formatted
    assert "- roll:\n    p0: 0\n    p1: 1\n" in formatted


def test_a_text_of_the_players_is_not_touched() -> None:
    text = log("- tell: |\n      A line   with spaces  \n\n       and more\n  by: Ana\n")
    formatted = format_layout(text, "", VERBS)
    assert tree_of(formatted, "") == tree_of(text, "")


def test_a_comment_that_would_move_keeps_its_entry_as_typed() -> None:
    typed = "- text: x # of the text\n  tell: a # of the tell\n"
    formatted = format_layout(log(typed), "", VERBS)
    assert comments_in(formatted, "") == ["of the text", "of the tell"] or typed in formatted
    assert sorted(formatted.split()) == sorted(log(typed).split())


@pytest.mark.parametrize(
    "text", ["session: 1\nlog: [{tell: x}]\n", "a: [\n", "- x\n", "session: 1\nlog:\n- tell: 'x\n"]
)
def test_what_cannot_be_laid_out_is_refused(text: str) -> None:
    with pytest.raises(EditRefused):
        format_layout(text, "01.yaml", VERBS)


def test_line_ends_stay_those_of_the_file() -> None:
    formatted = format_layout("session: 1\r\nlog:\r\n-  tell: x\r\n", "", VERBS)
    assert formatted == "session: 1\r\nlog:\r\n- tell: x\r\n"


def sound(text: str, path: str, verbs: frozenset[str]) -> bool:
    """Whether it was laid out, after holding that it reads as before and stays as it is."""
    try:
        formatted = format_layout(text, path, verbs)
    except EditRefused:
        return False
    parsed_before, parsed_after = read_text(text, path), read_text(formatted, path)
    assert parsed_before.tree == parsed_after.tree
    assert comments_in(formatted, path) == comments_in(text, path)
    assert {problem.code for problem in parsed_after.problems} <= {
        problem.code for problem in parsed_before.problems
    }
    assert formatted == text or format_layout(formatted, path, verbs) == formatted
    return True


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_the_play_examples_say_the_same_afterwards(folder: Path) -> None:
    verbs = frozenset(rulebook(load(folder).game).by_verb)
    for file in sorted(folder.glob("*.yaml")):
        assert sound(file.read_text(encoding="utf-8"), str(file), verbs)


@pytest.mark.parametrize("game", GAMES)
def test_a_fresh_campaign_is_laid_out_already(game: str) -> None:
    rules = rulebook(game)
    for name, text in rules.new_campaign().items():
        if name.endswith(".yaml"):
            assert format_layout(text, name, frozenset(rules.by_verb)) == text


@pytest.mark.integration
def test_whatever_is_typed_says_the_same_afterwards() -> None:
    mutator = Mutator(corpus())
    count = int(os.environ.get("CHRONICLE_LAID", "80"))
    verbs = {game: frozenset(rulebook(game).by_verb) for game in GAMES}
    laid = 0
    for number in range(count):
        files = mutator.make(5, number).files()
        # A mutant is laid out in the words of its own game, as an editor does it; of none, if it lost it.
        game_line = re.search(rb"^game: (\w[\w ]*)$", files.get("campaign.yaml", b""), re.MULTILINE)
        game_verbs = verbs.get(game_line[1].decode().strip() if game_line else "", frozenset())
        for name, data in files.items():
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                continue
            laid += sound(text, name, game_verbs)
    assert laid > count


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["tell", "by", "note", "buy", "end session", "to"]),
            st.text("aZ09 .,;!?'()-:#é", max_size=MAX_LINE_WIDTH),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_plain_words_are_taken_as_they_would_be_written(pairs: list[tuple[str, str]]) -> None:
    """What is not written and read anew is what would come of that."""
    lines = [f"{key}: {words}" for key, words in pairs]
    piece = "\n".join([*lines, ""])
    for verbs in ((), VERBS):
        if layout._is_standard_layout(lines, verbs):
            assert layout._reshape_section(piece, verbs or None) == piece


def test_plain_entries_are_laid_out_at_about_the_speed_of_reading() -> None:
    """Written and read anew one by one they took some eighty times as long as reading them."""
    text = log("".join(f"- reveal: marit-know{n}\n  by: Ana\n" for n in range(2_000)))
    read = lines(lambda: tree_of(text, ""))
    assert lines(lambda: format_layout(text, "", VERBS)) < 15 * read


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [ A,B, C, D ]\n")
    (tmp_path / "01.yaml").write_text("session: 1\nlog:\n-  tell: It rains\n")
    (tmp_path / "02.yaml").write_text("session: 2\nlog:\n- tell: 'It rains\n")
    text_before = (tmp_path / "02.yaml").read_text()
    assert main(["fmt", str(tmp_path), "--check"]) == 1
    assert "01.yaml would change" in capsys.readouterr().out
    assert (tmp_path / "01.yaml").read_text().endswith("-  tell: It rains\n")
    assert main(["fmt", str(tmp_path), "--diff"]) == 1
    assert "+- tell: It rains" in capsys.readouterr().out
    assert main(["fmt", str(tmp_path)]) == 1, "one file is left alone, and that is said"
    captured = capsys.readouterr()
    assert "02.yaml" in captured.err
    assert (tmp_path / "02.yaml").read_text() == text_before
    assert (tmp_path / "01.yaml").read_text() == "session: 1\nlog:\n- tell: It rains\n"
    assert (
        tmp_path / "campaign.yaml"
    ).read_text() == "game: positive\ntitle: t\nplayers: [A, B, C, D]\n"
    (tmp_path / "02.yaml").unlink()
    assert main(["fmt", str(tmp_path), "--check"]) == 0
    assert isinstance(tree_of((tmp_path / "01.yaml").read_text(), ""), MappingNode)
