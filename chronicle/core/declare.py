"""One declaration per verb: decoder, JSON Schema, format reference and completion come from it.

A verb is a class::

    class Call(Action):
        \"\"\"Lay down your conflict die and dispute what was just said.\"\"\"

        verb = "call"
        version = main(TEXT, "what happened instead, in the caller's words")
        against = required(NAME, "whose statement is disputed")

``main`` is the value of the verb itself, ``required`` and ``option`` are further keys of the entry
(``doubted_by`` in Python is ``doubted by`` in YAML). A :class:`Part` is the same for a mapping inside
an entry. A :class:`Kind` says how one value is read; reading never resolves a scalar on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from chronicle.core.diagnostic import (
    SUGGESTED,
    Diagnostic,
    Finding,
    ask_whether,
    either,
    listed,
    nearest_words,
    one_meant,
)
from chronicle.core.dice import Die, Faces, nearest_faces, read_faces
from chronicle.core.figures import MOST_DIGITS, MOST_LETTERS, is_figure
from chronicle.core.fix import Fix
from chronicle.core.sentences import Sentence
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of
from chronicle.core.telling import Piece, Slip, Told, pieces

T = TypeVar("T")
K = TypeVar("K")

Schema = dict[str, Any]


class Misread(Exception):
    """A value that cannot be read as declared. Caught by the decoder, never seen by a user.

    Args:
        message: what is wrong.
        value: the value, with its place.
        help: what to do, in words.
        code: the id of the message.
        instead: what may be written in its place, as in a log.
        is_told: whether the message names that already.
    """

    def __init__(
        self,
        message: str,
        value: Value,
        help: str = "",
        code: str = "T20",
        instead: Iterable[str] = (),
        *,
        is_told: bool = False,
    ) -> None:
        super().__init__(message)
        self.instead = tuple(instead)
        self.is_told = is_told
        self.message = message
        self.value = value
        self.help = help
        self.code = code
        self.guessed = False
        """Whether the value was read anyway, as a guess."""


UNRECORDED: Final = "unrecorded"
"""Stands for an event whose details were not written down: faces, bids, the actor."""


def unrecorded(value: Value) -> bool:
    """Whether a value only says that something happened."""
    # This is called for every name, and most names are shorter.
    if not isinstance(value, Word) or len(value) < len(UNRECORDED):
        return False
    return value.strip().casefold() == UNRECORDED


class Context(NamedTuple):
    """Helpers for reading a value: the decoder of nested entries, and a list for problems with values that
    could be read anyway (without the list, such values are refused)."""

    entries: Callable[[Items], list[Any]]
    amended: list[Misread] | None = None


def shown(value: Value) -> str:
    """A value as quoted in an error message, shortened if necessary."""
    if isinstance(value, Word):
        text = " ".join(value.split())
        return f"'{text[:57]}...'" if len(text) > 60 else f"'{text}'"
    return "a list" if isinstance(value, Items) else "a mapping"


class Kind(Generic[T]):
    """A kind of value: how one value of a transcript is read.

    ``words`` is its name in messages and in the format reference ("a name", "a whole number")."""

    words: str = "a value"
    example: str = ""

    def read(self, value: Value, context: Context) -> T:
        """The typed value.

        Raises:
            Misread: if the value has another form.
        """
        raise NotImplementedError

    def schema(self) -> Schema:
        """A JSON Schema (draft 7) for checks and completion in editors."""
        return {}

    def naming(self) -> bool:
        """Whether values of this kind name persons or things; not so for :func:`label`."""
        return False

    def items(self, value: Any) -> Iterable[Item]:
        """The names in a read value; a pair is one item of two names."""
        return ()

    def lists(self, value: Any) -> Sequence[Listed]:
        """The names in a read value, as lists with their roles."""
        return ()

    lists_names: ClassVar[bool] = False
    """Whether there may be such lists. Almost all values have none."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.lists_names = cls.lists is not Kind.lists


Item = tuple[Word, ...]
"""A single name, or the two names of a pair."""


class Listed(NamedTuple):
    """Names listed together in one role. ``role`` is a key of the game's law."""

    role: str
    items: tuple[Item, ...]


class _Text(Kind[Word]):
    words = "text"

    def read(self, value: Value, context: Context) -> Word:
        if isinstance(value, Word):
            return value
        raise Misread(
            f"text expected here, found {shown(value)}",
            value,
            "put the sentence in quotes, or after | on lines of its own",
        )

    def schema(self) -> Schema:
        return {"type": ["string", "number", "boolean", "null"]}


class _Name(_Text):
    words = "a name"

    def read(self, value: Value, context: Context) -> Word:
        if not isinstance(value, Word):
            raise Misread(f"one name expected here, found {shown(value)}", value)
        if not value.strip():
            raise Misread("a name is missing here", value)
        if len(value) > MOST_LETTERS:
            raise Misread(
                f"a name has at most {MOST_LETTERS:,} letters, and this has {len(value):,}",
                value,
                "give it a short name, and tell the rest under  text:",
            )
        return value

    def naming(self) -> bool:
        return True

    def items(self, value: Any) -> Iterable[Item]:
        return ((value,),) if isinstance(value, Word) else ()


class _Names(Kind[tuple[Word, ...]]):
    words = "a name, or a list of names"

    def read(self, value: Value, context: Context) -> tuple[Word, ...]:
        if isinstance(value, Items):
            return tuple(NAME.read(item, context) for item in value)
        if isinstance(value, Entries):
            raise Misread(
                "a name or a list of names expected here, found a mapping",
                value,
                "a list has brackets: [Ana, Bo]",
            )
        word = NAME.read(value, context)
        if word in ("nobody", "no one") and not word.style:
            return ()
        if word.style or ", " not in word:
            return (word,)
        # People write "Ana, Bo, Cy" without brackets as a list; a name that contains a comma is quoted.
        names: list[Word] = []
        column = word.column
        for part in word.split(","):
            start = column + len(part) - len(part.lstrip())
            name = part.strip()
            if name:
                names.append(Word(name, word.line, start, word.line, start + len(name)))
            column += len(part) + 1
        return tuple(names)

    def schema(self) -> Schema:
        return {"type": ["string", "number", "array"], "items": TEXT.schema()}

    def naming(self) -> bool:
        return True

    def items(self, value: Any) -> Iterable[Item]:
        return tuple(zip(value)) if isinstance(value, tuple) else ()


class _Whole(Kind[int]):
    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least, self.most = least, most
        match least, most:
            case (None, None):
                self.words = "a whole number"
            case (_, None):
                self.words = f"a whole number from {least}"
            case (None, _):
                self.words = f"a whole number up to {most}"
            case _:
                self.words = f"a whole number from {least} to {most}"

    def read(self, value: Value, context: Context) -> int:
        if isinstance(value, Word):
            text = value.strip().replace("−", "-")
            digits = text[1:] if text[:1] in ("+", "-") else text
            if is_figure(digits) and self.holds(int(text)):
                return int(text)
            if digits.isascii() and digits.isdigit() and len(digits) > MOST_DIGITS:
                raise Misread(
                    f"{self.words} expected here, found one of {len(digits)} digits",
                    value,
                    f"no figure of a log has more than {MOST_DIGITS}",
                )
        intended = number_meant(value)
        help, instead = "", []
        if isinstance(value, Word) and intended is not None and self.holds(intended):
            help = (
                f"a hyphen makes a number negative; '{value.strip()[0]}' is a dash"
                if intended < 0
                else ""
            )
            instead = [str(intended)]
        elif intended is not None:
            help = f"write {self.words}; {intended} is none"
        message = f"{self.words} expected here, found {shown(value)}"
        raise Misread(message, value, help, instead=instead)

    def holds(self, number: int) -> bool:
        """Whether this number is allowed."""
        return (self.least is None or number >= self.least) and (
            self.most is None or number <= self.most
        )

    def schema(self) -> Schema:
        schema: Schema = {"type": "integer"}
        if self.least is not None:
            schema["minimum"] = self.least
        if self.most is not None:
            schema["maximum"] = self.most
        return schema


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LONG_DASHES: Final = "\u2013\u2014"


def number_meant(value: Value) -> int | None:
    """The number that is written as a word, or with a dash as its minus sign; None if there is none."""
    if not isinstance(value, Word):
        return None
    text = value.strip().casefold()
    if text in _NUMBERS[1:]:
        return _NUMBERS.index(text)
    dashed = text[:1] in LONG_DASHES and is_figure(text[1:])
    return -int(text[1:]) if dashed else None


class _YesNo(Kind[bool]):
    words = "yes or no"

    def read(self, value: Value, context: Context) -> bool:
        if isinstance(value, Word):
            match value.casefold():
                case "yes" | "true" | "y" | "on":
                    return True
                case "no" | "false" | "n" | "off":
                    return False
        raise Misread(f"yes or no expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        return {"enum": ["yes", "no", True, False]}


MOST_CHOICES: Final = 8
"""Maximum number of words a key may take for all of them to be suggested."""


class Choice(Kind[str]):
    """One of a few words, ignoring letter case."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.words = either(choices)

    def read(self, value: Value, context: Context) -> str:
        if isinstance(value, Word):
            folded = value.strip().casefold()
            for choice in self.choices:
                if choice.casefold() == folded:
                    return choice
            similar = nearest_words(value, self.choices)
            all_choices = self.choices if len(self.choices) <= MOST_CHOICES else ()
            raise Misread(
                f"{self.words} expected here, found {shown(value)}{ask_whether(value, similar)}",
                value,
                instead=similar or all_choices,
                is_told=True,
            )
        raise Misread(f"{self.words} expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        return {"enum": list(self.choices)}


class Counted(NamedTuple):
    """A name with a count: ``sure-footed x2``."""

    name: Word
    count: int  # type: ignore[assignment]  # tuples have a count() that nobody needs here


class _Counted(Kind[Counted]):
    words = "a name, with x2 for two of it"

    def read(self, value: Value, context: Context) -> Counted:
        word = NAME.read(value, context)
        head, gap, tail = word.rstrip().rpartition(" ")
        if gap and len(tail) > 1 and tail[0] in "x×X" and is_figure(tail[1:]) and len(tail) < 6:
            count = int(tail[1:])
            if count < 1:
                raise Misread(f"'{tail}' counts nothing; write x1 or more", value)
            return Counted(word.like(head.rstrip()), count)
        return Counted(word, 1)

    def schema(self) -> Schema:
        return TEXT.schema()

    def naming(self) -> bool:
        return True

    def items(self, value: Any) -> Iterable[Item]:
        return ((value.name,),) if isinstance(value, Counted) else ()


class _Many(Kind[tuple[T, ...]]):
    """Several values of one kind, side by side."""

    item: Kind[T]

    def naming(self) -> bool:
        return self.item.naming()

    def items(self, value: Any) -> Iterable[Item]:
        if isinstance(value, tuple):
            for item in value:
                yield from self.item.items(item)

    def lists(self, value: Any) -> Sequence[Listed]:
        return _side_by_side(self.item, value) if isinstance(value, tuple) else ()


class ListOf(_Many[T]):
    """A list whose items are all read as one kind."""

    def __init__(self, item: Kind[T], words: str = "") -> None:
        self.item = item
        self.words = words or f"a list, each {item.words}"

    def read(self, value: Value, context: Context) -> tuple[T, ...]:
        if not isinstance(value, Items):
            raise Misread(
                f"a list expected here, found {shown(value)}",
                value,
                "a list has brackets",
                instead=[f"[{value}]"] if isinstance(value, Word) else [],
            )
        return tuple(self.item.read(item, context) for item in value)

    def schema(self) -> Schema:
        return {"type": "array", "items": self.item.schema()}


class OneOrMany(_Many[T]):
    """One value, or a list of them; always read as a tuple."""

    def __init__(self, item: Kind[T], words: str = "") -> None:
        self.item = item
        self.words = words or f"{item.words}, or a list of them"

    def read(self, value: Value, context: Context) -> tuple[T, ...]:
        if isinstance(value, Items):
            return tuple(self.item.read(item, context) for item in value)
        return (self.item.read(value, context),)

    def schema(self) -> Schema:
        inner = self.item.schema()
        return _merge(inner, {"type": "array", "items": inner})


class MapOf(Kind[dict[K, T]]):
    """A mapping whose keys are read as one kind and whose values as another."""

    def __init__(self, key: Kind[K], value: Kind[T], words: str = "") -> None:
        self.key, self.value = key, value
        self.words = words or f"a mapping from {key.words} to {value.words}"

    def read(self, value: Value, context: Context) -> dict[K, T]:
        if not isinstance(value, Entries):
            raise Misread(
                f"{self.words} expected here, found {shown(value)}",
                value,
                "write it as {who: what}",
            )
        read: dict[K, T] = {}
        for key, item in value.items():
            read[self.key.read(key, context)] = self.value.read(item, context)
        return read

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.value.schema()}

    def naming(self) -> bool:
        return self.key.naming() or self.value.naming()

    def items(self, value: Any) -> Iterable[Item]:
        if isinstance(value, dict):
            for key in value:
                yield from self.key.items(key)

    def lists(self, value: Any) -> Sequence[Listed]:
        if not isinstance(value, dict):
            return ()
        key_lists = _side_by_side(self.key, value)
        return (
            (*key_lists, *_each(self.value, value.values()))
            if self.value.lists_names
            else key_lists
        )


class EitherOf(Kind[Any]):
    """The first kind that can read the value."""

    def __init__(self, *kinds: Kind[Any], words: str = "") -> None:
        self.kinds = kinds
        self.words = words or either(kind.words for kind in kinds)

    def read(self, value: Value, context: Context) -> Any:
        exact = Context(context.entries)
        inner_errors: list[Misread] = []
        for kind in self.kinds:
            try:
                return kind.read(value, exact)
            except Misread as error:
                if error.value is not value:
                    inner_errors.append(error.with_traceback(None))
        if context.amended is not None:
            for kind in self.kinds:
                amended: list[Misread] = []
                try:
                    read = kind.read(value, Context(context.entries, amended))
                except Misread:
                    continue
                context.amended.extend(amended)
                return read
        if len(inner_errors) == 1:
            # One of the kinds fits the shape, and only a part inside is wrong.
            raise inner_errors.pop()
        raise Misread(f"{self.words} expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        first, *other_schemas = (kind.schema() for kind in self.kinds)
        for schema in other_schemas:
            first = _merge(first, schema)
        return first

    def naming(self) -> bool:
        return any(kind.naming() for kind in self.kinds)

    def items(self, value: Any) -> Iterable[Item]:
        return next((names for kind in self.kinds if (names := tuple(kind.items(value)))), ())

    def lists(self, value: Any) -> Sequence[Listed]:
        for kind in self.kinds:
            if kind.lists_names and (names := kind.lists(value)):
                return names
        return ()


class MapOr(EitherOf):
    """A mapping of one kind, or another kind. The form decides, so that problems inside a mapping are
    reported exactly."""

    def read(self, value: Value, context: Context) -> Any:
        if isinstance(value, Entries):
            return self.kinds[0].read(value, context)
        alternative = self.kinds[1]
        try:
            return alternative.read(value, context)
        except Misread as error:
            prefix = f"{alternative.words} expected here"
            if error.message.startswith(prefix):
                error.message = f"{self.words} expected here{error.message[len(prefix) :]}"
            raise


class OrUnrecorded(Kind[T | None]):
    """The value, or None if it was not recorded."""

    def __init__(self, kind: Kind[T]) -> None:
        self.kind = kind
        self.words = f"{kind.words}, or '{UNRECORDED}'"

    def read(self, value: Value, context: Context) -> T | None:
        if unrecorded(value):
            return None
        return self.kind.read(value, context)

    def schema(self) -> Schema:
        return _merge(self.kind.schema(), {"type": "string"})

    def naming(self) -> bool:
        return self.kind.naming()

    def items(self, value: Any) -> Iterable[Item]:
        return () if value is None else self.kind.items(value)

    def lists(self, value: Any) -> Sequence[Listed]:
        return () if value is None else self.kind.lists(value)


ROLE: Final = "x-role"
"""The key of a schema with the role of its names, for code that knows the needs of the role."""
UNIQUE: Final = "uniqueItems"


class _InRole(Kind[T]):
    """A kind whose names have a role."""

    def __init__(self, role: str, kind: Kind[T]) -> None:
        self.role, self.kind = role, kind
        self.words = kind.words
        self.example = kind.example

    def read(self, value: Value, context: Context) -> T:
        return self.kind.read(value, context)

    def schema(self) -> Schema:
        return {**self.kind.schema(), ROLE: self.role} if self.role else self.kind.schema()

    def items(self, value: Any) -> Iterable[Item]:
        return self.kind.items(value)

    def lists(self, value: Any) -> Sequence[Listed]:
        return _side_by_side(self, (value,))


def bare(kind: Kind[T]) -> Kind[T]:
    """A kind without its role."""
    return kind.kind if isinstance(kind, _InRole) else kind


def _side_by_side(kind: Kind[Any], values: Collection[Any]) -> Sequence[Listed]:
    """The names of several values of one kind, as one list if the kind has a role."""
    name_lists: list[Listed] = []
    if isinstance(kind, _InRole):
        if kind.role:
            items: list[Item] = []
            for value in values:
                items += kind.items(value)
            if items:
                name_lists.append(Listed(kind.role, tuple(items)))
        kind = kind.kind
    return [*name_lists, *_each(kind, values)] if kind.lists_names else name_lists


def _each(kind: Kind[Any], values: Iterable[Any]) -> Iterator[Listed]:
    """The lists in several values of one kind, in order."""
    return chain.from_iterable(map(kind.lists, values))


def role_of(kind: Kind[Any]) -> str | None:
    """The role of a kind of names; empty for names that do not exist yet, None if no role is declared."""
    return kind.role if isinstance(kind, _InRole) else None


def in_role(role: str, kind: Kind[T]) -> Kind[T]:
    """Declare the role of the names in a value: ``in_role("caller", NAME)``. The needs of the role are
    declared in the law of the game (:mod:`chronicle.core.law`)."""
    return _InRole(role, kind)


def label(kind: Kind[T]) -> Kind[T]:
    """Declare that a value that usually names somebody does not: a new name, a trait, an id."""
    return _InRole("", kind)


class Change(NamedTuple):
    """A change of a number ``by`` an amount (``up 2``, ``down 1``), or the value to set it ``to``."""

    by: int | None
    to: int | None


class _Change(Kind[Change]):
    words = "'up 2', 'down 1' or the new number"

    def read(self, value: Value, context: Context) -> Change:
        if isinstance(value, Word):
            parts = value.split()
            if len(parts) == 2 and parts[0].casefold() in ("up", "down"):
                amount = WHOLE.read(value.like(parts[1]), context)
                return Change(amount if parts[0].casefold() == "up" else -amount, None)
            if value.casefold() in ("up", "down"):
                raise Misread(
                    f"by how much it goes {value} is missing", value, instead=[f"{value} 1"]
                )
            if len(parts) == 1 and value.startswith("+"):
                amount_text = value.removeprefix("+")
                raise Misread(
                    f"'{value}' may be {amount_text} more or the new number",
                    value,
                    instead=[f"up {amount_text}", amount_text],
                )
            if len(parts) == 1:
                return Change(None, WHOLE.read(value, context))
        raise Misread(f"{self.words} expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"], "pattern": "^(up|down) [0-9]+$|^-?[0-9]+$"}


def faces_or_nearest(value: Value, die: Die, context: Context) -> Faces:
    """The typed faces. An impossible face is reported, and read as the nearest possible one if that is
    allowed."""
    try:
        return read_faces(value, die)
    except ValueError as error:
        message, _, help = str(error).partition("|")
        error_found = Misread(message, value, help, code=die.rule or "T31")
    nearest = nearest_faces(value, die) if context.amended is not None else None
    if nearest is None or context.amended is None:
        try:
            raise error_found
        finally:
            # Otherwise the exception would keep its caller's frame, and all its variables, alive in a
            # cycle.
            del error_found
    error_found.guessed = True
    context.amended.append(error_found)
    return nearest


class FacesKind(Kind[Faces]):
    """The faces of one kind of die, in the order in which they fell."""

    def __init__(self, die: Die) -> None:
        self.die = die
        self.words = f"faces of {die.name}, as they fell"

    def read(self, value: Value, context: Context) -> Faces:
        return faces_or_nearest(value, self.die, context)

    def schema(self) -> Schema:
        return {"type": ["string", "integer", "array"], "items": {"type": ["string", "integer"]}}


class _ByDie(Kind[dict[str, Faces]]):
    """Faces sorted by the kind of die that showed them: ``{d10: 9, d6: [4, 2]}``."""

    def __init__(self, dice: Mapping[str, Die]) -> None:
        self.dice = dice
        self.words = f"faces by {either(dice)}"

    def read(self, value: Value, context: Context) -> dict[str, Faces]:
        if not isinstance(value, Entries):
            raise Misread(f"{self.words} expected here, found {shown(value)}", value)
        read: dict[str, Faces] = {}
        for key, item in value.items():
            if key not in self.dice:
                similar = nearest_words(key, list(self.dice))
                message = f"no die '{key}' here: {either(self.dice)}{ask_whether(key, similar)}"
                raise Misread(message, key, instead=similar or self.dice, is_told=True)
            read[str(key)] = FacesKind(self.dice[key]).read(item, context)
        return read

    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": {name: FacesKind(die).schema() for name, die in self.dice.items()},
            "additionalProperties": False,
        }


class Pair(NamedTuple):
    """Two names joined by ``&``, in any order."""

    one: Word
    other: Word


class _Pair(Kind[Pair]):
    words = "a pair of names, 'Ruth & Basil'"

    def read(self, value: Value, context: Context) -> Pair:
        word = NAME.read(value, context)
        parts = [part.strip() for part in word.split("&")]
        if len(parts) != 2 or not all(parts):
            raise Misread(f"{self.words} expected here, found {shown(value)}", value)
        return Pair(word.like(parts[0]), word.like(parts[1]))

    def schema(self) -> Schema:
        return {"type": "string", "pattern": "&"}

    def naming(self) -> bool:
        return True

    def items(self, value: Any) -> Iterable[Item]:
        return ((value.one, value.other),) if isinstance(value, Pair) else ()


class Line(NamedTuple):
    """One speech: who speaks, and the words."""

    speaker: Word
    words: Word


class _Speech(Kind[tuple[Line, ...]]):
    words = "speech, one 'Name: words' a line after |"

    def read(self, value: Value, context: Context) -> tuple[Line, ...]:
        if not isinstance(value, Word):
            raise Misread(
                f"{self.words} expected here, found {shown(value)}",
                value,
                "write a line for each speech",
                instead=[_play_script(value)] if isinstance(value, Entries) else [],
            )
        lines: list[Line] = []
        literal = value.style == "|"
        for number, raw in enumerate(value.split("\n")):
            if not raw.strip():
                continue
            name, colon, words = raw.partition(":")
            speech = value.like(raw)
            if literal:
                # In a literal block every line is a line of the file, below the indicator.
                line_number = value.line + 1 + number
                speech = Word(raw, line_number, value.column, line_number, value.column + len(raw))
            if not colon or not name.strip():
                if lines and raw[:1].isspace():
                    last = lines[-1]
                    lines[-1] = Line(last.speaker, last.words.like(f"{last.words} {raw.strip()}"))
                    continue
                raise Misread(f"no speaker in {shown(speech)}", speech, "write 'Name: words'")
            lines.append(Line(speech.like(name.strip()), speech.like(words.strip())))
        if not lines:
            raise Misread("nobody says anything here", value, "write 'Name: words'")
        return tuple(lines)

    def schema(self) -> Schema:
        return {"type": "string"}

    def naming(self) -> bool:
        return True

    def items(self, value: Any) -> Iterable[Item]:
        if isinstance(value, tuple):
            for line in value:
                if isinstance(line, Line):
                    yield (line.speaker,)


def _play_script(speeches: Entries) -> str:
    """Speeches of a mapping as a literal block with one line each, as in a log."""
    lines = (f"  {speaker}: {words}" for speaker, words in speeches.items())
    return "\n".join(("|", *lines))


class _Block(Kind[list["Action"]]):
    words = "a list of entries"

    def read(self, value: Value, context: Context) -> list[Action]:
        if isinstance(value, Items):
            return cast("list[Action]", context.entries(value))
        raise Misread(
            f"a list of entries expected here, found {shown(value)}",
            value,
            "start each entry with '- ' on a line of its own",
        )

    def schema(self) -> Schema:
        return {"type": "array", "items": {"$ref": "#/definitions/entry"}}


def _types(schema: Schema) -> list[str]:
    declared = schema.get("type", [])
    return [declared] if isinstance(declared, str) else list(declared)


def _merge(schema: Schema, other_schema: Schema) -> Schema:
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
    first_types, second_types = _types(schema), _types(other_schema)
    if not first_types or not second_types:
        return {}
    merged: Schema = {}
    types = [*first_types, *(name for name in second_types if name not in first_types)]
    merged["type"] = types if len(types) > 1 else types[0]
    # A restriction of one type holds unless the other schema accepts that type without it.
    for names, keys in (
        (("string",), ("pattern",)),
        (("integer", "number"), ("minimum", "maximum")),
        (("array",), ("items", ROLE, UNIQUE)),
        (("object",), ("properties", "additionalProperties", "required")),
    ):
        first = any(name in first_types for name in names)
        second = any(name in second_types for name in names)
        if first and second:
            merged.update(_both(schema, other_schema, names[0]))
        elif first or second:
            source = schema if first else other_schema
            merged.update({key: source[key] for key in keys if key in source})
    return merged


def _both(first: Schema, second: Schema, kind: str) -> Schema:
    """The restrictions of a type in a schema that accepts what either of two accepts."""
    match kind:
        case "string":
            is_equal = first.get("pattern") == second.get("pattern")
            return {"pattern": first["pattern"]} if is_equal and "pattern" in first else {}
        case "integer":
            bounds: Schema = {}
            if "minimum" in first and "minimum" in second:
                bounds["minimum"] = min(first["minimum"], second["minimum"])
            if "maximum" in first and "maximum" in second:
                bounds["maximum"] = max(first["maximum"], second["maximum"])
            return bounds
        case "array":
            items = _merge(first.get("items", {}), second.get("items", {}))
            equal_keys: Schema = {
                key: first[key]
                for key in (ROLE, UNIQUE)
                if key in first and first[key] == second.get(key)
            }
            return {"items": items, **equal_keys} if items else equal_keys
        case _:
            return _both_mappings(first, second)


def _both_mappings(first: Schema, second: Schema) -> Schema:
    named = [schema.get("properties", {}) for schema in (first, second)]
    further = [schema.get("additionalProperties", {}) for schema in (first, second)]
    properties: Schema = {}
    for own_keys, other_keys, other_rest in (
        (named[0], named[1], further[1]),
        (named[1], named[0], further[0]),
    ):
        for key, schema in own_keys.items():
            other_schema = other_keys.get(key, other_rest)
            properties.setdefault(
                key, schema if other_schema is False else _merge(schema, other_schema)
            )
    open_schemas = [schema for schema in further if schema is not False]
    remaining = (
        _merge(*open_schemas)
        if len(open_schemas) == 2
        else open_schemas[0]
        if open_schemas
        else False
    )
    merged: Schema = {"additionalProperties": remaining} if remaining != {} else {}
    if properties:
        merged["properties"] = properties
    needed = [key for key in first.get("required", []) if key in second.get("required", [])]
    if needed:
        merged["required"] = needed
    return merged


TEXT: Kind[Word] = _Text()
NAME: Kind[Word] = _Name()
NAMES: Kind[tuple[Word, ...]] = _Names()
WHOLE: Kind[int] = _Whole()
YES_NO: Kind[bool] = _YesNo()
COUNTED: Kind[Counted] = _Counted()
MANY_COUNTED: Kind[tuple[Counted, ...]] = OneOrMany(
    COUNTED, "a name or a list of names, x2 for two of it"
)
CHANGE: Kind[Change] = _Change()
PAIR: Kind[Pair] = _Pair()
SPEECH: Kind[tuple[Line, ...]] = _Speech()
BLOCK: Kind[list[Action]] = _Block()


def alternatives(kind: Kind[Any]) -> Iterator[Kind[Any]]:
    """The alternatives of a kind: the kinds of an either-or, or of the items of a list."""
    inner = bare(kind)
    item = getattr(inner, "item", None)
    kinds = getattr(inner, "kinds", ()) or (() if item is None else (item,))
    if not kinds or isinstance(inner, MapOf):
        yield kind
    for alternative in kinds:
        yield from alternatives(alternative)


def kinds_in(kind: Kind[Any]) -> Iterator[Kind[Any]]:
    """A kind, and all kinds of values within it."""
    yield kind
    for name in ("kind", "item", "key", "value"):
        inner = getattr(kind, name, None)
        if isinstance(inner, Kind):
            yield from kinds_in(inner)
    for inner in getattr(kind, "kinds", ()):
        yield from kinds_in(inner)
    part = getattr(kind, "part", None)
    for field in part.fields.values() if part is not None else ():
        yield from kinds_in(field.kind)


def dice_of(verbs: Iterable[type[Action]]) -> dict[str, Die]:
    """The dice whose faces the keys of some verbs take, by the short names that throws use (``d6``)."""
    fields = (
        field
        for verb in verbs
        for field in (*((verb.main,) if verb.main is not None else ()), *verb.fields.values())
    )
    dice: dict[str, Die] = {}
    for kind in (kind for field in fields for kind in kinds_in(field.kind)):
        if isinstance(kind, FacesKind):
            dice[kind.die.short_name] = kind.die
        elif isinstance(kind, _ByDie):
            dice |= kind.dice
    return dice


def whole(least: int | None = None, most: int | None = None) -> Kind[int]:
    """A whole number within bounds."""
    return _Whole(least, most)


def choice(*choices: str) -> Kind[str]:
    """One of a few words, ignoring letter case."""
    return Choice(*choices)


def faces(die: Die) -> Kind[Faces]:
    """Faces of one kind of die in the order they fell."""
    return FacesKind(die)


def by_die(**dice: Die) -> Kind[dict[str, Faces]]:
    """Faces sorted by kind or colour of die: ``{d10: 9, d6: [4, 2]}``, ``{green: 422, red: 6}``."""
    return _ByDie(dice)


class Field(NamedTuple):
    """A declared key: its YAML name, how it is read, whether it is required, its meaning."""

    name: str
    attribute: str
    kind: Kind[Any]
    doc: str
    required: bool
    default: Any
    told: Told | None = None
    """How its text is told in the story, if it is."""
    checked: bool = False
    """Whether the log determines the value, so that it is only written to be checked."""
    is_place: bool = False
    """Whether it is the place of an event, in the players' words."""
    of_players: bool = False
    """Whether it names players, although no role is declared."""
    words: tuple[str, ...] = ()
    """Words allowed instead of a name: ``everybody``, ``last``."""


class Flags(TypedDict, total=False):
    """Further properties of a key: see :class:`Field`."""

    checked: bool
    is_place: bool
    of_players: bool
    words: tuple[str, ...]


class _Declared(NamedTuple):
    kind: Kind[Any]
    doc: str
    required: bool
    default: Any
    key: str
    is_main: bool
    told: Told | None
    flags: Flags


@overload
def main(kind: Kind[T], doc: str, *, told: Told | None = None, **flags: Unpack[Flags]) -> T: ...
@overload
def main(
    kind: Kind[T], doc: str, *, default: K, told: Told | None = None, **flags: Unpack[Flags]
) -> T | K: ...
def main(
    kind: Kind[Any],
    doc: str,
    *,
    default: Any = ...,
    told: Told | None = None,
    **flags: Unpack[Flags],
) -> Any:
    """Declare the value of the verb itself. With a ``default`` it may be left empty. ``told``: how its text
    is told in the story. ``flags`` as in :class:`Field`."""
    absent = None if default is ... else default
    return _Declared(kind, doc, default is ..., absent, "", True, told, flags)


def required(
    kind: Kind[T], doc: str, *, key: str = "", told: Told | None = None, **flags: Unpack[Flags]
) -> T:
    """Declare a required key (``key`` if the YAML name is no Python name)."""
    return cast("T", _Declared(kind, doc, True, None, key, False, told, flags))


@overload
def option(
    kind: Kind[T], doc: str, *, key: str = "", told: Told | None = None, **flags: Unpack[Flags]
) -> T | None: ...
@overload
def option(
    kind: Kind[T],
    doc: str,
    *,
    default: K,
    key: str = "",
    told: Told | None = None,
    **flags: Unpack[Flags],
) -> T | K: ...
def option(
    kind: Kind[Any],
    doc: str,
    *,
    default: Any = None,
    key: str = "",
    told: Told | None = None,
    **flags: Unpack[Flags],
) -> Any:
    """Declare an optional key; ``default`` (None) is its value if it is missing."""
    return _Declared(kind, doc, False, default, key, False, told, flags)


def _collect(cls: type, inherited: dict[str, Field]) -> tuple[Field | None, dict[str, Field]]:
    main_field: Field | None = None
    fields = dict(inherited)
    for attribute, declared in list(vars(cls).items()):
        if not isinstance(declared, _Declared):
            continue
        parent = cls.__mro__[1]
        if callable(getattr(parent, attribute, None)):
            raise TypeError(f"{cls.__name__}.{attribute} is a method of every {parent.__name__}")
        name = declared.key or attribute.rstrip("_").replace("_", " ")
        field = Field(
            name,
            attribute,
            declared.kind,
            declared.doc,
            declared.required,
            declared.default,
            declared.told,
            **declared.flags,
        )
        if declared.is_main:
            main_field = field
        else:
            fields[name] = field
        # The class attribute is the value of an entry without the key.
        setattr(cls, attribute, declared.default)
    return main_field, fields


class Part:
    """A mapping inside an entry (or a head), with declared keys.

    ``bare`` is the key that a plain value stands for, if any; ``apart`` are keys of which a mapping may have
    only one."""

    bare: ClassVar[str] = ""
    apart: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[dict[str, Field]] = {}
    source: Value

    def __init_subclass__(cls) -> None:
        main_field, cls.fields = _collect(cls, cls.fields)
        if main_field is not None:
            cls.fields = {main_field.name: main_field, **cls.fields}
            cls.bare = main_field.name

    def value_of(self, name: str) -> Value:
        """The value of a key as typed, or the whole part (for positions)."""
        if isinstance(self.source, Entries):
            return self.source.get(Word(name), self.source)
        return self.source


P = TypeVar("P", bound=Part)


class PartOf(Kind[P]):
    """A mapping read into a :class:`Part`."""

    def __init__(self, part: type[P], words: str = "") -> None:
        self.part = part
        self.words = words or f"a mapping with {either(part.fields)}"

    def read(self, value: Value, context: Context) -> P:
        part = self.part()
        part.source = value
        if not isinstance(value, Entries):
            if not self.part.bare:
                raise Misread(f"{self.words} expected here, found {shown(value)}", value)
            field = self.part.fields[self.part.bare]
            setattr(part, field.attribute, field.kind.read(value, context))
            return part
        fields = self.part.fields
        source = value
        for key, item in value.items():
            declared = fields.get(key)
            if declared is None:
                similar = nearest_words(key, list(fields))
                help = f"possible keys: {', '.join(fields)}"
                message = f"no key '{key}' here{ask_whether(key, similar)}"
                unknown = Misread(message, key, help, "T22", similar, is_told=True)
                intended = key_meant(key, value, fields)
                if not intended or context.amended is None:
                    raise unknown
                context.amended.append(unknown)
                part.source = source = source.renamed(key, intended)
                declared = fields[intended]
            setattr(part, declared.attribute, declared.kind.read(item, context))
        exclusive = self.part.apart
        exclusive_keys = [key for key in source if key in exclusive] if exclusive else ()
        if len(exclusive_keys) > 1:
            first_form, second_form = (f"{{{key}: ...}}" for key in exclusive_keys[:2])
            raise Misread(
                f"'{exclusive_keys[0]}' and '{exclusive_keys[1]}' are two things, and this is one",
                exclusive_keys[1],
                f"write each in braces of its own:  [{first_form}, {second_form}]",
            )
        for required_field in self._required:
            if Word(required_field.name) not in source:
                raise Misread(
                    f"'{required_field.name}' is missing here: {required_field.doc}",
                    value,
                    code="T23",
                )
        return part

    def schema(self) -> Schema:
        mapping: Schema = {
            "type": "object",
            "properties": {name: _described(field) for name, field in self.part.fields.items()},
            "additionalProperties": False,
        }
        needed = [name for name, field in self.part.fields.items() if field.required]
        if needed and not self.part.bare:
            mapping["required"] = needed
        if self.part.bare:
            return _merge(self.part.fields[self.part.bare].kind.schema(), mapping)
        return mapping

    def naming(self) -> bool:
        return any(field.kind.naming() for field in self.part.fields.values())

    def lists(self, value: Any) -> Sequence[Listed]:
        name_lists: list[Listed] = []
        for attribute, kind, default in self._several if isinstance(value, self.part) else ():
            values = getattr(value, attribute)
            if values is not default:
                name_lists += kind.lists(values)
        return name_lists

    @cached_property
    def _required(self) -> Sequence[Field]:
        return [field for field in self.part.fields.values() if field.required]

    @cached_property
    def _several(self) -> Sequence[tuple[str, Kind[Any], Any]]:
        """The keys that may contain lists of names."""
        fields = self.part.fields.values()
        return [
            (field.attribute, field.kind, field.default)
            for field in fields
            if field.kind.lists_names
        ]


def key_meant(key: Word, value: Entries, fields: Mapping[str, Field]) -> str:
    """The declared key that an unknown key most likely means; empty if there is none."""

    def fits(name: str) -> bool:
        if Word(name) in value:
            return False
        try:
            fields[name].kind.read(value[key], _NO_CONTEXT)
        except Misread:
            return False
        return True

    return one_meant(key, fields, fits, SUGGESTED)


def _described(field: Field) -> Schema:
    return {**field.kind.schema(), "description": field.doc}


_NO_CONTEXT = Context(lambda items: [])


class Refusal(NamedTuple):
    """The report for a verb that is not allowed: the rule of the book, the message (with terms of the game's
    law in braces), help, and the doubts it is folded under."""

    rule: str
    message: str = ""
    help: str = ""
    after: tuple[str, ...] = ()
    finding: Finding = Finding.ILLEGAL
    doubts: tuple[str, ...] = ()
    """Keys of doubts that it causes."""
    fixes: tuple[Fix, ...] = ()
    """Fixes, with terms in braces as in the message."""


class Moment(NamedTuple):
    """The phases in which a verb is allowed; in others it is refused.

    ``instead`` has other reports for some phases. A ``void`` entry has no effect if it is refused, because
    it would change the phase."""

    phases: tuple[str, ...]
    refusal: Refusal
    instead: Mapping[str, Refusal] = MappingProxyType({})
    void: bool = False


ANY_TIME: Final = Moment((), Refusal(""))
"""For a verb that is allowed in any phase, or whose handler checks the phase."""


class Offered(NamedTuple):
    """How a verb is offered as a legal move: its rule, a few words, its price for the actor, and whether it
    is rarely used because it ends the scene or more. ``tries`` are optional keys that are tried in addition
    to required ones."""

    rule: str
    hint: str
    price: tuple[int, str] | None = None
    rare: bool = False
    tries: tuple[str, ...] = ()


class Decides(NamedTuple):
    """Who may perform a verb: a key of the deciders in the game's law, and the rule for reporting other
    actors (without a rule, any named actor is accepted)."""

    decider: str
    rule: str = ""
    void: bool = False
    finding: Finding = Finding.ILLEGAL
    doing: str = ""
    """The action in words, for the report about a wrong actor: ``buys a Fact``."""


GUARD: Final = "guard_mark"
"""The attribute that marks a method as a guard (:func:`chronicle.core.guards.guard`)."""


class GuardMark(NamedTuple):
    """The declaration of a guard: its rule, the class of its problems, their place and help."""

    rule: str
    finding: Finding
    at: str
    help: str
    fixes: tuple[Fix, ...]


class Action:
    """One entry of a log: a verb with its value, and options. Every verb of every game is a subclass.

    The options below exist for every verb of every game.
    """

    verb: ClassVar[str] = ""
    acts: ClassVar[str] = "whoever's turn it is"
    """The default actor in words (for the reference)."""
    example: ClassVar[str] = ""
    """A typical entry as YAML, without the dash."""
    departure: ClassVar[bool] = False
    """Whether the verb only records something that the rules do not provide for."""
    also: ClassVar[tuple[str, ...]] = ()
    """Synonyms that people write instead of the verb; messages and completion know them."""
    optional: ClassVar[bool] = False
    """Whether the verb exists only where an optional rule is in force."""
    hides: ClassVar[tuple[str, ...] | None] = None
    """The keys (including the verb) with words that others may not see while the entry is hidden; None for a
    verb that never hides anything."""
    decides: ClassVar[Decides | None] = None
    """Who may perform it, by the law of the game."""
    moment: ClassVar[Moment] = ANY_TIME
    """When it is allowed, by the law of the game."""
    offered: ClassVar[Offered | None] = None
    """How it is offered as a legal move; None for a verb that is never offered."""
    heading: ClassVar[str] = ""
    """Its title beside its story; by default its verb."""
    led_in: ClassVar[str] = ""
    """The template of its lead-in: words, and values by key (``Enter {who}``). A bare name leads to nothing
    more."""
    about_whom: ClassVar[str] = "About {who}"
    """The lead-in for words about ``who`` that tell the rest themselves."""
    slipped: ClassVar[frozenset[str]] = frozenset()
    """Kinds of events that its slips, its sentence or the card of its throw show already."""
    quiet: ClassVar[bool] = False
    """Whether it only says whose turn it is."""
    about_table: ClassVar[bool] = False
    """Whether it, and the text beside it, is about the table and not about the story."""
    objects: ClassVar[bool] = False
    """Whether it is an objection to something that was told."""
    before_result: ClassVar[bool] = False
    """Whether the text beside a throw is told before the result, which another entry tells."""
    by_dice: ClassVar[bool] = False
    """Whether it, or its nested entries, tells the result of dice."""
    main: ClassVar[Field | None] = None
    fields: ClassVar[dict[str, Field]] = {}
    readers: ClassVar[dict[str, tuple[str, Callable[[Value, Context], Any]]]] = {}
    """For every key, the verb included: its attribute, and the function that reads its value."""
    needed: ClassVar[tuple[Field, ...]] = ()
    """The required keys."""
    guards: ClassVar[tuple[tuple[str, GuardMark], ...]] = ()
    """Its guards, by method name, in order."""
    naming: ClassVar[tuple[tuple[str, Kind[Any], Any], ...]] = ()
    """The keys whose values name persons in a role: attribute, kind and default."""
    telling: ClassVar[tuple[tuple[Told, str], ...]] = ()
    """The story texts, the verb first: how they are told, and the attribute."""

    by = option(
        label(NAME),
        f"who acts: a player or a character; '{UNRECORDED}' where nobody wrote down who",
    )
    text = option(TEXT, "the fiction as told (Markdown)")
    note = option(TEXT, "the keeper's remark (Markdown)")
    id = option(label(NAME), "a permanent name for this entry, to refer to it later")
    under = option(OneOrMany(label(NAME)), "the house rule this entry leans on", default=())
    allow = option(MapOf(label(NAME), TEXT), "ids knowingly accepted here, each with the reason")
    answers = option(
        OneOrMany(label(NAME)),
        "the id of the question, or of what was left open, that this closes",
        default=(),
    )
    see = option(
        OneOrMany(label(NAME)),
        "other entries that this one belongs with, by their ids: links, both ways",
        default=(),
    )
    large = option(
        YES_NO, "yes, for the one sentence of an evening that the Story sets large", default=False
    )

    source: Entries
    key: Word
    path: str
    session: int
    step: int
    problem: Diagnostic | None = None
    """The problem with the form of this entry, if it could be read anyway."""

    def __init_subclass__(cls) -> None:
        main_field, cls.fields = _collect(cls, cls.fields)
        main_field = main_field or cls.main
        if main_field is not None:
            cls.main = main_field._replace(name=cls.verb)
        keys = [*cls.fields.values(), *([] if cls.main is None else [cls.main])]
        cls.readers = {key.name: (key.attribute, bare(key.kind).read) for key in keys}
        cls.needed = tuple(key for key in cls.fields.values() if key.required)
        all_keys = (cls.main, *cls.fields.values())
        marks = {name: getattr(method, GUARD, None) for name, method in vars(cls).items()}
        own_guards = {name: mark for name, mark in marks.items() if isinstance(mark, GuardMark)}
        cls.guards = tuple({**dict(cls.guards), **own_guards}.items())
        cls.naming = tuple(
            (key.attribute, key.kind, key.default)
            for key in all_keys
            if key is not None and key.kind.lists_names and key.attribute != "by"
        )
        cls.telling = tuple((key.told, key.attribute) for key in all_keys if key and key.told)

    def apply(self, play: Any) -> None:
        """Apply its effect, whether its guards were satisfied or not."""
        raise NotImplementedError

    def sentence(self, play: Any) -> Sentence:
        """Its effect in one plain sentence; computed before the effect is applied."""
        return (self.verb.capitalize(),)

    @classmethod
    def candidates(cls, play: Any) -> Iterable[Mapping[str, Any]] | None:
        """Entries that may be legal now, as typed; None to derive them from keys and roles."""
        return None

    @classmethod
    def specimen(cls) -> list[str]:
        """The example as lines of a log; empty without an example."""
        return f"- {cls.example}".splitlines() if cls.example else []

    def told(self) -> Iterable[Piece]:
        """The story that it tells, without its ``text``."""
        lead = self.lead_in()
        if lead:
            yield Piece(Told.LEAD, lead)
        said_by = str(self.by) if self.by is not None else ""
        for how, attribute in self.telling:
            yield from pieces(how, getattr(self, attribute), said_by, self.about_whom)

    def lead_in(self) -> str:
        """Its lead-in: a few words that are no sentence (who comes, whose Trait); empty if there is none."""
        values = vars(self).items() if self.led_in else ()
        return self.led_in.format_map(
            {key: listed(value) if isinstance(value, tuple) else value for key, value in values}
        )

    def caption(self) -> str:
        """Its title beside its story."""
        return self.heading or self.verb.capitalize()

    def slips(self) -> Iterable[Slip]:
        """The words on slips of paper that it changes: Traits, names, Features."""
        return ()

    def beside(self) -> bool:
        """Whether the text beside it is about the table."""
        return self.about_table

    def place(self, name: str = "", *inner: str | int) -> Place:
        """A position in this entry: the verb's key, the value of key ``name``, or deeper inside it
        (``place("roll", "Ana")`` is Ana's faces, ``place("back", "Ana", "key")`` her name)."""
        value: Value = self.key
        if name == self.verb or name == "main":
            value = self.source[self.key]
        elif name:
            value = self.source.get(Word(name), self.key)
        for step in inner:
            if isinstance(value, Entries) and isinstance(step, str):
                if step == "key":
                    break
                value = value.get(Word(step), value)
            elif isinstance(value, Items) and isinstance(step, int) and 0 <= step < len(value):
                value = value[step]
        if isinstance(value, Word) and not value and value.line:
            value = self.key
        return place_of(value, self.path)

    def place_of_key(self, name: str, inner: str) -> Place:
        """The position of the key ``inner`` in the mapping under ``name``."""
        value = self.source.get(Word(name), self.key)
        if isinstance(value, Entries):
            key = value.key(inner)
            if key is not None:
                return place_of(key, self.path)
        return self.place(name)

    @property
    def whole(self) -> Place:
        """The entry from its first to its last character."""
        return place_of(self.source, self.path)


# ``__init_subclass__`` runs for subclasses only; the options of every verb are declared on the base class.
Action.fields = _collect(Action, {})[1]


def place_of_word(action: Action, word: Word) -> Place:
    """The position of a word of an action; that of the verb if the word has none."""
    return place_of(word, action.path) if word.line else action.place()


def read_value(kind: Kind[T], value: Value) -> T:
    """Read one value outside of a log (a setting, an assertion).

    Raises:
        Misread: if the value has another form.
    """
    return kind.read(value, _NO_CONTEXT)
