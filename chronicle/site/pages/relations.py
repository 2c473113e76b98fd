"""How they hang together (``relations.html``): one map of all that people and things have to do with each
other, after every evening, and the same as lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from chronicle.core.book import Graph, Ref, Sheet, SubjectState
from chronicle.site import maps
from chronicle.site.bonds import KEY, Bond, Tie, ties_of
from chronicle.site.draw import Pen
from chronicle.site.links import slugify
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft
from chronicle.site.volume import Volume
from chronicle.words import word

INDEX: Final = "relations"
TITLE: Final = word("site.map")
MOST = 60
"""Of more people and things than these, the map shows those who count for most."""
LARGE = 6
"""How many stand large on the map, at most."""
TOGETHER = 2
"""So many who are met most in one place stand on one ground."""


class Web(NamedTuple):
    """What the page shows."""

    session: int
    people: tuple[maps.Person, ...]
    bonds: tuple[Bond, ...]
    left_out: int
    counted: tuple[Graph, ...]
    """Maps of the game's own, on which every reason is a mark of its own."""
    key: tuple[tuple[str, str], ...]
    evenings: tuple[int, ...]
    grounds: bool


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if volume.book.relations or volume.bonds.now:
        yield NavPage("Map", TITLE, INDEX)


def pages(volume: Volume) -> Iterator[Draft]:
    """The map as it is now, and as it was after each evening before."""
    if not any(True for _ in nav_pages(volume)):
        return
    everything = tuple(volume.book.session_ends)
    evenings = tuple(
        number for number in everything if number == everything[-1] or volume.bonds.through(number)
    )
    inner = volume.family(INDEX, word("site.all_of_it"))
    for number in reversed(evenings):
        last = number == evenings[-1]
        web = web_of(volume, number, evenings)
        page = INDEX if last else f"{INDEX}/after-{number}"
        crumbs = () if last else ((TITLE, INDEX),)
        title = TITLE if last else word("site.map_after", title=TITLE, number=number)
        # What is found on an earlier map is found on the last.
        meta = {} if last else {"search": {"exclude": True}}
        yield Draft(page, title, web, _fill, crumbs, beside=inner, through=number, meta=meta)


def web_of(volume: Volume, number: int, evenings: tuple[int, ...] = ()) -> Web:
    """What there is to show after an evening, and which others there are."""
    evening = volume.book.session_ends[number]
    standing = evening.subjects
    counted = tuple(graph for graph in evening.relations if graph.counted)
    found = volume.bonds.through(number)
    tied = dict.fromkeys(ref.id for bond in found for ref in (bond.one, bond.other))
    sheets = [sheet for sheet in volume.book.sheets if sheet.id in tied]
    sheets.sort(key=lambda sheet: -volume.weight(sheet, standing[sheet.id], number))
    shown = sheets[:MOST]
    places = _places(volume, number, shown, found)
    people = tuple(
        _person(volume, sheet, standing[sheet.id], number, places.get(sheet.id, ""), at < LARGE)
        for at, sheet in enumerate(shown)
    )
    on_it = {sheet.id for sheet in shown}
    kept = tuple(bond for bond in found if bond.one.id in on_it and bond.other.id in on_it)
    words = dict(entry for graph in evening.relations for entry in graph.key) | dict(KEY)
    kinds = dict.fromkeys(bond.kind for bond in kept)
    key = tuple((kind, words.get(kind, kind)) for kind in kinds)
    left_out = len(sheets) - len(shown)
    return Web(number, people, kept, left_out, counted, key, evenings, bool(places))


def _places(
    volume: Volume, number: int, sheets: list[Sheet], bonds: tuple[Bond, ...]
) -> dict[str, str]:
    """Where each is met most, as far as it is where others are, too. What is never met is where somebody
    is who has to do with it."""
    met: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for scene in volume.record.timeline.scenes:
        if scene.place and scene.session <= number:
            for id in scene.cast:
                met[id][volume.name(scene.place)] += 1
    most = {sheet.id: met[sheet.id].most_common(1)[0][0] for sheet in sheets if met.get(sheet.id)}
    ids = {sheet.id for sheet in sheets}
    for bond in bonds:
        for mine, other in ((bond.one.id, bond.other.id), (bond.other.id, bond.one.id)):
            if mine in ids and mine not in met and other in met and other in most:
                most.setdefault(mine, most[other])
    count = Counter(most.values())
    return {id: place for id, place in most.items() if count[place] >= TOGETHER}


def _person(
    volume: Volume, sheet: Sheet, now: SubjectState, number: int, place: str, leading: bool
) -> maps.Person:
    role = now.role if now.role.casefold() not in now.name.casefold() else ""
    return maps.Person(
        Ref("sheet", sheet.id, now.name),
        now.status if now.gone and len(now.status) < 20 else role if len(role) < 24 else "",
        volume.emblem_at(sheet, now, number)._replace(ticks=0),
        place,
        leading and sheet.shape == "person",
    )


# -- drawing ---------------------------------------------------------------------------------------


def _fill(pen: Pen, web: Web) -> dict[str, Any]:
    anchors = {
        one.ref.id: f"ties-{slugify(one.ref.label)}-{at}" for at, one in enumerate(web.people)
    }
    ties = ties_of(web.bonds)
    picture = arcs = None
    if web.bonds and not web.counted:
        picture = maps.draw(pen.graphs, TITLE, web.people, web.bonds, pen.address)
        arcs = maps.arcs(web.people, web.bonds, anchors)
    people = [
        {
            "anchor": anchors[one.ref.id],
            "name": one.ref.label,
            "url": pen.address(one.ref),
            "note": one.note,
            "emblem": pen.draw(one.emblem),
            "count": len(ties[one.ref.id]),
            "ties": [drawn_tie(pen, tie) for tie in ties[one.ref.id]],
        }
        for one in web.people
    ]
    return {
        "count": len(web.people),
        "session": web.session,
        "title": TITLE,
        "grounds": web.grounds,
        "left_out": web.left_out,
        "picture": picture,
        "arcs": arcs,
        "counted": [pen.graph(graph) for graph in web.counted],
        "key": [(maps.sample(kind, slugify(kind) or "plain"), words) for kind, words in web.key],
        "people": people,
        "evenings": pen.evenings(INDEX, web.evenings, web.session),
    }


def drawn_tie(pen: Pen, tie: Tie) -> dict[str, Any]:
    """A tie as templates take it."""
    return {
        "kind": slugify(tie.kind) or "plain",
        "way": tie.way,
        "over": tie.over,
        "other": pen.text(tie.other),
        "words": pen.text(tie.words),
        "emblem": pen.emblem(tie.other),
    }
