"""Which commands there are, in the order people meet them; each is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Final, NamedTuple

import click


class CommandEntry(NamedTuple):
    """A command: the module that holds it (as ``NAME``, or ``NAME_`` where Python has the word)."""

    module: str
    help: str


COMMAND_GROUPS: Final = {
    "Start here": {
        "new": CommandEntry("new", "Start a campaign."),
        "check": CommandEntry("check", "Check a log against the rules."),
        "desk": CommandEntry("desk", "Log in the browser, with the possible moves in view."),
        "serve": CommandEntry("site", "Show the site while you write."),
        "build": CommandEntry("site", "Build the site, to publish it."),
    },
    "Look things up": {
        "explain": CommandEntry("explain", "Explain a rule, a verb, or one line of a log."),
        "state": CommandEntry("look", "Show the state of play, now or after any entry."),
        "show": CommandEntry("look", "Show one character, Component or player."),
        "find": CommandEntry("look", "Search stories, moves and names."),
        "reference": CommandEntry("reference", "Print every verb and key of a game."),
    },
    "Work on a log": {
        "rename": CommandEntry(
            "rename", "Rename a character, a player or a Component in every file."
        ),
        "diff": CommandEntry("diff", "Compare two logs of the same session."),
        "receive": CommandEntry("receive", "Add campaigns that a desk elsewhere exported."),
        "import": CommandEntry("import_", "Make a session from an old thread, chat or report."),
        "annotate": CommandEntry("edit", "Write the result of each roll next to it, as comments."),
        "fmt": CommandEntry("fmt", "Format session files."),
        "ids": CommandEntry("edit", "Give entries permanent ids."),
        "seal": CommandEntry("seal", "Seal a secret, to prove it later."),
        "pin": CommandEntry("pin", "Save how this version reads a campaign."),
        "migrate": CommandEntry("migrate", "Update files to the current format."),
    },
    "Publish": {
        "book": CommandEntry("book", "Make an e-book or a PDF."),
        "excerpt": CommandEntry("excerpt", "Print some lines as annotated play, to paste."),
        "export": CommandEntry("export", "Export the record: JSON, SQL, hledger, Beancount, CSV."),
        "render": CommandEntry("render", "Write the pages as Markdown, for other site builders."),
        "unname": CommandEntry("unname", "Publish a player under another name, or none."),
    },
    "Figures and tools": {
        "stats": CommandEntry("stats", "Count a campaign, and time its check."),
        "corpus": CommandEntry("corpus", "Count over many campaigns: rules, prices, dice."),
        "schema": CommandEntry("reference", "Print the JSON Schema for editors."),
        "lsp": CommandEntry("lsp", "Run the language server for editors."),
        "game": CommandEntry("game", "Write a game of your own as a package, and test it."),
    },
}
"""Group heading to its commands."""


class Commands(click.Group):
    """The commands of ``COMMAND_GROUPS``, imported on demand, listed under their headings."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in order."""
        return [command_name for group in COMMAND_GROUPS.values() for command_name in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, imported now; None if there is none."""
        for group in COMMAND_GROUPS.values():
            if cmd_name in group:
                module = import_module(f"chronicle.cli.{group[cmd_name].module}")
                function_name = cmd_name if hasattr(module, cmd_name) else f"{cmd_name}_"
                command: click.Command = getattr(module, function_name)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with a guess at what was meant."""
        command_name = args[0]
        if not command_name.startswith("-") and command_name not in self.list_commands(ctx):
            from chronicle.core.diagnostic import did_you_mean

            hint = did_you_mean(command_name, self.list_commands(ctx))
            ctx.fail(f"there is no command '{command_name}'{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any of them."""
        for heading, group in COMMAND_GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(command_name, entry.help) for command_name, entry in group.items()]
                )


def _print_version(ctx: click.Context, parameter: click.Parameter, is_requested: bool) -> None:
    if is_requested and not ctx.resilient_parsing:
        from chronicle import __version__

        click.echo(f"chronicle {__version__}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nTo begin:           chronicle new our-table\nHelp on a command:  chronicle check --help",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
def chronicle() -> None:
    """Log sessions of tabletop story games, check them against the rules, and publish them.

    You write one line for each move. Chronicle replays the session, reports what cannot be right, and builds a site
    of it.
    """
