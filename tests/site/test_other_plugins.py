"""Other plug-ins of a site are handed no text of a player that they might take for a program."""

from __future__ import annotations

import json
import textwrap
from html import unescape
from pathlib import Path

import pytest

from chronicle.publish import render
from chronicle.site.shards import read_script
from tests.sample import some
from tests.site.project import SETTINGS, build

pytestmark = pytest.mark.integration

MARK = "Zqx"
"""Stands in every payload, and in nothing else of the site."""
PAYLOADS = (
    f"{MARK} {{{{ run() }}}}",
    f"{MARK} {{% set a = run() %}}",
    f"{MARK} {{# gone #}}",
    f"{MARK} [[ run() ]]",
    f"{MARK} $( run() )",
)
DELIMITERS = {
    "usual": {},
    "brackets": {"j2_variable_start_string": "[[", "j2_variable_end_string": "]]"},
    "parentheses": {"j2_variable_start_string": "$(", "j2_variable_end_string": ")"},
}
SPY = f"""
def look(where, *texts):
    for text in texts:
        if {MARK!r} in str(text):
            with open("seen.txt", "a", encoding="utf-8") as seen:
                print(where, repr(text)[:200], file=seen)

def on_files(files, config):
    for file in files.documentation_pages():
        look("on_files", file.content_string)
    return files

def on_nav(nav, config, files):
    for page in nav.pages:
        look("on_nav", page.title, page.meta)
    return nav

def on_pre_page(page, config, files):
    look("on_pre_page", page.title, page.meta, page.file.content_string)
    return page

def on_page_read_source(page, config):
    look("on_page_read_source", page.title, page.meta)

def on_page_markdown(markdown, page, config, files):
    look("on_page_markdown", markdown, page.title, page.meta)
    return markdown
"""
MACROS = """
def define_env(env):
    @env.macro
    def run():
        with open("ran.txt", "a") as ran:
            ran.write("x")
        return "ran"
"""


def hostile_campaign(folder: Path, payload: str) -> Path:
    """A campaign in which the payload stands wherever players may write words."""

    def words(prefix: str) -> str:
        return json.dumps(f"{prefix} {payload}")

    player, figure = words("Ana"), words("Nim")
    files = {
        "campaign.yaml": f"""
            game: positive
            title: {words("A story")}
            players: [{player}, Bo, Cy, Dee]
            summary: {words("About it")}
            authors: [{words("Somebody")}]
            licence: {words("CC BY")}
            """,
        "01.yaml": f"""
            session: 1
            title: {words("An evening")}
            summary: {words("What happened")}
            date: 2026-06-20
            present: [{player}, Bo, Cy, Dee]
            log:
            - cast: {{{player}: {figure}, Bo: Wim, Cy: Rue}}
              text: {words("A text")}
              note: {words("A note")}
            - scene: {words("A place")}
              with: [{figure}, Wim]
              text: {words("The scene")}
            - say: {words("Wim: I say")}
            - tell: {words("It rains")}
            - aside: {words("We laughed")}
            """,
        "journal/a.md": f"---\ntitle: {words('A letter')}\nauthor: {player}\nvoice: {figure}\n"
        f"session: 1\n---\n\n# Head {payload}\n\nIn the journal {payload}\n",
        "notes/b.md": f"---\ntitle: {words('Notes')}\n---\n\nIn a note {payload}\n",
        "art/c.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Drawn '
        f'{payload}</title><rect width="9" height="9"/></svg>',
        "art/c.yaml": f"title: {words('A picture')}\nalt: {words('Seen')}\nartist: {words('Ink')}\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    return folder


def hostile_project(root: Path, plugins: list[object]) -> Path:
    """A project whose campaigns, and pages that show them, hold the payloads."""
    for number, payload in enumerate(PAYLOADS):
        hostile_campaign(root / "sessions" / f"table-{number}", payload)
    hostile_campaign(root / "sessions" / f"folder {MARK} {{{{ run() }}}}", PAYLOADS[0])
    (root / "docs").mkdir()
    (root / "docs" / "index.md").write_text(
        "# Our tables\n\n<!-- chronicle:campaigns -->\n\nAn evening:\n\n"
        "```chronicle\nfrom: sessions/table-0/01.yaml:15-16\n```\n\nLast: <!-- chronicle:desk -->\n",
        encoding="utf-8",
    )
    (root / "main.py").write_text(MACROS, encoding="utf-8")
    (root / "spy.py").write_text(SPY, encoding="utf-8")
    settings = SETTINGS | {
        "plugins": plugins,
        "hooks": ["spy.py"],
        "site_url": "https://a.example/",
    }
    lines = (f"{key}: {json.dumps(value)}" for key, value in settings.items())
    (root / "mkdocs.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


@pytest.mark.parametrize("delimiters", some(DELIMITERS))
@pytest.mark.parametrize("first", ["chronicle", "macros"])
def test_no_text_of_a_player_runs_as_a_macro(
    delimiters: str, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plugins: list[object] = [
        {"chronicle": {"reference": False}},
        {"macros": DELIMITERS[delimiters]},
    ]
    if first == "macros":
        plugins.reverse()
    site, _ = build(hostile_project(tmp_path, ["search", *plugins]))
    assert not (tmp_path / "ran.txt").exists()
    output_file = tmp_path / "seen.txt"
    assert not output_file.exists(), output_file.read_text(encoding="utf-8")
    for page in ("index", "table-0/index", "table-0/sessions/1"):
        text = unescape((site / f"{page}.html").read_text(encoding="utf-8"))
        assert PAYLOADS[0] in text, page
    for number, payload in enumerate(PAYLOADS):
        text = unescape((site / f"table-{number}" / "index.html").read_text(encoding="utf-8"))
        assert f"A story {payload}" in text.partition("<title>")[2].partition("</title>")[0]
        assert f"A story {payload}" in text.partition("<h1")[2].partition("</h1>")[0]
    home = (site / "index.html").read_text(encoding="utf-8")
    assert "chronicle:" not in home and "We laughed" in home
    titles = [row[0] for row in read_script((site / "find.js").read_bytes())["rows"]["stories"]]
    assert f"A story {PAYLOADS[0]}" in titles


def test_a_page_outside_the_navigation_has_its_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MkDocs makes the objects of such pages after it has asked for the navigation."""
    monkeypatch.chdir(tmp_path)
    home = hostile_project(tmp_path, ["search", "chronicle"])
    site, _ = build(home, not_in_nav="*\n")
    text = unescape((site / "table-0" / "index.html").read_text(encoding="utf-8"))
    assert f"A story {PAYLOADS[0]}" in text.partition("<title>")[2].partition("</title>")[0]


def test_rendered_pages_ask_macros_to_leave_them_alone(tmp_path: Path) -> None:
    hostile_campaign(tmp_path / "table", PAYLOADS[0])
    render(tmp_path / "table", tmp_path / "out", warn=lambda message: None)
    pages = [*(tmp_path / "out" / "docs").rglob("*.md")]
    assert pages
    for page in pages:
        head = page.read_text(encoding="utf-8").split("---\n")[1]
        assert "render_macros: false\n" in head, page


def test_the_reference_stands_beside_macros(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = hostile_project(tmp_path, ["search", "chronicle", "macros"])
    site, _ = build(home, nav=["index.md", "format.md"])
    text = (site / "format.html").read_text(encoding="utf-8")
    assert "T1: A file is UTF-8" in text
    assert "Macro " not in text
