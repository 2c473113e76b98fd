"""Helpers for all chapters: names of players, and changes of links and figures in the ledger."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from chronicle.core.game_context import GameContext
from chronicle.core.guards import Violation
from chronicle.core.names import fold
from chronicle.core.record import Throw as LuckThrow
from chronicle.core.shared_verbs import PlayStarts
from chronicle.core.source import Place
from chronicle.core.stated_figures import Snapshot
from chronicle.games.isolation.dice import GREEN, RED, Colour, Throw
from chronicle.games.isolation.state import (
    LINK,
    STRESS,
    WOUND,
    Conflict,
    Health,
    Link,
    LooseChange,
    PairKey,
    Person,
    State,
    StressChange,
    Tally,
    Topic,
)

Table = GameContext[State]

BOX = "box"
"""Where links come from and go to."""
THREAT_ACCOUNT = "threat"
"""Where Stress and wounds come from."""


def _characters_of(play: Table, player: str) -> list[str]:
    return [
        p.id for p in play.state.people.values() if p.player == player and (p.playing or not p.npc)
    ]


def embodied(play: Table, player: str) -> str:
    """The character that a player's name means; empty if it is not one."""
    own = _characters_of(play, player)
    return own[0] if len(own) == 1 else ""


def same_words(first: str, second: str) -> bool:
    """Whether two labels say the same, letter case and spacing aside."""
    return fold(first) == fold(second)


_PLUS = re.compile(r"\s+\+\s+|\s*\+\s+|\s+\+\s*")


_SPACED_PLUS = re.compile(r"\s+\+\s+")


def halves(label: str) -> tuple[str, ...]:
    """``patient + scatterbrained`` as its two descriptors, folded and sorted. A descriptor can have a plus sign of its
    own (``50+ and proud``): the sign with a space on both sides comes first."""
    by_spaces = [fold(part) for part in _SPACED_PLUS.split(label) if part.strip()]
    if len(by_spaces) == 2:
        return tuple(sorted(by_spaces))
    return tuple(sorted(fold(part) for part in _PLUS.split(label) if part.strip()))


def same_label(first: str, second: str) -> bool:
    """Whether two labels name the same link: the order of two descriptors does not matter."""
    return halves(first) == halves(second)


# --- doubt: what an earlier mistake has made uncertain ---------------------------------------------


def pair_keys(pair: PairKey) -> tuple[str, ...]:
    """The figures of a pair that a mistake can put in doubt."""
    name = f"{pair[0]} & {pair[1]}"
    return (f"map:{name}", f"green:{name}", f"red:{name}", f"unlabelled:{name}")


def doubt_pairs(play: Table, pairs: Iterable[PairKey]) -> None:
    """Put the links of some pairs in doubt because of the last finding of this entry."""
    for pair in pairs:
        play.taint(*pair_keys(pair))


def keys_of_effects(state: State) -> list[str]:
    """All figures that a proposal can change: keys for doubt about one that the record lacks, or that is unreadable."""
    health = [f"health:{id}" for id in state.people]
    links = [key for pair in state.pairs() for key in pair_keys(pair)]
    return [*health, *links, "stress:", "living:"]


def hand_on(play: Table, key: str, keys: Iterable[str]) -> None:
    """Mark figures as doubtful that follow from a doubtful figure."""
    cause = play.tainted.get(key)
    if cause is not None:
        for second in keys:
            play.tainted.setdefault(second, cause)


_COUNTED: Final[Mapping[str, tuple[str, ...]]] = {
    "map": ("green", "red"),
    "stress": ("stress",),
    "health": ("health",),
}
"""For each kind of doubt, the figures that a log can count to end it."""


def known_before_gap(
    play: Table, doubts: Iterable[str], colour: Colour | None = None
) -> int | None:
    """The entry from which figures are known, if a gap after it may have changed one of them; else None.
    ``doubts`` are their doubts. With ``colour`` the links of the other colour do not matter."""
    if not play.gaps.all_gaps:
        return None
    keys = [
        f"{figure}:{owner}"
        for kind, _, owner in (doubt.partition(":") for doubt in doubts)
        for figure in _COUNTED.get(kind, ())
        if kind != "map" or colour is None or figure == str(colour)
    ]
    return _earliest_known(play, [key for key in keys if _is_uncertain(play, key)])


def _is_uncertain(play: Table, figure: str) -> bool:
    return bool(play.uncertain_since(figure, "tracks"))


def _earliest_known(play: Table, figures: Iterable[str]) -> int | None:
    """The entry from which the log gives all of some figures: 0 if an entry below the last gap has made one of them
    uncertain."""
    gap = play.gap_since("tracks")
    known = ((play.known_from(key, "tracks"), _is_uncertain(play, key)) for key in figures)
    return min((step if gap > step or not is_open else 0 for step, is_open in known), default=None)


def links_known(play: Table, pair: PairKey, colour: Colour) -> int | None:
    """The entry from which the number of links of a pair is known in a log with a gap; None without a gap."""
    figure = f"{colour}:{play.state.name_of(pair)}"
    return _earliest_known(play, [figure]) if play.gaps.all_gaps else None


def labels_known(play: Table, pairs: Iterable[PairKey]) -> int | None:
    """The same for the labels of some pairs. Players who count the links of a pair do not say their labels."""
    figures = [f"map:{play.state.name_of(pair)}" for pair in pairs]
    return _earliest_known(play, figures) if play.gaps.all_gaps else None


def are_labels_uncertain(play: Table, pair: PairKey) -> bool:
    """Whether a gap may have drawn or erased labelled links of a pair."""
    return _is_uncertain(play, f"map:{play.state.name_of(pair)}")


def is_cast_uncertain(play: Table) -> bool:
    """Whether a gap may hide who has come, or left, since the players counted the Living Characters."""
    return play.gap_since("cast") > play.known_from("living:", "cast")


def living_known(play: Table, violation: Violation, doubts: Iterable[str]) -> Violation:
    """A violation that rests on the number of Living Characters, and on the figures of some doubts. After a gap, only
    players who count them make the number known."""
    counted = play.known_from("living:", "cast")
    if is_cast_uncertain(play):
        return violation._replace(since=counted, state_kind="cast")
    health = () if play.gap_since("tracks") <= counted else play.state.people
    keys = [*doubts, *(f"health:{id}" for id in health)]
    return violation._replace(since=known_before_gap(play, keys), state_kind="tracks")


# --- links ----------------------------------------------------------------------------------------


def add_link(
    play: Table,
    pair: PairKey,
    colour: Colour,
    label: str,
    topic: Topic,
    rule: str,
    *,
    place: Place | None = None,
    owner: str = "",
    level: Health = Health.HEALTHY,
    behind: str = "",
) -> Link:
    """Draw a labelled link."""
    state = play.state
    link = Link(
        pair,
        colour,
        label,
        topic,
        play.step.number,
        place or play.step.action.place(),
        owner,
        level,
        behind,
    )
    state.links.append(link)
    state.by_pair.setdefault(pair, []).append(link)
    play.move(BOX, f"{colour}:{state.name_of(pair)}", 1, LINK, rule, label)
    return link


def erase_link(play: Table, link: Link, rule: str) -> None:
    """Take a labelled link off the map."""
    state = play.state
    link.until = play.step.number
    state.by_pair[link.pair].remove(link)
    play.move(f"{link.colour}:{state.name_of(link.pair)}", BOX, 1, LINK, rule, link.label)


def set_loose(play: Table, pair: PairKey, tally: Tally, rule: str, why: str) -> None:
    """Set the unlabelled links of a pair."""
    state = play.state
    former = state.unlabelled(pair)
    if former == tally:
        return
    name = state.name_of(pair)
    play.move(BOX, f"unlabelled green:{name}", tally.green - former.green, LINK, rule, why)
    play.move(BOX, f"unlabelled red:{name}", tally.red - former.red, LINK, rule, why)
    state.loose[pair] = tally
    state.loose_history.append(LooseChange(play.step.number, pair, tally.green, tally.red, why))


def change_loose(
    play: Table, pair: PairKey, by: int, rule: str, why: str, *, cancels: bool = True
) -> Tally:
    """Form unlabelled links: green for a positive number, red for a negative one. Opposite ones are
    cancelled first (I54), unless a reading says otherwise.
    """
    former = play.state.unlabelled(pair)
    green = former.green + max(0, by)
    red = former.red + max(0, -by)
    if cancels:
        both = min(green, red)
        green, red = green - both, red - both
    current = Tally(green, red)
    set_loose(play, pair, current, rule, why)
    return current


def at_hand(play: Table) -> Conflict | None:
    """The conflict at hand, or the last conflict; None before the first, and if the record does not have it."""
    state = play.state
    conflict = state.conflict or state.last
    if state.conflict is not None or conflict is None:
        return conflict
    lost = play.gaps.latest_step_number()
    return None if lost > conflict.result_step and lost not in conflict.steps else conflict


def counted_links(play: Table, pair: PairKey) -> tuple[int, int]:
    """Green and red links of a pair that bring dice: labelled ones and, by the default reading,
    unlabelled ones.
    """
    state = play.state
    links = state.by_pair.get(pair, ())
    green = sum(1 for link in links if link.colour is GREEN)
    red = len(links) - green
    loose = state.unlabelled(pair)
    if any(loose) and play.ruling("unlabelled_count") == "yes":
        green += loose.green
        red += loose.red
    return green, red


def free_to_cooperate(play: Table, first: str, second: str) -> bool:
    """Whether a pair has no red link (I19), and can therefore work together freely."""
    pair = play.state.pair(first, second)
    green, red = counted_links(play, pair)
    if red > told_wounds(play, [pair]):
        return False
    return bool(green) or play.ruling("no_links") == "free"


def told_wounds(play: Table, pairs: Iterable[PairKey]) -> int:
    """I57, I70: count the wound links that only a snapshot reports; pair rolls may have erased some of them before."""
    links = [link for pair in pairs for link in play.state.labelled(pair, RED)]
    steps = (play.steps[link.since - 1] for link in links if link.topic is Topic.WOUND)
    return sum(isinstance(step.action, Snapshot | PlayStarts) for step in steps)


def note_throw(play: Table, throw: Throw, player: str) -> None:
    """Record the faces that fell, with the player who threw them."""
    for colour in Colour:
        if faces := throw.of(colour).faces:
            play.step.throws.append(LuckThrow(str(colour), tuple(map(str, faces)), player))


# --- Stress and health ----------------------------------------------------------------------------


def change_stress(play: Table, by: int, rule: str, kind: str, why: str) -> int:
    """Move the Stress Level, by default not below 0. Returns the change."""
    state = play.state
    level = state.stress + by
    if level < 0 and play.ruling("stress_bounds") == "zero":
        level = 0
    change = level - state.stress
    play.move(THREAT_ACCOUNT, STRESS, change, STRESS, rule, why)
    state.stress = level
    state.stress_history.append(StressChange(play.step.number, level, kind, why))
    return change


def set_health(play: Table, person: Person, level: Health, rule: str, why: str) -> None:
    """Set the health of a character."""
    play.move(
        THREAT_ACCOUNT, f"wounds:{person.id}", int(level) - int(person.health), WOUND, rule, why
    )
    person.health = level
    person.history.append((play.step.number, level, why))


def living_count(play: Table) -> int:
    """I42: the Living Characters, present or not. By default, those who have left do not count."""
    return sum(
        1
        for person in play.state.people.values()
        if person.alive and (not person.out or play.ruling("living") == "alive")
    )
