"""``chronicle lsp``."""

from __future__ import annotations

import click

from chronicle.cli.out import Cannot


@click.command(short_help="Serve an editor: findings, completion, hover, renaming while you type.")
@click.option(
    "--tcp",
    type=click.IntRange(1, 65535),
    help="Listen on this port of this computer, for debugging, instead of standard input.",
)
def lsp(tcp: int | None) -> int:
    """A language server for logs and settings, over standard input and output.

    An editor starts it; docs/editors.md says how for each. It writes nothing by itself.
    """
    try:
        from chronicle.door.lsp import server
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Cannot(
            "the language server needs one package more",
            "install it with  pip install 'chronicle-tabletop[lsp]'",
        ) from None
    import logging
    import os

    if not os.environ.get("CHRONICLE_DEBUG"):
        # Whoever asked is told what went wrong; a traceback beside it helps nobody.
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
    if tcp is not None:
        server().start_tcp("127.0.0.1", tcp)
    else:
        server().start_io()
    return 0
