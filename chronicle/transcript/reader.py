"""Bytes to a tree in which every scalar keeps its text as typed, its place and its quoting.

The tree is built from libyaml's event stream: nothing is resolved, nothing is constructed. A file that
YAML refuses is read again entry by entry, so that one broken entry costs only itself, and each
mistake is explained by :mod:`chronicle.transcript.traps`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chronicle.core.declare import LONG_DASHES
from chronicle.core.diagnostic import Diagnostic, Fact, Finding
from chronicle.core.intake import MOST_BYTES as MOST_BYTES
from chronicle.core.intake import in_words
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of, whole_file
from chronicle.transcript import traps
from chronicle.transcript.plain import sketched
from chronicle.transcript.problems import Problems, problem

if TYPE_CHECKING:
    import yaml

    from chronicle.transcript.refused import Piece


@cache
def maker() -> Any:
    """What makes events of a text: libyaml, or what does the same without it."""
    import yaml

    if yaml.__with_libyaml__:
        return yaml.CLoader
    from chronicle.transcript.pure import Events

    return Events


MOST_SCALAR: Final = 256 * 1024
"""The longest single text."""
MOST_DEPTH: Final = 40
"""How deep lists and mappings may be nested."""
MOST_ALIASED: Final = 20_000
"""How many values all aliases of a file may stand for together."""

_MARKED: Final = re.compile(r"(?m)(?:^|[\s\[{,:-])[&*]")
"""What may be an anchor or an alias, which reach from one entry to another."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
# YAML 1.1 parsers break lines here; YAML 1.2 and every editor do not.
_FALSE_BREAKS: Final = "\x85\u2028\u2029"


def _refusal() -> type[yaml.YAMLError]:
    import yaml

    return yaml.YAMLError


class Rows(NamedTuple):
    """How a stretch of a file was read in spite of a finding: its first line, how it is written, and how
    it was taken to be meant."""

    found: Diagnostic
    line: int
    written: list[str]
    meant: list[str]


class Parsed(NamedTuple):
    """A file as read: its tree (None when nothing could be read), its text, what is wrong with it, and
    how it was read in spite of that."""

    tree: Value | None
    problems: list[Diagnostic]
    text: str
    mended: Sequence[Rows] = ()


class _Stop(Exception):
    """Reading ends here for good; the diagnostic says why."""

    def __init__(self, found: Diagnostic) -> None:
        super().__init__(found.message)
        self.found = found


class _Anchor:
    """A value with ``&name``: known once it is complete."""

    __slots__ = ("node", "place", "used")

    def __init__(self, place: Place) -> None:
        self.node: Value | None = None
        self.place = place
        self.used = False


def read_bytes(data: bytes, path: str) -> Parsed:
    """Read a file's bytes. Never raises for what they hold.

    ``path`` is what diagnostics show.
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
    parsed = read_text(text, path)
    return parsed._replace(problems=problems + parsed.problems)


def decoded(data: bytes, path: str) -> tuple[str | None, list[Diagnostic]]:
    """The text of a file's bytes (None if nobody can tell), and what is wrong with its encoding."""
    where = whole_file(path)
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        message = "this file is UTF-32"
        return data.decode("utf-32", "replace"), [problem("T1", message, where, "save it as UTF-8")]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), []
        except UnicodeDecodeError:
            message = "this file says it is UTF-16, but it is not"
            return None, [problem("T1", message, where, "save it as UTF-8")]
    if data.count(b"\x00") * 3 > len(data):
        message = "this file looks like UTF-16 without a mark"
        ends = "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"
        return data.decode(ends, "replace"), [problem("T1", message, where, "save it as UTF-8")]
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        bad = error.object[error.start]
        before = bytes(error.object[: error.start]).decode("utf-8", "replace")
        above = traps.BREAK.split(before)
        line, column = len(above), len(above[-1]) + 1
        guess = bytes([bad]).decode("cp1252", "replace")
        return data.decode("cp1252", "replace"), [
            problem(
                "T1",
                f"this file is not UTF-8: byte {bad:#04x} here (perhaps '{guess}')",
                Place(path, line, column, line, column + 1),
                "save the file as UTF-8; in most editors: Save with Encoding",
            )
        ]


def read_text(text: str, path: str) -> Parsed:
    """Read a text that has already been decoded. Never raises for what it holds."""
    found = Problems()
    clean = _cleaned(text, path, found)
    swapped: dict[str, str] = {}
    for character in _FALSE_BREAKS:
        if character in clean:
            private = map(chr, range(0xE000, 0xF8FF))
            stand_in = next(c for c in private if c not in clean and c not in swapped)
            swapped[stand_in] = character
            clean = clean.replace(character, stand_in)
    reading = _Reading(clean, path, found, swapped)
    tree = reading.read()
    found.sort(key=lambda one: (one.place.line, one.place.column))
    return Parsed(tree, found, text, reading.mended)


def _cleaned(text: str, path: str, found: Problems) -> str:
    hits = [] if text.isprintable() else list(_CONTROL.finditer(text))
    if hits:
        above = traps.BREAK.split(text[: hits[0].start()])
        line, column = len(above), len(above[-1]) + 1
        code = ord(hits[0].group())
        name = "a NUL character" if code == 0 else f"an invisible control character (U+{code:04X})"
        more = f", and {len(hits) - 1} more in this file" if len(hits) > 1 else ""
        found.tell(
            "T2",
            f"{name} stands here{more}",
            Place(path, line, column, line, column + 1),
            "delete it; it often comes along when text is pasted",
        )
        text = _CONTROL.sub("\ufffd", text)
    mark = text.find("\ufeff")
    if mark >= 0:
        above = traps.BREAK.split(text[:mark])
        line, column = len(above), len(above[-1]) + 1
        found.tell(
            "T2",
            "an invisible byte order mark (U+FEFF) stands here",
            Place(path, line, column, line, column + 1),
            "delete it; it comes along when files are joined",
        )
        text = re.sub("(?<![^\\s])\ufeff", " ", text).replace("\ufeff", "\ufffd")
    if "<<<<<<<" in text and traps.MERGE.search(text):
        text = _unmerged(text, path, found)
    return text


def _unmerged(text: str, path: str, found: Problems) -> str:
    """The text without the marks of a merge that nobody finished: both versions are read."""
    hits = list(traps.MERGE.finditer(text))
    line = text.count("\n", 0, hits[0].start()) + 1
    found.tell(
        "T10",
        "two versions of this file were merged and the marks were left in it",
        Place(path, line, 1, line, 8),
        "keep the version that is right, and delete the lines <<<<<<<, ======= and >>>>>>>",
    )
    return traps.MERGE.sub("", text)


class _Reading:
    """One file on its way from text to tree."""

    def __init__(self, text: str, path: str, found: Problems, swapped: dict[str, str]) -> None:
        self.text = text
        self.path = path
        self.found = found
        self.swapped = swapped
        self.anchors: dict[str, _Anchor] = {}
        self.aliased = 0
        self.documents = 0
        self.bare: list[traps.Bare] = []
        self.quoted: list[tuple[Word, int]] = []
        self.duplicates: list[tuple[Word, Word]] = []
        self.mended: list[Rows] = []
        self._lines: list[str] | None = None

    @property
    def lines(self) -> list[str]:
        """The text's lines, split where YAML 1.2 splits them."""
        if self._lines is None:
            self._lines = traps.BREAK.split(self.text)
        return self._lines

    def read(self) -> Value | None:
        """The tree; whatever is wrong goes to ``found``."""
        before = Problems(self.found)
        failed: yaml.YAMLError | None = None
        try:
            tree = self._plainly()
            if tree is None:
                self._afresh(before)
                try:
                    tree = self._build(self.text, 0)
                except _refusal() as error:
                    failed = error.with_traceback(None)
            if failed is not None or self._runs_out(self.quoted, self.lines, 1):
                self._afresh(before)
                tree = self._recover()
                if len(self.found) == len(before):
                    from chronicle.transcript.refused import explain

                    self.found.append(explain(self.lines, 1, self.path, failed)[0])
        except _Stop as stop:
            self.found[:] = [*before, stop.found]
            return None
        if tree is None or (isinstance(tree, Word) and not tree and not tree.style):
            if not self.found:
                self.found.tell(
                    "T3",
                    "this file is empty",
                    whole_file(self.path),
                    "a session starts with  session: 1  and has a list  log:",
                )
            return None
        self._look_closer(tree)
        return tree

    def _afresh(self, found: Problems) -> None:
        self.found[:] = found
        self.anchors.clear()
        self.bare.clear()
        self.quoted.clear()
        self.duplicates.clear()
        self.aliased = self.documents = 0

    # --- line by line -------------------------------------------------------------------------

    def _plainly(self) -> Value | None:
        """The tree of a file that is plain as a whole: its plain entries are read at a glance, the others
        by YAML. None if it has to be read in one piece."""
        lines = self.lines
        sketch = None if self.swapped else sketched(lines)
        if sketch is None or not sketch.entries:
            return sketch and sketch.head
        log = Items()
        run: list[int] = []
        for stretch in sketch.entries:
            if stretch.value is None:
                run.append(stretch.first)
                continue
            if run and not self._between(run, stretch.first, log):
                return None
            log.append(stretch.value)
        if run and not self._between(run, len(lines), log):
            return None
        first = sketch.entries[0].first
        log.line, log.column = first + 1, lines[first].index("-") + 1
        head = sketch.head
        key = next(reversed(head))
        head[key] = log
        log.end_line, log.end_column = log[-1].end_line, log[-1].end_column
        head.end_line, head.end_column = log.end_line, log.end_column
        return head

    def _between(self, run: list[int], last: int, log: Items) -> bool:
        """Read entries that are not plain, given by their first lines; False if they cannot be read by
        themselves."""
        text = "\n".join(self.lines[run[0] : last]) + ("\n" if last < len(self.lines) else "")
        if _MARKED.search(text):
            return False
        self.documents = 0
        try:
            made = self._build(text, run[0])
        except _refusal():
            return False
        if not isinstance(made, Items) or [one.line for one in made] != [n + 1 for n in run]:
            return False
        log.extend(made)
        run.clear()
        return True

    # --- events to tree -----------------------------------------------------------------------

    def _build(self, text: str, shift: int) -> Value | None:
        """The first document of ``text``; ``shift`` lines stand above it in the file.

        Raises:
            yaml.YAMLError: when YAML refuses the text.
            _Stop: when a bound is broken.
        """
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

        get: Any = maker()(text).get_event
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
                if style == '"' and not word.isprintable() and _CONTROL.search(word):
                    self._found_escape(word)
                    word = word.like(_CONTROL.sub("\ufffd", word))
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
                if len(stack) > MOST_DEPTH:
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
                self.documents += 1
                if self.documents > 1:
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
                f"if it belongs to the text, use quotes:  {traps.quoted(traps.value_text(source))}"
                if word is not None and not word.style
                else "delete it",
            )
        if event.anchor is None:
            return None
        anchor = _Anchor(Place(self.path, line, column, line, column + len(event.anchor) + 1))
        anchor.node = word
        self.anchors[event.anchor] = anchor
        return anchor

    def _alias(self, event: Any, shift: int) -> Value:
        mark = event.start_mark
        line, column = mark.line + shift, mark.column + 1
        name = event.anchor
        place = Place(self.path, line, column, line, column + len(name) + 1)
        blank = Word(f"*{name}", line, column, line, place.end_column)
        anchor = self.anchors.get(name)
        if anchor is None:
            rest = traps.value_text(self.lines[line - 1][column - 1 :])
            self.found.tell(
                "T8",
                f"'*{name}' repeats a value named &{name}, and there is none above",
                place,
                f"if the star belongs to the text, use quotes:  {traps.quoted(rest)}",
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

    @staticmethod
    def _runs_out(quoted: list[tuple[Word, int]], lines: list[str], first: int) -> bool:
        """Whether a quoted text runs over lines that are not indented under it: libyaml lets an
        unclosed quote swallow entries, YAML 1.2 does not. ``first`` is the number of ``lines[0]``.
        """
        return any(
            line.strip() and len(line) - len(line.lstrip(" ")) <= indent
            for word, indent in quoted
            for line in lines[word.line - first + 1 : word.end_line - first + 1]
        )

    def _look_closer(self, tree: Value) -> None:
        for repeat, first in self.duplicates:
            self.found.tell(
                "T6",
                f"'{repeat}' is written twice here; the second is not read",
                place_of(repeat, self.path),
                "delete this line: the list of entries goes on"
                if repeat == "log" and repeat.column == 1
                else "keep one; an entry of its own starts with '- '",
                facts=(Fact("first written here", place_of(first, self.path)),),
            )
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
                    f"if it belongs to the text, use quotes:  {traps.quoted(rest)}",
                    finding=Finding.UNREADABLE if cuts else Finding.SUSPICIOUS,
                )
        self.found.extend(traps.silent(tree, self.text, self.lines, self.path, self.bare))

    # --- entry by entry -----------------------------------------------------------------------

    def _recover(self) -> Value | None:
        """Read piece by piece what YAML refuses as a whole."""
        from chronicle.transcript import refused

        pairs = Entries()
        log: Items | None = None
        lines = refused.tidied(self.lines, self.path, self.found)
        for piece in refused.pieces(lines, self.path, self.found):
            before = len(self.found)
            value = self._piece(piece)
            if value is None and piece.is_item:
                for finding in self.found[before:]:
                    finding.dropped = refused.said_in(piece)
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
                for key, inner in value.items():
                    if key in pairs:
                        self.duplicates.append((key, pairs.key(key) or key))
                    else:
                        pairs[key] = inner
        pairs.line = pairs.column = pairs.end_column = 1
        pairs.end_line = len(self.lines)
        if log is not None and pairs and "log" not in pairs:
            start = Place(self.path, log.line, 1, log.line, 2)
            self.found.tell(
                "T41",
                "a line 'log:' is missing above the first entry",
                start,
                "the head of a session ends with  log:  on a line of its own",
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
                f"write  - {name}: ...",
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
        told_before = len(self.found)
        for _ in range(40):
            self.documents = 0
            anchors = dict(self.anchors)
            before = [len(kept) for kept in self._kept()]
            error: yaml.YAMLError | None = None
            try:
                tree = self._build("\n".join(lines) + "\n", piece.line - 1)
                stray = isinstance(tree, Word) and not piece.is_item
                if not stray and not self._runs_out(self.quoted[before[1] :], lines, piece.line):
                    return tree
            except _refusal() as failed:
                error = failed.with_traceback(None)
            for kept, length in zip(self._kept(), before, strict=True):
                del kept[length:]
            self.anchors = anchors
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
            self.mended.append(Rows(finding, piece.line, lines, mended))
            lines = mended
        return None

    def _kept(self) -> tuple[list[Any], ...]:
        return self.found, self.quoted, self.bare, self.duplicates


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
