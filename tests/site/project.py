"""Builds sites for tests: a project around given campaigns, in a folder of its own, in this process."""

import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

SETTINGS: dict[str, Any] = {
    "site_name": "A table",
    "use_directory_urls": False,
    "theme": {"name": "material"},
    "nav": ["index.md"],
    "not_in_nav": "/*/\n",
    "validation": {"nav": {"omitted_files": "ignore"}},
}


def make_project(root: Path, *campaigns: Path, **plugin: Any) -> Path:
    """A project with copies of these campaigns; ``plugin`` are settings of the plugin."""
    docs = root / "docs"
    docs.mkdir(parents=True)
    (docs / "index.md").write_text(
        "# Our table\n\n<!-- chronicle:campaigns -->\n", encoding="utf-8"
    )
    for campaign in campaigns:
        shutil.copytree(campaign, root / "sessions" / campaign.name)
    settings = SETTINGS | {"plugins": ["search", {"chronicle": {"look": "site"} | plugin}]}
    lines = (f"{key}: {json.dumps(value)}" for key, value in settings.items())
    (root / "mkdocs.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


class Heard(logging.Handler):
    """Keeps what MkDocs warned of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect MkDocs's warnings and errors."""
    heard, log = Heard(), logging.getLogger("mkdocs")
    log.addHandler(heard)
    try:
        yield heard.said
    finally:
        log.removeHandler(heard)


def fresh() -> None:
    """Forget the plugins that MkDocs keeps from build to build in one process."""
    cache: dict[str, object] = vars(MkDocsConfig)["plugins"].plugin_cache
    cache.clear()


def build(project: Path, *, folders: bool = False, **settings: Any) -> tuple[Path, list[str]]:
    """Build a project's site; gives the folder and what MkDocs warned of."""
    fresh()
    site = project / ("site-folders" if folders else "site")
    config = load_config(
        str(project / "mkdocs.yml"), site_dir=str(site), use_directory_urls=folders, **settings
    )
    config.plugins.on_startup(command="build", dirty=False)
    with listening() as messages:
        mkdocs_build(config)
    config.plugins.on_shutdown()
    return site, messages
