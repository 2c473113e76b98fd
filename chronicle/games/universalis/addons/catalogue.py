"""All add-ons, in the order of their ids, and the words that only they bring into a log.

Few campaigns use more than three of the fifty, so each is imported when a log first speaks of it. Each line
must therefore match what its module declares; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from chronicle.core.game import OnDemand
from chronicle.games.universalis.addons.base import AddOn


class Words(NamedTuple):
    """What exists only through one add-on: verbs, figures to assert, rulings to choose."""

    verbs: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


NO_WORDS = Words()

ADD_ONS: Mapping[str, Words] = {
    "first refreshment": NO_WORDS,
    "creation phases": NO_WORDS,
    "serial structure": Words(verbs=("leave open", "tie up")),
    "jobs": Words(verbs=("hire", "deliver", "wages")),
    "several tenets": NO_WORDS,
    "seed element": Words(verbs=("seed",)),
    "open scene framing": Words(verbs=("switch",), rulings=("open refreshment",)),
    "judgment": Words(verbs=("judgment", "decide", "overrule")),
    "alternate reality": Words(
        verbs=("mirror", "branch"), rulings=("mirror of faded", "mirror scenes")
    ),
    "friendly control": Words(verbs=("cede",)),
    "free dialog": Words(rulings=("free dialog",)),
    "losing challenge bids": NO_WORDS,
    "using challenge bids": NO_WORDS,
    "cards as coins": NO_WORDS,
    "greater control": NO_WORDS,
    "public domain": NO_WORDS,
    "royalty": Words(verbs=("royalty",)),
    "player characters": Words(verbs=("player character",), rulings=("pc trait",)),
    "endowment": Words(measures=("endowment",)),
    "plot protection": Words(verbs=("protect",), rulings=("both protections",)),
    "descriptive paragraph": Words(verbs=("paragraph",)),
    "story drivers": Words(verbs=("driver", "driver coins")),
    "durable": NO_WORDS,
    "enigma": Words(verbs=("enigma",), rulings=("special traits",)),
    "refreshment boost": NO_WORDS,
    "no new traits": Words(verbs=("climactic scene",)),
    "named character limit": NO_WORDS,
    "one trait per turn": NO_WORDS,
    "no duplicate traits": NO_WORDS,
    "most important protagonist": NO_WORDS,
    "plot pools": Words(verbs=("plot pool",), rulings=("plot pool rate",)),
    "plot threads": Words(
        verbs=("plot thread", "resolve"), measures=("weight",), rulings=("thread resolver",)
    ),
    "dice only added": NO_WORDS,
    "choice of pool method": Words(verbs=("pool method",)),
    "standard pool": NO_WORDS,
    "independent target pools": Words(rulings=("match coins",)),
    "split allocation": Words(rulings=("allocated side",)),
    "individual pools": NO_WORDS,
    "all or none": Words(rulings=("tied target pools",)),
    "best effort": NO_WORDS,
    "nested complications": Words(verbs=("nest",)),
    "six-sided dice": NO_WORDS,
    "extended complications": Words(verbs=("extend",), rulings=("price of extending",)),
    "cards instead of dice": Words(verbs=("hand",)),
    "standard intersession": NO_WORDS,
    "everybody present": NO_WORDS,
    "revisit tenets": NO_WORDS,
    "new players": Words(verbs=("newcomer", "bid for seats")),
    "coin options": NO_WORDS,
    "between sessions": Words(verbs=("present",)),
}
"""Every add-on by what logs call it. A new one is a module of that name and a line here."""

ON_DEMAND = OnDemand(
    extension_by_verb=MappingProxyType(
        {verb: key for key, words in ADD_ONS.items() for verb in words.verbs}
    ),
    extension_by_measure=MappingProxyType(
        {word: key for key, words in ADD_ONS.items() for word in words.measures}
    ),
    extension_by_ruling=MappingProxyType(
        {word: key for key, words in ADD_ONS.items() for word in words.rulings}
    ),
)
"""Which add-on knows a word."""


@cache
def add_on(key: str) -> type[AddOn]:
    """The add-on that logs call ``key``.

    Raises:
        KeyError: when there is none.
    """
    ADD_ONS[key]
    name = key.replace(" ", "_").replace("-", "_")
    module = import_module(f"chronicle.games.universalis.addons.{name}")
    return next(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, AddOn) and kind.key == key
    )


def all_add_ons() -> tuple[type[AddOn], ...]:
    """All of them, in the order of their ids."""
    return tuple(map(add_on, ADD_ONS))


def owner(verb: str) -> type[AddOn] | None:
    """The add-on that a verb belongs to; None for a verb of the core rules."""
    key = ON_DEMAND.extension_by_verb.get(verb)
    return None if key is None else add_on(key)
