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
from functools import cache, partial
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
from chronicle.core.diagnostic import (
    MIN_SUGGESTION_SIMILARITY,
    Diagnostic,
    DiagnosticKind,
    severity_of,
)
from chronicle.core.field_types import Context
from chronicle.core.form import registry
from chronicle.core.game import Game
from chronicle.core.keepers import (
    KEEPERS_KEYS,
    EntryFinder,
    Reference,
    cited_stretch,
    find_references,
)
from chronicle.core.misread import Misread
from chronicle.core.names import RecordingNames, fold
from chronicle.core.pseudonyms import Pseudonyms, copy_with_words, set_place
from chronicle.core.record import Record, Step
from chronicle.core.rules import Rule
from chronicle.core.secrets import is_seal, reword_opening, seal_of
from chronicle.core.shared_verbs import Reveal, Sealed
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, scalars
from chronicle.syntax.decode import Decoder, decode_part
from chronicle.syntax.problems import Problems
from chronicle.syntax.rewordings import Rewordings

SECRET_MESSAGE: Final = "Something is not right in an entry that is kept secret."
"""The message of a problem with a secret entry, as readers see it."""
WITHHELD: Final = "withheld"
"""Replaces removed words in a published log."""

_OPTIONS_KEPT_OPEN: Final = frozenset(("by", "under", "allow", "coins"))
"""Options of a hidden entry that reveal nothing about its content."""
_WORD_PATTERN: Final = re.compile(r"[^\W_]+")
_KEY_BEFORE_COLON: Final = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?)['\"]?\s*[:：]")
_KEY_AT_LINE_START: Final = re.compile(
    r"^[ \t]*(?:-[ \t]+)?([^\W\d_]+(?: [^\W\d_]+)?)[ \t]*:(?:\s|$)", re.M
)


class SecretDetector:
    """Recognises text that may hide something although it is written wrongly. The name of a person or object
    in play never counts as a misspelt verb."""

    def __init__(self, game: Game[Any], names: Iterable[str] = ()) -> None:
        verbs = game.by_verb
        self.hiding_verbs = {
            verb: verb_class for verb, verb_class in verbs.items() if verb_class.hides is not None
        }
        self._reserved_words = reserved_words_of(game).union(names)
        self._misspelt_by_key: dict[str, bool] = {}

    def hides(self, key: str) -> bool:
        """Whether a key is the verb of a hidden entry, or most likely a misspelt one."""
        folded_key = key.strip().casefold()
        if folded_key in self.hiding_verbs:
            return True
        if key not in self._misspelt_by_key:
            is_known = not self._reserved_words.isdisjoint((key.strip(), folded_key))
            self._misspelt_by_key[key] = not is_known and _resembles(folded_key, self.hiding_verbs)
        return self._misspelt_by_key[key]

    def looks_hidden(self, text: str, *, is_thorough: bool = False) -> bool:
        """Whether a line of a text looks like an entry that hides something. With ``is_thorough``, it also
        searches inside lines and for other spellings; that is for texts that were put together by guessing."""
        if ":" not in text and "：" not in text:
            return False
        if any(match[1] in self.hiding_verbs for match in _KEY_AT_LINE_START.finditer(text)):
            return True
        return is_thorough and any(
            match[1].islower() and self.hides(possible_key)
            for match in _KEY_BEFORE_COLON.finditer(text)
            for possible_key in (match[1], match[1].rpartition(" ")[2])
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
    return key == Sealed.verb and not (isinstance(value, ScalarNode) and is_seal(value))


@cache
def reserved_words_of(game: Game[Any]) -> frozenset[str]:
    """Every word with a meaning of its own in the log of a game: verbs, options, choices."""
    reserved_words: set[str] = set()
    schemas_left: list[Any] = []
    for verb_name, verb_class in game.by_verb.items():
        reserved_words.add(verb_name)
        for key_field in (verb_class.main, *verb_class.fields.values()):
            if key_field is not None:
                reserved_words.add(key_field.name)
                schemas_left.append(key_field.kind.schema())
    for key_field in game.settings.fields.values():
        reserved_words.add(key_field.name)
        schemas_left.append(key_field.kind.schema())
    reserved_words.update(Header.fields)
    reserved_words.update(measure_name for measure_name in game.by_measure)
    while schemas_left:
        schema = schemas_left.pop()
        if isinstance(schema, dict):
            reserved_words.update(word for word in schema.get("enum", ()) if isinstance(word, str))
            reserved_words.update(schema.get("properties", ()))
            schemas_left.extend(schema.values())
    return frozenset(reserved_words)


def campaign_as_of(campaign: Campaign, last_session_number: int, game: Game[Any]) -> Campaign:
    """The campaign without sessions after ``last_session_number``: their transcripts, journal entries, notes, pictures
    and problems are removed."""

    def existed_by_then(page: JournalEntry | KeeperNote | Artwork) -> bool:
        return page.session is None or page.session <= last_session_number

    sessions = [session for session in campaign.sessions if session.number <= last_session_number]
    journal = [entry for entry in campaign.journal if existed_by_then(entry)]
    notes = [note for note in campaign.notes if existed_by_then(note)]
    art = [artwork for artwork in campaign.art if existed_by_then(artwork)]
    remaining_paths = {item.path for items in (sessions, journal, notes, art) for item in items}
    later_dates = [
        str(later_session.header.date or "")
        for later_session in campaign.sessions
        if later_session.number > last_session_number
    ]
    if sessions != campaign.sessions and all(map(_is_day, later_dates)):
        # Texts without a session number that were written after the next session.
        journal = [
            entry
            for entry in journal
            if entry.session is not None or not _is_day(entry.date) or entry.date < min(later_dates)
        ]
    all_groups = (campaign.sessions, campaign.journal, campaign.notes, campaign.art)
    later_paths = {item.path for items in all_groups for item in items} - remaining_paths
    diagnostics = [
        problem for problem in campaign.diagnostics if problem.place.path not in later_paths
    ]
    earlier_campaign = replace(
        campaign, sessions=sessions, journal=journal, notes=notes, art=art, diagnostics=diagnostics
    )
    if sessions != campaign.sessions and campaign.settings.renamed:
        earlier_campaign.settings = _without_later_names(earlier_campaign, SecretDetector(game))
    return earlier_campaign


def _is_day(date_text: str) -> bool:
    """Whether a text is a date in the sortable form."""
    return re.fullmatch(r"\d{4}-\d{2}-\d{2}", date_text) is not None


def _without_later_names(campaign: Campaign, detector: SecretDetector) -> Settings:
    """The settings with the renamings whose two names both occur in the remaining logs: others are possibly
    from later sessions."""
    words_in_logs = (
        word
        for session in campaign.sessions
        for action in session.actions
        for word in scalars(action.source, detector.hides)
    )
    text_of_words = f" {' '.join(_WORD_PATTERN.findall(fold(' '.join(words_in_logs))))} "

    def occurs_in_logs(name: str) -> bool:
        return f" {' '.join(_WORD_PATTERN.findall(fold(name)))} " in text_of_words

    settings = copy(campaign.settings)
    renamings = {
        former_name: current_name
        for former_name, current_name in (settings.renamed or {}).items()
        if occurs_in_logs(former_name) and occurs_in_logs(current_name)
    }
    settings.renamed = renamings
    settings_node = settings.source
    if isinstance(settings_node, MappingNode):
        renamings_node = settings_node.get(ScalarNode("renamed"))
        renamed_key = settings_node.key("renamed")
        if isinstance(renamings_node, MappingNode) and renamed_key is not None:
            settings.source = settings_node.without([renamed_key])
            if renamings:
                remaining_pairs = renamings_node.without(
                    [former_name for former_name in renamings_node if former_name not in renamings]
                )
                settings.source[renamed_key] = remaining_pairs
    return settings


def needs_redaction(
    campaign: Campaign, game: Game[Any], harmless_before: dict[int, MappingNode] | None = None
) -> bool:
    """Whether a campaign contains anything that readers must not see. ``harmless_before`` has entries from earlier
    calls that hide nothing, by the identity of their source; it is updated."""
    if campaign.public_names or any(
        problem.kind is DiagnosticKind.UNREADABLE for problem in campaign.diagnostics
    ):
        return True
    detector = SecretDetector(game)
    known_harmless = {} if harmless_before is None else harmless_before
    harmless_source_by_id: dict[int, MappingNode] = {}
    for session in campaign.sessions:
        if detector.may_contain_secret(session.header.source):
            return True
        for action in session.actions:
            source = action.source
            if known_harmless.get(id(source)) is not source and detector.may_contain_secret(source):
                return True
            harmless_source_by_id[id(source)] = source
    if harmless_before is not None:
        harmless_before.clear()
        harmless_before.update(harmless_source_by_id)
    return False


class _PossibleSecret(Exception):
    """An entry that is left out because it may contain a secret by mistake."""


def redacted_campaign(
    record: Record, game: Game[Any], pseudonyms: Pseudonyms | None = None
) -> Campaign:
    """The campaign of a record without its secrets, to be replayed for readers."""
    return _Redactor(record, game, pseudonyms if pseudonyms is not None else Pseudonyms()).build()


class _Redactor:
    def __init__(self, record: Record, game: Game[Any], pseudonyms: Pseudonyms) -> None:
        self.record = record
        self.campaign = record.campaign
        subjects = record.names.all.values()
        self.detector = SecretDetector(
            game, (word for subject in subjects for word in (subject.name, *subject.aliases))
        )
        self.decoder = Decoder(game.by_verb, drops_unread=True)
        self.step_by_position: dict[tuple[str, int, int], Step] = {}
        self.new_ids: dict[str, str] = {}
        self.hidden_line_ranges: dict[str, list[tuple[int, int]]] = {}
        for step in record.steps:
            self.step_by_position.setdefault(_action_position(step.action), step)
            if step.hidden:
                line_range = (step.action.source.line, step.action.source.end_line)
                self.hidden_line_ranges.setdefault(step.action.path, []).append(line_range)
            if step.hidden and step.action.id:
                self.new_ids.setdefault(str(step.action.id), f"hidden-{len(self.new_ids) + 1}")
        # Inside texts, an id that is an ordinary word is not replaced: there it is possibly just that word.
        self.pseudonyms = pseudonyms.with_further_names(
            {id: new_id for id, new_id in self.new_ids.items() if "-" in id}
        )
        self.left_out_places: list[Place] = []
        self.rewordings = Rewordings(self.pseudonyms, record.names)
        self.redacted_by_opening: dict[str, str] = {}
        for step in record.steps if pseudonyms else ():
            if isinstance(step.action, Reveal) and step.action.opening is not None:
                opening = str(step.action.opening)
                new_opening = reword_opening(opening, pseudonyms.replace_in_text)
                if new_opening != opening:
                    self.redacted_by_opening |= {
                        opening: new_opening,
                        seal_of(opening): seal_of(new_opening),
                    }
        self.entry_finder = EntryFinder(record)
        self.new_id_by_word: dict[int, str] = {}
        self.misspelt_word_ids: set[int] = set()
        self.secret_word_ids = {
            id(word)
            for step in record.steps
            if step.hidden and step.action.hides is not None
            for key, value in step.action.source.items()
            if key not in _OPTIONS_KEPT_OPEN
            for word in scalars(value)
        }
        self._find_words_for_ids(record.looked_up_words)
        self.public_problems = {
            id(problem): self._public_problem(problem) for problem in self.campaign.diagnostics
        }
        for problem in self.campaign.diagnostics:
            public_problem = self.public_problems[id(problem)]
            public_problem.cause = self.public_problems.get(id(problem.cause))
            if public_problem.cause is not None:
                public_problem.cause.dependents.append(public_problem)

    def _find_words_for_ids(self, words: Iterable[ScalarNode]) -> None:
        """Find the words that name a hidden entry, and words that look like a misspelt id of one."""
        if not self.new_ids:
            return
        known_ids = {str(step.action.id) for step in self.record.steps if step.action.id}
        for word in words:
            replacement = self.new_ids.get(word)
            if replacement is not None:
                self.new_id_by_word[id(word)] = replacement
            elif word not in known_ids and _resembles(word, self.new_ids):
                self.misspelt_word_ids.add(id(word))

    # --- the campaign ---------------------------------------------------------------------------

    def build(self) -> Campaign:
        """The campaign for readers."""
        campaign, replace_names = self.campaign, self.pseudonyms.replace_in_text
        settings = self._redact_part(type(campaign.settings), campaign.settings, campaign.path)
        sessions = [self._redact_session(session) for session in campaign.sessions]
        return replace(
            campaign,
            slug=replace_names(campaign.slug),
            settings=settings,
            sessions=sessions,
            path=self._public_path(campaign.path),
            diagnostics=list(self.public_problems.values()),
            journal=[
                entry._replace(
                    slug=replace_names(entry.slug),
                    title=(reword := self._reword_text(entry.path))(entry.title),
                    body=reword(entry.body),
                    author=replace_names(entry.author),
                    voice=replace_names(entry.voice),
                    subjects=self._public_subjects(entry.subjects),
                    path=self._public_path(entry.path),
                )
                for entry in campaign.journal
            ],
            notes=[
                note._replace(
                    slug=replace_names(note.slug),
                    title=(reword := self._reword_text(note.path))(note.title),
                    body=reword(note.body),
                    subjects=self._public_subjects(note.subjects),
                    path=self._public_path(note.path),
                )
                for note in campaign.notes
            ],
            art=[
                picture._replace(
                    file=PurePosixPath(replace_names(str(picture.file))),
                    real_path=picture.file,
                    title=(reword := self._reword_text(picture.path))(picture.title),
                    alt=reword(picture.alt),
                    artist=replace_names(picture.artist),
                    licence=replace_names(picture.licence),
                    subjects=self._public_subjects(picture.subjects),
                    path=self._public_path(picture.path),
                    caption_path="",
                )
                for picture in campaign.art
            ],
            pseudonyms=self.pseudonyms,
            withheld_ids=frozenset(self.new_ids),
            publishing_notes=self._publishing_notes(),
            rewordings=[
                *self.rewordings.rewording_notes(
                    {public_name: str(seat.name) for seat, public_name in campaign.public_names}
                )
            ],
            real_paths={
                self._public_path(path): path
                for path in self._log_paths()
                if self._public_path(path) != path
            },
        )

    def _log_paths(self) -> Iterator[str]:
        yield self.campaign.path
        for session in self.campaign.sessions:
            yield from {session.path, *(action.path for action in session.actions)}

    def _new_word(self, scalar: ScalarNode, path: str) -> ScalarNode:
        """A scalar for readers. Changes in longer texts are noted for the keeper."""
        public_word = self.pseudonyms.replace_in_scalar(scalar)
        if public_word != scalar and " " in scalar.strip():
            self.rewordings.record(scalar, path)
        return public_word

    def _reword_text(self, path: str) -> Callable[[str], str]:
        """The function that rewords the texts of a file for readers."""

        def reword(text: str) -> str:
            self.rewordings.record(text, path)
            return self.pseudonyms.replace_in_text(text)

        return reword

    def _publishing_notes(self) -> list[str]:
        """Remarks for the keeper: what is left out or made anew."""
        left_out_remarks = [
            f"{place}: this entry is left out: it may hold a secret by mistake"
            for place in self.left_out_places
        ]
        if self.redacted_by_opening:
            left_out_remarks.append("seals whose openings name a player are made anew for readers")
        return left_out_remarks

    def _public_path(self, path: str) -> str:
        return self.pseudonyms.replace_in_text(path)

    def _public_subjects(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The subjects of a text, without hidden entries."""
        replace_names = self.pseudonyms.replace_in_text
        return tuple(replace_names(name) for name in names if not _resembles(name, self.new_ids))

    def _redact_part(self, part_class: Any, mapping: Any, path: str) -> Any:
        """The settings, or the head of a session, with the keys that could be read."""
        source = mapping.source
        public_part = MappingNode()
        for key, value in source.items():
            if isinstance(mapping, Header):
                if self.detector.may_contain_secret(value):
                    continue
                if key in KEEPERS_KEYS:
                    value = copy_with_words(value, self._reword_keepers_text)
            with suppress(KeyError, Misread):
                mapping.fields[key].kind.read(value, Context(lambda items: [], []))
                public_part[key] = (
                    _only_names(value) if mapping.fields[key].kind in (SEAT, SEATS) else value
                )
        if isinstance(mapping, Header):
            public_part[ScalarNode("session")] = ScalarNode(str(mapping.session))
        reword = partial(self._new_word, path=path)
        pseudonymous_part: Any = copy_with_words(set_place(public_part, source), reword)
        decoded_part = decode_part(part_class, pseudonymous_part, self.campaign.path, Problems())
        return mapping if decoded_part is None else decoded_part

    def _replace_names(self, value: Value) -> Any:
        return copy_with_words(value, self.pseudonyms.replace_in_scalar)

    def _reword_keepers_text(self, scalar: ScalarNode) -> ScalarNode:
        """A text of the keepers without sentences that rest on a secret, without digests, and without
        references to hidden or unknown entries."""
        new_text = str(scalar)
        for reference in reversed(find_references(scalar)):
            step = self.entry_finder.find(reference.id)
            if step is not None and step.hidden:
                start, end = cited_stretch(new_text, reference)
                new_text = new_text[:start] + new_text[end:]
                continue
            own_id = str(step.action.id or "") if step is not None else ""
            # An anchor contains words of its entry: if readers see other words, the anchor differs.
            public_word = self.pseudonyms.replace_in_scalar(ScalarNode(own_id or ""))
            public_id = str(public_word) if own_id else reference.id
            is_kept = step is not None and (
                bool(own_id) or self.pseudonyms.replace_in_text(reference.id) == reference.id
            )
            replacement = str(Reference(public_id, "", 0, 0)) if is_kept else ""
            if replacement and not find_references(replacement):
                replacement = ""
            new_text = new_text[: reference.start] + replacement + new_text[reference.end :]
        return scalar if new_text == scalar else scalar.like(new_text)

    def _redact_session(self, session: Session) -> Session:
        header = self._redact_part(Header, session.header, session.path)
        actions: list[Action] = []
        for action in session.actions:
            public_entry = self._redact_entry(action.source, action.path)
            if public_entry is None:
                self._leave_out(action)
                continue
            public_path = self._public_path(action.path)
            public_actions = self.decoder.decode_entries(
                SequenceNode([public_entry]), public_path, action.session, Problems()
            )
            for public_action in public_actions:
                if action.problem is not None:
                    public_action.problem = self.public_problems.get(id(action.problem))
                actions.append(public_action)
        return Session(header, actions, self._public_path(session.path))

    # --- entries --------------------------------------------------------------------------------

    def _redact_entry(self, entry_node: MappingNode, path: str) -> MappingNode | None:
        try:
            public_entry = self._redact(entry_node, path)
        except _PossibleSecret:
            return None
        assert isinstance(public_entry, MappingNode)
        return public_entry

    def _redact(self, value: Value, path: str, *, is_guess: bool = False) -> Value:
        """A copy of a value for readers.

        Raises:
            _PossibleSecret: if the entry it belongs to may contain a secret by mistake.
        """
        if isinstance(value, ScalarNode):
            # An alias may repeat a value of a hidden entry.
            is_secret_word = value and id(value) in self.secret_word_ids
            if (
                is_secret_word
                or id(value) in self.misspelt_word_ids
                or self.detector.looks_hidden(value, is_thorough=is_guess)
            ):
                raise _PossibleSecret
            replacement = self.new_id_by_word.get(id(value)) or self.redacted_by_opening.get(value)
            return (
                value.like(replacement) if replacement is not None else self._new_word(value, path)
            )
        if isinstance(value, SequenceNode):
            public_items = SequenceNode()
            for item in value:
                try:
                    public_items.append(self._redact(item, path, is_guess=is_guess))
                except _PossibleSecret:
                    if not isinstance(item, MappingNode):
                        raise
            return set_place(public_items, value)
        step = self.step_by_position.get((path, value.line, value.column))
        if step is not None:
            is_guess = step.action.problem is not None
            if step.hidden and step.action.hides is not None:
                return self._redact_hidden_entry(step)
        public_mapping = MappingNode()
        for key, item in value.items():
            if is_unsealed(key, item) or (
                self.detector.hides(key) and not self._is_allowed(key, step)
            ):
                raise _PossibleSecret
            public_mapping[self._new_word(key, path)] = self._redact(item, path, is_guess=is_guess)
        return set_place(public_mapping, value)

    def _is_allowed(self, key: ScalarNode, step: Step | None) -> bool:
        """Whether a key that hides something is at an allowed place, and was read."""
        if step is None:
            return False
        verb = step.action.key
        return (key.line, key.column) == (verb.line, verb.column) or key in step.action.fields

    def _redact_hidden_entry(self, step: Step) -> MappingNode:
        """The remaining parts of a hidden entry: its verb and its actor."""
        action = step.action
        entry = MappingNode()
        for key, value in action.source.items():
            if key == action.key:
                is_hidden = key in (action.hides or ())
                is_withheld = isinstance(value, ScalarNode) and is_hidden and value.strip()
                entry[key] = value.like(WITHHELD) if is_withheld else self._replace_names(value)  # type: ignore[union-attr]
            elif key == "id" and isinstance(value, ScalarNode):
                entry[key] = value.like(self.new_ids.get(value, WITHHELD))
            elif key == "by":
                entry[key] = self._replace_names(value)
        return set_place(entry, action.source)  # type: ignore[return-value]

    # --- findings -------------------------------------------------------------------------------

    def _public_problem(self, problem: Diagnostic) -> Diagnostic:
        """A problem of the form of a log for readers: its kind and place, without words of the log. For a
        hidden entry, not even the rule."""
        rule = registry().get(problem.code)
        message = f"{rule.title}." if isinstance(rule, Rule) else "Something here cannot be read."
        place = problem.place._replace(path=self._public_path(problem.place.path))
        if self.detector.hides(problem.dropped_words[0] if problem.dropped_words else "") or any(
            first_line <= place.line <= last_line
            for first_line, last_line in self.hidden_line_ranges.get(problem.place.path, ())
        ):
            message = SECRET_MESSAGE
        return replace(
            problem,
            message=message,
            place=place,
            place_label="",
            facts=(),
            declared_fixes=(),
            free_help=(),
            cause=None,
            dependents=[],
        )

    def _leave_out(self, action: Action) -> None:
        """Report to readers that an entry is left out, so that its consequences are folded under the report."""
        existing_problem = next(
            (
                problem
                for problem in self.campaign.diagnostics
                if problem.place.path == action.path
                and action.source.line <= problem.place.line <= action.source.end_line
            ),
            None,
        )
        if existing_problem is not None:
            redacted_problem = self.public_problems[id(existing_problem)]
            redacted_problem.message = SECRET_MESSAGE
        else:
            step_problems = self.step_by_position[_action_position(action)].diagnostics
            kind = step_problems[0].kind if step_problems else DiagnosticKind.UNKNOWN
            place = action.place()._replace(path=self._public_path(action.path))
            redacted_problem = Diagnostic(
                step_problems[0].code if step_problems else "T24",
                kind,
                severity_of(kind, self.campaign.strictness),
                SECRET_MESSAGE,
                place,
                step_problems[0].game if step_problems else "",
            )
            self.public_problems[id(redacted_problem)] = redacted_problem
        self.left_out_places.append(redacted_problem.place)
        redacted_problem.dropped_words = redacted_problem.dropped_words or (str(action.verb),)


def _only_names(value: Value) -> Value:
    """Players without the details of their mappings."""
    if isinstance(value, SequenceNode):
        return set_place(SequenceNode(map(_only_names, value)), value)
    if isinstance(value, MappingNode):
        name_node = value.get(ScalarNode("name"))
        return name_node if name_node is not None else value
    return value


def pseudonyms_of(
    campaign: Campaign, record: Record, recording_names: RecordingNames, game: Game[Any]
) -> Pseudonyms:
    """The pseudonyms of players: every spelling that the log uses for a player, former names, and each word of
    a name that is unique."""
    pseudonym_by_name: dict[str, str] = {}
    names_by_id = {
        subject.id: (subject.name, *subject.aliases) for subject in record.names.all.values()
    }
    reserved_words = reserved_words_of(game)
    for seat, pseudonym in campaign.public_names:
        real_name = str(seat.name)
        name_spellings = [
            real_name,
            *map(str, seat.also_known_as),
            *names_by_id.get(real_name, ()),
            *recording_names.words_meaning(real_name),
        ]
        name_spellings += [
            former_name
            for former_name, current_name in campaign.renamings
            if fold(recording_names.current_name(current_name)) == fold(real_name)
        ]
        other_words = {
            fold(word)
            for other_id, other_names in names_by_id.items()
            if other_id != real_name
            for name in other_names
            for word in _WORD_PATTERN.findall(name)
        }
        name_spellings += [
            word
            for name in name_spellings
            for word in _WORD_PATTERN.findall(name)
            if word[:1].isupper() and len(word) > 1 and fold(word) not in other_words
        ]
        for word in recording_names.missed_words:
            if recording_names.missed_words[word].line and _resembles(word, name_spellings):
                # Readers see a misspelt name as a misspelt pseudonym.
                pseudonym_by_name.setdefault(word, f"{pseudonym}?")
        for name in name_spellings:
            if name == real_name or name not in reserved_words:
                pseudonym_by_name.setdefault(name, pseudonym)
    return Pseudonyms(pseudonym_by_name, reserved_words, str(campaign.settings.language))


def _resembles(word: str, known_words: Iterable[str]) -> bool:
    """Whether a word equals one of the candidates, or is similar enough to be a misspelling."""
    folded_word = word.strip().casefold()
    return any(
        SequenceMatcher(None, folded_word, known_word.casefold()).ratio()
        >= MIN_SUGGESTION_SIMILARITY
        for known_word in known_words
    )


def _action_position(action: Action) -> tuple[str, int, int]:
    return action.path, action.source.line, action.source.column
