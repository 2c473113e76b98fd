"""What a finding says, as edits: the words, keys and entries that its help names, what it says to leave
out, the order it gives, the setting it speaks of, and how YAML was read in spite of it. Nothing is proved here
(:mod:`chronicle.desk.fixes` does that), and nothing is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from chronicle.core.declare import TEXT, UNRECORDED, Field, bare
from chronicle.core.declare import Action as Entry
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.fix import (
    BLANK,
    MISSING,
    NAMES,
    AddItem,
    AddToSettings,
    ChooseReading,
    Fix,
    InsertEntry,
    OrderPairs,
    RemoveEntry,
    RemoveFromSettings,
    ReplaceEntry,
    ReplaceText,
    ReplaceWord,
    SetKey,
    SetPair,
    SetSetting,
    make_fix,
)
from chronicle.core.refused import Refused
from chronicle.core.replay import Replay
from chronicle.core.source import Entries, Items, Place, Value, Word
from chronicle.desk.apply import apply_fix
from chronicle.desk.fit import ANYTHING, Fitting
from chronicle.desk.misspelt import proposed, put_right, typed_at
from chronicle.desk.spans import Spans
from chronicle.transcript.edit import (
    drop_option,
    entry_text,
    insert_entry,
    inside,
    replace_entry,
    rework,
    set_option,
    way_to,
)
from chronicle.transcript.edit_head import add_pair, set_head
from chronicle.transcript.edit_words import replace_words
from chronicle.transcript.find import SETTINGS_FILE
from chronicle.transcript.kinds import declared_under
from chronicle.transcript.one_line import LineError, read_line
from chronicle.transcript.reader import read_text
from chronicle.transcript.reshape import plain
from chronicle.transcript.text_edit import tree_of
from chronicle.transcript.traps import quoted
from chronicle.transcript.yaml_text import plain_data
from chronicle.transcript.yaml_text import write_entry as as_text
from chronicle.words import word as message

T = TypeVar("T")

DECISION: Final = "what somebody has to decide"
"""Among what is never preferred, though it be alone."""
HOLE: Final = 890
"""The rank from which something only says what the record does not have."""
SHAPE: Final = "how it is written"
"""Among what says in another way what stands there: with it, that is held to the rules."""
LAST: Final = 900
"""The rank of what only says that something is missing."""
COSTLY: Final = 160
"""The rank from which something is offered that somebody has to pay for."""
MOST_LISTED: Final = 8
"""How many words a help lists at most of which each is tried."""
MOST_WORDS: Final = 4
"""How many words something without quotation marks has at most that is no sentence."""
FARTHEST: Final = 3
"""How many entries further up or down something may belong."""

_ENTRY = re.compile(r"(?:^|\s|write )- ([a-z][^\n]*?(?:\n[a-z][^\n]*?)*)(?=  |$)")
_PART = re.compile(
    r"(?:^|[\s(])([a-z]+(?: [a-z]+)*?): ?(?! )([^\n]*?)(?=  |$|\n|, or | first\b| comes first| or by)"
)
_GUESS = re.compile(
    r"\.\.\.|\b(?:a|an|the|its?|own|somebody|everybody|what|where|whoever) \w|\bwhy\b|\bfaces\b"
)
_EXAMPLE = "for example"
_JOINED = re.compile(r"(?<!\s)\s{2,}/\s{2,}")
_BETWEEN = re.compile(r",? and (?=\S)|,? or (?=\S)|, | / ")
_LISTED = re.compile(r"(?:^|: |\b(?:are|is) )([^:;]+?)(?:;.*)?$")
_WRITE = re.compile(r"\bwrite (?:'([^']+)'|(-?\w[\w/-]*))(?=$|,| if\b| or\b)")
_RIGHT = re.compile(r"^(.*?)[,;] (?:and )?not (?:by |to |at )?('[^']+'|[\w'+-]+)")
_TOLD = re.compile(r"'([^']+)'|(?<![\w.])(-?\d+)(?![\w.])|\b([A-Z]\w*)")
_AT_MOST = re.compile(r"\bat most (\d+)\b|\bthere (?:is|are) (\d+)\b|\bhas (\d+)\b|\bholds (\d+)\b")
_FOUND = re.compile(r"found '([^']+)'")
_OUT = re.compile(r"\b(?:leave|take)\b[^;:.]*?\bout\b|\bdo without\b|\btake (?:it|them) out\b")
_TAKEN_OUT = re.compile(r"\btake (\S+(?: \S+)?) out of +'?([a-z]+):?'?")
_KEY_NAMED = re.compile(r"'([a-z][a-z ]*?):?'|\btake out ([a-z]+)\b")
_DICE_OPEN = re.compile(r"\b(?:the (?:faces?|dice)|(?:\d+ )?faces)\b")
_NAMED_HOLE = re.compile(r"(?<!- )\bgap:(?!.*\{)")
_WHO = re.compile(r"(?:\{|, )([A-Z]\w*)(?=: )")
_OWN_ID = re.compile(r"\b(?:an|another) id\b(?! where)")
_ONE_OF_THEM = re.compile(r"\b(?:choose|keep|one side|only one)\b")
_ALLOWED = re.compile(
    r"(?:if (?P<first>[^,:]+), )?'?allow: \{(?P<code>\w[\w.]*): [^}]*\}'?\)?(?: if (?P<last>.+))?"
)
_UNROLLED = re.compile(r"\bno dice\b|\bnot roll|\bnone is rolled\b|\bnot rolled\b")
_ORDER = re.compile(r"\border(?: is)?:? (\w[^;:]*)$")
_TURNED = re.compile(r"\b(?:first|before|after|belongs?|move|later|beginning)\b")
_SETTING = re.compile(r"(?:^|\s)([a-z]+(?: [a-z]+)*): ([^:]+?)\s+(?:to|in) campaign\.yaml")
_RULING = re.compile(r"(?:rulings: \{|the ruling  )([a-z_ ]+): ([\w -]+?)(?:\}|  |$)")
_ADD_ON = re.compile(r"\badd ons: \[([^\]]+)\]|\badopt '([^']+)'")
_FRAGMENT = re.compile(r"(?:^|(?<!\s)\s{2,}|write )([\[{'\"].*)$")


class Proposal(NamedTuple):
    """A way to mend something: what a reader is told, and the text that a file would have."""

    title: Spans
    text: str
    rank: int = 0
    """What is told before what, where both settle it: what the finding says itself, what was forgotten,
    who else it was, what costs something, and last that something is missing."""
    file: str = ""
    """The file it is about, where that is another one than that of the finding."""
    forgotten: str = ""
    """What a table writes without a word, and has forgotten."""
    among: str = ""
    """What it is one of several of: if more than one settles it, nobody can say which it was."""


class Written(NamedTuple):
    """An entry as it stands in a file, whether or not it could be read: its verb, what that takes as its value
    and by its keys, and what is written."""

    verb: str
    main: Field | None
    fields: Mapping[str, Field]
    source: Entries


class Advice:
    """What the findings of one file say, which holds ``text``, beside ``settings`` of the campaign; ``used``
    says how often a verb is written."""

    def __init__(
        self,
        file: str,
        text: str,
        settings: str,
        verbs: Mapping[str, type[Entry]],
        used: Callable[[str], int],
    ) -> None:
        self.file, self.text, self.settings = file, text, settings
        self.verbs, self._used = verbs, used

    @cached_property
    def _tree(self) -> Entries | None:
        """What the file holds; None where it cannot be read without a mistake."""
        return safely(tree_of, self.text, self.file)

    @property
    def _log(self) -> Items:
        """Its entries."""
        log = self._tree.get(Word("log")) if self._tree is not None else None
        return log if isinstance(log, Items) else Items()

    def entry(self, index: int) -> Written | None:
        """The entry of an index; None where it has no verb."""
        there = self._log[index] if index < len(self._log) else None
        keys = there if isinstance(there, Entries) else ()
        verb = next((self.verbs[str(key)] for key in keys if str(key) in self.verbs), None)
        if verb is None or not isinstance(there, Entries):
            return None
        return Written(verb.verb, verb.main, verb.fields, there)

    # -- what the rule says as data ---------------------------------------------------------------------

    def from_fixes(
        self, one: Diagnostic, action: Written | None = None, replay: Replay[Any] | None = None
    ) -> Iterator[Proposal]:
        """The fixes that a diagnostic carries, applied. Where one leaves open a word, each that fits is tried
        (as far as the entry and the moment before it are known), and that it is unrecorded."""
        prices = {o.verb: o.price for o in replay.rulebook.options(replay.play)} if replay else {}
        for fix in one.fixes:
            for choice in (*self._choices(fix, action, replay), fix):
                applied = apply_fix(choice, self.text_of, self.verbs, self.file)
                if applied is not None:
                    rank, among = self._order(choice, prices)
                    file = applied.file if applied.file != self.file else ""
                    forgotten = _forgotten(choice)
                    yield Proposal(titled(choice), applied.text, rank, file, forgotten, among)

    def _choices(
        self, fix: Fix, action: Written | None, replay: Replay[Any] | None
    ) -> Iterator[Fix]:
        """The fix with each word in place of the one that it leaves open, if it leaves open only one."""
        words: list[str] = []
        match fix.edits:
            case (SetKey(key, value),) if value == BLANK and action is not None:
                by = str(action.source.get(Word("by"), ""))
                words = _fitting(replay, action.verb, key, by)
            case (InsertEntry(text),) if text.endswith(f": {BLANK}") and "\n" not in text:
                verb = text.removesuffix(f": {BLANK}")
                words = _fitting(replay, verb, verb)
                if replay is not None and verb in self.verbs:
                    for entry in _whole(replay, self.verbs[verb]):
                        yield make_fix(InsertEntry(entry, fix.edits[0].place))
        for word in words:
            yield fix.with_blanks(word)._replace(is_open=False)

    def text_of(self, file: str) -> str:
        """The text of a file that a fix may change: this one, or the settings.

        Raises:
            LookupError: for any other file.
        """
        texts = {SETTINGS_FILE: self.settings, self.file: self.text}
        return texts[file]

    def _order(self, fix: Fix, prices: Mapping[str, Any]) -> tuple[int, str]:
        """The rank of a fix, and what it is one of several of; entries of some verbs have ``prices``."""
        first = fix.edits[0]
        if fix.is_open or fix.is_gap:
            return HOLE, DECISION
        match first:
            case InsertEntry(text):
                verb = text.partition(":")[0]
                price = prices.get(verb)
                rank = 100 - min(self._used(verb), 90) + (COSTLY if price and price[0] else 0)
                if UNRECORDED in text:
                    return HOLE, DECISION
                return rank, "" if fix.safe else "who or which"
            case ReplaceText() | ReplaceEntry():
                return 0, SHAPE
            case ReplaceWord() | SetKey() | SetPair() | AddItem() | OrderPairs():
                # Under a condition, only somebody who was there can say.
                return 0, "" if fix.safe else DECISION if fix.when else "which of them"
            case RemoveEntry():
                return 150, DECISION
            case AddToSettings() | RemoveFromSettings() | SetSetting() | ChooseReading():
                return 300, DECISION
        return 10, "" if fix.safe else DECISION

    # -- what cannot be read ---------------------------------------------------------------------------

    def as_it_should_be(self, one: Diagnostic) -> Iterator[Proposal]:
        """What the help of a game shows as it should be written in the place of what cannot be read."""
        if one.place.path == self.file and one.finding is Finding.UNREADABLE:
            yield from self._fragments(one)

    def _fragments(self, one: Diagnostic) -> Iterator[Proposal]:
        written = self._written(one.place)
        for said in one.free_help:
            found = _FRAGMENT.search(said)
            ways = [found[1], found[1][1:-1]] if found is not None else []
            if said.startswith("put the sentence in quotes"):
                bare_words = re.sub(r"^[\[{]\s*|(?<!\s)\s*[\]}]$", "", written)
                ways = [quoted(bare_words), quoted(written)]
            for way in ways:
                if written and way and way != written:
                    changed = self._over(one.place, way)
                    yield Proposal(["Write ", code(way)], changed, among=SHAPE)

    def _written(self, place: Place) -> str:
        """What stands in a place of one line."""
        rows = self.text.splitlines()
        if place.line != place.end_line or not 0 < place.line <= len(rows):
            return ""
        return rows[place.line - 1][place.column - 1 : place.end_column - 1]

    def _over(self, place: Place, words: str) -> str:
        rows = self.text.splitlines(keepends=True)
        row = rows[place.line - 1]
        rows[place.line - 1] = row[: place.column - 1] + words + row[place.end_column - 1 :]
        return "".join(rows)

    # -- another word --------------------------------------------------------------------------------

    def words(self, one: Diagnostic) -> Iterator[Proposal]:
        """The words that a finding of a game asks about (``did you mean 'Petra'?``), where it points."""
        typed = typed_at(self.text, one.place) if one.place.path == self.file else ""
        for word in proposed(one):
            right = put_right(one, typed, word)
            yield from self._replaced(one.place, right, ["Write ", code(right)])

    def instead(self, one: Diagnostic) -> Iterator[Proposal]:
        """What the finding says to write in its place, and what its help lists."""
        places = self._places(one.place)
        for place, typed in places:
            for word in self._instead(one, typed):
                yield from self._replaced(place, word, ["Write ", code(word)], "instead")
            if any("another name" in said for said in one.free_help):
                word = f"{typed} 2"
                yield from self._replaced(place, word, ["Write ", code(word)], DECISION)
        for word in self._listed(one):
            for place, typed in places[: 1 + (places[0][1] in self.verbs)] if places else ():
                if word and word != typed and typed not in self.verbs:
                    yield from self._replaced(place, word, ["Write ", code(word)], "listed")

    def _places(self, place: Place) -> list[tuple[Place, str]]:
        """What is written in a place, and if that is a key, what stands behind it as well."""
        tree = self._tree if place.path == self.file else None
        found = way_to(tree, place.line, place.column) if tree is not None else None
        if tree is None or found is None or not found[0]:
            return []
        route, is_key = found
        there = [*_words_in(inside(tree, route))]
        if is_key:
            there.insert(0, inside(tree, route[:-1]).key(str(route[-1])))
        return [
            (Place(self.file, one.line, one.column, one.end_line, one.end_column), str(one))
            for one in there
        ]

    def _instead(self, one: Diagnostic, typed: str) -> Iterator[str]:
        """What a finding says to write, or to be so, instead of what is typed."""
        wrong = _FOUND.search(one.message)
        for said in one.free_help:
            if _OWN_ID.search(said):
                yield f"{typed}-2"
            for match in _WRITE.finditer(said):
                word = match[1] or match[2]
                if wrong is not None and wrong[1] != typed and wrong[1] in typed:
                    yield typed.replace(wrong[1], word)
                yield word
        right = _RIGHT.search(one.message)
        told = right[2].strip("'") if right is not None else ""
        if right is not None and re.search(rf"(?<!\w){re.escape(told)}(?!\w)", typed):
            for match in reversed([*_TOLD.finditer(right[1])]):
                word = match[1] or match[2] or match[3]
                if word.lstrip("-").isdigit() == told.lstrip("-+").isdigit():
                    yield _with_word(typed, told, word)
        if typed.isdigit():
            for said in (*one.free_help, one.message):
                for match in _AT_MOST.finditer(said):
                    yield next(filter(None, match.groups()))

    def others(self, one: Diagnostic, action: Written) -> Iterator[Proposal]:
        """Another of the few words that the game has, where a finding points at one of them."""
        for place, typed in self._places(one.place):
            for field in (action.main, *action.fields.values()):
                words = _few(field.kind.schema()) if field is not None else []
                for word in words if typed in words else ():
                    yield from self._replaced(place, word, ["Write ", code(word)], DECISION)

    def _listed(self, one: Diagnostic) -> Iterator[str]:
        """The words that a help lists."""
        for said in one.free_help:
            fragment = re.search(r" {2,}([^:{}\[\]]+)$", said)
            if fragment is not None and len(fragment[1].split()) <= MOST_WORDS:
                yield fragment[1]
            found = _LISTED.search(said)
            items = _BETWEEN.split(found[1]) if found is not None and "  " not in said else []
            if len(items) <= MOST_LISTED:
                for item in items:
                    word = re.sub(r"(?<!\s)\s*\([^()]*\)$", "", item).strip().strip("'")
                    if word and (word != item or len(word.split()) <= MOST_WORDS):
                        yield word if not _GUESS.search(word) else ""

    def _replaced(
        self, place: Place, word: str, title: Spans, among: str = ""
    ) -> Iterator[Proposal]:
        if place.path == self.file:
            wanted = {(place.line, place.column): word}
            changed = safely(replace_words, self.text, self.file, wanted)
            if changed is not None:
                yield Proposal(title, changed, among=among)

    # -- keys and entries ----------------------------------------------------------------------------

    def from_help(
        self, one: Diagnostic, index: int, action: Written, replay: Replay[Any] | None
    ) -> Iterator[Proposal]:
        """The keys and entries that a help names, what it says to leave out, and the order it gives."""
        prices = {o.verb: o.price for o in replay.rulebook.options(replay.play)} if replay else {}
        for said in one.free_help:
            if said.startswith(_EXAMPLE):
                continue
            line = _JOINED.sub("\n", said)
            if _OUT.search(line) or "twice" in one.message:
                yield from self._left_out(one, line, index, action)
            if _ONE_OF_THEM.search(line):
                yield from self._thinned(one.place, index)
            order = _ORDER.search(line)
            if order is not None:
                yield from self._in_order(one.place, index, _BETWEEN.split(order[1]))
            for match in _ENTRY.finditer(line):
                entry = match[1].strip()
                price = prices.get(entry.partition(":")[0])
                costly = bool(price and price[0]) or "Coin)" in line
                for whole in self._filled(entry, one.message, replay):
                    yield from self.above(index, whole, costly=costly)
                    if " first" not in line:
                        yield from self._instead_of(index, action, whole)
            yield from self._parts(one, line, index, action, replay)
            if _NAMED_HOLE.search(line):
                yield from self.above(index, MISSING)
            for allowed in _ALLOWED.finditer(line):
                why = allowed["first"] or allowed["last"] or "agreed at the table"
                told = {"allow": f"{{{allowed['code']}: {why.strip()}}}"}
                yield from self._set(index, [], told, 310, DECISION)

    def pieces(self, one: Diagnostic, index: int, action: Written) -> Iterator[Proposal]:
        """An entry without the piece that its finding points at: what is only checked, and what cannot be
        there; or with dice that are unrecorded of whoever has to roll."""
        route = self._route(one.place, index)
        key = str(route[0]) if route else ""
        field = action.fields.get(key)
        if field is not None and field.checked:
            yield from self._without(index, action, key)
        there = action.source.get(Word(action.verb))
        if isinstance(there, Entries) and _UNROLLED.search(one.message):
            for match in _TOLD.finditer(one.message):
                if match[3] and match[3] not in map(str, there):
                    pair = {match[3]: UNRECORDED}
                    yield from self._set(index, [action.verb], pair, HOLE, DECISION)
        at_key = (one.place.line, one.place.column) in {(k.line, k.column) for k in action.source}
        if route is not None and (one.game or not at_key):
            yield from self._unknown(index, action, route)
        if route is not None and len(route) > 1:
            yield from self._piece_out(index, action, route, 120)

    def _unknown(self, index: int, action: Written, route: list[int | str]) -> Iterator[Proposal]:
        """An entry in which that is unrecorded which its finding points at, where it may be."""
        key = str(route[0])
        field = action.main if key == action.verb else action.fields.get(key)
        kind, told = (field.kind, field.doc) if field is not None else (None, "")
        for at, step in enumerate(route, 1):
            kind = declared_under(kind, str(step), bare) if at > 1 else kind
            told += kind.words if kind is not None else ""
            if UNRECORDED in told:
                yield from self._set(
                    index, route[: at - 1], {str(step): UNRECORDED}, HOLE, DECISION
                )

    def _piece_out(
        self, index: int, action: Written, route: list[int | str], rank: int = 10
    ) -> Iterator[Proposal]:
        """An entry without an item of a list or a pair of a mapping."""
        *outer, last = route

        def change(entry: Any) -> None:
            del inside(entry, outer)[last]

        told: Any = inside(action.source, outer)
        word = str(last) if isinstance(last, str) else str(told[last])
        among = "" if rank == 10 else DECISION
        yield from self._reworked(index, change, ["Leave out ", code(word)], rank, among)

    def _filled(self, entry: str, message: str, replay: Replay[Any] | None) -> Iterator[str]:
        """An entry that a help gives. Of what it leaves open dice and sentences may be unrecorded, and of a
        few words that the game has each may be meant."""
        entry = _DICE_OPEN.sub("...", entry)
        verb = self.verbs.get(entry.partition(":")[0])
        field = verb.main if verb is not None else None
        if "..." not in entry:
            yield entry
            if entry.endswith(":") and verb is not None and replay is not None:
                yield from _whole(replay, verb)
            if entry.endswith(":") and field is not None and bare(field.kind).naming():
                yield from (f"{entry} {match[3]}" for match in _TOLD.finditer(message) if match[3])
            return
        words = _few(field.kind.schema()) if field is not None else []
        known = " ".join((message, self.text, self.settings))
        whose = _WHO.findall(entry)
        if any(f"{name.casefold()}:" not in self.settings and name not in known for name in whose):
            return
        for word in (UNRECORDED, *words):
            yield entry.replace("...", word)

    def _instead_of(self, index: int, action: Written, entry: str) -> Iterator[Proposal]:
        """Another entry in place of one, with what every entry may have."""
        if entry.startswith("gap:") or UNRECORDED in entry:
            # What was written down stays.
            return
        kept = {
            str(key): plain_data(value)
            for key, value in action.source.items()
            if str(key) in Entry.fields and not re.search(rf"(?m)^{key}:", entry)
        }
        whole = "\n".join(part for part in (entry, as_text(kept) if kept else "") if part)
        changed = safely(replace_entry, self.text, self.file, index, whole)
        if changed is not None:
            told = entry.split("\n")[0]
            yield Proposal(["Write ", code(told), " instead"], changed, 130, among=DECISION)

    def _parts(
        self, one: Diagnostic, line: str, index: int, action: Written, replay: Replay[Any] | None
    ) -> Iterator[Proposal]:
        parts = [
            (part[1].strip(), _closed(part[2].strip().rstrip(".,;")))
            for part in _PART.finditer(line)
        ]
        whole = dict(parts)
        if action.verb in whole and len(whole) > 1 and not any(map(_GUESS.search, whole.values())):
            yield from self._set(index, [], whole)
        for name, value in parts:
            field = action.main if name == action.verb else action.fields.get(name)
            if field is not None:
                # What somebody has to say nobody can say for them.
                if _GUESS.search(value):
                    by = str(action.source.get(Word("by"), ""))
                    few = _fitting(replay, action.verb, name, by)
                    own = self._own_words(action, name) if "one of" in value else ()
                    for word in dict.fromkeys((*few, *own)):
                        yield from self._with(index, action, name, word, "who or which")
                elif (
                    bare(field.kind) is not TEXT
                    or name == action.verb
                    or value in map(str, action.source.values())
                ):
                    apart = _BETWEEN.split(value) if value[:1] not in "[{" else []
                    for word in dict.fromkeys((value, *apart)) if value else ():
                        yield from self._with(index, action, name, word, "which of them")
                        yield from self._other_key(one, index, action, name, word)
            elif (
                name in self.verbs
                and name != "gap"
                and "..." not in value
                and _GUESS.search(_DICE_OPEN.sub("", value))
            ):
                unsaid = [UNRECORDED] if _may_be_unsaid(self.verbs[name].main) else []
                for word in (*_fitting(replay, name, name), *unsaid):
                    yield from self.above(index, f"{name}: {word}", among="who or which")
            elif name in self.verbs:
                for entry in dict.fromkeys(
                    ("\n".join(f"{k}: {v}".strip() for k, v in parts), f"{name}: {value}".strip())
                ):
                    for filled in self._filled(entry, one.message, replay):
                        yield from self.above(index, filled)
                        yield from self._instead_of(index, action, filled)
            elif not _GUESS.search(value):
                yield from self._within(one, name, value, index)
                yield from self._further_up(name, value, index)
        yield from self._unsaid(index, action, whole)

    def _other_key(
        self, one: Diagnostic, index: int, action: Written, key: str, value: str
    ) -> Iterator[Proposal]:
        """A key in place of the one that a finding points at."""
        route = self._route(one.place, index)
        old = str(route[0]) if route else action.verb
        if old in (action.verb, key) or key in map(str, action.source):
            return
        new = _value(value)

        def instead(entry: Any) -> None:
            del entry[old]
            entry[key] = new

        if new is not None:
            title: Spans = ["Write ", code(f"{key}: {value}"), " instead of ", code(f"{old}:")]
            yield from self._reworked(index, instead, title, 20)

    def _further_up(self, key: str, value: str, index: int) -> Iterator[Proposal]:
        """A key of the last entry above that may have it."""
        for at in range(min(index, len(self._log)) - 1, -1, -1):
            entry = self._log[at]
            verbs = (
                [self.verbs.get(str(name)) for name in entry] if isinstance(entry, Entries) else []
            )
            verb = next((one for one in verbs if one is not None), None)
            if verb is None or key not in verb.fields:
                continue
            assert isinstance(entry, Entries)
            if value[:1] in "[{":
                yield from self._set(at, [], {key: value}, 30, DECISION)
                return
            changed = safely(set_option, self.text, self.file, entry, key, value)
            if changed is not None:
                title: Spans = ["Add ", code(f"{key}: {value}"), f" to line {entry.line}"]
                yield Proposal(title, changed, 30, among=DECISION)
            return

    def _with(
        self, index: int, action: Written, key: str, value: str, among: str
    ) -> Iterator[Proposal]:
        """An entry with a key more, or with another value."""
        told = code(f"{key}: {value}")
        title: Spans = ["Write ", told] if key in map(str, action.source) else ["Add ", told]
        if UNRECORDED in value:
            if action.source.get(Word(key)) in (None, ""):
                # What was written down stays.
                yield from self._set(index, [], {key: value}, HOLE, DECISION)
            return
        if value[:1] in "[{":
            yield from self._set(index, [], {key: value})
            return
        changed = safely(set_option, self.text, self.file, action.source, key, value)
        if changed is not None:
            yield Proposal(title, changed, among=among)

    def _unsaid(self, index: int, action: Written, told: Mapping[str, str]) -> Iterator[Proposal]:
        """An entry that says of some keys, of each alone and of all, that nobody wrote down what they
        hold, where it does not say it: a sentence that the table has to find, somebody it has to name. In
        what is ``told`` of them they may have several places."""
        open_: dict[str, str] = {}
        for key, value in told.items():
            field = action.main if key == action.verb else action.fields.get(key)
            there = action.source.get(Word(key))
            new = key == action.verb and not _may_be_unsaid(field)
            if field is not None and there in (None, "") and not new:
                several = value[:1] in ("[", "{") and "..." in value
                open_[key] = value.replace("...", UNRECORDED) if several else UNRECORDED
        for some in ([*open_], *([key] for key in open_ if len(open_) > 1)):
            if some:
                pairs = {key: open_[key] for key in some}
                yield from self._set(index, [], pairs, HOLE, DECISION)

    def lacking(
        self, index: int, action: Written, replay: Replay[Any] | None
    ) -> Iterator[Proposal]:
        """An entry with a key that its verb asks for and that it has not."""
        for key, field in action.fields.items():
            if field.required and key not in map(str, action.source):
                for word in _fitting(replay, action.verb, key):
                    yield from self._with(index, action, key, word, "who or which")
                yield from self._unsaid(index, action, {key: ""})

    def _own_words(self, action: Written, but: str) -> Iterator[str]:
        """The words that an entry has under its other keys, if they are few."""
        others = (value for key, value in action.source.items() if str(key) not in (but, "by"))
        found = dict.fromkeys(str(word) for value in others for word in _words_in(value))
        yield from [*found][: 2 * MOST_LISTED]

    def _set(
        self,
        index: int,
        route: Sequence[int | str],
        pairs: dict[str, str],
        rank: int = 0,
        among: str = "",
    ) -> Iterator[Proposal]:
        """The pairs of a mapping set within an entry."""
        values = {key: _value(text) for key, text in pairs.items()}
        if None in values.values():
            return

        def change(entry: Any) -> None:
            inside(entry, route).update(values)

        told = ", ".join(f"{key}: {text}" for key, text in pairs.items())
        title: Spans = ["Write ", code(told)]
        if pairs == {"by": UNRECORDED}:
            title = [message("server.nobody_noted_who")]
        yield from self._reworked(index, change, title, rank, among)

    def _within(self, one: Diagnostic, key: str, value: str, index: int) -> Iterator[Proposal]:
        """A pair inside the mapping that a finding points into, in place of that which stands there or
        beside it."""
        route = self._route(one.place, index)
        there = inside(self._log[index], route) if route else None
        if route and isinstance(there, Entries):
            yield from self._set(index, route, {key: value})
        if route is None or len(route) < 2 or not isinstance(route[-1], str):
            return
        *outer, last = route
        new = _value(value)
        if new is None:
            return

        def instead(entry: Any) -> None:
            pairs = inside(entry, outer)
            del pairs[last]
            pairs[key] = new

        yield from self._reworked(index, instead, ["Write ", code(f"{key}: {value}")])
        yield from self._set(index, outer, {key: value})

    def _route(self, place: Place, index: int) -> list[int | str] | None:
        """How a place is reached within an entry."""
        if place.path != self.file or index >= len(self._log):
            return None
        found = way_to(self._log[index], place.line, place.column)
        return found[0] if found is not None else None

    def _reworked(
        self,
        index: int,
        change: Callable[[Any], None],
        title: Spans,
        rank: int = 0,
        among: str = "",
    ) -> Iterator[Proposal]:
        try:
            changed = rework(self.text, self.file, index, change)
        except (Refused, LookupError, TypeError, AttributeError):
            return
        yield Proposal(title, changed, rank, among=among)

    def above(
        self, index: int, entry: str, *, costly: bool = False, among: str = ""
    ) -> Iterator[Proposal]:
        """An entry above another one."""
        if "..." in entry:
            return
        changed = safely(insert_entry, self.text, self.file, entry, index)
        if changed is not None:
            first = entry.split("\n")[0]
            verb = first.partition(":")[0]
            # What a table writes all the time is what it forgets.
            rank = 100 - min(self._used(verb), 90) + (COSTLY if costly else 0)
            title: Spans = ["Insert ", code(first), " above"]
            rank = LAST if verb == "gap" else HOLE if UNRECORDED in entry else rank
            forgotten = entry if entry == f"{verb}:" else ""
            yield Proposal(title, changed, rank, forgotten=forgotten, among=among)

    # -- less, or in another order -------------------------------------------------------------------

    def _left_out(
        self, one: Diagnostic, said: str, index: int, action: Written
    ) -> Iterator[Proposal]:
        """An entry without what its finding points at, and without what the help names."""
        for match in _KEY_NAMED.finditer(said):
            name = match[1] or match[2]
            yield from self._without(index, action, name)
        route = self._route(one.place, index)
        while route:
            *outer, last = route
            if len(route) == 1:
                yield from self._without(index, action, str(last))
                break

            yield from self._piece_out(index, action, route)
            route = outer
        if re.search(r"\b(?:it|entry|without)\b", said) and not said.startswith("leave '"):
            changed = safely(replace_entry, self.text, self.file, index, None)
            if changed is not None:
                yield Proposal(["Leave this entry out"], changed, 150, among=DECISION)

    def _without(self, index: int, action: Written, key: str) -> Iterator[Proposal]:
        if key in map(str, action.source) and key != action.verb:
            changed = safely(drop_option, self.text, self.file, index, key)
            if changed is not None:
                yield Proposal(["Leave out ", code(f"{key}:")], changed)

    def _thinned(self, place: Place, index: int) -> Iterator[Proposal]:
        """One of several that stand in a place, each in turn."""
        route = self._route(place, index)
        if route is None:
            return
        there = inside(self._log[index], route)
        several = isinstance(there, (Items, Entries)) and 1 < len(there) <= MOST_LISTED
        for at, kept in enumerate(there if several else ()):
            if isinstance(kept, Word):

                def change(entry: Any, at: int = at) -> None:
                    all_ = inside(entry, route)
                    for other in reversed(range(len(all_))):
                        if other != at:
                            del all_[other if isinstance(all_, list) else [*all_][other]]

                title: Spans = ["Write ", code(str(kept)), " alone"]
                yield from self._reworked(index, change, title, among="which of them")

    def _in_order(self, place: Place, index: int, names: list[str]) -> Iterator[Proposal]:
        """The pairs around a place in the order that the help gives."""
        order = [name.strip() for name in names]
        route = self._route(place, index)
        while route:
            *route, _ = route
            outer = list(route)

            def change(entry: Any, outer: list[int | str] = outer) -> None:
                pairs = inside(entry, outer)
                for name in [one for one in order if one in pairs]:
                    value = pairs[name]
                    del pairs[name]
                    pairs[name] = value

            title: Spans = ["Write them in the order ", code(", ".join(order))]
            yield from self._reworked(index, change, title)

    def moved(self, one: Diagnostic, index: int) -> Iterator[Proposal]:
        """An entry a little further up or down, where what comes first is spoken of."""
        if not _TURNED.search(" ".join((one.message, *one.free_help))):
            return
        entry = safely(entry_text, self.text, self.file, index)
        rest = safely(replace_entry, self.text, self.file, index, None)
        if entry is None or rest is None:
            return
        for steps in range(1, FARTHEST + 1):
            for to in (index - steps, index + steps):
                changed = (
                    safely(insert_entry, rest, self.file, entry, to)
                    if 0 <= to < len(self._log)
                    else None
                )
                if changed is not None:
                    where = "above" if to < index else "below"
                    title: Spans = [f"Move this entry {where} line {self._log[to].line}"]
                    yield Proposal(title, changed, 140, among=DECISION)

    def _out_of_a_head(self, one: Diagnostic, said: str) -> Iterator[Proposal]:
        """A list of a head, of the session's or of the settings, without what the finding points at or
        the help names."""
        named = _TAKEN_OUT.search(said)
        file, text = (SETTINGS_FILE, self.settings) if named else (self.file, self.text)
        tree = safely(tree_of, text, file)
        if tree is None:
            return
        if named:
            key, words = named[2], {named[1]}
        else:
            found = way_to(tree, one.place.line, one.place.column)
            key, words = (str(found[0][0]), set[str]()) if found and found[0] else ("", set[str]())
            if len(found[0] if found else ()) == 2 and key != "log":
                words = {str(inside(tree, found[0] if found else []))}
        there = tree.get(Word(key))
        if isinstance(there, Items) and words & {*map(str, there)}:
            kept = [str(word) for word in there if str(word) not in words]
            changed = safely(set_head, text, file, key, kept)
            if changed is not None:
                title: Spans = ["Leave ", code(*words), " out of ", code(f"{key}:")]
                yield Proposal(title, changed, 300, file, among=DECISION)

    # -- settings ------------------------------------------------------------------------------------

    def decided(self, one: Diagnostic) -> Iterator[Proposal]:
        """What a help says of the settings, and of the head of a session."""
        for said in one.free_help:
            if _OUT.search(said):
                yield from self._out_of_a_head(one, said)
            for match in _RULING.finditer(said):
                told = f"rulings: {{{match[1]}: {match[2]}}}"
                yield from self._in_settings(told, self._ruling(match[1], match[2]))
            for match in _ADD_ON.finditer(said):
                name = match[1] or match[2]
                yield from self._in_settings(f"add ons: [{name}]", self._listing("add ons", [name]))
            match_ = _SETTING.search(said)
            if match_ is not None and not _GUESS.search(match_[2]):
                key, value = match_[1], match_[2].strip()
                value_ = value.strip("[]").split(", ")
                changed = self._listing(key, value_) if value[0] == "[" else self._head(key, value)
                yield from self._in_settings(f"{key}: {value}", changed)

    def _ruling(self, key: str, reading: str) -> str | None:
        """The settings with another reading of a point."""
        tree = safely(tree_of, self.settings, SETTINGS_FILE)
        there = tree.get(Word("rulings")) if tree is not None else None
        old = there.get(Word(key)) if isinstance(there, Entries) else None
        if isinstance(old, Word):
            place = {(old.line, old.column): reading}
            return safely(replace_words, self.settings, SETTINGS_FILE, place)
        return safely(add_pair, self.settings, SETTINGS_FILE, "rulings", key, reading)

    def _listing(self, key: str, more: list[str]) -> str | None:
        """The settings with some words more in a list."""
        tree = safely(tree_of, self.settings, SETTINGS_FILE)
        there = tree.get(Word(key)) if tree is not None else None
        if isinstance(there, Entries):
            return None
        words = [there] if isinstance(there, Word) and there else there or []
        return self._head(key, [*map(str, words), *more])

    def _head(self, key: str, value: str | list[str]) -> str | None:
        tree = safely(tree_of, self.settings, SETTINGS_FILE)
        if tree is not None and tree.key(key) is not None:
            return safely(set_head, self.settings, SETTINGS_FILE, key, value)
        end = "" if self.settings.endswith("\n") else "\n"
        told = value if isinstance(value, str) else f"[{', '.join(value)}]"
        return f"{self.settings}{end}{key}: {told}\n"

    def _in_settings(self, told: str, changed: str | None) -> Iterator[Proposal]:
        if changed is not None:
            title: Spans = ["Write ", code(told), f" into {SETTINGS_FILE}"]
            yield Proposal(title, changed, 300, SETTINGS_FILE, among=DECISION)


def _fitting(replay: Replay[Any] | None, verb: str, key: str, by: str = "") -> list[str]:
    """What somebody may choose from for a key, the likeliest first: words that the game has, or names; of
    an entry ``by`` somebody, if that is known."""
    if replay is None:
        return []
    said = f"{verb} " if key == verb else f"{verb}, {key}: "
    found = Fitting(replay, by).choices(said, len(said))["choices"]
    few = [str(one["line"])[len(said) :] for one in found if one["eligible"] and not one["chosen"]]
    # Behind a name comes what only the table can say.
    return [f"{{{one}{UNRECORDED}}}" if one.endswith(": ") else one for one in few[:MOST_LISTED]]


def _whole(replay: Replay[Any], verb: type[Entry]) -> Iterator[str]:
    """An entry with all that its verb asks for, as far as anybody but the table can say it."""
    line = Fitting(replay).complete_line(f"{verb.verb} : " if verb.main is not None else verb.verb)
    try:
        entry = read_line(line.replace(ANYTHING, UNRECORDED), replay.rulebook.by_verb)
    except LineError:
        return
    yield as_text(entry)


def _may_be_unsaid(field: Field | None) -> bool:
    """Whether what a verb takes may be unrecorded: of somebody new only the table knows the name, and it has to
    be one."""
    return field is not None and (field.kind.naming() or not bare(field.kind).naming())


def _few(schema: Any) -> list[str]:
    """The words that a schema has, if they are few."""
    found: dict[str, None] = {}
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            found |= dict.fromkeys(word for word in one.get("enum", ()) if isinstance(word, str))
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return [*found] if len(found) <= MOST_LISTED else []


def _words_in(value: Value) -> Iterator[Word]:
    """The words of a value, names of keys aside."""
    if isinstance(value, Word):
        yield value
    else:
        for one in value if isinstance(value, list) else value.values():
            yield from _words_in(one)


def _with_word(text: str, old: str, new: str) -> str:
    """A text with another word in place of the first of its kind."""
    ahead, _, behind = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", "\0", text, count=1).partition(
        "\0"
    )
    return f"{ahead}{new}{behind}"


def _closed(value: str) -> str:
    """A value in brackets, without what is said behind them."""
    depth = 0
    for at, sign in enumerate(value if value[:1] in ("[", "{") else ""):
        depth += (sign in "[{") - (sign in "]}")
        if not depth:
            return value[: at + 1]
    return value


def _value(text: str) -> Any:
    """A value that stands in a help, as an entry takes it; None where it is none."""
    parsed = read_text(f"v: {text}\n", "")
    if parsed.problems or not isinstance(parsed.tree, Entries):
        return None
    return plain(parsed.tree[Word("v")])


def asked_for(one: Mapping[str, Any]) -> Iterator[str]:
    """The keys that a diagnostic (as plain data) asks for, by its fixes or in its help."""
    edits = (edit for fix in one.get("fixes", ()) for edit in fix["edits"])
    keys = [edit["key"] for edit in edits if edit["edit"] == NAMES[SetKey]]
    keys += (part[1] for help in one["help"] for part in _PART.finditer(help))
    yield from dict.fromkeys(keys)


def _forgotten(fix: Fix) -> str:
    """The entry that a fix inserts, if it has nothing but its verb: a table forgets to write it."""
    match fix.edits:
        case (InsertEntry(text),) if text.endswith(":") and "\n" not in text:
            return text
    return ""


def titled(fix: Fix) -> Spans:
    """The title of a fix in pieces, those of a file marked."""
    match fix.edits:
        case (ReplaceWord(value),) if fix.is_computed:
            return [message("server.set_to_computed", value=value)]
        case (SetKey("by", value),) if value == UNRECORDED:
            return [message("server.nobody_noted_who")]
        case (InsertEntry(text),):
            return ["Insert ", code(text.split("\n")[0]), " above"]
    words = fix.with_blanks(UNRECORDED).words
    words[0] = words[0][:1].upper() + words[0][1:]
    spans: Spans = []
    for at, text in enumerate(words):
        if text:
            spans += [" "] if spans else []
            spans.append(code(text) if at % 2 else text)
    return spans


def code(text: str) -> dict[str, Any]:
    """A piece of a file, in a title."""
    return {"t": text, "code": True}


def safely(edit: Callable[..., T], *given: Any) -> T | None:
    """What an edit gives; None where it cannot be made."""
    try:
        return edit(*given)
    except Refused:
        return None
