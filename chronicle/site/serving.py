"""What ``serve`` shows is for this computer alone, and no address that is asked for can end it."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

Environ = Any
Start = Any

LONGEST: Final = 2_000
"""How long the path of an address may be; no page of ours has one half as long."""
_LOCAL: Final = frozenset(("localhost", "127.0.0.1", "::1"))
_ODD: Final = re.compile(r"[\x00-\x1f\x7f\\]|//|/\.\.(?:/|$)|^/livereload/\d{20}")
_HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^:\[\]]+))(?::\d*)?", re.IGNORECASE)


def guard(server: LiveReloadServer) -> None:
    """Let a server of MkDocs answer those only who ask for it by its own name, and with *not found*
    whatever is no address of a page.

    A stranger's web site may give itself the address of this computer once its page is open in a
    browser here, and then read what is served as if it were its own. The browser still says by which
    name it came.
    """
    own = str(server.server_address[0])
    answer, find = server.serve_request, server._serve_request

    def careful(environ: Environ, start_response: Start) -> Iterable[bytes] | None:
        path = str(environ.get("PATH_INFO", ""))
        if len(path) > LONGEST or _ODD.search(path):
            return None
        try:
            path.encode("latin-1").decode("utf-8")
            return find(environ, start_response)
        except (OSError, ValueError):
            # These are no letters, no system would call a file so, or it went away between two looks.
            return None

    def guarded(environ: Environ, start: Start) -> Iterable[bytes]:
        if not known(str(environ.get("HTTP_HOST", "")), own):
            start("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
            return [f"This is served at {server.url} and under no other name.\n".encode()]
        return answer(environ, start)

    server._serve_request = careful  # type: ignore[method-assign]
    server.set_app(guarded)


def known(asked: str, own: str) -> bool:
    """Whether a Host header means a server that is bound to the address ``own``.

    One that is bound to every address of this computer may be asked by any address, as no web site can
    choose what browsers send then, and by the computer's own name.
    """
    if not asked:
        return True
    match = _HOST.fullmatch(asked.strip())
    if match is None:
        return False
    name = (match[1] or match[2]).rstrip(".").casefold()
    if name == own.casefold():
        return True
    if own in _LOCAL:
        return name in _LOCAL
    if own not in ("", "0.0.0.0", "::"):
        return False
    mine = socket.gethostname().casefold()
    return name in _LOCAL or name in (mine, f"{mine}.local") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
