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
from chronicle.services.editor.outline import TEXTS
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.syntax.find import site_settings_around

RULE_KEYS: Final = ("allow", "touches", "rulings", "add ons")
"""The keys whose words are ids of rules, rulings or add-ons."""

_SITE_SETTING: Final = r"^(?:site_)?{}:[ \t]*['\"]?([^'\"#\s]+)"


class Link(NamedTuple):
    """A linked word: to a rule by its id, or to a place in a file of the campaign."""

    place: Place
    rule: str = ""
    to: Place | None = None


def links(opened: OpenCampaign, file: str) -> Iterator[Link]:
    """Every linked word of a file."""
    campaign_index = index_of(opened)
    tree = opened.tree(file)
    if tree is None:
        return
    rule_ids = _rule_ids_by_name(campaign_index)
    for word in _words_naming_rules(tree):
        rule = rule_ids.get(str(word), "")
        if rule:
            yield Link(place_of(word, file), rule)
    mention_starts = {
        (mention.place.line, mention.place.column) for mention in campaign_index.mentions(file)
    }
    verbs = rulebook(campaign_index.record.campaign.game).by_verb
    for word in _possible_entry_ids(tree, verbs):
        entry_place = campaign_index.entry_place(str(word))
        if entry_place is not None and (word.line, word.column) not in mention_starts:
            yield Link(place_of(word, file), to=entry_place)


def link_at(opened: OpenCampaign, file: str, line: int, column: int) -> Link | None:
    """The link at a position."""
    return next(
        (
            link
            for link in links(opened, file)
            if link.place.line == line and link.place.column <= column <= link.place.end_column
        ),
        None,
    )


def _rule_ids_by_name(campaign_index: Index) -> dict[str, str]:
    """The ids of rules, by their ids and keys."""
    rules = rulebook(campaign_index.record.campaign.game)
    registry = rules.registry()
    rule_ids = {rule.id: rule.id for rule in registry.rules}
    for ruling in registry.rulings:
        rule_ids[ruling.id] = rule_ids[ruling.key] = ruling.id
    rule_ids.update((add_on.key, add_on.id) for add_on in rules.optional_rules())
    return rule_ids


def _words_naming_rules(tree: Value) -> Iterator[ScalarNode]:
    """The words that name rules, at any depth."""
    if isinstance(tree, MappingNode):
        for key, value in tree.items():
            if key not in RULE_KEYS:
                yield from _words_naming_rules(value)
            elif isinstance(value, MappingNode):
                yield from value
            else:
                yield from scalars(value)
    elif isinstance(tree, SequenceNode):
        for item in tree:
            yield from _words_naming_rules(item)


def _possible_entry_ids(tree: Value, verbs: Mapping[str, type[Action]]) -> Iterator[ScalarNode]:
    """The words that can be ids of entries: without keys, story texts and definitions of ids."""
    if isinstance(tree, ScalarNode):
        if tree:
            yield tree
    elif isinstance(tree, MappingNode):
        verb = next((verbs[key] for key in tree if key in verbs), None)
        for key, value in tree.items():
            if key not in (*TEXTS, *RULE_KEYS, "id") and not _is_story_text(verb, key):
                yield from _possible_entry_ids(value, verbs)
    else:
        for item in tree:
            yield from _possible_entry_ids(item, verbs)


def _is_story_text(verb: type[Action] | None, key: str) -> bool:
    """Whether a key of an entry holds story text."""
    if verb is None:
        return False
    field = verb.main if key == verb.verb else verb.fields.get(key)
    return field is not None and roleless(field.kind) is TEXT


def rule_page_template(folder: Path) -> str:
    """The address of the rule pages of the project around a campaign, published or built, with slots for
    ``{game}`` and ``{id}``; empty without pages."""
    settings = site_settings_around(folder, must_name_chronicle=True)
    if settings is None:
        return ""
    try:
        text = read_file(settings).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    if re.search(r"^[ \t]+reference:[ \t]*false\b", text, re.MULTILINE):
        return ""
    has_flat_urls = re.search(r"^use_directory_urls:\s*false\b", text, re.MULTILINE) is not None
    page = "/rules/{game}" + (".html#{id}" if has_flat_urls else "/#{id}")
    url_setting = re.search(_SITE_SETTING.format("url"), text, re.MULTILINE)
    if url_setting is not None:
        return _escape_braces(url_setting[1].rstrip("/")) + page
    folder_setting = re.search(_SITE_SETTING.format("dir"), text, re.MULTILINE)
    site = settings.parent / (folder_setting[1] if folder_setting else "site")
    if has_flat_urls and (site / "rules").is_dir():
        return _escape_braces(site.resolve().as_uri()) + page
    return ""


def _escape_braces(address: str) -> str:
    return address.replace("{", "%7B").replace("}", "%7D")
