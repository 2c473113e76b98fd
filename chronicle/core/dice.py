"""Dice: the faces of each kind of die, and how faces are written.

One grammar for all games: faces as a list, or run together where every face is one character
(``1432654266424 2`` with a space before dice that explosions earned), Fudge faces as a word with ``o`` for
blank (``+o-``). A single die needs no brackets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chronicle.core.figures import is_figure
from chronicle.core.misread import shown
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value


class Die(NamedTuple):
    """A kind of die: its name in messages, the faces it can show (as written), and other spellings.

    ``chains`` are the faces that earn another die; extra faces may follow. ``rule`` is
    the id of the game's rule that an impossible face breaks.
    """

    name: str
    faces: tuple[str, ...]
    spellings: Mapping[str, str]
    chains: tuple[str, ...] = ()
    rule: str = ""

    @property
    def sides(self) -> int:
        """Number of different faces."""
        return len(self.faces)

    @property
    def short_name(self) -> str:
        """Its name in a throw: ``d6``, ``fudge``."""
        return f"d{self.sides}" if self.faces[-1].isdigit() else "fudge"


def die_of(sides: int, *, zero_is_ten: bool = False, chains: tuple[str, ...] = ()) -> Die:
    """An ordinary die of 1 to ``sides``; on a ten-sided one a printed 0 reads as 10."""
    spellings = {"0": "10", "00": "10"} if zero_is_ten else {}
    return Die(
        f"a d{sides}",
        tuple(str(face_number) for face_number in range(1, sides + 1)),
        spellings,
        chains,
    )


FUDGE = Die(
    "a Fudge die",
    ("+", "o", "-"),
    {"0": "o", "O": "o", " ": "o", "_": "o", "blank": "o", "−": "-", "–": "-"},
)
D6 = die_of(6)
D8 = die_of(8)
D10 = die_of(10, zero_is_ten=True)
D12 = die_of(12)


class Faces(tuple[str, ...]):
    """Faces in the order they fell, as canonical text."""

    __slots__ = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The faces as numbers (numbered dice only)."""
        return tuple(int(face) for face in self)

    def __str__(self) -> str:
        return ("" if all(face in "+o-" for face in self) else " ").join(self)


def read_faces(value: Value, die: Die) -> Faces:
    """Read faces of ``die`` from a typed value.

    Raises:
        ValueError: ``message|help``, if a face does not exist or the value is ambiguous.
    """
    if isinstance(value, SequenceNode):
        faces: list[str] = []
        for face_node in value:
            if not isinstance(face_node, ScalarNode):
                raise ValueError("a row of faces holds single faces only|write them as [4, 2, 6]")
            faces.append(_read_face(face_node.strip(), die))
        return Faces(faces)
    if isinstance(value, MappingNode):
        raise ValueError(
            f"write faces of {die.name} here, not {shown(value)}|write them as [4, 2, 6]"
        )
    faces_text = value.strip()
    if faces_text == "":
        raise ValueError(
            f"what did the dice show?|write what {die.name} showed, in the order the dice fell"
        )
    face = die.spellings.get(faces_text, faces_text)
    if face in die.faces:
        return Faces((face,))
    if any(len(face) > 1 for face in die.faces) and die.sides > 9:
        raise ValueError(
            f"'{faces_text}' is no face of {die.name} ({_faces_in_words(die)})"
            "|write what the die showed; several dice are a list: [4, 10, 2]"
        )
    return Faces(
        _read_face(character, die) for faces_word in faces_text.split() for character in faces_word
    )


def nearest_faces(value: Value, die: Die) -> Faces | None:
    """Read faces, replacing each impossible one by the nearest possible face. Used to continue after an
    error. None if the value does not show which dice are meant."""
    if isinstance(value, SequenceNode):
        face_texts = [
            face_node.strip() if isinstance(face_node, ScalarNode) else "" for face_node in value
        ]
    elif isinstance(value, ScalarNode) and (die.sides < 10 or len(value.strip()) == 1):
        face_texts = [character for faces_word in value.split() for character in faces_word]
    else:
        return None
    faces: list[str] = []
    for face_text in face_texts:
        face = die.spellings.get(face_text, face_text)
        if face not in die.faces:
            if not (is_figure(face_text) and die.faces[-1].isdigit()):
                return None
            face = die.faces[0] if int(face_text) < int(die.faces[0]) else die.faces[-1]
        faces.append(face)
    return Faces(faces) if faces else None


def _read_face(face_text: str, die: Die) -> str:
    face = die.spellings.get(face_text, face_text)
    if face not in die.faces:
        raise ValueError(
            f"'{face_text}' is no face of {die.name} ({_faces_in_words(die)})|write what the die showed"
        )
    return face


def faces_as_typed(faces: Sequence[str], extra_faces: Sequence[str] = ()) -> str | list[str]:
    """Faces as a keeper would write them: signs run together, a single die bare, extra dice after a space;
    anything else as a list."""
    are_all_signs = all(len(face) == 1 and not face.isdigit() for face in faces)
    if extra_faces or (are_all_signs and faces):
        return " ".join("".join(face_group) for face_group in (faces, extra_faces) if face_group)
    return faces[0] if len(faces) == 1 else [*faces]


def _faces_in_words(die: Die) -> str:
    if die.faces == FUDGE.faces:
        return "+, o for blank, -"
    return f"{die.faces[0]} to {die.faces[-1]}"


class ShownDie(NamedTuple):
    """One die as a reader sees it. ``die`` is a short kind (``d6``, ``fudge``), ``colour`` a word of the
    game (``red``, ``edge``) or empty; ``hit`` marks dice that counted, ``extra`` one beyond the usual dice, ``void`` a
    die that was rolled but does not count."""

    face: str
    hit: bool = False
    die: str = "d6"
    colour: str = ""
    extra: bool = False
    void: bool = False
