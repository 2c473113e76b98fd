"""What a page says of itself away from the site: its head, the picture that goes with links to it, the feed,
the sitemap, and what stands where nothing is."""

import re
import xml.etree.ElementTree as ET
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from chronicle.site.share import HEIGHT, WIDTH, SharePicture, draw_share
from tests.conftest import SOAK
from tests.site.project import build, make_project

ATOM = "{http://www.w3.org/2005/Atom}"
URL = "https://stories.example.org/table/"
NAMES = ("the-boathouse", "snowshed-nine")


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = make_project(
        tmp_path_factory.mktemp("p"), *(root / "sessions" / n for n in NAMES), reference=False
    )
    site_folder, messages = build(project, site_url=URL)
    assert messages == []
    return site_folder


def opened(data: bytes) -> Any:
    """A picture; what reads it is no part of an installation with the lowest versions."""
    from PIL import Image

    return Image.open(BytesIO(data))


def head(site: Path, page: str) -> dict[str, str]:
    text = (site / page).read_text("utf-8").partition("</head>")[0]
    meta_tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', text)
    return {name: unescape(content) for name, content in meta_tags}


def test_every_page_says_what_is_on_it(site: Path) -> None:
    descriptions: dict[str, list[str]] = {}
    for file in sorted((site / NAMES[0]).rglob("*.html")):
        text = file.read_text("utf-8")
        if "og:title" not in text:
            continue  # a page that leads on, or one that is a document of its own
        meta = head(site, file.relative_to(site).as_posix())
        assert meta["og:description"] == meta["description"]
        assert len(meta["description"]) <= 200
        assert meta["og:image"] == f"{URL}{NAMES[0]}/share.png"
        assert meta["og:url"].startswith(URL)
        descriptions.setdefault(meta["description"], []).append(file.name)
    assert len(descriptions) > 20
    assert [names for names in descriptions.values() if len(names) > 1] == []


def test_a_quote_in_a_description_stays_one(root: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", root / "sessions" / NAMES[0], reference=False)
    settings = project / "sessions" / NAMES[0] / "campaign.yaml"
    lines = settings.read_text("utf-8").splitlines()
    lines = [line for line in lines if not line.startswith(("summary:", "  "))]
    hostile_summary = "summary: '\"><script>alert(1)</script> & *so* {{ 7*7 }}'"
    settings.write_text("\n".join([*lines, hostile_summary, ""]), "utf-8")
    site_folder, _ = build(project, site_url=URL)
    text = (site_folder / NAMES[0] / "index.html").read_text("utf-8")
    assert "<script>alert" not in text.partition("</head>")[0]
    assert head(site_folder, f"{NAMES[0]}/index.html")["description"].endswith("& so {{ 7*7 }}")


def test_the_picture_of_a_story_is_as_large_as_the_services_ask_for(site: Path) -> None:
    for name in NAMES:
        data = (site / name / "share.png").read_bytes()
        assert len(data) < 120_000
        with opened(data) as picture:
            assert picture.size == (WIDTH, HEIGHT)
            assert len(picture.convert("RGB").getcolors(1 << 16) or ()) > 20


@pytest.mark.soak
def test_a_picture_is_drawn_of_any_title() -> None:
    plain = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>'
    )
    titles = ("", "x", "W" * 300, "Ένα σπίτι", "Дом у реки", "家", "\u202eabc", "long words " * 40)
    for title in titles[:: 1 if SOAK else 3]:
        share = SharePicture("kicker", title, title * 3, "1 chapter", "by", plain, plain.encode())
        with opened(draw_share(share)) as picture:
            assert picture.size == (WIDTH, HEIGHT)


def test_the_feed_has_every_evening_whose_day_is_known_the_last_first(site: Path) -> None:
    for file, count in (("feed.xml", 5), (f"{NAMES[1]}/feed.xml", 3)):
        feed = ET.parse(site / file).getroot()
        entries = feed.findall(f"{ATOM}entry")
        days = [entry.findtext(f"{ATOM}updated", "") for entry in entries]
        assert len(entries) == count
        assert days == sorted(days, reverse=True)
        assert feed.findtext(f"{ATOM}updated") == days[0]
        assert "/./" not in feed.findtext(f"{ATOM}id", "")
        for entry in entries:
            url = entry.findtext(f"{ATOM}id", "")
            assert (site / url.removeprefix(URL)).is_file()
    page = (site / NAMES[1] / "sessions" / "1.html").read_text("utf-8")
    assert page.count('type="application/atom+xml"') == 2
    # The theme takes this for a page in another language, and asks for the sitemap beside it.
    assert 'rel="alternate"' not in page


def test_the_sitemap_names_pages_and_nothing_else(site: Path) -> None:
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    addresses = [
        location.text or ""
        for location in ET.parse(site / "sitemap.xml").getroot().iter(f"{space}loc")
    ]
    assert len(addresses) == len(set(addresses)) > 50
    for url in addresses:
        file = site / url.removeprefix(URL)
        assert file.is_file(), url
        assert 'http-equiv="refresh"' not in file.read_text("utf-8")[:600]


def test_without_an_address_there_is_neither_feed_nor_picture(root: Path, tmp_path: Path) -> None:
    site_folder, messages = build(
        make_project(tmp_path / "p", root / "sessions" / NAMES[0], reference=False)
    )
    assert messages == []
    assert not (site_folder / "feed.xml").exists()
    assert not list(site_folder.rglob("share.png"))
    meta = head(site_folder, f"{NAMES[0]}/index.html")
    assert "og:image" not in meta
    assert meta["twitter:card"] == "summary"
    assert meta["description"]


def test_what_is_found_nowhere_leads_to_where_the_site_lies(site: Path) -> None:
    lost = (site / "404.html").read_text("utf-8")
    assert 'var root = "/table/"' in lost
    assert re.findall(r'href="(/[^"]+index\.html)"', lost)[0] == "/table/index.html"
