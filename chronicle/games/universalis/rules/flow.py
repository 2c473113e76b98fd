"""Chapter 3: bids, scenes, turns, Control, Dialog, Challenges, Fines."""

from __future__ import annotations

from chronicle.core.rules import read_rules

FLOW = read_rules(
    """
# 3 Turn order and game flow
U3.1 All play is in scenes [checked; V39]
  End of a scene, Refreshment, bid, framing, turns, end. Narration belongs into a scene, and one main scene is open
  at a time.
U3.2 Everybody bids [checked; V21]
  After the Refreshment all players at the table hide a bid from their Wealth and show it together; 0 is a bid.
U3.3 The highest bid frames [checked; V22 V23]
  The winner's Coins stay on the table, all others go back to their purses.
U3.4 Ties [checked]
  Of those tied, the player closest to the left of the last framer.
U3.5 Nobody bids [checked; V24]
  The next player clockwise from the last framer who owns a Coin wins and puts down at least one.
U3.6 Again and again [computed]
  The same player may win bid after bid.
U3.7 The bid on the table [computed; V8]
  It pays for what its owner does in that scene, first of all; the rest is lost at the end.
U3.8 What a frame holds [checked; V27 V28]
  A location, a time, and the Components present; a scene without a location is refused, one without a Character
  questioned.
U3.9 Immunity while framing [checked; V26]
  The framer cannot be Interrupted until framing is over. A Challenge is possible.
U3.10 Framing ends with an Event [computed]
  The framer's first Event ends it; the same turn goes on.
U3.11 Who ends a scene [checked; V34 V35]
  Only its framer, on their own turn, free of charge. What follows needs another scene.
U3.12 Making the framer end it [recorded]
  The others may Challenge a framer who will not.
  why: the Challenge itself is checked as such
U3.13 Fade to black [checked; V36 V37]
  For 1 Coin, at the moment of ending: players may not extend or take up this scene again.
U3.14 Refreshment [checked; V25 V38]
  After every main scene each player at the table takes the agreed number of Coins. It is computed.
U3.15 Turn order [checked; V44]
  The framer has the first turn; who is done ends it, and the next player clockwise goes on.
U3.16 A turn is not a scene [computed]
  Ending a turn leaves the scene open.
U3.17 Interrupt [checked; V9 V45 V46]
  1 Coin ends another player's turn and begins one's own; order goes on from there.
U3.18 What the interrupted player keeps [checked; V47]
  The interrupted player may finish the sentence; no further Coin is spent in that turn.
U3.19 Priority [checked; V48]
  Of several who Interrupt together, the player closest to the interrupted player's left, regardless of who spoke
  first.
U3.20 Interrupts in a Complication [computed]
  Turns and Interrupts go on while Pools grow.
U3.21 Mini Scenes [checked; V50]
  In one's own turn one may cut away to a small scene elsewhere or at another time, without a bid.
U3.22 Framing a Mini Scene [computed]
  Location, time and cast cost what they cost in any scene, and framing is as immune.
U3.23 The end of a Mini Scene [checked; V49 V51]
  It ends with the turn at the latest. No Refreshment and no bid follow; unless it faded it can be taken up again.
U3.24 Introducing gives Control [computed]
  You Control what you introduce, new or old.
U3.25 Control ends with the scene [computed; V55 V62]
  It starts again in the next scene; who takes up a scene gets Control of all that is there.
U3.26 What a Controller may do [checked; V52 V53 V86]
  Only the Controller lets a Component act, adds, removes or restores its Traits, or Eliminates it, but for Bonus
  Coins.
U3.27 What the others may do [checked; V66]
  Take it over, talk with it, involve it in a Complication, draw upon its Traits there.
U3.28 No rights of turn or creation [computed; V56 V57]
  Having the turn or having created something gives no Control of it.
U3.29 Take Over [checked; V58]
  1 Coin to the Bank, at any time, for a Component in the scene that is neither yours nor committed.
U3.30 Back and forth [computed]
  Control may change hands as often as Coins are paid.
U3.31 A Take Over against an Event [checked]
  Between the declaration of an Event and its effect a Take Over (`against:`) turns it into a Complication; its Coin
  comes back.
U3.32 Asking for opposition [computed]
  A Controller may ask others to take over (`invited: yes`), so that there is an opponent.
U3.33 Dialog [checked; V63 V64]
  For 1 Coin, as an Event, Characters of several players talk in their own voices; each player speaks for those
  under Control.
U3.34 Exchanges are free [checked]
  While a Dialog runs, the speakers may buy what their own turn would allow.
U3.35 What is said [checked; V65]
  A statement bought in Dialog is the Fact that it was said, not that it is true. Whoever acts is taken to say
  it, or whoever spoke last; nobody whom another player Controls is.
U3.36 Refusing to talk [computed]
  Who would rather not (`refused by:`) makes it a Complication; its winner tells the talk.
U3.37 Courtesy [recorded]
  Others had better not break into a Dialog.
  why: it is advice, and an Interrupt is legal
U3.38 Interaction [checked; V54]
  Doing something to a Component that another player Controls is a Complication, unless its Controller agrees.
U3.39 Obstacles [checked]
  Another player's Event can be made difficult with bought dice, as if an opponent had been created.
U3.40 Challenges [checked]
  Players may Challenge anything said or done, at any time; opening one is free and changes no turn.
U3.41 Negotiation [checked]
  First one talks. If the acting player gives in or the Challenger drops it, play goes on.
U3.42 Opening the Bidding [checked]
  Without an accord the Challenger bids at least 1 Coin, or it is over.
U3.43 Order of Bidding [checked; V124]
  Challenger, then clockwise, the player Challenged last in every round.
U3.44 Bids and options [checked]
  Bids are open and for one option; with at least 1 Coin anybody may open a third.
U3.45 Who wins a Challenge [checked; V125]
  The option with the greatest total; a tie goes to the player Challenged.
U3.46 If the Challenger wins [computed]
  The contested entry is struck with all it did; what follows is the new version.
U3.47 If the Challenged player wins [checked; V123]
  It stands, and cannot be Challenged again.
U3.48 Bids are lost [checked; V126 V128]
  All Coins bid go to the Bank, single Coins even where they counted double.
U3.49 Recalculation [computed; V130]
  What the struck entry cost comes back; the new version is paid at its own price.
U3.50 Only paid statements are Facts [computed; V71]
  Text without a Coin is colour. Only entries that cost something can be cited.
U3.51 Double value [checked; V127]
  Coins in defence of a Fact against what contradicts it count twice.
U3.52 Does it apply? [computed; V129]
  Anybody may bring in a Fact (`facts:`); in doubt a vote decides whether it applies.
U3.53 A Fact under attack [checked]
  A Fact gives no weight to its own defence.
U3.54 Contradicting Facts [checked; V18 V97]
  A new Fact may replace an old one or be an exception to it; say which (`replaces:`, `exception to:`).
U3.55 Asking for a Fine [checked]
  Against another player, at any time, for what Negotiation has not cured.
U3.56 The vote [checked; V131]
  More thumbs up: the accused pays as many Coins as there are. More down: the accuser does. A tie costs nothing.
U3.57 What may be done any time [checked; V43]
  Interrupt, take over, Challenge and bid, speak in a Dialog, ask for a Fine. All else needs the turn.
U3.58 Own turn: narration [computed]
  Location, introductions, Exits, Events: 1 Coin each.
U3.59 Own turn: building [computed]
  Creating, Traits added, removed or restored, Importance paid: 1 Coin each.
U3.60 Own turn: Tenets [computed]
  One Tenet, new or changed: 1 Coin.
U3.61 Own turn: Complications [computed]
  Originating, drawing, buying dice, calling for the roll.
"""
)
