"""Entries from plain data to YAML and back."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from chronicle.desk.typed import data_of, entry_text
from chronicle.transcript.reader import read_text

LETTERS = st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\n\t\"'\\:#-{}[], ")
WORDS = st.text(LETTERS, min_size=1, max_size=12).filter(str.strip)
VALUES = st.recursive(
    WORDS,
    lambda values: (
        st.lists(values, min_size=1, max_size=3)
        | st.dictionaries(WORDS, values, min_size=1, max_size=3)
    ),
    max_leaves=5,
)


def lined(value: Any) -> Any:
    """A value without the spaces at the ends of its lines and the empty lines around it, which nobody
    sees and a text over several lines does not keep."""
    if isinstance(value, dict):
        return {lined(key): lined(one) for key, one in value.items()}
    if isinstance(value, list):
        return [*map(lined, value)]
    return "\n".join(row.rstrip() for row in value.strip("\n").split("\n"))


@given(st.dictionaries(st.sampled_from(["tell", "to", "comes true"]), VALUES, min_size=1))
def test_whatever_an_entry_holds_is_read_back_as_it_was(entry: dict[str, Any]) -> None:
    text = entry_text(entry)
    parsed = read_text(text, "")
    assert not parsed.problems, text
    assert parsed.tree is not None
    assert lined(data_of(parsed.tree)) == lined(entry), text
