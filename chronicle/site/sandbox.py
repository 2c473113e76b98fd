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

ORIGINALS_PREFIX: Final = "chronicle"
"""The prefix of Chronicle's own templates, also where the project has one of the same name."""
MAX_ROUNDS: Final = 300_000
"""How often the loops and macros of one page may go round, all together."""
MAX_LETTERS: Final = 50_000_000
"""The most letters on one page."""
MAX_PADDING: Final = 10_000
"""The greatest width that a word can be padded to, and the most repetitions of a value."""
MAX_WEIGHT: Final = 1_000_000
"""The most values in a list and in its inner lists, each counted as often as it appears."""
LETTERS_OF_A_VALUE: Final = 16
"""How many letters of a word weigh as much as a value."""
MAX_SECONDS: Final = 30
"""How long the templates of one page may run, in seconds of the processor."""
MAX_COUNTED_PAUSE: Final = 1.0
"""The longest time between two rounds that is counted as a template's: the rest was Chronicle's."""
MAX_MORE_MEMORY: Final = 1024**3
"""How much more memory a process may use that draws templates of the project, where the system can hold it
to that."""
MAX_PATTERN_LETTERS: Final = 1_000_000
"""The length of the longest word that patterns can search."""
MAX_SEARCH_PRODUCT: Final = 5_000_000_000
"""The product of the lengths of a word and another that is looked for in it."""
MAX_BITS: Final = 10_000
"""How many binary digits a number may have."""

_HIDDEN_TYPES: Final = (Record, Step, SessionRecord, Campaign, Session, Part)
"""The data behind a page: nothing has removed its secrets."""
_WIDE_FORMAT: Final = re.compile(r"\d{5}|\*|\{[^{}]*\{")
"""A format that pads a word far, or by a computed width."""
_PADDING_NAMES: Final = frozenset(
    (
        *("center", "ljust", "rjust", "zfill", "expandtabs", "format", "format_map"),
        *("indent", "wordwrap", "truncate", "batch", "slice", "round", "xmlattr"),
    )
)
"""The methods and filters whose figures say how wide something becomes, or how often it is repeated."""
_GROWING_NAMES: Final = frozenset(("replace", "join", "format", "format_map", "translate"))
_CONTAINERS: Final = (list, tuple, dict, set, frozenset)
_PATTERN_FILTERS: Final = frozenset(("striptags", "title", "urlize", "wordcount", "wordwrap"))
"""The filters that look for patterns."""


class _CountingTransformer(NodeTransformer):
    """Counts every round of a loop and every call of a macro, and weighs what is joined or made."""

    def _insert_round_count(self, node: nodes.For | nodes.Macro | nodes.CallBlock) -> nodes.Node:
        self.generic_visit(node)
        round_count_call = nodes.Call(nodes.EnvironmentAttribute("count_round"), [], [], None, None)
        node.body.insert(0, nodes.ExprStmt(round_count_call).set_lineno(node.lineno))
        return node

    visit_For = visit_Macro = visit_CallBlock = _insert_round_count

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        joined = nodes.EnvironmentAttribute("joined")
        return nodes.Call(joined, node.nodes, [], None, None).set_lineno(node.lineno)

    def _insert_weighing(self, node: _Literal) -> nodes.Node:
        self.generic_visit(node)
        if isinstance(node, nodes.Tuple) and node.ctx != "load":
            return node
        weighed_call = nodes.EnvironmentAttribute("with_checked_weight")
        return nodes.Call(weighed_call, [node], [], None, None).set_lineno(node.lineno)

    visit_List = visit_Tuple = visit_Dict = _insert_weighing


class _WeightlessNamespace(Namespace):
    """A namespace that a template can change; it is not written out, so it has no weight."""

    def __repr__(self) -> str:
        return "<namespace>"


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with limits, and without access to the data behind a page."""

    intercepted_binops = frozenset(("*", "**", "+", "%"))

    def __init__(self, **options: Any) -> None:
        self.template_folder = Path()
        """The folder of the project's templates."""
        self.print_warning: Callable[[str], object] = print
        self.graph_layouts: dict[str, str] = {}
        """Layouts by content, which all pages share."""
        self.is_child = False
        """Whether this is the child process that draws (:mod:`chronicle.site.is_child`)."""
        self._warnings: list[str] = []
        self.reported_faults: set[str] = set()
        self.seconds_lost = 0.0
        """How many seconds went into pages that failed."""
        self.last_fault = ""
        self.begin_page()
        super().__init__(finalize=self._count_letters, **options)
        del self.globals["lipsum"], self.filters["pprint"]
        self.globals["namespace"] = _WeightlessNamespace
        filters: dict[str, Any] = self.filters
        tests: dict[str, Any] = self.tests
        for filter_or_test_name in filters:
            filters[filter_or_test_name] = self._with_checks(
                filter_or_test_name, filters[filter_or_test_name]
            )
        for filter_or_test_name in tests:
            tests[filter_or_test_name] = self._with_checks("", tests[filter_or_test_name])

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        counting_tree = _CountingTransformer().visit(tree)
        assert isinstance(counting_tree, nodes.Template)
        counting_tree.set_environment(self)
        return counting_tree

    def join_path(self, template_name: str, parent_name: str) -> str:
        """A template that extends or includes its own name means the one that it replaces."""
        return (
            f"{ORIGINALS_PREFIX}/{template_name}" if template_name == parent_name else template_name
        )

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return not isinstance(obj, _HIDDEN_TYPES) and super().is_safe_attribute(obj, attr, value)

    @cached_property
    def _own_templates(self) -> frozenset[str]:
        """The names of the project's templates."""
        template_files = (file for file in self.template_folder.rglob("*") if file.is_file())
        return frozenset(
            file.relative_to(self.template_folder).as_posix() for file in template_files
        )

    def owns(self, template_name: str) -> bool:
        """Whether a page with this template, or one of this folder (``book/``), uses templates of the project."""
        prefixes = (
            "macros/",
            "pages/page.html",
            template_name if template_name.endswith("/") else "macros/",
        )
        return template_name in self._own_templates or any(
            own_template.startswith(prefixes) for own_template in self._own_templates
        )

    def begin_page(self) -> None:
        """Count from the beginning."""
        self.round_count = self.letter_count = 0
        self.seconds_spent = 0.0
        self._last_time = process_time()

    def warn_keeper(self, message: str) -> None:
        """Print a warning; in the child, leave that to its parent."""
        if self.is_child:
            self._warnings.append(message)
        else:
            self.print_warning(message)

    def take_warnings(self) -> list[str]:
        """Return the warnings that wait in the child."""
        warnings, self._warnings = self._warnings, []
        return warnings

    def report(self, fault: str) -> None:
        """Warn of a template that fails, once."""
        if fault not in self.reported_faults:
            self.reported_faults.add(fault)
            self.warn_keeper(f"{fault}; the page only says that it cannot be shown")

    def count_round(self) -> str:
        """Count one round."""
        self.round_count += 1
        if self.round_count > MAX_ROUNDS:
            _refuse(f"its loops go round more than {MAX_ROUNDS:,} times on one page")
        self._count_time()
        return ""

    def with_checked_weight(self, value: T) -> T:
        """A list or the like that a template made, if it is not too large."""
        if type(value) in (list, tuple, dict):
            _weigh_value(value)
        return value

    def _count_time(self) -> None:
        time_now = process_time()
        self.seconds_spent += min(time_now - self._last_time, MAX_COUNTED_PAUSE)
        self._last_time = time_now
        if self.seconds_spent > MAX_SECONDS:
            _refuse(f"it runs for more than {MAX_SECONDS} seconds on one page")

    def _with_checks(self, function_name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def checked_function(*args: Any, **keywords: Any) -> Any:
            _check_arguments(function_name, "", (*args, *keywords.values()))
            self._count_time()
            return self.with_checked_weight(function(*args, **keywords))

        return checked_function

    def joined(self, *joined_parts: Any) -> str:
        """Words one after the other."""
        _check_letters(
            sum(len(joined_part) for joined_part in joined_parts if isinstance(joined_part, str))
        )
        return markup_join(joined_parts)

    def _count_letters(self, value: Any) -> Any:
        if isinstance(value, str):
            self.letter_count += len(value)
            if self.letter_count > MAX_LETTERS:
                _refuse(f"it writes more than {MAX_LETTERS:,} letters on one page")
        return value

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        match operator:
            case "*":
                for repeated_value, repeat_count in ((left, right), (right, left)):
                    if isinstance(repeated_value, (str, bytes, list, tuple)) and isinstance(
                        repeat_count, int
                    ):
                        _check_letters(len(repeated_value) * repeat_count)
                if isinstance(left, int) and isinstance(right, int):
                    _check_bit_count(left.bit_length() + right.bit_length())
            case "**" if isinstance(left, int) and isinstance(right, int):
                _check_bit_count(left.bit_length() * max(right, 0))
            case "+" if hasattr(left, "__len__") and hasattr(right, "__len__"):
                _check_letters(len(left) + len(right))
            case "%" if isinstance(left, str) and _WIDE_FORMAT.search(left):
                _refuse("it pads a word too far")
        return self.with_checked_weight(super().call_binop(context, operator, left, right))

    def call(self, *args: Any, **keywords: Any) -> Any:
        # (context, callable, arguments ...): named parameters here could clash with the template's own.
        function = args[1]
        # The formatting of the sandbox is a function around the method of a word.
        method_owner = getattr(getattr(function, "__wrapped__", function), "__self__", None)
        if method_owner is self:
            # What counts, at every round: no template gets hold of it.
            return function(*args[2:])
        if isinstance(method_owner, (str, bytes)):
            _check_arguments(
                getattr(function, "__name__", ""), method_owner, (*args[2:], *keywords.values())
            )
        return self.with_checked_weight(super().call(*args, **keywords))


@contextmanager
def limited_memory() -> Iterator[None]:
    """Limit the memory that this process can still allocate, if the system supports it. Beyond the limit,
    allocations fail with MemoryError."""
    try:
        import resource

        pages_used = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    except (ImportError, OSError):
        yield  # no Linux
        return
    old_limit, hard_limit = resource.getrlimit(resource.RLIMIT_AS)
    memory_limits = [limit for limit in (old_limit, hard_limit) if limit >= 0]
    resource.setrlimit(
        resource.RLIMIT_AS,
        (min([pages_used * resource.getpagesize() + MAX_MORE_MEMORY, *memory_limits]), hard_limit),
    )
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (old_limit, hard_limit))


def _weigh_value(value: object) -> int:
    """How much a value holds if it is written out.

    Raises:
        SecurityError: when that is too much.
    """
    weight_by_id: dict[int, int] = {}

    def weight(inner_value: Any) -> int:
        if isinstance(inner_value, str):
            return 1 + len(inner_value) // LETTERS_OF_A_VALUE
        if not isinstance(inner_value, _CONTAINERS) or type(inner_value).__module__.startswith(
            "chronicle."
        ):
            return 1
        known_weight = weight_by_id.get(id(inner_value))
        if known_weight is None:
            inner_values = (
                (*inner_value.keys(), *inner_value.values())
                if isinstance(inner_value, dict)
                else inner_value
            )
            known_weight = weight_by_id[id(inner_value)] = 1 + sum(map(weight, inner_values))
            if known_weight > MAX_WEIGHT:
                _refuse(f"it makes a list of more than {MAX_WEIGHT:,} values")
        return known_weight

    return weight(value)


def _written_length(value: Any) -> int:
    """How many letters a value has at most if it is written out; 0 for one that is no word and holds none."""
    if isinstance(value, (str, bytes)):
        return len(value)
    return LETTERS_OF_A_VALUE * _weigh_value(value) if isinstance(value, _CONTAINERS) else 0


def _check_arguments(
    function_name: str, method_owner: str | bytes, arguments: Iterable[Any]
) -> None:
    """Check the arguments of a string method or a filter before the call.

    Raises:
        SecurityError: when the result might be too large.
    """
    values = [argument for argument in arguments if not isinstance(argument, Environment)]
    if function_name in _PADDING_NAMES and any(
        isinstance(argument, int) and abs(argument) > MAX_PADDING for argument in values
    ):
        _refuse("it pads or repeats something too far")
    format_texts = [argument for argument in (method_owner, *values) if isinstance(argument, str)]
    if function_name in ("format", "format_map") and any(
        _WIDE_FORMAT.search(format_text) for format_text in format_texts
    ):
        _refuse("it pads a word too far")
    written_lengths = sorted(
        filter(None, map(_written_length, (method_owner, *values))), reverse=True
    )
    longest_length, second_longest_length = [*written_lengths, 0, 0][:2]
    if function_name in _GROWING_NAMES:
        _check_letters(longest_length * max(second_longest_length, 1))
    # Some look for a word from the right, or for patterns, and take the product of both lengths for it.
    if method_owner and longest_length * second_longest_length > MAX_SEARCH_PRODUCT:
        _refuse("it looks for a long word in a long word")
    if function_name in _PATTERN_FILTERS and longest_length > MAX_PATTERN_LETTERS:
        _refuse(f"it works on a word of more than {MAX_PATTERN_LETTERS:,} letters")


def _check_letters(letter_count: int) -> None:
    if letter_count > MAX_LETTERS:
        _refuse(f"it makes a word of more than {MAX_LETTERS:,} letters")


def _check_bit_count(bit_count: int) -> None:
    if bit_count > MAX_BITS:
        _refuse("it reckons with a number that is too large")


def _refuse(reason: str) -> NoReturn:
    raise SecurityError(f"this template does not end: {reason}")
