"""What a campaign is called and how it is played, to be said otherwise later: its title, how strict it is, the
settings that its game declares, and which reading of the rule book holds where that is silent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chronicle.core.campaign import ROLLED, WRITTEN, Campaign, Settings
from chronicle.core.declare import Context, Field, Misread, bare
from chronicle.core.diagnostic import Strictness
from chronicle.core.rules import Ruling
from chronicle.core.source import Entries, Items, Value, Word
from chronicle.desk.founding import ADD_ONS, WORDS, asked, held, setting
from chronicle.desk.room import Edit, Opened, Unanswerable, version_of
from chronicle.games import rulebook
from chronicle.transcript.edit import add_pair, set_head, tree_of
from chronicle.transcript.folder import SETTINGS_FILE
from chronicle.transcript.kinds import types_in
from chronicle.transcript.yaml_text import write_flow

STRICTNESS = "strictness"
DICE = "dice"
RULINGS = "rulings"


def settled(opened: Opened) -> dict[str, Any]:
    """The title of a campaign, and what else can be said otherwise, each with what it is now."""
    campaign = _campaign(opened)
    tree = tree_of(opened.text(SETTINGS_FILE), SETTINGS_FILE)
    rows = [
        {
            "key": STRICTNESS,
            "doc": "How strict the log is held to the rules",
            "kind": "choice",
            "choices": [str(level) for level in Strictness],
            "told": {str(level): words for level, words in WORDS.items()},
            "default": str(campaign.strictness),
        },
        {
            "key": DICE,
            "doc": "Where the dice come from",
            "kind": "choice",
            "choices": [ROLLED, WRITTEN],
            "told": {
                ROLLED: "somebody rolled them",
                WRITTEN: "nobody did, so luck is not tested",
            },
            "default": str(campaign.settings.dice),
        },
    ]
    rules = rulebook(campaign.game)
    for field in asked(rules):
        there = tree.get(Word(field.name))
        row = setting(field)
        if isinstance(there, Items):
            row["default"] = [str(one) for one in there]
        elif isinstance(there, Word):
            row["default"] = [str(there)] if row["kind"] == "several" else str(there)
        rows.append(row | {"told": {}})
    offered = _add_ons(opened)
    if offered:
        there = tree.get(Word(ADD_ONS))
        rows.append(
            {
                "key": ADD_ONS,
                "doc": rules.settings.fields[ADD_ONS].doc,
                "kind": "several",
                "choices": [*offered],
                "told": offered,
                "default": [*map(str, there)] if isinstance(there, Items) else [],
            }
        )
    for field in _written(opened):
        there = tree.get(Word(field.name))
        now = there if isinstance(there, Word) else field.default
        shown = "" if there is None and not isinstance(now, int) else str(now)
        rows.append({"key": field.name, "doc": field.doc, "kind": "text", "default": shown})
    chosen = tree.get(Word(RULINGS))
    for ruling in _open(opened):
        key = _key(chosen, ruling)
        now = chosen[Word(key)] if isinstance(chosen, Entries) and key in chosen else ruling.default
        rows.append(
            {
                "key": f"{RULINGS}/{ruling.key}",
                "label": ruling.key.replace("_", " "),
                "doc": ruling.question,
                "kind": "choice",
                "choices": [*ruling.readings],
                "told": {**ruling.readings},
                "default": str(now),
            }
        )
    version = version_of(opened.text(SETTINGS_FILE))
    return {"title": campaign.title, "settings": rows, "version": version}


def _written(opened: Opened) -> list[Field]:
    """The settings of a game that are a word or a figure of the table's own: how many, who."""
    campaign = _campaign(opened)
    rules, tree = rulebook(campaign.game), tree_of(opened.text(SETTINGS_FILE), SETTINGS_FILE)
    known = {field.name for field in asked(rules)}
    return [
        field
        for name, field in rules.settings.fields.items()
        if name not in Settings.fields
        and name not in (*known, ADD_ONS)
        and {"string", "integer"} & types_in(bare(field.kind).schema())
        and isinstance(tree.get(Word(name), Word("")), Word)
    ]


def _add_ons(opened: Opened) -> dict[str, str]:
    """The optional rules that somebody can choose by their names alone, with what each is; none where a file
    says more of them than that."""
    campaign = _campaign(opened)
    rules, tree = rulebook(campaign.game), tree_of(opened.text(SETTINGS_FILE), SETTINGS_FILE)
    offered = {one.key: one.title for one in rules.optional_rules() if not one.needs}
    there = tree.get(Word(ADD_ONS), Items())
    plain = isinstance(there, Items) and all(one in offered for one in there)
    return offered if plain and ADD_ONS in rules.settings.fields else {}


def _open(opened: Opened) -> list[Ruling]:
    """The points where the rule book can be read in several ways."""
    return [one for one in rulebook(_campaign(opened).game).rulings if len(one.readings) > 1]


def _key(chosen: Value | None, ruling: Ruling) -> str:
    """By what a file calls a ruling: its key, or its id."""
    by_id = isinstance(chosen, Entries) and ruling.id in chosen
    return ruling.id if by_id else ruling.key


def otherwise(
    opened: Opened, title: str, settings: Mapping[str, str | Sequence[str]], version: str = ""
) -> Edit:
    """The change that gives a campaign another title and other settings; all else in the file stays.
    ``version``: the version of the file that somebody looked at, which is changed.

    Raises:
        Unanswerable: when an answer makes no sense.
    """
    campaign = _campaign(opened)
    words = " ".join(title.split())
    if not words:
        raise Unanswerable("a campaign has a title")
    rules, copy = rulebook(campaign.game), opened.seen_copy(SETTINGS_FILE, version)
    text = copy.text
    rulings = {f"{RULINGS}/{one.key}": one for one in _open(opened)}
    own = {field.name: field for field in _written(opened)}
    elsewhere = (STRICTNESS, DICE, ADD_ONS, *rulings, *own)
    others = {key: value for key, value in settings.items() if key not in elsewhere}
    if str(settings.get(STRICTNESS, campaign.strictness)) not in [*map(str, Strictness)]:
        raise Unanswerable(f"a log is {', '.join(map(str, Strictness))}")
    if str(settings.get(DICE, campaign.settings.dice)) not in (ROLLED, WRITTEN):
        raise Unanswerable(f"dice are {ROLLED} or {WRITTEN}")
    held(others, rules)
    offered = _add_ons(opened)
    strange = [one for one in settings.get(ADD_ONS, ()) if one not in offered]
    if strange:
        raise Unanswerable(f"'{ADD_ONS}' cannot be {write_flow(strange)}")
    for key, value in settings.items():
        if key in rulings and value not in rulings[key].readings:
            raise Unanswerable(f"'{rulings[key].key}' cannot be {write_flow(value)}")
        if key in own:
            try:
                own[key].kind.read(Word(str(value).strip()), Context(lambda entries: []))
            except Misread as error:
                raise Unanswerable(f"'{key}': {error}") from error
    named = tree_of(text, SETTINGS_FILE).get(Word("title"))
    if words != " ".join(str(named).split() if isinstance(named, Word) else campaign.title.split()):
        text = set_head(text, SETTINGS_FILE, "title", words)
    for key, value in settings.items():
        tree = tree_of(text, SETTINGS_FILE)
        if key in rulings:
            there = tree.get(Word(RULINGS))
            name, reading = _key(there, rulings[key]), str(value)
            if isinstance(there, Entries):
                text = add_pair(text, SETTINGS_FILE, RULINGS, name, reading)
            else:
                text = f"{text.rstrip()}\n{RULINGS}: {write_flow({name: reading})}\n"
        elif tree.key(key) is None:
            text = f"{text.rstrip()}\n{key}: {write_flow(value)}\n"
        else:
            text = set_head(text, SETTINGS_FILE, key, value)
    return copy.edit(text)


def _campaign(opened: Opened) -> Campaign:
    campaign = opened.resident.campaign
    if campaign is None:
        raise opened.unreadable()
    return campaign
