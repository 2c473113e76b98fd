"""What an add-on is: a layer of rule points with a name, parameters, verbs and memory of its own.

An add-on answers some questions of :class:`~chronicle.games.universalis.points.RulePoints` differently
(prices, permissions, how a throw is decided) and hears of the moments of play (a scene ends, a turn
begins), at which it may pay, count or object. What it must remember is a plain class of its own,
kept in the state and reached by :func:`memory`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from chronicle.core.declare import Part
from chronicle.games.universalis.actions import Entry
from chronicle.games.universalis.points import AddOn as AddOn
from chronicle.games.universalis.points import State
from chronicle.games.universalis.points import Table as Table

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView, Inline, NavEntry

M = TypeVar("M")
A = TypeVar("A", bound="AddOn")
P = TypeVar("P", bound=Part)


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
