"""Curves, above all where the record is silent."""

import re
from itertools import pairwise

from chronicle.core.doubts import Doubt
from chronicle.site.charts import AxisLabel, CurveMark, Series, draw_curve_strips, draw_step_lines
from tests.site.made import example

POINTS = ((0, 24), (4, 20), (8, 19), (12, 14))


def curves(drawn: str) -> list[str]:
    return re.findall(r'class="curve[^"]*" d="([^"]*)"', drawn)


def test_a_known_curve_is_one_line() -> None:
    drawn = draw_step_lines([Series("Ana", 1, POINTS)])
    assert [path.count("M") for path in curves(drawn)] == [1]
    assert 'class="unknown"' not in drawn
    assert 'class="silent"' not in drawn


def test_a_curve_is_broken_where_it_is_not_known() -> None:
    drawn = draw_step_lines([Series("Ana", 1, POINTS, (Doubt(4, 8),))])
    (path,) = curves(drawn)
    assert path.count("M") == 2
    assert drawn.count('class="unknown"') == 1
    assert drawn.count('class="ring"') == 2
    assert drawn.count('class="silent"') == 1


def test_a_curve_that_is_never_known_again_has_no_end() -> None:
    series = Series("Ana", 1, POINTS, (Doubt(8, 0),))
    drawn = draw_step_lines([series])
    assert drawn.count('class="ring"') == 1
    assert "not known" in re.findall(r"<desc>(.*?)</desc>", drawn)[0]
    assert max(y for _, y in series.known_points) == 24
    assert (12, 14) not in series.known_points


def test_an_upper_bound_keeps_its_steps_and_says_so() -> None:
    series = Series("Ana", 1, POINTS, (Doubt(4, 0, is_bound=True),))
    assert series.last_value_text == "at most 14"
    unknown = re.findall(r'class="unknown" d="([^"]*)"', draw_step_lines([series]))
    assert unknown and "L" not in unknown[0]


def test_silence_is_marked_where_no_curve_is_known() -> None:
    doubtful = Series("Ana", 1, POINTS, (Doubt(4, 8),))
    assert 'class="silent"' not in draw_step_lines([doubtful, Series("Dov", 2, POINTS)])


def test_strips_name_only_known_values() -> None:
    (strip,) = draw_curve_strips(
        [Series("Ana", 1, POINTS, (Doubt(8, 0),))], [AxisLabel(0, "session 1")]
    )
    assert ">14<" not in strip
    assert curves(strip)[0].count("M") == 1


def test_a_figure_that_is_not_known_at_the_end_is_the_last_one_that_was() -> None:
    sessions = (AxisLabel(2, "session 1"), AxisLabel(7, "session 2"))
    unknown = Series("Ana", 1, POINTS, (Doubt(8, 0),))
    assert unknown.last_known_text(sessions) == "19, last known in session 2"
    assert unknown.last_known_text(()) == "19, last known"
    assert Series("Ana", 1, POINTS, (Doubt(4, 8),)).last_known_text(sessions) == "14"
    at_start = Series("Ana", 1, POINTS, (Doubt(0, 0),))
    assert at_start.last_known_text(sessions) == "24, last known in session 1"
    bound = Series("Ana", 1, POINTS, (Doubt(4, 0, is_bound=True),))
    assert bound.last_known_text(sessions) == "at most 14"


def test_a_curve_with_one_known_figure_needs_no_drawing() -> None:
    assert Series("Ana", 1, POINTS, (Doubt(0, 0),)).is_one_figure
    assert not Series("Ana", 1, POINTS).is_one_figure
    assert not Series("Ana", 1, POINTS, (Doubt(8, 0),)).is_one_figure
    assert not Series("Ana", 1, POINTS, (Doubt(0, 0, is_bound=True),)).is_one_figure
    page = example("the-ferry-house").html("ledger")
    last_by_drawing = re.findall(r"<span>([^<]*, last known in [^<]*)</span></p>(<svg|</li>)", page)
    assert ("3, last known in session 1", "</li>") in last_by_drawing
    assert ("27, last known in session 2", "<svg") in last_by_drawing


def test_a_ledger_shows_last_known_figures_and_explains_its_dots_once() -> None:
    page = example("the-ferry-house").html("ledger")
    strips, _, _ = page.partition("<details")
    assert "<span>not known" not in page
    assert strips.count(", last known in session ") == 4
    assert page.count("is not on record") == 1


def test_each_strip_says_when_it_was() -> None:
    labels = [AxisLabel(0, "session 1"), AxisLabel(8, "session 2")]
    strips = draw_curve_strips([Series("Ana", 1, POINTS), Series("Dov", 2, POINTS)], labels)
    assert [words_in(strip) for strip in strips] == [words_in(strips[0])] * 2
    assert words_in(strips[0])


def words_in(drawn: str) -> list[tuple[float, str]]:
    """The words below a strip, from left to right, with where they begin."""
    found = re.findall(r'<text[^>]*? x="([\d.]+)" y="86"[^>]*>([^<]*)<', drawn)
    return [(float(x), text) for x, text in found]


def test_words_below_a_strip_never_lie_on_each_other() -> None:
    """Numbers close to each other, and a first word longer than the way to the next."""
    points = tuple((at, 0) for at in range(40))
    for ticks in (range(1, 8), range(40)):
        labels = [AxisLabel(at, f"conflict {at}") for at in ticks]
        drawn = draw_curve_strips([Series("Ruth", 1, points[: ticks[-1] + 1])], labels)[-1]
        words = words_in(drawn)
        assert len(words) > 5
        for (x, text), (next_x, _) in pairwise(words):
            assert x + 6.6 * len(text) <= next_x
    assert (
        words_in(draw_curve_strips([Series("Ruth", 1, points[:3])], labels[:3])[-1])[0][1]
        == "conflict 0"
    )


def test_a_number_on_a_curve_says_which_scene_it_was() -> None:
    page = example("the-dry-book").html("ledger")
    causes = page[page.index("ch-causes") :]
    assert causes.count(": favourable</li>") > 10
    assert "<li>favourable</li>" not in page


def test_a_timeline_has_people_first() -> None:
    page = example("the-lantern-coast").html("timeline")
    lanes = page[page.index("Who is where") :]
    assert 0 < lanes.index(">Aud Hallam<") < lanes.index(">Vesper Head<")
    # A thing is with its owner.
    assert "sounding pole" not in lanes


def test_a_timeline_lists_its_scenes_once() -> None:
    page = example("the-lantern-coast").html("timeline")
    assert page.count("<ol ") == 1
    scenes = page[page.index("<ol ") :]
    # In the order of the story, each with its place in play, which stays on one line.
    first, last = scenes.index("The night of the Constance"), scenes.index("The inquiry into")
    assert first < scenes.index("session\u00a01,\u00a0scene\u00a04") < last
    assert last < scenes.index("session\u00a02,\u00a0scene\u00a06")
    # Where both orders are one, a session is said once.
    page = example("the-dry-book").html("timeline")
    assert page.count("<ol ") == 1 and page.count("session\u00a01") == 1


def test_numbers_are_explained_where_they_are_drawn() -> None:
    # A phone has small pictures without numbers.
    assert '<ol class="ch-list ch-causes ch-causes--wide">' in example("the-dry-book").html(
        "ledger"
    )


def test_many_curves_have_a_small_picture_each() -> None:
    page = example("the-lantern-coast").html("ledger")
    assert 'class="ch-chart ch-chart--apart"' in page
    # Three in one picture can be told apart.
    assert "ch-chart--apart" not in example("the-dry-book").html("ledger")


def test_a_mark_stands_on_the_line_of_whom_it_is_about() -> None:
    quill = Series("Quill", 1, ((0, 1), (2, 2)))
    tern = Series("Tern", 2, ((0, 1), (5, 1)))
    marks = [
        CurveMark(2, "Quill won", series_name="Quill"),
        CurveMark(4, "Tern lost", series_name="Tern"),
    ]
    drawn = str(draw_step_lines([quill, tern], marks=marks))
    (_, won_y), (_, lost_y) = re.findall(r'class="mark" cx="([\d.]+)" cy="([\d.]+)"', drawn)
    assert float(won_y) < float(lost_y)
    assert re.search(r'<g class="[^"]*p2[^"]*"><circle class="mark"', drawn)


def test_the_pushes_of_spies_are_on_their_own_lines() -> None:
    path = example("the-dry-book").html("path")
    heights = {
        words: float(y)
        for y, words in re.findall(
            r'<circle class="mark" cx="[\d.]+" cy="([\d.]+)" r="4.5"/>(?:</g>)?<text[^>]*>([^<]*)</text>',
            path,
        )
    }
    assert heights["Tern lost"] == heights["Marrow missed"] > heights["Quill won"]
