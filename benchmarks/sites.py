"""The site of a large campaign: built whole, and built again after one changed line. What Chronicle does of
it is told apart from what MkDocs does, and held against MkDocs alone, given the finished pages: nearly all
that it does with a page of somebody's own is done by Chronicle with those of a campaign.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from mkdocs.commands.build import build
from mkdocs.config import load_config

from benchmarks.play import write_campaign
from chronicle.plugin import ChroniclePlugin
from chronicle.site.files import SiteFile, front_matter

SIZES = (10_000,)
GAMES = ("positive", "universalis")
SHARE = 4 / 3
"""How long the whole build may take, as a share of what MkDocs alone needs for the same pages: a third of
that is left to make them."""
AGAIN = 1.0
"""Seconds of our own that a rebuild after one changed line may take."""
MANY = 10_000
"""The size that this bar is for, and all below it."""

SETTINGS = {
    "site_name": "A table",
    "use_directory_urls": False,
    "theme": {"name": "material"},
    "nav": ["index.md"],
    "not_in_nav": "/*/\n",
    "validation": {"nav": {"omitted_files": "ignore"}},
}


class Built(NamedTuple):
    """One build: how many pages were made, seconds in all, and seconds that were ours."""

    pages: int
    seconds: float
    ours: float

    @property
    def mkdocs(self) -> float:
        """Seconds that MkDocs itself took."""
        return self.seconds - self.ours


def measure(
    sizes: Sequence[int], rounds: int, games: Sequence[str] = GAMES
) -> tuple[list[str], list[str]]:
    """The figures as lines, and which bars were missed."""
    lines = [f"{'site':<14}{'entries':>8}{'pages':>7}{'a second':>9}{'ours':>9}{'MkDocs':>9}"
             f"{'alone':>9}{'share':>7}{'again: pages':>14}{'ours':>9}{'MkDocs':>9}"]  # fmt: skip
    missed: list[str] = []
    for game in games:
        for size in sizes:
            whole, again, alone = _site(game, size, rounds)
            share = whole.seconds / alone
            lines.append(
                f"{game:<14}{size:>8}{whole.pages:>7}{whole.pages / whole.seconds:>9.0f}"
                f"{whole.ours:>7.2f} s{whole.mkdocs:>7.2f} s{alone:>7.2f} s{share:>7.2f}"
                f"{again.pages:>14}{again.ours:>7.2f} s{again.mkdocs:>7.2f} s"
            )
            if share > SHARE:
                missed.append(f"{game}, site of {size} entries: {share:.2f} of MkDocs alone")
            if size <= MANY and again.ours > AGAIN:
                missed.append(f"{game}, one line of {size} entries: {again.ours:.2f} s of our own")
    return lines, missed


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what MkDocs tells while it builds."""
    log = logging.getLogger("mkdocs")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def write_project(project: Path, *plugins: str, page: str = "# A table\n") -> Path:
    """A project with one page of its own."""
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "index.md").write_text(page, encoding="utf-8")
    settings = {**SETTINGS, "plugins": plugins}
    lines = (f"{key}: {json.dumps(value)}" for key, value in settings.items())
    (project / "mkdocs.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return project


def _alone(pages: Iterable[tuple[str, SiteFile]], project: Path, site: Path) -> float:
    """Seconds that MkDocs takes for these pages when nobody helps it."""
    for uri, made in pages:
        page = project / "docs" / uri
        page.parent.mkdir(parents=True, exist_ok=True)
        head: dict[str, Any] = {
            name: made.meta[name] for name in ("title", "search") if name in made.meta
        }
        page.write_text(f"{front_matter(head)}\n{made.markdown or made.html}", encoding="utf-8")
    config = load_config(str(project / "mkdocs.yml"), site_dir=str(site))
    start = perf_counter()
    build(config)
    return perf_counter() - start


def _site(game: str, size: int, rounds: int) -> tuple[Built, Built, float]:
    """A whole build, the rebuild after one changed line near the end, and how many seconds MkDocs alone takes
    for the same pages."""
    with TemporaryDirectory(prefix="chronicle-bench-") as scratch:
        project = write_project(Path(scratch) / "project", "search", "chronicle")
        folder = project / "sessions" / game
        folder.parent.mkdir()
        write_campaign(game, size, folder)
        last = max(folder.glob("[0-9]*.yaml"))
        text = last.read_text(encoding="utf-8")
        last.write_text(f"{text}- tell: It rains.\n", encoding="utf-8")
        config = load_config(str(project / "mkdocs.yml"), site_dir=str(Path(scratch) / "site"))
        config.plugins.on_startup(command="serve", dirty=False)
        plugin = config.plugins["chronicle"]
        assert isinstance(plugin, ChroniclePlugin)
        with _quiet():
            start = perf_counter()
            build(config, serve_url="/")
            whole = Built(plugin.made, perf_counter() - start, plugin.spent)
            again = []
            for number in range(rounds):
                # As whoever serves does when nobody waits.
                while not plugin.settle(1):
                    pass
                last.write_text(f"{text}- tell: It rains {number}.\n", encoding="utf-8")
                start = perf_counter()
                plugin.rebuild(config)
                again.append(Built(plugin.made, perf_counter() - start, plugin.spent))
            vars(type(config))["plugins"].plugin_cache.clear()
            pages = plugin.pages()
            alone = _alone(
                pages, write_project(Path(scratch) / "alone", "search"), Path(scratch) / "b"
            )
        vars(type(config))["plugins"].plugin_cache.clear()
    return whole, sorted(again, key=lambda one: one.ours)[len(again) // 2], alone
