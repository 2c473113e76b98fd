"""Help with a line that is being typed: what fits it, what it would do, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property
from typing import Any, Final

from chronicle.core.declare import Field
from chronicle.core.diagnostic import Severity
from chronicle.core.field_types import TEXT, YES_NO, Choice, roleless
from chronicle.core.law import player_named
from chronicle.core.names import Named
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.services import nested, writing
from chronicle.services.campaign_facts import action_classes_of
from chronicle.services.choice_trials import MOST_TRIED_NAMES, ChoiceTrials
from chronicle.services.choices import PREFIX_MATCH
from chronicle.services.entry_effects import effect_of_line
from chronicle.services.line_completion import Completer
from chronicle.services.line_parts import find_wrong_part, token_ranges
from chronicle.services.missing_colons import legal_readings, offer_readings
from chronicle.services.position import Position
from chronicle.services.proposals import keys_asked_for, keys_removed_by_fixes
from chronicle.services.snippets import example_mapping
from chronicle.services.usage import names_in_entry
from chronicle.syntax.one_line import (
    LineError,
    ParsedLine,
    TypedField,
    close_brackets,
    read_line,
    split_line,
)
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word

Answer = dict[str, Any]

KINDS_LACKING: Final = frozenset({"key", "part", "next", "value"})
"""The kinds of choices that a line can lack, by their labels."""
_KEY_OF_MESSAGE: Final = re.compile(r"'([^']+)' (?:takes|needs) ")
_LEAD_OF_EXAMPLE: Final = re.compile(r"(?:write it|say whose it is,) as in\b|for example\b")
_FIGURE: Final = re.compile(r"\d+")
_PAIR_MEANING: Final = re.compile(r"\{([^{}]*)\}")
"""The two halves of a pair, in the words about a key."""


class LineHelp:
    """Help with one line at one position.

    Args:
        position: Where the entry would come.
        line: The line.
        actor: Whose act it is; empty: as the log takes it.
        story: The story beside it.
    """

    def __init__(self, position: Position, line: str, actor: str = "", story: str = "") -> None:
        self.position, self.opened = position, position.opened
        self.line, self.actor, self.story = line, actor, story
        self.verbs = action_classes_of(self.opened)

    @cached_property
    def parsed_line(self) -> ParsedLine | None:
        """The line in parts; None where no verb begins it."""
        return split_line(self.line, self.verbs)

    def answer(self, caret: int) -> Answer:
        """The choices for a caret in the line, and the effect of the line."""
        line, is_at_end = self.line, caret == len(self.line)
        unfinished_entry = nested.find_unfinished_nested_entry(line[:caret], self.verbs)
        if unfinished_entry is not None:
            with self.position.replay() as replay:
                answer = nested.nested_choices(
                    self.opened.workspace, replay, unfinished_entry, line, caret
                )
        typed_key = value_example = pair_meaning = ""
        typed_and_other_word, unsure_names, barred_names = None, set[str](), set[str]()
        with self.position.replay() as replay:
            player_on_turn = replay.rulebook.standing(replay.play).turn
            if unfinished_entry is None:
                completer = Completer(replay, self.actor)
                answer = completer.find_choices(line, caret)
                choice_labels = [choice["label"] for choice in answer["choices"]]
                barred_names = completer.excluded_names(
                    line[:caret], choice_labels
                ) | completer.repeated_names(line[:caret], choice_labels)
                typed_key, value_example, pair_meaning = self._example_of_last_value(completer)
            if unfinished_entry is None and is_at_end:
                starts_part = any(
                    choice["kind"] == "part" and choice["line"].startswith(line)
                    for choice in answer["choices"]
                )
                typed_and_other_word = (
                    None if starts_part else completer.replace_unoffered_word(line)
                )
                unsure_names = completer.names_needing_trial(line)
            answer["example"] = (
                example_mapping(completer, line, answer["choices"])
                if unfinished_entry is None and is_at_end
                else ""
            )
        if unfinished_entry is None:
            self._renew_choice_notes(answer, caret)
        effect = self._effect_of_likely_actor(player_on_turn)
        readings = self._readings() if effect["lacks"] and unfinished_entry is None else []
        if len(readings) == 1:
            effect = self._with_line(readings[0])._effect_of_likely_actor(player_on_turn)
        answer["parts"] = nested.list_parts(line, self.verbs)
        answer["tokens"] = token_ranges(self.parsed_line)
        wrong_part = find_wrong_part(
            effect["lacks"], self.parsed_line.typed_fields[:-1] if self.parsed_line else ()
        )
        if wrong_part is not None and not readings:
            # One part is wrong, whatever follows: that is asked for first.
            answer |= {"ghost": "", "example": ""}
        elif effect["lacks"] and value_example and not effect["lacks"][0]["unsaid"]:
            # The words that are there in pairs say more than any example.
            example = f"{typed_key} {effect['lacks'][0].get('pairs') or value_example}"
            effect["lacks"][0]["unsaid"] = (
                word("server.write_it_as_in_meaning", example=example, meaning=pair_meaning)
                if pair_meaning
                else word("server.write_it_as_in", example=example)
            )
        for lacking_part in effect["lacks"]:
            self._put_own_names_into_example(lacking_part)
        trials = ChoiceTrials(self, answer)
        if typed_and_other_word is not None:
            trials.bar_typed_word(*typed_and_other_word)
        if answer["key"] == "by" and is_at_end:
            trials.bar_actors()
        if unsure_names:
            trials.bar_unsure_names(unsure_names)
        if unfinished_entry is None:
            trials.bar_names(line[:caret], effect["by"], barred_names)
            trials.put_legal_first(line[:caret])
            self._drop_excluded_keys(answer)
        self._put_lacking_first(answer, effect, is_at_end)
        if readings:
            offer_readings(answer, effect["lacks"], line, readings)
        elif wrong_part is not None:
            answer["title"] = wrong_part["message"]
        answer["title"] = answer["title"] or word("server.ask_what_happens")
        other_choices = [
            choice for choice in answer["choices"] if choice["line"].strip() != line.strip()
        ]
        is_line_complete = effect["complete"] and self._is_answered()
        if is_line_complete and all(
            choice["kind"] in ("key", "next", "part") for choice in other_choices
        ):
            is_key_asked_for = any(problem.get("asks") for problem in effect["findings"])
            answer["title"] = answer["title"] if is_key_asked_for else word("server.anything_else")
        return answer | effect

    def understood(self) -> LineHelp:
        """Help with what the line means, if it lacks a colon and has one legal reading; else with the line itself."""
        readings = [] if self.effect()["complete"] else self._readings()
        return self._with_line(readings[0]) if len(readings) == 1 else self

    def _readings(self) -> list[str]:
        return self.opened.cached_answer(
            ("readings", self.line, self.actor, *self.position.key),
            lambda: legal_readings(
                self.position, self.line, self.actor, lambda line: self._with_line(line).is_legal()
            ),
        )

    def answer_for_range(self, range_start: int, range_end: int) -> Answer:
        """The choices for other words in place of those between two offsets, and the effect of the line."""
        shorter_line = self.line[:range_start] + self.line[range_end:]
        answer_without_words = LineHelp(self.position, shorter_line, self.actor, self.story).answer(
            range_start
        )
        for choice in answer_without_words["choices"]:
            text_before_caret, text_after_caret = (
                choice["line"][: choice["caret"]],
                choice["line"][choice["caret"] :],
            )
            if text_before_caret.endswith(": ") and text_after_caret.startswith(":"):
                choice["line"] = text_before_caret + text_after_caret[1:].lstrip()
            choice["chosen"] = choice["label"] == self.line[range_start:range_end]
        choices_answer = {
            key: answer_without_words[key]
            for key in ("key", "title", "choices", "more")
            if key in answer_without_words
        }
        return self.answer(len(self.line)) | choices_answer | {"ghost": "", "example": ""}

    def _example_of_last_value(self, completer: Completer) -> tuple[str, str, str]:
        """How the last value of the line is written: its key, an example, and what its halves mean."""
        parsed_line = self.parsed_line
        line_before = (
            self._line_to_value(completer, parsed_line.typed_fields[-1]) if parsed_line else ""
        )
        example_text = (
            example_mapping(completer, line_before)
            if line_before and line_before != self.line
            else ""
        )
        field = completer.field_at(line_before) if example_text else None
        pair_match = _PAIR_MEANING.match(field.doc) if field is not None else None
        typed_key = line_before[line_before.rfind(",") + 1 :].strip()
        return typed_key, example_text, pair_match[1] if pair_match else ""

    def _line_to_value(self, completer: Completer, part: TypedField) -> str:
        """The line up to the value of a key; up to the mapping of a name, if a name is all that stands there."""
        line_before = self.line[: part.start]
        line_with_name = f"{line_before}{part.text.strip()}: "
        choices = completer.find_choices(line_before, len(line_before))["choices"]
        is_name = any(choice["line"] == line_with_name for choice in choices)
        takes_mapping = is_name and ": " in example_mapping(completer, line_with_name)
        return line_with_name if takes_mapping else line_before

    def _put_own_names_into_example(self, lacking_part: Answer) -> None:
        """Give the example in the help of a lack names of this table: the documentation has those of another."""
        parsed_line = self.parsed_line
        field_match = _KEY_OF_MESSAGE.match(lacking_part["message"])
        if parsed_line is None or field_match is None:
            return
        for part in parsed_line.typed_fields:
            if part.key != field_match[1]:
                continue
            with self.position.replay() as replay:
                completer = Completer(replay, self.actor)
                line_before = self._line_to_value(completer, part).rstrip() + " "
                example_text = example_mapping(completer, line_before)
            key = line_before[line_before.rfind(",") + 1 :].strip()
            legal_line = ""
            if len(line_before.rstrip()) == len(self.line[: part.start].rstrip()):
                legal_line = self._legal_line_with_value(part, example_text)
            if legal_line:
                lacking_part["unsaid"] = word("server.write_it_as_in", example=legal_line)
            lacking_part["hints"] = [
                f"{lead_match[0]} `{legal_line or f'{key} {example_text}'}`"
                if (lead_match := _LEAD_OF_EXAMPLE.match(hint)) and example_text
                else hint
                for hint in lacking_part.get("hints", ())
            ]

    def _legal_line_with_value(self, part: TypedField, example_text: str) -> str:
        """A legal line in which a name that stands alone has the last value of an example: ``contacts Heron: Zora:
        getaways`` for ``contacts Zora``; empty if there is none."""
        value = example_text.rpartition(": ")[2]
        name = part.text.strip()
        if not name or not value or name[0] in "[{" or ":" in name:
            return ""
        text_after = self.line[part.start + len(part.text) :]
        line = f"{self.line[: part.start]}{name} {value}{text_after}"
        return next(iter(self._with_line(line)._readings()), "")

    def _renew_choice_notes(self, answer: Answer, caret: int) -> None:
        """Let the figures beside the choices count what the line lists already."""
        choices_with_figures = [
            choice
            for choice in answer["choices"]
            if choice["kind"] in ("name", "value", "next")
            and choice["eligible"]
            and _FIGURE.search(choice["note"])
        ]
        is_complete = any(choice["kind"] == "next" for choice in choices_with_figures)
        line_to_caret = self.line[:caret]
        shorter_line = line_to_caret if is_complete else line_to_caret.rpartition(",")[0]
        if not choices_with_figures or not shorter_line:
            return
        with self.position.replay() as replay:
            try:
                entry_data = read_line(shorter_line, self.verbs)
            except LineError:
                return
            needs_actor = self.actor and "by" not in entry_data
            entry = write_entry({**entry_data, "by": self.actor} if needs_actor else entry_data)
            self.opened.workspace.attempt(replay, writing.as_list_item(entry))
            choices = Completer(replay, self.actor).find_choices(self.line, caret)["choices"]
        note_by_line = {choice["line"]: choice["note"] for choice in choices}
        for choice in choices_with_figures:
            choice["note"] = note_by_line.get(choice["line"]) or choice["note"]

    def _effect_of_likely_actor(self, player_on_turn: str) -> Answer:
        """The effect of the line, as an act of the player on turn if no other player is possible."""
        effect = self.effect() | {"instead": ""}
        if player_on_turn and not self.actor and effect["by"] not in ("", player_on_turn):
            actor, other_actor = self.default_actor()
            if other_actor:
                effect = LineHelp(self.position, self.line, actor, self.story).effect()
                effect["instead"] = other_actor
        return effect

    # -- keys that exclude each other --------------------------------------------------------------

    def _drop_excluded_keys(self, answer: Answer) -> None:
        """Drop the keys that are refused with any value beside those that the line has."""
        parsed_line = self.parsed_line
        if parsed_line is None:
            return
        present_keys = frozenset(part.key for part in parsed_line.typed_fields)
        fields = [
            parsed_line.verb.fields.get(choice["label"])
            for choice in answer["choices"]
            if choice["kind"] == "key"
        ]
        tried_fields = [
            field
            for field in fields
            if field is not None and not (field.required or field.computed or field.name == "by")
            # Beside an action alone, no name or number is refused for itself.
            if len(present_keys) > 1 or _takes_few_words(field)
        ]
        excluded_keys = self.opened.cached_answer(
            ("excluded", parsed_line.verb.verb, present_keys, self.actor, *self.position.key),
            lambda: {
                field.name
                for field in tried_fields[:MOST_TRIED_NAMES]
                if self._is_excluded(field, present_keys)
            },
        )
        answer["choices"] = [
            choice
            for choice in answer["choices"]
            if choice["kind"] != "key" or choice["label"] not in excluded_keys
        ]
        if answer["ghost"].strip(" ,:") in excluded_keys:
            answer["ghost"] = ""

    def _is_excluded(self, field: Field, present_keys: Collection[str]) -> bool:
        """Whether a key is an error that only goes with it: because of another key, for its own words, or because
        of an optional rule that is not in force."""
        closed_line = close_brackets(self.line.rstrip(" ,"))
        known_messages = self.find_errors(closed_line).values()
        takes_any_value = roleless(field.kind) in (TEXT, YES_NO)
        longer_line = self._complete_line(f"{closed_line}, {field.name}: ")
        for problem in self._with_line(longer_line).effect()["findings"]:
            if problem["severity"] != "error" or problem["message"] in known_messages:
                continue
            removed_keys, needs_optional_rule = keys_removed_by_fixes(problem)
            if needs_optional_rule or (
                field.name in removed_keys
                and (takes_any_value or not removed_keys.isdisjoint(present_keys))
            ):
                return True
        return False

    # -- keys that are lacking ---------------------------------------------------------------------

    def _put_lacking_first(self, answer: Answer, effect: Answer, is_at_end: bool) -> None:
        """Sort the choices that the line lacks before those that it can do without, and begin the first key
        that it lacks."""
        choices, line = answer["choices"], self.line
        problems = (*effect["findings"], *effect["lacks"])
        lacking_keys = {key for problem in problems for key in keys_asked_for(problem)}
        choices.sort(
            key=lambda choice: (
                not (choice["kind"] in KINDS_LACKING and choice["label"] in lacking_keys)
            )
        )
        first_choice = choices[0] if choices else {}
        if (
            answer["ghost"]
            and first_choice.get("label") in lacking_keys
            and first_choice["line"].startswith(line)
        ):
            answer["ghost"] = first_choice["line"][len(line) :]
        key = answer["ghost"].strip(" ,:") if answer["ghost"].startswith(",") else ""
        parsed_line = split_line(line, self.verbs)
        field = parsed_line.verb.fields.get(key) if parsed_line is not None else None
        if field is not None and not (effect["complete"] or field.required or key in lacking_keys):
            # An optional key does not complete the line.
            answer["ghost"] = ""
        continuation_kind = "name" if line.rstrip().endswith(",") else "next"
        longer_lines = (
            choice["line"]
            for choice in choices
            if choice["kind"] == continuation_kind and choice["eligible"]
        )
        line_by_key = {
            choice["label"]: choice["line"] for choice in choices if choice["kind"] in KINDS_LACKING
        }
        continuations = [
            next(longer_lines, ""),
            *(line_by_key[key] for key in lacking_keys & {*line_by_key}),
        ]
        started_line = self._start_lacking_key(effect, continuations)
        if not effect["complete"] and self._is_answered():
            started_line = next(
                (
                    line_by_key[key]
                    for key in self._missing_required_keys(effect)
                    if key in line_by_key
                ),
                "",
            )
        if started_line and is_at_end and answer["ghost"][:1] in ("", ","):
            with self.position.replay() as replay:
                completer = Completer(replay, self.actor)
                started_answer = completer.find_choices(started_line, len(started_line))
                takes_own_words = completer.takes_own_words(started_line)
            value_choices, answer["title"] = started_answer["choices"], started_answer["title"]
            choice = {
                "line": started_line,
                "caret": len(started_line),
                "note": "",
                "hint": "",
                "why": "",
            }
            choice |= {"label": started_line[:-2].rpartition(", ")[2], "kind": "key"}
            choice |= {"eligible": True, "chosen": False, "met": PREFIX_MATCH}
            other_choices = [
                further_choice
                for further_choice in choices
                if further_choice["line"] != started_line
            ]
            # A player types own words, even if other values fit.
            answer["choices"] = [
                *([choice] if takes_own_words or not value_choices else []),
                *value_choices,
                *other_choices,
            ]

    def _is_answered(self) -> bool:
        """Whether something is typed behind the verb and the last key."""
        parsed_line = self.parsed_line
        last_text = parsed_line.typed_fields[-1].text.strip() if parsed_line is not None else ""
        return bool(last_text) and not last_text.endswith(":")

    def _missing_required_keys(self, effect: Answer) -> list[str]:
        """The required keys that are all that the line lacks."""
        parsed_line = self.parsed_line
        present_keys = (
            {part.key for part in parsed_line.typed_fields} if parsed_line is not None else set()
        )
        fields = parsed_line.verb.fields.values() if parsed_line is not None else ()
        missing_keys = [
            field.name for field in fields if field.required and field.name not in present_keys
        ]
        return missing_keys if len(effect["lacks"]) == len(missing_keys) else []

    def _start_lacking_key(self, effect: Answer, continuations: list[str]) -> str:
        """The line with the first key that it lacks started; empty if it lacks none.

        A problem that a key solves with any value names the key under ``asks``. A problem that a continuation
        of the line (``continuations``) solves is marked as passing. ``by`` is asked for only if the
        line has no actor.
        """
        parsed_line = self.parsed_line
        if parsed_line is None:
            return ""
        present_keys = {part.key for part in parsed_line.typed_fields if part.text.strip()}
        problems = effect["findings"] if effect["complete"] else ()
        last_key = parsed_line.typed_fields[-1].key
        for problem in problems if last_key not in present_keys else ():
            if last_key in keys_asked_for(problem):
                # The key that is typed comes before all others that are lacking: those wait.
                for other_problem in problems:
                    if any(key not in present_keys for key in keys_asked_for(other_problem)):
                        other_problem["passing"] = [""]
                problem["asks"] = [last_key]
                return ""
        started_line = ""
        for problem in problems:
            for key in keys_asked_for(problem):
                if key in present_keys or key not in parsed_line.verb.fields:
                    continue
                if problem["severity"] != "error":
                    continue
                longer_line = f"{self.line.rstrip(' ,')}, {key}: "
                is_solved = not effect["by"]
                if key != "by":
                    errors = self.find_errors(self._complete_line(longer_line))
                    is_solved = problem["message"] not in errors.values()
                if is_solved:
                    problem["asks"] = [*problem.get("asks", ()), key]
                    started_line = started_line or longer_line
        passing_codes = self._codes_solved_by(effect, continuations) if problems else ()
        for problem in problems:
            if "asks" not in problem and problem["code"] in passing_codes:
                problem["asks" if problem["severity"] == "error" else "passing"] = [""]
        return started_line

    def _codes_solved_by(self, effect: Answer, continuations: list[str]) -> set[str]:
        """The codes of problems that are solved if the line goes on in one of some ways, and lists more."""
        codes = {problem["code"] for problem in effect["findings"] if problem["severity"] != "note"}
        solved_codes: set[str] = set()
        for longer_line in filter(None, continuations):
            for item_number in range(MOST_TRIED_NAMES):
                # If two more items do not solve a problem, further items hardly will.
                if (
                    not longer_line
                    or solved_codes == codes
                    or (item_number == 2 and not solved_codes)
                ):
                    break
                complete_line = self._complete_line(longer_line)
                effect = self._with_line(complete_line).effect()
                if not effect["complete"]:
                    break
                solved_codes |= codes - {problem["code"] for problem in effect["findings"]}
                with self.position.replay() as replay:
                    choices = Completer(replay, self.actor).find_choices(
                        complete_line, len(complete_line)
                    )["choices"]
                item_lines = (
                    choice["line"]
                    for choice in choices
                    if choice["kind"] == "next" and choice["eligible"]
                )
                longer_line = next(item_lines, "")
        return solved_codes

    def _complete_line(self, line: str) -> str:
        with self.position.replay() as replay:
            return Completer(replay, self.actor).complete_line(line)

    # -- effects -----------------------------------------------------------------------------------

    def _with_line(self, line: str) -> LineHelp:
        """Help with another line at the same position, without a story."""
        return LineHelp(self.position, line, self.actor)

    def effect(self) -> Answer:
        """What the line does, with the actor named in it if the log would take another actor."""
        with self.position.replay() as replay:
            effect, steps = effect_of_line(self.opened, replay, self.line, self.story)
        if self.actor and steps and steps[0].action.by is None and steps[0].player != self.actor:
            with self.position.replay() as replay:
                effect, steps = effect_of_line(
                    self.opened, replay, self.line, self.story, actor=self.actor
                )
        # Whom the line names acts, whoever was chosen before.
        named_actor = steps[0].player if steps and steps[0].action.by is not None else ""
        effect["by"] = named_actor or self.actor or (steps[-1].player if steps else "")
        return effect

    def is_legal(self) -> bool:
        """Whether the line is a whole entry with neither errors nor warnings."""
        effect = self.effect()
        return effect["complete"] and all(
            problem["severity"] == "note" for problem in effect["findings"]
        )

    def is_whole(self, line: str) -> bool:
        """Whether another line is a whole entry at this position."""
        return bool(self._with_line(line).effect()["complete"])

    def find_errors(self, line: str, lowest_severity: str = "error") -> dict[str, str]:
        """The errors of a line at this position: messages by the rules that it breaks. ``lowest_severity``: with
        ``warning``, the warnings as well."""

        def find_messages() -> dict[str, str]:
            message_by_key: dict[str, str] = {}
            for problem in self._with_line(line).effect()["findings"]:
                if problem["severity"] in ("error", lowest_severity):
                    # A rule that is broken twice has two keys.
                    code = problem["code"]
                    earlier_count = sum(key.split()[0] == code for key in message_by_key)
                    message_by_key[f"{code} {earlier_count + 1}" if earlier_count else code] = (
                        problem["message"]
                    )
            return message_by_key

        return self.opened.cached_answer(
            ("wrong", lowest_severity, line, self.actor, *self.position.key), find_messages
        )

    def find_faults(self, line: str) -> set[str]:
        """The messages about a line at this position, errors and warnings, that no further key can settle."""

        def find_messages() -> set[str]:
            parsed_line = split_line(line, self.verbs)
            parts = parsed_line.typed_fields if parsed_line is not None else ()
            present_keys = {part.key for part in parts}
            return {
                problem["message"]
                for problem in self._with_line(line).effect()["findings"]
                if problem["severity"] != "note" and {*keys_asked_for(problem)} <= present_keys
            }

        return self.opened.cached_answer(
            ("faults", line, self.actor, *self.position.key), find_messages
        )

    def default_actor(self) -> tuple[str, str]:
        """The default actor of the line.

        Returns:
            The player on turn, if the log would take another player who is not named in the line, and no rule
            forbids it; and the player whom the log would take. Two empty texts: as the log takes it.
        """
        if self.actor or not self.line.strip():
            return self.actor, ""
        return self.opened.cached_answer(
            ("acts", self.line, *self.position.key), self._find_default_actor
        )

    def _find_default_actor(self) -> tuple[str, str]:
        with self.position.replay() as replay:
            player_on_turn = replay.rulebook.standing(replay.play).turn
            try:
                entry_data = read_line(self.line, self.verbs)
            except LineError:
                return "", ""
            verb = next(iter(entry_data))
            if not player_on_turn or "by" in entry_data or verb not in replay.rulebook.own_verbs:
                return "", ""
            entry_item = writing.as_list_item(write_entry(entry_data))
            steps, problems = self.opened.workspace.attempt(replay, entry_item)
            other_actor = steps[0].player if steps else ""
            if other_actor in ("", player_on_turn) or other_actor in _named_players(
                replay, steps[0]
            ):
                return "", ""
        with self.position.replay() as replay:
            entry_item = writing.as_list_item(write_entry({**entry_data, "by": player_on_turn}))
            _, problems_with_turn_player = self.opened.workspace.attempt(replay, entry_item)
        codes_with_turn_player = {
            problem.code
            for problem in problems_with_turn_player
            if problem.severity is not Severity.NOTE
        }
        return (
            ("", "")
            if codes_with_turn_player - {problem.code for problem in problems}
            else (player_on_turn, other_actor)
        )


def _takes_few_words(field: Field) -> bool:
    """Whether a key takes words, yes or no, or one of a few words."""
    field_type = roleless(field.kind)
    return field_type in (TEXT, YES_NO) or isinstance(field_type, Choice)


def _named_players(replay: Replay[Any], step: Step) -> set[str]:
    """The players that an entry names, themselves or by their characters."""
    play = replay.play
    subjects = (play.names.find(name) for name in names_in_entry(step))
    return {player_named(play, subject.id) for subject in subjects if isinstance(subject, Named)}
