"""Who and what a name in the log means: characters, their resources, the Handler's two pools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import listed
from chronicle.core.fix import add_entry
from chronicle.core.kinds import NAME, TEXT, MapOf, label
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.source import Place, ScalarNode
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    CONTACT,
    FLOW,
    PUSHING,
    RESOURCE,
    SPY,
    Kind,
    Spy,
    Table,
)

V = TypeVar("V")

CONTACTS = MapOf(label(NAME), TEXT)
"""Contacts, each with a speciality."""
HANDLER = ("Handler", "the Handler")
"""The name of the person who plays the Agency and the Opposition, in the rules."""


def character(play: Table, word: ScalarNode) -> Spy | None:
    """The main character that a name (or the player's name) means; a miss is reported once."""
    spies = play.names.find(word, (SPY,))
    if isinstance(spies, Named):
        return play.state.cast[spies.id]
    if _is_reported(play, word):
        return None
    named = play.find(word, (SPY, PLAYER), "spy")
    if named is None:
        return None
    if named.kind == SPY:
        return play.state.cast[named.id]
    spy = play.state.of_player(named.name)
    if spy is None:
        play.unreadable(
            "T50",
            f"{named.name} plays no spy yet",
            at=word,
            fix=add_entry(f"spy: ...\nby: {named.name}"),
        )
    return spy


def _is_reported(play: Table, word: ScalarNode) -> bool:
    """Whether this entry has a report about an unknown name already."""
    if play.look_up(word, (SPY, PLAYER)) is not None:
        return False
    place = place_of_word(play.step.action, word)
    return any(
        problem.code == "T50" and problem.place == place for problem in play.step.diagnostics
    )


def look_up(play: Table, word: ScalarNode) -> Spy | None:
    """The main character that a name (or the player's name) means; nothing is reported."""
    named = play.look_up(word, (SPY,)) or play.look_up(word, (SPY, PLAYER))
    if named is None:
        return None
    return play.state.cast[named.id] if named.kind == SPY else play.state.of_player(named.name)


def ids_of(play: Table, words: Iterable[ScalarNode]) -> list[str]:
    """The ids of the main characters that names mean, each once; nothing is reported."""
    spies = [look_up(play, word) for word in words]
    return [*dict.fromkeys(spy.id for spy in spies if spy is not None)]


def characters(play: Table, words: Iterable[ScalarNode]) -> list[Spy]:
    """Several main characters, each once; misses are reported and left out."""
    spies: dict[str, Spy] = {}
    for word in words:
        spy = character(play, word)
        if spy is not None:
            spies.setdefault(spy.id, spy)
    return list(spies.values())


def each(play: Table, values: Mapping[ScalarNode, V] | None) -> Iterator[tuple[Spy, ScalarNode, V]]:
    """Main characters, each with its name as typed and its value; misses are reported and left
    out."""
    for word, value in (values or {}).items():
        spy = character(play, word)
        if spy is not None:
            yield spy, word, value


def no_names(words: Sequence[ScalarNode]) -> bool:
    """Whether a list is empty, or says so in a word."""
    return [word.strip().casefold() for word in words] in ([], ["nobody"], ["none"], ["no"], [""])


def call_handler(play: Table) -> None:
    """In a log, as in the rules, the person who runs the game is the Handler. A player or a spy of
    that name comes first."""
    for name in HANDLER:
        if play.runner and not isinstance(play.names.find(name, (PLAYER,)), Named):
            play.names.alias(play.runner, name, words=False)


def is_pool(play: Table, word: str, name: str) -> bool:
    """Whether a key of a throw means one of the Handler's pools (by its name or the Handler's)."""
    folded = fold(word)
    if folded == fold(name) or (play.runner and folded == fold(play.runner)):
        return True
    if folded not in (fold(role) for role in HANDLER):
        return False
    named = play.names.find(word, (SPY, PLAYER))
    return not isinstance(named, Named) or named.id == play.runner


def resource(play: Table, spy: Spy, word: ScalarNode) -> str:
    """The id of a spy's resource; empty if it is none of theirs."""
    text = word.strip()
    if spy.speciality and text.casefold() == "speciality":
        return spy.resource
    own = spy.resources()
    for id, name in own.items():
        if name.casefold() == text.casefold():
            return id
    named = play.names.find(word, (RESOURCE, CONTACT), own)
    return named.id if isinstance(named, Named) else ""


def owner_of_resource(play: Table, word: ScalarNode) -> Spy | None:
    """Whose resource a name means, if it is anybody's."""
    named = play.names.find(word, (RESOURCE, CONTACT))
    ids = (
        [named.id] if isinstance(named, Named) else [candidate.id for candidate in named.candidates]
    )
    for spy in play.state.cast.values():
        if any(id in spy.resources() for id in ids):
            return spy
    return None


def resource_name(spy: Spy, id: str) -> str:
    """What people call a resource."""
    return spy.resources().get(id, id)


def gain_dice(play: Table, spy: Spy, dice: int, rule: str, why: str) -> None:
    """A spy gains persistent Agency dice (fewer than none: they leave play)."""
    account = f"persistent:{spy.id}"
    spy.dice_before = play.balance(account, AGENCY_DIE)
    spy.dice_rule = rule
    play.move(BOX, account, dice, AGENCY_DIE, rule, why)


def in_mini(play: Table, spy: Spy, at: ScalarNode | Place | None) -> bool:
    """Whether a spy can be used in the mini segment at hand, or there is none (S15.7, S17.6)."""
    mini = play.state.mini
    if mini is None or spy.id in mini.spies:
        return True
    push = mini.kind is Kind.PUSH
    return play.illegal(
        "S17.6" if push else "S15.7",
        f"{spy.id} {'does not push' if push else 'is not implicated'} and cannot be used here",
        at=at,
        facts=(play.because(mini.step, f"it is about {listed(mini.spies) or 'nobody'}"),),
        after=(PUSHING, FLOW),
    )
