"""``chronicle check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.checking import ProblemFilter, check_once
from chronicle.cli.jobs import (
    JOBS_OPTION,
    SCHEDULER_OPTION,
    SHARD_OPTION,
    SOURCE_URL_OPTION,
    TIME_LIMIT_OPTION,
    JobOptions,
    SectionedCommand,
)
from chronicle.cli.out import Cannot, campaigns_at, on_terminal, watch
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.workspace import Workspace


@click.command(cls=SectionedCommand)
@with_path_argument
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    help="text for people, json for programs, sarif for code scanning, github for "
    "annotations of a GitHub workflow.",
)
@click.option("--strict", "is_strict", is_flag=True, help="Fail on warnings too.")
@click.option(
    "--select",
    "selected_ids",
    metavar="IDS",
    multiple=True,
    help="Show only problems with these ids, or ids that begin this way: U3,T50.",
)
@click.option(
    "--ignore",
    "ignored_ids",
    metavar="IDS",
    multiple=True,
    help="Leave out problems with these ids.",
)
@click.option(
    "--all",
    "shows_all",
    is_flag=True,
    help="Show every problem, also those that another problem causes, and every stated figure "
    "that could not be compared.",
)
@click.option(
    "-q",
    "--quiet",
    "quiet_level",
    count=True,
    help="Print one line for each problem. Give it twice to print nothing and set the "
    "exit code only.",
)
@click.option(
    "--fix",
    "is_fixing",
    is_flag=True,
    help="Correct misspelt words if the log then replays with fewer problems. Shows each "
    "change before it writes.",
)
@JOBS_OPTION
@TIME_LIMIT_OPTION
@SHARD_OPTION
@SCHEDULER_OPTION
@SOURCE_URL_OPTION
@click.option("--watch", "is_watching", is_flag=True, help="Check again each time you save a file.")
def check(
    path: Path,
    output_format: str,
    is_strict: bool,
    selected_ids: tuple[str, ...],
    ignored_ids: tuple[str, ...],
    shows_all: bool,
    quiet_level: int,
    is_fixing: bool,
    jobs: int | None,
    time_limit: float | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    source_url: str | None,
    is_watching: bool,
) -> int:
    """Check the campaigns at PATH against the rules of their games.

    Chronicle replays each log from the start and reports contradictions, broken rules, wrong figures
    and missing information. If there are no problems, it prints one line on a terminal and nothing in a
    script. The exit code is 0 without errors, 1 with errors (with --strict: or warnings), and 2 if it
    could not check.

    \b
      chronicle check
      chronicle check sessions/our-table --strict
      chronicle check --watch
    """  # noqa: D301
    problem_filter = ProblemFilter(
        _listed_ids(selected_ids), _listed_ids(ignored_ids), shows_all, quiet_level
    )
    is_remote = scheduler is not None or source_url is not None
    if is_remote and (is_watching or is_fixing):
        raise Cannot("--scheduler and --from go with neither --watch nor --fix")
    if is_fixing:
        if is_watching or output_format != "text":
            raise Cannot("--fix is for people; it goes with neither --watch nor --format")
        from chronicle.cli.fix import fix

        fix(campaigns_at(path, for_editing=True), problem_filter)
    if not is_watching:
        job_options = JobOptions(jobs, time_limit, scheduler)
        return check_once(
            path,
            output_format,
            is_strict,
            problem_filter,
            job_options=job_options,
            shard=shard,
            source_url=source_url,
        )
    if output_format != "text":
        raise Cannot("--watch is for people; it goes with --format text only")
    folders = campaigns_at(path)
    workspaces: dict[Path, Workspace] = {}

    def check_again() -> None:
        if on_terminal():
            click.clear()
        check_once(path, output_format, is_strict, problem_filter, workspaces)

    watch(folders, check_again)
    return 0


def _listed_ids(option_values: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of an option that you can give several times, each a list with commas.

    Raises:
        Cannot: when nothing has such an id.
    """
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.core.form import registry as form_registry
    from chronicle.core.rules import comparable_id
    from chronicle.games import rulebooks

    rule_ids = tuple(
        rule_id.strip()
        for option_value in option_values
        for rule_id in option_value.split(",")
        if rule_id.strip()
    )
    if not rule_ids:
        return ()
    registries = [form_registry(), *(rules.registry() for rules in rulebooks())]
    known_ids = {rule.id for registry in registries for rule in registry.rules}
    known_ids |= {ruling.id for registry in registries for ruling in registry.rulings}
    for rule_id in rule_ids:
        comparable_prefix = comparable_id(rule_id.rpartition(":")[2])
        if not any(comparable_id(known_id).startswith(comparable_prefix) for known_id in known_ids):
            raise Cannot(
                f"nothing is found under '{rule_id}'{did_you_mean(rule_id, sorted(known_ids))}"
            )
    return rule_ids
