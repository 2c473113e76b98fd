"""``chronicle ids`` and ``chronicle annotate``: gentle changes to the files of a log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.out import Cannot, campaigns_at, readable

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.core.record import Record, Step
    from chronicle.transcript.edit import Source

PATH = click.argument("path", default=".", type=click.Path(path_type=Path))
DRY = click.option(
    "--diff", "dry", is_flag=True, help="Show what would change, and change nothing."
)


@click.command(short_help="Give the entries of a log permanent names.")
@PATH
@DRY
def ids(path: Path, dry: bool) -> int:
    """Give every entry at PATH (a campaign, or one session file) that has none an `id`.

    Links to an entry then survive whatever is written before it. Comments and layout stay.
    """
    from chronicle.campaigns import run
    from chronicle.transcript.edit import add_ids

    for campaign in _campaigns(path):
        # What is hidden must not be told by its id.
        hidden = {step.action.verb for step in run(campaign).steps if step.hidden}
        quiet = frozenset({"secret", *hidden})
        taken: set[str] = set()
        for session in campaign.sessions:
            taken.update(str(action.id) for action in session.actions if action.id)

        def add(
            text: str, file: str, taken: set[str] = taken, quiet: frozenset[str] = quiet
        ) -> str:
            made = add_ids(text, file, frozenset(taken), quiet)
            taken.update(_ids_in(made, file))
            return made

        _edit(campaign, path, add, dry)
    return 0


def _ids_in(text: str, file: str) -> set[str]:
    from chronicle.core.source import Entries, Items, Word
    from chronicle.transcript.reader import read_text

    tree = read_text(text, file).tree
    log = tree.get(Word("log")) if isinstance(tree, Entries) else None
    if not isinstance(log, Items):
        return set()
    return {str(entry[Word("id")]) for entry in log if isinstance(entry, Entries) and "id" in entry}


@click.command(short_help="Write what every roll meant beside it, as comments.")
@PATH
@click.option("--strip", "bare", is_flag=True, help="Take such comments out again.")
@DRY
def annotate(path: Path, bare: bool, dry: bool) -> int:
    """Write beside the entries at PATH what they came to: results, prices, movements.

    The comments start with #> and are renewed each time; your own comments are never touched.
    """
    from chronicle.campaigns import run
    from chronicle.transcript import edit

    for campaign in _campaigns(path):
        remarks: dict[tuple[str, int], str] = {}
        if not bare:
            record = run(campaign)
            for step in record.steps:
                words = _remark(record, step)
                if words:
                    place = step.action.place()
                    remarks[place.path, place.line] = words

        def change(text: str, file: str, remarks: dict[tuple[str, int], str] = remarks) -> str:
            return edit.strip(text, file) if bare else edit.annotate(text, file, remarks)

        _edit(campaign, path, change, dry)
    return 0


def _remark(record: Record, step: Step) -> str:
    """What an entry came to, in one line; nothing where that is plain from the entry."""
    parts: list[str] = []
    if step.contest is not None:
        parts += [step.contest.score, *step.contest.outcome]
    moved: dict[tuple[str, str], int] = {}
    for posting in record.postings(step):
        for account, amount in (
            (posting.source, -posting.amount),
            (posting.target, posting.amount),
        ):
            # An account without an owner is a box or a bank: nobody asks what it holds.
            if ":" in account:
                moved[account, posting.unit] = moved.get((account, posting.unit), 0) + amount
    changes: dict[str, list[str]] = {}
    for (account, unit), amount in moved.items():
        if amount:
            changes.setdefault(unit, []).append(f"{account.partition(':')[2]} {amount:+}")
    parts += [f"{', '.join(who)} ({unit})" for unit, who in changes.items()]
    return "; ".join(part for part in parts if part)


def _campaigns(path: Path) -> list[Campaign]:
    return [readable(folder) for folder in campaigns_at(path)]


def _edit(campaign: Campaign, path: Path, change: Callable[[str, str], str], dry: bool) -> None:
    """Change the session files of a campaign (or the one that ``path`` names).

    Raises:
        Cannot: when a file is not as it was, cannot be written, or would change in other ways.
    """
    from chronicle.core.files import write_bytes
    from chronicle.transcript.edit import EditRefused, opened

    only = path.resolve() if path.is_file() else None
    done: list[tuple[Path, Source, str]] = []
    for session in campaign.sessions:
        file = Path(session.path)
        if only is not None and file.resolve() != only:
            continue
        try:
            before = opened(file.read_bytes(), session.path)
            done.append((file, before, change(before.text, session.path)))
        except OSError as error:
            raise Cannot(f"'{file}' cannot be read: {error.strerror}") from None
        except EditRefused as error:
            raise Cannot(str(error), "nothing was changed") from None
    for file, before, after in done:
        if before.text == after:
            continue
        if dry:
            show_diff(file, before.text, after)
            continue
        try:
            write_bytes(file, before.bytes_of(after))
        except OSError as error:
            raise Cannot(f"cannot write '{file}': {error.strerror}") from None
        click.echo(f"wrote {file}")


def show_diff(file: Path, before: str, after: str) -> None:
    """Print how a file would change."""
    import difflib

    name = str(file)
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, name
    )
    click.echo("".join(lines), nl=False)
