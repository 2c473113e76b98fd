"""The rules of Fight Sphere by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Erratum, Rule, RuleClass

GLADIATORS = "Gladiators"
LAYERS = "Layers and Episodes"
SCENES = "Turns, Scenes, Conflicts"
OUTCOME = "What a Conflict brings"
BONDS = "Relationships"
ENCOUNTERS = "Encounters"
TRUCES = "Truces"
JUDGES = "Out, last, and judging"
CORE = "The Core"


def _rule(
    id: str, title: str, kind: RuleClass, chapter: str, text: str, *, why: str = "", rows: str = ""
) -> Rule:
    return Rule(id, title, kind, text, why, tuple(f"V{row}" for row in rows.split()), chapter)


RULES: tuple[Rule, ...] = (
    _rule(
        "F1",
        "Two Gladiators each, one of them played",
        CHECKED,
        GLADIATORS,
        "Everybody makes at least two Gladiators and plays one; the others go to the GM as NPC "
        "Gladiators. A longer game takes more of them: gladiators in campaign.yaml.",
        rows="1",
    ),
    _rule(
        "F2",
        "A back story of 50 to 100 words",
        CHECKED,
        GLADIATORS,
        "Who the Gladiator was before waking in the Sphere, in 50 to 100 words. The words under text "
        "are counted; where nothing is written down, nothing is said about it.",
        rows="2",
    ),
    _rule(
        "F3",
        "The back story is worth one die",
        CHECKED,
        GLADIATORS,
        "When a detail of the back story matters in a Conflict, that roll has one die more: one, "
        "whatever the number of details. The log names the detail.",
        rows="3",
    ),
    _rule(
        "F4",
        "Death wish or Reason to Live",
        CHECKED,
        GLADIATORS,
        "Every Gladiator has exactly one of the two, in words of the player's own.",
        rows="4",
    ),
    _rule(
        "F5",
        "What a Death wish does",
        COMPUTED,
        GLADIATORS,
        "Relationships are worth one die more, but at a first meeting the opponents gain as many pool "
        "dice as the Gladiator has Relationships. The Gladiator gains none by it.",
    ),
    _rule(
        "F6",
        "What a Reason to Live does",
        COMPUTED,
        GLADIATORS,
        "Relationships are worth one die less, but at a first meeting the Gladiator gains as many pool "
        "dice as it has Relationships, once for each opponent.",
    ),
    _rule(
        "F7",
        "The drive can be traded once",
        CHECKED,
        GLADIATORS,
        "Once in the whole game a Gladiator may trade one drive for the other, never during an Episode, "
        "and for something that happened in play.",
        rows="5 6",
    ),
    _rule(
        "F8",
        "Weapons are words",
        CHECKED,
        GLADIATORS,
        "The weapon found on waking says much about a Gladiator and nothing about dice.",
        rows="7",
    ),
    _rule(
        "F9",
        "Five dice to start with",
        CHECKED,
        GLADIATORS,
        "Every Conflict Pool begins at 5, whoever it belongs to.",
        rows="8",
    ),
    _rule(
        "F10",
        "One Episode a Layer",
        CHECKED,
        LAYERS,
        "Layers lie inside each other, and a Gladiator has one Episode on each. Episodes of a Layer may "
        "run side by side; no Layer is skipped.",
        rows="10",
    ),
    _rule(
        "F11",
        "At least two Gladiators",
        CHECKED,
        LAYERS,
        "An Episode begins with two Gladiators or more, NPC Gladiators included. Where one is alone and "
        "an NPC Gladiator is free, the GM fills the gap.",
        rows="9",
    ),
    _rule(
        "F12",
        "Players decide who shares an Episode",
        CHECKED,
        LAYERS,
        "At the start of a Layer everybody who is played is in an Episode, with whom the players agree.",
    ),
    _rule(
        "F13",
        "The GM casts NPC Gladiators",
        CHECKED,
        LAYERS,
        "Gaps are filled with NPC Gladiators who live; the GM may add as many as are free and need not "
        "use any more. An Episode in which nobody is played is remarked on; who comes out of it is for "
        "the GM to say.",
    ),
    _rule(
        "F14",
        "No one free: Episodes merge",
        CHECKED,
        LAYERS,
        "Where somebody is alone and no NPC Gladiator is free, Episodes are merged until nobody is.",
    ),
    _rule(
        "F15",
        "NPC Gladiators are announced",
        CHECKED,
        LAYERS,
        "Players know from the start of the Episode which NPC Gladiators are in it with them. One who "
        "was not cast on this Layer cannot turn up in it.",
        rows="12",
    ),
    _rule(
        "F16",
        "The last one standing ends an Episode",
        CHECKED,
        LAYERS,
        "An Episode is over as soon as one Gladiator alone is standing, and not before. That one plays "
        "no further Scene in it.",
    ),
    _rule(
        "F17",
        "Defeat kills NPC Gladiators only",
        CHECKED,
        LAYERS,
        "An NPC Gladiator who is beaten is dead for good. One who is played leaves the Episode and is "
        "back on the next Layer; death waits in the Core.",
        rows="11 63",
    ),
    _rule(
        "F18",
        "Nobody goes ahead",
        CHECKED,
        LAYERS,
        "The next Layer begins when every Episode of this one is over.",
        rows="13",
    ),
    _rule(
        "F19",
        "The Core comes last",
        CHECKED,
        LAYERS,
        "When the last NPC Gladiator is dead and all Episodes are over, the Core is next, not before, "
        "and not another Layer.",
        rows="14",
    ),
    _rule(
        "F20",
        "Turns go round",
        CHECKED,
        SCENES,
        "Players take one turn each in the order of the seats. Whoever cannot take part, or is not at "
        "the table, is passed over. Who begins a Layer is not said.",
        rows="15",
    ),
    _rule(
        "F21",
        "Your own Gladiator, in a Scene",
        CHECKED,
        SCENES,
        "On a turn the player frames the own Gladiator into a Scene, or asks the GM (or a judge) to.",
    ),
    _rule(
        "F22",
        "One Scene, one Conflict",
        CHECKED,
        SCENES,
        "A Scene holds a Conflict and is over when that is resolved. One without a roll, or with two of "
        "the same player, is refused.",
        rows="16",
    ),
    _rule(
        "F23",
        "The Threshold Value",
        CHECKED,
        SCENES,
        "In an ordinary Conflict the GM rolls five dice on the surface and one more on every further "
        "Layer.",
        rows="17",
    ),
    _rule(
        "F24",
        "More ones succeed",
        CHECKED,
        SCENES,
        "Only ones count. More of them than the other side is a success.",
        rows="18 19",
    ),
    _rule(
        "F25",
        "One die at least",
        CHECKED,
        SCENES,
        "However little goes into a roll, one die is rolled.",
        rows="20",
    ),
    _rule(
        "F26",
        "The back story as a modifier",
        COMPUTED,
        SCENES,
        "The die of F3: skills count, and so does what moves the Gladiator.",
    ),
    _rule(
        "F27",
        "Gambling pool dice",
        CHECKED,
        SCENES,
        "Any number of dice of the Conflict Pool may be added to a roll, as many as are there.",
        rows="21",
    ),
    _rule(
        "F28",
        "Bringing somebody in",
        CHECKED,
        SCENES,
        "For one pool die an inhabitant with whom the Gladiator has a Relationship comes into the "
        "Conflict, as friend or enemy, and adds as many dice as the Relationship is worth.",
        rows="22 24",
    ),
    _rule(
        "F29",
        "Played to a close",
        RECORDED,
        SCENES,
        "The Scene goes on until the consequences of the roll are seen.",
        why="whether a close is fitting is for the table to say",
    ),
    _rule(
        "F30",
        "One reward",
        CHECKED,
        OUTCOME,
        "A success may bring one thing: a die, a new Relationship, or a point in an old one.",
        rows="25",
    ),
    _rule(
        "F31", "A die", CHECKED, OUTCOME, "As a reward the Conflict Pool grows by one die, no more."
    ),
    _rule(
        "F32",
        "A new Relationship",
        CHECKED,
        OUTCOME,
        "As a reward, with an inhabitant of the Scene: worth 2 with a Death wish, 0 with a Reason to "
        "Live. One for each inhabitant.",
        rows="26 27",
    ),
    _rule(
        "F33",
        "A point in a Relationship",
        CHECKED,
        OUTCOME,
        "As a reward, by one, with somebody who was there, whether or not the Gladiator paid for it.",
    ),
    _rule(
        "F34",
        "All losses together",
        COMPUTED,
        OUTCOME,
        "After a failure the gamble is lost, what was used rests, and those who were used suffer.",
    ),
    _rule(
        "F35",
        "The gamble is lost, or kept",
        CHECKED,
        OUTCOME,
        "A failure takes the dice gambled out of the pool, a success leaves them there. What was paid "
        "for inhabitants is gone either way.",
        rows="28 29",
    ),
    _rule(
        "F36",
        "Resting Relationships",
        CHECKED,
        OUTCOME,
        "What was used in a failure is no modifier for as many Conflicts as it was worth. The people may "
        "be in Scenes all the same.",
        rows="23",
    ),
    _rule(
        "F37",
        "Something bad happens to them",
        CHECKED,
        OUTCOME,
        "The close of a failed Scene tells what happens to those who were brought in: under harm, or in "
        "any text that names them.",
    ),
    _rule(
        "F38",
        "The GM's cut-scene",
        CHECKED,
        OUTCOME,
        "After a failure the GM shows an NPC Gladiator who is alive, wherever it is, and may give it one "
        "of three things: a die, a new Relationship, a point in an old one.",
        rows="30 31",
    ),
    _rule(
        "F39",
        "Resuming an Encounter",
        CHECKED,
        OUTCOME,
        "In place of the cut-scene the GM may let an Encounter go on that the failing Gladiator and an "
        "NPC Gladiator broke off by disengaging: at that player's next turn, the NPC Gladiator having "
        "the Initiative.",
        rows="32",
    ),
    _rule(
        "F40",
        "Gladiators have no Relationships with Gladiators",
        CHECKED,
        BONDS,
        "A Relationship has a Gladiator at one end and an inhabitant at the other.",
        rows="33",
    ),
    _rule(
        "F41",
        "Inhabitants come back",
        RECORDED,
        BONDS,
        "The GM plays the inhabitants and brings related ones back; on a purchase the player says what "
        "part they have.",
        why="who should have come back is a question of taste",
    ),
    _rule(
        "F42",
        "Shared, but not pooled",
        CHECKED,
        BONDS,
        "Several Gladiators may be related to the same inhabitant; each has a value of its own.",
        rows="34",
    ),
    _rule(
        "F43",
        "One pays, all gain",
        CHECKED,
        BONDS,
        "In an Encounter an inhabitant whom one Gladiator pays for helps everybody related to the same "
        "one, each by the own value. In ordinary Conflicts everybody pays.",
        rows="35",
    ),
    _rule(
        "F44",
        "First meetings",
        CHECKED,
        ENCOUNTERS,
        "When two Gladiators first meet in an Episode, pool dice are handed out by F5 and F6, by the "
        "number of Relationships; not again until the next Episode.",
        rows="36 37",
    ),
    _rule(
        "F45",
        "Gladiators who meet fight",
        CHECKED,
        ENCOUNTERS,
        "Where Gladiators are in a Scene together without a truce, the Conflict is between them, by "
        "whatever means.",
        rows="38",
    ),
    _rule(
        "F46",
        "No disguise",
        CHECKED,
        ENCOUNTERS,
        "Gladiators know each other on sight. A disguise is colour and fails.",
        rows="39",
    ),
    _rule(
        "F47",
        "Players start Encounters",
        CHECKED,
        ENCOUNTERS,
        "On an own turn, by framing the own Gladiator into a Scene with one who stands in the same "
        "Episode. The GM starts none.",
        rows="40 41",
    ),
    _rule(
        "F48",
        "The Initiative builds first",
        CHECKED,
        ENCOUNTERS,
        "Whoever framed the Scene says first what is gambled and who is brought in.",
    ),
    _rule(
        "F49",
        "The others build in turn, up to the limit",
        CHECKED,
        ENCOUNTERS,
        "The others follow in turn order. Nobody gambles more than the Initiative did; inhabitants may "
        "be brought in without limit.",
        rows="42",
    ),
    _rule(
        "F50",
        "Victories",
        CHECKED,
        ENCOUNTERS,
        "The Threshold Value plays no part. More ones win, and the difference is the number of "
        "Victories.",
        rows="43",
    ),
    _rule(
        "F51",
        "What losing costs",
        CHECKED,
        ENCOUNTERS,
        "The loser's pool loses the gamble and as many dice more as the winner has Victories.",
        rows="44",
    ),
    _rule(
        "F52",
        "Below zero",
        CHECKED,
        ENCOUNTERS,
        "A pool below zero is defeat; zero is not. Who is beaten plays no further Scene of the Episode.",
        rows="45 46",
    ),
    _rule(
        "F53",
        "Relationships pay, too",
        CHECKED,
        ENCOUNTERS,
        "As many points as the winner has Victories come off the Relationships the loser used in this "
        "roll, as that player likes. With a single one there is nothing to choose.",
        rows="47 48",
    ),
    _rule(
        "F54",
        "Lost for good",
        CHECKED,
        ENCOUNTERS,
        "A Relationship below zero takes the inhabitant out of the game, by death, madness or otherwise, "
        "and everybody related to that one loses the Relationship. Zero does not.",
        rows="49 50",
    ),
    _rule(
        "F55",
        "Every pair is compared",
        CHECKED,
        ENCOUNTERS,
        "With three Gladiators or more nobody aims at anybody: every possible pair is compared, and each "
        "comparison costs its loser.",
        rows="51",
    ),
    _rule(
        "F56",
        "It goes on",
        CHECKED,
        ENCOUNTERS,
        "The Scene ends with the roll, the Encounter does not. On the next turn a player who is in it "
        "must frame its continuation, wherever and whenever, and has the Initiative.",
        rows="52",
    ),
    _rule(
        "F57",
        "Disengaging",
        CHECKED,
        ENCOUNTERS,
        "Once the limit is set and before the dice fall, a Gladiator may declare to leave. Away is who "
        "then wins against everyone; a tie is not enough.",
        rows="53 54",
    ),
    _rule(
        "F58",
        "A truce needs a third",
        CHECKED,
        TRUCES,
        "Two Gladiators may have a truce while a third stands in the Episode. When only the two are "
        "left, it is over.",
        rows="55",
    ),
    _rule(
        "F59",
        "Sharing Scenes, not Conflicts",
        CHECKED,
        TRUCES,
        "Truce partners may be in a Scene without an Encounter, but each faces a Conflict of its own, "
        "and none between them.",
        rows="56",
    ),
    _rule(
        "F60",
        "No helping",
        CHECKED,
        TRUCES,
        "No Gladiator lends another dice or rolls for another, truce or not.",
    ),
    _rule(
        "F61",
        "Partners are not compared",
        CHECKED,
        TRUCES,
        "In an Encounter truce partners do not compare their rolls.",
    ),
    _rule(
        "F62",
        "Betrayal",
        CHECKED,
        TRUCES,
        "After all have built and before the roll, a partner may break the truce; the traitor's Conflict "
        "Pool gains the Threshold Value of the Layer.",
        rows="57 58",
    ),
    _rule(
        "F63",
        "Back from a knock-out",
        CHECKED,
        JUDGES,
        "Who was knocked out begins the next Layer with a pool of its Threshold Value.",
        rows="59",
    ),
    _rule(
        "F64",
        "The last one standing goes on with more",
        CHECKED,
        JUDGES,
        "Who stood last adds the Threshold Value of the next Layer to what is left in the pool.",
        rows="60",
    ),
    _rule(
        "F65",
        "The Judgment Pool",
        CHECKED,
        JUDGES,
        "A player whose Gladiator is knocked out, stands last, or died in the Core has as many dice to "
        "judge with as the Threshold Value and the Gladiator's Relationships together.",
        rows="61",
    ),
    _rule(
        "F66",
        "Judges frame Scenes",
        CHECKED,
        JUDGES,
        "An active player may ask one who judges to frame the Scene. Unasked, a judge frames none.",
    ),
    _rule(
        "F67",
        "Judges take sides",
        CHECKED,
        JUDGES,
        "Dice of a Judgment Pool may be gambled on a side of any Conflict, as many as there are.",
    ),
    _rule(
        "F68",
        "Judges lose by winning",
        CHECKED,
        JUDGES,
        "Dice a judge gambled are lost if that side succeeds, and kept if it does not.",
        rows="62",
    ),
    _rule(
        "F69",
        "What is different in the Core",
        CHECKED,
        CORE,
        "No NPC Gladiators are left, everybody who is played is in the one Episode, and death is final.",
    ),
    _rule(
        "F70",
        "One is left",
        CHECKED,
        CORE,
        "The game ends when one Gladiator alone is alive in the Core.",
    ),
    _rule(
        "F71",
        "The epilogue",
        CHECKED,
        CORE,
        "The survivor's player tells what comes after, and what the Sphere was for.",
        rows="64",
    ),
    _rule(
        "F72",
        "Advice for the GM",
        RECORDED,
        CORE,
        "Gangs, cults, broadcasters and small nations live here, all taken from one world; machines of "
        "the Sphere's own are met more often towards the Core. Somebody said to come from another world "
        "is remarked on.",
        why="it is advice; only the one former world can be compared",
    ),
)

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "FT4",
        "Two times for one bonus",
        "Making Gladiators, the text hands out the dice of Death wish and Reason to Live at the start of "
        "an Encounter; the chapter on Encounters hands them out at the first meeting in an Episode. The "
        "two differ as soon as the same Gladiators have a second Encounter.",
        ("F5", "F6", "F44"),
    ),
    Erratum(
        "FT5",
        "Shifted once or twice",
        "A Death wish rates Relationships one higher and a Reason to Live one lower, and new ones start at "
        "2 and 0. Both are the same shift of a common 1; applied again it would make 3 and a number below "
        "zero.",
        ("F5", "F6", "F32"),
    ),
    Erratum(
        "FT6",
        "Two spellings of a name",
        "The example of casting calls the same player by two spellings.",
        ("F12",),
    ),
)
