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
    faces_that_earn,
    throw_completions,
    with_face_placeholders,
)
from chronicle.services.editor.heads import head_completions
from chronicle.services.editor.rule_completions import (
    accused_rule_completions,
    house_rule_completions,
)
from chronicle.services.editor.settings import KEY, indent_of, settings_completions
from chronicle.services.editor.verb_docs import describe_key, describe_verb
from chronicle.services.game_state import payments
from chronicle.services.line_completion import PLACEHOLDER_WORD, Completer
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.proposals import keys_asked_for
from chronicle.services.snippets import CARET, FACE, snippets
from chronicle.services.writing import as_item
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.kinds import holds_entries
from chronicle.syntax.one_line import (
    LineError,
    close_brackets,
    find_verb,
    fold_entry,
    fold_entry_at,
    read_line,
    split_line,
)
from chronicle.syntax.reader import read_text
from chronicle.syntax.render import diagnostic_as_data
from chronicle.syntax.yaml_text import plain_data, write_entry, write_flow
from chronicle.words import word

_LIST_ITEM: Final = re.compile(r"(?P<indent>\s*)(?P<dash>-\s+|-\Z)?(?P<said>.*)")
MOST_BARRED: Final = 5
"""How many barred completions are offered if nothing is typed."""
MOST_TRIED_CHOICES: Final = 8
PATIENCE: Final = 0.035
"""How many names are tried before they are offered, and for how many seconds after the question at most."""


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
    def lines(self) -> range:
        """The lines of the entry down to the caret."""
        return range(self.line, self.line + len(self.rows_above) + 1)

    @property
    def is_on_key_row(self) -> bool:
        """Whether a row below the first one is typed, and is no deeper than the entry's keys."""
        return bool(self.rows_above) and indent_of(self.row) <= indent_of(
            _without_dash(self.rows_above[0])
        )


def complete(opened: OpenCampaign, file: str, line: int, column: int) -> list[Completion]:
    """What fits at a place, the most likely first."""
    rows = opened.text(file).splitlines()
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    typed_row = row[: column - 1]
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
        if not completion.why_barred or completion.overwritten or barred_count <= MOST_BARRED:
            yield completion


def _all_completions(
    opened: OpenCampaign, file: str, rows: list[str], typed_row: str, line: int
) -> list[Completion]:
    """What fits behind ``typed_row``, with further rows indented as if that had no indentation."""
    deadline = process_time() + PATIENCE
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
            return _sort_by_lack(opened, file, unfinished, completions)
        return _sort_by_trial(opened, file, unfinished, completions, deadline)


def _sort_by_lack(
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
    with_notes = [
        completion._replace(note=message_by_key.get(completion.label, completion.note))
        for completion in completions
    ]
    return sorted(with_notes, key=lambda completion: completion.label not in message_by_key)


class _Trial(NamedTuple):
    """What would be wrong with an entry, and who would pay or get how much."""

    diagnostics: list[Diagnostic]
    payments_in_words: str = ""


def _try_entry(opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, entry: str) -> _Trial:
    """The problems that an entry would have at the caret."""
    if unfinished.unused_replays:
        return _try_on(opened, unfinished.unused_replays.pop(), entry)
    with opened.workspace.at(file, unfinished.line - 1) as replay:
        return _try_on(opened, replay, entry) if replay is not None else _Trial([])


def _try_on(opened: OpenCampaign, replay: Replay[Any], entry: str) -> _Trial:
    posting_count = len(replay.play.ledger.postings)
    diagnostics = opened.workspace.attempt(replay, entry)[1]
    return _Trial(diagnostics, ", ".join(payments(replay.play, posting_count)))


class _Fault(NamedTuple):
    """A problem that an entry would have: its message, the part that other completions share, and whether the
    problem is about the tried word."""

    message: str
    shared_form: str
    is_about_word: bool


def _sort_by_trial(
    opened: OpenCampaign,
    file: str,
    unfinished: _UnfinishedEntry,
    completions: list[Completion],
    deadline: float,
) -> list[Completion]:
    """What fits, the names that would be wrong behind the others, with what would be said of them. The
    likeliest completions are tried, for a limited time. What the entry still lacks, or what
    is wrong elsewhere in it, is said with each of them, and no fault of any."""
    faults_by_number: dict[int, list[_Fault]] = {}
    for number, completion in enumerate(completions[:MOST_TRIED_CHOICES]):
        start_time = process_time()
        if completion.line and not completion.why_barred:
            trial = _try_entry(opened, file, unfinished, as_item(completion.line))
            faults_by_number[number] = [*_faults(trial.diagnostics, completion)]
            note = " · ".join(part for part in (completion.note, trial.payments_in_words) if part)
            completions[number] = completion._replace(
                note=note if completion.kind != "verb" else completion.note
            )
        if 2 * process_time() - start_time > deadline:
            break
    forms_of_faults = [
        {fault.shared_form for fault in entry_faults}
        for index, entry_faults in faults_by_number.items()
        if completions[index].kind != "verb"
    ]
    is_only_choice = sum(bool(completion.line) for completion in completions) == 1
    if is_only_choice and len(forms_of_faults) == 1 and unfinished.is_on_key_row:
        # Of several that fit, one alone tells nothing of what it shares with them.
        (only_completion,) = (
            completion
            for index, completion in enumerate(completions)
            if index in faults_by_number and completion.kind != "verb"
        )
        diagnostics_without = _try_entry(
            opened, file, unfinished, unfinished.typed_so_far
        ).diagnostics
        forms_of_faults.append(
            {_shared_form(diagnostic, only_completion) for diagnostic in diagnostics_without}
        )
    common = set.intersection(*forms_of_faults) if forms_of_faults else set()
    for number, entry_faults in faults_by_number.items():
        is_verb = completions[number].kind == "verb"
        messages = (
            fault.message
            for fault in entry_faults
            if fault.is_about_word or not (is_verb or fault.shared_form in common)
        )
        completions[number] = completions[number]._replace(why_barred=next(messages, ""))
    # A name that would be wrong by itself, and right with something behind it, is offered once.
    allowed = {completion.label for completion in completions if not completion.why_barred}
    completions = [
        completion
        for completion in completions
        if not completion.why_barred or completion.label not in allowed
    ]
    return sorted(completions, key=lambda completion: completion.rank)


def _faults(diagnostics: Iterable[Diagnostic], completion: Completion) -> Iterator[_Fault]:
    """What of all that was found is said of an entry that a name or a word is tried in."""
    rows = as_item(completion.line).split("\n")
    for diagnostic in diagnostics:
        place = diagnostic.place
        if diagnostic.severity > Severity.NOTE and 0 < place.line <= len(rows):
            word = rows[place.line - 1][place.column - 1 : place.end_column - 1].strip("'\"")
            if word not in (PLACEHOLDER_WORD, "1") or word == completion.label:
                # The text may contain the name by another word than its label.
                names = (completion.label, completion.insert.replace(CARET, "").strip(" :,{}'\""))
                is_named = any(word.endswith(name) for name in names if name)
                is_about_word = (
                    bool(word) and is_named and not _is_about_figure(diagnostic, completion)
                )
                yield _Fault(
                    diagnostic.message, _shared_form(diagnostic, completion), is_about_word
                )


def _is_about_figure(diagnostic: Diagnostic, completion: Completion) -> bool:
    """A figure is wrong with the rest of its entry, which may not be all there yet."""
    return completion.kind == "value" and diagnostic.kind is not DiagnosticKind.UNREADABLE


def _shared_form(diagnostic: Diagnostic, completion: Completion) -> str:
    """What a finding would say as well if another were tried."""
    return (
        diagnostic.code
        if _is_about_figure(diagnostic, completion)
        else diagnostic.message.replace(completion.label, "…")
    )


def _enclosing_verb(rows: list[str], indent: int) -> str:
    """The verb of the entry that contains an entry with this indent; empty for one of the log."""
    for row in reversed(rows):
        match = re.match(r"(?P<in>\s*)- (?P<verb>[^:]*):", row)
        if match and len(match["in"]) < indent:
            return match["verb"].strip().casefold()
        if re.match(r"log\s*:", row):
            break
    return ""


def _unfinished_entry(rows_above: list[str], typed_row: str, line: int) -> _UnfinishedEntry | None:
    """The entry of the log that the caret is in."""
    if not any(re.match(r"log\s*:", row) for row in rows_above):
        return None
    if not typed_row or re.match(r"\s*-", typed_row):
        return _UnfinishedEntry(line, [], typed_row, [])
    for number in range(len(rows_above), 0, -1):
        row = rows_above[number - 1]
        if re.match(r"log\s*:", row):
            return _UnfinishedEntry(line, [], typed_row, [])
        if re.match(r"\s*- ", row) and indent_of(row) < indent_of(typed_row):
            return _UnfinishedEntry(number, rows_above[number - 1 :], typed_row, [])
    return None


def _entry_completions(
    opened: OpenCampaign,
    replay: Replay[Any],
    file: str,
    unfinished: _UnfinishedEntry,
    *,
    enclosing_verb: str,
) -> Iterator[Completion]:
    verbs = replay.rulebook.by_verb
    if not unfinished.rows_above:
        yield from _verb_completions(replay, unfinished.row, enclosing_verb=enclosing_verb)
        return
    tree = read_text(_dedented(unfinished.rows_above), file).tree
    if not isinstance(tree, MappingNode) or not tree:
        return
    data = plain_data(tree)
    verb = next((verbs[key] for key in data if key in verbs), None)
    if verb is None:
        return
    row = unfinished.row
    key_indent = indent_of(_without_dash(unfinished.rows_above[0]))
    typed_key = row.strip()
    if indent_of(row) > key_indent:
        # Where the row begins, as columns are counted in what is above it.
        column = indent_of(row) - key_indent + next(iter(tree)).column
        yield from _inner_completions(replay, verb, tree, column, row.lstrip())
        return
    key_match = KEY.match(row[key_indent:])
    if key_match is None:
        yield from _key_completions(replay, verb, data, typed_key)
        return
    key, value = key_match["key"], key_match["value"] or ""
    # Behind a colon comes a space first.
    space = " " if row.endswith(":") else ""
    for completion in _completions_of_key(opened, replay, file, unfinished, verb, data, key, value):
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
    verb: type[Action],
    data: dict[str, Any],
    key: str,
    value: str,
) -> Iterator[Completion]:
    """What fits behind the colon of a key."""
    if key == "allow":
        yield from accused_rule_completions(opened, file, unfinished.lines, value)
    elif key == "under":
        yield from house_rule_completions(opened, value)
    else:
        takes_roll = not value and key in replay.rulebook.by_verb and key in verb.fields
        roll_completions = (
            [*_due_dice_completions(opened, file, unfinished, key)] if takes_roll else []
        )
        yield from roll_completions
        yield from _value_completions(
            replay, f"{fold_entry(verb, data)}, {key}: ", value, with_shapes=not roll_completions
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
        rules = replay.rulebook
        for (verb, within), dice in dice_due(replay).items():
            if verb == key:
                value = rules.thrown(verb, dice, within)[verb]
                is_by_person = (
                    {throw.who for throw in dice} == {*value} if isinstance(value, dict) else False
                )
                if is_by_person and len(value) == 1 and not isinstance(value[dice[0].who], dict):
                    # Who throws is said by the key itself.
                    (value,) = value.values()
                faces = with_face_placeholders(write_flow(value))
                label, earning_note = faces.replace(FACE, "_"), faces_that_earn(replay, verb)
                yield Completion(
                    label, f"{faces}{CARET}", 0, "value", word("server.dice_due"), earning_note
                )


def _dedented(rows: list[str]) -> str:
    first = _without_dash(rows[0])
    width = min((indent_of(row) for row in (first, *rows[1:]) if row.strip()), default=0)
    return "\n".join(row[width:] for row in (first, *rows[1:])) + "\n"


def _without_dash(row: str) -> str:
    return row.replace("-", " ", 1)


def _verb_completions(
    replay: Replay[Any], row: str, *, enclosing_verb: str
) -> Iterator[Completion]:
    """The row with the dash: a verb, or its value."""
    match = _LIST_ITEM.match(row)
    assert match is not None
    typed = match["said"]
    dash = "" if match["dash"] else "- "
    space = " " if match["dash"] == "-" else ""
    verb_name = find_verb(typed, replay.rulebook.by_verb)
    if verb_name and re.match(rf"{re.escape(verb_name)}\s*:\s", typed, re.IGNORECASE):
        throws = (
            []
            if typed.partition(":")[2].strip()
            else [*throw_completions(replay, typed, "", verb_name)]
        )
        yield from throws
        yield from _value_completions(replay, "", typed, with_shapes=not throws)
        return
    completer = Completer(replay)
    if not enclosing_verb:
        yield from throw_completions(replay, typed, f"{space}{dash}")
    choices = completer.verb_choices(typed.rstrip(":"))
    if enclosing_verb:
        aptness = partial(_aptness, replay.rulebook, enclosing_verb)
        choices.sort(key=lambda choice: (choice["met"], aptness(choice)))
    turn = replay.rulebook.standing(replay.play).turn
    for choice in choices:
        verb = replay.rulebook.by_verb[choice["label"]]
        note, payer_note = _price_in_words(completer, verb.verb, choice["note"], turn)
        colon = f": {CARET}" if verb.main is not None else f":{CARET}"
        yield Completion(
            choice["label"],
            f"{space}{dash}{choice['label']}{colon}",
            len(typed),
            "verb",
            note,
            "\n\n".join(
                part
                for part in (payer_note, choice["hint"], describe_verb(replay.rulebook, verb))
                if part
            ),
            choice["why"],
            # What says all that it has to can be tried; other entries are not complete.
            "" if verb.main is not None and verb.main.required else f"{choice['label']}:",
            verb.synonyms,
            choice["met"],
        )


def _price_in_words(completer: Completer, verb: str, price: str, turn: str) -> tuple[str, str]:
    """The price of a verb and its payer in a few words; and a sentence about other payers."""
    options = [
        option
        for option in completer.candidates.moves
        if option.verb == verb and option.price and option.price[0]
    ]
    payers = [*dict.fromkeys(option.by or turn for option in options)]
    if not price or not all(payers) or not payers:
        return price, ""
    first_payers = [turn] if turn in payers else payers
    other_payers = either(f"`by: {payer}`" for payer in payers if payer not in first_payers)
    message_key = "server.pays_told_else" if other_payers else "server.pays_told"
    sentence = word(message_key, payers=either(first_payers), price=price, others=other_payers)
    return word("server.pays", payers=either(first_payers), price=price), sentence


def _aptness(rules: Game[Any], outer_name: str, choice: dict[str, Any]) -> tuple[object, ...]:
    """How well a verb fits into an entry that tells others. Verbs that share the limits of the outer verb come
    last; what the game has for no other moment comes first."""
    verb, law = rules.by_verb[choice["label"]], rules.law
    outer_verb = rules.by_verb.get(outer_name)
    outer_phases = {*law.phases} if law is not None else set()
    outer_phases -= {*outer_verb.moment.phases} if outer_verb is not None else set()
    phases = verb.moment.phases
    is_barred = bool(phases and outer_phases and not outer_phases & {*phases}) or verb is outer_verb
    return (
        is_barred,
        verb.verb not in rules.own_verbs,
        not verb.by_dice,
        len(phases) or len(outer_phases),
    )


def _value_completions(
    replay: Replay[Any],
    row_before: str,
    typed: str,
    *,
    needs_braces: bool = True,
    with_shapes: bool = True,
) -> Iterator[Completion]:
    """Completions of a value that is typed in YAML, after ``row_before`` on the same line. ``needs_braces``:
    a name with a value needs braces. ``with_shapes``: shapes of it are offered."""
    text = row_before + typed
    is_in_brackets = close_brackets(typed) != typed
    completer = Completer(replay)
    choices = completer.choices(text, len(text))["choices"]
    value = (typed if row_before else typed.partition(":")[2]).strip()
    new_item_keys = (
        _new_item_keys(completer, text) if needs_braces and (value or "[")[-1] in "[," else {}
    )
    labels_with_value = {choice["label"] for choice in choices if choice["line"].endswith(": ")}
    if not labels_with_value:
        # A choice that is complete begins no new item.
        new_item_keys = {
            key: new_item_keys[key]
            for key in new_item_keys.keys() - {choice["label"] for choice in choices}
        }
    documentation = _key_documentation(completer, text)
    faces_due = [*_due_faces_at(completer, text)]
    for faces in faces_due:
        earning_note = faces_that_earn(replay, find_verb(text, completer.rules.by_verb))
        with_earning = "\n\n".join(part for part in (earning_note, documentation) if part)
        yield Completion(
            faces.replace(FACE, "_"),
            f"{faces}{CARET}",
            0,
            "value",
            word("server.dice_due"),
            with_earning,
        )
    for rank, choice in enumerate(
        [*choices, *(new_item_keys[key] for key in new_item_keys if key not in labels_with_value)]
    ):
        kind, line, label = choice["kind"], choice["line"], choice["label"]
        if kind in ("verb", "key") or (kind == "next" and not is_in_brackets) or choice["chosen"]:
            continue
        shared_length = _shared_length(text, line)
        overwritten = len(text) - shared_length
        if overwritten > len(typed):
            continue
        insert = line[shared_length:]
        # An editor compares what is typed with the label, so that it takes the place of all of it.
        overlap = next((length for length in range(min(len(typed), len(label)), overwritten, -1)
                      if label.casefold().startswith(typed[-length:].casefold())), overwritten)  # fmt: skip
        insert, overwritten = (
            typed[len(typed) - overlap : len(typed) - overwritten] + insert,
            overlap,
        )
        ends_in_colon = typed.rstrip().endswith(":")
        if insert.endswith(": ") and (needs_braces or ends_in_colon):
            # Between braces a comma would end the sentence.
            quoted_caret = f'"{CARET}"' if completer.takes_only_own_words(line) else ""
            if holds_entries(completer.field_at(text)):
                insert = (
                    f"{insert}[{{{CARET}}}]"
                    if is_in_brackets
                    else f"\n    {insert.rstrip()}\n    - {CARET}"
                )
            elif completer.ends_in_speech(line):
                # The speaker comes before the words, on a line of each speech.
                insert = (
                    f"|\n    {insert}{CARET}" if len(value) <= overwritten else f"{insert}{CARET}"
                )
            elif (not is_in_brackets or label in new_item_keys or ends_in_colon) and kind != "next":
                insert = f"{{{insert}{quoted_caret or CARET}}}"
            else:
                insert += quoted_caret
        is_tried = rank < MOST_TRIED_CHOICES and not choice["why"] and kind in ("name", "value")
        # A name that needs more names can only be checked with them.
        is_tried = is_tried and not any(slot.is_for_name for slot in completer.slots_at(line))
        entry = _line_as_yaml(replay, completer.complete_line(line)) if is_tried else ""
        yield Completion(
            label,
            insert,
            overwritten,
            kind if kind == "value" else "name",
            choice["note"],
            "\n\n".join(part for part in (choice["hint"], documentation) if part),
            choice["why"],
            entry,
            match=choice["met"],
        )
    for shape in () if faces_due or not with_shapes else snippets(completer, text):
        completion = Completion(
            "", f"{shape}{CARET}", 0, "shape", word("server.in_this_shape"), documentation
        )
        yield completion._replace(label=completion.text_around_caret[0])


def _key_documentation(completer: Completer, text: str) -> str:
    """What there is to say of the key that a line ends in."""
    line, field = split_line(text, completer.rules.by_verb), completer.field_at(text)
    return describe_key(line.verb, field) if line is not None and field is not None else ""


def _due_faces_at(completer: Completer, text: str) -> Iterator[str]:
    """Places for the faces of the dice that are due: those of the person before the caret or, in a brace, of all."""
    rules, line = completer.rules, split_line(text, completer.rules.by_verb)
    verb, is_in_brace = find_verb(text, rules.by_verb), text.rstrip().endswith("{")
    if not text.rstrip().endswith(("{", ":")) or line is None or line.parts[-1].key != verb:
        return
    open_slots = [slot for slot in completer.slots_at(text) if not slot.typed.strip()]
    for path in dict.fromkeys(slot.path for slot in open_slots if slot.path or is_in_brace):
        for (due_verb, within), dice in dice_due(completer.replay, verb).items():
            value: Any = (
                rules.thrown(due_verb, dice, within).get(verb) if due_verb == verb else None
            )
            for name in path:
                pairs = value.items() if isinstance(value, dict) else ()
                value = next(
                    (
                        item
                        for key, item in pairs
                        if completer.candidates.is_same_path((key,), (name,))
                    ),
                    None,
                )
            if value is not None:
                faces = write_flow(value)[is_in_brace:-1] if is_in_brace else write_flow(value)
                yield with_face_placeholders(faces)


def _line_as_yaml(replay: Replay[Any], line: str) -> str:
    """A line of the desk in YAML; empty where it is no entry."""
    try:
        return write_entry(read_line(line, replay.rulebook.by_verb))
    except LineError:
        return ""


def _new_item_keys(completer: Completer, text: str) -> dict[str, dict[str, Any]]:
    """Keys that may begin a new item between braces, where names are allowed, too."""
    choices = completer.choices(f"{text}{{", len(text) + 1)["choices"]
    return {
        choice["label"]: choice | {"line": text + choice["line"][len(text) + 1 :]}
        for choice in choices
        if choice["line"].endswith(": ")
    }


def _shared_length(first: str, second: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(second)))


def _inner_completions(
    replay: Replay[Any], verb: type[Action], tree: MappingNode, column: int, typed: str
) -> Iterator[Completion]:
    """Completions in a mapping on its own lines that begins in a column, under the last key of an entry or deeper."""
    key = str(list(tree)[-1])
    field = verb.main if key == verb.verb else verb.fields.get(key)
    if field is not None and roleless(field.kind) is not TEXT:
        yield from _value_completions(
            replay, fold_entry_at(verb, tree, column), typed, needs_braces=False
        )


def _key_completions(
    replay: Replay[Any], verb: type[Action], data: dict[str, Any], typed: str
) -> Iterator[Completion]:
    """The keys that an entry may have besides: what it needs, then its verb's own, most used first."""
    completer = Completer(replay)
    for field in sorted(
        verb.fields.values(), key=lambda field: completer.candidates.field_sort_key(verb, field)
    ):
        if field.name in data or not field.name.startswith(typed.casefold()):
            continue
        documentation = describe_key(verb, field)
        insert = f"{field.name}: {CARET}" if field.name not in ("text",) else f"text: |\n  {CARET}"
        yield Completion(
            field.name, insert, len(typed), "key", "needed" if field.required else "", documentation
        )
