"""Which commands there are, in the order people meet them; each is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Final, NamedTuple

import click


class Entry(NamedTuple):
    """A command: the module that holds it (as ``NAME``, or ``NAME_`` where Python has the word)."""

    module: str
    help: str


GROUPS: Final = {
    "Write": {
        "new": Entry("new", "Start a campaign: files that check, build and explain themselves."),
        "desk": Entry("desk", "Keep the log at the table, in the browser."),
        "lsp": Entry(
            "lsp", "Serve an editor: findings, completion, hover, renaming while you type."
        ),
        "check": Entry("check", "Replay a log and say what cannot be right."),
        "explain": Entry("explain", "Explain a rule, or one line of a log."),
        "diff": Entry("diff", "Compare what two keepers wrote down of one evening."),
        "import": Entry("import_", "Take in an old record: a thread, a chat, a report, a table."),
        "pin": Entry("pin", "Keep beside a campaign what this version makes of it."),
        "receive": Entry("receive", "Take in a campaign that was kept at a desk elsewhere."),
        "ids": Entry("edit", "Give the entries of a log permanent names."),
        "annotate": Entry("edit", "Write what every roll meant beside it, as comments."),
        "migrate": Entry("migrate", "Bring a log up to the format of this version."),
        "fmt": Entry("fmt", "Lay the files of a log out alike."),
        "rename": Entry("rename", "Give somebody or something another name, everywhere at once."),
        "seal": Entry("seal", "Seal a secret, or verify an opening."),
    },
    "Look": {
        "state": Entry("look", "Where play stands now, or after any entry."),
        "show": Entry("look", "One character, Component or player, on one screen."),
        "find": Entry("look", "Find words in the story, in headlines and names."),
        "stats": Entry("stats", "How large a campaign is, and how fast it is checked."),
        "corpus": Entry("corpus", "What many campaigns come to: rules, prices, dice, scenes."),
    },
    "Publish": {
        "build": Entry("site", "Build the site."),
        "serve": Entry("site", "Serve the site, and show every saved change at once."),
        "render": Entry("render", "Write the pages as plain Markdown, for any site builder."),
        "book": Entry("book", "Bind the story as a book, for e-readers and for paper."),
        "excerpt": Entry("excerpt", "A few lines of a log as annotated play, to paste anywhere."),
        "export": Entry("export", "Hand the record to other programs."),
        "unname": Entry("unname", "Publish a player under another name, or none."),
    },
    "Reference": {
        "schema": Entry("reference", "The JSON Schema that editors complete and check with."),
        "reference": Entry("reference", "Every verb and option of a game, as Markdown."),
    },
}
"""Group heading to its commands."""


class Commands(click.Group):
    """The commands of ``GROUPS``, imported on demand, listed under their headings."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in order."""
        return [name for group in GROUPS.values() for name in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, imported now; None if there is none."""
        for group in GROUPS.values():
            if cmd_name in group:
                module = import_module(f"chronicle.cli.{group[cmd_name].module}")
                name = cmd_name if hasattr(module, cmd_name) else f"{cmd_name}_"
                command: click.Command = getattr(module, name)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with a guess at what was meant."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            from chronicle.core.diagnostic import did_you_mean

            hint = did_you_mean(name, self.list_commands(ctx))
            ctx.fail(f"there is no command '{name}'{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any of them."""
        for heading, group in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, entry.help) for name, entry in group.items()])


def _version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from chronicle import __version__

        click.echo(f"chronicle {__version__}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Everything starts with:  chronicle new our-campaign",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Say which version this is, and stop.",
)
def chronicle() -> None:
    """Keep the record of a story game.

    Log the evening as plain text, have it checked against the rules, read it as a site.
    """
