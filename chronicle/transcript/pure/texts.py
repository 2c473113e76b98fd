"""Where a reading stands in its text, and the texts in it: plain, quoted, and whole blocks."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from yaml import MarkedYAMLError


class Mark(NamedTuple):
    """A place: both numbers count from 0."""

    line: int
    column: int


class Token(NamedTuple):
    """A piece of the text. ``kind`` is the sign that it begins with, or one of the words below."""

    kind: str
    start_mark: Mark
    end_mark: Mark
    value: str = ""
    style: str = ""


SCALAR: Final = "scalar"

BLANKS: Final = re.compile("[ \t]*")
SPACES: Final = re.compile(" *")
LINE: Final = re.compile("[^\r\n\0]*")
DOCUMENT: Final = re.compile("(?:---|\\.\\.\\.)(?=[ \t\r\n\0])")
AFTER: Final = frozenset(" \t\r\n\0")
BREAKS: Final = frozenset("\r\n")
# The rest of a line of plain text, with the blanks inside of it.
_PLAIN: Final = "(?:[^ \t\r\n\0:]++|:(?![ \t\r\n\0]))++"
_OPEN: Final = re.compile(f"{_PLAIN}(?:[ \t]++(?!#){_PLAIN})*+")
_PLAIN_WITHIN: Final = "(?:[^ \t\r\n\0:,[\\]{}]++|:(?![ \t\r\n\0,?[\\]{}]))++"
_WITHIN: Final = re.compile(f"{_PLAIN_WITHIN}(?:[ \t]++(?!#){_PLAIN_WITHIN})*+")
_UNEXPECTED: Final = re.compile(":[,?[\\]{}]")
QUOTED: Final = {"'": re.compile("(?:[^' \t\r\n\0]|'')*+"), '"': re.compile('[^"\\\\ \t\r\n\0]*+')}
_ESCAPES: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_CODES: Final = {"x": 2, "u": 4, "U": 8}
_HEX: Final = re.compile("[0-9A-Fa-f]*")


class Texts:
    """A text on its way to tokens: where it stands, and the scalars of it."""

    def __init__(self, text: str) -> None:
        self.text = text + "\0"
        self.at = 0
        self.line = 0
        self.above = 0
        """Where the line begins."""
        self.tokens: list[Token] = []
        self.indent = -1
        self.flow = 0
        self.allowed = True
        """Whether a key may stand here that needs no question mark before it."""

    def _mark(self) -> Mark:
        return Mark(self.line, self.at - self.above)

    def _refused(self, context: str, start: Mark | None, said: str) -> MarkedYAMLError:
        return MarkedYAMLError(context, start, said, self._mark())  # type: ignore[arg-type]

    def _break(self) -> str:
        """The end of a line is eaten; "" if none is here."""
        text, at = self.text, self.at
        sign = text[at]
        if sign not in BREAKS:
            return ""
        self.at = self.above = at + (2 if sign == "\r" and text[at + 1] == "\n" else 1)
        self.line += 1
        return "\n"

    def _rest_of_line(self) -> str:
        start = self.at
        self.at = LINE.match(self.text, start).end()  # type: ignore[union-attr]
        return self.text[start : self.at]

    def _scalar(self, start: Mark, end: Mark, value: str, style: str) -> None:
        self.tokens.append(Token(SCALAR, start, end, value, style))

    def _plain(self) -> None:
        text, start = self.text, self._mark()
        self.allowed = False
        end = start
        indent = self.indent + 1
        line = _WITHIN if self.flow else _OPEN
        made = ""
        joint = ""
        broken = False
        while True:
            at = self.at
            if at == self.above and DOCUMENT.match(text, at):
                break
            if text[at] == "#":
                break
            found = line.match(text, at)
            if found is not None:
                made += joint + found.group()
                broken = False
                self.at = at = found.end()
                end = self._mark()
            if self.flow and _UNEXPECTED.match(text, at):
                raise self._refused("while scanning a plain scalar", start, "found unexpected ':'")
            if text[at] not in " \t\r\n":
                break
            blanks = BLANKS.match(text, at)
            assert blanks is not None
            joint = blanks.group()
            self.at = blanks.end()
            if text[self.at] in BREAKS:
                self._break()
                broken = True
                joint = self._breaks(start, indent)
            if not self.flow and self.at - self.above < indent:
                break
        self._scalar(start, end, made, "")
        if broken:
            self.allowed = True

    def _breaks(self, start: Mark, indent: int) -> str:
        """What stands for the ends of lines between two words; one of them is eaten already."""
        text = self.text
        more = 0
        while True:
            at = SPACES.match(text, self.at).end()  # type: ignore[union-attr]
            if text[at] == "\t":
                if at - self.above < indent:
                    self.at = at
                    said = "found a tab character that violates indentation"
                    raise self._refused("while scanning a plain scalar", start, said)
                at = BLANKS.match(text, at).end()  # type: ignore[union-attr]
            self.at = at
            if not self._break():
                return "\n" * more or " "
            more += 1

    def _quoted(self, quote: str) -> None:
        text, start = self.text, self._mark()
        chunk = QUOTED[quote]
        made: list[str] = []
        self.at += 1
        while True:
            if self.at == self.above and DOCUMENT.match(text, self.at):
                said = "found unexpected document indicator"
                raise self._refused("while scanning a quoted scalar", start, said)
            if text[self.at] == "\0":
                said = "found unexpected end of stream"
                raise self._refused("while scanning a quoted scalar", start, said)
            joined = False
            while text[self.at] not in AFTER:
                found = chunk.match(text, self.at)
                assert found is not None
                made.append(found.group())
                self.at = found.end()
                sign = text[self.at]
                if sign == "\\" and quote == '"':
                    if text[self.at + 1] in BREAKS:
                        self.at += 1
                        self._break()
                        joined = True
                        break
                    made.append(self._escape(start))
                elif sign == quote:
                    break
            if text[self.at] == quote:
                break
            made.append(self._between(joined))
        self.at += 1
        value = "".join(made)
        if quote == "'":
            value = value.replace("''", "'")
        self._scalar(start, self._mark(), value, quote)

    def _between(self, joined: bool) -> str:
        """What stands for blanks and ends of lines within quotes; ``joined``: a line ended before them
        that nothing stands for."""
        text = self.text
        blanks = ""
        breaks = 0
        while True:
            found = BLANKS.match(text, self.at)
            assert found is not None
            self.at = found.end()
            if not breaks and not joined:
                blanks = found.group()
            if not self._break():
                break
            breaks += 1
        if joined:
            return "\n" * breaks
        return ("\n" * (breaks - 1) or " ") if breaks else blanks

    def _escape(self, start: Mark) -> str:
        sign = self.text[self.at + 1]
        length = _CODES.get(sign)
        if length is None:
            if sign not in _ESCAPES:
                said = "found unknown escape character"
                raise self._refused("while parsing a quoted scalar", start, said)
            self.at += 2
            return _ESCAPES[sign]
        self.at += 2
        digits = self.text[self.at : self.at + length]
        if not _HEX.fullmatch(digits) or len(digits) < length:
            said = "did not find expected hexdecimal number"
            raise self._refused("while parsing a quoted scalar", start, said)
        code = int(digits, 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            said = "found invalid Unicode character escape code"
            raise self._refused("while parsing a quoted scalar", start, said)
        self.at += length
        return chr(code)

    def _block(self, style: str) -> None:
        text, start = self.text, self._mark()
        context = "while scanning a block scalar"
        self.at += 1
        chomping = ""
        increment = 0
        for _ in range(2):
            sign = text[self.at]
            if sign in "+-" and not chomping:
                chomping = sign
            elif "0" <= sign <= "9" and not increment:
                increment = int(sign)
                if not increment:
                    said = "found an indentation indicator equal to 0"
                    raise self._refused(context, start, said)
            else:
                break
            self.at += 1
        self.at = BLANKS.match(text, self.at).end()  # type: ignore[union-attr]
        if text[self.at] == "#":
            self._rest_of_line()
        if text[self.at] not in "\r\n\0":
            raise self._refused(context, start, "did not find expected comment or line break")
        self._break()
        indent = (max(self.indent, 0) + increment) if increment else 0
        indent, trailing, end = self._indented(indent, start)
        made: list[str] = []
        leading = ""
        blank = False
        while self.at - self.above == indent and text[self.at] != "\0":
            inset = text[self.at] in " \t"
            if style == ">" and leading and not blank and not inset:
                if not trailing:
                    made.append(" ")
            else:
                made.append(leading)
            made.append("\n" * trailing)
            blank = inset
            made.append(self._rest_of_line())
            leading = self._break()
            indent, trailing, end = self._indented(indent, start)
        if chomping != "-":
            made.append(leading)
        if chomping == "+":
            made.append("\n" * trailing)
        self._scalar(start, end, "".join(made), style)

    def _indented(self, indent: int, start: Mark) -> tuple[int, int, Mark]:
        """How far a text is indented (0: not known yet), how many lines are empty, and where they end."""
        text = self.text
        end = self._mark()
        empty = deepest = 0
        while True:
            stop = SPACES.match(text, self.at).end()  # type: ignore[union-attr]
            self.at = max(self.at, min(stop, self.above + indent)) if indent else stop
            column = self.at - self.above
            deepest = max(deepest, column)
            if (not indent or column < indent) and text[self.at] == "\t":
                said = "found a tab character where an indentation space is expected"
                raise self._refused("while scanning a block scalar", start, said)
            if not self._break():
                break
            empty += 1
            end = self._mark()
        return indent or max(deepest, self.indent + 1, 1), empty, end
