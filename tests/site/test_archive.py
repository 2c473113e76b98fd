"""Many campaigns under one front door: byte for byte the site that is built in one go."""

from __future__ import annotations

import json
import os
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.campaigns import load as load_campaign
from chronicle.cli import main
from chronicle.site.shards import read_script
from tests.conftest import ROOT
from tests.site.lent import lent
from tests.site.project import make_project
from tests.site.test_progress import Terminal

pytestmark = pytest.mark.integration

DESK = re.compile(r"^desk/|/desk\.json$|/campaigns/[^/]+\.json$")
BROKEN = "game: chess\nplayers: [Ana]\n"


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def stamps(folder: Path) -> dict[str, int]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.stat().st_mtime_ns for file in files}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    small = sorted(find_campaigns(ROOT / "sessions"), key=lambda folder: len([*folder.rglob("*")]))[
        :3
    ]
    root = make_project(tmp_path_factory.mktemp("club") / "p", *small)
    broken = root / "sessions" / "broken"
    broken.mkdir()
    (broken / "campaign.yaml").write_text(BROKEN, "utf-8")
    # Where a site has an address, it has feeds, and pages say so.
    with (root / "mkdocs.yml").open("a", encoding="utf-8") as settings:
        settings.write("site_url: https://club.example/\n")
    return root


@pytest.fixture(scope="module")
def built(project: Path) -> Path:
    """The archive, built by two processes."""
    out = project / "each"
    # One campaign cannot be shown, and stops nobody.
    assert main(["build", str(project), "--each", "--jobs", "2", "--out", str(out)]) == 1
    return out


@pytest.mark.slow
def test_an_archive_is_the_site_that_is_built_in_one_go(project: Path, built: Path) -> None:
    whole_site = project / "whole"
    assert main(["build", str(project), "--out", str(whole_site)]) == 0
    built_files, whole_files = contents(built), contents(whole_site)
    for files in (built_files, whole_files):
        for name in [name for name in files if name.endswith((".chronicle-output", ".gz"))]:
            del files[name]
        # Where there is a desk, it lies elsewhere in an archive: that has a test of its own.
        for name in [name for name in files if DESK.search(name)]:
            del files[name]
        # An archive is not read through once more for its letters: it has all fonts.
        for name in [name for name in files if name.endswith((".woff2", "/fonts.css"))]:
            del files[name]
    # Each campaign has a sitemap of its own, to which that of the site leads.
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
    places = [
        {place.text for name in files if name.endswith("sitemap.xml")
         for place in ET.fromstring(files[name]).iter(space)}
        for files in (built_files, whole_files)
    ]  # fmt: skip
    maps = {f"https://club.example/{name}" for name in built_files if name.endswith("/sitemap.xml")}
    front = {place for place in places[0] if place and "/archive/" in place}
    assert places[0] - maps - front == places[1]
    assert len(maps & places[0]) == 5
    for files in (built_files, whole_files):
        for name in [name for name in files if name.endswith("sitemap.xml")]:
            del files[name]
    notes = [name for name in built_files if name.endswith(("/card.json", "/figures.json"))]
    assert len(notes) == 8
    lists = [name for name in built_files if name.startswith("archive/")]
    for name in [*notes, *lists, "assets/chronicle/archive.js"]:
        del built_files[name]
    # The home page leads on to the lists, and is else the same.
    more_link = re.compile(rb'<p class="ch-shelf__more">.*?</p>')
    built_files["index.html"], added = more_link.subn(b"", built_files["index.html"])
    assert added == 1
    built_files["404.html"] = built_files["404.html"].replace(b'"archive", ', b"")
    indexes = [read_script(files.pop("find.js")) for files in (built_files, whole_files)]
    assert [index.pop("archive") for index in indexes] == ["archive/index.html", ""]
    assert indexes[0] == indexes[1]
    assert built_files.keys() == whole_files.keys()
    assert [name for name in built_files if built_files[name] != whole_files[name]] == []


@pytest.mark.slow
def test_it_is_the_same_in_one_process_and_in_shares_wherever_they_are_made(
    project: Path, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--each", "--jobs", "1", "--out")
    assert main(["build", str(project), *words, str(project / "alone")]) == 1
    assert contents(project / "alone") == contents(built)

    def copied(to: Path) -> Path:
        shutil.copytree(project / "docs", to / "docs")
        shutil.copytree(project / "sessions", to / "sessions")
        shutil.copy(project / "mkdocs.yml", to)
        return to

    last = copied(tmp_path / "last")
    for share in ("1/2", "2/2"):
        home = copied(tmp_path / share / "somewhere")
        # One stands in the project, another elsewhere.
        monkeypatch.chdir(home if share == "1/2" else tmp_path)
        main(
            [
                "build",
                os.path.relpath(home),
                *words,
                os.path.relpath(home / "each"),
                "--shard",
                share,
            ]
        )
        for name in ("each", ".chronicle-cache"):
            shutil.copytree(home / name, last / name, dirs_exist_ok=True)
    # What is broken is told of, but not tried again.
    monkeypatch.setattr("chronicle.archive.Archive.build_anew", None)
    assert main(["build", str(last), *words, str(last / "each")]) == 1
    assert contents(last / "each") == contents(built)


def test_it_is_said_how_many_campaigns_are_built_and_nothing_else(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = Terminal()
    monkeypatch.setattr("sys.stderr", looked_at)
    for name in ("SILENT_SECONDS", "SECONDS_BETWEEN_UPDATES"):
        monkeypatch.setattr(f"chronicle.site.progress.{name}", 0)
    main(["build", str(project), "--each", "--jobs", "1", "--out", str(tmp_path / "told")])
    count = len(find_campaigns(project / "sessions"))
    # What is warned of stands above.
    shown = (line.rpartition("\n")[2] for line in looked_at.getvalue().split("\r"))
    progress_lines = [line.strip().partition(",")[0] for line in shown]
    expected = [f"{n} of {count} campaigns built" for n in range(1, count + 1)]
    assert progress_lines[:count] == expected


@pytest.mark.slow
def test_only_what_changed_is_built_again(
    project: Path, built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = project / "sessions"
    folders = [campaign for campaign in find_campaigns(home) if campaign.name != "broken"]
    build = ["build", str(project), "--each", "--jobs", "1", "--out", str(built)]
    stamps_before = stamps(built)
    first = min(folders[0].glob("[0-9]*.yaml"))
    text = first.read_text("utf-8")
    first.write_text(text + "- tell: A lamp is lit in the gate house\n", "utf-8")
    assert main(build) == 1
    assert "chess" in capsys.readouterr().err
    changed = {
        name.partition("/")[0]
        for name, at in stamps(built).items()
        if stamps_before.get(name) != at
    }
    assert folders[0].name in changed
    # What cannot be shown is told of again, and is as it was.
    assert not changed & {"broken", *(folder.name for folder in folders[1:])}
    page = next((built / folders[0].name / "sessions").glob("*.html"))
    assert "gate house" in "".join(path.read_text("utf-8") for path in page.parent.glob("*.html"))
    # Something is taken away by hand, and another campaign by its keeper.
    (built / folders[1].name / "index.html").unlink()
    shutil.rmtree(folders[2])
    shutil.rmtree(home / "broken")
    assert main(build) == 0
    assert (built / folders[1].name / "index.html").is_file()
    assert not (built / folders[2].name).exists()
    assert not (built / "broken").exists()
    front = (built / "index.html").read_text("utf-8")
    assert f"{folders[1].name}/index.html" in front
    assert f"{folders[2].name}/index.html" not in front


@pytest.mark.usefixtures("forked")
@pytest.mark.slow
def test_one_that_takes_too_long_gets_its_page_and_stops_nobody(
    project: Path,
    built: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = project / "sessions"
    first = next(campaign for campaign in find_campaigns(home) if campaign.name != "broken")
    slow = shutil.copytree(first, home / "endless")

    def loading(folder: Path, **kwargs: Any) -> Any:
        while folder.name == "endless":
            pass
        return load_campaign(folder, **kwargs)

    monkeypatch.setattr("chronicle.publish.load", loading)
    stamps_before = stamps(built / first.name)
    words = ["build", str(project), "--each", "--out", str(built), "--patience", "2"]
    for jobs in ("1", "2"):
        assert main([*words, "--jobs", jobs]) == 1
        assert "error: endless: 2 s of the processor were not enough" in capsys.readouterr().err
        page = (built / "endless" / "index.html").read_text("utf-8")
        assert "could not be finished" in page
        assert "assets/chronicle/chronicle.css" in page
        assert 'href="endless/index.html"' in (built / "index.html").read_text("utf-8")
    assert stamps(built / first.name) == stamps_before
    monkeypatch.undo()
    shutil.rmtree(slow)
    # What is built next in this process knows nothing of it.
    whole_site = tmp_path / "whole"
    assert main(["build", str(project), "--out", str(whole_site)]) == 0
    page = (whole_site / first.name / "index.html").read_text("utf-8")
    assert "could not be finished" not in page


@pytest.mark.slow
def test_a_log_among_the_pages_is_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = sorted(find_campaigns(ROOT / "sessions"), key=lambda folder: len([*folder.rglob("*")]))
    project = make_project(tmp_path / "p", *small[:2])
    shutil.copytree(small[0], project / "docs" / small[0].name)
    out = tmp_path / "each"
    assert main(["build", str(project), "--each", "--jobs", "1", "--out", str(out)]) == 0
    assert capsys.readouterr().err.count(f"docs/{small[0].name} is a campaign") == 1
    assert (out / small[0].name / "index.html").is_file()
    assert not (out / small[0].name / "campaign.yaml").exists()


def test_nothing_that_is_not_ours_is_touched(project: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    assert main(["build", str(project), "--each", "--out", str(tmp_path)]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert main(["build", str(project), "--each", "--out", str(project / "sessions")]) == 2


def test_what_readers_may_take_holds_no_hash_of_what_is_hidden(built: Path) -> None:
    for card in built.glob("*/card.json"):
        assert set(json.loads(card.read_text("utf-8"))) == {"name", "card"}


@pytest.mark.parametrize("option", ["--jobs", "--patience"])
def test_jobs_are_for_many(project: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert main(["build", str(project), option, "2"]) == 2
    assert "--each" in capsys.readouterr().err


def test_the_desk_of_an_archive_hands_over_every_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where none of them was built this time."""
    lent(tmp_path / "lent", monkeypatch, ours=True)
    small = sorted(find_campaigns(ROOT / "sessions"), key=lambda folder: len([*folder.rglob("*")]))[
        :2
    ]
    root = make_project(tmp_path / "p", *small)
    for _ in range(2):
        assert main(["build", str(root), "--each", "--jobs", "1"]) == 0
        desk = root / "site" / "desk"
        parts = json.loads((desk / "parts.json").read_text("utf-8"))
        assert {campaign["id"] for campaign in parts["campaigns"]} == {
            f"@{campaign.name}" for campaign in small
        }
        for campaign in parts["campaigns"]:
            handed = json.loads((desk / campaign["file"]).read_text("utf-8"))
            begun = json.loads((desk / campaign["first"]).read_text("utf-8"))
            assert (
                "campaign.yaml" in handed["files"] and begun["open"]["title"] == campaign["title"]
            )
            for at in handed["pictures"].values():
                assert (desk / at).resolve().is_file()
            # Its pages lead there, and what all share does not stand among them.
            page = (root / "site" / campaign["folder"] / "index.html").read_text("utf-8")
            assert 'data-desk="../desk/index.html"' in page
            assert not (root / "site" / campaign["folder"] / "desk").exists()
