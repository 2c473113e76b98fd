"""UA.24: a Trait that is bought in secret, and counts for nothing before it is revealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Decides, Part, main, option
from chronicle.core.diagnostic import did_you_mean
from chronicle.core.field_types import NAME, MapOf, in_role, label, whole
from chronicle.core.fix import add_entry, set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.names import Named, fold
from chronicle.core.secrets import Secret
from chronicle.core.shared_verbs import Reveal
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons.base import (
    AddOn,
    AddOnEntry,
    Table,
    add_page,
    memory,
    remembered,
    set_by_group,
)
from chronicle.games.universalis.alterations import Alters
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.gates import carry_out, violations_of
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.state import COIN, COMPONENT_KINDS, Component, Sort
from chronicle.games.universalis.traits import add_trait, known_traits

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView


@dataclass(slots=True, eq=False)
class HiddenTrait:
    """A Trait bought in secret: whose, of which Component, at which step, in which scene; the step that
    revealed it, the words it turned out to have and how far they are proven."""

    slot: str
    player: str
    component: str
    step: int
    scene: int
    revealed: int = 0
    text: str = ""
    proof: str = ""


@dataclass(slots=True, eq=False)
class HiddenTraits:
    """All of them, by the id of the secret."""

    of: dict[str, HiddenTrait] = field(default_factory=dict)


class BuyEnigma(AddOnEntry, Alters):
    """Buy a secret Trait for a Component that you Control, for 2 Coins. Its words are written down first,
    sealed (`sealed:`, by `chronicle seal`) or in clear where readers do not see them (`secret:`); name
    that entry by its id. `reveal:` puts the Trait on the sheet."""

    verb = "enigma"
    decides = Decides("turn", "UA.24", action_phrase="buys an Enigma")
    moment = NOT_PREPARING
    example = "enigma: {Ines Vale: what-ines-is}"
    traits = main(MapOf(in_role("altered", NAME), label(NAME)), "{Component: the id of the secret}")
    deed = "buys an Enigma for"

    def changes(self) -> Mapping[ScalarNode, ScalarNode]:
        return self.traits

    @guard("U4.3")
    def may_be_bought(self, play: Table) -> Iterator[Violation]:
        for _, component, slot in self.known(play):
            bar = play.state.points.bars_trait(play, component, str(slot), Sort.PLAIN, 1)
            yield from violations_of(play, bar, slot)

    @guard("UA.24")
    def is_written_down(self, play: Table) -> Iterator[Violation]:
        for slot in self.traits.values():
            yield from _bars_secret(play, slot)

    def apply(self, play: Table) -> None:
        """A player pays for a hidden Trait."""
        names: list[str] = []
        price, scene = set_by_group(play, EnigmaSettings).price, play.state.current_scene
        for _, component, slot in self.each(play):
            names.append(component.name)
            charge(play, "trait", "UA.24", "an Enigma", amount=price, component=component)
            secret = play.vault.secrets.get(slot)
            if secret is None or any(_bars_use(play, secret, slot)):
                continue
            number = scene.number if scene is not None else 0
            memory(play, HiddenTraits).of[str(slot)] = HiddenTrait(
                str(slot), play.step.player, component.id, play.step.number, number
            )
            play.event(f"an Enigma for {component.name}", "UA.24", "enigma", component.id)
        play.step.headline = f"An Enigma: {', '.join(names)}"


class EnigmaSettings(Part):
    """What an Enigma costs."""

    price = option(whole(0), "Coins for an Enigma", default=2)


def _bars_secret(play: Table, slot: ScalarNode) -> Iterator[Violation]:
    """The words of an Enigma are put away before it is bought, and by its buyer."""
    player = play.step.player
    secret = play.vault.secrets.get(slot)
    if secret is None:
        known_slots = list(play.vault.secrets)
        if not play.gap:
            yield Violation(
                f"nothing is written down as '{slot}'{play.names.suggest(slot, known_slots)}; an "
                "Enigma is put down in words before it is bought",
                slot,
                (
                    *play.names.spelling_fixes(slot, known_slots),
                    add_entry(f"secret: ...\nid: {slot}"),
                ),
                f"or seal it:  chronicle seal ... --slot {slot}",
                since=0,
            )
        return
    if secret.player not in ("", player) and player:
        yield Violation(
            f"'{slot}' is {secret.player}'s secret, so {player} cannot buy it as an Enigma",
            slot,
            facts=[play.because(secret.step_number, "put away here")],
        )
    yield from _bars_use(play, secret, slot)


def _bars_use(play: Table, secret: Secret, slot: ScalarNode) -> Iterator[Violation]:
    """A secret becomes one Enigma, while it is one."""
    used = remembered(play.state, HiddenTraits).of.get(str(slot))
    if used is not None:
        yield Violation(
            f"'{slot}' is an Enigma already",
            slot,
            help="every Enigma has a secret of its own",
            facts=[play.because(used.step, "bought here")],
        )
    elif secret.revealed_by:
        yield Violation(
            f"everybody knows what '{slot}' is; an Enigma is a secret",
            slot,
            help="buy it as a Trait for 1 Coin:  - trait: ...",
            facts=[play.because(secret.revealed_by, "revealed here")],
        )


class Enigma(AddOn):
    """Enigma Traits."""

    summary = "For 2 Coins a Trait is bought in secret; it counts for nothing before its buyer reveals it."
    changes = ("U4.3", "U3.51", "U6.11")
    chosen: EnigmaSettings
    rule_text = """
        UA.24 Enigma Traits [checked; V141]
          A secret Trait costs 2 Coins, and its words are written down before it is bought. While it is hidden it
          gives no die, supports no player in a Challenge and adds nothing to Importance. Only its buyer may reveal
          it, at any moment, and use it immediately; it then is a Fact from the moment at which it was bought.
        """
    ruling_text = """
        S89 special traits: What do special Traits count, how is an Enigma bought, and what does a seed cost?
          - one: 'Durable' and an Enigma count 1 for Importance, an Enigma only once it is revealed; it is bought
            like any Trait, by the Controller on their own turn; a seed is free
          because one Trait, one point; a hidden Trait must not be revealed by counting (UA.6, UA.23, UA.24)
        """
    verbs = {BuyEnigma: carry_out}  # noqa: RUF012

    def after_entry(self, play: Table, action: Action) -> None:
        """A revealed Enigma is a Trait, as of the day it was bought."""
        if not isinstance(action, Reveal):
            return
        hidden = memory(play, HiddenTraits).of.get(str(action.secret))
        secret = play.vault.secrets.get(action.secret)
        if hidden is None or secret is None or secret.revealed_by != play.step.number:
            return
        play.step.player = play.step.player or hidden.player
        play.require(
            play.step.player == hidden.player or not hidden.player,
            "UA.24",
            f"{play.step.player} reveals an Enigma that {hidden.player} bought",
            facts=[play.because(hidden.step, "bought here")],
            fix=set_key("by", hidden.player),
            help=f"only {hidden.player} may",
        )
        if not secret.value or hidden.revealed:
            return  # already said: the opening is missing, or does not match; or it was known
        component = play.state.components[hidden.component]
        hidden.revealed, hidden.text = play.step.number, secret.value
        hidden.proof = str(secret.proof)
        trait = add_trait(play, component, secret.value, Sort.PLAIN, paid=1)
        if trait.step == play.step.number:
            trait.step, trait.scene, trait.buyer = hidden.step, hidden.scene, hidden.player
            trait.history[:] = [
                (hidden.step, "is bought in secret", 1, hidden.player),
                (play.step.number, "is revealed", 1, play.step.player),
            ]
        play.step.headline = f"{component.name}: {secret.value}"
        play.reopen(hidden.step).links.append(play.step.number)
        play.event(
            f"{component.name} has had {secret.value} since it was bought in secret",
            "UA.24",
            "gains trait",
            component.id,
        )

    def unseen(self, play: Table, component: Component, word: ScalarNode) -> Bar | None:
        """A hidden Trait gives no die."""
        hidden = _hidden(play, component, word)
        if hidden is None:
            return self.inner.unseen(play, component, word)
        return Bar(
            "UA.24",
            f"{component.name} shows no Trait '{word}'; an Enigma gives no die before it is revealed",
            fixes=(add_entry(f"reveal: {hidden.slot}"),),
        )

    def bars_fact(
        self, play: Table, fact: ScalarNode, side: str, of: int, is_found: bool
    ) -> Bar | None:
        """A hidden Trait is no Fact yet."""
        name, _, words = str(fact).partition(":")
        match = (
            play.names.find(ScalarNode(name), COMPONENT_KINDS) if not is_found and words else None
        )
        if isinstance(match, Named):
            component = play.state.components[match.id]
            hidden = _hidden(play, component, ScalarNode(words.strip()))
            if hidden is not None:
                return Bar(
                    "UA.24",
                    f"{component.name} shows no Trait '{words.strip()}'; an Enigma is no Fact before it "
                    "is revealed",
                    fixes=(add_entry(f"reveal: {hidden.slot}"),),
                )
        return self.inner.bars_fact(play, fact, side, of, is_found)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Write something down, buy it as an Enigma, reveal it."""
        state = play.state
        scene = state.current_scene
        enigmas = memory(play, HiddenTraits).of
        for hidden in enigmas.values():
            if (
                not play.vault.secrets[hidden.slot].revealed_by
                and not state.components[hidden.component].struck
            ):
                hint = "reveal an Enigma"
                yield self.offer("reveal", hidden.player, hint, hidden.slot)
        if scene is None or scene.framing or state.purses or preparing(play):
            return
        player = state.turn
        number = len(play.steps)
        own_names = [
            state.components[id].name
            for id, holder in scene.control.items()
            if holder == player and id in scene.present and not state.components[id].struck
        ]
        if not own_names or play.balance(f"wealth:{player}", COIN) <= self.chosen.price:
            return
        secret_ids = [
            secret.secret_id
            for secret in play.vault.unrevealed()
            if secret.player == player and secret.secret_id not in enigmas
        ]
        if secret_ids:
            hint = "buy a secret Trait"
            yield self.offer(
                "enigma", player, hint, lambda rng: {rng.choice(own_names): secret_ids[0]}
            )
        else:
            words = f"not of this world {number}"
            yield self.offer("secret", player, "write an Enigma down", words, id=f"enigma-{number}")

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """Every Enigma, and under a fold what it was."""
        from chronicle.core.campaign_view import Item, Listing, Section, heads, step_ref
        from chronicle.core.campaign_view import Table as BookTable
        from chronicle.games.universalis.sheets import ref

        state = view.record.state
        enigmas = [
            (ref(state.components[hidden.component]), hidden)
            for hidden in remembered(state, HiddenTraits).of.values()
        ]
        if not enigmas:
            return
        rows = tuple(
            (
                sheet,
                hidden.player or "-",
                step_ref(hidden.step, "bought here"),
                step_ref(hidden.revealed, "revealed here")
                if hidden.revealed
                else "not revealed yet",
            )
            for sheet, hidden in enigmas
        )
        revealed = tuple(
            Item((sheet, f": {hidden.text}"), hidden.proof, hidden.revealed)
            for sheet, hidden in enigmas
            if hidden.revealed
        )
        table = BookTable(heads("About | Bought by | When | Revealed"), rows)
        spoilers = Section("What they were", (Listing(revealed),), folded=True)
        intro = "Traits bought in secret. Their words appear nowhere before they are revealed."
        add_page(
            view,
            "enigmas",
            "Enigmas",
            [table, *([spoilers] if revealed else [])],
            intro,
            "Catch up",
        )


def _hidden(play: Table, component: Component, word: ScalarNode) -> HiddenTrait | None:
    """The hidden Trait that a word on a Component may mean; what looks like a slip of the pen for a
    Trait on the sheet does not."""
    for hidden in memory(play, HiddenTraits).of.values():
        secret: Secret | None = play.vault.secrets.get(hidden.slot)
        if hidden.component != component.id or secret is None or secret.revealed_by:
            continue
        if secret.value and fold(word) in fold(secret.value):
            return hidden
        if secret.seal and not did_you_mean(word, known_traits(play, component)):
            return hidden
    return None
