"""The CampaignView: a game-neutral view of a Record, made of blocks that the site and the terminal can draw.

A game fills a CampaignView; the site only knows CampaignViews. Plain strings inside blocks are plain text: the renderer
escapes them and links the names of players, characters and Components. Only :class:`Prose` holds players'
Markdown, and the site sanitises it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, NamedTuple, ParamSpec

from chronicle.core.diagnostic import plural
from chronicle.core.dice import Die
from chronicle.core.doubts import Doubt
from chronicle.core.record import Contest, Record, Step
from chronicle.core.telling import Slip as Slip


class Ref(NamedTuple):
    """A link: ``kind`` is ``step`` (id: step number), ``scene``, ``session``, ``sheet``, ``player``,
    ``rule``, ``page``, ``journal`` (id: slug), ``art`` (id: file), ``chapter`` (id: session), ``told`` (id:
    step number; the place in the story) or ``term`` (id: a word of the game); ``label`` is its text.
    ``code`` is no link: its label is text to type."""

    kind: str
    id: str
    label: str


def step_ref(step_number: int, label: str = "") -> Ref:
    """A link to an entry of the log."""
    return Ref("step", str(step_number), label or f"entry {step_number}")


NavEntry = Literal[
    "Story",
    "Sessions",
    "Journal",
    "Cast",
    "Map",
    "Catch up",
    "Timeline",
    "Contests",
    "Coins",
    "About",
]
"""The entries of the navigation of a story."""
Shape = Literal["person", "thing", "place", "kind"]
"""The sorts of sheets: ``kind`` is one for a class of persons or things."""
Bit = str | int | Ref
Inline = Bit | tuple[Bit, ...]
"""Content of a line or a table cell."""
Row = tuple[Inline, ...]
"""The cells of a row of a table."""


def comma_separated(bits: Iterable[Bit]) -> tuple[Bit, ...]:
    """A list of parts with commas between them."""
    return tuple(bit_or_comma for bit in bits for bit_or_comma in (", ", bit))[1:]


@dataclass(frozen=True, slots=True)
class Prose:
    """Players' own words, as Markdown."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Note:
    """A computed sentence."""

    text: Inline


@dataclass(frozen=True, slots=True)
class Facts:
    """Label and value, one below the other."""

    rows: tuple[tuple[str, Inline], ...]
    title: str = ""


class Stat(NamedTuple):
    """One figure worth a large type."""

    value: str
    label: str
    player: str = ""
    turn: bool = False
    """Whether it is that player's turn."""

    @classmethod
    def of(cls, count: int, singular: str, plural_noun: str = "", player: str = "") -> Stat:
        """A figure that counts objects: ``singular`` is the noun for a single object, ``plural_noun`` its plural."""
        return cls(f"{count:,}", plural(count, singular, plural_noun).partition(" ")[2], player)


@dataclass(frozen=True, slots=True)
class Stats:
    """A strip of figures."""

    items: tuple[Stat, ...]
    title: str = ""

    @property
    def compares_players(self) -> bool:
        """Whether the figures compare the players: the label of each begins with the player's name."""
        return bool(self.items) and all(
            stat.player and stat.label.startswith(stat.player) for stat in self.items
        )


class Column(NamedTuple):
    """A column head; numeric columns are set in tabular figures, flush right."""

    title: str
    numeric: bool = False


def numeric(title: str) -> Column:
    """The head of a column of figures."""
    return Column(title, True)


def heads(text: str, *extra: str | Column) -> tuple[Column, ...]:
    """The heads of a table. ``text`` names columns, divided by bars; ``#`` marks figures (``Gladiator | Dice
    # | Result``). ``extra`` are further columns with names from the log."""
    titles = text.split(" | ")
    return (
        *(Column(title.removesuffix(" #"), title.endswith(" #")) for title in titles),
        *(column if isinstance(column, Column) else Column(column) for column in extra),
    )


@dataclass(frozen=True, slots=True)
class Table:
    """A table that can be sorted (and filtered, when it is long)."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    note: str = ""


P = ParamSpec("P")


def tabled(
    columns: str, title: str = "", note: str = ""
) -> Callable[[Callable[P, Iterator[Row]]], Callable[P, Table]]:
    """Make a table from a function that yields its rows."""
    column_heads = heads(columns)

    def make_table(yield_rows: Callable[P, Iterator[Row]]) -> Callable[P, Table]:
        @wraps(yield_rows)
        def make_rows_into_table(*args: P.args, **kwargs: P.kwargs) -> Table:
            return Table(column_heads, tuple(yield_rows(*args, **kwargs)), title, note)

        return make_rows_into_table

    return make_table


@dataclass(frozen=True, slots=True)
class Slips:
    """A row of slips: words on pieces of paper."""

    items: tuple[Slip, ...]
    title: str = ""


class Token(NamedTuple):
    """A token on a board: the square (counted from 0) and the player it belongs to."""

    label: str
    square: int
    player: str


@dataclass(frozen=True, slots=True)
class Board:
    """A row of named squares with tokens on them; those named by a number alone are plain."""

    squares: tuple[str, ...]
    tokens: tuple[Token, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Stones:
    """Rows of counters, some of them filled: steps on a path, a pool of dice, the oil of each player."""

    rows: tuple[tuple[str, int, int], ...]
    """(who, filled, of how many)"""
    title: str = ""
    notes: tuple[str, ...] = ()
    """Where the stones of each row come from."""
    note: str = ""
    players: tuple[str, ...] = ()
    """The player of each row, if that is not its name."""


@dataclass(frozen=True, slots=True)
class ContestCard:
    """A throw, drawn as dice."""

    contest: Contest
    step_number: int


class Item(NamedTuple):
    """One line of a list, with a remark and a link."""

    text: Inline
    note: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of lines."""

    items: tuple[Item, ...]
    title: str = ""
    ordered: bool = False


NodeId = str
"""The id of a node of a graph."""


class Node(NamedTuple):
    """A node of a graph. ``kind`` gives the shape (``character``, ``place``, ``prop``, ``player`` ...)."""

    id: NodeId
    label: str
    kind: str = "character"
    ref: Ref | None = None
    player: str = ""


class Edge(NamedTuple):
    """An edge of a graph. ``kind`` gives ink and dash (``green``, ``red``, ``owns``, ``corollary`` ...)."""

    start: NodeId
    end: NodeId
    label: str = ""
    kind: str = ""
    directed: bool = False
    count: int = 1  # type: ignore[assignment]  # tuples have a count() that nobody needs here


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph, shown with a table of the same facts. ``key`` explains the inks in words. If it is
    ``counted``, people are arranged in a ring and each line has as many marks as it counts. The kinds of the
    key are then, in this order: for, against, for and passed on, against and passed on."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    key: tuple[tuple[str, str], ...] = ()
    wide: bool = False
    counted: bool = False


class Series(NamedTuple):
    """One line of a chart: (x, y) points; balances hold until the next point. ``doubts`` are the parts where the
    value is not known, by x."""

    name: str
    points: tuple[tuple[int, int], ...]
    player: str = ""
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps:
    """Step lines over the course of play. ``ticks`` name x positions, ``guides`` name y levels,
    ``marks`` note causes at points (x, y, words)."""

    title: str
    series: tuple[Series, ...]
    ticks: tuple[tuple[int, str], ...] = ()
    guides: tuple[tuple[int, str], ...] = ()
    marks: tuple[tuple[int, int, str], ...] = ()
    x_title: str = ""
    y_title: str = ""


@dataclass(frozen=True, slots=True)
class Lanes:
    """Swim lanes: one row for each subject, one column for each scene, cells with the colour of a player. A
    row or a column can link to its subject. ``notes`` says more about each column, in a list below the lanes."""

    title: str
    rows: tuple[str | Ref, ...]
    columns: tuple[str | Ref, ...]
    cells: tuple[tuple[int, int, str, str], ...]
    """(row, column, words, player)"""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars: horizontal, or vertical next to each other if ``fair`` is given."""

    title: str
    rows: tuple[tuple[str, int, str], ...]
    """(label, value, player)"""
    most: int = 0
    """The value of a full bar; by default the largest value."""
    base: int = 0
    """The value that bars begin at, to one side or the other."""
    fair: float = 0
    """The expected value of each bar if only chance decides; 0 if chance plays no part."""
    note: Inline = ""


class Share(NamedTuple):
    """A part of a bar: its label, its amount, its player. A link leads to its source."""

    words: str | Ref
    amount: int = 1
    player: str = ""

    @property
    def in_words(self) -> str:
        """The share in words."""
        words = self.words.label if isinstance(self.words, Ref) else self.words
        return words if self.player else f"{self.amount} {words}"


@dataclass(frozen=True, slots=True)
class Shares:
    """Divided bars, one for each row: the parts of a whole, or its owners over time. ``total`` is the
    whole, as the page shows it."""

    title: str
    rows: tuple[tuple[Inline, tuple[Share, ...]], ...]
    total: str = ""
    note: Inline = ""


class Sector(NamedTuple):
    """A part of a ring: its name, ``on`` or how it ended, and who was there last."""

    label: str
    state: str = ""
    people: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class Rings:
    """Rings around a centre, from the outside in, each divided into sectors."""

    title: str
    rings: tuple[tuple[str, tuple[Sector, ...]], ...]
    """(ring label, sectors)"""


@dataclass(frozen=True, slots=True)
class Section:
    """A group of blocks, titled or not; ``step`` links its title to the action it is about. A ``folded``
    section opens on demand; ``abreast`` sets the blocks next to each other where there is room. A section
    with a ``gist`` is one of many similar sections: it shows as a row with title and gist that opens."""

    title: str
    blocks: tuple[Block, ...]
    id: str = ""
    step: int = 0
    folded: bool = False
    abreast: bool = False
    gist: str = ""


Block = (
    Prose
    | Note
    | Facts
    | Stats
    | Table
    | Slips
    | Board
    | Stones
    | ContestCard
    | Listing
    | Graph
    | Steps
    | Lanes
    | Bars
    | Shares
    | Rings
    | Section
)
"""A part of a page."""


def holds_nothing(block: Block) -> bool:
    """Whether a block has nothing to show below its title: it has no rows, or no counter of it is filled."""
    match block:
        case Stones():
            return not any(filled_count for _, filled_count, _ in block.rows)
        case Section():
            return all(map(holds_nothing, block.blocks))
        case Stats() | Slips() | Listing():
            return not block.items
        case Table() | Bars() | Facts() | Shares() | Lanes():
            return not block.rows
        case Board():
            return not block.tokens
        case Graph():
            return not block.edges
        case Steps():
            return not block.series
        case Rings():
            return not block.rings
    return False


@dataclass(slots=True)
class Sheet:
    """One character, Component or player on a page of its own.

    ``kind`` is the game's word and decides the registry that lists it (``Characters``). ``status`` is one
    line (``in play, controlled by Dov``), ``tagline`` one sentence of computed prose."""

    id: str
    name: str
    kind: str
    registry: str
    player: str = ""
    status: str = ""
    tagline: str = ""
    aliases: tuple[str, ...] = ()
    counted_as: str = ""
    """The name that only counts them in the log (``figure 2``), if readers meet them by another."""
    former_names: tuple[str, ...] = ()
    """Former names (``renamed:`` in the settings); filled in for every game."""
    blocks: list[Block] = field(default_factory=list)
    aside: list[Block] = field(default_factory=list)
    row: tuple[Inline, ...] = ()
    """Its cells in the registry's table, after the name."""
    is_never_seen: bool = False
    """Never seen in play (a template, something only spoken of)."""
    role: str = ""
    """A few words about the person or object: ``apprentice``."""
    shape: Shape = "person"
    """``person``, ``thing``, ``place``, or ``kind`` for a class of them."""
    has_no_player: bool = False
    """Whether the GM or the world plays them, not a player."""
    gone: bool = False
    """Whether they are out of the story."""
    weight: int = 0
    """How important they are by the rules of the game, if it says so."""
    holders: tuple[tuple[int, str], ...] = ()
    """Who held them, if that changed: (step, player)."""
    events: tuple[Item, ...] = ()
    """What they did and what was told of them, in the words of the log, in the order of the story."""
    absent_scene_numbers: frozenset[int] = frozenset()
    """The numbers of scenes that used them although they were not present."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that leads to this sheet: the current one first, former ones last."""
        counting_names = (self.counted_as,) if self.counted_as else ()
        return (self.name, *self.aliases, *counting_names, *self.former_names)


@dataclass(slots=True)
class RegistryPage:
    """A registry: which sheets it lists and what its further columns are."""

    title: str
    columns: tuple[Column, ...] = ()
    intro: str = ""


@dataclass(slots=True)
class Page:
    """A page that only one game has. ``group`` is the entry of the navigation that it belongs to. A page
    ``within`` another page (its slug) is linked from there only. Pages that list contests are parts of one page
    of the site, together with the dice."""

    slug: str
    title: str
    blocks: list[Block]
    intro: str = ""
    group: NavEntry = "Contests"
    within: str = ""
    lists_contests: bool = False


@dataclass(slots=True)
class SessionView:
    """One session as the site shows it."""

    number: int
    title: str
    date: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    summary: str
    steps: list[Step]


class SubjectState(NamedTuple):
    """The state of a person or object at the end of a session."""

    id: str
    name: str
    role: str
    """A few words about them: ``apprentice``."""
    status: str
    last_holder: str
    """The last player who held them."""
    weight: int
    gone: bool
    slips: tuple[Slip, ...]
    """The words that describe them, removed ones included."""


class SessionEnd(NamedTuple):
    """The state of the story at the end of a session."""

    subjects: dict[str, SubjectState]
    relations: tuple[Graph, ...]
    loose_ends: tuple[Item, ...]


MOST_SESSION_ENDS = 12
"""Number of sessions, counted from the last one, whose final state is kept."""


@dataclass(slots=True)
class CampaignView:
    """Everything a reader can see of one campaign. ``record`` is there for facts that every game has:
    actions, postings, diagnostics, scenes."""

    record: Record
    only_subject: str = ""
    """Id of the only sheet that is needed; a game may leave out the rest then."""
    sessions: list[SessionView] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    registries: list[RegistryPage] = field(default_factory=list)
    relations: list[Graph] = field(default_factory=list)
    curves: list[Steps] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    overview: list[Block] = field(default_factory=list)
    state: list[Block] = field(default_factory=list)
    """The page State of play; the panel of the game, if the game adds nothing to it."""
    situation: str = ""
    coin_word: str = ""
    """The game's word for what players pay with, in the plural; empty if nothing is paid with."""
    loose_ends: list[Item] = field(default_factory=list)
    """What the story leaves open, as questions where that can be asked."""
    known_gaps: list[Item] = field(default_factory=list)
    """Known gaps in the record."""
    dice: dict[str, Die] = field(default_factory=dict)
    """The dice of the game by the name its throws use, for the luck report. By default those whose faces its verbs
    take, as ``d6``, ``d10``, ``fudge``."""
    accounts: dict[str, str] = field(default_factory=dict)
    """Kinds of accounts in plain words, for the ledger; optional rules may add their own."""
    payments: dict[tuple[str, str], Inline] = field(default_factory=dict)
    """Payments for texts (``("journal", slug)``) and pictures (``("art", file)``)."""
    adopting_steps: dict[str, int] = field(default_factory=dict)
    """Keys of the optional rules that were ever in force, each with the step that adopted it (0: in force
    from the start)."""
    scene_panels: Mapping[int, tuple[Block, ...]] = field(default_factory=dict)
    """The state of play at the end of each scene."""
    session_ends: Mapping[int, SessionEnd] = field(default_factory=dict)
    """The state of the story at the end of each session, by its number, the last one included."""
    entry_panels: Mapping[int, tuple[Block, ...]] = field(default_factory=dict)
    """The state of play after each entry; nested entries have none."""
    outcomes: tuple[Any, ...] = ()
    """Every outcome of the record (:class:`~chronicle.core.outcomes.Outcome`), in order."""

    @property
    def title(self) -> str:
        """The campaign's title."""
        return self.record.campaign.title

    def sheet(self, id: str) -> Sheet | None:
        """The sheet with this id, or None."""
        return next((sheet for sheet in self.sheets if sheet.id == id), None)

    def players(self) -> tuple[str, ...]:
        """Players in seating order, then the facilitator."""
        return tuple(player.name for player in self.record.campaign.players)


class Panels(NamedTuple):
    """The state of play during a replay, by number: after each scene, after each entry, and after each
    session except the last."""

    scene_panels: Mapping[int, tuple[Block, ...]]
    entry_panels: Mapping[int, tuple[Block, ...]]
    session_ends: Mapping[int, SessionEnd]
