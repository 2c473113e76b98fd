"""Bytes to a tree in which every scalar keeps its text as typed, its place and its quoting.

A session file is cut into its entries (:mod:`chronicle.transcript.split`), and each is parsed by PyYAML: its
events become the tree, nothing is resolved, nothing is constructed. An entry that reads well can be taken
from an earlier reading of the file. If YAML refuses one, the file is cut more leniently, so that a broken
entry costs only itself (:mod:`chronicle.transcript.pieces`). What has no such entries, or has anchors that
reach from one to another, is read in one piece.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from yaml import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from chronicle.core.declare import LONG_DASHES
from chronicle.core.diagnostic import Diagnostic, Fact, Finding
from chronicle.core.fix import Fix, ReplaceText, make_fix
from chronicle.core.intake import MOST_BYTES as MOST_BYTES
from chronicle.core.intake import in_words
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of, whole_file
from chronicle.transcript import traps
from chronicle.transcript.characters import CONTROL, cleaned, decoded
from chronicle.transcript.kept import EntryCache
from chronicle.transcript.loader import event_parser
from chronicle.transcript.problems import Problems, problem
from chronicle.transcript.split import outline

if TYPE_CHECKING:
    from chronicle.transcript.pieces import Piece

MOST_SCALAR: Final = 256 * 1024
"""The longest single text."""
MOST_DEPTH: Final = 40
"""How deep lists and mappings may be nested."""
MOST_ALIASED: Final = 20_000
"""How many values all aliases of a file may stand for together."""

# YAML 1.1 parsers break lines here; YAML 1.2 and every editor do not.
_FALSE_BREAKS: Final = "\x85\u2028\u2029"


class Parsed(NamedTuple):
    """A file as read: its tree (None when nothing could be read), what is wrong with it, and its text."""

    tree: Value | None
    problems: list[Diagnostic]
    text: str


class _Stop(Exception):
    """Reading ends here for good; the diagnostic says why."""

    def __init__(self, found: Diagnostic) -> None:
        super().__init__(found.message)
        self.found = found


class _RunsOut(YAMLError):
    """A text in quotes runs over lines that are not indented under it: libyaml lets an unclosed quote
    swallow entries, YAML 1.2 does not."""


class _Anchor:
    """A value with ``&name``: known once it is complete."""

    __slots__ = ("node", "place", "used")

    def __init__(self, place: Place) -> None:
        self.node: Value | None = None
        self.place = place
        self.used = False


def read_bytes(data: bytes, path: str, cache: EntryCache | None = None) -> Parsed:
    """Read a file's bytes. Never raises for what they hold.

    ``path`` is what diagnostics show. ``cache`` remembers entries of the file.
    """
    if len(data) > MOST_BYTES:
        found = problem(
            "T5",
            f"this file is larger than {in_words(MOST_BYTES)}",
            whole_file(path),
            "a session of play is far smaller; split the log into several sessions",
        )
        return Parsed(None, [found], "")
    text, problems = decoded(data, path)
    if text is None:
        return Parsed(None, problems, "")
    parsed = read_text(text, path, cache)
    return parsed._replace(problems=problems + parsed.problems)


def read_text(text: str, path: str, cache: EntryCache | None = None) -> Parsed:
    """Read a text that has already been decoded, as :func:`read_bytes` does."""
    found = Problems()
    clean = cleaned(text, path, found)
    swapped: dict[str, str] = {}
    for character in _FALSE_BREAKS:
        if character in clean:
            private = map(chr, range(0xE000, 0xF8FF))
            stand_in = next(c for c in private if c not in clean and c not in swapped)
            swapped[stand_in] = character
            clean = clean.replace(character, stand_in)
    # What stands in for a character may differ from one reading to the next.
    reading = _Reading(clean, path, found, swapped, None if swapped else cache)
    tree = reading.read()
    found.sort(key=lambda one: (one.place.line, one.place.column))
    return Parsed(tree, found, text)


class _Reading:
    """One file on its way from text to tree."""

    def __init__(
        self,
        text: str,
        path: str,
        found: Problems,
        swapped: dict[str, str],
        cache: EntryCache | None,
    ) -> None:
        self.text = text
        self.path = path
        self.found = found
        self.swapped = swapped
        self.cache = cache
        self.lines = traps.BREAK.split(text)
        """The text's lines, split where YAML 1.2 splits them."""
        self.anchors: dict[str, _Anchor] = {}
        self.aliased = 0
        self.has_marks = False
        """Whether there were anchors or aliases so far."""
        self.misread = 0
        """How many findings are about what YAML accepts."""
        self.bare: list[traps.Bare] = []
        self.quoted: list[tuple[Word, int]] = []
        """Texts in quotes over several lines, with the column that they must be indented beyond."""
        self.duplicates: list[tuple[Word, Word]] = []

    def read(self) -> Value | None:
        """The tree; whatever is wrong goes to ``found``."""
        before = Problems(self.found)
        if self.cache is not None:
            self.cache.start()
        try:
            tree = self._read(before)
        except _Stop as stop:
            self.found[:] = [*before, stop.found]
            return None
        if tree is None or _is_nothing(tree):
            if not self.found:
                self.found.tell(
                    "T3",
                    "this file is empty",
                    whole_file(self.path),
                    "a session starts with  session: 1  and has a list  log:",
                )
            return None
        self._tell_unused_anchors()
        return tree

    def _read(self, before: Problems) -> Value | None:
        try:
            tree: Value | None = self._read_entries()
            if tree is None:
                self._start_again(before)
                tree = self._read_part(self.lines, 1)
            return tree
        except YAMLError:
            self._start_again(before)
            tree = self._recover()
        if len(self.found) - len(before) > self.misread:
            return tree
        # No piece was refused by itself; the file as a whole may be.
        found, anchors = Problems(self.found), {**self.anchors}
        try:
            self._start_again(before)
            return self._read_part(self.lines, 1)
        except YAMLError as error:
            from chronicle.transcript.refused import explain

            failed = None if isinstance(error, _RunsOut) else error.with_traceback(None)
            self.found[:] = [*found, explain(self.lines, 1, self.path, failed)[0]]
            self.anchors = anchors
            return tree

    def _start_again(self, found: Problems) -> None:
        self.found[:] = found
        self.anchors.clear()
        self.has_marks = False
        self.aliased = self.misread = 0

    # --- entry by entry -----------------------------------------------------------------------

    def _read_entries(self) -> Entries | None:
        """The tree of a session file, read entry by entry; None if it has to be read in one piece.

        Raises:
            YAMLError: when YAML refuses an entry, or what stands above them.
        """
        log_outline = outline(self.lines)
        if log_outline is None:
            return None
        dashes, column = log_outline
        head = self._read_part([*self.lines[: dashes[0]], ""], 1)
        if not isinstance(head, Entries) or not head:
            return None
        key, value = next(reversed(head.items()))
        if key != "log" or not _is_nothing(value):
            return None
        log = Items()
        for first, end in zip(dashes, [*dashes[1:], 0], strict=True):
            # Each line but the last one of the file has an end.
            lines = [*self.lines[first:end], ""] if end else self.lines[first:]
            entry = self._read_part(lines, first + 1, depth=1)
            if not isinstance(entry, Items) or len(entry) != 1:
                return None
            log += entry
        if self.has_marks:
            return None
        log.line, log.column = dashes[0] + 1, column + 1
        log.end_line, log.end_column = log[-1].end_line, log[-1].end_column
        head.end_line, head.end_column = log.end_line, log.end_column
        head[key] = log
        return head

    def _read_part(self, lines: list[str], first: int, depth: int = 0) -> Value | None:
        """Some lines that can be read alone, with what is wrong with them. ``first`` is the number of their
        first line, ``depth`` in how many lists and mappings they lie.

        Raises:
            YAMLError: when YAML refuses them.
            _Stop: when a bound is broken.
        """
        text = "\n".join(lines)
        entry = self.cache.find(text, first) if self.cache is not None and depth else None
        if entry is not None:
            return entry
        before = len(self.found)
        tree = self._build(text, first - 1, depth)
        if self._runs_out(lines, first):
            raise _RunsOut
        self._look_closer(tree, first, text)
        # What is wrong with an entry is told anew each time.
        sound = len(self.found) == before and not self.has_marks
        if self.cache is not None and depth and tree is not None and sound:
            self.cache.store(text, first, tree)
        return tree

    # --- events to tree -----------------------------------------------------------------------

    def _build(self, text: str, shift: int, depth: int) -> Value | None:
        """The first document of ``text``; ``shift`` lines stand above it in the file, and it lies in so many
        (``depth``) lists and mappings.

        Raises:
            YAMLError: when YAML refuses the text.
            _Stop: when a bound is broken.
        """
        self.bare.clear()
        self.quoted.clear()
        self.duplicates.clear()
        documents = 0
        get: Any = event_parser()(text).get_event
        shift += 1
        root: Value | None = None
        # The container being filled, the key waiting for its value, whether it is in flow style,
        # and the column of the block it lies in (what a quoted text must be indented beyond).
        stack: list[tuple[Items | Entries | None, Word | None, bool, int]] = []
        container: Items | Entries | None = None
        key: Word | None = None
        flow = False
        indent = -1
        node: Value
        anchors: list[_Anchor | None] = []
        while True:
            event = get()
            kind = type(event)
            if kind is ScalarEvent:
                start, end = event.start_mark, event.end_mark
                line, end_line, style = start.line + shift, end.line + shift, event.style or ""
                word = Word(event.value, line, start.column + 1, end_line, end.column + 1, style)
                if style == '"' and not word.isprintable() and CONTROL.search(word):
                    self._found_escape(word)
                    word = word.like(CONTROL.sub("\ufffd", word))
                node = word
                if event.anchor is not None or event.tag is not None:
                    self._decorated(event, word, shift)
                if style and line != end_line and style in "'\"":
                    self.quoted.append((word, indent))
                if len(word) > MOST_SCALAR:
                    raise _Stop(
                        problem(
                            "T5",
                            f"this text is longer than {MOST_SCALAR // 1024} kB",
                            place_of(word, self.path),
                            "split it into several entries",
                        )
                    )
                if self.swapped:
                    node = self._swapped_back(word)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                stack.append((container, key, flow, indent))
                mark = event.start_mark
                if len(stack) + depth > MOST_DEPTH:
                    raise _Stop(
                        problem(
                            "T5",
                            f"lists and mappings are nested more than {MOST_DEPTH} deep",
                            Place(
                                self.path,
                                mark.line + shift,
                                mark.column + 1,
                                mark.line + shift,
                                mark.column + 2,
                            ),
                            "no entry needs that; look for a bracket too many",
                        )
                    )
                flow = bool(event.flow_style)
                container = Entries() if kind is MappingStartEvent else Items()
                container.line = mark.line + shift
                container.column = mark.column + 1
                if not flow:
                    indent = mark.column
                if event.anchor is not None or event.tag is not None:
                    anchors.append(self._decorated(event, None, shift))
                else:
                    anchors.append(None)
                key = None
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                assert container is not None
                self._close(container, flow, event.end_mark, shift)
                node = container
                anchor = anchors.pop()
                if anchor is not None:
                    anchor.node = node
                container, key, flow, indent = stack.pop()
            elif kind is AliasEvent:
                node = self._alias(event, shift)
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self.found.append(
                        traps.second_document(self.path, event.start_mark.line + shift)
                    )
                    return root
                continue
            elif kind is StreamEndEvent:
                return root
            else:
                continue

            if container is None:
                root = node
            elif type(container) is Items:
                container.append(node)
            elif key is None:
                key = self._key(node)
            else:
                assert isinstance(container, Entries)
                if key in container:
                    self.duplicates.append((key, container.key(key) or key))
                elif key or key.style:
                    container[key] = node
                    if flow and type(node) is Word and not node and not node.style:
                        self.bare.append(traps.Bare(container, key))
                key = None

    @staticmethod
    def _close(container: Items | Entries, flow: bool, mark: Any, shift: int) -> None:
        """Where a container ends: for a block, where its last value does."""
        if not flow and container:
            last: Value
            if isinstance(container, Entries):
                name, last = next(reversed(container.items()))
                if not last and isinstance(last, Word) and not last.style:
                    last = name
            else:
                last = container[-1]
            # An alias ends where its anchor does, which may be far above.
            if (last.end_line, last.end_column) > (container.line, container.column):
                container.end_line, container.end_column = last.end_line, last.end_column
                return
        container.end_line = mark.line + shift
        container.end_column = mark.column + 1

    def _key(self, node: Value) -> Word:
        if not isinstance(node, Word):
            self.found.tell(
                "T9",
                "a list or mapping cannot be a key",
                place_of(node, self.path),
                "a key is one plain word or name, as in  Ana: 3",
            )
            return Word("", node.line, node.column, node.end_line, node.end_column)
        if not node and not node.style:
            self.found.tell(
                "T9",
                "there is no key before this colon",
                place_of(node, self.path)._replace(end_column=node.column + 1),
                "write the key, as in  Ana: 3",
            )
        elif node == "<<" and not node.style:
            self.found.tell(
                "T8",
                "'<<' merges mappings in YAML 1.1 only",
                place_of(node, self.path),
                "write the keys out; entries are short",
            )
            return Word("", node.line, node.column, node.end_line, node.end_column)
        return node

    def _swapped_back(self, word: Word) -> Word:
        text = str(word)
        for stand_in, character in self.swapped.items():
            text = text.replace(stand_in, character)
        return word.like(text)

    def _found_escape(self, word: Word) -> None:
        self.found.tell(
            "T2",
            "an escape in this text makes an invisible control character",
            place_of(word, self.path),
            "leave the escape out",
        )

    def _decorated(self, event: Any, word: Word | None, shift: int) -> _Anchor | None:
        """A tag (refused) or an anchor (remembered) before a value."""
        mark = event.start_mark
        line, column = mark.line + shift, mark.column + 1
        source = self.lines[line - 1][column - 1 :]
        if event.tag is not None:
            typed = re.search(r"!\S*", source)
            shown = typed.group() if typed else str(event.tag)
            at = column + (typed.start() if typed else 0)
            told = f"'{shown}' is read as a YAML tag, and transcripts have none"
            self.found.tell(
                "T7",
                told,
                Place(self.path, line, at, line, at + len(shown)),
                fixes=_quoted_from(Place(self.path, line, column, line, column), source)
                if word is not None and not word.style
                else [make_fix(ReplaceText(""))],
            )
        if event.anchor is None:
            return None
        self.has_marks = True
        anchor = _Anchor(Place(self.path, line, column, line, column + len(event.anchor) + 1))
        anchor.node = word
        self.anchors[event.anchor] = anchor
        return anchor

    def _alias(self, event: Any, shift: int) -> Value:
        mark = event.start_mark
        line, column = mark.line + shift, mark.column + 1
        name = event.anchor
        self.has_marks = True
        place = Place(self.path, line, column, line, column + len(name) + 1)
        blank = Word(f"*{name}", line, column, line, place.end_column)
        anchor = self.anchors.get(name)
        if anchor is None:
            rest = traps.value_text(self.lines[line - 1][column - 1 :])
            self.found.tell(
                "T8",
                f"'*{name}' repeats a value named &{name}, and there is none above",
                place,
                fixes=_quoted_from(place, rest),
            )
            return blank
        anchor.used = True
        if anchor.node is None:
            self.found.tell(
                "T8",
                f"'*{name}' lies inside the very value it repeats",
                place,
                "write the value out",
            )
            return blank
        self.aliased += _weight(anchor.node, MOST_ALIASED + 1 - self.aliased)
        if self.aliased > MOST_ALIASED:
            raise _Stop(
                problem(
                    "T5",
                    f"the aliases of this file stand for more than {MOST_ALIASED} values",
                    place,
                    "write the values out",
                )
            )
        return anchor.node

    # --- what YAML accepts and nobody meant ---------------------------------------------------

    def _runs_out(self, lines: list[str], first: int) -> bool:
        """Whether a quoted text runs over lines that are not indented under it. ``first`` is the number of
        ``lines[0]``."""
        return any(
            line.strip() and len(line) - len(line.lstrip(" ")) <= indent
            for word, indent in self.quoted
            for line in lines[word.line - first + 1 : word.end_line - first + 1]
        )

    def _look_closer(self, tree: Value | None, first: int, text: str) -> None:
        """Tell what was misread without a word in what was built last. ``text`` starts in the line
        ``first``."""
        before = len(self.found)
        self._tell_repeats(self.duplicates)
        if tree is not None:
            self.found.extend(traps.silent(tree, text, first, self.lines, self.path, self.bare))
        self.misread += len(self.found) - before

    def _tell_repeats(self, repeats: list[tuple[Word, Word]]) -> None:
        for repeat, first in repeats:
            self.found.tell(
                "T6",
                f"'{repeat}' is written twice here; the second is not read",
                place_of(repeat, self.path),
                "delete this line: the list of entries goes on"
                if repeat == "log" and repeat.column == 1
                else "keep one; an entry of its own starts with '- '",
                fixes=[
                    make_fix(
                        ReplaceText("", Place(self.path, repeat.line, 1, repeat.line + 1, 1)),
                        is_told=True,
                    )
                ]
                if repeat == "log" and repeat.column == 1
                else (),
                facts=(Fact("first written here", place_of(first, self.path)),),
            )

    def _tell_unused_anchors(self) -> None:
        for name, anchor in self.anchors.items():
            if not anchor.used:
                start = anchor.place.column - 1
                rest = traps.value_text(self.lines[anchor.place.line - 1][start:])
                text = anchor.node
                # Before bare words it may well have been one of them, and a word is lost.
                cuts = isinstance(text, Word) and bool(text) and not text.style
                self.found.tell(
                    "T8",
                    f"'&{name}' names a value to be repeated and is no part of the text",
                    anchor.place,
                    fixes=_quoted_from(anchor.place, rest),
                    finding=Finding.UNREADABLE if cuts else Finding.SUSPICIOUS,
                )

    # --- piece by piece -----------------------------------------------------------------------

    def _recover(self) -> Value | None:
        """Read piece by piece what YAML refuses as a whole."""
        from chronicle.transcript.pieces import pieces, said_in, tidied

        pairs = Entries()
        log: Items | None = None
        lines = tidied(self.lines, self.path, self.found)
        for piece in pieces(lines, self.path, self.found):
            before = len(self.found)
            value = self._piece(piece)
            if value is None and piece.is_item:
                for finding in self.found[before:]:
                    finding.dropped = said_in(piece)
            if piece.is_item:
                if log is None:
                    log = Items()
                    log.line = log.end_line = piece.line
                    log.column = log.end_column = 1
                if isinstance(value, Items):
                    log.extend(value)
                    log.end_line, log.end_column = value.end_line, value.end_column
                elif isinstance(value, Entries) and value:
                    log.append(self._dashed(value))
            elif isinstance(value, Entries):
                repeats = [(key, pairs.key(key) or key) for key in value if key in pairs]
                for key, inner in value.items():
                    pairs.setdefault(key, inner)
                self._tell_repeats(repeats)
        pairs.line = pairs.column = pairs.end_column = 1
        pairs.end_line = len(self.lines)
        if log is not None and pairs and "log" not in pairs:
            start = Place(self.path, log.line, 1, log.line, 2)
            self.found.tell(
                "T41",
                "a line 'log:' is missing above the first entry",
                start,
                fixes=[make_fix(ReplaceText("log:\n", start._replace(end_column=1)), safe=True)],
            )
        if log is None:
            return pairs or None
        if not pairs:
            return log
        pairs[pairs.key("log") or Word("log", log.line, 1, log.line, 1)] = log
        return pairs

    def _dashed(self, entry: Entries) -> Entries:
        """An entry of the log that was written without its dash, or without the space after it."""
        first = next(iter(entry))
        name = first.lstrip(f"-{LONG_DASHES}").strip()
        self.found.append(
            problem(
                "T17",
                "a space is missing after the dash",
                place_of(first, self.path),
                fixes=[
                    make_fix(
                        ReplaceText(f"- {name}:", traps.with_colon(place_of(first, self.path))),
                        safe=True,
                    )
                ],
            )
            if first.startswith("-")
            else traps.dash_missing(self.path, first)
        )
        mended = Entries((first.like(name) if key is first else key, v) for key, v in entry.items())
        mended.line, mended.column = entry.line, entry.column
        mended.end_line, mended.end_column = entry.end_line, entry.end_column
        return mended

    def _piece(self, piece: Piece) -> Value | None:
        """One piece, mended as often as it takes."""
        from chronicle.transcript.refused import explain

        lines = piece.lines
        # Each line but the last one of the file has an end.
        end = [""] if piece.line + len(lines) <= len(self.lines) else []
        told_before = len(self.found)
        for _ in range(40):
            anchors = dict(self.anchors)
            before, misread = len(self.found), self.misread
            error: YAMLError | None = None
            try:
                tree = self._read_part([*lines, *end], piece.line, depth=piece.is_item)
                if piece.is_item or not isinstance(tree, Word):
                    return tree
            except _RunsOut:
                pass
            except YAMLError as failed:
                error = failed.with_traceback(None)
            del self.found[before:]
            self.misread, self.anchors = misread, anchors
            finding, mended = explain(lines, piece.line, self.path, error)
            # What must be mended twice at one place is beyond mending, and was told already.
            told = any(
                one.code == finding.code and one.place == finding.place
                for one in self.found[told_before:]
            )
            if not told:
                self.found.append(finding)
            if told or mended is None or mended == lines:
                return None
            finding.fixes = self._as_meant(piece.line, lines, mended)
            lines = mended
        return None

    def _as_meant(self, first: int, written: list[str], meant: list[str]) -> tuple[Fix, ...]:
        """The fix that writes the lines of a piece as they were read in spite of a problem; none where they
        do not stand so in the file. The help of the problem shows it already."""
        if len(written) != len(meant):
            return ()
        edits = [
            ReplaceText(new, Place(self.path, number, 1, number, len(old) + 1))
            for number, (old, new) in enumerate(zip(written, meant, strict=True), first)
            if old != new and self.lines[number - 1] == old
        ]
        return (Fix(tuple(edits), is_told=True),) if edits else ()


def _is_nothing(value: Value) -> bool:
    """Whether nothing is written where a value could be."""
    return isinstance(value, Word) and not value and not value.style


def _quoted_from(place: Place, source: str) -> list[Fix]:
    """The fix that puts the value that starts at a place in quotes; ``source`` is its line from there."""
    text = traps.value_text(source)
    whole = place._replace(end_column=place.column + len(text))
    return [make_fix(ReplaceText(traps.quoted(text), whole), when="if it belongs to the text")]


def _weight(node: Value, limit: int) -> int:
    """How many values a value holds, itself included; counting stops at ``limit``."""
    count = 0
    waiting: list[Value] = [node]
    while waiting and count < limit:
        one = waiting.pop()
        count += 1
        if isinstance(one, Items):
            waiting.extend(one)
        elif isinstance(one, Entries):
            waiting.extend(one.values())
    return count
