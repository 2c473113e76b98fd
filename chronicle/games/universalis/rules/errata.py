"""Where replaying the book's own examples gives another result than its rules, in our own words."""

from __future__ import annotations

from chronicle.core.rules import read_errata

ERRATA = read_errata(
    """
X5 The kit and its Importance [U4.35]
  A side remark equates Importance with Coins spent. The kit has twelve Traits for four Coins; by the formula its
  Importance is twelve. The Gimmick's own Coin is left out of the total.
X6 The loan [U2.4 UG.2]
  The Gimmick is proposed on another player's turn, and the Coins of the next Refreshment stay with the debtor
  although the loan falls due with them.
X8 Swapped chapters [U3.58 U3.59]
  The lists of what belongs to a player's own turn name the wrong chapters, as does a later example.
X10 A report to a queen [U3.38]
  An Event is done to a Character of another player without consent, talk or Complication.
X12 A talk for nothing [U3.33]
  Nobody pays the Coin that begins the Dialog in the council, and one line is answered by a player who does not
  Control the speaker.
X14 How many to win [U3.45]
  A player reckons with four Coins against three, but ties go to the player Challenged: three would do.
X24 Hurt without an Event [U4.42]
  An outcome removes Traits and adds a wound with no Event before it, which the rule on damage asks for; hence the
  reading S47.
X26 Three who wait [U5.21]
  One Event Coin covers three performers.
X30 Whose figures [U3.26]
  A player tells of figures that another one introduced and still Controls.
X37 Three ways, four items [U4.42]
  The list of ways to be hurt announces three, counts four and describes two.
X27 Fourteen, ten or sixteen dice [U6.20]
  Four Traits are listed for each squad and five are counted; the Pool is called ten dice and sixteen faces are shown.
  One label for a Coin is used twice.
X28 The wrong side's Coins [U6.25]
  The loser's twelve Coins are ascribed to the Targets; they are the Originator's. The Interrupt is left out of the
  cost.
X44 Coins before scene one [U2.15 UE.1]
  The teaching script hands out Coins before the first scene.
X41 Names that drift
  Several names and Traits are spelt in two ways; aliases take care of them.
"""
)
