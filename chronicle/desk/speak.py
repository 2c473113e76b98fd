"""What is typed, tapped or counted becomes an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chronicle.core.declare import Action
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import Thrown
from chronicle.core.replay import Replay
from chronicle.desk.room import Unanswerable
from chronicle.desk.usage import LATELY, Usage
from chronicle.desk.writing import as_item, read_entry, with_text
from chronicle.resident import Resident
from chronicle.transcript.one_line import LineError, read_line, split_line
from chronicle.transcript.yaml_text import Data, write_entry

BESIDE_THE_LINE: Final = frozenset({"text", "note"})
"""Keys that have a place of their own at the desk."""


def form(verbs: Mapping[str, type[Action]], line: str) -> dict[str, Any]:
    """The keys of the verb that a line begins with, as a form to fill in, with the values in the line.
    Required keys come first, the keys of every verb last.

    Raises:
        LineError: if it begins with no verb.
    """
    parsed = split_line(line, verbs)
    if parsed is None:
        raise LineError("begin with a verb: then there is something to fill in")
    verb = parsed.verb
    values = {part.key: part.text.strip() for part in parsed.parts}
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


def pieces(
    resident: Resident, replay: Replay[Any], entry: str, said: str, by: str, text: str
) -> list[str]:
    """The entries that somebody means, each without its dash: written as YAML under ``entry``, or
    ``said`` in one line, by a player where the log would take another for the actor."""
    if bool(entry) == bool(said):
        raise Unanswerable("give an entry, or say it in a line")
    if said:
        entry = write_entry(spoken(resident, replay, said, by))
    found = read_entry(entry)
    if text.strip():
        found[-1] = with_text(found[-1], text)
    return found


def spoken(resident: Resident, replay: Replay[Any], said: str, by: str) -> dict[str, Data]:
    """The entry that a line stands for. ``replay`` stands where it would come, and has gone on
    afterwards if ``by`` was asked for."""
    data = read_line(said, replay.rulebook.by_verb)
    if by and "by" not in data and acting(resident, replay, data) != by:
        data["by"] = by
    return data


def acting(resident: Resident, replay: Replay[Any], data: Mapping[str, Data]) -> str:
    """Whose act an entry would be; the replay goes on with it."""
    done, _ = resident.attempt(replay, as_item(write_entry(data)))
    return done[0].player if done else ""


def thrown(
    replay: Replay[Any], verb: str, dice: Sequence[Mapping[str, Any]], within: str
) -> dict[str, Data]:
    """The entry for what fell on the table."""
    read = []
    for one in dice:
        faces, extra = one.get("faces", []), one.get("extra", [])
        if not all(
            isinstance(part, list) and all(isinstance(face, str) for face in part)
            for part in (faces, extra)
        ):
            raise Unanswerable("faces are a list of texts, as they fell")
        if faces or extra:
            who, kind = str(one.get("who", "")), str(one.get("kind", ""))
            read.append(Thrown(shortest(replay, who), kind, tuple(faces), tuple(extra)))
    if not read:
        raise Unanswerable("nothing has fallen yet")
    return replay.rulebook.thrown(verb, read, within)


def shortest(replay: Replay[Any], name: str) -> str:
    """A name as the log mostly has it; of one that it has not had yet the first word that means nobody
    else."""
    names = replay.play.names
    named = names.find(name)
    if not isinstance(named, Named) or named.kind == PLAYER:
        return name
    usage = Usage(replay.play.steps[-LATELY:], names)
    if usage.uses(named.id):
        return usage.word(named.id)
    return next((word for word in name.split() if names.find(word) is named), name)
