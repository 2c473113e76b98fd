"""The four rooms: every page of a campaign hangs in one of them, and each page says where it is."""

import re
from pathlib import Path

import pytest

from chronicle.core.book import Ref
from chronicle.publish import make_site
from chronicle.site.pages import doors
from chronicle.site.rooms import ROOMS
from tests.test_resident import EXAMPLES

MARKED = re.compile(r'href="([^"]*)" aria-current="(page|true)"')


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_every_page_hangs_in_a_room(folder: Path) -> None:
    site = make_site(folder, project=folder.parent, warn=lambda told: None)
    (volume,) = site.campaigns
    hung = list(doors(volume))
    assert {door.room for door in hung} == set(ROOMS)
    assert len({door.page for door in hung}) == len(hung)
    pages = {file.path for file in site.made if file.html}
    assert {volume.path(door.page) for door in hung} <= pages
    for file in site.made:
        if not file.html or file.path == volume.path("index"):
            continue
        # The page itself is marked, or else one that it belongs to.
        marked = MARKED.findall(file.above)
        assert marked, file.path
        assert MARKED.findall(file.below) == marked
        assert 'data-room="' in file.above.partition('aria-current="true"')[0]
        own = volume.url(file.path.partition("/")[2], Ref("path", "index", ""))
        assert f'class="ch-brand" href="{own}"' in file.above


def test_a_page_within_another_is_reached_from_there(root: Path) -> None:
    folder = root / "sessions" / "snowshed-nine"
    site = make_site(folder, project=folder.parent, warn=lambda told: None)
    (volume,) = site.campaigns
    inner = [page for page in volume.book.pages if page.within]
    assert inner
    hung = {door.page for door in doors(volume)}
    made = {file.path: file for file in site.made}
    for page in inner:
        assert volume.game_page(page.slug) not in hung
        outer = made[volume.path(volume.game_page(page.within))]
        assert f'href="{page.slug}.html"' in outer.html, page.slug
