"""The log as data: each entry with its text and its effects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from textwrap import dedent
from typing import Any, Final

from chronicle.core.campaign import Header
from chronicle.core.declare import Action, PartOf
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.errors import Refused
from chronicle.core.field_types import TEXT, alternatives, roleless
from chronicle.core.game import results_of
from chronicle.core.gaps import at_most
from chronicle.core.keepers import PERSONAL_KEYS
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.names import Named
from chronicle.core.outcomes import Outcome, outcomes_of, plain_text
from chronicle.core.record import Record, SessionRecord, Step, sentence_of
from chronicle.core.secrets import SEAL_FORMAT
from chronicle.core.sentences import FigureChange, is_counted, plain
from chronicle.core.shared_verbs import COMMON_VERBS
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.services import block_data
from chronicle.services.diagnostic_data import diagnostics_by_key
from chronicle.services.entry_rows import entry_row
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable, version_of
from chronicle.services.spans import NameMarker
from chronicle.syntax.edit import last_line_of_entry
from chronicle.syntax.kinds import holds_entries

WORDS_FOR_ALL: Final = ("everybody", "all")
"""Words that count as told when they occur."""
SEALED_START: Final = f'["{SEAL_FORMAT}"'
POSTINGS_PER_PAGE: Final = 256
"""The balances of all accounts are stored after this number of postings."""


def log_data(opened: OpenCampaign, first_step_number: int, last_step_number: int) -> dict[str, Any]:
    """The entries from number ``first_step_number`` to ``last_step_number``, with their sessions and scenes."""
    record = opened.workspace.record
    if record is None:
        raise opened.unreadable()
    first_step_number = max(first_step_number, 1)
    steps = record.steps[first_step_number - 1 : max(last_step_number, 0)]
    mark_names = opened.name_marker()
    problem_keys_by_step: dict[int, list[str]] = {}
    problems_without_step: dict[str, Diagnostic] = {}
    for key, problem in diagnostics_by_key(opened).items():
        problem_keys_by_step.setdefault(problem.step_number, []).append(key)
        if not problem.step_number:
            problems_without_step[key] = problem
    movements = _cached_movements(opened, record, mark_names)
    outcomes_by_step: dict[int, list[Outcome]] = {}
    for outcome in outcomes_of(record, results_of(record), first_step_number, last_step_number):
        outcomes_by_step.setdefault(outcome.step_number, []).append(outcome)
    unreadable_entries = (
        [*_unreadable_entries(opened, record, problems_without_step, problem_keys_by_step)]
        if problems_without_step
        else []
    )
    return {
        "total": len(record.steps),
        "entries": [
            _entry_data(
                record,
                step,
                mark_names,
                movements,
                problem_keys_by_step.get(step.number, []),
                outcomes_by_step.get(step.number, []),
            )
            for step in steps
        ],
        "unread": [
            unreadable_entry
            for unreadable_entry in unreadable_entries
            if first_step_number - 1 <= unreadable_entry["after"] <= last_step_number
        ],
        "sessions": [
            {
                "number": session_record.session.number,
                "title": str(session_record.session.header.title or ""),
                "date": str(session_record.session.header.date or ""),
                "file": session_record.session.path,
                "version": _file_version(opened, session_record)
                if session_record.last_step + 1 >= first_step_number
                else "",
                "first_step": session_record.first_step,
                "last_step": session_record.last_step,
                "present": [*session_record.present],
                "told": _keepers_words(session_record.session.header),
            }
            for session_record in record.sessions
        ],
        "scenes": [
            {
                "number": scene.number,
                "title": scene.title,
                "kind": scene.kind,
                "session": scene.session,
                "first_step": scene.first_step,
                "last_step": scene.last_step or 0,
                "place": scene.place,
                "time": scene.when,
                "cast": [record.names.all[id].name for id in scene.cast if id in record.names.all],
            }
            for scene in record.timeline.scenes
        ],
    }


def _file_version(opened: OpenCampaign, session_record: SessionRecord) -> str:
    """The version of the file that a session was read from."""
    with suppress(Refused):
        return version_of(opened.text(session_record.session.path))
    return ""


def log_entry(opened: OpenCampaign, step_number: int) -> dict[str, Any]:
    """One entry."""
    entries: list[dict[str, Any]] = log_data(opened, step_number, step_number)["entries"]
    if not entries:
        raise Unanswerable(f"there is no entry {step_number}")
    return entries[0]


def _cached_movements(
    opened: OpenCampaign, record: Record, mark_names: NameMarker
) -> _AccountMovements:
    """The movements of every entry of a record, computed once."""
    movements = opened.cached_values.get("moved")
    if not isinstance(movements, _AccountMovements) or movements.record is not record:
        previous_movements = movements if isinstance(movements, _AccountMovements) else None
        movements = opened.cached_values["moved"] = _AccountMovements(
            record, mark_names, previous_movements
        )
    return movements


class _AccountMovements:
    """The movements of every entry, with the balances afterwards. ``previous`` are the movements of an
    earlier Record: balances up to the first different posting are taken from there."""

    def __init__(
        self,
        record: Record,
        mark_names: NameMarker,
        previous_movements: _AccountMovements | None = None,
    ) -> None:
        self.record = record
        # A later replay may extend the record's own list.
        self._postings = [*record.ledger.postings]
        self._name_marker = mark_names
        self._balances_after_posting: list[tuple[int, int]] = []
        """The balances of source and target after each posting."""
        self._balances_by_page: list[dict[tuple[str, str], int]] = []
        """The balances of all accounts before every ``POSTINGS_PER_PAGE`` postings."""
        if previous_movements is not None:
            posting_pairs = zip(previous_movements._postings, self._postings, strict=False)
            unchanged_count = sum(
                1 for _ in takewhile(lambda pair: pair[0] is pair[1], posting_pairs)
            )
            self._balances_by_page = previous_movements._balances_by_page[
                : unchanged_count // POSTINGS_PER_PAGE + 1
            ]
            self._balances_after_posting = previous_movements._balances_after_posting[
                : max(len(self._balances_by_page) - 1, 0) * POSTINGS_PER_PAGE
            ]
        current_balances = {**self._balances_by_page.pop()} if self._balances_by_page else {}
        for index in range(len(self._balances_after_posting), len(self._postings)):
            if index % POSTINGS_PER_PAGE == 0:
                self._balances_by_page.append({**current_balances})
            posting = self._postings[index]
            source_account, target_account = (
                (posting.source, posting.unit),
                (posting.target, posting.unit),
            )
            current_balances[source_account] = (
                current_balances.get(source_account, 0) - posting.amount
            )
            current_balances[target_account] = (
                current_balances.get(target_account, 0) + posting.amount
            )
            self._balances_after_posting.append(
                (current_balances[source_account], current_balances[target_account])
            )

    def changes(self, step: Step) -> list[FigureChange]:
        """Every figure that a step changed, as :meth:`chronicle.core.record.Record.changes` gives them."""
        amount_by_account: dict[tuple[str, str], int] = {}
        balances_after: dict[tuple[str, str], int] = {}
        for index in range(*step.posting_range):
            posting, balances_after_posting = (
                self._postings[index],
                self._balances_after_posting[index],
            )
            for account, change, balance in (
                (posting.source, -posting.amount, balances_after_posting[0]),
                (posting.target, posting.amount, balances_after_posting[1]),
            ):
                account_and_unit = account, posting.unit
                balances_after[account_and_unit] = balance
                if posting.step_number == step.number:
                    amount_by_account[account_and_unit] = (
                        amount_by_account.get(account_and_unit, 0) + change
                    )
        changes = [
            FigureChange(
                kind_of(account),
                owner_of(account),
                balances_after[account, unit] - change,
                balances_after[account, unit],
                unit,
            )
            for (account, unit), change in amount_by_account.items()
            if change and is_counted(account, self.record.rulebook.supplies)
        ]
        return [*changes, *step.changes]

    def movements_of(self, step: Step) -> list[dict[str, Any]]:
        """The movements of a step: owner, amount, unit, rule and the balance afterwards."""
        movement_by_account: dict[tuple[str, str], dict[str, Any]] = {}
        for index in range(*step.posting_range):
            posting = self._postings[index]
            if posting.step_number != step.number:
                continue
            for account, direction, balance in (
                (posting.source, -1, self._balances_after_posting[index][0]),
                (posting.target, 1, self._balances_after_posting[index][1]),
            ):
                owner = owner_of(account)
                if not owner:
                    continue
                movement = movement_by_account.setdefault(
                    (account, posting.unit),
                    {
                        "who": self._name_marker.spans_of_subject(owner),
                        "of": kind_of(account),
                        "unit": posting.unit,
                        "change": 0,
                    },
                )
                movement["change"] += direction * posting.amount
                is_upper_bound = (account, posting.unit) in step.upper_bound_accounts
                movement |= {
                    "balance": at_most(balance, True) if is_upper_bound else balance,
                    "rule": posting.rule,
                }
        return [*movement_by_account.values()]


def _change_data(record: Record, change: FigureChange, mark_names: NameMarker) -> dict[str, Any]:
    """A changed figure as plain data: its owner, its name in the words of the game, its values, its unit."""
    return {
        "who": mark_names.spans_of_subject(change.owner_id) if change.owner_id else [],
        "name": record.rulebook.accounts.get(change.name, change.name),
        "before": change.before,
        "after": change.after,
        "unit": change.unit,
    }


def _keepers_words(header: Header) -> dict[str, Any]:
    """The keepers' words in the head of a session."""
    return {
        "recap": "\n\n".join(paragraph.strip() for paragraph in header.recap),
        **{
            key: {
                str(name): str(paragraph)
                for name, paragraph in (getattr(header, key) or {}).items()
            }
            for key in PERSONAL_KEYS
        },
    }


def _entry_data(
    record: Record,
    step: Step,
    mark_names: NameMarker,
    movements: _AccountMovements,
    problem_keys: list[str],
    outcomes: Sequence[Outcome],
) -> dict[str, Any]:
    entry_place = step.action.whole_place
    changes = movements.changes(step)
    return {
        "step": step.number,
        "parent": step.parent or 0,
        "file": entry_place.path,
        "line": entry_place.line,
        "end_line": entry_place.end_line
        if entry_place.end_column > 1
        else entry_place.end_line - 1,
        "session": step.session,
        "scene": step.scene or 0,
        "player": step.player,
        "speaker": mark_names(step.speaker) if step.speaker else [],
        "verb": step.action.verb,
        "row": entry_row(step, changes, record.names, record.rulebook.accounts, mark_names),
        "head": mark_names(step.headline),
        "sentence": mark_names(plain(sentence_of(step))),
        "fiction": step.fiction,
        "talk": step.talk,
        "follows": [
            {"text": mark_names(event.text), "rule": event.rule, "kind": event.kind}
            for event in step.events
        ],
        "moved": movements.movements_of(step),
        "changes": [_change_data(record, change, mark_names) for change in changes],
        "outcomes": [
            {
                "about": [mark_names.span_of_subject(id) for id in outcome.subject_ids],
                "text": mark_names(plain_text(outcome.sentence)),
            }
            for outcome in outcomes
        ],
        "written": _untold_values(record, step),
        "dice": block_data.contest_data(step.contest) if step.contest is not None else None,
        "struck": step.retracted_by,
        "hidden": step.hidden,
        "links": [_link_data(record, index) for index in step.links],
        "findings": problem_keys,
    }


def _untold_values(record: Record, step: Step) -> list[dict[str, str]]:
    """The values of an entry that its texts and events do not mention: a sentence, lines of a sheet,
    figures, by key. Sealed text is left out, and so is anything that other players must not see yet."""
    action = step.action
    if step.contest is not None:
        return []
    entry_texts = [step.headline, step.fiction, step.talk, *(event.text for event in step.events)]
    scene = record.timeline.get(step.scene) if step.scene else None
    if scene is not None and scene.first_step == step.number:
        entry_texts += [scene.title, scene.place, scene.when]
        entry_texts += [record.names.all[id].name for id in scene.cast if id in record.names.all]
    folded_texts = _comparable_text(" ".join(filter(None, (*entry_texts, *WORDS_FOR_ALL))))
    # Nested entries, and stated figures, are described separately.
    is_told_elsewhere = type(action) in COMMON_VERBS or holds_entries(type(action).main)
    # A word of the game is described by its effect; a sentence is in a player's own words.
    main_field = type(action).main
    is_sentence = main_field is not None and roleless(main_field.kind) is TEXT
    untold_values = []
    for key, value in action.source.items():
        key_name = str(key)
        is_main_value = (
            key_name == action.verb
            and (is_sentence or not isinstance(value, ScalarNode))
            and not is_told_elsewhere
        )
        if key_name in Action.fields or not (is_main_value or key_name in action.fields):
            continue
        if step.hidden and key_name in (action.hides or ()):
            continue
        if (
            not is_main_value
            and isinstance(value, MappingNode)
            and {*map(str, value)} <= _keys_of(action, key_name)
        ):
            # Of a mapping, keep only the keys whose words are not told elsewhere.
            value = MappingNode(
                (part_key, part_value)
                for part_key, part_value in value.items()
                if any(
                    not _is_told(record, word, folded_texts) for word in _leaf_values(part_value)
                )
            )
            if not value:
                continue
        if _has_untold_words(
            record,
            value,
            entry_texts,
            folded_texts,
            is_own_key=not is_main_value and action.hides is None,
        ):
            value_text = _value_as_text(value)
            if not value_text.startswith(SEALED_START):
                untold_values.append({"key": key_name, "text": value_text})
    return untold_values


def _keys_of(action: Action, field_name: str) -> set[str]:
    """The keys of a mapping that a key of an entry may have."""
    field = action.fields.get(field_name)
    field_types = map(roleless, alternatives(field.kind)) if field is not None else ()
    return {
        key
        for field_type in field_types
        if isinstance(field_type, PartOf)
        for key in field_type.part.fields
    }


def _has_untold_words(
    record: Record,
    value: Value,
    texts: Sequence[str | None],
    folded_texts: str,
    *,
    is_own_key: bool,
) -> bool:
    """Whether a value contains words that no text mentions. ``folded_texts`` are all texts as one. For a
    value that is not one of the entry's ``is_own_key`` keys, names and figures are described elsewhere."""
    value_words = [
        word for word in _leaf_values(value) if is_own_key or any(map(str.isalpha, word))
    ]
    missing_words = [word for word in value_words if not _is_told(record, word, folded_texts)]
    if not is_own_key:
        return any(not isinstance(record.names.find(word), Named) for word in missing_words)
    if missing_words or not isinstance(value, MappingNode):
        return bool(missing_words)
    # Both words are allowed, but not in one sentence.
    sentences = [_comparable_text(text) for text in texts if text]
    for key, inner_value in value.items():
        sentences_with_key = [
            sentence for sentence in sentences if _is_told(record, str(key), sentence)
        ]
        if any(
            isinstance(record.names.find(word), Named)
            and not any(_is_told(record, word, sentence) for sentence in sentences_with_key)
            for word in _leaf_values(inner_value)
        ):
            return True
    return False


def _is_told(record: Record, word: str, folded_text: str) -> bool:
    """Whether a text mentions a word, or a person by any name."""
    subject = record.names.find(word)
    if not isinstance(subject, Named):
        is_figure = word.lstrip("-").isdigit()
        return _has_word(word, folded_text) if is_figure else _comparable_text(word) in folded_text
    names = {word, subject.name}
    # A person is mentioned by any capitalised part of the name.
    names |= {name_part for name in names for name_part in name.split() if name_part[:1].isupper()}
    return any(_has_word(_comparable_text(name), folded_text) for name in names)


def _has_word(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _leaf_values(value: Value) -> Iterator[str]:
    if isinstance(value, ScalarNode):
        yield str(value)
    elif isinstance(value, SequenceNode):
        for inner_value in value:
            yield from _leaf_values(inner_value)
    else:
        for key, inner_value in value.items():
            yield str(key)
            yield from _leaf_values(inner_value)


def _value_as_text(value: Value) -> str:
    """A value as text, without YAML syntax."""
    if isinstance(value, ScalarNode):
        return " ".join(str(value).split())
    if isinstance(value, SequenceNode):
        return ", ".join(map(_value_as_text, value))
    return "; ".join(f"{key}: {_value_as_text(inner_value)}" for key, inner_value in value.items())


def _comparable_text(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _unreadable_entries(
    opened: OpenCampaign,
    record: Record,
    problem_by_key: Mapping[str, Diagnostic],
    problem_keys_by_step: dict[int, list[str]],
) -> Iterator[dict[str, Any]]:
    """The unreadable entries of the log: their place, the entry they come ``after``, and their problems.
    Problems of an entry that was read anyway are added to ``problem_keys_by_step``."""
    campaign = opened.workspace.campaign
    session_files = [session.path for session in campaign.sessions] if campaign is not None else []
    problem_keys_by_place: dict[tuple[int, int], list[str]] = {}
    last_line_by_entry: dict[tuple[int, int], int] = {}
    for key, problem in problem_by_key.items():
        problem_place = problem.place
        tree = opened.tree(problem_place.path) if problem_place.path in session_files else None
        log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
        for entry_node in log_node if isinstance(log_node, SequenceNode) else ():
            if entry_node.line <= problem_place.line <= last_line_of_entry(entry_node):
                entry_key = session_files.index(problem_place.path), entry_node.line
                problem_keys_by_place.setdefault(entry_key, []).append(key)
                last_line_by_entry[entry_key] = last_line_of_entry(entry_node)
    for (session_index, first_line), problem_keys in sorted(problem_keys_by_place.items()):
        session_record = record.sessions[session_index]
        line_step_pairs = [
            (step.action.whole_place.line, step.number)
            for step in record.steps[session_record.first_step - 1 : session_record.last_step]
            if step.action.path == session_files[session_index]
        ]
        step_number = next(
            (number for step_line, number in line_step_pairs if step_line == first_line), 0
        )
        if step_number:
            problem_keys_by_step.setdefault(step_number, []).extend(problem_keys)
        else:
            entry_rows = opened.text(session_files[session_index]).splitlines()[
                first_line - 1 : last_line_by_entry[session_index, first_line]
            ]
            preceding_step_number = session_record.first_step - 1 if session_index else 0
            yield {
                "after": max(
                    (number for step_line, number in line_step_pairs if step_line < first_line),
                    default=preceding_step_number,
                ),
                "file": session_files[session_index],
                "line": first_line,
                "text": dedent("\n".join(entry_rows)),
                "findings": problem_keys,
            }


def _link_data(record: Record, step_number: int) -> dict[str, Any]:
    """The place of another entry."""
    entry_place = record.step(step_number).action.whole_place
    return {"step": step_number, "file": entry_place.path, "line": entry_place.line}
