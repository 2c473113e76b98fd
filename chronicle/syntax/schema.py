"""JSON Schemas (draft 7) for editors, from the declarations of a game's verbs.

One flat ``properties`` map with ``additionalProperties: false``; no ``oneOf``, which leads to misleading
messages."""

from __future__ import annotations

from typing import Any, Final

from chronicle.core.campaign import Header, Settings
from chronicle.core.declare import Action, Part, PartOf
from chronicle.core.game import Game
from chronicle.core.law import Law
from chronicle.core.schemas import ROLE_KEY, UNIQUE_KEY, Schema, merge_schemas
from chronicle.core.stated_figures import stated_figures_type

SCHEMA_VERSION: Final = 1
"""Version of the schemas; it increases if a schema refuses files that an older one accepted."""

MAX_VERBS_LISTED: Final = 10
"""If this many verbs share an option with one meaning, the description does not list them."""

DRAFT_URL: Final = "http://json-schema.org/draft-07/schema#"


def schema_id(game_name: str, file_kind: str) -> str:
    """The versioned ``$id`` of a schema: ``file_kind`` is ``session`` or ``campaign``."""
    return f"urn:chronicle:schema:{SCHEMA_VERSION}:{game_name}:{file_kind}"


def session_schema(game: Game[Any]) -> Schema:
    """The schema of a session file of a game."""
    head_schema = with_list_rules(_mapping_schema(Header), None)
    head_schema["properties"]["log"] = {
        "description": "what happened, top to bottom",
        "type": ["array", "null"],
        "items": {"$ref": "#/definitions/entry"},
    }
    head_schema["required"] = [*head_schema.get("required", []), "log"]
    return {
        "$schema": DRAFT_URL,
        "$id": schema_id(game.name, "session"),
        "title": f"A session of {game.title}",
        **head_schema,
        "definitions": {"entry": _entry_schema(game)},
    }


def campaign_schema(game: Game[Any]) -> Schema:
    """The schema of ``campaign.yaml`` of a game."""
    return {
        "$schema": DRAFT_URL,
        "$id": schema_id(game.name, "campaign"),
        "title": f"A campaign of {game.title}",
        **with_list_rules(_mapping_schema(game.settings), game.law),
    }


def _mapping_schema(mapping_class: type[Part] | type[Settings]) -> Schema:
    schema = PartOf(mapping_class).schema()
    return {
        key: schema[key]
        for key in ("type", "properties", "additionalProperties", "required")
        if key in schema
    }


def with_list_rules(schema: Schema, law: Law | None) -> Schema:
    """A schema with the law's rules for lists: most lists must not repeat a name."""
    new_schema = {
        key: with_list_rules(value, law) if isinstance(value, dict) else value
        for key, value in schema.items()
    }
    role_name = str(new_schema.pop(ROLE_KEY, "") or schema.get("items", {}).get(ROLE_KEY, ""))
    role = law.roles.get(role_name) if law is not None else None
    if role is not None and role.repeat_rule and "array" in new_schema.get("type", ()):
        new_schema[UNIQUE_KEY] = True
    return new_schema


def _entry_schema(game: Game[Any]) -> Schema:
    action_classes = tuple(game.by_verb.values())
    schema_by_property: dict[str, Schema] = {}
    verbs_by_meaning_by_name: dict[str, dict[str, list[str]]] = {}
    for action_class in action_classes:
        description = " ".join((action_class.__doc__ or "").split())
        value_schema: Schema = {"type": "null"}
        if action_class.main is not None:
            main_type = stated_figures_type(action_class.main.kind, game.by_measure, game.things)
            value_schema = with_list_rules(main_type.schema(), game.law)
            description += f" Value: {action_class.main.doc}."
            if not action_class.main.required:
                value_schema = merge_schemas(value_schema, {"type": "null"})
        _add_property(
            schema_by_property,
            verbs_by_meaning_by_name,
            action_class.verb,
            value_schema,
            description,
        )
    for action_class in action_classes:
        for field in action_class.fields.values():
            verb_name = "" if field.name in Action.fields else action_class.verb
            field_type = stated_figures_type(field.kind, game.by_measure, game.things)
            _add_property(
                schema_by_property,
                verbs_by_meaning_by_name,
                field.name,
                with_list_rules(field_type.schema(), game.law),
                field.doc,
                verb_name,
            )
    described_properties: dict[str, Any] = {
        name: {**schema, "description": _description_of(verbs_by_meaning_by_name[name])}
        for name, schema in schema_by_property.items()
    }
    return {
        "type": "object",
        "minProperties": 1,
        "properties": described_properties,
        "additionalProperties": False,
    }


def _description_of(verbs_by_meaning: dict[str, list[str]]) -> str:
    """The description of one name: each meaning, with its verbs if there are few."""
    return "\n".join(
        f"{meaning} ({', '.join(verbs)})"
        if verbs and (len(verbs) < MAX_VERBS_LISTED or len(verbs_by_meaning) > 1)
        else meaning
        for meaning, verbs in verbs_by_meaning.items()
    )


def _add_property(
    schema_by_property: dict[str, Schema],
    verbs_by_meaning_by_name: dict[str, dict[str, list[str]]],
    property_name: str,
    schema: Schema,
    meaning: str,
    verb: str = "",
) -> None:
    existing_schema = schema_by_property.setdefault(property_name, schema)
    if existing_schema != schema:
        schema_by_property[property_name] = merge_schemas(existing_schema, schema)
    verbs = verbs_by_meaning_by_name.setdefault(property_name, {}).setdefault(meaning, [])
    if verb:
        verbs.append(verb)
