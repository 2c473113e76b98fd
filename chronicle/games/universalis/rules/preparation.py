"""Chapters 1 and 2: Coins and Facts, Tenets."""

from __future__ import annotations

from chronicle.core.rules import read_rules

PREPARATION = read_rules(
    """
# 1 The basic concept
U1.1 No game master [recorded]
  All players have the same standing; what anybody may decide is measured in Coins alone.
  why: a log names players and no office, so there is nothing to compare
U1.2 Wealth and Bank [checked; V1 V3 V6]
  Each player has a purse, the Wealth. Coins spent go to the Bank, new ones come from it. No player spends more
  than the purse holds; the missing amount is met from an account of its own and reported.
U1.3 Start and Refreshment are chosen [checked; V7]
  Before anything else the group settles how many Coins each player starts with (25 suggested) and how many a scene
  brings (5). In campaign.yaml they are `start coins` and `refreshment`.
U1.4 Where Coins come from [computed; V2]
  Refreshment after each scene, Bonus Coins of Complications, and what a frame into the future pays the others. A
  Gimmick may open other sources; nothing else brings Coins in.
U1.5 Four ways to keep order [recorded]
  The Social Contract, the order of play, Challenges, and the price of everything.
  why: it is an overview of rules that are numbered elsewhere
U1.6 Facts [computed; V4]
  Traits belong to Components, Events to scenes, Tenets to the game. Each costs a Coin, weighs in Challenges, and
  can give one die to a Complication it fits.
U1.7 Worlds are used again [computed]
  A later session, or a log that begins in mid-campaign, finds all Components where they were; only introducing them
  costs.

# 2 Game preparation
U2.1 A phase of its own [checked]
  Before the first scene the group settles the Tenets of the game. Scenes wait until it is over.
U2.2 The starting player [recorded]
  Any player the group likes; in the log the first to act, or `first` in campaign.yaml.
  why: any way of choosing is right
U2.3 A preparation turn [checked; V10 V13]
  In seating order each player pays 1 Coin for one Tenet or passes.
U2.4 One Tenet a turn [checked; V11 V12]
  A turn holds at most one Tenet, before play and during it, and it must be one's own turn. An outcome of a
  Complication allows each player one.
U2.5 The end of preparation [checked; V14]
  When everybody has passed in a row, the first scene is bid for.
U2.6 Silence accepts [computed]
  A proposal stands unless it is Challenged. If a Challenge changes it, the new wording is what is paid for.
U2.7 Tenets can be changed [checked]
  A later Tenet may change an earlier one (`changes: its id`); the earlier one is a Fact, so resistance counts
  double.
U2.8 Three types [checked; V15]
  A Tenet is a Story Element, a point of the Social Contract, or a Rules Gimmick.
U2.9 Story Elements [computed]
  Genre, theme, premise, setting, situation, mood, realism; also single Components, Trait by Trait. Components
  created in this way are in no scene and have no Controller.
U2.10 Social Contract [recorded]
  How the group wants to behave; worth a Tenet where it matters, and the ground for Challenges and Fines.
  why: manners are not judged by a program
U2.11 Rules Gimmicks [checked; V19 V20]
  A new rule for 1 Coin. With an `id` it can be cited (`under:`), limited (`scope:`), changed and ended; what it
  changes in figures goes under `sets:`. It holds from its acceptance on.
U2.12 Gimmicks may replace rules [checked]
  Every written rule can be replaced. A Gimmick that forbids a verb, or asks another price, is held like any rule.
U2.13 Table talk is no Tenet [recorded]
  Talk out of turn only tells the others what they could Challenge. In the log it is an `aside`.
  why: unpaid talk leaves no entry to compare
U2.14 No gifts, no loans [checked; V5]
  Coins pass between players only where a Gimmick allows it; the only exception is the frame into the future.
U2.15 No Coins before scene one [checked; V17]
  Players enter the first scene with what preparation has left them.
"""
)
