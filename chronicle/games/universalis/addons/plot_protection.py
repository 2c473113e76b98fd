"""UA.20: a player character is twice as hard to put out of the story."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Decides, Part, main, option
from chronicle.core.diagnostic import plural
from chronicle.core.field_types import NAMES, YES_NO, in_role, whole
from chronicle.core.fix import set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons.base import (
    AddOn,
    AddOnEntry,
    OfComponents,
    Table,
    in_force,
    memory,
    remembered,
    set_by_group,
)
from chronicle.games.universalis.addons.player_characters import Claims, add_to_sheet, claim_of
from chronicle.games.universalis.alterations import Alters
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.state import COIN, Component

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView

LOWERING = frozenset({"reduce", "eliminate", "remove", "separate", "use"})
"""Verbs that take from a Component's Importance."""


@dataclass(slots=True, eq=False)
class Protected(OfComponents):
    """Components whose protection was bought, with the step that did."""

    since: dict[str, int] = field(default_factory=dict)


class Protect(AddOnEntry, Alters):
    """Buy plot protection for a Component that you Control: its Elimination costs double from now on."""

    verb = "protect"
    decides = Decides("turn", "UA.20", action_phrase="buys plot protection")
    moment = NOT_PREPARING
    example = "protect: harbour master"
    what = main(in_role("altered", NAMES), "the Component (or Components)")
    deed = "protects"
    means_all = True

    def changes(self) -> Mapping[ScalarNode, None]:
        return dict.fromkeys(self.what)

    @guard("UA.20")
    def is_for_sale(self, play: Table) -> Iterator[Violation]:
        is_sold = set_by_group(play, PlotProtectionSettings).bought
        for word, component, _ in self.known(play):
            if not is_sold and in_force(play, PlotProtection) is not None:
                yield Violation(
                    "only player characters are protected in this game; protection is not for sale",
                    word,
                    help="adopt it with  plot protection: {bought: yes}",
                )
            step = _protected_step(play, component)
            if step:
                facts = [play.because(step, "since then")]
                yield Violation(f"{component.name} is protected already", word, facts=facts)

    def apply(self, play: Table) -> None:
        """Protection is bought, where the group sells it."""
        price = set_by_group(play, PlotProtectionSettings).price
        names: list[str] = []
        for _, component, _ in self.each(play):
            names.append(component.name)
            why = f"protection of {component.name}"
            charge(play, "protect", "UA.20", why, amount=price, component=component)
            if not _protected_step(play, component):
                memory(play, Protected).since[component.id] = play.step.number
                words = f"Eliminating {component.name} costs double"
                play.event(words, "UA.20", "protects", component.id)
        play.step.headline = f"Protected: {', '.join(names)}"


class PlotProtectionSettings(Part):
    """What the group sets about plot protection."""

    bought = option(YES_NO, "yes, if it can be bought for any Component", default=False)
    price = option(whole(0), "its price in Coins", default=1)
    owner_only = option(
        YES_NO,
        "yes, if instead only its player may lessen a player character's Importance",
        default=False,
    )


def _protected_step(play: Table, component: Component) -> int:
    """The step since which a Component is protected; 0 if it is not."""
    claim = claim_of(play, component)
    if claim is not None:
        return claim.step
    return memory(play, Protected).since.get(component.id, 0)


class PlotProtection(AddOn):
    """Plot protection."""

    title = "Plot Protection of Player Characters"
    summary = "Eliminating a player character costs twice its Importance."
    changes = ("U4.36",)
    chosen: PlotProtectionSettings
    rule_text = """
        UA.20 Plot Protection [checked; V139]
          To put a player character out of the story, a player pays 2 Coins for each point of its Importance; crossing
          off Traits first costs what it always does. The group may sell the same protection for any Component; or
          it may rule instead that only its player lessens a player character's Importance at all. What bringing it
          back costs is not changed.
        """
    ruling_text = """
        S94 both protections: A Component is durable and has plot protection. What does its Elimination cost?
          - double: twice its Importance, not four times
          because nothing says that they add up (UA.20, UA.23)
        """
    verbs = {Protect: carry_out}  # noqa: RUF012

    def adopted(self, play: Table) -> None:
        """By itself it protects player characters only, and there must be such."""
        play.suspect(
            not self.chosen.bought
            and not any(add_on.key == "player characters" for add_on in play.state.add_ons),
            "UA.20",
            "plot protection has no effect: there are no player characters, and it cannot be bought",
            help="adopt 'player characters' as well, or write  plot protection: {bought: yes}",
        )

    def toughness(self, play: Table, component: Component) -> int:
        """Two for a protected Component; it does not add up with another doubling (S94)."""
        inner = self.inner.toughness(play, component)
        claimed = claim_of(play, component) is not None and not self.chosen.owner_only
        if not claimed and component.id not in memory(play, Protected).since:
            return inner
        if inner > 1:
            play.ruling("both protections")
        return max(inner, 2)

    def priced_by(self, play: Table, what: str, component: Component | None) -> str:
        """The price to Eliminate a protected Component."""
        if what == "eliminate" and component is not None and _protected_step(play, component):
            return "UA.20"
        return self.inner.priced_by(play, what, component)

    def bars_change(self, play: Table, player: str, component: Component, what: str) -> Bar | None:
        """Where the group says so, only its player lessens a player character."""
        claim = claim_of(play, component)
        action = play.step.action
        if (
            claim is None
            or claim.player in ("", player)
            or action.verb not in LOWERING
            or not self.chosen.owner_only
        ):
            return self.inner.bars_change(play, player, component, what)
        return Bar(
            "UA.20",
            f"{player} {what} {component.name}, and only {claim.player} may lessen the Importance of "
            "that character",
            claim.step,
            f"{claim.player}'s for good since then",
            fixes=(set_key("by", claim.player, when=f"if {claim.player} does it"),),
            help="or give it Wound Traits",
        )

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Where it is for sale, the turn player may protect own Components."""
        state = play.state
        scene = state.current_scene
        if (
            scene is None
            or scene.framing
            or state.purses
            or preparing(play)
            or not self.chosen.bought
            or play.balance(f"wealth:{state.turn}", COIN) <= self.chosen.price
        ):
            return
        own_names = [
            state.components[id].name
            for id, holder in scene.control.items()
            if holder == state.turn
            and id in scene.present
            and not _protected_step(play, state.components[id])
            and not state.components[id].struck
        ]
        if own_names:
            hint = f"buy plot protection for {plural(self.chosen.price, 'Coin')}"
            yield self.offer("protect", state.turn, hint, one_of(own_names))

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """On the sheet of each protected Component."""
        from chronicle.core.campaign_view import Note, step_ref

        state = view.record.state
        for id in remembered(state, Claims).of:
            add_to_sheet(view, id, ("Protected", "by the plot"))
        for id, step in remembered(state, Protected).since.items():
            sheet = view.sheet(id)
            if sheet is not None:
                link = step_ref(step, "bought here")
                sheet.aside.append(Note(("Its Elimination costs double: plot protection, ", link)))
