"""What every test may rely on: the checkout's root, and the programs of our peers."""

import gc
import inspect
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from tests.needs import forking, program

ROOT = Path(__file__).resolve().parent.parent

LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
"""For a test that makes links."""

SOAK = os.environ.get("CHRONICLE_SOAK") == "1"
"""Whether the tests marked ``soak`` try all that they can try, and not only some of it in every game."""

SKIPPED = os.environ.get("CHRONICLE_SKIPPED")
"""A file for the tests that were skipped, one a line: what a fuller machine has to run."""

REQUIRE_ALL = os.environ.get("CHRONICLE_REQUIRE_ALL") == "1"

# Hypothesis is compiled, so there is none in Pyodide; what needs it is not tried there.
if sys.platform != "emscripten":
    from hypothesis import settings

    # One state of the code has one verdict; `make fuzz` looks for new mistakes.
    settings.register_profile("same", derandomize=True, deadline=None)
    settings.register_profile("search", deadline=None, print_blob=True)
    settings.load_profile("same")


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def hledger() -> str:
    """The path of hledger; without it the test is skipped."""
    return program("hledger")


@pytest.fixture(scope="session")
def bean_check() -> str:
    """The path of Beancount's checker; without it the test is skipped."""
    return program("bean-check")


@pytest.fixture
def forked() -> Iterator[None]:
    """Further processes begin as this one is, with all that a test has put in the place of something: newer
    Pythons, and other systems, begin them anew."""
    import multiprocessing  # not to be had everywhere

    forking()
    usual = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method("fork", force=True)
    yield
    multiprocessing.set_start_method(usual, force=True)


# Looking through all that thousands of tests keep for what hangs in circles takes a tenth of their time.
gc.set_threshold(50_000, 20, 100)

# Tens of thousands of small files are written, most of them through to the disk: memory is enough for them.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


# A test that starts a program, builds a site with MkDocs, makes all pages of a play example or plays what is
# drawn, itself or by what it asks for, is one of the whole. That need not be declared: it can be seen. So is
# what is tried with every play example, but for the shortest of each game.

OUTSIDE = frozenset({"subprocess", "mkdocs"})
PLAYED = frozenset(
    {"chronicle.testkit.random_play.RandomTable", "tests.cases.near_misses", "tests.site.made.made"}
)


def _longer() -> Iterator[Path]:
    """The play examples of which there is a shorter one of the same game."""
    examples = sorted((ROOT / "sessions").glob("*/campaign.yaml"), key=_letters)
    games: set[str] = set()
    for file in examples:
        (game,) = re.findall(r"(?m)^game: *(\S+)", file.read_text(encoding="utf-8"))
        if game in games:
            yield file.parent
        games.add(game)


def _letters(file: Path) -> int:
    return sum(log.stat().st_size for log in file.parent.glob("*.yaml"))


LONGER = frozenset(_longer())
LONGER_NAMES = frozenset(folder.name for folder in LONGER)


def _of_longer(argument: object) -> bool:
    """Whether a test is given a longer play example: its folder, a file of it, or its name."""
    if isinstance(argument, Path):
        return not LONGER.isdisjoint({argument.absolute(), argument.absolute().parent})
    return argument in LONGER_NAMES if isinstance(argument, str) else False


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    later = [] if SOAK else [item for item in items if _is_for_soak_alone(item)]
    if later:
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in later]
    cache: dict[Any, bool] = {}
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        fixture_defs = item._fixtureinfo.name2fixturedefs.values()
        arguments = item.callspec.params.values() if hasattr(item, "callspec") else ()
        longer = any(_of_longer(argument) for argument in arguments)
        if longer or any(
            _reaches_out(function, cache)
            for function in [item.function, *(d[-1].func for d in fixture_defs)]
        ):
            item.add_marker("integration")
        if longer and item.get_closest_marker("longer"):
            item.add_marker("slow")


def _is_for_soak_alone(item: pytest.Item) -> bool:
    """Whether a test is run by ``make soak`` and nowhere else."""
    marker = item.get_closest_marker("soak")
    return marker is not None and bool(marker.kwargs.get("only"))


def _reaches_out(value: Any, cache: dict[Any, bool]) -> bool:
    """Whether a function of a test, or what it calls, or a method of a class, has to do with OUTSIDE."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] in OUTSIDE
    home = str(getattr(value, "__module__", ""))
    if home.partition(".")[0] in OUTSIDE or f"{home}.{getattr(value, '__name__', '')}" in PLAYED:
        return True
    if isinstance(value, type):
        inner = list(vars(value).values()) if home.startswith("tests") else []
    else:
        value = inspect.unwrap(value) if callable(value) else value
        if not isinstance(value, FunctionType) or not home.startswith("tests"):
            return False
        inner = [value.__globals__.get(name) for name in _names(value.__code__)]
    if value not in cache:
        cache[value] = False
        cache[value] = any(_reaches_out(part, cache) for part in inner)
    return cache[value]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for co_const in code.co_consts:
        if isinstance(co_const, CodeType):
            yield from _names(co_const)


# What each test costs. Time on the clock says what else the machine did; the processor's own time, of the test
# and of the programs that it started, can be compared.

BEGUN = pytest.StashKey[float]()
COST = "cpu"
WORTH_TELLING = 60.0
"""Runs that cost less, in seconds, are not summed up."""


def _cost() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[BEGUN] = _cost()
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    costs: Counter[str] = Counter()
    skipped = []
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            file = report.nodeid.partition("::")[0]
            costs[file] += sum(value for name, value in report.user_properties if name == COST)  # type: ignore[misc]
        if getattr(report, "skipped", False):
            skipped.append(report.nodeid)
    if costs.total() > WORTH_TELLING:
        slowest = ", ".join(f"{file} {cost:.0f}" for file, cost in costs.most_common(8))
        terminalreporter.write_line(
            f"{costs.total():.0f} s of processor time, most of it in: {slowest}"
        )
    if SKIPPED:
        Path(SKIPPED).write_text("".join(f"{line}\n" for line in skipped), encoding="utf-8")


# Where everything is installed, a skipped test is a hole nobody sees: it counts as failed.


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "teardown":
        report.user_properties.append((COST, round(_cost() - item.stash[BEGUN], 3)))
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Skipped, but CHRONICLE_REQUIRE_ALL=1 allows no skip: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"Skipped, but CHRONICLE_REQUIRE_ALL=1 allows no skip: {report.longrepr}"
    return report
