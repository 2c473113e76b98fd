"""UA.11: the book prints another add-on's text under this title, so the group words it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.declare import Part, option, required
from chronicle.core.field_types import TEXT, whole
from chronicle.games.universalis.addons.base import AddOn, Table, memory, remembered
from chronicle.games.universalis.state import Component

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView


class Wording(Part):
    """The rule as the group has it."""

    wording = required(TEXT, "the rule in the group's own words; the book has none")
    price = option(whole(0), "what beginning a Dialog costs, if the wording changes that")


@dataclass(slots=True, eq=False)
class Wordings:
    """Every wording that was ever in force, with the step at which it was adopted."""

    all: list[tuple[int, str]] = field(default_factory=list)


class FreeDialog(AddOn):
    """Dialog by a rule of the group's own."""

    summary = (
        "The book prints the text of Friendly Control under this title; what it was to say is lost. "
        "A group that wants it words it, and may name another price for a Dialog."
    )
    changes = ("U3.33",)
    chosen: Wording
    rule_text = """
        UA.11 Free Dialog [recorded]
          In force only in the group's own words: adopt it with 'wording:'. If the words change the price of a
          Dialog, say so with 'price:', and that is what a Dialog costs. why: what the words ask for is for the
          table to hold; only a price can be computed
        """
    ruling_text = """
        S85 free dialog: The text of Free Dialog is missing. What does it say?
          - the group's words: nothing, until the group has worded it; no price is guessed
          because what is printed under the title repeats another add-on (UA.11)
        """

    def adopted(self, play: Table) -> None:
        """The words are kept."""
        step = play.current.number if play.current is not None else 0
        memory(play, Wordings).all.append((step, str(self.chosen.wording)))
        if step:
            play.event(f"Free Dialog in the group's words: {self.chosen.wording}", self.code)

    def price(
        self, play: Table, what: str, player: str = "", component: Component | None = None
    ) -> int:
        """The price of a Dialog, if the group has set one."""
        if what == "dialog" and self.chosen.price is not None:
            return self.chosen.price
        return self.inner.price(play, what, player, component)

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The group's words appear on the first page."""
        from chronicle.core.campaign_view import Item, Listing

        words = remembered(view.record.state, Wordings).all
        if words:
            items = tuple(Item(text, step=step) for step, text in words)
            view.overview.append(Listing(items, "Free Dialog, in the group's words"))
