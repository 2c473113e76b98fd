"""A log is read entry by entry: what is known is not parsed again, and what is broken spoils only itself."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from chronicle.core.source import MappingNode, SequenceNode, Value, are_same_nodes
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.writing import draft_insertion
from chronicle.syntax import reader
from chronicle.syntax.edit import replace_entry, set_text
from chronicle.syntax.loader import event_parser
from chronicle.syntax.reader import Parsed, read_text
from chronicle.syntax.reading_cache import EntryCache
from chronicle.syntax.split import find_outline
from chronicle.workspace import Workspace
from tests.conftest import ROOT
from tests.syntax.test_loader import FILES, problem_rows, some_lines

HEAD = "session: 1\nlog:\n"


def log_of(parsed: Parsed) -> SequenceNode:
    """The entries that were read."""
    assert isinstance(parsed.tree, MappingNode)
    log = next(value for key, value in parsed.tree.items() if key == "log")
    assert isinstance(log, SequenceNode)
    return log


@pytest.fixture
def parsed_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that PyYAML is asked about, one after the other."""
    texts: list[str] = []

    def parser(text: str) -> object:
        texts.append(text)
        return event_parser()(text)

    monkeypatch.setattr(reader, "event_parser", lambda: parser)
    return texts


@pytest.mark.parametrize(
    "entry",
    [
        "- tell: a\n",
        "- tell: |\n    - no entry\n\n    # no comment\n",
        "- tell: a\n# - no entry\n  by: Ana\n",
        "- roll: {Ana: [1,\n    2], # three\n    Bo: 3}\n",
        "- tell: 'a\n    - b'\n",
        '- tell: "a\n\n    - b"\n',
        "-\n  tell: a\n",
        "- outcome:\n    Ana:\n    - tell: a\n    - tell: b\n",
        "- - tell: a\n  - tell: b\n",
        "- >-\n  - a\n  - b\n",
    ],
)
@pytest.mark.parametrize("lead", ["", "  "])
def test_an_entry_goes_to_the_next_dash_in_its_column(
    entry: str, lead: str, parsed_texts: list[str]
) -> None:
    indented = "".join(f"{lead}{line}" for line in entry.splitlines(keepends=True))
    parsed = read_text(f"{HEAD}{indented}{lead}- pass:\n", "x")
    assert parsed.problems == []
    assert len(log_of(parsed)) == 2
    assert parsed_texts == [HEAD, indented, f"{lead}- pass:\n"]


@pytest.mark.parametrize(
    "text",
    [
        "log: [{tell: a}, {tell: b}]\n",
        "log:\n- tell: &a b\n- tell: *a\n",
        "log:\n- tell: a\ntitle: b\n",
        "- tell: a\n- tell: b\n",
    ],
)
def test_what_is_no_list_of_entries_is_read_in_one_piece(
    text: str, parsed_texts: list[str]
) -> None:
    read_text(text, "x")
    assert parsed_texts[-1] == text


def test_an_alias_means_what_stands_in_another_entry() -> None:
    parsed = read_text("log:\n- tell: &a b\n- tell: *a\n", "x", EntryCache())
    assert parsed.problems == []
    assert log_of(parsed) == [{"tell": "b"}, {"tell": "b"}]


@pytest.mark.parametrize(
    "broken",
    [
        "- tell: {a: b\n",
        "- tell: [a, b\n",
        '- tell: "a\n',
        "- tell: 'a\n",
        "- tell: a: b\n",
        "- tell: @a\n",
        "- tell a\n  by: Ana\n",
        "- tell: a\n by: Ana\n",
        "- tell: |9\n   -\n",
        "- tell: {a: b}}\n",
        "- tell: !a [\n",
    ],
)
def test_a_broken_entry_spoils_only_itself(broken: str) -> None:
    entry_before, entry_after = "- tell: above\n  by: Ana\n", "- tell: below\n  text: |\n    more\n"
    parsed = read_text(HEAD + entry_before + broken + entry_after, "x")
    assert parsed.problems
    lines = range(5, 5 + broken.count("\n"))
    assert all(problem.place.line in lines for problem in parsed.problems), parsed.problems
    log = log_of(parsed)
    assert log[0] == {"tell": "above", "by": "Ana"}
    assert log[-1] == {"tell": "below", "text": "more\n"}
    assert log[-1].line == 5 + broken.count("\n")


def test_only_the_entry_that_changed_is_parsed_again(parsed_texts: list[str]) -> None:
    cache = EntryCache()
    entries = [f"- tell: This is entry {number}\n  by: Ana\n" for number in range(50)]
    read_text(HEAD + "".join(entries), "x", cache)
    for change in ("- tell: another\n", "- tell: {broken\n", "- tell: whole again\n"):
        parsed_texts.clear()
        entries[20] = change
        reparsed = read_text(HEAD + "".join(entries), "x", cache)
        texts_parsed = {text for text in parsed_texts if text.startswith("- ")}
        assert change in texts_parsed
        assert not texts_parsed & {*entries[:20], *entries[21:]}
        assert len(log_of(reparsed)) >= 49


def test_a_known_entry_that_has_not_moved_is_the_same_object() -> None:
    cache = EntryCache()
    first = log_of(read_text(HEAD + "- tell: a\n- tell: b\n", "x", cache))
    second_log = log_of(read_text(HEAD + "- tell: a\n- tell: new\n- tell: b\n", "x", cache))
    assert second_log[0] is first[0]
    assert second_log[2] is not first[1]
    assert (first[1].line, second_log[2].line) == (4, 5)


def test_what_is_wrong_with_a_known_entry_is_told_again() -> None:
    cache = EntryCache()
    text = HEAD + "- cast: General #2\n- tell: a\n"
    first, second = (read_text(text, "x", cache) for _ in range(2))
    assert [problem.code for problem in first.problems] == ["T12"]
    assert problem_rows(first) == problem_rows(second)
    assert first.problems[0] is not second.problems[0]
    assert first.tree == second.tree


def test_what_a_reading_does_not_ask_for_is_forgotten(parsed_texts: list[str]) -> None:
    cache = EntryCache()
    for entry in ("- tell: a\n", "- tell: b\n", "- tell: c\n", "- tell: a\n"):
        read_text(HEAD + entry, "x", cache)
    assert parsed_texts.count("- tell: a\n") == 2


def same_trees(first: Value | None, second: Value | None) -> bool:
    """Whether two trees say the same in the same places."""
    return (first is None) == (second is None) and (
        first is None or second is None or are_same_nodes(first, second)
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_is_known_changes_nothing(seed: int) -> None:
    random = Random(seed)
    cache = EntryCache()
    for _ in range(400):
        text = some_lines(random)
        lines = text.split("\n")
        for _ in range(3):
            parsed, fresh = read_text(text, "x", cache), read_text(text, "x")
            assert same_trees(parsed.tree, fresh.tree), text
            assert problem_rows(parsed) == problem_rows(fresh), text
            lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
            text = "\n".join(lines)


def test_every_play_example_is_read_entry_by_entry() -> None:
    for file in (ROOT / "sessions").glob("*/[0-9]*.yaml"):
        lines = file.read_text("utf-8").splitlines()
        outline = find_outline(lines)
        assert outline is not None, file
        log = log_of(read_text(file.read_text("utf-8"), file.name))
        assert [entry.line - 1 for entry in log] == outline.dash_rows, file


def test_nothing_is_read_otherwise_than_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in FILES:
        by_entries = read_text(text, "x")
        with monkeypatch.context() as patched:
            patched.setattr(reader, "find_outline", lambda lines: None)
            in_one_piece = read_text(text, "x")
        assert same_trees(by_entries.tree, in_one_piece.tree), text
        assert problem_rows(by_entries) == problem_rows(in_one_piece), text


def test_an_open_campaign_parses_only_what_was_typed(
    tmp_path: Path, parsed_texts: list[str]
) -> None:
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: T\nplayers: [Ana, Bo, Cy]\n")
    text = HEAD + "".join(f"- tell: This is entry {number}\n" for number in range(30))
    (tmp_path / "01.yaml").write_text(text)
    workspace = Workspace(tmp_path)
    assert workspace.record is not None
    parsed_texts.clear()
    workspace.change({"01.yaml": text + "- tell: typed\n"})
    assert workspace.record is not None
    assert [parsed_text for parsed_text in parsed_texts if parsed_text.startswith("- ")] == [
        "- tell: typed\n"
    ]


def test_writing_at_the_desk_parses_only_what_is_written(
    tmp_path: Path, parsed_texts: list[str]
) -> None:
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: T\nplayers: [Ana, Bo, Cy]\n")
    text = HEAD + "".join(f"- tell: This is entry {number}\n" for number in range(30))
    (tmp_path / "01.yaml").write_text(text)
    opened = OpenCampaign("t", tmp_path, lambda home, changes: None)
    assert opened.workspace.record is not None
    parsed_texts.clear()
    draft = draft_insertion(opened, "01.yaml", 20, ["tell: written"])
    assert [parsed_text for parsed_text in parsed_texts if parsed_text.startswith("- ")] == [
        "- tell: written\n"
    ]
    assert draft.new_text == text.replace("entry 17\n", "entry 17\n- tell: written\n")


def test_a_known_entry_may_be_changed_by_an_edit() -> None:
    cache = EntryCache()
    text = HEAD + "- tell: a\n  by: Ana\n- tell: b\n"
    for _ in range(2):
        assert replace_entry(text, "x", 0, None, cache=cache) == HEAD + "- tell: b\n"
        assert set_text(text, "x", 0, "told", cache=cache).endswith("told\n- tell: b\n")
        assert log_of(read_text(text, "x", cache)) == [{"tell": "a", "by": "Ana"}, {"tell": "b"}]
