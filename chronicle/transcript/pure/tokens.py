"""A text to tokens: signs, texts, and where lists and mappings begin and end by their indentation."""

from __future__ import annotations

import re
from typing import Final

from chronicle.transcript.pure.texts import (
    AFTER,
    BLANKS,
    DOCUMENT,
    QUOTED,
    SPACES,
    Mark,
    Texts,
    Token,
)

KEY: Final = "key"
VALUE: Final = "value"
LIST: Final = "list"
MAPPING: Final = "mapping"
OUT: Final = "out"
"""A list or mapping that is held together by its indentation ends."""
END: Final = "end"

_NAME: Final = re.compile("[0-9A-Za-z_-]*")
_URI: Final = re.compile("(?:[0-9A-Za-z_;/?:@&=+$.!~*'()-]|%[0-9A-Fa-f]{2})*")
_WHOLE_URI: Final = re.compile("(?:[0-9A-Za-z_;/?:@&=+$.!~*'(),[\\]-]|%[0-9A-Fa-f]{2})*")
_LETTERS: Final = re.compile("[0-9A-Za-z_-]+")
_DIGITS: Final = re.compile("[0-9]{1,9}")
_POINT: Final = re.compile("\\.")
_DECLARED: Final = re.compile("![0-9A-Za-z_-]*(?:!|(?<=!))")
_GAP: Final = re.compile("[ \t]+")
_APART: Final = re.compile("(?=[ \t\r\n\0])")
_LAST: Final = re.compile("(?=[\r\n\0])")
_SPECIAL: Final = frozenset("-?:,[]{}#&*!|>'\"%@` \t\r\n\0")
MOST_KEY: Final = 1024
"""How long a key may be that needs no question mark before it."""


class _Key:
    """What may turn out to be a key once a colon follows: a token that is taken already."""

    __slots__ = ("at", "mark", "number", "required")

    def __init__(self, number: int, required: bool, at: int, mark: Mark) -> None:
        self.number, self.required, self.at, self.mark = number, required, at, mark


class Scanner(Texts):
    """A text on its way to tokens."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.taken = 0
        self.indents: list[int] = []
        self.keys: list[_Key | None] = [None]
        self.done = False
        self.ready = False
        """Whether nothing can come before the token that is next."""

    # -- what the parser asks ----------------------------------------------------------------------

    def peek(self) -> Token:
        """The next token; the last one stays."""
        if not self.ready:
            while not self.tokens or (self._awaited() and not self.done):
                self._fetch()
            self.ready = True
        return self.tokens[0]

    def take(self) -> Token:
        """The next token, which is done with."""
        token = self.peek()
        if token.kind is not END:
            del self.tokens[0]
            self.taken += 1
            self.ready = False
        return token

    # -- inside ------------------------------------------------------------------------------------

    def _awaited(self) -> bool:
        """Whether the next token may turn out to be a key, or the first word of one."""
        awaited = False
        for key in self._old():
            awaited = awaited or key.number == self.taken
        return awaited

    def _old(self) -> list[_Key]:
        """What may still be a key: its line goes on."""
        still = []
        for level, key in enumerate(self.keys):
            if key is not None:
                if key.mark.line < self.line or key.at + MOST_KEY < self.at:
                    self._forget(level)
                else:
                    still.append(key)
        return still

    def _forget(self, level: int = -1) -> None:
        key = self.keys[level]
        if key is not None and key.required:
            said = "could not find expected ':'"
            raise self._refused("while scanning a simple key", key.mark, said)
        self.keys[level] = None

    def _remember(self) -> None:
        """What comes next may be a key."""
        if self.allowed:
            mark = self._mark()
            self._forget()
            required = not self.flow and self.indent == mark.column
            self.keys[-1] = _Key(self.taken + len(self.tokens), required, self.at, mark)

    def _into(self, column: int, kind: str, mark: Mark, number: int | None = None) -> None:
        """Indentation goes deeper: a list or mapping begins."""
        if not self.flow and self.indent < column:
            self.indents.append(self.indent)
            self.indent = column
            at = len(self.tokens) if number is None else number - self.taken
            self.tokens.insert(at, Token(kind, mark, mark))

    def _out(self, column: int) -> None:
        if not self.flow and self.indent > column:
            mark = self._mark()
            while self.indent > column:
                self.tokens.append(Token(OUT, mark, mark))
                self.indent = self.indents.pop()

    def _sign(self, kind: str, length: int = 1) -> None:
        start = self._mark()
        self.at += length
        self.tokens.append(Token(kind, start, self._mark()))

    def _fetch(self) -> None:
        """One more token, or a few."""
        text = self.text
        while True:
            blanks = BLANKS if self.flow or not self.allowed else SPACES
            self.at = blanks.match(text, self.at).end()  # type: ignore[union-attr]
            if text[self.at] == "#":
                self._rest_of_line()
            if not self._break():
                break
            if not self.flow:
                self.allowed = True
        self._old()
        at = self.at
        column = at - self.above
        self._out(column)
        sign = text[at]
        after = text[at + 1 : at + 2] or "\0"
        if column == 0 and sign in "-." and DOCUMENT.match(text, at):
            self._top()
            self._sign("---" if sign == "-" else "...", 3)
        elif sign not in _SPECIAL:
            self._remember()
            self._plain()
        elif sign == ":" and (self.flow or after in AFTER):
            self._value()
        elif sign == "-" and after in AFTER:
            self._entry("-", LIST, "block sequence entries")
            self.allowed = True
        elif sign in "[{":
            self._remember()
            self.keys.append(None)
            self.flow += 1
            self.allowed = True
            self._sign(sign)
        elif sign in "]}":
            self._forget()
            if self.flow:
                self.flow -= 1
                self.keys.pop()
            self.allowed = False
            self._sign(sign)
        elif sign == ",":
            self._forget()
            self.allowed = True
            self._sign(sign)
        elif sign in QUOTED:
            self._remember()
            self.allowed = False
            self._quoted(sign)
        elif sign in "|>" and not self.flow:
            self._forget()
            self.allowed = True
            self._block(sign)
        elif sign == "?" and (self.flow or after in AFTER):
            self._entry(KEY, MAPPING, "mapping keys")
            self.allowed = not self.flow
        elif sign in "*&":
            self._remember()
            self.allowed = False
            self._anchor(sign)
        elif sign == "!":
            self._remember()
            self.allowed = False
            self._tag()
        elif sign == "\0":
            self._end()
        elif column == 0 and sign == "%":
            self._top()
            self._directive()
        elif (sign == "-" and after not in " \t") or (
            not self.flow and sign in "?:" and after not in AFTER
        ):
            self._remember()
            self._plain()
        else:
            said = "found character that cannot start any token"
            raise self._refused("while scanning for the next token", self._mark(), said)

    def _end(self) -> None:
        if self.at != self.above:
            # As if the last line had an end.
            self.line += 1
            self.above = self.at
        self._top()
        mark = self._mark()
        self.tokens.append(Token(END, mark, mark))
        self.done = True

    def _top(self) -> None:
        self._out(-1)
        self._forget()
        self.allowed = False

    def _entry(self, kind: str, opens: str, what: str) -> None:
        if not self.flow:
            if not self.allowed:
                raise self._refused("", None, f"{what} are not allowed in this context")
            mark = self._mark()
            self._into(mark.column, opens, mark)
        self._forget()
        self._sign(kind)

    def _value(self) -> None:
        key = self.keys[-1]
        if key is not None:
            self.tokens.insert(key.number - self.taken, Token(KEY, key.mark, key.mark))
            self._into(key.mark.column, MAPPING, key.mark, key.number)
            self.keys[-1] = None
            self.allowed = False
        else:
            if not self.flow:
                if not self.allowed:
                    said = "mapping values are not allowed in this context"
                    raise self._refused("", None, said)
                mark = self._mark()
                self._into(mark.column, MAPPING, mark)
            self.allowed = not self.flow
        self._sign(VALUE)

    def _anchor(self, sign: str) -> None:
        start = self._mark()
        name = _NAME.match(self.text, self.at + 1)
        assert name is not None
        self.at = name.end()
        after = self.text[self.at]
        if not name.group() or not (after in AFTER or after in "?:,]}%@`"):
            kind = "an anchor" if sign == "&" else "an alias"
            said = "did not find expected alphabetic or numeric character"
            raise self._refused(f"while scanning {kind}", start, said)
        self.tokens.append(Token(sign, start, self._mark(), name.group()))

    def _tag(self) -> None:
        text, start = self.text, self._mark()
        first = self.at
        if text[first + 1] == "<":
            self.at = _WHOLE_URI.match(text, first + 2).end()  # type: ignore[union-attr]
            if self.at == first + 2:
                raise self._refused("while parsing a tag", start, "did not find expected tag URI")
            if text[self.at] != ">":
                raise self._refused("while scanning a tag", start, "did not find the expected '>'")
            self.at += 1
        else:
            handle = _NAME.match(text, first + 1)
            assert handle is not None
            named = text[handle.end()] == "!"
            self.at = handle.end() + named
            uri = _URI.match(text, self.at)
            assert uri is not None
            self.at = uri.end()
            if named and not uri.group() and text[self.at] != "%":
                raise self._refused("while parsing a tag", start, "did not find expected tag URI")
        if text[self.at] == "%":
            said = "did not find URI escaped octet"
            raise self._refused("while parsing a tag", start, said)
        after = text[self.at]
        if after not in AFTER and not (self.flow and after == ","):
            said = "did not find expected whitespace or line break"
            raise self._refused("while scanning a tag", start, said)
        self.tokens.append(Token("!", start, self._mark(), text[first : self.at]))

    def _directive(self) -> None:
        start = self._mark()
        self.at += 1
        name = self._expected(_LETTERS, start, "could not find expected directive name")
        handle = prefix = ""
        if self.text[self.at] not in AFTER:
            context = "while scanning a directive"
            raise self._refused(context, start, "found unexpected non-alphabetical character")
        if name == "YAML":
            self._expected(BLANKS, start)
            self._expected(_DIGITS, start, "did not find expected version number")
            self._expected(_POINT, start, "did not find expected digit or '.' character")
            self._expected(_DIGITS, start, "did not find expected version number")
        elif name == "TAG":
            self._expected(BLANKS, start)
            handle = self._expected(_DECLARED, start, "did not find expected '!'")
            self._expected(_GAP, start, "did not find expected whitespace")
            prefix = self._expected(_WHOLE_URI, start, "did not find expected tag URI")
            said = "did not find expected whitespace or line break"
            self._expected(_APART, start, said)
        else:
            context = "while scanning a directive"
            raise self._refused(context, start, "found unknown directive name")
        end = self._mark()
        self._expected(BLANKS, start)
        if self.text[self.at] == "#":
            self._rest_of_line()
        self._expected(_LAST, start, "did not find expected comment or line break")
        self._break()
        self.tokens.append(Token("%", start, end, handle, prefix))

    def _expected(self, what: re.Pattern[str], start: Mark, otherwise: str = "") -> str:
        """What a directive goes on with, or the refusal if it does not."""
        found = what.match(self.text, self.at)
        if found is None:
            raise self._refused("while scanning a directive", start, otherwise)
        self.at = found.end()
        return found.group()
