"""Read bytes into nodes: every scalar keeps its text as typed, its position and its quoting.

A session file is split into entries (:mod:`chronicle.syntax.split`), and PyYAML parses each: its events
become nodes; nothing is resolved or constructed. An entry without problems can come from a cache. If YAML
refuses an entry, the file is split more leniently, so that a broken entry spoils only itself
(:mod:`chronicle.syntax.recovery`). A file without such entries, or with anchors across entries, is read in
one go."""

from __future__ import annotations

import re
from dataclasses import dataclass
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

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Fact
from chronicle.core.field_types import LONG_DASHES
from chronicle.core.file_reading import MOST_BYTES as MOST_BYTES
from chronicle.core.file_reading import size_in_words
from chronicle.core.fix import Fix, ReplaceText, make_fix
from chronicle.core.source import (
    MappingNode,
    Place,
    ScalarNode,
    SequenceNode,
    Value,
    count_values,
    is_empty,
    place_of,
    whole_file,
)
from chronicle.syntax import yaml_traps
from chronicle.syntax.characters import CONTROL_CHARACTER, clean_text, decode_bytes
from chronicle.syntax.loader import event_parser
from chronicle.syntax.problems import Problems, problem
from chronicle.syntax.reading_cache import EntryCache
from chronicle.syntax.split import find_outline

if TYPE_CHECKING:
    from chronicle.syntax.recovery import Fragment

MOST_SCALAR: Final = 256 * 1024
"""Length of the longest single text, in characters."""
MOST_DEPTH: Final = 40
"""Maximum nesting depth of lists and mappings."""
MOST_ALIASED: Final = 20_000
"""Maximum number of values that all aliases of a file stand for together."""

# YAML 1.1 parsers break lines here; YAML 1.2 and all editors do not.
_FALSE_LINE_BREAKS: Final = "\x85\u2028\u2029"


class Parsed(NamedTuple):
    """A file as read: its tree (None if nothing could be read), its problems, and its text."""

    tree: Value | None
    problems: list[Diagnostic]
    text: str


class _LimitExceeded(Exception):
    """Reading stops; the diagnostic says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class _QuoteRunsOut(YAMLError):
    """A quoted text continues on lines that are not indented under it. libyaml lets an unclosed quote
    swallow entries; YAML 1.2 does not."""


@dataclass(slots=True, eq=False)
class _Anchor:
    """A value with ``&name``. Its node is known once it is complete."""

    place: Place
    node: Value | None = None
    is_used: bool = False


def read_bytes(file_bytes: bytes, path: str, cache: EntryCache | None = None) -> Parsed:
    """Read a file's bytes. Never raises because of their content.

    ``path`` is shown in diagnostics. ``cache`` remembers entries of the file."""
    if len(file_bytes) > MOST_BYTES:
        too_large_problem = problem(
            "T5",
            f"this file is larger than {size_in_words(MOST_BYTES)}",
            whole_file(path),
            "a session of play is far smaller; split the log into several sessions",
        )
        return Parsed(None, [too_large_problem], "")
    text, problems = decode_bytes(file_bytes, path)
    if text is None:
        return Parsed(None, problems, "")
    parsed = read_text(text, path, cache)
    return parsed._replace(problems=problems + parsed.problems)


def read_text(yaml_text: str, path: str, cache: EntryCache | None = None) -> Parsed:
    """Read a text that has already been decoded, as :func:`read_bytes` does."""
    problems = Problems()
    cleaned_text = clean_text(yaml_text, path, problems)
    originals: dict[str, str] = {}
    for character in _FALSE_LINE_BREAKS:
        if character in cleaned_text:
            private_use_characters = map(chr, range(0xE000, 0xF8FF))
            used = {*cleaned_text, *originals}
            substitute = next(letter for letter in private_use_characters if letter not in used)
            originals[substitute] = character
            cleaned_text = cleaned_text.replace(character, substitute)
    # The substitute of a character may differ from one reading to the next.
    file_reader = _FileReader(cleaned_text, path, problems, originals, None if originals else cache)
    tree = file_reader.read()
    problems.sort(key=lambda problem: (problem.place.line, problem.place.column))
    return Parsed(tree, problems, yaml_text)


class _FileReader:
    """The reading of one file, from text to tree."""

    def __init__(
        self,
        yaml_text: str,
        path: str,
        problems: Problems,
        originals: dict[str, str],
        cache: EntryCache | None,
    ) -> None:
        self.text = yaml_text
        self.path = path
        self.problems = problems
        self.originals = originals
        self.cache = cache
        self.lines = yaml_traps.LINE_BREAK.split(yaml_text)
        """The text's lines, split where YAML 1.2 splits them."""
        self.anchors: dict[str, _Anchor] = {}
        self.aliased_count = 0
        self.has_anchors = False
        """Whether there were anchors or aliases so far."""
        self.yaml_trap_count = 0
        """Number of problems in text that YAML accepts."""
        self.empty_keys: list[yaml_traps.EmptyKey] = []
        self.quoted_texts: list[tuple[ScalarNode, int]] = []
        """Quoted texts over several lines, with the column beyond which they must be indented."""
        self.duplicate_keys: list[tuple[ScalarNode, ScalarNode]] = []

    def read(self) -> Value | None:
        """Read the tree; problems are added to ``problems``."""
        earlier_problems = Problems(self.problems)
        if self.cache is not None:
            self.cache.start_reading()
        try:
            tree = self._read(earlier_problems)
        except _LimitExceeded as stop:
            self.problems[:] = [*earlier_problems, stop.diagnostic]
            return None
        if tree is None or is_empty(tree):
            if not self.problems:
                self.problems.tell(
                    "T3",
                    "this file is empty",
                    whole_file(self.path),
                    "a session starts with  session: 1  and has a list  log:",
                )
            return None
        self._report_unused_anchors()
        return tree

    def _read(self, earlier_problems: Problems) -> Value | None:
        try:
            tree: Value | None = self._read_entries()
            if tree is None:
                self._restart(earlier_problems)
                tree = self._read_part(self.lines, 1)
            return tree
        except YAMLError:
            self._restart(earlier_problems)
            tree = self._recover()
        if len(self.problems) - len(earlier_problems) > self.yaml_trap_count:
            return tree
        # No single fragment was refused; the whole file can be valid.
        old_problems, anchors = Problems(self.problems), {**self.anchors}
        try:
            self._restart(earlier_problems)
            return self._read_part(self.lines, 1)
        except YAMLError as error:
            from chronicle.syntax.yaml_errors import explain_error

            cause = None if isinstance(error, _QuoteRunsOut) else error.with_traceback(None)
            self.problems[:] = [*old_problems, explain_error(self.lines, 1, self.path, cause)[0]]
            self.anchors = anchors
            return tree

    def _restart(self, problems: Problems) -> None:
        self.problems[:] = problems
        self.anchors.clear()
        self.has_anchors = False
        self.aliased_count = self.yaml_trap_count = 0

    # --- entry by entry -----------------------------------------------------------------------

    def _read_entries(self) -> MappingNode | None:
        """Read the tree of a session file entry by entry; None if it must be read in one go.

        Raises:
            YAMLError: if YAML refuses an entry, or the head.
        """
        log_outline = find_outline(self.lines)
        if log_outline is None:
            return None
        dash_rows, dash_column = log_outline
        head = self._read_part([*self.lines[: dash_rows[0]], ""], 1)
        if not isinstance(head, MappingNode) or not head:
            return None
        key, value = next(reversed(head.items()))
        if key != "log" or not is_empty(value):
            return None
        log_node = SequenceNode()
        for start_row, end_row in zip(dash_rows, [*dash_rows[1:], 0], strict=True):
            # Each line but the last of the file ends with a line break.
            lines = [*self.lines[start_row:end_row], ""] if end_row else self.lines[start_row:]
            entry = self._read_part(lines, start_row + 1, depth=1)
            if not isinstance(entry, SequenceNode) or len(entry) != 1:
                return None
            log_node += entry
        if self.has_anchors:
            return None
        log_node.line, log_node.column = dash_rows[0] + 1, dash_column + 1
        log_node.end_line, log_node.end_column = log_node[-1].end_line, log_node[-1].end_column
        head.end_line, head.end_column = log_node.end_line, log_node.end_column
        head[key] = log_node
        return head

    def _read_part(self, lines: list[str], first_line_number: int, depth: int = 0) -> Value | None:
        """Read a complete fragment, with its problems. ``first_line_number`` is that of ``lines[0]``.

        Raises:
            YAMLError: if YAML refuses them.
            _LimitExceeded: if a limit is exceeded.
        """
        text = "\n".join(lines)
        cache = self.cache if depth else None
        cached_tree = cache.find(text, first_line_number) if cache is not None else None
        if cached_tree is not None:
            return cached_tree
        old_count = len(self.problems)
        tree = self._build_tree(text, first_line_number - 1, depth)
        if self._quote_runs_out(lines, first_line_number):
            raise _QuoteRunsOut
        self._report_yaml_traps(tree, first_line_number, text)
        # Only entries without problems are cached: problems must be reported in each reading.
        is_sound = len(self.problems) == old_count and not self.has_anchors
        if cache is not None and tree is not None and is_sound:
            cache.store(text, first_line_number, tree)
        return tree

    # --- events to tree -----------------------------------------------------------------------

    def _build_tree(self, text: str, shift: int, depth: int) -> Value | None:
        """Build the first document of ``text``. ``shift`` is the number of lines above it in the file,
        ``depth`` its nesting depth.

        Raises:
            YAMLError: if YAML refuses the text.
            _LimitExceeded: if a limit is exceeded.
        """
        self.empty_keys.clear()
        self.quoted_texts.clear()
        self.duplicate_keys.clear()
        document_count = 0
        next_event: Any = event_parser()(text).get_event
        shift += 1
        root: Value | None = None
        # The container being filled, the key waiting for its value, whether it is in flow style,
        # and the column of the block it lies in (what a quoted text must be indented beyond).
        stack: list[tuple[SequenceNode | MappingNode | None, ScalarNode | None, bool, int]] = []
        container: SequenceNode | MappingNode | None = None
        key: ScalarNode | None = None
        is_flow = False
        indent = -1
        node: Value
        anchors: list[_Anchor | None] = []
        while True:
            event = next_event()
            event_type = type(event)
            if event_type is ScalarEvent:
                start, end = event.start_mark, event.end_mark
                line, end_line, style = start.line + shift, end.line + shift, event.style or ""
                scalar = ScalarNode(
                    event.value, line, start.column + 1, end_line, end.column + 1, style
                )
                if style == '"' and not scalar.isprintable() and CONTROL_CHARACTER.search(scalar):
                    self._report_escape(scalar)
                    scalar = scalar.like(CONTROL_CHARACTER.sub("\ufffd", scalar))
                node = scalar
                if event.anchor is not None or event.tag is not None:
                    self._note_anchor(event, scalar, shift)
                if style and line != end_line and style in "'\"":
                    self.quoted_texts.append((scalar, indent))
                if len(scalar) > MOST_SCALAR:
                    raise _LimitExceeded(
                        problem(
                            "T5",
                            f"this text is longer than {MOST_SCALAR // 1024} kB",
                            place_of(scalar, self.path),
                            "split it into several entries",
                        )
                    )
                if self.originals:
                    node = self._restore_originals(scalar)
            elif event_type is MappingStartEvent or event_type is SequenceStartEvent:
                stack.append((container, key, is_flow, indent))
                mark = event.start_mark
                if len(stack) + depth > MOST_DEPTH:
                    raise _LimitExceeded(
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
                is_flow = bool(event.flow_style)
                container = MappingNode() if event_type is MappingStartEvent else SequenceNode()
                container.line = mark.line + shift
                container.column = mark.column + 1
                if not is_flow:
                    indent = mark.column
                if event.anchor is not None or event.tag is not None:
                    anchors.append(self._note_anchor(event, None, shift))
                else:
                    anchors.append(None)
                key = None
                continue
            elif event_type is MappingEndEvent or event_type is SequenceEndEvent:
                assert container is not None
                self._set_end(container, is_flow, event.end_mark, shift)
                node = container
                anchor = anchors.pop()
                if anchor is not None:
                    anchor.node = node
                container, key, is_flow, indent = stack.pop()
            elif event_type is AliasEvent:
                node = self._resolve_alias(event, shift)
            elif event_type is DocumentStartEvent:
                document_count += 1
                if document_count > 1:
                    self.problems.append(
                        yaml_traps.second_document_problem(self.path, event.start_mark.line + shift)
                    )
                    return root
                continue
            elif event_type is StreamEndEvent:
                return root
            else:
                continue

            if container is None:
                root = node
            elif type(container) is SequenceNode:
                container.append(node)
            elif key is None:
                key = self._check_key(node)
            else:
                assert isinstance(container, MappingNode)
                if key in container:
                    self.duplicate_keys.append((key, container.key(key) or key))
                elif key or key.style:
                    container[key] = node
                    if is_flow and type(node) is ScalarNode and not node and not node.style:
                        self.empty_keys.append(yaml_traps.EmptyKey(container, key))
                key = None

    @staticmethod
    def _set_end(container: SequenceNode | MappingNode, flow: bool, mark: Any, shift: int) -> None:
        """Set the end of a container: for a block, the end of its last value."""
        if not flow and container:
            last_node: Value
            if isinstance(container, MappingNode):
                last_key, last_node = next(reversed(container.items()))
                if not last_node and isinstance(last_node, ScalarNode) and not last_node.style:
                    last_node = last_key
            else:
                last_node = container[-1]
            # An alias ends at its anchor, possibly far above.
            if (last_node.end_line, last_node.end_column) > (container.line, container.column):
                container.end_line, container.end_column = last_node.end_line, last_node.end_column
                return
        container.end_line = mark.line + shift
        container.end_column = mark.column + 1

    def _check_key(self, node: Value) -> ScalarNode:
        if not isinstance(node, ScalarNode):
            self.problems.tell(
                "T9",
                "a list or mapping cannot be a key",
                place_of(node, self.path),
                "a key is one plain word or name, as in  Ana: 3",
            )
            return ScalarNode("", node.line, node.column, node.end_line, node.end_column)
        if not node and not node.style:
            self.problems.tell(
                "T9",
                "there is no key before this colon",
                place_of(node, self.path)._replace(end_column=node.column + 1),
                "write the key, as in  Ana: 3",
            )
        elif node == "<<" and not node.style:
            self.problems.tell(
                "T8",
                "'<<' merges mappings in YAML 1.1 only",
                place_of(node, self.path),
                "write the keys out; entries are short",
            )
            return ScalarNode("", node.line, node.column, node.end_line, node.end_column)
        return node

    def _restore_originals(self, scalar: ScalarNode) -> ScalarNode:
        restored_text = str(scalar)
        for substitute, character in self.originals.items():
            restored_text = restored_text.replace(substitute, character)
        return scalar.like(restored_text)

    def _report_escape(self, scalar: ScalarNode) -> None:
        self.problems.tell(
            "T2",
            "an escape in this text makes an invisible control character",
            place_of(scalar, self.path),
            "leave the escape out",
        )

    def _note_anchor(self, event: Any, scalar: ScalarNode | None, shift: int) -> _Anchor | None:
        """Report a tag, or remember an anchor, before a value."""
        mark = event.start_mark
        line, column = mark.line + shift, mark.column + 1
        text_from_here = self.lines[line - 1][column - 1 :]
        if event.tag is not None:
            tag_match = re.search(r"!\S*", text_from_here)
            tag_text = tag_match.group() if tag_match else str(event.tag)
            tag_column = column + (tag_match.start() if tag_match else 0)
            message = f"'{tag_text}' is read as a YAML tag, and transcripts have none"
            self.problems.tell(
                "T7",
                message,
                Place(self.path, line, tag_column, line, tag_column + len(tag_text)),
                fixes=yaml_traps.quote_fix(
                    Place(self.path, line, column, line, column), text_from_here
                )
                if scalar is not None and not scalar.style
                else [make_fix(ReplaceText(""))],
            )
        if event.anchor is None:
            return None
        self.has_anchors = True
        anchor = _Anchor(Place(self.path, line, column, line, column + len(event.anchor) + 1))
        anchor.node = scalar
        self.anchors[event.anchor] = anchor
        return anchor

    def _resolve_alias(self, event: Any, shift: int) -> Value:
        mark = event.start_mark
        line, column = mark.line + shift, mark.column + 1
        alias_name = event.anchor
        self.has_anchors = True
        place = Place(self.path, line, column, line, column + len(alias_name) + 1)
        placeholder = ScalarNode(f"*{alias_name}", line, column, line, place.end_column)
        anchor = self.anchors.get(alias_name)
        if anchor is None:
            value_text = yaml_traps.without_comment(self.lines[line - 1][column - 1 :])
            self.problems.tell(
                "T8",
                f"'*{alias_name}' repeats a value named &{alias_name}, and there is none above",
                place,
                fixes=yaml_traps.quote_fix(place, value_text),
            )
            return placeholder
        anchor.is_used = True
        if anchor.node is None:
            self.problems.tell(
                "T8",
                f"'*{alias_name}' lies inside the very value it repeats",
                place,
                "write the value out",
            )
            return placeholder
        self.aliased_count += count_values(anchor.node, MOST_ALIASED + 1 - self.aliased_count)
        if self.aliased_count > MOST_ALIASED:
            raise _LimitExceeded(
                problem(
                    "T5",
                    f"the aliases of this file stand for more than {MOST_ALIASED} values",
                    place,
                    "write the values out",
                )
            )
        return anchor.node

    # --- text that YAML reads otherwise than meant------------------------------------------------

    def _quote_runs_out(self, lines: list[str], first_line_number: int) -> bool:
        """Whether a quoted text continues on lines that are not indented under it."""
        lines_above = first_line_number - 1
        return any(
            line.strip() and len(line) - len(line.lstrip(" ")) <= indent
            for word, indent in self.quoted_texts
            for line in lines[word.line - lines_above : word.end_line - lines_above]
        )

    def _report_yaml_traps(self, tree: Value | None, line: int, text: str) -> None:
        """Report problems in the last built tree that YAML accepts silently. ``text`` starts in line
        ``line``."""
        old_problem_count = len(self.problems)
        self._report_repeats(self.duplicate_keys)
        if tree is not None:
            self.problems.extend(
                yaml_traps.find_traps(tree, text, line, self.lines, self.path, self.empty_keys)
            )
        self.yaml_trap_count += len(self.problems) - old_problem_count

    def _report_repeats(self, repeated_keys: list[tuple[ScalarNode, ScalarNode]]) -> None:
        for repeat, first_key in repeated_keys:
            self.problems.tell(
                "T6",
                f"'{repeat}' is written twice here; the second is not read",
                place_of(repeat, self.path),
                "delete this line: the list of entries goes on"
                if repeat == "log" and repeat.column == 1
                else "keep one, or put both values into one list; an entry of its own starts with '- '",
                fixes=[
                    make_fix(
                        ReplaceText("", Place(self.path, repeat.line, 1, repeat.line + 1, 1)),
                        is_told=True,
                    )
                ]
                if repeat == "log" and repeat.column == 1
                else (),
                facts=(Fact("first written here", place_of(first_key, self.path)),),
            )

    def _report_unused_anchors(self) -> None:
        for name, anchor in self.anchors.items():
            if not anchor.is_used:
                start = anchor.place.column - 1
                remainder = yaml_traps.without_comment(self.lines[anchor.place.line - 1][start:])
                node = anchor.node
                # Before plain words it is possibly one of them; then a word is lost.
                loses_word = isinstance(node, ScalarNode) and bool(node) and not node.style
                self.problems.tell(
                    "T8",
                    f"'&{name}' names a value to be repeated and is no part of the text",
                    anchor.place,
                    fixes=yaml_traps.quote_fix(anchor.place, remainder),
                    kind=DiagnosticKind.UNREADABLE if loses_word else DiagnosticKind.SUSPICIOUS,
                )

    # --- fragment by fragment -------------------------------------------------------------------------

    def _recover(self) -> Value | None:
        """Read a file that YAML refuses, fragment by fragment."""
        from chronicle.syntax.recovery import split_fragments, without_tabs_and_directives, words_in

        head = MappingNode()
        log_node: SequenceNode | None = None
        lines = without_tabs_and_directives(self.lines, self.path, self.problems)
        for fragment in split_fragments(lines, self.path, self.problems):
            old_problem_count = len(self.problems)
            value = self._read_fragment(fragment)
            if value is None and fragment.is_entry:
                for diagnostic in self.problems[old_problem_count:]:
                    diagnostic.dropped_words = words_in(fragment)
            if fragment.is_entry:
                if log_node is None:
                    log_node = SequenceNode()
                    log_node.line = log_node.end_line = fragment.line
                    log_node.column = log_node.end_column = 1
                if isinstance(value, SequenceNode):
                    log_node.extend(value)
                    log_node.end_line, log_node.end_column = value.end_line, value.end_column
                elif isinstance(value, MappingNode) and value:
                    log_node.append(self._correct_dash(value))
            elif isinstance(value, MappingNode):
                repeated_keys = [(key, head.key(key) or key) for key in value if key in head]
                for key, inner in value.items():
                    head.setdefault(key, inner)
                self._report_repeats(repeated_keys)
        head.line = head.column = head.end_column = 1
        head.end_line = len(self.lines)
        if log_node is not None and head and "log" not in head:
            start = Place(self.path, log_node.line, 1, log_node.line, 2)
            self.problems.tell(
                "T41",
                "a line 'log:' is missing above the first entry",
                start,
                fixes=[make_fix(ReplaceText("log:\n", start._replace(end_column=1)), safe=True)],
            )
        if log_node is None:
            return head or None
        if not head:
            return log_node
        head[head.key("log") or ScalarNode("log", log_node.line, 1, log_node.line, 1)] = log_node
        return head

    def _correct_dash(self, entry: MappingNode) -> MappingNode:
        """Correct an entry without its dash, or without the space after the dash."""
        first_key = next(iter(entry))
        verb = first_key.lstrip(f"-{LONG_DASHES}").strip()
        self.problems.append(
            problem(
                "T17",
                "a space is missing after the dash",
                place_of(first_key, self.path),
                fixes=[
                    make_fix(
                        ReplaceText(
                            f"- {verb}:", yaml_traps.with_colon(place_of(first_key, self.path))
                        ),
                        safe=True,
                    )
                ],
            )
            if first_key.startswith("-")
            else yaml_traps.missing_dash_problem(self.path, first_key)
        )
        corrected_entry = MappingNode(
            (first_key.like(verb) if key is first_key else key, inner)
            for key, inner in entry.items()
        )
        corrected_entry.line, corrected_entry.column = entry.line, entry.column
        corrected_entry.end_line, corrected_entry.end_column = entry.end_line, entry.end_column
        return corrected_entry

    def _read_fragment(self, fragment: Fragment) -> Value | None:
        """Read one fragment, corrected as often as needed."""
        from chronicle.syntax.yaml_errors import explain_error

        lines = fragment.lines
        # Each line but the last of the file ends with a line break.
        tail = [""] if fragment.line + len(lines) <= len(self.lines) else []
        first_problem_index = len(self.problems)
        for _ in range(40):
            anchors = dict(self.anchors)
            old_problem_count, yaml_trap_count = len(self.problems), self.yaml_trap_count
            yaml_error: YAMLError | None = None
            try:
                tree = self._read_part([*lines, *tail], fragment.line, depth=fragment.is_entry)
                if fragment.is_entry or not isinstance(tree, ScalarNode):
                    return tree
            except _QuoteRunsOut:
                pass
            except YAMLError as failed:
                yaml_error = failed.with_traceback(None)
            del self.problems[old_problem_count:]
            self.yaml_trap_count, self.anchors = yaml_trap_count, anchors
            diagnostic, corrected_lines = explain_error(lines, fragment.line, self.path, yaml_error)
            # A place that needs the same correction twice cannot be corrected; it was reported already.
            was_reported = any(
                problem.code == diagnostic.code and problem.place == diagnostic.place
                for problem in self.problems[first_problem_index:]
            )
            if not was_reported:
                self.problems.append(diagnostic)
            if was_reported or corrected_lines is None or corrected_lines == lines:
                return None
            diagnostic.declared_fixes = self._fixes_for(fragment.line, lines, corrected_lines)
            lines = corrected_lines
        return None

    def _fixes_for(self, line: int, old_lines: list[str], new_lines: list[str]) -> tuple[Fix, ...]:
        """The fix that writes the lines of a fragment as they were read in spite of a problem; none if the file
        differs there. The help of the problem shows the correction already."""
        if len(old_lines) != len(new_lines):
            return ()
        edits = [
            ReplaceText(new_line, Place(self.path, line_number, 1, line_number, len(old_line) + 1))
            for line_number, (old_line, new_line) in enumerate(
                zip(old_lines, new_lines, strict=True), line
            )
            if old_line != new_line and self.lines[line_number - 1] == old_line
        ]
        return (Fix(tuple(edits), is_told=True),) if edits else ()
