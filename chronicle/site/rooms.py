"""The four rooms of a campaign: Read, People, Record, Rules, and the doors to the pages in them.

Each kind of page says which doors lead to it (``doors`` in its module); here they are hung, once a folder,
as the navigation above every page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from chronicle.core.book import Ref
from chronicle.site.volume import Volume
from chronicle.words import word

FIND = "find.js"
"""What a campaign is searched by."""
ROOMS = ("Read", "People", "Record", "Rules")


class Door(NamedTuple):
    """A page that the navigation leads to: in which room, under which title, how much is there."""

    room: str
    title: str
    page: str
    size: str = ""
    beside: bool = False
    """Whether it stands in the head of each page that stands beside it."""


class Around(NamedTuple):
    """What stands around a page's body: the navigation above it, and what leads out of the campaign at its foot."""

    above: str
    below: str


class Rooms:
    """The navigation of one campaign.

    Args:
        volume: the campaign.
        doors: the pages that it leads to.
    """

    def __init__(self, volume: Volume, doors: Iterable[Door]) -> None:
        self._volume = volume
        self._doors = sorted(doors, key=lambda door: ROOMS.index(door.room))
        shows = volume.ground, self._doors, bool(volume.book.sheets)
        self._hung: dict[str, Around]
        self._marked: dict[tuple[str, tuple[str, ...]], Around]
        self._hung, self._marked = volume.studio.cache.make(
            ("rooms", volume.folder), shows, lambda: ({}, {})
        )

    def around(self, page: str, parents: tuple[str, ...] = ()) -> Around:
        """The navigation as seen from a page, with the way to it marked.

        Args:
            page: its path within the campaign.
            parents: the pages between the front of the campaign and this one.
        """
        found = self._marked.get((page, parents))
        if found is None:
            found = self._marked[page, parents] = self._around(page, parents)
        return found

    def _around(self, page: str, parents: tuple[str, ...]) -> Around:
        hung = self._hung_for(page)
        here = [
            (door, state)
            for door in self._doors
            if (state := "page" if door.page == page else "true" if door.page in parents else "")
        ]
        above, below = hung
        spot = self._spot(page)
        for door, state in here:
            url = escape(self._url(spot, door.page))
            marked = f'href="{url}" aria-current="{state}"'
            above = above.replace(f'href="{url}"', marked, 1)
        for room in {door.room for door, _ in here}:
            plain = f'data-room="{room}"'
            above = above.replace(plain, f'{plain} aria-current="true"', 1)
        return Around(above, below)

    def beside(self, page: str) -> tuple[Ref, ...]:
        """The pages that stand beside this one."""
        room = next((door.room for door in self._doors if door.page == page and door.beside), "")
        return tuple(
            Ref("path", door.page, door.title)
            for door in self._doors
            if door.beside and door.room == room
        )

    def _spot(self, page: str) -> str:
        """A place from which all others are seen as they are from a page. Pages of one folder share
        one; no page stands there, so that no address is shortened to the page itself."""
        inside = self._volume.studio.address.folders and not page.endswith("index")
        folder = page if inside else page.rpartition("/")[0]
        return f"{folder}/ index".removeprefix("/")

    def _hung_for(self, page: str) -> Around:
        """The navigation without any page marked."""
        here = self._spot(page)
        if here not in self._hung:
            rooms = [
                {
                    "name": room,
                    "title": word(f"site.room_{room.casefold()}"),
                    "doors": [
                        {
                            "title": door.title,
                            "url": self._url(here, door.page),
                            "count": door.size,
                        }
                        for door in self._doors
                        if door.room == room
                    ],
                }
                for room in ROOMS
            ]
            macros: Any = self._volume.studio.env.get_template("macros/rooms.html").module
            home = self._url(here, "index")
            site = self._volume.studio.address.between(self._volume.path(here), "index")
            title, studio = self._volume.book.title, self._volume.studio
            cards, rules = self._volume.card_files(here)
            about = studio.rules.get(self._volume.record.rulebook.name)
            find = {
                "index": self._url(here, FIND),
                "rules": rules and studio.address.between(self._volume.path(here), about or ""),
                "site": site,
            }
            self._hung[here] = Around(
                str(Markup(macros.above(title, home, rooms, cards, rules, find))),
                str(Markup(macros.below(title, home, site))),
            )
        return self._hung[here]

    def _url(self, page: str, target: str) -> str:
        return self._volume.url(page, Ref("path", target, ""))
