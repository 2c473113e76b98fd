"""What a program takes, measured from a process smaller than any of them: a child counts what its parent held."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

MISSED = "missed: "
"""What stands before a bar that was missed."""
HERE = Path(__file__).parent.parent
_LAUNCHER = """\
import os, resource, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - start
print(os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss,
      file=sys.stderr)
"""


class Spent(NamedTuple):
    """Seconds by the clock, seconds of the processor in all processes (what others do on the machine counts
    little there), and the most memory of one of them."""

    clock: float
    cpu: float
    megabytes: float


def megabytes(said: int) -> float:
    """The most memory that a process had, of what the system says of it."""
    return said / (2**20 if sys.platform == "darwin" else 2**10)


def spent(command: Sequence[str], scratch: Path) -> Spent:
    """What a command took; its compiled modules are kept in ``scratch``.

    Raises:
        RuntimeError: when it failed or found fault, which would make its time meaningless.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(scratch / "compiled")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LAUNCHER, *command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=HERE,
    )
    *said, last = done.stderr.splitlines()
    code, clock, cpu, most = last.split()
    if int(code):
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{said[-3:]}"[:2000])
    return Spent(float(clock), float(cpu), megabytes(int(most)))


def apart(module: str, folder: Path) -> list[str]:
    """The lines that a benchmark prints of a campaign, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", module, str(folder)],
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE,
    )
    return done.stdout.splitlines()
