"""The desk on a site: its files, what it hands over, and what is said where it cannot be."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronicle.adapters.desk import SiteDesk
from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.record import Record
from chronicle.games import GAMES
from chronicle.publish import Site, make_site
from chronicle.services.device import FirstAnswers
from chronicle.site import device
from tests.golden import ROOT
from tests.site.lent import PACKAGE, lent
from tests.site.project import build, make_project
from tests.test_workspace import EXAMPLES, copied, edited

BOATHOUSE = ROOT / "sessions" / "the-boathouse"


@pytest.fixture(scope="module")
def site() -> Site:
    """Every play example, as it is published."""
    return make_site(ROOT / "sessions", project=ROOT, warn=lambda message: None)


def first(called: str, desk_campaign: device.DeskCampaign) -> bytes:
    """What is answered first about a campaign."""
    return FirstAnswers().of(desk_campaign.id, desk_campaign.contents_by_name)


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_who_is_asked_again_answers_as_one_who_never_was(folder: Path, tmp_path: Path) -> None:
    random = Random(f"asked {folder.name}")
    texts, answers = copied(folder, tmp_path), FirstAnswers()
    for _ in range(4):
        files = {name: text.encode() for name, text in texts.items()}
        assert answers.of("@it", files) == FirstAnswers().of("@it", files)
        name, text = edited(texts, random)
        texts[name] = text


def problems_by_entry(record: Record) -> Counter[tuple[str, int]]:
    """What is found, by rule and by the number of the entry among those that may be seen."""
    visible_numbers, number = {0: 0}, 0
    for step in record.steps:
        number += step.parent is None and not step.hidden
        visible_numbers[step.number] = number
    return Counter(
        (diagnostic.full_code, visible_numbers[diagnostic.step_number])
        for diagnostic in record.diagnostics
        if diagnostic.severity
        and diagnostic.cause is None
        and not (diagnostic.step_number and record.step(diagnostic.step_number).hidden)
    )


@pytest.mark.integration
@pytest.mark.slow
def test_what_is_handed_over_checks_as_the_log_does(site: Site, tmp_path: Path) -> None:
    folders = find_campaigns(ROOT / "sessions")
    handed = {desk_campaign.folder: desk_campaign for desk_campaign in site.desk_campaigns()}
    assert len(handed) == len(folders)
    pictures = 0
    for folder in folders:
        desk_campaign, home = handed[folder.name], tmp_path / folder.name
        pictures += len(desk_campaign.pictures)
        for name in desk_campaign.pictures:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_bytes((folder / name).read_bytes())
        for name, text in desk_campaign.files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, encoding="utf-8", newline="\n")
        original, copied_record = run(load(folder)), run(load(home))
        assert problems_by_entry(copied_record) == problems_by_entry(original), folder.name
        assert desk_campaign.entries == sum(step.parent is None for step in copied_record.steps)
        shown = [step.anchor for step in original.steps if not step.hidden]
        assert [step.anchor for step in copied_record.steps] == shown, folder.name
    assert pictures


def desk_of(folder: Path, **settings: Any) -> tuple[Path, list[str]]:
    """A site with one campaign, and what was said while it was built."""
    chosen = {"chronicle": settings} if settings else "chronicle"
    return build(make_project(folder, BOATHOUSE), plugins=["search", chosen])


def test_a_site_has_a_desk_where_python_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lent(tmp_path / "lent", monkeypatch, ours=True)
    site, messages = desk_of(tmp_path / "project")
    assert not messages
    desk = site / "desk"
    parts = json.loads((desk / "parts.json").read_text(encoding="utf-8"))
    for name in (
        *parts["page"],
        *parts["engine"],
        parts["files"]["pack"],
        parts["files"]["memory"],
    ):
        assert (desk / name).exists(), name
    (desk_campaign,) = parts["campaigns"]
    assert (desk_campaign["id"], desk_campaign["title"]) == ("@the-boathouse", "The Boathouse")
    handed = json.loads((desk / desk_campaign["file"]).read_text(encoding="utf-8"))
    first_answers = json.loads((desk / desk_campaign["first"]).read_text(encoding="utf-8"))
    assert first_answers["findings"]["counts"] == {"error": 0, "warning": 0, "note": 0}
    assert first_answers["open"]["title"] == desk_campaign["title"]
    assert (
        first_answers["log"]["entries"][-1]["step"]
        == first_answers["log"]["total"]
        == first_answers["table"]["step"]
    )
    assert first_answers["since"] == first_answers["log"]["entries"][0]["step"] > 1
    assert {"campaign.yaml", "01.yaml"} <= {*handed["files"]}
    for at in handed["pictures"].values():
        assert (desk / at).resolve().is_file()
    assert parts["build"] in (desk / "sw.js").read_text(encoding="utf-8")


def test_the_page_of_a_site_lets_nothing_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent(tmp_path / "lent", monkeypatch, ours=True)
    page = dict(device.desk_files(device.DeskPackage(), [], first))["desk/index.html"]
    assert isinstance(page, bytes)
    text = page.decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src 'none'" in policy[1] and "connect-src 'self'" in policy[1]
    assert "unsafe-inline" not in policy[1] and "'unsafe-eval'" not in policy[1]
    assert text.index("Content-Security-Policy") < text.index("<script")
    # One script stands in the page, and the policy names what it is: a page from a disk says at once that it is one.
    (script,) = re.findall(r"<script>(.*?)</script>", text)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy[1]
    assert script.startswith('if(location.protocol==="file:")')
    without_script = text.replace(f"<script>{script}</script>", "")
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|https?:", without_script)
    assert 'data-worker="worker.js"' in text
    assert "{build}" not in text and "{nonce}" not in text


def test_other_sources_are_packed_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lent(tmp_path / "lent", monkeypatch)
    data = device.DeskPackage()
    assert not data.is_current
    files = dict(data.package_files())
    description = data.description_for_page()
    assert description["files"]["memory"] == ""
    packed = files[description["files"]["pack"]]
    assert isinstance(packed, bytes)
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(packed))) as pack:
        names = {*pack.namelist()}
        assert pack.read("chronicle/workspace.py") == (ROOT / "chronicle/workspace.py").read_bytes()
    assert "yaml/__init__.pyc" in names and "chronicle/__init__.pyc" not in names
    assert not any(name.startswith(("chronicle/site", "chronicle/cli")) for name in names)


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, 'pip install --upgrade "chronicle-tabletop[desk]"'),
        ({"dir_info": {}, "url": ROOT.as_uri()}, f'make -C "{ROOT}" device'),
    ],
)
def test_a_desk_that_opens_slowly_says_what_makes_it_fast(
    origin: dict[str, Any] | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent(tmp_path / "lent", monkeypatch)
    for module in ("chronicle.adapters.desk", "chronicle.core.installation"):
        monkeypatch.setattr(f"{module}.installed_from", lambda: origin)
    messages: list[str] = []
    desk = SiteDesk("sessions", messages.append, messages.append)
    assert [*desk.files((), (), None, keep=False)]
    (line,) = messages
    assert line.startswith("the desk opens slowly") and line.endswith(command)


@pytest.mark.integration
def test_every_game_starts_out_of_the_pack_alone(tmp_path: Path) -> None:
    """Whatever the program opens at run time, in any game, is in the pack."""
    pack = tmp_path / "chronicle.zip"
    pack.write_bytes(device.zip_files(device.source_files()))
    script = ROOT / "tests" / "site" / "browser_pack.py"
    arguments = [str(script), str(pack), str(tmp_path / "campaigns"), str(ROOT / "chronicle")]
    used = subprocess.run(
        [sys.executable, *arguments], cwd=tmp_path, capture_output=True, encoding="utf-8"
    )
    assert used.returncode == 0, used.stderr
    assert used.stdout == f"{len(GAMES)}\n"


def test_all_of_a_room_is_packed_but_compiled_modules() -> None:
    packed = device.source_files()
    for room in device.BROWSER_PACKAGES:
        for file in (ROOT / "chronicle" / room).rglob("*"):
            if file.is_file():
                path = file.relative_to(ROOT).as_posix()
                assert (path in packed) is ("__pycache__" not in path), path
    assert not any("__pycache__" in path for path in packed)


@pytest.mark.integration
def test_another_build_is_called_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lent(tmp_path / "lent", monkeypatch)
    shelf = list(make_site(BOATHOUSE, warn=lambda message: None).desk_campaigns())

    def named(campaigns: list[device.DeskCampaign]) -> str:
        parts = dict(device.desk_files(device.DeskPackage(), campaigns, first))["desk/parts.json"]
        assert isinstance(parts, bytes)
        return str(json.loads(parts)["build"])

    assert named(shelf) == named(shelf)
    assert named([]) != named(shelf)
    assert named([shelf[0]._replace(files={**shelf[0].files, "01.yaml": "x"})]) != named(shelf)


def test_without_it_one_line_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    site, messages = desk_of(tmp_path / "project")
    assert not (site / "desk").exists()
    assert not messages
    site, messages = desk_of(tmp_path / "wanted", desk=True)
    assert not (site / "desk").exists()
    assert (
        [line for line in messages if "this site has no desk; to have one:" in line]
        == messages
        != []
    )


def test_nobody_has_to_have_a_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lent(tmp_path / "lent", monkeypatch)
    site, messages = desk_of(tmp_path / "project", desk=False)
    assert not (site / "desk").exists()
    assert not messages
