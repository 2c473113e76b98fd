"""The figures of many campaigns as a database and as Parquet, for whoever asks in SQL or with data frames.

One table for each kind of figure, one row for each campaign and thing counted; views of the database have the
sums by game, each with the number of campaigns behind it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronicle.core.corpus import KINDS, Figures
from chronicle.core.errors import Refused

BATCH: Final = 50_000
"""How many rows are kept before they are written."""
MISSING: Final = "Parquet needs pyarrow: pip install 'chronicle-tabletop[parquet]'"


class NoParquet(Refused):
    """The library that writes Parquet is not installed."""


class Counted(NamedTuple):
    """A campaign and its figures. ``at`` tells it from all others: its address on a site."""

    at: str
    title: str
    figures: Figures


def data_of(counted: Iterable[Counted]) -> Iterator[dict[str, Any]]:
    """Each campaign as ``json.dumps`` takes it."""
    for one in counted:
        yield {"campaign": one.at, "title": one.title, **one.figures.data()}


def _type(column: str) -> str:
    return "INTEGER" if column in ("amount", "entries") else "TEXT"


def schema() -> str:
    """The tables and views, with a line on each."""
    parts = [
        "CREATE TABLE campaigns (campaign TEXT PRIMARY KEY, title TEXT NOT NULL, game TEXT NOT NULL);",
        "-- the faces of each die, in order: each is as likely as the others",
        "CREATE TABLE faces (game TEXT NOT NULL, die TEXT NOT NULL, position INTEGER NOT NULL, face TEXT "
        "NOT NULL, PRIMARY KEY (game, die, position));",
    ]
    for name, kind in KINDS.items():
        columns = "".join(f"{column} {_type(column)} NOT NULL, " for column in kind.columns)
        keys = ", ".join(("campaign", *kind.columns))
        listed = ", ".join(kind.columns)
        parts += [
            f"-- {kind.words}",
            f"CREATE TABLE {name} (campaign TEXT NOT NULL REFERENCES campaigns (campaign), "
            f"{columns}times INTEGER NOT NULL, PRIMARY KEY ({keys})) WITHOUT ROWID;",
            f"CREATE VIEW {name}_by_game AS SELECT game, {listed}, sum(times) AS times, "
            f"count(*) AS campaigns FROM {name} JOIN campaigns USING (campaign) "
            f"GROUP BY game, {listed} ORDER BY game, times DESC, {listed};",
        ]
    return "\n".join(parts)


def write_sqlite(file: Path, counted: Iterable[Counted]) -> None:
    """Write a new database. The same figures in the same order always give the same bytes.

    Raises:
        OSError: when it cannot be written.
    """
    base = sqlite3.connect(file)
    try:
        base.execute("PRAGMA journal_mode = OFF")
        base.executescript(schema())
        faces: dict[tuple[str, str], tuple[str, ...]] = {}
        for one in counted:
            base.execute(
                "INSERT INTO campaigns VALUES (?, ?, ?)", (one.at, one.title, one.figures.game)
            )
            for name, kind in KINDS.items():
                marks = ", ".join("?" * (len(kind.columns) + 2))
                rows = ((one.at, *row) for row in one.figures.rows(name))
                base.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
            for die, shown in one.figures.dice.items():
                faces[one.figures.game, die] = shown
        base.executemany(
            "INSERT INTO faces VALUES (?, ?, ?, ?)",
            (
                (*key, position, face)
                for key, shown in sorted(faces.items())
                for position, face in enumerate(shown, 1)
            ),
        )
        base.commit()
    except sqlite3.Error as error:
        raise OSError(None, str(error), str(file)) from None
    finally:
        base.close()


def write_parquet(folder: Path, counted: Iterable[Counted]) -> None:
    """Write a file for each kind of figure into a folder that is there, and one for the campaigns.

    Raises:
        NoParquet: when pyarrow is not installed.
        OSError: when they cannot be written.
    """
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise NoParquet(MISSING) from None
    text, count = pyarrow.string(), pyarrow.int64()
    columns: dict[str, list[tuple[str, Any]]] = {
        "campaigns": [("campaign", text), ("title", text), ("game", text)]
    }
    for name, kind in KINDS.items():
        told = [(one, count if _type(one) == "INTEGER" else text) for one in kind.columns]
        columns[name] = [("campaign", text), ("game", text), *told, ("times", count)]
    schemas = {name: pyarrow.schema(told) for name, told in columns.items()}
    kept: dict[str, list[tuple[Any, ...]]] = {name: [] for name in columns}
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(ParquetWriter(folder / f"{name}.parquet", schema))
            for name, schema in schemas.items()
        }

        def empty(name: str) -> None:
            rows, schema = kept[name], schemas[name]
            by_column = [
                pyarrow.array([row[n] for row in rows], type=schema.types[n])
                for n in range(len(schema.names))
            ]
            files[name].write_table(pyarrow.table(by_column, schema=schema))
            rows.clear()

        for one in counted:
            game = one.figures.game
            kept["campaigns"].append((one.at, one.title, game))
            for name in KINDS:
                kept[name] += ((one.at, game, *row) for row in one.figures.rows(name))
            for name, rows in kept.items():
                if len(rows) >= BATCH:
                    empty(name)
        for name in kept:
            empty(name)
