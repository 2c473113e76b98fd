"""Small values that everything stands on: names, dice, ledger, timeline, severities, ids."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chronicle.core.declare import read_value
from chronicle.core.diagnostic import (
    DiagnosticKind,
    Severity,
    Strictness,
    amount_in_units,
    did_you_mean,
    listed,
    severity_of,
)
from chronicle.core.dice import D6, D8, D10, D12, FUDGE, Die, nearest_faces, read_faces
from chronicle.core.field_types import NAMES
from chronicle.core.figures import compare_numbers
from chronicle.core.ledger import Ledger, Posting, kind_of, owner_of
from chronicle.core.names import Named, NameMiss, Names
from chronicle.core.odds import (
    hits_distribution,
    percent,
    pool_distribution,
    verdict_odds,
)
from chronicle.core.rules import comparable_id
from chronicle.core.source import ScalarNode, SequenceNode
from chronicle.core.timeline import Frame, Scene, Timeline

# --- names ----------------------------------------------------------------------------------------


def cast() -> Names:
    names = Names()
    names.add("okafor", "character", "Dr. Emeka Okafor")
    names.add("ines", "character", "Ines Vale", ["the lamplighter"])
    names.add("vale", "place", "The Vale of Tears")
    names.add("Ana", "player", "Ana")
    return names


@pytest.mark.parametrize(
    ("word", "id"),
    [
        ("Ines Vale", "ines"),
        ("ines vale", "ines"),
        ("INES  VALE", "ines"),
        ("Okafor", "okafor"),
        ("emeka", "okafor"),
        ("the lamplighter", "ines"),
        ("lamplighter", "ines"),
        ("tears", "vale"),
    ],
)
def test_people_are_found_as_they_are_called(word: str, id: str) -> None:
    subject = cast().find(word)
    assert isinstance(subject, Named)
    assert subject.id == id


def test_two_matches_are_an_error_and_say_which() -> None:
    ambiguity = cast().find("Vale")
    assert isinstance(ambiguity, NameMiss)
    assert {named.id for named in ambiguity.candidates} == {"ines", "vale"}
    narrowed = cast().find("Vale", ["place"])
    assert isinstance(narrowed, Named)
    within = cast().find("Vale", within=["ines"])
    assert isinstance(within, Named)
    assert within.id == "ines"


def test_a_miss_says_what_was_probably_meant() -> None:
    miss = cast().find("Ines Vaile")
    assert isinstance(miss, NameMiss)
    assert "did you mean 'Ines Vale'" in miss.message


@pytest.mark.parametrize(
    ("word", "kinds", "within", "id"),
    [
        ("Ines Vaile", [], None, "ines"),
        ("the lampligther", [], None, "ines"),
        ("Okaffor", ["character"], None, "okafor"),
        ("Okaffor", ["place"], None, ""),
        ("Okaffor", [], ["ines"], ""),
        ("Okafor", [], ["ines"], ""),  # the name of somebody else
        ("Vale", [], None, ""),  # as good a name for the one as for the other
        ("Valee", [], None, ""),
        ("Tunde", [], None, ""),
    ],
)
def test_a_misspelt_name_means_the_only_one_near_it(
    word: str, kinds: list[str], within: list[str] | None, id: str
) -> None:
    likely = cast().likely_subject(word, kinds, within)
    assert (likely.id if likely is not None else "") == id


def test_a_current_name_beats_an_old_one() -> None:
    names = Names()
    names.add("a", "character", "Fox")
    names.rename("a", "Reynard")
    names.add("b", "character", "Fox")
    subject = names.find("Fox")
    assert isinstance(subject, Named)
    assert subject.id == "b"
    assert names.all["a"].aliases == ["Fox"]


# --- dice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "die", "faces"),
    [
        ("+o-", FUDGE, ("+", "o", "-")),
        ("-0", FUDGE, ("-", "o")),
        ("+", FUDGE, ("+",)),
        ("422", D6, ("4", "2", "2")),
        ("624136 52", D6, ("6", "2", "4", "1", "3", "6", "5", "2")),
        ("8", D8, ("8",)),
        ("0", D10, ("10",)),
        ("10", D10, ("10",)),
    ],
)
def test_faces_as_people_write_them(text: str, die: object, faces: tuple[str, ...]) -> None:
    assert tuple(read_faces(ScalarNode(text), die)) == faces  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "die"), [("7", D6), ("1+", FUDGE), ("", D6), ("12", D10)])
def test_faces_that_cannot_be(text: str, die: object) -> None:
    with pytest.raises(ValueError, match=r"face|what did the dice show"):
        read_faces(ScalarNode(text), die)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "die", "faces"),
    [
        (ScalarNode("3074"), D6, ("3", "1", "6", "4")),
        (SequenceNode([ScalarNode("14"), ScalarNode("3")]), D12, ("12", "3")),
        (SequenceNode([ScalarNode("0"), ScalarNode("11")]), D10, ("10", "10")),
        (ScalarNode("3x4"), D6, None),
        (ScalarNode("14"), D12, None),  # one die or two
        (ScalarNode("+?"), FUDGE, None),
        (SequenceNode([ScalarNode("4"), SequenceNode()]), D6, None),
        (ScalarNode(""), D6, None),
    ],
)
def test_faces_that_cannot_be_are_nearest_to_some_that_can(
    value: ScalarNode | SequenceNode, die: Die, faces: tuple[str, ...] | None
) -> None:
    assert nearest_faces(value, die) == faces


def test_a_list_of_faces() -> None:
    assert read_faces(SequenceNode([ScalarNode("4"), ScalarNode("10")]), D10).numbers == (4, 10)


@pytest.mark.parametrize(
    ("one", "other", "win", "tie", "loss"),
    [
        (1, 1, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
        (2, 1, Fraction(17, 27), Fraction(5, 27), Fraction(5, 27)),
        (3, 1, Fraction(65, 81), Fraction(7, 81), Fraction(1, 9)),
        (4, 1, Fraction(217, 243), Fraction(1, 27), Fraction(17, 243)),
        (2, 2, Fraction(11, 27), Fraction(5, 27), Fraction(11, 27)),
        (3, 2, Fraction(148, 243), Fraction(31, 243), Fraction(64, 243)),
    ],
)
def test_the_reference_odds_of_positive(
    one: int, other: int, win: Fraction, tie: Fraction, loss: Fraction
) -> None:
    def worth(face: str) -> int:
        return {"+": 100, "o": 1, "-": 0}[face]

    sides = [pool_distribution(dice, worth, FUDGE) for dice in (one, other)]
    assert verdict_odds(sides, compare_numbers) == {1: win, 0: tie, -1: loss}


def test_hits_sum_to_one() -> None:
    spread = hits_distribution(7, Fraction(5, 12))
    assert sum(spread.values()) == 1
    assert percent(Fraction(1, 3)) == "33.3 %"


# --- ledger ---------------------------------------------------------------------------------------


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(-9, 9)), max_size=40
    )
)
def test_a_ledger_always_sums_to_zero(moves: list[tuple[str, str, int]]) -> None:
    ledger = Ledger()
    for step, (source, target, amount) in enumerate(moves, 1):
        ledger.post(Posting(step, source, target, amount, "Coin", "X"))
    assert all(total == 0 for total in ledger.totals().values())
    assert all(posting.amount > 0 for posting in ledger.postings)


def test_accounts_have_kinds_and_owners() -> None:
    assert (kind_of("wealth:Ana: x"), owner_of("wealth:Ana: x")) == ("wealth", "Ana: x")
    assert owner_of("bank") == ""


# --- timeline -------------------------------------------------------------------------------------


def scene(number: int, frame: Frame = Frame.NOW, branch: str = "") -> Scene:
    return Scene(f"S{number}", number, 1, number, frame, branch=branch)


def test_story_order_is_not_table_order() -> None:
    timeline = Timeline()
    timeline.open(scene(1))
    timeline.open(scene(2, Frame.PAST))
    timeline.open(scene(3, Frame.FUTURE))
    timeline.open(scene(4))
    timeline.open(scene(5, Frame.MEANWHILE))
    assert [s.number for s in timeline.story_order()] == [2, 1, 4, 5, 3]
    assert timeline.is_before(2, 1)
    assert timeline.is_before(1, 3)
    assert timeline.is_before(1, 4)
    assert not timeline.is_before(4, 1)


def test_contradictions_are_refused() -> None:
    timeline = Timeline()
    timeline.open(scene(1))
    timeline.open(scene(2))
    assert not timeline.put_scene_after(1, 2)
    assert not timeline.put_scenes_at_same_time(1, 2)
    timeline.open(scene(3, Frame.PAST), anchored=True)
    assert timeline.put_scene_after(1, 3)
    assert not timeline.put_scene_after(3, 2)


def test_a_fork_leaves_its_line_before_a_scene() -> None:
    timeline = Timeline()
    for number in (1, 2, 3):
        timeline.open(scene(number, branch="dry"))
    timeline.fork(scene(4, branch="wet"), original_scene_number=3)
    timeline.open(scene(5, branch="wet"))
    timeline.open(scene(6, branch="dry"))
    timeline.fork(scene(7, branch="wetter"), original_scene_number=5)
    order = {
        branch: [
            s.number for s in timeline.story_order() if timeline.includes_scene(branch, s.number)
        ]
        for branch in ("dry", "wet", "wetter")
    }
    assert order == {"dry": [1, 2, 3, 6], "wet": [1, 2, 4, 5], "wetter": [1, 2, 4, 7]}
    assert (
        timeline.is_before(2, 7) and not timeline.is_before(3, 4) and not timeline.is_before(4, 6)
    )
    timeline.rename_branch("dry", "as it was")
    assert timeline.includes_scene("as it was", 6) and not timeline.includes_scene("wet", 6)
    timeline.open(scene(8, branch="as it was"))
    assert timeline.is_before(6, 8)


def test_what_comes_after_a_mirrored_flashback_is_not_told_again() -> None:
    timeline = Timeline()
    timeline.open(scene(1))
    timeline.open(scene(2))
    timeline.open(scene(3, Frame.PAST))
    timeline.fork(scene(4, Frame.PAST, "other"), original_scene_number=3)
    assert [number for number in (1, 2, 3, 4) if timeline.includes_scene("other", number)] == [1, 4]
    timeline.open(scene(5, branch="other"))
    assert timeline.is_before(4, 5)


@given(st.lists(st.sampled_from(list(Frame)), max_size=12))
def test_any_mixture_of_frames_can_be_sorted(frames: list[Frame]) -> None:
    timeline = Timeline()
    for number, frame in enumerate(frames, 1):
        timeline.open(scene(number, frame))
    ordered = [s.number for s in timeline.story_order()]
    assert sorted(ordered) == [n for n, f in enumerate(frames, 1) if f is not Frame.OUTSIDE]
    place = {number: at for at, number in enumerate(ordered)}
    for first in ordered:
        for second in ordered:
            if first != second and timeline.is_before(first, second):
                assert place[first] < place[second]


_MOVES = st.one_of(
    st.tuples(st.just("open"), st.sampled_from(list(Frame)), st.booleans()),
    st.tuples(st.just("fork"), st.integers(0, 11), st.just(0)),
    st.tuples(st.sampled_from(("after", "during")), st.integers(0, 11), st.integers(0, 11)),
    st.tuples(st.just("take back"), st.just(0), st.just(0)),
)


def _moved(moves: list[tuple[str, object, object]], *, is_asked: bool) -> list[tuple[int, int]]:
    """Every pair of which the first is before the second, after some moves; ``asked`` looks at all
    pairs after each of them as well."""
    timeline = Timeline()
    for kind, first_value, second_value in moves:
        count = len(timeline.scenes)
        match kind, first_value, second_value:
            case "open", Frame() as frame, bool(anchored):
                timeline.open(scene(count + 1, frame), anchored=anchored)
            case "fork", int(of), _ if count:
                timeline.fork(
                    scene(count + 1, branch=f"branch {count}"), original_scene_number=of % count + 1
                )
            case "after", int(later), int(earlier) if count:
                timeline.put_scene_after(later % count + 1, earlier % count + 1)
            case "during", int(first_number), int(second_number) if count:
                # What was opened first lends its moment to the other, as the games do it.
                first, last = sorted((first_number % count + 1, second_number % count + 1))
                timeline.put_scenes_at_same_time(last, first)
            case "take back", _, _ if count:
                timeline.remove_last_scene()
        if is_asked:
            _pairs_before(timeline)
    return _pairs_before(timeline)


def _pairs_before(timeline: Timeline) -> list[tuple[int, int]]:
    numbers = range(1, len(timeline.scenes) + 1)
    return [
        (first, second)
        for first in numbers
        for second in numbers
        if timeline.is_before(first, second)
    ]


@example(
    moves=[
        ("open", Frame.NOW, False),
        ("open", Frame.PAST, True),
        ("open", Frame.PAST, True),
        ("after", 2, 1),
        ("during", 1, 0),
    ]
)
@given(st.lists(_MOVES, max_size=14))
def test_asking_what_was_before_changes_no_later_answer(
    moves: list[tuple[str, object, object]],
) -> None:
    pairs_found = _moved(moves, is_asked=True)
    assert pairs_found == _moved(moves, is_asked=False)
    pairs = set(pairs_found)
    assert all((second, first) not in pairs for first, second in pairs)
    assert all(
        (first, last) in pairs for first, middle in pairs for m, last in pairs if m == middle
    )


# --- diagnostics ----------------------------------------------------------------------------------


def test_the_severity_table() -> None:
    table = {
        DiagnosticKind.UNREADABLE: ("error", "error", "error"),
        DiagnosticKind.ILLEGAL: ("error", "error", "warning"),
        DiagnosticKind.BOOKKEEPING: ("error", "warning", "warning"),
        DiagnosticKind.SUSPICIOUS: ("warning", "note", "off"),
        DiagnosticKind.UNKNOWN: ("warning", "note", "off"),
        DiagnosticKind.EXCUSED: ("note", "off", "off"),
    }
    for finding, row in table.items():
        assert tuple(str(severity_of(finding, level)) for level in Strictness) == row
    assert Severity.ERROR > Severity.WARNING > Severity.NOTE > Severity.OFF


def test_words() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == ""
    assert (
        did_you_mean("Slytheran Qeen", ["Slytheran Queen", "Turk"])
        == "; did you mean 'Slytheran Queen'?"
    )
    assert did_you_mean("x", ["Turk"]) == ""
    assert comparable_id("UA.1") == comparable_id("ua1")
    assert [amount_in_units(n, "commitment die") for n in (1, 3)] == [
        "1 commitment die",
        "3 commitment dice",
    ]
    assert [amount_in_units(n, "Coin") for n in (0, 1, -2)] == ["0 Coins", "1 Coin", "-2 Coins"]


def test_words_keep_their_place_through_pickling() -> None:
    word = ScalarNode("name", 3, 5, 3, 9, '"')
    unpickled = pickle.loads(pickle.dumps(word))
    assert (unpickled, unpickled.line, unpickled.column, unpickled.style) == ("name", 3, 5, '"')


# --- lists of names -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (ScalarNode("nobody"), ()),
        (ScalarNode("no one"), ()),
        (ScalarNode("Nobody"), ("Nobody",)),
        (SequenceNode([]), ()),
        (ScalarNode("nobody", style="'"), ("nobody",)),
        (ScalarNode("Ana, Bo"), ("Ana", "Bo")),
        (SequenceNode([ScalarNode("nobody")]), ("nobody",)),
    ],
)
def test_nobody_is_no_name_unless_it_is_quoted_or_listed(
    written: ScalarNode | SequenceNode, read: tuple[str, ...]
) -> None:
    assert read_value(NAMES, written) == read
