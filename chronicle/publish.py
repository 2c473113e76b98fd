"""From a folder of campaigns to a whole site: where Books, pages and exports meet.

The MkDocs plugin and the command line both build sites through :func:`make_site`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from chronicle.campaigns import find_campaigns, load, open_book, relaxed_gc
from chronicle.core.book import Book
from chronicle.export import exports
from chronicle.games import GAMES, rulebook
from chronicle.site.draw import environment
from chronicle.site.library import Library
from chronicle.site.links import Address
from chronicle.site.pages import CampaignPages, SiteFile, Studio
from chronicle.transcript.folder import CampaignUnreadable


@dataclass(slots=True)
class Site:
    """Everything a site shows, ready to be written. ``problems`` are campaigns that could not be read."""

    campaigns: list[CampaignPages]
    library: Library
    problems: list[str]
    reference: bool

    def files(self) -> Iterator[SiteFile]:
        """Every page and file, the games' pages last."""
        for pages in self.campaigns:
            yield from pages.files()
        if self.reference:
            yield from self.library.files()


def make_site(
    path: Path,
    *,
    project: Path | None = None,
    folders: bool = False,
    through: int | None = None,
    reference: bool = True,
    graphs: dict[str, str] | None = None,
    warn: Callable[[str], object] = print,
) -> Site:
    """Replay every campaign at or below ``path`` and lay out the site.

    Args:
        path: a campaign folder, or a folder of such.
        project: the project's root, whose ``templates/`` may override Chronicle's.
        folders: whether addresses end in folders (MkDocs's ``use_directory_urls``).
        through: show campaigns only up to this session.
        reference: include the rules of the games.
        graphs: laid-out graphs by content, kept between builds.
        warn: told what could not be drawn.
    """
    env = environment(project)
    address = Address(folders)
    games = {name: rulebook(name) for name in GAMES}
    rules = {name: f"rules/{name}" for name in games} if reference else {}
    studio = Studio(env, address, rules, warn, {} if graphs is None else graphs, downloads)
    campaigns: list[CampaignPages] = []
    problems: list[str] = []
    taken: set[str] = set()
    with relaxed_gc():
        for folder in find_campaigns(path):
            try:
                book = open_book(load(folder), through=through)
            except CampaignUnreadable as error:
                problems.extend(f"{d.place}: {d.message}" for d in error.diagnostics)
                continue
            pages = CampaignPages(book, studio)
            stem, count = pages.folder, 1
            while pages.folder in taken:
                count += 1
                pages.folder = f"{stem}-{count}"
            taken.add(pages.folder)
            campaigns.append(pages)
    return Site(campaigns, Library(env, address, games, campaigns), problems, reference)


def downloads(book: Book) -> Iterator[tuple[str, str, bytes]]:
    """What a reader may take away: (file name, what it is, bytes). Unrevealed secrets are left out."""
    yield from exports(book.record)
