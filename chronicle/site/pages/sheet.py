"""The sheet of a character, a Component or a player's figure (``sheet.html``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Block, Edge, Graph, Listing, Node, Ref, Sheet, appearances
from chronicle.site import pictures
from chronicle.site.draw import Pen
from chronicle.site.press import Draft, neighbours
from chronicle.site.volume import Volume

NEIGHBOURS = 12
"""How many nodes the relations on a sheet may show."""


class Card(NamedTuple):
    """What a sheet shows."""

    name: str
    kind: str
    status: str
    tagline: str
    aliases: tuple[str, ...]
    former: tuple[str, ...]
    blocks: tuple[Block, ...]
    aside: tuple[Block, ...]
    beside: tuple[Block, ...]
    portraits: tuple[pictures.Plate, ...]
    notes: tuple[tuple[str, str], ...]
    journal: tuple[Ref, ...]
    on_map: bool


def pages(volume: Volume) -> Iterator[Draft]:
    """A page a sheet."""
    ties = Ties(volume.book.relations)
    turns: dict[str, Iterator[tuple[Ref | None, Ref | None]]] = {}
    for registry in volume.book.registries:
        members = [sheet for sheet in volume.book.sheets if sheet.registry == registry.title]
        links = [Ref("sheet", sheet.id, sheet.name) for sheet in members]
        turns[registry.title] = neighbours(links)
    for sheet in volume.book.sheets:
        works = volume.works.about("sheet", sheet.id)
        folded = {name.casefold() for name in sheet.names}
        card = Card(
            sheet.name,
            sheet.kind,
            sheet.status,
            sheet.tagline,
            sheet.aliases,
            sheet.former,
            tuple(sheet.blocks),
            tuple(sheet.aside),
            tuple(_beside(volume, sheet, ties)),
            volume.pictures.beside(works),
            tuple(
                (note.title, note.body)
                for note in volume.record.campaign.notes
                if any(name.casefold() in folded for name in note.about)
            ),
            tuple(work.ref for work in works if work.art is None),
            bool(volume.book.relations),
        )
        crumbs = ((sheet.registry, f"{volume.registry_folder(sheet.registry)}/index"),)
        page, turn = volume.sheet_page(sheet), next(turns[sheet.registry])
        yield Draft(page, sheet.name, "sheet.html", card, _fill, crumbs, turn=turn)


def _beside(volume: Volume, sheet: Sheet, ties: Ties) -> Iterator[Block]:
    """What every sheet has at its side, unless the game has put it there: relations, appearances."""
    have = [*sheet.blocks, *sheet.aside]
    if not any(isinstance(block, Graph) for block in have):
        corner = ties.of(sheet)
        if corner is not None:
            yield corner
    seen = appearances(volume.record, sheet.id)
    if seen.items and not any(isinstance(b, Listing) and b.title == seen.title for b in have):
        yield seen


class Ties:
    """All relations of a campaign, found by whom they are about."""

    def __init__(self, graphs: Iterable[Graph]) -> None:
        self._graphs = [(graph, *_by_sheet(graph)) for graph in graphs]

    def of(self, sheet: Sheet) -> Graph | None:
        """Somebody's own corner of the relations: those next to them, at most :data:`NEIGHBOURS`."""
        nodes: dict[str, Node] = {}
        edges: list[Edge] = []
        key: dict[str, str] = {}
        centre: set[str] = set()
        for graph, known, sheets, ties in self._graphs:
            mine = sheets.get(sheet.id, ())
            found = sorted({at for id in mine for at in ties[id]})
            for edge in (graph.edges[at] for at in found):
                fresh = [id for id in dict.fromkeys((edge.one, edge.other)) if id not in nodes]
                if len(nodes) + len(fresh) > NEIGHBOURS:
                    continue
                nodes.update((id, known[id]) for id in fresh)
                edges.append(edge)
                centre.update(mine)
                key.update((kind, words) for kind, words in graph.key if kind == edge.kind)
        if not edges:
            return None
        marked = tuple(
            node._replace(kind=node.kind if id not in centre else "centre")
            for id, node in nodes.items()
        )
        return Graph("Relations", marked, tuple(edges), tuple(key.items()))


def _by_sheet(
    graph: Graph,
) -> tuple[dict[str, Node], dict[str, list[str]], defaultdict[str, list[int]]]:
    """The nodes of a graph by id, those of each sheet, and the numbers of the edges at each node."""
    known = {node.id: node for node in graph.nodes}
    sheets: dict[str, list[str]] = {}
    for node in graph.nodes:
        if node.ref is not None and node.ref.kind == "sheet":
            sheets.setdefault(node.ref.id, []).append(node.id)
    ties: defaultdict[str, list[int]] = defaultdict(list)
    for at, edge in enumerate(graph.edges):
        if edge.one in known and edge.other in known:
            for id in {edge.one, edge.other}:
                ties[id].append(at)
    return known, sheets, ties


def _fill(pen: Pen, card: Card) -> dict[str, Any]:
    return {
        "sheet": card,
        "status": pen.text(card.status),
        "tagline": pen.text(card.tagline),
        "aliases": ", ".join(card.aliases),
        "former": ", ".join(card.former),
        "portraits": [pictures.draw(pen, plate) for plate in card.portraits],
        "beside": card.beside,
        "map_url": pen.address(Ref("path", "relations", "")) if card.on_map else "",
        "journal": [(ref.label, pen.address(ref)) for ref in card.journal],
        "notes": [(title, pen.prose(body)) for title, body in card.notes],
    }
