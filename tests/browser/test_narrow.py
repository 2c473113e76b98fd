"""Phones and tablets: every kind of page of every game can be read there whole. Nothing is cut, nothing is
smaller than 13 pixels, and no page scrolls sideways."""

import re
from pathlib import Path

import pytest

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2] / "sessions"
LEAST = 13
"""Pixels; smaller letters are not read on a phone."""
WIDTHS = (390, 820)
CAMPAIGNS = (
    *("the-boathouse", "snowshed-nine", "the-dry-book", "six-names", "gallery-nine"),
    *("the-lantern-coast", "the-valley-twice", "one-piece-a-house", "the-witness-orchard"),
)
"""One of every game, and those of Universalis whose add-ons have pages of their own."""
OWN = ("index.html", "404.html", "tutorial.html", "rules/index.html", "rules/universalis.html")
SHARED = ("sessions", "players", "notes")
"""Folders whose pages look alike in every game; of others, a page of each game is looked at."""


def one_of_each_kind(site: Site) -> list[str]:
    """Of every page that stands alone, and of the lists and the longest pages in folders, the one of the
    first campaign that has it, and all that belong to one game."""
    found: dict[str, str] = {}
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
            key = within if within in SHARED and not steps else f"{game} {within}"
            name = page.stem if within == "." or page.stem == "index" else "longest"
            name = "steps" if steps else name
            address = page.relative_to(site.root).as_posix()
            found.setdefault(f"{key} {name}", address)
    return list(found.values())


def test_every_kind_of_page_can_be_read_whole(site: Site, watched: WatchedPage) -> None:
    audit = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")
    found: list[str] = []
    with watched(width=WIDTHS[0]) as (page, watch):
        for address in (*OWN, *one_of_each_kind(site)):
            page.goto(site.url + address)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                seen = page.evaluate(audit, LEAST)
                found += [f"{address} at {width}: {one}" for one in seen]
    assert found == []
    assert watch.problems == []


def test_the_audit_sees_what_it_is_there_to_see(watched: WatchedPage) -> None:
    audit = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")
    bad = (
        "<main><p style='font-size:12px'>small</p><p style='width:999px'>"
        + "wide " * 60
        + "</p><div style='overflow:auto;width:80px'><p style='width:300px'>cut</p></div>"
        "<svg width=100 viewBox='0 0 400 40'><text y=20 style='font-size:20px'>shrunk</text></svg></main>"
    )
    with watched(width=390) as (page, _):
        page.set_content(bad)
        found = "\n".join(page.evaluate(audit, LEAST))
    for one in ("12.0 px: p", "5.0 px: text", "outside: p", "cut: div", "scrolls sideways"):
        assert one in found
