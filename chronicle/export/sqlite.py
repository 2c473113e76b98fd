"""The whole record as an SQLite database, for Datasette, pandas or SQL.

The tables and views are those of ``record.sql``, with their columns explained. The same record always
gives the same tables. Nothing unrevealed is in them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from chronicle.export.books import Day
from chronicle.export.data import VERSION, ExportedRecord

SCHEMA = Path(__file__).with_name("record.sql")

Row = tuple[Any, ...]
Data = dict[str, Any]


def as_sqlite(exported_record: ExportedRecord) -> bytes:
    """The record as the bytes of a database file."""
    database = sqlite3.connect(":memory:")
    try:
        # Most tables are small, and each table and index takes at least a page.
        database.execute("PRAGMA page_size = 1024")
        database.executescript(SCHEMA.read_text(encoding="utf-8"))
        for table, rows in _rows_by_table(exported_record):
            _insert_rows(database, table, rows)
        _insert_rows(database, "postings", _all_posting_rows(exported_record))
        database.commit()
        return database.serialize()
    finally:
        database.close()


def _insert_rows(database: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    row_list = list(rows)
    if row_list:
        placeholders = ", ".join("?" * len(row_list[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({placeholders})", row_list)


def _rows_by_table(exported_record: ExportedRecord) -> Iterator[tuple[str, Iterable[Row]]]:
    """Every table of the record; a table that others refer to comes first."""
    record_data = exported_record.data_without_steps
    campaign_texts = {
        key: value
        for key, value in record_data["campaign"].items()
        if key not in ("players", "runner", "authors")
    }
    yield (
        "about",
        [
            *campaign_texts.items(),
            ("authors", ", ".join(record_data["campaign"]["authors"])),
            ("situation", record_data["situation"]),
            ("unrevealed", str(record_data["unrevealed"])),
            ("format", record_data["format"]),
            ("version", str(VERSION)),
        ],
    )
    facilitator = record_data["campaign"]["runner"]
    seated_names = [*record_data["campaign"]["players"], *([facilitator] if facilitator else [])]
    # A group may play without a GM, or name the GM among its players.
    participants = dict.fromkeys(seated_names)
    yield (
        "players",
        (
            (seat_number, player, player == facilitator)
            for seat_number, player in enumerate(participants, 1)
        ),
    )
    sessions, scenes = record_data["sessions"], record_data["scenes"]
    yield (
        "sessions",
        _column_values(sessions, "number", "title", "date", "summary", "first", "last"),
    )
    yield (
        "attendance",
        (
            (session["number"], player, is_present)
            for session in sessions
            # A log may name a player twice, or in both lists.
            for player, is_present in (
                dict.fromkeys(session["absent"], False) | dict.fromkeys(session["present"], True)
            ).items()
        ),
    )
    scene_columns = ("number", "title", "kind", "session", "frame", "time", "place", "opener", "first",
               "last", "closing", "branch", "continues", "order")  # fmt: skip
    yield "scenes", _column_values(scenes, *scene_columns)
    yield (
        "casts",
        (
            (scene["number"], cast_name)
            for scene in scenes
            for cast_name in dict.fromkeys(scene["cast"])
        ),
    )
    yield (
        "scene_marks",
        (
            (scene["number"], mark, str(value))
            for scene in scenes
            for mark, value in scene["marks"].items()
        ),
    )
    yield from _rows_by_entry_table(exported_record)
    yield (
        "balances",
        _column_values(record_data["balances"], "account", "unit", "amount", "at_most"),
    )
    yield "names", _column_values(record_data["names"], "id", "kind", "name")
    yield (
        "aliases",
        (
            (named_item["id"], alias)
            for named_item in record_data["names"]
            for alias in dict.fromkeys(named_item["aliases"])
        ),
    )
    finding_columns = ("code", "severity", "kind", "message", "step", "path", "line")
    yield (
        "findings",
        (
            (row_id, *diagnostic_values[:4], diagnostic_values[4] or None, *diagnostic_values[5:])
            for row_id, diagnostic_values in enumerate(
                _column_values(record_data["diagnostics"], *finding_columns), 1
            )
        ),
    )
    for table in ("rules", "rulings"):
        yield (
            f"{table}_used",
            (
                (row_id, step_number)
                for row_id, step_numbers in record_data[table].items()
                for step_number in dict.fromkeys(step_numbers)
                if step_number
            ),
        )


def _rows_by_entry_table(exported_record: ExportedRecord) -> Iterator[tuple[str, Iterable[Row]]]:
    """The entries, and the tables that refer to one."""
    hidden_step_numbers = frozenset(exported_record.data_without_steps["hidden"])
    side_count = 0
    tables_of_sessions: list[dict[str, list[Row]]] = []
    for session_index in exported_record.session_indexes:
        rows_by_table = _session_rows(
            exported_record, session_index, hidden_step_numbers, side_count
        )
        side_count += len(rows_by_table["sides"])
        tables_of_sessions.append(rows_by_table)
    for table in tables_of_sessions[0] if tables_of_sessions else ():
        yield (
            table,
            chain.from_iterable(rows_by_table[table] for rows_by_table in tables_of_sessions),
        )


def _session_rows(
    exported_record: ExportedRecord,
    session_index: int,
    hidden_step_numbers: frozenset[int],
    side_count_before: int,
) -> dict[str, list[Row]]:
    """The rows of a session, by table. Sides are numbered through the whole record."""
    session = exported_record.record.sessions[session_index]
    steps = exported_record.steps(session_index)
    entry_columns = ("anchor", "session", "scene", "parent", "verb", "player", "speaker", "headline",
               "fiction", "talk", "path", "line")  # fmt: skip
    shown_entry_rows = (
        (step["number"], False, *(step[column] for column in entry_columns)) for step in steps
    )
    hidden_entry_rows = (
        (hidden_step_number, True, *(None for _ in entry_columns))
        for hidden_step_number in hidden_step_numbers
        if session.first_step <= hidden_step_number <= session.last_step
    )
    numbered_contests = [(step["number"], step["contest"]) for step in steps if step["contest"]]
    numbered_sides = [
        (step_number, round_number, side)
        for step_number, contest in numbered_contests
        for round_number, sides in [
            *enumerate(contest["earlier"], 1),
            (0, contest["sides"]),
        ]
        for side in sides
    ]
    return {
        "entries": sorted([*shown_entry_rows, *hidden_entry_rows], key=lambda row: row[0]),
        "links": [
            (step["number"], linked_number)
            for step in steps
            for linked_number in dict.fromkeys(step["links"])
            if linked_number not in hidden_step_numbers
        ],
        "events": [
            (step["number"], position, event["text"], event["rule"], event["kind"], event["subject"])
            for step in steps
            for position, event in enumerate(step["events"], 1)
        ],
        "contests": [
            (step_number, contest["title"], contest["score"], contest["unit"], "\n".join(contest["outcome"]),
             contest["odds"], contest["rule"])
            for step_number, contest in numbered_contests
        ],
        "sides": [
            (side_id, step_number, round_number, side["name"], side["player"], "\n".join(side["sources"]),
             side["result"], side["won"])
            for side_id, (step_number, round_number, side) in enumerate(numbered_sides, side_count_before + 1)
        ],
        "dice": [
            (side_id, position, die["die"], die["face"], die["colour"], die["hit"], die["extra"], die["void"])
            for side_id, (_, _, side) in enumerate(numbered_sides, side_count_before + 1)
            for position, die in enumerate(side["dice"], 1)
        ],
        "faces": [
            (step["number"], die_position, die, face, player)
            for step in steps
            for die_position, (die, face, player) in enumerate(
                (
                    (throw["die"], face, throw["player"])
                    for throw in step["throws"]
                    for face in throw["faces"]
                ),
                1,
            )
        ],
    }  # fmt: skip


def _column_values(rows: Iterable[Data], *columns: str) -> Iterator[Row]:
    for row in rows:
        yield tuple(row[column] for column in columns)


def _all_posting_rows(exported_record: ExportedRecord) -> Iterator[Row]:
    """Every movement, because the balances are their sums; those of hidden entries have no text."""
    session_numbers: list[int | None] = [
        session.session.number for session in exported_record.record.sessions
    ]
    posting_count = 0
    for session_number, day in zip(session_numbers or [None], exported_record.days, strict=True):
        posting_rows = _posting_rows(posting_count, session_number, day)
        posting_count += len(posting_rows)
        yield from posting_rows


def _posting_rows(posting_count_before: int, session_number: int | None, day: Day) -> list[Row]:
    transactions_and_postings = (
        (transaction, posting)
        for transaction in day.transactions
        for posting in transaction.postings
    )
    return [
        (
            posting_id, transaction.step_number or None, session_number, posting.source, posting.target, posting.amount,
            posting.unit, posting.rule, posting.why,
        )
        for posting_id, (transaction, posting) in enumerate(transactions_and_postings, posting_count_before + 1)
    ]  # fmt: skip
