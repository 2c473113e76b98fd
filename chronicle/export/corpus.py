"""The figures of many campaigns as a database and as Parquet, for queries in SQL or with data frames.

Each kind of figure has a table, with a row for each campaign and counted item. Views of the database have the sums by
game, with the number of campaigns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronicle.core.corpus import FIGURE_KINDS, Figures
from chronicle.core.errors import Refused
from chronicle.core.installation import install_command

ROWS_PER_BATCH: Final = 50_000
"""The number of rows that are collected before they are written."""


class NoParquet(Refused):
    """The library that writes Parquet is not installed."""


class CampaignFigures(NamedTuple):
    """A campaign and its figures. ``address`` identifies it: its address on a site."""

    address: str
    title: str
    figures: Figures


def data_of(campaigns: Iterable[CampaignFigures]) -> Iterator[dict[str, Any]]:
    """Each campaign as ``json.dumps`` takes it."""
    for campaign in campaigns:
        yield {"campaign": campaign.address, "title": campaign.title, **campaign.figures.to_data()}


def _sql_type(column: str) -> str:
    return "INTEGER" if column in ("amount", "entries") else "TEXT"


def schema() -> str:
    """The tables and views in SQL, each with a comment."""
    parts = [
        "CREATE TABLE campaigns (campaign TEXT PRIMARY KEY, title TEXT NOT NULL, game TEXT NOT NULL);",
        "-- the faces of each die, in order: each is as likely as the others",
        "CREATE TABLE faces (game TEXT NOT NULL, die TEXT NOT NULL, position INTEGER NOT NULL, face TEXT "
        "NOT NULL, PRIMARY KEY (game, die, position));",
    ]
    for name, kind in FIGURE_KINDS.items():
        columns = "".join(f"{column} {_sql_type(column)} NOT NULL, " for column in kind.columns)
        keys = ", ".join(("campaign", *kind.columns))
        column_list = ", ".join(kind.columns)
        parts += [
            f"-- {kind.description}",
            f"CREATE TABLE {name} (campaign TEXT NOT NULL REFERENCES campaigns (campaign), "
            f"{columns}times INTEGER NOT NULL, PRIMARY KEY ({keys})) WITHOUT ROWID;",
            f"CREATE VIEW {name}_by_game AS SELECT game, {column_list}, sum(times) AS times, "
            f"count(*) AS campaigns FROM {name} JOIN campaigns USING (campaign) "
            f"GROUP BY game, {column_list} ORDER BY game, times DESC, {column_list};",
        ]
    return "\n".join(parts)


def write_sqlite(file: Path, campaigns: Iterable[CampaignFigures]) -> None:
    """Write a new database. The same figures in the same order always give the same bytes.

    Raises:
        OSError: when it cannot be written.
    """
    connection = sqlite3.connect(file)
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.executescript(schema())
        faces: dict[tuple[str, str], tuple[str, ...]] = {}
        for campaign in campaigns:
            connection.execute(
                "INSERT INTO campaigns VALUES (?, ?, ?)",
                (campaign.address, campaign.title, campaign.figures.game),
            )
            for name, kind in FIGURE_KINDS.items():
                placeholders = ", ".join("?" * (len(kind.columns) + 2))
                rows = ((campaign.address, *row) for row in campaign.figures.rows(name))
                connection.executemany(f"INSERT INTO {name} VALUES ({placeholders})", rows)
            for die, faces_of_die in campaign.figures.faces_by_die.items():
                faces[campaign.figures.game, die] = faces_of_die
        connection.executemany(
            "INSERT INTO faces VALUES (?, ?, ?, ?)",
            (
                (*key, position, face)
                for key, faces_of_die in sorted(faces.items())
                for position, face in enumerate(faces_of_die, 1)
            ),
        )
        connection.commit()
    except sqlite3.Error as error:
        raise OSError(None, str(error), str(file)) from None
    finally:
        connection.close()


def write_parquet(folder: Path, campaigns: Iterable[CampaignFigures]) -> None:
    """Write one Parquet file for the campaigns and one for each kind of figure into an existing folder.

    Raises:
        NoParquet: when pyarrow is not installed.
        OSError: when they cannot be written.
    """
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise NoParquet(f"Parquet needs pyarrow:  {install_command('parquet')}") from None
    text, count = pyarrow.string(), pyarrow.int64()
    columns: dict[str, list[tuple[str, Any]]] = {
        "campaigns": [("campaign", text), ("title", text), ("game", text)]
    }
    for name, kind in FIGURE_KINDS.items():
        kind_columns = [
            (column, count if _sql_type(column) == "INTEGER" else text) for column in kind.columns
        ]
        columns[name] = [("campaign", text), ("game", text), *kind_columns, ("times", count)]
    schemas = {name: pyarrow.schema(fields) for name, fields in columns.items()}
    pending_rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in columns}
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(ParquetWriter(folder / f"{name}.parquet", schema))
            for name, schema in schemas.items()
        }

        def write_rows(name: str) -> None:
            rows, schema = pending_rows[name], schemas[name]
            by_column = [
                pyarrow.array([row[index] for row in rows], type=schema.types[index])
                for index in range(len(schema.names))
            ]
            files[name].write_table(pyarrow.table(by_column, schema=schema))
            rows.clear()

        for campaign in campaigns:
            game = campaign.figures.game
            pending_rows["campaigns"].append((campaign.address, campaign.title, game))
            for name in FIGURE_KINDS:
                pending_rows[name] += (
                    (campaign.address, game, *row) for row in campaign.figures.rows(name)
                )
            for name, rows in pending_rows.items():
                if len(rows) >= ROWS_PER_BATCH:
                    write_rows(name)
        for name in pending_rows:
            write_rows(name)
