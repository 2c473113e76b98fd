"""Hand-written pages: the parts that Chronicle fills in, and their state in the last build."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

from chronicle.core.diagnostic import plural
from chronicle.examples import Examples, FilledPage
from chronicle.publish import Site

Say = Callable[[str], object]


class WrittenPages:
    """Fills play examples, lists of campaigns and the like into hand-written pages.

    Args:
        warn: receives doubts about an example.
    """

    def __init__(self, warn: Say) -> None:
        self.titles: dict[str, tuple[str, Mapping[str, Any]]] = {}
        """The title and the front matter of each page, by its path among the sources."""
        self._errors: list[str] = []
        """The errors in the examples of this build."""
        self._warn = warn
        self._site: Site | None = None
        self._examples: Examples | None = None
        self._place_by_page: dict[str, str] = {}
        """The pages that asked for something: where each lies."""
        self._filled_pages: dict[str, FilledPage] = {}
        self._quoting_pages: set[str] = set()
        """The pages that quote from sessions."""

    def begin(self, site: Site, project: Path) -> None:
        """Begin a build with the campaigns of a site."""
        self._site = site
        self._examples = Examples(site.site_context, project)
        self._examples.reuse_campaign_sites(site.campaigns)
        self._errors = []

    def forget(self, *, titles: bool) -> None:
        """Forget what the pages asked for, where another campaign is built next, and perhaps their titles."""
        self._place_by_page.clear()
        if titles:
            self.titles.clear()

    def outdated_pages(self) -> set[str]:
        """The pages that show something of the campaigns which has changed, or may have."""
        assert self._site is not None
        find, filling = (
            self._site.site_context.build_cache.find_result,
            self._site.shared_pages.fill_all_markers,
        )
        return self._quoting_pages | {
            uri
            for uri, place in self._place_by_page.items()
            if find(("filled", uri), filling(place)) is None
        }

    def draw_examples(self, markdown: str, page: Page) -> str:
        """Draw the play examples of a page, and keep their places in it."""
        if self._examples is None:
            return markdown
        uri, source = page.file.src_uri, page.file.abs_src_path
        full_text = (
            Path(source).read_text(encoding="utf-8-sig", errors="replace") if source else markdown
        )
        line_count_above = full_text[: max(full_text.find(markdown), 0)].count("\n")
        filled_page = self._examples.fill(markdown, _place_of(page), line_count_above)
        if filled_page.files:
            self._quoting_pages.add(uri)
        for problem in filled_page.problems:
            message = f"{uri}:{problem.line}: {problem.message}"
            if problem.error:
                self._errors.append(message)
            else:
                self._warn(message)
        self._filled_pages[uri] = filled_page
        return filled_page.markdown

    def report_errors(self, report: Say, *, stop: bool) -> None:
        """Report the errors in the examples of this build.

        Args:
            report: receives each error.
            stop: whether a build with errors stops.

        Raises:
            PluginError: when it does.
        """
        for message in self._errors:
            report(message)
        if self._errors and stop:
            count = plural(len(self._errors), "error")
            raise PluginError(f"chronicle: {count} in play examples")

    def fill(self, html: str, page: Page, dress: Callable[[str], str] | None) -> str:
        """Put into a page what it asks for: its examples, the campaigns, the desk.

        Args:
            html: the page after Markdown.
            page: where it belongs.
            dress: puts something around each piece, if given.
        """
        uri = page.file.src_uri
        if page.title is not None:
            self.titles[uri] = str(page.title), page.meta
        if self._site is None:
            return html
        place = _place_of(page)
        filled = self._site.shared_pages.fill_markers(html, place, dress)
        if filled != html:
            self._place_by_page[uri] = place
            filling = self._site.shared_pages.fill_all_markers(place)
            self._site.site_context.build_cache.keep_result(("filled", uri), filling, True)
        drawn = self._filled_pages.pop(uri, None)
        return drawn.put_into(filled, dress) if drawn is not None else filled


def _place_of(page: Page) -> str:
    """The path of a page on the site, without ending."""
    return page.file.dest_uri.removesuffix(".html")
