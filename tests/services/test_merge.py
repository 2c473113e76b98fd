"""Two changes of one text."""

from hypothesis import given
from hypothesis import strategies as st

from chronicle.services.merge import current_line_number, merge_texts

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n"]), max_size=6).map("".join)


def test_changes_that_do_not_touch_are_made_one() -> None:
    assert merge_texts("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\ne\n") == "A\nb\nc\nD\ne\n"
    assert merge_texts("a\nb\n", "a\nx\nb\n", "a\ny\nb\n") is None
    assert merge_texts("a\nb\nc\n", "a\nc\n", "a\nB\nc\n") is None


@given(TEXTS, TEXTS)
def test_a_change_alone_wins(base: str, mine: str) -> None:
    assert merge_texts(base, mine, base) == mine == merge_texts(base, base, mine)
    assert merge_texts(base, mine, mine) == mine


@given(TEXTS, TEXTS, TEXTS)
def test_nobodys_line_is_lost(base: str, mine: str, theirs: str) -> None:
    """Numbered lines added on either side are all there afterwards."""
    our_text = mine + "mine\n" if mine.startswith(base) else mine
    both = merge_texts(base, "first\n" + base, base + theirs + "last\n") if base else None
    if both is not None:
        assert both == "first\n" + base + theirs + "last\n"
    assert current_line_number(base, our_text + "x\n", 10_000) is not None


def test_a_line_is_found_again() -> None:
    assert current_line_number("a\nb\nc\n", "x\na\nb\nc\n", 2) == 3
    assert current_line_number("a\nb\nc\n", "a\nB\nc\n", 2) is None
    assert current_line_number("a\nb\nc\n", "a\nB\nc\n", 3) == 3
