"""UA.15: a Trait that says who Controls a Component supports that player in a Challenge for it."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.answers import Move
from chronicle.core.declare import Part, option
from chronicle.core.field_types import YES_NO
from chronicle.core.fix import set_key, write_instead
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.state import (
    CHARACTER,
    COIN,
    COMPONENT_KINDS,
    Component,
    Sort,
    Trait,
)
from chronicle.games.universalis.traits import find_trait

START = "controlled by "
"""How the words of a Control Trait begin; the name of a player follows."""


class GreaterControlSettings(Part):
    """The options of Greater Control."""

    characters_only = option(
        YES_NO, "yes, if only Characters may have a Control Trait", default=False
    )
    one_each = option(YES_NO, "yes, if only one such Trait may name each player", default=False)
    anybody = option(
        YES_NO, "yes, if players may buy it for Components that others Created", default=False
    )
    fixed = option(YES_NO, "yes, if a Control Trait can never be removed", default=False)


def named_by(play: Table, text: str) -> str:
    """The player whom the words of a Trait put in Control; empty if they are no Control Trait."""
    words = text.strip()
    if not fold(words).startswith(fold(START)):
        return ""
    match = play.names.find(ScalarNode(words[len(START) :].strip()), (PLAYER,))
    return match.id if isinstance(match, Named) else ""


def control_trait(play: Table, component: Component) -> tuple[Trait, str] | None:
    """The standing Control Trait of a Component and the player it names."""
    for trait in component.traits.values():
        if trait.copies:
            named = named_by(play, trait.text)
            if named:
                return trait, named
    return None


def _fought_over(play: Table, of: int) -> list[str]:
    """Ids of the Components whose Control the Challenged entry changed."""
    events = play.steps[of - 1].events if of else []
    return [event.subject for event in events if event.kind == "control"]


class GreaterControl(AddOn):
    """Greater Control over what one Created."""

    title = "Greater Control over Created Components"
    summary = (
        "A Trait 'controlled by' a player is a Fact that doubles that player's Coins in a Challenge for "
        "Control of the Component."
    )
    changes = ("U3.28", "U3.29", "U3.51", "U4.43")
    chosen: GreaterControlSettings
    rule_text = """
        UA.15 Greater Control [checked]
          The creator of a Component may buy it the Trait 'controlled by' and their own name. Others may still take
          it over; but in a Challenge about its Control, and in no other, the Trait supports the player it names as
          a Fact, mentioned or not. Others may remove the Trait and put theirs in its place; that can be Challenged.
        UA.15a Greater Control: Characters only [checked]
          Only Characters may have a Control Trait ('characters only: yes').
        UA.15b Greater Control: one for each player [checked]
          No player is named in two Control Traits at a time ('one each: yes').
        UA.15c Greater Control: for any Component [checked]
          Players can buy the Trait for Components that another player Created ('anybody: yes'); only the player it
          names can buy it.
        UA.15d Greater Control: for good [checked]
          A Control Trait can never be removed or altered ('fixed: yes').
        """

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """Who may buy a Control Trait, for what."""
        return self._bars_control_trait(play, component, text) or self.inner.bars_trait(
            play, component, text, sort, copies
        )

    def bars_regain(
        self, play: Table, component: Component, trait: Trait, copies: int
    ) -> Bar | None:
        """A Control Trait that is restored is one more, too."""
        return self._bars_control_trait(play, component, trait.text) or self.inner.bars_regain(
            play, component, trait, copies
        )

    def _bars_control_trait(self, play: Table, component: Component, text: str) -> Bar | None:
        named = named_by(play, text)
        player = play.step.player
        if not named or not player:
            return None
        if self.chosen.anybody and player != named:
            return Bar(
                "UA.15c",
                f"{player} buys a Trait by which {named} Controls {component.name}",
                help=f"every player buys their own name:  controlled by {player}",
            )
        replaced = any(
            trait.removed and named_by(play, trait.text)
            for trait in component.traits.values()
            if fold(trait.text) != fold(text)
        )
        if not self.chosen.anybody and component.creator not in (player, "") and not replaced:
            return Bar(
                "UA.15",
                f"{component.creator} Created {component.name}, so {player} buys no Control Trait for it",
                component.step,
                "created here",
                fixes=(write_instead(f"take over: {component.name}"),),
                help="Control of what others Created is taken over",
            )
        if self.chosen.characters_only and component.kind != CHARACTER:
            return Bar(
                "UA.15a",
                f"{component.name} is a {component.kind}; only Characters have Control Traits in this game",
            )
        if self.chosen.one_each:
            for rival in play.state.components.values():
                control_of = control_trait(play, rival)
                if (
                    control_of
                    and rival.id != component.id
                    and not rival.struck
                    and control_of[1] == named
                ):
                    return Bar(
                        "UA.15b",
                        f"{named} has a Control Trait already, on {rival.name}; one is all",
                        control_of[0].step,
                        "bought here",
                    )
        return None

    def bars_loss(self, play: Table, component: Component, trait: Trait) -> Bar | None:
        """For good, where the group says so."""
        if self.chosen.fixed and named_by(play, trait.text):
            return Bar(
                "UA.15d",
                f"'{trait.text}' can never be taken from {component.name}",
                trait.step,
                "bought here",
                fixes=(write_instead(f"take over: {component.name}"),),
                help="Control can still be taken over",
            )
        return self.inner.bars_loss(play, component, trait)

    def standing_facts(self, play: Table, of: int) -> list[tuple[str, str]]:
        """The Control Trait of the Component whose Control is Challenged."""
        standing = self.inner.standing_facts(play, of)
        for id in _fought_over(play, of):
            component = play.state.components[id]
            trait = control_trait(play, component)
            if trait is not None:
                standing.append((trait[1], f"{component.name}: {trait[0].text}"))
        return standing

    def bars_fact(
        self, play: Table, fact: ScalarNode, side: str, of: int, is_found: bool
    ) -> Bar | None:
        """It helps one player in one matter."""
        name, _, words = str(fact).partition(":")
        match = play.names.find(ScalarNode(name), COMPONENT_KINDS)
        if not is_found or not isinstance(match, Named):
            return self.inner.bars_fact(play, fact, side, of, is_found)
        component = play.state.components[match.id]
        trait = find_trait(component, ScalarNode(words.strip()))
        named = named_by(play, trait.text) if trait is not None else ""
        if trait is None or not named:
            return self.inner.bars_fact(play, fact, side, of, is_found)
        if component.id not in _fought_over(play, of):
            return Bar(
                "UA.15",
                f"'{trait.text}' supports {named} in a Challenge about Control of "
                f"{component.name}, and this is about something else",
                trait.step,
                "bought here",
                help="leave this Fact out",
            )
        if side != named:
            return Bar(
                "UA.15",
                f"'{trait.text}' supports {named}, not {side}",
                trait.step,
                "bought here",
                fixes=(set_key("for", named),),
            )
        return self.inner.bars_fact(play, fact, side, of, is_found)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """The turn player may buy it for Components that they Created and Control."""
        state = play.state
        scene = state.current_scene
        player = state.turn
        if (
            scene is None
            or scene.framing
            or state.purses
            or not any(o.verb == "trait" for o in options)
        ):
            return
        if not play.balance(f"wealth:{player}", COIN):
            return
        components = state.components.values()
        claimed_ids = {c.id for c in components if control_trait(play, c) is not None}
        if self.chosen.one_each and any(
            (pair := control_trait(play, c)) is not None and pair[1] == player for c in components
        ):
            return
        own = [
            c.name
            for c in components
            if scene.control.get(c.id) == player
            and c.id in scene.present
            and (c.creator == player or self.chosen.anybody)
            and c.id not in claimed_ids
            and (c.kind == CHARACTER or not self.chosen.characters_only)
        ]
        if own:
            hint = "buy a Control Trait for 1 Coin"
            words = f"controlled by {player}"
            yield self.offer("trait", player, hint, lambda rng: {rng.choice(own): words})
