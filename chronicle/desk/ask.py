"""From a question to its answer: the one adapter that every door of the desk uses.

A question is a mapping: ``{"id": 7, "ask": "table", "campaign": "the-lantern-coast"}``. Its answer is
``{"id": 7, "answer": ...}``, or ``{"id": 7, "refused": {"message": ..., "help": [...]}}``. Everything in
it is plain data. What a question takes is what the method of its name takes.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import perf_counter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.campaigns import relaxed_gc
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Finding, Severity
from chronicle.core.law import player_named
from chronicle.core.names import Named
from chronicle.core.record import Step
from chronicle.core.refused import Refused
from chronicle.core.replay import Replay
from chronicle.desk import card as cards
from chronicle.desk import (
    counting,
    evenings,
    findings,
    founding,
    nested,
    settled,
    shelf,
    speak,
    writing,
)
from chronicle.desk import fixes as repairs
from chronicle.desk import guide as guides
from chronicle.desk.advice import asked_for
from chronicle.desk.editor import look
from chronicle.desk.editor.complete import complete
from chronicle.desk.fit import BEGUN, EXACT, Fitting, ranked
from chronicle.desk.hints import row, spoken
from chronicle.desk.keeper import keeper
from chronicle.desk.log import at_step, log
from chronicle.desk.room import (
    MOST_TRIES,
    Conflict,
    Edit,
    Opened,
    Room,
    Unanswerable,
    WorkingCopy,
    no_file,
    version_of,
)
from chronicle.desk.snippets import example
from chronicle.desk.spans import Spans, Speller, phrase
from chronicle.desk.table import payments, table
from chronicle.desk.usage import named_in
from chronicle.transcript.find import SETTINGS_FILE
from chronicle.transcript.one_line import (
    LineError,
    close_brackets,
    read_line,
    split_line,
    write_line,
)
from chronicle.transcript.render import as_data
from chronicle.transcript.yaml_text import write_entry, write_flow
from chronicle.words import word

Answer = dict[str, Any]

ENVELOPE: Final = frozenset({"id", "ask", "once"})
"""The keys of a question that belong to the protocol. No question has a key of its own by these names."""
END: Final = 1 << 30
"""The line of whoever means the end of a file."""


UNFINISHED: Final = frozenset({"T20", "T22", "T23", "T31"})
"""What is found about an entry that somebody has not finished typing."""
MOST_TRIED: Final = 8
"""How many names are tried in a line before they are offered."""
MOST_FOLLOWS: Final = 12
"""How much of what a line does is told beside it, besides what is paid; of the rest, how much it is."""
MOST_ANSWERED: Final = 256
"""How many answers are remembered for whoever asks the same again."""


KEYS: Final = frozenset({"key", "part", "next", "value"})
"""What a choice is that has a place of its own behind it, by the name of that."""
_FIGURE: Final = re.compile(r"\d+")
_COME_TO: Final = re.compile(r"\(\d+\)")
_BETWEEN: Final = re.compile(r"[,:{}\[\]]")
"""The characters that end a key or a value in a line."""
_BRACED: Final = re.compile(r"\{([^{}]*)\}")
"""What the two halves of a pair are, as a key is documented."""


class NotWhole(Unanswerable):
    """A line that lacks something to be an entry, and is to be written only if it does not."""


class _Repairs(NamedTuple):
    """The ways that were offered last: for what, in which file, and what that held."""

    about: str
    file: str
    base: str
    made: list[repairs.Fix]


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
        self._drafts: dict[str, dict[str, WorkingCopy]] = {}
        self._pasts: dict[str, writing.History] = {}
        self._repairs: dict[str, _Repairs] = {}

    def ask(self, question: object) -> Answer:
        """The answer to a question. Never raises because of what it says."""
        if not isinstance(question, Mapping):
            return {"id": None, "refused": {"message": "a question is a mapping", "help": []}}
        id = question.get("id")
        id = id if isinstance(id, (int, str)) else None
        try:
            with relaxed_gc():
                return {"id": id, "answer": self._answer(question)}
        except NotWhole as lack:
            told = {"message": str(lack), "help": [*lack.help], "lacks": True}
            return {"id": id, "refused": told}
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
            raise Unanswerable(word("server.guest_may_not_edit"))
        method, wanted = QUESTIONS[name]
        once = question.get("once") if name in WRITING else None
        if isinstance(once, str) and once in self.room.answered:
            return self.room.answered[once]
        given = {key: value for key, value in question.items() if key not in ENVELOPE}
        for key, value in given.items():
            if self.guest and key in wanted and key not in FOR_GUESTS[name]:
                raise Unanswerable(f"guests cannot use '{key}' of '{name}'", f"leave '{key}' out")
            if key not in wanted:
                raise Unanswerable(f"'{name}' takes no '{key}'", f"it takes {', '.join(wanted)}")
            if not _fits(value, wanted[key].annotation):
                raise Unanswerable(f"'{key}' of '{name}' is not {wanted[key].annotation}")
        if "\0" in str(given.get("file", "")):
            # No system can hold such a file, and asking for it fails otherwise than for one that is not there.
            raise no_file(given["file"])
        for key, parameter in wanted.items():
            if key not in given and parameter.default is parameter.empty:
                raise Unanswerable(f"'{name}' needs '{key}'")
        self.room.look()
        answer = method(self, **given)
        if isinstance(once, str):
            self.room.answered[once] = answer
            while len(self.room.answered) > MOST_ANSWERED:
                self.room.answered.popitem(last=False)
        return answer

    def leave(self) -> None:
        """Nobody is at this desk any more; what was typed and not saved goes."""
        self._drafts.clear()

    # -- which campaigns ---------------------------------------------------------------------------

    def campaigns(self) -> list[Answer]:
        """The campaigns here."""
        return shelf.campaigns_for_guests(self.room) if self.guest else shelf.campaigns(self.room)

    def games(self) -> list[Answer]:
        """The games there are, with what is asked before the first entry."""
        return founding.games()

    def new(
        self,
        game: str,
        title: str,
        players: list[str],
        runner: str = "",
        strictness: str = "standard",
        settings: dict[str, Any] | None = None,
        add_ons: list[str] | None = None,
    ) -> Answer:
        """Begin a campaign, with an empty first evening."""
        said = founding.Answers(
            game, title, tuple(players), runner, strictness, settings or {}, tuple(add_ons or ())
        )
        files = founding.files(said)
        id = self.room.create_campaign(founding.home_for(self.room, title), files)
        self._tell(id, self)
        return self.open(id)

    def open(self, campaign: str) -> Answer:
        """Everything that a page needs to know of a campaign once."""
        opened = self._stand(campaign)
        return {"key": self.room.key(opened)} | shelf.about(opened) | self._past(campaign).state()

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
        base = before.base if before else opened.seen_copy(file, version).base
        drafts[file] = WorkingCopy(base, text)
        self._stand(campaign)
        return self.findings(campaign) | {"version": version_of(text)}

    def save(self, campaign: str, file: str) -> Answer:
        """Put a text that was changed on the disk, with what others wrote there meanwhile."""
        opened = self._stand(campaign)
        draft = self._drafts.get(campaign, {}).get(file)
        if draft is None:
            return self.text(campaign, file) | {"merged": False}
        done = opened.put({file: draft.edit(draft.text)})
        self._drafts[campaign].pop(file, None)
        self._wrote(campaign, writing.Written(word("server.file_saved", file=file), done))
        answer = self.text(campaign, file)
        return answer | {"merged": answer["text"] != draft.text}

    def drop(self, campaign: str, file: str) -> Answer:
        """Forget a text that was changed and not saved."""
        self._drafts.get(campaign, {}).pop(file, None)
        return self.text(campaign, file)

    def findings(self, campaign: str) -> Answer:
        """What is wrong."""
        start = perf_counter()
        answer = findings.answer(self._stand(campaign))
        # Time spent on a text depends on all of it, hidden entries included: guests do not learn it.
        return answer if self.guest else answer | {"took": round(perf_counter() - start, 4)}

    # -- the table ---------------------------------------------------------------------------------

    def table(
        self, campaign: str, file: str = "", line: int = END, branch: list[str] | None = None
    ) -> Answer:
        """The moment after the entry on a line; without a file, now. ``branch`` are entries that are
        thought to come after it, and are written nowhere."""
        opened = self._stand(campaign)
        with self._at(opened, file, line, branch) as replay:
            standing = _played(opened, replay)
            return table(standing, opened.speller_at(standing)) | self._where(opened, standing)

    def log(self, campaign: str, first: int = 1, last: int = END) -> Answer:
        """The entries from one number to another."""
        return log(self._stand(campaign), first, last)

    def place(self, campaign: str, anchor: str) -> Answer:
        """Which entry a page of the site calls by this anchor."""
        opened = self._stand(campaign)
        record = opened.resident.record
        if record is None:
            raise opened.unreadable()
        for step in record.steps:
            if anchor in (step.anchor, step.former):
                while step.parent is not None:
                    step = record.step(step.parent)
                whole = step.action.whole
                return {"step": step.index, "file": whole.path, "line": whole.line}
        raise Unanswerable("the log has no such entry any more")

    def try_(
        self,
        campaign: str,
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
        branch: list[str] | None = None,
    ) -> Answer:
        """What an entry would do after the one on a line; nothing is written."""
        opened = self._stand(campaign)
        pieces = self._pieces(opened, file, line, entry, said, by, text, branch)
        with self._at(opened, file, line, branch) as replay:
            return tried(opened, _played(opened, replay), pieces)

    def fit(
        self,
        campaign: str,
        said: str,
        caret: int = -1,
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
        branch: list[str] | None = None,
    ) -> Answer:
        """What fits a line that is being typed, and what it would do as it stands. ``caret`` is where in
        it somebody is (its end, if that is not said), ``text`` the story told beside it."""
        opened = self._stand(campaign)
        at = len(said) if caret < 0 else min(caret, len(said))
        asked = (said, at, by, text, file, line, *(branch or ()))
        return opened.once(asked, lambda: self._fit(opened, said, at, by, text, file, line, branch))

    def _fit(
        self,
        opened: Opened,
        said: str,
        at: int,
        by: str,
        text: str,
        file: str,
        line: int,
        branch: list[str] | None,
    ) -> Answer:
        within = None
        told = nested.find_typing(said[:at], shelf.verbs(opened))
        if told is not None:
            with self._at(opened, file, line, branch) as replay:
                within = nested.choices(opened.resident, _played(opened, replay), told, said, at)
        with self._at(opened, file, line, branch) as replay:
            standing = _played(opened, replay)
            fitting = Fitting(standing, by)
            answer = within or fitting.choices(said, at)
            grows = any(
                one["kind"] == "part" and one["line"].startswith(said) for one in answer["choices"]
            )
            besides = None if within or said[at:] or grows else fitting.besides(said)
            unsure = set() if within or said[at:] else fitting.unsure(said)
            labels = [one["label"] for one in answer["choices"]]
            apart = set() if within else fitting.apart(said[:at], labels)
            apart |= set() if within else fitting.again(said[:at], labels)
            answer["example"] = "" if within or said[at:] else example(fitting, said)
            turn = standing.rulebook.standing(standing.play).turn
            taken = split_line(said, standing.rulebook.by_verb)
            last = said[: taken.parts[-1].start] if taken is not None else ""
            form = example(fitting, last) if last and last != said and not within else ""
            field = fitting.field_at(last) if form else None
            means = _BRACED.match(field.doc) if field is not None else None
        here = file, line, branch
        if not within:
            self._counted_on(opened, answer, said, at, by, *here)
        does = self._fitted(opened, said, by, text, *here)
        does["instead"] = ""
        answer["parts"] = nested.list_parts(said, shelf.verbs(opened))
        if does["lacks"] and form and not does["lacks"][0]["unsaid"]:
            written = f"{last[last.rfind(',') + 1 :].strip()} {form}"
            does["lacks"][0]["unsaid"] = (
                word("server.write_it_as_in_meaning", example=written, meaning=means[1])
                if means
                else word("server.write_it_as_in", example=written)
            )
        if turn and not by and does["by"] not in ("", turn):
            acts, instead = self._acts(opened, said, by, file, line, branch)
            if instead:
                does = self._fitted(opened, said, acts, text, *here)
                does["instead"] = instead
        if besides is not None:
            token, instead = besides
            # A number may go on, and what the line lacks it lacks either way.
            more = f"{said}0" if token.isdigit() else said
            wrong, otherwise, longer = (
                self._wrong(opened, close_brackets(one), by, file, line, branch)
                for one in (said, instead, more)
            )
            why = next((each for each in wrong if each in longer and each not in otherwise), "")
            if why and not any(one["kind"] == "new" for one in answer["choices"]):
                barred = {"line": said, "caret": at, "label": token, "note": "", "hint": ""}
                barred |= {"kind": "value", "eligible": False, "why": wrong[why]}
                barred |= {"chosen": False, "met": EXACT}
                answer["choices"].insert(0, barred)
        if answer["key"] == "by" and not said[at:]:
            # Anybody may act in some way; who may not do this, whoever's it is may.
            first, *others = [one for one in answer["choices"] if one["kind"] == "name"][
                :MOST_TRIED
            ] or [{}]
            right = (
                self._wrong(opened, close_brackets(first["line"]), by, file, line, branch)
                if others
                else {}
            )
            for one in others:
                wrong = self._wrong(opened, close_brackets(one["line"]), by, file, line, branch)
                why = next((each for each in wrong if each not in right), "")
                if why:
                    one.update(eligible=False, why=wrong[why])
            answer["choices"].sort(key=ranked)
        if unsure:
            self._tried_names(opened, answer, said, unsure, (by, file, line, branch))
        if not within:
            self._alone(opened, answer, said[:at], does["by"], apart, (by, file, line, branch))
        # What the line still lacks comes before what it may say besides.
        said_of = (*does["findings"], *does["lacks"])
        lacking = {key for one in said_of for key in asked_for(one)}
        answer["choices"].sort(
            key=lambda one: not (one["kind"] in KEYS and one["label"] in lacking)
        )
        first = answer["choices"][0] if answer["choices"] else {}
        if answer["ghost"] and first.get("label") in lacking and first["line"].startswith(said):
            answer["ghost"] = first["line"][len(said) :]
        key = answer["ghost"].strip(" ,:") if answer["ghost"].startswith(",") else ""
        typed = split_line(said, shelf.verbs(opened))
        field = typed.verb.fields.get(key) if typed is not None else None
        if field is not None and not (does["complete"] or field.required or key in lacking):
            # What is not whole yet does not become so by whatever else may be said.
            answer["ghost"] = ""
        begun = "name" if said.rstrip().endswith(",") else "next"
        further = next(
            (one["line"] for one in answer["choices"] if one["kind"] == begun and one["eligible"]),
            "",
        )
        parts = {one["label"]: one["line"] for one in answer["choices"] if one["kind"] in KEYS}
        ways = [further, *(parts[key] for key in lacking & {*parts})]
        asked = self._asked(opened, said, does, ways, by, file, line, branch)
        if asked and not said[at:] and answer["ghost"][:1] in ("", ","):
            with self._at(opened, file, line, branch) as replay:
                behind = Fitting(_played(opened, replay), by)
                found = behind.choices(asked, len(asked))["choices"]
                own = behind.own_words(asked)
            key = {"line": asked, "caret": len(asked), "note": "", "hint": "", "why": ""}
            key |= {"label": asked[:-2].rpartition(", ")[2], "kind": "key"}
            key |= {"eligible": True, "chosen": False, "met": BEGUN}
            there = [one for one in answer["choices"] if one["line"] != asked]
            # Own words are typed, whatever others have said there.
            answer["choices"] = [*([key] if own or not found else []), *found, *there]
        return answer | does

    def _counted_on(
        self,
        opened: Opened,
        answer: Answer,
        said: str,
        at: int,
        by: str,
        file: str,
        line: int,
        branch: list[str] | None,
    ) -> None:
        """Let the figures beside the choices be those that come after what the line lists already."""
        counted = [one for one in answer["choices"] if one["kind"] in ("name", "value", "next")]
        counted = [one for one in counted if one["eligible"] and _FIGURE.search(one["note"])]
        whole = any(one["kind"] == "next" for one in counted)
        before = said[:at] if whole else said[:at].rpartition(",")[0]
        if not counted or not before:
            return
        with self._at(opened, file, line, branch) as replay:
            standing = _played(opened, replay)
            try:
                data = read_line(before, standing.rulebook.by_verb)
            except LineError:
                return
            entry = write_entry({**data, "by": by} if by and "by" not in data else data)
            opened.resident.attempt(standing, writing.as_item(entry))
            then = Fitting(standing, by).choices(said, at)["choices"]
        notes = {one["line"]: one["note"] for one in then}
        for one in counted:
            one["note"] = notes.get(one["line"]) or one["note"]

    def _alone(
        self,
        opened: Opened,
        answer: Answer,
        said: str,
        acting: str,
        apart: set[str],
        here: tuple[str, str, int, list[str] | None],
    ) -> None:
        """Bar the names that would be wrong in a line although they may stand in its place: whoever acts
        in it, and those who stand ``apart`` from the others in it."""
        names = [one for one in answer["choices"] if one["kind"] in ("name", "next")]
        names = [one for one in names if one["eligible"] and not one["chosen"]]

        def right(one: Answer) -> bool:
            own = bool(acting) and acting in (one["label"], one["note"])
            return not own and one["label"] not in apart

        fine = next((one for one in names if right(one)), None)
        if fine is None or answer["key"] == "by" or fine["line"].endswith(": "):
            return
        allowed = self._wrong(opened, close_brackets(fine["line"]), *here, least="warning")
        for one in [one for one in names if not right(one)][:MOST_TRIED]:
            wrong = self._wrong(opened, close_brackets(one["line"]), *here, least="warning")
            why = next((each for each in wrong if each not in allowed), "")
            if why:
                new = (each for each in wrong.values() if each not in allowed.values())
                one.update(eligible=False, why=next(new, wrong[why]))
        _rank_again(answer, said)

    def _tried_names(
        self,
        opened: Opened,
        answer: Answer,
        said: str,
        unsure: set[str],
        here: tuple[str, str, int, list[str] | None],
    ) -> None:
        """Bar those of the ``unsure`` names with whom a line would be wrong: for what is said of them by name,
        and for what is not wrong with all of them, or without any where it is whole so."""
        names = [one for one in answer["choices"] if one["kind"] in ("name", "next")]
        names = [one for one in names if one["eligible"] and one["label"] in unsure][:MOST_TRIED]
        if not names:
            return
        wrong = [self._wrong(opened, close_brackets(one["line"]), *here) for one in names]
        before = _without_last_key(said)
        by, file, line, branch = here
        alone = before != said and self._fitted(
            opened, close_brackets(before), by, "", file, line, branch
        )
        if alone and alone["complete"]:
            right = {*self._wrong(opened, close_brackets(before), *here)}
        else:
            right = {*wrong[0]}.intersection(*wrong)
        for one, why in zip(names, wrong, strict=True):
            new = next((e for e in why if e not in right or one["label"] in why[e]), "")
            if new:
                one.update(eligible=False, why=why[new])
        _rank_again(answer, said)

    def _asked(
        self,
        opened: Opened,
        said: str,
        does: Answer,
        ways: list[str],
        by: str,
        file: str,
        line: int,
        branch: list[str] | None,
    ) -> str:
        """The line with the first key begun that it still lacks. The findings that only a lacking key
        makes are noted with it: whatever stands under it, they are gone; no key where one of the
        ``ways`` in which the line may go on has them gone. Who acts is asked for only where nobody does."""
        told = split_line(said, shelf.verbs(opened))
        if told is None:
            return ""
        there = {part.key for part in told.parts if part.text.strip()}
        begun = ""
        findings = does["findings"] if does["complete"] else ()
        last = told.parts[-1].key
        for one in findings if last not in there else ():
            if last in asked_for(one):
                # The one that is begun comes before all others that are lacking.
                one["asks"] = [last]
                return ""
        for one in findings:
            for key in asked_for(one):
                if key in there or key not in told.verb.fields or one["severity"] != "error":
                    continue
                more = f"{said.rstrip(' ,')}, {key}: "
                gone = not does["by"]
                if key != "by":
                    with self._at(opened, file, line, branch) as replay:
                        whole = Fitting(_played(opened, replay), by).whole(more)
                    wrong = self._wrong(opened, whole, by, file, line, branch)
                    gone = one["message"] not in wrong.values()
                if gone:
                    one["asks"] = [*one.get("asks", ()), key]
                    begun = begun or more
        # What is not all there yet is nothing to be blamed for.
        passing = self._passing(opened, does, ways, (by, file, line, branch)) if findings else ()
        for one in findings:
            if "asks" not in one and one["code"] in passing:
                one["asks" if one["severity"] == "error" else "passing"] = [""]
        return begun

    def _passing(
        self,
        opened: Opened,
        does: Answer,
        ways: list[str],
        here: tuple[str, str, int, list[str] | None],
    ) -> set[str]:
        """The codes of what is found about a line that is gone when it goes on in one of some ways, and
        on as long as it lists more."""
        by, file, line, branch = here
        told = {one["code"] for one in does["findings"] if one["severity"] != "note"}
        found: set[str] = set()
        for longer in filter(None, ways):
            for number in range(MOST_TRIED):
                # What two items more do not settle, more of them hardly will.
                if not longer or found == told or (number == 2 and not found):
                    break
                with self._at(opened, file, line, branch) as replay:
                    whole = Fitting(_played(opened, replay), by).whole(longer)
                then = self._fitted(opened, whole, by, "", file, line, branch)
                if not then["complete"]:
                    break
                found |= told - {one["code"] for one in then["findings"]}
                with self._at(opened, file, line, branch) as replay:
                    more = Fitting(_played(opened, replay), by).choices(whole, len(whole))
                nexts = (
                    o["line"] for o in more["choices"] if o["kind"] == "next" and o["eligible"]
                )
                longer = next(nexts, "")
        return found

    def _fitted(
        self,
        opened: Opened,
        said: str,
        by: str,
        text: str,
        file: str,
        line: int,
        branch: list[str] | None = None,
    ) -> Answer:
        """What a line would do that is ``by`` somebody, who is named in it where it would else be another's."""
        with self._at(opened, file, line, branch) as replay:
            does, done = fitted(opened, _played(opened, replay), said, text)
        if by and done and done[0].action.by is None and done[0].player != by:
            with self._at(opened, file, line, branch) as replay:
                does, done = fitted(opened, _played(opened, replay), said, text, by=by)
        does["by"] = by or (done[-1].player if done else "")
        return does

    def _wrong(
        self,
        opened: Opened,
        said: str,
        by: str,
        file: str,
        line: int,
        branch: list[str] | None,
        least: str = "error",
    ) -> dict[str, str]:
        """What would be wrong with a line, by the rules it breaks; ``least``: with a warning as well."""

        def wrong() -> dict[str, str]:
            found = self._fitted(opened, said, by, "", file, line, branch)["findings"]
            told: dict[str, str] = {}
            for one in found:
                if one["severity"] in ("error", least):
                    # A rule that is broken twice is broken once more than once.
                    many = sum(key.split()[0] == one["code"] for key in told)
                    told[f"{one['code']} {many + 1}" if many else one["code"]] = one["message"]
            return told

        return opened.once(("wrong", least, said, by, file, line, *(branch or ())), wrong)

    def form(self, campaign: str, said: str) -> Answer:
        """All that can be said with the verb that a line begins with, key by key."""
        return speak.form(shelf.verbs(self._stand(campaign)), said)

    def throw(
        self,
        campaign: str,
        verb: str,
        dice: list[Any],
        within: str = "",
        file: str = "",
        line: int = END,
        branch: list[str] | None = None,
    ) -> Answer:
        """The entry for what fell on the table, as a ``line`` too, and what it would do: ``dice`` are mappings with
        ``who``, ``kind``, ``faces`` and ``extra``, as they are due."""
        opened = self._stand(campaign)
        with self._at(opened, file, line, branch) as replay:
            standing = _played(opened, replay)
            data = speak.thrown(standing, verb, dice, within)
            entry, said = write_entry(data), write_line(data, standing.rulebook.by_verb)
            return {"entry": entry, "line": said} | tried(opened, standing, [entry])

    def count(self, campaign: str, file: str = "", line: int = END) -> Answer:
        """What Chronicle believes, to be counted."""
        opened = self._stand(campaign)
        with self._at(opened, file, line) as replay:
            return {"groups": counting.count(opened, _played(opened, replay))}

    def counted(
        self,
        campaign: str,
        figures: dict[str, Any],
        words: str = "",
        where: str = "",
        file: str = "",
        line: int = END,
    ) -> Answer:
        """The entry for what was counted (measure to name to figure), and what it would do; with the
        ``hole`` in the record above it or the end of the ``evening`` below it, if that is ``where``
        people counted, and ``words`` of that."""
        opened = self._stand(campaign)
        with self._at(opened, file, line) as replay:
            standing = _played(opened, replay)
            entry = counting.counted(standing, figures, words, where=where)
            return {"entry": entry} | tried(opened, standing, writing.read_entry(entry))

    def keeper(self, campaign: str, file: str = "", line: int = END) -> Answer:
        """What the keeper of the record has to see to."""
        opened = self._stand(campaign)
        with self._at(opened, file, line) as replay:
            return keeper(opened, _played(opened, replay))

    def rule(self, campaign: str, rule: str) -> Answer:
        """A rule, a silent point or a message about the form of a log, by its id."""
        return shelf.rule(self._stand(campaign), rule)

    def card(self, campaign: str, name: str) -> Answer:
        """Somebody or something that has a name: kind, status, and the sheet in short."""
        return cards.card(self._stand(campaign), name)

    # -- while a text is being typed ---------------------------------------------------------------

    def hover(self, campaign: str, file: str, line: int, column: int) -> Answer | None:
        """What there is to say of a place in a file, as Markdown."""
        shown = look.hover(self._stand(campaign), file, line, column)
        if shown is None:
            return None
        place = shown.place._asdict()
        del place["path"]
        return {"text": shown.markdown, **place}

    def complete(self, campaign: str, file: str, line: int, column: int) -> list[Answer]:
        """What fits at a place in a file, the most likely first. ``insert`` takes the place of the last
        ``over`` characters before the caret, ``after`` comes behind it."""
        found = complete(self._stand(campaign), file, line, column)
        return [
            one._asdict() | {"insert": head, "after": tail}
            for one in found
            for head, tail in (one.plain,)
        ]

    def fixes(
        self,
        campaign: str,
        key: str = "",
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
    ) -> list[Answer]:
        """Ways to mend the finding of a key, or what would be found about an entry that is not written
        yet. Each is proved, and the first one is to be preferred."""
        opened = self._stand(campaign)
        if key:
            name, found = repairs.about(opened, key)
            made = repairs.fixes(opened, name, opened.text(name), [found])
            base = opened.text(name)
        else:
            pieces = self._pieces(opened, file, line, entry, said, by, text)
            draft = writing.draft(opened, file, line if file else END, pieces)
            name, base = draft.file, draft.old_text
            with opened.holding({name: draft.text}):
                wrong = repairs.of_step(opened.resident, name, draft.line)
                made = repairs.fixes(opened, name, draft.text, wrong)
        self._repairs[campaign] = _Repairs(key or str((entry, said, by, text)), name, base, made)
        self._stand(campaign)
        return [_mend(one.plain(not number and one.sure)) for number, one in enumerate(made)]

    # -- writing -----------------------------------------------------------------------------------

    def write(
        self,
        campaign: str,
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
        version: str = "",
        whole: bool = False,
    ) -> Answer:
        """Write an entry below the one on a line; without a file, at the end of the log. ``whole``: only
        if what is ``said`` lacks nothing to be one, and nothing is wrong with it."""
        opened = self._stand(campaign)
        at = line if file else END
        if whole and said:
            does = self._fitted(opened, said, by, text, file, at)
            if does["lacks"]:
                lack = does["lacks"][0]
                message = word("server.finish_the_line", message=lack["message"])
                raise NotWhole(message, *lack["hints"])
            for one in does["findings"]:
                if one["severity"] == "error":
                    raise NotWhole(one["message"], *one["hints"])
        pieces = self._pieces(opened, file, at, entry, said, by, text)
        return self._placed(campaign, writing.insert(opened, file, at, version, pieces))

    def apply(
        self,
        campaign: str,
        n: int,
        key: str = "",
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
    ) -> Answer:
        """Take one of the ways that ``fixes`` gave, by its number counted from 0."""
        opened = self._stand(campaign)
        held = self._repairs.get(campaign)
        if held is None or held.about != (key or str((entry, said, by, text))):
            raise Unanswerable("nothing was offered for this", "ask for the fixes first")
        if not 0 <= n < len(held.made):
            raise Unanswerable(f"there is no way {n}; there are {len(held.made)}")
        way = held.made[n]
        base = held.base if way.file == held.file else way.before
        copy = opened.working_copy(way.file)
        edit = copy.edit(writing.merge_or_raise(way.file, base, way.text, copy.text))
        files = opened.put({way.file: edit})
        words = "".join(one if isinstance(one, str) else one["t"] for one in way.title)
        self._wrote(campaign, writing.Written(words, files))
        del self._repairs[campaign]
        return {"file": way.file} | self._now(campaign)

    def hole(
        self,
        campaign: str,
        words: str = "",
        figures: dict[str, Any] | None = None,
        file: str = "",
        line: int = END,
        version: str = "",
    ) -> Answer:
        """Write that something is missing here, and what was counted."""
        opened = self._stand(campaign)
        at = line if file else END
        with self._at(opened, file, at) as replay:
            entry = counting.counted(_played(opened, replay), figures or {}, words, where="hole")
        pieces = writing.read_entry(entry)
        return self._placed(campaign, writing.insert(opened, file, at, version, pieces))

    def session(
        self, campaign: str, title: str = "", date: str = "", present: list[str] | None = None
    ) -> Answer:
        """Begin a new evening, in a file of its own."""
        opened = self._stand(campaign)
        for left in reversed(range(MOST_TRIES)):
            name, text = evenings.begun(opened, title, date, present or [])
            try:
                done = opened.put({name: Edit(None, text)})
                break
            except Conflict:
                # Somebody else has begun one in a file of this name: take the next.
                opened.look()
                if not left:
                    raise
        self._wrote(campaign, writing.Written(word("server.file_begun", file=name), done))
        return {"file": name} | self._now(campaign, name)

    def settled(self, campaign: str) -> Answer:
        """What a campaign is called, and its settings that can be said otherwise."""
        return settled.current_settings(self._stand(campaign))

    def settle(
        self,
        campaign: str,
        title: str,
        settings: dict[str, Any] | None = None,
        version: str = "",
    ) -> Answer:
        """Say otherwise what a campaign is called and how it is played; the settings that are named.
        ``version`` is the one that ``settled`` gave."""
        opened = self._stand(campaign)
        done = opened.put(
            {SETTINGS_FILE: settled.changed_settings(opened, title, settings or {}, version)}
        )
        self._wrote(campaign, writing.Written(word("server.settings_of_campaign"), done))
        about = {"title": " ".join(title.split())}
        return about | self._now(campaign)

    def evening(
        self,
        campaign: str,
        file: str,
        title: str = "",
        date: str = "",
        present: list[str] | None = None,
        version: str = "",
        told: dict[str, Any] | None = None,
    ) -> Answer:
        """Say otherwise what a session is called, when it was, who was there, and what is told of it."""
        opened = self._stand(campaign)
        edit = evenings.headed(opened, file, title, date, present, version, told)
        done = opened.put({file: edit})
        self._wrote(campaign, writing.Written(word("server.head_of_file", file=file), done))
        return {"file": file} | self._now(campaign)

    def entry(self, campaign: str, file: str, line: int, version: str = "") -> Answer:
        """The entry on a line as it is written, to be changed in place; the line is one of the ``version``
        that somebody saw."""
        name, at, copy = writing.place(self._stand(campaign), file, line, version)
        return writing.source(name, copy.text, at) | {"version": version_of(copy.text)}

    def tell(self, campaign: str, file: str, line: int, text: str, version: str = "") -> Answer:
        """Give an entry another fiction, or its first; none if it is empty."""
        opened = self._stand(campaign)
        return self._placed(campaign, writing.tell(opened, file, line, version, text))

    def edit(self, campaign: str, file: str, line: int, entry: str, version: str = "") -> Answer:
        """Write another entry in place of the one on a line."""
        opened = self._stand(campaign)
        pieces = writing.read_entry(entry)
        return self._placed(campaign, writing.change(opened, file, line, version, pieces))

    def amend(self, campaign: str, file: str, line: int, entry: str, version: str = "") -> Answer:
        """What would be found about the entry on a line, or the one inside of another that begins there, if
        it stood so; and how much more would be wrong elsewhere. Nothing is written."""
        opened = self._stand(campaign)
        made = writing.amended(opened, file, line, version, writing.read_entry(entry))
        first, last = writing.span(made.text, made.file, made.line)
        before = Counter(one.message for one in findings.keyed(opened).values() if one.severity > 1)
        with opened.holding({made.file: made.text}):
            found = findings.keyed(opened)
            verbs = shelf.verbs(opened)
            own = {
                key: one
                for key, one in found.items()
                if one.place.path == made.file and first <= one.place.line <= last
            }
            rest = Counter(
                one.message for key, one in found.items() if one.severity > 1 and key not in own
            )
            told = [findings.plain(key, one, verbs) for key, one in own.items()]
        return {"findings": told, "elsewhere": (rest - before).total()}

    def remove(self, campaign: str, file: str, line: int, version: str = "") -> Answer:
        """Take out the entry on a line."""
        opened = self._stand(campaign)
        return self._placed(campaign, writing.change(opened, file, line, version, []))

    def undo(self, campaign: str) -> Answer:
        """Take back what this desk wrote last."""
        return self._back(campaign, self._past(campaign).undo(self._stand(campaign)))

    def lead(self, game: str) -> Answer:
        """Begin a first evening of a game, through which :meth:`led` leads."""
        title, files = guides.beginning(game)
        id = self.room.create_campaign(founding.home_for(self.room, title), files)
        self._tell(id, self)
        return self.open(id)

    def led(self, campaign: str, said: str = "", by: str = "") -> Answer:
        """How far a first evening is, what comes next in it, and how it would be told; and what is
        otherwise in a line that is tried for it (``by``: whose act that would be)."""
        opened = self._stand(campaign)
        record = opened.resident.record
        if record is None:
            raise opened.unreadable()
        wanted = guides.steps(record.campaign.game)
        at = guides.steps_done(record, wanted)
        made: Answer = {"done": at, "of": len(wanted), "step": None, "told": [], "differs": []}
        if at == len(wanted):
            return made
        with self._at(opened, "", END) as replay:
            standing = _played(opened, replay)
            verbs = standing.rulebook.by_verb
            made["step"] = guides.plain(wanted[at], verbs)
            if said:
                with suppress(LineError):
                    data = read_line(said, verbs)
                    made["differs"] = guides.differing(standing, wanted[at], data, by)
            item = writing.as_item(write_entry(wanted[at].data))
            done, _ = opened.resident.attempt(standing, item)
            spell = opened.speller_at(standing)
            told = done[0].headline if done else ""
            made["player"] = done[0].player if done else ""
            made["told"] = spell(told or write_flow(wanted[at].data[wanted[at].verb]))
        return made

    def redo(self, campaign: str) -> Answer:
        """Write again what was taken back last."""
        return self._back(campaign, self._past(campaign).redo(self._stand(campaign)))

    # -- inside ------------------------------------------------------------------------------------

    def _stand(self, campaign: str) -> Opened:
        """A campaign with this desk's unsaved texts in it."""
        if self.guest:
            return self.room.lent(campaign)
        opened = self.room.open(campaign)
        drafts = self._drafts.get(campaign, {})
        opened.set_drafts(drafts)
        return opened

    def _past(self, campaign: str) -> writing.History:
        return self._pasts.setdefault(campaign, writing.History())

    def _pieces(
        self,
        opened: Opened,
        file: str,
        line: int,
        entry: str,
        said: str,
        by: str,
        text: str,
        branch: list[str] | None = None,
    ) -> list[str]:
        if said:
            by, _ = self._acts(opened, said, by, file, line, branch)
        with self._at(opened, file, line, branch) as replay:
            return speak.pieces(opened.resident, _played(opened, replay), entry, said, by, text)

    def _acts(
        self,
        opened: Opened,
        said: str,
        by: str,
        file: str,
        line: int,
        branch: list[str] | None,
    ) -> tuple[str, str]:
        """Whose act a line is meant to be, where nobody has said so: whose turn the headline says it is, if
        the check would take it for somebody else's who is not named in it, and nothing speaks against
        that; and whose it would be ``instead``. Two empty texts: as the check takes it."""

        def acts() -> tuple[str, str]:
            with self._at(opened, file, line, branch) as replay:
                standing = _played(opened, replay)
                turn = standing.rulebook.standing(standing.play).turn
                try:
                    data = read_line(said, standing.rulebook.by_verb)
                except LineError:
                    return "", ""
                verb = next(iter(data))
                if not turn or "by" in data or verb not in standing.rulebook.own_verbs:
                    return "", ""
                done, found = opened.resident.attempt(standing, writing.as_item(write_entry(data)))
                instead = done[0].player if done else ""
                if instead in ("", turn) or instead in named_players(standing, done[0]):
                    return "", ""
            with self._at(opened, file, line, branch) as replay:
                item = writing.as_item(write_entry({**data, "by": turn}))
                _, other = opened.resident.attempt(_played(opened, replay), item)
            worse = {one.code for one in other if one.severity is not Severity.NOTE}
            if worse - {one.code for one in found}:
                return "", ""
            return turn, instead

        if by or not said.strip():
            return by, ""
        return opened.once(("acts", said, file, line, *(branch or ())), acts)

    def _where(self, opened: Opened, replay: Replay[Any]) -> Answer:
        """The entry that a replay stands after, and the version of its file."""
        steps = [step for step in replay.play.steps if step.parent is None]
        session = replay.sessions[-1] if replay.sessions else None
        here = steps[-1].action if steps else None
        if session is not None and (here is None or steps[-1].index < session.first_step):
            # Nothing has come yet this evening.
            file, line = session.session.path, 0
        else:
            file, line = (here.path, here.whole.line) if here is not None else ("", 0)
        known = any(one.name == file for one in opened.files())
        return {
            "file": file,
            "line": line,
            "version": version_of(opened.text(file)) if known else "",
        }

    @contextmanager
    def _at(
        self, opened: Opened, file: str, line: int, branch: list[str] | None = None
    ) -> Iterator[Replay[Any] | None]:
        """The play after the entry on a line; without a file, after the last one; and after what is
        only thought of."""
        name = file or writing.last_session(opened)
        with opened.resident.at(name, line if file else END) as replay:
            if replay is not None:
                for entry in branch or []:
                    for piece in writing.read_entry(entry):
                        opened.resident.attempt(replay, writing.as_item(piece))
            yield replay

    def _placed(self, campaign: str, placed: writing.InsertedEntry) -> Answer:
        self._wrote(campaign, placed.done)
        opened = self._stand(campaign)
        stands = writing.state(opened, placed)
        answer = stands | self._now(campaign, placed.file)
        if stands["step"]:
            answer["entry"] = at_step(opened, stands["step"])
        return answer

    def _back(self, campaign: str, done: writing.Written) -> Answer:
        for name in done.files:
            self._drafts.get(campaign, {}).pop(name, None)
        self._tell(campaign, self)
        return {"words": done.words, "files": [*done.files]} | self._now(campaign)

    def _now(self, campaign: str, file: str = "") -> Answer:
        """What is found, how things stand at the end of the log, wherever it was changed, and which
        version of a file that is."""
        opened = self._stand(campaign)
        found = findings.answer(opened)
        made: Answer = {"findings": found, **self._past(campaign).state()}
        if opened.resident.record is not None:
            made["table"] = self.table(campaign)
        if file:
            made["version"] = version_of(opened.text(file))
        return made

    def _wrote(self, campaign: str, done: writing.Written) -> None:
        for name in done.files:
            self._drafts.get(campaign, {}).pop(name, None)
        if done.files:
            self._past(campaign).add(done)
            self._tell(campaign, self)


def _rank_again(answer: Answer, said: str) -> None:
    """Put the choices for a line in order, and what stands greyed behind it, after some were barred."""
    answer["choices"].sort(key=ranked)
    ghost = next((one["line"] for one in answer["choices"] if one["eligible"]), "")
    if answer["ghost"]:
        answer["ghost"] = ghost[len(said) :] if ghost.startswith(said) else ""


def named_players(replay: Replay[Any], step: Step) -> set[str]:
    """The players whom an entry names, or who speak for somebody that it names."""
    play = replay.play
    found = (play.names.find(word) for word in named_in(step))
    return {player_named(play, one.id) for one in found if isinstance(one, Named)}


def tried(opened: Opened, replay: Replay[Any], pieces: list[str]) -> Answer:
    """What entries do where a replay stands, which goes on with them."""
    written = "\n".join(map(writing.as_item, pieces))
    done, found = opened.resident.attempt(replay, written)
    spell = opened.speller_at(replay)
    return {
        "yaml": written,
        "player": done[-1].player if done else "",
        "head": [spell(step.headline) for step in done],
        "did": [spell(event.text) for step in done for event in step.events],
        "findings": [_told(one, replay) for one in found],
        "after": table(replay, spell, panel=False),
    }


def fitted(
    opened: Opened, replay: Replay[Any], said: str, text: str, by: str = ""
) -> tuple[Answer, Sequence[Step]]:
    """What a line would do as it stands, or what it ``lacks`` to be an entry (``unsaid``: in short, where
    it ends before something), ``by`` naming whose it is if it does not do so itself; and the steps. The
    replay goes on with it."""
    empty: Answer = {"yaml": "", "complete": False, "findings": [], "did": [], "head": []}
    empty |= {"lacks": [], "will": []}
    try:
        data = read_line(said, replay.rulebook.by_verb)
    except LineError as error:
        lack = {"message": str(error), "hints": [*error.help], "help": [*error.help]}
        lack["unsaid"] = _unsaid(said, replay.rulebook.by_verb)
        return empty | {"lacks": [lack] if said.strip() else []}, ()
    written = write_entry({**data, "by": by} if by else data)
    if text.strip():
        with suppress(Refused):
            written = writing.with_text(written, text)
    item = writing.as_item(written)
    known, paid = {*replay.play.names.all}, len(replay.play.ledger.postings)
    done, found = opened.resident.attempt(replay, item)
    spell = opened.speller_at(replay)
    unread = [one for one in found if one.finding is Finding.UNREADABLE and one.code in UNFINISHED]
    lacks: list[Answer] = [_told(one, replay) for one in (unread or (() if done else found))]
    wrong = any(one.severity is Severity.ERROR for one in found)
    # A file may leave a key empty; whoever begins one in a line means to go on.
    lacks += [
        {"message": word("server.needs_a_value", field=key), "hints": [], "help": []}
        for key in (() if lacks or wrong else _empty(data))
        if key != next(iter(data))
    ]
    if lacks:
        found = []
        lacks[0]["unsaid"] = _unsaid(said, replay.rulebook.by_verb)
    does = empty | {
        "yaml": item,
        "complete": bool(done) and not lacks,
        "will": [] if lacks else consequences(replay, done, known, paid, spell),
        "lacks": lacks,
        "head": [spell(step.headline) for step in done],
        "did": [spell(event.text) for step in done for event in step.events],
        "findings": [_told(one, replay) for one in found],
    }
    return does, done


def consequences(
    replay: Replay[Any], done: Sequence[Step], known: Collection[str], paid: int, spell: Speller
) -> Spans:
    """In a line what steps have done: what is told of them, what new is made by them (``known`` were named
    before), and who pays or gets how much since ``paid`` postings."""
    play = replay.play
    told = [
        part
        for step in done
        for part in (step.headline, *(event.text for event in step.events))
        if part and not step.hidden
    ]
    # What differs by what it has come to alone came about so often, and came to the last of them.
    alike: dict[str, list[str]] = {}
    for part in told:
        parts = alike.setdefault(_COME_TO.sub("()", part), [])
        if part not in parts:
            parts.append(part)
    shown = [f"{one[-1]} ×{len(one)}" if len(one) > 1 else one[0] for one in alike.values()]
    found: Spans = []
    for id, named in play.names.all.items():
        if id not in known and named.kind not in " ".join(told).casefold():
            found += ["; ", *phrase("server.is_new", name=spell.named(id), kind=named.kind)]
    for part in payments(play, paid):
        found += ["; ", *spell(part)]
    for part in shown[:MOST_FOLLOWS]:
        found += ["; ", *spell(part)]
    if len(shown) > MOST_FOLLOWS:
        found += ["; ", word("server.more_follow", count=len(shown) - MOST_FOLLOWS)]
    return found[1:]


def _empty(data: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a mapping, and of those in it, behind which nothing stands."""
    for key, value in data.items():
        if value == "":
            yield key
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Mapping):
                yield from _empty(inner)


def _unsaid(said: str, verbs: Mapping[str, type[Action]]) -> str:
    """What a line lacks that ends where something is still to be said; else nothing."""
    line = split_line(said, verbs)
    if line is None:
        return ""
    last = line.parts[-1]
    text = last.text.rstrip()
    begun = _BETWEEN.split(text[:-1])[-1].strip() if text.endswith(":") else ""
    if begun:
        return word("server.needs_a_value", field=begun.strip(" \"'"))
    if last.text.strip():
        return ""
    return word("server.needs_a_value", field=last.key)


def _without_last_key(said: str) -> str:
    """A line without its last key and what is typed of its value."""
    before, colon, value = said.rpartition(":")
    key = _BETWEEN.split(before)[-1]
    if not colon or not key or _BETWEEN.search(value):
        return said
    return before[: len(before) - len(key)].rstrip(" ,")


def _mend(way: Answer) -> Answer:
    """A way to mend something; ``said`` is its title without the marks of a file, ``takes`` and ``gives``
    are the rows that go and come."""
    dash = "- " if way["title"][0] == "Insert " else ""
    title = [
        one if isinstance(one, str) or not one.get("code") else {**one, "t": row(dash + one["t"])}
        for one in way["title"]
    ]
    rows = {
        name: [row(each) for edit in way["edits"] for each in edit[kind].splitlines() if each]
        for name, kind in (("takes", "old"), ("gives", "new"))
    }
    return way | {"said": title, **rows}


def _told(one: Diagnostic, replay: Replay[Any]) -> Answer:
    """A finding as plain data; ``hints`` are its help without the marks of a file."""
    hints = [spoken(help, replay.rulebook.by_verb) for help in one.help]
    return as_data(one) | {"hints": hints}


def _played(opened: Opened, replay: Replay[Any] | None) -> Replay[Any]:
    if replay is None:
        raise (
            opened.unreadable()
            if opened.resident.record is None
            else Unanswerable("nothing is played in this file", "look at a session")
        )
    return replay


def _text(value: object) -> bool:
    """Whether something is a text that a file can hold: half of a sign is none."""
    with suppress(UnicodeEncodeError):
        return isinstance(value, str) and value.encode() is not None
    return False


_CHECKS: Final[Mapping[str, Callable[[object], bool]]] = MappingProxyType(
    {
        "str": _text,
        "int": lambda value: type(value) is int and abs(value) < 1 << 53,
        "bool": lambda value: isinstance(value, bool),
        "list[str]": lambda value: isinstance(value, list) and all(map(_text, value)),
        "list[Any]": lambda value: (
            isinstance(value, list) and all(isinstance(one, dict) for one in value)
        ),
        "dict[str, Any]": lambda value: isinstance(value, dict),
    }
)


def _fits(value: object, annotation: str) -> bool:
    kind, _, optional = annotation.partition(" | ")
    return bool(optional and value is None) or _CHECKS[kind](value)


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
"""What changes files. Whoever is not sure whether an answer was lost asks again with the same ``once``,
and nothing is done twice."""

FOR_GUESTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "campaigns": frozenset(),
        "open": frozenset({"campaign"}),
        "table": frozenset({"campaign", "file", "line"}),
        "log": frozenset({"campaign", "first", "last"}),
        "findings": frozenset({"campaign"}),
        "card": frozenset({"campaign", "name"}),
        "rule": frozenset({"campaign", "rule"}),
    }
)
"""The questions that a guest may ask, with the keys that a guest may use in each."""
