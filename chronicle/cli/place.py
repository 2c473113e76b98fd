"""Where a command writes to: the options that say so, and what is said when it may not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from chronicle.cli.out import Cannot, cannot_write


class _Out(click.Path):
    """A path to write to. ``~`` is the home folder also where the shell left it as it is."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            value = Path(value).expanduser()
        except RuntimeError:
            self.fail(f"'{value}' names nobody's home folder; write  ./{value}", param, ctx)
        if not str(value).strip():
            self.fail("name a file or a folder", param, ctx)
        return super().convert(value, param, ctx)


OUT = _Out(path_type=Path)
"""The type of an option that says where something is written to."""


@contextmanager
def filling(what: str) -> Iterator[None]:
    """Say why a folder cannot be filled, and what to do instead.

    Raises:
        Cannot: when it cannot.
    """
    from chronicle.core.output import OutputRefused

    try:
        yield
    except OutputRefused as error:
        raise Cannot(
            str(error),
            f"nothing was {what}: name a new or an empty folder, or move that away",
        ) from None
    except OSError as error:
        raise cannot_write(error) from None
