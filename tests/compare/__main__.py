"""``python -m tests.compare REV``: what this checkout says otherwise than another revision, field by field.

REV is anything that Git knows, or the folder of another checkout. Both programs run over the same logs, which
the tests of REV write: cases, play examples, sessions played at random and mutated logs (``tests/logs.py``).
Compared is what both print as JSON: ``check``, ``export``, and ``state`` after every entry of a short log and after
some of a long one. The pages that they render are compared line by line; of cases, the pages of some.
Differences that are alike but for names and numbers are counted together and shown with one example.

The exit code is 0 if nothing differs, 1 if something does, 2 if the comparison was not possible.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from threading import Timer, get_ident
from typing import Any, NamedTuple

from chronicle.games import GAMES
from tests.compare.fields import ABSENT, Report, differences, left_out
from tests.compare.revisions import Revision, UnknownRevision, here, revision
from tests.logs import COUNT, KINDS, SEED

SCRIPT = Path(__file__).with_name("answer.py")
TOGETHER = 20
"""How many logs one program is asked about at once: their pages are rendered together."""
PAGES = 3
"""Of how many batches of cases the pages of one are compared: rendering takes longer than all else."""
MOMENTS = 8
"""After how many entries of a log to ask how play stands, besides the end."""
PATIENCE = 600
"""After how many seconds a program that has not answered is stopped."""


class ProgramStopped(Exception):
    """A program ended, or was stopped, before it answered."""


class Batch(NamedTuple):
    """Logs that are compared together."""

    kind: str
    game: str
    folder: Path
    pages: bool
    """Whether their pages are compared as well."""


class Program:
    """A process of one revision that answers for many logs."""

    def __init__(self, of: Revision) -> None:
        self.of = of
        environment = {**os.environ, "PYTHONHASHSEED": str(of.hash_seed), "COLUMNS": "100"}
        self.process = subprocess.Popen(
            [of.python, "-P", "-W", "ignore", str(SCRIPT), str(of.tree)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
        )

    def answer(self, folder: Path, *, pages: bool, moments: int, site: bool) -> dict[str, Any]:
        """What the program says about each campaign of a folder.

        Raises:
            ProgramStopped: when it ends without an answer, or needs longer than :data:`PATIENCE`.
        """
        question = {"folder": str(folder), "pages": pages, "moments": moments, "site": site}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        timer = Timer(PATIENCE, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            raise ProgramStopped(f"the program of {self.of.name} stopped at {folder}")
        answers: dict[str, Any] = json.loads(line)
        return answers

    def close(self) -> None:
        """Let the process end."""
        self.process.kill()
        self.process.communicate()


def write_logs(of: Revision, kind: str, folder: Path, request: Request) -> None:
    """Let the tests of a revision write the logs of a kind; those of this checkout, if it has no ``tests/logs.py``
    yet.

    Raises:
        subprocess.CalledProcessError: when they fail.
    """
    if not (of.tree / "tests" / "logs.py").is_file():
        of = here()
    games = [part for game in request.games for part in ("--game", game)]
    arguments = [
        kind,
        str(folder),
        "--seed",
        str(request.seed),
        "--count",
        str(request.count),
        *games,
    ]
    subprocess.run(
        [of.python, "-W", "ignore", "-m", "tests.logs", *arguments],
        cwd=of.tree,
        env={**os.environ, "PYTHONHASHSEED": str(of.hash_seed)},
        check=True,
    )


@dataclass
class Request:
    """What to compare."""

    kinds: Sequence[str] = tuple(KINDS)
    games: Sequence[str] = tuple(GAMES)
    seed: int = SEED
    count: int = COUNT
    name: str = ""
    """What the name of a log has to contain."""
    leave_out: Sequence[Sequence[str]] = ()
    pages: int = PAGES
    """Of how many batches of cases the pages of one are compared; 0: no pages at all."""
    jobs: int = 1
    each: bool = False


def batches(kind: str, written: Path, request: Request) -> Iterator[Batch]:
    """The logs of a kind, as many at once as are asked about together."""
    most = request.pages if kind == "cases" else min(request.pages, 1)
    for game in sorted(written.iterdir()):
        logs = sorted(log for log in game.iterdir() if request.name in log.name)
        for at in range(0, len(logs), TOGETHER):
            folder = written.parent / f"{kind}-{game.name}-{at}" / "logs"
            folder.mkdir(parents=True)
            for log in logs[at : at + TOGETHER]:
                log.rename(folder / log.name)
            yield Batch(kind, game.name, folder, most > 0 and at // TOGETHER % most == 0)


@lru_cache
def installed() -> list[str]:
    """The packages that are installed here, with their versions."""
    return sorted(f"{package.name} {package.version}" for package in distributions())


class Programs:
    """The processes of one revision, started when they are needed, one for each thread that asks."""

    def __init__(self, of: Revision) -> None:
        self.of = of
        self.idle: queue.SimpleQueue[Program] = queue.SimpleQueue()

    def answer(self, batch: Batch) -> dict[str, Any]:
        """What the program says about the logs of a batch, from the last comparison where this is known."""
        cache = self._cache(batch)
        if cache is not None and cache.is_file():
            answers: dict[str, Any] = json.loads(zlib.decompress(cache.read_bytes()))
            return answers
        try:
            program = self.idle.get_nowait()
        except queue.Empty:
            program = Program(self.of)
        try:
            answers = program.answer(
                batch.folder, pages=batch.pages, moments=MOMENTS, site=batch.kind == "examples"
            )
        except ProgramStopped as error:
            program.close()
            return {log.name: {"stopped": str(error)} for log in batch.folder.iterdir()}
        self.idle.put(program)
        if cache is not None:
            cache.parent.mkdir(parents=True, exist_ok=True)
            part = cache.with_suffix(f".{get_ident()}")
            part.write_bytes(zlib.compress(json.dumps(answers).encode(), 1))
            part.replace(cache)
        return answers

    def _cache(self, batch: Batch) -> Path | None:
        """The file that keeps what a commit says about these logs; None for a checkout, which may change."""
        if self.of.cache is None:
            return None
        digest = sha256(SCRIPT.read_bytes())
        digest.update(
            repr((self.of.python, *installed(), batch.pages, MOMENTS, batch.kind)).encode()
        )
        for file in sorted(filter(Path.is_file, batch.folder.rglob("*"))):
            digest.update(f"{file.relative_to(batch.folder)}\0".encode())
            digest.update(sha256(file.read_bytes()).digest())
        return self.of.cache / digest.hexdigest()[:32]

    def close(self) -> None:
        """Let all processes end."""
        while not self.idle.empty():
            self.idle.get().close()


class Comparison:
    """Two programs, and what they say differently."""

    def __init__(self, older: Revision, newer: Revision, request: Request) -> None:
        self.older, self.newer, self.request = Programs(older), Programs(newer), request
        self.report = Report(each=request.each)

    def run(self, scratch: Path) -> Report:
        """Write the logs below a folder, and compare what both programs say about them."""
        with ThreadPoolExecutor(self.request.jobs) as pool:
            for kind in self.request.kinds:
                written = scratch / kind
                written.mkdir()
                write_logs(self.older.of, kind, written, self.request)
                work = [*batches(kind, written, self.request)]
                for batch, answers in zip(work, pool.map(self._answers, work), strict=True):
                    self._compare(batch, *answers)
        return self.report

    def _answers(self, batch: Batch) -> tuple[dict[str, Any], dict[str, Any]]:
        older, newer = (each.answer(batch) for each in (self.older, self.newer))
        shutil.rmtree(batch.folder.parent)
        return older, newer

    def _compare(self, batch: Batch, older: dict[str, Any], newer: dict[str, Any]) -> None:
        of = f"{batch.kind}/{batch.game}/"
        for name in dict.fromkeys([*older, *newer]):
            self.report.compared[of] += 1
            changes = differences(older.get(name, ABSENT), newer.get(name, ABSENT))
            fields = self.request.leave_out
            self.report.add(of + name, (each for each in changes if not left_out(each, fields)))

    def close(self) -> None:
        """Let all processes end."""
        self.older.close()
        self.newer.close()


def compare(older: Revision, newer: Revision, request: Request) -> Report:
    """Compare two revisions.

    Raises:
        subprocess.CalledProcessError: when the older one cannot write its logs.
    """
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        comparison = Comparison(older, newer, request)
        try:
            return comparison.run(Path(scratch).resolve())
        finally:
            comparison.close()


def main() -> int:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("revision", metavar="REV")
    parser.add_argument(
        "--only", choices=KINDS, action="append", help="only logs of this kind; may be repeated"
    )
    parser.add_argument(
        "--game", choices=GAMES, action="append", help="only logs of this game; may be repeated"
    )
    parser.add_argument("--name", default="", help="only logs whose name contains this")
    parser.add_argument(
        "--leave-out",
        metavar="FIELD",
        action="append",
        default=[],
        help="a field not to compare, or all below it: message, pages, record.steps.headline; may be repeated",
    )
    parser.add_argument(
        "--pages",
        type=int,
        metavar="N",
        default=PAGES,
        help=f"compare the pages of every Nth batch of cases ({PAGES}); 1: of all, 0: no pages",
    )
    parser.add_argument("--count", type=int, default=COUNT, help="random and mutated logs a game")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="how many logs to work on at the same time",
    )
    parser.add_argument("--most", type=int, default=5, help="examples of each field")
    parser.add_argument(
        "--each", action="store_true", help="values that differ in a name or number are not alike"
    )
    options = parser.parse_args()
    began = time.monotonic()
    fields = [tuple(part.replace("[]", "").split(".")) for part in options.leave_out]
    try:
        older = revision(options.revision)
    except UnknownRevision as error:
        parser.error(str(error))
    report = compare(
        older,
        here(),
        Request(
            options.only or tuple(KINDS),
            options.game or tuple(GAMES),
            options.seed,
            options.count,
            options.name,
            fields,
            0 if ("pages",) in fields else options.pages,
            options.jobs,
            options.each,
        ),
    )
    print("\n".join(report.lines(options.most)))
    print(f"{time.monotonic() - began:.0f} s")
    return int(bool(report.groups))


if __name__ == "__main__":
    sys.exit(main())
