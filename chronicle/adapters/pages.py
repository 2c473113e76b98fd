"""Finished pages as MkDocs sees them: files and pages like any others, whose text no plug-in takes for a program.

Other plug-ins run what they find in Markdown, titles and front matter as templates, and players write titles. So
the source of a finished page is empty, and it gets its title and front matter when it is rendered.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents

from chronicle.adapters.settings import edit_url_of, titles_in_nav
from chronicle.publish import logs_among_pages
from chronicle.site.cache import BuildCache
from chronicle.site.files import SiteFile, digest_of, front_matter

PLACEHOLDER: Final = "Chronicle"
"""The title of a finished page until it is rendered."""
_ANCHOR: Final = re.compile(r'\sid="([^"]*)"')
_HEADING: Final = re.compile(r'<h([1-6])\b[^>]*?\sid="([^"]*)"[^>]*>(.*?)</h\1>', re.DOTALL)

ContentWithNavigation = tuple[bytes | str, str, str]
"""The content of a generated file, and the two parts of the campaign's navigation around its body."""
FileT = TypeVar("FileT", bound=File)


class GeneratedFile(File):
    """A generated file that is modified only if its content differs from the last build."""

    cache: BuildCache
    """It holds the content of every generated file in the last build."""
    content_with_navigation: ContentWithNavigation
    locale = ""
    locale_alternate_of = ""
    alternates: Mapping[str, File] = MappingProxyType({})
    """A plug-in for languages asks for these: the page has no language of its own and no translations. Without
    them its choice of languages would lead to those of the page before it."""
    finished: SiteFile
    """What Chronicle rendered."""

    @property
    def is_page(self) -> bool:
        """Whether it is a page of the site, and no plain file."""
        return self.finished.contents is None

    @classmethod
    def of(cls, file: SiteFile, config: MkDocsConfig, uri: str, cache: BuildCache) -> GeneratedFile:
        """The file for a page or a plain file of Chronicle's.

        Args:
            file: the page or file.
            config: MkDocs's configuration.
            uri: its path among the sources of the site.
            cache: what the last build wrote.
        """
        content = file.contents if file.contents is not None else source_of(file)
        generated = cls.generated(config, uri, content=content)
        assert isinstance(generated, GeneratedFile)
        generated.cache, generated.content_with_navigation = (
            cache,
            (content, file.html_above, file.html_below),
        )
        generated.finished = file
        return generated

    def is_modified(self) -> bool:
        """Whether the content differs from the last build."""
        return self._differs

    @cached_property
    def _differs(self) -> bool:
        # MkDocs asks before it reads a page and again before it writes it.
        cached = self.cache.find_result(("written", self.src_uri), self.content_with_navigation)
        return cached is None or not Path(self.abs_dest_path).is_file()

    def note_written(self) -> None:
        """Note that the file is written."""
        self.cache.keep_result(("written", self.src_uri), self.content_with_navigation, True)


class FinishedPage(Page):
    """A page whose body Chronicle has rendered already.

    Args:
        file: its file.
        config: MkDocs's configuration.
        finished: the page as Chronicle rendered it.
        edit_url: where its source can be edited, if that is known.
        title: the title that the site's navigation gives it, if it does.
    """

    def __init__(
        self,
        file: File,
        config: MkDocsConfig,
        finished: SiteFile,
        edit_url: str | None,
        title: str | None,
    ) -> None:
        super().__init__(None, file, config)
        self._finished = finished
        self._given_title = title
        self.title = PLACEHOLDER
        self.edit_url = edit_url

    def read_source(self, config: MkDocsConfig) -> None:
        """Take no text of the source: it holds a hash alone."""
        super().read_source(config)
        self.markdown, self.meta = "", {}

    def render(self, config: MkDocsConfig, files: Files) -> None:
        """Set the body, the headings in it, the title and the front matter."""
        body = self._finished.html
        self.content = body
        self.toc = table_of_contents(body)
        self.present_anchor_ids = {html.unescape(name) for name in _ANCHOR.findall(body)}
        self.set_title_and_meta()

    def set_title_and_meta(self) -> None:
        """Set the title and the front matter. Themes write both into HTML without escaping."""
        meta = dict(self._finished.meta)
        meta["title"] = str(escape(str(meta.get("title", self._finished.title))))
        self.title = meta["title"] if self._given_title is None else self._given_title
        self.meta = meta


def add_pages(
    rendered: Iterable[SiteFile],
    files: Files,
    config: MkDocsConfig,
    *,
    cache: BuildCache,
    frame: Callable[[SiteFile], SiteFile],
    in_nav: bool,
    warn: Callable[[str], object],
) -> list[GeneratedFile]:
    """Add Chronicle's pages and files to those of the site; a hand-written file at the same address wins.

    Args:
        rendered: the pages and files.
        files: the files of the site.
        config: MkDocs's configuration.
        cache: what the last build wrote.
        frame: readies a page for the look of the site.
        in_nav: whether a navigation that MkDocs makes by itself may lead to them.
        warn: told of each page or file that is left out.
    """
    added_files: list[GeneratedFile] = []
    titles = titles_in_nav(config.nav)
    own_files = {file.dest_uri: file for file in files}
    for page in rendered:
        uri = page.path if page.contents is not None else f"{page.path}.md"
        if page.html:
            page = frame(page)
        file = GeneratedFile.of(page, config, uri, cache)
        own_file = own_files.get(file.dest_uri)
        if own_file is not None:
            warn(address_taken_warning(own_file.src_uri, Path(config.docs_dir).name, file.url))
            continue
        if not in_nav:
            file.inclusion = InclusionLevel.NOT_IN_NAV
        if page.html:
            FinishedPage(file, config, page, edit_url_of(page, config), titles.get(uri))
        added_files.append(file)
        files.append(file)
    return added_files


def address_taken_warning(own_file: str, docs: str, address: str) -> str:
    """The warning about a hand-written file at the address of a page that Chronicle makes."""
    rules_hint = (
        ", or write 'reference: false' under 'chronicle:' in mkdocs.yml"
        if address.partition("/")[0].partition(".")[0] == "rules"
        else ""
    )
    return (
        f"{docs}/{own_file} has the address '{address}' of a page that Chronicle makes; your file stays, and that "
        f"page is left out: rename your file to have both{rules_hint}"
    )


def leave_out_logs(
    files: Files, config: MkDocsConfig, sessions: Path, *, warn: Callable[[str], object]
) -> None:
    """Leave logs among the hand-written files out of the site, which would show their secrets.

    Args:
        files: the files of the site.
        config: MkDocs's configuration.
        sessions: the folder with the campaigns, which may be among the pages.
        warn: told of each log that is left out and is not in the folder with the campaigns.
    """
    logs, warnings = find_logs(Path(config.docs_dir), sessions)
    for uri in logs:
        for file in [*files]:
            if file.src_uri == uri or file.src_uri.startswith(f"{uri}/"):
                files.remove(file)
    for warning in warnings:
        warn(warning)


def find_logs(docs: Path, sessions: Path) -> tuple[list[str], list[str]]:
    """The logs among the hand-written pages, by their paths, and a warning about each that is not in the folder with
    the campaigns.

    Args:
        docs: the folder of the hand-written pages.
        sessions: the folder with the campaigns.
    """
    logs = logs_among_pages(docs)
    warnings = [
        f"{docs.name}/{log.relative_to(docs).as_posix()} is a {'campaign' if log.is_dir() else 'session'} among the "
        "pages of the site; it is left out, since readers could open it with all its secrets: move it to "
        f"{sessions.name}/"
        for log in logs
        if not log.resolve().is_relative_to(sessions.resolve())
    ]
    return [log.relative_to(docs).as_posix() for log in logs], warnings


def source_of(page: SiteFile) -> str:
    """The source of a generated page: Markdown if it is written so. A page with a ready body has its hash
    here instead, so that a change is a change of the file and no text of it is a source."""
    head = front_matter(page.meta)
    if page.html:
        return f"<!-- {page.body_digest or digest_of(page.html)} {digest_of(head)} -->\n"
    # The anchors of its headings ({#t1}) are comments to macros.
    return f"{front_matter({**page.meta, 'render_macros': False})}\n{page.markdown}"


def table_of_contents(body: str) -> TableOfContents:
    """The headings of a page that can be linked to, each below the heading of a higher level before it."""
    top_links: list[AnchorLink] = []
    ancestors: list[AnchorLink] = []
    for level, anchor, heading_html in _HEADING.findall(body):
        title = str(escape(Markup(heading_html).striptags()))
        link = AnchorLink(title, html.unescape(anchor), int(level))
        while ancestors and ancestors[-1].level >= link.level:
            ancestors.pop()
        (ancestors[-1].children if ancestors else top_links).append(link)
        ancestors.append(link)
    return TableOfContents(top_links)


class UnchangedFile(File):
    """A file that is as it was in the last build."""

    def is_modified(self) -> bool:
        return False


class ChangedFile(File):
    """A file that MkDocs builds again even if its time is old."""

    def is_modified(self) -> bool:
        return True


def replace_file(file: File, file_class: type[FileT], config: MkDocsConfig) -> FileT:
    """The same file as one of another kind."""
    if file.src_dir is None:
        replacement = file_class.generated(config, file.src_uri, content=file.content_bytes)
        assert isinstance(replacement, file_class)
        return replacement
    return file_class(
        file.src_uri,
        file.src_dir,
        file.dest_dir,
        file.use_directory_urls,
        dest_uri=file.dest_uri,
        inclusion=file.inclusion,
    )


def leave_written_pages(
    files: Files,
    config: MkDocsConfig,
    titles: Mapping[str, tuple[str, Mapping[str, Any]]] | None,
    pages_to_rebuild: Collection[str],
) -> None:
    """Let a build of changed pages alone leave the hand-written ones.

    Args:
        files: the files of the site, before Chronicle's own are added.
        config: MkDocs's configuration.
        titles: the title and the front matter of each page in the last build, if nothing of them has changed;
            else MkDocs goes by the times of their files.
        pages_to_rebuild: pages that are to be built again, by their paths among the sources.
    """
    for file in [file for file in files if file.is_documentation_page()]:
        files.remove(file)
        if file.src_uri in pages_to_rebuild or (titles is not None and file.src_uri not in titles):
            files.append(replace_file(file, ChangedFile, config))
            continue
        if titles is None:
            files.append(file)
            continue
        unchanged = replace_file(file, UnchangedFile, config)
        files.append(unchanged)
        title, meta = titles[file.src_uri]
        Page(title, unchanged, config).meta.update(meta)


def remove_gone(last_files: Mapping[str, File], files: Files) -> None:
    """Remove the files of pages that are gone, which MkDocs leaves in the site.

    Args:
        last_files: the files of the last build, by their paths among the sources.
        files: those of this build.
    """
    for uri in last_files.keys() - files.src_uris.keys():
        Path(last_files[uri].abs_dest_path).unlink(missing_ok=True)
