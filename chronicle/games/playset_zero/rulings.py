"""The points where the text of Playset Zero is silent, and the readings a campaign may choose."""

from __future__ import annotations

from chronicle.core.rules import read_rulings

RULINGS = read_rulings(
    """
ZA1 participants: More or fewer than three people play. How many dangers has a roll?
  - one-each: one from each of the other participants
  - two: two, whatever the size of the table
  because the text counts the other two and lets each name one (Z1, Z15)
ZA2 advantages_per_roll: May one roll establish several advantages?
  - many: yes, for one hit each
  - one: no, one at most
  because hits are spent freely (Z27)
ZA3 gm_features: Do characters of the GM have Features?
  - written: only those written down before the roll
  - free: whatever the GM names on the spot; it brings the d8
  - none: no; they roll white dice
  because the text gives Features to the players' characters and is silent about the others (Z13, Z17)
ZA4 more_features: There is a strong case for three Features. What do they bring?
  - red-each: the d10 and the d8 as usual, and a red die for each further one
  - two: nothing beyond two Features
  because it continues the pattern of two Features, and generosity is asked for (Z21, Z22, Z23)
ZA5 red_cap: How many red dice may a roll have?
  - none: as many as there are reasons
  - one: one
  because the kit has one or more of them (Z19)
ZA6 mark_after_roll: May a mark be spent when the faces are known?
  - no: no, it is declared before the roll
  - yes: yes, the red die is rolled then
  because it adds a die to the roll; any time is read as on any roll (Z34)
ZA7 several_marks: May several marks or advantages come into one roll?
  - yes: as many as are held
  - one: one at most
  because no limit is given (Z31, Z34)
ZA8 mark_for_others: May a mark help another character's roll?
  - no: no
  - yes: yes; its owner pays
  because it stands on the own sheet, and helping has a rule of its own (Z34, Z41)
ZA9 earned_means: Do established advantages count when Features are bought?
  - marks: no, only marks pay
  - both: yes, an advantage pays like a mark
  because only marks are called earned (Z35, Z36)
ZA10 kinds_after: Must three kinds of Features remain when one is replaced?
  - warn: fewer are noted
  - must: yes, as at the start (Z8)
  - free: no
  because the rule about kinds belongs to making a character (Z8, Z35)
ZA11 replace_main: May the Main Feature be replaced?
  - new-main: yes, and the new Feature is the Main one
  - forbidden: no
  because any present Feature may go, and one must be the Main one (Z9, Z35)
ZA12 fifth_positive: What is a flaw that has turned?
  - ordinary: an ordinary Feature that brings the d8
  - no-die: something good that gives no die
  because it has become positive (Z36, Z17)
ZA13 flaw_marks: Does trouble through the flaw earn marks?
  - yes: yes
  - no: no, only the four Features do
  because the flaw is a Feature of sorts, and trouble is what it is for (Z11, Z32)
ZA14 helper_challenge: Must a helper's die show 6 to buy the goal of a Challenge?
  - yes: yes, like everybody's
  - no: no, any hit of a helper's does
  because no lesser die buys such a goal (Z39, Z41)
ZA15 helper_vs_hinder: Must a helper's die beat the hindering die?
  - yes: yes
  - no: no, any hit of a helper's does
  because it buys the same thing (Z41, Z43)
ZA16 hinder_items: May one hinderer work against the goal and a danger at once?
  - one: no, one aim
  - both: yes, with one die on each
  because one aim is to be chosen (Z40, Z42)
ZA17 hinder_two: May both dice of a hinderer go to the hindrance?
  - higher: yes; the higher counts, and the own danger comes true
  - one: no, the second is for the own danger
  because dice are allotted freely (Z42)
ZA18 hinder_hit: Must a hinderer's dice be hits?
  - own-hit: the die against the own danger must; the hindering one may be any (below 5 it changes nothing)
  - both-hit: both must
  - free: neither must
  because a danger is avoided by a hit, and the text allots dice, not hits (Z42)
ZA19 help_dice: What do Features and advantages do to the two dice of helpers and hinderers?
  - as-usual: d8 and d10 take the place of white dice, red dice are added
  because the dice are adjusted as usual (Z41, Z42)
ZA20 gm_helper_danger: The GM helps. Who names the danger?
  - third: the third participant
  - helped: the player who is helped
  because the GM cannot very well threaten the GM (Z41)
ZA21 hinderer_names: Does a hinderer still name one of the two dangers?
  - yes: yes
  because each of the other two names one (Z15, Z42)
ZA22 several_hinderers: Several hinder the same thing. Which die has to be beaten?
  - each: each of them
  - first: that of whoever hindered first
  because each effort stands for itself (Z43)
ZA23 same_danger: May the same danger be named twice?
  - no: it is noted
  - yes: yes, and it takes two hits
  because there are two dangers (Z15)
ZA24 aims: The four aims stand in one list. May a helper choose harm?
  - own: no: helpers choose the aims that help, hinderers those that harm
  because the list serves both (Z40)
ZA25 hinder_spare: May a hinderer's hits do anything else?
  - no: no
  - yes: yes, a spare hit may establish an advantage
  because two uses are given (Z42)
ZA26 help_presence: May somebody help or hinder who is not in the scene?
  - suspect: it is noted
  - free: yes
  because the text is silent (Z40)
ZA27 the_end: When is the game over, and can characters die?
  - narration: no rule says; it is told
  because the author says that rules about scenarios are missing (Z2)
ZA28 question_kinds: Beside goal and dangers, what are the questions of the comment's variant?
  - either: two: goal and one danger; three: goal and two; four: goal and three, or a goal in two parts and two
  - dangers: one goal, the rest dangers
  because it stays nearest to the standard roll, and splitting the goal is what the comment asks about (Z45)
ZA29 refusing: Does it cost anything to refuse the GM's offer?
  - free: no
  because accepting earns; refusing is free (Z33)
ZA30 circumstance_dice: Several circumstances speak for the roller. How many red dice?
  - one: one
  - each: one for each
  because the step adds one red die (Z19)
"""
)
