"""The site of a large campaign: built whole, and built again after one changed line. What Chronicle does of
it is told apart from what MkDocs does."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from mkdocs.commands.build import build
from mkdocs.config import load_config

from benchmarks.play import write_campaign
from chronicle.plugin import ChroniclePlugin

SIZES = (10_000,)
GAMES = ("positive", "universalis")
SHARE = 1 / 3
"""How long making the pages may take, as a share of what MkDocs needs to build them."""
AGAIN = 1.0
"""Seconds of our own that a rebuild after one changed line may take."""
MANY = 10_000
"""The size that this bar is for, and all below it."""

SETTINGS = {
    "site_name": "A table",
    "use_directory_urls": False,
    "theme": {"name": "material"},
    "plugins": ["search", "chronicle"],
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
             f"{'share':>7}{'again: pages':>14}{'ours':>9}{'MkDocs':>9}"]  # fmt: skip
    missed: list[str] = []
    for game in games:
        for size in sizes:
            whole, again = _site(game, size, rounds)
            share = whole.ours / whole.mkdocs
            lines.append(
                f"{game:<14}{size:>8}{whole.pages:>7}{whole.pages / whole.seconds:>9.0f}"
                f"{whole.ours:>7.2f} s{whole.mkdocs:>7.2f} s{share:>7.2f}"
                f"{again.pages:>14}{again.ours:>7.2f} s{again.mkdocs:>7.2f} s"
            )
            if share > SHARE:
                missed.append(f"{game}, site of {size} entries: pages take {share:.2f} of MkDocs")
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


def _site(game: str, size: int, rounds: int) -> tuple[Built, Built]:
    """A whole build, and the rebuild after one changed line near the end."""
    with TemporaryDirectory(prefix="chronicle-bench-") as scratch:
        project = Path(scratch) / "project"
        (project / "docs").mkdir(parents=True)
        (project / "docs" / "index.md").write_text("# A table\n", encoding="utf-8")
        lines = (f"{key}: {json.dumps(value)}" for key, value in SETTINGS.items())
        (project / "mkdocs.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
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
    return whole, sorted(again, key=lambda one: one.ours)[len(again) // 2]
