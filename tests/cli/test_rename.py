"""``chronicle rename`` as a person meets it, and where the old name leads afterwards."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load, run
from chronicle.core import edits
from chronicle.core.files import write_new
from tests.cli.test_cli import Chronicle, Run
from tests.cli.test_cli import chronicle as chronicle
from tests.conftest import ROOT
from tests.heads import without_keepers_words
from tests.site.links import broken
from tests.site.project import build, make_project


@pytest.fixture
def coast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A play example that may be changed, entered."""
    folder = tmp_path / "the-lantern-coast"
    shutil.copytree(ROOT / "sessions" / "the-lantern-coast", folder)
    for file in folder.glob("[0-9]*.yaml"):
        file.write_text(without_keepers_words(file.read_text("utf-8")), "utf-8", newline="")
    monkeypatch.chdir(folder)
    return folder


def texts(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_renamed_thing_is_found_by_both_names(coast: Path, chronicle: Chronicle) -> None:
    completed = chronicle("rename", "nim", "Nicodemus Vey")
    assert completed.code == 0, completed.err
    assert "Nim is Nicodemus Vey now" in completed.out
    assert "What was told still says Nim" in completed.out
    assert chronicle("check").out == ""
    assert "Nim: Nicodemus Vey" in (coast / "campaign.yaml").read_text(encoding="utf-8")
    for name in ("Nim", "nicodemus", "Vey"):
        shown = chronicle("show", name)
        assert shown.out.startswith("Nicodemus Vey")
        assert "formerly Nim" in shown.out
    assert "character: Nicodemus Vey, formerly 'Nim'" in chronicle("find", "Nim").out


def test_another_keeper_may_go_on_with_the_old_name(coast: Path, chronicle: Chronicle) -> None:
    chronicle("rename", "Nim", "Nicodemus Vey")
    (coast / "04.yaml").write_text("session: 4\nlog:\n- aside: |\n    Wen: So.\n", encoding="utf-8")
    log = (coast / "03.yaml").read_text(encoding="utf-8")
    assert "Nicodemus Vey" in log
    (coast / "03.yaml").write_text(log.replace("Nicodemus Vey", "Nim"), encoding="utf-8")
    assert chronicle("check").out == ""


def test_looking_first_changes_nothing(coast: Path, chronicle: Chronicle) -> None:
    texts_before = texts(coast)
    completed = chronicle("rename", "Nim", "Nicodemus Vey", "--diff")
    assert completed.code == 0
    assert "+  Nim: Nicodemus Vey" in completed.out
    assert "wrote" not in completed.out
    assert texts(coast) == texts_before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["Nobody", "X"], "nothing is called 'Nobody'"),
        (["Nim", "nim"], "has that name already"),
        (["Nim", " "], "a name is some words on one line"),
        (["Nim", "Corin Pask"], "there is a character 'Corin Pask' already"),
        (["Nim", "Somebody", "--into"], "nothing is called 'Somebody' yet"),
        (["Nim", "apprentice", "--into"], "are the same already"),
        (["Aud Hallam", "Corin Pask", "--into"], "would stand here twice"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(
    arguments: list[str], told: str, coast: Path, chronicle: Chronicle
) -> None:
    texts_before = texts(coast)
    completed = chronicle("rename", *arguments)
    assert (completed.code, completed.out) == (2, "")
    assert told in completed.err
    assert texts(coast) == texts_before


def test_a_broken_file_stops_it_all(coast: Path, chronicle: Chronicle) -> None:
    log = coast / "02.yaml"
    log.write_text(log.read_text(encoding="utf-8") + '- event: "open\n', encoding="utf-8")
    texts_before = texts(coast)
    completed = chronicle("rename", "Nim", "Nicodemus Vey")
    assert completed.code == 2
    assert "nothing was changed" in completed.err
    assert texts(coast) == texts_before


def test_a_full_disk_leaves_every_file_as_it_was(
    coast: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts_before = texts(coast)

    def full(file: Path, *arguments: Any) -> None:
        if file.name == "2.new":
            raise OSError(28, "No space left on device", str(file))
        write_new(file, *arguments)

    monkeypatch.setattr(edits, "write_new", full)
    completed = chronicle("rename", "Nim", "Nicodemus Vey")
    assert completed.code == 2
    assert "No space left" in completed.err
    assert texts(coast) == texts_before


def test_an_old_name_leads_to_one_thing_only(coast: Path, chronicle: Chronicle) -> None:
    settings = coast / "campaign.yaml"
    with settings.open("a", encoding="utf-8") as file:
        file.write("renamed: {Nim: Aud Hallam}\n")
    completed = chronicle("rename", "Nim", "Nicodemus Vey")
    assert completed.code == 2
    assert "was given up before, for 'Aud Hallam'" in completed.err


# -- two that turn out to be one -------------------------------------------------------------------


def merged(chronicle: Chronicle, *options: str) -> Run:
    return chronicle("rename", "the cousins", "the Guest", "--into", *options)


def test_two_that_do_not_fit_are_told_with_their_lines(coast: Path, chronicle: Chronicle) -> None:
    texts_before = texts(coast)
    completed = merged(chronicle)
    assert completed.code == 2
    assert "the Guest has no Trait 'Cousins'" in completed.err
    assert re.search(r"03\.yaml:\d+:\d+: ", completed.err)
    assert texts(coast) == texts_before


def test_two_become_one_and_the_entry_that_made_the_other_is_named(
    coast: Path, chronicle: Chronicle
) -> None:
    completed = merged(chronicle, "--anyway")
    assert completed.code == 0, completed.err
    assert "To be fixed: " in completed.out
    campaign = load(coast)
    assert dict(campaign.renamings) == {"the cousins": "the Guest"}
    log = (coast / "02.yaml").read_text(encoding="utf-8")
    assert "the cousins]" not in log
    codes = [
        diagnostic.code for diagnostic in run(campaign).diagnostics if diagnostic.code == "T57"
    ]
    assert codes == ["T57"]


# -- the site --------------------------------------------------------------------------------------


@pytest.mark.parametrize("folders", [False, True], ids=["files", "folders"])
@pytest.mark.slow
def test_old_addresses_lead_on(
    folders: bool, coast: Path, chronicle: Chronicle, tmp_path: Path
) -> None:
    def page(site: Path, kind: str, name: str) -> Path:
        inside = site / "the-lantern-coast" / kind / name
        return inside / "index.html" if folders else inside.with_suffix(".html")

    old, _ = build(make_project(tmp_path / "old", coast), folders=folders)
    for name, new in (("Nim", "Nicodemus Vey"), ("Wen", "Wendy"), ("sounding pole", "Шест")):
        assert chronicle("rename", name, new).code == 0
    site, messages = build(make_project(tmp_path / "new", coast), folders=folders)
    assert messages == []
    assert list(broken(site)) == []
    moved = {"characters/nim": "nicodemus-vey", "players/wen": "wendy", "props/sounding-pole": "n"}
    for address, target in moved.items():
        kind, name = address.split("/")
        assert page(old, kind, name).is_file(), address
        html = page(site, kind, name).read_text(encoding="utf-8")
        match = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', html)
        assert match is not None
        assert 'name="robots" content="noindex"' in html
        assert "<script" not in html
        folder = page(site, kind, name).parent
        destination = (folder / match[1]).resolve()
        destination = destination / "index.html" if destination.is_dir() else destination
        assert destination.is_file()
        assert target in destination.as_posix().removeprefix(site.as_posix())
    evenings = [sorted(f for f in s.rglob("*.html") if "sessions" in f.parts) for s in (old, site)]
    assert len(evenings[0]) == 7
    gone: set[str] = set()
    for line_before, line_after in zip(*evenings, strict=True):
        ids = set(re.findall(r'\bid="(s\d-[^"]+)"', line_before.read_text(encoding="utf-8")))
        every = re.findall(r'\bid="([^"]+)"', line_after.read_text(encoding="utf-8"))
        assert ids - set(every) == set()
        gone |= {id_ for id_ in ids if "nim" in id_}
        assert len(every) == len(set(every))
    assert "s2-take-over-nim" in gone
    for kind, name, former in (("characters", "nicodemus-vey", "Nim"), ("players", "wendy", "Wen")):
        assert f"Formerly: {former}" in page(site, kind, name).read_text(encoding="utf-8")
    assert "nim.html" not in (site / "sitemap.xml").read_text(encoding="utf-8")


def copied(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "sessions" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path / name)
    return tmp_path / name


def test_a_name_that_is_computed_is_not_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    folder = copied("snowshed-nine", tmp_path, monkeypatch)
    texts_before = texts(folder)
    completed = chronicle("rename", "Hedda Brunn & Anselm Rott", "The Brunns")
    assert completed.code == 2
    assert "nothing would change" in completed.err
    assert "made from the two names: rename Hedda Brunn or Anselm Rott" in completed.err
    assert texts(folder) == texts_before


@pytest.mark.parametrize(("old", "new"), [("Ana", "Ruth"), ("Ruth", "Ana")])
def test_a_player_and_a_character_are_never_one(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    copied("the-boathouse", tmp_path, monkeypatch)
    completed = chronicle("rename", old, new, "--into")
    assert completed.code == 2
    assert "; they cannot be one" in completed.err
    assert "Ana is a player" in completed.err or "Ana a player" in completed.err


def test_two_of_one_name_are_told_apart_by_their_ids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    copied("the-valley-twice", tmp_path, monkeypatch)
    completed = chronicle("show", "bell tower")
    assert completed.code == 2
    assert "'bell tower' (place, id c17)" in completed.err
    assert "write the id" in completed.err
    assert "c11: in the story, on 'drowned' and 'answered' only" in completed.err
    assert "forty-one steps and no weed" in chronicle("show", "c17").out
    assert "and no weed" not in chronicle("show", "c11").out
    assert "(place, id c11)" in chronicle("rename", "bell tower", "old tower").err
    completed = chronicle("rename", "c17", "old tower", "--diff")
    assert completed.code == 0
    assert "'bell tower' (place, id c11) has that name too" in completed.err
