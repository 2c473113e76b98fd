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
from chronicle.core.diagnostic import Diagnostic, Fact, Finding, severity_of
from chronicle.core.fix import Fix, ReplaceWord, make_fix
from chronicle.core.names import PLAYER, Named, Names, fold
from chronicle.core.record import Record, Step
from chronicle.core.source import Place, ScalarNode, SequenceNode, Value, place_of

MISSING_ENTRY: Final = "T89"
"""The rule about references that lead to no entry that counts."""
READ_AGAIN: Final = "T90"
"""The rule about sentences whose entry has changed since."""
PERSONAL: Final = ("about", "end", "gone")
"""The keys that map a person to a sentence."""
KEEPERS_KEYS: Final = ("recap", *PERSONAL)
"""The keys of the head of a session that hold the keepers' words."""
TOLD_OF: Final = "told of"
"""The kind of people whom the words of entries name and no rule knows."""
DIGITS: Final = 4
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


class Words(NamedTuple):
    """A text of the keepers (Markdown) without its references. ``marks`` are the steps it rests on, each
    with the offset in ``text`` behind which its number belongs."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps it rests on, in order."""
        return tuple(dict.fromkeys(step for _, step in self.marks))


@dataclass(slots=True, eq=False)
class KeepersWords:
    """All that the keepers of a campaign have told: by session number, and by the id of a person the
    sentences from each session on, earliest first."""

    recaps: dict[int, tuple[Words, ...]] = field(default_factory=dict)
    descriptions: dict[str, list[tuple[int, Words]]] = field(default_factory=dict)
    ends: dict[str, list[tuple[int, Words]]] = field(default_factory=dict)
    departures: dict[str, list[tuple[int, Words]]] = field(default_factory=dict)
    told_of: dict[str, Named] = field(default_factory=dict)
    """The people that the rules do not know, by id."""

    def about_of(self, id: str, through: int | None = None) -> Words | None:
        """The sentence that introduces a person, as of a session (None: the last)."""
        return _latest(self.descriptions.get(id, ()), through)

    def end_of(self, id: str, through: int | None = None) -> Words | None:
        """The sentence that says how a person ended up or left, as of a session (None: the last)."""
        return _latest(self.endings(id), through)

    def is_gone(self, id: str, through: int | None = None) -> bool:
        """Whether the latest of these sentences says that the person has left the story."""
        words = self.end_of(id, through)
        return any(words is last_words for _, last_words in self.departures.get(id, ()))

    def endings(self, id: str) -> list[tuple[int, Words]]:
        """Every sentence that says how a person ended up or left, with its session, earliest first."""
        endings = [*self.ends.get(id, ()), *self.departures.get(id, ())]
        return sorted(endings, key=lambda ending: ending[0])


def _latest(written: Sequence[tuple[int, Words]], through: int | None) -> Words | None:
    sentences = [words for session, words in written if through is None or session <= through]
    return sentences[-1] if sentences else None


def references(text: str) -> list[Reference]:
    """The references of a text, in order. Escaped brackets and links are none."""
    return [
        Reference(match["id"], match["digest"] or "", match.start(), match.end())
        for match in _REFERENCE.finditer(text)
    ]


def resting_on(text: str, reference: Reference) -> tuple[int, int]:
    """The stretch of a text that rests on a reference: from the previous reference, or the start of the
    paragraph, to the end of the sentence. References side by side share one stretch."""
    start = max(
        (match.end() for match in _PARAGRAPH_END.finditer(text, 0, reference.start)),
        default=0,
    )
    above = [each for each in references(text) if start <= each.start < reference.start]
    first = reference.start
    while above and not text[above[-1].end : first].strip():
        first = above.pop().start
    if above:
        start = above[-1].end
    if _SENTENCE_END.search(text[start:first].rstrip()):
        end = reference.end
        for later in references(text):
            if later.start >= end and not text[end : later.start].strip(" \t"):
                end = later.end
        return start, end
    over = _NEXT_END.search(text, reference.end)
    paragraph = _PARAGRAPH_END.search(text, reference.end)
    ends = [end for end in (over and over.end(), paragraph and paragraph.start()) if end]
    return start, min(ends, default=len(text))


def digest(entry: Value, words: Mapping[tuple[int, int], str] | None = None) -> str:
    """A short digest of an entry's words; layout, quotes and comments do not count.

    Args:
        entry: the entry as typed.
        words: other texts for some of its scalars, by line and column.
    """
    # A check of a log without such sentences does not need it.
    from hashlib import sha256

    written = sha256("\n".join(_tokens(entry, words or {})).encode("utf-8", "surrogatepass"))
    return written.hexdigest()[:DIGITS]


def _tokens(value: Value, words: Mapping[tuple[int, int], str]) -> Iterator[str]:
    if isinstance(value, ScalarNode):
        yield " ".join(words.get((value.line, value.column), value).split())
    elif isinstance(value, SequenceNode):
        yield "["
        for item in value:
            yield from _tokens(item, words)
        yield "]"
    else:
        yield "{"
        for key, item in value.items():
            if key not in _IGNORED_KEYS:
                yield from _tokens(key, words)
                yield from _tokens(item, words)
        yield "}"


def with_fresh_digests(text: str, index: EntryIndex) -> str:
    """A text with fresh digests in all references. The number of an entry becomes its id or anchor."""
    built = text
    for reference in reversed(references(text)):
        step = index.find(reference.id) or index.numbered(reference.id)
        if step is not None and not step.hidden:
            name = reference.id if index.find(reference.id) else str(step.action.id or step.anchor)
            current = reference._replace(id=name, digest=digest(step.action.source))
            built = built[: reference.start] + str(current) + built[reference.end :]
    return built


def head_words(header: Header) -> Iterator[tuple[str, ScalarNode, ScalarNode]]:
    """Every text of the keepers in the head of a session: the key, the person (empty for a recap), the
    text."""
    for text in header.recap:
        if text.strip():
            yield "recap", ScalarNode(""), text
    for key in PERSONAL:
        for person, text in (getattr(header, key) or {}).items():
            if text.strip():
                yield key, person, text


class EntryIndex:
    """Finds the entry that a reference means: by its id, else by its anchor."""

    def __init__(self, record: Record) -> None:
        self._record = record

    @cached_property
    def _ids(self) -> dict[str, Step]:
        steps_by_id: dict[str, Step] = {}
        for step in self._record.steps:
            if step.action.id:
                steps_by_id.setdefault(str(step.action.id), step)
        return steps_by_id

    @cached_property
    def _anchors(self) -> dict[str, Step]:
        steps_by_anchor: dict[str, Step] = {}
        for step in self._record.steps:
            if not step.unnamed:
                steps_by_anchor.setdefault(step.anchor, step)
        for step in self._record.steps:
            if step.former and not step.unnamed:
                steps_by_anchor.setdefault(step.former, step)
        return steps_by_anchor

    def find(self, id: str) -> Step | None:
        """The step that an id or an anchor means, or None."""
        return self._ids.get(id) or self._anchors.get(id)

    def first_about(self, name: str) -> Step | None:
        """The first entry that readers see and whose words name a person, or None."""
        whole_name = re.compile(rf"(?<!\w){re.escape(name.strip())}(?!\w)", re.IGNORECASE)
        for step in self._record.steps:
            passed_over = step.hidden or step.struck or step.taken_back
            if not passed_over and whole_name.search("\n".join(_tokens(step.action.source, {}))):
                return step
        return None

    def numbered(self, number: str) -> Step | None:
        """The step with a number, if it is one and there is such a step."""
        steps = self._record.steps
        at = int(number) if number.isascii() and number.isdigit() and len(number) < 8 else 0
        return steps[at - 1] if 0 < at <= len(steps) else None

    def suggest(self, id: str) -> str:
        """``; did you mean 'x'?`` of an id that leads nowhere, or nothing."""
        names = self._record.names
        return names.suggest(id, [*self._ids]) or names.suggest(id, [*self._anchors])


def words_of(text: str, index: EntryIndex) -> Words:
    """A text without its references, and the visible steps that these lead to."""
    built = ""
    marks: list[tuple[int, int]] = []
    last = 0
    for reference in references(text):
        built += text[last : reference.start]
        built = _SPACES_BEFORE.sub("", built)
        last = reference.end
        step = index.find(reference.id)
        if step is not None and not step.hidden:
            # A number comes after the mark that ends its sentence.
            ending = re.match(r"[.,;:!?…]+", text[last:])
            if ending is not None:
                built += ending[0]
                last += len(ending[0])
            marks.append((len(built), step.index))
    built += text[last:]
    return Words(built.rstrip(), tuple((min(at, len(built.rstrip())), step) for at, step in marks))


def keepers_words(record: Record) -> KeepersWords:
    """All that the heads of a record's sessions tell."""
    built = KeepersWords()
    index = EntryIndex(record)
    for evening in record.sessions:
        number = evening.session.number
        for key, person, text in head_words(evening.session.header):
            words = words_of(text, index)
            if key == "recap":
                built.recaps[number] = (*built.recaps.get(number, ()), words)
                continue
            named = _person(record.names, person, index)
            if isinstance(named, Named):
                written = {
                    "about": built.descriptions,
                    "end": built.ends,
                    "gone": built.departures,
                }[key]
                written.setdefault(named.id, []).append((number, words))
                if named.kind == TOLD_OF:
                    built.told_of.setdefault(named.id, named)
    return built


def _person(names: Names, word: ScalarNode, index: EntryIndex | None = None) -> Named | str:
    """The person that a name in a head means, never a player; else the reason why there is none.

    Args:
        names: what has a name in the rules.
        word: the name.
        index: the entries, if people count whom these only tell of.
    """
    kinds = {named.kind for named in names.all.values()} - {PLAYER}
    # A plain str leaves no trace in the names: the name is not spoken in play.
    result = names.find(str(word), kinds) if kinds else None
    if isinstance(result, Named):
        return result
    if result is not None and result.candidates:
        return f"{result.message}; write more of the name"
    if isinstance(names.find(str(word), (PLAYER,)), Named):
        return f"'{word}' is a player; these sentences are about people of the story"
    if index is not None and index.first_about(word) is not None:
        return Named(f"{TOLD_OF} {fold(word)}", TOLD_OF, str(word))
    return (
        f"no person of the story is called '{word}'{result.message if result is not None else ''}"
    )


def problems(record: Record, other_names: Callable[[], Sequence[Names]]) -> list[Diagnostic]:
    """The problems in the keepers' words: names and references that lead nowhere, sentences whose entry
    has changed.

    Args:
        record: the record of the campaign.
        other_names: returns the names of parts of the story that are not being told at its end.
    """
    if not any(
        next(head_words(evening.session.header), None) is not None for evening in record.sessions
    ):
        return []
    return [*_Checker(record, other_names).diagnostics()]


class _Checker:
    def __init__(self, record: Record, other_names: Callable[[], Sequence[Names]]) -> None:
        self._record = record
        self._find_other_names = other_names
        self._index = EntryIndex(record)
        self._order = {evening.session.path: evening.session.number for evening in record.sessions}

    def diagnostics(self) -> Iterator[Diagnostic]:
        for evening in self._record.sessions:
            session = evening.session
            for key, person, text in head_words(session.header):
                if person:
                    yield from self._of_person(session, key, person)
                for reference in references(text):
                    yield from self._of_reference(session, text, reference)

    def _of_person(self, session: Session, key: str, person: ScalarNode) -> Iterator[Diagnostic]:
        named = _person(self._record.names, person, self._index)
        if isinstance(named, str):
            other_people = (_person(names, person) for names in self._other_names)
            if any(isinstance(subject, Named) for subject in other_people):
                return
            help = f"write a name that the log uses:  {key}: {{Name: sentence}}"
            yield self._diagnostic(
                "T50", Finding.UNREADABLE, named, place_of(person, session.path), help
            )
            return
        first = self._first_named(named)
        if first > session.number:
            yield self._diagnostic(
                "T50",
                Finding.SUSPICIOUS,
                f"{named.name} comes into the story in session {first}, and this is the head of "
                f"session {session.number}",
                place_of(person, session.path),
                f"move the line to the head of session {first}, so that readers learn it there",
            )

    @cached_property
    def _other_names(self) -> Sequence[Names]:
        return self._find_other_names()

    def _first_named(self, named: Named) -> int:
        """The session whose log first names a person; 0 if unknown."""
        if named.kind == TOLD_OF:
            step = self._index.first_about(named.name)
            return step.session if step is not None else 0
        order = [*self._record.names.all]
        # Each branch counts its own names.
        if named.id not in order or self._other_names:
            return 0
        at = order.index(named.id)
        begun = [session for session in self._record.sessions if session.names_before <= at]
        return begun[-1].session.number if begun else 0

    def _of_reference(
        self, session: Session, text: ScalarNode, reference: Reference
    ) -> Iterator[Diagnostic]:
        place = _place_in(text, reference, session.path)
        step = self._index.find(reference.id)
        if step is None:
            yield self._missing(reference, place)
            return
        entry = Fact("the entry stands here", step.action.place(), step.index)

        def written(
            finding: Finding,
            message: str,
            *help: str,
            code: str = MISSING_ENTRY,
            fixes: tuple[Fix, ...] = (),
        ) -> Diagnostic:
            return self._diagnostic(
                code, finding, message, place, *help, facts=(entry,), fixes=fixes
            )

        def note(when: str) -> Fix:
            """Note the entry as it is now."""
            noted = reference._replace(digest=digest(step.action.source))
            edit = ReplaceWord(str(noted), place_of(text, session.path), old=str(reference))
            return make_fix(edit, when=when)

        if step.struck or step.taken_back:
            yield written(
                Finding.UNREADABLE,
                f"the entry '{reference.id}' was withdrawn, so this sentence rests on nothing",
                "tell what happened instead, and name the entry that did it",
            )
        elif step.action.verb == "gap":
            yield written(
                Finding.UNREADABLE,
                f"'{reference.id}' is a gap: what this sentence rests on is not on record",
                f"take out {reference}, or name an entry that was written down",
            )
        elif step.session > session.number:
            yield written(
                Finding.SUSPICIOUS,
                f"the entry '{reference.id}' belongs to session {step.session}, and this is the head of "
                f"session {session.number}",
                f"move the sentence to the head of session {step.session}",
            )
        elif step.hidden:
            yield written(
                Finding.SUSPICIOUS,
                f"'{reference.id}' is a secret, so readers do not see this sentence until it is revealed",
                f"take out {reference} if the sentence gives nothing away",
            )
        elif reference.digest:
            current = digest(step.action.source)
            if not re.fullmatch(rf"[0-9a-f]{{{DIGITS}}}", reference.digest):
                yield written(
                    Finding.UNREADABLE,
                    f"'@{reference.digest}' is no digest of an entry; the desk writes those",
                    fixes=(note("if the sentence is true"),),
                )
            elif reference.digest != current:
                yield written(
                    Finding.SUSPICIOUS,
                    f"the entry '{reference.id}' has changed since this sentence was written; read the "
                    "sentence again",
                    code=READ_AGAIN,
                    fixes=(note("if it is still true"),),
                )

    def _missing(self, reference: Reference, place: Place) -> Diagnostic:
        lost = next(
            (
                problem
                for problem in self._record.campaign.diagnostics
                if reference.id in problem.dropped
            ),
            None,
        )
        if lost is not None:
            return self._diagnostic(
                MISSING_ENTRY,
                Finding.UNREADABLE,
                f"the entry '{reference.id}' could not be read",
                place,
                facts=(Fact("it stands here", lost.place),),
            )
        return self._diagnostic(
            MISSING_ENTRY,
            Finding.UNREADABLE,
            f"no entry has the id '{reference.id}'{self._index.suggest(reference.id)}",
            place,
            f"give the entry  id: {reference.id}  , or write  \\[{reference.id}\\]  if this is no reference",
        )

    def _diagnostic(
        self,
        code: str,
        finding: Finding,
        message: str,
        place: Place,
        *help: str,
        facts: tuple[Fact, ...] = (),
        fixes: tuple[Fix, ...] = (),
    ) -> Diagnostic:
        severity = severity_of(finding, self._record.campaign.strictness)
        return Diagnostic(
            code, finding, severity, message, place, facts=facts, free_help=help, fixes=fixes
        )


def _place_in(text: ScalarNode, reference: Reference, path: str) -> Place:
    """The place of a reference, if the layout of the text tells it; else the place of the text."""
    if text.style == "|":
        above = text[: reference.start].split("\n")
        line = text.line + len(above)
        # How far a block is indented is not kept: the line as a whole is named.
        return Place(path, line, 1, line, len(text.split("\n")[len(above) - 1]) + 1)
    if text.line == text.end_line:
        column = text.column + (1 if text.style else 0) + reference.start
        return Place(path, text.line, column, text.line, column + reference.end - reference.start)
    return place_of(text, path)
