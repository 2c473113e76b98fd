"""Where a command writes to: the options that say so, and what is said when it may not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli.out import Cannot, TextStyler, cannot_write, recover_interrupted_edit

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign


class _OutputPath(click.Path):
    """A path to write to. ``~`` is the home folder, even if the shell did not replace it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail("name a file or a folder", param, ctx)
        try:
            value = Path(value).expanduser()
        except RuntimeError:
            self.fail(f"'{value}' names nobody's home folder; write  ./{value}", param, ctx)
        return super().convert(value, param, ctx)


OUTPUT_PATH = _OutputPath(path_type=Path)
"""The type of an option that says where something is written to."""


@contextmanager
def publishing(path: Path) -> Iterator[tuple[Path | None, Callable[[str], None]]]:
    """The project around some campaigns, whose templates count, and what tells of what is missing.

    Raises:
        Cannot: when a template of the project is at fault.
    """
    from chronicle.site.apart import TemplateFault
    from chronicle.syntax.find import site_settings_around

    site_settings, styler = site_settings_around(path), TextStyler(sys.stderr)

    def warn(message: str) -> None:
        print(f"{styler('warning:', 'yellow', 'bold')} {message}", file=sys.stderr)

    try:
        yield site_settings.parent if site_settings is not None else None, warn
    except TemplateFault as error:
        raise Cannot(
            str(error), "nothing was written: this template is your project's own"
        ) from None


@contextmanager
def explain_unfillable_folder(participle: str) -> Iterator[None]:
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
            f"nothing was {participle}: name a new or an empty folder, or move that away",
        ) from None
    except OSError as error:
        raise cannot_write(error) from None


def require_new_file(campaign: Campaign, out_file: Path, may_replace: bool) -> bytes | None:
    """Check that a command can write this output file.

    Returns:
        The contents of the file to replace; None if there is none.

    Raises:
        Cannot: when the file exists already (without ``--replace``), or belongs to the campaign.
    """
    from chronicle.core.files import read_if_exists

    require_outside(Path(campaign.folder), out_file.parent, out_file)
    recover_interrupted_edit(out_file.parent)
    if os.path.lexists(out_file) and not (may_replace and out_file.is_file()):
        raise Cannot(
            f"'{out_file}' is there already, and nothing is overwritten",
            "name another file, or add  --replace" if out_file.is_file() else "name another file",
        )
    try:
        return read_if_exists(out_file)
    except OSError as error:
        raise Cannot(f"'{out_file}' cannot be read: {error.strerror}") from None


def write_new(out_file: Path, new_data: bytes, old_data: bytes | None) -> None:
    """Write an output file, if it still holds the ``old_data`` that :func:`require_new_file` read.

    Raises:
        Cannot: when it cannot be written.
    """
    from chronicle.core.edits import write_bytes

    try:
        write_bytes(out_file, new_data, old_data)
    except OSError as error:
        raise cannot_write(error) from None


def require_outside(campaign_folder: Path, written_folder: Path, target_path: Path) -> None:
    """Check that a command writes nothing among the files of a campaign.

    Raises:
        Cannot: when ``written_folder``, which is or contains ``target_path``, is a campaign's or contains the campaign.
    """
    from chronicle.core.files import digest, regular_file_content
    from chronicle.core.output import listed_files
    from chronicle.syntax.find import SETTINGS_FILE, find_project

    real_target = Path(os.path.realpath(target_path))
    target_folder = real_target if written_folder == target_path else real_target.parent
    if written_folder == target_path and campaign_folder.resolve().is_relative_to(real_target):
        raise Cannot(
            f"'{target_path}' holds the campaign itself; an export would write among its files",
            "name a folder of its own:  chronicle export --all exports",
        )
    project = find_project(target_folder)
    project_folder = project.folder.resolve() if project is not None else None
    for parent in (target_folder, *target_folder.parents):
        settings_file = parent / SETTINGS_FILE
        listed_digests = listed_files(parent).get(SETTINGS_FILE, ())
        if settings_file.is_file() and not (
            listed_digests and digest(regular_file_content(settings_file)) in listed_digests
        ):
            suggested_folder = Path(
                os.path.relpath(project_folder if project_folder is not None else parent.parent)
            )
            suggested_name = (
                f"export-{target_path.name}" if target_path.suffix == ".yaml" else target_path.name
            )
            raise Cannot(
                f"'{target_path}' lies in the campaign folder '{Path(os.path.relpath(parent))}'; an export "
                "could write over its files",
                "name a place outside of it:  "
                + (
                    f"--all {suggested_folder / 'exports'}"
                    if written_folder == target_path
                    else f"--out {suggested_folder / suggested_name}"
                ),
            )
        if parent == project_folder:
            break
