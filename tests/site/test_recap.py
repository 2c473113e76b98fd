"""Since you were away, and what is open: in the log's own sentences, and nothing that is not so."""

import re
import shutil
from pathlib import Path

import pytest

from chronicle.publish import Site, make_site
from tests.site.made import Made, example

FOLDER = "the-lantern-coast"


@pytest.fixture(scope="module")
def coast() -> Made:
    return example(FOLDER)


def plain(html: str) -> str:
    """The words of a page, what leads elsewhere by number left out."""
    html = re.sub(r'<a class="ch-told-at".*?</a>|</?a\b[^>]*>', "", html)
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_it_tells_the_evenings_since_then_and_no_other(coast: Made) -> None:
    page = coast.html("changes/since-2")
    assert re.findall(r'<section data-session="(\d+)"', page) == ["2", "3"]
    assert re.findall(r'data-since="(\d+)" aria-current="page">([^<]*)', page) == [
        ("2", "Since session 1")
    ]
    assert "Nim says it." in re.sub(r"<[^>]+>", "", page)
    # The index is since the last evening; what was read stays unsaid.
    assert re.findall(r'<section data-session="(\d+)"', coast.html("changes/index")) == ["3"]


def test_every_sentence_of_it_is_one_of_the_story(coast: Made) -> None:
    story = plain(
        "".join(file.html for path, file in coast.files.items() if f"{FOLDER}/story" in path)
    )
    page = coast.html("changes/since-1")
    sentences = re.findall(r"<p>(?:<strong>.*?</strong>)?(.*?)</p>", page.partition("Whom it")[0])
    assert sentences
    for paragraph in sentences:
        for one in re.split(r'<a class="ch-told-at".*?</a>', paragraph):
            said = plain(one).rstrip(".")
            assert said in story, said


def test_it_says_whom_it_changed_and_how(coast: Made) -> None:
    page = coast.html("changes/since-2")
    (corin,) = re.findall(r"<li class=\"ch-person\">(?:(?!</li>).)*Corin Pask.*?</li>", page, re.S)
    assert "was told" in corin
    assert re.search("ch-slip--removed[^>]*>never wrong in writing", corin)
    assert "8 → <b>15</b>" in corin
    (guest,) = re.findall(r"<h3><a[^>]*>the Guest</a></h3>.*?</li>", page, re.S)
    assert "gone" in guest


def test_both_ends_can_be_chosen_and_it_says_no_more(coast: Made) -> None:
    page = coast.html("changes/since-1-to-2")
    assert re.findall(r'<section data-session="(\d+)"', page) == ["1", "2"]
    assert re.findall(r'href="([^"]*)" data-until="(\d+)"', page) == [
        ("since-1-to-1.html", "1"),
        ("#", "2"),
        ("since-1.html", "3"),
    ]
    # As it stood then: nobody is gone who goes in the third, and nothing is open that it leaves open.
    (guest,) = re.findall(r"<h3><a[^>]*>the Guest</a></h3>.*?</li>", page, re.S)
    assert "gone" not in guest
    assert 'data-through="2"' in page
    assert f"{FOLDER}/changes/since-3-to-3" not in coast.files


LOG = """
- question: Who lit the lamp?
  id: lamp
- question: Whose boat is it?
  id: boat
- tell: It was the cousins' boat.
  answers: boat
"""


def asked(root: Path, tmp_path: Path, more: str = "") -> Site:
    folder = tmp_path / "the-boathouse"
    shutil.copytree(root / "sessions" / "the-boathouse", folder)
    with sorted(folder.glob("0*.yaml"))[-1].open("a", encoding="utf-8") as log:
        log.write(LOG + more)
    return make_site(folder, project=tmp_path, warn=lambda told: None)


@pytest.mark.parametrize("page", ["loose-ends", "changes/index"])
def test_what_is_asked_stands_open_until_it_is_answered(
    root: Path, tmp_path: Path, page: str
) -> None:
    site = asked(root, tmp_path)
    html = next(file.html for file in site.made if file.path == f"the-boathouse/{page}")
    assert re.findall(r"<li><p>([^<]*\?)</p>", html) == ["Who lit the lamp?"]


def test_a_finished_tale_does_not_wait_for_anybody(coast: Made) -> None:
    assert "ch-situation" not in coast.html("changes/index")
    page = coast.html("loose-ends")
    assert "<h1>Left open</h1>" in page
    assert "lies ahead" not in page
    assert "Not met yet" not in page
    ends = example("the-long-siding").html("loose-ends")
    assert "has Traits that the record does not list" in ends
    assert "ch-ends" not in ends.replace("ch-ends__", "")
    assert "leaves nothing open at the moment but what the record does." in ends
    assert "Nothing is open" not in ends


def test_a_hundred_evenings_are_told_briefly(coast: Made) -> None:
    whole, last = (coast.html(f"changes/{page}") for page in ("since-1", "since-3"))
    assert whole.count("ch-told-at") < 4 * last.count("ch-told-at")
