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


def describe_verb(game: Game[Any], action_class: type[Action]) -> str:
    """A verb in short: what it does, who acts and when, its keys, an example, other shapes of it."""
    return _describe_verb(_GameVerb(type(game), action_class))


@lru_cache(maxsize=1024)
def _describe_verb(game_verb: _GameVerb) -> str:
    law, action_class = game_verb.game.law, game_verb.verb
    lines = [f"**{action_class.verb}** — {' '.join((action_class.__doc__ or '').split())}"]
    lines.append(word("server.who_acts", who=deciders_in_words(law, action_class)))
    lines += [*law_requirements(action_class, law)]
    own_keys = [name for name in action_class.fields if name not in Action.fields]
    if own_keys:
        lines.append(word("server.keys", keys=", ".join(f"`{key}`" for key in own_keys)))
    example_entries = [f"- {action_class.example}"] if action_class.example else []
    if action_class.main is not None:
        lines.append(word("server.main_value", meaning=action_class.main.doc))
        documented_text = write_flow(documented_value(action_class, action_class.verb))
        example_entries += [
            f"- {action_class.verb}: {example}"
            for example in value_examples(action_class, action_class.main)
            if example != documented_text
        ]
    return "  \n".join(lines) + _yaml_block(example_entries)


def describe_key(action_class: type[Action], field: Field) -> str:
    """A key of a verb in short: what it means, how it is read, in which shapes."""
    description = f"{field.name}, {field.kind.words}  \n{field.doc}"
    return description + _yaml_block(
        [f"{field.name}: {example}" for example in value_examples(action_class, field)]
    )


def _yaml_block(example_entries: list[str]) -> str:
    example_text = "\n".join(example_entries)
    return f"\n\n```yaml\n{example_text}\n```" if example_text else ""
