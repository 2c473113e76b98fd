"""What a reader does: walk about, switch, sort, search, share a link to a moment."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser


@pytest.fixture(params=["url", "file_url"], ids=["served", "from disk"])
def home(site: Site, request: pytest.FixtureRequest) -> str:
    return str(getattr(site, request.param))


def test_from_the_front_to_a_moment_and_back(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "index.html")
        page.get_by_role("link", name="The Boathouse").click()
        page.get_by_role("link", name="Follow it move by move").click()
        page.wait_for_url("**/sessions/1-steps.html")
        page.goto(home + "the-boathouse/sessions/1.html")
        assert page.locator("h1").inner_text() == "The letter"
        page.get_by_role("link", name="Before the ferry").last.click()
        assert page.locator("h1").inner_text() == "Before the ferry"
        page.locator(".ch-entries").get_by_role("link", name="Cast").click()
        page.locator(".ch-above").get_by_role("link", name="Everything").click()
        page.get_by_role("link", name="Wanda").first.click()
        assert page.locator("h1").inner_text() == "Wanda"
        page.locator(".ch-life .ch-told-at").first.press("Enter")
        page.locator("[id]:target").wait_for()
        page.locator(".ch-rule").first.click()
        page.locator(".ch-rule-entry:target").wait_for()
    assert watch.problems == []


def test_a_permalink_leads_to_its_action(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/sessions/1.html")
        anchor = page.locator(".ch-beat").nth(11).get_attribute("id")
        page.locator(".ch-beat").nth(11).locator(".ch-beat__no").click()
        assert page.url.endswith(f"#{anchor}")
        page.goto("about:blank")
        page.goto(f"{home}the-boathouse/sessions/1.html#{anchor}")
        page.locator(".ch-beat:target").wait_for()
        assert page.locator(".ch-beat:target").get_attribute("id") == anchor
        assert page.locator(".ch-beat:target").is_visible()
    assert watch.problems == []


def test_an_evening_can_be_read_in_several_ways(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/sessions/1.html")
        views = page.locator(".ch-views")
        assert views.locator("[aria-current]").inner_text() == "Annotated"
        page.locator(".ch-views").get_by_role("link", name="Story").click()
        talk = page.locator("details.ch-part__talk").first
        talk.locator("summary").click()
        assert talk.locator(".ch-remark").first.is_visible()
        page.get_by_role("link", name="How it was played").click()
        assert page.url.endswith("the-boathouse/sessions/1.html")
    assert watch.problems == []


def test_marks_lead_to_how_it_was_decided_and_can_be_hidden(
    home: str, watched: WatchedPage
) -> None:
    with watched(javascript=False) as (page, watch):
        page.goto(home + "the-lantern-coast/story.html")
        mark = page.locator(".ch-mark").first
        assert mark.is_visible()
        page.get_by_label("show them").uncheck()
        assert not mark.is_visible()
        page.get_by_label("show them").check()
        mark.click()
        page.locator(".ch-beat:target").wait_for()
    assert watch.problems == []


def test_moments_can_be_gone_through_one_by_one(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "snowshed-nine/map-session-2.html")
        bar = page.locator(".ch-frames").first
        frames = page.locator(".ch-frames ~ details.ch-fold, .ch-frames ~ .ch-section")
        assert "moments" in bar.inner_text()
        bar.get_by_role("button", name="Later").click()
        bar.get_by_role("button", name="Later").click()
        assert "2 of" in bar.inner_text()
        assert not frames.nth(0).is_visible()
        assert frames.nth(1).locator("svg").first.is_visible()
        bar.get_by_role("button", name="Play").click()
        page.wait_for_function("document.querySelector('.ch-frames output').textContent[0] === '3'")
        bar.get_by_role("button", name="Stop").click()
        bar.get_by_role("button", name="All").click()
        assert frames.nth(0).is_visible()
    assert watch.problems == []


def test_lists_are_no_moments_and_a_wide_table_is_cards_on_a_phone(
    home: str, watched: WatchedPage
) -> None:
    with watched(width=390) as (page, watch):
        page.goto(home + "the-lantern-coast/scenes-and-bids.html")
        expect(page.locator("details.ch-row").first).to_be_visible()
        expect(page.locator(".ch-frames")).to_have_count(0)
        row = page.locator(".ch-wide--most tr, .ch-wide--many tr").nth(1)
        assert row.evaluate("row => getComputedStyle(row).display") == "flex"
        bids = page.locator(".ch-wide--figures").first
        assert bids.evaluate("box => box.scrollWidth <= box.clientWidth")
        page.set_viewport_size({"width": 1280, "height": 800})
        assert row.evaluate("row => getComputedStyle(row).display") == "table-row"
    assert watch.problems == []


def _open_until(page: Page, url: str, is_told: Callable[[], object]) -> None:
    """Open a page, again if need be: from a disk, a page in another process may hear a moment later of what
    another page has kept."""
    for _ in range(5):
        page.goto(url)
        if is_told():
            return
        page.wait_for_timeout(200)


def test_the_theme_can_be_chosen_and_stays(home: str, watched: WatchedPage) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    with watched(scheme="light") as (page, watch):
        page.goto(home + "the-boathouse/index.html")
        light = paper()
        for _ in range(2):  # from automatic to light to dark
            page.locator("form[data-md-component=palette] label:not([hidden])").click()
        dark = paper()
        assert dark != light
        _open_until(page, home + "the-boathouse/state.html", lambda: paper() == dark)
        assert paper() == dark
    assert watch.problems == []


def test_tables_sort_and_filter(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/ledger.html")
        evening = page.locator(".ch-row", has=page.locator(".ch-filter")).first
        assert not evening.locator("table").is_visible()
        evening.locator("summary").click()
        table = evening.locator(".ch-filter + .ch-wide table")
        head = table.get_by_role("columnheader", name="Amount")
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == "ascending"
        column = head.evaluate("cell => cell.cellIndex + 1")
        shown = table.locator(f"tbody tr td:nth-child({column})").all_inner_texts()
        assert [int(text) for text in shown] == sorted(int(text) for text in shown)
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == "descending"
        rows = table.locator("tbody tr:visible")
        row_count = rows.count()
        evening.get_by_label("Filter").fill("Wanda")
        assert 0 < rows.count() < row_count
        assert all("Wanda" in text for text in rows.all_inner_texts())
    assert watch.problems == []


def test_search_finds_a_moment(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/index.html")
        page.keyboard.press("/")
        page.get_by_role("searchbox", name="Search for").fill("corkscrew")
        entries = page.locator(".ch-seek section", has_text="Entries")
        entries.locator("mark").first.wait_for()
        entries.get_by_role("link").first.click()
        page.wait_for_url("**/the-boathouse/sessions/*.html#*")
        assert "corkscrew" in page.locator(":target").inner_text()
        # A rule is found by its number, and a person by name.
        page.keyboard.press("/")
        page.get_by_role("searchbox", name="Search for").fill("p19")
        page.locator(".ch-seek section", has_text="Rules").get_by_role("link").first.wait_for()
        page.get_by_role("searchbox", name="Search for").fill("wand")
        with page.expect_event("load"):
            page.locator(".ch-seek").get_by_role("link", name="Wanda").first.click()
        assert page.locator("h1").inner_text() == "Wanda"
        # What other stories are searched by is not loaded here.
        page.keyboard.press("/")
        page.get_by_role("searchbox", name="Search for").fill("wand")
        page.get_by_text("Only this story and the rules of its game were searched.").wait_for()
        sources = page.locator("script[src$='/find.js']").evaluate_all(
            "all => all.map(one => one.src)"
        )
        assert len(sources) == 3 and sum("/the-boathouse/" in source for source in sources) == 1
    assert watch.problems == []


def test_each_note_follows_its_words_on_a_phone(home: str, watched: WatchedPage) -> None:
    with watched(width=390) as (page, watch):
        page.goto(home + "the-boathouse/sessions/1.html")
        beat = page.locator(".ch-beat:has(> .ch-note--beside):has(> .ch-beat__told)").first
        words_box, note = (
            beat.locator(".ch-beat__told").bounding_box(),
            beat.locator(".ch-note").first,
        )
        below = note.bounding_box()
        assert words_box is not None
        assert below is not None
        assert below["y"] >= words_box["y"] + words_box["height"] - 1
    assert watch.problems == []


def test_a_card_beside_a_name_says_what_is_known_there(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-lantern-coast/story.html")
        assert not page.locator("script[src*=cards]").count()
        name = page.locator(".ch-part a.ch-name", has_text="Corin Pask").first
        name.hover()
        card = page.locator(".ch-pop")
        card.wait_for()
        assert "inspector" in card.inner_text()
        # What he becomes later is not said yet.
        assert "Board man" not in card.inner_text()
        page.keyboard.press("Escape")
        assert not card.is_visible()
        name.hover()
        page.mouse.move(2, 400)
        name.hover()
        card.wait_for()
        card.get_by_role("link", name="Whole sheet").click()
        assert page.locator("h1").inner_text() == "Corin Pask"
        page.goto(home + "the-lantern-coast/sessions/1.html")
        beat_id = page.locator(".ch-beat:has(.ch-beat__told a.ch-name)").first.get_attribute("id")
        assert beat_id
        page.locator("main a.ch-rule").first.hover()
        card.wait_for()
        assert "All rules" in card.inner_text()
        # The same beside names, rules and words of the game wherever else they stand.
        for where, link, words in (
            ("sessions/1-steps.html#" + beat_id, ".ch-step__told:visible a.ch-name", "Whole sheet"),
            ("sessions/1-steps.html", ".ch-step__told:visible a.ch-rule", "All rules"),
            ("characters/corin-pask.html", ".ch-life a.ch-name", "Whole sheet"),
            ("changes/index.html", ".ch-body a.ch-name", "Whole sheet"),
            ("state.html", ".ch-card a.ch-term", "All words"),
        ):
            page.goto("about:blank")
            page.goto(f"{home}the-lantern-coast/{where}")
            page.locator(link).first.hover()
            card.wait_for()
            assert words in card.inner_text(), where
    assert watch.problems == []


def test_on_touch_a_card_comes_from_below(site: Site, browser: Browser) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(site.file_url + "the-lantern-coast/story.html")
    page.locator(".ch-part a.ch-name", has_text="Corin Pask").first.tap()
    card = page.locator(".ch-pop--sheet")
    card.wait_for()
    box = card.bounding_box()
    assert box is not None
    assert (box["x"], round(box["width"]), round(box["y"] + box["height"])) == (0, 390, 800)
    card.get_by_role("button", name="Close").tap()
    assert not card.is_visible()
    assert page.url.endswith("story.html")
    context.close()


def test_without_scripts_a_name_is_a_link(site: Site, watched: WatchedPage) -> None:
    with watched(javascript=False) as (page, watch):
        page.goto(site.file_url + "the-lantern-coast/story.html")
        page.locator(".ch-part a.ch-name", has_text="Corin Pask").first.click()
        assert page.locator("h1").inner_text() == "Corin Pask"
        page.locator(".ch-entries").get_by_role("link", name="Cast").click()
        assert page.locator("h1").inner_text() == "The people"
    assert watch.problems == []


def test_overviews_are_told_as_far_as_the_reader_has_chosen(
    home: str, watched: WatchedPage
) -> None:
    with watched(has_read=False) as (page, watch):
        page.goto(home + "the-lantern-coast/index.html")
        sessions = page.locator(".ch-sessions > li:visible")
        assert sessions.count() == 1
        # Who has read nothing yet sees no account, no endings and no questions.
        assert not page.locator("[data-ends]:visible").count()
        page.get_by_role("button", name="to the end").click()
        assert page.locator(".ch-body [data-ends]:visible").count() > 5
        page.get_by_role("button", name="session 1", exact=True).click()
        # The next session can be read on; its blurb and the sessions after it are closed.
        assert sessions.count() == 2
        assert not sessions.nth(1).locator("[data-blurb]").is_visible()
        page.get_by_text("Later sessions are closed until you have read them.").wait_for()
        assert not page.locator(".ch-body [data-spoils]:visible").count()
        # The people stand as they did after it.
        assert page.locator(".ch-meet:visible li").count() >= 3
        assert "351" not in page.locator(".ch-body").inner_text()
        # It is remembered on the device, and people are shown as they stood then.
        page.goto(home + "the-lantern-coast/cast/index.html")
        page.wait_for_url("**/cast/after-1.html")
        page.goto(home + "the-lantern-coast/changes/since-1.html")
        page.wait_for_url("**/changes/since-1-to-1.html")
        # What tells of later evenings is covered, until somebody lifts it.
        page.goto(home + "the-lantern-coast/sessions/2.html")
        assert not page.locator(".ch-body").is_visible()
        # So is its name, on the page and on its tab.
        assert page.title() == "Not told yet · The Lantern Coast"
        page.get_by_role("button", name="Read session 2").click()
        assert page.locator("h1").inner_text() == "Who saw her go down"
        assert page.title() == "Who saw her go down · The Lantern Coast"
        page.goto(home + "the-lantern-coast/sessions/2-steps.html")
        assert not page.locator("main").is_visible()
        assert page.title() == "Not told yet · The Lantern Coast"
        assert page.locator("h1:visible").inner_text() == "Not told yet"
        page.get_by_role("button", name="Read session 2").click()
        assert page.locator("main").is_visible()
        page.goto(home + "the-lantern-coast/sessions/1-steps.html")
        assert page.locator("main").is_visible()
        page.goto(home + "the-lantern-coast/sessions/1.html")
        assert page.locator(".ch-turn a[rel=next]").is_visible()
        page.locator(".ch-turn a[rel=next]").click()
        page.wait_for_url("**/sessions/2.html")
        assert page.locator(".ch-body").is_visible()
        page.goto(home + "the-lantern-coast/characters/watch-below.html")
        page.get_by_role("heading", name="Not met yet").wait_for()
        assert "atch below" not in page.title()
        # From any closed page the next session is the first way on.
        page.goto(home + "the-lantern-coast/state.html")
        page.get_by_role("link", name="Read session 2").click()
        page.wait_for_url("**/story/2.html")
        assert page.locator(".ch-body").is_visible()
        # A registry names whom one has met, a sheet says what was so by then.
        page.goto(home + "the-lantern-coast/everything.html")
        page.get_by_role("rowheader", name="Nim").wait_for()
        page.get_by_text("Watch below", exact=True).wait_for(state="hidden")
        page.goto(home + "the-lantern-coast/characters/corin-pask.html")
        page.locator(".ch-columns .ch-pop__in").wait_for()
        assert "gains “was told”" not in page.locator(".ch-body").inner_text()
        assert not page.locator(".ch-slip", has_text="was told").locator("visible=true").count()
        page.goto(home + "the-lantern-coast/index.html")
        assert sessions.count() == 2
        page.get_by_role("button", name="to the end").click()
        assert sessions.count() == 3
    assert watch.problems == []


CLOSED = (
    "cast/index.html",
    "state.html",
    "relations.html",
    "timeline.html",
    "everything.html",
    "characters/corin-pask.html",
    "sessions/2.html",
    "story/2.html",
    "sessions/2-steps.html",
    "cast/after-1.html",
)
"""Pages that tell what somebody who has not begun to read does not want to know."""


def test_who_has_not_begun_to_read_is_told_no_more_than_after_session_1(
    home: str, watched: WatchedPage
) -> None:
    with watched(has_read=False) as (page, watch):
        story = home + "the-lantern-coast/"
        page.goto(story + "index.html")
        assert "351" not in page.locator(".ch-body").inner_text()
        assert page.locator(".ch-sessions > li:visible").count() == 1
        assert page.locator(".ch-sessions > li [data-blurb]:visible").count() == 1
        for address in CLOSED:
            page.goto(story + address)
            page.get_by_role("button", name="Show this page").wait_for()
            assert not page.locator(".ch-body:visible, main.ch-through__main:visible").count()
        for address in ("story.html", "sessions/1.html", "sessions/1-steps.html", "about.html"):
            page.goto(story + address)
            page.locator("h1:visible").first.wait_for()
            assert not page.locator(".ch-cover-up").count(), address
    assert watch.problems == []


def test_a_closed_page_says_which_it_is_and_stays_open_once_it_is_shown(
    home: str, watched: WatchedPage
) -> None:
    with watched(has_read=False) as (page, watch):
        story = home + "the-lantern-coast/"
        page.goto(story + "cast/index.html")
        cover, body = page.locator(".ch-cover-up"), page.locator(".ch-body")
        assert cover.locator("h1").inner_text() == "Cast"
        page.get_by_role("button", name="Show this page").click()
        page.reload()
        body.wait_for()
        assert not cover.count()
        # Where the story is read is one way on; people are introduced, and not yet to be followed.
        page.goto(story + "index.html")
        assert page.locator(".ch-meet li").count() >= 3
        assert not page.locator(".ch-meet a[href]").count()
        page.goto(story + "characters/corin-pask.html")
        page.get_by_text("you have not read it yet").wait_for()
        # The front names him; how long the story takes is on the way to it.
        assert cover.locator("h1").inner_text() == "Corin Pask"
        assert cover.get_by_role("link").inner_text() == "Read the story, 24 minutes"
        assert not cover.locator("select").count()
        way = cover.get_by_role("link", name="Read the story").get_attribute("href")
        assert (way or "").endswith("/the-lantern-coast/story.html")
        page.get_by_role("button", name="I have read the whole story").click()
        body.wait_for()
        page.goto(story + "state.html")
        body.wait_for()
        assert not cover.count()
    assert watch.problems == []


def test_before_the_first_session_the_people_of_the_front_stand_below_it(
    home: str, watched: WatchedPage
) -> None:
    with watched(has_read=False) as (page, _):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(home + "the-lantern-coast/index.html")
        sessions, people = page.locator(".ch-sessions"), page.locator(".ch-meet").first
        one, other = sessions.bounding_box(), people.bounding_box()
        assert one
        assert other
        assert other["x"] == one["x"]
        assert other["y"] > one["y"] + one["height"]
        assert other["y"] < one["y"] + one["height"] + 200


def test_who_has_read_a_session_goes_on(home: str, watched: WatchedPage) -> None:
    with watched(has_read=False) as (page, watch):
        story = home + "the-lantern-coast/"
        page.goto(story + "story.html")
        # Who reads the first session can go on without any answer.
        page.locator("a.ch-next").click()
        page.wait_for_url("**/story/2.html")
        assert page.locator(".ch-chapter").is_visible()
        page.goto(story + "story.html")
        following = page.locator("a.ch-next")
        assert not following.locator("[data-blurb]").is_visible()
        page.get_by_role("button", name="I have read session 1").click()
        page.get_by_text("now go as far as session 1").wait_for()
        following.click()
        page.wait_for_url("**/story/2.html")
        assert page.locator(".ch-chapter").is_visible()
        page.get_by_role("button", name="I have read session 2").click()
        page.get_by_text("now go as far as session 2").wait_for()
        page.goto(story + "cast/index.html")
        page.wait_for_url("**/cast/after-2.html")
        page.goto(story + "story/3.html")
        page.get_by_text("This is session 3, the next one.").wait_for()
        page.goto(story + "sessions/index.html")
        page.locator(".ch-next-session").get_by_role("link", name="story", exact=True).click()
        page.wait_for_url("**/story/3.html")
        page.get_by_role("button", name="I have read session 3").click()
        page.get_by_text("All pages of this story are open now.").wait_for()
        page.goto(story + "cast/index.html")
        assert page.locator(".ch-body").is_visible()
    assert watch.problems == []


def _lines(page: Page, selector: str) -> set[str]:
    """The words of what is shown, one piece each, so far that they are told apart."""
    texts = page.eval_on_selector_all(selector, "all => all.map(one => one.innerText)")
    return {" ".join(str(words).split())[:60] for words in texts}


LEAVES = "navigation.addEventListener('navigate', (to) => { window.leaves ||= !to.hashChange; });"
STAYS = "() => !window.leaves && document.readyState === 'complete'"
"""A page may lead on to one of that evening: then the other is there."""


@pytest.mark.parametrize(
    ("campaign", "answer"),
    [
        ("gallery-nine", "session 1"),
        ("six-names", "session 1"),
        ("snowshed-nine", "not yet"),
        ("snowshed-nine", "session 1"),
        ("the-boathouse", "session 1"),
        ("the-dry-book", "not yet"),
        ("the-dry-book", "session 1"),
        ("the-lantern-coast", "session 1"),
    ],
)
def test_no_page_of_any_game_tells_more_than_the_reader_wants(
    site: Site, watched: WatchedPage, campaign: str, answer: str
) -> None:
    home, folder = site.url + campaign, site.root / campaign
    story_selector = ".ch-beat p, .ch-beat li, .ch-scene h2, .ch-head h1"
    with watched() as (page, watch):
        page.goto(f"{home}/sessions/1.html")
        first = " ".join(page.inner_text(".ch-body").split())
        later: set[str] = set()
        for file in sorted((folder / "sessions").glob("[2-9].html")):
            page.goto(f"{home}/sessions/{file.name}")
            later |= {words for words in _lines(page, story_selector) if len(words) > 25}
        cards = (folder / "cards.js").read_text("utf-8")
        card_data = json.loads(cards[cards.index("{") : cards.rindex("}") + 1])
        end = next(row[2] for row in card_data["sessions"] if row[0] == 1)
        later |= {sheet["n"] for sheet in card_data["sheets"].values() if sheet["f"] > end}
        # The title of the next session invites to read on.
        page.goto(f"{home}/sessions/2.html")
        first += " ".join(_lines(page, ".ch-head h1"))
        later = {words for words in later if len(words) > 4 and words not in first}
        assert len(later) > 20
        page.goto(f"{home}/index.html")
        page.get_by_role("button", name=answer, exact=True).click()
        page.add_init_script(LEAVES)
        tried: Counter[Path] = Counter()
        problems: list[str] = []
        for file in sorted(folder.rglob("*.html")):
            tried[file.parent] += file.parent != folder
            if tried[file.parent] > 4 or 'http-equiv="refresh"' in file.read_text("utf-8")[:800]:
                continue
            page.goto(f"{home}/{file.relative_to(folder).as_posix()}")
            page.wait_for_function(STAYS)
            shown = " ".join(f"{page.title()} {page.inner_text('body')}".split())
            problems += [
                f"{page.url.removeprefix(home)}: {later_name}"
                for later_name in later
                if later_name in shown
            ]
        assert problems == []
        assert sum(tried.values()) > 15
    assert watch.problems == []


def test_what_was_seen_last_is_remembered_on_the_device(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-lantern-coast/sessions/1.html")
        notice = page.locator(".ch-last-read")
        _open_until(page, home + "the-lantern-coast/changes/index.html", notice.inner_text)
        assert "you last saw session 1" in notice.inner_text()
        notice.get_by_role("link").click()
        page.wait_for_url("**/changes/since-2.html")
    assert watch.problems == []


def test_on_paper_a_story_has_all_sessions_and_nothing_of_the_screen(
    site: Site, watched: WatchedPage
) -> None:
    with watched() as (page, watch):
        page.goto(site.url + "snowshed-nine/story.html")
        page.get_by_role("link", name="all sessions on one page").click()
        assert page.locator(".ch-chapter__title").count() == 3
        ids = page.eval_on_selector_all("[id]", "all => all.map(one => one.id)")
        assert len(ids) == len(set(ids))
        for address in ("story.html", "story/all.html"):
            page.goto(f"{site.url}snowshed-nine/{address}")
            page.emulate_media(media="print")
            for part in (".ch-next", ".ch-part__talk", ".ch-chapter__more", ".ch-contents"):
                assert not page.locator(f"{part}:visible").count(), (address, part)
            page.emulate_media(media="screen")
    assert watch.problems == []


def test_the_scenes_of_a_session_stand_below_their_bars(home: str, watched: WatchedPage) -> None:
    with watched() as (page, _):
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(home + "the-dry-book/sessions/1.html")
            bars = page.locator(".ch-barcode svg").bounding_box()
            assert bars
            links = page.locator(".ch-barcode a").all()
            assert len(links) > 10
            for link in links:
                # Where one has no room below its bars, all of them are listed.
                assert link.evaluate("one => one.scrollWidth <= one.clientWidth"), width
                box = link.bounding_box()
                assert box
                assert box["width"] > 60
                assert box["y"] >= bars["y"] + bars["height"]
