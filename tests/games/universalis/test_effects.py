"""One gate for each effect: whichever verb brings an effect about, a layer that bars the effect is asked.

The cases say which verb has which effect. ``effects.txt`` lists the pairs: a verb that gains an effect has to be
looked at by somebody. Write it anew with ``python -m tests.games.universalis.test_effects``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import pytest

from chronicle.campaigns import load
from chronicle.core.game_context import GameContext
from chronicle.core.replay import Replay, entries_from
from chronicle.games import rulebook
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.points import RulePoints, State
from chronicle.games.universalis.state import Trait
from chronicle.testkit.cases import write_case
from tests.games.test_guards import gates
from tests.games.test_proof import cases_of

LISTED: Final = Path(__file__).with_name("effects.txt")
MOST_TRIED: Final = 2
"""How many entries of each pair are played with the effect barred."""

GUARDS: Final[Mapping[str, str]] = {
    "buys a Trait": "bars_trait",
    "restores a Trait": "bars_regain",
    "takes a Trait": "bars_loss",
    "alters": "bars_change",
    "takes Control": "bars_control",
    "brings in": "bars_entry",
}
"""For each effect that a layer may bar, the question by which it does."""

_WITH_A_DIE: Final = "the sheet is not written out: what is drawn upon was bought at some time"
_WITH_ITS_OWNER: Final = "it follows its owner, who is given it or takes it along (U4.23)"
_UNFINISHED: Final = "what was paid towards an Elimination becomes wounds, by rule (U4.46)"
_CLAIMED: Final = "the Trait comes with the claim, and the add-on says who may claim (UA.18)"
UNGUARDED: Final[Mapping[tuple[str, str], str]] = {
    ("draw", "buys a Trait"): _WITH_A_DIE,
    ("draw", "alters"): _WITH_A_DIE,
    ("introduce", "takes Control"): _WITH_ITS_OWNER,
    ("end turn", "buys a Trait"): _UNFINISHED,
    ("end turn", "alters"): _UNFINISHED,
    ("player character", "alters"): _CLAIMED,
    ("player character", "buys a Trait"): _CLAIMED,
    ("reveal", "alters"): "the Trait was bought with its Enigma, and guarded there (UA.24)",
}
"""Pairs that no layer bars, each with the reason."""
STATED: Final = frozenset(("assert", "correct", "snapshot", "undo"))
"""Verbs that say how things stand: nobody does anything there."""
BRANCHES: Final = frozenset(("branch", "mirror", "switch"))
"""Verbs after which another story goes on."""
TAKES_BACK: Final = frozenset(("challenge", "judgment", "decide", "overrule", "abandon"))
"""Verbs that take entries back: the replay without them has no layer of ours."""


class Situation(NamedTuple):
    """What of a moment shows effects: the copies of each Trait, who is in the scene, in whose hands."""

    traits: Mapping[tuple[str, str], tuple[Trait, int]]
    components: frozenset[str]
    scene: int
    present: frozenset[str]
    control: Mapping[str, str]


def situation(play: GameContext[State]) -> Situation:
    """The situation of a moment."""
    state, scene = play.state, play.state.current_scene
    return Situation(
        {
            (component.id, key): (trait, trait.copies)
            for component in state.components.values()
            for key, trait in component.traits.items()
        },
        frozenset(state.components),
        scene.number if scene is not None else 0,
        frozenset(scene.present) if scene is not None else frozenset(),
        dict(scene.control) if scene is not None else {},
    )


def effects(situation_before: Situation, situation_after: Situation) -> Iterator[str]:
    """What an entry did to Components that were there before."""
    for key, (trait, copies) in situation_after.traits.items():
        had = situation_before.traits[key][1] if key in situation_before.traits else 0
        if key[0] not in situation_before.components or trait.free or copies == had:
            continue
        how = trait.history[-1][1] if trait.history else ""
        yield "alters"
        if copies < had:
            yield "takes a Trait"
        elif how == "restores":
            yield "restores a Trait"
        elif how == "adds":
            yield "buys a Trait"
    if situation_before.scene != situation_after.scene:
        return
    if (situation_after.present - situation_before.present) & situation_before.components:
        yield "brings in"
    for id, player in situation_after.control.items():
        holder = situation_before.control.get(id)
        if player and holder and player != holder and id in situation_before.present:
            yield "takes Control"


class Played(NamedTuple):
    """A legal entry of a case: its case, and its number in it."""

    case: int
    entry: int


@cache
def pairs() -> Mapping[tuple[str, str], tuple[Played, ...]]:
    """For each verb and effect, the legal entries of the cases in which the verb has it."""
    entries_by_effect: dict[tuple[str, str], list[Played]] = {}
    rules = rulebook("universalis")
    with TemporaryDirectory(prefix="chronicle-effects-") as folder:
        for number, case in enumerate(cases_of("universalis")):
            replay: Replay[Any] = Replay(load(write_case(case, Path(folder) / str(number))), rules)
            play = replay.play
            for entry, action in entries_from(replay):
                situation_before, reported = situation(play), len(play.diagnostics)
                replay.do(action)
                play = replay.play
                legal = len(play.diagnostics) == reported and not action.under
                if (
                    not legal
                    or play.given
                    or play.gap
                    or action.verb in STATED | BRANCHES | TAKES_BACK
                ):
                    continue
                for effect in {*effects(situation_before, situation(play))}:
                    entries_by_effect.setdefault((action.verb, effect), []).append(
                        Played(number, entry)
                    )
    return {pair: tuple(played) for pair, played in sorted(entries_by_effect.items())}


class Barring(RulePoints):
    """A layer that answers one question with a Bar, whatever it is about."""

    def __init__(self, question: str, inner: RulePoints) -> None:
        self.question = question
        self.asked = 0
        super().__init__(inner)
        self.__dict__[question] = self._bar

    def answers(self, name: str) -> bool:
        """The one question alone."""
        return name == self.question

    def _bar(self, *args: Any, **named: Any) -> Bar:
        self.asked += 1
        return Bar("U2.12", "barred")


def is_barred(played: Played, question: str) -> bool:
    """Whether an entry is reported when a layer bars its effect."""
    case = cases_of("universalis")[played.case]
    with TemporaryDirectory(prefix="chronicle-effects-") as folder:
        replay: Replay[Any] = Replay(load(write_case(case, Path(folder))), rulebook("universalis"))
        for entry, action in entries_from(replay):
            state = replay.play.state
            if entry == played.entry:
                layer = Barring(question, state.points)
                state.points = layer
                replay.do(action)
                is_reported = any(
                    problem.message == "barred" for problem in replay.play.diagnostics
                )
                return is_reported and layer.asked > 0
            replay.do(action)
    raise AssertionError(f"{case.id} has no entry {played.entry}")


@pytest.mark.integration
@pytest.mark.parametrize("effect", GUARDS)
def test_whichever_verb_brings_it_an_effect_can_be_barred(effect: str) -> None:
    passed = [
        f"{verb}: {cases_of('universalis')[played.case].id}, entry {played.entry + 1}"
        for (verb, barred_effect), entries in pairs().items()
        if barred_effect == effect and (verb, barred_effect) not in UNGUARDED
        for played in entries[:MOST_TRIED]
        if not is_barred(played, GUARDS[effect])
    ]
    assert not passed, f"{effect} although {GUARDS[effect]} bars it: {passed}"


@pytest.mark.integration
def test_each_pair_without_a_guard_is_still_played() -> None:
    assert {*UNGUARDED} <= {*pairs()}


def listed() -> str:
    """The pairs, a line each."""
    return "".join(f"{verb}: {effect}\n" for verb, effect in pairs())


@pytest.mark.integration
def test_the_verbs_of_universalis_and_their_effects() -> None:
    assert listed() == LISTED.read_text("utf-8")


def test_coins_are_booked_in_few_functions() -> None:
    """Whatever is bought goes through the bill (``coins``). Beside it, only rules that move Coins by
    themselves book them."""
    assert gates("universalis") == {
        "wealth:": {
            "start",
            "income",
            "apply",
            "_return",
            "transfer",
            "_settle_bid",
            "_told_late",
        },
        "bid:": {"_put_down", "close_scene", "_settle_bid"},
        "bonus:": {"_judge", "_check_bonus", "_told_late"},
    }


if __name__ == "__main__":
    LISTED.write_text(listed(), "utf-8", newline="\n")
