"""UA.2: rounds of preparation with Coins of their own, for the setting, the Characters or anything else."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Action, Part, option
from chronicle.core.diagnostic import plural
from chronicle.core.field_types import NAME, YES_NO, MapOf, whole
from chronicle.games.universalis import preparation
from chronicle.games.universalis.actions import NewComponent
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.addons.several_tenets import UNLIMITED
from chronicle.games.universalis.components import Create
from chronicle.games.universalis.narration import StateFact
from chronicle.games.universalis.preparation import ProposeTenet
from chronicle.games.universalis.state import BANK, COIN, Charge

SETTING = "setting"
CHARACTERS = "characters"
USUAL = 25
TENETS = ("genre", "theme", "premise", "setting", "situation", "mood", "realism")
"""What Tenets can be about; a phase of such a name takes no others."""


class Phases(Part):
    """What the group may set."""

    phases = option(
        MapOf(NAME, whole(1)),
        "{phase: Coins for each player}, in order: setting, characters, situation or any other name",
    )
    several = option(
        YES_NO, "yes, if one turn of a phase may hold several Tenets or Traits", default=False
    )


@dataclass(slots=True, eq=False)
class Progress:
    """Which phase is going on (0: the preparation of the core rules), and since when."""

    number: int = 0
    name: str = ""
    step: int = 0
    over: bool = False


class CreationPhases(AddOn):
    """Further phases before play."""

    summary = (
        "After preparation each player has 25 Coins more that are good only for the setting (or for "
        "what another phase is about); the rest goes back to the Bank."
    )
    changes = ("U2.4", "U2.5", "U3.1", "U5.3")
    chosen: Phases
    rule_text = """
        UA.2 Setting creation phase [checked]
          Between preparation and the first scene, turn by turn: Tenets about the setting, Components of it, Facts
          of its history, paid from a purse of 25 Coins that is good for nothing else. It ends when everybody
          passes; the rest is lost.
        UA.2a Further phases [checked]
          Characters, the situation or other parts of the story can have a phase and a purse of their own in
          the same way.
        """

    def _phases(self) -> list[tuple[str, int]]:
        return [(str(name), coins) for name, coins in (self.chosen.phases or {}).items()] or [
            (SETTING, USUAL)
        ]

    def _running(self, play: Table) -> str:
        if not preparation.preparing(play):
            return ""
        progress = memory(play, Progress)
        return "" if progress.over else progress.name

    def all_passed(self, play: Table) -> bool:
        """On to the next phase, if there is one."""
        progress = memory(play, Progress)
        if progress.over:
            return False
        self._clear(play)
        if progress.number >= len(self._phases()):
            progress.over = True
            return False
        progress.name, coins = self._phases()[progress.number]
        progress.number += 1
        progress.step = play.step.number
        for player in play.present:
            play.move(BANK, f"phase:{player}", coins, COIN, self.code, f"for the {progress.name}")
        play.event(
            f"A phase for the {progress.name} begins: {plural(coins, 'Coin')} each",
            self.code,
            "preparation",
        )
        return True

    def prepared(self, play: Table) -> None:
        """The phases are over, even if not everybody has passed."""
        progress = memory(play, Progress)
        progress.over = True
        self._clear(play)

    def _clear(self, play: Table) -> None:
        for player in play.seats:
            unused = play.balance(f"phase:{player}", COIN)
            play.move(f"phase:{player}", BANK, unused, COIN, self.code, "not used, lost")

    def purses(self, play: Table, player: str, sort: str, due: Charge | None = None) -> list[str]:
        """While a phase goes on, its purse."""
        if self._running(play):
            return [f"phase:{player}"]
        return self.inner.purses(play, player, sort, due)

    def shortage(self, play: Table, account: str) -> tuple[str, str]:
        """Of its purse."""
        if account.startswith("phase:"):
            return self.code, f"Coin for the {memory(play, Progress).name}"
        return self.inner.shortage(play, account)

    def tenets_a_turn(self, play: Table) -> int:
        """Any number, if the group says so."""
        if self._running(play) and self.chosen.several:
            return UNLIMITED
        return self.inner.tenets_a_turn(play)

    def may_prepare(self, play: Table, verb: str) -> bool:
        """Facts of history."""
        if self._running(play) and verb == StateFact.verb:
            return True
        return self.inner.may_prepare(play, verb)

    def before_entry(self, play: Table, action: Action) -> None:
        """Hold what the purse is for."""
        name = self._running(play)
        if not name or play.given:
            return
        wrong = _objection(name, action)
        if wrong:
            play.illegal(
                "UA.2" if name == SETTING else "UA.2a",
                f"{wrong}, and the Coins of this phase are for the {name} alone",
                facts=[play.because(memory(play, Progress).step, "the phase began here")],
                help="keep it for play, or let the group adopt a phase for it",
            )

    def after_entry(self, play: Table, action: Action) -> None:
        """A Fact takes a turn as a Tenet does. All spent, the phase is over."""
        if not self._running(play) or play.given:
            return
        if isinstance(action, StateFact):
            preparation.count_tenet(play)
        if not any(play.balance(f"phase:{player}", COIN) for player in play.present):
            preparation.end_preparation(play)  # No player has Coins left to spend.

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """Only what the running phase is for."""
        name = self._running(play)
        if not name:
            return options
        player = preparation.due_player(play) or play.seats[0]
        coins = play.balance(f"phase:{player}", COIN)
        allowed = [option for option in options if option.verb in ("pass", "seed", "present")]
        if not coins:
            return allowed
        words = one_of(("The rivers run backwards", "Nobody owns a clock"))
        tenet_keys = {"kind": "story", "about": name if name in TENETS else None}
        allowed.append(
            self.offer("tenet", player, f"a Tenet about the {name}", words, **tenet_keys)
        )
        if name == SETTING:
            words = one_of(("The war is over", "It froze"))
            allowed.append(self.offer("fact", player, "a Fact of history", words, of="world"))
        return allowed


def _objection(name: str, action: Action) -> str:
    """Why an entry has nothing to do with a phase; empty where it may have."""
    if isinstance(action, ProposeTenet):
        if action.kind in ("social", "gimmick"):
            return "this Tenet is about how the group plays"
        if action.about is not None and name in TENETS and str(action.about) != name:
            return f"this Tenet is about the {action.about}"
    if action.verb in ("gimmick", "adopt", "end gimmick"):
        return "this is a Rules Gimmick"
    if isinstance(action, Create) and name == CHARACTERS:
        for item in action.what:
            if isinstance(item, NewComponent):
                new_item = item.place or item.new or item.prop
                if new_item is not None:
                    return f"'{new_item.name}' is no Character"
    return ""
