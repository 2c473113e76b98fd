"""The MkDocs plugin: ``plugins: [search, chronicle]`` puts every campaign of a project on the site.

It is thin. Pages are made by ``pages.py`` and ``library.py`` from Books; this module hands them to MkDocs
as virtual files and swaps their bodies in after Markdown has run, because Markdown is slow on HTML that
needs nothing of it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config import config_options as c
from mkdocs.config.base import Config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import File

from chronicle.publish import Site, make_site
from chronicle.site import look
from chronicle.site.pages import SiteFile, front_matter

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

log = get_plugin_logger(__name__)


class ChronicleConfig(Config):  # type: ignore[no-untyped-call]
    """The plugin's settings in ``mkdocs.yml``."""

    sessions = c.Type(str, default="sessions")
    """The folder with the campaigns, relative to ``mkdocs.yml``."""
    through = c.Optional(c.Type(int))
    """Show every campaign only up to this session."""
    reference = c.Type(bool, default=True)
    """Whether the rules of the games are pages of the site."""


class ChroniclePlugin(BasePlugin[ChronicleConfig]):  # type: ignore[no-untyped-call]
    """Chronicle in MkDocs."""

    def __init__(self) -> None:
        self._site: Site | None = None
        self._bodies: dict[str, SiteFile] = {}
        self._graphs: dict[str, str] = {}

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put the look in place."""
        look.install(config)
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every page and file of every campaign.

        Raises:
            PluginError: when there is no campaign to show.
        """
        project = Path(config.config_file_path or "mkdocs.yml").parent
        folder = project / self.config.sessions
        if not folder.is_dir():
            raise PluginError(
                f"chronicle: there is no folder '{self.config.sessions}' with campaigns"
            )
        self._site = make_site(
            folder,
            project=project,
            folders=config.use_directory_urls,
            through=self.config.through,
            reference=self.config.reference,
            graphs=self._graphs,
            warn=log.warning,
        )
        for problem in self._site.problems:
            log.warning(problem)
        self._bodies = {}
        have = set(files.src_uris)
        for made in self._site.files():
            uri = made.path if made.data is not None else f"{made.path}.md"
            if uri in have:
                continue  # what somebody wrote by hand stands
            if made.data is not None:
                files.append(File.generated(config, uri, content=made.data))
                continue
            self._bodies[uri] = made
            files.append(File.generated(config, uri, content=_stub(made)))
        for file in look.asset_files(config):
            files.append(file)
        return files

    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Fill in what a hand-written page asks for: the cards of all campaigns, how it works."""
        if self._site is None or page.file.src_uri in self._bodies:
            return markdown
        return self._site.library.fill(markdown, page.file.src_uri.removesuffix(".md"))

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Swap in the body of a generated page."""
        made = self._bodies.get(page.file.src_uri)
        return made.html if made is not None and made.html else html

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Make search work from a disk."""
        look.write_offline_index(config)

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Watch the campaigns and the project's templates."""
        project = Path(config.config_file_path or "mkdocs.yml").parent
        for folder in (project / self.config.sessions, project / "templates"):
            if folder.is_dir():
                server.watch(str(folder))
        return server


def _stub(made: SiteFile) -> str:
    """The Markdown of a generated page: its front matter, and its body if that is Markdown. A page with
    a ready body has its content's hash here, so that a change is a change of the file."""
    head = front_matter(made.meta)
    if made.html:
        digest = hashlib.sha256(made.html.encode()).hexdigest()[:16]
        return f"{head}\n<!-- {digest} -->\n"
    return f"{head}\n{made.markdown}"
