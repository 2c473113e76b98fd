"""``chronicle receive``: add campaigns from a desk elsewhere to a project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.edit import DIFF_OPTION
from chronicle.cli.out import (
    Cannot,
    Ink,
    cannot_write,
    finish_edit,
    load_playable,
    on_terminal,
    require_path,
)
from chronicle.words import word

if TYPE_CHECKING:
    from chronicle.services.receiving import ReceivedFile
    from chronicle.syntax.bundle import Bundle

TAKE_CHOICES = ("mine", "theirs", "draft")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option(
    "--take",
    type=click.Choice(TAKE_CHOICES),
    help="If files contradict: keep yours, take theirs, or write a draft of both.",
)
@DIFF_OPTION
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

    with _explain_os_errors():
        bundle = _open_bundle(file)
        if bundle.left_out:
            names = ", ".join(f"'{name}'" for name in bundle.left_out[:3])
            more_text = f" and {len(bundle.left_out) - 3} more" if len(bundle.left_out) > 3 else ""
            click.echo(f"left out, since no campaign has such a file: {names}{more_text}", err=True)
        unresolved = 0
        with TemporaryDirectory(prefix="received-") as scratch:
            for name, files in bundle.campaigns.items():
                received_folder = Path(scratch, name)
                _write_files(received_folder, files)
                unresolved += _add_campaign(
                    received_folder, _folder_for(path, received_folder), take, dry
                )
    return int(unresolved > 0)


@contextmanager
def _explain_os_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(error) from None


def _open_bundle(file: Path) -> Bundle:
    """The contents of a zip or a folder."""
    from chronicle.core.file_reading import read_file
    from chronicle.limited import Failed, LimitedProcess
    from chronicle.syntax.bundle import MOST_PACKED_BYTES, Bundle, collect_files
    from chronicle.syntax.find import find_campaigns

    require_path(file)
    if file.is_dir():
        campaigns = {
            folder.resolve().name: collect_files(folder) for folder in find_campaigns(file)
        }
        if not campaigns:
            raise Cannot(f"there is no campaign in '{file}'")
        return Bundle(campaigns, [])
    try:
        with closing(LimitedProcess()) as child:
            answer = child.ask("parcel", {"name": file.stem}, read_file(file, MOST_PACKED_BYTES))
    except Failed as refused:
        raise Cannot(
            word("server.cannot_be_imported", name=file, reason=refused), *refused.help
        ) from None
    contents = iter(answer.blobs)
    files_by_campaign = answer.fields["campaigns"].items()
    campaigns = {
        name: {name_in_bundle: next(contents) for name_in_bundle in files}
        for name, files in files_by_campaign
    }
    return Bundle(campaigns, answer.fields["left"])


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _folder_for(path: Path, received_folder: Path) -> Path:
    """The campaign here that a received campaign belongs to, or its new folder."""
    from chronicle.services.receiving import find_local_campaigns
    from chronicle.syntax.find import find_campaigns, project_around

    if not path.is_dir():
        raise Cannot(f"'{path}' is no folder", "name a project, or a folder of campaigns")
    load_playable(received_folder)
    campaigns = list(
        find_local_campaigns(find_campaigns(path), received_folder.name, received_folder)
    )
    if len(campaigns) > 1:
        raise Cannot(
            f"'{received_folder.name}' may be any of {len(campaigns)} campaigns here; say which",
            *(f"chronicle receive ... {os.path.relpath(folder)}" for folder in campaigns),
        )
    if campaigns:
        return campaigns[0]
    project_and_sessions = project_around(path)
    campaign_folder = (
        project_and_sessions[1] if project_and_sessions else path
    ) / received_folder.name
    if campaign_folder.exists():
        raise Cannot(f"'{os.path.relpath(campaign_folder)}' is there already, and is no campaign")
    return Path(os.path.relpath(campaign_folder))


def _add_campaign(received_folder: Path, campaign_folder: Path, take: str | None, dry: bool) -> int:
    """Add one campaign; give the number of files left unchanged despite a contradiction."""
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange
    from chronicle.services.receiving import compare_files, count_errors
    from chronicle.syntax.bundle import collect_files

    ink = Ink()
    if not campaign_folder.exists():
        files = collect_files(received_folder)
        click.echo(
            f"{ink(str(campaign_folder), 'bold')}: new, {_contents_summary(received_folder)}"
        )
        if not dry:
            edit(
                campaign_folder,
                [ContentChange(campaign_folder / name, None, data) for name, data in files.items()],
            )
        return 0
    finish_edit(campaign_folder)
    texts = collect_files(campaign_folder)
    local_campaign, received_campaign = (
        load_playable(campaign_folder),
        load_playable(received_folder),
    )
    if local_campaign.game != received_campaign.game:
        raise Cannot(
            f"these are two games: '{campaign_folder}' is {local_campaign.game}, what came is {received_campaign.game}"
        )
    compared = compare_files(campaign_folder, received_folder, texts)
    click.echo(
        f"{ink(str(campaign_folder), 'bold')}: {_nothing_new_text(compared) or 'compared file by file'}"
    )
    changes: list[ContentChange] = []
    unresolved = 0
    for arrival in compared:
        if arrival.kind == "same":
            continue
        _print_arrival(arrival, campaign_folder, ink)
        new_data = (
            arrival.result if arrival.needs_no_decision else _chosen_contents(arrival, take, dry)
        )
        unresolved += not arrival.needs_no_decision and new_data is None
        if new_data is not None and new_data != arrival.local_data:
            changes.append(
                ContentChange(campaign_folder / arrival.name, arrival.local_data, new_data)
            )
    if not changes or dry:
        return unresolved
    new_texts = {
        str(change.file.relative_to(campaign_folder)): change.new_data or b"" for change in changes
    }
    errors_now, errors_after = count_errors(campaign_folder, new_texts)
    if errors_after > errors_now and on_terminal():
        click.echo(
            f"With this, a check finds {errors_after} errors instead of {errors_now}.", err=True
        )
        if not click.confirm("Write it all the same?", default=False, err=True):
            return unresolved + len(changes)
    edit(campaign_folder, changes)
    for change in changes:
        click.echo(f"wrote {change.file}")
    if errors_after > errors_now:
        click.echo(f"a check finds {errors_after} errors now, {errors_now} before", err=True)
    return unresolved


def _contents_summary(folder: Path) -> str:
    from chronicle.core.diagnostic import plural

    sessions = load_playable(folder).sessions
    entries = sum(len(session.actions) for session in sessions)
    return f"{plural(len(sessions), 'session')}, {plural(entries, 'entry', 'entries')}"


def _nothing_new_text(compared: list[ReceivedFile]) -> str:
    return "" if any(arrival.kind != "same" for arrival in compared) else "nothing is new"


def _print_arrival(arrival: ReceivedFile, campaign_folder: Path, ink: Ink) -> None:
    """Print how a received file differs, in a line or as a comparison."""
    from chronicle.cli.diff import print_comparisons
    from chronicle.cli.terminal import safe

    words = {
        "new": ("new", "green"),
        "more": (f"{_entry_count_text(arrival, 'only other')} more", "green"),
        "less": (f"nothing new; yours has {_entry_count_text(arrival, 'only one')} more", "dim"),
        "both": (
            f"{_entry_count_text(arrival, 'only other')} more, "
            f"and {_entry_count_text(arrival, 'only one')} only in yours",
            "yellow",
        ),
        "contradicts": ("contradicts what is here", "red"),
    }
    summary, colour = words[arrival.kind]
    click.echo(f"  {safe(arrival.name)}: {ink(summary, colour)}")
    if arrival.reason:
        click.echo(f"    {safe(arrival.reason)}")
    if arrival.comparison is not None and arrival.kind in ("contradicts", "both"):
        click.echo()
        print_comparisons([arrival.comparison], words=False)
        click.echo()
    elif (
        arrival.comparison is None
        and arrival.kind == "contradicts"
        and arrival.name.endswith((".yaml", ".md"))
    ):
        from chronicle.cli.edit import show_diff

        local_text, received_text = (
            (data or b"").decode("utf-8", "replace")
            for data in (arrival.local_data, arrival.received_data)
        )
        show_diff(campaign_folder / arrival.name, local_text, received_text)


def _entry_count_text(arrival: ReceivedFile, kind: str) -> str:
    from chronicle.core.diagnostic import plural

    return plural(
        len(arrival.comparison.pairs_of_kinds(kind)) if arrival.comparison else 0,
        "entry",
        "entries",
    )


def _chosen_contents(arrival: ReceivedFile, take: str | None, dry: bool) -> bytes | None:
    """The new contents of a file with contradictions; None leaves the file unchanged."""
    choices = {
        "mine": arrival.local_data,
        "theirs": arrival.received_data,
        "draft": arrival.merged_data,
    }
    if take is not None:
        return choices[take]
    if dry or not on_terminal():
        return None
    available = [choice for choice in TAKE_CHOICES if choices[choice] is not None]
    choice = click.prompt(
        f"{arrival.name}: keep mine, take theirs"
        + (", or a draft of both" if arrival.merged_data else ""),
        type=click.Choice(available),
        default="mine",
        err=True,
    )
    return choices[choice]
