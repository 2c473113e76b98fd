"""Drawings that carry their own inks: readers and printers apply no stylesheet of the page to them, and
know no custom properties. What the inks are, the stylesheets of the site say."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

from chronicle.site.look import ASSETS

_CUSTOM_PROPERTY = re.compile(r"--([\w-]+):\s*([^;}]+)[;}]")
_VAR_CALL = re.compile(r"var\(--([\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)")
_KIND_RULES = re.compile(r"((?:\.k-[\w-]+(?:,\s*)?)+)\s*\{([^}]*)\}")
_SIZE_RULE = re.compile(
    r"(?<=[{; ])(?:width|height|flex|aspect-ratio|vertical-align|display): [^;}]+; ?"
)
"""The rules that set the size of a drawing. In a book, the page sets it."""
_ENDED_TIE_RULE = re.compile(r"(\.ch-bond\.[\w-]+)\s*\{\s*--dash:\s*([^;}]+);\s*\}")
_MAP_CLASSES = ("ch-map", "ch-bond", "ch-counted")
_NO_TEXT_STROKE = ":is(.ch-graph__edge,.ch-map,.ch-counted) text{stroke:none!important}"
"""Some programs that draw books cannot put a stroke below the letters."""
_SVG = re.compile(r"<svg\b([^>]*)>")


@lru_cache(maxsize=1)
def _paper_colours() -> dict[str, str]:
    """The inks on paper."""
    css = (ASSETS / "css/tokens.css").read_text(encoding="utf-8").partition("@media")[0]
    values_by_token: dict[str, str] = {}
    for token, property_value in _CUSTOM_PROPERTY.findall(css):
        values_by_token.setdefault(token, property_value.strip())
    return values_by_token | {"sheet": "#fff", "paper": "#fff"}


def resolve_properties(css: str) -> str:
    """Rules with every custom property that the tokens know put in."""
    while True:
        resolved_css = _VAR_CALL.sub(
            lambda var_call: _paper_colours().get(var_call[1], var_call[2] or "inherit"), css
        )
        if resolved_css == css:
            # Not everything that draws books knows it in small letters.
            return css.replace("currentcolor", "currentColor")
        css = resolved_css


CLASSES_BY_STYLESHEET = MappingProxyType(
    {"graph": ("ch-graph",), "emblems": ("ch-emblem",), "map": _MAP_CLASSES}
)
"""What the layers draw, by the classes of their drawings."""


@lru_cache(maxsize=4)
def _rules_from_stylesheets(*stylesheets: str) -> str:
    """The rules of layers for their drawings alone."""
    css = "".join(
        (ASSETS / f"css/{stylesheet}.css").read_text(encoding="utf-8").partition("@media")[0]
        for stylesheet in stylesheets
    )
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    class_names = [
        class_name for stylesheet in stylesheets for class_name in CLASSES_BY_STYLESHEET[stylesheet]
    ]
    kind_rules: list[str] = []
    for selectors, rule_body in _KIND_RULES.findall(css):
        custom_properties = {
            property_name: resolve_properties(property_value.strip())
            for property_name, property_value in _CUSTOM_PROPERTY.findall(rule_body)
        }
        for kind_selector in re.findall(r"\.k-[\w-]+", selectors):
            if "line-colour" in custom_properties:
                line_colour = custom_properties["line-colour"]
                kind_rules.append(
                    f"{kind_selector} path,{kind_selector} line{{stroke:{line_colour}}}"
                    f"{kind_selector} polygon,{kind_selector} .s{{fill:{line_colour}}}"
                )
            if "dash" in custom_properties:
                kind_rules.append(
                    f"{kind_selector} path,{kind_selector} line{{stroke-dasharray:{custom_properties['dash']}}}"
                )
    kind_rules += (
        f"{selector} path{{stroke-dasharray:{dash}}}"
        for selector, dash in _ENDED_TIE_RULE.findall(css)
    )
    drawing_rules = [
        css_rule
        for css_rule in re.findall(r"[^{}]+\{[^{}]*\}", _KIND_RULES.sub("", css))
        if any(class_name in css_rule for class_name in class_names)
        and "md-typeset" not in css_rule
        and ":is(:" not in css_rule
    ]
    return (
        _SIZE_RULE.sub("", " ".join(resolve_properties(" ".join(drawing_rules)).split()))
        + "".join(kind_rules)
        + _NO_TEXT_STROKE
    )


def embed_drawing_styles(markup: str) -> str:
    """HTML whose drawings carry their inks."""

    def add_style(svg_tag: re.Match[str]) -> str:
        svg_attributes = (
            svg_tag[1]
            if "xmlns" in svg_tag[1]
            else f' xmlns="http://www.w3.org/2000/svg"{svg_tag[1]}'
        )
        stylesheets: tuple[str, ...] = ("emblems",)
        if any(class_name in svg_attributes for class_name in _MAP_CLASSES):
            stylesheets = ("emblems", "graph", "map")
        elif "ch-graph" in svg_attributes or "ch-tie" in svg_attributes:
            stylesheets = ("graph",)
        return f"<svg{svg_attributes}><style>{_rules_from_stylesheets(*stylesheets)}</style>"

    return _SVG.sub(add_style, markup)
