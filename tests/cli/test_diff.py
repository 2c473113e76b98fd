"""``chronicle diff`` as two keepers meet it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.test_cli import Chronicle, edit
from tests.cli.test_cli import chronicle as chronicle
from tests.conftest import ROOT


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign of ours, and Bo's log of its second evening in another folder."""
    shutil.copytree(ROOT / "sessions" / "the-boathouse", tmp_path / "ours")
    (tmp_path / "bo").mkdir()
    shutil.copy(tmp_path / "ours" / "02.yaml", tmp_path / "bo" / "02.yaml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_same_evening_twice_is_said_in_two_lines(ours: Path, chronicle: Chronicle) -> None:
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines()[0] == "Session 2: ours/02.yaml and bo/02.yaml"
    assert run.out.splitlines()[-1].endswith("entries in both; nothing contradicts")


def test_a_conflict_names_both_lines_and_what_differs(ours: Path, chronicle: Chronicle) -> None:
    log = ours / "bo" / "02.yaml"
    rolled = next(
        line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("- roll:")
    )
    edit(log, rolled, rolled.replace("+", "-", 1))
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml")
    assert run.code == 1
    assert "conflict: roll: " in run.out
    assert " in the first, " in run.out
    line = 1 + log.read_text(encoding="utf-8").splitlines().index(rolled.replace("+", "-", 1))
    assert f"--> ours/02.yaml:{line}  {rolled}"[:90] in run.out
    assert f"--> bo/02.yaml:{line}  " in run.out
    assert "1 conflict" in run.out.splitlines()[-1]


def test_a_gap_says_where_it_belongs_and_what_cannot_be_read_is_shown(
    ours: Path, chronicle: Chronicle
) -> None:
    with (ours / "bo" / "02.yaml").open("a", encoding="utf-8") as file:
        file.write("- aside: And then the lights went out\n- xqzzy: nothing of that kind\n")
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml")
    assert run.code == 1
    assert "only in bo/02.yaml" in run.out
    assert "it belongs below ours/02.yaml:" in run.out
    assert "cannot be read: no verb 'xqzzy'" in run.out
    assert "1 only in the second and 1 that cannot be read" in run.out


def test_other_words_are_shown_when_asked_for(ours: Path, chronicle: Chronicle) -> None:
    log = ours / "bo" / "02.yaml"
    step = next(
        line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("- scene:")
    )
    edit(log, step, f"{step} once more")
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml")
    assert run.code == 0
    assert "1 of them told in other words" in run.out
    assert "in other words: scene" not in run.out
    assert "in other words: scene" in chronicle("diff", "ours/02.yaml", "bo/02.yaml", "--words").out


def test_two_campaigns_are_compared_evening_by_evening(ours: Path, chronicle: Chronicle) -> None:
    shutil.copytree(ours / "ours", ours / "theirs")
    assert chronicle("diff", "ours", "theirs").code == 0
    (ours / "theirs" / "02.yaml").unlink()
    run = chronicle("diff", "ours", "theirs")
    assert run.code == 1
    assert "Session 2: ours/02.yaml and theirs/" in run.out
    assert "0 entries in both" in run.out
    assert "only in theirs" not in run.out


def test_programs_get_the_same(ours: Path, chronicle: Chronicle) -> None:
    with (ours / "bo" / "02.yaml").open("a", encoding="utf-8") as file:
        file.write("- aside: And then the lights went out\n")
    data = json.loads(chronicle("diff", "ours/02.yaml", "bo/02.yaml", "--format", "json").out)
    assert data["format"] == "chronicle-diff"
    (evening,) = data["sessions"]
    assert (evening["number"], evening["agrees"]) == (2, False)
    (entry,) = evening["entries"]
    assert entry["kind"] == "only other"
    assert (entry["one"], entry["before"]) == (None, None)
    assert entry["other"]["path"] == "bo/02.yaml"
    assert entry["after"]["path"] == "ours/02.yaml"


def test_programs_find_the_keys_of_a_difference(ours: Path, chronicle: Chronicle) -> None:
    log = ours / "bo" / "02.yaml"
    rolled = next(
        line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("- roll:")
    )
    edit(log, rolled, rolled.replace("+", "-", 1))
    data = json.loads(chronicle("diff", "ours/02.yaml", "bo/02.yaml", "--format", "json").out)
    (entry,) = data["sessions"][0]["entries"]
    (difference,) = entry["differences"]
    assert difference.keys() == {"where", "one", "other"}
    assert difference["where"].startswith("roll: ")


def test_both_logs_may_lie_in_one_folder(ours: Path, chronicle: Chronicle) -> None:
    shutil.copy(ours / "bo" / "02.yaml", ours / "ours" / "02-bo.yaml")
    assert chronicle("diff", "ours/02.yaml", "ours/02-bo.yaml").code == 0


def test_a_draft_is_written_once(ours: Path, chronicle: Chronicle) -> None:
    with (ours / "bo" / "02.yaml").open("a", encoding="utf-8") as file:
        file.write("- aside: And then the lights went out\n")
    arguments = ["diff", "ours/02.yaml", "bo/02.yaml", "--merge", "draft.yaml"]
    run = chronicle(*arguments)
    assert (run.code, run.err) == (1, "wrote draft.yaml\n")
    text = (ours / "draft.yaml").read_text(encoding="utf-8")
    assert text == (ours / "bo" / "02.yaml").read_text(encoding="utf-8")
    second_run = chronicle(*arguments)
    assert second_run.code == 2
    assert "nothing is overwritten" in second_run.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere", "ours"], "there is no 'nowhere' here"),
        (["ours", "bo/02.yaml"], "not one of each"),
        (["bo/02.yaml", "bo/02.yaml"], "neither file is in a campaign"),
        (["ours/02.yaml", "ours/campaign.yaml"], "is no session"),
        (["ours", "ours", "--merge", "x"], "--merge takes two session files"),
        (["ours", "coast"], "these are two games: positive and universalis"),
        (["ours/02.yaml", "coast/01.yaml"], "these are two games"),
        (["ours", "."], "there are 2 campaigns"),
        (["bo", "ours"], "no campaign in 'bo'"),
        (["empty", "empty"], "has a session yet"),
    ],
)
def test_what_cannot_be_compared(
    arguments: list[str], told: str, ours: Path, chronicle: Chronicle
) -> None:
    shutil.copytree(ROOT / "sessions" / "the-lantern-coast", ours / "coast")
    (ours / "empty").mkdir()
    shutil.copy(ours / "ours" / "campaign.yaml", ours / "empty" / "campaign.yaml")
    if told == "there are 2 campaigns":
        shutil.rmtree(ours / "empty")
    run = chronicle("diff", *arguments)
    assert (run.code, run.out) == (2, "")
    assert told in run.err


def test_a_log_of_rubbish_is_shown_and_not_a_fault(ours: Path, chronicle: Chronicle) -> None:
    (ours / "bo" / "02.yaml").write_bytes(b'session: 2\nlog:\n- [x\n- "a: b\n- {c: d, e}\n- \n')
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml")
    assert run.code == 1
    assert "cannot be read" in run.out
    assert "Traceback" not in run.out + run.err
    (ours / "bo" / "02.yaml").write_bytes(b"\xff\xfe\x00")
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml")
    assert run.code == 2
    assert "is no session" in run.err


def two_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[Path, Path]:
    """A campaign twice: ours, and theirs to be changed."""
    monkeypatch.chdir(tmp_path)
    for copy in ("ours", "theirs"):
        shutil.copytree(ROOT / "sessions" / name, tmp_path / copy)
    return tmp_path / "ours", tmp_path / "theirs"


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "told"),
    [
        ("snowshed-nine", "03.yaml", "65351624 4", "75351624 4", "'7' is no face of"),
        ("the-boathouse", "01.yaml", "  with: ", "  wth: ", "no key 'wth'"),
        ("the-boathouse", "01.yaml", "  by: ", "  stake: huge\n  by: ", "no key 'stake'"),
    ],
)
def test_a_part_that_cannot_be_read_is_told(
    name: str,
    file: str,
    old: str,
    new: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    chronicle: Chronicle,
) -> None:
    log = two_of(tmp_path, monkeypatch, name)[1] / file
    text = log.read_text(encoding="utf-8")
    assert old in text
    log.write_text(text.replace(old, new, 1), encoding="utf-8")
    run = chronicle("diff", f"ours/{file}", f"theirs/{file}")
    assert run.code == 1
    assert "cannot be read: " in run.out
    assert told in " ".join(run.out.split())
    assert "1 that cannot be read" in run.out.splitlines()[-1]


def test_what_stands_in_no_entry_cannot_be_read_either(ours: Path, chronicle: Chronicle) -> None:
    with (ours / "bo" / "02.yaml").open("a", encoding="utf-8") as file:
        file.write("  bad: [\n")
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml")
    assert run.code == 1
    assert "cannot be read: " in run.out


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "told"),
    [
        (
            "the-valley-twice",
            "04.yaml",
            "  coins: 2",
            "  coins: 3",
            "coins is 2 in the first, 3 in",
        ),
        ("one-piece-a-house", "04.yaml", '1, "agathe"', '1, "agaxhe"', "conflict: opening is "),
        (
            "the-ferry-house",
            "02.yaml",
            "  allow: {U3.26: ",
            "  allow: {U3.27: ",
            "allow is U3.26 in",
        ),
        ("the-ferry-house", "02.yaml", "  allow: {U3.26: ", "  x: {U3.26: ", "no key 'x'"),
        (
            "snowshed-nine",
            "03.yaml",
            "65351624 4",
            "55351624 4",
            "GM is 65351624 4 in the first, 5535",
        ),
    ],
)
def test_what_decides_a_finding_is_compared_as_it_was_typed(
    name: str,
    file: str,
    old: str,
    new: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    chronicle: Chronicle,
) -> None:
    log = two_of(tmp_path, monkeypatch, name)[1] / file
    edit(log, old, new)
    run = chronicle("diff", f"ours/{file}", f"theirs/{file}")
    assert run.code == 1
    assert told in " ".join(run.out.split())


def test_coins_that_only_one_has_are_no_contradiction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    log = two_of(tmp_path, monkeypatch, "the-valley-twice")[1] / "04.yaml"
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace("  coins: 2\n", "", 1), encoding="utf-8")
    assert chronicle("diff", "ours/04.yaml", "theirs/04.yaml").code == 0


def test_nothing_is_said_of_what_nobody_has_revealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    our_folder, their_folder = two_of(tmp_path, monkeypatch, "the-boathouse")
    for folder, words in (
        (our_folder, "Marit keeps the key"),
        (their_folder, "Marit lost the key"),
    ):
        with (folder / "02.yaml").open("a", encoding="utf-8") as file:
            file.write(f"- secret: {words}\n  id: the-key\n")
    for options in ((), ("--format", "json")):
        run = chronicle("diff", "ours/02.yaml", "theirs/02.yaml", *options)
        assert run.code == 1
        assert "Marit" not in run.out
        assert "(secret)" in run.out
    output = chronicle("diff", "ours/02.yaml", "theirs/02.yaml").out
    assert "conflict: secret is not the same in both" in output
    edit(their_folder / "02.yaml", "\n  id: the-key\n", "\n  id: the-kee\n  nothing: x\n")
    assert "Marit" not in chronicle("diff", "ours/02.yaml", "theirs/02.yaml").out


def test_no_line_is_wider_than_the_screen(
    ours: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    log = ours / "bo" / "02.yaml"
    lines = [
        f"{line} and a long way round, past the boats, and back again by the same way as before"
        if line.startswith(("- tell: ", "- scene: "))
        else line
        for line in log.read_text(encoding="utf-8").splitlines()
    ]
    lines[lines.index("log:") + 1 : 0] = [
        "- xqzzy: a verb that nobody knows, and more of it to see"
    ]
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = chronicle("diff", "ours/02.yaml", "bo/02.yaml", "--words")
    assert run.code == 1
    assert max(map(len, run.out.splitlines())) <= 60
