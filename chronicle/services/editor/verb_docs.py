"""What there is to say of a verb and of its keys, in Markdown: beside what is completed, and under the pointer."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Field
from chronicle.core.game import Game
from chronicle.core.law import deciders_in_words
from chronicle.syntax.examples import documented_value, value_examples
from chronicle.syntax.reference import law_requirements
from chronicle.syntax.yaml_text import write_flow
from chronicle.words import word


class _GameVerb(NamedTuple):
    """A verb of a game, whose law is the same one for all its campaigns."""

    game: type[Game[Any]]
    verb: type[Action]


def describe_verb(rules: Game[Any], verb: type[Action]) -> str:
    """A verb in short: what it does, who acts and when, its keys, an example, other shapes of it."""
    return _describe_verb(_GameVerb(type(rules), verb))


@lru_cache(maxsize=1024)
def _describe_verb(game_verb: _GameVerb) -> str:
    law, verb = game_verb.game.law, game_verb.verb
    lines = [f"**{verb.verb}** — {' '.join((verb.__doc__ or '').split())}"]
    lines.append(word("server.who_acts", who=deciders_in_words(law, verb)))
    lines += [*law_requirements(verb, law)]
    keys = [name for name in verb.fields if name not in Action.fields]
    if keys:
        lines.append(word("server.keys", keys=", ".join(f"`{key}`" for key in keys)))
    entries = [f"- {verb.example}"] if verb.example else []
    if verb.main is not None:
        lines.append(word("server.main_value", meaning=verb.main.doc))
        value = write_flow(documented_value(verb, verb.verb))
        entries += [
            f"- {verb.verb}: {example}"
            for example in value_examples(verb, verb.main)
            if example != value
        ]
    return "  \n".join(lines) + _yaml_block(entries)


def describe_key(verb: type[Action], field: Field) -> str:
    """A key of a verb in short: what it means, how it is read, in which shapes."""
    doc = f"{field.name}, {field.kind.words}  \n{field.doc}"
    return doc + _yaml_block(
        [f"{field.name}: {example}" for example in value_examples(verb, field)]
    )


def _yaml_block(entries: list[str]) -> str:
    examples = "\n".join(entries)
    return f"\n\n```yaml\n{examples}\n```" if examples else ""
