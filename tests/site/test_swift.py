"""Our own templates say the same as in any environment of Jinja."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError
from markupsafe import Markup

from chronicle.site.swift import Swift

VALUES = {
    "plain": "words",
    "means": "<b> & \"two\" 'three'",
    "marked": Markup("<b>bold</b>"),
    "number": 7,
    "nothing": None,
    "row": {"title": "<x>", "items": "hidden by a method", "class": "of a row"},
    "pair": ("a", "<b>"),
}


@pytest.mark.parametrize(
    "source",
    [
        "{{ plain }}{{ means }}{{ marked }}{{ number }}{{ nothing }}",
        "{{ row.title }} {{ row['class'] }} {{ row.items() | length }} {{ row.get('title') }}",
        "{{ row.missing is defined }} {{ row.missing | default('none <here>') }} {{ pair }}",
        "{% macro say(x) %}<i>{{ x }}</i>{% endmacro %}{{ say(means) }}{{ say(marked) ~ means }}",
        "{% autoescape false %}{{ means }}{{ say }}{% endautoescape %}",
    ],
)
def test_a_template_says_the_same(source: str) -> None:
    made: list[Any] = [
        kind(autoescape=True, undefined=StrictUndefined).from_string(source).render(VALUES, say="&")
        for kind in (Swift, Environment)
    ]
    assert made[0] == made[1]


def test_what_is_missing_is_told() -> None:
    env = Swift(autoescape=True, undefined=StrictUndefined)
    for source in ("{{ missing }}", "{{ row.missing }}"):
        with pytest.raises(UndefinedError, match="missing"):
            env.from_string(source).render(VALUES)
