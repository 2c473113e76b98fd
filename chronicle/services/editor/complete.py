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
from chronicle.core.kinds import TEXT, roleless
from chronicle.core.replay import Replay
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import MappingNode
from chronicle.services.diagnostic_data import keyed
from chronicle.services.editor.completion import Completion
from chronicle.services.editor.due_dice import (
    dice_due,
    faces_that_earn,
    throw_completions,
    with_places,
)
from chronicle.services.editor.heads import in_head
from chronicle.services.editor.settings import KEY, indent_of, settings_choices
from chronicle.services.editor.verb_docs import describe_key, describe_verb
from chronicle.services.game_state import payments
from chronicle.services.line_completion import ANYTHING, Completer
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.proposals import asked_for
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
from chronicle.syntax.render import as_data
from chronicle.syntax.yaml_text import plain_data, write_entry, write_flow
from chronicle.words import word

_ITEM: Final = re.compile(r"(?P<indent>\s*)(?P<dash>-\s+|-\Z)?(?P<said>.*)")
MOST_BARRED: Final = 5
"""How many barred completions are offered if nothing is typed."""
MOST_TRIED_CHOICES: Final = 8
PATIENCE: Final = 0.035
"""How many names are tried before they are offered, and for how many seconds after the question at most."""


class _UnfinishedEntry(NamedTuple):
    """The entry at the caret: its first line, the rows above the caret, and the row with it."""

    line: int
    above: list[str]
    row: str
    spare: list[Replay[Any]]
    """The play there, as long as nothing has been tried on it."""

    @property
    def so_far(self) -> str:
        """The entry without the row that is typed."""
        return dedent("\n".join(self.above))

    @property
    def in_a_key(self) -> bool:
        """Whether a row below the first one is typed, and is no deeper than the entry's keys."""
        return bool(self.above) and indent_of(self.row) <= indent_of(_undashed(self.above[0]))


def complete(opened: OpenCampaign, file: str, line: int, column: int) -> list[Completion]:
    """What fits at a place, the most likely first."""
    rows = opened.text(file).splitlines()
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    head = row[: column - 1]
    further = "\n" + " " * indent_of(head)
    return [
        completion._replace(insert=completion.insert.replace("\n", further))
        if "\n" in completion.insert
        else completion
        for completion in _limit_barred(_complete(opened, file, rows, head, line))
    ]


def _limit_barred(completions: Iterable[Completion]) -> Iterator[Completion]:
    """Leave out most barred completions, as long as no letter is typed."""
    barred = 0
    for completion in completions:
        barred += bool(completion.why)
        if not completion.why or completion.overwritten or barred <= MOST_BARRED:
            yield completion


def _complete(
    opened: OpenCampaign, file: str, rows: list[str], head: str, line: int
) -> list[Completion]:
    """What fits behind the ``head`` of a row, with further rows indented as if that had no indentation."""
    until = process_time() + PATIENCE
    if file == SETTINGS_FILE:
        return [*settings_choices(opened, rows[: line - 1], head)]
    unfinished = _unfinished_entry(rows[: line - 1], head, line)
    if unfinished is None:
        return [*in_head(opened, file, rows[: line - 1], head)]
    nested = _enclosing_verb(
        rows[: unfinished.line], indent_of(unfinished.above[0] if unfinished.above else head)
    )
    with opened.workspace.at(file, unfinished.line - 1) as replay:
        if replay is None:
            return []
        completions = [*_entry_completions(opened, replay, file, unfinished, nested=nested)]
        if nested:
            # Entries inside an outcome are told while it lasts: what is allowed then is not known yet.
            return [
                completion if completion.kind == "verb" else completion._replace(why="")
                for completion in completions
            ]
        # This replay is not needed any more: the first entry is tried on it.
        unfinished.spare.append(replay)
        if any(completion.kind == "key" for completion in completions):
            return _sort_by_lack(opened, file, unfinished, completions)
        return _sort_by_trial(opened, file, unfinished, completions, until)


def _sort_by_lack(
    opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, completions: list[Completion]
) -> list[Completion]:
    """Keys, with those first that the entry lacks, each with the message about that."""
    message_by_key: dict[str, str] = {}
    tried = _try_entry(opened, file, unfinished, unfinished.so_far)
    for diagnostic in sorted(tried.found, key=lambda diagnostic: -diagnostic.severity):
        for key in asked_for(as_data(diagnostic)):
            message_by_key.setdefault(key, diagnostic.message)
    if tried.pays and "by" not in message_by_key:
        # Shows that the entry names no payer.
        completions = [
            completion._replace(note=word("server.unless_named", pays=tried.pays))
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

    found: list[Diagnostic]
    pays: str = ""


def _try_entry(opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, entry: str) -> _Trial:
    """The problems that an entry would have at the caret."""
    if unfinished.spare:
        return _try_on(opened, unfinished.spare.pop(), entry)
    with opened.workspace.at(file, unfinished.line - 1) as replay:
        return _try_on(opened, replay, entry) if replay is not None else _Trial([])


def _try_on(opened: OpenCampaign, replay: Replay[Any], entry: str) -> _Trial:
    paid = len(replay.play.ledger.postings)
    diagnostics = opened.workspace.attempt(replay, entry)[1]
    return _Trial(diagnostics, ", ".join(payments(replay.play, paid)))


class _Fault(NamedTuple):
    """A problem that an entry would have: its message, the part that other completions share, and whether the
    problem is about the tried word."""

    message: str
    alike: str
    own: bool


def _sort_by_trial(
    opened: OpenCampaign,
    file: str,
    unfinished: _UnfinishedEntry,
    completions: list[Completion],
    until: float,
) -> list[Completion]:
    """What fits, the names that would be wrong behind the others, with what would be said of them. The
    likeliest completions are tried, for a limited time. What the entry still lacks, or what
    is wrong elsewhere in it, is said with each of them, and no fault of any."""
    faults: dict[int, list[_Fault]] = {}
    for number, completion in enumerate(completions[:MOST_TRIED_CHOICES]):
        begun = process_time()
        if completion.line and not completion.why:
            tried = _try_entry(opened, file, unfinished, as_item(completion.line))
            faults[number] = [*_faults(tried.found, completion)]
            note = " · ".join(part for part in (completion.note, tried.pays) if part)
            completions[number] = completion._replace(
                note=note if completion.kind != "verb" else completion.note
            )
        if 2 * process_time() - begun > until:
            break
    forms_of_faults = [
        {fault.alike for fault in wrong}
        for at, wrong in faults.items()
        if completions[at].kind != "verb"
    ]
    alone = sum(bool(completion.line) for completion in completions) == 1
    if alone and len(forms_of_faults) == 1 and unfinished.in_a_key:
        # Of several that fit, one alone tells nothing of what it shares with them.
        (only,) = (
            completion
            for at, completion in enumerate(completions)
            if at in faults and completion.kind != "verb"
        )
        without = _try_entry(opened, file, unfinished, unfinished.so_far).found
        forms_of_faults.append({_shared_form(diagnostic, only) for diagnostic in without})
    common = set.intersection(*forms_of_faults) if forms_of_faults else set()
    for number, wrong in faults.items():
        verb = completions[number].kind == "verb"
        messages = (
            fault.message for fault in wrong if fault.own or not (verb or fault.alike in common)
        )
        completions[number] = completions[number]._replace(why=next(messages, ""))
    # A name that would be wrong by itself, and right with something behind it, is offered once.
    allowed = {completion.label for completion in completions if not completion.why}
    completions = [
        completion
        for completion in completions
        if not completion.why or completion.label not in allowed
    ]
    return sorted(completions, key=lambda completion: completion.rank)


def _faults(diagnostics: Iterable[Diagnostic], completion: Completion) -> Iterator[_Fault]:
    """What of all that was found is said of an entry that a name or a word is tried in."""
    rows = as_item(completion.line).split("\n")
    for diagnostic in diagnostics:
        place = diagnostic.place
        if diagnostic.severity > Severity.NOTE and 0 < place.line <= len(rows):
            word = rows[place.line - 1][place.column - 1 : place.end_column - 1].strip("'\"")
            if word not in (ANYTHING, "1") or word == completion.label:
                # The text may contain the name by another word than its label.
                names = (completion.label, completion.insert.replace(CARET, "").strip(" :,{}'\""))
                is_named = any(word.endswith(name) for name in names if name)
                own = bool(word) and is_named and not _is_about_figure(diagnostic, completion)
                yield _Fault(diagnostic.message, _shared_form(diagnostic, completion), own)


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


def _unfinished_entry(above: list[str], head: str, line: int) -> _UnfinishedEntry | None:
    """The entry of the log that the caret is in."""
    if not any(re.match(r"log\s*:", row) for row in above):
        return None
    if not head or re.match(r"\s*-", head):
        return _UnfinishedEntry(line, [], head, [])
    for number in range(len(above), 0, -1):
        row = above[number - 1]
        if re.match(r"log\s*:", row):
            return _UnfinishedEntry(line, [], head, [])
        if re.match(r"\s*- ", row) and indent_of(row) < indent_of(head):
            return _UnfinishedEntry(number, above[number - 1 :], head, [])
    return None


def _entry_completions(
    opened: OpenCampaign,
    replay: Replay[Any],
    file: str,
    unfinished: _UnfinishedEntry,
    *,
    nested: str,
) -> Iterator[Completion]:
    verbs = replay.rulebook.by_verb
    if not unfinished.above:
        yield from _verb_completions(replay, unfinished.row, nested=nested)
        return
    tree = read_text(_dedented(unfinished.above), file).tree
    if not isinstance(tree, MappingNode) or not tree:
        return
    data = plain_data(tree)
    verb = next((verbs[key] for key in data if key in verbs), None)
    if verb is None:
        return
    row = unfinished.row
    inner = indent_of(_undashed(unfinished.above[0]))
    typed_key = row.strip()
    if indent_of(row) > inner:
        # Where the row begins, as columns are counted in what is above it.
        column = indent_of(row) - inner + next(iter(tree)).column
        yield from _inner_completions(replay, verb, tree, column, row.lstrip())
        return
    typed = KEY.match(row[inner:])
    if typed is None:
        yield from _key_completions(replay, verb, data, typed_key)
        return
    key, value = typed["key"], typed["value"] or ""
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
        yield from _allowed_rules(opened, file, unfinished, value)
    elif key == "under":
        yield from _house_rules(opened, value)
    else:
        rolls = not value and key in replay.rulebook.by_verb and key in verb.fields
        due = [*_roll_completions(opened, file, unfinished, key)] if rolls else []
        yield from due
        yield from _value_completions(
            replay, f"{fold_entry(verb, data)}, {key}: ", value, shaped=not due
        )


def _roll_completions(
    opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, key: str
) -> Iterator[Completion]:
    """Places for the faces that an entry may contain: the dice that are due when the rest of it has
    been played."""
    with opened.workspace.at(file, unfinished.line - 1) as replay:
        if replay is None:
            return
        opened.workspace.attempt(replay, unfinished.so_far)
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
                faces = with_places(write_flow(value))
                label, earning = faces.replace(FACE, "_"), faces_that_earn(replay, verb)
                yield Completion(
                    label, f"{faces}{CARET}", 0, "value", word("server.dice_due"), earning
                )


def _dedented(rows: list[str]) -> str:
    first = _undashed(rows[0])
    width = min((indent_of(row) for row in (first, *rows[1:]) if row.strip()), default=0)
    return "\n".join(row[width:] for row in (first, *rows[1:])) + "\n"


def _undashed(row: str) -> str:
    return row.replace("-", " ", 1)


def _verb_completions(replay: Replay[Any], row: str, *, nested: str) -> Iterator[Completion]:
    """The row with the dash: a verb, or its value."""
    match = _ITEM.match(row)
    assert match is not None
    typed = match["said"]
    dash = "" if match["dash"] else "- "
    space = " " if match["dash"] == "-" else ""
    name = find_verb(typed, replay.rulebook.by_verb)
    if name and re.match(rf"{re.escape(name)}\s*:\s", typed, re.IGNORECASE):
        thrown = (
            [] if typed.partition(":")[2].strip() else [*throw_completions(replay, typed, "", name)]
        )
        yield from thrown
        yield from _value_completions(replay, "", typed, shaped=not thrown)
        return
    completer = Completer(replay)
    if not nested:
        yield from throw_completions(replay, typed, f"{space}{dash}")
    choices = completer.verbs(typed.rstrip(":"))
    if nested:
        apt = partial(_aptness, replay.rulebook, nested)
        choices.sort(key=lambda choice: (choice["met"], apt(choice)))
    turn = replay.rulebook.standing(replay.play).turn
    for choice in choices:
        verb = replay.rulebook.by_verb[choice["label"]]
        note, paying = _price_in_words(completer, verb.verb, choice["note"], turn)
        colon = f": {CARET}" if verb.main is not None else f":{CARET}"
        yield Completion(
            choice["label"],
            f"{space}{dash}{choice['label']}{colon}",
            len(typed),
            "verb",
            note,
            "\n\n".join(
                part
                for part in (paying, choice["hint"], describe_verb(replay.rulebook, verb))
                if part
            ),
            choice["why"],
            # What says all that it has to can be tried; other entries are not complete.
            "" if verb.main is not None and verb.main.required else f"{choice['label']}:",
            verb.also,
            choice["met"],
        )


def _price_in_words(completer: Completer, verb: str, price: str, turn: str) -> tuple[str, str]:
    """The price of a verb and its payer in a few words; and a sentence about other payers."""
    options = [
        option
        for option in completer.candidates.options
        if option.verb == verb and option.price and option.price[0]
    ]
    payers = [*dict.fromkeys(option.by or turn for option in options)]
    if not price or not all(payers) or not payers:
        return price, ""
    first = [turn] if turn in payers else payers
    other_payers = either(f"`by: {payer}`" for payer in payers if payer not in first)
    key = "server.pays_told_else" if other_payers else "server.pays_told"
    sentence = word(key, payers=either(first), price=price, others=other_payers)
    return word("server.pays", payers=either(first), price=price), sentence


def _aptness(rules: Rulebook[Any], outer: str, choice: dict[str, Any]) -> tuple[object, ...]:
    """How well a verb fits into an entry that tells others. Verbs that share the limits of the outer verb come
    last; what the game has for no other moment comes first."""
    verb, law, around = rules.by_verb[choice["label"]], rules.law, rules.by_verb.get(outer)
    within = {*law.phases} if law is not None else set()
    within -= {*around.moment.phases} if around is not None else set()
    phases = verb.moment.phases
    barred = bool(phases and within and not within & {*phases}) or verb is around
    return barred, verb.verb not in rules.own_verbs, not verb.by_dice, len(phases) or len(within)


def _value_completions(
    replay: Replay[Any], lead: str, typed: str, *, braces: bool = True, shaped: bool = True
) -> Iterator[Completion]:
    """Completions of a value that is typed in YAML, after ``lead`` on the same line. ``braces``:
    a name with a value needs braces. ``shaped``: shapes of it are offered."""
    text = lead + typed
    within = close_brackets(typed) != typed
    completer = Completer(replay)
    choices = completer.choices(text, len(text))["choices"]
    value = (typed if lead else typed.partition(":")[2]).strip()
    keys = _keys_of_new(completer, text) if braces and (value or "[")[-1] in "[," else {}
    named = {choice["label"] for choice in choices if choice["line"].endswith(": ")}
    if not named:
        # A choice that is complete begins no new item.
        keys = {key: keys[key] for key in keys.keys() - {choice["label"] for choice in choices}}
    documentation = _key_documentation(completer, text)
    faces_due = [*_faces_due(completer, text)]
    for faces in faces_due:
        earned = faces_that_earn(replay, find_verb(text, completer.rules.by_verb))
        with_earning = "\n\n".join(part for part in (earned, documentation) if part)
        yield Completion(
            faces.replace(FACE, "_"),
            f"{faces}{CARET}",
            0,
            "value",
            word("server.dice_due"),
            with_earning,
        )
    for rank, choice in enumerate([*choices, *(keys[key] for key in keys if key not in named)]):
        kind, line, label = choice["kind"], choice["line"], choice["label"]
        if kind in ("verb", "key") or (kind == "next" and not within) or choice["chosen"]:
            continue
        shared = _shared_length(text, line)
        over = len(text) - shared
        if over > len(typed):
            continue
        insert = line[shared:]
        # An editor compares what is typed with the label, so that it takes the place of all of it.
        overlap = next((n for n in range(min(len(typed), len(label)), over, -1)
                      if label.casefold().startswith(typed[-n:].casefold())), over)  # fmt: skip
        insert, over = typed[len(typed) - overlap : len(typed) - over] + insert, overlap
        colon = typed.rstrip().endswith(":")
        if insert.endswith(": ") and (braces or colon):
            # Between braces a comma would end the sentence.
            behind = f'"{CARET}"' if completer.tells(line) else ""
            if holds_entries(completer.field_at(text)):
                insert = (
                    f"{insert}[{{{CARET}}}]"
                    if within
                    else f"\n    {insert.rstrip()}\n    - {CARET}"
                )
            elif completer.speaks(line):
                # The speaker comes before the words, on a line of each speech.
                insert = f"|\n    {insert}{CARET}" if len(value) <= over else f"{insert}{CARET}"
            elif (not within or label in keys or colon) and kind != "next":
                insert = f"{{{insert}{behind or CARET}}}"
            else:
                insert += behind
        tried = rank < MOST_TRIED_CHOICES and not choice["why"] and kind in ("name", "value")
        # A name that needs more names can only be checked with them.
        tried = tried and not any(slot.is_for_name for slot in completer.slots_at(line))
        entry = _entry_of(replay, completer.complete_line(line)) if tried else ""
        yield Completion(
            label,
            insert,
            over,
            kind if kind == "value" else "name",
            choice["note"],
            "\n\n".join(part for part in (choice["hint"], documentation) if part),
            choice["why"],
            entry,
            match=choice["met"],
        )
    for shape in () if faces_due or not shaped else snippets(completer, text):
        completion = Completion(
            "", f"{shape}{CARET}", 0, "shape", word("server.in_this_shape"), documentation
        )
        yield completion._replace(label=completion.plain[0])


def _key_documentation(completer: Completer, text: str) -> str:
    """What there is to say of the key that a line ends in."""
    line, field = split_line(text, completer.rules.by_verb), completer.field_at(text)
    return describe_key(line.verb, field) if line is not None and field is not None else ""


def _faces_due(completer: Completer, text: str) -> Iterator[str]:
    """Places for the faces of the dice that are due: those of the person before the caret or, in a brace, of all."""
    rules, line = completer.rules, split_line(text, completer.rules.by_verb)
    verb, inside = find_verb(text, rules.by_verb), text.rstrip().endswith("{")
    if not text.rstrip().endswith(("{", ":")) or line is None or line.parts[-1].key != verb:
        return
    open_slots = [slot for slot in completer.slots_at(text) if not slot.typed.strip()]
    for path in dict.fromkeys(slot.path for slot in open_slots if slot.path or inside):
        for (owed, within), dice in dice_due(completer.replay, verb).items():
            value: Any = rules.thrown(owed, dice, within).get(verb) if owed == verb else None
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
                faces = write_flow(value)[inside:-1] if inside else write_flow(value)
                yield with_places(faces)


def _entry_of(replay: Replay[Any], line: str) -> str:
    """A line of the desk in YAML; empty where it is no entry."""
    try:
        return write_entry(read_line(line, replay.rulebook.by_verb))
    except LineError:
        return ""


def _keys_of_new(completer: Completer, text: str) -> dict[str, dict[str, Any]]:
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
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


def _inner_completions(
    replay: Replay[Any], verb: type[Action], tree: MappingNode, column: int, typed: str
) -> Iterator[Completion]:
    """Completions in a mapping on its own lines that begins in a column, under the last key of an entry or deeper."""
    key = str(list(tree)[-1])
    field = verb.main if key == verb.verb else verb.fields.get(key)
    if field is not None and roleless(field.kind) is not TEXT:
        yield from _value_completions(
            replay, fold_entry_at(verb, tree, column), typed, braces=False
        )


def _key_completions(
    replay: Replay[Any], verb: type[Action], data: dict[str, Any], typed: str
) -> Iterator[Completion]:
    """The keys that an entry may have besides: what it needs, then its verb's own, most used first."""
    completer = Completer(replay)
    for field in sorted(
        verb.fields.values(), key=lambda field: completer.candidates.order(verb, field)
    ):
        if field.name in data or not field.name.startswith(typed.casefold()):
            continue
        documentation = describe_key(verb, field)
        insert = f"{field.name}: {CARET}" if field.name not in ("text",) else f"text: |\n  {CARET}"
        yield Completion(
            field.name, insert, len(typed), "key", "needed" if field.required else "", documentation
        )


def _allowed_rules(
    opened: OpenCampaign, file: str, unfinished: _UnfinishedEntry, value: str
) -> Iterator[Completion]:
    """The rules that this entry is accused under, first of all."""
    word = re.split(r"[{,]\s*", value)[-1]
    if ":" in word:
        return
    brace = "" if close_brackets(value) != value else "{"
    close = "" if brace == "" else "}"
    for diagnostic in keyed(opened).values():
        place = diagnostic.place
        if place.path == file and unfinished.line <= place.line <= unfinished.line + len(
            unfinished.above
        ):
            yield Completion(
                diagnostic.code,
                f"{brace}{diagnostic.code}: {CARET}{close}",
                len(word),
                "rule",
                "",
                diagnostic.message,
            )


def _house_rules(opened: OpenCampaign, value: str) -> Iterator[Completion]:
    campaign = opened.workspace.campaign
    rules = campaign.settings.house_rules if campaign is not None else None
    word = re.split(r"[\[,]\s*", value)[-1]
    for id, rule in (rules or {}).items():
        if str(id).startswith(word):
            yield Completion(str(id), str(id), len(word), "rule", "", str(rule.rule))
