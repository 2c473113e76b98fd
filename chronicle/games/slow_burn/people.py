"""Who and what a name in the log means: characters, their resources, the Handler's two pools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from chronicle.core.declare import Action
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import NAME, TEXT, MapOf, label
from chronicle.core.fix import RemoveKey, SetKey, make_fix
from chronicle.core.guards import Violation
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.source import ScalarNode
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    CONTACT,
    FLOW,
    PUSHING,
    RESOURCE,
    SPY,
    Kind,
    Mini,
    Spy,
    Table,
)

V = TypeVar("V")

FIRST_CONTACTS = 2
"""S2.5: how many contacts a spy starts with."""
CONTACTS = MapOf(label(NAME), TEXT)
"""Contacts, each with a speciality."""
HANDLER = ("Handler", "the Handler")
"""The name of the person who plays the Agency and the Opposition, in the rules."""


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
    """Several main characters, each once; nothing is reported."""
    return [play.state.cast[id] for id in ids_of(play, words)]


def each(play: Table, values: Mapping[ScalarNode, V] | None) -> Iterator[tuple[Spy, ScalarNode, V]]:
    """Main characters, each with its name as typed and its value; nothing is reported."""
    for word, value in (values or {}).items():
        spy = look_up(play, word)
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
            play.names.alias(play.runner, name, index_words=False)


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


def is_sheet_whole(play: Table, spy: Spy) -> bool:
    """Whether all contacts of a spy are on record: none can have been written in a gap."""
    return play.gap <= spy.step or (spy.is_spy and len(spy.contacts) >= FIRST_CONTACTS)


def resource_name(spy: Spy, id: str) -> str:
    """What people call a resource."""
    return spy.resources().get(id, id)


def gain_dice(play: Table, spy: Spy, dice: int, rule: str, why: str) -> None:
    """A spy gains persistent Agency dice (fewer than none: they leave play)."""
    account = f"persistent:{spy.id}"
    spy.dice_before = play.balance(account, AGENCY_DIE)
    spy.dice_rule = rule
    play.move(BOX, account, dice, AGENCY_DIE, rule, why)


def of_others(
    play: Table, action: Action, words: Iterable[ScalarNode], pool: str, rules: tuple[str, str]
) -> Iterator[Violation]:
    """S10.2, S10.3, S12.2, S12.3, S14.5: that somebody signs an entry with dice of others alone. Who has dice of the
    own in it may write down those of the table; anybody may roll for a player who is away.

    Args:
        play: the table.
        action: the entry.
        words: the sides that roll in it, as named.
        pool: what the Handler's dice are called.
        rules: the rule about a spy's dice, and that about the Handler's.
    """
    signer = play.step.player if action.by is not None else ""
    if not signer:
        return
    others: list[tuple[str, Violation]] = []
    for word in words:
        is_handlers = bool(pool) and is_pool(play, word, pool)
        spy = None if is_handlers else look_up(play, word)
        owner = play.runner if is_handlers else spy.player if spy is not None else ""
        dice = f"the {pool}'s dice" if spy is None else f"{spy.id}'s dice"
        if not owner or owner == signer:
            return
        part = f"the Handler's part, {owner}'s" if is_handlers else f"{owner}'s part"
        message = f"{signer} rolls {dice}; that is {part}"
        fix = [make_fix(RemoveKey("by")), make_fix(SetKey("by", owner))]
        rule = rules[1] if is_handlers else rules[0]
        others.append((owner, Violation(message, "by", fix, is_certain=True, rule=rule)))
    yield from (violation for owner, violation in others if owner in play.present)


def outside_mini(play: Table, mini: Mini | None, spy: Spy, word: ScalarNode) -> Violation | None:
    """S15.7, S17.6: that a spy cannot be used in a mini segment."""
    if mini is None or spy.id in mini.spies or mini.is_open or not mini.spies:
        return None
    is_push = mini.kind is Kind.PUSH
    return Violation(
        f"{spy.id} {'does not push' if is_push else 'is not implicated'} and cannot be used here",
        word,
        facts=[play.because(mini.step, f"it is about {listed(mini.spies) or 'nobody'}")],
        help=f"leave {spy.id} and the dice out; or, if this is a scene of the Job, log the rest of the mini "
        "segment above it",
        after=[PUSHING, FLOW],
        rule="S17.6" if is_push else "S15.7",
    )
