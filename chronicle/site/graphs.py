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
from textwrap import wrap

import graphviz
from markupsafe import Markup, escape

from chronicle.core.campaign_view import Edge, Graph, Node, Ref
from chronicle.site.links import shortened, slugify
from chronicle.words import word

MAX_NODES = 150
"""A picture of a larger graph is unreadable; the page shows its table only."""
MAX_LAYOUT_SECONDS = 20
MAX_EDGE_LETTERS = 60
MAX_EDGE_LINE_LETTERS = 26
"""How long the words of a line are, and each of their lines."""
_NODE_SHAPES = {"place": "box", "prop": "box", "player": "plain", "group": "octagon"}
_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"


def find_engine() -> str | None:
    """The layout engine to run: its path, or None."""
    installed_path = Path(sys.executable).with_name("graphviz-pure")
    for engine_path in (installed_path, installed_path.with_suffix(".exe")):
        if engine_path.is_file():
            return str(engine_path)
    return shutil.which("graphviz-pure") or shutil.which("dot")


class GraphDrawer:
    """Draws graphs and caches the drawings by content. ``find_address`` turns a reference into a link; ``warn``
    receives one message about why a picture is missing."""

    def __init__(
        self,
        find_address: Callable[[Ref], str],
        find_seat: Callable[[str], int],
        warn: Callable[[str], object] = lambda message: None,
        drawings_by_key: dict[str, str] | None = None,
    ) -> None:
        self._find_address = find_address
        self._find_seat = find_seat
        self._warn = warn
        self._drawings_by_key = {} if drawings_by_key is None else drawings_by_key
        self._engine = find_engine()
        self.has_failed = False
        """Whether a picture could not be drawn."""

    def draw(self, graph: Graph) -> tuple[Markup, int] | None:
        """The picture of a graph and how wide it is, or None where only its table can be shown."""
        if not graph.nodes or len(graph.nodes) > MAX_NODES:
            return None
        svg = self.run_layout(graph.title, self._dot_source(graph), "-Tsvg")
        return self._clean_svg(svg, graph) if svg is not None else None

    def run_layout(self, title: str, dot_source: str, *options: str) -> str | None:
        """What Graphviz makes of a graph in DOT: its output, or None where it makes none."""
        if self._engine is None:
            self._warn_once("no Graphviz engine found: graphs are shown as tables")
            return None
        cache_key = _cache_key(dot_source, options)
        if cache_key not in self._drawings_by_key:
            try:
                self._drawings_by_key[cache_key] = self._run_engine(dot_source, options)
            except TimeoutExpired:
                self._warn_once(f"'{title}' takes too long to lay out: shown as a table")
                return None
            except (OSError, SubprocessError) as error:
                self._warn_once(f"Graphviz could not draw '{title}': {error}")
                return None
        return self._drawings_by_key[cache_key]

    def _run_engine(self, dot_source: str, options: Sequence[str]) -> str:
        assert self._engine is not None
        completed_process = run(
            [self._engine, *options],
            input=dot_source.encode(),
            capture_output=True,
            timeout=MAX_LAYOUT_SECONDS,
            check=True,
        )
        return completed_process.stdout.decode("utf-8")

    def _warn_once(self, message: str) -> None:
        if not self.has_failed:
            self.has_failed = True
            self._warn(message)

    def _dot_source(self, graph: Graph) -> str:
        """The graph in DOT, written by the graphviz package so that names are quoted rightly. Nodes
        get plain numbers as ids: no name of a player's can mean anything to Graphviz."""
        is_large = len(graph.nodes) > 14
        digraph = graphviz.Digraph(engine="dot")
        digraph.attr(
            "graph",
            rankdir="LR" if not is_large else "TB",
            ranksep="0.3" if is_large else "1" if graph.wide else "0.5",
            nodesep="0.25",
            bgcolor="transparent",
            pad="0.1",
        )
        digraph.attr(
            "node",
            fontname="Helvetica",
            fontsize="12",
            shape="box",
            margin="0.16,0.08",
            height="0.3",
        )
        digraph.attr("edge", fontname="Helvetica", fontsize="10", arrowsize="0.6")
        dot_ids = {node.id: f"n{node_index}" for node_index, node in enumerate(graph.nodes)}
        for node in graph.nodes:
            digraph.node(
                dot_ids[node.id],
                label=graphviz.escape(shortened(node.label, 32)),
                shape=_NODE_SHAPES.get(node.kind, "box"),
                style="rounded" if node.kind in ("character", "") else "",
                id=dot_ids[node.id],
            )
        for edge_index, edge in enumerate(graph.edges):
            if edge.start in dot_ids and edge.end in dot_ids:
                digraph.edge(
                    dot_ids[edge.start],
                    dot_ids[edge.end],
                    label=_edge_label(edge.label),
                    dir="forward" if edge.directed else "none",
                    penwidth=str(1 + min(4, edge.count) * 0.4),
                    id=f"e{edge_index}",
                )
        return str(digraph.source)

    def _clean_svg(self, svg: str, graph: Graph) -> tuple[Markup, int]:
        """Graphviz's SVG with classes instead of colours, links instead of hints, and a description."""
        svg_root = ET.fromstring(
            svg
        )  # our own engine's output, from numbered nodes and quoted labels
        width = math.ceil(float(svg_root.get("width", "0pt").removesuffix("pt")) * 4 / 3)
        view_box = svg_root.get("viewBox", "0 0 1 1")
        node_by_element_id = {
            f"n{element_number}": node for element_number, node in enumerate(graph.nodes)
        }
        edge_by_element_id = {
            f"e{element_number}": edge for element_number, edge in enumerate(graph.edges)
        }
        svg_parts: list[str] = []
        for svg_group in svg_root.iter(f"{_SVG}g"):
            element_id = svg_group.get("id", "")
            if element_id in edge_by_element_id:
                svg_parts.append(self._draw_edge(svg_group, edge_by_element_id[element_id]))
            elif element_id in node_by_element_id:
                svg_parts.append(self._draw_node(svg_group, node_by_element_id[element_id]))
        transform = next(
            (
                svg_group.get("transform", "")
                for svg_group in svg_root.iter(f"{_SVG}g")
                if svg_group.get("class") == "graph"
            ),
            "",
        )
        listed_names = ", ".join(node.label for node in graph.nodes[:12])
        description = word(
            "site.graph_alt", nodes=len(graph.nodes), names=listed_names, ties=len(graph.edges)
        )
        svg_markup = Markup(
            f'<svg class="ch-graph" role="group" viewBox="{escape(view_box)}" width="{width}" '
            f'xmlns="http://www.w3.org/2000/svg">'
            f"<title>{escape(graph.title)}</title><desc>{escape(description)}</desc>"
            f'<g transform="{escape(transform)}">{"".join(svg_parts)}</g></svg>'
        )
        return svg_markup, width

    def _draw_node(self, svg_group: ET.Element, node: Node) -> str:
        shapes_svg = _clean_shapes(svg_group)
        seat_number = self._find_seat(node.player) if node.player else 0
        node_svg = (
            f'<g class="ch-graph__node {_css_class(node.kind)} p{seat_number}">{shapes_svg}</g>'
        )
        if node.ref is None:
            return node_svg
        return f'<a href="{escape(self._find_address(node.ref))}" aria-label="{escape(node.label)}">{node_svg}</a>'

    def _draw_edge(self, svg_group: ET.Element, edge: Edge) -> str:
        return f'<g class="ch-graph__edge {_css_class(edge.kind)}">{_clean_shapes(svg_group)}</g>'


def _edge_label(text: str) -> str:
    """The words of a line in DOT, in short lines, with room on both sides so that they do not touch it."""
    label_lines = wrap(shortened(text, MAX_EDGE_LETTERS), MAX_EDGE_LINE_LETTERS)
    return "\\n".join(f"  {graphviz.escape(label_line)}  " for label_line in label_lines)


def _clean_shapes(svg_group: ET.Element) -> str:
    """The drawn shapes of a group without any colour or font of their own."""
    kept_attributes = {
        "path": ("d", "stroke-width"),
        "polygon": ("points",),
        "ellipse": ("cx", "cy", "rx", "ry"),
        "polyline": ("points",),
        "text": ("x", "y", "text-anchor"),
    }
    shape_elements: list[str] = []
    for element in svg_group.iter():
        tag_name = element.tag.removeprefix(_SVG)
        if tag_name not in kept_attributes:
            continue
        attributes = "".join(
            f' {attribute_name}="{escape(element.get(attribute_name, ""))}"'
            for attribute_name in kept_attributes[tag_name]
            if element.get(attribute_name)
        )
        element_text = escape((element.text or "").strip()) if tag_name == "text" else ""
        shape_elements.append(
            f"<{tag_name}{attributes}>{element_text}</{tag_name}>"
            if element_text
            else f"<{tag_name}{attributes}/>"
        )
    return "".join(shape_elements)


def _cache_key(dot_source: str, options: Sequence[str]) -> str:
    return hashlib.sha256("\n".join((dot_source, *options)).encode()).hexdigest()


def _css_class(node_or_edge_kind: str) -> str:
    return "k-" + (slugify(node_or_edge_kind) or "plain")
