"""Runs MkDocs: reads its settings, starts its plug-ins, builds sites."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from mkdocs.commands.build import build as _build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, MkDocsException
from mkdocs.structure.files import get_files

from chronicle.adapters.pages import leave_out_logs
from chronicle.adapters.serve import HideDirtyBuildWarning
from chronicle.adapters.settings import roots_of
from chronicle.adapters.settings import settings_digest as settings_digest
from chronicle.plugin import ChroniclePlugin

Settings: TypeAlias = MkDocsConfig
"""The settings of a site."""
BUILD_ERRORS: Final = (Abort, MkDocsException)
"""The errors that end a build of MkDocs."""
MKDOCS_LOG: Final = "mkdocs"
"""The name of MkDocs's log."""
PLUGIN_LOG: Final = "mkdocs.plugins.chronicle.plugin"
"""The name of the log of Chronicle's plug-in."""


def read_settings(file: Path, **overrides: Any) -> Settings:
    """Read a ``mkdocs.yml``.

    Args:
        file: the file.
        overrides: settings that win over those in it.
    """
    return load_config(str(file), **overrides)


@contextmanager
def plugins_started(config: Settings) -> Iterator[None]:
    """Tell the plug-ins that a build begins, and that all is over."""
    config.plugins.on_startup(command="build", dirty=False)
    try:
        yield
    finally:
        config.plugins.on_shutdown()


def build(config: Settings, *, partial: bool = False) -> None:
    """Build a site, or only the pages that changed."""
    if partial:
        with HideDirtyBuildWarning():
            _build(config, dirty=True)
    else:
        _build(config)


def plugin_in(config: Settings) -> ChroniclePlugin | None:
    """Chronicle's plug-in in a project, where it is used."""
    plugin: Any = config.plugins.get("chronicle")
    return plugin if isinstance(plugin, ChroniclePlugin) else None


def addresses_taken(config: Settings) -> set[str]:
    """What lies at the root of a site that is no campaign: pages, folders, and files of the theme."""
    files = get_files(config)
    plugin = plugin_in(config)
    if plugin is not None:
        leave_out_logs(files, config, plugin.sessions_of(config), warn=lambda warning: None)
    files.add_files_from_theme(config.theme.get_env(), config)
    return roots_of(files)


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect what MkDocs and its plug-ins warn of meanwhile."""
    messages: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(f"{record.levelname.lower()}: {record.getMessage()}")

    listener, log = Listener(logging.WARNING), logging.getLogger(MKDOCS_LOG)
    log.addHandler(listener)
    try:
        yield messages
    finally:
        log.removeHandler(listener)
