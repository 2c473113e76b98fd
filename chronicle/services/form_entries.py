"""Turn typed lines, tapped dice and stated figures into entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chronicle.core.answers import Thrown
from chronicle.core.declare import Action
from chronicle.core.names import PLAYER, Named
from chronicle.core.replay import Replay
from chronicle.services.open_campaigns import Unanswerable
from chronicle.services.usage import LATELY, Usage
from chronicle.services.writing import as_item, read_entry, with_text
from chronicle.syntax.one_line import LineError, read_line, split_line
from chronicle.syntax.yaml_text import Data, write_entry
from chronicle.workspace import Workspace

BESIDE_THE_LINE: Final = frozenset({"text", "note"})
"""Keys that have a place of their own at the desk."""


def verb_form(verbs: Mapping[str, type[Action]], line: str) -> dict[str, Any]:
    """The keys of the verb that a line begins with, as a form to fill in, with the values in the line.
    Required keys come first, the keys of every verb last.

    Raises:
        LineError: if it begins with no verb.
    """
    typed_line = split_line(line, verbs)
    if typed_line is None:
        raise LineError("begin with a verb: then there is something to fill in")
    verb = typed_line.verb
    values = {part.key: part.text.strip() for part in typed_line.parts}
    fields = [(key, field) for key, field in verb.fields.items() if key not in BESIDE_THE_LINE]
    fields.sort(key=lambda pair: (pair[0] in Action.fields, not pair[1].required))
    if verb.main is not None:
        fields.insert(0, (verb.verb, verb.main))
    return {
        "verb": verb.verb,
        "doc": " ".join((verb.__doc__ or "").split()),
        "example": verb.example,
        "keys": [
            {
                "name": key,
                "main": field is verb.main,
                "own": field is verb.main or key not in Action.fields,
                "doc": field.doc,
                "required": field.required,
                "value": values.get(key, ""),
            }
            for key, field in fields
        ],
    }


def read_typed_entries(
    workspace: Workspace, replay: Replay[Any], entry: str, line: str, by: str, text: str
) -> list[str]:
    """The entries that a user means, each without its dash: written as YAML (``entry``), or as one line
    (``line``). ``by`` is added if the log would assume another actor."""
    if bool(entry) == bool(line):
        raise Unanswerable("give an entry, or say it in a line")
    if line:
        entry = write_entry(entry_from_line(workspace, replay, line, by))
    entries = read_entry(entry)
    if text.strip():
        entries[-1] = with_text(entries[-1], text)
    return entries


def entry_from_line(
    workspace: Workspace, replay: Replay[Any], line: str, by: str
) -> dict[str, Data]:
    """The entry that a one-line form stands for. ``replay`` must be where the entry would be inserted; it is
    changed if ``by`` was given."""
    data = read_line(line, replay.rulebook.by_verb)
    if by and "by" not in data and actor_of(workspace, replay, data) != by:
        data["by"] = by
    return data


def actor_of(workspace: Workspace, replay: Replay[Any], data: Mapping[str, Data]) -> str:
    """The actor of an entry. The entry is applied to the replay."""
    new_steps, _ = workspace.attempt(replay, as_item(write_entry(data)))
    return new_steps[0].player if new_steps else ""


def throw_entry(
    replay: Replay[Any], verb: str, throws: Sequence[Mapping[str, Any]], within: str
) -> dict[str, Data]:
    """The entry for the throws that have fallen."""
    results = []
    for throw in throws:
        faces, extra = throw.get("faces", []), throw.get("extra", [])
        if not all(
            isinstance(texts, list) and all(isinstance(face, str) for face in texts)
            for texts in (faces, extra)
        ):
            raise Unanswerable("faces are a list of texts, as they fell")
        if faces or extra:
            roller, kind = str(throw.get("who", "")), str(throw.get("kind", ""))
            results.append(Thrown(shortest_name(replay, roller), kind, tuple(faces), tuple(extra)))
    if not results:
        raise Unanswerable("nothing has fallen yet")
    return replay.rulebook.thrown(verb, results, within)


def shortest_name(replay: Replay[Any], name: str) -> str:
    """A name in the form the log uses most; a name that it has not used yet is shortened to its first unique
    word."""
    names = replay.play.names
    subject = names.find(name)
    if not isinstance(subject, Named) or subject.kind == PLAYER:
        return name
    usage = Usage(replay.play.steps[-LATELY:], names)
    if usage.use_count(subject.id):
        return usage.usual_name(subject.id)
    return next((word for word in name.split() if names.find(word) is subject), name)
