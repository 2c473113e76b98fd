"""The MkDocs plugin: ``plugins: [search, chronicle]`` puts every campaign of a project on the site.

It is thin. Pages are made by ``publish.py`` from Books; this module hands them to MkDocs
as virtual files and swaps their bodies in after Markdown has run, because Markdown is slow on HTML that
needs nothing of it. While serving, only what changed is built again.

Other plug-ins run what they find in Markdown, titles and front matter as templates, and players write
titles. So until every page has been read, a page of a campaign has no Markdown, no front matter and a
placeholder for its title, and hand-written pages keep a comment where stories and play examples belong.
"""

from __future__ import annotations

import hashlib
import logging
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property, wraps
from io import StringIO
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar
from urllib.parse import quote, urljoin

from markupsafe import Markup
from mkdocs.commands.build import build
from mkdocs.config import config_options as c
from mkdocs.config import load_config
from mkdocs.config.base import Config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File

from chronicle.core.corpus import Figures, figures_of
from chronicle.core.diagnostic import Severity, count_severities, plural
from chronicle.core.output import OutputRefused, mark
from chronicle.examples import Examples, Filled
from chronicle.game_files import browser_files
from chronicle.publish import (
    NOBODY,
    Others,
    Shelf,
    Site,
    fault_told,
    keep_off,
    make_site,
    problems_said,
    reference_pages,
    relaxed_gc,
)
from chronicle.site import device, look
from chronicle.site.binding.forms import FORMS
from chronicle.site.binding.manuscript import NoBook
from chronicle.site.cards import Card, card_of
from chronicle.site.device import Handed
from chronicle.site.draw import worded
from chronicle.site.files import SiteFile, digest_of, front_matter
from chronicle.site.news import FILE as FEED
from chronicle.site.progress import Progress
from chronicle.site.search import Part, SearchIndex, add_entries, hold_titles, parts_of
from chronicle.site.serving import guard
from chronicle.site.share import can_draw

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page
    from mkdocs.theme import Theme
    from mkdocs.utils.templates import TemplateContext

    from chronicle.desk.device import FirstAnswers

P = ParamSpec("P")
T = TypeVar("T")

log = get_plugin_logger(__name__)

POLLING = 0.15
"""Seconds between two looks at the campaigns' files while serving."""
SESSIONS = "sessions"
"""Where campaigns lie, unless a project says otherwise."""
WITHHELD = "Chronicle"
"""The title of every page of a campaign while other plug-ins may still evaluate it."""
HEAD = 500
"""How many bytes of a page that somebody wrote are its head: front matter and title."""


class ChronicleConfig(Config):  # type: ignore[no-untyped-call]
    """The plugin's settings in ``mkdocs.yml``."""

    sessions = c.Type(str, default=SESSIONS)
    """The folder with the campaigns, relative to ``mkdocs.yml``."""
    through = c.Optional(c.Type(int))
    """Show every campaign only up to this session."""
    begin = c.Type(str, default="")
    """The folder of the campaign that readers are to begin with; by default, a finished one."""
    reference = c.Type(bool, default=True)
    """Whether the rules of the games are pages of the site."""
    book = c.ListOfItems(c.Choice(tuple(kind[1:] for kind in FORMS)), default=["epub"])
    """The kinds of book that readers may take each story along as."""
    desk = c.Optional(c.Type(bool))
    """Whether the site has a desk; by default, where Python for browsers is installed."""


Inside = tuple[bytes | str, str, str]
"""What is in a generated file, and the campaign's navigation that stands on the page and not in its body."""


class Made(File):
    """A generated file that knows whether its content is what was built last."""

    built: Mapping[str, Inside]
    inside: Inside

    def is_modified(self) -> bool:
        """Whether the content differs from what stands in the built site."""
        return self._differs

    @cached_property
    def _differs(self) -> bool:
        # MkDocs asks before it reads a page and again before it writes it.
        return self.built.get(self.src_uri) != self.inside or not Path(self.abs_dest_path).is_file()


def ours(hook: Callable[P, T]) -> Callable[P, T]:
    """A hook of the plugin whose time is counted as Chronicle's own."""

    @wraps(hook)
    def timed(*args: P.args, **more: P.kwargs) -> T:
        plugin = args[0]
        assert isinstance(plugin, ChroniclePlugin)
        start = perf_counter()
        try:
            return hook(*args, **more)
        finally:
            plugin.spent += perf_counter() - start

    return timed


class ChroniclePlugin(BasePlugin[ChronicleConfig]):  # type: ignore[no-untyped-call]
    """Chronicle in MkDocs."""

    def __init__(self) -> None:
        self.through: int | None = None
        """Up to which session the command line wants to see every campaign; wins over the setting."""
        self.only: tuple[Path, str] | None = None
        """The one campaign that gets pages now, and where; all else on the site is there already, or comes
        later."""
        self.undone = ""
        """Why that campaign is not even tried, if it is not."""
        self.desk_later = False
        """Whether the site that it becomes a part of will have a desk."""
        self.others: Others = NOBODY
        """The campaigns that have their pages already, for a site that is all but these."""
        self._site: Site | None = None
        self._bodies: dict[str, SiteFile] = {}
        self._shelf = Shelf()
        self._data: device.Data | None = None
        """What the desk runs on: it stays what it is as long as one build follows another."""
        self._begun: dict[str, bytes] = {}
        """What the desk answers first about campaigns, by what they are called there."""
        self._asked: FirstAnswers | None = None
        """Who answered so, where one build follows another."""
        self._at_desk: list[tuple[str, Path | bytes]] = []
        """The files of the desk."""
        self._built: dict[str, Inside] = {}
        self._serving = False
        self._settings = ""
        self._filled: dict[str, str] = {}
        self._search = SearchIndex()
        self._pages: list[str] = []
        self._again: set[str] = set()
        self._titles: dict[str, tuple[str, Mapping[str, Any]]] = {}
        """The titles of the pages that somebody wrote, and what stands at their heads."""
        self._env: Environment | None = None
        """The theme's templates, while campaigns are built one after the other."""
        self._examples: Examples | None = None
        self._drawn: dict[str, Filled] = {}
        """The play examples of the pages that are being read."""
        self._quoting: set[str] = set()
        """The pages that quote from sessions."""
        self._wrong: list[str] = []
        self._reported: dict[str, str] = {}
        """What the last build said of the problems in each campaign, by the campaign's address."""
        self._made: list[Made] = []
        self._placed: dict[str, File] = {}
        """What the site held the last time."""
        self.spent = 0.0
        """The seconds of the last build that were not MkDocs's own."""
        self.made = 0
        """How many pages the last build has made."""
        self._progress = Progress()
        self._relaxed = ExitStack()
        """What is set for the time of a build alone."""

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Having this, the plugin lives on from build to build while MkDocs serves."""
        self._serving = command == "serve"
        if self._serving:
            self._shelf.residents = {}

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put the look in place.

        Raises:
            PluginError: when the site would go where the files are that it is made of, or when what binds
                a kind of book is missing.
        """
        self.spent, self.made = 0.0, 0
        self._again.clear()
        self._progress.begin()
        self._relaxed.close()
        # Nearly all that is made from here on is needed until every page is written.
        self._relaxed.enter_context(relaxed_gc())
        if not self._serving:
            _keep_off(config)
        try:
            for kind in self.config.book:
                FORMS[f".{kind}"].ready()
        except NoBook as error:
            raise PluginError(f"chronicle: {'; '.join((str(error), *error.help))}") from None
        look.install(config)
        if self.only is not None:
            self._spare(config.theme)
        search: Any = config.plugins.get("material/search")
        if search is not None and (self.only is not None or self.others is not NOBODY):
            # It lives on from build to build, and would take the pages of the last one for those of this.
            search.search_index_prev = None
        return config

    def _spare(self, theme: Theme) -> None:
        """Read no templates again from campaign to campaign, and make nothing that all of them share."""
        if self._env is None:
            # The look is in its place from here on.
            self._env = theme.get_env()
            self._env.list_templates = lambda *_, **__: []  # type: ignore[method-assign]
        env = self._env
        theme.get_env = lambda: env  # type: ignore[method-assign]
        theme.static_templates = set()

    @ours
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every page and file of every campaign.

        Raises:
            PluginError: when there is no campaign to show.
        """
        project = _project(config)
        folder = project / self.config.sessions
        if not folder.is_dir():
            lacking = f"there is no folder '{self.config.sessions}' with campaigns"
            if self.config.sessions != SESSIONS:
                raise PluginError(f"chronicle: {lacking}")
            # The site of a rule book may have play examples alone.
            log.info("%s: play examples and rules alone", lacking)
        have = set(files.src_uris)
        self._site = make_site(
            folder,
            project=project,
            folders=config.use_directory_urls,
            through=self.config.through if self.through is None else self.through,
            begin=self.config.begin,
            reference=self.config.reference,
            books=tuple(f".{kind}" for kind in self.config.book),
            shelf=self._shelf,
            taken=taken(files),
            url=config.site_url or "",
            only=self.only,
            undone=self.undone,
            others=self.others,
            warn=log.warning,
            told=log.info,
            drawn=lambda: self._progress.step("pages drawn"),
        )
        made_files = [*self._site.files(), *_reference(config), *self._feed(config)]
        for problem in self._site.problems:
            log.warning(problem)
        self._report_errors(project, strict=config.strict)
        self._examples = Examples(self._site.studio, project)
        self._examples.lend(self._site.campaigns)
        self._wrong = []
        if not self._site.late or not self._at_desk:
            self._at_desk = [*self._desk()]
        desk = self._at_desk
        self._site.library.desk = bool(desk) or self.desk_later
        self._progress.stage()
        before, self._bodies, self._made = self._bodies, {}, []
        for uri, filled in self._filled.items():
            asking = files.get_file_from_path(uri)
            if asking is not None and filled != self._site.library.filling(uri):
                asking.is_modified = _always  # type: ignore[method-assign]
        for uri in self._quoting:
            quoting = files.get_file_from_path(uri)
            if quoting is not None:
                quoting.is_modified = _always  # type: ignore[method-assign]
        for made in made_files:
            uri = made.path if made.data is not None else f"{made.path}.md"
            if uri in have:
                continue  # what somebody wrote by hand stands
            have.add(uri)
            content: bytes | str
            if made.data is not None:
                content = made.data
            elif before.get(uri) is made and uri in self._built:
                content = self._built[uri][0]
            else:
                content = _stub(made)
            file = Made.generated(config, uri, content=content)
            assert isinstance(file, Made)
            file.built, file.inside = self._built, (content, made.above, made.below)
            files.append(file)
            self._made.append(file)
            if made.data is None:
                self._bodies[uri] = made
        for file in look.asset_files(config) if self.only is None else ():
            files.append(file)
        for uri, held in desk:
            if isinstance(held, bytes):
                files.append(File.generated(config, uri, content=held))
            else:
                files.append(File.generated(config, uri, abs_src_path=str(held)))
        if self._serving:
            # MkDocs leaves what is no longer a page of the site.
            for uri in self._placed.keys() - files.src_uris.keys():
                Path(self._placed[uri].abs_dest_path).unlink(missing_ok=True)
            self._placed = {**files.src_uris}
        if self.only is not None:
            self._leave_out_the_rest(files, {uri for uri, _ in desk})
        return files

    def _report_errors(self, project: Path, *, strict: bool) -> None:
        """Log what the check finds in each campaign that is new or changed since the last build.

        Raises:
            PluginError: when there is an error and the build is ``strict``. While serving, and where campaigns are
                built one by one, the build goes on: whoever asked for it sees the log.
        """
        assert self._site is not None
        before, self._reported = self._reported, {}
        errors = campaigns = 0
        for volume in self._site.campaigns:
            record = volume.record
            found = count_severities(record.diagnostics)
            errors += found[Severity.ERROR]
            campaigns += bool(found[Severity.ERROR])
            self._reported[volume.folder] = said = problems_said(record, project)
            if said and before.get(volume.folder) != said:
                log.log(logging.ERROR if found[Severity.ERROR] else logging.INFO, said)
        if errors and strict and not self._serving and self.only is None:
            where = plural(campaigns, "campaign")
            raise PluginError(f"chronicle: {plural(errors, 'error')} in the logs of {where}")

    def _feed(self, config: MkDocsConfig) -> Iterator[SiteFile]:
        """The feed of all campaigns, where the site's address is known, and what to say if its links are
        shown without pictures."""
        assert self._site is not None
        if not config.site_url:
            return
        feed = self._site.library.feed(config.site_url, config.site_name)
        if feed is not None:
            yield SiteFile(FEED, data=feed)
        if not can_draw():
            log.info(
                "links to this site are shown without a picture: pip install "
                "'chronicle-tabletop[cards]' brings what draws it"
            )

    def _leave_out_the_rest(self, files: Files, more: set[str]) -> None:
        """Let nothing be made but the pages of a campaign, and, the first time, those that somebody wrote, which
        name themselves in the navigation of all."""
        assert self._site is not None
        made = self._site.made
        mine = {one.path if one.data is not None else f"{one.path}.md" for one in made} | more
        for file in files:
            written = file.is_documentation_page() and not isinstance(file, Made)
            known = not written or file.src_uri in self._titles
            if file.src_uri not in mine and known:
                file.is_modified = _never  # type: ignore[method-assign]

    def take(
        self, campaign: Path, at: str, config: MkDocsConfig, undone: str = "", *, desk: bool = False
    ) -> None:
        """Make the pages of this campaign alone in the next build, at this address, and forget those made
        before. ``undone``: there is but one, which says why; ``desk``: the site will have one."""
        self.only, self.undone, self.others = (campaign, at), undone, NOBODY
        # How many campaigns are done says whoever has them made.
        self._progress = Progress(StringIO())
        self.desk_later = desk
        # Templates are kept for a project that is still there; the same may lie elsewhere as well.
        settings = f"{settings_of(config)} {_project(config).resolve()}"
        if self._settings != settings:
            self._settings, self._env = settings, None
            self._titles.clear()
        if self._env is not None:
            # Other plugins read their words from templates before this one is asked.
            self._spare(config.theme)
        shelf = self._shelf
        self._shelf = Shelf(library=shelf.library, settings=shelf.settings, child=shelf.child)
        self._filled.clear()

    def lead_to(self, others: Others) -> None:
        """Make a site of all but the campaigns that have their pages already (in the next builds); of
        everything, if there are none."""
        self.only, self.undone, self.others, self.desk_later = None, "", others, False
        self._progress = Progress()

    @property
    def card(self) -> Card | None:
        """The campaign that was taken, as all others see it; None if it cannot be shown."""
        assert self._site is not None
        return next(map(card_of, self._site.campaigns), None)

    @property
    def addresses(self) -> list[str]:
        """Where the pages of the campaign that was taken lie, where the site's own address is known."""
        assert self.only is not None
        mine = [one for one in self._made if one.src_uri.startswith(f"{self.only[1]}/")]
        return [one.page.canonical_url for one in mine if one.page and one.page.canonical_url]

    @property
    def figures(self) -> Figures | None:
        """What the play of the campaign that was taken comes to; None if it cannot be shown."""
        assert self._site is not None
        return next((figures_of(volume.book) for volume in self._site.campaigns), None)

    def _desk(self) -> Iterator[tuple[str, Path | bytes]]:
        """The files of the desk, where it is wanted and what it runs on is here; of a campaign that is made
        alone, only what it gives to the desk of all."""
        assert self._site is not None
        known, self._begun = self._begun, {}

        def first(called: str, one: Handed) -> bytes:
            from chronicle.desk.device import FirstAnswers

            try:
                answers = known.get(called)
                if answers is None:
                    asked = self._asked or FirstAnswers()
                    answers = asked.of(one.id, one.content)
                    self._asked = asked if self._serving else None
            except Exception as error:
                self._asked = None
                # Whoever opens this one waits until Chronicle has begun; the others do not.
                log.warning(fault_told(f"{self.config.sessions}/{one.folder}", error))
                answers = b"{}"
            self._begun[called] = answers
            return answers

        if self.only is not None:
            for one in self._site.handed() if self.desk_later else ():
                yield from device.apart(one, first)
            return
        if self.config.desk is False:
            return
        try:
            data = self._data if self._serving and self._data else self._desk_data()
            self._data = data
        except device.Missing:
            say = log.warning if self.config.desk else log.info
            say(
                "this site has no desk: pip install 'chronicle-tabletop[desk]' brings what it runs on"
            )
            return
        if not data.ours:
            log.info(
                "the desk opens slowly: chronicle-desk-data belongs to another version of Chronicle"
            )
        yield from device.files(data, self._site.handed(), first, self.others.desk)

    def _desk_data(self) -> device.Data:
        """What the desk of the site runs on, game plug-ins included."""
        return device.Data(browser_files(log.warning))

    @ours
    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Give pages their titles, so that those that need no rebuild have one as well."""
        for page in nav.pages:
            uri = page.file.src_uri
            if uri in self._bodies:
                page.title = WITHHELD
            elif self._settings and uri in self._titles and not page.file.is_modified():
                page.title, page.meta = self._titles[uri][0], dict(self._titles[uri][1])
        return nav

    @ours
    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> Page:
        """Let a page whose body is ready be taken as it is."""
        made = self._bodies.get(page.file.src_uri)
        if made is not None and made.html:
            _ready(page, made)
        return page

    @event_priority(-100)
    @ours
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Give the pages of campaigns their titles and front matter.

        Raises:
            PluginError: when a play example on a page is not right.
        """
        env.globals["word"] = worded
        for said in self._wrong:
            log.error(said)
        if self._wrong and not self._serving:
            raise PluginError(f"chronicle: {plural(len(self._wrong), 'error')} in play examples")
        for file in self._made:
            made = self._bodies.get(file.src_uri)
            if made is not None and file.page is not None:
                file.page.title = str(made.meta.get("title", made.title))
                file.page.meta = dict(made.meta)
        hold_titles(getattr(config.plugins.get("material/search"), "search_index", None))
        self._read_for_search(config)
        assert self._site is not None
        lost = self._site.library.lost()
        # Of an archive the campaigns are no files of this build.
        elsewhere = {*(story["folder"] for story in lost["stories"]), *self.others.fallen}
        known = {at.partition("/")[0] for at in elsewhere} | taken(files) - {""}
        env.globals["chronicle_lost"] = {**lost, "known": sorted(known)}
        self._pages = [file.url for file in files.documentation_pages()]
        self._progress.stage()
        return env

    def _read_for_search(self, config: MkDocsConfig) -> None:
        """Let the search of the theme take what is found on our pages from us: its own parser needs as long
        for them as all else that MkDocs does."""
        search = config.plugins.get("material/search")
        index = getattr(search, "search_index", None)
        if index is None or not hasattr(index, "create_entry_for_section"):
            return
        by_itself = index.add_entry_from_context

        @ours
        def parts(plugin: ChroniclePlugin, page: Page) -> list[Part] | None:
            made = plugin._bodies.get(page.file.src_uri)
            known = made is not None and (made.markdown or page.content == made.html)
            return parts_of(page.content or "") if known else None

        def add(page: Page) -> None:
            found = parts(self, page) if not page.meta.get("search") else None
            if found is None:
                by_itself(page)
            for part in found or ():
                if not part.excluded:
                    index.create_entry_for_section(part, page.toc, page.url, page)

        index.add_entry_from_context = add

    @ours
    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Draw the play examples of a hand-written page, and keep their places in it."""
        if self._site is None:
            return markdown
        made = self._bodies.get(page.file.src_uri)
        if made is None:
            return self._play(markdown, page)
        page.edit_url = _edit_url(made, config)
        return markdown

    def _play(self, markdown: str, page: Page) -> str:
        """Draw the play examples of a page, and take down what is wrong with them."""
        assert self._examples is not None
        uri, source = page.file.src_uri, page.file.abs_src_path
        whole = (
            Path(source).read_text(encoding="utf-8-sig", errors="replace") if source else markdown
        )
        above = whole[: max(whole.find(markdown), 0)].count("\n")
        filled = self._examples.fill(markdown, uri.removesuffix(".md"), above)
        if filled.files:
            self._quoting.add(uri)
        for one in filled.wrong:
            said = f"{uri}:{one.line}: {one.words}"
            if one.error:
                self._wrong.append(said)
            else:
                log.warning(said)
        self._drawn[uri] = filled
        return filled.markdown

    @ours
    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Swap in the body of a generated page, and what a hand-written page asks for: its play examples, the
        cards of all campaigns, how it works."""
        self._progress.step("pages read", len(self._bodies))
        uri = page.file.src_uri
        made = self._bodies.get(uri)
        if made is not None:
            return made.html or html
        if page.title is not None:
            self._titles[uri] = str(page.title), page.meta
        if self._site is None:
            return html
        filled = self._site.library.fill(html, uri)
        if filled != html:
            self._filled[uri] = self._site.library.filling(uri)
        drawn = self._drawn.pop(uri, None)
        return drawn.put_into(filled) if drawn is not None else filled

    @ours
    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the theme the navigation of the campaign that a page belongs to."""
        made = self._bodies.get(page.file.src_uri)
        around = {"above": made.above, "below": made.below} if made is not None else {}
        if self._site is not None and self._site.library.desk:
            around["chronicle_desk"] = "desk/index.html"
        if self._site is not None and config.site_url:
            library = self._site.library
            around["chronicle_image"] = library.first.share if library.first else ""
            if self.only is not None or any(card.evenings for card in library.campaigns):
                around["chronicle_feed"] = FEED
        context.update({name: Markup(html) for name, html in around.items()})  # type: ignore[typeddict-item]
        return context

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Remember which pages this build has made."""
        self._again.add(page.file.url)
        self.made += 1
        self._progress.step("pages written", len(self._pages))
        return output

    @event_priority(-100)
    @ours
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Make search find every page, from a disk as well. It has written its index by now."""
        if self.only is not None:
            self._end()
            return
        self._settings = settings_of(config)
        if self._serving:
            self._search.complete(Path(config.site_dir), self._again, self._pages)
            self._built = {file.src_uri: file.inside for file in self._made}
        if self.others.words:
            add_entries(Path(config.site_dir), self.others.words)
        look.write_offline_index(config)
        if not self._serving:
            # What is built by MkDocs itself may be built again by Chronicle.
            mark(Path(config.site_dir))
        self._end()

    def on_build_error(self, *, error: Exception) -> None:
        """Leave nothing on the line where the error is told."""
        self._end()

    def _end(self) -> None:
        """Leave nothing behind of a build that is over."""
        self._progress.end()
        if not self._serving:
            self._relaxed.close()
        # Else cycles are collected when nobody waits for a build.

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Watch the campaigns and the project's templates, and build only what changed; answer nobody
        who comes by another name.

        A change of ``mkdocs.yml`` or of a template builds everything, as MkDocs does by itself.
        """
        building = Lock()

        def asked(address: str) -> None:
            # Whatever is being built is older than what is there afterwards.
            if self.taken(address):
                with building:
                    self.complete(config)

        guard(server, asked)
        project = _project(config)
        # What is watched from here on is looked at more often than MkDocs's own folders.
        server.observer._timeout = POLLING
        for folder in (project / self.config.sessions, project / "templates"):
            if folder.is_dir():
                server.watch(str(folder))

        def rebuild() -> None:
            with building:
                if settings_of(config) != self._settings:
                    self._built.clear()
                    builder()
                else:
                    self.rebuild(config)

        server.builder = rebuild
        return server

    def pages(self) -> Iterable[tuple[str, SiteFile]]:
        """The pages of the last build that are made of campaigns: where each lies among the others, and it."""
        return self._bodies.items()

    def taken(self, address: str) -> bool:
        """Whether somebody who looks for an address of the site takes what may wait until then."""
        site = self._site
        return site is not None and (address.startswith(f"{device.AT}/") or site.taken(address))

    @property
    def late(self) -> bool:
        """Whether anything waits so."""
        return self._site is not None and self._site.late

    def complete(self, config: MkDocsConfig) -> None:
        """Make what has waited until somebody takes it: downloads, books, and what the desk is told."""
        if not self.late:
            return
        self._shelf.asked = True
        try:
            self.rebuild(config)
        finally:
            self._shelf.asked = False

    def rebuild(self, config: MkDocsConfig) -> None:
        """Build what changed of a site that has been built with this configuration."""
        again = load_config(
            config.config_file_path,
            site_dir=config.site_dir,
            strict=config.strict,
            use_directory_urls=config.use_directory_urls,
        )
        again.site_url = config.site_url
        with Quiet():
            build(again, serve_url=config.site_url or "/", dirty=True)


class Quiet(logging.Filter):
    """MkDocs warns that builds of changed pages alone may be inaccurate; ours know what changed."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "'dirty' build" not in record.getMessage()

    def __enter__(self) -> None:
        logging.getLogger("mkdocs.commands.build").addFilter(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger("mkdocs.commands.build").removeFilter(self)


def _always() -> bool:
    return True


def _never() -> bool:
    return False


def taken(files: Files) -> set[str]:
    """What lies at the root of the hand-written pages, a page or a folder."""
    return {uri.partition("/")[0].partition(".")[0] for uri in files.src_uris}


def _project(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path or "mkdocs.yml").parent


def _keep_off(config: MkDocsConfig) -> None:
    """MkDocs empties the folder of the site before it builds.

    Raises:
        PluginError: when something would be lost that nobody can build again.
    """
    project = _project(config)
    try:
        # MkDocs looks after the folder of its own pages by itself.
        keep_off(Path(config.site_dir), project, emptied=True)
    except OutputRefused as error:
        raise PluginError(f"chronicle: {error}; name another folder for the site") from None


def settings_of(config: MkDocsConfig) -> str:
    """A hash of what every page depends on: the settings, the project's templates and theme, and which
    pages somebody wrote, with their heads, since every page may name them in its navigation. It is the same
    wherever the project lies."""
    digest = hashlib.sha256()
    project = _project(config)
    files = [Path(config.config_file_path)] if config.config_file_path else []
    for folder in (project / "templates", *(Path(d) for d in [config.theme.custom_dir] if d)):
        files += sorted(file for file in folder.rglob("*") if file.is_file())
    for file in files:
        if file.is_file():
            digest.update(f"\0{_within(file, project)}\0".encode())
            digest.update(file.read_bytes())
    for file in sorted(Path(config.docs_dir).rglob("*.md")):
        digest.update(f"\0{_within(file, project)}\0".encode())
        with file.open("rb") as stream:
            digest.update(stream.read(HEAD))
    return digest.hexdigest()


def _within(file: Path, project: Path) -> str:
    """A file by where it lies in the project, if it does."""
    there, home = file.resolve(), project.resolve()
    return (there.relative_to(home) if there.is_relative_to(home) else there).as_posix()


def _reference(config: MkDocsConfig) -> list[SiteFile]:
    """The reference pages, if the site's navigation asks for them."""
    asked = str(config.nav or "")
    if "format.md" not in asked and "commands.md" not in asked:
        return []
    return [page for page in reference_pages() if f"{page.path}.md" in asked or "/" in page.path]


def _edit_url(made: SiteFile, config: MkDocsConfig) -> str | None:
    """Where the file that a page comes from can be edited, if the project says where it lives."""
    if not made.source or not config.repo_url or not config.edit_uri:
        return None
    project = _project(config).resolve()
    source = (project / made.source).resolve()
    if not source.is_relative_to(project):
        return None
    docs = posixpath.relpath(Path(config.docs_dir).resolve().as_posix(), project.as_posix())
    inside = posixpath.relpath(source.relative_to(project).as_posix(), docs)
    return urljoin(config.repo_url.rstrip("/") + "/", config.edit_uri + quote(inside))


def _ready(page: Page, made: SiteFile) -> None:
    """Let a page whose body is ready be taken as it is: there is no Markdown in it, and its title and front
    matter come later."""

    def read_source(config: MkDocsConfig) -> None:
        page.title, page.markdown, page.meta = WITHHELD, "", {}

    def render(config: MkDocsConfig, files: Files) -> None:
        page.content = made.html

    page.read_source = read_source  # type: ignore[method-assign]
    page.render = render  # type: ignore[method-assign]


def _stub(made: SiteFile) -> str:
    """The source of a generated page: Markdown if it is written so. A page with a ready body has its hash
    here instead, so that a change is a change of the file and no text of it is a source."""
    head = front_matter(made.meta)
    if made.html:
        return f"<!-- {made.digest or digest_of(made.html)} {digest_of(head)} -->\n"
    # The anchors of its headings ({#t1}) are comments to macros.
    head = front_matter({**made.meta, "render_macros": False})
    return f"{head}\n{made.markdown}"
