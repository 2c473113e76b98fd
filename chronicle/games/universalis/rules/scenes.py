"""Chapter 5: narrating the scene."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Rule, RuleClass


def _rule(id: str, title: str, kind: RuleClass, text: str, why: str = "", *also: str) -> Rule:
    return Rule(id, title, kind, text, why, also, "5 Narrating the scene")


SCENES: tuple[Rule, ...] = (
    _rule(
        "U5.1",
        "Three parts of a frame",
        COMPUTED,
        "Location, time, Components; in Mini Scenes too.",
    ),
    _rule(
        "U5.2",
        "Introducing",
        CHECKED,
        "1 Coin brings a Component into the scene; for a new one the same Coin buys its Role.",
    ),
    _rule("U5.3", "Presence", CHECKED, "Only who is there acts, speaks and gives dice.", "", "V72"),
    _rule(
        "U5.4",
        "Traits in a scene",
        COMPUTED,
        "Only the Controller changes them, or Bonus Coins do.",
    ),
    _rule(
        "U5.5", "After framing", COMPUTED, "Introductions and the bid go on all through the scene."
    ),
    _rule(
        "U5.6",
        "Location",
        CHECKED,
        "Every scene has one; establishing it costs 1 Coin, old or new.",
        "",
        "V29",
    ),
    _rule("U5.7", "A new place costs once", COMPUTED, "Its Role's Coin establishes it too."),
    _rule(
        "U5.8",
        "Moving on",
        CHECKED,
        "On an own turn 1 Coin moves the scene. All travel free; who stays behind leaves by an Exit. If "
        "most stay, it was another scene.",
        "",
        "V41",
    ),
    _rule("U5.9", "Only the present place", CHECKED, "A location left behind gives no dice."),
    _rule(
        "U5.10",
        "Cutting back",
        COMPUTED,
        "1 Coin for the location; one more if that scene lies in the past or the future.",
    ),
    _rule(
        "U5.11",
        "A resumed cast",
        COMPUTED,
        "Who was there is there, unpaid; who has gone since costs an Exit (`without:`).",
        "",
        "V42",
    ),
    _rule(
        "U5.12",
        "The default time",
        CHECKED,
        "A scene follows the last at once or runs beside it, free; nobody is in two places at one time. "
        "A stated jump ahead (`later:`) is paid.",
        "",
        "V32",
        "V96",
    ),
    _rule(
        "U5.13",
        "The past",
        CHECKED,
        "1 Coin. `before:`, `during:` or `after:` an earlier scene, or just `past:`.",
        "",
        "V30",
    ),
    _rule(
        "U5.14",
        "The future",
        COMPUTED,
        "The framer pays 1 Coin to each other player, whose scenes it binds.",
        "",
        "V31",
    ),
    _rule(
        "U5.15",
        "Time within a scene",
        CHECKED,
        "It runs on; jumps need a new scene, Bonus Coins, or a Gimmick.",
        "",
        "V33",
    ),
    _rule(
        "U5.16",
        "The first scene's date",
        COMPUTED,
        "With nothing to follow, naming a time costs 1 Coin.",
    ),
    _rule("U5.17", "Later entries", COMPUTED, "On an own turn, 1 Coin each, with Control."),
    _rule(
        "U5.18",
        "Exit",
        CHECKED,
        "1 Coin lets a Component under Control leave; its possessions go along.",
        "",
        "V94",
    ),
    _rule("U5.19", "The Eliminated", COMPUTED, "They are not available later in the story."),
    _rule(
        "U5.20",
        "Stated absence",
        CHECKED,
        "1 Coin says that somebody is not there; a later claim to the contrary is questioned.",
        "",
        "V95",
    ),
    _rule(
        "U5.21",
        "Events",
        CHECKED,
        "1 Coin: one effect, by one performer, on one receiver. `each:` makes one for each.",
        "",
        "V93",
    ),
    _rule("U5.22", "Events are Facts", COMPUTED, "That it happened is a Fact of its scene."),
    _rule(
        "U5.23",
        "Consequences cost extra",
        COMPUTED,
        "Traits that follow from an Event are bought besides.",
    ),
    _rule(
        "U5.24",
        "How much is one Event",
        RECORDED,
        "The group decides, or a Challenge does.",
        "how much a sentence holds is a matter of taste",
    ),
    _rule(
        "U5.25",
        "Colour",
        COMPUTED,
        "`text` is free and no Fact. What should be remembered costs a Coin.",
    ),
    _rule("U5.26", "Other details", COMPUTED, "Why and how: 1 Coin each, as a `fact`."),
    _rule(
        "U5.27",
        "Open questions",
        RECORDED,
        "Whys may be left for later, to be answered by anybody.",
        "a question nobody asked leaves no trace",
    ),
    _rule(
        "U5.28",
        "Open Roles",
        CHECKED,
        "A figure may be paid for and left without words (`open: yes`); whoever Controls it words the Role later.",
    ),
)
