"""While a site is served only what changed is built, and what is served is what a build would give."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from benchmarks.play import write_campaign
from chronicle.adapters.build import plugin_in
from chronicle.adapters.serve import Rebuilder, Server, serve
from chronicle.core.declare import Action
from chronicle.core.replay import Replay
from chronicle.plugin import ChroniclePlugin
from tests.site.project import fresh, make_project
from tests.site.test_guest import CAMPAIGN, IN_CI, written

BUILT = ("sitemap.xml.gz",)
"""What holds the time of the build."""
INDEX = "search/search_index.json"


def started(project: Path, site: Path) -> tuple[Rebuilder, ChroniclePlugin, MkDocsConfig]:
    """A site as it stands when serving begins."""
    fresh()
    config = load_config(str(project / "mkdocs.yml"), site_dir=str(site))
    config.plugins.on_startup(command="serve", dirty=False)
    mkdocs_build(config, serve_url="/")
    plugin = config.plugins["chronicle"]
    assert isinstance(plugin, ChroniclePlugin)
    return Rebuilder(config, plugin), plugin, config


def files_of(site: Path) -> dict[str, bytes]:
    files = {file.relative_to(site).as_posix(): file for file in site.rglob("*") if file.is_file()}
    return {name: file.read_bytes() for name, file in files.items() if name not in BUILT}


@pytest.mark.slow
def test_what_is_served_is_what_a_build_gives(root: Path, tmp_path: Path) -> None:
    names = ("the-boathouse", "the-dry-book")
    project = make_project(tmp_path / "p", *(root / "sessions" / name for name in names))
    rebuilder, _plugin, config = started(project, tmp_path / "served")
    first = project / "sessions" / names[0] / "01.yaml"
    text = first.read_text("utf-8")
    line = text.partition("- tell: |\n")[2].splitlines()[0]
    settings = project / "sessions" / names[1] / "campaign.yaml"
    changes = (
        (first, text.replace(line, f"{line} indeed")),
        (first, text),
        (settings, settings.read_text("utf-8").replace("title: ", "title: On ", 1)),
        (project / "sessions" / names[0] / "notes" / "a-word.md", "# A word\n\nOf ours.\n"),
    )
    for number, (file, changed) in enumerate(changes):
        file.parent.mkdir(exist_ok=True)
        file.write_text(changed, "utf-8")
        rebuilder.rebuild()
        rebuilder.complete("desk/")
        served = files_of(tmp_path / "served")
        started(project, tmp_path / f"built-{number}")
        built = files_of(tmp_path / f"built-{number}")
        assert served.keys() == built.keys()
        assert [name for name in built if built[name] != served[name]] == []
        fresh_plugin(config)
    (project / "sessions" / names[0] / "notes" / "a-word.md").unlink()
    rebuilder.rebuild()
    assert not list((tmp_path / "served").rglob("a-word.html"))


def test_downloads_wait_until_somebody_takes_them(root: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", root / "sessions" / "the-dry-book")
    rebuilder, plugin, _config = started(project, tmp_path / "served")
    at = tmp_path / "served" / "the-dry-book"
    files_before = files_of(at / "files")
    evening = project / "sessions" / "the-dry-book" / "01.yaml"
    evening.write_text(evening.read_text("utf-8") + "- tell: Hail comes down on Holm.\n", "utf-8")
    rebuilder.rebuild()
    assert "Hail" in (at / "story.html").read_text("utf-8")
    assert files_of(at / "files") == files_before
    server = Server(
        rebuilder.rebuild, "localhost", 0, str(tmp_path / "served"), "/", rebuilder.complete
    )
    answers: list[str] = []

    def begun(status: str, head: object, fault: object = None, /) -> Callable[[bytes], object]:
        answers.append(status)
        return lambda message: None

    def ask(address: str) -> bytes:
        app = server.get_app()
        assert app is not None
        environ = {"PATH_INFO": address, "HTTP_HOST": "localhost", "REQUEST_METHOD": "GET"}
        answer: Any = app(environ, begun)
        with closing(answer):
            return b"".join(answer)

    try:
        assert b"Hail" in ask("/the-dry-book/story.html")
        assert files_of(at / "files") == files_before
        assert b"Hail" in ask("/the-dry-book/files/record.json")
        page = ask("/the-dry-book/downloads.html").decode()
    finally:
        server.server_close()
    assert answers == ["200 OK"] * 3
    for file, content in files_of(at / "files").items():
        assert f"{max(1, round(len(content) / 1000)):,}" in page, file
    assert not plugin.campaigns.late


def fresh_plugin(config: MkDocsConfig) -> None:
    """Let MkDocs go on with the plugins of this configuration that live on while it serves."""
    fresh()
    cache = vars(MkDocsConfig)["plugins"].plugin_cache
    cache.update(
        (name, plugin) for name, plugin in config.plugins.items() if hasattr(plugin, "on_startup")
    )


@pytest.mark.slow
def test_after_a_pause_little_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path / "p")
    folder = project / "sessions" / "many"
    write_campaign("positive", 600, folder)
    rebuilder, _plugin, _config = started(project, tmp_path / "served")
    played: list[object] = []
    do = Replay.do

    def counted(self: Replay[Any], action: Action) -> None:
        played.append(action)
        do(self, action)

    monkeypatch.setattr(Replay, "do", counted)
    files = sorted(folder.glob("[0-9]*.yaml"))
    file = files[len(files) // 2]
    text = file.read_text("utf-8")

    def with_another(word: str) -> int:
        file.write_text(f"{text}- tell: {word}\n", "utf-8")
        played.clear()
        rebuilder.rebuild()
        return len(played)

    # The first time, an entry more lies above all that comes below.
    with_another("It rains.")
    assert 0 < with_another("It snows.") < 400


@pytest.mark.slow
@pytest.mark.parametrize("look", ["site", "pages"])
def test_a_saved_line_shows_soon(look: str, tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", look=look)
    folder = project / "sessions" / "many"
    write_campaign("positive", 2_000, folder)
    (project / "docs" / "house-rules.md").write_text("# House rules\n", "utf-8")
    begun = process_time()
    rebuilder, _plugin, _config = started(project, tmp_path / "served")
    building = process_time() - begun
    file = sorted(folder.glob("[0-9]*.yaml"))[-1]
    page = tmp_path / "served" / "many" / "sessions" / f"{int(file.stem)}.html"
    written = tmp_path / "served" / "house-rules.html"
    time_before = written.stat().st_mtime_ns
    spent: list[float] = []
    for word in ("rains", "snows", "clears up", "freezes", "thaws"):
        file.write_text(f"{file.read_text('utf-8')}- tell: It {word} at last.\n", "utf-8")
        begun = process_time()
        rebuilder.rebuild()
        spent.append(process_time() - begun)
        assert f"It {word} at last." in page.read_text("utf-8")
    # A second on a fast machine; a slow one takes longer for both.
    assert min(spent) < building / 5
    assert written.stat().st_mtime_ns == time_before  # a page of the owner's is left alone


@pytest.mark.slow
@pytest.mark.parametrize(("name", "languages"), [("macros", []), ("static-i18n", ["/sub/de/"])])
def test_what_is_served_in_another_site_is_what_a_build_gives(
    name: str, languages: list[str], tmp_path: Path
) -> None:
    project = written(tmp_path / "p", IN_CI[name], chronicle=True)
    rebuilder, _plugin, config = started(project, tmp_path / "served")
    log = next((project / "sessions").rglob("01.yaml"))
    for number, word in enumerate(("rains", "snows")):
        log.write_text(f"{log.read_text('utf-8')}- tell: It {word} at last.\n", "utf-8")
        rebuilder.rebuild()
        rebuilder.complete("desk/")
        served = files_of(tmp_path / "served")
        started(project, tmp_path / f"built-{number}")
        built = files_of(tmp_path / f"built-{number}")
        page = built[f"{CAMPAIGN}/story/index.html"].decode()
        assert f"It {word} at last." in page
        # The choice of languages leads home, and not to those of another page.
        assert re.findall(r'rel="alternate" href="([^"]*)" hreflang="de"', page) == languages
        assert built.keys() == served.keys()
        assert texts_in_search(built) == texts_in_search(served)
        different = {file for file in built if built[file] != served[file]}
        assert different <= {INDEX, "sitemap.xml"}
        fresh_plugin(config)


def texts_in_search(files: dict[str, bytes]) -> set[tuple[str, str]]:
    """What a site is searched for. A page without a translation may be there once for each language."""
    return {(entry["title"], entry["text"]) for entry in json.loads(files[INDEX])["docs"]}


@pytest.mark.integration
def test_of_a_theme_only_what_is_the_owners_is_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path / "p")
    (project / "overrides").mkdir()
    settings = project / "mkdocs.yml"
    text = settings.read_text("utf-8")
    assert '"name": "material"' in text
    text = text.replace('"name": "material"', '"name": "material", "custom_dir": "overrides"')
    settings.write_text(text, "utf-8")
    write_campaign("positive", 20, project / "sessions" / "few")
    followed: set[Path] = set()
    monkeypatch.setattr(Server, "serve", lambda self, **_: followed.update(self.watched_paths))
    fresh()
    serve(settings, "127.0.0.1", 0, prepare=plugin_in, open_browser=False)
    # An installed theme has ten thousand files, and each look at them takes longer than a build.
    assert followed == {project / name for name in ("docs", "mkdocs.yml", "overrides", "sessions")}
