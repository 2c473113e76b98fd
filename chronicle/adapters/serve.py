"""``chronicle serve``: MkDocs's server, for this computer alone, that builds again only what a change needs.

A change of a campaign rebuilds its pages, and the pages of the owner that show something of it. Any other change
of a file that the site is made of builds everything, as MkDocs does by itself.
"""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.livereload import LiveReloadServer

from chronicle.core.host_header import is_own_host

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from chronicle.plugin import ChroniclePlugin

POLLING_INTERVAL: Final = 0.15
"""Seconds between two looks at the files while serving."""
MAX_PATH_LENGTH: Final = 2_000
"""The maximum length of the path of an address; no page of ours needs half of it."""
_MALFORMED_PATH: Final = re.compile(r"[\x00-\x1f\x7f\\]|//|/\.\.(?:/|$)|^/livereload/\d{20}")


class Server(LiveReloadServer):
    """A server that answers only requests for its own name. Other addresses than those of pages are not found.

    A stranger's web site may give itself the address of this computer once its page is open in a
    browser here, and then read the pages as if they were its own. The Host header still has
    the name of that web site.

    Args:
        builder: builds the site again.
        host: the address it listens on.
        port: the port it listens on.
        root: the folder of the site.
        mount_path: where the site begins.
        on_request: told of each address that is looked for, below that of the site, before it is found.
    """

    def __init__(
        self,
        builder: Callable[[], None],
        host: str,
        port: int,
        root: str,
        mount_path: str = "/",
        on_request: Callable[[str], object] = lambda address: None,
    ) -> None:
        self.watched_paths: set[Path] = set()
        """The files and folders that are watched."""
        self._on_request = on_request
        super().__init__(builder, host, port, root, mount_path, polling_interval=POLLING_INTERVAL)

    def watch(self, path: str, func: None = None, *, recursive: bool = True) -> None:
        """Build again when a file changes there."""
        self.watched_paths.add(Path(path).resolve())
        super().watch(path, func, recursive=recursive)

    def serve_request(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        """Answer a request that is meant for this server and can be an address of a page."""
        if not is_own_host(str(environ.get("HTTP_HOST", "")), str(self.server_address[0])):
            start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
            return [f"This is served at {self.url} and under no other name.\n".encode()]
        path = str(environ.get("PATH_INFO", ""))
        try:
            if len(path) > MAX_PATH_LENGTH or _MALFORMED_PATH.search(path):
                return self._not_found(start_response)
            address = path.encode("latin-1").decode("utf-8").removeprefix(self.mount_path)
            self._on_request(address)
            # No system calls a file so, or it is there no more.
            Path(self.root, address).exists()
        except (OSError, ValueError):
            return self._not_found(start_response)
        return super().serve_request(environ, start_response)

    def _not_found(self, start_response: Any) -> Iterable[bytes]:
        start_response("404 Not Found", [("Content-Type", "text/html")])
        return [self.error_handler(404) or b"404 Not Found"]


class Rebuilder:
    """Builds a served site again after a change.

    Args:
        config: the configuration it was built with.
        plugin: Chronicle in it; None: the site does not use it.
    """

    def __init__(self, config: MkDocsConfig, plugin: ChroniclePlugin | None) -> None:
        self._config = config
        self._plugin = plugin
        self._building = Lock()
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._followed: tuple[Path, ...] = ()

    def build(self, *, partial: bool = False) -> None:
        """Build the site, or only what a change of campaigns needs."""
        settings = self._config
        config = load_config(
            settings.config_file_path,
            site_dir=settings.site_dir,
            strict=settings.strict,
            use_directory_urls=settings.use_directory_urls,
            site_url=settings.site_url,
        )
        if self._plugin is not None:
            self._plugin.partial = partial
        with HideDirtyBuildWarning():
            build(config, serve_url=settings.site_url or "/", dirty=partial)

    def rebuild(self) -> None:
        """Build what changed."""
        with self._building:
            last_stamps, self._stamps = self._stamps, self._stamped()
            self.build(partial=self._plugin is not None and last_stamps == self._stamps)

    def follow(self, places: Iterable[Path]) -> None:
        """Take these files and folders for what the site is made of, campaigns among it."""
        self._followed = tuple(places)
        self._stamps = self._stamped()

    def complete(self, address: str) -> None:
        """Make the files that have waited, if this is the address of one of them."""
        campaigns = self._plugin.campaigns if self._plugin is not None else None
        # A build that runs now may have begun before the last change.
        if campaigns is not None and campaigns.takes(address):
            with self._building:
                if campaigns.late:
                    with campaigns.complete():
                        self.build(partial=True)

    def _stamped(self) -> dict[Path, tuple[int, int]]:
        """Size and time of every file that the site is made of, but for the campaigns'."""
        plugin = self._plugin
        sessions = plugin.sessions_of(self._config).resolve() if plugin is not None else None
        stamps: dict[Path, tuple[int, int]] = {}
        for place in self._followed:
            if place == sessions:
                continue
            for file in [place, *place.rglob("*")] if place.is_dir() else [place]:
                # A file may go away meanwhile.
                with suppress(OSError):
                    status = file.stat()
                    stamps[file] = status.st_size, status.st_mtime_ns
        return stamps


class HideDirtyBuildWarning(logging.Filter):
    """MkDocs warns that builds of changed pages alone can be inaccurate; ours know what changed."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "'dirty' build" not in record.getMessage()

    def __enter__(self) -> None:
        logging.getLogger("mkdocs.commands.build").addFilter(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger("mkdocs.commands.build").removeFilter(self)


def serve(
    file: Path,
    host: str,
    port: int,
    *,
    prepare: Callable[[MkDocsConfig], ChroniclePlugin | None],
    open_browser: bool,
) -> None:
    """Serve the site of a project until the user interrupts it.

    Args:
        file: its ``mkdocs.yml``.
        host: the address to listen on.
        port: the port to listen on.
        prepare: readies the configuration, and gives Chronicle's plug-in in it.
        open_browser: whether to open the site in a browser.
    """
    site_folder = mkdtemp(prefix="chronicle_")
    config = load_config(str(file), site_dir=site_folder, dev_addr=f"{host}:{port}")
    plugin = prepare(config)
    try:
        mount_path = urlsplit(config.site_url or "/").path
        address = (
            f"http://{host}:{port}{mount_path if mount_path.startswith('/') else '/' + mount_path}"
        )
        config["site_url"] = address
        config.plugins.on_startup(command="serve", dirty=False)
        rebuilder = Rebuilder(config, plugin)
        server = Server(rebuilder.rebuild, host, port, site_folder, mount_path, rebuilder.complete)
        rebuilder.build()
        for path in (config.docs_dir, config.config_file_path, config.theme.custom_dir):
            # A theme itself may have ten thousand files, and they never change.
            if path:
                server.watch(path)
        served = config.plugins.on_serve(server, config=config, builder=rebuilder.build)
        for path in config.watch:
            served.watch(path)
        rebuilder.follow(server.watched_paths)
        try:
            served.serve(open_in_browser=open_browser)  # type: ignore[no-untyped-call]
        except KeyboardInterrupt:
            pass
        finally:
            served.shutdown()
    finally:
        config.plugins.on_shutdown()
        shutil.rmtree(site_folder, ignore_errors=True)
