"""One page of each kind of every game, for the tests that look at all of them.

In CI what is alike is looked at once: a page of each kind of every game on a phone, of each kind of any game where
there is room (the same templates and the same scripts made them). ``make soak`` looks at all of them everywhere.
"""

import re
from pathlib import Path

from tests.browser.harness import Site

ROOT = Path(__file__).parents[2] / "sessions"
GAMES = (
    *("the-boathouse", "snowshed-nine", "the-dry-book"),
    *("six-names", "gallery-nine", "the-lantern-coast"),
)
"""A campaign of every game."""
CAMPAIGNS = (*GAMES, "the-valley-twice", "one-piece-a-house", "the-witness-orchard")
"""With those whose add-ons have pages of their own."""
OWN = (
    *("index.html", "404.html", "tutorial.html", "rules/index.html", "rules/universalis.html"),
    *("rules/universalis/6-complications.html", "rules/positive.html"),
)
SHARED = ("sessions", "players", "notes")
"""Folders whose pages look alike in every game; of others, a page of each game is looked at."""


def one_of_each_kind(site: Site, *, of_each_game: bool = True) -> list[str]:
    """Of every page that stands alone, and of the lists and the longest pages in folders, the one of the
    first campaign of each game that has it; of the first of any game, if that is not asked."""
    pages_by_kind: dict[str, str] = {}
    for campaign in CAMPAIGNS:
        folder = site.root / campaign
        (game,) = re.findall(r"^game: (.*)$", (ROOT / campaign / "campaign.yaml").read_text(), re.M)
        pages = sorted(folder.glob("*.html"))
        for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
            inside = [
                p for p in inner.glob("*.html") if "http-equiv" not in p.read_text("utf-8")[:600]
            ]
            pages += [page for page in inside if page.stem == "index"]
            for steps in (False, True):
                kind = [page for page in inside if page.stem.endswith("-steps") is steps]
                pages += sorted(kind, key=lambda page: -page.stat().st_size)[:1]
        for page in pages:
            within = page.parent.relative_to(folder).as_posix()
            steps = page.stem.endswith("-steps")
            shared = within in SHARED and not steps
            key = f"{game} {within}" if of_each_game and not shared else within
            name = page.stem if within == "." or page.stem == "index" else "longest"
            name = "steps" if steps else name
            address = page.relative_to(site.root).as_posix()
            pages_by_kind.setdefault(f"{key} {name}", address)
    return list(pages_by_kind.values())
