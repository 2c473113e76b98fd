"""The glossary, the essays, and gimmicks that are in examples only."""

from __future__ import annotations

from chronicle.core.rules import read_rules

FURTHER = read_rules(
    """
# Glossary
U7.1 Who votes [checked; V132]
  All other players vote on a Fine together.
U7.2 Subs before Masters [checked; V87]
  A Master goes only when no Sub is left.
U7.3 Separating [computed]
  It removes the Possession Trait.
U7.4 Edge ties [computed]
  Closest to the Originator's left.
U7.5 Introduced only [computed]
  Only what is in the scene is drawn upon.
U7.6 Standing Traits only [computed]
  Removed Traits count nothing.
U7.7 Wounds in short [computed]
  They count, they hinder, they heal for a Coin.
U7.8 Ties to anything [computed]
  A relationship can be to a place or an object.
U7.9 Names of things [computed]
  Drawn only where a Gimmick says so.
U7.10 The bid and the purse [computed]
  Wealth may add to the bid in framing.
U7.11 Coins of a fate [computed]
  Each allows one Fact; a return costs Importance again.
U7.12 Avoiding a Complication [computed]
  A Take Over may also do that.
U7.13 Mini Scenes in short [computed]
  On a player's own turn, at no cost of its own, until its end.
U7.14 Obstacles are for others [checked]
  The Event must be another player's.
U7.15 Many voices [computed]
  A Dialog may have more than two players.
U7.16 Coins of the Edge [computed]
  Winners add failed Edge Dice, losers all of them, besides one for every die.

# Essays
UE.1 Coins to begin with [computed]
  The teaching script hands out Coins before the first scene; the rules do not (S10).
UE.2 Moderate bids [recorded]
  Beginners had better bid less than eight or ten.
  why: it is advice
UE.3 Unpaid is unwritten [computed]
  Unpaid statements are no Facts.
UE.4 All Traits come along [computed]
  Who enters brings the whole sheet.
UE.5 Loose accounts [computed]
  A group may count loosely; `strictness` says how much.
UE.6 Genres step by step [recorded]
  The first genre Tenet names the broad one.
  why: it is advice
UE.7 Settings before places [checked; V16]
  In preparation a place is created once a Tenet has fixed the setting.
UE.8 Roles before Characters [computed]
  A prepared Character begins with its Role.
UE.9 A premise may come late [computed]
  As a Tenet, once it shows.
UE.10 Known worlds [recorded]
  Borrow, convert, or go on from one's own: what stands above `play starts` is given.
  why: where a world comes from is not checked
UE.11 Going on [computed]
  World and Components carry over.
UE.12 No Interrupt for a Challenge [computed]
  And a show of hands may stand for the Bidding.
UE.13 Undisturbed narration [checked]
  Players cannot Interrupt while an outcome is narrated; the roll decides who tells.
UE.14 One vote each [computed]
  Wealth does not weigh in a Fine.
UE.15 Earning by contest [computed]
  On average a winning die brings one and a half Coins, a losing one a single Coin.
UE.16 No preparation [computed]
  The group may skip it (`preparation: skipped`).
UE.17 Compound statements [recorded]
  One goal can be worth two to five Traits.
  why: taste again
UE.18 The second player's lesson [recorded]
  The turn passes, Control does not.
  why: a way to teach, not a rule of its own

# Gimmicks from the examples
UG.1 Limited uses [checked]
  `sets: {uses: [...]}`: each `use` crosses a copy off, and may heal a wound; `trait price` sets a share of the
  price.
UG.2 Loans [computed]
  `sets: {loans: yes}`: the debt is paid back from the next Coins that come in.
UG.3 Ignoring a wound [recorded]
  One Character acts as if unhurt until a stated point; then a lasting Trait replaces the wound.
  why: acting as if is told, not counted; the wound stays on the sheet and counts
UG.4 A name for a thing [computed]
  `sets: {name die: [...]}` lets a pet's or a sword's name count.
UG.5 How names sound [recorded]
  A custom of naming, as a Fact of the world or a Gimmick.
  why: sound is not judged
UG.6 Rifts in time [computed]
  `sets: {time jumps: yes}`.
UG.7 Figures for others [computed]
  Components whose Role another player will word.
UG.8 Double price by agreement [computed]
  Once, for one item: `coins:` with `allow:`.
UG.9 A cap by agreement [computed]
  A Challenge may settle for fewer dice.
UG.10 Tenets on structure [recorded]
  Every Character has a secret; all love ends badly.
  why: whether a story keeps to them is read, not counted
UG.11 Tenets on manners [recorded]
  Phones off, no film jokes; the ground of Fines.
  why: what is a joke is voted on
"""
)
