"""A line that somebody made long on purpose takes no longer to read than any other text of its length."""

from collections.abc import Callable
from time import process_time

import pytest

from chronicle.cli.terminal import without_marks
from chronicle.core.pseudonyms import Pseudonyms
from chronicle.games import rulebook
from chronicle.services.editor.settings import _last_item
from chronicle.services.entry_effects import message_of_lacking_value
from chronicle.services.line_parts import without_last_key
from chronicle.syntax.importers import _mentions_roll
from chronicle.syntax.key_line import comment_start_in
from chronicle.syntax.one_line import match_name, split_line
from chronicle.syntax.remarks import remove_remarks, write_remarks
from chronicle.syntax.yaml_traps import without_comment

LONG = 80_000
"""At this length a regular expression with quadratic costs takes more than five seconds."""
MOST_SECONDS = 3.0

VERBS = rulebook("positive").by_verb
READERS: dict[str, Callable[[str], object]] = {
    "annotate": lambda text: write_remarks(
        f"log:\n- tell: x{text}x\n", "01.yaml", {("01.yaml", 2): "y"}
    ),
    "strip": lambda text: remove_remarks(f"log:\n- tell: x{text}x\n", "01.yaml"),
    "comment": comment_start_in,
    "value": without_comment,
    "rolls": _mentions_roll,
    "last item": _last_item,
    "last key": without_last_key,
    "pair": lambda text: match_name(f"a{text}"),
    "unsaid": lambda text: message_of_lacking_value(f"tell: {text}", VERBS),
    "line": lambda text: split_line(f"tell{text}, a{text}", VERBS),
    "unmarked": without_marks,
    "pseudonyms": Pseudonyms({"Ana Berg": "Kim", "Weiß": "Lee"}, language="de").replace_in_text,
}


@pytest.mark.parametrize(
    "piece", [" ", "\t", " x", ",", "[", "![", "ana ", "roll ", "_b", "é\u0301", "# "]
)
@pytest.mark.parametrize("reader", READERS)
def test_a_long_line_is_read_in_a_fair_time(reader: str, piece: str) -> None:
    text = piece * (LONG // len(piece))
    start = process_time()
    READERS[reader](text)
    assert process_time() - start < MOST_SECONDS


def test_a_line_without_its_last_key() -> None:
    for line, expected in (
        ("scene: x, by: Ana", "scene: x"),
        ("scene: x, by:", "scene: x"),
        ("roll: {Ana: 3", "roll: {"),
        ("tell x", "tell x"),
        ("tell: a, b", "tell: a, b"),
        ("tell: a", ""),
        ("a: b: c", "a:"),
        ("", ""),
    ):
        assert without_last_key(line) == expected, line
