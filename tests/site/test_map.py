"""The map of who hangs together with whom: nothing upon anything else, nothing cut, nothing false."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest

from chronicle.core.campaign_view import Edge, Graph, Node, Ref
from chronicle.site import counted, maps
from chronicle.site.bonds import DICE_BOND, SCENES_BOND, Bond
from chronicle.site.emblems import Emblem
from chronicle.site.graphs import GraphDrawer
from chronicle.site.pages import relations
from tests.site.made import EXAMPLES, example, made

NAMES = (
    "Aud",
    "Corin Pask",
    "Hester Teague",
    "the watch below",
    "brass notebook",
    "presiding officer",
)


def crowd(count: int) -> tuple[list[maps.MapPerson], list[Bond]]:
    """So many people in five places, and what ties them."""
    random = Random(count)
    people = [
        maps.MapPerson(
            Ref("sheet", f"c{at}", f"{random.choice(NAMES)} {at}"),
            random.choice(["", "keeper", "of the Constance"]),
            Emblem(str(at)),
            random.choice(["", "The bar", "Vesper Head", "The Board", "The flats", "Tram"]),
            at < 6,
        )
        for at in range(count)
    ]
    ties = [
        Bond(
            random.choice(["tie", "owns", "member", DICE_BOND, SCENES_BOND]),
            person.ref,
            random.choice(
                people_near(person, people)
                if random.random() < 0.7
                else other_people(person, people)
            ).ref,
            "something",
            random.choice(["", "owes a night's silence", "2 : 1"]),
            random.random() < 0.5,
        )
        for person in people
        for _ in range(random.choice([1, 1, 2]))
    ]
    return people, ties


@lru_cache
def laid(count: int) -> tuple[list[maps.MapPerson], maps.Layout]:
    """So many people, and the layout of their map."""
    people, ties = crowd(count)
    return people, layout_of(people, ties)


def layout_of(people: Sequence[maps.MapPerson], bonds: Sequence[Bond]) -> maps.Layout:
    lines = maps.drawn_bonds(bonds)
    layout = maps.choose_layout(drawer(), "All", people, lines, maps._labels_of_lines(lines))
    assert layout is not None
    return layout


@lru_cache
def drawn_of(count: int) -> str:
    """The map of so many people."""
    drawn = maps.draw_map(drawer(), "All", *crowd(count), lambda ref: f"{ref.id}.html")
    assert drawn is not None
    return drawn


def other_people(person: maps.MapPerson, people: list[maps.MapPerson]) -> list[maps.MapPerson]:
    return [other_person for other_person in people if other_person is not person]


def people_near(person: maps.MapPerson, people: list[maps.MapPerson]) -> list[maps.MapPerson]:
    """The others who are met where somebody is met."""
    return [
        o for o in other_people(person, people) if o.place_name == person.place_name
    ] or other_people(person, people)


def drawer() -> GraphDrawer:
    return GraphDrawer(lambda ref: f"{ref.id}.html", lambda name: 0)


@pytest.mark.parametrize("count", [2, 5, 17, 30, 60])
def test_nobody_stands_on_anybody_and_nothing_is_cut(count: int) -> None:
    people, layout = laid(count)
    for number, person in enumerate(people):
        x, y = layout.person_centres[person.ref.id]
        wide, tall = person.box_size
        assert wide / 2 < x < layout.width - wide / 2
        assert tall / 2 < y < layout.height - tall / 2
        for other_person in people[:number]:
            its_x, its_y = layout.person_centres[other_person.ref.id]
            room = [(person.box_size[axis] + other_person.box_size[axis]) / 2 for axis in (0, 1)]
            assert abs(x - its_x) >= room[0] or abs(y - its_y) >= room[1], (person, other_person)


@pytest.mark.parametrize("count", [17, pytest.param(60, marks=pytest.mark.integration)])
def test_everybody_leads_to_a_sheet_and_everything_is_inside(count: int) -> None:
    people, _ = crowd(count)
    drawn = drawn_of(count)
    box = re.search(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"', drawn)
    assert box is not None
    left_edge, top, wide, height = map(int, box.groups())
    for person in people:
        assert drawn.count(f'href="{person.ref.id}.html"') == 1
    for y in re.findall(r'<text[^>]* y="([\d.]+)"', drawn):
        assert top < float(y) < top + height
    for x, width in re.findall(r'<rect class="ch-map__ground" x="(\d+)"[^>]* width="(\d+)"', drawn):
        assert left_edge < int(x) and int(x) + int(width) < left_edge + wide
    # Seen in one piece, however many there are.
    assert height < 3 * wide


def test_the_same_people_get_the_same_map_again() -> None:
    assert drawn_of(17) == maps.draw_map(drawer(), "All", *crowd(17), lambda ref: f"{ref.id}.html")


@pytest.mark.parametrize("count", [2, 5, 17, 30, pytest.param(60, marks=pytest.mark.integration)])
def test_no_line_leaves_the_picture(count: int) -> None:
    _, layout = laid(count)
    for at in points_of(layout):
        assert -maps.MAP_MARGIN < at.x < layout.width + maps.MAP_MARGIN
        assert -maps.MAP_MARGIN < at.y < layout.height + maps.MAP_MARGIN


def points_of(layout: maps.Layout) -> list[maps.Point]:
    return [
        at for line in layout.line_splines for spline in line for at in maps._points_along(spline)
    ]


def strikes(layout: maps.Layout, middle: maps.Point, wide: float, tall: float) -> int:
    """How many lines run through a rectangle."""
    return sum(
        any(
            abs(at.x - middle.x) < wide / 2 and abs(at.y - middle.y) < tall / 2
            for spline in line
            for at in maps._points_along(spline)
        )
        for line in layout.line_splines
    )


def examples() -> Iterator[tuple[relations.ConnectionMap, list[Bond], maps.Layout]]:
    """The maps of the play examples after their last evening."""
    for folder in EXAMPLES:
        campaign_site, _ = made(folder)
        web = relations.connection_map_of(campaign_site, max(campaign_site.view.session_ends))
        if web.bonds and not web.counted_graphs:
            yield web, maps.drawn_bonds(web.bonds), layout_of(web.people, web.bonds)


@pytest.mark.slow
def test_no_line_of_a_play_example_strikes_words_or_an_emblem() -> None:
    labels = names = 0
    for web, lines, layout in examples():
        words = maps._labels_of_lines(lines)
        for number, middle in layout.label_centres.items():
            wide, tall = maps.label_size(words.get(number, ""), lines[number].kind)
            assert not strikes(layout, middle, wide - 10, tall - 8), lines[number]
            labels += 1
        for person in web.people:
            wide, tall = person.box_size
            assert not strikes(layout, layout.person_centres[person.ref.id], wide - 4, tall - 4), (
                person
            )
            names += 1
    assert labels > 20
    assert names > 60


def test_a_line_goes_on_to_the_emblem_but_not_through_the_name() -> None:
    person = maps.MapPerson(Ref("sheet", "a", "mate of the Constance"), "keeper", Emblem("a"))
    middle = maps.Point(0, 0)
    centre = maps.emblem_centre(person, middle)
    beside = tuple(maps.Point(x, centre.y) for x in (-300, -250, -200, -110))
    reached = maps.extend_to_emblem(beside, person, middle)
    assert reached[:4] == beside and len(reached) == 7
    assert reached[-1] == pytest.approx((-person.radius - maps.EMBLEM_GAP, centre.y))
    below = tuple(maps.Point(0, y) for y in (300, 250, 200, 70))
    assert maps.extend_to_emblem(below, person, middle) == below


def test_the_words_at_a_line_are_not_cut() -> None:
    page = example("the-dry-book").html("relations")
    drawn = re.sub(r"<[^>]*>", " ", page[page.index('<svg class="ch-map') :])
    assert "Quill forged the order that put him in prison, and never asked whose it was" in (
        " ".join(drawn.split())
    )
    lines = maps.label_lines("Marrow opened the harbourmaster’s safe and left Tern’s glove in it")
    assert len(lines) == 3 and max(map(len, lines)) <= 30


def test_grounds_go_where_lines_would_run_round_them() -> None:
    ground = f'class="{maps.GROUND_CLASS}"'
    page = example("the-lantern-coast").html("relations")
    assert ground not in page and "grouped by where they are met" not in page
    page = example("the-ferry-house").html("relations")
    assert ground in page and "grouped by where they are met" in page


def test_the_name_of_a_place_stands_where_no_line_runs() -> None:
    box, middle = maps.Box(0, 0, 600, 300), maps.Point(300, 12)
    line = tuple(maps.Point(300, y) for y in (-50, 0, 50, 100))

    def name_at(*lines: maps.Spline) -> str:
        layout = maps.Layout(600, 300, {}, [[*lines]], {}, {"Tram": box}, {"Tram": middle})
        drawn = re.search(r' x="(\d+)"', maps._draw_place_name("Tram", layout))
        assert drawn is not None
        return drawn[1]

    assert name_at() == "300"
    assert name_at(line) == "43"


@pytest.mark.parametrize("count", [17, 60])
def test_a_ground_holds_all_who_are_met_there_and_nobody_else(count: int) -> None:
    people, layout = laid(count)
    for place, box in layout.place_boxes.items():
        for person in people:
            x, y = layout.person_centres[person.ref.id]
            inside = box.left < x < box.right and box.top < y < box.bottom
            assert inside == (person.place_name == place), (person, place)


def test_what_ties_people_is_what_the_log_says() -> None:
    campaign_site, _ = coast = example("the-lantern-coast")
    ties = {
        (bond.kind, bond.first_ref.label, bond.second_ref.label): bond
        for bond in campaign_site.bonds.latest_bonds
    }
    assert ties["tie", "Aud Hallam", "Lorne Hallam"].reverse_description == "brother of Aud"
    assert ties["owns", "Hester Teague", "false lantern"].is_over
    assert ties["dice", "the Guest", "Aud Hallam"].line_label == "1 : 1"
    assert ties["scenes", "Aud Hallam", "Nim"].description == "in 4 scenes together"
    page = coast.html("relations")
    assert "owes Aud Hallam a night" in page
    first = coast.html("relations/after-1")
    assert "presiding officer" not in first
    assert "mate of the Constance" not in first


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_no_evening_knows_what_a_later_one_brings(folder: Path) -> None:
    campaign_site, _ = made(folder)
    for number, evening in campaign_site.view.session_ends.items():
        for bond in campaign_site.bonds.bonds_after(number):
            assert {bond.first_ref.id, bond.second_ref.id} <= evening.subjects.keys()


def test_whoever_rolls_together_is_not_against_each_other() -> None:
    shown = example("the-dry-book")
    bonds = {
        frozenset((bond.first_ref.label, bond.second_ref.label)): bond
        for bond in shown.campaign_site.bonds.latest_bonds
        if bond.kind in ("dice", "together")
    }
    assert {bond.kind for bond in bonds.values()} == {"together"}
    marrow_and_tern = bonds[frozenset(("Marrow", "Tern"))]
    assert marrow_and_tern.description == "rolled dice together in 9 scenes, 7 of them well"
    assert marrow_and_tern.line_label == "went well 7 of 9 times"
    page = shown.html("relations")
    assert "against each other" not in page
    assert 'class="ch-bond k-together"' in page
    assert "rolled dice together in 9 scenes, 7 of them well" in shown.html("spies/marrow")
    # Where only words are between two, the list says that it was dice.
    aud = example("the-lantern-coast").html("characters/aud-hallam")
    assert "against each other in dice: “A talk refused”" in aud
    for story in ("the-weather-market", "snowshed-nine", "the-boathouse"):
        latest = example(story).campaign_site.bonds.latest_bonds
        assert "together" not in {bond.kind for bond in latest}


def test_a_counted_line_has_a_mark_for_each_reason() -> None:
    nodes = tuple(Node(id, id, ref=Ref("sheet", id, id)) for id in "abcd")
    key = (("green", "for"), ("red", "against"), ("green loose", "for now"), ("red loose", "now"))
    edges = (
        Edge("a", "b", "kind", "green", count=3),
        Edge("a", "b", "proud", "red", count=2),
        Edge("a", "b", "since", "green loose", count=1),
        Edge("c", "d", "much", "red", count=40),
    )
    graph = Graph("Map", nodes, edges, key, counted=True)
    for width in (counted.WIDE_WIDTH, counted.NARROW_WIDTH):
        drawn = counted.draw_counted_graph(graph, width, lambda id: None, lambda ref: ref.id)
        assert drawn.count('class="ch-counted__bead"') == 3
        assert drawn.count('class="ch-counted__bead is-hollow"') == 1
        assert drawn.count('class="ch-counted__thorn"') == 3
        assert ">40</text>" in drawn
    first_pair, second_pair = counted.pairs_in_words(graph)
    assert first_pair.counts_text == "4 for, 2 against"
    assert second_pair.counts_text == "0 for, 40 against"


def test_a_map_is_laid_out_once_for_the_same_people_and_lines() -> None:
    people, ties = crowd(12)
    graphs = drawer()
    drawn = maps.draw_map(graphs, "All", people, ties, lambda ref: ref.id)
    assert drawn is not None
    layouts = len(graphs._drawings_by_key)
    changed = [tie._replace(description="something else") for tie in ties]
    redrawn = maps.draw_map(graphs, "All", people, changed, lambda ref: ref.id)
    assert len(graphs._drawings_by_key) == layouts
    assert redrawn == drawn.replace("something", "something else")
    people[0] = people[0]._replace(note="a note that is new and longer")
    assert maps.draw_map(graphs, "All", people, ties, lambda ref: ref.id) == maps.draw_map(
        drawer(), "All", people, ties, lambda ref: ref.id
    )
    assert len(graphs._drawings_by_key) > layouts


def test_without_an_engine_or_a_readable_answer_there_is_no_map() -> None:
    people, ties = crowd(5)
    for answer in (None, "<svg></svg>"):
        graphs = drawer()
        graphs.run_layout = lambda *args, answer=answer: answer  # type: ignore[method-assign]
        assert maps.draw_map(graphs, "All", people, ties, lambda ref: ref.id) is None


def test_a_map_too_large_to_be_read_scrolls_on_a_screen_and_is_left_out_of_a_book() -> None:
    for count, large in ((17, False), (60, True)):
        people, ties = crowd(count)
        screen = maps.draw_map(drawer(), "All", people, ties, lambda ref: ref.id)
        assert screen is not None
        assert ('class="ch-map is-wide"' in screen) == large
        view = maps.draw_map(
            drawer(), "All", people, ties, lambda ref: ref.id, maps.BOOK_PAGE_WIDTH
        )
        assert (view is None) == large


def test_names_of_players_never_reach_graphviz() -> None:
    people, ties = crowd(17)
    lines = maps.drawn_bonds(ties)
    for source in maps._dot_sources(people, lines, maps._labels_of_lines(lines)):
        assert "Vesper" not in source
        assert "Corin" not in source
        assert "silence" not in source


def test_arcs_are_short() -> None:
    """People with ties stand close together, whatever order they come in."""
    chain = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
    order = maps.arrange_in_line(["a", "c", "e", "b", "d"], chain)
    assert "".join(order) in ("abcde", "edcba")
    assert maps.arrange_in_line(["b", "a"], []) == ["b", "a"]


def test_arcs_between_the_same_two_people_lie_apart() -> None:
    """Each can be followed from end to end, whichever of the two it begins at."""
    one, other = crowd(2)[0]
    ties = [
        Bond("tie", one.ref, other.ref, "a brother"),
        Bond("owes", other.ref, one.ref, "a silence"),
        Bond(DICE_BOND, one.ref, other.ref, "2 : 1", "2 : 1"),
    ]
    drawn = maps.draw_arcs([one, other], ties, {})
    paths = re.findall(r'<path d="M([\d.]+) ([\d.]+)C([\d.-]+) [\d. -]+ ([\d.]+)"', drawn)
    assert len(paths) == 3
    for first, second in pairwise(sorted(paths, key=lambda path: -float(path[2]))):
        inner_ends, outer_ends = (
            sorted((float(path[1]), float(path[3]))) for path in (first, second)
        )
        assert float(first[2]) - float(second[2]) >= 10
        assert inner_ends[0] - outer_ends[0] >= 4
        assert outer_ends[1] - inner_ends[1] >= 4
    assert all(float(path[2]) * 0.75 + maps.AXIS_X / 4 > 3 for path in paths)


def test_no_two_arcs_end_at_the_same_place() -> None:
    """Where an arc ends, no other does; one that lies in another stays in it."""
    people, _ = crowd(4)
    ties = [Bond("tie", one.ref, other.ref, "") for one, other in combinations(people, 2)]
    drawn = maps.draw_arcs(people, ties, {})
    paths = re.findall(r'<path d="M[\d.]+ ([\d.]+)C[\d. -]+ ([\d.]+)"', drawn)
    spans = [sorted((float(first), float(last))) for first, last in paths]
    ends = sorted(end for span in spans for end in span)
    assert len(ends) == 12
    assert all(second - first >= 6.9 for first, second in pairwise(ends))
    for one, other in combinations(spans, 2):
        rows = [[int(end // maps.ROW_HEIGHT) for end in span] for span in (one, other)]
        if rows[0][0] == rows[1][0]:
            # Both begin at one person: the one that goes further begins above.
            assert (one[0] < other[0]) == (one[1] > other[1])


@pytest.mark.parametrize("count", [3, 5, 7])
def test_the_ends_of_arcs_do_not_touch(count: int) -> None:
    people, _ = crowd(count)
    ties = [Bond("member", one.ref, other.ref, "") for one, other in combinations(people, 2)]
    drawn = maps.draw_arcs(people, ties, {})
    squares = sorted(
        (float(y), float(scale) * maps.MARKER_HEIGHT)
        for y, scale in re.findall(r"translate\(\d+ ([\d.]+)\) scale\(([\d.]+)\)", drawn)
    )
    assert len(squares) == len(ties)
    for (first, first_height), (second, second_height) in pairwise(squares):
        assert second - first > (first_height + second_height) / 2 + 1


def test_a_person_in_the_list_says_who_the_ties_are_with() -> None:
    page = example("the-dry-book").html("relations")
    quill = page[page.index("<summary>") : page.index("</summary>")]
    assert "Quill" in quill
    assert "Tern" in quill
    assert "Marrow" in quill
    assert page.count('<details class="ch-knot">') == 9
