"""Nothing that a campaign holds runs script on the site's origin or reaches out, in a real browser.

Every file of the hostile campaign is built into a site; each output is opened by itself and, the pictures,
inside their page. That the browser would tell is proved with the same files served as they are.
"""

import base64
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request

from chronicle.core.pictures import publishable_bytes
from tests.browser.harness import HAS_READ, Site, served
from tests.core.test_pictures import GPS, chunk, exif, segment
from tests.site.project import build, make_project

pytestmark = pytest.mark.browser

HOSTILE = Path("tests/fixtures/hostile")
BITES = (
    "live",
    "prefix",
    "attlist",
    "entity",
    "xhtml",
    "page",
    "onload",
    "utf16",
    "cdata",
    "srcdoc",
)
"""Drawings that do run script when they are opened as they are."""
REACHES = ("far", "import", "refresh")
"""Drawings that do ask another host for something."""


@pytest.fixture(scope="module")
def hostile(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    project = make_project(tmp_path_factory.mktemp("hostile") / "project", root / HOSTILE)
    folder, _ = build(project)
    with served(folder) as site:
        yield site


@contextmanager
def suspicious(browser: Browser, origin: str) -> Iterator[tuple[Page, list[str]]]:
    """A page, and what it did that no page of a campaign may do: dialogs, frames, other origins."""
    events: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})

    def dialog(shown: Dialog) -> None:
        events.append(f"script ran: {shown.message}")
        shown.dismiss()

    def request(sent: Request) -> None:
        if not sent.url.startswith((origin, "data:image/", "about:")):
            events.append(f"asks for {sent.url}")

    try:
        context.add_init_script(HAS_READ)
        page = context.new_page()
        page.on("dialog", dialog)
        page.on("request", request)
        page.on("popup", lambda popup: events.append(f"opens {popup.url}"))
        yield page, events
    finally:
        context.close()


def stir(page: Page) -> None:
    """Do what sets off handlers: wait for animations to begin, then click and point at everything."""
    page.evaluate(
        """async () => {
            await new Promise(done => setTimeout(done, 60));
            const kinds = ['mouseover', 'mouseenter', 'focus', 'click', 'pointerover'];
            for (const one of document.querySelectorAll('svg *, .ch-body *')) {
                if (one.closest('a[href]')) continue;
                for (const kind of kinds) one.dispatchEvent(new Event(kind, {bubbles: false}));
            }
        }"""
    )


def test_the_battery_bites_where_nobody_holds_it(browser: Browser, root: Path) -> None:
    with served(root / HOSTILE / "art") as raw:
        for kind, names in (("script ran", BITES), ("asks for", REACHES)):
            for name in names:
                with suspicious(browser, raw.url) as (page, events):
                    page.goto(f"{raw.url}{name}.svg", wait_until="commit")
                    for _ in range(40):
                        if any(event.startswith(kind) for event in events):
                            break
                        page.wait_for_timeout(10)
                assert any(event.startswith(kind) for event in events), (name, events)


def test_no_picture_runs_script_or_reaches_out(browser: Browser, hostile: Site) -> None:
    pictures = sorted((hostile.root / "hostile" / "art").iterdir())
    assert {"live.svg", "prefix.svg", "srcdoc.svg", "far.svg"} <= {file.name for file in pictures}
    with suspicious(browser, hostile.url) as (page, events):
        for picture in pictures:
            page.goto(f"{hostile.url}hostile/art/{picture.name}")
            stir(page)
            assert page.evaluate("document.querySelector('parsererror') === null"), picture
            assert events == [], picture


def test_no_page_runs_script_or_reaches_out(browser: Browser, hostile: Site) -> None:
    pages = sorted((hostile.root / "hostile").rglob("*.html"))
    assert len(pages) > 30
    with suspicious(browser, hostile.url) as (page, events):
        for file in pages:
            page.goto(hostile.url + file.relative_to(hostile.root).as_posix())
            stir(page)
            assert events == [], file
        page.goto(hostile.url + "hostile/gallery.html", wait_until="networkidle")
        shown = page.evaluate("[...document.images].map(one => [one.src, one.naturalWidth])")
        assert len(shown) > 10
        # quotes.svg and others without a width have one of their own; none is broken.
        assert [row for row in shown if not row[1]] == []


def test_search_takes_what_people_wrote_for_words(browser: Browser, hostile: Site) -> None:
    """Titles of pages are found as somebody typed them."""
    with suspicious(browser, hostile.url) as (page, events):
        page.goto(hostile.url + "index.html")
        page.keyboard.press("/")
        page.get_by_role("searchbox", name="Search for").fill("heading")
        results = page.locator(".ch-seek li a")
        results.filter(has_text="<h1>").first.wait_for(state="attached", timeout=10_000)
        assert results.locator("h1, script, img").count() == 0
        assert events == []


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
def test_a_photograph_looks_the_same_without_what_it_told(browser: Browser, kind: str) -> None:
    """Drawn by the browser, wrapped as a camera would, published, and shown by the browser again."""
    context = browser.new_context()
    page = context.new_page()
    data_url = page.evaluate(
        """kind => {
            const canvas = document.createElement('canvas');
            canvas.width = 40; canvas.height = 20;
            const pen = canvas.getContext('2d');
            pen.fillStyle = '#c00'; pen.fillRect(0, 0, 20, 20);
            pen.fillStyle = '#00c'; pen.fillRect(20, 0, 20, 20);
            return canvas.toDataURL('image/' + kind);
        }""",
        kind,
    )
    assert data_url.startswith(f"data:image/{kind}")
    plain = base64.b64decode(data_url.partition(",")[2])
    metadata = exif(6)
    if kind == "jpeg":
        camera = plain[:2] + segment(0xE1, b"Exif\0\0" + metadata) + plain[2:]
    elif kind == "png":
        camera = (
            plain[:33] + chunk(b"eXIf", metadata) + chunk(b"tEXt", b"Comment\0" + GPS) + plain[33:]
        )
    else:
        bare = plain[30:] if plain[12:16] == b"VP8X" else plain[12:]
        flags = 0x18 if b"ALPH" in bare else 0x08
        size = struct.pack("<I", 39)[:3] + struct.pack("<I", 19)[:3]
        parts = b"VP8X" + struct.pack("<IB3x", 10, flags) + size + bare
        parts += b"EXIF" + struct.pack("<I", len(metadata)) + metadata + b"\0" * (len(metadata) % 2)
        camera = b"RIFF" + struct.pack("<I", len(parts) + 4) + b"WEBP" + parts
    clean = publishable_bytes({"jpeg": ".jpg"}.get(kind, f".{kind}"), camera)
    assert GPS in camera and GPS not in clean
    look = """async data => {
        const image = new Image();
        image.src = data;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
        const pen = canvas.getContext('2d');
        pen.drawImage(image, 0, 0);
        const at = (x, y) => [...pen.getImageData(x, y, 1, 1).data].map(one => one >> 5);
        const [w, h] = [canvas.width, canvas.height];
        return [w, h, at(3, 3), at(w - 4, h - 4)];
    }"""
    camera_pixels, clean_pixels = (
        page.evaluate(look, f"data:image/{kind};base64,{base64.b64encode(image).decode()}")
        for image in (camera, clean)
    )
    context.close()
    assert camera_pixels == clean_pixels
    if kind == "jpeg":
        assert camera_pixels[:2] == [20, 40]  # turned, as its EXIF says
