"""The desk of a published site, in a real browser: campaigns stay on the device, whatever happens to tab and
network, and go from there wherever somebody wants them."""

import base64
import gzip
import io
import json
import os
import re
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from playwright.sync_api import Error, Page, expect

from benchmarks.play import write_campaign
from chronicle.cli.app import chronicle
from chronicle.games import GAMES, rulebook
from chronicle.site.device import source_files
from chronicle.syntax.bundle import collect_files, pack_bundle
from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import Site, served
from tests.needs import desk_on

pytestmark = pytest.mark.browser

KILLED = int(os.environ.get("CHRONICLE_KILLED", "6"))
"""How often a tab is killed."""
MOST_WIRE = 10_900_000
"""Bytes, gzipped, until the first answer; without the memory that is kept to begin with."""
MOST_MEMORY = 100_000_000
STARTING = 60_000
"""Milliseconds that a desk may take to open on a machine that is busy."""
BOAT = "@the-boathouse"

FOLDER = """
    window.showDirectoryPicker = async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle("disk", {create: true});
"""
"""Nobody can choose a folder where there is no window: one of the browser's own stands in for it."""


@pytest.fixture(scope="module")
def desk(site: Site) -> str:
    """Where the desk of the site is."""
    desk_on(site.root)
    return f"{site.url}desk/"


def shelf(page: Page, desk: str) -> None:
    """Come in, and see what is there."""
    page.goto(f"{desk}#/")
    expect(page.locator(".shelf h1")).to_be_visible(timeout=STARTING)


def sit(page: Page, desk: str, campaign: str = BOAT) -> None:
    """Sit down at a campaign."""
    page.goto(f"{desk}#/{campaign}")
    expect(page.locator(f'html[data-campaign="{campaign}"]')).to_be_attached(timeout=STARTING)


def write(page: Page, text: str) -> None:
    """Type a line, and have it written."""
    page.locator("#line").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".entry:not(.waiting)").last).to_contain_text(text.partition(": ")[2])


def until(page: Page, condition: str) -> None:
    """Wait for what can only be asked, and not be seen."""
    for _ in range(STARTING // 100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(condition)


def unzipped(data: bytes, into: Path) -> list[str]:
    """Unpack a zip; the names in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as parcel:
        parcel.extractall(into)
        return sorted(parcel.namelist())


def test_the_pack_holds_every_file_that_a_browser_needs(site: Site, desk: str) -> None:
    parts = json.loads((site.root / "desk" / "parts.json").read_text(encoding="utf-8"))
    pack = gzip.decompress((site.root / "desk" / parts["files"]["pack"]).read_bytes())
    with zipfile.ZipFile(io.BytesIO(pack)) as packed_files:
        names = {re.sub(r"\.pyc$", ".py", name) for name in packed_files.namelist()}
    assert {name for name in names if name.startswith("chronicle/")} == {*source_files()}


def test_a_stranger_starts_a_campaign_of_every_game(desk: str, watched: WatchedPage) -> None:
    with watched(width=1024) as (page, watch):
        shelf(page, desk)
        for number, game in enumerate(GAMES):
            page.get_by_role("button", name="New campaign").click()
            title = rulebook(game).title
            page.locator(".game", has=page.get_by_text(title, exact=True)).click(timeout=STARTING)
            page.get_by_label("Player 1").fill("Ada")
            page.get_by_label("Player 2").fill("Ben")
            runs = page.get_by_label("Who runs the game")
            expect(page.get_by_role("heading", name="Who plays? (without the")).to_have_count(
                runs.count()
            )
            if runs.count():
                page.get_by_label("Who runs the game").fill("Gil")
            page.get_by_label("What is it called?").fill(f"Table {number}")
            page.get_by_role("button", name="Start", exact=True).click()
            # Two players are too few for some games.
            anyway = page.get_by_role("button", name="Start anyway")
            begun = page.locator(f'html[data-campaign="table-{number}"]')
            expect(anyway.or_(begun)).to_be_attached(timeout=STARTING)
            if anyway.is_visible():
                anyway.click()
            expect(begun).to_be_attached()
            write(page, "tell: It begins.")
            shelf(page, desk)
        # Whoever comes back finds all of them.
        page.reload()
        expect(page.locator(".campaigns").first.locator(".campaign")).to_have_count(
            len(GAMES), timeout=STARTING
        )
    assert watch.problems == []


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_is_led_through_the_first_evening(
    desk: str, watched: WatchedPage, game: str
) -> None:
    with watched(width=1024) as (page, watch):
        shelf(page, desk)
        page.get_by_role("button", name="Start the guide").click()
        title = rulebook(game).title
        page.locator("dialog .menu-row", has_text=title).click(timeout=STARTING)
        count = page.locator(".guide-count")
        expect(count).to_contain_text("1 of", timeout=STARTING)
        of = int(count.inner_text().split()[-1])
        for number in range(1, of + 1):
            expect(count).to_contain_text(f"{number} of {of}")
            page.locator(".guide-line button").click()
            expect(page.locator(".box .write")).to_be_enabled()
            page.locator(".box .write").click()
        expect(page.locator(".guide")).to_contain_text("You have logged an evening.")
    assert watch.problems == []


FAILING = """(failing) => {
    self.asJson ??= JSON.stringify;
    JSON.stringify = (value, ...more) => {
        if (failing.includes(value?.ask)) throw new TypeError(`no ink for ${value.ask}`);
        return self.asJson(value, ...more);
    };
}"""
"""Makes the worker fail at some questions, and at no others."""


def test_every_error_of_the_program_is_shown_where_it_happened(
    desk: str, watched: WatchedPage, axe: Axe
) -> None:
    with watched(width=390) as (page, watch):
        sit(page, desk)
        expect(page.locator(".status")).not_to_contain_text("Starting", timeout=STARTING)
        (worker,) = page.workers
        page.evaluate("location.hash = '/'")
        trouble = page.locator(".trouble")
        for button, words in (
            ("New campaign", "Could not start a campaign."),
            ("Start the guide", "Could not start the guided first evening."),
        ):
            worker.evaluate(FAILING, ["games"])
            page.get_by_role("button", name=button).click()
            expect(trouble).to_contain_text(f"{words} Chronicle stopped with an error (TypeError).")
            trouble.get_by_text("Show details").click()
            expect(trouble.locator("pre")).to_contain_text("no ink for games")
            assert axe(page) == []
            # What is shown in its place is not said a second time over the page.
            expect(page.locator(".toast")).to_have_count(0)
            worker.evaluate(FAILING, [])
            trouble.get_by_role("button", name="Try again").click()
            expect(trouble).to_have_count(0)
            page.locator("dialog .game").first.wait_for()
            page.get_by_role("button", name="Close").click()
    assert [problem for problem in watch.problems if "no ink" not in problem] == []


def test_an_error_that_nobody_waits_for_is_said_over_the_page(
    desk: str, watched: WatchedPage, axe: Axe
) -> None:
    with watched(width=1024) as (page, watch):
        sit(page, desk)
        expect(page.locator(".status")).not_to_contain_text("Starting", timeout=STARTING)
        (worker,) = page.workers
        toast = page.locator(".toast")
        for failing in ("fit", "write"):
            worker.evaluate(FAILING, [failing])
            page.locator("#line").fill(f"tell: The {failing} fails.")
            page.keyboard.press("Enter")
            expect(toast).to_contain_text("Chronicle stopped with an error (TypeError).")
            toast.get_by_text("Show details").click()
            expect(toast.locator("pre")).to_contain_text(f"no ink for {failing}")
            assert axe(page) == []
            toast.get_by_role("button", name="Close").click()
            worker.evaluate(FAILING, [])
        # A line that could not be written stands in the line again, and can be written now.
        expect(page.locator("#line")).to_have_value("tell: The write fails.")
        page.locator("#line").press("Enter")
        expect(page.locator(".entry").last).to_contain_text("The write fails.")
        # An error in the midst of nothing, in the worker and on the page.
        worker.evaluate("() => { setTimeout(() => { throw new RangeError('out of ink'); }); }")
        expect(toast).to_contain_text("Chronicle stopped with an error (RangeError).")
        toast.get_by_role("button", name="Close").click()
        page.evaluate("() => { setTimeout(() => { throw new SyntaxError('no pen'); }); }")
        expect(toast).to_contain_text("Something went wrong on this page (SyntaxError).")
    error_pattern = re.compile("no ink|out of ink|no pen")
    assert [problem for problem in watch.problems if not error_pattern.search(problem)] == []


def test_a_copy_is_taken_checked_and_taken_in(
    desk: str, watched: WatchedPage, axe: Axe, tmp_path: Path
) -> None:
    with watched(width=1024) as (page, watch):
        sit(page, desk)
        write(page, "tell: The lamp is lit again.")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Download a backup").click()
        assert axe(page) == []
        with page.expect_download() as download:
            page.get_by_role("button", name="Download a .zip file").click()
        parcel = download.value.path()
        assert download.value.suggested_filename == "the-boathouse.zip"
        names = unzipped(parcel.read_bytes(), tmp_path)
        assert "the-boathouse/campaign.yaml" in names
        checked = CliRunner().invoke(chronicle, ["check", str(tmp_path / "the-boathouse")])
        assert checked.exit_code == 0, checked.output
        log = (tmp_path / "the-boathouse" / "02.yaml").read_text(encoding="utf-8")
        assert log.endswith("- tell: The lamp is lit again.\n")
        # What was taken away comes in again, as a campaign of its own.
        shelf(page, desk)
        expect(page.locator(".copied")).to_contain_text("backup from")
        assert axe(page) == []
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open .zip file").click()
        chooser.value.set_files(parcel)
        own_rows = page.locator(".campaigns").first.locator(".campaign")
        expect(own_rows).to_have_count(2)
        sit(page, desk, "the-boathouse")
        expect(page.locator(".entry").last).to_contain_text("The lamp is lit again.")
        # The copy of the site's own goes when nobody wants it any more.
        shelf(page, desk)
        page.locator("li", has=page.locator(f'[href="#/{BOAT.replace("@", "%40")}"]')).get_by_role(
            "button"
        ).click()
        page.get_by_role("button", name="Go back to the one on this site").click()
        page.get_by_role("button", name="Delete").click()
        expect(own_rows).to_have_count(1)
        sit(page, desk)
        expect(page.locator(".entry").last).not_to_contain_text("The lamp is lit again.")
    assert watch.problems == []


def test_what_is_no_parcel_is_refused_in_a_sentence(
    desk: str, watched: WatchedPage, tmp_path: Path
) -> None:
    (tmp_path / "holiday.zip").write_bytes(b"no zip")
    with watched(width=390, scheme="dark") as (page, watch):
        shelf(page, desk)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open .zip file").click()
        chooser.value.set_files(tmp_path / "holiday.zip")
        expect(page.locator(".toast")).to_contain_text("'holiday' cannot be imported")
    assert watch.problems == []


def test_a_folder_is_written_never_over_what_differs_and_read(
    desk: str, watched: WatchedPage
) -> None:
    with watched(width=1024) as (page, watch):
        page.add_init_script(FOLDER)
        sit(page, desk)
        write(page, "tell: The jetty holds.")

        def into() -> None:
            page.get_by_role("button", name="Menu").click()
            page.get_by_role("button", name="Download a backup").click()
            page.get_by_role("button", name="Save to a folder").click()

        def held() -> str:
            return str(page.evaluate(READ))

        into()
        expect(page.locator(".toast")).to_contain_text("saved to “the-boathouse”")
        assert held().endswith("- tell: The jetty holds.\n")
        into()
        expect(page.locator(".toast")).to_contain_text("is up to date already")
        page.evaluate(SPOIL)
        into()
        expect(page.locator(".differing")).to_have_text("02.yaml")
        page.get_by_role("button", name="Cancel").click()
        assert held() == "an editor was here"
        into()
        page.get_by_role("button", name="Replace").click()
        expect(page.locator(".toast")).to_contain_text("1 file saved")
        assert held().endswith("- tell: The jetty holds.\n")
        shelf(page, desk)
        page.get_by_role("button", name="Open folder").click()
        expect(page.locator(".toast")).to_contain_text("1 campaign imported")
        sit(page, desk, "the-boathouse")
        expect(page.locator(".entry").last).to_contain_text("The jetty holds.")
    assert watch.problems == []


LOG = """
    const disk = await (await navigator.storage.getDirectory()).getDirectoryHandle("disk");
    const log = await (await disk.getDirectoryHandle("the-boathouse")).getFileHandle("02.yaml");
"""
READ = f"async () => {{ {LOG} return (await log.getFile()).text(); }}"
SPOIL = f"""async () => {{ {LOG} const stream = await log.createWritable();
    await stream.write("an editor was here"); await stream.close(); }}"""


def test_from_a_page_of_the_site_to_the_desk_at_that_entry(
    site: Site, desk: str, watched: WatchedPage, axe: Axe
) -> None:
    with watched(width=1440) as (page, watch):
        page.goto(site.url)
        page.get_by_role("link", name="Try it in the browser").click()
        expect(page.locator(".shelf h1")).to_be_visible(timeout=STARTING)
        page.goto(f"{site.url}the-boathouse/sessions/1.html")
        row = page.locator(".ch-beat", has=page.locator(".ch-beat__told > p")).nth(12)
        number = row.locator(".ch-beat__no").inner_text().split()[-1]
        opening_words = row.locator(".ch-beat__told > p").last.inner_text().split()[:4]
        row.locator(".ch-beat__no").click()
        assert axe(page) == []
        row.get_by_role("link", name="At the desk").click()
        expect(page.locator(".looking")).to_contain_text(
            f"Viewing entry {number} of", timeout=STARTING
        )
        expect(page.locator(".entry.current")).to_contain_text(opening_words[0])
        page.locator(".looking").get_by_role("button", name="Try moves").click()
        write_if = page.locator("#line")
        write_if.fill("tell: It goes otherwise.")
        page.keyboard.press("Enter")
        expect(page.locator(".looking").get_by_role("button", name="Undo")).to_be_visible()
    assert watch.problems == []


def test_after_the_first_visit_it_needs_no_network(
    site: Site, desk: str, watched: WatchedPage
) -> None:
    with watched(width=1024) as (page, watch):
        with served(site.root) as host:
            at = f"{host.url}desk/"
            sit(page, at)
            expect(page.locator(".status")).not_to_contain_text("Starting", timeout=STARTING)
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
            manifest = page.evaluate(
                "fetch(document.querySelector('link[rel=manifest]').href).then(one => one.json())"
            )
            assert manifest["display"] == "standalone"
        # From here on nobody answers.
        problems = [*watch.problems]
        sit(page, f"{at}?again")
        write(page, "tell: The mast is down.")
        second_page = page.context.new_page()
        sit(second_page, at)
        expect(second_page.locator(".entry").last).to_contain_text("The mast is down.")
    assert problems == []


FIRST = """
    new MutationObserver((_, seen) => {
        if (!document.documentElement.dataset.campaign) return;
        window.first ??= performance.now();
        seen.disconnect();
    }).observe(document, {subtree: true, childList: true, attributes: true});
"""
"""Notes when the first answer about a campaign stands on the page."""
LATE = """
    const begun = new Promise((begin) => { window.begin = begin; });
    window.Worker = class extends Worker {
        set onmessage(hear) {
            super.onmessage = async (event) => { await begun; hear(event); };
        }
    };
"""
"""Chronicle begins when the test says so."""


def shown_first(page: Page, desk: str) -> str:
    """What is told last on the page before Chronicle has begun; it stays when Chronicle answers itself."""
    page.add_init_script(LATE)
    sit(page, desk)
    expect(page.locator(".status")).to_have_text("Starting …")
    stands = [page.locator(selector).last for selector in (".moment h1", ".side", ".entry .told")]
    texts_before = [element.inner_text() for element in stands]
    page.evaluate("() => window.begin()")
    expect(page.locator(".status")).not_to_contain_text("Starting", timeout=STARTING)
    page.wait_for_function("() => document.querySelector('.choices').dataset.of !== undefined")
    assert [element.inner_text() for element in stands] == texts_before
    return texts_before[-1]


ANSWERS = """async ([parcel, campaigns]) => {
    const worker = new Worker("worker.js", {type: "module"});
    const waiting = new Map();
    await new Promise((ready) => {
        worker.onmessage = ({data}) => {
            const message = typeof data === "string" ? JSON.parse(data) : data;
            if (message.tell === "ready") ready();
            else if (!message.tell) waiting.get(message.id)(message.answer);
        };
    });
    let last = 0;
    const ask = (ask, more) => new Promise((resolve) => {
        waiting.set(++last, resolve);
        worker.postMessage({id: last, ask, ...more});
    });
    const bytes = Uint8Array.from(atob(parcel), (letter) => letter.charCodeAt(0));
    await ask("receive", {name: "long", bytes});
    const found = {};
    for (const campaign of campaigns) {
        const {files, summary} = await ask("open", {campaign});
        const {name: file} = files.filter(({kind}) => kind === "session").at(-1);
        const rows = (await ask("text", {campaign, file})).text.trimEnd().split("\\n");
        const entries = rows.flatMap((row, at) => (row.startsWith("- ") ? [at] : []));
        const took = async (at) => {
            const times = [];
            for (let time = 0; time < 3; time++) {
                const text = [...rows.slice(0, at), `- tell: ${time}`, ...rows.slice(at), ""].join("\\n");
                const begun = performance.now();
                await ask("change", {campaign, file, text});
                times.push(performance.now() - begun);
            }
            const [first] = times;
            return [first, times.sort((one, other) => one - other)[1]].map(Math.round);
        };
        const middle = entries[Math.floor(entries.length / 2)];
        const hurried = await took(middle);
        // Nobody types before having seen what is there.
        await new Promise((seen) => setTimeout(seen, 2500));
        found[campaign] = [summary.entries, await took(rows.length), await took(middle), hurried];
    }
    const {memory} = await ask("device");
    worker.terminate();
    return {found, memory};
}"""


def test_how_long_it_takes_and_how_much_it_is(
    site: Site, desk: str, watched: WatchedPage, tmp_path: Path
) -> None:
    parts = json.loads((site.root / "desk" / "parts.json").read_text(encoding="utf-8"))
    write_campaign("universalis", 2000, tmp_path / "long")
    parcel = base64.b64encode(pack_bundle({"long": collect_files(tmp_path / "long")})).decode()
    coast = "@the-lantern-coast"
    with watched(width=1024) as (page, watch):
        requests: set[str] = set()
        page.on("request", lambda request: requests.add(request.url))
        page.add_init_script(FIRST)
        sit(page, desk, coast)
        cold = page.evaluate("window.first")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        loaded = {
            site.root / address.removeprefix(site.url).partition("?")[0] for address in requests
        }
        second_page = page.context.new_page()
        second_page.add_init_script(FIRST)
        sit(second_page, f"{desk}?again", coast)
        warm = second_page.evaluate("window.first")
        second_page.close()
        measured = page.evaluate(ANSWERS, [parcel, [coast, "long"]])
    snapshot = site.root / "desk" / parts["files"]["memory"]
    files = [file / "index.html" if file.is_dir() else file for file in loaded - {snapshot}]
    wire = sum(min(file.stat().st_size, len(gzip.compress(file.read_bytes()))) for file in files)
    print(f"\nfirst answer: {cold / 1000:.2f} s cold, {warm / 1000:.2f} s warm")
    for entries, end, middle, hurried in measured["found"].values():
        print(f"{entries} entries, ms after a first change and those that follow:", end=" ")
        print(f"{end} at the end, {middle} in the middle, {hurried} there as soon as it is open")
    heap = measured["memory"]
    print(f"{wire / 1e6:.2f} MB over the wire, {heap / 1e6:.0f} MB of memory")
    assert parts["files"]["pack"] in {file.name for file in files}
    assert wire <= MOST_WIRE
    assert heap <= MOST_MEMORY
    assert watch.problems == []


AT_REST = f"""async () => {{
    const ask = (request) => new Promise((done) => {{ request.onsuccess = () => done(request.result); }});
    const base = await ask(indexedDB.open("chronicle-desk"));
    const kept = await ask(base.transaction("campaigns").objectStore("campaigns").get("{BOAT}"));
    base.close();
    return kept.count === 3 && kept.first?.count === kept.count;
}}"""
"""Whether what was written last is in what this device shows first."""


def test_two_tabs_see_each_other(desk: str, watched: WatchedPage) -> None:
    with watched(width=1024) as (page, watch):
        assert shown_first(page, desk)
        second_page = page.context.new_page()
        sit(second_page, desk)
        write(page, "tell: From the first tab.")
        expect(second_page.locator(".entry").last).to_contain_text("From the first tab.")
        # Both at once: each of them stands in the log.
        page.locator("#line").fill("tell: From the one.")
        second_page.locator("#line").fill("tell: From the other.")
        page.keyboard.press("Enter")
        second_page.keyboard.press("Enter")
        # What the site itself says of it first is not shown any more; what this device kept of it is.
        until(page, AT_REST)
        third_page = page.context.new_page()
        assert shown_first(third_page, desk) in ("From the one.", "From the other.")
        third_page.close()
        for tab in (page, second_page):
            for words in ("From the one.", "From the other."):
                expect(tab.locator(".entry:not(.waiting)", has_text=words)).to_have_count(1)
    assert watch.problems == []


def test_no_entry_is_lost_when_the_tab_is_killed(desk: str, watched: WatchedPage) -> None:
    chance = Random(4)
    with watched(width=390) as (page, _):
        for number in range(KILLED):
            tab = page.context.new_page()
            sit(tab, desk)
            tab.locator("#line").fill(f"tell: Wave {number}.")
            # The tab dies while it waits, writes, or draws; half of them right when Enter is pressed.
            tab.keyboard.press("Enter")
            if number % 2:
                tab.wait_for_timeout(chance.uniform(0, 250))
            with suppress(Error):
                tab.goto("chrome://crash", timeout=2000)
            tab.close()
        # Whoever comes back finds everything in the log, once; what was left waiting is written now.
        sit(page, desk)
        expect(page.locator(".entry.waiting")).to_have_count(0, timeout=STARTING + 2_000 * KILLED)
        last = page.locator(".entry").last
        expect(last).to_contain_text(f"Wave {KILLED - 1}.", timeout=STARTING)
        entry_texts = page.locator(".entry").all_inner_texts()
        wave_numbers = [int(wave) for wave in re.findall(r"Wave (\d+)\.", "\n".join(entry_texts))]
        print(f"\n{KILLED} tabs killed, {KILLED - len(set(wave_numbers))} entries lost")
    assert wave_numbers == [*range(KILLED)]


def test_the_examples_of_the_tutorial_run_in_place(
    site: Site, desk: str, watched: WatchedPage, axe: Axe
) -> None:
    with watched(width=1024) as (page, watch):
        page.goto(f"{site.url}tutorial.html")
        buttons = page.get_by_role("button", name="Try it")
        expect(buttons).to_have_count(7)
        for _ in range(7):
            buttons.first.click()
        message = page.locator(".ch-try__said")
        expect(message).to_have_count(7)
        clean = page.locator(".ch-check--clean")
        expect(clean).to_have_count(6, timeout=STARTING)
        # The one with the mistake says what the text below it says.
        wrong = message.nth(2).locator(".ch-diag--error")
        expect(wrong).to_contain_text("Iris is the accused and cannot be in the first scene yet")
        expect(wrong).to_contain_text("leave Iris out of")
        assert axe(page) == []
        page.locator("textarea").nth(2).fill("- scene: The landing\n  with: Noor")
        expect(clean).to_have_count(7)
        message.nth(4).get_by_role("button", name="Continue at the desk").click()
        expect(page.locator(".entry").last).to_contain_text("Noor", timeout=STARTING)
    assert watch.problems == []
