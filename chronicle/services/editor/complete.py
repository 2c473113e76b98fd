"""Completions at the caret: the moment decides on verbs, keys, names and words.

An editor types YAML over several lines; what fits is known of one line of the desk
(:mod:`chronicle.services.line_completion`). So the entry above the caret is put on one line, and what fits there is
put back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from textwrap import dedent
from time import process_time
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Severity, either
from chronicle.core.field_types import TEXT, roleless
from chronicle.core.game import Game
from chronicle.core.replay import Replay
from chronicle.core.source import MappingNode
from chronicle.services.editor.completion import Completion
from chronicle.services.editor.due_dice import (
    dice_due,
    faces_for_extra_dice,
    throw_completions,
    with_face_placeholders,
)
from chronicle.services.editor.heads import head_completions
from chronicle.services.editor.rule_completions import (
    accused_rule_completions,
    house_rule_completions,
)
from chronicle.services.editor.settings import KEY_PATTERN, indent_of, settings_completions
from chronicle.services.editor.value_completions import MOST_TRIED_CHOICES, value_completions
from chronicle.services.editor.verb_docs import describe_key, describe_verb
from chronicle.services.game_state import payments
from chronicle.services.line_completion import PLACEHOLDER_WORD, Completer
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.proposals import keys_asked_for
from chronicle.services.snippets import CARET_MARK, FACE_MARK
from chronicle.services.writing import as_list_item
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.one_line import (
    find_verb,
    fold_entry,
    fold_entry_at,
)
from chronicle.syntax.reader import read_text
from chronicle.syntax.render import diagnostic_as_data
from chronicle.syntax.yaml_text import plain_data, write_flow
from chronicle.words import word

_LIST_ITEM: Final = re.compile(r"(?P<indent>\s*)(?P<dash>-\s+|-\Z)?(?P<said>.*)")
MOST_BARRED_COMPLETIONS: Final = 5
"""How many barred completions are offered if nothing is typed."""
MOST_TRIAL_SECONDS: Final = 0.035
"""For how many seconds after the question names are tried before they are offered, at most."""


class _UnfinishedEntry(NamedTuple):
    """The entry at the caret: its first line, the rows above the caret, and the row with it."""

    line: int
    rows_above: list[str]
    row: str
    unused_replays: list[Replay[Any]]
    """The play there, as long as nothing has been tried on it."""

    @property
    def typed_so_far(self) -> str:
        """The entry without the row that is typed."""
        return dedent("\n".join(self.rows_above))

    @property
    def line_range(self) -> range:
        """The lines of the entry down to the caret."""
        return range(self.line, self.line + len(self.rows_above) + 1)

    @property
    def is_on_key_row(self) -> bool:
        """Whether a row below the first one is typed, and is no deeper than the entry's keys."""
        return bool(self.rows_above) and indent_of(self.row) <= indent_of(
            _without_dash(self.rows_above[0])
        )


def complete(opened: OpenCampaign, file: str, line: int, caret_column: int) -> list[Completion]:
    """What fits at a place, the most likely first."""
    rows = opened.text(file).splitlines()
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    typed_row = row[: caret_column - 1]
    next_row_indent = "\n" + " " * indent_of(typed_row)
    return [
        completion._replace(insert=completion.insert.replace("\n", next_row_indent))
        if "\n" in completion.insert
        else completion
        for completion in _limit_barred(_all_completions(opened, file, rows, typed_row, line))
    ]


def _limit_barred(completions: Iterable[Completion]) -> Iterator[Completion]:
    """Leave out most barred completions, as long as no letter is typed."""
    barred_count = 0
    for completion in completions:
        barred_count += bool(completion.why_barred)
        if (
            not completion.why_barred
            or completion.overwritten_length
            or barred_count <= MOST_BARRED_COMPLETIONS
        ):
            yield completion


def _all_completions(
    opened: OpenCampaign, file: str, rows: list[str], typed_row: str, line: int
) -> list[Completion]:
    """What fits behind ``typed_row``, with further rows indented as if that had no indentation."""
    deadline = process_time() + MOST_TRIAL_SECONDS
    if file == SETTINGS_FILE:
        return [*settings_completions(opened, rows[: line - 1], typed_row)]
    unfinished = _unfinished_entry(rows[: line - 1], typed_row, line)
    if unfinished is None:
        return [*head_completions(opened, file, rows[: line - 1], typed_row)]
    enclosing_verb = _enclosing_verb(
        rows[: unfinished.line],
        indent_of(unfinished.rows_above[0] if unfinished.rows_above else typed_row),
    )
    with opened.workspace.at(file, unfinished.line - 1) as replay:
        if replay is None:
            return []
        completions = [
            *_entry_completions(opened, replay, file, unfinished, enclosing_verb=enclosing_verb)
        ]
        if enclosing_verb:
            # Entries inside an outcome are told while it lasts: what is allowed then is not known yet.
            return [
                completion if completion.kind == "verb" else completion._replace(why_barred="")
                for completion in completions
            ]
        # This replay is not needed any more: the first entry is tried on it.
        unfinished.unused_replays.append(replay)
        if any(completion.kind == "key" for completion in completions):
            return _sort_missing_keys_first(opened, file, unfinished, completions)
        return _try_and_sort_completions(opened, file, unfinished, completions, deadline)


def _sort_missing_keys_first(
    opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, completions: list[Completion]
) -> list[Completion]:
    """Keys, with those first that the entry lacks, each with the message about that."""
    message_by_key: dict[str, str] = {}
    trial = _try_entry(opened, file, unfinished, unfinished.typed_so_far)
    for diagnostic in sorted(trial.diagnostics, key=lambda diagnostic: -diagnostic.severity):
        for key in keys_asked_for(diagnostic_as_data(diagnostic)):
            message_by_key.setdefault(key, diagnostic.message)
    if trial.payments_in_words and "by" not in message_by_key:
        # Shows that the entry names no payer.
        completions = [
            completion._replace(note=word("server.unless_named", pays=trial.payments_in_words))
            if completion.label == "by"
            else completion
            for completion in completions
        ]
    completions_with_notes = [
        completion._replace(note=message_by_key.get(completion.label, completion.note))
        for completion in completions
    ]
    return sorted(
        completions_with_notes, key=lambda completion: completion.label not in message_by_key
    )


class _Trial(NamedTuple):
    """What would be wrong with an entry, and who would pay or get how much."""

    diagnostics: list[Diagnostic]
    payments_in_words: str = ""


def _try_entry(
    opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, entry_text: str
) -> _Trial:
    """The problems that an entry would have at the caret."""
    if unfinished.unused_replays:
        return _try_on(opened, unfinished.unused_replays.pop(), entry_text)
    with opened.workspace.at(file, unfinished.line - 1) as replay:
        return _try_on(opened, replay, entry_text) if replay is not None else _Trial([])


def _try_on(opened: OpenCampaign, replay: Replay[Any], entry_text: str) -> _Trial:
    posting_count = len(replay.play.ledger.postings)
    diagnostics = opened.workspace.attempt(replay, entry_text)[1]
    return _Trial(diagnostics, ", ".join(payments(replay.play, posting_count)))


class _TrialProblem(NamedTuple):
    """A problem that an entry would have: its message, the part that other completions share, and whether the
    problem is about the tried word."""

    message: str
    generic_message: str
    is_about_word: bool


def _try_and_sort_completions(
    opened: OpenCampaign,
    file: str,
    unfinished: _UnfinishedEntry,
    completions: list[Completion],
    deadline: float,
) -> list[Completion]:
    """What fits, the names that would be wrong behind the others, with what would be said of them. The
    likeliest completions are tried, for a limited time. What the entry still lacks, or what
    is wrong elsewhere in it, is said with each of them, and no problem of any."""
    trial_problems_by_index: dict[int, list[_TrialProblem]] = {}
    for index, completion in enumerate(completions[:MOST_TRIED_CHOICES]):
        start_time = process_time()
        if completion.line and not completion.why_barred:
            trial = _try_entry(opened, file, unfinished, as_list_item(completion.line))
            trial_problems_by_index[index] = [*_trial_problems(trial.diagnostics, completion)]
            note = " · ".join(part for part in (completion.note, trial.payments_in_words) if part)
            completions[index] = completion._replace(
                note=note if completion.kind != "verb" else completion.note
            )
        if 2 * process_time() - start_time > deadline:
            break
    generic_message_sets = [
        {trial_problem.generic_message for trial_problem in trial_problems}
        for index, trial_problems in trial_problems_by_index.items()
        if completions[index].kind != "verb"
    ]
    is_only_completion = sum(bool(completion.line) for completion in completions) == 1
    if is_only_completion and len(generic_message_sets) == 1 and unfinished.is_on_key_row:
        # Of several that fit, one alone tells nothing of what it shares with them.
        (only_completion,) = (
            completion
            for index, completion in enumerate(completions)
            if index in trial_problems_by_index and completion.kind != "verb"
        )
        diagnostics_without_completion = _try_entry(
            opened, file, unfinished, unfinished.typed_so_far
        ).diagnostics
        generic_message_sets.append(
            {
                _generic_message(diagnostic, only_completion)
                for diagnostic in diagnostics_without_completion
            }
        )
    common_messages = set.intersection(*generic_message_sets) if generic_message_sets else set()
    for index, trial_problems in trial_problems_by_index.items():
        is_verb = completions[index].kind == "verb"
        messages = (
            trial_problem.message
            for trial_problem in trial_problems
            if trial_problem.is_about_word
            or not (is_verb or trial_problem.generic_message in common_messages)
        )
        completions[index] = completions[index]._replace(why_barred=next(messages, ""))
    # A name that would be wrong by itself, and right with something behind it, is offered once.
    allowed_labels = {completion.label for completion in completions if not completion.why_barred}
    completions = [
        completion
        for completion in completions
        if not completion.why_barred or completion.label not in allowed_labels
    ]
    return sorted(completions, key=lambda completion: completion.rank)


def _trial_problems(
    diagnostics: Iterable[Diagnostic], completion: Completion
) -> Iterator[_TrialProblem]:
    """What of all that was found is said of an entry that a name or a word is tried in."""
    entry_rows = as_list_item(completion.line).split("\n")
    for diagnostic in diagnostics:
        place = diagnostic.place
        if diagnostic.severity > Severity.NOTE and 0 < place.line <= len(entry_rows):
            faulty_word = entry_rows[place.line - 1][place.column - 1 : place.end_column - 1].strip(
                "'\""
            )
            if faulty_word not in (PLACEHOLDER_WORD, "1") or faulty_word == completion.label:
                # The text may contain the name by another word than its label.
                completion_names = (
                    completion.label,
                    completion.insert.replace(CARET_MARK, "").strip(" :,{}'\""),
                )
                is_named = any(faulty_word.endswith(name) for name in completion_names if name)
                is_about_word = (
                    bool(faulty_word) and is_named and not _is_about_figure(diagnostic, completion)
                )
                yield _TrialProblem(
                    diagnostic.message, _generic_message(diagnostic, completion), is_about_word
                )


def _is_about_figure(diagnostic: Diagnostic, completion: Completion) -> bool:
    """A figure is wrong with the rest of its entry, which may not be all there yet."""
    return completion.kind == "value" and diagnostic.kind is not DiagnosticKind.UNREADABLE


def _generic_message(diagnostic: Diagnostic, completion: Completion) -> str:
    """What a finding would say as well if another were tried."""
    return (
        diagnostic.code
        if _is_about_figure(diagnostic, completion)
        else diagnostic.message.replace(completion.label, "…")
    )


def _enclosing_verb(rows_above: list[str], entry_indent: int) -> str:
    """The verb of the entry that contains an entry with this indent; empty for one of the log."""
    for row in reversed(rows_above):
        entry_match = re.match(r"(?P<in>\s*)- (?P<verb>[^:]*):", row)
        if entry_match and len(entry_match["in"]) < entry_indent:
            return entry_match["verb"].strip().casefold()
        if re.match(r"log\s*:", row):
            break
    return ""


def _unfinished_entry(rows_above: list[str], typed_row: str, line: int) -> _UnfinishedEntry | None:
    """The entry of the log that the caret is in."""
    if not any(re.match(r"log\s*:", row) for row in rows_above):
        return None
    if not typed_row or re.match(r"\s*-", typed_row):
        return _UnfinishedEntry(line, [], typed_row, [])
    for row_number in range(len(rows_above), 0, -1):
        row = rows_above[row_number - 1]
        if re.match(r"log\s*:", row):
            return _UnfinishedEntry(line, [], typed_row, [])
        if re.match(r"\s*- ", row) and indent_of(row) < indent_of(typed_row):
            return _UnfinishedEntry(row_number, rows_above[row_number - 1 :], typed_row, [])
    return None


def _entry_completions(
    opened: OpenCampaign,
    replay: Replay[Any],
    file: str,
    unfinished: _UnfinishedEntry,
    *,
    enclosing_verb: str,
) -> Iterator[Completion]:
    action_classes = replay.rulebook.by_verb
    if not unfinished.rows_above:
        yield from _verb_completions(replay, unfinished.row, enclosing_verb=enclosing_verb)
        return
    tree = read_text(_dedent_entry(unfinished.rows_above), file).tree
    if not isinstance(tree, MappingNode) or not tree:
        return
    entry_data = plain_data(tree)
    action_class = next((action_classes[key] for key in entry_data if key in action_classes), None)
    if action_class is None:
        return
    row = unfinished.row
    key_indent = indent_of(_without_dash(unfinished.rows_above[0]))
    typed_key = row.strip()
    if indent_of(row) > key_indent:
        # Where the row begins, as columns are counted in what is above it.
        mapping_column = indent_of(row) - key_indent + next(iter(tree)).column
        yield from _nested_mapping_completions(
            replay, action_class, tree, mapping_column, row.lstrip()
        )
        return
    key_match = KEY_PATTERN.match(row[key_indent:])
    if key_match is None:
        yield from _key_completions(replay, action_class, entry_data, typed_key)
        return
    key, value = key_match["key"], key_match["value"] or ""
    # Behind a colon comes a space first.
    space = " " if row.endswith(":") else ""
    for completion in _completions_of_key(
        opened, replay, file, unfinished, action_class, entry_data, key, value
    ):
        yield (
            completion._replace(insert=f"{space}{completion.insert}")
            if not completion.insert.startswith("\n")
            else completion
        )


def _completions_of_key(
    opened: OpenCampaign,
    replay: Replay[Any],
    file: str,
    unfinished: _UnfinishedEntry,
    action_class: type[Action],
    entry_data: dict[str, Any],
    key: str,
    value: str,
) -> Iterator[Completion]:
    """What fits behind the colon of a key."""
    if key == "allow":
        yield from accused_rule_completions(opened, file, unfinished.line_range, value)
    elif key == "under":
        yield from house_rule_completions(opened, value)
    else:
        takes_roll = not value and key in replay.rulebook.by_verb and key in action_class.fields
        roll_completions = (
            [*_due_dice_completions(opened, file, unfinished, key)] if takes_roll else []
        )
        yield from roll_completions
        yield from value_completions(
            replay,
            f"{fold_entry(action_class, entry_data)}, {key}: ",
            value,
            with_snippets=not roll_completions,
        )


def _due_dice_completions(
    opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, key: str
) -> Iterator[Completion]:
    """Places for the faces that an entry may contain: the dice that are due when the rest of it has
    been played."""
    with opened.workspace.at(file, unfinished.line - 1) as replay:
        if replay is None:
            return
        opened.workspace.attempt(replay, unfinished.typed_so_far)
        game = replay.rulebook
        for (verb, outer_verb), due_throws in dice_due(replay).items():
            if verb == key:
                dice_value = game.thrown(verb, due_throws, outer_verb)[verb]
                is_keyed_by_thrower = (
                    {throw.who for throw in due_throws} == {*dice_value}
                    if isinstance(dice_value, dict)
                    else False
                )
                if (
                    is_keyed_by_thrower
                    and len(dice_value) == 1
                    and not isinstance(dice_value[due_throws[0].who], dict)
                ):
                    # Who throws is said by the key itself.
                    (dice_value,) = dice_value.values()
                faces = with_face_placeholders(write_flow(dice_value))
                label = faces.replace(FACE_MARK, "_")
                extra_dice_note = faces_for_extra_dice(replay, verb)
                yield Completion(
                    label,
                    f"{faces}{CARET_MARK}",
                    0,
                    "value",
                    word("server.dice_due"),
                    extra_dice_note,
                )


def _dedent_entry(entry_rows: list[str]) -> str:
    first_row = _without_dash(entry_rows[0])
    shared_indent = min(
        (indent_of(row) for row in (first_row, *entry_rows[1:]) if row.strip()), default=0
    )
    return "\n".join(row[shared_indent:] for row in (first_row, *entry_rows[1:])) + "\n"


def _without_dash(row: str) -> str:
    return row.replace("-", " ", 1)


def _verb_completions(
    replay: Replay[Any], row: str, *, enclosing_verb: str
) -> Iterator[Completion]:
    """The row with the dash: a verb, or its value."""
    item_match = _LIST_ITEM.match(row)
    assert item_match is not None
    typed_item = item_match["said"]
    dash = "" if item_match["dash"] else "- "
    space = " " if item_match["dash"] == "-" else ""
    verb_name = find_verb(typed_item, replay.rulebook.by_verb)
    if verb_name and re.match(rf"{re.escape(verb_name)}\s*:\s", typed_item, re.IGNORECASE):
        due_throw_completions = (
            []
            if typed_item.partition(":")[2].strip()
            else [*throw_completions(replay, typed_item, "", verb_name)]
        )
        yield from due_throw_completions
        yield from value_completions(
            replay, "", typed_item, with_snippets=not due_throw_completions
        )
        return
    completer = Completer(replay)
    if not enclosing_verb:
        yield from throw_completions(replay, typed_item, f"{space}{dash}")
    choices = completer.verb_choices(typed_item.rstrip(":"))
    if enclosing_verb:
        nested_verb_sort_key = partial(_nested_verb_sort_key, replay.rulebook, enclosing_verb)
        choices.sort(key=lambda choice: (choice["met"], nested_verb_sort_key(choice)))
    player_on_turn = replay.rulebook.standing(replay.play).turn
    for choice in choices:
        action_class = replay.rulebook.by_verb[choice["label"]]
        price_note, payer_note = _price_in_words(
            completer, action_class.verb, choice["note"], player_on_turn
        )
        text_after_verb = f": {CARET_MARK}" if action_class.main is not None else f":{CARET_MARK}"
        yield Completion(
            choice["label"],
            f"{space}{dash}{choice['label']}{text_after_verb}",
            len(typed_item),
            "verb",
            price_note,
            "\n\n".join(
                part
                for part in (
                    payer_note,
                    choice["hint"],
                    describe_verb(replay.rulebook, action_class),
                )
                if part
            ),
            choice["why"],
            # What says all that it has to can be tried; other entries are not complete.
            ""
            if action_class.main is not None and action_class.main.required
            else f"{choice['label']}:",
            action_class.synonyms,
            choice["met"],
        )


def _price_in_words(
    completer: Completer, verb: str, price: str, player_on_turn: str
) -> tuple[str, str]:
    """The price of a verb and its payer in a few words; and a sentence about other payers."""
    priced_moves = [
        move
        for move in completer.candidates.moves
        if move.verb == verb and move.price and move.price[0]
    ]
    payers = [*dict.fromkeys(move.by or player_on_turn for move in priced_moves)]
    if not price or not all(payers) or not payers:
        return price, ""
    first_payers = [player_on_turn] if player_on_turn in payers else payers
    other_payers = either(f"`by: {payer}`" for payer in payers if payer not in first_payers)
    message_key = "server.pays_told_else" if other_payers else "server.pays_told"
    sentence = word(message_key, payers=either(first_payers), price=price, others=other_payers)
    return word("server.pays", payers=either(first_payers), price=price), sentence


def _nested_verb_sort_key(
    game: Game[Any], outer_verb: str, choice: dict[str, Any]
) -> tuple[object, ...]:
    """How well a verb fits into an entry that tells others. Verbs that share the limits of the outer verb come
    last; what the game has for no other moment comes first."""
    action_class, law = game.by_verb[choice["label"]], game.law
    outer_class = game.by_verb.get(outer_verb)
    outer_phases = {*law.phases} if law is not None else set()
    outer_phases -= {*outer_class.moment.phases} if outer_class is not None else set()
    phases = action_class.moment.phases
    has_no_shared_phase = (
        bool(phases and outer_phases and not outer_phases & {*phases})
        or action_class is outer_class
    )
    return (
        has_no_shared_phase,
        action_class.verb not in game.own_verbs,
        not action_class.by_dice,
        len(phases) or len(outer_phases),
    )


def _nested_mapping_completions(
    replay: Replay[Any],
    action_class: type[Action],
    entry_node: MappingNode,
    mapping_column: int,
    typed_text: str,
) -> Iterator[Completion]:
    """Completions in a mapping on its own lines that begins in a column, under the last key of an entry or deeper."""
    key = str(list(entry_node)[-1])
    field = action_class.main if key == action_class.verb else action_class.fields.get(key)
    if field is not None and roleless(field.kind) is not TEXT:
        yield from value_completions(
            replay,
            fold_entry_at(action_class, entry_node, mapping_column),
            typed_text,
            needs_braces=False,
        )


def _key_completions(
    replay: Replay[Any], action_class: type[Action], entry_data: dict[str, Any], typed_text: str
) -> Iterator[Completion]:
    """The keys that an entry may have besides: what it needs, then its verb's own, most used first."""
    completer = Completer(replay)
    for field in sorted(
        action_class.fields.values(),
        key=lambda field: completer.candidates.field_sort_key(action_class, field),
    ):
        if field.name in entry_data or not field.name.startswith(typed_text.casefold()):
            continue
        field_documentation = describe_key(action_class, field)
        inserted_text = (
            f"{field.name}: {CARET_MARK}"
            if field.name not in ("text",)
            else f"text: |\n  {CARET_MARK}"
        )
        yield Completion(
            field.name,
            inserted_text,
            len(typed_text),
            "key",
            "needed" if field.required else "",
            field_documentation,
        )
