"""What leaves the house: peers accept our journals, copies replay alike, secrets stay."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.record import Record
from chronicle.export import exports
from chronicle.export.beancount import beancount
from chronicle.export.books import session_days
from chronicle.export.data import ExportedRecord, as_json
from chronicle.export.hledger import hledger as as_hledger
from chronicle.export.log import logs
from chronicle.testkit.records import record_text
from tests.conftest import ROOT

EXAMPLES = find_campaigns(ROOT / "sessions")

HOSTILE = """\
game: positive
title: '"; rm -rf \\ ''{{ <b>'
players: ['Ana; x', 'ana; X', '=cmd|A1', '(Bo) [x]:y']
"""
HOSTILE_LOG = """\
session: 1
title: "a | b; c \\" d"
date: 2026-02-30
log:
- cast: {'Ana; x': 'Éva  Ő', 'ana; X': 'date:2020-01-01', '=cmd|A1': '*!', '(Bo) [x]:y': '💀'}
- host: '💀'
- accuser: '*!'
- scene: "one; two = three"
  with: 'Éva  Ő'
- call: 'x" ^link #tag'
  by: 'Éva  Ő'
  against: '*!'
- match: "n"
- back: {'(Bo) [x]:y': '*!'}
- roll: {'Éva  Ő': '+', '*!': 'oo'}
- end scene: ";"
"""

SECRET = "Kestrel-under-the-stairs"


def campaign(folder: Path, settings: str, *sessions: str) -> Record:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8")
    for number, text in enumerate(sessions, 1):
        (folder / f"{number:02}.yaml").write_text(text, encoding="utf-8")
    return run(load(folder))


@pytest.fixture
def hostile(tmp_path: Path) -> Record:
    record = campaign(tmp_path / "hostile", HOSTILE, HOSTILE_LOG)
    assert len(record.ledger.postings) > 5
    return record


def accepted(program: list[str], text: str, file: Path) -> str:
    file.write_text(text, encoding="utf-8")
    done = subprocess.run([*program, str(file)], capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:] + text[:3000]
    return done.stdout


@pytest.mark.peers
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda f: f.name)
def test_hledger_accepts_every_example(folder: Path, tmp_path: Path, hledger: str) -> None:
    record = run(load(folder))
    accepted(
        [hledger, "check", "--strict", "-f"],
        as_hledger(ExportedRecord(record)),
        tmp_path / "x.journal",
    )


@pytest.mark.peers
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda f: f.name)
def test_beancount_accepts_every_example(folder: Path, tmp_path: Path, bean_check: str) -> None:
    record = run(load(folder))
    accepted(
        [bean_check, "--no-cache"], beancount(ExportedRecord(record)), tmp_path / "x.beancount"
    )


@pytest.mark.peers
def test_hledger_accepts_hostile_names(hostile: Record, tmp_path: Path, hledger: str) -> None:
    text = as_hledger(ExportedRecord(hostile))
    accepted([hledger, "check", "--strict", "-f"], text, tmp_path / "x.journal")
    accounts = accepted([hledger, "accounts", "-f"], text, tmp_path / "x.journal").splitlines()
    own_accounts = {account for account, _, _ in hostile.ledger.balances()}
    assert len(accounts) == len(own_accounts), "two names became one account, or one became two"


@pytest.mark.peers
def test_beancount_accepts_hostile_names(hostile: Record, tmp_path: Path, bean_check: str) -> None:
    text = beancount(ExportedRecord(hostile))
    accepted([bean_check, "--no-cache"], text, tmp_path / "x.beancount")
    opened = re.findall(r"^\S+ open (\S+)$", text, re.M)
    own_accounts = {account for account, _, _ in hostile.ledger.balances()}
    assert len(set(opened)) == len(own_accounts)


@pytest.mark.peers
def test_peers_find_a_wrong_sum(tmp_path: Path, hledger: str, bean_check: str) -> None:
    """The assertions are real: a coin more, and both programs say so."""
    record = run(load(ROOT / "sessions" / "the-boathouse"))
    wrong = as_hledger(ExportedRecord(record)).replace("dice:Ana  -1 ", "dice:Ana  -2 ", 1)
    (tmp_path / "x.journal").write_text(wrong.replace("box  1 ", "box  2 ", 1), encoding="utf-8")
    done = subprocess.run(
        [hledger, "check", "-f", str(tmp_path / "x.journal")], capture_output=True
    )
    assert done.returncode != 0
    wrong = beancount(ExportedRecord(record)).replace(
        "Assets:Dice:Ana  -1 ", "Assets:Dice:Ana  -2 ", 1
    )
    wrong = wrong.replace("Equity:Box  1 ", "Equity:Box  2 ", 1)
    (tmp_path / "x.beancount").write_text(wrong, encoding="utf-8")
    done = subprocess.run([bean_check, "-C", str(tmp_path / "x.beancount")], capture_output=True)
    assert b"Balance failed" in done.stderr


@pytest.mark.peers
def test_balances_of_hledger_are_ours(tmp_path: Path, hledger: str) -> None:
    record = run(load(ROOT / "sessions" / "the-boathouse"))
    file = tmp_path / "x.journal"
    file.write_text(as_hledger(ExportedRecord(record)), encoding="utf-8")
    output = subprocess.run(
        [hledger, "balance", "-f", str(file), "-O", "csv", "--flat", "--no-total", "-E"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    hledger_balances = {
        (row["account"], int(amount.split()[0]), amount.split(" ", 1)[1].strip('"'))
        for row in csv.DictReader(io.StringIO(output))
        for amount in row["balance"].split(", ")
        if amount != "0"
    }
    own_balances = {(account, n, unit) for account, unit, n in record.ledger.balances() if n}
    assert hledger_balances == own_balances


def test_days_rise_whatever_the_log_says(tmp_path: Path) -> None:
    settings = "game: positive\ntitle: t\nplayers: [A, B, C, D]\n"
    dates = ["2026-05-05", "2026-05-05", "1999-01-01", "midsummer", "2026-13-40", "0001-01-01"]
    sessions = [f"session: {n}\ndate: {d}\nlog:\n- tell: x\n" for n, d in enumerate(dates, 1)]
    session_dates = [
        day.date for day in session_days(campaign(tmp_path / "c", settings, *sessions))
    ]
    assert session_dates == sorted(set(session_dates))
    assert str(session_dates[0]) == "2026-05-05"


def test_a_cell_is_never_a_formula(hostile: Record) -> None:
    text = {name: data for name, _, data in exports(hostile)}["postings.csv"].decode()
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == len(hostile.ledger.postings) + 1
    assert {len(row) for row in rows} == {11}
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "@", "-")]


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda f: f.name)
def test_copies_of_the_logs_replay_alike(folder: Path, tmp_path: Path) -> None:
    record = run(load(folder))
    for name, _, text in logs(record):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for sibling in ("journal", "art"):
        if (folder / sibling).is_dir():
            shutil.copytree(folder / sibling, tmp_path / sibling)
    second_record = run(load(tmp_path))
    if record.unrevealed_count:
        assert len(second_record.steps) < len(record.steps)
    else:
        assert _replayed(second_record) == _replayed(record)


def _replayed(record: Record) -> str:
    """The record as text, without what says where in a file an entry stands."""
    return re.sub(r"\S+\.yaml:\d+:\d+", "", record_text(record))


@pytest.mark.parametrize(
    "value",
    ["-0", "+1", "007", "no", "-", "?", "o-", "a: b", "a #b", "'twas", '"Halt!" she cried', "*bold*",
     "{x", "[", "@home", "x: |", "tab\there", "trailing:", "12:30", "=", "~", "null", "|", "- x",
     " leading", "a, b", "%", "`", "é ő 💀", "\u2028line 💀", "a\\b", "#", "two  spaces", "---", "..."],
)  # fmt: skip
def test_every_text_comes_out_as_it_was_typed(value: str, tmp_path: Path) -> None:
    quoted = json.dumps(value, ensure_ascii="\u2028" in value).replace("\\ud83d\\udc80", "💀")
    settings = "game: positive\ntitle: t\nplayers: [A, B, C, D]\n"
    log = (
        f"session: 1\nlog:\n- tell: {quoted}\n  text: {quoted}\n  note: {quoted}\n"
        f"- assert: {{track: {{{quoted}: {quoted}}}}}\n"
    )
    record = campaign(tmp_path / "a", settings, log)
    sources = [dict(step.action.source) for step in record.steps]
    for name, _, text in logs(record):
        (tmp_path / name).write_text(text, encoding="utf-8")
    second_record = run(load(tmp_path))
    assert [dict(step.action.source) for step in second_record.steps] == sources
    assert str(second_record.steps[0].action.text) == value


@pytest.mark.parametrize("value", ["one\ntwo\n", "one\n\n  two\n", "end\n\n\n", "no end\nhere",
                                   " starts\nwith space\n", "trailing \nspace\n", "\nblank first\n"])  # fmt: skip
def test_texts_of_several_lines_survive(value: str, tmp_path: Path) -> None:
    settings = "game: positive\ntitle: t\nplayers: [A, B, C, D]\n"
    log = f"session: 1\nlog:\n- tell: x\n  text: {json.dumps(value)}\n- tell: {json.dumps(value)}\n"
    record = campaign(tmp_path / "a", settings, log)
    for name, _, text in logs(record):
        (tmp_path / name).write_text(text, encoding="utf-8")
    second_record = run(load(tmp_path))
    assert [dict(s.action.source) for s in second_record.steps] == [
        {"tell": "x", "text": value},
        {"tell": value},
    ]


# -- secrets ---------------------------------------------------------------------------------------

LEAKS = {
    "a plain secret": f"- secret: {SECRET}\n  id: s\n",
    "without an id": f"- secret: {SECRET}\n",
    "in an option": f"- secret: something\n  id: s\n  text: {SECRET}\n  note: {SECRET}\n",
    "who it is about": f"- secret: something\n  id: s\n  about: {SECRET}\n",
    "an unknown option": f"- secret: something\n  id: s\n  {SECRET}: x\n",
    "two verbs": f"- secret: {SECRET}\n  id: s\n  tell: hello\n",
    "tell first": f"- by: {SECRET}\n  secret: something\n  id: s\n",
    "broken YAML": f'- secret: "{SECRET}\n  id: s\n- tell: y\n',
    "a colon": f"- secret: she knows: {SECRET}\n  id: s\n",
    "a comment above": f"# {SECRET}\n- secret: x\n  id: s\n",
    "a comment beside": f"- secret: x # {SECRET}\n  id: s # {SECRET}\n",
    "a remark above": f"#> {SECRET}\n- secret: x\n  id: s\n",
    "a block": f"- secret: |\n    one\n    {SECRET}\n  id: s\n",
    "a mapping": f"- secret: {{what: {SECRET}}}\n  id: s\n",
    "an alias": f"- secret: &x {SECRET}\n  id: s\n",
    "a tag": f"- secret: !x {SECRET}\n  id: s\n",
    "a misspelt verb": f"- secert: {SECRET}\n  id: s\n",
    "no space": f"- secret:{SECRET}\n",
    "a wrong reveal": f"- secret: {SECRET}\n  id: s\n- reveal: t\n",
    "allowed": f"- secret: x\n  id: s\n  allow: {{P1: {SECRET}}}\n",
}


@pytest.mark.parametrize("name", LEAKS)
def test_no_byte_of_a_secret_leaves(name: str, tmp_path: Path) -> None:
    settings = "game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n"
    log = f"session: 1\nlog:\n- tell: It rains\n{LEAKS[name]}- tell: It stops\n"
    record = campaign(tmp_path / "c", settings, log)
    for file, _, data in exports(record):
        text = data.decode("utf-8", "replace")
        for word in (SECRET, SECRET.casefold(), "kestrel"):
            assert word not in text.casefold() and word not in text, (file, text)
    texts = {file: data.decode(errors="replace") for file, _, data in exports(record)}
    assert "It rains" in texts["01.yaml"] and "It rains" in texts["record.json"]


def test_a_revealed_secret_is_told(tmp_path: Path) -> None:
    settings = "game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n"
    log = f"session: 1\nlog:\n- secret: {SECRET}\n  id: s\n- reveal: s\n"
    record = campaign(tmp_path / "c", settings, log)
    texts = {file: data.decode(errors="replace") for file, _, data in exports(record)}
    assert SECRET in texts["01.yaml"] and SECRET in texts["record.json"]


def test_a_secret_revealed_later_stays_kept_before(tmp_path: Path) -> None:
    settings = "game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n"
    first = f"session: 1\nlog:\n- secret: {SECRET}\n  id: s\n"
    second = f"session: 2\nlog:\n- reveal: s\n- tell: '{SECRET} was it'\n"
    campaign(tmp_path / "c", settings, first, second)
    early = run(load(tmp_path / "c"), through=1)
    for file, _, data in exports(early):
        assert SECRET.encode() not in data, file


def test_hidden_entries_have_bare_anchors(tmp_path: Path) -> None:
    settings = "game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n"
    record = campaign(tmp_path / "c", settings, f"session: 1\nlog:\n- secret: {SECRET}\n")
    (step,) = record.steps
    assert step.hidden
    assert step.anchor == "s1-secret-hidden"


# -- json ------------------------------------------------------------------------------------------


def test_the_same_record_gives_the_same_bytes() -> None:
    folder = ROOT / "sessions" / "the-boathouse"
    assert as_json(ExportedRecord(run(load(folder)))) == as_json(ExportedRecord(run(load(folder))))


def test_json_holds_the_whole_record() -> None:
    record = run(load(ROOT / "sessions" / "the-boathouse"))
    data = json.loads(as_json(ExportedRecord(record)))
    assert data["format"] == "chronicle-record"
    assert [step["number"] for step in data["steps"]] == [s.number for s in record.visible_steps()]
    moved = [posting for step in data["steps"] for posting in step["postings"]]
    assert len(moved) == sum(p.step_number > 0 for p in record.ledger.postings)
    sums: dict[str, int] = {}
    for balance in data["balances"]:
        sums[balance["unit"]] = sums.get(balance["unit"], 0) + balance["amount"]
    assert set(sums.values()) == {0}
    assert {scene["order"] for scene in data["scenes"]} == set(range(1, len(data["scenes"]) + 1))
    rolls = [step["contest"] for step in data["steps"] if step["contest"]]
    assert rolls and all(side["dice"] for roll in rolls for side in roll["sides"])


def test_json_speaks_of_findings(tmp_path: Path) -> None:
    settings = "game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n"
    record = campaign(tmp_path / "c", settings, "session: 1\nlog:\n- host: Nobody\n")
    (finding,) = json.loads(as_json(ExportedRecord(record)))["diagnostics"]
    assert finding["code"] == "T50" and finding["step"] == 1 and "Nobody" in finding["message"]


def test_an_empty_campaign_can_be_exported(tmp_path: Path, hledger: str, bean_check: str) -> None:
    record = campaign(tmp_path / "c", "game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    accepted(
        [hledger, "check", "--strict", "-f"],
        as_hledger(ExportedRecord(record)),
        tmp_path / "x.journal",
    )
    accepted([bean_check, "-C"], beancount(ExportedRecord(record)), tmp_path / "x.beancount")
