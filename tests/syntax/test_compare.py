"""Two logs of one evening: what is the same however it is typed, what contradicts, what is missing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from chronicle.campaigns import load, replay_session, run
from chronicle.core.source import ScalarNode
from chronicle.export.log import logs
from chronicle.syntax.compare import Comparison, comparable_logs, compare
from chronicle.syntax.merge_logs import log_entry_nodes, merge_logs
from chronicle.syntax.text_edit import EditRefused
from chronicle.testkit.random_play import write_campaign
from tests.conftest import ROOT

EXAMPLES = sorted(file.parent for file in (ROOT / "sessions").glob("*/campaign.yaml"))
SETTINGS = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
ANA = [
    "- cast: {Ana: Marit Holm, Bo: Jonas, Cy: Petra, Dee: Sunny}",
    "- host: Marit Holm",
    "- accuser: Jonas",
    "- scene: The hall",
    "  with: [Petra, Sunny]",
    "- tell: The clock strikes nine, and nobody moves",
    "- call: She was never there",
    "  by: Sunny",
    "  against: Petra",
    "- match: She was",
    "- roll: {Sunny: +o, Petra: o-}",
    "- end scene: They part",
    "- scene: The landing",
    "  with: [Petra]",
    "- tell: Something creaks",
    "- end scene: It was the cat",
]


def compared(folder: Path, first_log: list[str], second_log: list[str]) -> Comparison:
    """One's log in a campaign, the other's beside it under another name."""
    home = write_campaign(folder, SETTINGS, [first_log])
    second_file = folder / "elsewhere" / "bo.yaml"
    second_file.parent.mkdir()
    second_file.write_text(
        "session: 1\nlog:\n" + "".join(f"{line}\n" for line in second_log), encoding="utf-8"
    )
    return side_by_side(home / "01.yaml", second_file)


def side_by_side(first_file: Path, second_file: Path) -> Comparison:
    campaign = load(first_file.parent)
    read = [replay_session(campaign, file.resolve()) for file in (first_file, second_file)]
    assert read[0] is not None
    assert read[1] is not None
    return compare(*comparable_logs(read[0], read[1]))


def kinds(comparison: Comparison) -> dict[str, int]:
    names = [pair.kind for pair in comparison.pairs]
    return {name: names.count(name) for name in dict.fromkeys(names)}


def with_lines(old: str, *new: str) -> list[str]:
    """Ana's log with other lines in place of one."""
    at = ANA.index(old)
    return [*ANA[:at], *new, *ANA[at + 1 :]]


def test_what_is_typed_otherwise_is_the_same(tmp_path: Path) -> None:
    second_log = [
        "- {cast: {Dee: Sunny, Bo: Jonas, Ana: Marit Holm, Cy: Petra}}   # clockwise",
        "- host: Holm",
        '- accuser: "jonas"',
        "- scene: The hall",
        "  with: Petra, Sunny",
        "- tell: >",
        "    The clock strikes nine,",
        "    and nobody moves",
        "- against: petra",
        "  call: She was never there",
        "  by: Dee",
        "- match: She was",
        "  by: Petra",
        "- roll: {Petra: [o, '-'], Sunny: '+o'}",
        *ANA[11:],
    ]
    comparison = compared(tmp_path, ANA, second_log)
    assert kinds(comparison) == {"same": 12}


def test_a_story_in_other_words_is_no_conflict(tmp_path: Path) -> None:
    second_log = with_lines(
        "- tell: The clock strikes nine, and nobody moves", "- tell: It strikes nine; nobody moves"
    )
    comparison = compared(tmp_path, ANA, second_log)
    assert comparison.agrees
    assert [pair.differences[0].key for pair in comparison.pairs_of_kinds("words")] == ["tell"]


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("- roll: {Sunny: +o, Petra: o-}", "- roll: {Sunny: ++, Petra: o-}", "roll: Sunny"),
        ("- host: Marit Holm", "- host: Petra", "host"),
        ("  against: Petra", "  against: Jonas", "against"),
        ("  by: Sunny", "  by: Jonas", "by"),
        ("  with: [Petra, Sunny]", "  with: [Petra, Jonas]", "with"),
    ],
)
def test_other_dice_names_and_doers_are_conflicts_with_both_lines(
    old: str, new: str, where: str, tmp_path: Path
) -> None:
    comparison = compared(tmp_path, ANA, with_lines(old, new))
    (pair,) = comparison.pairs_of_kinds("conflict")
    assert [difference.key for difference in pair.differences] == [where]
    assert pair.first is not None
    assert pair.second is not None
    assert pair.first.line == pair.second.line
    assert not comparison.agrees
    assert set(kinds(comparison)) == {"same", "conflict"}


def test_a_gap_is_shown_with_its_neighbours_on_either_side(tmp_path: Path) -> None:
    line = "- tell: Something creaks"
    comparison = compared(tmp_path / "a", ANA, [entry for entry in ANA if entry != line])
    (pair,) = comparison.pairs_of_kinds("only one")
    assert pair.first is not None
    assert pair.first.line == 2 + ANA.index(line) + 1
    assert [entry and entry.verb for entry in (pair.previous_entry, pair.next_entry)] == [
        "scene",
        "end scene",
    ]
    assert pair.previous_entry is not None
    assert pair.previous_entry.path.endswith("bo.yaml")
    reverse = compared(tmp_path / "b", [entry for entry in ANA if entry != line], ANA)
    (pair,) = reverse.pairs_of_kinds("only other")
    assert [entry and entry.verb for entry in (pair.previous_entry, pair.next_entry)] == [
        "scene",
        "end scene",
    ]
    assert pair.previous_entry is not None
    assert pair.previous_entry.path.endswith("01.yaml")


def test_gaps_at_the_ends_have_one_neighbour(tmp_path: Path) -> None:
    comparison = compared(tmp_path, ANA[1:], ANA[:-1])
    (first,) = comparison.pairs_of_kinds("only other")
    (last,) = comparison.pairs_of_kinds("only one")
    assert (first.previous_entry, first.next_entry and first.next_entry.verb) == (None, "host")
    assert (last.previous_entry and last.previous_entry.verb, last.next_entry) == ("tell", None)


def test_another_order_is_neither_a_gap_nor_a_conflict(tmp_path: Path) -> None:
    moved = "- tell: The clock strikes nine, and nobody moves"
    second_log = [line for line in ANA if line != moved]
    second_log.insert(-2, moved)
    comparison = compared(tmp_path, ANA, second_log)
    assert kinds(comparison) == {"same": 11, "moved": 1}


def test_entries_of_one_id_belong_together_whatever_they_say(tmp_path: Path) -> None:
    first_log = [*ANA, "- aside: We laughed\n  id: joke", "- aside: Nobody knew why"]
    second_log = [*ANA, "- aside: Nobody knew why", "- aside: Dave spilt the tea\n  id: joke"]
    comparison = compared(tmp_path, first_log, second_log)
    (joke,) = [pair for pair in comparison.pairs if pair.first and pair.first.id == "joke"]
    assert joke.second is not None
    assert joke.second.id == "joke"


def test_what_cannot_be_read_stands_beside_its_counterpart(tmp_path: Path) -> None:
    second_log = with_lines("- host: Marit Holm", "- host: {Marit: Holm}")
    comparison = compared(tmp_path, ANA, second_log)
    (pair,) = comparison.pairs_of_kinds("unreadable")
    assert pair.first is not None
    assert pair.second is not None
    assert (pair.first.verb, pair.second.verb) == ("host", "host")
    assert "'host' takes one name" in pair.second.unreadable_reason
    assert set(kinds(comparison)) == {"same", "unreadable"}


def test_a_head_that_contradicts_is_told(tmp_path: Path) -> None:
    home = write_campaign(tmp_path, SETTINGS, [ANA])
    text = (home / "01.yaml").read_text(encoding="utf-8")
    (home / "01.yaml").write_text(
        text.replace("log:", "present: [Ana, Bo]\nlog:"), encoding="utf-8"
    )
    (tmp_path / "x").mkdir()
    bo = tmp_path / "x" / "bo.yaml"
    bo.write_text(
        text.replace("log:", "present: [Ana, Cy]\ndate: 2026-01-01\nlog:"), encoding="utf-8"
    )
    comparison = side_by_side(home / "01.yaml", bo)
    assert [head_difference.key for head_difference in comparison.head_differences] == ["present"]


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_a_log_written_anew_is_the_same_in_every_game(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    campaign = load(folder)
    # Other quotes, other brackets, no comments: as the downloads have it.
    texts = {name: text for name, _, text in logs(run(campaign))}
    for session in campaign.sessions:
        name = f"{session.number:02}.yaml"
        (tmp_path / name).write_text(texts[name], encoding="utf-8")
        comparison = side_by_side(Path(session.path), tmp_path / name)
        assert comparison.agrees
        assert set(kinds(comparison)) == {"same"}, [
            p for p in comparison.pairs if p.kind != "same"
        ][:2]


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_what_is_taken_out_of_a_log_is_missed_and_nothing_else(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    random = Random(7)
    session = load(folder).sessions[-1]
    lines = Path(session.path).read_text(encoding="utf-8").splitlines()
    tree = log_entry_nodes("\n".join(lines), session.path)
    starts = [entry.line for entry in tree] + [len(lines) + 1]
    for count in range(5):
        out = random.randrange(len(tree))
        remaining_lines = [*lines[: starts[out] - 1], *lines[starts[out + 1] - 1 :]]
        file = tmp_path / f"{count}.yaml"
        file.write_text("\n".join(remaining_lines) + "\n", encoding="utf-8")
        comparison = side_by_side(Path(session.path), file)
        missing = [pair for pair in comparison.pairs if pair.kind not in ("same", "words")]
        assert [pair.kind for pair in missing] == ["only one"]
        assert missing[0].first is not None
        key = next(iter(tree[out]))
        assert isinstance(key, ScalarNode)
        # Of several alike in a row (`end turn:`), any may be the one that is missing.
        assert missing[0].first.line == starts[out] or missing[0].first.verb == key


# -- one log out of two ----------------------------------------------------------------------------


def draft(tmp_path: Path, first_log: list[str], second_log: list[str]) -> str:
    comparison = compared(tmp_path, first_log, second_log)
    texts = [
        Path(log.path).read_text(encoding="utf-8") for log in (comparison.first, comparison.second)
    ]
    return merge_logs(comparison, *texts)


def test_a_draft_has_the_entries_of_both_and_remarks_at_conflicts(tmp_path: Path) -> None:
    first_log = [line for line in ANA if line != "- tell: Something creaks"]
    second_log = with_lines("- roll: {Sunny: +o, Petra: o-}", "- roll: {Sunny: ++, Petra: o-}")
    second_log[second_log.index("- tell: Something creaks")] = "- tell: Something creaks   # loudly"
    text = draft(tmp_path, first_log, second_log)
    rows = text.splitlines()
    at = rows.index("- roll: {Sunny: +o, Petra: o-}")
    assert rows[at - 2].endswith("bo.yaml:13 says:")
    assert rows[at - 1] == "#   - roll: {Sunny: ++, Petra: o-}"
    assert rows[rows.index("  with: [Petra]") + 1] == "- tell: Something creaks   # loudly"
    assert len(log_entry_nodes(text, "x")) == len(log_entry_nodes("log:\n" + "\n".join(ANA), "x"))


READABLE, UNREADABLE = "- roll: {Sunny: +o, Petra: o-}", "- roll: {Sunny: +q, Petra: o-}"


@pytest.mark.parametrize("mine", [True, False])
def test_a_die_that_nobody_can_read_is_marked_in_the_draft(tmp_path: Path, mine: bool) -> None:
    logs = (
        (with_lines(READABLE, UNREADABLE), ANA) if mine else (ANA, with_lines(READABLE, UNREADABLE))
    )
    rows = draft(tmp_path, *logs).splitlines()
    at = rows.index(UNREADABLE if mine else READABLE)
    assert "cannot be read: " in rows[at - (3 if mine else 2)]
    assert " says" in rows[at - 2]
    assert rows[at - 1] == f"#   {READABLE if mine else UNREADABLE}"


@pytest.mark.parametrize("mine", [True, False])
def test_a_line_that_is_no_entry_is_kept_and_marked_in_the_draft(
    tmp_path: Path, mine: bool
) -> None:
    longer_log = ["- [x]", *ANA]
    text = draft(tmp_path, *((longer_log, ANA) if mine else (ANA, longer_log)))
    rows = text.splitlines()
    assert "cannot be read: " in rows[rows.index("- [x]") - 1]
    assert log_entry_nodes(text, "x") == log_entry_nodes("log:\n" + "\n".join(longer_log), "x")


def test_a_draft_of_what_was_torn_apart_is_whole(tmp_path: Path) -> None:
    tree = log_entry_nodes("log:\n" + "\n".join(ANA), "x")
    starts = [entry.line - 2 for entry in tree] + [len(ANA)]
    entries = [ANA[a:b] for a, b in pairwise(starts)]
    first_log = [row for n, entry in enumerate(entries) if n % 4 != 1 for row in entry]
    second_log = [row for n, entry in enumerate(entries) if n % 4 != 3 for row in entry]
    assert log_entry_nodes(draft(tmp_path, first_log, second_log), "x") == tree


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ([], ANA, "has no entry"),
        ([*ANA, "  - {"], ANA, "fix that first"),
    ],
)
def test_no_draft_of_what_nobody_understands(
    one: list[str], other: list[str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(EditRefused, match=told):
        draft(tmp_path, one, other)


def test_no_draft_of_logs_in_brackets(tmp_path: Path) -> None:
    comparison = compared(tmp_path, ANA, ANA[:3])
    flow = "session: 1\nlog: [{host: Petra}, {accuser: Jonas}]\n"
    with pytest.raises(EditRefused, match="a line of its own"):
        merge_logs(comparison, flow, flow)


def test_an_entry_without_words_that_each_log_lacks_elsewhere_is_two_gaps(tmp_path: Path) -> None:
    home = ROOT / "sessions" / "the-ferry-house"
    rows = (home / "02.yaml").read_text(encoding="utf-8").splitlines()
    ends = [n for n, row in enumerate(rows) if row == "- end turn:"]
    texts = ["\n".join(rows[:at] + rows[at + 1 :]) + "\n" for at in (ends[1], ends[0])]
    for name, text in zip(("a.yaml", "b.yaml"), texts, strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    campaign = load(home)
    first_session, second_session = (
        replay_session(campaign, tmp_path / name) for name in ("a.yaml", "b.yaml")
    )
    assert first_session is not None
    assert second_session is not None
    comparison = compare(*comparable_logs(first_session, second_session))
    counts = kinds(comparison)
    assert (counts["only one"], counts["only other"]) == (1, 1)
    all_entries = log_entry_nodes("\n".join(rows), "x")
    assert len(log_entry_nodes(merge_logs(comparison, *texts), "x")) == len(all_entries)
