"""Settings that can be changed later: title, strictness, the game's own settings, and the readings of
rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chronicle.core.campaign import ROLLED, WRITTEN, Campaign, Settings
from chronicle.core.declare import Field
from chronicle.core.diagnostic import Strictness
from chronicle.core.field_types import Context, roleless
from chronicle.core.misread import Misread
from chronicle.core.rules import Ruling
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.games import rulebook
from chronicle.services.new_campaign import (
    ADD_ONS,
    STRICTNESS_DESCRIPTIONS,
    check_names,
    check_settings,
    setting_form,
    settings_at_start,
)
from chronicle.services.open_campaigns import FileChange, OpenCampaign, Unanswerable, version_of
from chronicle.syntax.edit_head import add_pair_to_mapping, set_head
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.kinds import json_types_of
from chronicle.syntax.text_edit import tree_of
from chronicle.syntax.yaml_text import write_flow
from chronicle.words import word

STRICTNESS_KEY = "strictness"
DICE_KEY = "dice"
PLAYERS_KEY = "players"
RULINGS_KEY = "rulings"


def current_settings(opened: OpenCampaign) -> dict[str, Any]:
    """The title of a campaign and its settings, each with its present value."""
    campaign = _readable_campaign(opened)
    settings_node = tree_of(opened.text(SETTINGS_FILE), SETTINGS_FILE)
    setting_rows: list[dict[str, Any]] = [
        {
            "key": STRICTNESS_KEY,
            "doc": word("server.strictness_doc"),
            "kind": "choice",
            "choices": [str(level) for level in Strictness],
            "told": {str(level): words for level, words in STRICTNESS_DESCRIPTIONS.items()},
            "default": str(campaign.strictness),
        },
        {
            "key": DICE_KEY,
            "doc": word("server.dice_doc"),
            "kind": "choice",
            "choices": [ROLLED, WRITTEN],
            "told": {
                ROLLED: word("server.dice_rolled"),
                WRITTEN: word("server.dice_written"),
            },
            "default": str(campaign.settings.dice),
        },
    ]
    players = _player_names_in_settings(settings_node)
    if players:
        players_row = {"key": PLAYERS_KEY, "doc": word("server.players_doc"), "kind": "text"}
        setting_rows.append(players_row | {"default": ", ".join(players)})
    game = rulebook(campaign.game)
    for field in settings_at_start(game):
        value_node = settings_node.get(ScalarNode(field.name))
        setting_row = setting_form(field)
        if isinstance(value_node, SequenceNode):
            setting_row["default"] = [str(item) for item in value_node]
        elif isinstance(value_node, ScalarNode):
            setting_row["default"] = (
                [str(value_node)] if setting_row["kind"] == "several" else str(value_node)
            )
        setting_rows.append(setting_row | {"told": {}})
    add_on_titles = _choosable_add_ons(opened)
    if add_on_titles:
        value_node = settings_node.get(ScalarNode(ADD_ONS))
        setting_rows.append(
            {
                "key": ADD_ONS,
                "doc": game.settings.fields[ADD_ONS].doc,
                "kind": "several",
                "choices": [*add_on_titles],
                "told": add_on_titles,
                "default": [*map(str, value_node)] if isinstance(value_node, SequenceNode) else [],
            }
        )
    for field in _settings_typed_as_text(opened):
        value_node = settings_node.get(ScalarNode(field.name))
        current_value = value_node if isinstance(value_node, ScalarNode) else field.default
        value_text = (
            "" if value_node is None and not isinstance(current_value, int) else str(current_value)
        )
        setting_rows.append(
            {"key": field.name, "doc": field.doc, "kind": "text", "default": value_text}
        )
    written_rulings = settings_node.get(ScalarNode(RULINGS_KEY))
    for ruling in _rulings_with_several_readings(opened):
        ruling_key = _ruling_key(written_rulings, ruling)
        current_value = (
            written_rulings[ScalarNode(ruling_key)]
            if isinstance(written_rulings, MappingNode) and ruling_key in written_rulings
            else ruling.default
        )
        setting_rows.append(
            {
                "key": f"{RULINGS_KEY}/{ruling.key}",
                "label": ruling.key.replace("_", " "),
                "doc": ruling.question,
                "kind": "choice",
                "choices": [*ruling.readings],
                "told": {**ruling.readings},
                "default": str(current_value),
            }
        )
    version = version_of(opened.text(SETTINGS_FILE))
    return {"title": campaign.title, "settings": setting_rows, "version": version}


def _player_names_in_settings(settings_node: MappingNode) -> list[str]:
    """The players, if their list is a plain one without commas in a name."""
    players_node = settings_node.get(ScalarNode(PLAYERS_KEY))
    name_nodes = [*players_node] if isinstance(players_node, SequenceNode) else []
    is_plain_list = all(isinstance(name, ScalarNode) and "," not in name for name in name_nodes)
    return [*map(str, name_nodes)] if is_plain_list else []


def _checked_player_names(
    opened: OpenCampaign, written_names: str, current_names: Sequence[str]
) -> list[str]:
    """The players of a campaign as they are to be. Players can come; they can go only if they are in no session.

    Raises:
        Unanswerable: if a player is left out, or two have one name.
    """
    wanted_player_names = [
        " ".join(name.split()) for name in written_names.split(",") if name.strip()
    ]
    campaign = _readable_campaign(opened)
    session_texts = [
        opened.text(file.name) for file in opened.files() if file.name != SETTINGS_FILE
    ]
    record = opened.workspace.record
    actors = {step.player for step in record.steps} if record is not None else set()
    for name in current_names:
        if name not in wanted_player_names and (
            name in actors or any(name in text for text in session_texts)
        ):
            raise Unanswerable(word("server.player_stays", name=name))
    if not wanted_player_names:
        raise Unanswerable(word("server.name_one"))
    check_names(wanted_player_names, campaign.facilitator_name, campaign.settings.facilitator)
    return wanted_player_names


def _settings_typed_as_text(opened: OpenCampaign) -> list[Field]:
    """The settings of a game with a word or a figure: how many, who."""
    campaign = _readable_campaign(opened)
    game, settings_node = (
        rulebook(campaign.game),
        tree_of(opened.text(SETTINGS_FILE), SETTINGS_FILE),
    )
    choice_keys = {field.name for field in settings_at_start(game)}
    return [
        field
        for name, field in game.settings.fields.items()
        if name not in Settings.fields
        and name not in (*choice_keys, ADD_ONS)
        and {"string", "integer"} & json_types_of(roleless(field.kind).schema())
        and isinstance(settings_node.get(ScalarNode(name), ScalarNode("")), ScalarNode)
    ]


def _choosable_add_ons(opened: OpenCampaign) -> dict[str, str]:
    """The optional rules that can be chosen by name, with their titles; none if the file gives one of them
    further values."""
    campaign = _readable_campaign(opened)
    game, settings_node = (
        rulebook(campaign.game),
        tree_of(opened.text(SETTINGS_FILE), SETTINGS_FILE),
    )
    titles_by_key = {
        optional_rule.key: optional_rule.title
        for optional_rule in game.optional_rules()
        if not optional_rule.needs
    }
    add_ons_node = settings_node.get(ScalarNode(ADD_ONS), SequenceNode())
    is_plain_list = isinstance(add_ons_node, SequenceNode) and all(
        item in titles_by_key for item in add_ons_node
    )
    return titles_by_key if is_plain_list and ADD_ONS in game.settings.fields else {}


def _rulings_with_several_readings(opened: OpenCampaign) -> list[Ruling]:
    """The rulings with several readings."""
    return [
        ruling
        for ruling in rulebook(_readable_campaign(opened).game).rulings
        if len(ruling.readings) > 1
    ]


def _ruling_key(written_rulings: Value | None, ruling: Ruling) -> str:
    """The name of a ruling in a file: its key, or its id."""
    is_named_by_id = isinstance(written_rulings, MappingNode) and ruling.id in written_rulings
    return ruling.id if is_named_by_id else ruling.key


def settings_change(
    opened: OpenCampaign,
    title: str,
    settings: Mapping[str, str | Sequence[str]],
    base_version: str = "",
) -> FileChange:
    """The change of the title and settings of a campaign; the rest of the file stays. ``base_version`` is the
    version of the file that the user saw.

    Raises:
        Unanswerable: if a value is invalid.
    """
    campaign = _readable_campaign(opened)
    new_title = " ".join(title.split())
    if not new_title:
        raise Unanswerable("a campaign has a title")
    game, working_copy = rulebook(campaign.game), opened.seen_copy(SETTINGS_FILE, base_version)
    settings_text = working_copy.text
    ruling_by_key = {
        f"{RULINGS_KEY}/{ruling.key}": ruling for ruling in _rulings_with_several_readings(opened)
    }
    text_field_by_key = {field.name: field for field in _settings_typed_as_text(opened)}
    keys_handled_here = (
        STRICTNESS_KEY,
        DICE_KEY,
        ADD_ONS,
        PLAYERS_KEY,
        *ruling_by_key,
        *text_field_by_key,
    )
    game_settings = {key: value for key, value in settings.items() if key not in keys_handled_here}
    if str(settings.get(STRICTNESS_KEY, campaign.strictness)) not in [*map(str, Strictness)]:
        raise Unanswerable(f"a log is {', '.join(map(str, Strictness))}")
    if str(settings.get(DICE_KEY, campaign.settings.dice)) not in (ROLLED, WRITTEN):
        raise Unanswerable(f"dice are {ROLLED} or {WRITTEN}")
    check_settings(game_settings, game)
    add_on_titles = _choosable_add_ons(opened)
    unknown_add_ons = [
        add_on for add_on in settings.get(ADD_ONS, ()) if add_on not in add_on_titles
    ]
    if unknown_add_ons:
        raise Unanswerable(f"'{ADD_ONS}' cannot be {write_flow(unknown_add_ons)}")
    for key, value in settings.items():
        if key in ruling_by_key and value not in ruling_by_key[key].readings:
            raise Unanswerable(f"'{ruling_by_key[key].key}' cannot be {write_flow(value)}")
        if key in text_field_by_key:
            try:
                text_field_by_key[key].kind.read(
                    ScalarNode(str(value).strip()), Context(lambda entries: [])
                )
            except Misread as error:
                raise Unanswerable(error.message_about(key)) from error
    title_node = tree_of(settings_text, SETTINGS_FILE).get(ScalarNode("title"))
    if new_title != " ".join(
        str(title_node).split() if isinstance(title_node, ScalarNode) else campaign.title.split()
    ):
        settings_text = set_head(settings_text, SETTINGS_FILE, "title", new_title)
    for key, value in settings.items():
        settings_node = tree_of(settings_text, SETTINGS_FILE)
        if key == PLAYERS_KEY:
            players = _checked_player_names(
                opened, str(value), _player_names_in_settings(settings_node)
            )
            settings_text = set_head(settings_text, SETTINGS_FILE, PLAYERS_KEY, players)
        elif key in ruling_by_key:
            written_rulings = settings_node.get(ScalarNode(RULINGS_KEY))
            ruling_key, reading = _ruling_key(written_rulings, ruling_by_key[key]), str(value)
            if isinstance(written_rulings, MappingNode):
                settings_text = add_pair_to_mapping(
                    settings_text, SETTINGS_FILE, RULINGS_KEY, ruling_key, reading
                )
            else:
                settings_text = f"{settings_text.rstrip()}\n{RULINGS_KEY}: {write_flow({ruling_key: reading})}\n"
        elif settings_node.key(key) is None:
            settings_text = f"{settings_text.rstrip()}\n{key}: {write_flow(value)}\n"
        else:
            settings_text = set_head(settings_text, SETTINGS_FILE, key, value)
    return working_copy.edit(settings_text)


def _readable_campaign(opened: OpenCampaign) -> Campaign:
    campaign = opened.workspace.campaign
    if campaign is None:
        raise opened.unreadable()
    return campaign
