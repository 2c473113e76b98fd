"""The record as a database: whole, sound, and nothing in it that JSON would not tell."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns, for_readers, load, run
from chronicle.cli import main
from chronicle.core.record import Record
from chronicle.export.data import ExportedRecord, as_json
from chronicle.export.sqlite import as_sqlite
from tests.conftest import ROOT

EXAMPLES = find_campaigns(ROOT / "sessions")


@contextmanager
def opened(record: Record) -> Iterator[sqlite3.Connection]:
    base = sqlite3.connect(":memory:")
    base.deserialize(as_sqlite(ExportedRecord(record)))
    yield base
    base.close()


def columns_referred_to(base: sqlite3.Connection) -> list[Any]:
    """What each foreign key says it leads to: None where that is left to be the key of the other table,
    which SQLite knows and Datasette does not."""
    tables = base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return [
        column
        for (table,) in tables
        for (column,) in base.execute('SELECT "to" FROM pragma_foreign_key_list(?)', (table,))
    ]


def test_every_reference_names_its_column() -> None:
    with opened(run(load(EXAMPLES[0]))) as base:
        named = columns_referred_to(base)
    assert len(named) > 20 and None not in named


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_a_database_holds_the_whole_record(folder: Path) -> None:
    record = run(for_readers(load(folder)))
    data = json.loads(as_json(ExportedRecord(record)))
    with opened(record) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert base.execute("PRAGMA foreign_key_check").fetchall() == []

        def of(sql: str) -> list[tuple[Any, ...]]:
            return base.execute(sql).fetchall()

        entry_rows = of("SELECT number, verb, fiction FROM entries WHERE NOT hidden")
        assert entry_rows == [
            (step["number"], step["verb"], step["fiction"]) for step in data["steps"]
        ]
        assert [number for (number,) in of("SELECT number FROM entries WHERE hidden")] == data[
            "hidden"
        ]
        sentences = [e["text"] for step in data["steps"] for e in step["events"]]
        assert [
            text for (text,) in of("SELECT text FROM events ORDER BY entry, position")
        ] == sentences
        fell = [face for step in data["steps"] for t in step["throws"] for face in t["faces"]]
        assert [face for (face,) in of("SELECT face FROM faces ORDER BY entry, position")] == fell
        shown = [
            (die["face"], die["hit"])
            for step in data["steps"]
            if step["contest"]
            for side in step["contest"]["sides"]
            for die in side["dice"]
        ]
        dice_rows = of(
            "SELECT face, hit FROM dice JOIN sides ON sides.id = side WHERE round = 0 "
            "ORDER BY entry, sides.id, position"
        )
        assert dice_rows == shown
        sums = of("SELECT account, unit, sum(change) FROM movements GROUP BY account, unit")
        ends = {(a, u): n for a, u, n in of("SELECT account, unit, amount FROM balances")}
        assert {(a, u): n for a, u, n in sums} == {key: n for key, n in ends.items() if key in ends}
        assert sum(ends.values()) == 0
        last = of("SELECT account, unit, balance FROM movements WHERE (account, unit, id) IN "
                  "(SELECT account, unit, max(id) FROM movements GROUP BY account, unit)")  # fmt: skip
        assert {(a, u): n for a, u, n in last} == ends


def test_the_same_record_gives_the_same_bytes() -> None:
    folder = ROOT / "sessions" / "the-boathouse"
    assert as_sqlite(ExportedRecord(run(load(folder)))) == as_sqlite(
        ExportedRecord(run(load(folder)))
    )


def test_every_table_and_view_can_be_asked_stands_in_the_documentation() -> None:
    page = (ROOT / "docs" / "other-programs.md").read_text(encoding="utf-8")
    with opened(run(load(ROOT / "sessions" / "the-lantern-coast"))) as base:
        for kind, name in base.execute(
            "SELECT type, name FROM sqlite_master WHERE type != 'index'"
        ):
            filled = base.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            assert filled or name in ("scene_marks", "aliases", "findings"), name
            assert f"`{name}`" in page, f"{kind} {name} is not in docs/other-programs.md"


def test_the_questions_of_the_page_have_answers() -> None:
    page = (ROOT / "docs" / "other-programs.md").read_text(encoding="utf-8")
    queries = re.findall(r"```sql\n(.*?)```", page, re.S)
    assert len(queries) >= 3
    with opened(run(load(ROOT / "sessions" / "the-lantern-coast"))) as base:
        for sql in queries:
            assert base.execute(sql).fetchall(), sql


def test_an_entry_kept_secret_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    (tmp_path / "01.yaml").write_text("session: 1\nlog:\n- secret: the heron\n- tell: It rains\n")
    record = run(load(tmp_path))
    database = as_sqlite(ExportedRecord(record))
    assert b"heron" not in database and b"It rains" in database
    with opened(record) as base:
        assert base.execute("SELECT hidden, verb FROM entries ORDER BY number").fetchall() == [
            (1, None),
            (0, "tell"),
        ]


def test_whom_a_log_names_twice_was_present_once(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    (tmp_path / "01.yaml").write_text("session: 1\npresent: [A, B, A]\nlog:\n- tell: It rains\n")
    with opened(run(load(tmp_path))) as base:
        rows = base.execute(
            "SELECT player FROM attendance WHERE present ORDER BY player"
        ).fetchall()
        assert rows == [("A",), ("B",)]


def test_an_empty_campaign_is_a_database_too(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    with opened(run(load(tmp_path))) as base:
        assert base.execute("SELECT name FROM players ORDER BY seat").fetchall() == [
            ("A",), ("B",), ("C",), ("D",),
        ]  # fmt: skip


def test_the_command_writes_one(tmp_path: Path) -> None:
    file = tmp_path / "record.sqlite"
    folder = ROOT / "sessions" / "the-boathouse"
    assert not main(["export", str(folder), "--format", "sqlite", "--out", str(file)])
    base = sqlite3.connect(file)
    (title,) = base.execute("SELECT value FROM about WHERE key = 'title'").fetchone()
    base.close()
    assert title == load(folder).title
