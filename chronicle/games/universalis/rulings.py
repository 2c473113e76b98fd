"""The points where the book of Universalis is silent or contradicts itself, and the readings a campaign
may choose (the first one is the default). Points with one reading are fixed and only documented.

Points about optional rules (S84 to S96) are registered with those rules.
"""

from __future__ import annotations

from chronicle.core.rules import read_rulings

RULINGS = read_rulings(
    """
S1 coin sources: Where do Coins come from?
  - three: Refreshment, Complications and what a frame into the future pays the others
  because the third source is spelt out in the chapter on scenes (U1.4, U5.14)
S2 unchallenged: A rule was broken and no player objected. Does the entry hold?
  - stands: the state follows the log, and the break is reported unless something covers it
  because silence accepts a story, but a published log should be checkable (U3.40)
S3 fractions: A Gimmick sets a fraction of a price. How is it rounded?
  - total: whole purchases: the total of one entry, rounded up
  - each: each Trait by itself, rounded up
  because the only case in the book comes out whole (U2.11)
S4 bank: How many Coins does the Bank hold?
  - unlimited: as many as are needed
  because nothing is said about a shortage (U1.2)
S5 framing ends: When does framing, and with it immunity, end?
  - event: with the framer's first Event
  - character: as soon as location, time and one Character are there
  because the examples and most passages say the first Event (U3.9, U3.10)
S6 framing turn: The framer ends the turn without an Event. Is framing over?
  - ends: yes, with the turn
  - continues: no, it goes on in the framer's next turn
  because other players' turns are no framing (U3.10, U3.15)
S7 purse: Which purse pays first, the bid on the table or the Wealth?
  - bid: the bid, unless the entry names a purse
  - wealth: the Wealth
  because what is left of the bid is lost, so any player would (U3.7)
S8 bid pays: What may the bid on the table pay for?
  - anything: all acts of the framer in that scene
  - scene: only what builds the scene: frames, Components, Traits, Events, details
  because the text limits the time, not the purpose (U3.7)
S9 first tie: Before the first scene there is no last framer. From where is a tie counted?
  - framer: from the starting player, as if that player had framed last
  - starter: the starting player comes first
  - lot: by lot; the log says who won
  because it is the only seat that is singled out before scene one (U3.4, U3.5)
S10 first refreshment: Are there Coins before the first scene?
  - no: no
  - yes: yes, one Refreshment when preparation is over
  because an optional rule exists only because the core has none (U2.15, UE.1)
S11 framer ties: The last framer is among those tied. Where in the order?
  - last: last: a full circle ends there
  - first: first
  - excluded: not at all
  because to the left means all the others first (U3.4)
S12 preparation pass: Does a pass in preparation bind?
  - open: no; the phase ends after a full round of passes in a row
  - out: yes, who has passed is out
  because it ends when all are content (U2.5)
S13 prepared component: How many Traits of a Component may one preparation turn buy?
  - one trait: one
  - whole: any number
  because one Tenet a turn is the cap, and an optional rule lifts it (U2.9, U2.4)
S14 absent traits: Who may alter a Component that is in no scene?
  - creator: its creator in the turn of its creation; a Master: anybody on their own turn
  - nobody: nobody (a Master: anybody)
  - anyone: anybody on their own turn
  because Control exists in scenes only, yet examples build such Components (U3.26, U4.5)
S15 lost proposal: A proposed Tenet loses a Challenge. What of its Coin?
  - returned: it is not charged
  - spent: it is spent
  because prices follow the adjusted outcome (U2.6, U3.49)
S16 mini control: Who Controls in a Mini Scene what is also in the main scene?
  - separate: each scene has Control of its own
  - shared: the player who Controls it there
  because Control belongs to a scene (U3.24)
S17 mini complication: A Complication within a Mini Scene?
  - alive: yes; the Mini Scene lasts until it is resolved
  - within turn: yes, but it must be resolved within the turn
  - forbidden: no
  because others need turns to add their dice (U3.23, U6.9)
S18 mini interrupt: An Interrupt ends a Mini Scene. Where does the new turn play?
  - main: in the main scene
  - mini: in the Mini Scene, which goes on
  because the Mini Scene ends with the turn (U3.17, U3.23)
S19 nested mini: A Mini Scene within a Mini Scene?
  - no: not provided for: it is questioned
  - yes: allowed
  because nothing speaks of it (U3.21)
S20 simultaneous interrupts: Several players Interrupt together. Who pays?
  - winner: only who gets the turn
  - all pay: all of them
  because the Coin buys the turn (U3.19)
S21 event under way: An Interrupt comes while a paid Event is being told.
  - completes: the Event is completed
  because players are not stopped in mid-sentence (U3.18)
S22 no coins at all: There are no bids, and no player has a Coin.
  - stop: the rules stop; the group needs a Gimmick
  because no rule covers it (U3.5)
S23 open complication: The scene ends while a Complication is open.
  - not allowed: it must be resolved, or dropped by agreement
  - lapses: it lapses
  because it stays open as long as anybody is interested (U6.9, U3.11)
S24 originating price: What does Originating cost?
  - none: nothing
  - one: 1 Coin, for the attempt
  because the long examples pay for everything but that (U6.1)
S25 obstacle interrupt: Does an Obstacle out of turn need an Interrupt?
  - yes: yes, 1 Coin, and at least one bought die
  - no: no, only the dice
  because buying dice belongs to a player's own turn (U3.39, U6.1)
S26 stopped event: A Take Over turns an Event into a Complication. What of its Coin?
  - returned: it comes back
  - spent: it is spent
  because the Event was declared, not carried out (U3.31)
S27 take over originator: Who is the Originator then?
  - by role: the acting player if the receiver was taken, the taker if the performer was
  because the Originator is the player who touches a foreign Component (U3.31, U6.2)
S28 voluntary take over: A Take Over that the Controller asked for: what does it cost?
  - paid: 1 Coin like any other
  - free: nothing
  because it is called a Take Over all the same (U3.32)
S29 dialog purchases: What may a speaker buy in a Dialog on another's turn?
  - all: everything that their own turn allows with own Components
  - facts: only what was said
  because the book's speakers buy Traits, Exits and more (U3.34)
S30 drawable: Whose Traits may be drawn?
  - present: those of anything in the scene; the draw commits it
  - involved: only of what takes part already
  because the chapter on Complications says any (U6.12, U3.27)
S31 fact dice: Do Events, details and Tenets give dice?
  - yes: yes, one each in a Complication
  - no: only Traits of Components do
  because the first chapter says that every Fact can (U1.6)
S32 harmless event: An Event merely touches a foreign Component.
  - consent: fine if its Controller agrees; questioned otherwise
  - complication: always a Complication
  because the examples do it (U3.38, U5.21)
S33 doubling: Several Facts support one side.
  - once: its Coins count double, once
  - each: they double for each Fact
  because double is what the rule says (U3.51)
S34 tied options: The top is tied between options of others.
  - challenged: the Challenged player's version stands
  - earliest: the option opened first
  because ties favour the player Challenged (U3.45)
S35 refund: Coins already paid for what a Challenge alters?
  - yes: come back; the new version is paid
  - no: are gone
  because the price is computed again (U3.49)
S36 late challenge: How late may something be Challenged?
  - next action: until another player's next act is done; later it is questioned
  - any time: at any time
  because later it contradicts what was accepted (U3.40)
S37 fine voters: Who votes on a Fine?
  - others: all but the accused, the accuser included
  - everybody: everybody
  - neither: neither accuser nor accused
  because all other players, says the glossary (U3.56, U7.1)
S38 large fine: A Fine is larger than the purse.
  - what there is: what there is, is paid
  - debt: the purse runs into debt
  because Fines are meant to be trivial (U3.56)
S39 challenge purse: Which Coins may be bid in a Challenge?
  - wealth: Wealth only
  - any: also the bid on the table and Bonus Coins
  because the others are bound to a scene or an outcome (U3.44)
S40 corollaries: Do free mirror Traits count for Importance?
  - counted: yes
  - not counted: no, no player paid for them
  because Importance counts Traits (U4.17, U4.20, U4.35)
S41 corollary end: A mirror Trait on a foreign Component?
  - follows: needs no Control, and goes and comes with the bought one
  because one Coin, one tie (U4.17)
S42 importance: Importance by Traits or by Coins spent?
  - traits: by Traits
  - coins: by the Coins that were paid for them
  because the formula counts Traits (U4.35)
S43 possession chains: Chains, circles and two owners?
  - one owner: sums run through the chain; one owner at a time; circles are errors
  because an item's Importance includes its own possessions (U4.24)
S44 orphaned possessions: The owner is Eliminated. What of the possessions?
  - stay: they stay, unowned, under the same Control
  - vanish: they go too
  because an item goes only by its own Importance (U4.36)
S45 reduce importance: What does paying Importance level by level mean?
  - towards: paying towards an Elimination or a return within one turn or outcome
  because Importance is a count of Traits (U3.59)
S46 short elimination: An Elimination is not paid in full.
  - wounds: the paid Coins become Wound Traits
  - lost: the Coins are lost
  - progress: they stay as progress
  because injuries are Traits if the victim survives (U4.46, U6.35)
S47 damage event: Must a paid Event precede damage?
  - outside: yes, but not within the outcome of a Complication
  - always: always
  because the examples of outcomes pay none (U4.42)
S48 empty component: All Traits are gone. Is the Component?
  - exists: no; it is questioned
  - gone: yes
  because only Elimination ends a Component (U4.2)
S49 master elimination: How is a Master Eliminated?
  - subs first: all its Subs first, then its own Traits
  - sum: for the whole sum in one payment
  because it cannot go while a Sub lives (U4.34, U7.2)
S50 master mark: Does the mark of a Master count for Importance?
  - counts: yes, 1
  because it is a Trait and is paid (U4.27)
S51 member and role: A Sub's membership and its Master's Role: one die or two?
  - one: one
  - two: two
  because they say the same (U4.28, U4.29)
S52 two masters: Two Masters share a Trait. How many dice for a Sub of both?
  - one: one
  - each: one from each
  because a Trait counts once (U4.33)
S53 group size: How many does a Group Trait stand for?
  - free: the log decides; the number of copies is no headcount
  because the ratio is free (U4.14)
S54 eliminated here: A Component is Eliminated in the running scene.
  - leaves: it leaves the scene immediately; remains are colour
  - remains: it stays there as remains
  because it is out of the story (U4.37)
S55 return: Who may bring a Component back, and does it enter with that?
  - anyone: anybody on their own turn or with Bonus Coins; introducing it is 1 more
  because the text grants availability (U4.40)
S56 past elimination: Eliminated in a scene of the past, although seen later.
  - questioned: legal, but it contradicts Facts
  - illegal: illegal
  because continuity is the players' business (U4.37, U5.13)
S57 future price: A frame into the future costs one Coin per player. Which players?
  - others: each other player gets one
  - everybody: one more, for the framer, goes to the Bank
  because the running text says each other player (U5.14)
S58 return in time: Going back to a scene of the past or the future.
  - flat: 1 Coin besides the location
  - full: the future is paid in full again
  because the text speaks of one further Coin (U5.10)
S59 forward jump: A stated jump ahead of the running story.
  - future: costs what the future costs
  - coin: costs 1 Coin
  - free: is free
  because anything but the default is paid, and it binds what lies between (U5.12, U5.14)
S60 now after flashback: Where is now after a scene in the past?
  - front: where the running story was
  - flashback: at the end of the flashback
  because otherwise every flashback would need a paid way back (U5.12)
S61 extending location: Extending the last scene: is the location paid again?
  - due: yes, 1 Coin
  - free: no
  because every framing establishes a location (U3.8, U5.10)
S62 owner exits: An owner leaves. What of the possessions?
  - leave: they leave too, free
  because they came in that way (U5.18, U4.21)
S63 exit: Who may let a Component leave?
  - controlled: its Controller
  - anyone: anybody on their own turn
  because the chapter speaks of Controlled Components (U5.18)
S64 location control: Who Controls a location, and what becomes of the old one?
  - establisher: the player who established it; the old location is left behind
  because establishing is introducing (U5.6, U5.8)
S65 several performers: Several performers or receivers in one Event.
  - each: one Coin for each; a group that acts alike is questioned, not forbidden
  because the examples do both (U5.21)
S66 empty pools: What does an empty Pool do?
  - zero: it has no Success and no Coin; nothing is taken from it; 0 : 0 is a tie of sums
  because the rules apply without changes (U6.15, U6.22)
S67 losing edge: The loser's Edge Die is a Success. Is its face added too?
  - added: yes
  - failures: no, only an Edge Die that failed
  because the glossary says any Edge Dice (U6.27)
S68 edge coins: Among several Target Pools, whose are the Coins of an Edge Die?
  - pool: the Pool's that got it
  - shared: its side shares them
  because the die is given to a Pool (U6.24)
S69 several winners: Several Pools win. Who tells first?
  - most: the one with most Coins, then clockwise from the Originator
  because as among losers (U6.28)
S70 who cancels: Who may cancel Coins?
  - winner: only a winner
  - earlier losers: a loser too, those who tell later
  because only the winner is named (U6.29)
S71 outcome purse: May Wealth pay for the narration of an outcome?
  - bonus: no, only Bonus Coins
  - both: yes
  because the others have no turn (U6.33)
S72 outcome tenets: How many Tenets may one outcome buy?
  - one: one for each player
  - any: any number
  because in the spirit of the cap (U2.4)
S73 refusing to close: May a player refuse the roll without adding dice?
  - one round: for one full round of turns
  because consent means wanting no more dice (U6.17)
S74 committed possession: The owner is free, the possession is committed.
  - follows later: the owner may be taken over, the possession stays until the end
  because committed Components are not available (U6.8, U4.23)
S75 drawn then gone: A Trait or its Component goes after it was drawn.
  - stay: the dice stay in the Pool
  because they were laid there (U6.11)
S76 committed master: A Master's Trait is drawn. What is committed?
  - sub: the Sub
  because Masters are never there (U6.8)
S77 absent players: Players who are not at the table: Coins and bids?
  - present: only who is there bids and is refreshed
  - all: all seats
  because the game wants to bear with absence (U3.14, U3.2)
S78 interrupt tenet: Does an Interrupt allow a Tenet again?
  - yes: yes, it begins a new turn
  because the cap is per turn (U2.4)
S79 taking part: When does a named Character take part in a Complication?
  - involved: as target, as source, once drawn, or when the draw says how
  because being there is not taking part (U4.12)
S80 name die by consent: A pet or an object gets the name die by agreement.
  - gimmick: as a Gimmick; otherwise it is flagged
  because a Challenge decided it in the book (U4.12)
S81 wound dice: Which way do the dice of a wound go?
  - either: from the bearer's Pool or to the opponents', as the drawer says
  because both are named (U4.47)
S82 negation removed: A negating Trait is removed.
  - returns: the Master's Trait can be drawn again
  because its block ends (U4.32)
S83 open role: Wording a Role that was left open: what does it cost?
  - free: nothing, it was paid
  - paid: 1 Coin
  because the Coin bought a Role without words (U5.28)
S97 newcomers: Components that a third player brings into a Complication: Targets?
  - no: no, unless named; they only give dice
  because so it goes in the long example (U6.6)
S98 turn after roll: Whose turn is it after the roll?
  - caller: still that of the player who had it
  because a roll ends no turn (U6.36)
S99 mini time: What does a Mini Scene at the time of the main scene cost?
  - nothing: nothing
  because it is the default (U3.22)
S100 gimmick scope: A Gimmick without a stated scope?
  - game: holds for the whole game
  because a Tenet is a Fact of the game (U2.11)
S101 narration interrupt: An Interrupt while Bonus Coins are being told?
  - no: not allowed; a Challenge is
  - yes: allowed
  because that narration has an order of its own (UE.13, U6.28)
S102 poor turn: A player without Coins is on turn.
  - keeps: keeps the turn for what is free
  because only priced acts need Coins (U3.15)
S103 bonus control: Who Controls what Bonus Coins brought in?
  - spender: who spent them
  because introducing gives Control (U6.33)
S104 bonus no control: Do Bonus Coins spent on a foreign Component change its Control?
  - no: no
  because only introducing and taking over do (U6.33)
S105 described place: A place is described but is not the location.
  - created: it is created, not introduced
  because creation needs no presence (U4.5)
S106 committed leaves: A committed Component leaves or is Eliminated by its Controller.
  - questioned: allowed, but questioned; its dice stay
  - locked: not allowed
  because only Take Overs are barred (U6.8)
S107 framing take over: A Take Over during framing?
  - questioned: allowed, but questioned
  - barred: not allowed
  because the immunity speaks of Interrupts (U3.9, U3.29)
S108 take over challenged: May a Take Over be Challenged?
  - yes: yes
  because anything may (U3.40)
S109 carried over: The group plays in the same world again. Which Coins?
  - session: a further session carries over; a new game begins with new Coins
  because start Coins belong to the start of a game (U1.3)
S110 next anyway: An Interrupt by the player who is next anyway?
  - one: costs 1 Coin all the same
  because it cuts the turn short (U3.17)
S111 edge face: What does the face of an Edge Die bring, beyond a die among the others?
  - added: it is added to the Bonus Coins of its Pool
  - not added: nothing: an Edge Die counts like any other die
  because printings differ; the later one adds it (U6.27)
S112 obstacle price: What does an Obstacle cost besides its dice?
  - dice: nothing
  - event: 1 Coin, as an Event does
  because printings differ; the later one asks for the dice alone (U3.39, U6.1)
S113 refreshment by players: Does Refreshment depend on how many play?
  - no: no, it is what campaign.yaml says: 5, if nothing else
  - yes: yes: 12 Coins for up to three players, 8 for four, 6 for more
  because printings differ; the later one names one number (U3.14)
"""
)
