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


def as_sqlite(exported: ExportedRecord) -> bytes:
    """The record as the bytes of a database file."""
    base = sqlite3.connect(":memory:")
    try:
        # Most tables are small, and each table and index takes at least a page.
        base.execute("PRAGMA page_size = 1024")
        base.executescript(SCHEMA.read_text(encoding="utf-8"))
        for table, rows in _tables(exported):
            _fill(base, table, rows)
        _fill(base, "postings", _postings(exported))
        base.commit()
        return base.serialize()
    finally:
        base.close()


def _fill(base: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    row_list = list(rows)
    if row_list:
        placeholders = ", ".join("?" * len(row_list[0]))
        base.executemany(f"INSERT INTO {table} VALUES ({placeholders})", row_list)


def _tables(exported: ExportedRecord) -> Iterator[tuple[str, Iterable[Row]]]:
    """Every table of the record; a table that others refer to comes first."""
    data = exported.summary
    campaign_texts = {
        key: value
        for key, value in data["campaign"].items()
        if key not in ("players", "runner", "authors")
    }
    yield (
        "about",
        [
            *campaign_texts.items(),
            ("authors", ", ".join(data["campaign"]["authors"])),
            ("situation", data["situation"]),
            ("unrevealed", str(data["unrevealed"])),
            ("format", data["format"]),
            ("version", str(VERSION)),
        ],
    )
    runner = data["campaign"]["runner"]
    seated = [*data["campaign"]["players"], *([runner] if runner else [])]
    # A group may play without a GM, or name the GM among its players.
    everybody = dict.fromkeys(seated)
    yield "players", ((seat, player, player == runner) for seat, player in enumerate(everybody, 1))
    sessions, scenes = data["sessions"], data["scenes"]
    yield "sessions", _columns(sessions, "number", "title", "date", "summary", "first", "last")
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
    of_scenes = ("number", "title", "kind", "session", "frame", "time", "place", "opener", "first",
               "last", "closing", "branch", "continues", "order")  # fmt: skip
    yield "scenes", _columns(scenes, *of_scenes)
    yield (
        "casts",
        ((scene["number"], name) for scene in scenes for name in dict.fromkeys(scene["cast"])),
    )
    yield (
        "scene_marks",
        (
            (scene["number"], mark, str(value))
            for scene in scenes
            for mark, value in scene["marks"].items()
        ),
    )
    yield from _entries(exported)
    yield "balances", _columns(data["balances"], "account", "unit", "amount", "at_most")
    yield "names", _columns(data["names"], "id", "kind", "name")
    yield (
        "aliases",
        (
            (named["id"], alias)
            for named in data["names"]
            for alias in dict.fromkeys(named["aliases"])
        ),
    )
    of_findings = ("code", "severity", "kind", "message", "step", "path", "line")
    yield (
        "findings",
        (
            (id, *values[:4], values[4] or None, *values[5:])
            for id, values in enumerate(_columns(data["diagnostics"], *of_findings), 1)
        ),
    )
    for table in ("rules", "rulings"):
        yield (
            f"{table}_used",
            (
                (id, step)
                for id, steps in data[table].items()
                for step in dict.fromkeys(steps)
                if step
            ),
        )


def _entries(exported: ExportedRecord) -> Iterator[tuple[str, Iterable[Row]]]:
    """The entries, and the tables that refer to one."""
    hidden = frozenset(exported.summary["hidden"])
    sides = 0
    sessions: list[dict[str, list[Row]]] = []
    for session_index in exported.session_indexes:
        rows = _session_rows(exported, session_index, hidden, sides)
        sides += len(rows["sides"])
        sessions.append(rows)
    for table in sessions[0] if sessions else ():
        yield table, chain.from_iterable(rows[table] for rows in sessions)


def _session_rows(
    exported: ExportedRecord, session_index: int, hidden: frozenset[int], sides_before: int
) -> dict[str, list[Row]]:
    """The rows of a session, by table. Sides are numbered through the whole record."""
    session = exported.record.sessions[session_index]
    steps = exported.steps(session_index)
    columns = ("anchor", "session", "scene", "parent", "verb", "player", "speaker", "headline",
               "fiction", "talk", "path", "line")  # fmt: skip
    shown = ((step["number"], False, *(step[column] for column in columns)) for step in steps)
    hidden_rows = (
        (number, True, *(None for _ in columns))
        for number in hidden
        if session.first_step <= number <= session.last_step
    )
    contests = [(step["number"], step["contest"]) for step in steps if step["contest"]]
    sides = [
        (entry, round, side)
        for entry, contest in contests
        for round, sides in [
            *enumerate(contest["earlier"], 1),
            (0, contest["sides"]),
        ]
        for side in sides
    ]
    return {
        "entries": sorted([*shown, *hidden_rows], key=lambda row: row[0]),
        "links": [
            (step["number"], linked)
            for step in steps
            for linked in dict.fromkeys(step["links"])
            if linked not in hidden
        ],
        "events": [
            (step["number"], n, event["text"], event["rule"], event["kind"], event["subject"])
            for step in steps
            for n, event in enumerate(step["events"], 1)
        ],
        "contests": [
            (entry, contest["title"], contest["score"], contest["unit"], "\n".join(contest["outcome"]),
             contest["odds"], contest["rule"])
            for entry, contest in contests
        ],
        "sides": [
            (id, entry, round, side["name"], side["player"], "\n".join(side["sources"]),
             side["result"], side["won"])
            for id, (entry, round, side) in enumerate(sides, sides_before + 1)
        ],
        "dice": [
            (id, n, die["die"], die["face"], die["colour"], die["hit"], die["extra"], die["void"])
            for id, (_, _, side) in enumerate(sides, sides_before + 1)
            for n, die in enumerate(side["dice"], 1)
        ],
        "faces": [
            (step["number"], n, die, face, player)
            for step in steps
            for n, (die, face, player) in enumerate(
                (
                    (throw["die"], face, throw["player"])
                    for throw in step["throws"]
                    for face in throw["faces"]
                ),
                1,
            )
        ],
    }  # fmt: skip


def _columns(rows: Iterable[Data], *columns: str) -> Iterator[Row]:
    for row in rows:
        yield tuple(row[column] for column in columns)


def _postings(exported: ExportedRecord) -> Iterator[Row]:
    """Every movement, because the balances are their sums; those of hidden entries have no text."""
    numbers: list[int | None] = [session.session.number for session in exported.record.sessions]
    count = 0
    for session, day in zip(numbers or [None], exported.days, strict=True):
        rows = _posting_rows(count, session, day)
        count += len(rows)
        yield from rows


def _posting_rows(count_before: int, session: int | None, day: Day) -> list[Row]:
    movements = (
        (transaction, posting)
        for transaction in day.transactions
        for posting in transaction.postings
    )
    return [
        (
            id, transaction.step or None, session, posting.source, posting.target, posting.amount,
            posting.unit, posting.rule, posting.why,
        )
        for id, (transaction, posting) in enumerate(movements, count_before + 1)
    ]  # fmt: skip
