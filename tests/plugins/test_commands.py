"""A game of an installed package works in every command, on the site and at its desk."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient

from chronicle import __version__, games
from chronicle.game_files import browser_files
from chronicle.site import device
from chronicle.testkit import CHECKS
from tests.conftest import ROOT
from tests.door.test_lsp import File
from tests.plugins.installing import LANTERNS, chronicle, install, write_metadata
from tests.services.conftest import AtDesk
from tests.site.lent import lent
from tests.site.project import build, make_project

pytestmark = pytest.mark.integration

LOG = "sessions/night/01.yaml"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for ``sys.path`` in which Lanterns is installed."""
    folder = tmp_path_factory.mktemp("site-packages")
    install(LANTERNS, folder)
    return folder


@pytest.fixture(scope="module")
def project(target: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a campaign of Lanterns, as ``chronicle new`` makes it."""
    folder = tmp_path_factory.mktemp("projects")
    chronicle(target, "new", "night", "--game", "lanterns", cwd=folder)
    return folder / "night"


@pytest.fixture
def here(target: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lanterns is installed for this process as well."""
    monkeypatch.syspath_prepend(str(target))
    games.forget_plugins()
    yield
    sys.modules.pop("chronicle_lanterns", None)
    games.forget_plugins()


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (("check",), ""),
        (("check", "--select", "L3"), ""),
        (("rename", "The mill", "The weir", "--diff"), "+- light: The weir"),
        (("explain", "lanterns"), "Players keep lanterns alight"),
        (("explain", "Lanterns"), "Players keep lanterns alight"),
        (("explain", "L3"), "Nobody lights two lanterns one after the other."),
        (("explain", "LA1"), "No lantern burns when the storm comes."),
        (("explain", "storm"), "The storm comes: roll one die."),
        (("explain", f"{LOG}:14"), "The chapel goes out [L4]"),
        (("state",), "5 lanterns burn"),
        (("show", "The mill"), "lantern"),
        (("find", "ford"), "01.yaml:6"),
        (("reference", "lanterns"), "### share"),
        (("reference", "lanterns", "--short"), "**light**"),
        (("schema", "lanterns"), '"$id": "urn:chronicle:schema:1:lanterns:session"'),
        (("fmt", "--check"), ""),
        (("stats",), "light 6"),
        (("corpus",), "Lighting a lantern"),
        (("export", "--format", "json"), '"game": "lanterns"'),
        (("export", "--format", "hledger"), "oil:Ana"),
        (("export", "--format", "beancount"), "OIL"),
        (("export", "--format", "csv"), "night"),
        (("export", "--all", "exports"), ""),
        (("excerpt", f"{LOG}:4-6"), "The ford"),
        (("render", "--out", "rendered"), ""),
        (("game", "check", "lanterns"), f"All {len(CHECKS)} checks passed."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command(words: tuple[str, ...], output: str, target: Path, project: Path) -> None:
    assert output in chronicle(target, *words, cwd=project).stdout


def test_a_new_project_asks_for_the_package_of_the_game(target: Path, project: Path) -> None:
    requirements = (project / "requirements.txt").read_text(encoding="utf-8")
    assert "chronicle-lanterns==1.0\n" in requirements
    assert (project / ".chronicle" / "lanterns.schema.json").is_file()
    assert "lanterns.schema.json" in (project / LOG).read_text(encoding="utf-8")


def test_a_broken_rule_is_reported(target: Path, project: Path, tmp_path: Path) -> None:
    campaign = tmp_path / "night"
    campaign.mkdir()
    text = (project / "sessions/night/campaign.yaml").read_text(encoding="utf-8")
    (campaign / "campaign.yaml").write_text(text, encoding="utf-8")
    log = "session: 1\nlog:\n- light: The ford\n  by: Ana\n- light: The mill\n  by: Ana\n"
    (campaign / "01.yaml").write_text(log, encoding="utf-8")
    output = chronicle(target, "check", "night", cwd=tmp_path, code=1).stdout
    assert "error[L3]: Ana lit the last lantern" in output


def test_a_pin_holds_the_version_of_the_package(
    target: Path, project: Path, tmp_path: Path
) -> None:
    shutil.copytree(project / "sessions" / "night", tmp_path / "night")
    chronicle(target, "pin", "night", cwd=tmp_path)
    pin = json.loads((tmp_path / "night" / "chronicle.pin").read_text(encoding="utf-8"))
    assert pin["chronicle"] == f"{__version__}, chronicle-lanterns 1.0"
    # Another version of the package reads the campaign otherwise, and says so.
    newer = tmp_path / "newer"
    shutil.copytree(target / "chronicle_lanterns", newer / "chronicle_lanterns")
    games = {"lanterns": "chronicle_lanterns:Lanterns"}
    write_metadata(newer, "chronicle-lanterns", "2.0", games)
    file = newer / "chronicle_lanterns" / "__init__.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('f"oil:{player}", 3, OIL', 'f"oil:{player}", 4, OIL'), "utf-8")
    output = chronicle(newer, "check", "--all", "night", cwd=tmp_path, code=1).stdout
    assert f"differently since Chronicle {__version__}, chronicle-lanterns 1.0" in output


def test_a_site(target: Path, project: Path) -> None:
    chronicle(target, "build", "--strict", cwd=project)
    site = project / "site" / "night"
    assert "The mill" in (site / "lanterns" / "the-mill.html").read_text(encoding="utf-8")
    assert "Lanterns" in (project / "site" / "rules" / "lanterns.html").read_text(encoding="utf-8")
    story = (site / "story.html").read_text(encoding="utf-8")
    assert "They sit under the oak" in story
    how_to_read = (site / "glossary.html").read_text(encoding="utf-8")
    assert "−2 measures of oil" in how_to_read and "Coins" not in how_to_read


def test_an_archive(target: Path, project: Path, tmp_path: Path) -> None:
    chronicle(target, "build", "--each", "--jobs", "2", "--out", str(tmp_path / "a"), cwd=project)
    assert (tmp_path / "a" / "night" / "lanterns" / "the-mill.html").is_file()


def test_a_book(target: Path, project: Path, tmp_path: Path) -> None:
    book = tmp_path / "night.epub"
    chronicle(target, "book", "--out", str(book), cwd=project)
    with zipfile.ZipFile(book) as pages:
        texts = [pages.read(name) for name in pages.namelist() if name.endswith(".xhtml")]
    assert any(b"They sit under the oak" in text for text in texts)


@pytest.mark.usefixtures("here")
def test_a_desk(tmp_path: Path) -> None:
    desk = AtDesk(tmp_path)
    description = next(entry for entry in desk.ask("games") if entry["game"] == "lanterns")
    assert description["title"] == "Lanterns"
    created = desk.ask("new", game="lanterns", title="Night", players=["Ana", "Bo"])
    campaign = created["id"]
    assert desk.ask("fit", campaign=campaign, said="light ")
    desk.ask("write", campaign=campaign, entry="- light: The ford\n  by: Ana")
    assert desk.ask("table", campaign=campaign)["step"] == 1
    assert desk.ask("findings", campaign=campaign)["findings"] == []
    guide = desk.ask("lead", game="lanterns")
    assert desk.ask("led", campaign=guide["id"])["step"]["line"]


@pytest.mark.usefixtures("here")
def test_the_desk_of_a_site_takes_the_package_along(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent(tmp_path / "lent", monkeypatch, ours=True)
    site, output = build(make_project(tmp_path / "p", project / "sessions" / "night"))
    assert output == []
    parts = json.loads((site / "desk" / "parts.json").read_text(encoding="utf-8"))
    name = parts["files"]["games"]
    assert name in parts["engine"]
    pack = tmp_path / "chronicle.zip"
    pack.write_bytes(device.zip_files(device.source_files()))
    with zipfile.ZipFile(io.BytesIO(gzip.decompress((site / "desk" / name).read_bytes()))) as files:
        files.extractall(tmp_path / "games")
    # Every game starts out of the two packs alone, and is led through its first evening.
    script = ROOT / "tests" / "site" / "browser_pack.py"
    house = str(ROOT / "chronicle")
    watched_paths = [pack, tmp_path / "campaigns", house, tmp_path / "games"]
    used = subprocess.run(
        [sys.executable, str(script), *map(str, watched_paths)],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert used.returncode == 0, used.stderr
    assert used.stdout == f"{len(games.GAMES) + 1}\n"


@pytest.mark.usefixtures("here")
def test_a_package_that_no_browser_can_run_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "needy.py").write_text("", encoding="utf-8")
    write_metadata(tmp_path, "chronicle-needy", "1.0", {"needy": "needy:Game"})
    metadata = tmp_path / "chronicle_needy-1.0.dist-info" / "METADATA"
    needs = 'Requires-Dist: numpy (>=2)\nRequires-Dist: chronicle_tabletop\nRequires-Dist: pytest; extra == "t"\n'
    metadata.write_bytes(metadata.read_bytes() + needs.encode())
    (tmp_path / "fast").mkdir()
    (tmp_path / "fast" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "fast" / "speed.abi3.so").write_bytes(b"")
    write_metadata(tmp_path, "chronicle-fast", "1.0", {"fast": "fast:Game"})
    write_metadata(tmp_path, "chronicle-gone", "1.0", {"gone": "gone:Game"})
    games.forget_plugins()
    warned: list[str] = []
    files = browser_files(lambda game, message: warned.append(message))
    assert {path.partition("/")[0] for path in files} == {
        "chronicle_lanterns",
        "chronicle_lanterns-1.0.dist-info",
    }
    assert "chronicle_lanterns/first/01.yaml" in files
    fast, gone, needy = sorted(warned)
    assert "'fast' of the package chronicle-fast 1.0: fast/speed.abi3.so is compiled" in fast
    assert "'gone' of the package chronicle-gone 1.0: there is no module 'gone'" in gone
    assert "'needy' of the package chronicle-needy 1.0: it needs numpy" in needy


@pytest.mark.asyncio
async def test_an_editor(target: Path, project: Path) -> None:
    environment = os.environ | {"PYTHONPATH": f"{target}{os.pathsep}{ROOT}"}
    config = ClientServerConfig([sys.executable, "-m", "chronicle", "lsp"], server_env=environment)
    client = await config.start()
    assert isinstance(client, LanguageClient)
    await client.initialize_session(
        lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(),
            workspace_folders=[lsp.WorkspaceFolder(project.as_uri(), "night")],
        )
    )
    try:
        log = File(client, project / LOG)
        wrong = log.text.replace("  by: Bo\n- light: The chapel", "  by: Ana\n- light: The chapel")
        assert (await log.type(wrong))[0].code == "lanterns:L3"
        assert await log.type(f"{log.path.read_text('utf-8')}- \n")
        end = lsp.Position(log.text.count("\n") - 1, 2)
        offered = await client.text_document_completion_async(lsp.CompletionParams(log.id, end))
        assert isinstance(offered, lsp.CompletionList)
        assert {"light", "storm"} <= {item.label for item in offered.items}
        hover = await client.text_document_hover_async(
            lsp.HoverParams(log.id, log.at("light: The mill", 1))
        )
        assert hover is not None
        assert "Light a lantern" in str(hover.contents)
    finally:
        await client.shutdown_session()
        await client.stop()  # type: ignore[no-untyped-call]
