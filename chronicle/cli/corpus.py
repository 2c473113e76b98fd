"""``chronicle corpus``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.jobs import (
    FROM_OPTION,
    JOBS_OPTION,
    PATIENCE_OPTION,
    SCHEDULER_OPTION,
    SHARD_OPTION,
    JobOptions,
    SectionedCommand,
    campaigns_of_share,
    run_anywhere,
    source_of,
)
from chronicle.cli.out import Cannot, Ink, cannot_write, line_width, load_playable, obstacle_of
from chronicle.cli.place import OUT, explain_unfillable
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.export.corpus import CampaignFigures


@click.command(cls=SectionedCommand)
@with_path_argument
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
@JOBS_OPTION
@PATIENCE_OPTION
@SHARD_OPTION
@SCHEDULER_OPTION
@FROM_OPTION
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
    source_of_campaigns = source_of(path, source)
    addresses = campaign_addresses(source_of_campaigns.folders)
    source_of_campaigns = source_of_campaigns._replace(
        folders=campaigns_of_share(source_of_campaigns.folders, shard)
    )
    task = partial(_count_campaign, through=through)
    failed: list[Cannot] = []

    def counted_campaigns() -> Iterator[CampaignFigures]:
        job_options = JobOptions(jobs, patience, scheduler)
        results = run_anywhere(
            task, source_of_campaigns, job_options, "campaigns counted", _lost_campaign
        )
        for folder, counts in zip(source_of_campaigns.folders, results, strict=True):
            if isinstance(counts, Cannot):
                failed.append(counts)
                counts.show()
            else:
                yield counts._replace(address=addresses[folder])

    if form == "text":
        click.echo(_draw_statistics(counted_campaigns()))
    elif out is None:
        _print_json_lines(counted_campaigns())
    else:
        _write_figures(form, out, counted_campaigns())
    return int(bool(failed))


def _count_campaign(folder: Path, *, through: int | None) -> CampaignFigures | Cannot:
    from chronicle.campaigns import fault_in, for_readers, relaxed_gc, run, view_of
    from chronicle.core.corpus import campaign_figures
    from chronicle.export.corpus import CampaignFigures

    try:
        with relaxed_gc():
            view = view_of(run(for_readers(load_playable(folder), through=through)))
            return CampaignFigures("", view.title, campaign_figures(view))
    except Cannot as error:
        return error
    except Exception as error:
        diagnostic = fault_in(folder, error)
        return obstacle_of(error) or Cannot(
            f"{diagnostic.place}: {diagnostic.message}", *diagnostic.help
        )


def _lost_campaign(folder: Path, reason: str) -> Cannot:
    return Cannot(f"'{folder}': {reason}")


def _draw_statistics(campaign_counts: Iterable[CampaignFigures]) -> str:
    from chronicle.cli.terminal import Terminal
    from chronicle.core.corpus import CampaignStatistics
    from chronicle.games import rulebook
    from chronicle.site.corpus import game_statistics, games_overview

    totals = CampaignStatistics()
    for counts in campaign_counts:
        totals.add(counts.figures)
    games = {name: rulebook(name) for name in totals.figures_by_game}
    terminal, ink = Terminal(line_width(), Ink()), Ink()
    parts = [terminal.draw(games_overview(totals, games))]
    for name, sums in sorted(
        totals.figures_by_game.items(), key=lambda named_sums: -named_sums[1].campaign_count
    ):
        parts += [ink(games[name].title, "bold"), terminal.draw(game_statistics(sums, games[name]))]
    return "\n\n".join(parts)


def _print_json_lines(campaign_counts: Iterable[CampaignFigures]) -> None:
    import json

    from chronicle.export.corpus import data_of

    for row in data_of(campaign_counts):
        click.echo(json.dumps(row, ensure_ascii=False))


def _write_figures(form: str, out: Path, campaign_counts: Iterable[CampaignFigures]) -> None:
    """Write a database, or a folder that is ours."""
    from tempfile import TemporaryDirectory

    from chronicle.core.files import replace_unchanged
    from chronicle.core.output import filling as folder_of_ours
    from chronicle.export.corpus import NoParquet, write_parquet, write_sqlite

    try:
        if form == "parquet":
            with explain_unfillable("written"), folder_of_ours(out) as (staging_folder, _):
                write_parquet(staging_folder, campaign_counts)
            return
        if os.path.lexists(out):
            raise Cannot(
                f"'{out}' is there already, and nothing is overwritten", "name another file"
            )
        with TemporaryDirectory(dir=out.parent, prefix=".chronicle-") as scratch:
            draft = Path(scratch, out.name)
            if form == "sqlite":
                write_sqlite(draft, campaign_counts)
            else:
                _write_json(draft, campaign_counts)
            replace_unchanged(draft, out, None, "")
    except NoParquet as error:
        raise Cannot(str(error)) from None
    except OSError as error:
        raise cannot_write(error) from None


def _write_json(file: Path, campaign_counts: Iterable[CampaignFigures]) -> None:
    import json

    from chronicle.export.corpus import data_of

    with file.open("w", encoding="utf-8", newline="\n") as stream:
        for row in data_of(campaign_counts):
            stream.write(f"{json.dumps(row, ensure_ascii=False)}\n")
