"""What every test may rely on: the checkout's root, and the programs of our peers."""

import os
import shutil
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
"""For a test that makes links."""

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
    return _program("hledger")


@pytest.fixture(scope="session")
def bean_check() -> str:
    """The path of Beancount's checker; without it the test is skipped."""
    return _program("bean-check")


def _program(name: str) -> str:
    beside_python = shutil.which(name, path=str(Path(sys.executable).parent))
    found = beside_python or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


# Where everything is installed, a skipped test is a hole nobody sees: it counts as failed.


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
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
