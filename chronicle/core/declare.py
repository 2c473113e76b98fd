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
        """Whether the value was read all the same, as one that nobody can be sure of."""


UNRECORDED: Final = "unrecorded"
"""Stands for what happened and was not written down: faces, bids, who acted."""


def unrecorded(value: Value) -> bool:
    """Whether a value only says that something happened."""
    # Asked of every name, and most are shorter.
    if not isinstance(value, Word) or len(value) < len(UNRECORDED):
        return False
    return value.strip().casefold() == UNRECORDED


class Context(NamedTuple):
    """What reading a value may need besides the value: the way to decode nested entries, and where to
    say what was wrong although the value could be read (without it such a value is refused)."""

    entries: Callable[[Items], list[Any]]
    amended: list[Misread] | None = None


def shown(value: Value) -> str:
    """A value as an error message quotes it, cut to a bearable length."""
    if isinstance(value, Word):
        text = " ".join(value.split())
        return f"'{text[:57]}...'" if len(text) > 60 else f"'{text}'"
    return "a list" if isinstance(value, Items) else "a mapping"


class Kind(Generic[T]):
    """How one value of a transcript is read.

    ``words`` is its name in messages and in the format reference ("a name", "a whole number").
    """

    words: str = "a value"
    example: str = ""

    def read(self, value: Value, context: Context) -> T:
        """The typed value.

        Raises:
            Misread: when the value is something else.
        """
        raise NotImplementedError

    def schema(self) -> Schema:
        """A draft 7 JSON Schema that editors can check and complete with."""
        return {}

    def naming(self) -> bool:
        """Whether values of this kind name somebody or something (:func:`label` says that they do
        not)."""
        return False

    def items(self, value: Any) -> Iterable[Item]:
        """Who a read value names, thing by thing (a pair is one thing of two names)."""
        return ()

    def lists(self, value: Any) -> Sequence[Listed]:
        """Who a read value names in which role, list by list."""
        return ()

    lists_names: ClassVar[bool] = False
    """Whether there may be such lists: nearly all values are asked, and hold none."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.lists_names = cls.lists is not Kind.lists


Item = tuple[Word, ...]
"""What is named once: a name, or the two of a pair."""


class Listed(NamedTuple):
    """Names that stand side by side in one role. ``role`` is a key of the game's law."""

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
        # "Ana, Bo, Cy" without brackets is how people write a list; a name with a comma is quoted.
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
        meant = number_meant(value)
        help, instead = "", []
        if isinstance(value, Word) and meant is not None and self.holds(meant):
            help = (
                f"a hyphen makes a number negative; '{value.strip()[0]}' is a dash"
                if meant < 0
                else ""
            )
            instead = [str(meant)]
        elif meant is not None:
            help = f"write {self.words}; {meant} is none"
        message = f"{self.words} expected here, found {shown(value)}"
        raise Misread(message, value, help, instead=instead)

    def holds(self, number: int) -> bool:
        """Whether it may be this number."""
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
    """Which number is there in words, or with a dash for a minus sign."""
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
"""How many words a key may take at most so that each is offered where none of them is written."""


class Choice(Kind[str]):
    """One of a few words, letter case aside."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.words = either(choices)

    def read(self, value: Value, context: Context) -> str:
        if isinstance(value, Word):
            folded = value.strip().casefold()
            for choice in self.choices:
                if choice.casefold() == folded:
                    return choice
            near = nearest_words(value, self.choices)
            few = self.choices if len(self.choices) <= MOST_CHOICES else ()
            raise Misread(
                f"{self.words} expected here, found {shown(value)}{ask_whether(value, near)}",
                value,
                instead=near or few,
                is_told=True,
            )
        raise Misread(f"{self.words} expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        return {"enum": list(self.choices)}


class Counted(NamedTuple):
    """A name with how many of it: ``sure-footed x2``."""

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
    """Several values of one kind, which stand side by side."""

    item: Kind[T]

    def naming(self) -> bool:
        return self.item.naming()

    def items(self, value: Any) -> Iterable[Item]:
        if isinstance(value, tuple):
            for one in value:
                yield from self.item.items(one)

    def lists(self, value: Any) -> Sequence[Listed]:
        return _side_by_side(self.item, value) if isinstance(value, tuple) else ()


class ListOf(_Many[T]):
    """A list, each item read alike."""

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
    """A mapping whose keys and values are each read alike."""

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
        found = _side_by_side(self.key, value)
        return (*found, *_each(self.value, value.values())) if self.value.lists_names else found


class EitherOf(Kind[Any]):
    """The first kind that can read the value."""

    def __init__(self, *kinds: Kind[Any], words: str = "") -> None:
        self.kinds = kinds
        self.words = words or either(kind.words for kind in kinds)

    def read(self, value: Value, context: Context) -> Any:
        exact = Context(context.entries)
        inside: list[Misread] = []
        for kind in self.kinds:
            try:
                return kind.read(value, exact)
            except Misread as wrong:
                if wrong.value is not value:
                    inside.append(wrong.with_traceback(None))
        if context.amended is not None:
            for kind in self.kinds:
                amended: list[Misread] = []
                try:
                    read = kind.read(value, Context(context.entries, amended))
                except Misread:
                    continue
                context.amended.extend(amended)
                return read
        if len(inside) == 1:
            # One of them fits the shape, and only something inside does not.
            raise inside.pop()
        raise Misread(f"{self.words} expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        first, *rest = (kind.schema() for kind in self.kinds)
        for schema in rest:
            first = _merge(first, schema)
        return first

    def naming(self) -> bool:
        return any(kind.naming() for kind in self.kinds)

    def items(self, value: Any) -> Iterable[Item]:
        return next((found for kind in self.kinds if (found := tuple(kind.items(value)))), ())

    def lists(self, value: Any) -> Sequence[Listed]:
        for kind in self.kinds:
            if kind.lists_names and (found := kind.lists(value)):
                return found
        return ()


class MapOr(EitherOf):
    """A mapping of one kind, or something else: decided by how it is written, so that what is wrong
    inside a mapping is said exactly."""

    def read(self, value: Value, context: Context) -> Any:
        if isinstance(value, Entries):
            return self.kinds[0].read(value, context)
        other = self.kinds[1]
        try:
            return other.read(value, context)
        except Misread as wrong:
            own = f"{other.words} expected here"
            if wrong.message.startswith(own):
                wrong.message = f"{self.words} expected here{wrong.message[len(own) :]}"
            raise


class OrUnrecorded(Kind[T | None]):
    """What fell, or None for what nobody wrote down."""

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
"""Where a schema has the role of the names in it, for whoever knows what the game asks of the role."""
UNIQUE: Final = "uniqueItems"


class _Who(Kind[T]):
    """A kind whose names stand in a role."""

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
    return kind.kind if isinstance(kind, _Who) else kind


def _side_by_side(kind: Kind[Any], values: Collection[Any]) -> Sequence[Listed]:
    """The names of several values of one kind: in one list where each of them is a name in a role."""
    found: list[Listed] = []
    if isinstance(kind, _Who):
        if kind.role:
            items: list[Item] = []
            for value in values:
                items += kind.items(value)
            if items:
                found.append(Listed(kind.role, tuple(items)))
        kind = kind.kind
    return [*found, *_each(kind, values)] if kind.lists_names else found


def _each(kind: Kind[Any], values: Iterable[Any]) -> Iterator[Listed]:
    """The lists in several values of one kind, one after the other."""
    return chain.from_iterable(map(kind.lists, values))


def role_of(kind: Kind[Any]) -> str | None:
    """The role in which a kind names somebody itself; empty where it names nobody who is there already,
    None where nothing is said."""
    return kind.role if isinstance(kind, _Who) else None


def in_role(role: str, kind: Kind[T]) -> Kind[T]:
    """Say in which role the names of a value stand: ``in_role("caller", NAME)``. What the role needs is
    said once, in the law of the game (:mod:`chronicle.core.law`)."""
    return _Who(role, kind)


def label(kind: Kind[T]) -> Kind[T]:
    """Say that a value of a kind that usually names somebody names nobody who is there already: a new
    name, a trait, an id."""
    return _Who("", kind)


class Change(NamedTuple):
    """``up 2`` and ``down 1`` change a number by ``by``; a plain number sets it ``to`` that."""

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
                more = value.removeprefix("+")
                raise Misread(
                    f"'{value}' may be {more} more or the new number",
                    value,
                    instead=[f"up {more}", more],
                )
            if len(parts) == 1:
                return Change(None, WHOLE.read(value, context))
        raise Misread(f"{self.words} expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"], "pattern": "^(up|down) [0-9]+$|^-?[0-9]+$"}


def faces_or_nearest(value: Value, die: Die, context: Context) -> Faces:
    """The faces typed. A face that does not exist is told, and read as the nearest one if may be."""
    try:
        return read_faces(value, die)
    except ValueError as error:
        message, _, help = str(error).partition("|")
        wrong = Misread(message, value, help, code=die.rule or "T31")
    nearest = nearest_faces(value, die) if context.amended is not None else None
    if nearest is None or context.amended is None:
        try:
            raise wrong
        finally:
            # Else it would keep whoever asks, and all that they know, in a circle.
            del wrong
    wrong.guessed = True
    context.amended.append(wrong)
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
                near = nearest_words(key, list(self.dice))
                message = f"no die '{key}' here: {either(self.dice)}{ask_whether(key, near)}"
                raise Misread(message, key, instead=near or self.dice, is_told=True)
            read[str(key)] = FacesKind(self.dice[key]).read(item, context)
        return read

    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": {name: FacesKind(die).schema() for name, die in self.dice.items()},
            "additionalProperties": False,
        }


class Pair(NamedTuple):
    """Two names joined by ``&``, in either order."""

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
            here = value.like(raw)
            if literal:
                # Only here does each line of it stand on a line of the file, below the indicator.
                at = value.line + 1 + number
                here = Word(raw, at, value.column, at, value.column + len(raw))
            if not colon or not name.strip():
                if lines and raw[:1].isspace():
                    last = lines[-1]
                    lines[-1] = Line(last.speaker, last.words.like(f"{last.words} {raw.strip()}"))
                    continue
                raise Misread(f"no speaker in {shown(here)}", here, "write 'Name: words'")
            lines.append(Line(here.like(name.strip()), here.like(words.strip())))
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
    """Speeches that stand in braces as a block, a line each, as it is written in a log."""
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


def _merge(one: Schema, other: Schema) -> Schema:
    """A flat schema that accepts what either accepts (no ``oneOf``: its messages mislead). ``{}``
    accepts anything."""
    if one == other:
        return one
    if "enum" in one and "enum" in other:
        return {
            "enum": [*one["enum"], *(word for word in other["enum"] if word not in one["enum"])]
        }
    ones, others = _types(one), _types(other)
    if not ones or not others:
        return {}
    merged: Schema = {}
    types = [*ones, *(name for name in others if name not in ones)]
    merged["type"] = types if len(types) > 1 else types[0]
    # What restricts one type holds as long as the other schema does not take that type more freely.
    for names, keys in (
        (("string",), ("pattern",)),
        (("integer", "number"), ("minimum", "maximum")),
        (("array",), ("items", ROLE, UNIQUE)),
        (("object",), ("properties", "additionalProperties", "required")),
    ):
        first = any(name in ones for name in names)
        second = any(name in others for name in names)
        if first and second:
            merged.update(_both(one, other, names[0]))
        elif first or second:
            source = one if first else other
            merged.update({key: source[key] for key in keys if key in source})
    return merged


def _both(one: Schema, other: Schema, kind: str) -> Schema:
    """What restricts a type in a schema that accepts what either of two does."""
    match kind:
        case "string":
            same = one.get("pattern") == other.get("pattern")
            return {"pattern": one["pattern"]} if same and "pattern" in one else {}
        case "integer":
            kept: Schema = {}
            if "minimum" in one and "minimum" in other:
                kept["minimum"] = min(one["minimum"], other["minimum"])
            if "maximum" in one and "maximum" in other:
                kept["maximum"] = max(one["maximum"], other["maximum"])
            return kept
        case "array":
            items = _merge(one.get("items", {}), other.get("items", {}))
            same = {
                key: one[key] for key in (ROLE, UNIQUE) if key in one and one[key] == other.get(key)
            }
            return {"items": items, **same} if items else same
        case _:
            return _both_mappings(one, other)


def _both_mappings(one: Schema, other: Schema) -> Schema:
    named = [schema.get("properties", {}) for schema in (one, other)]
    further = [schema.get("additionalProperties", {}) for schema in (one, other)]
    properties: Schema = {}
    for mine, theirs, rest in ((named[0], named[1], further[1]), (named[1], named[0], further[0])):
        for key, schema in mine.items():
            known = theirs.get(key, rest)
            properties.setdefault(key, schema if known is False else _merge(schema, known))
    taken = [schema for schema in further if schema is not False]
    rest = _merge(*taken) if len(taken) == 2 else taken[0] if taken else False
    merged: Schema = {"additionalProperties": rest} if rest != {} else {}
    if properties:
        merged["properties"] = properties
    needed = [key for key in one.get("required", []) if key in other.get("required", [])]
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
    """The kinds that something of a kind may be of: what one of several, or one in a list, is."""
    inner = bare(kind)
    item = getattr(inner, "item", None)
    kinds = getattr(inner, "kinds", ()) or (() if item is None else (item,))
    if not kinds or isinstance(inner, MapOf):
        yield kind
    for one in kinds:
        yield from alternatives(one)


def whole(least: int | None = None, most: int | None = None) -> Kind[int]:
    """A whole number within bounds."""
    return _Whole(least, most)


def choice(*choices: str) -> Kind[str]:
    """One of a few words, letter case aside."""
    return Choice(*choices)


def faces(die: Die) -> Kind[Faces]:
    """Faces of one kind of die in the order they fell."""
    return FacesKind(die)


def by_die(**dice: Die) -> Kind[dict[str, Faces]]:
    """Faces sorted by kind or colour of die: ``{d10: 9, d6: [4, 2]}``, ``{green: 422, red: 6}``."""
    return _ByDie(dice)


class Field(NamedTuple):
    """One declared key: its YAML name, how it is read, whether it must be there, what it means."""

    name: str
    attribute: str
    kind: Kind[Any]
    doc: str
    required: bool
    default: Any
    told: Told | None = None
    """How its words are told in the story, if they are."""
    checked: bool = False
    """Whether the log says by itself what stands here, so that it is written to have it checked."""
    is_place: bool = False
    """Whether it says where something happens, in the words of the table."""
    of_players: bool = False
    """Whether it names players, where no role says who may be named."""
    words: tuple[str, ...] = ()
    """Words that may stand in place of a name: ``everybody``, ``last``."""


class Flags(TypedDict, total=False):
    """What may be declared of a key besides: see :class:`Field`."""

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
    """Declare the value of the verb itself. With a ``default`` the value may be left empty. ``told``:
    how its words are told in the story, if they are. ``flags`` as in :class:`Field`."""
    absent = None if default is ... else default
    return _Declared(kind, doc, default is ..., absent, "", True, told, flags)


def required(
    kind: Kind[T], doc: str, *, key: str = "", told: Told | None = None, **flags: Unpack[Flags]
) -> T:
    """Declare a key that must be there (``key`` where the YAML name is no Python name)."""
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
    """Declare a key that may be there; ``default`` (None) stands for its absence."""
    return _Declared(kind, doc, False, default, key, False, told, flags)


def _collect(cls: type, inherited: dict[str, Field]) -> tuple[Field | None, dict[str, Field]]:
    found: Field | None = None
    fields = dict(inherited)
    for attribute, declared in list(vars(cls).items()):
        if not isinstance(declared, _Declared):
            continue
        above = cls.__mro__[1]
        if callable(getattr(above, attribute, None)):
            raise TypeError(f"{cls.__name__}.{attribute} is a method of every {above.__name__}")
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
            found = field
        else:
            fields[name] = field
        # The class attribute is what an entry without the key has.
        setattr(cls, attribute, declared.default)
    return found, fields


class Part:
    """A mapping inside an entry (or a header), with declared keys.

    ``bare`` names the key that a plain value (no mapping) stands for, if any; ``apart`` the keys of
    which a mapping has one at most: what it is of, each a thing of its own.
    """

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
        """The value as typed under a key, or the whole part (for pointing at it)."""
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
        made = self.part()
        made.source = value
        if not isinstance(value, Entries):
            if not self.part.bare:
                raise Misread(f"{self.words} expected here, found {shown(value)}", value)
            field = self.part.fields[self.part.bare]
            setattr(made, field.attribute, field.kind.read(value, context))
            return made
        fields = self.part.fields
        source = value
        for key, item in value.items():
            known = fields.get(key)
            if known is None:
                near = nearest_words(key, list(fields))
                help = f"possible keys: {', '.join(fields)}"
                message = f"no key '{key}' here{ask_whether(key, near)}"
                unknown = Misread(message, key, help, "T22", near, is_told=True)
                meant = key_meant(key, value, fields)
                if not meant or context.amended is None:
                    raise unknown
                context.amended.append(unknown)
                made.source = source = source.renamed(key, meant)
                known = fields[meant]
            setattr(made, known.attribute, known.kind.read(item, context))
        apart = self.part.apart
        several = [key for key in source if key in apart] if apart else ()
        if len(several) > 1:
            one, other = (f"{{{key}: ...}}" for key in several[:2])
            raise Misread(
                f"'{several[0]}' and '{several[1]}' are two things, and this is one",
                several[1],
                f"write each in braces of its own:  [{one}, {other}]",
            )
        for known in self._required:
            if Word(known.name) not in source:
                raise Misread(f"'{known.name}' is missing here: {known.doc}", value, code="T23")
        return made

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
        found: list[Listed] = []
        for attribute, kind, default in self._several if isinstance(value, self.part) else ():
            held = getattr(value, attribute)
            if held is not default:
                found += kind.lists(held)
        return found

    @cached_property
    def _required(self) -> Sequence[Field]:
        return [one for one in self.part.fields.values() if one.required]

    @cached_property
    def _several(self) -> Sequence[tuple[str, Kind[Any], Any]]:
        """The keys that may list names."""
        every = self.part.fields.values()
        return [(one.attribute, one.kind, one.default) for one in every if one.kind.lists_names]


def key_meant(key: Word, value: Entries, fields: Mapping[str, Field]) -> str:
    """The declared key that an unknown one of a mapping was evidently meant to be; empty if none."""

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
    """What is said where a verb may not stand: the rule of the book, the message (with terms of the
    game's law in braces), what to write instead, and which doubts it is folded under."""

    rule: str
    message: str = ""
    help: str = ""
    after: tuple[str, ...] = ()
    finding: Finding = Finding.ILLEGAL
    doubts: tuple[str, ...] = ()
    """What is in doubt from then on."""
    fixes: tuple[Fix, ...] = ()
    """Ways to solve it, with terms in braces as in the message."""


class Moment(NamedTuple):
    """In which phases of its game a verb may stand; in all others it is refused.

    ``instead`` has what is said in a phase where ``refusal`` would say it badly. A ``void`` entry
    does nothing where it is refused: it would change the phase of the game.
    """

    phases: tuple[str, ...]
    refusal: Refusal
    instead: Mapping[str, Refusal] = MappingProxyType({})
    void: bool = False


ANY_TIME: Final = Moment((), Refusal(""))
"""A verb that may stand in any phase, or whose handler says itself when it may."""


class Offered(NamedTuple):
    """How a verb is offered where it may come next: the rule that offers it, a few words, what it costs whoever does
    it, and whether it is seldom done because it ends what could go on. ``tries`` are optional keys that are tried,
    besides those that must be there."""

    rule: str
    hint: str
    price: tuple[int, str] | None = None
    rare: bool = False
    tries: tuple[str, ...] = ()


class Decides(NamedTuple):
    """Who decides on a verb: a key of the deciders in the law of the game, and the rule under which
    an entry of somebody else is told (without one, whoever is named may do it)."""

    decider: str
    rule: str = ""
    void: bool = False
    finding: Finding = Finding.ILLEGAL
    doing: str = ""
    """What somebody else is told to have done, in words: ``buys a Fact``."""


GUARD: Final = "guard_mark"
"""The attribute that marks a method as a guard (:func:`chronicle.core.guards.guard`)."""


class GuardMark(NamedTuple):
    """How a guard was declared: its rule, the class of its findings, their place and their help."""

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
    """Who acts when ``by`` is not written, in words (for the reference)."""
    example: ClassVar[str] = ""
    """A typical entry as YAML, without the dash."""
    departure: ClassVar[bool] = False
    """Whether the verb only records what no rule of the game provides for."""
    also: ClassVar[tuple[str, ...]] = ()
    """What people write who do not remember the verb; it is told them then."""
    optional: ClassVar[bool] = False
    """Whether the verb exists only where an optional rule is in force."""
    hides: ClassVar[tuple[str, ...] | None] = None
    """The keys (the verb among them) whose words nobody else may see while the entry is hidden; None
    for a verb that never hides anything."""
    decides: ClassVar[Decides | None] = None
    """Who decides on it, by the law of the game."""
    moment: ClassVar[Moment] = ANY_TIME
    """When it may come, by the law of the game."""
    offered: ClassVar[Offered | None] = None
    """How it is offered where it may come next; None for a verb that nobody proposes."""
    heading: ClassVar[str] = ""
    """What it is called beside its story; empty: its verb."""
    led_in: ClassVar[str] = ""
    """What leads in where it is told: words, and values by their keys (``Enter {who}``). A bare name leads
    to nothing: it says what becomes of whom."""
    about_whom: ClassVar[str] = "About {who}"
    """What leads in where the words that are told are about ``who``, and say the rest themselves."""
    slipped: ClassVar[frozenset[str]] = frozenset()
    """The kinds of events that its slips, its sentence or the card of its throw show already."""
    quiet: ClassVar[bool] = False
    """Whether it only says whose move it is."""
    about_table: ClassVar[bool] = False
    """Whether it is about the table and not about the story, and so is what is written beside it."""
    objects: ClassVar[bool] = False
    """Whether somebody objects by it to what was told."""
    before_result: ClassVar[bool] = False
    """Whether what is written beside a throw is told before what it came to, which another entry tells."""
    by_dice: ClassVar[bool] = False
    """Whether it (or what is nested in it) tells what dice have decided."""
    main: ClassVar[Field | None] = None
    fields: ClassVar[dict[str, Field]] = {}
    readers: ClassVar[dict[str, tuple[str, Callable[[Value, Context], Any]]]] = {}
    """The attribute of every key, the verb among them, and how its value is read."""
    needed: ClassVar[tuple[Field, ...]] = ()
    """The keys that may not be missing."""
    guards: ClassVar[tuple[tuple[str, GuardMark], ...]] = ()
    """Its guards, by the names of their methods, in their order."""
    naming: ClassVar[tuple[tuple[str, Kind[Any], Any], ...]] = ()
    """The keys whose values name somebody in a role: attribute, kind and default."""
    telling: ClassVar[tuple[tuple[Told, str], ...]] = ()
    """What tells something of the story, the verb first: how, and the attribute."""

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
    """What was wrong with the form of this entry, if it could be read all the same."""

    def __init_subclass__(cls) -> None:
        main_field, cls.fields = _collect(cls, cls.fields)
        main_field = main_field or cls.main
        if main_field is not None:
            cls.main = main_field._replace(name=cls.verb)
        keys = [*cls.fields.values(), *([] if cls.main is None else [cls.main])]
        cls.readers = {key.name: (key.attribute, bare(key.kind).read) for key in keys}
        cls.needed = tuple(key for key in cls.fields.values() if key.required)
        both = (cls.main, *cls.fields.values())
        marks = {name: getattr(method, GUARD, None) for name, method in vars(cls).items()}
        own = {name: mark for name, mark in marks.items() if isinstance(mark, GuardMark)}
        cls.guards = tuple({**dict(cls.guards), **own}.items())
        cls.naming = tuple(
            (key.attribute, key.kind, key.default)
            for key in both
            if key is not None and key.kind.lists_names and key.attribute != "by"
        )
        cls.telling = tuple((one.told, one.attribute) for one in both if one and one.told)

    def apply(self, play: Any) -> None:
        """Have its effect, whatever its guards said."""
        raise NotImplementedError

    def sentence(self, play: Any) -> Sentence:
        """What it does, in one plain sentence; asked before it has its effect."""
        return (self.verb.capitalize(),)

    @classmethod
    def candidates(cls, play: Any) -> Iterable[Mapping[str, Any]] | None:
        """Entries that may be lawful now, as they would be typed; None for what its keys and their roles give."""
        return None

    @classmethod
    def specimen(cls) -> list[str]:
        """The example as it stands in a log, line by line; none where there is none."""
        return f"- {cls.example}".splitlines() if cls.example else []

    def told(self) -> Iterable[Piece]:
        """What it tells of the story, without what is written beside it under ``text``."""
        lead = self.lead_in()
        if lead:
            yield Piece(Told.LEAD, lead)
        said_by = str(self.by) if self.by is not None else ""
        for how, attribute in self.telling:
            yield from pieces(how, getattr(self, attribute), said_by, self.about_whom)

    def lead_in(self) -> str:
        """What it tells that is no sentence, in a few words: who comes, whose Trait; empty if nothing."""
        said = vars(self).items() if self.led_in else ()
        return self.led_in.format_map(
            {key: listed(value) if isinstance(value, tuple) else value for key, value in said}
        )

    def caption(self) -> str:
        """What it is called beside its story."""
        return self.heading or self.verb.capitalize()

    def slips(self) -> Iterable[Slip]:
        """The words on slips of paper that it deals in: Traits, names, Features."""
        return ()

    def beside(self) -> bool:
        """Whether what is written beside it is about the table."""
        return self.about_table

    def place(self, name: str = "", *inner: str | int) -> Place:
        """Where this entry stands: the verb's key, the value of key ``name``, or deeper inside it
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
        """Where the key ``inner`` stands inside the mapping under ``name``."""
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


# ``__init_subclass__`` speaks of subclasses only; the options of every verb stand on the base itself.
Action.fields = _collect(Action, {})[1]


def place_of_word(action: Action, word: Word) -> Place:
    """Where a word of an action stands; the verb if the word carries no place of its own."""
    return place_of(word, action.path) if word.line else action.place()


def read_value(kind: Kind[T], value: Value) -> T:
    """Read one value outside any log (a setting, an assertion).

    Raises:
        Misread: when the value is something else.
    """
    return kind.read(value, _NO_CONTEXT)
