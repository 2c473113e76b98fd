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
from chronicle.site.cards import CampaignCard

PLAYERS_FILE: Final = "players.yaml"
MAX_PLAYERS_FILE_BYTES: Final = 1_000_000
"""How many bytes of it are read."""
_NUMBERED_PLAYER: Final = re.compile(r"Player \d+")
"""The public name of a player without a pseudonym: it could be any player."""


class PlayersRefused(Refused):
    """The file cannot be read; the message says where and why."""


def read_persons(file_contents: bytes) -> dict[str, dict[str, tuple[str, ...]]]:
    """Persons by name, each with the names they have in campaigns, by folder.

    Raises:
        PlayersRefused: when it is anything else.
    """
    if len(file_contents) > MAX_PLAYERS_FILE_BYTES:
        raise PlayersRefused(f"{PLAYERS_FILE} is larger than {MAX_PLAYERS_FILE_BYTES:,} bytes")
    try:
        yaml_tree = yaml.load(file_contents, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        yaml_mark = getattr(error, "problem_mark", None)
        error_place = (
            f"{PLAYERS_FILE}:{yaml_mark.line + 1}" if yaml_mark is not None else PLAYERS_FILE
        )
        error_text = getattr(error, "problem", None) or "this is no YAML"
        raise PlayersRefused(f"{error_place}: {error_text}") from None
    if not yaml_tree:
        return {}
    return {
        person_name: _names_by_folder(person_name, campaign_names)
        for person_name, campaign_names in _check_mapping(yaml_tree, "").items()
    }


def _check_mapping(yaml_tree: Any, person: str) -> dict[str, Any]:
    if not isinstance(yaml_tree, dict) or not all(
        isinstance(mapping_key, str) and mapping_key.strip() for mapping_key in yaml_tree
    ):
        owner_text = f" of '{person}'" if person else ""
        format_help = (
            "campaign: name, a line each" if person else "Name:  with campaign: name below it"
        )
        raise PlayersRefused(
            f"{PLAYERS_FILE}: what stands there{owner_text} is no mapping; write  {format_help}"
        )
    return yaml_tree


def _names_by_folder(person: str, yaml_tree: Any) -> dict[str, tuple[str, ...]]:
    names_by_folder: dict[str, tuple[str, ...]] = {}
    for folder, name_or_names in _check_mapping(yaml_tree, person).items():
        player_names = name_or_names if isinstance(name_or_names, list) else [name_or_names]
        if not player_names or not all(
            isinstance(player_name, str) and player_name.strip() for player_name in player_names
        ):
            raise PlayersRefused(
                f"{PLAYERS_FILE}: '{person}' in '{folder}' is no name; write  {folder}: Ana"
            )
        names_by_folder[folder] = tuple(player_name.strip() for player_name in player_names)
    return names_by_folder


def match_persons(
    persons_by_name: Mapping[str, Mapping[str, tuple[str, ...]]],
    card_by_folder: Mapping[str, CampaignCard],
) -> tuple[dict[str, list[tuple[str, str]]], list[str]]:
    """Persons with their seats, and messages about entries of the file that match no player.

    Args:
        persons_by_name: the entries of the file.
        card_by_folder: the shown campaigns, by the names of their folders and by their paths on the site.
    """
    players_by_person: dict[str, list[tuple[str, str]]] = {}
    messages: list[str] = []
    person_by_player: dict[tuple[str, str], str] = {}
    for person, names_by_folder in persons_by_name.items():
        players_of_person = players_by_person.setdefault(person.strip(), [])
        for folder, player in _folder_and_name(names_by_folder):
            card = card_by_folder.get(folder)
            if card is None:
                messages.append(f"{PLAYERS_FILE}: '{person}': no campaign '{folder}' is shown")
            elif player not in card.players or _NUMBERED_PLAYER.fullmatch(player):
                messages.append(
                    f"{PLAYERS_FILE}: '{person}': readers know no '{player}' in '{folder}'"
                )
            elif person_by_player.setdefault((card.folder, player), person) != person:
                other_person = person_by_player[card.folder, player]
                messages.append(
                    f"{PLAYERS_FILE}: '{player}' in '{folder}' is '{other_person}' already"
                )
            else:
                players_of_person.append((card.folder, player))
    return {
        player: players_in_campaigns
        for player, players_in_campaigns in players_by_person.items()
        if players_in_campaigns
    }, messages


def _folder_and_name(names_by_folder: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for folder, player_names in names_by_folder.items():
        for player_name in player_names:
            yield folder, player_name
