"""The MkDocs plugin: ``plugins: [search, chronicle]`` puts every campaign of a project on the site.

It is thin. Chronicle renders the pages (``publish.py``); this module hands them to MkDocs as generated files
through its public hooks.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger

from chronicle.adapters import guest, theme
from chronicle.adapters.campaigns import Campaigns, Scope
from chronicle.adapters.config import ChronicleConfig, project_of, require_binders
from chronicle.adapters.desk import add_desk
from chronicle.adapters.pages import (
    FinishedPage,
    GeneratedFile,
    add_pages,
    leave_out_logs,
    leave_written_pages,
    remove_gone,
)
from chronicle.adapters.search import Search
from chronicle.adapters.settings import keep_site_off, roots_of, settings_digest
from chronicle.adapters.written import WrittenPages
from chronicle.core.output import mark_all_files
from chronicle.publish import relaxed_gc
from chronicle.site.files import SiteFile

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page
    from mkdocs.utils.templates import TemplateContext

log = get_plugin_logger(__name__)

FIRST = 110
"""The place of a hook that comes before other plug-ins."""
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
        self._theme = theme.ThemeKeeper()
        self._assets = theme.Assets()
        self._compiled = theme.CompiledTemplates()
        self._search = Search()
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
        self.campaigns.set_serving(self._serving)

    @event_priority(FIRST)
    def _put_theme_back(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put back the theme of the last build, whose templates are read, before other plug-ins ask for them."""
        if self.partial and not self._depth:
            self._theme.put_back(config)
        return config

    def _dress(self, config: MkDocsConfig) -> MkDocsConfig:
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
        if self.partial:
            self._theme.keep(config, static=not self._is_single)
        elif self._serving:
            self._theme.forget()
        return config

    on_config = CombinedEvent(_put_theme_back, _dress)

    @event_priority(LAST)
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every page and file of every campaign.

        Raises:
            PluginError: when there is no campaign to show, or an error in one and the build is strict.
        """
        is_quiet = self._nested or self._is_single
        warn: Callable[[str], object] = (lambda warning: None) if is_quiet else log.warning
        leave_out_logs(files, config, self.sessions_of(config), warn=warn)
        if self._nested:
            return files
        is_guest = not self._has_site_look(config)
        rendered = self.campaigns.render(files, config, self.config, guest=is_guest)
        self._written.begin(self.campaigns.rendered_site, project_of(config))
        if self.partial or self._dirty:
            titles = self._written.titles if self.partial else None
            leave_written_pages(files, config, titles, self._written.outdated_pages())
        for file in files.media_files() if self._is_single else ():
            files.remove(file)
        frame = guest.frame_page if is_guest else theme.frame_page
        self._generated = add_pages(
            rendered,
            files,
            config,
            cache=self.campaigns.cache,
            frame=frame,
            in_nav=not is_guest,
            warn=log.warning,
        )
        self._bodies = {file.src_uri: file.finished for file in self._generated if file.is_page}
        if not self._is_single:
            if not is_guest:
                theme.leave_out_source_maps(files, config)
            # A desk takes any letter; while serving, so does every page.
            every = (
                self._serving
                or self.campaigns.desk_files
                or self.campaigns.scope.other_campaigns.cards
            )
            shown = None if every else rendered
            self._assets.add_to(
                files, config, shown, takes_whole_site=not is_guest, unchanged=self.partial
            )
        add_desk(self.campaigns.desk_files, files, config)
        if self._serving:
            remove_gone(self._last_files, files)
            self._last_files = {**files.src_uris}
        return files

    @event_priority(LAST)
    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Remember the navigation, to add the campaigns when their titles are known."""
        self._nav = nav
        if self._has_site_look(config):
            theme.give_parents(nav, files)
        return nav

    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Draw the play examples of a hand-written page, and keep their places in it."""
        is_ours = page.file.src_uri in self._bodies
        return markdown if is_ours else self._written.draw_examples(markdown, page)

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Fill in what a hand-written page asks for: its play examples, the cards of all campaigns, the desk."""
        self.campaigns.progress.count_item("pages read", len(self._bodies))
        own_page = self._bodies.get(page.file.src_uri)
        if own_page is None or own_page.markdown:
            self._search.read_page(html, page)
        if own_page is not None:
            return html
        dress = None if self._has_site_look(config) else guest.in_our_style
        filled = self._written.fill(html, page, dress)
        return (
            guest.with_styles_and_scripts(filled, page.url) if dress and filled != html else filled
        )

    @event_priority(LAST)
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Name the pages that need no rebuild as well, and lead to the campaigns.

        Raises:
            PluginError: when a play example on a page is not right.
        """
        site = self.campaigns.rendered_site
        self._written.report_errors(log.error, stop=not self._serving)
        for file in self._generated:
            if isinstance(file.page, FinishedPage):
                file.page.set_title_and_meta()
        if self._has_site_look(config):
            fallen = self.campaigns.scope.other_campaigns.failed_campaigns
            env.globals.update(theme.template_globals(site, fallen, roots_of(files)))
        elif self._nav is not None:
            guest.lead_to_campaigns(self._nav, site, files, self._bodies.keys(), config)
        if not self._nested:
            self._pages.clear()
            self.campaigns.progress.begin_stage()
        self._pages += [file.url for file in files.documentation_pages()]
        keeps = self._serving and not self.partial
        return env.overlay(bytecode_cache=self._compiled) if keeps else env

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the theme the navigation of the campaign that a page belongs to."""
        finished, site = self._bodies.get(page.file.src_uri), self.campaigns.site
        if site is None or (finished is None and not self._has_site_look(config)):
            return context
        context.update(theme.template_variables(site, finished, config, only_one=self._is_single))  # type: ignore[typeddict-item]
        return context

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Remember which pages this build has made, and complete those of ours."""
        self._built_urls.add(page.file.url)
        self.campaigns.progress.count_item("pages written", len(self._pages))
        finished = self._bodies.get(page.file.src_uri)
        if finished is None:
            return output
        if not self._has_site_look(config):
            output = guest.complete_page(output, finished, page.url)
        return theme.without_indents(output, finished.html)

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write what the site is searched by. MkDocs has written its own index by now."""
        self._depth -= 1
        site = Path(config.site_dir)
        if not self._depth and not self._is_single:
            self.settings = settings_digest(config)
            if self._has_site_look(config):
                self._search.write_own(site, self.campaigns.rendered_site, self._pages)
            elif self._serving:
                self._search.complete_index(site, self._built_urls, self._pages)
            if self._serving:
                for file in self._generated:
                    file.note_written()
            else:
                # Chronicle may replace a site that MkDocs built.
                mark_all_files(site)
        self._end()

    def on_build_error(self, *, error: Exception) -> None:
        """Clear the progress line before the error is printed."""
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
        self.partial = scope.only_campaign is not None
        if self.partial and config is not None:
            # Templates are kept for a project that is still there; the same may lie elsewhere as well.
            settings = f"{settings_digest(config)} {project_of(config).resolve()}"
            changed, self.settings = self.settings != settings, settings
            self._written.forget(titles=changed)
            if changed:
                self._theme.forget()
        self.campaigns.limit(scope)

    @property
    def addresses(self) -> list[str]:
        """Where the pages of the campaign that was built alone lie, where the site's own address is known."""
        urls = (file.page.canonical_url for file in self._generated if file.page)
        return [url for url in urls if url]

    @property
    def _is_single(self) -> bool:
        """Whether nothing but one campaign is built."""
        return self.campaigns.scope.only_campaign is not None

    @property
    def _nested(self) -> bool:
        return self._depth > 1

    def _has_site_look(self, config: MkDocsConfig) -> bool:
        """Whether the whole site has Chronicle's look."""
        return self.config.look == "site" and config.theme.name == theme.MATERIAL

    def _end(self) -> None:
        """Leave nothing behind of a build that is over. While serving, cycles are collected between builds."""
        self.campaigns.progress.end()
        if not self._serving:
            self._relaxed.close()
