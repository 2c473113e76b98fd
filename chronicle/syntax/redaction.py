"""The log for readers: secrets are removed before the replay.

Pages, exports and downloads use a campaign from which everything secret has been removed; later steps need
no further care. :func:`redacted_campaign` copies the campaign and leaves out the words and ids of hidden entries,
comments, unreadable parts, and everything that may contain a secret by mistake (a ``secret:`` without its
dash, or inside a text)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from chronicle.core.campaign import (
    SEAT,
    SEATS,
    Artwork,
    Campaign,
    Header,
    JournalEntry,
    KeeperNote,
    Session,
    Settings,
)
from chronicle.core.declare import Action
from chronicle.core.diagnostic import SUGGESTED, Diagnostic, Finding, listed, severity_of
from chronicle.core.form import registry
from chronicle.core.keepers import (
    KEEPERS_KEYS,
    EntryIndex,
    Reference,
    references,
    resting_on,
)
from chronicle.core.kinds import Context, Misread
from chronicle.core.names import RecordingNames, fold
from chronicle.core.pseudonyms import Pseudonyms, copy_with_words, placed
from chronicle.core.record import Record, Step
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import Rule
from chronicle.core.secrets import reworded, seal_of, well_formed
from chronicle.core.shared_verbs import Reveal, Sealed
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, scalars
from chronicle.syntax.decode import Decoder, read_part
from chronicle.syntax.problems import Problems

SECRET_MESSAGE: Final = "Something is not right in an entry that is kept secret."
"""The message of a problem with a secret entry, as readers see it."""
WITHHELD: Final = "withheld"
"""Replaces removed words in a published log."""

_SHARED: Final = frozenset(("by", "under", "allow", "coins"))
"""Options of a hidden entry that reveal nothing about its content."""
_WORD: Final = re.compile(r"[^\W_]+")
_KEY: Final = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?)['\"]?\s*[:：]")
_FIRST_KEY: Final = re.compile(
    r"^[ \t]*(?:-[ \t]+)?([^\W\d_]+(?: [^\W\d_]+)?)[ \t]*:(?:\s|$)", re.M
)


class SecretDetector:
    """Recognises text that may hide something although it is written wrongly. The name of a person or object
    in play never counts as a misspelt verb."""

    def __init__(self, rules: Rulebook[Any], names: Iterable[str] = ()) -> None:
        verbs = rules.by_verb
        self.hiding = {
            verb: verb_class for verb, verb_class in verbs.items() if verb_class.hides is not None
        }
        self._words = words_of(rules).union(names)
        self._is_misspelt: dict[str, bool] = {}

    def hides(self, key: str) -> bool:
        """Whether a key is the verb of a hidden entry, or most likely a misspelt one."""
        folded = key.strip().casefold()
        if folded in self.hiding:
            return True
        if key not in self._is_misspelt:
            is_word = not self._words.isdisjoint((key.strip(), folded))
            self._is_misspelt[key] = not is_word and _is_near(folded, self.hiding)
        return self._is_misspelt[key]

    def looks_hidden(self, text: str, *, thorough: bool = False) -> bool:
        """Whether a line of a text looks like an entry that hides something. With ``thorough``, it also
        searches inside lines and for other spellings; that is for texts that were put together by guessing."""
        if ":" not in text and "：" not in text:
            return False
        if any(match[1] in self.hiding for match in _FIRST_KEY.finditer(text)):
            return True
        return thorough and any(
            match[1].islower() and self.hides(part)
            for match in _KEY.finditer(text)
            for part in (match[1], match[1].rpartition(" ")[2])
        )

    def may_contain_secret(self, value: Value) -> bool:
        """Whether a value contains something that hides, or may hide, a secret."""
        if isinstance(value, ScalarNode):
            return "\n" in value and self.looks_hidden(value)
        if isinstance(value, SequenceNode):
            return any(self.may_contain_secret(item) for item in value)
        return any(
            self.hides(key) or self.may_contain_secret(item) or is_unsealed(key, item)
            for key, item in value.items()
        )


def is_unsealed(key: str, value: Value) -> bool:
    """Whether a value is clear text although a seal is needed."""
    return key == Sealed.verb and not (isinstance(value, ScalarNode) and well_formed(value))


@cache
def words_of(rules: Rulebook[Any]) -> frozenset[str]:
    """Every word with a meaning of its own in the log of a game: verbs, options, choices."""
    words: set[str] = set()
    todo: list[Any] = []
    for verb, kind in rules.by_verb.items():
        words.add(verb)
        for key_field in (kind.main, *kind.fields.values()):
            if key_field is not None:
                words.add(key_field.name)
                todo.append(key_field.kind.schema())
    for key_field in rules.settings.fields.values():
        words.add(key_field.name)
        todo.append(key_field.kind.schema())
    words.update(Header.fields)
    words.update(measure for measure in rules.by_measure)
    while todo:
        schema = todo.pop()
        if isinstance(schema, dict):
            words.update(word for word in schema.get("enum", ()) if isinstance(word, str))
            words.update(schema.get("properties", ()))
            todo.extend(schema.values())
    return frozenset(words)


def campaign_as_of(campaign: Campaign, session: int, rules: Rulebook[Any]) -> Campaign:
    """The campaign without sessions after ``session``: their transcripts, journal entries, notes, pictures
    and problems are removed."""

    def existed(page: JournalEntry | KeeperNote | Artwork) -> bool:
        return page.session is None or page.session <= session

    sessions = [played for played in campaign.sessions if played.number <= session]
    journal = [entry for entry in campaign.journal if existed(entry)]
    notes = [note for note in campaign.notes if existed(note)]
    art = [picture for picture in campaign.art if existed(picture)]
    kept_paths = {item.path for group in (sessions, journal, notes, art) for item in group}
    dates = [
        str(later_session.header.date or "")
        for later_session in campaign.sessions
        if later_session.number > session
    ]
    if sessions != campaign.sessions and all(map(_is_day, dates)):
        # Texts without a session number that were written after the next session.
        journal = [
            entry
            for entry in journal
            if entry.session is not None or not _is_day(entry.date) or entry.date < min(dates)
        ]
    all_items = (campaign.sessions, campaign.journal, campaign.notes, campaign.art)
    later_paths = {item.path for group in all_items for item in group} - kept_paths
    diagnostics = [
        problem for problem in campaign.diagnostics if problem.place.path not in later_paths
    ]
    campaign_then = replace(
        campaign, sessions=sessions, journal=journal, notes=notes, art=art, diagnostics=diagnostics
    )
    if sessions != campaign.sessions and campaign.settings.renamed:
        campaign_then.settings = _renamed_by_then(campaign_then, SecretDetector(rules))
    return campaign_then


def _is_day(text: str) -> bool:
    """Whether a text is a date in the sortable form."""
    return re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) is not None


def _renamed_by_then(campaign: Campaign, wary: SecretDetector) -> Settings:
    """The settings with the renamings whose two names both occur in the remaining logs: others are possibly
    from later sessions."""
    texts = (
        word
        for session in campaign.sessions
        for action in session.actions
        for word in scalars(action.source, wary.hides)
    )
    all_words = f" {' '.join(_WORD.findall(fold(' '.join(texts))))} "

    def occurs(name: str) -> bool:
        return f" {' '.join(_WORD.findall(fold(name)))} " in all_words

    settings = copy(campaign.settings)
    remaining = {
        former: current
        for former, current in (settings.renamed or {}).items()
        if occurs(former) and occurs(current)
    }
    settings.renamed = remaining
    source = settings.source
    if isinstance(source, MappingNode):
        inner = source.get(ScalarNode("renamed"))
        key = source.key("renamed")
        if isinstance(inner, MappingNode) and key is not None:
            settings.source = source.without([key])
            if remaining:
                pairs = inner.without([former for former in inner if former not in remaining])
                settings.source[key] = pairs
    return settings


def needs_redaction(
    campaign: Campaign, rules: Rulebook[Any], checked: dict[int, MappingNode] | None = None
) -> bool:
    """Whether a campaign contains anything that readers must not see. ``checked`` has entries from earlier
    calls that hide nothing, by the identity of their source; it is updated."""
    if campaign.disguised or any(
        problem.finding is Finding.UNREADABLE for problem in campaign.diagnostics
    ):
        return True
    wary, known_clear = SecretDetector(rules), {} if checked is None else checked
    clear: dict[int, MappingNode] = {}
    for session in campaign.sessions:
        if wary.may_contain_secret(session.header.source):
            return True
        for action in session.actions:
            source = action.source
            if known_clear.get(id(source)) is not source and wary.may_contain_secret(source):
                return True
            clear[id(source)] = source
    if checked is not None:
        checked.clear()
        checked.update(clear)
    return False


class _Held(Exception):
    """An entry that is left out because it may contain a secret by mistake."""


def redacted_campaign(
    record: Record, rules: Rulebook[Any], pseudonyms: Pseudonyms | None = None
) -> Campaign:
    """The campaign of a record without its secrets, to be replayed for readers."""
    return _Publisher(record, rules, pseudonyms if pseudonyms is not None else Pseudonyms()).build()


class _Publisher:
    def __init__(self, record: Record, rules: Rulebook[Any], pseudonyms: Pseudonyms) -> None:
        self.record = record
        self.campaign = record.campaign
        subjects = record.names.all.values()
        self.wary = SecretDetector(
            rules, (word for subject in subjects for word in (subject.name, *subject.aliases))
        )
        self.decoder = Decoder(rules.by_verb, prune=True)
        self.names = bool(pseudonyms)
        """Whether any player has a pseudonym."""
        self.steps: dict[tuple[str, int, int], Step] = {}
        self.ids: dict[str, str] = {}
        self.hidden: dict[str, list[tuple[int, int]]] = {}
        for step in record.steps:
            self.steps.setdefault(_position_of(step.action), step)
            if step.hidden:
                lines = (step.action.source.line, step.action.source.end_line)
                self.hidden.setdefault(step.action.path, []).append(lines)
            if step.hidden and step.action.id:
                self.ids.setdefault(str(step.action.id), f"hidden-{len(self.ids) + 1}")
        # Inside texts, an id that is an ordinary word is not replaced: there it is possibly just that word.
        self.pseudonyms = pseudonyms.and_also(
            {id: new for id, new in self.ids.items() if "-" in id}
        )
        self.left_out: list[Place] = []
        self.changed: dict[str, list[int]] = {}
        self.reworded: dict[str, str] = {}
        for step in record.steps if pseudonyms else ():
            if isinstance(step.action, Reveal) and step.action.opening is not None:
                opening = str(step.action.opening)
                new_opening = reworded(opening, pseudonyms.text)
                if new_opening != opening:
                    self.reworded |= {opening: new_opening, seal_of(opening): seal_of(new_opening)}
        self.entries = EntryIndex(record)
        self.id_words: dict[int, str] = {}
        self.misspelt_ids: set[int] = set()
        self.secret_words = {
            id(word)
            for step in record.steps
            if step.hidden and step.action.hides is not None
            for key, value in step.action.source.items()
            if key not in _SHARED
            for word in scalars(value)
        }
        self._look_up(record.looked_up)
        self.public = {id(problem): self._public(problem) for problem in self.campaign.diagnostics}
        for problem in self.campaign.diagnostics:
            public = self.public[id(problem)]
            public.cause = self.public.get(id(problem.cause))
            if public.cause is not None:
                public.cause.dependents.append(public)

    def _look_up(self, words_asked: Iterable[ScalarNode]) -> None:
        """Find the words that name a hidden entry, and words that look like a misspelt id of one."""
        if not self.ids:
            return
        known_ids = {str(step.action.id) for step in self.record.steps if step.action.id}
        for word in words_asked:
            replacement = self.ids.get(word)
            if replacement is not None:
                self.id_words[id(word)] = replacement
            elif word not in known_ids and _is_near(word, self.ids):
                self.misspelt_ids.add(id(word))

    # --- the campaign ---------------------------------------------------------------------------

    def build(self) -> Campaign:
        """The campaign for readers."""
        campaign, text = self.campaign, self.pseudonyms.text
        settings = self._part(type(campaign.settings), campaign.settings)
        sessions = [self._session(session) for session in campaign.sessions]
        return replace(
            campaign,
            slug=text(campaign.slug),
            settings=settings,
            sessions=sessions,
            path=self._path(campaign.path),
            diagnostics=list(self.public.values()),
            journal=[
                entry._replace(
                    slug=text(entry.slug),
                    title=(reword := self._reword_text(entry.path))(entry.title),
                    body=reword(entry.body),
                    author=text(entry.author),
                    voice=text(entry.voice),
                    about=self._about(entry.about),
                    path=self._path(entry.path),
                )
                for entry in campaign.journal
            ],
            notes=[
                note._replace(
                    slug=text(note.slug),
                    title=(reword := self._reword_text(note.path))(note.title),
                    body=reword(note.body),
                    about=self._about(note.about),
                    path=self._path(note.path),
                )
                for note in campaign.notes
            ],
            art=[
                picture._replace(
                    file=PurePosixPath(text(str(picture.file))),
                    real_path=picture.file,
                    title=(reword := self._reword_text(picture.path))(picture.title),
                    alt=reword(picture.alt),
                    artist=text(picture.artist),
                    licence=text(picture.licence),
                    about=self._about(picture.about),
                    path=self._path(picture.path),
                )
                for picture in campaign.art
            ],
            pseudonyms=self.pseudonyms,
            withheld=frozenset(self.ids),
            remarks=self._remarks(),
            paths={self._path(path): path for path in self._paths() if self._path(path) != path},
        )

    def _paths(self) -> Iterator[str]:
        yield self.campaign.path
        for session in self.campaign.sessions:
            yield from {session.path, *(action.path for action in session.actions)}

    def _word(self, word: ScalarNode, path: str) -> ScalarNode:
        """A scalar for readers. Changes in longer texts are noted for the keeper."""
        public_word = self.pseudonyms.word(word)
        if public_word != word and " " in word.strip():
            self.changed.setdefault(path, []).append(word.line)
        return public_word

    def _reword_text(self, path: str) -> Callable[[str], str]:
        """The function that rewords the texts of a file for readers."""

        def text(text: str) -> str:
            public_text = self.pseudonyms.text(text)
            if public_text != text:
                self.changed.setdefault(path, [])
            return public_text

        return text

    def _remarks(self) -> list[str]:
        """Remarks for the keeper: what is left out, and which texts were reworded."""
        remarks = [
            f"{place}: this entry is left out: it may hold a secret by mistake"
            for place in self.left_out
        ]
        places = [
            path + (f" (lines {', '.join(map(str, sorted(set(lines))))})" if lines else "")
            for path, lines in self.changed.items()
        ]
        if places:
            subjects = [
                *["names of players"] * self.names,
                *["ids of what is hidden"] * bool(self.ids),
            ]
            remarks.append(f"{listed(subjects)} read otherwise in the texts of {listed(places)}")
        if self.reworded:
            remarks.append("seals whose openings name a player are made anew for readers")
        return remarks

    def _path(self, path: str) -> str:
        return self.pseudonyms.text(path)

    def _about(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The subjects of a text, without hidden entries."""
        return tuple(self.pseudonyms.text(name) for name in names if not _is_near(name, self.ids))

    def _part(self, kind: Any, part: Any) -> Any:
        """The settings, or the head of a session, with the keys that could be read."""
        source = part.source
        public_part = MappingNode()
        for key, value in source.items():
            if isinstance(part, Header):
                if self.wary.may_contain_secret(value):
                    continue
                if key in KEEPERS_KEYS:
                    value = copy_with_words(value, self._reword_keepers_text)
            with suppress(KeyError, Misread):
                part.fields[key].kind.read(value, Context(lambda items: [], []))
                public_part[key] = (
                    _names_alone(value) if part.fields[key].kind in (SEAT, SEATS) else value
                )
        if isinstance(part, Header):
            public_part[ScalarNode("session")] = ScalarNode(str(part.session))
        tree = self._named(placed(public_part, source))
        result = read_part(kind, tree, self.campaign.path, Problems())
        return part if result is None else result

    def _named(self, value: Value) -> Any:
        return copy_with_words(value, self.pseudonyms.word)

    def _reword_keepers_text(self, word: ScalarNode) -> ScalarNode:
        """A text of the keepers without sentences that rest on a secret, without digests, and without
        references to hidden or unknown entries."""
        result = str(word)
        for reference in reversed(references(word)):
            step = self.entries.find(reference.id)
            if step is not None and step.hidden:
                start, end = resting_on(result, reference)
                result = result[:start] + result[end:]
                continue
            id = str(step.action.id or "") if step is not None else ""
            # An anchor contains words of its entry: if readers see other words, the anchor differs.
            shown = str(self.pseudonyms.word(ScalarNode(id))) if id else reference.id
            is_kept = step is not None and (
                bool(id) or self.pseudonyms.text(reference.id) == reference.id
            )
            replacement = str(Reference(shown, "", 0, 0)) if is_kept else ""
            if replacement and not references(replacement):
                replacement = ""
            result = result[: reference.start] + replacement + result[reference.end :]
        return word if result == word else word.like(result)

    def _session(self, session: Session) -> Session:
        header = self._part(Header, session.header)
        actions: list[Action] = []
        for action in session.actions:
            tree = self._entry(action.source, action.path)
            if tree is None:
                self._leave_out(action)
                continue
            path = self._path(action.path)
            decoded = self.decoder.entries(SequenceNode([tree]), path, action.session, Problems())
            for public_action in decoded:
                if action.problem is not None:
                    public_action.problem = self.public.get(id(action.problem))
                actions.append(public_action)
        return Session(header, actions, self._path(session.path))

    # --- entries --------------------------------------------------------------------------------

    def _entry(self, source: MappingNode, path: str) -> MappingNode | None:
        try:
            public_entry = self._value(source, path)
        except _Held:
            return None
        assert isinstance(public_entry, MappingNode)
        return public_entry

    def _value(self, value: Value, path: str, *, thorough: bool = False) -> Value:
        """A copy of a value for readers.

        Raises:
            _Held: if the entry it belongs to may contain a secret by mistake.
        """
        if isinstance(value, ScalarNode):
            # An alias may repeat a value of a hidden entry.
            is_secret = value and id(value) in self.secret_words
            if (
                is_secret
                or id(value) in self.misspelt_ids
                or self.wary.looks_hidden(value, thorough=thorough)
            ):
                raise _Held
            replacement = self.id_words.get(id(value)) or self.reworded.get(value)
            return value.like(replacement) if replacement is not None else self._word(value, path)
        if isinstance(value, SequenceNode):
            items = SequenceNode()
            for item in value:
                try:
                    items.append(self._value(item, path, thorough=thorough))
                except _Held:
                    if not isinstance(item, MappingNode):
                        raise
            return placed(items, value)
        step = self.steps.get((path, value.line, value.column))
        if step is not None:
            thorough = step.action.problem is not None
            if step.hidden and step.action.hides is not None:
                return self._blank(step)
        public_mapping = MappingNode()
        for key, item in value.items():
            if is_unsealed(key, item) or (self.wary.hides(key) and not self._in_place(key, step)):
                raise _Held
            public_mapping[self._word(key, path)] = self._value(item, path, thorough=thorough)
        return placed(public_mapping, value)

    def _in_place(self, key: ScalarNode, step: Step | None) -> bool:
        """Whether a key that hides something is at an allowed place, and was read."""
        if step is None:
            return False
        verb = step.action.key
        return (key.line, key.column) == (verb.line, verb.column) or key in step.action.fields

    def _blank(self, step: Step) -> MappingNode:
        """The remaining parts of a hidden entry: its verb and its actor."""
        action = step.action
        remaining = MappingNode()
        for key, value in action.source.items():
            if key == action.key:
                hidden = key in (action.hides or ())
                blank = isinstance(value, ScalarNode) and hidden and value.strip()
                remaining[key] = value.like(WITHHELD) if blank else self._named(value)  # type: ignore[union-attr]
            elif key == "id" and isinstance(value, ScalarNode):
                remaining[key] = value.like(self.ids.get(value, WITHHELD))
            elif key == "by":
                remaining[key] = self._named(value)
        return placed(remaining, action.source)  # type: ignore[return-value]

    # --- findings -------------------------------------------------------------------------------

    def _public(self, problem: Diagnostic) -> Diagnostic:
        """A problem of the form of a log for readers: its kind and place, without words of the log. For a
        hidden entry, not even the rule."""
        rule = registry().get(problem.code)
        message = f"{rule.title}." if isinstance(rule, Rule) else "Something here cannot be read."
        place = problem.place._replace(path=self._path(problem.place.path))
        if self.wary.hides(problem.dropped[0] if problem.dropped else "") or any(
            first <= place.line <= last for first, last in self.hidden.get(problem.place.path, ())
        ):
            message = SECRET_MESSAGE
        return replace(
            problem,
            message=message,
            place=place,
            label="",
            facts=(),
            fixes=(),
            free_help=(),
            cause=None,
            dependents=[],
        )

    def _leave_out(self, action: Action) -> None:
        """Report to readers that an entry is left out, so that its consequences are folded under the report."""
        existing = next(
            (
                problem
                for problem in self.campaign.diagnostics
                if problem.place.path == action.path
                and action.source.line <= problem.place.line <= action.source.end_line
            ),
            None,
        )
        if existing is not None:
            report = self.public[id(existing)]
            report.message = SECRET_MESSAGE
        else:
            step_problems = self.steps[_position_of(action)].diagnostics
            finding = step_problems[0].finding if step_problems else Finding.UNKNOWN
            place = action.place()._replace(path=self._path(action.path))
            report = Diagnostic(
                step_problems[0].code if step_problems else "T24",
                finding,
                severity_of(finding, self.campaign.strictness),
                SECRET_MESSAGE,
                place,
                step_problems[0].game if step_problems else "",
            )
            self.public[id(report)] = report
        self.left_out.append(report.place)
        report.dropped = report.dropped or (str(action.verb),)


def _names_alone(value: Value) -> Value:
    """Players without the details of their mappings."""
    if isinstance(value, SequenceNode):
        return placed(SequenceNode(map(_names_alone, value)), value)
    if isinstance(value, MappingNode):
        name = value.get(ScalarNode("name"))
        return name if name is not None else value
    return value


def pseudonyms_of(
    campaign: Campaign, record: Record, names: RecordingNames, rules: Rulebook[Any]
) -> Pseudonyms:
    """The pseudonyms of players: every spelling that the log uses for a player, former names, and each word of
    a name that is unique."""
    shown: dict[str, str] = {}
    names_by_id = {named.id: (named.name, *named.aliases) for named in record.names.all.values()}
    reserved = words_of(rules)
    for seat, pseudonym in campaign.disguised:
        real_name = str(seat.name)
        spelt = [
            real_name,
            *map(str, seat.also_known_as),
            *names_by_id.get(real_name, ()),
            *names.called(real_name),
        ]
        spelt += [
            former
            for former, current in campaign.renamed
            if fold(names.current_name(current)) == fold(real_name)
        ]
        other_words = {
            fold(word)
            for id, names_of_other in names_by_id.items()
            if id != real_name
            for name in names_of_other
            for word in _WORD.findall(name)
        }
        spelt += [
            word
            for name in spelt
            for word in _WORD.findall(name)
            if word[:1].isupper() and len(word) > 1 and fold(word) not in other_words
        ]
        for word in names.missed:
            if names.missed[word].line and _is_near(word, spelt):
                # Readers see a misspelt name as a misspelt pseudonym.
                shown.setdefault(word, f"{pseudonym}?")
        for name in spelt:
            if name == real_name or name not in reserved:
                shown.setdefault(name, pseudonym)
    return Pseudonyms(shown, reserved, str(campaign.settings.language))


def _is_near(word: str, candidates: Iterable[str]) -> bool:
    """Whether a word equals one of the candidates, or is similar enough to be a misspelling."""
    folded = word.strip().casefold()
    return any(
        SequenceMatcher(None, folded, candidate.casefold()).ratio() >= SUGGESTED
        for candidate in candidates
    )


def _position_of(action: Action) -> tuple[str, int, int]:
    return action.path, action.source.line, action.source.column
