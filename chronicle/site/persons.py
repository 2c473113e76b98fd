"""``players.yaml`` of a project: who is one person over several campaigns.

    Ana Berger:
      the-ferry-house: Ana
      gallery-nine: [Anna, Ana B.]

A name here is the name that readers see in that campaign. So the file cannot reveal a player with a
pseudonym.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from chronicle.core.errors import Refused
from chronicle.site.cards import Card

FILE: Final = "players.yaml"
MOST: Final = 1_000_000
"""How many bytes of it are read."""
_SEAT: Final = re.compile(r"Player \d+")
"""The public name of a player without a pseudonym: it could be any player."""


class PlayersRefused(Refused):
    """The file cannot be read; the message says where and why."""


def persons(data: bytes) -> dict[str, dict[str, tuple[str, ...]]]:
    """Persons by name, each with the names they have in campaigns, by folder.

    Raises:
        PlayersRefused: when it is anything else.
    """
    if len(data) > MOST:
        raise PlayersRefused(f"{FILE} is larger than {MOST:,} bytes")
    try:
        tree = yaml.load(data, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{FILE}:{mark.line + 1}" if mark is not None else FILE
        problem = getattr(error, "problem", None) or "this is no YAML"
        raise PlayersRefused(f"{where}: {problem}") from None
    if not tree:
        return {}
    return {name: _seats(name, seats) for name, seats in _mapping(tree, "").items()}


def _mapping(tree: Any, of: str) -> dict[str, Any]:
    if not isinstance(tree, dict) or not all(isinstance(key, str) and key.strip() for key in tree):
        owner = f" of '{of}'" if of else ""
        want = "campaign: name, a line each" if of else "Name:  with campaign: name below it"
        raise PlayersRefused(f"{FILE}: what stands there{owner} is no mapping; write  {want}")
    return tree


def _seats(person: str, tree: Any) -> dict[str, tuple[str, ...]]:
    seats: dict[str, tuple[str, ...]] = {}
    for folder, seat_names in _mapping(tree, person).items():
        names = seat_names if isinstance(seat_names, list) else [seat_names]
        if not names or not all(isinstance(name, str) and name.strip() for name in names):
            raise PlayersRefused(
                f"{FILE}: '{person}' in '{folder}' is no name; write  {folder}: Ana"
            )
        seats[folder] = tuple(name.strip() for name in names)
    return seats


def joined(
    persons_by_name: Mapping[str, Mapping[str, tuple[str, ...]]], cards: Mapping[str, Card]
) -> tuple[dict[str, list[tuple[str, str]]], list[str]]:
    """Persons with their seats, and messages about entries of the file that match no player.

    Args:
        persons_by_name: the entries of the file.
        cards: the shown campaigns, by the names of their folders and by their paths on the site.
    """
    people: dict[str, list[tuple[str, str]]] = {}
    messages: list[str] = []
    whose: dict[tuple[str, str], str] = {}
    for person, seats in persons_by_name.items():
        person_seats = people.setdefault(person.strip(), [])
        for folder, name in _each(seats):
            card = cards.get(folder)
            if card is None:
                messages.append(f"{FILE}: '{person}': no campaign '{folder}' is shown")
            elif name not in card.players or _SEAT.fullmatch(name):
                messages.append(f"{FILE}: '{person}': readers know no '{name}' in '{folder}'")
            elif whose.setdefault((card.folder, name), person) != person:
                other_person = whose[card.folder, name]
                messages.append(f"{FILE}: '{name}' in '{folder}' is '{other_person}' already")
            else:
                person_seats.append((card.folder, name))
    return {name: seats for name, seats in people.items() if seats}, messages


def _each(seats: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for folder, names in seats.items():
        for name in names:
            yield folder, name
