"""Relation graphs: a CampaignView's graph through Graphviz to a small inline SVG that follows the theme.

The engine is ``graphviz-pure`` from the same environment, else a system ``dot``. Without either, or if the
engine takes too long, the page shows the graph's table only, and a warning says so.
"""

from __future__ import annotations

import hashlib
import math
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import SubprocessError, TimeoutExpired, run

import graphviz
from markupsafe import Markup, escape

from chronicle.core.campaign_view import Edge, Graph, Node, Ref
from chronicle.site.links import shortened, slugify
from chronicle.words import word

MAX_NODES = 150
"""A picture of a larger graph is unreadable; the page shows its table only."""
MAX_SECONDS = 20
_NODE_SHAPES = {"place": "box", "prop": "box", "player": "plain", "group": "octagon"}
_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"


def find_engine() -> str | None:
    """The layout engine to run: its path, or None."""
    installed = Path(sys.executable).with_name("graphviz-pure")
    for candidate in (installed, installed.with_suffix(".exe")):
        if candidate.is_file():
            return str(candidate)
    return shutil.which("graphviz-pure") or shutil.which("dot")


class GraphDrawer:
    """Draws graphs and caches the drawings by content. ``address`` turns a reference into a link; ``warn``
    receives one message about why a picture is missing."""

    def __init__(
        self,
        address: Callable[[Ref], str],
        colour: Callable[[str], int],
        warn: Callable[[str], object] = lambda message: None,
        cache: dict[str, str] | None = None,
    ) -> None:
        self._address = address
        self._colour = colour
        self._warn = warn
        self._cache = {} if cache is None else cache
        self._engine = find_engine()
        self.has_failed = False
        """Whether a picture could not be drawn."""

    def draw(self, graph: Graph) -> tuple[Markup, int] | None:
        """The picture of a graph and how wide it is, or None where only its table can be shown."""
        if not graph.nodes or len(graph.nodes) > MAX_NODES:
            return None
        drawn = self.run_layout(graph.title, self._dot_source(graph), "-Tsvg")
        return self._clean_svg(drawn, graph) if drawn is not None else None

    def run_layout(self, title: str, source: str, *options: str) -> str | None:
        """What Graphviz makes of a graph in DOT: its output, or None where it makes none."""
        if self._engine is None:
            self._warn_once("no Graphviz engine found: graphs are shown as tables")
            return None
        key = _cache_key(source, options)
        if key not in self._cache:
            try:
                self._cache[key] = self._run(source, options)
            except TimeoutExpired:
                self._warn_once(f"'{title}' takes too long to lay out: shown as a table")
                return None
            except (OSError, SubprocessError) as error:
                self._warn_once(f"Graphviz could not draw '{title}': {error}")
                return None
        return self._cache[key]

    def _run(self, source: str, options: Sequence[str]) -> str:
        assert self._engine is not None
        completed = run(
            [self._engine, *options],
            input=source.encode(),
            capture_output=True,
            timeout=MAX_SECONDS,
            check=True,
        )
        return completed.stdout.decode("utf-8")

    def _warn_once(self, message: str) -> None:
        if not self.has_failed:
            self.has_failed = True
            self._warn(message)

    def _dot_source(self, graph: Graph) -> str:
        """The graph in DOT, written by the graphviz package so that names are quoted rightly. Nodes
        get plain numbers as ids: no name of a player's can mean anything to Graphviz."""
        is_large = len(graph.nodes) > 14
        dot = graphviz.Digraph(engine="dot")
        dot.attr(
            "graph",
            rankdir="LR" if not is_large else "TB",
            ranksep="0.5" if not is_large else "0.3",
            nodesep="0.25",
            bgcolor="transparent",
            pad="0.1",
        )
        dot.attr(
            "node",
            fontname="Helvetica",
            fontsize="12",
            shape="box",
            margin="0.16,0.08",
            height="0.3",
        )
        dot.attr("edge", fontname="Helvetica", fontsize="10", arrowsize="0.6")
        numbers = {node.id: f"n{index}" for index, node in enumerate(graph.nodes)}
        for node in graph.nodes:
            dot.node(
                numbers[node.id],
                label=graphviz.escape(shortened(node.label, 32)),
                shape=_NODE_SHAPES.get(node.kind, "box"),
                style="rounded" if node.kind in ("character", "") else "",
                id=numbers[node.id],
            )
        for index, edge in enumerate(graph.edges):
            if edge.start in numbers and edge.end in numbers:
                dot.edge(
                    numbers[edge.start],
                    numbers[edge.end],
                    label=graphviz.escape(shortened(edge.label, 28)) if edge.label else "",
                    dir="forward" if edge.directed else "none",
                    penwidth=str(1 + min(4, edge.count) * 0.4),
                    id=f"e{index}",
                )
        return str(dot.source)

    def _clean_svg(self, svg: str, graph: Graph) -> tuple[Markup, int]:
        """Graphviz's SVG with classes instead of colours, links instead of hints, and a description."""
        root = ET.fromstring(svg)  # our own engine's output, from numbered nodes and quoted labels
        width = math.ceil(float(root.get("width", "0pt").removesuffix("pt")) * 4 / 3)
        box = root.get("viewBox", "0 0 1 1")
        nodes = {f"n{index}": node for index, node in enumerate(graph.nodes)}
        edges = {f"e{index}": edge for index, edge in enumerate(graph.edges)}
        parts: list[str] = []
        for group in root.iter(f"{_SVG}g"):
            id = group.get("id", "")
            if id in edges:
                parts.append(self._draw_edge(group, edges[id]))
            elif id in nodes:
                parts.append(self._draw_node(group, nodes[id]))
        transform = next(
            (
                group.get("transform", "")
                for group in root.iter(f"{_SVG}g")
                if group.get("class") == "graph"
            ),
            "",
        )
        names = ", ".join(node.label for node in graph.nodes[:12])
        description = word(
            "site.graph_alt", nodes=len(graph.nodes), names=names, ties=len(graph.edges)
        )
        drawn = Markup(
            f'<svg class="ch-graph" role="group" viewBox="{escape(box)}" width="{width}" '
            f'xmlns="http://www.w3.org/2000/svg">'
            f"<title>{escape(graph.title)}</title><desc>{escape(description)}</desc>"
            f'<g transform="{escape(transform)}">{"".join(parts)}</g></svg>'
        )
        return drawn, width

    def _draw_node(self, group: ET.Element, node: Node) -> str:
        drawn = _clean_shapes(group)
        colour = self._colour(node.player) if node.player else 0
        inner = f'<g class="ch-graph__node {_css_class(node.kind)} p{colour}">{drawn}</g>'
        if node.ref is None:
            return inner
        return f'<a href="{escape(self._address(node.ref))}" aria-label="{escape(node.label)}">{inner}</a>'

    def _draw_edge(self, group: ET.Element, edge: Edge) -> str:
        return f'<g class="ch-graph__edge {_css_class(edge.kind)}">{_clean_shapes(group)}</g>'


def _clean_shapes(group: ET.Element) -> str:
    """The drawn shapes of a group without any colour or font of their own."""
    kept_attributes = {
        "path": ("d", "stroke-width"),
        "polygon": ("points",),
        "ellipse": ("cx", "cy", "rx", "ry"),
        "polyline": ("points",),
        "text": ("x", "y", "text-anchor"),
    }
    parts: list[str] = []
    for element in group.iter():
        tag = element.tag.removeprefix(_SVG)
        if tag not in kept_attributes:
            continue
        attributes = "".join(
            f' {name}="{escape(element.get(name, ""))}"'
            for name in kept_attributes[tag]
            if element.get(name)
        )
        text = escape((element.text or "").strip()) if tag == "text" else ""
        parts.append(f"<{tag}{attributes}>{text}</{tag}>" if text else f"<{tag}{attributes}/>")
    return "".join(parts)


def _cache_key(source: str, options: Sequence[str]) -> str:
    return hashlib.sha256("\n".join((source, *options)).encode()).hexdigest()


def _css_class(kind: str) -> str:
    return "k-" + (slugify(kind) or "plain")
