"""New campaigns: the questions before the first entry, and the files made from the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import LOG_FORMAT_VERSION, Settings
from chronicle.core.declare import Field
from chronicle.core.diagnostic import Strictness
from chronicle.core.field_types import YES_NO, Choice, OneOrMany, roleless
from chronicle.core.file_names import portable_name
from chronicle.core.game import Game
from chronicle.core.names import fold
from chronicle.games import game_names, is_game, rulebook, rulebooks
from chronicle.services.open_campaigns import CampaignRoom, Unanswerable
from chronicle.syntax.find import SETTINGS_FILE, find_project
from chronicle.syntax.slug import slug_of
from chronicle.syntax.yaml_text import write_flow, write_scalar
from chronicle.words import word

FIRST_SESSION: Final = "01.yaml"
ADD_ONS: Final = "add ons"
STRICTNESS_DESCRIPTIONS: Final = {level: word(f"server.strictness_{level}") for level in Strictness}
"""Descriptions of the strictness levels."""


LONG_ROLE_LENGTH: Final = 4
"""A facilitator with a shorter name (GM) is written in capitals."""


class NewCampaignAnswers(NamedTuple):
    """The answers of a group. ``runner`` is the facilitator, if the game has one; ``settings`` are answers
    by key, ``add_ons`` the optional rules in force."""

    game: str
    title: str
    players: tuple[str, ...]
    runner: str = ""
    strictness: str = str(Strictness.STANDARD)
    settings: Mapping[str, Any] = {}
    add_ons: tuple[str, ...] = ()


def game_forms() -> list[dict[str, Any]]:
    """The available games, each with its questions."""
    return [_game_form(game) for game in rulebooks()]


def too_few_players_message(game: Game[Any]) -> str:
    """The message for a group that is too small for a game."""
    message_values = {"game": game.title, "count": game.least_players}
    if not game.settings.facilitator:
        return word("server.too_few_players", **message_values)
    return word(
        "server.too_few_players_with",
        **message_values,
        role=_role_in_words(game.settings.facilitator),
    )


def group_in_words(game: Game[Any]) -> str:
    """For how many people a game is, with the facilitator, if it has one."""
    role = game.settings.facilitator
    least_people, most_people = (
        count + bool(role) if count else 0 for count in (game.least_players, game.most_players)
    )
    size_form = "exact" if least_people == most_people else "between" if most_people else "from"
    group_text = word(f"server.group_{size_form}", least=least_people, most=most_people)
    return (
        word("server.group_with", group=group_text, role=_role_in_words(role))
        if role
        else group_text
    )


def _role_in_words(facilitator_role: str) -> str:
    """The role of the facilitator as a sentence writes it: GM, Handler."""
    return (
        facilitator_role.upper()
        if len(facilitator_role) < LONG_ROLE_LENGTH
        else facilitator_role.capitalize()
    )


def _game_form(game: Game[Any]) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "intro": game.summary,
        "people": group_in_words(game),
        "runner": game.settings.facilitator,
        "least_players": game.least_players,
        "too_few": too_few_players_message(game),
        "players": len(re.findall(r"\w+", _example_players(game))),
        "strictness": [
            {"value": str(level), "doc": description, "default": level is Strictness.STANDARD}
            for level, description in STRICTNESS_DESCRIPTIONS.items()
        ],
        "settings": [setting_form(field) for field in settings_at_start(game)],
        "add_ons": [
            {
                "key": optional_rule.key,
                "label": optional_rule.title,
                "doc": optional_rule.summary,
                "id": optional_rule.id,
            }
            for optional_rule in game.optional_rules()
            if not optional_rule.needs
        ],
    }


def _example_players(game: Game[Any]) -> str:
    """The players of the game's own first session, which shows a good number of players."""
    match = re.search(r"^players: \[([^\]]*)\]", game.new_campaign()[SETTINGS_FILE], re.MULTILINE)
    return match[1] if match else ""


def settings_at_start(game: Game[Any]) -> list[Field]:
    """The settings of a game that can be answered before the first entry."""
    settings = game.settings
    own_settings = {
        name: field
        for name, field in settings.fields.items()
        if name not in Settings.fields and name not in (settings.facilitator, ADD_ONS)
    }
    return [field for field in own_settings.values() if _setting_choices(field) is not None]


def _setting_choices(field: Field) -> tuple[str, ...] | None:
    """The words a setting may have; None if it is no choice."""
    setting_type = roleless(field.kind)
    if setting_type is YES_NO:
        return ("yes", "no")
    if isinstance(setting_type, OneOrMany):
        setting_type = roleless(setting_type.item)
    return setting_type.choices if isinstance(setting_type, Choice) else None


def setting_form(field: Field) -> dict[str, Any]:
    """A setting as a question: its description and its choices."""
    takes_several = isinstance(roleless(field.kind), OneOrMany)
    default = field.default
    return {
        "key": field.name,
        "doc": field.doc,
        "kind": "several" if takes_several else "choice",
        "choices": [*(_setting_choices(field) or ())],
        "default": [*default] if takes_several else default if isinstance(default, str) else "",
    }


# -- the files -------------------------------------------------------------------------------------


def files_of_campaign(answers: NewCampaignAnswers) -> dict[str, str]:
    """The files of a new campaign: its settings, and an empty first session.

    Raises:
        Unanswerable: if an answer is invalid.
    """
    if not is_game(answers.game):
        raise Unanswerable(
            f"there is no game '{answers.game}'", f"games: {', '.join(game_names())}"
        )
    game = rulebook(answers.game)
    _check_answers(answers, game)
    settings_rows = [
        "# A campaign is this folder. Every other *.yaml in it is one session.",
        f"game: {answers.game}",
        f"title: {write_scalar(' '.join(answers.title.split()), in_flow=False)}",
        f"players: {write_flow([*answers.players])}",
    ]
    if game.settings.facilitator:
        settings_rows.append(
            f"{game.settings.facilitator}: {write_scalar(answers.runner, in_flow=False)}"
        )
    for key, value in answers.settings.items():
        settings_rows.append(f"{key}: {write_flow(value)}")
    if answers.add_ons:
        settings_rows.append(f"{ADD_ONS}: {write_flow([*answers.add_ons])}")
    settings_rows.append(f"strictness: {answers.strictness}")
    settings_rows.append(f"format: {LOG_FORMAT_VERSION}")
    return {SETTINGS_FILE: "\n".join(settings_rows) + "\n", FIRST_SESSION: "session: 1\n\nlog:\n"}


def _check_answers(answers: NewCampaignAnswers, game: Game[Any]) -> None:
    if not answers.title.strip():
        raise Unanswerable("a campaign has a title")
    people_names = [*answers.players, *([answers.runner] if answers.runner else [])]
    if not answers.players or not all(name.strip() for name in people_names):
        raise Unanswerable("name who sits at the table")
    facilitator_role = game.settings.facilitator
    check_names(answers.players, answers.runner, facilitator_role)
    if facilitator_role and not answers.runner.strip():
        raise Unanswerable(f"name the {facilitator_role}, who runs the game")
    if answers.strictness not in map(str, Strictness):
        raise Unanswerable(f"a log is {', '.join(map(str, Strictness))}")
    check_settings(answers.settings, game)
    optional_rule_keys = {optional_rule.key for optional_rule in game.optional_rules()}
    for add_on_key in answers.add_ons:
        if add_on_key not in optional_rule_keys:
            raise Unanswerable(f"there is no optional rule '{add_on_key}' in {game.title}")


def check_names(player_names: Sequence[str], runner: str, facilitator_role: str) -> None:
    """Check that no two people at the table have one name.

    Raises:
        Unanswerable: if two have.
    """
    folded_names = [fold(name) for name in (*player_names, *([runner] if runner else []))]
    repeated_name = next((name for name in player_names if folded_names.count(fold(name)) > 1), "")
    if not repeated_name:
        return
    if runner and fold(runner) == fold(repeated_name):
        facilitator_note = word(
            "server.is_only_the_runner", name=repeated_name, role=_role_in_words(facilitator_role)
        )
        raise Unanswerable(word("server.name_twice", name=repeated_name), facilitator_note)
    raise Unanswerable(word("server.name_twice", name=repeated_name))


def check_settings(settings: Mapping[str, Any], game: Game[Any]) -> None:
    """Check answers for the settings of a game.

    Raises:
        Unanswerable: if one is invalid.
    """
    fields_by_key = {field.name: field for field in settings_at_start(game)}
    for key, value in settings.items():
        chosen_values = value if isinstance(value, (list, tuple)) else [value]
        choices = _setting_choices(fields_by_key[key]) if key in fields_by_key else None
        if choices is None or not all(chosen_value in choices for chosen_value in chosen_values):
            raise Unanswerable(f"'{key}' cannot be {write_flow(value)}")


# -- where it goes ---------------------------------------------------------------------------------


def free_folder(room: CampaignRoom, title: str) -> Path:
    """A free folder for a new campaign: beside the existing campaigns, where the site of their project finds
    it."""
    campaign_folders = [folder.resolve() for folder in room.folder_by_id().values()]
    project = find_project(room.folder)
    if project is not None:
        parent_folder = project.campaigns_folder
    elif room.folder in campaign_folders:
        parent_folder = room.folder.parent
    else:
        parent_folder = campaign_folders[0].parent if campaign_folders else room.folder
    folder_name = portable_name(slug_of(title))
    new_folder, suffix_number = parent_folder / folder_name, 1
    while new_folder.exists():
        suffix_number += 1
        new_folder = parent_folder / f"{folder_name}-{suffix_number}"
    return new_folder
