"""The four rooms: every page of a campaign hangs in one of them, and each page says where it is."""

import re
from pathlib import Path

import pytest

from chronicle.core.book import Ref
from chronicle.site.pages import doors
from chronicle.site.rooms import ROOMS
from tests.site.made import EXAMPLES, example, made

MARKED = re.compile(r'href="([^"]*)" aria-current="(page|true)"')


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_every_page_hangs_in_a_room(folder: Path) -> None:
    volume, files = made(folder)
    hung = list(doors(volume))
    assert {door.room for door in hung} == set(ROOMS)
    assert len({door.page for door in hung}) == len(hung)
    pages = {path for path, file in files.items() if file.html}
    assert {volume.path(door.page) for door in hung} <= pages
    for file in files.values():
        if not file.html or file.path == volume.path("index"):
            continue
        # The page itself is marked, or else one that it belongs to.
        marked = MARKED.findall(file.above)
        assert marked, file.path
        assert "<li>" not in file.below  # the navigation is in a page once
        assert 'data-room="' in file.above.partition('aria-current="true"')[0]
        own = volume.url(file.path.partition("/")[2], Ref("path", "index", ""))
        assert f'class="ch-brand" href="{own}"' in file.above


def test_a_page_within_another_is_reached_from_there() -> None:
    volume, _ = siding = example("snowshed-nine")
    inner = [page for page in volume.book.pages if page.within]
    assert inner
    hung = {door.page for door in doors(volume)}
    for page in inner:
        assert volume.game_page(page.slug) not in hung
        outer = siding.html(volume.game_page(page.within))
        assert f'href="{page.slug}.html"' in outer, page.slug
