"""Modifiers: dice for a reason, on the table before the roll (I29 to I38)."""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import drop_item, replace_with
from chronicle.core.kinds import Counted
from chronicle.core.names import fold
from chronicle.core.source import Place, ScalarNode
from chronicle.games.isolation.dice import GREEN, RED, Colour
from chronicle.games.isolation.linkmap import find_link
from chronicle.games.isolation.state import Conflict, Modifier, Topic
from chronicle.games.isolation.table import Table, character, pair_keys

_PLAIN = ("goal", "bias", "goal or bias")
_ABOUT = {
    Topic.BIAS: "a bias",
    Topic.GOAL: "goals",
    Topic.EVENT: "something that happened",
    Topic.WOUND: "a wound",
    Topic.DESCRIPTOR: "descriptors",
}
_AGAINST = ("against goal", "against bias", "against goal or bias")


def use_all(
    play: Table, conflict: Conflict, word: ScalarNode, counted: tuple[Counted, ...]
) -> None:
    """Everything on sheets and labels that brings somebody dice (I29, I32 to I37)."""
    who = character(play, word)
    if not who:
        return
    if who not in conflict.hands and who != conflict.against:
        play.illegal("I38", f"{who} takes no part in this and gets no dice", at=word)
        return
    hand = conflict.hands.get(who)
    if hand is not None and hand.defaulted and play.ruling("late_hostile_dice") == "links":
        play.illegal(
            "I72", f"{who} defaults to Neutral: nothing but red links brings {who} dice", at=word
        )
        return
    for one in counted:
        modify(play, conflict, who, one)


def _add(
    play: Table, conflict: Conflict, who: str, colour: Colour, dice: int, why: str, rule: str
) -> None:
    conflict.modifiers.setdefault(who, []).append(Modifier(colour, dice, why, rule))
    play.event(f"{who}: +{dice} {colour} ({why})", rule, "modifier", who)


def modify(play: Table, conflict: Conflict, who: str, counted: Counted) -> None:
    """I29 to I37: one reason, one die."""
    word = fold(counted.name)
    at = place_of_word(play.step.action, counted.name)
    as_active = who == conflict.active or (
        who == conflict.against and play.ruling("defender_modifiers") == "active"
    )
    if who == conflict.against and play.ruling("defender_modifiers") == "none":
        play.illegal("I77", f"{who} defends without modifiers at this table", at=at)
        return
    if word == "profession":
        rule = "I29" if as_active else "I37"
        play.require(
            counted.count == 1,
            rule,
            f"the Profession brings {who} one green die, not {counted.count}",
            at=at,
        )
        _add(play, conflict, who, GREEN, counted.count, "Profession", rule)
    elif word in (*_PLAIN, *_AGAINST):
        _goal_or_bias(play, conflict, who, counted, word in _AGAINST, as_active, at)
    elif word == "stress":
        if not as_active:
            play.illegal(
                "I30", f"only the Active Player adds the Stress Level; {who} is passive", at=at
            )
            _add(play, conflict, who, RED, play.state.stress, "Stress", "I30")
    elif word in ("role-playing", "roleplaying", "roleplay", "role-play"):
        _role_play_dice(play, conflict, who, counted.count, str(counted.name), at)
    else:
        _label(play, conflict, who, counted, as_active, at)


def _goal_or_bias(
    play: Table,
    conflict: Conflict,
    who: str,
    counted: Counted,
    against: bool,
    as_active: bool,
    at: Place,
) -> None:
    colour = RED if against else GREEN
    rule = ("I32" if against else "I33") if as_active else ("I36" if against else "I35")
    both = play.ruling("goal_bias_dice") == "each"
    had = [m for m in conflict.modifiers.get(who, ()) if m.rule == rule]
    if had and not both:
        had[0].why += f" and {counted.name}"
        play.event(f"{who}: Goal and Bias bring one {colour} die together", rule, "modifier", who)
        return
    play.require(
        counted.count == 1,
        rule,
        f"'{counted.name}' brings {who} one {colour} die, not {counted.count}",
        at=at,
    )
    _add(play, conflict, who, colour, counted.count, str(counted.name), rule)


def _label(
    play: Table, conflict: Conflict, who: str, counted: Counted, as_active: bool, at: Place
) -> None:
    """I34: a labelled link that bears strongly on the action brings a die of its colour."""
    name = str(counted.name)
    if as_active:
        play.illegal(
            "I34",
            f"'{name}': labels of links bring dice to Passive Players, not to {who}",
            at=at,
            help="modifiers of the Active: profession, goal, bias, against goal, against bias; "
            "exceptional role-playing goes under because:",
        )
        return
    state = play.state
    pair = state.pair(who, conflict.active)
    link = find_link(play, pair, name)
    if link is None:
        loose = state.unlabelled(pair)
        said = (
            "an unlabelled link brings no die here"
            if name.startswith("unlab")
            else (f"{who} and {conflict.active} share no link labelled '{name}'")
        )
        labels = listed(f"'{one.label}'" for one in state.labelled(pair))
        play.illegal(
            "I34",
            said,
            at=at,
            after=pair_keys(pair),
            fix=replace_with(one.label for one in state.labelled(pair)),
            help=() if labels else "there is no label between them",
        )
        if name.startswith("unlab") and any(loose):
            colour = GREEN if loose.green else RED
            _add(play, conflict, who, colour, counted.count, name, "I34")
        else:
            play.taint(doubt(conflict, who))
        return
    any_label = play.ruling("label_bonus") == "any"
    play.require(
        link.topic is Topic.DESCRIPTOR or any_label,
        "I34",
        f"'{link.label}' is about {_ABOUT[link.topic]}; only descriptor links bring this die",
        at=at,
        fix=drop_item(name),
        help="goal and bias have modifiers of their own",
        facts=(play.because(link.since, "drawn here"),),
    )
    same = [one for one in state.labelled(pair) if one.label == link.label]
    play.require(
        counted.count <= len(same),
        "I34",
        f"'{link.label}' brings {who} {plural(len(same), 'die', 'dice')}, not {counted.count}",
        at=at,
    )
    _add(play, conflict, who, link.colour, counted.count, link.label, "I34")


def role_playing(
    play: Table, conflict: Conflict, word: ScalarNode, counted: tuple[Counted, ...]
) -> None:
    """I31: dice for exceptional role-playing."""
    who = character(play, word)
    if not who:
        return
    for one in counted:
        at = place_of_word(play.step.action, one.name)
        _role_play_dice(play, conflict, who, one.count, str(one.name), at)
    dice = sum(m.dice for m in conflict.modifiers.get(who, ()) if m.rule == "I31")
    cap = play.ruling("roleplay_cap")
    at = place_of_word(play.step.action, word)
    if cap == "one":
        play.require(dice <= 1, "I31", f"role-playing brings one die here, not {dice}", at=at)
    else:
        play.suspect(
            dice >= 3,
            "I31",
            f"{dice} green dice for role-playing: three or more are rare",
            at=at,
        )


def _role_play_dice(
    play: Table, conflict: Conflict, who: str, dice: int, why: str, at: Place
) -> None:
    play.require(
        who == conflict.active,
        "I31",
        f"dice for exceptional role-playing go to the Active Player, not to {who}",
        at=at,
    )
    _add(play, conflict, who, GREEN, dice, why, "I31")


def doubt(conflict: Conflict, who: str) -> str:
    """The key under which somebody's dice in a conflict are in doubt."""
    return f"dice:{conflict.number}:{who}"
