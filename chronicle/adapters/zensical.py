"""Chronicle in Zensical, which ignores plug-ins that it does not know: a script before the build writes the pages.

The script (:func:`write_sources`) puts the pages of the owner and of the campaigns into one folder, as Markdown files
with front matter, with settings that inherit the owner's. Zensical builds that folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from markupsafe import escape

from chronicle.adapters import guest
from chronicle.adapters.build import Settings, plugin_in, read_settings
from chronicle.adapters.config import SESSIONS
from chronicle.adapters.pages import address_taken_warning, find_logs
from chronicle.adapters.settings import roots_below
from chronicle.core.errors import Refused
from chronicle.core.output import filling_folder
from chronicle.examples import Examples
from chronicle.publish import Site, make_site, refuse_harmful_output
from chronicle.site import look
from chronicle.site.files import SiteFile, front_matter
from chronicle.site.fonts import letters_of
from chronicle.site.prose import one_line
from chronicle.words import word

SETTINGS_NAME: Final = "mkdocs.yml"
DOCS: Final = "docs"
OVERRIDES: Final = "overrides"
SITE_FOLDER: Final = "site"
_BRACES: Final = re.compile(r"\{(?=[{%#])")
"""What begins a macro."""


class ZensicalFailed(Refused):
    """Zensical is missing, or it refused the site."""

    help = ("chronicle build  builds the site with MkDocs",)


def build_with_zensical(
    file: Path,
    out: Path | None,
    *,
    through: int | None,
    strict: bool,
    warn: Callable[[str], object],
) -> Path:
    """Build a project's site with Zensical.

    Args:
        file: its ``mkdocs.yml``.
        out: where to; by default, where that says.
        through: show campaigns only up to this session.
        strict: whether warnings of Zensical end the build.
        warn: told what could not be read or drawn.

    Returns:
        The folder of the site.

    Raises:
        ZensicalFailed: when Zensical is not installed, or refuses the site.
        OutputRefused: when the site would replace a file that Chronicle did not write.
    """
    if find_spec("zensical") is None:
        raise ZensicalFailed("Zensical is not installed: pip install zensical")
    config = read_settings(file)
    site_dir = Path(os.path.relpath(config.site_dir)) if out is None else out
    refuse_harmful_output(site_dir, file.parent, empties_folder=False)
    with (
        TemporaryDirectory(prefix="chronicle_") as scratch,
        filling_folder(site_dir) as (staged, _),
    ):
        folder = Path(scratch)
        write_sources(config, folder, through=through, warn=warn)
        command = [sys.executable, "-m", "zensical", "build", "--clean", "-f", SETTINGS_NAME]
        process = subprocess.run(
            [*command, *(["--strict"] if strict else [])],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if process.returncode:
            messages = (process.stderr or process.stdout).strip().splitlines()
            reason = messages[-1] if messages else "it gives no reason"
            raise ZensicalFailed(f"Zensical refuses the site: {reason}")
        shutil.copytree(folder / SITE_FOLDER, staged, dirs_exist_ok=True)
    return site_dir


def write_sources(
    config: Settings,
    folder: Path,
    *,
    through: int | None = None,
    warn: Callable[[str], object] = print,
) -> None:
    """Write what Zensical builds: the owner's pages, those of the campaigns, templates and settings.

    Args:
        config: the owner's settings.
        folder: an empty folder.
        through: show campaigns only up to this session.
        warn: told what could not be read or drawn.
    """
    project = Path(config.config_file_path).parent.resolve()
    docs = folder / DOCS
    shutil.copytree(config.docs_dir, docs)
    logs, warnings = find_logs(Path(config.docs_dir), _sessions_of(config, project))
    for message in warnings:
        warn(message)
    for log in logs:
        shutil.rmtree(docs / log) if (docs / log).is_dir() else (docs / log).unlink()
    site = _site(config, project, docs, through, warn)
    _fill_written_pages(docs, site, project, warn)
    pages = [*site.files(), site.search_file(has_all_pages=False)]
    for page in pages:
        _write(docs, page, warn, folders=config.use_directory_urls)
    for name, asset in look.assets(letters_of(pages), is_guest_site=True):
        data = asset.encode() if isinstance(asset, str) else asset.read_bytes()
        _write_new(docs / name, data)
    overrides = folder / OVERRIDES
    if config.theme.custom_dir:
        shutil.copytree(config.theme.custom_dir, overrides)
    shutil.copytree(look.GUEST_TEMPLATES, overrides, dirs_exist_ok=True)
    settings: dict[str, Any] = {
        "INHERIT": str(Path(config.config_file_path).resolve()),
        "docs_dir": DOCS,
        "site_dir": SITE_FOLDER,
        "theme": {"custom_dir": OVERRIDES},
    }
    if config.nav:
        # Zensical appends a list to the inherited list; MkDocs would replace it.
        settings["nav"] = _nav_entries(config, site)
    lines = (f"{key}: {json.dumps(value)}\n" for key, value in settings.items())
    _write_new(folder / SETTINGS_NAME, "".join(lines).encode())


def _sessions_of(config: Settings, project: Path) -> Path:
    """The folder with the campaigns."""
    plugin = plugin_in(config)
    return plugin.sessions_of(config) if plugin is not None else project / SESSIONS


def _site(
    config: Settings,
    project: Path,
    docs: Path,
    through: int | None,
    warn: Callable[[str], object],
) -> Site:
    plugin = plugin_in(config)
    options = plugin.config if plugin is not None else None
    site = make_site(
        _sessions_of(config, project),
        project=project,
        uses_folder_urls=config.use_directory_urls,
        through=through if through is not None or options is None else options.through,
        first_campaign_folder=options.begin if options is not None else "",
        reference=options.reference if options is not None else True,
        book_endings=tuple(f".{kind}" for kind in options.book)
        if options is not None
        else (".epub",),
        reserved_addresses=roots_below(docs),
        site_url=config.site_url or "",
        guest=True,
        warn=warn,
    )
    for problem in site.problems:
        warn(problem)
    return site


def _source_of(page: str, *, folders: bool) -> str:
    """Where the source of a page lies. Zensical takes the addresses in it for those seen from its source: where
    pages are folders, so are their sources."""
    return f"{page}/index" if folders and page.rpartition("/")[2] != "index" else page


def _write(docs: Path, page: SiteFile, warn: Callable[[str], object], *, folders: bool) -> None:
    """Write a page or file of Chronicle's, unless a hand-written one has its address."""
    if page.contents is not None:
        _write_new(docs / page.path, page.contents)
        return
    source = docs / f"{_source_of(page.path, folders=folders)}.md"
    is_front = folders and source.stem == "index" and source.parent != docs
    for own_file in (
        source,
        source.with_name("README.md"),
        source.parent.with_name(f"{source.parent.name}.md"),
    ):
        if own_file.is_file() and (is_front or own_file == source):
            warn(address_taken_warning(own_file.relative_to(docs).as_posix(), DOCS, page.path))
            return
    body = page.markdown
    meta = dict(page.meta)
    if page.html:
        body = _as_markdown(guest.page_with_navigation(page))
        meta = guest.frame_page(page).meta
        # Themes write it into HTML without escaping.
        meta["title"] = str(escape(str(meta.get("title", page.title))))
    head = front_matter({**meta, "render_macros": False})
    _write_new(source, f"{head}\n{body}\n".encode())


def _write_new(file: Path, data: bytes) -> None:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _as_markdown(html: str) -> str:
    """HTML that Markdown passes through, and that macros take for text: a block of it has no line breaks."""
    return _BRACES.sub("&#123;", one_line(html))


def _fill_written_pages(
    docs: Path, site: Site, project: Path, warn: Callable[[str], object]
) -> None:
    """Fill in what the owner's pages ask for, before Markdown reads them."""
    examples = Examples(site.site_context, project)
    examples.reuse_campaign_sites(site.campaigns)
    for file in sorted(docs.rglob("*.md")):
        text = file.read_text(encoding="utf-8")
        source = file.relative_to(docs)
        # Addresses are seen from the source.
        place = (source.parent / "index").as_posix()

        def dress(piece: str) -> str:
            return _as_markdown(guest.in_our_style(piece))

        filled_page = examples.fill(text, place)
        for problem in filled_page.problems:
            warn(f"{source.as_posix()}:{problem.line}: {problem.message}")
        filled = filled_page.put_into(
            site.shared_pages.fill_markers(filled_page.markdown, place, dress), dress
        )
        if filled != text:
            url = site.shared_pages.url_builder.from_root(place)
            styles, _, scripts = guest.with_styles_and_scripts("\0", url).partition("\0")
            file.write_text(f"{filled}\n\n{styles}{scripts}\n", encoding="utf-8", newline="\n")


def _nav_entries(config: Settings, site: Site) -> list[Any]:
    """Entries that lead to the campaigns that the owner's navigation does not name."""
    entries = [
        {str(escape(card.title)): guest.front_of(card)}
        for card in guest.unnamed_campaigns(site, [*_pages_in(config.nav)], config)
    ]
    return entries if len(entries) < 2 else [{word("site.stories"): entries}]


def _pages_in(nav: Any) -> Iterator[str]:
    """The pages that a navigation names, by their paths among the sources."""
    if isinstance(nav, str):
        yield nav
    for item in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from _pages_in(item)
