"""Drawings that carry their own inks: readers and printers apply no stylesheet of the page to them, and
know no custom properties. What the inks are, the stylesheets of the site say."""

from __future__ import annotations

import re
from functools import lru_cache

from chronicle.site.look import ASSETS

_SET = re.compile(r"--([\w-]+):\s*([^;}]+)[;}]")
_VAR = re.compile(r"var\(--([\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)")
_TIES = re.compile(r"((?:\.k-[\w-]+(?:,\s*)?)+)\s*\{([^}]*)\}")
_LAYOUT = re.compile(
    r"(?<=[{; ])(?:width|height|flex|aspect-ratio|vertical-align|display): [^;}]+; ?"
)
"""What says how large a drawing is: that is for the leaf it stands on."""
_PLAIN = ".ch-graph__edge text{stroke:none}"
"""Not everything that draws books knows that a stroke may lie below the letters."""
_SVG = re.compile(r"<svg\b([^>]*)>")


@lru_cache(maxsize=1)
def _tokens() -> dict[str, str]:
    """The inks on paper."""
    text = (ASSETS / "css/tokens.css").read_text(encoding="utf-8").partition("@media")[0]
    found: dict[str, str] = {}
    for name, value in _SET.findall(text):
        found.setdefault(name, value.strip())
    return found | {"sheet": "#fff", "paper": "#fff"}


def resolved(css: str) -> str:
    """Rules with every custom property that the tokens know put in."""
    while True:
        put = _VAR.sub(lambda var: _tokens().get(var[1], var[2] or "inherit"), css)
        if put == css:
            # Not everything that draws books knows it in small letters.
            return css.replace("currentcolor", "currentColor")
        css = put


@lru_cache(maxsize=2)
def _rules(layer: str) -> str:
    """The rules of a layer for its drawings alone."""
    text = (ASSETS / f"css/{layer}.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text.partition("@media")[0], flags=re.DOTALL)
    ties: list[str] = []
    for names, body in _TIES.findall(text):
        inks = {name: resolved(value.strip()) for name, value in _SET.findall(body)}
        for name in re.findall(r"\.k-[\w-]+", names):
            if "ink-of" in inks:
                ink = inks["ink-of"]
                ties.append(f"{name} path,{name} line{{stroke:{ink}}}{name} polygon{{fill:{ink}}}")
            if "dash" in inks:
                ties.append(f"{name} path,{name} line{{stroke-dasharray:{inks['dash']}}}")
    kept = [
        rule
        for rule in re.findall(r"[^{}]+\{[^{}]*\}", _TIES.sub("", text))
        if f"ch-{layer.removesuffix('s')}" in rule
        and "md-typeset" not in rule
        and ":is(:" not in rule
    ]
    return _LAYOUT.sub("", " ".join(resolved(" ".join(kept)).split())) + "".join(ties) + _PLAIN


def inked(markup: str) -> str:
    """HTML whose drawings carry their inks."""

    def put(svg: re.Match[str]) -> str:
        head = svg[1] if "xmlns" in svg[1] else f' xmlns="http://www.w3.org/2000/svg"{svg[1]}'
        layer = "graph" if "ch-graph" in head or "ch-tie" in head else "emblems"
        return f"<svg{head}><style>{_rules(layer)}</style>"

    return _SVG.sub(put, markup)
