"""``chronicle rename``: another name for a character, a player or a Component, in all files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli import completing
from chronicle.cli.edit import DIFF_OPTION, read_texts, write_edited
from chronicle.cli.out import Cannot, Ink, campaign_at, campaigns_at
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.core.names import Names
    from chronicle.core.record import Record, Step
    from chronicle.syntax.rename import Change, Renaming


@click.command()
@click.argument("old", shell_complete=completing.names)
@click.argument("new")
@with_path_argument
@click.option(
    "--into",
    is_flag=True,
    help="NEW exists already: OLD and NEW turn out to be the same, so merge them.",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="With --into: write even if you have to correct some entries afterwards.",
)
@DIFF_OPTION
def rename(old: str, new: str, path: Path, into: bool, anyway: bool, dry: bool) -> int:
    """Rename OLD to NEW in every file of a campaign. OLD is a character, a Component, a place or a player.

    Only words that refer to OLD change. Comments, layout, dice and the told story stay. Chronicle
    writes nothing unless the campaign replays as before. `renamed:` in campaign.yaml keeps the old
    name: logs, `show` and `find` still accept it, and its page leads to the new one.

    \b
      chronicle rename "the ringer" "Old Maddock"
      chronicle rename "the stranger" Maddock --into --diff
    """  # noqa: D301
    from chronicle.campaigns import overhear
    from chronicle.syntax.rename import find_changes, first_changed_step, plan_renaming
    from chronicle.syntax.text_edit import EditRefused

    texts_before = {
        file: text
        for folder in campaigns_at(path, editing=True)
        for file, text in read_texts(folder).items()
    }
    campaign = campaign_at(path)
    record, names = overhear(campaign)
    renaming = plan_renaming(campaign, names, old, new.strip(), merges=into)
    for everywhere in (True, False):
        try:
            changes = list(find_changes(record, names, renaming, everywhere=everywhere))
        except EditRefused as error:
            raise Cannot(str(error), "nothing was changed") from None
        new_record = _replayed(campaign, changes)
        step = first_changed_step(record, new_record)
        if step is None:
            break
    if step is not None:
        _require_same_effects(record, new_record, step, into=into, anyway=anyway)
    places = sum(change.word_count for change in changes)
    if not places and not into:
        joined_names = [part.strip() for part in renaming.subject.name.split("&")]
        raise Cannot(
            f"'{renaming.old_name}' is written nowhere in this campaign, so nothing would change",
            f"it is made from the two names: rename {joined_names[0]} or {joined_names[1]}"
            if len(joined_names) == 2
            else "the game makes it from other names: rename these",
        )
    for other_bearer in _other_bearers_of_old_name(names, renaming):
        click.echo(f"{other_bearer} has that name too, and gets the new one as well", err=True)
    write_edited(campaign, texts_before, changes, dry)
    if dry:
        return 0
    _report(record, renaming, places)
    for fault in new_record.diagnostics:
        if into and fault.code == "T57":
            click.echo(f"To be fixed: {fault.place}: {fault.message}")
    return 0


def _other_bearers_of_old_name(names: Names, renaming: Renaming) -> list[str]:
    """Other owners of the name: in ``renamed:``, a name leads to exactly one new name."""
    from chronicle.core.names import PLAYER, fold, quoted_names

    subject = renaming.subject
    bearers = [
        bearer for bearer in names.all.values() if fold(bearer.name) == fold(renaming.old_name)
    ]
    bearers = [bearer for bearer in bearers if PLAYER not in (bearer.kind, subject.kind)]
    quoted = zip(bearers, quoted_names(bearers), strict=True)
    return [text for bearer, text in quoted if bearer is not subject and not renaming.merges]


def _replayed(campaign: Campaign, changes: list[Change]) -> Record:
    """The record of the campaign after the changes."""
    from chronicle.campaigns import load, run

    texts = {change.file: change.source.bytes_of(change.new_text) for change in changes}
    return run(load(Path(campaign.folder), instead=texts))


def _require_same_effects(
    old_record: Record, new_record: Record, step: Step, *, into: bool, anyway: bool
) -> None:
    """Entries whose effects would change. When two are merged, some do.

    Raises:
        Cannot: unless ``anyway`` is set.
    """
    from chronicle.core.diagnostic import Severity

    if not into:
        raise Cannot(
            f"{step.action.place()}: with the new name this entry would do something else",
            *(diagnostic.message for diagnostic in step.diagnostics[:1]),
            "nothing was changed",
        )
    old_errors = {
        (diagnostic.code, diagnostic.place.line, diagnostic.place.path)
        for diagnostic in old_record.diagnostics
    }
    new_errors = [
        diagnostic
        for diagnostic in new_record.diagnostics
        if diagnostic.severity is Severity.ERROR
        and diagnostic.is_reported
        and (diagnostic.code, diagnostic.place.line, diagnostic.place.path) not in old_errors
    ]
    if new_errors and not anyway:
        raise Cannot(
            "made one, they do not fit together yet; nothing was changed",
            *(f"{diagnostic.place}: {diagnostic.message}" for diagnostic in new_errors[:5]),
            "see it with --diff --anyway; write it with --anyway, and fix these entries",
        )


def _report(record: Record, renaming: Renaming, count: int) -> None:
    """Print the result, and which texts keep the old name."""
    from chronicle.core.diagnostic import plural

    ink = Ink()
    places = plural(count, "place")
    click.echo(
        f"{ink(renaming.old_name, 'bold')} is {ink(renaming.new_name, 'bold')} now, in {places}."
    )
    texts = [str(step.action.text or "") for step in record.steps]
    count_in_stories = sum(
        len(re.findall(rf"(?<!\w){re.escape(renaming.old_name)}(?!\w)", text)) for text in texts
    )
    if count_in_stories:
        click.echo(
            f"What was told still says {renaming.old_name}, {plural(count_in_stories, 'time')}; "
            "on the site it leads to the same page."
        )
