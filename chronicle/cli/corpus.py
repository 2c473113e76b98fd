"""``chronicle corpus``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.jobs import (
    FROM,
    JOBS,
    SCHEDULER,
    SHARD,
    TIME,
    SectionedCommand,
    Together,
    share_of,
    source_of,
    spread_far,
)
from chronicle.cli.out import Cannot, Ink, cannot_use, cannot_write, readable, width
from chronicle.cli.place import OUT, filling
from chronicle.cli.where import at_path

if TYPE_CHECKING:
    from chronicle.export.corpus import Counted


@click.command(cls=SectionedCommand)
@at_path
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sqlite", "parquet"]),
    default="text",
    help="text for people, json for programs, sqlite for a database, parquet for a folder "
    "of Parquet files.",
)
@click.option("--out", type=OUT, help="File to write; for parquet, a folder.")
@click.option(
    "--through",
    type=click.IntRange(0),
    help="Stop after this session.",
)
@JOBS
@TIME
@SHARD
@SCHEDULER
@FROM
def corpus(
    path: Path,
    form: str,
    out: Path | None,
    through: int | None,
    jobs: int | None,
    patience: float | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    source: str | None,
) -> int:
    """Count over all campaigns at PATH: uses of each rule, prices, winners, dice, lengths of scenes.

    Each figure comes with the number of campaigns behind it. Secrets do not count until they are
    revealed. sqlite and parquet have a row for each campaign, json a line.

    \b
      chronicle corpus sessions
      chronicle corpus sessions --format sqlite --out figures.sqlite
    """  # noqa: D301
    from chronicle.site.links import campaign_addresses

    if out is None and form in ("sqlite", "parquet"):
        name = "figures.sqlite" if form == "sqlite" else "figures"
        raise Cannot(f"{form} is no text to read", f"say where to:  --out {name}")
    origin = source_of(path, source)
    addresses = campaign_addresses(origin.folders)
    origin = origin._replace(folders=share_of(origin.folders, shard))
    task = partial(_counted, through=through)
    failed: list[Cannot] = []

    def counted() -> Iterator[Counted]:
        how = Together(jobs, patience, scheduler)
        results = spread_far(task, origin, how, "campaigns counted", _lost)
        for folder, counts in zip(origin.folders, results, strict=True):
            if isinstance(counts, Cannot):
                failed.append(counts)
                counts.show()
            else:
                yield counts._replace(address=addresses[folder])

    if form == "text":
        click.echo(_drawn(counted()))
    elif out is None:
        _lines(counted())
    else:
        _write(form, out, counted())
    return int(bool(failed))


def _counted(folder: Path, *, through: int | None) -> Counted | Cannot:
    from chronicle.campaigns import book_of, fault_in, for_readers, relaxed_gc, run
    from chronicle.core.corpus import campaign_figures
    from chronicle.export.corpus import Counted

    try:
        with relaxed_gc():
            book = book_of(run(for_readers(readable(folder), through=through)))
            return Counted("", book.title, campaign_figures(book))
    except Cannot as error:
        return error
    except Exception as error:
        diagnostic = fault_in(folder, error)
        return cannot_use(error) or Cannot(
            f"{diagnostic.place}: {diagnostic.message}", *diagnostic.help
        )


def _lost(folder: Path, why: str) -> Cannot:
    return Cannot(f"'{folder}': {why}")


def _drawn(counted: Iterable[Counted]) -> str:
    from chronicle.cli.terminal import Terminal
    from chronicle.core.corpus import Corpus
    from chronicle.games import rulebook
    from chronicle.site.corpus import of_game, overview

    totals = Corpus()
    for counts in counted:
        totals.add(counts.figures)
    games = {name: rulebook(name) for name in totals.figures_by_game}
    terminal, ink = Terminal(width(), Ink()), Ink()
    parts = [terminal.draw(overview(totals, games))]
    for name, sums in sorted(
        totals.figures_by_game.items(), key=lambda named_sums: -named_sums[1].campaign_count
    ):
        parts += [ink(games[name].title, "bold"), terminal.draw(of_game(sums, games[name]))]
    return "\n\n".join(parts)


def _lines(counted: Iterable[Counted]) -> None:
    import json

    from chronicle.export.corpus import data_of

    for row in data_of(counted):
        click.echo(json.dumps(row, ensure_ascii=False))


def _write(form: str, out: Path, counted: Iterable[Counted]) -> None:
    """Write a database, or a folder that is ours."""
    from tempfile import TemporaryDirectory

    from chronicle.core.files import replace_unchanged
    from chronicle.core.output import filling as folder_of_ours
    from chronicle.export.corpus import NoParquet, write_parquet, write_sqlite

    try:
        if form == "parquet":
            with filling("written"), folder_of_ours(out) as (staged, _):
                write_parquet(staged, counted)
            return
        if os.path.lexists(out):
            raise Cannot(
                f"'{out}' is there already, and nothing is overwritten", "name another file"
            )
        with TemporaryDirectory(dir=out.parent, prefix=".chronicle-") as scratch:
            draft = Path(scratch, out.name)
            if form == "sqlite":
                write_sqlite(draft, counted)
            else:
                _json(draft, counted)
            replace_unchanged(draft, out, None, "")
    except NoParquet as error:
        raise Cannot(str(error)) from None
    except OSError as error:
        raise cannot_write(error) from None


def _json(file: Path, counted: Iterable[Counted]) -> None:
    import json

    from chronicle.export.corpus import data_of

    with file.open("w", encoding="utf-8", newline="\n") as stream:
        for row in data_of(counted):
            stream.write(f"{json.dumps(row, ensure_ascii=False)}\n")
