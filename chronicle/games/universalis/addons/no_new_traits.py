"""UA.26: players buy no Traits while a Complication waits for its dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from chronicle.core.answers import Move
from chronicle.core.declare import Decides, Part, main, option
from chronicle.core.field_types import TEXT, YES_NO
from chronicle.core.telling import TextRole
from chronicle.games.universalis.actions import IN_SCENE
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, memory, set_by_group
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.state import COIN, Complication, Component, Sort, Stage

WAITING = (Stage.OPEN, Stage.CLOSED, Stage.TIED)
"""Stages in which the dice have not decided yet."""

BUYING = ("enigma", "create", "location", "mini scene", "present", "plot thread")
"""Verbs that buy something new with its first Traits, or do not ask before."""


@dataclass(slots=True, eq=False)
class Climaxes:
    """Numbers of the scenes that are climactic, with the step that made them so."""

    scenes: dict[int, int] = field(default_factory=dict)


class BuyClimax(AddOnEntry):
    """Make the scene that you framed a climactic one, for 1 Coin: players buy no Traits in its Complications
    before the dice are rolled."""

    verb = "climactic scene"
    decides = Decides("framer", "UA.26a", action_phrase="makes the scene climactic")
    moment = IN_SCENE
    example = "climactic scene:"
    words = main(TEXT, "what it all comes down to", default=None, text_role=TextRole.SENTENCE)


class NoNewTraitsSettings(Part):
    """Where the ban holds."""

    climactic = option(YES_NO, "yes, if it holds in climactic scenes only", default=False)


def buy_climax(play: Table, action: BuyClimax) -> None:
    """The Framer buys the scene its Trait."""
    scene = play.state.scene
    play.step.headline = "A climactic scene"
    if scene is None:
        return
    charge(play, "trait", "UA.26a", f"'{scene.title}' is climactic")
    play.require(
        set_by_group(play, NoNewTraitsSettings).climactic,
        "UA.26a",
        "the ban on new Traits holds in every scene of this game, so there is nothing to buy",
        help="the group may limit it to climactic scenes:  no new traits: {climactic: yes}",
        after=("add-on:no new traits",),
    )
    climax_step = memory(play, Climaxes).scenes.get(scene.number, 0)
    if play.require(
        not climax_step,
        "UA.26a",
        f"'{scene.title}' is climactic already",
        facts=play.facts(climax_step, "since then"),
    ):
        memory(play, Climaxes).scenes[scene.number] = play.step.number
        play.event(f"'{scene.title}' is climactic", "UA.26a", "climax")


def _waiting(play: Table) -> Complication | None:
    """The Complication under whose ban the table plays now, if there is one."""
    state = play.state
    complication = state.current_complication()
    if complication is not None and complication.stage is Stage.ROLLED and not state.purses:
        # The next entry ends its outcome; one that it interrupted may wait below.
        below = [state.complications[n - 1] for n in state.running]
        complication = next((c for c in reversed(below) if c.stage is not Stage.ROLLED), None)
    if complication is None or complication.stage not in WAITING:
        return None
    if play.gap > complication.step:
        return None  # it may have been rolled on the lost pages
    if set_by_group(play, NoNewTraitsSettings).climactic:
        scene = state.scene
        if scene is None or scene.number not in memory(play, Climaxes).scenes:
            return None
    return complication


class NoNewTraits(AddOn):
    """No new Traits during Complications."""

    summary = "From the start of a Complication until its dice are rolled no player buys a Trait for anything."
    changes = ("U4.3", "U6.10", "U6.14")
    chosen: NoNewTraitsSettings
    rule_text = """
        UA.26 No New Traits during Complications [checked; V142]
          From the start of a Complication until its dice are rolled and counted no Trait is bought for any
          Component, in the scene or not; so nothing new is Created either. Dice can still be bought.
        UA.26a Climactic Scenes [checked]
          Where the group says so ('climactic: yes') the ban holds only in scenes that their Framer has made
          climactic, for 1 Coin.
        """
    verbs = {BuyClimax: buy_climax}  # noqa: RUF012

    def complication_opened(self, play: Table, complication: Complication) -> None:
        """The ban begins."""
        if _waiting(play) is complication:
            play.event("no new Traits until the dice are rolled", "UA.26")

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """The ban, told once an entry."""
        complication = _waiting(play)
        reported = any(diagnostic.code == "UA.26" for diagnostic in play.step.diagnostics)
        if complication is None or reported:
            return self.inner.bars_trait(play, component, text, sort, copies)
        return Bar(
            "UA.26",
            f"'{text}' is bought for {component.name} while a Complication waits for its dice",
            complication.step,
            f"'{complication.title}' began here",
            help=("buy dice instead:  - buy: 1  /  for: ...", "or buy the Trait after the roll"),
        )

    def first_traits(self, play: Table) -> int:
        """Nothing new is Created during the ban."""
        return 0 if _waiting(play) is not None else self.inner.first_traits(play)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """The Framer may make the scene climactic."""
        scene = play.state.scene
        if (
            scene is None
            or play.state.purses
            or play.state.running  # a ban that begins amid a Complication would bind what has begun
            or not self.chosen.climactic
            or scene.number in memory(play, Climaxes).scenes
            or not play.balance(f"wealth:{scene.framer}", COIN)
        ):
            return
        hint = "make the scene climactic for 1 Coin"
        yield Move.plain("climactic scene", scene.framer, hint, "UA.26a", "Now or never")

    def rules_out(self, play: Table, option: Move) -> bool:
        """Whatever buys a Trait."""
        return option.verb in BUYING and _waiting(play) is not None
