"""The fixes that problems carry, applied to a log: nothing else changes, and comments stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chronicle.core.fix import (
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
    make_fix,
)
from chronicle.core.source import Place
from chronicle.services.apply import apply_fix
from chronicle.syntax.render import as_json
from chronicle.workspace import Workspace
from tests.services.conftest import AtDesk

FILE = "01.yaml"
SETTINGS = "title: T\nplayers: [Ana, Bo]\n"
LOG = """session: 1
present: [Ana, Dov]
log:
- tell: It rains  # all day
- arrive: [Bo, Cy, Ana]
  by: Ana
- snapshot:
  given:
  - tell: Inside
    by: Bo
- say: |
    Petre: Hello.
"""
VERBS = ("tell", "arrive", "snapshot", "say")


def at(line: int, column: int, end: int) -> Place:
    return Place(FILE, line, column, line, end)


TELL, ARRIVE, INNER = at(4, 3, 17), at(5, 3, 10), at(9, 5, 10)


def changed(edit: Edit, text: str = LOG) -> tuple[list[str], list[str]]:
    """The lines that go and those that come with an edit of the log."""
    applied = apply_fix(make_fix(edit), {FILE: text}.__getitem__, VERBS, FILE)
    assert applied is not None and applied.file == FILE
    old, new = text.splitlines(), applied.text.splitlines()
    return [row for row in old if row not in new], [row for row in new if row not in old]


@pytest.mark.parametrize(
    ("edit", "gone", "come"),
    [
        (InsertEntry("arrive: Dov", ARRIVE), [], ["- arrive: Dov"]),
        (
            ReplaceEntry("arrive: Cy", ARRIVE),
            ["- arrive: [Bo, Cy, Ana]"],
            ["- arrive: Cy"],
        ),
        (RemoveEntry(ARRIVE), ["- arrive: [Bo, Cy, Ana]", "  by: Ana"], []),
        (SetKey("by", "Bo", ARRIVE), ["  by: Ana"], ["  by: Bo"]),
        (SetKey("note", "late", ARRIVE), [], ["  note: late"]),
        (SetKey("allow", "{T66: why}", ARRIVE), [], ["  allow:", "    T66: why"]),
        (SetKey("by", "Cy", INNER), ["    by: Bo"], ["    by: Cy"]),
        (RemoveKey("by", INNER), ["    by: Bo"], []),
        (InsertEntry("tell: Later", INNER), [], ["  - tell: Later"]),
        (
            ReplaceEntry("tell: Later", INNER),
            ["  - tell: Inside", "    by: Bo"],
            ["  - tell: Later"],
        ),
        (RemoveKey("by", ARRIVE), ["  by: Ana"], []),
        (
            ReplaceWord("Bob", at(5, 12, 14)),
            ["- arrive: [Bo, Cy, Ana]"],
            ["- arrive: [Bob, Cy, Ana]"],
        ),
        (
            ReplaceWord("snows", at(4, 9, 17), "rains"),
            ["- tell: It rains  # all day"],
            ["- tell: It snows  # all day"],
        ),
        (
            ReplaceWord("Petra", at(12, 5, 10), "Petre"),
            ["    Petre: Hello."],
            ["    Petra: Hello."],
        ),
        (
            ReplaceText("tells", at(4, 3, 7)),
            ["- tell: It rains  # all day"],
            ["- tells: It rains  # all day"],
        ),
        (
            RemoveItem("Cy", at(5, 16, 18)),
            ["- arrive: [Bo, Cy, Ana]"],
            ["- arrive: [Bo, Ana]"],
        ),
        (RemoveItem("Dov", at(2, 16, 19)), ["present: [Ana, Dov]"], ["present: [Ana]"]),
        (
            SetPair("arrive", "Dov", "late", TELL),
            [],
            ["  arrive:", "    Dov: late"],
        ),
        (
            AddItem("arrive", "Dov", ARRIVE),
            ["- arrive: [Bo, Cy, Ana]"],
            ["- arrive: [Bo, Cy, Ana, Dov]"],
        ),
        (AddToHead("present", "Bo"), ["present: [Ana, Dov]"], ["present: [Ana, Dov, Bo]"]),
    ],
    ids=str,
)
def test_an_edit_changes_what_it_says_and_nothing_else(
    edit: Edit, gone: list[str], come: list[str]
) -> None:
    assert changed(edit) == (gone, come)


def test_the_only_word_of_a_head_goes_with_its_key() -> None:
    text = "session: 1\nabsent: Ana\nlog:\n- tell: It rains\n"
    edit = RemoveItem("Ana", at(2, 9, 12), "absent")
    assert changed(edit, text) == (["absent: Ana"], [])


def test_settings_are_changed_in_their_own_file() -> None:
    texts = {FILE: LOG, "campaign.yaml": SETTINGS}
    fix = make_fix(AddToSettings("players", ("Dov",)))
    applied = apply_fix(fix, texts.__getitem__, VERBS, FILE)
    assert applied == ("campaign.yaml", "title: T\nplayers: [Ana, Bo, Dov]\n")
    settings_fix = make_fix(AddToSettings("add ons", ("royalty",)))
    assert apply_fix(settings_fix, texts.__getitem__, VERBS, FILE) == (
        "campaign.yaml",
        f"{SETTINGS}add ons: [royalty]\n",
    )


@pytest.mark.parametrize(
    ("edit", "settings"),
    [
        (RemoveFromSettings("players", "Bo"), "title: T\nplayers: [Ana]\n"),
        (SetSetting("handler", "Bo"), f"{SETTINGS}handler: Bo\n"),
        (SetSetting("title", "Ways"), SETTINGS.replace("T\n", "Ways\n")),
        (ChooseReading("tie", "reroll"), f"{SETTINGS}rulings:\n  tie: reroll\n"),
    ],
    ids=str,
)
def test_a_setting_is_changed(edit: Edit, settings: str) -> None:
    texts = {FILE: LOG, "campaign.yaml": SETTINGS}
    applied = apply_fix(make_fix(edit), texts.__getitem__, VERBS, FILE)
    assert applied == ("campaign.yaml", settings)


def test_an_entry_moves_with_its_comment() -> None:
    fix = make_fix(MoveEntry(1, TELL))
    applied = apply_fix(fix, {FILE: LOG}.__getitem__, VERBS, FILE)
    assert applied is not None
    assert applied.text.splitlines()[3:6] == [
        "- arrive: [Bo, Cy, Ana]",
        "  by: Ana",
        "- tell: It rains  # all day",
    ]
    assert apply_fix(make_fix(MoveEntry(-1, TELL)), {FILE: LOG}.__getitem__, VERBS, FILE) is None


def test_pairs_are_put_into_an_order() -> None:
    text = "log:\n- tell:  # as it was\n    Bo: two\n    Ana: one\n"
    fix = make_fix(OrderPairs("tell", ("Ana", "Bo", "Cy"), at(2, 3, 7)))
    applied = apply_fix(fix, {FILE: text}.__getitem__, VERBS, FILE)
    assert applied is not None
    assert applied.text == "log:\n- tell:  # as it was\n    Ana: one\n    Bo: two\n"


def test_several_edits_are_made_together() -> None:
    fix = make_fix(SetKey("by", "Bo", ARRIVE), InsertEntry("tell: Later", ARRIVE))
    applied = apply_fix(fix, {FILE: LOG}.__getitem__, VERBS, FILE)
    assert applied is not None
    rows = applied.text.splitlines()
    assert rows[4:7] == ["- tell: Later", "- arrive: [Bo, Cy, Ana]", "  by: Bo"]


@pytest.mark.parametrize(
    "edit",
    [
        ReplaceWord("Ana", at(4, 9, 17), "Anna"),  # the word is not there
        RemoveKey("note", ARRIVE),
        InsertEntry("tell: [", ARRIVE),  # no entry
        SetKey("by", "{", ARRIVE),
    ],
    ids=str,
)
def test_what_cannot_be_made_is_not_offered(edit: Edit) -> None:
    assert apply_fix(make_fix(edit), {FILE: LOG}.__getitem__, VERBS, FILE) is None


def test_what_only_the_table_knows_is_unrecorded() -> None:
    fix = make_fix(SetKey("note", "...", ARRIVE), is_open=True)
    applied = apply_fix(fix, {FILE: LOG}.__getitem__, VERBS, FILE)
    assert applied is not None and "  note: unrecorded\n" in applied.text


def test_check_and_the_desk_carry_fixes_in_one_form(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text("title: T\ngame: isolation\ngm: Mo\nplayers: [Ada]\n")
    (tmp_path / "01.yaml").write_text("session: 1\nlog:\n- secret: The lamp was never lit\n")
    checked = as_json(Workspace(tmp_path, root=tmp_path).diagnostics)
    at_desk = AtDesk(tmp_path).ask("findings", campaign=tmp_path.name)["findings"]
    fixes = [
        diagnostic["fixes"]
        for diagnostic in json.loads(checked)["diagnostics"]
        if diagnostic["code"] == "T70"
    ]
    assert fixes == [diagnostic["fixes"] for diagnostic in at_desk if diagnostic["code"] == "T70"]
    assert [edit["edit"] for fix in fixes[0] for edit in fix["edits"]] == ["set key"]
