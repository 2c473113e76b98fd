"""What there is to say of a verb and of its keys, in Markdown: beside what is completed, and under the pointer."""

from __future__ import annotations

from typing import Any

from chronicle.core.declare import Action, Field
from chronicle.core.law import who_decides
from chronicle.core.rulebook import Rulebook
from chronicle.desk.shapes import in_example, shapes
from chronicle.desk.typed import flowing
from chronicle.transcript.reference import held_to


def verb_told(rules: Rulebook[Any], verb: type[Action]) -> str:
    """A verb in short: what it does, who acts and when, its keys, an example, other shapes of it."""
    lines = [f"**{verb.verb}** — {' '.join((verb.__doc__ or '').split())}"]
    lines.append(f"Who acts: {who_decides(rules.law, verb)}")
    lines += [*held_to(verb, rules.law)]
    keys = [name for name in verb.fields if name not in Action.fields]
    if keys:
        lines.append("Keys: " + ", ".join(f"`{key}`" for key in keys))
    entries = [f"- {verb.example}"] if verb.example else []
    if verb.main is not None:
        lines.append(f"Value: {verb.main.doc}")
        there = flowing(in_example(verb, verb.verb))
        entries += [f"- {verb.verb}: {one}" for one in shapes(verb, verb.main) if one != there]
    return "  \n".join(lines) + _fenced(entries)


def key_told(verb: type[Action], key: Field) -> str:
    """A key of a verb in short: what it means, how it is read, in which shapes."""
    told = f"**{key.name}**: {key.doc}  \n*{key.kind.words}*"
    return told + _fenced([f"{key.name}: {one}" for one in shapes(verb, key)])


def _fenced(entries: list[str]) -> str:
    said = "\n".join(entries)
    return f"\n\n```yaml\n{said}\n```" if said else ""
