"""The contents of a campaign folder: settings, players in seating order, sessions with their actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import ClassVar, NamedTuple

from chronicle.core.declare import Action, Part, PartOf, main, option, read_value, required
from chronicle.core.diagnostic import Diagnostic, Strictness
from chronicle.core.emblems import EMBLEM
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    YES_NO,
    Context,
    FieldType,
    MapOf,
    OneOrMany,
    choice,
    whole,
)
from chronicle.core.house_rules import FORMULAS
from chronicle.core.misread import Misread
from chronicle.core.pseudonyms import Pseudonyms
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value

FINISHED = "finished"
"""The status of a campaign whose story is finished."""
ROLLED, WRITTEN = "rolled", "written"
"""How the dice of a record came about: players rolled them, or the writer chose the faces."""


LOG_FORMAT_VERSION = 1
"""The version of the log format that this Chronicle reads and writes."""


class Player(NamedTuple):
    """A person at the table. ``seat`` counts from 0 in seating order (clockwise); a facilitator (a GM, a
    Handler) sits outside the circle with seat -1."""

    name: str
    seat: int


class HouseRule(Part):
    """A rule of this group's own, which entries may cite with ``under:``."""

    rule = main(TEXT, "the rule in the table's words")
    touches = option(NAMES, "ids of the rules it bends; without it, any rule", default=())
    always = option(
        YES_NO,
        "yes, if it holds in the whole campaign without being cited; it names the rules it touches",
        default=False,
    )
    computes = option(
        FORMULAS, "{what: formula}: what it computes instead of the rules of the book"
    )


class Seat(Part):
    """A player: a name, or a mapping that says under which name readers know the player."""

    name = main(NAME, "the name that the log has")
    publish_as = option(NAME, "the name that readers see everywhere instead; no: none")
    also_known_as = option(
        NAMES, "other words for this player in texts; readers do not see them either", default=()
    )

    @property
    def is_nameless(self) -> bool:
        """Whether readers see no name at all."""
        return (self.publish_as or "").casefold() in ("no", "false", "off", "n")


class _SeatType(FieldType[ScalarNode]):
    """A player's name, alone or with further keys."""

    def __init__(self) -> None:
        self._part = PartOf(Seat)
        self.words = "a name, or a mapping {name, publish as, also known as}"

    def read(self, value: Value, context: Context) -> ScalarNode:
        if isinstance(value, MappingNode):
            return self._part.read(value, context).name
        return NAME.read(value, context)

    def schema(self) -> Schema:
        return self._part.schema()


class _SeatsType(FieldType[tuple[ScalarNode, ...]]):
    """The names of players, in a list or on one line."""

    words = "a list of names, or of mappings {name, publish as, also known as}"

    def read(self, value: Value, context: Context) -> tuple[ScalarNode, ...]:
        if isinstance(value, SequenceNode):
            return tuple(SEAT.read(player_node, context) for player_node in value)
        return NAMES.read(value, context)

    def schema(self) -> Schema:
        return {"type": ["string", "number", "array"], "items": SEAT.schema()}


SEAT: FieldType[ScalarNode] = _SeatType()
SEATS: FieldType[tuple[ScalarNode, ...]] = _SeatsType()


class Settings(Part):
    """``campaign.yaml``. Games add keys of their own in a subclass."""

    facilitator: ClassVar[str] = ""
    """The key that names the facilitator (``gm``, ``handler``), if the game has that role."""

    game = required(NAME, "which game is played")
    title = required(TEXT, "the campaign's title")
    players = required(SEATS, "the players in seating order, clockwise")
    strictness = option(
        choice(*(str(level) for level in Strictness)),
        "how much is told of it; the same rules hold in all three. standard: what is illegal is an error, a "
        "figure that differs a warning, a doubt a note. meticulous, for a log that leaves nothing out: a "
        "figure that differs is an error, and every doubt a warning. relaxed, for a sparse one: what is "
        "illegal is a warning, and doubts are not told",
        default=str(Strictness.STANDARD),
    )
    summary = option(TEXT, "one or two sentences for the front page (Markdown)")
    authors = option(OneOrMany(TEXT), "who wrote this log down", default=())
    licence = option(TEXT, "the licence of this log's text")
    language = option(
        NAME, "language of the fiction, as a code (en, de, pt-BR)", default=ScalarNode("en")
    )
    status = option(
        choice(FINISHED, "going on"),
        "whether the story is told; without it, as the rules of the game have it",
    )
    dice = option(
        choice(ROLLED, WRITTEN),
        "where the dice come from. rolled: somebody rolled them. written: nobody did, the faces were chosen "
        "for the story; the page of dice says so and does not test them for luck",
        default=ROLLED,
    )
    emblem = option(EMBLEM, "the drawing that stands for the story (as 'emblem' in a log)")
    rulings = option(
        MapOf(NAME, NAME, "a mapping from a ruling's key or id to a reading"),
        "readings chosen for points where the rule book is silent: {key or id: reading}",
    )
    house_rules = option(
        MapOf(NAME, PartOf(HouseRule), "a mapping from an id to the rule in the table's words"),
        "rules of this table's own: {id: the rule}, or {id: {rule, touches, always, computes}}",
        key="house rules",
    )
    format = option(
        whole(0),
        "the version of the format that the files are written in, as 'chronicle migrate' keeps it",
        default=0,
    )
    renamed = option(
        MapOf(NAME, NAME, "a mapping from an old name to the new one"),
        "names that were given up and still lead on, in the order of the changes: {old: new}",
    )


class Header(Part):
    """The head of a session file, beside ``log``."""

    session = required(whole(0), "the number of the session; sessions are replayed in this order")
    title = option(TEXT, "a title for the evening")
    date = option(TEXT, "when it was played")
    present = option(NAMES, "who was at the table; without it, everybody")
    absent = option(NAMES, "who was not", default=())
    summary = option(TEXT, "a sentence or two about the evening (Markdown)")
    recap = option(
        OneOrMany(TEXT),
        "what happened, in two to six sentences (Markdown), in the keepers' words; [id] behind a sentence "
        "names the entry that it rests on",
        default=(),
    )
    about = option(
        MapOf(NAME, TEXT, "a mapping from a person to one sentence"),
        "who a person is, in one sentence, from this session on: {person: sentence}; [id] as in 'recap'",
    )
    end = option(
        MapOf(NAME, TEXT, "a mapping from a person to one sentence"),
        "how things stand with a person, or how that person ended, from this session on: {person: sentence}; "
        "[id] as in 'recap'",
    )
    gone = option(
        MapOf(NAME, TEXT, "a mapping from a person to one sentence"),
        "how a person died or left the story, in place of 'end': {person: sentence}; [id] as in 'recap'",
    )
    note = option(TEXT, "the keeper's remark (Markdown)")


@dataclass(slots=True, eq=False)
class Session:
    """One session file: its header, its actions from top to bottom, where it is."""

    header: Header
    actions: list[Action]
    path: str

    @property
    def number(self) -> int:
        """The session's number."""
        return self.header.session


class JournalEntry(NamedTuple):
    """A text in ``journal/``: written after play, in a character's voice or the writer's own."""

    slug: str
    title: str
    body: str
    author: str = ""
    voice: str = ""
    """The character in whose voice it is written."""
    session: int | None = None
    subjects: tuple[str, ...] = ()
    date: str = ""
    path: str = ""


class Artwork(NamedTuple):
    """A picture in ``art/`` with its caption file. ``file`` is relative to the campaign folder."""

    file: PurePosixPath
    title: str
    alt: str
    artist: str = ""
    licence: str = ""
    subjects: tuple[str, ...] = ()
    session: int | None = None
    path: str = ""
    real_path: PurePosixPath | None = None
    """Its path in the campaign folder, if that differs from the path shown to readers."""
    caption_path: str = ""
    """The path of its caption file; empty without one, and for readers."""


class KeeperNote(NamedTuple):
    """A hand-written page in ``notes/``: about a Component, or a house page of its own."""

    slug: str
    title: str
    body: str
    subjects: tuple[str, ...] = ()
    session: int | None = None
    path: str = ""


@dataclass(slots=True, eq=False)
class Campaign:
    """A campaign folder as read. ``diagnostics`` are about form only; play is judged by replay."""

    folder: str
    slug: str
    game: str
    settings: Settings
    sessions: list[Session]
    path: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    journal: list[JournalEntry] = field(default_factory=list)
    art: list[Artwork] = field(default_factory=list)
    notes: list[KeeperNote] = field(default_factory=list)
    pseudonyms: Pseudonyms = field(default_factory=Pseudonyms)
    """Replaces players' names in texts for readers."""
    withheld_ids: frozenset[str] = frozenset()
    """Ids that must not appear in output for readers."""
    publishing_notes: list[str] = field(default_factory=list)
    """Notes for the keeper about the output for readers."""
    rewordings: list[str] = field(default_factory=list)
    """Notes for the keeper: texts in which readers see another name."""
    pinned_version: str = ""
    """The Chronicle version that last pinned this campaign; empty if it is not pinned."""
    real_paths: dict[str, str] = field(default_factory=dict)
    """Paths as shown to readers, mapped to the real paths where they differ."""

    @property
    def title(self) -> str:
        """The campaign's title."""
        return str(self.settings.title)

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody at the table: the seats in order, then the facilitator."""
        seated_players = [
            Player(str(name), seat) for seat, name in enumerate(self.settings.players)
        ]
        facilitator = self.facilitator_name
        return (*seated_players, Player(facilitator, -1)) if facilitator else tuple(seated_players)

    @property
    def facilitator_name(self) -> str:
        """The facilitator's name; empty in a game without that role."""
        facilitator_key = self.settings.facilitator
        return (
            str(getattr(self.settings, facilitator_key.replace(" ", "_"), None) or "")
            if facilitator_key
            else ""
        )

    @property
    def public_names(self) -> list[tuple[Seat, str]]:
        """Players with another public name, each with that name. A player who is to have no name is called
        by the seat, which never changes."""
        seats_and_public_names: list[tuple[Seat, str]] = []
        for fallback_name, player_node in self._player_values():
            if isinstance(player_node, MappingNode):
                try:
                    seat = read_value(PartOf(Seat), player_node)
                except Misread:
                    continue
                public_name = fallback_name if seat.is_nameless else str(seat.publish_as or "")
                if public_name and public_name != seat.name:
                    seats_and_public_names.append((seat, public_name))
        return seats_and_public_names

    def _player_values(self) -> Iterator[tuple[str, Value]]:
        """The value written for each player, with the public name for a player without one."""
        settings_node = self.settings.source
        if not isinstance(settings_node, MappingNode):
            return
        players_node = settings_node.get(ScalarNode("players"))
        if isinstance(players_node, SequenceNode):
            for player_number, player_node in enumerate(players_node, 1):
                yield f"Player {player_number}", player_node
        facilitator_key = self.settings.facilitator
        if facilitator_key and ScalarNode(facilitator_key) in settings_node:
            yield (
                f"The {facilitator_key.upper() if len(facilitator_key) < 3 else facilitator_key.capitalize()}",
                settings_node[ScalarNode(facilitator_key)],
            )

    @property
    def renamings(self) -> tuple[tuple[str, str], ...]:
        """The former names, each with the name that replaced it."""
        return tuple(
            (str(old_name), str(new_name))
            for old_name, new_name in (self.settings.renamed or {}).items()
        )

    @property
    def strictness(self) -> Strictness:
        """How strictly this log is checked."""
        return Strictness(self.settings.strictness)

    @property
    def has_written_dice(self) -> bool:
        """Whether the writer chose the faces of the dice, so that they say nothing about luck."""
        return self.settings.dice == WRITTEN

    def settings_place(self) -> Place:
        """The settings file as a whole."""
        return Place(self.path, 0, 0, 0, 0)
