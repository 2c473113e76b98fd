"""Writing changes what was meant and nothing else."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.core.source import MappingNode, SequenceNode
from chronicle.games import rulebook
from chronicle.syntax.edit import (
    add_ids,
    change_entry,
    drop_option,
    insert_entry,
    set_option,
    set_text,
)
from chronicle.syntax.edit_head import add_pair_to_mapping
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.reader import read_text
from chronicle.syntax.reference import game_reference, shared_reference
from chronicle.syntax.remarks import remove_remarks, write_remarks
from chronicle.syntax.reshape import find_indents, reshape
from chronicle.syntax.text_edit import EditRefused, comments_in

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


def _entry(text: str, index: int) -> MappingNode:
    tree = read_text(text, "x").tree
    assert isinstance(tree, MappingNode)
    log = tree["log"]  # type: ignore[index]
    assert isinstance(log, SequenceNode)
    entry = log[index]
    assert isinstance(entry, MappingNode)
    return entry


def test_remarks_come_and_go_and_leave_nothing() -> None:
    remarks = {("x", 4): "one", ("x", 5): "two", ("x", 6): "three", ("x", 12): "wide " * 40}
    once = write_remarks(TEXT, "x", remarks)
    assert once.count("#> ") >= 6
    assert "  #> two" in once
    assert remove_remarks(once, "x") == TEXT
    assert remove_remarks(TEXT, "x") == TEXT


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
        text_after = set_option(TEXT, "x", _entry(TEXT, index), "by", value)
        assert _entry(text_after, index)["by"] == value  # type: ignore[index]


def test_entries_are_inserted_where_asked() -> None:
    assert insert_entry(TEXT, "x", "pass: Ana") == TEXT + "- pass: Ana\n"
    assert "# kept\n- pass:\n  by: Bo\n- tell" in insert_entry(TEXT, "x", "pass:\nby: Bo", 0)


def test_a_broken_file_is_left_alone() -> None:
    with pytest.raises(EditRefused):
        remove_remarks("log:\n- a: b: c\n", "x")


def test_the_reference_names_every_verb() -> None:
    rules = rulebook("positive")
    page = game_reference(rules)
    assert all(f"### {name}\n" in page for name in rules.by_verb)
    assert "house rules" in shared_reference()


SESSIONS = sorted(
    file
    for folder in find_campaigns(Path(__file__).parents[2] / "sessions")
    for file in folder.glob("*.yaml")
    if file.name != "campaign.yaml"
)

SHAPES = """session: 1
log:
  # before the first
  - tell: Foo # why
  - {fine: Dave, by: Ed}  # Dave pays
  - {roll: {Ana: -0, Bo: [+1, 00, '-', 007]},
     at: 12:30,   # half past
     no: 1e3}
  - outcome:
      Dov:
        - tell: inner  # deep
        - {cancel: {Ana: 2}}
      # between
      Ana:
        - trait: {Ines: 422}
    note: "one
      two"
  - say: |
      Ana: a #b
      Bo: #> no remark
  - tell: >-
      folded
      text
  - scene: 'The ''pump'' house'
    with:
      - Ana
      - Bo

  # before the last
  - end turn:
summary: below the log
"""
LOUD = "won 3 : 1 and pays " + "a very long remark that wraps " * 8


def _log(text: str) -> SequenceNode:
    tree = read_text(text, "x").tree
    assert isinstance(tree, MappingNode)
    log = tree["log"]  # type: ignore[index]
    assert isinstance(log, SequenceNode)
    return log


def _comments(text: str) -> list[str]:
    return [line.partition("# ")[2].strip() for line in text.split("\n") if "# " in line]


def _everywhere(text: str, words: str) -> dict[tuple[str, int], str]:
    """A remark for every entry, in the text as it stands."""
    return {("x", entry.line): words for entry in _all_entries(text)}


def _all_entries(text: str) -> list[MappingNode]:
    entries: list[MappingNode] = []
    waiting = [item for item in _log(text) if isinstance(item, MappingNode)]
    while waiting:
        entry = waiting.pop()
        entries.append(entry)
        for value in entry.values():
            for inner in value.values() if isinstance(value, MappingNode) else [value]:
                if isinstance(inner, SequenceNode):
                    waiting += [item for item in inner if isinstance(item, MappingNode)]
    return entries


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("words", ["Dov wins 10", LOUD, "a # b: c"])
def test_every_shape_takes_a_remark_and_gives_it_back(newline: str, words: str) -> None:
    text = SHAPES.replace("\n", newline)
    once = write_remarks(text, "x", _everywhere(text, words))
    assert once.count("#>") >= len(_all_entries(text)) + 1
    assert write_remarks(once, "x", _everywhere(once, words)) == once
    assert write_remarks(once, "x", _everywhere(once, "new")) == write_remarks(
        text, "x", _everywhere(text, "new")
    )
    assert remove_remarks(once, "x") == text
    assert write_remarks(once, "x", {}) == text
    assert all(len(line) <= 100 for line in once.splitlines() if "#>" in line)


def test_a_comment_of_ones_own_is_never_touched() -> None:
    remarks = {("x", entry.line): "so" for entry in _all_entries(SHAPES)}
    once = write_remarks(SHAPES, "x", remarks)
    assert _comments(once) == _comments(SHAPES)
    assert "  - tell: Foo # why\n" in once


@pytest.mark.parametrize("value", ["x", "-0", "00", "no", "a: b #c", "'twas", "two\nlines\n"])
@pytest.mark.parametrize("name", ["id", "by", "note", "with", "at"])
def test_an_option_is_set_in_entries_of_every_shape(name: str, value: str) -> None:
    for index in range(len(_all_entries(SHAPES))):
        entry = _all_entries(SHAPES)[index]
        try:
            text_after = set_option(SHAPES, "x", entry, name, value)
        except EditRefused:
            assert "\n" in value
            continue
        changed = _all_entries(text_after)[index]
        assert changed[name] == value  # type: ignore[index]
        assert _comments(text_after) == _comments(SHAPES)
        fields_kept = {k: v for k, v in changed.items() if k != name}
        assert fields_kept == {k: v for k, v in entry.items() if k != name}
        assert "[+1, 00, '-', 007]" in text_after


def test_a_text_of_several_lines_replaces_a_block() -> None:
    entry = _all_entries(SHAPES)[-1]
    text_after = set_option(SHAPES, "x", entry, "note", "one\n\ntwo -0\n")
    assert "    note: |\n" in text_after
    say = next(candidate for candidate in _all_entries(SHAPES) if "say" in candidate)
    text_after = set_option(SHAPES, "x", say, "say", "Ana: b\nBo: c\n")
    assert "  - say: |\n      Ana: b\n      Bo: c\n  - tell: >-\n" in text_after


def test_ids_for_every_shape() -> None:
    once = add_ids(SHAPES, "x")
    assert all("id" in entry for entry in _log(once) if isinstance(entry, MappingNode))
    assert add_ids(once, "x") == once
    assert _comments(once) == _comments(SHAPES)


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_specimens_survive_every_tool(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    remarks = {("x", entry.line): f"{entry.line} : -0" for entry in _all_entries(text)}
    once = write_remarks(text, "x", remarks)
    assert once != text
    assert remove_remarks(once, "x") == remove_remarks(text, "x")
    named = add_ids(text, "x")
    assert [line for line in named.splitlines() if line in set(text.splitlines())]
    reshaped = reshape(text, find_indents(_log(text)), lambda data: None)
    assert read_text(reshaped, "x").tree == read_text(text, "x").tree
    grown = insert_entry(text, "x", "tell: one more\nby: Ana", 1)
    assert len(_log(grown)) == len(_log(text)) + 1
    assert _log(insert_entry(text, "x", "tell: last"))[-1] == {"tell": "last"}


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("session: 1\nlog:\n", "session: 1\nlog:\n- pass: Ana\n"),
        ("session: 1\nlog:   # soon\nnote: x", "session: 1\nlog:   # soon\n- pass: Ana\nnote: x\n"),
        ("session: 1\nlog: [{tell: -0}]\n", "session: 1\nlog: [{tell: -0}, {pass: Ana}]\n"),
        ("log:\r\n  - gap:\r\n", "log:\r\n  - gap:\r\n  - pass: Ana\r\n"),
        ("log:\n- gap:\nnote: x\n", "log:\n- gap:\n- pass: Ana\nnote: x\n"),
    ],
)
def test_an_entry_finds_its_place_in_logs_of_every_shape(text: str, after: str) -> None:
    assert insert_entry(text, "x", "pass: Ana") == after


@pytest.mark.parametrize("entry", ["- a list", "a: b: c", "", "just words"])
def test_what_is_no_entry_is_not_inserted(entry: str) -> None:
    with pytest.raises(EditRefused):
        insert_entry("log:\n- gap:\n", "x", entry)


def test_an_entry_of_another_text_is_refused() -> None:
    with pytest.raises(EditRefused):
        set_option("log:\n- tell: b\n", "x", _entry("log:\n- tell: a\n", 0), "by", "Ana")
    with pytest.raises(EditRefused):
        insert_entry("session: 1\n", "x", "tell: a")


@pytest.mark.parametrize(
    ("text", "named", "grown"),
    [
        (
            "log:\n- say: |\n    Ana: x",
            "log:\n- say: |\n    Ana: x\n  id: say-ana-x\n",
            "log:\n- say: |\n    Ana: x\n- gap:\n",
        ),
        (
            "log:\n- say: |\n    Ana: x\n\n\n# end\n",
            "log:\n- say: |\n    Ana: x\n  id: say-ana-x\n\n\n# end\n",
            "log:\n- say: |\n    Ana: x\n\n\n# end\n- gap:\n",
        ),
        (
            "log:\n- tell: |+\n    a\n\n- gap:\n  id: g\n",
            "log:\n- tell: |+\n    a\n\n  id: tell-a\n- gap:\n  id: g\n",
            "log:\n- tell: |+\n    a\n\n- gap:\n  id: g\n- gap:\n",
        ),
    ],
)
def test_empty_lines_and_missing_ends_do_no_harm(text: str, named: str, grown: str) -> None:
    assert add_ids(text, "x") == named
    assert insert_entry(text, "x", "gap:") == grown
    assert set_option(text, "x", _entry(text, 0), "id", "me").count("id: me\n") == 1


def test_every_line_keeps_its_own_end() -> None:
    text = "session: 1\r\nlog:\n- tell: |\r\n    one\r\n    two\n- tell: x\r\n"
    for index in (0, 1, None):
        text_after = insert_entry(text, "x", "tell: new", index)
        assert text_after.replace("- tell: new\r\n", "") == text
    assert add_pair_to_mapping(text, "x", "renamed", "a", "b") == f"{text}renamed:\r\n  a: b\r\n"
    renamed_settings = "renamed:\r\n  c: d\ntitle: x\r\n"
    assert add_pair_to_mapping(renamed_settings, "x", "renamed", "a", "b") == (
        "renamed:\r\n  c: d\n  a: b\r\ntitle: x\r\n"
    )
    assert replace_words(text, "x", {(3, 9): "one\nthree\n"}) == text.replace("two", "three")
    once = write_remarks(text, "x", {("x", 6): "well"})
    assert once == text.replace("x\r\n", "x  #> well\r\n")
    assert remove_remarks(once, "x") == text


def test_a_text_over_several_lines_stays_broken_where_it_was() -> None:
    text = "end:\n  Ida: Ida sleeps\n    at the mill. [mill]\n  Tam: gone  # for now\n"
    noted = replace_words(text, "x", {(2, 8): "Ida sleeps at the mill. [mill@3f2a]"})
    assert noted == text.replace("[mill]", "[mill@3f2a]")
    # With more words than before it is put on one line.
    longer = replace_words(text, "x", {(2, 8): "Ida sleeps at the old mill. [mill]"})
    assert longer == text.replace(
        "Ida sleeps\n    at the mill. [mill]", '"Ida sleeps at the old mill. [mill]"'
    )
    with pytest.raises(EditRefused, match="something else"):
        replace_words(text, "x", {(2, 8): "Ida sleeps at the mill: #"})


def _lines_outside(text: str, index: int) -> tuple[list[str], list[str]]:
    """The lines above an entry, and those from the next entry or key on."""
    tree = read_text(text, "x").tree
    assert isinstance(tree, MappingNode)
    log = _log(text)
    lines = text.split("\n")
    above = lines[: log[index].line - 1]
    if index + 1 < len(log):
        return above, lines[log[index + 1].line - 1 :]
    below = [key.line for key in tree if key.line > log[index].line]
    return above, lines[min(below) - 1 :] if below else []


def _change_option(entry: Any) -> None:
    entry["note"] = "new"


Edit = Callable[[str, int, MappingNode], str]
EDITS: dict[str, Edit] = {
    "option": lambda text, index, entry: set_option(text, "x", entry, "note", "new"),
    "block": lambda text, index, entry: set_option(text, "x", entry, "note", "two\nlines\n"),
    "drop": lambda text, index, entry: drop_option(text, "x", index, str([*entry][-1])),
    "story": lambda text, index, entry: set_text(text, "x", index, "Once.\nTwice."),
    "no story": lambda text, index, entry: set_text(text, "x", index, ""),
    "rework": lambda text, index, entry: change_entry(text, "x", index, _change_option),
    "id": lambda text, index, entry: add_ids(text, "x", indices_needing_id=frozenset({index})),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("file", [None, *SESSIONS[:: max(1, len(SESSIONS) // 6)]], ids=str)
def test_an_edit_changes_nothing_outside_its_entry(file: Path | None, edit: str) -> None:
    """Lines around the entry stay byte for byte, comments inside it survive, and what is refused is left alone."""
    text = SHAPES if file is None else file.read_text(encoding="utf-8")
    done = 0
    for index, entry in enumerate(_log(text)):
        if not isinstance(entry, MappingNode) or (file is not None and index % 5):
            continue
        try:
            text_after = EDITS[edit](text, index, entry)
        except EditRefused:
            continue
        done += text_after != text
        above, below = _lines_outside(text, index)
        assert text_after.split("\n")[: len(above)] == above
        assert not below or text_after.split("\n")[-len(below) :] == below
        comments_after = comments_in(text_after, "x")
        lost = [comment for comment in comments_in(text, "x") if comment not in comments_after]
        assert not lost or edit in ("drop", "no story")
    assert done or edit in ("id", "no story")


def test_an_option_of_an_entry_in_braces_is_dropped() -> None:
    text = "log:\n- {fine: Dave, by: Ed, note: x}  # Dave pays\n- pass:\n"
    text_after = drop_option(text, "x", 0, "by")
    assert re.fullmatch(r"log:\n- \{fine: Dave, note: x\} +# Dave pays\n- pass:\n", text_after)
