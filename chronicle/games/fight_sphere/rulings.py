"""The points where the text of Fight Sphere is silent, and the readings a campaign may choose."""

from __future__ import annotations

from chronicle.core.rules import read_rulings

RULINGS = read_rulings(
    """
FA1 ordinary_tie: As many ones on both sides of an ordinary Conflict. What then?
  - failure: the player fails
  - success: the player succeeds
  - reroll: both sides roll again with the same dice
  because to succeed is to have more ones (F24)
FA2 rating_shift: A Death wish rates Relationships one higher, a Reason to Live one lower. Is that in the value
    already?
  - logged: yes: the value in the log is the number of dice
  - on-use: no: one die more or fewer when the Relationship is used, none at the least
  because start values of 2 and 0 are a common 1, shifted once (F5, F6, F28, F32)
FA3 switch_shift: A Gladiator trades the drive. What happens to the values of Relationships?
  - by-two: they rise by 2 with a Death wish and sink by 2 with a Reason to Live, never below 0;
    no inhabitant is lost by it
  - none: nothing
  because every Relationship is rated by the drive of the moment (F7)
FA4 min_die: Every player rolls at least one die. A floor, or a die that everybody has?
  - floor: a floor: an empty build rolls one die, any other all its dice
  - free: one free die, and all else is added to it
  because it is called a minimum (F25)
FA5 meeting_bonus: When do Death wish and Reason to Live bring pool dice?
  - first-meeting: when two Gladiators first meet in an Episode
  - every-encounter: at the start of every Encounter
  because the chapter on Encounters is the more precise of the two passages (F44, F5, F6)
FA6 bonus_lasting: Do these dice stay in the Conflict Pool?
  - stays: they stay
  - encounter: the rest of them goes when the Encounter is over for that Gladiator
  because nothing says that they are given back (F44)
FA7 gamble_multi: A Gladiator loses to several others in one roll. How often is the gamble lost?
  - once: once; the Victories add up
  - per-pair: once for every pair that is lost
  because the same dice cannot be lost twice (F51, F55)
FA8 disengage_harm: Does it hurt to lose to a Gladiator who disengages?
  - yes: as much as any other loss
  - no: no: a Gladiator who declared to disengage does no harm in that roll
  because nothing suspends what a loser pays (F57, F51)
FA9 betrayal_compare: A truce is betrayed. Are the two compared in this roll?
  - yes: yes, the truce is over
  - next: from the next roll on
  because it was the truce that kept them apart (F61, F62)
FA10 betrayal_dice: May the dice of the betrayal be rolled in this roll?
  - no: no, they go into the pool
  - yes: they go into the pool, and as many are added to this roll
  because all have built by then, and the pool is what gains (F62)
FA11 double_betrayal: Both partners betray each other. Who gains?
  - both: both
  - first: the first to declare it
  because each has declared it (F62)
FA12 npc_options: May NPC Gladiators hold truces, betray and disengage?
  - yes: yes, as the GM decides
  - no: no, that is for those who are played
  because the rules speak of Gladiators; of players only where something is declared (F57, F58, F62)
FA13 npc_order: When do NPC Gladiators build their rolls?
  - after-players: after the players, in the order they were cast
  - any: in any order
  because they have no turn (F49)
FA14 initiative_disengage: May the Gladiator with the Initiative disengage?
  - yes: yes
  - no: no, only the others
  because disengaging is declared after the limit is set, and it is set by then (F57)
FA15 encounter_rewards: Do rewards, resting Relationships and cut-scenes belong to Encounters, too?
  - none: no: an Encounter has a list of losses of its own
  - ordinary: yes: who wins against everyone takes a reward, what losers used rests, and a cut-scene can follow a
    loss
  because the list for Encounters is complete in itself (F30, F36, F38)
FA16 winner_costs: What does the winner of an Encounter get back?
  - gamble-kept: the gamble, not the dice paid for inhabitants
  - purchase-back: both
  because only losers lose a gamble; a price is a price (F28, F51)
FA17 free_shared_loss: May points come off a Relationship that was shared without paying?
  - allowed: yes, it was used in the roll
  - paid-only: no, only off those the loser paid for
  because the rules also say: used (F43, F53)
FA18 excess_points: There are more Victories than it takes to lose everybody who was used. What of the rest?
  - any: the whole number is distributed; what exceeds has no effect
  - capped: only as many points as it takes
  because the number of points is that of the Victories (F53)
FA19 overkill_points: May points be piled on one who is below zero already, to spare another?
  - yes: yes
  - no: no, further points go to another
  because the player distributes as the player likes (F53)
FA20 cooldown_counts: Which Conflicts count until a Relationship can be used again?
  - own: the Gladiator's own, Encounters included
  - all: everybody's
  because it is that player's modifier (F36)
FA21 cooldown_value: Which value says for how long?
  - at-failure: the value when it was used in vain
  - current: the value now
  because the number was fixed then (F36)
FA22 cutscene: Must a failure be followed by a cut-scene?
  - should: it should: a missing one is remarked on after ordinary Conflicts
  - optional: as the GM likes
  - all: it should, after lost Encounters as well
  because the rules say: should (F38)
FA23 npc_only_episode: Only NPC Gladiators are left in an Episode. What then?
  - gm-names: it is over; the GM names who lives, one or more, without dice
  - one: it is over; the GM names a single survivor
  because no player is left who could act (F16, F17)
FA24 npc_lms: Does an NPC Gladiator who is last one standing gain the new Threshold Value?
  - yes: yes, when next cast
  - no: no, only those who are played
  because the rule speaks of the character (F64)
FA25 judge_limits: How many dice may a judge gamble in an Encounter?
  - none: any number, on any Gladiator
  - initiative: no more than the Initiative gambled
  because judges may sway any Conflict, on either side (F67, F49)
FA26 many_judges: Several judges back the same or different sides. Is that allowed?
  - each: yes; each wins or loses apart
  because nothing forbids it (F67, F68)
FA27 judgment_lasts: Does a Judgment Pool outlive its Layer?
  - no: no
  - yes: the rest is kept for the next time
  because it belongs to not taking part, and to the present Layer (F65)
FA28 judgment_count: Which number of Relationships makes the Judgment Pool?
  - at-creation: that of the moment when the Gladiator drops out
  - current: the present one: a Relationship lost later takes a die along
  because a pool is handed out once (F65)
FA29 framed_encounter: May the GM or a judge frame an Encounter for a player who wishes it?
  - no: no, players frame their own
  - yes: yes
  because only players start Encounters (F47, F66)
FA30 background_encounter: Does the back story bring a die in Encounters?
  - yes: yes, for NPC Gladiators too
  - no: no, in ordinary Conflicts only
  because it counts in any Conflict where it matters (F3, F26)
FA31 truce_time: When may a truce be declared?
  - any: at any time outside a roll, if both agree
  - own-turn: on the turn of one of the two
  because no time is named (F58)
FA32 truce_multi: May three Gladiators have a truce?
  - pairwise: yes, as truces of every two of them
  - two-only: no
  because the rules speak of two (F58)
FA33 core_tv: Which Threshold Value has the Core?
  - next: that of the next Layer
  - same: that of the last Layer
  because the Core is played like any Layer but for three changes (F69, F23)
FA34 core_pools: With how many dice does the Core begin?
  - as-ever: as any Layer: F63 for the knocked-out, F64 for those who stood last
  because it is the next Episode (F63, F64, F69)
FA35 all_lose: Can everybody who is left lose in the same roll?
  - impossible: no: the Gladiator with the most ones never loses
  because it follows from counting (F16, F55)
FA36 double_purchase: Two Gladiators pay for the same inhabitant in one Encounter. What then?
  - useless: the second payment brings nothing, and is remarked on
  - doubles: every payment brings the modifiers of all once more
  because one purchase is enough for everybody (F43)
FA37 encounter_guest: May a Gladiator who is in an Encounter guest in the Scene of a truce partner?
  - suspect: it is remarked on
  - allowed: yes
  because own turns are bound; guests are not mentioned (F56, F59)
FA38 purchases: How many inhabitants can come into one roll?
  - any: any number, each for one die
  - one: one
  because the price is asked for each (F28)
FA39 judge_success: A judge backs one Gladiator among several. When has that side succeeded?
  - unbeaten: when the Gladiator wins a comparison and loses none
  - beats-all: when the Gladiator beats everybody it was compared with
  because the rules know success in an Encounter only pair by pair (F68, F55)
FA40 outside_tell: May a player tell in a Scene that their Gladiator is not in?
  - may: everybody at the table tells
  - in-scene: only the GM, the players of the Scene and a judge who framed it; telling by others is noted
  because the rules say who frames a Scene and who plays inhabitants, and not who tells (F21, F29, F41)
FA41 truce_encounter: All who are in an Encounter have made truces with each other. Must they go on with it?
  - rests: no: it rests while the truces last
  - goes-on: yes, in the next turn of each
  because partners do not compare their rolls, so that nothing would be decided (F56, F59, F61)
FA42 truce_meeting: Truce partners are in an Encounter together. Does it bring them the dice of a first meeting?
  - meets: yes, they meet there like all others
  - partners: no, not while the truce lasts
  because the first time in an Episode is what counts (F44, F61)
"""
)
