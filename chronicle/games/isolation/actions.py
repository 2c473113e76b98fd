"""What players of Isolation can write in a log: one class a verb.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys.
"""

from __future__ import annotations

from chronicle.core.declare import Action, Decides, Moment, Part, PartOf, Refusal, main, option
from chronicle.core.kinds import (
    NAME,
    NAMES,
    TEXT,
    UNRECORDED,
    MapOf,
    MapOr,
    OrUnrecorded,
    choice,
    in_role,
    label,
    whole,
)
from chronicle.core.play_kinds import PAIR
from chronicle.games.isolation.dice import ROLLED
from chronicle.games.isolation.phases import (
    AFTER,
    ALWAYS,
    DEATHS,
    DECISION,
    ENDING,
    MIDWAY,
    NOT_DECIDED,
    SETUP,
    START,
    UNDECIDED,
    WHILE_RUNNING,
    WOUNDS,
)

_PLAY, _ALWAYS, _OPEN, _UNDECIDED = WHILE_RUNNING, ALWAYS, UNDECIDED, NOT_DECIDED


class Wounds(Action):
    """Spread the wounds of a threatening failure over those who helped or stood by."""

    verb = "wounds"
    also = ("wound", "hurt", "injury", "injured")
    decides = Decides("wound chooser", "I69")
    moment = _PLAY
    example = "wounds: {Ruth: 1, Basil: 2}\n  blame: {Basil: Cormac}"
    wounds = main(MapOf(in_role("wounded", NAME), whole(0)), "{who: how many levels}")
    blame = option(
        MapOf(in_role("named", NAME), in_role("named", NAMES)),
        "{wounded: whose deed or omission it came from}",
    )
    drawn = option(
        MapOf(in_role("named", PAIR), label(NAMES)),
        "{one & other: wound labels drawn on the map}; checked",
        checked=True,
    )


class Death(Action):
    """Somebody is dead: where the green links go that do not divide evenly."""

    verb = "death"
    also = ("die", "dies", "dead", "kill", "killed")
    led_in = "The death of {who}"
    decides = Decides("table")
    moment = _PLAY
    example = "death: Basil\n  spread: {Ruth & Cormac: 2, Ruth & Dagny: 1, Cormac & Dagny: 1}"
    who = main(in_role("named", NAME), "who died")
    spread = option(
        MapOf(in_role("named", PAIR), whole(0)), "{one & other: unlabelled green links received}"
    )


class PairRoll(Part):
    """One pair's roll at the end of a session, and what they chose."""

    green = option(ROLLED, "faces of the green dice")
    red = option(ROLLED, "faces of the red dice")
    erase = option(TEXT, "the label that is erased: a red one after green evens, else a green one")
    add_green = option(TEXT, "the new green label, if green evens won")
    add_red = option(TEXT, "the new red label, if red odds won")
    for_ = option(TEXT, "what happened in the game that the new label stands for")


class PairRolls(Action):
    """At the end of a session each pair may roll its green links against its red ones."""

    verb = "pair rolls"
    also = ("pair links",)
    slipped = frozenset({"pair roll"})
    decides = Decides("pairs")
    moment = Moment(
        (MIDWAY, DECISION, WOUNDS, DEATHS, ENDING, AFTER),
        Refusal("I55", _UNDECIDED + "pairs roll at the end of the session"),
        {
            phase: Refusal(
                "I55", "pairs roll at the end of a session, and nothing has been played yet"
            )
            for phase in (SETUP, START)
        },
    )
    example = (
        "pair rolls:\n    Ruth & Dagny: {green: 623 4, red: 35246, erase: Ruth Dying}\n"
        "    Ruth & Cormac: {green: 4, red: 233, add red: you cut the rope, for: the mast}"
    )
    rolls = main(
        MapOr(
            MapOf(in_role("pair", PAIR), OrUnrecorded(PartOf(PairRoll))),
            choice(UNRECORDED),
            words="{one & other: faces and choice}, or unrecorded",
        ),
        "{one & other: faces and choice}; unrecorded",
    )

    def lead_in(self) -> str:
        rolls = {} if isinstance(self.rolls, str) else self.rolls
        new = {
            f"{pair.one} & {pair.other}": roll.add_green or roll.add_red
            for pair, roll in rolls.items()
            if roll is not None
        }
        return ". ".join(f"{pair}: {label}" for pair, label in new.items() if label is not None)


class Recover(Action):
    """State a recovery: it follows from the pair rolls, and is checked."""

    verb = "recover"
    also = ("heal", "recovery")
    decides = Decides("table")
    moment = _ALWAYS
    example = "recover: {Ruth: dying}"
    levels = main(
        MapOf(in_role("named", NAME), choice("dying", "injured")), "{who: the level that is healed}"
    )
