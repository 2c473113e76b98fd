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
    no_file,
)
from chronicle.services.questions import IncompleteLine, Questions
from chronicle.words import word

Answer = dict[str, Any]

ENVELOPE: Final = frozenset({"id", "ask", "once"})
"""The keys of a question that belong to the protocol. No question has a key of its own with these names."""
MOST_REMEMBERED_ANSWERS: Final = 256
"""How many answers are remembered for a page that asks the same again."""


class Desk:
    """One desk: what one page asks. Several may share a ``room``; each has its own unsaved texts and
    takes back its own writings. ``guest``: it only looks. ``tell`` is called with a campaign that was
    changed, and with the desk that did it."""

    def __init__(
        self,
        room: CampaignRoom,
        *,
        guest: bool = False,
        tell: Callable[[str, Desk], None] | None = None,
    ) -> None:
        self.room = room
        self.guest = guest
        self.questions = Questions(
            room, lambda id: tell(id, self) if tell is not None else None, guest=guest
        )

    def ask(self, question: object) -> Answer:
        """The answer to a question. Never raises because of what it says."""
        if not isinstance(question, Mapping):
            return {"id": None, "refused": {"message": "a question is a mapping", "help": []}}
        id = question.get("id")
        id = id if isinstance(id, (int, str)) else None
        try:
            with relaxed_gc():
                return {"id": id, "answer": self._answer(question)}
        except IncompleteLine as lack:
            refusal = {"message": str(lack), "help": [*lack.help], "lacks": True}
            return {"id": id, "refused": refusal}
        except Refused as refused:
            return {"id": id, "refused": {"message": str(refused), "help": [*refused.help]}}
        except OSError as error:
            reason = error.strerror or str(error)
            return {
                "id": id,
                "refused": {"message": f"this cannot be written: {reason}", "help": []},
            }

    def _answer(self, question: Mapping[str, Any]) -> Any:
        name = question.get("ask")
        if not isinstance(name, str) or name not in QUESTIONS:
            raise Unanswerable(f"nobody knows the question {name!r}", ", ".join(QUESTIONS))
        if self.guest and name not in FOR_GUESTS:
            raise Unanswerable(word("server.guest_may_not_edit"))
        method, parameters = QUESTIONS[name]
        once = question.get("once") if name in WRITING else None
        if isinstance(once, str) and once in self.room.answered:
            return self.room.answered[once]
        arguments = {key: value for key, value in question.items() if key not in ENVELOPE}
        for key, value in arguments.items():
            if self.guest and key in parameters and key not in FOR_GUESTS[name]:
                raise Unanswerable(f"guests cannot use '{key}' of '{name}'", f"leave '{key}' out")
            if key not in parameters:
                raise Unanswerable(
                    f"'{name}' takes no '{key}'", f"it takes {', '.join(parameters)}"
                )
            if not _is_accepted(value, parameters[key].annotation):
                raise Unanswerable(f"'{key}' of '{name}' is not {parameters[key].annotation}")
        if "\0" in str(arguments.get("file", "")):
            # No system can hold such a file, and asking for it fails otherwise than for one that is not there.
            raise no_file(arguments["file"])
        for key, parameter in parameters.items():
            if key not in arguments and parameter.default is parameter.empty:
                raise Unanswerable(f"'{name}' needs '{key}'")
        self.room.check_for_outside_changes()
        answer = method(self.questions, **arguments)
        if isinstance(once, str):
            self.room.answered[once] = answer
            while len(self.room.answered) > MOST_REMEMBERED_ANSWERS:
                self.room.answered.popitem(last=False)
        return answer

    def leave(self) -> None:
        """Forget unsaved texts, because the page of this desk was closed."""
        self.questions.leave()


def _is_text(value: object) -> bool:
    """Whether something is a text that a file can hold: half of a sign is none."""
    with suppress(UnicodeEncodeError):
        return isinstance(value, str) and value.encode() is not None
    return False


_CHECKS: Final[Mapping[str, Callable[[object], bool]]] = MappingProxyType(
    {
        "str": _is_text,
        "int": lambda value: type(value) is int and abs(value) < 1 << 53,
        "bool": lambda value: isinstance(value, bool),
        "list[str]": lambda value: isinstance(value, list) and all(map(_is_text, value)),
        "list[Any]": lambda value: (
            isinstance(value, list) and all(isinstance(one, dict) for one in value)
        ),
        "dict[str, Any]": lambda value: isinstance(value, dict),
    }
)


def _is_accepted(value: object, annotation: str) -> bool:
    kind, _, optional = annotation.partition(" | ")
    return bool(optional and value is None) or _CHECKS[kind](value)


def _questions() -> dict[str, tuple[Callable[..., Any], dict[str, inspect.Parameter]]]:
    methods: dict[str, tuple[Callable[..., Any], dict[str, inspect.Parameter]]] = {}
    for name, method in vars(Questions).items():
        if name.startswith("_") or name == "leave" or not inspect.isfunction(method):
            continue
        parameters = dict(inspect.signature(method).parameters)
        del parameters["self"]
        methods[name.rstrip("_")] = method, parameters
    return methods


QUESTIONS: Final = MappingProxyType(_questions())
"""Every question, with the method that answers it and what it takes."""

WRITING: Final = frozenset(
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

FOR_GUESTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
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
