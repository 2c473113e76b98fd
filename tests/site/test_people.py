"""The cast, one thread a character, and the cards beside names: as things stood, and no further."""

import json
import re
from pathlib import Path

import pytest

from chronicle.campaigns import load, open_book
from chronicle.core.telling import sentence
from chronicle.site.pages.thread import threads
from chronicle.site.quotes import quotable
from chronicle.site.volume import Volume
from tests.site.made import EXAMPLES, example, made


@pytest.fixture(scope="module")
def coast() -> Volume:
    return example("the-lantern-coast").volume


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_how_things_stood_is_how_they_stand_where_the_log_ends_there(folder: Path) -> None:
    book = open_book(load(folder))
    assert list(book.evenings) == [session.number for session in book.sessions]
    for number, evening in book.evenings.items():
        then = open_book(load(folder), through=number)
        ((_, last),) = list(then.evenings.items())[-1:]
        assert last == evening, number


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_everybody_in_the_cast_has_a_sentence_of_the_log_or_none(folder: Path) -> None:
    volume, _ = shown = made(folder)
    log = "\n".join(file.read_text("utf-8") for file in sorted(folder.glob("*.yaml")))
    plain = re.sub(r"[\s*_|]+", " ", log).casefold()
    cast = shown.html("cast/index") if volume.cast else ""
    for sheet in volume.cast:
        assert f">{sheet.name.replace(chr(39), '’')}</a>" in cast
        quote = volume.quotes.of(sheet.id)
        if quote is not None:
            words = re.sub(r"[\s*_]+", " ", quote.text).strip(' ."”').casefold()
            assert words[:60] in plain, quote
            assert quote.text.replace("*", "")[:20].replace("'", "’").replace('"', "")[1:15] in (
                re.sub(r"<[^>]*>|[“”]", "", cast)
            )


def test_a_title_does_not_end_a_sentence(root: Path) -> None:
    assert quotable("It rained. Mrs. Ambrose sat. Dr. Loom! “No.” Yes.") == [
        "It rained.", "Mrs. Ambrose sat.", "Dr. Loom!", "“No.”", "Yes."
    ]  # fmt: skip
    cast = made(root / "sessions" / "left-luggage").html("cast/index")
    told = re.sub(r"<[^>]*>", "", cast)
    assert "Mrs. Ambrose took the flap of the counter in both hands" in told


def test_the_cast_after_an_evening_knows_nothing_later(coast: Volume) -> None:
    first = example("the-lantern-coast").html("cast/after-1")
    for name in ("presiding officer", "mate of the Constance", "figure 2"):
        assert name not in first
        assert name in example("the-lantern-coast").html("cast/index")
    # Then the Guest was not gone, and Corin not yet one of the Board's.
    assert 'is-gone"' not in first.partition("the Guest")[0].rpartition("<li")[2]
    assert "Board man" not in first.partition("Corin Pask")[2][:200]
    assert coast.quotes.of("c2", 1) != coast.quotes.of("c2", 3)
    for quote in filter(None, (coast.quotes.of(sheet.id, 1) for sheet in coast.book.sheets)):
        assert quote.session == 1


def test_a_thread_is_all_that_is_told_of_somebody_in_order(coast: Volume) -> None:
    found = threads(coast)
    aud = found["c2"]
    assert [quote.step for quote in aud] == sorted(quote.step for quote in aud)
    assert "Aud turns the light out, herself, so that the ship cannot find the way in." in [
        sentence(quote.text) for quote in aud
    ]
    assert len(set(aud)) == len(aud)


def test_people_are_known_by_the_part_of_their_name_that_nobody_else_has(coast: Volume) -> None:
    short = coast.short_names
    assert {short[word] for word in ("Aud", "Corin", "Pask")} == {"c2", "c4"}
    # Both siblings are called so, a ship as well, and everybody comes to a bar.
    assert not {"Hallam", "Constance", "Board"} & short.keys()


def test_cards_say_what_was_known_when(coast: Volume) -> None:
    files = example("the-lantern-coast").files.values()
    (file,) = [file for file in files if file.path.endswith("/cards.js")]
    text = (file.data or b"").decode("utf-8")
    assert text.startswith("chronicleCards({")
    assert text.endswith("});\n")
    data = json.loads(text[len("chronicleCards(") : -3])
    assert len(data["steps"]) == len(coast.record.steps)
    corin = data["sheets"]["characters/corin-pask.html"]
    roles = [corin["s"][number][0] for number in "123"]
    assert roles == ["inspector", "inspector, Board man", "inspector, Board man"]
    assert corin["f"] <= min(step for step, *_ in corin["h"])
    assert [step for step, _ in corin["q"]] == sorted(step for step, _ in corin["q"])
    assert "presiding officer" not in json.dumps(corin)


@pytest.mark.parametrize(
    ("markdown", "found"),
    [
        ("One. Two! *Three.* Four", ["One.", "Two!", "*Three.*", "Four"]),
        ("*It is. It was.* So", ["It is.", "It was.", "So"]),
        ("Dr. X", ["Dr. X"]),
        ("", []),
    ],
)
def test_sentences_keep_only_marks_that_close(markdown: str, found: list[str]) -> None:
    assert quotable(markdown) == found


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_nobody_who_had_a_part_in_a_scene_is_said_not_to_be_met(folder: Path) -> None:
    """Contacts are called upon from scenes in which they are not."""
    volume, _ = shown = made(folder)
    open_ends = shown.html("loose-ends").partition("Not met yet")[2]
    for sheet in volume.book.sheets:
        if sheet.called:
            assert volume.scenes_of(sheet.id) >= len(sheet.called)
            assert f">{sheet.name}</a>" not in open_ends
    if folder.name == "the-dry-book":
        assert sum(bool(sheet.called) for sheet in volume.book.sheets) == 6
