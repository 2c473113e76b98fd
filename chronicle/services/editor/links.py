"""Links of words in a log: to the page of a rule, or to the entry with an id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.field_types import TEXT, roleless
from chronicle.core.file_reading import read_file
from chronicle.core.source import (
    MappingNode,
    Place,
    ScalarNode,
    SequenceNode,
    Value,
    place_of,
    scalars,
)
from chronicle.games import rulebook
from chronicle.services.editor.index import Index, index_of
from chronicle.services.editor.outline import STORY_KEYS
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.syntax.find import site_settings_around

RULE_KEYS: Final = ("allow", "touches", "rulings", "add ons")
"""The keys whose words are ids of rules, rulings or add-ons."""

_SITE_SETTING_PATTERN: Final = r"^(?:site_)?{}:[ \t]*['\"]?([^'\"#\s]+)"


class Link(NamedTuple):
    """A linked word: to a rule by its id, or to a place in a file of the campaign."""

    place: Place
    rule_id: str = ""
    target_place: Place | None = None


def find_links(opened: OpenCampaign, file: str) -> Iterator[Link]:
    """Every linked word of a file."""
    campaign_index = index_of(opened)
    tree = opened.tree(file)
    if tree is None:
        return
    rule_id_by_name = _rule_ids_by_name(campaign_index)
    for word in _words_naming_rules(tree):
        rule_id = rule_id_by_name.get(str(word), "")
        if rule_id:
            yield Link(place_of(word, file), rule_id)
    mention_starts = {
        (mention.place.line, mention.place.column) for mention in campaign_index.mentions(file)
    }
    verbs = rulebook(campaign_index.record.campaign.game).by_verb
    for word in _possible_entry_ids(tree, verbs):
        entry_place = campaign_index.entry_place(str(word))
        if entry_place is not None and (word.line, word.column) not in mention_starts:
            yield Link(place_of(word, file), target_place=entry_place)


def link_at(opened: OpenCampaign, file: str, line: int, column: int) -> Link | None:
    """The link at a position."""
    return next(
        (
            link
            for link in find_links(opened, file)
            if link.place.line == line and link.place.column <= column <= link.place.end_column
        ),
        None,
    )


def _rule_ids_by_name(campaign_index: Index) -> dict[str, str]:
    """The ids of rules, by their ids and keys."""
    game = rulebook(campaign_index.record.campaign.game)
    registry = game.registry()
    rule_id_by_name = {rule.id: rule.id for rule in registry.rules}
    for ruling in registry.rulings:
        rule_id_by_name[ruling.id] = rule_id_by_name[ruling.key] = ruling.id
    rule_id_by_name.update((add_on.key, add_on.id) for add_on in game.optional_rules())
    return rule_id_by_name


def _words_naming_rules(node: Value) -> Iterator[ScalarNode]:
    """The words that name rules, at any depth."""
    if isinstance(node, MappingNode):
        for key, value_node in node.items():
            if key not in RULE_KEYS:
                yield from _words_naming_rules(value_node)
            elif isinstance(value_node, MappingNode):
                yield from value_node
            else:
                yield from scalars(value_node)
    elif isinstance(node, SequenceNode):
        for inner_node in node:
            yield from _words_naming_rules(inner_node)


def _possible_entry_ids(node: Value, verbs: Mapping[str, type[Action]]) -> Iterator[ScalarNode]:
    """The words that can be ids of entries: without keys, story texts and definitions of ids."""
    if isinstance(node, ScalarNode):
        if node:
            yield node
    elif isinstance(node, MappingNode):
        action_class = next((verbs[key] for key in node if key in verbs), None)
        for key, value_node in node.items():
            if key not in (*STORY_KEYS, *RULE_KEYS, "id") and not _is_story_text(action_class, key):
                yield from _possible_entry_ids(value_node, verbs)
    else:
        for inner_node in node:
            yield from _possible_entry_ids(inner_node, verbs)


def _is_story_text(action_class: type[Action] | None, field_name: str) -> bool:
    """Whether a key of an entry holds story text."""
    if action_class is None:
        return False
    field = (
        action_class.main
        if field_name == action_class.verb
        else action_class.fields.get(field_name)
    )
    return field is not None and roleless(field.kind) is TEXT


def rule_page_template(folder: Path) -> str:
    """The address of the rule pages of the project around a campaign, published or built, with slots for
    ``{game}`` and ``{id}``; empty without pages."""
    settings_path = site_settings_around(folder, must_name_chronicle=True)
    if settings_path is None:
        return ""
    try:
        settings_text = read_file(settings_path).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    if re.search(r"^[ \t]+reference:[ \t]*false\b", settings_text, re.MULTILINE):
        return ""
    has_flat_urls = (
        re.search(r"^use_directory_urls:\s*false\b", settings_text, re.MULTILINE) is not None
    )
    page_pattern = "/rules/{game}" + (".html#{id}" if has_flat_urls else "/#{id}")
    url_setting = re.search(_SITE_SETTING_PATTERN.format("url"), settings_text, re.MULTILINE)
    if url_setting is not None:
        return _escape_braces(url_setting[1].rstrip("/")) + page_pattern
    folder_setting = re.search(_SITE_SETTING_PATTERN.format("dir"), settings_text, re.MULTILINE)
    site_folder = settings_path.parent / (folder_setting[1] if folder_setting else "site")
    if has_flat_urls and (site_folder / "rules").is_dir():
        return _escape_braces(site_folder.resolve().as_uri()) + page_pattern
    return ""


def _escape_braces(address: str) -> str:
    return address.replace("{", "%7B").replace("}", "%7D")
