"""``chronicle pin``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import Cannot, campaigns_at, cannot_write, load_playable
from chronicle.cli.where import with_path_argument


@click.command()
@with_path_argument
@click.option(
    "--compare",
    "is_comparing",
    is_flag=True,
    help="List everything that this version reads differently, and write nothing.",
)
def pin(path: Path, is_comparing: bool) -> int:
    """Save how this version of Chronicle reads the campaigns at PATH, in a file next to each.

    The file holds hashes of the texts, the problems, and the figures at the end of each scene. It
    contains no secrets. After an upgrade, `check` reports whether anything reads differently. With
    --compare you see each difference with its line of the changelog; the exit code is then 1 if there
    are any.

    \b
      chronicle pin
      chronicle pin --compare
    """  # noqa: D301
    has_differences = False
    for folder in campaigns_at(path, for_editing=not is_comparing):
        if is_comparing:
            has_differences = _print_differences(folder) or has_differences
        else:
            _write_pin(folder)
    return int(has_differences)


def _write_pin(folder: Path) -> None:
    from chronicle.core.edits import write_bytes
    from chronicle.core.file_reading import read_file
    from chronicle.core.pin_file import Unpinned, pin_path
    from chronicle.pins import pin_file_of

    try:
        # Read first, so that a pin written meanwhile is not overwritten.
        pin_file = pin_path(folder)
        old_bytes = read_file(pin_file) if pin_file.exists() else None
        file, pin_bytes = pin_file_of(load_playable(folder))
        if old_bytes != pin_bytes:
            write_bytes(file, pin_bytes, old_bytes)
    except Unpinned as error:
        raise Cannot(f"{folder}: {error}", "nothing was written") from None
    except OSError as error:
        raise cannot_write(error) from None
    click.echo(f"{'unchanged' if old_bytes == pin_bytes else 'written'}: {file}")


def _print_differences(folder: Path) -> bool:
    from chronicle.core.control_characters import safe
    from chronicle.core.pin_file import Unpinned
    from chronicle.pins import changelog, changelog_line_by_rule, compare_with_pin

    try:
        pinned_version, differences, first_edited_file = compare_with_pin(load_playable(folder))
    except Unpinned as error:
        raise Cannot(f"{folder}: {error}", f"chronicle pin {folder}") from None
    changelog_line_by_rule_id = changelog_line_by_rule(differences, pinned_version, changelog())
    printed_lines: set[str] = set()
    for difference in differences:
        click.echo(safe(str(difference)))
        chronicle_changelog_line = changelog_line_by_rule_id.get(difference.rule, "")
        if chronicle_changelog_line and chronicle_changelog_line not in printed_lines:
            printed_lines.add(chronicle_changelog_line)
            click.echo(safe(f"    since then: {chronicle_changelog_line}"))
    if first_edited_file:
        click.echo(
            f"{folder}: {first_edited_file} was changed since; from there on nothing is compared"
        )
    if not differences:
        click.echo(f"{folder}: nothing reads differently since Chronicle {pinned_version}")
    return bool(differences)
