"""The log as readers get it: made before anything is replayed for them.

Pages, exports and downloads come from a campaign out of which everything that is held back has been
taken, not from one in which it is passed over: :func:`published` copies what was read and leaves out
the words of hidden entries, the ids of such, comments, whatever nobody could read, and whatever may
hold a secret by mistake (a ``secret:`` that lost its dash, or ended up inside a text). What follows has
nothing to give away.
"""

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
from chronicle.core.common import Reveal, Sealed
from chronicle.core.declare import Action, Context, Misread
from chronicle.core.diagnostic import SUGGESTED, Diagnostic, Finding, listed, severity_of
from chronicle.core.form import registry
from chronicle.core.guise import Guise, copied, placed
from chronicle.core.keepers import (
    KEEPERS_KEYS,
    EntryIndex,
    Reference,
    references,
    resting_on,
)
from chronicle.core.names import Overheard, fold
from chronicle.core.record import Record, Step
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import Rule
from chronicle.core.secrets import reworded, seal_of, well_formed
from chronicle.core.source import Entries, Items, Place, Value, Word, scalars
from chronicle.transcript.decode import Decoder, read_part
from chronicle.transcript.problems import Problems

KEPT: Final = "Something is not right in an entry that is kept secret."
"""All that readers learn of a finding about such an entry."""
WITHHELD: Final = "withheld"
"""What stands in a published log where words are held back."""

_SHARED: Final = frozenset(("by", "under", "allow", "coins"))
"""Options of a hidden entry that say nothing about what it hides."""
_WORD: Final = re.compile(r"[^\W_]+")
_KEY: Final = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?)['\"]?\s*[:：]")
_FIRST_KEY: Final = re.compile(
    r"^[ \t]*(?:-[ \t]+)?([^\W\d_]+(?: [^\W\d_]+)?)[ \t]*:(?:\s|$)", re.M
)


class Wary:
    """Tells what may hide something although it was not written as it should be. A name of somebody or
    something in play is none of its verbs misspelt, however much like one it is."""

    def __init__(self, rules: Rulebook[Any], names: Iterable[str] = ()) -> None:
        verbs = rules.by_verb
        self.hiding = {name: kind for name, kind in verbs.items() if kind.hides is not None}
        self._words = words_of(rules).union(names)
        self._near: dict[str, bool] = {}

    def hides(self, key: str) -> bool:
        """Whether a key is the verb of something hidden, or was evidently meant to be one."""
        folded = key.strip().casefold()
        if folded in self.hiding:
            return True
        if key not in self._near:
            known = not self._words.isdisjoint((key.strip(), folded))
            self._near[key] = not known and _near(folded, self.hiding)
        return self._near[key]

    def reads_so(self, text: str, *, closely: bool = False) -> bool:
        """Whether a line of a text looks like an entry that hides something; ``closely`` also looks
        inside the lines, and for other spellings, because they were put together by guessing."""
        if ":" not in text and "：" not in text:
            return False
        if any(found[1] in self.hiding for found in _FIRST_KEY.finditer(text)):
            return True
        return closely and any(
            found[1].islower() and self.hides(part)
            for found in _KEY.finditer(text)
            for part in (found[1], found[1].rpartition(" ")[2])
        )

    def any_in(self, value: Value) -> bool:
        """Whether anything in a value hides something, or may."""
        if isinstance(value, Word):
            return "\n" in value and self.reads_so(value)
        if isinstance(value, Items):
            return any(self.any_in(item) for item in value)
        return any(
            self.hides(key) or self.any_in(item) or in_clear(key, item)
            for key, item in value.items()
        )


def in_clear(key: str, value: Value) -> bool:
    """Whether something stands in clear where its seal should."""
    return key == Sealed.verb and not (isinstance(value, Word) and well_formed(value))


@cache
def words_of(rules: Rulebook[Any]) -> frozenset[str]:
    """Every word with a meaning of its own in the log of a game: verbs, options, choices."""
    found: set[str] = set()
    todo: list[Any] = []
    for verb, kind in rules.by_verb.items():
        found.add(verb)
        for one in (kind.main, *kind.fields.values()):
            if one is not None:
                found.add(one.name)
                todo.append(one.kind.schema())
    for one in rules.settings.fields.values():
        found.add(one.name)
        todo.append(one.kind.schema())
    found.update(Header.fields)
    found.update(measure for measure in rules.by_measure)
    while todo:
        schema = todo.pop()
        if isinstance(schema, dict):
            found.update(word for word in schema.get("enum", ()) if isinstance(word, str))
            found.update(schema.get("properties", ()))
            todo.extend(schema.values())
    return frozenset(found)


def as_of(campaign: Campaign, session: int, rules: Rulebook[Any]) -> Campaign:
    """The campaign as if no later session had been played: without their transcripts, journal entries,
    notes and pictures, and without what was found in any of these."""

    def then(one: JournalEntry | KeeperNote | Artwork) -> bool:
        return one.session is None or one.session <= session

    sessions = [one for one in campaign.sessions if one.number <= session]
    journal = [one for one in campaign.journal if then(one)]
    notes = [one for one in campaign.notes if then(one)]
    art = [one for one in campaign.art if then(one)]
    kept = {one.path for group in (sessions, journal, notes, art) for one in group}
    dates = [str(one.header.date or "") for one in campaign.sessions if one.number > session]
    if sessions != campaign.sessions and all(map(_day, dates)):
        # What names no session, but was written after the next one.
        journal = [
            one
            for one in journal
            if one.session is not None or not _day(one.date) or one.date < min(dates)
        ]
    every = (campaign.sessions, campaign.journal, campaign.notes, campaign.art)
    later = {one.path for group in every for one in group} - kept
    found = [one for one in campaign.diagnostics if one.place.path not in later]
    made = replace(
        campaign, sessions=sessions, journal=journal, notes=notes, art=art, diagnostics=found
    )
    if sessions != campaign.sessions and campaign.settings.renamed:
        made.settings = _renamed_by_then(made, Wary(rules))
    return made


def _day(text: str) -> bool:
    """Whether a text is a date as dates are sorted."""
    return re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) is not None


def _renamed_by_then(campaign: Campaign, wary: Wary) -> Settings:
    """The settings with those changes of names of which both names are in the logs at hand: nobody can
    tell of the others when they came up."""
    texts = (
        word
        for session in campaign.sessions
        for action in session.actions
        for word in scalars(action.source, wary.hides)
    )
    said = f" {' '.join(_WORD.findall(fold(' '.join(texts))))} "

    def told(name: str) -> bool:
        return f" {' '.join(_WORD.findall(fold(name)))} " in said

    settings = copy(campaign.settings)
    kept = {old: new for old, new in (settings.renamed or {}).items() if told(old) and told(new)}
    settings.renamed = kept
    source = settings.source
    if isinstance(source, Entries):
        inner = source.get(Word("renamed"))
        key = source.key("renamed")
        if isinstance(inner, Entries) and key is not None:
            settings.source = source.without([key])
            if kept:
                pairs = inner.without([old for old in inner if old not in kept])
                settings.source[key] = pairs
    return settings


def needed(
    campaign: Campaign, rules: Rulebook[Any], looked: dict[int, Entries] | None = None
) -> bool:
    """Whether a campaign holds anything that readers may not see as it stands. ``looked``: what was looked
    through before and hides nothing, by the identity of each entry's source; it is what that is afterwards."""
    if campaign.disguised or any(one.finding is Finding.UNREADABLE for one in campaign.diagnostics):
        return True
    wary, known = Wary(rules), {} if looked is None else looked
    clear: dict[int, Entries] = {}
    for session in campaign.sessions:
        if wary.any_in(session.header.source):
            return True
        for action in session.actions:
            source = action.source
            if known.get(id(source)) is not source and wary.any_in(source):
                return True
            clear[id(source)] = source
    if looked is not None:
        looked.clear()
        looked.update(clear)
    return False


class _Held(Exception):
    """An entry is left out as a whole, because it may hold a secret by mistake."""


def published(record: Record, rules: Rulebook[Any], guise: Guise | None = None) -> Campaign:
    """The campaign of a record without what the record holds back, to be replayed for readers."""
    return _Publisher(record, rules, guise if guise is not None else Guise()).made()


class _Publisher:
    def __init__(self, record: Record, rules: Rulebook[Any], guise: Guise) -> None:
        self.record = record
        self.campaign = record.campaign
        known = record.names.all.values()
        self.wary = Wary(rules, (word for one in known for word in (one.name, *one.aliases)))
        self.decoder = Decoder(rules.by_verb, prune=True)
        self.names = bool(guise)
        """Whether anybody is published under another name."""
        self.steps: dict[tuple[str, int, int], Step] = {}
        self.ids: dict[str, str] = {}
        self.hidden: dict[str, list[tuple[int, int]]] = {}
        for step in record.steps:
            self.steps.setdefault(_where(step.action), step)
            if step.hidden:
                lines = (step.action.source.line, step.action.source.end_line)
                self.hidden.setdefault(step.action.path, []).append(lines)
            if step.hidden and step.action.id:
                self.ids.setdefault(str(step.action.id), f"hidden-{len(self.ids) + 1}")
        # In a text an id that is one word with others is as good as never meant: it may be any word.
        self.guise = guise.and_also({id: new for id, new in self.ids.items() if "-" in id})
        self.left_out: list[Place] = []
        self.changed: dict[str, list[int]] = {}
        self.reworded: dict[str, str] = {}
        for step in record.steps if guise else ():
            if isinstance(step.action, Reveal) and step.action.opening is not None:
                old = str(step.action.opening)
                new = reworded(old, guise.text)
                if new != old:
                    self.reworded |= {old: new, seal_of(old): seal_of(new)}
        self.entries = EntryIndex(record)
        self.asked: dict[int, str] = {}
        self.slips: set[int] = set()
        self.lent = {
            id(word)
            for step in record.steps
            if step.hidden and step.action.hides is not None
            for key, value in step.action.source.items()
            if key not in _SHARED
            for word in scalars(value)
        }
        self._look_up(record.asked)
        self.public = {id(one): self._public(one) for one in self.campaign.diagnostics}
        for one in self.campaign.diagnostics:
            made = self.public[id(one)]
            made.cause = self.public.get(id(one.cause))
            if made.cause is not None:
                made.cause.dependents.append(made)

    def _look_up(self, asked: Iterable[Word]) -> None:
        """Which words name a hidden entry, and which were meant to."""
        if not self.ids:
            return
        known = {str(step.action.id) for step in self.record.steps if step.action.id}
        for word in asked:
            new = self.ids.get(word)
            if new is not None:
                self.asked[id(word)] = new
            elif word not in known and _near(word, self.ids):
                self.slips.add(id(word))

    # --- the campaign ---------------------------------------------------------------------------

    def made(self) -> Campaign:
        """The campaign as readers get it."""
        campaign, text = self.campaign, self.guise.text
        settings = self._part(type(campaign.settings), campaign.settings)
        sessions = [self._session(one) for one in campaign.sessions]
        return replace(
            campaign,
            slug=text(campaign.slug),
            settings=settings,
            sessions=sessions,
            path=self._path(campaign.path),
            diagnostics=list(self.public.values()),
            journal=[
                one._replace(
                    slug=text(one.slug),
                    title=(told := self._told(one.path))(one.title),
                    body=told(one.body),
                    author=text(one.author),
                    voice=text(one.voice),
                    about=self._about(one.about),
                    path=self._path(one.path),
                )
                for one in campaign.journal
            ],
            notes=[
                one._replace(
                    slug=text(one.slug),
                    title=(told := self._told(one.path))(one.title),
                    body=told(one.body),
                    about=self._about(one.about),
                    path=self._path(one.path),
                )
                for one in campaign.notes
            ],
            art=[
                one._replace(
                    file=PurePosixPath(text(str(one.file))),
                    lies=one.file,
                    title=(told := self._told(one.path))(one.title),
                    alt=told(one.alt),
                    artist=text(one.artist),
                    licence=text(one.licence),
                    about=self._about(one.about),
                    path=self._path(one.path),
                )
                for one in campaign.art
            ],
            guise=self.guise,
            withheld=frozenset(self.ids),
            remarks=self._remarks(),
            paths={self._path(path): path for path in self._paths() if self._path(path) != path},
        )

    def _paths(self) -> Iterator[str]:
        yield self.campaign.path
        for session in self.campaign.sessions:
            yield from {session.path, *(action.path for action in session.actions)}

    def _word(self, word: Word, path: str) -> Word:
        """A scalar as readers see it; the keeper is told where a text changed."""
        made = self.guise.word(word)
        if made != word and " " in word.strip():
            self.changed.setdefault(path, []).append(word.line)
        return made

    def _told(self, path: str) -> Callable[[str], str]:
        """What makes of the texts of a file what readers see."""

        def text(text: str) -> str:
            made = self.guise.text(text)
            if made != text:
                self.changed.setdefault(path, [])
            return made

        return text

    def _remarks(self) -> list[str]:
        """What the keeper is to know: what is left out, and which texts read otherwise."""
        said = [
            f"{place}: this entry is left out: it may hold a secret by mistake"
            for place in self.left_out
        ]
        where = [
            path + (f" (lines {', '.join(map(str, sorted(set(lines))))})" if lines else "")
            for path, lines in self.changed.items()
        ]
        if where:
            what = [*["names of players"] * self.names, *["ids of what is hidden"] * bool(self.ids)]
            said.append(f"{listed(what)} read otherwise in the texts of {listed(where)}")
        if self.reworded:
            said.append("seals whose openings name a player are made anew for readers")
        return said

    def _path(self, path: str) -> str:
        return self.guise.text(path)

    def _about(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """What a text is about, without entries that are hidden."""
        return tuple(self.guise.text(name) for name in names if not _near(name, self.ids))

    def _part(self, kind: Any, part: Any) -> Any:
        """The settings or the head of a session: only the keys that were read."""
        source = part.source
        kept = Entries()
        for key, value in source.items():
            if isinstance(part, Header):
                if self.wary.any_in(value):
                    continue
                if key in KEEPERS_KEYS:
                    value = copied(value, self._told_by_keepers)
            with suppress(KeyError, Misread):
                part.fields[key].kind.read(value, Context(lambda items: [], []))
                kept[key] = _names_alone(value) if part.fields[key].kind in (SEAT, SEATS) else value
        if isinstance(part, Header):
            kept[Word("session")] = Word(str(part.session))
        tree = self._named(placed(kept, source))
        made = read_part(kind, tree, self.campaign.path, Problems())
        return part if made is None else made

    def _named(self, value: Value) -> Any:
        return copied(value, self.guise.word)

    def _told_by_keepers(self, word: Word) -> Word:
        """A text of the keepers without the sentences that rest on a secret, without digests, and without
        references that lead nowhere for readers."""
        made = str(word)
        for one in reversed(references(word)):
            step = self.entries.find(one.id)
            if step is not None and step.hidden:
                start, end = resting_on(made, one)
                made = made[:start] + made[end:]
                continue
            id = str(step.action.id or "") if step is not None else ""
            # An anchor is made of words of its entry: where readers get others, it is another anchor.
            shown = str(self.guise.word(Word(id))) if id else one.id
            stays = step is not None and (bool(id) or self.guise.text(one.id) == one.id)
            put = str(Reference(shown, "", 0, 0)) if stays else ""
            if put and not references(put):
                put = ""
            made = made[: one.start] + put + made[one.end :]
        return word if made == word else word.like(made)

    def _session(self, session: Session) -> Session:
        header = self._part(Header, session.header)
        actions: list[Action] = []
        for action in session.actions:
            tree = self._entry(action.source, action.path)
            if tree is None:
                self._leave_out(action)
                continue
            path = self._path(action.path)
            made = self.decoder.entries(Items([tree]), path, action.session, Problems())
            for one in made:
                if action.problem is not None:
                    one.problem = self.public.get(id(action.problem))
                actions.append(one)
        return Session(header, actions, self._path(session.path))

    # --- entries --------------------------------------------------------------------------------

    def _entry(self, source: Entries, path: str) -> Entries | None:
        try:
            made = self._value(source, path)
        except _Held:
            return None
        assert isinstance(made, Entries)
        return made

    def _value(self, value: Value, path: str, *, closely: bool = False) -> Value:
        """A copy of a value for readers.

        Raises:
            _Held: when the entry it belongs to may hold a secret by mistake.
        """
        if isinstance(value, Word):
            # A star may repeat what stands in a hidden entry.
            lent = value and id(value) in self.lent
            if lent or id(value) in self.slips or self.wary.reads_so(value, closely=closely):
                raise _Held
            new = self.asked.get(id(value)) or self.reworded.get(value)
            return value.like(new) if new is not None else self._word(value, path)
        if isinstance(value, Items):
            items = Items()
            for item in value:
                try:
                    items.append(self._value(item, path, closely=closely))
                except _Held:
                    if not isinstance(item, Entries):
                        raise
            return placed(items, value)
        step = self.steps.get((path, value.line, value.column))
        if step is not None:
            closely = step.action.problem is not None
            if step.hidden and step.action.hides is not None:
                return self._blank(step)
        made = Entries()
        for key, item in value.items():
            if in_clear(key, item) or (self.wary.hides(key) and not self._in_place(key, step)):
                raise _Held
            made[self._word(key, path)] = self._value(item, path, closely=closely)
        return placed(made, value)

    def _in_place(self, key: Word, step: Step | None) -> bool:
        """Whether a key that hides something stands where one may, and was read."""
        if step is None:
            return False
        verb = step.action.key
        return (key.line, key.column) == (verb.line, verb.column) or key in step.action.fields

    def _blank(self, step: Step) -> Entries:
        """What is left of a hidden entry: that there is one, and whose it is."""
        action = step.action
        made = Entries()
        for key, value in action.source.items():
            if key == action.key:
                hidden = key in (action.hides or ())
                blank = isinstance(value, Word) and hidden and value.strip()
                made[key] = value.like(WITHHELD) if blank else self._named(value)  # type: ignore[union-attr]
            elif key == "id" and isinstance(value, Word):
                made[key] = value.like(self.ids.get(value, WITHHELD))
            elif key == "by":
                made[key] = self._named(value)
        return placed(made, action.source)  # type: ignore[return-value]

    # --- findings -------------------------------------------------------------------------------

    def _public(self, one: Diagnostic) -> Diagnostic:
        """A finding about the form of a log, as readers get it: what kind it is and where, and not a
        word of what stands there. Of an entry that is hidden, not even where."""
        rule = registry().get(one.code)
        message = f"{rule.title}." if isinstance(rule, Rule) else "Something here cannot be read."
        place = one.place._replace(path=self._path(one.place.path))
        if self.wary.hides(one.dropped[0] if one.dropped else "") or any(
            first <= place.line <= last for first, last in self.hidden.get(one.place.path, ())
        ):
            message = KEPT
        return replace(
            one,
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
        """Tell readers that an entry is left out, so that what follows from that is folded under it."""
        found = next(
            (
                one
                for one in self.campaign.diagnostics
                if one.place.path == action.path
                and action.source.line <= one.place.line <= action.source.end_line
            ),
            None,
        )
        if found is not None:
            made = self.public[id(found)]
            made.message = KEPT
        else:
            said = self.steps[_where(action)].diagnostics
            finding = said[0].finding if said else Finding.UNKNOWN
            place = action.place()._replace(path=self._path(action.path))
            made = Diagnostic(
                said[0].code if said else "T24",
                finding,
                severity_of(finding, self.campaign.strictness),
                KEPT,
                place,
                said[0].game if said else "",
            )
            self.public[id(made)] = made
        self.left_out.append(made.place)
        made.dropped = made.dropped or (str(action.verb),)


def _names_alone(value: Value) -> Value:
    """Players without what is said of them besides."""
    if isinstance(value, Items):
        return placed(Items(map(_names_alone, value)), value)
    if isinstance(value, Entries):
        name = value.get(Word("name"))
        return name if name is not None else value
    return value


def guise_of(campaign: Campaign, record: Record, names: Overheard, rules: Rulebook[Any]) -> Guise:
    """How players' names read for readers: every spelling by which the log means somebody, names that
    were given up, and each word of a name that nobody else has."""
    shown: dict[str, str] = {}
    everybody = {named.id: (named.name, *named.aliases) for named in record.names.all.values()}
    known = words_of(rules)
    for seat, new in campaign.disguised:
        own = str(seat.name)
        spelt = [own, *map(str, seat.also_known_as), *everybody.get(own, ()), *names.called(own)]
        spelt += [old for old, now in campaign.renamed if fold(names.now(now)) == fold(own)]
        others = {
            fold(word)
            for id, called in everybody.items()
            if id != own
            for name in called
            for word in _WORD.findall(name)
        }
        spelt += [
            word
            for name in spelt
            for word in _WORD.findall(name)
            if word[:1].isupper() and len(word) > 1 and fold(word) not in others
        ]
        for word in names.missed:
            if names.missed[word].line and _near(word, spelt):
                # Still a slip of the pen, of the name that readers see.
                shown.setdefault(word, f"{new}?")
        for name in spelt:
            if name == own or name not in known:
                shown.setdefault(name, new)
    return Guise(shown, known, str(campaign.settings.language))


def _near(word: str, known: Iterable[str]) -> bool:
    """Whether a word is one of those known, or so like one that it may have been meant to be."""
    folded = word.strip().casefold()
    return any(SequenceMatcher(None, folded, one.casefold()).ratio() >= SUGGESTED for one in known)


def _where(action: Action) -> tuple[str, int, int]:
    return action.path, action.source.line, action.source.column
