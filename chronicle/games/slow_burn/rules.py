"""The rules of Slow Burn by number (track and bullet), each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Erratum, Rule, RuleClass
from chronicle.games.slow_burn.state import TRACKS

_MOOD = "it sets the mood and asks for nothing that a log could show"
_STORY = "what a story is about is for the table to hear, not for a program"
_GUIDE = "it sends the reader on to another track; the state machine does the same by itself"


def _rule(
    id: str, title: str, kind: RuleClass, text: str, why: str = "", also: tuple[str, ...] = ()
) -> Rule:
    track = int(id[1:].partition(".")[0])
    return Rule(id, title, kind, text, why, also, f"Track {track}: {TRACKS[track - 1]}")


RULES: tuple[Rule, ...] = (
    # Track 1
    _rule("S1.1", "Welcome", RECORDED, "A greeting to the players.", _MOOD),
    _rule(
        "S1.2",
        "Burned",
        RECORDED,
        "Every spy has been put on a blacklist and left in a city with nothing but skills, the few people "
        "who still talk to them, and a token with a lily on it. Jobs for strangers pay the rent.",
        _MOOD,
    ),
    _rule(
        "S1.3a",
        "Three or more, one of them the Handler",
        CHECKED,
        "At least three people play, and exactly one of them is the Handler. The Handler is named in "
        "campaign.yaml and sits outside the circle.",
        also=("V1",),
    ),
    _rule(
        "S1.3b",
        "Who plays what",
        CHECKED,
        "Players have a spy each, and its contacts. The Handler has no spy, but everything else: whoever "
        "stands against the Job, and the Agency.",
    ),
    _rule(
        "S1.3c",
        "The Handler arbitrates",
        CHECKED,
        "Disagreements between players are settled by the Handler. A decision logged as somebody else's "
        "is pointed out.",
    ),
    _rule(
        "S1.4",
        "Gear first",
        RECORDED,
        "Everything needed lies on the table before play begins.",
        "what lies on a table leaves no trace in a log",
    ),
    _rule(
        "S1.5",
        "A player's gear",
        CHECKED,
        "Twelve-sided dice in two colours, a blank token with an envelope, three scene tokens. Every die "
        "of the game shows 1 to 12; the number of dice in the kit is no limit.",
        also=("V2",),
    ),
    _rule(
        "S1.6",
        "The Handler's gear",
        COMPUTED,
        "Opposition dice, Agency dice, and two Fleur-de-Lis tokens of the Handler's own. There are never "
        "more than two of them.",
    ),
    _rule(
        "S1.7",
        "Pause the recording",
        RECORDED,
        "The rules were made to be listened to, and are paused while the table does what they say.",
        "it is about the recording, not about play",
    ),
    _rule(
        "S1.8",
        "The first session begins with characters",
        CHECKED,
        "A group that has no spies yet makes them before its first Job.",
    ),
    _rule(
        "S1.9",
        "Later episodes begin with the Job",
        COMPUTED,
        "A group that has its spies goes straight to the next Job.",
    ),
    # Track 2
    _rule(
        "S2.1",
        "One character each",
        CHECKED,
        "Every player makes one spy. A second one beside a spy still in play is pointed out.",
    ),
    _rule(
        "S2.2",
        "Names on the sheet",
        CHECKED,
        "A sheet bears the name of its player and the name of the spy.",
    ),
    _rule(
        "S2.3",
        "A unique speciality",
        CHECKED,
        "A spy has one speciality, and nobody else in the group has the same one.",
        also=("V3",),
    ),
    _rule(
        "S2.4",
        "A few words about the spy",
        RECORDED,
        "A short description may be added; it stands under text.",
        "it is free, and may be left out",
    ),
    _rule(
        "S2.5",
        "Two contacts, by two neighbours",
        CHECKED,
        "Sheets go one place to the left, and the neighbour writes down somebody the spy knows, with a "
        "speciality; then one place more, and the next player adds another. Every spy starts with two.",
        also=("V4", "V5"),
    ),
    _rule(
        "S2.6",
        "A connection, by the neighbour on the right",
        CHECKED,
        "Sheets go one place to the right. Whoever gets one writes how that spy and their own are "
        "connected, so that the connections close a ring.",
    ),
    _rule(
        "S2.7a",
        "One persistent Agency die",
        CHECKED,
        "Every spy starts with one persistent Agency die.",
        also=("V6",),
    ),
    _rule(
        "S2.7b",
        "Persistent until they succeed",
        CHECKED,
        "Persistent Agency dice are in play in all scenes of the Job. When any of a spy's shows 1 or 2, it "
        "has done its work, and all persistent dice of that spy leave play.",
        also=("V39",),
    ),
    _rule("S2.8", "On to the tokens", RECORDED, "Sheets done, the tokens are next.", _GUIDE),
    # Track 3
    _rule(
        "S3.1",
        "Two uses of the token",
        CHECKED,
        "Players' tokens serve the introductions. Only the Handler's bring the Agency in.",
    ),
    _rule(
        "S3.2",
        "One item of information",
        CHECKED,
        "A token bears one single item: a number, a name, a place, a combination. It mentions neither a "
        "spy nor a contact.",
        also=("V7", "V8"),
    ),
    _rule(
        "S3.3",
        "Into the envelope",
        CHECKED,
        "The token is handed over in a shut envelope. What the log says about it is kept from every "
        "reader until the introduction opens it; a seal can prove it.",
    ),
    _rule(
        "S3.4",
        "The Handler's tokens wait",
        CHECKED,
        "The Handler writes nothing on the own two tokens; they come into play during a Job, not before.",
    ),
    _rule("S3.5", "On to the Path", RECORDED, "Tokens done, the Path is next.", _GUIDE),
    # Track 4
    _rule(
        "S4.1",
        "Ten spaces",
        COMPUTED,
        "The Path to Freedom has the spaces 1 to 10.",
    ),
    _rule(
        "S4.2",
        "What the Path means",
        COMPUTED,
        "The first space is the first contact with the Agency, the last the gambit that gets the spy off "
        "the blacklist. From 1 to 10 it is nine steps, one an episode at most.",
    ),
    _rule(
        "S4.3",
        "Mark the space",
        COMPUTED,
        "Where every spy stands is kept in the ledger and shown on the Path.",
    ),
    _rule(
        "S4.4",
        "Start on space 1",
        CHECKED,
        "Once introduced, a spy stands on space 1.",
        also=("V11",),
    ),
    _rule("S4.5", "On to the setting", RECORDED, "The Path drawn, the city is next.", _GUIDE),
    # Track 5
    _rule(
        "S5.1",
        "Do not leave town",
        CHECKED,
        "A spy who leaves the city is hunted. A scene marked as outside town is pointed out.",
    ),
    _rule(
        "S5.2",
        "One city, agreed by all",
        CHECKED,
        "Everybody, the Handler too, agrees on one city, best a large one. It is there before the first "
        "Job, and a change is pointed out.",
    ),
    _rule("S5.3", "On to the introductions", RECORDED, "The city known, the spies enter.", _GUIDE),
    # Track 6
    _rule(
        "S6.1",
        "Introduced before the Job",
        CHECKED,
        "A spy comes into play once, by an introduction, and takes no part in a Job before.",
    ),
    _rule(
        "S6.2",
        "Shuffled and dealt",
        CHECKED,
        "The Handler shuffles the envelopes and deals one at random to each player. None is picked, none "
        "dealt twice, nobody is left out.",
        also=("V9",),
    ),
    _rule(
        "S6.3",
        "Alone or together",
        COMPUTED,
        "Introductions may be played one by one or jointly; one entry can introduce several spies.",
    ),
    _rule(
        "S6.4",
        "Three things to tell",
        CHECKED,
        "An introduction tells what the spy did just before the blacklisting, how the spy came to the city, "
        "and what the token's information means and how it was learnt. Where the story stands as free text "
        "nobody counts; where the log says nothing of one of them it is pointed out.",
        also=("V10",),
    ),
    _rule(
        "S6.5",
        "Suggestions",
        RECORDED,
        "The Handler steers through other people in the scene, and the rest may suggest. The player may "
        "take a suggestion or leave it.",
        "a suggestion that was taken and one that was forced read alike",
    ),
    _rule("S6.6", "On to the Job", RECORDED, "Everybody introduced, the Job is next.", _GUIDE),
    # Track 7
    _rule(
        "S7.1",
        "One Job, one episode",
        CHECKED,
        "An episode is about one Job.",
    ),
    _rule(
        "S7.2",
        "Who asks for help",
        RECORDED,
        "Typical clients: witnesses on the run, people in over their heads.",
        _MOOD,
    ),
    _rule(
        "S7.3",
        "The Handler introduces the Job",
        CHECKED,
        "It happens in the first scene of Segment 1, and it is the Handler's part.",
        also=("V12",),
    ),
    _rule(
        "S7.4",
        "One or two evenings",
        COMPUTED,
        "A Job takes one or two sessions as a rule. The episode's page says how many it took; a longer one "
        "breaks nothing.",
    ),
    _rule(
        "S7.5",
        "Seven Segments",
        CHECKED,
        "A Job has the Segments 1 to 7, each once, in that order.",
        also=("V35",),
    ),
    _rule("S7.6", "On to the first Segment", RECORDED, "The Job known, it is played.", _GUIDE),
    # Track 8
    _rule(
        "S8.1",
        "A Segment is scenes",
        COMPUTED,
        "A Segment consists of one or more scenes; since its Opposition dice leave through scenes only, "
        "there is at least one.",
    ),
    _rule(
        "S8.2",
        "Two Opposition dice a player",
        CHECKED,
        "Every Segment starts with twice as many Opposition dice as there are players; nothing is carried "
        "over.",
        also=("V13", "V14"),
    ),
    _rule(
        "S8.3",
        "Until they are gone",
        CHECKED,
        "A Segment ends when its Opposition dice are gone, and only then.",
        also=("V15",),
    ),
    _rule("S8.4", "On to the scene", RECORDED, "The Segment begun, a scene is next.", _GUIDE),
    # Track 9
    _rule(
        "S9.1",
        "What a scene is",
        RECORDED,
        "A stretch of action that takes the story further.",
        _STORY,
    ),
    _rule(
        "S9.2",
        "Voice Over Monologue",
        CHECKED,
        "Every scene opens with a monologue that sets up what is coming. The players choose who speaks it, "
        "or do it together.",
        also=("V16",),
    ),
    _rule(
        "S9.3",
        "Framing",
        COMPUTED,
        "Place and first circumstances are the scene's title and text.",
    ),
    _rule(
        "S9.4",
        "Assigning resources",
        CHECKED,
        "A player assigns the own spy's speciality and the own contacts', each once in a scene.",
        also=("V17", "V18"),
    ),
    _rule(
        "S9.5a",
        "One Job die each",
        CHECKED,
        "Every resource assigned is one Job die.",
        also=("V19",),
    ),
    _rule(
        "S9.5b",
        "The first is free",
        CHECKED,
        "A spy's first resource in a scene costs nothing; every further one brings an Agency die.",
        also=("V20",),
    ),
    _rule(
        "S9.6",
        "Agency dice of the Segment",
        CHECKED,
        "These dice stay until the Segment is over, or until they bring the Agency in.",
        also=("V21",),
    ),
    _rule(
        "S9.7",
        "Play the opening",
        RECORDED,
        "Preparations are played out before the dice.",
        _STORY,
    ),
    _rule("S9.8", "On to the dice", RECORDED, "The scene opened, dice are gathered.", _GUIDE),
    # Track 10
    _rule("S10.1", "Gather dice", RECORDED, "Everybody takes the dice that are due.", _GUIDE),
    _rule(
        "S10.2",
        "A player's dice",
        CHECKED,
        "The Job dice of this scene, and all persistent Agency dice of the spy.",
        also=("V22",),
    ),
    _rule(
        "S10.3",
        "The Handler's dice",
        CHECKED,
        "The Opposition dice that are left, and every Agency die this Segment has brought, those of this "
        "scene included.",
    ),
    _rule("S10.4", "On to the check", RECORDED, "Dice in hand, the Agency's are first.", _GUIDE),
    # Track 11
    _rule(
        "S11.1",
        "Agency dice first",
        CHECKED,
        "Whoever holds Agency dice rolls them before any Job or Opposition die is rolled.",
        also=("V23",),
    ),
    _rule(
        "S11.2",
        "1 or 2 brings the Agency in",
        CHECKED,
        "If any Agency die shows 1 or 2, the Agency interferes; if none does, it does not. The chance that "
        "n dice stay quiet is five sixths to the power of n.",
        also=("V24", "V25"),
    ),
    _rule(
        "S11.3",
        "Or a token",
        CHECKED,
        "If no die did, the Handler may spend an unspent Fleur-de-Lis token, and the Agency interferes.",
        also=("V26", "V27"),
    ),
    _rule(
        "S11.4",
        "Interference interrupts",
        COMPUTED,
        "Once the Agency interferes, that is dealt with first.",
    ),
    _rule("S11.5", "Otherwise roll", COMPUTED, "If it keeps quiet, the scene is rolled."),
    # Track 12
    _rule(
        "S12.1",
        "Every scene is rolled",
        CHECKED,
        "A scene that was framed is resolved by dice before the next one, and dice belong to a scene.",
    ),
    _rule(
        "S12.2",
        "Job dice",
        CHECKED,
        "A spy's player rolls the Job dice earned in this scene's setup, all of them.",
    ),
    _rule(
        "S12.3",
        "Opposition dice",
        CHECKED,
        "The Handler rolls all Opposition dice that are left in the Segment.",
        also=("V30",),
    ),
    _rule(
        "S12.4",
        "What Job dice need",
        CHECKED,
        "The number of the Segment plus one, or less: 2 in Segment 1, 8 in Segment 7.",
        also=("V28",),
    ),
    _rule(
        "S12.5",
        "What Opposition dice need",
        CHECKED,
        "Five or less, in every Segment.",
        also=("V29",),
    ),
    _rule(
        "S12.6",
        "Count successes",
        CHECKED,
        "Those of the Opposition, then those of all spies together.",
    ),
    _rule("S12.7", "On to the comparison", COMPUTED, "Successes counted, the scene is resolved."),
    # Track 13
    _rule(
        "S13.1",
        "Favourable",
        CHECKED,
        "The spies have more successes than the Opposition.",
        also=("V31",),
    ),
    _rule(
        "S13.2",
        "Unfavourable",
        CHECKED,
        "The Opposition has more successes than the spies.",
    ),
    _rule(
        "S13.3",
        "Tell the end",
        RECORDED,
        "The end is told from the dice, for the group and for every spy.",
        _STORY,
    ),
    _rule("S13.4", "Job dice go", COMPUTED, "Job dice are discarded after every scene."),
    _rule(
        "S13.5",
        "Opposition dice go",
        CHECKED,
        "As many Opposition dice are discarded as the spies rolled successes, whoever came out ahead, and "
        "never more than there are.",
        also=("V32", "V33", "V34"),
    ),
    _rule(
        "S13.6",
        "Another scene",
        COMPUTED,
        "While Opposition dice are left, the Segment goes on with another scene.",
    ),
    _rule(
        "S13.7",
        "The next Segment, or the end",
        CHECKED,
        "With no Opposition left the Segment is over; after the seventh the Job is done, and not before.",
    ),
    # Track 14
    _rule(
        "S14.1",
        "The scene is interrupted",
        COMPUTED,
        "An interference interrupts the scene at work; it is resolved afterwards.",
    ),
    _rule(
        "S14.2a",
        "Own dice, own trouble",
        CHECKED,
        "If a spy's own persistent dice brought the Agency in, and the Handler's did not, only that spy is "
        "implicated.",
        also=("V36",),
    ),
    _rule(
        "S14.2b",
        "And the dice leave",
        COMPUTED,
        "The persistent dice that brought the Agency in leave play (S2.7b).",
    ),
    _rule(
        "S14.3",
        "The Handler's dice",
        COMPUTED,
        "If the Handler's dice brought the Agency in, any or all spies may be implicated.",
    ),
    _rule(
        "S14.4",
        "Both",
        CHECKED,
        "If the Handler's dice and a spy's own both did, that spy is implicated without a roll.",
    ),
    _rule(
        "S14.5",
        "Everybody else rolls",
        CHECKED,
        "A spy who may be implicated, but is not so automatically, rolls one die: five or less, and the "
        "Agency has them.",
        also=("V37",),
    ),
    _rule(
        "S14.6",
        "Resources distracted",
        CHECKED,
        "Whatever an implicated spy put into the scene is distracted: no Job dice from it.",
        also=("V38",),
    ),
    _rule(
        "S14.7a",
        "Ignoring: the resource",
        CHECKED,
        "Whoever ignores the Agency loses the resource it is after, until deciding to respond.",
        also=("V42",),
    ),
    _rule(
        "S14.7b",
        "Ignoring: the target number",
        CHECKED,
        "The spy's target number falls by one, and by one more for every further scene in which the "
        "interference is ignored.",
        also=("V41",),
    ),
    _rule(
        "S14.7c",
        "Ignoring: two dice",
        CHECKED,
        "The spy gains two persistent Agency dice.",
        also=("V40",),
    ),
    _rule(
        "S14.8",
        "Or responding",
        CHECKED,
        "Every implicated spy either ignores the Agency or responds; responding opens an Interference "
        "Segment.",
    ),
    # Track 15
    _rule(
        "S15.1",
        "A mini segment",
        COMPUTED,
        "An Interference Segment is a small segment of its own, with scenes of its own.",
    ),
    _rule(
        "S15.2",
        "What it is about",
        RECORDED,
        "How the Agency deals with the spies or resources it has chosen, and they with it.",
        _STORY,
    ),
    _rule(
        "S15.3",
        "Its Opposition",
        CHECKED,
        "One Opposition die for each implicated spy. Those of the Job wait untouched.",
        also=("V43",),
    ),
    _rule(
        "S15.4",
        "Played like scenes, without the check",
        CHECKED,
        "Its scenes are framed, rolled and resolved like others, but there is no interference check, and no "
        "token is spent.",
    ),
    _rule(
        "S15.5",
        "Three scenes at most",
        CHECKED,
        "A scene token is laid down for each; there is no fourth.",
        also=("V44",),
    ),
    _rule(
        "S15.6",
        "The Handler speaks first",
        CHECKED,
        "The monologue of its first scene is the Handler's, who may take suggestions.",
        also=("V47",),
    ),
    _rule(
        "S15.7",
        "Only who is implicated",
        CHECKED,
        "Only implicated spies and their resources can be used.",
        also=("V48",),
    ),
    _rule(
        "S15.8",
        "No Agency dice",
        CHECKED,
        "All resources are free; no Agency die is earned or rolled.",
        also=("V45",),
    ),
    _rule(
        "S15.9",
        "Five or less for both sides",
        CHECKED,
        "Job dice and Opposition dice alike succeed at five or less.",
        also=("V46",),
    ),
    _rule(
        "S15.10a",
        "Dealt with",
        CHECKED,
        "No Opposition dice left by the end of the third scene: the spies have dealt with the Agency.",
    ),
    _rule(
        "S15.10b",
        "Less than favourable",
        CHECKED,
        "Opposition dice left after the third scene: they have not. It ends in no other way.",
    ),
    _rule(
        "S15.11",
        "Back to the scene",
        CHECKED,
        "The end of the interference is told; then the interrupted scene is taken up again and resolved.",
        also=("V49",),
    ),
    # Track 16
    _rule(
        "S16.1",
        "Once an episode",
        CHECKED,
        "Every spy has to push for freedom once in every episode.",
        also=("V57",),
    ),
    _rule(
        "S16.2",
        "No push",
        CHECKED,
        "A spy who made no push in an episode goes one space back and gains one persistent Agency die.",
        also=("V56",),
    ),
    _rule(
        "S16.3a",
        "Declared at the beginning",
        CHECKED,
        "A push is declared at the beginning of a Segment, before its first scene.",
        also=("V50",),
    ),
    _rule(
        "S16.3b",
        "Off the Job",
        CHECKED,
        "During that Segment the spy's resources are not available to the Job.",
        also=("V52",),
    ),
    _rule(
        "S16.4",
        "Somebody stays",
        CHECKED,
        "Several spies may push in one Segment, but at least one stays on the Job.",
        also=("V51",),
    ),
    _rule(
        "S16.5",
        "Played at the end",
        CHECKED,
        "The push is played when that Segment is over, before anything else.",
        also=("V53",),
    ),
    _rule(
        "S16.6", "On to the push", RECORDED, "Declared, the push has a track of its own.", _GUIDE
    ),
    # Track 17
    _rule(
        "S17.1",
        "A mini segment",
        COMPUTED,
        "A push for freedom is a small segment of its own, like the answer to an interference.",
    ),
    _rule(
        "S17.2",
        "What it is about",
        RECORDED,
        "Spy and Agency again, but now the spy makes the demands.",
        _STORY,
    ),
    _rule(
        "S17.3",
        "Its Opposition",
        CHECKED,
        "One Opposition die for each spy who takes part.",
    ),
    _rule(
        "S17.4",
        "Played like scenes, without the check",
        CHECKED,
        "Framed, rolled and resolved like other scenes, without an interference check or token.",
    ),
    _rule(
        "S17.5",
        "Three scenes at most",
        CHECKED,
        "A scene token is laid down for each; there is no fourth.",
    ),
    _rule(
        "S17.6",
        "Only who pushes",
        CHECKED,
        "Only the spies who take part can be used.",
    ),
    _rule(
        "S17.7",
        "No Agency dice",
        CHECKED,
        "All specialities and contacts are free; no Agency die is earned or rolled.",
    ),
    _rule(
        "S17.8",
        "Five or less for both sides",
        CHECKED,
        "Job dice and Opposition dice alike succeed at five or less.",
    ),
    _rule(
        "S17.9",
        "One space ahead",
        CHECKED,
        "No Opposition dice left by the end of the third scene: each spy who took part steps one space ahead.",
        also=("V54",),
    ),
    _rule(
        "S17.10",
        "No progress",
        CHECKED,
        "Otherwise the push has failed. Nobody steps ahead, and nobody back.",
        also=("V55",),
    ),
    _rule("S17.11", "On to the next Segment", COMPUTED, "Then the Job goes on."),
    _rule(
        "S17.12",
        "The final push",
        CHECKED,
        "The final push leads off the blacklist. Nothing else does.",
        also=("V58",),
    ),
    # Tracks 18 and 19
    _rule(
        "S18.1",
        "The Job is pulled off",
        CHECKED,
        "After Segment 7 the Job is done, and whoever stood against it is dealt with. The rules know no "
        "lost Job.",
    ),
    _rule(
        "S18.2",
        "Tell the end",
        RECORDED,
        "Loose ends are tied, and the client's new life is told.",
        _STORY,
    ),
    _rule(
        "S19.1",
        "Off the blacklist",
        CHECKED,
        "A freed spy's troubles are over; such a spy takes no part in Jobs or pushes any more.",
    ),
    _rule(
        "S19.2",
        "A life again",
        COMPUTED,
        "The player tells how it is put back together; until then it stands among the loose ends.",
    ),
    _rule(
        "S19.3",
        "What comes next",
        COMPUTED,
        "That depends on the series: campaign.yaml says whether it is ongoing or lasts until all are free.",
    ),
    _rule(
        "S19.4",
        "A new spy",
        CHECKED,
        "In an ongoing series the player makes a new spy, who is introduced at the beginning of the next "
        "episode.",
        also=("V59",),
    ),
    _rule(
        "S19.5a",
        "Sit back, or develop a contact",
        CHECKED,
        "In a series that lasts until all are free, the player may turn a contact of one of the other spies "
        "into a main character with contacts of its own.",
    ),
    _rule(
        "S19.5b",
        "No Path, no duty",
        CHECKED,
        "Such a character has no Path to Freedom and need not push.",
        also=("V60",),
    ),
)

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "ST1",
        "A fourth Job die",
        "The gear list gives a player four dice of the Job's colour. A spy has a speciality and two "
        "contacts, three resources, so the fourth is never rolled.",
        ("S1.5", "S2.5", "S9.5a"),
    ),
    Erratum(
        "ST2",
        "Three or four Agency dice",
        "One at the start, two for an ignored interference and one for a missed push make four. A second "
        "ignored interference goes beyond the kit, so the kit is no limit.",
        ("S1.5", "S14.7c", "S16.2"),
    ),
    Erratum(
        "ST4",
        "The Handler's Agency dice",
        "Three for each player fall short as soon as a Segment has many scenes: each spy can bring two in "
        "every scene. The kit is no limit here either.",
        ("S1.6", "S9.5b"),
    ),
    Erratum(
        "ST5",
        "Where the depletion stands",
        "Track 8 sends the reader to Track 11 for it; it stands in Track 13.",
        ("S8.2", "S13.5"),
    ),
    Erratum(
        "ST6",
        "The name of Track 10",
        "Track 9 calls it by another title than its heading does.",
        ("S9.8",),
    ),
    Erratum(
        "ST7",
        "Back to the interrupted scene",
        "Track 15 returns to Track 13. The scene was interrupted in Track 11, before its dice were rolled, so "
        "there is nothing to compare yet (SA13).",
        ("S15.11",),
    ),
    Erratum(
        "ST8",
        "The number of the last track",
        "Track 17 sends the final push to Track 18 and names the title of Track 19 (SA29).",
        ("S17.12",),
    ),
    Erratum(
        "ST9",
        "Only that spy, or everybody who rolls",
        "Own dice alone implicate only their spy; the sentence after next makes everybody roll who is not "
        "implicated automatically. Both cannot hold for the others (SA6).",
        ("S14.2a", "S14.5"),
    ),
    Erratum(
        "ST10",
        "Are removed, or may be discarded",
        "Track 2 removes persistent dice after a success, Track 14 permits it (SA5).",
        ("S2.7b", "S14.2b"),
    ),
    Erratum(
        "ST11",
        "Declared here, played there",
        "Track 16 leads straight into Track 17, though the push is played only when the Segment ends.",
        ("S16.5", "S16.6"),
    ),
)
