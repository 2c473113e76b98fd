"""UA.22: what drives a player character earns Coins for its Endowment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Action, Decides, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import NAME, TEXT, WHOLE, choice, label
from chronicle.core.fix import add_entry, drop_entry, set_key, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons import player_characters
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, memory, remembered
from chronicle.games.universalis.addons.endowment import account_of
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.state import BANK, COIN, Component

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView


@dataclass(slots=True, eq=False)
class Driver:
    """One Story Driver: its words, since which step; the sessions in which the character took part with
    it; the scenes it earned a Coin in, with the step; the step that resolved it."""

    words: str
    step: int
    sessions: set[int] = field(default_factory=set)
    scenes: dict[int, int] = field(default_factory=dict)
    resolved: int = 0


@dataclass(slots=True, eq=False)
class Drivers:
    """All Story Drivers of each Component, the current one last."""

    of: dict[str, list[Driver]] = field(default_factory=dict)


class OfACharacter(AddOnEntry):
    """An entry about the acting player's own character."""

    lack: ClassVar[str]
    """What a player lacks without one."""

    @guard("UA.22", help="the player has a character first:  - player character: ...")
    def has_a_character(self, play: Table) -> Violation | None:
        if (
            player_characters.likely_character(play)
            or play.gap
            or player_characters.somebodys(play)
        ):
            return None
        message = f"{play.step.player or 'somebody'} has no player character {self.lack}"
        return Violation(message, fix=set_key("by"), since=0)


class SetDriver(OfACharacter):
    """Say what drives your player character, or what drives it from now on. It costs nothing, and it is
    no Fact."""

    verb = "driver"
    lack = "to be driven by anything"
    decides = Decides("by")
    example = "driver: To find out who lit the fire\n  by: Ana"
    words = main(TEXT, "the Story Driver", text_role=TextRole.SENTENCE)

    def apply(self, play: Table) -> None:
        """A Story Driver; a new one restarts the count of sessions."""
        play.step.headline = "A Story Driver"
        component = player_characters.acting_character(play)
        if component is None:
            return
        driver = Driver(str(self.words), play.step.number)
        memory(play, Drivers).of.setdefault(component.id, []).append(driver)
        play.step.headline = f"What drives {component.name}"
        play.event(f"{component.name}: {self.words}", "UA.22", "driver", component.id)


class TakeDriverCoins(OfACharacter):
    """Take what a Story Driver earns, into the Endowment: 1 Coin for a scene that addresses it; when it
    is resolved, a Coin for each session that the character took part in with it."""

    verb = "driver coins"
    lack = "whose Driver could earn Coins"
    decides = Decides("by")
    moment = NOT_PREPARING
    example = "driver coins: addressed\n  by: Ana"
    how = main(choice("addressed", "resolved"), "addressed (in this scene) or resolved")
    amount = option(WHOLE, "how many Coins; checked", computed=True)
    paid_to = option(label(NAME), "where they go: the endowment")

    def driven(self, play: Table) -> tuple[Component, Driver] | None:
        """The character with the Story Driver that it has now."""
        component = player_characters.likely_character(play)
        driver = _in_force(play, component) if component is not None else None
        return (component, driver) if component is not None and driver is not None else None

    def earned(self, play: Table, component: Component, driver: Driver) -> int | None:
        """How many Coins it earns; nothing where it does not."""
        if self.how == "resolved":
            return len(driver.sessions)
        number = _scene_now(play)
        return 1 if number and not _earned_in(play, component, number) else None

    @guard("UA.22")
    def has_a_driver(self, play: Table) -> Violation | None:
        component = player_characters.likely_character(play)
        if component is None or play.gap or self.driven(play) is not None:
            return None
        old = remembered(play.state, Drivers).of.get(component.id, [])
        how = " any more: it is resolved" if old else " yet"
        return Violation(
            f"{component.name} has no Story Driver{how}",
            fix=add_entry(f"driver: ...\nby: {play.step.player}"),
            facts=[play.because(old[-1].resolved, "resolved here")] if old else (),
        )

    @guard("UA.22", at="paid to")
    def goes_to_the_endowment(self, play: Table) -> str | None:
        if self.paid_to is None or fold(self.paid_to) == "endowment" or not self.driven(play):
            return None
        return f"Coins for a Story Driver go to the Endowment, not to {self.paid_to}"

    @guard("UA.22")
    def is_earned_once_a_scene(self, play: Table) -> Violation | None:
        driven, number = self.driven(play), _scene_now(play)
        if driven is None or self.how == "resolved":
            return None
        if not number:
            message = "no scene has been played that could address a Driver"
            return None if play.gap else Violation(message, since=0)
        component, driver = driven
        step, title = _earned_in(play, component, number), play.state.scenes[number].title
        if not step:
            return None
        return Violation(
            f"'{title}' has earned its Coin for this Story Driver already"
            if number in driver.scenes
            else f"'{title}' has earned {component.name} its Coin already",
            fix=drop_entry(),
            help="one Coin a scene; wait for the next",
            facts=[play.because(step, "taken here")],
        )

    @guard("UA.22", DiagnosticKind.BOOKKEEPING, at="amount")
    def earns_as_stated(self, play: Table) -> Violation | None:
        driven = self.driven(play) if self.amount is not None else None
        coins = self.earned(play, *driven) if driven is not None else None
        if driven is None or coins in (None, self.amount) or not driven[1].words:
            return None
        message = f"this earns {plural(coins or 0, 'Coin')}, not {self.amount}"
        return Violation(message, fix=write_word(coins or 0))

    def apply(self, play: Table) -> None:
        """Coins from the Bank for the Endowment."""
        play.step.headline = "Coins for a Story Driver"
        component = player_characters.acting_character(play)
        if component is None:
            return
        player = play.step.player
        driver = _in_force(play, component)
        if driver is None and play.gap:
            # It is on the lost pages.
            driver = Driver("", play.step.number)
            memory(play, Drivers).of.setdefault(component.id, []).append(driver)
        coins = self.earned(play, component, driver) if driver is not None else None
        if driver is None or coins is None:
            return
        if self.how == "resolved":
            driver.resolved = play.step.number
        else:
            driver.scenes[_scene_now(play)] = play.step.number
        if self.amount is not None and not driver.words:
            # Since when it drives anybody is not on record: the stated figure counts.
            coins = int(self.amount)
        play.move(BANK, account_of(player), coins, COIN, "UA.22", f"Story Driver {self.how}")
        play.step.headline = f"{component.name}'s Story Driver is {self.how}"
        words = f"{plural(coins, 'Coin')} for {player}'s Endowment"
        play.event(words, "UA.22", "driver coins", component.id)


def _in_force(play: Table, component: Component) -> Driver | None:
    """The Story Driver of a character now; None without one, or when it is resolved."""
    drivers = memory(play, Drivers).of.get(component.id)
    return drivers[-1] if drivers and not drivers[-1].resolved else None


def _earned_in(play: Table, component: Component, number: int) -> int:
    """The step at which a scene earned a character its Coin, for any Driver; 0 if none did."""
    drivers = memory(play, Drivers).of.get(component.id, [])
    return next((driver.scenes[number] for driver in drivers if number in driver.scenes), 0)


def _scene_now(play: Table) -> int:
    """The current scene, or the last ended scene; 0 before the first."""
    state = play.state
    if state.scene is not None:
        return state.scene.number
    played = [scene.number for scene in state.scenes.values() if not scene.mini]
    return played[-1] if played else 0


class StoryDrivers(AddOn):
    """Story Drivers."""

    title = "Story Drivers of Player Characters"
    summary = (
        "Each player character has a Story Driver. A scene that addresses it earns a Coin for the "
        "Endowment, resolving it a Coin for each session."
    )
    changes = ("U1.4",)
    needs = ("player characters", "endowment")
    rule_text = """
        UA.22 Story Drivers [checked; V140]
          A Story Driver says why the character is part of the story: a quest, a promise, a debt. Its words are no
          Facts; players buy their certain parts as Facts. For each scene that addresses it its player
          takes 1 Coin from the Bank, and on resolving it as many as sessions were played with it in which the
          character took part, both into the Endowment. Players can change it in play; then the count of sessions
          restarts.
        """
    verbs = {SetDriver: carry_out, TakeDriverCoins: carry_out}  # noqa: RUF012

    def after_entry(self, play: Table, action: Action) -> None:
        """Characters in a scene take part in this session."""
        state = play.state
        drivers = memory(play, Drivers).of
        if not drivers:
            return
        for scene in (state.scene, state.mini):
            for id in scene.present if scene is not None else ():
                if id in drivers and not drivers[id][-1].resolved:
                    drivers[id][-1].sessions.add(play.step.session)

    def bars_fact(
        self, play: Table, fact: ScalarNode, side: str, of: int, is_found: bool
    ) -> Bar | None:
        """The words of a Driver are no Fact."""
        if not is_found:
            for id, drivers in memory(play, Drivers).of.items():
                for driver in drivers:
                    if driver.words and fold(fact) in fold(driver.words):
                        name = play.state.components[id].name
                        return Bar(
                            "UA.22",
                            f"'{fact}' is what drives {name}, and a Story Driver is no Fact",
                            driver.step,
                            "the Story Driver",
                            fixes=(add_entry("fact: ..."),),
                            help="buy it as a Fact first (1 Coin)",
                        )
        return self.inner.bars_fact(play, fact, side, of, is_found)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """What drives a character, and what that earns."""
        state = play.state
        if state.current_scene is None or state.current_scene.framing or state.purses:
            return
        for player in play.present:
            component = player_characters.character_of(play, player)
            if component is None:
                continue
            driver = _in_force(play, component)
            words = one_of(("To get home", "To pay a debt", "To be believed"))
            yield self.offer("driver", player, f"what drives {component.name}", words)
            claims = ["resolved"] if driver is not None else []
            if driver is not None and not _earned_in(play, component, _scene_now(play)):
                claims.append("addressed")
            if claims and not preparing(play):
                hint = "take what a Story Driver earns"
                yield self.offer("driver coins", player, hint, one_of(claims))

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The Driver on the sheet, what it earned, and earlier ones."""
        from chronicle.core.campaign_view import Item, Listing

        state = view.record.state
        for id, drivers in remembered(state, Drivers).of.items():
            driver = drivers[-1]
            current = (driver.words or "not on record") + (" (resolved)" if driver.resolved else "")
            player_characters.add_to_sheet(view, id, ("Story Driver", current))
            sheet = view.sheet(id)
            if sheet is None:
                continue
            items = []
            for earlier in drivers:
                items.append(
                    Item(earlier.words or "not on record", "drives it from here on", earlier.step)
                )
                items += [
                    Item(f"addressed in {state.scenes[number].title}", "1 Coin", step)
                    for number, step in earlier.scenes.items()
                ]
                if earlier.resolved:
                    coins = plural(len(earlier.sessions), "Coin")
                    items.append(Item("resolved", coins, earlier.resolved))
            listing = Listing(tuple(items), "Story Driver")
            sheet.blocks.append(listing)
            player_characters.add_to_page(view, id, listing)
