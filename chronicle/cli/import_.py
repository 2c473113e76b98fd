"""``chronicle import``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.out import Cannot, campaign_at, cannot_write
from chronicle.cli.place import OUTPUT_PATH
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.syntax.importers import CampaignVocabulary, ImportedText


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@with_path_argument
@click.option(
    "--as",
    "source_format",
    type=click.Choice(["thread", "chat", "lonelog", "markdown", "csv"]),
    help="Kind of text. Default: recognised from its lines.",
)
@click.option(
    "--session",
    "session_number_asked",
    type=click.IntRange(0),
    help="Number of the session. Default: the next one.",
)
@click.option(
    "--out",
    type=OUTPUT_PATH,
    help="File to write. Default: NN.yaml in the campaign.",
)
def import_(
    source: Path,
    path: Path,
    source_format: str | None,
    session_number_asked: int | None,
    out: Path | None,
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
    session_number = (
        session_number_asked
        if session_number_asked is not None
        else 1 + max((session.number for session in campaign.sessions), default=0)
    )
    rendered_logs = _rendered_logs(source)
    if rendered_logs:
        _write_new_files(
            {
                Path(campaign.folder) / log_file.name: _read_import_file(log_file)
                for log_file in rendered_logs
            }
        )
        return 0
    from chronicle.games import rulebook
    from chronicle.syntax.importers import CampaignVocabulary, guess_text_form, import_text

    rules = rulebook(campaign.game)
    vocabulary = CampaignVocabulary(
        (player.name for player in campaign.players), set(rules.by_verb), set(rules.by_measure)
    )
    source_text = _read_import_file(source).decode("utf-8", errors="replace")
    imported_text = import_text(
        source_text, source_format or guess_text_form(source_text, source.name), vocabulary
    )
    if not imported_text.entries:
        raise Cannot(f"there is nothing to take in in '{source}'")
    file = out or Path(campaign.folder) / f"{session_number:02}.yaml"
    log_text = _log_with_valid_guesses(
        campaign, imported_text, vocabulary, session_number, file, source.stem
    )
    _write_new_files({file: log_text.encode()})
    question_count = sum(1 for entry in imported_text.entries if entry.question)
    click.echo(
        f"{len(imported_text.entries)} entries; look at {question_count}: the lines below  # Look here"
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


def _read_import_file(file: Path) -> bytes:
    from chronicle.core.file_reading import read_file

    try:
        return read_file(file)
    except OSError as error:
        raise Cannot(f"'{file}' cannot be read: {error.strerror or error}") from None


def _write_new_files(contents_by_file: Mapping[Path, bytes]) -> None:
    """Write new files of one folder, all of them or none.

    Raises:
        Cannot: when one is there already, or cannot be written.
    """
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange

    for file in contents_by_file:
        if os.path.lexists(file):
            hint = "--session N or --out FILE names another one"
            raise Cannot(f"'{file}' is there already", hint)
        if not file.parent.is_dir():
            raise Cannot(f"cannot write '{file}': there is no folder '{file.parent}'")
    try:
        edit(
            file.parent,
            [
                ContentChange(log_file, None, contents)
                for log_file, contents in contents_by_file.items()
            ],
        )
    except OSError as error:
        raise cannot_write(error) from None
    for file in contents_by_file:
        click.echo(f"written: {file}")


def _log_with_valid_guesses(
    campaign: Campaign,
    imported_text: ImportedText,
    vocabulary: CampaignVocabulary,
    session_number: int,
    out_file: Path,
    session_title: str,
) -> str:
    """The log with those guesses that replay accepts. Each other guess becomes a story with a mark."""
    from chronicle.campaigns import load, run
    from chronicle.core.diagnostic import Severity
    from chronicle.syntax.importers import compose_session_text

    log_path = Path(campaign.folder).resolve() / (
        out_file.name if out_file.suffix == ".yaml" else "import.yaml"
    )
    while True:
        log_text, start_lines = compose_session_text(
            imported_text, vocabulary, session_number, session_title
        )
        record = run(
            load(Path(campaign.folder), content_by_file={log_path: log_text.encode()}), shown=False
        )
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
            for entry, start_line, end_line in zip(
                imported_text.entries, start_lines, [*start_lines[1:], 10**9], strict=True
            )
            if entry.is_guess
            and any(start_line <= problem_line < end_line for problem_line in problem_lines)
        ]
        if not failed_entries:
            return log_text
        # What follows from the first that does not hold may hold without it.
        for entry in failed_entries[:1] if len(failed_entries) < 40 else failed_entries:
            entry.keep_words_only("play does not hold this as an entry")
