"""What people and things of a story have to do with each other, as it stood after an evening: the ties that
the game keeps, who met whom in dice, and who shared scenes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations
from typing import Final, NamedTuple

from chronicle.core.book import Book, Graph, Ref
from chronicle.core.diagnostic import listed
from chronicle.words import word

DICE: Final = "dice"
SCENES: Final = "scenes"
KEY: Final = ((DICE, word("site.bond_dice")), (SCENES, word("site.bond_scenes")))
"""The kinds of bonds that no game names."""
SHARED = 2
"""So many scenes together say something."""
CLOSEST = 3
"""With so many others, at most, somebody is shown to have shared scenes."""
NAMED = 3
"""So many throws are named; more are counted."""


class Bond(NamedTuple):
    """What two have to do with each other. ``kind`` is that of an edge of a graph, :data:`DICE` or
    :data:`SCENES`."""

    kind: str
    one: Ref
    other: Ref
    words: str = ""
    """What is to be said of it; in an address book, not on a map."""
    label: str = ""
    """What stands at its line."""
    directed: bool = False
    mutual: str = ""
    """What the other says of it, where each says something."""
    weight: int = 1
    over: bool = False
    """Whether it held after an earlier evening only."""


class Tie(NamedTuple):
    """A bond as one of the two has it."""

    kind: str
    way: str
    """``to``, ``from``, or empty where it holds both ways."""
    other: Ref
    words: str
    over: bool


class Bonds:
    """All bonds of a campaign between those who have sheets.

    Args:
        book: the campaign.
        name: gives the name of a thing by its id.
    """

    def __init__(self, book: Book, name: Callable[[str], str]) -> None:
        self._evenings = book.session_ends
        self._name = name
        self._ties = {
            number: dict.fromkeys(ties_between(evening.relations))
            for number, evening in self._evenings.items()
        }
        self._throws = list(_throws(book))
        self._met = list(_met(book))
        self._made: dict[int, tuple[Bond, ...]] = {}

    def through(self, last: int) -> tuple[Bond, ...]:
        """Those after an evening, with those that had ended by then."""
        if last not in self._made:
            self._made[last] = tuple(self._after(last))
        return self._made[last]

    @property
    def now(self) -> tuple[Bond, ...]:
        """Those after the last evening."""
        return self.through(max(self._evenings)) if self._evenings else ()

    def _after(self, last: int) -> Iterator[Bond]:
        ties = self._ties[last]
        standing = self._evenings[last].subjects
        ends = {frozenset((bond.one.id, bond.other.id)) for bond in ties}
        before = chain.from_iterable(some for night, some in self._ties.items() if night < last)
        gone = dict.fromkeys(
            bond._replace(over=True)
            for bond in before
            if frozenset((bond.one.id, bond.other.id)) not in ends
        )
        for bond in chain(ties, gone, self._thrown(last), self._shared(last)):
            if bond.one.id in standing and bond.other.id in standing:
                yield bond

    def _thrown(self, last: int) -> Iterator[Bond]:
        """Who met whom in dice, and how it came out."""
        met: dict[tuple[str, str], list[_Throw]] = {}
        for throw in self._throws:
            if throw.session <= last:
                met.setdefault((throw.one, throw.other), []).append(throw)
        for (one, other), throws in met.items():
            titles = list(dict.fromkeys(throw.title for throw in throws))
            others = len(titles) - NAMED
            more = word("site.other_rolls", count=others) if others > 0 else ""
            score = Counter(throw.winner for throw in throws)
            yield Bond(
                DICE,
                self._link(one),
                self._link(other),
                listed([*(f"“{title}”" for title in titles[:NAMED]), *filter(None, [more])]),
                f"{score[one]} : {score[other]}" if score[one] or score[other] else "",
                weight=len(throws),
            )

    def _shared(self, last: int) -> Iterator[Bond]:
        """Who shared scenes with whom, most of all."""
        count = Counter(pair for session, pair in self._met if session <= last)
        shown: Counter[str] = Counter()
        for (one, other), scenes in sorted(count.items(), key=lambda item: (-item[1], item[0])):
            if scenes < SHARED:
                break
            if max(shown[one], shown[other]) < CLOSEST:
                shown.update((one, other))
                words = word("site.scenes_together", count=scenes)
                yield Bond(SCENES, self._link(one), self._link(other), words, weight=scenes)

    def _link(self, id: str) -> Ref:
        return Ref("sheet", id, self._name(id))


class _Throw(NamedTuple):
    """Two who met in dice. ``winner`` is one of them; empty: neither, or nobody yet."""

    session: int
    one: str
    other: str
    title: str
    winner: str


def ties_of(bonds: Iterable[Bond]) -> dict[str, list[Tie]]:
    """The bonds of everybody, by the id of the sheet."""
    found: defaultdict[str, list[Tie]] = defaultdict(list)
    for bond in bonds:
        way = ("to", "from") if bond.directed and not bond.mutual else ("", "")
        said = bond.words, bond.mutual or bond.words
        found[bond.one.id].append(Tie(bond.kind, way[0], bond.other, said[0], bond.over))
        found[bond.other.id].append(Tie(bond.kind, way[1], bond.one, said[1], bond.over))
    return found


def ties_between(graphs: Iterable[Graph]) -> Iterator[Bond]:
    """What the graphs of a game say; two lines there and back are one."""
    for graph in graphs:
        refs = {
            node.id: node.ref
            for node in graph.nodes
            if node.ref is not None and node.ref.kind == "sheet"
        }
        key = dict(graph.key)
        edges = [
            edge
            for edge in graph.edges
            if edge.one in refs and edge.other in refs and edge.one != edge.other
        ]
        ways = {(edge.one, edge.other): at for at, edge in enumerate(edges)}
        for at, edge in enumerate(edges):
            back = ways.get((edge.other, edge.one))
            if back is not None and back < at:
                continue
            mirror = edges[back] if back is not None else None
            words = edge.label or key.get(edge.kind, edge.kind)
            kinds = {edge.kind, mirror.kind} if mirror is not None else {edge.kind}
            yield Bond(
                next((kind for kind in key if kind in kinds), edge.kind),
                refs[edge.one],
                refs[edge.other],
                words,
                edge.label,
                edge.directed,
                (mirror.label or words) if mirror is not None else "",
                edge.count,
            )


def _throws(book: Book) -> Iterator[_Throw]:
    """All throws of two who have sheets."""
    sheets = {one.name.casefold(): one.id for one in book.sheets if one.shape != "place"}
    for session in book.sessions:
        for step in session.steps:
            contest = step.contest
            if contest is None or step.hidden or step.taken_back:
                continue
            sides = {
                sheets[name]: side.won
                for side in contest.sides
                if (name := side.name.casefold()) in sheets
            }
            if len(sides) == 2:
                one, other = sorted(sides)
                winner = one if sides[one] else other if sides[other] else ""
                yield _Throw(session.number, one, other, contest.title, winner)


def _met(book: Book) -> Iterator[tuple[int, tuple[str, str]]]:
    """Everybody who met somebody in a scene, and in which evening."""
    known = {sheet.id for sheet in book.sheets if sheet.shape in ("person", "kind")}
    for scene in book.record.timeline.scenes:
        for pair in combinations(sorted(known.intersection(scene.cast)), 2):
            yield scene.session, pair
