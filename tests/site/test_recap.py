"""Catch up, and what is open: in the keepers' words, else in outcomes, and nothing that is not so."""

import re
import shutil
from pathlib import Path

import pytest

from chronicle.publish import Site, make_site
from chronicle.site.binding.manuscript import compose_book
from chronicle.site.dates import date_span
from tests.golden import ROOT
from tests.site.made import Made, example, made, untold

FOLDER = "the-lantern-coast"
MILL = ROOT / "tests" / "fixtures" / "keepers"


@pytest.fixture(scope="module")
def coast() -> Made:
    return example(FOLDER)


def plain(html: str) -> str:
    """The words of a page, what leads elsewhere by number left out."""
    html = re.sub(r'<a class="ch-told-at".*?</a>|</?a\b[^>]*>', "", html)
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_it_tells_the_sessions_since_then_and_no_other(coast: Made) -> None:
    page = coast.html("changes/since-2")
    assert re.findall(r'<section data-session="(\d+)"', page) == ["2", "3"]
    assert re.findall(r'data-since="(\d+)" aria-current="page">([^<]*)', page) == [
        ("2", "Since session 1")
    ]
    assert "<h1>Since session 1</h1>" in page
    assert re.search(r">Coins: \d+ before, \d+ now<", page)
    # The index is since the last session.
    assert re.findall(r'<section data-session="(\d+)"', coast.html("changes/index")) == ["3"]


@pytest.fixture(scope="module")
def mill() -> Made:
    return made(MILL)


def test_the_keepers_words_come_first_with_the_numbers_of_their_entries(mill: Made) -> None:
    page = mill.html("changes/since-1-to-1")
    assert "Old Tam</a> would not say who had stopped it." in page
    steps = mill.campaign_site.record.steps
    ids = {str(step.action.id): step.number for step in steps if step.action.id}
    (recap,) = re.findall(r'<div class="ch-recap__words">(.*?)</div>', page, re.S)
    numbers = re.findall(r'<a class="ch-told-at" href="([^"]*)">.*?(\d+)</a>', recap)
    assert [int(number) for _, number in numbers] == [ids["ida-comes"], ids["stops"], ids["rope"]]
    assert all("sessions/1" in link for link, _ in numbers)
    assert "[ida-comes]" not in page
    assert "In the keepers’ words." in page
    assert "nobody has told" not in page
    assert "ch-settled" not in page


def test_speech_that_ends_a_sentence_of_the_keepers_has_both_quotation_marks(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "mill"
    shutil.copytree(ROOT / "tests" / "fixtures" / "keepers", folder)
    path = folder / "01.yaml"
    head = path.read_text("utf-8")
    old = "The rope was cut. [rope]"
    assert old in head
    path.write_text(head.replace(old, 'Tam said: "It is cut." [rope] [stops]'), "utf-8")
    page = made(folder).html("changes/since-1")
    assert 'said: “It is cut.”<a class="ch-told-at"' in page


def test_without_them_only_what_was_settled_is_told() -> None:
    page = untold("the-boathouse").html("changes/since-2")
    assert "From the record: nobody has told this session yet." in page
    assert "In the keepers’ words" not in page
    settled = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page, re.S)
    assert plain(settled[0][0]).startswith("Behind the boathouse, with the boats")
    assert plain(settled[0][1]).startswith("Tomas is believed, against Marek: Tyres.")
    assert "every Thursday" not in page


def test_a_session_that_is_told_stands_beside_one_that_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "mill"
    shutil.copytree(MILL, folder)
    text = (folder / "02.yaml").read_text(encoding="utf-8")
    start, end = text.index("recap:"), text.index("about:")
    (folder / "02.yaml").write_text(text[:start] + text[end:], encoding="utf-8")
    site = make_site(folder, project=tmp_path, warn=lambda message: None)
    page = next(file.html for file in site.campaign_files if file.path == "mill/changes/since-1")
    first, second = page.partition('<section data-session="2"')[::2]
    assert "Old Tam</a> would not say" in first
    assert "ch-recap__words" not in second
    assert "no outcome of this session" in second


def test_people_are_told_of_as_the_story_went(mill: Made) -> None:
    cast_now, cast_then = mill.html("cast/index"), mill.html("cast/after-1")
    assert "Old Tam stopped the wheel himself." in plain(cast_now)
    assert "Old Tam has kept the mill since the flood." in plain(cast_then)
    assert "stopped the wheel himself" not in cast_then
    assert "<b>So far:</b> Ida is on the road to the town." in re.sub(r"</?a\b[^>]*>", "", cast_now)
    assert "Ida sleeps at the mill." in plain(cast_then)


def test_a_sheet_has_what_was_so_for_readers_who_stop_earlier(mill: Made) -> None:
    page = mill.html("characters/old-tam")
    # The introduction stands under the name, the ending below the life.
    parts = re.findall(
        r'<div[^>]* data-from="(\d+)" data-until="(\d*)"( hidden)?>(.*?)</div>', page, re.S
    )
    heads, ends = parts[: len(parts) // 2], parts[len(parts) // 2 :]
    assert [head[:3] for head in heads] == [end[:3] for end in ends]
    assert [(first_session, until, bool(hidden)) for first_session, until, hidden, _ in heads] == [
        ("1", "2", True),
        ("2", "", False),
    ]
    assert "since the flood" in heads[0][3]
    assert "stopped the wheel himself" not in heads[0][3] + ends[0][3]
    assert "stopped the wheel himself" in heads[1][3] + ends[1][3]


def test_the_book_has_the_keepers_words_without_numbers(mill: Made) -> None:
    people = next(
        leaf.html for leaf in compose_book(mill.campaign_site).leaves if leaf.file_stem == "people"
    )
    assert "Old Tam stopped the wheel himself." in people
    assert "Ida is on the road to the town." in people
    assert "[walks]" not in people
    assert "ch-told-at" not in people


def test_it_says_whom_it_changed_and_how(coast: Made) -> None:
    page = coast.html("changes/since-2")
    (corin,) = re.findall(r"<li class=\"ch-person\">(?:(?!</li>).)*Corin Pask.*?</li>", page, re.S)
    assert "importance 8 → 15" in corin
    # The words that the card gained stand beside the person.
    assert "ch-slip--gained" in corin
    card = cards(page)["Corin Pask"]
    gained, _, lost = card.partition("no longer")
    assert "was told" in gained
    assert "never wrong in writing" in lost
    (guest,) = re.findall(r"<h3><a[^>]*>The Guest</a></h3>.*?</li>", page, re.S)
    assert "<b>Gone, session 3:</b> the Guest was told why the light went out" in re.sub(
        r"</?a\b[^>]*>", "", guest
    )
    page = untold(FOLDER).html("changes/since-2")
    (guest,) = re.findall(r"<h3><a[^>]*>The Guest</a></h3>.*?</li>", page, re.S)
    assert "It says thank you, in forty-one voices" in guest


def test_the_latest_sentence_counts_whether_it_is_an_end_or_a_gone() -> None:
    page = plain(example("six-names").html("changes/since-1"))
    assert "Died, session 4: Wren sent Osei into deep water" in page
    assert "Osei has drowned Pim and lost Nan" not in page
    earlier = plain(example("six-names").html("changes/since-1-to-3"))
    assert "Osei has drowned Pim and lost Nan" in earlier
    assert "sent to the left by Wren" not in earlier


def test_people_whom_the_log_only_tells_of_stand_in_the_recap() -> None:
    page = example("gallery-nine").html("changes/since-3")
    assert "Mrs Pell might have lost her place over it, and has kept it" in plain(page)
    assert "Gone: Abel Hale was sealed into Gallery Nine" in plain(page)
    assert 'href=""' not in page
    first = plain(example("gallery-nine").html("changes/since-1-to-1"))
    assert "Abel Hale" not in first
    assert "Mrs Pell saw Jonah at the desk" in first


def test_who_was_never_named_stands_open() -> None:
    for shown in (example(FOLDER), untold(FOLDER)):
        changes_page = plain(shown.html("changes/since-3"))
        assert "Who is figure" not in changes_page
        # The keepers' sentence about them says who they were.
        is_asked = "Who were the watch below?" in changes_page
        assert is_asked is (shown is not example(FOLDER))


def cards(page: str) -> dict[str, str]:
    """What the closed part of a page says of each card, by name."""
    (folded,) = re.findall(
        r"<details[^>]*><summary>What changed on the cards.*?</details>", page, re.S
    )
    lines = re.findall(r"<li><a [^>]*>([^<]*)</a>: (.*?)</li>", folded, re.S)
    return {name: plain(line) for name, line in lines}


def test_a_word_that_was_lost_and_bought_again_is_not_called_lost(coast: Made) -> None:
    gained, _, lost = cards(coast.html("changes/since-1"))["Nim"].partition("no longer")
    assert "cannot keep a secret" in gained
    assert "cannot keep a secret" not in lost
    assert "very cold" in lost


def test_what_changed_on_the_cards_is_folded_and_said_once() -> None:
    luggage = example("left-luggage")
    page = luggage.html("changes/since-1")
    _, _, folded = page.partition("What changed on the cards")
    assert "(removed)" not in plain(page)
    folded_text = plain(folded)
    assert folded_text.count("wears a green coat") == 1
    # What was found otherwise, one by one, stands on the page of the session.
    assert "is Eliminated" not in plain(page)
    assert "trunk 114 is Eliminated" in plain(luggage.html("sessions/3"))
    assert "Mrs. Ambrose : no longer" not in folded_text
    assert "has never left the building" in cards(page)["Mrs. Ambrose"].partition("no longer")[2]


@pytest.mark.parametrize(
    ("story", "line"),
    [
        ("left-luggage", "Odile Coins: 25 before, 18 now"),
        ("the-lantern-coast", "Marit Coins: 25 before, 30 now"),
        ("the-long-siding", "Coins: 20 before, "),
        ("the-boathouse", "Dov Commitment dice in hand: 3 before, 1 now"),
    ],
)
def test_since_the_beginning_counts_from_what_the_game_gave(story: str, line: str) -> None:
    page = plain(example(story).html("changes/since-1"))
    assert line in page
    assert "Coins 0 →" not in page
    assert "Commitment dice in hand 0 →" not in page


def test_a_recap_that_takes_longer_than_the_story_is_not_offered_as_shorter() -> None:
    luggage = example("left-luggage")
    page = plain(luggage.html("changes/since-1"))
    assert "minutes here" not in page
    # Three chapters, each of which takes a minute at least.
    assert "Read it from session 1, 3 minutes" in page
    page = plain(example("the-dry-book").html("changes/since-1"))
    minutes_here, minutes_whole = map(
        int, re.findall(r"(\d+) minutes? here, or (\d+) to read it whole", page)[0]
    )
    assert minutes_here < minutes_whole


@pytest.mark.parametrize("story", ["six-names", "snowshed-nine", "the-dry-book", "left-luggage"])
def test_no_name_stands_with_nothing_under_it(story: str) -> None:
    page = example(story).html("changes/since-1")
    people = re.findall(r'<li class="ch-person">.*?</li>', page, re.S)
    assert people
    assert all('<p class="ch-person__' in person for person in people)


def test_both_ends_can_be_chosen_and_it_says_no_more(coast: Made) -> None:
    page = coast.html("changes/since-1-to-2")
    assert re.findall(r'<section data-session="(\d+)"', page) == ["1", "2"]
    assert re.findall(r'href="([^"]*)" data-until="(\d+)"', page) == [
        ("since-1-to-1.html", "1"),
        ("#", "2"),
        ("since-1.html", "3"),
    ]
    # As it stood then: nobody is gone who goes in the third, and nothing is open that it leaves open.
    (guest,) = re.findall(r"<h3><a[^>]*>The Guest</a></h3>.*?</li>", page, re.S)
    assert "Gone" not in guest
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


def site_with_question(root: Path, tmp_path: Path, more_entries: str = "") -> Site:
    folder = tmp_path / "the-boathouse"
    shutil.copytree(root / "sessions" / "the-boathouse", folder)
    with sorted(folder.glob("0*.yaml"))[-1].open("a", encoding="utf-8") as log:
        log.write(LOG + more_entries)
    return make_site(folder, project=tmp_path, warn=lambda message: None)


@pytest.mark.parametrize("page", ["loose-ends", "changes/index"])
def test_what_is_asked_stands_open_until_it_is_answered(
    root: Path, tmp_path: Path, page: str
) -> None:
    site = site_with_question(root, tmp_path)
    html = next(file.html for file in site.campaign_files if file.path == f"the-boathouse/{page}")
    assert re.findall(r"<li><p>([^<]*\?)</p>", html) == ["Who lit the lamp?"]


def test_a_recap_tells_what_happened_and_not_what_the_game_wants_next() -> None:
    luggage = example("left-luggage")
    assert "everybody bids for the next scene" in plain(luggage.html("state"))
    assert "everybody bids" not in plain(luggage.html("changes/index"))


def test_a_finished_tale_does_not_wait_for_anybody(coast: Made, root: Path, tmp_path: Path) -> None:
    # What the cast says of the boy on the lantern is an answer, and nothing else is open.
    assert coast.campaign_site.path_on_site("loose-ends") not in coast.files
    ends = example("the-long-siding").html("loose-ends")
    assert "Will the train ever go on?" in plain(ends)
    folder = tmp_path / "the-long-siding"
    shutil.copytree(root / "sessions" / "the-long-siding", folder)
    for yaml_file in folder.glob("*.yaml"):
        yaml_file.write_text(
            yaml_file.read_text(encoding="utf-8")
            .replace(" is open.", " stays as it is.")
            .replace("nobody wrote down", "we know"),
            "utf-8",
        )
    site = make_site(folder, project=tmp_path, warn=lambda message: None)
    pages = {file.path: file.html for file in site.campaign_files}
    ends = pages["the-long-siding/loose-ends"]
    assert "has Traits that the record does not list" in ends
    assert "ch-ends" not in ends.replace("ch-ends__", "")
    assert "The story leaves nothing open. The record does." in ends
    assert "Nothing is open" not in ends
    # What only keepers can do something about is folded away.
    folded = ends.partition("<details")[2]
    assert "has Traits that the record does not list" in folded.partition("</details>")[0]


@pytest.mark.parametrize(
    ("story", "questions"),
    [
        ("the-ferry-house", ["Does Sepp or Lioba row from now on?", "How had the wedding party come back to the house?",
                             "Did the groom come out of the river?", "Who rang the bell?"]),
        ("a-room-by-post", ["Does Ottilie get the other comb?", "Whose is the suitcase?",
                            "What does Ottilie wait for?", "Who rang?"]),
        ("the-dry-book", ["Is Brandt the manager who was to sail?",
                          "What did the Agency have Marrow let out of prison to open?"]),
        ("left-luggage", ["Is the coat the one that the boy came for?"]),
    ],
)  # fmt: skip
def test_left_open_asks_what_the_recap_leaves_open(story: str, questions: list[str]) -> None:
    page = example(story).html("loose-ends")
    listed = page.partition('<ul class="ch-ends')[2].partition("</ul>")[0]
    assert [plain(words) for words in re.findall(r"<li><p>(.*?)</p>", listed)] == questions
    assert "ch-ends__plain" not in page
    # What is said with a question does not ask it again.
    said = re.findall(r'<p class="ch-ends__said">(.*?)</p>', listed)
    assert not [words for words in said if re.search(r"\bopen\b|not say|whether", words)]


def test_a_story_that_goes_on_with_nothing_open_says_so(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "left-luggage"
    shutil.copytree(root / "sessions" / "left-luggage", folder)
    for log in folder.glob("*.yaml"):
        text = log.read_text(encoding="utf-8")
        log.write_text(re.sub(r"the\s+page\s+does\s+not\s+say", "as we know", text), "utf-8")
    site = make_site(folder, project=tmp_path, warn=lambda message: None)
    pages = {file.path: file.html for file in site.campaign_files}
    ends = pages["left-luggage/loose-ends"]
    assert "No question is open at the moment." in ends


def test_many_sessions_are_told_briefly(coast: Made) -> None:
    whole_story, last = (
        coast.html(f"changes/{page}").partition("Where everybody is now")[0]
        for page in ("since-1", "since-3")
    )
    assert whole_story.count("ch-told-at") < 4 * last.count("ch-told-at")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2026-02-06", "2026-02-20", "6 to 20 February 2026"),
        ("2026-04-11", "2026-05-09", "11 April to 9 May 2026"),
        ("2025-12-30", "2026-01-02", "30 December 2025 to 2 January 2026"),
        ("2026-02-06", "2026-02-06", "6 February 2026"),
        ("spring", "2026-02-20", "spring to 20 February 2026"),
        ("", "", ""),
    ],
)
def test_two_dates_share_their_month_and_year(first: str, last: str, words: str) -> None:
    assert date_span(first, last) == words


def test_the_front_tells_the_session_that_was_read_last() -> None:
    """Whoever has read a part sees what happened in it, not only that the rest is closed."""
    page = example("the-lantern-coast").html("index")
    told = re.findall(r'<section class="ch-lately" data-ends ([^>]*)>.*?<h2>(.*?)</h2>', page)
    assert told == [
        ('data-from="1" data-until="2" hidden', "What the Ninth burns on"),
        ('data-from="2" data-until="3" hidden', "Who saw her go down"),
        ("data-spoils", "Fresh"),
    ]
