"""``chronicle lsp``."""

from __future__ import annotations

import click

from chronicle.cli.out import Cannot


@click.command(short_help="Serve an editor: findings, completion, hover, renaming while you type.")
@click.option(
    "--tcp",
    type=click.IntRange(1, 65535),
    help="For debugging: listen on this port of this computer (127.0.0.1) instead of standard input. Any "
    "program on this computer can connect then; web pages cannot. One editor is served.",
)
def lsp(tcp: int | None) -> int:
    """A language server for logs and settings, over standard input and output.

    An editor starts it; docs/editors.md says how for each. It writes nothing by itself.
    """
    try:
        from chronicle.door.lsp import server
        from chronicle.door.lsp.tcp import serve_tcp
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Cannot(
            "the language server needs one package more",
            "install it with  pip install 'chronicle-tabletop[lsp]'",
        ) from None
    import asyncio
    import logging
    import os

    if not os.environ.get("CHRONICLE_DEBUG"):
        # Whoever asked is told what went wrong; a traceback beside it helps nobody.
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
    if tcp is not None:
        try:
            asyncio.run(serve_tcp(server(), tcp))
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            raise Cannot(f"cannot listen on port {tcp}: {why}", "take another port") from None
        except (KeyboardInterrupt, asyncio.CancelledError):
            pass
    else:
        server().start_io()
    return 0
