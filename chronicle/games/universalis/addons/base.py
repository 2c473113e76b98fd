"""What an add-on is: a layer of rule points with a name, parameters, verbs and memory of its own.

An add-on answers some questions of :class:`~chronicle.games.universalis.points.RulePoints` differently
(prices, permissions, how a throw is decided) and is told of the moments of play (a scene ends, a turn
begins), at which it may pay, count or object. What it must remember is a plain dataclass of its own,
kept in the state and reached by :func:`memory`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, TypeVar

from chronicle.core.declare import Action, Part
from chronicle.core.rulebook import Handler, Measure, Option
from chronicle.core.rules import Rule, Ruling
from chronicle.games.universalis.actions import Entry
from chronicle.games.universalis.points import RulePoints, Table
from chronicle.games.universalis.state import (
    Complication,
    Component,
    RollRound,
    SceneState,
    State,
    Trait,
)

if TYPE_CHECKING:
    from chronicle.core.book import Block, Book, Inline
    from chronicle.core.campaign import Session

M = TypeVar("M")
A = TypeVar("A", bound="AddOn")
P = TypeVar("P", bound=Part)

CHAPTER = "Add-ons"
"""The chapter under which add-ons stand among the rules by number."""


class AddOnEntry(Entry):
    """What every verb of an add-on may say besides."""

    optional = True


class NoParameters(Part):
    """An add-on in which there is nothing for the group to set."""


class AddOn(RulePoints):
    """One optional rule of the book, in force from its adoption until it is dropped.

    ``id`` is the id of the Gimmick that adopted it, or its key where ``campaign.yaml`` did.
    """

    code: ClassVar[str] = ""
    """Its id among the rules: ``UA.23``."""
    key: ClassVar[str] = ""
    """What a log calls it: ``durable``."""
    title: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    """What it changes, in a sentence or two of our own."""
    changes: ClassVar[tuple[str, ...]] = ()
    """Ids of the core rules that it bends."""
    parameters: ClassVar[type[Part]] = NoParameters
    """What the group may set; ``chosen`` holds what it did set."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Keys of the add-ons that must be in force for this one to make sense."""
    excludes: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys of add-ons that contradict it, each with the reason. Told from one side, it holds for both."""
    idle_with: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys of add-ons beside which it has no effect, each with the reason: a warning."""
    rules: ClassVar[tuple[Rule, ...]] = ()
    """Its rule and those of its variants."""
    rulings: ClassVar[tuple[Ruling, ...]] = ()
    verbs: ClassVar[Mapping[type[Action], Handler]] = MappingProxyType({})
    """Entries that exist only where it is in force. Those that are no acts of play, and may stand
    anywhere, are no ``AddOnEntry``."""
    """Entries that exist only where it is in force."""
    measures: ClassVar[Mapping[str, Measure]] = MappingProxyType({})
    """Figures of its own that a log may assert."""
    own_turn: ClassVar[Mapping[type[Action], str]] = MappingProxyType({})
    """Those of its verbs that belong to an own turn, each with the words for it (``cedes Control``)."""
    keeps_outcome: ClassVar[frozenset[type[Action]]] = frozenset()
    """Those of its verbs that may stand between a roll and the rest of its outcome."""
    in_preparation: ClassVar[frozenset[type[Action]]] = frozenset()
    """Those of its verbs that may be used while the Tenets are still being settled."""
    bundle: ClassVar[str] = ""
    """Add-ons of one bundle that are adopted in one entry cost 1 Coin together."""
    chosen: Part

    def __init__(self, id: str, chosen: Part, inner: RulePoints) -> None:
        super().__init__(inner)
        self.id = id
        self.chosen = chosen

    # -- moments, in the order in which an evening brings them ---------------------------------------

    def adopted(self, play: Table) -> None:
        """It has just been put in force; the state stands as it was before."""

    def dropped(self, play: Table) -> None:
        """It is in force no longer."""

    def session_opened(self, play: Table, session: Session) -> None:
        """An evening begins."""

    def evening_begun(self, play: Table) -> None:
        """A further evening is at hand: what is paid or begun between two of them. It is noted with the
        last entry of the evening before."""

    def all_passed(self, play: Table) -> bool:
        """Everybody has passed in preparation: whether something else comes before the first bid."""
        return False

    def prepared(self, play: Table) -> None:
        """Preparation is over, and nobody has bid yet."""

    def before(self, play: Table, action: Action) -> None:
        """An entry is about to be handled, and the core rules have had their say."""

    def after(self, play: Table, action: Action) -> None:
        """An entry has been handled and its bill paid."""

    def turn_begun(self, play: Table, player: str) -> None:
        """A turn begins in a scene."""

    def scene_opened(self, play: Table, here: SceneState) -> None:
        """A scene (or a Mini Scene: ``here.mini``) stands, with what its frame brought in."""

    def framed(self, play: Table, here: SceneState) -> None:
        """The framing of a scene is over: what comes now is play."""

    def scene_ended(self, play: Table, here: SceneState) -> None:
        """A scene (or a Mini Scene) is over; the Refreshment after it has not been paid yet."""

    def created(self, play: Table, component: Component) -> None:
        """A Component exists, with its first Traits."""

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Copies of a Trait were written on a sheet."""

    def entered(self, play: Table, here: SceneState, component: Component) -> None:
        """A Component has come into a scene."""

    def complication_opened(self, play: Table, complication: Complication) -> None:
        """A Complication was Originated."""

    def claimed(self, play: Table, player: str, component: Component) -> None:
        """A Character has become a player's own for good (UA.18)."""

    def rolling(self, play: Table, complication: Complication) -> None:
        """The dice of a Complication (or of one of its parts) are about to fall."""

    def fell(self, play: Table, complication: Complication, thrown: RollRound) -> None:
        """The dice lie open, and nothing is decided yet."""

    def rolled(self, play: Table, complication: Complication) -> None:
        """A Complication is decided, and its Bonus Coins lie ready."""

    def session_closed(self, play: Table, session: Session) -> None:
        """The log of an evening is over."""

    @classmethod
    def finished(cls, play: Table) -> None:
        """Nothing more is played: what it has put aside can go where readers look. An add-on that was
        dropped is told as well."""

    # -- what readers and random play are told -------------------------------------------------------

    def options(self, play: Table, found: list[Option]) -> list[Option]:
        """What may come next: without what it rules out, with what it adds."""
        return found

    def rules_out(self, play: Table, option: Option) -> bool:
        """Whether it rules out something that may come next, whoever offers it."""
        return False

    def panel(self, play: Table) -> tuple[Block, ...]:
        """What it adds to the state of play."""
        return ()

    @classmethod
    def fill(cls, book: Book) -> None:
        """What it adds to the pages of a campaign that used it at any time."""

    @classmethod
    def invert(cls, play: Table, *change: object) -> None:
        """Undo one change that it noted as ``note(play, "add-on", cls, *change)``.

        Raises:
            AssertionError: when the add-on notes changes and cannot undo them.
        """
        raise AssertionError(f"{cls.key} cannot undo {change!r}")


class OfComponents:
    """Base of what an add-on remembers about Components. Where a story has several branches, it is
    remembered on each of them by itself, as the Components are."""


def memory(play: Table, kind: type[M]) -> M:
    """What an add-on remembers: the one instance of its dataclass in this game."""
    found = play.state.memory.get(kind)
    if not isinstance(found, kind):
        found = play.state.memory[kind] = kind()
    return found


def remembered(state: State, kind: type[M]) -> M | None:
    """What an add-on remembers at the end of a record, or None if it was never asked."""
    found = state.memory.get(kind)
    return found if isinstance(found, kind) else None


def add_to_overview(book: Book, row: tuple[str, Inline]) -> None:
    """One more line among what the campaign's first page tells of the game."""
    from chronicle.core.book import Facts

    book.overview = [
        Facts((*block.rows, row), block.title) if isinstance(block, Facts) else block
        for block in book.overview
    ]


def set_by_group(play: Table, kind: type[AddOn], parameters: type[P]) -> P:
    """What the group set in an add-on; what it sets by itself, where that is not in force."""
    layer = in_force(play, kind)
    if layer is not None and isinstance(layer.chosen, parameters):
        return layer.chosen
    return parameters()


def in_force(play: Table, kind: type[A]) -> A | None:
    """The add-on of this class that is in force now, or None."""
    return next((one for one in play.state.add_ons if isinstance(one, kind)), None)
