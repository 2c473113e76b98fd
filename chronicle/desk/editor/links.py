"""Where a word of a log leads: to the page of a rule, or to the entry that it means by its id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from chronicle.core.declare import TEXT, Action, bare
from chronicle.core.intake import read_file
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of, scalars
from chronicle.desk.editor.index import Index, index
from chronicle.desk.editor.outline import TEXTS
from chronicle.desk.room import Opened
from chronicle.games import rulebook
from chronicle.transcript.folder import site_settings_around

NAMING_RULES: Final = ("allow", "touches", "rulings", "add ons")
"""The keys under which words are ids of rules, of rulings or of add-ons."""

_SETTING: Final = r"^(?:site_)?{}:[ \t]*['\"]?([^'\"#\s]+)"


class Link(NamedTuple):
    """A word that leads somewhere: to a rule by its id, or to a place in a file of the campaign."""

    place: Place
    rule: str = ""
    to: Place | None = None


def links(opened: Opened, file: str) -> Iterator[Link]:
    """Every word of a file that leads somewhere."""
    found = index(opened)
    tree = opened.tree(file)
    if tree is None:
        return
    known = _rules(found)
    for word in _naming_rules(tree):
        rule = known.get(str(word), "")
        if rule:
            yield Link(place_of(word, file), rule)
    named = {(one.place.line, one.place.column) for one in found.mentions(file)}
    verbs = rulebook(found.record.campaign.game).by_verb
    for word in _values(tree, verbs):
        entry = found.entry(str(word))
        if entry is not None and (word.line, word.column) not in named:
            yield Link(place_of(word, file), to=entry)


def linked(opened: Opened, file: str, line: int, column: int) -> Link | None:
    """Where the word at a place leads."""
    return next(
        (
            one
            for one in links(opened, file)
            if one.place.line == line and one.place.column <= column <= one.place.end_column
        ),
        None,
    )


def _rules(found: Index) -> dict[str, str]:
    """The ids of rules by all that names them."""
    rules = rulebook(found.record.campaign.game)
    registry = rules.registry()
    known = {one.id: one.id for one in registry.rules}
    for ruling in registry.rulings:
        known[ruling.id] = known[ruling.key] = ruling.id
    known.update((add_on.key, add_on.id) for add_on in rules.optional_rules())
    return known


def _naming_rules(tree: Value) -> Iterator[Word]:
    """The words that name rules, wherever they stand."""
    if isinstance(tree, Entries):
        for key, value in tree.items():
            if key not in NAMING_RULES:
                yield from _naming_rules(value)
            elif isinstance(value, Entries):
                yield from value
            else:
                yield from scalars(value)
    elif isinstance(tree, Items):
        for item in tree:
            yield from _naming_rules(item)


def _values(tree: Value, verbs: Mapping[str, type[Action]]) -> Iterator[Word]:
    """The words that may mean an entry: neither keys, nor what is told, nor where an id is given."""
    if isinstance(tree, Word):
        if tree:
            yield tree
    elif isinstance(tree, Entries):
        verb = next((verbs[key] for key in tree if key in verbs), None)
        for key, value in tree.items():
            if key not in (*TEXTS, *NAMING_RULES, "id") and not _tells(verb, key):
                yield from _values(value, verbs)
    else:
        for item in tree:
            yield from _values(item, verbs)


def _tells(verb: type[Action] | None, key: str) -> bool:
    """Whether what stands under a key of an entry is told in somebody's words."""
    if verb is None:
        return False
    field = verb.main if key == verb.verb else verb.fields.get(key)
    return field is not None and bare(field.kind) is TEXT


def pages(folder: Path) -> str:
    """The address of the pages of rules that the project around a campaign publishes, or has built, with
    slots for ``{game}`` and ``{id}``; empty where there are none."""
    settings = site_settings_around(folder, ours=True)
    if settings is None:
        return ""
    try:
        text = read_file(settings).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    if re.search(r"^[ \t]+reference:[ \t]*false\b", text, re.MULTILINE):
        return ""
    flat = re.search(r"^use_directory_urls:\s*false\b", text, re.MULTILINE) is not None
    page = "/rules/{game}" + (".html#{id}" if flat else "/#{id}")
    address = re.search(_SETTING.format("url"), text, re.MULTILINE)
    if address is not None:
        return _plainly(address[1].rstrip("/")) + page
    built = re.search(_SETTING.format("dir"), text, re.MULTILINE)
    site = settings.parent / (built[1] if built else "site")
    if flat and (site / "rules").is_dir():
        return _plainly(site.resolve().as_uri()) + page
    return ""


def _plainly(address: str) -> str:
    return address.replace("{", "%7B").replace("}", "%7D")
