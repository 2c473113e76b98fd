"""Emblems and covers, and the home page that shows them."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from chronicle.core.emblems import MOTIFS
from chronicle.publish import make_site
from chronicle.site.covers import draw_cover
from chronicle.site.emblems import MAX_TICKS, OUTLINES, Emblem, draw_emblem, initials
from chronicle.site.library import COVERS_IN_ROW
from chronicle.site.motifs import DRAWINGS
from tests.site.project import build, make_project

HOSTILE = '"><script>alert(1)</script>'


def test_every_motif_is_drawn() -> None:
    assert set(DRAWINGS) == set(MOTIFS)
    for motif in DRAWINGS:
        ET.fromstring(draw_emblem(Emblem("x", motif), has_fine_lines=True))


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Agathe Vane", "AV"),
        ("the Guest", "G"),
        ("Dr. Irena Lasko", "DL"),
        ("Снегурочка", "С"),
        ("the", "T"),
        ("<b>", ""),
        ("", ""),
    ],
)
def test_a_name_without_a_drawing_shows_its_initials(name: str, letters: str) -> None:
    assert initials(name) == letters
    assert f">{letters}</text>" in draw_emblem(Emblem(name))


def test_what_somebody_is_can_be_told_by_the_outline() -> None:
    for shape, outline in OUTLINES.items():
        assert outline in draw_emblem(Emblem("x", "key", shape))
    assert not any(outline in draw_emblem(Emblem("x", "key")) for outline in OUTLINES.values())
    drawn = draw_emblem(
        Emblem("x", "key", is_dark=True, is_gone=True, tick_count=MAX_TICKS + 9), "large"
    )
    assert 'class="ch-emblem large is-dark is-gone"' in drawn
    assert f'pathLength="{MAX_TICKS - 0.5}"' in drawn


def test_nobody_else_has_these_lines() -> None:
    names = [f"Name {n}" for n in range(40)]
    assert len({draw_emblem(Emblem(name, "key"), has_fine_lines=True) for name in names}) > 30
    assert draw_emblem(Emblem("x", "key"), has_fine_lines=True) == draw_emblem(
        Emblem("x", "key"), has_fine_lines=True
    )


def test_hostile_names_stay_words() -> None:
    for drawing in (draw_emblem(Emblem(HOSTILE)), draw_cover(Emblem(HOSTILE)).decode()):
        assert "<script" not in drawing
        ET.fromstring(drawing)


def test_covers_are_pictures_of_their_own() -> None:
    assert draw_cover(Emblem("One", "key")) != draw_cover(Emblem("Two", "key"))
    root = ET.fromstring(draw_cover(Emblem("One", "pear")))
    assert root.get("viewBox") == "0 0 640 354"


@pytest.mark.integration
def test_the_home_page_begins_with_a_story_and_tells_how_far_each_is(
    root: Path, tmp_path: Path
) -> None:
    site = make_site(root / "sessions", project=root, warn=lambda message: None)
    home = str(site.shared_pages.all_stories("index"))
    begin, _, shelf = home.partition('class="ch-shelf"')
    assert "Begin here · Universalis" in begin
    assert "sessions, finished" in begin
    emblems = {
        campaign_site.view.title: campaign_site.record.is_over for campaign_site in site.campaigns
    }
    assert emblems.pop("The Lantern Coast")
    assert shelf.count("ch-ending--over") == sum(emblems.values())
    assert ">going on<" in shelf
    covers, _, spines = shelf.partition("ch-spines")
    assert "The Ferry House" in spines
    # The last row of covers is full, and every story says what it is.
    assert covers.count('class="ch-cover"') % COVERS_IN_ROW == 0
    assert shelf.count("ch-cover__blurb") == shelf.count("<li ")
    assert "Three people whom nobody employs any more" in covers
    files = {file.path for file in site.campaign_files}
    for campaign_site in site.campaigns:
        assert campaign_site.path_on_site(campaign_site.cover_and_alt[0]) in files


def test_a_project_may_say_what_to_begin_with(root: Path, tmp_path: Path) -> None:
    folders = [root / "sessions" / name for name in ("the-boathouse", "the-ferry-house")]
    site, messages = build(make_project(tmp_path, *folders, begin="the-ferry-house"))
    home = (site / "index.html").read_text(encoding="utf-8")
    assert messages == []
    assert "The Ferry House" in home.partition('class="ch-shelf"')[0].partition("ch-begin")[2]
