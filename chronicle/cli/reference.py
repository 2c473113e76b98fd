"""``chronicle schema`` and ``chronicle reference``: what can be written, for editors and for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import click

from chronicle.cli.jobs import ManyOption
from chronicle.cli.out import cannot_write
from chronicle.games import game_names

SCRIPTS_AND_SHELL = """\
## In scripts, and in your shell

Exit codes: 0 all is well, 1 something was found (errors; with `--strict` warnings too; `find` that finds
nothing), 2 it could not run. Colour only on a terminal, and never with `NO_COLOR` set. Nothing asks
questions in a pipe.

Your shell can complete commands and options, and what your campaigns know: their folders, the names in
play for `show` and `rename`, rules and verbs for `explain`. For bash, zsh or fish put one of these
where the shell reads it when it starts:

``` {.sh .ch-wraps}
eval "$(_CHRONICLE_COMPLETE=bash_source chronicle)"     # ~/.bashrc
eval "$(_CHRONICLE_COMPLETE=zsh_source chronicle)"      # ~/.zshrc
_CHRONICLE_COMPLETE=fish_source chronicle | source      # ~/.config/fish/config.fish
```
"""

_NUMBER: Final = re.compile(r"INTEGER( RANGE)?")
_LIMITS: Final = re.compile(r"\s*\[[\d<=>x]+\]|; [\d<=>x]+(?=\])")
"""How click writes what numbers an option takes."""

GAME_ARGUMENT = click.argument("game", type=click.Choice(game_names()))


def schema_file(game: str, *, for_settings: bool = False) -> str:
    """Where a project keeps the schema of a game's sessions, or of its ``campaign.yaml``."""
    return (
        f".chronicle/{game}.campaign.schema.json"
        if for_settings
        else f".chronicle/{game}.schema.json"
    )


def schema_files(rules: Any) -> dict[str, str]:
    """Both schema files of a game: relative name to text."""
    from chronicle.syntax.schema import campaign_schema, session_schema

    schemas = {False: session_schema(rules), True: campaign_schema(rules)}
    return {
        schema_file(rules.name, for_settings=for_settings): json.dumps(
            schema, ensure_ascii=False, indent=1
        )
        + "\n"
        for for_settings, schema in schemas.items()
    }


@click.command()
@GAME_ARGUMENT
@click.option(
    "--campaign",
    "for_settings",
    is_flag=True,
    help="Print the schema of campaign.yaml instead of session files.",
)
@click.option(
    "--project",
    "project_folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Write both schema files of this project, in .chronicle/, instead of printing.",
)
def schema(game: str, for_settings: bool, project_folder: Path | None) -> int:
    """Print the JSON Schema of the session files of GAME.

    Editors with a YAML language server use it to complete and check while you type. Files from
    `chronicle new` name their schema in the first line. After an update of Chronicle, write the schema
    files of a project again with --project.

    \b
      chronicle schema positive
      chronicle schema positive --project .
    """  # noqa: D301
    from chronicle.games import rulebook

    schema_by_path = schema_files(rulebook(game))
    if project_folder is None:
        click.echo(schema_by_path[schema_file(game, for_settings=for_settings)], nl=False)
        return 0
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange, read_if_exists

    try:
        content_changes = [
            ContentChange(file, read_if_exists(file), text.encode("utf-8"))
            for file, text in (
                (project_folder / relative_path, text)
                for relative_path, text in schema_by_path.items()
            )
        ]
        edit(project_folder, content_changes)
    except OSError as error:
        raise cannot_write(error) from None
    for change in content_changes:
        click.echo(f"wrote {change.file}")
    return 0


@click.command()
@click.argument("game", required=False, type=click.Choice(game_names()))
@click.option("--short", "is_short", is_flag=True, help="Print a few lines for each verb.")
def reference(game: str | None, *, is_short: bool) -> int:
    """Print every verb of GAME with its keys, as Markdown.

    Without GAME, print the parts of the format that all games share: files, heads of sessions, dice,
    and traps of YAML.

    \b
      chronicle reference
      chronicle reference slow-burn --short
    """  # noqa: D301
    from chronicle.games import rulebook
    from chronicle.syntax.reference import game_reference, shared_reference, short_reference

    if game is None:
        click.echo(shared_reference())
    elif is_short:
        click.echo(short_reference(rulebook(game)))
    else:
        click.echo(game_reference(rulebook(game)))
    return 0


COMMANDS_INTRO = (
    "What you can type in a terminal after `chronicle`. A word in capitals stands for something of yours: PATH is a "
    "file or folder, DIR a folder, PROJECT the folder with `mkdocs.yml`, NAME the name of somebody or something in a "
    "log. `chronicle COMMAND --help` prints what this page says of a command."
)


def commands_page() -> str:
    """Every command with its options, as Markdown: a page of Chronicle's own site."""
    from chronicle.cli.app import COMMAND_GROUPS, chronicle

    root_context = click.Context(chronicle, info_name="chronicle", **chronicle.context_settings)
    page_lines = ["# Commands", "", COMMANDS_INTRO, ""]
    for heading, group in COMMAND_GROUPS.items():
        page_lines += [f"| {heading} | What it does |", "|---|---|"]
        for command_name in group:
            command = chronicle.get_command(root_context, command_name)
            assert command is not None
            summary = escape(command.get_short_help_str(120), quote=False)
            page_lines.append(f"| [`{command_name}`](#chronicle-{command_name}) | {summary} |")
        page_lines.append("")
    for heading, group in COMMAND_GROUPS.items():
        page_lines += [f"## {heading}", ""]
        for command_name in group:
            command = chronicle.get_command(root_context, command_name)
            assert command is not None
            for context in _command_contexts(command, command_name, root_context):
                page_lines += [f"### {context.command_path}", "", *_command_help_lines(context)]
    return "\n".join([*page_lines, SCRIPTS_AND_SHELL])


def _command_help_lines(context: click.Context) -> Iterator[str]:
    """What a command does, its examples and its options, as Markdown."""
    command = context.command
    yield from (f"`{' '.join([context.command_path, *command.collect_usage_pieces(context)])}`", "")
    for paragraph in cleandoc(command.help or "").split("\n\n"):
        # Click leaves lines below this mark as they are.
        is_example = paragraph.startswith("\b")
        help_text = dedent(paragraph.removeprefix("\b\n")).replace("\f", "").strip()
        yield from (
            ("``` {.sh .ch-wraps}", help_text, "```")
            if is_example
            else (escape(help_text, quote=False),)
        )
        yield ""
    for options_heading, is_many in (("", False), ("For many campaigns:", True)):
        help_records = [
            help_record
            for parameter in command.get_params(context)
            if isinstance(parameter, click.Option)
            and isinstance(parameter, ManyOption) == is_many
            and parameter.name != "help"
            and (help_record := parameter.get_help_record(context)) is not None
        ]
        if help_records and options_heading:
            yield from (options_heading, "")
        for option_names, help_text in help_records:
            # Only a space lets a line break between choices.
            option_text = _NUMBER.sub("NUMBER", option_names).replace("|", " | ")
            yield f"- `{option_text}`: {escape(_LIMITS.sub('', help_text), quote=False)}"
        yield ""


def _command_contexts(
    command: click.Command, command_name: str, parent_context: click.Context
) -> Iterator[click.Context]:
    """The context of a command, then of each command below it."""
    context = click.Context(command, info_name=command_name, parent=parent_context)
    yield context
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            yield from _command_contexts(subcommand, subcommand.name or "", context)
