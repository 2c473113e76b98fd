"""Entries on one line, and as plain data, and back."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle.core.declare import Action
from chronicle.core.field_types import TEXT, Context
from chronicle.core.misread import Misread
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.games import GAMES, rulebook
from chronicle.services import nested
from chronicle.syntax.kinds import holds_entries, listed_part_fields
from chronicle.syntax.line_slots import Slot, find_slots
from chronicle.syntax.one_line import LineError, read_line, split_items, split_line, write_line
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_text import plain_data, write_entry
from tests.logs import Selection, write_cases, write_examples, write_random
from tests.sample import some

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
        return {lined(key): lined(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*map(lined, value)]
    return "\n".join(row.rstrip() for row in value.strip("\n").split("\n"))


@given(st.dictionaries(st.sampled_from(["tell", "to", "comes true"]), VALUES, min_size=1))
def test_whatever_an_entry_holds_is_read_back_as_it_was(entry: dict[str, Any]) -> None:
    text = write_entry(entry)
    parsed = read_text(text, "")
    assert not parsed.problems, text
    assert parsed.tree is not None
    assert lined(plain_data(parsed.tree)) == lined(entry), text


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
    assert read_line(f"introduce {line}", verbs) == {"introduce": things}
    entry = {"introduce": things}
    assert read_line(write_line(entry, verbs), verbs) == entry


@pytest.mark.parametrize("game", GAMES)
def test_whatever_lists_mappings_lists_two_of_them_without_braces(game: str) -> None:
    """Of every key of every game that lists things made of keys: what stands apart begins another."""
    for verb in rulebook(game).by_verb.values():
        for key in filter(None, (verb.main, *verb.fields.values())):
            fields, starting_keys = listed_part_fields(key.kind)
            for first_key in starting_keys:
                for second_key in starting_keys:
                    items = split_items(key.kind, f"{first_key}: x, {second_key}: y")
                    assert [item.keys for item in items] == [(first_key,), (second_key,)], verb.verb
            if fields:
                (first, *_) = fields
                assert [t.keys for t in split_items(key.kind, f"{first}: x, {first}: y")] == [
                    (first,)
                ] * 2


def test_one_mapping_of_two_things_says_so() -> None:
    kind = rulebook("universalis").by_verb["location"].main
    assert kind is not None
    value = read_text("{place: quay, prop: boat}", "").tree
    assert value is not None
    with pytest.raises(Misread, match="'place' and 'prop' are two things"):
        kind.kind.read(value, Context(lambda items: []))


def logged_entries(game: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Every entry of the cases and the play examples of a game, and of a few sessions at random."""
    selection = Selection(game, count=3)
    for write in (write_cases, write_examples, write_random):
        write(selection, folder / write.__name__)
    for file in sorted(folder.rglob("*.yaml")):
        tree = read_text(file.read_text(encoding="utf-8"), file.name).tree
        log = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
        for entry in log if isinstance(log, SequenceNode) else ():
            if isinstance(entry, MappingNode) and entry:
                yield plain_data(entry)


def holds_line_break(value: Any) -> bool:
    """Whether a text somewhere in a value goes over several lines."""
    if isinstance(value, dict):
        return any(map(holds_line_break, value.values()))
    if isinstance(value, list):
        return any(map(holds_line_break, value))
    return "\n" in str(value)


def is_misread(entry: dict[str, Any], verbs: Mapping[str, type[Action]]) -> bool:
    """Whether an entry has no verb, has a list where its game takes a text, or a text of blanks alone."""
    verb, *_ = *entry, ""
    fields = {**verbs[verb].fields, verb: verbs[verb].main} if verb in verbs else {}
    texts = [key for key, field in fields.items() if field is not None and field.kind is TEXT]
    return not fields or any(
        (not isinstance(value, str) and (key in texts or key not in fields))
        or (isinstance(value, str) and value.isspace())
        for key, value in entry.items()
    )


@pytest.mark.parametrize("game", some(GAMES, 2))
def test_entry_and_line_say_the_same(game: str, tmp_path: Path) -> None:
    """Entry, line, entry and line again. No line stands only for texts of several lines."""
    verbs = rulebook(game).by_verb
    lines = 0
    for entry in logged_entries(game, tmp_path):
        fields = {key: value for key, value in entry.items() if key != "text"}
        line = write_line(entry, verbs)
        if not line:
            assert holds_line_break(fields) or is_misread(fields, verbs), entry
            continue
        lines += 1
        reread = read_line(line, verbs)
        if not any(holds_entries(verbs[verb].main) for verb in fields if verb in verbs):
            assert reread == fields
        assert write_line(reread, verbs) == line
        assert lined(
            plain_data(read_text(write_entry(reread), "").tree or ScalarNode(""))
        ) == lined(reread)
        # The slots of a line lie at its end, and each has the text that stands there.
        for end in range(len(line) % 31, len(line) + 1, 31):
            for slot in slots_of(line[:end], verbs):
                assert line[slot.start : end] == slot.typed_text
    assert lines > 100


def slots_of(text: str, verbs: Mapping[str, type[Action]]) -> list[Slot]:
    """The places at the end of an unfinished line."""
    line = split_line(text, verbs)
    field = line.field(line.typed_fields[-1].key) if line is not None else None
    if line is None or field is None:
        return []
    return find_slots(field.kind, line.typed_fields[-1].text, line.typed_fields[-1].start)


@given(st.text(LETTERS, max_size=40), st.sampled_from(sorted(GAMES)), st.data())
def test_whatever_is_typed_is_an_entry_or_refused(
    text: str, game: str, data: st.DataObject
) -> None:
    """A line that can be read is written as a line that means the same."""
    verbs = rulebook(game).by_verb
    typed = f"{data.draw(st.sampled_from(sorted(verbs)))} {text}"
    slots_of(typed, verbs)
    nested.list_parts(typed, verbs)
    try:
        entry = read_line(typed, verbs)
    except LineError:
        return
    line = write_line(entry, verbs)
    assert not line or read_line(line, verbs) == entry


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("event 'Tis cold, by: Ana", {"event": "'Tis cold", "by": "Ana"}),
        ('event "No, by: the road", by: Ana', {"event": '"No, by: the road"', "by": "Ana"}),
        ("draw Joss: [old, deaf", {"draw": {"Joss": ["old", "deaf"]}}),
        ('draw Joss: ["a [b", c', {"draw": {"Joss": ["a [b", "c"]}}),
    ],
)
def test_quotes_and_open_brackets(line: str, entry: dict[str, Any]) -> None:
    """An apostrophe is no quote; a comma or a bracket in quotes is text; an open bracket ends with the line."""
    assert read_line(line, rulebook("universalis").by_verb) == entry
