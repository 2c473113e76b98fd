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
CHANGED_ENTRY: Final = "T90"
"""The rule about sentences whose entry has changed since."""
PERSONAL_KEYS: Final = ("about", "end", "gone")
"""The keys that map a person to a sentence."""
KEEPERS_KEYS: Final = ("recap", *PERSONAL_KEYS)
"""The keys of the head of a session that hold the keepers' words."""
TOLD_OF_KIND: Final = "told of"
"""The kind of people whom the words of entries name and no rule knows."""
DIGEST_LENGTH: Final = 4
"""How many hexadecimal digits a digest has."""

_REFERENCE_PATTERN: Final = re.compile(
    r"(?<!\\)\[(?P<id>[^\s\[\]()@\\]+)(?:@(?P<digest>[^\s\[\]()]*))?\](?![\[(:])"
)
_SENTENCE_END: Final = re.compile(r"""[.!?…]["'”’)*_]*\Z""")
_NEXT_SENTENCE_END: Final = re.compile(r"""[.!?…]["'”’)*_]*(?=\s|\Z)""")
_PARAGRAPH_END: Final = re.compile(r"\n[ \t]*\n")
_SPACE_BEFORE_REFERENCE: Final = re.compile(r"[ \t]*(?:\n[ \t]*)?\Z")
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


class CitedText(NamedTuple):
    """A text of the keepers (Markdown) without its references. ``marks`` are the steps it rests on, each
    with the offset in ``text`` behind which its number belongs."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def step_numbers(self) -> tuple[int, ...]:
        """The steps it rests on, in order."""
        return tuple(dict.fromkeys(step_number for _, step_number in self.marks))


@dataclass(slots=True, eq=False)
class KeepersTexts:
    """All that the keepers of a campaign have told: by session number, and by the id of a person the
    sentences from each session on, earliest first."""

    recaps: dict[int, tuple[CitedText, ...]] = field(default_factory=dict)
    descriptions: dict[str, list[tuple[int, CitedText]]] = field(default_factory=dict)
    ends: dict[str, list[tuple[int, CitedText]]] = field(default_factory=dict)
    departures: dict[str, list[tuple[int, CitedText]]] = field(default_factory=dict)
    told_of: dict[str, Named] = field(default_factory=dict)
    """The people that the rules do not know, by id."""

    def introduction_of(
        self, person_id: str, through_session: int | None = None
    ) -> CitedText | None:
        """The sentence that introduces a person, as of a session (None: the last)."""
        return _latest_text(self.descriptions.get(person_id, ()), through_session)

    def ending_of(self, person_id: str, through_session: int | None = None) -> CitedText | None:
        """The sentence that says how a person ended up or left, as of a session (None: the last)."""
        return _latest_text(self.endings(person_id), through_session)

    def is_gone(self, person_id: str, through_session: int | None = None) -> bool:
        """Whether the latest of these sentences says that the person has left the story."""
        latest_ending = self.ending_of(person_id, through_session)
        return any(
            latest_ending is departure for _, departure in self.departures.get(person_id, ())
        )

    def steps_cited_about(self, person_id: str) -> tuple[int, ...]:
        """The entries that the sentences about a person rest on, of all sessions, in order."""
        texts = [*self.descriptions.get(person_id, ()), *self.endings(person_id)]
        return tuple(
            sorted({step_number for _, text in texts for step_number in text.step_numbers})
        )

    def endings(self, person_id: str) -> list[tuple[int, CitedText]]:
        """Every sentence that says how a person ended up or left, with its session, earliest first."""
        endings = [*self.ends.get(person_id, ()), *self.departures.get(person_id, ())]
        return sorted(endings, key=lambda ending: ending[0])


def _latest_text(
    dated_texts: Sequence[tuple[int, CitedText]], through_session: int | None
) -> CitedText | None:
    texts_so_far = [
        cited_text
        for session_number, cited_text in dated_texts
        if through_session is None or session_number <= through_session
    ]
    return texts_so_far[-1] if texts_so_far else None


def find_references(keepers_text: str) -> list[Reference]:
    """The references of a text, in order. Escaped brackets and links are none."""
    return [
        Reference(match["id"], match["digest"] or "", match.start(), match.end())
        for match in _REFERENCE_PATTERN.finditer(keepers_text)
    ]


def cited_stretch(keepers_text: str, reference: Reference) -> tuple[int, int]:
    """The stretch of a text that rests on a reference: from the previous reference, or the start of the
    paragraph, to the end of the sentence. References side by side share one stretch."""
    stretch_start = max(
        (match.end() for match in _PARAGRAPH_END.finditer(keepers_text, 0, reference.start)),
        default=0,
    )
    earlier_references = [
        earlier_reference
        for earlier_reference in find_references(keepers_text)
        if stretch_start <= earlier_reference.start < reference.start
    ]
    adjacent_start = reference.start
    while (
        earlier_references and not keepers_text[earlier_references[-1].end : adjacent_start].strip()
    ):
        adjacent_start = earlier_references.pop().start
    if earlier_references:
        stretch_start = earlier_references[-1].end
    if _SENTENCE_END.search(keepers_text[stretch_start:adjacent_start].rstrip()):
        end_offset = reference.end
        for next_reference in find_references(keepers_text):
            if next_reference.start >= end_offset and not keepers_text[
                end_offset : next_reference.start
            ].strip(" \t"):
                end_offset = next_reference.end
        return stretch_start, end_offset
    sentence_end_match = _NEXT_SENTENCE_END.search(keepers_text, reference.end)
    paragraph_end_match = _PARAGRAPH_END.search(keepers_text, reference.end)
    end_offsets = [
        end_offset
        for end_offset in (
            sentence_end_match and sentence_end_match.end(),
            paragraph_end_match and paragraph_end_match.start(),
        )
        if end_offset
    ]
    return stretch_start, min(end_offsets, default=len(keepers_text))


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

    sha256_digest = sha256(
        "\n".join(_entry_tokens(entry, replacement_words or {})).encode("utf-8", "surrogatepass")
    )
    return sha256_digest.hexdigest()[:DIGEST_LENGTH]


def _entry_tokens(node: Value, replacement_words: Mapping[tuple[int, int], str]) -> Iterator[str]:
    if isinstance(node, ScalarNode):
        yield " ".join(replacement_words.get((node.line, node.column), node).split())
    elif isinstance(node, SequenceNode):
        yield "["
        for nested_value in node:
            yield from _entry_tokens(nested_value, replacement_words)
        yield "]"
    else:
        yield "{"
        for key_node, nested_value in node.items():
            if key_node not in _IGNORED_KEYS:
                yield from _entry_tokens(key_node, replacement_words)
                yield from _entry_tokens(nested_value, replacement_words)
        yield "}"


def refresh_digests(keepers_text: str, entry_finder: EntryFinder) -> str:
    """A text with fresh digests in all references. The number of an entry becomes its id or anchor."""
    new_text = keepers_text
    for reference in reversed(find_references(keepers_text)):
        step = entry_finder.find(reference.id) or entry_finder.step_numbered(reference.id)
        if step is not None and not step.hidden:
            id_or_anchor = (
                reference.id
                if entry_finder.find(reference.id)
                else str(step.action.id or step.anchor)
            )
            fresh_reference = reference._replace(
                id=id_or_anchor, digest=entry_digest(step.action.source)
            )
            new_text = (
                new_text[: reference.start] + str(fresh_reference) + new_text[reference.end :]
            )
    return new_text


def keepers_texts_in(header: Header) -> Iterator[tuple[str, ScalarNode, ScalarNode]]:
    """Every text of the keepers in the head of a session: the key, the person (empty for a recap), the
    text."""
    for keepers_text in header.recap:
        if keepers_text.strip():
            yield "recap", ScalarNode(""), keepers_text
    for personal_key in PERSONAL_KEYS:
        for person_name, keepers_text in (getattr(header, personal_key) or {}).items():
            if keepers_text.strip():
                yield personal_key, person_name, keepers_text


class EntryFinder:
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

    def find(self, id_or_anchor: str) -> Step | None:
        """The step that an id or an anchor means, or None."""
        return self._steps_by_id.get(id_or_anchor) or self._steps_by_anchor.get(id_or_anchor)

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

    def suggest(self, unknown_id: str) -> str:
        """``; did you mean 'x'?`` of an id that leads nowhere, or nothing."""
        names = self._record.names
        return names.suggest(unknown_id, [*self._steps_by_id]) or names.suggest(
            unknown_id, [*self._steps_by_anchor]
        )


def without_references(keepers_text: str, entry_finder: EntryFinder) -> CitedText:
    """A text without its references, and the visible steps that these lead to."""
    new_text = ""
    number_marks: list[tuple[int, int]] = []
    copied_end = 0
    for reference in find_references(keepers_text):
        new_text += keepers_text[copied_end : reference.start]
        new_text = _SPACE_BEFORE_REFERENCE.sub("", new_text)
        copied_end = reference.end
        step = entry_finder.find(reference.id)
        if step is not None and not step.hidden:
            # A number comes after the mark that ends its sentence.
            closing_marks_match = re.match(r"[.,;:!?…]+", keepers_text[copied_end:])
            if closing_marks_match is not None:
                new_text += closing_marks_match[0]
                copied_end += len(closing_marks_match[0])
            number_marks.append((len(new_text), step.number))
    new_text += keepers_text[copied_end:]
    return CitedText(
        new_text.rstrip(),
        tuple(
            (min(mark_offset, len(new_text.rstrip())), step_number)
            for mark_offset, step_number in number_marks
        ),
    )


def read_keepers_texts(record: Record) -> KeepersTexts:
    """All that the heads of a record's sessions tell."""
    keepers_texts = KeepersTexts()
    entry_finder = EntryFinder(record)
    for session_record in record.sessions:
        session_number = session_record.session.number
        for key, person_name, text in keepers_texts_in(session_record.session.header):
            cited_text = without_references(text, entry_finder)
            if key == "recap":
                keepers_texts.recaps[session_number] = (
                    *keepers_texts.recaps.get(session_number, ()),
                    cited_text,
                )
                continue
            subject = _find_person(record.names, person_name, entry_finder)
            if isinstance(subject, Named):
                texts_by_person = {
                    "about": keepers_texts.descriptions,
                    "end": keepers_texts.ends,
                    "gone": keepers_texts.departures,
                }[key]
                texts_by_person.setdefault(subject.id, []).append((session_number, cited_text))
                if subject.kind == TOLD_OF_KIND:
                    keepers_texts.told_of.setdefault(subject.id, subject)
    return keepers_texts


def _find_person(
    names: Names, typed_name: ScalarNode, entry_finder: EntryFinder | None = None
) -> Named | str:
    """The person that a name in a head means, never a player; else the reason why there is none.

    Args:
        names: what has a name in the rules.
        typed_name: the name.
        entry_finder: finds the entries, if people count whom these only tell of.
    """
    subject_kinds = {subject.kind for subject in names.all.values()} - {PLAYER}
    # A plain str leaves no trace in the names: the name is not spoken in play.
    lookup_result = names.find(str(typed_name), subject_kinds) if subject_kinds else None
    if isinstance(lookup_result, Named):
        return lookup_result
    if lookup_result is not None and lookup_result.candidates:
        return f"{lookup_result.message}; write more of the name"
    if isinstance(names.find(str(typed_name), (PLAYER,)), Named):
        return f"'{typed_name}' is a player; these sentences are about people of the story"
    if entry_finder is not None and entry_finder.first_step_naming(typed_name) is not None:
        return Named(f"{TOLD_OF_KIND} {fold(typed_name)}", TOLD_OF_KIND, str(typed_name))
    suggestion_text = lookup_result.message if lookup_result is not None else ""
    return f"no person of the story is called '{typed_name}'{suggestion_text}"


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
        self._index = EntryFinder(record)

    def diagnostics(self) -> Iterator[Diagnostic]:
        for session_record in self._record.sessions:
            session = session_record.session
            for head_key, person_name, text in keepers_texts_in(session.header):
                if person_name:
                    yield from self._check_person(session, head_key, person_name)
                for reference in find_references(text):
                    yield from self._check_reference(session, text, reference)

    def _check_person(
        self, session: Session, head_key: str, person_name: ScalarNode
    ) -> Iterator[Diagnostic]:
        subject = _find_person(self._record.names, person_name, self._index)
        if isinstance(subject, str):
            other_people = (_find_person(names, person_name) for names in self._other_names)
            if any(isinstance(other_subject, Named) for other_subject in other_people):
                return
            help_text = f"write a name that the log uses:  {head_key}: {{Name: sentence}}"
            yield self._diagnostic(
                "T50",
                DiagnosticKind.UNREADABLE,
                subject,
                place_of(person_name, session.path),
                help_text,
            )
            return
        first_session_number = self._first_session_number_naming(subject)
        if first_session_number > session.number:
            yield self._diagnostic(
                "T50",
                DiagnosticKind.SUSPICIOUS,
                f"{subject.name} comes into the story in session {first_session_number}, and this is the head of "
                f"session {session.number}",
                place_of(person_name, session.path),
                f"move the line to the head of session {first_session_number}, so that readers learn it there",
            )

    @cached_property
    def _other_names(self) -> Sequence[Names]:
        return self._find_other_names()

    def _first_session_number_naming(self, person: Named) -> int:
        """The session whose log first names a person; 0 if unknown."""
        if person.kind == TOLD_OF_KIND:
            step = self._index.first_step_naming(person.name)
            return step.session if step is not None else 0
        ids_oldest_first = [*self._record.names.all]
        # Each branch counts its own names.
        if person.id not in ids_oldest_first or self._other_names:
            return 0
        person_index = ids_oldest_first.index(person.id)
        sessions_begun_before_naming = [
            session
            for session in self._record.sessions
            if session.name_count_before <= person_index
        ]
        return (
            sessions_begun_before_naming[-1].session.number if sessions_begun_before_naming else 0
        )

    def _check_reference(
        self, session: Session, text: ScalarNode, reference: Reference
    ) -> Iterator[Diagnostic]:
        place = _place_of_reference(text, reference, session.path)
        step = self._index.find(reference.id)
        if step is None:
            yield self._missing_entry_problem(reference, place)
            return
        entry_location = Fact("the entry stands here", step.action.place(), step.number)

        def make_problem(
            kind: DiagnosticKind,
            message: str,
            *help: str,
            code: str = MISSING_ENTRY,
            fixes: tuple[Fix, ...] = (),
        ) -> Diagnostic:
            return self._diagnostic(
                code, kind, message, place, *help, facts=(entry_location,), fixes=fixes
            )

        def digest_update_fix(condition: str) -> Fix:
            """Note the entry as it is now."""
            updated_reference = reference._replace(digest=entry_digest(step.action.source))
            edit = ReplaceWord(
                str(updated_reference), place_of(text, session.path), old=str(reference)
            )
            return make_fix(edit, when=condition)

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
                    code=CHANGED_ENTRY,
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


def _place_of_reference(keepers_text: ScalarNode, reference: Reference, path: str) -> Place:
    """The place of a reference, if the layout of the text tells it; else the place of the text."""
    if keepers_text.style == "|":
        lines_before = keepers_text[: reference.start].split("\n")
        line = keepers_text.line + len(lines_before)
        # How far a block is indented is not kept: the line as a whole is named.
        return Place(path, line, 1, line, len(keepers_text.split("\n")[len(lines_before) - 1]) + 1)
    if keepers_text.line == keepers_text.end_line:
        column = keepers_text.column + (1 if keepers_text.style else 0) + reference.start
        return Place(
            path,
            keepers_text.line,
            column,
            keepers_text.line,
            column + reference.end - reference.start,
        )
    return place_of(keepers_text, path)
