"""Where a project's own templates run: they see what a page shows, and they end.

A template is trusted as code of its project is, but it is copied from friends and forums. It cannot reach
what stands behind a page (the record, its entries, the campaign as read), cannot change anything, and
has so many rounds of loops, letters, seconds and bytes of memory to a page; then it is told so.

A list that holds itself twice, thirty times over, is small in memory and endless when it is written or
compared. So every list that a template makes is weighed as if it were written out.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from time import process_time
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

from jinja2 import Environment, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

from chronicle.core.campaign import Campaign, Session
from chronicle.core.declare import Part
from chronicle.core.record import Record, SessionRecord, Step

T = TypeVar("T")
_Literal: TypeAlias = nodes.List | nodes.Tuple | nodes.Dict

ROUNDS: Final = 300_000
"""How often the loops and macros of one page may go round, all together."""
LETTERS: Final = 50_000_000
"""How many letters one page may be filled with."""
WIDE: Final = 10_000
"""How wide a word may be padded, and how often anything may be repeated."""
WEIGHT: Final = 1_000_000
"""How many values a list may hold, with those in its lists, each as often as it stands there."""
LETTERS_OF_A_VALUE: Final = 16
"""How many letters of a word weigh as much as a value."""
SECONDS: Final = 30
"""How long the templates of one page may run, in seconds of the processor."""
PAUSE: Final = 1.0
"""The longest time between two rounds that is counted as a template's: the rest was Chronicle's."""
MEMORY: Final = 1024**3
"""How much more memory a process may use that draws templates of the project, where the system can hold it
to that."""
LONG: Final = 1_000_000
"""How long a word may be in which patterns are looked for."""
SEARCHED: Final = 5_000_000_000
"""The product of the lengths of a word and another that is looked for in it."""
DIGITS: Final = 10_000
"""How many binary digits a number may have."""

_CLOSED: Final = (Record, Step, SessionRecord, Campaign, Session, Part)
"""What stands behind a page: nobody has looked through it for what is hidden."""
_WIDTH: Final = re.compile(r"\d{5}|\*|\{[^{}]*\{")
"""What pads a word far, or as far as something else says."""
_PADDING: Final = frozenset(
    (
        *("center", "ljust", "rjust", "zfill", "expandtabs", "format", "format_map"),
        *("indent", "wordwrap", "truncate", "batch", "slice", "round", "xmlattr"),
    )
)
"""The methods and filters whose figures say how wide something becomes, or how often it is repeated."""
_GROWING: Final = frozenset(("replace", "join", "format", "format_map", "translate"))
_CONTAINERS: Final = (list, tuple, dict, set, frozenset)
_PATTERNS: Final = frozenset(("striptags", "title", "urlize", "wordcount", "wordwrap"))
"""The filters that look for patterns."""


class _Counting(NodeTransformer):
    """Counts every round of a loop and every call of a macro, and weighs what is joined or made."""

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

    def _weigh(self, node: _Literal) -> nodes.Node:
        self.generic_visit(node)
        if isinstance(node, nodes.Tuple) and node.ctx != "load":
            return node
        weighed = nodes.EnvironmentAttribute("weighed")
        return nodes.Call(weighed, [node], [], None, None).set_lineno(node.lineno)

    visit_List = visit_Tuple = visit_Dict = _weigh


class _Shared(Namespace):
    """What a template may change; it is not written out, so it weighs nothing where it stands."""

    def __repr__(self) -> str:
        return "<namespace>"


class Bounded(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with bounds, and with what stands behind a page closed."""

    intercepted_binops = frozenset(("*", "**", "+", "%"))

    def __init__(self, **options: Any) -> None:
        self.home = Path()
        """The folder of the project's templates."""
        self.warn: Callable[[str], object] = print
        self.graphs: dict[str, str] = {}
        """Layouts by content, which all pages share."""
        self.apart = False
        """Whether this is the child process that draws (:mod:`chronicle.site.apart`)."""
        self._warnings: list[str] = []
        self.reported: set[str] = set()
        self.lost = 0.0
        """How many seconds went into pages that failed."""
        self.last_fault = ""
        self.begin_page()
        super().__init__(finalize=self._written, **options)
        del self.globals["lipsum"], self.filters["pprint"]
        self.globals["namespace"] = _Shared
        filters: dict[str, Any] = self.filters
        tests: dict[str, Any] = self.tests
        for name in filters:
            filters[name] = self._watched(name, filters[name])
        for name in tests:
            tests[name] = self._watched("", tests[name])

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        counted = _Counting().visit(tree)
        assert isinstance(counted, nodes.Template)
        counted.set_environment(self)
        return counted

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return not isinstance(obj, _CLOSED) and super().is_safe_attribute(obj, attr, value)

    @cached_property
    def _own(self) -> frozenset[str]:
        """The names of the project's templates."""
        files = (file for file in self.home.rglob("*") if file.is_file())
        return frozenset(file.relative_to(self.home).as_posix() for file in files)

    def owns(self, template: str) -> bool:
        """Whether a page with this template, or one of this folder (``book/``), uses templates of the project."""
        parts = ("macros/", "pages/page.html", template if template.endswith("/") else "macros/")
        return template in self._own or any(name.startswith(parts) for name in self._own)

    def begin_page(self) -> None:
        """Count from the beginning."""
        self.rounds = self.letters = 0
        self.spent = 0.0
        self._last = process_time()

    def warn_keeper(self, message: str) -> None:
        """Print a warning; in the child, leave that to its parent."""
        if self.apart:
            self._warnings.append(message)
        else:
            self.warn(message)

    def take_warnings(self) -> list[str]:
        """Return the warnings that wait in the child."""
        waiting, self._warnings = self._warnings, []
        return waiting

    def report(self, fault: str) -> None:
        """Warn of a template that fails, once."""
        if fault not in self.reported:
            self.reported.add(fault)
            self.warn_keeper(f"{fault}; the page only says that it cannot be shown")

    def tick(self) -> str:
        """Count one round."""
        self.rounds += 1
        if self.rounds > ROUNDS:
            _too_much(f"its loops go round more than {ROUNDS:,} times on one page")
        self._pass_time()
        return ""

    def weighed(self, value: T) -> T:
        """A list or the like that a template made, if it is not too large."""
        if type(value) in (list, tuple, dict):
            _weigh(value)
        return value

    def _pass_time(self) -> None:
        now = process_time()
        self.spent += min(now - self._last, PAUSE)
        self._last = now
        if self.spent > SECONDS:
            _too_much(f"it runs for more than {SECONDS} seconds on one page")

    def _watched(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(act)
        def watched(*args: Any, **more: Any) -> Any:
            _look(name, "", (*args, *more.values()))
            self._pass_time()
            return self.weighed(act(*args, **more))

        return watched

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
        return self.weighed(super().call_binop(context, operator, left, right))

    def call(self, *args: Any, **more: Any) -> Any:
        # (context, callable, what it is given ...): names of ours would stand in the way of theirs.
        called = args[1]
        # The formatting of the sandbox is a function around the method of a word.
        of = getattr(getattr(called, "__wrapped__", called), "__self__", None)
        if of is self:
            # What counts, at every round: no template gets hold of it.
            return called(*args[2:])
        if isinstance(of, (str, bytes)):
            _look(getattr(called, "__name__", ""), of, (*args[2:], *more.values()))
        return self.weighed(super().call(*args, **more))


@contextmanager
def limited_memory() -> Iterator[None]:
    """Let this process use only so much more memory, where the system can hold it to that; what needs more
    fails with MemoryError."""
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    except (ImportError, OSError):
        yield  # no Linux
        return
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    bounds = [limit for limit in (before, most) if limit >= 0]
    resource.setrlimit(
        resource.RLIMIT_AS, (min([used * resource.getpagesize() + MEMORY, *bounds]), most)
    )
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))


def _weigh(value: object) -> int:
    """How much a value holds if it is written out.

    Raises:
        SecurityError: when that is too much.
    """
    known: dict[int, int] = {}

    def weight(one: Any) -> int:
        if isinstance(one, str):
            return 1 + len(one) // LETTERS_OF_A_VALUE
        if not isinstance(one, _CONTAINERS) or type(one).__module__.startswith("chronicle."):
            return 1
        found = known.get(id(one))
        if found is None:
            parts = (*one.keys(), *one.values()) if isinstance(one, dict) else one
            found = known[id(one)] = 1 + sum(map(weight, parts))
            if found > WEIGHT:
                _too_much(f"it makes a list of more than {WEIGHT:,} values")
        return found

    return weight(value)


def _size(one: Any) -> int:
    """How many letters a value has at most if it is written out; 0 for one that is no word and holds none."""
    if isinstance(one, (str, bytes)):
        return len(one)
    return LETTERS_OF_A_VALUE * _weigh(one) if isinstance(one, _CONTAINERS) else 0


def _look(name: str, of: str | bytes, given: Iterable[Any]) -> None:
    """Look at what a method of words or a filter is given, before it does anything.

    Raises:
        SecurityError: when the outcome might be too large.
    """
    values = [one for one in given if not isinstance(one, Environment)]
    if name in _PADDING and any(isinstance(one, int) and abs(one) > WIDE for one in values):
        _too_much("it pads or repeats something too far")
    formats = [one for one in (of, *values) if isinstance(one, str)]
    if name in ("format", "format_map") and any(_WIDTH.search(one) for one in formats):
        _too_much("it pads a word too far")
    sizes = sorted(filter(None, map(_size, (of, *values))), reverse=True)
    largest, second = [*sizes, 0, 0][:2]
    if name in _GROWING:
        _bounded(largest * max(second, 1))
    # Some look for a word from the right, or for patterns, and take the product of both lengths for it.
    if of and largest * second > SEARCHED:
        _too_much("it looks for a long word in a long word")
    if name in _PATTERNS and largest > LONG:
        _too_much(f"it works on a word of more than {LONG:,} letters")


def _bounded(letters: int) -> None:
    if letters > LETTERS:
        _too_much(f"it makes a word of more than {LETTERS:,} letters")


def _small(digits: int) -> None:
    if digits > DIGITS:
        _too_much("it reckons with a number that is too large")


def _too_much(what: str) -> NoReturn:
    raise SecurityError(f"this template does not end: {what}")
