"""Where replaying the book's own examples gives another result than its rules, in our own words."""

from __future__ import annotations

from chronicle.core.rules import Erratum

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "X5",
        "The kit and its Importance",
        "A side remark equates Importance with Coins spent. The kit has twelve Traits for four Coins; by the "
        "formula its Importance is twelve. The Gimmick's own Coin is left out of the total.",
        ("U4.35",),
    ),
    Erratum(
        "X6",
        "The loan",
        "The Gimmick is proposed on another player's turn, and the Coins of the next Refreshment stay with "
        "the debtor although the loan falls due with them.",
        ("U2.4", "UG.2"),
    ),
    Erratum(
        "X8",
        "Swapped chapters",
        "The lists of what belongs to an own turn name the wrong chapters, as does a later example.",
        ("U3.58", "U3.59"),
    ),
    Erratum(
        "X10",
        "A report to a queen",
        "An Event is done to a Character of another player without consent, talk or Complication.",
        ("U3.38",),
    ),
    Erratum(
        "X12",
        "A talk for nothing",
        "Nobody pays the Coin that begins the Dialog in the council, and one line is answered by a player who "
        "does not Control the speaker.",
        ("U3.33",),
    ),
    Erratum(
        "X14",
        "How many to win",
        "A player reckons with four Coins against three, but ties go to the player Challenged: three would do.",
        ("U3.45",),
    ),
    Erratum(
        "X24",
        "Hurt without an Event",
        "An outcome removes Traits and adds a wound with no Event before it, which the rule on damage asks for; "
        "hence the reading S47.",
        ("U4.42",),
    ),
    Erratum("X26", "Three who wait", "One Event Coin covers three performers.", ("U5.21",)),
    Erratum(
        "X30",
        "Whose figures",
        "A player tells of figures that another one introduced and still Controls.",
        ("U3.26",),
    ),
    Erratum(
        "X37",
        "Three ways, four items",
        "The list of ways to be hurt announces three, counts four and describes two.",
        ("U4.42",),
    ),
    Erratum(
        "X27",
        "Fourteen, ten or sixteen dice",
        "Four Traits are listed for each squad and five are counted; the Pool is called ten dice and sixteen "
        "faces are shown. One label for a Coin is used twice.",
        ("U6.20",),
    ),
    Erratum(
        "X28",
        "The wrong side's Coins",
        "The loser's twelve Coins are ascribed to the Targets; they are the Originator's. The Interrupt is left "
        "out of the cost.",
        ("U6.25",),
    ),
    Erratum(
        "X44",
        "Coins before scene one",
        "The teaching script hands out Coins before the first scene.",
        ("U2.15", "UE.1"),
    ),
    Erratum(
        "X41",
        "Names that drift",
        "Several names and Traits are spelt in two ways; aliases take care of them.",
    ),
)
