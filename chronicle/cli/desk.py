"""``chronicle desk``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from chronicle.cli.where import with_path_argument

DEFAULT_PORT = 4773
"""Browsers keep what they know of a page by its port, so that it is mostly the same."""


QR_MARGIN = 2
"""The room around a QR code on a terminal, in dots."""


@click.command()
@with_path_argument
@click.option(
    "--lan",
    "admits_guests",
    is_flag=True,
    help="Let others at the table watch on their own devices. Prints an address and a "
    "code for them.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Port to listen on. Default: {DEFAULT_PORT}, or any free port if {DEFAULT_PORT} is in use.",
)
@click.option(
    "--no-browser",
    "is_browser_unwanted",
    is_flag=True,
    help="Print the address and do not open a browser.",
)
def desk(path: Path, admits_guests: bool, port: int | None, is_browser_unwanted: bool) -> int:
    """Open the desk in your browser: log moves, see their effects, correct problems.

    The desk saves to the files of the campaigns at PATH as you go. You can have the same files open in
    an editor. Only this computer can use the desk, unless you let guests watch with --lan. Press Ctrl-C
    to close it; everything is saved.

    \b
      chronicle desk
      chronicle desk our-table --lan
    """  # noqa: D301
    import asyncio
    import contextlib
    import webbrowser

    from chronicle.cli.out import TextStyler, campaigns_at, cannot_write
    from chronicle.core.edits import edit
    from chronicle.door.guest_files import files_for_guests
    from chronicle.door.server import ALL_ADDRESSES, DeskServer
    from chronicle.services.open_campaigns import CampaignRoom
    from chronicle.site.look import ASSETS
    from chronicle.syntax.find import find_campaigns

    # A folder without a campaign is where one begins.
    if not path.is_dir() or find_campaigns(path):
        campaigns_at(path, for_editing=True)
    campaign_room = CampaignRoom(path, edit, files_for_guests)
    server = DeskServer(campaign_room, ASSETS, ALL_ADDRESSES if admits_guests else "127.0.0.1")
    ports = (DEFAULT_PORT, 0) if port is None else (port,)
    styler = TextStyler()

    def announce() -> None:
        desk_url = f"http://127.0.0.1:{server.port}/#{server.keys.token()}"
        click.echo(f"The desk is open at  {styler(desk_url, 'cyan')}")
        click.echo("The link works once, on this computer. Ctrl-C closes the desk.")
        if admits_guests:
            invitation = server.invite()
            click.echo(f"Guests look on at  {styler(server.address, 'cyan')}")
            click.echo(f"with the code  {styler(invitation['word'], 'bold')}")
            if styler.uses_colour:
                for code_row in qr_code_rows(invitation["dots"]):
                    click.echo(styler(code_row, "white", "on black"))
        if not is_browser_unwanted:
            # A browser that does not start is no fault: the address is there.
            with contextlib.suppress(webbrowser.Error, OSError):
                webbrowser.open(desk_url)

    try:
        asyncio.run(server.run(announce, ports))
    except KeyboardInterrupt:
        click.echo("\nThe desk is closed. Everything that was written is on the disk.")
    except OSError as error:
        raise cannot_write(error) from None
    return 0


def qr_code_rows(dot_rows: list[str]) -> Iterator[str]:
    """A QR code, two of its rows in a line."""
    blank_row = "0" * (len(dot_rows) + 2 * QR_MARGIN)
    qr_rows_with_quiet_zone = [
        *[blank_row] * QR_MARGIN,
        *(f"{row:0^{len(blank_row)}}" for row in dot_rows),
        *[blank_row] * (QR_MARGIN + 1),
    ]
    block_characters = {"00": "\u2588", "01": "\u2580", "10": "\u2584", "11": " "}
    for upper_row, lower_row in zip(
        qr_rows_with_quiet_zone[::2], qr_rows_with_quiet_zone[1::2], strict=True
    ):
        yield "".join(
            block_characters[upper_dot + lower_dot]
            for upper_dot, lower_dot in zip(upper_row, lower_row, strict=True)
        )
