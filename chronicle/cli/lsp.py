"""``chronicle lsp``."""

from __future__ import annotations

import click

from chronicle.cli.out import Cannot
from chronicle.core.installation import install_command


@click.command()
@click.option(
    "--tcp",
    "port",
    type=click.IntRange(1, 65535),
    help="For debugging: listen on this port of this computer instead of standard input. One editor can "
    "connect. Other programs on this computer can connect too; web pages cannot.",
)
def lsp(port: int | None) -> int:
    """Run the language server for logs and settings, over standard input and output.

    Your editor starts it; docs/editors.md explains how. It never writes a file on its own.

    \b
      chronicle lsp
      chronicle lsp --tcp 4774
    """  # noqa: D301
    try:
        from chronicle.door.lsp import server
        from chronicle.door.lsp.tcp import serve_tcp
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Cannot(
            "the language server needs one package more",
            f"install it:  {install_command('lsp')}",
        ) from None
    import asyncio
    import logging
    import os

    if not os.environ.get("CHRONICLE_DEBUG"):
        # The editor gets the message; a traceback as well does not help.
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
    if port is not None:
        try:
            asyncio.run(serve_tcp(server(), port))
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise Cannot(f"cannot listen on port {port}: {reason}", "take another port") from None
        except (KeyboardInterrupt, asyncio.CancelledError):
            pass
    else:
        server().start_io()
    return 0
