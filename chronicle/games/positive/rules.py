"""The rules of Positive by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Erratum, Rule

SETUP = "Setup"
SCENES = "Scenes"
CONFLICT = "Conflict"
END = "The end"

RULES: tuple[Rule, ...] = (
    Rule(
        "P1",
        "Four or five players",
        CHECKED,
        "Four or five people play, each with exactly one character. A log with more or fewer players, "
        "with two characters for one of them or with somebody who has none is refused.",
        chapter=SETUP,
    ),
    Rule(
        "P2",
        "Fudge dice",
        CHECKED,
        "Every player has four Fudge dice. A Fudge die shows +, a blank or -, each as likely as the "
        "others. In the log a blank is written o.",
        chapter=SETUP,
    ),
    Rule(
        "P3",
        "One die for conflicts, three for commitment",
        COMPUTED,
        "One of the four dice is the conflict die; it is laid down to call or to answer a conflict and "
        "always comes back. The other three are the commitment pool, and they can be used up.",
        chapter=SETUP,
    ),
    Rule(
        "P4",
        "The track",
        COMPUTED,
        "Ten squares lead from Expelled to Inclusion. The track is lopsided: four steps down from Start "
        "lie on Expelled, five steps up on Inclusion.",
        chapter=SETUP,
    ),
    Rule(
        "P5",
        "Everybody begins on Start",
        COMPUTED,
        "Each character has a token on the track, and all tokens begin on Start, the accused's too.",
        chapter=SETUP,
    ),
    Rule(
        "P6",
        "The host is the accused",
        CHECKED,
        "The player who has been in a relationship for longest plays the host of the party. Behind the "
        "host's back, that character is said to have passed on an infection.",
        chapter=SETUP,
    ),
    Rule(
        "P7",
        "The accuser volunteers",
        CHECKED,
        "One of the other players volunteers to play the accuser, and decides whether the accuser has "
        "symptoms.",
        chapter=SETUP,
    ),
    Rule(
        "P8",
        "A name and nothing else",
        CHECKED,
        "Characters start with a name. Who they are, whom they love and what they did is not known "
        "until somebody tells it in play.",
        chapter=SETUP,
    ),
    Rule(
        "P9",
        "The first scene",
        CHECKED,
        "The accuser opens it with one other character of their choice. The accused is not in it yet.",
        chapter=SCENES,
    ),
    Rule(
        "P10",
        "Anything may be told",
        RECORDED,
        "In a scene the players tell whatever they like about their own and each other's characters: "
        "how close they are, what they did, what they are like.",
        "whether a story contradicts what a conflict settled is for the table to hear, not for a program",
        chapter=SCENES,
    ),
    Rule(
        "P11",
        "The loser opens the next scene",
        CHECKED,
        "Whoever lost the last conflict opens another scene and adds whom they like to it.",
        chapter=SCENES,
    ),
    Rule(
        "P12",
        "Party, flashback, flash-forward",
        COMPUTED,
        "A scene may be set at the party, before it or after it. Chronicle sorts the scenes into story "
        "order beside the order in which they were played.",
        chapter=SCENES,
    ),
    Rule(
        "P13",
        "Barging in",
        CHECKED,
        "Somebody whose character was not added to a scene can come in anyway, for one commitment die.",
        chapter=SCENES,
    ),
    Rule(
        "P14",
        "A sincere apology",
        CHECKED,
        "A character who, in a scene, owns up to something, confesses or apologises brings a commitment "
        "die back, if the rest of the group believes it. One apology, one die.",
        chapter=SCENES,
    ),
    Rule(
        "P15",
        "Calling a conflict",
        CHECKED,
        "When something goes too far for a player, that player lays down the conflict die and says what "
        "is disputed.",
        chapter=CONFLICT,
    ),
    Rule(
        "P16",
        "Backing down",
        CHECKED,
        "The challenged player may give way at once. The scene is over, the caller tells how it ends, "
        "no die is rolled or spent and no token moves.",
        chapter=CONFLICT,
    ),
    Rule(
        "P17",
        "Matching",
        CHECKED,
        "Or the challenged player lays down their own conflict die. Then the dice decide whose version "
        "is what happened.",
        chapter=CONFLICT,
    ),
    Rule(
        "P18",
        "Backing a side",
        CHECKED,
        "Between the match and the roll, every other player may put one commitment die on either side. "
        "Their characters need not be there.",
        chapter=CONFLICT,
    ),
    Rule(
        "P19",
        "Each side rolls once",
        CHECKED,
        "A side rolls its conflict die and all commitment dice that were put on it, together.",
        chapter=CONFLICT,
    ),
    Rule(
        "P20",
        "More +, then more blanks",
        COMPUTED,
        "The side with more + wins; if they are equal, the side with more blanks. What shows - does not "
        "count, nor does the number of dice.",
        chapter=CONFLICT,
    ),
    Rule(
        "P21",
        "Winners step towards Inclusion",
        COMPUTED,
        "The tokens of the winning side all go one step towards Inclusion.",
        chapter=CONFLICT,
    ),
    Rule(
        "P22",
        "Losers step towards Expelled",
        COMPUTED,
        "The tokens of the losing side go the other way.",
        chapter=CONFLICT,
    ),
    Rule(
        "P23",
        "Played dice are gone",
        COMPUTED,
        "Commitment dice that were rolled are discarded, whoever won. Conflict dice go back to the hand.",
        chapter=CONFLICT,
    ),
    Rule(
        "P24",
        "A scene with everybody",
        CHECKED,
        "When a token comes to stand on Expelled or on Inclusion, the next scene holds all characters.",
        chapter=END,
    ),
    Rule(
        "P25",
        "Beyond Expelled",
        CHECKED,
        "The game ends when a character moves beyond Expelled and is thrown out of the circle. Standing "
        "on the square is not the end, and nothing else is.",
        chapter=END,
    ),
    Rule(
        "P26",
        "The others tell how",
        CHECKED,
        "Everybody but the player of the ejected character tells how it happens.",
        chapter=END,
    ),
    Rule(
        "P27",
        "No winner",
        CHECKED,
        "There is no score, no round limit and no referee; a log that names a winner is questioned.",
        chapter=END,
    ),
)

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "PT2",
        "The example roll cannot happen",
        "The text compares two sides of three dice each. Two conflict dice and one commitment die from "
        "each of the other players make at most five dice with five players and four with four, so "
        "six dice cannot lie on the table. The example shows the ranking and nothing else.",
        ("P18", "P19"),
    ),
    Erratum(
        "PT5",
        "Two names for one square",
        "The low end of the track is called Expelled where it is drawn and Expulsion where it is "
        "explained. Only one square is drawn.",
        ("P4",),
    ),
)
