"""A campaign folder is data: nothing outside it is read, written or discovered through it."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.cli import main
from chronicle.syntax.find import find_project, site_settings_around
from tests.site.project import make_project

CANARY = "the-canary-sings"
SETTINGS = "game: positive\ntitle: {}\nplayers: [Ana, Bo, Cy]\n"
LOG = "session: 1\nlog:\n- cast: {{Ana: {}, Bo: Wim, Cy: Rue}}\n"


def campaign(folder: Path, title: str = "Ours", name: str = "Nim") -> Path:
    folder.mkdir(parents=True)
    (folder / "campaign.yaml").write_text(SETTINGS.format(title), encoding="utf-8")
    (folder / "01.yaml").write_text(LOG.format(name), encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with an honest campaign and a stranger's, and a private one somewhere else."""
    campaign(tmp_path / "priv" / "diary", CANARY, CANARY)
    home = make_project(tmp_path / "project", campaign(tmp_path / "ours"))
    campaign(home / "sessions" / "evil", "Evil")
    return home


@pytest.fixture(params=["beside", "below", "above"])
def evil(project: Path, request: pytest.FixtureRequest) -> Path:
    """A stranger's folder with a ``mkdocs.yml``: beside a campaign.yaml, below one, or above one."""
    folder = project / "sessions" / "evil"
    if request.param == "below":
        folder = folder / "art"
    if request.param == "above":
        for file in folder.iterdir():
            (folder / "inner").mkdir(exist_ok=True)
            file.rename(folder / "inner" / file.name)
    folder.mkdir(exist_ok=True)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(project)
    yield project


@pytest.mark.parametrize("sessions", ["../../../priv", "../../../../priv", "..", "/", "PRIV"])
@pytest.mark.parametrize("stand", [".", "sessions", "EVIL"])
def test_a_campaign_chooses_no_folder(
    sessions: str, stand: str, here: Path, evil: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    private = here.parent / "priv"
    sessions = sessions.replace("PRIV", str(private))
    (evil / "mkdocs.yml").write_text(
        f"site_name: Evil\nplugins: [{{chronicle: {{sessions: {json.dumps(sessions)}}}}}]\n"
    )
    files_before = contents(private)
    path = Path(stand.replace("EVIL", str(evil)))
    assert all(
        folder.resolve().is_relative_to(here / "sessions") for folder in find_campaigns(path)
    )
    project = find_project(path)
    assert project is not None and project.folder.resolve() == here
    for words in (["check"], ["ids"], ["state"], ["export", "--format", "csv"]):
        main([*words, str(path)])
    main(["new", str(evil / "deeper"), "--game", "positive"])
    assert contents(private) == files_before
    captured = capsys.readouterr()
    assert CANARY not in captured.out + captured.err


@pytest.mark.integration
def test_a_campaign_runs_no_code_and_brings_no_templates(here: Path, evil: Path) -> None:
    (evil / "hook.py").write_text(f"open({str(here / 'ran')!r}, 'w')\n")
    (evil / "mkdocs.yml").write_text("site_name: Evil\nhooks: [hook.py]\nplugins: [chronicle]\n")
    (evil / "templates" / "pages").mkdir(parents=True)
    (evil / "templates" / "pages" / "overview.html").write_text(CANARY)
    settings = site_settings_around(evil)
    assert settings is not None and settings.resolve() == here / "mkdocs.yml"
    main(["build", str(evil)])
    main(["render", str(evil), "--out", str(here.parent / "plain")])
    assert (here / "site" / "index.html").is_file()
    assert (here.parent / "plain" / "mkdocs.yml").is_file()
    assert not (here / "ran").exists()
    for folder in (here / "site", here.parent / "plain"):
        assert not [name for name, data in contents(folder).items() if CANARY.encode() in data]


def test_settings_that_inherit_name_the_campaigns_all_the_same(project: Path) -> None:
    (project / "base.yml").write_text((project / "mkdocs.yml").read_text())
    (project / "mkdocs.yml").write_text("INHERIT: base.yml\n")
    evil = project / "sessions" / "evil"
    (evil / "mkdocs.yml").write_text("plugins: [{chronicle: {sessions: ../../../priv}}]\n")
    assert find_project(evil) is not None
    settings = site_settings_around(evil)
    assert settings is not None and settings.parent.resolve() == project.resolve()


def test_a_keeper_is_told_that_settings_in_a_campaign_do_nothing(project: Path) -> None:
    evil = project / "sessions" / "evil"
    (evil / "mkdocs.yml").write_text("plugins: [chronicle]\n")
    diagnostics = load(evil).diagnostics
    assert [
        (diagnostic.code, diagnostic.place.path.rpartition("/")[2]) for diagnostic in diagnostics
    ] == [("T44", "mkdocs.yml")]


LINKS = (
    "02.yaml", "characters", "characters/x.yaml", "journal", "journal/x.md", "notes", "notes/x.md",
    "art", "art/x.png", "art/x.yaml", "other.txt", "deep/er/other.txt", "campaign.yaml",
    "chronicle.pin",
)  # fmt: skip
"""Where a link that leads out of the campaign may lie."""

WATCHED = """
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from chronicle.cli import main
from chronicle.publish import make_site
home, private = sys.argv[1:]
def seen(event, args):
    if event in ("open", "os.listdir", "os.scandir") and args and isinstance(args[0], (str, bytes)):
        path = args[0] if isinstance(args[0], str) else args[0].decode()
        # What is opened counts where it really lies: through a link it lies elsewhere.
        if str(Path(path).resolve()).startswith(private):
            print(event, path, file=sys.__stdout__)
sys.addaudithook(seen)
site = make_site(Path(home) / "sessions", project=Path(home), warn=lambda said: None)
for file in site.files():
    for said in (file.contents or b"", file.html.encode()):
        if b"canary" in said:
            print("told", file.path)
evil = str(Path(home) / "sessions" / "evil")
with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
    for words in (["check"], ["ids"], ["annotate"], ["fmt"], ["migrate", "--yes"], ["pin"], ["pin", "--compare"]):
        main([*words, evil])
    main(["rename", "Nim", "Nom", "--in", evil])
    main(["unname", "Ana", "--in", evil])
"""


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.slow
def test_nothing_is_read_through_a_link(link: str, project: Path, tmp_path: Path) -> None:
    private = tmp_path / "priv"
    (private / "file").write_text(f"- tell: {CANARY}\n", encoding="utf-8")
    place = project / "sessions" / "evil" / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(private if "." not in place.name else private / "file")
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(project), str(private)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("standing", [True, False])
@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("chronicle.pin", ["pin", "EVIL"]),
        ("02.yaml", ["import", "CHAT", "--in", "EVIL"]),
        ("ana-1.opening", ["seal", "EVIL/01.yaml", "--slot", "ana-1", "--by", "Ana"]),
    ],
)
def test_nothing_is_written_through_a_link(
    link: str,
    words: list[str],
    standing: bool,
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether or not something stands where a link of the campaign leads."""
    chat = tmp_path / "chat.txt"
    chat.write_text("Nim: hello\nWim: good evening\n", encoding="utf-8")
    target = tmp_path / "priv" / "file"
    if standing:
        target.write_text(CANARY, encoding="utf-8")
    evil = project / "sessions" / "evil"
    (evil / link).symlink_to(target)
    monkeypatch.setattr(sys, "stdin", io.StringIO("a secret\n"))
    assert main([word.replace("EVIL", str(evil)).replace("CHAT", str(chat)) for word in words]) == 2
    assert (target.read_text(encoding="utf-8") == CANARY) if standing else not target.exists()
