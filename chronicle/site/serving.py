"""What ``serve`` shows is for this computer alone, and no address that is asked for can end it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from chronicle.core.hosts import known

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

Environ = Any
Start = Any

LONGEST: Final = 2_000
"""How long the path of an address may be; no page of ours has one half as long."""
_ODD: Final = re.compile(r"[\x00-\x1f\x7f\\]|//|/\.\.(?:/|$)|^/livereload/\d{20}")


def guard(server: LiveReloadServer, asked: Callable[[str], object]) -> None:
    """Let a server of MkDocs answer those only who ask for it by its own name, and with *not found*
    whatever is no address of a page.

    A stranger's web site may give itself the address of this computer once its page is open in a
    browser here, and then read what is served as if it were its own. The browser still says by which
    name it came.

    Args:
        server: the server.
        asked: told of each address that is looked for, below that of the site, before it is found.
    """
    own = str(server.server_address[0])
    answer, find = server.serve_request, server._serve_request

    def careful(environ: Environ, start_response: Start) -> Iterable[bytes] | None:
        path = str(environ.get("PATH_INFO", ""))
        if len(path) > LONGEST or _ODD.search(path):
            return None
        try:
            wanted = path.encode("latin-1").decode("utf-8")
            asked(wanted.removeprefix(server.mount_path))
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
