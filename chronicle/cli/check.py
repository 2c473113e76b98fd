"""``chronicle check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.checking import Wanted, once
from chronicle.cli.jobs import FROM, JOBS, SCHEDULER, SHARD, TIME, Together
from chronicle.cli.out import Cannot, campaigns_at, on_terminal, watch
from chronicle.cli.where import at_path

if TYPE_CHECKING:
    from chronicle.resident import Resident


@click.command(short_help="Replay a log and say what cannot be right.")
@at_path
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    help="For people, for programs, for code scanning, or as annotations of a CI run.",
)
@click.option("--strict", is_flag=True, help="Let warnings fail as well.")
@click.option(
    "--select",
    metavar="IDS",
    multiple=True,
    help="Only findings of these ids, or of those that begin so: U3,T50.",
)
@click.option("--ignore", metavar="IDS", multiple=True, help="All but findings of these ids.")
@click.option("--all", "every", is_flag=True, help="Fold nothing under what it follows from.")
@click.option(
    "-q", "--quiet", count=True, help="A line for each finding; twice: the exit code alone."
)
@click.option(
    "--fix",
    "mending",
    is_flag=True,
    help="Mend misspelt words, where playing on proves it: shown first, then written.",
)
@JOBS
@TIME
@SHARD
@SCHEDULER
@FROM
@click.option("--watch", "again", is_flag=True, help="Check again whenever a file is saved.")
def check(
    path: Path,
    form: str,
    strict: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    every: bool,
    quiet: int,
    mending: bool,
    jobs: int | None,
    patience: float | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    source: str | None,
    again: bool,
) -> int:
    """Replay every campaign at PATH, or around it, through the rules of its game.

    You are told what cannot be right, what does not add up, and what the record does not say.
    Nothing is printed when all is well, except one line on a terminal. The exit code is 0 without
    errors (with --strict: without warnings too), 1 with them, 2 if nothing could be checked.
    """
    wanted = Wanted(_ids(select), _ids(ignore), every, quiet)
    afar = scheduler is not None or source is not None
    if afar and (again or mending):
        raise Cannot("--scheduler and --from go with neither --watch nor --fix")
    if mending:
        if again or form != "text":
            raise Cannot("--fix is for people; it goes with neither --watch nor --format")
        from chronicle.cli.fix import fix

        fix(campaigns_at(path, editing=True), wanted)
    if not again:
        how = Together(jobs, patience, scheduler)
        return once(path, form, strict, wanted, how=how, shard=shard, source=source)
    if form != "text":
        raise Cannot("--watch is for people; it goes with --format text only")
    folders = campaigns_at(path)
    held: dict[Path, Resident] = {}

    def look() -> None:
        if on_terminal():
            click.clear()
        once(path, form, strict, wanted, held)

    watch(folders, look)
    return 0


def _ids(given: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of an option that may be given several times, each a list with commas.

    Raises:
        Cannot: when nothing has such an id.
    """
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.core.form import registry as form
    from chronicle.core.rules import tidy
    from chronicle.games import GAMES, rulebook

    ids = tuple(id.strip() for one in given for id in one.split(",") if id.strip())
    if not ids:
        return ()
    registries = [form(), *(rulebook(name).registry() for name in GAMES)]
    known = {rule.id for one in registries for rule in one.rules}
    known |= {ruling.id for one in registries for ruling in one.rulings}
    for id in ids:
        code = tidy(id.rpartition(":")[2])
        if not any(tidy(other).startswith(code) for other in known):
            raise Cannot(f"nothing is found under '{id}'{did_you_mean(id, sorted(known))}")
    return ids
