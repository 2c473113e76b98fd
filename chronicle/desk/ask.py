"""From a question to its answer: the one adapter that every door of the desk uses.

A question is a mapping: ``{"id": 7, "ask": "table", "campaign": "the-lantern-coast"}``. Its answer is
``{"id": 7, "answer": ...}``, or ``{"id": 7, "refused": {"message": ..., "help": [...]}}``. Everything in
it is plain data. What a question takes is what the method of its name takes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.campaigns import relaxed_gc
from chronicle.core.refused import Refused
from chronicle.core.replay import Replay
from chronicle.desk import findings, shelf, writing
from chronicle.desk.log import at_step, log
from chronicle.desk.room import Opened, Room, Unanswerable, version_of
from chronicle.desk.table import table
from chronicle.transcript.render import as_data

Answer = dict[str, Any]

END: Final = 1 << 30
"""The line of whoever means the end of a file."""


class _Draft(NamedTuple):
    """A text that is being typed: what the file held when that began, and what it holds here."""

    base: str
    text: str


class Desk:
    """One desk: what one page asks. Several may share a ``room``; each has its own unsaved texts and
    takes back its own writings. ``guest``: it only looks. ``tell`` is called with a campaign that was
    changed, and with the desk that did it."""

    def __init__(
        self,
        room: Room,
        *,
        guest: bool = False,
        tell: Callable[[str, Desk], None] | None = None,
    ) -> None:
        self.room = room
        self.guest = guest
        self._tell = tell or (lambda id, desk: None)
        self._drafts: dict[str, dict[str, _Draft]] = {}
        self._pasts: dict[str, writing.Past] = {}

    def ask(self, question: object) -> Answer:
        """The answer to a question. Never raises because of what it says."""
        if not isinstance(question, Mapping):
            return {"id": None, "refused": {"message": "a question is a mapping", "help": []}}
        id = question.get("id")
        id = id if isinstance(id, (int, str)) else None
        try:
            with relaxed_gc():
                return {"id": id, "answer": self._answer(question)}
        except Refused as refused:
            return {"id": id, "refused": {"message": str(refused), "help": [*refused.help]}}
        except OSError as error:
            why = error.strerror or str(error)
            return {"id": id, "refused": {"message": f"this cannot be written: {why}", "help": []}}

    def _answer(self, question: Mapping[str, Any]) -> Any:
        name = question.get("ask")
        if not isinstance(name, str) or name not in QUESTIONS:
            raise Unanswerable(f"nobody knows the question {name!r}", ", ".join(QUESTIONS))
        if self.guest and name not in FOR_GUESTS:
            raise Unanswerable("a guest looks on; the keeper of this desk writes")
        method, wanted = QUESTIONS[name]
        given = {key: value for key, value in question.items() if key not in ("id", "ask")}
        for key, value in given.items():
            if key not in wanted:
                raise Unanswerable(f"'{name}' takes no '{key}'", f"it takes {', '.join(wanted)}")
            if not _fits(value, wanted[key].annotation):
                raise Unanswerable(f"'{key}' of '{name}' is not {wanted[key].annotation}")
        for key, parameter in wanted.items():
            if key not in given and parameter.default is parameter.empty:
                raise Unanswerable(f"'{name}' needs '{key}'")
        return method(self, **given)

    def leave(self) -> None:
        """Nobody is at this desk any more; what was typed and not saved goes."""
        self._drafts.clear()

    # -- which campaigns ---------------------------------------------------------------------------

    def campaigns(self) -> list[Answer]:
        """The campaigns here."""
        return shelf.campaigns(self.room)

    def open(self, campaign: str) -> Answer:
        """Everything that a page needs to know of a campaign once."""
        opened = self._stand(campaign)
        return shelf.about(opened) | self._past(campaign).state()

    # -- texts -------------------------------------------------------------------------------------

    def text(self, campaign: str, file: str) -> Answer:
        """What a file holds, as it is being typed."""
        text = self._stand(campaign).text(file)
        return {"text": text, "version": version_of(text)}

    def change(self, campaign: str, file: str, text: str, version: str = "") -> Answer:
        """Look at a file with another text, which is not saved. ``version`` is the text that was
        changed."""
        opened = self._stand(campaign)
        drafts = self._drafts.setdefault(campaign, {})
        before = drafts.get(file)
        base = before.base if before else opened.text(file)
        seen = opened.seen(version) if version and before is None else None
        drafts[file] = _Draft(base if seen is None else seen, text)
        self._stand(campaign)
        return self.findings(campaign) | {"version": version_of(text)}

    def save(self, campaign: str, file: str) -> Answer:
        """Put a text that was changed on the disk, with what others wrote there meanwhile."""
        opened = self._stand(campaign)
        draft = self._drafts.get(campaign, {}).get(file)
        if draft is None:
            return self.text(campaign, file) | {"merged": False}
        now = opened.source(file).text
        text = writing.both(file, draft.base, draft.text, now)
        done = opened.put({file: text})
        self._drafts[campaign].pop(file, None)
        self._wrote(campaign, writing.Done(f"{file} saved", done))
        return self.text(campaign, file) | {"merged": text != draft.text}

    def drop(self, campaign: str, file: str) -> Answer:
        """Forget a text that was changed and not saved."""
        self._drafts.get(campaign, {}).pop(file, None)
        return self.text(campaign, file)

    def findings(self, campaign: str) -> Answer:
        """What is wrong."""
        start = perf_counter()
        answer = findings.answer(self._stand(campaign))
        return answer | {"took": round(perf_counter() - start, 4)}

    # -- the table ---------------------------------------------------------------------------------

    def table(self, campaign: str, file: str = "", line: int = END) -> Answer:
        """The moment after the entry on a line; without a file, now."""
        opened = self._stand(campaign)
        with self._at(opened, file, line) as replay:
            return table(_played(opened, replay), opened.speller_at(_played(opened, replay)))

    def log(self, campaign: str, first: int = 1, last: int = END) -> Answer:
        """The entries from one number to another."""
        return log(self._stand(campaign), first, last)

    # The word of the page for it.
    def try_(self, campaign: str, entry: str, file: str = "", line: int = END) -> Answer:
        """What an entry would do after the one on a line; nothing is written."""
        opened = self._stand(campaign)
        written = "\n".join(writing.as_item(piece) for piece in writing.read_entry(entry))
        with self._at(opened, file, line) as replay:
            standing = _played(opened, replay)
            done, found = opened.resident.attempt(standing, written)
            spell = opened.speller_at(standing)
            return {
                "did": [spell(event.text) for step in done for event in step.events],
                "head": [spell(step.headline) for step in done],
                "findings": [as_data(one) for one in found],
                "after": table(standing, spell, panel=False),
            }

    # -- writing -----------------------------------------------------------------------------------

    def write(
        self,
        campaign: str,
        entry: str,
        text: str = "",
        file: str = "",
        line: int = END,
        version: str = "",
    ) -> Answer:
        """Write an entry below the one on a line; without a file, at the end of the log."""
        opened = self._stand(campaign)
        return self._placed(
            campaign, writing.insert(opened, file, line if file else END, version, entry, text)
        )

    def edit(self, campaign: str, file: str, line: int, entry: str, version: str = "") -> Answer:
        """Write another entry in place of the one on a line."""
        opened = self._stand(campaign)
        return self._placed(campaign, writing.change(opened, file, line, version, entry))

    def remove(self, campaign: str, file: str, line: int, version: str = "") -> Answer:
        """Take out the entry on a line."""
        opened = self._stand(campaign)
        return self._placed(campaign, writing.change(opened, file, line, version, None))

    def undo(self, campaign: str) -> Answer:
        """Take back what this desk wrote last."""
        return self._back(campaign, self._past(campaign).undo(self._stand(campaign)))

    def redo(self, campaign: str) -> Answer:
        """Write again what was taken back last."""
        return self._back(campaign, self._past(campaign).redo(self._stand(campaign)))

    # -- inside ------------------------------------------------------------------------------------

    def _stand(self, campaign: str) -> Opened:
        """A campaign with this desk's unsaved texts in it."""
        opened = self.room.open(campaign)
        drafts = self._drafts.get(campaign, {})
        opened.stand({name: draft.text for name, draft in drafts.items()})
        return opened

    def _past(self, campaign: str) -> writing.Past:
        return self._pasts.setdefault(campaign, writing.Past())

    def _at(self, opened: Opened, file: str, line: int) -> Any:
        return opened.resident.at(file or writing.last_session(opened), line if file else END)

    def _placed(self, campaign: str, placed: writing.Placed) -> Answer:
        self._wrote(campaign, placed.done)
        opened = self._stand(campaign)
        stands = writing.state(opened, placed)
        answer = stands | self._now(campaign, placed.file, placed.line)
        if stands["step"]:
            answer["entry"] = at_step(opened, stands["step"])
        return answer

    def _back(self, campaign: str, done: writing.Done) -> Answer:
        for name in done.files:
            self._drafts.get(campaign, {}).pop(name, None)
        self._tell(campaign, self)
        return {"words": done.words, "files": [*done.files]} | self._now(campaign, "", END)

    def _now(self, campaign: str, file: str, line: int) -> Answer:
        opened = self._stand(campaign)
        found = findings.answer(opened)
        made: Answer = {"findings": found, **self._past(campaign).state()}
        if opened.resident.record is not None:
            made["table"] = self.table(campaign, file, line)
        if file:
            made["version"] = version_of(opened.text(file))
        return made

    def _wrote(self, campaign: str, done: writing.Done) -> None:
        for name in done.files:
            self._drafts.get(campaign, {}).pop(name, None)
        if done.files:
            self._past(campaign).add(done)
            self._tell(campaign, self)


def _played(opened: Opened, replay: Replay[Any] | None) -> Replay[Any]:
    if replay is None:
        raise (
            opened.unreadable()
            if opened.resident.record is None
            else Unanswerable("nothing is played in this file", "look at a session")
        )
    return replay


_CHECKS: Final[Mapping[str, Callable[[object], bool]]] = MappingProxyType(
    {
        "str": lambda value: isinstance(value, str),
        "int": lambda value: type(value) is int and abs(value) < 1 << 53,
        "bool": lambda value: isinstance(value, bool),
        "list[str]": lambda value: (
            isinstance(value, list) and all(isinstance(one, str) for one in value)
        ),
        "dict[str, Any]": lambda value: isinstance(value, dict),
    }
)


def _fits(value: object, annotation: str) -> bool:
    return _CHECKS[annotation](value)


def _questions() -> dict[str, tuple[Callable[..., Any], dict[str, inspect.Parameter]]]:
    found: dict[str, tuple[Callable[..., Any], dict[str, inspect.Parameter]]] = {}
    for name, method in vars(Desk).items():
        if name.startswith("_") or name in ("ask", "leave") or not inspect.isfunction(method):
            continue
        parameters = dict(inspect.signature(method).parameters)
        del parameters["self"]
        found[name.rstrip("_")] = method, parameters
    return found


QUESTIONS: Final = MappingProxyType(_questions())
"""Every question, with the method that answers it and what it takes."""

FOR_GUESTS: Final = frozenset({"campaigns", "open", "table", "log", "findings"})
"""What somebody may ask who only looks."""
