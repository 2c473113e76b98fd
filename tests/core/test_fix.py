"""Fixes say in words what they do, and carry it as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.core.fix import (
    EDIT_NAMES,
    AddItem,
    AddToHead,
    AddToSettings,
    ChooseReading,
    Edit,
    InsertEntry,
    MoveEntry,
    OrderPairs,
    RemoveEntry,
    RemoveFromSettings,
    RemoveItem,
    RemoveKey,
    ReplaceEntry,
    ReplaceText,
    ReplaceWord,
    SetKey,
    SetPair,
    SetSetting,
    fill_terms,
    fix_as_data,
    help_lines,
    locate_fixes,
    make_fix,
    replace_with,
)
from chronicle.core.source import Place

WORD = Place("01.yaml", 4, 9, 4, 12)
ENTRY = Place("01.yaml", 4, 3, 5, 1)

WORDINGS: dict[Edit, str] = {
    InsertEntry("arrive: Dov"): "write  - arrive: Dov  above this entry",
    InsertEntry("correct: last\nnote: a slip"): (
        "write  - correct: last  /  note: a slip  above this entry"
    ),
    ReplaceEntry("tell: It rains"): "write  - tell: It rains",
    RemoveEntry(): "leave this entry out",
    MoveEntry(-1): "move this entry up by 1 entry",
    MoveEntry(2): "move this entry down by 2 entries",
    SetKey("id", "secret-1"): "write  id: secret-1",
    SetKey("log", ""): "write  log:",
    RemoveKey("by"): "leave  by:  out",
    ReplaceWord("Ana"): "write  Ana",
    ReplaceText('"Ana: yes"'): 'write  "Ana: yes"',
    ReplaceText(""): "delete this",
    RemoveItem("Dov"): "leave  Dov  out",
    RemoveItem("Dov", None, "present"): "leave  Dov  out of  present:",
    AddToHead("present", "Dov"): "add  Dov  to  present:",
    AddToSettings("players", ("Dov",)): "add  players: [Dov]  to campaign.yaml",
    SetPair("check", "Wren", "7"): "write  Wren: 7  under  check:",
    SetPair("", "Wren", "7"): "write  Wren: 7",
    OrderPairs("check", ("Wren", "Ida")): "write  check:  in the order  Wren, Ida",
    AddItem("with", "Dov"): "add  Dov  to  with:",
    RemoveFromSettings("players", "Dov"): "leave  Dov  out of  players:  in campaign.yaml",
    SetSetting("handler", "Dov"): "write  handler: Dov  in campaign.yaml",
    ChooseReading("tie", "reroll"): "write  rulings: {tie: reroll}  in campaign.yaml",
}


@pytest.mark.parametrize(("edit", "said"), WORDINGS.items(), ids=str)
def test_each_kind_of_edit_has_one_wording(edit: Edit, said: str) -> None:
    assert [*help_lines([make_fix(edit)])] == [said]


def test_every_kind_of_edit_is_named_and_worded() -> None:
    assert {type(edit) for edit in WORDINGS} == {*EDIT_NAMES}


def test_every_kind_of_edit_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "other-programs.md").read_text(encoding="utf-8")
    assert not [name for name in EDIT_NAMES.values() if f"`{name}`" not in text]


def test_words_for_one_place_share_a_line() -> None:
    lines = [*help_lines([*replace_with(["Ana", "Bo"]), make_fix(RemoveEntry())])]
    assert lines == ["write one of: Ana, Bo", "leave this entry out"]


def test_a_word_that_the_message_names_is_the_only_word_of_the_help() -> None:
    single_word, several_words = replace_with(["Ana"], is_told=True), replace_with(["Ana", "Bo"])
    assert [*help_lines([*several_words, *single_word])] == ["write  Ana"]
    entry = make_fix(RemoveEntry())
    assert [*help_lines([*single_word, *several_words, entry])] == [
        "write  Ana",
        "leave this entry out",
    ]


def test_only_a_single_word_is_safe() -> None:
    assert [fix.safe for fix in replace_with(["Ana"])] == [True]
    assert [fix.safe for fix in replace_with(["Ana", "Bo"])] == [False, False]


def test_a_condition_stands_before_what_to_do() -> None:
    fix = make_fix(SetKey("under", "late"), when="if it was agreed")
    assert [*help_lines([fix])] == ["if it was agreed:  write  under: late"]
    assert fix.title == "Write under: late"


def test_several_edits_are_one_sentence() -> None:
    fix = make_fix(RemoveKey("by"), SetKey("for", "Ana"))
    assert fix.title == "Leave by: out and write for: Ana"
    assert fix.words == ["leave", "by:", "out and write", "for: Ana", ""]
    assert make_fix(SetKey("a", "1"), SetKey("b", "2")).title == "Write a: 1 and b: 2"
    assert make_fix(SetKey("a", "1"), RemoveKey("b")).title == "Write a: 1 and leave b: out"


def test_edits_get_the_place_of_the_entry_or_of_the_word() -> None:
    fixes = [make_fix(ReplaceWord("Ana")), make_fix(RemoveKey("by")), make_fix(RemoveEntry(WORD))]
    assert [locate_fix.edits[0].place for locate_fix in locate_fixes(fixes, WORD, ENTRY)] == [
        WORD,
        ENTRY,
        WORD,
    ]


def test_a_fix_of_another_entry_says_its_line() -> None:
    (fix,) = locate_fixes([make_fix(AddItem("npcs", "Ida", WORD._replace(line=2)))], WORD, ENTRY)
    assert fix.title == "Add Ida to npcs: in line 2"
    (fix,) = locate_fixes([make_fix(SetKey("at", "the dam", WORD._replace(line=2)))], WORD, ENTRY)
    assert [*help_lines([fix])] == ["write  at: the dam  in line 2"]


def test_terms_of_a_game_are_filled_in() -> None:
    (fix,) = fill_terms([make_fix(InsertEntry("arrive: {player}"))], {"player": "Dov"})
    assert fix.edits == (InsertEntry("arrive: Dov"),)


def test_only_what_is_marked_as_open_has_blanks() -> None:
    open_ = make_fix(SetKey("note", "..."), is_open=True)
    assert open_.with_blanks("unrecorded").edits == (SetKey("note", "unrecorded"),)
    fix = make_fix(InsertEntry('tell: "Well ..."'))
    assert fix.with_blanks("unrecorded") == fix


def test_a_fix_is_plain_data() -> None:
    (fix,) = locate_fixes([make_fix(SetKey("by", "Ana"), safe=True)], WORD, ENTRY)
    assert fix_as_data(fix) == {
        "title": "Write by: Ana",
        "safe": True,
        "when": "",
        "open": False,
        "edits": [
            {
                "edit": "set key",
                "key": "by",
                "value": "Ana",
                "path": "01.yaml",
                "line": 4,
                "column": 3,
                "endLine": 5,
                "endColumn": 1,
            }
        ],
    }
