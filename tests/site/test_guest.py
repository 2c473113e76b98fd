"""Chronicle in an ordinary wiki: the owner's pages are what they are without it, but for the navigation, and the pages
of campaigns carry Chronicle's style, whatever theme and plug-ins the owner has."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from chronicle.games import rulebook
from tests.needs import module, program

GUEST_STYLE = "assets/chronicle/guest.css"
WHOLE_STYLE = "assets/chronicle/chronicle.css"
CAMPAIGN = "our-table"
IN_NAV = re.compile(rf"<li[^>]*>\s*<a [^>]*{CAMPAIGN}[^>]*>((?!</li>).)*</li>\s*", re.DOTALL)
"""The entry of the campaign in the navigation of Material."""
PAGES = {
    "index.md": "# Home\n\nSee [Mara](people/mara.md).\n",
    "people/mara.md": "---\ntags: [npc]\n---\n# Mara & co\n\nA smuggler.\n",
}
OVERRIDE = '{% extends "base.html" %}{% block announce %}Mine{% endblock %}\n'


@dataclass(frozen=True)
class Wiki:
    """An existing site with one plug-in or setting, before Chronicle comes."""

    plugins: tuple[Any, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    packages: tuple[str, ...] = ()
    shows: Mapping[str, str] = field(default_factory=dict)
    """Words that pages of the owner show if the plug-in works."""
    theme: Mapping[str, Any] = field(default_factory=lambda: {"name": "material"})
    override: bool = True


BLOG = {
    "docs/blog/index.md": "# Blog\n",
    "docs/blog/posts/one.md": "---\ndate: 2026-01-02\n---\n# First night\n\nWe met at the inn.\n",
}
LANGUAGES = [
    {"locale": "en", "name": "English", "default": True, "build": True},
    {"locale": "de", "name": "Deutsch", "build": True},
]
MATERIAL = {"name": "material", "features": ["navigation.instant", "navigation.tabs"], "logo": "logo.svg",
            "font": {"text": "Lora", "code": "Fira Code"}, "palette": {"primary": "deep orange"}}  # fmt: skip

IN_CI: dict[str, Wiki] = {
    "search": Wiki(theme=MATERIAL, files={"docs/logo.svg": "<svg/>"}, shows={"index.html": "Lora"}),
    "blog": Wiki(("blog",), files=BLOG, shows={"blog/2026/01/02/first-night/index.html": "inn"}),
    "macros": Wiki(
        ("macros",),
        {"extra": {"port": "Rijeka"}},
        {"docs/harbour.md": "# Harbour\n\nThe harbour of {{ port }}.\n"},
        ("mkdocs_macros",),
        {"harbour/index.html": "The harbour of Rijeka"},
    ),
    "awesome-nav": Wiki(
        ("awesome-nav",),
        files={"docs/.nav.yml": "nav:\n  - People: people\n  - index.md\n"},
        packages=("mkdocs_awesome_nav",),
    ),
    "mkdocstrings": Wiki(
        ({"mkdocstrings": {"handlers": {"python": {"paths": ["."]}}}},),
        files={"docs/api.md": "# API\n\n::: tide\n", "tide.py": '"""When the tide turns."""\n'},
        packages=("mkdocstrings", "mkdocstrings_handlers"),
        shows={"api/index.html": "When the tide turns."},
    ),
    "static-i18n": Wiki(
        ({"i18n": {"languages": LANGUAGES}},),
        files={"docs/index.de.md": "# Zuhause\n\nDaheim.\n"},
        packages=("mkdocs_static_i18n",),
        shows={"de/index.html": "Daheim."},
    ),
    "static-i18n with a blog": Wiki(
        ("blog", {"i18n": {"languages": LANGUAGES}}),
        {"use_directory_urls": False},
        files=BLOG | {"docs/index.de.md": "# Zuhause\n\nDaheim.\n"},
        packages=("mkdocs_static_i18n",),
        shows={"de/index.html": "Daheim."},
    ),
}
IN_SOAK: dict[str, Wiki] = {
    "tags": Wiki(("tags",)),
    "literate-nav": Wiki(
        ("literate-nav",),
        files={"docs/SUMMARY.md": "- [Home](index.md)\n- [Mara](people/mara.md)\n"},
        packages=("mkdocs_literate_nav",),
    ),
    "section-index": Wiki(
        ("section-index",),
        files={"docs/people/index.md": "# People\n"},
        packages=("mkdocs_section_index",),
    ),
    "include-markdown": Wiki(
        ("include-markdown",),
        files={"docs/inn.md": '# Inn\n\n{% include-markdown "../parts/inn.md" %}\n', "parts/inn.md": "Ale.\n"},
        packages=("mkdocs_include_markdown_plugin",),
        shows={"inn/index.html": "Ale."},
    ),
    "snippets": Wiki(
        settings={"markdown_extensions": [{"pymdownx.snippets": {"base_path": ["."]}}]},
        files={"docs/inn.md": '# Inn\n\n--8<-- "parts/inn.md"\n', "parts/inn.md": "Ale.\n"},
        shows={"inn/index.html": "Ale."},
    ),
    "minify": Wiki(({"minify": {"minify_html": True}},), packages=("mkdocs_minify_plugin",)),
    "redirects": Wiki(
        ({"redirects": {"redirect_maps": {"old.md": "people/mara.md"}}},),
        packages=("mkdocs_redirects",),
        shows={"old/index.html": "people/mara"},
    ),
    "git-revision-date": Wiki(
        ("git-revision-date-localized",), packages=("mkdocs_git_revision_date_localized_plugin",)
    ),
    "glightbox": Wiki(("glightbox",), packages=("mkdocs_glightbox",)),
    "flat-addresses": Wiki(settings={"use_directory_urls": False}),
    "navigation": Wiki(settings={"nav": [{"Start": "index.md"}, {"People": ["people/mara.md"]}]}),
}  # fmt: skip


def written(root: Path, wiki: Wiki, *, chronicle: bool) -> Path:
    """Write the wiki, with Chronicle or without it."""
    files = {f"docs/{name}": text for name, text in PAGES.items()} | dict(wiki.files)
    theme = dict(wiki.theme)
    if wiki.override:
        files["overrides/main.html"] = OVERRIDE
        theme["custom_dir"] = "overrides"
    plugins = ["search", *wiki.plugins]
    if chronicle:
        plugins.append("chronicle")
        for name, text in rulebook("positive").new_campaign().items():
            files[f"sessions/{CAMPAIGN}/{name}"] = text
    settings = {"site_name": "The wiki", "site_url": "https://wiki.example/sub/", "theme": theme,
                "repo_url": "https://forge.example/us/wiki", **wiki.settings, "plugins": plugins}  # fmt: skip
    files["mkdocs.yml"] = "".join(
        f"{key}: {json.dumps(value)}\n" for key, value in settings.items()
    )
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def run(*words: str, at: Path) -> str:
    """Run a program there; its output."""
    around = {
        "NO_MKDOCS_2_WARNING": "1",
        "DISABLE_MKDOCS_2_WARNING": "true",
        "SOURCE_DATE_EPOCH": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    for role in ("AUTHOR", "COMMITTER"):
        around |= {f"GIT_{role}_NAME": "Keeper", f"GIT_{role}_EMAIL": "keeper@a.example"}
        around[f"GIT_{role}_DATE"] = "2026-01-02T03:04:05Z"
    done = subprocess.run(
        words,
        cwd=at,
        env=os.environ | around,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def built(root: Path, wiki: Wiki, *, chronicle: bool) -> Path:
    """Build the wiki; the folder of its site."""
    project = written(root, wiki, chronicle=chronicle)
    if "git-revision-date-localized" in wiki.plugins:
        git = program("git")
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "All")):
            run(git, *words, at=project)
    run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", at=project)
    return project / "site"


def pages_of(site: Path) -> dict[str, str]:
    pages = (file for file in site.rglob("*.html") if CAMPAIGN not in file.parts)
    return {file.relative_to(site).as_posix(): file.read_text(encoding="utf-8") for file in pages}


def without_nav(page: str) -> str:
    """A page without the entries of the campaign in its navigation, and without what minifiers move by it."""
    return re.sub(r"\s+", " ", IN_NAV.sub("", page)).replace("> <", "><")


def without_languages(page: str) -> str:
    """A page without the links to its languages. The plug-in for these leaves on 404.html those of the page before."""
    return re.sub(r"<(?:link|a)\s[^>]*hreflang[^>]*>\s*", "", page)


def hold(with_us: Path, alone: Path) -> None:
    """Hold that the pages of the owner are the same, and that ours have our style."""
    own_pages, owner_pages = pages_of(with_us), pages_of(alone)
    added = {name for name in own_pages if name.startswith(("rules/", "desk/"))}
    assert own_pages.keys() - added == owner_pages.keys()
    for name, page in owner_pages.items():
        own_page = own_pages[name]
        if name == "404.html":
            own_page, page = without_languages(own_page), without_languages(page)
        assert without_nav(own_page) == without_nav(page), name
        assert GUEST_STYLE not in own_pages[name] and WHOLE_STYLE not in own_pages[name], name
    front = with_us / CAMPAIGN / "index.html"
    campaign_pages = [
        file for file in (with_us / CAMPAIGN).rglob("*.html") if "-steps" not in f"{file}"
    ]
    assert len(campaign_pages) > 10
    for file in campaign_pages:
        page = file.read_text(encoding="utf-8")
        assert GUEST_STYLE in page, file
        assert re.search(r'class="?ch-body"?[ >]', page), file
        assert "ch-header" not in page and WHOLE_STYLE not in page, file
    assert front.is_file()
    for name in owner_pages.keys() - {"404.html"}:
        if "http-equiv" not in own_pages[name]:
            assert f"{CAMPAIGN}/" in own_pages[name], f"{name} does not lead to the campaign"


@pytest.mark.integration
def test_an_ordinary_wiki_stays_what_it_is(tmp_path: Path) -> None:
    wiki = Wiki(theme=MATERIAL, files={"docs/logo.svg": "<svg/>"})
    with_us = built(tmp_path / "with", wiki, chronicle=True)
    hold(with_us, built(tmp_path / "without", wiki, chronicle=False))
    page = (with_us / CAMPAIGN / "index.html").read_text(encoding="utf-8")
    for owner in ("Mine", "Lora", "logo.svg", "deep-orange", "forge.example", "navigation.instant"):
        assert owner in page, owner
    index = json.loads((with_us / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert {"", "people/mara/", f"{CAMPAIGN}/"} <= {
        document["location"] for document in index["docs"]
    }


@pytest.mark.integration
@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_other_themes_show_our_pages(theme: str, tmp_path: Path) -> None:
    site = built(tmp_path, Wiki(theme={"name": theme}, override=False), chronicle=True)
    assert GUEST_STYLE not in (site / "index.html").read_text(encoding="utf-8")
    page = (site / CAMPAIGN / "sessions" / "1" / "index.html").read_text(encoding="utf-8")
    assert GUEST_STYLE in page and "assets/chronicle/chronicle.js" in page
    assert '<div class="ch-guest">' in page


@pytest.mark.integration
def test_a_theme_without_blocks_shows_our_pages(tmp_path: Path) -> None:
    main = (
        "<!doctype html><html><head><title>{{ page.title }}</title></head>"
        "<body><h6>Mine</h6><main>{{ page.content }}</main></body></html>"
    )
    theme = {"name": None, "custom_dir": "theme"}
    wiki = Wiki(theme=theme, override=False, files={"theme/main.html": main})
    site = built(tmp_path, wiki, chronicle=True)
    assert "ch-" not in (site / "index.html").read_text(encoding="utf-8")
    page = (site / CAMPAIGN / "sessions" / "1" / "index.html").read_text(encoding="utf-8")
    assert "Mine" in page and page.count('href="../../../assets/chronicle/guest.css"') == 1
    assert page.count('class="ch-rooms"') == 1 and page.count('class="ch-foot__home"') == 1
    assert "assets/chronicle/chronicle.js" in page


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_CI)
def test_it_gets_along_with_a_plug_in(name: str, tmp_path: Path) -> None:
    _gets_along(IN_CI[name], tmp_path)


@pytest.mark.soak(only=True)
@pytest.mark.parametrize("name", IN_SOAK)
def test_it_gets_along_with_more(name: str, tmp_path: Path) -> None:
    _gets_along(IN_SOAK[name], tmp_path)


def _gets_along(wiki: Wiki, folder: Path) -> None:
    for package in wiki.packages:
        module(package)
    with_us = built(folder / "with", wiki, chronicle=True)
    hold(with_us, built(folder / "without", wiki, chronicle=False))
    for name, words in wiki.shows.items():
        assert words in (with_us / name).read_text(encoding="utf-8"), name


@pytest.mark.integration
def test_the_navigation_of_the_owner_may_lead_there_by_itself(tmp_path: Path) -> None:
    nav = {"nav": ["index.md", {"Our campaign": f"{CAMPAIGN}/index.md"}, "people/mara.md"]}
    site = built(tmp_path, Wiki(settings=nav), chronicle=True)
    home = (site / "index.html").read_text(encoding="utf-8")
    assert len(re.findall(rf'<a href="{CAMPAIGN}/"', home)) == 1
    assert "Our campaign" in home


@pytest.mark.integration
@pytest.mark.parametrize("not_in_nav", ["", "/third/"])
def test_campaigns_that_the_navigation_does_not_name_are_under_stories(
    not_in_nav: str, tmp_path: Path
) -> None:
    files = {
        f"sessions/{name}/{file}": text
        for name in ("second", "third", "fourth")
        for file, text in rulebook("positive").new_campaign().items()
    }
    nav = {"nav": ["index.md", {"Our campaign": f"{CAMPAIGN}/index.md"}, "people/mara.md"]}
    settings = nav | ({"not_in_nav": not_in_nav} if not_in_nav else {})
    site = built(tmp_path, Wiki(settings=settings, files=files), chronicle=True)
    home = (site / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="([\w-]+)/" class="md-nav__link', home)
    others = ["fourth", "second", "third"][: 2 if not_in_nav else 3]
    assert [link for link in links if link in (CAMPAIGN, *others, "third")] == [CAMPAIGN, *others]
    assert "Stories" in home


@pytest.mark.integration
def test_a_page_of_the_owner_that_asks_for_campaigns_gets_their_style(tmp_path: Path) -> None:
    files = {"docs/tables.md": "# Tables\n\n<!-- chronicle:campaigns -->\n\nMore.\n"}
    site = built(tmp_path, Wiki(files=files), chronicle=True)
    page = (site / "tables" / "index.html").read_text(encoding="utf-8")
    assert GUEST_STYLE in page and f'href="../{CAMPAIGN}/' in page
    assert page.index("ch-guest") < page.index(f'href="../{CAMPAIGN}/', page.index("ch-guest"))
    assert "ch-guest" not in page[page.index("<p>More.</p>") :].partition("<script")[0]


@pytest.mark.integration
def test_a_page_of_ours_is_a_page_to_other_plug_ins(tmp_path: Path) -> None:
    hook = (
        "import json\n"
        "def on_env(env, config, files):\n"
        "    found = {}\n"
        "    for file in files.documentation_pages():\n"
        "        page = file.page\n"
        "        found[file.src_uri] = [page.title, page.meta.get('title'), page.url,\n"
        "            [(item.title, item.url, item.level) for item in page.toc.items],\n"
        "            sorted(page.present_anchor_ids)]\n"
        "    with open('seen.json', 'w', encoding='utf-8') as out:\n"
        "        json.dump(found, out)\n"
        "    return env\n"
    )
    wiki = Wiki(settings={"hooks": ["seen.py"]}, files={"seen.py": hook})
    built(tmp_path, wiki, chronicle=True)
    report = json.loads((tmp_path / "seen.json").read_text(encoding="utf-8"))
    title, in_meta, url, toc, anchors = report[f"{CAMPAIGN}/index.md"]
    assert title == in_meta and title not in ("", "Chronicle")
    assert url == f"{CAMPAIGN}/"
    assert ["Sessions", "#sessions", 2] in toc
    assert "sessions" in anchors


@pytest.mark.soak(only=True)
def test_versions_are_published(tmp_path: Path) -> None:
    module("mike")
    git = program("git")
    project = written(tmp_path / "wiki", Wiki(("mike",)), chronicle=True)
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "All")):
        run(git, *words, at=project)
    mike = "from mike.driver import main; main()"
    run(sys.executable, "-c", mike, "deploy", "1.0", at=project)
    listed = run(git, "ls-tree", "-r", "--name-only", "gh-pages", at=project)
    assert f"1.0/{CAMPAIGN}/index.html" in listed


@pytest.mark.soak(only=True)
def test_mkdocs_publishes_it_itself(tmp_path: Path) -> None:
    git = program("git")
    remote = tmp_path / "remote.git"
    run(git, "init", "-q", "--bare", str(remote), at=tmp_path)
    project = written(tmp_path / "wiki", Wiki(), chronicle=True)
    for words in (("init", "-q", "-b", "main"), ("remote", "add", "origin", str(remote)), ("add", "-A"),
                  ("commit", "-qm", "All")):  # fmt: skip
        run(git, *words, at=project)
    run(sys.executable, "-m", "mkdocs", "gh-deploy", "--quiet", at=project)
    listed = run(git, "ls-tree", "-r", "--name-only", "gh-pages", at=remote)
    assert f"{CAMPAIGN}/index.html" in listed


@pytest.mark.soak(only=True)
def test_a_dirty_build_follows_the_campaign(tmp_path: Path) -> None:
    files = {"docs/tables.md": "# Tables\n\n<!-- chronicle:campaigns -->\n"}
    project = written(tmp_path, Wiki(files=files), chronicle=True)
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", at=project)
    kept_site = shutil.copytree(project / "site", tmp_path / "before")
    log = project / "sessions" / CAMPAIGN / "01.yaml"
    log.write_text(log.read_text("utf-8") + "- tell: A heron stands there.\n", encoding="utf-8")
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", "--dirty", at=project)
    page = f"{CAMPAIGN}/sessions/1/index.html"
    assert "heron" in (project / "site" / page).read_text(encoding="utf-8")
    mara = "people/mara/index.html"
    assert (project / "site" / mara).read_bytes() == (kept_site / mara).read_bytes()


@pytest.mark.integration
def test_a_template_that_keeps_the_look_from_pages_is_told_of(tmp_path: Path) -> None:
    wiki = Wiki(theme={"name": "material"})
    project = written(tmp_path, wiki, chronicle=True)
    settings = (project / "mkdocs.yml").read_text(encoding="utf-8")
    settings = settings.replace('"chronicle"]', '{"chronicle": {"look": "site"}}]')
    (project / "mkdocs.yml").write_text(settings, encoding="utf-8")
    result = run(sys.executable, "-m", "mkdocs", "build", at=project)
    assert "overrides/main.html" in result and "chronicle/site.html" in result
    override = project / "overrides" / "main.html"
    override.write_text(OVERRIDE.replace("base.html", "chronicle/site.html"), encoding="utf-8")
    assert "look: site" not in run(sys.executable, "-m", "mkdocs", "build", at=project)
    for page in ("index.html", f"{CAMPAIGN}/index.html"):
        text = (project / "site" / page).read_text(encoding="utf-8")
        assert WHOLE_STYLE in text and "ch-header" in text and "Mine" in text, page
