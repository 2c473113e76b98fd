"""The rules of Isolation by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Erratum, Rule

CHARACTERS = "Characters"
MAP = "The relationship map"
GROUND = "Ground rules"
FIRST = "The first reading"
MODIFIERS = "Modifiers"
SECOND = "The second reading"
CHANGES = "Changes of the map"
STRESS = "Stress"
HARM = "Injury, death, recovery"
SPECIAL = "Special cases"

RULES: tuple[Rule, ...] = (
    Rule(
        "I1",
        "The sheet",
        CHECKED,
        "Everybody writes down a Profession, Positive and Negative Descriptors, a Bias and a "
        "Goal. A sheet that lacks one of them is reported, and so is a player without a "
        "character.",
        also=("V1",),
        chapter=CHARACTERS,
    ),
    Rule(
        "I2",
        "Three and three",
        CHECKED,
        "One Profession, three Positive and three Negative Descriptors, one Bias and one Goal are "
        "recommended. Other numbers are pointed out; a campaign may choose free sheets.",
        chapter=CHARACTERS,
    ),
    Rule(
        "I3",
        "At most twice as many good sides",
        CHECKED,
        "More than two Positive Descriptors for every Negative one are pointed out as unusual.",
        also=("V2",),
        chapter=CHARACTERS,
    ),
    Rule(
        "I4",
        "What a Profession is",
        RECORDED,
        "The Profession stands for everything the character has learnt; the other descriptors had "
        "better be about personality.",
        why="whether a word describes a skill or a temper is for readers to judge",
        chapter=CHARACTERS,
    ),
    Rule(
        "I5",
        "A Bias with an object",
        CHECKED,
        "A Bias has to be able to come up with these people. One that labels no link of the "
        "finished map falls on nobody.",
        also=("V3",),
        chapter=CHARACTERS,
    ),
    Rule(
        "I6",
        "A Goal within the scenario",
        RECORDED,
        "The Goal has to concern the situation that everybody is in.",
        why="no program can tell what a sentence has to do with a situation",
        chapter=CHARACTERS,
    ),
    Rule(
        "I7",
        "Links",
        CHECKED,
        "A link ties exactly two characters, and is green or red: a reason to like, a reason to "
        "hate. A pair may have many. A link with oneself is refused; a pair without any link is "
        "pointed out.",
        chapter=MAP,
    ),
    Rule(
        "I8",
        "Who builds the map, and when",
        CHECKED,
        "The map is built right after the characters, by the GM or by a group that gets on. No "
        "conflict is rolled before it exists; a campaign may name its builder.",
        chapter=MAP,
    ),
    Rule(
        "I9",
        "Descriptors that go together, or do not",
        CHECKED,
        "A compatible pairing of descriptors makes one green link, an incompatible one makes one "
        "red link, and both words are its label. Whether they are good or bad sides makes no "
        "difference. Both must stand on the two sheets, and no pairing counts twice.",
        also=("V4",),
        chapter=MAP,
    ),
    Rule(
        "I10",
        "Links from a Bias",
        CHECKED,
        "Whoever falls under somebody's Bias shares two links with them, red in the common case, "
        "labelled with the Bias.",
        also=("V5",),
        chapter=MAP,
    ),
    Rule(
        "I11",
        "A Bias in common",
        CHECKED,
        "Two characters with the same or nearly the same Bias may get two green links for it; "
        "never red ones, never another number.",
        chapter=MAP,
    ),
    Rule(
        "I12",
        "The same Goal",
        CHECKED,
        "Goals that are truly the same make three green links. Goals that are merely alike make "
        "none.",
        also=("V6",),
        chapter=MAP,
    ),
    Rule(
        "I13",
        "Opposed Goals",
        CHECKED,
        "Goals that exclude each other outright make three red links. Goals that merely differ "
        "make none; the log can say how the goals stand to each other.",
        also=("V7",),
        chapter=MAP,
    ),
    Rule(
        "I14",
        "Trapped from the start",
        CHECKED,
        "When the map is nearly done the GM adds the characters who are trapped with the "
        "players'. Somebody who joins later is pointed out.",
        chapter=MAP,
    ),
    Rule(
        "I15",
        "In the same boat",
        CHECKED,
        "Only those in the same boat have figures and links. Everybody else, the threat above "
        "all, has a name at most, and never rolls.",
        also=("V9",),
        chapter=MAP,
    ),
    Rule(
        "I16",
        "Every first link has a label",
        CHECKED,
        "The first map holds labelled links only; unlabelled ones come from results and deaths.",
        also=("V8",),
        chapter=MAP,
    ),
    Rule(
        "I17",
        "Conflict is the default",
        CHECKED,
        "Anybody may work against anybody without dice. To work together, or merely to stand by, "
        "needs a roll.",
        also=("V10",),
        chapter=GROUND,
    ),
    Rule(
        "I18",
        "Lower, never higher",
        CHECKED,
        "After the roll a Passive may choose a worse stance than the dice allow, never a better "
        "one.",
        also=("V11",),
        chapter=GROUND,
    ),
    Rule(
        "I19",
        "No red between them",
        CHECKED,
        "Two characters without a red link are free to work together whatever the dice say. "
        "Nobody can call their hostility compulsory.",
        also=("V13",),
        chapter=GROUND,
    ),
    Rule(
        "I20",
        "Said is done",
        CHECKED,
        "A proposal spoken aloud is what the character does, alone or with whomever can be "
        "persuaded. It is neither taken back nor replaced by another one.",
        also=("V14",),
        chapter=GROUND,
    ),
    Rule(
        "I21",
        "Free talk over the dice",
        COMPUTED,
        "While a result is interpreted everybody plans and invents together; when it is through, "
        "the rule of the spoken word is back. The log returns to the decision stage by itself.",
        chapter=GROUND,
    ),
    Rule(
        "I22",
        "One roll, read twice",
        CHECKED,
        "Everybody in a conflict rolls once. The same faces decide who helps, and then how it "
        "ends.",
        also=("V15",),
        chapter=FIRST,
    ),
    Rule(
        "I23",
        "The Active's dice",
        CHECKED,
        "The Active rolls a green die for each green link and a red die for each red link with "
        "those who are asked, and modifiers.",
        also=("V16",),
        chapter=FIRST,
    ),
    Rule(
        "I24",
        "The Active's red odds",
        CHECKED,
        "The Active counts odd faces on red dice, less even faces on the own green dice, and "
        "never fewer than none.",
        also=("V17",),
        chapter=FIRST,
    ),
    Rule(
        "I25",
        "A Passive's dice",
        CHECKED,
        "A Passive rolls a green die for each green link and a red die for each red link shared "
        "with the Active, and modifiers. Links with third persons bring nothing.",
        chapter=FIRST,
    ),
    Rule(
        "I26",
        "A Passive's green evens",
        CHECKED,
        "A Passive counts even faces on green dice, less odd faces on the own red dice. That may "
        "well fall below 0.",
        also=("V18",),
        chapter=FIRST,
    ),
    Rule(
        "I27",
        "What the net allows",
        CHECKED,
        "Green evens of the Passive less red odds of the Active: at +2 or more the Passive may "
        "cooperate, at -2 or less the Passive must be Hostile, in between Neutral is the best "
        "there is.",
        also=("V12",),
        chapter=FIRST,
    ),
    Rule(
        "I28",
        "The stance",
        CHECKED,
        "Every Passive takes a stance, and the log says which: Cooperative, Neutral or Hostile.",
        chapter=FIRST,
    ),
    Rule(
        "I29",
        "The Active's Profession",
        CHECKED,
        "One green die if the action falls directly into the Active's own Profession.",
        chapter=MODIFIERS,
    ),
    Rule(
        "I30",
        "Stress dice",
        CHECKED,
        "The Active adds as many red dice as the Stress Level. No Passive does.",
        also=("V19", "V20"),
        chapter=MODIFIERS,
    ),
    Rule(
        "I31",
        "Role-playing",
        CHECKED,
        "One green die or more for the Active whose player made it dramatic, or truly persuasive. "
        "Three and more are pointed out; Passives get none.",
        chapter=MODIFIERS,
    ),
    Rule(
        "I32",
        "Against the own Goal or Bias",
        CHECKED,
        "One red die if the Active proposes something directly against the own Goal or Bias.",
        chapter=MODIFIERS,
    ),
    Rule(
        "I33",
        "For the own Goal or Bias",
        CHECKED,
        "One green die if the proposal has much to do with the Active's own Goal or Bias.",
        chapter=MODIFIERS,
    ),
    Rule(
        "I34",
        "A label that bears on it",
        CHECKED,
        "A Passive adds one die in the colour of each labelled descriptor link with the Active "
        "whose label matters here.",
        also=("V21",),
        chapter=MODIFIERS,
    ),
    Rule(
        "I35",
        "It helps the Passive's Goal or Bias",
        CHECKED,
        "One green die for a Passive whose Goal or Bias the action serves.",
        chapter=MODIFIERS,
    ),
    Rule(
        "I36",
        "It harms the Passive's Goal or Bias",
        CHECKED,
        "One red die for a Passive whose Goal or Bias it goes against.",
        chapter=MODIFIERS,
    ),
    Rule(
        "I37",
        "It is the Passive's Profession",
        CHECKED,
        "One green die for a Passive whose Profession covers the action.",
        chapter=MODIFIERS,
    ),
    Rule(
        "I38",
        "Modifiers first",
        CHECKED,
        "All modifiers are on the table before anybody rolls; none is added to faces that are "
        "known, and none to somebody who takes no part.",
        also=("V22",),
        chapter=MODIFIERS,
    ),
    Rule(
        "I39",
        "Open-ended dice",
        CHECKED,
        "A green 6 may be rolled on, a red 1 must be, and extra dice chain in their turn. No "
        "other face earns a die. The number of faces written shows it.",
        also=("V23", "V24", "V25"),
        chapter=MODIFIERS,
    ),
    Rule(
        "I40",
        "The GM sets the Difficulty",
        CHECKED,
        "When all stances are known the GM says how hard the task is. Set earlier it is pointed "
        "out; without it nobody can roll against the group.",
        chapter=SECOND,
    ),
    Rule(
        "I41",
        "Six difficulties",
        CHECKED,
        "Easy is one die, average two, hard three, really hard four, extremely hard five, "
        "impossible six.",
        also=("V26",),
        chapter=SECOND,
    ),
    Rule(
        "I42",
        "Living Characters",
        CHECKED,
        "One more red die for every character alive and still in the scenario, present or not. "
        "The dead and the departed do not count.",
        also=("V27", "V28"),
        chapter=SECOND,
    ),
    Rule(
        "I43",
        "Stress against them",
        CHECKED,
        "One more red die for every point of Stress.",
        also=("V29",),
        chapter=SECOND,
    ),
    Rule(
        "I44",
        "The GM's roll",
        CHECKED,
        "Difficulty, Living Characters and Stress together are the GM's red dice. They are "
        "open-ended, and only odd faces count.",
        chapter=SECOND,
    ),
    Rule(
        "I45",
        "Who pools",
        CHECKED,
        "The Active and everybody Cooperative put all their green dice together.",
        chapter=SECOND,
    ),
    Rule(
        "I46",
        "Who cancels",
        CHECKED,
        "The Hostile put all their red dice together. Each odd face takes one even face away, "
        "down to none; their green dice do nothing.",
        also=("V32",),
        chapter=SECOND,
    ),
    Rule(
        "I47",
        "Who stands by",
        CHECKED,
        "The Neutral contribute nothing.",
        also=("V30",),
        chapter=SECOND,
    ),
    Rule(
        "I48",
        "Red dice that rest",
        CHECKED,
        "Red dice of the Active and of the Cooperative play no part in the second reading, unless "
        "the Active goes it alone.",
        also=("V31",),
        chapter=SECOND,
    ),
    Rule(
        "I49",
        "The ladder",
        CHECKED,
        "Green evens less red odds: 4 and more Complete Success, 2 or 3 Basic Success, 0 or 1 "
        "Partial Success, -1 Partial Failure, -2 or -3 Basic Failure, -4 and less Complete "
        "Failure.",
        also=("V33", "V34"),
        chapter=SECOND,
    ),
    Rule(
        "I50",
        "The players say why",
        CHECKED,
        "Dice give a direction only. Why and how somebody helps or gets in the way is told by "
        "that character's own player, not by the GM and not by others.",
        also=("V35",),
        chapter=SECOND,
    ),
    Rule(
        "I51",
        "What the levels feel like",
        RECORDED,
        "From full and easy with a small extra, over just about done, to failed with every "
        "consequence and a new mishap on top.",
        why="what a result looks like in the story is for the table to say",
        chapter=SECOND,
    ),
    Rule(
        "I52",
        "Links from success",
        CHECKED,
        "A Basic Success forms one unlabelled green link, a Complete Success two, between the "
        "Active and every Cooperative or Neutral Passive.",
        also=("V36", "V38"),
        chapter=CHANGES,
    ),
    Rule(
        "I53",
        "Links from failure",
        CHECKED,
        "A Basic Failure forms one unlabelled red link, a Complete Failure two, between the "
        "Active and every Neutral or Hostile Passive.",
        also=("V37",),
        chapter=CHANGES,
    ),
    Rule(
        "I54",
        "Opposites cancel",
        CHECKED,
        "New unlabelled links first cancel those of the other colour, so that a pair holds one "
        "colour at most: one signed number.",
        also=("V39",),
        chapter=CHANGES,
    ),
    Rule(
        "I55",
        "Pair rolls",
        CHECKED,
        "At the end of a session each pair may roll its green links against its red ones. More "
        "green evens: a red label may be erased or a green one added. More red odds: a green "
        "label must be erased or a red one added. Otherwise labelled links do not change.",
        also=("V40", "V41"),
        chapter=CHANGES,
    ),
    Rule(
        "I56",
        "New labels",
        CHECKED,
        "A new label may say anything that happened in the game, or between two sessions. One "
        "without an event on record is pointed out.",
        also=("V42",),
        chapter=CHANGES,
    ),
    Rule(
        "I57",
        "Wound links",
        CHECKED,
        "Whoever becomes Injured or Dying gets one red link with every other character, labelled "
        "with that level; both sets on the way from Healthy to Dying.",
        also=("V43", "V44"),
        chapter=CHANGES,
    ),
    Rule(
        "I58",
        "Links of the dead",
        CHECKED,
        "Red links of the dead are erased. Their labelled green links are spread evenly over the "
        "remaining pairs, as unlabelled green ones.",
        also=("V45", "V46"),
        chapter=CHANGES,
    ),
    Rule(
        "I59",
        "Stress at the start",
        CHECKED,
        "The GM starts Stress at 1, 2 or 3.",
        also=("V47",),
        chapter=STRESS,
    ),
    Rule(
        "I60",
        "Stress rises",
        CHECKED,
        "An event raises Stress by one to three points; the log names it.",
        also=("V48",),
        chapter=STRESS,
    ),
    Rule(
        "I61",
        "Stress falls",
        CHECKED,
        "Time or relief lowers Stress by one to three points.",
        chapter=STRESS,
    ),
    Rule(
        "I62",
        "Stress and results",
        CHECKED,
        "A Basic Success lowers Stress by one, a Complete Success by two; a Basic Failure raises "
        "it by one, a Complete Failure by two. Partial results leave it alone.",
        also=("V49",),
        chapter=STRESS,
    ),
    Rule(
        "I63",
        "Stress 0",
        CHECKED,
        "At Stress 0 nobody needs to roll. Everybody agrees or not as they like, and most actions "
        "are a Basic Success. Dice rolled at 0 are pointed out.",
        also=("V50",),
        chapter=STRESS,
    ),
    Rule(
        "I64",
        "The ladder of health",
        CHECKED,
        "Healthy, Injured, Dying, Dead; no level is skipped, and the dead do nothing more.",
        also=("V55",),
        chapter=HARM,
    ),
    Rule(
        "I65",
        "When somebody is hurt",
        CHECKED,
        "A physically threatening conflict that fails in any degree wounds somebody. Nothing else "
        "does.",
        also=("V51",),
        chapter=HARM,
    ),
    Rule(
        "I66",
        "How many wounds",
        CHECKED,
        "As many as red odds exceed green evens, as far as anybody can take them.",
        also=("V52",),
        chapter=HARM,
    ),
    Rule(
        "I67",
        "Who is wounded",
        CHECKED,
        "Wounds go to those involved who helped or stood by: never to the Hostile, never to the "
        "absent.",
        also=("V53",),
        chapter=HARM,
    ),
    Rule(
        "I68",
        "The Dying first",
        CHECKED,
        "A Dying candidate is wounded before all others, and dies of it.",
        also=("V54",),
        chapter=HARM,
    ),
    Rule(
        "I69",
        "Why somebody is hurt",
        RECORDED,
        "Within these bounds the group shares the wounds out as it likes, best by what a Hostile "
        "did or a Neutral left undone. The threat need not have done it.",
        why="reasons are told, not computed; the log can say whom a wound is blamed on",
        chapter=HARM,
    ),
    Rule(
        "I70",
        "Recovery",
        CHECKED,
        "When all red links labelled with a level are gone, that level is healed. All Dying links "
        "go before any more Injured ones, and only between sessions.",
        also=("V56", "V57"),
        chapter=HARM,
    ),
    Rule(
        "I71",
        "Asking some",
        CHECKED,
        "The Active may ask some and leave the others Neutral by default. The Active's dice then "
        "come from links with those who are asked.",
        also=("V59",),
        chapter=SPECIAL,
    ),
    Rule(
        "I72",
        "The late Hostile",
        CHECKED,
        "Who defaulted to Neutral may turn Hostile at the start of the second reading, and rolls "
        "red dice for red links with the Active, for that reading only.",
        also=("V58",),
        chapter=SPECIAL,
    ),
    Rule(
        "I73",
        "Going it alone",
        CHECKED,
        "Nobody is asked: no dice from links, green dice equal to the Difficulty and modifiers. "
        "The Active's own red odds do cancel green evens this time. The GM rolls as usual.",
        also=("V60", "V61"),
        chapter=SPECIAL,
    ),
    Rule(
        "I74",
        "Getting in the way of one",
        CHECKED,
        "Anybody else may turn Hostile against somebody who goes it alone. Nobody can be "
        "Cooperative.",
        chapter=SPECIAL,
    ),
    Rule(
        "I75",
        "Against a character",
        CHECKED,
        "Somebody who is acted against is treated as if not there: not asked, no dice from links "
        "with them, no stance.",
        also=("V64",),
        chapter=SPECIAL,
    ),
    Rule(
        "I76",
        "Alone against a character",
        COMPUTED,
        "Both special cases at once: as going it alone, against the defender's dice.",
        chapter=SPECIAL,
    ),
    Rule(
        "I77",
        "The defender rolls",
        CHECKED,
        "Instead of the GM the defender rolls red dice: red links with the Active, Living "
        "Characters less one, Stress, and modifiers, whose green evens cancel red odds. There is "
        "no Difficulty.",
        also=("V62", "V63"),
        chapter=SPECIAL,
    ),
    Rule(
        "I78",
        "The defender may be hurt",
        COMPUTED,
        "If anybody can be hurt, the defender is among the candidates.",
        chapter=SPECIAL,
    ),
    Rule(
        "I79",
        "Three things a scenario needs",
        CHECKED,
        "A cast, a small place cut off from the world, and a threat that keeps the cast there. "
        "Two of them may be one.",
        chapter=SPECIAL,
    ),
)

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "IT2",
        "The second example miscounts the Active's red dice",
        "With modifiers the carpenter's red dice show 5, 4, 3, 6, 1 and, from two 1s, 1 and "
        "2. The text counts three odd faces; there are four (5, 3, 1, 1). Against three green "
        "evens one red odd is left, not none.",
        ("I24",),
    ),
    Erratum(
        "IT3",
        "... and so the nets that follow",
        "With one red odd instead of none the two nets are +2 and -3, not +3 and -2. What "
        "they allow is the same: the first may cooperate, the second must be Hostile.",
        ("I27",),
    ),
    Erratum(
        "IT7",
        "What would have been without the helper",
        "The text says that the task would have been a Basic Failure without the one who "
        "helped. With the Hostile still in the way three evens less two odds leave one, and "
        "one against five is a Complete Failure. Only if the Hostile is left out as well is "
        "it three against five, a Basic Failure.",
        ("I49",),
    ),
    Erratum(
        "IT9",
        "Two sentences for the Hostile class",
        "The prose makes a Passive Hostile at two or less green evens than the red odds; "
        "taken at its word it overlaps the other classes. The summary says -2 or less, and "
        "every example follows it.",
        ("I27", "IA1"),
    ),
)
