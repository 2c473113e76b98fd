"""Turn typed lines, tapped dice and stated figures into entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chronicle.core.answers import Thrown
from chronicle.core.declare import Action
from chronicle.core.names import PLAYER, Named
from chronicle.core.replay import Replay
from chronicle.services.open_campaigns import Unanswerable
from chronicle.services.usage import RECENT_STEP_COUNT, Usage
from chronicle.services.writing import as_list_item, read_entries, with_text
from chronicle.syntax.one_line import LineError, read_line, split_line
from chronicle.syntax.yaml_text import Data, write_entry
from chronicle.workspace import Workspace

KEYS_BESIDE_LINE: Final = frozenset({"text", "note"})
"""Keys that have a place of their own at the desk."""


def verb_form(action_classes: Mapping[str, type[Action]], line_text: str) -> dict[str, Any]:
    """The keys of the verb that a line begins with, as a form to fill in, with the values in the line.
    Required keys come first, the keys of every verb last.

    Raises:
        LineError: if it begins with no verb.
    """
    parsed_line = split_line(line_text, action_classes)
    if parsed_line is None:
        raise LineError("begin with a verb: then there is something to fill in")
    action_class = parsed_line.verb
    typed_values = {part.key: part.text.strip() for part in parsed_line.typed_fields}
    fields = [
        (key, field) for key, field in action_class.fields.items() if key not in KEYS_BESIDE_LINE
    ]
    fields.sort(
        key=lambda key_and_field: (key_and_field[0] in Action.fields, not key_and_field[1].required)
    )
    if action_class.main is not None:
        fields.insert(0, (action_class.verb, action_class.main))
    return {
        "verb": action_class.verb,
        "doc": " ".join((action_class.__doc__ or "").split()),
        "example": action_class.example,
        "keys": [
            {
                "name": key,
                "main": field is action_class.main,
                "own": field is action_class.main or key not in Action.fields,
                "doc": field.doc,
                "required": field.required,
                "value": typed_values.get(key, ""),
            }
            for key, field in fields
        ],
    }


def read_typed_entries(
    workspace: Workspace, replay: Replay[Any], entry: str, typed_line: str, actor: str, story: str
) -> list[str]:
    """The entries that a user means, each without its dash: written as YAML (``entry``), or as one line
    (``typed_line``). ``actor`` is added if the log would assume another actor."""
    if bool(entry) == bool(typed_line):
        raise Unanswerable("give an entry, or say it in a line")
    if typed_line:
        entry = write_entry(entry_from_line(workspace, replay, typed_line, actor))
    entries = read_entries(entry)
    if story.strip():
        entries[-1] = with_text(entries[-1], story)
    return entries


def entry_from_line(
    workspace: Workspace, replay: Replay[Any], typed_line: str, actor: str
) -> dict[str, Data]:
    """The entry that a one-line form stands for. ``replay`` must be where the entry would be inserted; it is
    changed if ``actor`` was given."""
    entry_data = read_line(typed_line, replay.rulebook.by_verb)
    if actor and "by" not in entry_data and actor_of(workspace, replay, entry_data) != actor:
        entry_data["by"] = actor
    return entry_data


def actor_of(workspace: Workspace, replay: Replay[Any], entry_data: Mapping[str, Data]) -> str:
    """The actor of an entry. The entry is applied to the replay."""
    new_steps, _ = workspace.attempt(replay, as_list_item(write_entry(entry_data)))
    return new_steps[0].player if new_steps else ""


def entry_for_throws(
    replay: Replay[Any], verb: str, throws: Sequence[Mapping[str, Any]], outer_verb: str
) -> dict[str, Data]:
    """The entry for the throws that have fallen."""
    thrown_dice = []
    for throw in throws:
        faces, extra_faces = throw.get("faces", []), throw.get("extra", [])
        if not all(
            isinstance(face_texts, list) and all(isinstance(face, str) for face in face_texts)
            for face_texts in (faces, extra_faces)
        ):
            raise Unanswerable("faces are a list of texts, as they fell")
        if faces or extra_faces:
            roller, dice_kind = str(throw.get("who", "")), str(throw.get("kind", ""))
            thrown_dice.append(
                Thrown(shortest_name(replay, roller), dice_kind, tuple(faces), tuple(extra_faces))
            )
    if not thrown_dice:
        raise Unanswerable("nothing has fallen yet")
    return replay.rulebook.thrown(verb, thrown_dice, outer_verb)


def shortest_name(replay: Replay[Any], name: str) -> str:
    """A name in the form the log uses most; a name that it has not used yet is shortened to its first unique
    word."""
    names = replay.play.names
    subject = names.find(name)
    if not isinstance(subject, Named) or subject.kind == PLAYER:
        return name
    usage = Usage(replay.play.steps[-RECENT_STEP_COUNT:], names)
    if usage.use_count(subject.id):
        return usage.usual_name(subject.id)
    return next((name_word for name_word in name.split() if names.find(name_word) is subject), name)
