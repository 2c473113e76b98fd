"""What ``state``, ``show`` and ``find`` print: lines no wider than the screen, words left whole."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.cli.look import _excerpt_around, _make_match_finder, _with_match_marked
from chronicle.cli.out import TextStyler
from chronicle.cli.terminal import _edge_words, without_marks
from chronicle.core.diagnostic import amount_in_units
from chronicle.services.log import log_data as entries
from chronicle.services.open_campaigns import OpenCampaign
from tests.cli.test_cli import Chronicle
from tests.cli.test_cli import chronicle as chronicle
from tests.conftest import ROOT
from tests.table import table_after

SESSIONS = ROOT / "sessions"
EXAMPLES = find_campaigns(SESSIONS)


@pytest.fixture(autouse=True)
def _in_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", ["snowshed-nine", "six-names", "the-boathouse"])
def test_no_line_is_wider_than_the_screen(
    name: str, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in (["state", f"sessions/{name}"], ["find", "the", "--in", f"sessions/{name}"]):
        completed = chronicle(*command)
        assert max(map(len, completed.out.splitlines())) <= 80


def test_the_head_of_a_sheet_wraps(chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    completed = chronicle("show", "c11", "--in", "sessions/the-valley-twice")
    assert max(map(len, completed.out.splitlines()[:4])) <= 40


def test_headings_are_not_torn(chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "  Relationships  Fate" in chronicle("state", "sessions/six-names").out


def test_what_a_player_holds_is_counted(
    chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    output = chronicle("show", "Marta", "--in", "sessions/six-names").out
    assert "8 dice" in output
    assert "…" not in output
    assert "Judgment dice on a side at the moment" in " ".join(
        re.sub(r"\d dice", "", output).split()
    )
    lines = [
        amount_in_units(1, "Fleur-de-Lis"),
        amount_in_units(2, "Fleur-de-Lis"),
        amount_in_units(0, "envelope"),
        amount_in_units(25, "Coin"),
    ]
    assert lines == ["1 Fleur-de-Lis", "2 Fleur-de-Lis", "0 envelopes", "25 Coins"]


def test_markdown_is_printed_as_words(chronicle: Chronicle) -> None:
    output = chronicle("show", "Ruth", "--in", "sessions/the-boathouse").out
    assert "Tomas: " in output
    assert "**" not in output
    assert without_marks("*One* **two** _three_ `four` [five](x.md) 2 * 3 * 4 a_b_c") == (
        "One two three four five 2 * 3 * 4 a_b_c"
    )


@pytest.mark.parametrize("line", ["Die Straße zum Hafen", "İİİİ, der Hafen", "ßßß Hafen, sagt sie"])
def test_the_letters_that_were_found_are_marked(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    finder = _make_match_finder("hafen", is_regex=False)
    excerpt = _excerpt_around(line, finder, 60)
    assert excerpt == line
    assert "m" + "Hafen" + "\x1b[0m" in _with_match_marked(
        excerpt, finder, TextStyler(uses_colour=True)
    )


def test_entries_are_found_by_what_they_are(chronicle: Chronicle) -> None:
    in_boathouse = ("--in", "sessions/the-boathouse")
    rolls = chronicle("find", "--verb", "roll", *in_boathouse).out.splitlines()
    assert rolls and all("01.yaml" in line or "02.yaml" in line for line in rolls)
    of_ana = chronicle("find", "--verb", "roll", "--session", "1", *in_boathouse).out.splitlines()
    assert 0 < len(of_ana) <= len(rolls)
    assert chronicle("find", "--rule", "P18", *in_boathouse).out
    assert chronicle("find", "-e", "planks? are", *in_boathouse).out.count("planks") >= 1
    assert chronicle("find", "planks? are", *in_boathouse).code == 1
    completed = chronicle("find", "-e", "(open", *in_boathouse)
    assert completed.code == 2
    assert "no regular expression" in completed.err
    assert "did you mean 'roll'" in chronicle("find", "--verb", "rol", *in_boathouse).err
    assert "no player" in chronicle("find", "--player", "Nobody Here", *in_boathouse).err
    assert (
        "Ana speaks for Ruth:  --player Ana"
        in chronicle("find", "--player", "Ruth", *in_boathouse).err
    )
    assert chronicle("find", *in_boathouse).code == 2


def test_a_verb_is_explained_on_one_screen(chronicle: Chronicle) -> None:
    output = chronicle("explain", "back", "--in", "sessions/the-boathouse").out
    assert output.startswith("back:")
    assert len(output.splitlines()) <= 24
    assert "- back: " in output
    assert "who acts" in output


def test_what_speaks_of_something_is_found_by_words(chronicle: Chronicle) -> None:
    output = chronicle("explain", "commitment", "die", "--in", "sessions/the-boathouse").out
    assert "P18" in output
    assert "chronicle explain" in output
    assert chronicle("explain", "zzzq", "--in", "sessions/the-boathouse").code == 2
    some = chronicle("explain", "commitment", "zzzq", "--in", "sessions/the-boathouse").out
    assert "One die for conflicts, three for commitment" in some, (
        "one of the words is better than none"
    )


def test_with_two_campaigns_the_way_to_say_which_is_named(chronicle: Chronicle) -> None:
    error_output = chronicle("state", "sessions").err
    assert "--in sessions/the-boathouse" in error_output
    assert chronicle("state", "--in", "sessions/the-boathouse").code == 0
    assert chronicle("state", "sessions", "--in", "sessions/the-boathouse").code == 2


def test_only_what_is_asked_for_is_told(chronicle: Chronicle) -> None:
    broken = "tests/fixtures/broken/universalis"
    every = chronicle("check", broken, "-q").out.splitlines()
    chapter = chronicle("check", broken, "-q", "--select", "U3").out.splitlines()
    assert 0 < len(chapter) < len(every)
    assert all("[U3." in line for line in chapter)
    other_lines = chronicle("check", broken, "-q", "--ignore", "u3").out.splitlines()
    assert not any("[U3." in line for line in other_lines)
    unfolded = chronicle("check", broken, "-q", "--all").out.splitlines()
    assert len(unfolded) >= len(every)
    assert chronicle("check", broken, "-qq").out == ""
    assert chronicle("check", broken, "-qq").code == 1
    assert chronicle("check", broken, "--select", "U6.9").code == 0
    assert "nothing is found under 'Q99'" in chronicle("check", broken, "--select", "Q99").err
    folding = "tests/fixtures/broken/slow-burn"
    folded = chronicle("check", folding).out
    assert "more that follow from this (--all shows them)" in folded
    assert "--all shows" not in folded.splitlines()[-1]
    assert "--all shows" not in chronicle("check", folding, "--all").out


def test_errors_are_counted_as_check_counts_them(tmp_path: Path, chronicle: Chronicle) -> None:
    shutil.copytree(SESSIONS / "the-boathouse", tmp_path / "log")
    log = tmp_path / "log" / "01.yaml"
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace("- call: ", "- cxqz: ", 1), encoding="utf-8")
    counted = re.search(r"(\d+ errors?)", chronicle("check", tmp_path / "log").out.splitlines()[-1])
    assert counted is not None
    assert f"The log has {counted[1]};" in chronicle("state", tmp_path / "log").out


@pytest.mark.parametrize(
    ("label", "kind", "told"),
    [
        ("lost", "lost", "lost"),
        ("3 unlabelled green", "green unlabelled", "3 unlabelled green"),
        ("1", "relationship", "relationship 1"),
        ("-2, barred 1", "barred", "-2, barred 1"),
        ("2: strong + nimble", "green", "2: strong + nimble green"),
        ("", "tie", "tie"),
        ("owes him", "", "owes him"),
    ],
)
def test_what_ties_two_together_is_said_once(label: str, kind: str, told: str) -> None:
    assert _edge_words(label, kind) == told


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_state_says_what_is_due_and_the_data_say_the_same(
    chronicle: Chronicle, folder: Path
) -> None:
    """At the last moment before a throw, and now: what the game answers stands there, in words and in
    plain data, with every balance."""
    record = run(load(folder))
    throws = [step.number - 1 for step in record.steps if step.contest is not None]
    for at in (*throws[-1:], len(record.steps)):
        play = table_after(record.campaign, at)
        due = play.rulebook.due(play)
        table = json.loads(chronicle("state", folder, "--at", str(at), "--format", "json").out)
        assert [(duty["who"], duty["what"], duty["amount"]) for duty in table["due"]] == [
            (duty.who, duty.what, duty.amount) for duty in due
        ]
        held = {
            (balance["account"], balance["unit"]): balance["amount"]
            for balance in table["balances"]
        }
        assert held == {(account, unit): n for account, unit, n in play.ledger.balances()}
        assert table["situation"] == play.rulebook.situation(play)
        output = " ".join(chronicle("state", folder, "--at", str(at)).out.split())
        assert ("What is due" in output) == bool(due)
        settling = {duty.verb for duty in due}
        verbs = [move["verb"] in settling for move in table["next"]]
        assert verbs == sorted(verbs, reverse=True), "what is due stands first"


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_what_if_does_what_the_entry_did_and_writes_nothing(
    chronicle: Chronicle, folder: Path
) -> None:
    record = run(load(folder))
    tellable = [s for s in record.steps if s.events and not (s.retracted_by or s.parent)]
    # What another entry refers to may have been told more since.
    step = max(tellable, key=lambda candidate: (not candidate.links, candidate.number))
    span = step.action.whole_place
    files = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    lines = Path(span.path).read_text("utf-8").splitlines()
    entry = "\n".join(lines[span.line - 1 : span.end_line])
    entry = entry.partition("\n- ")[0] if span.end_column == 1 else entry
    # The log has an entry with this id already.
    entry = re.sub(r"\n  id: .*", "", entry)
    command = ["state", folder, "--at", str(step.number - 1), "--what-if"]
    tried = chronicle(*command, entry, "--format", "json")
    effects = json.loads(tried.out)
    assert effects["did"][: len(step.events)] == [event.text for event in step.events]
    assert tried.code == 0
    assert step.events[0].text.split()[0] in chronicle(*command, entry).out
    wrong = chronicle(*command, "- no such verb: 1")
    assert wrong.code == 1
    assert "no such verb" in wrong.out
    assert files == {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_of_many_moves_few_are_told_and_all_by_asking(chronicle: Chronicle, folder: Path) -> None:
    """What is folded is named, or told to be so; nothing that may come next is left out."""
    record = run(load(folder))
    middle = record.steps[len(record.steps) // 2]
    play = table_after(record.campaign, middle.number)
    verbs = {option.verb for option in play.rulebook.options(play)}
    line = f"{middle.action.whole_place.path}:{middle.action.whole_place.line}"
    few, every = chronicle("explain", line).out, chronicle("explain", line, "--all").out
    for output in (few, every):
        moves = " ".join(output[output.rindex("What may come next") :].split()) if verbs else ""
        assert all(verb in moves for verb in verbs)
    assert len(few) <= len(every) + 40
    assert "--all" not in every


SOMEBODY_PAID = """\
session: 1
log:
  - tenet: A harbour town
    kind: story
  - play starts:
  - bid: {Ann: 2, Ben: 1, Cy: 0}
  - scene: The quay
    at: {new: the quay}
  - create: {character: Mara}
  - event: She counts crates
  - create: {prop: A lamp}
    by: unrecorded
"""


def test_a_purse_from_which_nobody_knows_who_paid_is_told_as_the_most_it_holds(
    chronicle: Chronicle, tmp_path: Path
) -> None:
    """In every place that says what somebody has, until it is counted."""
    folder = tmp_path / "quay"
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "game: universalis\ntitle: The quay\nplayers: [Ann, Ben, Cy]\n"
    )
    log = folder / "01.yaml"
    log.write_text(SOMEBODY_PAID)
    output = chronicle("state", folder, "--format", "json").out
    less = {balance["account"] for balance in json.loads(output)["balances"] if balance["at_most"]}
    assert less == {"wealth:Ann", "wealth:Ben", "wealth:Cy"}
    assert "at most 25 Cy" in chronicle("state", folder).out
    assert "at most 25 Coins" in chronicle("show", "Ben", "--in", folder).out
    log.write_text(SOMEBODY_PAID + "  - assert: {wealth: {Cy: 26}}\n")
    assert "Cy has at most 25 Coins, not 26" in chronicle("check", folder).out
    out = tmp_path / "out"
    chronicle("render", folder, "--out", out)
    pages = {page.stem: page.read_text() for page in out.rglob("*.md")}
    assert all("at most 25" in pages[name] for name in ("ben", "ledger", "state"))
    log.write_text(SOMEBODY_PAID + "  - event: It rains\n    by: Cy\n  - end scene:\n    by: Cy\n")
    at = len(log.read_text().splitlines()) - 3
    assert "Cy: Coins: at most 25 -> at most 24" in chronicle("explain", f"{log}:{at}").out
    [rain] = [
        entry
        for entry in entries(OpenCampaign("", folder, lambda home, changes: None), 1, 99)["entries"]
        if entry["line"] == at
    ]
    assert [posting["balance"] for posting in rain["moved"]] == ["at most 24"]
    out = tmp_path / "after"
    chronicle("render", folder, "--out", out)
    pages = {page.stem: page.read_text() for page in out.rglob("*.md")}
    assert "now at most 24" in pages["1"] and "<strong>at most " in pages["1"]
    log.write_text(SOMEBODY_PAID + "  - assert: {wealth: {Cy: 24}}\n")
    sheet = chronicle("show", "Cy", "--in", folder).out
    assert "24 Coins" in sheet and "at most" not in sheet


def test_figures_after_a_gap_are_told_as_not_certain(tmp_path: Path, chronicle: Chronicle) -> None:
    folder = tmp_path / "the-boathouse"
    shutil.copytree(SESSIONS / "the-boathouse", folder)
    log = folder / "02.yaml"
    assert "Not certain" not in chronicle("state", folder).out
    log.write_text(log.read_text(encoding="utf-8") + "\n- gap: nobody wrote\n", encoding="utf-8")
    output = " ".join(chronicle("state", folder).out.split())
    assert "Not certain, because the log does not tell all: " in output
    assert "commitment dice left (Ana, Bo, Cleo, Dov and Eli)." in output
    data = json.loads(chronicle("state", folder, "--format", "json").out)
    assert set(data["uncertain"]["dice"]) == set(data["figures"]["dice"])
