"""Editors are told the truth: what checks clean is valid by the schema, and a typo is not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.games import GAMES, rulebook
from chronicle.syntax.reader import read_text
from chronicle.syntax.schema import campaign_schema, schema_id, session_schema

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = find_campaigns(ROOT / "sessions")
NUMBER = re.compile(r"[-+]?[0-9]+")


def strict(value: Value) -> Any:
    """A tree as an editor's strict YAML 1.2 parser hands it to the schema (core schema)."""
    if isinstance(value, SequenceNode):
        return [strict(item) for item in value]
    if isinstance(value, MappingNode):
        return {str(key): strict(item) for key, item in value.items()}
    if value.style:
        return str(value)
    if NUMBER.fullmatch(value):
        return int(value)
    match value:
        case "" | "~" | "null" | "Null" | "NULL":
            return None
        case "true" | "True" | "TRUE":
            return True
        case "false" | "False" | "FALSE":
            return False
        case _:
            pass
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", value):
        return float(value)
    return str(value)


def tree(file: Path) -> MappingNode:
    parsed = read_text(file.read_text(encoding="utf-8"), file.name)
    assert isinstance(parsed.tree, MappingNode)
    return parsed.tree


def errors(schema: dict[str, Any], value: Any) -> list[str]:
    schema_errors = jsonschema.Draft7Validator(schema).iter_errors(value)
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in schema_errors
    ]


@pytest.mark.parametrize("game", GAMES)
def test_schemas_are_flat_draft_7_with_an_address(game: str) -> None:
    rules = rulebook(game)
    for kind, schema in (("session", session_schema(rules)), ("campaign", campaign_schema(rules))):
        jsonschema.Draft7Validator.check_schema(schema)
        assert schema["$id"] == schema_id(game, kind)
        text = json.dumps(schema)
        for misleading in ("oneOf", "anyOf", "allOf"):
            assert misleading not in text
    entry = session_schema(rules)["definitions"]["entry"]
    assert entry["additionalProperties"] is False
    assert set(rules.by_verb) <= set(entry["properties"])
    assert all(subschema.get("description") for subschema in entry["properties"].values())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_examples_are_valid(folder: Path) -> None:
    rules = rulebook(load(folder).game)
    assert errors(campaign_schema(rules), strict(tree(folder / "campaign.yaml"))) == []
    schema = session_schema(rules)
    for file in sorted(folder.glob("*.yaml")):
        if file.name != "campaign.yaml":
            assert errors(schema, strict(tree(file))) == [], file


@pytest.mark.parametrize("game", GAMES)
def test_every_example_of_every_verb_is_valid(game: str) -> None:
    rules = rulebook(game)
    schema = session_schema(rules)
    for verb in rules.by_verb.values():
        if verb.example:
            parsed = read_text(f"session: 1\nlog:\n- {verb.example}\n", "x")
            assert parsed.problems == [], verb.example
            assert isinstance(parsed.tree, MappingNode)
            assert errors(schema, strict(parsed.tree)) == [], verb.example


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_typo_in_any_key_is_refused_by_the_schema_as_by_us(folder: Path) -> None:
    rules = rulebook(load(folder).game)
    schema = session_schema(rules)
    file = min(file for file in folder.glob("*.yaml") if file.name != "campaign.yaml")
    read = tree(file)
    log = read[ScalarNode("log")]
    assert isinstance(log, SequenceNode)
    places_seen: set[str] = set()
    for index, entry in enumerate(log):
        assert isinstance(entry, MappingNode)
        for key in entry:
            if key in places_seen:
                continue
            places_seen.add(str(key))
            value = strict(read)
            broken = value["log"][index]
            value["log"] = [{(f"{k}x" if k == key else k): v for k, v in broken.items()}]
            assert errors(schema, value), key
    # A campaign may be nothing but snapshots.
    assert len(places_seen) > 5 or places_seen >= {"snapshot", "text"}
    value = strict(read)
    del value["session"]
    assert errors(schema, {**value, "log": []})
    assert errors(schema, {**value, "session": "one", "log": []})
    assert errors(schema, {**value, "session": 1, "titel": "x", "log": []})
    assert errors(schema, {**value, "session": 1, "log": []}) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_typo_in_the_settings_is_refused(folder: Path) -> None:
    schema = campaign_schema(rulebook(load(folder).game))
    value = strict(tree(folder / "campaign.yaml"))
    for key in value:
        assert errors(schema, {(f"{k}x" if k == key else k): v for k, v in value.items()}), key
    assert errors(schema, {**value, "strictness": "lax"})
    assert errors(schema, {**value, "dice": "rolled"}) == []
    assert errors(schema, {**value, "dice": "made up"})


@pytest.mark.parametrize(
    "game", [g for g in GAMES if (ROOT / "tests/fixtures/broken" / g).is_dir()]
)
def test_what_is_readable_in_a_broken_copy_is_valid(game: str) -> None:
    """Entries of a broken copy that we decode without complaint are valid, one by one."""
    folder = ROOT / "tests" / "fixtures" / "broken" / game
    campaign = load(folder)
    schema = session_schema(rulebook(game))
    lines = {diagnostic.place.line for diagnostic in campaign.diagnostics}
    checked = 0
    for session in campaign.sessions:
        for action in session.actions:
            if lines.isdisjoint(range(action.source.line, action.source.end_line + 1)):
                value = {"session": 1, "log": [strict(action.source)]}
                assert errors(schema, value) == [], action.place()
                checked += 1
    assert checked > 10
