"""Kinds of values: how a value of the log is read, described and completed.

A :class:`FieldType` says how one value is read; reading never resolves a scalar on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from chronicle.core.diagnostic import ask_whether, either, nearest_words
from chronicle.core.figures import MAX_NAME_LETTERS, MOST_DIGITS, is_figure
from chronicle.core.misread import Misread, shown
from chronicle.core.schemas import ROLE_KEY, Schema, merge_schemas
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value

T = TypeVar("T")
K = TypeVar("K")


UNRECORDED: Final = "unrecorded"
"""Stands for an event whose details were not written down: faces, bids, the actor."""


def is_unrecorded(value: Value) -> bool:
    """Whether a value only says that something happened."""
    # This is called for every name, and most names are shorter.
    if not isinstance(value, ScalarNode) or len(value) < len(UNRECORDED):
        return False
    return value.strip().casefold() == UNRECORDED


class Context(NamedTuple):
    """Helpers for reading a value: the decoder of nested entries, and a list for problems with values that
    could be read anyway (without the list, such values are refused)."""

    read_entries: Callable[[SequenceNode], list[Any]]
    corrections: list[Misread] | None = None


class FieldType(Generic[T]):
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

    def has_names(self) -> bool:
        """Whether values of this kind name persons or objects; not so for :func:`label`."""
        return False

    def names_in(self, value: Any) -> Iterable[NameItem]:
        """The names in a read value; a pair is one item of two names."""
        return ()

    def name_lists(self, value: Any) -> Sequence[NameList]:
        """The names in a read value, as lists with their roles."""
        return ()

    has_name_lists: ClassVar[bool] = False
    """Whether such lists are possible. Almost all values have none."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.has_name_lists = cls.name_lists is not FieldType.name_lists


NameItem = tuple[ScalarNode, ...]
"""A single name, or the two names of a pair."""


class NameList(NamedTuple):
    """Names listed together in one role. ``role`` is a key of the game's law."""

    role: str
    items: tuple[NameItem, ...]


class _TextType(FieldType[ScalarNode]):
    words = "text"

    def read(self, value: Value, context: Context) -> ScalarNode:
        if isinstance(value, ScalarNode):
            return value
        raise Misread(
            f", not {shown(value)}",
            value,
            "put the sentence in quotes, or after | on lines of its own",
            expected="text",
        )

    def schema(self) -> Schema:
        return {"type": ["string", "number", "boolean", "null"]}


class _NameType(_TextType):
    words = "a name"

    def read(self, value: Value, context: Context) -> ScalarNode:
        if not isinstance(value, ScalarNode):
            raise Misread(f", not {shown(value)}", value, expected="one name")
        if not value.strip():
            raise Misread("a name is missing here", value)
        if len(value) > MAX_NAME_LETTERS:
            raise Misread(
                f"a name has at most {MAX_NAME_LETTERS:,} letters, and this has {len(value):,}",
                value,
                "give it a short name, and tell the rest under  text:",
            )
        return value

    def has_names(self) -> bool:
        return True

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return ((value,),) if isinstance(value, ScalarNode) else ()


class _NamesType(FieldType[tuple[ScalarNode, ...]]):
    words = "a name, or a list of names"

    def read(self, value: Value, context: Context) -> tuple[ScalarNode, ...]:
        if isinstance(value, SequenceNode):
            return tuple(NAME.read(item, context) for item in value)
        if isinstance(value, MappingNode):
            raise Misread(
                f", not {shown(value)}",
                value,
                "a list has brackets: [Ana, Bo]",
                expected="a name or a list of names",
            )
        name_node = NAME.read(value, context)
        if name_node in ("nobody", "no one") and not name_node.style:
            return ()
        if name_node.style or ", " not in name_node:
            return (name_node,)
        # People write "Ana, Bo, Cy" without brackets as a list; a name that contains a comma is quoted.
        names: list[ScalarNode] = []
        part_column = name_node.column
        for name_part in name_node.split(","):
            name_column = part_column + len(name_part) - len(name_part.lstrip())
            stripped_name = name_part.strip()
            if stripped_name:
                names.append(
                    ScalarNode(
                        stripped_name,
                        name_node.line,
                        name_column,
                        name_node.line,
                        name_column + len(stripped_name),
                    )
                )
            part_column += len(name_part) + 1
        return tuple(names)

    def schema(self) -> Schema:
        return {"type": ["string", "number", "array"], "items": TEXT.schema()}

    def has_names(self) -> bool:
        return True

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return tuple(zip(value)) if isinstance(value, tuple) else ()


class _WholeNumberType(FieldType[int]):
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
        if isinstance(value, ScalarNode):
            number_text = value.strip().replace("−", "-")
            digits = number_text[1:] if number_text[:1] in ("+", "-") else number_text
            if is_figure(digits) and self.holds(int(number_text)):
                return int(number_text)
            if digits.isascii() and digits.isdigit() and len(digits) > MOST_DIGITS:
                raise Misread(
                    f", found one of {len(digits)} digits",
                    value,
                    f"no figure of a log has more than {MOST_DIGITS}",
                    expected=self.words,
                )
        number_meant = intended_number(value)
        help_text, replacements = "", []
        if isinstance(value, ScalarNode) and number_meant is not None and self.holds(number_meant):
            help_text = (
                f"a hyphen makes a number negative; '{value.strip()[0]}' is a dash"
                if number_meant < 0
                else ""
            )
            replacements = [str(number_meant)]
        elif number_meant is not None:
            help_text = f"write {self.words}; {number_meant} is none"
        raise Misread(
            f", not {shown(value)}",
            value,
            help_text,
            replacements=replacements,
            expected=self.words,
        )

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


_NUMBER_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
)
LONG_DASHES: Final = "\u2013\u2014"


def intended_number(value: Value) -> int | None:
    """The number that is written as a word, or with a dash as its minus sign; None if there is none."""
    if not isinstance(value, ScalarNode):
        return None
    number_word = value.strip().casefold()
    if number_word in _NUMBER_WORDS[1:]:
        return _NUMBER_WORDS.index(number_word)
    has_dash_as_minus = number_word[:1] in LONG_DASHES and is_figure(number_word[1:])
    return -int(number_word[1:]) if has_dash_as_minus else None


class _YesNoType(FieldType[bool]):
    words = "yes or no"

    def read(self, value: Value, context: Context) -> bool:
        if isinstance(value, ScalarNode):
            match value.casefold():
                case "yes" | "true" | "y" | "on":
                    return True
                case "no" | "false" | "n" | "off":
                    return False
        raise Misread(f", not {shown(value)}", value, expected="yes or no")

    def schema(self) -> Schema:
        return {"enum": ["yes", "no", True, False]}


MAX_SUGGESTED_CHOICES: Final = 8
"""Maximum number of words a key may take for all of them to be suggested."""


class Choice(FieldType[str]):
    """One of a few words, ignoring letter case."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.words = either(choices)

    def read(self, value: Value, context: Context) -> str:
        if isinstance(value, ScalarNode):
            folded_word = value.strip().casefold()
            for choice in self.choices:
                if choice.casefold() == folded_word:
                    return choice
            similar_choices = nearest_words(value, self.choices)
            choices_if_few = self.choices if len(self.choices) <= MAX_SUGGESTED_CHOICES else ()
            raise Misread(
                f", not {shown(value)}{ask_whether(value, similar_choices)}",
                value,
                replacements=similar_choices or choices_if_few,
                is_told=bool(similar_choices),
                expected=self.words,
            )
        raise Misread(f", not {shown(value)}", value, expected=self.words)

    def schema(self) -> Schema:
        return {"enum": list(self.choices)}


class Counted(NamedTuple):
    """A name with a count: ``sure-footed x2``."""

    name: ScalarNode
    count: int  # type: ignore[assignment]  # tuples have a count() that nobody needs here


class _CountedType(FieldType[Counted]):
    words = "a name, with x2 for two of it"

    def read(self, value: Value, context: Context) -> Counted:
        name_node = NAME.read(value, context)
        name_text, space, count_text = name_node.rstrip().rpartition(" ")
        if (
            space
            and len(count_text) > 1
            and count_text[0] in "x×X"
            and is_figure(count_text[1:])
            and len(count_text) < 6
        ):
            count = int(count_text[1:])
            if count < 1:
                raise Misread(f"'{count_text}' counts nothing; write x1 or more", value)
            return Counted(name_node.like(name_text.rstrip()), count)
        return Counted(name_node, 1)

    def schema(self) -> Schema:
        return TEXT.schema()

    def has_names(self) -> bool:
        return True

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return ((value.name,),) if isinstance(value, Counted) else ()


class _SequenceOf(FieldType[tuple[T, ...]]):
    """Several values of one kind, side by side."""

    item: FieldType[T]

    def has_names(self) -> bool:
        return self.item.has_names()

    def names_in(self, value: Any) -> Iterable[NameItem]:
        if isinstance(value, tuple):
            for item in value:
                yield from self.item.names_in(item)

    def name_lists(self, value: Any) -> Sequence[NameList]:
        return _name_lists_of(self.item, value) if isinstance(value, tuple) else ()


class ListOf(_SequenceOf[T]):
    """A list whose items are all read as one kind."""

    def __init__(self, item_type: FieldType[T], words: str = "") -> None:
        self.item = item_type
        self.words = words or f"a list, each {item_type.words}"

    def read(self, value: Value, context: Context) -> tuple[T, ...]:
        if not isinstance(value, SequenceNode):
            raise Misread(
                f", not {shown(value)}",
                value,
                "a list has brackets",
                replacements=[f"[{value}]"] if isinstance(value, ScalarNode) else [],
                expected="a list",
            )
        return tuple(self.item.read(item, context) for item in value)

    def schema(self) -> Schema:
        return {"type": "array", "items": self.item.schema()}


class OneOrMany(_SequenceOf[T]):
    """One value, or a list of them; always read as a tuple."""

    def __init__(self, item_type: FieldType[T], words: str = "") -> None:
        self.item = item_type
        self.words = words or f"{item_type.words}, or a list of them"

    def read(self, value: Value, context: Context) -> tuple[T, ...]:
        if isinstance(value, SequenceNode):
            return tuple(self.item.read(item, context) for item in value)
        return (self.item.read(value, context),)

    def schema(self) -> Schema:
        item_schema = self.item.schema()
        return merge_schemas(item_schema, {"type": "array", "items": item_schema})


class MapOf(FieldType[dict[K, T]]):
    """A mapping whose keys are read as one kind and whose values as another."""

    def __init__(self, key_type: FieldType[K], value_type: FieldType[T], words: str = "") -> None:
        self.key, self.value = key_type, value_type
        # The alternatives of the value are no alternatives of the mapping.
        value_words = value_type.words.replace(", or ", " or ")
        self.words = words or f"a mapping from {key_type.words} to {value_words}"

    def read(self, value: Value, context: Context) -> dict[K, T]:
        if not isinstance(value, MappingNode):
            raise Misread(
                f", not {shown(value)}", value, "write it as {who: what}", expected=self.words
            )
        read_values: dict[K, T] = {}
        for key, item_value in value.items():
            read_values[self.key.read(key, context)] = self.value.read(item_value, context)
        return read_values

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.value.schema()}

    def has_names(self) -> bool:
        return self.key.has_names() or self.value.has_names()

    def names_in(self, value: Any) -> Iterable[NameItem]:
        if isinstance(value, dict):
            for read_key in value:
                yield from self.key.names_in(read_key)

    def name_lists(self, value: Any) -> Sequence[NameList]:
        if not isinstance(value, dict):
            return ()
        key_lists = _name_lists_of(self.key, value)
        return (
            (*key_lists, *_all_name_lists(self.value, value.values()))
            if self.value.has_name_lists
            else key_lists
        )


class EitherOf(FieldType[Any]):
    """The first kind that can read the value."""

    def __init__(self, *field_types: FieldType[Any], words: str = "") -> None:
        self.kinds = field_types
        self.words = words or either(field_type.words for field_type in field_types)

    def read(self, value: Value, context: Context) -> Any:
        strict_context = Context(context.read_entries)
        inner_errors: list[Misread] = []
        for field_type in self.kinds:
            try:
                return field_type.read(value, strict_context)
            except Misread as error:
                if error.value is not value:
                    inner_errors.append(error.with_traceback(None))
        if context.corrections is not None:
            for field_type in self.kinds:
                corrections: list[Misread] = []
                try:
                    read_value = field_type.read(value, Context(context.read_entries, corrections))
                except Misread:
                    continue
                context.corrections.extend(corrections)
                return read_value
        if len(inner_errors) == 1:
            # One of the kinds fits the shape, and only a part inside is wrong.
            raise inner_errors.pop()
        raise Misread(f", not {shown(value)}", value, expected=self.words)

    def schema(self) -> Schema:
        merged_schema, *other_schemas = (field_type.schema() for field_type in self.kinds)
        for other_schema in other_schemas:
            merged_schema = merge_schemas(merged_schema, other_schema)
        return merged_schema

    def has_names(self) -> bool:
        return any(field_type.has_names() for field_type in self.kinds)

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return next(
            (
                name_items
                for field_type in self.kinds
                if (name_items := tuple(field_type.names_in(value)))
            ),
            (),
        )

    def name_lists(self, value: Any) -> Sequence[NameList]:
        for field_type in self.kinds:
            if field_type.has_name_lists and (name_lists := field_type.name_lists(value)):
                return name_lists
        return ()


class MapOr(EitherOf):
    """A mapping of one kind, or another kind. The form decides, so that problems inside a mapping are
    reported exactly."""

    def read(self, value: Value, context: Context) -> Any:
        if isinstance(value, MappingNode):
            return self.kinds[0].read(value, context)
        other_type = self.kinds[1]
        try:
            return other_type.read(value, context)
        except Misread as error:
            if error.expected == other_type.words:
                error.expected = self.words
            raise


class OrUnrecorded(FieldType[T | None]):
    """The value, or None if it was not recorded."""

    def __init__(self, field_type: FieldType[T]) -> None:
        self.kind = field_type
        self.words = f"{field_type.words}, or '{UNRECORDED}'"

    def read(self, value: Value, context: Context) -> T | None:
        if is_unrecorded(value):
            return None
        return self.kind.read(value, context)

    def schema(self) -> Schema:
        return merge_schemas(self.kind.schema(), {"type": "string"})

    def has_names(self) -> bool:
        return self.kind.has_names()

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return () if value is None else self.kind.names_in(value)

    def name_lists(self, value: Any) -> Sequence[NameList]:
        return () if value is None else self.kind.name_lists(value)


class InRole(FieldType[T]):
    """A kind whose names have a role."""

    def __init__(self, role: str, field_type: FieldType[T]) -> None:
        role_and_type: tuple[object, object] = (role, field_type)
        if not isinstance(role_and_type[0], str) or not isinstance(role_and_type[1], FieldType):
            raise TypeError(
                'write the role first, then the type:  in_role("caller", NAME), label(NAME)'
            )
        self.role, self.kind = role, field_type
        self.words = field_type.words
        self.example = field_type.example

    def read(self, value: Value, context: Context) -> T:
        return self.kind.read(value, context)

    def schema(self) -> Schema:
        return {**self.kind.schema(), ROLE_KEY: self.role} if self.role else self.kind.schema()

    def names_in(self, value: Any) -> Iterable[NameItem]:
        return self.kind.names_in(value)

    def name_lists(self, value: Any) -> Sequence[NameList]:
        return _name_lists_of(self, (value,))


def roleless(field_type: FieldType[T]) -> FieldType[T]:
    """A kind without its role."""
    return field_type.kind if isinstance(field_type, InRole) else field_type


def _name_lists_of(field_type: FieldType[Any], read_values: Collection[Any]) -> Sequence[NameList]:
    """The names of several values of one kind, as one list if the kind has a role."""
    name_lists: list[NameList] = []
    if isinstance(field_type, InRole):
        if field_type.role:
            name_items: list[NameItem] = []
            for read_value in read_values:
                name_items += field_type.names_in(read_value)
            if name_items:
                name_lists.append(NameList(field_type.role, tuple(name_items)))
        field_type = field_type.kind
    return (
        [*name_lists, *_all_name_lists(field_type, read_values)]
        if field_type.has_name_lists
        else name_lists
    )


def _all_name_lists(field_type: FieldType[Any], read_values: Iterable[Any]) -> Iterator[NameList]:
    """The lists in several values of one kind, in order."""
    return chain.from_iterable(map(field_type.name_lists, read_values))


def role_of(field_type: FieldType[Any]) -> str | None:
    """The role of a kind of names; empty for names that do not exist yet, None if no role is declared."""
    return field_type.role if isinstance(field_type, InRole) else None


def in_role(role: str, field_type: FieldType[T]) -> FieldType[T]:
    """Declare the role of the names in a value: ``in_role("caller", NAME)``. The needs of the role are
    declared in the law of the game (:mod:`chronicle.core.law`).

    Raises:
        TypeError: if the arguments are of other types.
    """
    return InRole(role, field_type)


def label(field_type: FieldType[T]) -> FieldType[T]:
    """Declare that a value names nobody who is there: words on a slip of paper, an id. Nothing looks it up. For the
    name of something new there is :func:`~chronicle.core.new_names.new_name`."""
    return InRole("", field_type)


TEXT: FieldType[ScalarNode] = _TextType()
NAME: FieldType[ScalarNode] = _NameType()
NAMES: FieldType[tuple[ScalarNode, ...]] = _NamesType()
WHOLE: FieldType[int] = _WholeNumberType()
YES_NO: FieldType[bool] = _YesNoType()
COUNTED: FieldType[Counted] = _CountedType()
MANY_COUNTED: FieldType[tuple[Counted, ...]] = OneOrMany(
    COUNTED, "a name or a list of names, x2 for two of it"
)


def alternatives(field_type: FieldType[Any]) -> Iterator[FieldType[Any]]:
    """The alternatives of a kind: the kinds of an either-or, or of the items of a list."""
    bare_type = roleless(field_type)
    item_type = getattr(bare_type, "item", None)
    inner_types = getattr(bare_type, "kinds", ()) or (() if item_type is None else (item_type,))
    if not inner_types or isinstance(bare_type, MapOf):
        yield field_type
    for alternative_type in inner_types:
        yield from alternatives(alternative_type)


def types_within(field_type: FieldType[Any]) -> Iterator[FieldType[Any]]:
    """A kind, and all kinds of values within it."""
    yield field_type
    for attribute in ("kind", "item", "key", "value"):
        inner_type = getattr(field_type, attribute, None)
        if isinstance(inner_type, FieldType):
            yield from types_within(inner_type)
    for inner_type in getattr(field_type, "kinds", ()):
        yield from types_within(inner_type)
    part_class = getattr(field_type, "part", None)
    for field in part_class.fields.values() if part_class is not None else ():
        yield from types_within(field.kind)


def whole(least: int | None = None, most: int | None = None) -> FieldType[int]:
    """A whole number within bounds."""
    return _WholeNumberType(least, most)


def choice(*choices: str) -> FieldType[str]:
    """One of a few words, ignoring letter case: ``choice("high", "low")``."""
    typed_choices: tuple[object, ...] = choices
    if not all(isinstance(word, str) for word in typed_choices):
        raise TypeError('write the words one after the other:  choice("high", "low")')
    return Choice(*choices)
