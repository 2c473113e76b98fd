"""The MkDocs plugin: ``plugins: [search, chronicle]`` puts every campaign of a project on the site.

It is thin. Chronicle renders the pages (``publish.py``); this module hands them to MkDocs as generated files
through its public hooks.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from markupsafe import Markup
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File

from chronicle.adapters import guest, theme
from chronicle.adapters.campaigns import Campaigns, Scope
from chronicle.adapters.config import ChronicleConfig, require_binders
from chronicle.adapters.desk import add_desk
from chronicle.adapters.pages import FinishedPage, GeneratedFile, add_pages, leave_written_pages
from chronicle.adapters.settings import keep_site_off, roots_of, settings_of
from chronicle.adapters.theme import KeptTheme, project_of
from chronicle.adapters.written import WrittenPages
from chronicle.core.diagnostic import plural
from chronicle.core.output import mark
from chronicle.publish import relaxed_gc
from chronicle.site import look
from chronicle.site.files import SiteFile
from chronicle.site.news import FILE as FEED
from chronicle.site.search import SearchIndex, add_entries

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page
    from mkdocs.utils.templates import TemplateContext

log = get_plugin_logger(__name__)

LAST = -110
"""The place of a hook that other plug-ins come before, those that arrange files by language as well."""


class ChroniclePlugin(BasePlugin[ChronicleConfig]):  # type: ignore[no-untyped-call]
    """Chronicle in MkDocs."""

    def __init__(self) -> None:
        self.campaigns = Campaigns(log)
        self.partial = False
        """Whether the next builds make only pages that changed, as nothing has changed but campaigns."""
        self.settings = ""
        """A hash of what the pages of the last build depend on besides the campaigns."""
        self._written = WrittenPages(log.warning)
        self._bodies: dict[str, SiteFile] = {}
        """The pages made of campaigns, by their paths among the sources."""
        self._generated: list[GeneratedFile] = []
        self._last_files: dict[str, File] = {}
        """The files of the last build."""
        self._nav: Navigation | None = None
        self._env: Environment | None = None
        """The theme's templates, while campaigns are built one after the other."""
        self._compiled = theme.CompiledTemplates()
        self._search = SearchIndex()
        self._pages: list[str] = []
        self._built_urls: set[str] = set()
        self._dirty = self._serving = False
        self._depth = 0
        """How many builds are under way: a plug-in for languages begins one within the other."""
        self._relaxed = ExitStack()
        """Settings that hold during a build."""

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Having this, the plugin lives on from build to build while MkDocs serves."""
        self._serving, self._dirty, self._depth = command == "serve", dirty, 0
        self.campaigns.keep(self._serving)

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put the look in place.

        Raises:
            PluginError: when the site would go where the files are that it is made of, or when the program that
                binds a kind of book is missing.
        """
        self._depth += 1
        if self._nested:
            return config
        self._built_urls.clear()
        self.campaigns.progress.begin()
        self._relaxed.close()
        # Nearly all that is made from here on is needed until every page is written.
        self._relaxed.enter_context(relaxed_gc())
        if not self._serving:
            keep_site_off(config)
        require_binders(self.config.book)
        if self._has_site_look(config):
            theme.dress_site(config, log.warning)
        else:
            guest.lend_templates(config)
        if self._is_single:
            config["theme"] = KeptTheme(config.theme, self._env)
            self._env = config.theme.get_env()
        return config

    @event_priority(LAST)
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every page and file of every campaign.

        Raises:
            PluginError: when there is no campaign to show, or an error in one and the build is strict.
        """
        if self._nested:
            return files
        rendered = self.campaigns.render(files, config, self.config)
        assert self.campaigns.site is not None
        self._written.begin(self.campaigns.site, project_of(config))
        if self.partial or self._dirty:
            titles = self._written.titles if self.partial else None
            leave_written_pages(files, config, titles, self._written.outdated())
        for file in files.media_files() if self._is_single else ():
            files.remove(file)
        frame = None if self._has_site_look(config) else guest.framed
        self._generated = add_pages(
            rendered, files, config, cache=self.campaigns.cache, frame=frame
        )
        self._bodies = {file.src_uri: file.finished for file in self._generated if file.is_page}
        if not self._is_single:
            # A desk takes any letter; while serving, so does every page.
            every = self._serving or self.campaigns.desk_files or self.campaigns.scope.others.cards
            theme.add_assets(
                files, config, None if every else rendered, whole=self._has_site_look(config)
            )
        add_desk(self.campaigns.desk_files, files, config)
        if self._serving:
            # MkDocs leaves files of pages that are gone.
            for uri in self._last_files.keys() - files.src_uris.keys():
                Path(self._last_files[uri].abs_dest_path).unlink(missing_ok=True)
            self._last_files = {**files.src_uris}
        return files

    @event_priority(LAST)
    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Remember the navigation, to lead to the campaigns when their titles may be told."""
        self._nav = nav
        return nav

    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Draw the play examples of a hand-written page, and keep their places in it."""
        if page.file.src_uri in self._bodies:
            return markdown
        return self._written.draw_examples(markdown, page)

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Fill in what a hand-written page asks for: its play examples, the cards of all campaigns, the desk."""
        self.campaigns.progress.step("pages read", len(self._bodies))
        if page.file.src_uri in self._bodies:
            return html
        dress = None if self._has_site_look(config) else guest.in_our_style
        filled = self._written.fill(html, page, dress)
        return guest.dressed(filled, page.url) if dress and filled != html else filled

    @event_priority(LAST)
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Name the pages that need no rebuild as well, and lead to the campaigns.

        Raises:
            PluginError: when a play example on a page is not right.
        """
        site, errors = self.campaigns.site, self._written.errors
        assert site is not None
        for message in errors:
            log.error(message)
        if errors and not self._serving:
            raise PluginError(f"chronicle: {plural(len(errors), 'error')} in play examples")
        for file in self._generated:
            if isinstance(file.page, FinishedPage):
                file.page.name_it()
        if self._has_site_look(config):
            fallen = self.campaigns.scope.others.fallen
            env.globals.update(theme.globals_of(site, fallen, roots_of(files)))
        elif self._nav is not None:
            guest.lead_to_campaigns(self._nav, site, files, self._bodies.keys())
        if not self._nested:
            self._pages = [file.url for file in files.documentation_pages()]
            self.campaigns.progress.stage()
        return env.overlay(bytecode_cache=self._compiled) if self._serving else env

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the theme the navigation of the campaign that a page belongs to."""
        finished, site = self._bodies.get(page.file.src_uri), self.campaigns.site
        if site is None or (finished is None and not self._has_site_look(config)):
            return context
        variables: dict[str, Any] = {}
        if finished is not None:
            variables |= {"above": Markup(finished.above), "below": Markup(finished.below)}
        library = site.library
        if library.desk:
            variables["chronicle_desk"] = "desk/index.html"
        if config.site_url:
            variables["chronicle_image"] = library.first.share if library.first else ""
            if self._is_single or any(card.evenings for card in library.campaigns):
                variables["chronicle_feed"] = FEED
        context.update(variables)  # type: ignore[typeddict-item]
        return context

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Remember which pages this build has made, and complete those of ours."""
        self._built_urls.add(page.file.url)
        self.campaigns.progress.step("pages written", len(self._pages))
        finished = self._bodies.get(page.file.src_uri)
        if finished is None:
            return output
        if self._has_site_look(config):
            return theme.without_indents(output, finished.html)
        return guest.completed(output, finished, page.url)

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Make search find every page, from a disk as well. It has written its index by now."""
        self._depth -= 1
        site = Path(config.site_dir)
        if not self._depth and not self._is_single:
            self.settings = settings_of(config)
            if self._serving:
                self._search.complete(site, self._built_urls, self._pages)
                for file in self._generated:
                    file.note_written()
            if self.campaigns.scope.others.words:
                add_entries(site, self.campaigns.scope.others.words)
            if self._has_site_look(config) and not config.use_directory_urls:
                look.write_offline_index(site)
            if not self._serving:
                # Chronicle may replace a site that MkDocs built.
                mark(site)
        self._end()

    def on_build_error(self, *, error: Exception) -> None:
        """Leave nothing on the line where the error is told."""
        self._depth = 0
        self._end()

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Watch the campaigns and the project's templates."""
        for folder in (self.sessions_of(config), project_of(config) / "templates"):
            if folder.is_dir():
                server.watch(str(folder))
        return server

    def sessions_of(self, config: MkDocsConfig) -> Path:
        """The folder with the campaigns."""
        return project_of(config) / self.config.sessions

    def limit(self, scope: Scope, config: MkDocsConfig | None = None) -> None:
        """Choose the campaigns of the next builds. Where it is one alone, nothing else is built."""
        self.partial = scope.only is not None
        if self.partial and config is not None:
            # Templates are kept for a project that is still there; the same may lie elsewhere as well.
            settings = f"{settings_of(config)} {project_of(config).resolve()}"
            if self.settings != settings:
                self.settings, self._env = settings, None
                self._written.titles.clear()
            self._written.forget()
        self.campaigns.limit(scope)

    @property
    def addresses(self) -> list[str]:
        """Where the pages of the campaign that was built alone lie, where the site's own address is known."""
        pages = (file.page for file in self._generated)
        return [page.canonical_url for page in pages if page and page.canonical_url]

    @property
    def _is_single(self) -> bool:
        """Whether nothing but one campaign is built."""
        return self.campaigns.scope.only is not None

    @property
    def _nested(self) -> bool:
        return self._depth > 1

    def _has_site_look(self, config: MkDocsConfig) -> bool:
        """Whether the whole site has Chronicle's look."""
        return self.config.look == "site" and config.theme.name == theme.MATERIAL

    def _end(self) -> None:
        """Leave nothing behind of a build that is over."""
        self.campaigns.progress.end()
        if not self._serving:
            self._relaxed.close()
        # While serving, cycles are collected between builds.
