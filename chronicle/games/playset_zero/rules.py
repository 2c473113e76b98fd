"""The rules of Playset Zero by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Erratum, Rule, RuleClass

BEFORE = "Before play"
CALLING = "Calling a roll"
DICE = "Dice"
HITS = "Hits"
ADVANTAGE = "Advantage dice"
OPTIONAL = "Optional rules"


def _rule(
    chapter: str,
    id: str,
    title: str,
    kind: RuleClass,
    text: str,
    why: str = "",
    also: tuple[str, ...] = (),
) -> Rule:
    return Rule(id, title, kind, text, why, also=also, chapter=chapter)


RULES: tuple[Rule, ...] = (
    _rule(
        BEFORE,
        "Z1",
        "A GM and two players",
        CHECKED,
        "Three people take part: one is the GM, the other two have one character each. A player who "
        "has none when the first conflict comes, or two, is reported; other table sizes are noted (ZA1).",
    ),
    _rule(
        BEFORE,
        "Z2",
        "The scenario",
        CHECKED,
        "The GM comes with a situation in which something bad is going on or close to it, and with one "
        "or two sides whose wants differ. Play does not begin without it.",
    ),
    _rule(
        BEFORE,
        "Z3",
        "Only hints at first",
        CHECKED,
        "Players know what the GM hints at. The rest becomes known when a character discovers it, so a "
        "character who starts out knowing more is questioned.",
    ),
    _rule(
        BEFORE,
        "Z4",
        "The dice on the table",
        CHECKED,
        "Three white d6, one yellow d10, one green d8, and red d6 as needed. Colours only help to tell "
        "them apart. A face that its die does not have, and a second d10, are reported.",
        also=("V17",),
    ),
    _rule(
        BEFORE,
        "Z5",
        "Concept and name",
        CHECKED,
        "A character starts as an idea in a few words, with a name.",
    ),
    _rule(
        BEFORE,
        "Z6",
        "Four Features",
        CHECKED,
        "Four Features, neither more nor fewer, say what a character succeeds by.",
        also=("V1",),
    ),
    _rule(
        BEFORE,
        "Z7",
        "Five categories",
        CHECKED,
        "A Feature is a drive, a trait of character, something of the background, a skill, or a "
        "possession that matters.",
    ),
    _rule(
        BEFORE,
        "Z8",
        "At least three kinds",
        CHECKED,
        "One category may give two of the four Features. Two and two, or three of a kind, are not "
        "allowed.",
        also=("V2", "V3"),
    ),
    _rule(
        BEFORE,
        "Z9",
        "One Main Feature",
        CHECKED,
        "Exactly one of the four Features counts for more than the others. The flaw cannot be it.",
        also=("V4", "V5"),
    ),
    _rule(
        BEFORE,
        "Z10",
        "The hint",
        CHECKED,
        "Some visible detail lets everybody who meets the character guess at the Main Feature.",
        also=("V6",),
    ),
    _rule(
        BEFORE,
        "Z11",
        "The flaw",
        CHECKED,
        "A fifth entry gets the character into trouble: a fear, a shortcoming, a pain. It hardly ever "
        "helps, so a die taken for it is questioned.",
        also=("V7", "V8"),
    ),
    _rule(
        CALLING,
        "Z12",
        "The GM calls on whoever is involved",
        CHECKED,
        "When something is tense and uncertain, the GM asks the player whose character is in it. A "
        "roll by a character who stands outside the conflict is reported.",
        also=("V48",),
    ),
    _rule(
        CALLING,
        "Z13",
        "Players may ask the GM to roll",
        COMPUTED,
        "When a character of the GM's is in a tight spot, players may ask for a roll. If their own "
        "characters are in it as well, rolling themselves serves them better.",
    ),
    _rule(
        CALLING,
        "Z14",
        "The goal comes first",
        CHECKED,
        "Before any die falls, the roller says what the character wants to achieve.",
        also=("V9",),
    ),
    _rule(
        CALLING,
        "Z15",
        "Two dangers",
        CHECKED,
        "Each of the other two names one bad thing that may happen whatever becomes of the goal. The "
        "roller names none, nobody names both, and failing at the goal is no danger of its own.",
        also=("V10", "V11", "V47"),
    ),
    _rule(
        DICE,
        "Z16",
        "Three white dice",
        CHECKED,
        "Every roll starts from three white d6.",
        also=("V12",),
    ),
    _rule(
        DICE,
        "Z17",
        "A Feature: the d8",
        CHECKED,
        "When a Feature helps, the green d8 takes the place of one white die. The Feature is named.",
        also=("V13",),
    ),
    _rule(
        DICE,
        "Z18",
        "The Main Feature: the d10",
        CHECKED,
        "When the Main Feature helps, the yellow d10 takes the place of one white die. Ordinary "
        "Features never bring the d10.",
        also=("V14",),
    ),
    _rule(
        DICE,
        "Z19",
        "A circumstance: a red die",
        CHECKED,
        "Being prepared, or better placed than the opposition, adds one red die. It takes no white "
        "die's place, and every red die has a reason.",
        also=("V15",),
    ),
    _rule(
        DICE,
        "Z20",
        "Normally one Feature",
        CHECKED,
        "Only the Feature that fits best gives its die. More than one wants a strong case, which the "
        "log states under 'for'.",
    ),
    _rule(
        DICE,
        "Z21",
        "Main and ordinary together",
        CHECKED,
        "With a strong case for both, the d10 and the d8 each take the place of a white die.",
    ),
    _rule(
        DICE,
        "Z22",
        "Two ordinary Features",
        CHECKED,
        "With a strong case for two ordinary Features, one brings the d8 and the other a red die. There "
        "is no second d8.",
        also=("V16",),
    ),
    _rule(
        DICE,
        "Z23",
        "Generosity",
        RECORDED,
        "In doubt about a Feature or a circumstance, the table decides for the roller.",
        "nobody but the table can tell how doubtful a case was",
    ),
    _rule(
        HITS,
        "Z24",
        "Five or more is a hit",
        CHECKED,
        "Each die that shows 5 or more is one hit, whatever its size. A 4 is none, and a 10 is not two.",
        also=("V18",),
    ),
    _rule(
        HITS,
        "Z25",
        "A hit for the goal",
        CHECKED,
        "One hit spent on the goal reaches it. Without that it is not reached; a second hit adds "
        "nothing.",
        also=("V21",),
    ),
    _rule(
        HITS,
        "Z26",
        "A hit for each danger",
        CHECKED,
        "One hit keeps one danger away. Two dangers take two hits.",
        also=("V20",),
    ),
    _rule(
        HITS,
        "Z27",
        "A hit for an advantage",
        CHECKED,
        "One hit establishes an advantage for the character, in words written on the sheet.",
        also=("V24",),
    ),
    _rule(
        HITS,
        "Z28",
        "Free choice, no credit",
        CHECKED,
        "The roller spends hits as they please, each die once and no more of them than there are. "
        "Where the log does not say what hits bought, that is noted as unknown.",
        also=("V19",),
    ),
    _rule(
        HITS,
        "Z29",
        "Nothing spent, everything wrong",
        CHECKED,
        "If no hit is spent, the goal is missed and both dangers come true, even if hits lay on the "
        "table.",
        also=("V22",),
    ),
    _rule(
        HITS,
        "Z30",
        "Goal and dangers stand apart",
        CHECKED,
        "What nobody paid for goes wrong, and what was paid for goes well, each on its own. A danger "
        "that came true and is left out when the outcome is told is questioned.",
        also=("V23",),
    ),
    _rule(
        ADVANTAGE,
        "Z31",
        "Established advantages are used once",
        CHECKED,
        "When an established advantage matters, it adds one red die and is erased from the sheet. "
        "Nobody uses one twice, or somebody else's.",
        also=("V25", "V26"),
    ),
    _rule(
        ADVANTAGE,
        "Z32",
        "Trouble earns a mark",
        CHECKED,
        "A stupid, desperate or irrational act that a Feature leads into earns a mark: one advantage "
        "die for later. The act and the Feature are written down.",
        also=("V27",),
    ),
    _rule(
        ADVANTAGE,
        "Z33",
        "The GM may offer",
        CHECKED,
        "The GM can dangle an advantage die before a player for such an act. Accepted, it is a mark "
        "like any other; declined, nothing happens.",
        also=("V28",),
    ),
    _rule(
        ADVANTAGE,
        "Z34",
        "Spending marks on rolls",
        CHECKED,
        "Each mark adds a red die to a roll and is gone. Nobody spends more than they have earned.",
        also=("V29", "V30"),
    ),
    _rule(
        ADVANTAGE,
        "Z35",
        "Two marks: a new Feature",
        CHECKED,
        "Two marks buy a new Feature in place of one that the character has. Four remain four.",
        also=("V31", "V32", "V34"),
    ),
    _rule(
        ADVANTAGE,
        "Z36",
        "Five marks: the flaw turns",
        CHECKED,
        "Five marks, and no fewer, turn the flaw into something positive.",
        also=("V33",),
    ),
    _rule(
        OPTIONAL,
        "Z37",
        "Magic: three uses",
        CHECKED,
        "For a Feature that is magical or weird its owner writes down three things it is good for. A "
        "roll says which of the three it serves; anything else is questioned. (Option magic.)",
        also=("V35",),
    ),
    _rule(
        OPTIONAL,
        "Z38",
        "Magic: a limitation",
        CHECKED,
        "A magical Feature has a limitation that everybody else accepts, and it brings no die where "
        "the limitation applies. (Option magic.)",
        also=("V36", "V37"),
    ),
    _rule(
        OPTIONAL,
        "Z39",
        "Challenge",
        CHECKED,
        "For an unusually tough goal only a die of 6 or more reaches it. Dangers and advantages still "
        "take a 5. (Option challenge.)",
        also=("V38", "V39"),
    ),
    _rule(
        OPTIONAL,
        "Z40",
        "One aim",
        CHECKED,
        "A helper or hinderer says what they do and chooses one aim: the goal reached or missed, or one "
        "danger avoided or brought about. It does not change once dice lie. (Option helping.)",
        also=("V46",),
    ),
    _rule(
        OPTIONAL,
        "Z41",
        "Helping",
        CHECKED,
        "A helper rolls two dice, with Features as usual, and faces one danger that the GM names. Hits "
        "go to the own danger or to the aim, nowhere else. (Option helping.)",
        also=("V40", "V41"),
    ),
    _rule(
        OPTIONAL,
        "Z42",
        "Hindering",
        CHECKED,
        "A hinderer rolls two dice, with Features as usual, and faces one danger that the hindered "
        "person names. One die may go to the own danger, one to the hindrance; no die does both. "
        "(Option helping.)",
        also=("V42", "V43"),
    ),
    _rule(
        OPTIONAL,
        "Z43",
        "Beating a hindrance",
        CHECKED,
        "What is hindered takes a hit from a die that is higher than the hindering one. An equal die "
        "is not enough. (Option helping.)",
        also=("V44",),
    ),
    _rule(
        OPTIONAL,
        "Z44",
        "Before the main roll",
        CHECKED,
        "Helpers and hinderers roll first. (Option helping.)",
        also=("V45",),
    ),
    _rule(
        OPTIONAL,
        "Z45",
        "Two, three or four questions",
        CHECKED,
        "A variant from the author's comment: the GM calls the situation challenging, complicated or "
        "unusually complicated, and the roll then has two, three or four questions, counting the goal. "
        "(Option questions.)",
    ),
)

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "ZT2",
        "Which die showed the six?",
        "The only worked roll gives two faces, 3 and 6, for a white die and a d8, and does not say which "
        "showed which. Both readings lead to the same result, so nothing is wrong; a log of the same "
        "moment names the dice.",
        ("Z42", "Z43"),
    ),
)
