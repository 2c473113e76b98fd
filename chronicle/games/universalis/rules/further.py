"""The glossary, the essays, and gimmicks that stand in examples only."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Rule, RuleClass

_CHAPTERS = {"U7": "Glossary", "UE": "Essays", "UG": "Gimmicks from the examples"}


def _rule(id: str, title: str, kind: RuleClass, text: str, why: str = "", *also: str) -> Rule:
    return Rule(id, title, kind, text, why, also, _CHAPTERS[id[:2]])


FURTHER: tuple[Rule, ...] = (
    _rule(
        "U7.1", "Who votes", CHECKED, "All other players vote on a Fine, all at once.", "", "V132"
    ),
    _rule(
        "U7.2", "Subs before Masters", CHECKED, "A Master goes only when no Sub is left.", "", "V87"
    ),
    _rule("U7.3", "Separating", COMPUTED, "It removes the Possession Trait."),
    _rule("U7.4", "Edge ties", COMPUTED, "Closest to the Originator's left."),
    _rule("U7.5", "Introduced only", COMPUTED, "Only what is in the scene is drawn upon."),
    _rule("U7.6", "Standing Traits only", COMPUTED, "Removed Traits count nothing."),
    _rule("U7.7", "Wounds in short", COMPUTED, "They count, they hinder, they heal for a Coin."),
    _rule("U7.8", "Ties to anything", COMPUTED, "A relationship may be to a place or a thing."),
    _rule("U7.9", "Names of things", COMPUTED, "Drawn only where a Gimmick says so."),
    _rule("U7.10", "The bid and the purse", COMPUTED, "Wealth may add to the bid in framing."),
    _rule(
        "U7.11",
        "Coins of a fate",
        COMPUTED,
        "Each allows one Fact; a return costs Importance again.",
    ),
    _rule("U7.12", "Avoiding a Complication", COMPUTED, "A Take Over may also do that."),
    _rule(
        "U7.13",
        "Mini Scenes in short",
        COMPUTED,
        "On an own turn, at no cost of its own, until its end.",
    ),
    _rule("U7.14", "Obstacles are for others", CHECKED, "The Event must be another player's."),
    _rule("U7.15", "Many voices", COMPUTED, "A Dialog may have more than two players."),
    _rule(
        "U7.16",
        "Coins of the Edge",
        COMPUTED,
        "Winners add failed Edge Dice, losers all of them, besides one for every die.",
    ),
    _rule(
        "UE.1",
        "Coins to begin with",
        COMPUTED,
        "The teaching script hands out Coins before the first scene; the rules do not (S10).",
    ),
    _rule(
        "UE.2",
        "Moderate bids",
        RECORDED,
        "Beginners had better bid less than eight or ten.",
        "it is advice",
    ),
    _rule("UE.3", "Unpaid is unwritten", COMPUTED, "What nobody paid for is no Fact."),
    _rule("UE.4", "All Traits come along", COMPUTED, "Who enters brings the whole sheet."),
    _rule(
        "UE.5", "Loose accounts", COMPUTED, "A group may count loosely; `strictness` says how much."
    ),
    _rule(
        "UE.6",
        "Genres step by step",
        RECORDED,
        "The first genre Tenet names the broad one.",
        "it is advice",
    ),
    _rule(
        "UE.7",
        "Settings before places",
        CHECKED,
        "In preparation a place is created once a Tenet has fixed the setting.",
        "",
        "V16",
    ),
    _rule(
        "UE.8", "Roles before Characters", COMPUTED, "A prepared Character begins with its Role."
    ),
    _rule("UE.9", "A premise may come late", COMPUTED, "As a Tenet, once it shows."),
    _rule(
        "UE.10",
        "Known worlds",
        RECORDED,
        "Borrow, convert, or go on from one's own: what stands above `play starts` is given.",
        "where a world comes from is not checked",
    ),
    _rule("UE.11", "Going on", COMPUTED, "World and Components carry over."),
    _rule(
        "UE.12",
        "No Interrupt for a Challenge",
        COMPUTED,
        "And a show of hands may stand for the Bidding.",
    ),
    _rule(
        "UE.13",
        "Undisturbed narration",
        CHECKED,
        "Nobody Interrupts while an outcome is told; the roll decides who tells.",
    ),
    _rule("UE.14", "One vote each", COMPUTED, "Wealth does not weigh in a Fine."),
    _rule(
        "UE.15",
        "Earning by contest",
        COMPUTED,
        "On average a winning die brings one and a half Coins, a losing one a single Coin.",
    ),
    _rule("UE.16", "No preparation", COMPUTED, "The group may skip it (`preparation: skipped`)."),
    _rule(
        "UE.17",
        "Compound statements",
        RECORDED,
        "One goal may be worth two to five Traits.",
        "taste again",
    ),
    _rule(
        "UE.18",
        "The second player's lesson",
        RECORDED,
        "The turn passes, Control does not.",
        "a way to teach, not a rule of its own",
    ),
    _rule(
        "UG.1",
        "Limited uses",
        CHECKED,
        "`sets: {uses: [...]}`: each `use` crosses a copy off, and may heal a wound; `trait price` sets "
        "a share of the price.",
    ),
    _rule(
        "UG.2",
        "Loans",
        COMPUTED,
        "`sets: {loans: yes}`: what is owed is paid back from the next Coins that come in.",
    ),
    _rule(
        "UG.3",
        "Ignoring a wound",
        RECORDED,
        "One Character acts as if unhurt until a stated point; then a lasting Trait replaces the wound.",
        "acting as if is told, not counted; the wound stays on the sheet and counts",
    ),
    _rule(
        "UG.4",
        "A name for a thing",
        COMPUTED,
        "`sets: {name die: [...]}` lets a pet's or a sword's name count.",
    ),
    _rule(
        "UG.5",
        "How names sound",
        RECORDED,
        "A custom of naming, as a Fact of the world or a Gimmick.",
        "sound is not judged",
    ),
    _rule("UG.6", "Rifts in time", COMPUTED, "`sets: {time jumps: yes}`."),
    _rule(
        "UG.7", "Figures for others", COMPUTED, "Components whose Role another player will word."
    ),
    _rule(
        "UG.8", "Double price by agreement", COMPUTED, "Once, for one item: `coins:` with `allow:`."
    ),
    _rule("UG.9", "A cap by agreement", COMPUTED, "A Challenge may settle for fewer dice."),
    _rule(
        "UG.10",
        "Tenets on structure",
        RECORDED,
        "Every Character has a secret; all love ends badly.",
        "whether a story keeps to them is read, not counted",
    ),
    _rule(
        "UG.11",
        "Tenets on manners",
        RECORDED,
        "Phones off, no film jokes; the ground of Fines.",
        "what is a joke is voted on",
    ),
)
