"""The desk in a real browser: by tap, by key, with a screen reader's eyes, with the server gone."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Error, Page, expect

from chronicle.games import rulebook
from tests.browser.conftest import Axe, WatchedPage
from tests.browser.desk import Desks, HeldAnswers, desks

pytestmark = pytest.mark.browser

KILLED = int(os.environ.get("CHRONICLE_KILLED", "6"))
"""How often a tab is killed."""

GAMES = {
    "universalis": "the-lantern-coast",
    "isolation": "snowshed-nine",
    "positive": "the-boathouse",
    "slow-burn": "the-dry-book",
    "fight-sphere": "six-names",
    "playset-zero": "gallery-nine",
}
COAST = {"the-lantern-coast": ("02.yaml", "- draw: {Patience: tarred twice}")}

GALLERY = {"six-names": ("02.yaml", "- roll:")}

SHED = {"snowshed-nine": ("02.yaml", "Anselm: {green: 116325324 2")}


# A turn was not ended: the next entry is somebody else's by the rules.
FORGOTTEN = ("02.yaml", "- draw: {Hester Teague: [name, patient")


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    with desks(root, tmp_path) as opened:
        yield opened


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_every_game_opens_and_holds_an_entry(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(*GAMES.values())
    scheme = "dark" if width == 1024 else "light"
    with watched(width=width, scheme=scheme) as (page, watch):
        opened.enter(page)
        for campaign in GAMES.values():
            opened.sit(page, campaign)
            count = page.locator(".entry:not(.waiting)").last.get_attribute("data-step")
            page.locator("#line").fill("tell: The lamp is lit again.")
            page.locator(".box .write").click()
            next_entry = page.locator(f'.entry[data-step="{int(count or 0) + 1}"]')
            expect(next_entry).to_contain_text("The lamp is lit again.")
            assert overflow(page) <= 0, campaign
            assert axe(page) == [], campaign
            logs = sorted((opened.folder / campaign).glob("[0-9]*.yaml"))
            assert logs[-1].read_text(encoding="utf-8").endswith("- tell: The lamp is lit again.\n")
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_an_entry_is_tapped_together(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_bytes()
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.locator(".chip[data-verb=draw]").click()
        page.locator(".choice").get_by_text("Patience", exact=True).click()
        leaking_choice = page.locator(".choice.no").get_by_text("leaks", exact=True)
        expect(leaking_choice).to_be_attached()
        assert axe(page) == []
        page.locator(".choice").get_by_text("tarred twice", exact=True).click()
        expect(page.locator(".draft")).to_have_attribute(
            "data-entry", "- draw: {Patience: tarred twice}"
        )
        page.locator(".box .write").click()
        expect(page.locator(".entry.current")).to_contain_text("tarred twice")
        expect(page.locator(".entry.current .changes")).to_have_text("Tunde9→10")
        assert overflow(page) <= 0
    assert log.read_bytes() == log_before + b"- draw: {Patience: tarred twice}\n"
    assert watch.problems == []


def test_a_slip_is_told_and_mended_before_it_is_written(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("the-lantern-coast", cut={"the-lantern-coast": FORGOTTEN})
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_text(encoding="utf-8").removesuffix("- end turn:\n")
    log.write_text(log_before, encoding="utf-8")
    with watched(width=1024, scheme="dark") as (page, watch):
        opened.enter(page, "the-lantern-coast")
        # A tap that was meant for something else meets a fix that has just appeared.
        page.evaluate(
            """() => new MutationObserver((_, watcher) => {
                const mend = document.querySelector(".draft-finding .mend");
                if (mend) { watcher.disconnect(); mend.click(); window.early = true; }
            }).observe(document.querySelector(".draft-finding"), {childList: true, subtree: true})"""
        )
        page.locator("#line").fill("draw Hester Teague: patient, by: Joss")
        problem = page.locator(".draft-finding .finding")
        expect(problem).to_contain_text("Joss draws Traits, but it is Marit's turn")
        best = page.locator(".draft-finding .mend").first
        expect(best).to_contain_text("Fix: add end turn", timeout=20_000)
        expect(best).to_contain_text("Leaves ")
        assert axe(page) == []
        assert log.read_text(encoding="utf-8") == log_before
        page.wait_for_timeout(600)
        assert page.evaluate("window.early")
        expect(best).to_have_attribute("aria-pressed", "false")
        # A fix is tried: the draft says so, and nothing is written. Tapped again, it is off.
        best.click()
        draft, add = page.locator(".draft"), page.locator(".box .write")
        expect(draft).to_contain_text("Fix: add end turn")
        expect(add).to_have_text("Apply fix")
        assert axe(page) == []
        best.click()
        expect(draft).not_to_contain_text("add end turn")
        expect(add).to_have_text("Add anyway")
        best.click()
        expect(add).to_have_text("Apply fix")
        assert log.read_text(encoding="utf-8") == log_before
        add.click()
        expect(page.locator(".entry.current")).to_contain_text("patient")
        expect(page.locator(".status")).to_contain_text("no problems")
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.locator(".moment h1")).to_contain_text("Marit")
        assert log.read_text(encoding="utf-8") == log_before
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_whoever_types_fast_sees_what_is_wrong_before_it_is_written(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("the-lantern-coast", cut={"the-lantern-coast": FORGOTTEN})
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_text(encoding="utf-8").removesuffix("- end turn:\n")
    log.write_text(log_before, encoding="utf-8")
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.locator("#line").fill("draw Hester Teague: patient, by: Joss")
        page.locator("#line").press("Enter")
        problem = page.locator(".draft-finding .finding")
        expect(problem).to_contain_text("Press Enter again to add it anyway")
        expect(page.locator("#line")).to_have_value("draw Hester Teague: patient, by: Joss")
        assert axe(page) == []
        assert log.read_text(encoding="utf-8") == log_before
        page.locator("#line").press("Enter")
        expect(page.locator(".entry.current")).to_contain_text("patient")
        assert "patient" in log.read_text(encoding="utf-8").removeprefix(log_before)
        # All that may come has room, each of it once.
        page.get_by_role("button", name="All actions").click()
        labels = page.locator("dialog .menu-label").all_inner_texts()
        assert len(labels) > 20
        # Each action is in one group only.
        assert len({*labels}) == len(labels)
        assert overflow(page) <= 0
        assert axe(page) == []
    assert watch.problems == []


def saved(page: Page, file: Path, text: str) -> bool:
    """Wait until a file has a text, ten seconds at most; whether it has."""
    for _ in range(200):
        if file.read_text(encoding="utf-8") == text:
            return True
        page.wait_for_timeout(50)
    return False


@pytest.mark.parametrize("width", [390, 1024])
def test_an_entry_is_changed_where_it_is_tapped(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        line, save = page.locator("#line"), page.locator(".box .write")
        line.fill("say Hester Teague: Not yet")
        entry = page.locator(".entry", has_text="lends Joss").last
        number = entry.get_attribute("data-step")
        entry.locator(".sentence").click(position={"x": 3, "y": 3})
        expect(page.locator(".editing-head")).to_contain_text(f"Edit entry {number}")
        expect(line).to_have_value(re.compile("^lend Joss"))
        expect(page.locator(".deck")).to_be_hidden()
        # Cancelled, what was half typed is there again.
        page.get_by_role("button", name="Cancel").click()
        expect(line).to_have_value("say Hester Teague: Not yet")
        entry.locator(".sentence").click(position={"x": 3, "y": 3})
        expect(line).to_have_value(re.compile("^lend Joss"))
        line.fill(line.input_value().replace("4", "3"))
        draft = page.locator(".draft")
        expect(draft.locator(".changes")).to_contain_text("10")
        expect(draft.locator(".number")).to_have_text(number or "")
        assert axe(page) == []
        assert overflow(page) <= 0
        assert log.read_text(encoding="utf-8") == log_before
        save.click()
        expect(page.locator(".toast")).to_contain_text(f"Entry {number} changed.")
        expect(line).to_have_value("say Hester Teague: Not yet")
        expect(page.locator(".editing-head")).to_be_hidden()
        changed = log.read_text(encoding="utf-8")
        assert len(changed.splitlines()) == len(log_before.splitlines())
        assert changed != log_before
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.locator(".toast")).to_have_count(0)
        assert saved(page, log, log_before)
        # It is deleted in one tap, and comes back in one.
        entry.locator(".sentence").click(position={"x": 3, "y": 3})
        page.locator(".editing-head").get_by_role("button", name="Delete").click()
        expect(page.locator(".toast")).to_contain_text(f"Entry {number} deleted.")
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.locator(".toast")).to_have_count(0)
        assert saved(page, log, log_before)
    assert watch.problems == []


def test_what_was_written_of_somebody_stands_below_the_entry(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("snowshed-nine")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "snowshed-nine")
        # The first entries are fetched by whoever goes up to them.
        page.evaluate("document.querySelector('.log').scrollTo(0, 0)")
        sheet = page.locator(".entry .written", has_text="bias").first
        expect(sheet).to_contain_text("bias")
        expect(sheet).to_contain_text("goal")
        assert axe(page) == []
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_what_is_not_whole_is_not_written_unless_it_is_meant(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("snowshed-nine", cut=SHED)
    log = opened.folder / "snowshed-nine" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=width) as (page, watch):
        opened.enter(page, "snowshed-nine")
        count = page.locator(".entry").count()
        page.locator("#line").fill("motive [he would not be told]")
        # Neither the key nor the button writes it, also where nothing is answered yet.
        page.locator("#line").press("Enter")
        problem = page.locator(".draft-finding .finding")
        expect(problem).to_contain_text("takes name: text")
        page.locator(".box .write").click()
        expect(problem).to_be_visible()
        assert axe(page) == []
        assert log.read_text(encoding="utf-8") == log_before
        page.get_by_role("button", name="Add anyway").click()
        # It counts for nothing, and is seen among the entries, by its words, not by a colour alone.
        bare = page.locator(".entry.unread")
        expect(bare).to_contain_text("motive: [he would not be told]")
        expect(bare).to_contain_text("takes {name: text}")
        assert page.locator(".entry").count() == count + 1
        assert axe(page) == []
        assert overflow(page) <= 0
        bare.get_by_role("button", name="Fix").click()
        page.get_by_role("button", name="Edit entry").click()
        expect(page.locator("#line")).to_have_value("motive [he would not be told]")
        page.locator("#line").fill("motive Wim: He would not be told")
        page.get_by_role("button", name="Save change").click()
        expect(bare).to_have_count(0)
        expect(page.locator(".entry").last).to_contain_text("Wim")
    assert log.read_text(encoding="utf-8").endswith("- motive: {Wim: He would not be told}\n")
    assert watch.problems == []


def test_the_evening_is_named_dated_and_attended_in_two_taps(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("snowshed-nine", cut=SHED)
    log = opened.folder / "snowshed-nine" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "snowshed-nine")
        expect(page.locator(".session")).to_contain_text("all here")
        page.locator(".session").click()
        page.get_by_label("Title").fill("The roof: again")
        page.locator(".sheet .chip", has_text="Wim").or_(
            page.locator(".sheet .chip", has_text="Marek")
        ).first.click()
        assert axe(page) == []
        page.get_by_label("Title").press("Enter")
        expect(page.locator(".session")).to_contain_text("The roof: again")
        expect(page.locator(".session")).to_contain_text("4 of 5 here")
        # What is typed after a sheet goes into the line.
        page.get_by_role("button", name="Menu").click()
        page.keyboard.press("Escape")
        page.keyboard.type("say ")
        expect(page.locator("#line")).to_have_value("say ")
        page.keyboard.press("Escape")
        expect(page.locator("#line")).to_be_focused()
        # What was said or told has its place whatever may come, and long rows show their first part.
        page.keyboard.type("say Wim: It is cold")
        page.get_by_role("toolbar", name="Actions").get_by_text("Tell").click()
        expect(page.locator("#line")).to_have_value("tell ")
        page.get_by_role("button", name="Back to: say Wim: It is cold").click()
        expect(page.locator("#line")).to_have_value("say Wim: It is cold")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".session")).to_contain_text("all here")
    assert log.read_text(encoding="utf-8") == log_before
    assert watch.problems == []


def test_a_long_row_shows_its_first_part_and_begins_anew_with_each_question(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-lantern-coast")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.locator("#line").fill("draw ")
        further = page.locator(".choice.more")
        expect(further).to_be_attached()
        few = page.locator(".choice").count()
        page.locator(".choices").evaluate("row => row.scrollTo(900, 0)")
        page.locator("#line").fill("emblem ")
        expect(page.locator(".choices")).to_have_attribute("data-of", "emblem ")
        assert page.locator(".choices").evaluate("row => row.scrollLeft") == 0
        further.click()
        assert page.locator(".choice").count() > few
        expect(page.locator(".choice").last).to_be_visible()
        assert overflow(page) <= 0
    assert watch.problems == []


LINES_BESIDE_NUMBERS = """() => {
    const lines = [...document.querySelectorAll(".cm-content > :not(.cm-gap)")];
    if (lines.some((one) => !one.classList.contains("cm-line"))) return "something between the lines";
    const tops = lines.map((one) => one.getBoundingClientRect().top);
    const numbers = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")];
    const seen = numbers.map((one) => one.getBoundingClientRect()).filter(({height}) => height > 0);
    return seen.filter(({top}) => !tops.some((other) => Math.abs(other - top) <= 3)).length;
}"""
"""What is wrong with the lines of the editor: something between them, or numbers that stand beside none."""


def test_the_editor_finds_mends_and_saves(desk: Desks, watched: WatchedPage, axe: Axe) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    full_text = log.read_text(encoding="utf-8")
    slip = "- end turn:\n- draw: {Hester Teague: [name, patient"
    assert slip in full_text
    broken = full_text.replace(slip, slip.removeprefix("- end turn:\n")).rstrip("\n")
    log.write_text(f"{broken}\n  by: Joss\n", encoding="utf-8")
    with watched(width=1440) as (page, watch):
        opened.enter(page)
        opened.sit(page, "the-lantern-coast", at="editor")
        panel = page.locator(".problems")
        expect(panel).to_contain_text("Joss draws Traits, but it is Marit's turn")
        panel.locator(".problem-words").click()
        mend = panel.locator(".mend").first
        expect(mend).to_contain_text("end turn", timeout=20_000)
        # Nothing is ever put between the lines, and every number stands beside its line.
        assert not page.evaluate(LINES_BESIDE_NUMBERS)
        # A fix is tried, and written by another button.
        page.wait_for_timeout(600)
        mend.click()
        expect(panel.locator(".tried ins")).to_have_text("end turn")
        assert axe(page) == []
        assert "- end turn:\n- draw: {Hester" not in log.read_text(encoding="utf-8")
        panel.get_by_role("button", name="Apply fix").click()
        expect(panel).to_be_hidden()
        expect(page.locator(".editor-status")).to_contain_text("No problems")
        assert log.read_text(encoding="utf-8") == f"{full_text.rstrip(chr(10))}\n  by: Joss\n"
        # What is typed is looked at before it is saved.
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type("- tell: A boat goes by.")
        expect(page.locator(".beside .entry.current")).to_contain_text("A boat goes by.")
        expect(page.locator(".editor-status")).to_contain_text("Not saved")
        assert "A boat goes by" not in log.read_text(encoding="utf-8")
        page.keyboard.press("Control+s")
        expect(page.locator(".editor-status")).to_contain_text("Saved")
        assert log.read_text(encoding="utf-8").rstrip().endswith("- tell: A boat goes by.")
        page.get_by_role("button", name="Log", exact=True).click()
        expect(page.locator(".table-view .entry.current")).to_contain_text("A boat goes by.")
        assert axe(page) == []
    assert watch.problems == []


def test_by_keyboard_alone(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_bytes()
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        expect(page.locator("#line")).to_be_focused()
        page.keyboard.type("draw Pat")
        expect(page.locator(".ghost")).to_have_text("ience: ")
        page.keyboard.press("Tab")
        page.keyboard.type("ta")
        expect(page.locator(".ghost")).to_have_text("rred twice")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".draft")).to_have_attribute(
            "data-entry", "- draw: {Patience: tarred twice}"
        )
        page.keyboard.press("Enter")
        expect(page.locator(".entry.current")).to_contain_text("tarred twice")
        # The choices with the arrow keys.
        page.keyboard.type("draw ")
        expect(page.locator(".choice").first).to_be_visible()
        page.keyboard.press("ArrowDown")
        expect(page.locator(".choice.pointed")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".mirror")).to_contain_text("draw ")
        page.keyboard.press("Escape")
        expect(page.locator("#line")).to_have_value("")
        # Everything else is reached with Tab, in both directions, and nothing keeps the focus.
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "document.activeElement.id || document.activeElement.className.split(' ')[0]"
                )
            )
        stops = {"line", "chip", "by", "story", "side", "log", "number", "opens", "brand", "status"}
        assert stops <= reached
    assert log.read_bytes() == log_before + b"- draw: {Patience: tarred twice}\n"
    assert watch.problems == []


def in_sight(page: Page) -> bool:
    """Whether the end of the log can be seen."""
    return bool(
        page.evaluate(
            """() => {
                const { scrollTop, scrollHeight, clientHeight } = document.querySelector(".log");
                return scrollTop + clientHeight > scrollHeight - 2;
            }"""
        )
    )


def test_the_last_entry_stays_in_sight_until_somebody_scrolls_up(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("snowshed-nine", cut=SHED)
    with watched(width=1024) as (page, watch):
        opened.enter(page, "snowshed-nine")
        page.wait_for_timeout(300)
        assert in_sight(page)
        # The log grows, as it does when its letters come in late, before it is heard that it was moved.
        page.evaluate("() => { document.querySelector('.log').scrollTop -= 40 }")
        page.wait_for_timeout(300)
        page.evaluate(
            """() => {
                document.querySelector(".log").scrollTop += 40;
                document.documentElement.dataset.size = "large";
            }"""
        )
        page.wait_for_timeout(300)
        page.locator(".chip.throws").first.click()
        expect(page.locator(".pad h2")).to_be_visible()
        page.wait_for_timeout(300)
        assert in_sight(page)
        page.locator(".pad-head button").click()
        page.locator("#line").fill("tell: The lamp is lit again.")
        page.locator(".box .write").click()
        expect(page.locator(".entry").last).to_contain_text("The lamp is lit again.")
        page.wait_for_timeout(300)
        assert in_sight(page)
        # Whoever reads further up is left there.
        page.locator(".log").hover()
        page.mouse.wheel(0, -600)
        page.wait_for_timeout(300)
        page.locator(".chip.throws").first.click()
        expect(page.locator(".pad h2")).to_be_visible()
        page.wait_for_timeout(300)
        assert not in_sight(page)
    assert watch.problems == []


def test_the_dice_pad_knows_what_is_due(desk: Desks, watched: WatchedPage, axe: Axe) -> None:
    opened = desk("snowshed-nine", cut=SHED)
    log = opened.folder / "snowshed-nine" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=390, scheme="dark") as (page, watch):
        opened.enter(page, "snowshed-nine")
        page.locator(".chip.throws").first.click()
        expect(page.locator(".pad h2")).to_have_text("Marek rolls for Anselm Rott")
        expect(page.locator(".pad-row-head b")).to_have_text(["9 green", "17 red"])
        for face in "1163253242":
            page.locator(f'.key[data-face="{face}"]').click()
        # A six has brought one more, and the green are done: the red are next.
        expect(page.locator(".pad-row").first.locator(".die.hit")).to_have_count(5)
        expect(page.locator(".pad-row.current b")).to_have_text("17 red")
        assert axe(page) == []
        page.keyboard.type("543342243154634525")
        expect(page.locator(".pad h2")).to_contain_text("Hedda")
        page.get_by_role("button", name="only").click()
        expect(page.locator(".entry.current .contest")).to_be_visible()
        assert overflow(page) <= 0
    added_text = log.read_text(encoding="utf-8").removeprefix(log_before)
    assert added_text == "- roll: {Anselm: {green: 116325324 2, red: 54334224315463452 5}}\n"
    assert watch.problems == []


def test_a_press_is_not_lost_where_an_answer_comes_before_it_is_let_go(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("snowshed-nine", cut=SHED)
    with watched(width=1024) as (page, watch):
        answers = HeldAnswers(page)
        opened.enter(page, "snowshed-nine")
        page.locator(".chip.throws").first.click()
        answers.hold()
        page.get_by_role("button", name="Roll here").click()
        alone = page.locator(".pad-actions button", has_text="only")
        alone.hover()
        page.mouse.down()
        answers.pass_on()
        page.wait_for_timeout(200)
        assert answers.held_count
        answers.release()
        page.mouse.up()
        expect(page.locator(".entry.current .contest")).to_be_visible()
    assert watch.problems == []


def test_a_press_is_not_lost_where_the_head_is_drawn_anew_before_it_is_let_go(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("snowshed-nine")
    with watched(width=1024) as (page, _):
        opened.enter(page, "snowshed-nine")
        page.get_by_role("button", name="Menu").hover()
        page.mouse.down()
        opened.kill()
        expect(page.locator(".top .status.bad")).to_be_visible()
        page.mouse.up()
        expect(page.locator("dialog h2")).to_have_text("Menu")
        page.keyboard.press("Escape")
        # What stays does what is right now: the view of the log is pressed still.
        expect(page.locator(".top .segment[aria-pressed=true]")).to_have_count(1)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_a_setup_asks_for_is_outlined_on_a_phone(
    desk: Desks, watched: WatchedPage, game: str
) -> None:
    opened = desk()
    with watched(width=390) as (page, watch):
        opened.enter(page)
        page.get_by_role("button", name="Start the guide").click()
        page.locator(".game", has_text=rulebook(game).title).click()
        count = page.locator(".guide-count")
        outlined = page.locator(".row-next .chip:is(.due, .asked)")
        number = 1
        while not page.locator(".log .opening .scene, .chip.throws").count():
            expect(count).to_contain_text(f"{number} of", timeout=20_000)
            expect(outlined.first).to_be_visible()
            # An edge that everything has outlines nothing.
            assert outlined.count() < page.locator(".row-next .chip[data-verb]").count()
            edge = "(one) => getComputedStyle(one).borderTopColor"
            plain = page.locator(".row-next .chip:not(.due, .asked, .more, .off)")
            assert outlined.first.evaluate(edge) != plain.first.evaluate(edge)
            page.locator(".guide-line .small").click()
            if page.locator("#line").input_value():
                page.locator("#line").press("Control+Enter")
            number += 1
            expect(count).to_contain_text(f"{number} of", timeout=20_000)
    assert watch.problems == []


def test_what_was_told_goes_beside_the_roll_or_stands_by_itself(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("six-names", cut=GALLERY)
    log = opened.folder / "six-names" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=390) as (page, watch):
        opened.enter(page, "six-names")
        page.locator(".chip.throws").first.click()
        for _ in ("Halina", "Osei", "Ruiz"):
            page.get_by_role("button", name="Roll here").click()
        # On the pad words are words, also where they have digits in them.
        story_box = page.get_by_label("Story", exact=True)
        story_box.click()
        page.keyboard.type("She fell 6 floors.")
        expect(page.locator(".pad .die.blank")).to_have_count(0)
        assert axe(page) == []
        assert overflow(page) <= 0
        page.locator(".key.go").click()
        last = page.locator(".entry.current")
        expect(last.locator(".fiction")).to_have_text("She fell 6 floors.")
        page.get_by_role("button", name="Undo").click()
        expect(last).not_to_contain_text("She fell")
        # Without a line, the box says where its words will stand: beside what was written last.
        page.locator("#line").fill("aside: Who has the kettle?")
        page.locator(".box .write").click()
        page.locator("#line").fill("assert: {present: {Sol: yes}}")
        page.locator(".box .write").click()
        expect(last).to_contain_text("Sol")
        number = last.get_attribute("data-step")
        page.locator(".story").click()
        placements = page.locator(".where .chip")
        expect(placements.first).to_contain_text(f"With entry {number}: ")
        expect(placements.first).to_have_attribute("aria-pressed", "true")
        assert axe(page) == []
        page.keyboard.type("Nobody looked up.")
        expect(page.locator(".box .write")).to_contain_text(f"Add to {number}")
        page.locator(".box .write").click()
        expect(last.locator(".fiction")).to_have_text("Nobody looked up.")
        expect(last).to_have_attribute("data-step", number or "")
        # That entry has its words now: what is told next stands by itself.
        page.locator(".story").click()
        expect(placements).to_have_text(["As an entry of its own"])
        page.keyboard.type("It rained.")
        page.locator(".box .write").click()
        expect(last).to_contain_text("It rained.")
        assert last.get_attribute("data-step") == str(int(number or 0) + 1)
        # What is added later takes the keys that are typed.
        last.locator(".number").click()
        page.get_by_role("button", name="Change story").click()
        expect(page.locator(".sheet textarea")).to_be_focused()
    added_text = log.read_text(encoding="utf-8").removeprefix(log_before)
    assert added_text == (
        "- aside: Who has the kettle?\n"
        "- assert: {present: {Sol: yes}}\n"
        "  text: |\n"
        "    Nobody looked up.\n"
        "- tell: |\n"
        "    It rained.\n"
    )
    assert watch.problems == []


def test_the_keys_of_a_verb_come_before_those_of_every_entry(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("the-lantern-coast")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.locator("#line").fill("complication The gunwale")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="All fields").click()
        expect(page.get_by_label("complication, main field")).to_be_focused()
        expect(page.get_by_label("source", exact=True)).to_be_visible()
        expect(page.get_by_label("allow", exact=True)).to_be_hidden()
        page.get_by_text("fields of every entry").click()
        expect(page.get_by_label("allow", exact=True)).to_be_visible()
        # What a field is called leads into it.
        page.locator(".sheet h3", has_text="source").locator("label").click()
        expect(page.get_by_label("source", exact=True)).to_be_focused()
        assert axe(page) == []
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("#line")).to_be_focused()
    assert watch.problems == []


def test_what_is_due_begins_another_line_from_which_there_is_a_way_back(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("snowshed-nine", cut={"snowshed-nine": ("02.yaml", "- difficulty: hard")})
    with watched(width=1024) as (page, watch):
        opened.enter(page, "snowshed-nine")
        page.locator("#line").fill("tell It rained")
        page.locator(".due-row").first.click()
        expect(page.locator("#line")).to_have_value("difficulty ")
        page.get_by_role("button", name="Back to: tell It rained").click()
        expect(page.locator("#line")).to_have_value("tell It rained")
    assert watch.problems == []


def test_a_gap_and_what_was_counted(desk: Desks, watched: WatchedPage, axe: Axe) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=390) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.get_by_role("button", name="All actions").click()
        page.get_by_role("button", name="Gap").click()
        page.get_by_label("What is missing?").fill("two draws and the tea")
        page.get_by_role("button", name="Joss: one less").first.click()
        page.locator(".count-row", has_text="Marit").first.locator(".figure").click()
        expect(page.locator(".count .pad-says")).to_have_attribute(
            "data-entry", re.compile("wealth: {Marit: 9, Joss: 8}")
        )
        assert axe(page) == []
        page.get_by_role("button", name="Mark a gap").click()
        expect(page.locator(".entries")).to_contain_text("two draws and the tea")
        expect(page.locator(".composer")).to_be_visible()
        assert overflow(page) <= 0
    added_text = log.read_text(encoding="utf-8").removeprefix(log_before)
    assert added_text.startswith("- gap: two draws and the tea\n- assert:")
    assert watch.problems == []


def test_a_way_back_waits_for_whoever_looks_up_and_is_gone_with_what_is_written_next(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_bytes()
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        toast = page.locator(".toast")
        last = page.locator(".entry.current .head").inner_text()
        page.locator(".entry.current .number").click()
        page.get_by_role("button", name="Delete").click()
        expect(toast).to_contain_text("deleted.")
        assert log.read_bytes() != log_before
        # Longer than what has no way back is told.
        page.wait_for_timeout(7_000)
        toast.get_by_role("button", name="Undo").click()
        expect(toast).to_have_count(0)
        expect(page.locator(".entry.current")).to_contain_text(last)
        assert log.read_bytes() == log_before
        page.locator(".entry.current .number").click()
        page.get_by_role("button", name="Delete").click()
        expect(toast).to_contain_text("deleted.")
        page.locator("#line").fill("end turn")
        page.keyboard.press("Enter")
        expect(toast).to_have_count(0)
        page.locator(".entry.current .number").click()
        page.get_by_role("button", name="Delete").click()
        expect(toast).to_contain_text("deleted.")
        # What is undone elsewhere is nothing of this campaign's.
        page.evaluate("location.hash = '/'")
        expect(toast).to_have_count(0)
    assert watch.problems == []


def test_what_is_written_can_be_taken_back(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_bytes()
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        expect(page.locator(".moment h1")).to_contain_text("Joss")
        page.locator("#line").fill("end turn")
        page.keyboard.press("Enter")
        expect(page.locator(".moment h1")).to_contain_text("Pilar")
        assert log.read_bytes() == log_before + b"- end turn:\n"
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".moment h1")).to_contain_text("Joss")
        assert log.read_bytes() == log_before
        page.get_by_role("button", name="Redo").click()
        expect(page.locator(".moment h1")).to_contain_text("Pilar")
    assert log.read_bytes() == log_before + b"- end turn:\n"
    assert watch.problems == []


def test_what_is_written_while_the_server_is_gone_is_kept(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        opened.kill()
        page.locator("#line").fill("tell: Nobody has heard this yet.")
        page.keyboard.press("Enter")
        expect(page.locator(".entry.waiting")).to_contain_text("Nobody has heard this yet.")
        assert "Nobody has heard" not in log.read_text(encoding="utf-8")
        opened.start()
        page.goto(opened.link)
        opened.sit(page, "the-lantern-coast")
        expect(page.locator(".entry").last).to_contain_text("Nobody has heard this yet.")
        expect(page.locator(".entry.waiting")).to_have_count(0)
    assert log.read_text(encoding="utf-8").count("Nobody has heard this yet.") == 1
    assert [
        problem
        for problem in watch.problems
        if "WebSocket" not in problem and "ERR_" not in problem
    ] == []


def test_from_nothing_to_the_first_entry(
    desk: Desks, watched: WatchedPage, axe: Axe, tmp_path: Path
) -> None:
    opened = desk()
    small: list[str] = []
    with watched(width=390) as (page, watch):
        opened.enter(page)
        for number, game in enumerate(GAMES):
            if number:
                page.evaluate("location.hash = '/'")
            page.get_by_role("button", name="New campaign").click()
            page.locator(".game").nth(sorted(GAMES).index(game)).click()
            page.keyboard.type("Ada")
            page.keyboard.press("Enter")
            page.keyboard.type("Ben")
            # Behind the last name is room for one more; left empty, the next question is next.
            rows = page.locator(".names input")
            while page.evaluate("document.activeElement.value"):
                page.keyboard.press("Enter")
            expect(rows.last).to_be_empty()
            while page.evaluate("!!document.activeElement.closest('.names')"):
                page.keyboard.press("Enter")
            if page.get_by_label("Who runs the game").count():
                page.keyboard.type("Gil")
                page.keyboard.press("Tab")
            page.keyboard.type(f"Table {number}")
            assert page.get_by_label("What is it called?").input_value() == f"Table {number}"
            assert axe(page) == [], game
            page.get_by_role("button", name="Start", exact=True).click()
            # Two players are too few for some games.
            anyway = page.get_by_role("button", name="Start anyway")
            expect(anyway.or_(page.locator(".empty"))).to_be_visible(timeout=20_000)
            if anyway.is_visible():
                small.append(game)
                anyway.click()
            expect(page.locator(".empty")).to_be_visible(timeout=20_000)
            assert axe(page) == [], game
            chip = page.locator(".chip[data-verb]").first
            verb = chip.get_attribute("data-verb") or ""
            chip.click()
            expect(page.locator(".mirror")).to_contain_text(verb)
            page.locator("#line").fill("tell: It begins.")
            page.locator(".box .write").click()
            expect(page.locator(".entry.current")).to_contain_text("It begins.")
            log = tmp_path / f"table-{number}" / "01.yaml"
            # The first action may be the GM's; whose it was stays chosen.
            assert "log:\n- tell: It begins.\n" in log.read_text(encoding="utf-8"), game
            assert overflow(page) <= 0, game
    assert watch.problems == []
    assert small == [game for game in GAMES if rulebook(game).least_players > 2]


def test_what_if_is_written_only_when_asked(desk: Desks, watched: WatchedPage, axe: Axe) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.locator(".entry", has_text="Marit lends Joss").locator(".number").click()
        page.get_by_role("button", name="View this point", exact=True).click()
        expect(page.locator(".looking")).to_contain_text("Viewing entry")
        expect(page.locator(".moment h1")).to_contain_text("Marit")
        page.get_by_role("button", name="Back to now").click()
        expect(page.locator(".looking")).to_have_count(0)
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Try moves").click()
        expect(page.locator(".looking")).to_contain_text("Nothing is saved.")
        for entry, next_player in (("end turn", "Pilar"), ("end turn", "Tunde")):
            page.locator("#line").fill(entry)
            page.keyboard.press("Enter")
            expect(page.locator(".moment h1")).to_contain_text(next_player)
        expect(page.locator(".entry.supposed")).to_have_count(2)
        assert axe(page) == []
        assert log.read_text(encoding="utf-8") == log_before
        page.locator(".looking").get_by_role("button", name="Undo").click()
        expect(page.locator(".moment h1")).to_contain_text("Pilar")
        page.locator(".looking").get_by_role("button", name="Add it").click()
        expect(page.locator(".looking")).to_have_count(0)
        expect(page.locator(".moment h1")).to_contain_text("Pilar")
    assert log.read_text(encoding="utf-8") == log_before + "- end turn:\n"
    assert watch.problems == []


def test_an_evening_is_counted_ended_read_and_the_next_begun(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    campaign = opened.folder / "the-lantern-coast"
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        page.get_by_role("button", name="Menu").click()
        page.locator("dialog").get_by_role("button", name="End session").click()
        # Of what nobody has looked at nothing is written.
        says = page.locator(".count .pad-says")
        expect(says).to_have_attribute("data-entry", "- end session:")
        expect(page.locator(".count-foot .write")).to_have_text("End session")
        page.get_by_label("How did it end?").fill("the biscuits were gone")
        expect(says).to_have_attribute("data-entry", "- end session: the biscuits were gone")
        page.get_by_role("button", name="Everything was counted and matches").click()
        expect(says).to_have_attribute("data-entry", re.compile("Marit: 9, Joss: 9"))
        expect(page.get_by_label("How did it end?")).to_have_value("the biscuits were gone")
        assert axe(page) == []
        page.get_by_role("button", name="Save count and end session").click()
        expect(page.locator(".moment h1")).to_have_text("The session is over")
        page.get_by_role("button", name="Read").click()
        expect(page.locator(".read h1")).to_have_text("The Lantern Coast")
        expect(page.locator(".read")).to_contain_text("Everybody’d take something.")
        assert axe(page) == []
        page.get_by_role("button", name="Back to the log").click()
        # What comes after it is another evening, and nothing else is offered.
        chips = page.locator(".row-next .chips .chip")
        expect(chips).to_have_text(["Start next session"])
        chips.click()
        expect(page.get_by_label("Title")).to_be_focused()
        page.keyboard.type("Low water")
        # A day is typed as a file has it; what is none is not taken.
        page.get_by_label("Date").fill("60516")
        page.get_by_role("button", name="Start", exact=True).click()
        assert page.get_by_label("Date").evaluate("one => one.matches(':invalid')")
        page.get_by_label("Date").fill("2026-05-16")
        page.locator(".sheet .chip", has_text="Wen").click()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".session-title")).to_have_text("Session 3, Low water")
    ended = (campaign / "02.yaml").read_text(encoding="utf-8")
    assert ended.rstrip().endswith("- end session: the biscuits were gone")
    assert "- assert:" in ended
    begun = (campaign / "03.yaml").read_text(encoding="utf-8")
    assert "title: Low water\ndate: 2026-05-16\n" in begun
    assert "present: [Marit, Joss, Pilar, Tunde]" in begun
    assert watch.problems == []


def test_no_entry_is_lost_when_the_tab_is_killed(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-boathouse")
    log = sorted((opened.folder / "the-boathouse").glob("[0-9]*.yaml"))[-1]
    chance = Random(4)
    pressed = []
    with watched(width=390) as (page, _):
        opened.enter(page, "the-boathouse")
        for number in range(KILLED):
            tab = page.context.new_page()
            tab.goto(f"http://127.0.0.1:{opened.port}/")
            opened.sit(tab, "the-boathouse")
            tab.locator("#line").fill(f"tell: Wave {number}.")
            # The tab dies while it waits, sends, or draws; half of them right when Enter is pressed.
            tab.keyboard.press("Enter")
            pressed.append(f"- tell: Wave {number}.")
            if number % 2:
                tab.wait_for_timeout(chance.uniform(0, 120))
            with suppress(Error):
                tab.goto("chrome://crash", timeout=2000)
            tab.close()
        # Whoever comes back finds everything in the file, once.
        page.reload()
        opened.sit(page, "the-boathouse")
        expect(page.locator(".entry").last).to_contain_text(f"Wave {KILLED - 1}.")
        expect(page.locator(".entry.waiting")).to_have_count(0)
    rows = log.read_text(encoding="utf-8").split("\n")
    assert [row for row in rows if "Wave" in row] == pressed


def test_two_tabs_see_each_other(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-boathouse")
    with watched(width=1024) as (page, watch):
        # The only campaign there is lies open at once.
        page.goto(opened.link)
        expect(page.locator('html[data-campaign="the-boathouse"]')).to_be_attached(timeout=20_000)
        second_page = page.context.new_page()
        second_page.goto(f"http://127.0.0.1:{opened.port}/")
        opened.sit(second_page, "the-boathouse")
        page.locator("#line").fill("tell: From the first tab.")
        page.keyboard.press("Enter")
        expect(second_page.locator(".entry").last).to_contain_text("From the first tab.")
        second_page.locator("#line").fill("tell: From the second.")
        second_page.keyboard.press("Enter")
        expect(page.locator(".entry").last).to_contain_text("From the second.")
    log = sorted((opened.folder / "the-boathouse").glob("[0-9]*.yaml"))[-1]
    assert log.read_text(encoding="utf-8").endswith(
        "- tell: From the first tab.\n- tell: From the second.\n"
    )
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_what_is_lacking_is_said_in_passing_and_shown_in_grey(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("snowshed-nine", cut=SHED)
    with watched(width=width) as (page, watch):
        opened.enter(page, "snowshed-nine")
        line, need = page.locator("#line"), page.locator(".need")
        expect(need).to_be_hidden()
        line.fill("motive ")
        line.press("End")
        expect(need).to_contain_text("motive needs a value")
        shape = page.locator(".mirror .shape")
        expect(shape).to_be_visible()
        # How it goes on is shown, and is not taken with what is offered.
        ghost, shown = page.locator(".mirror .ghost").first.inner_text(), shape.inner_text()
        expect(need).to_contain_text(f"For example: {ghost}{shown}")
        assert axe(page) == []
        line.press("Tab")
        expect(line).to_have_value(f"motive {ghost}")
        page.keyboard.type("She is cold")
        expect(need).to_have_text("")
        expect(page.locator(".draft-finding")).to_be_hidden()
        assert overflow(page) <= 0
    assert watch.problems == []


def test_pairs_roll_on_the_pad_and_what_comes_of_it_is_said_in_the_line(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("snowshed-nine", cut={"snowshed-nine": ("01.yaml", "- pair rolls:")})
    with watched(width=1024) as (page, watch):
        opened.enter(page, "snowshed-nine")
        chip = page.locator('.chip[data-verb="pair rolls"]')
        chip.click()
        pad = page.locator(".pad")
        expect(pad.locator("h2")).to_contain_text("&")
        for _ in range(40):
            if pad.locator(".key.go.write").count():
                break
            pad.get_by_role("button", name="Roll here").click()
        assert axe(page) == []
        pad.locator(".key.go").click()
        expect(page.locator("#line")).to_have_value(re.compile(r"^pair rolls .+: \{.+, $"))
        expect(page.locator(".choice", has_text="erase").first).to_be_visible()
    assert watch.problems == []


def test_a_campaign_is_called_otherwise(desk: Desks, watched: WatchedPage, axe: Axe) -> None:
    opened = desk("the-dry-book")
    settings = opened.folder / "the-dry-book" / "campaign.yaml"
    with watched(width=390) as (page, watch):
        opened.enter(page, "the-dry-book")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="This campaign").click()
        page.get_by_label("Title").fill("The wet book")
        page.locator(".sheet .chip", has_text="relaxed").click()
        assert axe(page) == []
        page.get_by_role("button", name="Save change").click()
        expect(page.locator(".brand")).to_have_text("The wet book")
        text = settings.read_text(encoding="utf-8")
        assert "title: The wet book\n" in text and "strictness: relaxed\n" in text
        assert overflow(page) <= 0
    assert watch.problems == []


def test_a_first_evening_is_led_and_another_try_is_told_kindly(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk()
    with watched(width=390, scheme="dark") as (page, watch):
        page.goto(opened.link)
        page.get_by_role("button", name="Start the guide").click()
        page.locator("dialog .menu-row").first.click()
        guide_words = page.locator(".guide-words")
        expect(page.locator(".guide-count")).to_contain_text("1 of")
        line = guide_words.inner_text()
        typed, _, last = line.rpartition(", ")
        page.locator("#line").fill(typed)
        expect(page.locator(".guide-said")).to_contain_text(last)
        page.locator(".box .write").click()
        expect(page.locator(".guide-said")).to_contain_text("Add again")
        assert page.locator(".entry").count() == 0
        assert overflow(page) <= 0
        assert axe(page) == []
        page.locator("#line").press("End")
        page.keyboard.type(f", {last}")
        expect(page.locator(".guide-said")).to_be_empty()
        page.keyboard.press("Enter")
        expect(page.locator(".entry")).to_have_count(1)
        expect(page.locator(".guide-count")).to_contain_text("2 of")
        page.get_by_role("button", name="Fill in for me").click()
        page.locator(".box .write").click()
        expect(page.locator(".entry")).to_have_count(2)
        page.get_by_role("button", name="Leave the guide").click()
        expect(page.locator(".guide")).to_be_hidden()
    assert watch.problems == []


def test_what_a_line_lacks_is_asked_for_key_by_key(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk("the-dry-book", cut={"the-dry-book": ("01.yaml", "- spy: Marrow")})
    log = opened.folder / "the-dry-book" / "01.yaml"
    log_before = log.read_text(encoding="utf-8")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-dry-book")
        page.locator(".chip[data-verb=spy]").click()
        title = page.locator(".row-choices .row-title")
        expect(title).to_have_text("What is the spy called?")
        page.keyboard.type("Marrow")
        expect(title).to_have_text("What is the speciality of the spy?")
        expect(page.locator(".need")).to_contain_text("Marrow has no speciality")
        expect(page.locator(".draft-finding")).to_be_hidden()
        assert axe(page) == []
        page.keyboard.press("Enter")
        expect(page.locator("#line")).to_have_value("spy Marrow, speciality: ")
        page.keyboard.type("locks")
        expect(page.locator(".draft")).to_have_attribute(
            "data-entry", re.compile("speciality: locks")
        )
        page.keyboard.press("Enter")
        expect(page.locator(".entry.current")).to_contain_text("Marrow")
    added_text = log.read_text(encoding="utf-8").removeprefix(log_before)
    assert added_text.startswith("- spy: Marrow\n") and "  speciality: locks\n" in added_text
    assert watch.problems == []


def test_who_was_chosen_first_is_meant_by_the_line_that_comes(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        acts = page.locator(".box .by .player")
        turn = acts.inner_text()
        page.locator(".box .by").click()
        other_players = page.locator("dialog .menu-row").filter(has_not_text=turn)
        other_players.last.click()
        expect(acts).not_to_have_text(turn)
        chosen = acts.inner_text()
        page.locator(".chip[data-verb=draw]").click()
        expect(page.locator("#line")).to_have_value("draw ")
        expect(acts).to_have_text(chosen)
    assert watch.problems == []


PLACES = """(selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.offsetParent).map((one) => {
        const {left, top, bottom} = one.getBoundingClientRect();
        return `${one.dataset.face || one.dataset.verb || one.className.split(" ")[0]} ` +
            [left, top, bottom].map(Math.round).join(" ");
    })"""
"""Where things stand that somebody may be about to tap."""


IN_SIGHT = """() => {
    const log = document.querySelector(".log").getBoundingClientRect();
    return [...document.querySelectorAll(".log .entry")].filter((one) => {
        const {top, bottom} = one.getBoundingClientRect();
        return top > log.top - 2 && bottom < log.bottom + 2;
    }).length;
}"""
"""How many entries are seen from top to bottom."""


SIZES = {(1024, 768): 9, (1024, 420): 7, (390, 844): 7}
"""How many short entries there is room for at least; the lowest size is that above a keyboard."""


def test_so_many_entries_are_in_sight(desk: Desks, watched: WatchedPage, tmp_path: Path) -> None:
    opened = desk("the-boathouse")
    folder = tmp_path / "the-salt-road"
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "game: universalis\ntitle: The salt road\nplayers: [Nora, Piet, Sam]\n", encoding="utf-8"
    )
    turns = "- event: The bell rings again\n- end turn:\n" * 8
    (folder / "01.yaml").write_text(
        "session: 1\n\nlog:\n- tenet: A salt town\n- pass: [Nora, Piet, Sam]\n"
        f"- bid: {{Nora: 3, Piet: 5, Sam: 2}}\n- scene: The bell yard\n  at: bell yard\n{turns}",
        encoding="utf-8",
    )
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-salt-road")
        for (width, height), least in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(300)
            assert page.evaluate(IN_SIGHT) >= least, (width, height)
            assert overflow(page) <= 0
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_an_impossible_action_is_grey_and_says_why(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("the-lantern-coast", "the-boathouse", cut=COAST)
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        shown = ".deck .chip:visible"
        labels = page.locator(shown).all_inner_texts()
        assert len(labels) == (8 if width < 760 else 14)
        page.locator("#line").fill("end turn")
        page.locator("#line").press("Enter")
        expect(page.locator(".moment h1")).to_contain_text("Pilar")
        labels_now = page.locator(shown).all_inner_texts()
        assert [shown_label.split("\n")[0] for shown_label in labels_now] == [
            label.split("\n")[0] for label in labels
        ]
        opened.sit(page, "the-boathouse")
        off = page.locator(".deck .chip.off:visible").first
        off.click(force=True)
        expect(page.locator("#line")).to_have_value("")
        expect(page.locator(".need")).not_to_be_empty()
        assert axe(page) == []
        assert overflow(page) <= 0
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_nothing_moves_under_the_finger_while_a_line_grows(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        expect(page.locator(".row-next .chip").first).to_be_visible()

        def places() -> list[str]:
            page.wait_for_function(
                "() => document.querySelector('.choices').dataset.of === document.querySelector('#line').value"
            )
            selectors = ".deck .chip:not(.more), .box .by, .box .line-box, .story, .offers"
            positions: list[str] = page.evaluate(PLACES, selectors)
            return positions

        places_before = places()
        assert len(places_before) > 6
        # Half a line, a finding with its mends, a line of two rows, what it lacks, and none at all.
        for line in (
            "draw ",
            "draw Patience: leaks",
            "draw Patience: tarred twice, by: Joss",
            "draw Patience: tarred twice, by: Joss, note: it is old" * (1 + (width > 390)),
            "assert Joss: {coins: 3}, ",
            "tell ",
            "",
        ):
            page.locator("#line").fill(line)
            assert places() == places_before, line
            page.wait_for_timeout(600)
            assert places() == places_before, line
            assert overflow(page) <= 0
        # A longer line has more rows: it grows upwards, and nothing below it moves.
        page.locator("#line").fill("tell " + "It rains on all the boats. " * 9)
        page.wait_for_timeout(600)
        assert places()[4:] == places_before[4:], "the action buttons"
        page.locator("#line").fill("")
        page.locator(".story").click()
        places_before = places()
        for story in ("It rains.", "It rains.\n" * 12):
            page.locator(".fiction-line").fill(story)
            page.wait_for_timeout(200)
            assert places() == places_before, story
        page.locator("#line").fill("draw Patience: leaks")
        assert places() == places_before, "a line beside what is told"
        assert axe(page) == []
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_no_key_of_the_pad_moves_while_faces_are_tapped(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("snowshed-nine", "six-names", cut=SHED | GALLERY)
    keys = ".pad .key, .pad .told-line, .pad-actions .small"
    with watched(width=width) as (page, watch):
        for number, campaign in enumerate(("snowshed-nine", "six-names")):
            if number:
                opened.sit(page, campaign)
            else:
                opened.enter(page, campaign)
            page.locator(".chip.throws").first.click()
            places_before = page.evaluate(PLACES, keys)
            assert len(places_before) > 9
            for _ in range(8):
                page.locator('.key[data-face="6"]').click()
                # What will be written is answered a moment later.
                expect(page.locator(".pad-says")).to_have_attribute("data-entry", re.compile("6"))
                places_now = page.evaluate(PLACES, keys)
                # What comes to them stands behind them.
                assert places_now[: len(places_before)] == places_before
            assert axe(page) == []
            page.locator(".pad-head button").click()
    assert watch.problems == []


@pytest.mark.parametrize("width", [390, 1024])
def test_what_a_line_will_do_is_said_beside_it_and_write_is_quiet_until_it_is_whole(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    with watched(width=width) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        ready, need = page.locator(".box.ready"), page.locator(".need")
        line = page.locator("#line")
        for half in ("create ", "create character: Mob, traits: ", "trait Patience:"):
            line.fill(half)
            expect(need).not_to_be_empty()
            expect(ready).to_have_count(0)
        line.fill("create character: Mob, traits: [wet, many x3]")
        draft = page.locator(".draft")
        expect(draft).to_contain_text("Joss: Mob created")
        expect(draft.locator(".changes")).to_have_text("Joss9→4")
        expect(ready).to_have_count(1)
        assert axe(page) == []
        assert overflow(page) <= 0
        # Another word by which it is cheaper is offered where it begins.
        line.fill("create ")
        expect(page.locator(".choice", has_text="one of a class")).to_be_attached()
    assert watch.problems == []


def test_more_is_said_of_what_fell_and_another_pair_comes_to_it(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk(
        "the-dry-book",
        "snowshed-nine",
        cut={
            "the-dry-book": ("01.yaml", "- check:"),
            "snowshed-nine": ("01.yaml", "- pair rolls:"),
        },
    )
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-dry-book")
        page.locator('.chip.due[data-verb="check"]').first.click()
        pad = page.locator(".pad")
        for _ in range(9):
            if not pad.get_by_role("button", name="Roll here").is_enabled():
                break
            pad.get_by_role("button", name="Roll here").click()
        pad.get_by_role("button", name="Add details").click()
        # What is targeted is one tap away.
        page.locator(".choice", has_text="the resource that the interference targets").click()
        expect(page.locator("#line")).to_have_value(re.compile(r"^check .+, target: $"))
        page.locator("#line").fill("")
        opened.sit(page, "snowshed-nine")
        page.locator("#line").fill("pair rolls Hedda & Anselm: {green: 232, red: 641 2, ")
        page.locator(".choice", has_text="Hedda Brunn & Wim").click()
        expect(page.locator("#line")).to_have_value(re.compile(r"641 2\}, Hedda & Wim: $"))
        page.locator("#line").fill("pair rolls Hedda & Anselm: {green: 232, red: 641 2, ")
        page.locator(".chip.throws").first.click()
        while "Wim" not in pad.locator("h2").inner_text():
            pad.get_by_role("button", name="instead").click()
        for _ in range(9):
            if pad.locator(".key.go.write").count():
                break
            pad.get_by_role("button", name="Roll here").click()
        pad.locator(".key.go").click()
        both = re.compile(r"^pair rolls Hedda & Anselm: \{.+2\}, .+: \{green: .+, red: .+, $")
        expect(page.locator("#line")).to_have_value(both)
        assert axe(page) == []
    assert watch.problems == []


NOTED = """\
session: 1
present: [Rhea, Sabine, Owen]
log:
- {spy: Falcon, by: Sabine, speciality: driving, contacts: {Magda: papers, Ana: boats}}
- {spy: Otter, by: Owen, speciality: locks, contacts: {Joe: cars, Ivan: guns}}
- connections: {Falcon: met Otter, Otter: owes Falcon}
- city: Gdansk
- deal: [Sabine, Owen]
- introduce: {Falcon: quay, Otter: hill}
"""


def test_notes_are_counted_where_there_is_no_error(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-dry-book")
    folder = opened.folder / "the-dry-book"
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "01.yaml").write_text(NOTED, encoding="utf-8")
    (folder / "campaign.yaml").write_text(
        "game: slow-burn\ntitle: T\nhandler: Rhea\nplayers: [Sabine, Owen]\n", encoding="utf-8"
    )
    with watched(width=1024) as (page, _):
        opened.enter(page, "the-dry-book")
        expect(page.locator(".status")).to_contain_text("Saved · 1 note")
