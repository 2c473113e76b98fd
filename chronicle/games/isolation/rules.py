"""The rules of Isolation by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import read_errata, read_rules

RULES = read_rules(
    """
# Characters
I1 The sheet [checked; V1]
  Everybody writes down a Profession, Positive and Negative Descriptors, a Bias and a Goal. A sheet that lacks one
  of them is reported, and so is a player without a character.
I2 Three and three [checked]
  One Profession, three Positive and three Negative Descriptors, one Bias and one Goal are recommended. Other
  numbers are pointed out; a campaign may choose free sheets.
I3 At most twice as many good sides [checked; V2]
  More than two Positive Descriptors for every Negative one are pointed out as unusual.
I4 What a Profession is [recorded]
  The Profession stands for everything the character has learnt; the other descriptors had better be about
  personality.
  why: whether a word describes a skill or a temper is for readers to judge
I5 A Bias with an object [checked; V3]
  A Bias has to be able to come up with these people. One that labels no link of the finished map falls on nobody.
I6 A Goal within the scenario [recorded]
  The Goal has to concern the situation that everybody is in.
  why: no program can tell what a sentence has to do with a situation

# The relationship map
I7 Links [checked]
  A link ties exactly two characters, and is green or red: a reason to like, a reason to hate. A pair may have many.
  A link with oneself is refused; a pair without any link is pointed out.
I8 Who builds the map, and when [checked]
  The map is built right after the characters, by the GM or by a group that gets on. No conflict is rolled before it
  exists; a campaign may name its builder.
I9 Descriptors that go together, or do not [checked; V4]
  A compatible pairing of descriptors makes one green link, an incompatible one makes one red link, and both words
  are its label. Whether they are good or bad sides makes no difference. Both must stand on the two sheets, and no
  pairing counts twice.
I10 Links from a Bias [checked; V5]
  Whoever falls under somebody's Bias shares two links with them, red in the common case, labelled with the Bias.
I11 A Bias in common [checked]
  Two characters with the same or nearly the same Bias may get two green links for it; never red ones, never another
  number.
I12 The same Goal [checked; V6]
  Goals that are truly the same make three green links. Goals that are merely alike make none.
I13 Opposed Goals [checked; V7]
  Goals that exclude each other outright make three red links. Goals that merely differ make none; the log can say
  how the goals stand to each other.
I14 Trapped from the start [checked]
  When the map is nearly done the GM adds the characters who are trapped with the players'. Somebody who joins later
  is pointed out.
I15 In the same boat [checked; V9]
  Only those in the same boat have figures and links. Everybody else, the threat above all, has a name at most, and
  never rolls.
I16 Every first link has a label [checked; V8]
  The first map holds labelled links only; unlabelled ones come from results and deaths.

# Ground rules
I17 Conflict is the default [checked; V10]
  Anybody may work against anybody without dice. To work together, or merely to stand by, needs a roll.
I18 Lower, never higher [checked; V11]
  After the roll a Passive may choose a worse stance than the dice allow, never a better one.
I19 No red between them [checked; V13]
  Two characters without a red link are free to work together whatever the dice say. Nobody can call their hostility
  compulsory.
I20 Said is done [checked; V14]
  A proposal spoken aloud is what the character does, alone or with whomever can be persuaded. It is neither taken
  back nor replaced by another one.
I21 Free talk over the dice [computed]
  While a result is interpreted everybody plans and invents together; when it is through, the rule of the spoken
  word is back. The log returns to the decision stage by itself.

# The first reading
I22 One roll, read twice [checked; V15]
  Everybody in a conflict rolls once. The same faces decide who helps, and then how it ends.
I23 The Active's dice [checked; V16]
  The Active rolls a green die for each green link and a red die for each red link with those who are asked, and
  modifiers.
I24 The Active's red odds [checked; V17]
  The Active counts odd faces on red dice, less even faces on the own green dice, and never fewer than none.
I25 A Passive's dice [checked]
  A Passive rolls a green die for each green link and a red die for each red link shared with the Active, and
  modifiers. Links with third persons bring nothing.
I26 A Passive's green evens [checked; V18]
  A Passive counts even faces on green dice, less odd faces on the own red dice. That may well fall below 0.
I27 What the net allows [checked; V12]
  Green evens of the Passive less red odds of the Active: at +2 or more the Passive may cooperate, at -2 or less the
  Passive must be Hostile, in between Neutral is the best there is.
I28 The stance [checked]
  Every Passive takes a stance, and the log says which: Cooperative, Neutral or Hostile.

# Modifiers
I29 The Active's Profession [checked]
  One green die if the action falls directly into the Active's own Profession.
I30 Stress dice [checked; V19 V20]
  The Active adds as many red dice as the Stress Level. No Passive does.
I31 Role-playing [checked]
  One green die or more for the Active whose player made it dramatic, or truly persuasive. Three and more are
  pointed out; Passives get none.
I32 Against the own Goal or Bias [checked]
  One red die if the Active proposes something directly against the own Goal or Bias.
I33 For the own Goal or Bias [checked]
  One green die if the proposal has much to do with the Active's own Goal or Bias.
I34 A label that bears on it [checked; V21]
  A Passive adds one die in the colour of each labelled descriptor link with the Active whose label matters here.
I35 It helps the Passive's Goal or Bias [checked]
  One green die for a Passive whose Goal or Bias the action serves.
I36 It harms the Passive's Goal or Bias [checked]
  One red die for a Passive whose Goal or Bias it goes against.
I37 It is the Passive's Profession [checked]
  One green die for a Passive whose Profession covers the action.
I38 Modifiers first [checked; V22]
  All modifiers are on the table before anybody rolls; none is added to faces that are known, and none to somebody
  who takes no part.
I39 Open-ended dice [checked; V23 V24 V25]
  A green 6 may be rolled on, a red 1 must be, and extra dice chain in their turn. No other face earns a die. The
  number of faces written shows it.

# The second reading
I40 The GM sets the Difficulty [checked]
  When all stances are known the GM says how hard the task is. Set earlier it is pointed out; without it nobody can
  roll against the group.
I41 Six difficulties [checked; V26]
  Easy is one die, average two, hard three, really hard four, extremely hard five, impossible six.
I42 Living Characters [checked; V27 V28]
  One more red die for every character alive and still in the scenario, present or not. The dead and the departed do
  not count.
I43 Stress against them [checked; V29]
  One more red die for every point of Stress.
I44 The GM's roll [checked]
  Difficulty, Living Characters and Stress together are the GM's red dice. They are open-ended, and only odd faces
  count.
I45 Who pools [checked]
  The Active and everybody Cooperative put all their green dice together.
I46 Who cancels [checked; V32]
  The Hostile put all their red dice together. Each odd face takes one even face away, down to none; their green
  dice do nothing.
I47 Who stands by [checked; V30]
  The Neutral contribute nothing.
I48 Red dice that rest [checked; V31]
  Red dice of the Active and of the Cooperative play no part in the second reading, unless the Active goes it alone.
I49 The ladder [checked; V33 V34]
  Green evens less red odds: 4 and more Complete Success, 2 or 3 Basic Success, 0 or 1 Partial Success, -1 Partial
  Failure, -2 or -3 Basic Failure, -4 and less Complete Failure.
I50 The players say why [checked; V35]
  Dice give a direction only. Why and how somebody helps or gets in the way is told by that character's own player,
  not by the GM and not by others.
I51 What the levels feel like [recorded]
  From full and easy with a small extra, over just about done, to failed with every consequence and a new mishap on
  top.
  why: what a result looks like in the story is for the table to say

# Changes of the map
I52 Links from success [checked; V36 V38]
  A Basic Success forms one unlabelled green link, a Complete Success two, between the Active and every Cooperative
  or Neutral Passive.
I53 Links from failure [checked; V37]
  A Basic Failure forms one unlabelled red link, a Complete Failure two, between the Active and every Neutral or
  Hostile Passive.
I54 Opposites cancel [checked; V39]
  New unlabelled links first cancel those of the other colour, so that a pair holds one colour at most: one signed
  number.
I55 Pair rolls [checked; V40 V41]
  At the end of a session each pair may roll its green links against its red ones. More green evens: a red label may
  be erased or a green one added. More red odds: a green label must be erased or a red one added. Otherwise labelled
  links do not change.
I56 New labels [checked; V42]
  A new label may say anything that happened in the game, or between two sessions. One without an event on record is
  pointed out.
I57 Wound links [checked; V43 V44]
  Whoever becomes Injured or Dying gets one red link with every other character, labelled with that level; both sets
  on the way from Healthy to Dying.
I58 Links of the dead [checked; V45 V46]
  Red links of the dead are erased. Their labelled green links are spread evenly over the remaining pairs, as
  unlabelled green ones.

# Stress
I59 Stress at the start [checked; V47]
  The GM starts Stress at 1, 2 or 3.
I60 Stress rises [checked; V48]
  An event raises Stress by one to three points; the log names it.
I61 Stress falls [checked]
  Time or relief lowers Stress by one to three points.
I62 Stress and results [checked; V49]
  A Basic Success lowers Stress by one, a Complete Success by two; a Basic Failure raises it by one, a Complete
  Failure by two. Partial results leave it alone.
I63 Stress 0 [checked; V50]
  At Stress 0 nobody needs to roll. Everybody agrees or not as they like, and most actions are a Basic Success. Dice
  rolled at 0 are pointed out.

# Injury, death, recovery
I64 The ladder of health [checked; V55]
  Healthy, Injured, Dying, Dead; no level is skipped, and the dead do nothing more.
I65 When somebody is hurt [checked; V51]
  A physically threatening conflict that fails in any degree wounds somebody. Nothing else does.
I66 How many wounds [checked; V52]
  As many as red odds exceed green evens, as far as anybody can take them.
I67 Who is wounded [checked; V53]
  Wounds go to those involved who helped or stood by: never to the Hostile, never to the absent.
I68 The Dying first [checked; V54]
  A Dying candidate is wounded before all others, and dies of it.
I69 Why somebody is hurt [recorded]
  Within these bounds the group shares the wounds out as it likes, best by what a Hostile did or a Neutral left
  undone. The threat need not have done it.
  why: reasons are told, not computed; the log can say whom a wound is blamed on
I70 Recovery [checked; V56 V57]
  When all red links labelled with a level are gone, that level is healed. All Dying links go before any more
  Injured ones, and only between sessions.

# Special cases
I71 Asking some [checked; V59]
  The Active may ask some and leave the others Neutral by default. The Active's dice then come from links with those
  who are asked.
I72 The late Hostile [checked; V58]
  Who defaulted to Neutral may turn Hostile at the start of the second reading, and rolls red dice for red links
  with the Active, for that reading only.
I73 Going it alone [checked; V60 V61]
  Nobody is asked: no dice from links, green dice equal to the Difficulty and modifiers. The Active's own red odds
  do cancel green evens this time. The GM rolls as usual.
I74 Getting in the way of one [checked]
  Anybody else may turn Hostile against somebody who goes it alone. Nobody can be Cooperative.
I75 Against a character [checked; V64]
  Somebody who is acted against is treated as if not there: not asked, no dice from links with them, no stance.
I76 Alone against a character [computed]
  Both special cases at once: as going it alone, against the defender's dice.
I77 The defender rolls [checked; V62 V63]
  Instead of the GM the defender rolls red dice: red links with the Active, Living Characters less one, Stress, and
  modifiers, whose green evens cancel red odds. There is no Difficulty.
I78 The defender may be hurt [computed]
  If anybody can be hurt, the defender is among the candidates.
I79 Three things a scenario needs [checked]
  A cast, a small place cut off from the world, and a threat that keeps the cast there. Two of them may be one.
"""
)

ERRATA = read_errata(
    """
IT2 The second example miscounts the Active's red dice [I24]
  With modifiers the carpenter's red dice show 5, 4, 3, 6, 1 and, from two 1s, 1 and 2. The text counts three odd
  faces; there are four (5, 3, 1, 1). Against three green evens one red odd is left, not none.
IT3 ... and so the nets that follow [I27]
  With one red odd instead of none the two nets are +2 and -3, not +3 and -2. What they allow is the same: the first
  may cooperate, the second must be Hostile.
IT7 What would have been without the helper [I49]
  The text says that the task would have been a Basic Failure without the one who helped. With the Hostile still in
  the way three evens less two odds leave one, and one against five is a Complete Failure. Only if the Hostile is left
  out as well is it three against five, a Basic Failure.
IT9 Two sentences for the Hostile class [I27 IA1]
  The prose makes a Passive Hostile at two or less green evens than the red odds; taken at its word it overlaps the
  other classes. The summary says -2 or less, and every example follows it.
"""
)
