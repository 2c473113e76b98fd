"""Chapters 1 and 2: Coins and Facts, Tenets."""

from __future__ import annotations

from chronicle.core.rules import CHECKED, COMPUTED, RECORDED, Rule, RuleClass

_ONE = "1 The basic concept"
_TWO = "2 Game preparation"


def _rule(id: str, title: str, kind: RuleClass, text: str, why: str = "", *also: str) -> Rule:
    return Rule(id, title, kind, text, why, also, _ONE if id.startswith("U1") else _TWO)


PREPARATION: tuple[Rule, ...] = (
    _rule(
        "U1.1",
        "No game master",
        RECORDED,
        "All players have the same standing; what anybody may decide is measured in Coins alone.",
        "a log names players and no office, so there is nothing to compare",
    ),
    _rule(
        "U1.2",
        "Wealth and Bank",
        CHECKED,
        "Each player has a purse, the Wealth. Coins spent go to the Bank, new ones come from it. Nobody "
        "spends more than the purse holds; what is missing is met from an account of its own and reported.",
        "",
        "V1",
        "V3",
        "V6",
    ),
    _rule(
        "U1.3",
        "Start and Refreshment are chosen",
        CHECKED,
        "Before anything else the group settles how many Coins each player starts with (25 suggested) "
        "and how many a scene brings (5). They stand in campaign.yaml as `start coins` and `refreshment`.",
        "",
        "V7",
    ),
    _rule(
        "U1.4",
        "Where Coins come from",
        COMPUTED,
        "Refreshment after each scene, Bonus Coins of Complications, and what a frame into the future "
        "pays the others. A Gimmick may open other sources; nothing else brings Coins in.",
        "",
        "V2",
    ),
    _rule(
        "U1.5",
        "Four ways to keep order",
        RECORDED,
        "The Social Contract, the order of play, Challenges, and the price of everything.",
        "it is an overview of rules that are numbered elsewhere",
    ),
    _rule(
        "U1.6",
        "Facts",
        COMPUTED,
        "Traits belong to Components, Events to scenes, Tenets to the game. Each costs a Coin, weighs in "
        "Challenges, and can give one die to a Complication it fits.",
        "",
        "V4",
    ),
    _rule(
        "U1.7",
        "Worlds are used again",
        COMPUTED,
        "A later session, or a log that begins in mid-campaign, finds all Components where they were; "
        "only introducing them costs.",
    ),
    _rule(
        "U2.1",
        "A phase of its own",
        CHECKED,
        "Before the first scene the group settles the Tenets of the game. Scenes wait until it is over.",
    ),
    _rule(
        "U2.2",
        "The starting player",
        RECORDED,
        "Whoever the group likes; in the log whoever acts first, or `first` in campaign.yaml.",
        "any way of choosing is right",
    ),
    _rule(
        "U2.3",
        "A preparation turn",
        CHECKED,
        "In seating order each player pays 1 Coin for one Tenet or passes.",
        "",
        "V10",
        "V13",
    ),
    _rule(
        "U2.4",
        "One Tenet a turn",
        CHECKED,
        "A turn holds at most one Tenet, before play and during it, and it must be one's own turn. An "
        "outcome of a Complication allows each player one.",
        "",
        "V11",
        "V12",
    ),
    _rule(
        "U2.5",
        "The end of preparation",
        CHECKED,
        "When everybody has passed in a row, the first scene is bid for.",
        "",
        "V14",
    ),
    _rule(
        "U2.6",
        "Silence accepts",
        COMPUTED,
        "A proposal stands unless it is Challenged. If a Challenge changes it, the new wording is what "
        "is paid for.",
    ),
    _rule(
        "U2.7",
        "Tenets can be changed",
        CHECKED,
        "A later Tenet may change an earlier one (`changes: its id`); the earlier one is a Fact, so "
        "resistance counts double.",
    ),
    _rule(
        "U2.8",
        "Three types",
        CHECKED,
        "A Tenet is a Story Element, a point of the Social Contract, or a Rules Gimmick.",
        "",
        "V15",
    ),
    _rule(
        "U2.9",
        "Story Elements",
        COMPUTED,
        "Genre, theme, premise, setting, situation, mood, realism; also single Components, Trait by "
        "Trait. What is created so is in no scene and nobody Controls it.",
    ),
    _rule(
        "U2.10",
        "Social Contract",
        RECORDED,
        "How the group wants to behave; worth a Tenet where it matters, and the ground for Challenges "
        "and Fines.",
        "manners are not judged by a program",
    ),
    _rule(
        "U2.11",
        "Rules Gimmicks",
        CHECKED,
        "A new rule for 1 Coin. With an `id` it can be cited (`under:`), limited (`scope:`), changed and "
        "ended; what it changes in figures stands under `sets:`. It holds from its acceptance on.",
        "",
        "V19",
        "V20",
    ),
    _rule(
        "U2.12",
        "Gimmicks may replace rules",
        CHECKED,
        "Whatever is written may be replaced. A Gimmick that forbids a verb, or asks another price, is "
        "held like any rule.",
    ),
    _rule(
        "U2.13",
        "Table talk is no Tenet",
        RECORDED,
        "What is said out of turn only tells the others what may be Challenged. In the log it is an `aside`.",
        "talk that nobody paid for leaves no entry to compare",
    ),
    _rule(
        "U2.14",
        "No gifts, no loans",
        CHECKED,
        "Coins pass between players only where a Gimmick allows it; the one exception is the frame into "
        "the future.",
        "",
        "V5",
    ),
    _rule(
        "U2.15",
        "No Coins before scene one",
        CHECKED,
        "Players enter the first scene with what preparation has left them.",
        "",
        "V17",
    ),
)
