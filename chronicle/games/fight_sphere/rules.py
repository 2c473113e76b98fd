"""The rules of Fight Sphere by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import read_errata, read_rules

RULES = read_rules(
    """
# Gladiators
F1 Two Gladiators each, one of them played [checked; V1]
  Everybody makes at least two Gladiators and plays one; the others go to the GM as NPC Gladiators. A longer game
  takes more of them: gladiators in campaign.yaml.
F2 A back story of 50 to 100 words [checked; V2]
  Who the Gladiator was before waking in the Sphere, in 50 to 100 words. The words under text are counted; where
  nothing is written down, nothing is said about it.
F3 The back story is worth one die [checked; V3]
  When a detail of the back story matters in a Conflict, that roll has one die more: one, whatever the number of
  details. The log names the detail.
F4 Death wish or Reason to Live [checked; V4]
  Every Gladiator has exactly one of the two, in words of the player's own.
F5 What a Death wish does [computed]
  Relationships are worth one die more, but at a first meeting the opponents gain as many pool dice as the Gladiator
  has Relationships. The Gladiator gains none by it.
F6 What a Reason to Live does [computed]
  Relationships are worth one die less, but at a first meeting the Gladiator gains as many pool dice as it has
  Relationships, once for each opponent.
F7 The drive can be traded once [checked; V5 V6]
  Once in the whole game a Gladiator may trade one drive for the other, never during an Episode, and for something
  that happened in play.
F8 Weapons are words [checked; V7]
  The weapon found on waking says much about a Gladiator and nothing about dice.
F9 Five dice to start with [checked; V8]
  Every Conflict Pool begins at 5, that of an NPC Gladiator too.

# Layers and Episodes
F10 One Episode a Layer [checked; V10]
  Layers lie inside each other, and a Gladiator has one Episode on each. Episodes of a Layer may run side by side;
  no Layer is skipped.
F11 At least two Gladiators [checked; V9]
  An Episode begins with two Gladiators or more, NPC Gladiators included. Where one is alone and an NPC Gladiator is
  free, the GM fills the gap.
F12 Players decide who shares an Episode [checked]
  At the start of a Layer everybody who is played is in an Episode. The players agree who shares one.
F13 The GM casts NPC Gladiators [checked]
  Gaps are filled with NPC Gladiators who live; the GM may add as many as are free and need not use any more. An
  Episode without a player is remarked on; who comes out of it is for the GM to say.
F14 Without a free NPC Gladiator, Episodes merge [checked]
  Where a Gladiator is alone and no NPC Gladiator is free, Episodes are merged until each has two Gladiators.
F15 NPC Gladiators are announced [checked; V12]
  Players know from the start of the Episode which NPC Gladiators are in it with them. One who was not cast on this
  Layer cannot turn up in it.
F16 The last one standing ends an Episode [checked]
  An Episode is over as soon as one Gladiator alone is standing, and not before. The last Gladiator plays no further
  Scene in it.
F17 Defeat kills NPC Gladiators only [checked; V11 V63]
  An NPC Gladiator who is beaten is dead for good. One who is played leaves the Episode and is back on the next
  Layer; death waits in the Core.
F18 All Episodes end first [checked; V13]
  The next Layer begins when every Episode of this Layer is over.
F19 The Core comes last [checked; V14]
  When the last NPC Gladiator is dead and all Episodes are over, the Core is next, not before, and not another
  Layer.

# Turns, Scenes, Conflicts
F20 Turns go round [checked; V15]
  Players take one turn each in the order of the seats. A player who cannot take part, or is not at the table, is passed
  over. Who begins a Layer is not said.
F21 Your own Gladiator, in a Scene [checked]
  On a turn the player frames their own Gladiator into a Scene, or asks the GM (or a judge) to.
F22 One Scene, one Conflict [checked; V16]
  A Scene holds a Conflict and is over when that is resolved. One without a roll, or with two of the same player, is
  refused.
F23 The Threshold Value [checked; V17]
  In an ordinary Conflict the GM rolls five dice on the surface and one more on every further Layer.
F24 More ones succeed [checked; V18 V19]
  Only ones count. More of them than the other side is a success.
F25 One die at least [checked; V20]
  However little goes into a roll, one die is rolled.
F26 The back story as a modifier [computed]
  The die of F3: skills count, and so does what moves the Gladiator.
F27 Gambling pool dice [checked; V21]
  Any number of dice of the Conflict Pool can be added to a roll, as many as are there.
F28 Bringing inhabitants in [checked; V22 V24]
  For one pool die a related inhabitant comes into the Conflict, as friend or enemy. The inhabitant adds as many
  dice as the Relationship is worth.
F29 Played to a close [recorded]
  The Scene goes on until the consequences of the roll are seen.
  why: whether a close is fitting is for the table to say

# What a Conflict brings
F30 One reward [checked; V25]
  A success can bring one benefit: a die, a new Relationship, or a point in an old one.
F31 A die [checked]
  As a reward the Conflict Pool grows by one die, no more.
F32 A new Relationship [checked; V26 V27]
  As a reward, with an inhabitant of the Scene: worth 2 with a Death wish, 0 with a Reason to Live. One for each
  inhabitant.
F33 A point in a Relationship [checked]
  As a reward, by one, with an inhabitant who was there, whether or not the Gladiator paid for it.
F34 All losses together [computed]
  After a failure the gamble is lost, what was used rests, and those who were used suffer.
F35 The gamble is lost, or kept [checked; V28 V29]
  A failure takes the dice gambled out of the pool, a success leaves them there. The dice paid for inhabitants are
  gone either way.
F36 Resting Relationships [checked; V23]
  What was used in a failure is no modifier for as many Conflicts as it was worth. The people can be in Scenes all
  the same.
F37 Something bad happens to them [checked]
  The close of a failed Scene tells what happens to those who were brought in: under harm, or in any text that names
  them.
F38 The GM's cut-scene [checked; V30 V31]
  After a failure the GM shows an NPC Gladiator who is alive, wherever it is, and may give it one of three benefits: a
  die, a new Relationship, a point in an old one.
F39 Resuming an Encounter [checked; V32]
  In place of the cut-scene the GM may let an Encounter go on that the failing Gladiator and an NPC Gladiator broke
  off by disengaging: at that player's next turn, the NPC Gladiator having the Initiative.

# Relationships
F40 Gladiators have no Relationships with Gladiators [checked; V33]
  A Relationship has a Gladiator at one end and an inhabitant at the other.
F41 Inhabitants come back [recorded]
  The GM plays the inhabitants and brings related ones back; on a purchase the player says what part they have.
  why: who should have come back is a question of taste
F42 Shared, but not pooled [checked; V34]
  Several Gladiators can be related to the same inhabitant; each has a value of its own.
F43 One pays, all gain [checked; V35]
  In an Encounter an inhabitant whom one Gladiator pays for helps everybody related to the same one, each by their own
  value. In ordinary Conflicts everybody pays.

# Encounters
F44 First meetings [checked; V36 V37]
  When two Gladiators first meet in an Episode, pool dice are handed out by F5 and F6, by the number of
  Relationships; not again until the next Episode.
F45 Gladiators who meet fight [checked; V38]
  Where Gladiators are in a Scene together without a truce, the Conflict is between them, by any means.
F46 No disguise [checked; V39]
  Gladiators know each other on sight. A disguise is colour and fails.
F47 Players start Encounters [checked; V40 V41]
  On their own turn, by framing their own Gladiator into a Scene with another of the same Episode. The GM starts
  none.
F48 The Initiative builds first [checked]
  The player who framed the Scene says first what is gambled and who is brought in.
F49 The others build in turn, up to the limit [checked; V42]
  The others follow in turn order. No gamble exceeds that of the Initiative; inhabitants come in
  without limit.
F50 Victories [checked; V43]
  The Threshold Value plays no part. More ones win, and the difference is the number of Victories.
F51 What losing costs [checked; V44]
  The loser's pool loses the gamble and as many dice more as the winner has Victories.
F52 Below zero [checked; V45 V46]
  A pool below zero is defeat; zero is not. Who is beaten plays no further Scene of the Episode.
F53 Relationships pay, too [checked; V47 V48]
  As many points as the winner has Victories come off the Relationships the loser used in this roll, as that player
  likes. With a single one there is nothing to choose.
F54 Lost for good [checked; V49 V50]
  A Relationship below zero takes the inhabitant out of the game, by death, madness or otherwise, and everybody
  related to the inhabitant loses the Relationship. Zero does not.
F55 Every pair is compared [checked; V51]
  With three Gladiators or more there are no targets: every possible pair is compared, and each comparison costs
  its loser.
F56 It goes on [checked; V52]
  The Scene ends with the roll, the Encounter does not. On the next turn a player who is in it must frame its
  continuation, wherever and whenever, and has the Initiative.
F57 Disengaging [checked; V53 V54]
  Once the limit is set and before the dice fall, a Gladiator may declare to leave. Away is who then wins against
  everyone; a tie is not enough.

# Truces
F58 A truce needs a third [checked; V55]
  Two Gladiators may have a truce while a third is left in the Episode. When only the two are left, it is over.
F59 Sharing Scenes, not Conflicts [checked; V56]
  Truce partners can be in a Scene without an Encounter, but each faces a Conflict of its own, and none between
  them.
F60 No helping [checked]
  No Gladiator lends another dice or rolls for another, truce or not.
F61 Partners are not compared [checked]
  In an Encounter truce partners do not compare their rolls.
F62 Betrayal [checked; V57 V58]
  After all have built and before the roll, a partner may break the truce; the traitor's Conflict Pool gains the
  Threshold Value of the Layer.

# Out, last, and judging
F63 Back from a knock-out [checked; V59]
  Who was knocked out begins the next Layer with a pool of its Threshold Value.
F64 The last one standing goes on with more [checked; V60]
  Who stood last adds the Threshold Value of the next Layer to what is left in the pool.
F65 The Judgment Pool [checked; V61]
  A player judges whose Gladiator is knocked out, is the last one standing, or died in the Core. The dice to judge
  with are the Threshold Value and one for each Relationship of the Gladiator.
F66 Judges frame Scenes [checked]
  An active player may ask one who judges to frame the Scene. Unasked, a judge frames none.
F67 Judges take sides [checked]
  Dice of a Judgment Pool can be gambled on a side of any Conflict, as many as there are.
F68 Judges lose by winning [checked; V62]
  Dice a judge gambled are lost if that side succeeds, and kept if it does not.

# The Core
F69 What is different in the Core [checked]
  No NPC Gladiators are left, everybody who is played is in a single Episode, and death is final.
F70 One is left [checked]
  The game ends when one Gladiator alone is alive in the Core.
F71 The epilogue [checked; V64]
  The survivor's player tells what comes after, and what the Sphere was for.
F72 Advice for the GM [recorded]
  Gangs, cults, broadcasters and small nations live here, all taken from one world; machines of the Sphere's own are
  met more often towards the Core. An inhabitant who is said to come from another world is remarked on.
  why: it is advice; only the former world can be compared
"""
)

ERRATA = read_errata(
    """
FT4 Two times for one bonus [F5 F6 F44]
  Making Gladiators, the text hands out the dice of Death wish and Reason to Live at the start of an Encounter; the
  chapter on Encounters hands them out at the first meeting in an Episode. The two differ as soon as the same
  Gladiators have a second Encounter.
FT5 Shifted once or twice [F5 F6 F32]
  A Death wish rates Relationships one higher and a Reason to Live one lower, and new ones start at 2 and 0. Both are
  the same shift of a common 1; applied again it would make 3 and a number below zero.
FT6 Two spellings of a name [F12]
  The example of casting calls the same player by two spellings.
"""
)
