"""The connections between the sheets of a story after a session: ties that the game keeps, contests with
dice, and shared scenes."""

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
"""The number of shared scenes that makes a connection."""
CLOSEST = 3
"""The number of people with whom one person is shown to share scenes, at most."""
NAMED = 3
"""The number of throws listed by name; the others are only counted."""


class Bond(NamedTuple):
    """What two have to do with each other. ``kind`` is that of an edge of a graph, :data:`DICE` or
    :data:`SCENES`."""

    kind: str
    first: Ref
    second: Ref
    words: str = ""
    """The words about it; a list shows them, a map does not."""
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
    direction: str
    """``to``, ``from``, or empty where it holds both ways."""
    partner: Ref
    words: str
    over: bool


class Bonds:
    """All connections of a campaign between sheets.

    Args:
        book: the campaign.
        name: gives the name of a sheet by its id.
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
            self._made[last] = tuple(self._as_of(last))
        return self._made[last]

    @property
    def latest(self) -> tuple[Bond, ...]:
        """Those after the last evening."""
        return self.through(max(self._evenings)) if self._evenings else ()

    def _as_of(self, last: int) -> Iterator[Bond]:
        ties = self._ties[last]
        states = self._evenings[last].subjects
        ends = {frozenset((bond.first.id, bond.second.id)) for bond in ties}
        earlier_ties = chain.from_iterable(
            ties_of_session for night, ties_of_session in self._ties.items() if night < last
        )
        gone = dict.fromkeys(
            bond._replace(over=True)
            for bond in earlier_ties
            if frozenset((bond.first.id, bond.second.id)) not in ends
        )
        for bond in chain(ties, gone, self._thrown(last), self._shared(last)):
            if bond.first.id in states and bond.second.id in states:
                yield bond

    def _thrown(self, last: int) -> Iterator[Bond]:
        """Who met whom in dice, and how it came out."""
        met: dict[tuple[str, str], list[_Throw]] = {}
        for throw in self._throws:
            if throw.session <= last:
                met.setdefault((throw.first, throw.second), []).append(throw)
        for (first, second), throws in met.items():
            titles = list(dict.fromkeys(throw.title for throw in throws))
            other_count = len(titles) - NAMED
            other_rolls = word("site.other_rolls", count=other_count) if other_count > 0 else ""
            score = Counter(throw.winner for throw in throws)
            yield Bond(
                DICE,
                self._link(first),
                self._link(second),
                listed([*(f"“{title}”" for title in titles[:NAMED]), *filter(None, [other_rolls])]),
                f"{score[first]} : {score[second]}" if score[first] or score[second] else "",
                weight=len(throws),
            )

    def _shared(self, last: int) -> Iterator[Bond]:
        """Who shared the most scenes with whom."""
        count = Counter(pair for session, pair in self._met if session <= last)
        shown: Counter[str] = Counter()
        for (first, second), scenes in sorted(count.items(), key=lambda item: (-item[1], item[0])):
            if scenes < SHARED:
                break
            if max(shown[first], shown[second]) < CLOSEST:
                shown.update((first, second))
                words = word("site.scenes_together", count=scenes)
                yield Bond(SCENES, self._link(first), self._link(second), words, weight=scenes)

    def _link(self, id: str) -> Ref:
        return Ref("sheet", id, self._name(id))


class _Throw(NamedTuple):
    """Two people in a contest with dice. ``winner`` is one of them; empty if there is no winner."""

    session: int
    first: str
    second: str
    title: str
    winner: str


def ties_of(bonds: Iterable[Bond]) -> dict[str, list[Tie]]:
    """The bonds of everybody, by the id of the sheet."""
    ties: defaultdict[str, list[Tie]] = defaultdict(list)
    for bond in bonds:
        directions = ("to", "from") if bond.directed and not bond.mutual else ("", "")
        descriptions = bond.words, bond.mutual or bond.words
        ties[bond.first.id].append(
            Tie(bond.kind, directions[0], bond.second, descriptions[0], bond.over)
        )
        ties[bond.second.id].append(
            Tie(bond.kind, directions[1], bond.first, descriptions[1], bond.over)
        )
    return ties


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
            if edge.start in refs and edge.end in refs and edge.start != edge.end
        ]
        positions = {(edge.start, edge.end): position for position, edge in enumerate(edges)}
        for position, edge in enumerate(edges):
            reverse = positions.get((edge.end, edge.start))
            if reverse is not None and reverse < position:
                continue
            mirror = edges[reverse] if reverse is not None else None
            words = edge.label or key.get(edge.kind, edge.kind)
            kinds = {edge.kind, mirror.kind} if mirror is not None else {edge.kind}
            yield Bond(
                next((kind for kind in key if kind in kinds), edge.kind),
                refs[edge.start],
                refs[edge.end],
                words,
                edge.label,
                edge.directed,
                (mirror.label or words) if mirror is not None else "",
                edge.count,
            )


def _throws(book: Book) -> Iterator[_Throw]:
    """All throws of two who have sheets."""
    sheets = {sheet.name.casefold(): sheet.id for sheet in book.sheets if sheet.shape != "place"}
    for session in book.sessions:
        for step in session.steps:
            contest = step.contest
            if contest is None or step.hidden or step.is_undone:
                continue
            sides = {
                sheets[name]: side.won
                for side in contest.sides
                if (name := side.name.casefold()) in sheets
            }
            if len(sides) == 2:
                first, second = sorted(sides)
                winner = first if sides[first] else second if sides[second] else ""
                yield _Throw(session.number, first, second, contest.title, winner)


def _met(book: Book) -> Iterator[tuple[int, tuple[str, str]]]:
    """Each session and pair of people who met in a scene."""
    sheet_ids = {sheet.id for sheet in book.sheets if sheet.shape in ("person", "kind")}
    for scene in book.record.timeline.scenes:
        for pair in combinations(sorted(sheet_ids.intersection(scene.cast)), 2):
            yield scene.session, pair
