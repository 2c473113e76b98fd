"""Chapter 5: narrating the scene."""

from __future__ import annotations

from chronicle.core.rules import read_rules

SCENES = read_rules(
    """
# 5 Narrating the scene
U5.1 Three parts of a frame [computed]
  Location, time, Components; in Mini Scenes too.
U5.2 Introducing [checked]
  1 Coin brings a Component into the scene; for a new one the same Coin buys its Role.
U5.3 Presence [checked; V72]
  Only who is there acts, speaks and gives dice.
U5.4 Traits in a scene [computed]
  Only the Controller changes them, or Bonus Coins do.
U5.5 After framing [computed]
  Introductions and the bid go on all through the scene.
U5.6 Location [checked; V29]
  Every scene has one; establishing it costs 1 Coin, old or new.
U5.7 A new place costs once [computed]
  Its Role's Coin establishes it too.
U5.8 Moving on [checked; V41]
  On their own turn a player moves the scene for 1 Coin. All travel free; who stays behind leaves by an Exit. If most
  stay, it was another scene.
U5.9 Only the present place [checked]
  A location left behind gives no dice.
U5.10 Cutting back [computed]
  1 Coin for the location; one more if that scene is in the past or the future.
U5.11 A resumed cast [computed; V42]
  Who was there is there, unpaid; who has gone since costs an Exit (`without:`).
U5.12 The default time [checked; V32 V96]
  A scene follows the last immediately or runs beside it, free; no Component is in two places at one time. A stated
  jump ahead (`later:`) is paid.
U5.13 The past [checked; V30]
  1 Coin. `before:`, `during:` or `after:` an earlier scene, or just `past:`.
U5.14 The future [computed; V31]
  The framer pays 1 Coin to each other player, whose scenes it binds.
U5.15 Time within a scene [checked; V33]
  It runs on; jumps need a new scene, Bonus Coins, or a Gimmick.
U5.16 The first scene's date [computed]
  With nothing to follow, naming a time costs 1 Coin.
U5.17 Later entries [computed]
  By a player on their own turn, 1 Coin each, with Control.
U5.18 Exit [checked; V94]
  1 Coin lets a Component under Control leave; its possessions go along.
U5.19 The Eliminated [computed]
  They are not available later in the story.
U5.20 Stated absence [checked; V95]
  1 Coin says that a Component is absent; a later claim to the contrary is questioned.
U5.21 Events [checked; V93]
  1 Coin: one effect, by one performer, on one receiver. `each:` makes one for each.
U5.22 Events are Facts [computed]
  That it happened is a Fact of its scene.
U5.23 Consequences cost extra [computed]
  Traits that follow from an Event are bought besides.
U5.24 How much is one Event [recorded]
  The group decides, or a Challenge does.
  why: how much a sentence holds is a matter of taste
U5.25 Colour [computed]
  `text` is free and no Fact. What should be remembered costs a Coin.
U5.26 Other details [computed]
  Why and how: 1 Coin each, as a `fact`.
U5.27 Open questions [recorded]
  Players can leave questions of why for later, and any player can answer them.
  why: an unasked question leaves no trace
U5.28 Open Roles [checked]
  A figure can be paid for and left without words (`open: yes`); its Controller words the Role later.
"""
)
