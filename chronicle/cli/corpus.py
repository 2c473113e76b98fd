"""``chronicle corpus``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.jobs import (
    JOBS_OPTION,
    SCHEDULER_OPTION,
    SHARD_OPTION,
    SOURCE_URL_OPTION,
    TIME_LIMIT_OPTION,
    JobOptions,
    SectionedCommand,
    campaign_source,
    campaigns_of_share,
    run_anywhere,
)
from chronicle.cli.out import (
    Cannot,
    TextStyler,
    cannot_write,
    line_width,
    load_playable,
    obstacle_of,
)
from chronicle.cli.place import OUTPUT_PATH, explain_unfillable_folder
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.export.corpus import CampaignFigures


@click.command(cls=SectionedCommand)
@with_path_argument
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "sqlite", "parquet"]),
    default="text",
    help="text for people, json for programs, sqlite for a database, parquet for a folder "
    "of Parquet files.",
)
@click.option("--out", "out_path", type=OUTPUT_PATH, help="File to write; for parquet, a folder.")
@click.option(
    "--through",
    type=click.IntRange(0),
    help="Stop after this session.",
)
@JOBS_OPTION
@TIME_LIMIT_OPTION
@SHARD_OPTION
@SCHEDULER_OPTION
@SOURCE_URL_OPTION
def corpus(
    path: Path,
    output_format: str,
    out_path: Path | None,
    through: int | None,
    jobs: int | None,
    time_limit: float | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    source_url: str | None,
) -> int:
    """Count over all campaigns at PATH: uses of each rule, prices, winners, dice, lengths of scenes.

    Each figure comes with the number of campaigns behind it. Secrets do not count until they are
    revealed. sqlite and parquet have a row for each campaign, json a line.

    \b
      chronicle corpus sessions
      chronicle corpus sessions --format sqlite --out figures.sqlite
    """  # noqa: D301
    from chronicle.site.links import campaign_addresses

    if out_path is None and output_format in ("sqlite", "parquet"):
        example_name = "figures.sqlite" if output_format == "sqlite" else "figures"
        raise Cannot(f"{output_format} is no text to read", f"say where to:  --out {example_name}")
    campaigns_to_read = campaign_source(path, source_url)
    address_by_folder = campaign_addresses(campaigns_to_read.folders)
    campaigns_to_read = campaigns_to_read._replace(
        folders=campaigns_of_share(campaigns_to_read.folders, shard)
    )
    count_task = partial(_count_campaign, through=through)
    failures: list[Cannot] = []

    def counted_campaigns() -> Iterator[CampaignFigures]:
        job_options = JobOptions(jobs, time_limit, scheduler)
        results = run_anywhere(
            count_task, campaigns_to_read, job_options, "campaigns counted", _unfinished_campaign
        )
        for folder, figures_or_failure in zip(campaigns_to_read.folders, results, strict=True):
            if isinstance(figures_or_failure, Cannot):
                failures.append(figures_or_failure)
                figures_or_failure.show()
            else:
                yield figures_or_failure._replace(address=address_by_folder[folder])

    if output_format == "text":
        click.echo(_draw_statistics(counted_campaigns()))
    elif out_path is None:
        _print_json_lines(counted_campaigns())
    else:
        _write_figures(output_format, out_path, counted_campaigns())
    return int(bool(failures))


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


def _unfinished_campaign(folder: Path, reason: str) -> Cannot:
    return Cannot(f"'{folder}': {reason}")


def _draw_statistics(figures_of_campaigns: Iterable[CampaignFigures]) -> str:
    from chronicle.cli.terminal import TerminalRenderer
    from chronicle.core.corpus import CampaignStatistics
    from chronicle.games import rulebook
    from chronicle.site.corpus import game_statistics, games_overview

    statistics = CampaignStatistics()
    for campaign_figures in figures_of_campaigns:
        statistics.add(campaign_figures.figures)
    rules_by_game = {game_name: rulebook(game_name) for game_name in statistics.figures_by_game}
    terminal_renderer, styler = TerminalRenderer(line_width(), TextStyler()), TextStyler()
    section_texts = [terminal_renderer.draw(games_overview(statistics, rules_by_game))]
    for game_name, game_figures in sorted(
        statistics.figures_by_game.items(),
        key=lambda name_and_figures: -name_and_figures[1].campaign_count,
    ):
        section_texts += [
            styler(rules_by_game[game_name].title, "bold"),
            terminal_renderer.draw(game_statistics(game_figures, rules_by_game[game_name])),
        ]
    return "\n\n".join(section_texts)


def _print_json_lines(figures_of_campaigns: Iterable[CampaignFigures]) -> None:
    import json

    from chronicle.export.corpus import figures_data

    for campaign_row in figures_data(figures_of_campaigns):
        click.echo(json.dumps(campaign_row, ensure_ascii=False))


def _write_figures(
    output_format: str, out_path: Path, figures_of_campaigns: Iterable[CampaignFigures]
) -> None:
    """Write a database, or a folder that is ours."""
    from tempfile import TemporaryDirectory

    from chronicle.core.files import replace_unchanged
    from chronicle.core.output import filling_folder as folder_of_ours
    from chronicle.export.corpus import NoParquet, write_parquet, write_sqlite

    try:
        if output_format == "parquet":
            with (
                explain_unfillable_folder("written"),
                folder_of_ours(out_path) as (staging_folder, _),
            ):
                write_parquet(staging_folder, figures_of_campaigns)
            return
        if os.path.lexists(out_path):
            raise Cannot(
                f"'{out_path}' is there already, and nothing is overwritten", "name another file"
            )
        with TemporaryDirectory(dir=out_path.parent, prefix=".chronicle-") as temporary_folder:
            draft_file = Path(temporary_folder, out_path.name)
            if output_format == "sqlite":
                write_sqlite(draft_file, figures_of_campaigns)
            else:
                _write_json(draft_file, figures_of_campaigns)
            replace_unchanged(draft_file, out_path, None, "")
    except NoParquet as error:
        raise Cannot(str(error)) from None
    except OSError as error:
        raise cannot_write(error) from None


def _write_json(file: Path, figures_of_campaigns: Iterable[CampaignFigures]) -> None:
    import json

    from chronicle.export.corpus import figures_data

    with file.open("w", encoding="utf-8", newline="\n") as json_stream:
        for campaign_row in figures_data(figures_of_campaigns):
            json_stream.write(f"{json.dumps(campaign_row, ensure_ascii=False)}\n")
