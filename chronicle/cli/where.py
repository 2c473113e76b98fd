"""Which campaign a command is about: its PATH, or the same after ``--in``."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from chronicle.cli.completing import complete_campaigns
from chronicle.cli.out import Cannot

P = ParamSpec("P")
R = TypeVar("R")

IN_OPTION = click.option(
    "--in",
    "path",
    default=".",
    type=click.Path(path_type=Path),
    shell_complete=complete_campaigns,
    help="The campaign: its folder or any file in it. You can also write it as the last word.",
)
"""For commands whose arguments are words; see :func:`split_path`."""


def split_path(argument_words: tuple[str, ...], path: Path) -> tuple[tuple[str, ...], Path]:
    """Split words into the words asked for and the campaign's path. A path as the last word works like
    ``--in``.

    Raises:
        Cannot: when that word can only be a path, and the path does not exist.
    """
    if len(argument_words) < 2 or path != Path():
        return argument_words, path
    last_path = Path(argument_words[-1]).expanduser()
    if (last_path / "campaign.yaml").is_file() or (
        os.sep in argument_words[-1] and last_path.exists()
    ):
        return argument_words[:-1], last_path
    if last_path.suffix in (".yaml", ".yml") and last_path.is_file():
        return argument_words[:-1], last_path
    if argument_words[-1].startswith(("/", "./", "../", "~/")):
        raise Cannot(
            f"there is no '{last_path}'", "the last word is taken as the campaign's folder"
        )
    return argument_words, path


def with_path_argument(command: Callable[..., R]) -> Callable[..., R]:
    """For commands with a PATH: ``--in PATH`` says the same, so that it works with every command."""

    @click.argument(
        "path", required=False, type=click.Path(path_type=Path), shell_complete=complete_campaigns
    )
    @click.option(
        "--in",
        "in_path",
        type=click.Path(path_type=Path),
        shell_complete=complete_campaigns,
        help="The same as PATH, as an option.",
    )
    @wraps(command)
    def command_at_path(path: Path | None, in_path: Path | None, **options: object) -> R:
        if path is not None and in_path is not None:
            raise Cannot("PATH and --in mean the same; give only one of them")
        return command(path=path or in_path or Path(), **options)

    return command_at_path
