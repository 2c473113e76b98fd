"""``chronicle import``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.out import Cannot, campaign_at, cannot_write
from chronicle.cli.place import OUT
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.syntax.importers import CampaignWords, ImportedText


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@with_path_argument
@click.option(
    "--as",
    "form",
    type=click.Choice(["thread", "chat", "lonelog", "markdown", "csv"]),
    help="Kind of text. Default: recognised from its lines.",
)
@click.option(
    "--session", type=click.IntRange(0), help="Number of the session. Default: the next one."
)
@click.option(
    "--out",
    type=OUT,
    help="File to write. Default: NN.yaml in the campaign.",
)
def import_(
    source: Path, path: Path, form: str | None, session: int | None, out: Path | None
) -> int:
    """Make a session from an old record, SOURCE.

    SOURCE is a forum thread or a chat saved as text, a play report in Markdown or Lonelog, a table of
    entries as CSV, or a folder that `chronicle render` wrote. Dice, figures, scenes and entries become
    entries. Chronicle keeps all other text word for word, under the name of its author, and marks
    places to look at with a comment. It invents nothing and replaces no file.

    \b
      chronicle import old-thread.txt
      chronicle import report.md sessions/our-table --session 4
    """  # noqa: D301
    campaign = campaign_at(path)
    number = (
        session
        if session is not None
        else 1
        + max((session_of_campaign.number for session_of_campaign in campaign.sessions), default=0)
    )
    rendered_logs = _rendered_logs(source)
    if rendered_logs:
        _write_new_files(
            {Path(campaign.folder) / log_file.name: _read(log_file) for log_file in rendered_logs}
        )
        return 0
    from chronicle.games import rulebook
    from chronicle.syntax.importers import CampaignWords, guess_form, import_text

    rules = rulebook(campaign.game)
    names = CampaignWords(
        (player.name for player in campaign.players), set(rules.by_verb), set(rules.by_measure)
    )
    text = _read(source).decode("utf-8", errors="replace")
    imported = import_text(text, form or guess_form(text, source.name), names)
    if not imported.entries:
        raise Cannot(f"there is nothing to take in in '{source}'")
    file = out or Path(campaign.folder) / f"{number:02}.yaml"
    log = _log_with_valid_guesses(campaign, imported, names, number, file, source.stem)
    _write_new_files({file: log.encode()})
    question_count = sum(1 for entry in imported.entries if entry.question)
    click.echo(
        f"{len(imported.entries)} entries; look at {question_count}: the lines below  # Look here"
    )
    return 0


def _rendered_logs(source: Path) -> list[Path]:
    """The logs in a folder that ``render`` or ``build`` wrote for one campaign."""
    for folder in (source / "files", source):
        if folder.is_dir() and (folder / "record.json").exists():
            return sorted(
                log_file for log_file in folder.glob("*.yaml") if log_file.name != "campaign.yaml"
            )
    return []


def _read(file: Path) -> bytes:
    from chronicle.core.file_reading import read_file

    try:
        return read_file(file)
    except OSError as error:
        raise Cannot(f"'{file}' cannot be read: {error.strerror or error}") from None


def _write_new_files(files: Mapping[Path, bytes]) -> None:
    """Write new files of one folder, all of them or none.

    Raises:
        Cannot: when one is there already, or cannot be written.
    """
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange

    for file in files:
        if os.path.lexists(file):
            help = "--session N or --out FILE names another one"
            raise Cannot(f"'{file}' is there already", help)
        if not file.parent.is_dir():
            raise Cannot(f"cannot write '{file}': there is no folder '{file.parent}'")
    try:
        edit(file.parent, [ContentChange(log_file, None, data) for log_file, data in files.items()])
    except OSError as error:
        raise cannot_write(error) from None
    for file in files:
        click.echo(f"written: {file}")


def _log_with_valid_guesses(
    campaign: Campaign,
    imported: ImportedText,
    names: CampaignWords,
    number: int,
    file: Path,
    title: str,
) -> str:
    """The log with those guesses that replay accepts. Each other guess becomes a story with a mark."""
    from chronicle.campaigns import load, run
    from chronicle.core.diagnostic import Severity
    from chronicle.syntax.importers import write_log

    log_path = Path(campaign.folder).resolve() / (
        file.name if file.suffix == ".yaml" else "import.yaml"
    )
    while True:
        log, start_lines = write_log(imported, names, number, title)
        record = run(load(Path(campaign.folder), instead={log_path: log.encode()}), shown=False)
        problem_lines = sorted(
            {
                diagnostic.place.line
                for diagnostic in record.diagnostics
                if Path(diagnostic.place.path).name == log_path.name
                and diagnostic.severity >= Severity.WARNING
            }
        )
        failed_entries = [
            entry
            for entry, start, end in zip(
                imported.entries, start_lines, [*start_lines[1:], 10**9], strict=True
            )
            if entry.is_guess and any(start <= line < end for line in problem_lines)
        ]
        if not failed_entries:
            return log
        # What follows from the first that does not hold may hold without it.
        for entry in failed_entries[:1] if len(failed_entries) < 40 else failed_entries:
            entry.keep_words_only("play does not hold this as an entry")
