"""Help with a line that is being typed: what fits it, what it would do, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Severity
from chronicle.core.errors import Refused
from chronicle.core.field_types import TEXT, roleless
from chronicle.core.fix import ReplaceText
from chronicle.core.law import player_named
from chronicle.core.names import Named
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.services import nested, writing
from chronicle.services.campaign_facts import verbs_of
from chronicle.services.choices import EXACT, PREFIX, sort_key
from chronicle.services.entry_rows import row_of
from chronicle.services.game_state import state_of_play
from chronicle.services.hints import hints_of
from chronicle.services.line_completion import Completer
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.position import Position
from chronicle.services.proposals import keys_asked_for
from chronicle.services.snippets import example_mapping
from chronicle.services.spans import NameMarker
from chronicle.services.usage import names_in_entry
from chronicle.syntax.kinds import holds_entries
from chronicle.syntax.one_line import (
    Line,
    LineError,
    TypedField,
    close_brackets,
    read_line,
    split_line,
)
from chronicle.syntax.render import diagnostic_as_data
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word

Answer = dict[str, Any]

UNFINISHED_CODES: Final = frozenset({"T20", "T22", "T23", "T31"})
"""The codes of problems of an entry that is not typed to its end."""
MOST_TRIED_NAMES: Final = 8
"""How many names are tried in a line before they are offered."""
KINDS_LACKING: Final = frozenset({"key", "part", "next", "value"})
"""The kinds of choices that a line can lack, by their labels."""
_FIGURE: Final = re.compile(r"\d+")
_KEY_OR_VALUE_END: Final = re.compile(r"[,:{}\[\]]")
"""The characters that end a key or a value in a line."""
_WORD_IN_VALUE: Final = re.compile(r"[^,:{}\[\]\s](?:[^,:{}\[\]]*[^,:{}\[\]\s])?")
"""A name or a word in the value of a key."""
_PAIR_HALVES: Final = re.compile(r"\{([^{}]*)\}")
"""The two halves of a pair, in the words about a key."""


def list_tokens(parsed: Line | None) -> list[list[int]]:
    """The start and the end of each name and word in a line that answers a question; free text has none."""
    if parsed is None or holds_entries(parsed.verb.main):
        return []
    return [
        [part.start + match.start(), part.start + match.end()]
        for part in parsed.parts
        for field in [parsed.field(part.key)]
        if field is not None and roleless(field.kind) is not TEXT and not field.text_role
        for match in _WORD_IN_VALUE.finditer(part.text)
    ]


class LineHelp:
    """Help with one line at one position.

    Args:
        position: Where the entry would come.
        line: The line.
        by: Whose act it is; empty: as the log takes it.
        text: The story beside it.
    """

    def __init__(self, position: Position, line: str, by: str = "", text: str = "") -> None:
        self.position, self.opened = position, position.opened
        self.line, self.by, self.text = line, by, text
        self.verbs = verbs_of(self.opened)

    @cached_property
    def parsed(self) -> Line | None:
        """The line in parts; None where no verb begins it."""
        return split_line(self.line, self.verbs)

    def answer(self, caret: int) -> Answer:
        """The choices for a caret in the line, and the effect of the line."""
        line, at_end = self.line, caret == len(self.line)
        unfinished = nested.find_unfinished(line[:caret], self.verbs)
        if unfinished is not None:
            with self.position.replay() as replay:
                answer = nested.choices(self.opened.workspace, replay, unfinished, line, caret)
        prefix = hint = meaning = ""
        typed_and_other_word, unsure_names, barred_names = None, set[str](), set[str]()
        with self.position.replay() as replay:
            turn = replay.rulebook.standing(replay.play).turn
            if unfinished is None:
                completer = Completer(replay, self.by)
                answer = completer.choices(line, caret)
                names = [choice["label"] for choice in answer["choices"]]
                barred_names = completer.excluded_names(
                    line[:caret], names
                ) | completer.repeated_names(line[:caret], names)
                prefix, hint, meaning = self._example_of_last_value(completer)
            if unfinished is None and at_end:
                starts_part = any(
                    choice["kind"] == "part" and choice["line"].startswith(line)
                    for choice in answer["choices"]
                )
                typed_and_other_word = (
                    None if starts_part else completer.replace_unoffered_word(line)
                )
                unsure_names = completer.names_needing_trial(line)
            answer["example"] = (
                example_mapping(completer, line) if unfinished is None and at_end else ""
            )
        if unfinished is None:
            self._count_listed_items(answer, caret)
        effect = self._effect_of_act(turn)
        answer["parts"] = nested.list_parts(line, self.verbs)
        answer["tokens"] = list_tokens(self.parsed)
        wrong = _wrong_part(effect["lacks"], self.parsed.parts[:-1] if self.parsed else ())
        if wrong is not None:
            # One part is wrong, whatever follows: that is asked for first.
            answer |= {"ghost": "", "example": ""}
        elif effect["lacks"] and hint and not effect["lacks"][0]["unsaid"]:
            # The words that are there in pairs say more than any example.
            example = f"{prefix} {effect['lacks'][0].get('pairs') or hint}"
            effect["lacks"][0]["unsaid"] = (
                word("server.write_it_as_in_meaning", example=example, meaning=meaning)
                if meaning
                else word("server.write_it_as_in", example=example)
            )
        if typed_and_other_word is not None:
            self._bar_typed_word(answer, *typed_and_other_word)
        if answer["key"] == "by" and at_end:
            self._bar_actors(answer)
        if unsure_names:
            self._bar_unsure_names(answer, unsure_names)
        if unfinished is None:
            self._bar_names(answer, line[:caret], effect["by"], barred_names)
        self._put_lacking_first(answer, effect, at_end)
        if wrong is not None:
            answer["title"] = wrong["message"]
        answer["title"] = answer["title"] or word("server.ask_what_happens")
        other_choices = [
            other for other in answer["choices"] if other["line"].strip() != line.strip()
        ]
        is_whole = effect["complete"] and self._is_answered()
        if is_whole and all(choice["kind"] in ("key", "next", "part") for choice in other_choices):
            is_key_asked_for = any(problem.get("asks") for problem in effect["findings"])
            answer["title"] = answer["title"] if is_key_asked_for else word("server.anything_else")
        return answer | effect

    def replace(self, start: int, end: int) -> Answer:
        """The choices for other words in place of those from ``start`` to ``end``, and the effect of the line."""
        shorter_line = self.line[:start] + self.line[end:]
        choices = LineHelp(self.position, shorter_line, self.by, self.text).answer(start)
        for choice in choices["choices"]:
            head, tail = choice["line"][: choice["caret"]], choice["line"][choice["caret"] :]
            if head.endswith(": ") and tail.startswith(":"):
                choice["line"] = head + tail[1:].lstrip()
            choice["chosen"] = choice["label"] == self.line[start:end]
        answer_keys = {
            key: choices[key] for key in ("key", "title", "choices", "more") if key in choices
        }
        return self.answer(len(self.line)) | answer_keys | {"ghost": "", "example": ""}

    def _example_of_last_value(self, completer: Completer) -> tuple[str, str, str]:
        """How the last value of the line is written: its key, an example, and what its halves mean."""
        parsed = self.parsed
        line_before = self.line[: parsed.parts[-1].start] if parsed is not None else ""
        example_text = (
            example_mapping(completer, line_before)
            if line_before and line_before != self.line
            else ""
        )
        field = completer.field_at(line_before) if example_text else None
        halves = _PAIR_HALVES.match(field.doc) if field is not None else None
        prefix = line_before[line_before.rfind(",") + 1 :].strip()
        return prefix, example_text, halves[1] if halves else ""

    def _count_listed_items(self, answer: Answer, caret: int) -> None:
        """Let the figures beside the choices count what the line lists already."""
        counted_choices = [
            choice
            for choice in answer["choices"]
            if choice["kind"] in ("name", "value", "next")
            and choice["eligible"]
            and _FIGURE.search(choice["note"])
        ]
        is_complete = any(choice["kind"] == "next" for choice in counted_choices)
        line_to_caret = self.line[:caret]
        shorter_line = line_to_caret if is_complete else line_to_caret.rpartition(",")[0]
        if not counted_choices or not shorter_line:
            return
        with self.position.replay() as replay:
            try:
                data = read_line(shorter_line, self.verbs)
            except LineError:
                return
            needs_actor = self.by and "by" not in data
            entry = write_entry({**data, "by": self.by} if needs_actor else data)
            self.opened.workspace.attempt(replay, writing.as_item(entry))
            choices = Completer(replay, self.by).choices(self.line, caret)["choices"]
        notes = {choice["line"]: choice["note"] for choice in choices}
        for choice in counted_choices:
            choice["note"] = notes.get(choice["line"]) or choice["note"]

    def _effect_of_act(self, turn: str) -> Answer:
        """The effect of the line, as an act of the player on turn if no other player is possible."""
        effect = self.effect() | {"instead": ""}
        if turn and not self.by and effect["by"] not in ("", turn):
            actor, instead = self.actor()
            if instead:
                effect = LineHelp(self.position, self.line, actor, self.text).effect()
                effect["instead"] = instead
        return effect

    # -- names that would be wrong -----------------------------------------------------------------

    def _bar_typed_word(self, answer: Answer, token: str, other_line: str) -> None:
        """Add the word that ends the line as a choice that is barred, if another word would be right."""
        # A number may get more digits, and the line lacks the same either way.
        more_digits = f"{self.line}0" if token.isdigit() else self.line
        errors, errors_with_other, errors_with_more_digits = (
            self.find_errors(close_brackets(line)) for line in (self.line, other_line, more_digits)
        )
        error_key = next(
            (
                key
                for key in errors
                if key in errors_with_more_digits and key not in errors_with_other
            ),
            "",
        )
        if error_key and not any(choice["kind"] == "new" for choice in answer["choices"]):
            barred_choice = {"line": self.line, "caret": len(self.line), "label": token, "note": ""}
            barred_choice |= {
                "hint": "",
                "kind": "value",
                "eligible": False,
                "why": errors[error_key],
            }
            barred_choice |= {"chosen": False, "met": EXACT}
            answer["choices"].insert(0, barred_choice)

    def _bar_actors(self, answer: Answer) -> None:
        """Bar actors who may not do what the line does, although the likeliest one may."""
        actors = [choice for choice in answer["choices"] if choice["kind"] == "name"][
            :MOST_TRIED_NAMES
        ]
        if len(actors) > 1:
            first_errors = self.find_errors(close_brackets(actors[0]["line"]))
            for choice in actors[1:]:
                errors = self.find_errors(close_brackets(choice["line"]))
                error_key = next((key for key in errors if key not in first_errors), "")
                if error_key:
                    choice.update(eligible=False, why=errors[error_key])
        answer["choices"].sort(key=sort_key)

    def _bar_names(self, answer: Answer, head: str, actor: str, barred_names: set[str]) -> None:
        """Bar the actor of the line, and the names that cannot follow the others in it (``barred_names``), if
        they would be wrong there."""
        names = [
            choice
            for choice in answer["choices"]
            if choice["kind"] in ("name", "next") and choice["eligible"] and not choice["chosen"]
        ]
        suspects = [
            choice
            for choice in names
            if choice["label"] in barred_names
            or (actor and actor in (choice["label"], choice["note"]))
        ]
        allowed_choice = next((choice for choice in names if choice not in suspects), None)
        if allowed_choice is None or answer["key"] == "by" or allowed_choice["line"].endswith(": "):
            return
        allowed_errors = self.find_errors(close_brackets(allowed_choice["line"]), least="warning")
        for choice in suspects[:MOST_TRIED_NAMES]:
            errors = self.find_errors(close_brackets(choice["line"]), least="warning")
            error_key = next((key for key in errors if key not in allowed_errors), "")
            if error_key:
                messages = (text for text in errors.values() if text not in allowed_errors.values())
                choice.update(eligible=False, why=next(messages, errors[error_key]))
        _rank_choices(answer, head)

    def _bar_unsure_names(self, answer: Answer, unsure_names: set[str]) -> None:
        """Bar the ``unsure_names`` names that would be wrong: the problem names them, or it is a problem neither of
        all of them nor of the line without them."""
        names = [
            choice
            for choice in answer["choices"]
            if choice["kind"] in ("name", "next")
            and choice["eligible"]
            and choice["label"] in unsure_names
        ][:MOST_TRIED_NAMES]
        if not names:
            return
        least = "warning" if self.parsed and self.parsed.verb.about_table else "error"
        errors_by_choice = [self.find_errors(close_brackets(one["line"]), least) for one in names]
        shorter_line = without_last_key(self.line)
        closed_line = close_brackets(shorter_line)
        if shorter_line != self.line and self._with_line(closed_line).effect()["complete"]:
            allowed_errors = {*self.find_errors(closed_line)}
        else:
            allowed_errors = {*errors_by_choice[0]}.intersection(*errors_by_choice)
        for choice, errors in zip(names, errors_by_choice, strict=True):
            own_errors = (
                key for key in errors if key not in allowed_errors or choice["label"] in errors[key]
            )
            error_key = next(own_errors, "")
            if error_key:
                choice.update(eligible=False, why=errors[error_key])
        _rank_choices(answer, self.line)

    # -- keys that are lacking ---------------------------------------------------------------------

    def _put_lacking_first(self, answer: Answer, effect: Answer, at_end: bool) -> None:
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
        first = choices[0] if choices else {}
        if (
            answer["ghost"]
            and first.get("label") in lacking_keys
            and first["line"].startswith(line)
        ):
            answer["ghost"] = first["line"][len(line) :]
        key = answer["ghost"].strip(" ,:") if answer["ghost"].startswith(",") else ""
        parsed = split_line(line, self.verbs)
        field = parsed.verb.fields.get(key) if parsed is not None else None
        if field is not None and not (effect["complete"] or field.required or key in lacking_keys):
            # An optional key does not complete the line.
            answer["ghost"] = ""
        kind = "name" if line.rstrip().endswith(",") else "next"
        longer_lines = (
            candidate["line"]
            for candidate in choices
            if candidate["kind"] == kind and candidate["eligible"]
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
                (line_by_key[key] for key in self._required_keys(effect) if key in line_by_key), ""
            )
        if started_line and at_end and answer["ghost"][:1] in ("", ","):
            with self.position.replay() as replay:
                completer = Completer(replay, self.by)
                next_key = completer.choices(started_line, len(started_line))
                takes_own_words = completer.takes_own_words(started_line)
            values, answer["title"] = next_key["choices"], next_key["title"]
            choice = {
                "line": started_line,
                "caret": len(started_line),
                "note": "",
                "hint": "",
                "why": "",
            }
            choice |= {"label": started_line[:-2].rpartition(", ")[2], "kind": "key"}
            choice |= {"eligible": True, "chosen": False, "met": PREFIX}
            other_choices = [other for other in choices if other["line"] != started_line]
            # A player types own words, even if other values fit.
            answer["choices"] = [
                *([choice] if takes_own_words or not values else []),
                *values,
                *other_choices,
            ]

    def _is_answered(self) -> bool:
        """Whether something is typed behind the verb and the last key."""
        parsed = self.parsed
        typed = parsed.parts[-1].text.strip() if parsed is not None else ""
        return bool(typed) and not typed.endswith(":")

    def _required_keys(self, effect: Answer) -> list[str]:
        """The required keys that are all that the line lacks."""
        parsed = self.parsed
        present = {part.key for part in parsed.parts} if parsed is not None else set()
        fields = parsed.verb.fields.values() if parsed is not None else ()
        required = [field.name for field in fields if field.required and field.name not in present]
        return required if len(effect["lacks"]) == len(required) else []

    def _start_lacking_key(self, effect: Answer, continuations: list[str]) -> str:
        """The line with the first key that it lacks started; empty if it lacks none.

        A problem that a key solves with any value names the key under ``asks``. A problem that a continuation
        of the line (``continuations``) solves is marked as passing. ``by`` is asked for only if the
        line has no actor.
        """
        parsed = self.parsed
        if parsed is None:
            return ""
        present_keys = {part.key for part in parsed.parts if part.text.strip()}
        problems = effect["findings"] if effect["complete"] else ()
        last_key = parsed.parts[-1].key
        for problem in problems if last_key not in present_keys else ():
            if last_key in keys_asked_for(problem):
                # The key that is typed comes before all others that are lacking.
                problem["asks"] = [last_key]
                return ""
        started_line = ""
        for problem in problems:
            for key in keys_asked_for(problem):
                if key in present_keys or key not in parsed.verb.fields:
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
        codes = {each["code"] for each in effect["findings"] if each["severity"] != "note"}
        solved_codes: set[str] = set()
        for longer_line in filter(None, continuations):
            for number in range(MOST_TRIED_NAMES):
                # If two more items do not solve a problem, further items hardly will.
                if not longer_line or solved_codes == codes or (number == 2 and not solved_codes):
                    break
                line = self._complete_line(longer_line)
                effect = self._with_line(line).effect()
                if not effect["complete"]:
                    break
                solved_codes |= codes - {problem["code"] for problem in effect["findings"]}
                with self.position.replay() as replay:
                    choices = Completer(replay, self.by).choices(line, len(line))["choices"]
                item_lines = (
                    choice["line"]
                    for choice in choices
                    if choice["kind"] == "next" and choice["eligible"]
                )
                longer_line = next(item_lines, "")
        return solved_codes

    def _complete_line(self, line: str) -> str:
        with self.position.replay() as replay:
            return Completer(replay, self.by).complete_line(line)

    # -- effects -----------------------------------------------------------------------------------

    def _with_line(self, line: str) -> LineHelp:
        """Help with another line at the same position, without a story."""
        return LineHelp(self.position, line, self.by)

    def effect(self) -> Answer:
        """What the line does, with the actor named in it if the log would take another actor."""
        with self.position.replay() as replay:
            effect, steps = effect_of(self.opened, replay, self.line, self.text)
        if self.by and steps and steps[0].action.by is None and steps[0].player != self.by:
            with self.position.replay() as replay:
                effect, steps = effect_of(self.opened, replay, self.line, self.text, by=self.by)
        effect["by"] = self.by or (steps[-1].player if steps else "")
        return effect

    def find_errors(self, line: str, least: str = "error") -> dict[str, str]:
        """The errors of a line at this position: messages by the rules that it breaks. ``least``: with
        ``warning``, the warnings as well."""

        def find_messages() -> dict[str, str]:
            messages: dict[str, str] = {}
            for problem in self._with_line(line).effect()["findings"]:
                if problem["severity"] in ("error", least):
                    # A rule that is broken twice has two keys.
                    code = problem["code"]
                    count = sum(key.split()[0] == code for key in messages)
                    messages[f"{code} {count + 1}" if count else code] = problem["message"]
            return messages

        return self.opened.cached_answer(
            ("wrong", least, line, self.by, *self.position.key), find_messages
        )

    def actor(self) -> tuple[str, str]:
        """The default actor of the line.

        Returns:
            The player on turn, if the log would take another player who is not named in the line, and no rule
            forbids it; and the player whom the log would take. Two empty texts: as the log takes it.
        """
        if self.by or not self.line.strip():
            return self.by, ""
        return self.opened.cached_answer(("acts", self.line, *self.position.key), self._find_actor)

    def _find_actor(self) -> tuple[str, str]:
        with self.position.replay() as replay:
            turn = replay.rulebook.standing(replay.play).turn
            try:
                data = read_line(self.line, self.verbs)
            except LineError:
                return "", ""
            verb = next(iter(data))
            if not turn or "by" in data or verb not in replay.rulebook.own_verbs:
                return "", ""
            item = writing.as_item(write_entry(data))
            steps, problems = self.opened.workspace.attempt(replay, item)
            other_actor = steps[0].player if steps else ""
            if other_actor in ("", turn) or other_actor in _named_players(replay, steps[0]):
                return "", ""
        with self.position.replay() as replay:
            item = writing.as_item(write_entry({**data, "by": turn}))
            _, problems_of_turn = self.opened.workspace.attempt(replay, item)
        worse_codes = {
            problem.code for problem in problems_of_turn if problem.severity is not Severity.NOTE
        }
        return (
            ("", "")
            if worse_codes - {problem.code for problem in problems}
            else (turn, other_actor)
        )


def _rank_choices(answer: Answer, line: str) -> None:
    """Sort the choices for a line, and renew the ghost behind it, after some were barred."""
    answer["choices"].sort(key=sort_key)
    ghost = next((choice["line"] for choice in answer["choices"] if choice["eligible"]), "")
    if answer["ghost"]:
        answer["ghost"] = ghost[len(line) :] if ghost.startswith(line) else ""


def _named_players(replay: Replay[Any], step: Step) -> set[str]:
    """The players that an entry names, themselves or by their characters."""
    play = replay.play
    subjects = (play.names.find(name) for name in names_in_entry(step))
    return {player_named(play, subject.id) for subject in subjects if isinstance(subject, Named)}


def without_last_key(line: str) -> str:
    """A line without its last key and the typed part of its value."""
    head, colon, value = line.rpartition(":")
    key = _KEY_OR_VALUE_END.split(head)[-1]
    if not colon or not key or _KEY_OR_VALUE_END.search(value):
        return line
    return head[: len(head) - len(key)].rstrip(" ,")


def lacking_value(line: str, by_verb: Mapping[str, type[Action]]) -> str:
    """The message that a line ends before a value; empty if it does not."""
    parsed = split_line(line, by_verb)
    if parsed is None:
        return ""
    last_field = parsed.parts[-1]
    text = last_field.text.rstrip()
    key_name = _KEY_OR_VALUE_END.split(text[:-1])[-1].strip() if text.endswith(":") else ""
    if key_name:
        return word("server.needs_a_value", field=key_name.strip(" \"'"))
    return "" if last_field.text.strip() else word("server.needs_a_value", field=last_field.key)


def _wrong_part(lacks: Iterable[Answer], before: Sequence[TypedField]) -> Answer | None:
    """What is wrong in a line however it goes on, such as a face that no die has, or the value of a key that is
    typed ``before``; None where the line is only unfinished."""
    starts = tuple(f"'{field.key}' takes " for field in before)
    for lack in lacks:
        is_final = lack.get("code") not in UNFINISHED_CODES or lack["message"].startswith(starts)
        if lack.get("severity") == "error" and is_final:
            return lack
    return None


# -- what entries do -------------------------------------------------------------------------------


def try_entries(opened: OpenCampaign, replay: Replay[Any], entries: list[str]) -> Answer:
    """What entries do at the position of a replay, which goes on with them."""
    items = "\n".join(map(writing.as_item, entries))
    steps, problems = opened.workspace.attempt(replay, items)
    mark_names = opened.name_marker_at(replay)
    return {
        "yaml": items,
        "player": steps[-1].player if steps else "",
        "rows": _row_data(replay, steps, mark_names),
        "findings": [_problem_data(problem, replay) for problem in problems],
        "after": state_of_play(replay, mark_names, panel=False),
    }


def effect_of(
    opened: OpenCampaign, replay: Replay[Any], line: str, text: str, by: str = ""
) -> tuple[Answer, Sequence[Step]]:
    """What a line does, or what it lacks to be an entry.

    Args:
        opened: The campaign.
        replay: Where the entry would come. It goes on with the entry.
        text: The story beside the line.
        by: The actor, to be added to the entry.

    Returns:
        The effect as plain data, and the steps. ``unsaid`` of the first lacking part is short, if
        the line only ends too early: then it is ``bare``, and says less than the question.
    """
    effect: Answer = {"yaml": "", "complete": False, "findings": [], "rows": [], "lacks": []}
    by_verb = replay.rulebook.by_verb
    try:
        data = read_line(line, by_verb)
    except LineError as error:
        unsaid, hints = lacking_value(line, by_verb), [*error.help]
        lack: Answer = {"message": str(error), "hints": hints, "help": hints}
        lack |= {"unsaid": unsaid, "bare": bool(unsaid)}
        return effect | {"lacks": [lack] if line.strip() else []}, ()
    entry = write_entry({**data, "by": by} if by else data)
    if text.strip():
        with suppress(Refused):
            entry = writing.with_text(entry, text)
    item = writing.as_item(entry)
    steps, problems = opened.workspace.attempt(replay, item)
    mark_names = opened.name_marker_at(replay)
    unread_problems = [
        problem
        for problem in problems
        if problem.kind is DiagnosticKind.UNREADABLE and problem.code in UNFINISHED_CODES
    ]
    lacks = [
        _problem_data(problem, replay) for problem in unread_problems or ([] if steps else problems)
    ]
    has_error = any(problem.severity is Severity.ERROR for problem in problems)
    # A file may contain an empty key. In a line it has just been started.
    lacks += [
        {"message": word("server.needs_a_value", field=key), "hints": [], "help": []}
        for key in (() if lacks else _keys_without_value(data))
        if key != next(iter(data)) and not (has_error and key in data)
    ]
    if lacks:
        problems = []
        unsaid = lacking_value(line, by_verb)
        lacks[0] |= {"unsaid": unsaid, "bare": bool(unsaid)}
    effect |= {
        "yaml": item,
        "complete": bool(steps) and not lacks,
        "lacks": lacks,
        "rows": _row_data(replay, steps, mark_names),
        "findings": [_problem_data(problem, replay) for problem in problems],
    }
    return effect, steps


def _row_data(replay: Replay[Any], steps: Sequence[Step], mark_names: NameMarker) -> list[Answer]:
    """Tried entries as rows of the log."""
    play = replay.play
    accounts = replay.rulebook.accounts
    return [
        {"player": step.player, "nested": step.parent is not None, "fiction": step.fiction}
        | row_of(step, play.changes(step), play.names, accounts, mark_names)
        for step in steps
        if not step.hidden
    ]


def _keys_without_value(data: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a mapping, and of mappings in it, that have no value."""
    for key, value in data.items():
        if value == "":
            yield key
        for nested_value in value if isinstance(value, list) else [value]:
            if isinstance(nested_value, Mapping):
                yield from _keys_without_value(nested_value)


def _problem_data(problem: Diagnostic, replay: Replay[Any]) -> Answer:
    """A diagnostic as plain data. ``hints`` is its help without YAML, ``pairs`` what was meant."""
    hints, replacements = hints_of(problem, replay.rulebook.by_verb), problem.fixes[:1]
    texts = [
        edit.text for fix in replacements for edit in fix.edits if isinstance(edit, ReplaceText)
    ]
    pairs = next((text[1:-1] for text in texts if text.startswith("{")), "")
    return diagnostic_as_data(problem) | {"hints": hints, "pairs": pairs}
