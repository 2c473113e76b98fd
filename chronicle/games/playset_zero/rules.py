"""The rules of Playset Zero by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import read_errata, read_rules

RULES = read_rules(
    """
# Before play
Z1 A GM and two players [checked]
  Three people take part: one is the GM, the other two have one character each. A player who has none when the first
  conflict comes, or two, is reported; other table sizes are noted (ZA1).
Z2 The scenario [checked]
  The GM comes with a situation in which something bad is going on or close to it, and with one or two sides whose
  wants differ. Play does not begin without it.
Z3 Only hints at first [checked]
  Players know what the GM hints at. The rest becomes known when a character discovers it, so a character who starts
  out knowing more is questioned.
Z4 The dice on the table [checked; V17]
  Three white d6, one yellow d10, one green d8, and red d6 as needed. Colours only help to tell them apart. A face
  that its die does not have, and a second d10, are reported.
Z5 Concept and name [checked]
  A character starts as an idea in a few words, with a name.
Z6 Four Features [checked; V1]
  Four Features, neither more nor fewer, say what a character succeeds by.
Z7 Five categories [checked]
  A Feature is a drive, a trait of character, something of the background, a skill, or a possession that matters.
Z8 At least three kinds [checked; V2 V3]
  One category may give two of the four Features. Two and two, or three of a kind, are not allowed.
Z9 One Main Feature [checked; V4 V5]
  Exactly one of the four Features counts for more than the others. The flaw cannot be it.
Z10 The hint [checked; V6]
  Some visible detail lets everybody who meets the character guess at the Main Feature.
Z11 The flaw [checked; V7 V8]
  A fifth entry gets the character into trouble: a fear, a shortcoming, a pain. It hardly ever helps, so a die taken
  for it is questioned.

# Calling a roll
Z12 The GM calls on whoever is involved [checked; V48]
  When something is tense and uncertain, the GM asks the player whose character is in it. A roll by a character who
  stands outside the conflict is reported.
Z13 Players may ask the GM to roll [computed]
  When a character of the GM's is in a tight spot, players may ask for a roll. If their own characters are in it as
  well, rolling themselves serves them better.
Z14 The goal comes first [checked; V9]
  Before any die falls, the roller says what the character wants to achieve.
Z15 Two dangers [checked; V10 V11 V47]
  Each of the other two names one bad thing that may happen whatever becomes of the goal. The roller names none,
  nobody names both, and failing at the goal is no danger of its own.

# Dice
Z16 Three white dice [checked; V12]
  Every roll starts from three white d6.
Z17 A Feature: the d8 [checked; V13]
  When a Feature helps, the green d8 takes the place of one white die. The Feature is named.
Z18 The Main Feature: the d10 [checked; V14]
  When the Main Feature helps, the yellow d10 takes the place of one white die. Ordinary Features never bring the
  d10.
Z19 A circumstance: a red die [checked; V15]
  Being prepared, or better placed than the opposition, adds one red die. It takes no white die's place, and every
  red die has a reason.
Z20 Normally one Feature [checked]
  Only the Feature that fits best gives its die. More than one wants a strong case, which the log states under
  'for'.
Z21 Main and ordinary together [checked]
  With a strong case for both, the d10 and the d8 each take the place of a white die.
Z22 Two ordinary Features [checked; V16]
  With a strong case for two ordinary Features, one brings the d8 and the other a red die. There is no second d8.
Z23 Generosity [recorded]
  In doubt about a Feature or a circumstance, the table decides for the roller.
  why: nobody but the table can tell how doubtful a case was

# Hits
Z24 Five or more is a hit [checked; V18]
  Each die that shows 5 or more is one hit, whatever its size. A 4 is none, and a 10 is not two.
Z25 A hit for the goal [checked; V21]
  One hit spent on the goal reaches it. Without that it is not reached; a second hit adds nothing.
Z26 A hit for each danger [checked; V20]
  One hit keeps one danger away. Two dangers take two hits.
Z27 A hit for an advantage [checked; V24]
  One hit establishes an advantage for the character, in words written on the sheet.
Z28 Free choice, no credit [checked; V19]
  The roller spends hits as they please, each die once and no more of them than there are. Where the log does not
  say what hits bought, that is noted as unknown.
Z29 Nothing spent, everything wrong [checked; V22]
  If no hit is spent, the goal is missed and both dangers come true, even if hits lay on the table.
Z30 Goal and dangers stand apart [checked; V23]
  What nobody paid for goes wrong, and what was paid for goes well, each on its own. A danger that came true and is
  left out when the outcome is told is questioned.

# Advantage dice
Z31 Established advantages are used once [checked; V25 V26]
  When an established advantage matters, it adds one red die and is erased from the sheet. Nobody uses one twice, or
  somebody else's.
Z32 Trouble earns a mark [checked; V27]
  A stupid, desperate or irrational act that a Feature leads into earns a mark: one advantage die for later. The act
  and the Feature are written down.
Z33 The GM may offer [checked; V28]
  The GM can dangle an advantage die before a player for such an act. Accepted, it is a mark like any other;
  declined, nothing happens.
Z34 Spending marks on rolls [checked; V29 V30]
  Each mark adds a red die to a roll and is gone. Nobody spends more than they have earned.
Z35 Two marks: a new Feature [checked; V31 V32 V34]
  Two marks buy a new Feature in place of one that the character has. Four remain four.
Z36 Five marks: the flaw turns [checked; V33]
  Five marks, and no fewer, turn the flaw into something positive.

# Optional rules
Z37 Magic: three uses [checked; V35]
  For a Feature that is magical or weird its owner writes down three things it is good for. A roll says which of the
  three it serves; anything else is questioned. (Option magic.)
Z38 Magic: a limitation [checked; V36 V37]
  A magical Feature has a limitation that everybody else accepts, and it brings no die where the limitation applies.
  (Option magic.)
Z39 Challenge [checked; V38 V39]
  For an unusually tough goal only a die of 6 or more reaches it. Dangers and advantages still take a 5. (Option
  challenge.)
Z40 One aim [checked; V46]
  A helper or hinderer says what they do and chooses one aim: the goal reached or missed, or one danger avoided or
  brought about. It does not change once dice lie. (Option helping.)
Z41 Helping [checked; V40 V41]
  A helper rolls two dice, with Features as usual, and faces one danger that the GM names. Hits go to the own danger
  or to the aim, nowhere else. (Option helping.)
Z42 Hindering [checked; V42 V43]
  A hinderer rolls two dice, with Features as usual, and faces one danger that the hindered person names. One die
  may go to the own danger, one to the hindrance; no die does both. (Option helping.)
Z43 Beating a hindrance [checked; V44]
  What is hindered takes a hit from a die that is higher than the hindering one. An equal die is not enough. (Option
  helping.)
Z44 Before the main roll [checked; V45]
  Helpers and hinderers roll first. (Option helping.)
Z45 Two, three or four questions [checked]
  A variant from the author's comment: the GM calls the situation challenging, complicated or unusually complicated,
  and the roll then has two, three or four questions, counting the goal. (Option questions.)
"""
)

ERRATA = read_errata(
    """
ZT2 Which die showed the six? [Z42 Z43]
  The only worked roll gives two faces, 3 and 6, for a white die and a d8, and does not say which showed which. Both
  readings lead to the same result, so nothing is wrong; a log of the same moment names the dice.
"""
)
