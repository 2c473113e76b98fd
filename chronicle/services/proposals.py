"""Ways to solve a problem: its own fixes, and general ones to try, each applied to its file.

Nothing is proved here (:mod:`chronicle.services.fixes` does that), and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
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
from chronicle.core.names import PLAYER, Named, Names, fold
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
from chronicle.services.line_completion import PLACEHOLDER_WORD, Completer
from chronicle.services.spans import Spans
from chronicle.syntax.edit import find_route, value_at
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.one_line import LineError, read_line
from chronicle.syntax.text_edit import tree_of
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word as message

T = TypeVar("T")

DECISION_GROUP: Final = "decision of the table"
"""The group of fixes that are never preferred, even alone."""
CHOICE_GROUP: Final = "who or which"
"""The group of words if only one of them is right. It is preferred if no other solves the problem."""
SHAPE_GROUP: Final = "how it is written"
"""The group of fixes that write the same in another way. Then the rules are checked for the first time."""
COSTLY_RANK: Final = 160
"""The rank from which a fix costs a player something."""
SETTING_RANK: Final = 300
"""The rank of a change to the settings."""
UNRECORDED_RANK: Final = 890
"""The rank from which a fix only says that something is unrecorded."""
GAP_RANK: Final = 900
"""The rank of a gap."""
MOST_FITTING_WORDS: Final = 8
"""How many of the words that fit a place are tried at most."""
MOST_SEARCHED_AMOUNT: Final = 10**6
"""From this on, a smaller amount is not looked for."""
MOST_MOVE_DISTANCE: Final = 3
"""How many entries up or down an entry is moved at most."""


class Proposal(NamedTuple):
    """A fix with the text that a file would have with it.

    Attributes:
        title: what the fix does.
        new_text: the text of the file.
        rank: which fix is offered before which, if both solve the problem.
        file: the file, if that is not the file of the problem.
        forgotten_entry: the entry that it inserts, if that has nothing but a verb.
        group: its group; if several of a group solve the problem, none of them is preferred.
        gap_state_kind: for a gap, the kind of state that it makes uncertain.
    """

    title: Spans
    new_text: str
    rank: int = 0
    file: str = ""
    forgotten_entry: str = ""
    group: str = ""
    gap_state_kind: str = ""


class WrittenEntry(NamedTuple):
    """The text of an entry in a file, whether or not it can be read: its verb, the fields of its main value and
    of its keys, and what is written."""

    verb: str
    main: Field | None
    fields: Mapping[str, Field]
    source: MappingNode


class ProposalBuilder:
    """Builds the proposals for the problems of one file.

    Args:
        file: the name of the file.
        file_text: what it holds.
        settings_text: the text of ``campaign.yaml``.
        verbs: the verbs of the game.
        verb_count: gives how often a verb is written in the campaign.
    """

    def __init__(
        self,
        file: str,
        file_text: str,
        settings_text: str,
        verbs: Mapping[str, type[Action]],
        verb_count: Callable[[str], int],
    ) -> None:
        self.file, self.file_text, self.settings_text = file, file_text, settings_text
        self.verbs, self._verb_count = verbs, verb_count

    @cached_property
    def log(self) -> SequenceNode:
        """The entries of the file; none if it cannot be read."""
        tree = call_unless_refused(tree_of, self.file_text, self.file)
        log = tree.get(ScalarNode("log")) if tree is not None else None
        return log if isinstance(log, SequenceNode) else SequenceNode()

    def entry(self, entry_index: int) -> WrittenEntry | None:
        """The entry with an index; None if it has no verb."""
        source = self.log[entry_index] if entry_index < len(self.log) else None
        written_keys = source if isinstance(source, MappingNode) else ()
        action_class = next(
            (self.verbs[str(key)] for key in written_keys if str(key) in self.verbs), None
        )
        if action_class is None or not isinstance(source, MappingNode):
            return None
        return WrittenEntry(action_class.verb, action_class.main, action_class.fields, source)

    def text_of(self, file: str) -> str:
        """The text of a file that a fix may change: this file, or the settings.

        Raises:
            LookupError: for any other file.
        """
        texts = {SETTINGS_FILE: self.settings_text, self.file: self.file_text}
        return texts[file]

    # -- fixes applied -----------------------------------------------------------------------------

    def apply_fixes(
        self,
        fixes: Iterable[Fix],
        entry: WrittenEntry | None = None,
        replay: Replay[Any] | None = None,
        rank: int = 0,
        group: str = "",
        state_kind: str = "",
    ) -> Iterator[Proposal]:
        """Apply some fixes.

        Args:
            fixes: the fixes, with their places.
            entry: the entry that they are about.
            replay: the play before it. With it, each word that fits is tried where a fix leaves a word open.
            rank: the least rank of each.
            group: what all of them are among.
            state_kind: the kind of state that the problem depends on: a gap about that alone is tried first.
        """
        price_by_verb = (
            {move.verb: move.price for move in replay.rulebook.options(replay.play)}
            if replay
            else {}
        )
        for fix in fixes:
            narrow_gaps = [_gap_fix_for_state(fix, state_kind)] if fix.is_gap and state_kind else []
            for filled_fix in (*narrow_gaps, *self._filled_fixes(fix, entry, replay), fix):
                changed_file = apply_fix(filled_fix, self.text_of, self.verbs, self.file)
                if changed_file is not None:
                    own_rank, own_group = self._rank_and_group(filled_fix, price_by_verb)
                    yield Proposal(
                        title_of(filled_fix),
                        changed_file.text,
                        max(rank, own_rank),
                        changed_file.file if changed_file.file != self.file else "",
                        _bare_entry(filled_fix),
                        group or own_group,
                        (state_kind if filled_fix in narrow_gaps else EVERYTHING)
                        if fix.is_gap
                        else "",
                    )

    def _filled_fixes(
        self, fix: Fix, entry: WrittenEntry | None, replay: Replay[Any] | None
    ) -> Iterator[Fix]:
        """The fix with each word that fits in place of the only one that it leaves open."""
        fitting_words: list[str] = []
        match fix.edits:
            case (SetKey(key, value),) if value == BLANK and entry is not None:
                actor = str(entry.source.get(ScalarNode("by"), ""))
                fitting_words = _find_fitting_words(replay, entry.verb, key, actor)
            case (InsertEntry(text, place),) if text.endswith(f": {BLANK}") and "\n" not in text:
                verb = text.removesuffix(f": {BLANK}")
                fitting_words = _find_fitting_words(replay, verb, verb)
                if replay is not None and verb in self.verbs:
                    yield from _complete_entry_fixes(replay, self.verbs[verb], place)
        for word in fitting_words:
            yield fix.with_blanks(word)._replace(is_open=False)

    def _rank_and_group(self, fix: Fix, price_by_verb: Mapping[str, Any]) -> tuple[int, str]:
        """The rank of a fix, and what it is among; entries of some verbs have ``price_by_verb``."""
        if fix.is_open or fix.is_gap:
            return (GAP_RANK if fix.is_gap else UNRECORDED_RANK), DECISION_GROUP
        # Under a condition, only a player who was there can say.
        group = "" if fix.safe else DECISION_GROUP if fix.when else CHOICE_GROUP
        match fix.edits[0]:
            case InsertEntry(text) if UNRECORDED in text:
                return UNRECORDED_RANK, DECISION_GROUP
            case InsertEntry(text):
                # What a table writes all the time is what it forgets.
                verb = text.partition(":")[0]
                price = price_by_verb.get(verb)
                rank = (
                    100
                    - min(self._verb_count(verb), 90)
                    + (COSTLY_RANK if price and price[0] else 0)
                )
                return rank, group
            case ReplaceWord(new_word) if new_word == UNRECORDED:
                return UNRECORDED_RANK, DECISION_GROUP
            case ReplaceText():
                return 0, SHAPE_GROUP
            case ReplaceEntry():
                return 130, DECISION_GROUP
            case ReplaceWord() | SetKey() | SetPair() | AddItem() | OrderPairs():
                return 0, group
            case MoveEntry():
                return 140, DECISION_GROUP
            case RemoveEntry():
                return 150, DECISION_GROUP
            case edit if isinstance(edit, SETTINGS_EDITS):
                return SETTING_RANK, DECISION_GROUP
        return 10, "" if fix.safe else DECISION_GROUP

    # -- fixes for any problem ---------------------------------------------------------------------

    def fixes_adding_missing_keys(
        self, problem: Diagnostic, entry: WrittenEntry
    ) -> tuple[Fix, ...]:
        """The fixes that give the entry a key which its verb asks for."""
        keys = (key for key, field in entry.fields.items() if field.required)
        fixes = [set_key(key) for key in keys if key not in map(str, entry.source)]
        return self._locate_fixes(fixes, problem, entry)

    def fixes_with_other_words(self, problem: Diagnostic, entry: WrittenEntry) -> Iterator[Fix]:
        """The fixes that write another of the few words that a game has, where a problem points at such a word."""
        fields = [field for field in (entry.main, *entry.fields.values()) if field is not None]
        word_lists = [
            choice_words
            for field in fields
            if (choice_words := _allowed_words_if_few(field.kind.schema()))
        ]
        for place, present_word in self._words_at(problem.place):
            for choice_words in word_lists:
                for other_word in choice_words if present_word in choice_words else ():
                    yield make_fix(ReplaceWord(other_word, place))

    def fixes_with_other_names(self, problem: Diagnostic, names: Names) -> Iterator[Fix]:
        """The fixes that write another name of the same kind, where a problem points at a name."""
        for place, present_word in self._words_at(problem.place):
            present_subject = names.find(present_word)
            if not isinstance(present_subject, Named) or present_subject.kind == PLAYER:
                continue
            other_names = (
                other_subject.name
                for other_subject in names.all.values()
                if other_subject.kind == present_subject.kind
                and other_subject is not present_subject
            )
            for name in islice(other_names, MOST_FITTING_WORDS):
                yield make_fix(ReplaceWord(name, place))

    def fixes_without_part(
        self, problem: Diagnostic, entry: WrittenEntry, entry_index: int
    ) -> Iterator[Fix]:
        """The fixes that leave out what a problem points at, or say that it is unrecorded."""
        route = self._route_to(problem.place, entry_index)
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
        parents = [value_at(entry.source, route[:depth]) for depth in range(1, len(route))]
        if parents and key == entry.verb and all(len(parent) == 1 for parent in parents):
            # Without its only item the entry says nothing.
            yield make_fix(RemoveEntry(entry_place))
        elif parents:
            name = str(route[-1] if isinstance(route[-1], str) else value_at(entry.source, route))
            yield make_fix(RemoveItem(name, problem.place))

    def fixes_for_other_players(
        self, problem: Diagnostic, entry: WrittenEntry, players: Iterable[str]
    ) -> Iterator[Fix]:
        """The fixes that write the same entry for another player, if it names one."""
        place = place_of(entry.source, self.file)
        player_by_folded_name = {fold(player): player for player in players}
        actor_node = entry.source.get(ScalarNode("by"))
        words_with_places = [
            *self._words_at(problem.place),
            *((place_of(word, self.file), str(word)) for word in scalars(_main_value(entry))),
        ]
        place_and_player_name = next(
            (
                (word_place, word)
                for word_place, word in words_with_places
                if fold(word) in player_by_folded_name
            ),
            None,
        )
        for player in player_by_folded_name.values():
            if actor_node is not None:
                yield make_fix(SetKey("by", player, place))
            elif place_and_player_name is not None and fold(place_and_player_name[1]) != fold(
                player
            ):
                yield make_fix(ReplaceWord(player, place_and_player_name[0]))

    def find_amount(self, problem: Diagnostic, entry: WrittenEntry) -> tuple[Place, int] | None:
        """The amount that a problem is about, and its place: the only whole number where it points."""
        word_by_place = dict(self._words_at(problem.place))
        if not any(word.isdecimal() for word in word_by_place.values()):
            word_by_place = {
                place_of(word, self.file): str(word) for word in scalars(_main_value(entry))
            }
        amounts = [
            (word_place, int(word))
            for word_place, word in word_by_place.items()
            if word.isdecimal()
        ]
        return amounts[0] if len(amounts) == 1 and amounts[0][1] < MOST_SEARCHED_AMOUNT else None

    def moving_fixes(self, entry: WrittenEntry) -> Iterator[Fix]:
        """The fixes that move an entry a little further up or down."""
        place = place_of(entry.source, self.file)
        for distance in range(1, MOST_MOVE_DISTANCE + 1):
            yield make_fix(MoveEntry(-distance, place))
            yield make_fix(MoveEntry(distance, place))

    def insertion_above(self, entry: WrittenEntry, new_entry: str) -> Fix:
        """The fix that inserts an entry above another."""
        return make_fix(InsertEntry(new_entry, place_of(entry.source, self.file)), safe=True)

    def _locate_fixes(
        self, fixes: Iterable[Fix], problem: Diagnostic, entry: WrittenEntry
    ) -> tuple[Fix, ...]:
        return locate_fixes(fixes, problem.place, place_of(entry.source, self.file))

    def _words_at(self, place: Place) -> Iterator[tuple[Place, str]]:
        """The words at a place; of a key, those of its value as well."""
        tree = (
            call_unless_refused(tree_of, self.file_text, self.file)
            if place.path == self.file
            else None
        )
        route_and_is_key = find_route(tree, place.line, place.column) if tree is not None else None
        if tree is None or route_and_is_key is None or not route_and_is_key[0]:
            return
        route, is_key = route_and_is_key
        if is_key:
            key = value_at(tree, route[:-1]).key(str(route[-1]))
            yield place_of(key, self.file), str(key)
        for word in scalars(value_at(tree, route)):
            yield place_of(word, self.file), str(word)

    def _route_to(self, place: Place, entry_index: int) -> list[int | str]:
        """The way from an entry to a place inside it; empty if the place is outside."""
        if place.path != self.file or entry_index >= len(self.log):
            return []
        route_and_is_key = find_route(self.log[entry_index], place.line, place.column)
        return route_and_is_key[0] if route_and_is_key is not None else []


def _main_value(entry: WrittenEntry) -> Value:
    """What is written behind the verb of an entry."""
    values = (value for key, value in entry.source.items() if str(key) == entry.verb)
    return next(values, SequenceNode())


def _gap_fix_for_state(fix: Fix, state_kind: str) -> Fix:
    """The fix that marks a gap which makes one kind of state uncertain."""
    place = fix.edits[0].place
    return fix._replace(
        edits=tuple(edit._replace(place=place) for edit in mark_gap(state_kind).edits)
    )


def _find_fitting_words(
    replay: Replay[Any] | None, verb: str, key: str, actor: str = ""
) -> list[str]:
    """The words that fit a key, the likeliest first: words of the game, or names.

    Args:
        replay: the play at that moment; without it there are none.
        verb: the verb of the entry.
        key: the key, or the verb for the main value.
        actor: the player who acts, if that is known.
    """
    if replay is None:
        return []
    line_start = f"{verb} " if key == verb else f"{verb}, {key}: "
    line_choices = Completer(replay, actor).find_choices(line_start, len(line_start))["choices"]
    fitting_words = [
        str(choice["line"])[len(line_start) :]
        for choice in line_choices
        if choice["eligible"] and not choice["chosen"]
    ]
    # Behind a name comes what only the table can say.
    return [
        f"{{{word}{UNRECORDED}}}" if word.endswith(": ") else word
        for word in fitting_words[:MOST_FITTING_WORDS]
    ]


def _complete_entry_fixes(
    replay: Replay[Any], action_class: type[Action], place: Place | None
) -> Iterator[Fix]:
    """The fix that inserts an entry with all that its verb asks for; only the table knows the rest."""
    completed_line = Completer(replay).complete_line(
        f"{action_class.verb} : " if action_class.main is not None else action_class.verb
    )
    try:
        entry_data = read_line(
            completed_line.replace(PLACEHOLDER_WORD, UNRECORDED), replay.rulebook.by_verb
        )
    except LineError:
        return
    yield make_fix(InsertEntry(write_entry(entry_data), place))


def _allowed_words_if_few(schema: Any) -> list[str]:
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
    return [*words] if len(words) <= MOST_FITTING_WORDS else []


def keys_asked_for(problem: Mapping[str, Any]) -> Iterator[str]:
    """The keys that a diagnostic (as plain data) asks for by its fixes."""
    for edit in (edit for fix in problem.get("fixes", ()) for edit in fix["edits"]):
        if edit["edit"] == EDIT_NAMES[SetKey]:
            yield edit["key"]
        elif edit["edit"] == EDIT_NAMES[SetPair] and not edit["key"]:
            yield edit["name"]


def keys_removed_by_fixes(problem: Mapping[str, Any]) -> tuple[set[str], bool]:
    """The keys that fixes of a diagnostic (as plain data) remove, and whether one puts an optional rule into force."""
    edits = [edit for fix in problem.get("fixes", ()) for edit in fix["edits"]]
    is_not_in_force = any(
        edit["edit"] == EDIT_NAMES[AddToSettings] and edit["key"] != "players" for edit in edits
    )
    removed_keys = {edit["key"] for edit in edits if edit["edit"] == EDIT_NAMES[RemoveKey]}
    return removed_keys, is_not_in_force


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
            return ["Insert ", code_span(first_edit.text.split("\n")[0]), " above"]
    pieces = fix.with_blanks(UNRECORDED).words
    pieces[0] = pieces[0][:1].upper() + pieces[0][1:]
    spans: Spans = []
    for index, piece in enumerate(pieces):
        if piece:
            spans += [" "] if spans else []
            spans.append(code_span(piece) if index % 2 else piece)
    return spans


def code_span(text: str) -> dict[str, Any]:
    """A piece of a file, in a title."""
    return {"t": text, "code": True}


def call_unless_refused(edit_function: Callable[..., T], *arguments: Any) -> T | None:
    """The result of an edit; None if it cannot be made."""
    try:
        return edit_function(*arguments)
    except Refused:
        return None
