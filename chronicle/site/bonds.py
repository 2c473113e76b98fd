"""The connections between the sheets of a story after a session: ties that the game keeps, contests with
dice, and shared scenes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations
from typing import Final, NamedTuple

from chronicle.core.campaign_view import CampaignView, Graph, Ref
from chronicle.core.diagnostic import listed
from chronicle.core.record import Contest, Side
from chronicle.words import word

DICE_BOND: Final = "dice"
SCENES_BOND: Final = "scenes"
TOGETHER_BOND: Final = "together"
SHARED_BOND_KEY: Final = (
    (DICE_BOND, word("site.bond_dice")),
    (TOGETHER_BOND, word("site.bond_together")),
    (SCENES_BOND, word("site.bond_scenes")),
)
"""The kinds of bonds that no game names."""
MIN_SHARED_SCENES = 2
"""The number of shared scenes that makes a connection."""
MAX_SCENE_PARTNERS = 3
"""The number of people with whom one person is shown to share scenes, at most."""
MAX_NAMED_THROWS = 3
"""The number of throws listed by name; the others are only counted."""


class Bond(NamedTuple):
    """What two have to do with each other. ``kind`` is that of an edge of a graph, :data:`DICE_BOND`,
    :data:`TOGETHER_BOND` or :data:`SCENES_BOND`."""

    kind: str
    first_ref: Ref
    second_ref: Ref
    description: str = ""
    """The words about it; a list shows them, a map does not."""
    line_label: str = ""
    """What stands at its line."""
    is_directed: bool = False
    reverse_description: str = ""
    """What the other says of it, where each says something."""
    occurrence_count: int = 1
    is_over: bool = False
    """Whether it held after an earlier evening only."""


class Tie(NamedTuple):
    """A bond as one of the two has it."""

    kind: str
    direction: str
    """``to``, ``from``, or empty where it holds both ways."""
    partner: Ref
    description: str
    is_over: bool


class Bonds:
    """All connections of a campaign between sheets.

    Args:
        view: the campaign.
        find_name: gives the name of a sheet by its id.
    """

    def __init__(self, view: CampaignView, find_name: Callable[[str], str]) -> None:
        self._session_ends = view.session_ends
        self._find_name = find_name
        self._ties_by_session = {
            session_number: dict.fromkeys(bonds_in_graphs(session_end.relations))
            for session_number, session_end in self._session_ends.items()
        }
        self._opposed_throws = list(_opposed_throws(view))
        self._joint_throws = list(_joint_throws(view))
        self._pairs_by_session = list(_pairs_in_scenes(view))
        self._bonds_by_session: dict[int, tuple[Bond, ...]] = {}

    def bonds_after(self, last_session: int) -> tuple[Bond, ...]:
        """Those after an evening, with those that had ended by then."""
        if last_session not in self._bonds_by_session:
            self._bonds_by_session[last_session] = tuple(self._bonds_after(last_session))
        return self._bonds_by_session[last_session]

    @property
    def latest_bonds(self) -> tuple[Bond, ...]:
        """Those after the last evening."""
        return self.bonds_after(max(self._session_ends)) if self._session_ends else ()

    def _bonds_after(self, last_session: int) -> Iterator[Bond]:
        ties = self._ties_by_session[last_session]
        states_by_sheet = self._session_ends[last_session].subjects
        tied_pairs = {frozenset((bond.first_ref.id, bond.second_ref.id)) for bond in ties}
        earlier_ties = chain.from_iterable(
            ties_of_session
            for session_number, ties_of_session in self._ties_by_session.items()
            if session_number < last_session
        )
        ended_ties = dict.fromkeys(
            bond._replace(is_over=True)
            for bond in earlier_ties
            if frozenset((bond.first_ref.id, bond.second_ref.id)) not in tied_pairs
        )
        shared_bonds = (
            self._dice_bonds(last_session),
            self._joint_throw_bonds(last_session),
            self._shared_scene_bonds(last_session),
        )
        for bond in chain(ties, ended_ties, *shared_bonds):
            if bond.first_ref.id in states_by_sheet and bond.second_ref.id in states_by_sheet:
                yield bond

    def _dice_bonds(self, last_session: int) -> Iterator[Bond]:
        """Who met whom in dice, and how it came out."""
        contests_by_pair = _contests_by_pair(self._opposed_throws, last_session)
        for (first_id, second_id), contests_of_pair in contests_by_pair.items():
            contest_titles = list(
                dict.fromkeys(pair_in_contest.contest_title for pair_in_contest in contests_of_pair)
            )
            unnamed_count = len(contest_titles) - MAX_NAMED_THROWS
            unnamed_text = (
                word("site.other_rolls", count=unnamed_count) if unnamed_count > 0 else ""
            )
            win_counts = Counter(pair_in_contest.winner_id for pair_in_contest in contests_of_pair)
            yield Bond(
                DICE_BOND,
                self._sheet_ref(first_id),
                self._sheet_ref(second_id),
                word(
                    "site.dice_about",
                    titles=listed(
                        [
                            *(
                                f"“{contest_title}”"
                                for contest_title in contest_titles[:MAX_NAMED_THROWS]
                            ),
                            *filter(None, [unnamed_text]),
                        ]
                    ),
                ),
                f"{win_counts[first_id]} : {win_counts[second_id]}"
                if win_counts[first_id] or win_counts[second_id]
                else "",
                occurrence_count=len(contests_of_pair),
            )

    def _joint_throw_bonds(self, last_session: int) -> Iterator[Bond]:
        """Who rolled together, in how many scenes, and in how many of these it went well."""
        contests_by_pair = _contests_by_pair(self._joint_throws, last_session)
        for (first_id, second_id), contests_of_pair in contests_by_pair.items():
            is_won_by_title = {
                pair_in_contest.contest_title: bool(pair_in_contest.winner_id)
                for pair_in_contest in contests_of_pair
            }
            throw_count, won_count = len(is_won_by_title), sum(is_won_by_title.values())
            yield Bond(
                TOGETHER_BOND,
                self._sheet_ref(first_id),
                self._sheet_ref(second_id),
                word("site.rolled_together", count=throw_count, well=won_count),
                word("site.n_of_n_well", count=throw_count, well=won_count),
                occurrence_count=throw_count,
            )

    def _shared_scene_bonds(self, last_session: int) -> Iterator[Bond]:
        """Who shared the most scenes with whom."""
        scene_counts = Counter(
            id_pair
            for session_number, id_pair in self._pairs_by_session
            if session_number <= last_session
        )
        shown_counts: Counter[str] = Counter()
        for (first_id, second_id), scene_count in sorted(
            scene_counts.items(), key=lambda pair_and_count: (-pair_and_count[1], pair_and_count[0])
        ):
            if scene_count < MIN_SHARED_SCENES:
                break
            if max(shown_counts[first_id], shown_counts[second_id]) < MAX_SCENE_PARTNERS:
                shown_counts.update((first_id, second_id))
                description = word("site.scenes_together", count=scene_count)
                yield Bond(
                    SCENES_BOND,
                    self._sheet_ref(first_id),
                    self._sheet_ref(second_id),
                    description,
                    occurrence_count=scene_count,
                )

    def _sheet_ref(self, sheet_id: str) -> Ref:
        return Ref("sheet", sheet_id, self._find_name(sheet_id))


class _PairInContest(NamedTuple):
    """Two people in a contest with dice. ``winner_id`` is one of them; empty if there is no winner. Where they
    rolled together, it is the first of them if they won."""

    session_number: int
    first_id: str
    second_id: str
    contest_title: str
    winner_id: str


def _contests_by_pair(
    pairs_in_contests: Iterable[_PairInContest], last_session: int
) -> dict[tuple[str, str], list[_PairInContest]]:
    """The throws of two people up to a session, by their ids."""
    contests_by_pair: dict[tuple[str, str], list[_PairInContest]] = {}
    for pair_in_contest in pairs_in_contests:
        if pair_in_contest.session_number <= last_session:
            contests_by_pair.setdefault(
                (pair_in_contest.first_id, pair_in_contest.second_id), []
            ).append(pair_in_contest)
    return contests_by_pair


def ties_of(bonds: Iterable[Bond]) -> dict[str, list[Tie]]:
    """The bonds of everybody, by the id of the sheet."""
    ties_by_sheet: defaultdict[str, list[Tie]] = defaultdict(list)
    for bond in bonds:
        directions = (
            ("to", "from") if bond.is_directed and not bond.reverse_description else ("", "")
        )
        descriptions = bond.description, bond.reverse_description or bond.description
        ties_by_sheet[bond.first_ref.id].append(
            Tie(bond.kind, directions[0], bond.second_ref, descriptions[0], bond.is_over)
        )
        ties_by_sheet[bond.second_ref.id].append(
            Tie(bond.kind, directions[1], bond.first_ref, descriptions[1], bond.is_over)
        )
    return ties_by_sheet


def bonds_in_graphs(graphs: Iterable[Graph]) -> Iterator[Bond]:
    """What the graphs of a game say; two lines there and back are one."""
    for graph in graphs:
        ref_by_node = {
            node.id: node.ref
            for node in graph.nodes
            if node.ref is not None and node.ref.kind == "sheet"
        }
        words_by_kind = dict(graph.key)
        edges = [
            edge
            for edge in graph.edges
            if edge.start in ref_by_node and edge.end in ref_by_node and edge.start != edge.end
        ]
        index_by_ends = {
            (edge.start, edge.end): edge_index for edge_index, edge in enumerate(edges)
        }
        for edge_index, edge in enumerate(edges):
            reverse_index = index_by_ends.get((edge.end, edge.start))
            if reverse_index is not None and reverse_index < edge_index:
                continue
            reverse_edge = edges[reverse_index] if reverse_index is not None else None
            description = edge.label or words_by_kind.get(edge.kind, edge.kind)
            edge_kinds = {edge.kind, reverse_edge.kind} if reverse_edge is not None else {edge.kind}
            yield Bond(
                next((kind for kind in words_by_kind if kind in edge_kinds), edge.kind),
                ref_by_node[edge.start],
                ref_by_node[edge.end],
                description,
                edge.label,
                edge.directed,
                (reverse_edge.label or description) if reverse_edge is not None else "",
                edge.count,
            )


def _allies(contest: Contest) -> list[Side]:
    """The sides that roll together: their dice are of one colour, and those of the last side of another."""
    colours_by_side = [{die.colour for die in side.dice} for side in contest.sides]
    if len(colours_by_side) < 2 or not colours_by_side[-1]:
        return []
    ally_colours = set().union(*colours_by_side[:-1])
    have_shared_colour = (
        len(ally_colours) == 1 and "" not in ally_colours and ally_colours != colours_by_side[-1]
    )
    have_same_result = len({side.won for side in contest.sides[:-1]}) == 1
    return list(contest.sides[:-1]) if have_shared_colour and have_same_result else []


def _opposed_contests(view: CampaignView) -> Iterator[tuple[int, Contest]]:
    """The contests with an opposition that readers may know, each with the number of its session."""
    for session in view.sessions:
        for step in session.steps:
            contest = step.contest
            if contest is not None and contest.is_opposed and not (step.hidden or step.is_undone):
                yield session.number, contest


def _sheet_ids_by_name(view: CampaignView) -> dict[str, str]:
    return {sheet.name.casefold(): sheet.id for sheet in view.sheets if sheet.shape != "place"}


def _joint_throws(view: CampaignView) -> Iterator[_PairInContest]:
    """For each pair who rolled together, each throw."""
    sheet_id_by_name = _sheet_ids_by_name(view)
    for session_number, contest in _opposed_contests(view):
        has_won_by_sheet = {
            sheet_id_by_name[folded_name]: side.won
            for side in _allies(contest)
            if (folded_name := side.name.casefold()) in sheet_id_by_name
        }
        for first_ally_id, second_ally_id in combinations(sorted(has_won_by_sheet), 2):
            winner_id = (
                first_ally_id
                if has_won_by_sheet[first_ally_id] and has_won_by_sheet[second_ally_id]
                else ""
            )
            yield _PairInContest(
                session_number, first_ally_id, second_ally_id, contest.title, winner_id
            )


def _opposed_throws(view: CampaignView) -> Iterator[_PairInContest]:
    """All throws of two who have sheets, against each other."""
    sheet_id_by_name = _sheet_ids_by_name(view)
    for session_number, contest in _opposed_contests(view):
        if _allies(contest):
            continue
        has_won_by_sheet = {
            sheet_id_by_name[name]: side.won
            for side in contest.sides
            if (name := side.name.casefold()) in sheet_id_by_name
        }
        if len(has_won_by_sheet) == 2:
            first_opponent_id, second_opponent_id = sorted(has_won_by_sheet)
            winner_id = next(
                (
                    sheet_id
                    for sheet_id in (first_opponent_id, second_opponent_id)
                    if has_won_by_sheet[sheet_id]
                ),
                "",
            )
            yield _PairInContest(
                session_number, first_opponent_id, second_opponent_id, contest.title, winner_id
            )


def _pairs_in_scenes(view: CampaignView) -> Iterator[tuple[int, tuple[str, str]]]:
    """Each session and pair of people who met in a scene."""
    sheet_ids = {sheet.id for sheet in view.sheets if sheet.shape in ("person", "kind")}
    for scene in view.record.timeline.scenes:
        for pair in combinations(sorted(sheet_ids.intersection(scene.cast)), 2):
            yield scene.session, pair
