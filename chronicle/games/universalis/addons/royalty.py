"""UA.17: a Coin for the player named in a Control Trait makes a Take Over safe from Challenge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Decides, option
from chronicle.core.field_types import NAME, in_role
from chronicle.core.fix import drop_key, write_instead, write_word
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons.base import AddOn, Table, add_page, memory, remembered
from chronicle.games.universalis.addons.greater_control import control_trait
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.control import TakeOver
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.presence import is_committed
from chronicle.games.universalis.state import COIN
from chronicle.games.universalis.table import find_each

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView


@dataclass(slots=True, eq=False)
class Royalties:
    """(step, who paid, who was paid, id of the Component) of every royalty."""

    paid: list[tuple[int, str, str, str]] = field(default_factory=list)


class TakeOverForRoyalty(TakeOver):
    """Take a Component over and pay a royalty first: 1 Coin more, out of your Wealth, to the player whom
    its Control Trait names. No player can then Challenge the Take Over."""

    optional = True
    verb = "royalty"
    offered = None  # Royalty.options lists it.
    about_table = True
    decides = Decides("by")
    moment = NOT_PREPARING
    example = "royalty: Ines Vale\n  by: Dov"
    paid_to = option(in_role("stated", NAME), "who is paid; checked", computed=True)


def royalty(play: Table, action: TakeOverForRoyalty) -> None:
    """A Take Over with 1 Coin more, to another player."""
    player = play.step.player
    play.require(
        action.purse in (None, "wealth"),
        "UA.17",
        f"a royalty is paid out of Wealth, not out of the {action.purse}",
        at="purse",
        fix=drop_key("purse"),
    )
    for word, component in find_each(play, action.what):
        control_of = control_trait(play, component)
        if control_of is None and component.open_list:
            continue  # its Traits are not all on record
        if control_of is None or control_of[1] == player:
            play.illegal(
                "UA.17",
                f"{component.name} has no Control Trait, so no player can get a royalty"
                if control_of is None
                else f"{player} is named in the Control Trait of {component.name} and pays no royalty",
                at=word,
                fix=write_instead(f"take over: {component.name}"),
            )
            continue
        named = control_of[1]
        if action.paid_to is not None:
            stated = "" if action.paid_to.casefold() == "bank" else play.player(action.paid_to)
            play.require(
                stated == named,
                "UA.17",
                f"the royalty for {component.name} goes to {named}, not to {stated or 'the Bank'}",
                at="paid to",
                facts=[play.because(control_of[0].step, f"'{control_of[0].text}' was bought here")],
                fix=write_word(named),
            )
        charge(
            play,
            "royalty",
            "UA.17",
            f"royalty for {component.name}",
            amount=1,
            component=component,
            sort="wealth",
            target=f"wealth:{named}",
        )
        memory(play, Royalties).paid.append((play.step.number, player, named, component.id))
        play.event(f"{named} gets a royalty of 1 Coin", "UA.17", "royalty", component.id)
    carry_out(play, action)


class Royalty(AddOn):
    """Royalties."""

    summary = (
        "A player who first pays 1 Coin to the player named in a Control Trait takes the Component "
        "over without fear of a Challenge."
    )
    changes = ("U2.14", "U3.29", "U3.40")
    needs = ("greater control",)
    rule_text = """
        UA.17 Royalty [checked; V149]
          Players can take over a Component with a Control Trait for 1 Coin more than usual. The Coin comes out of
          Wealth and goes to the player whom the Trait names; the Take Over can then not be Challenged.
        """
    verbs = {TakeOverForRoyalty: royalty}  # noqa: RUF012

    def bars_challenge(self, play: Table, step: int) -> Bar | None:
        """A Take Over with a royalty is safe."""
        for paid in memory(play, Royalties).paid:
            if paid[0] == step:
                return Bar(
                    "UA.17",
                    f"{paid[1]} paid {paid[2]} a royalty for this Take Over, so it cannot be Challenged",
                    step,
                    "paid here",
                    fixes=(write_instead("take over: " + play.state.components[paid[3]].name),),
                )
        return self.inner.bars_challenge(play, step)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Other players may pay the named player."""
        state = play.state
        scene = state.current_scene
        if scene is None or scene.framing or state.purses or preparing(play):
            return
        for player in play.present:
            free = [
                component.name
                for id, holder in scene.control.items()
                if id in scene.present
                and holder not in (player, "")
                and (trait := control_trait(play, component := state.components[id])) is not None
                and trait[1] != player
                and not is_committed(play, component)
                and not (component.owner and component.owner in scene.present)
                and not any(is_committed(play, state.components[item]) for item in component.owns)
                and state.points.bars_control(play, player, component) is None
            ]
            if free and play.balance(f"wealth:{player}", COIN) >= 2:
                yield self.offer("royalty", player, "take over for a royalty", one_of(free))

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """Who has paid whom for what."""
        from chronicle.core.campaign_view import Table as BookTable
        from chronicle.core.campaign_view import heads, step_ref
        from chronicle.games.universalis.sheets import ref

        state = view.record.state
        rows = tuple(
            (payer, named, ref(state.components[id]), step_ref(step, "paid here"))
            for step, payer, named, id in remembered(state, Royalties).paid
        )
        if rows:
            table = BookTable(heads("From | To | For | When"), rows)
            intro = "A Coin each, so that no player could object."
            add_page(view, "royalties", "Royalties", [table], intro, "Coins")
