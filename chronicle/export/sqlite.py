"""The whole record as an SQLite database, for Datasette, pandas and whoever asks in SQL.

The tables and views are those of ``record.sql``, with their columns explained. The same record always
gives the same tables, and nothing that has not been revealed is in them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from chronicle.export.books import Day
from chronicle.export.data import VERSION, Plain

SCHEMA = Path(__file__).with_name("record.sql")

Row = tuple[Any, ...]
Data = dict[str, Any]


def as_sqlite(plain: Plain) -> bytes:
    """The record as the bytes of a database file."""
    base = sqlite3.connect(":memory:")
    try:
        # Most tables hold little, and each of them and of their indexes takes a page at least.
        base.execute("PRAGMA page_size = 1024")
        base.executescript(SCHEMA.read_text(encoding="utf-8"))
        for table, rows in _tables(plain):
            _fill(base, table, rows)
        _fill(base, "postings", _postings(plain))
        base.commit()
        return base.serialize()
    finally:
        base.close()


def _fill(base: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    filled = list(rows)
    if filled:
        marks = ", ".join("?" * len(filled[0]))
        base.executemany(f"INSERT INTO {table} VALUES ({marks})", filled)


def _tables(plain: Plain) -> Iterator[tuple[str, Iterable[Row]]]:
    """Every table that is a part of the record, those that others refer to first."""
    data = plain.about
    about = {
        key: value
        for key, value in data["campaign"].items()
        if key not in ("players", "runner", "authors")
    }
    yield (
        "about",
        [
            *about.items(),
            ("authors", ", ".join(data["campaign"]["authors"])),
            ("situation", data["situation"]),
            ("unrevealed", str(data["unrevealed"])),
            ("format", data["format"]),
            ("version", str(VERSION)),
        ],
    )
    runner = data["campaign"]["runner"]
    seated = [*data["campaign"]["players"], *([runner] if runner else [])]
    # A table may play without anybody to run the game, or name whoever does among its players.
    everybody = dict.fromkeys(seated)
    yield "players", ((seat, who, who == runner) for seat, who in enumerate(everybody, 1))
    sessions, scenes = data["sessions"], data["scenes"]
    yield "sessions", _columns(sessions, "number", "title", "date", "summary", "first", "last")
    yield (
        "attendance",
        (
            (one["number"], who, here)
            for one in sessions
            # A log may name somebody twice, or on both lists.
            for who, here in (
                dict.fromkeys(one["absent"], False) | dict.fromkeys(one["present"], True)
            ).items()
        ),
    )
    of_scenes = ("number", "title", "kind", "session", "frame", "time", "place", "opener", "first",
               "last", "closing", "branch", "continues", "order")  # fmt: skip
    yield "scenes", _columns(scenes, *of_scenes)
    yield "casts", ((one["number"], who) for one in scenes for who in dict.fromkeys(one["cast"]))
    yield (
        "scene_marks",
        (
            (one["number"], mark, str(value))
            for one in scenes
            for mark, value in one["marks"].items()
        ),
    )
    yield from _entries(plain)
    yield "balances", _columns(data["balances"], "account", "unit", "amount", "at_most")
    yield "names", _columns(data["names"], "id", "kind", "name")
    yield (
        "aliases",
        ((one["id"], alias) for one in data["names"] for alias in dict.fromkeys(one["aliases"])),
    )
    of_findings = ("code", "severity", "finding", "message", "step", "path", "line")
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


def _entries(plain: Plain) -> Iterator[tuple[str, Iterable[Row]]]:
    """The entries, and what belongs to one."""
    hidden = frozenset(plain.about["hidden"])
    sides = 0
    evenings: list[dict[str, list[Row]]] = []
    for one in plain.evenings:
        made = _evening(plain, one, hidden, sides)
        sides += len(made["sides"])
        evenings.append(made)
    for table in evenings[0] if evenings else ():
        yield table, chain.from_iterable(made[table] for made in evenings)


def _evening(
    plain: Plain, evening: int, hidden: frozenset[int], sides_before: int
) -> dict[str, list[Row]]:
    """The rows of an evening, by table. Sides are counted through the whole record."""
    here = plain.record.sessions[evening]
    steps = plain.steps(evening)
    columns = ("anchor", "session", "scene", "parent", "verb", "player", "speaker", "headline",
               "fiction", "talk", "path", "line")  # fmt: skip
    told = ((one["number"], False, *(one[column] for column in columns)) for one in steps)
    kept = (
        (number, True, *(None for _ in columns))
        for number in hidden
        if here.first_step <= number <= here.last_step
    )
    contests = [(one["number"], one["contest"]) for one in steps if one["contest"]]
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
        "entries": sorted([*told, *kept], key=lambda row: row[0]),
        "links": [
            (one["number"], other)
            for one in steps
            for other in dict.fromkeys(one["links"])
            if other not in hidden
        ],
        "events": [
            (one["number"], n, event["text"], event["rule"], event["kind"], event["subject"])
            for one in steps
            for n, event in enumerate(one["events"], 1)
        ],
        "contests": [
            (entry, one["title"], one["score"], one["unit"], "\n".join(one["outcome"]), one["odds"],
             one["rule"])
            for entry, one in contests
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
            (one["number"], n, die, face, player)
            for one in steps
            for n, (die, face, player) in enumerate(
                (
                    (throw["die"], face, throw["player"])
                    for throw in one["throws"]
                    for face in throw["faces"]
                ),
                1,
            )
        ],
    }  # fmt: skip


def _columns(rows: Iterable[Data], *columns: str) -> Iterator[Row]:
    for row in rows:
        yield tuple(row[column] for column in columns)


def _postings(plain: Plain) -> Iterator[Row]:
    """Every movement, those of hidden entries without a word: the balances have to be their sums."""
    numbers: list[int | None] = [one.session.number for one in plain.record.sessions]
    count = 0
    for session, day in zip(numbers or [None], plain.days, strict=True):
        made = _moved(count, session, day)
        count += len(made)
        yield from made


def _moved(before: int, session: int | None, day: Day) -> list[Row]:
    moved = ((one, posting) for one in day.transactions for posting in one.postings)
    return [
        (
            id, one.step or None, session, posting.source, posting.target, posting.amount,
            posting.unit, posting.rule, posting.why,
        )
        for id, (one, posting) in enumerate(moved, before + 1)
    ]  # fmt: skip
