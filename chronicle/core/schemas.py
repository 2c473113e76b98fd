"""JSON Schemas of values that may have several forms: how two of them become one."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]
"""A JSON Schema, for editors."""

ROLE_KEY: Final = "x-role"
"""The key of a schema with the role of its names, for code that knows the needs of the role."""
UNIQUE_KEY: Final = "uniqueItems"


def allowed_json_types(schema: Schema) -> list[str]:
    """The JSON types that a schema allows; empty if it allows any."""
    declared_types = schema.get("type", [])
    return [declared_types] if isinstance(declared_types, str) else list(declared_types)


def merge_schemas(schema: Schema, other_schema: Schema) -> Schema:
    """A flat schema that accepts what either schema accepts (without ``oneOf``, whose messages mislead).
    ``{}`` accepts everything."""
    if schema == other_schema:
        return schema
    if "enum" in schema and "enum" in other_schema:
        return {
            "enum": [
                *schema["enum"],
                *(word for word in other_schema["enum"] if word not in schema["enum"]),
            ]
        }
    first_types, second_types = allowed_json_types(schema), allowed_json_types(other_schema)
    if not first_types or not second_types:
        return {}
    merged_schema: Schema = {}
    merged_types = [
        *first_types,
        *(type_name for type_name in second_types if type_name not in first_types),
    ]
    merged_schema["type"] = merged_types if len(merged_types) > 1 else merged_types[0]
    # A restriction of one type holds unless the other schema accepts that type without it.
    for type_names, restriction_keys in (
        (("string",), ("pattern",)),
        (("integer", "number"), ("minimum", "maximum")),
        (("array",), ("items", ROLE_KEY, UNIQUE_KEY)),
        (("object",), ("properties", "additionalProperties", "required")),
    ):
        is_in_first = any(type_name in first_types for type_name in type_names)
        is_in_second = any(type_name in second_types for type_name in type_names)
        if is_in_first and is_in_second:
            merged_schema.update(merge_restrictions(schema, other_schema, type_names[0]))
        elif is_in_first or is_in_second:
            restricting_schema = schema if is_in_first else other_schema
            merged_schema.update(
                {
                    key: restricting_schema[key]
                    for key in restriction_keys
                    if key in restricting_schema
                }
            )
    return merged_schema


def merge_restrictions(first_schema: Schema, second_schema: Schema, json_type: str) -> Schema:
    """The restrictions of a type in a schema that accepts what either of two accepts."""
    match json_type:
        case "string":
            has_equal_pattern = first_schema.get("pattern") == second_schema.get("pattern")
            return (
                {"pattern": first_schema["pattern"]}
                if has_equal_pattern and "pattern" in first_schema
                else {}
            )
        case "integer":
            bound_by_key: Schema = {}
            if "minimum" in first_schema and "minimum" in second_schema:
                bound_by_key["minimum"] = min(first_schema["minimum"], second_schema["minimum"])
            if "maximum" in first_schema and "maximum" in second_schema:
                bound_by_key["maximum"] = max(first_schema["maximum"], second_schema["maximum"])
            return bound_by_key
        case "array":
            item_schema = merge_schemas(
                first_schema.get("items", {}), second_schema.get("items", {})
            )
            equal_keys: Schema = {
                shared_key: first_schema[shared_key]
                for shared_key in (ROLE_KEY, UNIQUE_KEY)
                if shared_key in first_schema
                and first_schema[shared_key] == second_schema.get(shared_key)
            }
            return {"items": item_schema, **equal_keys} if item_schema else equal_keys
        case _:
            return merge_mappings(first_schema, second_schema)


def merge_mappings(first_schema: Schema, second_schema: Schema) -> Schema:
    """A schema that accepts the mappings that either of two schemas accepts."""
    both_properties = [schema.get("properties", {}) for schema in (first_schema, second_schema)]
    additional_schemas = [
        schema.get("additionalProperties", {}) for schema in (first_schema, second_schema)
    ]
    property_schemas: Schema = {}
    for first_properties, other_properties, other_additional_schema in (
        (both_properties[0], both_properties[1], additional_schemas[1]),
        (both_properties[1], both_properties[0], additional_schemas[0]),
    ):
        for property_name, property_schema in first_properties.items():
            other_property_schema = other_properties.get(property_name, other_additional_schema)
            property_schemas.setdefault(
                property_name,
                property_schema
                if other_property_schema is False
                else merge_schemas(property_schema, other_property_schema),
            )
    open_schemas = [schema for schema in additional_schemas if schema is not False]
    additional_schema = (
        merge_schemas(*open_schemas)
        if len(open_schemas) == 2
        else open_schemas[0]
        if open_schemas
        else False
    )
    merged_schema: Schema = (
        {"additionalProperties": additional_schema} if additional_schema != {} else {}
    )
    if property_schemas:
        merged_schema["properties"] = property_schemas
    required_keys = [
        required_key
        for required_key in first_schema.get("required", [])
        if required_key in second_schema.get("required", [])
    ]
    if required_keys:
        merged_schema["required"] = required_keys
    return merged_schema
