"""Drawings that carry their own inks: readers and printers apply no stylesheet of the page to them, and
know no custom properties. What the inks are, the stylesheets of the site say."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

from chronicle.site.look import ASSETS

_PROPERTY = re.compile(r"--([\w-]+):\s*([^;}]+)[;}]")
_VAR = re.compile(r"var\(--([\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)")
_KIND_RULES = re.compile(r"((?:\.k-[\w-]+(?:,\s*)?)+)\s*\{([^}]*)\}")
_LAYOUT = re.compile(
    r"(?<=[{; ])(?:width|height|flex|aspect-ratio|vertical-align|display): [^;}]+; ?"
)
"""The rules that set the size of a drawing. In a book, the page sets it."""
_ENDED_TIES = re.compile(r"(\.ch-bond\.[\w-]+)\s*\{\s*--dash:\s*([^;}]+);\s*\}")
_MAP_CLASSES = ("ch-map", "ch-bond", "ch-counted")
_NO_TEXT_STROKE = ":is(.ch-graph__edge,.ch-map,.ch-counted) text{stroke:none!important}"
"""Some programs that draw books cannot put a stroke below the letters."""
_SVG = re.compile(r"<svg\b([^>]*)>")


@lru_cache(maxsize=1)
def _paper_tokens() -> dict[str, str]:
    """The inks on paper."""
    text = (ASSETS / "css/tokens.css").read_text(encoding="utf-8").partition("@media")[0]
    tokens: dict[str, str] = {}
    for name, value in _PROPERTY.findall(text):
        tokens.setdefault(name, value.strip())
    return tokens | {"sheet": "#fff", "paper": "#fff"}


def resolve_properties(css: str) -> str:
    """Rules with every custom property that the tokens know put in."""
    while True:
        replaced = _VAR.sub(lambda var: _paper_tokens().get(var[1], var[2] or "inherit"), css)
        if replaced == css:
            # Not everything that draws books knows it in small letters.
            return css.replace("currentcolor", "currentColor")
        css = replaced


DRAWING_CLASSES = MappingProxyType(
    {"graph": ("ch-graph",), "emblems": ("ch-emblem",), "map": _MAP_CLASSES}
)
"""What the layers draw, by the classes of their drawings."""


@lru_cache(maxsize=4)
def _rules_for_layers(*layers: str) -> str:
    """The rules of layers for their drawings alone."""
    text = "".join(
        (ASSETS / f"css/{layer}.css").read_text(encoding="utf-8").partition("@media")[0]
        for layer in layers
    )
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    class_names = [name for layer in layers for name in DRAWING_CLASSES[layer]]
    kind_rules: list[str] = []
    for names, body in _KIND_RULES.findall(text):
        inks = {name: resolve_properties(value.strip()) for name, value in _PROPERTY.findall(body)}
        for name in re.findall(r"\.k-[\w-]+", names):
            if "ink-of" in inks:
                ink = inks["ink-of"]
                kind_rules.append(
                    f"{name} path,{name} line{{stroke:{ink}}}{name} polygon,{name} .s{{fill:{ink}}}"
                )
            if "dash" in inks:
                kind_rules.append(f"{name} path,{name} line{{stroke-dasharray:{inks['dash']}}}")
    kind_rules += (
        f"{selector} path{{stroke-dasharray:{dash}}}"
        for selector, dash in _ENDED_TIES.findall(text)
    )
    kept_rules = [
        rule
        for rule in re.findall(r"[^{}]+\{[^{}]*\}", _KIND_RULES.sub("", text))
        if any(name in rule for name in class_names)
        and "md-typeset" not in rule
        and ":is(:" not in rule
    ]
    return (
        _LAYOUT.sub("", " ".join(resolve_properties(" ".join(kept_rules)).split()))
        + "".join(kind_rules)
        + _NO_TEXT_STROKE
    )


def add_inks(markup: str) -> str:
    """HTML whose drawings carry their inks."""

    def with_style(svg: re.Match[str]) -> str:
        head = svg[1] if "xmlns" in svg[1] else f' xmlns="http://www.w3.org/2000/svg"{svg[1]}'
        layers: tuple[str, ...] = ("emblems",)
        if any(name in head for name in _MAP_CLASSES):
            layers = ("emblems", "graph", "map")
        elif "ch-graph" in head or "ch-tie" in head:
            layers = ("graph",)
        return f"<svg{head}><style>{_rules_for_layers(*layers)}</style>"

    return _SVG.sub(with_style, markup)
