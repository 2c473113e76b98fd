"""The rules of the desk that no other test holds, in a real browser.

Rule by rule, with where it is proved (``desk`` is ``test_desk.py``, ``line`` is ``test_line.py``):

1. Sentence left, change right: here (four changes at most, no rule numbers), ``desk`` (tapped together).
2. The draft is the last row: ``desk`` (tapped together, keyboard alone).
3. Buttons never move, impossible ones are grey: here, ``desk`` (impossible, nothing moves).
4. One question in full, answers as tokens: here, ``desk`` (what a line lacks).
5. Tap an entry to edit it: ``desk`` (changed where it is tapped), ``line`` (parts).
6. Fixes preview: ``desk`` (a slip is told).
7. Nothing moves under a finger for 500 ms: here, ``desk`` (nothing moves, no key of the pad, a slip is told).
8. Unfinished and against the rules: ``desk`` (not whole, types fast).
9. Guests: here (raised hands), ``test_others.py``.
10. First screen, failures where they happen: here, ``test_device.py``.
11. Messages, outside edits, drafts of a closed tab: ``desk``, ``test_others.py``; what is rolled here: here.

Entry counts are in ``desk``; contrast, focus and names here; labels in ``tests/test_words.py``.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.desk import Desks, HeldAnswers, Opened, desks
from tests.browser.test_desk import COAST, GALLERY, GAMES, PLACES, SHED, overflow

pytestmark = pytest.mark.browser

SLOW = 20_000
MOST_ROWS = 3
"""How many rows a question takes at most."""

FITS = """() => {
    const title = document.querySelector("#choices-title");
    const {left, right, height} = title.getBoundingClientRect();
    return {text: title.textContent, whole: title.scrollWidth <= title.clientWidth && left >= 0 && right <= innerWidth,
        rows: Math.round(height / parseFloat(getComputedStyle(title).lineHeight))};
}"""
"""What the open question says, whether all of it is seen, and in how many rows."""

UNNAMED = """() => [...document.querySelectorAll("button, input, textarea, [role=option], [tabindex='0']")]
    .filter((one) => one.offsetParent && !one.matches(".choices:empty"))
    .filter((one) => !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby")
        || one.textContent.trim() || one.closest("label")))
    .map((one) => one.outerHTML.slice(0, 120))"""
"""What can be reached and says nothing to a screen reader."""

UNSEEN = """() => {
    const {outlineStyle, outlineWidth, boxShadow} = getComputedStyle(document.activeElement);
    const box = document.activeElement.closest(".box");
    const around = box && getComputedStyle(box).boxShadow;
    const seen = (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) || (around && around !== "none");
    return seen || document.activeElement === document.body ? "" : document.activeElement.outerHTML.slice(0, 120);
}"""
"""The focused element, if nothing shows that it has the focus."""


CUT_OFF = """() => {
    const found = new Set();
    const open = document.querySelector("dialog[open]") ?? document;
    const stops = "button, a[href], input, textarea, select, summary, [tabindex]";
    // Whatever scrolls can be scrolled to where it is seen.
    const cuts = (overflow, scrolls) => overflow === "hidden" || (overflow !== "visible" && !scrolls);
    for (const one of open.querySelectorAll(stops)) {
        if (!one.offsetParent || one.disabled || one.closest("[inert]")) continue;
        one.focus({ focusVisible: true });
        const style = getComputedStyle(one);
        if (document.activeElement !== one || style.outlineStyle === "none") continue;
        const out = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth) - 0.6;
        const ring = one.getBoundingClientRect();
        let cut = ring.left - out < 0 || ring.right + out > innerWidth;
        for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(around);
            const box = around.getBoundingClientRect();
            const [left, top] = [box.left + around.clientLeft, box.top + around.clientTop];
            const { clientWidth: wide, clientHeight: high } = around;
            if (cuts(overflowX, around.scrollWidth > wide))
                cut ||= ring.left - out < left || ring.right + out > left + wide;
            if (cuts(overflowY, around.scrollHeight > high))
                cut ||= ring.top - out < top || ring.bottom + out > top + high;
        }
        if (cut && out > 0) found.add(`${one.tagName}.${one.className}`);
    }
    return [...found];
}"""
"""What has a focus ring of which a box around it cuts off a part."""


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    with desks(root, tmp_path) as opened:
        yield opened


def thought(page: Page, line: str) -> None:
    """Type a line, and wait until it is answered."""
    page.locator("#line").fill(line)
    page.locator("#line").press("End")
    expect(page.locator(".choices")).to_have_attribute("data-of", line)


def test_every_question_fits_in_full_on_a_phone(desk: Desks, watched: WatchedPage) -> None:
    opened = desk(*GAMES.values(), cut=COAST | SHED | GALLERY)
    with watched(width=390) as (page, watch):
        opened.enter(page)
        for campaign in GAMES.values():
            opened.sit(page, campaign)
            verbs = page.evaluate(
                "[...document.querySelectorAll('.deck .chip[data-verb]')].map((one) => one.dataset.verb)"
            )
            assert len(verbs) > 5, campaign
            for verb in verbs:
                thought(page, f"{verb} ")
                questions = page.evaluate(FITS)
                assert questions["text"].endswith("?"), (campaign, verb, questions)
                assert questions["whole"] and questions["rows"] <= MOST_ROWS, (
                    campaign,
                    verb,
                    questions,
                )
                assert overflow(page) <= 0
            thought(page, "")
    assert watch.problems == []


def test_an_answer_is_a_token_and_a_tap_on_it_asks_again(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=390) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        thought(page, "draw Patience: tarred twice, to: Joss")
        tokens = page.locator(".mirror .token")
        expect(tokens).to_have_text(["Patience", "tarred twice", "Joss"])
        title = page.locator("#choices-title")
        for number, question in ((2, "Who gets the dice?"), (1, "Which Traits of Patience?")):
            place = tokens.nth(number).bounding_box()
            assert place is not None
            page.mouse.click(place["x"] + place["width"] - 4, place["y"] + place["height"] / 2)
            expect(title).to_have_text(question)
        assert axe(page) == []
        page.locator(".choice", has_text="boat").first.click()
        expect(page.locator("#line")).to_have_value(
            re.compile("^draw Patience: .*boat.*, to: Joss$")
        )
        # Free words are no answers to choose from.
        thought(page, "event It rains, and nobody minds")
        expect(tokens).to_have_count(0)
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_action_buttons_stay_where_they_are_from_entry_to_entry(
    desk: Desks, watched: WatchedPage, width: int
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        expect(page.locator(".deck .chip").first).to_be_visible()
        places_before = page.evaluate(PLACES, ".deck .chip")
        assert len(places_before) == (8 if width < 760 else 14)
        for line, expected in (
            ("draw Patience: tarred twice", "tarred twice"),
            ("end turn", "ends the turn"),
        ):
            thought(page, line)
            page.locator("#line").press("Enter")
            expect(page.locator(".entry.current")).to_contain_text(expected)
            assert page.evaluate(PLACES, ".deck .chip") == places_before, line
            page.wait_for_timeout(500)
            assert page.evaluate(PLACES, ".deck .chip") == places_before, line
    assert watch.problems == []


def test_an_entry_has_four_changes_at_most_and_no_rule_numbers(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk(*GAMES.values())
    with watched(width=1024) as (page, watch):
        opened.enter(page)
        for campaign in GAMES.values():
            opened.sit(page, campaign)
            shown = page.evaluate(
                """() => [...document.querySelectorAll(".entry")].map((one) => {
                    const side = (what) => one.querySelector(what)?.getBoundingClientRect().left ?? 0;
                    return [one.querySelectorAll(":scope > .told > .changes > .change").length,
                        one.querySelectorAll(".sentence .rule, .changes .rule").length,
                        side(".changes") && side(".changes") < side(".sentence")];
                })"""
            )
            assert len(shown) > 5, campaign
            assert all(
                lines <= 4 and not rules and not misplaced for lines, rules, misplaced in shown
            ), campaign
    assert watch.problems == []


def test_what_is_rolled_here_is_seen_before_it_is_added(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("six-names", cut=GALLERY)
    log = opened.folder / "six-names" / "02.yaml"
    log_before = log.read_bytes()
    with watched(width=390) as (page, watch):
        opened.enter(page, "six-names")
        page.locator(".chip.throws").first.click()
        rolled = page.locator(".due > li")
        for number, _ in enumerate(("Halina", "Osei", "Ruiz")):
            page.get_by_role("button", name="Roll here").click()
            # What was rolled stays in sight when the next one rolls.
            expect(rolled.nth(number)).to_have_attribute("data-rolled", re.compile(r"\d( · \d)*"))
        expect(page.locator(".pad .die.blank")).to_have_count(0)
        expect(page.locator(".pad-says .head").first).to_be_visible()
        assert log.read_bytes() == log_before
        page.locator(".key.go").click()
        expect(page.locator(".entry.current .contest")).to_be_visible()
    assert log.read_bytes() != log_before
    assert watch.problems == []


def test_a_stranger_is_asked_who_runs_the_game_and_finds_every_action_on_a_phone(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk()
    with watched(width=390) as (page, watch):
        opened.enter(page)
        page.get_by_role("button", name="New campaign").click()
        page.locator(".game", has_text="Isolation").click()
        for number, name in enumerate(("Mara", "Theo", "Jun")):
            page.get_by_label(f"Player {number + 1}").fill(name)
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_role("alert")).to_have_text("Enter who runs the game.")
        page.get_by_label("Who runs the game").fill("Gil")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".deck .chip[data-verb]").first).to_be_visible(timeout=SLOW)
        # The buttons of a phone are few. What is possible besides is found among all actions, and no row of it hides
        # what is next.
        expect(page.locator(".chips .chip:not(.due)")).to_have_text(["Scene"])
        page.get_by_role("button", name="All actions").click()
        page.get_by_label("Find an action").fill("stress")
        besides = page.locator("dialog .menu-row:not(:disabled)")
        expect(besides.filter(has_text="Stress").first).to_be_visible()
        assert axe(page) == []
        page.get_by_label("Find an action").fill("no such thing")
        expect(besides).to_have_count(0)
        page.get_by_role("button", name="Close", exact=True).click()
        # What comes first in the book is on the first buttons.
        scenario = page.locator('.deck .chip[data-verb="scenario"]')
        expect(page.locator('.deck .chip[data-verb="character"]')).to_be_visible()
        scenario.click()
        thought(page, "scenario The boiler room")
        expect(page.locator("#choices-title")).to_have_text("What keeps the cast there?")
        expect(page.locator(".need")).to_contain_text("Tap “threat”, then type the answer.")
        # A problem that is a question is the question.
        thought(page, "character Ingrid")
        expect(page.locator("#choices-title")).to_have_text("whose character is Ingrid?")
        thought(page, "")
        page.set_viewport_size({"width": 1024, "height": 768})
        expect(scenario).to_be_visible()
        assert axe(page) == []
    assert watch.problems == []


def test_words_before_an_action_become_its_words(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        thought(page, "It rains on the harbour")
        expect(page.locator("#choices-title")).to_have_text("Which action is this?")
        page.locator('.deck .chip[data-verb="event"]').click()
        expect(page.locator("#line")).to_have_value("event It rains on the harbour")
        # Nothing was laid aside for it.
        expect(page.locator(".laid .part")).to_have_count(0)
    assert watch.problems == []


def test_a_sentence_before_its_action_is_offered_where_anything_may_be_said(
    desk: Desks, watched: WatchedPage
) -> None:
    press = "the-pressing-room"
    goal = "- goal: Press the line out before anybody sees it"
    opened = desk(press, cut={press: ("01.yaml", goal)})
    with watched(width=390) as (page, watch):
        opened.enter(page, press)
        sentence = "The line comes out unseen"
        thought(page, sentence)
        page.locator('.deck .chip[data-verb="goal"]').click()
        page.locator(".choices").get_by_role("option", name=sentence).click()
        expect(page.locator("#line")).to_have_value(f"goal {sentence}")
        expect(page.locator(".laid .part")).to_have_count(0)
    assert watch.problems == []


def test_keys_undo_what_was_added_and_walk_from_entry_to_entry(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        entries = page.locator(".log .entry:not(.draft)")
        before = entries.count()
        thought(page, "tell It rains on the harbour")
        page.locator("#line").press("Enter")
        expect(entries).to_have_count(before + 1, timeout=SLOW)
        page.locator("#line").press("Control+z")
        expect(entries).to_have_count(before, timeout=SLOW)
        page.locator("#line").press("Control+Shift+z")
        expect(entries).to_have_count(before + 1, timeout=SLOW)
        heads = page.locator(".log .entry:not(.draft) > .number")
        heads.last.focus()
        for back in range(2, 8):
            page.keyboard.press("ArrowUp")
            expect(heads.nth(before + 1 - back)).to_be_focused()
    assert watch.problems == []


def test_a_name_that_is_only_begun_is_finished_by_enter_and_not_added(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        entries = page.locator(".log .entry:not(.draft)").count()
        thought(page, "eliminate Pat")
        expect(page.locator(".mirror .ghost").first).to_be_visible()
        page.locator("#line").press("Enter")
        expect(page.locator("#line")).to_have_value(re.compile("^eliminate Patience"))
        expect(page.locator(".log .entry:not(.draft)")).to_have_count(entries)
    assert watch.problems == []


def begin_positive(folder: Path) -> None:
    """A campaign of Positive just before its first scene, which has to name who is there."""
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "game: positive\ntitle: After the eclipse\nplayers: [Ana, Bo, Cy]\n", encoding="utf-8"
    )
    (folder / "01.yaml").write_text(
        "session: 1\n\nlog:\n- cast: {Ana: Ines, Bo: Solveig, Cy: Teo}\n- host: Ines\n- accuser: Solveig\n",
        encoding="utf-8",
    )


def test_a_fast_enter_behind_an_unfinished_line_asks_and_loses_no_key(
    desk: Desks, watched: WatchedPage, tmp_path: Path
) -> None:
    opened = desk("the-boathouse")
    begin_positive(tmp_path / "after-the-eclipse")
    scene, tell = "scene The roof during the eclipse", "tell Solveig says nothing"
    with watched(width=1024) as (page, watch):
        answers = HeldAnswers(page)
        opened.enter(page, "after-the-eclipse")
        line = page.locator("#line")
        entries = page.locator(".log .entry:not(.draft)").count()
        # What is still asked is asked in the line: whatever is typed next answers it.
        line.press_sequentially(scene)
        line.press("Enter")
        expect(line).to_have_value(f"{scene}, with: ", timeout=SLOW)
        expect(page.locator("#choices-title")).to_have_text("Who is there?")
        # Whoever types on meanwhile goes on with another line, and has the first one back by a tap.
        # This one has not been answered before.
        other_scene = "scene The cellar after dark"
        answers.hold()
        line.fill("")
        line.press_sequentially(other_scene)
        line.press("Enter")
        line.press_sequentially(tell)
        answers.pass_on()
        answers.release()
        expect(page.locator(".laid .part-words")).to_have_text(
            f"Back to: {other_scene}", timeout=SLOW
        )
        expect(line).to_have_value(tell)
        expect(page.locator(".log .entry:not(.draft)")).to_have_count(entries)
        # It was refused, so it outlasts the next entry.
        line.press("Enter")
        expect(page.locator(".log .entry:not(.draft)")).to_have_count(entries + 1, timeout=SLOW)
        page.locator(".laid .part-words").click()
        expect(line).to_have_value(other_scene)
    assert watch.problems == []


def test_enter_applies_the_fix_that_was_chosen(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        thought(page, "take over Nobody At All")
        fix = page.locator(".draft-finding .mend").first
        expect(fix).to_be_visible(timeout=SLOW)
        page.wait_for_timeout(700)
        fix.click()
        write = page.locator(".box .write")
        expect(write).to_have_text("Apply fix")
        expect(write).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".toast")).to_contain_text("Fixed", timeout=SLOW)
        expect(page.locator("#line")).to_have_value("")
        # The button is grey now: work goes on in the line.
        expect(page.locator("#line")).to_be_focused()
    assert watch.problems == []


def test_enter_takes_the_first_meaning_of_a_line_without_its_colon(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-boathouse")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-boathouse")
        thought(page, "say It is late")
        expect(page.locator("#choices-title")).to_have_text("Which of these do you mean?")
        first = page.locator(".choices .kind-new .choice-label").first.inner_text()
        assert first.startswith("say ") and first.endswith(": It is late")
        page.locator("#line").press("Enter")
        expect(page.locator("#line")).to_have_value(first)
        # One who speaks is understood, and seen in the last row before it is written.
        name = first.removeprefix("say ").partition(":")[0]
        thought(page, f"say {name} it is late")
        expect(page.locator(".draft")).to_contain_text("it is late")
        page.locator("#line").press("Enter")
        expect(page.locator(".entry:not(.draft)").last).to_contain_text("it is late", timeout=SLOW)
    assert watch.problems == []


def test_enter_behind_a_bid_passes_over_nobody(
    desk: Desks, watched: WatchedPage, tmp_path: Path
) -> None:
    opened = desk("the-boathouse")
    folder = tmp_path / "the-salt-road"
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "game: universalis\ntitle: The salt road\nplayers: [Nora, Piet, Sam]\n", encoding="utf-8"
    )
    (folder / "01.yaml").write_text(
        "session: 1\n\nlog:\n- tenet: A salt town\n- pass: [Nora, Piet, Sam]\n", encoding="utf-8"
    )
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-salt-road")
        page.locator('.deck .chip[data-verb="bid"]').click()
        rolls = page.locator(".pad h2")
        # A nought is a whole bid, and the pad goes on by itself; a two could become twenty.
        for key, bidder in (("2", "Piet"), ("0", "Sam")):
            page.keyboard.press(key)
            page.keyboard.press("Enter")
            expect(rolls).to_contain_text(bidder)
        page.keyboard.press("Enter")
        expect(rolls).to_contain_text("Sam")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        expect(page.locator(".entry.current .sentence")).to_contain_text(
            "Bids: Nora 2, Piet 0, Sam 1"
        )
    assert watch.problems == []


def as_guest(opened: Opened, page: Page, tab: Page, campaign: str, name: str) -> None:
    """Let a guest in on a tab, and say who they are."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Others at the table").click()
    code = page.locator(".invited .code").inner_text()
    page.get_by_role("button", name="Close", exact=True).click()
    tab.goto(f"http://127.0.0.1:{opened.port}/")
    tab.get_by_label("Code for guests").fill(code)
    tab.get_by_role("button", name="Watch").click()
    expect(tab.locator(".gate")).to_be_hidden(timeout=SLOW)
    opened.sit(tab, campaign)
    tab.get_by_role("button", name="Who are you?").click()
    tab.locator("dialog").get_by_role("button", name=name).click()


def test_a_guest_asks_to_speak_and_the_keeper_opens_it(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    coast = "the-lantern-coast"
    opened = desk(coast, lan=True, cut=COAST)
    log = opened.folder / coast / "02.yaml"
    log_before = log.read_bytes()
    with (
        watched(width=1024) as (page, watch),
        watched(width=390, scheme="dark") as (tab, tab_watch),
    ):
        opened.enter(page, coast)
        as_guest(opened, page, tab, coast, "Marit")
        asks = tab.locator(".requests")
        expect(asks.get_by_role("button")).to_have_text(["Raise hand", "Interrupt", "Challenge"])
        assert axe(tab) == []
        assert overflow(tab) <= 0
        asks.get_by_role("button", name="Challenge").click()
        state = asks.get_by_role("status")
        expect(state).to_have_text("Your hand is up. The keeper sees it.", timeout=SLOW)
        raised = page.locator(".raised-row")
        expect(raised).to_contain_text("Marit raises a hand: Challenge", timeout=SLOW)
        assert axe(page) == []
        # One hand for each: the second takes the place of the first.
        asks.get_by_role("button", name="Interrupt").click()
        expect(raised).to_contain_text("Interrupt", timeout=SLOW)
        expect(raised).to_have_count(1)
        raised.get_by_role("button", name="Dismiss").click()
        expect(raised).to_have_count(0)
        expect(state).to_contain_text("Only the keeper can add it to the log.")
        asks.get_by_role("button", name="Challenge").click()
        raised.get_by_role("button", name="Open").click()
        expect(raised).to_have_count(0)
        expect(page.locator("#line")).to_have_value("challenge ")
        expect(page.locator(".box .by .player")).to_contain_text("Marit")
        expect(page.locator("#choices-title")).to_have_text("Who challenges?")
    assert log.read_bytes() == log_before
    assert watch.problems == []
    assert [problem for problem in tab_watch.problems if "WebSocket" not in problem] == []


def test_a_hand_that_is_raised_while_the_keeper_is_elsewhere_waits_for_them(
    desk: Desks, watched: WatchedPage
) -> None:
    coast = "the-lantern-coast"
    opened = desk(coast, "snowshed-nine", lan=True, cut=COAST)
    with watched(width=1024) as (page, watch), watched(width=390) as (tab, _):
        opened.enter(page, "snowshed-nine")
        as_guest(opened, page, tab, coast, "Marit")
        tab.get_by_role("button", name="Interrupt").click()
        state = tab.locator(".requests").get_by_role("status")
        expect(state).to_contain_text("sees it as soon as they open it", timeout=SLOW)
        raised = page.locator(".raised-row")
        expect(raised).to_have_count(0)
        opened.sit(page, coast)
        expect(raised).to_contain_text("Marit raises a hand: Interrupt")
        expect(state).to_have_text("Your hand is up. The keeper sees it.")
        # It outlives the page of the keeper, until the guest takes it down.
        page.reload()
        expect(raised).to_have_count(1, timeout=SLOW)
        tab.get_by_role("button", name="Lower hand").click()
        expect(raised).to_have_count(0)
        expect(tab.get_by_role("button", name="Raise hand")).to_be_visible()
    assert watch.problems == []


def test_a_guest_on_a_phone_sees_now_the_log_or_everyone(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    coast = "the-lantern-coast"
    opened = desk(coast, lan=True, cut=COAST)
    with watched(width=1024) as (page, watch), watched(width=390) as (tab, _):
        opened.enter(page, coast)
        tab.goto(f"http://127.0.0.1:{opened.port}/")
        # Nothing is wrong with somebody who has just come.
        expect(tab.locator(".gate")).to_contain_text("To watch, type the code")
        expect(tab.locator(".bad, .opening-line:visible")).to_have_count(0)
        as_guest(opened, page, tab, coast, "Marit")
        tabs = tab.locator(".guest-tab")
        expect(tabs).to_have_text(["Now", "Log", "Everyone"])
        expect(tab.locator(".purse")).to_have_text("Your coins9")
        steps = tab.locator(".mine .entry").evaluate_all("all => all.map(one => +one.dataset.step)")
        assert len(steps) == 5 and steps == sorted(steps, reverse=True)
        parts = {"Now": ".mine", "Log": ".log", "Everyone": ".side"}
        for name, shown in parts.items():
            tabs.get_by_text(name, exact=True).click()
            for part in parts.values():
                expect(tab.locator(part)).to_be_visible(visible=part == shown)
            assert axe(tab) == [], name
            assert overflow(tab) <= 0, name
            box = tabs.first.bounding_box()
            assert box is not None and box["y"] + box["height"] <= 800, name
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_the_first_screen_has_every_way_in(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk()
    with watched(width=width, scheme="dark" if width == 1024 else "light") as (page, watch):
        opened.enter(page)
        expect(page.locator("h1")).to_have_text("Keep the log of your story game")
        expect(page.locator(".way h2")).to_have_text(["Start a campaign", "Guided first evening"])
        assert axe(page) == []
        assert overflow(page) <= 0
        page.get_by_role("button", name="Start the guide").click()
        expect(page.locator("dialog .menu-row")).to_have_count(len(GAMES))
        page.locator("dialog .menu-row").last.click()
        # Whatever the width, the log opens, and the guide above the line.
        expect(page.locator(".guide-count")).to_contain_text("1 of", timeout=SLOW)
        expect(page.locator("#line")).to_be_visible()
        assert axe(page) == []
        page.evaluate("location.hash = '/'")
        last = page.locator(".campaigns li.last")
        expect(last).to_contain_text("Continue")
        assert axe(page) == []
    assert watch.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_has_a_name_a_contrast_and_a_focus_that_is_seen(
    desk: Desks, watched: WatchedPage, axe: Axe, scheme: str
) -> None:
    opened = desk("the-lantern-coast", "snowshed-nine", cut=COAST | SHED)
    with watched(width=1024, scheme=scheme) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        for line in ("", "draw ", "draw Patience: leaks", "fine "):
            thought(page, line) if line else page.locator("#line").fill("")
            page.wait_for_timeout(200)
            assert page.evaluate(UNNAMED) == [], line
            assert axe(page) == [], line
        page.locator("#line").fill("")
        page.locator("#line").focus()
        for _ in range(40):
            page.keyboard.press("Tab")
            assert page.evaluate(UNSEEN) == ""
        opened.sit(page, "snowshed-nine")
        page.locator(".chip.throws").first.click()
        assert page.evaluate(UNNAMED) == []
        assert axe(page) == []
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1280])
def test_all_of_the_focus_ring_is_seen(desk: Desks, watched: WatchedPage, width: int) -> None:
    opened = desk("snowshed-nine", "the-lantern-coast")
    with watched(width=width) as (page, watch):
        opened.enter(page, "snowshed-nine")
        for line in ("", "scene The shed, with: ", "take over Nobody"):
            thought(page, line) if line else page.locator("#line").fill("")
            assert page.evaluate(CUT_OFF) == [], line
        page.locator("#line").fill("")
        for name in ("Menu", "All actions"):
            page.get_by_role("button", name=name).click()
            assert page.evaluate(CUT_OFF) == [], name
            page.keyboard.press("Escape")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Count coins and dice").click()
        expect(page.locator(".count")).to_be_visible()
        assert page.evaluate(CUT_OFF) == []
        page.evaluate("location.hash = '/'")
        expect(page.locator(".campaigns")).to_be_visible()
        assert page.evaluate(CUT_OFF) == []
        if width > 1200:
            opened.sit(page, "the-lantern-coast", at="editor")
            assert page.evaluate(CUT_OFF) == []
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1280])
def test_the_card_of_the_campaign_that_was_open_last_shows_its_last_entries(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("the-lantern-coast", "snowshed-nine", cut=COAST)
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        last = page.locator(".entry").last.get_attribute("data-step")
        page.evaluate("location.hash = '/'")
        shown = page.locator(".campaigns .last .latest .entry")
        expect(shown).to_have_count(3)
        expect(shown.last).to_contain_text(f"{last}Joss: Hester Teague")
        expect(shown.last.locator(".changes")).to_contain_text("Joss0→4")
        assert axe(page) == []
        assert overflow(page) <= 0
        # Whatever the width, the log opens: the editor only where it was open last.
        page.locator(".campaigns .last .write").click()
        expect(page.locator(".table-view")).to_be_visible()
        expect(page.locator(".editor-view")).to_have_count(0)
    assert watch.problems == []


def test_a_count_of_one_campaign_is_nothing_of_another(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-lantern-coast", "snowshed-nine")
    with watched(width=390) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Count coins and dice").click()
        expect(page.locator(".count")).to_be_visible()
        opened.sit(page, "snowshed-nine")
        expect(page.locator(".count")).to_be_hidden()
        expect(page.locator("#line")).to_be_visible()
    assert watch.problems == []
