"""One declaration per verb: decoder, JSON Schema, format reference and completion come from it.

A verb is a class::

    class Call(Action):
        \"\"\"Lay down your conflict die and dispute what was just said.\"\"\"

        verb = "call"
        version = main(TEXT, "what happened instead, in the caller's words")
        against = required(NAME, "whose statement is disputed")

``main`` is the value of the verb itself, ``required`` and ``option`` are further keys of the entry
(``doubted_by`` in Python is ``doubted by`` in YAML). A :class:`Part` is the same for a mapping inside
an entry. A :class:`FieldType` says how one value is read; reading never resolves a scalar on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import (
    Any,
    ClassVar,
    Final,
    NamedTuple,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from chronicle.core.diagnostic import (
    MIN_SUGGESTION_SIMILARITY,
    Diagnostic,
    DiagnosticKind,
    ask_whether,
    either,
    listed,
    most_likely_word,
    nearest_words,
)
from chronicle.core.field_types import (
    NAME,
    TEXT,
    UNRECORDED,
    YES_NO,
    Context,
    FieldType,
    MapOf,
    NameList,
    OneOrMany,
    label,
    roleless,
)
from chronicle.core.fix import Fix
from chronicle.core.misread import Misread, shown
from chronicle.core.schemas import Schema, merge_schemas
from chronicle.core.sentences import Sentence
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, place_of
from chronicle.core.telling import Piece, Slip, TextRole, pieces

T = TypeVar("T")
K = TypeVar("K")


class _EntryListType(FieldType[list["Action"]]):
    words = "a list of entries"

    def read(self, value: Value, context: Context) -> list[Action]:
        if isinstance(value, SequenceNode):
            return cast("list[Action]", context.read_entries(value))
        raise Misread(
            f", not {shown(value)}",
            value,
            "start each entry with '- ' on a line of its own",
            expected="a list of entries",
        )

    def schema(self) -> Schema:
        return {"type": "array", "items": {"$ref": "#/definitions/entry"}}


BLOCK: FieldType[list[Action]] = _EntryListType()


class Field(NamedTuple):
    """A declared key: its YAML name, how it is read, whether it is required, its meaning."""

    name: str
    attribute: str
    kind: FieldType[Any]
    doc: str
    required: bool
    default: Any
    text_role: TextRole | None = None
    """The role of its text in the story, if it has one."""
    computed: bool = False
    """Whether Chronicle computes the value, so that a log states it only to have it compared."""
    is_place: bool = False
    """Whether it is the place of an event, in the players' words."""
    names_players: bool = False
    """Whether it names players, although no role is declared."""
    words: tuple[str, ...] = ()
    """Words allowed instead of a name: ``everybody``, ``last``."""


class Flags(TypedDict, total=False):
    """Further properties of a key: see :class:`Field`."""

    computed: bool
    is_place: bool
    names_players: bool
    words: tuple[str, ...]


class _FieldDeclaration(NamedTuple):
    field_type: FieldType[Any]
    doc: str
    is_required: bool
    default: Any
    key: str
    is_main: bool
    text_role: TextRole | None
    flags: Flags


@overload
def main(
    field_type: FieldType[T], doc: str, *, text_role: TextRole | None = None, **flags: Unpack[Flags]
) -> T: ...
@overload
def main(
    field_type: FieldType[T],
    doc: str,
    *,
    default: K,
    text_role: TextRole | None = None,
    **flags: Unpack[Flags],
) -> T | K: ...
def main(
    field_type: FieldType[Any],
    doc: str,
    *,
    default: Any = ...,
    text_role: TextRole | None = None,
    **flags: Unpack[Flags],
) -> Any:
    """Declare the value behind the verb: ``The ford`` in ``light: The ford``. With a ``default`` it is optional.
    ``text_role``: the role of its text in the story. ``flags`` as in :class:`Field`."""
    default_value = None if default is ... else default
    return _FieldDeclaration(
        field_type, doc, default is ..., default_value, "", True, text_role, flags
    )


def required(
    field_type: FieldType[T],
    doc: str,
    *,
    key: str = "",
    text_role: TextRole | None = None,
    **flags: Unpack[Flags],
) -> T:
    """Declare a required key (``key`` if the YAML name is no Python name)."""
    if "default" in flags:
        raise TypeError("a required key has no default: write  api.option(...)")
    return cast("T", _FieldDeclaration(field_type, doc, True, None, key, False, text_role, flags))


@overload
def option(
    field_type: FieldType[T],
    doc: str,
    *,
    key: str = "",
    text_role: TextRole | None = None,
    **flags: Unpack[Flags],
) -> T | None: ...
@overload
def option(
    field_type: FieldType[T],
    doc: str,
    *,
    default: K,
    key: str = "",
    text_role: TextRole | None = None,
    **flags: Unpack[Flags],
) -> T | K: ...
def option(
    field_type: FieldType[Any],
    doc: str,
    *,
    default: Any = None,
    key: str = "",
    text_role: TextRole | None = None,
    **flags: Unpack[Flags],
) -> Any:
    """Declare an optional key; ``default`` (None) is its value if it is missing."""
    return _FieldDeclaration(field_type, doc, False, default, key, False, text_role, flags)


def _collect_fields(
    cls: type, inherited_fields: dict[str, Field]
) -> tuple[Field | None, dict[str, Field]]:
    main_field: Field | None = None
    fields = dict(inherited_fields)
    for attribute, field_declaration in list(vars(cls).items()):
        if not isinstance(field_declaration, _FieldDeclaration):
            continue
        base_class = cls.__mro__[1]
        if callable(getattr(base_class, attribute, None)):
            raise TypeError(
                f"{cls.__name__}.{attribute} is a method of every {base_class.__name__}"
            )
        if not isinstance(field_declaration.field_type, FieldType):
            raise TypeError(f"{cls.__name__}.{attribute}: write the type first, then what it means")
        field_name = field_declaration.key or attribute.rstrip("_").replace("_", " ")
        field = Field(
            field_name,
            attribute,
            field_declaration.field_type,
            field_declaration.doc,
            field_declaration.is_required,
            field_declaration.default,
            field_declaration.text_role,
            **field_declaration.flags,
        )
        if field_declaration.is_main:
            if main_field is not None:
                raise TypeError(
                    f"{cls.__name__}.{attribute}: the value is {main_field.attribute} already; write  "
                    "api.required(...)  or  api.option(...)"
                )
            main_field = field
        else:
            fields[field_name] = field
        # The class attribute is the value of an entry without the key.
        setattr(cls, attribute, field_declaration.default)
    return main_field, fields


class Part:
    """A mapping inside an entry (or a head), with declared keys.

    ``plain_value_key`` is the key that a plain value stands for, if any; ``exclusive_keys`` exclude each other."""

    plain_value_key: ClassVar[str] = ""
    exclusive_keys: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[dict[str, Field]] = {}
    source: Value

    def __init_subclass__(cls) -> None:
        main_field, cls.fields = _collect_fields(cls, cls.fields)
        if main_field is not None:
            cls.fields = {main_field.name: main_field, **cls.fields}
            cls.plain_value_key = main_field.name

    def value_of(self, name: str) -> Value:
        """The value of a key as typed, or the whole part (for positions)."""
        if isinstance(self.source, MappingNode):
            return self.source.get(ScalarNode(name), self.source)
        return self.source


P = TypeVar("P", bound=Part)


class PartOf(FieldType[P]):
    """A mapping read into a :class:`Part`."""

    def __init__(self, part_class: type[P], words: str = "") -> None:
        self.part = part_class
        self.words = words or f"a mapping with {either(part_class.fields)}"

    def read(self, value: Value, context: Context) -> P:
        part = self.part()
        part.source = value
        if not isinstance(value, MappingNode):
            if not self.part.plain_value_key:
                raise Misread(f", not {shown(value)}", value, expected=self.words)
            plain_field = self.part.fields[self.part.plain_value_key]
            setattr(part, plain_field.attribute, plain_field.kind.read(value, context))
            return part
        fields = self.part.fields
        corrected_value = value
        for key, item_value in value.items():
            declared_field = fields.get(key)
            if declared_field is None:
                similar_keys = nearest_words(key, list(fields))
                help = f"possible keys: {', '.join(fields)}"
                message = f"no key '{key}' here{ask_whether(key, similar_keys)}"
                unknown_key_error = Misread(message, key, help, "T22", similar_keys, is_told=True)
                intended_key = likely_key(key, value, fields)
                if not intended_key or context.corrections is None:
                    raise unknown_key_error
                context.corrections.append(unknown_key_error)
                part.source = corrected_value = corrected_value.renamed(key, intended_key)
                declared_field = fields[intended_key]
            setattr(part, declared_field.attribute, declared_field.kind.read(item_value, context))
        exclusive_set = self.part.exclusive_keys
        keys_used = (
            [key for key in corrected_value if key in exclusive_set] if exclusive_set else ()
        )
        if len(keys_used) > 1:
            first_form, second_form = (f"{{{key}: ...}}" for key in keys_used[:2])
            raise Misread(
                f"'{keys_used[0]}' and '{keys_used[1]}' are two things, and this is one",
                keys_used[1],
                f"write each in braces of its own:  [{first_form}, {second_form}]",
            )
        for required_field in self._required_fields:
            if ScalarNode(required_field.name) not in corrected_value:
                raise Misread(
                    f"'{required_field.name}' is missing here: {required_field.doc}",
                    value,
                    code="T23",
                )
        return part

    def schema(self) -> Schema:
        mapping_schema: Schema = {
            "type": "object",
            "properties": {
                name: _schema_of_field(field) for name, field in self.part.fields.items()
            },
            "additionalProperties": False,
        }
        required_keys = [name for name, field in self.part.fields.items() if field.required]
        if required_keys and not self.part.plain_value_key:
            mapping_schema["required"] = required_keys
        if self.part.plain_value_key:
            return merge_schemas(
                self.part.fields[self.part.plain_value_key].kind.schema(), mapping_schema
            )
        return mapping_schema

    def has_names(self) -> bool:
        return any(field.kind.has_names() for field in self.part.fields.values())

    def name_lists(self, value: Any) -> Sequence[NameList]:
        name_lists: list[NameList] = []
        for attribute, field_type, default_value in (
            self._name_list_fields if isinstance(value, self.part) else ()
        ):
            attribute_value = getattr(value, attribute)
            if attribute_value is not default_value:
                name_lists += field_type.name_lists(attribute_value)
        return name_lists

    @cached_property
    def _required_fields(self) -> Sequence[Field]:
        return [field for field in self.part.fields.values() if field.required]

    @cached_property
    def _name_list_fields(self) -> Sequence[tuple[str, FieldType[Any], Any]]:
        """The keys that may contain lists of names."""
        fields = self.part.fields.values()
        return [
            (field.attribute, field.kind, field.default)
            for field in fields
            if field.kind.has_name_lists
        ]


def likely_key(unknown_key: ScalarNode, mapping: MappingNode, fields: Mapping[str, Field]) -> str:
    """The declared key that an unknown key most likely means; empty if there is none."""

    def fits_value(declared_key: str) -> bool:
        if ScalarNode(declared_key) in mapping:
            return False
        try:
            fields[declared_key].kind.read(mapping[unknown_key], _NO_CONTEXT)
        except Misread:
            return False
        return True

    return most_likely_word(unknown_key, fields, fits_value, MIN_SUGGESTION_SIMILARITY)


def _schema_of_field(field: Field) -> Schema:
    return {**field.kind.schema(), "description": field.doc}


_NO_CONTEXT = Context(lambda items: [])


class Refusal(NamedTuple):
    """The report for a verb that is not allowed: the rule of the book, the message (with terms of the game's
    law in braces), help, and the doubts it is folded under."""

    rule: str
    message: str = ""
    help: str = ""
    after: tuple[str, ...] = ()
    kind: DiagnosticKind = DiagnosticKind.ILLEGAL
    doubts: tuple[str, ...] = ()
    """Keys of doubts that it causes."""
    fixes: tuple[Fix, ...] = ()
    """Fixes, with terms in braces as in the message."""
    any_gap: bool = False
    """Whether it rests on figures that may be as old as the story: any gap above makes it unknown."""


class Moment(NamedTuple):
    """The phases in which a verb is allowed; in others it is refused.

    ``refusals_by_phase`` has other reports for some phases. A ``void`` entry has no effect if it is refused, because
    it would change the phase."""

    phases: tuple[str, ...]
    refusal: Refusal
    refusals_by_phase: Mapping[str, Refusal] = MappingProxyType({})
    void: bool = False


ANY_TIME: Final = Moment((), Refusal(""))
"""For a verb that is allowed in any phase, or whose handler checks the phase."""


class Offered(NamedTuple):
    """How a verb is offered among the next moves: its rule, a few words, its price for the actor, and whether it
    is rarely used because it ends the scene or more. ``tries`` are optional keys that are tried in addition
    to required ones. Verbs with a higher ``weight`` are proposed first. ``already_happened``: it only
    states something that has happened by itself."""

    rule: str
    hint: str
    price: tuple[int, str] | None = None
    is_rare: bool = False
    tries: tuple[str, ...] = ()
    weight: int = 0
    already_happened: bool = False


class Decides(NamedTuple):
    """Who may perform a verb: a key of the deciders in the game's law, and the rule for reporting other
    actors (without a rule, any named actor is accepted)."""

    decider: str
    rule: str = ""
    void: bool = False
    kind: DiagnosticKind = DiagnosticKind.ILLEGAL
    action_phrase: str = ""
    """The action in words, for the report about a wrong actor: ``buys a Fact``."""


GUARD_ATTRIBUTE: Final = "guard_mark"
"""The attribute that marks a method as a guard (:func:`chronicle.core.guards.guard`)."""


class GuardMark(NamedTuple):
    """The declaration of a guard: its rule, the class of its problems, their place and help."""

    rule: str
    kind: DiagnosticKind
    at: str
    help: str
    fixes: tuple[Fix, ...]


class Action:
    """One entry of a log: a verb with its value, and options. Every verb of every game is a subclass.

    The options below exist for every verb of every game.
    """

    verb: ClassVar[str] = ""
    default_actor_text: ClassVar[str] = "the player whose turn it is; without turns, anybody"
    """The default actor in words (for the reference)."""
    example: ClassVar[str] = ""
    """A typical entry as YAML, without the dash."""
    departure: ClassVar[bool] = False
    """Whether the verb only records something that the rules do not provide for."""
    synonyms: ClassVar[tuple[str, ...]] = ()
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
    lead_in_template: ClassVar[str] = ""
    """The template of its lead-in: words, and values by key (``Enter {who}``). A bare name leads to nothing
    more."""
    about_whom: ClassVar[str] = "About {who}"
    """The lead-in for words about ``who`` that tell the rest themselves."""
    already_shown_kinds: ClassVar[frozenset[str]] = frozenset()
    """Kinds of events that its slips, its sentence or the card of its throw show already."""
    quiet: ClassVar[bool] = False
    """Whether it only says whose turn it is."""
    about_table: ClassVar[bool] = False
    """Whether it, and the text beside it, is about the table and not about the story."""
    objects: ClassVar[bool] = False
    """Whether it is an objection to a part of the story."""
    before_result: ClassVar[bool] = False
    """Whether the text beside a throw comes before the result, which another entry tells."""
    by_dice: ClassVar[bool] = False
    """Whether it, or its nested entries, tells the result of dice."""
    main: ClassVar[Field | None] = None
    fields: ClassVar[dict[str, Field]] = {}
    field_readers: ClassVar[dict[str, tuple[str, Callable[[Value, Context], Any]]]] = {}
    """For every key, the verb included: its attribute, and the function that reads its value."""
    required_fields: ClassVar[tuple[Field, ...]] = ()
    """The required keys."""
    guards: ClassVar[tuple[tuple[str, GuardMark], ...]] = ()
    """Its guards, by method name, in order."""
    name_fields: ClassVar[tuple[tuple[str, FieldType[Any], Any], ...]] = ()
    """The keys whose values name persons in a role: attribute, kind and default."""
    story_attributes: ClassVar[tuple[tuple[TextRole, str], ...]] = ()
    """The story texts, the verb first: the role and the attribute."""

    by = option(
        label(NAME),
        f"who acts: a player or a character; '{UNRECORDED}' where nobody wrote down who",
    )
    text = option(TEXT, "the fiction as told (Markdown)")
    note = option(TEXT, "the keeper's remark (Markdown)")
    id = option(label(NAME), "a permanent name for this entry, to refer to it later")
    under = option(OneOrMany(label(NAME)), "the house rule this entry leans on", default=())
    allow = option(
        MapOf(label(NAME), TEXT, "a mapping from a rule to the reason"),
        "ids knowingly accepted here, each with the reason",
    )
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

    source: MappingNode
    key: ScalarNode
    path: str
    session: int
    step_number: int
    problem: Diagnostic | None = None
    """The problem with the form of this entry, if it could be read anyway."""

    def __init_subclass__(cls) -> None:
        if not isinstance(getattr(cls.decides, "decider", ""), str):
            remedy = 'write  "table": api.TABLE  into the deciders, and  api.Decides("table")  here'
            raise TypeError(f"{cls.__name__}.decides: {remedy}")
        bases = [base for base in reversed(cls.__bases__) if issubclass(base, Action)]
        inherited_fields = {name: field for base in bases for name, field in base.fields.items()}
        main_field, cls.fields = _collect_fields(cls, inherited_fields)
        main_field = main_field or cls.main
        if main_field is not None:
            cls.main = main_field._replace(name=cls.verb)
        fields_to_read = [*cls.fields.values(), *([] if cls.main is None else [cls.main])]
        cls.field_readers = {
            field.name: (field.attribute, roleless(field.kind).read) for field in fields_to_read
        }
        cls.required_fields = tuple(field for field in cls.fields.values() if field.required)
        fields_in_order = (cls.main, *cls.fields.values())
        guard_marks = {
            name: getattr(method, GUARD_ATTRIBUTE, None) for name, method in vars(cls).items()
        }
        own_guards = {
            name: mark for name, mark in guard_marks.items() if isinstance(mark, GuardMark)
        }
        inherited_guards = (name_and_mark for base in bases for name_and_mark in base.guards)
        cls.guards = tuple({**dict(inherited_guards), **own_guards}.items())
        cls.name_fields = tuple(
            (field.attribute, field.kind, field.default)
            for field in fields_in_order
            if field is not None and field.kind.has_name_lists and field.attribute != "by"
        )
        cls.story_attributes = tuple(
            (field.text_role, field.attribute)
            for field in fields_in_order
            if field and field.text_role
        )

    def outcomes(self, telling: Any, step: Any) -> Iterable[Any]:
        """The lasting results of the entry (:class:`~chronicle.core.outcomes.Outcome`), for recaps and pages
        about people: each says the new state, and whose it is. What an opposed roll may still overturn
        is none.

        Args:
            telling: a :class:`~chronicle.core.outcomes.Telling`; it knows all events up to those of the step.
            step: the result of the entry.
        """
        return ()

    def apply(self, play: Any) -> None:
        """Apply its effect, whether its guards were satisfied or not."""
        raise NotImplementedError

    def sentence(self, play: Any) -> Sentence:
        """Its effect in one plain sentence; computed before the effect is applied."""
        return (self.verb.capitalize(),)

    @classmethod
    def candidates(cls, play: Any) -> Iterable[Mapping[str, Any]] | None:
        """Entries that are possibly legal now, as typed; None to derive them from keys and roles."""
        return None

    @classmethod
    def specimen(cls) -> list[str]:
        """The example as lines of a log; empty without an example."""
        return f"- {cls.example}".splitlines() if cls.example else []

    def told(self) -> Iterable[Piece]:
        """The story that it tells, without its ``text``."""
        lead_in = self.lead_in()
        if lead_in:
            yield Piece(TextRole.LEAD, lead_in)
        speaker = str(self.by) if self.by is not None else ""
        for text_role, attribute in self.story_attributes:
            yield from pieces(text_role, getattr(self, attribute), speaker, self.about_whom)

    def lead_in(self) -> str:
        """Its lead-in: a few words that are no sentence (who comes, whose Trait); empty if there is none."""
        attributes = vars(self).items() if self.lead_in_template else ()
        return self.lead_in_template.format_map(
            {key: listed(value) if isinstance(value, tuple) else value for key, value in attributes}
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

    def place(self, name: str = "", *path_inside: str | int) -> Place:
        """A position in this entry: the verb's key, the value of key ``name``, or deeper inside it
        (``place("roll", "Ana")`` is Ana's faces, ``place("back", "Ana", "key")`` her name)."""
        value: Value = self.key
        if name == self.verb or name == "main":
            value = self.source[self.key]
        elif name:
            value = self.source.get(ScalarNode(name), self.key)
        for inner_key in path_inside:
            if isinstance(value, MappingNode) and isinstance(inner_key, str):
                if inner_key == "key":
                    break
                value = value.get(ScalarNode(inner_key), value)
            elif (
                isinstance(value, SequenceNode)
                and isinstance(inner_key, int)
                and 0 <= inner_key < len(value)
            ):
                value = value[inner_key]
        if isinstance(value, ScalarNode) and not value and value.line:
            value = self.key
        return place_of(value, self.path)

    def place_of_key(self, name: str, inner_key: str) -> Place:
        """The position of the key ``inner_key`` in the mapping under ``name``."""
        value = self.source.get(ScalarNode(name), self.key)
        if isinstance(value, MappingNode):
            key_node = value.key(inner_key)
            if key_node is not None:
                return place_of(key_node, self.path)
        return self.place(name)

    @property
    def whole_place(self) -> Place:
        """The entry from its first to its last character."""
        return place_of(self.source, self.path)


# ``__init_subclass__`` runs for subclasses only; the options of every verb are declared on the base class.
Action.fields = _collect_fields(Action, {})[1]


def place_of_word(action: Action, word_node: ScalarNode) -> Place:
    """The position of a word of an action; that of the verb if the word has none."""
    return place_of(word_node, action.path) if word_node.line else action.place()


def read_value(field_type: FieldType[T], value: Value) -> T:
    """Read one value outside of a log (a setting, an assertion).

    Raises:
        Misread: if the value has another form.
    """
    return field_type.read(value, _NO_CONTEXT)
