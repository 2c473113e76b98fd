"""The keepers' words: what the heads of sessions tell in sentences, with the entries they rest on.

``recap:`` tells what happened in a session. ``about:`` says who a person is, ``end:`` how that person ended
up, ``gone:`` how that person left the story; all hold from their session on. They may also name a person who is
only in the story. ``[id]`` in a sentence names the entry it rests on, by its id or by
its anchor; ``[id@3f2a]`` also has a digest of the entry at the time of writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from chronicle.core.campaign import Header, Session
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Fact, severity_of
from chronicle.core.fix import Fix, ReplaceWord, make_fix
from chronicle.core.names import PLAYER, Named, Names, fold
from chronicle.core.record import Record, Step
from chronicle.core.source import Place, ScalarNode, SequenceNode, Value, place_of

MISSING_ENTRY: Final = "T89"
"""The rule about references that lead to no entry that counts."""
READ_AGAIN: Final = "T90"
"""The rule about sentences whose entry has changed since."""
PERSONAL_KEYS: Final = ("about", "end", "gone")
"""The keys that map a person to a sentence."""
KEEPERS_KEYS: Final = ("recap", *PERSONAL_KEYS)
"""The keys of the head of a session that hold the keepers' words."""
TOLD_OF_KIND: Final = "told of"
"""The kind of people whom the words of entries name and no rule knows."""
DIGEST_LENGTH: Final = 4
"""How many hexadecimal digits a digest has."""

_REFERENCE: Final = re.compile(
    r"(?<!\\)\[(?P<id>[^\s\[\]()@\\]+)(?:@(?P<digest>[^\s\[\]()]*))?\](?![\[(:])"
)
_SENTENCE_END: Final = re.compile(r"""[.!?…]["'”’)*_]*\Z""")
_NEXT_END: Final = re.compile(r"""[.!?…]["'”’)*_]*(?=\s|\Z)""")
_PARAGRAPH_END: Final = re.compile(r"\n[ \t]*\n")
_SPACES_BEFORE: Final = re.compile(r"[ \t]*(?:\n[ \t]*)?\Z")
_IGNORED_KEYS: Final = frozenset(("id", "note"))
"""Keys of an entry that do not change what it says."""


class Reference(NamedTuple):
    """A reference in a text: the id or anchor, the digest (empty: none), and where it begins and ends."""

    id: str
    digest: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"[{self.id}@{self.digest}]" if self.digest else f"[{self.id}]"


class KeepersText(NamedTuple):
    """A text of the keepers (Markdown) without its references. ``marks`` are the steps it rests on, each
    with the offset in ``text`` behind which its number belongs."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def step_numbers(self) -> tuple[int, ...]:
        """The steps it rests on, in order."""
        return tuple(dict.fromkeys(step for _, step in self.marks))


@dataclass(slots=True, eq=False)
class KeepersWords:
    """All that the keepers of a campaign have told: by session number, and by the id of a person the
    sentences from each session on, earliest first."""

    recaps: dict[int, tuple[KeepersText, ...]] = field(default_factory=dict)
    descriptions: dict[str, list[tuple[int, KeepersText]]] = field(default_factory=dict)
    ends: dict[str, list[tuple[int, KeepersText]]] = field(default_factory=dict)
    departures: dict[str, list[tuple[int, KeepersText]]] = field(default_factory=dict)
    told_of: dict[str, Named] = field(default_factory=dict)
    """The people that the rules do not know, by id."""

    def introduction_of(self, id: str, through_session: int | None = None) -> KeepersText | None:
        """The sentence that introduces a person, as of a session (None: the last)."""
        return _latest_text(self.descriptions.get(id, ()), through_session)

    def ending_of(self, id: str, through_session: int | None = None) -> KeepersText | None:
        """The sentence that says how a person ended up or left, as of a session (None: the last)."""
        return _latest_text(self.endings(id), through_session)

    def is_gone(self, id: str, through_session: int | None = None) -> bool:
        """Whether the latest of these sentences says that the person has left the story."""
        ending_words = self.ending_of(id, through_session)
        return any(
            ending_words is departure_words for _, departure_words in self.departures.get(id, ())
        )

    def steps_cited_about(self, id: str) -> tuple[int, ...]:
        """The entries that the sentences about a person rest on, of all sessions, in order."""
        texts = [*self.descriptions.get(id, ()), *self.endings(id)]
        return tuple(sorted({step for _, text in texts for step in text.step_numbers}))

    def endings(self, id: str) -> list[tuple[int, KeepersText]]:
        """Every sentence that says how a person ended up or left, with its session, earliest first."""
        endings = [*self.ends.get(id, ()), *self.departures.get(id, ())]
        return sorted(endings, key=lambda ending: ending[0])


def _latest_text(
    texts_by_session: Sequence[tuple[int, KeepersText]], through_session: int | None
) -> KeepersText | None:
    texts_so_far = [
        keepers_text
        for session, keepers_text in texts_by_session
        if through_session is None or session <= through_session
    ]
    return texts_so_far[-1] if texts_so_far else None


def find_references(text: str) -> list[Reference]:
    """The references of a text, in order. Escaped brackets and links are none."""
    return [
        Reference(match["id"], match["digest"] or "", match.start(), match.end())
        for match in _REFERENCE.finditer(text)
    ]


def stretch_of(text: str, reference: Reference) -> tuple[int, int]:
    """The stretch of a text that rests on a reference: from the previous reference, or the start of the
    paragraph, to the end of the sentence. References side by side share one stretch."""
    start = max(
        (match.end() for match in _PARAGRAPH_END.finditer(text, 0, reference.start)),
        default=0,
    )
    earlier_references = [
        earlier_reference
        for earlier_reference in find_references(text)
        if start <= earlier_reference.start < reference.start
    ]
    adjacent_start = reference.start
    while earlier_references and not text[earlier_references[-1].end : adjacent_start].strip():
        adjacent_start = earlier_references.pop().start
    if earlier_references:
        start = earlier_references[-1].end
    if _SENTENCE_END.search(text[start:adjacent_start].rstrip()):
        end_offset = reference.end
        for next_reference in find_references(text):
            if next_reference.start >= end_offset and not text[
                end_offset : next_reference.start
            ].strip(" \t"):
                end_offset = next_reference.end
        return start, end_offset
    sentence_end = _NEXT_END.search(text, reference.end)
    paragraph_end = _PARAGRAPH_END.search(text, reference.end)
    end_offsets = [
        end_offset
        for end_offset in (
            sentence_end and sentence_end.end(),
            paragraph_end and paragraph_end.start(),
        )
        if end_offset
    ]
    return start, min(end_offsets, default=len(text))


def entry_digest(
    entry: Value, replacement_words: Mapping[tuple[int, int], str] | None = None
) -> str:
    """A short digest of an entry's words; layout, quotes and comments do not count.

    Args:
        entry: the entry as typed.
        replacement_words: other texts for some of its scalars, by line and column.
    """
    # A check of a log without such sentences does not need it.
    from hashlib import sha256

    full_digest = sha256(
        "\n".join(_entry_tokens(entry, replacement_words or {})).encode("utf-8", "surrogatepass")
    )
    return full_digest.hexdigest()[:DIGEST_LENGTH]


def _entry_tokens(value: Value, replacement_words: Mapping[tuple[int, int], str]) -> Iterator[str]:
    if isinstance(value, ScalarNode):
        yield " ".join(replacement_words.get((value.line, value.column), value).split())
    elif isinstance(value, SequenceNode):
        yield "["
        for item in value:
            yield from _entry_tokens(item, replacement_words)
        yield "]"
    else:
        yield "{"
        for key, item in value.items():
            if key not in _IGNORED_KEYS:
                yield from _entry_tokens(key, replacement_words)
                yield from _entry_tokens(item, replacement_words)
        yield "}"


def with_fresh_digests(text: str, entry_index: EntryIndex) -> str:
    """A text with fresh digests in all references. The number of an entry becomes its id or anchor."""
    new_text = text
    for reference in reversed(find_references(text)):
        step = entry_index.find(reference.id) or entry_index.step_numbered(reference.id)
        if step is not None and not step.hidden:
            name = (
                reference.id
                if entry_index.find(reference.id)
                else str(step.action.id or step.anchor)
            )
            fresh_reference = reference._replace(id=name, digest=entry_digest(step.action.source))
            new_text = (
                new_text[: reference.start] + str(fresh_reference) + new_text[reference.end :]
            )
    return new_text


def keepers_texts_in(header: Header) -> Iterator[tuple[str, ScalarNode, ScalarNode]]:
    """Every text of the keepers in the head of a session: the key, the person (empty for a recap), the
    text."""
    for text in header.recap:
        if text.strip():
            yield "recap", ScalarNode(""), text
    for key in PERSONAL_KEYS:
        for person, text in (getattr(header, key) or {}).items():
            if text.strip():
                yield key, person, text


class EntryIndex:
    """Finds the entry that a reference means: by its id, else by its anchor."""

    def __init__(self, record: Record) -> None:
        self._record = record

    @cached_property
    def _steps_by_id(self) -> dict[str, Step]:
        steps_by_id: dict[str, Step] = {}
        for step in self._record.steps:
            if step.action.id:
                steps_by_id.setdefault(str(step.action.id), step)
        return steps_by_id

    @cached_property
    def _steps_by_anchor(self) -> dict[str, Step]:
        steps_by_anchor: dict[str, Step] = {}
        for step in self._record.steps:
            if not step.hides_subject:
                steps_by_anchor.setdefault(step.anchor, step)
        for step in self._record.steps:
            if step.former_anchor and not step.hides_subject:
                steps_by_anchor.setdefault(step.former_anchor, step)
        return steps_by_anchor

    def find(self, id: str) -> Step | None:
        """The step that an id or an anchor means, or None."""
        return self._steps_by_id.get(id) or self._steps_by_anchor.get(id)

    def first_step_naming(self, name: str) -> Step | None:
        """The first entry that readers see and whose words name a person, or None."""
        name_pattern = re.compile(rf"(?<!\w){re.escape(name.strip())}(?!\w)", re.IGNORECASE)
        for step in self._record.steps:
            is_skipped = step.hidden or step.retracted_by or step.is_undone
            if not is_skipped and name_pattern.search(
                "\n".join(_entry_tokens(step.action.source, {}))
            ):
                return step
        return None

    def step_numbered(self, number_text: str) -> Step | None:
        """The step with a number, if it is one and there is such a step."""
        steps = self._record.steps
        step_number = (
            int(number_text)
            if number_text.isascii() and number_text.isdigit() and len(number_text) < 8
            else 0
        )
        return steps[step_number - 1] if 0 < step_number <= len(steps) else None

    def suggest(self, id: str) -> str:
        """``; did you mean 'x'?`` of an id that leads nowhere, or nothing."""
        names = self._record.names
        return names.suggest(id, [*self._steps_by_id]) or names.suggest(
            id, [*self._steps_by_anchor]
        )


def without_references(text: str, entry_index: EntryIndex) -> KeepersText:
    """A text without its references, and the visible steps that these lead to."""
    new_text = ""
    marks: list[tuple[int, int]] = []
    copied_to = 0
    for reference in find_references(text):
        new_text += text[copied_to : reference.start]
        new_text = _SPACES_BEFORE.sub("", new_text)
        copied_to = reference.end
        step = entry_index.find(reference.id)
        if step is not None and not step.hidden:
            # A number comes after the mark that ends its sentence.
            closing_marks = re.match(r"[.,;:!?…]+", text[copied_to:])
            if closing_marks is not None:
                new_text += closing_marks[0]
                copied_to += len(closing_marks[0])
            marks.append((len(new_text), step.number))
    new_text += text[copied_to:]
    return KeepersText(
        new_text.rstrip(),
        tuple((min(offset, len(new_text.rstrip())), step) for offset, step in marks),
    )


def keepers_words(record: Record) -> KeepersWords:
    """All that the heads of a record's sessions tell."""
    words_of_record = KeepersWords()
    entry_index = EntryIndex(record)
    for session_record in record.sessions:
        session_number = session_record.session.number
        for key, person, text in keepers_texts_in(session_record.session.header):
            keepers_text = without_references(text, entry_index)
            if key == "recap":
                words_of_record.recaps[session_number] = (
                    *words_of_record.recaps.get(session_number, ()),
                    keepers_text,
                )
                continue
            subject = _find_person(record.names, person, entry_index)
            if isinstance(subject, Named):
                texts_by_person = {
                    "about": words_of_record.descriptions,
                    "end": words_of_record.ends,
                    "gone": words_of_record.departures,
                }[key]
                texts_by_person.setdefault(subject.id, []).append((session_number, keepers_text))
                if subject.kind == TOLD_OF_KIND:
                    words_of_record.told_of.setdefault(subject.id, subject)
    return words_of_record


def _find_person(
    names: Names, typed_name: ScalarNode, entry_index: EntryIndex | None = None
) -> Named | str:
    """The person that a name in a head means, never a player; else the reason why there is none.

    Args:
        names: what has a name in the rules.
        typed_name: the name.
        entry_index: the entries, if people count whom these only tell of.
    """
    kinds = {subject.kind for subject in names.all.values()} - {PLAYER}
    # A plain str leaves no trace in the names: the name is not spoken in play.
    result = names.find(str(typed_name), kinds) if kinds else None
    if isinstance(result, Named):
        return result
    if result is not None and result.candidates:
        return f"{result.message}; write more of the name"
    if isinstance(names.find(str(typed_name), (PLAYER,)), Named):
        return f"'{typed_name}' is a player; these sentences are about people of the story"
    if entry_index is not None and entry_index.first_step_naming(typed_name) is not None:
        return Named(f"{TOLD_OF_KIND} {fold(typed_name)}", TOLD_OF_KIND, str(typed_name))
    return f"no person of the story is called '{typed_name}'{result.message if result is not None else ''}"


def keepers_problems(
    record: Record, other_names: Callable[[], Sequence[Names]]
) -> list[Diagnostic]:
    """The problems in the keepers' words: names and references that lead nowhere, sentences whose entry
    has changed.

    Args:
        record: the record of the campaign.
        other_names: returns the names of parts of the story that are not being told at its end.
    """
    if not any(
        next(keepers_texts_in(session_record.session.header), None) is not None
        for session_record in record.sessions
    ):
        return []
    return [*_KeepersChecker(record, other_names).diagnostics()]


class _KeepersChecker:
    def __init__(self, record: Record, other_names: Callable[[], Sequence[Names]]) -> None:
        self._record = record
        self._find_other_names = other_names
        self._index = EntryIndex(record)

    def diagnostics(self) -> Iterator[Diagnostic]:
        for session_record in self._record.sessions:
            session = session_record.session
            for key, person, text in keepers_texts_in(session.header):
                if person:
                    yield from self._check_person(session, key, person)
                for reference in find_references(text):
                    yield from self._check_reference(session, text, reference)

    def _check_person(self, session: Session, key: str, person: ScalarNode) -> Iterator[Diagnostic]:
        subject = _find_person(self._record.names, person, self._index)
        if isinstance(subject, str):
            other_people = (_find_person(names, person) for names in self._other_names)
            if any(isinstance(other_subject, Named) for other_subject in other_people):
                return
            help = f"write a name that the log uses:  {key}: {{Name: sentence}}"
            yield self._diagnostic(
                "T50", DiagnosticKind.UNREADABLE, subject, place_of(person, session.path), help
            )
            return
        first_session = self._first_session_naming(subject)
        if first_session > session.number:
            yield self._diagnostic(
                "T50",
                DiagnosticKind.SUSPICIOUS,
                f"{subject.name} comes into the story in session {first_session}, and this is the head of "
                f"session {session.number}",
                place_of(person, session.path),
                f"move the line to the head of session {first_session}, so that readers learn it there",
            )

    @cached_property
    def _other_names(self) -> Sequence[Names]:
        return self._find_other_names()

    def _first_session_naming(self, person: Named) -> int:
        """The session whose log first names a person; 0 if unknown."""
        if person.kind == TOLD_OF_KIND:
            step = self._index.first_step_naming(person.name)
            return step.session if step is not None else 0
        ids_in_order = [*self._record.names.all]
        # Each branch counts its own names.
        if person.id not in ids_in_order or self._other_names:
            return 0
        position = ids_in_order.index(person.id)
        sessions_begun = [
            session for session in self._record.sessions if session.name_count_before <= position
        ]
        return sessions_begun[-1].session.number if sessions_begun else 0

    def _check_reference(
        self, session: Session, text: ScalarNode, reference: Reference
    ) -> Iterator[Diagnostic]:
        place = _place_of_reference(text, reference, session.path)
        step = self._index.find(reference.id)
        if step is None:
            yield self._missing_entry_problem(reference, place)
            return
        entry_fact = Fact("the entry stands here", step.action.place(), step.number)

        def make_problem(
            kind: DiagnosticKind,
            message: str,
            *help: str,
            code: str = MISSING_ENTRY,
            fixes: tuple[Fix, ...] = (),
        ) -> Diagnostic:
            return self._diagnostic(
                code, kind, message, place, *help, facts=(entry_fact,), fixes=fixes
            )

        def digest_update_fix(when: str) -> Fix:
            """Note the entry as it is now."""
            updated_reference = reference._replace(digest=entry_digest(step.action.source))
            edit = ReplaceWord(
                str(updated_reference), place_of(text, session.path), old=str(reference)
            )
            return make_fix(edit, when=when)

        if step.retracted_by or step.is_undone:
            yield make_problem(
                DiagnosticKind.UNREADABLE,
                f"the entry '{reference.id}' was withdrawn, so this sentence rests on nothing",
                "tell what happened instead, and name the entry that did it",
            )
        elif step.action.verb == "gap":
            yield make_problem(
                DiagnosticKind.UNREADABLE,
                f"'{reference.id}' is a gap: what this sentence rests on is not on record",
                f"take out {reference}, or name an entry that was written down",
            )
        elif step.session > session.number:
            yield make_problem(
                DiagnosticKind.SUSPICIOUS,
                f"the entry '{reference.id}' belongs to session {step.session}, and this is the head of "
                f"session {session.number}",
                f"move the sentence to the head of session {step.session}",
            )
        elif step.hidden:
            yield make_problem(
                DiagnosticKind.SUSPICIOUS,
                f"'{reference.id}' is a secret, so readers do not see this sentence until it is revealed",
                f"take out {reference} if the sentence gives nothing away",
            )
        elif reference.digest:
            current_digest = entry_digest(step.action.source)
            if not re.fullmatch(rf"[0-9a-f]{{{DIGEST_LENGTH}}}", reference.digest):
                yield make_problem(
                    DiagnosticKind.UNREADABLE,
                    f"'@{reference.digest}' is no digest of an entry; the desk writes those",
                    fixes=(digest_update_fix("if the sentence is true"),),
                )
            elif reference.digest != current_digest:
                yield make_problem(
                    DiagnosticKind.SUSPICIOUS,
                    f"the entry '{reference.id}' has changed since this sentence was written; read the "
                    "sentence again",
                    code=READ_AGAIN,
                    fixes=(digest_update_fix("if it is still true"),),
                )

    def _missing_entry_problem(self, reference: Reference, place: Place) -> Diagnostic:
        unreadable_problem = next(
            (
                diagnostic
                for diagnostic in self._record.campaign.diagnostics
                if reference.id in diagnostic.dropped_words
            ),
            None,
        )
        if unreadable_problem is not None:
            return self._diagnostic(
                MISSING_ENTRY,
                DiagnosticKind.UNREADABLE,
                f"the entry '{reference.id}' could not be read",
                place,
                facts=(Fact("it stands here", unreadable_problem.place),),
            )
        return self._diagnostic(
            MISSING_ENTRY,
            DiagnosticKind.UNREADABLE,
            f"no entry has the id '{reference.id}'{self._index.suggest(reference.id)}",
            place,
            f"give the entry  id: {reference.id}  , or write  \\[{reference.id}\\]  if this is no reference",
        )

    def _diagnostic(
        self,
        code: str,
        kind: DiagnosticKind,
        message: str,
        place: Place,
        *help: str,
        facts: tuple[Fact, ...] = (),
        fixes: tuple[Fix, ...] = (),
    ) -> Diagnostic:
        severity = severity_of(kind, self._record.campaign.strictness)
        return Diagnostic(
            code, kind, severity, message, place, facts=facts, free_help=help, declared_fixes=fixes
        )


def _place_of_reference(text: ScalarNode, reference: Reference, path: str) -> Place:
    """The place of a reference, if the layout of the text tells it; else the place of the text."""
    if text.style == "|":
        lines_before = text[: reference.start].split("\n")
        line = text.line + len(lines_before)
        # How far a block is indented is not kept: the line as a whole is named.
        return Place(path, line, 1, line, len(text.split("\n")[len(lines_before) - 1]) + 1)
    if text.line == text.end_line:
        column = text.column + (1 if text.style else 0) + reference.start
        return Place(path, text.line, column, text.line, column + reference.end - reference.start)
    return place_of(text, path)
