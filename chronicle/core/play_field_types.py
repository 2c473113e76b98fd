"""Values with a form of their own: faces of dice, speech, a change, a pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from chronicle.core.diagnostic import ask_whether, either, nearest_words
from chronicle.core.dice import Die, Faces, nearest_faces, read_faces
from chronicle.core.field_types import NAME, WHOLE, Context, FieldType, NameItem, is_unrecorded
from chronicle.core.misread import Misread, shown
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, Value


class Change(NamedTuple):
    """A change of a number by a ``difference`` (``up 2``, ``down 1``), or the ``new_value``."""

    difference: int | None
    new_value: int | None


class _ChangeType(FieldType[Change]):
    words = "'up 2', 'down 1' or the new number"

    def read(self, value: Value, context: Context) -> Change:
        if isinstance(value, ScalarNode):
            change_words = value.split()
            if len(change_words) == 2 and change_words[0].casefold() in ("up", "down"):
                amount = WHOLE.read(value.like(change_words[1]), context)
                return Change(amount if change_words[0].casefold() == "up" else -amount, None)
            if value.casefold() in ("up", "down"):
                raise Misread(
                    f"by how much it goes {value} is missing", value, replacements=[f"{value} 1"]
                )
            if len(change_words) == 1 and value.startswith("+"):
                amount_text = value.removeprefix("+")
                raise Misread(
                    f"'{value}' may be {amount_text} more or the new number",
                    value,
                    replacements=[f"up {amount_text}", amount_text],
                )
            if len(change_words) == 1:
                return Change(None, WHOLE.read(value, context))
        raise Misread(f", not {shown(value)}", value, expected=self.words)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"], "pattern": "^(up|down) [0-9]+$|^-?[0-9]+$"}


def faces_or_nearest(value: Value, die: Die, context: Context) -> Faces:
    """The typed faces. An impossible face is reported, and read as the nearest possible one if that is
    allowed."""
    try:
        return read_faces(value, die)
    except ValueError as error:
        message, _, help_text = str(error).partition("|")
        face_error = Misread(message, value, help_text, code=die.rule or "T31")
    corrected_faces = nearest_faces(value, die) if context.corrections is not None else None
    if corrected_faces is None or context.corrections is None:
        try:
            raise face_error
        finally:
            # Otherwise the exception would keep its caller's frame, and all its variables, alive in a
            # cycle.
            del face_error
    face_error.is_guessed = True
    context.corrections.append(face_error)
    return corrected_faces


class FacesType(FieldType[Faces]):
    """The faces of one kind of die, in the order in which they fell."""

    def __init__(self, die: Die) -> None:
        self.die = die
        self.words = f"faces of {die.name}, as they fell"

    def read(self, value: Value, context: Context) -> Faces:
        if is_unrecorded(value):
            remedy = "where nobody knows them, write  - gap: ...  in place of this entry"
            raise Misread(
                "these dice cannot be 'unrecorded'", value, remedy, code="T31", is_told=True
            )
        return faces_or_nearest(value, self.die, context)

    def schema(self) -> Schema:
        return {"type": ["string", "integer", "array"], "items": {"type": ["string", "integer"]}}


class FacesByDieType(FieldType[dict[str, Faces]]):
    """Faces sorted by the kind of die that showed them: ``{d10: 9, d6: [4, 2]}``."""

    def __init__(self, dice: Mapping[str, Die]) -> None:
        self.dice = dice
        self.words = f"faces by {either(dice)}"

    def read(self, value: Value, context: Context) -> dict[str, Faces]:
        if not isinstance(value, MappingNode):
            raise Misread(f", not {shown(value)}", value, expected=self.words)
        faces_by_die: dict[str, Faces] = {}
        for die_name, typed_faces in value.items():
            if die_name not in self.dice:
                similar_dice = nearest_words(die_name, list(self.dice))
                message = f"no die '{die_name}' here: {either(self.dice)}{ask_whether(die_name, similar_dice)}"
                raise Misread(
                    message, die_name, replacements=similar_dice or self.dice, is_told=True
                )
            faces_by_die[str(die_name)] = FacesType(self.dice[die_name]).read(typed_faces, context)
        return faces_by_die

    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": {
                die_name: FacesType(die).schema() for die_name, die in self.dice.items()
            },
            "additionalProperties": False,
        }


class Pair(NamedTuple):
    """Two names joined by ``&``, in any order."""

    first: ScalarNode
    second: ScalarNode


class _PairType(FieldType[Pair]):
    words = "a pair of names, 'Ruth & Basil'"

    def read(self, value: Value, context: Context) -> Pair:
        name_node = NAME.read(value, context)
        pair_names = [pair_name.strip() for pair_name in name_node.split("&")]
        if len(pair_names) != 2 or not all(pair_names):
            raise Misread(f", not {shown(value)}", value, expected=self.words)
        return Pair(name_node.like(pair_names[0]), name_node.like(pair_names[1]))

    def schema(self) -> Schema:
        return {"type": "string", "pattern": "&"}

    def has_names(self) -> bool:
        return True

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return ((value.first, value.second),) if isinstance(value, Pair) else ()


class SpokenLine(NamedTuple):
    """One speech: who speaks, and the words."""

    speaker: ScalarNode
    words: ScalarNode


class _SpeechType(FieldType[tuple[SpokenLine, ...]]):
    words = "speech, one 'Name: words' a line after |"

    def read(self, value: Value, context: Context) -> tuple[SpokenLine, ...]:
        if not isinstance(value, ScalarNode):
            raise Misread(
                f", not {shown(value)}",
                value,
                "write a line for each speech",
                replacements=[_speech_block(value)] if isinstance(value, MappingNode) else [],
                expected=self.words,
            )
        lines: list[SpokenLine] = []
        is_literal = value.style == "|"
        for line_index, raw_line in enumerate(value.split("\n")):
            if not raw_line.strip():
                continue
            speaker_name, colon, speech_text = raw_line.partition(":")
            speech_node = value.like(raw_line)
            if is_literal:
                # In a literal block every line is a line of the file, below the indicator.
                file_line = value.line + 1 + line_index
                speech_node = ScalarNode(
                    raw_line, file_line, value.column, file_line, value.column + len(raw_line)
                )
            if not colon or not speaker_name.strip():
                if lines and raw_line[:1].isspace():
                    last_speech = lines[-1]
                    lines[-1] = SpokenLine(
                        last_speech.speaker,
                        last_speech.words.like(f"{last_speech.words} {raw_line.strip()}"),
                    )
                    continue
                raise Misread(
                    f"no speaker in {shown(speech_node)}", speech_node, "write 'Name: words'"
                )
            lines.append(
                SpokenLine(
                    speech_node.like(speaker_name.strip()), speech_node.like(speech_text.strip())
                )
            )
        if not lines:
            raise Misread("nobody says anything here", value, "write 'Name: words'")
        return tuple(lines)

    def schema(self) -> Schema:
        return {"type": "string"}

    def has_names(self) -> bool:
        return True

    def names_in(self, value: Any) -> Iterable[NameItem]:
        if isinstance(value, tuple):
            for line in value:
                if isinstance(line, SpokenLine):
                    yield (line.speaker,)


def _speech_block(text_by_speaker: MappingNode) -> str:
    """Speeches of a mapping as a literal block with one line each, as in a log."""
    speech_lines = (
        f"  {speaker}: {speech_text}" for speaker, speech_text in text_by_speaker.items()
    )
    return "\n".join(("|", *speech_lines))


CHANGE: FieldType[Change] = _ChangeType()
PAIR: FieldType[Pair] = _PairType()
SPEECH: FieldType[tuple[SpokenLine, ...]] = _SpeechType()


def faces(die: Die) -> FieldType[Faces]:
    """Faces of one kind of die in the order they fell: ``faces(D6)``."""
    die_argument: object = die
    if not isinstance(die_argument, Die):
        raise TypeError("write the die, not its name:  faces(D6)")
    return FacesType(die)


def by_die(**dice: Die) -> FieldType[dict[str, Faces]]:
    """Faces sorted by kind or colour of die: ``{d10: 9, d6: [4, 2]}``, ``{green: 422, red: 6}``."""
    return FacesByDieType(dice)
