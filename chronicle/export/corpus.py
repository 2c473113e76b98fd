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


def figures_data(figures_of_campaigns: Iterable[CampaignFigures]) -> Iterator[dict[str, Any]]:
    """Each campaign as ``json.dumps`` takes it."""
    for campaign_figures in figures_of_campaigns:
        yield {
            "campaign": campaign_figures.address,
            "title": campaign_figures.title,
            **campaign_figures.figures.to_data(),
        }


def _sql_type(column: str) -> str:
    return "INTEGER" if column in ("amount", "entries") else "TEXT"


def sql_schema() -> str:
    """The tables and views in SQL, each with a comment."""
    sql_statements = [
        "CREATE TABLE campaigns (campaign TEXT PRIMARY KEY, title TEXT NOT NULL, game TEXT NOT NULL);",
        "-- the faces of each die, in order: each is as likely as the others",
        "CREATE TABLE faces (game TEXT NOT NULL, die TEXT NOT NULL, position INTEGER NOT NULL, face TEXT "
        "NOT NULL, PRIMARY KEY (game, die, position));",
    ]
    for table, figure_kind in FIGURE_KINDS.items():
        column_definitions = "".join(
            f"{column} {_sql_type(column)} NOT NULL, " for column in figure_kind.columns
        )
        key_columns = ", ".join(("campaign", *figure_kind.columns))
        column_list = ", ".join(figure_kind.columns)
        sql_statements += [
            f"-- {figure_kind.description}",
            f"CREATE TABLE {table} (campaign TEXT NOT NULL REFERENCES campaigns (campaign), "
            f"{column_definitions}times INTEGER NOT NULL, PRIMARY KEY ({key_columns})) WITHOUT ROWID;",
            f"CREATE VIEW {table}_by_game AS SELECT game, {column_list}, sum(times) AS times, "
            f"count(*) AS campaigns FROM {table} JOIN campaigns USING (campaign) "
            f"GROUP BY game, {column_list} ORDER BY game, times DESC, {column_list};",
        ]
    return "\n".join(sql_statements)


def write_sqlite(file: Path, figures_of_campaigns: Iterable[CampaignFigures]) -> None:
    """Write a new database. The same figures in the same order always give the same bytes.

    Raises:
        OSError: when it cannot be written.
    """
    connection = sqlite3.connect(file)
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.executescript(sql_schema())
        faces_by_die: dict[tuple[str, str], tuple[str, ...]] = {}
        for campaign_figures in figures_of_campaigns:
            connection.execute(
                "INSERT INTO campaigns VALUES (?, ?, ?)",
                (campaign_figures.address, campaign_figures.title, campaign_figures.figures.game),
            )
            for table, figure_kind in FIGURE_KINDS.items():
                placeholders = ", ".join("?" * (len(figure_kind.columns) + 2))
                figure_rows = (
                    (campaign_figures.address, *row) for row in campaign_figures.figures.rows(table)
                )
                connection.executemany(f"INSERT INTO {table} VALUES ({placeholders})", figure_rows)
            for die, faces_of_die in campaign_figures.figures.faces_by_die.items():
                faces_by_die[campaign_figures.figures.game, die] = faces_of_die
        connection.executemany(
            "INSERT INTO faces VALUES (?, ?, ?, ?)",
            (
                (*game_and_die, position, face)
                for game_and_die, faces_of_die in sorted(faces_by_die.items())
                for position, face in enumerate(faces_of_die, 1)
            ),
        )
        connection.commit()
    except sqlite3.Error as error:
        raise OSError(None, str(error), str(file)) from None
    finally:
        connection.close()


def write_parquet(folder: Path, figures_of_campaigns: Iterable[CampaignFigures]) -> None:
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
    text_type, count_type = pyarrow.string(), pyarrow.int64()
    columns_by_table: dict[str, list[tuple[str, Any]]] = {
        "campaigns": [("campaign", text_type), ("title", text_type), ("game", text_type)]
    }
    for table, figure_kind in FIGURE_KINDS.items():
        columns_of_figure_kind = [
            (column, count_type if _sql_type(column) == "INTEGER" else text_type)
            for column in figure_kind.columns
        ]
        columns_by_table[table] = [
            ("campaign", text_type),
            ("game", text_type),
            *columns_of_figure_kind,
            ("times", count_type),
        ]
    schema_by_table = {table: pyarrow.schema(fields) for table, fields in columns_by_table.items()}
    pending_rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in columns_by_table}
    with ExitStack() as stack:
        parquet_writer_by_table = {
            table: stack.enter_context(ParquetWriter(folder / f"{table}.parquet", schema))
            for table, schema in schema_by_table.items()
        }

        def write_rows(name: str) -> None:
            rows, schema = pending_rows[name], schema_by_table[name]
            column_arrays = [
                pyarrow.array([row[column_index] for row in rows], type=schema.types[column_index])
                for column_index in range(len(schema.names))
            ]
            parquet_writer_by_table[name].write_table(pyarrow.table(column_arrays, schema=schema))
            rows.clear()

        for campaign_figures in figures_of_campaigns:
            game = campaign_figures.figures.game
            pending_rows["campaigns"].append(
                (campaign_figures.address, campaign_figures.title, game)
            )
            for table in FIGURE_KINDS:
                pending_rows[table] += (
                    (campaign_figures.address, game, *row)
                    for row in campaign_figures.figures.rows(table)
                )
            for table, rows in pending_rows.items():
                if len(rows) >= ROWS_PER_BATCH:
                    write_rows(table)
        for table in pending_rows:
            write_rows(table)
