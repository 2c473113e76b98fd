"""What a campaign is called and how it is played, to be said otherwise later: its title, how strict it is, the
settings that are asked before the first entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Strictness
from chronicle.core.source import Items, Word
from chronicle.desk.founding import WORDS, asked, held, setting
from chronicle.desk.room import Opened, Unanswerable
from chronicle.desk.typed import flowing
from chronicle.games import rulebook
from chronicle.transcript.edit import set_head, tree_of
from chronicle.transcript.folder import SETTINGS_FILE

STRICTNESS = "strictness"


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
        }
    ]
    for field in asked(rulebook(campaign.game)):
        there = tree.get(Word(field.name))
        row = setting(field)
        if isinstance(there, Items):
            row["default"] = [str(one) for one in there]
        elif isinstance(there, Word):
            row["default"] = [str(there)] if row["kind"] == "several" else str(there)
        rows.append(row | {"told": {}})
    return {"title": campaign.title, "settings": rows}


def otherwise(opened: Opened, title: str, settings: Mapping[str, str | Sequence[str]]) -> str:
    """The settings of a campaign with another title, and some of them otherwise; all else in the file stays
    as it stands.

    Raises:
        Unanswerable: when an answer makes no sense.
    """
    campaign = _campaign(opened)
    words = " ".join(title.split())
    if not words:
        raise Unanswerable("a campaign has a title")
    others = {key: value for key, value in settings.items() if key != STRICTNESS}
    if str(settings.get(STRICTNESS, campaign.strictness)) not in [*map(str, Strictness)]:
        raise Unanswerable(f"a log is {', '.join(map(str, Strictness))}")
    held(others, rulebook(campaign.game))
    text = opened.text(SETTINGS_FILE)
    if words != campaign.title:
        text = set_head(text, SETTINGS_FILE, "title", words)
    for key, value in settings.items():
        if tree_of(text, SETTINGS_FILE).key(key) is None:
            text = f"{text.rstrip()}\n{key}: {flowing(value)}\n"
        else:
            text = set_head(text, SETTINGS_FILE, key, value)
    return text


def _campaign(opened: Opened) -> Campaign:
    campaign = opened.resident.campaign
    if campaign is None:
        raise opened.unreadable()
    return campaign
