"""Where a project's own templates run: they see what a page shows, and they end.

A template is trusted as code of its project is, but it is copied from friends and forums. It cannot reach
what stands behind a page (the record, its entries, the campaign as read), cannot change anything, and
has so many rounds of loops and so many letters to a page; then it is told so.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn

from jinja2 import Environment, Template, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from chronicle.core.campaign import Campaign, Session
from chronicle.core.declare import Part
from chronicle.core.record import Record, SessionRecord, Step

ROUNDS: Final = 300_000
"""How often the loops and macros of one page may go round, all together."""
LETTERS: Final = 50_000_000
"""How many letters one page may be filled with."""
WIDE: Final = 10_000
"""How wide a word may be padded, and how often anything may be repeated."""
DIGITS: Final = 10_000
"""How many binary digits a number may have."""

_CLOSED: Final = (Record, Step, SessionRecord, Campaign, Session, Part)
"""What stands behind a page: nobody has looked through it for what is hidden."""
_WIDTH: Final = re.compile(r"\d{5}|\*")
_PADDING: Final = frozenset(("center", "ljust", "rjust", "zfill", "expandtabs"))
_GROWING: Final = frozenset(("replace", "join", "format", "format_map", "translate"))
_FILTERS: Final = (
    *("center", "indent", "wordwrap", "truncate", "batch", "slice", "round"),
    *("replace", "join", "format", "xmlattr"),
)


class _Counted(Template):
    """A template whose pages are counted each from the beginning."""

    def render(self, *args: Any, **more: Any) -> str:
        environment = self.environment
        assert isinstance(environment, Bounded)
        environment.rounds = environment.letters = 0
        return super().render(*args, **more)


class _Counting(NodeTransformer):
    """Counts every round of a loop and every call of a macro, and what is joined."""

    def _count(self, node: nodes.For | nodes.Macro | nodes.CallBlock) -> nodes.Node:
        self.generic_visit(node)
        tick = nodes.Call(nodes.EnvironmentAttribute("tick"), [], [], None, None)
        node.body.insert(0, nodes.ExprStmt(tick).set_lineno(node.lineno))
        return node

    visit_For = visit_Macro = visit_CallBlock = _count

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        joined = nodes.EnvironmentAttribute("joined")
        return nodes.Call(joined, node.nodes, [], None, None).set_lineno(node.lineno)


class Bounded(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with bounds, and with what stands behind a page closed."""

    template_class = _Counted
    intercepted_binops = frozenset(("*", "**", "+", "%"))

    def __init__(self, **options: Any) -> None:
        self.rounds = self.letters = 0
        super().__init__(finalize=self._written, **options)
        del self.globals["lipsum"], self.filters["pprint"]
        for name in _FILTERS:
            self.filters[name] = _watched(name, self.filters[name])

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        counted = _Counting().visit(tree)
        assert isinstance(counted, nodes.Template)
        counted.set_environment(self)
        return counted

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return not isinstance(obj, _CLOSED) and super().is_safe_attribute(obj, attr, value)

    def tick(self) -> str:
        """Count one round."""
        self.rounds += 1
        if self.rounds > ROUNDS:
            _too_much(f"its loops go round more than {ROUNDS:,} times on one page")
        return ""

    def joined(self, *parts: Any) -> str:
        """Words one after the other."""
        _bounded(sum(len(part) for part in parts if isinstance(part, str)))
        return markup_join(parts)

    def _written(self, value: Any) -> Any:
        if isinstance(value, str):
            self.letters += len(value)
            if self.letters > LETTERS:
                _too_much(f"it writes more than {LETTERS:,} letters on one page")
        return value

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        match operator:
            case "*":
                for many, times in ((left, right), (right, left)):
                    if isinstance(many, (str, bytes, list, tuple)) and isinstance(times, int):
                        _bounded(len(many) * times)
                if isinstance(left, int) and isinstance(right, int):
                    _small(left.bit_length() + right.bit_length())
            case "**" if isinstance(left, int) and isinstance(right, int):
                _small(left.bit_length() * max(right, 0))
            case "+" if hasattr(left, "__len__") and hasattr(right, "__len__"):
                _bounded(len(left) + len(right))
            case "%" if isinstance(left, str) and _WIDTH.search(left):
                _too_much("it pads a word too far")
        return super().call_binop(context, operator, left, right)

    def call(self, *args: Any, **more: Any) -> Any:
        # (context, callable, what it is given ...): names of ours would stand in the way of theirs.
        called = args[1]
        of = getattr(called, "__self__", None)
        if of is self:
            # What counts, at every round: no template gets hold of it.
            return called(*args[2:])
        if isinstance(of, (str, bytes)):
            _look(getattr(called, "__name__", ""), of, (*args[2:], *more.values()))
        return super().call(*args, **more)


def _watched(name: str, act: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(act)
    def watched(*args: Any, **more: Any) -> Any:
        _look(name, "", (*args, *more.values()))
        return act(*args, **more)

    return watched


def _look(name: str, of: str | bytes, given: Iterable[Any]) -> None:
    """Look at what a method of words or a filter is given, before it does anything.

    Raises:
        SecurityError: when the outcome might be too large.
    """
    values = [one for one in given if not isinstance(one, Environment)]
    if name not in _GROWING or name == "format":
        if name in (*_PADDING, *_FILTERS) and any(
            isinstance(one, int) and abs(one) > WIDE for one in values
        ):
            _too_much("it pads or repeats something too far")
        formats = [one for one in (of, *values) if isinstance(one, str)]
        if name == "format" and any(_WIDTH.search(one) for one in formats):
            _too_much("it pads a word too far")
    if name in _GROWING:
        sizes = [len(one) for one in (of, *values) if hasattr(one, "__len__")]
        sizes.sort(reverse=True)
        _bounded((sizes[:1] or [0])[0] * max((sizes[1:2] or [1])[0], 1))


def _bounded(letters: int) -> None:
    if letters > LETTERS:
        _too_much(f"it makes a word of more than {LETTERS:,} letters")


def _small(digits: int) -> None:
    if digits > DIGITS:
        _too_much("it reckons with a number that is too large")


def _too_much(what: str) -> NoReturn:
    raise SecurityError(f"this template does not end: {what}")
