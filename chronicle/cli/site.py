"""``chronicle build`` and ``chronicle serve``: MkDocs with the project's own ``mkdocs.yml``."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli import place
from chronicle.cli.jobs import (
    JOBS_OPTION,
    SCHEDULER_OPTION,
    SHARD_OPTION,
    TARGET_URL_OPTION,
    TIME_LIMIT_OPTION,
    JobOptions,
    SectionedCommand,
    campaigns_of_share,
    run_each,
    run_on_cluster,
    send_folder,
)
from chronicle.cli.out import Cannot, TextStyler, on_terminal
from chronicle.cli.place import OUTPUT_PATH

if TYPE_CHECKING:
    from chronicle.adapters.build import Settings
    from chronicle.archive import Archive, BuildResult
    from chronicle.plugin import ChroniclePlugin

PROJECT_ARGUMENT = click.argument("project", default=".", type=click.Path(path_type=Path))
THROUGH_OPTION = click.option(
    "--through",
    type=click.IntRange(0),
    help="Show the campaigns as they were after this session, and nothing from later ones.",
)


THEME_END_NOTICE = (
    "You need not do anything now. Material for MkDocs, which draws this site, gets no updates after\n"
    "5 May 2027. To build the site without it:\n"
    "  chronicle build --engine zensical"
)
"""The notice of the theme's makers, which MkDocs would print at length."""


NO_CAMPAIGNS_MESSAGE_START = "this site has no campaigns, as its mkdocs.yml"
"""The beginning of a message about a site without Chronicle."""


@click.command(cls=SectionedCommand)
@PROJECT_ARGUMENT
@click.option(
    "--strict",
    "is_strict",
    is_flag=True,
    help="Fail if a log has errors, or the site has warnings such as broken links.",
)
@click.option(
    "--out",
    "out_folder",
    type=OUTPUT_PATH,
    help="Folder to write. Default: site_dir in mkdocs.yml.",
)
@THROUGH_OPTION
@click.option(
    "--plain",
    "is_plain",
    is_flag=True,
    help="Write the pages of the campaigns as finished HTML files, without a site builder. Needs --out.",
)
@click.option(
    "--engine",
    type=click.Choice(("mkdocs", "zensical")),
    default="mkdocs",
    show_default=True,
    help="Site builder to use.",
)
@click.option(
    "--each",
    "builds_each",
    is_flag=True,
    help="For many campaigns: build each on its own, and only those that changed.",
)
@JOBS_OPTION
@TIME_LIMIT_OPTION
@SHARD_OPTION
@SCHEDULER_OPTION
@TARGET_URL_OPTION
def build(
    project: Path,
    is_strict: bool,
    out_folder: Path | None,
    through: int | None,
    is_plain: bool,
    engine: str,
    builds_each: bool,
    jobs: int | None,
    time_limit: float | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    upload_url: str | None,
) -> int:
    """Build the site of PROJECT.

    Chronicle uses MkDocs with the mkdocs.yml of the project, and writes plain files to the folder
    `site`. Open site/index.html, or copy the folder to any web host.

    \b
      chronicle build
      chronicle build our-table --out public
      chronicle build --plain --out public
      chronicle build --engine zensical
    """  # noqa: D301
    import time

    start_time = time.perf_counter()
    if is_plain or engine != "mkdocs":
        if builds_each or (is_plain and engine != "mkdocs"):
            raise Cannot(
                "--plain, --engine zensical and --each are different ways to build; name one"
            )
        builder = _build_html_without_mkdocs if is_plain else _build_with_zensical
        _print_result(builder(project, out_folder, through, is_strict), start_time)
        return 0
    if builds_each:
        job_options = JobOptions(jobs, time_limit, scheduler)
        return _build_each(project, is_strict, out_folder, through, job_options, shard, upload_url)
    if any(option is not None for option in (jobs, time_limit, shard, scheduler, upload_url)):
        raise Cannot(
            "--jobs, --patience, --shard, --scheduler and --to are for many campaigns",
            "chronicle build --each",
        )
    with _started_mkdocs(project, is_strict, out_folder, through) as (config, site_folder):
        from chronicle.adapters.build import build as build_site

        is_first_build = not (Path(site_folder) / "index.html").exists()
        build_site(config)
    _print_result(site_folder, start_time)
    if is_first_build and config.theme.name == "material" and on_terminal():
        click.echo(TextStyler()(THEME_END_NOTICE, "dim"))
    return 0


def _print_result(site_folder: Path, start_time: float) -> None:
    """Say on a terminal how many pages there are, and how to open them."""
    import time

    if on_terminal():
        page_count = sum(1 for _ in site_folder.rglob("*.html"))
        click.echo(f"{page_count:,} pages in {time.perf_counter() - start_time:.1f} s. Open")
        click.echo(
            f"  {TextStyler()((site_folder / 'index.html').resolve().as_uri(), 'underline')}"
        )


def _build_html_without_mkdocs(
    path: Path, out_folder: Path | None, through: int | None, is_strict: bool
) -> Path:
    """Build the campaigns at a path as finished HTML files; the folder they are in.

    Raises:
        Cannot: when there is no campaign, no folder is named, or the folder holds other files.
    """
    from chronicle.cli.out import campaigns_at
    from chronicle.publish import write_html
    from chronicle.syntax.find import site_name_in_settings

    if out_folder is None:
        raise Cannot("--plain needs a folder to write", "chronicle build --plain --out public")
    campaigns_at(path)
    warning_texts: list[str] = []
    with (
        place.publishing(path) as (project, print_warning),
        place.explain_unfillable_folder("built"),
    ):

        def warn(message: str) -> None:
            print_warning(message)
            warning_texts.append(message)

        site_title = site_name_in_settings(project) if project is not None else ""
        write_html(
            path,
            out_folder,
            project=project,
            through=through,
            title=site_title,
            warn=warn,
        )
    if is_strict and warning_texts:
        raise Cannot(f"{len(warning_texts)} warnings, and --strict allows none")
    return out_folder


def _build_with_zensical(
    project: Path, out_folder: Path | None, through: int | None, is_strict: bool
) -> Path:
    """Build the site of a project with Zensical; the folder it is in.

    Raises:
        Cannot: when Zensical is not installed or refuses the site.
    """
    from chronicle.adapters.zensical import ZensicalFailed, build_with_zensical

    config_file = _config_file(project)
    with place.publishing(project) as (_, warn), place.explain_unfillable_folder("built"):
        try:
            return build_with_zensical(
                config_file, out_folder, through=through, strict=is_strict, warn=warn
            )
        except ZensicalFailed as error:
            raise Cannot(str(error), *error.help) from None


def _build_each(
    project: Path,
    is_strict: bool,
    out_folder: Path | None,
    through: int | None,
    job_options: JobOptions,
    shard: tuple[int, int] | None,
    upload_url: str | None,
) -> int:
    """Build every campaign by itself, and the front door that leads to all of them."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    config_file = _config_file(project)
    from chronicle.adapters.build import build as build_site
    from chronicle.adapters.campaigns import Scope
    from chronicle.archive import plan_archive, plugin_of

    with _reported_logging(), place.explain_unfillable_folder("built"):
        archive = plan_archive(config_file, out_folder, through)
        archive.prepare_site_folder()
    has_errors, built_count = False, 0
    folders_of_share = campaigns_of_share(archive.campaigns, shard)
    if job_options.scheduler is None:
        tasks = [(archive.builder_of(folder), folder) for folder in folders_of_share]
        results = run_each(tasks, job_options, "campaigns built", archive.build_placeholder)
    else:
        results = _build_on_cluster(archive, folders_of_share, job_options)
    for result in results:
        built_count += result.was_built
        has_errors |= not result.is_shown or (is_strict and bool(result.messages))
        for message in result.messages:
            click.echo(message, err=True)
    if shard is None:
        with place.explain_unfillable_folder("taken away"):
            archive.remove_old_pages()
            other_pages = archive.other_pages()
        for message in other_pages.errors:
            has_errors |= is_strict
            click.echo(f"warning: {message}", err=True)
        with _started_mkdocs(config_file, is_strict, archive.site_folder, through) as (config, _):
            plugin_of(config).limit(Scope(other_campaigns=other_pages))
            build_site(config)
            archive.write_front_files(Path(config.site_dir), config, other_pages)
    if upload_url is not None:
        for address in sorted({archive.address_by_folder[folder] for folder in folders_of_share}):
            if (archive.site_folder / address).is_dir():
                send_folder(archive.site_folder / address, f"{upload_url.rstrip('/')}/{address}")
        if shard is None:
            from chronicle.cluster import remove_other_folders

            # What leads to campaigns goes there before they go.
            send_folder(archive.site_folder, upload_url)
            if removed_file_count := remove_other_folders(
                upload_url, frozenset(archive.address_by_folder.values())
            ):
                click.echo(
                    f"removed {removed_file_count} files of campaigns that are no more from {upload_url}"
                )
    if on_terminal():
        click.echo(f"{built_count:,} of {len(archive.address_by_folder):,} campaigns built. Open")
        click.echo(
            f"  {TextStyler()((archive.site_folder / 'index.html').resolve().as_uri(), 'underline')}"
        )
    return int(has_errors)


def _build_on_cluster(
    archive: Archive, folders: list[Path], job_options: JobOptions
) -> Iterator[BuildResult]:
    """Let the workers of a cluster build the campaigns that changed."""
    from functools import partial

    from chronicle.archive import RemoteResult, build_on_worker
    from chronicle.cluster import Parcel, parcel_of

    result_by_folder = {folder: archive.find_current_result(folder) for folder in folders}
    yield from filter(None, result_by_folder.values())
    folders_to_build = [
        folder for folder, current_result in result_by_folder.items() if current_result is None
    ]
    packed_project = archive.pack_project_files() if folders_to_build else b""

    def tasks() -> Iterator[tuple[Callable[[Path], RemoteResult | str], Parcel]]:
        for folder in folders_to_build:
            remote_archive, relative_folder = archive.for_worker(folder)
            yield (
                partial(build_on_worker, archive=remote_archive),
                parcel_of(folder, relative_folder, packed_project),
            )

    def lost_result(folder: Path, reason: str) -> RemoteResult | str:
        return reason

    results = (
        run_on_cluster(tasks(), len(folders_to_build), job_options, "campaigns built", lost_result)
        if folders_to_build
        else ()
    )
    for folder, result in zip(folders_to_build, results, strict=True):
        yield (
            archive.build_placeholder(folder, result)
            if isinstance(result, str)
            else archive.unpack_result(folder, result)
        )


@click.command()
@PROJECT_ARGUMENT
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on. The default is this computer only.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the site in your browser.")
@THROUGH_OPTION
def serve(project: Path, port: int, host: str, open_browser: bool, through: int | None) -> int:
    """Serve the site of PROJECT on this computer, and update it when you save a file.

    Press Ctrl-C to stop. Chronicle writes nothing to the project.

    \b
      chronicle serve --open
      chronicle serve our-table --port 8001
    """  # noqa: D301
    import socket

    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    config_file = _config_file(project)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe_socket:
        probe_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe_socket.bind((host, port))
        except OSError as error:
            raise Cannot(
                f"{host}:{port} cannot be used: {error.strerror or error}",
                f"another port:  chronicle serve --port {port + 1}",
            ) from None
    from chronicle.adapters.build import BUILD_ERRORS
    from chronicle.adapters.serve import serve as serve_site

    click.echo(f"Building, then serving at http://{host}:{port}/ until Ctrl-C.")
    with _reported_logging():
        try:
            serve_site(
                config_file,
                host,
                port,
                prepare=partial(_limit_sessions, through=through),
                open_browser=open_browser,
            )
        except BUILD_ERRORS as error:
            raise Cannot(str(error) or "MkDocs gave up") from None
    return 0


@contextmanager
def _started_mkdocs(
    project: Path, is_strict: bool, out_folder: Path | None, through: int | None
) -> Iterator[tuple[Settings, Path]]:
    """The project's configuration and the folder of the site; errors of MkDocs become our own messages.

    MkDocs empties the folder it builds into. So it gets one of ours, and what it made there goes into
    that of the site when all went well.

    Raises:
        Cannot: when there is no mkdocs.yml, or MkDocs gives up, or the site may not go there.
    """
    # Material prints a long notice about MkDocs 2, which Chronicle rules out anyway.
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    config_file = _config_file(project)
    from chronicle.adapters.build import BUILD_ERRORS, plugins_started, read_settings
    from chronicle.core.output import check_fillable, filling_folder
    from chronicle.publish import refuse_harmful_output

    settings: dict[str, Any] = {"strict": True} if is_strict else {}
    if out_folder is not None:
        with place.explain_unfillable_folder("built"):
            refuse_harmful_output(out_folder, config_file.parent, empties_folder=False)
            check_fillable(out_folder)
        settings["site_dir"] = str(out_folder.resolve())
    with _reported_logging():
        try:
            config = read_settings(config_file, **settings)
            _limit_sessions(config, through)
            site_folder = (
                Path(os.path.relpath(config.site_dir)) if out_folder is None else out_folder
            )
            with place.explain_unfillable_folder("built"):
                if out_folder is None:
                    refuse_harmful_output(site_folder, config_file.parent, empties_folder=False)
                with filling_folder(site_folder) as (staging_folder, _):
                    config["site_dir"] = str(staging_folder)
                    with plugins_started(config):
                        yield config, site_folder
        except BUILD_ERRORS as error:
            raise Cannot(str(error) or "MkDocs gave up") from None


def _limit_sessions(config: Settings, through: int | None) -> ChroniclePlugin | None:
    """Tell Chronicle's plugin the last session to show.

    Returns:
        The plugin, where the project uses it.

    Raises:
        Cannot: when the project does not use the plugin.
    """
    from chronicle.adapters.build import plugin_in
    from chronicle.adapters.campaigns import Scope

    plugin = plugin_in(config)
    if plugin is not None:
        plugin.campaigns.through = through
        plugin.limit(Scope())
    elif through is not None:
        raise Cannot(f"{NO_CAMPAIGNS_MESSAGE_START} names no plug-in 'chronicle'")
    else:
        click.echo(
            f"warning: {NO_CAMPAIGNS_MESSAGE_START} names no plug-in 'chronicle'; add  - chronicle  under plugins:",
            err=True,
        )
    return plugin


def _config_file(project: Path) -> Path:
    """The mkdocs.yml for a path: never a file inside a campaign."""
    if project.is_file():
        return project
    if not project.is_dir():
        raise Cannot(f"there is no '{project}' here")
    from chronicle.syntax.find import site_settings_around

    config_file = site_settings_around(project)
    if config_file is not None:
        return config_file
    raise Cannot(
        f"no mkdocs.yml in '{project}' or above it",
        "chronicle new DIR  makes a project with one;",
        "chronicle render --out DIR  writes pages without MkDocs",
    )


@contextmanager
def _reported_logging() -> Iterator[None]:
    """MkDocs's warnings and errors on standard error, in one line each; on a terminal also each
    campaign as it has been replayed."""
    styler = TextStyler(sys.stderr)
    from chronicle.adapters.build import MKDOCS_LOG, PLUGIN_LOG

    class LineFormatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            if record.levelno < logging.WARNING:
                return styler(f"  {record.getMessage()}", "dim")
            colour = "red" if record.levelno >= logging.ERROR else "yellow"
            return f"{styler(record.levelname.lower() + ':', colour, 'bold')} {record.getMessage()}"

    handler = logging.StreamHandler()
    handler.setLevel(logging.INFO if sys.stderr.isatty() else logging.WARNING)
    handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.name == PLUGIN_LOG)
    handler.setFormatter(LineFormatter())
    logger = logging.getLogger(MKDOCS_LOG)
    old_level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(old_level)
