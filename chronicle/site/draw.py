"""Blocks of a CampaignView to HTML, with the macros in ``templates/``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    Edge,
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
from chronicle.core.figures import number_in_words, times_in_words
from chronicle.core.record import Contest, ContestOdds, Side, Source
from chronicle.site import charts, counted
from chronicle.site.emblems import Emblem
from chronicle.site.emblems import draw_emblem as draw_emblem
from chronicle.site.graphs import GraphDrawer
from chronicle.site.links import NameLinker, slugify
from chronicle.site.prose import inline, one_line, prose, typeset, with_curly_quotes, without_links
from chronicle.site.sandbox import ORIGINALS_PREFIX, BoundedEnvironment
from chronicle.site.template_files import (
    has_templates,
    template_folders,
    unused_blocks,
    unused_templates,
)
from chronicle.words import find_message, word

EnvironmentType = TypeVar("EnvironmentType", bound=Environment)

MAX_CURVES_TOGETHER: Final = 3
"""More curves than these in one picture are a tangle: each then has a small one of its own."""
DASH_CELLS: Final = ("-", "–")
"""Cells that say that there is nothing to say. A card on a phone leaves them out."""
EMPTY_CELLS: Final = ("", (), *DASH_CELLS)
"""Cells in which nothing is said."""
MIN_ROWS_OF_SAME_WORDS: Final = 6
"""A column of so many rows that all have the same words tells nobody anything."""
MIN_ROWS_FOR_FILTER = 20
"""Tables longer than this get a filter box."""
MAX_NAMED_MARKS = 3
"""More marks than this on a curve are numbered, and explained below it."""
MAX_MARK_LETTERS = 24
"""A mark with longer words is numbered, too."""
GRAPH_WIDTHS = (290, 560, 740, 900, 1100)
"""The widths, in CSS pixels, that drawings of a graph can have; on narrower screens, text replaces them."""
WIDE_WIDTH = 900
COLUMN_WIDTH = 640
ASIDE_WIDTH = 290
"""Widths of charts: on a page of its own, in the main column of a sheet, beside it. Narrower screens show the
narrow drawing; no chart is ever scaled down."""


def make_environment(
    project_folder: Path | None = None,
    warn: Callable[[str], object] = print,
    graphs: dict[str, str] | None = None,
) -> Environment:
    """The Jinja environment of the pages. A project may override templates in its ``templates/``
    folder; then all run in the sandbox, which ours alone, being slower in it, do not need.

    Args:
        project_folder: the project's root.
        warn: told which template of the project fails, and why.
        graphs: layouts by content, kept between builds.
    """
    if project_folder is None or not has_templates(project_folder):
        return _own_environment(*template_folders())
    project_templates = project_folder / "templates"
    env = _new_environment(BoundedEnvironment, [project_templates, *template_folders()])
    env.template_folder, env.print_warning, env.graph_layouts = (
        project_templates,
        warn,
        {} if graphs is None else graphs,
    )
    for template_warning in (
        *unused_templates(project_templates),
        *unused_blocks(project_templates),
    ):
        env.warn_keeper(template_warning)
    return env


@cache
def _own_environment(*folders: Path) -> Environment:
    return _new_environment(Environment, folders)


def _new_environment(
    environment_type: type[EnvironmentType], folders: Iterable[Path]
) -> EnvironmentType:
    original_loader = FileSystemLoader(template_folders())
    env = environment_type(
        loader=ChoiceLoader(
            [FileSystemLoader(list(folders)), PrefixLoader({ORIGINALS_PREFIX: original_loader})]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals["word"] = message_markup
    env.filters["listed"] = join_names
    env.filters["slug"] = slugify
    env.filters["times"] = times_in_words
    env.filters["typeset"] = typeset
    env.filters["unlinked"] = without_links
    return env


def message_markup(message_key: str, /, **values: Any) -> Markup:
    """Return a message of the catalogue for a template. Its values are escaped unless they are markup.

    Args:
        message_key: its whole key, such as ``site.left_open``.
        values: the values of its placeholders; ``count`` also chooses the plural form.
    """
    message_text = find_message(message_key, values.get("count"))
    if not values:
        return Markup(message_text)
    return Markup(message_text).format_map(
        {value_name: escape(value) for value_name, value in values.items()}
    )


def join_names(names: Iterable[str]) -> Markup:
    """Join names as a sentence lists them, such as ``Ada, Ben and Cleo``; they are escaped unless they are markup."""
    first_name, *later_names = list(names) or [""]
    joined_names = escape(first_name)
    for name in later_names[:-1]:
        joined_names = message_markup("site.list_next", list=joined_names, item=name)
    return (
        message_markup("site.list_last", list=joined_names, item=later_names[-1])
        if later_names
        else joined_names
    )


MAX_LETTERS_BESIDE_OTHERS: Final = 45
"""The most letters in a cell that stands beside others where a row is a card."""


class Renderer:
    """Draws blocks as seen from one page.

    Args:
        env: the Jinja environment with the macros.
        find_address: gives the address of a reference, or an empty string where there is no page.
        find_seat: the seat (from 1) of a player's name, 0 for anybody else.
        name_linker: links names in plain text.
        term_linker: links words of the game.
        graph_drawer: draws graphs.
        find_emblem: gives the emblem of a sheet by its id, if it has one.
    """

    def __init__(
        self,
        env: Environment,
        find_address: Callable[[Ref], str],
        find_seat: Callable[[str], int],
        name_linker: NameLinker,
        graph_drawer: GraphDrawer,
        find_emblem: Callable[[str], Emblem | None] = lambda sheet_id: None,
        term_linker: NameLinker | None = None,
    ) -> None:
        self._env = env
        self.address = find_address
        self.seat_of = find_seat
        self.name_linker = name_linker
        self.graphs = graph_drawer
        self._find_emblem = find_emblem
        self.width = WIDE_WIDTH
        """The width of charts in CSS pixels: the width of their column."""
        self.is_bare = False
        """Whether to draw without an anchor and without sorting, since the block appears on the page more
        than once."""
        self._drawn_refs: dict[Ref, Markup] = {}
        self._term_linker = term_linker or NameLinker({})
        self._explained_terms: set[str] = set()
        self._table_count = 0
        self._are_dots_explained = False
        self._anchor_counts: Counter[str] = Counter()

    @cached_property
    def _macros(self) -> dict[str, Any]:
        return {
            macro_file: self._env.get_template(f"macros/{macro_file}.html").module
            for macro_file in (
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

    def macro(self, macro_file: str, macro_name: str, *args: Any, **keywords: Any) -> Markup:
        """Call a macro by name."""
        return Markup(getattr(self._macros[macro_file], macro_name)(*args, **keywords))

    # -- inline ------------------------------------------------------------------------------------

    def text(self, inline_text: Inline) -> Markup:
        """A line or a table cell: escaped, names linked, references made into links."""
        match inline_text:
            case Ref():
                return self.ref(inline_text)
            case tuple():
                return Markup("").join(self.text(inline_part) for inline_part in inline_text)
            case int():
                return Markup(typeset(f"{inline_text:,}"))
            case _:
                return self.name_linker.link(str(inline(inline_text)))

    def links_in_heading(self, heading_name: str) -> set[str]:
        """The links that a heading with this name already shows; the text below does not repeat them."""
        linked_tags: set[str] = set()
        self.name_linker.link(
            str(inline(heading_name)), linked_tags=linked_tags, every_mention=True
        )
        return linked_tags

    def ref(self, ref: Ref) -> Markup:
        """A reference as a link, or as plain text where it leads nowhere."""
        drawn_ref = self._drawn_refs.get(ref)
        if drawn_ref is None:
            drawn_ref = self._drawn_refs[ref] = self._draw_ref(ref)
        return drawn_ref

    def _draw_ref(self, ref: Ref) -> Markup:
        if ref.kind == "code":
            return Markup("<code>{}</code>").format(ref.label)
        url = self.address(ref)
        if ref.kind == "rule":
            return self.macro("bits", "rule_chip", ref.label, url)
        if ref.kind == "player":
            return self.macro("bits", "player_name", ref.label, self.seat_of(ref.id), url)
        if not url:
            return inline(ref.label)
        return Markup(f'<a href="{escape(url)}">{inline(ref.label)}</a>')

    def term(self, game_words: str) -> Markup:
        """Words of the game, as a link to their explanation at their first mention on the page."""
        return self._term_linker.link(str(escape(game_words)), linked_tags=self._explained_terms)

    def game_text(self, inline_text: Inline) -> Markup:
        """What the game says, not a player: as :meth:`text`, and its own words explained."""
        return self._term_linker.link(
            str(self.text(inline_text)), linked_tags=self._explained_terms
        )

    def emblem_of(self, sheet_id: str) -> Emblem | None:
        """The emblem of a sheet by its id, if it has one."""
        return self._find_emblem(sheet_id)

    def emblem(self, ref: Ref, css_class: str = "", *, has_fine_lines: bool = False) -> Markup:
        """The emblem of the sheet that a reference means; empty if there is none."""
        emblem = self.emblem_of(ref.id) if ref.kind == "sheet" else None
        return (
            draw_emblem(emblem, css_class, has_fine_lines=has_fine_lines)
            if emblem is not None
            else Markup("")
        )

    def draw_emblem(
        self, emblem: Emblem, css_class: str = "", *, has_fine_lines: bool = False
    ) -> Markup:
        """An emblem."""
        return draw_emblem(emblem, css_class, has_fine_lines=has_fine_lines)

    def links_to_versions(
        self, latest_path: str, session_numbers: Iterable[int], shown_session: int
    ) -> list[dict[str, Any]]:
        """The ways to a page as it was after each session; ``latest_path`` is the page after the last one,
        ``shown_session`` the session that is shown."""
        all_sessions = list(session_numbers)
        folder = latest_path.removesuffix("/index")
        path_by_session = {
            session_number: f"{folder}/after-{session_number}"
            for session_number in all_sessions[:-1]
        } | {all_sessions[-1]: latest_path}
        return [
            {
                "number": session_number,
                "url": self.address(Ref("path", version_path, "")),
                "here": session_number == shown_session,
            }
            for session_number, version_path in path_by_session.items()
        ]

    def rule(self, rule_id: str) -> Markup:
        """A rule's number as a chip that leads to its explanation."""
        return self.ref(Ref("rule", rule_id, rule_id)) if rule_id else Markup("")

    def player(self, player: str) -> Markup:
        """A player's name in the player's colour."""
        return self.ref(Ref("player", player, player)) if player else Markup("")

    def prose(self, markdown: str) -> Markup:
        """Players' Markdown, sanitised, with names linked."""
        return self.name_linker.link(str(prose(markdown)))

    def slip(self, slip: Slip) -> Markup:
        """A word on a slip, linked to where it was bought if that is known."""
        drawn_slip = self.macro(
            "bits", "slip", slip.text, slip.count, slip.state or "plain", self.seat_of(slip.player)
        )
        url = self.address(Ref("step", str(slip.step), "")) if slip.step else ""
        return (
            Markup('<a class="ch-plain" href="{}">{}</a>').format(url, drawn_slip)
            if url
            else drawn_slip
        )

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
                labels_and_values = [
                    (self.term(label), self.text(value)) for label, value in block.rows
                ]
                facts_table = self.macro("page", "facts_table", labels_and_values)
                return self._draw_titled(block.title, facts_table, level)
            case Stats() if block.compares_players:
                people_strip = self.macro("sheet", "people_strip", self.players(block))
                return self._draw_titled(block.title, people_strip, level)
            case Stats():
                stat_items = [(typeset(stat.value), self.term(stat.label)) for stat in block.items]
                return self._draw_titled(
                    block.title, self.macro("sheet", "stats", stat_items), level
                )
            case Table():
                return self._draw_titled(block.title, self.table(block), level, block.note)
            case Slips():
                drawn_slips = Markup(" ").join(self.slip(slip) for slip in block.items)
                slips_html = Markup('<p class="ch-slips">{}</p>').format(drawn_slips or "none")
                return self._draw_titled(block.title, slips_html, level)
            case Board():
                return self._draw_titled(block.title, self._draw_board(block), level)
            case Stones():
                return self._draw_titled(block.title, self._draw_stones(block), level)
            case ContestCard():
                return self.contest(block.contest, block.step_number)
            case Listing():
                return self._draw_titled(block.title, self._draw_listing(block), level)
            case Graph():
                return self._draw_titled(block.title, self.graph(block), level)
            case Steps():
                return self._draw_titled(block.title, self._draw_steps_chart(block), level)
            case Lanes():
                return self._draw_titled(block.title, self._draw_lanes(block), level)
            case Bars():
                return self._draw_titled(block.title, self._draw_bars(block), level)
            case Shares():
                return self._draw_titled(block.title, self._draw_shares(block), level)
            case Rings():
                return self._draw_titled(block.title, self._draw_rings(block), level)
            case Section():
                return self._draw_section(block, level)

    def players(self, block: Stats) -> list[dict[str, Any]]:
        """What every player has, as templates take it."""
        return [
            {
                "name": stat.player,
                "colour": self.seat_of(stat.player),
                "value": int(stat.value) if stat.value.isdigit() else stat.value,
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
        anchor_count = self._anchor_counts[slug]
        return slug if anchor_count == 1 else f"{slug}-{anchor_count}"

    def _draw_titled(
        self, title: str, body_html: Markup, level: int, note_text: str = ""
    ) -> Markup:
        if not title:
            return body_html
        anchor, heading = self.anchor(title), title if self.is_bare else self.term(title)
        return self.macro("sheet", "sheet_card", heading, note_text, body_html, anchor, level)

    def _draw_section(self, section: Section, level: int) -> Markup:
        section_body = self.blocks(section.blocks, min(level + bool(section.title), 4))
        if section.abreast:
            section_body = Markup('<div class="ch-abreast">{}</div>').format(section_body)
        if not section.title:
            return section_body
        anchor = self.anchor(section.id or section.title)
        if section.folded:
            return Markup(
                '<details class="ch-fold" id="{}"><summary>{}</summary>{}</details>'
            ).format(anchor, inline(section.title), section_body)
        url = self.address(Ref("step", str(section.step), "")) if section.step else ""
        section_title = inline(section.title)
        if section.gist:
            gist_html = without_links(self.text(section.gist.replace(" : ", "\u00a0:\u00a0")))
            return self.macro(
                "bits",
                "row",
                anchor,
                level,
                section_title,
                gist_html,
                section_body,
                url,
                section.step,
            )
        if url:
            section_title = Markup('<a href="{}">{}</a>').format(url, section_title)
        return Markup('<section class="ch-section" id="{}"><h{}>{}</h{}>{}</section>').format(
            anchor, level, section_title, level, section_body
        )

    def table(self, table: Table) -> Markup:
        """A sortable table, without the columns in which nothing is said."""
        shown_columns = [
            column_index
            for column_index, column in enumerate(table.columns)
            if not column_index
            or self._has_information([row[column_index] for row in table.rows], column.numeric)
        ]
        columns = [
            {"title": column.title, "align": "right" if column.numeric else ""}
            for column in (table.columns[column_index] for column_index in shown_columns)
        ]
        table_rows: list[list[dict[str, Any]]] = [
            [
                {"text": self.text(cell), "sort": cell}
                if isinstance(cell, int)
                else {"text": "–", "class": "ch-none"}
                if cell in DASH_CELLS
                else {"text": self.text(cell)}
                for cell in (row[column_index] for column_index in shown_columns)
            ]
            for row in table.rows
        ]
        for column_cells in [*zip(*table_rows, strict=True)][1:]:
            if any(
                len(Markup(cell["text"]).striptags()) > MAX_LETTERS_BESIDE_OTHERS
                for cell in column_cells
            ):
                for cell in column_cells:
                    cell.setdefault("class", "ch-long")
        if not table_rows:
            return Markup('<p class="ch-soft">{}</p>').format(word("site.nothing_to_list"))
        return self.macro(
            "page",
            "sortable_table",
            columns,
            table_rows,
            self._next_table_id(),
            table.title or word("site.table"),
            len(table_rows) > MIN_ROWS_FOR_FILTER,
            not self.is_bare,
        )

    def _has_information(self, cells_of_column: Sequence[Inline], is_numeric: bool) -> bool:
        """Whether a column says anything: no row does, or many rows have the same plain words (a name and a
        figure are never plain words)."""
        if all(cell in EMPTY_CELLS for cell in cells_of_column):
            return False
        first_cell = cells_of_column[0]
        if (
            is_numeric
            or not isinstance(first_cell, str)
            or len(cells_of_column) < MIN_ROWS_OF_SAME_WORDS
        ):
            return True
        return any(cell != first_cell for cell in cells_of_column) or "<" in self.text(first_cell)

    def _draw_board(self, board: Board) -> Markup:
        squares_data = [
            {
                "label": square_label,
                "tokens": [
                    {
                        "label": token.label,
                        "colour": self.seat_of(token.player),
                        "emblem": self.emblem(Ref("sheet", token.label, token.label)),
                    }
                    for token in board.tokens
                    if token.square == square_number
                ],
            }
            for square_number, square_label in enumerate(board.squares)
        ]
        return self.macro("charts", "track_board", squares_data, board.title or word("site.track"))

    def _draw_stones(self, stones: Stones) -> Markup:
        players = stones.players or tuple(label for label, _, _ in stones.rows)
        rows = [
            {"who": self.text(label), "colour": self.seat_of(player), "on": filled, "total": total}
            for (label, filled, total), player in zip(stones.rows, players, strict=True)
        ]
        return self.macro("charts", "paths", rows)

    def _draw_listing(self, listing: Listing) -> Markup:
        if not listing.items:
            return Markup('<p class="ch-soft">{}</p>').format(word("site.nothing_to_list"))
        tag_name = "ol" if listing.ordered else "ul"
        return Markup('<{} class="ch-list">{}</{}>').format(
            Markup(tag_name),
            Markup("").join(self._draw_listing_item(item) for item in listing.items),
            Markup(tag_name),
        )

    def _draw_listing_item(self, item: Item) -> Markup:
        item_text = self.text(item.text)
        url = self.address(Ref("step", str(item.step), "")) if item.step else ""
        # Behind a full stop there is no other point, and no score is broken.
        css_class = (
            "ch-soft ch-soft--apart"
            if str(item_text).endswith((".", ".”", "?", "!"))
            else "ch-soft"
        )
        item_note = self.text(item.note.replace(" : ", "\u00a0:\u00a0"))
        note_html = f' <span class="{css_class}">{item_note}</span>' if item.note else ""
        entry_link = (
            f' <a class="ch-go" href="{escape(url)}"><span class="ch-sr">{word("site.entry")} </span>{item.step}</a>'
            if url
            else ""
        )
        return Markup(f"<li>{item_text}{note_html}{entry_link}</li>")

    def graph(self, graph: Graph) -> Markup:
        """A graph with its key and its table twin."""
        if graph.counted and graph.nodes:
            return self._draw_counted_graph(graph)
        nodes_by_id = {node.id: node for node in graph.nodes}
        edge_rows = tuple(
            (
                self._node_link_or_label(nodes_by_id[edge.start]),
                edge.label or dict(graph.key).get(edge.kind, edge.kind),
                self._node_link_or_label(nodes_by_id[edge.end]),
                edge.count,
            )
            for edge in graph.edges
            if edge.start in nodes_by_id and edge.end in nodes_by_id
        )
        columns = (
            (word("site.from"), word("site.tie"), word("site.to"), word("site.times"))
            if any(edge.count > 1 for edge in graph.edges)
            else (word("site.from"), word("site.tie"), word("site.to"))
        )
        edge_table = self.macro(
            "page",
            "sortable_table",
            list(columns),
            [[self.text(cell) for cell in edge_row[: len(columns)]] for edge_row in edge_rows],
            self._next_table_id(),
            graph.title,
        )
        drawing_and_width = self.graphs.draw(graph)
        key_markup = Markup("").join(
            self.macro("sheet", "key_entry", slugify(edge_kind) or "plain", kind_words)
            for edge_kind, kind_words in graph.key
        )
        if drawing_and_width is None:
            return Markup("{}{}").format(
                key_markup,
                edge_table
                if edge_rows
                else Markup('<p class="ch-soft">{}</p>').format(word("site.no_ties_yet")),
            )
        graph_svg, width = drawing_and_width
        graph_width = next(
            (graph_width for graph_width in GRAPH_WIDTHS if width <= graph_width), GRAPH_WIDTHS[-1]
        )
        picture_or_words = self.macro(
            "charts", "or_in_words", graph_svg, graph_width, [*self._edges_in_words(graph)]
        )
        return self.macro(
            "charts", "figure", picture_or_words, key_markup, edge_table if edge_rows else ""
        )

    def _edges_in_words(self, graph: Graph) -> Iterator[Markup]:
        """For each node that edges start from, one line with their ends. An edge's words stand behind its end,
        unless the key has one kind of edge alone and says what it is."""
        nodes_by_id = {node.id: node for node in graph.nodes}
        words_by_kind = dict(graph.key) if len(graph.key) > 1 else {}
        edges_by_start_id: dict[str, list[Edge]] = {}
        for edge in graph.edges:
            if edge.start in nodes_by_id and edge.end in nodes_by_id:
                edges_by_start_id.setdefault(edge.start, []).append(edge)
        for start_id, edges in edges_by_start_id.items():
            arrow_sign = "→" if all(edge.directed for edge in edges) else "–"
            linked_ends = [
                (
                    self.text(self._node_link_or_label(nodes_by_id[edge.end])),
                    self.text(edge.label or words_by_kind.get(edge.kind, "")),
                )
                for edge in edges
            ]
            start_words = self.text(self._node_link_or_label(nodes_by_id[start_id]))
            yield self.macro("charts", "ends", start_words, arrow_sign, linked_ends)

    def _draw_counted_graph(self, graph: Graph) -> Markup:
        """A ring of people with counted lines, and what they count beside it."""
        wide_drawing, narrow_drawing = (
            counted.draw_counted_graph(graph, width, self._find_emblem, self.address)
            for width in (counted.WIDE_WIDTH, counted.NARROW_WIDTH)
        )
        return self.macro(
            "charts", "counted", wide_drawing, narrow_drawing, self.pairs(graph), self.signs(graph)
        )

    def pairs(self, graph: Graph) -> list[dict[str, Any]]:
        """What a graph with counted lines counts, pair by pair."""
        return [
            {
                "one": self.text(self._node_link_or_label(pair.first_node)),
                "other": self.text(self._node_link_or_label(pair.second_node)),
                "said": pair.counts_text,
                "reasons": [(sign, self.text(reason_text)) for sign, reason_text in pair.reasons],
            }
            for pair in counted.pairs_in_words(graph)
        ]

    def signs(self, graph: Graph) -> list[tuple[Markup, str]]:
        """The key to a graph with counted lines."""
        return [
            (counted.sign_of_kind(kind_index), kind_words)
            for kind_index, (_, kind_words) in enumerate(graph.key)
        ]

    def _node_link_or_label(self, node: Node) -> Inline:
        return node.ref if node.ref is not None else node.label

    def _next_table_id(self) -> str:
        if self.is_bare:
            return ""
        self._table_count += 1
        return f"table-{self._table_count}"

    def _draw_steps_chart(self, chart: Steps) -> Markup:
        are_marks_numbered = len(chart.marks) > MAX_NAMED_MARKS or any(
            len(mark_text) > MAX_MARK_LETTERS for _, _, mark_text in chart.marks
        )
        curves = [
            charts.Series(series.name, self.seat_of(series.player), *_points_and_doubts(series))
            for series in chart.series
            if series.points
        ]
        axis_labels = [charts.AxisLabel(x, tick_label) for x, tick_label in chart.ticks]
        guides = [guide_value for guide_value, _ in chart.guides]
        is_tangle = (
            self.width > ASIDE_WIDTH and len(curves) > MAX_CURVES_TOGETHER and not chart.marks
        )
        chart_html = (
            Markup("")
            if is_tangle
            else charts.draw_step_lines(
                curves,
                axis_labels,
                guides,
                marks=[
                    charts.CurveMark(
                        x,
                        str(mark_number) if are_marks_numbered else mark_text,
                        series_name=next(
                            (curve.name for curve in curves if mark_text.startswith(curve.name)), ""
                        ),
                    )
                    for mark_number, (x, _, mark_text) in enumerate(chart.marks, 1)
                ],
                title=chart.title,
                width=self.width,
                height=max(260, 22 * len(curves)) if self.width > ASIDE_WIDTH else 220,
            )
        )
        drawn_strips = [
            {
                "name": self.text(curve.name),
                "colour": curve.seat,
                "last": typeset(curve.last_known_text(axis_labels)),
                "drawn": "" if curve.is_one_figure else strip_svg,
            }
            for curve, strip_svg in zip(
                curves,
                charts.draw_curve_strips(curves, axis_labels, guides, title=chart.title),
                strict=True,
            )
        ]
        if self.width > ASIDE_WIDTH:
            width_or_apart = "apart" if is_tangle else self.width
            chart_html = self.macro("charts", "two_ways", chart_html, width_or_apart, drawn_strips)
        guide_names: dict[float, str] = dict(chart.guides)
        named_values = {y for y, guide_name in guide_names.items() if guide_name}
        rows = [
            [
                self.text(curve.name),
                str(x),
                f"{y} ({guide_names[y]})"
                if x in known_xs and y in named_values
                else curve.in_words(x, y),
            ]
            for curve in curves
            for known_xs in [{x for x, _ in curve.known_points}]
            for x, y in curve.points
        ]
        chart_table = self.macro(
            "page",
            "sortable_table",
            [
                word("site.whose"),
                {"title": chart.x_title or word("site.at"), "align": "right"},
                {"title": chart.y_title or word("site.value"), "align": "right"},
            ],
            rows,
            self._next_table_id(),
            chart.title,
        )
        guide_texts = [f"{y}: {guide_name}" for y, guide_name in chart.guides if guide_name]
        has_dots = any(curve.doubts and not (is_tangle and curve.is_one_figure) for curve in curves)
        if has_dots and not self._are_dots_explained:
            self._are_dots_explained = True
            guide_texts.append(word("site.dots_not_on_record"))
        guide_notes = inline("; ".join(guide_texts))
        figure_html = self.macro(
            "charts", "figure", chart_html, guide_notes, chart_table if rows else ""
        )
        if not are_marks_numbered:
            return figure_html
        mark_items = Markup("").join(
            Markup("<li>{}</li>").format(self.text(mark_text)) for _, _, mark_text in chart.marks
        )
        # Where a wide picture has no room, the small ones that stand for it have no numbers.
        css_class = " ch-causes--wide" if self.width >= WIDE_WIDTH else ""
        return Markup('{}<ol class="ch-list ch-causes{}">{}</ol>').format(
            figure_html, css_class, mark_items
        )

    def _lane_heading(self, heading: str | Ref) -> charts.LaneHeading:
        return (
            charts.LaneHeading(heading.label, self.address(heading))
            if isinstance(heading, Ref)
            else charts.LaneHeading(heading)
        )

    def _draw_lanes(self, lanes: Lanes) -> Markup:
        row_headings, column_headings = (
            [*map(self._lane_heading, lanes.rows)],
            [*map(self._lane_heading, lanes.columns)],
        )
        letters_by_player = _distinct_letters({player for _, _, _, player in lanes.cells if player})
        presence_cells = [
            charts.PresenceCell(
                row_index,
                column_index,
                self.seat_of(player),
                cell_note,
                letters_by_player.get(player, ""),
            )
            for row_index, column_index, cell_note, player in lanes.cells
        ]
        shows_numbers = not charts.column_names_fit(row_headings, column_headings, self.width)
        lanes_svg = charts.draw_swim_lanes(
            row_headings,
            column_headings,
            presence_cells,
            title=lanes.title,
            width=self.width,
            shows_numbers=shows_numbers,
        )
        columns_by_row: dict[int, list[int]] = {}
        for row_index, column_index, _, _ in lanes.cells:
            if column_index not in columns_by_row.setdefault(row_index, []):
                columns_by_row[row_index].append(column_index)
        drawn_strips = [
            {
                "name": self.text(lanes.rows[row_index]),
                "colour": 0,
                "last": ", ".join(
                    str(column_index + 1) for column_index in columns_by_row.get(row_index, ())
                ),
                "drawn": strip_svg,
            }
            for row_index, strip_svg in enumerate(
                charts.draw_lane_strips(
                    row_headings, column_headings, presence_cells, title=lanes.title
                )
            )
        ]
        chart_or_strips = self.macro("charts", "two_ways", lanes_svg, self.width, drawn_strips)
        player_key = Markup(" ").join(
            self.macro("charts", "holder", self.player(player), letter, self.seat_of(player))
            for player, letter in letters_by_player.items()
        )
        table = self.macro(
            "page",
            "sortable_table",
            [word("site.who"), word("site.where")],
            [
                [
                    self.text(lanes.rows[row_index]),
                    "; ".join(
                        column_headings[column_index].text for column_index in present_columns
                    ),
                ]
                for row_index, present_columns in columns_by_row.items()
            ],
            self._next_table_id(),
            lanes.title,
        )
        figure_html = self.macro("charts", "figure", chart_or_strips, player_key, table)
        column_items = Markup("").join(
            Markup("<li>{}{}</li>").format(
                self.text(column_heading),
                Markup(' <span class="ch-soft">{}</span>').format(column_note)
                if column_note
                else "",
            )
            for column_heading, column_note in zip_longest(lanes.columns, lanes.notes, fillvalue="")
        )
        css_class = (
            " ch-causes--told" if lanes.notes else "" if shows_numbers else " ch-causes--narrow"
        )
        return Markup('{}<ol class="ch-list ch-causes{}">{}</ol>').format(
            figure_html, css_class, column_items
        )

    def _draw_bars(self, bars: Bars) -> Markup:
        longest_value = bars.most or max((bar_value for _, bar_value, _ in bars.rows), default=0)
        rows = [
            {"label": self.text(label), "value": bar_value, "colour": self.seat_of(player)}
            for label, bar_value, player in bars.rows
        ]
        note_html = self.game_text(bars.note) if bars.note else ""
        if bars.fair:
            return self.macro(
                "charts", "spread", rows, max(longest_value, bars.fair), bars.fair, note_html
            )
        return self.macro("charts", "bars", rows, longest_value, bars.title, bars.base, note_html)

    def _draw_shares(self, shares: Shares) -> Markup:
        share_rows = []
        for label, shares_of_row in shares.rows:
            row_total = sum(share.amount for share in shares_of_row) or 1
            drawn_shares = [
                {
                    "words": self.text(share.words),
                    "said": share.in_words,
                    "amount": share.amount,
                    "twelfths": max(1, round(12 * share.amount / row_total)),
                    "colour": self.seat_of(share.player) if share.player else share_number,
                    "named": bool(share.player),
                }
                for share_number, share in enumerate(shares_of_row, 1)
                if share.amount
            ]
            share_rows.append({"label": self.text(label) if label else "", "parts": drawn_shares})
        note_html = self.game_text(shares.note) if shares.note else ""
        return self.macro("charts", "shares", share_rows, shares.total, note_html)

    def _draw_rings(self, rings: Rings) -> Markup:
        def emblems_of(refs: Iterable[Ref]) -> tuple[Emblem, ...]:
            return tuple(emblem for ref in refs if (emblem := self.emblem_of(ref.id)) is not None)

        rings_svg = charts.draw_rings(
            [
                charts.Ring(
                    ring_name,
                    tuple(
                        charts.RingSector(
                            sector.label, sector.state == "on", people=emblems_of(sector.people)
                        )
                        for sector in sectors
                    ),
                )
                for ring_name, sectors in reversed(rings.rings)
            ],
            title=rings.title,
            width=min(self.width, 560),
        )
        rings_data = [
            {
                "name": ring_name,
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
            for ring_name, sectors in rings.rings
        ]
        return self.macro("charts", "layers", rings_svg, rings_data)

    # -- dice --------------------------------------------------------------------------------------

    def contest(
        self,
        contest: Contest,
        step_number: int = 0,
        heading_level: int = 3,
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
        url = self.address(Ref("step", str(step_number), "")) if step_number else ""
        contest_title = inline(contest.title)
        if url:
            contest_title = Markup('<a href="{}">{}</a>').format(url, contest_title)
        # What a line below says anyway, or the figures in the middle, is not said twice.
        verdict = contest.verdict.rpartition(": ")[2]
        payers = {winnings_row["who"].striptags() for winnings_row in winnings}
        outcome_lines = [
            outcome_text
            for outcome_text in contest.outcome
            if outcome_text.partition(":")[0] not in payers
        ]
        if contest.verdict and len(contest.outcome) == 1:
            outcome_lines = []
        card_html = self.macro(
            "play",
            "contest_card",
            contest_title,
            chances_text,
            [self._side_data(side) for side in contest.sides],
            contest.score,
            contest.unit,
            inline(verdict),
            [*map(self.text, outcome_lines), *effects],
            winnings,
            odds_bar,
            level=heading_level,
            rule=self.rule(contest.rule),
        )
        if not contest.earlier:
            return card_html
        rounds_html = Markup("").join(
            Markup('<div class="ch-round"><p class="ch-soft">{}</p>{}</div>').format(
                word("site.round", number=round_number),
                Markup("").join(self._draw_dice(side) for side in sides),
            )
            for round_number, sides in enumerate(contest.earlier, 1)
        )
        return Markup('{}<details class="ch-fold"><summary>{}</summary>{}</details>').format(
            card_html, word("site.earlier_rounds"), rounds_html
        )

    def dice_lines(self, contest: Contest) -> Markup:
        """A throw in few words: a line of dice for each side, and who won."""
        side_lines = [
            {
                "name": inline(side.name),
                "colour": self.seat_of(side.player),
                "dice": self._draw_dice(side),
                "result": inline(side.result),
            }
            for side in contest.sides
        ]
        verdict = inline(contest.verdict.rpartition(": ")[2])
        return self.macro("steps", "dice_lines", side_lines, verdict)

    def _draw_odds_bar(self, odds: ContestOdds, sides: Sequence[Side]) -> Markup:
        """How likely each end was before the dice fell, as a bar."""
        win_share, tie_share, lose_share = odds.chances_in_percent()
        opponent = next((side for side in sides if side.player != odds.name), sides[-1])
        labels_and_shares = [
            (odds.name, win_share),
            (word("site.tied"), tie_share),
            (opponent.player or opponent.name, lose_share),
        ]
        if opponent is sides[0]:
            labels_and_shares.reverse()
        return self.macro(
            "play",
            "chances",
            [
                {
                    "words": word("site.chance", who=outcome_label, share=f"{share:.0f}"),
                    "share": share,
                    "colour": self.seat_of(outcome_label),
                }
                for outcome_label, share in labels_and_shares
            ],
        )

    def _side_data(self, side: Side) -> dict[str, Any]:
        has_player_name = bool(side.player) and side.player != side.name
        return {
            "who": inline(side.player if has_player_name else side.name),
            "of": message_markup("site.for_side", name=self.text(side.name))
            if has_player_name
            else "",
            "colour": self.seat_of(side.player),
            "dice": self._draw_dice(side),
            "result": inline(side.result),
            "sources": self.macro("play", "sources", self._source_rows(side.sources)),
            "won": side.won,
        }

    def _source_rows(self, sources: Iterable[str]) -> list[dict[str, Any]]:
        """Where dice came from: what came from one is one row."""
        giver_rows: list[dict[str, Any]] = []
        for source in sources:
            die_source = (
                source if isinstance(source, Source) else Source(source, word=source, dice=0)
            )
            if not giver_rows or giver_rows[-1]["of"] != die_source.giver:
                giver_rows.append({"of": die_source.giver, "all": []})
            giver_rows[-1]["all"].append(die_source)
        for giver_row in giver_rows:
            # The dice of one alone are the sum at the end of the row.
            is_single = len(giver_row["all"]) == 1
            giver_row["slips"] = Markup(" ").join(
                self.macro(
                    "bits",
                    "slip",
                    die_source.word if is_single else _with_dice_count(die_source),
                    1,
                    die_source.colour or "plain",
                )
                for die_source in giver_row["all"]
            )
            giver_row["dice"] = sum(die_source.dice for die_source in giver_row["all"]) or ""
        return giver_rows

    def _draw_dice(self, side: Side) -> Markup:
        faces_data = [
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
        return self.macro("play", "dice", faces_data, self.seat_of(side.player))


def _with_dice_count(die_source: Source) -> str:
    """The word that gave dice, and how many of them if it is not one."""
    if die_source.dice in (0, 1):
        return die_source.word
    message_key = "site.of_these" if die_source.dice > 0 else "site.taken_off"
    return word(message_key, words=die_source.word, count=number_in_words(abs(die_source.dice)))


def _distinct_letters(players: Iterable[str]) -> dict[str, str]:
    """For each player the first letters of their name, as many as tell them apart."""
    letters_by_player: dict[str, str] = {}
    for player in sorted(players):
        letter_count = 1
        while letter_count < len(player) and player[:letter_count] in letters_by_player.values():
            letter_count += 1
        letters_by_player[player] = player[:letter_count]
    return letters_by_player


def compact_html(markup: str) -> str:
    """A page body that survives Markdown: one block, no blank line, nothing at the start of a line
    that could mean anything."""
    return one_line(with_curly_quotes(markup))


def _points_and_doubts(
    series: Series,
) -> tuple[tuple[tuple[int, int], ...], tuple[Doubt, ...]]:
    """The points of a curve and where it is not known, with a point at each end of that."""
    first_x = series.points[0][0]
    values_by_x = dict(series.points)
    doubts = tuple(
        doubt._replace(start=max(doubt.start, first_x))
        for doubt in series.doubts
        if not doubt.end or doubt.end > first_x
    )
    for x in sorted({x for doubt in doubts for x in (doubt.start, doubt.end) if x > first_x}):
        values_by_x.setdefault(
            x, values_by_x[max(earlier_x for earlier_x in values_by_x if earlier_x <= x)]
        )
    return tuple(sorted(values_by_x.items())), doubts
