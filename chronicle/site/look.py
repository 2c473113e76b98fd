"""Chronicle's look as MkDocs sees it: the theme's overrides, its settings and its asset files.

The plugin calls `install` when the configuration is read, `asset_files` when files are collected
and `write_offline_index` when the site is built. `assets` alone serves builders that take plain
files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

ROOT = Path(__file__).parent
THEME = ROOT / "theme"
ASSETS = ROOT / "assets"
ASSET_URL = "assets/chronicle"

FEATURES = ("navigation.indexes", "navigation.prune", "navigation.footer")


def palette() -> list[dict[str, object]]:
    """Return the three colour schemes: automatic, light, dark (two would stick at the first)."""
    return [
        _scheme("(prefers-color-scheme)", "default", "brightness-auto", "Follow the system"),
        _scheme("(prefers-color-scheme: light)", "default", "weather-sunny", "Light: paper"),
        _scheme("(prefers-color-scheme: dark)", "slate", "weather-night", "Dark: lamplight"),
    ]


def _scheme(media: str, scheme: str, icon: str, name: str) -> dict[str, object]:
    toggle = {"icon": f"material/{icon}", "name": name}
    return {
        "media": media,
        "scheme": scheme,
        "primary": "custom",
        "accent": "custom",
        "toggle": toggle,
    }


def install(config: MkDocsConfig) -> None:
    """Put Chronicle's overrides before Material's templates and set what they rely on.

    What the site's author chose stands: an own `custom_dir` still wins, an own palette is kept and
    features are added to, never removed. Any other theme than Material is left alone.
    """
    theme = config.theme
    if theme.name != "material":
        return
    place = 1 if theme.custom_dir else 0
    if str(THEME) not in theme.dirs:
        theme.dirs.insert(place, str(THEME))
    theme["font"] = False
    if not theme.get("palette"):
        theme["palette"] = palette()
    chosen = list(theme.get("features") or [])
    theme["features"] = chosen + [name for name in FEATURES if name not in chosen]


def assets() -> Iterator[tuple[str, Path]]:
    """Yield every asset as (path within the site, file on disk), sorted."""
    for path in sorted(ASSETS.rglob("*")):
        if path.is_file():
            yield f"{ASSET_URL}/{path.relative_to(ASSETS).as_posix()}", path


def asset_files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the assets as files of the build, for `on_files`."""
    for uri, path in assets():
        yield File.generated(config, uri, abs_src_path=str(path))


def write_offline_index(config: MkDocsConfig) -> None:
    """Write the search index as a script beside the JSON, for pages opened from a disk.

    A browser refuses to fetch a file from `file://` but loads a script. Does nothing when search
    is off or pages have directory addresses (a disk has no server to resolve them).
    """
    index = Path(config.site_dir, "search", "search_index.json")
    if config.use_directory_urls or not index.is_file():
        return
    index.with_suffix(".js").write_text(
        "var __index = " + index.read_text(encoding="utf-8"),
        encoding="utf-8",
        newline="\n",
    )
