"""``chronicle receive``: add campaigns from a desk elsewhere to a project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.edit import DRY
from chronicle.cli.out import (
    Cannot,
    Ink,
    cannot_write,
    must_be_there,
    on_terminal,
    readable,
    settle,
)
from chronicle.words import word

if TYPE_CHECKING:
    from chronicle.services.receiving import Arrival
    from chronicle.syntax.bundle import Bundle

TAKE = ("mine", "theirs", "draft")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option(
    "--take",
    type=click.Choice(TAKE),
    help="If files contradict: keep yours, take theirs, or write a draft of both.",
)
@DRY
def receive(file: Path, path: Path, take: str | None, dry: bool) -> int:
    """Add the campaigns in FILE to the project at PATH. FILE is a zip that a desk exported, or a folder.

    A new campaign gets a folder of its own. For a campaign that you have, Chronicle compares the
    sessions entry by entry and adds the new entries. Your comments and layout stay. If files
    contradict, it shows the difference and asks you; in a script, or with --diff, your file stays as it
    is. The exit code is 1 if a contradiction is left.

    \b
      chronicle receive ~/Downloads/our-table.zip
      chronicle receive our-table.zip --take draft
    """  # noqa: D301
    from tempfile import TemporaryDirectory

    with _troubles():
        parcel = _opened(file)
        if parcel.left_out:
            told = ", ".join(f"'{name}'" for name in parcel.left_out[:3])
            more = f" and {len(parcel.left_out) - 3} more" if len(parcel.left_out) > 3 else ""
            click.echo(f"left out, since no campaign has such a file: {told}{more}", err=True)
        left = 0
        with TemporaryDirectory(prefix="received-") as scratch:
            for name, files in parcel.campaigns.items():
                there = Path(scratch, name)
                _laid(there, files)
                left += _received(there, _home(path, there), take, dry)
    return int(left > 0)


@contextmanager
def _troubles() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(error) from None


def _opened(file: Path) -> Bundle:
    """The contents of a zip or a folder."""
    from chronicle.core.file_reading import read_file
    from chronicle.limited import Failed, LimitedProcess
    from chronicle.syntax.bundle import MOST_PACKED_BYTES, Bundle, collect_files
    from chronicle.syntax.find import find_campaigns

    must_be_there(file)
    if file.is_dir():
        found = {folder.resolve().name: collect_files(folder) for folder in find_campaigns(file)}
        if not found:
            raise Cannot(f"there is no campaign in '{file}'")
        return Bundle(found, [])
    try:
        with closing(LimitedProcess()) as child:
            opened = child.ask("parcel", {"name": file.stem}, read_file(file, MOST_PACKED_BYTES))
    except Failed as refused:
        raise Cannot(
            word("server.cannot_be_imported", name=file, reason=refused), *refused.help
        ) from None
    data = iter(opened.blobs)
    named = opened.fields["campaigns"].items()
    found = {name: {one: next(data) for one in files} for name, files in named}
    return Bundle(found, opened.fields["left"])


def _laid(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _home(path: Path, there: Path) -> Path:
    """The campaign here that a received campaign belongs to, or its new folder."""
    from chronicle.services.receiving import same_campaign
    from chronicle.syntax.find import find_campaigns, project_around

    if not path.is_dir():
        raise Cannot(f"'{path}' is no folder", "name a project, or a folder of campaigns")
    readable(there)
    found = list(same_campaign(find_campaigns(path), there.name, there))
    if len(found) > 1:
        raise Cannot(
            f"'{there.name}' may be any of {len(found)} campaigns here; say which",
            *(f"chronicle receive ... {os.path.relpath(folder)}" for folder in found),
        )
    if found:
        return found[0]
    around = project_around(path)
    home = (around[1] if around else path) / there.name
    if home.exists():
        raise Cannot(f"'{os.path.relpath(home)}' is there already, and is no campaign")
    return Path(os.path.relpath(home))


def _received(there: Path, home: Path, take: str | None, dry: bool) -> int:
    """Add one campaign; give the number of files left unchanged despite a contradiction."""
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange
    from chronicle.services.receiving import arrivals, errors_with
    from chronicle.syntax.bundle import collect_files

    ink = Ink()
    if not home.exists():
        files = collect_files(there)
        click.echo(f"{ink(str(home), 'bold')}: new, {_sum(there)}")
        if not dry:
            edit(home, [ContentChange(home / name, None, data) for name, data in files.items()])
        return 0
    settle(home)
    texts = collect_files(home)
    ours, came = readable(home), readable(there)
    if ours.game != came.game:
        raise Cannot(f"these are two games: '{home}' is {ours.game}, what came is {came.game}")
    found = arrivals(home, there, texts)
    click.echo(f"{ink(str(home), 'bold')}: {_all_the_same(found) or 'compared file by file'}")
    changes: list[ContentChange] = []
    left = 0
    for one in found:
        if one.kind == "same":
            continue
        _tell(one, home, ink)
        after = one.result if one.needs_no_decision else _chosen(one, take, dry)
        left += not one.needs_no_decision and after is None
        if after is not None and after != one.local:
            changes.append(ContentChange(home / one.name, one.local, after))
    if not changes or dry:
        return left
    wanted = {str(one.file.relative_to(home)): one.new_data or b"" for one in changes}
    now, then = errors_with(home, wanted)
    if then > now and on_terminal():
        click.echo(f"With this, a check finds {then} errors instead of {now}.", err=True)
        if not click.confirm("Write it all the same?", default=False, err=True):
            return left + len(changes)
    edit(home, changes)
    for change in changes:
        click.echo(f"wrote {change.file}")
    if then > now:
        click.echo(f"a check finds {then} errors now, {now} before", err=True)
    return left


def _sum(folder: Path) -> str:
    from chronicle.core.diagnostic import plural

    sessions = readable(folder).sessions
    entries = sum(len(session.actions) for session in sessions)
    return f"{plural(len(sessions), 'session')}, {plural(entries, 'entry', 'entries')}"


def _all_the_same(found: list[Arrival]) -> str:
    return "" if any(one.kind != "same" for one in found) else "nothing is new"


def _tell(one: Arrival, home: Path, ink: Ink) -> None:
    """What came, in a line or as a comparison."""
    from chronicle.cli.diff import show
    from chronicle.cli.terminal import safe

    words = {
        "new": ("new", "green"),
        "more": (f"{_count(one, 'only other')} more", "green"),
        "less": (f"nothing new; yours has {_count(one, 'only one')} more", "dim"),
        "both": (
            f"{_count(one, 'only other')} more, and {_count(one, 'only one')} only in yours",
            "yellow",
        ),
        "contradicts": ("contradicts what is here", "red"),
    }
    said, colour = words[one.kind]
    click.echo(f"  {safe(one.name)}: {ink(said, colour)}")
    if one.why:
        click.echo(f"    {safe(one.why)}")
    if one.comparison is not None and one.kind in ("contradicts", "both"):
        click.echo()
        show([one.comparison], words=False)
        click.echo()
    elif (
        one.comparison is None and one.kind == "contradicts" and one.name.endswith((".yaml", ".md"))
    ):
        from chronicle.cli.edit import show_diff

        before, theirs = (
            (data or b"").decode("utf-8", "replace") for data in (one.local, one.received)
        )
        show_diff(home / one.name, before, theirs)


def _count(one: Arrival, kind: str) -> str:
    from chronicle.core.diagnostic import plural

    return plural(
        len(one.comparison.pairs_of_kinds(kind)) if one.comparison else 0, "entry", "entries"
    )


def _chosen(one: Arrival, take: str | None, dry: bool) -> bytes | None:
    """What a file is to hold where that is not plain; None leaves it."""
    ways = {"mine": one.local, "theirs": one.received, "draft": one.draft}
    if take is not None:
        return ways[take]
    if dry or not on_terminal():
        return None
    known = [way for way in TAKE if ways[way] is not None]
    asked = click.prompt(
        f"{one.name}: keep mine, take theirs" + (", or a draft of both" if one.draft else ""),
        type=click.Choice(known),
        default="mine",
        err=True,
    )
    return ways[asked]
