"""From a question to its answer: the adapter that server, browser and editors use.

A question is a mapping: ``{"id": 7, "ask": "table", "campaign": "the-lantern-coast"}``. Its answer is
``{"id": 7, "answer": ...}``, or ``{"id": 7, "refused": {"message": ..., "help": [...]}}``. Everything in
it is plain data. What a question takes is what the method of its name takes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from chronicle.campaigns import relaxed_gc
from chronicle.core.errors import Refused
from chronicle.services.open_campaigns import (
    CampaignRoom,
    Unanswerable,
    no_file_error,
)
from chronicle.services.questions import IncompleteLine, Questions
from chronicle.words import word

Answer = dict[str, Any]

ENVELOPE_KEYS: Final = frozenset({"id", "ask", "once"})
"""The keys of a question that belong to the protocol. No question has a key of its own with these names."""
MOST_REMEMBERED_ANSWERS: Final = 256
"""How many answers are remembered for a page that asks the same again."""


class Desk:
    """One desk: what one page asks. Several may share a ``room``; each has its own unsaved texts and
    takes back its own writings. ``guest``: it only looks. ``tell_changed`` is called with a campaign that was
    changed, and with the desk that did it."""

    def __init__(
        self,
        room: CampaignRoom,
        *,
        guest: bool = False,
        tell_changed: Callable[[str, Desk], None] | None = None,
    ) -> None:
        self.room = room
        self.guest = guest
        self.questions = Questions(
            room,
            lambda campaign_id: (
                tell_changed(campaign_id, self) if tell_changed is not None else None
            ),
            guest=guest,
        )

    def ask(self, question: object) -> Answer:
        """The answer to a question. Never raises because of what it says."""
        if not isinstance(question, Mapping):
            return {"id": None, "refused": {"message": "a question is a mapping", "help": []}}
        question_id = question.get("id")
        question_id = question_id if isinstance(question_id, (int, str)) else None
        try:
            with relaxed_gc():
                return {"id": question_id, "answer": self._answer(question)}
        except IncompleteLine as lack:
            refusal_data = {"message": str(lack), "help": [*lack.help], "lacks": True}
            return {"id": question_id, "refused": refusal_data}
        except Refused as refusal_error:
            return {
                "id": question_id,
                "refused": {"message": str(refusal_error), "help": [*refusal_error.help]},
            }
        except OSError as error:
            reason = error.strerror or str(error)
            return {
                "id": question_id,
                "refused": {"message": f"this cannot be written: {reason}", "help": []},
            }

    def _answer(self, question: Mapping[str, Any]) -> Any:
        question_name = question.get("ask")
        if not isinstance(question_name, str) or question_name not in QUESTIONS:
            raise Unanswerable(f"nobody knows the question {question_name!r}", ", ".join(QUESTIONS))
        if self.guest and question_name not in GUEST_KEYS_BY_QUESTION:
            raise Unanswerable(word("server.guest_may_not_edit"))
        method, parameters = QUESTIONS[question_name]
        idempotency_key = question.get("once") if question_name in WRITING_QUESTIONS else None
        if isinstance(idempotency_key, str) and idempotency_key in self.room.answer_by_request:
            return self.room.answer_by_request[idempotency_key]
        arguments = {key: value for key, value in question.items() if key not in ENVELOPE_KEYS}
        for key, value in arguments.items():
            if (
                self.guest
                and key in parameters
                and key not in GUEST_KEYS_BY_QUESTION[question_name]
            ):
                raise Unanswerable(
                    f"guests cannot use '{key}' of '{question_name}'", f"leave '{key}' out"
                )
            if key not in parameters:
                raise Unanswerable(
                    f"'{question_name}' takes no '{key}'", f"it takes {', '.join(parameters)}"
                )
            if not _is_accepted(value, parameters[key].annotation):
                raise Unanswerable(
                    f"'{key}' of '{question_name}' is not {parameters[key].annotation}"
                )
        if "\0" in str(arguments.get("file", "")):
            # No system can hold such a file, and asking for it fails otherwise than for one that is not there.
            raise no_file_error(arguments["file"])
        for key, parameter in parameters.items():
            if key not in arguments and parameter.default is parameter.empty:
                raise Unanswerable(f"'{question_name}' needs '{key}'")
        self.room.check_for_outside_changes()
        answer = method(self.questions, **arguments)
        if isinstance(idempotency_key, str):
            self.room.answer_by_request[idempotency_key] = answer
            while len(self.room.answer_by_request) > MOST_REMEMBERED_ANSWERS:
                self.room.answer_by_request.popitem(last=False)
        return answer

    def leave(self) -> None:
        """Forget unsaved texts, because the page of this desk was closed."""
        self.questions.leave()


def _is_text(value: object) -> bool:
    """Whether something is a text that a file can hold: half of a sign is none."""
    with suppress(UnicodeEncodeError):
        return isinstance(value, str) and value.encode() is not None
    return False


_TYPE_CHECKS: Final[Mapping[str, Callable[[object], bool]]] = MappingProxyType(
    {
        "str": _is_text,
        "int": lambda value: type(value) is int and abs(value) < 1 << 53,
        "bool": lambda value: isinstance(value, bool),
        "list[str]": lambda value: isinstance(value, list) and all(map(_is_text, value)),
        "list[Any]": lambda value: (
            isinstance(value, list) and all(isinstance(list_item, dict) for list_item in value)
        ),
        "dict[str, Any]": lambda value: isinstance(value, dict),
    }
)


def _is_accepted(value: object, annotation: str) -> bool:
    type_name, _, optional = annotation.partition(" | ")
    return bool(optional and value is None) or _TYPE_CHECKS[type_name](value)


def _methods_by_question() -> dict[str, tuple[Callable[..., Any], dict[str, inspect.Parameter]]]:
    question_methods: dict[str, tuple[Callable[..., Any], dict[str, inspect.Parameter]]] = {}
    for name, method in vars(Questions).items():
        if name.startswith("_") or name == "leave" or not inspect.isfunction(method):
            continue
        parameters = dict(inspect.signature(method).parameters)
        del parameters["self"]
        question_methods[name.rstrip("_")] = method, parameters
    return question_methods


QUESTIONS: Final = MappingProxyType(_methods_by_question())
"""Every question, with the method that answers it and what it takes."""

WRITING_QUESTIONS: Final = frozenset(
    {
        "write",
        "edit",
        "remove",
        "apply",
        "tell",
        "save",
        "hole",
        "session",
        "evening",
        "settle",
        "undo",
        "redo",
        "new",
        "lead",
    }
)
"""What changes files. A page that may have lost an answer asks again with the same ``once``,
and the desk does nothing twice."""

GUEST_KEYS_BY_QUESTION: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "campaigns": frozenset(),
        "open": frozenset({"campaign"}),
        "table": frozenset({"campaign", "file", "line"}),
        "log": frozenset({"campaign", "first", "last"}),
        "read": frozenset({"campaign"}),
        "findings": frozenset({"campaign"}),
        "card": frozenset({"campaign", "name"}),
        "rule": frozenset({"campaign", "rule"}),
    }
)
"""The questions that a guest may ask, with the keys that a guest may use in each."""
