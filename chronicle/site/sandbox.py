"""A sandbox for a project's own templates: they see the data of a page, and they end.

Chronicle trusts a template like other code of the project, but people copy templates from friends and
forums. A template cannot reach the data behind a page (the record, its entries, the parsed campaign) and
cannot change anything. Each page has limits for rounds of loops, letters, seconds and bytes of memory;
beyond them the template fails with a message.

A list that holds itself twice, thirty times over, is small in memory but endless when written or
compared. So every list that a template makes is measured by its written length.
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
"""The most letters on one page."""
WIDE: Final = 10_000
"""The greatest width that a word can be padded to, and the most repetitions of a value."""
WEIGHT: Final = 1_000_000
"""The most values in a list and in its inner lists, each counted as often as it appears."""
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
"""The length of the longest word that patterns can search."""
SEARCHED: Final = 5_000_000_000
"""The product of the lengths of a word and another that is looked for in it."""
DIGITS: Final = 10_000
"""How many binary digits a number may have."""

_CLOSED: Final = (Record, Step, SessionRecord, Campaign, Session, Part)
"""The data behind a page: nothing has removed its secrets."""
_WIDTH: Final = re.compile(r"\d{5}|\*|\{[^{}]*\{")
"""A format that pads a word far, or by a computed width."""
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
    """A namespace that a template can change; it is not written out, so it has no weight."""

    def __repr__(self) -> str:
        return "<namespace>"


class Bounded(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with limits, and without access to the data behind a page."""

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
        time_now = process_time()
        self.spent += min(time_now - self._last, PAUSE)
        self._last = time_now
        if self.spent > SECONDS:
            _too_much(f"it runs for more than {SECONDS} seconds on one page")

    def _watched(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(act)
        def watched(*args: Any, **keywords: Any) -> Any:
            _look(name, "", (*args, *keywords.values()))
            self._pass_time()
            return self.weighed(act(*args, **keywords))

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
                for repeated, times in ((left, right), (right, left)):
                    if isinstance(repeated, (str, bytes, list, tuple)) and isinstance(times, int):
                        _bounded(len(repeated) * times)
                if isinstance(left, int) and isinstance(right, int):
                    _small(left.bit_length() + right.bit_length())
            case "**" if isinstance(left, int) and isinstance(right, int):
                _small(left.bit_length() * max(right, 0))
            case "+" if hasattr(left, "__len__") and hasattr(right, "__len__"):
                _bounded(len(left) + len(right))
            case "%" if isinstance(left, str) and _WIDTH.search(left):
                _too_much("it pads a word too far")
        return self.weighed(super().call_binop(context, operator, left, right))

    def call(self, *args: Any, **keywords: Any) -> Any:
        # (context, callable, arguments ...): named parameters here could clash with the template's own.
        called = args[1]
        # The formatting of the sandbox is a function around the method of a word.
        owner = getattr(getattr(called, "__wrapped__", called), "__self__", None)
        if owner is self:
            # What counts, at every round: no template gets hold of it.
            return called(*args[2:])
        if isinstance(owner, (str, bytes)):
            _look(getattr(called, "__name__", ""), owner, (*args[2:], *keywords.values()))
        return self.weighed(super().call(*args, **keywords))


@contextmanager
def limited_memory() -> Iterator[None]:
    """Limit the memory that this process can still allocate, if the system supports it. Beyond the limit,
    allocations fail with MemoryError."""
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    except (ImportError, OSError):
        yield  # no Linux
        return
    old_limit, hard_limit = resource.getrlimit(resource.RLIMIT_AS)
    bounds = [limit for limit in (old_limit, hard_limit) if limit >= 0]
    resource.setrlimit(
        resource.RLIMIT_AS, (min([used * resource.getpagesize() + MEMORY, *bounds]), hard_limit)
    )
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (old_limit, hard_limit))


def _weigh(value: object) -> int:
    """How much a value holds if it is written out.

    Raises:
        SecurityError: when that is too much.
    """
    weights: dict[int, int] = {}

    def weight(item: Any) -> int:
        if isinstance(item, str):
            return 1 + len(item) // LETTERS_OF_A_VALUE
        if not isinstance(item, _CONTAINERS) or type(item).__module__.startswith("chronicle."):
            return 1
        weight_known = weights.get(id(item))
        if weight_known is None:
            parts = (*item.keys(), *item.values()) if isinstance(item, dict) else item
            weight_known = weights[id(item)] = 1 + sum(map(weight, parts))
            if weight_known > WEIGHT:
                _too_much(f"it makes a list of more than {WEIGHT:,} values")
        return weight_known

    return weight(value)


def _size(value: Any) -> int:
    """How many letters a value has at most if it is written out; 0 for one that is no word and holds none."""
    if isinstance(value, (str, bytes)):
        return len(value)
    return LETTERS_OF_A_VALUE * _weigh(value) if isinstance(value, _CONTAINERS) else 0


def _look(name: str, owner: str | bytes, arguments: Iterable[Any]) -> None:
    """Check the arguments of a string method or a filter before the call.

    Raises:
        SecurityError: when the result might be too large.
    """
    values = [argument for argument in arguments if not isinstance(argument, Environment)]
    if name in _PADDING and any(
        isinstance(argument, int) and abs(argument) > WIDE for argument in values
    ):
        _too_much("it pads or repeats something too far")
    formats = [argument for argument in (owner, *values) if isinstance(argument, str)]
    if name in ("format", "format_map") and any(_WIDTH.search(template) for template in formats):
        _too_much("it pads a word too far")
    sizes = sorted(filter(None, map(_size, (owner, *values))), reverse=True)
    largest, second = [*sizes, 0, 0][:2]
    if name in _GROWING:
        _bounded(largest * max(second, 1))
    # Some look for a word from the right, or for patterns, and take the product of both lengths for it.
    if owner and largest * second > SEARCHED:
        _too_much("it looks for a long word in a long word")
    if name in _PATTERNS and largest > LONG:
        _too_much(f"it works on a word of more than {LONG:,} letters")


def _bounded(letters: int) -> None:
    if letters > LETTERS:
        _too_much(f"it makes a word of more than {LETTERS:,} letters")


def _small(digits: int) -> None:
    if digits > DIGITS:
        _too_much("it reckons with a number that is too large")


def _too_much(reason: str) -> NoReturn:
    raise SecurityError(f"this template does not end: {reason}")
