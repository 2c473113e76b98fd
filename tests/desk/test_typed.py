"""Entries from plain data to YAML and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle.core.declare import Context, Misread
from chronicle.desk.typed import data_of, entry_in, entry_text, line_of, part_listed, things_in
from chronicle.games import GAMES, rulebook
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


@pytest.mark.parametrize(
    ("line", "things"),
    [
        (
            "Tom, character: ferryman, traits: old, deaf, prop: boat",
            ["Tom", {"character": "ferryman", "traits": ["old", "deaf"]}, {"prop": "boat"}],
        ),
        ("character: ferryman, Tom", [{"character": "ferryman"}, "Tom"]),
        (
            "character: ferryman, character: child",
            [{"character": n} for n in ("ferryman", "child")],
        ),
        (
            "{character: ferryman, traits: old}, Tom",
            [{"character": "ferryman", "traits": "old"}, "Tom"],
        ),
        (
            "sub: Guild, as: the Guild, group: two",
            {"sub": "Guild", "as": "the Guild", "group": "two"},
        ),
        ("Tom, Ada", ["Tom", "Ada"]),
    ],
)
def test_what_stands_and_what_is_new_are_listed_in_one_line(line: str, things: Any) -> None:
    verbs = rulebook("universalis").by_verb
    assert entry_in(f"introduce {line}", verbs) == {"introduce": things}
    entry = {"introduce": things}
    assert entry_in(line_of(entry, verbs), verbs) == entry


@pytest.mark.parametrize("game", GAMES)
def test_whatever_lists_mappings_lists_two_of_them_without_braces(game: str) -> None:
    """Of every key of every game that lists things made of keys: what stands apart begins another."""
    for verb in rulebook(game).by_verb.values():
        for key in filter(None, (verb.main, *verb.fields.values())):
            fields, apart = part_listed(key.kind)
            for one in apart:
                for other in apart:
                    things = things_in(key.kind, f"{one}: x, {other}: y")
                    assert [thing.keys for thing in things] == [(one,), (other,)], verb.verb
            if fields:
                (first, *_) = fields
                assert [t.keys for t in things_in(key.kind, f"{first}: x, {first}: y")] == [
                    (first,)
                ] * 2


def test_one_mapping_of_two_things_says_so() -> None:
    kind = rulebook("universalis").by_verb["location"].main
    assert kind is not None
    value = read_text("{place: quay, prop: boat}", "").tree
    assert value is not None
    with pytest.raises(Misread, match="'place' and 'prop' are two things"):
        kind.kind.read(value, Context(lambda items: []))
