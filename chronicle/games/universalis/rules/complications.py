"""Chapter 6: Complications."""

from __future__ import annotations

from chronicle.core.rules import read_rules

COMPLICATIONS = read_rules(
    """
# 6 Complications
U6.1 Two origins [checked; V99]
  Doing something to a foreign Component, on your own turn; or an Obstacle to another's Event. Not during framing.
U6.2 Originator [computed]
  The player who began it owns the Complication's Pool and its Coins.
U6.3 Targets [checked; V100]
  Each player who Controls a target has a Pool.
U6.4 Not against oneself [checked; V98]
  If no other player Controls a target there is no Complication.
U6.5 Pools [checked; V111]
  Ten-sided dice, 0 for ten; one Pool for the Originator, one for each Target Player.
U6.6 The others [checked; V121]
  They add dice to any Pool and bring in helpers; Coins go to Pools only.
U6.7 A Pool for everybody [checked]
  With `pools: everybody` each player gathers dice and declares a side before the roll.
U6.8 Committed [checked; V59]
  Targets, sources and drawn Components cannot be taken over until the end.
U6.9 It stays open [checked; V40]
  Turns go on around it as long as anybody cares; dropping it takes agreement.
U6.10 New sources [computed]
  Players can immediately draw upon new Traits and Components.
U6.11 Drawing [checked; V103 V105]
  Free: a Trait that applies adds a die to a Pool or takes one from it.
U6.12 Whose Traits [computed]
  Those of any Component in the scene.
U6.13 How it applies [recorded; V108]
  Who draws says how (`for:`); the others may Challenge.
  why: whether a word fits a deed is for the table to judge
U6.14 Once each [checked; V101 V102]
  A copy gives one die in a Complication.
U6.15 Buying dice [checked; V107]
  1 Coin a die, for any Pool or from any Pool that has one.
U6.16 Say what they are [checked; V106]
  Bought dice need a stated source.
U6.17 Closing [checked; V109]
  On their own turn a player calls for the dice; if all agree no die is added any more.
U6.18 Who rolls [checked]
  Every Pool, by its player.
U6.19 Two sides [computed]
  Target Pools count together; Coins are each player's own.
U6.20 Successes [checked; V110 V112]
  1 to 5, among as many faces as the Pool has dice.
U6.21 The winner [computed; V113]
  More Successes win.
U6.22 Ties [checked; V114]
  The higher sum of Successes has the Edge: one more die, and both sides roll everything again.
U6.23 Equal sums [computed]
  Both sides get an Edge Die.
U6.24 The Edge among several [computed]
  It goes to the Pool with most Successes, then closest to the Originator's left.
U6.25 The loser's Coins [computed; V115]
  One a die in the last roll.
U6.26 The winner's Coins [computed; V122]
  The faces of the Successes, added up.
U6.27 The Edge's Coins [computed; V116]
  Both sides add the faces of Edge Dice that are not in the sum already.
U6.28 Who tells when [checked; V117]
  Winners first, then losers, most Coins first.
U6.29 Cancelling [checked; V118]
  A winner gives up Coins to void as many of a loser's, before they are spent.
U6.30 The loser's limits [recorded; V120]
  Losers tell within what winners have told.
  why: only a reader sees whether one sentence undoes another
U6.31 Relevance [recorded]
  Bonus Coins go to what the contest was about.
  why: what belongs to a story is for the table to judge
U6.32 Bias [recorded]
  The outcome favours the winners.
  why: favour is read, not counted
U6.33 What Bonus Coins buy [checked]
  All that the rules sell, also on foreign Components; no turns, bids or dice.
U6.34 Leftovers [checked; V119]
  What is not told is kept: told, cancelled and kept make up what was won.
U6.35 Instalments [computed]
  Within an outcome an Elimination may be paid in parts (`reduce`).
U6.36 Back to the turn [computed]
  The player who had the turn goes on, with own Coins.
U6.37 In order [computed]
  Originate, gather, close, roll, break ties, tell, keep, release.
"""
)
