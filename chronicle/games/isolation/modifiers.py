"""Modifiers: dice for a reason, before the roll (I29 to I38).

An entry uses a reason once: a Profession, a Goal, a Bias, a label. :func:`uses_of` gives the dice for each of its
words. The guards look at them, and the effect adds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import Counted
from chronicle.core.fix import RemoveItem, make_fix, replace_with
from chronicle.core.guards import Violation
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode, place_of
from chronicle.core.word_enum import WordEnum
from chronicle.games.isolation.dice import GREEN, RED, Colour
from chronicle.games.isolation.linkmap import find_link
from chronicle.games.isolation.people import find_character
from chronicle.games.isolation.state import Conflict, Link, Modifier, Topic
from chronicle.games.isolation.table import Table, labels_known, pair_keys

RULES = """
# Modifiers
I29 The Active's Profession [checked]
  One green die if the action is part of the Active's own Profession.
I30 Stress dice [checked; V19 V20]
  The Active adds as many red dice as the Stress Level. A Passive adds none.
I31 Role-playing [checked]
  One green die or more for the Active if the player made the proposal dramatic, or truly persuasive. Chronicle points
  out three or more. Passives get none.
I32 Against the Active's Goal or Bias [checked]
  One red die if the proposal is directly against the Active's own Goal or Bias.
I33 For the Active's Goal or Bias [checked]
  One green die if the proposal has much to do with the Active's own Goal or Bias.
I34 A label that matters [checked; V21]
  A Passive adds one die for each labelled descriptor link with the Active whose label matters for the action. The die
  has the colour of the link.
I35 For the Passive's Goal or Bias [checked]
  One green die if the action serves the Passive's Goal or Bias.
I36 Against the Passive's Goal or Bias [checked]
  One red die if the action goes against the Passive's Goal or Bias.
I37 The Passive's Profession [checked]
  One green die if the Passive's Profession covers the action.
I38 Modifiers come first [checked; V22]
  All modifiers are announced before the roll. No modifier is added when the faces are known, and none for a character
  who takes no part.
"""

READINGS = """
IA7 goal_bias_dice: An action concerns the Goal and the Bias. Is that one die or two?
  - one: one die in each direction
  - each: one die for each of the two
  because the text says Goal or Bias, in the singular (I32, I33, I35, I36)
IA8 label_bonus: Which labelled links bring a die when they matter for the action?
  - descriptor: descriptor links only
  - any: any labelled link
  because that is the literal reading; Goal and Bias have modifiers of their own (I34)
IA10 roleplay_cap: How many green dice can role-playing bring?
  - none: as many as the GM gives; Chronicle points out three or more
  - one: one
  because the text says one or more (I31)
"""

TERMS = """\
Motive [I31]: A reason that adds a die to a roll: good role-playing, a Goal, a Bias or a label.
"""

Reasons = Mapping[ScalarNode, tuple[Counted, ...]]
"""Reasons by character, as an entry has them."""
_GOAL_OR_BIAS = ("goal", "bias", "goal or bias")
_AGAINST = ("against goal", "against bias", "against goal or bias")
_ROLE_PLAYING = ("role-playing", "roleplaying", "roleplay", "role-play")
_TOPIC_NAMES = {
    Topic.BIAS: "a bias",
    Topic.GOAL: "goals",
    Topic.EVENT: "an event",
    Topic.WOUND: "a wound",
    Topic.DESCRIPTOR: "descriptors",
}


class Reason(WordEnum):
    """The reason for a modifier."""

    PROFESSION = "profession"
    GOAL_OR_BIAS = "goal or bias"
    AGAINST = "against goal or bias"
    STRESS = "stress"
    ROLE_PLAYING = "role-playing"
    LABEL = "label"


class Use(NamedTuple):
    """A reason that an entry names for dice, and the dice for it.

    Attributes:
        character: who gets the dice.
        owner: the word that names the character.
        word: the reason as typed.
        times: how many dice the entry takes for it.
        reason: the kind of reason.
        rule: the rule that gives the dice.
        colour: the colour of the dice; None where the reason brings none.
        as_active: whether the modifiers of the Active hold.
        link: the link whose label it is.
        is_again: whether the entry has used the same reason before.
        is_joined: whether it only joins a die that the entry has taken already (Goal and Bias together).
    """

    character: str
    owner: ScalarNode
    word: ScalarNode
    times: int
    reason: Reason
    rule: str
    colour: Colour | None
    as_active: bool
    link: Link | None = None
    is_again: bool = False
    is_joined: bool = False

    @property
    def brings(self) -> int:
        """The number of dice, also if the rules allow fewer: the log wins."""
        return 0 if self.colour is None or self.is_again or self.is_joined else self.times


def doubt(conflict: Conflict, id: str) -> str:
    """The key for doubt about a character's dice in a conflict."""
    return f"dice:{conflict.number}:{id}"


# --- what an entry uses ---------------------------------------------------------------------------


def takes_part(conflict: Conflict, id: str) -> bool:
    """Whether a character is in a conflict."""
    return id in conflict.hands or id == conflict.against


def has_red_links_only(play: Table, conflict: Conflict, id: str) -> bool:
    """I72, IA14: whether only red links bring a character dice."""
    hand = conflict.hands.get(id)
    is_default = hand is not None and hand.defaulted
    return is_default and play.ruling("late_hostile_dice") == "links"


def _may_use(play: Table, conflict: Conflict, id: str) -> bool:
    defends_plainly = id == conflict.against and play.ruling("defender_modifiers") == "none"
    return (
        takes_part(conflict, id)
        and not has_red_links_only(play, conflict, id)
        and not defends_plainly
    )


def uses_of(play: Table, conflict: Conflict, use: Reasons, because: Reasons) -> list[Use]:
    """The reasons of an entry in order, for all who can have modifiers."""
    uses: list[Use] = []
    for owner, reasons in use.items():
        id = find_character(play, owner)
        for counted in reasons if id and _may_use(play, conflict, id) else ():
            new_use = _use_of(play, conflict, id, owner, counted)
            uses.append(_compared(play, new_use, uses))
    for owner, reasons in because.items():
        id = find_character(play, owner)
        for counted in reasons if id else ():
            played = _role_played(conflict, id, owner, counted)
            uses.append(_compared(play, played, uses))
    return uses


def _role_played(conflict: Conflict, id: str, owner: ScalarNode, counted: Counted) -> Use:
    is_active = id == conflict.active
    reason = Reason.ROLE_PLAYING
    return Use(id, owner, counted.name, counted.count, reason, "I31", GREEN, is_active)


def _use_of(play: Table, conflict: Conflict, id: str, owner: ScalarNode, counted: Counted) -> Use:
    words, times = fold(counted.name), counted.count
    is_defender = id == conflict.against
    as_active = id == conflict.active or (
        is_defender and play.ruling("defender_modifiers") == "active"
    )
    reason, rule, colour = Reason.LABEL, "I34", None
    if words == "profession":
        reason, rule, colour = Reason.PROFESSION, "I29" if as_active else "I37", GREEN
    elif words in _GOAL_OR_BIAS:
        reason, rule, colour = Reason.GOAL_OR_BIAS, "I33" if as_active else "I35", GREEN
    elif words in _AGAINST:
        reason, rule, colour = Reason.AGAINST, "I32" if as_active else "I36", RED
    elif words == "stress":
        # The Active has these dice anyhow; a Passive takes them against the rule.
        reason, rule, colour = Reason.STRESS, "I30", None if as_active else RED
        times = times if as_active else play.state.stress
    elif words in _ROLE_PLAYING:
        return _role_played(conflict, id, owner, counted)
    elif not as_active:
        return _label_of(play, conflict, id, owner, counted)
    return Use(id, owner, counted.name, times, reason, rule, colour, as_active)


def _label_of(play: Table, conflict: Conflict, id: str, owner: ScalarNode, counted: Counted) -> Use:
    pair = play.state.pair(id, conflict.active)
    link = find_link(play, pair, str(counted.name))
    colour = link.colour if link is not None else None
    if link is None and _is_unlabelled(counted.name) and any(play.state.unlabelled(pair)):
        colour = GREEN if play.state.unlabelled(pair).green else RED
    reason = Reason.LABEL
    return Use(id, owner, counted.name, counted.count, reason, "I34", colour, False, link)


def _is_unlabelled(word: ScalarNode) -> bool:
    return fold(word).startswith("unlab")


def _compared(play: Table, use: Use, earlier: Sequence[Use]) -> Use:
    """The use, compared with earlier uses in the entry."""
    own = [
        earlier_use
        for earlier_use in earlier
        if earlier_use.character == use.character and earlier_use.reason is use.reason
    ]
    words = fold(use.word)
    if use.reason is Reason.LABEL and use.link is not None:
        used = sum(own_use.times for own_use in own if _is_same_label(own_use.link, use.link))
        is_again = bool(used) and used + use.times > _links_with_label(play, use)
        return use._replace(is_again=is_again)
    if use.reason in (Reason.PROFESSION, Reason.STRESS):
        return use._replace(is_again=bool(own))
    is_again = any(fold(own_use.word) == words for own_use in own)
    is_together = use.reason in (Reason.GOAL_OR_BIAS, Reason.AGAINST) and bool(own)
    if is_together and not is_again and play.ruling("goal_bias_dice") != "each":
        return use._replace(is_joined=True)
    return use._replace(is_again=is_again)


def _is_same_label(first: Link | None, second: Link) -> bool:
    return first is not None and first.label == second.label


def _links_with_label(play: Table, use: Use) -> int:
    """How many links of the pair have the label of a use."""
    assert use.link is not None
    links = play.state.labelled(use.link.pair)
    return sum(link.label == use.link.label for link in links)


def add_modifiers(play: Table, conflict: Conflict, uses: Sequence[Use]) -> None:
    """Put the dice of some uses on the table."""
    for use in uses:
        modifiers = conflict.modifiers.setdefault(use.character, [])
        if use.is_joined:
            joined = next(modifier for modifier in modifiers if modifier.rule == use.rule)
            joined.why += f" and {use.word}"
        elif use.brings:
            assert use.colour is not None
            modifiers.append(Modifier(use.colour, use.times, why_of(use), use.rule))


def tell_modifiers(play: Table, uses: Sequence[Use]) -> None:
    """Add an event for the dice of each use."""
    for use in uses:
        if use.is_joined:
            text = f"{use.character}: Goal and Bias bring one {use.colour} die together"
            play.event(text, use.rule, "modifier", use.character)
        elif use.brings:
            text = f"{use.character}: +{use.times} {use.colour} ({why_of(use)})"
            play.event(text, use.rule, "modifier", use.character)
        elif use.reason is Reason.STRESS and use.as_active:
            dice = plural(play.state.stress, "red die", "red dice")
            play.event(f"{use.character}: {dice} for Stress, as always", "I30", kind="agrees")


def why_of(use: Use) -> str:
    """The reason as a hand of dice shows it."""
    if use.reason is Reason.PROFESSION:
        return "Profession"
    if use.reason is Reason.STRESS:
        return "Stress"
    return use.link.label if use.link is not None else str(use.word)


# --- what is wrong with it ------------------------------------------------------------------------


def strangers(play: Table, conflict: Conflict, use: Reasons) -> Iterator[Violation]:
    """I38, I72, I77: dice for a character who has no modifiers."""
    for owner in use:
        id = find_character(play, owner)
        if not id:
            continue
        if not takes_part(conflict, id):
            yield Violation(
                f"{id} takes no part in this and gets no dice", owner, doubts=[doubt(conflict, id)]
            )
        elif has_red_links_only(play, conflict, id):
            message = f"{id} defaults to Neutral: only red links bring {id} dice"
            yield Violation(message, owner, rule="I72", doubts=[doubt(conflict, id)])
        elif not _may_use(play, conflict, id):
            yield Violation(f"{id} defends without modifiers at this table", owner, rule="I77")


def _since(play: Table, use: Use) -> int | None:
    """The entry from which the links with the label of a use are known, if a gap after it may have drawn another."""
    return None if use.link is None else labels_known(play, [use.link.pair])


def used_again(
    play: Table, conflict: Conflict, uses: Sequence[Use], path: str
) -> Iterator[Violation]:
    """I29 to I37: one reason brings dice once."""
    for use in uses:
        if use.is_again:
            links = _links_with_label(play, use) if use.link is not None else 1
            often = "once" if links == 1 else plural(links, "time")
            yield Violation(
                f"'{use.word}' brings {use.character} dice {often}; it is used more often here",
                use.word,
                make_fix(RemoveItem(str(use.word), place_of(use.word, path))),
                rule=use.rule,
                since=_since(play, use),
                state_kind="tracks",
                doubts=[doubt(conflict, use.character)],
            )


def more_than_one(play: Table, conflict: Conflict, uses: Sequence[Use]) -> Iterator[Violation]:
    """I29, I32 to I37: one reason, one die."""
    for use in uses:
        if use.is_again or use.is_joined:
            continue
        if use.reason is Reason.PROFESSION and use.times != 1:
            message = f"the Profession brings {use.character} one green die, not {use.times}"
        elif use.reason in (Reason.GOAL_OR_BIAS, Reason.AGAINST) and use.times != 1:
            message = f"'{use.word}' brings {use.character} one {use.colour} die, not {use.times}"
        elif use.link is not None and use.times > _links_with_label(play, use):
            dice = plural(_links_with_label(play, use), "die", "dice")
            message = f"'{use.link.label}' brings {use.character} {dice}, not {use.times}"
        else:
            continue
        yield Violation(
            message,
            use.word,
            rule=use.rule,
            since=_since(play, use),
            state_kind="tracks",
            doubts=[doubt(conflict, use.character)],
        )


def stress_of_passives(conflict: Conflict, uses: Sequence[Use]) -> Iterator[Violation]:
    """I30: the Stress Level is the Active's."""
    for use in uses:
        if use.reason is Reason.STRESS and not use.as_active:
            yield Violation(
                f"only the Active Player adds the Stress Level; {use.character} is passive",
                use.word,
                doubts=[doubt(conflict, use.character)],
            )


def wrong_labels(
    play: Table, conflict: Conflict, uses: Sequence[Use], path: str
) -> Iterator[Violation]:
    """I34: a labelled link that bears strongly on the action brings a Passive a die of its colour."""
    any_label = play.ruling("label_bonus") == "any"
    for use in uses:
        if use.reason is not Reason.LABEL:
            continue
        name, link = str(use.word), use.link
        if use.as_active:
            yield Violation(
                f"'{name}': labels of links bring dice to Passive Players, not to {use.character}",
                use.word,
                help="modifiers of the Active: profession, goal, bias, against goal, against bias; "
                "exceptional role-playing goes under because:",
                doubts=[doubt(conflict, use.character)],
            )
        elif link is None:
            yield _unknown_label(play, conflict, use)
        elif link.topic is not Topic.DESCRIPTOR and not any_label:
            yield Violation(
                f"'{link.label}' is about {_TOPIC_NAMES[link.topic]}; only descriptor links bring this die",
                use.word,
                make_fix(RemoveItem(name, place_of(use.word, path))),
                help="goal and bias have modifiers of their own",
                doubts=[doubt(conflict, use.character)],
                facts=[play.because(link.since, "drawn here")],
            )


def _unknown_label(play: Table, conflict: Conflict, use: Use) -> Violation:
    pair = play.state.pair(use.character, conflict.active)
    labels = [link.label for link in play.state.labelled(pair)]
    message = f"{use.character} and {conflict.active} share no link labelled '{use.word}'"
    if _is_unlabelled(use.word):
        message = "an unlabelled link brings no die here"
    return Violation(
        message,
        use.word,
        replace_with(labels),
        help=() if labels else "there is no label between them",
        since=labels_known(play, [pair]),
        state_kind="tracks",
        after=pair_keys(pair),
        doubts=[doubt(conflict, use.character)] if use.colour is None else (),
    )


def role_playing(play: Table, conflict: Conflict, uses: Sequence[Use]) -> Iterator[Violation]:
    """I31: dice for exceptional role-playing are the Active's, and few."""
    played = [use for use in uses if use.reason is Reason.ROLE_PLAYING]
    for use in played:
        if use.character != conflict.active:
            yield Violation(
                "dice for exceptional role-playing go to the Active Player, "
                f"not to {use.character}",
                use.word,
                doubts=[doubt(conflict, use.character)],
            )
    for owner in dict.fromkeys(use.owner for use in played):
        id = find_character(play, owner)
        dice = sum(use.brings for use in played if use.character == id)
        if play.ruling("roleplay_cap") == "one":
            if dice > 1:
                yield Violation(f"role-playing brings one die here, not {dice}", owner)
        elif dice >= 3:
            yield Violation(
                f"{dice} green dice for role-playing: three or more are rare",
                owner,
                kind=DiagnosticKind.SUSPICIOUS,
            )
