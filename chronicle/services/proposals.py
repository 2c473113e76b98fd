"""Ways to solve a problem: its own fixes, and general ones to try, each applied to its file.

Nothing is proved here (:mod:`chronicle.services.fixes` does that), and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from chronicle.core.declare import Action, Field
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.errors import Refused
from chronicle.core.field_types import UNRECORDED
from chronicle.core.fix import (
    BLANK,
    EDIT_NAMES,
    SETTINGS_EDITS,
    AddItem,
    AddToSettings,
    Fix,
    InsertEntry,
    MoveEntry,
    OrderPairs,
    RemoveEntry,
    RemoveItem,
    RemoveKey,
    ReplaceEntry,
    ReplaceText,
    ReplaceWord,
    SetKey,
    SetPair,
    locate_fixes,
    make_fix,
    mark_gap,
    set_key,
)
from chronicle.core.gaps import EVERYTHING
from chronicle.core.names import fold
from chronicle.core.replay import Replay
from chronicle.core.source import (
    MappingNode,
    Place,
    ScalarNode,
    SequenceNode,
    Value,
    place_of,
    scalars,
)
from chronicle.services.apply import apply_fix
from chronicle.services.line_completion import STAND_IN, Completer
from chronicle.services.spans import Spans
from chronicle.syntax.edit import find_route, value_at
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.one_line import LineError, read_line
from chronicle.syntax.text_edit import tree_of
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word as message

T = TypeVar("T")

DECISION: Final = "decision of the table"
"""The group of fixes that are never preferred, even alone."""
CHOICE: Final = "who or which"
"""The group of words if only one of them is right. It is preferred if no other solves the problem."""
SHAPE: Final = "how it is written"
"""The group of fixes that write the same in another way. Then the rules are checked for the first time."""
COSTLY: Final = 160
"""The rank from which a fix costs a player something."""
SETTING: Final = 300
"""The rank of a change to the settings."""
HOLE: Final = 890
"""The rank from which a fix only says that something is unrecorded."""
LAST: Final = 900
"""The rank of a gap."""
MOST_LISTED: Final = 8
"""How many of the words that fit a place are tried at most."""
MOST_AMOUNT: Final = 10**6
"""From this on, a smaller amount is not looked for."""
FARTHEST: Final = 3
"""How many entries up or down an entry is moved at most."""


class Proposal(NamedTuple):
    """A fix with the text that a file would have with it.

    Attributes:
        title: what the fix does.
        text: the text of the file.
        rank: which fix is offered before which, if both solve the problem.
        file: the file, if that is not the file of the problem.
        forgotten: the entry that it inserts, if that has nothing but a verb.
        among: its group; if several of a group solve the problem, none of them is preferred.
        gap: for a gap, the kind of state that it makes uncertain.
    """

    title: Spans
    text: str
    rank: int = 0
    file: str = ""
    forgotten: str = ""
    among: str = ""
    gap: str = ""


class WrittenEntry(NamedTuple):
    """The text of an entry in a file, whether or not it can be read: its verb, the fields of its main value and
    of its keys, and what is written."""

    verb: str
    main: Field | None
    fields: Mapping[str, Field]
    source: MappingNode


class Proposals:
    """Proposals for the problems of one file.

    Args:
        file: the name of the file.
        text: what it holds.
        settings: the text of ``campaign.yaml``.
        verbs: the verbs of the game.
        used: gives how often a verb is written in the campaign.
    """

    def __init__(
        self,
        file: str,
        text: str,
        settings: str,
        verbs: Mapping[str, type[Action]],
        used: Callable[[str], int],
    ) -> None:
        self.file, self.text, self.settings = file, text, settings
        self.verbs, self._used = verbs, used

    @cached_property
    def log(self) -> SequenceNode:
        """The entries of the file; none if it cannot be read."""
        tree = safely(tree_of, self.text, self.file)
        log = tree.get(ScalarNode("log")) if tree is not None else None
        return log if isinstance(log, SequenceNode) else SequenceNode()

    def entry(self, index: int) -> WrittenEntry | None:
        """The entry with an index; None if it has no verb."""
        source = self.log[index] if index < len(self.log) else None
        keys = source if isinstance(source, MappingNode) else ()
        verb = next((self.verbs[str(key)] for key in keys if str(key) in self.verbs), None)
        if verb is None or not isinstance(source, MappingNode):
            return None
        return WrittenEntry(verb.verb, verb.main, verb.fields, source)

    def text_of(self, file: str) -> str:
        """The text of a file that a fix may change: this file, or the settings.

        Raises:
            LookupError: for any other file.
        """
        texts = {SETTINGS_FILE: self.settings, self.file: self.text}
        return texts[file]

    # -- fixes applied -----------------------------------------------------------------------------

    def of_fixes(
        self,
        fixes: Iterable[Fix],
        entry: WrittenEntry | None = None,
        replay: Replay[Any] | None = None,
        rank: int = 0,
        among: str = "",
        state_kind: str = "",
    ) -> Iterator[Proposal]:
        """Apply some fixes.

        Args:
            fixes: the fixes, with their places.
            entry: the entry that they are about.
            replay: the play before it. With it, each word that fits is tried where a fix leaves a word open.
            rank: the least rank of each.
            among: what all of them are among.
            state_kind: the kind of state that the problem depends on: a gap about that alone is tried first.
        """
        prices = (
            {option.verb: option.price for option in replay.rulebook.options(replay.play)}
            if replay
            else {}
        )
        for fix in fixes:
            narrow_gaps = [_with_state(fix, state_kind)] if fix.is_gap and state_kind else []
            for choice in (*narrow_gaps, *self._choices(fix, entry, replay), fix):
                applied = apply_fix(choice, self.text_of, self.verbs, self.file)
                if applied is not None:
                    own_rank, own_among = self._order(choice, prices)
                    yield Proposal(
                        title_of(choice),
                        applied.text,
                        max(rank, own_rank),
                        applied.file if applied.file != self.file else "",
                        _bare_entry(choice),
                        among or own_among,
                        (state_kind if choice in narrow_gaps else EVERYTHING) if fix.is_gap else "",
                    )

    def _choices(
        self, fix: Fix, entry: WrittenEntry | None, replay: Replay[Any] | None
    ) -> Iterator[Fix]:
        """The fix with each word that fits in place of the only one that it leaves open."""
        fitting_words: list[str] = []
        match fix.edits:
            case (SetKey(key, value),) if value == BLANK and entry is not None:
                by = str(entry.source.get(ScalarNode("by"), ""))
                fitting_words = _fitting_words(replay, entry.verb, key, by)
            case (InsertEntry(text, place),) if text.endswith(f": {BLANK}") and "\n" not in text:
                verb = text.removesuffix(f": {BLANK}")
                fitting_words = _fitting_words(replay, verb, verb)
                if replay is not None and verb in self.verbs:
                    yield from _whole_entries(replay, self.verbs[verb], place)
        for word in fitting_words:
            yield fix.with_blanks(word)._replace(is_open=False)

    def _order(self, fix: Fix, prices: Mapping[str, Any]) -> tuple[int, str]:
        """The rank of a fix, and what it is among; entries of some verbs have ``prices``."""
        if fix.is_open or fix.is_gap:
            return (LAST if fix.is_gap else HOLE), DECISION
        # Under a condition, only a player who was there can say.
        group = "" if fix.safe else DECISION if fix.when else CHOICE
        match fix.edits[0]:
            case InsertEntry(text) if UNRECORDED in text:
                return HOLE, DECISION
            case InsertEntry(text):
                # What a table writes all the time is what it forgets.
                verb = text.partition(":")[0]
                price = prices.get(verb)
                rank = 100 - min(self._used(verb), 90) + (COSTLY if price and price[0] else 0)
                return rank, group
            case ReplaceWord(new_word) if new_word == UNRECORDED:
                return HOLE, DECISION
            case ReplaceText():
                return 0, SHAPE
            case ReplaceEntry():
                return 130, DECISION
            case ReplaceWord() | SetKey() | SetPair() | AddItem() | OrderPairs():
                return 0, group
            case MoveEntry():
                return 140, DECISION
            case RemoveEntry():
                return 150, DECISION
            case edit if isinstance(edit, SETTINGS_EDITS):
                return SETTING, DECISION
        return 10, "" if fix.safe else DECISION

    # -- fixes for any problem ---------------------------------------------------------------------

    def missing_keys(self, problem: Diagnostic, entry: WrittenEntry) -> tuple[Fix, ...]:
        """The fixes that give the entry a key which its verb asks for."""
        keys = (key for key, field in entry.fields.items() if field.required)
        fixes = [set_key(key) for key in keys if key not in map(str, entry.source)]
        return self._located(fixes, problem, entry)

    def other_words(self, problem: Diagnostic, entry: WrittenEntry) -> Iterator[Fix]:
        """The fixes that write another of the few words that a game has, where a problem points at such a word."""
        fields = [field for field in (entry.main, *entry.fields.values()) if field is not None]
        word_lists = [
            choice_words for field in fields if (choice_words := _words_if_few(field.kind.schema()))
        ]
        for place, present_word in self._words_at(problem.place):
            for choice_words in word_lists:
                for word in choice_words if present_word in choice_words else ():
                    yield make_fix(ReplaceWord(word, place))

    def without_part(self, problem: Diagnostic, entry: WrittenEntry, index: int) -> Iterator[Fix]:
        """The fixes that leave out what a problem points at, or say that it is unrecorded."""
        route = self._route(problem.place, index)
        if not route:
            return
        key = str(route[0])
        entry_place = place_of(entry.source, self.file)
        if key in entry.fields and entry.fields[key].computed:
            yield make_fix(RemoveKey(key, entry_place))
        for depth, key_or_index in enumerate(route, 1):
            value: Value = value_at(entry.source, route[:depth])
            if isinstance(value, ScalarNode):
                yield make_fix(ReplaceWord(UNRECORDED, place_of(value, self.file)))
            elif depth == 1:
                yield make_fix(SetKey(str(key_or_index), UNRECORDED, entry_place))
        if len(route) > 1:
            name = str(route[-1] if isinstance(route[-1], str) else value_at(entry.source, route))
            yield make_fix(RemoveItem(name, problem.place))

    def other_players(
        self, problem: Diagnostic, entry: WrittenEntry, players: Iterable[str]
    ) -> Iterator[Fix]:
        """The fixes that write the same entry for another player, if it names one."""
        place = place_of(entry.source, self.file)
        names = {fold(player): player for player in players}
        writer = entry.source.get(ScalarNode("by"))
        words = [
            *self._words_at(problem.place),
            *((place_of(word, self.file), str(word)) for word in scalars(_main_value(entry))),
        ]
        named = next(((at, word) for at, word in words if fold(word) in names), None)
        for player in names.values():
            if writer is not None:
                yield make_fix(SetKey("by", player, place))
            elif named is not None and fold(named[1]) != fold(player):
                yield make_fix(ReplaceWord(player, named[0]))

    def amount(self, problem: Diagnostic, entry: WrittenEntry) -> tuple[Place, int] | None:
        """The amount that a problem is about, and its place: the only whole number where it points."""
        words = dict(self._words_at(problem.place))
        if not any(word.isdecimal() for word in words.values()):
            words = {place_of(word, self.file): str(word) for word in scalars(_main_value(entry))}
        amounts = [(at, int(word)) for at, word in words.items() if word.isdecimal()]
        return amounts[0] if len(amounts) == 1 and amounts[0][1] < MOST_AMOUNT else None

    def moves(self, entry: WrittenEntry) -> Iterator[Fix]:
        """The fixes that move an entry a little further up or down."""
        place = place_of(entry.source, self.file)
        for distance in range(1, FARTHEST + 1):
            yield make_fix(MoveEntry(-distance, place))
            yield make_fix(MoveEntry(distance, place))

    def above(self, entry: WrittenEntry, text: str) -> Fix:
        """The fix that inserts an entry above another."""
        return make_fix(InsertEntry(text, place_of(entry.source, self.file)), safe=True)

    def _located(
        self, fixes: Iterable[Fix], problem: Diagnostic, entry: WrittenEntry
    ) -> tuple[Fix, ...]:
        return locate_fixes(fixes, problem.place, place_of(entry.source, self.file))

    def _words_at(self, place: Place) -> Iterator[tuple[Place, str]]:
        """The words at a place; of a key, those of its value as well."""
        tree = safely(tree_of, self.text, self.file) if place.path == self.file else None
        target = find_route(tree, place.line, place.column) if tree is not None else None
        if tree is None or target is None or not target[0]:
            return
        route, is_key = target
        if is_key:
            key = value_at(tree, route[:-1]).key(str(route[-1]))
            yield place_of(key, self.file), str(key)
        for word in scalars(value_at(tree, route)):
            yield place_of(word, self.file), str(word)

    def _route(self, place: Place, index: int) -> list[int | str]:
        """The way from an entry to a place inside it; empty if the place is outside."""
        if place.path != self.file or index >= len(self.log):
            return []
        target = find_route(self.log[index], place.line, place.column)
        return target[0] if target is not None else []


def _main_value(entry: WrittenEntry) -> Value:
    """What is written behind the verb of an entry."""
    values = (value for key, value in entry.source.items() if str(key) == entry.verb)
    return next(values, SequenceNode())


def _with_state(fix: Fix, state_kind: str) -> Fix:
    """The fix that marks a gap which makes one kind of state uncertain."""
    place = fix.edits[0].place
    return fix._replace(edits=tuple(e._replace(place=place) for e in mark_gap(state_kind).edits))


def _fitting_words(replay: Replay[Any] | None, verb: str, key: str, by: str = "") -> list[str]:
    """The words that fit a key, the likeliest first: words of the game, or names.

    Args:
        replay: the play at that moment; without it there are none.
        verb: the verb of the entry.
        key: the key, or the verb for the main value.
        by: the player who acts, if that is known.
    """
    if replay is None:
        return []
    line = f"{verb} " if key == verb else f"{verb}, {key}: "
    line_choices = Completer(replay, by).choices(line, len(line))["choices"]
    words = [
        str(choice["line"])[len(line) :]
        for choice in line_choices
        if choice["eligible"] and not choice["chosen"]
    ]
    # Behind a name comes what only the table can say.
    return [
        f"{{{word}{UNRECORDED}}}" if word.endswith(": ") else word for word in words[:MOST_LISTED]
    ]


def _whole_entries(replay: Replay[Any], verb: type[Action], place: Place | None) -> Iterator[Fix]:
    """The fix that inserts an entry with all that its verb asks for; only the table knows the rest."""
    line = Completer(replay).complete_line(
        f"{verb.verb} : " if verb.main is not None else verb.verb
    )
    try:
        entry = read_line(line.replace(STAND_IN, UNRECORDED), replay.rulebook.by_verb)
    except LineError:
        return
    yield make_fix(InsertEntry(write_entry(entry), place))


def _words_if_few(schema: Any) -> list[str]:
    """The words that a schema lists, if they are few."""
    words: dict[str, None] = {}
    schemas_to_visit = [schema]
    while schemas_to_visit:
        schema_part = schemas_to_visit.pop()
        if isinstance(schema_part, Mapping):
            words |= dict.fromkeys(
                word for word in schema_part.get("enum", ()) if isinstance(word, str)
            )
            schemas_to_visit += schema_part.values()
        elif isinstance(schema_part, list):
            schemas_to_visit += schema_part
    return [*words] if len(words) <= MOST_LISTED else []


def keys_asked_for(problem: Mapping[str, Any]) -> Iterator[str]:
    """The keys that a diagnostic (as plain data) asks for by its fixes."""
    for edit in (edit for fix in problem.get("fixes", ()) for edit in fix["edits"]):
        if edit["edit"] == EDIT_NAMES[SetKey]:
            yield edit["key"]
        elif edit["edit"] == EDIT_NAMES[SetPair] and not edit["key"]:
            yield edit["name"]


def _bare_entry(fix: Fix) -> str:
    """The entry that a fix inserts, if it has nothing but its verb: a table forgets to write it."""
    match fix.edits:
        case (InsertEntry(text),) if text.endswith(":") and "\n" not in text:
            return text
    return ""


def title_of(fix: Fix) -> Spans:
    """The title of a fix in pieces, those of a file marked."""
    match fix.edits:
        case (SetKey("by", player),) if player not in (BLANK, UNRECORDED):
            return [message("server.write_it_for"), " ", player]
        case (AddToSettings("players", (player,)),):
            return [message("server.add_to_players", player=player)]
        case (ReplaceWord(value),) if fix.writes_computed_figure:
            return [message("server.set_to_computed", value=value)]
        case (SetKey("by", value),) if value in (BLANK, UNRECORDED):
            return [message("server.nobody_noted_who")]
        case (InsertEntry(piece),):
            first_edit = fix.with_blanks(UNRECORDED).edits[0]
            assert isinstance(first_edit, InsertEntry)
            return ["Insert ", code(first_edit.text.split("\n")[0]), " above"]
    pieces = fix.with_blanks(UNRECORDED).words
    pieces[0] = pieces[0][:1].upper() + pieces[0][1:]
    spans: Spans = []
    for index, piece in enumerate(pieces):
        if piece:
            spans += [" "] if spans else []
            spans.append(code(piece) if index % 2 else piece)
    return spans


def code(text: str) -> dict[str, Any]:
    """A piece of a file, in a title."""
    return {"t": text, "code": True}


def safely(function: Callable[..., T], *arguments: Any) -> T | None:
    """The result of an edit; None if it cannot be made."""
    try:
        return function(*arguments)
    except Refused:
        return None
