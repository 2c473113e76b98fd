"""Writing changes what was meant and nothing else."""

import pytest

from chronicle.core.source import Entries, Items
from chronicle.games import rulebook
from chronicle.transcript.edit import (
    EditRefused,
    add_ids,
    annotate,
    insert_entry,
    set_option,
    strip,
)
from chronicle.transcript.reader import read_text
from chronicle.transcript.reference import game_reference, shared_reference

TEXT = """session: 1   # the first
log:
# kept
- tell: Foo   # why
- {fine: Dave, by: Ed}
- say: |
    Ana: x #> not a remark
- roll: {Ana: -0, Bo: +1, Cy: [00, 007]}
  at: 12:30
- outcome:
    Dov:
    - tell: inner
- end turn:
"""


def _entry(text: str, index: int) -> Entries:
    tree = read_text(text, "x").tree
    assert isinstance(tree, Entries)
    log = tree["log"]  # type: ignore[index]
    assert isinstance(log, Items)
    entry = log[index]
    assert isinstance(entry, Entries)
    return entry


def test_remarks_come_and_go_and_leave_nothing() -> None:
    remarks = {("x", 4): "one", ("x", 5): "two", ("x", 6): "three", ("x", 12): "wide " * 40}
    once = annotate(TEXT, "x", remarks)
    assert once.count("#> ") >= 6
    assert "  #> two" in once
    assert strip(once, "x") == TEXT
    assert strip(TEXT, "x") == TEXT


def test_ids_are_unique_and_permanent() -> None:
    once = add_ids(TEXT + "- tell: Foo\n", "x", frozenset({"fine-dave"}))
    assert add_ids(once, "x") == once
    assert "id: tell-foo\n" in once
    assert "id: tell-foo-2\n" in once
    assert "{fine: Dave, by: Ed, id: fine-dave-2}" in once
    assert "{Ana: -0, Bo: +1, Cy: [00, 007]}" in once
    assert "Ana: x #> not a remark\n  id: say" in once


@pytest.mark.parametrize("value", ["-0", "+1", "00", "007", "1e3", "12:30", "no", "a: b #c", "-"])
def test_an_option_is_set_as_written(value: str) -> None:
    for index in range(6):
        after = set_option(TEXT, "x", _entry(TEXT, index), "by", value)
        assert _entry(after, index)["by"] == value  # type: ignore[index]


def test_entries_are_inserted_where_asked() -> None:
    assert insert_entry(TEXT, "x", "pass: Ana") == TEXT + "- pass: Ana\n"
    assert "# kept\n- pass:\n  by: Bo\n- tell" in insert_entry(TEXT, "x", "pass:\nby: Bo", 0)


def test_a_broken_file_is_left_alone() -> None:
    with pytest.raises(EditRefused):
        strip("log:\n- a: b: c\n", "x")


def test_the_reference_names_every_verb() -> None:
    rules = rulebook("positive")
    page = game_reference(rules)
    assert all(f"### {verb.verb}\n" in page for verb in rules.all_verbs)
    assert "house rules" in shared_reference()
