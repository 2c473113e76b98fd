"""Blocks of a CampaignView to HTML, with the macros in ``templates/``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, TypeVar

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape

from chronicle.core.campaign_view import (
    Bars,
    Block,
    Board,
    ContestCard,
    Facts,
    Graph,
    Inline,
    Item,
    Lanes,
    Listing,
    Node,
    Note,
    Prose,
    Ref,
    Rings,
    Section,
    Series,
    Shares,
    Slip,
    Slips,
    Stats,
    Steps,
    Stones,
    Table,
)
from chronicle.core.doubts import Doubt
from chronicle.core.record import Contest, ContestOdds, Side, Source
from chronicle.site import charts, counted
from chronicle.site.emblems import Emblem
from chronicle.site.emblems import draw_emblem as draw_emblem
from chronicle.site.graphs import GraphDrawer
from chronicle.site.links import NameLinker, slugify
from chronicle.site.prose import curled, inline, one_line, prose, typeset, unlinked
from chronicle.site.sandbox import ORIGINALS, BoundedEnvironment
from chronicle.site.template_files import (
    has_templates,
    template_folders,
    unused_blocks,
    unused_templates,
)
from chronicle.words import find_message, word

EnvironmentType = TypeVar("EnvironmentType", bound=Environment)

MOST_LINES: Final = 3
"""More curves than these in one picture are a tangle: each then has a small one of its own."""
DASHES: Final = ("-", "–")
"""Cells that say that there is nothing to say. A card on a phone leaves them out."""
NOTHING: Final = ("", (), *DASHES)
"""Cells in which nothing is said."""
SAME_FROM_ROWS: Final = 6
"""A column of so many rows that all have the same words tells nobody anything."""
FILTER_FROM_ROWS = 20
"""Tables longer than this get a filter box."""
NUMBERED_FROM_MARKS = 3
"""More marks than this on a curve are numbered, and explained below it."""
GRAPH_WIDTHS = (290, 560, 740, 900, 1100)
"""The widths, in CSS pixels, that drawings of a graph can have; on narrower screens, text replaces them."""
WIDE_WIDTH = 900
COLUMN_WIDTH = 640
ASIDE_WIDTH = 290
"""Widths of charts: on a page of its own, in the main column of a sheet, beside it. Narrower screens show the
narrow drawing; no chart is ever scaled down."""


def make_environment(
    project: Path | None = None,
    warn: Callable[[str], object] = print,
    graphs: dict[str, str] | None = None,
) -> Environment:
    """The Jinja environment of the pages. A project may override templates in its ``templates/``
    folder; then all run in the sandbox, which ours alone, being slower in it, do not need.

    Args:
        project: the project's root.
        warn: told which template of the project fails, and why.
        graphs: layouts by content, kept between builds.
    """
    if project is None or not has_templates(project):
        return _own_environment(*template_folders())
    project_templates = project / "templates"
    env = _new_environment(BoundedEnvironment, [project_templates, *template_folders()])
    env.home, env.warn, env.graphs = project_templates, warn, {} if graphs is None else graphs
    for remark in (*unused_templates(project_templates), *unused_blocks(project_templates)):
        env.warn_keeper(remark)
    return env


@cache
def _own_environment(*folders: Path) -> Environment:
    return _new_environment(Environment, folders)


def _new_environment(kind: type[EnvironmentType], folders: Iterable[Path]) -> EnvironmentType:
    originals = FileSystemLoader(template_folders())
    env = kind(
        loader=ChoiceLoader(
            [FileSystemLoader(list(folders)), PrefixLoader({ORIGINALS: originals})]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals["word"] = message_markup
    env.filters["listed"] = join_names
    env.filters["slug"] = slugify
    env.filters["typeset"] = typeset
    env.filters["unlinked"] = unlinked
    return env


def message_markup(key: str, /, **values: Any) -> Markup:
    """Return a message of the catalogue for a template. Its values are escaped unless they are markup.

    Args:
        key: its whole key, such as ``site.left_open``.
        values: the values of its placeholders; ``count`` also chooses the plural form.
    """
    text = find_message(key, values.get("count"))
    if not values:
        return Markup(text)
    return Markup(text).format_map({name: escape(value) for name, value in values.items()})


def join_names(items: Iterable[str]) -> Markup:
    """Join names as a sentence lists them, such as ``Ada, Ben and Cleo``; they are escaped unless they are markup."""
    first, *later_items = list(items) or [""]
    text = escape(first)
    for item in later_items[:-1]:
        text = message_markup("site.list_next", list=text, item=item)
    return (
        message_markup("site.list_last", list=text, item=later_items[-1]) if later_items else text
    )


class Renderer:
    """Draws blocks as seen from one page.

    Args:
        env: the Jinja environment with the macros.
        address: gives the address of a reference, or an empty string where there is no page.
        colour: the seat (from 1) of a player's name, 0 for anybody else.
        names: links names in plain text.
        terms: links words of the game.
        graphs: draws graphs.
        emblems: gives the emblem of a sheet by its id, if it has one.
    """

    def __init__(
        self,
        env: Environment,
        address: Callable[[Ref], str],
        colour: Callable[[str], int],
        names: NameLinker,
        graphs: GraphDrawer,
        emblems: Callable[[str], Emblem | None] = lambda id: None,
        terms: NameLinker | None = None,
    ) -> None:
        self._env = env
        self.address = address
        self.colour = colour
        self.names = names
        self.graphs = graphs
        self._emblems = emblems
        self.width = WIDE_WIDTH
        """The width of charts in CSS pixels: the width of their column."""
        self.is_bare = False
        """Whether to draw without an anchor and without sorting, since the block appears on the page more
        than once."""
        self._refs: dict[Ref, Markup] = {}
        self._term_linker = terms or NameLinker({})
        self._explained_terms: set[str] = set()
        self._table_count = 0
        self._anchor_counts: Counter[str] = Counter()

    @cached_property
    def _macros(self) -> dict[str, Any]:
        return {
            name: self._env.get_template(f"macros/{name}.html").module
            for name in (
                "bits",
                "play",
                "page",
                "sheet",
                "charts",
                "story",
                "evening",
                "example",
                "steps",
            )
        }

    def macro(self, file: str, name: str, *args: Any, **keywords: Any) -> Markup:
        """Call a macro by name."""
        return Markup(getattr(self._macros[file], name)(*args, **keywords))

    # -- inline ------------------------------------------------------------------------------------

    def text(self, value: Inline) -> Markup:
        """A line or a table cell: escaped, names linked, references made into links."""
        match value:
            case Ref():
                return self.ref(value)
            case tuple():
                return Markup("").join(self.text(part) for part in value)
            case int():
                return Markup(typeset(f"{value:,}"))
            case _:
                return self.names.link(str(inline(value)))

    def links_in_heading(self, name: str) -> set[str]:
        """The links that a heading with this name already shows; the text below does not repeat them."""
        links: set[str] = set()
        self.names.link(str(inline(name)), linked=links, every=True)
        return links

    def ref(self, ref: Ref) -> Markup:
        """A reference as a link, or as plain text where it leads nowhere."""
        drawn = self._refs.get(ref)
        if drawn is None:
            drawn = self._refs[ref] = self._ref(ref)
        return drawn

    def _ref(self, ref: Ref) -> Markup:
        if ref.kind == "code":
            return Markup("<code>{}</code>").format(ref.label)
        url = self.address(ref)
        if ref.kind == "rule":
            return self.macro("bits", "rule_chip", ref.label, url)
        if ref.kind == "player":
            return self.macro("bits", "player_name", ref.label, self.colour(ref.id), url)
        if not url:
            return inline(ref.label)
        return Markup(f'<a href="{escape(url)}">{inline(ref.label)}</a>')

    def term(self, words: str) -> Markup:
        """Words of the game, as a link to their explanation at their first mention on the page."""
        return self._term_linker.link(str(escape(words)), linked=self._explained_terms)

    def game_text(self, value: Inline) -> Markup:
        """What the game says, not a player: as :meth:`text`, and its own words explained."""
        return self._term_linker.link(str(self.text(value)), linked=self._explained_terms)

    def emblem_of(self, id: str) -> Emblem | None:
        """The emblem of a sheet by its id, if it has one."""
        return self._emblems(id)

    def emblem(self, ref: Ref, css_class: str = "", *, fine: bool = False) -> Markup:
        """The emblem of the sheet that a reference means; empty if there is none."""
        emblem = self.emblem_of(ref.id) if ref.kind == "sheet" else None
        return draw_emblem(emblem, css_class, fine=fine) if emblem is not None else Markup("")

    def draw_emblem(self, emblem: Emblem, css_class: str = "", *, fine: bool = False) -> Markup:
        """An emblem."""
        return draw_emblem(emblem, css_class, fine=fine)

    def links_by_session(
        self, index: str, numbers: Iterable[int], current: int
    ) -> list[dict[str, Any]]:
        """The ways to a page as it was after each evening; ``index`` is the page after the last one, ``current``
        the evening that is shown."""
        all_numbers = list(numbers)
        folder = index.removesuffix("/index")
        pages = {number: f"{folder}/after-{number}" for number in all_numbers[:-1]} | {
            all_numbers[-1]: index
        }
        return [
            {
                "number": number,
                "url": self.address(Ref("path", page, "")),
                "here": number == current,
            }
            for number, page in pages.items()
        ]

    def rule(self, id: str) -> Markup:
        """A rule's number as a chip that leads to its explanation."""
        return self.ref(Ref("rule", id, id)) if id else Markup("")

    def player(self, name: str) -> Markup:
        """A player's name in the player's colour."""
        return self.ref(Ref("player", name, name)) if name else Markup("")

    def prose(self, markdown: str) -> Markup:
        """Players' Markdown, sanitised, with names linked."""
        return self.names.link(str(prose(markdown)))

    def slip(self, slip: Slip) -> Markup:
        """A word on a slip, linked to where it was bought if that is known."""
        drawn = self.macro(
            "bits", "slip", slip.text, slip.count, slip.state or "plain", self.colour(slip.player)
        )
        url = self.address(Ref("step", str(slip.step), "")) if slip.step else ""
        return Markup('<a class="ch-plain" href="{}">{}</a>').format(url, drawn) if url else drawn

    # -- blocks ------------------------------------------------------------------------------------

    def blocks(self, blocks: Iterable[Block], level: int = 2, width: int = 0) -> Markup:
        """Several blocks, one below the other. ``level`` is the level of their headings, ``width``
        that of the column from here on."""
        self.width = width or self.width
        return Markup("\n").join(self.block(block, level) for block in blocks)

    def block(self, block: Block, level: int = 2) -> Markup:
        """One block."""
        match block:
            case Prose():
                return Markup('<div class="ch-fiction">{}</div>').format(self.prose(block.markdown))
            case Note():
                return Markup("<p>{}</p>").format(self.game_text(block.text))
            case Facts():
                rows = [(self.term(label), self.text(value)) for label, value in block.rows]
                table = self.macro("page", "facts_table", rows)
                return self._titled(block.title, table, level)
            case Stats() if block.compares_players:
                strip = self.macro("sheet", "people_strip", self.players(block))
                return self._titled(block.title, strip, level)
            case Stats():
                items = [(typeset(stat.value), self.term(stat.label)) for stat in block.items]
                return self._titled(block.title, self.macro("sheet", "stats", items), level)
            case Table():
                return self._titled(block.title, self.table(block), level, block.note)
            case Slips():
                drawn = Markup(" ").join(self.slip(slip) for slip in block.items)
                body = Markup('<p class="ch-slips">{}</p>').format(drawn or "none")
                return self._titled(block.title, body, level)
            case Board():
                return self._titled(block.title, self._board(block), level)
            case Stones():
                return self._titled(block.title, self._stones(block), level)
            case ContestCard():
                return self.contest(block.contest, block.step_number)
            case Listing():
                return self._titled(block.title, self._listing(block), level)
            case Graph():
                return self._titled(block.title, self.graph(block), level)
            case Steps():
                return self._titled(block.title, self._steps(block), level)
            case Lanes():
                return self._titled(block.title, self._lanes(block), level)
            case Bars():
                return self._titled(block.title, self._bars(block), level)
            case Shares():
                return self._titled(block.title, self._shares(block), level)
            case Rings():
                return self._titled(block.title, self._rings(block), level)
            case Section():
                return self._section(block, level)

    def players(self, block: Stats) -> list[dict[str, Any]]:
        """What every player has, as templates take it."""
        return [
            {
                "name": stat.player,
                "colour": self.colour(stat.player),
                "value": int(stat.value),
                "url": self.address(Ref("player", stat.player, stat.player)),
                "turn": stat.turn,
            }
            for stat in block.items
        ]

    def anchor(self, title: str) -> str:
        """An id for something with this title, given once on this page."""
        if self.is_bare:
            return ""
        slug = slugify(title) or "part"
        self._anchor_counts[slug] += 1
        count = self._anchor_counts[slug]
        return slug if count == 1 else f"{slug}-{count}"

    def _titled(self, title: str, body: Markup, level: int, aside: str = "") -> Markup:
        if not title:
            return body
        anchor, words = self.anchor(title), title if self.is_bare else self.term(title)
        return self.macro("sheet", "sheet_card", words, aside, body, anchor, level)

    def _section(self, section: Section, level: int) -> Markup:
        body = self.blocks(section.blocks, min(level + bool(section.title), 4))
        if section.abreast:
            body = Markup('<div class="ch-abreast">{}</div>').format(body)
        if not section.title:
            return body
        anchor = self.anchor(section.id or section.title)
        if section.folded:
            return Markup(
                '<details class="ch-fold" id="{}"><summary>{}</summary>{}</details>'
            ).format(anchor, inline(section.title), body)
        url = self.address(Ref("step", str(section.step), "")) if section.step else ""
        title = inline(section.title)
        if section.gist:
            gist = unlinked(self.text(section.gist.replace(" : ", "\u00a0:\u00a0")))
            return self.macro("bits", "row", anchor, level, title, gist, body, url, section.step)
        if url:
            title = Markup('<a href="{}">{}</a>').format(url, title)
        return Markup('<section class="ch-section" id="{}"><h{}>{}</h{}>{}</section>').format(
            anchor, level, title, level, body
        )

    def table(self, table: Table) -> Markup:
        """A sortable table, without the columns in which nothing is said."""
        said = [
            place
            for place, column in enumerate(table.columns)
            if not place or self._tells([row[place] for row in table.rows], column.numeric)
        ]
        columns = [
            {"title": column.title, "align": "right" if column.numeric else ""}
            for column in (table.columns[place] for place in said)
        ]
        rows = [
            [
                {"text": self.text(cell), "sort": cell}
                if isinstance(cell, int)
                else {"text": "–", "class": "ch-none"}
                if cell in DASHES
                else self.text(cell)
                for cell in (row[place] for place in said)
            ]
            for row in table.rows
        ]
        if not rows:
            return Markup('<p class="ch-soft">{}</p>').format(word("site.nothing_to_list"))
        return self.macro(
            "page",
            "sortable_table",
            columns,
            rows,
            self._table_id(),
            table.title or word("site.table"),
            len(rows) > FILTER_FROM_ROWS,
            not self.is_bare,
        )

    def _tells(self, cells: Sequence[Inline], is_numeric: bool) -> bool:
        """Whether a column says anything: no row does, or many rows have the same plain words (a name and a
        figure are never plain words)."""
        if all(cell in NOTHING for cell in cells):
            return False
        first = cells[0]
        if is_numeric or not isinstance(first, str) or len(cells) < SAME_FROM_ROWS:
            return True
        return any(cell != first for cell in cells) or "<" in self.text(first)

    def _board(self, board: Board) -> Markup:
        squares = [
            {
                "label": label,
                "tokens": [
                    {
                        "label": token.label,
                        "colour": self.colour(token.player),
                        "emblem": self.emblem(Ref("sheet", token.label, token.label)),
                    }
                    for token in board.tokens
                    if token.square == number
                ],
            }
            for number, label in enumerate(board.squares)
        ]
        return self.macro("charts", "track_board", squares, board.title or word("site.track"))

    def _stones(self, stones: Stones) -> Markup:
        players = stones.players or tuple(label for label, _, _ in stones.rows)
        rows = [
            {"who": self.text(label), "colour": self.colour(player), "on": filled, "total": total}
            for (label, filled, total), player in zip(stones.rows, players, strict=True)
        ]
        return self.macro("charts", "paths", rows)

    def _listing(self, listing: Listing) -> Markup:
        if not listing.items:
            return Markup('<p class="ch-soft">{}</p>').format(word("site.nothing_to_list"))
        tag = "ol" if listing.ordered else "ul"
        return Markup('<{} class="ch-list">{}</{}>').format(
            Markup(tag), Markup("").join(self._item(item) for item in listing.items), Markup(tag)
        )

    def _item(self, item: Item) -> Markup:
        text = self.text(item.text)
        url = self.address(Ref("step", str(item.step), "")) if item.step else ""
        # Behind a full stop there is no other point, and no score is broken.
        look = "ch-soft ch-soft--apart" if str(text).endswith((".", ".”", "?", "!")) else "ch-soft"
        remark = self.text(item.note.replace(" : ", "\u00a0:\u00a0"))
        note = f' <span class="{look}">{remark}</span>' if item.note else ""
        entry_link = (
            f' <a class="ch-go" href="{escape(url)}"><span class="ch-sr">{word("site.entry")} </span>{item.step}</a>'
            if url
            else ""
        )
        return Markup(f"<li>{text}{note}{entry_link}</li>")

    def graph(self, graph: Graph) -> Markup:
        """A graph with its key and its table twin."""
        if graph.counted and graph.nodes:
            return self._counted(graph)
        nodes = {node.id: node for node in graph.nodes}
        rows = tuple(
            (
                self._node(nodes[edge.start]),
                edge.label or dict(graph.key).get(edge.kind, edge.kind),
                self._node(nodes[edge.end]),
                edge.count,
            )
            for edge in graph.edges
            if edge.start in nodes and edge.end in nodes
        )
        columns = (
            (word("site.from"), word("site.tie"), word("site.to"), word("site.times"))
            if any(edge.count > 1 for edge in graph.edges)
            else (word("site.from"), word("site.tie"), word("site.to"))
        )
        table = self.macro(
            "page",
            "sortable_table",
            list(columns),
            [[self.text(cell) for cell in row[: len(columns)]] for row in rows],
            self._table_id(),
            graph.title,
        )
        picture = self.graphs.draw(graph)
        key = Markup("").join(
            self.macro("sheet", "key_entry", slugify(kind) or "plain", words)
            for kind, words in graph.key
        )
        if picture is None:
            return Markup("{}{}").format(
                key,
                table
                if rows
                else Markup('<p class="ch-soft">{}</p>').format(word("site.no_ties_yet")),
            )
        drawn, width = picture
        sentences = [
            Markup("{} {} {}").format(*(self.text(cell) for cell in row[:3])) for row in rows
        ]
        graph_width = next(
            (graph_width for graph_width in GRAPH_WIDTHS if width <= graph_width), GRAPH_WIDTHS[-1]
        )
        picture_or_words = self.macro("charts", "or_in_words", drawn, graph_width, sentences)
        return self.macro("charts", "figure", picture_or_words, key, table if rows else "")

    def _counted(self, graph: Graph) -> Markup:
        """A ring of people with counted lines, and what they count beside it."""
        wide, narrow = (
            counted.draw(graph, width, self._emblems, self.address)
            for width in (counted.WIDE_WIDTH, counted.NARROW_WIDTH)
        )
        return self.macro("charts", "counted", wide, narrow, self.pairs(graph), self.signs(graph))

    def pairs(self, graph: Graph) -> list[dict[str, Any]]:
        """What a graph with counted lines counts, pair by pair."""
        return [
            {
                "one": self.text(self._node(pair.one)),
                "other": self.text(self._node(pair.other)),
                "said": pair.said,
                "reasons": [(sign, self.text(words)) for sign, words in pair.reasons],
            }
            for pair in counted.pairs(graph)
        ]

    def signs(self, graph: Graph) -> list[tuple[Markup, str]]:
        """The key to a graph with counted lines."""
        return [(counted.sign_of_kind(index), words) for index, (_, words) in enumerate(graph.key)]

    def _node(self, node: Node) -> Inline:
        return node.ref if node.ref is not None else node.label

    def _table_id(self) -> str:
        if self.is_bare:
            return ""
        self._table_count += 1
        return f"table-{self._table_count}"

    def _steps(self, chart: Steps) -> Markup:
        numbered = len(chart.marks) > NUMBERED_FROM_MARKS
        series = [
            charts.Series(
                series_data.name, self.colour(series_data.player), *_points_and_doubts(series_data)
            )
            for series_data in chart.series
            if series_data.points
        ]
        labels = [charts.Label(x, words) for x, words in chart.ticks]
        guides = [y for y, _ in chart.guides]
        is_tangle = self.width > ASIDE_WIDTH and len(series) > MOST_LINES and not chart.marks
        picture = (
            Markup("")
            if is_tangle
            else charts.step_lines(
                series,
                labels,
                guides,
                marks=[
                    charts.Mark(
                        x,
                        str(number) if numbered else words,
                        owner=next(
                            (line.name for line in series if words.startswith(line.name)), ""
                        ),
                    )
                    for number, (x, _, words) in enumerate(chart.marks, 1)
                ],
                title=chart.title,
                width=self.width,
                height=max(260, 22 * len(series)) if self.width > ASIDE_WIDTH else 220,
            )
        )
        strips = [
            {
                "name": self.text(line.name),
                "colour": line.colour,
                "last": typeset(line.last),
                "drawn": strip,
            }
            for line, strip in zip(
                series, charts.strips(series, labels, guides, title=chart.title), strict=True
            )
        ]
        if self.width > ASIDE_WIDTH:
            width = "apart" if is_tangle else self.width
            picture = self.macro("charts", "two_ways", picture, width, strips)
        names: dict[float, str] = dict(chart.guides)
        named_values = {y for y, words in names.items() if words}
        rows = [
            [
                self.text(line.name),
                str(x),
                f"{y} ({names[y]})" if x in known_xs and y in named_values else line.in_words(x, y),
            ]
            for line in series
            for known_xs in [{x for x, _ in line.known}]
            for x, y in line.points
        ]
        table = self.macro(
            "page",
            "sortable_table",
            [
                word("site.whose"),
                {"title": chart.x_title or word("site.at"), "align": "right"},
                {"title": chart.y_title or word("site.value"), "align": "right"},
            ],
            rows,
            self._table_id(),
            chart.title,
        )
        notes = [f"{y}: {words}" for y, words in chart.guides if words]
        if any(line.doubts for line in series):
            notes.append(word("site.dots_not_on_record"))
        guide_notes = inline("; ".join(notes))
        figure = self.macro("charts", "figure", picture, guide_notes, table if rows else "")
        if not numbered:
            return figure
        causes = Markup("").join(
            Markup("<li>{}</li>").format(self.text(words)) for _, _, words in chart.marks
        )
        # Where a wide picture has no room, the small ones that stand for it have no numbers.
        look = " ch-causes--wide" if self.width >= WIDE_WIDTH else ""
        return Markup('{}<ol class="ch-list ch-causes{}">{}</ol>').format(figure, look, causes)

    def _heading(self, head: str | Ref) -> charts.Heading:
        return (
            charts.Heading(head.label, self.address(head))
            if isinstance(head, Ref)
            else charts.Heading(head)
        )

    def _lanes(self, lanes: Lanes) -> Markup:
        rows, columns = [*map(self._heading, lanes.rows)], [*map(self._heading, lanes.columns)]
        letters = _distinct_letters({player for _, _, _, player in lanes.cells if player})
        cells = [
            charts.Cell(row, column, self.colour(player), words, letters.get(player, ""))
            for row, column, words, player in lanes.cells
        ]
        numbered = not charts.fits(rows, columns, self.width)
        chart = charts.swim_lanes(
            rows, columns, cells, title=lanes.title, width=self.width, numbered=numbered
        )
        columns_by_row: dict[int, list[int]] = {}
        for row, column, _, _ in lanes.cells:
            if column not in columns_by_row.setdefault(row, []):
                columns_by_row[row].append(column)
        strips = [
            {
                "name": self.text(lanes.rows[row]),
                "colour": 0,
                "last": ", ".join(str(column + 1) for column in columns_by_row.get(row, ())),
                "drawn": strip,
            }
            for row, strip in enumerate(charts.lane_strips(rows, columns, cells, title=lanes.title))
        ]
        chart_or_strips = self.macro("charts", "two_ways", chart, self.width, strips)
        key = Markup(" ").join(
            self.macro("charts", "holder", self.player(player), letter, self.colour(player))
            for player, letter in letters.items()
        )
        table = self.macro(
            "page",
            "sortable_table",
            [word("site.who"), word("site.where")],
            [
                [self.text(lanes.rows[row]), "; ".join(columns[column].text for column in cells)]
                for row, cells in columns_by_row.items()
            ],
            self._table_id(),
            lanes.title,
        )
        figure = self.macro("charts", "figure", chart_or_strips, key, table)
        headings = Markup("").join(
            Markup("<li>{}{}</li>").format(
                self.text(column),
                Markup(' <span class="ch-soft">{}</span>').format(note) if note else "",
            )
            for column, note in zip_longest(lanes.columns, lanes.notes, fillvalue="")
        )
        css_class = " ch-causes--told" if lanes.notes else "" if numbered else " ch-causes--narrow"
        return Markup('{}<ol class="ch-list ch-causes{}">{}</ol>').format(
            figure, css_class, headings
        )

    def _bars(self, bars: Bars) -> Markup:
        longest_value = bars.most or max((value for _, value, _ in bars.rows), default=0)
        rows = [
            {"label": self.text(label), "value": value, "colour": self.colour(player)}
            for label, value, player in bars.rows
        ]
        note = self.game_text(bars.note) if bars.note else ""
        if bars.fair:
            return self.macro(
                "charts", "spread", rows, max(longest_value, bars.fair), bars.fair, note
            )
        return self.macro("charts", "bars", rows, longest_value, bars.title, bars.base, note)

    def _shares(self, shares: Shares) -> Markup:
        rows = []
        for label, parts in shares.rows:
            total = sum(part.amount for part in parts) or 1
            drawn_parts = [
                {
                    "words": self.text(part.words),
                    "said": part.in_words,
                    "amount": part.amount,
                    "twelfths": max(1, round(12 * part.amount / total)),
                    "colour": self.colour(part.player) if part.player else index,
                    "named": bool(part.player),
                }
                for index, part in enumerate(parts, 1)
                if part.amount
            ]
            rows.append({"label": self.text(label) if label else "", "parts": drawn_parts})
        note = self.game_text(shares.note) if shares.note else ""
        return self.macro("charts", "shares", rows, shares.total, note)

    def _rings(self, rings: Rings) -> Markup:
        def emblems_of(refs: Iterable[Ref]) -> tuple[Emblem, ...]:
            return tuple(emblem for ref in refs if (emblem := self.emblem_of(ref.id)) is not None)

        chart = charts.rings(
            [
                charts.Ring(
                    name,
                    tuple(
                        charts.Sector(
                            sector.label, sector.state == "on", people=emblems_of(sector.people)
                        )
                        for sector in sectors
                    ),
                )
                for name, sectors in reversed(rings.rings)
            ],
            title=rings.title,
            width=min(self.width, 560),
        )
        layers = [
            {
                "name": name,
                "sectors": [
                    {
                        "label": inline(sector.label),
                        "on": sector.state == "on",
                        "said": "" if sector.state == "on" else inline(sector.state),
                        "people": [
                            Markup("{} {}").format(self.emblem(person), self.text(person))
                            for person in sector.people
                        ],
                    }
                    for sector in sectors
                ],
            }
            for name, sectors in rings.rings
        ]
        return self.macro("charts", "layers", chart, layers)

    # -- dice --------------------------------------------------------------------------------------

    def contest(
        self,
        contest: Contest,
        step: int = 0,
        level: int = 3,
        winnings: Sequence[Mapping[str, Any]] = (),
        effects: Sequence[Markup] = (),
    ) -> Markup:
        """A throw as a card; tied rounds are folded below. ``winnings`` are the purchases, in the form that the
        macro ``contest_card`` takes. ``effects`` are the other effects."""
        odds_bar: Markup | str = ""
        chances_text = Markup("")
        if isinstance(contest.odds, ContestOdds) and len(contest.sides) == 2:
            odds_bar = self._draw_odds_bar(contest.odds, contest.sides)
        elif str(contest.odds):
            # A figure stays with its sign.
            chances_text = self.text(str(contest.odds).replace(" %", "\u00a0%"))
        url = self.address(Ref("step", str(step), "")) if step else ""
        title = inline(contest.title)
        if url:
            title = Markup('<a href="{}">{}</a>').format(url, title)
        # What a line below says anyway, or the figures in the middle, is not said twice.
        verdict = contest.verdict.rpartition(": ")[2]
        payers = {row["who"].striptags() for row in winnings}
        outcome = [words for words in contest.outcome if words.partition(":")[0] not in payers]
        if contest.verdict and len(contest.outcome) == 1:
            outcome = []
        card = self.macro(
            "play",
            "contest_card",
            title,
            chances_text,
            [self._side(side) for side in contest.sides],
            contest.score,
            contest.unit,
            inline(verdict),
            [*map(self.text, outcome), *effects],
            winnings,
            odds_bar,
            level=level,
            rule=self.rule(contest.rule),
        )
        if not contest.earlier:
            return card
        rounds = Markup("").join(
            Markup('<div class="ch-round"><p class="ch-soft">{}</p>{}</div>').format(
                word("site.round", number=number),
                Markup("").join(self._dice(side) for side in sides),
            )
            for number, sides in enumerate(contest.earlier, 1)
        )
        return Markup('{}<details class="ch-fold"><summary>{}</summary>{}</details>').format(
            card, word("site.earlier_rounds"), rounds
        )

    def dice_lines(self, contest: Contest) -> Markup:
        """A throw in few words: a line of dice for each side, and who won."""
        sides = [
            {
                "name": inline(side.name),
                "colour": self.colour(side.player),
                "dice": self._dice(side),
                "result": inline(side.result),
            }
            for side in contest.sides
        ]
        verdict = inline(contest.verdict.rpartition(": ")[2])
        return self.macro("steps", "dice_lines", sides, verdict)

    def _draw_odds_bar(self, odds: ContestOdds, sides: Sequence[Side]) -> Markup:
        """How likely each end was before the dice fell, as a bar."""
        win, tie, lose = odds.shares()
        opponent = next((side for side in sides if side.player != odds.name), sides[-1])
        parts = [
            (odds.name, win),
            (word("site.tied"), tie),
            (opponent.player or opponent.name, lose),
        ]
        return self.macro(
            "play",
            "chances",
            [
                {
                    "words": word("site.chance", who=label, share=f"{share:.0f}"),
                    "share": share,
                    "colour": self.colour(label),
                }
                for label, share in parts
            ],
        )

    def _side(self, side: Side) -> dict[str, Any]:
        has_player_name = bool(side.player) and side.player != side.name
        return {
            "who": inline(side.player if has_player_name else side.name),
            "of": message_markup("site.for_side", name=self.text(side.name))
            if has_player_name
            else "",
            "colour": self.colour(side.player),
            "dice": self._dice(side),
            "result": inline(side.result),
            "sources": self.macro("play", "sources", self._sources(side.sources)),
            "won": side.won,
        }

    def _sources(self, sources: Iterable[str]) -> list[dict[str, Any]]:
        """Where dice came from: what came from one is one row."""
        rows: list[dict[str, Any]] = []
        for source in sources:
            die_source = (
                source if isinstance(source, Source) else Source(source, word=source, dice=0)
            )
            if not rows or rows[-1]["of"] != die_source.giver:
                rows.append({"of": die_source.giver, "all": []})
            rows[-1]["all"].append(die_source)
        for row in rows:
            row["slips"] = Markup(" ").join(
                self.macro(
                    "bits",
                    "slip",
                    die_source.word,
                    die_source.dice or 1,
                    die_source.colour or "plain",
                )
                for die_source in row["all"]
            )
            row["dice"] = sum(die_source.dice for die_source in row["all"]) or ""
        return rows

    def _dice(self, side: Side) -> Markup:
        faces = [
            {
                "face": die.face,
                "hit": die.hit,
                "size": die.die if die.die not in ("fudge", "d6") else "",
                "ink": die.colour,
                "struck": die.void,
                "extra": die.extra,
            }
            for die in side.dice
        ]
        return self.macro("play", "dice", faces, self.colour(side.player))


def _distinct_letters(players: Iterable[str]) -> dict[str, str]:
    """For each player the first letters of their name, as many as tell them apart."""
    letters: dict[str, str] = {}
    for name in sorted(players):
        length = 1
        while length < len(name) and name[:length] in letters.values():
            length += 1
        letters[name] = name[:length]
    return letters


def compact_html(markup: str) -> str:
    """A page body that survives Markdown: one block, no blank line, nothing at the start of a line
    that could mean anything."""
    return one_line(curled(markup))


def _points_and_doubts(
    series: Series,
) -> tuple[tuple[tuple[int, int], ...], tuple[Doubt, ...]]:
    """The points of a curve and where it is not known, with a point at each end of that."""
    first_x = series.points[0][0]
    values = dict(series.points)
    doubts = tuple(
        doubt._replace(start=max(doubt.start, first_x))
        for doubt in series.doubts
        if not doubt.end or doubt.end > first_x
    )
    for x in sorted({x for doubt in doubts for x in (doubt.start, doubt.end) if x > first_x}):
        values.setdefault(x, values[max(earlier_x for earlier_x in values if earlier_x <= x)])
    return tuple(sorted(values.items())), doubts
