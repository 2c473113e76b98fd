"""PyYAML's two parsers behind one function: libyaml if it is compiled, else PyYAML's own pure parser (in a
browser).

libyaml accepts more than the pure parser: tabs between words, a question mark inside braces. A log must mean
the same with both, so :class:`PureParser` overrides the few methods that differ. Both get texts cleaned by
the reader: no control characters, and lines that end with LF, CR or both."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import FlowEntryToken, FlowSequenceEndToken, ScalarToken, ValueToken

if TYPE_CHECKING:
    from yaml.error import Mark

_BLANK_PATTERN: Final = re.compile("[ \t]*")
_DOCUMENT_MARK: Final = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n\0])")
# No possessive quantifiers: Python 3.11.2 goes wrong with those around groups. Nothing that can fail follows here.
_PLAIN_PIECE: Final = r"(?:[^ \t\r\n\0:]+|:(?![ \t\r\n\0]))+"
_PLAIN_LINE: Final = re.compile(rf"{_PLAIN_PIECE}(?:[ \t]+(?!\#){_PLAIN_PIECE})*")
_FLOW_PIECE: Final = r"(?:[^ \t\r\n\0:,\[\]{}]+|:(?![ \t\r\n\0,?\[\]{}]))+"
_FLOW_LINE: Final = re.compile(rf"{_FLOW_PIECE}(?:[ \t]+(?!\#){_FLOW_PIECE})*")
_REST_OF_LINE: Final = re.compile(r"[^\r\n\0]*")
_BLOCK_HEADER: Final = re.compile(r"[+-]?[0-9]?[+-]?")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@cache
def event_parser() -> Any:
    """The class that parses a text into events: PyYAML on libyaml if available, else :class:`PureParser`."""
    return yaml.CLoader if yaml.__with_libyaml__ else PureParser


class PureParser(Reader, Scanner, Parser):
    """PyYAML's pure parser, changed to accept what libyaml accepts, with the same meaning."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def _match(self, pattern: re.Pattern[str]) -> str:
        """Match a pattern at the current position and move behind the match."""
        match = pattern.match(self.buffer, self.pointer)
        if match is None:
            return ""
        self.forward(match.end() - self.pointer)
        return match.group()

    def _scanner_error(self, context: str, start_mark: Mark, problem_text: str) -> ScannerError:
        return ScannerError(context, start_mark, problem_text, self.get_mark())

    # --- tabs ---------------------------------------------------------------------------------

    def scan_to_next_token(self) -> None:
        """Skip spaces, comments and line ends, and tabs where no key can start."""
        while True:
            blanks = " \t" if self.flow_level or not self.allow_simple_key else " "
            while self.peek() in blanks:
                self.forward()
            if self.peek() == "#":
                self._match(_REST_OF_LINE)
            if not self.scan_line_break():
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_plain(self) -> ScalarToken:
        """Scan a plain text: tabs separate words, and a question mark inside brackets is a letter."""
        start_mark = end_mark = self.get_mark()
        indent = self.indent + 1
        words_pattern = _FLOW_LINE if self.flow_level else _PLAIN_LINE
        text = pending_gap = ""
        self.allow_simple_key = False
        while not (self.column == 0 and _DOCUMENT_MARK.match(self.buffer, self.pointer)):
            if self.peek() == "#":
                break
            plain_words = self._match(words_pattern)
            if plain_words:
                text += pending_gap + plain_words
                end_mark = self.get_mark()
                self.allow_simple_key = False
            if self.flow_level and self.peek() == ":" and self.peek(1) in ",?[]{}":
                raise self._scanner_error(
                    "while scanning a plain scalar", start_mark, "found unexpected ':'"
                )
            if self.peek() not in " \t\r\n":
                break
            pending_gap = self._scan_gap_between_words(indent, start_mark)
            if not self.flow_level and self.column < indent:
                break
        return ScalarToken(text, True, start_mark, end_mark)

    def _scan_gap_between_words(self, indent: int, start_mark: Mark) -> str:
        """The text for the blanks and line ends between two words."""
        blanks = self._match(_BLANK_PATTERN)
        break_count = 0
        while self.scan_line_break():
            break_count += 1
            self.allow_simple_key = True
            while self.peek() in " \t":
                if self.peek() == "\t" and self.column < indent:
                    problem_text = "found a tab character that violates indentation"
                    raise self._scanner_error(
                        "while scanning a plain scalar", start_mark, problem_text
                    )
                self.forward()
        return "\n" * (break_count - 1) or " " if break_count else blanks

    # --- block texts --------------------------------------------------------------------------

    def scan_block_scalar_indicators(self, start_mark: Mark) -> tuple[bool | None, int | None]:
        """The signs after ``|`` or ``>``: which line ends are kept, and the indentation of the text."""
        indicators = self._match(_BLOCK_HEADER)
        if "0" in indicators:
            problem_text = "found an indentation indicator equal to 0"
            raise self._scanner_error("while scanning a block scalar", start_mark, problem_text)
        if len(indicators.strip("123456789")) > 1:
            problem_text = "did not find expected comment or line break"
            raise self._scanner_error("while scanning a block scalar", start_mark, problem_text)
        self._match(_BLANK_PATTERN)
        digits = indicators.strip("+-")
        keeps_line_breaks = True if "+" in indicators else False if "-" in indicators else None
        return keeps_line_breaks, int(digits) if digits else None

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Mark]:
        """The indentation of the first line of a block text; it must not contain a tab."""
        indentation: tuple[list[str], int, Mark] = super().scan_block_scalar_indentation()
        if self.peek() == "\t":
            problem_text = "found a tab character where an indentation space is expected"
            raise self._scanner_error(
                "while scanning a block scalar", self.get_mark(), problem_text
            )
        return indentation

    # --- the rest -----------------------------------------------------------------------------

    def scan_directive_name(self, start_mark: Mark) -> str:
        """The name of a directive (a line that starts with ``%``); libyaml knows two."""
        directive_name: str = super().scan_directive_name(start_mark)
        if directive_name not in ("YAML", "TAG"):
            problem_text = "found unknown directive name"
            raise self._scanner_error("while scanning a directive", start_mark, problem_text)
        return directive_name

    def scan_flow_scalar(self, style: str) -> ScalarToken:
        """Scan a quoted text; escapes must stand for characters."""
        start_mark = self.get_mark()
        token: ScalarToken | None = None
        with suppress(ValueError, OverflowError):
            token = super().scan_flow_scalar(style)
        if token is None or _SURROGATE.search(token.value):
            problem_text = "found invalid Unicode character escape code"
            raise self._scanner_error("while parsing a quoted scalar", start_mark, problem_text)
        return token

    def parse_flow_sequence_entry_mapping_key(self) -> Any:
        """Parse the rest after a question mark in a list in brackets. If nothing follows, libyaml skips the
        next sign."""
        self.get_token()
        self.state = self.parse_flow_sequence_entry_mapping_value
        if self.check_token(ValueToken, FlowEntryToken, FlowSequenceEndToken):
            return super().process_empty_scalar(self.get_token().end_mark)
        self.states.append(self.state)
        return self.parse_flow_node()

    def process_empty_scalar(self, mark: Mark) -> Any:
        """An empty value. In brackets its position is that of the next sign."""
        if self.state.__name__.startswith("parse_flow_"):
            mark = self.peek_token().start_mark
        return super().process_empty_scalar(mark)
