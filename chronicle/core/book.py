"""The Book: a game-neutral view of a Record, made of blocks that the site and the terminal can draw.

A game fills a Book; the site only knows Books. Plain strings inside blocks are plain text: whoever
draws them escapes them and links the names of players, characters and Components by itself. Only
:class:`Prose` holds players' Markdown, and it is sanitised before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import NamedTuple, ParamSpec

from chronicle.core.diagnostic import detach, plural
from chronicle.core.dice import Die
from chronicle.core.house import InForce, said
from chronicle.core.record import Contest, Record, Step
from chronicle.core.rules import Ruling
from chronicle.core.telling import Slip as Slip
from chronicle.core.timeline import Scene


class Ref(NamedTuple):
    """A link: ``kind`` is ``step`` (id: step number), ``scene``, ``session``, ``sheet``, ``player``,
    ``rule``, ``page``, ``journal`` (id: slug), ``art`` (id: file), ``chapter`` (id: session) or ``told``
    (id: step number; where the story tells it), ``term`` (id: a word of the game); ``label`` is its text.
    ``code`` leads nowhere: what somebody would type, to the letter."""

    kind: str
    id: str
    label: str


def step_ref(step: int, label: str = "") -> Ref:
    """A link to an entry of the log."""
    return Ref("step", str(step), label or f"entry {step}")


Bit = str | int | Ref
Inline = Bit | tuple[Bit, ...]
"""What fits into a line or a table cell."""
Row = tuple[Inline, ...]


def apart(bits: Iterable[Bit]) -> tuple[Bit, ...]:
    """What is listed, with commas between."""
    return tuple(one for bit in bits for one in (", ", bit))[1:]


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
    def of(cls, count: int, one: str, many: str = "", player: str = "") -> Stat:
        """How many there are: ``one`` says what, of a single one; ``many`` what, of several."""
        return cls(f"{count:,}", plural(count, one, many).partition(" ")[2], player)


@dataclass(frozen=True, slots=True)
class Stats:
    """A strip of figures."""

    items: tuple[Stat, ...]
    title: str = ""

    @property
    def of_players(self) -> bool:
        """Whether they compare the players: one whole figure each, in words that are but the name."""
        return bool(self.items) and all(
            one.player and one.value.isdigit() and one.label.startswith(one.player)
            for one in self.items
        )


class Column(NamedTuple):
    """A column head; numeric columns are set in tabular figures, flush right."""

    title: str
    numeric: bool = False


def numeric(title: str) -> Column:
    """The head of a column of figures."""
    return Column(title, True)


def heads(text: str, *more: str | Column) -> tuple[Column, ...]:
    """The heads of a table, in one text of ours (``Gladiator | Dice # | Result``, # for figures). What stands
    ``more`` in them is taken as it is, for it may be names that a table gave."""
    titles = text.split(" | ")
    return (
        *(Column(one.removesuffix(" #"), one.endswith(" #")) for one in titles),
        *(one if isinstance(one, Column) else Column(one) for one in more),
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
    """Makes a table of what yields its rows."""
    found = heads(columns)

    def made(rows: Callable[P, Iterator[Row]]) -> Callable[P, Table]:
        @wraps(rows)
        def table(*args: P.args, **more: P.kwargs) -> Table:
            return Table(found, tuple(rows(*args, **more)), title, note)

        return table

    return made


@dataclass(frozen=True, slots=True)
class Slips:
    """A row of slips."""

    items: tuple[Slip, ...]
    title: str = ""


class Token(NamedTuple):
    """Somebody on a board: on which square (counted from 0), whose."""

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
    """Rows of stones, some of them filled: a path, a pool of dice."""

    rows: tuple[tuple[str, int, int], ...]
    """(who, filled, of how many)"""
    title: str = ""
    notes: tuple[str, ...] = ()
    """Where the stones of each row come from."""
    note: str = ""
    players: tuple[str, ...] = ()
    """Whose each row is, where that is not who it names."""


@dataclass(frozen=True, slots=True)
class ContestCard:
    """A throw, drawn as dice."""

    contest: Contest
    step: int


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


class Node(NamedTuple):
    """A node of a graph. ``kind`` gives the shape (``character``, ``place``, ``prop``, ``player`` ...)."""

    id: str
    label: str
    kind: str = "character"
    ref: Ref | None = None
    player: str = ""


class Edge(NamedTuple):
    """An edge of a graph. ``kind`` gives ink and dash (``green``, ``red``, ``owns``, ``corollary`` ...)."""

    one: str
    other: str
    label: str = ""
    kind: str = ""
    directed: bool = False
    count: int = 1  # type: ignore[assignment]  # tuples have a count() that nobody needs here


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph with a table twin. ``key`` explains the inks in words. Where it is ``counted``, people stand in
    a ring, and each line has as many marks as it counts; the kinds of the key are then, in this order, what
    is for, what is against, and the same of what passes."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    key: tuple[tuple[str, str], ...] = ()
    wide: bool = False
    counted: bool = False


class Series(NamedTuple):
    """One line of a chart: (x, y) points; balances hold until the next point."""

    name: str
    points: tuple[tuple[int, int], ...]
    player: str = ""


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
    """Swim lanes: rows of things, columns of scenes, cells that are filled (with a colour by player).
    A row or a column may be a link to what it is about."""

    title: str
    rows: tuple[str | Ref, ...]
    columns: tuple[str | Ref, ...]
    cells: tuple[tuple[int, int, str, str], ...]
    """(row, column, words, player)"""


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars: lying, or, where ``fair`` is given, standing beside each other."""

    title: str
    rows: tuple[tuple[str, int, str], ...]
    """(label, value, player)"""
    most: int = 0
    """What a full bar stands for; by default, the largest of the values."""
    base: int = 0
    """The value that bars begin at, to one side or the other."""
    fair: float = 0
    """What each would be by nothing but chance; 0: they are no matter of chance."""
    note: Inline = ""


class Share(NamedTuple):
    """A part of a bar: what it is, how much, whose. A link says where it comes from."""

    words: str | Ref
    amount: int = 1
    player: str = ""

    @property
    def said(self) -> str:
        """It in words."""
        words = self.words.label if isinstance(self.words, Ref) else self.words
        return words if self.player else f"{self.amount} {words}"


@dataclass(frozen=True, slots=True)
class Shares:
    """What things are made of, or whose they were in turn: a bar a row, divided. ``figure`` is what a single
    one comes to."""

    title: str
    rows: tuple[tuple[Inline, tuple[Share, ...]], ...]
    figure: str = ""
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
    """A group of blocks, titled or not; ``step`` links its title to the action it is about. ``folded``
    sections open on demand, the blocks of others stand ``abreast`` where there is room. What has a ``gist``
    is one of many alike, told once: a row with its title and the gist, which opens."""

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


@dataclass(slots=True)
class Sheet:
    """One character, Component or player on a page of its own.

    ``kind`` is the game's word and decides the registry it stands in (``Characters``). ``status`` is
    one line (``in play, controlled by Dov``), ``tagline`` one sentence of computed prose.
    """

    id: str
    name: str
    kind: str
    registry: str
    player: str = ""
    status: str = ""
    tagline: str = ""
    aliases: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    """Names that were given up (``renamed:`` in the settings); filled in for every game."""
    blocks: list[Block] = field(default_factory=list)
    aside: list[Block] = field(default_factory=list)
    row: tuple[Inline, ...] = ()
    """Its cells in the registry's table, after the name."""
    spirit: bool = False
    """Never seen in play (a template, something only spoken of)."""
    role: str = ""
    """What somebody or something is, in a few words: ``apprentice``."""
    shape: str = "person"
    """``person``, ``thing``, ``place``, or ``kind`` for a class of them."""
    other: bool = False
    """Whether the GM or the world plays them, and no player."""
    gone: bool = False
    """Whether they are out of the story."""
    weight: int = 0
    """How much they count for by the rules of the game, if it says."""
    held: tuple[tuple[int, str], ...] = ()
    """In whose hands they were, where that is not always the same player: (step, player)."""
    called: frozenset[int] = frozenset()
    """The numbers of the scenes that they had a part in without being there."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that leads here: the current one first, those that were given up last."""
        return (self.name, *self.aliases, *self.former)


@dataclass(slots=True)
class RegistryPage:
    """A registry: which sheets it lists and what its further columns are."""

    title: str
    columns: tuple[Column, ...] = ()
    intro: str = ""


@dataclass(slots=True)
class Page:
    """A page of the game's own. ``group`` is the room of the site it stands in (``Read``, ``People``,
    ``Record``, ``Rules``); a page ``within`` another (its slug) is reached from there alone."""

    slug: str
    title: str
    blocks: list[Block]
    intro: str = ""
    group: str = "Record"
    within: str = ""


@dataclass(slots=True)
class SessionView:
    """One evening as the site shows it."""

    number: int
    title: str
    date: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    summary: str
    steps: list[Step]


class Standing(NamedTuple):
    """How somebody or something stood at the end of an evening."""

    id: str
    name: str
    role: str
    status: str
    hands: str
    """Whose hands they were in last."""
    weight: int
    gone: bool
    slips: tuple[Slip, ...]
    """What can be said of them, removed words included."""


class Evening(NamedTuple):
    """How things stood at the end of an evening."""

    standing: dict[str, Standing]
    relations: tuple[Graph, ...]
    loose_ends: tuple[Item, ...]


MOST_EVENINGS = 12
"""Of how many evenings, the last ones, it is kept how things stood."""


@dataclass(slots=True)
class Book:
    """Everything a reader can be shown of one campaign. The record stays at hand for what is the same
    in every game: actions, postings, diagnostics, scenes."""

    record: Record
    about: str = ""
    """Whose sheet alone somebody wants to see, by its id: a game may leave out all else then."""
    sessions: list[SessionView] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    registries: list[RegistryPage] = field(default_factory=list)
    relations: list[Graph] = field(default_factory=list)
    curves: list[Steps] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    overview: list[Block] = field(default_factory=list)
    state: list[Block] = field(default_factory=list)
    situation: str = ""
    loose_ends: list[Item] = field(default_factory=list)
    """What the story leaves open, as questions where that can be asked."""
    unwritten: list[Item] = field(default_factory=list)
    """What is known to be missing from the record."""
    dice: dict[str, Die] = field(default_factory=dict)
    """The dice of the game by the name its throws use, for the luck report."""
    accounts: dict[str, str] = field(default_factory=dict)
    """Kinds of accounts in plain words, for the ledger; optional rules may have some of their own."""
    earned: dict[tuple[str, str], Inline] = field(default_factory=dict)
    """What texts (``("journal", slug)``) and pictures (``("art", file)``) were paid, where they were."""
    adopted: dict[str, int] = field(default_factory=dict)
    """Which optional rules were in force at any time, by key, and the step that adopted each (0: they
    were there from the start)."""
    scene_panels: Mapping[int, tuple[Block, ...]] = field(default_factory=dict)
    """The state of play as each scene ended."""
    evenings: Mapping[int, Evening] = field(default_factory=dict)
    """How things stood as each evening ended, by its number, the last one's among them."""
    moments: Mapping[int, tuple[Block, ...]] = field(default_factory=dict)
    """The state of play after each entry; entries inside of others have none of their own."""

    @property
    def title(self) -> str:
        """The campaign's title."""
        return self.record.campaign.title

    def sheet(self, id: str) -> Sheet | None:
        """The sheet of a thing, or None."""
        return next((sheet for sheet in self.sheets if sheet.id == id), None)

    def players(self) -> tuple[str, ...]:
        """Players in seating order, whoever runs the game last."""
        return tuple(player.name for player in self.record.campaign.players)


def cards_of(record: Record, steps: Iterable[int]) -> list[Block]:
    """The cards of what was thrown at some entries, by their numbers, each once (0: not thrown yet)."""
    thrown = (record.step(number) for number in dict.fromkeys(steps) if number)
    return [
        ContestCard(step.contest, step.index)
        for step in thrown
        if step.contest is not None and not step.hidden
    ]


def ticks_of_sessions(record: Record) -> tuple[tuple[int, str], ...]:
    """Where each session starts, for the x axis of curves over steps."""
    return tuple(
        (session.first_step, f"session {session.session.number}") for session in record.sessions
    )


def readings_table(record: Record, points: Iterable[Ruling], title: str = "") -> Table:
    """How a campaign reads points on which the rules are silent, and how often each mattered."""
    return Table(
        heads("Point", "Question", "Reading in force", "By", numeric("Times")),
        tuple(
            (
                Ref("rule", point.id, point.id),
                point.question,
                point.readings[record.rulings[point.key]],
                "chosen" if point.key in record.rulings.chosen else "default",
                len(record.rulings_used.get(point.key, ())),
            )
            for point in points
        ),
        title,
    )


MOST_LINKS = 8
"""How many of the places where a rule of the table's own was cited are linked."""
MOST_USES = 30
"""How many of those are shown where one made a difference."""


def house_rules(record: Record) -> Page | None:
    """The rules of the table's own, each with what it says and computes, since when, and what it did;
    None where there are none."""
    blocks: list[Block] = []
    for rule in record.house.rules.values():
        cited = [step.index for step in record.visible() if rule.id in step.action.under]
        did = [use for use in rule.uses if not record.step(use.step).hidden]
        times = len({use.step for use in did})
        rows: list[tuple[str, Inline]] = [
            ("Cited as", rule.id),
            ("In force", _in_force(rule)),
            *(
                ("Computes", Ref("code", "", f"{name}: {one.text.strip()}"))
                for name, one in rule.formulas.items()
            ),
        ]
        if rule.touches:
            rows.append(("Bends", ", ".join(rule.touches)))
        rows.append(("Cited", _places(cited)))
        if rule.formulas:
            rows.append(("Made a difference", plural(times, "time") if times else "never"))
        inner: list[Block] = [Facts(tuple(rows))]
        if did:
            more = len(did) - MOST_USES
            inner.append(
                Table(
                    heads("Where", "What", "Otherwise", "Here"),
                    tuple(
                        (
                            step_ref(use.step, record.step(use.step).headline or "here"),
                            use.point,
                            said(use.usual),
                            said(use.answer),
                        )
                        for use in did[:MOST_USES]
                    ),
                    note=f"and {more} more" if more > 0 else "",
                )
            )
        blocks.append(Section(rule.words, tuple(inner), f"house-rule-{len(blocks) + 1}", rule.step))
    if not blocks:
        return None
    return Page(
        "house-rules",
        "House rules",
        blocks,
        "What this table plays otherwise than the book, and what came of it.",
        group="Rules",
    )


def _in_force(rule: InForce) -> Inline:
    since = step_ref(rule.step, "from here") if rule.step else "from the beginning"
    return (since, " until ", step_ref(rule.ended, "there")) if rule.ended else (since,)


def _places(steps: Sequence[int]) -> Inline:
    if not steps:
        return "never"
    found: list[str | int | Ref] = []
    for number, step in enumerate(steps[:MOST_LINKS], 1):
        found += [", " if number > 1 else "", step_ref(step, str(number))]
    return (*found, f" and {len(steps) - MOST_LINKS} more" if len(steps) > MOST_LINKS else "")


def curves_of(record: Record, kind: str, unit: str) -> tuple[Series, ...]:
    """One series per owner of accounts of a kind, in seating order where owners are players."""
    order = {player.name: seat for seat, player in enumerate(record.campaign.players)}
    owners: dict[str, list[tuple[int, int]]] = {}
    balances: dict[str, int] = {}
    prefix = kind + ":"
    for posting in record.ledger.postings:
        if posting.unit != unit:
            continue
        for account, sign in ((posting.source, -1), (posting.target, 1)):
            if not account.startswith(prefix):
                continue
            balances[account] = balances.get(account, 0) + sign * posting.amount
            points = owners.setdefault(account, [])
            if points and points[-1][0] == posting.step:
                points[-1] = (posting.step, balances[account])
            else:
                points.append((posting.step, balances[account]))
    names = sorted(owners, key=lambda account: (order.get(account[len(prefix) :], 99), account))
    return tuple(
        Series(
            account[len(prefix) :],
            tuple(owners[account]),
            account[len(prefix) :] if account[len(prefix) :] in order else "",
        )
        for account in names
    )


class Panels(NamedTuple):
    """The state of play in the course of it, by number: as each scene ended, after each entry, and as each
    evening but the last one ended."""

    scenes: Mapping[int, tuple[Block, ...]]
    moments: Mapping[int, tuple[Block, ...]]
    evenings: Mapping[int, Evening]


def redact(record: Record) -> None:
    """Take every unrevealed secret out of a Record before anything is made of it: hidden steps keep
    their number and nothing else."""
    for step in record.steps:
        if step.hidden:
            step.headline = "Something is kept secret"
            step.fiction = step.talk = step.speaker = ""
            step.events.clear()
            step.throws.clear()
            step.contest = step.ladder = step.weighing = None
            step.diagnostics.clear()
    hidden_found = [d for d in record.diagnostics if d.step and record.step(d.step).hidden]
    detach(hidden_found)
    gone = set(map(id, hidden_found))
    record.diagnostics = [d for d in record.diagnostics if id(d) not in gone]
    hidden = {step.index for step in record.steps if step.hidden}
    postings = record.ledger.postings
    postings[:] = [p._replace(why="", rule="") if p.step in hidden else p for p in postings]


def make_book(
    record: Record,
    fill: Callable[[Book], None],
    panels: Panels | None = None,
) -> Book:
    """The Book of a Record: the general parts, then what the game adds.

    Args:
        record: the replayed campaign; unrevealed secrets are taken out of it here.
        fill: adds the game's own views (see ``Rulebook.fill``).
        panels: the state of play in the course of it, if it was collected.
    """
    redact(record)
    book = Book(record, situation=record.situation, accounts={**record.rulebook.accounts})
    evenings: Mapping[int, Evening] = {}
    if panels is not None:
        book.scene_panels, book.moments, evenings = panels
    everybody = [player.name for player in record.campaign.players]
    for evening in record.sessions:
        header = evening.session.header
        present = list(evening.present)
        for step in record.steps[evening.first_step - 1 : evening.last_step]:
            present.extend(
                event.subject
                for event in step.events
                if event.kind == "arrives" and event.subject not in present
            )
        book.sessions.append(
            SessionView(
                evening.session.number,
                str(header.title or f"Session {evening.session.number}"),
                str(header.date or ""),
                tuple(name for name in everybody if name in present),
                tuple(name for name in everybody if name not in present),
                str(header.summary or ""),
                record.steps[evening.first_step - 1 : evening.last_step],
            )
        )
    fill(book)
    own = house_rules(record)
    if own is not None:
        book.pages.append(own)
    for sheet in book.sheets:
        named = record.names.all.get(sheet.id)
        if named is not None:
            sheet.former = record.names.formerly(named)
            sheet.aliases = tuple(name for name in sheet.aliases if name not in sheet.former)
    if book.sessions:
        book.evenings = {**evenings, book.sessions[-1].number: evening_of(book)}
    return book


def evening_of(book: Book) -> Evening:
    """How things stand in a Book that is filled."""
    standing = {
        sheet.id: Standing(
            sheet.id,
            sheet.name,
            sheet.role,
            sheet.status,
            sheet.held[-1][1] if sheet.held else sheet.player,
            sheet.weight,
            sheet.gone,
            next((block.items for block in sheet.blocks if isinstance(block, Slips)), ()),
        )
        for sheet in book.sheets
    }
    return Evening(standing, tuple(book.relations), tuple(book.loose_ends))


APPEARS = "Appears in"
"""What stands above the scenes that somebody or something was in."""


def appearances(record: Record, id: str) -> Listing:
    """The scenes that somebody or something was in."""
    return appears(record, (one for one in record.timeline.scenes if id in one.cast))


def appears(record: Record, scenes: Iterable[Scene]) -> Listing:
    """These scenes, as those that somebody or something was in."""
    return Listing(
        tuple(
            Item(
                Ref("scene", str(scene.number), scene.label),
                " · ".join(part for part in (scene.when, record.timeline.branch_of(scene)) if part),
            )
            for scene in scenes
        ),
        APPEARS,
        ordered=True,
    )
