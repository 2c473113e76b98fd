"""What all pages of a site depend on besides the campaigns."""

from __future__ import annotations

import hashlib
import posixpath
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urljoin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from chronicle.adapters.config import project_of
from chronicle.core.output import OutputRefused
from chronicle.publish import reference_pages, refuse_harmful_output
from chronicle.site.files import SiteFile

HEAD_BYTES: Final = 500
"""How many bytes of a hand-written page are its head: front matter and title."""


def settings_digest(config: MkDocsConfig) -> str:
    """A hash of what every page depends on: the settings, the project's templates and theme, and the
    hand-written pages with their heads, since every page may name them in its navigation. It is the same
    wherever the project lies."""
    digest = hashlib.sha256()
    project = project_of(config)
    files = [Path(config.config_file_path)] if config.config_file_path else []
    for folder in (project / "templates", *(Path(d) for d in [config.theme.custom_dir] if d)):
        files += sorted(file for file in folder.rglob("*") if file.is_file())
    for file in files:
        if file.is_file():
            digest.update(f"\0{_within(file, project)}\0".encode())
            digest.update(file.read_bytes())
    for file in sorted(Path(config.docs_dir).rglob("*.md")):
        digest.update(f"\0{_within(file, project)}\0".encode())
        with file.open("rb") as stream:
            digest.update(stream.read(HEAD_BYTES))
    return digest.hexdigest()


def _within(file: Path, project: Path) -> str:
    """A file by its path in the project, if it is inside."""
    path, root = file.resolve(), project.resolve()
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def roots_of(files: Files) -> set[str]:
    """What lies at the root of the hand-written pages, a page or a folder."""
    return {uri.partition("/")[0].partition(".")[0] for uri in files.src_uris}


def roots_below(docs: Path) -> set[str]:
    """What lies at the root of a folder of hand-written pages, a page or a folder."""
    return {path.name.partition(".")[0] for path in docs.iterdir()} - {""}


def keep_site_off(config: MkDocsConfig) -> None:
    """Hold that the site goes nowhere near the files it is made of: MkDocs empties its folder before it builds.

    Raises:
        PluginError: when files would be lost that cannot be built again.
    """
    try:
        # MkDocs looks after the folder of its own pages by itself.
        refuse_harmful_output(Path(config.site_dir), project_of(config), empties_folder=True)
    except OutputRefused as error:
        raise PluginError(f"chronicle: {error}; name another folder for the site") from None


def reference_of(config: MkDocsConfig) -> list[SiteFile]:
    """The pages of Chronicle's own reference, if the site's navigation asks for them."""
    nav = str(config.nav or "")
    if "format.md" not in nav and "commands.md" not in nav:
        return []
    return [page for page in reference_pages() if f"{page.path}.md" in nav or "/" in page.path]


def edit_url_of(page: SiteFile, config: MkDocsConfig) -> str | None:
    """Where the file that a page comes from can be edited, if the project says where it lives."""
    if not page.source_path or not config.repo_url or not config.edit_uri:
        return None
    project = project_of(config).resolve()
    source = (project / page.source_path).resolve()
    if not source.is_relative_to(project):
        return None
    docs = posixpath.relpath(Path(config.docs_dir).resolve().as_posix(), project.as_posix())
    path_in_docs = posixpath.relpath(source.relative_to(project).as_posix(), docs)
    return urljoin(config.repo_url.rstrip("/") + "/", config.edit_uri + quote(path_in_docs))


def titles_in_nav(nav: Any) -> dict[str, str]:
    """The titles that a site's navigation gives to pages, by their paths among the sources."""
    titles: dict[str, str] = {}
    for item in nav or ():
        for title, inner in item.items() if isinstance(item, dict) else ():
            if isinstance(inner, str):
                titles[inner] = str(title)
            else:
                titles |= titles_in_nav(inner)
    return titles
