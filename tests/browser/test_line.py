"""A long line at the desk: its parts, its drafts, and the keys that stay where they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.desk import Desks, desks
from tests.browser.test_desk import overflow
from tests.services.tellings import telling

pytestmark = pytest.mark.browser

COAST = "the-lantern-coast"


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    with desks(root, tmp_path) as opened:
        yield opened


def thought(page: Page) -> None:
    """Wait until the line has been thought about."""
    page.wait_for_function(
        "() => document.querySelector('.choices').dataset.of === document.querySelector('#line').value"
    )


def test_whoever_a_line_names_stands_before_it(desk: Desks, watched: WatchedPage) -> None:
    opened = desk(COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST)
        page.locator(".box .by").click()
        page.locator("dialog .menu-row", has_text="Tunde").click()
        expect(page.locator(".box .by .player")).to_contain_text("Tunde")
        page.locator("#line").fill("event The lamp goes out, by: Marit")
        thought(page)
        expect(page.locator(".box .by .player")).to_contain_text("Marit")
        page.locator("#line").fill("event The lamp goes out")
        thought(page)
        expect(page.locator(".box .by .player")).to_contain_text("Tunde")
    assert watch.problems == []


def test_a_line_that_ends_before_a_value_says_before_which(
    desk: Desks, watched: WatchedPage, tmp_path: Path
) -> None:
    opened = desk()
    folder = tmp_path / "spies"
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "game: slow-burn\ntitle: Spies\nhandler: Hugo\nplayers: [Ada, Ben]\n", encoding="utf-8"
    )
    (folder / "01.yaml").write_text("session: 1\n\nlog:\n- city: Gdansk\n", encoding="utf-8")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "spies")
        page.locator("#line").fill("spy Heron, by: Ben, speciality:")
        thought(page)
        page.keyboard.press("Enter")
        expect(page.locator(".draft-finding h2")).to_have_text("speciality needs a value")
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_a_part_of_a_long_line_is_gone_to_and_taken_out(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(COAST)
    with watched(width=width) as (page, watch):
        opened.enter(page, COAST)
        first, last = "character: ferryman, traits: old", "prop: boat, traits: leaks"
        page.locator("#line").fill(f"introduce {first}, {last}")
        parts = page.locator(".part")
        expect(parts).to_have_count(2)
        expect(page.locator(".part.here")).to_contain_text("prop: boat")
        assert axe(page) == []
        assert overflow(page) <= 0
        parts.first.locator(".part-words").click()
        expect(page.locator(".part.here")).to_contain_text("ferryman")
        page.locator("#line").press_sequentially(", deaf")
        thought(page)
        assert page.locator("#line").input_value() == f"introduce {first}, deaf, {last}"
        expect(parts).to_have_count(2)
        parts.first.get_by_role("button", name="Delete part 1").click()
        assert page.locator("#line").input_value() == f"introduce {last}"
        expect(parts).to_have_count(0)
        page.get_by_role("button", name="Put back").click()
        expect(page.locator("#line")).to_have_value(f"introduce {first}, deaf, {last}")
        expect(parts).to_have_count(2)
        # The way back is there until the next key.
        page.keyboard.press("Escape")
        expect(page.locator("#line")).to_have_value("")
        expect(page.get_by_role("button", name="Put back")).to_be_visible()
        assert axe(page) == []
        page.locator("#line").press_sequentially("tell It rained.")
        expect(page.locator(".said")).to_be_empty()
        page.locator(".deck .chip[data-verb=say]").click()
        expect(page.get_by_role("button", name="Back to: tell It rained.")).to_be_visible()
        page.get_by_role("button", name="Drop tell It rained.").click()
        expect(page.locator(".laid")).to_be_empty()
        page.get_by_role("button", name="Put back").click()
        expect(page.get_by_role("button", name="Back to: tell It rained.")).to_be_visible()
    assert watch.problems == []


def test_a_part_of_an_outcome_is_edited_by_itself(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk(COAST)
    log = opened.folder / COAST / "03.yaml"
    log_before = log.read_text(encoding="utf-8")
    words = "The lamp is dark, then, as it must be"
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST)
        part = page.locator(".entry.nested", has_text=words)
        part.locator(".number").click()
        expect(page.get_by_role("button", name="Edit all of entry")).to_be_visible()
        page.get_by_role("button", name="Edit this part").click()
        area = page.locator(".entry-text")
        expect(area).to_be_visible()
        text = area.input_value()
        assert text.startswith(f"fact: {words}\n") and "outcome" not in text
        area.fill(text.replace(words, "The lamp is out"))
        assert axe(page) == []
        page.get_by_role("button", name="Save change").click()
        expect(page.locator(".entry.nested", has_text="The lamp is out")).to_be_visible()
    assert log.read_text(encoding="utf-8") == log_before.replace(
        f"fact: {words}", "fact: The lamp is out"
    )
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_a_line_that_another_is_begun_over_comes_back_with_a_tap(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(COAST, cut={COAST: ("02.yaml", "- draw: {Patience: tarred twice}")})
    words = "tell It rained for a day and a night, and the roof held"
    with watched(width=width) as (page, watch):
        opened.enter(page, COAST)
        page.locator("#line").fill(words)
        page.locator(".chip[data-verb=draw]").click()
        expect(page.locator("#line")).to_have_value("draw ")
        back_button = page.get_by_role("button", name=f"Back to: {words}")
        expect(back_button).to_be_visible()
        assert axe(page) == []
        assert overflow(page) <= 0
        # It waits until the next entry, also over another visit.
        page.reload()
        back_button.click()
        expect(page.locator("#line")).to_have_value(words)
        expect(page.locator(".laid")).to_be_empty()
        page.locator(".chip[data-verb=draw]").click()
        expect(back_button).to_be_visible()
        page.locator("#line").fill("draw Patience: tarred twice")
        page.locator(".box .write").click()
        expect(page.locator(".entry.current")).to_contain_text("tarred twice")
        expect(page.locator(".laid")).to_be_empty()
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_all_of_a_long_entry_is_seen_before_it_is_written(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(COAST, cut={COAST: ("02.yaml", "- draw: {Patience: tarred twice}")})
    people = [f"character: watcher {number}, traits: wet" for number in range(1, 7)]
    with watched(width=width) as (page, watch):
        opened.enter(page, COAST)
        draft = page.locator(".draft")
        page.locator("#line").fill("fact It rains")
        thought(page)
        expect(draft).to_contain_text("It rains")
        where = "() => document.querySelector('.box').getBoundingClientRect().bottom"
        page.locator("#line").fill(f"introduce {', '.join(people)}")
        thought(page)
        expect(page.locator(".part")).to_have_count(6)
        position_before = page.evaluate(where)
        for number in range(1, 7):
            expect(draft).to_contain_text(f"watcher {number}")
        assert page.evaluate(where) == position_before, "what is tapped stays where it is"
        expect(draft).to_be_in_viewport()
        assert axe(page) == []
        assert overflow(page) <= 0
        page.locator(".box .write").click()
        expect(page.locator(".entry.current")).to_contain_text("watcher 6")
        expect(draft).to_be_hidden()
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_two_speak_without_a_key_that_nobody_knows(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(COAST)
    log = opened.folder / COAST / "03.yaml"
    with watched(width=width) as (page, watch):
        opened.enter(page, COAST)
        line = page.locator("#line")
        for verb, first, second, last in (
            ("say", "Hester Teague", "Patience", "Ask the bar."),
            ("aside", "Marit", "Joss", "Ask Wen."),
        ):
            line.fill(f"{verb} {first}: I was never here.")
            expect(page.locator("#choices-title")).to_have_text("Who answers?")
            page.locator(".choice", has_text=second).first.click()
            expect(line).to_have_value(f"{verb} {first}: I was never here.\n{second}: ")
            line.press_sequentially("Then who was?")
            thought(page)
            page.locator(".choice", has_text="Another line").click()
            line.press_sequentially(f"{first}: {last}")
            assert axe(page) == []
            page.locator(".box .write").click()
            expect(page.locator(".entry.current")).to_contain_text(last)
            rows = [
                f"{first}: I was never here.",
                f"{second}: Then who was?",
                f"{first}: {last}",
            ]
            assert log.read_text(encoding="utf-8").endswith(
                "".join((f"- {verb}: |\n", *(f"    {row}\n" for row in rows)))
            )
        line.fill("fact It rains")
        thought(page)
        expect(page.locator(".choice", has_text="Another line")).to_have_count(0)
    assert watch.problems == []


def test_what_two_tabs_lay_aside_waits_in_each_of_them(desk: Desks, watched: WatchedPage) -> None:
    opened = desk(COAST, cut={COAST: ("02.yaml", "- draw: {Patience: tarred twice}")})
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST)
        second_page = page.context.new_page()
        second_page.goto(f"http://127.0.0.1:{opened.port}/")
        opened.sit(second_page, COAST)
        tabs = {"tell It rained": page, "tell It snowed": second_page}
        for words, tab in tabs.items():
            tab.locator("#line").fill(words)
        for tab in tabs.values():
            tab.locator(".chip[data-verb=draw]").click()
        for words, tab in tabs.items():
            expect(tab.get_by_role("button", name=f"Back to: {words}")).to_be_visible()
            tab.reload()
            tab.get_by_role("button", name=f"Back to: {words}").click()
            expect(tab.locator("#line")).to_have_value(words)
            expect(tab.locator(".laid")).to_be_empty()
    assert watch.problems == []


def test_whoever_is_in_a_field_without_a_name_stays_there(root: Path, watched: WatchedPage) -> None:
    fields = """() => {
        const box = document.body.appendChild(h("div"));
        const one = (value, type = "text") => h("input", { type, value });
        const all = () => [...box.querySelectorAll("input, textarea")];
        const text = () => h("textarea", { value: "third" });
        const label = () => h("label", "Its day", one("fourth"));
        const draw = () => put(box, one("first"), one("second"), text(), label(), one("5", "number"));
        draw();
        return all().map((_, at) => {
            all()[at].focus();
            if (at < 4) all()[at].setSelectionRange(1, 3);
            draw();
            const { activeElement: now } = document;
            return [all().indexOf(now), now.selectionStart, now.selectionEnd];
        });
    }"""
    code = (root / "page" / "src" / "dom.js").read_text(encoding="utf-8")
    with watched(width=1024) as (page, watch):
        page.set_content("<body></body>")
        page.add_script_tag(type="module", content=f"{code}\nObject.assign(window, {{ h, put }});")
        page.wait_for_function("() => window.put")
        fields_found = page.evaluate(fields)
    assert fields_found == [[0, 1, 3], [1, 1, 3], [2, 1, 3], [3, 1, 3], [4, None, None]]
    assert watch.problems == []


def test_what_is_due_is_thrown_from_the_chip_of_its_verb(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk(
        "snowshed-nine", cut={"snowshed-nine": ("02.yaml", "Anselm: {green: 116325324 2")}
    )
    with watched(width=1024) as (page, watch):
        opened.enter(page, "snowshed-nine")
        chip = page.locator(".deck .chip.due.throws[data-verb=roll]")
        expect(chip).to_have_accessible_name("Roll dice Due")
        chip.click()
        expect(page.locator(".pad h2")).to_be_visible()
        page.locator(".pad-head button").click()
        page.locator("#line").fill("roll ")
        page.locator(".choice.on-pad").click()
        expect(page.locator(".pad h2")).to_be_visible()
        assert axe(page) == []
    assert watch.problems == []


def test_what_may_be_legal_is_found_among_more(desk: Desks, watched: WatchedPage) -> None:
    opened = desk(COAST, cut={COAST: ("02.yaml", "- draw: {Patience: tarred twice}")})
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST)
        page.get_by_role("button", name="All actions").click()
        row = page.locator("dialog .menu-row[data-verb=challenge]")
        expect(row).to_contain_text("Object to what a player says")
        row.click()
        expect(page.locator("#line")).to_have_value("challenge ")
        expect(page.locator(".choice").first).to_be_visible()
    assert watch.problems == []


def test_a_button_that_is_drawn_anew_keeps_the_focus_and_hears_the_key(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk(COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST)
        chip = page.locator(".chip[data-verb=tell]")
        chip.focus()
        page.evaluate("() => document.activeElement.dataset.old = 'yes'")
        # Somebody else writes: the page draws what it shows anew.
        log = sorted((opened.folder / COAST).glob("[0-9]*.yaml"))[-1]
        log.write_text(log.read_text(encoding="utf-8") + "- tell: It rains.\n", encoding="utf-8")
        expect(page.locator(".entry.current")).to_contain_text("It rains.")
        assert page.evaluate("() => document.activeElement.dataset.verb") == "tell"
        assert page.evaluate("() => document.activeElement.dataset.old ?? ''") == ""
        page.keyboard.press(" ")
        expect(page.locator("#line")).to_have_value("tell ")
    assert watch.problems == []


def test_the_place_of_a_scene_stands_there_once(
    desk: Desks, watched: WatchedPage, tmp_path: Path
) -> None:
    telling("universalis").write(tmp_path / "library")
    opened = desk()
    with watched(width=1024) as (page, watch):
        opened.enter(page, "library")
        opening = page.locator("li.opening", has_text="The returns desk")
        opening.scroll_into_view_if_needed()
        expect(opening).to_contain_text("after midnight")
        assert opening.inner_text().count("returns desk") == 1
    assert watch.problems == []
