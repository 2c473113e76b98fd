"""What an add-on is: a layer of rule points with a name, parameters, verbs and memory of its own.

An add-on answers some questions of :class:`~chronicle.games.universalis.points.RulePoints` differently
(prices, permissions, how a throw is decided) and hears of the moments of play (a scene ends, a turn
begins), at which it may pay, count or object. What it must remember is a plain class of its own,
kept in the state and reached by :func:`memory`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Part
from chronicle.core.game import Handler
from chronicle.core.game_context import Measure
from chronicle.core.names import Names
from chronicle.core.rules import Rule, Ruling, read_rules, read_rulings
from chronicle.games.universalis.actions import Entry
from chronicle.games.universalis.points import RulePoints, State
from chronicle.games.universalis.points import Table as Table
from chronicle.games.universalis.state import Complication, Component, RollRound, SceneState, Trait

if TYPE_CHECKING:
    from chronicle.core.campaign import Session
    from chronicle.core.campaign_view import Block, CampaignView, Inline, NavEntry
    from chronicle.core.guards import Violation
    from chronicle.core.record import Record

M = TypeVar("M")
A = TypeVar("A", bound="AddOn")
P = TypeVar("P", bound=Part)


CHAPTER = "Add-ons"
"""The chapter of the add-ons among the numbered rules."""


def evened(text: str) -> str:
    """Text without the indentation of its class."""
    lines = text.split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines).strip()


class NoParameters(Part):
    """An add-on in which there is nothing for the group to set."""


class AddOn(RulePoints):
    """One optional rule of the book, in force from its adoption until it is dropped.

    ``id`` is the id of the Gimmick that adopted it, or its key where ``campaign.yaml`` did.
    """

    code: ClassVar[str] = ""
    """Its id among the rules, that of the first of its own: ``UA.23``."""
    key: ClassVar[str] = ""
    """What a log calls it: the name of its module, ``durable``, where it says nothing else."""
    title: ClassVar[str] = ""
    """What the book calls it, where that is not the title of its rule."""
    summary: ClassVar[str] = ""
    """What it changes, in a sentence or two of our own."""
    changes: ClassVar[tuple[str, ...]] = ()
    """Ids of the core rules that it bends."""
    parameters: ClassVar[type[Part]] = NoParameters
    """What the group may set: what ``chosen``, which holds what it did set, is declared as."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Keys of the add-ons that must be in force for this add-on to make sense."""
    excludes: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys of add-ons that contradict it, each with the reason. Told from one side, it holds for both."""
    idle_with: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys of add-ons beside which it has no effect, each with the reason: a warning."""
    rule_text: ClassVar[str] = ""
    """Its rule and those of its variants, as :func:`~chronicle.core.rules.read_rules` reads them."""
    ruling_text: ClassVar[str] = ""
    """Its silent points, as :func:`~chronicle.core.rules.read_rulings` reads them."""
    rules: ClassVar[tuple[Rule, ...]] = ()
    rulings: ClassVar[tuple[Ruling, ...]] = ()
    verbs: ClassVar[Mapping[type[Action], Handler]] = MappingProxyType({})
    """Entries that exist only where it is in force. Entries that are no acts of play, and are allowed anywhere,
    are no ``AddOnEntry``."""
    measures: ClassVar[Mapping[str, Measure]] = MappingProxyType({})
    """Figures of its own that a log may assert."""
    bundle: ClassVar[str] = ""
    """Add-ons of one bundle that are adopted in one entry cost 1 Coin together."""
    chosen: Part

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declared = vars(cls).get("__annotations__", {}).get("chosen")
        if declared is not None:
            cls.parameters = vars(sys.modules[cls.__module__])[declared]
        if "rule_text" in vars(cls):
            cls.rules = read_rules(evened(cls.rule_text), lambda id: CHAPTER)
            cls.code, cls.title = cls.rules[0].id, vars(cls).get("title", cls.rules[0].title)
            module = cls.__module__.rpartition(".")[2]
            cls.key = vars(cls).get("key", module.replace("_", " "))
        if "ruling_text" in vars(cls):
            cls.rulings = read_rulings(evened(cls.ruling_text))

    def __init__(self, id: str, chosen: Part, inner: RulePoints) -> None:
        super().__init__(inner)
        self.id = id
        self.chosen = chosen

    # -- moments, in the order in which a session brings them ---------------------------------------

    def adopted(self, play: Table) -> None:
        """It has just been put in force; the state is still as before."""

    def dropped(self, play: Table) -> None:
        """It is in force no longer."""

    def session_opened(self, play: Table, session: Session) -> None:
        """A session begins."""

    def next_session_begun(self, play: Table) -> None:
        """A further session is at hand: payments or beginnings between two of them. It is noted with the
        last entry of the previous session."""

    def all_passed(self, play: Table) -> bool:
        """Everybody has passed in preparation: whether something else comes before the first bid."""
        return False

    def prepared(self, play: Table) -> None:
        """Preparation is over, and there are no bids yet."""

    def before_entry(self, play: Table, action: Action) -> None:
        """An entry is about to be handled, and the core rules have had their say."""

    def after_entry(self, play: Table, action: Action) -> None:
        """An entry has been handled and its bill paid."""

    def scene_opened(self, play: Table, scene: SceneState) -> None:
        """A scene (or a Mini Scene: ``scene.mini``) has begun, with the Components of its frame."""

    def framed(self, play: Table, scene: SceneState) -> None:
        """The framing of a scene is over: play begins."""

    def scene_ended(self, play: Table, scene: SceneState) -> None:
        """A scene (or a Mini Scene) is over; the Refreshment after it has not been paid yet."""

    def created(self, play: Table, component: Component) -> None:
        """A Component exists, with its first Traits."""

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Copies of a Trait were written on a sheet."""

    def trait_restored(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Crossed-off copies of a Trait are restored."""

    def role_worded(self, play: Table, component: Component, role: Trait) -> None:
        """A Role that was left open has its words: they count as written now."""
        self.trait_added(play, component, role, role.copies)

    def entered(self, play: Table, scene: SceneState, component: Component) -> None:
        """A Component has come into a scene."""

    def complication_opened(self, play: Table, complication: Complication) -> None:
        """A Complication was Originated."""

    def claimed(self, play: Table, player: str, component: Component) -> None:
        """A Character has become a player's own for good (UA.18)."""

    def bars_rolling(self, play: Table, complication: Complication) -> Iterable[Violation]:
        """What keeps the dice of a Complication (or of one of its parts) from falling now."""
        return ()

    def fell(self, play: Table, complication: Complication, thrown: RollRound) -> None:
        """The dice lie open, and nothing is decided yet."""

    def session_closed(self, play: Table, session: Session) -> None:
        """The log of a session is over."""

    @classmethod
    def finished(cls, play: Table) -> None:
        """Nothing more is played: what it has put aside can go where readers look. A dropped add-on is asked as
        well."""

    @classmethod
    def other_names(cls, play: Table) -> Iterable[Names]:
        """The names of parts of the story that are not being told now."""
        return ()

    # -- for readers and random play -------------------------------------------------------

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """What may come next: without what it rules out, with what it adds."""
        return [*options, *self.adds(play, options)]

    def adds(self, play: Table, options: list[Move]) -> Iterable[Move]:
        """What may come next besides what is found already."""
        return ()

    def offer(self, verb: str, by: str, hint: str, value: Any, /, **keys: Any) -> Move:
        """Something that may come next by its rule, as :meth:`Move.plain` takes it."""
        return Move.plain(verb, by, hint, self.code, value, **keys)

    def rules_out(self, play: Table, option: Move) -> bool:
        """Whether it rules out a possible next move, from any source."""
        return False

    def panel(self, play: Table) -> tuple[Block, ...]:
        """What it adds to the state of play."""
        return ()

    @classmethod
    def shown_record(cls, record: Record) -> Record:
        """The record that sheets are made of, where that tells less than the whole."""
        return record

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """What it adds to the pages of a campaign that used it at any time."""


class AddOnEntry(Entry):
    """What every verb of an add-on may say besides."""

    optional = True


class OfComponents:
    """Base of what an add-on remembers about Components. Where a story has several branches, it is
    remembered on each of them by itself, as the Components are."""


def memory(play: Table, kind: type[M]) -> M:
    """What an add-on remembers: a single instance of its class in each game."""
    remembered_value = play.state.memory.get(kind)
    if not isinstance(remembered_value, kind):
        remembered_value = play.state.memory[kind] = kind()
    return remembered_value


def remembered(state: State, kind: type[M]) -> M:
    """What an add-on remembers at the end of a record: as much as nothing, if it was never asked."""
    remembered_value = state.memory.get(kind)
    return remembered_value if isinstance(remembered_value, kind) else kind()


def add_page(
    view: CampaignView,
    slug: str,
    title: str,
    blocks: list[Block],
    intro: str,
    group: NavEntry = "Contests",
) -> None:
    """A page of the campaign with what an add-on tells."""
    from chronicle.core.campaign_view import Page

    view.pages.append(Page(slug, title, blocks, intro, group))


def add_to_overview(view: CampaignView, row: tuple[str, Inline]) -> None:
    """One more line among what the campaign's first page tells of the game."""
    from chronicle.core.campaign_view import Facts

    view.overview = [
        Facts((*block.rows, row), block.title) if isinstance(block, Facts) else block
        for block in view.overview
    ]


def set_by_group(play: Table, parameters: type[P]) -> P:
    """What the group set in the add-on that has these parameters; what it sets by itself, where that is
    not in force."""
    for layer in play.state.add_ons:
        if isinstance(layer.chosen, parameters):
            return layer.chosen
    return parameters()


def in_force(play: Table, kind: type[A]) -> A | None:
    """The add-on of this class that is in force now, or None."""
    for add_on in play.state.add_ons:
        if isinstance(add_on, kind):
            return add_on
    return None
