"""Chronicle's look in a theme of MkDocs: the whole site, or the pages of campaigns alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from jinja2 import BytecodeCache, Environment, FileSystemLoader
from jinja2.bccache import Bucket
from markupsafe import Markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.theme import Theme

from chronicle.adapters.pages import UnchangedFile, replace_file
from chronicle.publish import Site
from chronicle.site import look
from chronicle.site.draw import message_markup
from chronicle.site.files import SiteFile
from chronicle.site.fonts import letters_of
from chronicle.site.news import FEED_FILE as FEED

MATERIAL = "material"
"""The theme that Chronicle's look of a whole site is made for."""

_HIDDEN = re.compile(r"(?:^|/)\.")
_INDENT = re.compile(r"\s*\n\s*")
_KEEPS_SPACES = re.compile(r"<(?:pre|textarea)\b|`")


def dress_site(config: MkDocsConfig, warn: Callable[[str], object]) -> None:
    """Put Chronicle's templates before those of Material for MkDocs, and set what they rely on.

    The author's choices win: a `custom_dir` of theirs still wins, a palette of theirs is kept and
    features are added to, never removed.

    Args:
        config: MkDocs's configuration.
        warn: told what keeps the look from pages.
    """
    theme = config.theme
    own_main = Path(theme.custom_dir, "main.html") if theme.custom_dir else None
    if (
        own_main is not None
        and own_main.is_file()
        and SITE_TEMPLATE not in own_main.read_text(encoding="utf-8")
    ):
        warn(
            f"{own_main.parent.name}/main.html keeps Chronicle's look (look: site) from your pages: let it extend "
            f"'{SITE_TEMPLATE}'"
        )
    template_index = 1 if theme.custom_dir else 0
    if str(look.THEME_TEMPLATES) not in theme.dirs:
        theme.dirs.insert(template_index, str(look.THEME_TEMPLATES))
    theme["font"] = False
    if theme.get("favicon") == look.FAVICON_OF_MATERIAL:
        theme["favicon"] = look.FAVICON
    if not theme.get("palette"):
        theme["palette"] = look.colour_schemes()
    features = list(theme.get("features") or [])
    theme["features"] = features + [name for name in look.MATERIAL_FEATURES if name not in features]


SITE_TEMPLATE = "chronicle/site.html"
"""The template of every page in a site in our look, as the theme finds it."""


def frame_page(page: SiteFile) -> SiteFile:
    """A page of ours in a site in our look, whose search covers it: that of the theme leaves it out."""
    return replace(page, meta={**page.meta, "search": {"exclude": True}})


def template_globals(
    site: Site, failed_folders: Collection[str], roots: Collection[str]
) -> dict[str, Any]:
    """What the templates of a site in our look ask for: labels, and what leads on from an address without a page.

    Args:
        site: the campaigns.
        failed_folders: the folders of campaigns that cannot be shown.
        roots: what lies at the root of the site.
    """
    not_found_data = site.shared_pages.not_found_data()
    # Of an archive the campaigns are no files of this build.
    elsewhere = {*(story["folder"] for story in not_found_data["stories"]), *failed_folders}
    known_roots = {address.partition("/")[0] for address in elsewhere} | {*roots} - {""}
    return {
        "word": message_markup,
        "chronicle_lost": {**not_found_data, "known": sorted(known_roots)},
    }


def template_variables(
    site: Site, finished: SiteFile | None, config: MkDocsConfig, *, only_one: bool
) -> dict[str, Any]:
    """What the templates ask for on one page: the campaign's navigation, the desk, and where the site's address is
    known, its picture and its feed.

    Args:
        site: the campaigns.
        finished: the page as Chronicle rendered it; None for a hand-written one.
        config: MkDocs's configuration.
        only_one: whether one campaign is built alone, which has a feed if any has.
    """
    shared_pages = site.shared_pages
    variables: dict[str, Any] = {}
    if finished is not None:
        variables |= {"above": Markup(finished.html_above), "below": Markup(finished.html_below)}
    if shared_pages.has_desk:
        variables["chronicle_desk"] = "desk/index.html"
    if config.site_url:
        variables["chronicle_image"] = (
            shared_pages.first_campaign.share_picture_path if shared_pages.first_campaign else ""
        )
        if only_one or any(card.dated_sessions for card in shared_pages.cards):
            variables["chronicle_feed"] = FEED
    return variables


def give_parents(nav: Navigation, files: Files) -> None:
    """Make each page that the navigation does not list a child of the page whose folder it is in: the theme then opens
    the navigation there."""
    listed_pages = {page.file.src_uri: page for page in nav.pages}
    for file in files.documentation_pages():
        folder, item = file.src_uri.rpartition("/")[0], file.page
        if item is None or not folder or file.src_uri in listed_pages:
            continue
        parent_page = listed_pages.get(f"{folder}.md") or listed_pages.get(f"{folder}/index.md")
        if parent_page is not None:
            # MkDocs knows sections as parents, and asks them no more than what a page has, too.
            item.parent = cast("Section", parent_page)


def without_indents(output: str, body: str) -> str:
    """A page without the line breaks and indents that templates leave around its body."""
    if not body:
        return output
    above, _, below = output.partition(body)
    if not below or _KEEPS_SPACES.search(above + below):
        return output
    return _INDENT.sub("\n", above) + body + _INDENT.sub("\n", below)


class Assets:
    """The assets of the look, kept from build to build."""

    def __init__(self) -> None:
        self._last: list[File] = []

    def add_to(
        self,
        files: Files,
        config: MkDocsConfig,
        shown: Iterable[SiteFile] | None,
        *,
        takes_whole_site: bool,
        unchanged: bool,
    ) -> None:
        """Add the assets to the files of the site.

        Args:
            files: the files of the site.
            config: MkDocs's configuration.
            shown: our pages, whose letters say which fonts are needed; None: all fonts.
            takes_whole_site: whether the owner's pages have our look, too.
            unchanged: whether those of the last build are in the site already.
        """
        if unchanged and self._last:
            self._last = [replace_file(file, UnchangedFile, config) for file in self._last]
        else:
            letters = (
                None
                if shown is None
                else _letters(files, config, shown, takes_whole_site=takes_whole_site)
            )
            self._last = [*asset_files(config, letters, guest=not takes_whole_site)]
        for file in self._last:
            files.append(file)


def _letters(
    files: Files, config: MkDocsConfig, shown_pages: Iterable[SiteFile], *, takes_whole_site: bool
) -> frozenset[str]:
    letters = letters_of(shown_pages)
    if not takes_whole_site:
        return letters
    written_texts = (file.content_string for file in files.documentation_pages())
    return letters.union(f"{config.site_name}{config.nav}{config.copyright}", *written_texts)


def leave_out_source_maps(files: Files, config: MkDocsConfig) -> None:
    """Leave out the source maps of the theme, which no reader needs: half of an empty site of Material."""
    for file in files.media_files():
        if file.src_uri.endswith(".map") and file.src_dir in config.theme.dirs:
            files.remove(file)


def asset_files(
    config: MkDocsConfig, letters: frozenset[str] | None = None, *, guest: bool
) -> Iterator[File]:
    """Yield the assets as files of the build; for the arguments see :func:`chronicle.site.look.assets`."""
    for uri, asset in look.assets(letters, is_guest_site=guest):
        if isinstance(asset, str):
            yield File.generated(config, uri, content=asset)
        else:
            yield File.generated(config, uri, abs_src_path=str(asset))


class CompiledTemplates(BytecodeCache):
    """Keeps the compiled templates of a theme from build to build, by their content."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in a template that was compiled before."""
        compiled = self._compiled.get((bucket.key, bucket.checksum))
        if compiled is not None:
            bucket.bytecode_from_string(compiled)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template that was compiled now."""
        self._compiled[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


class KeptLoader(FileSystemLoader):
    """Finds the templates and files of a theme, and lists them once.

    The list leaves out hidden files, which are no files of a site: the ten thousand icons of Material are such.
    """

    def __init__(self, folders: Iterable[str]) -> None:
        super().__init__([*folders])
        self._names: list[str] | None = None

    def list_templates(self) -> list[str]:
        """Return the names of all templates and files that are not hidden."""
        if self._names is None:
            self._names = [name for name in super().list_templates() if not _HIDDEN.search(name)]
        return self._names


class KeptTheme(Theme):
    """A theme that reads its templates once, for many small builds.

    Args:
        theme: the theme that it replaces.
        static: whether it brings pages of its own, such as a page for unknown addresses.
    """

    def __init__(self, theme: Theme, *, static: bool) -> None:
        super().__init__(name=theme.name, custom_dir=theme.custom_dir)
        self.update(theme)
        self.dirs = theme.dirs
        self.static_templates = set(theme.static_templates) if static else set()
        self._env = super().get_env().overlay(loader=KeptLoader(self.dirs))

    def get_env(self) -> Environment:
        """Return the templates."""
        return self._env


class ThemeKeeper:
    """Keeps the theme, whose templates are read, while nothing but campaigns is built."""

    def __init__(self) -> None:
        self._theme: KeptTheme | None = None

    def put_back(self, config: MkDocsConfig) -> None:
        """Set the theme of the last build, if one is kept."""
        if self._theme is not None:
            config["theme"] = self._theme

    def keep(self, config: MkDocsConfig, *, static: bool) -> None:
        """Set the theme that is kept; where there is none, keep that of the configuration.

        Args:
            config: MkDocs's configuration.
            static: whether the theme brings pages of its own.
        """
        if self._theme is None:
            self._theme = KeptTheme(config.theme, static=static)
        config["theme"] = self._theme

    def forget(self) -> None:
        """Keep none."""
        self._theme = None
