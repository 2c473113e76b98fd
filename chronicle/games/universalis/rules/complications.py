"""Chapter 6: Complications."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Rule, RuleClass


def _rule(id: str, title: str, kind: RuleClass, text: str, why: str = "", *also: str) -> Rule:
    return Rule(id, title, kind, text, why, also, "6 Complications")


COMPLICATIONS: tuple[Rule, ...] = (
    _rule(
        "U6.1",
        "Two origins",
        CHECKED,
        "Doing something to a foreign Component, on an own turn; or an Obstacle to another's Event. Not "
        "during framing.",
        "",
        "V99",
    ),
    _rule(
        "U6.2",
        "Originator",
        COMPUTED,
        "Whoever began it owns the Complication's Pool and its Coins.",
    ),
    _rule("U6.3", "Targets", CHECKED, "Each player who Controls a target has a Pool.", "", "V100"),
    _rule(
        "U6.4",
        "Not against oneself",
        CHECKED,
        "If nobody else Controls a target there is no Complication.",
        "",
        "V98",
    ),
    _rule(
        "U6.5",
        "Pools",
        CHECKED,
        "Ten-sided dice, 0 for ten; one Pool for the Originator, one for each Target Player.",
        "",
        "V111",
    ),
    _rule(
        "U6.6",
        "The others",
        CHECKED,
        "They add dice to any Pool and bring in helpers; Coins go to Pools only.",
        "",
        "V121",
    ),
    _rule(
        "U6.7",
        "A Pool for everybody",
        CHECKED,
        "With `pools: everybody` each player gathers dice and declares a side before the roll.",
    ),
    _rule(
        "U6.8",
        "Committed",
        CHECKED,
        "Targets, sources and whatever was drawn upon cannot be taken over until the end.",
        "",
        "V59",
    ),
    _rule(
        "U6.9",
        "It stays open",
        CHECKED,
        "Turns go on around it as long as anybody cares; dropping it takes agreement.",
        "",
        "V40",
    ),
    _rule("U6.10", "New sources", COMPUTED, "New Traits and Components may be drawn upon at once."),
    _rule(
        "U6.11",
        "Drawing",
        CHECKED,
        "Free: a Trait that applies adds a die to a Pool or takes one from it.",
        "",
        "V103",
        "V105",
    ),
    _rule("U6.12", "Whose Traits", COMPUTED, "Those of any Component in the scene."),
    _rule(
        "U6.13",
        "How it applies",
        RECORDED,
        "Who draws says how (`for:`); the others may Challenge.",
        "whether a word fits a deed is for the table to judge",
        "V108",
    ),
    _rule(
        "U6.14", "Once each", CHECKED, "A copy gives one die in a Complication.", "", "V101", "V102"
    ),
    _rule(
        "U6.15",
        "Buying dice",
        CHECKED,
        "1 Coin a die, for any Pool or from any Pool that has one.",
        "",
        "V107",
    ),
    _rule("U6.16", "Say what they are", CHECKED, "Bought dice need a stated source.", "", "V106"),
    _rule(
        "U6.17",
        "Closing",
        CHECKED,
        "On an own turn a player calls for the dice; if all agree no die is added any more.",
        "",
        "V109",
    ),
    _rule("U6.18", "Who rolls", CHECKED, "Every Pool, by its player."),
    _rule(
        "U6.19", "Two sides", COMPUTED, "Target Pools count together; Coins are each player's own."
    ),
    _rule(
        "U6.20",
        "Successes",
        CHECKED,
        "1 to 5, among as many faces as the Pool has dice.",
        "",
        "V110",
        "V112",
    ),
    _rule("U6.21", "The winner", COMPUTED, "More Successes win.", "", "V113"),
    _rule(
        "U6.22",
        "Ties",
        CHECKED,
        "The higher sum of Successes has the Edge: one more die, and both sides roll everything again.",
        "",
        "V114",
    ),
    _rule("U6.23", "Equal sums", COMPUTED, "Both sides get an Edge Die."),
    _rule(
        "U6.24",
        "The Edge among several",
        COMPUTED,
        "It goes to the Pool with most Successes, then closest to the Originator's left.",
    ),
    _rule("U6.25", "The loser's Coins", COMPUTED, "One a die in the last roll.", "", "V115"),
    _rule(
        "U6.26", "The winner's Coins", COMPUTED, "The faces of the Successes, added up.", "", "V122"
    ),
    _rule(
        "U6.27",
        "The Edge's Coins",
        COMPUTED,
        "Both sides add the faces of Edge Dice that are not in the sum already.",
        "",
        "V116",
    ),
    _rule(
        "U6.28",
        "Who tells when",
        CHECKED,
        "Winners first, then losers, most Coins first.",
        "",
        "V117",
    ),
    _rule(
        "U6.29",
        "Cancelling",
        CHECKED,
        "A winner gives up Coins to void as many of a loser's, before they are told.",
        "",
        "V118",
    ),
    _rule(
        "U6.30",
        "The loser's limits",
        RECORDED,
        "Losers tell within what winners have told.",
        "only a reader sees whether one sentence undoes another",
        "V120",
    ),
    _rule(
        "U6.31",
        "Relevance",
        RECORDED,
        "Bonus Coins go to what the contest was about.",
        "what belongs to a story is for the table to judge",
    ),
    _rule(
        "U6.32", "Bias", RECORDED, "The outcome favours the winners.", "favour is read, not counted"
    ),
    _rule(
        "U6.33",
        "What Bonus Coins buy",
        CHECKED,
        "All that the rules sell, also on foreign Components; no turns, bids or dice.",
    ),
    _rule(
        "U6.34",
        "Leftovers",
        CHECKED,
        "What is not told is kept: told, cancelled and kept make up what was won.",
        "",
        "V119",
    ),
    _rule(
        "U6.35",
        "Instalments",
        COMPUTED,
        "Within an outcome an Elimination may be paid in parts (`reduce`).",
    ),
    _rule("U6.36", "Back to the turn", COMPUTED, "Whoever had the turn goes on, with own Coins."),
    _rule(
        "U6.37",
        "In order",
        COMPUTED,
        "Originate, gather, close, roll, break ties, tell, keep, release.",
    ),
)
