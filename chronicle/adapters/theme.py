"""Chronicle's look in a theme of MkDocs: the whole site, or the pages of campaigns alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.theme import Theme

from chronicle.publish import Site
from chronicle.site import look
from chronicle.site.draw import worded
from chronicle.site.files import SiteFile
from chronicle.site.fonts import letters_of

MATERIAL = "material"
"""The theme that Chronicle's look of a whole site is made for."""

_INDENT = re.compile(r"\s*\n\s*")
_KEEPS_SPACES = re.compile(r"<(?:pre|textarea)\b|`")


def dress_site(config: MkDocsConfig, warn: Callable[[str], object]) -> None:
    """Put Chronicle's templates before those of Material for MkDocs, and set what they rely on.

    The author's choices win: an own `custom_dir` still wins, an own palette is kept and
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
    place = 1 if theme.custom_dir else 0
    if str(look.THEME) not in theme.dirs:
        theme.dirs.insert(place, str(look.THEME))
    theme["font"] = False
    if theme.get("favicon") == look.FAVICON_OF_MATERIAL:
        theme["favicon"] = look.FAVICON
    if not theme.get("palette"):
        theme["palette"] = look.palette()
    features = list(theme.get("features") or [])
    theme["features"] = features + [name for name in look.FEATURES if name not in features]


SITE_TEMPLATE = "chronicle/site.html"
"""The template of every page in a site in our look, as the theme finds it."""


def globals_of(site: Site, fallen: Collection[str], roots: Collection[str]) -> dict[str, Any]:
    """What the templates of a site in our look ask for: labels, and what leads on from an address without a page.

    Args:
        site: the campaigns.
        fallen: the folders of campaigns that cannot be shown.
        roots: what lies at the root of the site.
    """
    lost = site.library.lost()
    # Of an archive the campaigns are no files of this build.
    elsewhere = {*(story["folder"] for story in lost["stories"]), *fallen}
    known_roots = {at.partition("/")[0] for at in elsewhere} | {*roots} - {""}
    return {"word": worded, "chronicle_lost": {**lost, "known": sorted(known_roots)}}


def without_indents(output: str, body: str) -> str:
    """A page without the line breaks and indents that templates leave around its body."""
    if not body:
        return output
    above, _, below = output.partition(body)
    if not below or _KEEPS_SPACES.search(above + below):
        return output
    return _INDENT.sub("\n", above) + body + _INDENT.sub("\n", below)


def add_assets(
    files: Files, config: MkDocsConfig, shown: Iterable[SiteFile] | None, *, whole: bool
) -> None:
    """Add the assets of the look to the files of a site.

    Args:
        files: the files of the site.
        config: MkDocs's configuration.
        shown: our pages, whose letters say which fonts are needed; None: all fonts.
        whole: whether the owner's pages have our look, too.
    """
    if whole:
        _leave_out_source_maps(files, config)
    letters = None
    if shown is not None:
        letters = letters_of(shown)
        if whole:
            written = (file.content_string for file in files.documentation_pages())
            titles = f"{config.site_name}{config.nav}{config.copyright}"
            letters = letters.union(titles, *written)
    for file in asset_files(config, letters, guest=not whole):
        files.append(file)


def _leave_out_source_maps(files: Files, config: MkDocsConfig) -> None:
    """Leave out the source maps of the theme, which no reader needs: half of an empty site of Material."""
    for file in files.media_files():
        if file.src_uri.endswith(".map") and file.src_dir in config.theme.dirs:
            files.remove(file)


def asset_files(
    config: MkDocsConfig, letters: frozenset[str] | None = None, *, guest: bool = True
) -> Iterator[File]:
    """Yield the assets as files of the build; for the arguments see :func:`chronicle.site.look.assets`."""
    for uri, asset in look.assets(letters, guest=guest):
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


class KeptTheme(Theme):
    """A theme that reads its templates once, for many small builds, and brings no files of its own.

    Args:
        theme: the theme that it takes the place of.
        env: its templates, where an earlier build has read them.
    """

    def __init__(self, theme: Theme, env: Environment | None) -> None:
        super().__init__(name=theme.name, custom_dir=theme.custom_dir)
        self.update(theme)
        self.dirs = theme.dirs
        self.static_templates = set()
        self._env = env

    def get_env(self) -> Environment:
        if self._env is None:
            self._env = super().get_env()
        return self._env


def project_of(config: MkDocsConfig) -> Path:
    """The folder of a project."""
    return Path(config.config_file_path or "mkdocs.yml").parent
