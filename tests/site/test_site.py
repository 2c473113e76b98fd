"""The built site as a whole: its links, its manners among hostile names, what it must never tell."""

import re
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.games import rulebook
from tests.site.links import broken
from tests.site.project import build, make_project

HOSTILE = Path("tests/fixtures/hostile")


@pytest.fixture(scope="module", params=[False, True], ids=["files", "folders"])
def folders(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def own(root: Path, tmp_path_factory: pytest.TempPathFactory, folders: bool) -> Path:
    """A project of all play examples; of one a game, where nothing but addresses differs."""
    examples = find_campaigns(root / "sessions")
    if folders:
        examples = list({load(folder).game: folder for folder in examples}.values())
    return make_project(tmp_path_factory.mktemp("own") / "project", *examples)


@pytest.fixture(scope="module")
def hostile(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of one campaign that means no good, with a text of 200 KB in it."""
    project = make_project(tmp_path_factory.mktemp("hostile") / "project", root / HOSTILE)
    transcript = project / "sessions" / "hostile" / "01.yaml"
    long = "    " + "</p><script>alert('long')</script> " * 6000 + "\n"
    with transcript.open("a", encoding="utf-8") as file:
        file.write(f"- tell: |\n{long}")
    return project


@lru_cache
def built(project: Path, folders: bool = False) -> tuple[Path, list[str]]:
    """The site of a project, built once in each way of addressing pages."""
    return build(project, folders=folders)


@pytest.fixture(scope="module")
def own_site(own: Path, folders: bool) -> Path:
    """The built site of the play examples."""
    site, messages = build(own, folders=folders)
    assert messages == []
    return site


@pytest.mark.slow
def test_every_link_of_the_play_examples_leads_somewhere(own_site: Path) -> None:
    assert list(broken(own_site)) == []


@pytest.mark.smoke
def test_a_page_is_built(root: Path, tmp_path: Path) -> None:
    site, messages = build(make_project(tmp_path / "p", root / "sessions" / "the-boathouse"))
    page = (site / "the-boathouse" / "sessions" / "1.html").read_text(encoding="utf-8")
    assert messages == []
    assert "The jetty, before the first bottle" in page
    assert 'class="ch-note ch-note--beside"' in page


class ArticleParser(HTMLParser):
    """The start tags inside the article of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text[text.index("<article") : text.rindex("</article>")])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_hostile_names_break_nothing(hostile: Path, folders: bool) -> None:
    site, messages = built(hostile, folders)
    # The campaign is wrong on purpose: its errors are told once, and each picture that is not shown.
    (warning,) = [line for line in messages if "it is not shown" not in line]
    assert warning.startswith("chronicle: sessions/hostile: 4 errors, ")
    assert all(line.isprintable() for line in warning.splitlines())
    assert len(messages) == 17
    assert list(broken(site)) == []
    for file in site.rglob("*.html"):
        if file.name == "404.html" or not file.is_relative_to(site / "hostile"):
            continue
        text = file.read_text(encoding="utf-8")
        if "<article" not in text:
            assert "<script" not in text, file
            continue
        assert text.count("<article") == text.count("</article>"), file
        if "-steps" in file.relative_to(site).as_posix():
            assert text.count("<script") == text.count("<script src=") == 3, file
        else:
            assert text.count("<article") == 1, file
        for tag, attrs in ArticleParser(text).tags:
            assert tag not in ("script", "iframe", "style", "object", "embed", "form"), (file, tag)
            assert not [name for name in attrs if name.startswith("on")], (file, tag, attrs)
            assert "style" not in attrs, (file, tag, attrs)
            for name in ("href", "src"):
                address = attrs.get(name) or ""
                assert not re.match(r"\s*(javascript|data|vbscript|file):", address, re.I), file
            if tag == "img":
                assert not re.match(r"(https?:)?//", attrs.get("src") or ""), file
        assert "49" not in re.findall(r"\{\{.*?\}\}|\b49\b", " ".join(ArticleParser(text).words)), (
            file
        )


def test_hostile_names_are_shown_as_typed(hostile: Path) -> None:
    site, _ = built(hostile)
    index = (site / "hostile" / "everything.html").read_text(encoding="utf-8")
    words = " ".join(ArticleParser(index).words)
    for name in ("<the pale>", "{{ config }}", "../x", "Night | Day", "# Heading", "Снегурочка ❄️"):
        assert name in words
    story_pages = [site / "hostile" / f"{page}.html" for page in ("story",)]
    words = "".join(
        word for page in story_pages for word in ArticleParser(page.read_text("utf-8")).words
    )
    assert "<script>alert(“fiction”)</script>" in words
    assert "{{ 7*7 }}" in words
    assert "cut here" in words


def test_hostile_names_get_files_of_their_own_inside_the_site(hostile: Path) -> None:
    site, _ = built(hostile)
    files = [file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()]
    assert len({name.casefold() for name in files}) == len(files)
    assert all(re.fullmatch(r"[A-Za-z0-9._/+-]+", name) for name in files), files
    sheets = [name for name in files if name.startswith("hostile/characters/")]
    assert {"hostile/characters/mirror.html", "hostile/characters/mirror-2.html"} <= set(sheets)
    (live,) = site.rglob("live.svg")
    assert b"script" not in live.read_bytes()
    outside = {p.name for p in hostile.iterdir()} - {"docs", "sessions", "site", "site-folders"}
    assert outside == {"mkdocs.yml"}


@pytest.mark.slow
def test_every_add_on_has_a_full_row_and_a_short_game(own_site: Path, folders: bool) -> None:
    address = "universalis-add-ons/index.html" if folders else "universalis-add-ons.html"
    page = (own_site / "rules" / address).read_text(encoding="utf-8")
    rows = page[page.index('id="add-ons"') :].partition("</table>")[0].split("<tr>")[2:]
    optional = rulebook("universalis").optional_rules()
    assert len(rows) == len(optional)
    for row, rule in zip(rows, optional, strict=True):
        cells = [re.sub("<[^>]*>", "", cell).strip() for cell in re.split("<td|<th", row)[1:]]
        assert len(cells) == 4
        assert all(cell.partition(">")[2] for cell in cells), rule.key
        assert f'id="{rule.key.replace(" ", "-")}"' in page
