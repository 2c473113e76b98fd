"""Tokens to events, as PyYAML has them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from yaml import MarkedYAMLError, events

from chronicle.transcript.pure.texts import SCALAR, Mark, Token
from chronicle.transcript.pure.tokens import END, KEY, LIST, MAPPING, OUT, VALUE, Scanner

_HANDLE: Final = re.compile("!(?:[0-9A-Za-z_-]*!)?")
_HANDLES: Final = {"!": "!", "!!": "tag:yaml.org,2002:"}

State = Callable[[], Any]

# PyYAML's classes; any place will do for them, not theirs alone.
_MADE: Any = events
_ERROR: Any = MarkedYAMLError


class Events:
    """The events of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self._tokens = Scanner(text)
        self._state: State = self._stream
        self._states: list[State] = []
        self._starts: list[Mark] = []
        self._handles: dict[str, str] = {}

    def get_event(self) -> Any:
        """The next event.

        Raises:
            yaml.MarkedYAMLError: where libyaml refuses the text, in its words.
        """
        return self._state()

    def _refused(self, context: str, start: Mark | None, said: str) -> Any:
        return _ERROR(context, start, said, self._tokens.peek().start_mark)

    def _next(self) -> str:
        return self._tokens.peek().kind

    @staticmethod
    def _nothing(mark: Mark) -> Any:
        return _MADE.ScalarEvent(None, None, (True, False), "", mark, mark)

    # -- documents ---------------------------------------------------------------------------------

    def _stream(self) -> Any:
        self._state = self._first_document
        return _MADE.StreamStartEvent()

    def _first_document(self) -> Any:
        if self._next() in ("%", "---", END):
            return self._document()
        self._handles = {**_HANDLES}
        mark = self._tokens.peek().start_mark
        self._states.append(self._document_end)
        self._state = self._block_node
        return _MADE.DocumentStartEvent(mark, mark, explicit=False)

    def _document(self) -> Any:
        while self._next() == "...":
            self._tokens.take()
        start = self._tokens.peek()
        if start.kind == END:
            return _MADE.StreamEndEvent(start.start_mark, start.end_mark)
        self._handles = {}
        while self._next() == "%":
            directive = self._tokens.take()
            if directive.value in self._handles:
                what = "TAG" if directive.value else "YAML"
                said, mark = f"found duplicate %{what} directive", directive.start_mark
                raise _ERROR("", None, said, mark)
            self._handles[directive.value] = directive.style
        self._handles = _HANDLES | self._handles
        if self._next() != "---":
            raise self._refused("", None, "did not find expected <document start>")
        end = self._tokens.take().end_mark
        self._states.append(self._document_end)
        self._state = self._content
        return _MADE.DocumentStartEvent(start.start_mark, end, explicit=True)

    def _content(self) -> Any:
        if self._next() in ("%", "---", "...", END):
            self._state = self._states.pop()
            return self._nothing(self._tokens.peek().start_mark)
        return self._block_node()

    def _document_end(self) -> Any:
        start = end = self._tokens.peek().start_mark
        if self._next() == "...":
            end = self._tokens.take().end_mark
        self._state = self._document
        return _MADE.DocumentEndEvent(start, end)

    # -- nodes -------------------------------------------------------------------------------------

    def _block_node(self) -> Any:
        return self._node(block=True)

    def _node(self, *, block: bool = False, level: bool = False) -> Any:
        """Any value; ``block``: it may be held together by indentation, ``level``: it may be a list that
        is not indented."""
        token = self._tokens.peek()
        kind = token.kind
        if kind == "*":
            self._tokens.take()
            self._state = self._states.pop()
            return _MADE.AliasEvent(token.value, token.start_mark, token.end_mark)
        start = end = token.start_mark
        anchor = tagged = None
        while (kind == "&" and anchor is None) or (kind == "!" and tagged is None):
            end = token.end_mark
            if kind == "&":
                anchor = token.value
            else:
                tagged = token
            self._tokens.take()
            token = self._tokens.peek()
            kind = token.kind
        tag = tagged and self._resolved(tagged, start)
        if level and kind == "-":
            self._state = self._level_list
            return _MADE.SequenceStartEvent(anchor, tag, True, start, token.end_mark)
        if kind == SCALAR:
            self._tokens.take()
            self._state = self._states.pop()
            mark, style = token.end_mark, token.style
            return _MADE.ScalarEvent(anchor, tag, None, token.value, start, mark, style)
        if kind in "[{" or (block and kind in (LIST, MAPPING)):
            self._tokens.take()
            self._starts.append(token.start_mark)
            flow = kind in "[{"
            end = token.end_mark if flow else token.start_mark
            self._state, event = {
                "[": (self._flow_list_first, _MADE.SequenceStartEvent),
                "{": (self._flow_mapping_first, _MADE.MappingStartEvent),
                LIST: (self._list, _MADE.SequenceStartEvent),
                MAPPING: (self._mapping, _MADE.MappingStartEvent),
            }[kind]
            return event(anchor, tag, True, start, end, flow_style=flow)
        if anchor is not None or tag is not None:
            self._state = self._states.pop()
            return _MADE.ScalarEvent(anchor, tag, None, "", start, end)
        context = "while parsing a block node" if block else "while parsing a flow node"
        raise self._refused(context, start, "did not find expected node content")

    def _resolved(self, token: Token, start: Mark) -> str:
        """A tag in full."""
        if token.value.startswith("!<"):
            return token.value[2:-1]
        handle = _HANDLE.match(token.value)
        assert handle is not None
        prefix = self._handles.get(handle.group())
        if prefix is None:
            said, mark = "found undefined tag handle", token.start_mark
            raise _ERROR("while parsing a node", start, said, mark)
        return prefix + token.value[handle.end() :]

    def _inside(self, after: State, ends: tuple[str, ...], level: bool | None = None) -> Any:
        """The sign that is next, and what follows it: a value, or nothing before one of ``ends``.
        ``level``: what stands below it may be held together by indentation, or by none."""
        mark = self._tokens.take().end_mark
        token = self._tokens.peek()
        if token.kind in ends:
            self._state = after
            return self._nothing(token.start_mark if level is None else mark)
        self._states.append(after)
        return self._node(block=level is not None, level=bool(level))

    def _closed(self, event: Any, mark: Mark | None = None) -> Any:
        token = self._tokens.peek()
        if mark is None:
            self._tokens.take()
            self._starts.pop()
        self._state = self._states.pop()
        return event(token.start_mark, mark or token.end_mark)

    def _list(self) -> Any:
        if self._next() == "-":
            return self._inside(self._list, ("-", OUT), level=False)
        if self._next() != OUT:
            said = "did not find expected '-' indicator"
            raise self._refused("while parsing a block collection", self._starts.pop(), said)
        return self._closed(_MADE.SequenceEndEvent)

    def _level_list(self) -> Any:
        if self._next() == "-":
            return self._inside(self._level_list, ("-", KEY, VALUE, OUT), level=False)
        return self._closed(_MADE.SequenceEndEvent, self._tokens.peek().start_mark)

    def _mapping(self) -> Any:
        if self._next() == KEY:
            return self._inside(self._mapping_value, (KEY, VALUE, OUT), level=True)
        if self._next() != OUT:
            said = "did not find expected key"
            raise self._refused("while parsing a block mapping", self._starts.pop(), said)
        return self._closed(_MADE.MappingEndEvent)

    def _mapping_value(self) -> Any:
        if self._next() == VALUE:
            return self._inside(self._mapping, (KEY, VALUE, OUT), level=True)
        self._state = self._mapping
        return self._nothing(self._tokens.peek().start_mark)

    def _comma(self, close: str, what: str) -> None:
        if self._next() != ",":
            said = f"did not find expected ',' or '{close}'"
            raise self._refused(f"while parsing a flow {what}", self._starts.pop(), said)
        self._tokens.take()

    def _flow_list_first(self) -> Any:
        return self._flow_list(first=True)

    def _flow_list(self, *, first: bool = False) -> Any:
        if self._next() != "]":
            if not first:
                self._comma("]", "sequence")
            token = self._tokens.peek()
            if token.kind == KEY:
                self._tokens.take()
                self._state = self._pair_key
                return _MADE.MappingStartEvent(
                    None, None, True, token.start_mark, token.end_mark, flow_style=True
                )
            if token.kind != "]":
                self._states.append(self._flow_list)
                return self._node()
        return self._closed(_MADE.SequenceEndEvent)

    def _pair_key(self) -> Any:
        token = self._tokens.peek()
        if token.kind in (VALUE, ",", "]"):
            # libyaml takes the sign for the key that is missing.
            self._tokens.take()
            self._state = self._pair_value
            return self._nothing(token.end_mark)
        self._states.append(self._pair_value)
        return self._node()

    def _pair_value(self) -> Any:
        if self._next() == VALUE:
            return self._inside(self._pair_end, (",", "]"))
        self._state = self._pair_end
        return self._nothing(self._tokens.peek().start_mark)

    def _pair_end(self) -> Any:
        mark = self._tokens.peek().start_mark
        self._state = self._flow_list
        return _MADE.MappingEndEvent(mark, mark)

    def _flow_mapping_first(self) -> Any:
        return self._flow_mapping(first=True)

    def _flow_mapping(self, *, first: bool = False) -> Any:
        if self._next() != "}":
            if not first:
                self._comma("}", "mapping")
            if self._next() == KEY:
                return self._inside(self._flow_value, (VALUE, ",", "}"))
            if self._next() != "}":
                self._states.append(self._flow_no_value)
                return self._node()
        return self._closed(_MADE.MappingEndEvent)

    def _flow_value(self) -> Any:
        if self._next() == VALUE:
            return self._inside(self._flow_mapping, (",", "}"))
        return self._flow_no_value()

    def _flow_no_value(self) -> Any:
        self._state = self._flow_mapping
        return self._nothing(self._tokens.peek().start_mark)
