"""A new campaign: what is asked before the first entry, and the files that come of the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import FORMAT, Settings
from chronicle.core.declare import YES_NO, Choice, Field, OneOrMany, bare
from chronicle.core.diagnostic import Strictness
from chronicle.core.names import fold
from chronicle.core.portable import portable
from chronicle.core.rulebook import Rulebook
from chronicle.desk.room import Room, Unanswerable
from chronicle.games import game_names, is_game, rulebook, rulebooks
from chronicle.transcript.folder import SETTINGS_FILE, project_around, slug_of
from chronicle.transcript.yaml_text import write_flow, write_scalar

FIRST: Final = "01.yaml"
ADD_ONS: Final = "add ons"
WORDS: Final = {
    Strictness.METICULOUS: "everything is written down, and whatever is odd is told",
    Strictness.STANDARD: "mistakes are errors, slips of counting are warnings",
    Strictness.RELAXED: "the story matters; little is an error",
}
"""What each way of keeping a log means, for whoever has to choose."""


class Answers(NamedTuple):
    """What a group says before it begins. ``runner`` runs the game where somebody does, ``settings`` are
    answers by key, ``add_ons`` the optional rules in force."""

    game: str
    title: str
    players: tuple[str, ...]
    runner: str = ""
    strictness: str = str(Strictness.STANDARD)
    settings: Mapping[str, Any] = {}
    add_ons: tuple[str, ...] = ()


def games() -> list[dict[str, Any]]:
    """The games there are, each with what is asked for it."""
    return [_about(rules) for rules in rulebooks()]


def _about(rules: Rulebook[Any]) -> dict[str, Any]:
    return {
        "game": rules.name,
        "title": rules.title,
        "intro": rules.summary,
        "runner": rules.settings.facilitator,
        "players": len(re.findall(r"\w+", _example(rules))),
        "strictness": [
            {"value": str(level), "doc": words, "default": level is Strictness.STANDARD}
            for level, words in WORDS.items()
        ],
        "settings": [setting(field) for field in asked(rules)],
        "add_ons": [
            {"key": one.key, "label": one.title, "doc": one.summary, "id": one.id}
            for one in rules.optional_rules()
            if not one.needs
        ],
    }


def _example(rules: Rulebook[Any]) -> str:
    """The players of the game's own first evening: as many as it is best with."""
    found = re.search(r"^players: \[([^\]]*)\]", rules.new_campaign()[SETTINGS_FILE], re.MULTILINE)
    return found[1] if found else ""


def asked(rules: Rulebook[Any]) -> list[Field]:
    """The settings of a game that somebody can answer before the first entry."""
    settings = rules.settings
    own = {
        name: field
        for name, field in settings.fields.items()
        if name not in Settings.fields and name not in (settings.facilitator, ADD_ONS)
    }
    return [field for field in own.values() if _choices(field) is not None]


def _choices(field: Field) -> tuple[str, ...] | None:
    """The words that a setting may have; None where it is no such question."""
    kind = bare(field.kind)
    if kind is YES_NO:
        return ("yes", "no")
    if isinstance(kind, OneOrMany):
        kind = bare(kind.item)
    return kind.choices if isinstance(kind, Choice) else None


def setting(field: Field) -> dict[str, Any]:
    """A setting as it is asked: what it is about, and between what people choose."""
    many = isinstance(bare(field.kind), OneOrMany)
    default = field.default
    return {
        "key": field.name,
        "doc": field.doc,
        "kind": "several" if many else "choice",
        "choices": [*(_choices(field) or ())],
        "default": [*default] if many else default if isinstance(default, str) else "",
    }


# -- the files -------------------------------------------------------------------------------------


def files(said: Answers) -> dict[str, str]:
    """The files of a campaign by these answers: its settings, and an empty first evening.

    Raises:
        Unanswerable: when an answer makes no sense.
    """
    if not is_game(said.game):
        raise Unanswerable(f"there is no game '{said.game}'", f"games: {', '.join(game_names())}")
    rules = rulebook(said.game)
    _hold(said, rules)
    rows = [
        "# A campaign is this folder. Every other *.yaml in it is one session.",
        f"game: {said.game}",
        f"title: {write_scalar(' '.join(said.title.split()), flow=False)}",
        f"players: {write_flow([*said.players])}",
    ]
    if rules.settings.facilitator:
        rows.append(f"{rules.settings.facilitator}: {write_scalar(said.runner, flow=False)}")
    for key, value in said.settings.items():
        rows.append(f"{key}: {write_flow(value)}")
    if said.add_ons:
        rows.append(f"{ADD_ONS}: {write_flow([*said.add_ons])}")
    rows.append(f"strictness: {said.strictness}")
    rows.append(f"format: {FORMAT}")
    return {SETTINGS_FILE: "\n".join(rows) + "\n", FIRST: "session: 1\n\nlog:\n"}


def _hold(said: Answers, rules: Rulebook[Any]) -> None:
    if not said.title.strip():
        raise Unanswerable("a campaign has a title")
    names = [*said.players, *([said.runner] if said.runner else [])]
    if not said.players or not all(name.strip() for name in names):
        raise Unanswerable("name who sits at the table")
    if len({fold(name) for name in names}) < len(names):
        raise Unanswerable("two at the table have the same name", "Ana and Ana B. are two")
    role = rules.settings.facilitator
    if role and not said.runner.strip():
        raise Unanswerable(f"name the {role}, who runs the game")
    if said.strictness not in map(str, Strictness):
        raise Unanswerable(f"a log is {', '.join(map(str, Strictness))}")
    held(said.settings, rules)
    offered = {one.key for one in rules.optional_rules()}
    for key in said.add_ons:
        if key not in offered:
            raise Unanswerable(f"there is no optional rule '{key}' in {rules.title}")


def held(settings: Mapping[str, Any], rules: Rulebook[Any]) -> None:
    """Hold answers against what the settings of a game may be.

    Raises:
        Unanswerable: when one makes no sense.
    """
    known = {field.name: field for field in asked(rules)}
    for key, value in settings.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        choices = _choices(known[key]) if key in known else None
        if choices is None or not all(one in choices for one in values):
            raise Unanswerable(f"'{key}' cannot be {write_flow(value)}")


# -- where it goes ---------------------------------------------------------------------------------


def home_for(room: Room, title: str) -> Path:
    """A folder for a new campaign: beside those that are there, where the site of their project looks
    for them, and no other's."""
    there = [folder.resolve() for folder in room.ids().values()]
    around = project_around(room.folder)
    if around is not None:
        above = around[1]
    elif room.folder in there:
        above = room.folder.parent
    else:
        above = there[0].parent if there else room.folder
    stem = portable(slug_of(title))
    home, count = above / stem, 1
    while home.exists():
        count += 1
        home = above / f"{stem}-{count}"
    return home
