"""The navigation: at most ten entries, every page belongs to one of them, and each page says to which."""

import re
from pathlib import Path
from posixpath import dirname, normpath

import pytest

from chronicle.core.campaign_view import Ref
from chronicle.site.navigation import ALL_NAV_ENTRIES, FALLBACK_NAV_ENTRY, NAV_ENTRY_GROUPS
from chronicle.site.pages import nav_pages
from tests.site.made import EXAMPLES, example, made

ENTRY = re.compile(r'<li(?: class="ch-entries__next")?><a href="[^"]*"[^>]*>([^<]*)</a>')
MARKED = re.compile(r'href="([^"]*)" aria-current="(page|true)"')


def entries(name: str) -> list[str]:
    """The titles of the entries of a play example."""
    campaign_site, files = example(name)
    return ENTRY.findall(files[campaign_site.path_on_site("index")].html_above)


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_every_page_belongs_to_an_entry(folder: Path) -> None:
    campaign_site, files = made(folder)
    listed = list(nav_pages(campaign_site))
    assert len({entry.page_path for entry in listed}) == len(listed)
    pages = {path for path, file in files.items() if file.html}
    assert {campaign_site.path_on_site(entry.page_path) for entry in listed} <= pages
    first = {
        url
        for url, _ in re.findall(
            r'<li[^>]*><a href="([^"]*)"()', files[campaign_site.path_on_site("index")].html_above
        )
    }
    assert len(first) <= len(ALL_NAV_ENTRIES) == 10
    for file in files.values():
        if not file.html or file.path == campaign_site.path_on_site("index"):
            continue
        # The entry is marked that the page belongs to, or the one of the page above it.
        assert len(MARKED.findall(file.html_above)) == 1, file.path
        assert "<li" not in file.html_below  # the navigation is in a page once
        own = campaign_site.url(file.path.partition("/")[2], Ref("path", "index", ""))
        assert f'class="ch-brand" href="{own}"' in file.html_above


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_every_page_is_two_links_away_at_most(folder: Path) -> None:
    campaign_site, files = made(folder)
    front = files[campaign_site.path_on_site("index")]
    first = set(re.findall(r'<li[^>]*><a href="([^"]*)"', front.html_above))
    linked = {
        normpath(f"{dirname(page)}/{link}")
        for page in first
        for link in re.findall(
            r'href="([^"#]*)', files[campaign_site.path_on_site(page.removesuffix(".html"))].html
        )
    }
    pages = {f"{nav_page.page_path}.html" for nav_page in nav_pages(campaign_site)}
    assert pages <= first | {link.removeprefix("/") for link in linked}


def test_a_short_story_has_few_entries() -> None:
    assert entries("the-long-siding") == ["Story", "Cast", "How it was played", "About"]
    assert entries("the-boathouse") == [
        *("Story", "Sessions", "Cast", "Catch up", "Contests", "About"),
    ]
    assert entries("the-lantern-coast") == [
        *("Story", "Sessions", "Journal", "Cast", "Map"),
        *("Catch up", "Timeline", "Contests", "Coins", "About"),
    ]
    assert "Coins" not in entries("snowshed-nine")


def test_an_entry_moves_into_one_that_stays() -> None:
    always = {"Story", "Sessions", "Cast", "About"}
    assert (
        set(FALLBACK_NAV_ENTRY) == {entry for group in NAV_ENTRY_GROUPS for entry in group} - always
    )
    for entry in FALLBACK_NAV_ENTRY:
        visited = {entry}
        while entry in FALLBACK_NAV_ENTRY:
            entry = FALLBACK_NAV_ENTRY[entry]
            assert entry not in visited
            visited.add(entry)
        assert entry in always


def test_a_page_within_another_is_reached_from_there() -> None:
    campaign_site, _ = siding = example("snowshed-nine")
    inner = [page for page in campaign_site.view.pages if page.within]
    assert inner
    listed = {nav_page.page_path for nav_page in nav_pages(campaign_site)}
    for page in inner:
        assert campaign_site.game_page_path(page.slug) not in listed
        outer = siding.html(campaign_site.game_page_path(page.within))
        assert f'href="{page.slug}.html"' in outer, page.slug


def test_a_page_is_there_only_if_it_has_something() -> None:
    campaign_site, _ = room = example("the-pressing-room")
    pages = {nav_page.page_path for nav_page in nav_pages(campaign_site)}
    # One session leaves nothing to catch up with; two scenes are no timeline.
    assert not {"changes/index", "timeline"} & pages
    assert not [path for path in room.files if "/changes/" in path]
    over, _ = example("the-boathouse")
    assert "loose-ends" not in {nav_page.page_path for nav_page in nav_pages(over)}
    for folder in EXAMPLES:
        made_volume, files = made(folder)
        map_page = files.get(made_volume.path_on_site("relations"))
        assert map_page is None or 'class="ch-map' in map_page.html or "ch-figure" in map_page.html


def test_many_pages_of_an_entry_fold_where_there_is_no_room() -> None:
    room = example("the-pressing-room").html("sessions/index")
    assert room.count("popovertarget=") == 1
    assert "popovertarget=" not in example("the-lantern-coast").html("timeline")
