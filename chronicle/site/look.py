"""Chronicle's look: templates for themes, stylesheets and other asset files.

Chronicle's own sites use all of it. In other sites, its stylesheet applies only to the element `ch-guest`
around Chronicle's content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from chronicle.site import fonts
from chronicle.site.guest_style import stylesheet_for_guests
from chronicle.words import MESSAGES, word

SITE_PACKAGE = Path(__file__).parent
THEME_TEMPLATES = SITE_PACKAGE / "theme"
"""Templates for a whole site in our look."""
GUEST_TEMPLATES = SITE_PACKAGE / "guest"
"""Templates for our pages in another site."""
ASSETS = fonts.ASSETS
UNCOPIED_FOLDERS = ("book", "css", "desk", "device", "script")
"""Folders of assets that no site copies unchanged: styles of the book, the layers of the stylesheet, the
desk, shared parts of scripts."""
ASSET_URL = "assets/chronicle"
STYLESHEET = f"{ASSET_URL}/chronicle.css"
GUEST_STYLESHEET = f"{ASSET_URL}/guest.css"
GUEST_STYLES = (fonts.FONT_STYLESHEET, "guest.css")
GUEST_SCRIPTS = ("chronicle.js",)
"""What a page of the owner's loads that shows something of ours."""

ARCHIVE_SCRIPT = "archive.js"
"""The script that the pages of an archive load, and no others."""
PLAIN_SCRIPT = "scheme.js"
"""The script that pages load which no builder of sites has drawn, and no others."""
SITE_SCRIPT = "palette.js"
"""The script that only pages of a whole site in our look load."""

FAVICON = f"{ASSET_URL}/icon.svg"
FAVICON_OF_MATERIAL = "assets/images/favicon.png"

STYLE_LAYERS = (
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
    "life",
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
_CSS_SPACE = re.compile(r" ?([{};,>]) ?|(?<=:) ")
_CSS_ZERO = re.compile(r"(?<![\w.])0(?=\.\d)|;(?=\})")
"""The zero before a point, and a semicolon that nothing follows."""
_MESSAGE_KEY = re.compile(r'"(script\.\w+)"')

MATERIAL_FEATURES = ("navigation.indexes", "navigation.prune", "navigation.footer")


def colour_schemes() -> list[dict[str, object]]:
    """Return the three colour schemes: automatic, light, dark (two would stick at the first)."""
    return [
        _colour_scheme(
            "(prefers-color-scheme)", "default", "brightness-auto", word("site.scheme_system")
        ),
        _colour_scheme(
            "(prefers-color-scheme: light)", "default", "weather-sunny", word("site.scheme_light")
        ),
        _colour_scheme(
            "(prefers-color-scheme: dark)", "slate", "weather-night", word("site.scheme_dark")
        ),
    ]


def _colour_scheme(
    media: str, scheme_name: str, icon_name: str, toggle_name: str
) -> dict[str, object]:
    toggle = {"icon": f"material/{icon_name}", "name": toggle_name}
    return {
        "media": media,
        "scheme": scheme_name,
        "primary": "custom",
        "accent": "custom",
        "toggle": toggle,
    }


def stylesheet() -> str:
    """Return all layers as the single file that pages load."""
    css_folder = ASSETS / "css"
    return "\n".join(
        (css_folder / f"{layer}.css").read_text(encoding="utf-8") for layer in STYLE_LAYERS
    )


def script_with_messages(script_file: Path) -> str:
    """Return a script of the site with the messages of the catalogue that it asks for."""
    script_text = script_file.read_text(encoding="utf-8")
    message_by_key = {
        message_key: MESSAGES[message_key]
        for message_key in sorted(set(_MESSAGE_KEY.findall(script_text)))
    }
    if not message_by_key:
        return script_text
    messages = json.dumps(message_by_key, ensure_ascii=False, separators=(",", ":"))
    message_script = (ASSETS / "script" / "messages.js").read_text(encoding="utf-8")
    return script_text.replace(
        _STRICT, f"{_STRICT}  var MESSAGES = {messages};\n{message_script}", 1
    )


def script_asset(file_name: str) -> tuple[str, str]:
    """Return a script that not every site has, as (path within the site, text)."""
    return f"{ASSET_URL}/{file_name}", script_with_messages(ASSETS / file_name)


def assets(
    letters: frozenset[str] | None = None, *, is_guest_site: bool
) -> Iterator[tuple[str, Path | str]]:
    """Yield the assets of every site as (path within the site, file on disk or its text).

    Args:
        letters: the letters of its pages, which say which fonts it needs; by default, it gets all.
        is_guest_site: whether the site has another look than ours, and so the stylesheet for guests.
    """
    for file in sorted(ASSETS.rglob("*")):
        asset_path = file.relative_to(ASSETS).as_posix()
        if file.is_dir() or file.parent.name in UNCOPIED_FOLDERS or file.suffix == ".woff2":
            continue
        if asset_path in (ARCHIVE_SCRIPT, PLAIN_SCRIPT) or (
            is_guest_site and asset_path == SITE_SCRIPT
        ):
            continue
        is_script = file.parent == ASSETS and file.suffix == ".js"
        if asset_path != fonts.FONT_STYLESHEET:
            yield f"{ASSET_URL}/{asset_path}", script_with_messages(file) if is_script else file
    font_rules, font_files = fonts.fonts_for(letters) if letters is not None else fonts.all_fonts()
    yield f"{ASSET_URL}/{fonts.FONT_STYLESHEET}", "\n".join(font_rules) + "\n"
    for asset_path in font_files:
        yield f"{ASSET_URL}/{asset_path}", ASSETS / asset_path
    css = stylesheet()
    if is_guest_site:
        yield GUEST_STYLESHEET, minify_css(stylesheet_for_guests(css))
    else:
        yield STYLESHEET, minify_css(css)


def minify_css(css: str) -> str:
    """A stylesheet without its comments, and without letters that mean nothing.

    Args:
        css: a stylesheet whose strings hold no text with a point, a colon or a brace, but pictures.
    """
    minified = _CSS_SPACE.sub(r"\1", " ".join(_CSS_COMMENT.sub("", css).split()))
    return _CSS_ZERO.sub("", minified) + "\n"
