"""The map of who hangs together with whom: nothing upon anything else, nothing cut, nothing false."""

import re
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from chronicle.core.book import Edge, Graph, Node, Ref
from chronicle.site import counted, maps
from chronicle.site.bonds import DICE, SCENES, Bond
from chronicle.site.emblems import Emblem
from chronicle.site.graphs import Drawer
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


def crowd(count: int) -> tuple[list[maps.Person], list[Bond]]:
    """So many people in five places, and what ties them."""
    random = Random(count)
    people = [
        maps.Person(
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
            random.choice(["tie", "owns", "member", DICE, SCENES]),
            one.ref,
            random.choice(near(one, people) if random.random() < 0.7 else others(one, people)).ref,
            "something",
            random.choice(["", "owes a night's silence", "2 : 1"]),
            random.random() < 0.5,
        )
        for one in people
        for _ in range(random.choice([1, 1, 2]))
    ]
    return people, ties


@lru_cache
def laid(count: int) -> tuple[list[maps.Person], dict[str, maps.Point]]:
    """So many people, and where they stand."""
    people, ties = crowd(count)
    at = maps.lay(drawer(), "All", people, ties, next(maps.questions(people, ties)))
    assert at is not None
    return people, at


@lru_cache
def drawn_of(count: int) -> str:
    """The map of so many people."""
    drawn = maps.draw(drawer(), "All", *crowd(count), lambda ref: f"{ref.id}.html")
    assert drawn is not None
    return drawn


def others(one: maps.Person, people: list[maps.Person]) -> list[maps.Person]:
    return [other for other in people if other is not one]


def near(one: maps.Person, people: list[maps.Person]) -> list[maps.Person]:
    """The others who are met where somebody is met."""
    return [o for o in others(one, people) if o.place == one.place] or others(one, people)


def drawer() -> Drawer:
    return Drawer(lambda ref: f"{ref.id}.html", lambda name: 0)


@pytest.mark.parametrize("count", [2, 5, 17, 30, 60])
def test_nobody_stands_on_anybody_and_nothing_is_cut(count: int) -> None:
    people, at = laid(count)
    for number, one in enumerate(people):
        x, y = at[one.ref.id]
        wide, tall = one.box
        assert wide / 2 < x < maps.WIDTH - wide / 2
        assert y > tall / 2
        for other in people[:number]:
            gap = abs(x - at[other.ref.id].x), abs(y - at[other.ref.id].y)
            room = [(one.box[axis] + other.box[axis]) / 2 for axis in (0, 1)]
            assert gap[0] >= room[0] or gap[1] >= room[1], (one, other)


@pytest.mark.parametrize("count", [17, pytest.param(60, marks=pytest.mark.integration)])
def test_everybody_leads_to_a_sheet_and_everything_is_inside(count: int) -> None:
    people, _ = crowd(count)
    drawn = drawn_of(count)
    box = re.search(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"', drawn)
    assert box is not None
    left, top, wide, height = map(int, box.groups())
    for one in people:
        assert drawn.count(f'href="{one.ref.id}.html"') == 1
    for y in re.findall(r'<text[^>]* y="([\d.]+)"', drawn):
        assert top < float(y) < top + height
    for x, rx in re.findall(r'<ellipse[^>]* cx="(\d+)"[^>]* rx="(\d+)"', drawn):
        assert left - 1 <= int(x) - int(rx)
        assert int(x) + int(rx) <= left + wide + 1
    # Seen in one piece, however many there are.
    assert height < 3 * wide


def test_the_same_people_get_the_same_map_again() -> None:
    assert drawn_of(17) == maps.draw(drawer(), "All", *crowd(17), lambda ref: f"{ref.id}.html")


BOW = re.compile(r'd="M([\d. -]+)Q([\d. -]+)"')


@pytest.mark.parametrize("count", [2, 5, 17, 30, pytest.param(60, marks=pytest.mark.integration)])
def test_no_line_bends_out_of_the_picture(count: int) -> None:
    assert _outside(drawn_of(count)) == []


def test_no_map_of_a_play_example_cuts_a_line() -> None:
    assert _outside(example("the-boathouse").html("relations/after-1")) == []


def _outside(page: str) -> list[str]:
    """The lines that reach over the edge of the map on a page."""
    found = re.search(r'class="ch-map"[^>]* viewBox="(\S+) (\S+) (\S+) (\S+)"', page)
    assert found is not None
    left, top, wide, height = map(float, found.groups())
    bows = BOW.findall(page[found.start() : page.index("</svg>", page.rindex('class="ch-bond'))])
    assert bows
    over = []
    for start, rest in bows:
        ends = [float(number) for number in f"{start} {rest}".replace("-", " -").split()]
        for t in (share / 20 for share in range(21)):
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            x, y = (a * ends[n] + b * ends[n + 2] + c * ends[n + 4] for n in (0, 1))
            if not (left < x < left + wide and top < y < top + height):
                over.append(f"M{start}Q{rest} at {x:.0f} {y:.0f}")
                break
    return over


@pytest.mark.parametrize("count", [17, 60])
def test_no_ground_holds_whoever_does_not_belong_there(count: int) -> None:
    people, at = laid(count)
    for patch in maps.grounds(people, at):
        inside = {
            one.ref.id for one in people if patch.reaches(maps.emblem_at(one, at[one.ref.id]))
        }
        assert inside <= patch.members


def test_what_ties_people_is_what_the_log_says() -> None:
    volume, _ = coast = example("the-lantern-coast")
    found = {(bond.kind, bond.one.label, bond.other.label): bond for bond in volume.bonds.now}
    assert found["tie", "Aud Hallam", "Lorne Hallam"].mutual == "brother of Aud"
    assert found["owns", "Hester Teague", "false lantern"].over
    assert found["dice", "the Guest", "Aud Hallam"].label == "1 : 1"
    assert found["scenes", "Aud Hallam", "Nim"].words == "4 scenes together"
    page = coast.html("relations")
    assert "owes Aud Hallam a night" in page
    first = coast.html("relations/after-1")
    assert "presiding officer" not in first
    assert "mate of the Constance" not in first


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_no_evening_knows_what_a_later_one_brings(folder: Path) -> None:
    volume, _ = made(folder)
    for number, evening in volume.book.evenings.items():
        for bond in volume.bonds.through(number):
            assert {bond.one.id, bond.other.id} <= evening.standing.keys()


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
    for width in (counted.WIDE, counted.NARROW):
        drawn = counted.draw(graph, width, lambda id: None, lambda ref: ref.id)
        assert drawn.count('class="ch-counted__bead"') == 3
        assert drawn.count('class="ch-counted__bead is-hollow"') == 1
        assert drawn.count('class="ch-counted__thorn"') == 3
        assert ">40</text>" in drawn
    one, other = counted.pairs(graph)
    assert one.said == "4 for, 2 against"
    assert other.said == "0 for, 40 against"


def test_hardly_a_line_runs_through_anybody_it_does_not_concern() -> None:
    lines = crossed = 0
    for folder in EXAMPLES:
        volume, _ = made(folder)
        web = relations.web_of(volume, max(volume.book.evenings))
        drawn = maps._lines(web.bonds)
        # As its page has it, which is drawn by now.
        graphs = Drawer(lambda ref: "", lambda name: 0, cache=volume.studio.graphs)
        plan = maps._planned(graphs, "All", web.people, drawn, maps.WIDTH) if drawn else None
        if plan is None or web.counted:
            continue
        boxes = {one.ref.id: maps._Box.around(plan.at[one.ref.id], one.box) for one in web.people}
        for bond, curve in zip(drawn, plan.curves, strict=True):
            others = [box for id, box in boxes.items() if id not in (bond.one.id, bond.other.id)]
            crossed += any(box.holds(point) for box in others for point in curve.points)
        lines += len(drawn)
    assert lines > 100
    assert crossed <= lines * 0.05


def test_maps_laid_out_together_are_as_each_by_itself() -> None:
    people, ties = crowd(9)
    sources = [*maps.questions(people, ties)][:3]
    together, alone = drawer(), drawer()
    together.lay_ahead(sources, *maps.PLAIN)
    assert len(together._cache) == 3
    for source in sources:
        assert alone.lay("All", source, *maps.PLAIN) is not None
    assert together._cache == alone._cache


def test_a_map_is_laid_out_once_for_the_same_people_and_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people, ties = crowd(12)
    graphs = drawer()
    drawn = maps.draw(graphs, "All", people, ties, lambda ref: ref.id)
    assert drawn is not None
    anew = []
    clearest = maps._clearest

    def noted(*asked: object) -> object:
        anew.append(asked)
        return clearest(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(maps, "_clearest", noted)
    said = [tie._replace(words="something else") for tie in ties]
    again = maps.draw(graphs, "All", people, said, lambda ref: ref.id)
    assert not anew
    assert again == drawn.replace("something", "something else")
    for others in (
        [people[0]._replace(note="a note that nobody had"), *people[1:]],
        [people[0]._replace(place="Elsewhere"), *people[1:]],
        [people[0]._replace(large=not people[0].large), *people[1:]],
    ):
        before = len(anew)
        seen = maps.draw(graphs, "All", others, ties, lambda ref: ref.id)
        assert len(anew) == before + 1
        assert seen == maps.draw(drawer(), "All", others, ties, lambda ref: ref.id)
