"""Chronicle's look: templates for themes, stylesheets and other asset files.

Chronicle's own sites wear all of it. In another site it is a guest: its stylesheet applies to the
element `ch-guest` alone, which stands around what Chronicle drew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from chronicle.site import fonts
from chronicle.site.guest_style import stylesheet_for_guests
from chronicle.words import MESSAGES, word

ROOT = Path(__file__).parent
THEME = ROOT / "theme"
"""Templates for a whole site in our look."""
GUEST = ROOT / "guest"
"""Templates for our pages in another site."""
ASSETS = fonts.ASSETS
NOT_OF_A_SITE = ("book", "css", "desk", "device", "script")
"""Folders of assets that go into no site as they are: styles of the book, the layers of the stylesheet, the
desk, what scripts share."""
ASSET_URL = "assets/chronicle"
STYLESHEET = f"{ASSET_URL}/chronicle.css"
GUEST_STYLESHEET = f"{ASSET_URL}/guest.css"
GUEST_STYLES = (fonts.SHEET, "guest.css")
GUEST_SCRIPTS = ("chronicle.js",)
"""What a page of the owner's loads that shows something of ours."""

FAVICON = f"{ASSET_URL}/icon.svg"
FAVICON_OF_MATERIAL = "assets/images/favicon.png"

LAYERS = (
    "tokens",
    "type",
    "header",
    "search",
    "page",
    "bits",
    "fiction",
    "emblems",
    "people",
    "cast",
    "cards",
    "quote",
    "thread",
    "recap",
    "home",
    "archive",
    "try",
    "findings",
    "session",
    "dice",
    "reader",
    "sheet",
    "tables",
    "timeline",
    "gallery",
    "lists",
    "story",
    "graph",
    "map",
    "charts",
    "boards",
    "rules",
    "example",
    "print",
    "motion",
)
"""The files of ``assets/css/`` in the order they are read: one a component, each with its own rules for
narrow screens and for print. Of two rules as strong as each other the later one counts."""

_STRICT = '  "use strict";\n'
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CSS_SPACE = re.compile(r" ?([{};,]) ?")
_MESSAGE_KEY = re.compile(r'"(script\.\w+)"')

FEATURES = ("navigation.indexes", "navigation.prune", "navigation.footer")


def palette() -> list[dict[str, object]]:
    """Return the three colour schemes: automatic, light, dark (two would stick at the first)."""
    return [
        _scheme("(prefers-color-scheme)", "default", "brightness-auto", word("site.scheme_system")),
        _scheme(
            "(prefers-color-scheme: light)", "default", "weather-sunny", word("site.scheme_light")
        ),
        _scheme("(prefers-color-scheme: dark)", "slate", "weather-night", word("site.scheme_dark")),
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


def stylesheet() -> str:
    """Return all layers as the one file that pages load."""
    folder = ASSETS / "css"
    return "\n".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in LAYERS)


def script(path: Path) -> str:
    """Return a script of the site with the messages of the catalogue that it asks for."""
    text = path.read_text(encoding="utf-8")
    used = {key: MESSAGES[key] for key in sorted(set(_MESSAGE_KEY.findall(text)))}
    if not used:
        return text
    messages = json.dumps(used, ensure_ascii=False, separators=(",", ":"))
    filler = (ASSETS / "script" / "messages.js").read_text(encoding="utf-8")
    return text.replace(_STRICT, f"{_STRICT}  var MESSAGES = {messages};\n{filler}", 1)


def assets(
    letters: frozenset[str] | None = None, *, guest: bool = True
) -> Iterator[tuple[str, Path | str]]:
    """Yield every asset of a site as (path within the site, file on disk or its text).

    Args:
        letters: the letters of its pages, which say which fonts it needs; by default, it gets all.
        guest: whether pages of ours stand in another look than ours.
    """
    for path in sorted(ASSETS.rglob("*")):
        name = path.relative_to(ASSETS).as_posix()
        if path.is_dir() or path.parent.name in NOT_OF_A_SITE or path.suffix == ".woff2":
            continue
        own = path.parent == ASSETS and path.suffix == ".js"
        if name != fonts.SHEET:
            yield f"{ASSET_URL}/{name}", script(path) if own else path
    rules, files = fonts.fonts_for(letters) if letters is not None else fonts.every_font()
    yield f"{ASSET_URL}/{fonts.SHEET}", "\n".join(rules) + "\n"
    for name in files:
        yield f"{ASSET_URL}/{name}", ASSETS / name
    whole = stylesheet()
    yield STYLESHEET, shortened(whole)
    if guest:
        yield GUEST_STYLESHEET, shortened(stylesheet_for_guests(whole))


def shortened(css: str) -> str:
    """A stylesheet without its comments, and without spaces that mean nothing."""
    return _CSS_SPACE.sub(r"\1", " ".join(_CSS_COMMENT.sub("", css).split())) + "\n"


def write_offline_index(site: Path) -> None:
    """Write the search index of a built site as a script beside the JSON, for pages opened from a disk.

    A browser refuses to fetch a file from `file://` but loads a script. Does nothing when search is off.
    """
    index = site / "search" / "search_index.json"
    if not index.is_file():
        return
    index.with_suffix(".js").write_text(
        "var __index = " + index.read_text(encoding="utf-8"),
        encoding="utf-8",
        newline="\n",
    )
