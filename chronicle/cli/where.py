"""Which campaign a command is about: its PATH, or the same after ``--in``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from chronicle.cli.completing import campaigns
from chronicle.cli.out import Cannot

P = ParamSpec("P")
R = TypeVar("R")

IN = click.option(
    "--in",
    "path",
    default=".",
    type=click.Path(path_type=Path),
    shell_complete=campaigns,
    help="The campaign: its folder, or any file in it.",
)
"""For commands whose arguments are something else."""


def at_path(command: Callable[..., R]) -> Callable[..., R]:
    """For commands with a PATH: ``--in PATH`` says the same, so that it works with every command."""

    @click.argument(
        "path", required=False, type=click.Path(path_type=Path), shell_complete=campaigns
    )
    @click.option(
        "--in",
        "inside",
        type=click.Path(path_type=Path),
        shell_complete=campaigns,
        help="The same as PATH, by name.",
    )
    @wraps(command)
    def located(path: Path | None, inside: Path | None, **given: object) -> R:
        if path is not None and inside is not None:
            raise Cannot("PATH and --in say the same thing; give one of them")
        return command(path=path or inside or Path(), **given)

    return located
