"""Measure the processor time and the memory of whole processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
_LAUNCHER = """\
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=sys.stderr)
"""
"""A child inherits its parent's peak of memory, so a small process starts the command and reports its usage."""


class Usage(NamedTuple):
    """Processor time in seconds and peak memory in megabytes of a process."""

    seconds: float
    megabytes: float


def run_once(command: Sequence[str], scratch: Path) -> tuple[Usage, str]:
    """Run a command. Its compiled modules are kept in ``scratch``.

    Returns:
        Its usage, and what it printed.

    Raises:
        RuntimeError: the command failed, so its time means nothing.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(scratch / "compiled")
    launched = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LAUNCHER, *command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=ROOT,
    )
    *errors, last_line = launched.stderr.splitlines()
    code, seconds, peak = last_line.split()
    if int(code):
        raise RuntimeError(f"{' '.join(command)}: {launched.stdout}{errors[-3:]}"[:2000])
    # macOS counts bytes, Linux kilobytes.
    megabytes = int(peak) / (2**20 if sys.platform == "darwin" else 2**10)
    return Usage(float(seconds), megabytes), launched.stdout


def measure(commands: Mapping[str, Sequence[str]], rounds: int, scratch: Path) -> dict[str, Usage]:
    """Run every command once for the disk and the compiled modules, then ``rounds`` times in turn.

    Returns:
        The median usage of each command.
    """
    usages: dict[str, list[Usage]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            usage, _ = run_once(command, scratch)
            if number:
                usages[name].append(usage)
    return {
        name: Usage(*map(median, zip(*measured, strict=True))) for name, measured in usages.items()
    }
