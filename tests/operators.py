"""``python -m tests.operators``: does a test notice when an operator in a handler is another one?

Operators are drawn by a seed from what a replay of a game's cases enters, as many of each game; what an
entry shows (f-strings, ``message``, ``help``, ``facts``, ``label``) is left out. Each mutant runs in a process
of its own. First come the cases that enter its function, and the golden files of its game. Then its answers about
these cases, about near misses, about play examples and about sessions at random are compared with those of the
unchanged program, field by field (``tests/compare``). At last come the game's own tests, the tests of its law and
its random play. Whatever survives all of them is printed: either it comes to the same (``tests/equivalent.txt``
says why), or a case is missing.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import io
import json
import os
import re
import signal
import sys
import tempfile
import traceback
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper as Cached
from functools import partial
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.replay import Replay, entries_from
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import Case, check_case, named, write_case
from chronicle.testkit.records import book_text
from tests.cases import near_misses
from tests.compare.answer import Main, describe, load_program, moments_of
from tests.compare.fields import differences
from tests.games.test_proof import cases_of
from tests.golden import ROOT, golden_files
from tests.logs import random_session

SEED, COUNT = 11, 200
SECONDS = 240
"""How long a processor may work on one mutant (and ten times as long may pass); one that never ends is
noticed."""
SEEDS = range(1, 31)
"""Of the sessions that are played at random."""
MOST = 200
"""About how many of the cases that enter a function the unchanged program is asked at most."""
MOMENTS = 4
"""After how many entries of a log the program is asked how play stands, besides the end."""
_PART = re.compile(r"(?<=\)), (?=[A-Z])")
"""Between two parts of what pages are made of."""
_COMPARED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_REPLACEMENTS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
    **_COMPARED,
}
_SHOWN = frozenset({"message", "help", "facts", "label", "hint", "words"})
_SAYS = frozenset(
    {
        "event",
        "because",
        "require",
        "illegal",
        "unreadable",
        "unknown",
        "suspect",
        "report",
        "listed",
        "plural",
    }
)


@dataclass(frozen=True)
class Site:
    """One operator: its module, the function around it (first line and name), and which one it is in a
    walk through the module."""

    game: str
    file: Path
    line: int
    number: int
    text: str
    function: tuple[str, int, str]

    @property
    def name(self) -> str:
        """As it stands in lists: independent of line numbers."""
        return f"{self.file.stem}.{self.function[2]}: {self.text}"


def _operators(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Compare):
        return list(node.ops)
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        return [node.op]
    return []


def _walk(node: ast.AST, function: ast.AST | None, shown: bool) -> Iterator[tuple[Any, Any, bool]]:
    """Every node with the outermost function around it, and whether it only makes what is shown."""
    if function is None and isinstance(node, ast.FunctionDef | ast.Lambda):
        function = node
    shown = shown or isinstance(node, ast.JoinedStr)
    yield node, function, shown
    says = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _SAYS
    for name, value in ast.iter_fields(node):
        for at, inner in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(inner, ast.AST):
                words = isinstance(inner, ast.keyword) and inner.arg in _SHOWN
                late = says and name == "args" and at > 1
                yield from _walk(inner, function, shown or words or late)


def sites(game: str, file: Path, source: str) -> Iterator[Site]:
    """All operators of a module that can be another one."""
    number = 0
    for node, function, shown in _walk(ast.parse(source), None, False):
        for op in _operators(node):
            if type(op) in _REPLACEMENTS:
                number += 1
                if function is not None and not shown:
                    line = getattr(node, "lineno", 0)
                    text = f"{ast.unparse(node)} [{type(op).__name__}]"
                    name = getattr(function, "name", "<lambda>")
                    first = min(
                        [
                            function.lineno,
                            *(d.lineno for d in getattr(function, "decorator_list", [])),
                        ]
                    )
                    yield Site(game, file, line, number, text, (str(file), first, name))


def _mutated(source: str, number: int) -> ast.Module:
    tree, count = ast.parse(source), 0
    for node, _, _ in list(_walk(tree, None, False)):
        for at, op in enumerate(_operators(node)):
            if type(op) in _REPLACEMENTS:
                count += 1
                if count == number:
                    replacement: Any = _REPLACEMENTS[type(op)]()
                    if isinstance(node, ast.Compare):
                        node.ops[at] = replacement
                    else:
                        node.op = replacement
    return tree


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def put_in_force(site: Site) -> None:
    """Let the functions of this process run with the other operator."""
    source = site.file.read_text("utf-8")
    plain = compile(ast.parse(source), str(site.file), "exec", dont_inherit=True)
    mutated = compile(_mutated(source, site.number), str(site.file), "exec", dont_inherit=True)
    changed = {
        (old_code.co_qualname, old_code.co_firstlineno, tuple(old_code.co_positions())): new
        for old_code, new in zip(_codes(plain), _codes(mutated), strict=True)
        if old_code.co_name != "<module>"
    }
    done = 0
    for get_object in gc.get_objects():
        if isinstance(get_object, Cached):
            get_object.cache_clear()  # What was worked out with the first operator.
        if isinstance(get_object, FunctionType) and get_object.__code__.co_filename == str(
            site.file
        ):
            code = get_object.__code__
            key = (code.co_qualname, code.co_firstlineno, tuple(code.co_positions()))
            if key in changed:
                get_object.__code__ = changed[key]
                done += 1
    assert done, site


def entered(game: str) -> dict[tuple[str, int, str], list[tuple[str, Case]]]:
    """Which functions of a game's folder a replay enters, each with the cases whose replay or pages do, and
    their names."""
    folder = str(folder_of(game))
    cases_by_site: dict[tuple[str, int, str], list[tuple[str, Case]]] = defaultdict(list)
    entered: set[tuple[str, int, str]] = set()
    for title, case in named(cases_of(game)).items():
        entered_sites: set[tuple[str, int, str]] = set()

        def see(
            frame: FrameType, event: str, _: object, entered_sites: Any = entered_sites
        ) -> None:
            code = frame.f_code
            if code.co_filename.startswith(folder):
                entered_sites.add((code.co_filename, code.co_firstlineno, code.co_name))

        with tempfile.TemporaryDirectory() as temporary:
            sys.settrace(see)
            try:
                record = check_case(case, Path(temporary) / "case")
                replayed = set(entered_sites)
                book_text(record)
            finally:
                sys.settrace(None)
        entered |= replayed
        for site_key in entered_sites:
            cases_by_site[site_key].append((title, case))
    return {site_key: cases for site_key, cases in cases_by_site.items() if site_key in entered}


def _golden(game: str) -> Iterator[tuple[Path, Callable[[], str]]]:
    """The golden files about records of a game."""
    for path, make in golden_files():
        of = path.parent if path.name == "diagnostics.txt" else ROOT / "sessions" / path.stem
        if (of / "campaign.yaml").exists() and load(of).game == game:
            yield path, make


def folder_of(game: str) -> Path:
    return ROOT / "chronicle" / "games" / game.replace("-", "_")


class Unchanged:
    """What the unchanged program says about logs, asked once, before any operator is another one."""

    def __init__(self, game: str, home: Path) -> None:
        self.game = game
        self.home = home
        self.main: Main = load_program(ROOT)
        self.known: dict[Path, bytes] = {}
        self.sessions = {seed: random_session(game, seed) for seed in SEEDS}
        self.evenings = [*self._evenings()]

    def _evenings(self) -> Iterator[Path]:
        """The play examples, and sessions at random."""
        for example in find_campaigns(ROOT / "sessions"):
            if load(example).game == self.game:
                yield example
        for seed, (settings, lines) in self.sessions.items():
            case = Case(Path(self.game), f"random {seed}", settings, [lines])
            yield self.logs_of(f"random-{seed}", case)[0]

    def logs_of(self, name: str, case: Case) -> list[Path]:
        """A case and its near misses as campaign folders."""
        folders = []
        for number, log in enumerate([case, *near_misses(case)]):
            folder = self.home / re.sub(r"[^\w.-]+", "-", f"{name}~{number}")
            if not folder.is_dir():
                write_case(log, folder)
            folders.append(folder)
        return folders

    def ask(self, log: Path) -> dict[str, Any]:
        """What the program of this process says about a log."""
        os.chdir(log.parent)
        # After a mistake, the end tells as much as every moment.
        moments = 0 if log.name[-2:-1] == "~" and log.name[-1] != "0" else MOMENTS
        book = book_text(run(load(Path(log.name))))
        offers = offers_of(Path(log.name), moments)
        return {
            **describe(self.main, log.name, moments),
            "book": _PART.split(book),
            "offers": offers,
        }

    def learn(self, logs: list[Path]) -> None:
        """Ask about logs that are not known yet."""
        for log in logs:
            if log not in self.known:
                if len(self.known) % 50 == 0:
                    gc.collect()  # The program does it rarely, because it usually ends soon.
                self.known[log] = zlib.compress(json.dumps(self.ask(log)).encode(), 1)

    def differs(self, log: Path) -> str:
        """Where the program of this process says something else about a log; empty if nowhere."""
        answers_before = json.loads(zlib.decompress(self.known[log]))
        answers_after = json.loads(json.dumps(self.ask(log)))
        first = next(differences(answers_before, answers_after), None)
        return f"compared: {log.name}: {first.place}" if first is not None else ""

    def plays_otherwise(self) -> Iterator[str]:
        """The sessions at random that have other entries when they are played again."""
        for seed, session in self.sessions.items():
            if random_session(self.game, seed) != session:
                yield f"compared: random-{seed}: the entries that are played"


def offers_of(folder: Path, moments: int) -> dict[str, Any]:
    """What the game offers for the keys of each verb, which no command prints: after some entries of a log and
    at its end."""
    campaign = load(folder)
    rules = rulebook(campaign.game)
    replay = Replay(campaign, rules)
    chosen_moments = moments_of(sum(len(session.actions) for session in campaign.sessions), moments)
    answers: dict[str, Any] = {}

    def note(at: str) -> None:
        for verb in rules.own_verbs:
            for by in ("", *replay.play.present):
                offers = rules.offers(replay.play, verb, by)
                answers[f"{at}: {verb} by {by}"] = [repr(offer) for offer in offers]

    for number, action in entries_from(replay):
        replay.do(action)
        if number + 1 in chosen_moments:
            note(f"after {number + 1}")
    note("at the end")
    return answers


def _first(checks: Iterable[str]) -> str:
    """The first thing that a mutant is noticed by; empty if there is none."""
    try:
        return next(filter(None, checks), "")
    except Exception as error:
        return f"compared: {type(error).__name__}"


def _broken(cases: list[tuple[str, Case]]) -> Iterator[str]:
    """The names of cases that do not come to what they expect."""
    with tempfile.TemporaryDirectory() as temporary:
        for number, (name, case) in enumerate(cases):
            try:
                check_case(case, Path(temporary) / str(number))
            except Exception:
                yield name


def _other_golden_files(game: str) -> Iterator[str]:
    """The names of golden files that are not what is made now."""
    for path, make in _golden(game):
        try:
            if make() != path.read_text("utf-8"):
                yield path.name
        except Exception:
            yield path.name


def _noticed_by_cases(site: Site, cases: list[tuple[str, Case]]) -> str:
    """Which case or golden file notices a mutant; empty if none does. Runs in a process of its own."""
    put_in_force(site)
    return _first(_broken(cases)) or _first(_other_golden_files(site.game))


def _noticed_at_last(site: Site, logs: list[Path], unchanged: Unchanged, quick: bool) -> str:
    """What else notices a mutant, after cases and golden files; empty if nothing does. Runs in a process of its
    own."""
    put_in_force(site)
    by = _first(map(unchanged.differs, logs)) or _first(unchanged.plays_otherwise())
    if by or quick:
        return by
    os.chdir(ROOT)
    folder = ROOT / "tests" / "games"
    own = folder / site.game.replace("-", "_")
    tests = ["test_battery.py", "test_law.py", "test_offered.py", "test_due.py", "test_settable.py"]
    quiet = ["-q", "-x", "-p", "no:cacheprovider", "-n", "0"]
    for files in ([str(own)], [str(folder / test) for test in tests] + ["-k", site.game]):
        with contextlib.redirect_stdout(io.StringIO()):
            code = pytest.main([*quiet, *files])
        if code == pytest.ExitCode.TESTS_FAILED:
            return files[0]
    return ""


def _begin(check: Callable[[], str]) -> tuple[int, int]:
    """Begin a process that tries a mutant.

    Returns:
        The process, and where it will write which test notices the mutant.
    """
    import resource  # not on Windows

    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        signal.alarm(10 * SECONDS)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        code = 1
        try:
            os.write(into, check().encode() or b"-")
            code = 0
        except BaseException:
            traceback.print_exc()
        os._exit(code)
    os.close(into)
    return child, out


def tried(
    chosen: list[tuple[Site, list[tuple[str, Case]]]], unchanged: Unchanged, jobs: int, quick: bool
) -> Iterator[tuple[Site, str]]:
    """Each mutant with the test that notices it, empty if none does; ``jobs`` of them at once."""
    cases_of = dict(chosen)
    waiting = [(site, False) for site, _ in reversed(chosen)]
    running: dict[int, tuple[Site, bool, int]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            site, at_last = waiting.pop()
            cases = cases_of[site]
            check = partial(_noticed_by_cases, site, cases)
            if at_last:
                some = Random(site.name).sample(cases, min(MOST, len(cases)))
                logs = [log for name, case in some for log in unchanged.logs_of(name, case)]
                logs += unchanged.evenings
                unchanged.learn(logs)
                check = partial(_noticed_at_last, site, logs, unchanged, quick)
            child, out = _begin(check)
            running[child] = site, at_last, out
        child, status = os.wait()
        site, at_last, out = running.pop(child)
        by = os.read(out, 4096).decode()
        os.close(out)
        assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, site
        if by == "-" and not at_last:
            waiting.append((site, True))
        else:
            yield site, "" if by == "-" else by or "it does not end"


def equivalent() -> dict[str, str]:
    """Mutants that come to the same, and why; ``~`` begins a pattern for several."""
    lines = (Path(__file__).parent / "equivalent.txt").read_text("utf-8").splitlines()
    pairs = (line.partition("  # ") for line in lines if line and not line.startswith("#"))
    return {name: why for name, _, why in pairs}


def _is_equivalent(site: Site, equivalents: dict[str, str]) -> bool:
    patterns = (name[1:] for name in equivalents if name.startswith("~"))
    return site.name in equivalents or any(re.search(pattern, site.name) for pattern in patterns)


def main() -> int:
    """Draw, try, and print what survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.operators", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="of all games together")
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--only", default="", help="those whose name this pattern finds")
    parser.add_argument("--quick", action="store_true", help="against cases and golden files alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at once")
    parser.add_argument(
        "--verbose", action="store_true", help="what is noticed as well, and by what"
    )
    options = parser.parse_args()
    games = options.game or list(GAMES)
    equivalents = equivalent()
    sums: Counter[str] = Counter()
    for place, game in enumerate(games):
        rulebook(game)
        cases = entered(game)
        files = sorted(folder_of(game).rglob("*.py"))
        all_sites = [s for f in files for s in sites(game, f, f.read_text("utf-8"))]
        all_sites = [site for site in all_sites if site.function in cases]
        count = len(range(place, options.count, len(games)))
        # Drawn by their names, so that nearly the same are drawn when the code has changed.
        drawn = sorted(all_sites, key=lambda site: Random(f"{options.seed} {site.name}").random())[
            :count
        ]
        print(f"{game}: {len(drawn)} of {len(all_sites)} operators", flush=True)
        chosen = [(s, cases[s.function]) for s in drawn if re.search(options.only, s.name)]
        with tempfile.TemporaryDirectory() as temporary:
            unchanged = Unchanged(game, Path(temporary).resolve())
            for site, by in tried(chosen, unchanged, options.jobs, options.quick):
                kind = (
                    "noticed"
                    if by
                    else "the same"
                    if _is_equivalent(site, equivalents)
                    else "survived"
                )
                sums[kind] += 1
                sums["compared"] += by.startswith("compared: ")
                if kind != "noticed" or options.verbose:
                    suffix = f" ({by})" if by else ""
                    print(f"  {kind}: {site.file.name}:{site.line} {site.name}{suffix}", flush=True)
            os.chdir(ROOT)
    behaving = sums["noticed"] + sums["survived"]
    print(", ".join(f"{sums[kind]} {kind}" for kind in ("noticed", "the same", "survived")))
    print(
        f"{sums['noticed']} of {behaving} that change something are noticed, "
        f"{sums['compared']} of them by comparing with the unchanged program alone"
    )
    return int(sums["noticed"] < 0.95 * behaving)


if __name__ == "__main__":
    sys.exit(main())
